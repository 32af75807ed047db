//! What every pack has: words of plain English, and what counts as vague.

use std::sync::OnceLock;

use serde::Deserialize;

use super::Concept;

/// Patterns of vague statements for a part.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Vague {
    /// The part's id.
    pub part: String,
    /// The patterns.
    #[serde(rename = "match")]
    pub matches: Vec<String>,
}

#[derive(Deserialize)]
struct File {
    concept: Vec<RawConcept>,
    vague: Vec<Vague>,
}

#[derive(Deserialize)]
struct RawConcept {
    id: String,
    words: Vec<String>,
    opposite: Option<String>,
}

struct Base {
    concepts: Vec<Concept>,
    vague: Vec<Vague>,
}

fn base() -> &'static Base {
    static BASE: OnceLock<Base> = OnceLock::new();
    BASE.get_or_init(|| {
        let file: File =
            toml::from_str(include_str!("base.toml")).expect("base.toml is part of the program and tested");
        let concepts = file.concept.into_iter();
        let concepts = concepts.map(|c| Concept { id: c.id, words: c.words, opposite: c.opposite }).collect();
        Base { concepts, vague: file.vague }
    })
}

/// The concepts of plain English.
pub(super) fn concepts() -> &'static [Concept] {
    &base().concepts
}

/// What counts as vague, by part.
pub(super) fn vague() -> &'static [Vague] {
    &base().vague
}
