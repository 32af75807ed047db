//! What every pack has: words of plain English, and what counts as vague.

use std::sync::OnceLock;

use serde::Deserialize;

use super::{Claim, Concept};

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
    claim: Vec<RawClaim>,
}

#[derive(Deserialize)]
struct RawClaim {
    id: String,
    says: String,
    #[serde(rename = "match")]
    matches: Vec<String>,
    #[serde(default, rename = "false")]
    contrary: Vec<String>,
    #[serde(default)]
    swap: bool,
    #[serde(default)]
    unless: Vec<String>,
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
    claims: Vec<Claim>,
}

fn base() -> &'static Base {
    static BASE: OnceLock<Base> = OnceLock::new();
    BASE.get_or_init(|| {
        let file: File =
            toml::from_str(include_str!("base.toml")).expect("base.toml is part of the program and tested");
        let concepts = file.concept.into_iter();
        let concepts = concepts
            .map(|c| Concept { id: c.id, words: c.words, opposite: c.opposite, replaces: false })
            .collect();
        let claims = file.claim.into_iter().map(|c| Claim {
            id: c.id,
            says: c.says,
            matches: c.matches,
            contrary: c.contrary,
            swap: c.swap,
            unless: c.unless,
        });
        Base { concepts, vague: file.vague, claims: claims.collect() }
    })
}

/// The concepts of plain English.
pub(super) fn concepts() -> &'static [Concept] {
    &base().concepts
}

/// The claims of any field.
pub(super) fn claims() -> &'static [Claim] {
    &base().claims
}

/// What counts as vague, by part.
pub(super) fn vague() -> &'static [Vague] {
    &base().vague
}

#[cfg(test)]
mod tests {
    use super::super::{Glossary, RubricChecker};
    use super::*;

    #[test]
    fn the_claims_of_any_field_are_sound() {
        let glossary = Glossary { claims: claims().to_vec(), ..Glossary::default() };
        assert_eq!(RubricChecker::new(&glossary).check_shared(), []);
    }
}
