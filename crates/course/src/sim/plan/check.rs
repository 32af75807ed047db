//! The findings of a plan: E1 to E10 refuse it, W1 to W4 warn; W2 refuses, as the network then sets the pace.

use super::{Finding, MOST_RANKS, ParallelPlan, Recompute, Weight, whole};
use crate::sim::formula::data;
use crate::sim::group::Group;
use crate::sim::layout::Axis;
use crate::sim::quantity::{self, GB, PERCENT, SECONDS, digits};

impl ParallelPlan {
    /// Everything that is checked, in order: product, divisibility, placement, memory, bubble, warnings.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = vec![self.product(), self.tensor_in_node(), self.heads(), self.kv_heads()];
        findings.extend([self.layers(), self.batch(), self.placement(), self.interleaving()]);
        findings.extend([self.memory(), self.bubble_small()]);
        findings.extend([
            self.zero_with_pipeline(),
            self.tokens_enough(),
            self.tensor_share(),
            self.gemm_size(),
        ]);
        findings
    }

    fn product(&self) -> Finding {
        let (product, gpus) = (self.layout().ranks(), self.gpus());
        let numbers =
            format!("tp {} x cp {} x pp {} x dp {} = {product}", self.tp, self.cp, self.pp, self.dp);
        let finding = Finding::about("E1", &["tp", "cp", "pp", "dp", "ep"]);
        if product != gpus {
            return finding.faulty(
                format!("the degrees multiply to {product}, but there are {gpus} GPUs"),
                numbers,
                format!(
                    "change a degree so that the product is {gpus}; expert parallelism does not count as \
                 a factor"
                ),
            );
        }
        let Some(experts) = self.experts else {
            return finding.well(format!("the degrees multiply to the {gpus} GPUs"), numbers);
        };
        let hosts = self.tp.saturating_mul(self.cp).saturating_mul(self.dp);
        if experts.degree == 0 || !hosts.is_multiple_of(experts.degree) {
            return finding.faulty(
                format!("ep {} does not divide the {hosts} ranks of a stage", experts.degree),
                numbers,
                "experts reuse the ranks of tp, cp and dp: take an ep that divides tp*cp*dp",
            );
        }
        if !experts.count.is_multiple_of(experts.degree) {
            return finding.faulty(
                format!("{} experts do not divide over ep {}", experts.count, experts.degree),
                numbers,
                "take an ep that divides the number of experts",
            );
        }
        finding.well(format!("the degrees multiply to the {gpus} GPUs, and ep reuses them"), numbers)
    }

    fn tensor_in_node(&self) -> Finding {
        let (tp, node) = (self.tp, self.machines.per_node);
        let finding = Finding::about("E2", &["tp"]);
        let numbers = format!("tp {tp}, {node} GPUs a node");
        if tp <= node {
            return finding.well("a tensor group fits in a node", numbers);
        }
        finding.faulty(
            "a tensor group is larger than a node, and its collectives are in every layer",
            numbers,
            format!("take tp of at most {node} and split the rest by pp or dp"),
        )
    }

    fn heads(&self) -> Finding {
        let (heads, tp) = (self.model.heads as usize, self.tp);
        let finding = Finding::about("E3", &["tp"]);
        let numbers = format!("{heads} heads / tp {tp}");
        if heads.is_multiple_of(tp) {
            return finding.well("the heads divide over the tensor group", numbers);
        }
        finding.faulty(
            "the heads do not divide over the tensor group",
            numbers,
            "take a tp that divides the heads",
        )
    }

    fn kv_heads(&self) -> Finding {
        let (kv, tp) = (self.model.kv_heads as usize, self.tp);
        let finding = Finding::about("E4", &["tp"]);
        let numbers = format!("{kv} key-value heads, tp {tp}");
        if kv.is_multiple_of(tp) {
            finding.well("the key-value heads divide over the tensor group", numbers)
        } else if tp.is_multiple_of(kv) {
            finding.well(format!("each key-value head is kept {} times", tp / kv), numbers)
        } else {
            let cure = "take a tp that divides the key-value heads, or a multiple of them";
            finding.faulty("the key-value heads do not divide by tp, nor tp by them", numbers, cure)
        }
    }

    fn layers(&self) -> Finding {
        let (layers, stages) = (self.model.layers as usize, self.pp.saturating_mul(self.chunks));
        let finding = Finding::about("E5", &["pp", "chunks"]);
        let numbers = format!("{layers} layers / (pp {} x {} chunks)", self.pp, self.chunks);
        if layers.is_multiple_of(stages) {
            return finding.well(format!("each chunk has {} layers", layers / stages), numbers);
        }
        let cure = "take a pp that divides the layers, or write a custom layout of layers";
        finding.faulty("the layers do not divide over the stages", numbers, cure)
    }

    fn batch(&self) -> Finding {
        let (batch, a_round) = (self.global_batch, self.dp.saturating_mul(self.micro_batch));
        let finding = Finding::about("E6", &["global_batch", "dp", "micro_batch", "pp"]);
        let numbers = format!("{batch} sequences / (dp {} x {}) = {}", self.dp, self.micro_batch, {
            digits(self.micro_batches())
        });
        if !batch.is_multiple_of(a_round) {
            let cure = "take a dp and a micro-batch whose product divides the global batch";
            return finding.faulty("the global batch does not divide into micro-batches", numbers, cure);
        }
        if batch / a_round < self.pp {
            let cure = "raise the global batch, or lower dp, the micro-batch or pp";
            return finding.faulty("there are fewer micro-batches than stages", numbers, cure);
        }
        finding.well(format!("{} micro-batches a step", batch / a_round), numbers)
    }

    fn placement(&self) -> Finding {
        let layout = self.layout();
        let finding = Finding::about("E7", &["order", "placement", "tp"]);
        if layout.ranks() > MOST_RANKS {
            return finding.faulty("there are too many ranks to place", "", "lower the degrees");
        }
        let spans = layout.nodes_spanned(Axis::Tp);
        let group = layout.group(0, Axis::Tp);
        let numbers =
            format!("order {}, first tensor group: ranks {}", layout.order_text(), ranks_text(&group));
        if spans <= 1 {
            return finding.well("every tensor group stays inside a node", numbers);
        }
        let rate = Group::of(&group, &layout).collective_rate(&self.machines.links());
        let slower = digits(self.machines.nvlink / rate);
        finding.faulty(
            format!("tensor groups span {spans} nodes: their time is {slower} times as long"),
            numbers,
            "put tp first in the order, so that its ranks are neighbours in one node",
        )
    }

    fn interleaving(&self) -> Finding {
        let finding = Finding::about("E8", &["chunks", "pp", "global_batch"]);
        let m = whole(self.micro_batches()) as usize;
        let numbers = format!("{m} micro-batches, pp {}, {} chunks", self.pp, self.chunks);
        if self.chunks <= 1 {
            return finding.well("one chunk a stage: no interleaving", numbers);
        }
        if self.pp == 1 {
            return finding.faulty("interleaving needs a pipeline", numbers, "take 1 chunk, or more stages");
        }
        if m.is_multiple_of(self.pp) {
            return finding.well("the micro-batches come in whole rounds of pp", numbers);
        }
        let cure = "take a number of micro-batches that pp divides";
        finding.faulty("the micro-batches do not come in whole rounds of pp", numbers, cure)
    }

    fn memory(&self) -> Finding {
        let ledger = self.ledger();
        let limit = self.machines.memory - self.machines.reserve;
        let [w, g, o, a, total, limit_text] =
            [ledger.weights, ledger.gradients, ledger.optimizer, ledger.activations, ledger.total, limit]
                .map(|bytes| quantity::show(bytes, GB));
        let numbers = format!("weights {w} + gradients {g} + optimizer {o} + activations {a} = {total}");
        let cells = ["tp", "pp", "zero", "recompute", "micro_batch", "dp"];
        let finding = Finding::about("E9", &cells);
        if ledger.total <= limit {
            return finding.well(format!("{total} of {limit_text} on the fullest GPU"), numbers);
        }
        finding.faulty(
            format!("the fullest GPU needs {total}, and {limit_text} are usable"),
            numbers,
            self.memory_cure(),
        )
    }

    /// What would take most off the fullest GPU.
    fn memory_cure(&self) -> String {
        let ledger = self.ledger();
        let greatest = [ledger.optimizer, ledger.activations, ledger.weights + ledger.gradients]
            .into_iter()
            .fold(0.0, f64::max);
        if greatest == ledger.activations {
            return match self.recompute {
                Recompute::None => {
                    "the score matrices take the most: recompute selectively, or use FlashAttention"
                }
                Recompute::Selective => {
                    "activations take the most, and ZeRO does not shard them: raise tp, or recompute"
                }
                Recompute::Full => "activations take the most: use a smaller micro-batch",
            }
            .into();
        }
        if greatest == ledger.optimizer && self.zero == 0 {
            return "plain data parallelism keeps the whole optimizer state on every GPU: shard it (ZeRO-1)"
                .into();
        }
        let state =
            "weights and gradients take the most: ZeRO-1 does not shard them; raise pp or tp, or use ZeRO-3";
        if greatest == ledger.optimizer {
            "raise tp, pp or dp to split the optimizer state".into()
        } else {
            state.into()
        }
    }

    fn bubble_small(&self) -> Finding {
        let bubble = self.bubble();
        let finding = Finding::about("E10", &["pp", "global_batch", "micro_batch", "dp", "chunks"]);
        let m = digits(self.micro_batches().floor());
        let shown = quantity::show(bubble, PERCENT);
        let numbers = format!("({} - 1) / ({} x {m} + {} - 1) = {shown}", self.pp, self.chunks, self.pp);
        if bubble <= self.bubble_limit {
            return finding.well(format!("the bubble takes {shown} of the step"), numbers);
        }
        finding.faulty(
            format!(
                "the bubble takes {shown} of the step, more than {}",
                quantity::show(self.bubble_limit, PERCENT)
            ),
            numbers,
            "more micro-batches (a larger global batch, a smaller dp), fewer stages, or interleaving",
        )
    }

    fn zero_with_pipeline(&self) -> Finding {
        let finding = Finding::about("W1", &["zero", "pp"]);
        let numbers =
            format!("ZeRO-{}, pp {}, {} micro-batches", self.zero, self.pp, digits(self.micro_batches()));
        if self.zero < 2 || self.pp == 1 {
            return finding.well("gradients are reduced once a step", numbers);
        }
        finding.faulty(
            "ZeRO-2 and above with a pipeline reduces or gathers for every micro-batch",
            numbers,
            "ZeRO-1 is the usual partner of a pipeline, which already divides the state",
        )
    }

    /// Whether a micro-batch computes for as long as the gathers of its weights take.
    ///
    /// The bytes are those of `zero_volume`: two gathers and a reduce-scatter in every micro-batch, 3m times the
    /// parameters. 70B as TP8 x DP8 with 64 micro-batches so sends 3 x 64 x 7/8 x 8.6e9 x 2 B = 2.90 TB. Counting the
    /// gathers alone, 2m, would give 1.95 TB: that holds only where gradients stay whole until the last micro-batch,
    /// which costs the memory that stage 3 saves.
    fn tokens_enough(&self) -> Finding {
        let mut finding = Finding::about("W2", &["zero", "micro_batch", "order", "dp"]);
        finding.weight = Weight::Error;
        if self.zero < 3 {
            return finding.well("no weights are gathered during the step", format!("ZeRO-{}", self.zero));
        }
        let bandwidth = self.data_bandwidth();
        let needed = data::tokens_to_hide(self.machines.rate, bandwidth);
        let tokens = self.micro_batch as f64 * self.sequence as f64 / self.cp as f64;
        let seconds = self.data_bytes() / bandwidth;
        let numbers = format!(
            "{} tokens a micro-batch, {} needed at {}; {} in {} against {} of compute",
            digits(tokens),
            digits(needed),
            quantity::show(bandwidth, quantity::GB_PER_S),
            quantity::show(self.data_bytes(), GB),
            quantity::show(seconds, SECONDS),
            quantity::show(self.compute_seconds(), SECONDS),
        );
        if tokens >= needed {
            return finding.well("compute hides the gathers of weights", numbers);
        }
        let cure = "raise the micro-batch, or shard over groups that fill their nodes, or keep ZeRO-1";
        finding.faulty(
            "the network sets the pace: too few tokens a micro-batch to hide the gathers",
            numbers,
            cure,
        )
    }

    fn tensor_share(&self) -> Finding {
        let finding = Finding::about("W3", &["tp", "order"]);
        let traffic = self.traffic();
        let seconds = traffic.iter().find(|t| t.axis == "tp").map_or(0.0, |t| t.seconds);
        let share = seconds / self.compute_seconds();
        let shown = quantity::show(share, PERCENT);
        let numbers = format!(
            "{} of tensor-parallel traffic against {} of compute",
            quantity::show(seconds, SECONDS),
            quantity::show(self.compute_seconds(), SECONDS)
        );
        if share <= 0.25 {
            return finding.well(format!("tensor-parallel traffic is {shown} of compute"), numbers);
        }
        finding.faulty(
            format!("tensor-parallel traffic is {shown} of compute, and most of it is exposed"),
            numbers,
            "take a smaller tp and more stages, or overlap the collectives with chunked matrix products",
        )
    }

    fn gemm_size(&self) -> Finding {
        let finding = Finding::about("W4", &["micro_batch", "tp"]);
        let width = f64::from(self.model.hidden) / self.tp as f64;
        let rows = self.micro_batch as f64 * self.sequence as f64 / self.cp as f64;
        let numbers = format!("{} rows, {} columns a rank", digits(rows), digits(width));
        if width >= 1024.0 && rows >= 1024.0 {
            return finding.well("the matrix products of a rank are large", numbers);
        }
        let cure = "raise the micro-batch, or take a smaller tp";
        finding.faulty("the matrix products of a rank are small and run below their rate", numbers, cure)
    }
}

/// Ranks as people write them: `0-7`, `0, 8, 16 … 56`.
pub(super) fn ranks_text(ranks: &[usize]) -> String {
    match ranks {
        [] => "none".into(),
        [one] => one.to_string(),
        [first, .., last] if *last == first + ranks.len() - 1 => format!("{first}-{last}"),
        [first, second, .., last] if ranks.len() > 4 => format!("{first}, {second}, … {last}"),
        _ => ranks.iter().map(usize::to_string).collect::<Vec<_>>().join(", "),
    }
}
