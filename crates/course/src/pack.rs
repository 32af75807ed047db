//! What a pack is: lessons, labs, drills, checks and the glossary, ready to use.
//!
//! A [`Pack`] is made by [`load`], which reads the TOML of [`raw`], checks all of it and
//! gives either a pack or every problem it found, each with its place and its cure.
//! Texts are Markdown with computed numbers already put in. Nothing here draws.

use std::ops::{Deref, DerefMut};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

mod anchor;
mod assemble;
mod body;
mod bounds;
pub mod character;
mod claims;
mod coverage;
mod desk;
mod drill;
mod embed;
mod examine;
mod expand;
mod faults;
mod files;
mod glossary;
mod guard;
pub mod index;
mod lab;
mod lesson;
mod links;
mod literal;
mod load;
mod manifest;
mod measure;
mod measured;
#[cfg(test)]
mod mutated;
mod names;
mod number;
mod parse;
mod problem;
pub mod prose;
mod puzzle;
mod question;
mod quiz;
pub mod raw;
mod reference;
mod rubric;
mod schema;
mod shape;
mod sheets;
mod strings;
mod threads;
mod trust;
mod words;
mod worksheet;

pub use body::{
    Block, Body, Code, Diagram, Formula, Guess, Lab, Lesson, Measure, Misunderstanding, Note, Part,
    Prediction, Reference, Section, SimLink, Starter, Table, Term,
};
pub use embed::Embedded;
pub use expand::{Unfilled, fill, written};
pub use guard::is_reading;
#[doc(hidden)]
pub use load::check_files;
pub use load::{Loaded, check, load};
pub use manifest::{FORMAT, default_parts, is_slug};
pub use problem::{Excerpt, Problem, Severity, Style};
pub use question::{
    Check, CheckKind, ChoiceOption, Draw, Drill, NumberCheck, Puzzle, Sample, Worksheet, WorksheetCell,
    WorksheetRow, seconds_of,
};
pub use raw::{Level, ReferenceKind, SampleKind};
pub use reference::reference;
pub use schema::Document;
pub use trust::fingerprint;
pub use words::words;

/// A course: its table of contents, and everything it holds, which is read when it is first needed.
///
/// It derefs to the [`Body`], and the first such use of the built-in course reads it, which takes a few
/// hundredths of a second. What must be there at once goes by [`Pack::index`].
#[derive(Debug, Clone)]
pub struct Pack {
    /// The id under which progress is kept.
    pub id: String,
    /// The name shown to learners.
    pub title: String,
    /// The version of the content.
    pub version: String,
    /// Where it came from.
    pub origin: Origin,
    /// The parts that drills are scored against, in order.
    pub parts: Vec<Part>,
    index: index::Held,
    body: Arc<OnceLock<Body>>,
}

/// Where a pack came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// Embedded in the binary.
    BuiltIn(&'static Embedded),
    /// A folder.
    Folder(PathBuf),
}

impl Pack {
    /// A course of which everything was read.
    pub fn of(body: Body) -> Self {
        Pack {
            id: body.id.clone(),
            title: body.title.clone(),
            version: body.version.clone(),
            origin: body.origin.clone(),
            parts: body.parts.clone(),
            index: index::Held::Made(Arc::default()),
            body: Arc::new(OnceLock::from(body)),
        }
    }

    /// A course that a program carries. Only its index is looked at; the rest is read when it is needed.
    pub fn embedded(files: &'static Embedded) -> Self {
        let index = files.index;
        Pack {
            id: index.id.to_string(),
            title: index.title.to_string(),
            version: index.version.to_string(),
            origin: Origin::BuiltIn(files),
            parts: manifest::indexed_parts(index),
            index: index::Held::BuiltIn(index),
            body: Arc::default(),
        }
    }

    /// The table of contents.
    pub fn index(&self) -> &index::Index {
        match &self.index {
            index::Held::BuiltIn(index) => index,
            index::Held::Made(index) => index.get_or_init(|| index::Index::of(self.body())),
        }
    }

    /// Everything it holds; read now, where that was not done yet.
    pub fn body(&self) -> &Body {
        self.body.get_or_init(|| {
            let read = load(&self.origin).pack.and_then(|pack| Arc::into_inner(pack.body)?.into_inner());
            read.expect("the built-in course has no errors: a test loads it")
        })
    }

    /// What tells this edition from another without reading it; a folder has nothing of the kind.
    pub fn digest(&self) -> Option<u64> {
        match self.origin {
            Origin::BuiltIn(files) => Some(files.digest),
            Origin::Folder(_) => None,
        }
    }

    /// Whether everything was read.
    pub fn is_read(&self) -> bool {
        self.body.get().is_some()
    }

    /// The question of a drill. Reads the course only where the question holds a computed number.
    pub fn prompt(&self, drill: &str) -> Option<&str> {
        match self.index().drill(drill)? {
            index::Drill { prompt: Some(prompt), .. } => Some(prompt),
            _ => self.drill(drill).map(|d| d.prompt.as_str()),
        }
    }
}

impl Deref for Pack {
    type Target = Body;

    fn deref(&self) -> &Body {
        self.body()
    }
}

impl DerefMut for Pack {
    /// To change what the course holds; its table of contents follows.
    fn deref_mut(&mut self) -> &mut Body {
        self.body();
        self.index = index::Held::Made(Arc::default());
        Arc::make_mut(&mut self.body).get_mut().expect("it was read just now")
    }
}
