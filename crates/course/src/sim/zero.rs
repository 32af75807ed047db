//! The ZeRO ledger: bytes of model state on each GPU, and what a step sends.

use crate::sim::SimKind;
use crate::sim::formula::data;
use crate::sim::group::{Group, Links};
use crate::sim::output::Results;
use crate::sim::parameter::{Number, Parameter, choices, knobs, presets};
use crate::sim::quantity::{self, BILLION, GB, PERCENT, PLAIN, TFLOP_PER_S, Unit};
use crate::sim::setup::{self, Gradients};

mod bytes;
mod numbers;
mod owners;
mod traffic;

use bytes::{bars_view, ranks_view};
use numbers::outputs;
use owners::owners_view;
use traffic::volume_view;

choices! {
    /// The optimizer, by what it keeps for each parameter, fp32 master weights included.
    pub(super) enum Optimizer {
        /// Two moments of 4 bytes.
        Adam = "adam", "Adam, 12 bytes";
        /// Two moments of 1 byte.
        Adam8 = "adam8", "8-bit Adam, 6 bytes";
        /// One moment of 4 bytes.
        Momentum = "momentum", "momentum SGD, 8 bytes";
    }
}

impl Optimizer {
    fn bytes(self) -> f64 {
        match self {
            Optimizer::Adam => 12.0,
            Optimizer::Adam8 => 6.0,
            Optimizer::Momentum => 8.0,
        }
    }
}

knobs! {
    params: Number = Parameter::sliding("parameters", BILLION, (0.001, 7.5, 2000.0, 0.5),
        "parameters of the model");
    layers: Number = Parameter::doubling("layers", Unit::count("layers"), (1.0, 32.0, 512.0),
        "layers, for what stage 3 gathers");
    ranks: Number = Parameter::doubling("ranks d", Unit::count("ranks"), (1.0, 64.0, 4096.0),
        "data-parallel degree");
    stage: Number = Parameter::counting("ZeRO stage", PLAIN, (0.0, 1.0, 3.0),
        "what is sharded: nothing, optimizer, + gradients, + weights");
    gradients: Gradients = Parameter::choice("gradients", Gradients::OPTIONS,
        "bytes of a gradient: the ledger of 16 or of 18 bytes a parameter");
    optimizer: Optimizer = Parameter::choice("optimizer", Optimizer::OPTIONS,
        "bytes of optimizer state with fp32 master weights");
    micro_batches: Number = Parameter::doubling("micro-batches", Unit::count("micro-batches"), (1.0, 1.0, 512.0),
        "micro-batches accumulated before a step");
    tokens: Number = Parameter::doubling("tokens", Unit::count("tokens"), (1.0, 4096.0, 1_048_576.0),
        "tokens of a micro-batch on a GPU");
    activations: Number = Parameter::sliding("activations", GB, (0.0, 10.0, 1000.0, 1.0),
        "activations of a micro-batch; no stage shards them");
    memory: Number = setup::MEMORY;
    reserve: Number = setup::RESERVE;
    per_node: Number = Parameter::doubling("ranks per node", Unit::count("ranks"), (1.0, 8.0, 72.0),
        "ranks of the group in each node");
    nvlink: Number = setup::NVLINK;
    nic: Number = setup::NIC;
    rate: Number = Parameter::sliding("achieved rate", TFLOP_PER_S, (1.0, 494.5, 5000.0, 50.0),
        "FLOP per second in matrix products");
}

presets! {
    "7.5B on 64" { params = 7.5, layers = 32.0, ranks = 64.0 }
    "70B on 64" { params = 70.0, layers = 80.0, ranks = 64.0, activations = 6.5 }
    "13B on 8" { params = 13.0, layers = 40.0, ranks = 8.0 }
    "70B cut by TP8, one rank a node" {
        params = 8.625, layers = 80.0, ranks = 8.0, per_node = 1.0, stage = 3.0, micro_batches = 64.0
    }
}

/// The ledger simulator.
pub(super) const KIND: SimKind = SimKind {
    name: "zero",
    title: "ZeRO ledger",
    brief: "who keeps which bytes",
    about: "Who keeps which bytes of weights, gradients and optimizer state at each stage, what fits, and \
     what the stage costs in traffic compared with plain data parallelism.",
    parameters: PARAMETERS,
    presets: PRESETS,
    run,
};

/// The settings in base units.
#[derive(Debug, Clone, Copy)]
struct Ledger {
    params: f64,
    layers: f64,
    ranks: f64,
    gradient: f64,
    optimizer: f64,
    micro_batches: f64,
    activations: f64,
    per_node: usize,
    links: Links,
}

/// Bytes by kind of state.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Bytes {
    weights: f64,
    gradients: f64,
    optimizer: f64,
    gathered: f64,
}

impl Ledger {
    fn new(knobs: &Knobs) -> Ledger {
        Ledger {
            params: knobs.params.base(),
            layers: knobs.layers.number(),
            ranks: knobs.ranks.number(),
            gradient: knobs.gradients.bytes(),
            optimizer: knobs.optimizer.bytes(),
            micro_batches: knobs.micro_batches.number(),
            activations: knobs.activations.base(),
            per_node: knobs.per_node.count(),
            links: Links { nvlink: knobs.nvlink.base(), nic: knobs.nic.base(), ..Links::default() },
        }
    }

    fn bytes(&self, stage: usize) -> Bytes {
        let share = |from: usize| if stage >= from { self.ranks } else { 1.0 };
        Bytes {
            weights: 2.0 * self.params / share(3),
            gradients: self.gradient * self.params / share(2),
            optimizer: self.optimizer * self.params / share(1),
            gathered: match stage {
                3 if self.ranks > 1.0 => data::gathered_layers_bytes(self.params, self.layers),
                _ => 0.0,
            },
        }
    }

    /// The group on its nodes, one filled after another.
    fn group(&self) -> Group {
        Group::filling(self.ranks as usize, self.per_node)
    }

    fn bandwidth(&self) -> f64 {
        self.group().collective_rate(&self.links)
    }

    fn sent(&self, stage: usize) -> f64 {
        data::zero_volume_bytes(self.params, self.ranks, stage as f64, self.micro_batches, self.gradient)
    }

    /// What stage 3 does not shard: the layers it gathers, and activations.
    fn unsharded(&self) -> f64 {
        data::gathered_layers_bytes(self.params, self.layers) + self.activations
    }

    /// Whether one rank holds it all.
    fn fits_alone(&self, usable: f64) -> bool {
        Ledger { ranks: 1.0, ..*self }.peak(3) <= usable
    }

    fn peak(&self, stage: usize) -> f64 {
        self.bytes(stage).total() + self.activations
    }
}

impl Bytes {
    fn state(&self) -> f64 {
        self.weights + self.gradients + self.optimizer
    }

    fn total(&self) -> f64 {
        self.state() + self.gathered
    }
}

fn run(values: &[f64]) -> Results {
    let knobs = Knobs::read(values);
    let ledger = Ledger::new(&knobs);
    let stage = knobs.stage.count();
    let limit = knobs.memory.base() - knobs.reserve.base();
    let mut run = Results::default();
    outputs(&mut run, &knobs, &ledger);
    questions(&mut run, &ledger, stage);
    run.views.push(bars_view(&ledger, stage, limit));
    run.views.push(owners_view(stage));
    run.views.push(ranks_view(&ledger, stage, limit));
    run.views.push(volume_view(&ledger, stage));
    if limit <= 0.0 {
        run.notes.push("the reserve takes all of the memory".into());
    } else if ledger.unsharded() >= limit {
        run.notes.push(
            "stage 3 never fits, on any number of ranks: what it does not shard is already too much".into(),
        );
    }
    run.notes.extend(ledger.group().note());
    run
}

fn questions(run: &mut Results, ledger: &Ledger, stage: usize) {
    let n = quantity::show(ledger.params, BILLION);
    let d = quantity::show(ledger.ranks, Unit::count("ranks"));
    run.ask(
        format!(
            "How many bytes of model state does each GPU keep for {n} parameters on {d} at stage {stage}?"
        ),
        (run.value("state"), GB),
        "Weights take 2, gradients 2 or 4, Adam 12 bytes a parameter. Stage 1 divides Adam's bytes by d, \
         stage 2 the gradients too, stage 3 everything.",
    );
    run.asks_for("state");
    if ledger.ranks > 1.0 {
        run.ask(
            "How many times the traffic of plain data parallelism does this send?",
            (run.value("volume_ratio"), Unit::count("x")),
            "Stages 1 and 2 send as much as an all-reduce with one micro-batch; stage 2 reduces and stage 3 gathers and \
             reduces once for every micro-batch.",
        );
        run.asks_for("volume_ratio");
    }
    let right = usize::from(stage < 3);
    run.choose(
        "Do twice as many ranks halve the model state of a GPU?",
        (["yes, all of it", "no, only what is sharded"].map(str::to_owned).to_vec(), right),
        "Only stage 3 shards all of the state. Gathered layers and activations are not model state, so no \
         stage divides them.",
    );
    let share = run.value("state") / run.value("replicated");
    run.ask(
        "What share of the replicated model state is left on a GPU at this stage?",
        (share, PERCENT),
        "Divide the ledger of this stage by that of stage 0.",
    );
    let [left, all] = ["state", "replicated"].map(|name| quantity::show(run.value(name), GB));
    run.here(format!("{left} / {all} = {}", quantity::show(share, PERCENT)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Sim;
    use crate::sim::picture::Picture;

    fn at(set: &[(&str, f64)]) -> Results {
        crate::sim::at(&KIND, set).run()
    }

    fn gb(run: &Results, name: &str) -> f64 {
        (run.value(name) / 1e8).round() / 10.0
    }

    #[test]
    fn the_ledger_of_the_paper() {
        let states: Vec<f64> = (0..4).map(|s| gb(&at(&[("stage", f64::from(s))]), "state")).collect();
        assert_eq!(states, [120.0, 31.4, 16.6, 1.9]);
        let fp32 = at(&[("gradients", 1.0), ("stage", 1.0)]);
        assert_eq!(gb(&fp32, "state"), 46.4);
    }

    #[test]
    fn pieces_of_a_bar_add_up_to_the_formula() {
        for stage in 0..4 {
            for ranks in [1.0, 8.0, 64.0] {
                let run = at(&[("stage", f64::from(stage)), ("ranks", ranks)]);
                let Picture::Bars(bars) = run.views[0].frame(0).picture else { panic!("bars") };
                let total = bars.bars[stage as usize].total();
                assert!((total - run.value("peak")).abs() < 1.0, "stage {stage}, {ranks} ranks");
            }
        }
    }

    #[test]
    fn sharded_pieces_of_all_ranks_add_up_to_one_copy() {
        for stage in 1..4 {
            let ranks = 16.0;
            let run = at(&[("stage", f64::from(stage)), ("ranks", ranks)]);
            let copies = run.value("state") * ranks / 7.5e9;
            let expected = [16.0 * 16.0, 16.0 * 4.0 + 12.0, 16.0 * 2.0 + 14.0, 16.0][stage as usize];
            assert!((copies - expected).abs() < 1e-6, "stage {stage}: {copies}");
        }
    }

    #[test]
    fn traffic_of_stages_against_data_parallelism() {
        for (stage, m, ratio) in
            [(0, 1, 1.0), (1, 1, 1.0), (2, 1, 1.0), (3, 1, 1.5), (2, 8, 4.5), (3, 8, 12.0)]
        {
            let run = at(&[("stage", f64::from(stage)), ("micro_batches", f64::from(m))]);
            assert!((run.value("volume_ratio") - ratio).abs() < 1e-9, "stage {stage}, {m} micro-batches");
        }
        let fp32 = at(&[("stage", 3.0), ("gradients", 1.0)]);
        assert!((fp32.value("volume_ratio") - 1.0).abs() < 1e-9, "8 bytes against 8 bytes a parameter");
    }

    #[test]
    fn ranks_to_fit_count_the_whole_ledger() {
        let set =
            [("params", 70.0), ("layers", 80.0), ("stage", 3.0), ("activations", 40.0), ("gradients", 1.0)];
        let ranks = |ranks| at(&[&set[..], &[("ranks", ranks)]].concat());
        assert_eq!(ranks(16.0).value("ranks_to_fit"), 45.0);
        assert_eq!((ranks(44.0).value("fits"), ranks(45.0).value("fits")), (0.0, 1.0));
        let never = at(&[("activations", 100.0)]);
        assert_eq!(never.value("ranks_to_fit"), 0.0);
        assert!(never.notes[0].contains("never fits, on any number of ranks"), "{:?}", never.notes);
    }

    #[test]
    fn the_last_node_sets_the_pace() {
        let uneven = at(&[("ranks", 12.0)]);
        assert_eq!(uneven.value("rate_group"), 180e9);
        assert!(uneven.notes[0].contains("2 nodes of 8 ranks, but the last has 4"), "{:?}", uneven.notes);
    }

    #[test]
    fn seventy_billion_with_one_rank_a_node_is_network_bound() {
        let mut sim = Sim::new(&KIND);
        sim.apply(&KIND.presets[3]);
        let run = sim.run();
        assert!(run.value("tokens_needed") > 10_000.0);
        assert!(run.value("comm_time") > run.value("compute_time"));
    }
}
