//! Two attempts of a drill side by side: what was gained and what was lost.

use super::attempt::Attempt;
use super::words::verdict;
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

impl Difference {
    /// What to say of it, the total first, then a sentence for each part in which something was gained
    /// or lost, and for statements that are false. `title` names a part.
    pub fn sentences(&self, title: impl Fn(&str) -> String) -> Vec<String> {
        let points = (self.total.abs() * 100.0).round();
        let total = match self.total {
            _ if points < 1.0 => "The same total.".to_owned(),
            total if total > 0.0 => format!("{points} points more."),
            _ => format!("{points} points less."),
        };
        let mut said = vec![total];
        said.extend(self.parts.iter().filter_map(|p| p.sentence(&title(&p.part))));
        for (ids, what) in [(&self.cleared, "No longer said"), (&self.fallen_for, "New and false")] {
            if !ids.is_empty() {
                said.push(format!("{what}: {}.", names(ids)));
            }
        }
        said
    }
}

impl PartDifference {
    /// `Problem: missing before, now covered; gained …; lost …`. None where nothing changed, or where the
    /// part was not asked for in both.
    fn sentence(&self, title: &str) -> Option<String> {
        let (Some(before), Some(now)) = self.verdicts else {
            return None;
        };
        let mut said = Vec::new();
        if before != now {
            said.push(format!("{} before, now {}", verdict(before), verdict(now)));
        }
        for (ids, what) in [(&self.gained, "gained"), (&self.lost, "lost")] {
            if !ids.is_empty() {
                said.push(format!("{what} {}", names(ids)));
            }
        }
        (!said.is_empty()).then(|| format!("{title}: {}.", said.join("; ")))
    }
}

/// Ids as words.
fn names(ids: &[String]) -> String {
    let words: Vec<String> = ids.iter().map(|id| id.replace('-', " ")).collect();
    words.join(", ")
}

/// Whether an attempt came before another.
pub fn is_before(a: &Attempt, b: &Attempt) -> bool {
    (a.at, &a.id) < (b.at, &b.id)
}

/// Compares an older attempt with a newer one.
pub fn compare(older: &Attempt, newer: &Attempt) -> Difference {
    let find = |a: &Attempt, id: &str| a.marks().find(|p| p.part == id).cloned();
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
