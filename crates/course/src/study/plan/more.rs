//! What a plan does with time that is left: drills of what was read.

use std::collections::BTreeSet;

use super::work::weight;
use super::{CORE, Task};
use crate::pack::Pack;
use crate::pack::index::Lesson;
use crate::study::home::Home;

/// Drills for time that is left: of the lessons that were read, or will have been, those asked most of which least is
/// known come first, and each comes once before one comes again.
pub(super) struct More<'a> {
    /// Each lesson with drills, what it lacks first, and how often it came.
    lessons: Vec<(&'a str, usize)>,
    read: BTreeSet<String>,
}

/// Drills that a day has for time that is left, at most.
const MORE: usize = 2;

impl<'a> More<'a> {
    pub(super) fn of(pack: &'a Pack, home: &Home) -> Self {
        let lessons = &pack.index().lessons;
        let drills = |lesson: &Lesson| pack.index().drills_of(&lesson.id).count();
        let lacks = |lesson: &Lesson| {
            let mean = home.lessons.get(&*lesson.id).and_then(|progress| progress.mean);
            weight(pack.index(), &home.posting, lesson) * (1.0 - mean.unwrap_or(0.0)).max(LEAST)
        };
        let today =
            |l: &Lesson| pack.index().drills_of(&l.id).filter(|d| home.is_answered_today(&d.id)).count();
        // what was answered today is gone, unless there is another question
        let asked = lessons.iter().filter(|l| drills(l) > today(l));
        let mut all: Vec<(&str, f64, usize)> =
            asked.map(|l| (&*l.id, lacks(l), usize::from(today(l) > 0))).collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1));
        let read = home.lessons.iter().filter(|(_, progress)| progress.read || progress.seen >= CORE);
        More {
            lessons: all.into_iter().map(|(id, _, came)| (id, came)).collect(),
            read: read.map(|(id, _)| id.clone()).collect(),
        }
    }

    /// Takes in what a day asks for.
    pub(super) fn learn(&mut self, tasks: &[Task]) {
        for task in tasks {
            match task {
                Task::Read(id, _) | Task::Short(id, _) => drop(self.read.insert(id.clone())),
                // it came, so others come first
                Task::Drill(id) => {
                    self.lessons.iter_mut().filter(|(l, _)| l == id).for_each(|(_, came)| *came += 1)
                }
                _ => {}
            }
        }
    }

    /// A drill of the lesson that comes first, of those that were read if there are any.
    pub(super) fn first(&self) -> Option<Task> {
        let all = || self.lessons.first().map(|(id, _)| Task::Drill((*id).to_owned()));
        self.drills(1, &[]).into_iter().next().or_else(all)
    }

    /// So many drills, each of another lesson, for a day that has these tasks.
    pub(super) fn drills(&self, count: usize, tasks: &[Task]) -> Vec<Task> {
        let mut known: Vec<_> = self.lessons.iter().filter(|(id, _)| self.read.contains(*id)).collect();
        known.sort_by_key(|(_, came)| *came);
        let known = known.into_iter().map(|(id, _)| Task::Drill((*id).to_owned()));
        known.filter(|drill| !tasks.contains(drill)).take(count.min(MORE)).collect()
    }
}

/// A lesson whose drills were answered without a fault lacks so much all the same.
const LEAST: f64 = 0.1;
