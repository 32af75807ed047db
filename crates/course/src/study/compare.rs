//! Two attempts of a drill side by side: what was gained and what was lost.

use super::attempt::Attempt;
use crate::score::{PartScore, Verdict};

/// The difference between two attempts.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// The newer total minus the older, each 0 to 1.
    pub total: f64,
    /// The parts that either was marked on, in the older's order.
    pub parts: Vec<PartDifference>,
    /// Misconceptions that are gone, by id.
    pub cleared: Vec<String>,
    /// Misconceptions that are new, by id.
    pub fallen_for: Vec<String>,
}

/// The difference in one part.
#[derive(Debug, Clone, PartialEq)]
pub struct PartDifference {
    /// The part's id.
    pub part: String,
    /// The verdicts of the older and the newer; none where the part was not asked for.
    pub verdicts: (Option<Verdict>, Option<Verdict>),
    /// The newer mark minus the older. None where either has none.
    pub score: Option<f64>,
    /// Key points met in the newer alone, by id.
    pub gained: Vec<String>,
    /// Key points met in the older alone, by id.
    pub lost: Vec<String>,
}

/// Whether an attempt came before another.
pub fn is_before(a: &Attempt, b: &Attempt) -> bool {
    // an answer that was just given has a finer time than it is kept with
    a.id != b.id && (a.at, &a.id) < (b.at, &b.id)
}

/// Compares an older attempt with a newer one. A point that the learner says was not said counts in neither.
pub fn compare(older: &Attempt, newer: &Attempt) -> Difference {
    let find = |a: &Attempt, id: &str| {
        let mut part = a.marks().find(|p| p.part == id).cloned()?;
        part.points.iter_mut().for_each(|point| point.met &= !a.denies(id, &point.id));
        Some(part)
    };
    let mut ids: Vec<&str> = older.marks().map(|p| &p.part[..]).collect();
    ids.extend(newer.marks().map(|p| &p.part[..]).filter(|id| older.marks().all(|p| p.part != *id)));
    let parts = ids.into_iter().map(|id| part(id, find(older, id), find(newer, id))).collect();
    let wrong = |a: &Attempt| a.score.misconceptions.iter().map(|m| m.id.clone()).collect::<Vec<_>>();
    let (before, after) = (wrong(older), wrong(newer));
    Difference {
        total: newer.total() - older.total(),
        parts,
        cleared: only(&before, &after),
        fallen_for: only(&after, &before),
    }
}

fn part(id: &str, older: Option<PartScore>, newer: Option<PartScore>) -> PartDifference {
    let met = |p: &Option<PartScore>| -> Vec<String> {
        let points = p.iter().flat_map(|p| &p.points).filter(|p| p.met);
        points.map(|p| p.id.clone()).collect()
    };
    let (before, after) = (met(&older), met(&newer));
    PartDifference {
        part: id.into(),
        verdicts: (older.as_ref().map(|p| p.verdict), newer.as_ref().map(|p| p.verdict)),
        score: newer.zip(older).map(|(new, old)| new.score - old.score),
        gained: only(&after, &before),
        lost: only(&before, &after),
    }
}

/// What stands in the first list alone.
fn only(these: &[String], those: &[String]) -> Vec<String> {
    these.iter().filter(|id| !those.contains(id)).cloned().collect()
}
