//! Whether lessons in short were read or only seen: reading takes time.

use jiff::{SignedDuration, Timestamp};

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
    /// A section that is opened now.
    pub fn of(text: &str, now: Timestamp) -> Self {
        let words = u64::try_from(text.split_whitespace().count()).unwrap_or(0);
        let needed = SignedDuration::from_secs(i64::try_from(words * 60 / WORDS / SHARE).unwrap_or(0));
        let needed = if needed < SHORT { SignedDuration::ZERO } else { needed };
        Pace { needed, spent: SignedDuration::ZERO, since: now }
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_is_read_in_a_quarter_of_its_time_and_a_key_held_down_does_not_read_it() {
        let at = |second: i64| Timestamp::from_second(second).expect("a time");
        // ten minutes of reading
        let mut pace = Pace::of(&"word ".repeat(2500), at(0));
        (0..30).for_each(|tenth| pace.look(at(tenth / 10)));
        assert!(!pace.is_enough() && pace.spent.as_secs() == 2, "{pace:?}");
        // an hour away is no reading
        pace.look(at(3600));
        assert!(!pace.is_enough() && pace.spent.as_secs() == 122, "{pace:?}");
        pace.look(at(3600 + 40));
        assert!(pace.is_enough());
        assert!(Pace::of("A short one.", at(0)).is_enough());
        // a clock that is set back takes nothing away
        pace.look(at(0));
        assert!(pace.is_enough());
    }
}
