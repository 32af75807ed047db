//! How many points of a part make it covered, and how many of them were said: the one rule, in words.

use crate::score::{PartScore, PointScore, Progress, Reply, Source, Verdict};
use crate::study::answer;
use crate::study::words::verdict;

use super::marks::Marks;

/// What was said of a point, and whether that is the learner's own word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Said {
    pub reply: Reply,
    pub by_you: bool,
}

impl<'a> Marks<'a> {
    /// What was said of a point: what the rules found, or else what the learner says.
    pub(super) fn said(&self, part: &PartScore, point: &PointScore) -> Said {
        let found = match (point.met, point.partial) {
            (true, _) => Reply::Yes,
            (false, true) => Reply::Partly,
            (false, false) => Reply::No,
        };
        let reply = self.claim(part, point).map_or(found, |claim| claim.reply);
        Said { reply, by_you: reply != found }
    }

    /// How far a part is from being covered; none where the drill has changed since, or is not at hand.
    fn progress(&self, part: &PartScore) -> Option<Progress> {
        let drill = self.drill?;
        let is_said =
            |id: &str| part.points.iter().any(|p| p.id == id && self.said(part, p).reply == Reply::Yes);
        // a follow-up has one point of its own
        if answer::followed(drill, self.attempt).is_some() {
            let counted = part.points.iter().filter(|p| is_said(&p.id)).count().min(1);
            return Some(Progress { wanted: 1, counted });
        }
        let is_same = part.points.iter().all(|p| drill.rubric.points.iter().any(|q| q.id == p.id));
        is_same.then(|| drill.rubric.progress(&part.part, is_said))
    }

    /// Whether a part is not covered though all was said that covers it: something else is false.
    pub(super) fn is_lowered(&self, part: &PartScore) -> bool {
        let is_enough = self.progress(part).is_some_and(|p| p.counted >= p.wanted);
        is_enough && part.verdict != Verdict::Covered && part.source != Source::Instructor
    }

    /// `2 of 2`: how many of the points that are wanted were said.
    pub(super) fn wanted(&self, part: &PartScore) -> Option<String> {
        let Progress { wanted, counted } = self.progress(part)?;
        let is_vague = counted == 0 && part.verdict == Verdict::Partial;
        let has_part = part.points.iter().any(|p| self.said(part, p).reply == Reply::Partly);
        Some(match (is_vague, has_part) {
            (true, true) => format!("½ of {wanted}"),
            (true, false) => format!("0 of {wanted}, vague"),
            (false, _) => format!("{counted} of {wanted}"),
        })
    }

    /// `2 of these 6 points are enough. You said 1: one more covers it.` Then who gave the mark where that is not the
    /// rules.
    pub(super) fn counted(&self, part: &PartScore) -> String {
        let all: Vec<Said> = part.points.iter().map(|p| self.said(part, p)).collect();
        let count = |reply: Reply| all.iter().filter(|s| s.reply == reply).count();
        let by_you = all.iter().filter(|s| s.reply == Reply::Yes && s.by_you).count();
        let (met, partly) = (count(Reply::Yes), count(Reply::Partly));
        let progress = self.progress(part);
        let own = match (by_you, met) {
            (0, _) => "",
            (yes, met) if yes == met => ", by your own word",
            (1, _) => ", 1 of them by your own word",
            _ => ", some of them by your own word",
        };
        let many = all.len();
        let mut said = match progress.map(|p| p.wanted) {
            _ if many == 0 => String::new(),
            Some(1) if many == 1 => "One point is asked for. ".to_owned(),
            Some(1) => format!("One of these {many} points is enough. "),
            Some(wanted) if wanted == many => format!("All {many} points are wanted. "),
            Some(wanted) => format!("{wanted} of these {many} points are enough. "),
            None => String::new(),
        };
        said.push_str(&match (met, partly) {
            (0, 0) if part.verdict == Verdict::Partial => {
                "You touched on it, but said no point in full".into()
            }
            (0, 0) => "You said none".to_owned(),
            (0, partly) => format!("You said {partly} in part, and none in full"),
            (met, 0) => format!("You said {met}{own}"),
            (met, partly) => format!("You said {met}{own}, and {partly} in part"),
        });
        let lacking = progress.map_or(0, |p| p.wanted - p.counted);
        let is_raised = part.verdict == Verdict::Partial && lacking > 0 && met > 0;
        said.push_str(&match (is_raised, lacking) {
            (true, 1) if met == 1 => ": one more covers it.".to_owned(),
            (true, n) => {
                format!(": {n} more of what is asked {} it.", if n == 1 { "covers" } else { "cover" })
            }
            (false, _) => ".".to_owned(),
        });
        let is_believed = part.verdict == Verdict::Covered && part.source == Source::Rules && lacking > 0;
        if is_believed {
            said.push_str(" All the rest is said, so this counts as said too.");
        }
        if part.is_open() {
            said.push_str(" The rules are not sure of this part.");
        }
        let whose = match part.source {
            Source::Instructor => "the instructor's",
            Source::Judge => "the judge's",
            Source::You | Source::Rules => "your own word",
        };
        if let Some(rules) = part.by_rules {
            said.push_str(&format!(" The mark is {whose}; the rules say {}.", verdict(rules)));
        }
        said
    }
}
