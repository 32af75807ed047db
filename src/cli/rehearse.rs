//! What a rehearsal is asked for, and for which job.

use super::*;

/// The job that one applies for.
#[derive(Debug, Clone, Default, Args)]
pub struct Job {
    /// Read a job description; what it asks for counts for more in the plan, in rehearsals and in what is weakest
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
    /// Lessons to draw from, as a,b,c; all of them if left out
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
    /// Start at once, without the setup screen
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
