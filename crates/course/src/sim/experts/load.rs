//! How full the experts get, and what the last tokens meet.

use super::router::{Routed, Router};
use super::{Layer, most};
use crate::sim::picture::{Bar, Bars, Cell, Frame, Grid, Picture, Tone, View};
use crate::sim::quantity::{self, PERCENT};

/// Loads filling up as tokens arrive.
pub(super) fn load_view(layer: &Layer, routed: Routed) -> View {
    const STEPS: usize = 16;
    let layer = *layer;
    let greatest = most(&routed.demand);
    View::stepped("load of the experts", STEPS + 1, move |step| {
        let Router { tokens, top, experts, .. } = layer.router;
        let seen = tokens * step / STEPS;
        let kept = routed.keep(top, layer.capacity, seen);
        let wanted = routed.keep(top, None, seen);
        let bar = |expert: usize| {
            let load = kept.load[expert];
            let room = layer.capacity.map_or(0, |c| c.saturating_sub(load));
            Bar {
                label: format!("expert {expert}"),
                pieces: vec![
                    (Tone::Done, load as f64),
                    (Tone::Empty, room as f64),
                    (Tone::Lost, (wanted.load[expert] - load) as f64),
                ],
                chosen: false,
                said: Some(said(load, wanted.load[expert] - load, layer.capacity)),
            }
        };
        let bars = Bars {
            unit: "",
            bars: (0..experts).map(bar).collect(),
            limit: layer.capacity.map(|c| (c as f64, "capacity".to_owned())),
            reach: greatest,
            legend: vec![(Tone::Done, "computed"), (Tone::Empty, "padding"), (Tone::Lost, "dropped")],
        };
        let share = quantity::show(kept.dropped as f64 / (seen * top).max(1) as f64, PERCENT);
        let [seen, tokens] = [seen, tokens].map(|n| quantity::digits(n as f64));
        let caption = format!("{seen} of {tokens} tokens routed, a sixteenth a step; {share} dropped so far");
        Frame { caption, picture: Picture::Bars(bars), now: None }
    })
}

/// What stands behind the bar of an expert: computed of its room, or what it dropped.
fn said(load: usize, dropped: usize, capacity: Option<usize>) -> String {
    let [load, lost] = [load, dropped].map(|n| quantity::digits(n as f64));
    match capacity {
        None => load,
        Some(_) if dropped > 0 => format!("{load}, {lost} lost"),
        Some(room) => format!("{load} of {}", quantity::digits(room as f64)),
    }
}

/// The last tokens of the batch: the ones that find their experts full.
pub(super) fn tokens_frame(layer: &Layer, routed: &Routed) -> Frame {
    const SHOWN: usize = 16;
    let Router { tokens, top, experts, .. } = layer.router;
    let first = tokens.saturating_sub(SHOWN);
    let mut load = routed.keep(top, layer.capacity, first).load;
    let rows = routed.choices.chunks(top).enumerate().skip(first).map(|(token, choices)| {
        let mut cells = vec![Cell { text: String::new(), tone: Tone::Empty }; experts];
        for (rank, expert) in choices.iter().enumerate() {
            let load = &mut load[*expert as usize];
            let full = layer.capacity.is_some_and(|c| *load >= c);
            *load += usize::from(!full);
            let tone = if full { Tone::Lost } else { Tone::Done };
            cells[*expert as usize] = Cell { text: (rank + 1).to_string(), tone };
        }
        (format!("token {token}"), cells)
    });
    let grid = Grid {
        corner: "choice".into(),
        columns: (0..experts).map(|e| format!("e{e}")).collect(),
        rows: rows.collect(),
        legend: vec![(Tone::Done, "taken"), (Tone::Lost, "expert full: dropped")],
    };
    let caption = "tokens are taken in order, so the last ones find full experts; a token with no expert \
     keeps its residual";
    Frame { caption: caption.into(), picture: Picture::Grid(grid), now: None }
}
