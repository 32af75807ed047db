//! What is typed to a simulator: a setting and its value, as `stage 3` or `stage = 3`, and what is said of it.

use super::listen::{MORE, STEP};
use super::{At, Cell, Output, Parameter, Play, Row, Said, Shape, Simulator, sentence};
use crate::sim::quantity;

/// What turns all settings back.
pub(super) const RESET: &str = "reset";
/// What keeps a setting to compare with.
pub(super) const KEEP: &str = "keep";
/// What can be typed, and what it does.
pub(super) const SETTINGS: &[(&str, &str)] = &[
    ("a setting and its value", "changes it, such as nodes 4"),
    (KEEP, "keeps this setting, to hear what differs from it; again drops it"),
    (RESET, "turns all settings back"),
    MORE,
    STEP,
];
/// What is typed to the simulator of a puzzle.
pub const KNOBS: &[(&str, &str)] = &[("a knob and its value", "turns it, such as stage 3"), HINT, MORE, STEP];
/// What asks for a hint of a puzzle.
pub const HINT: (&str, &str) = ("hint", "the next hint");

/// Choices of a setting that are said one by one; of more, how many there are.
const CHOICES: usize = 8;

impl Simulator {
    /// The settings, a row each: `p: 4, stages, from 1 to 64`.
    pub(super) fn settings(&self) -> impl Iterator<Item = Row> {
        self.sim.knobs().map(|(parameter, value)| {
            let range = match parameter.shape {
                Shape::Number { min, max, .. } => {
                    format!("from {} to {}", quantity::digits(min), quantity::digits(max))
                }
                Shape::Choice(of) if of.len() > CHOICES => {
                    format!("one of {}; {} ? lists them", of.len(), spaced(parameter.name))
                }
                Shape::Choice(of) => others(of, value),
            };
            // once: a name that says what it is needs no label
            let repeats = |label: &str| {
                bare(label).strip_prefix(&bare(parameter.name)).is_some_and(|rest| rest.len() <= 2)
            };
            let label = Some(parameter.label).filter(|label| !repeats(label));
            let stop = if matches!(parameter.shape, Shape::Choice(_)) { ";" } else { "," };
            let text = format!("{}{stop} {range}", heard(&spaced(parameter.name), parameter, value, label));
            Row::plain().cell(Cell::text(text))
        })
    }

    /// The numbers that the last change changed, with what they were.
    pub fn changes(&self) -> Vec<String> {
        let changed = |o: &Output| {
            let was = self.was(o)?;
            let now = o.show();
            // one line, one unit
            let unit = now.rsplit(' ').next().filter(|unit| was.rsplit(' ').next() != Some(unit));
            let was = match (unit.and_then(quantity::unit), self.before().get(o.name)) {
                (Some(unit), Some((value, _))) => quantity::show_in(*value, unit),
                _ => was.to_owned(),
            };
            Some(format!("{}: {}, {} {was}", o.label, now, self.was_word()))
        };
        self.run.outputs.iter().filter_map(changed).collect()
    }

    /// Sets what is typed as `stage 3` or `stage = 3`, and says what changed. None where it is nothing of the kind.
    pub fn set_line(&mut self, line: &str, at: &mut At) -> Option<bool> {
        let (name, value) = match line.split_once('=') {
            Some((name, value)) => {
                (self.meant(name).map_or(name.trim(), |p| p.name).to_owned(), value.trim())
            }
            None => {
                let (name, value) = self.spoken(line)?;
                (name.to_owned(), value)
            }
        };
        if !self.set(&name, value) {
            if let Some(Said::Fault(fault)) = self.said.take() {
                // a fault of the value does not say whose value it is
                let label = self.sim.kind().parameter(&name).map(|p| p.label);
                let of = label.filter(|label| !fault.contains(*label));
                at.say(of.map_or(fault.clone(), |label| format!("{label}: {fault}")));
            }
            return Some(false);
        }
        if let Some(parameter) = self.sim.kind().parameter(&name) {
            at.say(format!(
                "{}: {}",
                parameter.label,
                parameter.show(self.sim.value(&name).unwrap_or_default())
            ));
        }
        if let Some(Said::Note(note)) = self.said.take() {
            at.say(note);
        }
        let notes = self.run.notes.clone();
        notes.iter().for_each(|note| at.say(sentence(note)));
        let changes = self.changes();
        match changes.is_empty() {
            true => at.say("No number changed"),
            false => changes.into_iter().for_each(|change| at.say(change)),
        }
        Some(true)
    }

    /// What is said of a line that is no setting: a number that leads nowhere, or a word.
    pub fn no_setting(&self, line: &str) -> String {
        let numbers = self.choices().len();
        let example = self.sim.knobs().find(|(p, _)| !matches!(self.play(p.name), Play::Fixed));
        let example = example
            .map_or(String::new(), |(p, value)| format!(", such as {} {}", spaced(p.name), p.written(value)));
        let lead = match line.trim().parse::<f64>() {
            Ok(_) => format!("There is no number {line} here"),
            Err(_) => format!("“{line}” changes nothing"),
        };
        format!("{lead}; type a number from 1 to {numbers}, or a setting and its value{example}; q goes back")
    }

    /// The parameter that is meant: by its name, or by its label.
    fn meant(&self, typed: &str) -> Option<&'static Parameter> {
        let all = self.sim.kind().parameters;
        let exact = all.iter().find(|p| p.name == typed.trim());
        let named = || all.iter().find(|p| [p.name, p.label].iter().any(|name| bare(name) == bare(typed)));
        // `ranks 8` is ranks per node where no other name begins so
        let begins = |p: &&Parameter| bare(p.name).starts_with(&format!("{} ", bare(typed)));
        let only = || all.iter().find(begins).filter(|_| all.iter().filter(begins).count() == 1);
        exact.or_else(named).or_else(only)
    }

    /// A setting and its value as one says them: `stage 3`, `set micro-batches to 8`. The words before the value are a
    /// setting, whatever the value is.
    fn spoken<'a>(&self, line: &'a str) -> Option<(&'static str, &'a str)> {
        let said = line.trim();
        let said = said.strip_prefix("set ").unwrap_or(said);
        let ends = said.match_indices(char::is_whitespace).map(|(end, _)| end);
        let (parameter, value) = ends.rev().find_map(|end| {
            let (name, value) = said.split_at(end);
            Some((self.meant(name)?, value.trim()))
        })?;
        let value = ["to ", "is "].iter().find_map(|filler| value.strip_prefix(filler)).unwrap_or(value);
        Some((parameter.name, value.trim()))
    }
}

/// What a number of a setting stands for, by its label.
const MEANINGS: &[(&str, &[&str])] = &[(
    "ZeRO stage",
    &[
        "nothing is sharded",
        "the optimizer state is sharded",
        "optimizer state and gradients are sharded",
        "optimizer state, gradients and weights are sharded",
    ],
)];

/// A setting with its value and what it is, each said once: `ranks per node: 8`.
pub(super) fn heard(name: &str, parameter: &Parameter, value: f64, about: Option<&str>) -> String {
    let shown = parameter.show(value);
    let unit = shown.rsplit(' ').next().unwrap_or_default().trim_end_matches('s');
    let is_said =
        shown.contains(' ') && name.split([' ', '_']).any(|word| word.trim_end_matches('s') == unit);
    let shown = if is_said { parameter.written(value) } else { shown };
    let meanings = MEANINGS.iter().find(|(label, _)| *label == parameter.label);
    let meaning = meanings.and_then(|(_, all)| all.get(value as usize).copied());
    let about = meaning.or(about).filter(|about| bare(about) != bare(name));
    about.map_or_else(|| format!("{name}: {shown}"), |about| format!("{name}: {shown}, {about}"))
}

/// What else a choice may be: what it is was said.
fn others(of: &[(&str, &str)], value: f64) -> String {
    let others: Vec<&str> =
        of.iter().enumerate().filter(|(at, _)| *at as f64 != value).map(|(_, (_, label))| *label).collect();
    match others.as_slice() {
        [] => "there is no other choice".into(),
        [one] => format!("the other choice is {one}"),
        [all @ .., last] => format!("the other choices are {} or {last}", all.join(", ")),
    }
}

/// A name as it is said: `ranks per node`.
fn spaced(name: &str) -> String {
    name.replace('_', " ")
}

/// A name as it is compared: `micro_batches` and `Micro-batches` are one.
fn bare(name: &str) -> String {
    name.trim().to_lowercase().replace(['_', '-'], " ")
}
