//! Where one can be: what a link, a jump or a bookmark leads to.

use std::collections::BTreeMap;
use std::path::PathBuf;

pub use super::class::Shown;
use super::keys::Scope;
use crate::study::attempt::Attempt;
use crate::study::rehearsal::{Rehearsal, Report, Setup};

/// A place in the program. `pack` is the index of the pack in the library, `id` the id in that pack.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)] // the fields are named by what they hold
pub enum Place {
    /// The start screen.
    Home,
    /// A lesson's handbook section, where it was left.
    Lesson { pack: usize, id: String },
    /// The same, at one of its headings.
    Section { pack: usize, id: String, title: String },
    /// A lab.
    Lab { pack: usize, id: String },
    /// The code of a lab note by note, in lines; in a terminal it stands beside the text.
    Code { pack: usize, id: String },
    /// A lab on real processes.
    Measure { pack: usize, id: String },
    /// A file of a lab's measured program, with its notes: 0 is the program, the others are what it imports.
    Program { pack: usize, id: String, file: usize },
    /// A drill, to be answered.
    Drill { pack: usize, id: String, only: Option<String> },
    /// One part of the prompt of a drill, to be answered again.
    PartAgain { pack: usize, id: String, part: String },
    /// A scored answer.
    Verdict { attempt: Box<Attempt> },
    /// What the rules cannot tell of a scored answer, asked once more, of this part first.
    Asked { attempt: Box<Attempt>, first: Option<String> },
    /// The checks of a lesson, or one of them.
    Checks { pack: usize, lesson: String, only: Option<String> },
    /// Line notes to recall, by their ids.
    Recall { pack: usize, notes: Vec<String> },
    /// A simulator at some values; `link` is the address of the link that leads there, if one does.
    Sim { kind: String, set: BTreeMap<String, f64>, link: Option<String> },
    /// What the program found around it, and what can be changed.
    Settings,
    /// The list of simulators and puzzles.
    Sims,
    /// A puzzle.
    Puzzle { pack: usize, id: String },
    /// The set-up of a rehearsal, or the choice to go on with one that was broken off.
    Rehearse,
    /// The set-up of a rehearsal with these values; it starts at once where that is said.
    RehearseWith { setup: Box<Setup>, start: bool },
    /// A rehearsal that runs; `bell` where the terminal's bell is wanted.
    Rehearsal { run: Box<Rehearsal>, bell: bool },
    /// The report of a rehearsal that is kept.
    Report { id: String },
    /// The report of a rehearsal that has just ended.
    Ended { report: Box<Report> },
    /// The reports of earlier rehearsals.
    Reports,
    /// What is due today, and in so many days ahead.
    Review { ahead: u32 },
    /// What changed in the packs since they were seen last.
    News,
    /// The map of lessons and parts.
    Progress,
    /// Own ratings against the marks.
    Ratings,
    /// The plan until the interview; its date is asked for where there is none.
    Plan,
    /// What to say of some lessons of a pack.
    Skim { pack: usize, lessons: Vec<String> },
    /// What the job that one applies for asks for; its description is pasted there.
    Posting,
    /// Earlier answers, of one drill (the pack's id and its own) or of all.
    History { drill: Option<(String, String)> },
    /// A class in its folder, or a part of it.
    Class { folder: PathBuf, shown: Shown },
    /// An answer of a class, by its id.
    ClassAnswer { folder: PathBuf, id: String },
    /// The packs that did not load, with their problems.
    Problems,
    /// The definition of a term, over the screen.
    Term { pack: usize, id: String },
    /// The list to jump anywhere, over the screen, and what is looked for; what is of that pack comes first.
    Find { pack: usize, words: String },
    /// All terms of a pack, or those of one of its lessons.
    Glossary { pack: usize, lesson: Option<String> },
    /// All keys that work in these scopes, over the screen.
    Keys { scopes: Vec<Scope> },
}
