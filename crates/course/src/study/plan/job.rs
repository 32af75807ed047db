//! What a job description changes in a plan, and what is true of the lessons that a plan leaves out.

use std::collections::BTreeSet;

use super::{Plan, Task, Today};
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
    /// Tasks that it has because of the job, where no lesson comes or goes.
    pub more: Vec<Task>,
    /// Tasks that it has no more.
    pub less: Vec<Task>,
    /// Whether the same tasks come on other days.
    pub is_reordered: bool,
    /// Ids of the lessons for which there is no time, with the job.
    pub left_out: Vec<String>,
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
    let beyond = |of: &[Task], other: &[Task]| {
        let mut rest = other.to_vec();
        let is_beyond = |task: &&Task| match rest.iter().position(|t| t == *task) {
            Some(at) => {
                rest.swap_remove(at);
                false
            }
            None => true,
        };
        of.iter().filter(is_beyond).cloned().collect::<Vec<Task>>()
    };
    Some(Moved {
        kept: only(&left_before, &left_out),
        instead: only(&left_out, &left_before),
        more: beyond(&all, &before),
        less: beyond(&before, &all),
        is_reordered: with != without,
        left_out,
    })
}

/// Whether interviews ask every lesson that is left out less than every one that the plan reads, but for what those need
/// and what opens the course.
pub fn is_asked_less(pack: &Pack, (today, rest): (&Today, &Plan)) -> bool {
    let index = pack.index();
    let weight = |id: &str| {
        index.lesson(id).map_or(0.0, |lesson| super::work::weight(index, &Posting::default(), lesson))
    };
    let tasks = today.tasks.iter().chain(rest.days.iter().flat_map(|day| &day.tasks));
    let read: BTreeSet<&str> =
        tasks.filter_map(|task| if let Task::Read(id, _) = task { Some(&**id) } else { None }).collect();
    let needs = read.iter().filter_map(|id| index.lesson(id)).flat_map(|lesson| lesson.needs.iter());
    let needed: BTreeSet<&str> = needs.map(|id| &**id).collect();
    let first = index.lessons.first().map(|lesson| &*lesson.id);
    let kept = read.iter().filter(|id| !needed.contains(**id) && first != Some(**id));
    let least = kept.map(|id| weight(id)).fold(f64::INFINITY, f64::min);
    rest.left_out.iter().all(|id| weight(id) <= least)
}
