//! How long a lesson takes: its section, its labs, its checks and its drills.
//!
//! The minutes of sections and labs are the author's. A check takes as long as its kind.

use super::home::{Due, LessonProgress};
use crate::pack::index::{Drill, Index, Lesson};

/// Minutes for a lesson, its labs, its checks and its drills.
pub fn lesson(index: &Index, lesson: &Lesson) -> u32 {
    left(index, lesson, None)
}

/// Minutes that are left of a lesson: what was not read, labs that were not done, checks that were not right, drills in
/// which nothing was earned.
pub fn left(index: &Index, lesson: &Lesson, progress: Option<&LessonProgress>) -> u32 {
    let nothing = LessonProgress::default();
    let reading = reading(lesson, progress);
    let progress = progress.unwrap_or(&nothing);
    let open = lesson.labs.iter().filter(|lab| !progress.labs.iter().any(|done| *done == *lab.id));
    let labs: u32 = open.map(|lab| lab.minutes).sum();
    let (count, seconds) = (u64::from(lesson.checks.count), u64::from(lesson.checks.seconds));
    let wrong = count.saturating_sub(progress.checks);
    let checks = (seconds * wrong).div_ceil(60 * count.max(1));
    let (count, minutes) = index
        .drills_of(&lesson.id)
        .fold((0_u64, 0), |(count, sum), d| (count + 1, sum + u64::from(d.minutes)));
    let drills = (minutes * count.saturating_sub(progress.drills)).div_ceil(count.max(1));
    reading + labs + u32::try_from(checks + drills).unwrap_or(u32::MAX)
}

/// Minutes for one part of a drill's prompt: a third of them, at least one.
pub fn part(drill: &Drill) -> u32 {
    1.max(drill.minutes / 3)
}

/// Seconds for a line note.
const NOTE: u64 = 30;

/// Minutes for what is due: each drill and each check as long as they take on average.
pub fn due(index: &Index, due: &Due) -> u32 {
    if due.total() == 0 {
        return 0;
    }
    let mean = |sum: u64, count: usize| sum / (count as u64).max(1);
    let drill = mean(index.drills.iter().map(|d| u64::from(d.minutes) * 60).sum(), index.drills.len());
    let check = mean(index.checks.iter().map(|c| u64::from(c.asks.seconds())).sum(), index.checks.len());
    let seconds = due.drills * drill + due.checks * check + due.notes * NOTE;
    u32::try_from(seconds.div_ceil(60)).unwrap_or(u32::MAX)
}

/// Minutes that are left of reading a lesson's section: at least one, until it was read to its end.
pub fn reading(lesson: &Lesson, progress: Option<&LessonProgress>) -> u32 {
    match progress {
        None => lesson.minutes,
        Some(progress) if progress.read => 0,
        Some(progress) => to_read(lesson.minutes, (progress.seen.clamp(0.0, 1.0) * 100.0).round() as u32),
    }
}

/// Minutes that are left of a section of so many, of which this much was seen, in per cent: at least one.
pub fn to_read(minutes: u32, seen: u32) -> u32 {
    (minutes * (100 - seen.min(100))).div_ceil(100).clamp(1, minutes.max(1))
}

#[cfg(test)]
mod tests {
    use crate::pack::index::Asks;

    #[test]
    fn a_worksheet_takes_as_long_as_its_cells() {
        let sheet = |cells| Asks::Worksheet { title: "T".into(), cells };
        assert_eq!(sheet(6).seconds(), 6 * sheet(1).seconds());
        assert!(Asks::Short("claim").seconds() < Asks::Short("order").seconds());
    }
}
