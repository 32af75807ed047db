//! What lies on the desk while one file is turned into the types of the pack.

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::AtomicUsize;

use toml::Spanned;

use super::expand;
use super::faults::{Faults, NOWHERE};
use super::files::Files;
use super::names::Names;
use super::problem::{Problem, nearest};
use super::raw::Worded;

/// How much is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    /// What the program needs to run: shape, ids, anchors, computed numbers.
    Quick,
    /// All that an author must mend before the pack can be used.
    Told,
    /// Everything, and whether what is asked can be answered: rubrics, puzzles, numbers.
    Full,
}

/// What every file of a pack is read against.
pub(super) struct Course<'a> {
    pub(super) files: &'a Files,
    pub(super) depth: Depth,
    /// The part ids.
    pub(super) parts: Vec<String>,
    /// Languages by file ending.
    pub(super) languages: BTreeMap<String, String>,
    /// How many puzzles were read so far.
    pub(super) puzzles: AtomicUsize,
}

/// One file, its faults and its ids.
pub(super) struct Desk<'a> {
    pub(super) course: &'a Course<'a>,
    pub(super) faults: Faults<'a>,
    pub(super) names: Names,
    /// Problems in files that this one brings in, such as a starter.
    pub(super) elsewhere: Vec<Problem>,
}

impl<'a> Desk<'a> {
    pub(super) fn new(course: &'a Course<'a>, path: &'a str, text: &'a str) -> Self {
        Self { course, faults: Faults::new(path, text), names: Names::default(), elsewhere: Vec::new() }
    }

    /// All that was found.
    pub(super) fn into_problems(self) -> Vec<Problem> {
        let mut problems = self.elsewhere;
        problems.append(&mut self.faults.into_problems());
        problems
    }

    /// Whether all that is written is to be looked at.
    pub(super) fn is_full(&self) -> bool {
        self.course.depth != Depth::Quick
    }

    /// Whether rubrics, puzzles and numbers are to be tried too.
    pub(super) fn judges(&self) -> bool {
        self.course.depth == Depth::Full
    }

    /// A text with its computed numbers put in.
    pub(super) fn text<K>(&mut self, text: Worded<K>) -> String {
        expand::text(text.into_spanned(), &mut self.faults)
    }

    /// A text that may be left out.
    pub(super) fn optional<K>(&mut self, text: Option<Worded<K>>) -> Option<String> {
        text.map(|t| self.text(t))
    }

    /// Several of them.
    pub(super) fn texts<K>(&mut self, texts: Vec<Worded<K>>) -> Vec<String> {
        texts.into_iter().map(|t| self.text(t)).collect()
    }

    /// Reports a part id that the pack does not have.
    pub(super) fn part(&mut self, part: &Spanned<String>) {
        if self.course.parts.iter().any(|p| p == part.get_ref()) {
            return;
        }
        let parts = &self.course.parts;
        let cure = match nearest(part.get_ref(), parts.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the parts are {}", parts.join(", ")),
        };
        let what = format!("the pack has no part `{}`", part.get_ref());
        self.faults.error(part.span(), what, cure);
    }

    /// Reports ids that occur twice among these.
    pub(super) fn unique<'t>(&mut self, what: &str, ids: impl Iterator<Item = &'t Spanned<String>>) {
        let mut seen = HashSet::new();
        for id in ids.filter(|id| id.span() != NOWHERE) {
            if !seen.insert(id.get_ref().as_str()) {
                self.faults.error(
                    id.span(),
                    format!("the {what} id `{}` is taken", id.get_ref()),
                    "choose another id",
                );
            }
        }
    }
}

/// The values without their places.
pub(super) fn plain<K>(texts: Vec<Worded<K>>) -> Vec<String> {
    texts.into_iter().map(Worded::into_inner).collect()
}
