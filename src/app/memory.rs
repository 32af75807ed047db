//! What is known of the learner: a copy of what the store keeps, as the screens need it.

use std::collections::BTreeMap;

use crate::pack::Puzzle;
use crate::store::PuzzleBest;
use crate::study::home::{Draft, Home, LessonProgress, Position};

/// What is known of the learner. Filled by replies of the store; never written back.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    homes: Vec<Home>,
    positions: Vec<Position>,
    puzzles: BTreeMap<String, BTreeMap<String, PuzzleBest>>,
}

impl Memory {
    /// Takes what the store told.
    pub fn learn(&mut self, homes: Vec<Home>, positions: Vec<Position>) {
        self.homes = homes;
        self.positions = positions;
    }

    /// Takes the best solutions of the puzzles of a pack.
    pub fn learn_puzzles(&mut self, pack: String, best: BTreeMap<String, PuzzleBest>) {
        self.puzzles.insert(pack, best);
    }

    /// The best solution of a puzzle so far, if there is one.
    pub fn best(&self, pack: &str, puzzle: &str) -> Option<&PuzzleBest> {
        self.puzzles.get(pack)?.get(puzzle)
    }

    /// Whether par of a puzzle was reached.
    pub fn is_at_par(&self, pack: &str, puzzle: &Puzzle) -> bool {
        let goal = &puzzle.rules.goal;
        self.best(pack, &puzzle.id).is_some_and(|b| goal.is_at_par(goal.value(b.best)))
    }

    /// What Home shows of a pack.
    pub fn home(&self, pack: usize) -> Option<&Home> {
        self.homes.get(pack)
    }

    /// The progress in a lesson, if it was ever touched.
    pub fn lesson(&self, pack: usize, lesson: &str) -> Option<&LessonProgress> {
        self.homes.get(pack)?.lessons.get(lesson)
    }

    /// Where a lesson or lab was left.
    pub fn position(&self, pack: &str, lesson: &str, lab: Option<&str>) -> Option<&Position> {
        self.positions.iter().find(|p| p.pack == pack && p.lesson == lesson && p.lab.as_deref() == lab)
    }

    /// The newest draft of a drill, or of one part of it.
    pub fn draft(&self, pack: usize, drill: &str, part: Option<&str>) -> Option<&Draft> {
        let drafts = &self.homes.get(pack)?.drafts;
        drafts.iter().find(|d| d.drill == drill && d.part.as_deref() == part)
    }

    /// Keeps in step with a position that was just saved.
    pub fn note_position(&mut self, position: &Position) {
        let same =
            |p: &Position| p.pack == position.pack && p.lesson == position.lesson && p.lab == position.lab;
        self.positions.retain(|p| !same(p));
        self.positions.push(position.clone());
    }
}
