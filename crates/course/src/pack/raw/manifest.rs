//! `pack.toml`.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use super::text::{Id, Language, Plain};

/// `pack.toml`: what the pack is, and the order of its lessons.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The version of this format. This program reads 1.
    pub format: u32,
    /// The pack's id: lower case letters, digits and hyphens. Progress is kept under it.
    pub id: Id,
    /// The name shown to learners.
    pub title: Plain,
    /// The version of the content, for example `1.2.0`.
    pub version: Plain,
    /// The people who wrote it.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub authors: Vec<Plain>,
    /// The licence of the content, as an SPDX expression.
    pub licence: Plain,
    /// One or two sentences about the course.
    pub about: Plain,
    /// Lesson ids in reading order. Each is a file `lessons/ID.toml`.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub lessons: Vec<Id>,
    /// The parts that a drill is scored against. Left out: problem, mechanism,
    /// communication, tradeoff, measurement.
    #[serde(default, rename = "part")]
    pub parts: Vec<Part>,
    /// Languages of starters by file ending, for example `py = "python"`; the usual endings need no
    /// entry. Known languages: python, markdown, toml, rust, shell, sql, javascript, typescript, go, java, c, cpp, text.
    #[serde(default)]
    pub languages: BTreeMap<String, Language>,
    /// How the rubrics agreed with judges on answers that nobody had read who wrote them, as `infralens calibrate` says
    /// it. Without it, or with less than 60 answers or a kappa below 0.7, what a rubric did not find is sure only where
    /// it accounts for most of the answer.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "Option<Judged>"))]
    pub judged: Option<Spanned<Judged>>,
}

/// How the rubrics of a pack agreed with judges, at first sight.
#[derive(Debug, Clone, Copy, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Judged {
    /// How many answers were judged.
    pub answers: u32,
    /// The quadratic kappa of all verdicts.
    pub kappa: f64,
}

/// A part of an answer: one of the questions that every drill asks.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The part's id, used in rubrics and in results.
    pub id: Id,
    /// The name shown to learners.
    pub title: Plain,
    /// The question behind the part.
    pub question: Plain,
}
