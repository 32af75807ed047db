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
    /// Whether the words of wider concepts of this id do not count beside these.
    replaces: bool,
}

fn add(by_id: &mut HashMap<String, Entry>, concept: &Concept) {
    let entry = by_id.entry(concept.id.clone()).or_default();
    if concept.replaces {
        entry.words.clear();
        entry.replaces = true;
    }
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

    /// The words of a concept as they are listed: those of the drill alone where they replace the others.
    fn own_words(&self, id: &str) -> impl Iterator<Item = &String> {
        let own = self.own.get(id);
        let wider = self.shared.get(id).filter(|_| own.is_none_or(|o| !o.replaces));
        wider.into_iter().chain(own).flat_map(|e| &e.words)
    }

    /// Whether a concept of this id has words.
    pub(super) fn knows(&self, id: &str) -> bool {
        self.own_words(id).next().is_some()
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
        for word in self.own_words(id) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn concept(words: &[&str], replaces: bool) -> Concept {
        let words = words.iter().map(|w| (*w).to_owned()).collect();
        Concept { id: "measure".into(), words, replaces, ..Concept::default() }
    }

    #[test]
    fn words_are_added_unless_they_replace() {
        let of = |concept: Concept| Glossary { concepts: vec![concept], ..Glossary::default() };
        let added = Concepts::shared(&of(concept(&["dashboard"], false)));
        assert!(added.words("measure").len() > 1 && added.words("measure").contains(&"dashboard"));
        let replaced = Concepts::shared(&of(concept(&["dashboard"], true)));
        assert_eq!(replaced.words("measure"), ["dashboard"]);
    }

    #[test]
    fn the_words_of_a_drill_may_replace_those_of_the_pack() {
        let glossary = Glossary { concepts: vec![concept(&["dashboard"], true)], ..Glossary::default() };
        let with = |replaces| {
            let rubric = Rubric { concepts: vec![concept(&["count"], replaces)], ..Rubric::default() };
            Concepts::shared(&glossary).with(&rubric).words("measure").join(" ")
        };
        assert_eq!((with(false).as_str(), with(true).as_str()), ("dashboard count", "count"));
    }
}
