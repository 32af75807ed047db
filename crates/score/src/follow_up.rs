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
            format: drill.format,
            drill: drill.drill.clone(),
            prompt: self.ask.clone(),
            parts: vec![self.part.clone()],
            need: Default::default(),
            concepts: drill.concepts.clone(),
            points: vec![Point {
                id: POINT.to_owned(),
                part: self.part.clone(),
                also: Vec::new(),
                says: None,
                asked: false,
                matches: self.matches.clone(),
                partial: self.partial.clone(),
                feedback: self.answer.clone().unwrap_or_default(),
            }],
            misconceptions: drill.misconceptions.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Flag, Glossary, Misconception, Rubric, Scorer, Verdict};
    use super::*;

    fn drill() -> Rubric {
        Rubric {
            drill: "placement".into(),
            prompt: "Where do the ranks go?".into(),
            parts: vec!["mechanism".into(), "tradeoff".into()],
            points: vec![Point {
                id: "node".into(),
                part: "mechanism".into(),
                matches: vec!["node + tensor".into()],
                partial: Vec::new(),
                feedback: "Say which axis stays in the node.".into(),
                ..Point::default()
            }],
            misconceptions: vec![Misconception {
                id: "all-nodes".into(),
                part: "mechanism".into(),
                matches: vec!["tensor > across all nodes".into()],
                correction: "Tensor parallel stays inside.".into(),
                ..Misconception::default()
            }],
            ..Rubric::default()
        }
    }

    fn follow_up() -> FollowUp {
        FollowUp {
            part: "mechanism".into(),
            ask: "Which ranks average with rank 3?".into(),
            answer: Some("Rank 11 and rank 19.".into()),
            matches: vec!["11 + 19".into()],
            partial: vec!["11".into()],
        }
    }

    fn marks(answer: &str) -> (Verdict, Vec<Flag>) {
        let scorer = Scorer::of_follow_up(&follow_up(), &drill(), &Glossary::default());
        let score = scorer.score(answer);
        assert_eq!(score.parts.len(), 1);
        assert_eq!(score.score, score.parts[0].score);
        (score.parts[0].verdict, score.flags)
    }

    #[test]
    fn a_few_words_answer_it() {
        assert_eq!(marks("rank 11, rank 19"), (Verdict::Covered, vec![]));
        assert_eq!(marks("11 and 19"), (Verdict::Covered, vec![]));
        assert_eq!(marks("11"), (Verdict::Partial, vec![]));
    }

    #[test]
    fn the_points_of_the_drill_do_not_answer_it() {
        assert_eq!(marks("Tensor parallel stays in the node.").0, Verdict::Missing);
    }

    #[test]
    fn a_long_row_of_words_still_states_nothing() {
        let (verdict, _) =
            marks("11 19 ranks tensor node average pipeline gradient weights stage bucket ring");
        assert_eq!(verdict, Verdict::Missing);
    }

    #[test]
    fn misconceptions_of_the_drill_cost_its_part() {
        let (verdict, _) = marks("Rank 11 and rank 19. The tensor group goes across all nodes.");
        assert_eq!(verdict, Verdict::Partial);
    }

    #[test]
    fn what_is_missing_is_told_by_the_answer() {
        let scorer = Scorer::of_follow_up(&follow_up(), &drill(), &Glossary::default());
        assert_eq!(scorer.score("no idea").parts[0].feedback, "Rank 11 and rank 19.");
    }
}
