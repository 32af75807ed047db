//! The ids of a pack: who defines them, who uses them.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use toml::Spanned;

use super::faults::{Faults, NOWHERE};
use super::problem::nearest;

/// What an id names. Ids of one kind are unique in a pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Kind {
    Lesson,
    Lab,
    /// A lab's program on real processes. It bears the id of its lab.
    Measured,
    Drill,
    /// Checks and puzzles: both are kept in the history under their id.
    Check,
    Term,
    /// A group of words for the scorer. It may bear the id of a term and adds to it.
    Concept,
    /// What is false in every drill.
    Falsehood,
}

impl Kind {
    /// The word for people.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Lesson => "lesson",
            Self::Lab => "lab",
            Self::Measured => "measured lab",
            Self::Drill => "drill",
            Self::Check => "check",
            Self::Term => "term",
            Self::Concept => "concept",
            Self::Falsehood => "misconception",
        }
    }
}

/// An id with its place in a file.
#[derive(Debug, Clone)]
pub(super) struct Name {
    kind: Kind,
    id: String,
    span: Range<usize>,
    /// What to do where nobody defines it; none: what the directory finds.
    cure: Option<String>,
}

/// The ids that one file defines and uses.
#[derive(Debug, Default)]
pub(super) struct Names {
    defined: Vec<Name>,
    used: Vec<Name>,
    /// Ids that something has, though nobody can say what.
    perhaps: Vec<String>,
}

impl Names {
    /// The file defines an id.
    pub(super) fn define(&mut self, kind: Kind, id: &Spanned<String>) {
        if id.span() != NOWHERE {
            self.defined.push(Name { kind, id: id.get_ref().clone(), span: id.span(), cure: None });
        }
    }

    /// The file has a slip of syntax, so that some of it may be unread: whatever looks like an id in
    /// it is not called missing elsewhere.
    pub(super) fn lose(&mut self, text: &str) {
        for line in text.lines() {
            let id = line.trim().strip_prefix("id").map(str::trim_start);
            if let Some(id) = id.and_then(|rest| rest.strip_prefix('=')) {
                let is_quote = |c: char| c.is_whitespace() || c == '"' || c == '\'';
                self.perhaps.push(id.trim_matches(is_quote).to_owned());
            }
        }
    }

    /// The id is spoken for, whatever came of it; links to it are not called broken.
    pub(super) fn announce(&mut self, id: &str) {
        self.perhaps.push(id.to_owned());
    }

    /// The file names something that must exist.
    pub(super) fn use_at(&mut self, kind: Kind, id: &str, span: Range<usize>) {
        if span != NOWHERE {
            self.used.push(Name { kind, id: id.to_owned(), span, cure: None });
        }
    }

    /// The file names something that must exist; where it does not, this is what to do.
    pub(super) fn use_or(&mut self, kind: Kind, id: &Spanned<String>, cure: Option<String>) {
        if id.span() != NOWHERE {
            self.used.push(Name { kind, id: id.get_ref().clone(), span: id.span(), cure });
        }
    }

    /// The file names something that must exist.
    pub(super) fn use_id(&mut self, kind: Kind, id: &Spanned<String>) {
        self.use_at(kind, id.get_ref(), id.span());
    }
}

/// All ids that a pack defines.
#[derive(Debug, Default)]
pub(super) struct Directory {
    places: HashMap<(Kind, String), String>,
    perhaps: HashSet<String>,
}

impl Directory {
    /// Enters what a file defines and reports ids that are taken already.
    pub(super) fn enter(&mut self, names: &Names, faults: &mut Faults<'_>) {
        self.perhaps.extend(names.perhaps.iter().cloned());
        for name in &names.defined {
            let key = (name.kind, name.id.clone());
            if let Some(first) = self.places.get(&key) {
                faults.root(
                    name.span.clone(),
                    format!("the {} id `{}` is taken", name.kind.word(), name.id),
                    format!("choose another id; {first} has it already"),
                );
            } else {
                self.places.insert(key, faults.path().to_owned());
            }
        }
    }

    /// Reports what a file uses and nobody defines.
    pub(super) fn resolve(&self, names: &Names, faults: &mut Faults<'_>) {
        for name in &names.used {
            if self.has(name.kind, &name.id) {
                continue;
            }
            if faults.are_many() {
                faults.count(); // looking for what was meant takes its time
            } else {
                faults.error(
                    name.span.clone(),
                    format!("no {} has the id `{}`", name.kind.word(), name.id),
                    name.cure.clone().unwrap_or_else(|| self.cure(name.kind, &name.id)),
                );
            }
        }
    }

    fn has(&self, kind: Kind, id: &str) -> bool {
        self.perhaps.contains(id) || self.places.contains_key(&(kind, id.to_owned()))
    }

    fn cure(&self, kind: Kind, id: &str) -> String {
        let mut known: Vec<&str> =
            self.places.keys().filter(|(k, _)| *k == kind).map(|(_, id)| id.as_str()).collect();
        known.sort_unstable();
        match nearest(id, known) {
            Some(near) => format!("did you mean `{near}`?"),
            None if kind == Kind::Term => {
                format!("write a term `{id}` into glossary.toml, or name another")
            }
            None => format!("write a {} `{id}`, or name another", kind.word()),
        }
    }
}
