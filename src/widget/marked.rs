//! A learner's own text with marks: the words that earned a part are underlined in the part's
//! colour and followed by its raised digit; wrong words are followed by a cross.

use std::ops::Range;

use ratatui::style::{Modifier, Style};
use ratatui::text::Line;

use super::markdown::Spot;
use super::theme::Theme;
use super::wrap::{self, Row, Styled};
pub use crate::doc::{Mark, MarkKind};

/// A marked text laid out for a width.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Marked {
    /// The rows; none is wider than the width asked for.
    pub lines: Vec<Line<'static>>,
    /// Where the words of each mark stand, in the order of the marks given.
    pub spots: Vec<Vec<Spot>>,
}

/// Lays out a text with its marks, of which `active` is the one that the cursor is on. Marks
/// may overlap: the shortest gives the colour, and each has its own digit at its end.
pub fn render(text: &str, marks: &[Mark], active: Option<usize>, (width, theme): (u16, &Theme)) -> Marked {
    let width = usize::from(width);
    let mut marking = Marking::new(text, marks, active, theme);
    marking.run();
    if width == 0 {
        return Marked { lines: Vec::new(), spots: vec![Vec::new(); marks.len()] };
    }
    let Marking { styled, tags, words, .. } = marking;
    // a digit stays with its words
    let breaks = wrap::standard_breaks(styled.text()).filter(|(at, _)| tags.binary_search(at).is_err());
    let rows = wrap::fill(styled.text(), (width, width), breaks);
    let lines = rows.iter().map(|row| Line::from(styled.spans(row.range(), width))).collect();
    let spots = words.iter().map(|ranges| spots(ranges, &rows, styled.text(), width)).collect();
    Marked { lines, spots }
}

struct Marking<'a> {
    text: &'a str,
    marks: Vec<Mark>,
    active: Option<usize>,
    theme: &'a Theme,
    styled: Styled,
    /// The bytes of `styled` where something begins that must stay with the words before it.
    tags: Vec<usize>,
    /// The bytes of `styled` that each mark's words take.
    words: Vec<Vec<Range<usize>>>,
}

impl<'a> Marking<'a> {
    fn new(text: &'a str, marks: &[Mark], active: Option<usize>, theme: &'a Theme) -> Marking<'a> {
        let inside = |mark: &Mark| {
            let start = wrap::boundary(text, mark.bytes.start.min(text.len()));
            let end = wrap::boundary(text, mark.bytes.end.min(text.len()));
            Mark { bytes: start..end.max(start), kind: mark.kind }
        };
        Marking {
            text,
            marks: marks.iter().map(inside).collect(),
            active,
            theme,
            styled: Styled::new(),
            tags: Vec::new(),
            words: vec![Vec::new(); marks.len()],
        }
    }

    fn run(&mut self) {
        let mut cuts: Vec<usize> =
            self.marks.iter().flat_map(|mark| [mark.bytes.start, mark.bytes.end]).collect();
        cuts.extend([0, self.text.len()]);
        cuts.sort_unstable();
        cuts.dedup();
        for (at, cut) in cuts.iter().enumerate() {
            self.close(*cut);
            self.open(*cut);
            if let Some(next) = cuts.get(at + 1) {
                self.segment(*cut..*next);
            }
        }
    }

    /// The marks that begin at a byte, where an opening sign is shown.
    fn open(&mut self, at: usize) {
        let opening = self.theme.glyphs.mark_open;
        if opening.is_empty() {
            return;
        }
        for kind in self.kinds(|mark| !mark.bytes.is_empty() && mark.bytes.start == at) {
            self.styled.push(opening, plain_style(kind, self.theme));
        }
    }

    /// The digits of the marks that end at a byte, each once: raised, or in brackets where raised they would read as a
    /// power.
    fn close(&mut self, at: usize) {
        let kinds = self.kinds(|mark| !mark.bytes.is_empty() && mark.bytes.end == at);
        let digit = |kind: &MarkKind| match kind {
            MarkKind::Part(part) => {
                let raised = self.theme.part(*part).raised;
                RAISED.iter().position(|sign| raised.starts_with(*sign)).map(|nth| (*kind, nth + 1))
            }
            MarkKind::Wrong => None,
        };
        let digits: Vec<(MarkKind, usize)> = kinds.iter().filter_map(digit).collect();
        if digits.len() > 1 || (!digits.is_empty() && ends_in_formula(&self.text[..at])) {
            for (nth, (kind, digit)) in digits.iter().enumerate() {
                self.tags.push(self.styled.text().len());
                self.styled.push(if nth == 0 { "\u{a0}[" } else { "," }, self.theme.dim);
                self.tags.push(self.styled.text().len());
                self.styled
                    .push(&digit.to_string(), plain_style(*kind, self.theme).add_modifier(Modifier::BOLD));
            }
            self.tags.push(self.styled.text().len());
            self.styled.push("]", self.theme.dim);
            kinds
                .into_iter()
                .filter(|kind| !digits.iter().any(|(of, _)| of == kind))
                .for_each(|kind| self.raise(kind));
        } else {
            kinds.into_iter().for_each(|kind| self.raise(kind));
        }
    }

    /// What stands raised behind marked words.
    fn raise(&mut self, kind: MarkKind) {
        let tag = match kind {
            MarkKind::Part(part) => self.theme.part(part).raised,
            MarkKind::Wrong => self.theme.glyphs.raised_wrong,
        };
        self.tags.push(self.styled.text().len());
        self.styled.push(tag, plain_style(kind, self.theme).add_modifier(Modifier::BOLD));
    }

    /// The kinds of some marks, each once and in order: what opens and closes together.
    fn kinds(&self, which: impl Fn(&Mark) -> bool) -> Vec<MarkKind> {
        let mut kinds: Vec<MarkKind> =
            self.marks.iter().filter(|mark| which(mark)).map(|mark| mark.kind).collect();
        kinds.sort();
        kinds.dedup();
        kinds
    }

    fn segment(&mut self, bytes: Range<usize>) {
        let covering = |mark: &Mark| mark.bytes.start <= bytes.start && bytes.end <= mark.bytes.end;
        let shortest = self.marks.iter().filter(|mark| covering(mark)).min_by_key(|mark| {
            // a false statement outweighs what it may have earned
            (mark.kind != MarkKind::Wrong, mark.bytes.len())
        });
        let mut style = shortest.map_or(self.theme.text, |mark| marked_style(mark.kind, self.theme));
        if self.active.and_then(|active| self.marks.get(active)).is_some_and(covering) {
            style = style.patch(self.theme.selection);
        }
        let words = self.styled.push(&self.text[bytes.clone()], style);
        for (mark, ranges) in self.marks.iter().zip(&mut self.words) {
            if covering(mark) {
                ranges.push(words.clone());
            }
        }
    }
}

/// Digits that a reader takes for a power where a formula stands before them.
const RAISED: [char; 9] = ['¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

/// Whether the last word has a digit or a sign of a formula.
fn ends_in_formula(text: &str) -> bool {
    let word = text.rsplit(char::is_whitespace).next().unwrap_or_default();
    word.chars().any(|c| c.is_numeric() || matches!(c, '(' | ')' | '+' | '*' | '/' | '^' | '=' | '×'))
}

fn plain_style(kind: MarkKind, theme: &Theme) -> Style {
    match kind {
        MarkKind::Part(part) => theme.part(part).name,
        MarkKind::Wrong => theme.words.missing,
    }
}

fn marked_style(kind: MarkKind, theme: &Theme) -> Style {
    match kind {
        MarkKind::Part(part) => theme.part(part).style,
        MarkKind::Wrong => theme.words.missing.add_modifier(Modifier::UNDERLINED | Modifier::BOLD),
    }
}

/// The places of some bytes on screen, adjoining ones joined.
fn spots(ranges: &[Range<usize>], rows: &[Row], text: &str, width: usize) -> Vec<Spot> {
    let mut spots: Vec<Spot> = Vec::new();
    for range in ranges {
        for (at, row) in rows.iter().enumerate() {
            let (start, end) = (range.start.max(row.start), range.end.min(row.end));
            if start >= end {
                continue;
            }
            let column = |byte| wrap::width(&text[row.start..byte]).min(width) as u16;
            let columns = column(start)..column(end);
            match spots.last_mut() {
                Some(last) if last.row == at && last.columns.end <= columns.start => {
                    last.columns.end = columns.end
                }
                _ => spots.push(Spot { row: at, columns }),
            }
        }
    }
    spots
}

#[cfg(test)]
mod tests;
