//! A learner's days: they begin in the small hours of the learner's time zone.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};

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
    Day::of(if early { date.yesterday().unwrap_or(date) } else { date }, zone)
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
    date.at(DAY_BEGINS, 0, 0, 0).to_zoned(zone.clone()).map_or(Timestamp::MAX, |local| local.timestamp())
}
