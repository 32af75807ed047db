"""One all-reduce: what message size, algorithm and placement do to it."""
import math

NVLINK, NIC = 370e9, 45e9
HOP_INSIDE, HOP_BETWEEN = 3e-6, 12e-6
GIB, GB, MS = 2**30, 1e9, 1e-3


def ring(ranks, size, hop, bandwidth):
    sent = 2 * (ranks - 1) / ranks * size
    return 2 * (ranks - 1) * hop + sent / bandwidth


def group_bandwidth(nodes, per_node):
    return NVLINK if nodes == 1 else min(NVLINK, per_node * NIC)


def flat_ring(size, nodes, per_node, cards):
    hop = HOP_INSIDE if nodes == 1 else HOP_BETWEEN
    bandwidth = group_bandwidth(nodes, cards)
    return ring(nodes * per_node, size, hop, bandwidth)


def one_card(size, nodes, per_node):
    return flat_ring(size, nodes, per_node, cards=1)


def all_cards(size, nodes, per_node):
    return flat_ring(size, nodes, per_node, cards=per_node)


def tree(size, nodes, per_node):
    chain = 2 * (per_node - 1) * HOP_INSIDE
    levels = 2 * math.log2(nodes) * HOP_BETWEEN
    return chain + levels + 2 * size / group_bandwidth(nodes, per_node)


def phases(size, nodes, per_node):
    inside = ring(per_node, size, HOP_INSIDE, NVLINK)
    between = ring(nodes, size / per_node, HOP_BETWEEN, NIC)
    return inside, between


def hierarchy(size, nodes, per_node):
    return sum(phases(size, nodes, per_node))


def overlapped(size, nodes, per_node):
    return max(phases(size, nodes, per_node))


def busbw(ranks, size, seconds):
    return size / seconds * 2 * (ranks - 1) / ranks


def card_rate(bus, nodes, ranks):
    return bus * (nodes - 1) / (ranks - 1)


ALGORITHMS = [one_card, all_cards, tree, hierarchy, overlapped]
NODES, PER_NODE = 8, 8

print("8 nodes of 8, milliseconds")
print("bytes", *(f"{f.__name__:>10}" for f in ALGORITHMS), " best")
for power in (14, 18, 22, 26, 30, 33):
    times = {f: f(2**power, NODES, PER_NODE) for f in ALGORITHMS}
    best = min(times, key=times.get).__name__
    row = " ".join(f"{seconds / MS:10.3f}" for seconds in times.values())
    print(f"2^{power}  {row}  {best}")

print("\n8 ranks, 1 GiB, spread over nodes")
for nodes in (1, 2, 4, 8):
    rate = group_bandwidth(nodes, 8 // nodes) / GB
    time = all_cards(GIB, nodes, 8 // nodes) / MS
    print(f"{nodes} x {8 // nodes}: group {rate:3.0f} GB/s {time:7.1f} ms")

print("\nrate of each card behind a busbw")
model = busbw(64, GIB, overlapped(GIB, NODES, PER_NODE))
runs = [("this model, 8 x 8, 1 GiB", model, 8, 64),
        ("measured,   4 x 8, 4 GiB", 377.3e9, 4, 32)]
for name, bus, nodes, ranks in runs:
    card = card_rate(bus, nodes, ranks)
    print(f"{name}: busbw {bus / GB:.1f}, card {card / GB:.1f} GB/s")

print("\n4 all-reduces of a tensor-parallel layer, 67 MB each")
message = 4096 * 8192 * 2
groups = [("TP 8 in one node", one_card(message, 1, 8)),
          ("TP 16 on two full nodes", hierarchy(message, 2, 8)),
          ("TP 8, one rank per node", one_card(message, 8, 1))]
for name, time in groups:
    print(f"{name:24}{4 * time / MS:6.2f} ms")

print("\nshare of its bytes that a GPU sends out of the node, 8 x 8")
print(f"all-reduce {2 * 7 / 8 / 8:.3f}, all-to-all {(64 - 8) / 64:.3f}")
