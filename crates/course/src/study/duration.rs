//! How long a lesson takes: its section, its labs and its checks.
//!
//! The minutes of sections and labs are the author's. A check takes as long as its kind.

use crate::pack::{Check, CheckKind, Lesson, Pack};

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
    match &check.kind {
        CheckKind::Claim(_) => CLAIM,
        CheckKind::Choice(_) => CHOICE,
        CheckKind::Order(_) => ORDER,
        CheckKind::Number(_) => NUMBER,
        CheckKind::Worksheet(sheet) => {
            let cells: usize = sheet.rows.iter().map(|row| row.cells.len()).sum();
            CELL.saturating_mul(u32::try_from(cells).unwrap_or(u32::MAX))
        }
    }
}

/// Minutes for a lesson, its labs and its checks; drills count apart.
pub fn lesson(pack: &Pack, lesson: &Lesson) -> u32 {
    let labs: u32 = lesson.labs.iter().map(|lab| lab.minutes).sum();
    let checks: u32 = pack.checks_of(&lesson.id).map(check).sum();
    lesson.minutes + labs + checks.div_ceil(60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack::{Worksheet, WorksheetCell, WorksheetRow};

    fn of(kind: CheckKind) -> Check {
        Check {
            id: "c".into(),
            lesson: "l".into(),
            question: String::new(),
            kind,
            explain: String::new(),
            hints: Vec::new(),
        }
    }

    #[test]
    fn a_worksheet_takes_as_long_as_its_cells() {
        let cell = WorksheetCell { id: "a".into(), label: "A".into(), options: Vec::new(), start: None };
        let row = WorksheetRow { label: "row".into(), cells: vec![cell; 3] };
        let sheet = Worksheet {
            title: "T".into(),
            checker: "table".into(),
            given: std::collections::BTreeMap::new(),
            rows: vec![row; 2],
        };
        assert_eq!(check(&of(CheckKind::Worksheet(sheet))), 6 * CELL);
        assert!(check(&of(CheckKind::Claim(true))) < check(&of(CheckKind::Order(Vec::new()))));
    }
}
