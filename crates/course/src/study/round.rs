//! A review of several packs: a session for each, one pack after the other.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};

use super::schedule::{Card, Grade, Item, Schedule};
use super::session::{AHEAD, Session};
use crate::pack::Pack;

/// The cards of each pack, by its index.
pub type Cards = BTreeMap<usize, Vec<Card>>;

/// Sessions of several packs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Round {
    sessions: Vec<(usize, Session)>,
}

impl Round {
    /// What is due until the end of today, and in some days ahead; packs without cards are left out.
    pub fn due(packs: &[Pack], cards: &Cards, schedule: &Schedule, (now, days): (Timestamp, u32)) -> Self {
        let ahead = SignedDuration::from_hours(24 * i64::from(days));
        let until = now.checked_add(ahead).unwrap_or(Timestamp::MAX);
        Self::of(packs, cards, |pack, cards| Session::due(pack, cards, schedule, until))
    }

    /// What would be forgotten first, due or not: by the interview, where one is ahead, else within a
    /// week.
    pub fn ahead(
        packs: &[Pack],
        cards: &Cards,
        schedule: &Schedule,
        (now, interview): (Timestamp, Option<Timestamp>),
    ) -> Self {
        let week = now.checked_add(AHEAD.0).unwrap_or(Timestamp::MAX);
        let until = interview.filter(|at| *at > now).unwrap_or(week);
        Self::of(packs, cards, |pack, cards| Session::cram(pack, cards, schedule, (until, AHEAD.1)))
    }

    fn of(packs: &[Pack], cards: &Cards, session: impl Fn(&Pack, &[Card]) -> Session) -> Self {
        let sessions = packs.iter().enumerate();
        let sessions = sessions.filter_map(|(i, pack)| Some((i, session(pack, cards.get(&i)?))));
        Self { sessions: sessions.collect() }
    }

    /// What is on: the index of its pack, and what it is. None when all is done.
    pub fn current(&self) -> Option<(usize, &Item)> {
        self.sessions.iter().find_map(|(pack, session)| Some((*pack, session.current()?)))
    }

    /// What is left, the one that is on first: the index of its pack, and what it is.
    pub fn items(&self) -> impl Iterator<Item = (usize, &Item)> {
        self.sessions.iter().flat_map(|(pack, s)| s.items().map(|item| (*pack, item)))
    }

    /// What was done: the index of its pack, what it was, how well it was known.
    pub fn done(&self) -> impl Iterator<Item = (usize, &Item, Grade)> {
        self.sessions.iter().flat_map(|(pack, s)| s.done().iter().map(|(item, grade)| (*pack, item, *grade)))
    }

    /// Takes the grade of what is on.
    pub fn grade(&mut self, grade: Grade) {
        if let Some(session) = self.on() {
            session.grade(grade);
        }
    }

    /// Leaves what is on for another time.
    pub fn skip(&mut self) {
        if let Some(session) = self.on() {
            session.skip();
        }
    }

    fn on(&mut self) -> Option<&mut Session> {
        let mut sessions = self.sessions.iter_mut().map(|(_, s)| s);
        sessions.find(|s| s.current().is_some())
    }
}
