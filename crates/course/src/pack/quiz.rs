//! A quiz file: drills, checks and puzzles of one lesson.

use crate::score::Format;

use super::desk::Desk;
use super::names::Kind;
use super::rubric::Places;
use super::{Check, CheckKind, ChoiceOption, Drill, Puzzle, drill, number, puzzle, raw, worksheet};

/// What a quiz file holds.
pub(super) struct Quiz {
    pub(super) lesson: String,
    pub(super) drills: Vec<Drill>,
    /// Where the patterns of each drill stand; empty where nobody will ask.
    pub(super) places: Vec<Places>,
    pub(super) checks: Vec<Check>,
    pub(super) puzzles: Vec<Puzzle>,
    /// Whether the file says no format.
    pub(super) is_unversioned: bool,
}

/// Turns a quiz file into its drills, checks and puzzles.
pub(super) fn quiz(raw: raw::Quiz, desk: &mut Desk<'_>) -> Quiz {
    desk.names.use_id(Kind::Lesson, &raw.lesson);
    let lesson = raw.lesson.into_inner();
    let mut checks = Vec::new();
    checks.extend(raw.choices.into_iter().map(|c| choice(c, &lesson, desk)));
    checks.extend(raw.claims.into_iter().map(|c| claim(c, &lesson, desk)));
    checks.extend(raw.orders.into_iter().map(|o| order(o, &lesson, desk)));
    checks.extend(raw.numbers.into_iter().map(|n| number::number(n, &lesson, desk)));
    checks.extend(raw.worksheets.into_iter().map(|w| worksheet::worksheet(w, &lesson, desk)));
    let format = if raw.format == Some(2) { Format::Two } else { Format::One };
    let places = if desk.is_full() { raw.drills.iter().map(Places::of).collect() } else { Vec::new() };
    Quiz {
        is_unversioned: raw.format.is_none(),
        places,
        drills: raw.drills.into_iter().map(|d| drill::drill(d, format, &lesson, desk)).collect(),
        puzzles: raw.puzzles.into_iter().filter_map(|p| puzzle::puzzle(p, &lesson, desk)).collect(),
        checks,
        lesson,
    }
}

fn choice(raw: raw::Choice, lesson: &str, desk: &mut Desk<'_>) -> Check {
    desk.names.define(Kind::Check, &raw.id);
    let right = raw.options.iter().filter(|o| o.right).count();
    if right != 1 && raw.options.len() > 1 {
        desk.faults.error(
            raw.id.span(),
            format!("the choice `{}` has {right} right options", raw.id.get_ref()),
            "write right = true in exactly one option",
        );
    }
    let options = raw
        .options
        .into_iter()
        .map(|o| ChoiceOption { text: desk.text(o.text), right: o.right, why: desk.optional(o.why) })
        .collect();
    Check {
        id: raw.id.into_inner(),
        lesson: lesson.to_owned(),
        question: desk.text(raw.question),
        kind: CheckKind::Choice(options),
        explain: desk.text(raw.explain),
        hints: desk.texts(raw.hints),
    }
}

fn claim(raw: raw::Claim, lesson: &str, desk: &mut Desk<'_>) -> Check {
    desk.names.define(Kind::Check, &raw.id);
    Check {
        id: raw.id.into_inner(),
        lesson: lesson.to_owned(),
        question: desk.text(raw.claim),
        kind: CheckKind::Claim(raw.truth),
        explain: desk.text(raw.explain),
        hints: desk.texts(raw.hints),
    }
}

fn order(raw: raw::Order, lesson: &str, desk: &mut Desk<'_>) -> Check {
    desk.names.define(Kind::Check, &raw.id);
    for (at, step) in raw.steps.iter().enumerate() {
        let same = |other: &raw::Markdown| other.get_ref().trim() == step.get_ref().trim();
        if let Some(first) = raw.steps[..at].iter().position(same) {
            let what = format!("the step is the same as step {}, so no order is right", first + 1);
            desk.faults.error(step.span(), what, "write another step, or take it out");
        }
    }
    Check {
        id: raw.id.into_inner(),
        lesson: lesson.to_owned(),
        question: desk.text(raw.question),
        kind: CheckKind::Order(desk.texts(raw.steps)),
        explain: desk.text(raw.explain),
        hints: desk.texts(raw.hints),
    }
}
