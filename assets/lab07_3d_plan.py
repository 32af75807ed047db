"""64 ranks on a mesh: who meets whom, over which link, at what cost?"""
NODES, GPUS_PER_NODE = 8, 8
RANKS = range(NODES * GPUS_PER_NODE)
NVLINK, NIC = 370e9, 45e9
DEGREE = {"tp": 8, "dp": 2, "pp": 4}

PARAMETERS, LAYERS, HIDDEN = 70e9, 80, 8192
TOKENS, MICRO_BATCHES, BF16_BYTES = 4096, 64, 2
ACHIEVED_FLOPS = 0.5 * 989e12


def strides(order):
    stride, step = {}, 1
    for axis in order:
        stride[axis] = step
        step *= DEGREE[axis]
    assert step == len(RANKS), f"the degrees multiply to {step}"
    return stride


def coordinates(rank, order):
    stride = strides(order)
    return {axis: rank // stride[axis] % DEGREE[axis] for axis in order}


def groups(axis, order):
    members = {}
    for rank in RANKS:
        place = coordinates(rank, order)
        del place[axis]
        members.setdefault(tuple(place.values()), []).append(rank)
    return list(members.values())


def nodes_spanned(group):
    return len({rank // GPUS_PER_NODE for rank in group})


def bandwidth(group):
    if nodes_spanned(group) == 1:
        return NVLINK
    ranks_per_node = len(group) / nodes_spanned(group)
    return min(NVLINK, NIC * ranks_per_node)


def bytes_per_step():
    tp, dp, pp = DEGREE["tp"], DEGREE["dp"], DEGREE["pp"]
    message = TOKENS * HIDDEN * BF16_BYTES
    gradients = PARAMETERS / (tp * pp) * BF16_BYTES
    all_reduces = 4 * LAYERS / pp * MICRO_BATCHES
    return {"tp": all_reduces * 2 * (tp - 1) / tp * message,
            "dp": 2 * (dp - 1) / dp * gradients,
            "pp": 2 * MICRO_BATCHES * message / tp}


def report(order):
    print("order, fastest axis first:", "-".join(order))
    for axis in order:
        group = max(groups(axis, order), key=nodes_spanned)
        sent = bytes_per_step()[axis]
        print(f"  {axis} group {group}: {nodes_spanned(group)} node(s),"
              f" {sent / 1e9:.1f} GB, {sent / bandwidth(group):.2f} s")


report(("tp", "dp", "pp"))
report(("pp", "dp", "tp"))
tokens = DEGREE["dp"] * MICRO_BATCHES * TOKENS
compute = 6 * PARAMETERS * tokens / (len(RANKS) * ACHIEVED_FLOPS)
bubble = (DEGREE["pp"] - 1) / (MICRO_BATCHES + DEGREE["pp"] - 1)
print(f"compute {compute:.2f} s per step, bubble {bubble:.1%}")
place = coordinates(37, ("tp", "dp", "pp"))
print(f"rank 37 is {place} on node {37 // GPUS_PER_NODE}")
