//! Ulysses: tokens turned into heads and back.

use crate::sim::attention::RingAttention;
use crate::sim::picture::{Cell, Frame, Grid, Picture, Tone, View};

/// Which rank holds which part of the sequence for which heads, before, during and after attention.
pub(super) fn ulysses_view(ring: &RingAttention) -> View {
    let ranks = ring.ranks.min(8);
    let stand = match ring.ranks > ranks {
        true => format!("8 ranks stand for {}: ", ring.ranks),
        false => String::new(),
    };
    const STEPS: [&str; 3] = [
        "outside attention a rank holds its tokens for all heads",
        "after the all-to-all of Q, K and V it holds all tokens for its heads, and attention is local",
        "another all-to-all of the output brings the tokens back",
    ];
    View::stepped("Ulysses", STEPS.len(), move |step| {
        let holder = |tokens: usize, heads: usize| if step == 1 { heads } else { tokens };
        let row = |tokens: usize| {
            let cell = |heads: usize| {
                let rank = holder(tokens, heads);
                Cell { text: rank.to_string(), tone: Tone::Nth(rank as u8) }
            };
            (format!("tokens {tokens}"), (0..ranks).map(cell).collect())
        };
        let grid = Grid {
            corner: "held by rank".into(),
            columns: (0..ranks).map(|h| format!("h{h}")).collect(),
            rows: (0..ranks).map(row).collect(),
            legend: vec![(Tone::Nth(0), "the rank that holds it; h0: the first group of heads")],
        };
        Frame { caption: format!("{stand}{}", STEPS[step]), picture: Picture::Grid(grid), now: None }
    })
}
