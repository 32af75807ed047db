//! The packs at hand: those that loaded, and those that did not, with the reasons.

use crate::pack::{Drill, Lab, Lesson, Pack};

/// All packs that were asked for. The built-in one comes first.
#[derive(Debug, Default)]
pub struct Library {
    /// The packs that loaded.
    pub packs: Vec<Pack>,
    /// The packs that did not, in the order they were asked for.
    pub broken: Vec<Broken>,
}

/// A pack that did not load.
#[derive(Debug, Clone)]
pub struct Broken {
    /// The folder, as it was given.
    pub path: String,
    /// The report that `pack check` prints, line by line.
    pub report: Vec<String>,
    /// How many problems it names.
    pub problems: usize,
}

impl Library {
    /// The index of the pack with this id.
    pub fn index(&self, id: &str) -> Option<usize> {
        self.packs.iter().position(|p| p.id == id)
    }

    /// The lesson with this id in that pack.
    pub fn lesson(&self, pack: usize, id: &str) -> Option<&Lesson> {
        self.packs.get(pack)?.lesson(id)
    }

    /// The lab with this id in that pack, with its lesson.
    pub fn lab(&self, pack: usize, id: &str) -> Option<(&Lesson, &Lab)> {
        self.packs.get(pack)?.lab(id)
    }

    /// The drill with this id in that pack.
    pub fn drill(&self, pack: usize, id: &str) -> Option<&Drill> {
        self.packs.get(pack)?.drill(id)
    }

    /// The ids of all lessons, the built-in first.
    pub fn lesson_ids(&self) -> impl Iterator<Item = &str> {
        let lessons = self.packs.iter().flat_map(|p| &p.lessons);
        lessons.map(|l| l.id.as_str())
    }

    /// Finds a lesson by id in any pack, the built-in first.
    pub fn find_lesson(&self, id: &str) -> Option<(usize, &Lesson)> {
        self.packs.iter().enumerate().find_map(|(i, p)| p.lesson(id).map(|l| (i, l)))
    }

    /// Finds a drill by id in any pack, the built-in first.
    pub fn find_drill(&self, id: &str) -> Option<(usize, &Drill)> {
        self.packs.iter().enumerate().find_map(|(i, p)| p.drill(id).map(|d| (i, d)))
    }
}
