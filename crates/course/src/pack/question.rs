//! What a course asks: checks, puzzles and drills.

use std::collections::BTreeMap;

use super::index::Asks;
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

/// The name of the kind that is a page of its own.
const WORKSHEET: &str = "worksheet";
/// Seconds that a check of the kind with this name takes: read it, decide, read why. A worksheet takes so many for each
/// cell.
pub const fn seconds_of(kind: &str) -> u32 {
    match kind.as_bytes() {
        b"choice" | b"order" => 45,
        b"claim" => 30,
        b"number" => 75,
        b"worksheet" => 20,
        _ => 0,
    }
}

impl Asks {
    /// Seconds that it takes.
    pub fn seconds(&self) -> u32 {
        match self {
            Asks::Short(name) => seconds_of(name),
            Asks::Worksheet { cells, .. } => seconds_of(WORKSHEET).saturating_mul(*cells),
        }
    }
}

impl CheckKind {
    /// Its name, which is that of its array in a quiz file.
    pub fn name(&self) -> &'static str {
        match self {
            CheckKind::Choice(_) => "choice",
            CheckKind::Claim(_) => "claim",
            CheckKind::Order(_) => "order",
            CheckKind::Number(_) => "number",
            CheckKind::Worksheet(_) => WORKSHEET,
        }
    }

    /// All that it consists of, to tell whether it changed.
    pub fn texts(&self) -> KindTexts {
        let mut all = KindTexts::default();
        match self {
            CheckKind::Choice(options) => {
                all.wording(options.iter().map(|o| o.why.as_deref().unwrap_or("")));
                all.wording(options.iter().map(|o| &o.text));
                options.iter().for_each(|o| all.meaning([if o.right { "right" } else { "wrong" }]));
            }
            CheckKind::Claim(truth) => all.meaning([truth.to_string()]),
            CheckKind::Order(steps) => all.meaning(steps),
            CheckKind::Number(n) => {
                all.meaning([&n.answer, &n.unit, &n.tolerance.to_string(), &format!("{:?}", n.draw)]);
                n.slips.iter().for_each(|(value, why)| all.wording([value, why]));
            }
            CheckKind::Worksheet(w) => {
                all.wording([&w.title]);
                all.wording(w.rows.iter().flat_map(|r| r.cells.iter().map(|c| &c.label)));
                all.meaning([&w.checker]);
                w.given.iter().for_each(|(name, value)| all.meaning([name, value]));
            }
        }
        all
    }
}

/// What a check consists of besides its question, in groups.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KindTexts {
    /// What a learner reads.
    pub wording: Vec<Vec<String>>,
    /// What decides whether an answer is right.
    pub meaning: Vec<Vec<String>>,
}

impl KindTexts {
    fn wording<S: AsRef<str>>(&mut self, texts: impl IntoIterator<Item = S>) {
        self.wording.push(texts.into_iter().map(|text| text.as_ref().to_owned()).collect());
    }

    fn meaning<S: AsRef<str>>(&mut self, texts: impl IntoIterator<Item = S>) {
        self.meaning.push(texts.into_iter().map(|text| text.as_ref().to_owned()).collect());
    }
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
