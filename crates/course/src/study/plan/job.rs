//! What a job description changes in a plan.

use super::{Task, Today};
use crate::pack::Pack;
use crate::study::home::Home;
use crate::study::posting::Posting;

/// A plan with a job description against the same without it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Moved {
    /// Ids of the lessons that it keeps because of the job.
    pub kept: Vec<String>,
    /// Ids of those that it leaves out instead.
    pub instead: Vec<String>,
    /// Whether the same tasks come on other days.
    pub is_reordered: bool,
    /// Ids of the lessons for which there is no time, with the job.
    pub left_out: Vec<String>,
    /// The lessons for which it has other minutes: their ids, the minutes without the job, and with it.
    pub minutes: Vec<(String, u32, u32)>,
}

/// Minutes that some tasks have for a lesson: its section, its labs, its drills.
fn minutes_of(pack: &Pack, tasks: &[Task], lesson: &str) -> u32 {
    let is_of = |task: &&Task| match task {
        Task::Drill(of) => of == lesson,
        Task::Lab(id, _) => pack.index().lab(id).is_some_and(|(of, _)| *of.id == *lesson),
        task => task.reads() == Some(lesson),
    };
    tasks.iter().filter(is_of).map(|task| task.minutes(0)).sum()
}

/// What the job of `home` changes in what is planned from today on: both plans are made, and compared.
pub fn moved(pack: &Pack, home: &Home, (today, done): (&Today, &[bool]), minutes: u32) -> Option<Moved> {
    let made = |home: &Home| {
        let day = today.anew(pack, home, minutes, done)?;
        let rest = day.rest(pack, home, minutes);
        let days: Vec<Vec<Task>> =
            std::iter::once(day.tasks).chain(rest.days.into_iter().map(|day| day.tasks)).collect();
        Some((days, rest.left_out))
    };
    let (with, left_out) = made(home)?;
    let (without, left_before) = made(&Home { posting: Posting::default(), ..home.clone() })?;
    let only = |of: &[String], other: &[String]| -> Vec<String> {
        of.iter().filter(|id| !other.contains(id)).cloned().collect()
    };
    let (all, before) = (with.concat(), without.concat());
    let minutes = pack.index().lessons.iter().map(|lesson| {
        (lesson.id.to_string(), minutes_of(pack, &before, &lesson.id), minutes_of(pack, &all, &lesson.id))
    });
    Some(Moved {
        minutes: minutes.filter(|(_, before, after)| before != after).collect(),
        kept: only(&left_before, &left_out),
        instead: only(&left_out, &left_before),
        is_reordered: with != without,
        left_out,
    })
}
