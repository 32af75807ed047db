//! What the ways cost: over the message, over the ranks, side by side.

use super::{Reduce, knob};
use crate::sim::formula::collective;
use crate::sim::group::{Algorithm, Group};
use crate::sim::picture::{Axis, Line, Picture, Series, Table, Tone, View};
use crate::sim::quantity::{self, GB_PER_S, SECONDS};

/// A curve for each way, of `points` that are a place on the axis and the time there.
fn curves(points: impl Fn(Algorithm) -> Vec<(f64, f64)>) -> Vec<Line> {
    let line = |(nth, (way, label)): (usize, (Algorithm, &str))| Line {
        label: label.into(),
        tone: Tone::Nth(nth as u8),
        points: points(way).into_iter().filter(|(_, time)| *time > 0.0).collect(),
    };
    Algorithm::ALL.into_iter().enumerate().map(line).filter(|l| !l.points.is_empty()).collect()
}

fn time_axis() -> Axis {
    Axis { label: "time", unit: "s", log: true }
}

pub(super) fn cost_view(reduce: &Reduce) -> View {
    let reduce = *reduce;
    let sizes = || (0..=84).map(|i| 2f64.powf(10.0 + f64::from(i) * 0.3));
    let (names, fastest) = reduce.ranked();
    let mut marks = vec![(reduce.size, reduce.time(reduce.best(), reduce.size), "here".to_owned())];
    let crossover = reduce.crossover();
    if crossover > 1024.0 {
        let time = reduce.time(Algorithm::Ring, crossover);
        marks.push((crossover, time, "ring: latency as long as bytes".into()));
    }
    let series = Series {
        x: Axis { label: "message", unit: "MiB", log: true },
        y: time_axis(),
        lines: curves(|way| sizes().map(|size| (size, reduce.time(way, size))).collect()),
        marks,
    };
    View::still(
        "time over message size",
        format!("fastest at this size: {}; small messages pay latency, large ones bytes", names[fastest]),
        Picture::Series(series),
    )
    .comparing(&[knob::size])
}

pub(super) fn ranks_view(reduce: &Reduce, per_node: usize) -> View {
    let over = |nodes: usize| Reduce { group: Group::filling(nodes * per_node, per_node), ..*reduce };
    let points = |way: Algorithm| {
        let all = (0..=7).map(|e| over(1 << e));
        all.map(|r| (r.ranks(), r.time(way, r.size))).collect()
    };
    let series = Series {
        x: Axis { label: "ranks", unit: "", log: true },
        y: time_axis(),
        lines: curves(points),
        marks: vec![(reduce.ranks(), reduce.time(reduce.best(), reduce.size), "here".to_owned())],
    };
    let caption = "the bytes of a ring stop growing at twice the message; its latency grows with every rank";
    View::still("time over ranks", caption, Picture::Series(series))
        .comparing(&[knob::ranks_per_node, knob::nodes])
}

pub(super) fn ways_view(reduce: &Reduce) -> View {
    let best = reduce.best();
    let row = |(way, label): &(Algorithm, &str)| {
        let time = reduce.time(*way, reduce.size);
        let cells = vec![
            (*label).to_owned(),
            quantity::show(time, SECONDS),
            quantity::show(collective::algbw(reduce.size, time), GB_PER_S),
            quantity::show(collective::busbw(reduce.ranks(), reduce.size, time), GB_PER_S),
        ];
        (if *way == best { Tone::Chosen } else { Tone::Empty }, cells)
    };
    let table = Table {
        columns: ["algorithm", "time", "algbw", "busbw"].map(str::to_owned).to_vec(),
        rows: Algorithm::ALL.iter().map(row).collect(),
    };
    View::still(
        "side by side",
        "busbw = algbw * 2(n-1)/n, so that it compares with a link. Ideal costs: the tree counts no bytes inside \
         the node, the hierarchy does its phases one after another",
        Picture::Table(table),
    )
}
