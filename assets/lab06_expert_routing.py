"""Top-2 routing over 8 experts: who is full, what is dropped and sent?"""
import math
import random

TOKENS, EXPERTS, TOP_K, HIDDEN, BF16_BYTES = 4096, 8, 2, 4096, 2
ASSIGNMENTS = TOKENS * TOP_K
GPUS_PER_NODE = 8


def router_logits(skew, rng):
    noise = [-math.log(-math.log(1 - rng.random())) for _ in range(EXPERTS)]
    return [n - skew * expert for expert, n in enumerate(noise)]


def softmax(logits):
    weights = [math.exp(x - max(logits)) for x in logits]
    return [w / sum(weights) for w in weights]


def route(skew):
    rng = random.Random(0)
    choices, mean_prob = [], [0.0] * EXPERTS
    for _ in range(TOKENS):
        logits = router_logits(skew, rng)
        ranked = sorted(range(EXPERTS), key=lambda e: -logits[e])
        choices.append(ranked[:TOP_K])
        for expert, p in enumerate(softmax(logits)):
            mean_prob[expert] += p / TOKENS
    return choices, mean_prob


def demand(choices):
    return [sum(e in picked for picked in choices) for e in range(EXPERTS)]


def auxiliary_loss(wanted, mean_prob):
    share = [n / ASSIGNMENTS for n in wanted]
    return EXPERTS * sum(f * p for f, p in zip(share, mean_prob))


def capacity(factor):
    return math.ceil(factor * ASSIGNMENTS / EXPERTS)


def dispatch(choices, limit):
    load, dropped, left_out = [0] * EXPERTS, 0, 0
    for picked in choices:
        taken = [e for e in picked if load[e] < limit]
        for expert in taken:
            load[expert] += 1
        dropped += TOP_K - len(taken)
        left_out += not taken
    return load, dropped, left_out


def all_to_all_megabytes(rows, ranks):
    return rows * HIDDEN * BF16_BYTES * (ranks - 1) / ranks / 1e6


for name, skew in (("uniform", 0.0), ("skewed", 0.6)):
    choices, mean_prob = route(skew)
    wanted = demand(choices)
    print(f"{name} router: demand {wanted}")
    print(f"  auxiliary loss {auxiliary_loss(wanted, mean_prob):.2f}")
    for factor in (1.0, 1.25, 2.0, None):
        limit = capacity(factor) if factor else math.inf
        load, dropped, left_out = dispatch(choices, limit)
        rows = EXPERTS * limit if factor else ASSIGNMENTS
        print(f"  cf {factor}: dropped {dropped / ASSIGNMENTS:.1%},"
              f" tokens left out {left_out},"
              f" max/mean {max(load) * EXPERTS / ASSIGNMENTS:.2f},"
              f" dispatch {all_to_all_megabytes(rows, EXPERTS):.1f} MB")

print("more expert-parallel ranks, dropless, uniform:")
for ranks in (8, 16, 32, 64):
    sent = all_to_all_megabytes(ASSIGNMENTS, ranks)
    leaving = (ranks - GPUS_PER_NODE) / ranks
    print(f"  {ranks} ranks: {sent:.1f} MB, {leaving:.1%} leaves the node")
