//! Which edition of a pack was seen last, so that a changed one can say what changed.

use jiff::Timestamp;
use rusqlite::{OptionalExtension, params};

use super::row::{from_json, ms, time, to_json};
use super::{Store, StoreError};
use crate::study::change::Fingerprint;

/// An edition of a pack, as it was seen.
#[derive(Debug, Clone, PartialEq)]
pub struct Edition {
    /// The version its author gave it.
    pub version: String,
    /// What it held.
    pub content: Vec<Fingerprint>,
    /// When it was first seen.
    pub at: Timestamp,
}

impl Store {
    /// The edition of a pack that was seen last.
    pub fn edition(&self, pack: &str) -> Result<Option<Edition>, StoreError> {
        self.read(|c| {
            c.prepare_cached("SELECT version, content, at FROM edition WHERE pack = ?1")?
                .query_row([pack], |row| {
                    let content = from_json(row.get_ref(1)?.as_str()?)?;
                    Ok(Edition {
                        version: row.get(0)?,
                        content,
                        at: time(row.get(2)?)?,
                    })
                })
                .optional()
        })
    }

    /// Keeps the edition of a pack that is seen now.
    pub fn see_edition(
        &self,
        pack: &str,
        version: &str,
        content: &[Fingerprint],
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.write(|tx| {
            tx.execute(
                "INSERT OR REPLACE INTO edition VALUES (?1, ?2, ?3, ?4)",
                params![pack, version, to_json(&content)?, ms(now)],
            )?;
            Ok(())
        })
    }
}
