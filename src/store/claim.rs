//! What learners claim of parts that the rules are not sure of, beside the marks of the rules.

use std::collections::BTreeMap;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};

use super::row::{from_json, ms, to_json};
use super::sums::{self, Late};
use super::{Store, StoreError};
use crate::score::Verdict;
use crate::study::attempt::{Attempt, Claims};

impl Store {
    /// Keeps what the learner claims of an attempt, in place of what was claimed before. Cells count it apart from
    /// their marks, which stay those of the rules; but what was denied lowers them.
    pub fn claim(&self, attempt: &Attempt, claims: &Claims, at: Timestamp) -> Result<(), StoreError> {
        self.write(|tx| {
            let before = verdicts(tx, &attempt.id)?;
            tx.execute(
                "INSERT INTO claim (attempt, pack, claimed, verdicts, at) VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT DO UPDATE SET claimed = ?3, verdicts = ?4, at = ?5",
                params![
                    attempt.id,
                    attempt.pack,
                    to_json(&claims.claimed)?,
                    to_json(&claims.verdicts)?,
                    ms(at)
                ],
            )?;
            for (parts, by) in [(&before, -1), (&claims.verdicts, 1)] {
                for part in parts.keys() {
                    count(tx, attempt, part, by)?;
                }
            }
            let parts = before.keys().chain(claims.verdicts.keys());
            let of = |part: &String| (attempt.pack.clone(), attempt.lesson.clone(), part.clone());
            sums::settle(tx, &parts.map(of).collect())
        })
    }
}

fn verdicts(tx: &Connection, attempt: &str) -> rusqlite::Result<BTreeMap<String, Verdict>> {
    let found: Option<String> = tx
        .prepare_cached("SELECT verdicts FROM claim WHERE attempt = ?1")?
        .query_row([attempt], |row| row.get(0))
        .optional()?;
    found.map_or(Ok(BTreeMap::new()), |text| from_json(&text))
}

/// Counts a claim more or less in the cell of a part.
fn count(tx: &Connection, a: &Attempt, part: &str, by: i64) -> rusqlite::Result<()> {
    tx.prepare_cached(
        "UPDATE strength SET claimed = max(0, claimed + ?4) WHERE pack = ?1 AND lesson = ?2 AND part = ?3",
    )?
    .execute(params![a.pack, a.lesson, part, by])?;
    Ok(())
}

/// Counts all claims anew, after an import, and makes the cells anew that hold one. `CROSS` begins with the claims, which are fewer than the attempts.
pub fn sum_anew(tx: &Connection) -> rusqlite::Result<()> {
    let mut cells = claimed(tx)?;
    tx.execute_batch(
        "UPDATE strength SET claimed = 0 WHERE claimed > 0;
         UPDATE strength SET claimed = found.n FROM (
             SELECT a.pack, a.lesson, v.key AS part, count(*) AS n
             FROM claim c CROSS JOIN attempt a ON a.id = c.attempt, json_each(c.verdicts) v
             GROUP BY a.pack, a.lesson, v.key) AS found
         WHERE strength.pack = found.pack AND strength.lesson = found.lesson AND strength.part = found.part;",
    )?;
    cells.append(&mut claimed(tx)?);
    sums::settle(tx, &cells)
}

/// The cells that hold a claim.
fn claimed(tx: &Connection) -> rusqlite::Result<Late> {
    tx.prepare_cached("SELECT pack, lesson, part FROM strength WHERE claimed > 0")?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
        .collect()
}
