//! The numbers of a step, with their formulas.

use super::memory::memory_outputs;
use super::times::Times;
use super::{Knobs, Step};
use crate::sim::output::{Results, outputs};
use crate::sim::parameter::{plain, rate_term};
use crate::sim::plan::Recompute;
use crate::sim::quantity::{GB, PERCENT, SECONDS, Unit};
use crate::sim::setup;

const TOKENS: Unit = Unit::count("tokens");
const TOKENS_PER_S: Unit = Unit::count("tokens/s");

pub(super) fn outputs(run: &mut Results, knobs: &Knobs, (step, times): (&Step, &Times)) {
    memory_outputs(run, step);
    let plan = &step.plan;
    let (p, v, m) = (plan.pp, plan.chunks, setup::micro_batches(plan));
    let gpus = plan.layout().ranks();
    let (n, h, layers) = (plain(plan.model.parameters), plan.model.hidden, plan.model.layers);
    let again = if plan.recompute == Recompute::Full { " * 4/3" } else { "" };
    let attention = match plan.attention {
        true => format!(" * (1 + attention_share({n}, {layers}, {h}, {}) / 2)", plan.sequence),
        false => String::new(),
    };
    let Knobs { peak, achieved, hbm, .. } = knobs;
    let rate = format!("({peak} * {achieved})");
    let tokens = plain(step.tokens());
    let sent = |t: &dyn Fn(usize) -> bool| -> f64 {
        step.traffic.iter().filter(|traffic| t(traffic.nodes)).map(|traffic| traffic.bytes).sum()
    };
    let per_second = step.tokens() / times.step();
    let mfu = format!("mfu({}, 6 * {n}{attention}, {gpus}, {peak})", plain(per_second));
    let hfu = if again.is_empty() { mfu.clone() } else { format!("hfu_full_recompute({mfu})") };
    let bandwidth = rate_term(plan.data_bandwidth());
    run.group = "speed";
    outputs! { run;
        rate "tokens a second" [TOKENS_PER_S] = per_second, "tokens of the global batch over the step";
        rate_gpu "tokens a second and GPU" [TOKENS_PER_S] = per_second / gpus as f64,
            "tokens a second over the GPUs";
        mfu "model FLOP utilisation" [PERCENT]: "{mfu}";
        hfu "hardware FLOP utilisation" [PERCENT]: "{hfu}";
        ridge "FLOP a byte at the ridge" [Unit::count("FLOP/B")]: "ridge_point({peak}, {hbm})";
        tokens_needed "tokens that hide a gather" [TOKENS]: "tokens_to_hide({rate}, {bandwidth})";
    }
    run.group = "time of a step";
    outputs! { run;
        micro_batches "micro-batches" [Unit::count("micro-batches")]: "{m}";
        bubble "idle of the pipeline" [PERCENT]: "bubble_fraction_interleaved({p}, {m}, {v})";
        compute_time "compute" [SECONDS]:
            "compute_time(step_flop({n}, {tokens}){again}{attention}, {gpus}, {rate})";
        bubble_time "bubble" [SECONDS] = times.bubble, "compute times the idle share, over what is left of 1 without it";
        tp_time "TP, exposed" [SECONDS] = times.tp,
            "forward waits for every collective, again where layers are recomputed; backward waits for its gathers and hides \
             its sums behind weight gradients, as in the tensor-parallel layer; rings, no latency";
        cp_time "CP, exposed" [SECONDS] = times.cp,
            "how much longer the sends of keys and values take than the attention of their hop, with even \
             work under a causal mask";
        pp_time "stage messages" [SECONDS] = times.pp,
            "how long the step waits for activations and gradients on their way between stages, over one link each, as the \
             pipeline's clock says; chunks hide most of it";
        dp_time "DP, exposed" [SECONDS] = times.dp,
            "how much longer gradients take than backward, and gathered weights than the pass they are for; \
             groups over DP times CP";
        exposed "exposed communication" [SECONDS] = times.exposed(),
            "TP, CP and DP exposed, and what is waited for between stages";
        step_time "step" [SECONDS] = times.step(), "compute plus bubble plus exposed communication";
    }
    run.group = "what a GPU sends";
    outputs! { run;
        traffic "sent by a GPU, all axes" [GB] = sent(&|_| true), "the bytes of every axis, summed";
        crossing "sent by a GPU over nodes" [GB] = sent(&|nodes| nodes > 1),
            "the bytes of the axes whose groups leave a node";
    }
}
