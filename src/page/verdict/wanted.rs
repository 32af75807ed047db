//! How many points of a part make it covered, and how many of them were said: the one rule, in words.

use crate::score::{PartScore, PointScore, Progress, Reply, Source, Verdict, count_words};
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

    /// Whether a part counts as covered though a point of it lacks: all the rest of the answer is said.
    fn is_believed(&self, part: &PartScore) -> bool {
        let is_ruled = part.verdict == Verdict::Covered && part.source == Source::Rules;
        is_ruled && self.progress(part).is_some_and(|p| p.counted < p.wanted)
    }

    /// `2 of 2`: how many of the points that are wanted were said.
    pub(super) fn wanted(&self, part: &PartScore) -> Option<String> {
        let Progress { wanted, counted } = self.progress(part)?;
        let is_vague = counted == 0 && part.verdict == Verdict::Partial;
        let has_part = part.points.iter().any(|p| self.said(part, p).reply == Reply::Partly);
        // `covered` beside `0 of 1` would contradict itself
        if self.is_believed(part) {
            return Some(format!("as good as {wanted}"));
        }
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
            Some(1) => match self.alone(part) {
                some if some.len() == many => format!("One of these {many} points is enough. "),
                some if some.len() + 1 == many && many > 2 => {
                    let but: Vec<usize> = (0..many).filter(|at| !some.contains(at)).collect();
                    format!("One of these {many} points is enough, but not {} alone. ", places(&but, "or"))
                }
                some => format!("Of these {many} points {} is enough. ", places(&some, "or")),
            },
            Some(wanted) if wanted == many => format!("All {many} points are wanted. "),
            Some(wanted) => match self.essential(part).as_slice() {
                [] => format!("{wanted} of these {many} points are enough. "),
                some => format!(
                    "{wanted} of these {many} points are enough, {} among them. ",
                    places(some, "and")
                ),
            },
            None => String::new(),
        };
        said.push_str(&match (met, partly) {
            (0, 0) if part.verdict == Verdict::Partial => {
                "You touched on it, but said no point in full".into()
            }
            (0, 0) if self.is_believed(part) => "No point was found in full".to_owned(),
            (0, 0) if self.misconceptions().any(|m| m.part == part.part) => {
                "What you said of this part is not so, and a point inside a false statement does not count"
                    .into()
            }
            (0, 0) => "You said none".to_owned(),
            (0, partly) => format!("You said {partly} in part, and none in full"),
            (met, 0) => format!("You said {met}{own}"),
            (met, partly) => format!("You said {met}{own}, and {partly} in part"),
        });
        let lacking = progress.map_or(0, |p| p.wanted - p.counted);
        let is_raised = part.verdict == Verdict::Partial && lacking > 0 && met > 0;
        let completing = self.completing(part);
        let unsaid = all.iter().filter(|s| s.reply != Reply::Yes).count();
        said.push_str(&match (is_raised, lacking) {
            (true, 1) if !completing.is_empty() && completing.len() < unsaid => {
                format!(": {} covers it.", places(&completing, "or"))
            }
            (true, 1) if met == 1 => ": one more covers it.".to_owned(),
            (true, n) => {
                format!(": {n} more of what is asked {} it.", if n == 1 { "covers" } else { "cover" })
            }
            (false, _) => ".".to_owned(),
        });
        if self.is_believed(part) {
            said.push_str(" The other parts are said in full, so this counts as said too.");
        }
        if part.is_open() {
            said.push_str(&format!(" The rules are not sure of this part: {}.", self.doubt(part)));
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

    /// How a part would stand with these points said, by their places.
    fn with(&self, part: &PartScore, is_said: impl Fn(usize) -> bool) -> bool {
        let of = |id: &str| part.points.iter().position(|p| p.id == id).is_some_and(&is_said);
        self.drill.is_some_and(|drill| {
            let Progress { wanted, counted } = drill.rubric.progress(&part.part, of);
            counted >= wanted
        })
    }

    /// The points of which each alone covers a part.
    fn alone(&self, part: &PartScore) -> Vec<usize> {
        let all = 0..part.points.len();
        let is_followed = self.drill.is_some_and(|drill| answer::followed(drill, self.attempt).is_some());
        all.filter(|point| is_followed || self.with(part, |at| at == *point)).collect()
    }

    /// The points without which nothing covers a part.
    fn essential(&self, part: &PartScore) -> Vec<usize> {
        (0..part.points.len()).filter(|point| !self.with(part, |at| at != *point)).collect()
    }

    /// The points that are not said and of which each covers the part, beside what is.
    fn completing(&self, part: &PartScore) -> Vec<usize> {
        let is_said = |at: usize| part.points.get(at).is_some_and(|p| self.said(part, p).reply == Reply::Yes);
        let open = (0..part.points.len()).filter(|point| !is_said(*point));
        open.filter(|point| self.with(part, |at| at == *point || is_said(at))).collect()
    }

    /// Why the rules are not sure of a part, in half a sentence.
    fn doubt(&self, part: &PartScore) -> &'static str {
        let words =
            || part.points.iter().flat_map(|p| &p.evidence).map(|e| count_words(&e.text)).sum::<usize>();
        let is_partly = part.points.iter().any(|p| p.partial);
        let is_enough = self.progress(part).is_some_and(|p| p.counted >= p.wanted);
        match part.verdict {
            _ if self.misconceptions().next().is_some() && words() > 0 => "something false stands beside it",
            Verdict::Covered if !is_enough => "one point of it was found in part only",
            Verdict::Covered if words() < FEW => "it is said in few words",
            Verdict::Covered => "it is near the border to partial",
            Verdict::Partial if is_partly => "words of yours fit one of the points in part",
            Verdict::Partial if words() == 0 => "it is touched on in general words",
            Verdict::Partial => "you may have said another of its points in words that they do not know",
            Verdict::Missing => "you may have said it in words that they do not know",
        }
    }
}

/// Fewer words than this say a part briefly.
const FEW: usize = 8;

/// `the first`, `the first, the second or the third`.
fn places(points: &[usize], joined: &str) -> String {
    let name = |at: &usize| match at {
        0 => "the first".to_owned(),
        1 => "the second".to_owned(),
        2 => "the third".to_owned(),
        3 => "the fourth".to_owned(),
        at => format!("number {}", at + 1),
    };
    let names: Vec<String> = points.iter().map(name).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} {joined} {last}", rest.join(", ")),
        _ => names.concat(),
    }
}
