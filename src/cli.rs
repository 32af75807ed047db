//! What the command line takes.

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::RangedU64ValueParser;
use clap::{Args, FromArgMatches as _, Parser, Subcommand, ValueEnum};

pub mod complete;
pub mod help;

/// A terminal tutor for AI infrastructure: read, simulate, rehearse the interview.
#[derive(Debug, Default, Parser)]
#[command(name = "infralens", version, about, long_about = None, disable_help_subcommand = true)]
#[command(after_help = "Without a verb it opens Home. Exit status: 0 done, 1 the thing asked for failed, \
    2 the command line or a file was wrong.")]
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
        if std::env::args_os().nth(1).is_none() {
            return Ok(Cli::default());
        }
        if let Some(cli) = Self::of_options(std::env::args_os()) {
            return Ok(cli);
        }
        let read = help::told().try_get_matches().and_then(|found| Cli::from_arg_matches(&found));
        read.map_err(|fault| {
            // where even standard error is closed, the status has to tell
            let _ = match fault.use_stderr() {
                true => {
                    let said = fault.render().to_string();
                    io::stderr().write_all(crate::doc::escape::lines(&said).as_bytes())
                }
                // help and version hold no argument
                false => fault.print(),
            };
            ExitCode::from(u8::try_from(fault.exit_code()).unwrap_or(2))
        })
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
    /// Work as numbered lines on standard input and output
    #[arg(long, global = true)]
    pub plain: bool,
    /// Draw with ASCII characters alone
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
    /// Let nothing move by itself: simulators are stepped by keys; INFRALENS_NO_MOTION=1 does so always
    #[arg(long, global = true)]
    pub no_motion: bool,
    /// Print JSON where there is something to read by machine
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
    /// Read a lesson; without one, go on where you were
    Learn {
        /// The lesson's id
        lesson: Option<String>,
    },
    /// Answer a drill; without one, the weakest
    Drill {
        /// The drill's id
        drill: Option<String>,
    },
    /// Rehearse an interview against the clock
    Rehearse(Rehearse),
    /// Run a lab on real processes, and see predicted, simulated and measured beside each other
    Measure(Measure),
    /// Work through what is due
    Review {
        /// Take what is due in the next days too
        #[arg(long, value_name = "DAYS", default_value_t = 0)]
        ahead: u32,
    },
    /// Say what to do each day until the interview, and what there is no time for
    Plan {
        /// Set the day of the interview, as a date or as days from today; `none` clears it
        #[arg(long, value_name = "DAY")]
        interview: Option<String>,
        /// The job that one applies for.
        #[command(flatten)]
        job: Job,
    },
    /// Say how much is due; exit status 1 where something is
    Due,
    /// Say what works here, what does not, and what to do; exit status 1 where something is broken
    Doctor,
    /// Open a simulator; with --plain, --json or in a pipe, print it; without a kind, list them
    Sim {
        /// The kind of simulator
        kind: Option<String>,
        /// A parameter, as name=value with or without a unit; may be given several times
        #[arg(long, value_name = "NAME=VALUE")]
        set: Vec<String>,
        /// Values of a real model or machine; --set goes over them
        #[arg(long, value_name = "NAME")]
        preset: Option<String>,
    },
    /// Try a puzzle, or list them; exit status 1 where what was set is not par
    Puzzle {
        /// The puzzle's id
        puzzle: Option<String>,
        /// A knob, as name=value; may be given several times
        #[arg(long, value_name = "NAME=VALUE")]
        set: Vec<String>,
        /// Print so many hints
        #[arg(long, value_name = "N", default_value_t = 0)]
        hints: usize,
    },
    /// List lessons, labs, drills, checks, puzzles, simulators and terms by their ids
    List {
        /// What to list; left out, all of it
        #[arg(value_enum)]
        what: Option<ListWhat>,
    },
    /// Print anything that has an id: a lesson, a lab, a drill, a check, a puzzle, a simulator, a term
    Show {
        /// Its id, in small or large letters; with its kind before it where two have it, as term:ddp
        id: String,
    },
    /// Find things by their names and by what their texts say; what is named so comes first
    Search {
        /// The words
        #[arg(required = true)]
        words: Vec<String>,
    },
    /// Score an answer
    Score {
        /// The drill's id
        #[arg(required_unless_present = "batch")]
        drill: Option<String>,
        /// The file with the answer; left out or `-`, standard input
        file: Option<PathBuf>,
        /// Score it as an answer to the follow-up question on this part
        #[arg(long, value_name = "PART", conflicts_with = "batch")]
        follow: Option<String>,
        /// Score every line of a JSON Lines file of {"drill": …, "answer": …}
        #[arg(long, value_name = "FILE", conflicts_with_all = ["drill", "file"])]
        batch: Option<PathBuf>,
        /// Show which rule fired on which words
        #[arg(long)]
        explain: bool,
        /// Ask the judge that is set up too, and print its marks beside
        #[arg(long, conflicts_with_all = ["batch", "follow"])]
        judge: bool,
    },
    /// Compare the scorer with judges' verdicts
    Calibrate {
        /// JSON Lines of answers with verdicts
        file: PathBuf,
        /// Show the verdicts that differ with their rules, the sentences that no rule matched, and what to add
        #[arg(long)]
        unmatched: bool,
        /// Look at one half of the answers alone, always the same
        #[arg(long, value_enum, value_name = "HALF")]
        half: Option<crate::cmd::calibrate::Half>,
        /// Show how the surest verdicts agree, each drill left out of the fit
        #[arg(long)]
        fit: bool,
        /// Measure the judge of your own beside the rules; it is given each answer of the file
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
        /// Of this drill alone
        drill: Option<String>,
        /// How many
        #[arg(long, default_value_t = 20, value_parser = RangedU64ValueParser::<usize>::new().range(1..=1_000_000))]
        limit: usize,
    },
    /// Print strengths by lesson and part
    Stats,
    /// Write everything that is kept as JSON Lines
    Export {
        /// The file; left out or `-`, standard output
        file: Option<PathBuf>,
        /// The form: all as JSON Lines, attempts as CSV or Markdown, drills and checks as Anki notes
        #[arg(long, value_enum, default_value_t = ExportAs::Jsonl)]
        format: ExportAs,
        /// For an instructor: your answers to the drills of this pack, and nothing else
        #[arg(long, value_name = "PACK", conflicts_with = "format")]
        class: Option<String>,
        /// The name your instructor knows you by; kept for the next time
        #[arg(long, value_name = "NAME", requires = "class")]
        student: Option<String>,
    },
    /// For instructors: see a class by the files of its students, and give each a file back
    #[command(subcommand)]
    Class(ClassVerb),
    /// Read what `export` or an instructor wrote; reading it twice changes nothing
    Import {
        /// The file; `-` for standard input
        file: PathBuf,
    },
    /// Bring this machine and your others together, by a folder that is carried between them
    Sync {
        /// The folder, shared by Syncthing, Dropbox, git or a stick
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
    /// The lab's id; left out, list those that can be measured
    pub lab: Option<String>,
    /// How many ranks
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub ranks: u32,
    /// Fit the simulator to this machine's cores and links
    #[arg(long)]
    pub simulate: bool,
    /// What you expect of a figure, in base units, as id=value; may be given several times
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
    /// The port at which the ranks meet; left out, one that is free
    #[arg(long, value_name = "PORT")]
    pub port: Option<u16>,
    /// How long it may take, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..=86400))]
    pub limit: u64,
}

/// The job that one applies for.
#[derive(Debug, Clone, Default, Args)]
pub struct Job {
    /// Read a job description; the terms of the course in it weigh the plan, rehearsals and what is weakest
    #[arg(long, value_name = "FILE")]
    pub job: Option<PathBuf>,
    /// Forget the job description
    #[arg(long, conflicts_with = "job")]
    pub no_job: bool,
}

impl Job {
    /// Whether nothing is said about a job.
    pub fn says_nothing(&self) -> bool {
        self.job.is_none() && !self.no_job
    }
}

/// How to rehearse.
#[derive(Debug, Clone, Args)]
pub struct Rehearse {
    /// The job that one applies for.
    #[command(flatten)]
    pub job: Job,
    /// A preset: screen (5 prompts, 30 s and 2 min) or onsite (6 prompts, 60 s and 5 min)
    #[arg(long, value_enum)]
    pub preset: Option<Preset>,
    /// Lessons to draw from, as a,b,c; left out, all
    #[arg(long = "topics", visible_alias = "lesson", value_name = "LESSONS", value_delimiter = ',')]
    pub lesson: Vec<String>,
    /// Take the weakest drills first
    #[arg(long)]
    pub weakest: bool,
    /// How many prompts
    #[arg(long = "count", visible_alias = "prompts", value_name = "N",
        value_parser = RangedU64ValueParser::<usize>::new().range(1..=50))]
    pub prompts: Option<usize>,
    /// Seconds to think before each answer
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(..=3600))]
    pub think: Option<u32>,
    /// Seconds to answer
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..=3600))]
    pub answer: Option<u32>,
    /// Seconds to answer a follow-up question
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..=3600))]
    pub follow: Option<u32>,
    /// One take, no hints, the marks at the end; this is the default
    #[arg(long, conflicts_with = "practice")]
    pub strict: bool,
    /// Practice: the parts on demand, the marks after each answer
    #[arg(long)]
    pub practice: bool,
    /// No follow-up questions
    #[arg(long)]
    pub no_follow_ups: bool,
    /// The seed; the same seed asks the same prompts
    #[arg(long)]
    pub seed: Option<u64>,
    /// Start at once, without the set-up
    #[arg(long)]
    pub start: bool,
}

/// Presets of a rehearsal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Preset {
    /// 5 prompts, 30 seconds to think, 2 minutes to answer
    Screen,
    /// 6 prompts, 60 seconds to think, 5 minutes to answer
    Onsite,
}

/// What `list` lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ListWhat {
    /// Lessons
    Lessons,
    /// Labs
    Labs,
    /// Drills
    Drills,
    /// Checks
    Checks,
    /// Terms
    Terms,
    /// Simulators
    Sims,
    /// Puzzles
    Puzzles,
}

/// How `export` writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportAs {
    /// Everything, one JSON object a line
    Jsonl,
    /// Attempts as comma separated values
    Csv,
    /// Attempts as Markdown
    Markdown,
    /// Drills and checks as Anki text import
    Anki,
}

/// Verbs for a judge of one's own.
#[derive(Debug, Subcommand)]
pub enum JudgeVerb {
    /// Set the command that judges, with its arguments; it is asked who it is
    Set {
        /// Seconds it may take for one answer
        #[arg(long, value_name = "N", default_value_t = crate::judge::LIMIT, value_parser = clap::value_parser!(u32).range(1..=3600))]
        seconds: u32,
        /// The program and its arguments; no shell is between
        #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMMAND")]
        command: Vec<String>,
    },
    /// Print the command that is set
    Show,
    /// Put a good answer and an attack before it; exit status 1 where it can be told what to say
    Test,
    /// Turn it off
    Off,
}

/// Verbs for authors.
#[derive(Debug, Subcommand)]
pub enum PackVerb {
    /// Start a pack in a new folder
    New {
        /// The folder
        path: PathBuf,
        /// Write a small finished pack of another field instead, to look things up in
        #[arg(long)]
        example: bool,
    },
    /// Check packs and print every problem
    Check {
        /// Folders; left out, the built-in pack
        paths: Vec<PathBuf>,
        /// Run the starters and compare what they print with their stored output: for packs of your own
        #[arg(long)]
        run: bool,
    },
    /// Score the samples of a pack's drills and compare with the verdicts expected
    Test {
        /// The folder; left out, the built-in pack
        path: Option<PathBuf>,
        /// One drill alone
        #[arg(long)]
        drill: Option<String>,
        /// Show which rule fired on which words
        #[arg(long)]
        explain: bool,
        /// Put the samples before the judge of your own too, and compare author, rules and judge two by two
        #[arg(long, conflicts_with = "explain")]
        judge: bool,
    },
    /// Name the patterns of a pack's rubrics that decide nothing
    Prune {
        /// The folder; left out, the built-in pack
        path: Option<PathBuf>,
        /// One drill alone
        #[arg(long)]
        drill: Option<String>,
        /// Decide by these judged answers too, JSON Lines as `calibrate` reads them
        #[arg(long, value_name = "FILE")]
        answers: Option<PathBuf>,
    },
    /// Show what format 2 makes of the quiz files of a pack
    Upgrade {
        /// The folder
        path: PathBuf,
        /// Change the files
        #[arg(long)]
        write: bool,
    },
    /// Print the JSON Schema of a kind of file, or write all into a folder
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
    /// Copy a pack into the data directory, so that it is always there
    Install {
        /// The folder, the .zip or .tar.gz, or an address that git knows
        path: PathBuf,
        /// Allow its starters to be run
        #[arg(long)]
        trust: bool,
    },
    /// Let an installed pack come first: on Home, in the plan, in the lists
    Default {
        /// The pack's id; left out, say which comes first
        id: Option<String>,
    },
    /// Start the rubric of a drill from its model answer: points, words, false twins, to be edited
    Draft {
        /// The drill's id; as pack:drill where two packs have it
        drill: String,
        /// Learn words from these judged answers too, JSON Lines as `calibrate` reads them
        #[arg(long, value_name = "FILE")]
        answers: Option<PathBuf>,
        /// Write it here; a file that is there is left as it is
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Take an installed pack away; what was done in it is kept
    Remove {
        /// The pack's id
        id: String,
    },
    /// List the packs at hand: built in, installed, named by --pack
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bare_command_is_what_the_parser_makes_of_it() {
        let parsed = Cli::parse_from(["infralens"]);
        assert_eq!(format!("{parsed:?}"), format!("{:?}", Cli::default()));
    }
}

/// What to do with a class.
#[derive(Debug, Subcommand)]
pub enum ClassVerb {
    /// Say where a class stands, from a folder of files that `export --class` made
    Open {
        /// The folder
        folder: PathBuf,
        /// Print a table, a row a student and drill, for a spreadsheet
        #[arg(long, conflicts_with = "html")]
        csv: bool,
        /// Print one page that needs nothing else, to mail or to print
        #[arg(long)]
        html: bool,
    },
    /// Print an answer with its marks and remarks
    Answer {
        /// The folder
        folder: PathBuf,
        /// The id of the answer, or its beginning
        answer: String,
    },
    /// Set the mark of a part, or write a remark on it or on the whole answer
    Mark {
        /// The folder
        folder: PathBuf,
        /// The id of the answer, or its beginning
        answer: String,
        /// The part; left out, the remark is on the whole answer
        part: Option<String>,
        /// The mark; left out, the mark stays as it is
        #[arg(long, value_name = "MARK", requires = "part")]
        verdict: Option<MarkChoice>,
        /// What to say to the student
        #[arg(long, default_value = "", hide_default_value = true)]
        remark: String,
        /// Who gives it; kept for the next time
        #[arg(long, value_name = "NAME")]
        by: Option<String>,
    },
    /// Write a file for each student who was given something, into the folder `back` beside the answers
    Return {
        /// The folder
        folder: PathBuf,
    },
    /// Print the answers that you marked as judged answers, for `calibrate`
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
