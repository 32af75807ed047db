//! Exposed time over the bucket cap.

use super::step::Step;
use super::step::total_exposed;
use crate::sim::picture::{Axis, Frame, Line, Picture, Series, Tone};

pub(super) fn cap_frame(step: &Step) -> Frame {
    let whole = step.gradient_bytes();
    let point = |cap: f64| {
        let timeline = Step { cap, ..*step }.run();
        (cap, total_exposed(step, &timeline))
    };
    let points =
        (0..=48).map(|i| 2f64.powf(18.0 + f64::from(i) * 0.375)).take_while(|cap| *cap < 2.0 * whole);
    let points: Vec<(f64, f64)> = points.chain([2.0 * whole]).map(point).collect();
    let best = points.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or_default();
    let marks = vec![
        (best.0, best.1, "least exposed".to_owned()),
        (step.cap.min(2.0 * whole), total_exposed(step, &step.run()), "here".to_owned()),
    ];
    let series = Series {
        x: Axis { label: "bucket cap", unit: "MiB", log: true },
        y: Axis { label: "exposed", unit: "s", log: false },
        lines: vec![Line { label: "exposed".into(), tone: Tone::Exposed, points }],
        marks,
    };
    let caption = "small buckets pay latency again and again; large ones start late and leave a tail";
    Frame { caption: caption.into(), picture: Picture::Series(series), now: None }
}
