//! A class without a server: what students give away, what an instructor makes of it, what each student gets back.
//!
//! A file goes out for each student ([`mod@file`]); a folder of them is a class ([`gather`]); what the instructor gives is
//! kept line by line ([`given`]) and goes back as a file for each student. Files are carried by whatever the class has.

pub mod file;
pub mod gather;
pub mod given;
pub mod html;
pub mod summary;

#[cfg(test)]
mod tests;

use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::attempt::{Attempt, Mode};
use crate::score::{Source, Verdict};

/// Who gives answers away.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Student {
    /// Made once on the student's machine, so that two people of one name stay two.
    pub id: String,
    /// What the student is called.
    pub name: String,
}

/// The longest name of a student, in characters.
pub const LONGEST_NAME: usize = 60;

impl Student {
    /// A student with this name.
    ///
    /// # Errors
    /// What is wrong with the name, and what to do.
    pub fn named(id: impl Into<String>, name: &str) -> Result<Student, String> {
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        if name.is_empty() {
            return Err("the name is empty; say what your instructor knows you by".into());
        }
        if name.chars().count() > LONGEST_NAME {
            return Err(format!("the name is longer than {LONGEST_NAME} characters; use a shorter one"));
        }
        if name.chars().any(crate::doc::escape::is_harmful) {
            return Err("the name holds characters that cannot be shown; use letters".into());
        }
        Ok(Student { id: id.into(), name })
    }
}

impl fmt::Display for Student {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// An answer as it leaves the student's machine: what was typed, and what came of it. Where in the answer the
/// words stand is left out; the rubric finds them again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The attempt's id.
    pub id: String,
    /// The drill's id.
    pub drill: String,
    /// When it was given.
    pub at: Timestamp,
    /// Under which circumstances.
    pub mode: Mode,
    /// The part that was asked for, where one alone was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// Seconds spent on it.
    pub seconds: u32,
    /// What was typed.
    pub answer: String,
    /// The total, 0 to 1, with what the student claims.
    pub total: f64,
    /// The marks that count, in the order of the parts.
    pub marks: Vec<Mark>,
    /// Statements that the rules called false.
    #[serde(default, rename = "false", skip_serializing_if = "Vec::is_empty")]
    pub falsehoods: Vec<Falsehood>,
    /// Sentences that the student claims for a point which no rule found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<Claim>,
}

/// A mark of one part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// The part's id.
    pub part: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Who gave it.
    #[serde(default)]
    pub source: Source,
    /// What the rules said, where somebody else decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_rules: Option<Verdict>,
    /// Whether the rules were sure.
    #[serde(default)]
    pub sure: bool,
    /// The points that were not met.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missed: Vec<String>,
}

/// A statement that was called false.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Falsehood {
    /// The misconception's id.
    pub id: String,
    /// The words.
    pub words: String,
}

/// A sentence that a student claims for a point.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// The part.
    pub part: String,
    /// The point.
    pub point: String,
    /// The sentence; empty where none was pointed at.
    pub sentence: String,
}

impl Answer {
    /// What leaves the machine of an attempt.
    pub fn of(attempt: &Attempt) -> Answer {
        let shown = attempt.with_claims();
        let marks = shown.marks().map(|part| Mark {
            part: part.part.clone(),
            verdict: part.verdict,
            source: part.source,
            by_rules: part.by_rules,
            sure: part.sure,
            missed: part.points.iter().filter(|p| !p.met).map(|p| p.id.clone()).collect(),
        });
        let falsehoods = shown.score.misconceptions.iter().map(|found| {
            let words: Vec<&str> = found.evidence.iter().map(|e| e.text.as_str()).collect();
            Falsehood { id: found.id.clone(), words: words.join(" … ") }
        });
        let claimed = attempt.claims.iter().flat_map(|c| &c.claimed);
        let claims = claimed.filter(|c| c.reply != crate::score::Reply::No).map(|c| Claim {
            part: c.part.clone(),
            point: c.point.clone(),
            sentence: c.sentence.as_ref().map(|s| s.text.clone()).unwrap_or_default(),
        });
        Answer {
            id: attempt.id.clone(),
            drill: attempt.drill.clone(),
            at: attempt.at,
            mode: attempt.mode,
            part: attempt.part.clone(),
            seconds: attempt.seconds,
            answer: attempt.answer.clone(),
            total: shown.total(),
            marks: marks.collect(),
            falsehoods: falsehoods.collect(),
            claims: claims.collect(),
        }
    }
}
