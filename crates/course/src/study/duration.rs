//! How long a lesson takes: its section, its labs and its checks.
//!
//! The minutes of sections and labs are the author's. A check takes as long as its kind.

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
