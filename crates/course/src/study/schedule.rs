//! When to see a drill, a check or a line note again.
//!
//! The model is FSRS-6 with its default parameters, through the `fsrs` crate. A review that failed
//! comes back within the day; any other comes back at the start of a later day.

use fsrs::{FSRS, FSRS6_DEFAULT_DECAY, ItemState, MemoryState};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};
use serde::{Deserialize, Serialize};

use super::attempt::Attempt;
use super::day::{Day, day};
use crate::pack::Pack;
use crate::score::Source;
use crate::study::note;

/// The chance of recall at which an item is due.
pub(crate) const RETENTION: f32 = 0.9;

/// How soon a failed item comes back.
pub const RELEARN: SignedDuration = SignedDuration::from_mins(10);

/// The longest interval, in days.
const LONGEST: f32 = 36_500.0;

/// A whole answer with at least this total is known at once and whole.
pub const EASY: f64 = 0.85;
/// A whole answer with at least this total is known.
pub const GOOD: f64 = 0.65;
/// A whole answer with at least this total is known in part.
pub const HARD: f64 = 0.4;

/// What a card is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ItemKind {
    /// A drill.
    Drill,
    /// A check.
    Check,
    /// A line note.
    Note,
}

impl ItemKind {
    /// The word kept in the store and in exports.
    pub fn as_str(self) -> &'static str {
        match self {
            ItemKind::Drill => "drill",
            ItemKind::Check => "check",
            ItemKind::Note => "note",
        }
    }
}

/// What is reviewed: a kind and the id of the thing in its pack.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Item {
    /// The kind.
    pub kind: ItemKind,
    /// The id: a drill's, a check's, or a line note's.
    pub id: String,
}

/// How well something was known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// Not known.
    Again,
    /// Known with effort or in part.
    Hard,
    /// Known.
    Good,
    /// Known at once and whole.
    Easy,
}

impl Grade {
    /// All, the worst first.
    pub const ALL: [Grade; 4] = [Grade::Again, Grade::Hard, Grade::Good, Grade::Easy];

    /// The grade with this number, from 1.
    pub fn numbered(number: u8) -> Option<Grade> {
        Self::ALL.get(usize::from(number).checked_sub(1)?).copied()
    }

    /// The grade in words: how well it was known.
    pub fn words(self) -> &'static str {
        match self {
            Grade::Again => "not known",
            Grade::Hard => "known with effort",
            Grade::Good => "known well",
            Grade::Easy => "known at once",
        }
    }
}

/// What is remembered of an item between reviews.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Card {
    /// What it is about.
    pub item: Item,
    /// Days until the chance of recall falls to nine in ten.
    pub stability: f64,
    /// 1 (easy) to 10 (hard).
    pub difficulty: f64,
    /// When to see it again.
    pub due: Timestamp,
    /// When it was last seen.
    pub last: Timestamp,
    /// Reviews in all.
    pub reps: u32,
    /// Times it was forgotten.
    pub lapses: u32,
}

/// One review, as it is logged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Review {
    /// The card after the review; `last` is the time of the review.
    pub card: Card,
    /// The grade that counted.
    pub grade: Grade,
    /// The grade that the marks gave, where a person overruled it.
    pub overruled: Option<Grade>,
}

/// The grade of an attempt at a whole drill. None for an answer to one part alone.
///
/// A total of [`EASY`] and up is easy, [`GOOD`] good, [`HARD`] hard, less is again. A misconception
/// makes it hard at best; an answer that is a word list, a copy, off the topic or too short is again.
pub fn grade_attempt(attempt: &Attempt) -> Option<Grade> {
    if attempt.part.is_some() {
        return None;
    }
    // an instructor who marks an answer has read it, whatever it looks like
    let is_read = attempt.marks().any(|p| p.source == Source::Instructor);
    if !attempt.score.flags.is_empty() && !is_read {
        return Some(Grade::Again);
    }
    let by_marks = match attempt.total() {
        t if t >= EASY => Grade::Easy,
        t if t >= GOOD => Grade::Good,
        t if t >= HARD => Grade::Hard,
        _ => Grade::Again,
    };
    let best = if attempt.score.misconceptions.is_empty() { Grade::Easy } else { Grade::Hard };
    Some(by_marks.min(best))
}

/// The grade of an answer to a check: wrong is again, right with hints hard, right good.
pub fn grade_check(right: bool, hints: u32) -> Grade {
    match (right, hints) {
        (false, _) => Grade::Again,
        (true, 0) => Grade::Good,
        (true, _) => Grade::Hard,
    }
}

/// The schedule of a learner whose days begin in this time zone.
#[derive(Debug, Clone)]
pub struct Schedule {
    zone: TimeZone,
}

impl Schedule {
    /// A schedule for the days of a time zone.
    pub fn new(zone: TimeZone) -> Self {
        Schedule { zone }
    }

    /// The review of an item that was graded now. `card` is what was remembered of it.
    pub fn review(&self, item: &Item, card: Option<&Card>, grade: Grade, now: Timestamp) -> Review {
        let card = card.filter(|c| c.stability.is_finite() && c.difficulty.is_finite());
        let days = card.map_or(0, |c| self.days_since(c.last, now));
        let next = next_state(card, days, grade);
        let of = |grade| whole_days(next_state(card, days, grade).interval);
        // a better grade is never worth nothing: hard gives way where it comes to as many days as good
        let (good, hard) = (of(Grade::Good), of(Grade::Hard));
        let hard = hard.min((good - 1.0).max(1.0));
        let good = good.max(hard + 1.0);
        let interval = match grade {
            Grade::Again => next.interval,
            Grade::Hard => hard,
            Grade::Good => good,
            Grade::Easy => of(Grade::Easy).max(good + 1.0),
        };
        let forgot = card.is_some() && grade == Grade::Again;
        let card = Card {
            item: item.clone(),
            stability: next.memory.stability.into(),
            difficulty: next.memory.difficulty.into(),
            due: self.due(grade, interval, now),
            last: now,
            reps: card.map_or(0, |c| c.reps).saturating_add(1),
            lapses: card.map_or(0, |c| c.lapses).saturating_add(forgot.into()),
        };
        Review { card, grade, overruled: None }
    }

    /// The card that a log of grades leads to, the oldest first. None for an empty log.
    pub fn replay(&self, item: &Item, log: &[(Timestamp, Grade)]) -> Option<Card> {
        log.iter().fold(None, |card, (at, grade)| Some(self.review(item, card.as_ref(), *grade, *at).card))
    }

    /// When an item would come next under each grade given now, the worst grade first.
    pub fn outlook(&self, item: &Item, card: Option<&Card>, now: Timestamp) -> [Timestamp; 4] {
        Grade::ALL.map(|grade| self.review(item, card, grade, now).card.due)
    }

    /// When an item would come next if the last grade of its log were another, the worst first.
    /// None for an empty log.
    pub fn outlook_again(&self, item: &Item, log: &[(Timestamp, Grade)]) -> Option<[Timestamp; 4]> {
        let ((last, _), before) = log.split_last()?;
        let card = self.replay(item, before);
        Some(self.outlook(item, card.as_ref(), *last))
    }

    /// The cards that are due until the end of today, the one most likely forgotten first.
    pub fn due_today<'a>(&self, cards: &'a [Card], now: Timestamp) -> Vec<&'a Card> {
        let end = day(now, &self.zone).end;
        self.forgotten_first(cards.iter().filter(|c| c.due < end), now)
    }

    /// All cards in the order in which they would be forgotten at a later time: what to see ahead
    /// of an interview.
    pub fn cram<'a>(&self, cards: &'a [Card], until: Timestamp) -> Vec<&'a Card> {
        self.forgotten_first(cards.iter(), until)
    }

    /// The chance that an item is known at a time, 0 to 1.
    pub fn recall(&self, card: &Card, at: Timestamp) -> f64 {
        let days = self.days_since(card.last, at);
        #[allow(clippy::cast_precision_loss)] // days of a lifetime are exact
        f64::from(fsrs::current_retrievability(memory(card), days as f32, FSRS6_DEFAULT_DECAY))
    }

    fn forgotten_first<'a>(&self, cards: impl Iterator<Item = &'a Card>, at: Timestamp) -> Vec<&'a Card> {
        let mut found: Vec<_> = cards.map(|c| (self.recall(c, at), c)).collect();
        found.sort_by(|(a, x), (b, y)| a.total_cmp(b).then_with(|| x.item.cmp(&y.item)));
        found.into_iter().map(|(_, card)| card).collect()
    }

    /// Whole days between two times, by the learner's days. 0 where the clock was set back.
    fn days_since(&self, last: Timestamp, now: Timestamp) -> u32 {
        let (from, to) = (day(last, &self.zone).date, day(now, &self.zone).date);
        u32::try_from((to - from).get_days()).unwrap_or(0)
    }

    fn due(&self, grade: Grade, interval: f32, now: Timestamp) -> Timestamp {
        if grade == Grade::Again {
            return now.checked_add(RELEARN).unwrap_or(Timestamp::MAX);
        }
        #[allow(clippy::cast_possible_truncation)] // at most LONGEST
        let days = whole_days(interval) as i64;
        let today = day(now, &self.zone).date;
        today.checked_add(days.days()).map_or(Timestamp::MAX, |date| Day::of(date, &self.zone).start)
    }
}

/// An interval in days, as it is kept.
fn whole_days(interval: f32) -> f32 {
    interval.round().clamp(1.0, LONGEST)
}

/// Whether a pack still has the thing that a card is about.
pub fn is_known(pack: &Pack, item: &Item) -> bool {
    match item.kind {
        ItemKind::Drill => pack.drill(&item.id).is_some(),
        ItemKind::Check => pack.check(&item.id).is_some(),
        ItemKind::Note => note::find(pack, &item.id).is_some(),
    }
}

fn memory(card: &Card) -> MemoryState {
    #[allow(clippy::cast_possible_truncation)] // the model counts in f32
    MemoryState { stability: card.stability as f32, difficulty: card.difficulty as f32 }
}

fn next_state(card: Option<&Card>, days: u32, grade: Grade) -> ItemState {
    let states = FSRS::default()
        .next_states(card.map(memory), RETENTION, days)
        .or_else(|_| FSRS::default().next_states(None, RETENTION, 0))
        .expect("a new card has next states");
    match grade {
        Grade::Again => states.again,
        Grade::Hard => states.hard,
        Grade::Good => states.good,
        Grade::Easy => states.easy,
    }
}
