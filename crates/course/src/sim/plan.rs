//! A parallel plan: degrees, ZeRO stage, recomputation, order of axes; what it needs and what is wrong with it.
//!
//! [`Plan::ledger`] counts memory, [`Plan::traffic`] bytes and seconds of every axis, [`Plan::check`] gives findings.
//! Memory that is not modelled: imbalance of embedding and head, logits on the last stage, peaks of
//! dropless experts. The reserve stands for them.

use serde::Serialize;

use crate::sim::cluster::{self, Model};
use crate::sim::expr;
use crate::sim::formula::{collective, data, expert, pipeline, sequence, step, tensor};
use crate::sim::layout::{Axis, Layout};

mod check;
pub mod placement;

/// The most ranks that are placed one by one.
const MOST_RANKS: usize = 1 << 16;

/// What is computed again in backward instead of kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recompute {
    /// Nothing: all activations are kept.
    None,
    /// The score matrices of attention, as FlashAttention does too.
    Selective,
    /// Whole layers: only their inputs are kept.
    Full,
}

impl Recompute {
    /// The setting of this name.
    pub fn named(name: &str) -> Option<Recompute> {
        match name.trim().to_ascii_lowercase().as_str() {
            "none" | "no" | "off" => Some(Recompute::None),
            "selective" | "flash" | "flashattention" => Some(Recompute::Selective),
            "full" => Some(Recompute::Full),
            _ => None,
        }
    }
}

/// The machines that a plan runs on. Rates are bytes per second per direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Machines {
    /// Nodes.
    pub nodes: usize,
    /// GPUs in each node.
    pub per_node: usize,
    /// Memory of a GPU in bytes.
    pub memory: f64,
    /// Of it kept for context, NCCL, fragmentation and logits.
    pub reserve: f64,
    /// Effective rate inside the node.
    pub nvlink: f64,
    /// Effective rate of each GPU's NIC.
    pub nic: f64,
    /// FLOP per second that a GPU achieves in matrix products.
    pub rate: f64,
}

impl Default for Machines {
    /// 8 nodes of 8 H100 at half of their peak.
    fn default() -> Machines {
        let gpu = cluster::H100;
        Machines {
            nodes: 8,
            per_node: 8,
            memory: gpu.memory,
            reserve: 8e9,
            nvlink: gpu.nvlink,
            nic: gpu.nic,
            rate: gpu.peak / 2.0,
        }
    }
}

/// Experts in the layers of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Experts {
    /// Experts in each layer.
    pub count: usize,
    /// Experts per token.
    pub top: usize,
    /// Expert-parallel degree. It is no factor of the world size: it reuses ranks.
    pub degree: usize,
}

/// A parallel plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The model.
    pub model: Model,
    /// The machines.
    pub machines: Machines,
    /// Tensor-parallel degree; Megatron sequence parallelism goes with it.
    pub tp: usize,
    /// Context-parallel degree.
    pub cp: usize,
    /// Pipeline stages.
    pub pp: usize,
    /// Data-parallel degree.
    pub dp: usize,
    /// ZeRO stage, 0 to 3.
    pub zero: u8,
    /// Chunks of layers on each stage; more than 1 is the interleaved schedule.
    pub chunks: usize,
    /// Sequences in a micro-batch.
    pub micro_batch: usize,
    /// Tokens in a sequence.
    pub sequence: usize,
    /// Sequences in a step.
    pub global_batch: usize,
    /// What is recomputed.
    pub recompute: Recompute,
    /// Bytes of a gradient: 2 or 4.
    pub gradient_bytes: f64,
    /// The order of axes on ranks, fastest first.
    pub order: Vec<Axis>,
    /// Experts, if there are any.
    pub experts: Option<Experts>,
    /// The largest share of the step that the bubble may take.
    pub bubble_limit: f64,
}

/// Bytes on the fullest GPU (stage 0), and the micro-batches behind them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Ledger {
    /// Weights, with the layers gathered at stage 3.
    pub weights: f64,
    /// Gradients.
    pub gradients: f64,
    /// Optimizer state: master weights and two moments.
    pub optimizer: f64,
    /// Activations of the micro-batches alive at once.
    pub activations: f64,
    /// All of it.
    pub total: f64,
    /// Micro-batches a step.
    pub micro_batches: f64,
    /// Idle share of the step.
    pub bubble: f64,
}

/// What an axis sends in a step, and over which link.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Traffic {
    /// The axis: `tp`, `cp`, `dp`, `pp`, `ep`.
    pub axis: &'static str,
    /// The collective.
    pub collective: &'static str,
    /// Ranks in a group.
    pub degree: usize,
    /// The ranks of the first group.
    pub ranks: Vec<usize>,
    /// The most nodes that a group touches.
    pub nodes: usize,
    /// Bytes that each GPU sends in a step.
    pub bytes: f64,
    /// Bytes per second of the group.
    pub bandwidth: f64,
    /// Seconds in a step, if nothing hides it.
    pub seconds: f64,
    /// Whether compute usually hides most of it.
    pub overlapped: bool,
}

impl Plan {
    /// A plan on 8 nodes of 8 H100: sequences of 4096, 512 of them a step, one a micro-batch, selective recomputation,
    /// ZeRO-1, 2-byte gradients, order tp-cp-dp-pp.
    pub fn new(model: Model, tp: usize, pp: usize, dp: usize) -> Plan {
        Plan {
            model,
            machines: Machines::default(),
            tp,
            cp: 1,
            pp,
            dp,
            zero: 1,
            chunks: 1,
            micro_batch: 1,
            sequence: 4096,
            global_batch: 512,
            recompute: Recompute::Selective,
            gradient_bytes: 2.0,
            order: Axis::ALL.to_vec(),
            experts: None,
            bubble_limit: 0.15,
        }
    }

    /// GPUs that there are.
    pub fn gpus(&self) -> usize {
        self.machines.nodes.saturating_mul(self.machines.per_node)
    }

    /// The ranks on their mesh.
    pub fn layout(&self) -> Layout {
        let degree = |axis| match axis {
            Axis::Tp => self.tp,
            Axis::Cp => self.cp,
            Axis::Dp => self.dp,
            Axis::Pp => self.pp,
        };
        Layout::new(&self.order, degree, self.machines.per_node)
    }

    /// Micro-batches a step; a fraction where the batch does not divide.
    pub fn micro_batches(&self) -> f64 {
        pipeline::micro_batches(self.global_batch as f64, self.micro_batch as f64, self.dp as f64)
    }

    /// Parameters on each GPU before ZeRO.
    pub fn local_parameters(&self) -> f64 {
        self.model.parameters / (self.tp as f64 * self.pp as f64)
    }

    /// Ranks over which ZeRO shards: data and context parallel together.
    pub fn shard_ranks(&self) -> f64 {
        self.dp as f64 * self.cp as f64
    }

    /// Idle share of the step.
    pub fn bubble(&self) -> f64 {
        let m = self.micro_batches().floor().max(1.0);
        pipeline::bubble_fraction_interleaved(self.pp as f64, m, self.chunks as f64)
    }

    /// Memory on a GPU of stage 0.
    pub fn ledger(&self) -> Ledger {
        let (local, d) = (self.local_parameters(), self.shard_ranks());
        let sharded = |stage: u8| if self.zero >= stage { d } else { 1.0 };
        let gathered = if self.zero >= 3 {
            let layers = f64::from(self.model.layers);
            data::gathered_layers_bytes(self.model.parameters, layers) / self.tp as f64
        } else {
            0.0
        };
        let weights = 2.0 * local / sharded(3) + gathered;
        let gradients = self.gradient_bytes * local / sharded(2);
        let optimizer = 12.0 * local / sharded(1);
        let activations = self.activations();
        Ledger {
            weights,
            gradients,
            optimizer,
            activations,
            total: weights + gradients + optimizer + activations,
            micro_batches: self.micro_batches(),
            bubble: self.bubble(),
        }
    }

    /// Tokens of a micro-batch on each rank of a context-parallel group, per sequence.
    fn local_sequence(&self) -> f64 {
        self.sequence as f64 / self.cp as f64
    }

    /// Bytes of activations on stage 0: those of a layer, times the layers, times the micro-batches alive.
    fn activations(&self) -> f64 {
        let (b, s, h) = (self.micro_batch as f64, self.local_sequence(), f64::from(self.model.hidden));
        let t = self.tp as f64;
        let scores = 5.0 * f64::from(self.model.heads) * self.sequence as f64 / h * s * b * h / t;
        let layer = match self.recompute {
            Recompute::None => tensor::activation_bytes_layer_selective(b, s, h, t) + scores,
            Recompute::Selective => tensor::activation_bytes_layer_selective(b, s, h, t),
            Recompute::Full => tensor::activation_bytes_layer_full(b, s, h, t),
        };
        let working = match self.recompute {
            Recompute::Full => tensor::activation_bytes_layer_selective(b, s, h, t),
            _ => 0.0,
        };
        layer * f64::from(self.model.layers) / self.pp as f64 * self.live_micro_batches() + working
    }

    /// Micro-batches whose activations stage 0 keeps at once; interleaving keeps more.
    fn live_micro_batches(&self) -> f64 {
        let (p, m) = (self.pp as f64, self.micro_batches().max(1.0));
        if self.chunks <= 1 {
            return pipeline::live_micro_batches(p, m, 0.0);
        }
        (p * pipeline::interleaved_activation_factor(p, self.chunks as f64)).min(m)
    }

    /// Seconds of matrix products in a step.
    pub fn compute_seconds(&self) -> f64 {
        let tokens = self.global_batch as f64 * self.sequence as f64;
        let again = if self.recompute == Recompute::Full { 4.0 / 3.0 } else { 1.0 };
        let ranks = self.layout().ranks() as f64;
        step::compute_time(step::step_flop(self.model.parameters, tokens) * again, ranks, self.machines.rate)
    }

    /// What every axis of more than one rank sends in a step.
    ///
    /// Nothing where the degrees multiply to more ranks than any cluster has.
    pub fn traffic(&self) -> Vec<Traffic> {
        let layout = self.layout();
        if layout.ranks() > MOST_RANKS {
            return Vec::new();
        }
        let mut traffic: Vec<Traffic> = layout
            .order()
            .into_iter()
            .filter(|axis| layout.degree(*axis) > 1)
            .map(|axis| self.axis_traffic(&layout, axis))
            .collect();
        traffic.extend(self.expert_traffic(&layout));
        traffic
    }

    fn axis_traffic(&self, layout: &Layout, axis: Axis) -> Traffic {
        let (collective, bytes, overlapped) = match axis {
            Axis::Tp => ("all-gather and reduce-scatter, 4 pairs a layer", self.tensor_bytes(), false),
            Axis::Cp => ("send and receive of keys and values", self.context_bytes(), true),
            Axis::Pp => ("send and receive at stage boundaries", self.pipeline_bytes(), false),
            Axis::Dp => (self.data_collective(), self.data_bytes(), true),
        };
        let groups = layout.groups(axis);
        self.link(axis.name(), collective, groups, layout).over(bytes, overlapped)
    }

    fn data_collective(&self) -> &'static str {
        match self.zero {
            0 => "all-reduce of gradients",
            1 => "reduce-scatter of gradients, all-gather of weights",
            2 => "reduce-scatter a micro-batch, all-gather of weights",
            _ => "all-gather of weights twice and reduce-scatter, a micro-batch",
        }
    }

    /// Bytes of tensor parallelism a step.
    pub fn tensor_bytes(&self) -> f64 {
        let (b, s, h) = (self.micro_batch as f64, self.local_sequence(), f64::from(self.model.hidden));
        let layers = f64::from(self.model.layers) / self.pp as f64;
        tensor::tp_bytes_per_layer(self.tp as f64, b, s, h) * layers * self.micro_batches()
    }

    /// Bytes of a middle pipeline stage a step.
    pub fn pipeline_bytes(&self) -> f64 {
        let (b, s, h) = (self.micro_batch as f64, self.local_sequence(), f64::from(self.model.hidden));
        let one = pipeline::pp_bytes_per_step(self.micro_batches(), b, s, h, self.tp as f64);
        if self.pp > 1 { one * self.chunks as f64 } else { 0.0 }
    }

    /// Bytes of data parallelism a step.
    pub fn data_bytes(&self) -> f64 {
        let (d, stage) = (self.shard_ranks(), f64::from(self.zero));
        data::zero_volume_bytes(self.local_parameters(), d, stage, self.micro_batches(), self.gradient_bytes)
    }

    /// Bytes of ring attention a step: once forward, twice backward.
    pub fn context_bytes(&self) -> f64 {
        let kv = f64::from(self.model.hidden) / f64::from(self.model.heads) * f64::from(self.model.kv_heads)
            / self.tp as f64;
        let layers = f64::from(self.model.layers) / self.pp as f64;
        let (b, s, c) = (self.micro_batch as f64, self.sequence as f64, self.cp as f64);
        3.0 * sequence::ring_attention_bytes(b, s, c, kv) * layers * self.micro_batches()
    }

    fn expert_traffic(&self, layout: &Layout) -> Option<Traffic> {
        let experts = self.experts.filter(|e| e.degree > 1)?;
        let groups = layout.expert_groups(experts.degree);
        let tokens = self.micro_batch as f64 * self.local_sequence() / self.tp as f64;
        let one = expert::dispatch_bytes(
            tokens,
            experts.top as f64,
            f64::from(self.model.hidden),
            experts.degree as f64,
        );
        let layers = f64::from(self.model.layers) / self.pp as f64;
        let bytes = 4.0 * one * layers * self.micro_batches();
        let mut link = self.link("ep", "all-to-all, dispatch and combine", groups, layout);
        if link.nodes > 1 {
            // An all-to-all gets no help from the neighbours' NICs: what leaves the node leaves by one's own.
            let here = experts.degree as f64 / link.nodes as f64;
            let crossing = expert::node_crossing_share(experts.degree as f64, here);
            let others = (experts.degree as f64 - 1.0) / experts.degree as f64;
            link.bandwidth = (self.machines.nic * others / crossing).min(self.machines.nvlink);
        }
        Some(link.over(bytes, false))
    }

    /// The link of an axis from its groups, before bytes are known.
    fn link(
        &self,
        axis: &'static str,
        collective: &'static str,
        groups: Vec<Vec<usize>>,
        layout: &Layout,
    ) -> Traffic {
        let worst = |group: &Vec<usize>| {
            let nodes = layout.nodes_of(group);
            let bandwidth = if nodes <= 1 {
                self.machines.nvlink
            } else {
                let q = group.len() as f64 / nodes as f64;
                collective::group_bandwidth(q, self.machines.nvlink, self.machines.nic)
            };
            (nodes, bandwidth)
        };
        let links: Vec<(usize, f64)> = groups.iter().map(worst).collect();
        Traffic {
            axis,
            collective,
            degree: groups.first().map_or(1, Vec::len),
            nodes: links.iter().map(|(nodes, _)| *nodes).max().unwrap_or(1),
            bandwidth: links.iter().map(|(_, b)| *b).fold(self.machines.nvlink, f64::min),
            ranks: groups.into_iter().next().unwrap_or_default(),
            bytes: 0.0,
            seconds: 0.0,
            overlapped: false,
        }
    }

    /// The bandwidth of the group over which ZeRO shards.
    pub fn data_bandwidth(&self) -> f64 {
        let layout = self.layout();
        if layout.ranks() > MOST_RANKS {
            return self.machines.nic;
        }
        self.link("dp", "", layout.groups(Axis::Dp), &layout).bandwidth
    }
}

impl Traffic {
    fn over(mut self, bytes: f64, overlapped: bool) -> Traffic {
        self.bytes = bytes;
        self.seconds = bytes / self.bandwidth;
        self.overlapped = overlapped;
        self
    }
}

/// How much a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Weight {
    /// The solution is not accepted with it.
    Error,
    /// It should be known, and may be accepted.
    Warning,
}

/// One thing that a checker looked at.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// A short code: `E9`, `W3`, or the id of a cell.
    pub code: String,
    /// Whether it is as it should be.
    pub ok: bool,
    /// What it weighs where it is not.
    pub weight: Weight,
    /// What was found, in a sentence.
    pub what: String,
    /// The numbers behind it.
    pub numbers: String,
    /// What to do about it; empty where all is well.
    pub cure: String,
    /// The cells that it is about.
    pub cells: Vec<String>,
}

impl Finding {
    /// A finding of `code` about some cells.
    pub(super) fn about(code: &str, cells: &[&str]) -> Finding {
        Finding {
            code: code.to_owned(),
            ok: true,
            weight: if code.starts_with('W') { Weight::Warning } else { Weight::Error },
            what: String::new(),
            numbers: String::new(),
            cure: String::new(),
            cells: cells.iter().map(|c| (*c).to_owned()).collect(),
        }
    }

    /// The same, well, with what was found and its numbers.
    pub(super) fn well(self, what: impl Into<String>, numbers: impl Into<String>) -> Finding {
        Finding { ok: true, what: what.into(), numbers: numbers.into(), ..self }
    }

    /// The same, faulty, with what was found, its numbers and the cure.
    pub(super) fn faulty(
        self,
        what: impl Into<String>,
        numbers: impl Into<String>,
        cure: impl Into<String>,
    ) -> Finding {
        Finding { ok: false, what: what.into(), numbers: numbers.into(), cure: cure.into(), ..self }
    }

    /// Whether a solution is refused for it.
    pub fn refuses(&self) -> bool {
        !self.ok && self.weight == Weight::Error
    }
}

/// Whether findings let a solution pass: nothing that refuses it.
pub fn accepted(findings: &[Finding]) -> bool {
    !findings.iter().any(Finding::refuses)
}

/// Rounds up a count that may be off by a rounding error.
fn whole(number: f64) -> f64 {
    expr::up(number)
}
