//! What a day that slipped, or a task that was moved, does to a plan: in one line.

use jiff::civil::Date;

use super::{Plan, Task, Today};
use crate::pack::Pack;
use crate::study::home::Home;

/// Things that are named in one line where there are more than three; the rest is counted.
const NAMED: usize = 2;
/// Days that are named one by one.
const DAYS: usize = 2;

/// What one plan asks for and another does not: titles of readings, and of labs and drills whose reading is still there.
pub fn gone(pack: &Pack, before: &[&Task], after: &[&Task]) -> Vec<String> {
    let missing = |task: &Task| !after.contains(&task);
    let lost = before.iter().filter(|task| missing(task));
    let mut out: Vec<String> = Vec::new();
    for task in lost {
        let goes_with = before.iter().any(|reading| task.needs(reading, pack) && missing(reading));
        let name = match task {
            Task::Read(..) => quoted(task, pack),
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

/// `“Topology” has no time any more`; nothing where nothing is gone.
pub fn no_time(gone: &[String]) -> Option<String> {
    let verb = if gone.len() == 1 { "has" } else { "have" };
    (!gone.is_empty()).then(|| format!("{} {verb} no time any more", listed(gone)))
}

/// What happened to the days since a plan was looked at last, where something on them was not done: `Monday was missed:
/// “DDP” is read today; “Topology” has no time any more.`
pub(super) fn missed(
    pack: &Pack,
    (home, minutes): (&Home, u32),
    (old, done): (&Today, &[bool]),
    (today, rest): (&Today, &Plan),
) -> Option<String> {
    let before = old.rest(pack, home, minutes);
    let slipped_away = before.days.iter().filter(|day| day.date < today.date);
    let is_work = |task: &&Task| !matches!(task, Task::Review);
    let open: Vec<&Task> = old
        .tasks
        .iter()
        .zip(done)
        .filter(|(_, done)| !**done)
        .map(|(task, _)| task)
        .filter(is_work)
        .collect();
    let is_whole = open.len() == old.tasks.iter().filter(is_work).count();
    let mut days: Vec<Date> = if open.is_empty() { Vec::new() } else { vec![old.date] };
    days.extend(slipped_away.clone().map(|day| day.date));
    let first = *days.first()?;
    let all_open: Vec<&Task> =
        open.iter().copied().chain(slipped_away.flat_map(|day| &day.tasks).filter(is_work)).collect();
    let when = match days.len() {
        1 if !is_whole && first == old.date => format!("{} was not finished", weekday(first)),
        1 => format!("{} was missed", weekday(first)),
        count if count <= DAYS => {
            let names: Vec<String> = days.iter().map(|day| weekday(*day)).collect();
            format!("{} were missed", names.join(" and "))
        }
        count => format!("{count} days were missed"),
    };
    let of_today: Vec<&Task> = all_open.iter().copied().filter(|task| today.tasks.contains(task)).collect();
    let read: Vec<String> =
        of_today.iter().filter(|t| matches!(t, Task::Read(..))).map(|t| quoted(t, pack)).collect();
    let comes = match (read.len(), of_today.len()) {
        (0, 0) => None,
        (0, _) => Some("what was open comes today".to_owned()),
        (1, _) => Some(format!("{} is read today", listed(&read))),
        _ => Some(format!("{} are read today", listed(&read))),
    };
    let earlier: Vec<&Task> = old.tasks.iter().chain(before.days.iter().flat_map(|day| &day.tasks)).collect();
    let later: Vec<&Task> = today.tasks.iter().chain(rest.days.iter().flat_map(|day| &day.tasks)).collect();
    let is_done = |task: &&&Task| !old.tasks.iter().zip(done).any(|(of, done)| of == **task && *done);
    let earlier: Vec<&Task> = earlier.iter().filter(is_done).copied().collect();
    let lost = no_time(&gone(pack, &earlier, &later));
    let what: Vec<String> = comes.into_iter().chain(lost).collect();
    Some(match what.is_empty() {
        true => format!("{when}; nothing is lost by it."),
        false => format!("{when}: {}.", what.join("; ")),
    })
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
