//! Finding things by typed words: by name, then by what their texts say, then by words that are nearly the
//! same.
//!
//! With many packs there are a hundred thousand things. Names are folded once, when a pack is read; of what is found only
//! the best are put in order; what takes long, to read texts and to count slips, is done in steps.

use std::sync::Arc;

use super::thing::{Kind, Thing};
use words::{Asked, EXACT, excerpt};

pub use catalogue::Catalogue;

mod catalogue;
mod words;

/// How a thing was found. What is named so comes before what speaks of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum How {
    /// Its name has the words.
    Name,
    /// What it teaches has the words in its name.
    Teaches,
    /// Its text has the words, here.
    Text(String),
    /// Its name has words that differ by a typing slip.
    Slip,
}

/// A thing that was found, by its number among the things.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The number of the thing.
    pub thing: usize,
    /// How it was found.
    pub how: How,
}

/// A thing that fits, before it has its place: they come in the order of the fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Hit {
    class: Class,
    key: u64,
    thing: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Name,
    Teaches,
    /// A question that has the words.
    Question,
    Text,
    Slip,
}

/// What is still to be looked at, from the thing with this number on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Stage {
    /// Of the names that may fit.
    Names(usize),
    Texts(usize),
    Slips(usize),
    #[default]
    Done,
}

/// The things of one pack, or those that the program itself brings.
#[derive(Debug)]
struct Group {
    pack: Option<usize>,
    catalogue: Arc<Catalogue>,
    /// The number of its first thing.
    start: usize,
}

/// Things with their texts, and what of them fits the typed words.
#[derive(Debug, Default)]
pub struct Finder {
    groups: Vec<Group>,
    count: usize,
    /// Their texts without markup, and the same in small letters; of the first things, as far as they were needed.
    texts: Vec<(String, String)>,
    asked: Option<Asked>,
    stage: Stage,
    /// The things whose names or lessons may fit; all where there is none.
    pool: Option<Vec<usize>>,
    hits: Vec<Hit>,
    is_hit: Vec<bool>,
    found: Vec<Found>,
}

/// Words shorter than this are looked for in names alone.
const IN_TEXTS: usize = 3;

/// What a step may cost, in texts that are looked through; and what it costs to make a text, and to count the slips of a
/// name: about as many times as long.
pub const STEP: usize = 2_004;
const MAKE: usize = 12;
const SLIPS: usize = 12;
/// The things whose names a step looks at.
const NAMES: usize = 12_000;

impl Finder {
    /// A finder over the things of some packs, each with its index; none for what the program itself brings.
    pub fn new(groups: impl IntoIterator<Item = (Option<usize>, Arc<Catalogue>)>) -> Self {
        let mut finder = Finder::default();
        for (pack, catalogue) in groups {
            let start = finder.count;
            finder.count += catalogue.things().len();
            finder.groups.push(Group { pack, catalogue, start });
        }
        finder
    }

    /// A thing by its number, and the index of its pack.
    pub fn thing(&self, at: usize) -> (Option<usize>, &Thing) {
        let group = self.group(at);
        (group.pack, &group.catalogue.things()[at - group.start])
    }

    fn group(&self, at: usize) -> &Group {
        &self.groups[self.groups.partition_point(|group| group.start <= at) - 1]
    }

    /// What was found so far, best first; so many at most as were asked for.
    pub fn found(&self) -> &[Found] {
        &self.found
    }

    /// How many were found so far.
    pub fn count(&self) -> usize {
        if self.asked.is_some() { self.hits.len() } else { self.found.len() }
    }

    /// Whether there is more to look at.
    pub fn is_looking(&self) -> bool {
        self.stage != Stage::Done
    }

    /// Looks for what is typed among the names, the first `NAMES` of them, and gives the best of what it finds, so many at
    /// most. Everything fits, in its order, where nothing is typed. What else there is to look at, [`Finder::look_on`] looks
    /// at. Where more of a word was typed, only what fitted before can fit.
    pub fn ask(&mut self, typed: &str, most: usize) {
        let asked = Asked::new(typed);
        let narrows = match (&self.asked, &asked, self.stage) {
            (_, _, Stage::Names(_)) => false,
            (Some(before), Some(asked), _) => asked.narrows(before),
            _ => false,
        };
        let is_named = |hit: &&Hit| matches!(hit.class, Class::Name | Class::Teaches | Class::Question);
        self.pool = narrows.then(|| self.hits.iter().filter(is_named).map(|hit| hit.thing).collect());
        self.hits.clear();
        self.is_hit.clear();
        self.is_hit.resize(self.count, false);
        self.asked = asked;
        self.stage = Stage::Done;
        if typed.trim().is_empty() {
            self.found = (0..self.count.min(most)).map(|thing| Found { thing, how: How::Name }).collect();
            return;
        }
        if self.asked.is_none() {
            self.found.clear();
            return;
        }
        self.look_at_names(0);
        self.put_in_order(most);
    }

    /// Looks at some of the names that may fit, from this one on.
    fn look_at_names(&mut self, from: usize) {
        let count = self.pool.as_ref().map_or(self.count, Vec::len);
        let to = (from + NAMES).min(count);
        for at in from..to {
            let number = self.pool.as_ref().map_or(at, |pool| pool[at]);
            let Some((class, key)) = self.named(number) else { continue };
            self.is_hit[number] = true;
            self.hits.push(Hit { class, key, thing: number });
        }
        self.stage = match &self.asked {
            _ if to < count => Stage::Names(to),
            Some(asked) if asked.has_long_words(IN_TEXTS) => Stage::Texts(0),
            _ => self.after_texts(),
        };
    }

    /// How the name of a thing fits, or what it teaches.
    fn named(&self, number: usize) -> Option<(Class, u64)> {
        let (asked, group) = (self.asked.as_ref()?, self.group(number));
        let (catalogue, at) = (&group.catalogue, number - group.start);
        let thing = &catalogue.things()[at];
        let by_name = asked.rank(catalogue.names(at)).map(|rank| weighed(rank, thing.kind));
        let is_lesson = thing.kind == Kind::Lesson && asked.is_word_of(catalogue.names(at));
        let by_name = by_name.map(|rank| if is_lesson { rank.max(EXACT + NAMED) } else { rank });
        // who types what a thing is means that kind, by its other words where there are some
        let by_kind = asked.rank_in(thing.kind, catalogue.names(at)).map(|rank| KIND + rank);
        let by_lesson = || asked.is_in(catalogue.teaches(at)).then(|| weighed(1, thing.kind));
        let (class, rank) = match by_name.max(by_kind) {
            // who types a few words means what teaches them, before what asks about them
            Some(rank) if rank < KIND && is_question(thing.kind) => (Class::Question, rank),
            Some(rank) => (Class::Name, rank),
            None => (Class::Teaches, by_lesson()?),
        };
        Some((class, by_rank(rank, thing)))
    }

    /// Looks at more things, as far as so much effort goes: see [`STEP`]. `text` gives the text of a thing, without markup.
    pub fn look_on(
        &mut self,
        mut effort: usize,
        most: usize,
        text: impl Fn(Option<usize>, &Thing) -> String,
    ) {
        if !self.is_looking() {
            return;
        }
        while effort > 0 && self.is_looking() {
            let at = match self.stage {
                Stage::Names(at) => {
                    self.look_at_names(at);
                    effort = effort.saturating_sub(STEP);
                    continue;
                }
                Stage::Texts(at) | Stage::Slips(at) => at,
                Stage::Done => 0,
            };
            if at == self.count {
                self.stage =
                    if matches!(self.stage, Stage::Texts(_)) { self.after_texts() } else { Stage::Done };
                continue;
            }
            let cost = match self.stage {
                Stage::Texts(_) => {
                    self.stage = Stage::Texts(at + 1);
                    self.look_into(at, &text)
                }
                Stage::Slips(_) => {
                    self.stage = Stage::Slips(at + 1);
                    self.take(at, Class::Slip, |asked, catalogue, at| asked.rank_slips(catalogue.names(at)));
                    SLIPS
                }
                Stage::Names(_) | Stage::Done => return,
            };
            effort = effort.saturating_sub(cost);
        }
        self.put_in_order(most);
    }

    /// Slips are looked for where nothing else was found.
    fn after_texts(&self) -> Stage {
        if self.hits.is_empty() { Stage::Slips(0) } else { Stage::Done }
    }

    /// Looks into the text of a thing; gives what that costs.
    fn look_into(&mut self, at: usize, text: &impl Fn(Option<usize>, &Thing) -> String) -> usize {
        let cost = if self.texts.len() == at { MAKE } else { 1 };
        if cost == MAKE {
            let (pack, thing) = self.thing(at);
            let text = text(pack, thing);
            let low = text.to_lowercase();
            self.texts.push((text, low));
        }
        let count = self.asked.as_ref().and_then(|asked| asked.count(&self.texts[at].1));
        if let Some(count) = count.filter(|_| !self.is_hit[at]) {
            let kind = self.thing(at).1.kind;
            let key = (kind as u64) << 32 | u64::from(u32::MAX - u32::try_from(count).unwrap_or(u32::MAX));
            self.hits.push(Hit { class: Class::Text, key, thing: at });
        }
        cost
    }

    /// Takes a thing that has a rank.
    fn take(&mut self, at: usize, class: Class, rank: impl Fn(&Asked, &Catalogue, usize) -> Option<u32>) {
        let (Some(asked), group) = (&self.asked, self.group(at)) else { return };
        let thing = &group.catalogue.things()[at - group.start];
        if let Some(rank) = rank(asked, &group.catalogue, at - group.start) {
            self.hits.push(Hit { class, key: by_rank(rank, thing), thing: at });
        }
    }

    /// Puts the best in order. All others are only counted: to sort a hundred thousand takes longer than to find them.
    fn put_in_order(&mut self, most: usize) {
        if most < self.hits.len() {
            self.hits.select_nth_unstable(most);
        }
        let shown = most.min(self.hits.len());
        self.hits[..shown].sort_unstable();
        let how = |hit: &Hit| match hit.class {
            Class::Name | Class::Question => How::Name,
            Class::Teaches => How::Teaches,
            Class::Slip => How::Slip,
            Class::Text => {
                let (text, low) = &self.texts[hit.thing];
                How::Text(excerpt(text, low, self.asked.as_ref().and_then(|asked| asked.first_in(low))))
            }
        };
        self.found = self.hits[..shown].iter().map(|hit| Found { thing: hit.thing, how: how(hit) }).collect();
    }
}

/// What a lesson's name counts more than others, and the questions on it less, where neither is what was typed: who types
/// a word means what teaches it.
const LESSON: u32 = 20;
const QUESTION: u32 = 30;

/// What it counts that a thing is of the kind that was typed: more than words in a name, less than the name itself.
const KIND: u32 = EXACT / 2;

/// What the exact name of a thing counts more than that of a term or a simulator; a lesson with the words in its title stands between.
const OWN: u32 = 20;
const NAMED: u32 = 10;

fn is_question(kind: Kind) -> bool {
    matches!(kind, Kind::Drill | Kind::Puzzle | Kind::Check)
}

fn weighed(rank: u32, kind: Kind) -> u32 {
    match kind {
        // a simulator has a short name beside its title
        Kind::Term | Kind::Sim if rank >= EXACT => rank,
        _ if rank >= EXACT => rank + OWN,
        Kind::Lesson => rank + LESSON,
        Kind::Drill | Kind::Puzzle | Kind::Check => rank.saturating_sub(QUESTION),
        Kind::Term | Kind::Lab | Kind::Page | Kind::Sim => rank,
    }
}

/// The highest rank first whatever they are; of the same rank, what teaches before what asks.
fn by_rank(rank: u32, thing: &Thing) -> u64 {
    u64::from(u32::MAX - rank) << 8 | thing.kind as u64
}

#[cfg(test)]
mod tests;
