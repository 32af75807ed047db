//! The concepts that patterns may name, with their words.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Concept, Glossary, Rubric, base};

/// All concepts by id: the program's and the pack's, and over them the drill's.
pub(super) struct Concepts {
    shared: Arc<HashMap<String, Entry>>,
    own: HashMap<String, Entry>,
}

#[derive(Default, Clone)]
struct Entry {
    words: Vec<String>,
    opposites: Vec<String>,
}

fn add(by_id: &mut HashMap<String, Entry>, concept: &Concept) {
    let entry = by_id.entry(concept.id.clone()).or_default();
    entry.words.extend(concept.words.iter().cloned());
    if let Some(opposite) = &concept.opposite {
        entry.opposites.push(opposite.clone());
        let other = by_id.entry(opposite.clone()).or_default();
        other.opposites.push(concept.id.clone());
    }
}

impl Concepts {
    /// The concepts of the program and a pack.
    pub(super) fn shared(glossary: &Glossary) -> Concepts {
        let mut by_id = HashMap::new();
        for concept in base::concepts().iter().chain(&glossary.concepts) {
            add(&mut by_id, concept);
        }
        Concepts { shared: Arc::new(by_id), own: HashMap::new() }
    }

    /// These, with the words of one drill added.
    pub(super) fn with(&self, rubric: &Rubric) -> Concepts {
        let mut own = HashMap::new();
        for concept in &rubric.concepts {
            add(&mut own, concept);
        }
        Concepts { shared: Arc::clone(&self.shared), own }
    }

    fn entries(&self, id: &str) -> impl Iterator<Item = &Entry> {
        self.shared.get(id).into_iter().chain(self.own.get(id))
    }

    /// Whether a concept of this id has words.
    pub(super) fn knows(&self, id: &str) -> bool {
        self.entries(id).any(|e| !e.words.is_empty())
    }

    /// The ids, in no order.
    pub(super) fn ids(&self) -> impl Iterator<Item = &str> {
        self.shared.keys().chain(self.own.keys()).map(String::as_str)
    }

    /// Every way to say a concept, with those of the concepts it names.
    pub(super) fn words(&self, id: &str) -> Vec<&str> {
        let mut out = Vec::new();
        let mut seen = Vec::new();
        self.collect(id, &mut seen, &mut out);
        out
    }

    fn collect<'a>(&'a self, id: &str, seen: &mut Vec<String>, out: &mut Vec<&'a str>) {
        if seen.iter().any(|s| s == id) {
            return;
        }
        seen.push(id.to_owned());
        for word in self.entries(id).flat_map(|e| &e.words) {
            match word.strip_prefix('@') {
                Some(other) => self.collect(other, seen, out),
                None => out.push(word),
            }
        }
    }

    /// The ways to say the opposite of a concept.
    pub(super) fn opposite_words(&self, id: &str) -> Vec<&str> {
        let opposites = self.entries(id).flat_map(|e| &e.opposites);
        opposites.flat_map(|o| self.words(o)).collect()
    }
}
