//! The packs and the store, as the pages use them.

use std::path::PathBuf;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

use super::out::Out;
use crate::app::library::Library;
use crate::app::memory::{INTERVIEW, TODAY};
use crate::app::task::MINUTES;
use crate::pack::Pack;
use crate::store::{Rescue, Store, StoreError};
use crate::study::home::Home;
use crate::study::plan::Today;
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
    /// Files for what the store does not take.
    pub rescue: Rescue,
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
            rescue: Rescue::new(&work),
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

    /// Today, where the learner is.
    pub fn today(&self, now: Timestamp) -> Date {
        Zoned::new(now, self.zone.clone()).date()
    }

    /// The day of the interview, if there is one.
    pub fn interview(&self, out: &mut Out) -> Option<Date> {
        let kept = heard(self.store.setting(INTERVIEW), out).flatten()?;
        kept.parse().ok()
    }

    /// What the first course asks for today until the interview; planned now, and kept, where that was
    /// not done yet today. None without an interview ahead.
    pub fn planned(&self, out: &mut Out, now: Timestamp) -> Option<Today> {
        let days = (self.today(now), self.interview(out)?);
        let kept = heard(self.store.setting(TODAY), out).flatten();
        let kept: Option<Today> = kept.and_then(|text| serde_json::from_str(&text).ok());
        if let Some(kept) = kept.filter(|t| (t.date, t.interview) == days) {
            return Some(kept);
        }
        let planned = Today::of(self.pack(0)?, &self.home(0, out, now), days, MINUTES)?;
        let text = serde_json::to_string(&planned).ok()?;
        heard(self.store.set(TODAY, &text, now), out);
        Some(planned)
    }

    /// A time in the learner's words: `2026-11-21 18:05`.
    pub fn when(&self, at: Timestamp) -> String {
        Zoned::new(at, self.zone.clone()).strftime("%Y-%m-%d %H:%M").to_string()
    }

    /// Writes what is typed to files too: for a store that ends with the process.
    pub fn to_files(self) -> Self {
        Desk { rescue: self.rescue.to_files(), ..self }
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
