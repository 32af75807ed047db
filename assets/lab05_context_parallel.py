"""Causal ring attention on 4 ranks: is it exact, and who works when?"""
import math
import random

RANKS, TOKENS, HEAD_DIM, BF16_BYTES = 4, 16, 4, 2

rng = random.Random(1)
Q, K, V = ([[rng.gauss(0, 1) for _ in range(HEAD_DIM)]
            for _ in range(TOKENS)] for _ in range(3))


def scores(i, keys):
    return [sum(q * k for q, k in zip(Q[i], K[j])) / math.sqrt(HEAD_DIM)
            for j in keys]


def full_attention(i):
    s = scores(i, range(i + 1))
    weight = [math.exp(x - max(s)) for x in s]
    return [sum(w * v[d] for w, v in zip(weight, V)) / sum(weight)
            for d in range(HEAD_DIM)]


def merge_block(state, i, keys):
    peak, total, out = state
    s = scores(i, keys)
    new_peak = max(peak, *s)
    rescale = math.exp(peak - new_peak)
    weight = [math.exp(x - new_peak) for x in s]
    total = total * rescale + sum(weight)
    out = [out[d] * rescale + sum(w * V[j][d] for w, j in zip(weight, keys))
           for d in range(HEAD_DIM)]
    return new_peak, total, out


def contiguous(rank):
    size = TOKENS // RANKS
    return list(range(rank * size, (rank + 1) * size))


def zigzag(rank):
    size, mirror = TOKENS // (2 * RANKS), 2 * RANKS - 1 - rank
    return [*range(rank * size, (rank + 1) * size),
            *range(mirror * size, (mirror + 1) * size)]


def ring_attention(layout):
    owned = [layout(rank) for rank in range(RANKS)]
    state = [(-math.inf, 0.0, [0.0] * HEAD_DIM) for _ in range(TOKENS)]
    work = [[0] * RANKS for _ in range(RANKS)]
    for hop in range(RANKS):
        for rank in range(RANKS):
            source = (rank - hop) % RANKS
            for i in owned[rank]:
                visible = [j for j in owned[source] if j <= i]
                if visible:
                    state[i] = merge_block(state[i], i, visible)
                work[hop][rank] += len(visible)
    return [[x / total for x in out] for _, total, out in state], work


def forward_megabytes(s, h, h_kv, c):
    ring = (c - 1) * 2 * (s / c) * h_kv * BF16_BYTES
    ulysses = (c - 1) / c * (2 * h + 2 * h_kv) * (s / c) * BF16_BYTES
    megatron_sp = 4 * (c - 1) / c * s * h * BF16_BYTES
    return [round(b / 1e6, 1) for b in (ring, ulysses, megatron_sp)]


exact = [full_attention(i) for i in range(TOKENS)]
for layout in (contiguous, zigzag):
    output, work = ring_attention(layout)
    error = max(abs(a - b) for x, y in zip(output, exact)
                for a, b in zip(x, y))
    print(f"{layout.__name__}: equals full attention: {error < 1e-12}")
    for hop, pairs in enumerate(work):
        print(f"  hop {hop}: pairs by rank {pairs}, slowest {max(pairs)}")
    wall, ideal = sum(map(max, work)), sum(map(sum, work)) // RANKS
    print(f"  wall {wall} pairs, ideal {ideal}")

block_bytes = TOKENS // RANKS * HEAD_DIM * BF16_BYTES
print(f"K and V sent per rank: {(RANKS - 1) * 2 * block_bytes} bytes")
print("s=32768 h=4096 c=8, MB per layer: ring, Ulysses, Megatron SP")
for h_kv in (4096, 1024):
    print(f"  h_kv={h_kv}:", *forward_megabytes(32768, 4096, h_kv, 8))
