//! `glossary.toml`.

use serde::Deserialize;

use super::text::{Id, Markdown, Plain};

/// `glossary.toml`: the pack's terms, and words that only the scorer reads.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Glossary {
    /// The terms.
    #[serde(default, rename = "term")]
    pub terms: Vec<Term>,
    /// Groups of words that mean the same to the scorer and need no definition.
    #[serde(default, rename = "concept")]
    pub concepts: Vec<Concept>,
}

/// A term with its definition.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// The term's id, for links and rubrics: `all-reduce`.
    pub id: Id,
    /// The term as it is written.
    pub name: Plain,
    /// One or two sentences.
    pub definition: Markdown,
    /// Other ways to say it, which the scorer accepts too.
    #[serde(default)]
    pub aliases: Vec<Plain>,
    /// The lesson that teaches it.
    pub lesson: Option<Id>,
    /// Ids of terms to see beside it.
    #[serde(default)]
    pub related: Vec<Id>,
}

/// Words that mean the same to the scorer. A concept with the id of a term, or of one that
/// the program knows, adds to its words, or replaces them.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Concept {
    /// The concept's id, used in rubrics as `@id`.
    pub id: Id,
    /// The words and phrases, in any form of the word (`average` also reads *averaged*); or
    /// `@id` for all the words of another concept.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub words: Vec<Plain>,
    /// The concept that means the contrary: saying it, in place of this one, says the
    /// opposite.
    pub opposite: Option<Id>,
    /// Whether these words stand in place of those that the id has already, in every pack or in
    /// this one. Without it they are added to them.
    #[serde(default)]
    pub replaces: bool,
}
