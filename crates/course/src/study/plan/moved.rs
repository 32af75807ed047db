//! What a day that slipped, or a task that was moved, costs a plan: in one line.

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::{MINUTES, Plan, Task, Today};
use crate::pack::Pack;
use crate::study::home::Home;
use crate::study::words::some;

/// Things that are named in one line where there are more than three; the rest is counted.
const NAMED: usize = 2;

/// What one plan asks for and another does not: titles of readings, and of labs and drills whose reading is still there.
pub fn gone(pack: &Pack, before: &[&Task], after: &[&Task]) -> Vec<String> {
    let missing = |task: &Task| !after.contains(&task);
    let lost = before.iter().filter(|task| missing(task));
    let mut out: Vec<String> = Vec::new();
    for task in lost {
        let goes_with = before.iter().any(|reading| task.needs(reading, pack) && missing(reading));
        let name = match task {
            Task::Read(id, _) | Task::Short(id, _) => {
                format!("“{}”", pack.index().lesson(id).map_or(&**id, |l| &l.title))
            }
            Task::Lab(..) if !goes_with => format!("the lab {}", quoted(task, pack)),
            Task::Drill(_) if !goes_with => format!("the drill on {}", quoted(task, pack)),
            _ => continue,
        };
        if !out.contains(&name) {
            out.push(name);
        }
    }
    out
}

/// Lessons that one plan reads and another reads in short: their titles.
pub fn shortened(pack: &Pack, before: &[&Task], after: &[&Task]) -> Vec<String> {
    let title = |id: &str| format!("“{}”", pack.index().lesson(id).map_or(id, |l| &l.title));
    let is_short = |id: &str| after.iter().any(|task| matches!(task, Task::Short(short, _) if short == id));
    let read = before.iter().filter_map(|task| if let Task::Read(id, _) = task { Some(id) } else { None });
    read.filter(|id| is_short(id)).map(|id| title(id)).collect()
}

/// What became of days on which something was not done.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Slip {
    /// What happened: `Monday was missed`.
    pub what: String,
    /// The same in fewer words: `Monday missed`.
    pub brief: String,
    /// What the plan has no time for any more; nothing where it still has time for all it had.
    pub cost: Option<String>,
    /// The titles of the lessons that it does not read any more.
    pub lost: Vec<String>,
    /// How many it reads in short.
    pub short: usize,
    /// The fewest minutes a day at which it keeps all of them.
    pub keeps: Option<u32>,
}

/// Minutes that are tried at a time, and so many times, to keep what a missed day cost.
const STEP: u32 = 15;
const STEPS: u32 = 6;

impl Slip {
    /// In full, with so many minutes a day now: `Monday was missed: no time any more for “Topology”.`
    pub fn sentence(&self, minutes: u32) -> String {
        match (&self.cost, self.keeps) {
            (Some(_), Some(keeps)) if minutes >= keeps => self.kept(minutes),
            (Some(cost), Some(keeps)) => {
                format!("{}: {cost}. {keeps} minutes a day would keep it all.", self.what)
            }
            (Some(cost), None) => format!("{}: {cost}.", self.what),
            (None, _) => format!("{}: the plan still has time for all it had.", self.what),
        }
    }

    /// In one short line, without what could be done about it: `Monday missed: 3 lessons dropped.`
    pub fn line(&self, minutes: u32) -> String {
        if self.keeps.is_some_and(|keeps| minutes >= keeps) {
            return self.kept(minutes);
        }
        match (self.lost.as_slice(), self.short) {
            ([], 0) => match &self.cost {
                Some(cost) => format!("{}: {cost}.", self.brief),
                None => format!("{}: nothing is lost by it.", self.brief),
            },
            ([], short) => format!("{}: {} in short now.", self.brief, some(short, "lesson")),
            (lost, _) => format!("{}: {} dropped.", self.brief, some(lost.len(), "lesson")),
        }
    }

    /// What could be done about it, below that line: `90 minutes a day would keep them.`
    pub fn cure(&self, minutes: u32) -> Option<String> {
        // as many as the line names
        let named = if self.lost.is_empty() { self.short } else { self.lost.len() };
        let them = if named > 1 { "them" } else { "it" };
        self.offer(minutes).map(|minutes| format!("{minutes} minutes a day would keep {them}."))
    }

    /// The minutes a day that are worth offering: where there are fewer now, and lessons are lost or come in short.
    pub fn offer(&self, minutes: u32) -> Option<u32> {
        self.keeps.filter(|keeps| minutes < *keeps && (self.short > 0 || !self.lost.is_empty()))
    }

    fn kept(&self, minutes: u32) -> String {
        format!("{}: {minutes} minutes a day make up for it.", self.brief)
    }
}

/// What happened to the days since a plan was looked at last, where something on them was not done. A day on which something was
/// done was not missed. `at` plans these days with other minutes: all that they have.
pub(super) fn missed(
    pack: &Pack,
    (home, minutes): (&Home, u32),
    (old, done, begun): (&Today, &[bool], Timestamp),
    at: impl Fn(u32) -> Option<(Today, Plan)>,
) -> Option<Slip> {
    let (today, rest) = at(minutes)?;
    let before = old.rest(pack, home, minutes);
    let is_work = |task: &Task| *task != Task::Review;
    let open: Vec<&Task> = old
        .tasks
        .iter()
        .zip(done)
        .filter(|(task, done)| !**done && is_work(task))
        .map(|(task, _)| task)
        .collect();
    // nobody misses the day on which planning began
    let is_begun = old.date == old.begun()
        || open.len() < old.tasks.iter().filter(|task| is_work(task)).count()
        || has_answers(home, begun, 0);
    let mut days: Vec<Date> = Vec::new();
    days.extend((!open.is_empty() && !is_begun).then_some(old.date));
    let slipped = before.days.iter().zip(1..).filter(|(day, _)| day.date < today.date);
    days.extend(slipped.filter(|(_, nth)| !has_answers(home, begun, *nth)).map(|(day, _)| day.date));
    let was_missed = match days.as_slice() {
        [] => None,
        [day] => Some(format!("{} was missed", weekday(*day))),
        [first, second] => Some(format!("{} and {} were missed", weekday(*first), weekday(*second))),
        days => Some(format!("{} days were missed", days.len())),
    };
    let missed = match days.as_slice() {
        [] => None,
        [day] => Some(format!("{} missed", weekday(*day))),
        [first, second] => Some(format!("{} and {} missed", first.strftime("%a"), second.strftime("%a"))),
        days => Some(format!("{} days missed", days.len())),
    };
    let of = |tasks: &[&Task]| tasks.iter().map(|task| old.minutes(task)).sum::<u32>();
    let all = of(&old.tasks.iter().filter(|task| is_work(task)).collect::<Vec<_>>());
    let was_left = (is_begun && !open.is_empty())
        .then(|| format!("{} of {} minutes of {} are left", of(&open), all, weekday(old.date)));
    let left = was_left.is_some().then(|| format!("{} left {} min", weekday(old.date), of(&open)));
    let brief = left.into_iter().chain(missed).collect::<Vec<_>>().join(", ");
    let when: Vec<String> = was_left.into_iter().chain(was_missed).collect();
    if when.is_empty() {
        return None;
    }
    let earlier = old.tasks.iter().zip(done).filter(|(_, done)| !**done).map(|(task, _)| task);
    let earlier: Vec<&Task> = earlier.chain(before.days.iter().flat_map(|day| &day.tasks)).collect();
    let against = |(today, rest): &(Today, Plan)| {
        let later: Vec<&Task> =
            today.tasks.iter().chain(rest.days.iter().flat_map(|day| &day.tasks)).collect();
        let short = shortened(pack, &earlier, &later).len();
        (cost(pack, &earlier, &later), lessons(pack, &earlier, &later), short)
    };
    let (cost, lost, short) = against(&(today, rest));
    let is_kept =
        |more: &u32| at(*more).is_some_and(|days| matches!(against(&days), (_, lost, 0) if lost.is_empty()));
    let mut more = (1..=STEPS).map(|step| minutes + step * STEP).filter(|more| MINUTES.contains(more));
    let keeps = if lost.is_empty() && short == 0 { None } else { more.find(is_kept) };
    Some(Slip { what: when.join(", and "), brief, cost, lost, short, keeps })
}

/// The titles of lessons that one plan reads, all of them or in short, and another does not.
fn lessons(pack: &Pack, before: &[&Task], after: &[&Task]) -> Vec<String> {
    let is_read = |lesson: &str| after.iter().any(|task| task.reads() == Some(lesson));
    let mut out: Vec<String> = Vec::new();
    for id in before.iter().filter_map(|task| task.reads()).filter(|id| !is_read(id)) {
        let title = pack.index().lesson(id).map_or(id, |l| &l.title).to_owned();
        if !out.contains(&title) {
            out.push(title);
        }
    }
    out
}

/// Whether something was answered or rehearsed on a day, so many days after one that began then.
fn has_answers(home: &Home, begun: Timestamp, days: i64) -> bool {
    let day = |at: Timestamp| at.duration_since(begun).as_hours().div_euclid(24);
    let rehearsed = home.rehearsed.as_ref().map(|rehearsed| rehearsed.at);
    home.answered.values().copied().chain(rehearsed).any(|at| day(at) == days)
}

/// What a plan no longer has time for, against an earlier one; lessons go before all else, and what is read in short before
/// what is not drilled once more.
pub fn cost(pack: &Pack, before: &[&Task], after: &[&Task]) -> Option<String> {
    let is_read =
        |lost: &&Task| after.iter().any(|task| task.reads().is_some() && task.reads() == lost.reads());
    let lessons: Vec<&Task> =
        before.iter().filter(|task| task.reads().is_some() && !is_read(task)).copied().collect();
    let lost = listed(&gone(pack, &lessons, after));
    let shortened = shortened(pack, before, after);
    let short = listed(&shortened);
    match (lost.is_empty(), short.is_empty()) {
        (false, true) => Some(format!("no time any more for {lost}")),
        // beside what is lost their number is enough
        (false, false) => {
            let verb = if shortened.len() == 1 { "comes" } else { "come" };
            Some(format!("no time any more for {lost}; {} {verb} in short", some(shortened.len(), "lesson")))
        }
        (true, false) => Some(format!("in short now {short}")),
        (true, true) => {
            let lost: Vec<&Task> = before.iter().filter(|task| task.reads().is_none()).copied().collect();
            let lost = listed(&gone(pack, &lost, after));
            (!lost.is_empty()).then(|| format!("no time any more for {lost}"))
        }
    }
}

fn weekday(date: Date) -> String {
    date.strftime("%A").to_string()
}

fn quoted(task: &Task, pack: &Pack) -> String {
    format!("“{}”", task.words(pack).1)
}

/// `A`, `A and B`, `A, B and 3 more`.
fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [one, other] => format!("{one} and {other}"),
        [one, other, third] => format!("{one}, {other} and {third}"),
        many => format!("{} and {} more", many[..NAMED].join(", "), many.len() - NAMED),
    }
}
