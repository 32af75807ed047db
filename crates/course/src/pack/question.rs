//! What a course asks: checks, puzzles and drills.

use std::collections::BTreeMap;

use super::{Level, SampleKind};
use crate::score::{self, FollowUp, Rubric, Scorer, Verdict};

/// A short question with a definite answer.
#[derive(Debug, Clone)]
pub struct Check {
    /// The id, unique in the pack.
    pub id: String,
    /// The lesson it belongs to.
    pub lesson: String,
    /// The question. Markdown; for a number it still holds `{{…}}` to fill with drawn values.
    pub question: String,
    /// What is asked.
    pub kind: CheckKind,
    /// Shown after any answer. Markdown; may hold `{{…}}` for a number.
    pub explain: String,
    /// Hints, the smallest first.
    pub hints: Vec<String>,
}

/// What a check asks for.
#[derive(Debug, Clone)]
pub enum CheckKind {
    /// One of some options.
    Choice(Vec<ChoiceOption>),
    /// True or false.
    Claim(bool),
    /// The steps in their right order.
    Order(Vec<String>),
    /// A number.
    Number(NumberCheck),
    /// A table to fill in.
    Worksheet(Worksheet),
}

/// An option of a choice.
#[derive(Debug, Clone)]
pub struct ChoiceOption {
    /// The option. Markdown.
    pub text: String,
    /// Whether it is right.
    pub right: bool,
    /// Why it is wrong or right.
    pub why: Option<String>,
}

/// How to ask for a number.
#[derive(Debug, Clone)]
pub struct NumberCheck {
    /// The values to draw, by name.
    pub draw: BTreeMap<String, Draw>,
    /// The answer, an expression of `sim::expr`.
    pub answer: String,
    /// The unit of the answer.
    pub unit: String,
    /// Allowed deviation in per cent of the right value.
    pub tolerance: f64,
    /// Wrong values (expressions) and what went wrong.
    pub slips: Vec<(String, String)>,
}

/// How to draw a value.
#[derive(Debug, Clone)]
pub enum Draw {
    /// One of these.
    Of(Vec<f64>),
    /// From, to, step; both ends included.
    Steps(f64, f64, f64),
}

/// A table to fill in.
#[derive(Debug, Clone)]
pub struct Worksheet {
    /// The name shown.
    pub title: String,
    /// The checker's name.
    pub checker: String,
    /// Values given to the checker, as text.
    pub given: BTreeMap<String, String>,
    /// Rows: a label and cells.
    pub rows: Vec<WorksheetRow>,
}

/// A row of a worksheet.
#[derive(Debug, Clone)]
pub struct WorksheetRow {
    /// The label on the left.
    pub label: String,
    /// The cells.
    pub cells: Vec<WorksheetCell>,
}

/// A cell of a worksheet.
#[derive(Debug, Clone)]
pub struct WorksheetCell {
    /// The id, as the checker knows it.
    pub id: String,
    /// What to write in it.
    pub label: String,
    /// Values to choose from; none means typed.
    pub options: Vec<String>,
    /// What stands there from the start.
    pub start: Option<String>,
}

/// A goal to reach in a simulator.
#[derive(Debug, Clone)]
pub struct Puzzle {
    /// The id, unique in the pack.
    pub id: String,
    /// The lesson it belongs to.
    pub lesson: String,
    /// The name shown.
    pub title: String,
    /// The goal. Markdown.
    pub goal: String,
    /// The simulator, its knobs, what must hold and what is best.
    pub rules: crate::sim::puzzle::Goal,
    /// Why par is par. Markdown.
    pub explain: String,
    /// Hints, the smallest first.
    pub hints: Vec<String>,
}

/// An open interview question.
#[derive(Debug, Clone)]
pub struct Drill {
    /// The id, unique in the pack.
    pub id: String,
    /// The lesson it belongs to.
    pub lesson: String,
    /// The question.
    pub prompt: String,
    /// For whom it is.
    pub level: Level,
    /// Minutes for a full answer.
    pub minutes: u32,
    /// The model answer. Markdown.
    pub model: String,
    /// What an answer is scored against.
    pub rubric: Rubric,
    /// Follow-up questions, at most one a part.
    pub follow_ups: Vec<FollowUp>,
    /// Answers with expected verdicts.
    pub samples: Vec<Sample>,
}

/// An answer written by the author of a drill.
#[derive(Debug, Clone)]
pub struct Sample {
    /// The id, unique in its drill.
    pub id: String,
    /// What kind of answer it is.
    pub kind: SampleKind,
    /// The answer.
    pub answer: String,
    /// The verdict expected, by part id.
    pub verdicts: BTreeMap<String, Verdict>,
    /// The misconceptions expected, by id.
    pub misconceptions: Vec<String>,
}

impl Drill {
    /// The follow-up question on a part.
    pub fn follow_up(&self, part: &str) -> Option<&FollowUp> {
        self.follow_ups.iter().find(|f| f.part == part)
    }

    /// What marks an answer: to the prompt, or to one part alone. A follow-up question without patterns of
    /// its own, and a part without a question, are marked by the points of the part.
    pub fn scorer(&self, part: Option<&str>, vocabulary: &score::Glossary) -> Scorer {
        let follow_up = part.and_then(|p| self.follow_up(p)).filter(|f| f.is_marked());
        match follow_up {
            Some(follow_up) => Scorer::of_follow_up(follow_up, &self.rubric, vocabulary),
            None => Scorer::new(&self.rubric, vocabulary),
        }
    }
}
