//! What a learner thinks of an answer before its marks are shown, and how far that is off.
//!
//! A rating is of the whole answer, or part by part. Of two verdicts on a part the one that is
//! worth more is the kinder; a rating that is kinder than the marks is too high.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Serialize;

use super::attempt::Attempt;
use super::strength::{RECENT, mean};
use super::words::{some, verdict};
use crate::score::Verdict;

/// Ratings that differ from the marks by less than this are right.
const NEAR: f64 = 0.05;

/// The ratings that count as the newest ones.
pub const NEWEST: usize = 5;

/// Two distances that differ by less than this are the same.
const STEADY: f64 = 0.03;

/// A learner's own rating.
#[derive(Debug, Clone, PartialEq)]
pub struct Rating {
    /// What the answer is worth, 0 to 1.
    pub whole: f64,
    /// What each part is worth, by id; empty where only the whole was rated.
    pub parts: BTreeMap<String, Verdict>,
}

impl Rating {
    /// A rating of the whole, clamped to 0 to 1.
    pub fn whole(share: f64) -> Self {
        Rating { whole: if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }, parts: BTreeMap::new() }
    }

    /// A rating part by part; the whole is their mean. None for no part.
    pub fn of_parts(parts: BTreeMap<String, Verdict>) -> Option<Self> {
        let whole = mean(parts.values().map(|v| worth(*v)))?;
        Some(Rating { whole, parts })
    }

    /// Reads a rating of some parts in their order: a letter each, `m` missing, `p` partial, `c`
    /// covered, or else one number, the per cent of the whole. None where it is neither.
    pub fn read(text: &str, parts: &[String]) -> Option<Self> {
        let text = text.trim();
        if let Ok(percent) = text.trim_end_matches('%').trim().parse::<f64>() {
            return Some(Rating::whole(percent / 100.0)).filter(|_| percent.is_finite());
        }
        let letters: Option<Vec<Verdict>> = text.chars().filter(|c| *c != ' ').map(letter).collect();
        let letters = letters.filter(|l| l.len() == parts.len())?;
        Rating::of_parts(parts.iter().cloned().zip(letters).collect())
    }
}

/// What a verdict is worth in a rating: 0, one half, 1.
pub fn worth(verdict: Verdict) -> f64 {
    match verdict {
        Verdict::Missing => 0.0,
        Verdict::Partial => 0.5,
        Verdict::Covered => 1.0,
    }
}

fn letter(c: char) -> Option<Verdict> {
    [Verdict::Missing, Verdict::Partial, Verdict::Covered]
        .into_iter()
        .find(|v| verdict(*v).starts_with(c.to_ascii_lowercase()))
}

/// An answer that was rated, and what it got.
#[derive(Debug, Clone, PartialEq)]
pub struct Rated {
    /// When it was answered.
    pub at: Timestamp,
    /// The drill's id.
    pub drill: String,
    /// The part, where one was asked alone.
    pub part: Option<String>,
    /// What the learner thought, 0 to 1.
    pub own: f64,
    /// What it got, 0 to 1.
    pub total: f64,
    /// The parts that were rated, each by its id: what the learner thought, and what it got.
    pub parts: Vec<(String, Verdict, Verdict)>,
}

impl Rated {
    /// What an attempt was rated; none where it was not.
    pub fn of(attempt: &Attempt) -> Option<Self> {
        let got = |part: &String| attempt.marks().find(|m| m.part == *part).map(|m| m.verdict);
        let parts = attempt.rated_parts.iter();
        Some(Rated {
            at: attempt.at,
            drill: attempt.drill.clone(),
            part: attempt.part.clone(),
            own: attempt.rated?,
            total: attempt.total(),
            parts: parts.filter_map(|(part, own)| Some((part.clone(), *own, got(part)?))).collect(),
        })
    }

    /// By how much the rating is too high, -1 to 1.
    pub fn over(&self) -> f64 {
        self.own - self.total
    }
}

/// How far self ratings are off.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bias {
    /// Answers that were rated.
    pub answers: usize,
    /// The mean of rating minus total; above 0 is too sure.
    pub mean: f64,
    /// The mean distance of rating and total, 0 to 1: it does not cancel out.
    pub distance: f64,
}

impl Bias {
    /// The bias of some answers, each with its self rating and its total. None for none.
    pub fn of(rated: &[(f64, f64)]) -> Option<Self> {
        let over = || rated.iter().map(|(rating, total)| rating - total);
        Some(Bias { answers: rated.len(), mean: mean(over())?, distance: mean(over().map(f64::abs))? })
    }

    /// What to say of it.
    pub fn sentence(&self) -> String {
        let answers = some(self.answers, "answer");
        match over(self.mean) {
            Over::Right if self.distance >= NEAR => {
                format!("you rate yourself too high at times and too low at others, over {answers}")
            }
            Over::Right => format!("you rate yourself right over {answers}"),
            Over::High(points) => format!("you rate yourself {points} points too high over {answers}"),
            Over::Low(points) => format!("you rate yourself {points} points too low over {answers}"),
        }
    }
}

/// Which way a rating is off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Over {
    /// By so many points of a hundred too high.
    High(u32),
    /// Not by more than a few points.
    Right,
    /// By so many points of a hundred too low.
    Low(u32),
}

/// Which way a rating is off that is by so much above the marks, -1 to 1.
pub fn over(by: f64) -> Over {
    let points = (by.abs() * 100.0).round() as u32;
    match by {
        by if by >= NEAR => Over::High(points),
        by if by <= -NEAR => Over::Low(points),
        _ => Over::Right,
    }
}

/// How the ratings of one part compare with its marks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PartBias {
    /// The part's id.
    pub part: String,
    /// Answers in which it was rated above its mark.
    pub high: usize,
    /// Answers in which it was rated as it was marked.
    pub right: usize,
    /// Answers in which it was rated below its mark.
    pub low: usize,
    /// The newest ratings one by one, the oldest of them first.
    pub newest: Vec<Way>,
}

/// How one rating of a part compares with its mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Way {
    /// Above it.
    High,
    /// As it was marked.
    Right,
    /// Below it.
    Low,
}

impl Way {
    fn of(own: Verdict, got: Verdict) -> Self {
        match own.cmp(&got) {
            Ordering::Greater => Way::High,
            Ordering::Equal => Way::Right,
            Ordering::Less => Way::Low,
        }
    }
}

impl PartBias {
    /// Answers in which it was rated.
    pub fn answers(&self) -> usize {
        self.high + self.right + self.low
    }

    /// What to say of it, behind its name.
    pub fn sentence(&self) -> String {
        let of = |n: usize, what: &str| format!("{what} in {n} of {}", self.answers());
        match (self.high, self.low) {
            (0, 0) => "as marked each time".into(),
            (high, 0) => of(high, "too high"),
            (0, low) => of(low, "too low"),
            (high, low) => format!("too high in {high} and too low in {low} of {}", self.answers()),
        }
    }
}

/// All that is known of how far self ratings are off.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Biases {
    /// Over all answers that were rated. None for none.
    pub all: Option<Bias>,
    /// Over the newest few. None where that is all of them.
    pub newest: Option<Bias>,
    /// Part by part, in the order asked for; only parts that were rated.
    pub parts: Vec<PartBias>,
}

impl Biases {
    /// Of some rated answers, the newest first; `parts` is the order of the parts.
    pub fn of(rated: &[Rated], parts: &[String]) -> Self {
        let pairs: Vec<(f64, f64)> = rated.iter().map(|r| (r.own, r.total)).collect();
        let of = |part: &String| {
            let all = rated.iter().flat_map(|r| &r.parts).filter(|(id, ..)| id == part);
            let ways: Vec<Way> = all.map(|(_, own, got)| Way::of(*own, *got)).collect();
            let count = |way| ways.iter().filter(|w| **w == way).count();
            PartBias {
                part: part.clone(),
                high: count(Way::High),
                right: count(Way::Right),
                low: count(Way::Low),
                newest: ways.iter().take(RECENT).rev().copied().collect(),
            }
        };
        Biases {
            all: Bias::of(&pairs),
            newest: pairs.get(..NEWEST).filter(|_| pairs.len() > NEWEST).and_then(Bias::of),
            parts: parts.iter().map(of).filter(|p| p.answers() > 0).collect(),
        }
    }

    /// What to say of all of them: how far they are off, and whether they come closer to the marks.
    /// Nothing where nothing was rated. Lower case, no full stop.
    pub fn sentences(&self) -> Vec<String> {
        let all = self.all.map(|b| b.sentence());
        all.into_iter().chain(self.change()).collect()
    }

    /// The newest ones against all: whether they come closer to the marks.
    fn change(&self) -> Option<String> {
        let all = self.all?;
        let points = |share: f64| (share * 100.0).round();
        let Some(newest) = self.newest else {
            // ratings too high and too low that cancel out
            let hides = all.distance - all.mean.abs() >= NEAR;
            return hides.then(|| format!("{} points off on average", points(all.distance)));
        };
        let far = format!(
            "{} points off on average, {} in the newest {}",
            points(all.distance),
            points(newest.distance),
            newest.answers
        );
        Some(match newest.distance - all.distance {
            d if d <= -STEADY => format!("{far}: coming closer"),
            d if d >= STEADY => format!("{far}: drifting away"),
            _ => far,
        })
    }
}
