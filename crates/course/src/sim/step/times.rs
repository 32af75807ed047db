//! Where the seconds of a step go.

use super::Step;
use crate::sim::picture::{Bar, Bars, Picture, Table, Tone, View};
use crate::sim::plan::{Recompute, Traffic};
use crate::sim::quantity::{self, PERCENT, SECONDS};

/// Where the seconds of a step go.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Times {
    pub(super) compute: f64,
    pub(super) bubble: f64,
    pub(super) tp: f64,
    pub(super) cp: f64,
    pub(super) pp: f64,
    pub(super) dp: f64,
}

impl Times {
    pub(super) fn exposed(&self) -> f64 {
        self.tp + self.cp + self.pp + self.dp
    }

    pub(super) fn step(&self) -> f64 {
        self.compute + self.bubble + self.exposed()
    }

    /// What costs most beside useful compute, with its name.
    pub(super) fn greatest_loss(&self) -> (&'static str, f64) {
        let losses = [
            ("the pipeline bubble", self.bubble),
            ("tensor-parallel communication", self.tp),
            ("context-parallel communication", self.cp),
            ("messages between stages", self.pp),
            ("data-parallel communication", self.dp),
        ];
        losses.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or(losses[0])
    }
}

pub(super) fn time_view(step: &Step, times: &Times) -> View {
    let piece = |tone, seconds: f64| (tone, seconds.max(0.0));
    let pieces = vec![
        piece(Tone::Forward, times.compute),
        piece(Tone::Idle, times.bubble),
        piece(Tone::Exposed, times.exposed()),
    ];
    let exposed = |t: &Traffic| match t.axis {
        "tp" => times.tp,
        "cp" => times.cp,
        "dp" => times.dp,
        _ => times.pp,
    };
    let all = |t: &Traffic| Bar {
        label: format!("{} sent", t.label),
        pieces: vec![
            piece(Tone::Exposed, exposed(t).min(t.seconds)),
            piece(Tone::Hidden, t.seconds - exposed(t)),
        ],
        chosen: false,
        said: None,
    };
    let mut bars = vec![Bar { label: "step".into(), pieces, chosen: true, said: None }];
    bars.extend(step.traffic.iter().map(all));
    let legend = vec![
        (Tone::Forward, "compute"),
        (Tone::Idle, "bubble"),
        (Tone::Exposed, "exposed: part of the step"),
        (Tone::Hidden, "hidden behind compute"),
    ];
    let (name, seconds) = times.greatest_loss();
    let share = quantity::show(seconds / times.step(), PERCENT);
    let caption = if seconds > 0.0 {
        format!("{}, of which {share} is {name}", quantity::show(times.step(), SECONDS))
    } else {
        format!("{}, all of it compute", quantity::show(times.step(), SECONDS))
    };
    View::still(
        "time of a step",
        caption,
        Picture::Bars(Bars { unit: "s", bars, limit: None, reach: 0.0, legend }),
    )
}

pub(super) fn ledger_view(step: &Step, times: &Times) -> View {
    let share = |seconds: f64| quantity::show(seconds / times.step(), PERCENT);
    let row = |tone, name: &str, seconds: f64, cure: &str| {
        let cells = vec![name.to_owned(), quantity::show(seconds, SECONDS), share(seconds), cure.to_owned()];
        (seconds, (tone, cells))
    };
    let hint = |seconds: f64, cure: &'static str| if seconds > 0.0 { cure } else { "" };
    let full = step.plan.recompute == Recompute::Full;
    let compute_hint =
        if full { "recompute less: a quarter of it is done twice" } else { "better kernels, fp8" };
    let mut rows = vec![
        row(Tone::Forward, "compute", times.compute, compute_hint),
        row(
            Tone::Idle,
            "bubble",
            times.bubble,
            hint(times.bubble, "more micro-batches, chunks, fewer stages"),
        ),
        row(Tone::Nth(0), "TP exposed", times.tp, hint(times.tp, "smaller TP, chunked overlap")),
        row(Tone::Nth(1), "CP exposed", times.cp, hint(times.cp, "fewer ranks, longer pieces")),
        row(Tone::Nth(2), "DP exposed", times.dp, hint(times.dp, "more tokens a micro-batch, a lower stage")),
        row(Tone::Nth(3), "stage messages", times.pp, hint(times.pp, "more chunks, fewer stages")),
    ];
    rows.retain(|(seconds, _)| *seconds > 0.0);
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    let table = Table {
        columns: ["part", "seconds", "share", "what would cut it"].map(str::to_owned).to_vec(),
        rows: rows.into_iter().map(|(_, row)| row).collect(),
    };
    let caption = format!(
        "a step of {} tokens, the largest part first; after compute, the next one is what a layout can \
         change",
        quantity::digits(step.tokens())
    );
    View::still("what to change first", caption, Picture::Table(table))
}
