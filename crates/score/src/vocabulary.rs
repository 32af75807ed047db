//! The words that a rubric looks for, and where a text has them.

use std::collections::HashMap;

use super::concept::Concepts;
use super::pattern::{self, Slot, Unit, What};
use super::stem::Stems;
use super::token::{self, Token};
use super::{lexicon, slip};

/// Some words of a text that fill a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Hit {
    /// The first token.
    pub start: usize,
    /// The token after the last.
    pub end: usize,
    /// Whether they say the opposite of the slot.
    pub opposite: bool,
}

/// A slot's place among all slots of a rubric.
pub(super) type SlotId = usize;

/// The words of a token, as numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Form {
    /// The number of its stem, if any phrase has it.
    stem: Option<u32>,
    /// The number of the word itself, if any phrase wants it exactly.
    exact: Option<u32>,
}

/// One word of a phrase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Word {
    Stem(u32),
    Exact(u32),
}

/// Words that fill slots.
struct Phrase {
    words: Vec<Word>,
    /// Whether small words may stand between.
    loose: bool,
    uses: Vec<Use>,
}

/// A slot that a phrase fills.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Use {
    slot: SlotId,
    opposite: bool,
}

/// Every phrase that any slot of a rubric looks for.
pub(super) struct Vocabulary {
    stems: HashMap<String, u32>,
    stem_names: Vec<String>,
    exacts: HashMap<String, u32>,
    phrases: Vec<Phrase>,
    known: HashMap<(Vec<Word>, bool), usize>,
    by_stem: HashMap<u32, Vec<usize>>,
    by_exact: HashMap<u32, Vec<usize>>,
    beginnings: Vec<(String, Use)>,
    numbers: Vec<(Unit, Use)>,
    slots: HashMap<String, SlotId>,
    /// Stems that a typing slip may have spoilt, by first letter and length.
    slips: HashMap<(u8, usize), Vec<u32>>,
    names: Vec<String>,
}

impl Vocabulary {
    /// An empty vocabulary.
    pub(super) fn new() -> Vocabulary {
        Vocabulary {
            stems: HashMap::new(),
            stem_names: Vec::new(),
            exacts: HashMap::new(),
            phrases: Vec::new(),
            known: HashMap::new(),
            by_stem: HashMap::new(),
            by_exact: HashMap::new(),
            beginnings: Vec::new(),
            numbers: Vec::new(),
            slots: HashMap::new(),
            slips: HashMap::new(),
            names: Vec::new(),
        }
    }

    /// How many slots there are.
    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    /// Takes a slot in; slots with the same alternatives are one.
    pub(super) fn add(&mut self, slot: &Slot, concepts: &Concepts, stems: &mut Stems) -> SlotId {
        let mut names: Vec<String> =
            slot.ways.iter().map(|w| format!("{}{:?}", if w.denied { "!" } else { "" }, w.what)).collect();
        names.sort();
        let name = names.join("|");
        if let Some(&id) = self.slots.get(&name) {
            return id;
        }
        let id = self.names.len();
        self.names.push(name.clone());
        self.slots.insert(name, id);
        for way in &slot.ways {
            let to = Use { slot: id, opposite: way.denied };
            self.add_way(&way.what, to, concepts, stems);
        }
        for way in &slot.ways {
            if let What::Concept(concept) = &way.what {
                for word in concepts.opposite_words(concept) {
                    let to = Use { slot: id, opposite: !way.denied };
                    self.add_word(word, to, stems);
                }
            }
        }
        id
    }

    fn add_way(&mut self, what: &What, to: Use, concepts: &Concepts, stems: &mut Stems) {
        match what {
            What::Concept(concept) => {
                for word in concepts.words(concept) {
                    self.add_word(word, to, stems);
                }
            }
            other => self.add_what(other, to, stems),
        }
    }

    /// Takes in an entry of a concept's word list.
    fn add_word(&mut self, word: &str, to: Use, stems: &mut Stems) {
        let what = match pattern::parse_way(word) {
            Some(what) => what,
            None => What::Words(word.to_owned()),
        };
        self.add_what(&what, to, stems);
    }

    fn add_what(&mut self, what: &What, to: Use, stems: &mut Stems) {
        match what {
            What::Concept(_) => {}
            What::Words(text) => self.add_phrase(text, true, to, stems),
            What::Exact(text) => self.add_phrase(text, false, to, stems),
            What::Beginning(text) => self.beginnings.push((text.to_lowercase(), to)),
            What::Number(unit) => self.numbers.push((*unit, to)),
        }
    }

    fn add_phrase(&mut self, text: &str, loose: bool, to: Use, stems: &mut Stems) {
        let tokens = token::lex(text).tokens;
        if tokens.is_empty() {
            return;
        }
        let words: Vec<Word> = tokens.iter().map(|t| self.word(&t.word, loose, stems)).collect();
        if loose && words.len() > 1 {
            let joined: String = tokens.iter().map(|t| t.word.as_str()).collect();
            let joined = vec![self.word(&joined, true, stems)];
            self.add_words(joined, true, to);
        }
        self.add_words(words, loose, to);
    }

    fn add_words(&mut self, words: Vec<Word>, loose: bool, to: Use) {
        let key = (words, loose);
        let at = match self.known.get(&key) {
            Some(&at) => at,
            None => {
                let at = self.phrases.len();
                match key.0[0] {
                    Word::Stem(s) => self.by_stem.entry(s).or_default().push(at),
                    Word::Exact(e) => self.by_exact.entry(e).or_default().push(at),
                }
                self.phrases.push(Phrase { words: key.0.clone(), loose, uses: Vec::new() });
                self.known.insert(key, at);
                at
            }
        };
        let uses = &mut self.phrases[at].uses;
        if !uses.iter().any(|u| u.slot == to.slot) {
            uses.push(to);
        }
    }

    fn word(&mut self, word: &str, loose: bool, stems: &mut Stems) -> Word {
        if loose {
            let stem = stems.stem(word).to_owned();
            let next = self.stems.len() as u32;
            let id = *self.stems.entry(stem.clone()).or_insert(next);
            if id == next {
                self.stem_names.push(stem.clone());
                if slip::may_be_misspelt(&stem) {
                    let shelf = (stem.as_bytes()[0], stem.len());
                    self.slips.entry(shelf).or_default().push(id);
                }
            }
            Word::Stem(id)
        } else {
            let next = self.exacts.len() as u32;
            Word::Exact(*self.exacts.entry(word.to_owned()).or_insert(next))
        }
    }

    /// The form of a token, a typing slip mended.
    pub(super) fn form(&self, word: &str, stem: &str) -> Form {
        let exact = self.exacts.get(word).copied();
        let found = self.stems.get(stem).copied();
        let stem_id = found.or_else(|| self.before_digits(word)).or_else(|| self.mended(stem));
        Form { stem: stem_id, exact }
    }

    /// `tp8` is *tp*, where `tp` is a word that is looked for.
    fn before_digits(&self, word: &str) -> Option<u32> {
        let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
        let named = letters.len() >= 2
            && letters.len() < word.len()
            && letters.bytes().all(|b| b.is_ascii_lowercase());
        if named { self.stems.get(letters).copied() } else { None }
    }

    /// The stem that is one typing slip away; the first that was added, if there are several. A slip
    /// is two letters swapped, one too many, one too few, or (in long words) one wrong.
    fn mended(&self, stem: &str) -> Option<u32> {
        if !slip::may_be_misspelt(stem) || slip::is_common(stem) {
            return None;
        }
        let typed = stem.as_bytes();
        (typed.len() - 1..=typed.len() + 1)
            .filter_map(|length| self.slips.get(&(typed[0], length)))
            .flatten()
            .copied()
            .filter(|&id| slip::is_one_apart(typed, self.stem_names[id as usize].as_bytes()))
            .min()
    }

    /// All places where words of a slot stand, by slot.
    pub(super) fn hits(&self, tokens: &[Token], forms: &[Form]) -> Vec<Vec<Hit>> {
        let mut hits = vec![Vec::new(); self.len()];
        let fillers: Vec<bool> = tokens.iter().map(|t| lexicon::is_filler(&t.word)).collect();
        let text = Text { tokens, forms, fillers: &fillers };
        for (i, form) in forms.iter().enumerate() {
            let starts = [
                form.stem.and_then(|s| self.by_stem.get(&s)),
                form.exact.and_then(|e| self.by_exact.get(&e)),
            ];
            for &phrase in starts.into_iter().flatten().flatten() {
                let phrase = &self.phrases[phrase];
                if let Some(end) = ends_at(phrase, &text, i) {
                    for u in &phrase.uses {
                        push(&mut hits[u.slot], Hit { start: i, end, opposite: u.opposite });
                    }
                }
            }
            for (beginning, u) in &self.beginnings {
                if tokens[i].word.starts_with(beginning.as_str()) {
                    push(&mut hits[u.slot], Hit { start: i, end: i + 1, opposite: u.opposite });
                }
            }
            if !self.numbers.is_empty() && token::is_number(&tokens[i].word) {
                for (unit, u) in &self.numbers {
                    if let Some(end) = number_ends(*unit, tokens, i) {
                        push(&mut hits[u.slot], Hit { start: i, end, opposite: u.opposite });
                    }
                }
            }
        }
        hits
    }
}

/// Keeps the longest hit of those that begin at one token.
fn push(hits: &mut Vec<Hit>, hit: Hit) {
    if let Some(last) = hits.last_mut().filter(|l| l.start == hit.start && l.opposite == hit.opposite) {
        last.end = last.end.max(hit.end);
    } else {
        hits.push(hit);
    }
}

/// The tokens of a text, with what is known of each.
struct Text<'a> {
    tokens: &'a [Token],
    forms: &'a [Form],
    /// Whether a token is a small word that may stand inside a phrase.
    fillers: &'a [bool],
}

/// Where a phrase that begins at token `i` ends.
fn ends_at(phrase: &Phrase, text: &Text<'_>, i: usize) -> Option<usize> {
    let Text { tokens, forms, fillers } = text;
    let mut at = i + 1;
    for word in &phrase.words[1..] {
        let mut skipped = 0;
        loop {
            if at >= tokens.len() || tokens[at].gap.ends_clause() {
                return None;
            }
            let here = match word {
                Word::Stem(s) => forms[at].stem == Some(*s),
                Word::Exact(e) => forms[at].exact == Some(*e),
            };
            if here {
                break;
            }
            if !phrase.loose || skipped == 2 || !fillers[at] {
                return None;
            }
            skipped += 1;
            at += 1;
        }
        at += 1;
    }
    Some(at)
}

/// Where a number with such a unit ends.
fn number_ends(unit: Unit, tokens: &[Token], i: usize) -> Option<usize> {
    let word = |at: usize| tokens.get(at).filter(|t| !t.gap.ends_clause()).map_or("", |t| t.word.as_str());
    let next = word(i + 1);
    let rate = matches!(next, "gbps" | "gbit")
        || lexicon::is_byte_unit(next) && word(i + 2) == "per" && lexicon::is_time_unit(word(i + 3));
    match unit {
        Unit::Any => Some(i + 1),
        Unit::Rate if rate => Some(if word(i + 2) == "per" { i + 4 } else { i + 2 }),
        Unit::Bytes if lexicon::is_byte_unit(next) && !rate => Some(i + 2),
        Unit::Time if lexicon::is_time_unit(next) => Some(i + 2),
        Unit::Percent if next == "%" => Some(i + 2),
        Unit::Factor if next == "x" => Some(i + 2),
        _ => None,
    }
}
