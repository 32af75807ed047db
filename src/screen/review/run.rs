//! What a review works through: a session for each pack, and the cards as they stand.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};

use crate::pack::{Lesson, Pack};
use crate::screen::Context;
use crate::study::note;
use crate::study::schedule::{Card, Grade, Item, ItemKind, Schedule, is_known};
use crate::study::session::{AHEAD, Session};

/// The cards of each pack, by its index.
pub type Cards = BTreeMap<usize, Vec<Card>>;

/// What is worked through.
#[derive(Debug, Clone, Default)]
pub struct Run {
    sessions: Vec<(usize, Session)>,
    cards: BTreeMap<(usize, Item), Card>,
}

impl Run {
    /// What is due today, and in some days ahead.
    pub fn due(cards: &Cards, days: u32, context: &Context) -> Self {
        let until = context
            .now
            .checked_add(SignedDuration::from_hours(24 * i64::from(days)))
            .unwrap_or(Timestamp::MAX);
        let schedule = Schedule::new(context.zone.clone());
        Self::of(cards, context, |pack, cards| {
            Session::due(pack, cards, &schedule, until)
        })
    }

    /// What would be forgotten first, due or not: by the day of the interview, where it is near.
    pub fn ahead(cards: &Cards, interview: Option<Timestamp>, context: &Context) -> Self {
        let week = context.now.checked_add(AHEAD.0).unwrap_or(Timestamp::MAX);
        let until = interview.filter(|at| *at > context.now).unwrap_or(week);
        let schedule = Schedule::new(context.zone.clone());
        Self::of(cards, context, |pack, cards| {
            Session::cram(pack, cards, &schedule, (until, AHEAD.1))
        })
    }

    fn of(cards: &Cards, context: &Context, session: impl Fn(&Pack, &[Card]) -> Session) -> Self {
        let packs = context.library.packs.iter().enumerate();
        let sessions = packs.filter_map(|(i, pack)| Some((i, session(pack, cards.get(&i)?))));
        let known = cards.iter().flat_map(|(i, of)| of.iter().map(|c| (*i, c)));
        Self {
            sessions: sessions.collect(),
            cards: known.map(|(i, c)| ((i, c.item.clone()), c.clone())).collect(),
        }
    }

    /// What is on: the index of its pack, and what it is.
    pub fn current(&self) -> Option<(usize, &Item)> {
        self.sessions
            .iter()
            .find_map(|(pack, session)| Some((*pack, session.current()?)))
    }

    /// What is remembered of a thing.
    pub fn card(&self, pack: usize, item: &Item) -> Option<&Card> {
        self.cards.get(&(pack, item.clone()))
    }

    /// How many drills, checks and line notes are left, what is on included.
    pub fn left(&self) -> [usize; 3] {
        let mut left = [0; 3];
        for item in self.sessions.iter().flat_map(|(_, s)| s.items()) {
            left[match item.kind {
                ItemKind::Drill => 0,
                ItemKind::Check => 1,
                ItemKind::Note => 2,
            }] += 1;
        }
        left
    }

    /// What was done: the index of its pack, what it was, how well it was known.
    pub fn done(&self) -> impl Iterator<Item = (usize, &Item, Grade)> {
        self.sessions
            .iter()
            .flat_map(|(pack, s)| s.done().iter().map(|(item, grade)| (*pack, item, *grade)))
    }

    /// Takes the grade of what is on, and the card that follows.
    pub fn grade(&mut self, grade: Grade, card: Option<Card>) {
        let Some((pack, session)) = self.on() else { return };
        session.grade(grade);
        if let Some(card) = card {
            self.cards.insert((pack, card.item.clone()), card);
        }
    }

    /// Leaves what is on for another time.
    pub fn skip(&mut self) {
        if let Some((_, session)) = self.on() {
            session.skip();
        }
    }

    fn on(&mut self) -> Option<(usize, &mut Session)> {
        let found = self.sessions.iter_mut().find(|(_, s)| s.current().is_some());
        found.map(|(pack, session)| (*pack, session))
    }
}

/// When the next thing comes that is due after a time, and how many come by the end of that moment.
/// Things that their pack no longer has do not count.
pub fn next(cards: &Cards, context: &Context) -> Option<(Timestamp, usize)> {
    let known = |(i, of): (&usize, &Vec<Card>)| {
        let pack = context.library.packs.get(*i);
        let has = |c: &&Card| pack.is_some_and(|p| is_known(p, &c.item));
        of.iter().filter(has).map(|c| c.due).collect::<Vec<_>>()
    };
    let mut due: Vec<Timestamp> = cards.iter().flat_map(known).collect();
    due.sort_unstable();
    let first = *due.first()?;
    Some((first, due.iter().filter(|at| **at == first).count()))
}

/// The lesson that a thing belongs to.
pub fn lesson<'a>(pack: &'a Pack, item: &Item) -> Option<&'a Lesson> {
    match item.kind {
        ItemKind::Drill => pack.lesson(&pack.drill(&item.id)?.lesson),
        ItemKind::Check => pack.lesson(&pack.check(&item.id)?.lesson),
        ItemKind::Note => note::find(pack, &item.id).map(|(lesson, ..)| lesson),
    }
}

/// A thing in one line, as its author wrote it.
pub fn title(pack: &Pack, item: &Item) -> String {
    let found = match item.kind {
        ItemKind::Drill => pack.drill(&item.id).map(|d| d.prompt.clone()),
        ItemKind::Check => pack.check(&item.id).map(|c| c.question.clone()),
        ItemKind::Note => note::find(pack, &item.id)
            .map(|(_, lab, n)| format!("{}, line {}", lab.starter.path, n.lines.start + 1)),
    };
    found.unwrap_or_else(|| item.id.clone())
}
