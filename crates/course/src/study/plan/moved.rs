//! What a day that slipped, or a task that was moved, costs a plan: in one line.

use jiff::Timestamp;
use jiff::civil::Date;

use super::{Plan, Task, Today};
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

/// What happened to the days since a plan was looked at last, where something on them was not done: `Monday was missed:
/// no time any more for “Topology”.` A day on which something was done was not missed.
pub(super) fn missed(
    pack: &Pack,
    (home, minutes): (&Home, u32),
    (old, done, begun): (&Today, &[bool], Timestamp),
    (today, rest): (&Today, &Plan),
) -> Option<String> {
    let before = old.rest(pack, home, minutes);
    let is_work = |task: &Task| *task != Task::Review;
    let open: Vec<&Task> = old
        .tasks
        .iter()
        .zip(done)
        .filter(|(task, done)| !**done && is_work(task))
        .map(|(task, _)| task)
        .collect();
    let is_begun =
        open.len() < old.tasks.iter().filter(|task| is_work(task)).count() || has_answers(home, begun, 0);
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
    let of = |tasks: &[&Task]| tasks.iter().map(|task| old.minutes(task)).sum::<u32>();
    let all = of(&old.tasks.iter().filter(|task| is_work(task)).collect::<Vec<_>>());
    let was_left = (is_begun && !open.is_empty())
        .then(|| format!("{} of {} minutes of {} are left", of(&open), all, weekday(old.date)));
    let when: Vec<String> = was_left.into_iter().chain(was_missed).collect();
    if when.is_empty() {
        return None;
    }
    let earlier = old.tasks.iter().zip(done).filter(|(_, done)| !**done).map(|(task, _)| task);
    let earlier: Vec<&Task> = earlier.chain(before.days.iter().flat_map(|day| &day.tasks)).collect();
    let later: Vec<&Task> = today.tasks.iter().chain(rest.days.iter().flat_map(|day| &day.tasks)).collect();
    Some(format!(
        "{}: {}.",
        when.join(", and "),
        cost(pack, &earlier, &later).unwrap_or("the plan still has time for all it had".into())
    ))
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
