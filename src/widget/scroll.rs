//! Scrolling as arithmetic on row numbers.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::theme::Theme;

/// The top row of a view `height` rows high over `total` rows, moved from `top` by as little as
/// it takes to show the rows of `target`. When `target` is higher than the view, its first row wins.
pub fn keep_in_view(top: usize, target: Range<usize>, height: usize, total: usize) -> usize {
    let mut top = top;
    if target.end > top.saturating_add(height) {
        top = target.end.saturating_sub(height);
    }
    if target.start < top {
        top = target.start;
    }
    clamp(top, height, total)
}

/// The nearest top row that leaves no empty space below the last row.
pub fn clamp(top: usize, height: usize, total: usize) -> usize {
    top.min(total.saturating_sub(height))
}

/// The top row after moving by `rows`, down when positive.
pub fn moved(top: usize, rows: isize, height: usize, total: usize) -> usize {
    clamp(top.saturating_add_signed(rows), height, total)
}

/// The rows of a scroll bar's thumb in a track `height` rows long; `None` when everything is
/// in view. The thumb touches an end of the track only when the view does.
pub fn thumb(top: usize, height: usize, total: usize) -> Option<Range<usize>> {
    if total <= height || height == 0 {
        return None;
    }
    let length = (height * height / total).clamp(1, height);
    let last_top = total - height;
    let room = height - length;
    let start = match top.min(last_top) {
        0 => 0,
        top if top == last_top => room,
        top => (top * room / last_top).clamp(1.min(room), room.saturating_sub(1).max(1.min(room))),
    };
    Some(start..start + length)
}

/// Draws the rows from `top` on, and in the last column a scroll bar where not all are in view.
/// Rows are expected to leave that column free; see [`text_width`].
pub fn draw(lines: &[Line<'_>], top: usize, area: Rect, buffer: &mut Buffer, theme: &Theme) {
    let area = area.intersection(buffer.area);
    let top = clamp(top, area.height.into(), lines.len());
    for (line, row) in lines[top..].iter().zip(area.rows()) {
        buffer.set_line(row.x, row.y, line, row.width);
    }
    draw_bar(top, lines.len(), area, buffer, theme);
}

/// The columns for text in an area whose last column belongs to the scroll bar, with a blank
/// between both.
pub fn text_width(area: Rect) -> u16 {
    if area.width > 10 { area.width - 2 } else { area.width }
}

/// Draws a scroll bar into the last column of `area`, where not all of `total` rows are in view
/// and there is more than one column.
pub fn draw_bar(top: usize, total: usize, area: Rect, buffer: &mut Buffer, theme: &Theme) {
    let area = area.intersection(buffer.area);
    let Some(thumb) = thumb(top, area.height.into(), total) else {
        return;
    };
    if area.width < 4 {
        return;
    }
    let (track, handle) = theme.glyphs.scroll;
    for (at, row) in area.rows().enumerate() {
        let (glyph, style) = if thumb.contains(&at) { (handle, theme.dim) } else { (track, theme.faint) };
        buffer.set_string(row.right() - 1, row.y, glyph, style);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_view_moves_as_little_as_it_can() {
        assert_eq!(keep_in_view(0, 3..4, 10, 50), 0);
        assert_eq!(keep_in_view(0, 12..13, 10, 50), 3);
        assert_eq!(keep_in_view(20, 12..13, 10, 50), 12);
        assert_eq!(keep_in_view(45, 49..50, 10, 50), 40);
        assert_eq!(keep_in_view(0, 5..30, 10, 50), 5);
        assert_eq!(keep_in_view(9, 0..1, 0, 0), 0);
    }

    #[test]
    fn moving_stops_at_both_ends() {
        assert_eq!(moved(5, -9, 10, 50), 0);
        assert_eq!(moved(5, 99, 10, 50), 40);
        assert_eq!(moved(5, 3, 10, 4), 0);
    }

    #[test]
    fn the_thumb_tells_where_the_view_is() {
        assert_eq!(thumb(0, 10, 10), None);
        assert_eq!(thumb(0, 10, 20), Some(0..5));
        assert_eq!(thumb(1, 10, 20), Some(1..6));
        assert_eq!(thumb(9, 10, 20), Some(4..9));
        assert_eq!(thumb(10, 10, 20), Some(5..10));
        assert_eq!(thumb(1, 1, 9), Some(0..1));
    }

    #[test]
    fn rows_are_drawn_from_the_top_row_on() {
        use super::super::theme::Palette;
        let theme = Theme::new(Palette::Mono, true);
        let lines: Vec<Line> = ["one", "two", "three", "four"].map(Line::from).to_vec();
        let area = Rect::new(0, 0, 7, 2);
        let mut buffer = Buffer::empty(area);
        draw(&lines, 9, area, &mut buffer, &theme);
        assert_eq!(buffer.content().iter().map(|cell| cell.symbol()).collect::<String>(), "three |four  #");
        for (width, height) in [(0, 0), (1, 1), (20, 5)] {
            let area = Rect::new(0, 0, width, height);
            draw(&lines, 1, area, &mut Buffer::empty(area), &theme);
        }
    }
}
