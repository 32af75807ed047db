//! Rehearsals: their state while they run, and their reports.

use jiff::Timestamp;
use rusqlite::{Connection, params};

use super::row::{Readable, from_json, ms, readable, time, to_json};
use super::{Store, StoreError};
use crate::study::home::Rehearsed;
use crate::study::rehearsal::{Rehearsal, Report};

impl Store {
    /// Saves a run as it stands and holds it for this instance. One that is finished is left as it is.
    pub fn save_rehearsal(&self, run: &Rehearsal, now: Timestamp) -> Result<(), StoreError> {
        let holder = self.holder(now)?;
        self.write(|tx| {
            tx.prepare_cached(
                "INSERT INTO rehearsal (id, pack, started, state, holder, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                 ON CONFLICT (id) DO UPDATE SET state = ?4, holder = ?5, at = ?6 WHERE report IS NULL",
            )?
            .execute(params![
                run.id,
                run.setup.pack,
                ms(run.started),
                to_json(run)?,
                holder,
                ms(now)
            ])?;
            Ok(())
        })
    }

    /// An unfinished run, as it was saved last; it is held for this instance from now on. None
    /// where it is gone, finished, or held by another running instance. Its clocks still have to be
    /// [resumed](Rehearsal::resume).
    pub fn take_rehearsal(&self, id: &str, now: Timestamp) -> Result<Option<Rehearsal>, StoreError> {
        let holder = self.holder(now)?;
        self.write(|tx| {
            let found = tx
                .prepare_cached(
                    "SELECT state, holder FROM rehearsal WHERE id = ?1 AND report IS NULL AND dropped = 0",
                )?
                .query_row([id], |row| Ok((from_json(row.get_ref(0)?.as_str()?)?, row.get(1)?)))
                .readable()?
                .filter(|(_, held): &(Rehearsal, Option<String>)| self.is_free(held.as_deref()));
            if found.is_some() {
                tx.execute("UPDATE rehearsal SET holder = ?2 WHERE id = ?1", params![id, holder])?;
            }
            Ok(found.map(|(run, _)| run))
        })
    }

    /// Keeps the report of a run, which ends it.
    pub fn finish_rehearsal(&self, run: &Rehearsal, report: &Report) -> Result<(), StoreError> {
        self.save_rehearsal(run, report.ended)?;
        let line = report.line();
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

    /// Gives an unfinished run up on the learner's word; its answers stay.
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

    /// The report of a finished run.
    pub fn report(&self, id: &str) -> Result<Option<Report>, StoreError> {
        self.read(|c| {
            c.prepare_cached("SELECT report FROM rehearsal WHERE id = ?1 AND report IS NOT NULL")?
                .query_row([id], |row| from_json(row.get_ref(0)?.as_str()?))
                .readable()
        })
    }

    /// Finished runs of a pack, the newest first.
    pub fn rehearsals(&self, pack: &str, limit: u32) -> Result<Vec<Rehearsed>, StoreError> {
        self.read(|c| finished(c, pack, limit))
    }

    /// The id of the newest unfinished run that no other running instance holds, and when it was kept last.
    pub(super) fn unfinished(
        &self,
        c: &Connection,
        pack: &str,
    ) -> rusqlite::Result<Option<(String, Option<Timestamp>)>> {
        let rows = c
            .prepare_cached(
                "SELECT id, holder, at FROM rehearsal WHERE pack = ?1 AND report IS NULL AND dropped = 0
                 ORDER BY at DESC, id DESC",
            )?
            .query_map([pack], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
            .collect::<rusqlite::Result<Vec<(String, Option<String>, i64)>>>()?;
        let free = rows.into_iter().find(|(_, held, _)| self.is_free(held.as_deref()));
        Ok(free.map(|(id, _, at)| (id, time(at).ok())))
    }
}

/// Finished runs, the newest first.
pub fn finished(c: &Connection, pack: &str, limit: u32) -> rusqlite::Result<Vec<Rehearsed>> {
    let mut query = c.prepare_cached(
        "SELECT id, at, coalesce(total, 0.0), limiting FROM rehearsal
         WHERE pack = ?1 AND report IS NOT NULL ORDER BY at DESC, id DESC LIMIT ?2",
    )?;
    readable(query.query_map(params![pack, limit], |row| {
        Ok(Rehearsed { id: row.get(0)?, at: time(row.get(1)?)?, total: row.get(2)?, limiting: row.get(3)? })
    })?)
}
