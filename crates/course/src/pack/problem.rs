//! A fault of a pack: where it is, what it is, and how to mend it.

use std::fmt;

use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use super::character::escaped;

/// How bad a problem is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The pack cannot be used as it is.
    Error,
    /// The pack can be used; something in it is probably not what its author meant.
    Warning,
}

/// A fault of a pack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// How bad it is.
    pub severity: Severity,
    /// The file, relative to the pack, with `/` between names. As read, not escaped.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub what: String,
    /// How to mend it.
    pub cure: String,
    /// The line itself, where the fault has a place in a text.
    #[serde(skip)]
    pub excerpt: Option<Excerpt>,
    /// Whether other problems may come from it, so that it is told before them.
    #[serde(skip)]
    pub root: bool,
}

/// A source line (or the part of a long one around the fault) and what to underline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// The text before the fault.
    pub before: String,
    /// The fault itself, up to the end of the line.
    pub fault: String,
    /// The text after it.
    pub after: String,
}

/// Whether a report may use colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Characters alone.
    Plain,
    /// With ANSI colours.
    Colour,
}

impl Problem {
    /// An error without a place in a text: line 1, column 1, no excerpt.
    pub(super) fn of_file(path: &str, what: impl Into<String>, cure: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            path: path.to_owned(),
            line: 1,
            column: 1,
            what: what.into(),
            cure: cure.into(),
            excerpt: None,
            root: false,
        }
    }

    /// Whether the pack cannot be used because of it.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The problem as lines for people: `path:line:column: what — cure`, then the source line
    /// and a caret below the fault. `root` stands before the path; empty for none. Every
    /// character from the pack is escaped.
    pub fn report(&self, root: &str, style: Style) -> String {
        let paint = Paint(style);
        let slash = if root.is_empty() || root.ends_with('/') { "" } else { "/" };
        let place = format!("{root}{slash}{}:{}:{}", self.path, self.line, self.column);
        let mark = match self.severity {
            Severity::Error => String::new(),
            Severity::Warning => paint.warning("warning: "),
        };
        let mut out = format!(
            "{}: {mark}{} — {}\n",
            paint.bold(&escaped(&place)),
            escaped(&self.what),
            escaped(&self.cure),
        );
        if let Some(excerpt) = &self.excerpt {
            out.push_str(&excerpt.lines(self.line, paint));
        }
        out
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.report("", Style::Plain).trim_end())
    }
}

impl Excerpt {
    fn lines(&self, number: usize, paint: Paint) -> String {
        let before = escaped(&self.before);
        let fault = escaped(&self.fault);
        let after = escaped(&self.after);
        let caret = "^".repeat(fault.width().max(1));
        let blank = " ".repeat(before.width());
        format!(
            "{}{before}{fault}{after}\n{}{blank}{}\n",
            paint.faint(&format!("{number:>5} | ")),
            paint.faint("      | "),
            paint.error(&caret),
        )
    }
}

#[derive(Clone, Copy)]
struct Paint(Style);

impl Paint {
    fn with(self, code: &str, text: &str) -> String {
        match self.0 {
            Style::Plain => text.to_owned(),
            Style::Colour => format!("\x1b[{code}m{text}\x1b[0m"),
        }
    }
    fn bold(self, text: &str) -> String {
        self.with("1", text)
    }
    fn faint(self, text: &str) -> String {
        self.with("2", text)
    }
    fn error(self, text: &str) -> String {
        self.with("1;31", text)
    }
    fn warning(self, text: &str) -> String {
        self.with("1;33", text)
    }
}

/// Sorts: `pack.toml` first, then what other problems come from, then by file and place. Drops what is said twice.
pub(super) fn sort(problems: &mut Vec<Problem>) {
    problems.sort_by(|a, b| key(a).cmp(&key(b)));
    problems.dedup();
}

/// What `pack.toml` says decides what the other files are taken for, so its problems come first.
fn key(p: &Problem) -> (bool, bool, &str, usize, usize, Severity, &str) {
    (p.path != "pack.toml", !p.root, &p.path, p.line, p.column, p.severity, &p.what)
}

/// The candidate that was probably meant, if one is near enough.
pub(super) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const LONGEST: usize = 60;
    if word.len() > LONGEST {
        return None;
    }
    let bound = (word.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .filter(|c| c.len().abs_diff(word.len()) <= 2 * bound)
        .map(|c| (strsim::damerau_levenshtein(word, c), c))
        .filter(|(distance, _)| *distance <= bound)
        .min()
        .map(|(_, c)| c)
}
