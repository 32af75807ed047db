//! The roofline, and where a product of the layout stands under it.

use super::Step;
use crate::sim::formula::step as formula;
use crate::sim::picture::{Axis, Line, Picture, Series, Tone, View};
use crate::sim::quantity::{self};

pub(super) fn roofline_view(step: &Step) -> View {
    let (peak, hbm) = (step.peak, step.hbm);
    let ridge = formula::ridge_point(peak, hbm);
    let points =
        (0..=40).map(|i| 2f64.powf(-2.0 + f64::from(i) * 0.4)).map(|x| (x, formula::roofline(x, peak, hbm)));
    let plan = &step.plan;
    let reached = plan.machines.rate;
    let (h, t) = (f64::from(plan.model.hidden), plan.tp as f64);
    let rows = plan.micro_batch as f64 * plan.sequence as f64 / plan.cp as f64;
    let mark = |name: &str, rows: f64, columns: f64, inner: f64| {
        let x = formula::matmul_intensity(rows, columns, inner);
        (x, formula::roofline(x, peak, hbm), name.to_owned())
    };
    let mut marks = vec![
        (ridge, peak, "ridge".to_owned()),
        mark("MLP up product, all rows", rows, 4.0 * h / t, h),
        mark("the same with 16 rows, as in decoding", 16.0, 4.0 * h / t, h),
    ];
    marks.retain(|(x, y, _)| x.is_finite() && y.is_finite());
    let series = Series {
        x: Axis { label: "FLOP per byte", unit: "", log: true },
        y: Axis { label: "FLOP per second", unit: "FLOP/s", log: true },
        lines: vec![
            Line {
                label: "roof of the data sheet".into(),
                tone: Tone::Nth(0),
                points: points.clone().collect(),
            },
            Line {
                label: "what products reach".into(),
                tone: Tone::Nth(1),
                points: points.map(|(x, y)| (x, y.min(reached))).collect(),
            },
        ],
        marks,
    };
    let here = formula::matmul_intensity(rows, 4.0 * h / t, h);
    let bound = if here < ridge { "memory" } else { "compute" };
    let caption = format!(
        "ridge at {} FLOP/B; the MLP up product of a rank has {}: {bound} bound",
        quantity::digits(ridge),
        quantity::digits(here)
    );
    View::still("roofline", caption, Picture::Series(series))
}
