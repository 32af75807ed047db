//! Who holds what in a step.

use crate::sim::picture::{Cell, Frame, Grid, Picture, Tone, View};

/// Four ranks, each kind of state, and the moments of a step at which stage 3 gathers.
pub(super) fn owners_view(stage: usize) -> View {
    const STEPS: [&str; 4] = ["forward", "backward", "reduce", "update"];
    View::stepped("who holds what in a step", STEPS.len(), move |step| {
        let state = |from: usize| {
            if stage < from { "whole".to_owned() } else { "1/4".to_owned() }
        };
        let row = |rank: usize| {
            let gathers = stage >= 3 && step <= 1;
            let weights = if gathers { "gathered".to_owned() } else { state(3) };
            let gradients = match step {
                0 => "none".to_owned(),
                1 => "own".to_owned(),
                _ if stage == 0 => "summed".to_owned(),
                // whole buffers stay allocated
                _ if stage == 1 => "whole, 1/4 summed".to_owned(),
                _ => "1/4 summed".to_owned(),
            };
            let tone = |moving: bool, held: bool| match (moving, held) {
                (true, _) => Tone::Moving,
                (_, true) => Tone::Done,
                _ => Tone::Buffer,
            };
            let cells = vec![
                Cell { text: weights, tone: tone(gathers, step == 3) },
                Cell {
                    tone: if step == 0 { Tone::Empty } else { tone(step == 2, step > 2) },
                    text: gradients,
                },
                Cell { text: state(1), tone: tone(false, step == 3) },
            ];
            (format!("rank {rank}"), cells)
        };
        let grid = Grid {
            corner: STEPS[step].into(),
            columns: ["weights", "gradients", "optimizer"].map(str::to_owned).to_vec(),
            rows: (0..4).map(row).collect(),
            legend: vec![(Tone::Moving, "communicated now"), (Tone::Done, "updated"), (Tone::Buffer, "held")],
        };
        Frame {
            caption: format!("shown for 4 ranks. {}", owners_caption(stage, step)),
            picture: Picture::Grid(grid),
            now: None,
        }
    })
}

fn owners_caption(stage: usize, step: usize) -> &'static str {
    match (stage, step) {
        (3, 0) => "before each layer its weights are gathered, and freed after it",
        (3, 1) => "backward gathers each layer's weights once more",
        (_, 0) => "forward needs no communication: every rank has all weights",
        (_, 1) => "each rank computes gradients from its own samples",
        (0, 2) => "all-reduce: every rank gets the whole summed gradient",
        (1, 2) => "the gradients are reduced, and each rank keeps its quarter for the optimizer",
        (_, 2) => "reduce-scatter: each rank gets the sum of its quarter only",
        (0, _) => "every rank updates everything, the same way",
        (3, _) => "each rank updates its quarter; nothing is gathered until the next forward",
        _ => "each rank updates its quarter of the weights, then all-gather brings the rest",
    }
}
