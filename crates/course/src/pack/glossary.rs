//! The glossary: terms for people, words for the scorer.

use crate::score;

use super::desk::{Desk, plain};
use super::faults::Span;
use super::names::Kind;
use super::raw::Worded;
use super::{Term, raw};

/// Turns `glossary.toml` into terms, sorted by name, and the scorer's words. The topics of
/// the vocabulary are left empty.
pub(super) fn glossary(raw: raw::Glossary, desk: &mut Desk<'_>) -> (Vec<Term>, score::Glossary) {
    let mut terms: Vec<Term> = raw.terms.into_iter().map(|t| term(t, desk)).collect();
    let mut concepts: Vec<score::Concept> = terms.iter().map(ways_to_say).collect();
    for raw in raw.concepts {
        desk.names.define(Kind::Concept, &raw.id);
        concepts.push(concept(raw));
    }
    terms.sort_by_cached_key(|t| t.name.to_lowercase());
    let vocabulary = score::Glossary { concepts, ..score::Glossary::default() };
    (terms, vocabulary)
}

/// A concept that a word list names, written `@id`, with its place in the file.
pub(super) type Named = (String, Span);

/// The concepts that the word lists of a glossary name, and those named as opposites.
pub(super) fn named(raw: &raw::Glossary) -> Vec<Named> {
    let words = raw.concepts.iter().flat_map(|c| &c.words);
    let listed = words.filter(|w| w.get_ref().starts_with('@'));
    let listed = listed.map(|w| (w.get_ref().clone(), w.span()));
    let opposites = raw.concepts.iter().filter_map(|c| c.opposite.as_ref());
    let opposites = opposites.map(|o| (format!("@{}", o.get_ref()), o.span()));
    listed.chain(opposites).collect()
}

/// A group of words for the scorer.
pub(super) fn concept(raw: raw::Concept) -> score::Concept {
    score::Concept {
        id: raw.id.into_inner(),
        words: plain(raw.words),
        opposite: raw.opposite.map(Worded::into_inner),
        replaces: raw.replaces,
    }
}

fn ways_to_say(term: &Term) -> score::Concept {
    let mut words = vec![term.name.clone()];
    words.extend(term.aliases.iter().cloned());
    score::Concept { id: term.id.clone(), words, ..score::Concept::default() }
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
        name: raw.name.into_inner(),
        definition: desk.text(raw.definition),
        aliases: plain(raw.aliases),
        lesson: raw.lesson.map(Worded::into_inner),
        related: plain(raw.related),
    }
}
