//! `[[lab]]` of a lesson: annotated code reading.

use serde::Deserialize;

use super::text::{FilePath, Id, Markdown, Plain, Verbatim};
use super::{Reference, Sim};

/// An annotated reading of a starter.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Lab {
    /// The lab's id, for example `01-ddp-buckets`.
    pub id: Id,
    /// The name shown in lists.
    pub title: Plain,
    /// Minutes it takes.
    #[cfg_attr(test, schemars(range(min = 1, max = 600)))]
    pub minutes: u32,
    /// What a reader can do after it.
    pub goal: Markdown,
    /// The picture to keep in mind while reading.
    pub mental_model: Markdown,
    /// The starter, a path below `assets/`.
    pub starter: FilePath,
    /// The stored output of the starter, a path below `assets/`. Left out for a starter that
    /// does not run.
    pub expected: Option<FilePath>,
    /// What to predict before it runs.
    #[serde(default, rename = "predict")]
    pub predictions: Vec<Prediction>,
    /// The starter in labelled blocks, in the order of the file. Every code line needs a note.
    #[serde(default, rename = "block")]
    pub blocks: Vec<Block>,
    /// What to notice, one point each.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub notice: Vec<Markdown>,
    /// What it keeps you from misunderstanding.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub prevents: Vec<Markdown>,
    /// How to say it out loud.
    pub say: Markdown,
    /// The intuition to keep.
    pub intuition: Markdown,
    /// Changes to try.
    #[serde(default)]
    pub extend: Vec<Markdown>,
    /// Where to read on.
    #[serde(default)]
    pub further: Vec<Reference>,
    /// Simulators that belong to the lab.
    #[serde(default, rename = "sim")]
    pub sims: Vec<Sim>,
}

/// A question to answer before the starter runs.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Prediction {
    /// The question.
    pub ask: Markdown,
    /// The answer, explained.
    pub answer: Markdown,
}

/// A labelled block of a starter.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Block {
    /// The label.
    pub title: Plain,
    /// The notes of the block, in the order of the file.
    #[serde(rename = "note")]
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub notes: Vec<Note>,
}

/// A line note. It is anchored by quoted source text, searched from the end of the note
/// before it, so that the same line may occur twice in a file; or by a named region.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Note {
    /// The first line that the note explains, quoted without its indentation.
    pub at: Option<Verbatim>,
    /// The last line that it explains, quoted. Left out: the line of `at` alone.
    pub to: Option<Verbatim>,
    /// Instead of `at`: a region, marked in the starter by a comment holding `region: NAME`
    /// before it and one holding `endregion` after it.
    pub region: Option<Plain>,
    /// Why the line is there.
    pub text: Markdown,
}
