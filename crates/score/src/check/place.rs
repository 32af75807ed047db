//! Where something stands in a rubric, and what is wrong there.

use std::ops::Range;

/// Where a pattern stands in a rubric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// `match` of a point: the point, the pattern.
    Full(usize, usize),
    /// `partial` of a point: the point, the pattern.
    Partial(usize, usize),
    /// `match` of a misconception: the misconception, the pattern.
    Misconception(usize, usize),
    /// `match` of a follow-up question: the question, the pattern.
    FollowFull(usize, usize),
    /// `partial` of a follow-up question: the question, the pattern.
    FollowPartial(usize, usize),
    /// `answer` of a follow-up question.
    FollowAnswer(usize),
    /// A word list of one of the drill's own concepts: the concept, the entry.
    Word(usize, usize),
    /// `unless` of a misconception: the misconception, the entry.
    Unless(usize, usize),
}

/// Where a pattern stands among what rubrics share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SharedPlace {
    /// `match` of a claim: the claim, the pattern.
    Claim(usize, usize),
    /// `false` of a claim: the claim, the pattern.
    ClaimContrary(usize, usize),
    /// `unless` of a claim: the claim, the entry.
    ClaimUnless(usize, usize),
    /// `match` of a false statement: the statement, the pattern.
    Falsehood(usize, usize),
    /// `unless` of a false statement: the statement, the entry.
    FalsehoodUnless(usize, usize),
    /// `match` of vague words: the entry, the pattern.
    Vague(usize, usize),
}

impl Place {
    /// The place in a follow-up question of what stands here in its rubric.
    pub(super) fn of_follow_up(self, i: usize) -> Place {
        match self {
            Place::Full(_, j) => Place::FollowFull(i, j),
            Place::Partial(_, j) => Place::FollowPartial(i, j),
            other => other,
        }
    }
}

/// A fault of a rubric.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RubricFault {
    /// The pattern.
    pub place: Place,
    /// The bytes of the pattern.
    pub at: Range<usize>,
    /// Whether the pack can be used all the same.
    pub warning: bool,
    /// What is wrong: lower case, no full stop.
    pub fault: String,
    /// What to do about it.
    pub cure: String,
}

/// A fault of what rubrics share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedFault {
    /// The pattern or word.
    pub place: SharedPlace,
    /// Its bytes.
    pub at: Range<usize>,
    /// What is wrong: lower case, no full stop.
    pub fault: String,
    /// What to do about it.
    pub cure: String,
}
