//! A box over everything else.

use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Padding, Widget};

use super::theme::Theme;
use super::wrap;

/// Columns and rows that the frame and its padding take.
pub const FRAME: Size = Size { width: 4, height: 2 };

/// The area of a popup whose inside is to have a size: in the middle, and never larger than `area`.
pub fn centred(area: Rect, inside: Size) -> Rect {
    let width = inside.width.saturating_add(FRAME.width).min(area.width);
    let height = inside.height.saturating_add(FRAME.height).min(area.height);
    Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height }
}

/// Clears `area`, frames it, and gives back its inside.
pub fn draw(area: Rect, buffer: &mut Buffer, title: &str, theme: &Theme) -> Rect {
    let area = area.intersection(buffer.area);
    Clear.render(area, buffer);
    frame(area, buffer, title, (theme, true))
}

/// Frames `area`, strongly when the pane is `active`, and gives back its inside with a blank
/// column on both sides.
pub fn frame(area: Rect, buffer: &mut Buffer, title: &str, (theme, active): (&Theme, bool)) -> Rect {
    let area = area.intersection(buffer.area);
    let (border, words) =
        if active { (theme.border_active, theme.heading) } else { (theme.border, theme.dim) };
    let mut block = Block::bordered()
        .border_set(theme.glyphs.border)
        .border_style(border)
        .padding(Padding::horizontal(1));
    let room = usize::from(area.width).saturating_sub(4);
    if !title.is_empty() && room > 0 {
        let title = wrap::cut(title, room, theme.glyphs.cut);
        block = block.title(Line::from(Span::styled(format!(" {title} "), words)));
    }
    let inside = block.inner(area);
    block.render(area, buffer);
    inside
}

#[cfg(test)]
mod tests {
    use super::super::theme::Palette;
    use super::*;

    #[test]
    fn a_popup_covers_what_is_below() {
        let area = Rect::new(0, 0, 14, 5);
        let mut buffer = Buffer::with_lines(["xxxxxxxxxxxxxx"; 5]);
        let place = centred(area, Size::new(6, 1));
        let inside = draw(place, &mut buffer, "bucket", &Theme::new(Palette::Mono, false));
        buffer.set_string(inside.x, inside.y, "a part", Theme::new(Palette::Mono, false).text);
        let rows: Vec<String> = (0..5).map(|y| (0..14).map(|x| buffer[(x, y)].symbol()).collect()).collect();
        assert_eq!(
            rows,
            ["xxxxxxxxxxxxxx", "xx╭ bucket ╮xx", "xx│ a part │xx", "xx╰────────╯xx", "xxxxxxxxxxxxxx"]
        );
    }

    #[test]
    fn a_popup_fits_into_anything() {
        for (width, height) in [(0, 0), (1, 1), (3, 2), (20, 5)] {
            let area = Rect::new(0, 0, width, height);
            let mut buffer = Buffer::empty(area);
            let place = centred(area, Size::new(100, 100));
            assert_eq!(place, area);
            draw(place, &mut buffer, "a title", &Theme::new(Palette::Dark, true));
        }
    }
}
