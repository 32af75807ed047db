//! What `infralens class` takes.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};

/// What to do with a class.
#[derive(Debug, Subcommand)]
pub enum ClassVerb {
    /// Show how a class is doing, from a folder of files that `export --class` made
    Open {
        /// The folder
        folder: PathBuf,
        /// Print a table for a spreadsheet, with a row for each student and drill
        #[arg(long, conflicts_with = "html")]
        csv: bool,
        /// Print one HTML page that needs no other file, to mail or to print
        #[arg(long)]
        html: bool,
    },
    /// Print an answer with its marks and remarks
    Answer {
        /// The folder
        folder: PathBuf,
        /// The answer's id, or the beginning of it
        answer: String,
    },
    /// Set the mark of a part, or write a remark on it or on the whole answer
    Mark {
        /// The folder
        folder: PathBuf,
        /// The answer's id, or the beginning of it
        answer: String,
        /// The part; without one, the remark is on the whole answer
        part: Option<String>,
        /// The mark; without one, the mark stays as it is
        #[arg(long, value_name = "MARK", requires = "part")]
        verdict: Option<MarkChoice>,
        /// What to say to the student
        #[arg(long, default_value = "", hide_default_value = true)]
        remark: String,
        /// Your name; remembered for next time
        #[arg(long, value_name = "NAME")]
        by: Option<String>,
    },
    /// Write a file for each student you gave something to, into the folder `back` beside the answers
    Return {
        /// The folder
        folder: PathBuf,
    },
    /// Print your judged answers, for `calibrate`
    Judged {
        /// The folder
        folder: PathBuf,
    },
}

/// A mark that is set by hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MarkChoice {
    /// A correct, specific statement that fulfils the part
    Covered,
    /// On topic and not wrong, but vague or incomplete
    Partial,
    /// Absent, wrong, or beside the point
    Missing,
}
