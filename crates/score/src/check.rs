//! What is wrong with a rubric, before anybody is scored by it.

use std::collections::BTreeMap;
use std::ops::Range;

use super::concept::Concepts;
use super::pattern::{self, Pattern, Role, Slot, What};
use super::stem::Stems;
use super::vocabulary::{SlotId, Vocabulary};
use super::{FollowUp, Glossary, Rubric, Scorer, Verdict, lexicon, token};

/// Where a pattern stands in a rubric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// `match` of a point: the point, the pattern.
    Full(usize, usize),
    /// `partial` of a point: the point, the pattern.
    Partial(usize, usize),
    /// `match` of a misconception: the misconception, the pattern.
    Misconception(usize, usize),
    /// `match` of a follow-up question: the question, the pattern.
    FollowFull(usize, usize),
    /// `partial` of a follow-up question: the question, the pattern.
    FollowPartial(usize, usize),
    /// `answer` of a follow-up question.
    FollowAnswer(usize),
    /// A word list of one of the drill's own concepts: the concept, the entry.
    Word(usize, usize),
}

impl Place {
    /// The place in a follow-up question of what stands here in its rubric.
    fn of_follow_up(self, i: usize) -> Place {
        match self {
            Place::Full(_, j) => Place::FollowFull(i, j),
            Place::Partial(_, j) => Place::FollowPartial(i, j),
            other => other,
        }
    }
}

/// A fault of a rubric.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RubricFault {
    /// The pattern.
    pub place: Place,
    /// The bytes of the pattern.
    pub at: Range<usize>,
    /// Whether the pack can be used all the same.
    pub warning: bool,
    /// What is wrong: lower case, no full stop.
    pub fault: String,
    /// What to do about it.
    pub cure: String,
}

/// Checks the rubrics of one pack.
pub struct RubricChecker {
    concepts: Concepts,
    stems: Stems,
}

impl RubricChecker {
    /// For rubrics that use these terms and concepts.
    pub fn new(glossary: &Glossary) -> RubricChecker {
        RubricChecker { concepts: Concepts::shared(glossary), stems: Stems::new() }
    }

    /// Finds the faults of a rubric's patterns and of the drill's own words.
    pub fn check(&mut self, rubric: &Rubric) -> Vec<RubricFault> {
        let concepts = self.concepts.with(rubric);
        let mut checker = Checker {
            rubric,
            concepts: &concepts,
            stems: &mut self.stems,
            vocabulary: Vocabulary::new(),
            faults: Vec::new(),
            seen: BTreeMap::new(),
            readable: Vec::new(),
            asks: "prompt",
        };
        checker.all();
        checker.given_away();
        checker.faults
    }

    /// Finds the faults of a drill's follow-up questions: of their patterns, and answers that their own patterns
    /// do not take for right.
    pub fn check_follow_ups(&mut self, drill: &Rubric, follow_ups: &[FollowUp]) -> Vec<RubricFault> {
        let concepts = self.concepts.with(drill);
        let mut faults = Vec::new();
        for (i, follow_up) in follow_ups.iter().enumerate().filter(|(_, f)| f.is_marked()) {
            let rubric = follow_up.rubric(drill);
            let mut checker = Checker {
                rubric: &rubric,
                concepts: &concepts,
                stems: &mut self.stems,
                vocabulary: Vocabulary::new(),
                faults: Vec::new(),
                seen: BTreeMap::new(),
                readable: Vec::new(),
                asks: "question",
            };
            checker.points();
            checker.given_away();
            let mut found = checker.faults;
            found.iter_mut().for_each(|f| f.place = f.place.of_follow_up(i));
            if found.iter().all(|f| f.warning) {
                let scorer = Scorer::with_concepts(follow_up, drill, &concepts);
                found.extend(answer_fault(i, follow_up, &scorer));
            }
            faults.append(&mut found);
        }
        faults
    }

    /// What is wrong with an entry of a concept's word list, and the cure.
    pub fn check_word(&self, word: &str) -> Option<(String, String)> {
        word_fault(word, &self.concepts)
    }
}

struct Checker<'a> {
    rubric: &'a Rubric,
    concepts: &'a Concepts,
    stems: &'a mut Stems,
    vocabulary: Vocabulary,
    faults: Vec<RubricFault>,
    /// What each pattern asks for, in one form, and who asked first.
    seen: BTreeMap<String, Place>,
    /// What the question is called: the prompt of a drill, or the question of a follow-up.
    asks: &'static str,
    /// Patterns of points without a fault, with the slots that must be said.
    readable: Vec<(Place, usize, Vec<SlotId>)>,
}

impl Checker<'_> {
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
        let pattern = match pattern::parse(text) {
            Ok(pattern) => pattern,
            Err(f) => return self.report(place, f.at, false, (f.fault, f.cure)),
        };
        for slot in pattern.subject.iter().chain(&pattern.slots) {
            self.slot(place, slot);
        }
        self.repeats(place, text, &pattern);
        let sound = self.faults.last().is_none_or(|f| f.place != place);
        let denying = pattern.slots.iter().any(|s| s.role == Role::Denied);
        if sound && !denying && matches!(place, Place::Full(..)) {
            let said = pattern.slots.iter().filter(|s| s.role == Role::Said);
            let slots = said.map(|s| self.vocabulary.add(s, self.concepts, self.stems)).collect();
            self.readable.push((place, text.len(), slots));
        }
    }

    fn slot(&mut self, place: Place, slot: &Slot) {
        for way in &slot.ways {
            let fault = match &way.what {
                What::Concept(id) if !self.concepts.knows(id) => Some(unknown(id, self.concepts)),
                What::Words(w) | What::Exact(w) if token::lex(w).tokens.is_empty() => Some(unfillable(w)),
                What::Words(w) if w.contains(char::is_whitespace) && spans_clauses(w) => Some(unfillable(w)),
                _ => None,
            };
            if let Some(says) = fault {
                self.report(place, way.span.clone(), false, says);
            }
        }
        let empty = |w: &pattern::Way| match &w.what {
            What::Words(word) => lexicon::is_function(word) && !is_telling(word),
            _ => false,
        };
        if slot.role == Role::Said && slot.ways.iter().all(empty) {
            let way = slot.ways.iter().find(|w| empty(w)).map(|w| w.span.clone());
            let says = (
                "nearly every sentence has this word".to_owned(),
                "name something that only this thought needs".to_owned(),
            );
            self.report(place, way.unwrap_or_default(), true, says);
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
        if let Some(first) = self.seen.insert(key, place) {
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
        }
    }

    /// Reports patterns whose every slot the prompt's own words fill.
    fn given_away(&mut self) {
        let tokens = token::lex(&self.rubric.prompt).tokens;
        let forms: Vec<_> =
            tokens.iter().map(|t| self.vocabulary.form(&t.word, self.stems.stem(&t.word))).collect();
        let hits = self.vocabulary.hits(&tokens, &forms);
        let filled = |slot: &SlotId| hits[*slot].iter().any(|h| !h.opposite);
        for (place, length, slots) in std::mem::take(&mut self.readable) {
            if slots.iter().all(filled) {
                let says = (
                    format!("the {} itself fills this pattern", self.asks),
                    "add a slot that an answer must bring".to_owned(),
                );
                self.report(place, 0..length, true, says);
            }
        }
    }
}

/// Function words that still tell something when an author asks for them.
fn is_telling(word: &str) -> bool {
    matches!(
        word,
        "only"
            | "both"
            | "before"
            | "after"
            | "first"
            | "last"
            | "during"
            | "while"
            | "under"
            | "between"
            | "across"
            | "without"
            | "inside"
            | "within"
            | "again"
            | "once"
            | "until"
            | "instead"
            | "rather"
            | "either"
            | "unless"
            | "same"
            | "already"
            | "more"
            | "less"
            | "every"
            | "each"
            | "most"
            | "then"
            | "next"
            | "locally"
            | "or"
            | "and"
            | "when"
            | "if"
            | "also"
            | "too"
            | "against"
            | "keep"
            | "keeps"
            | "per"
            | "over"
            | "still"
            | "much"
            | "many"
            | "few"
            | "must"
            | "should"
            | "need"
            | "needs"
            | "all"
            | "back"
            | "use"
            | "uses"
            | "take"
            | "never"
            | "not"
            | "no"
            | "as"
            | "see"
    )
}

/// What is wrong with the answer of a follow-up question, if its own patterns do not take it for right.
fn answer_fault(i: usize, follow_up: &FollowUp, scorer: &Scorer) -> Option<RubricFault> {
    let answer = follow_up.answer.as_deref()?;
    let score = scorer.score(answer);
    let verdict = score.parts.first().map_or(Verdict::Missing, |p| p.verdict);
    let (fault, cure) = match (score.misconceptions.first(), verdict) {
        (Some(found), _) => (
            format!("`answer` reads as the misconception `{}`", found.id),
            "narrow the misconception, or say the answer in other words",
        ),
        (None, Verdict::Covered) => return None,
        (None, Verdict::Partial) => (
            "`answer` is only partial by its own patterns".to_owned(),
            "add a pattern to `match` that finds it",
        ),
        (None, Verdict::Missing) => {
            ("`answer` is missing by its own `match`".to_owned(), "add a pattern that finds it")
        }
    };
    Some(RubricFault {
        place: Place::FollowAnswer(i),
        at: 0..answer.len(),
        warning: true,
        fault,
        cure: cure.to_owned(),
    })
}

fn word_fault(word: &str, concepts: &Concepts) -> Option<(String, String)> {
    match pattern::parse_way(word) {
        Some(What::Concept(id)) if !concepts.knows(&id) => Some(unknown(&id, concepts)),
        Some(What::Words(w) | What::Exact(w)) if token::lex(&w).tokens.is_empty() => Some(unfillable(&w)),
        Some(What::Words(w)) if spans_clauses(&w) => Some(unfillable(&w)),
        _ => None,
    }
}

/// Whether a phrase has a break inside, over which no phrase is read.
fn spans_clauses(words: &str) -> bool {
    token::lex(words).tokens.iter().skip(1).any(|t| t.gap.ends_clause())
}

fn unfillable(words: &str) -> (String, String) {
    (format!("no text can fill `{words}`"), "write words without commas or colons between them".to_owned())
}

fn unknown(id: &str, concepts: &Concepts) -> (String, String) {
    let near = concepts
        .ids()
        .filter(|known| concepts.knows(known))
        .min_by_key(|known| (strsim::damerau_levenshtein(id, known), *known));
    let cure = match near.filter(|n| strsim::damerau_levenshtein(id, n) <= 3) {
        Some(near) => format!("did you mean `@{near}`?"),
        None => "write it into glossary.toml or the drill, or use plain words".to_owned(),
    };
    (format!("no term or concept `{id}`"), cure)
}
