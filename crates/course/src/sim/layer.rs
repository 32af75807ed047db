//! One transformer layer on the ranks of a tensor group: matrix products and collectives in order.
//!
//! The MLP has 4h columns; keys and values have their own number of heads. Attention scores are left out. The plan of
//! a whole step and the simulator of a layer both take their times from here.

use crate::sim::formula::tensor;
use crate::sim::group::{Algorithm, Group, Links};
use crate::sim::parameter::choices;
use crate::sim::picture::{Span, Tone};

choices! {
    /// How the collectives of a layer are done.
    pub(super) enum Form {
        /// Column then row, with an all-reduce after each pair.
        AllReduce = "allreduce", "column then row";
        /// Column then row with sequence parallelism: all-gather before, reduce-scatter after.
        SequenceParallel = "sp", "with sequence parallel";
        /// Row then column: partial sums before the nonlinearity.
        RowFirst = "row-first", "row then column";
    }
}

/// A layer and its group, in base units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Layer {
    pub(super) form: Form,
    pub(super) algorithm: Algorithm,
    pub(super) group: Group,
    pub(super) links: Links,
    pub(super) tokens: f64,
    pub(super) hidden: f64,
    pub(super) heads: f64,
    pub(super) kv_heads: f64,
    /// FLOP per second in matrix products.
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

/// Two matrix products with the nonlinearity between them: attention, or the MLP.
#[derive(Debug, Clone, Copy)]
struct Block {
    /// Parameters of each product on a rank.
    first: f64,
    second: f64,
    /// The width between them on all ranks together, over the hidden width.
    inner: f64,
    names: [&'static str; 2],
}

impl Layer {
    pub(super) fn ranks(&self) -> f64 {
        self.group.ranks()
    }

    /// Bytes of a message: all tokens at full width.
    pub(super) fn message(&self) -> f64 {
        tensor::activation_message_bytes(1.0, self.tokens, self.hidden)
    }

    /// Seconds of an all-reduce of `size` bytes.
    pub(super) fn all_reduce(&self, size: f64) -> f64 {
        self.algorithm.time(&self.group, &self.links, size)
    }

    /// Seconds of an all-gather or reduce-scatter: half an all-reduce.
    fn half(&self, size: f64) -> f64 {
        self.all_reduce(size) / 2.0
    }

    /// Seconds of a matrix product with so many parameters on a rank.
    fn gemm(&self, parameters: f64) -> f64 {
        2.0 * self.tokens * parameters / self.rate
    }

    /// Seconds of all matrix products, forward and backward.
    pub(super) fn compute(&self) -> f64 {
        3.0 * self.blocks().iter().map(|b| self.gemm(b.first + b.second)).sum::<f64>()
    }

    /// Width of keys and values together, on all ranks without copies, over the hidden width.
    pub(super) fn kv_share(&self) -> f64 {
        2.0 * self.kv_heads / self.heads
    }

    fn blocks(&self) -> [Block; 2] {
        let (t, h) = (self.ranks(), self.hidden);
        let split = h * h / t;
        let inner = 1.0 + self.kv_share();
        // split by heads a rank needs a whole key-value head; split by rows it holds rows of all of them
        let keys = match self.form {
            Form::RowFirst => self.kv_share() * split,
            _ => 2.0 * h * tensor::kv_width(h, self.heads, self.kv_heads, t),
        };
        [
            Block { first: split + keys, second: split, inner, names: ["QKV", "out"] },
            Block { first: 4.0 * split, second: 4.0 * split, inner: 4.0, names: ["up", "down"] },
        ]
    }

    /// How many all-gathers and reduce-scatters of a message, whole, a layer does: a wider one counts for more.
    pub(super) fn halves(&self) -> f64 {
        match self.form {
            Form::AllReduce => 8.0,
            Form::SequenceParallel => 10.0,
            Form::RowFirst => self.blocks().iter().map(|b| 4.0 * b.inner + 2.0).sum(),
        }
    }

    /// Runs forward and backward of the layer.
    pub(super) fn run(&self) -> Timeline {
        let mut clock = Clock::default();
        let blocks = self.blocks();
        // each product has one number, forward and backward and in every form
        clock.timeline.names = blocks.iter().flat_map(|b| b.names).collect();
        for block in blocks {
            self.forward(&mut clock, block);
        }
        clock.timeline.forward_end = clock.now;
        for block in blocks.into_iter().rev() {
            self.backward(&mut clock, block);
        }
        clock.timeline.end = clock.now;
        clock.timeline
    }

    fn forward(&self, clock: &mut Clock, Block { first, second, inner, names }: Block) {
        let message = self.message();
        if self.form == Form::SequenceParallel {
            clock.wait(self.half(message), "all-gather", false);
        }
        clock.work(self.gemm(first), Tone::Forward, names[0]);
        if self.form == Form::RowFirst {
            clock.wait(self.all_reduce(inner * message), "all-reduce, wide", false);
        }
        clock.work(self.gemm(second), Tone::Forward, names[1]);
        match self.form {
            Form::AllReduce => clock.wait(self.all_reduce(message), "all-reduce", false),
            Form::SequenceParallel => clock.wait(self.half(message), "reduce-scatter", false),
            Form::RowFirst => clock.wait(self.half(message), "all-gather", false),
        }
    }

    fn backward(&self, clock: &mut Clock, Block { first, second, inner, names }: Block) {
        let message = self.message();
        if self.form == Form::SequenceParallel {
            clock.wait(self.half(message), "all-gather", true);
        }
        clock.work(self.gemm(second), Tone::Backward, names[1]);
        // the input gradient of a column-split product is a partial sum: it is reduced before the next product, and
        // the weights do not wait for it
        let wide = if self.form == Form::RowFirst { self.all_reduce(inner * message) } else { 0.0 };
        clock.behind(wide, (self.gemm(second), Tone::WeightGrad), ("all-reduce, wide", names[1]));
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

    fn layer(form: Form, ranks: usize, in_node: usize) -> Layer {
        Layer {
            form,
            algorithm: Algorithm::Hierarchy,
            group: Group::filling(ranks, in_node),
            links: Links { nvlink: 370e9, nic: 45e9, ..Links::default() },
            tokens: 4096.0,
            hidden: 8192.0,
            heads: 64.0,
            kv_heads: 64.0,
            rate: 593e12,
        }
    }

    fn busy(spans: &[Span]) -> f64 {
        spans.iter().map(|s| s.end - s.start).sum()
    }

    #[test]
    fn communication_over_compute_is_the_formula() {
        for ranks in [2, 4, 8] {
            let timeline = layer(Form::AllReduce, ranks, ranks).run();
            let ratio = busy(&timeline.network) / busy(&timeline.compute);
            let formula = tensor::tp_comm_ratio(ranks as f64, 8192.0, 593e12, 370e9);
            assert!((ratio - formula).abs() < 1e-9, "{ratio} {formula}");
        }
    }

    #[test]
    fn bytes_over_the_link_are_the_formula() {
        let timeline = layer(Form::AllReduce, 8, 8).run();
        let bytes = busy(&timeline.network) * 370e9;
        assert!((bytes - tensor::tp_bytes_per_layer(8.0, 1.0, 4096.0, 8192.0)).abs() < 1.0);
        assert_eq!(timeline.names.iter().filter(|n| **n == "all-reduce").count(), 4);
    }

    #[test]
    fn sequence_parallelism_exposes_the_same_bytes_forward_and_one_gather_more_backward() {
        let plain = layer(Form::AllReduce, 8, 8).run();
        let sp = layer(Form::SequenceParallel, 8, 8).run();
        assert!((plain.exposed_forward - sp.exposed_forward).abs() < 1e-12);
        let more = busy(&sp.network) - busy(&plain.network);
        let again = 2.0 * layer(Form::AllReduce, 8, 8).half(67_108_864.0);
        assert!((more - again).abs() < 1e-12, "two all-gathers of saved inputs");
    }

    #[test]
    fn row_first_sends_wider_messages() {
        let plain = layer(Form::AllReduce, 8, 8).run();
        let row = layer(Form::RowFirst, 8, 8).run();
        assert!(row.exposed_forward > 3.0 * plain.exposed_forward);
    }

    #[test]
    fn two_nodes_cost_what_the_topology_lab_says() {
        let links = Links { nvlink: 370e9, nic: 45e9, alpha_in: 3e-6, alpha_out: 12e-6 };
        let two = Layer { links, ..layer(Form::AllReduce, 16, 8) };
        assert!((4.0 * two.all_reduce(two.message()) - 2.28e-3).abs() < 5e-6);
        let one = Layer { links, ..layer(Form::AllReduce, 8, 8) };
        assert!((4.0 * one.all_reduce(one.message()) - 1.44e-3).abs() < 5e-6);
        let strided = layer(Form::AllReduce, 8, 1);
        assert!((4.0 * strided.all_reduce(strided.message()) - 10.4e-3).abs() < 5e-5);
    }

    #[test]
    fn what_is_drawn_is_what_is_counted() {
        for form in [Form::AllReduce, Form::SequenceParallel, Form::RowFirst] {
            for kv_heads in [8.0, 64.0] {
                let layer = Layer { kv_heads, ..layer(form, 8, 8) };
                let drawn = busy(&layer.run().network) * 370e9;
                let counted = layer.halves() * 7.0 / 8.0 * layer.message();
                assert!((drawn / counted - 1.0).abs() < 1e-9, "{form:?}: {drawn} {counted}");
            }
        }
    }

    #[test]
    fn few_key_value_heads_leave_less_to_hide_behind() {
        let grouped = Layer { kv_heads: 8.0, ..layer(Form::AllReduce, 8, 8) };
        let parameters = tensor::layer_parameters_rank(8192.0, 64.0, 8.0, 8.0);
        assert!((grouped.compute() - 6.0 * 4096.0 * parameters / 593e12).abs() < 1e-12);
        let links = Links { alpha_in: 3e-6, ..grouped.links };
        let exposed = |layer: Layer| Layer { links, ..layer }.run().exposed_backward;
        assert!((exposed(grouped) - 215e-6).abs() < 1e-6, "{}", exposed(grouped));
        assert!((exposed(layer(Form::AllReduce, 8, 8)) - 12e-6).abs() < 1e-6);
    }

    #[test]
    fn one_rank_sends_nothing() {
        let timeline = layer(Form::AllReduce, 1, 1).run();
        assert!(busy(&timeline.network) < 1e-15);
        assert_eq!(timeline.exposed_forward, 0.0);
    }
}
