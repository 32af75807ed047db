//! Every allowed setting of a puzzle, tried.

use super::{Condition, Goal, Knob, Names};

/// The most settings that a search tries: the product of the values that the knobs may take.
pub const MAX_SETTINGS: usize = 4096;

/// What a search found.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The best value, in base units.
    pub best: f64,
    /// The first setting that has it: knobs and values in their units.
    pub knobs: Vec<(&'static str, f64)>,
    /// How many settings are within the tolerance of the best.
    pub ways: usize,
    /// How many settings meet all conditions.
    pub solved: usize,
    /// How many settings were tried: all.
    pub tried: usize,
}

/// Why a search found nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotFound {
    /// There are more settings than [`MAX_SETTINGS`].
    TooMany(usize),
    /// No setting meets the conditions.
    NoSolution,
}

impl Goal {
    /// How many settings there are; `usize::MAX` where that is too great a number.
    pub fn settings(&self) -> usize {
        let product = |all: usize, knob: &Knob| all.saturating_mul(knob.values.len());
        self.knobs.iter().fold(1, product)
    }

    /// Tries every allowed setting.
    ///
    /// # Errors
    /// Where there are too many settings, or none meets the conditions.
    pub fn search(&self) -> Result<Found, NotFound> {
        let tried = self.settings();
        if tried > MAX_SETTINGS {
            return Err(NotFound::TooMany(tried));
        }
        let solved: Vec<(usize, f64)> = (0..tried).filter_map(|nth| Some((nth, self.solve(nth)?))).collect();
        let cost = |(_, value): &&(usize, f64)| self.goal.cost(*value);
        let (nth, best) =
            *solved.iter().min_by(|a, b| cost(a).total_cmp(&cost(b))).ok_or(NotFound::NoSolution)?;
        let near =
            |(_, value): &&(usize, f64)| (value - best).abs() <= self.goal.tolerance * best.abs() + 1e-12;
        Ok(Found {
            best,
            knobs: self.setting(nth),
            ways: solved.iter().filter(near).count(),
            solved: solved.len(),
            tried,
        })
    }

    /// The goal's value at the `nth` setting, where all conditions hold.
    fn solve(&self, nth: usize) -> Option<f64> {
        let sim = self.sim_at(&self.setting(nth));
        let run = sim.run();
        let names = Names { sim: &sim, run: &run };
        let holds = |c: &Condition| c.expr.holds(&names).unwrap_or(false);
        if !self.conditions.iter().all(holds) {
            return None;
        }
        self.goal.expr.value(&names).ok()
    }

    /// The knobs of the `nth` setting; the last knob turns fastest.
    pub fn setting(&self, nth: usize) -> Vec<(&'static str, f64)> {
        let mut rest = nth;
        let mut setting: Vec<_> = self
            .knobs
            .iter()
            .rev()
            .map(|knob| {
                let count = knob.values.len().max(1);
                let value = knob.values.get(rest % count).copied();
                rest /= count;
                (knob.parameter.name, value.unwrap_or(knob.parameter.default))
            })
            .collect();
        setting.reverse();
        setting
    }
}
