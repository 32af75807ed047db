//! Checks: how they are asked, with fresh values and orders, and how answers are marked.
//!
//! [`ask`] draws everything from one seed, so a check can be asked again the same. [`mark`] says
//! what is right, which slip a wrong number is, and why every option is right or wrong.

use std::collections::BTreeMap;

use super::measure::Unread;
use super::seed::Seed;
use crate::pack::{Check, CheckKind, ChoiceOption, Draw, NumberCheck, Worksheet, fill};
use crate::sim::expr;

mod number;

use number::mark_number;

/// Draws that come to no number are drawn again, this often.
const DRAWS: u32 = 100;

/// A check ready to be shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The check's id.
    pub check: String,
    /// The seed that decided it.
    pub seed: u64,
    /// The question. Markdown.
    pub question: String,
    /// What to answer with.
    pub form: Form,
    /// Hints, the smallest first: show one more each time it is asked for.
    pub hints: Vec<String>,
    /// Shown after any answer. Markdown.
    pub explain: String,
}

/// What to answer with.
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    /// Pick one of these.
    Choice(Vec<Shown>),
    /// Say true or false.
    Claim,
    /// Bring these into order.
    Order(Vec<Shown>),
    /// Type a number in this unit.
    Number {
        /// The unit.
        unit: String,
        /// The values that were drawn, by name.
        values: BTreeMap<String, f64>,
    },
    /// Fill in the table.
    Worksheet,
}

impl Form {
    /// The options or steps that are shown; none for the others.
    pub fn shown(&self) -> &[Shown] {
        match self {
            Form::Choice(shown) | Form::Order(shown) => shown,
            _ => &[],
        }
    }

    /// What is said below the question where it is read and not asked, as Markdown.
    pub fn note(&self) -> Option<String> {
        match self {
            Form::Claim => Some("True or false?".into()),
            Form::Number { unit, .. } if unit.is_empty() => {
                Some("It asks for a number, with different values each time.".into())
            }
            Form::Number { unit, .. } => {
                Some(format!("It asks for a number in {unit}, with different values each time."))
            }
            Form::Choice(_) | Form::Order(_) | Form::Worksheet => None,
        }
    }

    /// What is said below the question on a card, and some answer that can be marked, right or not. None where it
    /// fits on no card.
    pub(crate) fn on_card(&self) -> Option<(String, Answer)> {
        Some(match self {
            Form::Choice(shown) => (lettered(shown), Answer::Choice(0)),
            Form::Order(shown) => (lettered(shown), Answer::Order((0..shown.len()).collect())),
            Form::Claim => ("true or false?".into(), Answer::Claim(true)),
            Form::Number { unit, .. } => (format!("(in {unit})"), Answer::Number("0".into())),
            Form::Worksheet => return None,
        })
    }

    /// The right answer on a card.
    pub(crate) fn right_on_card(&self, marked: &Marked) -> String {
        match self {
            Form::Order(_) => marked.lines.iter().map(|l| l.text.clone()).collect::<Vec<_>>().join("\n"),
            _ => marked.correct.clone(),
        }
    }
}

/// The right answer to a check as it was asked, in words; none where it is a worksheet.
pub fn right(check: &Check, asked: &Asked) -> Option<String> {
    let (_, any) = asked.form.on_card()?;
    Some(asked.form.right_on_card(&mark(check, asked, &any).ok()?))
}

fn lettered(shown: &[Shown]) -> String {
    let line = |(letter, s): (char, &Shown)| format!("{letter}) {}", s.text.trim());
    ('a'..='z').zip(shown).map(line).collect::<Vec<_>>().join("\n")
}

/// An option or a step as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// Its place in the pack, from 0.
    pub index: usize,
    /// Its text. Markdown.
    pub text: String,
}

/// What a learner answers.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// The option at this place of those shown.
    Choice(usize),
    /// True or false.
    Claim(bool),
    /// The steps in the learner's order, each by its place among those shown.
    Order(Vec<usize>),
    /// A number as it was typed.
    Number(String),
    /// A worksheet, and whether its checker accepted it.
    Worksheet(bool),
}

/// A marked answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Marked {
    /// Whether it is right.
    pub right: bool,
    /// What was answered, in words, for the store.
    pub given: String,
    /// The right answer in words.
    pub correct: String,
    /// What went wrong, where that can be told. Markdown.
    pub slip: Option<String>,
    /// Every option as shown, or every step in its right place.
    pub lines: Vec<Line>,
    /// Why it is so. Markdown.
    pub explain: String,
}

/// An option or a step with what is to be said of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The option or the step. Markdown.
    pub text: String,
    /// An option: whether it is the right one. A step: whether it was put in its place.
    pub right: bool,
    /// An option: whether it was picked. A step: the same as `right`.
    pub chosen: bool,
    /// Why it is right or wrong; where a step had been put. Markdown.
    pub why: Option<String>,
}

/// Why a check cannot be asked: its author's fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// The check's id.
    pub check: String,
    /// What is wrong.
    pub what: String,
}

/// Asks a check. The seed decides the values, and the order of options and steps.
///
/// # Errors
/// Where an expression of the check comes to no number for any of its draws.
pub fn ask(check: &Check, seed: u64) -> Result<Asked, Broken> {
    let mut draw = Seed::new(seed);
    let form = match &check.kind {
        CheckKind::Choice(options) => Form::Choice(shuffled(options.iter().map(|o| &o.text), &mut draw)),
        CheckKind::Claim(_) => Form::Claim,
        CheckKind::Order(steps) => Form::Order(unsorted(steps, &mut draw)),
        CheckKind::Number(number) => {
            let values = values(number, &mut draw).map_err(|what| broken(check, what))?;
            Form::Number { unit: number.unit.clone(), values }
        }
        CheckKind::Worksheet(_) => Form::Worksheet,
    };
    let text = |text: &str| match &form {
        Form::Number { values, .. } => fill(text, values).map_err(|u| broken(check, u.what)),
        _ => Ok(text.to_owned()),
    };
    Ok(Asked {
        check: check.id.clone(),
        seed,
        question: text(&check.question)?,
        explain: text(&check.explain)?,
        hints: check.hints.iter().map(|h| text(h)).collect::<Result<_, _>>()?,
        form,
    })
}

/// Marks an answer.
///
/// # Errors
/// Where the answer is none that can be marked: a number that cannot be read, an order that
/// does not name every step once. It does not count.
pub fn mark(check: &Check, asked: &Asked, answer: &Answer) -> Result<Marked, Unread> {
    match (&check.kind, &asked.form, answer) {
        (CheckKind::Choice(options), Form::Choice(shown), Answer::Choice(at)) => {
            let picked = shown.get(*at).ok_or_else(unfit)?;
            Ok(mark_choice(asked, options, shown, picked.index))
        }
        (CheckKind::Claim(truth), Form::Claim, Answer::Claim(said)) => Ok(Marked {
            right: said == truth,
            given: said.to_string(),
            correct: truth.to_string(),
            slip: None,
            lines: Vec::new(),
            explain: asked.explain.clone(),
        }),
        (CheckKind::Order(steps), Form::Order(shown), Answer::Order(order)) => {
            mark_order(asked, steps, shown, order).ok_or_else(unfit)
        }
        (CheckKind::Number(number), Form::Number { values, .. }, Answer::Number(text)) => {
            mark_number(asked, number, values, text)
        }
        (CheckKind::Worksheet(sheet), Form::Worksheet, Answer::Worksheet(accepted)) => {
            Ok(mark_worksheet(asked, sheet, *accepted))
        }
        _ => Err(unfit()),
    }
}

fn broken(check: &Check, what: String) -> Broken {
    Broken { check: check.id.clone(), what }
}

fn unfit() -> Unread {
    Unread { what: "the answer does not fit the question".into(), cure: "answer each thing once".into() }
}

fn shuffled<'a>(texts: impl Iterator<Item = &'a String>, draw: &mut Seed) -> Vec<Shown> {
    let texts: Vec<_> = texts.collect();
    let show = |index: usize| Shown { index, text: texts[index].clone() };
    draw.order(texts.len()).into_iter().map(show).collect()
}

/// Steps in a drawn order that is not already the right one.
fn unsorted(steps: &[String], draw: &mut Seed) -> Vec<Shown> {
    let mut shown = shuffled(steps.iter(), draw);
    if shown.len() > 1 && shown.is_sorted_by_key(|s| s.index) {
        shown.rotate_left(1);
    }
    shown
}

/// Draws values for which the answer comes to a number.
fn values(number: &NumberCheck, draw: &mut Seed) -> Result<BTreeMap<String, f64>, String> {
    let mut fault = String::new();
    for _ in 0..DRAWS {
        let values: BTreeMap<_, _> =
            number.draw.iter().map(|(name, from)| (name.clone(), drawn(from, draw))).collect();
        match expr::value(&number.answer, &values) {
            Ok(_) => return Ok(values),
            Err(e) => fault = format!("the answer `{}` {e}", number.answer),
        }
    }
    Err(fault)
}

fn drawn(from: &Draw, draw: &mut Seed) -> f64 {
    match from {
        Draw::Of(list) => draw.pick(list).copied().unwrap_or(f64::NAN),
        Draw::Steps(least, most, step) => {
            let steps = ((most - least) / step + 1e-9).floor().clamp(0.0, 1e9);
            let at = draw.below(steps as usize + 1) as f64;
            tidy(least + at * step)
        }
    }
}

/// A number without the rounding error of adding steps: 0.30000000000000004 is 0.3.
fn tidy(number: f64) -> f64 {
    format!("{number:.12}").parse().unwrap_or(number)
}

fn mark_choice(asked: &Asked, options: &[ChoiceOption], shown: &[Shown], picked: usize) -> Marked {
    let of = |s: &Shown| {
        let option = &options[s.index];
        Line {
            text: option.text.clone(),
            right: option.right,
            chosen: s.index == picked,
            why: option.why.clone(),
        }
    };
    let lines: Vec<Line> = shown.iter().map(of).collect();
    let text = |found: Option<&Line>| found.map_or(String::new(), |l| l.text.clone());
    let chosen = lines.iter().find(|l| l.chosen);
    let right = chosen.is_some_and(|l| l.right);
    Marked {
        right,
        given: text(chosen),
        correct: text(lines.iter().find(|l| l.right)),
        slip: chosen.filter(|l| !l.right).and_then(|l| l.why.clone()),
        explain: asked.explain.clone(),
        lines,
    }
}

fn mark_order(asked: &Asked, steps: &[String], shown: &[Shown], order: &[usize]) -> Option<Marked> {
    let given: Vec<usize> = order.iter().map(|at| shown.get(*at).map(|s| s.index)).collect::<Option<_>>()?;
    let place = |step: usize| given.iter().position(|g| *g == step);
    let places: Vec<usize> = (0..steps.len()).map(place).collect::<Option<_>>()?;
    if given.len() != steps.len() {
        return None;
    }
    let line = |(step, place): (usize, &usize)| Line {
        text: steps[step].clone(),
        right: *place == step,
        chosen: *place == step,
        why: (*place != step).then(|| format!("You put it in place {}.", place + 1)),
    };
    let lines: Vec<Line> = places.iter().enumerate().map(line).collect();
    let right = lines.iter().all(|l| l.right);
    let early = given.windows(2).find(|pair| pair[0] > pair[1]);
    Some(Marked {
        right,
        given: numbered(&given),
        correct: numbered(&(0..steps.len()).collect::<Vec<_>>()),
        slip: early.map(|pair| format!("“{}” comes before “{}”", steps[pair[1]], steps[pair[0]])),
        lines,
        explain: asked.explain.clone(),
    })
}

/// Steps by their right numbers, as people count them.
fn numbered(steps: &[usize]) -> String {
    steps.iter().map(|s| (s + 1).to_string()).collect::<Vec<_>>().join(", ")
}

fn mark_worksheet(asked: &Asked, sheet: &Worksheet, accepted: bool) -> Marked {
    Marked {
        right: accepted,
        given: if accepted { "accepted" } else { "refused" }.into(),
        correct: format!("a solution that `{}` accepts", sheet.checker),
        slip: None,
        lines: Vec::new(),
        explain: asked.explain.clone(),
    }
}
