//! When to see a drill, a check or a line note again.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan, Zoned};
use serde::{Deserialize, Serialize};

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

/// The hour at which a learner's day begins: an evening that runs past midnight is one day.
pub const DAY_BEGINS: i8 = 4;

/// A learner's day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Day {
    /// Its date.
    pub date: Date,
    /// When it begins: at [`DAY_BEGINS`] local time.
    pub start: Timestamp,
    /// When the next one begins.
    pub end: Timestamp,
}

impl Day {
    /// The day of a date.
    pub fn of(date: Date, zone: &TimeZone) -> Self {
        let start = begin(date, zone);
        let end = date.tomorrow().map_or(Timestamp::MAX, |next| begin(next, zone));
        Day { date, start, end }
    }
}

/// The day that a time falls in.
pub fn day(at: Timestamp, zone: &TimeZone) -> Day {
    let local = at.to_zoned(zone.clone());
    let date = local.date();
    let early = local.hour() < DAY_BEGINS;
    Day::of(
        if early {
            date.yesterday().unwrap_or(date)
        } else {
            date
        },
        zone,
    )
}

/// The last `count` days up to that of `now`, the oldest first.
pub fn days_until(now: &Zoned, count: u32) -> Vec<Day> {
    let today = day(now.timestamp(), now.time_zone()).date;
    (0..i64::from(count))
        .rev()
        .filter_map(|back| today.checked_sub(back.days()).ok())
        .map(|date| Day::of(date, now.time_zone()))
        .collect()
}

fn begin(date: Date, zone: &TimeZone) -> Timestamp {
    date.at(DAY_BEGINS, 0, 0, 0)
        .to_zoned(zone.clone())
        .map_or(Timestamp::MAX, |local| local.timestamp())
}
