//! An attempt: one scored answer, kept for ever.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::class::given::Given;
use super::rating::Rating;
use crate::score::{Claimed, PartScore, Reply, Score, Verdict, with_instructor, with_verdicts};

/// The circumstances under which an answer was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// No clock that ends, the parts on demand.
    #[default]
    Practice,
    /// One take against the clock.
    Strict,
    /// One part of a drill alone.
    Part,
    /// The follow-up question on one part.
    FollowUp,
}

impl Mode {
    /// The circumstances of an answer in a rehearsal.
    pub fn of_rehearsal(follow_up: bool, strict: bool) -> Self {
        match (follow_up, strict) {
            (true, _) => Mode::FollowUp,
            (false, true) => Mode::Strict,
            (false, false) => Mode::Practice,
        }
    }

    /// The word kept in the store and in exports.
    pub fn as_str(self) -> &'static str {
        match self {
            Mode::Practice => "practice",
            Mode::Strict => "strict",
            Mode::Part => "part",
            Mode::FollowUp => "follow-up",
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Mode {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        [Mode::Practice, Mode::Strict, Mode::Part, Mode::FollowUp]
            .into_iter()
            .find(|m| m.as_str() == word)
            .ok_or_else(|| format!("mode `{word}` is none of practice, strict, part, follow-up"))
    }
}

/// One scored answer.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Attempt {
    /// The id, the same as that of the draft it grew from.
    pub id: String,
    /// The pack's id.
    pub pack: String,
    /// The drill's id.
    pub drill: String,
    /// The id of the lesson that the drill belongs to.
    pub lesson: String,
    /// When it was scored. Kept to the millisecond.
    pub at: Timestamp,
    /// The circumstances.
    pub mode: Mode,
    /// The part that was asked for, where the answer was to one part alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// The id of the rehearsal it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rehearsal: Option<String>,
    /// Seconds spent on it.
    pub seconds: u32,
    /// The answer as it was typed.
    pub answer: String,
    /// The marks.
    pub score: Score,
    /// What the learner thought it was worth before the reveal, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rated: Option<f64>,
    /// What the learner thought of each part before the reveal, by id; empty where the parts were
    /// not rated one by one.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rated_parts: BTreeMap<String, Verdict>,
    /// What the learner claims where the rules are not sure; none where nothing was asked yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claims: Option<Claims>,
    /// What an instructor gave: marks of parts, and remarks on parts or on the whole. It stands beside the marks of the
    /// rules.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<Given>,
}

/// What a learner says of parts that the rules are not sure of. It never touches the marks of the rules: it
/// stands beside them, and is counted apart.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Claims {
    /// The replies; none where the questions were skipped.
    pub claimed: Vec<Claimed>,
    /// What they make of the parts that they are about, by part id.
    pub verdicts: BTreeMap<String, Verdict>,
}

impl Attempt {
    /// The marks that count: all parts, or only the one that was asked for.
    pub fn marks(&self) -> impl Iterator<Item = &PartScore> {
        let part = self.part.as_deref();
        self.score.parts.iter().filter(move |p| part.is_none_or(|part| p.part == part))
    }

    /// The same attempt, with marks that hold what the learner claims; each of those says so.
    pub fn with_claims(&self) -> Attempt {
        let mut shown = self.clone();
        if let Some(claims) = self.claims.as_ref().filter(|c| !c.verdicts.is_empty()) {
            shown.score = with_verdicts(&self.score, &claims.verdicts);
        }
        shown
    }

    /// The same attempt with all marks that count: those of the rules, what the learner claims, and over both what the
    /// instructor gave. Each says whose it is, and keeps what the rules said.
    pub fn as_counted(&self) -> Attempt {
        let mut shown = self.with_claims();
        let given = self.given.iter().filter_map(|g| Some((g.part.clone()?, g.verdict?)));
        let given: BTreeMap<String, Verdict> = given.collect();
        if !given.is_empty() {
            shown.score = with_instructor(&shown.score, &given);
        }
        shown
    }

    /// Whether the learner says that a point was not said, whatever the rules found.
    pub fn denies(&self, part: &str, point: &str) -> bool {
        let claims = self.claims.iter().flat_map(|claims| &claims.claimed);
        claims.into_iter().any(|c| c.reply == Reply::No && c.part == part && c.point == point)
    }

    /// Whether the learner said of a part that its points were not said, and no more than that.
    pub fn only_denies(&self, part: &str) -> bool {
        let mut of = self.claims.iter().flat_map(|c| &c.claimed).filter(|c| c.part == part).peekable();
        of.peek().is_some() && of.all(|claim| claim.reply == Reply::No)
    }

    /// The same attempt with the marks that strengths and schedule are made of: those of the rules, and over them the
    /// instructor's. What a learner claims moves neither.
    pub fn as_graded(&self) -> Attempt {
        Attempt { claims: None, ..self.clone() }.as_counted()
    }

    /// What the instructor gave for a part; without one, for the answer as a whole.
    pub fn given(&self, part: Option<&str>) -> Option<&Given> {
        self.given.iter().find(|g| g.part.as_deref() == part)
    }

    /// Whether an instructor set a mark.
    pub fn is_graded(&self) -> bool {
        self.given.iter().any(|g| g.part.is_some() && g.verdict.is_some())
    }

    /// Who gave marks or remarks, each once; several are joined by commas.
    pub fn instructors(&self) -> String {
        let names: BTreeSet<&str> = self.given.iter().map(|g| g.by.as_str()).collect();
        names.into_iter().collect::<Vec<_>>().join(", ")
    }

    /// The least and the greatest total that the marks which count leave open, each 0 to 1.
    pub fn range(&self) -> [f64; 2] {
        let marks: Vec<[f64; 2]> = self.marks().map(PartScore::range).collect();
        let mean = |of: fn(&[f64; 2]) -> f64| marks.iter().map(of).sum::<f64>() / marks.len().max(1) as f64;
        [mean(|r| r[0]), mean(|r| r[1])]
    }

    /// Whether it is one part of the prompt answered again, and not a follow-up question on that part.
    pub fn is_part_again(&self) -> bool {
        is_part_again(self.mode, self.part.as_deref())
    }

    /// Takes the learner's own rating, said before the reveal.
    pub fn rate(&mut self, rating: Rating) {
        self.rated = Some(rating.whole);
        self.rated_parts = rating.parts;
    }

    /// The learner's own rating, if there is one.
    pub fn rating(&self) -> Option<Rating> {
        Some(Rating { whole: self.rated?, parts: self.rated_parts.clone() })
    }

    /// The total, 0 to 1: of the whole answer, or of the one part that was asked for.
    pub fn total(&self) -> f64 {
        match self.part {
            None => self.score.score,
            Some(_) => self.marks().next().map_or(0.0, |p| p.score),
        }
    }
}

/// Whether an answer with these circumstances is to one part of the prompt alone, and not to a follow-up question on
/// that part: one that has a part and is practice.
pub fn is_part_again(mode: Mode, part: Option<&str>) -> bool {
    mode == Mode::Practice && part.is_some()
}
