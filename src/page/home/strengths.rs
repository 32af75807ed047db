//! How strong the learner is in each part of an answer.

use super::about;
use super::known::Known;
use crate::doc::{Cell, Column, Document, Judged, Role, Row as Cells, Rows};
use crate::pack::Pack;
use crate::page::At;
use crate::page::view::{Row, View};
use crate::study::day::days_until;
use crate::study::done::{Doings, OfLesson};
use crate::study::next;
use crate::study::strength::{Strengths, Trend};
use crate::study::words::{date, percent, some};

/// Columns of a bar.
const BAR: u16 = 12;
/// A part: its title, and the strength in it over all lessons, if it was ever asked.
pub type Part = (String, Option<f64>, i8);

/// Days after today that the side tells of.
const DAYS: usize = 3;

/// The parts of a course, in their order.
pub fn of(pack: &Pack, known: &Known) -> Vec<Part> {
    let strengths = known.homes.first().map(|home| &home.strengths);
    let strength = |id: &str| strengths.and_then(|all| all.part(id));
    let way = |id: &str| strengths.map_or(0, |all| way(all, id));
    pack.parts.iter().map(|part| (part.title.clone(), strength(&part.id), way(&part.id))).collect()
}

/// Whether a part rises (1) in more lessons than it falls (-1) in.
fn way(all: &Strengths, part: &str) -> i8 {
    let ways = all.cells.iter().filter(|c| c.part == part).map(|cell| match cell.trend() {
        Some(Trend::Up) => 1,
        Some(Trend::Down) => -1,
        Some(Trend::Steady) | None => 0,
    });
    i8::try_from(ways.sum::<i32>().signum()).unwrap_or(0)
}

/// The parts with a bar each, and the next days: for the side.
pub fn side(parts: &[Part], known: &Known, at: &At) -> View {
    beside(parts, known, false, at)
}

/// The parts in a sentence for the ear; nothing before the first answer.
pub fn sentence(parts: &[Part], known: &Known) -> Option<String> {
    let asked = parts.iter().filter_map(|(title, strength, _)| Some((title, (*strength)?)));
    let asked: Vec<String> = asked.map(|(title, share)| format!("{title} {}", percent(share))).collect();
    (!asked.is_empty()).then(|| {
        format!(
            "{}, as the rules marked you, without what you ticked; newer answers count more: {}.",
            heading(known),
            asked.join(", ")
        )
    })
}

/// The same with each task of the next days, where there are rows for it.
pub fn tall_side(parts: &[Part], known: &Known, at: &At) -> Document {
    beside(parts, known, true, at).body
}

fn beside(parts: &[Part], known: &Known, at_length: bool, at: &At) -> View {
    let heading = heading(known);
    let weakest = at.services.library.packs.first().zip(known.homes.first());
    let weakest = weakest.and_then(|(pack, home)| next::weakest_part(pack, home)).map(|part| &part.title);
    let rows = parts.iter().map(|(title, strength, way)| {
        let row = Row::plain().cell(Cell::text(title));
        let Some(share) = strength else {
            return row.cell(Cell::text("not yet").role(Role::Dim)).cell(Cell::text("")).cell(Cell::text(""));
        };
        let words = match way {
            _ if weakest == Some(title) => "weakest",
            1 => "rising",
            -1 => "falling",
            _ => "",
        };
        row.cell(Cell::meter(*share, BAR)).cell(Cell::percent(*share)).cell(Cell::text(words).role(Role::Dim))
    });
    let columns = [Column::words(""), Column::words(""), Column::numbers(""), Column::words("")];
    let view = match is_asked(parts) {
        true => View::new().title(&heading).table(columns.to_vec(), rows).list([two_weeks(known)]),
        // before the first answer there is nothing to say of parts
        false => course_so_far(known, at, at_length),
    };
    let days = match at_length {
        false => about::next_days(known, at, DAYS),
        true => about::each_day(known, at),
    };
    if days.is_empty() { view } else { view.title("The next days").with(|body| body.and(days)) }
}

/// How much of the first course is done, kind by kind; where there is room, what there is to play with.
fn course_so_far(known: &Known, at: &At, at_length: bool) -> View {
    let Some(lessons) = lessons(known, at) else { return View::new() };
    let all = lessons.into_iter().fold(OfLesson::default(), OfLesson::and);
    let kinds = [
        ("Lessons read", all.read),
        ("Labs done", all.labs),
        ("Checks right", all.checks),
        ("Puzzles at par", all.puzzles),
    ];
    let rows = kinds.into_iter().filter(|(_, share)| share.of > 0).map(|(name, share)| {
        let row = Row::plain().cell(Cell::text(name));
        let count = Cell::text(format!("{} of {}", share.done, share.of));
        row.cell(Cell::meter(share.done as f64 / share.of as f64, BAR)).cell(count)
    });
    let columns = vec![Column::words(""), Column::words(""), Column::numbers("")];
    let view = View::new().title("So far").table(columns, rows);
    if !at_length {
        return view;
    }
    let sims = crate::sim::KINDS.iter().flat_map(|kind| {
        let name = Row::plain().cell(Cell::text(kind.title).role(Role::Strong));
        [name, Row::plain().cell(Cell::text(kind.brief).role(Role::Dim)).wrapped()]
    });
    view.title("To play with: s").list(sims)
}

/// What was done of each lesson of the first course.
fn lessons(known: &Known, at: &At) -> Option<Vec<OfLesson>> {
    let (pack, home) = (at.services.library.packs.first()?, known.homes.first()?);
    let best = known.puzzles.first();
    Some(OfLesson::of_course(pack.index(), home, |puzzle| Some(best?.get(puzzle)?.best)))
}

/// Days of which a high screen says what was done.
const LAST: u32 = 14;

/// What was done day by day, for a high screen: nothing once there are answers, which stand there then.
pub fn lately(parts: &[Part], at: &At) -> Document {
    let days = days_until(at.now, &at.services.zone, LAST);
    let packs = at.services.library.packs.iter();
    let all: Vec<Vec<Doings>> =
        packs.filter_map(|pack| at.services.store.doings(&pack.id, &days).ok()).collect();
    if is_asked(parts) || all.is_empty() {
        return Document::new();
    }
    let today = at.services.today(at.now);
    let rows = days.iter().enumerate().rev().filter_map(|(nth, day)| {
        let done = all.iter().filter_map(|of| of.get(nth)).fold(Doings::default(), |sum, day| sum.and(*day));
        let cells = [Cell::text(date(day.date, today)).role(Role::Dim), Cell::text(done.words())];
        (done.things() > 0).then(|| Cells::new(cells))
    });
    let rows: Vec<Cells> = rows.collect();
    if rows.is_empty() { Document::new() } else { Document::new().title("Lately").rows(Rows::of(rows)) }
}

/// Whether any part was ever asked for.
fn is_asked(parts: &[Part]) -> bool {
    parts.iter().any(|(_, strength, _)| strength.is_some())
}

/// What was done of the first course: `2 lessons read, 1 lab, 11 checks right`; nothing where nothing was.
fn so_far(known: &Known, at: &At) -> Option<String> {
    let done = lessons(known, at)?.into_iter().fold(OfLesson::default(), OfLesson::and).done();
    (!done.is_empty()).then(|| done.join(", "))
}

/// `Your parts, 12 answers`.
fn heading(known: &Known) -> String {
    match known.homes.first().map_or(0, |home| home.attempts) {
        0 => "Your parts".to_owned(),
        n => format!("Your parts, {}", some(usize::try_from(n).unwrap_or(usize::MAX), "answer")),
    }
}

/// Minutes of answering, day by day, the last one today.
fn two_weeks(known: &Known) -> Row {
    let most = known.minutes.iter().copied().max().unwrap_or(0).max(1);
    let days = known.minutes.iter().map(|minutes| match minutes {
        0 => Cell::mark(Judged::Untouched),
        some => Cell::trend(&[*some as f64 / most as f64]),
    });
    let days = days.flat_map(|day| [day, Cell::text(" ")]);
    let today = known.minutes.last().copied().unwrap_or(0);
    let words = if today > 0 { format!("{today} today") } else { String::new() };
    let cell = Cell::text("Minutes ").role(Role::Dim) + Cell::join(days) + Cell::text(words).role(Role::Dim);
    let active = known.minutes.iter().filter(|minutes| **minutes > 0).count();
    Row::plain().cell(cell).said(format!("Answers on {active} of the last {} days", known.minutes.len()))
}

/// The parts in one line, where there is no room beside.
pub fn foot(parts: &[Part], known: &Known, at: &At) -> Document {
    if !is_asked(parts) {
        let done = so_far(known, at).map(|done| format!("So far: {done}."));
        return done.iter().fold(Document::new(), |foot, done| foot.dim(done));
    }
    let cell = |(title, strength, _): &Part| {
        let number = strength.map_or("–".into(), |share| format!("{:.0}", share * 100.0));
        Cell::text(format!("{title} ")).role(Role::Dim) + Cell::text(format!("{number}  ")).role(Role::Strong)
    };
    Document::new().rows(Rows::of([Cells::new([Cell::join(parts.iter().map(cell))]).wrapped()]))
}
