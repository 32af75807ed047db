//! What stands beside the chosen row of Home.

use super::entry::{self, Entry};
use super::known::Known;
use crate::doc::{Cell, Column, Document, Judged, Role, Row, Rows};
use crate::page::At;
use crate::page::place::Place;
use crate::study::words::minutes;

/// What there is to say of a row: of a lesson what it holds, of anything else its words in full.
pub fn entry(entry: &Entry, known: &Known, at: &At) -> Option<Document> {
    match (&entry.lesson, &entry.place) {
        (Some((pack, id)), Place::Lesson { .. }) => lesson(*pack, id, known, at),
        (_, place) => {
            let note = note(place)?;
            let text = if entry.text.is_empty() { None } else { Some(entry.text.as_str()) };
            let said = Document::new().title(entry.label);
            Some(text.into_iter().fold(said, Document::words).dim(note))
        }
    }
}

fn note(place: &Place) -> Option<&'static str> {
    Some(match place {
        Place::Rehearse => "Prompts against the clock, as in an interview, and a report at the end.",
        Place::RehearseWith { .. } => "The plan asks for one today. A report says what limited it.",
        Place::Review { .. } => "Drills, checks and notes come back before you would forget them.",
        Place::Plan => "What to do each day, and what there is no time for.",
        Place::Report { .. } => "Answer by answer, what cost most, and what to read next.",
        Place::Puzzle { .. } => "A goal, the knobs of a simulator, and a par to reach.",
        Place::Drill { only: None, .. } => "Type as you would speak. Every sentence is marked.",
        Place::Drill { .. } => "Just one part of the answer.",
        Place::Lab { .. } => "Say what it prints before you run it.",
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
    let mut rows = vec![row(done(read), "read", "the handbook", Some(lesson.minutes))];
    for lab in lesson.labs.iter() {
        let is_done = progress.is_some_and(|p| p.labs.iter().any(|done| *done == *lab.id));
        rows.push(row(done(is_done), "lab", &lab.title, Some(lab.minutes)));
    }
    if checks > 0 {
        let judged = match usize::try_from(right).unwrap_or(usize::MAX) {
            0 => Judged::Untouched,
            n if n >= checks => Judged::Covered,
            _ => Judged::Partial,
        };
        rows.push(row(judged, "checks", &format!("{right} of {checks} right"), None));
    }
    for inside in entry::inside((pack, of), lesson).iter().filter(|e| matches!(e.place, Place::Drill { .. }))
    {
        let Place::Drill { id, .. } = &inside.place else { continue };
        let answered = home.is_some_and(|h| h.answered.contains_key(id));
        rows.push(row(done(answered), "drill", &inside.text, inside.minutes));
    }
    let columns = vec![Column::words(""), Column::words(""), Column::words(""), Column::numbers("")];
    Some(Document::new().title(&lesson.title).words(&lesson.summary).rows(Rows { columns, rows }))
}
