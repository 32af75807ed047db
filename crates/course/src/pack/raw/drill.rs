//! `[[drill]]` of a quiz file: an interview question with its rubric.

use serde::Deserialize;

use super::Concept;
use super::text::{Id, Markdown, Named, Pattern, Plain, Verbatim, Verdict};

/// An open interview question with its rubric.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Drill {
    /// The drill's id, unique in the pack.
    pub id: Id,
    /// The question.
    pub prompt: Markdown,
    /// For whom it is.
    pub level: Level,
    /// Minutes for a full answer.
    #[cfg_attr(test, schemars(range(min = 1, max = 60)))]
    pub minutes: u32,
    /// The model answer, shown only after an attempt.
    pub model: Markdown,
    /// How many points of a part must be met in full before the part is covered, by part
    /// id. Left out: one; in format 2 two where the part has three points and more.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "std::collections::BTreeMap<String, u32>"))]
    pub need: Named<u32>,
    /// Points that a part cannot be covered without, by part id. Each entry is a point, one of several
    /// (`bytes|link`) or some of several (`2 of a|b|c`); all entries must hold.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "std::collections::BTreeMap<String, Vec<Plain>>"))]
    pub essential: Named<Vec<Plain>>,
    /// Words of this drill alone; they add to a term or concept of the same id.
    #[serde(default, rename = "concept")]
    pub concepts: Vec<Concept>,
    /// The key points of all parts.
    #[serde(rename = "point")]
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub points: Vec<Point>,
    /// False statements that cost, with their corrections.
    #[serde(default, rename = "misconception")]
    pub misconceptions: Vec<Misconception>,
    /// Follow-up questions by part.
    #[serde(default, rename = "follow")]
    pub follow: Vec<Follow>,
    /// Answers with the verdicts expected for them.
    #[serde(default, rename = "sample")]
    pub samples: Vec<Sample>,
}

/// For whom a drill is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// First years.
    Junior,
    /// Working knowledge.
    Mid,
    /// Owns such systems.
    Senior,
}

/// A key point: one thing that an answer should say for a part. The pattern language is
/// explained in `docs/writing-rubrics.md`.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// The point's id, unique in its drill.
    pub id: Id,
    /// The part it belongs to.
    pub part: Id,
    /// Other parts in which it counts too: one thought may tell both how a thing works and what it sends.
    #[serde(default)]
    pub also: Vec<Id>,
    /// What the point says, one statement in plain words: it is what a learner is asked about. Format 2
    /// wants it.
    pub says: Option<Markdown>,
    /// Patterns; any one that is met by a statement meets the point. In format 2 a pattern may use a claim:
    /// `hidden-behind(@all-reduce, @backward)`.
    #[serde(rename = "match")]
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub matches: Vec<Pattern>,
    /// Patterns that earn partial credit: the same thing said vaguely or only in part.
    #[serde(default)]
    pub partial: Vec<Pattern>,
    /// Whether a question states it too, as in a diagnosis: "Is it a leak or a spike?"
    #[serde(default)]
    pub asked: bool,
    /// The sentence shown when the point is missing: what would have earned it. Left out: what it says.
    pub feedback: Option<Markdown>,
}

/// A false statement that costs.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Misconception {
    /// The misconception's id, unique in its drill.
    pub id: Id,
    /// The part whose credit it costs.
    pub part: Id,
    /// Patterns; any one that a statement meets is the misconception.
    #[serde(rename = "match")]
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub matches: Vec<Pattern>,
    /// Words that make the same statement true, such as `@fsdp`, `if` or `unless`.
    #[serde(default)]
    pub unless: Vec<Plain>,
    /// What is right.
    pub correction: Markdown,
}

/// A follow-up question on one part.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Follow {
    /// The part it asks about.
    pub part: Id,
    /// The question.
    pub ask: Markdown,
    /// The right answer in one to three sentences, shown once the question was answered.
    pub answer: Option<Markdown>,
    /// Patterns; any one that is met by a statement answers the question. Left out: the points of the part.
    #[serde(default, rename = "match")]
    pub matches: Vec<Pattern>,
    /// Patterns that earn partial credit.
    #[serde(default)]
    pub partial: Vec<Pattern>,
}

/// An answer written by the author of a drill, with the verdicts expected for it.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Sample {
    /// The sample's id, unique in its drill.
    pub id: Id,
    /// What kind of answer it is.
    pub kind: SampleKind,
    /// The answer.
    pub answer: Verbatim,
    /// The verdict expected for each part: `covered`, `partial` or `missing`.
    #[cfg_attr(test, schemars(with = "std::collections::BTreeMap<String, Verdict>"))]
    pub verdicts: Named<Verdict>,
    /// Ids of the misconceptions that it states.
    #[serde(default)]
    pub misconceptions: Vec<Id>,
}

/// The kinds of sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum SampleKind {
    /// Complete, in unusual words.
    Strong,
    /// Good, with a part absent.
    Solid,
    /// As spoken.
    Spoken,
    /// Notes that make statements.
    Terse,
    /// Fluent, with a false claim.
    Wrong,
    /// Made to fool the scorer.
    Attack,
}
