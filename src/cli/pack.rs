//! What `infralens pack` takes.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};

/// Verbs for authors.
#[derive(Debug, Subcommand)]
pub enum PackVerb {
    /// Start a pack in a new folder
    New {
        /// The folder
        path: PathBuf,
        /// Write a small finished pack on another subject instead, to look things up in
        #[arg(long)]
        example: bool,
    },
    /// Check packs and print every problem
    Check {
        /// Folders; the built-in pack if left out
        paths: Vec<PathBuf>,
        /// Run the starters and compare what they print with their stored output; only for packs you wrote yourself
        #[arg(long)]
        run: bool,
    },
    /// Score the sample answers of a pack's drills, and compare the verdicts with those expected
    Test {
        /// The folder; the built-in pack if left out
        path: Option<PathBuf>,
        /// Only this drill
        #[arg(long)]
        drill: Option<String>,
        /// Show which rule matched which words
        #[arg(long)]
        explain: bool,
        /// Give the samples to your own judge too, and compare author, rules and judge two by two
        #[arg(long, conflicts_with = "explain")]
        judge: bool,
    },
    /// List the patterns in a pack's rubrics that decide nothing
    Prune {
        /// The folder; the built-in pack if left out
        path: Option<PathBuf>,
        /// Only this drill
        #[arg(long)]
        drill: Option<String>,
        /// Try the patterns on these judged answers too: JSON Lines, as `calibrate` reads them
        #[arg(long, value_name = "FILE")]
        answers: Option<PathBuf>,
    },
    /// Show what a pack's quiz files become in format 2
    Upgrade {
        /// The folder
        path: PathBuf,
        /// Change the files
        #[arg(long)]
        write: bool,
    },
    /// Print the JSON Schema of a kind of file, or write them all into a folder
    Schema {
        /// The kind of file
        #[arg(value_enum)]
        of: Option<SchemaOf>,
        /// Write all schemas into this folder
        #[arg(long, value_name = "FOLDER")]
        write: Option<PathBuf>,
    },
    /// Print what every rubric knows without being told: words, claims, signs, units
    Words,
    /// Check a pack again whenever a file changes
    Watch {
        /// The folder
        path: PathBuf,
    },
    /// Copy a pack into the data directory, so that it is always loaded
    Install {
        /// A folder, a .zip or .tar.gz file, or an address that git can clone
        path: PathBuf,
        /// Let its starters run
        #[arg(long)]
        trust: bool,
    },
    /// Put an installed pack first: on Home, in the plan and in the lists
    Default {
        /// The pack's id; without one, say which pack comes first
        id: Option<String>,
    },
    /// Draft a drill's rubric from its model answer: points, words and false twins, for you to edit
    Draft {
        /// The drill's id, or pack:drill if two packs have it
        drill: String,
        /// Learn words from these judged answers too: JSON Lines, as `calibrate` reads them
        #[arg(long, value_name = "FILE")]
        answers: Option<PathBuf>,
        /// Write the draft to this file; a file that exists is not overwritten
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Remove an installed pack; what you did in it is kept
    Remove {
        /// The pack's id
        id: String,
    },
    /// List the packs: built in, installed or named by --pack
    List,
    /// Let the starters of a pack run, as they are now
    Trust {
        /// The pack's id
        id: String,
    },
}

/// Kinds of files with a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SchemaOf {
    /// pack.toml
    Pack,
    /// lessons/*.toml
    Lesson,
    /// quizzes/*.toml
    Quiz,
    /// glossary.toml
    Glossary,
    /// claims.toml
    Claims,
    /// assets/*.measure.toml
    Measure,
}
