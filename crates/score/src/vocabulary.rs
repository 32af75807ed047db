//! The words that a rubric looks for, and where a text has them.

mod places;

use foldhash::{HashMap, HashMapExt};

use super::concept::Concepts;
use super::figure::{Figure, FigureUnit};
use super::pattern::{self, PhrasePart, Slot, Unit, What};
use super::stem::Stems;
use super::token;
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
    /// Whether they do so only because the author wrote `!` before them: they fill the slot where they are denied.
    /// Said of what would be, they deny nothing.
    pub marked: bool,
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

/// A phrase in which concepts stand.
struct Composite {
    parts: Vec<CompositePart>,
    to: Use,
}

/// A piece of such a phrase.
#[derive(Debug, Clone, Copy)]
enum CompositePart {
    Word(Word),
    /// Any hit of a slot.
    Slot(SlotId),
}

/// Figures that fill a slot, or, where `wrong`, any other figure of their kind.
struct FigureUse {
    figures: Vec<Figure>,
    /// The word that must follow, where things are counted.
    thing: Option<Word>,
    wrong: bool,
    to: Use,
}

/// A slot that a phrase fills.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Use {
    slot: SlotId,
    opposite: bool,
    marked: bool,
}

impl Use {
    fn hit(self, start: usize, end: usize) -> Hit {
        Hit { start, end, opposite: self.opposite, marked: self.marked }
    }
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
    figures: Vec<FigureUse>,
    /// Those that others are made of stand first.
    composites: Vec<Composite>,
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
            figures: Vec::new(),
            composites: Vec::new(),
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
            let to = Use { slot: id, opposite: way.denied, marked: way.denied };
            self.add_way(&way.what, to, concepts, stems);
        }
        for way in &slot.ways {
            if let What::Concept(concept) = &way.what {
                // "during" and the like do not say by themselves that something is hidden
                let telling = |w: &&str| !lexicon::is_function(w);
                for word in concepts.opposite_words(concept).into_iter().filter(telling) {
                    let to = Use { slot: id, opposite: !way.denied, marked: false };
                    self.add_word(word, to, concepts, stems);
                }
            }
        }
        id
    }

    fn add_way(&mut self, what: &What, to: Use, concepts: &Concepts, stems: &mut Stems) {
        match what {
            What::Concept(concept) => {
                for word in concepts.words(concept) {
                    self.add_word(word, to, concepts, stems);
                }
            }
            other => self.add_what(other, to, concepts, stems),
        }
    }

    /// Takes in an entry of a concept's word list.
    /// One that begins with `!` is meant where it is denied.
    fn add_word(&mut self, word: &str, to: Use, concepts: &Concepts, stems: &mut Stems) {
        let (word, to) = match word.trim_start().strip_prefix('!') {
            Some(denied) => {
                let opposite = !to.opposite;
                (denied.trim_start(), Use { opposite, marked: opposite, ..to })
            }
            None => (word, to),
        };
        let what = match pattern::parse_way(word) {
            Some(what) => what,
            None => What::Words(word.to_owned()),
        };
        self.add_what(&what, to, concepts, stems);
    }

    fn add_what(&mut self, what: &What, to: Use, concepts: &Concepts, stems: &mut Stems) {
        match what {
            What::Concept(_) => {}
            What::Words(text) => self.add_phrase(text, true, to, stems),
            What::Exact(text) => self.add_phrase(text, false, to, stems),
            What::Beginning(text) => self.beginnings.push((text.to_lowercase(), to)),
            What::Number(unit) => self.numbers.push((*unit, to)),
            What::Phrase(parts) => self.add_composite(parts, to, concepts, stems),
            What::Figure(figure) => self.add_figures(std::slice::from_ref(figure), false, to, stems),
            What::WrongFigure(figures) => self.add_figures(figures, true, to, stems),
        }
    }

    fn add_composite(&mut self, parts: &[PhrasePart], to: Use, concepts: &Concepts, stems: &mut Stems) {
        let parts = parts.iter().flat_map(|part| match part {
            PhrasePart::Concept(id) => vec![CompositePart::Slot(self.concept_slot(id, concepts, stems))],
            PhrasePart::Word(text) => {
                let tokens = token::lex(text).tokens;
                tokens.iter().map(|t| CompositePart::Word(self.word(&t.word, true, stems))).collect()
            }
        });
        let parts = parts.collect();
        self.composites.push(Composite { parts, to });
    }

    /// The slot that any word of a concept fills.
    fn concept_slot(&mut self, id: &str, concepts: &Concepts, stems: &mut Stems) -> SlotId {
        let name = format!("part of a phrase: {id}");
        if let Some(&slot) = self.slots.get(&name) {
            return slot;
        }
        let slot = self.names.len();
        self.names.push(name.clone());
        self.slots.insert(name, slot);
        for word in concepts.words(id) {
            self.add_word(word, Use { slot, opposite: false, marked: false }, concepts, stems);
        }
        slot
    }

    fn add_figures(&mut self, figures: &[Figure], wrong: bool, to: Use, stems: &mut Stems) {
        let thing = figures.iter().find_map(|f| match &f.unit {
            FigureUnit::Of(thing) => Some(thing.clone()),
            _ => None,
        });
        let thing = thing.map(|t| self.word(&t, true, stems));
        self.figures.push(FigureUse { figures: figures.to_vec(), thing, wrong, to });
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
}
