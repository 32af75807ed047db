//! Expert routing: tokens to experts, capacity and drops, the all-to-all between ranks, balancing.

use crate::sim::formula::expert;
use crate::sim::group::Group;
use crate::sim::output::Results;
use crate::sim::parameter::{Number, Parameter, knobs, presets};
use crate::sim::picture::View;
use crate::sim::quantity::{self, GB, PERCENT, PLAIN, Unit};
use crate::sim::{SimKind, setup};

mod balance;
mod load;
mod numbers;
mod router;
mod traffic;

use balance::balance_frame;
use load::{load_view, tokens_frame};
use numbers::outputs;
use router::{Balance, Kept, Router};
use traffic::matrix_frame;

const TOKENS: Unit = Unit::count("tokens");
const RANKS: Unit = Unit::count("ranks");

knobs! {
    tokens: Number = Parameter::doubling("tokens", TOKENS, (1.0, 4096.0, 16384.0),
        "tokens of a rank's micro-batch");
    experts: Number = Parameter::doubling("experts", Unit::count("experts"), (1.0, 8.0, 256.0),
        "experts of a layer");
    top: Number = Parameter::counting("experts a token", Unit::count("experts"), (1.0, 2.0, 8.0),
        "top-k: how many experts each token is sent to");
    skew: Number = Parameter::sliding("skew", PLAIN, (0.0, 0.3, 1.0, 0.05),
        "how much the router prefers some experts; 0 is even, at 0.3 the hottest of 8 gets 3 times the mean");
    capacity: Number = Parameter::sliding("capacity factor", PLAIN, (0.0, 1.25, 8.0, 0.25),
        "room of an expert as a multiple of its even share; 0 is dropless");
    balance: Balance = Parameter::choice("balancing", Balance::OPTIONS,
        "what evens out the load from step to step");
    steps: Number = Parameter::counting("steps of it", Unit::count("steps"), (0.0, 16.0, 32.0),
        "steps of balancing before this batch");
    ranks: Number = Parameter::doubling("ranks e", RANKS, (1.0, 8.0, 64.0), "expert-parallel degree");
    per_node: Number = Parameter::doubling("ranks per node", RANKS, (1.0, 4.0, 72.0),
        "ranks of the group in a node");
    hidden: Number = Parameter::doubling("hidden", PLAIN, (64.0, 4096.0, 65536.0), "width of a token");
    nvlink: Number = setup::NVLINK;
    nic: Number = setup::NIC;
    seed: Number = Parameter::counting("seed", PLAIN, (0.0, 0.0, 999.0), "which random batch");
}

presets! {
    "8 experts, top 2, skewed" { experts = 8.0, top = 2.0, skew = 0.3, ranks = 8.0 }
    "an even router at capacity 1" { skew = 0.0, capacity = 1.0 }
    "256 experts, top 8, 64 ranks" {
        experts = 256.0, top = 8.0, skew = 0.05, ranks = 64.0, per_node = 8.0, hidden = 7168.0,
        capacity = 0.0
    }
    "dropless" { capacity = 0.0 }
    "balanced by a bias" { balance = Balance::Bias.place(), steps = 32.0 }
}

/// The expert simulator.
pub(super) const KIND: SimKind = SimKind {
    name: "experts",
    title: "Expert routing",
    brief: "full experts, lost tokens",
    about: "A router sends each token to its experts. See full experts, lost tokens or padded, what the all-to-all moves \
            between ranks and nodes, and how balancing evens it out.",
    parameters: PARAMETERS,
    presets: PRESETS,
    run,
};

/// The layer beside its router.
#[derive(Debug, Clone, Copy)]
struct Layer {
    router: Router,
    /// Tokens that an expert takes; `None` is dropless.
    capacity: Option<usize>,
    ranks: usize,
    per_node: usize,
    hidden: f64,
}

impl Layer {
    /// The expert-parallel ranks on their nodes, one filled after another.
    fn group(&self) -> Group {
        Group::filling(self.ranks, self.per_node)
    }
}

fn read(knobs: &Knobs, run: &mut Results) -> Layer {
    let experts = knobs.experts.count();
    let top = knobs.top.count().min(experts);
    run.took(knob::top, knobs.top.count(), top, format!("there are {experts} experts to choose from"));
    let asked = knobs.ranks.count();
    let ranks = (1..=asked).rev().find(|r| experts.is_multiple_of(*r)).unwrap_or(1);
    run.took(knob::ranks, asked, ranks, format!("{experts} experts do not divide over {asked}"));
    let per_node = knobs.per_node.count().min(ranks);
    run.took(knob::per_node, knobs.per_node.count(), per_node, format!("the group has {ranks}"));
    let router = Router {
        tokens: knobs.tokens.count(),
        experts,
        top,
        skew: knobs.skew.number(),
        balance: knobs.balance,
        steps: knobs.steps.count(),
        seed: knobs.seed.count() as u64,
    };
    let factor = knobs.capacity.number();
    let room = expert::expert_capacity(router.tokens as f64, top as f64, experts as f64, factor);
    Layer {
        router,
        capacity: (factor > 0.0).then_some(room as usize),
        ranks,
        per_node,
        hidden: knobs.hidden.number(),
    }
}

fn run(values: &[f64]) -> Results {
    let knobs = &Knobs::read(values);
    let mut run = Results::default();
    let layer = read(knobs, &mut run);
    run.notes.extend(layer.group().note());
    let routed = layer.router.run();
    let kept = routed.keep(layer.router.top, layer.capacity, layer.router.tokens);
    outputs(&mut run, (knobs, &layer), (&routed, &kept));
    questions(&mut run, (knobs, &layer), &kept);
    run.views.push(load_view(&layer, routed.clone()));
    run.views.push(View::lazy("the last tokens", {
        let routed = routed.clone();
        move || tokens_frame(&layer, &routed)
    }));
    run.views.push(View::lazy("all-to-all between ranks", move || matrix_frame(&layer)));
    run.views.push(
        View::lazy("balancing", move || balance_frame(&layer)).comparing(&[knob::balance, knob::steps]),
    );
    run
}

fn most(loads: &[usize]) -> f64 {
    loads.iter().copied().max().unwrap_or(0) as f64
}

fn questions(run: &mut Results, (knobs, layer): (&Knobs, &Layer), kept: &Kept) {
    let Router { tokens, experts, top, .. } = layer.router;
    let factor = knobs.capacity.number();
    if layer.capacity.is_some() {
        run.ask(
            format!("How many tokens may an expert take with {tokens} tokens, top {top} of {experts} and factor {factor}?"),
            (run.value("capacity_tokens"), TOKENS),
            "The even share is tokens x top / experts; the capacity is that times the factor, rounded up.",
        );
        run.asks_for("capacity_tokens");
    }
    let share = kept.dropped as f64 / (tokens * top) as f64;
    let right = match share {
        0.0 => 0,
        s if s < 0.05 => 1,
        s if s < 0.25 => 2,
        _ => 3,
    };
    run.choose(
        "What share of the assignments is dropped?",
        (["none", "less than 5%", "5% to 25%", "more than 25%"].map(str::to_owned).to_vec(), right),
        "Skew fills the liked experts early. Even without skew a factor of 1 drops some, since no batch is \
         exactly even; without \
         a capacity nothing is dropped, and the hottest expert sets the time.",
    );
    run.ask(
        "What share of the dispatched tokens leaves the node, if routing is even?",
        (run.value("crossing_share"), PERCENT),
        "(e-g)/e: with one node nothing, with eight nodes seven eighths.",
    );
    run.asks_for("crossing_share");
    let doubled = expert::dispatch_bytes(tokens as f64, top as f64, layer.hidden, 2.0 * layer.ranks as f64);
    let now = expert::dispatch_bytes(tokens as f64, top as f64, layer.hidden, layer.ranks as f64);
    run.ask(
        "How many times as much would a rank dispatch with twice as many ranks, dropless?",
        (if now > 0.0 { doubled / now } else { 0.0 }, Unit::count("times")),
        "T*k*h*2 * (e-1)/e: it saturates. More ranks do not reduce what a rank sends; they spread it over \
         more peers, farther away.",
    );
    let show = |bytes| quantity::show(bytes, GB);
    let times = quantity::digits(doubled / now);
    run.here((now > 0.0).then(|| format!("{} / {} = {times}", show(doubled), show(now))));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Sim;
    use crate::sim::picture::Picture;

    fn at(set: &[(&str, f64)]) -> Results {
        crate::sim::at(&KIND, set).run()
    }

    fn mb(run: &Results, name: &str) -> f64 {
        (run.value(name) / 1e5).round() / 10.0
    }

    #[test]
    fn bytes_of_the_routing_lab() {
        for (factor, expected) in [(0.0, 58.7), (1.25, 73.4), (2.0, 117.4)] {
            assert_eq!(mb(&at(&[("capacity", factor)]), "dispatch"), expected, "{factor}");
        }
        assert_eq!(mb(&at(&[("capacity", 0.0)]), "sent"), 234.9);
    }

    #[test]
    fn sixty_four_ranks_send_most_of_it_away() {
        let mut sim = Sim::new(&KIND);
        sim.apply(&KIND.presets[2]);
        let run = sim.run();
        assert_eq!(mb(&run, "dispatch"), 462.4);
        assert_eq!(run.value("crossing_share"), 0.875);
        assert!((run.value("time") * 1e3 - 18.3).abs() < 0.05);
        assert!(run.value("nodes_a_token") < 7.0 * 0.875 + 0.5);
    }

    #[test]
    fn the_rank_with_the_fewest_beside_it_sets_the_time() {
        let uneven = at(&[("capacity", 0.0), ("per_node", 3.0)]);
        assert_eq!(uneven.value("crossing_share"), 0.75);
        assert!((uneven.value("time") - 2.0 * uneven.value("crossing") / 45e9).abs() < 1e-12);
        assert!(uneven.notes.iter().any(|n| n.contains("the last has 2")), "{:?}", uneven.notes);
        // with a fast NIC what stays in the node takes longer
        let fast = at(&[("capacity", 0.0), ("nic", 400.0), ("nvlink", 100.0)]);
        let inside = fast.value("dispatch") - fast.value("crossing");
        assert!((fast.value("time") - 2.0 * inside / 100e9).abs() < 1e-12);
    }

    #[test]
    fn the_matrix_holds_every_token_once() {
        let mut sim = Sim::new(&KIND);
        sim.set("tokens", 512.0).expect("a knob");
        let mut scratch = Results::default();
        let layer = read(&Knobs::read(&sim.values), &mut scratch);
        let Picture::Matrix(matrix) = matrix_frame(&layer).picture else { panic!("a matrix") };
        let kept_home: f64 = {
            let demand = layer.router.demand_of_ranks(8, 512);
            demand.iter().enumerate().map(|(rank, d)| d[rank] as f64 * layer.hidden * 2.0).sum()
        };
        let sent: f64 = matrix.rows.iter().flat_map(|(_, row)| row).sum();
        assert_eq!(sent + kept_home, 8.0 * 512.0 * 2.0 * layer.hidden * 2.0);
    }

    #[test]
    fn dropless_waits_for_the_hottest() {
        let run = at(&[("capacity", 0.0)]);
        assert_eq!(run.value("dropped"), 0.0);
        assert!((run.value("efficiency") - run.value("load_efficiency")).abs() < 1e-12);
        assert!((run.value("efficiency") - 0.33).abs() < 0.02);
    }
}
