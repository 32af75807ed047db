//! The packs at hand: those that loaded, and those that did not, with the reasons.

use std::sync::Arc;

use crate::pack::{Drill, Lab, Lesson, Pack};
use crate::study::change::Content;
use crate::study::find::Catalogue;

/// All packs that were asked for. The built-in one comes first.
#[derive(Debug, Default)]
pub struct Library {
    /// The packs that loaded.
    pub packs: Vec<Pack>,
    /// The packs that did not, in the order they were asked for.
    pub broken: Vec<Broken>,
}

/// What came of opening a pack beside the program.
#[derive(Debug, Clone)]
pub enum Opened {
    /// It was read.
    Read(Box<Read>),
    /// It does not load.
    Broken(Broken),
}

/// A pack that was read, and what it holds, to tell what changed.
#[derive(Debug, Clone)]
pub struct Read {
    /// The pack.
    pub pack: Pack,
    /// What it holds.
    pub content: Content,
    /// The same, ready to be searched.
    pub catalogue: Arc<Catalogue>,
}

impl Read {
    /// The pack, read now where that was not done yet, with all that pages go through: what is made here is made beside
    /// the program, and not when a key asks for it.
    pub fn of(pack: &Pack) -> Self {
        pack.index();
        Read { content: Content::of(pack), catalogue: Arc::new(Catalogue::of_pack(pack)), pack: pack.clone() }
    }
}

impl PartialEq for Read {
    fn eq(&self, other: &Self) -> bool {
        self.content == other.content
    }
}

/// Why an id names nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unnamed {
    /// No pack has it.
    Nowhere,
    /// Several packs have it; each with its pack, as it may be asked for.
    Several(Vec<String>),
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
    /// Takes a pack that was read. Says whether it is a new one.
    pub fn add(&mut self, pack: Pack) -> bool {
        let is_new = self.index(&pack.id).is_none();
        if is_new {
            self.packs.push(pack);
        }
        is_new
    }

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

    /// The pack that has what is asked for, and its id there. Asked for as `pack:id`, or as the bare id where one
    /// pack alone has it.
    ///
    /// # Errors
    /// Where no pack has it, or several have.
    pub fn named<'a>(
        &self,
        asked: &'a str,
        has: impl Fn(&Pack, &str) -> bool,
    ) -> Result<(usize, &'a str), Unnamed> {
        if let Some((pack, id)) = asked.split_once(':') {
            let index = self.index(pack).ok_or(Unnamed::Nowhere)?;
            return if has(&self.packs[index], id) { Ok((index, id)) } else { Err(Unnamed::Nowhere) };
        }
        let mut having = self.packs.iter().enumerate().filter(|(_, pack)| has(pack, asked)).map(|(i, _)| i);
        match (having.next(), having.next()) {
            (Some(index), None) => Ok((index, asked)),
            (None, _) => Err(Unnamed::Nowhere),
            (Some(first), Some(second)) => {
                let all = [first, second].into_iter().chain(having);
                Err(Unnamed::Several(all.map(|i| format!("{}:{asked}", self.packs[i].id)).collect()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_that_two_packs_have_is_asked_back() {
        let first = crate::built_in::course();
        let mut second = first.clone();
        second.id = "second".into();
        second.drills.truncate(1);
        let library = Library { packs: vec![first, second], broken: Vec::new() };
        let drills: Vec<&str> = library.packs[0].index().drills.iter().map(|d| &*d.id).collect();
        let has = |pack: &Pack, id: &str| pack.index().drill(id).is_some();
        let both = library.named(drills[0], has);
        let wanted = ["distributed-training", "second"].map(|pack| format!("{pack}:{}", drills[0]));
        assert_eq!(both, Err(Unnamed::Several(wanted.to_vec())));
        let of_second = format!("second:{}", drills[0]);
        assert_eq!(library.named(&of_second, has), Ok((1, drills[0])));
        assert_eq!(library.named(drills[1], has), Ok((0, drills[1])));
        let elsewhere = format!("second:{}", drills[1]);
        for unknown in ["no-such-drill", &elsewhere, "third:x", ":", ""] {
            assert_eq!(library.named(unknown, has), Err(Unnamed::Nowhere), "{unknown}");
        }
    }
}
