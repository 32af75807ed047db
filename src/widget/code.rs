//! Code that is read, not edited: numbered lines, a cursor line, and marks beside the blocks that
//! notes belong to.
//!
//! A line that is too long goes on in the next row, below its own indentation, so that nothing
//! is out of sight in a pane of 40 columns. Only diagrams are cut.

use std::ops::Range;

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation;

use super::escape;
use super::highlight::{Highlighter, Token, Tokens};
use super::theme::Theme;
use super::wrap::{self, Break, Styled};

/// A text of code: harmless, in lines, with its language.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Source {
    language: String,
    text: String,
    lines: Vec<Range<usize>>,
}

/// What happens to a line that is wider than its pane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LongLines {
    /// It goes on in the next row, below its own indentation, behind a mark.
    Wrap,
    /// It is cut, and the cut marked. For diagrams, which wrapping would destroy.
    Cut,
}

/// One row of code on screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeRow {
    /// The line, from 0.
    pub line: usize,
    /// Whether it is the line's first row.
    pub first: bool,
    /// Blanks before it, for a row that goes on.
    indent: usize,
    /// The bytes of the line that it shows.
    bytes: Range<usize>,
    /// Whether the rest of the line is cut.
    cut: bool,
}

impl Source {
    /// A text in a language; a language that is not known is shown plain.
    pub fn new(language: &str, text: &str) -> Source {
        let text = escape::lines(text).into_owned();
        let mut lines = Vec::new();
        let mut start = 0;
        for line in text.split('\n') {
            lines.push(start..start + line.len());
            start += line.len() + 1;
        }
        if text.ends_with('\n') {
            lines.pop();
        }
        Source { language: language.to_string(), text, lines }
    }

    /// How many lines there are.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// The columns of the widest line.
    pub fn width(&self) -> usize {
        (0..self.len()).map(|line| wrap::width(self.line(line))).max().unwrap_or(0)
    }

    /// A line, without its end.
    pub fn line(&self, line: usize) -> &str {
        self.lines.get(line).map_or("", |range| &self.text[range.clone()])
    }

    /// The rows for a pane of `width` columns.
    pub fn rows(&self, width: usize, long_lines: LongLines) -> Vec<CodeRow> {
        (0..self.len())
            .flat_map(|line| match long_lines {
                LongLines::Wrap => self.wrapped(line, width.max(1)),
                LongLines::Cut => vec![self.cut(line, width)],
            })
            .collect()
    }

    fn cut(&self, line: usize, width: usize) -> CodeRow {
        let text = self.line(line);
        if wrap::width(text) <= width {
            return CodeRow { line, first: true, indent: 0, bytes: 0..text.len(), cut: false };
        }
        let room = width.saturating_sub(1);
        let mut used = 0;
        let end = text
            .grapheme_indices(true)
            .find(|(_, grapheme)| {
                used += wrap::grapheme_width(grapheme);
                used > room
            })
            .map_or(text.len(), |(at, _)| at);
        CodeRow { line, first: true, indent: 0, bytes: 0..end, cut: width > 0 }
    }

    fn wrapped(&self, line: usize, width: usize) -> Vec<CodeRow> {
        let text = self.line(line);
        // only blanks of one byte and one column are indentation; tabs are blanks by now
        let blanks = text.len() - text.trim_start_matches(' ').len();
        let (_, content) = text.split_at(blanks);
        let indent = blanks.min(width / 2);
        let further = if indent + 2 < width { indent + 2 } else { 0 };
        wrap::fill(content, (width - indent, width - further), breaks(content))
            .iter()
            .enumerate()
            .map(|(at, row)| {
                let (start, indent) = match at {
                    0 => (blanks - indent, 0),
                    _ => (blanks + row.start, further),
                };
                let bytes = start..blanks + row.end;
                CodeRow { line, first: at == 0, indent, bytes, cut: false }
            })
            .collect()
    }

    /// The tokens, when the highlighter has them.
    pub fn tokens(&self, highlighter: &Highlighter) -> Option<std::sync::Arc<Tokens>> {
        highlighter.tokens(&self.language, &self.text)
    }

    /// What a row shows in a pane of `width` columns.
    pub fn spans(
        &self,
        row: &CodeRow,
        width: usize,
        theme: &Theme,
        tokens: Option<&Tokens>,
    ) -> Vec<Span<'static>> {
        let tokens = tokens.and_then(|tokens| tokens.get(row.line)).map_or(&[][..], Vec::as_slice);
        let mut spans = Vec::new();
        if row.indent >= 2 {
            let mark = format!("{}{} ", " ".repeat(row.indent - 2), theme.glyphs.continued);
            spans.push(Span::styled(mark, theme.dim));
        }
        let line = coloured(self.line(row.line), tokens, theme);
        spans.extend(line.spans(row.bytes.clone(), width.saturating_sub(row.indent)));
        if row.cut {
            spans.push(Span::styled(theme.glyphs.cut, theme.dim));
        }
        // a single wide character may not fit behind the indentation
        wrap::cut_line(&Line::from(spans), width, theme.glyphs.cut).spans
    }

    /// Every row in a pane of `width` columns.
    pub fn lines(
        &self,
        width: usize,
        long_lines: LongLines,
        (theme, highlighter): (&Theme, &Highlighter),
    ) -> Vec<Vec<Span<'static>>> {
        let tokens = self.tokens(highlighter);
        let rows = self.rows(width, long_lines);
        rows.iter().map(|row| self.spans(row, width, theme, tokens.as_deref())).collect()
    }
}

/// Where a line of code may go on in the next row: behind blanks; where a row would stay half
/// empty, also behind opening brackets and commas, and before a dot that leads to a name.
fn breaks(line: &str) -> impl Iterator<Item = (usize, Break)> {
    let pairs = line.char_indices().zip(line.char_indices().skip(1));
    pairs.filter_map(|((_, before), (at, after))| {
        let blank = before.is_whitespace() && !after.is_whitespace();
        let opened = matches!(before, '(' | '[' | '{' | ',') && !matches!(after, ')' | ']' | '}');
        let dot = after == '.' && !before.is_whitespace() && !before.is_ascii_digit() && before != '.';
        match (blank, opened || dot) {
            (true, _) => Some((at, Break::May)),
            (_, true) => Some((at, Break::Weak)),
            _ => None,
        }
    })
}

fn coloured(line: &str, tokens: &[Token], theme: &Theme) -> Styled {
    let mut styled = Styled::new();
    let mut at = 0;
    for token in tokens {
        let (start, end) = (token.range.start.max(at), token.range.end);
        let (Some(plain), Some(words)) = (line.get(at..start), line.get(start..end)) else {
            continue;
        };
        styled.push(plain, Style::new());
        styled.push(words, token.kind.style(&theme.tokens));
        at = end;
    }
    styled.push(line.get(at..).unwrap_or(""), Style::new());
    styled
}

#[cfg(test)]
mod tests;
