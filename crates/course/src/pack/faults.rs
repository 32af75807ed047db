//! Collects the problems of one file and finds their places.

use std::cell::OnceCell;
use std::ops::Range;

use super::literal::Literal;
use super::problem::{Excerpt, Problem, Severity};

/// A range of bytes of a file.
pub(super) type Span = Range<usize>;

/// The place of a value that does not stand in the file: it was put in for a missing or
/// unusable one. What is said about it is dropped, since the cause was reported already.
pub(super) const NOWHERE: Span = usize::MAX..usize::MAX;

/// More problems than this in one file are counted, not listed.
const MOST: usize = 300;
/// Characters of the line shown on each side of a fault.
const MARGIN: usize = 60;

/// One file under examination.
pub(super) struct Faults<'a> {
    path: &'a str,
    text: &'a str,
    line_starts: OnceCell<Vec<usize>>,
    found: Vec<Problem>,
    more: usize,
}

impl<'a> Faults<'a> {
    /// A file with its path in the pack and its text.
    pub(super) fn new(path: &'a str, text: &'a str) -> Self {
        Self { path, text, line_starts: OnceCell::new(), found: Vec::new(), more: 0 }
    }

    /// The path in the pack.
    pub(super) fn path(&self) -> &'a str {
        self.path
    }

    /// The whole text.
    pub(super) fn text(&self) -> &'a str {
        self.text
    }

    /// How many errors were noted.
    pub(super) fn errors(&self) -> usize {
        self.found.iter().filter(|p| p.is_error()).count()
    }

    /// Whether further problems are only counted, so that nothing need be found out about them.
    pub(super) fn are_many(&self) -> bool {
        self.found.len() >= MOST
    }

    /// Counts a problem of which nothing more is said.
    pub(super) fn count(&mut self) {
        self.more += 1;
    }

    /// Notes an error at a range of bytes.
    pub(super) fn error(&mut self, span: Span, what: impl Into<String>, cure: impl Into<String>) {
        self.note(Severity::Error, span, (what.into(), cure.into()));
    }

    /// Notes an error that others may come from.
    pub(super) fn root(&mut self, span: Span, what: impl Into<String>, cure: impl Into<String>) {
        let before = self.found.len();
        self.error(span, what, cure);
        self.found[before..].iter_mut().for_each(|problem| problem.root = true);
    }

    /// Notes a warning at a range of bytes.
    pub(super) fn warning(&mut self, span: Span, what: impl Into<String>, cure: impl Into<String>) {
        self.note(Severity::Warning, span, (what.into(), cure.into()));
    }

    fn note(&mut self, severity: Severity, span: Span, (what, cure): (String, String)) {
        if span == NOWHERE {
            return;
        }
        if self.found.len() >= MOST {
            self.more += 1;
            return;
        }
        let (line, column, excerpt) = self.place(span);
        self.found.push(Problem {
            severity,
            path: self.path.to_owned(),
            line,
            column,
            what,
            cure,
            excerpt: Some(excerpt),
            root: false,
        });
    }

    fn place(&self, span: Span) -> (usize, usize, Excerpt) {
        let starts = self.line_starts.get_or_init(|| line_starts(self.text));
        let at = floor(self.text, span.start);
        let line = starts.partition_point(|s| *s <= at) - 1;
        let line_end = starts.get(line + 1).map_or(self.text.len(), |next| next - 1);
        let at = at.min(line_end);
        let end = floor(self.text, span.end).clamp(at, line_end);
        let before = &self.text[starts[line]..at];
        let excerpt = Excerpt {
            before: tail(before, MARGIN),
            fault: head(&self.text[at..end], MARGIN),
            after: if self.text[at..end].chars().nth(MARGIN).is_some() {
                String::new()
            } else {
                head(&self.text[end..line_end], MARGIN)
            },
        };
        (line + 1, before.chars().count() + 1, excerpt)
    }

    /// What was found.
    pub(super) fn into_problems(mut self) -> Vec<Problem> {
        if self.more > 0 {
            self.found.push(Problem::of_file(
                self.path,
                format!("{} more problems are not listed", self.more),
                "mend the listed ones and check again",
            ));
        }
        self.found
    }
}

fn line_starts(text: &str) -> Vec<usize> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect()
}

fn floor(text: &str, at: usize) -> usize {
    text.floor_char_boundary(at.min(text.len()))
}

fn head(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn tail(text: &str, most: usize) -> String {
    match text.char_indices().rev().nth(most) {
        Some((before, c)) => format!("…{}", &text[before + c.len_utf8()..]),
        None => text.to_owned(),
    }
}

/// The bytes of the file that hold a piece of a text, for a problem inside it. `text` is the place
/// of the text with its quotes; `piece` counts bytes of its value.
pub(super) fn inside(file: &str, text: &Span, piece: Span) -> Span {
    Literal::new(file, text).inside(piece)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one_in_characters() {
        let mut faults = Faults::new("a.toml", "x = 1\nπ = \"é\"\n");
        faults.error(11..15, "w", "c");
        let found = faults.into_problems();
        assert_eq!((found[0].line, found[0].column), (2, 5));
        assert_eq!(found[0].to_string(), "a.toml:2:5: w — c\n    2 | π = \"é\"\n      |     ^^^");
    }

    #[test]
    fn a_span_past_the_end_or_inside_a_character_is_harmless() {
        let backwards = Range { start: 2, end: 1 };
        for span in [0..0, 1..2, backwards, 5..900, 900..901] {
            let mut faults = Faults::new("a", "π\nπ");
            faults.error(span, "w", "c");
            assert_eq!(faults.into_problems().len(), 1);
        }
    }

    #[test]
    fn a_long_line_is_shown_in_part() {
        let text = "x".repeat(100_000);
        let mut faults = Faults::new("a", &text);
        faults.error(50_000..60_000, "w", "c");
        assert!(faults.into_problems()[0].to_string().len() < 400);
    }
}
