//! The rows of Home, made from the packs and from what is known of the learner.

use crate::pack::{CheckKind, Lesson, Pack};
use crate::page::place::Place;
use crate::screen::{Context, task};
use crate::study::answer;
use crate::study::duration;
use crate::study::home::{Home as Known, LessonProgress};
use crate::study::next;
use crate::study::words::percent;

/// One row of Home.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// What it is.
    pub kind: Kind,
    /// The words on the left.
    pub text: String,
    /// The words behind them, less loud.
    pub more: String,
    /// The numbers on the right, for a lesson.
    pub progress: Option<Progress>,
}

/// What a row is.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// An empty row.
    Space,
    /// A heading; with the heads of the columns where lessons follow.
    Heading {
        /// Whether lessons follow.
        lessons: bool,
    },
    /// Something to do now.
    Do(Place),
    /// A lesson: pack index and id.
    Lesson(usize, String),
    /// Something that a lesson holds: pack index, lesson id, where it leads.
    Inside(usize, String, Place),
}

/// Progress in one lesson: done of all.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Whether the section was read to its end.
    pub read: bool,
    /// Labs.
    pub labs: (usize, usize),
    /// Checks.
    pub checks: (usize, usize),
    /// Drills.
    pub drills: (usize, usize),
    /// Minutes for all of it.
    pub minutes: u32,
}

impl Row {
    fn space() -> Self {
        Self { kind: Kind::Space, text: String::new(), more: String::new(), progress: None }
    }

    fn heading(text: &str, lessons: bool) -> Self {
        Self { kind: Kind::Heading { lessons }, text: text.into(), ..Self::space() }
    }

    fn todo(text: &str, more: String, place: Place) -> Self {
        Self { kind: Kind::Do(place), text: text.into(), more, progress: None }
    }

    /// Whether the selection may rest on it.
    pub fn selectable(&self) -> bool {
        !matches!(self.kind, Kind::Space | Kind::Heading { .. })
    }

    /// Where it leads.
    pub fn place(&self) -> Option<Place> {
        match &self.kind {
            Kind::Do(place) | Kind::Inside(_, _, place) => Some(place.clone()),
            Kind::Lesson(pack, id) => Some(Place::Lesson { pack: *pack, id: id.clone() }),
            Kind::Space | Kind::Heading { .. } => None,
        }
    }

    /// The lesson that it is or belongs to.
    pub fn lesson(&self) -> Option<(usize, &str)> {
        match &self.kind {
            Kind::Lesson(pack, id) | Kind::Inside(pack, id, _) => Some((*pack, id)),
            _ => None,
        }
    }
}

/// All rows, with the lessons unfolded that are named.
pub fn rows(context: &Context, unfolded: &[(usize, String)]) -> Vec<Row> {
    let mut out = vec![Row::heading("Now", false)];
    out.extend(now(context));
    for (i, pack) in context.library.packs.iter().enumerate() {
        out.push(Row::space());
        let title = if i == 0 { "Course" } else { &pack.title };
        out.push(Row::heading(title, true));
        for lesson in &pack.lessons {
            out.push(lesson_row(context, (i, pack), lesson));
            if unfolded.iter().any(|(p, l)| *p == i && *l == lesson.id) {
                out.extend(inside(i, pack, lesson));
            }
        }
    }
    out
}

/// What to do now, the most urgent first.
fn now(context: &Context) -> Vec<Row> {
    let mut out = Vec::new();
    for (i, pack) in context.library.packs.iter().enumerate() {
        let Some(known) = context.memory.home(i) else {
            continue;
        };
        out.extend(drafts(i, pack, known));
        out.extend(reading(i, pack, known));
    }
    let due: u64 = (0..context.library.packs.len())
        .filter_map(|i| context.memory.home(i))
        .map(|known| known.due.total())
        .sum();
    if due > 0 {
        let noun = if due == 1 { "item is" } else { "items are" };
        out.push(Row::todo("Review", format!("{due} {noun} due today"), Place::Review { ahead: 0 }));
    }
    let today = today(context).filter(|row| !out.iter().any(|r| r.kind == row.kind));
    out.extend(today);
    if out.is_empty() {
        out.extend(first_lesson(context));
    }
    out.extend(context.memory.news().iter().map(|news| {
        let text = format!("{}, {}", news.title, news.summary());
        Row::todo("Changed", text, Place::News)
    }));
    out.extend(puzzle(context));
    out.push(Row::todo("Rehearse", "an interview against the clock".into(), Place::Rehearse));
    out.extend(last_rehearsal(context));
    out.extend(interview(context));
    if !context.library.broken.is_empty() {
        let n = context.library.broken.len();
        let noun = if n == 1 { "pack did" } else { "packs did" };
        out.push(Row::todo("Problems", format!("{n} {noun} not load; see why"), Place::Problems));
    }
    out
}

/// What the plan until the interview asks for next today.
fn today(context: &Context) -> Option<Row> {
    let tasks = task::of_today(context)?;
    let (next, _, place) = tasks.into_iter().find(|(_, done, _)| !done)?;
    let pack = context.library.packs.first()?;
    let text = format!("{}, {} minutes", next.sentence(pack), next.minutes());
    Some(Row::todo("Today", text, place?))
}

/// How far the interview is away, or how to say it.
fn interview(context: &Context) -> Option<Row> {
    context.memory.home(0)?;
    let text = match context.memory.interview() {
        None => "set its date, and get a plan for each day until then".into(),
        Some(date) => {
            let now = task::today(context);
            let left = task::ahead(date, now).replace("interview ", "");
            let tasks = task::of_today(context).unwrap_or_default();
            match tasks.iter().all(|(_, done, _)| *done) {
                _ if date < now => format!("{left}; set another date, or clear it"),
                true if !tasks.is_empty() => format!("{left}; all that was planned for today is done"),
                _ => format!("{left}; what to do each day until then"),
            }
        }
    };
    Some(Row::todo("Interview", text, Place::Plan))
}

/// A puzzle of a lesson that was read, whose par was not reached.
fn puzzle(context: &Context) -> Option<Row> {
    let packs = context.library.packs.iter().enumerate();
    let mut all = packs.flat_map(|(i, pack)| pack.puzzles.iter().map(move |p| (i, pack, p)));
    let (pack, _, puzzle) = all.find(|(i, pack, p)| {
        let is_read = context.memory.lesson(*i, &p.lesson).is_some_and(|l| l.read);
        is_read && !context.memory.is_at_par(&pack.id, p)
    })?;
    let id = puzzle.id.clone();
    Some(Row::todo("Puzzle", puzzle.title.clone(), Place::Puzzle { pack, id }))
}

/// The report of the last rehearsal, of whichever pack.
fn last_rehearsal(context: &Context) -> Option<Row> {
    let packs = 0..context.library.packs.len();
    let done = packs.filter_map(|i| Some((i, context.memory.home(i)?.rehearsed.as_ref()?)));
    let (pack, last) = done.max_by_key(|(_, r)| r.at)?;
    let parts = &context.library.packs.get(pack)?.parts;
    let weakest = match &last.limiting {
        Some(part) => format!(", weakest in {}", answer::part_title(parts, part).to_lowercase()),
        None => String::new(),
    };
    let day = last.at.to_zoned(context.zone.clone()).date();
    Some(Row::todo(
        "Report",
        format!("last rehearsal, {day}: {}{weakest}", percent(last.total)),
        Place::Report { id: last.id.clone() },
    ))
}

fn drafts(i: usize, pack: &Pack, known: &Known) -> Vec<Row> {
    let mut out = Vec::new();
    if known.unfinished.is_some() {
        out.push(Row::todo("Go on", "with the rehearsal that was broken off".into(), Place::Rehearse));
    }
    for draft in known.drafts.iter().filter(|d| !d.text.trim().is_empty()).take(2) {
        let Some(drill) = pack.drill(&draft.drill) else {
            continue;
        };
        let place = Place::Drill { pack: i, id: drill.id.clone(), only: draft.part.clone() };
        out.push(Row::todo("Finish", format!("your answer: {}", drill.prompt), place));
    }
    out
}

fn reading(i: usize, pack: &Pack, known: &Known) -> Option<Row> {
    let at = next::place(pack, known)?;
    let lesson = pack.lesson(&at.lesson)?;
    Some(match at.lab.as_deref().and_then(|id| pack.lab(id)) {
        Some((_, lab)) => Row::todo(
            "Continue",
            format!("{}, line {}", lab.title, at.line + 1),
            Place::Lab { pack: i, id: lab.id.clone() },
        ),
        None => Row::todo("Continue", lesson.title.clone(), Place::Lesson { pack: i, id: lesson.id.clone() }),
    })
}

fn first_lesson(context: &Context) -> Option<Row> {
    let lesson = context.library.packs.first()?.lessons.first()?;
    Some(Row::todo(
        "Start here",
        format!("{}, {} minutes", lesson.title, lesson.minutes),
        Place::Lesson { pack: 0, id: lesson.id.clone() },
    ))
}

fn lesson_row(context: &Context, (i, pack): (usize, &Pack), lesson: &Lesson) -> Row {
    let known = context.memory.lesson(i, &lesson.id);
    Row {
        kind: Kind::Lesson(i, lesson.id.clone()),
        text: lesson.title.clone(),
        more: String::new(),
        progress: Some(progress(pack, lesson, known)),
    }
}

fn progress(pack: &Pack, lesson: &Lesson, known: Option<&LessonProgress>) -> Progress {
    let count = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    let checks = pack.checks_of(&lesson.id).count();
    let drills = pack.drills_of(&lesson.id).count();
    Progress {
        read: known.is_some_and(|k| k.read),
        labs: (known.map_or(0, |k| k.labs.len()), lesson.labs.len()),
        checks: (known.map_or(0, |k| count(k.checks)), checks),
        drills: (known.map_or(0, |k| count(k.drills)), drills),
        minutes: duration::lesson(pack, lesson),
    }
}

fn inside(i: usize, pack: &Pack, lesson: &Lesson) -> Vec<Row> {
    let row = |text: String, more: String, place: Place| Row {
        kind: Kind::Inside(i, lesson.id.clone(), place),
        text,
        more,
        progress: None,
    };
    let mut out = Vec::new();
    for lab in &lesson.labs {
        let place = Place::Lab { pack: i, id: lab.id.clone() };
        out.push(row(format!("lab    {}", lab.title), format!("{} min", lab.minutes), place));
    }
    let short = pack.checks_of(&lesson.id).filter(|c| !matches!(c.kind, CheckKind::Worksheet(_))).count();
    if short > 0 {
        let place = Place::Checks { pack: i, lesson: lesson.id.clone(), only: None };
        out.push(row(format!("checks {short} short questions"), String::new(), place));
    }
    for check in pack.checks_of(&lesson.id) {
        if let CheckKind::Worksheet(sheet) = &check.kind {
            let place = Place::Checks { pack: i, lesson: lesson.id.clone(), only: Some(check.id.clone()) };
            out.push(row(format!("sheet  {}", sheet.title), String::new(), place));
        }
    }
    for puzzle in pack.puzzles_of(&lesson.id) {
        let id = puzzle.id.clone();
        let place = Place::Puzzle { pack: i, id };
        out.push(row(format!("puzzle {}", puzzle.title), String::new(), place));
    }
    for drill in pack.drills_of(&lesson.id) {
        let place = Place::Drill { pack: i, id: drill.id.clone(), only: None };
        out.push(row(format!("drill  {}", drill.prompt), format!("{} min", drill.minutes), place));
    }
    out
}
