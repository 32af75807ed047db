//! Whether a statement of a text fills the slots of a pattern.

mod hunt;

use std::cell::Cell;
use std::collections::BTreeSet;
use std::ops::Range;

use super::Evidence;
use super::guard::Guarded;
use super::lexicon;
use super::pattern::{Format, Pattern, Role, Slot, What};
use super::polarity::Polarity;
use super::statement::{Layout, Subjects};
use super::token::Token;
use super::vocabulary::{Hit, SlotId};

use hunt::Hunt;

/// First words that are tried for one pattern.
const ANCHORS: usize = 400;

/// Words that are tried round one first word before the search settles for what it has: time grows with the
/// text, never with the power of the slots.
const STEPS: usize = 250;

/// The same for all first words of one pattern.
const ALL_STEPS: usize = 1_000;

/// A text, ready to be searched.
pub(super) struct Reading {
    pub tokens: Vec<Token>,
    pub layout: Layout,
    pub polarity: Polarity,
    pub guarded: Guarded,
    /// What each token is said of.
    pub subjects: Vec<Subjects>,
    /// Which rivals each sentence names, itself or by *it*.
    pub named: Vec<Subjects>,
    /// How many times nearer the text is to another drill than to this one.
    pub nearer_elsewhere: f64,
    /// Whether a few words are an answer.
    pub brief: bool,
    /// Where words of each slot stand.
    pub hits: Vec<Vec<Hit>>,
    /// How many more words may be tried in all.
    pub left: Cell<usize>,
}

/// Words that may be tried in one answer for all patterns together, so that no text takes long.
pub(super) const WORDS_TRIED: usize = 24_000;

impl Reading {
    /// The sentence in which words that were found begin.
    pub(super) fn sentence_of(&self, found: &Found) -> usize {
        self.layout.sentence[found.span().start]
    }

    /// The sentences in which something was found.
    pub(super) fn sentences_of<'f>(
        &self,
        finds: impl Iterator<Item = &'f (String, Found)>,
    ) -> BTreeSet<usize> {
        finds.map(|(_, found)| self.sentence_of(found)).collect()
    }

    /// A sentence as bytes of the answer.
    pub(super) fn sentence(&self, s: usize, answer: &str) -> Evidence {
        let tokens = &self.layout.sentences[s];
        let (start, end) = (self.tokens[tokens.start].start, self.tokens[tokens.end - 1].end);
        Evidence { start, end, text: answer[start..end].to_owned() }
    }

    /// The sentence in which some words stand.
    pub(super) fn sentence_at(&self, words: &Evidence, answer: &str) -> Evidence {
        let at = self.tokens.iter().position(|t| t.end > words.start);
        at.map_or_else(|| words.clone(), |t| self.sentence(self.layout.sentence[t], answer))
    }
}

/// A pattern whose slots are known to a vocabulary.
#[derive(Debug, Clone)]
pub(super) struct Matcher {
    /// What it must be said of, if that matters.
    subject: Option<Subjects>,
    wanted: Vec<Wanted>,
    absent: Vec<SlotId>,
    /// Slots that must not be said in the clause of a bracket: the slot, the bracket.
    absent_within: Vec<(SlotId, usize)>,
    /// Which of the wanted slots ask for a wrong figure.
    wrong: Vec<usize>,
    /// Whether any slot must be denied.
    denying: bool,
    /// The language it is written in.
    format: Format,
    /// Whether a question states it.
    asked: bool,
    /// The slots in the order of `wanted`, as they stand in the pattern.
    names: Vec<String>,
    /// As the author wrote it.
    pub text: String,
}

/// A slot that must be filled.
#[derive(Debug, Clone, Copy)]
struct Wanted {
    slot: SlotId,
    role: Role,
    after: bool,
    bracket: Option<usize>,
    part: usize,
}

/// How strictly to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Search {
    /// A statement that fills the pattern.
    Said,
    /// The same within one sentence and outside if-clauses: for false statements.
    Claimed,
    /// A statement that says the opposite.
    Contrary,
}

/// Words that fill a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    /// The tokens of each slot, in the order of the text.
    pub words: Vec<Range<usize>>,
}

impl Found {
    /// The tokens from the first slot to the last.
    pub(super) fn span(&self) -> Range<usize> {
        let start = self.words.first().map_or(0, |w| w.start);
        start..self.words.iter().map(|w| w.end).max().unwrap_or(start)
    }
}

impl Matcher {
    /// Takes a pattern's slots by their ids, in order.
    /// `stated` is the pattern itself, where `text` is a claim that stands for it.
    pub(super) fn new(
        text: &str,
        stated: &str,
        pattern: &Pattern,
        slots: &[SlotId],
        subject: Option<Subjects>,
    ) -> Matcher {
        let pairs = || pattern.slots.iter().zip(slots);
        let wanted = pairs().filter(|(s, _)| s.role != Role::Absent).map(|(s, &slot)| Wanted {
            slot,
            role: s.role,
            after: s.after,
            bracket: s.bracket,
            part: s.part,
        });
        let absent = || pairs().filter(|(s, _)| s.role == Role::Absent);
        let said = || pattern.slots.iter().filter(|s| s.role != Role::Absent);
        let is_wrong = |s: &Slot| s.ways.iter().any(|w| matches!(w.what, What::WrongFigure(_)));
        Matcher {
            subject,
            wrong: said().enumerate().filter(|(_, s)| is_wrong(s)).map(|(i, _)| i).collect(),
            names: said().map(|s| stated.get(s.span.clone()).unwrap_or_default().to_owned()).collect(),
            wanted: wanted.collect(),
            absent: absent().filter(|(s, _)| s.bracket.is_none()).map(|(_, &slot)| slot).collect(),
            absent_within: absent().filter_map(|(s, &slot)| Some((slot, s.bracket?))).collect(),
            denying: pattern.slots.iter().any(|s| s.role == Role::Denied),
            format: Format::One,
            asked: false,
            text: text.to_owned(),
        }
    }

    /// The same, read as the language of a rubric wants it.
    pub(super) fn in_format(self, format: Format) -> Matcher {
        Matcher { format, ..self }
    }

    /// The same, where a question may state it.
    pub(super) fn or_asked(self, asked: bool) -> Matcher {
        Matcher { asked, ..self }
    }

    /// Where words of each slot stand.
    pub(super) fn slot_hits<'r>(&'r self, reading: &'r Reading) -> impl Iterator<Item = &'r [Hit]> {
        self.wanted.iter().map(|w| reading.hits[w.slot].as_slice())
    }

    /// The slots that must be filled, as the author wrote them.
    pub(super) fn slot_names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// Words of a sentence that fill every slot, in whatever order and clauses; none where one of them is denied,
    /// asked, or only said again after the prompt.
    pub(super) fn loosely(&self, reading: &Reading, sentence: usize) -> Option<Found> {
        let tokens = reading.layout.sentences[sentence].clone();
        let usable = |h: &&Hit| {
            tokens.contains(&h.start)
                && !h.opposite
                && !reading.polarity.is_neutral(h.start)
                && !reading.polarity.is_under_denial(h.start)
        };
        let slots = self.slot_hits(reading).map(|hits| hits.iter().find(usable).map(|h| h.start..h.end));
        let mut words: Vec<Range<usize>> = slots.collect::<Option<_>>()?;
        words.sort_by_key(|w| (w.start, w.end));
        words.dedup();
        let own = words.iter().flat_map(|w| w.clone()).any(|t| !reading.guarded.copied[t]);
        // "more", "one" and "day" stand in sentences about anything
        let telling = |w: &&Range<usize>| {
            reading.tokens[(*w).clone()].iter().any(|t| t.word.len() > 1 && !lexicon::is_function(&t.word))
        };
        let tells = words.iter().filter(telling).count() >= 2;
        (own && tells && !self.denying).then_some(Found { words })
    }

    /// Every statement that fills the pattern, at most one for each of the rarest words.
    pub(super) fn find(&self, reading: &Reading, search: Search) -> Vec<Found> {
        let Some(anchor) = (0..self.wanted.len()).min_by_key(|&i| reading.hits[self.wanted[i].slot].len())
        else {
            return Vec::new();
        };
        if self.wanted.iter().any(|w| reading.hits[w.slot].is_empty()) {
            return Vec::new();
        }
        if search == Search::Contrary && (self.denying || self.wanted.len() < 2) {
            return Vec::new();
        }
        let mut found = Vec::new();
        let mut left = ALL_STEPS.min(reading.left.get());
        let begun = left;
        for hit in reading.hits[self.wanted[anchor].slot].iter().take(ANCHORS) {
            let hunt = Hunt::new(self, reading, search, STEPS.min(left));
            if hunt.fits(anchor, hit) {
                let (steps, best) = hunt.round(anchor, hit);
                left -= steps;
                found.extend(best);
            }
        }
        reading.left.set(reading.left.get() - (begun - left));
        found
    }
}
