//! How typed words fit names and texts.

use memchr::memmem;

use crate::study::thing::Kind;

/// What the exact name is worth; all other ranks are below.
pub(super) const EXACT: u32 = 1000;
/// What it is worth that the words stand in the name as they were typed, side by side.
const PHRASE: u32 = 40;
/// What it is worth that half of the name is what was typed; all of it, twice that. A few letters more or less decide
/// nothing.
const HALF: u32 = 10;
/// Words that stand in any question.
const SMALL: [&str; 55] = [
    "a",
    "an",
    "and",
    "any",
    "are",
    "as",
    "at",
    "be",
    "but",
    "by",
    "can",
    "could",
    "did",
    "do",
    "does",
    "for",
    "from",
    "have",
    "how",
    "i",
    "if",
    "in",
    "instead",
    "is",
    "it",
    "its",
    "my",
    "of",
    "on",
    "or",
    "should",
    "so",
    "than",
    "that",
    "the",
    "their",
    "there",
    "they",
    "this",
    "to",
    "use",
    "was",
    "we",
    "them",
    "themselves",
    "then",
    "these",
    "those",
    "what",
    "when",
    "where",
    "which",
    "why",
    "with",
    "you",
];
/// The letters of a text that are shown around the words that were found.
pub(super) const EXCERPT: usize = 90;

/// What was typed, folded, made ready to be looked for in many names.
#[derive(Debug)]
pub(super) struct Asked {
    text: String,
    letters: usize,
    words: Vec<Word>,
    phrase: Option<Word>,
    /// The kind of things that one of the words names, and what it is asked by besides, if anything.
    kind: Option<(Kind, Option<Box<Asked>>)>,
}

/// A word to look for.
#[derive(Debug)]
struct Word {
    text: String,
    finder: memmem::Finder<'static>,
}

impl Word {
    fn new(text: &str) -> Self {
        Word { finder: memmem::Finder::new(text).into_owned(), text: text.to_owned() }
    }

    /// How well it fits a folded name: as a word of it, as the beginning of one, inside one; best at the start.
    fn rank(&self, name: &str) -> Option<u32> {
        let name = name.as_bytes();
        let mut best = None;
        for at in self.finder.find_iter(name) {
            let begins = at == 0 || name[at - 1] == b' ';
            let end = at + self.text.len();
            let rank = match begins {
                true if end == name.len() || name[end] == b' ' => 100,
                true => 70,
                false => 50,
            };
            best = best.max(Some(rank));
            if rank == 100 {
                break;
            }
        }
        let first = if name.starts_with(self.text.as_bytes()) && best >= Some(70) { 10 } else { 0 };
        best.map(|best| best + first)
    }

    /// Where words of a text begin so.
    fn starts<'a>(&'a self, text: &'a str) -> impl Iterator<Item = usize> + 'a {
        let is_start = |at: &usize| text[..*at].chars().next_back().is_none_or(|c| !c.is_alphanumeric());
        self.finder.find_iter(text.as_bytes()).filter(is_start)
    }

    fn begins_word(&self, text: &str) -> bool {
        self.starts(text).next().is_some()
    }
}

impl Asked {
    /// What was typed; none where no letter and no digit is in it.
    pub(super) fn new(typed: &str) -> Option<Self> {
        let text = folded(typed);
        let all = || text.split(' ').filter(|word| !word.is_empty());
        // a whole question is asked by its words that mean something, where it has any
        let telling = || all().filter(|word| !SMALL.contains(word));
        let words: Vec<Word> = match telling().next() {
            Some(_) => telling().map(Word::new).collect(),
            None => all().map(Word::new).collect(),
        };
        let phrase = (words.len() > 1).then(|| Word::new(&text));
        let kind = kind_named(&text);
        (!words.is_empty()).then(|| Asked { letters: text.chars().count(), text, words, phrase, kind })
    }

    /// How well a thing of the kind that was typed fits by the other words; all of that kind fit where there are none.
    pub(super) fn rank_in<'a>(
        &self,
        kind: Kind,
        names: impl Iterator<Item = (&'a str, usize)>,
    ) -> Option<u32> {
        let (_, rest) = self.kind.as_ref().filter(|(named, _)| *named == kind)?;
        // one that is named so is found by its name, as any other
        rest.as_ref().map_or(Some(0), |rest| rest.rank(names).map(|rank| rank.min(EXACT / 4)))
    }

    /// Whether all that fits fitted what was asked before too: each word of that stands in one of these.
    pub(super) fn narrows(&self, before: &Asked) -> bool {
        let kind = |asked: &Asked| asked.kind.as_ref().map(|(kind, _)| *kind);
        let is_same_kind = kind(self).is_none() || kind(self) == kind(before);
        is_same_kind
            && before.words.iter().all(|old| self.words.iter().any(|word| word.text.starts_with(&old.text)))
    }

    /// Whether each word has so many letters.
    pub(super) fn has_long_words(&self, letters: usize) -> bool {
        self.words.iter().all(|word| word.text.chars().count() >= letters)
    }

    /// How well it fits the names of a thing, of which each comes with the count of its letters. Another name counts a
    /// little less than the one that is shown.
    pub(super) fn rank<'a>(&self, names: impl Iterator<Item = (&'a str, usize)>) -> Option<u32> {
        let mut best = None;
        for (nth, (name, letters)) in names.enumerate() {
            if is_same(name, &self.text) {
                // to the letter before what is the same but for a plural, and the name that is shown before others
                let letters = if name == self.text { 2 } else { 0 };
                best = best.max(Some(EXACT + letters + u32::from(nth == 0)));
                continue;
            }
            let rank = self.rank_name(name, letters).map(|rank| if nth == 0 { rank } else { rank * 3 / 5 });
            best = best.max(rank);
        }
        best
    }

    /// Whether each word is a whole word of the name that is shown.
    pub(super) fn is_word_of<'a>(&self, mut names: impl Iterator<Item = (&'a str, usize)>) -> bool {
        let whole = |name: &str| self.words.iter().all(|word| word.rank(name) >= Some(100));
        names.next().is_some_and(|(name, _)| whole(name))
    }

    /// How well the words fit a name that has them all: each by where it stands, more where they stand side by side, and
    /// more where the name says little else.
    fn rank_name(&self, name: &str, letters: usize) -> Option<u32> {
        let count = u32::try_from(self.words.len()).unwrap_or(u32::MAX);
        let each = self.words.iter().map(|word| word.rank(name)).sum::<Option<u32>>()? / count;
        let phrase = self.phrase.as_ref().is_some_and(|phrase| phrase.begins_word(name));
        let letters = letters.max(1);
        let halves = (2.0 * self.letters.min(letters) as f64 / letters as f64).round() as u32;
        Some(each + if phrase { PHRASE } else { 0 } + halves * HALF)
    }

    /// Whether words of a text begin with all of them.
    pub(super) fn is_in(&self, text: &str) -> bool {
        !text.is_empty() && self.words.iter().all(|word| word.begins_word(text))
    }

    /// How often they stand in a text that has them all.
    pub(super) fn count(&self, text: &str) -> Option<usize> {
        let count = |word: &Word| word.finder.find_iter(text.as_bytes()).count();
        self.is_in(text).then(|| self.words.iter().map(count).sum())
    }

    /// Where the first of them begins a word of a text.
    pub(super) fn first_in(&self, text: &str) -> Option<usize> {
        self.words.first()?.starts(text).next()
    }

    /// How well it fits the names of a thing but for typing slips.
    pub(super) fn rank_slips<'a>(&self, names: impl Iterator<Item = (&'a str, usize)>) -> Option<u32> {
        let joined = self.text.replace(' ', "");
        let is_long = joined.chars().count() > 4;
        let of_name = |name: &str| {
            // words that were typed as one, from the beginning of a word that means something
            let is_told = |word: &&str| !SMALL.contains(word);
            let starts = || name.match_indices(' ').map(|(at, _)| at + 1);
            let is_joined = |at: usize| {
                name[at..].split(' ').next().as_ref().is_some_and(is_told)
                    && name[at..].replace(' ', "").starts_with(&joined)
            };
            if is_long && std::iter::once(0).chain(starts()).any(is_joined) {
                return Some(10);
            }
            // a slip of a word that stands in any question says nothing
            let all: Vec<&str> = name.split(' ').filter(is_told).collect();
            let nearest = |word: &Word| {
                let slips = all.iter().map(|other| slips(&word.text, other)).min();
                slips.filter(|slips| *slips <= allowed(&word.text))
            };
            let off: usize = self.words.iter().map(nearest).sum::<Option<usize>>()?;
            Some(9u32.saturating_sub(u32::try_from(off).unwrap_or(9)))
        };
        names.filter_map(|(name, _)| of_name(name)).max()
    }
}

/// The kind that the first or the last word of a folded text names, and what is asked besides.
fn kind_named(text: &str) -> Option<(Kind, Option<Box<Asked>>)> {
    const KINDS: [Kind; 7] =
        [Kind::Lesson, Kind::Term, Kind::Lab, Kind::Sim, Kind::Drill, Kind::Puzzle, Kind::Check];
    let text = text.trim();
    let named = |word: &str| KINDS.into_iter().find(|kind| is_same(word, kind.word()));
    let first = text.split_once(' ').unwrap_or((text, ""));
    let last = text.rsplit_once(' ').map(|(rest, word)| (word, rest));
    let found = std::iter::once(first).chain(last);
    let (kind, rest) = found.filter_map(|(word, rest)| Some((named(word)?, rest))).next()?;
    Some((kind, Asked::new(rest).map(Box::new)))
}

/// Small letters and digits, with one blank for whatever stands between.
pub(super) fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars().flat_map(char::to_lowercase) {
        match c.is_alphanumeric() {
            true => out.push(c),
            false if out.ends_with(' ') || out.is_empty() => {}
            false => out.push(' '),
        }
    }
    out.truncate(out.trim_end().len());
    out
}

pub(super) fn folded_lines(text: &str) -> String {
    text.lines().map(folded).collect::<Vec<_>>().join("\n")
}

/// Whether two names are the same, but for a plural.
fn is_same(name: &str, asked: &str) -> bool {
    name == asked || name.strip_suffix('s').unwrap_or(name) == asked.strip_suffix('s').unwrap_or(asked)
}

/// How many letters of a word may differ.
fn allowed(word: &str) -> usize {
    match word.chars().count() {
        0..=2 => 0,
        3..=6 => 1,
        _ => 2,
    }
}

/// How many letters differ between a word that was typed and another, or the beginning of it: who looks for “paralel”
/// means “parallelism” too.
fn slips(typed: &str, word: &str) -> usize {
    let (count, most) = (typed.chars().count(), allowed(typed));
    let ends = word.char_indices().map(|(at, _)| at).chain([word.len()]).skip(count.saturating_sub(most));
    let beginnings = ends.take(2 * most + 1).map(|end| &word[..end]);
    let whole = strsim::damerau_levenshtein(typed, word);
    beginnings.map(|start| strsim::damerau_levenshtein(typed, start)).fold(whole, usize::min)
}

/// Whole words around a place in a text, with `…` where they are cut. `low` is the text in small letters.
pub(super) fn excerpt(text: &str, low: &str, at: Option<usize>) -> String {
    let Some(at) = at else { return String::new() };
    let row = low[..at].matches('\n').count();
    let Some(line) = text.lines().nth(row) else { return String::new() };
    let before = low[..at].rfind('\n').map_or(0, |end| end + 1);
    let lead = low[before..at].chars().count();
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut first = 0;
    let mut seen = 0;
    // the words that stand more than a third of the excerpt before it are left out
    while first + 1 < words.len() && seen + words[first].chars().count() + 1 + EXCERPT / 3 < lead {
        seen += words[first].chars().count() + 1;
        first += 1;
    }
    let mut out = if first > 0 { "…".to_owned() } else { String::new() };
    for (nth, word) in words.iter().enumerate().skip(first) {
        if out.chars().count() + word.chars().count() > EXCERPT {
            return out + " …";
        }
        if nth > first {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}
