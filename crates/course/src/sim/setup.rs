//! Knobs that several kinds share, and the plan that mesh and step describe with them.
//!
//! The data-parallel degree is what the other axes leave: world size over tp*cp*pp.

use crate::sim::cluster::{MODEL_CHOICE, Model, model_place};
use crate::sim::layout::Axis;
use crate::sim::output::Results;
use crate::sim::parameter::{Number, Parameter, choices, plain};
use crate::sim::plan::{Machines, ParallelPlan, Recompute};
use crate::sim::quantity::{GB, GB_PER_S, PLAIN, US, Unit};

const RANKS: Unit = Unit::count("ranks");
const SEQUENCES: Unit = Unit::count("sequences");
const NODE: Unit = Unit::count("nodes");
const GPUS: Unit = Unit::count("GPUs");
const STAGES: Unit = Unit::count("stages");
const TOKENS: Unit = Unit::count("tokens");

choices! {
    /// The bytes of a gradient.
    pub enum Gradients {
        /// As wide as weights.
        Bf16 = "bf16", "2 bytes";
        /// Full precision.
        Fp32 = "fp32", "4 bytes";
    }
}

impl Gradients {
    /// Bytes of one.
    pub(super) fn bytes(self) -> f64 {
        match self {
            Gradients::Bf16 => 2.0,
            Gradients::Fp32 => 4.0,
        }
    }
}

pub(super) const MODEL: Parameter =
    Parameter::choice("model", &MODEL_CHOICE, "which dense model").from(model_place("70B"));
pub(super) const NODES: Parameter =
    Parameter::doubling("nodes", NODE, (1.0, 8.0, 64.0), "nodes of the cluster");
pub(super) const PER_NODE: Parameter =
    Parameter::doubling("GPUs per node", GPUS, (1.0, 8.0, 72.0), "GPUs that NVLink joins; each has one NIC");
pub(super) const TP: Parameter =
    Parameter::doubling("TP", RANKS, (1.0, 8.0, 64.0), "tensor-parallel degree, with sequence parallelism");
pub(super) const CP: Parameter =
    Parameter::doubling("CP", RANKS, (1.0, 1.0, 64.0), "context-parallel degree");
pub(super) const PP: Parameter = Parameter::doubling("PP", STAGES, (1.0, 4.0, 64.0), "pipeline stages");
pub(super) const ZERO: Parameter =
    Parameter::counting("ZeRO stage", PLAIN, (0.0, 1.0, 3.0), "what data parallelism shards");
pub(super) const MICRO_BATCH: Parameter =
    Parameter::doubling("micro-batch", SEQUENCES, (1.0, 1.0, 64.0), "sequences of a micro-batch");
pub(super) const SEQUENCE: Parameter =
    Parameter::doubling("sequence", TOKENS, (64.0, 4096.0, 1_048_576.0), "tokens of a sequence");
pub(super) const GLOBAL_BATCH: Parameter =
    Parameter::doubling("global batch", SEQUENCES, (1.0, 512.0, 65536.0), "sequences of a step");
pub(super) const NVLINK: Parameter = Parameter::sliding(
    "NVLink",
    GB_PER_S,
    (1.0, 370.0, 2000.0, 10.0),
    "effective rate inside a node, per direction",
);
pub(super) const NIC: Parameter = Parameter::sliding(
    "NIC",
    GB_PER_S,
    (0.1, 45.0, 400.0, 5.0),
    "effective rate of each GPU's NIC, per direction",
);
pub(super) const ALPHA_IN: Parameter =
    Parameter::sliding("latency inside", US, (0.0, 3.0, 1000.0, 1.0), "fixed time of a hop inside the node");
pub(super) const ALPHA_OUT: Parameter =
    Parameter::sliding("latency between", US, (0.0, 12.0, 1000.0, 1.0), "fixed time of a hop between nodes");
pub(super) const MEMORY: Parameter =
    Parameter::sliding("memory", GB, (1.0, 80.0, 1000.0, 8.0), "memory of a GPU");
pub(super) const RESERVE: Parameter = Parameter::sliding(
    "reserve",
    GB,
    (0.0, 8.0, 100.0, 1.0),
    "not usable: context, NCCL, fragmentation, logits",
);
pub(super) const RECOMPUTE: Parameter = Parameter::choice(
    "recompute",
    Recompute::OPTIONS,
    "what is computed again in backward instead of being kept; HFU counts only whole layers",
);

/// The knobs that mesh and step both have.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shared {
    pub(super) model: Model,
    pub(super) nodes: Number,
    pub(super) per_node: Number,
    pub(super) tp: Number,
    pub(super) cp: Number,
    pub(super) pp: Number,
    pub(super) zero: Number,
    pub(super) micro_batch: Number,
    pub(super) sequence: Number,
    pub(super) global_batch: Number,
    pub(super) nvlink: Number,
    pub(super) nic: Number,
}

/// The shared ones of a kind's knobs.
macro_rules! shared {
    ($knobs:expr) => {
        $crate::sim::setup::shared!(
            $knobs => model nodes per_node tp cp pp zero micro_batch sequence global_batch nvlink nic
        )
    };
    ($knobs:expr => $($name:ident)*) => {
        $crate::sim::setup::Shared { $($name: $knobs.$name),* }
    };
}
pub(super) use shared;

impl Shared {
    /// The plan of the knobs. What had to be changed to fit the cluster is told, and what the plan splits unevenly.
    pub(super) fn plan(&self, run: &mut Results) -> ParallelPlan {
        let model = self.model;
        let machines = Machines {
            nodes: self.nodes.count(),
            per_node: self.per_node.count(),
            nvlink: self.nvlink.base(),
            nic: self.nic.base(),
            ..Machines::default()
        };
        let world = machines.nodes * machines.per_node;
        let asked = [self.tp, self.cp, self.pp].map(Number::count);
        // Whatever does not fit the cluster is cut, the slowest axis first.
        let tp = asked[0].min(world);
        let cp = asked[1].min(world / tp);
        let pp = asked[2].min(world / (tp * cp));
        let product: usize = asked.iter().product();
        for (name, asked, taken) in [("tp", asked[0], tp), ("cp", asked[1], cp), ("pp", asked[2], pp)] {
            run.took(name, asked, taken, format!("tp x cp x pp = {product} ranks do not fit {world} GPUs"));
        }
        let dp = world / (tp * cp * pp);
        let idle = world - tp * cp * pp * dp;
        if idle > 0 {
            run.notes.push(format!("{idle} of {world} GPUs stay idle: the degrees do not divide them"));
        }
        let round = dp * self.micro_batch.count();
        let (batch, whole) = (self.global_batch.count(), self.global_batch.count().div_ceil(round) * round);
        run.took("global_batch", batch, whole, format!("dp x micro-batch = {round} must divide it"));
        let plan = ParallelPlan {
            machines,
            cp,
            zero: self.zero.count() as u8,
            micro_batch: self.micro_batch.count(),
            sequence: self.sequence.count(),
            global_batch: whole,
            ..ParallelPlan::new(model, tp, pp, dp)
        };
        divide(&plan, run);
        plan
    }
}

/// Notes on what a plan does not divide evenly.
fn divide(plan: &ParallelPlan, run: &mut Results) {
    let (model, tp, cp) = (plan.model, plan.tp, plan.cp);
    if !(model.layers as usize).is_multiple_of(plan.pp) {
        run.notes.push(format!("{} layers do not divide over {} stages", model.layers, plan.pp));
    }
    if !(model.heads as usize).is_multiple_of(tp) {
        run.notes.push(format!("{} heads do not divide over tp {tp}", model.heads));
    }
    // context parallelism cuts a sequence in two pieces a rank, and sequence parallelism each of these
    let pieces = if cp > 1 { 2 * cp * tp } else { tp };
    if !plan.sequence.is_multiple_of(pieces) {
        run.notes.push(format!(
            "{} tokens do not divide into {pieces} pieces, for tp {tp} and two for each of cp {cp}",
            plan.sequence
        ));
    }
}

/// The expression for micro-batches of a plan.
pub(super) fn micro_batches(plan: &ParallelPlan) -> String {
    format!("micro_batches({}, {}, {})", plan.global_batch, plan.micro_batch, plan.dp)
}

/// The expression for what an axis sends in a step; `None` where its group is one rank.
pub(super) fn sent(plan: &ParallelPlan, axis: Axis) -> Option<String> {
    let (model, m, shards) = (plan.model, micro_batches(plan), plan.dp * plan.cp);
    let ParallelPlan { tp: t, pp: p, cp: c, micro_batch: b, sequence, chunks, zero, .. } = plan;
    let (s, h, layers) = (format!("{sequence} / {c}"), model.hidden, model.layers);
    let (parameters, gradient) = (plain(model.parameters), plain(plan.gradient_bytes));
    let forwards = plain(plan.forwards());
    let ranks = if axis == Axis::Dp { shards } else { plan.layout().degree(axis) };
    (ranks > 1).then(|| match axis {
        Axis::Tp => {
            let again = if plan.forwards() > 1.0 { " * 3/2" } else { "" };
            format!("tp_bytes_per_layer({t}, {b}, {s}, {h}){again} * {layers}/{p} * {m}")
        }
        // with two stages each sends one way alone, but between chunks
        Axis::Pp => {
            let ways = if *p == 2 { format!("({chunks} - 1/2)") } else { chunks.to_string() };
            format!("pp_bytes_per_step({m}, {b}, {s}, {h}, {t}) * {ways}")
        }
        Axis::Dp => {
            format!("zero_volume_bytes({parameters} / ({t} * {p}), {shards}, {zero}, {m}, {gradient})")
        }
        Axis::Cp => {
            let kv = format!("kv_width({h}, {}, {}, {t})", model.heads, model.kv_heads);
            format!(
                "(2 + {forwards}) * ring_attention_bytes({b}, {sequence}, {c}, {kv}) * {layers}/{p} * {m}"
            )
        }
    })
}
