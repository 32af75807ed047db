//! What is known of the learner: a copy of what the store keeps, as the screens need it.

use std::collections::BTreeMap;

use jiff::civil::Date;

use crate::pack::{Pack, Puzzle};
use crate::store::PuzzleBest;
use crate::study::change::News;
use crate::study::home::{Draft, Home, LessonProgress, Position};
use crate::study::plan::Today;

pub use crate::services::{INTERVIEW, TODAY};

/// What is known of the learner. Filled by replies of the store; never written back.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    homes: Vec<Home>,
    positions: Vec<Position>,
    news: Vec<News>,
    interview: Option<Date>,
    today: Option<Today>,
    puzzles: BTreeMap<String, BTreeMap<String, PuzzleBest>>,
}

impl Memory {
    /// Takes what the store told.
    pub fn learn(&mut self, homes: Vec<Home>, positions: Vec<Position>) {
        self.homes = homes;
        self.positions = positions;
    }

    /// Takes the date of the interview as it is kept.
    pub fn learn_interview(&mut self, date: Option<&str>) {
        self.interview = date.and_then(|d| d.parse().ok());
    }

    /// Takes what was planned for a day; what cannot be read is planned anew.
    pub fn learn_today(&mut self, kept: Option<&str>) {
        self.today = kept.and_then(|text| serde_json::from_str(text).ok());
    }

    /// Plans a day where that was not done yet; gives what is to be kept.
    pub fn plan_today(&mut self, pack: &Pack, (today, minutes): (Date, u32)) -> Option<String> {
        let interview = self.interview?;
        let holds = |t: &Today| t.date == today && t.interview == interview;
        if self.today.as_ref().is_some_and(holds) {
            return None;
        }
        self.today = Today::of(pack, self.homes.first()?, (today, interview), minutes);
        serde_json::to_string(self.today.as_ref()?).ok()
    }

    /// What was planned for today for the first pack, if there is an interview ahead.
    pub fn today(&self) -> Option<&Today> {
        let interview = self.interview?;
        self.today.as_ref().filter(|t| t.interview == interview)
    }

    /// The date of the interview, if there is one.
    pub fn interview(&self) -> Option<Date> {
        self.interview
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

    /// Takes what changed in the packs.
    pub fn learn_news(&mut self, news: Vec<News>) {
        self.news = news;
    }

    /// Forgets the changes of a pack, which were seen.
    pub fn see_news(&mut self, pack: &str) {
        self.news.retain(|n| n.pack != pack);
    }

    /// What changed in the packs since they were seen last.
    pub fn news(&self) -> &[News] {
        &self.news
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
