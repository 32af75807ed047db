//! What an instructor made of a rehearsal since: marks that stand beside those of its report.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::report::Report;
use crate::study::attempt::Attempt;
use crate::study::strength::mean;
use crate::study::words::{percent, some};

/// A rehearsal with the marks that an instructor gave to its answers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Graded {
    /// Who gave them; several are joined by commas.
    pub by: String,
    /// How many marks.
    pub marks: usize,
    /// The total of the rehearsal with them, 0 to 1.
    pub total: f64,
    /// The totals of the answers that have such marks, 0 to 1, by attempt.
    pub answers: BTreeMap<String, f64>,
}

impl Report {
    /// The report with what an instructor gave to its answers, as they are kept now. None where no mark was given.
    pub fn graded(&self, kept: &[Attempt]) -> Option<Graded> {
        let mut by = BTreeSet::new();
        let (mut marks, mut answers) = (0, BTreeMap::new());
        for attempt in kept.iter().filter(|a| self.answers.iter().any(|b| b.attempt == a.id)) {
            let given: Vec<_> =
                attempt.given.iter().filter(|g| g.part.is_some() && g.verdict.is_some()).collect();
            if given.is_empty() {
                continue;
            }
            marks += given.len();
            by.extend(given.iter().map(|g| g.by.clone()));
            answers.insert(attempt.id.clone(), attempt.as_graded().total());
        }
        let whole = self.answers.iter().filter(|a| a.part.is_none());
        let total = mean(whole.map(|a| answers.get(&a.attempt).copied().unwrap_or(a.total))).unwrap_or(0.0);
        let by = by.into_iter().collect::<Vec<_>>().join(", ");
        (marks > 0).then_some(Graded { by, marks, total, answers })
    }
}

impl Graded {
    /// `2 marks by the instructor, Dr B: with them 60%`.
    pub fn said(&self) -> String {
        let marks = some(self.marks, "mark");
        format!("{marks} by the instructor, {}: with them {}", self.by, percent(self.total))
    }
}
