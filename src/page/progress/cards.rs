//! The cards beside the map, in short and at length: how each part goes, own ratings, what was done day by day.

use std::collections::BTreeSet;

use super::{Progress, plot};
use crate::doc::{Cell, Column, Document, Judged, Role};
use crate::pack::Pack;
use crate::page::view::{Row, View};
use crate::page::{At, history, ratings};
use crate::services::Services;
use crate::study::attempt::Attempt;
use crate::study::day::Day;
use crate::study::done::Doings;
use crate::study::strength::{Mark, Trend};
use crate::study::words::{date, percent, some};

/// Answers that a curve shows at most, in short and at length.
const CURVE: (usize, usize) = (12, 60);
/// From this many values on a curve is drawn.
const FEWEST: usize = 4;
/// With fewer no way is told in words: the answers of both ends would overlap or be chance.
const FEWEST_TOLD: usize = 2 * ENDS;
/// Answers whose mean is the beginning or the end of a curve, at most: the two never overlap.
const ENDS: usize = 3;

/// How each part of the first course goes.
pub fn trends(of: &Progress, services: &Services) -> View {
    if whole(of) < FEWEST {
        return card(titled("Trend", &few(whole(of))), []);
    }
    card(titled("Trend", "first answers to last"), curves(of, services, CURVE.0))
}

/// How many answers there are to whole drills: one part answered again tells nothing of the others.
fn whole(of: &Progress) -> usize {
    of.graded.iter().filter(|answer| answer.part.is_none()).count()
}

/// A change below this is none.
const STEADY: f64 = 0.1;

/// Too few answers for a trend, in words.
fn few(answers: usize) -> String {
    format!("{}; from {FEWEST} on it is drawn", some(answers, "answer"))
}

/// A card with its rows apart, where there are rows to spare.
pub fn apart(card: View) -> View {
    card.with(Document::apart)
}

/// How each part goes over more answers, and those answers.
pub fn all_trends(of: &Progress, at: &At) -> View {
    if of.attempts.is_empty() {
        let text = format!(
            "Once you have answered {FEWEST} drills, this card shows how each part changes. `d` on Home asks for one."
        )
        .replace('`', "");
        let view = View::new().words(&text);
        return if of.days.iter().any(|(_, day)| day.things() > 0) {
            all_days(&of.days).under(view)
        } else {
            view
        };
    }
    let rows = of.attempts.iter().map(|attempt| history::row(attempt, 0, at));
    let answers = View::new().table(history::columns(), rows);
    let head = match whole(of) {
        few_answers if few_answers < FEWEST => titled("Part by part", &few(few_answers)),
        _ => {
            let signs =
                Cell::between(0.0, 1.0, 2) + Cell::text(" the first answers, the last").role(Role::Dim);
            let words = Cell::text("Part by part").role(Role::Strong) + Cell::text("  ") + signs;
            let said = "Part by part, means of the first answers and of the last, 3 each at most";
            Row::plain().cell(words.said(said)).heading()
        }
    };
    let parts = card(head, curves(of, at.services, CURVE.1));
    answers.under(View::new().columns([(plot::COLUMNS, plot::whole(of, at.services)), (PARTS, parts)]))
}

/// Columns of the parts beside the plot.
const PARTS: u16 = 46;
/// Columns of the scale on which the beginning and the end of a part stand.
const BETWEEN: u16 = 18;

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
    let answers = answers(of, pack);
    let rows = pack.parts.iter().filter_map(|part| {
        // a column for each answer, whether it was asked for this part or not
        let all: Vec<Option<f64>> = answers.iter().map(|a| mark(a, &part.id)).collect();
        // in short and at length the same ends are told
        let marks: Vec<f64> = all.iter().copied().flatten().collect();
        let newest = &all[all.len().saturating_sub(most)..];
        let row = Row::plain().cell(Cell::text(&part.title));
        if marks.len() < FEWEST {
            let words = format!("{} over {}", percent(mean(&marks)?), some(marks.len(), "answer"));
            return Some(row.cell(Cell::text(words).role(Role::Dim)));
        }
        let ends = ends(&marks)?;
        let number = |share: f64| format!("{:.0}", share * 100.0);
        let words = format!("{:>3} to {:>3}", number(ends.0), number(ends.1));
        let way = match way(ends) {
            Trend::Up => "up",
            Trend::Down => "down",
            Trend::Steady => "about the same",
        };
        let said = format!("{way}, from {} to {}", percent(ends.0), percent(ends.1));
        let column = |mark: &Option<f64>| match mark {
            Some(mark) => Cell::trend(&[*mark]),
            None => Cell::mark(Judged::Untouched).said(""),
        };
        // at length the answers themselves are drawn beside it
        let curve = match most == CURVE.1 {
            true => Cell::between(ends.0, ends.1, BETWEEN),
            false => Cell::join(newest.iter().map(column)),
        };
        Some(row.cell(curve.said("")).cell(Cell::text(words).said(said)))
    });
    rows.collect()
}

/// The answers to a course that curves are drawn of, the oldest first.
fn answers<'a>(of: &'a Progress, pack: &Pack) -> Vec<&'a Attempt> {
    let mut answers: Vec<&Attempt> =
        of.graded.iter().filter(|a| a.pack == pack.id && a.part.is_none()).take(CURVE.1).collect();
    answers.reverse();
    answers
}

/// The mark of a part in an answer, if it was asked for.
fn mark(answer: &Attempt, part: &str) -> Option<f64> {
    answer.marks().find(|m| m.part == part).map(|m| Mark::of(answer, m).score)
}

/// The means of the first and of the last marks, where there are enough.
fn ends(marks: &[f64]) -> Option<(f64, f64)> {
    let each = ENDS.min(marks.len() / 2);
    mean(&marks[..each]).zip(mean(&marks[marks.len() - each..]))
}

/// Which way a part goes, from the mean of its first answers to that of its last.
fn way((first, last): (f64, f64)) -> Trend {
    match last - first {
        by if by > STEADY => Trend::Up,
        by if by < -STEADY => Trend::Down,
        _ => Trend::Steady,
    }
}

/// Which parts go up, which go down, in a sentence each.
pub fn ways(of: &Progress, index: usize, pack: &Pack) -> Vec<String> {
    let answers = answers(of, pack);
    let mut ways: Vec<(&str, Vec<String>)> = Vec::new();
    for part in &pack.parts {
        let marked: Vec<(&str, f64)> =
            answers.iter().filter_map(|a| Some((a.lesson.as_str(), mark(a, &part.id)?))).collect();
        if marked.len() < FEWEST_TOLD {
            continue;
        }
        // what is easy in one lesson is hard in another: only the same lessons can be compared
        let lessons =
            |some: &[(&str, f64)]| some.iter().map(|(l, _)| (*l).to_owned()).collect::<BTreeSet<_>>();
        if lessons(&marked[..ENDS]) != lessons(&marked[marked.len() - ENDS..]) {
            continue;
        }
        let marks: Vec<f64> = marked.iter().map(|(_, mark)| *mark).collect();
        let Some(ends) = ends(&marks) else { continue };
        let figures = format!("{}, {} to {}", part.title, percent(ends.0), percent(ends.1));
        let (lead, named) = match way(ends) {
            Trend::Up => ("Getting better", figures),
            Trend::Down => ("Getting worse", figures),
            Trend::Steady => ("About as at first", part.title.clone()),
        };
        match ways.iter_mut().find(|(known, _)| *known == lead) {
            Some((_, parts)) => parts.push(named),
            None => ways.push((lead, vec![named])),
        }
    }
    if ways.is_empty() {
        let answers =
            of.homes.get(index).map_or(0, |home| usize::try_from(home.attempts).unwrap_or(usize::MAX));
        return vec![format!(
            "No trend yet: that takes {ENDS} first and {ENDS} last answers to the same lessons; so far {}.",
            some(answers, "answer")
        )];
    }
    let told = ways.into_iter().enumerate().map(|(nth, (lead, parts))| {
        let scope =
            if nth == 0 { format!("Over all lessons, {}", lead.to_lowercase()) } else { lead.to_owned() };
        format!("{scope}: {}.", parts.join("; "))
    });
    told.collect()
}

/// On how many days something was done, in words.
pub fn days_in_words(days: &[(Day, Doings)]) -> String {
    let active = days.iter().filter(|(_, day)| day.things() > 0).count();
    format!("Something done on {active} of the last {} days", days.len())
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

/// Days of a row of the calendar.
const WEEK: usize = 7;
/// What the calendar is for.
const WHAT_FOR: &str = "How steady you are: each day with the number of lessons, labs, checks, notes, puzzles and answers you worked on. \
    A little on most days lasts longer than much on one.";

/// What was done in the last weeks: a row for each, a column for each day of the week, and what the highest bar stands for.
pub fn activity(days: &[(Day, Doings)]) -> View {
    let active = days.iter().filter(|(_, day)| day.things() > 0).count();
    let head = titled("Activity", &format!("{active} of {} days", days.len()));
    let said = format!("Something done on {active} of {} days", days.len());
    if active == 0 {
        return card(head, []);
    }
    let most = most(days);
    let letters = days.iter().take(WEEK).map(|(day, _)| format!("{:?} ", day.date.weekday())[..2].to_owned());
    let letters =
        Row::plain().cell(Cell::text("")).cell(Cell::text(spaced(letters)).role(Role::Dim)).said("");
    let week = |week: &[(Day, Doings)]| {
        let cells = week.iter().map(|(_, day)| {
            let count = match day.things() {
                0 => String::new(),
                some => some.min(99).to_string(),
            };
            bar(day, most) + Cell::text(format!("{count:<2} ")).role(Role::Dim)
        });
        let from = week.first().map(|(day, _)| day.date.strftime("%-d %b").to_string()).unwrap_or_default();
        Row::plain().cell(Cell::text(from).role(Role::Dim)).cell(Cell::join(cells)).said("")
    };
    let scale = Row::plain().cell(Cell::text(WHAT_FOR).role(Role::Dim)).wrapped().said("");
    let rows = std::iter::once(letters).chain(days.chunks(WEEK).map(week)).chain([scale]);
    card(head, rows.enumerate().map(|(at, row)| if at == 0 { row.said(&said) } else { row }))
}

/// What was done in the last weeks kind by kind, the bar of each beside that of the most.
pub fn kinds(days: &[(Day, Doings)]) -> View {
    let all = days.iter().fold(Doings::default(), |all, (_, day)| all.and(*day));
    let kinds = [
        ("lessons read in", all.lessons),
        ("labs done", all.labs),
        ("labs begun", all.begun),
        ("checks", all.checks),
        ("line notes", all.notes),
        ("puzzles", all.puzzles),
        ("answers", all.answers),
    ];
    let most = kinds.iter().map(|(_, count)| *count).max().unwrap_or(0).max(1);
    let rows = kinds.into_iter().map(|(name, count)| {
        let row = Row::plain().cell(Cell::text(name).role(Role::Dim));
        row.cell(Cell::meter(count as f64 / most as f64, 16)).cell(Cell::text(count.to_string()))
    });
    let columns = vec![Column::words(""), Column::words(""), Column::numbers("")];
    View::new().title("By kind").table(columns, rows)
}

fn spaced(letters: impl Iterator<Item = String>) -> String {
    letters.map(|two| format!("{two}  ")).collect()
}

fn things(count: u64) -> String {
    some(usize::try_from(count).unwrap_or(usize::MAX), "thing")
}

/// The most things of a day.
fn most(days: &[(Day, Doings)]) -> u64 {
    days.iter().map(|(_, day)| day.things()).max().unwrap_or(0).max(1)
}

/// A day as a bar.
fn bar(day: &Doings, most: u64) -> Cell {
    match day.things() {
        0 => Cell::mark(Judged::Untouched),
        some => Cell::trend(&[some as f64 / most as f64]),
    }
}

/// The calendar, and what was done day by day, the newest first.
pub fn all_days(days: &[(Day, Doings)]) -> View {
    let Some(today) = days.last().map(|(day, _)| day.date) else { return View::new() };
    let most = most(days);
    let done: Vec<_> = days.iter().rev().filter(|(_, day)| day.things() > 0).collect();
    if done.is_empty() {
        let text =
            "Nothing in the last 4 weeks. What you read, run, answer and solve is counted here by day.";
        return View::new().dim(text);
    }
    let rows = done.into_iter().map(|(day, done)| {
        let row = Row::plain().cell(Cell::text(date(day.date, today)).role(Role::Dim));
        row.cell(Cell::meter(done.things() as f64 / most as f64, 16))
            .cell(Cell::text(things(done.things())))
            .cell(Cell::text(done.words()).role(Role::Dim))
    });
    let columns = vec![Column::words(""), Column::words(""), Column::numbers(""), Column::words("")];
    View::new().table(columns, rows.collect::<Vec<_>>()).under(kinds(days).under(activity(days)))
}
