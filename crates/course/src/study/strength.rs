//! How strong a learner is, by lesson and part.
//!
//! Every scored part of every attempt is a mark of its cell (lesson, part). Newer marks weigh
//! more: the newest weighs 1, and a weight halves every [`HALF_LIFE`] marks back, so that the newest three
//! weigh as much as all before them, whether they are of one evening or of one year.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::attempt::Attempt;
use super::rating::worth;
use crate::score::{PartScore, Verdict};

/// A mark weighs half as much as the one this many marks after it.
pub const HALF_LIFE: f64 = 3.0;

/// How many of the newest marks a cell remembers one by one.
pub const RECENT: usize = 10;

/// A part is called dropped from this many recent marks on, missing in at least this share.
const DROPPED: (usize, f64) = (3, 0.5);

/// Two halves of the recent marks that differ by less than this are steady.
const STEADY: f64 = 0.05;

/// The lessons x parts map.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Strengths {
    /// The cells, by lesson and part id; only those with at least one mark.
    pub cells: Vec<Cell>,
}

/// One part in one lesson.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cell {
    /// The lesson's id.
    pub lesson: String,
    /// The part's id.
    pub part: String,
    /// Marks in all.
    pub answers: u64,
    /// Sum of the weights.
    pub weight: f64,
    /// Sum of weight times mark.
    pub marks: f64,
    /// The newest marks, the oldest of them first.
    pub recent: Vec<Mark>,
    /// How many of the marks the learner said otherwise or confirmed. They are counted apart: the strength is made of
    /// what the rules found, less what the learner denied.
    #[serde(default, skip_serializing_if = "is_none")]
    pub claimed: u64,
    /// How many of the marks an instructor gave. They count instead of those of the rules.
    #[serde(default, skip_serializing_if = "is_none")]
    pub given: u64,
    /// Who gave them: names in the order of the alphabet, with commas between.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub given_by: String,
}

fn is_none(count: &u64) -> bool {
    *count == 0
}

/// One mark of one part.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Mark {
    /// The verdict.
    pub verdict: Verdict,
    /// 0 to 1.
    pub score: f64,
}

/// What the learner's own word made of a part.
fn own(attempt: &Attempt, part: &PartScore) -> Option<Verdict> {
    attempt.claims.as_ref()?.verdicts.get(&part.part).copied()
}

impl Mark {
    /// What counts of a part of an answer, with its marks as the rules gave them.
    pub fn of(attempt: &Attempt, part: &PartScore) -> Mark {
        let rules = Mark { verdict: part.verdict, score: part.score };
        let given = attempt.given(Some(&part.part)).and_then(|g| g.verdict);
        Mark::counted(rules, own(attempt, part), given)
    }

    /// What counts of a part. An instructor's mark stands above all. What the learner claims to have said counts nowhere
    /// but in the answer's own mark; what the learner says was not said is believed everywhere.
    pub fn counted(rules: Mark, own: Option<Verdict>, given: Option<Verdict>) -> Mark {
        let denied = own.filter(|own| *own < rules.verdict);
        match given.or(denied) {
            Some(verdict) => Mark { verdict, score: worth(verdict) },
            None => rules,
        }
    }
}

/// Which way the recent marks go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Trend {
    /// The newer half is better.
    Up,
    /// No difference that matters.
    Steady,
    /// The newer half is worse.
    Down,
}

impl Cell {
    /// A cell without marks.
    pub fn new(lesson: &str, part: &str) -> Self {
        Cell {
            lesson: lesson.into(),
            part: part.into(),
            answers: 0,
            weight: 0.0,
            marks: 0.0,
            recent: Vec::new(),
            claimed: 0,
            given: 0,
            given_by: String::new(),
        }
    }

    /// Adds a mark newer than all that the cell holds.
    pub fn add(&mut self, mark: Mark) {
        let keep = 0.5_f64.powf(1.0 / HALF_LIFE);
        self.answers += 1;
        self.weight = self.weight * keep + 1.0;
        self.marks = self.marks * keep + mark.score;
        if self.recent.len() == RECENT {
            self.recent.remove(0);
        }
        self.recent.push(mark);
    }

    /// The strength, 0 to 1: the weighted mean of the marks.
    pub fn strength(&self) -> f64 {
        if self.weight > 0.0 { self.marks / self.weight } else { 0.0 }
    }

    /// How many of the recent marks are missing.
    pub fn missing(&self) -> usize {
        self.recent.iter().filter(|m| m.verdict == Verdict::Missing).count()
    }

    /// Whether the part is missing in at least half of three or more recent answers.
    pub fn is_dropped(&self) -> bool {
        let (least, share) = DROPPED;
        self.recent.len() >= least && self.missing() as f64 >= share * self.recent.len() as f64
    }

    /// Which way the recent marks go. None for fewer than four.
    pub fn trend(&self) -> Option<Trend> {
        let scores: Vec<f64> = self.recent.iter().map(|m| m.score).collect();
        trend(&scores)
    }
}

impl Strengths {
    /// The map of some attempts, in whatever order.
    pub fn of<'a>(attempts: impl IntoIterator<Item = &'a Attempt>) -> Self {
        let mut attempts: Vec<_> = attempts.into_iter().collect();
        attempts.sort_by(|a, b| (a.at, &a.id).cmp(&(b.at, &b.id)));
        let mut cells: BTreeMap<(&str, &str), Cell> = BTreeMap::new();
        let mut names: BTreeMap<(&str, &str), BTreeSet<&str>> = BTreeMap::new();
        for attempt in attempts {
            for part in attempt.marks() {
                let cell = cells
                    .entry((&attempt.lesson, &part.part))
                    .or_insert_with(|| Cell::new(&attempt.lesson, &part.part));
                cell.add(Mark::of(attempt, part));
                if let Some(given) = attempt.given(Some(&part.part)).filter(|g| g.verdict.is_some()) {
                    cell.given += 1;
                    names.entry((&attempt.lesson, &part.part)).or_default().insert(&given.by);
                }
                cell.claimed += u64::from(own(attempt, part).is_some());
            }
        }
        for (cell, by) in names {
            if let Some(cell) = cells.get_mut(&cell) {
                cell.given_by = by.into_iter().collect::<Vec<_>>().join(", ");
            }
        }
        Strengths { cells: cells.into_values().collect() }
    }

    /// The cell of a lesson and a part, if it has marks.
    pub fn cell(&self, lesson: &str, part: &str) -> Option<&Cell> {
        self.cells.iter().find(|c| c.lesson == lesson && c.part == part)
    }

    /// The strength of a part: the mean over the lessons that have marks for it, each counted once.
    pub fn part(&self, part: &str) -> Option<f64> {
        mean(self.cells.iter().filter(|c| c.part == part).map(Cell::strength))
    }

    /// The strength of a lesson: the mean over its parts that have marks.
    pub fn lesson(&self, lesson: &str) -> Option<f64> {
        mean(self.cells.iter().filter(|c| c.lesson == lesson).map(Cell::strength))
    }

    /// The cells, the weakest first; of two alike the one with more marks first.
    pub fn weakest_first(&self) -> Vec<&Cell> {
        let mut cells: Vec<_> = self.cells.iter().collect();
        cells.sort_by(|a, b| {
            a.strength()
                .total_cmp(&b.strength())
                .then(b.answers.cmp(&a.answers))
                .then_with(|| (&a.lesson, &a.part).cmp(&(&b.lesson, &b.part)))
        });
        cells
    }

    /// The weakest cell, unless all are whole.
    pub fn weakest(&self) -> Option<&Cell> {
        self.weakest_first().into_iter().next().filter(|c| c.strength() < 1.0)
    }

    /// The cell that is dropped most, if any is.
    pub fn most_dropped(&self) -> Option<&Cell> {
        self.cells.iter().filter(|c| c.is_dropped()).max_by_key(|c| c.missing())
    }
}

/// What to say of a cell that is dropped: "you drop measurement in 7 of 10 answers on ZeRO".
pub fn dropped_sentence(cell: &Cell, part: &str, lesson: &str) -> String {
    format!("you drop {part} in {} of {} answers on {lesson}", cell.missing(), cell.recent.len())
}

/// Which way some scores go, the oldest first: the mean of the newer half against that of the
/// older. None for fewer than four.
pub fn trend(scores: &[f64]) -> Option<Trend> {
    if scores.len() < 4 {
        return None;
    }
    let (old, new) = scores.split_at(scores.len() / 2);
    let gain = mean(new.iter().copied())? - mean(old.iter().copied())?;
    Some(match gain {
        g if g >= STEADY => Trend::Up,
        g if g <= -STEADY => Trend::Down,
        _ => Trend::Steady,
    })
}

/// The mean of some numbers. None for none.
pub(crate) fn mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = numbers.fold((0.0, 0_u32), |(s, n), x| (s + x, n + 1));
    (count > 0).then(|| sum / f64::from(count))
}
