//! What the services give, with faults said in a line.

use jiff::Timestamp;

use super::out::Out;
use crate::services::Services;
use crate::store::StoreError;
use crate::study::home::Home;

/// The services, for pages that say faults at once. It goes with the last of them.
pub trait Said {
    /// What is known of the learner in a pack. Empty, and said, where it cannot be read.
    fn home_said(&self, index: usize, out: &mut Out, now: Timestamp) -> Home;
}

impl Said for Services {
    fn home_said(&self, index: usize, out: &mut Out, now: Timestamp) -> Home {
        heard(self.home(index, now), out).unwrap_or_default()
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
