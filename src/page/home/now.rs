//! What today asks for: what was broken off, what the plan says, what is weak or new.

use jiff::Timestamp;

use super::entry::Entry;
use super::known::Known;
use crate::doc::{Cell, Role};
use crate::pack::Pack;
use crate::pack::index::Lab;
use crate::page::At;
use crate::page::place::Place;
use crate::page::task;
use crate::page::view::Row;
use crate::services::library::Library;
use crate::study::answer::part_title;
use crate::study::attempt::is_part_again;
use crate::study::day::Day;
use crate::study::duration;
use crate::study::home::{Draft, Home};
use crate::study::lab::Begun;
use crate::study::next::{self, Step};
use crate::study::plan::{Task, USUAL_MINUTES};
use crate::study::words::{date, minutes, percent, some};

/// The numbers of what is not a lesson, the same every day.
mod number {
    pub const CONTINUE: usize = 1;
    pub const FINISH: usize = 2;
    pub const GO_ON: usize = 3;
    pub const REVIEW: usize = 4;
    /// The first task of the plan, of three that follow each other; without a plan what is weak.
    pub const TODAY: usize = 5;
    /// Without a plan: what is to be read next.
    pub const READ: usize = 6;
    /// The checks of what was read.
    pub const CHECK: usize = 7;
    pub const REHEARSE: usize = 8;
    pub const INTERVIEW: usize = 9;
    pub const REPORT: usize = 10;
    pub const PUZZLE: usize = 11;
    pub const NEWS: usize = 12;
    pub const PROBLEMS: usize = 13;
    /// Other answers that are not finished, each with the next number.
    pub const UNFINISHED: usize = 14;
    /// The tasks of the plan after the third.
    pub const TODAY_TOO: usize = 16;
    /// What there is to play with; without a plan alone.
    pub const PLAY: usize = 18;
    /// A lab that was begun.
    pub const LAB: usize = 19;
}

/// The number of a rehearsal that was broken off.
pub const GO_ON: usize = number::GO_ON;

/// Answers that are not finished that are shown at most.
const DRAFTS: usize = 3;
/// Tasks of the plan that are shown at most: all of any day that is not overfull.
const TASKS: usize = 12;
/// Tasks whose numbers follow each other.
const FIRST_TASKS: usize = 3;
/// Tasks that have a number of their own.
const NUMBERED: usize = 5;

/// All of it, in the order in which today asks for it: what is due, today's plan, what was broken off, and only then what was read last, which the
/// plan may have for another day. Without a plan one finishes what was begun, and goes on reading, before one begins something else.
pub fn entries(known: &Known, at: &At) -> Vec<Entry> {
    let library = &at.services.library;
    let packs = || library.packs.iter().zip(&known.homes).enumerate();
    let mut left = Vec::new();
    for (index, (pack, home)) in packs() {
        begun(index, (pack, home), &mut left);
    }
    let reading =
        packs().filter_map(|(index, (pack, home))| reading(index, (pack, home)).filter(|_| is_begun(home)));
    let planned = planned(known, at);
    // without a plan one goes on reading before one begins something else
    let then: Vec<Entry> = if planned.is_some() {
        reading.collect()
    } else {
        left.extend(reading);
        suggested(known, at).into_iter().chain(understood(known, at)).collect()
    };
    let first = planned.unwrap_or_default();
    let first = review(known, at).into_iter().chain(first).chain(left);
    let labs = packs().filter_map(|(index, of)| half_done(index, of)).take(1);
    let mut out: Vec<Entry> = Vec::new();
    for entry in first.chain(labs).chain(then) {
        if out.iter().all(|other| other.place != entry.place) {
            out.push(entry);
        }
    }
    out.extend(known.news.iter().take(1).map(|news| {
        let text = format!("{}, {}", news.title, news.summary());
        Entry::now(number::NEWS, "Changed", text, Place::News)
    }));
    out.extend(puzzle(known, at));
    let is_planned = out.iter().any(|e| matches!(e.place, Place::RehearseWith { .. }));
    if !is_planned {
        out.push(Entry::now(number::REHEARSE, "Rehearse", "an interview against the clock", Place::Rehearse));
    }
    out.push(interview(known, at));
    out.extend(report(known, at));
    out.extend(problems(library));
    out
}

/// The packs that did not load.
pub fn problems(library: &Library) -> Option<Entry> {
    let text = format!("{} did not load; see why", some(library.broken.len(), "pack"));
    let entry = Entry::now(number::PROBLEMS, "Problems", text, Place::Problems);
    (!library.broken.is_empty()).then_some(entry)
}

/// What is due.
fn review(known: &Known, at: &At) -> Option<Entry> {
    let due: u64 = known.homes.iter().map(|home| home.due.total()).sum();
    let noun = if due == 1 { "thing is" } else { "things are" };
    let place = Place::Review { ahead: 0 };
    let review = Entry::now(number::REVIEW, "Review", format!("{due} {noun} due today"), place);
    let packs = at.services.library.packs.iter().zip(&known.homes);
    let minutes = packs.map(|(pack, home)| duration::due(pack.index(), &home.due)).sum();
    (due > 0).then_some(Entry { minutes: Some(minutes), ..review })
}

/// What was broken off in a course: a rehearsal, an answer. Always in this order, so that a row does not change
/// places from one start to the next; the row of a rehearsal leads to a page that asks, so no clock starts by a single key.
fn begun(index: usize, (pack, home): (&Pack, &Home), out: &mut Vec<Entry>) {
    // one of each has a number; another course's has none of its own
    if out.iter().all(|e| e.number != Some(number::GO_ON)) {
        out.extend(broken_off(home));
    }
    let drafts = drafts(index, (pack, home)).take(DRAFTS).enumerate();
    // one of each has its number; others, and those of another course, come after all the rest
    let number = |nth| if nth == 0 { number::FINISH } else { number::UNFINISHED + nth - 1 };
    out.extend(drafts.map(|(nth, entry)| Entry { number: Some(number(nth)), ..entry }));
}

/// Whether what was read last was begun in earnest, not only opened: somebody moved on in it, or said what its lab
/// will print.
fn is_begun(home: &Home) -> bool {
    home.place.as_ref().is_some_and(|place| {
        let is_predicted = place.lab.as_ref().is_some_and(|lab| home.begun_labs.contains_key(lab));
        place.scroll > 0 || place.line > 0 || is_predicted
    })
}

/// What was worked on last: where `continue` goes.
pub fn last(known: &Known, at: &At) -> Option<Entry> {
    let packs = at.services.library.packs.iter().zip(&known.homes).enumerate();
    let all = packs.flat_map(|(index, of)| {
        let (_, home) = of;
        let draft = home.drafts.iter().find(|d| !d.text.trim().is_empty());
        [
            home.place.as_ref().map(|p| p.at).zip(reading(index, of)),
            draft.map(|d| d.at).zip(drafts(index, of).next()),
            home.broken_off.zip(broken_off(home)),
        ]
    });
    all.flatten().max_by_key(|(at, _)| *at).map(|(_, entry)| entry)
}

fn broken_off(home: &Home) -> Option<Entry> {
    let entry =
        || Entry::now(number::GO_ON, "Go on", "with the rehearsal that was broken off", Place::Rehearse);
    home.unfinished.as_ref().map(|_| entry())
}

/// The answers that are not finished, the newest first.
fn drafts(index: usize, (pack, home): (&Pack, &Home)) -> impl Iterator<Item = Entry> {
    let drafts = home.drafts.iter().filter(|d| !d.text.trim().is_empty());
    let drafts = drafts.filter_map(|d| Some((d, pack.prompt(&d.drill)?)));
    drafts.map(move |(draft, prompt)| unfinished(index, pack, (draft, prompt)))
}

/// An answer that is not finished.
fn unfinished(index: usize, pack: &Pack, (draft, prompt): (&Draft, &str)) -> Entry {
    let (id, only) = (draft.drill.clone(), draft.part.clone());
    let text = match only.as_deref().map(|part| part_title(&pack.parts, part).to_lowercase()) {
        Some(part) if is_part_again(draft.mode, only.as_deref()) => {
            format!("your answer on the {part} of: {prompt}")
        }
        Some(part) => format!("your answer to the follow-up on the {part} of: {prompt}"),
        None => format!("your answer: {prompt}"),
    };
    let place = match only {
        Some(part) if is_part_again(draft.mode, Some(&part)) => Place::PartAgain { pack: index, id, part },
        only => Place::Drill { pack: index, id, only },
    };
    Entry::now(number::FINISH, "Finish", text, place)
}

/// The lesson or lab that was left last; of a lesson that was read, the lab that is left of it.
fn reading(index: usize, (pack, home): (&Pack, &Home)) -> Option<Entry> {
    let left = next::place(pack, home)?;
    let lesson = pack.index().lesson(&left.lesson)?;
    let progress = home.lessons.get(&*lesson.id);
    if let Some((_, lab)) = left.lab.as_deref().and_then(|id| pack.index().lab(id)) {
        let text = match home.begun_labs.get(&*lab.id) {
            Some(begun) => left_of(lab, *begun),
            None => format!("{}, line {}", lab.title, left.line + 1),
        };
        return Some(of_lab(index, (number::CONTINUE, "Continue"), lab, text));
    }
    if progress.is_some_and(|p| p.read) {
        let is_open = |lab: &&Lab| !progress.is_some_and(|p| p.labs.iter().any(|done| *done == *lab.id));
        let is_begun = |lab: &&Lab| home.begun_labs.contains_key(&*lab.id);
        let open = || lesson.labs.iter().filter(is_open);
        let lab = open().find(is_begun).or_else(|| open().next())?;
        let text = match home.begun_labs.get(&*lab.id) {
            Some(begun) => left_of(lab, *begun),
            None => format!("with the lab: {}", lab.title),
        };
        return Some(of_lab(index, (number::CONTINUE, "Continue"), lab, text));
    }
    let place = Place::Lesson { pack: index, id: lesson.id.to_string() };
    let entry = Entry::now(number::CONTINUE, "Continue", &*lesson.title, place);
    Some(Entry { minutes: Some(duration::reading(lesson, progress)), ..entry })
}

/// The first lab of a course that was predicted and not compared to its end.
fn half_done(index: usize, (pack, home): (&Pack, &Home)) -> Option<Entry> {
    let labs = pack.index().lessons.iter().flat_map(|lesson| lesson.labs.iter());
    let (lab, begun) = labs.filter_map(|lab| Some((lab, home.begun_labs.get(&*lab.id)?))).next()?;
    Some(of_lab(index, (number::LAB, "Lab"), lab, left_of(lab, *begun)))
}

/// A lab that was begun, with what is left of it.
fn left_of(lab: &Lab, begun: Begun) -> String {
    format!("{}, {}", lab.title, begun.words())
}

fn of_lab(index: usize, (number, label): (usize, &'static str), lab: &Lab, text: String) -> Entry {
    let place = Place::Lab { pack: index, id: lab.id.to_string() };
    Entry { minutes: Some(lab.minutes), ..Entry::now(number, label, text, place) }
}

/// The minutes of what was planned for today in the first course, and whether each task is done.
fn tasks(known: &Known, at: &At) -> Option<Vec<(u32, bool)>> {
    let today = known.today.as_ref()?;
    let (pack, home) = (at.services.library.packs.first()?, known.homes.first()?);
    let done = today.done(pack, home, Day::of(today.date, &at.services.zone).start);
    let mut all: Vec<(u32, bool)> = today.tasks.iter().map(|task| today.minutes(task)).zip(done).collect();
    // what came due since the day was planned stands above its tasks, and counts with them
    let reviewed = today.tasks.iter().position(|task| *task == Task::Review);
    match (reviewed, review(known, at).and_then(|entry| entry.minutes)) {
        (Some(nth), Some(due)) => all[nth] = (due, false),
        (None, Some(due)) => all.push((due, false)),
        (_, None) => {}
    }
    Some(all)
}

/// The next tasks of today's plan; none where there is no plan.
fn planned(known: &Known, at: &At) -> Option<Vec<Entry>> {
    let today = known.today.as_ref()?;
    let (pack, home) = (at.services.library.packs.first()?, known.homes.first()?);
    // only skimming asks for what is left out, and finding that out takes a plan
    let left_out = match today.tasks.contains(&Task::Skim) {
        true => today.rest(pack, home, at.services.minutes().unwrap_or(USUAL_MINUTES)).left_out,
        false => Vec::new(),
    };
    let done = today.done(pack, home, Day::of(today.date, &at.services.zone).start);
    let open = today.tasks.iter().zip(done).filter(|(task, done)| !done && **task != Task::Review);
    let entry = |task: &Task| {
        let place = task::place(task, (0, pack), home, (&left_out, today.date))?;
        let (label, text) = task::words(task, pack, home, (true, false));
        Some(Entry { minutes: Some(today.minutes(task)), ..Entry::now(number::TODAY, label, text, place) })
    };
    let entries = open.take(TASKS).filter_map(|(task, _)| entry(task)).enumerate();
    let number = |nth| match nth {
        0..FIRST_TASKS => Some(number::TODAY + nth),
        FIRST_TASKS..NUMBERED => Some(number::TODAY_TOO + nth - FIRST_TASKS),
        // lines give it the next free one
        _ => None,
    };
    Some(entries.map(|(nth, entry)| Entry { number: number(nth), ..entry }).collect())
}

/// What is weakest, and what is to be read next, where there is no plan.
fn suggested(known: &Known, at: &At) -> Vec<Entry> {
    let (Some(pack), Some(home)) = (at.services.library.packs.first(), known.homes.first()) else {
        return Vec::new();
    };
    let last = |drill: &str| -> Option<Timestamp> { home.answered.get(drill).copied() };
    let entry = |suggestion: next::Suggestion| match suggestion.step {
        Step::Drill { drill, part } => {
            let minutes = duration::part(pack.index().drill(&drill)?);
            let place = Place::Drill { pack: 0, id: drill, only: Some(part) };
            Some(Entry {
                minutes: Some(minutes),
                ..Entry::now(number::TODAY, "Drill", suggestion.why, place)
            })
        }
        Step::Read(id) => {
            let lesson = pack.index().lesson(&id)?;
            let place = Place::Lesson { pack: 0, id };
            let left = duration::reading(lesson, home.lessons.get(&*lesson.id));
            Some(Entry { minutes: Some(left), ..Entry::now(number::READ, "Read", &*lesson.title, place) })
        }
        _ => None,
    };
    next::next(pack, home, last).into_iter().filter_map(entry).collect()
}

/// For who reads and tries out alone: the checks of what was read, and the simulators.
fn understood(known: &Known, at: &At) -> Vec<Entry> {
    if !known.learns_only() {
        return Vec::new();
    }
    let packs = at.services.library.packs.iter().enumerate();
    let check = packs
        .flat_map(|(index, pack)| pack.index().lessons.iter().map(move |l| (index, l)))
        .find_map(|(index, lesson)| {
            let done = known.lesson(index, &lesson.id).filter(|done| done.read)?;
            let left = u64::from(lesson.checks.count).checked_sub(done.checks).filter(|left| *left > 0)?;
            let left = usize::try_from(left).unwrap_or(usize::MAX);
            let text = format!("{}: {} to go", lesson.title, some(left, "check"));
            let place = Place::Checks { pack: index, lesson: lesson.id.to_string(), only: None };
            Some(Entry::now(number::CHECK, "Check", text, place))
        });
    let text = "with a simulator: turn a knob and see what follows";
    let play = Entry::now(number::PLAY, "Play", text, Place::Sims);
    check.into_iter().chain([play]).collect()
}

/// A puzzle of a lesson that was read, whose par was not reached.
fn puzzle(known: &Known, at: &At) -> Option<Entry> {
    let packs = at.services.library.packs.iter().enumerate();
    let mut all = packs.flat_map(|(index, pack)| pack.index().puzzles.iter().map(move |p| (index, p)));
    let (pack, puzzle) = all.find(|(index, p)| {
        let is_read = known.lesson(*index, &p.lesson).is_some_and(|l| l.read);
        let best = known.puzzles.get(*index).and_then(|best| best.get(&*p.id));
        is_read && !best.is_some_and(|b| p.is_at_par(b.best))
    })?;
    let id = puzzle.id.to_string();
    Some(Entry::now(number::PUZZLE, "Puzzle", &*puzzle.title, Place::Puzzle { pack, id }))
}

/// The report of the last rehearsal, of whichever course.
fn report(known: &Known, at: &At) -> Option<Entry> {
    let done =
        known.homes.iter().enumerate().filter_map(|(index, home)| Some((index, home.rehearsed.as_ref()?)));
    let (pack, last) = done.max_by_key(|(_, r)| r.at)?;
    let parts = &at.services.pack(pack)?.parts;
    let weakest = match &last.limiting {
        Some(part) => format!(", limited by {}", part_title(parts, part).to_lowercase()),
        None => String::new(),
    };
    let day = date(at.services.today(last.at), at.services.today(at.now));
    let text = format!("last rehearsal, {day}: {}{weakest}", percent(last.total));
    Some(Entry::now(number::REPORT, "Report", text, Place::Report { id: last.id.clone() }))
}

/// How far the interview is away, or how to say it.
fn interview(known: &Known, at: &At) -> Entry {
    let text = match known.ahead() {
        None => "set its date, and get a plan for each day until then".into(),
        Some(left) => {
            let left = left.replace("interview ", "");
            let tasks = tasks(known, at).unwrap_or_default();
            match tasks.iter().all(|(_, done)| *done) {
                _ if known.is_over() => format!("{left}; set another date, or clear it"),
                true if !tasks.is_empty() => format!("{left}; everything planned for today is done"),
                _ if known.left_out > 0 => {
                    format!("{left}; what to do each day, {} left out", some(known.left_out, "lesson"))
                }
                _ => format!("{left}; what to do each day until then"),
            }
        }
    };
    Entry::now(number::INTERVIEW, "Interview", text, Place::Plan)
}

/// Columns of the bar of today.
const BAR: u16 = 24;

/// What today asks for, and how much of it is done, as the head of its rows; and what became of a day that was missed.
pub fn head(known: &Known, at: &At, is_heard: bool) -> Vec<Row> {
    // who listens hears the choices first
    let missed = if is_heard { Vec::new() } else { missed(known) };
    std::iter::once(bar(known, at)).chain(missed).collect()
}

/// What became of a day that slipped, and below it what could be done about that.
pub fn missed(known: &Known) -> Vec<Row> {
    let Some(slip) = known.today.as_ref().and_then(|today| today.slip.as_ref()) else { return Vec::new() };
    let line = Row::plain().cell(task::missed(&slip.line(known.minutes_a_day))).wrapped();
    let cure = slip.cure(known.minutes_a_day).map(|cure| {
        let cell = Cell::text(format!("Press + : {cure}")).role(Role::Dim);
        Row::plain().cell(cell.said(format!("Type more: {cure}"))).wrapped()
    });
    std::iter::once(line).chain(cure).collect()
}

fn bar(known: &Known, at: &At) -> Row {
    let said = title(known, at);
    let Some(tasks) = tasks(known, at).filter(|tasks| !tasks.is_empty()) else {
        return Row::plain().cell(Cell::text(said).role(Role::Strong)).heading();
    };
    let sum = |only: bool| tasks.iter().filter(|(_, done)| *done || !only).map(|(time, _)| time).sum::<u32>();
    let (done, all) = (sum(true), sum(false));
    // minutes that were planned, however long it took
    let words = match done {
        done if done == all => "  all done".to_owned(),
        done => format!("  {done} of {}", minutes(all)),
    };
    let open = tasks.iter().filter(|(_, done)| !done).count();
    let more = open.saturating_sub(TASKS + 1);
    let more = if more == 0 { String::new() } else { format!(", {more} more in the plan") };
    let bar = Cell::meter(f64::from(done) / f64::from(all.max(1)), BAR);
    let cell =
        Cell::text("Today  ").role(Role::Strong) + bar + Cell::text(format!("{words}{more}")).role(Role::Dim);
    Row::plain().cell(cell).said(format!("{said}{more}")).heading()
}

/// `Today, 34 of 58 min done`; without a plan what was done today.
fn title(known: &Known, at: &At) -> String {
    if let Some(tasks) = tasks(known, at).filter(|tasks| !tasks.is_empty()) {
        let sum =
            |only: bool| tasks.iter().filter(|(_, done)| *done || !only).map(|(time, _)| time).sum::<u32>();
        return match (sum(true), sum(false)) {
            (0, all) => format!("Today, {}", minutes(all)),
            (done, all) if done == all => "Today, all done".to_owned(),
            (done, all) => format!("Today, {done} of {} done", minutes(all)),
        };
    }
    match known.homes.iter().map(|h| h.today.attempts).sum::<u64>() {
        0 => "Today".into(),
        answers => {
            format!("Today, {} so far", some(usize::try_from(answers).unwrap_or(usize::MAX), "answer"))
        }
    }
}
