//! The packs and the store, as the pages use them.

use std::path::PathBuf;

use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

use super::out::Out;
use crate::app::library::Library;
use crate::pack::Pack;
use crate::store::{self, Store, StoreError};
use crate::study::home::Home;
use crate::study::schedule::Schedule;

/// The packs and the store.
pub struct Desk {
    /// The packs.
    pub library: Library,
    /// What the learner did.
    pub store: Store,
    /// Where the learner's days begin and end.
    pub zone: TimeZone,
    /// When things come back.
    pub schedule: Schedule,
    /// The folder for what is written outside of the store.
    pub work: PathBuf,
    /// What is to be said at the start.
    pub notes: Vec<String>,
}

impl Desk {
    /// A desk. `notes` are said at the start.
    pub fn new(
        library: Library,
        store: Store,
        (zone, work): (TimeZone, PathBuf),
        notes: Vec<String>,
    ) -> Self {
        for pack in &library.packs {
            // a fault is said when Home asks for what changed
            let _ = store.take_up(pack);
        }
        Desk {
            library,
            store,
            schedule: Schedule::new(zone.clone()),
            zone,
            work,
            notes,
        }
    }

    /// The pack with this index.
    pub fn pack(&self, index: usize) -> Option<&Pack> {
        self.library.packs.get(index)
    }

    /// What is known of the learner in a pack. Empty, and said, where it cannot be read.
    pub fn home(&self, index: usize, out: &mut Out, now: Timestamp) -> Home {
        let Some(pack) = self.pack(index) else {
            return Home::default();
        };
        heard(self.store.home(&pack.id, now, &self.zone), out).unwrap_or_default()
    }

    /// A time in the learner's words: `2026-11-21 18:05`.
    pub fn when(&self, at: Timestamp) -> String {
        Zoned::new(at, self.zone.clone())
            .strftime("%Y-%m-%d %H:%M")
            .to_string()
    }

    /// Where a text went that the store could not take.
    pub fn rescued(&self, name: &str, text: &str, fault: &StoreError) -> String {
        store::rescued(&self.work, name, text, fault)
    }
}

/// What a store call gave; a fault is said.
pub fn heard<T>(result: Result<T, StoreError>, out: &mut Out) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(fault) => {
            out.say(&format!("Not kept: {fault}."));
            None
        }
    }
}
