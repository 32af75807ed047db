//! How long a lesson takes: its section, its labs and its checks.
//!
//! The minutes of sections and labs are the author's. A check takes as long as its kind.

use super::home::LessonProgress;
use crate::pack::index::Lesson;

/// Minutes for a lesson, its labs and its checks; drills count apart.
pub fn lesson(lesson: &Lesson) -> u32 {
    let labs: u32 = lesson.labs.iter().map(|lab| lab.minutes).sum();
    lesson.minutes + labs + lesson.checks.seconds.div_ceil(60)
}

/// Minutes that are left of a lesson: what was not read, labs that were not done, checks that were not right.
pub fn left(lesson: &Lesson, progress: Option<&LessonProgress>) -> u32 {
    let Some(progress) = progress else { return self::lesson(lesson) };
    let reading = if progress.read { 0 } else { lesson.minutes };
    let open = lesson.labs.iter().filter(|lab| !progress.labs.iter().any(|done| *done == *lab.id));
    let labs: u32 = open.map(|lab| lab.minutes).sum();
    let (count, seconds) = (u64::from(lesson.checks.count), u64::from(lesson.checks.seconds));
    let wrong = count.saturating_sub(progress.checks);
    let checks = (seconds * wrong).div_ceil(60 * count.max(1));
    reading + labs + u32::try_from(checks).unwrap_or(u32::MAX)
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
