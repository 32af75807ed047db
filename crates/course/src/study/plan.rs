//! What to do each day until an interview.
//!
//! Reading comes first and in the pack's order, what an interview asks most, each lesson with what it needs and with a
//! drill soon after it, and, where time allows, labs. The last third of the days, and the day before, belong to rehearsals, and as days pass none of them is taken
//! away; what finds no time before them is read beside them. Once a rehearsal has shown a weak part, the days of
//! reading drill it too, unless lessons are left out for want of time. Every day but the first begins with what is due.
//! On the day itself there is only a short warm-up. No day has the same task twice.

use std::ops::RangeInclusive;

use jiff::ToSpan;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::duration;
use super::home::Home;
use crate::pack::Pack;
use more::More;
pub use today::Today;
use work::{Room, Work};

pub mod job;
mod more;
pub mod moved;
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
/// What answering a drill of a lesson is worth against reading the lesson.
const DRILLED: f64 = 0.35;
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
    /// Read a lab: its id and minutes.
    Lab(String, u32),
    /// Read what to say in an interview, of the lessons for which there was no time.
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
            Task::Read(_, minutes) | Task::Lab(_, minutes) => *minutes,
            Task::Drill(_) | Task::Weakest => DRILL,
            Task::Screen | Task::Skim => SCREEN,
            Task::Onsite => ONSITE,
        }
    }

    /// Whether it is a lab or a drill of the lesson that another task reads.
    pub fn needs(&self, reading: &Task, pack: &Pack) -> bool {
        let Task::Read(read, _) = reading else { return false };
        match self {
            Task::Drill(lesson) => lesson == read,
            Task::Lab(lab, _) => pack.index().lab(lab).is_some_and(|(lesson, _)| *lesson.id == **read),
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

/// The same, where what is due on the first day takes so many minutes; `later` is what was left for these days.
fn plan_from(pack: &Pack, (home, later): (&Home, &[Task]), days: Span, (minutes, due): (u32, u32)) -> Plan {
    let Span { today, interview, .. } = days;
    let ahead = (interview - today).get_days();
    if !(0..=MOST_DAYS).contains(&ahead) {
        return Plan::default();
    }
    let ahead = ahead as usize;
    let rehearsing = days.rehearsing(home.lessons.values().any(|l| l.read));
    let reading = ahead - rehearsing;
    let review = |day: usize| match day {
        0 => due,
        _ => REVIEW,
    };
    // of days on which one reads, and of those on which one rehearses
    let rooms = |weak: u32| {
        // on a day with much to review one reads what there is time for, if there is
        let is_beside = move |day| review(day) > REVIEW;
        let room = move |day| Room {
            minutes: minutes.saturating_sub(weak + review(day)),
            is_beside: is_beside(day),
        };
        (0..reading).map(room)
    };
    let spare = (reading..ahead).map(|day| {
        let used: u32 = rehearse(ahead - day, minutes).iter().map(|task| task.minutes(REVIEW)).sum();
        // the day before is for skimming what was left out
        let minutes = if ahead - day == 1 { 0 } else { minutes.saturating_sub(review(day) + used) };
        Room { minutes, is_beside: true }
    });
    let spare: Vec<Room> = spare.collect();
    let weak = if is_limited(home) && minutes >= ROOMY { DRILL } else { 0 };
    // the first way in which nothing is left out, or else the last one
    let ways = [(weak, false, false), (weak, true, false), (0, true, false), (0, true, true)];
    let ways = ways.into_iter().map(|(weak, is_full, beside)| {
        let rooms: Vec<Room> = rooms(weak).chain(spare.iter().copied().filter(|_| beside)).collect();
        (weak, Work::of(pack, (home, later), &rooms, is_full))
    });
    let mut best = None;
    for way in ways {
        let is_whole = way.1.left_out.is_empty() && way.1.homeless.is_empty();
        best = Some(way);
        if is_whole {
            break;
        }
    }
    let (weak, mut work) = best.unwrap_or_else(|| (0, Work::of(pack, (home, later), &[], false)));
    let mut plan = Plan { days: Vec::new(), left_out: std::mem::take(&mut work.left_out) };
    let mut more = More::of(pack, home);
    for day in 0..=ahead {
        let is_due = review(day) > 0;
        let mut tasks = if is_due { vec![Task::Review] } else { Vec::new() };
        let free = |tasks: &[Task]| {
            minutes.saturating_sub(tasks.iter().map(|task| task.minutes(review(day))).sum::<u32>())
        };
        // before the first answer nothing is weak, and nothing can be asked about a part of it
        let is_unknown = day == 0 && home.strengths.cells.is_empty();
        let weakest = || more.first().filter(|_| is_unknown).unwrap_or(Task::Weakest);
        let mut is_filled = day < ahead;
        match ahead - day {
            0 => tasks.push(weakest()),
            1 if !plan.left_out.is_empty() && minutes >= REVIEW + 2 * SCREEN => {
                tasks.extend([Task::Skim, Task::Screen]);
            }
            left if left <= rehearsing => {
                tasks.extend(rehearse(left, minutes));
                // what found no time before
                tasks.extend(work.share(day));
            }
            _ => {
                tasks.extend((weak > 0).then_some(Task::Weakest));
                let new = work.share(day);
                // nothing is left to read, or no time for it
                let room = free(&tasks) / DRILL;
                if new.is_empty() && room > 0 {
                    tasks.extend((weak == 0).then(weakest));
                    tasks.extend(more.drills(usize::from(room > 1), &tasks));
                }
                // where time is short no day has some left over
                is_filled = !new.is_empty() && !plan.left_out.is_empty();
                tasks.extend(new);
            }
        }
        if day < ahead {
            work.homeless.retain(|task| {
                let fits = !tasks.contains(task) && task.minutes(REVIEW) <= free(&tasks);
                tasks.extend(fits.then(|| task.clone()));
                !fits
            });
        }
        if is_filled {
            tasks.extend(more.drills((free(&tasks) / DRILL) as usize, &tasks));
        }
        more.learn(&tasks);
        let date = today.checked_add((day as i64).days()).unwrap_or(today);
        plan.days.push(DayPlan { date, tasks, review: review(day) });
    }
    plan
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
