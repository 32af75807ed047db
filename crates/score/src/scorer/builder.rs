//! Patterns read into matchers over one vocabulary.

use std::collections::HashMap;

use super::PointMatchers;
use crate::claim::{self, Claim, Falsehood};
use crate::concept::Concepts;
use crate::figure::Figure;
use crate::matching::Matcher;
use crate::pattern::{self, Format, Pattern, Slot, Way, What};
use crate::statement::Subjects;
use crate::stem::Stems;
use crate::vocabulary::{SlotId, Vocabulary};
use crate::{Glossary, Point, Rubric, base};

/// Reads patterns into matchers over one vocabulary.
pub(super) struct Builder<'a> {
    concepts: &'a Concepts,
    claims: Vec<Claim>,
    format: Format,
    /// Figures of the prompt and of the points: none of them is wrong by itself.
    figures: Vec<Figure>,
    vocabulary: Vocabulary,
    stems: Stems,
    rivals: HashMap<SlotId, Subjects>,
    /// How many more patterns are read.
    left: usize,
}

/// The most patterns of a rubric, with those that its claims stand for: a hundred times what an author writes.
const MOST_PATTERNS: usize = 30_000;

/// The most bytes of a pattern with the gaps of its claim filled.
const MOST_BYTES: usize = 4 << 10;

impl<'a> Builder<'a> {
    pub(super) fn new(rubric: &Rubric, glossary: &Glossary, concepts: &'a Concepts) -> Builder<'a> {
        Builder {
            concepts,
            claims: claim::known(glossary),
            format: rubric.format,
            figures: known_figures(rubric, glossary),
            vocabulary: Vocabulary::new(),
            stems: Stems::new(),
            rivals: HashMap::new(),
            left: MOST_PATTERNS,
        }
    }

    /// The words that all matchers look for, their stems, and the subjects that rival each other.
    pub(super) fn done(self) -> (Vocabulary, Stems, Vec<(SlotId, Subjects)>) {
        let mut rivals: Vec<(SlotId, Subjects)> = self.rivals.into_iter().collect();
        rivals.sort_unstable();
        (self.vocabulary, self.stems, rivals)
    }

    fn slot(&mut self, slot: &Slot) -> SlotId {
        self.vocabulary.add(slot, self.concepts, &mut self.stems)
    }

    /// The bit of a subject; after thirty all others share one.
    fn rival(&mut self, slot: SlotId) -> Subjects {
        let next = 1 << self.rivals.len().min(30);
        *self.rivals.entry(slot).or_insert(next)
    }

    /// Matchers of the patterns that can be read; `pack check` reports the others.
    fn matchers(&mut self, patterns: &[String]) -> Vec<Matcher> {
        let mut made = Vec::new();
        for text in patterns {
            for stated in self.stated(text) {
                made.extend(self.matcher(text, &stated));
            }
        }
        made
    }

    /// The patterns that a text stands for: itself, or those of the claim that it uses.
    fn stated(&self, text: &str) -> Vec<String> {
        match self.claim_in(text) {
            Some((claim, takes, rest)) => claim.stated(&takes, rest),
            None => vec![text.to_owned()],
        }
    }

    fn claim_in<'t>(&self, text: &'t str) -> Option<(&Claim, Vec<&'t str>, &'t str)> {
        if self.format == Format::One {
            return None;
        }
        let used = claim::used(text).ok()??;
        let claim = self.claims.iter().find(|c| c.id == used.id)?;
        Some((claim, used.takes, used.rest))
    }

    fn matcher(&mut self, text: &str, stated: &str) -> Option<Matcher> {
        self.left = self.left.checked_sub(1)?;
        let pattern = Some(stated).filter(|s| s.len() <= MOST_BYTES)?;
        let pattern = pattern::parse_in(self.format, pattern).ok()?;
        Some(self.of_pattern(text, stated, &pattern))
    }

    fn of_pattern(&mut self, text: &str, stated: &str, pattern: &Pattern) -> Matcher {
        let subject = pattern.subject.as_ref().map(|s| self.slot(s)).map(|s| self.rival(s));
        let slots: Vec<SlotId> = pattern.slots.iter().map(|s| self.slot(s)).collect();
        Matcher::new(text, stated, pattern, &slots, subject).in_format(self.format)
    }

    /// What is false because one of these patterns is true.
    fn contraries(&mut self, patterns: &[String]) -> Vec<Matcher> {
        let mut made = Vec::new();
        for text in patterns {
            let denied = self.claim_in(text).map(|(claim, takes, _)| claim.denied(&takes));
            for pattern in denied.unwrap_or_default() {
                made.extend(self.matcher(text, &pattern));
            }
            for stated in self.stated(text) {
                let pattern = pattern::parse_in(self.format, &stated).ok();
                if let Some(wrong) = pattern.and_then(|p| p.with_wrong_figures(&self.figures)) {
                    made.push(self.of_pattern(text, &stated, &wrong));
                }
            }
        }
        made
    }

    pub(super) fn point(&mut self, point: &Point) -> PointMatchers {
        let asked = |made: Vec<Matcher>| made.into_iter().map(|m| m.or_asked(point.asked)).collect();
        PointMatchers {
            full: asked(self.matchers(&point.matches)),
            partial: asked(self.matchers(&point.partial)),
            contrary: self.contraries(&point.matches),
            breadth: self.breadth(&point.matches),
        }
    }

    /// How many words these patterns know: a thin rubric misses what others would say.
    fn breadth(&self, patterns: &[String]) -> usize {
        let known = |way: &Way| match &way.what {
            What::Concept(id) => self.concepts.words(id).len(),
            _ => 1,
        };
        let stated = patterns.iter().flat_map(|text| self.stated(text));
        let read = stated.filter_map(|text| pattern::parse_in(self.format, &text).ok());
        read.flat_map(|p| p.slots).flat_map(|s| s.ways).map(|w| known(&w)).sum()
    }

    /// Matchers of false statements, each with what makes it true.
    pub(super) fn claims(&mut self, patterns: &[String], unless: &[String]) -> Vec<Matcher> {
        let mut made = Vec::new();
        for text in patterns {
            for stated in self.stated(text) {
                made.extend(self.matcher(text, &claim::except(stated, unless)));
            }
        }
        made
    }

    /// What the pack calls false is written in format 2, whatever the drill is written in.
    pub(super) fn falsehoods(&mut self, falsehoods: &[Falsehood]) -> Vec<(Falsehood, Vec<Matcher>)> {
        let format = std::mem::replace(&mut self.format, Format::Two);
        let made = falsehoods.iter().map(|f| (f.clone(), self.claims(&f.matches, &f.unless))).collect();
        self.format = format;
        made
    }

    pub(super) fn vague(&mut self, rubric: &Rubric, glossary: &Glossary) -> Vec<(String, Vec<Matcher>)> {
        let base = base::vague().iter().map(|v| (Format::One, &v.part, &v.matches));
        let own = glossary.vague.iter().map(|v| (Format::Two, &v.part, &v.matches));
        let mut made = Vec::new();
        let format = self.format;
        for (format, part, matches) in base.chain(own).filter(|(_, part, _)| rubric.parts.contains(part)) {
            self.format = format;
            made.push((part.clone(), self.matchers(matches)));
        }
        self.format = format;
        made
    }
}

/// The figures that a drill itself gives, with those of its model answer.
fn known_figures(rubric: &Rubric, glossary: &Glossary) -> Vec<Figure> {
    let says = rubric.points.iter().flat_map(|p| p.says.iter().chain([&p.feedback]));
    let corrections = rubric.misconceptions.iter().map(|m| &m.correction);
    let own = glossary.topics.iter().filter(|t| t.drill == rubric.drill).flat_map(|t| &t.texts);
    let texts = says.chain(corrections).chain(own).chain([&rubric.prompt]);
    texts.flat_map(|text| Figure::all_of(text)).collect()
}
