//! A learner's days: the dates of the calendar in the learner's time zone.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};

/// A learner's day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Day {
    /// Its date.
    pub date: Date,
    /// When it begins: at midnight, or with the first time that the clocks show on that date.
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
    Day::of(at.to_zoned(zone.clone()).date(), zone)
}

/// The last `count` days up to that of `now`, the oldest first.
pub fn days_until(now: Timestamp, zone: &TimeZone, count: u32) -> Vec<Day> {
    let today = day(now, zone).date;
    (0..i64::from(count))
        .rev()
        .filter_map(|back| today.checked_sub(back.days()).ok())
        .map(|date| Day::of(date, zone))
        .collect()
}

fn begin(date: Date, zone: &TimeZone) -> Timestamp {
    date.to_zoned(zone.clone())
        .and_then(|local| local.start_of_day())
        .map_or(Timestamp::MAX, |local| local.timestamp())
}
