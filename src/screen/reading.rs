//! The scroll bar of the screens that are no pages yet.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Context;
use crate::widget::scroll;

/// Draws a scroll bar in the last column of an area, where there is something to scroll.
pub fn draw_scrollbar(area: Rect, (top, total): (usize, usize), buffer: &mut Buffer, context: &Context) {
    scroll::draw_bar(top, total, area, buffer, context.theme);
}
