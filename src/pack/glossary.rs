//! The glossary: terms for people, words for the scorer.

use crate::score;

use super::desk::{Desk, plain};
use super::names::Kind;
use super::{Term, raw};

/// Turns `glossary.toml` into terms, sorted by name, and the scorer's vocabulary.
pub(super) fn glossary(raw: raw::Glossary, desk: &mut Desk<'_>) -> (Vec<Term>, score::Glossary) {
    let mut terms: Vec<Term> = raw.terms.into_iter().map(|t| term(t, desk)).collect();
    let mut concepts: Vec<(String, Vec<String>)> = terms.iter().map(ways_to_say).collect();
    for concept in raw.concepts {
        desk.names.define(Kind::Concept, &concept.id);
        concepts.push((concept.id.into_inner(), concept.words));
    }
    terms.sort_by_cached_key(|t| t.name.to_lowercase());
    (terms, score::Glossary { concepts })
}

fn ways_to_say(term: &Term) -> (String, Vec<String>) {
    let mut words = vec![term.name.clone()];
    words.extend(term.aliases.iter().cloned());
    (term.id.clone(), words)
}

fn term(raw: raw::Term, desk: &mut Desk<'_>) -> Term {
    desk.names.define(Kind::Term, &raw.id);
    if let Some(lesson) = &raw.lesson {
        desk.names.use_id(Kind::Lesson, lesson);
    }
    for related in &raw.related {
        desk.names.use_id(Kind::Term, related);
    }
    Term {
        id: raw.id.into_inner(),
        name: raw.name,
        definition: desk.text(raw.definition),
        aliases: raw.aliases,
        lesson: raw.lesson.map(toml::Spanned::into_inner),
        related: plain(raw.related),
    }
}
