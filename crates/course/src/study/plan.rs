//! What to do each day until an interview.
//!
//! Reading comes first and in the pack's order, what an interview asks most, each lesson with what it needs and with a
//! drill soon after it, and, where time allows, labs. The last third of the days, and the day before, belong to rehearsals;
//! what finds no time before them is read beside them. Once a rehearsal has shown a weak part, the days of
//! reading drill it too. Where that is too much, rehearsals go, down to the one on the day before. Where even that is too much, breadth comes
//! before depth: see `short`. Every day but the first begins with what is due, after what the learner put off until then.
//! On the day itself there is only a short warm-up. No day has the same task twice.

use std::ops::RangeInclusive;

use jiff::ToSpan;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::duration;
use super::home::Home;
use crate::pack::Pack;
use more::More;
pub use moved::Slip;
pub use today::Today;
use work::{Room, Work};

pub mod job;
mod more;
pub mod moved;
pub mod order;
pub mod short;
mod today;
mod work;

/// Minutes a day that there may be.
pub const MINUTES: RangeInclusive<u32> = 15..=240;
/// Minutes a day where nobody says how many there are.
pub const USUAL_MINUTES: u32 = 60;
/// Minutes for what is due, on a day of which nobody knows yet what will be.
const REVIEW: u32 = 10;
/// Minutes of a screen rehearsal with its report, and of skimming.
const SCREEN: u32 = 20;
/// Minutes of an on-site rehearsal with its report.
const ONSITE: u32 = 45;
/// Minutes for a drill with its verdict: three of answering, five of reading it.
const DRILL: u32 = 8;
/// Of a day's minutes at most this part is kept for what will be due.
const REVIEW_SHARE: u32 = 4;
/// Where there is not three times as long in all as it takes, who has met fewer lessons than this does not rehearse.
const TO_REHEARSE: usize = 3;
/// How much of a section its problem and what to say of it are, as the share of it that was seen.
pub const CORE: f64 = 0.25;
/// What a job asks for most counts so many times as much again as what interviews ask most.
const ASKED: f64 = 2.0;
/// Days of rehearsals that are kept to, however many there are in a longer plan at first.
const PROMISED: usize = 5;
/// A lesson whose drills were answered at less than this is drilled again.
const ANSWERED_WELL: f64 = 0.7;
/// From so many minutes a day on, days of reading also drill the part that limited the last rehearsal.
const ROOMY: u32 = 40;
/// Days before the interview that belong to rehearsals once a plan is under way.
const REHEARSED: usize = 2;
/// A plan looks no further than this.
pub const MOST_DAYS: i32 = 365;

/// A plan.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    /// The days from today to the interview, both included.
    pub days: Vec<DayPlan>,
    /// Ids of lessons for which there is no time.
    pub left_out: Vec<String>,
}

/// What to do on a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayPlan {
    /// The day.
    pub date: Date,
    /// What to do, in order.
    pub tasks: Vec<Task>,
    /// Minutes for what is due, where that is one of them.
    pub review: u32,
}

/// The days that a plan is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// When planning for the interview began: how many days of rehearsals there are is decided then.
    pub begun: Date,
    /// The first day of the plan.
    pub today: Date,
    /// Its last.
    pub interview: Date,
}

impl From<(Date, Date)> for Span {
    /// From today, on which planning begins, to the interview.
    fn from((today, interview): (Date, Date)) -> Self {
        Span { begun: today, today, interview }
    }
}

impl Span {
    /// The days before the interview that belong to rehearsals: a third of those that are left, and no fewer than were
    /// promised when planning began, up to five. Otherwise each day that passes would take one of them away. Who
    /// has begun keeps the last days for rehearsing, however few are left.
    fn rehearsing(self, has_begun: bool) -> usize {
        let days = |from: Date| usize::try_from((self.interview - from).get_days()).unwrap_or(0);
        let (all, ahead) = (days(self.begun), days(self.today));
        let least = if has_begun { REHEARSED } else { 0 };
        if ahead <= 1 {
            ahead
        } else {
            ahead.div_ceil(3).max(all.div_ceil(3).min(PROMISED)).max(least).min(ahead)
        }
    }
}

/// A thing to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Task {
    /// Work through what is due.
    Review,
    /// Read a lesson's section: its id and minutes.
    Read(String, u32),
    /// Read the problem of a lesson's section and what to say of it: its id and minutes.
    Short(String, u32),
    /// Read a lab: its id and minutes.
    Lab(String, u32),
    /// Read what to say in an interview, of the lessons for which there was no time. Only plans of earlier editions have it.
    Skim,
    /// Answer a drill of a lesson, by the lesson's id.
    Drill(String),
    /// Answer a drill on the weakest part.
    Weakest,
    /// Rehearse 5 prompts of 30 seconds and 2 minutes.
    Screen,
    /// Rehearse 6 prompts of 60 seconds and 5 minutes.
    Onsite,
}

impl Task {
    /// Minutes that it takes, on a day with so many for what is due.
    pub fn minutes(&self, review: u32) -> u32 {
        match self {
            Task::Review => review,
            Task::Read(_, minutes) | Task::Short(_, minutes) | Task::Lab(_, minutes) => *minutes,
            Task::Drill(_) | Task::Weakest => DRILL,
            Task::Screen | Task::Skim => SCREEN,
            Task::Onsite => ONSITE,
        }
    }

    /// The lesson whose section it reads, all of it or in short.
    pub fn reads(&self) -> Option<&str> {
        match self {
            Task::Read(lesson, _) | Task::Short(lesson, _) => Some(lesson),
            _ => None,
        }
    }

    /// Whether it is a lab or a drill of the lesson that another task reads.
    pub fn needs(&self, reading: &Task, pack: &Pack) -> bool {
        let Some(read) = reading.reads() else { return false };
        match self {
            Task::Drill(lesson) => lesson == read,
            Task::Lab(lab, _) => pack.index().lab(lab).is_some_and(|(lesson, _)| *lesson.id == *read),
            _ => false,
        }
    }

    /// What to do, in one word and those behind it: `Read`, the title of the lesson.
    pub fn words(&self, pack: &Pack) -> (&'static str, String) {
        let index = pack.index();
        let lesson = |id: &String| index.lesson(id).map_or(id.clone(), |l| l.title.to_string());
        match self {
            Task::Review => ("Review", "what is due".into()),
            Task::Read(id, _) => ("Read", lesson(id)),
            Task::Short(id, _) => ("Read", format!("{}, in short", lesson(id))),
            Task::Lab(id, _) => ("Lab", index.lab(id).map_or(id.clone(), |(_, l)| l.title.to_string())),
            Task::Skim => ("Read", "“what to say” of the lessons left out".into()),
            Task::Drill(id) => ("Drill", lesson(id)),
            Task::Weakest => ("Drill", "your weakest part".into()),
            Task::Screen => ("Rehearse", "a screen: 5 prompts of 2 minutes".into()),
            Task::Onsite => ("Rehearse", "an on-site: 6 prompts of 5 minutes".into()),
        }
    }

    /// What to do, in words.
    pub fn sentence(&self, pack: &Pack) -> String {
        let index = pack.index();
        let lesson = |id: &String| index.lesson(id).map_or(id.clone(), |l| l.title.to_string());
        match self {
            Task::Review => "review what is due".into(),
            Task::Read(id, _) => format!("read {}", lesson(id)),
            Task::Short(id, _) => format!("read {} in short", lesson(id)),
            Task::Lab(id, _) => {
                format!("lab {}", index.lab(id).map_or(id.clone(), |(_, l)| l.title.to_string()))
            }
            Task::Skim => "read “what to say” of the lessons left out".into(),
            Task::Drill(id) => format!("answer a drill on {}", lesson(id)),
            Task::Weakest => "answer a drill on your weakest part".into(),
            Task::Screen => "rehearse a screen: 5 prompts of 2 minutes".into(),
            Task::Onsite => "rehearse an on-site: 6 prompts of 5 minutes".into(),
        }
    }
}

impl DayPlan {
    /// Minutes that the day takes.
    pub fn minutes(&self) -> u32 {
        self.tasks.iter().map(|task| task.minutes(self.review)).sum()
    }
}

/// The plan from today to the interview for a learner with so many minutes a day. Empty where the
/// interview is over or more than a year away.
pub fn plan(pack: &Pack, home: &Home, days: impl Into<Span>, minutes: u32) -> Plan {
    plan_from(pack, (home, &[]), days.into(), (minutes, duration::due(pack.index(), &home.due)))
}

/// The same, where what is due on the first day takes so many minutes; `later` is what was put off until these days.
fn plan_from(pack: &Pack, (home, later): (&Home, &[Task]), days: Span, (minutes, due): (u32, u32)) -> Plan {
    let Span { today, interview, .. } = days;
    let ahead = (interview - today).get_days();
    if !(0..=MOST_DAYS).contains(&ahead) {
        return Plan::default();
    }
    let ahead = ahead as usize;
    let frame = Frame { ahead, minutes, due, pins: Vec::new() };
    let frame = Frame { pins: frame.pinned(&order::led(pack, home, later)), ..frame };
    // what was put off comes whatever else does
    let then = &after(pack, home, &frame.pins.concat());
    let Way { rehearsing, weak, is_short, mut work } = way(pack, (home, then), &frame, days);
    let mut plan = Plan { days: Vec::new(), left_out: std::mem::take(&mut work.left_out) };
    let mut more = More::of(pack, home);
    for day in 0..=ahead {
        let review = frame.review(day, rehearsing);
        let mut tasks = if review > 0 { vec![Task::Review] } else { Vec::new() };
        tasks.extend(frame.pins.get(day).into_iter().flatten().cloned());
        let free = |tasks: &[Task]| {
            minutes.saturating_sub(tasks.iter().map(|task| task.minutes(review)).sum::<u32>())
        };
        // before the first answer nothing is weak, and nothing can be asked about a part of it
        let is_unknown = day == 0 && home.strengths.cells.is_empty();
        let weakest = || more.first().filter(|_| is_unknown).unwrap_or(Task::Weakest);
        let mut planned = Vec::new();
        let mut is_filled = day < ahead;
        match ahead - day {
            0 => planned.push(weakest()),
            left if is_short => {
                planned.extend(work.share(day));
                planned.extend((left <= rehearsing).then_some(Task::Screen));
                // nothing that was drilled before takes the time of what has none
                is_filled = plan.left_out.is_empty();
            }
            left if left <= rehearsing => {
                planned.extend(rehearse(left, free(&tasks) + review));
                // what found no time before
                planned.extend(work.share(day));
            }
            _ => {
                planned.extend((weak > 0).then_some(Task::Weakest));
                let new = work.share(day);
                // nothing is left to read, or no time for it
                let room = free(&tasks) / DRILL;
                if new.is_empty() && room > 0 {
                    planned.extend((weak == 0).then(weakest));
                    planned.extend(more.drills(usize::from(room > 1), &tasks));
                }
                is_filled = false;
                planned.extend(new);
            }
        }
        planned.retain(|task| !tasks.contains(task));
        tasks.extend(planned);
        if is_filled {
            tasks.extend(more.drills((free(&tasks) / DRILL) as usize, &tasks));
        }
        more.learn(&tasks);
        let date = today.checked_add((day as i64).days()).unwrap_or(today);
        plan.days.push(DayPlan { date, tasks, review });
    }
    order::sound(pack, home, &mut plan.days, minutes);
    plan
}

/// What the days of a plan are made of before anything is read.
struct Frame {
    /// Days until the interview.
    ahead: usize,
    minutes: u32,
    /// Minutes for what is due on the first day.
    due: u32,
    /// What was put off, by days.
    pins: Vec<Vec<Task>>,
}

impl Frame {
    /// Minutes for what is due. A day that has just the time for its rehearsal reviews nothing.
    fn review(&self, day: usize, rehearsing: usize) -> u32 {
        let usual = REVIEW.min(self.minutes / REVIEW_SHARE);
        match self.ahead - day {
            _ if day == 0 => self.due,
            left if (1..=rehearsing).contains(&left) && usual + SCREEN > self.minutes => 0,
            _ => usual,
        }
    }

    /// What was put off, on the first days that have room for it: a day takes at least one thing.
    fn pinned(&self, later: &[Task]) -> Vec<Vec<Task>> {
        let mut open = later.iter().filter(|task| **task != Task::Review).peekable();
        let day = |day: usize| {
            let (mut of, mut used) = (Vec::new(), self.review(day, 0));
            while let Some(task) =
                open.next_if(|task| of.is_empty() || used + task.minutes(0) <= self.minutes)
            {
                used += task.minutes(0);
                of.push(task.clone());
            }
            of
        };
        (0..self.ahead).map(day).collect()
    }

    /// The minutes of a day beside its review, what was put off until then and what it rehearses.
    fn room(&self, day: usize, rehearsing: usize, rehearsal: &[Task]) -> u32 {
        let pins = self.pins.get(day).into_iter().flatten().filter(|task| !rehearsal.contains(task));
        let used: u32 = pins.chain(rehearsal).map(|task| task.minutes(0)).sum();
        self.minutes.saturating_sub(self.review(day, rehearsing) + used)
    }
}

/// How the days are used.
struct Way {
    /// The days before the interview that belong to rehearsals.
    rehearsing: usize,
    /// Minutes of a day of reading for the weakest part.
    weak: u32,
    /// Whether lessons are read in short.
    is_short: bool,
    work: Work,
}

/// The first way in which nothing is left out: with as many rehearsals as there are to be, with fewer, and with only one;
/// or else with lessons in short.
fn way(pack: &Pack, (home, then): (&Home, &Home), frame: &Frame, days: Span) -> Way {
    let (ahead, minutes) = (frame.ahead, frame.minutes);
    let most = days.rehearsing(home.lessons.values().any(|l| l.read));
    let weak = if is_limited(home) && minutes >= ROOMY { DRILL } else { 0 };
    let ways = (1..=most).rev().flat_map(|rehearsing| {
        let usual =
            [(weak, false, false), (weak, true, false)].into_iter().filter(move |_| rehearsing == most);
        usual.chain([(0, true, false), (0, true, true)]).map(move |way| (rehearsing, way))
    });
    for (rehearsing, (weak, is_full, beside)) in ways {
        let room = |day: usize| {
            let left = ahead - day;
            let is_rehearsal = left <= rehearsing;
            let tasks = if is_rehearsal { rehearse(left, minutes) } else { Vec::new() };
            let tasks: Vec<Task> =
                tasks.into_iter().chain((weak > 0 && !is_rehearsal).then_some(Task::Weakest)).collect();
            // the day before is for rehearsing alone
            let minutes = if left == 1 { 0 } else { frame.room(day, rehearsing, &tasks) };
            // on a day with much to review one reads what there is time for, if there is
            let is_beside = is_rehearsal || frame.review(day, rehearsing) > REVIEW || minutes == 0;
            Room { minutes, is_beside }
        };
        let end = if beside { ahead } else { ahead - rehearsing };
        let rooms: Vec<Room> = (0..end).map(room).collect();
        if let Some(work) = Work::of(pack, then, &rooms, is_full) {
            return Way { rehearsing, weak, is_short: false, work };
        }
    }
    let in_all: u32 = (0..ahead).map(|day| frame.room(day, 0, &[])).sum();
    let met = home.lessons.values().filter(|l| l.read || l.drills > 0).count();
    let rehearsing = usize::from(ahead > 0 && (in_all >= 3 * SCREEN || met >= TO_REHEARSE));
    let rooms = (0..ahead).map(|day| {
        let rehearsal: &[Task] = if ahead - day <= rehearsing { &[Task::Screen] } else { &[] };
        Room { minutes: frame.room(day, rehearsing, rehearsal), is_beside: true }
    });
    let work = short::of(pack, then, &rooms.collect::<Vec<_>>());
    Way { rehearsing, weak: 0, is_short: true, work }
}

/// A learner once some tasks are done.
fn after(pack: &Pack, home: &Home, tasks: &[Task]) -> Home {
    let mut then = home.clone();
    for task in tasks {
        match task {
            Task::Read(id, _) => then.lessons.entry(id.clone()).or_default().read = true,
            Task::Short(id, _) => {
                let lesson = then.lessons.entry(id.clone()).or_default();
                lesson.seen = lesson.seen.max(CORE);
            }
            Task::Drill(id) => {
                let lesson = then.lessons.entry(id.clone()).or_default();
                (lesson.drills, lesson.mean) = (lesson.drills + 1, Some(1.0));
            }
            Task::Lab(id, _) => {
                if let Some((lesson, _)) = pack.index().lab(id) {
                    then.lessons.entry(lesson.id.to_string()).or_default().labs.push(id.clone());
                }
            }
            _ => {}
        }
    }
    then
}

/// Whether the part that limited the last rehearsal is still weak.
fn is_limited(home: &Home) -> bool {
    let part = home.rehearsed.as_ref().and_then(|last| last.limiting.as_ref());
    let strength = part.and_then(|part| home.strengths.part(part));
    strength.is_some_and(|strength| strength < ANSWERED_WELL)
}

/// A day of rehearsal: an on-site on the day before and every second day before that, where there
/// is time, and a drill on the weakest part, where there is time for that too.
fn rehearse(left: usize, minutes: u32) -> Vec<Task> {
    let room = minutes.saturating_sub(REVIEW);
    let first = if left % 2 == 1 && room >= ONSITE { Task::Onsite } else { Task::Screen };
    let has_room = room.saturating_sub(first.minutes(REVIEW)) >= DRILL;
    std::iter::once(first).chain(has_room.then_some(Task::Weakest)).collect()
}
