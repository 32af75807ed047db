//! Puzzles: a simulator with most of its values fixed, some knobs to turn, conditions, a goal and its par.
//!
//! [`Goal::judge`] says of a setting which conditions hold and how its value stands to par.
//! [`Goal::search`] tries every allowed setting, so that par is known to be the best there is.

use std::collections::BTreeSet;

use crate::sim::expr::{Expr, Fault, Values as _};
use crate::sim::picture::View;
use crate::sim::quantity::{self, Unit};
use crate::sim::{Results, Sim};

mod knob;
mod names;
pub mod plain;
mod search;

pub use knob::Knob;
pub use names::Names;
pub use search::{Found, MAX_SETTINGS, NotFound};

/// The share of par within which a value counts as par, where a puzzle says nothing else.
pub(crate) const TOLERANCE: f64 = 0.001;

/// The name under which expressions find how many notes a run has: what a plan had to be changed in.
pub const NOTES: &str = "notes";

/// A goal to reach in a simulator.
#[derive(Debug, Clone)]
pub struct Goal {
    /// The simulator as it stands at first. What is no knob stays so.
    pub start: Sim,
    /// The knobs that may be turned.
    pub knobs: Vec<Knob>,
    /// What must hold.
    pub conditions: Vec<Condition>,
    /// What to make small or great.
    pub goal: Objective,
}

/// What must hold.
#[derive(Debug, Clone)]
pub struct Condition {
    /// In words.
    pub text: String,
    /// As the author wrote it.
    pub source: String,
    /// Over the names of [`Names`].
    pub expr: Expr,
}

impl Condition {
    /// The names in it, in the order in which they were written.
    fn names(&self) -> Vec<&str> {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let mut names: Vec<&str> = Vec::new();
        for word in self.source.split(|c| !is_part(c)) {
            if !names.contains(&word) && self.expr.names().contains(word) {
                names.push(word);
            }
        }
        names
    }
}

/// Which way is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Small values are better.
    Least,
    /// Great values are better.
    Most,
}

/// What to make small or great.
#[derive(Debug, Clone)]
pub struct Objective {
    /// Which way is better.
    pub direction: Direction,
    /// As the author wrote it.
    pub source: String,
    /// Over the names of [`Names`].
    pub expr: Expr,
    /// What the value is, in words.
    pub label: String,
    /// The unit to show it in.
    pub unit: Unit,
    /// The best value there is, in base units.
    pub par: f64,
    /// The share of par within which a value counts as par.
    pub tolerance: f64,
}

/// What became of a condition.
#[derive(Debug, Clone, PartialEq)]
pub struct Held {
    /// Whether it holds. One that has no value does not.
    pub holds: bool,
    /// What it looks at and the values, for people.
    pub values: Vec<(String, String)>,
}

/// How a setting stands to par. Distances are in base units and positive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Standing {
    /// A condition does not hold, or the goal has no value.
    Unsolved,
    /// All hold; the value is worse than par by this much.
    Short(f64),
    /// All hold and the value is par.
    Par,
    /// All hold and the value is better than par by this much.
    Better(f64),
}

/// What became of a setting.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// The conditions, in order.
    pub conditions: Vec<Held>,
    /// The value of the goal in base units, where it has one.
    pub value: Option<f64>,
    /// How it stands to par.
    pub standing: Standing,
}

impl Judged {
    /// Whether all conditions hold, whatever the value.
    pub fn is_solved(&self) -> bool {
        self.standing != Standing::Unsolved
    }

    /// Whether par is reached.
    pub fn is_at_par(&self) -> bool {
        matches!(self.standing, Standing::Par | Standing::Better(_))
    }
}

impl Objective {
    /// The value as it is kept: smaller is better, whatever the direction.
    pub fn cost(&self, value: f64) -> f64 {
        match self.direction {
            Direction::Least => value,
            Direction::Most => -value,
        }
    }

    /// The value that a cost was kept for.
    pub fn value(&self, cost: f64) -> f64 {
        self.cost(cost) // turning round twice changes nothing
    }

    /// The value for people; values that are compared have one unit.
    pub fn show(&self, value: f64) -> String {
        match self.fixed_unit() {
            Some(unit) => quantity::show_in(value, unit),
            None => quantity::show(value, self.unit),
        }
    }

    /// How far a value is from par, for people: what lies between the two numbers that are shown, where they differ.
    pub fn show_off(&self, value: f64) -> String {
        let by = |a: f64, b: f64| (a - b).abs();
        match self.fixed_unit() {
            Some(unit) => {
                let shown = by(quantity::rounded(value, unit), quantity::rounded(self.par, unit));
                self.show(if shown > 0.0 { shown } else { by(value, self.par) })
            }
            None => self.show(by(value, self.par)),
        }
    }

    /// The unit that its author named, where par can be read in it; else the one in which par is written.
    fn fixed_unit(&self) -> Option<Unit> {
        let is_read = (0.1..1000.0).contains(&(self.par / self.unit.factor).abs());
        let unit = if is_read { self.unit } else { quantity::scaled(self.par, self.unit) };
        (is_read || quantity::show_in(self.par, unit) == quantity::show(self.par, self.unit)).then_some(unit)
    }

    /// Whether a value is par, or better.
    pub fn is_at_par(&self, value: f64) -> bool {
        matches!(self.standing(value), Standing::Par | Standing::Better(_))
    }

    /// How a value stands to par.
    fn standing(&self, value: f64) -> Standing {
        let short = self.cost(value) - self.cost(self.par);
        if short.abs() <= self.slack() {
            Standing::Par
        } else if short > 0.0 {
            Standing::Short(short)
        } else {
            Standing::Better(-short)
        }
    }

    /// How far from par is still par, in base units.
    pub fn slack(&self) -> f64 {
        slack(self.par, self.tolerance)
    }
}

fn slack(par: f64, tolerance: f64) -> f64 {
    tolerance * par.abs() + 1e-12
}

/// The greatest cost (smaller is better, whatever the direction) that is still par.
pub fn limit(direction: Direction, par: f64, tolerance: f64) -> f64 {
    let cost = match direction {
        Direction::Least => par,
        Direction::Most => -par,
    };
    cost + slack(par, tolerance)
}

impl Goal {
    /// The knob of this name, where it may be turned.
    pub fn knob(&self, name: &str) -> Option<&Knob> {
        self.knobs.iter().find(|k| k.parameter.name == name)
    }

    /// Moves a knob by some clicks among its allowed values. A value that is fixed stays as it is.
    pub fn turn(&self, sim: &mut Sim, name: &str, clicks: i32) {
        let (Some(knob), Some(value)) = (self.knob(name), sim.value(name)) else {
            return;
        };
        let last = knob.values.len().saturating_sub(1) as i64;
        let place = (knob.place(value) as i64 + i64::from(clicks)).clamp(0, last);
        if let Some(value) = knob.values.get(place as usize) {
            let set = sim.set(name, *value);
            debug_assert!(set.is_ok(), "{name} = {value}");
        }
    }

    /// Sets a knob from text: a number with or without a unit, or the name of a choice.
    ///
    /// # Errors
    /// A [`Fault`] where the value is fixed, not allowed here, or cannot be read.
    pub fn set_text(&self, sim: &mut Sim, name: &str, text: &str) -> Result<(), Fault> {
        let Some(knob) = self.knob(name) else {
            let names: Vec<_> = self.knobs.iter().map(|k| k.parameter.name).collect();
            let what = match sim.kind().parameter(name) {
                Some(_) => format!("`{name}` is fixed in this puzzle"),
                None => format!("there is no knob `{}`", name.escape_debug()),
            };
            let cure = format!("turn {}", names.join(", "));
            return Err(Fault { at: 0, what, cure });
        };
        let value = knob.parameter.read(text)?;
        if !knob.allows(value) {
            let what = format!("{name} cannot be {} here", text.trim().escape_debug());
            let cure = format!("use one of {}", knob.listed());
            return Err(Fault { at: 0, what, cure });
        }
        sim.set(name, value).map(|_| ())
    }

    /// The names in an expression that have no value here.
    pub fn unknown<'e>(&self, expr: &'e Expr) -> Vec<&'e str> {
        let run = self.start.run();
        let names = Names { sim: &self.start, run: &run };
        let unknown = expr.names().into_iter().filter(|n| names.value(n).is_none());
        unknown.collect()
    }

    /// Every name that a condition or goal over this kind of simulator may use.
    pub fn names(sim: &Sim) -> BTreeSet<&'static str> {
        let outputs = sim.run().outputs.into_iter().map(|o| o.name);
        let knobs = sim.kind().parameters.iter().map(|p| p.name);
        outputs.chain(knobs).chain([NOTES]).collect()
    }

    /// What a setting gives, without the pictures that would show what its knobs come to elsewhere.
    pub fn run(&self, sim: &Sim) -> Results {
        let mut run = sim.run();
        let compares = |view: &View| view.compares.iter().any(|name| self.knob(name).is_some());
        let seen = |view: View| if compares(&view) { view.alone() } else { Some(view) };
        run.views = run.views.into_iter().filter_map(seen).collect();
        // the number of the goal is written like the goal, so that both are seen to be one
        let goal = self.goal.source.trim();
        let of = run.outputs.iter_mut().filter(|output| output.name == goal);
        of.for_each(|output| output.shown_in = self.goal.fixed_unit());
        run
    }

    /// Judges a setting.
    pub fn judge(&self, sim: &Sim) -> Judged {
        self.judge_run(sim, &sim.run())
    }

    /// Judges a setting whose run is at hand.
    pub fn judge_run(&self, sim: &Sim, run: &Results) -> Judged {
        let names = Names { sim, run };
        let told = |c: &Condition| Held {
            holds: c.expr.holds(&names).unwrap_or(false),
            values: c.names().into_iter().filter_map(|n| names.told(n)).collect(),
        };
        let conditions: Vec<Held> = self.conditions.iter().map(told).collect();
        let value = self.goal.expr.value(&names).ok();
        let standing = match value {
            Some(value) if conditions.iter().all(|c| c.holds) => self.goal.standing(value),
            _ => Standing::Unsolved,
        };
        Judged { conditions, value, standing }
    }

    /// Whether par would tell how a knob is to stand: the goal is a knob itself.
    pub fn par_tells(&self) -> bool {
        self.knob(self.goal.source.trim()).is_some()
    }

    /// The simulator with these knobs turned; other values as at the start.
    pub fn sim_at(&self, knobs: &[(&str, f64)]) -> Sim {
        let mut sim = self.start.clone();
        for (name, value) in knobs.iter().filter(|(name, _)| self.knob(name).is_some()) {
            let set = sim.set(name, *value);
            debug_assert!(set.is_ok(), "{name} = {value}");
        }
        sim
    }

    /// The knobs as they stand in a simulator, with their values in their units.
    pub fn turned<'s>(&'s self, sim: &'s Sim) -> impl Iterator<Item = (&'s Knob, f64)> + 's {
        let value = |k: &'s Knob| Some((k, sim.value(k.parameter.name)?));
        self.knobs.iter().filter_map(value)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::sim::picture::Picture;

    /// 13B on 8 GPUs: turn the ZeRO stage until it fits, with the least traffic.
    fn fit() -> Goal {
        let set: BTreeMap<String, f64> =
            [("params", 13.0), ("ranks", 8.0), ("activations", 14.3), ("stage", 3.0)]
                .map(|(name, value)| (name.to_owned(), value))
                .into();
        let start = Sim::open("zero", &set).expect("a ledger");
        let parameter = start.kind().parameter("stage").expect("a knob");
        let parse = |source: &str| Expr::parse(source).expect("an expression");
        Goal {
            start,
            knobs: vec![Knob::whole(parameter)],
            conditions: vec![Condition {
                text: "it fits".into(),
                source: "peak <= usable".into(),
                expr: parse("peak <= usable"),
            }],
            goal: Objective {
                direction: Direction::Least,
                source: "sent".into(),
                expr: parse("sent"),
                label: "sent".into(),
                unit: quantity::GB,
                par: 45.5e9,
                tolerance: TOLERANCE,
            },
        }
    }

    fn at(puzzle: &Goal, stage: f64) -> Judged {
        puzzle.judge(&puzzle.sim_at(&[("stage", stage)]))
    }

    #[test]
    fn a_setting_is_judged_by_its_conditions_and_its_distance_from_par() {
        let mut puzzle = fit();
        assert_eq!(at(&puzzle, 1.0).standing, Standing::Unsolved);
        assert_eq!(at(&puzzle, 2.0).standing, Standing::Par);
        let Standing::Short(by) = at(&puzzle, 3.0).standing else {
            panic!("stage 3 sends more");
        };
        assert!((by - 22.75e9).abs() < 1e6, "{by}");
        puzzle.goal.par = 50e9;
        assert_eq!(at(&puzzle, 2.0).standing, Standing::Better(4.5e9));
        puzzle.goal.direction = Direction::Most;
        assert_eq!(at(&puzzle, 2.0).standing, Standing::Short(4.5e9));
    }

    #[test]
    fn the_pictures_of_a_puzzle_show_no_other_setting() {
        let puzzle = fit();
        let run = puzzle.run(&puzzle.start);
        let titles: Vec<_> = run.views.iter().map(|v| v.title).collect();
        assert_eq!(titles, ["bytes on each GPU", "who holds what in a step"]);
        let Picture::Bars(bars) = run.views[0].frame(0).picture else {
            panic!("bars");
        };
        let labels: Vec<_> = bars.bars.iter().map(|b| b.label.as_str()).collect();
        assert_eq!(labels, ["ZeRO-3"]);
        assert_eq!(puzzle.start.run().views.len(), 4);
    }

    #[test]
    fn a_condition_tells_the_values_that_it_looks_at() {
        let judged = at(&fit(), 1.0);
        assert!(!judged.conditions[0].holds);
        let values: Vec<_> = judged.conditions[0].values.iter().map(|(_, v)| v.as_str()).collect();
        assert_eq!(values, ["85.8 GB", "72 GB"]);
    }

    #[test]
    fn a_condition_without_a_value_does_not_hold() {
        let mut puzzle = fit();
        puzzle.conditions[0].expr = Expr::parse("1 / (stage - 2) < 5").expect("an expression");
        assert!(!at(&puzzle, 2.0).is_solved());
        assert!(at(&puzzle, 3.0).is_solved());
    }

    #[test]
    fn a_search_tries_everything_and_stops_before_too_much() {
        let mut puzzle = fit();
        let found = puzzle.search().expect("a solution");
        assert_eq!((found.tried, found.solved, found.ways), (4, 2, 1));
        assert_eq!((found.best, found.knobs), (45.5e9, vec![("stage", 2.0)]));
        puzzle.conditions[0].expr = Expr::parse("peak < 1 GB").expect("an expression");
        assert_eq!(puzzle.search(), Err(NotFound::NoSolution));
        puzzle.knobs[0].values = vec![0.0; MAX_SETTINGS + 1];
        assert_eq!(puzzle.search(), Err(NotFound::TooMany(MAX_SETTINGS + 1)));
    }

    #[test]
    fn only_knobs_turn_and_only_to_allowed_values() {
        let mut puzzle = fit();
        puzzle.knobs[0].values = vec![0.0, 2.0, 3.0];
        let mut sim = puzzle.start.clone();
        puzzle.turn(&mut sim, "stage", -1);
        assert_eq!(sim.value("stage"), Some(2.0));
        puzzle.turn(&mut sim, "stage", -9);
        assert_eq!(sim.value("stage"), Some(0.0));
        puzzle.turn(&mut sim, "params", 1);
        assert_eq!(sim.value("params"), Some(13.0));
        assert!(puzzle.set_text(&mut sim, "stage", "3").is_ok());
        for (name, text, word) in [
            ("stage", "1", "use one of 0, 2, 3"),
            ("params", "7", "turn stage"),
            ("colour", "7", "turn stage"),
        ] {
            let fault = puzzle.set_text(&mut sim, name, text).expect_err(name);
            assert_eq!(fault.cure, word);
        }
        assert_eq!(sim.value("stage"), Some(3.0));
    }

    #[test]
    fn a_whole_knob_takes_what_arrow_keys_reach() {
        let kind = crate::sim::kind("pipeline").expect("a kind");
        let values = |name| Knob::whole(kind.parameter(name).expect("a knob")).values;
        assert_eq!(values("schedule"), [0.0, 1.0, 2.0, 3.0]);
        assert_eq!(values("chunks"), [1.0, 2.0, 3.0, 4.0]);
        assert_eq!(values("stages"), [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0]);
    }
}
