//! Data parallelism: gradients, and the model state that ZeRO and FSDP shard.

use super::{formulas, of_others, positive};
use crate::sim::expr::up;

const DDP: &str = "Li et al., PyTorch Distributed: Experiences on Accelerating Data Parallel Training, 2020";
const ZERO: &str =
    "Rajbhandari et al., ZeRO: Memory Optimizations Toward Training Trillion Parameter Models, 2019";
const MEGATRON_LEDGER: &str = "NVIDIA Megatron-LM, docs/user-guide dist_optimizer, 2026";
const COUNTED: &str = "counting the collectives of a step";

/// The divisor of each kind of state (weights, gradients, optimizer) at a ZeRO stage.
fn divisors(d: f64, stage: f64) -> (f64, f64, f64) {
    match stage {
        _ if d.is_nan() || d < 1.0 => (f64::NAN, f64::NAN, f64::NAN),
        0.0 => (1.0, 1.0, 1.0),
        1.0 => (1.0, 1.0, d),
        2.0 => (1.0, d, d),
        3.0 => (d, d, d),
        _ => (f64::NAN, f64::NAN, f64::NAN),
    }
}

formulas! {
    /// Gradient bytes that each rank sends per step in data parallelism of degree `d`.
    ddp_gradient_bytes(N: "parameters", d: "ranks", g: "B/gradient") -> "B",
    "2(d-1)/d * N * g", DDP, { 2.0 * of_others(d) * N * g }

    /// Buckets of gradients: a first one of `first` bytes, then ones of `cap` bytes.
    ddp_buckets(N: "parameters", g: "B/gradient", cap: "B", first: "B") -> "buckets",
    "ceil((N*g - first)/cap) + 1", "PyTorch, torch/csrc/distributed/c10d/reducer.hpp, 2026",
    { up((N * g - first).max(0.0) / positive(cap)) + 1.0 }

    /// Tokens per rank and micro-batch that hide a bf16 gradient all-reduce or a ZeRO-3 gather behind compute.
    tokens_to_hide(F: "FLOP/s", B: "B/s") -> "tokens",
    "F / B", "4N/B of traffic against 4*N*tokens/F of backward", { F / positive(B) }

    /// The part of communication that backward does not hide.
    exposed_time(comm_end: "s", backward_end: "s") -> "s",
    "max(0, comm_end - backward_end)", DDP, { (comm_end - backward_end).max(0.0) }

    /// Model-state bytes per GPU at a ZeRO stage: 2 weights, 2 gradients, 12 optimizer a parameter.
    zero_state_bytes(N: "parameters", d: "ranks", stage: "0 to 3") -> "B",
    "16N; (4+12/d)N; (2+14/d)N; 16N/d", ZERO, { ledger_bytes(N, d, stage, 2.0, 12.0) }

    /// The same with fp32 gradients: 18 bytes a parameter, 6+12/d with a distributed optimizer.
    zero_state_bytes_fp32_grads(N: "parameters", d: "ranks", stage: "0 to 3") -> "B",
    "18N; (6+12/d)N; (2+16/d)N; 18N/d", MEGATRON_LEDGER, { ledger_bytes(N, d, stage, 4.0, 12.0) }

    /// Model-state bytes per GPU for 16-bit weights, `g` bytes of gradient and `o` of optimizer state.
    ledger_bytes(N: "parameters", d: "ranks", stage: "0 to 3", g: "B/gradient", o: "B/parameter") -> "B",
    "N * (2/dw + g/dg + o/do), each divisor d where the stage shards it, else 1", ZERO, {
        let (weights, gradients, optimizer) = divisors(d, stage);
        N * (2.0 / weights + g / gradients + o / optimizer)
    }

    /// The fewest ranks over which stage-3 model state fits `M` bytes each; gathered layers and activations come on top.
    zero3_ranks_to_fit(N: "parameters", M: "B") -> "GPUs",
    "ceil(16N / M)", ZERO, { up(16.0 * N / positive(M)) }

    /// Elements moved per step over the parameters, with `m` micro-batches (stage 0 and 1 reduce once).
    zero_volume(stage: "0 to 3", m: "micro-batches") -> "x parameters",
    "2; 2; m+1; 3m", COUNTED, {
        match stage {
            0.0 | 1.0 => 2.0,
            2.0 => m + 1.0,
            3.0 => 3.0 * m,
            _ => f64::NAN,
        }
    }

    /// The same for stage 3 when gradients are reduced only after the last micro-batch.
    fsdp_volume_deferred(m: "micro-batches") -> "x parameters",
    "2m + 1", COUNTED, { 2.0 * m + 1.0 }

    /// Bytes that each rank sends per step at a ZeRO stage: reductions of `g` bytes, gathers of 16-bit weights.
    zero_volume_bytes(N: "parameters", d: "ranks", stage: "0 to 3", m: "micro-batches", g: "B/gradient") -> "B",
    "(d-1)/d * N * (2g; g+2; m*g+2; m*(g+4))", COUNTED, {
        let an_element = match stage {
            0.0 => 2.0 * g,
            1.0 => g + 2.0,
            2.0 => m * g + 2.0,
            3.0 => m * (g + 4.0),
            _ => f64::NAN,
        };
        of_others(d) * N * an_element
    }

    /// Bytes of the two gathered layers that stage 3 holds while it computes, in 16 bit; one where there is no other.
    gathered_layers_bytes(N: "parameters", L: "layers") -> "B",
    "2 * min(2, L) * N/L", COUNTED, { 2.0 * L.min(2.0) * N / positive(L) }

    /// Bytes through each NIC per step for flat FSDP with rings over all `n` ranks, `g` GPUs and NICs a node, 16 bit.
    fsdp_nic_bytes_ring(N: "parameters", n: "ranks", g: "GPUs per node", m: "micro-batches") -> "B",
    "3(n-1)/n * N*2/g * m", COUNTED, { 3.0 * of_others(n) * N * 2.0 / positive(g) * m }

    /// The same with a hierarchy over `k` nodes of `g`: shards meet inside the node first.
    fsdp_nic_bytes(N: "parameters", k: "nodes", g: "GPUs per node", m: "micro-batches") -> "B",
    "3(k-1)/k * N*2/g * m", COUNTED, { 3.0 * of_others(k) * N * 2.0 / positive(g) * m }

    /// Bytes through each NIC per step for HSDP: shards inside the node, replicas across `k` nodes of `g`.
    hsdp_nic_bytes(N: "parameters", k: "nodes", g: "GPUs per node") -> "B",
    "2(k-1)/k * N*2/g", COUNTED, { 2.0 * of_others(k) * N * 2.0 / positive(g) }

    /// Bytes of a checkpoint of weights and optimizer: 14 a parameter.
    checkpoint_bytes(N: "parameters") -> "B",
    "14 * N", "2 weights, 4 master weights, 8 Adam moments", { 14.0 * N }
}
