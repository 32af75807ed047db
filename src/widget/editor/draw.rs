//! The editor on screen.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::Line;

use super::super::theme::Theme;
use super::super::wrap::{self, Hanging, Row, Styled};
use super::Editor;

impl Editor {
    /// Draws the text; where there is none, `invitation`.
    pub fn draw(&self, area: Rect, buffer: &mut Buffer, theme: &Theme, invitation: &str) {
        let area = area.intersection(buffer.area);
        if area.is_empty() {
            return;
        }
        if self.text.is_empty() {
            let lines = Styled::from_text(invitation, theme.dim).wrap(&Hanging::none(), area.width.into());
            for (line, row) in lines.iter().zip(area.rows()) {
                buffer.set_line(row.x, row.y, line, row.width);
            }
            return;
        }
        let rows = self.rows(area.as_size());
        let top = self.view_top(&rows, area.as_size());
        for (row, place) in rows[top..].iter().zip(area.rows()) {
            buffer.set_line(place.x, place.y, &self.line(row, theme), place.width);
        }
    }

    /// Where the terminal's cursor belongs, when there is room for it.
    pub fn cursor(&self, area: Rect) -> Option<Position> {
        if area.is_empty() {
            return None;
        }
        let rows = self.rows(area.as_size());
        let row = wrap::row_of(&rows, self.caret);
        let top = self.view_top(&rows, area.as_size());
        let column = self.column_of(&rows[row]).min(usize::from(area.width) - 1);
        let column = u16::try_from(column).unwrap_or(u16::MAX);
        let down = u16::try_from(row - top).unwrap_or(u16::MAX);
        Some(Position::new(area.x.saturating_add(column), area.y.saturating_add(down)))
    }

    fn line(&self, row: &Row, theme: &Theme) -> Line<'static> {
        let limit = row.width.max(1);
        let Some(selected) = self.selection() else {
            return Line::from(
                Styled::from_text(&self.text[row.range()], theme.text).spans(0..row.end - row.start, limit),
            );
        };
        // hanging blanks are shown where they are selected
        let end = if selected.end > row.end { row.next } else { row.end };
        let text = self.text[row.start..end].trim_end_matches('\n');
        let end = row.start + text.len();
        let from = selected.start.clamp(row.start, end);
        let to = selected.end.clamp(from, end);
        let mut styled = Styled::new();
        styled.push(&self.text[row.start..from], theme.text);
        styled.push(&self.text[from..to], theme.selection);
        styled.push(&self.text[to..end], theme.text);
        let mut spans = styled.spans(0..styled.text().len(), limit);
        if selected.contains(&end) && self.text[end..].starts_with('\n') {
            // a selected line end is shown as one selected blank
            spans.push(ratatui::text::Span::styled(" ", Style::new().patch(theme.selection)));
        }
        Line::from(spans)
    }
}
