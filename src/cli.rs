//! What the command line takes.

use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::{RangedI64ValueParser, RangedU64ValueParser};
use clap::{Args, FromArgMatches as _, Parser, Subcommand, ValueEnum};

use class::ClassVerb;
use pack::PackVerb;
pub use rehearse::{Job, Preset, Rehearse};

pub mod class;
pub mod complete;
pub mod help;
pub mod pack;
pub mod rehearse;

/// A terminal tutor for AI infrastructure: read, simulate, rehearse the interview.
#[derive(Debug, Default, Parser)]
#[command(name = "infralens", version, about, long_about = None, disable_help_subcommand = true)]
#[command(
    after_help = "Without a verb, infralens opens Home. Exit status: 0 it worked, 1 what you asked for \
 failed, 2 the command line or a file was wrong."
)]
pub struct Cli {
    /// What to do; nothing opens Home.
    #[command(subcommand)]
    pub verb: Option<Verb>,
    /// Options that work with every verb.
    #[command(flatten)]
    pub global: Global,
}

impl Cli {
    /// Reads the command line. The bare command is not parsed, and options alone have a parser of their own: building
    /// the one for all verbs takes longer than the first frame.
    ///
    /// # Errors
    /// The exit status, where the command line is wrong or help was asked for: what there is to say was said then. It
    /// holds nothing that steers a terminal, though an argument may.
    pub fn read() -> Result<Self, ExitCode> {
        Self::parsed().map(Self::heard)
    }

    fn parsed() -> Result<Self, ExitCode> {
        if std::env::args_os().nth(1).is_none() {
            return Ok(Cli::default());
        }
        if let Some(cli) = Self::of_options(std::env::args_os()) {
            return Ok(cli);
        }
        let words = help::asked(std::env::args_os().collect());
        let read = help::told().try_get_matches_from(words).and_then(|found| Cli::from_arg_matches(&found));
        read.map_err(|fault| {
            // where even standard error is closed, the status has to tell
            let _ = match fault.use_stderr() {
                true => {
                    let said = fault.render().to_string().replacen("error: ", "infralens: ", 1);
                    let said = in_words(&said);
                    io::stderr().write_all(crate::doc::escape::lines(&said).as_bytes())
                }
                // help and version hold no argument
                false => fault.print(),
            };
            ExitCode::from(u8::try_from(fault.exit_code()).unwrap_or(2))
        })
    }

    /// The same in words where the environment asks for them, or where a page is printed into a pipe: columns and drawings
    /// are for a terminal.
    fn heard(mut self) -> Self {
        let asks = std::env::var_os("INFRALENS_PLAIN").is_some_and(|v| !v.is_empty() && v != "0");
        let is_page = matches!(
            self.verb,
            Some(
                Verb::History { .. }
                    | Verb::Show { .. }
                    | Verb::Stats
                    | Verb::Plan { .. }
                    | Verb::Sim { .. }
                    | Verb::Puzzle { .. }
            )
        );
        self.global.plain |= asks || is_page && !io::stdout().is_terminal();
        self
    }

    /// The command line where it is made of options alone, without a fault; what is wrong the whole parser says.
    fn of_options(words: impl Iterator<Item = OsString>) -> Option<Self> {
        let words: Vec<OsString> = words.collect();
        if !words.get(1)?.as_encoded_bytes().starts_with(b"-") {
            return None;
        }
        let Alone { global } = Alone::try_parse_from(words).ok()?;
        Some(Cli { verb: None, global })
    }
}

/// What is said of a number that is out of its range, in words: `99 is not from 1 to 50`.
fn in_words(said: &str) -> String {
    let said = &said.replace("invalid digit found in string", "it is no whole number");
    let Some((before, rest)) = said.split_once(" is not in ") else { return said.to_owned() };
    let (range, after) = rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len()));
    match range.split_once("..=") {
        Some((first, last)) => {
            let first = if first.is_empty() { "0" } else { first };
            format!("{before} is not a number from {first} to {last}{after}")
        }
        None => said.to_owned(),
    }
}

/// Options without a verb.
#[derive(Debug, Parser)]
#[command(name = "infralens", disable_help_flag = true)]
struct Alone {
    #[command(flatten)]
    global: Global,
}

/// Options that work with every verb.
#[derive(Debug, Clone, Default, Args)]
pub struct Global {
    /// Add the pack in this folder; may be given several times
    #[arg(long, global = true, value_name = "PATH")]
    pub pack: Vec<PathBuf>,
    /// Keep progress in this folder instead of the platform's data directory
    #[arg(long, global = true, value_name = "PATH")]
    pub data_dir: Option<PathBuf>,
    /// Work in numbered lines on standard input and output; INFRALENS_PLAIN=1 always does this
    #[arg(long, global = true)]
    pub plain: bool,
    /// Draw with ASCII characters only
    #[arg(long, global = true)]
    pub ascii: bool,
    /// Colours to use
    #[arg(long, global = true, value_enum, default_value_t = ThemeChoice::Auto, value_name = "NAME")]
    pub theme: ThemeChoice,
    /// Shorthand for --theme light
    #[arg(long, global = true, conflicts_with = "theme")]
    pub light: bool,
    /// Leave the mouse to the terminal
    #[arg(long, global = true)]
    pub no_mouse: bool,
    /// Let nothing move by itself: keys step the simulators; INFRALENS_NO_MOTION=1 always does this
    #[arg(long, global = true)]
    pub no_motion: bool,
    /// Print JSON, for programs to read
    #[arg(long, global = true)]
    pub json: bool,
}

/// Colours to use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum ThemeChoice {
    /// Ask the terminal
    #[default]
    Auto,
    /// For a dark background
    Dark,
    /// For a light background
    Light,
    /// The terminal's own sixteen colours
    Sixteen,
    /// No colours
    Mono,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Read a lesson; without an id, go on where you left off
    Learn {
        /// The lesson's id, or a lab's
        lesson: Option<String>,
    },
    /// Answer a drill; without an id, your weakest
    Drill {
        /// The drill's id
        drill: Option<String>,
    },
    /// Rehearse an interview against the clock
    Rehearse(Rehearse),
    /// Run a lab on real processes, and compare what you predicted, what was simulated and what was measured
    Measure(Measure),
    /// Work through what is due
    Review {
        /// Include what falls due within this many days
        #[arg(long, value_name = "DAYS", default_value_t = 0, allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(0..=3650))]
        ahead: u32,
    },
    /// Show what to do each day until the interview, and what there is no time for
    Plan {
        /// Set the day of the interview, as a date or as days from today; `none` clears it
        #[arg(long, value_name = "DAY")]
        interview: Option<String>,
        /// The job that one applies for.
        #[command(flatten)]
        job: Job,
    },
    /// Show how much is due; exit status 1 if anything is
    Due,
    /// Check what works on this machine, what does not, and what to do about it; exit status 1 if something is broken
    Doctor,
    /// Open a simulator, or print it with --plain, with --json or in a pipe; without a kind, list them all
    Sim {
        /// The kind of simulator
        kind: Option<String>,
        /// A parameter, as name=value with or without a unit; may be given several times
        #[arg(long, value_name = "NAME=VALUE")]
        set: Vec<String>,
        /// Values of a real model or machine; --set overrides them
        #[arg(long, value_name = "NAME")]
        preset: Option<String>,
    },
    /// Try a puzzle, or list them all; exit status 1 if your setting misses par
    Puzzle {
        /// The puzzle's id
        puzzle: Option<String>,
        /// A knob, as name=value; may be given several times
        #[arg(long, value_name = "NAME=VALUE")]
        set: Vec<String>,
        /// Print this many hints
        #[arg(long, value_name = "N", default_value_t = 0)]
        hints: usize,
    },
    /// List lessons, labs, drills, checks, puzzles, simulators and terms with their ids
    List {
        /// What to list; everything if left out
        #[arg(value_enum)]
        what: Option<ListWhat>,
    },
    /// Print anything that has an id: a lesson, a lab, a drill, a check, a puzzle, a simulator, a term
    Show {
        /// Its id, in upper or lower case; if two things share it, put the kind before it, as in term:ddp
        id: String,
    },
    /// Search the names and texts of everything; matching names come first
    Search {
        /// The words to look for
        #[arg(required = true)]
        words: Vec<String>,
    },
    /// Score an answer
    Score {
        /// The drill's id
        #[arg(required_unless_present = "batch")]
        drill: Option<String>,
        /// The file with the answer; standard input if left out or `-`
        file: Option<PathBuf>,
        /// Score it as an answer to the follow-up question on this part
        #[arg(long, value_name = "PART", conflicts_with = "batch")]
        follow: Option<String>,
        /// Score every line of a JSON Lines file of {"drill": …, "answer": …}
        #[arg(long, value_name = "FILE", conflicts_with_all = ["drill", "file", "explain"])]
        batch: Option<PathBuf>,
        /// Show which rule matched which words
        #[arg(long)]
        explain: bool,
        /// Also ask your own judge, and print its marks beside these
        #[arg(long, conflicts_with_all = ["batch", "follow"])]
        judge: bool,
    },
    /// Compare the scorer with judges' verdicts
    Calibrate {
        /// JSON Lines of answers with verdicts
        file: PathBuf,
        /// Show the verdicts that differ and the rules behind them, the sentences that no rule matched, and what to add
        #[arg(long)]
        unmatched: bool,
        /// Look at only one half of the answers; it is the same half every time
        #[arg(long, value_enum, value_name = "HALF")]
        half: Option<crate::cmd::calibrate::Half>,
        /// Show how well the surest verdicts agree, leaving each drill out of its own fit
        #[arg(long)]
        fit: bool,
        /// Compare your own judge with the rules; it is given every answer in the file
        #[arg(long, conflicts_with_all = ["unmatched", "half", "fit"])]
        judge: bool,
    },
    /// Print the words of a concept, and where rubrics use it
    Concept {
        /// Its id, with or without the @
        id: String,
    },
    /// List earlier answers
    History {
        /// Only those to this drill
        drill: Option<String>,
        /// How many
        #[arg(long, default_value_t = 20, allow_negative_numbers = true, value_parser = RangedI64ValueParser::<usize>::new().range(1..=1_000_000))]
        limit: usize,
    },
    /// Print your strengths by lesson and part
    Stats,
    /// Write everything you did here as JSON Lines
    Export {
        /// The file; standard output if left out or `-`
        file: Option<PathBuf>,
        /// The format: everything as JSON Lines, attempts as CSV or Markdown, drills and checks as Anki notes
        #[arg(long, value_enum, default_value_t = ExportAs::Jsonl)]
        format: ExportAs,
        /// For an instructor: your answers to the drills of this pack, and nothing else
        #[arg(long, value_name = "PACK", conflicts_with = "format")]
        class: Option<String>,
        /// The name your instructor knows you by; remembered for next time
        #[arg(long, value_name = "NAME", requires = "class")]
        student: Option<String>,
        /// Write over a file that is there already
        #[arg(long)]
        force: bool,
    },
    /// For instructors: see how a class is doing from its students' files, and give each student a file back
    #[command(subcommand)]
    Class(ClassVerb),
    /// Read what `export` or an instructor wrote; reading it twice changes nothing
    Import {
        /// The file; `-` for standard input
        file: PathBuf,
    },
    /// Keep your progress on several machines in step, through a folder that they share
    Sync {
        /// The folder, shared by Syncthing, Dropbox, git or a USB stick
        folder: PathBuf,
    },
    /// Set up a judge of your own: a program that gives a second opinion on answers
    #[command(subcommand)]
    Judge(JudgeVerb),
    /// Write and check packs
    #[command(subcommand)]
    Pack(PackVerb),
    /// Print completions for a shell
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man {
        /// Write a page for the program and one for each verb into this folder instead
        #[arg(long, value_name = "FOLDER")]
        write: Option<PathBuf>,
    },
}

/// What to measure, and how.
#[derive(Debug, Clone, Args)]
pub struct Measure {
    /// The lab's id; without one, list the labs that can be measured
    pub lab: Option<String>,
    /// How many ranks
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub ranks: u32,
    /// Fit the simulator to this machine's cores and links
    #[arg(long)]
    pub simulate: bool,
    /// What you expect a figure to be, in base units, as id=value; may be given several times
    #[arg(long, value_name = "ID=VALUE", requires = "lab")]
    pub predict: Vec<String>,
    /// A knob of the program, as name=value; may be given several times
    #[arg(long, value_name = "NAME=VALUE", requires = "lab")]
    pub set: Vec<String>,
    /// Show the stored run of another machine
    #[arg(long, requires = "lab", conflicts_with_all = ["set", "python"])]
    pub stored: bool,
    /// A Python with PyTorch; without a lab, keep it for later
    #[arg(long, value_name = "PATH")]
    pub python: Option<String>,
    /// The port where the ranks meet; a free one if left out
    #[arg(long, value_name = "PORT")]
    pub port: Option<u16>,
    /// How long it may take, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..=86400))]
    pub limit: u64,
}

/// What `list` lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ListWhat {
    /// Lessons
    #[value(alias = "lesson")]
    Lessons,
    /// Labs
    #[value(alias = "lab")]
    Labs,
    /// Drills
    #[value(alias = "drill")]
    Drills,
    /// Checks
    #[value(alias = "check")]
    Checks,
    /// Terms
    #[value(alias = "term")]
    Terms,
    /// Simulators
    #[value(aliases = ["sim", "simulators", "simulator"])]
    Sims,
    /// Puzzles
    #[value(alias = "puzzle")]
    Puzzles,
}

/// How `export` writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportAs {
    /// Everything, one JSON object per line
    Jsonl,
    /// Attempts as comma-separated values
    Csv,
    /// Attempts as Markdown
    Markdown,
    /// Drills and checks as a text file that Anki imports
    Anki,
}

/// Verbs for a judge of one's own.
#[derive(Debug, Subcommand)]
pub enum JudgeVerb {
    /// Set the judge's command, with its arguments; it is asked for its name
    Set {
        /// Seconds it may take for one answer
        #[arg(long, value_name = "N", default_value_t = crate::judge::LIMIT, value_parser = clap::value_parser!(u32).range(1..=3600))]
        seconds: u32,
        /// The program and its arguments; no shell interprets them
        #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMMAND")]
        command: Vec<String>,
    },
    /// Print the judge's command
    Show,
    /// Try it on a good answer and on an attack; exit status 1 if it can be told what to say
    Test,
    /// Turn it off
    Off,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bare_command_is_what_the_parser_makes_of_it() {
        let parsed = Cli::parse_from(["infralens"]);
        assert_eq!(format!("{parsed:?}"), format!("{:?}", Cli::default()));
    }
}
