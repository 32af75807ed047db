//! What a review works through: a round over all packs, and the cards as they stand.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::pack::{Lesson, Pack};
use crate::page::At;
pub use crate::study::round::Cards;
use crate::study::round::Round;
use crate::study::schedule::{Card, Grade, Item, ItemKind, is_known};
use crate::study::{note, thing};

/// What is worked through.
#[derive(Debug, Clone, Default)]
pub struct Run {
    round: Round,
    cards: BTreeMap<(usize, Item), Card>,
    /// How each thing that was done was asked, in the order of what was done.
    how: Vec<How>,
    /// What was left for another time, and not answered in this run.
    later: usize,
    /// Whether what it asks is due, and not only asked ahead of that.
    is_due: bool,
}

/// How a thing was asked, and what its marks said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct How {
    /// What its values were drawn from; none where nothing is drawn.
    pub seed: Option<u64>,
    /// Its grade by its marks, whatever the learner said; none where it has no marks.
    pub marks: Option<Grade>,
}

impl How {
    /// Whether it is a check that was answered wrong; of a drill the learner may know better than its marks.
    pub fn is_wrong(self) -> bool {
        self.seed.is_some() && self.marks == Some(Grade::Again)
    }
}

impl Run {
    /// What is due today, and in some days ahead.
    pub fn due(cards: &Cards, days: u32, at: &At) -> Self {
        let (packs, schedule) = (&at.services.library.packs, &at.services.schedule);
        Self { is_due: days == 0, ..Self::of(Round::due(packs, cards, schedule, (at.now, days)), cards) }
    }

    /// What would be forgotten first, due or not: by the day of the interview, where it is near.
    pub fn ahead(cards: &Cards, interview: Option<Timestamp>, at: &At) -> Self {
        let (packs, schedule) = (&at.services.library.packs, &at.services.schedule);
        Self::of(Round::ahead(packs, cards, schedule, (at.now, interview)), cards)
    }

    fn of(round: Round, cards: &Cards) -> Self {
        let known = cards.iter().flat_map(|(i, of)| of.iter().map(|c| (*i, c)));
        let cards = known.map(|(i, c)| ((i, c.item.clone()), c.clone())).collect();
        Self { round, cards, how: Vec::new(), later: 0, is_due: false }
    }

    /// What is on: the index of its pack, and what it is.
    pub fn current(&self) -> Option<(usize, &Item)> {
        self.round.current()
    }

    /// What is remembered of a thing.
    pub fn card(&self, pack: usize, item: &Item) -> Option<&Card> {
        self.cards.get(&(pack, item.clone()))
    }

    /// How many drills, checks and line notes are left that were not answered in this run, what is on included.
    pub fn left(&self) -> [usize; 3] {
        let mut left = [0; 3];
        for (_, item) in self.round.items().filter(|of| !self.was_asked(*of)) {
            left[match item.kind {
                ItemKind::Drill => 0,
                ItemKind::Check => 1,
                ItemKind::Note => 2,
            }] += 1;
        }
        left
    }

    /// How many were missed in this run and come once more.
    pub fn once_more(&self) -> usize {
        self.round.items().filter(|of| self.was_asked(*of)).count()
    }

    fn was_asked(&self, of: (usize, &Item)) -> bool {
        self.round.done().any(|(pack, item, _)| of == (pack, item))
    }

    /// What comes after what is on, in its order.
    pub fn then(&self) -> impl Iterator<Item = (usize, Item)> {
        let is_on = |of: &(usize, &Item)| self.current() == Some(*of);
        self.round.items().filter(move |of| !is_on(of)).map(|(pack, item)| (pack, item.clone()))
    }

    /// What was done, each thing once, as it was answered last: the index of its pack, what it was, how well it was known,
    /// how it was asked.
    pub fn done(&self) -> Vec<(usize, &Item, Grade, How)> {
        // packs come one after the other, so what was done stands in the order in which it was
        let how = self.how.iter().copied().chain(std::iter::repeat(How::default()));
        let mut done: Vec<(usize, &Item, Grade, How)> = Vec::new();
        for ((pack, item, grade), how) in self.round.done().zip(how) {
            match done.iter_mut().find(|one| (one.0, one.1) == (pack, item)) {
                Some(one) => *one = (pack, item, grade, how),
                None => done.push((pack, item, grade, how)),
            }
        }
        done
    }

    /// Takes the grade of what is on, how it was asked, and the card that follows.
    pub fn grade(&mut self, grade: Grade, how: How, card: Option<Card>) {
        let Some((pack, _)) = self.current() else { return };
        self.round.grade(grade);
        self.how.push(how);
        if let Some(card) = card {
            self.cards.insert((pack, card.item.clone()), card);
        }
    }

    /// Leaves what is on for another time.
    pub fn skip(&mut self) {
        let on = self.round.current();
        self.later += usize::from(on.is_some_and(|on| !self.was_asked(on)));
        self.round.skip();
    }

    /// How many things were left for another time, and whether they are due.
    pub fn later(&self) -> (usize, bool) {
        (self.later, self.is_due)
    }
}

/// When the next thing comes that is due after a time, and how many come by the end of that moment.
/// Things that their pack no longer has do not count.
pub fn next(cards: &Cards, at: &At) -> Option<(Timestamp, usize)> {
    let known = |(i, of): (&usize, &Vec<Card>)| {
        let has = |c: &&Card| at.services.pack(*i).is_some_and(|p| is_known(p, &c.item));
        of.iter().filter(has).map(|c| c.due).collect::<Vec<_>>()
    };
    let mut due: Vec<Timestamp> = cards.iter().flat_map(known).collect();
    due.sort_unstable();
    let first = *due.first()?;
    Some((first, due.iter().filter(|at| **at == first).count()))
}

/// What is due today, each thing in one line.
pub fn titles(cards: &Cards, at: &At) -> Vec<String> {
    let round = Run::due(cards, 0, at).round;
    let title = |(pack, item): (usize, &Item)| Some(title(at.services.pack(pack)?, item, None));
    round.items().filter_map(title).collect()
}

/// The lesson that a thing belongs to.
pub fn lesson<'a>(pack: &'a Pack, item: &Item) -> Option<&'a Lesson> {
    match item.kind {
        ItemKind::Drill => pack.lesson(&pack.drill(&item.id)?.lesson),
        ItemKind::Check => pack.lesson(&pack.check(&item.id)?.lesson),
        ItemKind::Note => note::find(pack, &item.id).map(|(lesson, ..)| lesson),
    }
}

/// A thing in one line; a check with what this seed draws, where it was asked already.
pub fn title(pack: &Pack, item: &Item, seed: Option<u64>) -> String {
    let found = match item.kind {
        ItemKind::Drill => pack.drill(&item.id).map(|d| d.prompt.clone()),
        ItemKind::Check => pack.check(&item.id).map(|c| thing::asked_as(pack, c, seed.unwrap_or(0))),
        ItemKind::Note => note::find(pack, &item.id)
            .map(|(_, lab, n)| format!("{}, line {}", lab.starter.path, n.lines.start + 1)),
    };
    found.unwrap_or_else(|| item.id.clone())
}
