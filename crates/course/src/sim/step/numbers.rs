//! The numbers of a step, with their formulas.

use super::Step;
use super::memory::memory_outputs;
use super::times::Times;
use crate::sim::output::Run;
use crate::sim::parameter::{Settings, plain, rate_term};
use crate::sim::plan::Recompute;
use crate::sim::quantity::{GB, PERCENT, SECONDS, Unit};
use crate::sim::setup;

const TOKENS: Unit = Unit::count("tokens");

const TOKENS_PER_S: Unit = Unit::count("tokens/s");

pub(super) fn outputs(run: &mut Run, settings: &Settings, (step, times): (&Step, &Times)) {
    memory_outputs(run, step);
    let plan = &step.plan;
    let [p, v] = [plan.pp, plan.chunks].map(|n| plain(n as f64));
    let m = setup::micro_batches(plan);
    run.worked("micro_batches", "micro-batches", Unit::count("micro-batches"), m.clone());
    run.worked(
        "bubble",
        "idle share of the pipeline",
        PERCENT,
        format!("bubble_fraction_interleaved({p}, {m}, {v})"),
    );
    let gpus = plain(plan.layout().ranks() as f64);
    let (n, h, layers) = (plain(plan.model.parameters), plan.model.hidden, plan.model.layers);
    let again = if plan.recompute == Recompute::Full { " * 4/3" } else { "" };
    let attention = if step.attention {
        format!(" * (1 + attention_share({n}, {layers}, {h}, {}) / 2)", plan.sequence)
    } else {
        String::new()
    };
    let rate = format!("({} * {} percent)", settings.term("peak"), plain(settings.number("achieved")));
    let tokens = plain(step.tokens());
    let compute = format!("compute_time(step_flop({n}, {tokens}){again}{attention}, {gpus}, {rate})");
    run.worked("compute_time", "compute", SECONDS, compute);
    run.counted(("bubble_time", "bubble"), times.bubble, SECONDS, "compute x idle share / (1 - idle share)");
    run.counted(
        ("tp_time", "TP, exposed forward half"),
        times.tp,
        SECONDS,
        "half of TP's seconds: forward waits for every sum, backward hides its sums behind weight gradients",
    );
    run.counted(("cp_time", "CP, exposed"), times.cp, SECONDS, "what the ring takes beyond compute");
    run.counted(
        ("pp_time", "stage messages"),
        times.pp,
        SECONDS,
        "activations and gradients over the stage boundaries",
    );
    run.counted(
        ("dp_time", "DP, exposed"),
        times.dp,
        SECONDS,
        "what the gradients and gathers take beyond the compute that runs beside them",
    );
    run.counted(
        ("exposed", "exposed communication"),
        times.exposed(),
        SECONDS,
        "TP, CP and DP exposed, and the stage messages",
    );
    run.counted(("step_time", "step"), times.step(), SECONDS, "compute + bubble + exposed communication");
    let traffic: f64 = step.traffic.iter().map(|t| t.bytes).sum();
    run.counted(("traffic", "sent by a GPU, all axes"), traffic, GB, "the bytes of every axis, summed");
    let crossing: f64 = step.traffic.iter().filter(|t| t.nodes > 1).map(|t| t.bytes).sum();
    run.counted(
        ("crossing", "of it by groups over nodes"),
        crossing,
        GB,
        "the bytes of the axes whose groups leave a node",
    );
    let per_second = step.tokens() / times.step();
    run.counted(
        ("rate", "tokens a second"),
        per_second,
        TOKENS_PER_S,
        "tokens of the global batch over the step",
    );
    run.counted(
        ("rate_gpu", "tokens a second and GPU"),
        per_second / plan.layout().ranks() as f64,
        TOKENS_PER_S,
        "tokens a second over the GPUs",
    );
    let flop = if step.attention {
        format!("6 * {n} * (1 + attention_share({n}, {layers}, {h}, {}) / 2)", plan.sequence)
    } else {
        format!("6 * {n}")
    };
    let mfu = format!("mfu({}, {flop}, {gpus}, {})", plain(per_second), settings.term("peak"));
    run.worked("mfu", "model FLOP utilisation", PERCENT, mfu.clone());
    let hfu = if again.is_empty() { mfu } else { format!("hfu_full_recompute({mfu})") };
    run.worked("hfu", "hardware FLOP utilisation", PERCENT, hfu);
    run.worked(
        "ridge",
        "ridge of the roofline",
        Unit::count("FLOP/B"),
        format!("ridge_point({}, {})", settings.term("peak"), settings.term("hbm")),
    );
    let bandwidth = rate_term(plan.data_bandwidth());
    run.worked(
        "tokens_needed",
        "tokens that hide a gather",
        TOKENS,
        format!("tokens_to_hide({rate}, {bandwidth})"),
    );
}
