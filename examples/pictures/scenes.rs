//! What the pictures show.

use std::collections::BTreeMap;

use infralens::page::place::Place;
use infralens::widget::theme::Palette;
use ratatui::buffer::Buffer;

use super::stage::Stage;

/// A picture.
pub struct Scene {
    /// The name of its files.
    pub name: &'static str,
    /// What is to be seen, for somebody who cannot see it.
    pub tells: &'static str,
    /// Brings the program there.
    pub act: fn(Palette) -> Buffer,
}

/// Somebody's answer: good on some parts, silent on others, and wrong once.
pub const ANSWER: &str = "Every rank has its own shard of the batch, so the gradients differ and the replicas would drift \
    apart. DDP averages the gradients with an all-reduce in buckets, so it overlaps with the rest of backward. Then every \
    replica takes the same optimizer step. DDP also shards the optimizer state.";

/// All pictures, in the order of the README.
pub const ALL: &[Scene] = &[
    Scene {
        name: "first-run",
        tells: "The first start: try one question, start the course, or give the date of an interview.",
        act: |palette| Stage::at(&Place::Home, palette, false).cells(),
    },
    Scene {
        name: "home",
        tells: "Home after some evenings: what today asks for, the strength of each part, the course.",
        act: |palette| Stage::at(&Place::Home, palette, true).cells(),
    },
    Scene {
        name: "lesson",
        tells: "A lesson: the handbook section beside its starter code.",
        act: |palette| lesson(palette).press("pgdn").cells(),
    },
    Scene {
        name: "lab",
        tells: "A lab: its goal and mental model beside the code that it explains.",
        act: |palette| {
            let place = Place::Lab { pack: 0, id: "01-ddp-buckets".into() };
            Stage::at(&place, palette, true).press("tab j j j j j j").cells()
        },
    },
    Scene {
        name: "simulator",
        tells: "A simulator: a pipeline schedule as a timeline, its knobs on the left, its numbers below.",
        act: |palette| {
            let place = Place::Sim { kind: "pipeline".into(), set: BTreeMap::new(), link: None };
            Stage::at(&place, palette, true).press("down down right left").cells()
        },
    },
    Scene {
        name: "drill",
        tells: "A drill: an interview question, an answer being typed, the clock.",
        act: |palette| drill(palette).types(ANSWER, 112).cells(),
    },
    Scene {
        name: "verdict",
        tells: "A verdict: each part covered, partial or missing, and the answer with the words that earned it.",
        act: |palette| verdict(palette).cells(),
    },
    Scene {
        name: "progress",
        tells: "Progress: lessons by parts, from weak to strong.",
        act: |palette| Stage::at(&Place::Progress, palette, true).cells(),
    },
    Scene {
        name: "plan",
        tells: "The plan until an interview: what to do each day, with minutes.",
        act: |palette| Stage::at(&Place::Plan, palette, true).cells(),
    },
];

fn lesson(palette: Palette) -> Stage {
    Stage::at(&Place::Lesson { pack: 0, id: "ddp".into() }, palette, true)
}

fn drill(palette: Palette) -> Stage {
    let place = Place::Drill { pack: 0, id: "ddp-gradients-not-parameters".into(), only: None };
    Stage::at(&place, palette, true)
}

/// The marks, past the rating of one's own and what the rules ask.
fn verdict(palette: Palette) -> Stage {
    drill(palette).types(ANSWER, 112).press("ctrl+s enter s")
}
