//! How checks went, and those that are asked once more.

use std::collections::VecDeque;

use super::Checks;
use crate::page::{At, Next};
use crate::services::Record;

/// Some checks that are asked once more.
#[derive(Debug, Clone, Default)]
pub(super) struct Round {
    /// Those that come after the one at hand.
    pub(super) left: VecDeque<usize>,
    /// How many there are in all.
    pub(super) all: usize,
    /// How many were answered, and how many of them right.
    pub(super) counts: (usize, usize),
    /// What they have in common: `wrong ones`.
    pub(super) of: &'static str,
}

/// How a check went.
#[derive(Debug, Clone, Default)]
pub(super) struct Went {
    /// What its values and its order were drawn from, once it was asked.
    pub(super) seed: u64,
    /// Whether the answer was right; none where it was left out.
    pub(super) right: Option<bool>,
    /// What was answered, in words.
    pub(super) given: String,
}

impl Checks {
    /// Asks those that were wrong once more, one after the other.
    pub(super) fn wrong_again(&mut self, at: &mut At) -> Next {
        let wrong = (0..self.went.len()).filter(|nth| self.went[*nth].right == Some(false));
        self.some_again(wrong.collect(), "wrong ones", at)
    }

    /// Asks those that were left out, one after the other.
    pub(super) fn left_out(&mut self, at: &mut At) -> Next {
        let left = (0..self.went.len()).filter(|nth| self.went[*nth].right.is_none());
        self.some_again(left.collect(), "ones left out", at)
    }

    pub(super) fn some_again(&mut self, mut some: VecDeque<usize>, of: &'static str, at: &mut At) -> Next {
        let all = some.len();
        let Some(first) = some.pop_front() else { return Next::Stay };
        self.again = Some(Round { left: some, all, counts: (0, 0), of });
        self.turn_to(first, at)
    }

    /// Asks all of them, as at first.
    pub(super) fn all_again(&mut self, at: &mut At) -> Next {
        self.went = vec![Went::default(); self.checks.len()];
        self.again = None;
        if let Some(pack) = at.services.pack(self.pack) {
            let record = Record::Setting(self.end_key(pack).into(), String::new());
            at.services.keep(record, at.now).said().into_iter().for_each(|text| at.say(text));
        }
        self.turn_to(0, at)
    }
}
