"""Pipeline schedules: who works when, who waits, what stays alive."""

FORWARD_TIME, BACKWARD_TIME = 1.0, 2.0


def gpipe_warm_up(p, m, v, rank):
    return m * v


def one_f_one_b_warm_up(p, m, v, rank):
    return min(p - 1 - rank, m)


def interleaved_warm_up(p, m, v, rank):
    return min(2 * (p - 1 - rank) + (v - 1) * p, m * v)


def passes(kind, p, m, rank, chunks):
    """The forward or the backward passes of one rank, in its order."""
    return [
        (kind, micro_batch, chunk * p + rank)
        for group in range(0, m, p)
        for chunk in chunks
        for micro_batch in range(group, min(group + p, m))
    ]


def schedule(warm_up, p, m, v, rank):
    """Warm-up forwards, then one forward, one backward, then the rest."""
    forwards = passes("F", p, m, rank, range(v))
    backwards = passes("B", p, m, rank, range(v)[::-1])
    n = warm_up(p, m, v, rank)
    order = forwards[:n]
    for forward, backward in zip(forwards[n:], backwards):
        order += [forward, backward]
    return order + backwards[len(forwards) - n:]


def needed_before(kind, micro_batch, stage, last_stage):
    """The pass whose result this pass has to wait for."""
    if kind == "F":
        return ("F", micro_batch, stage - 1) if stage > 0 else None
    if stage == last_stage:
        return ("F", micro_batch, stage)
    return ("B", micro_batch, stage + 1)


def run(warm_up, p, m, v=1, slowness=(1, 1, 1, 1)):
    """Start each pass once its rank is free and its input is there."""
    waiting = [schedule(warm_up, p, m, v, rank) for rank in range(p)]
    timeline = [[] for _ in range(p)]
    finish, free_at = {None: 0.0}, [0.0] * p

    def input_of_next(rank):
        return needed_before(*waiting[rank][0], last_stage=p * v - 1)

    while any(waiting):
        ready = [rank for rank in range(p)
                 if waiting[rank] and input_of_next(rank) in finish]
        assert ready, "deadlock: every rank waits for another"
        rank = ready[0]
        start = max(free_at[rank], finish[input_of_next(rank)])
        work = waiting[rank].pop(0)
        cost = FORWARD_TIME if work[0] == "F" else BACKWARD_TIME
        finish[work] = free_at[rank] = start + cost / v * slowness[rank]
        timeline[rank].append((work, start, finish[work]))
    return timeline, max(free_at)


def idle_fraction(timeline, total):
    busy = sum(end - start for rank in timeline for _, start, end in rank)
    return 1 - busy / (len(timeline) * total)


def peak_live(rank_timeline, v):
    """Most micro-batches whose activations the rank holds at one time."""
    live = peak = 0
    for (kind, _, _), _, _ in rank_timeline:
        live += 1 / v if kind == "F" else -1 / v
        peak = max(peak, live)
    return peak


def draw(timeline, total, columns):
    """Digits are forward passes, letters backward, dots idle time."""
    for rank, done in enumerate(timeline):
        row = ["."] * round(total * columns)
        for (kind, micro_batch, _), start, end in done:
            mark = ("01234567" if kind == "F" else "abcdefgh")[micro_batch]
            first, last = round(start * columns), round(end * columns)
            row[first:last] = mark * (last - first)
        print(f"rank {rank} |{''.join(row)}|")


SCHEDULES = [("GPipe", gpipe_warm_up, 1),
             ("1F1B", one_f_one_b_warm_up, 1),
             ("interleaved v=2", interleaved_warm_up, 2)]
P, M = 4, 8

for name, warm_up, v in SCHEDULES:
    timeline, total = run(warm_up, P, M, v)
    formula = (P - 1) / (v * M + P - 1)
    idle = idle_fraction(timeline, total)
    print(f"{name}: {total:g} units, idle {idle:.1%},",
          f"formula {formula:.1%}; columns a unit: {v}")
    print("live micro-batches:", [peak_live(row, v) for row in timeline])
    draw(timeline, total, columns=v)
    print()

print("micro-batches  idle 1F1B  idle v=2  1F1B bubble / ideal time")
for m in (4, 8, 16, 32, 64):
    idle = idle_fraction(*run(one_f_one_b_warm_up, P, m))
    idle_v2 = idle_fraction(*run(interleaved_warm_up, P, m, v=2))
    print(f"{m:13}{idle:11.1%}{idle_v2:10.1%}{idle / (1 - idle):14.1%}")

print()
for slow_rank in (0, 3):
    slowness = [1.5 if rank == slow_rank else 1 for rank in range(P)]
    _, gpipe = run(gpipe_warm_up, P, M, 1, slowness)
    _, one_f_one_b = run(one_f_one_b_warm_up, P, M, 1, slowness)
    print(f"rank {slow_rank} slow: GPipe {gpipe:g}, 1F1B {one_f_one_b:g}")
