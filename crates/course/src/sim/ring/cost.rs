//! What the ways cost: over the message, over the ranks, side by side.

use super::group::Group;
use super::group::WAYS;
use super::group::Way;
use crate::sim::formula::collective;
use crate::sim::picture::{Axis, Line, Picture, Series, Table, Tone, View};
use crate::sim::quantity::{self, GB_PER_S, SECONDS};

pub(super) fn cost_view(group: &Group, size: f64) -> View {
    let group = *group;
    let lines = WAYS.iter().enumerate().map(|(i, (way, label))| Line {
        label: (*label).into(),
        tone: Tone::Nth(i as u8),
        points: (0..=84)
            .map(|i| 2f64.powf(10.0 + f64::from(i) * 0.3))
            .map(|s| (s, group.time(*way, s)))
            .filter(|(_, t)| *t > 0.0)
            .collect(),
    });
    let (names, fastest) = group.ranked(size);
    let mut marks = vec![(size, group.time(group.best(size).0, size), "here".to_owned())];
    let (rate, alpha) = group.ring_link(group.per_node);
    let crossover = collective::ring_crossover_bytes(group.ranks(), alpha, rate);
    if crossover > 1024.0 {
        marks.push((crossover, group.time(Way::Rails, crossover), "ring: latency as long as bytes".into()));
    }
    let series = Series {
        x: Axis { label: "message", unit: "MiB", log: true },
        y: Axis { label: "time", unit: "s", log: true },
        lines: lines.filter(|l| !l.points.is_empty()).collect(),
        marks,
    };
    View::still(
        "time over message size",
        format!("fastest at this size: {}; small messages pay latency, large ones bytes", names[fastest]),
        Picture::Series(series),
    )
    .comparing(&["size"])
}

pub(super) fn ranks_view(group: &Group, size: f64) -> View {
    let point = |nodes: f64, way: Way| {
        let group = Group { nodes, ..*group };
        (group.ranks(), group.time(way, size))
    };
    let lines = WAYS.iter().enumerate().map(|(i, (way, label))| Line {
        label: (*label).into(),
        tone: Tone::Nth(i as u8),
        points: (0..=7)
            .map(|e| point(f64::from(1 << e), *way))
            .filter(|(n, t)| *n > 1.0 && *t > 0.0)
            .collect(),
    });
    let here = (group.ranks(), group.time(group.best(size).0, size), "here".to_owned());
    let series = Series {
        x: Axis { label: "ranks", unit: "", log: true },
        y: Axis { label: "time", unit: "s", log: true },
        lines: lines.collect(),
        marks: vec![here],
    };
    let caption = "the bytes of a ring stop growing at twice the message; its latency grows with every rank";
    View::still("time over ranks", caption, Picture::Series(series)).comparing(&["ranks_per_node", "nodes"])
}

pub(super) fn ways_view(group: &Group, size: f64) -> View {
    let best = group.best(size).0;
    let row = |(way, label): &(Way, &str)| {
        let time = group.time(*way, size);
        let cells = vec![
            (*label).to_owned(),
            quantity::show(time, SECONDS),
            quantity::show(collective::algbw(size, time), GB_PER_S),
            quantity::show(collective::busbw(group.ranks(), size, time), GB_PER_S),
        ];
        (if *way == best { Tone::Chosen } else { Tone::Empty }, cells)
    };
    let table = Table {
        columns: ["algorithm", "time", "algbw", "busbw"].map(str::to_owned).to_vec(),
        rows: WAYS.iter().map(row).collect(),
    };
    View::still(
        "side by side",
        "busbw = algbw * 2(n-1)/n, so that it compares with a link. Ideal costs: the tree counts no bytes inside \
         the node, the hierarchy does its phases one after another",
        Picture::Table(table),
    )
}
