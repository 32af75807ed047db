//! What the screens that are no pages yet ask for, as data, and what they are answered. `bridge`
//! carries it out; both go with the last of those screens.

use std::collections::BTreeMap;

use crate::page::job::Job;
pub use crate::page::job::Ran;
use crate::page::place::Place;
pub use crate::services::record::{Entry, Graded, Item, Solved};
use crate::store::{CheckAttempt, PuzzleBest};
use crate::study::attempt::Attempt;
use crate::study::home::{Draft, Home, Position, Rehearsed};
use crate::study::rehearsal::{Rehearsal, Report};

/// Something to be done outside of the state. Navigation is carried out by the app itself,
/// the rest by the loop.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Go to a place; `esc` comes back here.
    Go(Place),
    /// Go to a place instead of this one.
    Replace(Place),
    /// Back to where one came from.
    Back,
    /// End the program.
    Quit,
    /// Give the terminal to the shell until the program is continued.
    Suspend,
    /// Say something in the footer until the next key.
    Say(String),
    /// Ring the terminal's bell.
    Bell,
    /// Put text on the clipboard.
    Copy(String),

    /// Keep where a lesson or lab was left.
    SavePosition(Position),
    /// Keep whether a section was read to its end, or a lab done.
    SaveDone(Item, bool),
    /// Keep a draft as it stands.
    SaveDraft(Draft),
    /// Forget a draft.
    DropDraft(String),
    /// Keep an attempt and forget its draft.
    Record(Box<Attempt>),
    /// Keep what the learner thinks of an attempt that is kept.
    Rate(Box<Attempt>),
    /// Keep an answer to a check; the store names it.
    RecordCheck(Box<CheckAttempt>),
    /// Keep how well something was known, as a person says.
    Grade(Graded),
    /// Keep what stands in a cell of a worksheet.
    SaveCell(Entry),
    /// Keep a solution of a puzzle where it is better than the one before.
    SavePuzzle(Solved),
    /// Keep a rehearsal as it stands.
    SaveRehearsal(Box<Rehearsal>),
    /// Keep the report of a rehearsal, which ends it.
    FinishRehearsal(Box<Rehearsal>, Box<Report>),
    /// Give a rehearsal up, by its id.
    DropRehearsal(String),
    /// Take a rehearsal that was broken off, by its id, to go on with it.
    TakeRehearsal(String),
    /// Keep a setting.
    Set(&'static str, String),

    /// Read what is kept: attempts, the cells of a worksheet, a setting.
    Recall(Query),
    /// Read again what Home shows.
    Refresh,
    /// Ask for an id for a new draft.
    FreshId,
    /// Do what takes long, or needs the terminal.
    Job(Job),
}

/// What to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Query {
    /// The cells of a worksheet: pack id and check id.
    Cells(String, String),
    /// The best solutions of a pack's puzzles, by its id.
    Puzzles(String),
    /// A setting by its name.
    Setting(&'static str),
    /// The rehearsals of a pack that ended, by the pack's id, the newest first.
    Rehearsals(String),
}

/// What the outside answers.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// What Home shows, by pack in the order of the library, with all reading positions.
    Home(Vec<Home>, Vec<Position>),
    /// What stands in the cells of a worksheet, by cell id: pack id and check id before it.
    Cells(String, String, BTreeMap<String, String>),
    /// The best solutions of the puzzles of the pack with this id, by puzzle id.
    Puzzles(String, BTreeMap<String, PuzzleBest>),
    /// The value of a setting, if it was ever set.
    Setting(&'static str, Option<String>),
    /// The rehearsal that was asked for, if it can be gone on with.
    Taken(Option<Box<Rehearsal>>),
    /// The rehearsals of the pack with this id that ended, the newest first.
    Rehearsals(String, Vec<Rehearsed>),
    /// An attempt is kept.
    Recorded(String),
    /// An id for a new draft.
    Id(String),
    /// A starter ran, or could not.
    Ran(Ran),
    /// Something went well and is worth a word.
    Said(String),
    /// Something failed: what, why and what to do, in one sentence.
    Failed(String),
}
