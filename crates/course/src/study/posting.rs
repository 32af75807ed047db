//! What a job description asks for, in the words of a course: which terms, phrases and lesson titles stand in it,
//! and how much each lesson weighs by them. The text itself is not kept.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::pack::Pack;

mod everyday;
mod terms;

/// The bytes of a job description that are read; a long one has a fiftieth of that.
pub const MOST: usize = 256 * 1024;
/// A thing that is named more often than this weighs no more.
const OFTEN: u32 = 3;
/// Words of the longest phrase that is looked for.
const LONGEST: usize = 8;
/// Acronyms up to this length are found as they are written alone: `ZeRO` is not `zero`, `SHARP` not `sharp`.
const SHORT: usize = 5;
/// A concept that the rubrics of more lessons use tells none of them from the others.
const SPREAD: usize = 3;
/// An everyday word counts where so many things are named that are surely of the course.
const FIELD: usize = 4;
/// Words that look like terms and are not known that are kept at most.
const UNKNOWN: usize = 8;
/// Letters from which on a word that is none of everyday language is one of the trade.
const TRADE: usize = 5;

/// What a job description asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Posting {
    /// How many words it has.
    pub words: usize,
    /// How many of them belong to what was found; 0 where that was not counted.
    #[serde(default)]
    pub named: usize,
    /// What was found in it, in the order of first mention.
    pub found: Vec<Found>,
    /// Words that look like terms and that no course knows, in the order of first mention; so many at most.
    #[serde(default)]
    pub unknown: Vec<String>,
}

/// Something of a course that stands in a job description.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// The pack's id.
    pub pack: String,
    /// How the course calls it.
    pub name: String,
    /// The ids of the lessons that teach it or ask for it.
    pub lessons: Vec<String>,
    /// How often it stands there.
    pub times: u32,
    /// The words as they stand there first; empty where that was not kept.
    #[serde(default)]
    pub written: String,
}

impl Found {
    /// The words as they stand in the description.
    pub fn words(&self) -> &str {
        if self.written.is_empty() { &self.name } else { &self.written }
    }
}

/// Why a text is not taken for a job description.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// It holds more than [`MOST`] bytes.
    Long,
    /// It is no text.
    Binary,
    /// Nothing stands in it.
    Empty,
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Refused::Long => write!(
                f,
                "is too long: a job description may hold {} KB; copy the part that names what the job asks for",
                MOST / 1024
            ),
            Refused::Binary => {
                write!(f, "is not text; copy the words of the job description into a text file")
            }
            Refused::Empty => write!(f, "is empty; it should hold the words of the job description"),
        }
    }
}

/// The text that some bytes are.
///
/// # Errors
/// Where they are too many, no UTF-8, hold what no text holds, or are blank.
pub fn text(bytes: &[u8]) -> Result<&str, Refused> {
    if bytes.len() > MOST {
        return Err(Refused::Long);
    }
    let text = std::str::from_utf8(bytes).map_err(|_| Refused::Binary)?;
    if text.contains('\0') || text.starts_with("%PDF") {
        return Err(Refused::Binary);
    }
    if text.trim().is_empty() { Err(Refused::Empty) } else { Ok(text) }
}

impl Posting {
    /// What a text asks for, in the words of these courses.
    pub fn read(text: &str, packs: &[Pack]) -> Self {
        let spelled: Vec<&str> = tokens(text).collect();
        let folded: Vec<String> = spelled.iter().map(|word| fold(word)).collect();
        let mut found: Vec<(usize, Found)> = Vec::new();
        let mut named: BTreeSet<usize> = BTreeSet::new();
        for pack in packs {
            let (of, places) = Phrases::of(pack).find(&spelled, &folded);
            let of = of.into_iter().map(|(first, found)| {
                let written = between(text, &spelled[first.clone()]);
                (first.start, Found { written, ..found })
            });
            found.extend(of);
            named.extend(places);
        }
        found.sort_by_key(|(first, _)| *first);
        let words = crate::score::count_words(text);
        Posting {
            words,
            named: named.len().min(words),
            found: found.into_iter().map(|(_, found)| found).collect(),
            unknown: terms::unknown(text, &spelled, &named, (packs, UNKNOWN)),
        }
    }

    /// What is asked for of one pack.
    pub fn of(&self, pack: &str) -> Self {
        let found = self.found.iter().filter(|f| f.pack == pack).cloned();
        Posting { found: found.collect(), ..self.clone() }
    }

    /// Whether it asks for nothing.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// How much it asks for a lesson: how often its terms stand there, each counted three times at most.
    pub fn weight(&self, lesson: &str) -> u32 {
        let named = self.found.iter().filter(|f| f.lessons.iter().any(|l| l == lesson));
        named.map(|f| f.times.min(OFTEN)).sum()
    }

    /// The weight of a lesson as a share of the heaviest one's; 0 where nothing is asked for.
    pub fn share(&self, lesson: &str) -> f64 {
        match (self.weight(lesson), self.lessons().first()) {
            (weight, Some((_, most))) => f64::from(weight) / f64::from(*most),
            (_, None) => 0.0,
        }
    }

    /// The lessons that it asks for with their weights, the heaviest first.
    pub fn lessons(&self) -> Vec<(String, u32)> {
        let ids: BTreeSet<&String> = self.found.iter().flat_map(|f| &f.lessons).collect();
        let mut all: Vec<(String, u32)> = ids.into_iter().map(|id| (id.clone(), self.weight(id))).collect();
        all.sort_by_key(|(_, weight)| std::cmp::Reverse(*weight));
        all
    }

    /// How many of the things that it asks for a text names.
    pub(crate) fn named_in(&self, text: &str) -> usize {
        if self.is_empty() {
            return 0;
        }
        let words = format!(" {} ", joined(text));
        self.found.iter().filter(|f| words.contains(&format!(" {} ", joined(&f.name)))).count()
    }

    /// What it asks for of a lesson.
    pub fn terms<'a>(&'a self, lesson: &'a str) -> impl Iterator<Item = &'a Found> {
        self.found.iter().filter(move |f| f.lessons.iter().any(|l| l == lesson))
    }
}

/// How a phrase has to be written to be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Written {
    /// In any case.
    Anyhow,
    /// As it is spelled.
    AsSpelled,
    /// In any case, and only among other things of the course: everyday words that are a term.
    Plainly,
    /// As it is spelled, and only among other things of the course: acronyms of two letters.
    AsSpelledPlainly,
    /// Not where it stands alone: a word that any job description uses in its plain sense.
    Never,
}

impl Written {
    fn is_exact(self) -> bool {
        matches!(self, Written::AsSpelled | Written::AsSpelledPlainly)
    }

    fn is_plain(self) -> bool {
        matches!(self, Written::Plainly | Written::AsSpelledPlainly)
    }
}

/// The phrases of a pack.
struct Phrases<'a> {
    pack: &'a Pack,
    /// What can be found: its name, and the lessons it belongs to.
    things: Vec<(String, Vec<String>)>,
    /// What stands for it, folded and joined by blanks: the thing, how it is written, how it is spelled.
    phrases: HashMap<String, (usize, Written, String)>,
}

impl<'a> Phrases<'a> {
    fn of(pack: &'a Pack) -> Self {
        let mut all = Phrases { pack, things: Vec::new(), phrases: HashMap::new() };
        for term in &pack.terms {
            let thing = all.thing(&term.name, term.lesson.iter().cloned().collect());
            all.add(thing, &term.name);
            term.aliases.iter().for_each(|alias| all.add(thing, alias));
        }
        for lesson in &pack.lessons {
            for piece in lesson.title.split([':', ',']).flat_map(|piece| piece.split(" and ")) {
                let piece = piece.trim();
                if !written(piece).is_plain() {
                    let thing = all.thing(piece, vec![lesson.id.clone()]);
                    all.add(thing, piece);
                }
            }
        }
        all.add_words_of_jobs();
        all.add_concepts();
        all
    }

    /// The words that lessons say jobs use for them; several may use the same.
    fn add_words_of_jobs(&mut self) {
        let mut all: Vec<(String, &str, Vec<String>)> = Vec::new();
        for lesson in &self.pack.lessons {
            for phrase in &lesson.job {
                let key = joined(phrase);
                match all.iter_mut().find(|(known, ..)| *known == key) {
                    Some((.., lessons)) => lessons.push(lesson.id.clone()),
                    None => all.push((key, phrase, vec![lesson.id.clone()])),
                }
            }
        }
        for (_, phrase, lessons) in all {
            let thing = self.thing(phrase, lessons);
            // several words are no accident
            let how = match tokens(phrase).count() {
                1 if written(phrase) == Written::Anyhow => Written::Plainly,
                1 => written(phrase),
                _ => Written::Anyhow,
            };
            self.add_written(thing, phrase, how);
        }
    }

    /// The phrases of concepts that few lessons ask for. Single words of a concept are too loose to be found alone.
    fn add_concepts(&mut self) {
        let users = users(self.pack);
        for concept in &self.pack.vocabulary.concepts {
            let Some(lessons) = users.get(&*concept.id).filter(|l| l.len() <= SPREAD) else { continue };
            let lessons: Vec<String> = lessons.iter().map(|l| (*l).to_owned()).collect();
            let is_phrase = |w: &&String| w.contains(' ') && !w.contains(['@', '#', '*']);
            let phrases = concept.words.iter().filter(is_phrase).filter(|w| !written(w).is_plain());
            for phrase in phrases {
                let thing = self.thing(phrase, lessons.clone());
                self.add(thing, phrase);
            }
        }
    }

    fn thing(&mut self, name: &str, lessons: Vec<String>) -> usize {
        self.things.push((name.to_owned(), lessons));
        self.things.len() - 1
    }

    /// What was added first keeps its phrase: a term before a title, a title before a concept.
    fn add(&mut self, thing: usize, phrase: &str) {
        self.add_written(thing, phrase, written(phrase));
    }

    fn add_written(&mut self, thing: usize, phrase: &str, how: Written) {
        let key = joined(phrase);
        let count = key.split(' ').count();
        if how != Written::Never && !key.is_empty() && count <= LONGEST {
            let entry = (thing, how, tokens(phrase).collect::<Vec<_>>().join(" "));
            // `all-reduce` is written in one word too
            if count == 2 && !self.phrases.contains_key(&key.replace(' ', "")) {
                self.phrases.insert(key.replace(' ', ""), entry.clone());
            }
            self.phrases.entry(key).or_insert(entry);
        }
    }

    /// What stands in a text, with the words of its first mention; and the places of the words that name it.
    fn find(&self, spelled: &[&str], folded: &[String]) -> (Vec<(Range<usize>, Found)>, Vec<usize>) {
        let mut hits: BTreeMap<usize, Hit> = BTreeMap::new();
        let mut at = 0;
        while at < folded.len() {
            let Some((thing, length, plain)) = self.at(spelled, folded, at) else {
                at += 1;
                continue;
            };
            let mut count = |thing: usize, plain: bool, places: Range<usize>| {
                let hit = hits.entry(thing).or_insert(Hit {
                    times: 0,
                    plain: true,
                    first: places.clone(),
                    places: Vec::new(),
                });
                hit.times += 1;
                hit.plain &= plain;
                hit.places.extend(places);
            };
            count(thing, plain, at..at + length);
            if length == 2 {
                for (thing, place) in self.listed(folded, at) {
                    count(thing, false, place..place + 1);
                }
            }
            at += length;
        }
        let sure: Vec<usize> = hits.iter().filter(|(_, hit)| !hit.plain).map(|(thing, _)| *thing).collect();
        let lessons: BTreeSet<&String> = sure.iter().flat_map(|thing| &self.things[*thing].1).collect();
        let is_field = sure.len() >= FIELD;
        hits.retain(|thing, hit| {
            !hit.plain || is_field || self.things[*thing].1.iter().any(|l| lessons.contains(l))
        });
        let places = hits.values().flat_map(|hit| &hit.places).copied().collect();
        let found = hits.into_iter().map(|(thing, hit)| {
            let (name, lessons) = self.things[thing].clone();
            let (pack, written) = (self.pack.id.clone(), String::new());
            (hit.first, Found { pack, name, lessons, times: hit.times, written })
        });
        (found.collect(), places)
    }

    /// What stands before a phrase of two words and shares its second one: `tensor` and `data` in `data, tensor and
    /// pipeline parallelism`.
    fn listed(&self, folded: &[String], at: usize) -> Vec<(usize, usize)> {
        let noun = &folded[at + 1];
        let before = folded[..at].iter().enumerate().rev();
        let before = before.filter(|(_, word)| !matches!(word.as_str(), "and" | "or"));
        let known = |(place, word): (usize, &String)| {
            self.phrases.get(&format!("{word} {noun}")).map(|(thing, ..)| (*thing, place))
        };
        before.map_while(known).collect()
    }

    /// The longest phrase that begins here: the thing, how many words it has, whether it is an everyday word.
    fn at(&self, spelled: &[&str], folded: &[String], at: usize) -> Option<(usize, usize, bool)> {
        let mut key = String::new();
        let mut best = None;
        for length in 1..=LONGEST.min(folded.len() - at) {
            if length > 1 {
                key.push(' ');
            }
            key.push_str(&folded[at + length - 1]);
            let Some((thing, written, spelling)) = self.phrases.get(&key) else { continue };
            let is_so =
                !written.is_exact() || singular(&spelled[at..at + length].join(" ")) == singular(spelling);
            if is_so {
                best = Some((*thing, length, written.is_plain()));
            }
        }
        // `checkpointing` is about checkpoints
        let doing = || folded[at].strip_suffix("ing").and_then(|word| self.phrases.get(word));
        let exact = |of: &&(usize, Written, String)| !of.1.is_exact();
        best.or_else(|| doing().filter(exact).map(|(thing, written, _)| (*thing, 1, written.is_plain())))
    }
}

/// Where something stands in a text.
struct Hit {
    times: u32,
    /// Whether only everyday words stand for it.
    plain: bool,
    /// The words of its first mention.
    first: Range<usize>,
    /// The places of its words.
    places: Vec<usize>,
}

/// Which lessons' rubrics use each concept.
fn users(pack: &Pack) -> HashMap<&str, BTreeSet<&str>> {
    let mut users: HashMap<&str, BTreeSet<&str>> = HashMap::new();
    for drill in &pack.drills {
        for pattern in drill.rubric.points.iter().flat_map(|p| p.matches.iter().chain(&p.partial)) {
            for (at, _) in pattern.match_indices('@') {
                let rest = &pattern[at + 1..];
                let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '-')).unwrap_or(rest.len());
                users.entry(&rest[..end]).or_default().insert(&drill.lesson);
            }
        }
    }
    users
}

fn written(phrase: &str) -> Written {
    let all: Vec<&str> = tokens(phrase).collect();
    let [word] = all.as_slice() else {
        // `ramp-up`, `stage 1`, `what comes next`
        let is_everyday = all.iter().all(|word| everyday::is_everyday(&fold(word)));
        return if is_everyday { Written::Plainly } else { Written::Anyhow };
    };
    let inner = word.chars().skip(1).any(char::is_uppercase);
    let length = word.chars().count();
    let has_digit = word.chars().any(|c| c.is_ascii_digit());
    let is_word = word.chars().all(char::is_alphabetic);
    let folded = fold(word);
    match inner && !has_digit {
        true if length < 3 => Written::AsSpelledPlainly,
        true if length <= SHORT => Written::AsSpelled,
        false if everyday::is_plain(&folded) => Written::Never,
        false if is_word && (length < TRADE || everyday::is_everyday(&folded)) => Written::Plainly,
        _ => Written::Anyhow,
    }
}

/// What stands in a text from the first of some of its words to the last, in one line.
fn between(text: &str, words: &[&str]) -> String {
    let place = |word: &str| (word.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return String::new() };
    let found = text.get(place(first)..place(last) + last.len()).unwrap_or_default();
    found.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Runs of letters and digits.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Small letters, and no plural.
fn fold(word: &str) -> String {
    singular(&word.to_lowercase()).to_owned()
}

fn singular(word: &str) -> &str {
    match word.strip_suffix('s') {
        Some(bare) if bare.chars().count() > 2 && !bare.ends_with('s') => bare,
        _ => word,
    }
}

fn joined(text: &str) -> String {
    tokens(text).map(fold).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_told_from_what_is_none() {
        assert_eq!(text(b"We train."), Ok("We train."));
        assert_eq!(text(b"  \n"), Err(Refused::Empty));
        for binary in [&b"\xff\xfe"[..], b"a\0b", b"%PDF-1.7"] {
            assert_eq!(text(binary), Err(Refused::Binary));
        }
        assert_eq!(text(&vec![b'a'; MOST + 1]), Err(Refused::Long));
    }

    #[test]
    fn words_are_named_as_they_stand_in_the_text() {
        let text = "Debug\n  all-reduce stalls.";
        let words: Vec<&str> = tokens(text).collect();
        assert_eq!(between(text, &words[1..3]), "all-reduce");
        assert_eq!(between(text, &words[..3]), "Debug all-reduce");
        assert_eq!(between(text, &[]), "");
    }

    #[test]
    fn how_a_phrase_is_written_decides_how_it_is_found() {
        for never in ["expert", "Stage", "rings"] {
            assert_eq!(written(never), Written::Never, "{never}");
        }
        for plain in ["bubble", "checkpoints", "stage 1", "ramp-up", "what comes next", "slow stage"] {
            assert_eq!(written(plain), Written::Plainly, "{plain}");
        }
        assert_eq!(written("AR"), Written::AsSpelledPlainly);
        for exact in ["ZeRO", "FSDP", "SHARP"] {
            assert_eq!(written(exact), Written::AsSpelled, "{exact}");
        }
        for any in ["InfiniBand", "1F1B", "reduce-scatter", "straggler", "goodput", "topology"] {
            assert_eq!(written(any), Written::Anyhow, "{any}");
        }
        assert_eq!(joined("All-Reduces, of GPUs"), "all reduce of gpu");
    }
}
