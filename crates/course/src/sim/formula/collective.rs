//! Collectives and the links that they cross.

use super::{formulas, of_others, positive};

const RING: &str =
    "Patarasuk and Yuan, Bandwidth optimal all-reduce algorithms for clusters of workstations, 2009";
const TREE: &str =
    "Sanders, Speck and Träff, Two-tree algorithms for full bandwidth broadcast, reduction and scan, 2009";
const NCCL_TESTS: &str = "NVIDIA nccl-tests, doc/PERFORMANCE.md, 2026";
const HIERARCHY: &str = "follows from the ring formula applied inside the node and between the nodes";
const ALPHA_BETA: &str = "the latency-bandwidth model of a message";

formulas! {
    /// Bytes that each rank sends in a ring all-reduce of `S` over `n` ranks.
    ring_all_reduce_bytes(n: "ranks", S: "B") -> "B",
    "2(n-1)/n * S", RING, { 2.0 * of_others(n) * S }

    /// Bytes that each rank sends in a ring all-gather whose full result is `S`.
    all_gather_bytes(n: "ranks", S: "B") -> "B",
    "(n-1)/n * S", RING, { of_others(n) * S }

    /// Bytes that each rank sends in a ring reduce-scatter whose full input is `S`.
    reduce_scatter_bytes(n: "ranks", S: "B") -> "B",
    "(n-1)/n * S", RING, { of_others(n) * S }

    /// Bytes that each rank sends to the others in an all-to-all of its own buffer `S`.
    all_to_all_bytes(n: "ranks", S: "B") -> "B",
    "(n-1)/n * S", NCCL_TESTS, { of_others(n) * S }

    /// Bytes that the root receives, and sends again, when all ranks send it their `S`.
    root_bytes(n: "ranks", S: "B") -> "B",
    "(n-1) * S", "counting messages at the root", { (positive(n) - 1.0) * S }

    /// Bytes that each rank sends in a double-tree all-reduce: up and down.
    tree_all_reduce_bytes(S: "B") -> "B",
    "2 * S", TREE, { 2.0 * S }

    /// Bytes that each rank sends when the switch reduces: up once.
    switch_all_reduce_bytes(S: "B") -> "B",
    "S", "NVIDIA NCCL, NVLink SHARP and IB SHARP transports, 2026", { S }

    /// Bytes on all links together in a ring all-reduce.
    ring_all_reduce_total_bytes(n: "ranks", S: "B") -> "B",
    "2(n-1) * S", RING, { 2.0 * (positive(n) - 1.0) * S }

    /// Seconds for one message.
    send_time(S: "B", alpha: "s", B: "B/s") -> "s",
    "alpha + S/B", ALPHA_BETA, { alpha + S / positive(B) }

    /// Seconds for a ring all-reduce with `alpha` a hop and bandwidth `B` per direction.
    ring_all_reduce_time(n: "ranks", S: "B", alpha: "s", B: "B/s") -> "s",
    "2(n-1)*alpha + 2(n-1)/n * S/B", RING,
    { 2.0 * (positive(n) - 1.0) * alpha + ring_all_reduce_bytes(n, S) / positive(B) }

    /// Seconds for a ring all-gather of `S`; a reduce-scatter takes the same.
    all_gather_time(n: "ranks", S: "B", alpha: "s", B: "B/s") -> "s",
    "(n-1)*alpha + (n-1)/n * S/B", RING,
    { (positive(n) - 1.0) * alpha + all_gather_bytes(n, S) / positive(B) }

    /// The latency part of a ring all-reduce; it grows with the number of ranks.
    ring_latency(n: "ranks", alpha: "s") -> "s",
    "2(n-1)*alpha", RING, { 2.0 * (positive(n) - 1.0) * alpha }

    /// The latency part of a tree all-reduce over `k` nodes.
    tree_latency(k: "nodes", alpha: "s") -> "s",
    "2*log2(k)*alpha", TREE, { 2.0 * positive(k).log2() * alpha }

    /// Seconds for a tree all-reduce over `k` nodes.
    tree_all_reduce_time(k: "nodes", S: "B", alpha: "s", B: "B/s") -> "s",
    "2*log2(k)*alpha + 2S/B", TREE,
    { tree_latency(k, alpha) + tree_all_reduce_bytes(S) / positive(B) }

    /// The message size at which latency and bandwidth cost a ring all-reduce the same.
    ring_crossover_bytes(n: "ranks", alpha: "s", B: "B/s") -> "B",
    "n * alpha * B", "the two terms of the ring time set equal", { n * alpha * B }

    /// Algorithm bandwidth: the size over the time.
    algbw(S: "B", t: "s") -> "B/s",
    "S / t", NCCL_TESTS, { S / positive(t) }

    /// The factor from algorithm to bus bandwidth for an all-reduce.
    all_reduce_bus_factor(n: "ranks") -> "",
    "2(n-1)/n", NCCL_TESTS, { 2.0 * of_others(n) }

    /// The factor from algorithm to bus bandwidth for all-gather, reduce-scatter and all-to-all.
    all_gather_bus_factor(n: "ranks") -> "",
    "(n-1)/n", NCCL_TESTS, { of_others(n) }

    /// Bus bandwidth of an all-reduce of `S` that took `t`.
    busbw(n: "ranks", S: "B", t: "s") -> "B/s",
    "S/t * 2(n-1)/n", NCCL_TESTS, { algbw(S, t) * all_reduce_bus_factor(n) }

    /// The rate of each NIC behind a bus bandwidth measured over `k` nodes and `n` ranks.
    nic_rate_from_busbw(busbw: "B/s", k: "nodes", n: "ranks") -> "B/s",
    "busbw * (k-1)/(n-1)", HIERARCHY, { busbw * (positive(k) - 1.0) / positive(n - 1.0) }

    /// Bandwidth of a ring-type group that leaves the node with `q` ranks, and so `q` NICs, in each node.
    group_bandwidth(q: "ranks per node", nvlink: "B/s", nic: "B/s") -> "B/s",
    "min(nvlink, q * nic)", "agrees with a measured 377 GB/s busbw on 4 nodes of 8; nccl-tests, 2026",
    { nvlink.min(q * nic) }

    /// Bytes that each rank sends inside the node in a hierarchical all-reduce over nodes of `g`.
    hierarchical_intra_bytes(g: "ranks per node", S: "B") -> "B",
    "2(g-1)/g * S", HIERARCHY, { 2.0 * of_others(g) * S }

    /// Bytes that each rank sends through its NIC in a hierarchical all-reduce over `k` nodes of `g`.
    hierarchical_inter_bytes(k: "nodes", g: "ranks per node", S: "B") -> "B",
    "2(k-1)/k * S/g", HIERARCHY, { 2.0 * of_others(k) * S / positive(g) }

    /// Bytes through each NIC for an all-gather or reduce-scatter of `S` over `k` nodes with `q` ranks each.
    all_gather_nic_bytes(k: "nodes", q: "ranks per node", S: "B") -> "B",
    "(k-1)/k * S/q", HIERARCHY, { of_others(k) * S / positive(q) }

    /// Bandwidth between nodes when all talk at once across a spine oversubscribed `r`:1.
    oversubscribed_bandwidth(B: "B/s", r: "ratio") -> "B/s",
    "B / r", "counting links above and below the leaf switches", { B / positive(r) }
}
