//! The coming weeks as a calendar, below the date that is typed.

use jiff::civil::{Date, Weekday};
use jiff::{Span, ToSpan};

use super::day;
use crate::doc::{Cell, Document, Role, Row, Rows};
use crate::page::key::{Code, Key};
use crate::study::plan::MOST_DAYS;

/// Weeks that are shown.
const WEEKS: i64 = 6;

/// What is typed once an arrow key has moved the day: the day beside it, or a week away.
pub fn moved(text: &str, key: Key, today: Date) -> Option<Date> {
    let by: Span = match key.code {
        _ if key.ctrl || key.alt || key.shift => return None,
        Code::Left => (-1).days(),
        Code::Right => 1.days(),
        Code::Up => (-7).days(),
        Code::Down => 7.days(),
        _ => return None,
    };
    // what is no day is mended with the caret
    let from = if text.trim().is_empty() { today } else { day::read(text, today).ok()? };
    let last = today.checked_add(MOST_DAYS.days()).ok()?;
    Some(from.checked_add(by).ok()?.clamp(today, last))
}

/// The weeks from today on, each a row, with the day that is typed among them.
pub fn weeks(text: &str, today: Date) -> Option<Document> {
    let chosen = day::read(text, today).ok();
    let monday = |date: Date| {
        let days = i64::from(date.weekday().since(Weekday::Monday));
        date.checked_sub(days.days()).ok()
    };
    let first = monday(today)?;
    // a day further away has its week at the end
    let last = monday(chosen.unwrap_or(today))?.checked_sub((7 * (WEEKS - 1)).days()).ok()?;
    let begin = first.max(last);
    let head = Cell::text(format!("{:<10}{}", "", " Mon  Tue  Wed  Thu  Fri  Sat  Sun")).role(Role::Dim);
    let mut rows = vec![Row::new([head])];
    for week in 0..WEEKS {
        let days: Vec<Date> =
            (0..7).filter_map(|day| begin.checked_add((7 * week + day).days()).ok()).collect();
        // the month stands where it begins, and at the first row
        let named = match week {
            0 => Some(begin.max(today)),
            _ => days.iter().copied().find(|day| day.day() == 1),
        };
        let name = named.map(|day| day.strftime("%B").to_string()).unwrap_or_default();
        let mut line = Cell::text(format!("{name:<10}")).role(Role::Dim);
        for day in days {
            let number = day.day();
            let (text, role) = match day {
                day if Some(day) == chosen => (format!("[{number:>2}] "), Role::Strong),
                day if day < today => ("     ".to_owned(), Role::Dim),
                day if day == today => (format!("({number:>2}) "), Role::Text),
                _ => (format!(" {number:>2}  "), Role::Text),
            };
            line = line + Cell::text(text).role(role);
        }
        rows.push(Row::new([line]));
    }
    let key = match chosen {
        Some(day) if day == today => "[ ] the interview, today   arrows move it",
        Some(_) => "( ) today   [ ] the interview   arrows move it",
        None => "( ) today   arrows choose a day",
    };
    rows.push(Row::new([Cell::text(format!("{:<10}{key}", "")).role(Role::Dim)]));
    Some(Document::new().rows(Rows::of(rows)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    const TUESDAY: Date = date(2026, 11, 24);

    fn lines(text: &str) -> Vec<String> {
        let plain = weeks(text, TUESDAY).expect("weeks").plain(80);
        plain.iter().map(|line| line.trim_end().to_owned()).filter(|line| !line.is_empty()).collect()
    }

    #[test]
    fn the_coming_weeks_have_today_and_the_day_that_is_typed() {
        let shown = lines("5");
        assert!(shown[1].contains("November") && shown[1].contains("(24)") && shown[1].contains("[29]"));
        assert!(!shown[1].contains("23"), "what is over is left out: {shown:?}");
        assert!(shown[2].contains("December") && shown[2].contains(" 1 "), "{shown:?}");
        assert_eq!(shown.iter().filter(|line| line.contains('[')).count(), 2, "the day, and what it means");
        // a day further away is in the last row
        let far = lines("60");
        assert!(far[6].contains("[23]"), "{far:?}");
        assert!(!lines("someday").iter().any(|line| line.contains('[')));
    }

    #[test]
    fn arrows_move_the_day_and_never_into_the_past() {
        let to = |text: &str, code| moved(text, Key::plain(code), TUESDAY).map(|date| date.to_string());
        assert_eq!(to("", Code::Right).as_deref(), Some("2026-11-25"));
        assert_eq!(to("5", Code::Left).as_deref(), Some("2026-11-28"));
        assert_eq!(to("5", Code::Down).as_deref(), Some("2026-12-06"));
        assert_eq!(to("5", Code::Up).as_deref(), Some("2026-11-24"));
        assert_eq!(to("365", Code::Right).as_deref(), Some("2027-11-24"));
        assert_eq!(to("5", Code::Home), None);
        assert_eq!(to("2026-13-09", Code::Left), None, "the caret moves, to mend it");
    }
}
