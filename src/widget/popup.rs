//! The box of a pop-up.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Block, Clear, Padding, Widget};

use crate::doc::escape;
use crate::widget::theme::Theme;

/// Fewer columns than this beside a box are not left over.
const SCRAPS: u16 = 12;

/// A box of this size in the middle of an area, or as much of it as fits.
pub fn area(area: Rect, width: u16, height: u16) -> Rect {
    // a few columns beside it would show scraps of what it covers
    let width = if area.width < width.saturating_add(SCRAPS) { area.width } else { width };
    let height = height.min(area.height);
    Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 3, width, height }
}

/// What is left inside the border.
pub fn inside(area: Rect) -> Rect {
    let (dx, dy) = (1.min(area.width), 1.min(area.height));
    Rect {
        x: area.x + dx,
        y: area.y + dy,
        width: area.width.saturating_sub(2),
        height: area.height.saturating_sub(2),
    }
}

/// Clears the area and draws a titled border around it.
pub fn frame(area: Rect, title: &str, buffer: &mut Buffer, theme: &Theme) {
    // an empty cell on both sides, so that nothing of the page runs into the frame
    let left = area.x.saturating_sub(1);
    let around = Rect { x: left, width: area.right().saturating_add(1) - left, ..area };
    Clear.render(around.intersection(buffer.area), buffer);
    Block::bordered()
        .border_set(theme.glyphs.border)
        .border_style(theme.border_active)
        .title_top(ratatui::text::Line::styled(format!(" {} ", escape::line(title)), theme.heading))
        .style(theme.paper)
        .padding(Padding::horizontal(1))
        .render(area, buffer);
}
