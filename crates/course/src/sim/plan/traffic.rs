//! What each axis of a plan sends in a step, over which link, and what of it compute cannot hide.
//!
//! Every group is one of [`Group`]; latency is left out. Of the tensor-parallel collectives those of forward and the
//! gathers of backward are waited for, as [`Layer`] runs them. Keys and values hide behind the attention of their hop
//! alone. Gradients hide behind backward, gathered weights behind the pass that they are for. Messages between stages
//! are waited for as the clock of the pipeline says. All-to-alls hide behind nothing.

use serde::Serialize;

use super::{MOST_RANKS, ParallelPlan};
use crate::sim::attention::{Cut, RingAttention};
use crate::sim::formula::{collective, data, expert, pipeline, sequence, tensor};
use crate::sim::group::{Algorithm, Group};
use crate::sim::layer::{Form, Layer};
use crate::sim::layout::{Axis, Layout};
use crate::sim::pipeline::clock::Pipeline;

/// What an axis sends in a step, and over which link.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Traffic {
    /// The axis: `tp`, `cp`, `dp`, `pp`, `ep`.
    pub axis: &'static str,
    /// What people call it; gradients are summed over data and context parallel ranks together.
    pub label: &'static str,
    /// The collective.
    pub collective: &'static str,
    /// Ranks in a group.
    pub degree: usize,
    /// The ranks of the first group.
    pub ranks: Vec<usize>,
    /// The most nodes that a group touches.
    pub nodes: usize,
    /// The ranks of the slowest group on the node where it has the fewest.
    pub fewest: usize,
    /// Bytes that each GPU sends in a step.
    pub bytes: f64,
    /// Bytes per second of the slowest group.
    pub bandwidth: f64,
    /// Seconds in a step, if nothing hides it.
    pub seconds: f64,
    /// Seconds of it that lengthen the step.
    pub exposed: f64,
    /// Whether compute usually hides most of it.
    pub overlapped: bool,
}

/// The groups of an axis: how the slowest lies, and where the widest reaches.
struct Groups {
    first: Vec<usize>,
    slowest: Group,
    nodes: usize,
}

impl Groups {
    /// Of several groups, the slowest by a rate.
    fn new(all: Vec<Vec<usize>>, layout: &Layout, rate: impl Fn(&Group) -> f64) -> Groups {
        let lie: Vec<Group> = all.iter().map(|ranks| Group::of(ranks, layout)).collect();
        let slowest = lie.iter().min_by(|a, b| rate(a).total_cmp(&rate(b))).copied();
        Groups {
            first: all.into_iter().next().unwrap_or_default(),
            slowest: slowest.unwrap_or(Group::filling(1, 1)),
            nodes: lie.iter().map(Group::nodes).max().unwrap_or(1),
        }
    }
}

impl Traffic {
    /// The note that its groups need where they lie unevenly on nodes.
    pub fn note(&self) -> Option<String> {
        let Traffic { label, fewest, nodes, degree, .. } = self;
        (fewest * nodes != *degree).then(|| {
            format!(
                "{label} groups are spread unevenly over nodes: the node with the fewest of their ranks, \
             {fewest}, sets the pace"
            )
        })
    }
}

impl ParallelPlan {
    /// What every axis of more than one rank sends in a step.
    ///
    /// Nothing where the degrees multiply to more ranks than any cluster has.
    pub fn traffic(&self) -> Vec<Traffic> {
        let layout = self.layout();
        if layout.ranks() > MOST_RANKS {
            return Vec::new();
        }
        let sends = |axis: &Axis| match axis {
            Axis::Dp => self.shard_ranks() > 1.0,
            other => layout.degree(*other) > 1,
        };
        let axes = layout.order().into_iter().filter(sends);
        let mut traffic: Vec<Traffic> = axes.map(|axis| self.axis_traffic(&layout, axis)).collect();
        traffic.extend(self.expert_traffic(&layout));
        traffic
    }

    /// The groups of an axis. Gradients and sharded state have those of data and context parallel together.
    fn groups(&self, layout: &Layout, axis: Axis) -> Groups {
        let links = self.machines.links();
        match axis {
            Axis::Dp => {
                Groups::new(layout.groups_over(&[Axis::Dp, Axis::Cp]), layout, |g| g.collective_rate(&links))
            }
            Axis::Tp => Groups::new(layout.groups(axis), layout, |g| g.collective_rate(&links)),
            Axis::Cp | Axis::Pp => Groups::new(layout.groups(axis), layout, |g| g.message_rate(&links)),
        }
    }

    fn axis_traffic(&self, layout: &Layout, axis: Axis) -> Traffic {
        let groups = self.groups(layout, axis);
        let (group, links) = (groups.slowest, self.machines.links());
        let (bandwidth, label) = match axis {
            Axis::Tp => (group.collective_rate(&links), "TP"),
            Axis::Cp => (group.message_rate(&links), "CP"),
            Axis::Pp => (group.message_rate(&links), "PP"),
            Axis::Dp => (group.collective_rate(&links), if self.cp > 1 { "DP times CP" } else { "DP" }),
        };
        let (collective, bytes) = match axis {
            Axis::Tp => ("all-gather and reduce-scatter, 4 pairs a layer", self.tensor_bytes()),
            Axis::Cp => ("send and receive of keys and values", self.context_bytes()),
            Axis::Pp => ("send and receive at stage boundaries", self.pipeline_bytes()),
            Axis::Dp => (self.data_collective(), self.data_bytes()),
        };
        let seconds = bytes / bandwidth;
        let exposed = match axis {
            Axis::Tp => self.tensor_exposed(&group),
            Axis::Cp => self.context_exposed(bandwidth),
            Axis::Pp => self.pipeline_exposed(bandwidth),
            Axis::Dp => self.data_exposed(bandwidth),
        };
        Traffic {
            axis: axis.name(),
            label,
            collective,
            degree: group.ranks() as usize,
            ranks: groups.first,
            nodes: groups.nodes,
            fewest: group.fewest(),
            bytes,
            bandwidth,
            seconds,
            exposed,
            overlapped: matches!(axis, Axis::Cp | Axis::Dp),
        }
    }

    fn data_collective(&self) -> &'static str {
        match self.zero {
            0 => "all-reduce of gradients",
            1 => "reduce-scatter of gradients, all-gather of weights",
            2 => "reduce-scatter a micro-batch, all-gather of weights",
            _ => "all-gather of weights twice and reduce-scatter, a micro-batch",
        }
    }

    /// Layers that a stage holds, over all micro-batches of a step.
    fn layer_passes(&self) -> f64 {
        f64::from(self.model.layers) / self.pp as f64 * self.micro_batches()
    }

    /// Bytes of tensor parallelism a step: the pairs that repair the split. Recomputing whole layers repeats those
    /// of forward. The gather of saved inputs that backward adds with sequence parallelism is not among them.
    pub(crate) fn tensor_bytes(&self) -> f64 {
        let (b, s, h) = (self.micro_batch as f64, self.local_sequence(), f64::from(self.model.hidden));
        let once = tensor::tp_bytes_per_layer(self.tp as f64, b, s, h);
        once * (1.0 + self.forwards()) / 2.0 * self.layer_passes()
    }

    /// A layer of the plan on a tensor group.
    pub(in crate::sim) fn layer(&self, group: Group) -> Layer {
        Layer {
            form: Form::SequenceParallel,
            algorithm: Algorithm::Ring,
            group,
            links: self.machines.links(),
            tokens: self.micro_batch as f64 * self.local_sequence(),
            hidden: f64::from(self.model.hidden),
            heads: f64::from(self.model.heads),
            kv_heads: f64::from(self.model.kv_heads),
            rate: self.machines.rate,
        }
    }

    /// Seconds of tensor parallelism that a step waits for.
    fn tensor_exposed(&self, group: &Group) -> f64 {
        let layer = self.layer(*group).run();
        (layer.exposed_forward * self.forwards() + layer.exposed_backward) * self.layer_passes()
    }

    /// Bytes that the pipeline stage which sends most sends in a step: a middle one, to both sides. With two stages
    /// each sends one way alone, but between chunks.
    pub(crate) fn pipeline_bytes(&self) -> f64 {
        let (b, s, h) = (self.micro_batch as f64, self.local_sequence(), f64::from(self.model.hidden));
        let one = pipeline::pp_bytes_per_step(self.micro_batches(), b, s, h, self.tp as f64);
        match self.pp {
            0 | 1 => 0.0,
            2 => one * (self.chunks as f64 - 0.5),
            _ => one * self.chunks as f64,
        }
    }

    /// Seconds that a step waits for messages between stages. A message is waited for by every stage on its way, so
    /// that few micro-batches wait for longer than one stage sends.
    fn pipeline_exposed(&self, rate: f64) -> f64 {
        let m = self.micro_batches().max(1.0);
        let forward = self.compute_seconds() / (2.0 + self.forwards()) / m;
        let (b, s, h) = (self.micro_batch as f64, self.local_sequence(), f64::from(self.model.hidden));
        let message = tensor::activation_message_bytes(b, s, h) / self.tp as f64;
        let pipeline = Pipeline {
            stages: self.pp,
            micro_batches: m as usize,
            chunks: self.chunks,
            backward: 1.0 + self.forwards(),
            send: message / rate / forward,
            ..Pipeline::default()
        };
        pipeline.waited() * forward
    }

    /// Bytes of data parallelism a step.
    pub(crate) fn data_bytes(&self) -> f64 {
        let (d, stage) = (self.shard_ranks(), f64::from(self.zero));
        data::zero_volume_bytes(self.local_parameters(), d, stage, self.micro_batches(), self.gradient_bytes)
    }

    /// Seconds of data parallelism that a step waits for.
    fn data_exposed(&self, rate: f64) -> f64 {
        let m = self.micro_batches().max(1.0);
        let seconds = |an_element: f64| {
            let whole = self.local_parameters() * an_element;
            collective::all_gather_bytes(self.shard_ranks(), whole) / rate
        };
        let (reduce, gather) = (seconds(self.gradient_bytes), seconds(2.0));
        // recomputation runs in the window of backward
        let pass = self.compute_seconds() / (2.0 + self.forwards());
        let (forward, backward) = (pass, pass * (1.0 + self.forwards()));
        let beyond = |sent: f64, window: f64| data::exposed_time(sent, window);
        match self.zero {
            0 => beyond(2.0 * reduce, backward / m),
            1 => beyond(reduce, backward / m) + beyond(gather, forward / m),
            2 => beyond(m * reduce, backward) + beyond(gather, forward / m),
            _ => beyond(m * gather, forward) + beyond(m * (gather + reduce), backward),
        }
    }

    /// The bandwidth of the group over which ZeRO shards.
    pub(crate) fn data_bandwidth(&self) -> f64 {
        let layout = self.layout();
        if layout.ranks() > MOST_RANKS {
            return self.machines.nic;
        }
        self.groups(&layout, Axis::Dp).slowest.collective_rate(&self.machines.links())
    }

    /// Ring attention of one layer on a rank of the plan: its heads, cut evenly.
    fn ring_attention(&self, link: f64) -> RingAttention {
        let t = self.tp as f64;
        RingAttention {
            cut: Cut::Zigzag,
            causal: true,
            ranks: self.cp,
            tokens: self.sequence as f64,
            micro_batch: self.micro_batch as f64,
            hidden: f64::from(self.model.hidden) / t,
            kv_width: self.model.kv_width(t),
            head: self.model.kv_width(f64::from(self.model.kv_heads)),
            link,
            alpha: 0.0,
            rate: self.machines.rate,
        }
    }

    /// Bytes of ring attention a step: once for every forward, twice backward.
    pub(crate) fn context_bytes(&self) -> f64 {
        let (b, s, c) = (self.micro_batch as f64, self.sequence as f64, self.cp as f64);
        let once = sequence::ring_attention_bytes(b, s, c, self.model.kv_width(self.tp as f64));
        (2.0 + self.forwards()) * once * self.layer_passes()
    }

    /// Seconds of ring attention that a step waits for. Backward sends and computes twice as much as forward.
    fn context_exposed(&self, link: f64) -> f64 {
        let hops = self.ring_attention(link).hops();
        let once: f64 = hops.iter().map(|hop| hop.exposed()).sum();
        (2.0 + self.forwards()) * once * self.layer_passes()
    }

    fn expert_traffic(&self, layout: &Layout) -> Option<Traffic> {
        let experts = self.experts.filter(|e| e.degree > 1)?;
        let links = self.machines.links();
        let groups =
            Groups::new(layout.expert_groups(experts.degree), layout, |g| -g.all_to_all_time(1.0, &links));
        let tokens = self.micro_batch as f64 * self.local_sequence() / self.tp as f64;
        let (k, h, e) = (experts.top as f64, f64::from(self.model.hidden), experts.degree as f64);
        // dispatch and combine in every pass
        let bytes =
            2.0 * (1.0 + self.forwards()) * expert::dispatch_bytes(tokens, k, h, e) * self.layer_passes();
        let seconds = groups.slowest.all_to_all_time(bytes, &links);
        Some(Traffic {
            axis: "ep",
            label: "EP",
            collective: "all-to-all, dispatch and combine",
            degree: experts.degree,
            ranks: groups.first,
            nodes: groups.nodes,
            fewest: groups.slowest.fewest(),
            bytes,
            bandwidth: bytes / seconds,
            seconds,
            exposed: seconds,
            overlapped: false,
        })
    }
}
