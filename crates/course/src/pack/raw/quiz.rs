//! Files below `quizzes/`: checks and puzzles.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::Drill;
use super::text::{Checker, Expression, Id, Markdown, Named, Plain, SimKind, Template, Verbatim};

/// A file below `quizzes/`: drills and checks of one lesson.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Quiz {
    /// The language of the rubrics in this file: 1 or 2, as `docs/writing-rubrics.md` says. Left out: 1.
    #[schemars(range(min = 1, max = 2))]
    pub format: Option<u32>,
    /// The lesson they belong to.
    pub lesson: Id,
    /// Open interview questions.
    #[serde(default, rename = "drill")]
    pub drills: Vec<Drill>,
    /// Checks with one right option.
    #[serde(default, rename = "choice")]
    pub choices: Vec<Choice>,
    /// Checks of the kind true or false.
    #[serde(default, rename = "claim")]
    pub claims: Vec<Claim>,
    /// Checks that ask for an order.
    #[serde(default, rename = "order")]
    pub orders: Vec<Order>,
    /// Checks that ask for a number, with fresh values each time.
    #[serde(default, rename = "number")]
    pub numbers: Vec<Number>,
    /// Tables to fill in.
    #[serde(default, rename = "worksheet")]
    pub worksheets: Vec<Worksheet>,
    /// Goals to reach in a simulator.
    #[serde(default, rename = "puzzle")]
    pub puzzles: Vec<Puzzle>,
}

/// A check with one right option.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// The check's id, unique in the pack.
    pub id: Id,
    /// The question.
    pub question: Markdown,
    /// The options; exactly one is right.
    #[serde(rename = "option")]
    #[schemars(length(min = 2))]
    pub options: Vec<ChoiceOption>,
    /// Shown after any answer: why the right one is right.
    pub explain: Markdown,
    /// Hints, the smallest first.
    #[serde(default)]
    pub hints: Vec<Markdown>,
}

/// An option of a choice.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChoiceOption {
    /// The option.
    pub text: Markdown,
    /// Whether it is the right one.
    #[serde(default)]
    pub right: bool,
    /// Why it is wrong (or right).
    pub why: Option<Markdown>,
}

/// A check of the kind true or false.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// The check's id, unique in the pack.
    pub id: Id,
    /// The claim.
    pub claim: Markdown,
    /// Whether it is true.
    pub truth: bool,
    /// Why.
    pub explain: Markdown,
    /// Hints, the smallest first.
    #[serde(default)]
    pub hints: Vec<Markdown>,
}

/// A check that asks for an order.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Order {
    /// The check's id, unique in the pack.
    pub id: Id,
    /// The question.
    pub question: Markdown,
    /// The steps in the right order; they are shown shuffled.
    #[schemars(length(min = 2))]
    pub steps: Vec<Markdown>,
    /// Why this order.
    pub explain: Markdown,
    /// Hints, the smallest first.
    #[serde(default)]
    pub hints: Vec<Markdown>,
}

/// A check that asks for a number. Its values are drawn fresh each time.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Number {
    /// The check's id, unique in the pack.
    pub id: Id,
    /// The question; `{{name}}` prints a drawn value, `{{expression:decimals}}` a computed one.
    pub question: Template,
    /// The values to draw, by name.
    #[schemars(with = "BTreeMap<String, Draw>")]
    pub draw: Named<Draw>,
    /// The answer: an expression over the drawn values and the formula functions.
    pub answer: Expression,
    /// The unit of the answer, for example `GB`, `GiB`, `ms`, `%`, `tokens`. A learner may
    /// type any unit of the same kind. Empty for a pure number.
    pub unit: Verbatim,
    /// How far off an answer may be, in per cent of the right value. 0 asks for the exact one.
    #[schemars(range(min = 0, max = 100))]
    pub tolerance: f64,
    /// Wrong values with a name.
    #[serde(default, rename = "slip")]
    pub slips: Vec<Slip>,
    /// Shown after any answer; may print the steps with `{{expression}}`.
    pub explain: Template,
    /// Hints, the smallest first.
    #[serde(default)]
    pub hints: Vec<Template>,
}

/// How to draw a value: one of a list, or a step between two bounds.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Draw {
    /// One of these.
    pub of: Option<Vec<f64>>,
    /// The least value.
    pub from: Option<f64>,
    /// The greatest value.
    pub to: Option<f64>,
    /// The step between values. Left out: 1.
    pub step: Option<f64>,
}

/// A wrong value that tells which slip was made.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Slip {
    /// The wrong value, an expression like `answer`.
    pub value: Expression,
    /// What went wrong, in a few words.
    pub why: Template,
}

/// A table to fill in, with a checker behind it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Worksheet {
    /// The check's id, unique in the pack.
    pub id: Id,
    /// The name shown in lists.
    pub title: Plain,
    /// The task.
    pub question: Markdown,
    /// The checker, one of those that `infralens pack schema` names.
    pub checker: Checker,
    /// Values, as text, that the checker is given and the learner cannot change.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, Verbatim>")]
    pub given: Named<Verbatim>,
    /// The rows, in order.
    #[serde(rename = "row")]
    #[schemars(length(min = 1))]
    pub rows: Vec<WorksheetRow>,
    /// What a good solution looks like, shown after an attempt.
    pub explain: Markdown,
    /// Hints, the smallest first.
    #[serde(default)]
    pub hints: Vec<Markdown>,
}

/// A row of a worksheet.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorksheetRow {
    /// The label on the left.
    pub label: Plain,
    /// The cells.
    #[serde(rename = "cell")]
    #[schemars(length(min = 1))]
    pub cells: Vec<WorksheetCell>,
}

/// A cell of a worksheet.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorksheetCell {
    /// The cell's id, as the checker knows it.
    pub id: Plain,
    /// What to write in it.
    pub label: Plain,
    /// The values to choose from. Left out: typed.
    #[serde(default)]
    pub options: Vec<Plain>,
    /// A value that stands there from the start.
    pub start: Option<Verbatim>,
}

/// A goal to reach in a simulator: some values are fixed, some knobs may be turned.
///
/// Expressions may use the names of the simulator's outputs and knobs, in base units (bytes, seconds, shares
/// of 1), and `notes`: how many notes the simulator gives, such as a plan that had to be changed to fit.
/// `infralens sim KIND` prints the names. `pack check` tries every allowed setting, so that par is true.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Puzzle {
    /// The puzzle's id, unique in the pack.
    pub id: Id,
    /// The name shown in lists.
    pub title: Plain,
    /// The goal in words.
    pub goal: Markdown,
    /// The kind of simulator.
    pub sim: SimKind,
    /// Its values by name, where they differ from its own; what is no knob stays so.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, f64>")]
    pub set: Named<f64>,
    /// The knobs that may be turned.
    #[serde(rename = "knob")]
    #[schemars(length(min = 1))]
    pub knobs: Vec<Knob>,
    /// What must hold.
    #[serde(default, rename = "require")]
    pub conditions: Vec<Require>,
    /// What to make small: an output, or an expression. Either this or `maximise`.
    pub minimise: Option<Expression>,
    /// What to make great.
    pub maximise: Option<Expression>,
    /// What the goal's value is, in words. Left out: the label of the output.
    pub label: Option<Plain>,
    /// The unit that the goal's value is shown in, for example `GB` or `%`. Left out: that of the output.
    pub unit: Option<Plain>,
    /// The best value there is, in base units, for example `30.3 GB`.
    pub par: Expression,
    /// The share of par within which a value counts as par. Left out: 0.001.
    #[schemars(range(min = 0.0, max = 0.1))]
    pub tolerance: Option<f64>,
    /// Why par is par.
    pub explain: Markdown,
    /// Hints, the smallest first; three make a ladder.
    #[serde(default)]
    pub hints: Vec<Markdown>,
}

/// A knob of a puzzle with the values that it may take, in its unit; choices by their place, from 0.
///
/// Without `of` and bounds it may take every value that the arrow keys reach. All knobs together may
/// have at most 4096 settings.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Knob {
    /// The knob's name in the simulator.
    pub name: Plain,
    /// The values, one by one.
    pub of: Option<Vec<f64>>,
    /// The least value.
    pub from: Option<f64>,
    /// The greatest value.
    pub to: Option<f64>,
    /// The difference between neighbours. Left out: 1.
    pub step: Option<f64>,
}

/// What must hold in a puzzle.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Require {
    /// The condition, for example `bubble <= 5 percent`.
    pub condition: Expression,
    /// The same in words.
    pub text: Plain,
}
