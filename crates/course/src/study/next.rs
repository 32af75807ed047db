//! What to do next: where to go on, what is due, what is weakest.

use std::cmp::Reverse;

use jiff::Timestamp;

use super::home::{Draft, Due, Home, LessonProgress, Position};
use super::strength::{Cell, dropped_sentence};
use crate::pack::index::{Drill, Lesson};
use crate::pack::{Pack, Part};

/// Something to do next.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Go on with a rehearsal that was not finished, by its id.
    Resume(String),
    /// Finish an answer that was begun.
    Finish(Draft),
    /// Read on where reading stopped.
    GoOn(Position),
    /// Work through what is due.
    Review(Due),
    /// Answer a drill of a lesson, on one part alone.
    Drill {
        /// The drill's id.
        drill: String,
        /// The part to type, by id.
        part: String,
    },
    /// Read a lesson from its beginning, by id.
    Read(String),
    /// Rehearse.
    Rehearse,
}

/// Something to do next, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Suggestion {
    /// What.
    pub step: Step,
    /// Why, in a few words: lower case, no full stop.
    pub why: String,
}

/// What to do next, the most pressing first: what was broken off, where reading stopped, what is due,
/// what is weakest, what to read, a rehearsal. `last` tells when a drill was last answered.
pub fn next(pack: &Pack, home: &Home, last: impl Fn(&str) -> Option<Timestamp>) -> Vec<Suggestion> {
    let mut steps = Vec::new();
    let mut suggest = |step: Step, why: String| steps.push(Suggestion { step, why });
    if let Some(id) = &home.unfinished {
        suggest(Step::Resume(id.clone()), "you have an unfinished rehearsal".into());
    }
    let known = |d: &&Draft| pack.index().drill(&d.drill).is_some() && !d.text.trim().is_empty();
    if let Some(draft) = home.drafts.iter().find(known) {
        suggest(Step::Finish(draft.clone()), "you have an unfinished answer".into());
    }
    if let Some(place) = place(pack, home) {
        suggest(Step::GoOn(place.clone()), "you stopped reading here".into());
    }
    match home.due.total() {
        0 => {}
        1 => suggest(Step::Review(home.due), "1 thing is due today".into()),
        due => suggest(Step::Review(home.due), format!("{due} things are due today")),
    }
    if let Some((cell, drill)) = weakest(pack, home, last) {
        let step = Step::Drill { drill: drill.id.to_string(), part: cell.part.clone() };
        suggest(step, why_weak(pack, cell));
    }
    if let Some(lesson) = unread(pack, home) {
        suggest(Step::Read(lesson.id.to_string()), format!("next lesson: {}", lesson.title));
    }
    if home.attempts > 0 {
        suggest(Step::Rehearse, rehearse_why(home));
    }
    steps
}

/// The next lesson to read: the first unread one whose needs are all read, else the first unread.
pub fn unread<'a>(pack: &'a Pack, home: &Home) -> Option<&'a Lesson> {
    let index = pack.index();
    let read = |id: &str| home.lessons.get(id).is_some_and(|l| l.read);
    let ready = |l: &&Lesson| l.needs.iter().all(|need| read(need) || index.lesson(need).is_none());
    let mut open = index.lessons.iter().filter(|l| !read(&l.id));
    open.clone().find(ready).or_else(|| open.next())
}

/// The drill of a lesson to take: the easiest until one was answered, then one never answered, else the one answered
/// longest ago. Of several, the one that names most of what a job description asks for.
pub fn drill<'a>(pack: &'a Pack, home: &Home, lesson: &str) -> Option<&'a Drill> {
    let of = || pack.index().drills.iter().filter(|d| d.lesson == lesson);
    let is_first = of().all(|d| !home.answered.contains_key(&*d.id));
    let ease = |d: &Drill| is_first.then_some((d.level, d.minutes));
    of().min_by_key(|d| (ease(d), home.answered.get(&*d.id), Reverse(asked(home, d))))
}

/// How much of what a job description asks for a drill names.
fn asked(home: &Home, drill: &Drill) -> usize {
    drill.prompt.as_ref().map_or(0, |prompt| home.posting.named_in(prompt))
}

/// The last place, unless all of its lesson is done or the pack no longer has it. In a lab that is done there is
/// nothing to go on with.
pub fn place<'a>(pack: &Pack, home: &'a Home) -> Option<&'a Position> {
    let place = home.place.as_ref()?;
    let lesson = pack.index().lesson(&place.lesson)?;
    if place.lab.as_ref().is_some_and(|lab| lesson.labs.iter().all(|l| l.id != **lab)) {
        return None;
    }
    let is_done = |lab: &String| home.lessons.get(&*lesson.id).is_some_and(|p| p.labs.contains(lab));
    if place.lab.as_ref().is_some_and(is_done) {
        return None;
    }
    let done = home
        .lessons
        .get(&*lesson.id)
        .is_some_and(|p| p.read && lesson.labs.iter().all(|lab| p.labs.iter().any(|done| *done == lab.id)));
    (!done).then_some(place)
}

/// The part that is weakest over all lessons, unless nothing is known or nothing weak.
pub fn weakest_part<'a>(pack: &'a Pack, home: &Home) -> Option<&'a Part> {
    let known = pack.parts.iter().filter_map(|part| Some((part, home.strengths.part(&part.id)?)));
    let (part, strength) = known.min_by(|(_, a), (_, b)| a.total_cmp(b))?;
    (strength < 1.0).then_some(part)
}

/// The part that the drill on what is weakest asks for, unless nothing is known or nothing weak.
pub fn drilled_part<'a>(pack: &'a Pack, home: &Home) -> Option<&'a Part> {
    let (cell, _) = weakest(pack, home, |id| home.answered.get(id).copied())?;
    pack.parts.iter().find(|part| part.id == cell.part)
}

/// The weakest cell of the weakest part for which the pack has a drill, and the drill of it to take: one never answered,
/// else the one answered longest ago. What a cell lacks counts up to twice where a job description asks for its lesson.
/// A rehearsal asks about lessons that were never opened; their cells count only where there are no others.
fn weakest<'a, 'b>(
    pack: &'a Pack,
    home: &'b Home,
    last: impl Fn(&str) -> Option<Timestamp>,
) -> Option<(&'b Cell, &'a Drill)> {
    let mut cells = home.strengths.weakest_first();
    if !home.posting.is_empty() {
        let gap = |c: &Cell| (1.0 - c.strength()) * (1.0 + home.posting.share(&c.lesson));
        cells.sort_by(|a, b| gap(b).total_cmp(&gap(a)));
    }
    // within the part that is weakest over all lessons: Home and the report call that one weakest
    let part = weakest_part(pack, home);
    cells.retain(|c| c.strength() < 1.0);
    let is_begun = |c: &&Cell| home.lessons.get(&c.lesson).is_some_and(LessonProgress::is_begun);
    if cells.iter().any(is_begun) {
        cells.retain(is_begun);
    }
    cells.sort_by_key(|c| Some(&*c.part) != part.map(|part| &*part.id));
    cells.into_iter().find_map(|cell| {
        let asks = |d: &&Drill| d.lesson == cell.lesson && d.parts.iter().any(|p| *p == cell.part);
        let drill =
            pack.index().drills.iter().filter(asks).min_by_key(|d| (last(&d.id), Reverse(asked(home, d))))?;
        Some((cell, drill))
    })
}

fn why_weak(pack: &Pack, cell: &Cell) -> String {
    let lesson = pack.index().lesson(&cell.lesson).map_or(&*cell.lesson, |l| &l.title);
    let part = pack.parts.iter().find(|p| p.id == cell.part).map_or(&cell.part, |p| &p.title);
    let part = part.to_lowercase();
    if cell.is_dropped() {
        return dropped_sentence(cell, &part, lesson);
    }
    format!("your weakest part: {part} on {lesson}")
}

fn rehearse_why(home: &Home) -> String {
    match &home.rehearsed {
        None => "you have not rehearsed yet".into(),
        Some(last) => format!("the last one came to {}", super::words::percent(last.total)),
    }
}
