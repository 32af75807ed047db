//! A quiz file: drills, checks and puzzles of one lesson.

use toml::Spanned;

use super::desk::{Desk, plain};
use super::lesson::sim;
use super::names::Kind;
use super::raw::Worded;
use super::rubric::Places;
use super::{Check, CheckKind, ChoiceOption, Draw, Drill, NumberCheck, Puzzle};
use super::{Worksheet, WorksheetCell, WorksheetRow, drill, raw};

/// What a quiz file holds.
pub(super) struct Quiz {
    pub(super) lesson: String,
    pub(super) drills: Vec<Drill>,
    /// Where the patterns of each drill stand; empty where nobody will ask.
    pub(super) places: Vec<Places>,
    pub(super) checks: Vec<Check>,
    pub(super) puzzles: Vec<Puzzle>,
}

/// Turns a quiz file into its drills, checks and puzzles.
pub(super) fn quiz(raw: raw::Quiz, desk: &mut Desk<'_>) -> Quiz {
    desk.names.use_id(Kind::Lesson, &raw.lesson);
    let lesson = raw.lesson.into_inner();
    let mut checks = Vec::new();
    checks.extend(raw.choices.into_iter().map(|c| choice(c, &lesson, desk)));
    checks.extend(raw.claims.into_iter().map(|c| claim(c, &lesson, desk)));
    checks.extend(raw.orders.into_iter().map(|o| order(o, &lesson, desk)));
    checks.extend(raw.numbers.into_iter().map(|n| number(n, &lesson, desk)));
    checks.extend(raw.worksheets.into_iter().map(|w| worksheet(w, &lesson, desk)));
    let places = if desk.is_full() {
        raw.drills.iter().map(Places::of).collect()
    } else {
        Vec::new()
    };
    Quiz {
        places,
        drills: raw
            .drills
            .into_iter()
            .map(|d| drill::drill(d, &lesson, desk))
            .collect(),
        puzzles: raw
            .puzzles
            .into_iter()
            .map(|p| puzzle(p, &lesson, desk))
            .collect(),
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
        .map(|o| ChoiceOption {
            text: desk.text(o.text),
            right: o.right,
            why: desk.optional(o.why),
        })
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
    Check {
        id: raw.id.into_inner(),
        lesson: lesson.to_owned(),
        question: desk.text(raw.question),
        kind: CheckKind::Order(desk.texts(raw.steps)),
        explain: desk.text(raw.explain),
        hints: desk.texts(raw.hints),
    }
}

fn number(raw: raw::Number, lesson: &str, desk: &mut Desk<'_>) -> Check {
    desk.names.define(Kind::Check, &raw.id);
    let mut draws = std::collections::BTreeMap::new();
    for (name, draw) in &raw.draw {
        if let Some(draw) = self::draw(draw, name, &raw.id, desk) {
            draws.insert(name.clone(), draw);
        }
    }
    Check {
        id: raw.id.into_inner(),
        lesson: lesson.to_owned(),
        question: raw.question.into_inner(),
        kind: CheckKind::Number(NumberCheck {
            draw: draws,
            answer: raw.answer.into_inner(),
            unit: raw.unit.into_inner(),
            tolerance: raw.tolerance,
            slips: raw
                .slips
                .into_iter()
                .map(|s| (s.value.into_inner(), s.why.into_inner()))
                .collect(),
        }),
        explain: raw.explain.into_inner(),
        hints: plain(raw.hints),
    }
}

/// How to draw a value, or none if what is written makes no sense.
fn draw(raw: &raw::Draw, name: &str, check: &Spanned<String>, desk: &mut Desk<'_>) -> Option<Draw> {
    let fault = match (&raw.of, raw.from, raw.to) {
        (Some(of), None, None) if raw.step.is_none() => {
            if !of.is_empty() && of.iter().all(|v| v.is_finite()) {
                return Some(Draw::Of(of.clone()));
            }
            "draws from no finite values"
        }
        (None, Some(from), Some(to)) => {
            let step = raw.step.unwrap_or(1.0);
            let finite = from.is_finite() && to.is_finite() && step.is_finite();
            if finite && from <= to && step > 0.0 {
                return Some(Draw::Steps(from, to, step));
            }
            "has bounds or a step that allow no value"
        }
        _ => "does not say what to draw",
    };
    desk.faults.error(
        check.span(),
        format!("the value `{name}` of `{}` {fault}", check.get_ref()),
        "write of = [1, 2, 4], or from = 1 and to = 8 (and step = 1)",
    );
    None
}

fn worksheet(raw: raw::Worksheet, lesson: &str, desk: &mut Desk<'_>) -> Check {
    desk.names.define(Kind::Check, &raw.id);
    desk.unique("cell", raw.rows.iter().flat_map(|r| &r.cells).map(|c| &*c.id));
    let cell = |c: raw::WorksheetCell| WorksheetCell {
        id: c.id.into_inner(),
        label: c.label.into_inner(),
        options: plain(c.options),
        start: c.start.map(Worded::into_inner),
    };
    let rows = raw
        .rows
        .into_iter()
        .map(|r| WorksheetRow {
            label: r.label.into_inner(),
            cells: r.cells.into_iter().map(cell).collect(),
        })
        .collect();
    Check {
        id: raw.id.into_inner(),
        lesson: lesson.to_owned(),
        question: desk.text(raw.question),
        kind: CheckKind::Worksheet(Worksheet {
            title: raw.title.into_inner(),
            checker: raw.checker.into_inner(),
            given: raw.given.into_iter().map(|(k, v)| (k, v.into_inner())).collect(),
            rows,
        }),
        explain: desk.text(raw.explain),
        hints: desk.texts(raw.hints),
    }
}

fn puzzle(raw: raw::Puzzle, lesson: &str, desk: &mut Desk<'_>) -> Puzzle {
    desk.names.define(Kind::Check, &raw.id);
    Puzzle {
        id: raw.id.into_inner(),
        lesson: lesson.to_owned(),
        title: raw.title.into_inner(),
        goal: desk.text(raw.goal),
        sim: sim(raw.sim, desk),
        knobs: plain(raw.knobs),
        require: plain(raw.require),
        minimise: raw.minimise.into_inner(),
        par: raw.par,
        explain: desk.text(raw.explain),
        hints: desk.texts(raw.hints),
    }
}
