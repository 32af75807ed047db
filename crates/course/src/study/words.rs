//! Numbers and texts as people read them.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::day::day;
use crate::pack::character::is_forbidden;
use crate::score::{Flag, Verdict};

/// Seconds as `2:05`, from an hour on `1:02:05`.
pub fn clock(seconds: u32) -> String {
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{rest:02}"),
        _ => format!("{hours}:{minutes:02}:{rest:02}"),
    }
}

/// A share of 0 to 1 as `73%`.
pub fn percent(share: f64) -> String {
    let text = format!("{:.0}%", share * 100.0);
    // the sum of no marks is -0.0, and a hair below nothing is nothing
    if text == "-0%" { "0%".into() } else { text }
}

/// So many of something that has a plural in `s`: `1 word`, `2 words`.
pub fn some(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        n => format!("{n} {noun}s"),
    }
}

/// Minutes as `40 min`, from two hours on as `2 h 5 min`.
pub fn minutes(minutes: u32) -> String {
    match (minutes / 60, minutes % 60) {
        (0 | 1, _) => format!("{minutes} min"),
        (hours, 0) => format!("{hours} h"),
        (hours, rest) => format!("{hours} h {rest} min"),
    }
}

/// Words with a capital at their start, as a sentence has it.
pub fn capital(words: &str) -> String {
    // the name of a file is as it is
    if words.split_whitespace().next().is_some_and(|first| first.contains(['/', '\\'])) {
        return words.to_owned();
    }
    let mut chars = words.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// A text without characters that could steer a terminal; line ends and tabs stay.
pub fn clean(text: &str) -> String {
    text.chars().filter(|c| !is_forbidden(*c)).collect()
}

/// A verdict as a word.
pub fn verdict(verdict: Verdict) -> &'static str {
    verdict.name()
}

/// What is wrong with a flagged answer, in a sentence or two.
pub fn flag(flag: Flag) -> &'static str {
    match flag {
        Flag::KeywordList => {
            "This reads like a list of words. Marks are given for statements: say what does what."
        }
        Flag::CopiesPrompt => "Much of this repeats the question. That earns nothing.",
        Flag::OffTopic => "This seems to answer another question.",
        Flag::MostlyDenials => "Nearly every sentence says what is not true. Say what is.",
        Flag::Doubtful => "Several statements are false, so the rest counts one level less.",
        Flag::NotProse => "Most of this is not sentences of an answer, so the marks mean little.",
        Flag::TooShort => "This is too short to judge. A few full sentences are enough.",
    }
}

/// A day as it is written everywhere: `Fri 27 Nov`; with its year where that is another one than today's.
pub fn date(of: Date, today: Date) -> String {
    let year = if of.year() == today.year() { String::new() } else { format!(" {}", of.year()) };
    format!("{}{year}", of.strftime("%a %-d %b"))
}

/// How far ahead a time is, by the days of a time zone: `now`, `in 10 minutes`, `in 3 hours`,
/// `tomorrow`, `in 12 days`, `in 3 months`, `in 2 years`.
pub fn ahead(now: Timestamp, at: Timestamp, zone: &TimeZone) -> String {
    let some = |n: i64, unit: &str| format!("in {n} {unit}{}", if n == 1 { "" } else { "s" });
    let (today, date) = (day(now, zone).date, day(at, zone).date);
    let minutes = at.duration_since(now).as_mins();
    match i64::from((date - today).get_days()) {
        ..=0 if minutes <= 0 => "now".into(),
        ..=0 if minutes < 60 => some(minutes, "minute"),
        ..=0 => some(minutes / 60, "hour"),
        1 if minutes < 60 => some(minutes, "minute"),
        1 => "tomorrow".into(),
        days @ ..60 => some(days, "day"),
        days @ ..730 => some((days * 12 + 182) / 365, "month"),
        days => some(days / 365, "year"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_names_its_year_where_that_is_another() {
        let day = |text: &str| text.parse::<Date>().expect("a date");
        let told = |of| date(day(of), day("2026-01-02"));
        assert_eq!(told("2026-11-27"), "Fri 27 Nov");
        assert_eq!(told("2025-12-31"), "Wed 31 Dec 2025");
    }

    #[test]
    fn a_time_ahead_is_told_in_the_largest_unit_that_fits() {
        let now: Timestamp = "2026-03-02T22:30:00Z".parse().expect("a time");
        let table = [
            ("2026-03-02T22:29:00Z", "now"),
            ("2026-03-02T22:40:00Z", "in 10 minutes"),
            ("2026-03-02T22:31:00Z", "in 1 minute"),
            ("2026-03-02T23:35:00Z", "in 1 hour"),
            ("2026-03-03T00:05:00Z", "tomorrow"),
            ("2026-03-03T04:00:00Z", "tomorrow"),
            ("2026-03-02T23:10:00Z", "in 40 minutes"),
            ("2026-03-03T23:59:00Z", "tomorrow"),
            ("2026-03-04T00:00:00Z", "in 2 days"),
            ("2026-05-31T00:00:00Z", "in 3 months"),
            ("2028-12-31T00:00:00Z", "in 2 years"),
        ];
        for (at, said) in table {
            assert_eq!(ahead(now, at.parse().expect("a time"), &TimeZone::UTC), said, "{at}");
        }
    }
}
