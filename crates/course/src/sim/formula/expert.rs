//! Expert parallelism, 16-bit tokens.

use super::{formulas, of_others, positive};
use crate::sim::expr::up;

const GSHARD: &str = "Lepikhin et al., GShard, 2020";
const SWITCH: &str = "Fedus, Zoph and Shazeer, Switch Transformers, 2021";
const FOLDING: &str = "MoE Parallel Folding, 2025";

formulas! {
    /// Tokens that an expert takes: its even share times the capacity factor.
    expert_capacity(T: "tokens", k: "experts per token", E: "experts", cf: "factor") -> "tokens",
    "ceil(cf * T*k/E)", SWITCH, { up(cf * T * k / positive(E)) }

    /// Bytes that each rank sends to the others to dispatch its tokens, without padding.
    dispatch_bytes(T: "tokens", k: "experts per token", h: "hidden", e: "ranks") -> "B",
    "T*k*h*2 * (e-1)/e", GSHARD, { T * k * h * 2.0 * of_others(e) }

    /// The same when each expert's buffer is padded to its capacity `C`.
    dispatch_bytes_padded(E: "experts", C: "tokens", h: "hidden", e: "ranks") -> "B",
    "E*C*h*2 * (e-1)/e", GSHARD, { E * C * h * 2.0 * of_others(e) }

    /// The share of dispatched tokens that leaves the node, `g` ranks a node, with uniform routing.
    node_crossing_share(e: "ranks", g: "ranks per node") -> "",
    "(e-g)/e", "counting peers", { ((e - g) / positive(e)).max(0.0) }

    /// Ranks that hold the same expert and reduce its gradients.
    expert_data_degree(W: "ranks", p: "stages", e: "ranks", te: "ranks") -> "ranks",
    "W / (te*e*p)", FOLDING, { W / (positive(te) * positive(e) * positive(p)) }

    /// Efficiency of a layer that waits for its fullest expert.
    load_efficiency(mean: "tokens", greatest: "tokens") -> "",
    "mean / greatest", "the combine waits for the slowest", { mean / positive(greatest) }
}
