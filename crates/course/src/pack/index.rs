//! What stands in the table of contents of a pack: enough for Home, for what comes next, for a plan of days and for
//! lists. The index of the built-in course is made when the program is built, so that nothing is parsed at its start.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::{Body, CheckKind, Level};
use crate::sim::expr;
use crate::sim::puzzle::{self, Direction};

/// A text of an index: part of the program, or read from a file.
pub type Text = Cow<'static, str>;

/// The table of contents of a pack.
#[derive(Debug, Clone, PartialEq)]
pub struct Index {
    /// The pack's id.
    pub id: Text,
    /// The name shown to learners.
    pub title: Text,
    /// The version of the content.
    pub version: Text,
    /// One or two sentences about the course.
    pub about: Text,
    /// The parts that drills are scored against; none means the five.
    pub parts: Cow<'static, [Part]>,
    /// The lessons in reading order.
    pub lessons: Cow<'static, [Lesson]>,
    /// All drills, in lesson order.
    pub drills: Cow<'static, [Drill]>,
    /// All checks, in lesson order.
    pub checks: Cow<'static, [Check]>,
    /// All puzzles, in lesson order.
    pub puzzles: Cow<'static, [Puzzle]>,
}

/// A part of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The id.
    pub id: Text,
    /// The name shown.
    pub title: Text,
    /// The question behind it.
    pub question: Text,
}

/// A lesson in the table of contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lesson {
    /// The id.
    pub id: Text,
    /// The name shown.
    pub title: Text,
    /// One sentence: what a reader can do after it.
    pub summary: Text,
    /// Minutes to read the section.
    pub minutes: u32,
    /// How much interviews ask about it; none where its drills tell.
    pub asked: Option<u32>,
    /// Ids of lessons to read first.
    pub needs: Cow<'static, [Text]>,
    /// The labs in reading order.
    pub labs: Cow<'static, [Lab]>,
    /// Its checks taken together: lists ask for each lesson how long it takes.
    pub checks: Checks,
}

/// The checks of a lesson, taken together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Checks {
    /// How many there are.
    pub count: u32,
    /// The seconds that all of them take.
    pub seconds: u32,
}

/// A lab in the table of contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lab {
    /// The id.
    pub id: Text,
    /// The name shown.
    pub title: Text,
    /// Minutes it takes.
    pub minutes: u32,
}

/// A drill in the table of contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drill {
    /// The id.
    pub id: Text,
    /// The lesson it belongs to.
    pub lesson: Text,
    /// The question, where it holds no computed number; [`super::Pack::prompt`] gives it in any case.
    pub prompt: Option<Text>,
    /// Minutes for a full answer.
    pub minutes: u32,
    /// For whom it is.
    pub level: Level,
    /// Ids of the parts that have points, each once, in the order of the points.
    pub parts: Cow<'static, [Text]>,
}

/// A check in the table of contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// The id.
    pub id: Text,
    /// The lesson it belongs to.
    pub lesson: Text,
    /// What it asks for.
    pub asks: Asks,
}

/// What a check asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Asks {
    /// One answer, of the kind with this name.
    Short(&'static str),
    /// A table with so many cells.
    Worksheet {
        /// The name shown.
        title: Text,
        /// How many cells it has.
        cells: u32,
    },
}

/// A puzzle in the table of contents.
#[derive(Debug, Clone, PartialEq)]
pub struct Puzzle {
    /// The id.
    pub id: Text,
    /// The lesson it belongs to.
    pub lesson: Text,
    /// The name shown.
    pub title: Text,
    /// The best value there is.
    pub par: Par,
    /// Whether more is better.
    pub most: bool,
    /// How far from par is still par, as a share of it; none means the usual.
    pub tolerance: Option<f64>,
}

/// The best value of a puzzle.
#[derive(Debug, Clone)]
pub enum Par {
    /// An expression without names.
    Source(&'static str),
    /// In base units.
    Value(f64),
}

impl Par {
    fn value(&self) -> Option<f64> {
        match self {
            Par::Source(text) => expr::value(text, &()).ok(),
            Par::Value(value) => Some(*value),
        }
    }
}

impl PartialEq for Par {
    fn eq(&self, other: &Self) -> bool {
        self.value() == other.value()
    }
}

impl Puzzle {
    /// Whether a cost as the store keeps it (smaller is better) reaches par.
    pub fn is_at_par(&self, cost: f64) -> bool {
        let direction = if self.most { Direction::Most } else { Direction::Least };
        let tolerance = self.tolerance.unwrap_or(puzzle::TOLERANCE);
        self.par.value().is_some_and(|par| cost <= puzzle::limit(direction, par, tolerance))
    }
}

impl Index {
    /// The index of a whole course.
    pub(super) fn of(body: &Body) -> Self {
        let checks: Cow<'static, [Check]> = body.checks.iter().map(check).collect();
        let mut of_lessons: HashMap<&str, Checks> = HashMap::with_capacity(body.lessons.len());
        for check in checks.iter() {
            let of = of_lessons.entry(&check.lesson).or_default();
            of.count += 1;
            of.seconds = of.seconds.saturating_add(check.asks.seconds());
        }
        let checks_of = |id: &str| of_lessons.get(id).copied().unwrap_or_default();
        Index {
            id: text(&body.id),
            title: text(&body.title),
            version: text(&body.version),
            about: text(&body.about),
            parts: body.parts.iter().map(part).collect(),
            lessons: body.lessons.iter().map(|l| Lesson { checks: checks_of(&l.id), ..lesson(l) }).collect(),
            drills: body.drills.iter().map(drill).collect(),
            checks,
            puzzles: body.puzzles.iter().map(puzzle).collect(),
        }
    }

    /// The lesson with this id.
    pub fn lesson(&self, id: &str) -> Option<&Lesson> {
        self.lessons.iter().find(|l| l.id == id)
    }

    /// The lab with this id, and its lesson.
    pub fn lab(&self, id: &str) -> Option<(&Lesson, &Lab)> {
        self.lessons.iter().find_map(|l| l.labs.iter().find(|b| b.id == id).map(|b| (l, b)))
    }

    /// The drill with this id.
    pub fn drill(&self, id: &str) -> Option<&Drill> {
        self.drills.iter().find(|d| d.id == id)
    }

    /// The drills of a lesson.
    pub fn drills_of<'a>(&'a self, lesson: &'a str) -> impl Iterator<Item = &'a Drill> {
        self.drills.iter().filter(move |d| d.lesson == lesson)
    }

    /// The checks of a lesson.
    pub fn checks_of<'a>(&'a self, lesson: &'a str) -> impl Iterator<Item = &'a Check> {
        self.checks.iter().filter(move |c| c.lesson == lesson)
    }

    /// The puzzles of a lesson.
    pub fn puzzles_of<'a>(&'a self, lesson: &'a str) -> impl Iterator<Item = &'a Puzzle> {
        self.puzzles.iter().filter(move |p| p.lesson == lesson)
    }
}

fn text(text: &str) -> Text {
    Cow::Owned(text.to_owned())
}

fn texts(texts: &[String]) -> Cow<'static, [Text]> {
    texts.iter().map(|t| text(t)).collect()
}

fn part(part: &super::Part) -> Part {
    Part { id: text(&part.id), title: text(&part.title), question: text(&part.question) }
}

fn lesson(lesson: &super::Lesson) -> Lesson {
    let lab = |l: &super::Lab| Lab { id: text(&l.id), title: text(&l.title), minutes: l.minutes };
    Lesson {
        id: text(&lesson.id),
        title: text(&lesson.title),
        summary: text(&lesson.summary),
        minutes: lesson.minutes,
        asked: lesson.asked,
        needs: texts(&lesson.needs),
        labs: lesson.labs.iter().map(lab).collect(),
        checks: Checks::default(),
    }
}

fn drill(drill: &super::Drill) -> Drill {
    let mut parts: Vec<Text> = Vec::new();
    for point in &drill.rubric.points {
        for part in std::iter::once(&point.part).chain(&point.also) {
            if !parts.iter().any(|p| **p == **part) {
                parts.push(text(part));
            }
        }
    }
    Drill {
        id: text(&drill.id),
        lesson: text(&drill.lesson),
        prompt: Some(text(&drill.prompt)),
        minutes: drill.minutes,
        level: drill.level,
        parts: Cow::Owned(parts),
    }
}

fn check(check: &super::Check) -> Check {
    let asks = match &check.kind {
        CheckKind::Worksheet(sheet) => {
            let cells: usize = sheet.rows.iter().map(|row| row.cells.len()).sum();
            Asks::Worksheet { title: text(&sheet.title), cells: u32::try_from(cells).unwrap_or(u32::MAX) }
        }
        kind => Asks::Short(kind.name()),
    };
    Check { id: text(&check.id), lesson: text(&check.lesson), asks }
}

fn puzzle(puzzle: &super::Puzzle) -> Puzzle {
    let goal = &puzzle.rules.goal;
    Puzzle {
        id: text(&puzzle.id),
        lesson: text(&puzzle.lesson),
        title: text(&puzzle.title),
        par: Par::Value(goal.par),
        most: goal.direction == Direction::Most,
        tolerance: (goal.tolerance != puzzle::TOLERANCE).then_some(goal.tolerance),
    }
}

/// An index that is part of the program, or one that is made from a course when somebody looks.
#[derive(Debug, Clone)]
pub(super) enum Held {
    BuiltIn(&'static Index),
    Made(Arc<OnceLock<Index>>),
}
