//! Drafts: answers that are being typed, saved while they are.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::row::{Readable, ms, readable, time, unreadable};
use super::{Store, StoreError};
use crate::study::home::Draft;

const COLUMNS: &str = "id, pack, drill, mode, part, text, seconds, at, holder";

impl Store {
    /// Saves a draft under its id and holds it for this instance. An id that is an attempt's
    /// already is left alone. Another text that a running instance keeps under the same id stays, as a draft of its own.
    pub fn save_draft(&self, draft: &Draft) -> Result<(), StoreError> {
        let holder = self.holder(draft.at)?;
        let d = draft;
        self.write(|tx| {
            let other: Option<String> = tx
                .prepare_cached("SELECT holder FROM draft WHERE id = ?1 AND dropped = 0 AND text <> ?2")?
                .query_row(params![d.id, d.text], |row| row.get(0))
                .optional()?
                .flatten();
            if !self.is_free(other.as_deref()) {
                tx.execute(
                    "UPDATE draft SET id = id || '-' || lower(hex(randomblob(4))) WHERE id = ?1",
                    params![d.id],
                )?;
            }
            tx.prepare_cached(
                "INSERT OR REPLACE INTO draft (id, pack, drill, mode, part, text, seconds, dropped, holder, at)
                 SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, ?8, ?9
                 WHERE NOT EXISTS (SELECT 1 FROM attempt WHERE id = ?1)",
            )?
            .execute(params![
                d.id,
                d.pack,
                d.drill,
                d.mode.as_str(),
                d.part,
                d.text,
                d.seconds,
                holder,
                ms(d.at)
            ])?;
            Ok(())
        })
    }

    /// The drafts of a pack that may be gone on with, the newest first: not those that another
    /// running instance holds.
    pub fn drafts(&self, pack: &str) -> Result<Vec<Draft>, StoreError> {
        self.read(|c| self.free_drafts(c, pack))
    }

    /// The drafts of a pack that another running instance holds, the newest first.
    pub fn held_drafts(&self, pack: &str) -> Result<Vec<Draft>, StoreError> {
        self.read(|c| self.all_drafts(c, pack, |is_free| !is_free))
    }

    /// Holds a draft for this instance, so that no other offers it. None where it is gone or held.
    pub fn take_draft(&self, id: &str, now: Timestamp) -> Result<Option<Draft>, StoreError> {
        let holder = self.holder(now)?;
        self.write(|tx| {
            let found = tx
                .prepare_cached(&format!("SELECT {COLUMNS} FROM draft WHERE id = ?1 AND dropped = 0"))?
                .query_row([id], from_row)
                .readable()?
                .filter(|(_, held)| self.is_free(held.as_deref()));
            if found.is_some() {
                tx.execute("UPDATE draft SET holder = ?2 WHERE id = ?1", params![id, holder])?;
            }
            Ok(found.map(|(draft, _)| draft))
        })
    }

    /// Gives a draft up on the learner's word. Its text is kept until a newer word comes, so
    /// that an import cannot bring it back, but it is offered no more.
    pub fn drop_draft(&self, id: &str, now: Timestamp) -> Result<(), StoreError> {
        self.write(|tx| {
            tx.execute(
                "UPDATE draft SET dropped = 1, holder = NULL, at = max(at, ?2) WHERE id = ?1",
                params![id, ms(now)],
            )?;
            Ok(())
        })
    }

    pub(super) fn free_drafts(&self, c: &Connection, pack: &str) -> rusqlite::Result<Vec<Draft>> {
        self.all_drafts(c, pack, |is_free| is_free)
    }

    /// The drafts that are free or held, as `wanted` says.
    fn all_drafts(
        &self,
        c: &Connection,
        pack: &str,
        wanted: impl Fn(bool) -> bool,
    ) -> rusqlite::Result<Vec<Draft>> {
        let mut query = c.prepare_cached(&format!(
            "SELECT {COLUMNS} FROM draft WHERE pack = ?1 AND dropped = 0 ORDER BY at DESC, id"
        ))?;
        let rows: Vec<_> = readable(query.query_map([pack], from_row)?)?;
        let these = rows.into_iter().filter(|(_, held)| wanted(self.is_free(held.as_deref())));
        Ok(these.map(|(draft, _)| draft).collect())
    }

    /// The name under which this instance holds things.
    pub(super) fn holder(&self, now: Timestamp) -> Result<&str, StoreError> {
        let fresh = self.fresh_id(now)?;
        Ok(self.instance.name(|| fresh))
    }

    pub(super) fn is_free(&self, holder: Option<&str>) -> bool {
        holder.is_none_or(|h| !self.instance.is_other(h))
    }
}

fn from_row(row: &Row) -> rusqlite::Result<(Draft, Option<String>)> {
    let draft = Draft {
        id: row.get(0)?,
        pack: row.get(1)?,
        drill: row.get(2)?,
        mode: row.get_ref(3)?.as_str()?.parse().map_err(|e: String| unreadable(e))?,
        part: row.get(4)?,
        text: row.get(5)?,
        seconds: row.get(6)?,
        at: time(row.get(7)?)?,
    };
    Ok((draft, row.get(8)?))
}
