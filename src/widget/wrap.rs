//! Wrapping by display width: UAX 14 says where a line may break, grapheme clusters say what
//! must stay together. Rows are known before anything is drawn.

use std::ops::Range;

use ratatui::buffer::CellWidth;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_linebreak::{BreakOpportunity, linebreaks};
use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

use super::escape;

/// A byte itself, or the next one that is between two graphemes.
pub fn boundary(text: &str, byte: usize) -> usize {
    let byte = (byte..text.len()).find(|byte| text.is_char_boundary(*byte)).unwrap_or(text.len());
    let mut cursor = GraphemeCursor::new(byte, text.len(), true);
    match cursor.is_boundary(text, 0) {
        Ok(true) => byte,
        _ => cursor.next_boundary(text, 0).ok().flatten().unwrap_or(text.len()),
    }
}

/// The columns that a text takes on one row, counted as they are drawn.
pub fn width(text: &str) -> usize {
    text.graphemes(true).map(grapheme_width).sum()
}

/// The columns of one grapheme cluster; none for control characters, which are never drawn.
pub fn grapheme_width(grapheme: &str) -> usize {
    match grapheme.as_bytes() {
        [b' '..=b'~'] => 1,
        _ if grapheme.contains(char::is_control) => 0,
        _ => grapheme.cell_width().into(),
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
    fill(text, (first, rest), standard_breaks(text))
}

/// What may happen at a byte of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Break {
    /// The row ends before it.
    Must,
    /// The row may end before it.
    May,
    /// The row may end before it where it would otherwise end before it is half full.
    Weak,
}

/// The breaks of UAX 14, for [`fill`].
pub fn standard_breaks(text: &str) -> impl Iterator<Item = (usize, Break)> {
    linebreaks(text).map(|(at, kind)| match kind {
        BreakOpportunity::Mandatory => (at, Break::Must),
        BreakOpportunity::Allowed => (at, Break::May),
    })
}

/// Wraps like [`rows`], but breaks only where `breaks` says: bytes in ascending order, each
/// the first of what may go to the next row.
pub fn fill(
    text: &str,
    (first, rest): (usize, usize),
    breaks: impl Iterator<Item = (usize, Break)>,
) -> Vec<Row> {
    let breaks: Vec<(usize, Break)> = breaks.collect();
    let mut rows = vec![next_row(text, 0, first, &breaks)];
    while let Some(last) = rows.last()
        && (last.next < text.len() || text[last.start..].ends_with(is_line_end))
    {
        rows.push(next_row(text, last.next, rest, &breaks));
    }
    rows
}

fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// The row that begins at a byte.
fn next_row(text: &str, start: usize, limit: usize, breaks: &[(usize, Break)]) -> Row {
    let mut ahead = breaks[breaks.partition_point(|(at, _)| *at <= start)..].iter().peekable();
    let (mut strong, mut weak) = (None, None);
    let mut columns = 0;
    let mut row = Row { start, end: start, next: start, width: 0 };
    for (offset, grapheme) in text[start..].grapheme_indices(true) {
        row.next = start + offset;
        while let Some((at, kind)) = ahead.next_if(|(at, _)| *at <= row.next) {
            match kind {
                Break::Must => return row,
                // a break inside a grapheme is none
                _ if *at < row.next => {}
                Break::May => strong = Some(row),
                Break::Weak => weak = Some(row),
            }
        }
        let more = grapheme_width(grapheme);
        let blank = grapheme.chars().all(char::is_whitespace);
        if !blank && offset > 0 && columns + more > limit {
            return best(strong, weak, limit).unwrap_or(row);
        }
        columns += more;
        if !blank {
            row.end = row.next + grapheme.len();
            row.width = columns;
        }
    }
    row.next = text.len();
    row
}

/// Where a row ends when it must: at a weak break only if it would stay half empty otherwise.
fn best(strong: Option<Row>, weak: Option<Row>, limit: usize) -> Option<Row> {
    match (strong, weak) {
        (Some(strong), Some(weak)) if strong.width * 2 < limit && weak.next > strong.next => Some(weak),
        (strong, weak) => strong.or(weak),
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
                let (lead, used) = if at == 0 { (&indent.first, first) } else { (&indent.rest, rest) };
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
            let grapheme = if grapheme_width(grapheme) > limit { "?" } else { grapheme };
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
        Hanging { first: vec![lead], rest: vec![Span::raw(blanks)] }
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
    let room = if total <= columns { columns } else { columns.saturating_sub(width(mark)) };
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
    Line { spans, style: line.style, alignment: line.alignment }
}

/// Spans of one line without its first `columns`, with `mark` (one column) in place of the first
/// letter that is left if one is lost. The text is taken to be harmless already.
pub fn without_columns(line: &Line<'_>, columns: usize, mark: &str) -> Line<'static> {
    let mut gone = 0;
    let mut lost = false;
    let mut spans = Vec::new();
    for span in &line.spans {
        let mut kept = String::new();
        for grapheme in span.content.graphemes(true) {
            if gone < columns {
                gone += grapheme_width(grapheme);
                lost |= !grapheme.trim().is_empty();
            } else if std::mem::take(&mut lost) {
                kept.push_str(mark);
                kept.push_str(&" ".repeat(grapheme_width(grapheme).saturating_sub(1)));
            } else {
                kept.push_str(grapheme);
            }
        }
        spans.push(Span::styled(kept, span.style));
    }
    Line { spans, style: line.style, alignment: line.alignment }
}

#[cfg(test)]
mod tests;
