//! Rubric and answer in, marks with evidence out.
//!
//! [`score`] is pure: the same rubric, glossary and text give the same marks. Every mark
//! carries the bytes of the answer that earned it and the rule that fired.

mod agreement;
mod base;
mod check;
mod claim;
mod concept;
mod confidence;
mod draft;
mod figure;
mod follow_up;
#[cfg(test)]
mod format_two_tests;
mod guard;
mod lexer;
mod lexicon;
mod marks;
mod matching;
mod need;
mod pattern;
mod polarity;
mod scorer;
mod sign;
mod signs;
mod slip;
mod speech;
mod statement;
mod stem;
mod telling;
mod token;
mod topic;
mod verdict;
mod vocabulary;
mod withdrawn;
mod wrap;

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

pub use agreement::Agreement;
pub use check::{Place, RubricChecker, RubricFault, SharedFault, SharedPlace};
pub use claim::{Claim, Falsehood, VagueWords};
pub use confidence::{Foreseen, Judged, Model, Signs, calibrate, cross_validate, fit};
pub use draft::{Heard, HeardWord, SIGNS, hear};
pub use figure::{Figure, FigureUnit};

pub use follow_up::FollowUp;
pub use marks::{Ask, Claimed, Reply, Source, with_claims, with_instructor, with_verdicts};
pub use need::{Group, Need, Progress};
pub use pattern::{
    Format, Pattern, PatternFault, PhrasePart, Role, Slot, Unit, Way, What, parse as parse_pattern,
    parse_in as parse_pattern_in, upgraded as upgraded_pattern,
};
pub use scorer::{NearMiss, Scorer, VagueFind};
pub use telling::Words;

/// How well an answer fulfils a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Absent, wrong, of another topic, or a bare keyword.
    Missing,
    /// On topic and not wrong, but vague or incomplete.
    Partial,
    /// A correct, specific statement that fulfils the part.
    Covered,
}

impl Verdict {
    /// The verdict in a word: missing, partial, covered.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Missing => "missing",
            Verdict::Partial => "partial",
            Verdict::Covered => "covered",
        }
    }
}

/// What an answer to one drill is scored against.
#[derive(Debug, Clone, Default)]
pub struct Rubric {
    /// The language of its patterns.
    pub format: Format,
    /// The drill's id.
    pub drill: String,
    /// The prompt, which earns nothing when it is said again.
    pub prompt: String,
    /// The part ids, in order.
    pub parts: Vec<String>,
    /// Which points of a part must be met in full before it is covered, by part id. A part that is not
    /// named needs one; in format 2 it needs two where it has three points and more.
    pub need: BTreeMap<String, Need>,
    /// Words of this drill alone.
    pub concepts: Vec<Concept>,
    /// The key points of all parts.
    pub points: Vec<Point>,
    /// False statements.
    pub misconceptions: Vec<Misconception>,
}

impl Rubric {
    /// What a key point asks for, in the words of its author; none where there is no such point.
    pub fn asks(&self, point: &str) -> Option<&str> {
        let found = self.points.iter().find(|p| p.id == point);
        found.map(|p| p.feedback.as_str()).filter(|text| !text.trim().is_empty())
    }

    /// What a key point says, in plain words: the statement to ask a learner about.
    pub fn says(&self, point: &str) -> Option<&str> {
        let found = self.points.iter().find(|p| p.id == point)?;
        let says = found.says.as_deref().unwrap_or(&found.feedback);
        Some(says).filter(|text| !text.trim().is_empty())
    }

    /// How many patterns its points and misconceptions have.
    pub fn patterns(&self) -> usize {
        let points = self.points.iter().map(|p| p.matches.len() + p.partial.len());
        let misconceptions = self.misconceptions.iter().map(|m| m.matches.len());
        points.chain(misconceptions).sum()
    }

    /// How many points cover a part, and how many of those were said; `met` tells of each point, by its id.
    pub fn progress(&self, part: &str, met: impl Fn(&str) -> bool) -> Progress {
        let need = self.need_of(part);
        let points: Vec<&str> =
            self.points.iter().filter(|p| p.serves(part)).map(|p| p.id.as_str()).collect();
        Progress { wanted: need.wanted(), counted: need.counted(&points, met) }
    }

    /// What a part needs.
    pub(crate) fn need_of(&self, part: &str) -> Need {
        let points = self.points.iter().filter(|p| p.serves(part)).count();
        self.need.get(part).cloned().unwrap_or_else(|| Need::of_points(points, self.format == Format::Two))
    }
}

/// A key point.
#[derive(Debug, Clone, Default)]
pub struct Point {
    /// The id, unique in its rubric.
    pub id: String,
    /// The part it belongs to.
    pub part: String,
    /// Other parts that it serves too: one thought may say how a thing works and what it sends.
    pub also: Vec<String>,
    /// What it says, as a statement in plain words.
    pub says: Option<String>,
    /// Whether a question states it too: in a diagnosis, "is it a leak or a spike?" names both.
    pub asked: bool,
    /// Patterns, any of which meets the point.
    pub matches: Vec<String>,
    /// Patterns that earn partial credit.
    pub partial: Vec<String>,
    /// What would have earned it, one sentence.
    pub feedback: String,
}

impl Point {
    /// Whether it counts in a part.
    pub fn serves(&self, part: &str) -> bool {
        self.part == part || self.also.iter().any(|p| p == part)
    }
}

/// A false statement with its correction.
#[derive(Debug, Clone, Default)]
pub struct Misconception {
    /// The id, unique in its rubric.
    pub id: String,
    /// The part whose credit it costs.
    pub part: String,
    /// Patterns, any of which is the misconception.
    pub matches: Vec<String>,
    /// Words that make the same statement true.
    pub unless: Vec<String>,
    /// What is right.
    pub correction: String,
}

/// What the scorer knows of words.
#[derive(Debug, Clone, Default)]
pub struct Glossary {
    /// Terms and concepts with every way to say them.
    pub concepts: Vec<Concept>,
    /// What each drill of the pack is about, so that an answer to another one is known.
    pub topics: Vec<Topic>,
    /// Claims that points may use.
    pub claims: Vec<Claim>,
    /// What is false in every drill.
    pub falsehoods: Vec<Falsehood>,
    /// What counts as vague, by part.
    pub vague: Vec<VagueWords>,
    /// Whether the rubrics were found to agree with judges on answers that their authors had not read.
    pub is_proven: bool,
}

/// Words that mean the same.
#[derive(Debug, Clone, Default)]
pub struct Concept {
    /// The id, written `@id` in patterns.
    pub id: String,
    /// Every way to say it; `@id` stands for all the words of another concept.
    pub words: Vec<String>,
    /// The id of the concept that means the contrary.
    pub opposite: Option<String>,
    /// Whether its words stand in place of those that the id has already, and not beside them.
    pub replaces: bool,
}

/// What a drill is about.
#[derive(Debug, Clone, Default)]
pub struct Topic {
    /// The drill's id.
    pub drill: String,
    /// Texts that belong to it: the prompt, the model answer, the title of its lesson.
    pub texts: Vec<String>,
}

/// The marks of one answer.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Score {
    /// The drill's id.
    pub drill: String,
    /// The total, 0 to 1: every part as it stands.
    pub score: f64,
    /// The least and the greatest total that the parts which are not sure leave open. None in marks of the first
    /// release.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<[f64; 2]>,
    /// The weakest part, the one to work on first. None when every part is covered.
    pub limiting_part: Option<String>,
    /// The parts in the order of the rubric.
    pub parts: Vec<PartScore>,
    /// The false statements found.
    pub misconceptions: Vec<FoundMisconception>,
    /// What kind of text it is, where that matters.
    pub flags: Vec<Flag>,
    /// Words, counted by Unicode word boundaries. The one word count of the program.
    pub words: usize,
}

/// The marks of one part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PartScore {
    /// The part's id.
    pub part: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The chance that a fair judge gives this verdict, 0 to 1.
    #[serde(default)]
    pub confidence: f64,
    /// Whether that is enough to stand without asking. Marks of the first release are.
    #[serde(default = "stands")]
    pub sure: bool,
    /// Who gave the verdict.
    #[serde(default)]
    pub source: Source,
    /// What the rules said, where a learner or a judge says otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_rules: Option<Verdict>,
    /// 0 to 1.
    pub score: f64,
    /// Each key point, met or not.
    pub points: Vec<PointScore>,
    /// One sentence: what would have earned it, or what was good.
    pub feedback: String,
}

fn stands() -> bool {
    true
}

/// The mark of one key point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PointScore {
    /// The point's id.
    pub id: String,
    /// Whether a statement of the answer meets it in full.
    pub met: bool,
    /// Whether it is met only in part.
    #[serde(default)]
    pub partial: bool,
    /// The words of the answer that earned it.
    pub evidence: Vec<Evidence>,
    /// The pattern that fired, as the rubric's author wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
}

/// Some words of the answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
    /// The words.
    pub text: String,
}

impl Evidence {
    /// The bytes as a range.
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// A false statement found in an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FoundMisconception {
    /// The misconception's id.
    pub id: String,
    /// The part whose credit it costs.
    #[serde(default)]
    pub part: String,
    /// The words that state it.
    pub evidence: Vec<Evidence>,
    /// What is right.
    pub correction: String,
    /// The pattern that fired.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
}

/// What kind of text an answer is, where that matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flag {
    /// Words without statements.
    KeywordList,
    /// The prompt said again.
    CopiesPrompt,
    /// An answer to another question.
    OffTopic,
    /// Too little to judge.
    TooShort,
    /// Nearly every sentence says what is not so.
    MostlyDenials,
    /// Several statements are false, so the others are in doubt too.
    Doubtful,
    /// Code, data, a table, or thousands of words: no answer of a few sentences.
    NotProse,
}

/// The concepts of plain English that every pack has.
pub fn plain_concepts() -> &'static [Concept] {
    base::concepts()
}

/// The claims that every pack has.
pub fn plain_claims() -> &'static [Claim] {
    base::claims()
}

impl Flag {
    /// What it means, for the authors of rubrics.
    pub fn says(self) -> &'static str {
        match self {
            Flag::KeywordList => "keyword-list: most of it is words without statements, which earn nothing",
            Flag::CopiesPrompt => {
                "copies-prompt: a third of it or more repeats the prompt, which earns nothing"
            }
            Flag::OffTopic => "off-topic: it is nearer to another drill, so nothing of it counts",
            Flag::TooShort => {
                "too-short: fewer than eight words. What was found counts; to try a single statement that is no fault"
            }
            Flag::MostlyDenials => {
                "mostly-denials: nearly every sentence says what is not so, so nothing counts"
            }
            Flag::NotProse => {
                "not-prose: most of it is code, data or a table, or it is thousands of words. The marks mean little"
            }
            Flag::Doubtful => {
                "doubtful: several statements are false, so each part not fully said counts a level less"
            }
        }
    }
}

/// The words of a text, by Unicode word boundaries: the one word count of the program.
pub fn count_words(text: &str) -> usize {
    use unicode_segmentation::UnicodeSegmentation;
    text.unicode_words().count()
}

/// Scores an answer; never panics. Making the rubric ready takes a few milliseconds, marking 300 words
/// less than one: to score many answers to one drill, make a [`Scorer`] once.
pub fn score(rubric: &Rubric, glossary: &Glossary, answer: &str) -> Score {
    Scorer::new(rubric, glossary).score(answer)
}
