//! Step time, efficiency, roofline, placement of ranks, failures.

use super::{formulas, positive};

const KAPLAN: &str = "Kaplan et al., Scaling Laws for Neural Language Models, 2020";
const PALM: &str = "Chowdhery et al., PaLM, 2022";
const ROOFLINE: &str = "Williams, Waterman and Patterson, Roofline, 2009";
const YOUNG: &str = "Young, A first order approximation to the optimum checkpoint interval, 1974";
const DEFINITION: &str = "definition";
const MESH: &str = "NVIDIA Megatron-LM, megatron/core/parallel_state.py, 2026";

formulas! {
    /// FLOP a token, forward and backward, with attention counted without a causal mask.
    flop_per_token(N: "parameters", L: "layers", h: "hidden", s: "tokens") -> "FLOP/token",
    "6N + 12*L*h*s", PALM, { 6.0 * N + 12.0 * L * h * s }

    /// FLOP of a step over `T` tokens without attention.
    step_flop(N: "parameters", T: "tokens") -> "FLOP",
    "6 * N * T", KAPLAN, { 6.0 * N * T }

    /// Attention FLOP over the rest.
    attention_share(N: "parameters", L: "layers", h: "hidden", s: "tokens") -> "",
    "12*L*h*s / 6N", PALM, { 12.0 * L * h * s / (6.0 * positive(N)) }

    /// Model FLOP utilisation: tokens a second of the whole job, FLOP a token, against the peak of all GPUs.
    mfu(rate: "tokens/s", flop: "FLOP/token", gpus: "GPUs", peak: "FLOP/s") -> "",
    "rate * flop / (gpus * peak)", PALM, { rate * flop / (positive(gpus) * positive(peak)) }

    /// Hardware FLOP utilisation with full recomputation: the forward pass runs twice.
    hfu_full_recompute(mfu: "fraction") -> "",
    "mfu * 8/6", "8N FLOP a token instead of 6N", { mfu * 8.0 / 6.0 }

    /// Seconds of pure compute for some FLOP on `gpus` that each achieve `F`.
    compute_time(flop: "FLOP", gpus: "GPUs", F: "FLOP/s") -> "s",
    "flop / (gpus * F)", DEFINITION, { flop / (positive(gpus) * positive(F)) }

    /// Seconds of a step: compute stretched by the bubble, then what communication is not hidden.
    step_time(compute: "s", bubble: "fraction", exposed: "s", waiting: "s") -> "s",
    "compute/(1-bubble) + exposed + waiting", DEFINITION,
    { compute / positive(1.0 - bubble) + exposed + waiting }

    /// FLOP per byte at which a GPU turns from memory bound to compute bound.
    ridge_point(peak: "FLOP/s", hbm: "B/s") -> "FLOP/B",
    "peak / hbm", ROOFLINE, { peak / positive(hbm) }

    /// FLOP per byte of a 16-bit matrix product (m x k)(k x n).
    matmul_intensity(m: "rows", n: "columns", k: "inner") -> "FLOP/B",
    "m*n*k / (m*k + k*n + m*n)", ROOFLINE, { m * n * k / positive(m * k + k * n + m * n) }

    /// FLOP per second that a kernel can reach.
    roofline(intensity: "FLOP/B", peak: "FLOP/s", hbm: "B/s") -> "FLOP/s",
    "min(peak, intensity * hbm)", ROOFLINE, { peak.min(intensity * hbm) }

    /// Throughput a rank against throughput a rank at the base size.
    weak_scaling_efficiency(rate: "tokens/s", n: "ranks", base_rate: "tokens/s", base_n: "ranks") -> "",
    "(rate/n) / (base_rate/base_n)", DEFINITION,
    { (rate / positive(n)) / (positive(base_rate) / positive(base_n)) }

    /// Work done a rank against the base size when the whole work stays the same.
    strong_scaling_efficiency(t: "s", n: "ranks", base_t: "s", base_n: "ranks") -> "",
    "base_t*base_n / (t*n)", DEFINITION, { base_t * base_n / (positive(t) * positive(n)) }

    /// Step time per unit work added when efficiency falls from `before` to `after`.
    extra_step_time(before: "fraction", after: "fraction") -> "base steps",
    "1/after - 1/before", DEFINITION, { 1.0 / positive(after) - 1.0 / positive(before) }

    /// Throughput that a synchronous job loses to one GPU that takes `x` longer (0.15 for 15%).
    straggler_loss(x: "fraction") -> "",
    "1 - 1/(1+x)", "every rank waits for the slowest", { 1.0 - 1.0 / positive(1.0 + x) }

    /// Mean seconds between failures of a job on `gpus`, from GPU-seconds a failure.
    time_between_failures(gpu_time: "s", gpus: "GPUs") -> "s",
    "gpu_time / gpus", "independent failures add up", { gpu_time / positive(gpus) }

    /// The checkpoint interval that loses least, for a save that stops the job.
    checkpoint_interval(save: "s", between_failures: "s") -> "s",
    "sqrt(2 * save * between_failures)", YOUNG, { (2.0 * save * between_failures).sqrt() }

    /// The greatest of `n` normal values on average, in standard deviations: how jitter grows with ranks.
    expected_greatest(n: "ranks") -> "sigma",
    "integral of x * n * phi(x) * Phi(x)^(n-1)", "order statistics of the normal distribution",
    { greatest_of_normals(n) }

    /// Sequences of a step.
    global_batch(b: "sequences", m: "micro-batches", d: "ranks") -> "sequences",
    "b * m * d", DEFINITION, { b * m * d }

    /// GPUs of a plan: expert parallelism is no factor, it reuses ranks.
    world_size(t: "ranks", c: "ranks", p: "stages", d: "ranks") -> "GPUs",
    "t * c * p * d", MESH, { t * c * p * d }

    /// The rank at tensor, data and pipeline coordinates, order tp-dp-pp.
    rank_at(tp: "index", dp: "index", pp: "index", t: "ranks", d: "ranks") -> "rank",
    "pp*(d*t) + dp*t + tp", MESH, { pp * d * t + dp * t + tp }
}

/// Numeric integration over -9 to 9 sigma; `n` from 1 to 10^9.
fn greatest_of_normals(n: f64) -> f64 {
    if !(1.0..=1e9).contains(&n) {
        return f64::NAN;
    }
    const STEPS: u32 = 3600;
    let step = 18.0 / f64::from(STEPS);
    let density = |x: f64| (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    let mut below = 0.0;
    let mut mean = 0.0;
    for i in 0..STEPS {
        let x = -9.0 + (f64::from(i) + 0.5) * step;
        let before = below;
        below += density(x) * step;
        mean += x * (f64::min(below, 1.0).powf(n) - f64::min(before, 1.0).powf(n));
    }
    mean
}
