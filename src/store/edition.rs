//! Which edition of a pack was seen last, so that a changed one can say what changed.

use std::collections::HashSet;

use jiff::Timestamp;
use rusqlite::params;

use super::row::{Readable, from_json, ms, time, to_json};
use super::{Store, StoreError};
use crate::pack::Pack;
use crate::study::change::{Content, Fingerprint, News, changes};
use crate::study::schedule::{ItemKind, is_known};

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

/// The setting that keeps the digest of the course that the program carries, as it was seen last.
pub(super) const SEEN: &str = "seen";

impl Store {
    /// The edition of a pack that was seen last.
    pub fn edition(&self, pack: &str) -> Result<Option<Edition>, StoreError> {
        self.read(|c| {
            c.prepare_cached("SELECT version, content, at FROM edition WHERE pack = ?1")?
                .query_row([pack], |row| {
                    let content = from_json(row.get_ref(1)?.as_str()?)?;
                    Ok(Edition { version: row.get(0)?, content, at: time(row.get(2)?)? })
                })
                .readable()
        })
    }

    /// Whether a pack that the program carries is known to be as it was seen last, so that nothing of it need be read
    /// to tell what changed. One that was never seen has no news either.
    pub fn is_as_seen(&self, pack: &Pack) -> Result<bool, StoreError> {
        let Some(digest) = pack.digest() else { return Ok(false) };
        if self.setting(SEEN)? == Some(digest.to_string()) {
            return Ok(true);
        }
        self.read(|c| Ok(!c.prepare_cached("SELECT 1 FROM edition WHERE pack = ?1")?.exists([&pack.id])?))
    }

    /// Keeps by its digest that a pack is as it was seen last.
    pub fn note_as_seen(&self, pack: &Pack, now: Timestamp) -> Result<(), StoreError> {
        match pack.digest() {
            Some(digest) if self.setting(SEEN)? != Some(digest.to_string()) => {
                self.set(SEEN, &digest.to_string(), now)
            }
            _ => Ok(()),
        }
    }

    /// Lays aside the cards of what a pack no longer has, see [`Store::sift_cards`].
    pub fn take_up(&self, pack: &Pack) -> Result<(), StoreError> {
        let drills: HashSet<&str> = pack.drills.iter().map(|d| &d.id[..]).collect();
        let checks: HashSet<&str> = pack.checks.iter().map(|c| &c.id[..]).collect();
        self.sift_cards(&pack.id, |item| match item.kind {
            ItemKind::Drill => drills.contains(&item.id[..]),
            ItemKind::Check => checks.contains(&item.id[..]),
            ItemKind::Note => is_known(pack, item),
        })
    }

    /// What changed in a pack since it was seen last. None where nothing did. A pack that was never
    /// seen has no news, and counts as seen from now on.
    pub fn news(&self, now_is: &Content, now: Timestamp) -> Result<Option<News>, StoreError> {
        let Some(seen) = self.edition(&now_is.pack)? else {
            self.see(now_is, now)?;
            return Ok(None);
        };
        let changes = changes(&seen.content, &now_is.things);
        Ok((!changes.is_empty()).then(|| News {
            pack: now_is.pack.clone(),
            title: now_is.title.clone(),
            from: seen.version,
            to: now_is.version.clone(),
            changes,
        }))
    }

    /// Keeps that a pack was seen as it is.
    pub fn see(&self, content: &Content, now: Timestamp) -> Result<(), StoreError> {
        self.see_edition(&content.pack, &content.version, &content.things, now)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::built_in;

    #[test]
    fn a_course_is_read_at_once_only_where_something_may_have_changed() {
        let store = Store::in_memory().expect("a store");
        let course = built_in::course();
        let now = Timestamp::UNIX_EPOCH;
        assert!(store.is_as_seen(&course).expect("read"), "nobody saw it, so nothing changed");
        store.see(&Content::of(&course), now).expect("kept");
        assert!(!store.is_as_seen(&course).expect("read"), "an edition is known, its digest is not");
        store.note_as_seen(&course, now).expect("kept");
        assert!(store.is_as_seen(&course).expect("read"));
        store.set(SEEN, "0", now).expect("kept");
        assert!(!store.is_as_seen(&course).expect("read"), "another edition was seen");
    }
}
