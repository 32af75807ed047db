//! Expert routing: tokens to experts, capacity and drops, the all-to-all between ranks, balancing.

use crate::sim::Kind;
use crate::sim::formula::expert;
use crate::sim::output::Run;
use crate::sim::parameter::{Parameter, Preset, Settings};
use crate::sim::picture::View;
use crate::sim::quantity::{GB_PER_S, PERCENT, PLAIN, Unit};

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

/// The expert simulator.
pub(super) const KIND: Kind = Kind {
    name: "experts",
    title: "Expert routing",
    about: "A router sends each token to its experts. See who is full, what is dropped or padded, what the all-to-all moves \
            between ranks and nodes, and how balancing evens it out.",
    parameters: &[
        Parameter::doubling(
            ("tokens", "tokens"),
            TOKENS,
            (1.0, 4096.0, 16384.0),
            "tokens of a rank's micro-batch",
        ),
        Parameter::doubling(
            ("experts", "experts"),
            Unit::count("experts"),
            (1.0, 8.0, 256.0),
            "experts of a layer",
        ),
        Parameter::counting(
            ("top", "experts a token"),
            Unit::count("experts"),
            (1.0, 2.0, 8.0),
            "top-k: experts that a token is sent to",
        ),
        Parameter::sliding(
            ("skew", "skew"),
            PLAIN,
            (0.0, 0.3, 1.0, 0.05),
            "how much the router prefers some experts; 0 is even, at 0.3 the hottest of 8 gets 3 times the mean",
        ),
        Parameter::sliding(
            ("capacity", "capacity factor"),
            PLAIN,
            (0.0, 1.25, 8.0, 0.25),
            "room of an expert over its even share; 0 is dropless",
        ),
        Parameter::choice(
            ("balance", "balancing"),
            &[("none", "none"), ("bias", "bias per expert"), ("aux", "auxiliary loss")],
            "what evens out the load from step to step",
        ),
        Parameter::counting(
            ("steps", "steps of it"),
            Unit::count("steps"),
            (0.0, 16.0, 32.0),
            "steps of balancing before this batch",
        ),
        Parameter::doubling(("ranks", "ranks e"), RANKS, (1.0, 8.0, 64.0), "expert-parallel degree"),
        Parameter::doubling(
            ("per_node", "ranks per node"),
            RANKS,
            (1.0, 4.0, 72.0),
            "ranks of the group in a node",
        ),
        Parameter::doubling(("hidden", "hidden"), PLAIN, (64.0, 4096.0, 65536.0), "width of a token"),
        Parameter::sliding(
            ("nvlink", "NVLink"),
            GB_PER_S,
            (1.0, 370.0, 2000.0, 10.0),
            "effective rate inside the node",
        ),
        Parameter::sliding(
            ("nic", "NIC"),
            GB_PER_S,
            (0.1, 45.0, 400.0, 5.0),
            "effective rate of each GPU's NIC",
        ),
        Parameter::counting(("seed", "seed"), PLAIN, (0.0, 0.0, 999.0), "which random batch"),
    ],
    presets: &[
        Preset {
            name: "8 experts, top 2, skewed",
            set: &[("experts", 8.0), ("top", 2.0), ("skew", 0.3), ("ranks", 8.0)],
        },
        Preset { name: "an even router at capacity 1", set: &[("skew", 0.0), ("capacity", 1.0)] },
        Preset {
            name: "256 experts, top 8, 64 ranks",
            set: &[
                ("experts", 256.0),
                ("top", 8.0),
                ("skew", 0.05),
                ("ranks", 64.0),
                ("per_node", 8.0),
                ("hidden", 7168.0),
                ("capacity", 0.0),
            ],
        },
        Preset { name: "dropless", set: &[("capacity", 0.0)] },
        Preset { name: "balanced by a bias", set: &[("balance", 1.0), ("steps", 32.0)] },
    ],
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

fn read(settings: &Settings, run: &mut Run) -> Layer {
    let experts = settings.count("experts");
    let top = settings.count("top").min(experts);
    if top < settings.count("top") {
        run.notes.push(format!("there are only {experts} experts to choose from"));
    }
    let mut ranks = settings.count("ranks");
    if !experts.is_multiple_of(ranks) {
        ranks = (1..=ranks).rev().find(|r| experts.is_multiple_of(*r)).unwrap_or(1);
        run.notes.push(format!("{experts} experts do not divide over so many ranks: {ranks} are used"));
    }
    let router = Router {
        tokens: settings.count("tokens"),
        experts,
        top,
        skew: settings.number("skew"),
        balance: [Balance::None, Balance::Bias, Balance::AuxLoss][settings.count("balance")],
        steps: settings.count("steps"),
        seed: settings.count("seed") as u64,
    };
    let factor = settings.number("capacity");
    let room = expert::expert_capacity(router.tokens as f64, top as f64, experts as f64, factor);
    Layer {
        router,
        capacity: (factor > 0.0).then_some(room as usize),
        ranks,
        per_node: settings.count("per_node").min(ranks),
        hidden: settings.number("hidden"),
    }
}

fn run(settings: &Settings) -> Run {
    let mut run = Run::default();
    let layer = read(settings, &mut run);
    let routed = layer.router.run();
    let kept = routed.keep(layer.router.top, layer.capacity, layer.router.tokens);
    outputs(&mut run, (settings, &layer), (&routed, &kept));
    questions(&mut run, (settings, &layer), &kept);
    run.views.push(load_view(&layer, routed.clone()));
    run.views.push(View::lazy("the last tokens", {
        let routed = routed.clone();
        move || tokens_frame(&layer, &routed)
    }));
    run.views.push(View::lazy("all-to-all between ranks", move || matrix_frame(&layer)));
    run.views.push(View::lazy("balancing", move || balance_frame(&layer)).comparing(&["balance", "steps"]));
    run
}

fn most(loads: &[usize]) -> f64 {
    loads.iter().copied().max().unwrap_or(0) as f64
}

fn questions(run: &mut Run, (settings, layer): (&Settings, &Layer), kept: &Kept) {
    let Router { tokens, experts, top, .. } = layer.router;
    let factor = settings.number("capacity");
    if layer.capacity.is_some() {
        run.ask(
            format!("How many tokens may an expert take with {tokens} tokens, top {top} of {experts} and factor {factor}?"),
            (run.value("capacity_tokens"), TOKENS),
            "The even share is tokens x top / experts; the capacity is that times the factor, rounded up.",
        );
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
        "Skew fills the liked experts early. Even without skew a factor of 1 drops some, as no batch is exactly even; without \
         a capacity nothing is dropped, and the hottest expert sets the time.",
    );
    run.ask(
        "What share of the dispatched tokens leaves the node, if routing is even?",
        (run.value("crossing_share"), PERCENT),
        "(e-g)/e: with one node nothing, with eight nodes seven eighths.",
    );
    let doubled = expert::dispatch_bytes(tokens as f64, top as f64, layer.hidden, 2.0 * layer.ranks as f64);
    let now = expert::dispatch_bytes(tokens as f64, top as f64, layer.hidden, layer.ranks as f64);
    run.ask(
        "How many times as much would a rank dispatch with twice as many ranks, dropless?",
        (if now > 0.0 { doubled / now } else { 0.0 }, Unit::count("times")),
        "T*k*h*2 * (e-1)/e: it saturates. More ranks do not cut what a rank sends; they spread it over more peers, farther away.",
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Sim;
    use crate::sim::picture::Picture;

    fn at(set: &[(&str, f64)]) -> Run {
        let mut sim = Sim::new(&KIND);
        for (name, value) in set {
            sim.set(name, *value).expect("a knob");
        }
        sim.run()
    }

    fn mb(run: &Run, name: &str) -> f64 {
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
    fn the_matrix_holds_every_token_once() {
        let mut sim = Sim::new(&KIND);
        sim.set("tokens", 512.0).expect("a knob");
        let mut scratch = Run::default();
        let layer = read(&sim.settings, &mut scratch);
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
