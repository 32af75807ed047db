//! Checks: attempts, worksheet entries, puzzle bests.

use std::collections::BTreeMap;

use jiff::Timestamp;
use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};

use super::row::{ms, readable, time};
use super::{Store, StoreError, review};
use crate::study::schedule::{self, Item, ItemKind, Schedule};

/// One answer to a check.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CheckAttempt {
    /// The id.
    pub id: String,
    /// The pack's id.
    pub pack: String,
    /// The check's id.
    pub check: String,
    /// The lesson's id.
    pub lesson: String,
    /// When.
    pub at: Timestamp,
    /// Whether it was right.
    pub right: bool,
    /// What was answered, in words.
    pub given: String,
    /// Hints taken before.
    pub hints: u32,
    /// The seed that its values and its order were drawn from.
    pub seed: u64,
    /// Seconds spent on it.
    pub seconds: u32,
}

impl Store {
    /// Keeps an answer to a check, its sum and the review it makes, in one transaction. An id that
    /// is kept already is left as it is.
    pub fn record_check(&self, attempt: &CheckAttempt, schedule: &Schedule) -> Result<(), StoreError> {
        self.write(|tx| {
            if insert(tx, attempt)? {
                add(tx, attempt)?;
                let item = Item { kind: ItemKind::Check, id: attempt.check.clone() };
                let grade = schedule::grade_check(attempt.right, attempt.hints);
                review::grade(tx, &attempt.pack, &item, grade, (schedule, attempt.at))?;
            }
            Ok(())
        })
    }

    /// The answers to a check, the newest first.
    pub fn checks_of(&self, pack: &str, check: &str, limit: u32) -> Result<Vec<CheckAttempt>, StoreError> {
        self.read(|c| {
            let mut query = c.prepare_cached(
                "SELECT id, pack, item, lesson, at, correct, given, hints, seed, seconds FROM check_attempt
                 WHERE pack = ?1 AND item = ?2 ORDER BY at DESC, id DESC LIMIT ?3",
            )?;
            readable(query.query_map(params![pack, check, limit], from_row)?)
        })
    }

    /// Keeps what was typed into a cell of a worksheet.
    pub fn save_cell(
        &self,
        (pack, check): (&str, &str),
        cell: &str,
        text: &str,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.write(|tx| {
            tx.prepare_cached("INSERT OR REPLACE INTO worksheet VALUES (?1, ?2, ?3, ?4, ?5)")?
                .execute(params![pack, check, cell, text, ms(now)])?;
            Ok(())
        })
    }

    /// What was typed into a worksheet, by cell id.
    pub fn cells(&self, pack: &str, check: &str) -> Result<BTreeMap<String, String>, StoreError> {
        self.read(|c| {
            c.prepare_cached("SELECT cell, text FROM worksheet WHERE pack = ?1 AND item = ?2")?
                .query_map([pack, check], |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect()
        })
    }
}

/// Makes the sums of the checks of all packs anew.
pub fn sum_anew(tx: &Connection) -> rusqlite::Result<()> {
    tx.execute_batch(
        "DELETE FROM check_sum;
         INSERT INTO check_sum (pack, item, lesson, tries, rights, last, last_at)
         SELECT c.pack, c.item, c.lesson, s.tries, s.rights, c.correct, c.at FROM (
             SELECT pack, item, count(*) AS tries, sum(correct) AS rights,
                 (SELECT id FROM check_attempt l WHERE l.pack = a.pack AND l.item = a.item
                  ORDER BY at DESC, id DESC LIMIT 1) AS newest
             FROM check_attempt a GROUP BY pack, item) s
         JOIN check_attempt c ON c.id = s.newest;",
    )
}

fn insert(tx: &Connection, a: &CheckAttempt) -> rusqlite::Result<bool> {
    let added = tx
        .prepare_cached(
            "INSERT INTO check_attempt (id, pack, item, lesson, at, correct, given, hints, seed, seconds)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT (id) DO NOTHING",
        )?
        .execute(params![
            a.id,
            a.pack,
            a.check,
            a.lesson,
            ms(a.at),
            a.right,
            a.given,
            a.hints,
            a.seed.cast_signed(),
            a.seconds
        ])?;
    Ok(added == 1)
}

fn add(tx: &Connection, a: &CheckAttempt) -> rusqlite::Result<()> {
    tx.prepare_cached(
        "INSERT INTO check_sum (pack, item, lesson, tries, rights, last, last_at)
         VALUES (?1, ?2, ?3, 1, ?4, ?4, ?5)
         ON CONFLICT DO UPDATE SET lesson = ?3, tries = tries + 1, rights = rights + ?4,
             last = iif(?5 >= last_at, ?4, last), last_at = max(last_at, ?5)",
    )?
    .execute(params![a.pack, a.check, a.lesson, a.right, ms(a.at)])?;
    Ok(())
}

fn from_row(row: &Row) -> rusqlite::Result<CheckAttempt> {
    let seed: i64 = row.get(8)?;
    Ok(CheckAttempt {
        id: row.get(0)?,
        pack: row.get(1)?,
        check: row.get(2)?,
        lesson: row.get(3)?,
        at: time(row.get(4)?)?,
        right: row.get(5)?,
        given: row.get(6)?,
        hints: row.get(7)?,
        seed: seed.cast_unsigned(),
        seconds: row.get(9)?,
    })
}
