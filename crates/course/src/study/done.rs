//! What was done of each lesson, and what was done on each day: reading, labs, checks and puzzles as well as answers.

use serde::Serialize;

use super::home::{Home, LessonProgress};
use super::words::{percent, some};
use crate::pack::index::{Index, Lesson, Puzzle};

/// So many of so many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Share {
    /// How many are done, or right.
    pub done: usize,
    /// How many there are.
    pub of: usize,
}

impl Share {
    /// Whether there is one, and all of them are done.
    pub fn is_whole(self) -> bool {
        self.of > 0 && self.done >= self.of
    }

    /// `1 of 2`; nothing where there is none.
    pub fn words(self) -> String {
        if self.of == 0 { String::new() } else { format!("{} of {}", self.done, self.of) }
    }

    fn and(self, other: Share) -> Share {
        Share { done: self.done + other.done, of: self.of + other.of }
    }
}

/// What was done of a lesson, or of several.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct OfLesson {
    /// Sections read to the end.
    pub read: Share,
    /// How much of the sections was on the screen, 0 to 1 for each.
    pub seen: f64,
    /// Labs done.
    pub labs: Share,
    /// Checks whose last answer was right.
    pub checks: Share,
    /// Puzzles at par.
    pub puzzles: Share,
}

impl OfLesson {
    /// What was done of each lesson of a course, in its order; `best` knows the best cost of a puzzle that was solved.
    pub fn of_course(index: &Index, home: &Home, best: impl Fn(&str) -> Option<f64>) -> Vec<Self> {
        let lessons = index.lessons.iter();
        lessons.map(|lesson| Self::of(index, lesson, home.lessons.get(&*lesson.id), &best)).collect()
    }

    fn of(
        index: &Index,
        lesson: &Lesson,
        progress: Option<&LessonProgress>,
        best: impl Fn(&str) -> Option<f64>,
    ) -> Self {
        let is_at_par = |p: &&Puzzle| best(&p.id).is_some_and(|cost| p.is_at_par(cost));
        let is_done = |id: &str| progress.is_some_and(|p| p.labs.iter().any(|done| done == id));
        let checks = index.checks_of(&lesson.id).count();
        let right = progress.map_or(0, |p| usize::try_from(p.checks).unwrap_or(usize::MAX));
        let puzzles = || index.puzzles_of(&lesson.id);
        let read = progress.is_some_and(|p| p.read);
        OfLesson {
            read: Share { done: usize::from(read), of: 1 },
            seen: if read { 1.0 } else { progress.map_or(0.0, |p| p.seen) },
            labs: Share {
                done: lesson.labs.iter().filter(|l| is_done(&l.id)).count(),
                of: lesson.labs.len(),
            },
            checks: Share { done: right.min(checks), of: checks },
            puzzles: Share { done: puzzles().filter(is_at_par).count(), of: puzzles().count() },
        }
    }

    /// Both together.
    pub fn and(self, other: OfLesson) -> OfLesson {
        OfLesson {
            read: self.read.and(other.read),
            seen: self.seen + other.seen,
            labs: self.labs.and(other.labs),
            checks: self.checks.and(other.checks),
            puzzles: self.puzzles.and(other.puzzles),
        }
    }

    /// Whether something was done.
    pub fn is_begun(&self) -> bool {
        self.seen > 0.0 || self.labs.done > 0 || self.checks.done > 0 || self.puzzles.done > 0
    }

    /// How far one section was read: `read`, `40% read`, `not read`.
    pub fn reading(&self) -> String {
        match self.read_in_part() {
            _ if self.read.is_whole() => "read".into(),
            Some(percent) => format!("{percent} read"),
            None => "not read".into(),
        }
    }

    /// How much of one section was seen, where it was begun and not read to its end: `40%`.
    pub fn read_in_part(&self) -> Option<String> {
        let is_part = self.seen > 0.0 && !self.read.is_whole();
        // a section that was not ended is never said to be read in whole
        is_part.then(|| percent(self.seen.clamp(0.01, 0.99)))
    }

    /// One lesson in words: `read, labs 1 of 1, checks right 8 of 13, puzzles 0 of 2`.
    pub fn words(&self) -> String {
        let kinds = [("labs", self.labs), ("checks right", self.checks), ("puzzles", self.puzzles)];
        let kinds = kinds.into_iter().filter(|(_, share)| share.of > 0);
        let kinds = kinds.map(|(name, share)| format!("{name} {}", share.words()));
        std::iter::once(self.reading()).chain(kinds).collect::<Vec<_>>().join(", ")
    }

    /// What was done of several lessons: `2 lessons read, 1 lab, 11 checks right`; nothing where nothing was.
    pub fn done(&self) -> Vec<String> {
        let counts = [
            (self.read.done, "lesson", " read"),
            (self.labs.done, "lab", ""),
            (self.checks.done, "check", " right"),
            (self.puzzles.done, "puzzle", ""),
        ];
        let counts = counts.into_iter().filter(|(count, _, _)| *count > 0);
        counts.map(|(count, noun, more)| format!("{}{more}", some(count, noun))).collect()
    }
}

/// What was done on a day.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Doings {
    /// Answers to drills.
    pub answers: u64,
    /// Seconds of answering them.
    pub seconds: u64,
    /// Lessons that were read in and not again since.
    pub lessons: u64,
    /// Labs that were done: predicted, run and compared.
    pub labs: u64,
    /// Labs that were begun, and are not done.
    pub begun: u64,
    /// Answers to checks.
    pub checks: u64,
    /// Line notes that were recalled.
    pub notes: u64,
    /// Puzzles whose best solution was found.
    pub puzzles: u64,
}

impl Doings {
    /// Things done in all.
    pub fn things(&self) -> u64 {
        self.answers + self.lessons + self.labs + self.begun + self.checks + self.notes + self.puzzles
    }

    /// Both together.
    pub fn and(self, other: Doings) -> Doings {
        Doings {
            answers: self.answers + other.answers,
            seconds: self.seconds + other.seconds,
            lessons: self.lessons + other.lessons,
            labs: self.labs + other.labs,
            begun: self.begun + other.begun,
            checks: self.checks + other.checks,
            notes: self.notes + other.notes,
            puzzles: self.puzzles + other.puzzles,
        }
    }

    /// `2 lessons, 1 lab, 11 checks, 1 lab begun, 3 answers in 4 min`. A lab that is done counts as one, else as begun.
    pub fn words(&self) -> String {
        let count = |n: u64, noun: &str| some(usize::try_from(n).unwrap_or(usize::MAX), noun);
        let kinds = [
            (self.lessons, "lesson"),
            (self.labs, "lab"),
            (self.checks, "check"),
            (self.notes, "note"),
            (self.puzzles, "puzzle"),
        ];
        let kinds = kinds.into_iter().filter(|(n, _)| *n > 0).map(|(n, noun)| count(n, noun));
        let begun = (self.begun > 0).then(|| format!("{} begun", count(self.begun, "lab")));
        let answers = (self.answers > 0)
            .then(|| format!("{} in {} min", count(self.answers, "answer"), self.seconds.div_ceil(60)));
        kinds.chain(begun).chain(answers).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_is_not_named() {
        let lesson = OfLesson { read: Share { done: 0, of: 1 }, seen: 0.997, ..OfLesson::default() };
        assert_eq!(lesson.words(), "99% read");
        let more = OfLesson { labs: Share { done: 1, of: 1 }, checks: Share { done: 0, of: 4 }, ..lesson };
        assert_eq!(more.words(), "99% read, labs 1 of 1, checks right 0 of 4");
        assert_eq!(more.done(), ["1 lab"]);
        assert!(OfLesson::default().done().is_empty() && !OfLesson::default().is_begun());
    }

    #[test]
    fn a_day_says_what_it_was_made_of() {
        let day = Doings { lessons: 2, checks: 1, answers: 1, seconds: 61, ..Doings::default() };
        assert_eq!((day.things(), day.words().as_str()), (4, "2 lessons, 1 check, 1 answer in 2 min"));
        assert_eq!(Doings::default().words(), "");
    }
}
