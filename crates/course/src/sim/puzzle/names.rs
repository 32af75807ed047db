//! What the names in conditions and goals stand for.

use super::NOTES;
use crate::sim::expr::Values;
use crate::sim::{Results, Sim};

/// The names that conditions and goals may use, with their values in base units.
///
/// They are the outputs of the run, then the knobs, and `notes`.
#[derive(Debug, Clone, Copy)]
pub struct Names<'a> {
    /// The simulator with its knobs.
    pub sim: &'a Sim,
    /// What it found.
    pub run: &'a Results,
}

impl Values for Names<'_> {
    fn value(&self, name: &str) -> Option<f64> {
        if let Some(output) = self.run.output(name) {
            return Some(output.value);
        }
        if let Some(parameter) = self.sim.kind().parameter(name) {
            return Some(self.sim.value(name)? * parameter.unit.factor);
        }
        (name == NOTES).then_some(self.run.notes.len() as f64)
    }
}

impl Names<'_> {
    /// What a name is and its value, for people: `peak with activations`, `45.5 GB`.
    pub(super) fn told(&self, name: &str) -> Option<(String, String)> {
        if let Some(output) = self.run.output(name) {
            return Some((output.label.to_owned(), output.show()));
        }
        if let Some(parameter) = self.sim.kind().parameter(name) {
            let value = self.sim.value(name)?;
            return Some((parameter.label.to_owned(), parameter.show(value)));
        }
        (name == NOTES).then(|| ("warnings".to_owned(), self.run.notes.len().to_string()))
    }
}
