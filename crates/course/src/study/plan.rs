//! What to do each day until an interview.
//!
//! Reading comes first and in the pack's order, what an interview asks most with a drill and, where time allows,
//! labs. The last third of the days, and the day before, belong to rehearsals, and as days pass none of them is taken
//! away. Once a rehearsal has shown a weak part, the days of reading drill it too. Every day but
//! the first begins with what is due. On the day itself there is only a short warm-up.

use std::ops::RangeInclusive;

use jiff::civil::Date;
use jiff::{Timestamp, ToSpan};
use serde::{Deserialize, Serialize};

use super::home::{Home, LessonProgress};
use crate::pack::Pack;
use crate::pack::index::{Lab, Lesson};

/// Minutes a day that there may be.
pub const MINUTES: RangeInclusive<u32> = 15..=240;
/// Minutes a day where nobody says how many there are.
pub const USUAL_MINUTES: u32 = 60;
/// Minutes for what is due, each day.
const REVIEW: u32 = 10;
/// Minutes of a screen rehearsal with its report, and of skimming.
const SCREEN: u32 = 20;
/// Minutes of an on-site rehearsal with its report.
const ONSITE: u32 = 45;
/// Minutes for a drill with its verdict.
const DRILL: u32 = 10;
/// What answering a drill of a lesson is worth against reading the lesson.
const DRILLED: f64 = 0.35;
/// How many times more the drills count of the lesson that a job asks for most.
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
const MOST_DAYS: i32 = 365;

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
}

/// What was planned for a day, as it stood when the day was first looked at: it does not grow while
/// it is being done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Today {
    /// The day.
    pub date: Date,
    /// The day of the interview that it was planned for.
    pub interview: Date,
    /// What to do, in order.
    pub tasks: Vec<Task>,
    /// How many answers to one part alone there were before.
    pub alone: u64,
    /// The tasks that the learner ticked by hand, by their places.
    #[serde(default)]
    pub ticked: Vec<usize>,
    /// What the learner left for a later day, so that planning anew does not bring it back.
    #[serde(default)]
    pub later: Vec<Task>,
    /// The day that planning for this interview began; none where that was not kept.
    #[serde(default)]
    pub begun: Option<Date>,
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
    /// promised when planning began, up to five. Otherwise each day that passes would take one of them away.
    fn rehearsing(self) -> usize {
        let days = |from: Date| usize::try_from((self.interview - from).get_days()).unwrap_or(0);
        let (all, ahead) = (days(self.begun), days(self.today));
        if ahead <= 1 { ahead } else { ahead.div_ceil(3).max(all.div_ceil(3).min(PROMISED)).min(ahead) }
    }
}

impl Today {
    /// What is to be done today. None where the interview is over or more than a year away.
    pub fn of(pack: &Pack, home: &Home, days: impl Into<Span>, minutes: u32) -> Option<Self> {
        let days = days.into();
        let Span { begun, today, interview } = days;
        let tasks = plan(pack, home, days, minutes).days.into_iter().next()?.tasks;
        let (alone, ticked, later) = (home.alone, Vec::new(), Vec::new());
        Some(Today { date: today, interview, tasks, alone, ticked, later, begun: Some(begun) })
    }

    /// The day that planning for this interview began.
    pub fn begun(&self) -> Date {
        self.begun.unwrap_or(self.date)
    }

    /// Whether each task is done, `begun` being when the day began.
    pub fn done(&self, pack: &Pack, home: &Home, begun: Timestamp) -> Vec<bool> {
        let mut answers = self.alone;
        let mut done = |task: &Task| match task {
            Task::Review => home.due.total() == 0,
            Task::Read(id, _) => home.lessons.get(id).is_some_and(|l| l.read),
            Task::Lab(id, _) => home.lessons.values().any(|l| l.labs.contains(id)),
            Task::Drill(lesson) => {
                let answered = |drill: &str| home.answered.get(drill).is_some_and(|at| *at >= begun);
                pack.index().drills_of(lesson).any(|d| answered(&d.id))
            }
            Task::Weakest => {
                answers += 1;
                home.alone >= answers
            }
            Task::Screen | Task::Onsite => home.rehearsed.as_ref().is_some_and(|r| r.at >= begun),
            // nobody can tell; the day's rehearsal comes after it
            Task::Skim => home.rehearsed.as_ref().is_some_and(|r| r.at >= begun),
        };
        let ticked = |at: &usize| self.ticked.contains(at);
        self.tasks.iter().enumerate().map(|(at, task)| done(task) || ticked(&at)).collect()
    }

    /// Takes a task out of the day; the days after it are planned with it.
    pub fn drop_task(&mut self, at: usize) {
        if at < self.tasks.len() {
            self.later.push(self.tasks.remove(at));
            self.ticked.retain(|ticked| *ticked != at);
            self.ticked.iter_mut().filter(|ticked| **ticked > at).for_each(|ticked| *ticked -= 1);
        }
    }

    /// The plan of the days that follow, once this day is done.
    pub fn rest(&self, pack: &Pack, home: &Home, minutes: u32) -> Plan {
        let Ok(tomorrow) = self.date.tomorrow() else {
            return Plan::default();
        };
        let mut then = home.clone();
        // what is answered today comes back
        then.due.drills = then.due.drills.max(1);
        for task in &self.tasks {
            match task {
                Task::Read(id, _) => then.lessons.entry(id.clone()).or_default().read = true,
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
        plan(pack, &then, Span { begun: self.begun(), today: tomorrow, interview: self.interview }, minutes)
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
    /// Minutes that it takes.
    pub fn minutes(&self) -> u32 {
        match self {
            Task::Review => REVIEW,
            Task::Read(_, minutes) | Task::Lab(_, minutes) => *minutes,
            Task::Drill(_) | Task::Weakest => DRILL,
            Task::Screen | Task::Skim => SCREEN,
            Task::Onsite => ONSITE,
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
        self.tasks.iter().map(Task::minutes).sum()
    }
}

/// The plan from today to the interview for a learner with so many minutes a day. Empty where the
/// interview is over or more than a year away.
pub fn plan(pack: &Pack, home: &Home, days: impl Into<Span>, minutes: u32) -> Plan {
    let days = days.into();
    let Span { today, interview, .. } = days;
    let ahead = (interview - today).get_days();
    if !(0..=MOST_DAYS).contains(&ahead) {
        return Plan::default();
    }
    let ahead = ahead as usize;
    // who has begun keeps the last days for rehearsing, however few are left
    let has_begun = home.lessons.values().any(|l| l.read);
    let kept = if has_begun { REHEARSED.min(ahead) } else { 0 };
    let rehearsing = days.rehearsing().max(kept);
    let reading = ahead - rehearsing;
    let is_due = |day: usize| day > 0 || home.due.total() > 0;
    let weak = if is_limited(home) && minutes >= ROOMY { DRILL } else { 0 };
    let room = |day: usize| minutes.saturating_sub(weak + if is_due(day) { REVIEW } else { 0 });
    let rooms: Vec<u32> = (0..reading).map(room).collect();
    let mut work = Work::of(pack, home, &rooms);
    let mut plan = Plan { days: Vec::new(), left_out: std::mem::take(&mut work.left_out) };
    for day in 0..=ahead {
        let mut tasks = if is_due(day) { vec![Task::Review] } else { Vec::new() };
        match ahead - day {
            0 => tasks.push(Task::Weakest),
            1 if !plan.left_out.is_empty() && minutes >= REVIEW + 2 * SCREEN => {
                tasks.extend([Task::Skim, Task::Screen])
            }
            left if left <= rehearsing => tasks.extend(rehearse(left, minutes)),
            left => {
                tasks.extend((weak > 0).then_some(Task::Weakest));
                tasks.extend(work.share(left - rehearsing, room(day)));
            }
        }
        let date = today.checked_add((day as i64).days()).unwrap_or(today);
        plan.days.push(DayPlan { date, tasks });
    }
    plan
}

/// Whether the part that limited the last rehearsal is still weak.
fn is_limited(home: &Home) -> bool {
    let part = home.rehearsed.as_ref().and_then(|last| last.limiting.as_ref());
    let strength = part.and_then(|part| home.strengths.part(part));
    strength.is_some_and(|strength| strength < ANSWERED_WELL)
}

/// The ids of the lessons for which there is no time, whatever was planned for today already.
pub fn left_out(pack: &Pack, home: &Home, days: impl Into<Span>, minutes: u32) -> Vec<String> {
    plan(pack, home, days, minutes).left_out
}

/// A day of rehearsal: an on-site on the day before and every second day before that, where there
/// is time; the rest of the day goes to the weakest part.
fn rehearse(left: usize, minutes: u32) -> Vec<Task> {
    let room = minutes.saturating_sub(REVIEW);
    let first = if left % 2 == 1 && room >= ONSITE { Task::Onsite } else { Task::Screen };
    let rest = room.saturating_sub(first.minutes()) / DRILL;
    let mut tasks = vec![first];
    tasks.extend((0..rest.min(3)).map(|_| Task::Weakest));
    tasks
}

/// What is still to be read and tried, in order.
struct Work {
    tasks: std::collections::VecDeque<Task>,
    left_out: Vec<String>,
}

/// Something of a lesson that may find time.
struct Piece {
    /// The lesson by its place in the pack, and the place within it: the section, its labs, a drill.
    place: (usize, usize),
    task: Task,
    /// How much an interview asks of its lesson.
    weight: f64,
    /// What comes first takes time first: the opening of the course, sections and drills, labs.
    turn: u8,
    /// What a minute of it is worth.
    worth: f64,
}

impl Work {
    /// The work that fits into some days, each with its minutes for it. An interview asks of a lesson as much as its
    /// author says, or as it has drills; those of the lesson that a job description asks for most count three times, those of the others by their
    /// share of that. So a minute goes where it is worth most: to the sections that are asked most, then to a drill of
    /// each, then to labs. No section is read where one that is asked more had no time; the one that opens the course
    /// is. What is kept stands in the order of the pack.
    fn of(pack: &Pack, home: &Home, days: &[u32]) -> Self {
        let lessons = &pack.index().lessons;
        let mut pieces: Vec<Piece> =
            lessons.iter().enumerate().flat_map(|at| pieces(pack, home, at)).collect();
        pieces.sort_by(|a, b| a.turn.cmp(&b.turn).then(b.worth.total_cmp(&a.worth)));
        let (mut taken, mut left_out): (Vec<Piece>, Vec<usize>) = (Vec::new(), Vec::new());
        let mut refused = 0.0;
        for piece in pieces {
            let (lesson, is_section) = (piece.place.0, matches!(piece.task, Task::Read(..)));
            let is_behind = is_section && piece.turn > 0 && piece.weight < refused;
            let weight = piece.weight;
            if !is_behind && !left_out.contains(&lesson) && take(piece, &mut taken, days) {
                continue;
            }
            if is_section {
                refused = weight.max(refused);
                left_out.push(lesson);
            }
        }
        left_out.sort_unstable();
        Work {
            tasks: taken.into_iter().map(|piece| piece.task).collect(),
            left_out: left_out.into_iter().map(|lesson| lessons[lesson].id.to_string()).collect(),
        }
    }

    /// What comes on the next day of so many, where it has so many minutes; at least one thing.
    fn share(&mut self, days: usize, minutes: u32) -> Vec<Task> {
        let all: Vec<u32> = self.tasks.iter().map(Task::minutes).collect();
        let tasks: Vec<Task> = self.tasks.drain(..share(&all, days, minutes)).collect();
        if tasks.is_empty() { vec![Task::Weakest, Task::Weakest] } else { tasks }
    }
}

/// Takes a piece where all that is taken still fits into the days; says whether it did.
fn take(piece: Piece, taken: &mut Vec<Piece>, days: &[u32]) -> bool {
    let at = taken.partition_point(|other| other.place < piece.place);
    taken.insert(at, piece);
    let all: Vec<u32> = taken.iter().map(|piece| piece.task.minutes()).collect();
    let fits = fits(&all, days);
    if !fits {
        taken.remove(at);
    }
    fits
}

/// Whether tasks of so many minutes, in this order, fit into days of so many minutes.
fn fits(tasks: &[u32], days: &[u32]) -> bool {
    let mut left = tasks;
    for (day, minutes) in days.iter().enumerate() {
        left = &left[share(left, days.len() - day, *minutes)..];
    }
    // a day takes one task whatever it needs; all days together do not
    left.is_empty() && tasks.iter().sum::<u32>() <= days.iter().sum()
}

/// How many of the tasks that are left over some days come on the first of them, at least one: an even share, and not
/// more than its minutes.
fn share(left: &[u32], days: usize, minutes: u32) -> usize {
    let even = left.iter().sum::<u32>().div_ceil(days.max(1) as u32);
    let mut used = 0;
    let is_over = |task: &u32| {
        let is_over = used > 0 && (used >= even || used + task > minutes);
        used += task;
        is_over
    };
    left.iter().position(is_over).unwrap_or(left.len())
}

/// What of a lesson was not done: reading it, its labs, answering its first drill.
fn pieces(pack: &Pack, home: &Home, (nth, lesson): (usize, &Lesson)) -> Vec<Piece> {
    let progress = home.lessons.get(&*lesson.id);
    let drills = pack.index().drills_of(&lesson.id).count();
    let asked = lesson.asked.map_or(drills as f64, f64::from);
    let weight = asked * (1.0 + ASKED * home.posting.share(&lesson.id));
    let a_minute = |worth: f64, minutes: u32| worth / f64::from(minutes.max(1));
    let (mut out, mut reading) = (Vec::new(), f64::INFINITY);
    if !progress.is_some_and(|p| p.read) {
        reading = a_minute(weight, lesson.minutes);
        let task = Task::Read(lesson.id.to_string(), lesson.minutes);
        out.push(Piece { place: (nth, 0), task, weight, turn: u8::from(nth > 0), worth: reading });
    }
    for (at, lab) in lesson.labs.iter().enumerate().filter(|(_, lab)| !is_done(home, lesson, lab)) {
        let task = Task::Lab(lab.id.to_string(), lab.minutes);
        let worth = a_minute(weight, lab.minutes);
        out.push(Piece { place: (nth, at + 1), task, weight, turn: 2, worth });
    }
    // an answer that was given before the section was read does not stand for the drill after it, nor does a poor one
    let is_answered =
        |p: &LessonProgress| p.drills > 0 && p.read && p.mean.is_none_or(|mean| mean >= ANSWERED_WELL);
    if !progress.is_some_and(is_answered) && drills > 0 {
        // after the section that it asks for
        let worth = a_minute(weight * DRILLED, DRILL).min(reading);
        let place = (nth, lesson.labs.len() + 1);
        out.push(Piece { place, task: Task::Drill(lesson.id.to_string()), weight, turn: 1, worth });
    }
    out
}

fn is_done(home: &Home, lesson: &Lesson, lab: &Lab) -> bool {
    home.lessons.get(&*lesson.id).is_some_and(|p| p.labs.iter().any(|done| *done == lab.id))
}
