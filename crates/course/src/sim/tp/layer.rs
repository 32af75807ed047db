//! One transformer layer on the ranks of a tensor group: matrix products and collectives in order.
//!
//! A layer has 12*h^2 parameters: 3 parts in QKV, 1 in the output projection, 4 up and 4 down. Attention scores are left out.

use crate::sim::formula::{collective, tensor};
use crate::sim::parameter::{plain, rate_term, time_term};
use crate::sim::picture::{Span, Tone};

/// How the collectives of a layer are done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Column then row, with an all-reduce after each pair.
    AllReduce,
    /// Column then row with sequence parallelism: all-gather before, reduce-scatter after.
    SequenceParallel,
    /// Row then column: partial sums before the nonlinearity.
    RowFirst,
}

/// A layer and its group, in base units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Layer {
    pub(super) form: Form,
    pub(super) tokens: f64,
    pub(super) hidden: f64,
    /// Ranks of the group, and how many of them share a node.
    pub(super) ranks: f64,
    pub(super) in_node: f64,
    pub(super) nvlink: f64,
    pub(super) nic: f64,
    pub(super) alpha: f64,
    pub(super) alpha_out: f64,
    pub(super) rate: f64,
}

/// What a layer took.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Timeline {
    pub(super) compute: Vec<Span>,
    pub(super) network: Vec<Span>,
    pub(super) forward_end: f64,
    pub(super) end: f64,
    pub(super) exposed_forward: f64,
    pub(super) exposed_backward: f64,
    /// The names of the numbered spans.
    pub(super) names: Vec<&'static str>,
}

impl Layer {
    pub(super) fn message(&self) -> f64 {
        tensor::activation_message_bytes(1.0, self.tokens, self.hidden)
    }

    fn nodes(&self) -> f64 {
        (self.ranks / self.in_node).ceil()
    }

    /// The expression for the time of an all-reduce of `size` bytes.
    pub(super) fn all_reduce_expression(&self, size: &str) -> String {
        let [g, k] = [self.in_node, self.nodes()].map(plain);
        let (inside, between) = (time_term(self.alpha), time_term(self.alpha_out));
        let (fast, slow) = (rate_term(self.nvlink), rate_term(self.nic));
        let inner = format!("ring_all_reduce_time({g}, {size}, {inside}, {fast})");
        if self.nodes() > 1.0 {
            format!("{inner} + ring_all_reduce_time({k}, {size} / {g}, {between}, {slow})")
        } else {
            inner
        }
    }

    /// Seconds of an all-reduce of `size` bytes: inside the node, then between nodes over one's own NIC.
    pub(super) fn all_reduce(&self, size: f64) -> f64 {
        let inner = collective::ring_all_reduce_time(self.in_node, size, self.alpha, self.nvlink);
        if self.nodes() > 1.0 {
            let outer = size / self.in_node;
            inner + collective::ring_all_reduce_time(self.nodes(), outer, self.alpha_out, self.nic)
        } else {
            inner
        }
    }

    /// Seconds of an all-gather or reduce-scatter: half an all-reduce.
    fn half(&self, size: f64) -> f64 {
        self.all_reduce(size) / 2.0
    }

    /// Seconds of a matrix product with `parts` times h^2 parameters on all ranks.
    pub(super) fn gemm(&self, parts: f64) -> f64 {
        2.0 * self.tokens * parts * self.hidden * self.hidden / (self.ranks * self.rate)
    }

    /// Runs forward and backward of the layer.
    pub(super) fn run(&self) -> Timeline {
        let mut clock = Clock::default();
        // Parts of h^2 in the first and second product of attention and of the MLP.
        let blocks = [(3.0, 1.0, ["QKV", "out"]), (4.0, 4.0, ["up", "down"])];
        // each product has one number, forward and backward and in every form
        clock.timeline.names = blocks.iter().flat_map(|(.., names)| *names).collect();
        for (first, second, names) in blocks {
            self.forward(&mut clock, (first, second), names);
        }
        clock.timeline.forward_end = clock.now;
        for (first, second, names) in blocks.into_iter().rev() {
            self.backward(&mut clock, (first, second), names);
        }
        clock.timeline.end = clock.now;
        clock.timeline
    }

    fn forward(&self, clock: &mut Clock, (first, second): (f64, f64), names: [&'static str; 2]) {
        let message = self.message();
        if self.form == Form::SequenceParallel {
            clock.wait(self.half(message), "all-gather", false);
        }
        clock.work(self.gemm(first), Tone::Forward, names[0]);
        if self.form == Form::RowFirst {
            clock.wait(self.all_reduce(first * message), "all-reduce, wide", false);
        }
        clock.work(self.gemm(second), Tone::Forward, names[1]);
        match self.form {
            Form::AllReduce => clock.wait(self.all_reduce(message), "all-reduce", false),
            Form::SequenceParallel => clock.wait(self.half(message), "reduce-scatter", false),
            Form::RowFirst => clock.wait(self.half(message), "all-gather", false),
        }
    }

    fn backward(&self, clock: &mut Clock, (first, second): (f64, f64), names: [&'static str; 2]) {
        let message = self.message();
        if self.form == Form::SequenceParallel {
            clock.wait(self.half(message), "all-gather", true);
        }
        clock.work(self.gemm(second), Tone::Backward, names[1]);
        if self.form == Form::RowFirst {
            // The input gradient of a column-split product is a partial sum: reduce before going on.
            clock.wait(self.all_reduce(first * message), "all-reduce, wide", true);
        }
        clock.work(self.gemm(second), Tone::WeightGrad, names[1]);
        let gather = if self.form == Form::SequenceParallel { self.half(message) } else { 0.0 };
        clock.behind(gather, (self.gemm(first), Tone::Backward), ("all-gather again", names[0]));
        let (time, name) = match self.form {
            Form::AllReduce => (self.all_reduce(message), "all-reduce"),
            Form::SequenceParallel => (self.half(message), "reduce-scatter"),
            Form::RowFirst => (self.half(message), "all-gather"),
        };
        clock.behind(time, (self.gemm(first), Tone::WeightGrad), (name, names[0]));
    }
}

/// The clock of one rank: a stream of compute and a stream of communication.
#[derive(Default)]
struct Clock {
    now: f64,
    timeline: Timeline,
}

impl Clock {
    /// The number of a product, which it keeps.
    fn product(&self, name: &'static str) -> u32 {
        let at = self.timeline.names.iter().position(|n| *n == name);
        at.map_or(0, |at| at as u32)
    }

    fn number(&mut self, name: &'static str) -> u32 {
        self.timeline.names.push(name);
        self.timeline.names.len() as u32 - 1
    }

    /// Computes for a time.
    fn work(&mut self, time: f64, tone: Tone, name: &'static str) {
        let number = self.product(name);
        self.timeline.compute.push(Span { start: self.now, end: self.now + time, tone, number, part: 0 });
        self.now += time;
    }

    /// Communicates while nothing else can be done.
    fn wait(&mut self, time: f64, name: &'static str, backward: bool) {
        if time <= 0.0 {
            return;
        }
        let number = self.number(name);
        let span = Span { start: self.now, end: self.now + time, tone: Tone::Exposed, number, part: 0 };
        self.timeline.network.push(span);
        self.now += time;
        if backward {
            self.timeline.exposed_backward += time;
        } else {
            self.timeline.exposed_forward += time;
        }
    }

    /// Computes while communicating, in backward; what is longer sets the end.
    fn behind(&mut self, time: f64, (work, tone): (f64, Tone), (name, of): (&'static str, &'static str)) {
        let start = self.now;
        self.work(work, tone, of);
        if time <= 0.0 {
            return;
        }
        let number = self.number(name);
        let hidden = time.min(work);
        self.timeline.network.push(Span { start, end: start + hidden, tone: Tone::Hidden, number, part: 0 });
        if time > work {
            let span = Span { start: start + work, end: start + time, tone: Tone::Exposed, number, part: 0 };
            self.timeline.network.push(span);
            self.timeline.exposed_backward += time - work;
            self.now = start + time;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layer(form: Form, ranks: f64, in_node: f64) -> Layer {
        Layer {
            form,
            tokens: 4096.0,
            hidden: 8192.0,
            ranks,
            in_node,
            nvlink: 370e9,
            nic: 45e9,
            alpha: 0.0,
            alpha_out: 0.0,
            rate: 593e12,
        }
    }

    fn busy(spans: &[Span]) -> f64 {
        spans.iter().map(|s| s.end - s.start).sum()
    }

    #[test]
    fn communication_over_compute_is_the_formula() {
        for ranks in [2.0, 4.0, 8.0] {
            let timeline = layer(Form::AllReduce, ranks, ranks).run();
            let ratio = busy(&timeline.network) / busy(&timeline.compute);
            let formula = tensor::tp_comm_ratio(ranks, 8192.0, 593e12, 370e9);
            assert!((ratio - formula).abs() < 1e-9, "{ratio} {formula}");
        }
    }

    #[test]
    fn bytes_over_the_link_are_the_formula() {
        let timeline = layer(Form::AllReduce, 8.0, 8.0).run();
        let bytes = busy(&timeline.network) * 370e9;
        assert!((bytes - tensor::tp_bytes_per_layer(8.0, 1.0, 4096.0, 8192.0)).abs() < 1.0);
        assert_eq!(timeline.names.iter().filter(|n| **n == "all-reduce").count(), 4);
    }

    #[test]
    fn sequence_parallelism_exposes_the_same_bytes_forward_and_one_gather_more_backward() {
        let plain = layer(Form::AllReduce, 8.0, 8.0).run();
        let sp = layer(Form::SequenceParallel, 8.0, 8.0).run();
        assert!((plain.exposed_forward - sp.exposed_forward).abs() < 1e-12);
        let more = busy(&sp.network) - busy(&plain.network);
        let again = 2.0 * layer(Form::AllReduce, 8.0, 8.0).half(67_108_864.0);
        assert!((more - again).abs() < 1e-12, "two all-gathers of saved inputs");
    }

    #[test]
    fn row_first_sends_wider_messages() {
        let plain = layer(Form::AllReduce, 8.0, 8.0).run();
        let row = layer(Form::RowFirst, 8.0, 8.0).run();
        assert!(row.exposed_forward > 3.0 * plain.exposed_forward);
    }

    #[test]
    fn two_nodes_cost_what_the_topology_lab_says() {
        let two = Layer { alpha: 3e-6, alpha_out: 12e-6, ..layer(Form::AllReduce, 16.0, 8.0) };
        assert!((4.0 * two.all_reduce(two.message()) - 2.28e-3).abs() < 5e-6);
        let one = Layer { alpha: 3e-6, ..layer(Form::AllReduce, 8.0, 8.0) };
        assert!((4.0 * one.all_reduce(one.message()) - 1.44e-3).abs() < 5e-6);
        let strided = layer(Form::AllReduce, 8.0, 1.0);
        assert!((4.0 * strided.all_reduce(strided.message()) - 10.4e-3).abs() < 5e-5);
    }

    #[test]
    fn one_rank_sends_nothing() {
        let timeline = layer(Form::AllReduce, 1.0, 1.0).run();
        assert!(busy(&timeline.network) < 1e-15);
        assert_eq!(timeline.exposed_forward, 0.0);
    }
}
