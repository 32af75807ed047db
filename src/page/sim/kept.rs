//! A setting that is kept: numbers and pictures say how it was there, until it is dropped.

use std::collections::BTreeMap;

use super::Simulator;
use crate::sim::{Results, Sim};

/// A kept setting, with what it gave.
#[derive(Debug)]
pub(super) struct Kept {
    sim: Sim,
    run: Results,
    /// Its numbers by name: their values, and as they are shown.
    numbers: BTreeMap<&'static str, (f64, String)>,
}

impl Simulator {
    /// Keeps the setting as it stands to compare others with it; drops the one that is kept.
    pub fn keep(&mut self) {
        self.settle();
        // what is drawn depends on it
        self.turns += 1;
        if self.kept.take().is_some() {
            return;
        }
        let run = match &self.rules {
            Some(rules) if !self.is_revealed => rules.run(&self.sim),
            _ => self.sim.run(),
        };
        let numbers = run.outputs.iter().map(|o| (o.name, (o.value, o.show()))).collect();
        self.kept = Some(Box::new(Kept { sim: self.sim.clone(), run, numbers }));
    }

    /// The numbers that those at hand are compared with.
    pub(super) fn before(&self) -> &BTreeMap<&'static str, (f64, String)> {
        self.kept.as_ref().map_or(&self.was, |kept| &kept.numbers)
    }

    /// The word before what a number was.
    pub fn was_word(&self) -> &'static str {
        if self.kept.is_some() { "kept" } else { "was" }
    }

    /// What the kept setting gave, where one is kept and another one stands.
    pub fn kept_run(&self) -> Option<&Results> {
        self.kept.as_ref().filter(|kept| kept.sim != self.sim).map(|kept| &kept.run)
    }

    /// Which setting is kept, and what is another one now.
    pub fn kept_in_words(&self) -> Option<String> {
        let kept = self.kept.as_ref()?;
        let differ = kept.sim.knobs().filter_map(|(parameter, before)| {
            let now = self.sim.value(parameter.name).filter(|now| *now != before)?;
            Some((parameter.label, parameter.show(before), parameter.show(now)))
        });
        let differ: Vec<_> = differ.collect();
        if differ.is_empty() {
            return Some("This setting is kept. Turn a knob, and each number says what it was here".into());
        }
        let side = |of: &dyn Fn(&(&str, String, String)) -> String| {
            differ.iter().map(|one| format!("{} {}", one.0, of(one))).collect::<Vec<_>>().join(", ")
        };
        Some(format!("Kept: {}. Now: {}", side(&|one| one.1.clone()), side(&|one| one.2.clone())))
    }
}
