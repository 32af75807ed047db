//! The knobs that mesh and step share, and the plan that they describe.
//!
//! The data-parallel degree is what the other axes leave: world size over tp*cp*pp.

use crate::sim::cluster::{MODEL_CHOICE, MODELS};
use crate::sim::layout::Axis;
use crate::sim::output::Run;
use crate::sim::parameter::{Parameter, Settings, plain};
use crate::sim::plan::{Machines, Plan, Recompute};
use crate::sim::quantity::{GB, GB_PER_S, PLAIN, Unit};

const RANKS: Unit = Unit::count("ranks");
const SEQUENCES: Unit = Unit::count("sequences");

pub(super) const MODEL: Parameter =
    Parameter::choice(("model", "model"), MODEL_CHOICE, "which dense model").from(2.0);
pub(super) const NODES: Parameter =
    Parameter::doubling(("nodes", "nodes"), Unit::count("nodes"), (1.0, 8.0, 64.0), "nodes of the cluster");
pub(super) const PER_NODE: Parameter = Parameter::doubling(
    ("per_node", "GPUs per node"),
    Unit::count("GPUs"),
    (1.0, 8.0, 72.0),
    "GPUs that NVLink joins",
);
pub(super) const TP: Parameter = Parameter::doubling(
    ("tp", "TP"),
    RANKS,
    (1.0, 8.0, 64.0),
    "tensor-parallel degree, with sequence parallelism",
);
pub(super) const CP: Parameter =
    Parameter::doubling(("cp", "CP"), RANKS, (1.0, 1.0, 64.0), "context-parallel degree");
pub(super) const PP: Parameter =
    Parameter::doubling(("pp", "PP"), Unit::count("stages"), (1.0, 4.0, 64.0), "pipeline stages");
pub(super) const ZERO: Parameter =
    Parameter::counting(("zero", "ZeRO stage"), PLAIN, (0.0, 1.0, 3.0), "what data parallelism shards");
pub(super) const MICRO_BATCH: Parameter = Parameter::doubling(
    ("micro_batch", "micro-batch"),
    SEQUENCES,
    (1.0, 1.0, 64.0),
    "sequences of a micro-batch",
);
pub(super) const SEQUENCE: Parameter = Parameter::doubling(
    ("sequence", "sequence"),
    Unit::count("tokens"),
    (64.0, 4096.0, 1_048_576.0),
    "tokens of a sequence",
);
pub(super) const GLOBAL_BATCH: Parameter = Parameter::doubling(
    ("global_batch", "global batch"),
    SEQUENCES,
    (1.0, 512.0, 65536.0),
    "sequences of a step",
);
pub(super) const NVLINK: Parameter = Parameter::sliding(
    ("nvlink", "NVLink"),
    GB_PER_S,
    (1.0, 370.0, 2000.0, 10.0),
    "effective rate inside a node",
);
pub(super) const NIC: Parameter =
    Parameter::sliding(("nic", "NIC"), GB_PER_S, (0.1, 45.0, 400.0, 5.0), "effective rate of each GPU's NIC");
pub(super) const MEMORY: Parameter =
    Parameter::sliding(("memory", "memory"), GB, (1.0, 80.0, 1000.0, 8.0), "memory of a GPU");
pub(super) const RESERVE: Parameter = Parameter::sliding(
    ("reserve", "reserve"),
    GB,
    (0.0, 8.0, 100.0, 1.0),
    "not usable: context, NCCL, fragmentation, logits",
);

/// The plan of the knobs above; notes say what had to be changed to fit the cluster.
pub(super) fn plan(settings: &Settings, run: &mut Run) -> Plan {
    let model = MODELS[settings.count("model")];
    let machines = Machines {
        nodes: settings.count("nodes"),
        per_node: settings.count("per_node"),
        nvlink: settings.base("nvlink"),
        nic: settings.base("nic"),
        ..Machines::default()
    };
    let world = machines.nodes * machines.per_node;
    let asked = ["tp", "cp", "pp"].map(|name| settings.count(name));
    // Whatever does not fit the cluster is cut, the slowest axis first.
    let tp = asked[0].min(world);
    let cp = asked[1].min(world / tp);
    let pp = asked[2].min(world / (tp * cp));
    if [tp, cp, pp] != asked {
        let product: usize = asked.iter().product();
        run.notes.push(format!(
            "tp x cp x pp = {product} ranks do not fit {world} GPUs: cut to {tp} x {cp} x {pp}"
        ));
    }
    let dp = world / (tp * cp * pp);
    if tp * cp * pp * dp != world {
        run.notes.push(format!(
            "{} of {world} GPUs stay idle: the degrees do not divide them",
            world - tp * cp * pp * dp
        ));
    }
    let mut plan = Plan {
        machines,
        cp,
        zero: settings.count("zero") as u8,
        micro_batch: settings.count("micro_batch"),
        sequence: settings.count("sequence"),
        global_batch: settings.count("global_batch"),
        ..Plan::new(model, tp, pp, dp)
    };
    batch(&mut plan, run);
    if !(model.layers as usize).is_multiple_of(plan.pp) {
        run.notes.push(format!("{} layers do not divide over {} stages", model.layers, plan.pp));
    }
    if !(model.heads as usize).is_multiple_of(tp) {
        run.notes.push(format!("{} heads do not divide over tp {tp}", model.heads));
    }
    plan
}

/// A step has at least one micro-batch on each pipeline, and whole ones.
fn batch(plan: &mut Plan, run: &mut Run) {
    let round = plan.dp * plan.micro_batch;
    if plan.global_batch.is_multiple_of(round) {
        return;
    }
    plan.global_batch = plan.global_batch.div_ceil(round) * round;
    run.notes
        .push(format!("the global batch is taken as {}: dp x micro-batch must divide it", plan.global_batch));
}

/// The expression for micro-batches of a plan.
pub(super) fn micro_batches(plan: &Plan) -> String {
    let [g, b, d] = [plan.global_batch, plan.micro_batch, plan.dp].map(|n| plain(n as f64));
    format!("micro_batches({g}, {b}, {d})")
}

/// The expression for what an axis sends in a step; `None` where its degree is 1.
pub(super) fn sent(plan: &Plan, axis: Axis) -> Option<String> {
    if plan.layout().degree(axis) <= 1 {
        return None;
    }
    let (model, m) = (plan.model, micro_batches(plan));
    let [t, p, c] = [plan.tp, plan.pp, plan.cp].map(|n| plain(n as f64));
    let b = plain(plan.micro_batch as f64);
    let s = format!("{} / {c}", plan.sequence);
    let (h, layers) = (model.hidden, model.layers);
    Some(match axis {
        Axis::Tp => format!("tp_bytes_per_layer({t}, {b}, {s}, {h}) * {layers}/{p} * {m}"),
        Axis::Pp => format!("pp_bytes_per_step({m}, {b}, {s}, {h}, {t}) * {}", plan.chunks),
        Axis::Dp => format!(
            "zero_volume_bytes({} / ({t} * {p}), {}, {}, {m}, {})",
            plain(model.parameters),
            plain(plan.shard_ranks()),
            plan.zero,
            plain(plan.gradient_bytes)
        ),
        Axis::Cp => {
            let kv = f64::from(model.hidden) / f64::from(model.heads) * f64::from(model.kv_heads);
            let kv = plain(kv);
            format!("3 * ring_attention_bytes({b}, {}, {c}, {kv} / {t}) * {layers}/{p} * {m}", plan.sequence)
        }
    })
}

/// Recomputation by place in its choice.
pub(super) fn recompute(place: usize) -> Recompute {
    [Recompute::Selective, Recompute::None, Recompute::Full][place.min(2)]
}

pub(super) const RECOMPUTE: Parameter = Parameter::choice(
    ("recompute", "recompute"),
    &[("selective", "score matrices"), ("none", "nothing"), ("full", "whole layers")],
    "what is computed again in backward instead of kept; HFU counts only whole layers",
);
