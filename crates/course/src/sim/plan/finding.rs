//! What a checker looked at, and whether it lets a solution pass.

use serde::Serialize;

/// How much a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Weight {
    /// The solution is not accepted with it.
    Error,
    /// It should be known, and may be accepted.
    Warning,
}

/// One thing that a checker looked at.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// A short code: `E9`, `W3`, or the id of a cell.
    pub code: String,
    /// Whether it is as it should be.
    pub ok: bool,
    /// What it weighs where it is not.
    pub weight: Weight,
    /// What was found, in a sentence.
    pub what: String,
    /// The numbers behind it.
    pub numbers: String,
    /// What to do about it; empty where all is well.
    pub cure: String,
    /// The cells that it is about.
    pub cells: Vec<String>,
}

impl Finding {
    /// A finding of `code` about some cells.
    pub(in crate::sim) fn about(code: &str, cells: &[&str]) -> Finding {
        Finding {
            code: code.to_owned(),
            ok: true,
            weight: if code.starts_with('W') { Weight::Warning } else { Weight::Error },
            what: String::new(),
            numbers: String::new(),
            cure: String::new(),
            cells: cells.iter().map(|c| (*c).to_owned()).collect(),
        }
    }

    /// The same, well, with what was found and its numbers.
    pub(in crate::sim) fn well(self, what: impl Into<String>, numbers: impl Into<String>) -> Finding {
        Finding { ok: true, what: what.into(), numbers: numbers.into(), ..self }
    }

    /// The same, faulty, with what was found, its numbers and the cure.
    pub(in crate::sim) fn faulty(
        self,
        what: impl Into<String>,
        numbers: impl Into<String>,
        cure: impl Into<String>,
    ) -> Finding {
        Finding { ok: false, what: what.into(), numbers: numbers.into(), cure: cure.into(), ..self }
    }

    /// Whether a solution is refused for it.
    pub fn refuses(&self) -> bool {
        !self.ok && self.weight == Weight::Error
    }
}

/// Whether findings let a solution pass: nothing that refuses it.
pub fn accepted(findings: &[Finding]) -> bool {
    !findings.iter().any(Finding::refuses)
}
