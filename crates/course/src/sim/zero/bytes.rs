//! Bytes on a GPU: by stage, and over ranks.

use super::{Ledger, knob};
use crate::sim::picture::{Axis, Bar, Bars, Line, Picture, Series, Tone, View};
use crate::sim::quantity::{self, GB};

pub(super) fn bars_view(ledger: &Ledger, stage: usize, limit: f64) -> View {
    let bar = |s: usize| {
        let bytes = ledger.bytes(s);
        Bar {
            label: ["plain DDP", "ZeRO-1", "ZeRO-2", "ZeRO-3"][s].to_owned(),
            pieces: vec![
                (Tone::Weights, bytes.weights),
                (Tone::Gradients, bytes.gradients),
                (Tone::Optimizer, bytes.optimizer),
                (Tone::Buffer, bytes.gathered),
                (Tone::Activations, ledger.activations),
            ],
            chosen: s == stage,
            said: None,
        }
    };
    let bars = Bars {
        unit: "GB",
        bars: (0..4).map(bar).collect(),
        limit: Some((limit.max(0.0), "usable".into())),
        reach: 0.0,
        legend: vec![
            (Tone::Weights, "weights"),
            (Tone::Gradients, "gradients"),
            (Tone::Optimizer, "optimizer state"),
            (Tone::Buffer, "gathered layers"),
            (Tone::Activations, "activations"),
        ],
    };
    let peak = quantity::show(ledger.peak(stage), GB);
    let fits = if ledger.peak(stage) <= limit { "fits" } else { "does not fit" };
    View::still("bytes on each GPU", format!("stage {stage}: {peak}, which {fits}"), Picture::Bars(bars))
        .comparing(&[knob::stage])
}

pub(super) fn ranks_view(ledger: &Ledger, stage: usize, limit: f64) -> View {
    let line = |stage: usize| Line {
        label: format!("stage {stage}"),
        tone: Tone::Nth(stage as u8),
        points: (0..=12)
            .map(|e| f64::from(1 << e))
            .map(|ranks| (ranks, Ledger { ranks, ..*ledger }.peak(stage)))
            .collect(),
    };
    let usable = Line {
        label: "usable".into(),
        tone: Tone::Lost,
        points: vec![(1.0, limit.max(1.0)), (4096.0, limit.max(1.0))],
    };
    let series = Series {
        x: Axis { label: "ranks", unit: "", log: true },
        y: Axis { label: "peak", unit: "GB", log: true },
        lines: (0..4).map(line).chain([usable]).collect(),
        marks: vec![(ledger.ranks, ledger.peak(stage), "here".into())],
    };
    let caption =
        "stage 1 stops at 4 bytes a parameter, stage 2 at 2, stage 3 at the gathered layers and activations";
    View::still("peak over ranks", caption, Picture::Series(series)).comparing(&[knob::stage, knob::ranks])
}
