//! A walk through the patterns of one drill, or of one follow-up question.

use std::collections::BTreeMap;
use std::ops::Range;

use super::place::{Place, RubricFault};
use super::way::{stated, way_fault, word_fault};
use crate::claim;
use crate::concept::Concepts;
use crate::pattern::{self, Format, Pattern, Role, Slot, Way, What};
use crate::stem::Stems;
use crate::vocabulary::{SlotId, Vocabulary};
use crate::{Rubric, lexicon, token};

pub(super) struct Checker<'a> {
    rubric: &'a Rubric,
    claims: &'a [claim::Claim],
    concepts: &'a Concepts,
    stems: &'a mut Stems,
    vocabulary: Vocabulary,
    faults: Vec<RubricFault>,
    /// What each pattern asks for, in one form, and who asked first.
    seen: BTreeMap<String, Place>,
    /// Whether it was said what a `!` does in format 1.
    told_of_denial: bool,
    /// What the question is called: the prompt of a drill, or the question of a follow-up.
    asks: &'static str,
    /// Patterns of points without a fault, with the slots that must be said.
    readable: Vec<(Place, usize, Vec<SlotId>)>,
}

impl<'a> Checker<'a> {
    pub(super) fn new(
        rubric: &'a Rubric,
        claims: &'a [claim::Claim],
        concepts: &'a Concepts,
        stems: &'a mut Stems,
    ) -> Checker<'a> {
        Checker {
            rubric,
            claims,
            concepts,
            stems,
            vocabulary: Vocabulary::new(),
            faults: Vec::new(),
            seen: BTreeMap::new(),
            told_of_denial: false,
            asks: "prompt",
            readable: Vec::new(),
        }
    }

    /// The faults of a drill.
    pub(super) fn drill(mut self) -> Vec<RubricFault> {
        self.all();
        self.given_away();
        self.faults
    }

    /// The faults of a follow-up question, which has points alone.
    pub(super) fn question(mut self) -> Vec<RubricFault> {
        (self.told_of_denial, self.asks) = (true, "question");
        self.points();
        self.given_away();
        self.faults
    }

    fn all(&mut self) {
        let rubric = self.rubric;
        for (i, concept) in rubric.concepts.iter().enumerate() {
            for (j, word) in concept.words.iter().enumerate() {
                self.word(Place::Word(i, j), word);
            }
        }
        self.points();
        for (i, misconception) in rubric.misconceptions.iter().enumerate() {
            for (j, text) in misconception.matches.iter().enumerate() {
                self.pattern(Place::Misconception(i, j), text);
            }
            for (j, word) in misconception.unless.iter().enumerate() {
                if rubric.format == Format::One && word.trim_start().starts_with('!') {
                    let fault = format!("`{word}`: a denial in `unless` works only in format 2");
                    let cure =
                        "write the words out (\"not needed\"), or bring the file to format 2".to_owned();
                    self.report(Place::Unless(i, j), 0..word.len(), false, (fault, cure));
                } else {
                    self.word(Place::Unless(i, j), word);
                }
            }
        }
    }

    fn points(&mut self) {
        let rubric = self.rubric;
        for (i, point) in rubric.points.iter().enumerate() {
            for (j, text) in point.matches.iter().enumerate() {
                self.pattern(Place::Full(i, j), text);
            }
            for (j, text) in point.partial.iter().enumerate() {
                self.pattern(Place::Partial(i, j), text);
            }
        }
    }

    fn report(&mut self, place: Place, at: Range<usize>, warning: bool, says: (String, String)) {
        self.faults.push(RubricFault { place, at, warning, fault: says.0, cure: says.1 });
    }

    fn word(&mut self, place: Place, word: &str) {
        if let Some(says) = word_fault(word, self.concepts) {
            self.report(place, 0..word.len(), false, says);
        }
    }

    fn pattern(&mut self, place: Place, text: &str) {
        let format = self.rubric.format;
        let stated = match stated(text, format, self.claims) {
            Ok(stated) => stated,
            Err((at, fault, cure)) => return self.report(place, at, false, (fault, cure)),
        };
        let is_claim = stated.len() != 1 || stated[0] != text;
        for one in &stated {
            let pattern = match pattern::parse_in(format, one) {
                Ok(pattern) => pattern,
                Err(f) => {
                    let at = if is_claim { 0..text.len() } else { f.at };
                    return self.report(place, at, false, (f.fault, f.cure));
                }
            };
            if is_claim {
                let ways = pattern.slots.iter().flat_map(|s| &s.ways);
                let concepts = self.concepts;
                if let Some(says) = ways.filter_map(|w| way_fault(w, concepts)).next() {
                    return self.report(place, 0..text.len(), false, says);
                }
            } else {
                self.own_pattern(place, text, &pattern);
            }
        }
    }

    /// Looks at a pattern that stands in the rubric as it is.
    fn own_pattern(&mut self, place: Place, text: &str, pattern: &Pattern) {
        for slot in pattern.subject.iter().chain(&pattern.slots) {
            self.slot(place, slot);
            self.clause_ends(place, slot);
        }
        self.empty_slots(place, pattern);
        self.traps(place, text, pattern);
        self.repeats(place, text, pattern);
        let sound = self.faults.last().is_none_or(|f| f.place != place);
        let denying = pattern.slots.iter().any(|s| s.role == Role::Denied);
        if sound && !denying && matches!(place, Place::Full(..)) {
            let said = pattern.slots.iter().filter(|s| s.role == Role::Said);
            let slots = said.map(|s| self.vocabulary.add(s, self.concepts, self.stems)).collect();
            self.readable.push((place, text.len(), slots));
        }
    }

    /// Reports what reads otherwise than it looks.
    fn traps(&mut self, place: Place, text: &str, pattern: &Pattern) {
        for (i, slot) in pattern.slots.iter().enumerate() {
            let written = &text[slot.span.clone()];
            if self.rubric.format == Format::One && slot.role == Role::Denied && slot.ways.len() > 1 {
                let rest = slot.ways.len() - 1;
                let marks = written.matches('!').count();
                // said once a rubric: the old ones are full of it
                if marks <= rest && !std::mem::replace(&mut self.told_of_denial, true) {
                    let says = (
                        "in format 1 the `!` in front denies every alternative".to_owned(),
                        "write each `!` out (`!a|!b`), or put the plain one first (`b|!a`)".to_owned(),
                    );
                    self.report(place, slot.span.clone(), true, says);
                }
            }
            let before = i.checked_sub(1).map(|b| &text[pattern.slots[b].span.clone()]);
            let is_number = |t: &str| token::is_number(t.trim()) || t.trim().len() == 1;
            if slot.role == Role::Absent && before.is_some_and(is_number) {
                let before = before.unwrap_or_default();
                let says = (
                    format!("`{before} - {written}` asks for `{before}` where `{written}` is not said"),
                    format!("for a formula write \"{before} - {written}\" in quotes"),
                );
                self.report(place, slot.span.clone(), self.rubric.format == Format::One, says);
            }
        }
    }

    fn slot(&mut self, place: Place, slot: &Slot) {
        for way in &slot.ways {
            if let Some(says) = way_fault(way, self.concepts) {
                self.report(place, way.span.clone(), false, says);
            }
        }
    }

    /// Reports a slot of words that nearly every sentence has, where one other slot is all that tells.
    fn empty_slots(&mut self, place: Place, pattern: &Pattern) {
        let empty = |s: &&Slot| s.role == Role::Said && s.ways.iter().all(|w| is_empty(&w.what));
        let slots = || pattern.subject.iter().chain(&pattern.slots);
        if slots().filter(|s| !empty(s) && s.role != Role::Absent).count() > 1 {
            return;
        }
        for slot in pattern.slots.iter().filter(empty) {
            let way = slot.ways.first().map(|w| w.span.clone());
            let says = (
                "nearly every sentence has this word, and only one other slot tells anything".to_owned(),
                "name something that only this thought needs".to_owned(),
            );
            self.report(place, way.unwrap_or_default(), true, says);
        }
    }

    /// Warns of a slot in brackets whose every word ends a clause.
    fn clause_ends(&mut self, place: Place, slot: &Slot) {
        let ends = |w: &Way| matches!(&w.what, What::Words(word) if ENDING_CLAUSE.contains(&word.as_str()));
        if slot.bracket.is_some() && slot.role != Role::Absent && slot.ways.iter().all(ends) {
            let says = (
                "this word ends a clause, so the rest of the bracket is hardly ever found beside it"
                    .to_owned(),
                "end the bracket before it and write `..`, or name what the clause says".to_owned(),
            );
            self.report(place, slot.span.clone(), true, says);
        }
    }

    /// Reports a pattern that asks for what another one asks for.
    fn repeats(&mut self, place: Place, text: &str, pattern: &Pattern) {
        let one_form = |s: &Slot| {
            let mut ways: Vec<String> = s.ways.iter().map(|w| format!("{:?}", w.what)).collect();
            ways.sort();
            format!("{:?}{}{}", s.role, s.after, ways.join("|"))
        };
        let mut slots: Vec<String> = pattern.slots.iter().map(one_form).collect();
        if !pattern.slots.iter().any(|s| s.after) {
            slots.sort();
        }
        let subject = pattern.subject.as_ref().map(one_form).unwrap_or_default();
        let key = format!("{subject}:{}", slots.join("+"));
        // a vague remark may be half an answer to two questions
        let is_vague = |first: Place| match (first, place) {
            (Place::Partial(a, _), Place::Partial(b, _)) => a != b,
            _ => false,
        };
        if let Some(first) = self.seen.insert(key, place).filter(|first| !is_vague(*first)) {
            let says =
                (format!("{} asks for the same text", self.name(first)), "drop one of the two".to_owned());
            self.report(place, 0..text.len(), false, says);
        }
    }

    /// A place in words.
    fn name(&self, place: Place) -> String {
        match place {
            Place::Full(i, j) => format!("match {} of point `{}`", j + 1, self.rubric.points[i].id),
            Place::Partial(i, j) => {
                format!("partial {} of point `{}`", j + 1, self.rubric.points[i].id)
            }
            Place::Misconception(i, j) => {
                format!("match {} of misconception `{}`", j + 1, self.rubric.misconceptions[i].id)
            }
            Place::FollowFull(..) | Place::FollowPartial(..) | Place::FollowAnswer(_) => {
                "the follow-up question".to_owned()
            }
            Place::Word(i, j) => format!("word {} of `{}`", j + 1, self.rubric.concepts[i].id),
            Place::Unless(i, _) => {
                format!("`unless` of misconception `{}`", self.rubric.misconceptions[i].id)
            }
        }
    }

    /// Reports patterns whose every slot the prompt's own words fill.
    fn given_away(&mut self) {
        let tokens = token::lex(&self.rubric.prompt).tokens;
        let forms: Vec<_> =
            tokens.iter().map(|t| self.vocabulary.form(&t.word, self.stems.stem(&t.word))).collect();
        let hits = self.vocabulary.hits(&tokens, &forms, &vec![false; tokens.len()]);
        let filled = |slot: &SlotId| hits[*slot].iter().any(|h| !h.opposite);
        for (place, length, slots) in std::mem::take(&mut self.readable) {
            if slots.iter().all(filled) {
                let words = |slot: &SlotId| {
                    let hit = hits[*slot].iter().find(|h| !h.opposite)?;
                    let (first, last) = (tokens.get(hit.start)?, tokens.get(hit.end.checked_sub(1)?)?);
                    Some(format!("“{}”", self.rubric.prompt.get(first.start..last.end)?))
                };
                let mut words: Vec<String> = slots.iter().filter_map(words).collect();
                words.dedup();
                let says = (
                    format!("the {} itself fills this pattern, with {}", self.asks, words.join(", ")),
                    "add a slot that an answer must bring".to_owned(),
                );
                self.report(place, 0..length, true, says);
            }
        }
    }
}

/// Words that begin a new clause wherever they stand.
const ENDING_CLAUSE: [&str; 5] = ["but", "while", "whereas", "because", "so"];

/// Function words that still tell something when an author asks for them.
const TELLING: [&str; 60] = [
    "only", "both", "before", "after", "first", "last", "during", "while", "under", "between", "across",
    "without", "inside", "within", "again", "once", "until", "instead", "rather", "either", "unless", "same",
    "already", "more", "less", "every", "each", "most", "then", "next", "locally", "or", "and", "when", "if",
    "also", "too", "against", "keep", "keeps", "per", "over", "still", "much", "many", "few", "must",
    "should", "need", "needs", "all", "back", "use", "uses", "take", "never", "not", "no", "as", "see",
];

/// Function words that still tell something when an author asks for them.
pub(super) fn is_telling(word: &str) -> bool {
    TELLING.contains(&word)
}

/// Whether a way is a word that tells nothing.
fn is_empty(what: &What) -> bool {
    matches!(what, What::Words(word) if lexicon::is_function(word) && !is_telling(word))
}
