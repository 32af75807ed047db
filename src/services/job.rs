//! What takes long or needs the terminal, and how it ended.

use std::path::PathBuf;

use jiff::Timestamp;

use super::class::Reading;
use super::surroundings::Finding;
use crate::judge::Case;
use crate::measure::Program;
use crate::measure::figures::Run;
use crate::measure::launch::Setup;
use crate::measure::python::{Fault, Starter};
use crate::process::{Cancel, Said};
use crate::study::attempt::Attempt;
use crate::study::judge::Reply;

/// Something that the face around the pages does. Its end is told to every page of the stack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Job {
    /// Run a starter: pack index and lab id. Asked for by the person, once each time.
    Run(usize, String),
    /// Write a copy of a starter where there is none, for the person to change: pack index and lab id.
    Copy(usize, String),
    /// Open that copy in the editor: pack index and lab id.
    Edit(usize, String),
    /// Run the copy as it was changed, and the starter beside it: pack index and lab id. Asked for by the person.
    RunCopy(usize, String),
    /// Mark an answer that is too long to be marked while a key waits.
    Mark(Box<Unmarked>),
    /// Put an answer before the judge that was set up.
    Judge(Box<Case>),
    /// Read the class in this folder.
    Class(PathBuf),
    /// Look for what runs labs on real processes; what is named by a setting comes first.
    Look(Option<String>),
    /// Find out which Python and PyTorch there are.
    Surroundings,
    /// Run a lab on real processes.
    Measure(Box<Order>),
}

/// An answer that is to be marked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unmarked {
    /// The pack's index.
    pub pack: usize,
    /// The drill's id.
    pub drill: String,
    /// The id of the draft, which becomes the attempt's.
    pub id: String,
    /// The part, where one was asked alone.
    pub part: Option<String>,
    /// Whether it is that part of the prompt, and not a follow-up question on it.
    pub again: bool,
    /// What was typed.
    pub text: String,
    /// Seconds spent on it.
    pub seconds: u32,
    /// When it was handed in.
    pub at: Timestamp,
}

/// A lab to run on real processes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// The pack's index.
    pub pack: usize,
    /// What is to run.
    pub program: Program,
    /// How.
    pub setup: Setup,
    /// Ends it early.
    pub cancel: Cancel,
    /// Its last line of progress.
    pub said: Said,
}

/// How a job ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Done {
    /// A starter ran, or could not.
    Ran(Ran),
    /// A changed copy ran, and the starter before it.
    #[allow(missing_docs)]
    RanCopy { starter: Ran, copy: Ran },
    /// A long answer was marked.
    Marked(Box<Attempt>),
    /// A judge replied to an answer, by the attempt's id, or failed; a sentence says why.
    #[allow(missing_docs)]
    Judged { attempt: String, reply: Result<Reply, String> },
    /// How far the class in a folder is read.
    Class(PathBuf, Reading),
    /// What runs labs on real processes was found, or why not.
    Found(Result<Starter, Fault>),
    /// A lab ran on real processes, or could not: pack index, lab id, and a sentence where it failed.
    #[allow(missing_docs)]
    Measured { pack: usize, lab: String, run: Result<Box<Run>, String> },
    /// What was found out about Python and PyTorch.
    Surroundings(Vec<Finding>),
    /// A pack was opened beside the program, or could not be.
    Opened,
    /// Something went well and is worth a word.
    Said(String),
    /// Something failed: what, why and what to do, in one sentence.
    Failed(String),
}

/// How a starter ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    /// The pack's index.
    pub pack: usize,
    /// The lab's id.
    pub lab: String,
    /// What it printed, or what is stored where it could not run.
    pub output: String,
    /// A sentence where it did not end well, or did not run.
    pub note: Option<String>,
}
