"""Tokens to experts on real processes: an uneven all-to-all, drops, a hot expert."""
import math

import torch

from measure_common import RANK, RANKS, Report, all_ranks, dist, knob, now, refuse, say, simulated_router, start

TOKENS = knob("tokens", 1024)  # of each rank
EXPERTS = knob("experts", 8)
TOP_K = knob("top_k", 2)
HIDDEN = knob("hidden", 256)
SKEW = knob("skew", 0.3)
FACTOR = knob("capacity", 1.25)
if EXPERTS % RANKS:
    refuse(f"{EXPERTS} experts do not divide over {RANKS} ranks; change experts")
MINE = EXPERTS // RANKS

device = start()
report = Report("06-expert-routing")
tokens = torch.randint(0, 8, (TOKENS, HIDDEN), device=device).float()
torch.manual_seed(0)  # the same experts everywhere; each rank uses its own
experts = torch.randn(EXPERTS, HIDDEN, HIDDEN, device=device) / HIDDEN**0.5


def dispatch_list(choices, limit):
    """(expert, token) in the order of the experts. A full expert takes no more of this rank."""
    load, taken, dropped = [0] * EXPERTS, [], 0
    for token, picked in enumerate(choices):
        for expert in picked:
            if load[expert] < limit:
                load[expert] += 1
                taken.append((expert, token))
            else:
                dropped += 1
    return sorted(taken), load, dropped


def exchange(rows, sending, receiving):
    """The uneven all-to-all: so many rows to each rank, so many from each."""
    arrived = torch.empty(sum(receiving), HIDDEN, device=device)
    dist.all_to_all_single(arrived, rows, receiving, sending)
    return arrived


def by_rank(load):
    return [sum(load[rank * MINE:(rank + 1) * MINE]) for rank in range(RANKS)]


def layer(taken, load):
    # A receiver cannot know how much will come: the counts go first.
    counts = torch.tensor(load, device=device)
    their_counts = torch.empty_like(counts)
    dist.barrier()
    moments = [now()]
    dist.all_to_all_single(their_counts, counts)
    theirs = their_counts.view(RANKS, MINE)  # from each rank, for each of my experts
    sending, receiving = by_rank(load), theirs.sum(1).tolist()
    rows = tokens[[token for _, token in taken]]
    arrived = exchange(rows, sending, receiving)
    moments.append(now())
    of_expert = torch.arange(MINE, device=device).repeat(RANKS).repeat_interleave(theirs.flatten())
    result = torch.empty_like(arrived)
    for expert in range(MINE):
        chosen = of_expert == expert
        result[chosen] = arrived[chosen] @ experts[RANK * MINE + expert]
    moments.append(now())
    back = exchange(result, receiving, sending)
    moments.append(now())
    output = torch.zeros_like(tokens)
    output.index_add_(0, torch.tensor([token for _, token in taken], device=device), back)
    return output, theirs.sum(0).tolist(), [b - a for a, b in zip(moments, moments[1:])]


even = math.ceil(FACTOR * TOKENS * TOP_K / EXPERTS)
report.figure("capacity_tokens", "capacity of an expert for one rank's tokens", even, "count", exact=True)
for name, skew, limit in (("even", 0.0, math.inf), ("skewed", SKEW, math.inf), ("capped", SKEW, even)):
    say(name)
    # Each rank has a batch of its own: the simulator's, with the rank as its seed.
    choices = simulated_router(TOKENS, EXPERTS, TOP_K, skew, seed=RANK)
    taken, load, dropped = dispatch_list(choices, limit)
    layer(taken, load)  # warms up
    output, received, spans = layer(taken, load)

    alone = torch.zeros_like(tokens)
    for expert, token in taken:
        alone[token] += tokens[token] @ experts[expert]
    report.check(f"output_{name}", torch.allclose(output, alone, atol=1e-3), f"{name}: the same output as one process")
    all_dropped, all_load = all_ranks(dropped), all_ranks(load)
    all_received = [n for part in all_ranks(received) for n in part]
    report.check(f"conserved_{name}", all_received == [sum(column) for column in zip(*all_load)],
                 f"{name}: every token that was sent arrived at its expert")
    for rank in range(RANKS):
        report.figure(f"dropped_{name}_{rank}", f"assignments dropped by rank {rank}, {name}",
                      all_dropped[rank], "count", exact=True)
        hottest = max(all_load[rank])
        report.figure(f"hottest_{name}_{rank}", f"tokens of rank {rank} for its hottest expert, {name}",
                      hottest, "count", exact=True)
    report.figure(f"received_{name}", f"tokens of every expert, {name}", all_received, "count")
    leaving = sum(by_rank(load)) - by_rank(load)[RANK]
    bytes_sent = sum(all_ranks(leaving)) / RANKS * HIDDEN * tokens.element_size()
    report.figure(f"dispatch_{name}", f"bytes a rank sends in dispatch, mean, {name}", bytes_sent, "B")
    all_spans = all_ranks(spans)
    for part, label in enumerate(("dispatch", "experts", "combine")):
        slowest = max(row[part] for row in all_spans)
        report.figure(f"{label}_time_{name}", f"{label}, slowest rank, {name}", slowest, "s")
    of_rank = by_rank(all_received)
    report.figure(f"rank_load_{name}", f"tokens of the busiest rank over the mean, {name}",
                  max(of_rank) * RANKS / sum(of_rank), "x")
report.finish()
