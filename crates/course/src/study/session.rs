//! Working through what is due: one thing after another, the failed ones once more at the end.

use std::collections::VecDeque;

use jiff::{SignedDuration, Timestamp};

use super::schedule::{Card, Grade, Item, ItemKind, Schedule, is_known};
use crate::pack::Pack;

/// How far ahead somebody looks who works ahead of what is due, and how many things at most.
pub const AHEAD: (SignedDuration, usize) = (SignedDuration::from_hours(7 * 24), 10);

/// A run through some cards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    left: VecDeque<Item>,
    again: Vec<Item>,
    done: Vec<(Item, Grade)>,
}

impl Session {
    /// What is due until the end of today, the most forgotten first.
    pub fn due(pack: &Pack, cards: &[Card], schedule: &Schedule, now: Timestamp) -> Self {
        Session::of(pack, schedule.due_today(cards, now))
    }

    /// At most `most` cards in the order in which they would be forgotten at a later time, due or
    /// not: what to see ahead of an interview.
    pub fn cram(pack: &Pack, cards: &[Card], schedule: &Schedule, (until, most): (Timestamp, usize)) -> Self {
        let mut session = Session::of(pack, schedule.cram(cards, until));
        session.left.truncate(most);
        session
    }

    fn of(pack: &Pack, cards: Vec<&Card>) -> Self {
        let known = cards.into_iter().map(|c| &c.item).filter(|item| is_known(pack, item));
        Session { left: known.cloned().collect(), again: Vec::new(), done: Vec::new() }
    }

    /// What to do now. None when all is done.
    pub fn current(&self) -> Option<&Item> {
        self.left.front()
    }

    /// Takes the grade of what was done. A check or a line note that failed comes once more at the
    /// end, where something else comes before that; a drill does not, for it takes minutes.
    pub fn grade(&mut self, grade: Grade) {
        let Some(item) = self.left.pop_front() else { return };
        let once_more = grade == Grade::Again
            && item.kind != ItemKind::Drill
            && !self.left.is_empty()
            && !self.again.contains(&item);
        if once_more {
            self.again.push(item.clone());
            self.left.push_back(item.clone());
        }
        self.done.push((item, grade));
    }

    /// Leaves what is on for another time.
    pub fn skip(&mut self) {
        self.left.pop_front();
    }

    /// What is left, the one that is on first.
    pub fn items(&self) -> impl Iterator<Item = &Item> {
        self.left.iter()
    }

    /// How many are left, the one that is on included.
    pub fn left(&self) -> usize {
        self.left.len()
    }

    /// What was done, in order, each with its grade.
    pub fn done(&self) -> &[(Item, Grade)] {
        &self.done
    }
}
