//! Marks on a learner's own words.

use std::ops::Range;

/// What a mark says about its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MarkKind {
    /// They earned something for the part at that index.
    Part(usize),
    /// They are wrong.
    Wrong,
}

/// A mark on some bytes of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The bytes. What lies outside the text is ignored.
    pub bytes: Range<usize>,
    /// What it says.
    pub kind: MarkKind,
}
