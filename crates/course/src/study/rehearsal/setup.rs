//! How a rehearsal is set up.

use serde::{Deserialize, Serialize};

use crate::study::posting::Posting;

/// How a rehearsal is set up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Setup {
    /// The pack's id.
    pub pack: String,
    /// Which drills.
    pub topics: Topics,
    /// How many prompts.
    pub count: usize,
    /// Seconds to think before an answer; 0 for none.
    pub think: u32,
    /// Seconds for an answer.
    pub answer: u32,
    /// Seconds for a follow-up.
    pub follow: u32,
    /// One take: no marks until the report, at most one follow-up an answer.
    pub strict: bool,
    /// Whether follow-ups are asked.
    pub follow_ups: bool,
    /// Decides the drills; the same seed repeats the run.
    pub seed: u64,
    /// What the job asks for: its lessons come sooner, and of their drills those first that name it.
    #[serde(default, skip_serializing_if = "Posting::is_empty")]
    pub posting: Posting,
    /// The drills that were answered before it: those that were not come first. None until the run begins; empty where a
    /// seed was chosen, which asks the same of everybody.
    #[serde(default = "chosen", skip_serializing_if = "is_chosen")]
    pub seen: Option<Vec<String>>,
    /// The lessons that a plan keeps or that were read: while a plan is under way others are asked about only where
    /// these have too few drills. Empty without a plan, and where lessons or a seed were chosen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub planned: Vec<String>,
}

/// Nothing comes first: what a run is that was kept before there was such a list.
fn chosen() -> Option<Vec<String>> {
    Some(Vec::new())
}

fn is_chosen(seen: &Option<Vec<String>>) -> bool {
    *seen == chosen()
}

/// Which drills a rehearsal draws from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Topics {
    /// Those of these lessons; none named means all.
    Lessons(Vec<String>),
    /// Those of the weakest lessons first.
    Weakest,
}

impl Setup {
    /// A phone screen: 5 prompts, 30 seconds to think, 2 minutes to answer, strict.
    pub fn screen(pack: &str, seed: u64) -> Self {
        Setup {
            pack: pack.into(),
            topics: Topics::Lessons(Vec::new()),
            count: 5,
            think: 30,
            answer: 120,
            follow: 60,
            strict: true,
            follow_ups: true,
            seed,
            posting: Posting::default(),
            seen: None,
            planned: Vec::new(),
        }
    }

    /// An on-site interview: 6 prompts, 60 seconds to think, 5 minutes to answer, strict.
    pub fn onsite(pack: &str, seed: u64) -> Self {
        Setup { count: 6, think: 60, answer: 300, follow: 120, ..Self::screen(pack, seed) }
    }

    /// The same with a seed that was chosen: its prompts are the same whoever asks for them.
    pub fn chosen(self, seed: u64) -> Self {
        Setup { seed, seen: chosen(), ..self }
    }

    /// The most follow-ups after one answer.
    pub fn most_follow_ups(&self) -> usize {
        match (self.follow_ups, self.strict) {
            (false, _) => 0,
            (true, true) => 1,
            (true, false) => 3,
        }
    }
}
