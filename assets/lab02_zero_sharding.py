# ZeRO on a toy model: equal weights at every stage, different bytes.
RANKS, PARAMETERS, STEPS = 4, 16, 3
SHARD = PARAMETERS // RANKS
sent = [0] * RANKS


def chunk(owner):
    return slice(owner * SHARD, (owner + 1) * SHARD)


def ring(buffers, first, combine):
    for hop in range(RANKS - 1):
        parcels = []
        for rank in range(RANKS):
            part = chunk((rank - first - hop) % RANKS)
            parcels.append((rank, part, buffers[rank][part]))
        for rank, part, theirs in parcels:
            receiver = buffers[(rank + 1) % RANKS]
            receiver[part] = map(combine, receiver[part], theirs)
            sent[rank] += len(theirs)


def reduce_scatter(gradients):
    buffers = [list(gradient) for gradient in gradients]
    ring(buffers, 1, lambda mine, theirs: mine + theirs)
    return [buffers[rank][chunk(rank)] for rank in range(RANKS)]


def all_gather(shards):
    buffers = [[0.0] * PARAMETERS for _ in range(RANKS)]
    for rank in range(RANKS):
        buffers[rank][chunk(rank)] = shards[rank]
    ring(buffers, 0, lambda mine, theirs: theirs)
    return buffers


def backward(weights, rank):
    return [(w - rank * i) / RANKS for i, w in enumerate(weights)]


def adam(weights, gradients, moments, step):
    updated = []
    for i, (w, g) in enumerate(zip(weights, gradients)):
        m, v = moments[i]
        m, v = 0.9 * m + 0.1 * g, 0.99 * v + 0.01 * g * g
        moments[i] = m, v
        scale = (v / (1 - 0.99**step)) ** 0.5 + 1e-8
        updated.append(w - 0.1 * m / (1 - 0.9**step) / scale)
    return updated


def train(stage):
    sent[:] = [0] * RANKS
    stored = SHARD if stage == 3 else PARAMETERS
    managed = PARAMETERS if stage == 0 else SHARD
    weights = [[1.0] * stored for _ in range(RANKS)]
    moments = [[(0.0, 0.0)] * managed for _ in range(RANKS)]
    for step in range(1, STEPS + 1):
        used = weights
        if stage == 3:
            for phase in ("forward", "backward"):
                used = all_gather(weights)
        local = [backward(used[rank], rank) for rank in range(RANKS)]
        averaged = reduce_scatter(local)
        if stage == 0:
            averaged = all_gather(averaged)
        kept = averaged if stage >= 2 else local
        for rank in range(RANKS):
            mine = chunk(rank) if stage in (1, 2) else slice(stored)
            weights[rank][mine] = adam(
                weights[rank][mine], averaged[rank], moments[rank], step
            )
        if stage in (1, 2):
            shards = [weights[rank][chunk(rank)] for rank in range(RANKS)]
            weights = all_gather(shards)
    held = 2 * len(weights[0]) + 2 * len(kept[0]) + 12 * len(moments[0])
    final = sum(weights, []) if stage == 3 else weights[0]
    return final, sent[0] / STEPS / PARAMETERS, held


ddp_weights = train(0)[0]
print("stage  same weights  sent / parameters  bytes kept a rank")
for stage in range(4):
    final, volume, held = train(stage)
    same = final == ddp_weights
    print(f"{stage:5}  {same!s:>12}  {volume:17.2f}  {held:17}")
print("\nmodel state in GB per GPU, 64 ranks")
print("parameters      stage 0   stage 1   stage 2   stage 3")
for billion in (2.7, 30):
    ledger = 16, 4 + 12 / 64, 2 + 14 / 64, 16 / 64
    print(f"{billion:4} billion ", *(f"{billion * x:9.2f}" for x in ledger))
