//! How long a lesson takes: its section, its labs and its checks.
//!
//! The minutes of sections and labs are the author's. A check takes as long as its kind.

use super::home::LessonProgress;
use crate::pack::index::{Asks, Check, Index, Lesson};

/// Seconds for a claim: read it, decide, read why.
const CLAIM: u32 = 30;
/// Seconds for a choice: four options and the explanation.
const CHOICE: u32 = 45;
/// Seconds for putting steps into their order.
const ORDER: u32 = 45;
/// Seconds for a number: find the formula, compute, type.
const NUMBER: u32 = 75;
/// Seconds for a cell of a worksheet.
const CELL: u32 = 20;

/// Seconds that a check takes.
pub fn check(check: &Check) -> u32 {
    match &check.asks {
        Asks::Claim => CLAIM,
        Asks::Choice => CHOICE,
        Asks::Order => ORDER,
        Asks::Number => NUMBER,
        Asks::Worksheet { cells, .. } => CELL.saturating_mul(*cells),
    }
}

/// Minutes for a lesson, its labs and its checks; drills count apart.
pub fn lesson(index: &Index, lesson: &Lesson) -> u32 {
    let labs: u32 = lesson.labs.iter().map(|lab| lab.minutes).sum();
    let checks: u32 = index.checks_of(&lesson.id).map(check).sum();
    lesson.minutes + labs + checks.div_ceil(60)
}

/// Minutes that are left of a lesson: what was not read, labs that were not done, checks that were not right.
pub fn left(index: &Index, lesson: &Lesson, progress: Option<&LessonProgress>) -> u32 {
    let Some(progress) = progress else { return self::lesson(index, lesson) };
    let reading = if progress.read { 0 } else { lesson.minutes };
    let open = lesson.labs.iter().filter(|lab| !progress.labs.iter().any(|done| *done == *lab.id));
    let labs: u32 = open.map(|lab| lab.minutes).sum();
    let (count, seconds) = index
        .checks_of(&lesson.id)
        .map(check)
        .fold((0_u64, 0_u64), |(n, sum), s| (n + 1, sum + u64::from(s)));
    let wrong = count.saturating_sub(progress.checks);
    let checks = (seconds * wrong).div_ceil(60 * count.max(1));
    reading + labs + u32::try_from(checks).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worksheet_takes_as_long_as_its_cells() {
        let of = |asks| check(&Check { id: "c".into(), lesson: "l".into(), asks });
        assert_eq!(of(Asks::Worksheet { title: "T".into(), cells: 6 }), 6 * CELL);
        assert!(of(Asks::Claim) < of(Asks::Order));
    }
}
