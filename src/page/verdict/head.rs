//! The head of a verdict: the mark, what it is made of and what of it is not sure, the question.

use crate::doc::{Cell, Document, Role, Row, Rows};
use crate::score::{PartScore, Source, Verdict};
use crate::study::answer;
use crate::study::words::{capital, clock, flag, percent, some, verdict};

use super::marks::{AFTER_NO, Marks, remark};

impl Marks<'_> {
    /// The total with its sum and what is open, what is wrong with the answer as a whole, and the question.
    pub fn head(&self) -> Document {
        let attempt = self.attempt;
        let (total, words) = (percent(attempt.total()), some(attempt.score.words, "word"));
        let used = clock(attempt.seconds);
        let facts: Vec<String> = self.open().into_iter().chain([self.sum()]).collect();
        let claimed = self.claimed();
        let told: Vec<String> =
            [self.false_said(), self.open_said(), self.claimed_said()].into_iter().flatten().collect();
        let told: String = told.iter().map(|told| format!(" {}.", capital(told))).collect();
        // the range is said behind it
        let mut said = format!("{total}: {}.{told} {words} in {used}.", self.sum_said());
        let mut rest = vec![words, used];
        if let Some(own) = attempt.rated.map(percent) {
            rest.push(format!("you thought {own}"));
            said.push_str(&format!(" You thought it was worth {own}."));
        }
        let given = self.given();
        if let Some(given) = self.given_by() {
            said.push_str(&format!(" {given}."));
        }
        let dim = |facts: &[String]| Cell::text(facts.join("   ")).role(Role::Dim);
        let row = Row::new([Cell::text(format!("{total}   ")).role(Role::Strong) + dim(&facts)])
            .wrapped()
            .said(said);
        let below = [Some(rest), claimed.map(|text| vec![text]), given.map(|text| vec![text])];
        let below = below.into_iter().flatten();
        let below = below.map(|facts| Row::new([dim(&facts)]).wrapped().said(""));
        let mut head = Document::new().rows(Rows::of(std::iter::once(row).chain(below)));
        for found in &attempt.score.flags {
            let text = Cell::text(flag(*found)).role(Role::Warning);
            head = head.rows(Rows::of([Row::new([text]).wrapped()]));
        }
        if let Some(whole) = attempt.given(None).filter(|g| !g.remark.is_empty()) {
            head = head.rows(Rows::of([remark(whole)]));
        }
        let question = match (self.pack, self.drill) {
            (Some(pack), Some(drill)) => answer::asked(&pack.parts, drill, attempt),
            _ => attempt.drill.clone(),
        };
        let question = Row::new([Cell::text(question).role(Role::Strong)]).wrapped();
        head.rows(Rows::of([question]))
    }

    /// The total and what limits it, at a glance: `50%, limited by Measurement`.
    pub fn short(&self) -> String {
        let limit = self.parts().find(|part| self.limits(part) && part.verdict != Verdict::Covered);
        let limit = limit.map(|part| format!(", limited by {}", self.title(&part.part)));
        let total = percent(self.attempt.total());
        format!("{total}{}", limit.filter(|_| self.attempt.part.is_none()).unwrap_or_default())
    }

    fn count(&self, mark: Verdict) -> usize {
        self.parts().filter(|p| p.verdict == mark).count()
    }

    /// What the total is made of: `2 + ½ of 5`; the counts where the marks are no such sum.
    fn sum(&self) -> String {
        let (covered, partial, all) =
            (self.count(Verdict::Covered), self.count(Verdict::Partial), self.parts().count());
        let halves = covered as f64 + partial as f64 / 2.0;
        let is_sum = (halves / all.max(1) as f64 - self.attempt.total()).abs() < 0.005;
        if !is_sum || all < 2 {
            let counts =
                [Verdict::Covered, Verdict::Partial, Verdict::Missing].map(|m| (self.count(m), verdict(m)));
            let counts = counts.into_iter().filter(|(n, _)| *n > 0).map(|(n, word)| format!("{n} {word}"));
            return counts.collect::<Vec<_>>().join(", ");
        }
        let half = match partial {
            0 => None,
            1 => Some("½".to_owned()),
            n => Some(format!("{n} × ½")),
        };
        let whole = (covered > 0 || half.is_none()).then(|| covered.to_string());
        format!("{} of {all}", whole.into_iter().chain(half).collect::<Vec<_>>().join(" + "))
    }

    /// The same for the ear: `2 of 5 parts covered, 1 partial`.
    fn sum_said(&self) -> String {
        let all = self.parts().count();
        if all < 2 {
            return self.sum();
        }
        let covered = match self.count(Verdict::Covered) {
            0 => "no part covered".to_owned(),
            n => format!("{n} of {} covered", some(all, "part")),
        };
        match self.count(Verdict::Partial) {
            0 => covered,
            n => format!("{covered}, {n} partial"),
        }
    }

    /// For the ear: `the rules are not sure of 3 parts, so it may be as little as 30%`. Beside one's own guess no second
    /// percentage is said: three are not kept apart.
    fn open_said(&self) -> Option<String> {
        let (parts, _) = self.not_sure()?;
        let told = format!("the rules are not sure of {parts}");
        let [low, high] = self.attempt.range().map(percent);
        let total = percent(self.attempt.total());
        Some(match () {
            () if self.attempt.rated.is_some() => told,
            () if low != total => format!("{told}, so it may be as little as {low}"),
            () if high != total => format!("{told}, so it may be as much as {high}"),
            () => told,
        })
    }

    /// For the ear, which meets what is false below the parts: `1 statement is false: number 6`.
    fn false_said(&self) -> Option<String> {
        let first = self.parts().count() + 1;
        match self.misconceptions().count() {
            0 => None,
            1 => Some(format!("one statement is false, number {first} says why")),
            n => Some(format!("{n} statements are false, numbers {first} to {} say why", first + n - 1)),
        }
    }

    /// For the ear: `1 part counts by your own word`.
    fn claimed_said(&self) -> Option<String> {
        let (yes, no) = self.claims();
        let counts = |n: usize, what: &str| {
            let verb = if n == 1 { "counts" } else { "count" };
            (n > 0).then(|| format!("{} {verb} {what}", some(n, "part")))
        };
        let told = [counts(yes, "by your own word"), counts(no, "less because you said No")];
        let told: Vec<String> = told.into_iter().flatten().collect();
        (!told.is_empty()).then(|| told.join(", "))
    }

    /// What the parts that are not sure leave open: `2 parts not sure: 40% at worst`.
    fn open(&self) -> Option<String> {
        let (parts, range) = self.not_sure()?;
        Some(format!("{parts} not sure: {range}"))
    }

    /// How many parts are not sure, and what the total may be instead; none where all are sure.
    fn not_sure(&self) -> Option<(String, String)> {
        let open = self.parts().filter(|p| p.is_open()).count();
        let [low, high] = self.attempt.range().map(percent);
        let total = percent(self.attempt.total());
        // the mark stands before it: only the way that it may still go is told
        let range = match (low == total, high == total) {
            (true, true) => format!("{total} either way"),
            (false, true) => format!("{low} at worst"),
            (true, false) => format!("{high} at best"),
            (false, false) => format!("{low} to {high}"),
        };
        (open > 0).then(|| (some(open, "part"), range))
    }

    /// How many marks the learner raised, and how many only lowered.
    fn claims(&self) -> (usize, usize) {
        let of_you = || self.parts().filter(|p| p.source == Source::You);
        let denied = of_you().filter(|p| self.attempt.only_denies(&p.part)).count();
        (of_you().count() - denied, denied)
    }

    /// How many marks are the learner's own word, and what the rules alone say.
    fn claimed(&self) -> Option<String> {
        let said = match self.claims() {
            (0, 0) => return None,
            (yes, 0) => format!("{} by you", some(yes, "part")),
            (0, no) => format!("{} {AFTER_NO}", some(no, "part")),
            (yes, no) => format!("{} by you, {no} {AFTER_NO}", some(yes, "part")),
        };
        Some(format!("{said}{}", self.rules_alone()))
    }

    /// How many marks the instructor gave, under which name, and what the rules alone say.
    fn given(&self) -> Option<String> {
        Some(format!("{}{}", self.given_by()?, self.rules_alone()))
    }

    fn given_by(&self) -> Option<String> {
        let given = self.parts().filter(|p| p.source == Source::Instructor).count();
        let name = self.attempt.given.iter().find(|g| g.verdict.is_some()).map(|g| g.by.as_str())?;
        (given > 0).then(|| format!("{} by the instructor, {name}", some(given, "part")))
    }

    /// `, the rules alone 40%` where somebody else changed a mark.
    fn rules_alone(&self) -> String {
        let rules = |p: &PartScore| p.by_rules.unwrap_or(p.verdict) as u8;
        let alone = self.parts().map(|p| f64::from(rules(p)) / 2.0).sum::<f64>();
        let alone = alone / self.parts().count().max(1) as f64;
        let changed = self.parts().any(|p| p.by_rules.is_some());
        if changed { format!(", the rules alone {}", percent(alone)) } else { String::new() }
    }
}
