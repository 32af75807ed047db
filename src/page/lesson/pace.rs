//! Whether a section was read or only seen: reading takes time, and whoever holds a key down does not read.

use jiff::{SignedDuration, Timestamp};

use super::Lesson;
use crate::page::At;
use crate::services::Record;
use crate::store::spent_key;
use crate::study::duration;

/// Words that are read in a minute.
const WORDS: u64 = 250;
/// Who spends this part of the time that reading takes has read it: a quarter.
const SHARE: u64 = 4;
/// A section that would need less is read as soon as its end was seen.
const SHORT: SignedDuration = SignedDuration::from_secs(20);
/// Nobody reads longer than this without a key.
const STILL: SignedDuration = SignedDuration::from_mins(2);

/// The time spent on a section.
#[derive(Debug, Clone)]
pub struct Pace {
    needed: SignedDuration,
    spent: SignedDuration,
    since: Timestamp,
}

impl Pace {
    /// A section that is opened now; seconds were spent on it before.
    pub fn of(text: &str, spent: u32, now: Timestamp) -> Self {
        let words = u64::try_from(text.split_whitespace().count()).unwrap_or(0);
        let needed = SignedDuration::from_secs(i64::try_from(words * 60 / WORDS / SHARE).unwrap_or(0));
        let needed = if needed < SHORT { SignedDuration::ZERO } else { needed };
        Pace { needed, spent: SignedDuration::from_secs(spent.into()), since: now }
    }

    /// Counts the time since it was looked at last.
    pub fn look(&mut self, now: Timestamp) {
        let passed = now.duration_since(self.since).clamp(SignedDuration::ZERO, STILL);
        (self.spent, self.since) = (self.spent + passed, now);
    }

    /// Whether it can have been read in the time that was spent.
    pub fn is_enough(&self) -> bool {
        self.spent >= self.needed
    }

    /// Seconds that were spent.
    pub fn spent(&self) -> u32 {
        u32::try_from(self.spent.as_secs()).unwrap_or(0)
    }
}

impl Lesson {
    /// Keeps the time spent on it, as long as that decides anything.
    pub(super) fn keep_pace(&mut self, at: &mut At) {
        self.pace.look(at.now);
        if !self.is_done {
            let (key, spent) = (spent_key(&self.pack_id, &self.id), self.pace.spent().to_string());
            let kept = at.services.keep(Record::Setting(key.into(), spent), at.now);
            kept.said().into_iter().for_each(|text| at.say(text));
        }
    }

    /// Whether it was gone through faster than anybody reads, so that seeing its end does not count.
    pub fn is_hurried(&self) -> bool {
        !self.is_done && !self.pace.is_enough()
    }

    /// Minutes of so many that are left to be read, where this much of it is seen now, in per cent; none once it was read.
    pub fn left_to_read(&self, minutes: u32, seen: usize) -> u32 {
        let seen = u32::try_from(seen.max(self.seen)).unwrap_or(100);
        if self.is_done { 0 } else { duration::to_read(minutes, seen) }
    }

    /// Counts the time that was spent on it up to now.
    pub fn spend(&mut self, at: &At) {
        self.pace.look(at.now);
    }

    /// The end of the section was seen: it was read, where it was not too fast for that. True where that is new.
    pub fn finish(&mut self, at: &mut At) -> bool {
        self.spend(at);
        !self.is_done && self.pace.is_enough() && {
            self.mark(true, at);
            true
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_is_read_in_a_quarter_of_its_time_and_a_key_held_down_does_not_read_it() {
        let at = |second: i64| Timestamp::from_second(second).expect("a time");
        // ten minutes of reading
        let mut pace = Pace::of(&"word ".repeat(2500), 0, at(0));
        (0..30).for_each(|tenth| pace.look(at(tenth / 10)));
        assert!(!pace.is_enough() && pace.spent() == 2, "{pace:?}");
        // an hour away is no reading
        pace.look(at(3600));
        assert!(!pace.is_enough() && pace.spent() == 122, "{pace:?}");
        pace.look(at(3600 + 40));
        assert!(pace.is_enough());
        // another day it goes on
        assert!(Pace::of(&"word ".repeat(2500), 150, at(0)).is_enough());
        assert!(Pace::of("A short one.", 0, at(0)).is_enough());
        // a clock that is set back takes nothing away
        let mut pace = Pace::of(&"word ".repeat(2500), 150, at(90));
        pace.look(at(0));
        assert!(pace.is_enough());
    }
}
