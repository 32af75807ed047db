//! What learners claim of parts that the rules are not sure of, beside the marks of the rules.

use std::collections::BTreeMap;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};

use super::row::{from_json, ms, to_json};
use super::{Store, StoreError};
use crate::score::Verdict;
use crate::study::attempt::{Attempt, Claims};

impl Store {
    /// Keeps what the learner claims of an attempt, in place of what was claimed before. Cells count it apart from
    /// their marks, which stay those of the rules.
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
            Ok(())
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

/// Counts all claims anew, after an import. `CROSS` begins with the claims, which are fewer than the attempts.
pub fn sum_anew(tx: &Connection) -> rusqlite::Result<()> {
    tx.execute_batch(
        "UPDATE strength SET claimed = 0 WHERE claimed > 0;
         UPDATE strength SET claimed = found.n FROM (
             SELECT a.pack, a.lesson, v.key AS part, count(*) AS n
             FROM claim c CROSS JOIN attempt a ON a.id = c.attempt, json_each(c.verdicts) v
             GROUP BY a.pack, a.lesson, v.key) AS found
         WHERE strength.pack = found.pack AND strength.lesson = found.lesson AND strength.part = found.part;",
    )
}
