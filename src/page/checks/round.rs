//! How checks went, and those that are asked once more.

use std::collections::VecDeque;

/// Some checks that are asked once more.
#[derive(Debug, Clone, Default)]
pub(super) struct Round {
    /// Those that come after the one at hand.
    pub(super) left: VecDeque<usize>,
    /// How many there are in all.
    pub(super) all: usize,
    /// How many were answered, and how many of them right.
    pub(super) counts: (usize, usize),
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
