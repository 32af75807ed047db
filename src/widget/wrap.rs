//! Wrapped text with styles: what [`crate::doc::wrap`] makes rows of, each stretch with its colours.

use std::ops::Range;

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::escape;
pub use crate::doc::wrap::*;

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
        for (at, grapheme) in graphemes(&self.text[range.clone()]) {
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

/// Spans of one line cut to `columns`, with `mark` (one column) at the end if something is lost.
/// The text is taken to be harmless already.
pub fn cut_line(line: &Line<'_>, columns: usize, mark: &str) -> Line<'static> {
    let total: usize = line.spans.iter().map(|span| width(&span.content)).sum();
    if total <= columns {
        let whole = |span: &Span<'_>| Span::styled(span.content.to_string(), span.style);
        let spans = line.spans.iter().map(whole).collect();
        return Line { spans, style: line.style, alignment: line.alignment };
    }
    let mut left = columns.saturating_sub(width(mark));
    let mut spans = Vec::new();
    for span in &line.spans {
        let mut kept = String::new();
        for (_, grapheme) in graphemes(&span.content) {
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
    if columns > 0 {
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
        for (_, grapheme) in graphemes(&span.content) {
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
