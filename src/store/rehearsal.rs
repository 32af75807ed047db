//! Rehearsals: their state while they run, and their reports.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::row::{from_json, ms, time, to_json};
use super::{Store, StoreError};
use crate::study::home::Rehearsed;

/// A rehearsal as it is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct RehearsalRow<S, R> {
    /// The id.
    pub id: String,
    /// The pack's id.
    pub pack: String,
    /// When it began.
    pub started: Timestamp,
    /// Its set-up and state.
    pub state: S,
    /// Its report, once it is finished.
    pub report: Option<R>,
    /// When it was last saved.
    pub at: Timestamp,
}

const COLUMNS: &str = "id, pack, started, state, report, at, holder";

impl Store {
    /// Saves the state of a running rehearsal and holds it for this instance. One that is
    /// finished is left as it is.
    pub fn save_rehearsal(
        &self,
        (id, pack): (&str, &str),
        started: Timestamp,
        state: &impl Serialize,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let holder = self.holder(now)?;
        self.write(|tx| {
            tx.prepare_cached(
                "INSERT INTO rehearsal (id, pack, started, state, holder, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                 ON CONFLICT (id) DO UPDATE SET state = ?4, holder = ?5, at = ?6 WHERE report IS NULL",
            )?
            .execute(params![id, pack, ms(started), to_json(state)?, holder, ms(now)])?;
            Ok(())
        })
    }

    /// Keeps the report of a rehearsal, which ends it. `line` is how Home and history name it.
    pub fn finish_rehearsal(&self, line: &Rehearsed, report: &impl Serialize) -> Result<(), StoreError> {
        self.write(|tx| {
            tx.prepare_cached(
                "UPDATE rehearsal SET report = ?2, total = ?3, limiting = ?4, holder = NULL, at = ?5
                 WHERE id = ?1 AND report IS NULL",
            )?
            .execute(params![
                line.id,
                to_json(report)?,
                line.total,
                line.limiting,
                ms(line.at)
            ])?;
            Ok(())
        })
    }

    /// Gives an unfinished rehearsal up on the learner's word; its answers stay.
    pub fn drop_rehearsal(&self, id: &str, now: Timestamp) -> Result<(), StoreError> {
        self.write(|tx| {
            tx.execute(
                "UPDATE rehearsal SET dropped = 1, holder = NULL, at = max(at, ?2)
                 WHERE id = ?1 AND report IS NULL",
                params![id, ms(now)],
            )?;
            Ok(())
        })
    }

    /// The rehearsal with this id.
    pub fn rehearsal<S: DeserializeOwned, R: DeserializeOwned>(
        &self,
        id: &str,
    ) -> Result<Option<RehearsalRow<S, R>>, StoreError> {
        self.read(|c| {
            c.prepare_cached(&format!("SELECT {COLUMNS} FROM rehearsal WHERE id = ?1"))?
                .query_row([id], from_row)
                .optional()
        })
    }

    /// Finished rehearsals of a pack, the newest first.
    pub fn rehearsals(&self, pack: &str, limit: u32) -> Result<Vec<Rehearsed>, StoreError> {
        self.read(|c| finished(c, pack, limit))
    }

    /// The id of the newest unfinished rehearsal that no other running instance holds.
    pub(super) fn unfinished(&self, c: &Connection, pack: &str) -> rusqlite::Result<Option<String>> {
        let rows = c
            .prepare_cached(
                "SELECT id, holder FROM rehearsal WHERE pack = ?1 AND report IS NULL AND dropped = 0
                 ORDER BY at DESC, id DESC",
            )?
            .query_map([pack], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<rusqlite::Result<Vec<(String, Option<String>)>>>()?;
        Ok(rows
            .into_iter()
            .find(|(_, held)| self.is_free(held.as_deref()))
            .map(|(id, _)| id))
    }
}

/// Finished rehearsals, the newest first.
pub fn finished(c: &Connection, pack: &str, limit: u32) -> rusqlite::Result<Vec<Rehearsed>> {
    c.prepare_cached(
        "SELECT id, at, coalesce(total, 0.0), limiting FROM rehearsal
         WHERE pack = ?1 AND report IS NOT NULL ORDER BY at DESC, id DESC LIMIT ?2",
    )?
    .query_map(params![pack, limit], |row| {
        Ok(Rehearsed {
            id: row.get(0)?,
            at: time(row.get(1)?)?,
            total: row.get(2)?,
            limiting: row.get(3)?,
        })
    })?
    .collect()
}

fn from_row<S: DeserializeOwned, R: DeserializeOwned>(row: &Row) -> rusqlite::Result<RehearsalRow<S, R>> {
    let report: Option<String> = row.get(4)?;
    Ok(RehearsalRow {
        id: row.get(0)?,
        pack: row.get(1)?,
        started: time(row.get(2)?)?,
        state: from_json(row.get_ref(3)?.as_str()?)?,
        report: report.map(|r| from_json(&r)).transpose()?,
        at: time(row.get(5)?)?,
    })
}
