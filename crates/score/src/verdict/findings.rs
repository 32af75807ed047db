//! What was found in an answer, and what of it stands.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::matching::{Found, Reading};
use crate::{Falsehood, Rubric, signs};

/// Words found, with the pattern that found them.
pub(crate) type Finds = Vec<(String, Found)>;

/// All that was found in an answer, in the order of the rubric.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// Statements that meet each point in full.
    pub full: Vec<Finds>,
    /// Statements that meet it in part.
    pub partial: Vec<Finds>,
    /// Statements of its opposite.
    pub contrary: Vec<Finds>,
    /// Statements that are false because a point is true: a claim turned round, a wrong figure.
    pub turned: Vec<Finds>,
    /// Statements of each misconception.
    pub misconceptions: Vec<Finds>,
    /// Statements of what is false in every drill of the pack.
    pub falsehoods: Vec<Finds>,
    /// Vague statements, by part.
    pub vague: BTreeMap<String, Finds>,
}

impl Findings {
    /// How many points are met in full.
    pub(super) fn real(&self) -> usize {
        self.full.iter().filter(|f| !f.is_empty()).count()
    }

    /// The drill's own truth comes first: what a point asks for is not false, whatever else reads so.
    pub(super) fn keep_what_is_true(&mut self, reading: &Reading) {
        let sentence = |f: &Found| reading.sentence_of(f);
        for (turned, full) in self.turned.iter_mut().zip(&self.full) {
            turned.retain(|(_, t)| !full.iter().any(|(_, f)| sentence(f) == sentence(t)));
        }
        let truths: Vec<&Found> = self.full.iter().flatten().map(|(_, f)| f).collect();
        let shared = |a: &Found, b: &Found| a.words.iter().filter(|w| b.words.contains(w)).count();
        for finds in &mut self.falsehoods {
            finds.retain(|(_, f)| !truths.iter().any(|t| shared(f, t) >= 2));
        }
    }

    /// A statement that is false, or stands in one sentence with a false one of the same part,
    /// earns nothing.
    pub(super) fn drop_what_is_false(
        &mut self,
        rubric: &Rubric,
        falsehoods: &[&Falsehood],
        reading: &Reading,
    ) {
        let mut wrong: Vec<(Option<&str>, Range<usize>)> = Vec::new();
        let named = rubric.misconceptions.iter().map(|m| Some(m.part.as_str())).zip(&self.misconceptions);
        let turned = rubric.points.iter().map(|p| Some(p.part.as_str())).zip(&self.turned);
        let shared = falsehoods.iter().map(|f| f.part.as_deref()).zip(&self.falsehoods);
        for (part, finds) in named.chain(turned).chain(shared) {
            wrong.extend(finds.iter().map(|(_, f)| (part, f.span())));
        }
        let sentence = |t: usize| reading.layout.sentence[t];
        for (i, point) in rubric.points.iter().enumerate() {
            let stands = |found: &Found| {
                let span = found.span();
                !wrong.iter().any(|(part, w)| {
                    let overlap = w.start < span.end && span.start < w.end;
                    let beside = sentence(span.start) <= sentence(w.start)
                        && sentence(w.start) <= sentence(span.end - 1);
                    overlap || part.is_none_or(|p| point.serves(p)) && beside
                })
            };
            self.full[i].retain(|(_, f)| stands(f));
            self.partial[i].retain(|(_, f)| stands(f));
        }
        for finds in self.vague.values_mut() {
            finds.retain(|(_, f)| {
                let span = f.span();
                !wrong.iter().any(|(_, w)| sentence(w.start) == sentence(span.start))
            });
        }
    }

    /// A sentence that meets more points than it has words for only names them.
    pub(super) fn thin_out_crowds(&mut self, reading: &Reading) {
        let crowded = signs::crowded(reading, &self.full);
        for (i, _) in crowded.iter().enumerate().filter(|(_, c)| **c) {
            self.partial[i] = std::mem::take(&mut self.full[i]);
        }
    }

    /// What is called false: named by the rubric or the pack, or a point turned round.
    pub(super) fn claimed(&self) -> impl Iterator<Item = &(String, Found)> {
        self.misconceptions.iter().chain(&self.turned).chain(&self.falsehoods).flatten()
    }

    /// How many sentences say something false.
    pub(super) fn false_sentences(&self, reading: &Reading) -> usize {
        reading.sentences_of(self.claimed()).len()
    }

    /// How many sentences earn a point.
    pub(super) fn true_sentences(&self, reading: &Reading) -> usize {
        reading.sentences_of(self.full.iter().flatten()).len()
    }
}
