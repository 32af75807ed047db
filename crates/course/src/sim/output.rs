//! What a simulator found: numbers with the formula behind them, and questions about them.

use std::fmt;
use std::sync::{Arc, LazyLock};

use std::collections::BTreeMap;

use crate::sim::expr;
use crate::sim::formula::{self, Formula};
use crate::sim::picture::View;
use crate::sim::quantity::{self, Unit};

/// A number that a simulator found.
#[derive(Debug, Clone)]
pub struct Output {
    /// The name, as in the conditions of puzzles.
    pub name: &'static str,
    /// The name shown.
    pub label: &'static str,
    /// The value in base units: bytes, seconds, bytes per second, shares of 1.
    pub value: f64,
    /// The unit to show it in.
    pub unit: Unit,
    /// The formula with its values put in, where the number comes from one.
    pub expression: Option<String>,
    /// The same over names in braces, where its simulator writes it so.
    pub form: Option<&'static str>,
    /// How it comes about, in words, where no formula gives it.
    pub how: Option<&'static str>,
    /// The unit that it is written in whatever its size: that of what it is compared with.
    pub shown_in: Option<Unit>,
    /// What it belongs to, as a heading over it and those that follow; empty where there are few numbers.
    pub group: &'static str,
}

impl Output {
    /// The value for people: with its unit, and yes or no for whether something fits.
    pub fn show(&self) -> String {
        if self.name == "fits" {
            return if self.value == 0.0 { "no" } else { "yes" }.to_owned();
        }
        match self.shown_in {
            Some(unit) => quantity::show_in(self.value, unit),
            None => quantity::show(self.value, self.unit),
        }
    }

    /// The formulas that its expression calls.
    pub fn formulas(&self) -> Vec<&'static Formula> {
        let Some(text) = &self.expression else {
            return Vec::new();
        };
        formula::all().filter(|f| text.contains(&format!("{}(", f.name))).collect()
    }
}

/// What one run of a simulator gives.
#[derive(Debug, Clone, Default)]
pub struct Results {
    /// The numbers.
    pub outputs: Vec<Output>,
    /// The pictures.
    pub views: Vec<View>,
    /// Questions to answer before the numbers are shown.
    pub questions: Vec<Question>,
    /// What the settings do not fit: a learner should know before believing the numbers.
    pub notes: Vec<String>,
    /// The knobs that were taken for another value than the one asked for. Each has a note too.
    pub adjusted: Vec<Adjusted>,
    /// What the numbers that come next belong to.
    pub(super) group: &'static str,
}

/// A knob whose value does not go with the others, and what was taken in its place, in the knob's unit.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Adjusted {
    /// The name of the knob.
    pub knob: &'static str,
    /// What was asked for.
    pub asked: f64,
    /// What was taken.
    pub taken: f64,
    /// Why.
    pub why: String,
}

/// Adds numbers to [`Results`], one a line: `name "label" [UNIT] = value, "how";` for what was counted,
/// `name "label" [UNIT]: "expression" if condition;` for what a formula gives, over the names in braces, or 0.
macro_rules! outputs {
    ($run:ident;) => {};
    ($run:ident; $name:ident $label:literal [$unit:expr] = $value:expr, $how:literal; $($rest:tt)*) => {
        $run.count(stringify!($name), $label, ($value, $unit), Some($how));
        $crate::sim::output::outputs!($run; $($rest)*);
    };
    ($run:ident; $name:ident $label:literal [$unit:expr] = $value:expr; $($rest:tt)*) => {
        $run.count(stringify!($name), $label, ($value, $unit), None);
        $crate::sim::output::outputs!($run; $($rest)*);
    };
    ($run:ident; $name:ident $label:literal [$unit:expr]: $text:literal; $($rest:tt)*) => {
        $run.work(stringify!($name), $label, $unit, format!($text));
        $run.named($text);
        $crate::sim::output::outputs!($run; $($rest)*);
    };
    ($run:ident; $name:ident $label:literal [$unit:expr]: $text:literal if $holds:expr; $($rest:tt)*) => {
        $run.work(stringify!($name), $label, $unit, $holds.then(|| format!($text)));
        $run.named($text);
        $crate::sim::output::outputs!($run; $($rest)*);
    };
    ($run:ident; $name:ident $label:literal [$unit:expr]: $expression:expr; $($rest:tt)*) => {
        $run.work(stringify!($name), $label, $unit, $expression);
        $crate::sim::output::outputs!($run; $($rest)*);
    };
}
pub(super) use outputs;

impl Results {
    /// The output of this name.
    pub fn output(&self, name: &str) -> Option<&Output> {
        self.outputs.iter().find(|o| o.name == name)
    }

    /// The value of an output in base units; NaN where there is none.
    pub fn value(&self, name: &str) -> f64 {
        self.output(name).map_or(f64::NAN, |o| o.value)
    }

    /// The outputs by name, for conditions.
    pub fn values(&self) -> BTreeMap<String, f64> {
        self.outputs.iter().map(|o| (o.name.to_owned(), o.value)).collect()
    }

    /// Adds a number that was counted or simulated, and how it comes about where that is said.
    pub(super) fn count(
        &mut self,
        name: &'static str,
        label: &'static str,
        (value, unit): (f64, Unit),
        how: Option<&'static str>,
    ) {
        let group = self.group;
        self.outputs.push(Output {
            name,
            label,
            value,
            unit,
            expression: None,
            form: None,
            how,
            shown_in: None,
            group,
        });
    }

    /// Adds a number that comes from a formula, with its values put in; 0 where the formula does not apply.
    pub(super) fn work(
        &mut self,
        name: &'static str,
        label: &'static str,
        unit: Unit,
        expression: impl Into<Option<String>>,
    ) {
        let Some(expression) = expression.into() else {
            return self.count(name, label, (0.0, unit), None);
        };
        let value = expr::value(&expression, &()).unwrap_or(f64::NAN);
        debug_assert!(value.is_finite(), "{name}: {expression}");
        self.outputs.push(Output {
            name,
            label,
            value,
            unit,
            expression: Some(expression),
            form: None,
            how: None,
            shown_in: None,
            group: self.group,
        });
    }

    /// Keeps how the number that was added last is written over names.
    pub(super) fn named(&mut self, form: &'static str) {
        if let Some(last) = self.outputs.last_mut().filter(|o| o.expression.is_some()) {
            last.form = Some(form);
        }
    }

    /// Keeps that a knob was taken for another value than the one asked for, where it was, and says so in a note.
    pub(super) fn took(&mut self, knob: &'static str, asked: usize, taken: usize, why: impl Into<String>) {
        if asked == taken {
            return;
        }
        let why = why.into();
        self.notes.push(format!("{knob}: asked for {asked}, taken {taken}: {why}"));
        self.adjusted.push(Adjusted { knob, asked: asked as f64, taken: taken as f64, why });
    }

    /// Adds a question whose answer is a number in base units.
    pub(super) fn ask(
        &mut self,
        ask: impl Into<String>,
        (value, unit): (f64, Unit),
        explain: impl Into<String>,
    ) {
        let answer = Answer::Number { value, unit: quantity::scaled(value, unit), tolerance: 0.05 };
        self.questions.push(Question::new(ask, answer, explain));
    }

    /// Keeps which number the question that was added last asks for: its formula says how it comes about here.
    pub(super) fn asks_for(&mut self, output: &'static str) {
        if let Some(last) = self.questions.last_mut() {
            last.output = Some(output);
        }
    }

    /// Keeps how the answer to the question that was added last comes about here, with the values put in.
    pub(super) fn here(&mut self, sum: impl Into<Option<String>>) {
        if let Some(last) = self.questions.last_mut() {
            last.sum = sum.into();
        }
    }

    /// Adds a question with options, of which `right` is the place of the right one.
    pub(super) fn choose(
        &mut self,
        ask: impl Into<String>,
        (options, right): (Vec<String>, impl Into<Right>),
        explain: impl Into<String>,
    ) {
        let answer = Answer::Choice { options, right: right.into() };
        self.questions.push(Question::new(ask, answer, explain));
    }
}

/// A question to answer before the reveal.
#[derive(Debug, Clone)]
pub struct Question {
    /// The question.
    pub ask: String,
    /// The answer.
    pub answer: Answer,
    /// Why, shown after any answer.
    pub explain: String,
    /// The number that it asks for, whose formula says how it comes about.
    pub output: Option<&'static str>,
    /// How the answer comes about, with the values put in, where no formula of a number says so.
    pub sum: Option<String>,
}

/// The answer to a question.
#[derive(Debug, Clone)]
pub enum Answer {
    /// A number in base units, right within a share of itself.
    Number {
        /// The value.
        value: f64,
        /// The unit to show and ask it in.
        unit: Unit,
        /// How far off is still right: a share of the value.
        tolerance: f64,
    },
    /// One of some options.
    Choice {
        /// The options.
        options: Vec<String>,
        /// The place of the right one.
        right: Right,
    },
}

/// The place of the right option, from 0. One that takes long to find is found when somebody answers, not at each turn of
/// a knob.
#[derive(Clone)]
pub struct Right(Arc<LazyLock<usize, Place>>);

type Place = Box<dyn FnOnce() -> usize + Send + Sync>;

impl Right {
    /// A place that is found when it is asked for.
    pub(super) fn later(find: impl FnOnce() -> usize + Send + Sync + 'static) -> Right {
        Right(Arc::new(LazyLock::new(Box::new(find))))
    }

    /// The place.
    pub fn place(&self) -> usize {
        **self.0
    }
}

impl From<usize> for Right {
    fn from(place: usize) -> Right {
        Right::later(move || place)
    }
}

impl fmt::Debug for Right {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Right").finish_non_exhaustive()
    }
}

/// What became of an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// Whether it was right.
    pub right: bool,
    /// The answer given, as understood.
    pub given: String,
    /// The right answer.
    pub expected: String,
}

impl Question {
    fn new(ask: impl Into<String>, answer: Answer, explain: impl Into<String>) -> Self {
        Question { ask: ask.into(), answer, explain: explain.into(), output: None, sum: None }
    }

    /// The right answer as it is shown.
    pub fn expected(&self) -> String {
        match &self.answer {
            Answer::Number { value, unit, .. } => quantity::show(*value, *unit),
            Answer::Choice { options, right } => options.get(right.place()).cloned().unwrap_or_default(),
        }
    }

    /// Judges what was typed: a number with or without a unit, or the place of an option from 1, or its text.
    ///
    /// # Errors
    /// A [`expr::Fault`] where it cannot be read.
    pub fn judge(&self, typed: &str) -> Result<Judgement, expr::Fault> {
        match &self.answer {
            Answer::Number { value, unit, tolerance } => {
                let given = quantity::read(typed, unit.name)? * unit.factor;
                let right = (given - value).abs() <= tolerance * value.abs() + 1e-12;
                Ok(Judgement {
                    right,
                    given: quantity::as_typed(typed, given, *unit),
                    expected: self.expected(),
                })
            }
            Answer::Choice { options, right } => {
                let typed = typed.trim();
                let place =
                    typed.parse::<usize>().ok().and_then(|n| n.checked_sub(1)).filter(|n| *n < options.len());
                let place = place.or_else(|| options.iter().position(|o| o.eq_ignore_ascii_case(typed)));
                let place = place.ok_or_else(|| expr::Fault {
                    at: 0,
                    what: "that is none of the options".into(),
                    cure: format!("give a number from 1 to {}", options.len()),
                })?;
                let given = options.get(place).cloned().unwrap_or_default();
                Ok(Judgement { right: place == right.place(), given, expected: self.expected() })
            }
        }
    }
}
