//! A parallel plan: degrees, ZeRO stage, recomputation, order of axes; what it needs and what is wrong with it.
//!
//! [`ParallelPlan::ledger`] counts memory, [`ParallelPlan::traffic`] bytes and seconds of every axis, [`ParallelPlan::check`] gives findings.
//! Memory that is not modelled: imbalance of embedding and head, logits on the last stage, peaks of
//! dropless experts. The reserve stands for them.

use serde::Serialize;

use crate::sim::cluster::{self, Model};
use crate::sim::expr;
use crate::sim::formula::{data, pipeline, step, tensor};
use crate::sim::group::Links;
use crate::sim::layout::{Axis, Layout};
use crate::sim::parameter::choices;

mod check;
mod finding;
pub mod placement;
mod traffic;

pub use finding::{Finding, Weight, accepted};
pub use traffic::Traffic;

/// The most ranks that are placed one by one.
const MOST_RANKS: usize = 1 << 16;

choices! {
    /// What is computed again in backward instead of kept.
    pub enum Recompute {
        /// The score matrices of attention, as FlashAttention does too.
        Selective = "selective", "score matrices";
        /// Nothing: all activations are kept.
        None = "none", "nothing";
        /// Whole layers: only their inputs are kept.
        Full = "full", "whole layers";
    }
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

impl Machines {
    /// The links; a plan leaves latency out.
    pub fn links(&self) -> Links {
        Links { nvlink: self.nvlink, nic: self.nic, ..Links::default() }
    }
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
pub struct ParallelPlan {
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
    /// Whether compute counts attention, causal, beside 6N FLOP a token.
    pub attention: bool,
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

impl ParallelPlan {
    /// A plan on 8 nodes of 8 H100: sequences of 4096, 512 of them a step, one a micro-batch, selective recomputation,
    /// ZeRO-1, 2-byte gradients, order tp-cp-dp-pp.
    pub fn new(model: Model, tp: usize, pp: usize, dp: usize) -> ParallelPlan {
        ParallelPlan {
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
            attention: false,
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
    pub(crate) fn local_parameters(&self) -> f64 {
        self.model.parameters / (self.tp as f64 * self.pp as f64)
    }

    /// Ranks over which ZeRO shards: data and context parallel together.
    pub(crate) fn shard_ranks(&self) -> f64 {
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
        let gathered = if self.zero >= 3 && d > 1.0 {
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

    /// How often forward runs for each micro-batch: twice where whole layers are recomputed.
    pub fn forwards(&self) -> f64 {
        if self.recompute == Recompute::Full { 2.0 } else { 1.0 }
    }

    /// Causal attention FLOP over the rest, where they are counted.
    pub fn attention_share(&self) -> f64 {
        let model = self.model;
        let (layers, h) = (f64::from(model.layers), f64::from(model.hidden));
        let share = step::attention_share(model.parameters, layers, h, self.sequence as f64) / 2.0;
        if self.attention { share } else { 0.0 }
    }

    /// Seconds of compute in a step: a third for forward, two for backward, a third more where forward runs again.
    pub fn compute_seconds(&self) -> f64 {
        let tokens = self.global_batch as f64 * self.sequence as f64;
        let flop = step::step_flop(self.model.parameters, tokens) * (1.0 + self.attention_share());
        let ranks = self.layout().ranks() as f64;
        step::compute_time(flop * (2.0 + self.forwards()) / 3.0, ranks, self.machines.rate)
    }
}

/// Rounds up a count that may be off by a rounding error.
fn whole(number: f64) -> f64 {
    expr::up(number)
}
