//! Wrapping by display width: UAX 14 says where a line may break, grapheme clusters say what
//! must stay together. Rows are known before anything is drawn.

use std::ops::Range;

use ratatui::buffer::CellWidth;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_linebreak::{BreakOpportunity, linebreaks};
use unicode_segmentation::UnicodeSegmentation;

use super::escape;

/// The columns that a text takes on one row, counted as they are drawn.
pub fn width(text: &str) -> usize {
    text.graphemes(true).map(grapheme_width).sum()
}

/// The columns of one grapheme cluster; none for control characters, which are never drawn.
pub fn grapheme_width(grapheme: &str) -> usize {
    if grapheme.contains(char::is_control) {
        0
    } else {
        usize::from(grapheme.cell_width())
    }
}

/// One row of a wrapped text, in bytes of that text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// The first byte.
    pub start: usize,
    /// The byte after the last one that is drawn; blanks and line ends after it hang.
    pub end: usize,
    /// The first byte of the next row.
    pub next: usize,
    /// Columns drawn.
    pub width: usize,
}

impl Row {
    /// The bytes drawn.
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// Wraps a text to `first` columns on its first row and `rest` columns on the others. There is
/// always a row; every byte belongs to exactly one `start..next`. A word longer than a row
/// is split between graphemes. A row is wider than its limit only where one grapheme is.
pub fn rows(text: &str, first: usize, rest: usize) -> Vec<Row> {
    let mut filling = Filling::new(first, rest);
    let mut breaks = linebreaks(text).peekable();
    let mut ended = true;
    for (at, grapheme) in text.grapheme_indices(true) {
        while let Some((_, kind)) = breaks.next_if(|(offset, _)| *offset <= at) {
            match kind {
                BreakOpportunity::Mandatory if at > 0 => filling.end_row(at),
                BreakOpportunity::Allowed if breaks.peek().is_none_or(|(offset, _)| *offset > at) => {
                    filling.may_break(at);
                }
                _ => {}
            }
        }
        filling.push(at, grapheme);
        ended = grapheme.ends_with(is_line_end);
    }
    filling.end_row(text.len());
    if ended && !text.is_empty() {
        filling.end_row(text.len());
    }
    filling.rows
}

fn is_line_end(c: char) -> bool {
    matches!(
        c,
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

/// The row being filled.
struct Filling {
    rows: Vec<Row>,
    limit: usize,
    rest: usize,
    start: usize,
    /// Columns so far, blanks included.
    width: usize,
    /// The byte and the columns after the last grapheme that is not blank.
    visible: (usize, usize),
    /// The last place where the row may end.
    candidate: Option<Candidate>,
}

struct Candidate {
    at: usize,
    width: usize,
    visible: (usize, usize),
}

impl Filling {
    fn new(first: usize, rest: usize) -> Filling {
        Filling {
            rows: Vec::new(),
            limit: first,
            rest,
            start: 0,
            width: 0,
            visible: (0, 0),
            candidate: None,
        }
    }

    fn may_break(&mut self, at: usize) {
        if at > self.start {
            self.candidate = Some(Candidate {
                at,
                width: self.width,
                visible: self.visible,
            });
        }
    }

    fn push(&mut self, at: usize, grapheme: &str) {
        let columns = grapheme_width(grapheme);
        let blank = grapheme.chars().all(char::is_whitespace);
        while !blank && at > self.start && self.width + columns > self.limit {
            match self.candidate.take() {
                Some(candidate) => self.end_row_early(candidate),
                None => self.end_row(at),
            }
        }
        self.width += columns;
        if !blank {
            self.visible = (at + grapheme.len(), self.width);
        }
    }

    /// Ends the row at the candidate; what was read since then begins the next.
    fn end_row_early(&mut self, candidate: Candidate) {
        let (end, width) = candidate.visible;
        self.rows.push(Row {
            start: self.start,
            end,
            next: candidate.at,
            width,
        });
        self.start = candidate.at;
        self.width -= candidate.width;
        self.visible = if self.visible.0 > candidate.at {
            (self.visible.0, self.visible.1 - candidate.width)
        } else {
            (candidate.at, 0)
        };
        self.limit = self.rest;
    }

    fn end_row(&mut self, at: usize) {
        let (end, width) = self.visible;
        self.rows.push(Row {
            start: self.start,
            end,
            next: at,
            width,
        });
        self.start = at;
        self.width = 0;
        self.visible = (at, 0);
        self.candidate = None;
        self.limit = self.rest;
    }
}

/// The index of the row that a byte belongs to. A byte on a soft break belongs to the lower row.
pub fn row_of(rows: &[Row], byte: usize) -> usize {
    rows.partition_point(|row| row.start <= byte).saturating_sub(1)
}

/// A text in which each stretch has its style. Whatever is pushed is made harmless first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Styled {
    text: String,
    /// The byte where each run ends, and its style.
    runs: Vec<(usize, Style)>,
}

impl Styled {
    /// Nothing yet.
    pub fn new() -> Styled {
        Styled::default()
    }

    /// A text in one style.
    pub fn from_text(text: &str, style: Style) -> Styled {
        let mut styled = Styled::new();
        styled.push(text, style);
        styled
    }

    /// Adds a text, and returns the bytes that it takes after escaping. Line ends stay.
    pub fn push(&mut self, text: &str, style: Style) -> Range<usize> {
        let start = self.text.len();
        self.text.push_str(&escape::lines(text));
        match self.runs.last_mut() {
            Some((end, last)) if *last == style => *end = self.text.len(),
            _ if self.text.len() > start => self.runs.push((self.text.len(), style)),
            _ => {}
        }
        start..self.text.len()
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The columns of its widest line.
    pub fn width(&self) -> usize {
        self.text.split('\n').map(width).max().unwrap_or(0)
    }

    /// Wraps to `width` columns, each row led by the hanging indent. An indent that leaves no
    /// room is left out. No row is wider than `width`; width 0 gives no rows.
    pub fn wrap(&self, indent: &Hanging, columns: usize) -> Vec<Line<'static>> {
        if columns == 0 {
            return Vec::new();
        }
        let (first, rest) = indent.widths(columns);
        rows(&self.text, columns - first, columns - rest)
            .iter()
            .enumerate()
            .map(|(at, row)| {
                let (lead, used) = if at == 0 {
                    (&indent.first, first)
                } else {
                    (&indent.rest, rest)
                };
                let mut spans = if used > 0 { lead.clone() } else { Vec::new() };
                spans.extend(self.spans(row.range(), columns - used));
                Line::from(spans)
            })
            .collect()
    }

    /// Some bytes of it as spans, cut between graphemes. A grapheme wider than `limit` columns
    /// is shown as `?`, so that not even a single wide one leaves its row.
    pub fn spans(&self, range: Range<usize>, limit: usize) -> Vec<Span<'static>> {
        let mut spans: Vec<Span<'static>> = Vec::new();
        for (at, grapheme) in self.text[range.clone()].grapheme_indices(true) {
            let grapheme = if grapheme_width(grapheme) > limit {
                "?"
            } else {
                grapheme
            };
            let style = self.style_at(range.start + at);
            match spans.last_mut() {
                Some(span) if span.style == style => span.content.to_mut().push_str(grapheme),
                _ => spans.push(Span::styled(grapheme.to_string(), style)),
            }
        }
        spans
    }

    fn style_at(&self, byte: usize) -> Style {
        let run = self.runs.partition_point(|(end, _)| *end <= byte);
        self.runs.get(run).map_or(Style::new(), |(_, style)| *style)
    }
}

/// What leads the rows of a wrapped text: the first row, and the others.
#[derive(Debug, Clone, Default)]
pub struct Hanging {
    /// Before the first row.
    pub first: Vec<Span<'static>>,
    /// Before each further row.
    pub rest: Vec<Span<'static>>,
}

impl Hanging {
    /// No indent.
    pub fn none() -> Hanging {
        Hanging::default()
    }

    /// `lead` before the first row, as many blanks before the others.
    pub fn under(lead: Span<'static>) -> Hanging {
        let blanks = " ".repeat(width(&lead.content));
        Hanging {
            first: vec![lead],
            rest: vec![Span::raw(blanks)],
        }
    }

    /// The columns of both that fit beside at least one column of text, 0 where they do not.
    pub fn widths(&self, columns: usize) -> (usize, usize) {
        let fitting = |spans: &[Span]| {
            let lead = spans.iter().map(|span| width(&span.content)).sum::<usize>();
            if lead < columns { lead } else { 0 }
        };
        (fitting(&self.first), fitting(&self.rest))
    }
}

/// One line of a text cut to `columns`, with `mark` (one column) at the end if something is lost.
pub fn cut(text: &str, columns: usize, mark: &str) -> String {
    let text = escape::line(text);
    if width(&text) <= columns {
        return text.into_owned();
    }
    let room = columns.saturating_sub(width(mark));
    let mut taken = 0;
    let mut out: String = text
        .graphemes(true)
        .take_while(|grapheme| {
            taken += grapheme_width(grapheme);
            taken <= room
        })
        .collect();
    if columns > 0 {
        out.push_str(mark);
    }
    out
}

/// Spans of one line cut to `columns`, with `mark` (one column) at the end if something is lost.
/// The text is taken to be harmless already.
pub fn cut_line(line: &Line<'_>, columns: usize, mark: &str) -> Line<'static> {
    let total: usize = line.spans.iter().map(|span| width(&span.content)).sum();
    let room = if total <= columns {
        columns
    } else {
        columns.saturating_sub(width(mark))
    };
    let mut left = room;
    let mut spans = Vec::new();
    for span in &line.spans {
        let mut kept = String::new();
        for grapheme in span.content.graphemes(true) {
            let Some(rest) = left.checked_sub(grapheme_width(grapheme)) else {
                break;
            };
            left = rest;
            kept.push_str(grapheme);
        }
        let whole = kept.len() == span.content.len();
        spans.push(Span::styled(kept, span.style));
        if !whole {
            break;
        }
    }
    if total > columns && columns > 0 {
        let style = spans.last().map_or(Style::new(), |span| span.style);
        spans.push(Span::styled(mark.to_string(), style));
    }
    Line {
        spans,
        style: line.style,
        alignment: line.alignment,
    }
}

#[cfg(test)]
mod tests;
