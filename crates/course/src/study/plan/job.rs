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
