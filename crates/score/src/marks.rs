//! Where marks come from: the rules, the learner, a judge. They are kept apart; what a learner claims shows as claimed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Evidence, PartScore, Rubric, Score, Verdict};

/// Who gave a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// The rules of the rubric.
    #[default]
    Rules,
    /// The learner, who was asked.
    You,
    /// A judge of the learner's own.
    Judge,
    /// The instructor of a class.
    Instructor,
}

/// What a learner may be asked about a part that is not sure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ask {
    /// The part.
    pub part: String,
    /// The point.
    pub point: String,
    /// What the point says, in plain words.
    pub says: String,
    /// Whether the rules found it.
    pub found: bool,
    /// Whether they found some of it.
    pub partly: bool,
    /// The learner's likeliest sentence; none where no sentence comes near.
    pub sentence: Option<Evidence>,
}

/// What a learner says to such a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reply {
    /// It was said.
    Yes,
    /// It was said in part.
    Partly,
    /// It was not said.
    No,
}

/// A reply, with the sentence that the learner points at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claimed {
    /// The part.
    pub part: String,
    /// The point.
    pub point: String,
    /// What was said to it.
    pub reply: Reply,
    /// The sentence that says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sentence: Option<Evidence>,
}

/// The same marks with what a learner claims: parts that change by it bear [`Source::You`] and keep the rules'
/// verdict beside. Only parts that are not sure can change; a part that a false statement lowered stays lowered.
pub fn with_claims(rubric: &Rubric, score: &Score, claims: &[Claimed]) -> Score {
    with_verdicts(score, &claimed_verdicts(rubric, score, claims))
}

/// What claims make of the parts that they are about, by part.
pub(super) fn claimed_verdicts(
    rubric: &Rubric,
    score: &Score,
    claims: &[Claimed],
) -> BTreeMap<String, Verdict> {
    let mut verdicts = BTreeMap::new();
    for part in score.parts.iter().filter(|p| p.is_open()) {
        let own: Vec<&Claimed> =
            claims.iter().filter(|c| part.points.iter().any(|p| p.id == c.point)).collect();
        if !own.is_empty() {
            let lowered = score.misconceptions.iter().any(|m| m.part == part.part);
            verdicts.insert(part.part.clone(), claimed(rubric, part, &own, lowered));
        }
    }
    verdicts
}

/// The same marks with verdicts that a learner's claims led to, by part: what [`Scorer::claimed`] gave, once it
/// is kept.
///
/// [`Scorer::claimed`]: super::Scorer::claimed
pub fn with_verdicts(score: &Score, by_you: &BTreeMap<String, Verdict>) -> Score {
    let mut score = score.clone();
    for part in score.parts.iter_mut().filter(|p| p.is_open()) {
        let Some(verdict) = by_you.get(&part.part).copied() else { continue };
        if verdict != part.verdict {
            part.by_rules = Some(part.verdict);
            part.verdict = verdict;
            part.score = points_of(verdict);
        }
        part.source = Source::You;
    }
    score.settle();
    score
}

/// The same marks with verdicts that an instructor gave, by part. They count whoever spoke before; what the rules said
/// stays beside.
pub fn with_instructor(score: &Score, given: &BTreeMap<String, Verdict>) -> Score {
    let mut score = score.clone();
    for part in &mut score.parts {
        let Some(verdict) = given.get(&part.part).copied() else { continue };
        let rules = part.by_rules.unwrap_or(part.verdict);
        part.by_rules = (rules != verdict).then_some(rules);
        part.verdict = verdict;
        part.score = points_of(verdict);
        part.source = Source::Instructor;
    }
    score.settle();
    score
}

/// The verdict of a part with what is claimed of its points.
fn claimed(rubric: &Rubric, part: &PartScore, claims: &[&Claimed], lowered: bool) -> Verdict {
    let reply = |id: &str| claims.iter().find(|c| c.point == id).map(|c| c.reply);
    let met = |id: &str| match reply(id) {
        Some(reply) => reply == Reply::Yes,
        None => part.points.iter().any(|p| p.id == id && p.met),
    };
    let partly = part.points.iter().any(|p| match reply(&p.id) {
        Some(reply) => reply == Reply::Partly,
        None => p.partial,
    });
    let full = part.points.iter().filter(|p| met(&p.id)).count();
    let verdict = if rubric.need_of(&part.part).is_met(full, met) {
        Verdict::Covered
    } else if full > 0 || partly {
        Verdict::Partial
    } else {
        Verdict::Missing
    };
    match (lowered, verdict) {
        (true, Verdict::Covered) => Verdict::Partial,
        (true, _) => Verdict::Missing,
        (false, verdict) => verdict,
    }
}

/// What a verdict counts, 0 to 1.
pub(super) fn points_of(verdict: Verdict) -> f64 {
    match verdict {
        Verdict::Covered => 1.0,
        Verdict::Partial => 0.5,
        Verdict::Missing => 0.0,
    }
}

impl PartScore {
    /// Whether the mark may still change: the rules gave it, and they are not sure. Where each of several points was
    /// found there is nothing left to ask.
    pub fn is_open(&self) -> bool {
        self.source == Source::Rules && !self.sure && !self.is_full()
    }

    /// Whether it is covered by all of its points, of which there are several.
    fn is_full(&self) -> bool {
        self.verdict == Verdict::Covered && self.points.len() > 1 && self.points.iter().all(|p| p.met)
    }

    /// The least and the greatest that the mark may be, each 0 to 1: an unsure verdict is seldom off by more than
    /// a level.
    pub fn range(&self) -> [f64; 2] {
        match self.is_open() {
            true => [(self.score - 0.5).max(0.0), (self.score + 0.5).min(1.0)],
            false => [self.score, self.score],
        }
    }
}

impl Score {
    /// Sums the parts up: the total, what the unsure parts may still change, the weakest part.
    pub(super) fn settle(&mut self) {
        let n = self.parts.len().max(1) as f64;
        let mean = |of: &dyn Fn(&PartScore) -> f64| self.parts.iter().map(of).sum::<f64>() / n;
        let total = mean(&|p| p.score);
        let low = mean(&|p| p.range()[0]);
        let high = mean(&|p| p.range()[1]);
        self.score = total;
        self.range = Some([low, high]);
        let limiting = self.parts.iter().filter(|p| p.verdict != Verdict::Covered).min_by_key(|p| p.verdict);
        self.limiting_part = limiting.map(|p| p.part.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Glossary, Point, score};
    use super::*;

    fn rubric() -> Rubric {
        let point = |id: &str, word: &str| Point {
            id: id.into(),
            part: "problem".into(),
            matches: vec![format!("{word} + gradient")],
            feedback: format!("Say {id}."),
            ..Point::default()
        };
        Rubric {
            parts: vec!["problem".into()],
            points: vec![point("drift", "drift"), point("mean", "mean")],
            need: [("problem".to_owned(), 2.into())].into(),
            ..Rubric::default()
        }
    }

    fn marks(sure: bool) -> Score {
        let mut score =
            score(&rubric(), &Glossary::default(), "The gradient makes each replica drift away from us.");
        score.parts[0].sure = sure;
        score.settle();
        score
    }

    fn claim(reply: Reply) -> Claimed {
        Claimed { part: "problem".into(), point: "mean".into(), reply, sentence: None }
    }

    #[test]
    fn a_claim_raises_an_unsure_part_and_shows() {
        let score = with_claims(&rubric(), &marks(false), &[claim(Reply::Yes)]);
        let part = &score.parts[0];
        assert_eq!(
            (part.verdict, part.source, part.by_rules),
            (Verdict::Covered, Source::You, Some(Verdict::Partial))
        );
        assert_eq!((score.score, score.range), (1.0, Some([1.0, 1.0])));
    }

    #[test]
    fn a_sure_part_is_not_for_claiming() {
        let before = marks(true);
        assert_eq!(with_claims(&rubric(), &before, &[claim(Reply::Yes)]), before);
    }

    #[test]
    fn a_part_of_which_every_point_was_found_is_not_open() {
        let answer =
            "The gradient makes each replica drift away from us. The mean gradient keeps them equal.";
        let mut score = score(&rubric(), &Glossary::default(), answer);
        score.parts[0].sure = false;
        score.settle();
        assert!(score.parts[0].points.iter().all(|p| p.met), "{score:?}");
        assert!(!score.parts[0].is_open());
        assert_eq!(score.range, Some([1.0, 1.0]));
    }

    #[test]
    fn an_open_part_leaves_a_range() {
        assert_eq!(marks(false).range, Some([0.0, 1.0]));
        assert_eq!(marks(true).range, Some([0.5, 0.5]));
        let said_no = with_claims(&rubric(), &marks(false), &[claim(Reply::No)]);
        assert_eq!((said_no.parts[0].verdict, said_no.parts[0].by_rules), (Verdict::Partial, None));
    }
}
