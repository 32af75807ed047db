//! What a simulator is. Pure arithmetic; no terminal.
//!
//! A [`Sim`] is a [`SimKind`] with values for its knobs. [`Sim::run`] gives everything there is to show:
//! numbers with the formulas behind them, pictures as data ([`picture`]) with their steps, and questions to
//! answer before the reveal. It is recomputed whole whenever a knob moves.
//!
//! [`expr`] evaluates the arithmetic that packs may write; [`formula`] holds every formula of
//! the field once, so that a section, a number check and a simulator print the same number.
//! [`puzzle`] sets goals with a par on them; [`plan`] checks a parallel plan, [`worksheet`] the tables that learners fill in.

use std::collections::BTreeMap;

pub mod cluster;
pub mod expr;
pub mod formula;
pub mod group;
pub mod layout;
pub mod output;
pub mod parameter;
pub mod picture;
pub mod plain;
pub mod plan;
pub mod puzzle;
pub mod quantity;
pub mod spoken;
pub mod worksheet;

mod attention;
mod buckets;
mod context;
mod experts;
mod idle;
mod layer;
mod mesh;
mod pipeline;
mod ring;
mod setup;
mod step;
mod tp;
mod zero;

pub use output::{Adjusted, Answer, Judgement, Output, Question, Results};
pub use parameter::{Parameter, Preset, Set, Shape, Turn};

use expr::Fault;

/// A kind of simulator.
#[derive(Debug, Clone, Copy)]
pub struct SimKind {
    /// The name, as in `infralens sim NAME` and in packs.
    pub name: &'static str,
    /// The name shown.
    pub title: &'static str,
    /// The same in a few words, for a list.
    pub brief: &'static str,
    /// What one sees in it, in a sentence or two.
    pub about: &'static str,
    /// The knobs.
    pub parameters: &'static [Parameter],
    /// Values from real models and machines.
    pub presets: &'static [Preset],
    run: fn(&[f64]) -> Results,
}

/// Every kind, in the order of the course.
pub const KINDS: &[SimKind] = &[
    buckets::KIND,
    ring::KIND,
    zero::KIND,
    tp::KIND,
    pipeline::KIND,
    context::KIND,
    experts::KIND,
    mesh::KIND,
    step::KIND,
];

/// The kind of this name.
pub fn kind(name: &str) -> Option<&'static SimKind> {
    KINDS.iter().find(|k| k.name == name)
}

impl PartialEq for SimKind {
    fn eq(&self, other: &SimKind) -> bool {
        self.name == other.name
    }
}

impl SimKind {
    /// The knob of this name.
    pub fn parameter(&self, name: &str) -> Option<&'static Parameter> {
        self.parameters.iter().find(|p| p.name == name)
    }
}

/// A simulator with its knobs set.
#[derive(Debug, Clone, PartialEq)]
pub struct Sim {
    kind: &'static SimKind,
    /// The values of the knobs, in the order of the kind's table and in its units, each within its bounds.
    values: Vec<f64>,
}

impl Sim {
    /// A simulator with the values that it starts with.
    pub fn new(kind: &'static SimKind) -> Sim {
        Sim { kind, values: kind.parameters.iter().map(|p| p.default).collect() }
    }

    /// A simulator by the name of its kind, with some values set; out-of-range ones are brought into range.
    ///
    /// # Errors
    /// A [`Fault`] where there is no such kind or parameter.
    pub fn open(name: &str, set: &BTreeMap<String, f64>) -> Result<Sim, Fault> {
        let kind = kind(name).ok_or_else(|| {
            let names: Vec<_> = KINDS.iter().map(|k| k.name).collect();
            let what = format!("there is no simulator `{}`", name.escape_debug());
            let begins = |n: &&&str| name.len() > 1 && n.starts_with(&name.to_lowercase());
            let close = |n: &&&str| strsim::damerau_levenshtein(n, &name.to_lowercase()) <= 2;
            let near =
                names.iter().find(begins).or_else(|| names.iter().find(close).filter(|_| name.len() > 3));
            let near = near.map_or_else(String::new, |near| format!("did you mean `{near}`? It is "));
            let cure = match near.is_empty() {
                true => format!("use one of {}", names.join(", ")),
                false => format!("{near}one of {}", names.join(", ")),
            };
            Fault { at: 0, what, cure }
        })?;
        let mut sim = Sim::new(kind);
        for (name, value) in set {
            sim.set(name, *value)?;
        }
        Ok(sim)
    }

    /// What kind it is.
    pub fn kind(&self) -> &'static SimKind {
        self.kind
    }

    fn place(&self, name: &str) -> Result<(usize, &'static Parameter), Fault> {
        let parameters = self.kind().parameters;
        let place = parameters.iter().position(|p| p.name == name).ok_or_else(|| {
            let names: Vec<_> = parameters.iter().map(|p| p.name).collect();
            let what = format!("{} has no parameter `{}`", self.kind.name, name.escape_debug());
            Fault { at: 0, what, cure: format!("use one of {}", names.join(", ")) }
        })?;
        Ok((place, &parameters[place]))
    }

    /// The value of a knob in its unit, if there is such a knob.
    pub fn value(&self, name: &str) -> Option<f64> {
        self.knobs().find(|(parameter, _)| parameter.name == name).map(|(_, value)| value)
    }

    /// Sets a knob to a value in its unit; what is out of range is brought into range, and the note says so.
    ///
    /// # Errors
    /// A [`Fault`] where there is no such knob or the value is no number.
    pub fn set(&mut self, name: &str, value: f64) -> Result<Set, Fault> {
        let (place, parameter) = self.place(name)?;
        let set = parameter.set(value)?;
        self.values[place] = set.value;
        Ok(set)
    }

    /// Sets a knob from text: a number with or without a unit, or the name of a choice.
    ///
    /// # Errors
    /// A [`Fault`] where there is no such knob or the text cannot be read.
    pub fn set_text(&mut self, name: &str, text: &str) -> Result<Set, Fault> {
        let (_, parameter) = self.place(name)?;
        self.set(name, parameter.read(text)?)
    }

    /// Sets a knob from text to exactly what it says.
    ///
    /// # Errors
    /// A [`Fault`] where there is no such knob, the text cannot be read, or the value is out of range.
    pub fn set_exactly(&mut self, name: &str, text: &str) -> Result<(), Fault> {
        let (place, parameter) = self.place(name)?;
        self.values[place] = parameter.exact(parameter.read(text)?)?;
        Ok(())
    }

    /// Moves a knob by some clicks of an arrow key. A knob that does not exist stays as it is.
    pub fn turn(&mut self, name: &str, clicks: i32) {
        if let Ok((place, parameter)) = self.place(name) {
            let value = &mut self.values[place];
            *value = parameter.turned(*value, clicks);
        }
    }

    /// Sets the knobs that a preset names.
    pub fn apply(&mut self, preset: &Preset) {
        for (name, value) in preset.set {
            let set = self.set(name, *value);
            debug_assert!(set.is_ok_and(|s| s.note.is_none()), "{} sets {name}", preset.name);
        }
    }

    /// All knobs with their values, in order.
    pub fn knobs(&self) -> impl Iterator<Item = (&'static Parameter, f64)> + '_ {
        self.kind.parameters.iter().zip(self.values.iter().copied())
    }

    /// Computes everything there is to show.
    pub fn run(&self) -> Results {
        (self.kind.run)(&self.values)
    }
}

/// A simulator with some knobs set, for tests.
#[cfg(test)]
fn at(kind: &'static SimKind, set: &[(&str, f64)]) -> Sim {
    let mut sim = Sim::new(kind);
    for (name, value) in set {
        sim.set(name, *value).expect("a knob of this kind");
    }
    sim
}
