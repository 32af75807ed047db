//! The day of an interview as it is typed: a date, so many days from today, a word.

use jiff::ToSpan;
use jiff::civil::{Date, Weekday};

use crate::study::plan::MOST_DAYS;
use crate::study::words;

/// Days from today to the date that stands as an example.
const EXAMPLE: i64 = 12;

/// A date that stands as an example.
pub fn example(today: Date) -> Date {
    today.checked_add(EXAMPLE.days()).unwrap_or(today)
}

/// The day that is typed: `2026-12-05`, `2026-12-5`, `5`, `in 5 days`, `2 weeks`, `tomorrow`, `friday`.
///
/// # Errors
/// Where it is none of them, or over, or further away than a plan looks: the fault and the cure.
pub fn read(text: &str, today: Date) -> Result<Date, String> {
    let cure = format!("write a date like {}, or a number of days from today", example(today));
    let typed = text.trim().to_lowercase();
    let ahead = |days: i64| today.checked_add(days.days()).ok();
    let date = match days(&typed) {
        Some(days) if days > i64::from(MOST_DAYS) => {
            return Err(format!("{days} days are too many, a plan is for {MOST_DAYS} at most; {cure}"));
        }
        Some(days) => ahead(days),
        None => match typed.as_str() {
            "today" => Some(today),
            "tomorrow" => ahead(1),
            word => weekday(word).map_or_else(|| date(word), |weekday| today.nth_weekday(1, weekday).ok()),
        },
    };
    match date {
        Some(date) if date < today => Err(format!("{date} is over, today is {today}; {cure}")),
        Some(date) if (date - today).get_days() > MOST_DAYS => Err(format!(
            "{date} is more than a year away, and a plan is for {MOST_DAYS} days at most; {cure}"
        )),
        Some(date) => Ok(date),
        None => Err(format!("“{text}” is not a day; {cure}")),
    }
}

/// What a typed day means, with so many minutes a day until then: `Saturday 28 November, in 5 days: 5 h at 60 minutes a day`; or why it
/// cannot be read. Nothing where nothing is typed, or where it clears the date.
pub fn meaning(text: &str, today: Date, minutes: u32) -> Option<String> {
    if matches!(text.trim(), "" | "none") {
        return None;
    }
    Some(match read(text, today) {
        Ok(date) => {
            let days = (date - today).get_days().unsigned_abs();
            let year = if date.year() == today.year() { "" } else { " %Y" };
            let day = date.strftime(&format!("%A %-d %B{year}")).to_string();
            match days {
                0 => format!("{day}, that is today"),
                1 => {
                    format!("{day}, that is tomorrow: {} at {minutes} minutes a day", words::minutes(minutes))
                }
                days => {
                    let all = words::minutes(minutes * days);
                    format!("{day}, in {days} days: {all} at {minutes} minutes a day")
                }
            }
        }
        // the cure stands above
        Err(fault) => fault.split_once("; ").map_or(fault.clone(), |(why, _)| why.to_owned()),
    })
}

/// Numbers that are typed as words; the first of them is one.
const NUMBERS: [&str; 12] =
    ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

/// `5`, `in 5 days`, `2 weeks`, `in five days`, `a week`.
fn days(typed: &str) -> Option<i64> {
    let typed = typed.strip_prefix("in ").unwrap_or(typed).trim();
    if let Some((word, unit)) = typed.split_once(' ') {
        let number = NUMBERS.iter().position(|number| *number == word).map(|at| at + 1);
        if let Some(number) = number.or(matches!(word, "a" | "an").then_some(1)) {
            return days(&format!("{number} {unit}"));
        }
    }
    let end = typed.find(|c: char| !c.is_ascii_digit()).unwrap_or(typed.len());
    let (number, unit) = typed.split_at(end);
    // more digits than a number holds are too many days all the same
    let number = if number.len() > 9 { i64::from(u32::MAX) } else { number.parse().ok()? };
    match unit.trim() {
        "" | "d" | "day" | "days" => Some(number),
        "w" | "week" | "weeks" => Some(7 * number),
        _ => None,
    }
}

/// `friday`, `fri`, `on friday`.
fn weekday(typed: &str) -> Option<Weekday> {
    let typed = typed.strip_prefix("on ").unwrap_or(typed);
    let typed = typed.strip_prefix("next ").unwrap_or(typed);
    let is_it = |day: &Weekday| {
        let name = format!("{day:?}").to_lowercase();
        typed.len() >= 3 && name.starts_with(typed)
    };
    Weekday::Monday.cycle_forward().take(7).find(is_it)
}

/// `2026-12-05`; its month and day may be of one digit.
fn date(typed: &str) -> Option<Date> {
    let mut numbers = typed.splitn(3, '-');
    let mut next = |least: usize| {
        let number = numbers.next()?;
        let is_number = (least..=4).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit());
        number.parse::<i16>().ok().filter(|_| is_number)
    };
    let (year, month, day) = (next(4)?, next(1)?, next(1)?);
    Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_read_as_people_write_it() {
        let monday = jiff::civil::date(2026, 11, 23);
        let read = |text: &str| read(text, monday).map(|date| date.to_string());
        for text in ["2026-12-05", "2026-12-5", "12", "in 12 days", "12 days", " 12 "] {
            assert_eq!(read(text).as_deref(), Ok("2026-12-05"), "{text}");
        }
        assert_eq!(read("today").as_deref(), Ok("2026-11-23"));
        assert_eq!(read("Tomorrow").as_deref(), Ok("2026-11-24"));
        assert_eq!(read("friday").as_deref(), Ok("2026-11-27"));
        assert_eq!(read("on mon").as_deref(), Ok("2026-11-30"), "today is today");
        assert_eq!(read("in 2 weeks").as_deref(), Ok("2026-12-07"));
        assert_eq!(read("In five days").as_deref(), Ok("2026-11-28"));
        assert_eq!(read("two weeks").as_deref(), Ok("2026-12-07"));
        assert_eq!(read("in a week").as_deref(), Ok("2026-11-30"));
    }

    #[test]
    fn what_is_no_day_is_said_with_the_limit_and_one_example() {
        let monday = jiff::civil::date(2026, 11, 23);
        let fault = |text: &str| read(text, monday).unwrap_err();
        for text in ["gzjj", "2026-13-01", "2026-02-30", "5 apples", "-3", "2026-12", "", "in", "su"] {
            assert!(
                fault(text).contains("is not a day; write a date like 2026-12-05, or a number"),
                "{text}"
            );
        }
        for text in ["99999", "366", "99999999999999999999"] {
            assert!(fault(text).contains("a plan is for 365 at most"), "{text}");
        }
        assert!(fault("2029-01-01").contains("365 days at most"));
        assert!(fault("2026-11-22").starts_with("2026-11-22 is over, today is 2026-11-23"));
    }

    #[test]
    fn what_is_typed_is_told_while_it_is_typed() {
        let monday = jiff::civil::date(2026, 11, 23);
        let said = |text: &str| meaning(text, monday, 60);
        assert_eq!(said("5").as_deref(), Some("Saturday 28 November, in 5 days: 5 h at 60 minutes a day"));
        assert_eq!(
            said("tomorrow").as_deref(),
            Some("Tuesday 24 November, that is tomorrow: 60 min at 60 minutes a day")
        );
        assert_eq!(said("today").as_deref(), Some("Monday 23 November, that is today"));
        assert!(said("60").unwrap().starts_with("Friday 22 January 2027, in 60 days"));
        assert_eq!(said("2026-1").as_deref(), Some("“2026-1” is not a day"));
        assert_eq!(said("2026-11-22").as_deref(), Some("2026-11-22 is over, today is 2026-11-23"));
        assert_eq!((said(""), said("none")), (None, None));
    }
}
