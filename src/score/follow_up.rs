//! A follow-up question with patterns of its own, made ready like a rubric with a single point.

use super::{Point, Rubric};

/// The id of the one point that answers a follow-up question.
const POINT: &str = "follow-up";

/// A follow-up question on one part of a drill.
#[derive(Debug, Clone, Default)]
pub struct FollowUp {
    /// The part it asks about.
    pub part: String,
    /// The question.
    pub ask: String,
    /// The right answer in one to three sentences. Markdown.
    pub answer: Option<String>,
    /// Patterns, any of which answers the question. None: the points of the part are what counts.
    pub matches: Vec<String>,
    /// Patterns that earn partial credit.
    pub partial: Vec<String>,
}

impl FollowUp {
    /// Whether it has patterns of its own.
    pub fn is_marked(&self) -> bool {
        !self.matches.is_empty()
    }

    /// The rubric of this question alone: its part, its patterns as the only point, and the words and
    /// misconceptions of the drill.
    pub(super) fn rubric(&self, drill: &Rubric) -> Rubric {
        Rubric {
            drill: drill.drill.clone(),
            prompt: self.ask.clone(),
            parts: vec![self.part.clone()],
            need: Default::default(),
            concepts: drill.concepts.clone(),
            points: vec![Point {
                id: POINT.to_owned(),
                part: self.part.clone(),
                matches: self.matches.clone(),
                partial: self.partial.clone(),
                feedback: self.answer.clone().unwrap_or_default(),
            }],
            misconceptions: drill.misconceptions.clone(),
        }
    }
}
