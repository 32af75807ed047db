//! How strong a learner is, by lesson and part.

use crate::score::Verdict;

/// The newest this many answers of a cell weigh as much as all answers before them.
pub const HALF_LIFE: f64 = 3.0;

/// How many of the newest marks a cell remembers one by one.
pub const RECENT: usize = 10;

/// The lessons x parts map.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Strengths {
    /// The cells, by lesson and part id; only those with at least one answer.
    pub cells: Vec<Cell>,
}

/// One part in one lesson.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// The lesson's id.
    pub lesson: String,
    /// The part's id.
    pub part: String,
    /// Answers that count.
    pub answers: u64,
    /// Sum of the weights: 1 for the newest answer, halved every [`HALF_LIFE`] answers back.
    pub weight: f64,
    /// Sum of weight times mark.
    pub marks: f64,
    /// The newest marks, the oldest of them first.
    pub recent: Vec<Mark>,
}

/// One mark of one part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mark {
    /// The verdict.
    pub verdict: Verdict,
    /// 0 to 1.
    pub score: f64,
}

impl Cell {
    /// A cell without answers.
    pub fn new(lesson: &str, part: &str) -> Self {
        Cell {
            lesson: lesson.into(),
            part: part.into(),
            answers: 0,
            weight: 0.0,
            marks: 0.0,
            recent: Vec::new(),
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
        if self.weight > 0.0 {
            self.marks / self.weight
        } else {
            0.0
        }
    }
}
