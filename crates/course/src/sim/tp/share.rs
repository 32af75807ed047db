//! Communication over compute, by the ranks of the group.

use crate::sim::group::Group;
use crate::sim::layer::Layer;
use crate::sim::picture::{Axis, Line, Picture, Series, Tone, View};

/// Four all-reduces over the matrix products of a layer.
fn share(layer: &Layer) -> f64 {
    4.0 * layer.all_reduce(layer.message()) / layer.compute()
}

pub(super) fn share_view(layer: &Layer) -> View {
    let line = |label: &str, tone: u8, in_node: fn(usize) -> usize| Line {
        label: label.to_owned(),
        tone: Tone::Nth(tone),
        points: (1..=6)
            .map(|e| 1 << e)
            .map(|ranks: usize| {
                (ranks as f64, share(&Layer { group: Group::filling(ranks, in_node(ranks)), ..*layer }))
            })
            .collect(),
    };
    let here = share(layer);
    let series = Series {
        x: Axis { label: "ranks", unit: "", log: true },
        y: Axis { label: "communication over compute", unit: "%", log: true },
        lines: vec![
            line("one NVLink domain", 0, |ranks| ranks),
            line("nodes of 8", 1, |ranks| ranks.min(8)),
            line("one rank a node", 2, |_| 1),
            Line {
                label: "as long as compute".into(),
                tone: Tone::Lost,
                points: vec![(2.0, 1.0), (64.0, 1.0)],
            },
        ],
        marks: if layer.ranks() > 1.0 { vec![(layer.ranks(), here, "here".into())] } else { Vec::new() },
    };
    let caption = "the share does not depend on the batch: both sides grow with the tokens";
    View::still("share over ranks", caption, Picture::Series(series)).comparing(&[super::knob::ranks])
}
