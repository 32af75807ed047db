//! What can be written to the store, as plain data.

use std::borrow::Cow;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::store::{CheckAttempt, PuzzleBest, Target};
use crate::study::attempt::Attempt;
use crate::study::home::{Draft, Position};
use crate::study::judge::Reply;
use crate::study::rehearsal::{Rehearsal, Report};
use crate::study::schedule::{self, Grade};

/// Something to be kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Record {
    /// An attempt; its draft is forgotten.
    Attempt(Box<Attempt>),
    /// What the learner thinks of an attempt that is kept.
    Rating(Box<Attempt>),
    /// A draft as it stands.
    Draft(Draft),
    /// That a draft is given up, by its id.
    DropDraft(String),
    /// Where a lesson or lab was left.
    Position(Position),
    /// Whether a section was read to its end, or a lab done.
    Done(Item, bool),
    /// An answer to a check. Without an id it is given one.
    Check(Box<CheckAttempt>),
    /// How well something was known, as a person says.
    Grade(Graded),
    /// The person's own grade instead of the one of the marks.
    Overrule(Graded),
    /// What stands in a cell of a worksheet.
    Cell(Entry),
    /// A solution of a puzzle, where it is better than the one before.
    Puzzle(Solved),
    /// A rehearsal as it stands.
    Rehearsal(Box<Rehearsal>),
    /// The report of a rehearsal, which ends it.
    Finish(Box<Rehearsal>, Box<Report>),
    /// That a rehearsal is given up, by its id.
    DropRehearsal(String),
    /// That the changes of a pack were seen, by its id.
    Seen(String),
    /// What the learner claims of an attempt that is kept: its claims.
    Claims(Box<Attempt>),
    /// What a judge said of an attempt that is kept: its id, and the reply.
    Opinion(String, Box<Reply>),
    /// A mark that the learner does not accept.
    Dispute(Dispute),
    /// That a mark is accepted after all: the attempt's id, and what the dispute was about.
    Undispute(String, String),
    /// That the code of a pack may run as it is now.
    Trust(Trusted),
    /// A setting.
    Setting(Cow<'static, str>, String),
}

impl Record {
    /// A setting.
    pub fn setting(key: &'static str, value: impl Into<String>) -> Self {
        Record::Setting(Cow::Borrowed(key), value.into())
    }

    /// What it is about: of two records about the same thing the later one stands for both. None
    /// where each one counts.
    pub(super) fn thing(&self) -> Option<(&'static str, String)> {
        Some(match self {
            Record::Attempt(a) => ("draft", a.id.clone()),
            Record::Draft(d) => ("draft", d.id.clone()),
            Record::DropDraft(id) => ("draft", id.clone()),
            Record::Position(p) => {
                ("position", format!("{}\0{}\0{}", p.pack, p.lesson, p.lab.as_deref().unwrap_or("")))
            }
            Record::Done(i, _) => {
                ("done", format!("{}\0{}\0{}", i.pack, i.lesson, i.lab.as_deref().unwrap_or("")))
            }
            Record::Cell(e) => ("cell", format!("{}\0{}\0{}", e.pack, e.check, e.cell)),
            Record::Rehearsal(run) | Record::Finish(run, _) => ("rehearsal", run.id.clone()),
            Record::DropRehearsal(id) => ("rehearsal", id.clone()),
            Record::Seen(pack) => ("seen", pack.clone()),
            Record::Claims(a) => ("claims", a.id.clone()),
            Record::Trust(t) => ("trust", format!("{}\0{}", t.pack, t.place)),
            Record::Opinion(id, _) => ("opinion", id.clone()),
            Record::Setting(key, _) => ("setting", key.to_string()),
            Record::Rating(_)
            | Record::Check(_)
            | Record::Grade(_)
            | Record::Overrule(_)
            | Record::Puzzle(_)
            | Record::Dispute(_)
            | Record::Undispute(..) => return None,
        })
    }
}

/// A pack whose code may run, as long as it stays the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trusted {
    /// The pack's id.
    pub pack: String,
    /// Where it comes from.
    pub place: String,
    /// What its code is known by.
    pub fingerprint: String,
}

/// Something that can be done: a section or a lab.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// The pack's id.
    pub pack: String,
    /// The lesson's id.
    pub lesson: String,
    /// The lab's id, or none for the section.
    pub lab: Option<String>,
}

/// How well something was known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Graded {
    /// The pack's id.
    pub pack: String,
    /// The lesson's id.
    pub lesson: String,
    /// What it was.
    pub item: schedule::Item,
    /// How well.
    pub grade: Grade,
}

/// What stands in a cell of a worksheet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The pack's id.
    pub pack: String,
    /// The check's id.
    pub check: String,
    /// The cell's id.
    pub cell: String,
    /// What was typed or chosen.
    pub text: String,
}

/// A solution of a puzzle.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Solved {
    /// The pack's id.
    pub pack: String,
    /// The puzzle's id.
    pub puzzle: String,
    /// What was found.
    pub found: PuzzleBest,
}

/// A mark that the learner does not accept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dispute {
    /// The attempt's id.
    pub attempt: String,
    /// What kind of mark.
    pub target: Target,
    /// The id of the part, key point or misconception in question.
    pub about: String,
    /// What the learner says.
    pub note: String,
    /// The sentence of the answer that says it, where one is named.
    pub sentence: Option<String>,
    /// When.
    pub at: Timestamp,
}
