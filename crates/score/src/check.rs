//! What is wrong with a rubric, before anybody is scored by it.

use std::collections::BTreeMap;
use std::ops::Range;

use super::claim;
use super::concept::Concepts;
use super::pattern::{self, Format, Pattern, PhrasePart, Role, Slot, Way, What};
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
    /// `unless` of a misconception: the misconception, the entry.
    Unless(usize, usize),
    /// The id of a point.
    Point(usize),
    /// The drill as a whole.
    Drill,
}

/// More patterns than these in one drill decided nothing, and fed attackers.
const MANY_PATTERNS: usize = 80;

/// Where a pattern stands among what rubrics share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SharedPlace {
    /// `match` of a claim: the claim, the pattern.
    Claim(usize, usize),
    /// `false` of a claim: the claim, the pattern.
    ClaimContrary(usize, usize),
    /// `unless` of a claim: the claim, the entry.
    ClaimUnless(usize, usize),
    /// `match` of a false statement: the statement, the pattern.
    Falsehood(usize, usize),
    /// `unless` of a false statement: the statement, the entry.
    FalsehoodUnless(usize, usize),
    /// `match` of vague words: the entry, the pattern.
    Vague(usize, usize),
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
pub struct RubricChecker<'a> {
    glossary: &'a Glossary,
    claims: Vec<claim::Claim>,
    concepts: Concepts,
    stems: Stems,
}

/// A fault of what rubrics share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedFault {
    /// The pattern or word.
    pub place: SharedPlace,
    /// Its bytes.
    pub at: Range<usize>,
    /// What is wrong: lower case, no full stop.
    pub fault: String,
    /// What to do about it.
    pub cure: String,
}

impl<'a> RubricChecker<'a> {
    /// For rubrics that use these terms, concepts and claims.
    pub fn new(glossary: &'a Glossary) -> RubricChecker<'a> {
        let claims = claim::known(glossary);
        RubricChecker { glossary, claims, concepts: Concepts::shared(glossary), stems: Stems::new() }
    }

    /// Finds the faults of the claims, false statements and vague words that rubrics share.
    pub fn check_shared(&self) -> Vec<SharedFault> {
        let mut faults = Vec::new();
        let gaps = ["x", "y", "z"];
        for (i, claim) in self.glossary.claims.iter().enumerate() {
            let places = [(&claim.matches, true), (&claim.contrary, false)];
            for (texts, states) in places {
                for (j, text) in texts.iter().enumerate() {
                    let place =
                        if states { SharedPlace::Claim(i, j) } else { SharedPlace::ClaimContrary(i, j) };
                    if j == claim::MOST_PATTERNS {
                        let fault = format!("`{}` has {} patterns", claim.id, texts.len());
                        let cure =
                            format!("keep {j} at most, or make two claims of it; the others are ignored");
                        faults.push(SharedFault { place, at: 0..text.len(), fault, cure });
                        break;
                    }
                    let filled = gaps.iter().fold(text.clone(), |t, g| t.replace(&format!("{{{g}}}"), g));
                    self.shared_pattern(place, text, &filled, &mut faults);
                }
            }
            self.shared_words(|j| SharedPlace::ClaimUnless(i, j), &claim.unless, &mut faults);
        }
        for (i, falsehood) in self.glossary.falsehoods.iter().enumerate() {
            for (j, text) in falsehood.matches.iter().enumerate() {
                self.shared_pattern(SharedPlace::Falsehood(i, j), text, text, &mut faults);
            }
            self.shared_words(|j| SharedPlace::FalsehoodUnless(i, j), &falsehood.unless, &mut faults);
        }
        for (i, vague) in self.glossary.vague.iter().enumerate() {
            for (j, text) in vague.matches.iter().enumerate() {
                self.shared_pattern(SharedPlace::Vague(i, j), text, text, &mut faults);
            }
        }
        faults
    }

    fn shared_words(
        &self,
        place: impl Fn(usize) -> SharedPlace,
        words: &[String],
        faults: &mut Vec<SharedFault>,
    ) {
        for (j, word) in words.iter().enumerate() {
            if let Some((fault, cure)) = word_fault(word, &self.concepts) {
                faults.push(SharedFault { place: place(j), at: 0..word.len(), fault, cure });
            }
        }
    }

    /// Looks at a pattern; `filled` is the same with words in its gaps.
    fn shared_pattern(&self, place: SharedPlace, text: &str, filled: &str, faults: &mut Vec<SharedFault>) {
        let mut report =
            |fault: String, cure: String| faults.push(SharedFault { place, at: 0..text.len(), fault, cure });
        let stated = match stated(filled, Format::Two, &self.claims) {
            Ok(stated) => stated,
            Err((_, fault, cure)) => return report(fault, cure),
        };
        for one in stated {
            let pattern = match pattern::parse_in(Format::Two, &one) {
                Ok(pattern) => pattern,
                Err(f) => return report(f.fault, f.cure),
            };
            if pattern.subject.is_some() {
                let cure = "write the subject as the first slot, with `>` after it";
                return report("a subject in what all drills share".to_owned(), cure.to_owned());
            }
            let ways = pattern.slots.iter().flat_map(|s| &s.ways);
            if let Some((fault, cure)) = ways.filter_map(|w| way_fault(w, &self.concepts)).next() {
                return report(fault, cure);
            }
        }
    }

    /// Finds the faults of a rubric's patterns and of the drill's own words.
    pub fn check(&mut self, rubric: &Rubric) -> Vec<RubricFault> {
        let concepts = self.concepts.with(rubric);
        let mut checker = Checker {
            rubric,
            claims: &self.claims,
            concepts: &concepts,
            stems: &mut self.stems,
            vocabulary: Vocabulary::new(),
            faults: Vec::new(),
            seen: BTreeMap::new(),
            readable: Vec::new(),
            told_of_denial: false,
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
                claims: &self.claims,
                concepts: &concepts,
                stems: &mut self.stems,
                vocabulary: Vocabulary::new(),
                faults: Vec::new(),
                seen: BTreeMap::new(),
                readable: Vec::new(),
                told_of_denial: true,
                asks: "question",
            };
            checker.points();
            checker.given_away();
            let mut found = checker.faults;
            found.iter_mut().for_each(|f| f.place = f.place.of_follow_up(i));
            if found.iter().all(|f| f.warning) {
                let scorer = Scorer::with_concepts(follow_up, drill, self.glossary, &concepts);
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

impl Checker<'_> {
    fn all(&mut self) {
        let rubric = self.rubric;
        let patterns = rubric.patterns();
        if patterns > MANY_PATTERNS && rubric.format == Format::Two {
            let says = (
                format!("{patterns} patterns, where {MANY_PATTERNS} are enough"),
                "widen concepts instead of adding patterns; with 60 answers by other people or more, `infralens pack prune --answers FILE` names those that decide nothing"
                    .to_owned(),
            );
            self.report(Place::Drill, 0..rubric.drill.len(), true, says);
        }
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
        }
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
        let empty = |w: &Way| match &w.what {
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
            Place::Unless(i, _) => {
                format!("`unless` of misconception `{}`", self.rubric.misconceptions[i].id)
            }
            Place::Point(i) => format!("point `{}`", self.rubric.points[i].id),
            Place::Drill => "the drill".to_owned(),
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
            ("`answer` is not found by its own `match`".to_owned(), "add a pattern that finds it")
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

/// The patterns that a text stands for: itself, or those of the claim that it uses.
fn stated(
    text: &str,
    format: Format,
    claims: &[claim::Claim],
) -> Result<Vec<String>, (Range<usize>, String, String)> {
    let used = match format {
        Format::One => None,
        Format::Two => claim::used(text).map_err(|f| (f.at, f.fault, f.cure))?,
    };
    let Some(used) = used else { return Ok(vec![text.to_owned()]) };
    let whole = 0..text.len() - used.rest.len();
    let Some(claim) = claims.iter().find(|c| c.id == used.id) else {
        let near = claims.iter().min_by_key(|c| strsim::damerau_levenshtein(used.id, &c.id));
        let near = near.filter(|c| strsim::damerau_levenshtein(used.id, &c.id) <= 3);
        let cure = match near {
            Some(near) => format!("did you mean `{}`?", near.id),
            None => "write it into claims.toml, or write the pattern out".to_owned(),
        };
        return Err((whole, format!("no claim `{}`", used.id), cure));
    };
    if claim.gaps() != used.takes.len() {
        let what = format!("`{}` has {} gaps, and {} are filled", claim.id, claim.gaps(), used.takes.len());
        return Err((whole, what, format!("it says: {}", claim.says)));
    }
    Ok(claim.stated(&used.takes, used.rest))
}

/// What is wrong with a way to fill a slot, and the cure.
fn way_fault(way: &Way, concepts: &Concepts) -> Option<(String, String)> {
    match &way.what {
        What::Concept(id) if !concepts.knows(id) => Some(unknown(id, concepts)),
        What::Phrase(parts) => parts.iter().find_map(|part| match part {
            PhrasePart::Concept(id) if !concepts.knows(id) => Some(unknown(id, concepts)),
            _ => None,
        }),
        What::Words(w) | What::Exact(w) if token::lex(w).tokens.is_empty() => Some(unfillable(w)),
        What::Words(w) if w.contains(char::is_whitespace) && spans_clauses(w) => Some(unfillable(w)),
        _ => None,
    }
}

/// What is wrong with an entry of a word list; `!` before it means the word where it is denied.
fn word_fault(word: &str, concepts: &Concepts) -> Option<(String, String)> {
    let word = word.trim_start();
    let word = word.strip_prefix('!').map_or(word, str::trim_start);
    match pattern::parse_way(word) {
        None => Some((
            format!("`{word}` cannot be read"),
            "write plain words, `@id` or \"exact words\"".to_owned(),
        )),
        Some(What::Concept(id)) if !concepts.knows(&id) => Some(unknown(&id, concepts)),
        Some(What::Words(w) | What::Exact(w)) if token::lex(&w).tokens.is_empty() => Some(unfillable(&w)),
        Some(What::Words(w)) if spans_clauses(&w) => Some(unfillable(&w)),
        Some(What::Phrase(parts)) => parts.iter().find_map(|part| match part {
            PhrasePart::Concept(id) if !concepts.knows(id) => Some(unknown(id, concepts)),
            _ => None,
        }),
        _ => None,
    }
}

/// Whether a phrase has a break inside, over which no phrase is read.
fn spans_clauses(words: &str) -> bool {
    token::lex(words).tokens.iter().skip(1).any(|t| t.gap.ends_clause())
}

fn unfillable(words: &str) -> (String, String) {
    (
        format!("no text can fill `{words}`"),
        "write words without dots, commas or colons between them".to_owned(),
    )
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
