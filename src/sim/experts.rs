//! Expert routing: tokens to experts, capacity and drops, the all-to-all between ranks, balancing.

use crate::sim::Kind;
use crate::sim::formula::expert;
use crate::sim::output::Run;
use crate::sim::parameter::{Parameter, Preset, Settings, plain};
use crate::sim::picture::{Axis, Bar, Bars, Cell, Frame, Grid, Line, Matrix, Picture, Series, Tone, View};
use crate::sim::quantity::{self, GB, GB_PER_S, PERCENT, PLAIN, SECONDS, Unit};

mod router;

use router::{Balance, Kept, Routed, Router};

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
            &[
                ("none", "none"),
                ("bias", "bias per expert"),
                ("aux", "auxiliary loss"),
            ],
            "what evens out the load from step to step",
        ),
        Parameter::counting(
            ("steps", "steps of it"),
            Unit::count("steps"),
            (0.0, 16.0, 32.0),
            "steps of balancing before this batch",
        ),
        Parameter::doubling(
            ("ranks", "ranks e"),
            RANKS,
            (1.0, 8.0, 64.0),
            "expert-parallel degree",
        ),
        Parameter::doubling(
            ("per_node", "ranks per node"),
            RANKS,
            (1.0, 4.0, 72.0),
            "ranks of the group in a node",
        ),
        Parameter::doubling(
            ("hidden", "hidden"),
            PLAIN,
            (64.0, 4096.0, 65536.0),
            "width of a token",
        ),
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
        Preset {
            name: "an even router at capacity 1",
            set: &[("skew", 0.0), ("capacity", 1.0)],
        },
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
        Preset {
            name: "dropless",
            set: &[("capacity", 0.0)],
        },
        Preset {
            name: "balanced by a bias",
            set: &[("balance", 1.0), ("steps", 32.0)],
        },
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
        run.notes
            .push(format!("there are only {experts} experts to choose from"));
    }
    let mut ranks = settings.count("ranks");
    if !experts.is_multiple_of(ranks) {
        ranks = (1..=ranks)
            .rev()
            .find(|r| experts.is_multiple_of(*r))
            .unwrap_or(1);
        run.notes.push(format!(
            "{experts} experts do not divide over so many ranks: {ranks} are used"
        ));
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
    run.views.push(View::lazy("all-to-all between ranks", move || {
        matrix_frame(&layer)
    }));
    run.views
        .push(View::lazy("balancing", move || balance_frame(&layer)).comparing(&["balance", "steps"]));
    run
}

fn outputs(run: &mut Run, (settings, layer): (&Settings, &Layer), (routed, kept): (&Routed, &Kept)) {
    let Router {
        tokens, experts, top, ..
    } = layer.router;
    let [t, k, n] = [tokens, top, experts].map(|n| plain(n as f64));
    let (h, e, g) = (
        plain(layer.hidden),
        plain(layer.ranks as f64),
        plain(layer.per_node as f64),
    );
    let assignments = (tokens * top) as f64;
    let room = layer
        .capacity
        .map(|_| format!("expert_capacity({t}, {k}, {n}, {})", settings.term("capacity")));
    run.worked_or_0(
        "capacity_tokens",
        if room.is_some() {
            "capacity of an expert"
        } else {
            "capacity: no limit"
        },
        TOKENS,
        room.clone(),
    );
    run.counted(
        ("hottest", "want the hottest expert"),
        most(&routed.demand),
        TOKENS,
        "counted over the batch that the router drew",
    );
    run.counted(
        ("imbalance", "hottest over the mean"),
        routed.imbalance(),
        Unit::count("times"),
        "tokens of the hottest expert over the even share",
    );
    run.counted(
        ("dropped", "assignments dropped"),
        kept.dropped as f64,
        Unit::count("assignments"),
        "choices that found their expert full, in the order of the tokens",
    );
    run.counted(
        ("drop_share", "of them dropped, of all"),
        kept.dropped as f64 / assignments,
        PERCENT,
        "assignments dropped over tokens x experts a token",
    );
    run.counted(
        ("lost", "with no expert at all"),
        kept.lost as f64,
        TOKENS,
        "tokens all of whose experts were full; they keep their residual alone",
    );
    let mean = assignments / experts as f64;
    let slots = layer.capacity.map_or(most(&kept.load), |c| c as f64);
    run.counted(
        ("efficiency", "useful share of expert work"),
        useful(kept, slots),
        PERCENT,
        "tokens computed over the slots that the experts run, padding included",
    );
    run.worked(
        "load_efficiency",
        "useful share, if dropless",
        PERCENT,
        format!(
            "load_efficiency({}, {})",
            plain(mean),
            plain(most(&routed.demand))
        ),
    );
    run.counted(
        ("aux_loss", "auxiliary loss; 1 is even"),
        routed.aux_loss(),
        PLAIN,
        "experts times the sum over experts of (share of assignments x mean probability)",
    );
    let dispatch = match &room {
        Some(room) => format!("dispatch_bytes_padded({n}, {room}, {h}, {e})"),
        None => format!("dispatch_bytes({t}, {k}, {h}, {e})"),
    };
    run.worked("dispatch", "dispatch, sent by a rank", GB, dispatch.clone());
    run.worked(
        "sent",
        "sent by a rank, whole step",
        GB,
        format!("4 * {dispatch}"),
    );
    let crossing = format!("node_crossing_share({e}, {g})");
    run.worked(
        "crossing_share",
        "of it leaves the node",
        PERCENT,
        crossing.clone(),
    );
    // The share of peers' bytes that crosses: of all tokens, not only of those sent.
    let leaving = format!("{dispatch} * {crossing} * {e} / max({e} - 1, 1)");
    run.worked("crossing", "a dispatch through the NIC", GB, leaving.clone());
    let (nic, nvlink) = (settings.term("nic"), settings.term("nvlink"));
    run.worked(
        "time",
        "dispatch and combine, if even",
        SECONDS,
        format!("2 * max({leaving} / ({nic}), {dispatch} / ({nvlink}))"),
    );
    run.counted(
        ("nodes_a_token", "other nodes a token goes to"),
        remote_nodes(layer, routed),
        Unit::count("nodes"),
        "counted over the batch: nodes of a token's experts beside its own",
    );
}

fn most(loads: &[usize]) -> f64 {
    loads.iter().copied().max().unwrap_or(0) as f64
}

/// Tokens computed over the slots that all experts run while the fullest one works.
fn useful(kept: &Kept, slots: f64) -> f64 {
    let taken: usize = kept.load.iter().sum();
    if slots > 0.0 {
        taken as f64 / (slots * kept.load.len() as f64)
    } else {
        1.0
    }
}

/// How many nodes beside its own (the first) a token's experts are on, on average.
fn remote_nodes(layer: &Layer, routed: &Routed) -> f64 {
    let here = layer.router.experts / layer.ranks * layer.per_node;
    let mut total = 0usize;
    let mut nodes = Vec::with_capacity(layer.router.top);
    for choices in routed.choices.chunks(layer.router.top) {
        nodes.clear();
        nodes.extend(
            choices
                .iter()
                .map(|e| *e as usize / here.max(1))
                .filter(|node| *node > 0),
        );
        nodes.sort_unstable();
        nodes.dedup();
        total += nodes.len();
    }
    total as f64 / layer.router.tokens.max(1) as f64
}

/// Loads filling up as tokens arrive.
fn load_view(layer: &Layer, routed: Routed) -> View {
    const STEPS: usize = 16;
    let layer = *layer;
    let greatest = most(&routed.demand);
    View::stepped("load of the experts", STEPS + 1, move |step| {
        let Router {
            tokens, top, experts, ..
        } = layer.router;
        let seen = tokens * step / STEPS;
        let kept = routed.keep(top, layer.capacity, seen);
        let wanted = routed.keep(top, None, seen);
        let bar = |expert: usize| {
            let load = kept.load[expert];
            let room = layer.capacity.map_or(0, |c| c.saturating_sub(load));
            Bar {
                label: format!("expert {expert}"),
                pieces: vec![
                    (Tone::Done, load as f64),
                    (Tone::Empty, room as f64),
                    (Tone::Lost, (wanted.load[expert] - load) as f64),
                ],
                chosen: false,
                said: Some(said(load, wanted.load[expert] - load, layer.capacity)),
            }
        };
        let bars = Bars {
            unit: "",
            bars: (0..experts).map(bar).collect(),
            limit: layer.capacity.map(|c| (c as f64, "capacity".to_owned())),
            reach: greatest,
            legend: vec![
                (Tone::Done, "computed"),
                (Tone::Empty, "padding"),
                (Tone::Lost, "dropped"),
            ],
        };
        let share = quantity::show(kept.dropped as f64 / (seen * top).max(1) as f64, PERCENT);
        let [seen, tokens] = [seen, tokens].map(|n| quantity::digits(n as f64));
        let caption = format!("{seen} of {tokens} tokens routed, a sixteenth a step; {share} dropped so far");
        Frame {
            caption,
            picture: Picture::Bars(bars),
            now: None,
        }
    })
}

/// What stands behind the bar of an expert: computed of its room, or what it dropped.
fn said(load: usize, dropped: usize, capacity: Option<usize>) -> String {
    let [load, lost] = [load, dropped].map(|n| quantity::digits(n as f64));
    match capacity {
        None => load,
        Some(_) if dropped > 0 => format!("{load}, {lost} lost"),
        Some(room) => format!("{load} of {}", quantity::digits(room as f64)),
    }
}

/// The last tokens of the batch: the ones that find their experts full.
fn tokens_frame(layer: &Layer, routed: &Routed) -> Frame {
    const SHOWN: usize = 16;
    let Router {
        tokens, top, experts, ..
    } = layer.router;
    let first = tokens.saturating_sub(SHOWN);
    let mut load = routed.keep(top, layer.capacity, first).load;
    let rows = routed
        .choices
        .chunks(top)
        .enumerate()
        .skip(first)
        .map(|(token, choices)| {
            let mut cells = vec![
                Cell {
                    text: String::new(),
                    tone: Tone::Empty
                };
                experts
            ];
            for (rank, expert) in choices.iter().enumerate() {
                let load = &mut load[*expert as usize];
                let full = layer.capacity.is_some_and(|c| *load >= c);
                *load += usize::from(!full);
                let tone = if full { Tone::Lost } else { Tone::Done };
                cells[*expert as usize] = Cell {
                    text: (rank + 1).to_string(),
                    tone,
                };
            }
            (format!("token {token}"), cells)
        });
    let grid = Grid {
        corner: "choice".into(),
        columns: (0..experts).map(|e| format!("e{e}")).collect(),
        rows: rows.collect(),
        legend: vec![(Tone::Done, "taken"), (Tone::Lost, "expert full: dropped")],
    };
    let caption = "tokens are taken in order, so that the last ones meet full experts; a token with none keeps its residual";
    Frame {
        caption: caption.into(),
        picture: Picture::Grid(grid),
        now: None,
    }
}

fn matrix_frame(layer: &Layer) -> Frame {
    let (ranks, per_rank) = (layer.ranks, layer.router.experts / layer.ranks);
    let sample = layer.router.tokens.min(8192 / ranks);
    let scale = layer.router.tokens as f64 / sample as f64 * layer.hidden * 2.0;
    let demand = layer.router.demand_of_ranks(ranks, sample);
    let row = |(rank, demand): (usize, &Vec<usize>)| {
        let sent = demand
            .chunks(per_rank)
            .map(|owned| owned.iter().sum::<usize>() as f64 * scale);
        (
            rank.to_string(),
            sent.enumerate()
                .map(|(to, bytes)| if to == rank { 0.0 } else { bytes })
                .collect(),
        )
    };
    let matrix = Matrix {
        corner: "from \\ to".into(),
        unit: "MB",
        columns: (0..ranks).map(|r| r.to_string()).collect(),
        rows: demand.iter().enumerate().map(row).collect(),
    };
    let caption = "what the router asks for, before any capacity: bytes from a rank to the owners of its tokens' experts; a hot expert is a hot column";
    Frame {
        caption: caption.into(),
        picture: Picture::Matrix(matrix),
        now: None,
    }
}

fn balance_frame(layer: &Layer) -> Frame {
    let line = |(label, balance, tone): (&str, Balance, u8)| {
        let (_, history) = Router {
            balance,
            steps: 64,
            ..layer.router
        }
        .balanced();
        let points = history
            .into_iter()
            .enumerate()
            .map(|(step, ratio)| (step as f64, ratio))
            .collect();
        Line {
            label: label.to_owned(),
            tone: Tone::Nth(tone),
            points,
        }
    };
    let lines = [
        ("bias per expert", Balance::Bias, 0),
        ("auxiliary loss", Balance::AuxLoss, 1),
    ]
    .map(line);
    let even = Line {
        label: "even".into(),
        tone: Tone::Done,
        points: vec![(0.0, 1.0), (63.0, 1.0)],
    };
    let mine = match layer.router.balance {
        Balance::None => None,
        Balance::Bias => lines.first(),
        Balance::AuxLoss => lines.get(1),
    };
    let at = mine.and_then(|line| line.points.get(layer.router.steps.min(63)));
    let here = at
        .map(|(step, ratio)| (*step, *ratio, "here".to_owned()))
        .into_iter()
        .collect();
    let series = Series {
        x: Axis {
            label: "step",
            unit: "",
            log: false,
        },
        y: Axis {
            label: "hottest over the mean",
            unit: "",
            log: false,
        },
        lines: lines.into_iter().chain([even]).collect(),
        marks: here,
    };
    let caption = "a toy: the bias moves choices only, the auxiliary loss pulls at the router itself; small batches stay noisy";
    Frame {
        caption: caption.into(),
        picture: Picture::Series(series),
        now: None,
    }
}

fn questions(run: &mut Run, (settings, layer): (&Settings, &Layer), kept: &Kept) {
    let Router {
        tokens, experts, top, ..
    } = layer.router;
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
        let Picture::Matrix(matrix) = matrix_frame(&layer).picture else {
            panic!("a matrix")
        };
        let kept_home: f64 = {
            let demand = layer.router.demand_of_ranks(8, 512);
            demand
                .iter()
                .enumerate()
                .map(|(rank, d)| d[rank] as f64 * layer.hidden * 2.0)
                .sum()
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
