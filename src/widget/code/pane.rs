//! The pane in which a starter is read.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::super::highlight::Highlighter;
use super::super::list::ListState;
use super::super::scroll;
use super::super::theme::Theme;
use super::{CodeRow, LongLines, Source};

/// Below this many columns, the line numbers give way to the code.
const NUMBERED: u16 = 20;

/// Code with line numbers, a cursor line and blocks. The chosen "item" of the state is the
/// cursor line; its heights are those of [`Pane::heights`].
#[derive(Debug, Clone, Copy)]
pub struct Pane<'a> {
    /// The code.
    pub source: &'a Source,
    /// The cursor line and what is in view.
    pub state: &'a ListState,
    /// The lines of each block, from 0, in order and apart from each other.
    pub blocks: &'a [Range<usize>],
    /// Whether to show the cursor line.
    pub cursor: bool,
}

impl Pane<'_> {
    /// The rows of each line in a pane of `width` columns, the gutter included.
    pub fn heights(source: &Source, width: u16) -> Vec<usize> {
        let mut heights = vec![0; source.len()];
        for row in source.rows(text_width(source, width), LongLines::Wrap) {
            heights[row.line] += 1;
        }
        heights
    }

    /// Draws the part of the code that is in view.
    pub fn draw(&self, area: Rect, buffer: &mut Buffer, (theme, highlighter): (&Theme, &Highlighter)) {
        let area = area.intersection(buffer.area);
        if area.is_empty() {
            return;
        }
        let width = text_width(self.source, area.width);
        let rows = self.source.rows(width, LongLines::Wrap);
        let top = self.state.top_in(&Pane::heights(self.source, area.width), area.height.into());
        let tokens = self.source.tokens(highlighter);
        for (row, place) in rows[top.min(rows.len())..].iter().zip(area.rows()) {
            let mut spans = self.gutter(row, area.width, theme);
            spans.extend(self.source.spans(row, width, theme, tokens.as_deref()));
            buffer.set_line(place.x, place.y, &Line::from(spans), place.width);
            if self.cursor && row.line == self.state.selected() {
                buffer.set_style(place, theme.cursor_line);
            }
        }
        scroll::draw_bar(top, rows.len(), area, buffer, theme);
    }

    /// The line number, and the block's mark or the pointer.
    fn gutter(&self, row: &CodeRow, width: u16, theme: &Theme) -> Vec<Span<'static>> {
        if width < NUMBERED {
            return Vec::new();
        }
        let cursor = self.cursor && row.line == self.state.selected();
        let digits = digits(self.source);
        let number = if row.first { format!("{:>digits$} ", row.line + 1) } else { " ".repeat(digits + 1) };
        let number = Span::styled(number, if cursor { theme.accent } else { theme.dim });
        let mark = match self.blocks.iter().find(|block| block.contains(&row.line)) {
            _ if cursor && row.first => Span::styled(theme.glyphs.pointer, theme.accent),
            Some(block) => {
                let active = self.cursor && block.contains(&self.state.selected());
                let (glyphs, style) = match active {
                    true => (theme.glyphs.block_active, theme.accent),
                    false => (theme.glyphs.block, theme.border),
                };
                let first = row.first && row.line == block.start;
                Span::styled(if first { glyphs.0 } else { glyphs.1 }, style)
            }
            None => Span::raw(" "),
        };
        vec![number, mark, Span::raw(" ")]
    }
}

fn digits(source: &Source) -> usize {
    source.len().to_string().len().max(2)
}

/// The columns for code: without gutter and, where there is room, without the scroll bar's column.
fn text_width(source: &Source, width: u16) -> usize {
    match width < NUMBERED {
        true => width.into(),
        false => usize::from(width - 1).saturating_sub(digits(source) + 3).max(1),
    }
}
