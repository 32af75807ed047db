//! Mesh placement: ranks of TP x CP x PP x DP on nodes, groups of a rank, which axis crosses which link.

use crate::sim::Kind;
use crate::sim::layout::{Axis, Layout};
use crate::sim::output::Run;
use crate::sim::parameter::{Parameter, Preset, Settings};
use crate::sim::picture::{Bar, Bars, Cell, Frame, Grid, Picture, Table, Tone, View};
use crate::sim::plan::{Experts, Plan, Traffic};
use crate::sim::quantity::{self, GB, GB_PER_S, PLAIN, SECONDS, Unit};
use crate::sim::setup;

/// The mesh simulator.
pub(super) const KIND: Kind = Kind {
    name: "mesh",
    title: "Mesh placement",
    about: "The axes of a plan laid on ranks and nodes. Choose an order, pick a rank, and see which of its groups stay on NVLink \
            and which cross the network, with bytes and seconds.",
    parameters: &[
        setup::MODEL,
        setup::NODES,
        setup::PER_NODE,
        setup::TP,
        setup::CP,
        setup::PP,
        Parameter::choice(
            ("order", "order of axes"),
            ORDERS,
            "the axis whose ranks are neighbours comes first",
        ),
        Parameter::counting(
            ("rank", "rank"),
            PLAIN,
            (0.0, 37.0, 4607.0),
            "the rank whose groups are shown",
        ),
        Parameter::doubling(
            ("ep", "EP"),
            Unit::count("ranks"),
            (1.0, 1.0, 64.0),
            "expert-parallel degree; it reuses ranks of a stage",
        ),
        setup::ZERO,
        setup::MICRO_BATCH,
        setup::SEQUENCE,
        setup::GLOBAL_BATCH,
        setup::NVLINK,
        setup::NIC,
    ],
    presets: &[
        Preset {
            name: "70B, TP8 PP4 DP2",
            set: &[
                ("model", 2.0),
                ("tp", 8.0),
                ("pp", 4.0),
                ("cp", 1.0),
                ("order", 0.0),
            ],
        },
        Preset {
            name: "the same, TP slowest",
            set: &[
                ("model", 2.0),
                ("tp", 8.0),
                ("pp", 4.0),
                ("cp", 1.0),
                ("order", 23.0),
            ],
        },
        Preset {
            name: "70B, TP4 CP2 PP4 DP2",
            set: &[("model", 2.0), ("tp", 4.0), ("cp", 2.0), ("pp", 4.0)],
        },
        Preset {
            name: "70B, pure FSDP",
            set: &[
                ("model", 2.0),
                ("tp", 1.0),
                ("cp", 1.0),
                ("pp", 1.0),
                ("zero", 3.0),
            ],
        },
        Preset {
            name: "175B, TP8 PP8",
            set: &[("model", 3.0), ("tp", 8.0), ("pp", 8.0), ("sequence", 2048.0)],
        },
        Preset {
            name: "EP8 on TP1 PP4",
            set: &[("model", 0.0), ("tp", 1.0), ("pp", 4.0), ("ep", 8.0)],
        },
    ],
    run,
};

/// Every order of the four axes; [`axes`] reads them.
const ORDERS: &[(&str, &str)] = &[
    ("tp-cp-dp-pp", "tp cp dp pp"),
    ("tp-cp-pp-dp", "tp cp pp dp"),
    ("tp-dp-cp-pp", "tp dp cp pp"),
    ("tp-dp-pp-cp", "tp dp pp cp"),
    ("tp-pp-cp-dp", "tp pp cp dp"),
    ("tp-pp-dp-cp", "tp pp dp cp"),
    ("cp-tp-dp-pp", "cp tp dp pp"),
    ("cp-tp-pp-dp", "cp tp pp dp"),
    ("cp-dp-tp-pp", "cp dp tp pp"),
    ("cp-dp-pp-tp", "cp dp pp tp"),
    ("cp-pp-tp-dp", "cp pp tp dp"),
    ("cp-pp-dp-tp", "cp pp dp tp"),
    ("dp-tp-cp-pp", "dp tp cp pp"),
    ("dp-tp-pp-cp", "dp tp pp cp"),
    ("dp-cp-tp-pp", "dp cp tp pp"),
    ("dp-cp-pp-tp", "dp cp pp tp"),
    ("dp-pp-tp-cp", "dp pp tp cp"),
    ("dp-pp-cp-tp", "dp pp cp tp"),
    ("pp-tp-cp-dp", "pp tp cp dp"),
    ("pp-tp-dp-cp", "pp tp dp cp"),
    ("pp-cp-tp-dp", "pp cp tp dp"),
    ("pp-cp-dp-tp", "pp cp dp tp"),
    ("pp-dp-tp-cp", "pp dp tp cp"),
    ("pp-dp-cp-tp", "pp dp cp tp"),
];

fn axes(order: &str) -> Vec<Axis> {
    order.split('-').filter_map(Axis::named).collect()
}

fn run(settings: &Settings) -> Run {
    let mut run = Run::default();
    let mut plan = setup::plan(settings, &mut run);
    plan.order = axes(ORDERS[settings.count("order")].0);
    let layout = plan.layout();
    plan.experts = experts(&plan, settings.count("ep"), &mut run);
    let last = layout.ranks() - 1;
    let rank = settings.count("rank").min(last);
    if rank < settings.count("rank") {
        run.notes
            .push(format!("the ranks go up to {last}: that one is shown"));
    }
    let traffic = plan.traffic();
    outputs(&mut run, (&plan, &traffic), rank);
    questions(&mut run, &plan, rank);
    run.views.push(nodes_view(&plan, rank));
    run.views.push(links_view(&traffic));
    run.views.push(seconds_view(&plan, &traffic));
    run.views
        .push(View::lazy("orders", move || orders_frame(&plan)).comparing(&["order"]));
    run
}

fn experts(plan: &Plan, degree: usize, run: &mut Run) -> Option<Experts> {
    if degree <= 1 {
        return None;
    }
    let stage = plan.tp * plan.cp * plan.dp;
    if !stage.is_multiple_of(degree) {
        run.notes.push(format!(
            "ep {degree} does not divide the {stage} ranks of a stage; it is left out"
        ));
        return None;
    }
    let count = 64.max(degree);
    run.notes.push(format!(
        "the model is dense: {count} experts a layer, 2 a token, are assumed in place of its MLP"
    ));
    Some(Experts {
        count,
        top: 2,
        degree,
    })
}

/// Seconds of an axis, or 0.
fn seconds_of(traffic: &[Traffic], axis: &str) -> f64 {
    traffic.iter().find(|t| t.axis == axis).map_or(0.0, |t| t.seconds)
}

fn outputs(run: &mut Run, (plan, traffic): (&Plan, &[Traffic]), rank: usize) {
    let layout = plan.layout();
    run.found("dp", "DP, what is left", plan.dp as f64, Unit::count("ranks"));
    run.found("ranks", "ranks", layout.ranks() as f64, Unit::count("ranks"));
    run.worked(
        "micro_batches",
        "micro-batches",
        Unit::count("micro-batches"),
        setup::micro_batches(plan),
    );
    const NAMES: [(Axis, [&str; 4], [&str; 4]); 4] = [
        (
            Axis::Tp,
            ["nodes_tp", "sent_tp", "rate_tp", "time_tp"],
            ["TP spans", "a GPU sends for TP", "TP rate", "TP time"],
        ),
        (
            Axis::Cp,
            ["nodes_cp", "sent_cp", "rate_cp", "time_cp"],
            ["CP spans", "a GPU sends for CP", "CP rate", "CP time"],
        ),
        (
            Axis::Dp,
            ["nodes_dp", "sent_dp", "rate_dp", "time_dp"],
            ["DP spans", "a GPU sends for DP", "DP rate", "DP time"],
        ),
        (
            Axis::Pp,
            ["nodes_pp", "sent_pp", "rate_pp", "time_pp"],
            ["PP spans", "a GPU sends for PP", "PP rate", "PP time"],
        ),
    ];
    let all: f64 = traffic.iter().map(|t| t.seconds).sum();
    run.counted(
        ("time_all", "all axes, if nothing hides"),
        all,
        SECONDS,
        "the seconds of every axis, summed",
    );
    run.counted(
        ("compute_time", "compute of a step"),
        plan.compute_seconds(),
        SECONDS,
        "FLOP of a step over what all GPUs achieve",
    );
    let mut names = NAMES;
    // what is split comes first
    names.sort_by_key(|(axis, ..)| layout.degree(*axis) == 1);
    for (axis, names, labels) in names {
        let found = traffic.iter().find(|t| t.axis == axis.name());
        let (nodes, rate) = found.map_or((1, plan.machines.nvlink), |t| (t.nodes, t.bandwidth));
        run.found(names[0], labels[0], nodes as f64, Unit::count("nodes"));
        run.worked_or_0(names[1], labels[1], GB, setup::sent(plan, axis));
        run.found(names[2], labels[2], rate, GB_PER_S);
        run.found(names[3], labels[3], seconds_of(traffic, axis.name()), SECONDS);
    }
    let ep = traffic.iter().find(|t| t.axis == "ep");
    run.found(
        "nodes_ep",
        "EP spans",
        ep.map_or(1.0, |t| t.nodes as f64),
        Unit::count("nodes"),
    );
    run.found("sent_ep", "a GPU sends for EP", ep.map_or(0.0, |t| t.bytes), GB);
    run.found("time_ep", "EP time", ep.map_or(0.0, |t| t.seconds), SECONDS);

    run.found("node", "node of the rank", layout.node(rank) as f64, PLAIN);
    for (axis, name, label) in [
        (Axis::Tp, "at_tp", "TP coordinate"),
        (Axis::Cp, "at_cp", "CP coordinate"),
        (Axis::Dp, "at_dp", "DP coordinate"),
        (Axis::Pp, "at_pp", "PP coordinate"),
    ] {
        run.found(name, label, layout.coordinate(rank, axis) as f64, PLAIN);
    }
}

/// The tone of an axis, the same in every picture.
fn tone(axis: Axis) -> Tone {
    Tone::Nth(match axis {
        Axis::Tp => 0,
        Axis::Cp => 1,
        Axis::Dp => 2,
        Axis::Pp => 3,
    })
}

/// The letter behind a rank that shares this axis alone with the chosen one, and what it means.
const LETTERS: [(Axis, &str, &str); 4] = [
    (Axis::Tp, "t", "t: its TP group"),
    (Axis::Cp, "c", "c: its CP group"),
    (Axis::Dp, "d", "d: its DP group"),
    (Axis::Pp, "p", "p: its PP group"),
];

/// First the groups of the chosen rank, then the groups of each axis.
fn nodes_view(plan: &Plan, rank: usize) -> View {
    let (layout, per_node) = (plan.layout(), plan.machines.per_node);
    let axes: Vec<Axis> = layout
        .order()
        .into_iter()
        .filter(|a| layout.degree(*a) > 1)
        .collect();
    View::stepped("ranks on nodes", axes.len() + 1, move |step| {
        match step.checked_sub(1) {
            None => rank_frame(&layout, per_node, rank),
            Some(axis) => axis_frame(&layout, per_node, axes[axis]),
        }
    })
}

fn grid_of(
    layout: &Layout,
    per_node: usize,
    cell: impl Fn(usize) -> Cell,
) -> (Vec<String>, Vec<(String, Vec<Cell>)>) {
    let ranks = layout.ranks();
    let row = |node: usize| {
        let slot = |gpu: usize| {
            let rank = node * per_node + gpu;
            if rank < ranks {
                cell(rank)
            } else {
                Cell {
                    text: String::new(),
                    tone: Tone::Empty,
                }
            }
        };
        (format!("n{node}"), (0..per_node).map(slot).collect())
    };
    let rows = (0..ranks.div_ceil(per_node)).map(row).collect();
    ((0..per_node).map(|gpu| format!("g{gpu}")).collect(), rows)
}

fn rank_frame(layout: &Layout, per_node: usize, chosen: usize) -> Frame {
    let shared = |rank: usize| {
        let differ: Vec<Axis> = Axis::ALL
            .into_iter()
            .filter(|a| layout.coordinate(rank, *a) != layout.coordinate(chosen, *a))
            .collect();
        match differ.as_slice() {
            [] => Tone::Chosen,
            [axis] => tone(*axis),
            _ => Tone::Empty,
        }
    };
    let (columns, rows) = grid_of(layout, per_node, |rank| {
        let tone = shared(rank);
        let letter = LETTERS.iter().find(|(axis, ..)| self::tone(*axis) == tone);
        let text = match tone {
            Tone::Chosen => format!("[{rank}]"),
            _ => format!("{rank}{}", letter.map_or("", |(_, letter, _)| letter)),
        };
        Cell { text, tone }
    });
    let mut legend = vec![(Tone::Chosen, "the rank")];
    legend.extend(
        LETTERS
            .into_iter()
            .filter(|(a, ..)| layout.degree(*a) > 1)
            .map(|(a, _, name)| (tone(a), name)),
    );
    let at: Vec<String> = layout
        .order()
        .into_iter()
        .filter(|a| layout.degree(*a) > 1)
        .map(|a| format!("{} {}", a.name().to_uppercase(), layout.coordinate(chosen, a)))
        .collect();
    let place = if at.is_empty() {
        "alone".to_owned()
    } else {
        at.join(", ")
    };
    let caption = format!("rank {chosen} on node {}: {place}", layout.node(chosen));
    let grid = Grid {
        corner: "node".into(),
        columns,
        rows,
        legend,
    };
    Frame {
        caption,
        picture: Picture::Grid(grid),
        now: None,
    }
}

fn axis_frame(layout: &Layout, per_node: usize, axis: Axis) -> Frame {
    // Groups are numbered by what their ranks have in common.
    let group = |rank: usize| {
        let stride = layout.stride(axis);
        rank / (stride * layout.degree(axis)) * stride + rank % stride
    };
    let cell = |rank: usize| Cell {
        text: group(rank).to_string(),
        tone: Tone::Nth((group(rank) % 12) as u8),
    };
    let (columns, rows) = grid_of(layout, per_node, cell);
    let spans = layout.nodes_spanned(axis);
    let groups = layout.ranks() / layout.degree(axis);
    let where_to = if spans == 1 {
        "each inside a node".to_owned()
    } else {
        format!("each over {spans} nodes")
    };
    let caption = format!(
        "{}: {groups} groups of {}, {where_to}",
        axis.name().to_uppercase(),
        layout.degree(axis)
    );
    let grid = Grid {
        corner: format!("{} group", axis.name().to_uppercase()),
        columns,
        rows,
        legend: vec![(Tone::Nth(0), "same number, same group")],
    };
    Frame {
        caption,
        picture: Picture::Grid(grid),
        now: None,
    }
}

fn ranks_text(ranks: &[usize]) -> String {
    let shown: Vec<String> = ranks.iter().take(4).map(usize::to_string).collect();
    let more = if ranks.len() > 4 { ", ..." } else { "" };
    format!("{}{more}", shown.join(", "))
}

/// Whether compute hides what an axis sends.
fn hides(traffic: &Traffic) -> &'static str {
    match traffic.axis {
        "tp" => "backward half",
        _ if traffic.overlapped => "yes",
        _ => "no",
    }
}

/// The seconds of an axis, in what nothing hides and what compute can hide: half of TP's, its backward.
pub(super) fn pieces(traffic: &Traffic) -> Vec<(Tone, f64)> {
    let exposed = match traffic.axis {
        "tp" => 0.5,
        _ if traffic.overlapped => 0.0,
        _ => 1.0,
    };
    let seconds = traffic.seconds;
    vec![
        (Tone::Exposed, exposed * seconds),
        (Tone::Hidden, (1.0 - exposed) * seconds),
    ]
}

fn links_view(traffic: &[Traffic]) -> View {
    let row = |t: &Traffic| {
        let link = if t.nodes > 1 {
            format!("NICs, {} nodes", t.nodes)
        } else {
            "NVLink".to_owned()
        };
        let cells = vec![
            t.axis.to_uppercase(),
            ranks_text(&t.ranks),
            link,
            quantity::show(t.bytes, GB),
            quantity::show(t.bandwidth, GB_PER_S),
            quantity::show(t.seconds, SECONDS),
            hides(t).to_owned(),
        ];
        (Tone::Empty, cells)
    };
    let table = Table {
        columns: [
            "axis",
            "first group",
            "link",
            "sent a step",
            "rate",
            "seconds",
            "can hide",
        ]
        .map(str::to_owned)
        .to_vec(),
        rows: traffic.iter().map(row).collect(),
    };
    let caption = "a group that leaves the node gets one NIC for each of its ranks there";
    View::still("which axis crosses which link", caption, Picture::Table(table))
}

fn seconds_view(plan: &Plan, traffic: &[Traffic]) -> View {
    let mut bars = vec![Bar {
        label: "compute".into(),
        pieces: vec![(Tone::Forward, plan.compute_seconds())],
        chosen: false,
        said: None,
    }];
    bars.extend(traffic.iter().map(|t| Bar {
        label: t.axis.to_uppercase(),
        pieces: pieces(t),
        chosen: false,
        said: None,
    }));
    let greatest = traffic.iter().max_by(|a, b| a.seconds.total_cmp(&b.seconds));
    let caption = greatest.map_or("nothing is sent".into(), |t| {
        format!(
            "{} costs most: {} a step",
            t.axis.to_uppercase(),
            quantity::show(t.seconds, SECONDS)
        )
    });
    let legend = vec![
        (Tone::Forward, "compute"),
        (Tone::Hidden, "compute can hide it"),
        (Tone::Exposed, "on the critical path"),
    ];
    View::still(
        "seconds by axis",
        caption,
        Picture::Bars(Bars {
            unit: "s",
            bars,
            limit: None,
            reach: 0.0,
            legend,
        }),
    )
}

/// The most ranks for which every order is tried.
const MOST_TRIED: usize = 512;

fn orders_frame(plan: &Plan) -> Frame {
    let tried = if plan.layout().ranks() > MOST_TRIED {
        &ORDERS[..1]
    } else {
        ORDERS
    };
    let mut rows: Vec<(f64, bool, String, Vec<f64>)> = Vec::new();
    for (name, _) in tried {
        let other = Plan {
            order: axes(name),
            ..plan.clone()
        };
        let text = other.layout().order_text();
        if rows.iter().any(|(_, _, seen, _)| *seen == text) {
            continue;
        }
        let traffic = other.traffic();
        let seconds: Vec<f64> = ["tp", "cp", "dp", "pp"]
            .iter()
            .map(|a| seconds_of(&traffic, a))
            .collect();
        let same = plan.layout().order_text() == text;
        rows.push((seconds.iter().sum(), same, text, seconds));
    }
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    let row = |(total, same, text, seconds): (f64, bool, String, Vec<f64>)| {
        let shown = |s: f64| {
            if s > 0.0 {
                quantity::show(s, SECONDS)
            } else {
                "none".into()
            }
        };
        let mut cells = vec![text];
        cells.extend(seconds.into_iter().map(shown));
        cells.push(shown(total));
        (if same { Tone::Chosen } else { Tone::Empty }, cells)
    };
    let table = Table {
        columns: ["order", "TP", "CP", "DP", "PP", "all"]
            .map(str::to_owned)
            .to_vec(),
        rows: rows.into_iter().map(row).collect(),
    };
    let caption = "the same degrees in every order, the least traffic time first; orders that differ only in axes of degree 1 are one";
    Frame {
        caption: caption.into(),
        picture: Picture::Table(table),
        now: None,
    }
}

fn questions(run: &mut Run, plan: &Plan, rank: usize) {
    let layout = plan.layout();
    let order = layout.order_text();
    run.ask(
        format!("In the order {order}, which pipeline stage is rank {rank} in (counted from 0)?"),
        (layout.coordinate(rank, Axis::Pp) as f64, PLAIN),
        "Divide the rank by the stride of pp, the product of the degrees before it in the order, and take the rest by pp.",
    );
    run.ask(
        "How many nodes does a data-parallel group touch?",
        (layout.nodes_spanned(Axis::Dp) as f64, Unit::count("nodes")),
        "Its ranks are a stride apart: once the stride reaches the GPUs of a node, every rank is on another node.",
    );
    let traffic = plan.traffic();
    let names: Vec<String> = traffic.iter().map(|t| t.axis.to_uppercase()).collect();
    let greatest = traffic
        .iter()
        .enumerate()
        .max_by(|a, b| a.1.seconds.total_cmp(&b.1.seconds))
        .map(|(i, _)| i);
    if let Some(right) = greatest.filter(|_| names.len() > 1) {
        run.choose(
            "Which axis takes the most seconds a step?",
            (names, right),
            "TP sends activations in every layer of every micro-batch; DP sends gradients once, PP only at stage boundaries. \
             The link then decides how long it takes.",
        );
    }
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

    #[test]
    fn rank_37_and_traffic_of_the_plan_lab() {
        // The lab takes 64 micro-batches and 70e9 parameters.
        let run = at(&[("global_batch", 128.0)]);
        let at = |name| run.value(name);
        assert_eq!(
            (at("at_tp"), at("at_dp"), at("at_pp"), at("node")),
            (5.0, 0.0, 2.0, 4.0)
        );
        assert_eq!(
            (
                at("nodes_tp"),
                at("nodes_dp"),
                at("nodes_pp"),
                at("micro_batches")
            ),
            (1.0, 2.0, 4.0, 64.0)
        );
        assert!((at("sent_tp") / 1e9 - 601.3).abs() < 0.05 && (at("time_tp") - 1.63).abs() < 0.005);
        assert!((at("sent_pp") / 1e9 - 1.1).abs() < 0.05 && (at("time_pp") - 0.02).abs() < 0.005);
        assert!((at("sent_dp") / 1e9 - 4.3).abs() < 0.05 && (at("time_dp") - 0.1).abs() < 0.005);
    }

    #[test]
    fn tensor_parallel_slowest_costs_eight_times() {
        let run = at(&[("global_batch", 128.0), ("order", 23.0)]);
        assert_eq!(run.value("nodes_tp"), 8.0);
        assert!((run.value("time_tp") - 13.36).abs() < 0.005);
    }

    #[test]
    fn formulas_and_plan_agree_on_every_axis() {
        for set in [
            &[("tp", 4.0), ("cp", 2.0), ("pp", 4.0)][..],
            &[("tp", 2.0), ("cp", 4.0), ("pp", 2.0), ("zero", 3.0)],
            &[("tp", 1.0), ("pp", 8.0), ("zero", 2.0), ("model", 3.0)],
        ] {
            let mut sim = Sim::new(&KIND);
            for (name, value) in set {
                sim.set(name, *value).expect("a knob");
            }
            let plan = setup::plan(&sim.settings, &mut Run::default());
            let run = sim.run();
            let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b.abs();
            assert!(near(run.value("sent_tp"), plan.tensor_bytes()), "{set:?}");
            assert!(near(run.value("sent_pp"), plan.pipeline_bytes()), "{set:?}");
            assert!(
                near(
                    run.value("sent_dp"),
                    if plan.dp > 1 { plan.data_bytes() } else { 0.0 }
                ),
                "{set:?}"
            );
            assert!(near(run.value("sent_cp"), plan.context_bytes()), "{set:?}");
        }
    }

    #[test]
    fn orders_are_all_and_each_once() {
        let mut seen: Vec<Vec<Axis>> = ORDERS.iter().map(|(name, _)| axes(name)).collect();
        assert!(seen.iter().all(|order| order.len() == 4));
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), 24);
    }

    #[test]
    fn degrees_that_do_not_fit_are_cut_and_told() {
        let run = at(&[("tp", 64.0), ("pp", 64.0)]);
        assert_eq!(run.value("ranks"), 64.0);
        assert!(run.notes[0].contains("do not fit"), "{:?}", run.notes);
    }

    #[test]
    fn the_grid_shows_every_rank_once() {
        let run = at(&[("per_node", 3.0), ("nodes", 5.0), ("tp", 1.0), ("pp", 1.0)]);
        let Picture::Grid(grid) = run.views[0].frame(0).picture else {
            panic!("a grid")
        };
        let texts: Vec<String> = grid
            .rows
            .iter()
            .flat_map(|(_, cells)| cells)
            .map(|c| c.text.trim_matches(|c: char| !c.is_ascii_digit()).to_owned())
            .collect();
        assert_eq!(texts, (0..15).map(|r| r.to_string()).collect::<Vec<_>>());
    }
}
