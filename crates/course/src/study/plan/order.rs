//! A drill and a lab stand behind the reading that they are about, wherever things were moved.

use super::{CORE, DayPlan, Task};
use crate::pack::Pack;
use crate::study::home::Home;

/// Whether somebody has read a lesson, or the core of it.
fn is_met(home: &Home, lesson: &str) -> bool {
    home.lessons.get(lesson).is_some_and(|of| of.read || of.seen >= CORE)
}

/// Of what was put off what can come as it is: no drill and no lab without its reading, which the plan brings together with it.
pub(super) fn led(pack: &Pack, home: &Home, later: &[Task]) -> Vec<Task> {
    let is_led =
        |task: &&Task| !is_early(task, home, pack) || later.iter().any(|reading| task.needs(reading, pack));
    later.iter().filter(is_led).cloned().collect()
}

/// Whether a drill or a lab would come before its lesson was read.
pub(super) fn is_early(task: &Task, home: &Home, pack: &Pack) -> bool {
    let lab = |id: &String| pack.index().lab(id).map(|(lesson, _)| lesson.id.to_string());
    let lesson = match task {
        Task::Drill(lesson) => Some(lesson.clone()),
        Task::Lab(id, _) => lab(id),
        _ => None,
    };
    lesson.is_some_and(|lesson| !is_met(home, &lesson))
}

/// What of some tasks stands before the reading it is about, by its place; `home` has read nothing of these tasks yet.
pub fn too_early(pack: &Pack, home: &Home, tasks: &[Task]) -> Option<usize> {
    let reading = |at: usize, task: &Task| {
        let of = |reading: &&Task| task.needs(reading, pack);
        let is_before = tasks[..at].iter().any(|reading| of(&reading));
        let later = tasks[at..].iter().find(of).and_then(Task::reads);
        later.filter(|lesson| !is_before && !is_met(home, lesson))
    };
    tasks.iter().enumerate().find(|(at, task)| reading(*at, task).is_some()).map(|(at, _)| at)
}

/// Puts what is to stand behind a reading there: on its day, or on the first day after it that has time for it.
pub(super) fn sound(pack: &Pack, home: &Home, days: &mut [DayPlan], minutes: u32) {
    // each pass puts one thing where it belongs, and none moves forward again
    for _ in 0..days.iter().map(|day| day.tasks.len()).sum() {
        let all: Vec<Task> = days.iter().flat_map(|day| day.tasks.clone()).collect();
        let Some(mut at) = too_early(pack, home, &all) else { return };
        let Some(from) = days.iter().position(|day| {
            let is_here = at < day.tasks.len();
            at -= if is_here { 0 } else { day.tasks.len() };
            is_here
        }) else {
            return;
        };
        let task = days[from].tasks.remove(at);
        let is_of = |reading: &Task| task.needs(reading, pack);
        let Some(read) = days.iter().position(|day| day.tasks.iter().any(is_of)) else { return };
        let last = days.len().saturating_sub(1).max(read);
        let has_room = |day: &DayPlan| day.minutes() + task.minutes(0) <= minutes;
        let to = (read..last).find(|day| has_room(&days[*day])).unwrap_or(read);
        days[to].tasks.retain(|other| *other != task);
        let place = days[to].tasks.iter().position(is_of).map_or(days[to].tasks.len(), |reading| reading + 1);
        days[to].tasks.insert(place, task);
    }
}
