//! Reading positions, and what was read to its end.

use jiff::Timestamp;
use rusqlite::{Connection, Row, params};

use super::row::{Readable, ms, time};
use super::{Store, StoreError};
use crate::study::home::Position;
use crate::study::lab::Begun;

/// What can be done in a lesson.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Done<'a> {
    /// The section, read to its end.
    Section,
    /// A lab, read through, by its id.
    Lab(&'a str),
    /// A line note, recalled, by its id.
    Note(&'a str),
}

/// The setting that keeps how much of a lesson was read, in per cent.
pub fn seen_key(pack: &str, lesson: &str) -> String {
    format!("seen {pack} {lesson}")
}

/// The setting that keeps which sections of a lesson were read, by their numbers from 0, as `0 1 4`.
pub fn sections_key(pack: &str, lesson: &str) -> String {
    format!("sections {pack} {lesson}")
}

/// The setting that keeps what was predicted for a lab.
pub fn predicted_key(pack: &str, lab: &str) -> String {
    format!("predicted {pack} {lab}")
}

/// Between which keys the settings of a kind lie of which this is the first, and at which letter, from 1, the id of a
/// lab or lesson begins in them.
fn keys(from: String) -> (String, String, i64) {
    // all keys that begin so: no id holds a blank, and `!` comes right after it
    let (to, id) = (format!("{}!", from.trim_end()), from.chars().count() as i64 + 1);
    (from, to, id)
}

/// The keys of what was predicted for the labs of a pack.
pub fn predicted_keys(pack: &str) -> (String, String, i64) {
    keys(predicted_key(pack, ""))
}

/// The keys of how much was seen of the lessons of a pack.
pub fn seen_keys(pack: &str) -> (String, String, i64) {
    keys(seen_key(pack, ""))
}

/// The labs of a pack that were begun and not compared to the end, by id.
pub fn begun(c: &Connection, pack: &str) -> rusqlite::Result<Vec<(String, Begun)>> {
    let (from, to, lab) = predicted_keys(pack);
    let kept: Vec<(String, String)> = c
        .prepare_cached("SELECT substr(key, ?3), value FROM setting WHERE key > ?1 AND key < ?2")?
        .query_map(params![from, to, lab], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    Ok(kept.into_iter().filter_map(|(lab, kept)| Some((lab, Begun::of(&kept)?))).collect())
}

/// How much of each section of a pack was on the screen, 0 to 1, by lesson.
pub fn seen(c: &Connection, pack: &str) -> rusqlite::Result<Vec<(String, f64)>> {
    let (from, to, lesson) = seen_keys(pack);
    c.prepare_cached("SELECT substr(key, ?3), value FROM setting WHERE key > ?1 AND key < ?2")?
        .query_map(params![from, to, lesson], |row| {
            let percent: String = row.get(1)?;
            Ok((row.get(0)?, percent.parse::<f64>().unwrap_or(0.0).clamp(0.0, 100.0) / 100.0))
        })?
        .collect()
}

const COLUMNS: &str = "pack, lesson, lab, line, scroll, pane, at";

impl Store {
    /// Keeps where a lesson or lab was left.
    pub fn save_position(&self, p: &Position) -> Result<(), StoreError> {
        let lab = p.lab.as_deref().unwrap_or("");
        self.write(|tx| {
            tx.prepare_cached("INSERT OR REPLACE INTO position VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")?
                .execute(params![p.pack, p.lesson, lab, p.line, p.scroll, p.pane, ms(p.at)])?;
            Ok(())
        })
    }

    /// Where a lesson (or a lab of it) was left.
    pub fn position(
        &self,
        pack: &str,
        lesson: &str,
        lab: Option<&str>,
    ) -> Result<Option<Position>, StoreError> {
        self.read(|c| {
            c.prepare_cached(&format!(
                "SELECT {COLUMNS} FROM position WHERE pack = ?1 AND lesson = ?2 AND lab = ?3"
            ))?
            .query_row([pack, lesson, lab.unwrap_or("")], from_row)
            .readable()
        })
    }

    /// Marks a section, a lab or a line note of a lesson as done.
    pub fn mark_done(&self, pack: &str, lesson: &str, what: Done, now: Timestamp) -> Result<(), StoreError> {
        self.put_done(pack, lesson, what, (true, now))
    }

    /// Takes such a mark back.
    pub fn unmark_done(
        &self,
        pack: &str,
        lesson: &str,
        what: Done,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.put_done(pack, lesson, what, (false, now))
    }

    fn put_done(
        &self,
        pack: &str,
        lesson: &str,
        what: Done,
        (done, now): (bool, Timestamp),
    ) -> Result<(), StoreError> {
        let (kind, item) = match what {
            Done::Section => ("section", lesson),
            Done::Lab(id) => ("lab", id),
            Done::Note(id) => ("note", id),
        };
        self.write(|tx| {
            tx.prepare_cached("INSERT OR REPLACE INTO done VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?
                .execute(params![pack, kind, item, lesson, done, ms(now)])?;
            Ok(())
        })
    }
}

/// The newest position of a pack.
pub fn last(c: &Connection, pack: &str) -> rusqlite::Result<Option<Position>> {
    c.prepare_cached(&format!("SELECT {COLUMNS} FROM position WHERE pack = ?1 ORDER BY at DESC LIMIT 1"))?
        .query_row([pack], from_row)
        .readable()
}

fn from_row(row: &Row) -> rusqlite::Result<Position> {
    let lab: String = row.get(2)?;
    Ok(Position {
        pack: row.get(0)?,
        lesson: row.get(1)?,
        lab: Some(lab).filter(|l| !l.is_empty()),
        line: row.get(3)?,
        scroll: row.get(4)?,
        pane: row.get(5)?,
        at: time(row.get(6)?)?,
    })
}
