//! What each stage sends.

use super::{Ledger, knob};
use crate::sim::picture::{Picture, Table, Tone, View};
use crate::sim::quantity::{self, GB, SECONDS};

pub(super) fn volume_view(ledger: &Ledger, stage: usize) -> View {
    let row = |s: usize| {
        let sent = ledger.sent(s);
        let cells = vec![
            ["plain DDP", "ZeRO-1", "ZeRO-2", "ZeRO-3"][s].to_owned(),
            [
                "all-reduce",
                "reduce-scatter, all-gather",
                "m reduce-scatters, all-gather",
                "3m gathers and scatters",
            ][s]
                .to_owned(),
            quantity::show(ledger.bytes(s).state(), GB),
            quantity::show(sent, GB),
            quantity::show(sent / ledger.bandwidth(), SECONDS),
        ];
        (if s == stage { Tone::Chosen } else { Tone::Empty }, cells)
    };
    let table = Table {
        columns: ["stage", "collectives", "state", "sent", "time"].map(str::to_owned).to_vec(),
        rows: (0..4).map(row).collect(),
    };
    let m = quantity::digits(ledger.micro_batches);
    let caption = format!("micro-batches a step: {m}; DDP reduces only after the last (no_sync)");
    View::still("traffic of a step", caption, Picture::Table(table)).comparing(&[knob::stage])
}
