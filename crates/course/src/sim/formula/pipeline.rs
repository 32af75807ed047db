//! Pipeline parallelism: bubble, activations alive, messages.

use super::{formulas, positive};
use crate::sim::expr::up;

const GPIPE: &str = "Huang et al., GPipe, 2018";
const SC21: &str =
    "Narayanan et al., Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM, 2021";

/// Stages that wait: p-1. NaN below one stage.
fn others(p: f64) -> f64 {
    if p >= 1.0 { p - 1.0 } else { f64::NAN }
}

formulas! {
    /// Idle share of the whole time for GPipe and 1F1B with equal stages.
    bubble_fraction(p: "stages", m: "micro-batches") -> "",
    "(p-1) / (m+p-1)", GPIPE, { others(p) / positive(m + p - 1.0) }

    /// Bubble over the ideal time, the other convention; it may exceed 1.
    bubble_ratio(p: "stages", m: "micro-batches") -> "",
    "(p-1) / m", SC21, { others(p) / positive(m) }

    /// Idle share of the whole time with `v` chunks a rank, interleaved.
    bubble_fraction_interleaved(p: "stages", m: "micro-batches", v: "chunks") -> "",
    "(p-1) / (v*m+p-1)", SC21, { others(p) / positive(v * m + p - 1.0) }

    /// Bubble over the ideal time with `v` chunks a rank, interleaved.
    bubble_ratio_interleaved(p: "stages", m: "micro-batches", v: "chunks") -> "",
    "(p-1) / (v*m)", SC21, { others(p) / positive(v * m) }

    /// The fewest micro-batches for an idle share of at most `x`.
    micro_batches_for_bubble(p: "stages", x: "fraction") -> "micro-batches",
    "ceil((p-1)(1-x)/x)", "the bubble fraction solved for m",
    { if x > 0.0 && x <= 1.0 { up(others(p) * (1.0 - x) / x) } else { f64::NAN } }

    /// Time of a step with equal stages, in units of one forward and backward.
    step_units(p: "stages", m: "micro-batches") -> "tF+tB",
    "m + p - 1", GPIPE, { m + others(p) }

    /// Time of a step with the last stage `x` times as slow, in units of one forward and backward.
    step_units_slow_last_stage(p: "stages", m: "micro-batches", x: "times") -> "tF+tB",
    "m*x + (p-1)", "m times the slowest stage and the others once", { m * x + others(p) }

    /// Bubble of ZB-H1 in seconds, from forward, input-gradient and weight-gradient times, for m of p or more.
    zero_bubble_h1_time(p: "stages", tF: "s", tI: "s", tW: "s") -> "s",
    "(p-1) * max(tF, tI, tF + tI - tW)",
    "Qi et al., Zero Bubble Pipeline Parallelism, 2024: (p-1)(tF + tI - tW); a stage still waits for one forward, or one input gradient, of each other stage",
    { others(p) * tF.max(tI).max(tF + tI - tW) }

    /// Micro-batches whose activations stage `r` (from 0) keeps under 1F1B.
    live_micro_batches(p: "stages", m: "micro-batches", r: "stage") -> "micro-batches",
    "min(p-r, m)", SC21, { (p - r).min(m) }

    /// Activations of interleaving over those of 1F1B on stage 0, for v of 2 or more.
    interleaved_activation_factor(p: "stages", v: "chunks") -> "",
    "1 + (p-1)/(p*v)", "Korthikanti et al., Reducing Activation Recomputation in Large Transformer Models, 2022",
    { 1.0 + others(p) / (p * positive(v)) }

    /// Micro-batches a step for a global batch of `G` sequences.
    micro_batches(G: "sequences", b: "sequences", d: "ranks") -> "micro-batches",
    "G / (b*d)", "the definition of the global batch", { G / (positive(b) * positive(d)) }

    /// Times of a message that a step of 1F1B with equal stages waits for.
    messages_waited(p: "stages", m: "micro-batches") -> "messages",
    "2 * (m + p-2 - ceil((m-1)/p))",
    "the clock of 1F1B: each round of p micro-batches waits for p-1 messages down and p-1 up, filling and draining for the rest",
    { 2.0 * (m + others(p) - 1.0 - up((m - 1.0) / positive(p))) }

    /// Times of a message that an interleaved step waits for, where a message takes no longer than a chunk's shorter pass.
    messages_waited_interleaved(p: "stages", v: "chunks") -> "messages",
    "2 * (p*v - 1)",
    "the clock of interleaved 1F1B: filling and draining, while each chunk's work hides the messages of the next",
    { 2.0 * (others(p) * v + v - 1.0) }

    /// Bytes that a middle stage sends per step: activations forward, gradients back, split over `t` with SP.
    pp_bytes_per_step(m: "micro-batches", b: "sequences", s: "tokens", h: "hidden", t: "ranks") -> "B",
    "2*m * b*s*h*2 / t", SC21, { 2.0 * m * b * s * h * 2.0 / positive(t) }
}
