//! A puzzle.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use toml::Spanned;

use crate::sim::expr::{Expr, Fault};
use crate::sim::puzzle::{self, Condition, Direction, Knob, MAX_SETTINGS, NotFound, Objective, TOLERANCE};
use crate::sim::quantity::{self, PLAIN, Unit};
use crate::sim::{Sim, SimKind, expr};

use super::bounds::PUZZLES;
use super::desk::Desk;
use super::faults::{Span, inside};
use super::lesson::values;
use super::names::Kind;
use super::problem::nearest;
use super::raw::Worded;
use super::{Puzzle, raw};

/// Turns a puzzle of a quiz file into a puzzle; none where its rules cannot be read, which is reported.
pub(super) fn puzzle(raw: raw::Puzzle, lesson: &str, desk: &mut Desk<'_>) -> Option<Puzzle> {
    desk.names.define(Kind::Check, &raw.id);
    if desk.course.puzzles.fetch_add(1, Ordering::Relaxed) >= PUZZLES {
        let what = format!("the pack has more than {PUZZLES} puzzles");
        desk.faults.error(raw.id.span(), what, "take some out, or split the pack");
        return None;
    }
    desk.unique("knob", raw.knobs.iter().map(|k| &*k.name));
    if desk.is_full() {
        values(raw.sim.get_ref(), &raw.set, desk);
    }
    let rules = rules(&raw, desk);
    if let Some(rules) = &rules
        && desk.judges()
        && knows_names(&raw, rules, desk)
        && raw.set.keys().all(|n| rules.start.value(n.get_ref()).is_some())
    {
        judge(&raw, rules, desk);
    }
    let goal = desk.text(raw.goal);
    let explain = desk.text(raw.explain);
    let hints = desk.texts(raw.hints);
    Some(Puzzle {
        id: raw.id.into_inner(),
        lesson: lesson.to_owned(),
        title: raw.title.into_inner(),
        goal,
        rules: rules?,
        explain,
        hints,
    })
}

/// The rules, or none where something in them cannot be read.
fn rules(raw: &raw::Puzzle, desk: &mut Desk<'_>) -> Option<puzzle::Goal> {
    let start = start(raw, desk)?;
    let knobs: Vec<_> = raw.knobs.iter().map(|k| knob(k, start.kind(), desk)).collect();
    let conditions: Vec<_> = raw.conditions.iter().map(|c| condition(c, desk)).collect();
    let goal = goal(raw, &start, desk);
    Some(puzzle::Goal {
        start,
        knobs: knobs.into_iter().collect::<Option<_>>()?,
        conditions: conditions.into_iter().collect::<Option<_>>()?,
        goal: goal?,
    })
}

/// Reports what a full look has reported already, where this is none.
fn found_in_full(span: Span, fault: Fault, desk: &mut Desk<'_>) {
    if !desk.is_full() {
        desk.faults.error(span, fault.what, fault.cure);
    }
}

fn start(raw: &raw::Puzzle, desk: &mut Desk<'_>) -> Option<Sim> {
    let mut sim = match Sim::open(raw.sim.get_ref(), &BTreeMap::new()) {
        Ok(sim) => sim,
        Err(fault) => {
            found_in_full(raw.sim.span(), fault, desk);
            return None;
        }
    };
    for (name, value) in &raw.set {
        if let Err(fault) = sim.set(name.get_ref(), *value) {
            found_in_full(name.span(), fault, desk);
        }
    }
    Some(sim)
}

fn knob(raw: &raw::Knob, kind: &SimKind, desk: &mut Desk<'_>) -> Option<Knob> {
    let name = raw.name.get_ref();
    let Some(parameter) = kind.parameter(name) else {
        let names: Vec<_> = kind.parameters.iter().map(|p| p.name).collect();
        let cure = match nearest(name, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("use one of {}", names.join(", ")),
        };
        let what = format!("{} has no knob `{name}`", kind.name);
        desk.faults.error(raw.name.span(), what, cure);
        return None;
    };
    let values = match (&raw.of, raw.from, raw.to) {
        (None, None, None) if raw.step.is_none() => return Some(Knob::whole(parameter)),
        (Some(of), None, None) if raw.step.is_none() && !of.is_empty() => of.clone(),
        (None, Some(from), Some(to)) => steps(from, to, raw.step.unwrap_or(1.0)),
        _ => Vec::new(),
    };
    let taken = |value: &f64| matches!(parameter.set(*value), Ok(set) if set.note.is_none());
    let (what, cure) = if values.is_empty() {
        (
            format!("the knob `{name}` does not say what it may be"),
            "write of = [1, 2, 4], or from = 1 and to = 8 (and step = 1), or neither",
        )
    } else if let Some(value) = values.iter().find(|v| !taken(v)) {
        (format!("the knob `{name}` does not take {value} as it is"), "give values that the simulator takes")
    } else {
        return Some(Knob { parameter, values });
    };
    desk.faults.error(raw.name.span(), what, cure);
    None
}

/// The values from one to another; none where there are none or far too many.
fn steps(from: f64, to: f64, step: f64) -> Vec<f64> {
    let count = (to - from) / step + 1e-9;
    if step > 0.0 && (0.0..=MAX_SETTINGS as f64).contains(&count) {
        (0..=count as usize).map(|i| tidy(from + i as f64 * step)).collect()
    } else {
        Vec::new()
    }
}

/// Without the noise of adding up steps: 1.3, not 1.3000000000000003.
fn tidy(value: f64) -> f64 {
    (value * 1e9).round() / 1e9
}

fn parsed<K>(text: &Worded<K>, desk: &mut Desk<'_>) -> Option<Expr> {
    match Expr::parse(text.get_ref()) {
        Ok(expr) => Some(expr),
        Err(fault) => {
            found_in_full(text.span(), fault, desk);
            None
        }
    }
}

fn condition(raw: &raw::Require, desk: &mut Desk<'_>) -> Option<Condition> {
    Some(Condition {
        text: raw.text.get_ref().clone(),
        source: raw.condition.get_ref().clone(),
        expr: parsed(&raw.condition, desk)?,
    })
}

fn goal(raw: &raw::Puzzle, start: &Sim, desk: &mut Desk<'_>) -> Option<Objective> {
    let (direction, text) = match (&raw.minimise, &raw.maximise) {
        (Some(text), None) => (Direction::Least, text),
        (None, Some(text)) => (Direction::Most, text),
        _ => {
            let what = format!("the puzzle `{}` does not have one goal", raw.id.get_ref());
            let cure = "write either minimise = or maximise =";
            desk.faults.error(raw.id.span(), what, cure);
            return None;
        }
    };
    let source = text.get_ref().clone();
    let expr = parsed(text, desk);
    let shown = shown(raw, &source, start, desk);
    let par = par(raw, desk);
    let (label, unit) = shown?;
    Some(Objective {
        direction,
        label,
        source,
        expr: expr?,
        unit,
        par: par?,
        tolerance: raw.tolerance.unwrap_or(TOLERANCE),
    })
}

/// The label and the unit of the goal's value: as given, or those of the output.
fn shown(raw: &raw::Puzzle, source: &str, start: &Sim, desk: &mut Desk<'_>) -> Option<(String, Unit)> {
    let label = raw.label.as_ref().map(|l| l.get_ref().clone());
    let unit = match &raw.unit {
        Some(name) => Some(unit(name, desk)?),
        None => None,
    };
    if let (Some(label), Some(unit)) = (&label, unit) {
        return Some((label.clone(), unit));
    }
    // only now is a run worth its time
    let of = named(source, start).unwrap_or_else(|| (source.to_owned(), PLAIN));
    Some((label.unwrap_or(of.0), unit.unwrap_or(of.1)))
}

/// The label and the unit of a knob or an output. No name is both.
fn named(name: &str, start: &Sim) -> Option<(String, Unit)> {
    if let Some(parameter) = start.kind().parameter(name) {
        return Some((parameter.label.to_owned(), parameter.unit));
    }
    start.run().output(name).map(|o| (o.label.to_owned(), o.unit))
}

fn unit(name: &raw::Plain, desk: &mut Desk<'_>) -> Option<Unit> {
    let found = quantity::unit(name.get_ref());
    if found.is_none() {
        let what = format!("there is no unit `{}`", name.get_ref());
        let cure = "use B, KiB, MiB, GB, s, ms, us, GB/s or %, or leave it out";
        desk.faults.error(name.span(), what, cure);
    }
    found
}

fn par(raw: &raw::Puzzle, desk: &mut Desk<'_>) -> Option<f64> {
    match expr::value(raw.par.get_ref(), &()) {
        Ok(par) => Some(par),
        Err(_) if desk.is_full() && Expr::parse(raw.par.get_ref()).is_err() => None, // reported where it stands
        Err(fault) => {
            let what = format!("par has no value: {}", fault.what);
            desk.faults.error(raw.par.span(), what, fault.cure);
            None
        }
    }
}

/// The expressions of a puzzle with their texts.
fn expressions<'p>(
    raw: &'p raw::Puzzle,
    rules: &'p puzzle::Goal,
) -> impl Iterator<Item = (&'p Spanned<String>, &'p Expr)> {
    let goal = raw.minimise.as_ref().or(raw.maximise.as_ref());
    let goal = goal.map(|text| (&**text, &rules.goal.expr));
    let conditions = raw.conditions.iter().zip(&rules.conditions);
    conditions.map(|(c, rule)| (&*c.condition, &rule.expr)).chain(goal)
}

/// Whether the simulator gives every name a value; reports those it does not.
fn knows_names(raw: &raw::Puzzle, rules: &puzzle::Goal, desk: &mut Desk<'_>) -> bool {
    let mut knows = true;
    for (text, expr) in expressions(raw, rules) {
        for name in rules.unknown(expr) {
            knows = false;
            let at = text.get_ref().find(name).unwrap_or(0);
            let span = inside(desk.faults.text(), &text.span(), at..at + name.len());
            let names = puzzle::Goal::names(&rules.start);
            let cure = match nearest(name, names.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("`infralens sim {} --plain` prints the names", raw.sim.get_ref()),
            };
            let what = format!("{} gives no `{name}`", raw.sim.get_ref());
            desk.faults.error(span, what, cure);
        }
    }
    knows
}

/// Tries the start and every setting.
fn judge(raw: &raw::Puzzle, rules: &puzzle::Goal, desk: &mut Desk<'_>) {
    if !starts_well(raw, rules, desk) {
        return;
    }
    let found = match rules.search() {
        Ok(found) => found,
        Err(NotFound::TooMany(count)) => {
            let what = format!("{count} settings are too many to try: at most {MAX_SETTINGS}");
            let cure = "give the knobs fewer values, with of = [...]";
            return desk.faults.error(raw.id.span(), what, cure);
        }
        Err(NotFound::NoSolution) => {
            let what = format!("no setting solves the puzzle `{}`", raw.id.get_ref());
            let cure = "drop a condition, or give the knobs more values";
            return desk.faults.error(raw.id.span(), what, cure);
        }
    };
    if (found.best - rules.goal.par).abs() > rules.goal.slack() {
        let setting: Vec<_> = found.knobs.iter().map(|(n, v)| format!("{n} = {v}")).collect();
        let what = format!("par is {}, but the best possible is {}", rules.goal.par, found.best);
        let cure = format!("write what {} gives", setting.join(", "));
        desk.faults.error(raw.par.span(), what, cure);
    }
}

/// Whether the start can be judged and leaves something to do; reports where not.
fn starts_well(raw: &raw::Puzzle, rules: &puzzle::Goal, desk: &mut Desk<'_>) -> bool {
    let mut is_well = true;
    for knob in &rules.knobs {
        let name = knob.parameter.name;
        let at = rules.start.value(name).unwrap_or(f64::NAN);
        if !knob.allows(at) {
            is_well = false;
            let place = raw.knobs.iter().find(|k| k.name.get_ref() == name);
            let span = place.map_or(raw.id.span(), |k| k.name.span());
            let what = format!("the puzzle starts with {name} = {at}, which is not a value of the knob");
            let cure = format!("set {name} to one of {}", knob.listed());
            desk.faults.error(span, what, cure);
        }
    }
    let run = rules.start.run();
    let names = puzzle::Names { sim: &rules.start, run: &run };
    for (text, expr) in expressions(raw, rules) {
        if let Err(fault) = expr.value(&names) {
            is_well = false;
            let span = inside(desk.faults.text(), &text.span(), fault.at..text.get_ref().len());
            let what = format!("`{}` has no value at the start: {}", text.get_ref(), fault.what);
            desk.faults.error(span, what, fault.cure);
        }
    }
    if is_well && rules.judge_run(&rules.start, &run).is_at_par() {
        is_well = false;
        let what = format!("the puzzle `{}` starts at par", raw.id.get_ref());
        let cure = "start with other knob values";
        desk.faults.error(raw.id.span(), what, cure);
    }
    is_well
}
