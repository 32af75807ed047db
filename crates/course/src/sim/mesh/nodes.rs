//! Ranks on nodes, with the groups that they form.

use crate::sim::layout::{Axis, Layout};
use crate::sim::picture::{Cell, Frame, Grid, Picture, Tone, View};
use crate::sim::plan::ParallelPlan;

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

/// Ranks that sum gradients with the chosen one and share neither its CP nor its DP group.
const SUMS: Tone = Tone::Nth(4);

/// First the groups of the chosen rank, then the groups of each axis.
pub(super) fn nodes_view(plan: &ParallelPlan, rank: usize) -> View {
    let (layout, per_node) = (plan.layout(), plan.machines.per_node);
    let axes: Vec<Axis> = layout.order().into_iter().filter(|a| layout.degree(*a) > 1).collect();
    View::stepped("ranks on nodes", axes.len() + 1, move |step| match step.checked_sub(1) {
        None => rank_frame(&layout, per_node, rank),
        Some(axis) => axis_frame(&layout, per_node, axes[axis]),
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
            if rank < ranks { cell(rank) } else { Cell { text: String::new(), tone: Tone::Empty } }
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
            [Axis::Cp, Axis::Dp] => SUMS,
            _ => Tone::Empty,
        }
    };
    let (columns, rows) = grid_of(layout, per_node, |rank| {
        let tone = shared(rank);
        let letter = LETTERS.iter().find(|(axis, ..)| self::tone(*axis) == tone);
        let text = match tone {
            Tone::Chosen => format!("[{rank}]"),
            SUMS => format!("{rank}g"),
            _ => format!("{rank}{}", letter.map_or("", |(_, letter, _)| letter)),
        };
        Cell { text, tone }
    });
    let mut legend = vec![(Tone::Chosen, "the rank")];
    legend.extend(
        LETTERS.into_iter().filter(|(a, ..)| layout.degree(*a) > 1).map(|(a, _, name)| (tone(a), name)),
    );
    if layout.degree(Axis::Cp) > 1 && layout.degree(Axis::Dp) > 1 {
        legend.push((SUMS, "g: sums gradients with it, as c and d do"));
    }
    let at: Vec<String> = layout
        .order()
        .into_iter()
        .filter(|a| layout.degree(*a) > 1)
        .map(|a| format!("{} {}", a.name().to_uppercase(), layout.coordinate(chosen, a)))
        .collect();
    let place = if at.is_empty() { "alone".to_owned() } else { at.join(", ") };
    let caption = format!("rank {chosen} on node {}: {place}", layout.node(chosen));
    let grid = Grid { corner: "node".into(), columns, rows, legend };
    Frame { caption, picture: Picture::Grid(grid), now: None }
}

fn axis_frame(layout: &Layout, per_node: usize, axis: Axis) -> Frame {
    // Groups are numbered by what their ranks have in common.
    let group = |rank: usize| {
        let stride = layout.stride(axis);
        rank / (stride * layout.degree(axis)) * stride + rank % stride
    };
    let cell =
        |rank: usize| Cell { text: group(rank).to_string(), tone: Tone::Nth((group(rank) % 12) as u8) };
    let (columns, rows) = grid_of(layout, per_node, cell);
    let spans = layout.nodes_spanned(axis);
    let groups = layout.ranks() / layout.degree(axis);
    let where_to =
        if spans == 1 { "each inside a node".to_owned() } else { format!("each over {spans} nodes") };
    let caption =
        format!("{}: {groups} groups of {}, {where_to}", axis.name().to_uppercase(), layout.degree(axis));
    let grid = Grid {
        corner: format!("{} group", axis.name().to_uppercase()),
        columns,
        rows,
        legend: vec![(Tone::Nth(0), "same number, same group")],
    };
    Frame { caption, picture: Picture::Grid(grid), now: None }
}
