//! How balancing evens the load out from step to step.

use super::Layer;
use super::router::{AUX_RATE, BALANCE_TOKENS, BIAS_RATE, Balance, Router};
use crate::sim::picture::{Axis, Frame, Line, Picture, Series, Tone};

pub(super) fn balance_frame(layer: &Layer) -> Frame {
    let line = |(label, balance, tone): (&str, Balance, u8)| {
        let (_, history) = Router { balance, steps: 64, ..layer.router }.balanced();
        let points = history.into_iter().enumerate().map(|(step, ratio)| (step as f64, ratio)).collect();
        Line { label: label.to_owned(), tone: Tone::Nth(tone), points }
    };
    let lines = [("bias per expert", Balance::Bias, 0), ("auxiliary loss", Balance::AuxLoss, 1)].map(line);
    let even = Line { label: "even".into(), tone: Tone::Done, points: vec![(0.0, 1.0), (63.0, 1.0)] };
    let mine = match layer.router.balance {
        Balance::None => None,
        Balance::Bias => lines.first(),
        Balance::AuxLoss => lines.get(1),
    };
    let at = mine.and_then(|line| line.points.get(layer.router.steps.min(63)));
    let here = at.map(|(step, ratio)| (*step, *ratio, "here".to_owned())).into_iter().collect();
    let series = Series {
        x: Axis { label: "step", unit: "", log: false },
        y: Axis { label: "hottest over the mean", unit: "", log: false },
        lines: lines.into_iter().chain([even]).collect(),
        marks: here,
    };
    let caption = format!(
        "a toy with steps of {BALANCE_TOKENS} tokens, which stay noisy; the bias goes up or down by {BIAS_RATE} and only \
         moves choices, the auxiliary loss moves the router itself, by {AUX_RATE} of the excess"
    );
    Frame { caption, picture: Picture::Series(series), now: None }
}
