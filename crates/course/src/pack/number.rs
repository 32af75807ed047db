//! A check that asks for a number.

use std::collections::{BTreeMap, BTreeSet};

use toml::Spanned;

use crate::sim::expr::{Expr, constants};

use super::desk::{Desk, plain};
use super::expand;
use super::measure;
use super::names::Kind;
use super::problem::nearest;
use super::{Check, CheckKind, Draw, NumberCheck, raw};

/// Values by name.
type Values = BTreeMap<String, f64>;

/// As many drawn values are tried; more would say the same.
const TRIALS: usize = 64;
/// A slip this near to the answer, as a share of it, cannot be told from it.
const SAME: f64 = 1e-9;

/// Turns a number check of a quiz file into a check.
pub(super) fn number(raw: raw::Number, lesson: &str, desk: &mut Desk<'_>) -> Check {
    desk.names.define(Kind::Check, &raw.id);
    let mut draws = BTreeMap::new();
    for (name, draw) in &raw.draw {
        if let Some(draw) = self::draw(draw, name, desk) {
            draws.insert(name.get_ref().clone(), draw);
        }
    }
    if desk.judges() && draws.len() == raw.draw.len() {
        judge(&raw, &draws, desk);
    }
    let slip = |s: raw::Slip| (s.value.into_inner(), s.why.into_inner());
    Check {
        id: raw.id.into_inner(),
        lesson: lesson.to_owned(),
        question: raw.question.into_inner(),
        kind: CheckKind::Number(NumberCheck {
            draw: draws,
            answer: raw.answer.into_inner(),
            unit: raw.unit.into_inner(),
            tolerance: raw.tolerance,
            slips: raw.slips.into_iter().map(slip).collect(),
        }),
        explain: raw.explain.into_inner(),
        hints: plain(raw.hints),
    }
}

/// How to draw a value, or none if what is written makes no sense.
fn draw(raw: &raw::Draw, name: &Spanned<String>, desk: &mut Desk<'_>) -> Option<Draw> {
    let fault = match (&raw.of, raw.from, raw.to) {
        (Some(of), None, None) if raw.step.is_none() => {
            if !of.is_empty() {
                return Some(Draw::Of(of.clone()));
            }
            "is drawn from an empty list"
        }
        (None, Some(from), Some(to)) => {
            let step = raw.step.unwrap_or(1.0);
            if from <= to && step > 0.0 {
                return Some(Draw::Steps(from, to, step));
            }
            "has bounds or a step that allow nothing"
        }
        _ => "does not say what it is drawn from",
    };
    desk.faults.error(
        name.span(),
        format!("the value `{}` {fault}", name.get_ref()),
        "write of = [1, 2, 4], or from = 1 and to = 8 (and step = 1)",
    );
    None
}

/// Tries the answer, the slips and the texts with values as they may be drawn.
fn judge(raw: &raw::Number, draws: &BTreeMap<String, Draw>, desk: &mut Desk<'_>) {
    let slips = raw.slips.iter().map(|s| &s.value);
    let mut are_known = true;
    for expression in std::iter::once(&raw.answer).chain(slips) {
        are_known &= knows_names(expression, draws, desk);
    }
    let Ok(answer) = Expr::parse(raw.answer.get_ref()) else {
        return; // reported where it stands
    };
    if let Some((what, cure)) = measure::misfit(&answer, raw.answer.get_ref(), raw.unit.get_ref()) {
        desk.faults.error(raw.unit.span(), what, cure);
    }
    for name in raw.draw.keys().filter(|name| !is_used(raw, name.get_ref())) {
        let what = format!("`{}` is drawn but never used", name.get_ref());
        desk.faults.warning(name.span(), what, "put it into the question or the answer, or take it out");
    }
    if !are_known {
        return;
    }
    let trials = trials(draws);
    let (good, bad): (Vec<_>, Vec<_>) = trials.into_iter().partition(|values| answer.value(values).is_ok());
    if let Some(values) = bad.first() {
        let why = answer.value(values).map_or_else(|fault| fault.what, |_| String::new());
        let what = format!("the answer has no value for {}: {why}", listed(values));
        let cure = "draw only values for which the answer has a value";
        match good.is_empty() {
            true => desk.faults.error(raw.answer.span(), what, cure),
            false => desk.faults.warning(raw.answer.span(), what, cure),
        }
    }
    for slip in &raw.slips {
        judge_slip(slip, &answer, &good, desk);
    }
    let whys = raw.slips.iter().map(|s| &s.why);
    for template in [&raw.question, &raw.explain].into_iter().chain(&raw.hints).chain(whys) {
        let unfilled = good.iter().find(|v| expand::fill(template.get_ref(), *v).is_err());
        if let Some(values) = unfilled {
            expand::report(template, values, &mut desk.faults);
        }
    }
}

/// Whether a drawn value stands in the answer, a slip or a text.
fn is_used(raw: &raw::Number, name: &str) -> bool {
    let whys = raw.slips.iter().map(|s| &s.why);
    let mut texts = [&raw.question, &raw.explain].into_iter().chain(&raw.hints).chain(whys);
    let mut values = std::iter::once(&raw.answer).chain(raw.slips.iter().map(|s| &s.value));
    let names = |text: &str| text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name);
    values.any(|value| names(value.get_ref())) || texts.any(|text| names(text.get_ref()))
}

/// Whether all names of an expression are drawn or constants; the others are reported.
fn knows_names(expression: &Spanned<String>, draws: &BTreeMap<String, Draw>, desk: &mut Desk<'_>) -> bool {
    let Ok(parsed) = Expr::parse(expression.get_ref()) else {
        return true; // reported where it stands
    };
    let unknown: BTreeSet<&str> =
        parsed.names().into_iter().filter(|name| !draws.contains_key(*name)).collect();
    for name in &unknown {
        let known = draws.keys().map(String::as_str).chain(constants().map(|(name, _)| name));
        let cure = match nearest(name, known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("draw it, `{name} = {{ of = [1, 2, 4] }}`, or use a constant of formulas.md"),
        };
        let what = format!("`{name}` is neither drawn nor a constant");
        desk.faults.error(expression.span(), what, cure);
    }
    unknown.is_empty()
}

fn judge_slip(slip: &raw::Slip, answer: &Expr, trials: &[Values], desk: &mut Desk<'_>) {
    let Ok(parsed) = Expr::parse(slip.value.get_ref()) else {
        return; // reported where it stands
    };
    let found: Vec<(f64, f64)> = trials
        .iter()
        .filter_map(|values| Some((parsed.value(values).ok()?, answer.value(values).ok()?)))
        .collect();
    let what = if trials.is_empty() {
        return;
    } else if found.is_empty() {
        "the slip has no value, whatever is drawn"
    } else if found.iter().all(|(slip, right)| (slip - right).abs() <= SAME * right.abs()) {
        "the slip is the right answer, whatever is drawn"
    } else {
        return;
    };
    desk.faults.error(slip.value.span(), what, "write a wrong value that learners arrive at");
}

fn listed(values: &Values) -> String {
    let all: Vec<String> =
        values.iter().map(|(name, value)| format!("{name} = {}", expand::written(*value, None))).collect();
    all.join(", ")
}

/// Values as they may be drawn: all, or some spread over all where there are many.
fn trials(draws: &BTreeMap<String, Draw>) -> Vec<Values> {
    let sizes: Vec<usize> = draws.values().map(size).collect();
    let all = sizes.iter().fold(1_usize, |all, n| all.saturating_mul(*n));
    let count = all.min(TRIALS);
    (0..count)
        .map(|trial| {
            let mut rest = spread(trial, count, all);
            let mut values = Values::new();
            for ((name, draw), size) in draws.iter().zip(&sizes) {
                values.insert(name.clone(), at(draw, rest % size));
                rest /= size;
            }
            values
        })
        .collect()
}

/// One of `count` numbers below `all` at equal distances, the first 0 and the last `all - 1`.
fn spread(trial: usize, count: usize, all: usize) -> usize {
    if count < 2 {
        return 0;
    }
    let place = trial as u128 * (all as u128 - 1) / (count as u128 - 1);
    place as usize
}

fn size(draw: &Draw) -> usize {
    match draw {
        Draw::Of(list) => list.len().max(1),
        Draw::Steps(from, to, step) => ((to - from) / step + 1e-9).floor().clamp(0.0, 1e9) as usize + 1,
    }
}

fn at(draw: &Draw, place: usize) -> f64 {
    match draw {
        Draw::Of(list) => list.get(place).copied().unwrap_or(f64::NAN),
        Draw::Steps(from, _, step) => from + place as f64 * step,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trials_reach_both_ends() {
        let draws = BTreeMap::from([
            ("n".to_owned(), Draw::Steps(2.0, 1e6, 1.0)),
            ("s".to_owned(), Draw::Of(vec![1.0, 8.0])),
        ]);
        let trials = trials(&draws);
        assert_eq!(trials.len(), TRIALS);
        assert_eq!(trials[0], BTreeMap::from([("n".into(), 2.0), ("s".into(), 1.0)]));
        assert_eq!(trials[TRIALS - 1], BTreeMap::from([("n".into(), 1e6), ("s".into(), 8.0)]));
    }

    #[test]
    fn few_values_are_all_tried() {
        let draws = BTreeMap::from([
            ("a".to_owned(), Draw::Of(vec![1.0, 2.0, 3.0])),
            ("b".to_owned(), Draw::Steps(0.0, 1.0, 0.5)),
        ]);
        let sums: BTreeSet<String> = trials(&draws).iter().map(|v| format!("{v:?}")).collect();
        assert_eq!(sums.len(), 9);
    }
}
