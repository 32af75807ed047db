//! What Home shows of a learner: where they were, what is due, how strong they are.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::attempt::Mode;
use super::lab::Begun;
use super::posting::Posting;
use super::strength::Strengths;

/// Everything that Home shows of one pack.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Home {
    /// The last place that was read.
    pub place: Option<Position>,
    /// Answers begun and not scored, the newest first; none that another running instance holds.
    pub drafts: Vec<Draft>,
    /// A rehearsal begun and not finished, by its id; none that another running instance holds.
    pub unfinished: Option<String>,
    /// When that was worked on last.
    pub broken_off: Option<Timestamp>,
    /// The last finished rehearsal.
    pub rehearsed: Option<Rehearsed>,
    /// What is due until the end of today.
    pub due: Due,
    /// Progress by lesson id. A lesson that was never touched is absent.
    pub lessons: BTreeMap<String, LessonProgress>,
    /// When each drill was answered last, by drill id. A drill that was never answered is absent.
    pub answered: BTreeMap<String, Timestamp>,
    /// The lessons x parts map.
    pub strengths: Strengths,
    /// The labs that were begun and are not done, by id.
    pub begun_labs: BTreeMap<String, Begun>,
    /// What was done today.
    pub today: Activity,
    /// When today began; none where no day is known, and then nothing was done today.
    pub begun: Option<Timestamp>,
    /// Attempts in all.
    pub attempts: u64,
    /// Attempts at one part alone. Follow-up questions of a rehearsal are none: nobody chose them.
    pub alone: u64,
    /// What the job that one applies for asks of this pack; nothing where no description was given.
    pub posting: Posting,
}

impl Home {
    /// Whether a drill was answered today.
    pub fn is_answered_today(&self, drill: &str) -> bool {
        let at = self.answered.get(drill).zip(self.begun);
        at.is_some_and(|(answered, begun)| *answered >= begun)
    }
}

/// A place in the course.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Position {
    /// The pack's id.
    pub pack: String,
    /// The lesson's id.
    pub lesson: String,
    /// The lab's id, or none for the section alone.
    pub lab: Option<String>,
    /// The cursor line of the starter, from 0.
    pub line: u32,
    /// The first row shown of the section or of the lab's text, from 0.
    pub scroll: u32,
    /// The pane that had the keys, in the screen's own words.
    pub pane: String,
    /// When it was left.
    pub at: Timestamp,
}

/// An answer that is being typed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Draft {
    /// The id, which becomes the attempt's id.
    pub id: String,
    /// The pack's id.
    pub pack: String,
    /// The drill's id.
    pub drill: String,
    /// The circumstances.
    pub mode: Mode,
    /// The part asked for, where it is one part alone.
    pub part: Option<String>,
    /// The text so far.
    pub text: String,
    /// Seconds spent so far.
    pub seconds: u32,
    /// When it was last saved.
    pub at: Timestamp,
}

/// A finished rehearsal in one line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rehearsed {
    /// Its id.
    pub id: String,
    /// When it ended.
    pub at: Timestamp,
    /// The mean of its answers' totals, 0 to 1.
    pub total: f64,
    /// The weakest part over the run.
    pub limiting: Option<String>,
}

/// How many things are due.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Due {
    /// Drills.
    pub drills: u64,
    /// Checks.
    pub checks: u64,
    /// Line notes.
    pub notes: u64,
    /// When the next card that is not yet due will be.
    pub next: Option<Timestamp>,
}

impl Due {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.drills + self.checks + self.notes
    }
}

/// Progress in one lesson.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LessonProgress {
    /// Whether the section was read to its end.
    pub read: bool,
    /// How far down the section was on the screen, 0 to 1.
    pub seen: f64,
    /// Ids of the labs done.
    pub labs: Vec<String>,
    /// Line notes recalled.
    pub notes: u64,
    /// Drills answered at least once, in whole.
    pub drills: u64,
    /// The mean of the last totals of those drills, 0 to 1.
    pub mean: Option<f64>,
    /// Checks whose last answer was right.
    pub checks: u64,
    /// Checks answered at least once.
    pub checks_tried: u64,
}

impl LessonProgress {
    /// Whether the learner has met the lesson: read of it, or answered something of it that was worth something.
    pub fn is_begun(&self) -> bool {
        let is_read = self.read || self.seen > 0.0 || !self.labs.is_empty();
        is_read || self.notes > 0 || self.drills > 0 || self.checks_tried > 0
    }
}

/// What was done in some span of time.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Activity {
    /// Attempts.
    pub attempts: u64,
    /// Seconds of answering.
    pub seconds: u64,
    /// The sum of the attempts' totals.
    pub totals: f64,
}

impl Activity {
    /// Minutes of answering, one that was begun counted as a whole one.
    pub fn minutes(&self) -> u32 {
        u32::try_from(self.seconds.div_ceil(60)).unwrap_or(u32::MAX)
    }
}
