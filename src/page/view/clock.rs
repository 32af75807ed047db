//! A clock on a page.

use jiff::Timestamp;

use crate::study::words::clock;

/// A clock that runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clock {
    /// What it is for; nothing where that is plain.
    pub what: String,
    /// When it read zero.
    pub zero: Timestamp,
    /// The seconds that there are.
    pub of: u32,
    /// Whether it counts down, and time ends at zero.
    pub down: bool,
}

impl Clock {
    /// Seconds since it read zero.
    pub fn spent(&self, now: Timestamp) -> u32 {
        u32::try_from(now.duration_since(self.zero).as_secs().max(0)).unwrap_or(u32::MAX)
    }

    /// Seconds that are left.
    pub fn left(&self, now: Timestamp) -> u32 {
        self.of.saturating_sub(self.spent(now))
    }

    /// What it reads, in words: `1:52 of 5:00`, `0:43 left`.
    pub fn words(&self, now: Timestamp) -> String {
        match self.down {
            true => format!("{} left", clock(self.left(now))),
            false => format!("{} of {}", clock(self.spent(now)), clock(self.of)),
        }
    }
}
