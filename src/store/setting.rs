//! Settings, puzzle bests and trusted packs.

use std::collections::BTreeMap;

use jiff::Timestamp;
use rusqlite::{OptionalExtension, params};
use serde::{Deserialize, Serialize};

use super::row::{from_json, ms, readable, time, to_json};
use super::{Store, StoreError};

/// The best solution of a puzzle so far.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PuzzleBest {
    /// The value of the output to make small.
    pub best: f64,
    /// The knobs that gave it.
    pub knobs: BTreeMap<String, f64>,
    /// When it was found.
    pub at: Timestamp,
}

impl Store {
    /// Keeps a setting.
    pub fn set(&self, key: &str, value: &str, now: Timestamp) -> Result<(), StoreError> {
        self.write(|tx| {
            tx.execute("INSERT OR REPLACE INTO setting VALUES (?1, ?2, ?3)", params![key, value, ms(now)])?;
            Ok(())
        })
    }

    /// The value of a setting. One that was never set has none.
    pub fn setting(&self, key: &str) -> Result<Option<String>, StoreError> {
        self.read(|c| {
            c.prepare_cached("SELECT value FROM setting WHERE key = ?1")?
                .query_row([key], |row| row.get(0))
                .optional()
        })
    }

    /// All settings.
    pub fn settings(&self) -> Result<BTreeMap<String, String>, StoreError> {
        self.read(|c| {
            c.prepare_cached("SELECT key, value FROM setting")?
                .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect()
        })
    }

    /// Keeps a solution of a puzzle where it is better than the one before. True where it was.
    pub fn save_puzzle(&self, (pack, puzzle): (&str, &str), found: &PuzzleBest) -> Result<bool, StoreError> {
        self.write(|tx| {
            let changed = tx
                .prepare_cached(
                    "INSERT INTO puzzle (pack, item, best, knobs, at) VALUES (?1, ?2, ?3, ?4, ?5)
                     ON CONFLICT DO UPDATE SET best = ?3, knobs = ?4, at = ?5 WHERE ?3 < best",
                )?
                .execute(params![pack, puzzle, found.best, to_json(&found.knobs)?, ms(found.at)])?;
            Ok(changed == 1)
        })
    }

    /// The best solutions of a pack's puzzles, by puzzle id.
    pub fn puzzles(&self, pack: &str) -> Result<BTreeMap<String, PuzzleBest>, StoreError> {
        self.read(|c| {
            let mut query = c.prepare_cached("SELECT item, best, knobs, at FROM puzzle WHERE pack = ?1")?;
            readable(query.query_map([pack], |row| {
                let knobs = from_json(row.get_ref(2)?.as_str()?)?;
                Ok((row.get(0)?, PuzzleBest { best: row.get(1)?, knobs, at: time(row.get(3)?)? }))
            })?)
        })
    }

    /// Trusts the starters of a pack at a place, as long as their fingerprint stays the same.
    pub fn trust(
        &self,
        pack: &str,
        origin: &str,
        fingerprint: &str,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.write(|tx| {
            tx.execute(
                "INSERT OR REPLACE INTO trust VALUES (?1, ?2, ?3, ?4)",
                params![pack, origin, fingerprint, ms(now)],
            )?;
            Ok(())
        })
    }

    /// Whether a pack at a place, with this fingerprint, is trusted on this machine.
    pub fn is_trusted(&self, pack: &str, origin: &str, fingerprint: &str) -> Result<bool, StoreError> {
        self.read(|c| {
            c.prepare_cached("SELECT 1 FROM trust WHERE pack = ?1 AND origin = ?2 AND fingerprint = ?3")?
                .exists([pack, origin, fingerprint])
        })
    }
}
