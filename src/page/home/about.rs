//! What stands beside the chosen row of Home.

use super::entry::Entry;
use super::known::{Known, NEXT};
use crate::doc::{Cell, Column, Document, Judged, Role, Row, Rows};
use crate::page::At;
use crate::page::place::Place;
use crate::page::review;
use crate::store::Filter;
use crate::study::attempt::Attempt;
use crate::study::duration;
use crate::study::plan::short;
use crate::study::words::{date, minutes, percent, some};

/// Things of a list that are named; the others are counted.
const NAMED: usize = 6;

/// What there is to say of a row: of a lesson what it holds, of anything else its words in full.
pub fn entry(entry: &Entry, known: &Known, at: &At) -> Option<Document> {
    match (&entry.lesson, &entry.place) {
        (Some((pack, id)), Place::Lesson { .. }) => lesson(*pack, id, known, at),
        (_, place) => {
            let note = note(place)?;
            let text = if entry.text.is_empty() { None } else { Some(entry.text.as_str()) };
            let said = Document::new().title(entry.label);
            let said = text.into_iter().fold(said, Document::words).dim(note);
            Some(match place {
                Place::Skim { pack: 0, lessons } if lessons.len() == 1 => {
                    let why =
                        known.homes.first().map(|home| short::why(home, &lessons[0])).unwrap_or_default();
                    let what = "In short: its problem, and what to say in an interview.";
                    Document::new()
                        .dim(&format!("{what} {why}"))
                        .and(lesson(0, &lessons[0], known, at).unwrap_or_default())
                }
                Place::Review { .. } => said.and(due(at)),
                Place::Drill { pack, id, .. } => said.and(asked(*pack, id, at)),
                Place::Plan => said.and(next_days(known, at, NEXT)),
                Place::Lab { pack, id } => said.and(of_lab(*pack, id, known, at)),
                _ => said,
            })
        }
    }
}

/// What a lab is for, and what else its lesson holds.
fn of_lab(pack: usize, id: &str, known: &Known, at: &At) -> Document {
    let found = at.services.pack(pack).and_then(|of| of.index().lab(id));
    found.and_then(|(of, _)| lesson(pack, &of.id, known, at)).unwrap_or_default()
}

/// What is due, thing by thing; nothing as long as a course was not read, for Home does not wait for that.
fn due(at: &At) -> Document {
    if !at.services.library.packs.iter().all(|pack| at.services.has_read(pack)) {
        return Document::new();
    }
    let titles = review::due(at);
    let row = |text: &String| Row::new([Cell::text("·").role(Role::Dim), Cell::text(text)]).wrapped();
    let more = titles.len().saturating_sub(NAMED);
    let rows = titles.iter().take(NAMED).map(row);
    let rest = (more > 0).then(|| Row::new([Cell::text(format!("{more} more")).role(Role::Dim)]));
    Document::new().rows(Rows::of(rows.chain(rest)))
}

/// The question of a drill, and how it was answered last.
fn asked(pack: usize, id: &str, at: &At) -> Document {
    let Some(prompt) = at.services.pack(pack).and_then(|of| of.prompt(id)) else { return Document::new() };
    let last = last_answer(pack, id, at);
    let said = Document::new().rows(Rows::of([Row::new([Cell::text(prompt).role(Role::Strong)]).wrapped()]));
    match last {
        Some(last) => said.rows(Rows::of([answered(&last, at)])),
        None => said.dim("Not answered yet."),
    }
}

/// The days after today, each with what it asks for, so many at most.
pub fn next_days(known: &Known, at: &At, most: usize) -> Document {
    let Some(pack) = at.services.library.packs.first() else { return Document::new() };
    let rows = known.next.iter().take(most).map(|day| {
        let tasks: Vec<String> = day.tasks.iter().map(|task| task.words(pack).0.to_lowercase()).collect();
        let said = format!("{}: {}: {}", day.date.strftime("%A"), minutes(day.minutes()), tasks.join(", "));
        Row::new([
            Cell::text(day.date.strftime("%a").to_string()).role(Role::Dim),
            Cell::text(minutes(day.minutes())),
            Cell::text(counted(&tasks)).role(Role::Dim),
        ])
        .said(said)
    });
    let columns = vec![Column::words(""), Column::numbers(""), Column::words("")];
    Document::new().rows(Rows { columns, rows: rows.collect() })
}

/// The days after today, each with its tasks.
pub fn each_day(known: &Known, at: &At) -> Document {
    let Some(pack) = at.services.library.packs.first() else { return Document::new() };
    let rows = known.next.iter().flat_map(|day| {
        let head = Cell::text(date(day.date, at.services.today(at.now))).role(Role::Strong);
        let time = Cell::text(format!("   {}", minutes(day.minutes()))).role(Role::Dim);
        let tasks = day.tasks.iter().map(|task| {
            let (label, text) = task.words(pack);
            let label = Cell::text(format!("  {label:<9}")).role(Role::Dim);
            Row::new([label, Cell::text(text)]).wrapped()
        });
        std::iter::once(Row::new([head + time])).chain(tasks.collect::<Vec<_>>())
    });
    Document::new().rows(Rows::of(rows.collect::<Vec<_>>()))
}

/// `review, read × 3, lab`.
fn counted(words: &[String]) -> String {
    let mut out: Vec<(&str, usize)> = Vec::new();
    for word in words {
        match out.iter_mut().find(|(known, _)| known == word) {
            Some((_, count)) => *count += 1,
            None => out.push((word, 1)),
        }
    }
    let words = out.into_iter().map(|(word, n)| if n > 1 { format!("{n} × {word}") } else { word.into() });
    words.collect::<Vec<String>>().join(", ")
}

/// The newest answer to the whole of a drill; none where there is none, or where it cannot be read.
fn last_answer(pack: usize, drill: &str, at: &At) -> Option<Attempt> {
    let pack = at.services.pack(pack)?.id.clone();
    let filter = Filter { pack: Some(pack), drill: Some(drill.into()), whole: true, ..Filter::default() };
    Some(at.services.history(&filter, 1).ok()?.first()?.as_counted())
}

/// How an answer was marked, part by part, and when.
fn answered(attempt: &Attempt, at: &At) -> Row {
    let marks = attempt.marks().map(|part| Cell::mark(part.verdict));
    let total = Cell::text(format!("  {}", percent(attempt.total())));
    let day = date(at.services.today(attempt.at), at.services.today(at.now));
    let said = format!("last answered {day}: {}", percent(attempt.total()));
    Row::new([Cell::text("  ") + Cell::join(marks) + total + Cell::text(format!("  {day}")).role(Role::Dim)])
        .said(said)
}

/// What an answer with this total is called: the steps of the map of lessons and parts.
fn worth(total: f64) -> Judged {
    match total {
        0.9.. => Judged::Covered,
        0.4.. => Judged::Partial,
        _ => Judged::Missing,
    }
}

fn note(place: &Place) -> Option<&'static str> {
    Some(match place {
        Place::Rehearse => "Prompts against the clock, as in an interview, and a report at the end.",
        Place::RehearseWith { .. } => "The plan asks for one today. A report says what limited it.",
        Place::Review { .. } => "Drills, checks and notes come back before you would forget them.",
        Place::Skim { .. } => "One section of each, to be read in one go.",
        Place::Plan => "What to do each day, and what there is no time for.",
        Place::Report { .. } => "Answer by answer, what cost most, and what to read next.",
        Place::Puzzle { .. } => "A goal, the knobs of a simulator, and a par to reach.",
        Place::Drill { only: None, .. } => "Type as you would speak. Every sentence is marked.",
        Place::Drill { .. } => "Just one part of the answer.",
        Place::Checks { .. } => {
            "Short questions. Each answer says why it is right, and why the others are not."
        }
        Place::Sims => {
            "Nine models of what the lessons tell: predict, turn a knob, see why. Below them are puzzles with a par."
        }
        Place::Lab { .. } => "Say what it prints, run it, and compare.",
        _ => return None,
    })
}

/// What a lesson holds, and what of it is done.
fn lesson(pack: usize, id: &str, known: &Known, at: &At) -> Option<Document> {
    let of = at.services.pack(pack)?;
    let lesson = of.index().lesson(id)?;
    let progress = known.lesson(pack, id);
    let home = known.homes.get(pack);
    let read = progress.is_some_and(|p| p.read);
    let left = duration::reading(lesson, progress);
    let (reading, time) = match (read, progress.is_some_and(|p| p.seen > 0.0)) {
        (true, _) => (Judged::Covered, Some(lesson.minutes)),
        (false, seen) => (if seen { Judged::Partial } else { Judged::Untouched }, Some(left)),
    };
    let checks = of.index().checks_of(id).count();
    let right = progress.map_or(0, |p| p.checks);
    let row = |judged: Judged, label: &str, text: &str, time: Option<u32>| {
        Row::new([
            Cell::mark(judged),
            Cell::text(label).role(Role::Dim),
            Cell::text(text),
            Cell::text(time.map(minutes).unwrap_or_default()).role(Role::Dim),
        ])
    };
    let done = |is: bool| if is { Judged::Covered } else { Judged::Untouched };
    let mut rows = vec![row(reading, "read", "the handbook", time)];
    for lab in lesson.labs.iter() {
        let is_done = progress.is_some_and(|p| p.labs.iter().any(|done| *done == *lab.id));
        let begun = home.and_then(|home| home.begun_labs.get(&*lab.id));
        let judged = if begun.is_some() { Judged::Partial } else { done(is_done) };
        let more = begun.map(|begun| format!(", {}", begun.words())).unwrap_or_default();
        rows.push(row(judged, "lab", &format!("{}{more}", lab.title), Some(lab.minutes)));
    }
    if checks > 0 {
        let judged = match usize::try_from(right).unwrap_or(usize::MAX) {
            0 => Judged::Untouched,
            n if n >= checks => Judged::Covered,
            _ => Judged::Partial,
        };
        rows.push(row(judged, "checks", &format!("{right} of {checks} right"), None));
    }
    let columns = vec![Column::words(""), Column::words(""), Column::words(""), Column::numbers("")];
    let all = Document::new().title(&lesson.title).words(&lesson.summary).rows(Rows { columns, rows });
    let drills: Vec<_> = of.index().drills_of(id).collect();
    if drills.is_empty() {
        return Some(all);
    }
    let mut rows = Vec::new();
    for drill in &drills {
        let is_answered = home.is_some_and(|h| h.answered.contains_key(&*drill.id));
        let last = if is_answered { last_answer(pack, &drill.id, at) } else { None };
        let mark = Cell::mark(last.as_ref().map_or(Judged::Untouched, |last| worth(last.total()))).said("");
        rows.push(Row::new([mark, Cell::text(of.prompt(&drill.id).unwrap_or_default())]).wrapped());
        rows.extend(last.map(|last| answered(&last, at)));
    }
    let time = minutes(drills.iter().map(|drill| drill.minutes).sum());
    Some(all.title(&format!("{}, {time}", some(drills.len(), "drill"))).rows(Rows::of(rows)))
}
