//! Exposed time over the bucket cap.

use super::step::Step;
use super::step::total_exposed;
use crate::sim::picture::{Axis, Frame, Line, Picture, Series, Tone};
use crate::sim::quantity;

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
    let here = (step.cap.min(2.0 * whole), total_exposed(step, &step.run()));
    let marks = marks(&points, best, here);
    let series = Series {
        x: Axis { label: "bucket cap", unit: "MiB", log: true },
        y: Axis { label: "exposed", unit: "s", log: false },
        lines: vec![Line { label: "exposed".into(), tone: Tone::Exposed, points }],
        marks,
    };
    let caption = "small buckets pay latency again and again; large ones start late and leave a tail";
    Frame { caption: caption.into(), picture: Picture::Series(series), now: None }
}

/// Times that differ by less than this share are the same.
const SAME: f64 = 1e-6;

/// The least of a curve, and where one is. Where several are as good, one of them is not told to be better than the
/// others: the mark stands where one is, or else says from where to where they reach.
fn marks(points: &[(f64, f64)], least: (f64, f64), here: (f64, f64)) -> Vec<(f64, f64, String)> {
    let is_least = |time: f64| time <= least.1.min(here.1) * (1.0 + SAME) + 1e-12;
    if is_least(here.1) {
        return vec![(here.0, here.1, "here, least exposed".to_owned())];
    }
    let at = points.iter().position(|point| *point == least).unwrap_or(0);
    let last = points[at..].iter().take_while(|(_, time)| is_least(*time)).last().unwrap_or(&least);
    let mib = |cap: f64| quantity::digits(cap / f64::from(1 << 20));
    let name = match last.0 > least.0 {
        true => format!("least exposed, {} to {} MiB", mib(least.0), mib(last.0)),
        false => "least exposed".to_owned(),
    };
    vec![(least.0, least.1, name), (here.0, here.1, "here".to_owned())]
}

#[cfg(test)]
mod tests {
    use super::*;

    const CURVE: [(f64, f64); 4] = [(1e6, 9e-3), (4e6, 8e-4), (8e6, 8e-4), (32e6, 2e-3)];

    #[test]
    fn whoever_is_as_good_as_the_least_is_told_so() {
        let told = |here| {
            marks(&CURVE, CURVE[1], here).into_iter().map(|(x, _, name)| (x, name)).collect::<Vec<_>>()
        };
        assert_eq!(told(CURVE[2]), [(8e6, "here, least exposed".to_owned())]);
        // between two of the points that are drawn one may be better than both
        assert_eq!(told((6e6, 7e-4)), [(6e6, "here, least exposed".to_owned())]);
        let [(x, name), (_, here)] = &told(CURVE[0])[..] else { panic!("two marks") };
        assert_eq!((*x, here.as_str()), (4e6, "here"));
        assert_eq!(name, "least exposed, 3.81 to 7.63 MiB");
    }
}
