//! Communication over compute, by the ranks of the group.

use super::layer::Layer;
use crate::sim::picture::{Axis, Line, Picture, Series, Tone, View};

pub(super) fn share_view(layer: &Layer) -> View {
    let line = |label: &str, tone: u8, in_node: fn(f64) -> f64| Line {
        label: label.to_owned(),
        tone: Tone::Nth(tone),
        points: (1..=6)
            .map(|e| f64::from(1 << e))
            .map(|ranks| {
                let layer = Layer { ranks, in_node: in_node(ranks), ..*layer };
                let compute = layer.gemm(36.0);
                (ranks, 4.0 * layer.all_reduce(layer.message()) / compute)
            })
            .collect(),
    };
    let here = 4.0 * layer.all_reduce(layer.message()) / layer.gemm(36.0);
    let series = Series {
        x: Axis { label: "ranks", unit: "", log: true },
        y: Axis { label: "communication over compute", unit: "%", log: true },
        lines: vec![
            line("one NVLink domain", 0, |ranks| ranks),
            line("nodes of 8", 1, |ranks| ranks.min(8.0)),
            line("one rank a node", 2, |_| 1.0),
            Line {
                label: "as long as compute".into(),
                tone: Tone::Lost,
                points: vec![(2.0, 1.0), (64.0, 1.0)],
            },
        ],
        marks: if layer.ranks > 1.0 { vec![(layer.ranks, here, "here".into())] } else { Vec::new() },
    };
    let caption = "the share does not depend on the batch: both sides grow with the tokens";
    View::still("share over ranks", caption, Picture::Series(series)).comparing(&["ranks"])
}
