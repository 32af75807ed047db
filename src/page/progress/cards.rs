//! The cards beside the map, in short and at length: how each part goes, own ratings, minutes a day.

use jiff::civil::Weekday;

use super::Progress;
use crate::doc::{Cell, Column, Document, Judged, Role};
use crate::page::view::{Row, View};
use crate::page::{At, history, ratings};
use crate::services::Services;
use crate::study::attempt::Attempt;
use crate::study::day::Day;
use crate::study::home::Activity;
use crate::study::strength::Mark;
use crate::study::words::{date, percent, some};

/// Answers that a curve shows at most, in short and at length.
const CURVE: (usize, usize) = (12, 60);
/// From this many values on a curve is drawn.
const FEWEST: usize = 4;
/// Answers whose mean is the beginning or the end of a curve.
const ENDS: usize = 3;

/// How each part of the first course goes.
pub fn trends(of: &Progress, services: &Services) -> View {
    card(titled("Trend", "first and last 3 answers"), curves(of, services, CURVE.0))
}

/// A card with its rows apart, where there are rows to spare.
pub fn apart(card: View) -> View {
    card.with(Document::apart)
}

/// How each part goes over more answers, and those answers.
pub fn all_trends(of: &Progress, at: &At) -> View {
    if of.attempts.is_empty() {
        return View::new().dim("No answers yet.");
    }
    let rows = of.attempts.iter().map(|attempt| history::row(attempt, 0, at));
    let answers = View::new().table(history::columns(), rows);
    let head = titled("Part by part", "means of the first and the last 3 answers");
    answers.under(card(head, curves(of, at.services, CURVE.1)))
}

/// A title, and in dim words what the card shows.
fn titled(title: &str, of: &str) -> Row {
    let words = Cell::text(title).role(Role::Strong) + Cell::text(format!("  {of}")).role(Role::Dim);
    Row::plain().cell(words.said(format!("{title}, {of}"))).heading()
}

/// A title, and its rows right below it.
fn card(title: Row, rows: impl IntoIterator<Item = Row>) -> View {
    View::new().list(std::iter::once(title).chain(rows))
}

fn curves(of: &Progress, services: &Services, most: usize) -> Vec<Row> {
    let Some(pack) = services.library.packs.first() else { return Vec::new() };
    let answers = of.graded.iter().filter(|a| a.pack == pack.id).take(CURVE.1);
    let mut answers: Vec<&Attempt> = answers.collect();
    answers.reverse();
    let rows = pack.parts.iter().filter_map(|part| {
        // a column for each answer, whether it was asked for this part or not
        let mark = |a: &Attempt| a.marks().find(|m| m.part == part.id).map(|m| Mark::of(a, m).score);
        let all: Vec<Option<f64>> = answers.iter().map(|a| mark(a)).collect();
        // in short and at length the same ends are told
        let marks: Vec<f64> = all.iter().copied().flatten().collect();
        let newest = &all[all.len().saturating_sub(most)..];
        let row = Row::plain().cell(Cell::text(&part.title));
        if marks.len() < FEWEST {
            let words = format!("{} over {}", percent(mean(&marks)?), some(marks.len(), "answer"));
            return Some(row.cell(Cell::text(words).role(Role::Dim)));
        }
        let ends = (mean(&marks[..ENDS])?, mean(&marks[marks.len() - ENDS..])?);
        let number = |share: f64| format!("{:.0}", share * 100.0);
        let words = format!("{:>3} to {:>3}", number(ends.0), number(ends.1));
        let said = format!("from {} to {}", percent(ends.0), percent(ends.1));
        let column = |mark: &Option<f64>| match mark {
            Some(mark) => Cell::trend(&[*mark]),
            None => Cell::mark(Judged::Untouched).said(""),
        };
        let curve = Cell::join(newest.iter().map(column));
        Some(row.cell(curve.said("")).cell(Cell::text(words).said(said)))
    });
    rows.collect()
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// How far own ratings are off: drawn part by part once there are enough, said before that.
pub fn ratings(of: &Progress, services: &Services) -> View {
    let rated = of.rated.iter().map(Vec::len).sum::<usize>();
    if rated == 0 {
        let none = Row::plain().cell(Cell::text(ratings::NONE).role(Role::Dim)).wrapped();
        let none = none.said(ratings::NONE_HEARD);
        return card(titled("Own rating", "against the marks"), [none]);
    }
    let packs = services.library.packs.iter().zip(&of.rated);
    if rated >= ratings::FEWEST {
        // of answers that were rated as a whole alone there is nothing to draw part by part
        let rows: Vec<Row> = packs.clone().flat_map(|(pack, rated)| ratings::dots(rated, pack)).collect();
        if !rows.is_empty() {
            return card(ratings::legend("Own rating"), rows);
        }
    }
    let texts = packs.flat_map(|(pack, rated)| ratings::sentences(rated, pack));
    let wrapped = |text: String, role| Row::plain().cell(Cell::text(text).role(role)).wrapped();
    let rows = texts.map(|text| wrapped(text, Role::Text));
    let more = ratings::FEWEST.saturating_sub(rated);
    let text = match more {
        0 => "Rate an answer part by part, and each part is drawn.".to_owned(),
        more => format!("It is drawn once there are {} rated answers: {more} more.", ratings::FEWEST),
    };
    card(titled("Own rating", "against the marks"), rows.chain([wrapped(text, Role::Dim)]))
}

/// Minutes of answering: a row for each day of the week, a column for each week.
pub fn activity(days: &[(Day, Activity)]) -> View {
    let all: u32 = days.iter().map(|(_, day)| day.minutes()).sum();
    let head = titled("Activity", &format!("{all} min in 4 weeks"));
    let most = days.iter().map(|(_, day)| day.minutes()).max().unwrap_or(0).max(1);
    let row = |weekday: Weekday| {
        let mut of = days.iter().filter(|(day, _)| day.date.weekday() == weekday);
        let cells = of.clone().map(|(_, day)| {
            let mark = match day.minutes() {
                0 => Cell::mark(Judged::Untouched),
                some => Cell::trend(&[f64::from(some) / f64::from(most)]),
            };
            mark + Cell::text(" ")
        });
        let newest = of.next_back().map_or(0, |(_, day)| day.minutes());
        let newest = if newest > 0 { format!("{newest:>3} min") } else { String::new() };
        let name = format!("{weekday:?}").chars().take(3).collect::<String>();
        Row::plain().cell(Cell::text(name).role(Role::Dim)).cell(Cell::join(cells)).cell(Cell::text(newest))
    };
    let rows = Weekday::Monday.cycle_forward().take(7).map(row);
    let active = days.iter().filter(|(_, day)| day.attempts > 0).count();
    let said = format!("{active} of {} days with answers", days.len());
    let rows = rows.enumerate().map(|(at, row)| if at == 0 { row.said(&said) } else { row.said("") });
    card(head, rows)
}

/// What was done day by day, the newest first.
pub fn all_days(days: &[(Day, Activity)]) -> View {
    let most = days.iter().map(|(_, day)| day.minutes()).max().unwrap_or(0).max(1);
    let Some(today) = days.last().map(|(day, _)| day.date) else { return View::new() };
    let rows = days.iter().rev().filter(|(_, done)| done.attempts > 0).map(|(day, done)| {
        let answers = usize::try_from(done.attempts).unwrap_or(usize::MAX);
        let date = date(day.date, today);
        let row = Row::plain().cell(Cell::text(date).role(Role::Dim));
        row.cell(Cell::meter(f64::from(done.minutes()) / f64::from(most), 30))
            .cell(Cell::text(format!("{} min", done.minutes())))
            .cell(Cell::text(some(answers, "answer")).role(Role::Dim))
    });
    let columns = vec![Column::words(""), Column::words(""), Column::numbers(""), Column::words("")];
    let active = days.iter().filter(|(_, done)| done.attempts > 0).count();
    let head = titled("Day by day", &format!("answers on {active} of {} days", days.len()));
    View::new().table(columns, rows.collect::<Vec<_>>()).under(card(head, []))
}
