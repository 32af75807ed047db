//! A list to choose from. Items may differ in height; scrolling is arithmetic on heights.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::theme::Theme;
use super::{scroll, wrap};

/// Columns left of every item, for the pointer.
pub const LEAD: u16 = 2;

/// Which item is chosen, and which rows are in view.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ListState {
    selected: usize,
    top: usize,
}

/// A way to another item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Go {
    /// The item above.
    Up,
    /// The item below.
    Down,
    /// A view's height up.
    PageUp,
    /// A view's height down.
    PageDown,
    /// The first item.
    First,
    /// The last item.
    Last,
    /// The item with that index.
    To(usize),
}

impl ListState {
    /// One with that item chosen.
    pub fn at(selected: usize) -> ListState {
        ListState { selected, top: 0 }
    }

    /// The index of the chosen item; 0 for an empty list.
    pub fn selected(&self) -> usize {
        self.selected
    }

    /// Goes to another item. `heights` are the rows of each item, `view` the rows in view.
    pub fn go(&mut self, to: Go, heights: &[usize], view: usize) {
        let last = heights.len().saturating_sub(1);
        self.selected = match to {
            Go::Up => self.selected.saturating_sub(1),
            Go::Down => self.selected + 1,
            Go::PageUp => self.paged(heights, view, false),
            Go::PageDown => self.paged(heights, view, true),
            Go::First => 0,
            Go::Last => last,
            Go::To(index) => index,
        }
        .min(last);
        self.top = self.top_in(heights, view);
    }

    fn paged(&self, heights: &[usize], view: usize, down: bool) -> usize {
        let start: usize = heights.iter().take(self.selected).sum();
        let target = if down { start + view } else { start.saturating_sub(view) };
        let reached = item_at_row(heights, target).unwrap_or(heights.len().saturating_sub(1));
        match down {
            true => reached.max(self.selected + 1),
            false => reached.min(self.selected.saturating_sub(1)),
        }
    }

    /// The first row in view, such that the chosen item is in view.
    pub fn top_in(&self, heights: &[usize], view: usize) -> usize {
        let selected = self.selected.min(heights.len().saturating_sub(1));
        let start: usize = heights.iter().take(selected).sum();
        let end = start + heights.get(selected).copied().unwrap_or(0);
        scroll::keep_in_view(self.top, start..end, view, heights.iter().sum())
    }

    /// The item drawn in a row of the view, for a click.
    pub fn item_at(&self, row: usize, heights: &[usize], view: usize) -> Option<usize> {
        item_at_row(heights, self.top_in(heights, view) + row)
    }
}

fn item_at_row(heights: &[usize], row: usize) -> Option<usize> {
    let mut end = 0;
    heights.iter().position(|height| {
        end += height;
        row < end
    })
}

/// Draws items, each some rows of harmless text, with a pointer at the chosen one. Where not
/// everything is in view, the last column shows how far down the view is.
pub fn draw(items: &[Vec<Line<'_>>], state: &ListState, area: Rect, buffer: &mut Buffer, theme: &Theme) {
    let area = area.intersection(buffer.area);
    if area.is_empty() {
        return;
    }
    let heights: Vec<usize> = items.iter().map(Vec::len).collect();
    let total: usize = heights.iter().sum();
    let top = state.top_in(&heights, area.height.into());
    let bar = u16::from(total > usize::from(area.height) && area.width > LEAD + 1);
    let room = area.width.saturating_sub(LEAD + bar);
    let rows =
        items.iter().enumerate().flat_map(|(at, lines)| lines.iter().enumerate().map(move |row| (at, row)));
    for ((at, (row, line)), place) in rows.skip(top).zip(area.rows()) {
        let chosen = at == state.selected;
        if chosen && row == 0 {
            buffer.set_line(
                place.x,
                place.y,
                &Span::styled(theme.glyphs.pointer, theme.accent).into(),
                place.width,
            );
        }
        let line = wrap::cut_line(line, room.into(), theme.glyphs.cut);
        buffer.set_line(place.x.saturating_add(LEAD), place.y, &line, room);
        if chosen {
            buffer.set_style(Rect { width: place.width - bar, ..place }, theme.cursor_line);
        }
    }
    scroll::draw_bar(top, total, area, buffer, theme);
}

#[cfg(test)]
mod tests {
    use super::super::theme::Palette;
    use super::*;

    const HEIGHTS: [usize; 5] = [1, 2, 1, 3, 1];

    #[test]
    fn going_stops_at_both_ends() {
        let mut state = ListState::default();
        state.go(Go::Up, &HEIGHTS, 4);
        assert_eq!(state.selected(), 0);
        state.go(Go::Last, &HEIGHTS, 4);
        state.go(Go::Down, &HEIGHTS, 4);
        assert_eq!((state.selected(), state.top), (4, 4));
        state.go(Go::To(99), &[], 4);
        assert_eq!(state.selected(), 0);
    }

    #[test]
    fn pages_go_at_least_one_item() {
        let mut state = ListState::default();
        state.go(Go::PageDown, &HEIGHTS, 4);
        assert_eq!(state.selected(), 3);
        state.go(Go::PageUp, &HEIGHTS, 4);
        assert_eq!(state.selected(), 0);
        let tall = [9, 9];
        state.go(Go::PageDown, &tall, 4);
        assert_eq!(state.selected(), 1);
        state.go(Go::PageUp, &tall, 4);
        assert_eq!(state.selected(), 0);
    }

    #[test]
    fn the_chosen_item_is_in_view_with_all_its_rows() {
        let mut state = ListState::default();
        state.go(Go::To(3), &HEIGHTS, 4);
        assert_eq!(state.top, 3);
        state.go(Go::To(1), &HEIGHTS, 4);
        assert_eq!(state.top, 1);
        assert_eq!(state.item_at(2, &HEIGHTS, 4), Some(2));
        assert_eq!(state.item_at(0, &HEIGHTS, 4), Some(1));
    }

    fn drawn(width: u16, height: u16, selected: usize) -> String {
        let items: Vec<Vec<Line>> = vec![
            vec!["overview".into()],
            vec!["data parallel".into(), "  2 labs".into()],
            vec!["interview".into()],
        ];
        let area = Rect::new(0, 0, width, height);
        let mut buffer = Buffer::empty(area);
        draw(&items, &ListState::at(selected), area, &mut buffer, &Theme::new(Palette::Mono, false));
        let row = |y| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>();
        (0..height).map(|y| row(y).trim_end().to_string() + "\n").collect()
    }

    #[test]
    fn a_pointer_marks_the_chosen_item() {
        assert_eq!(drawn(16, 4, 1), "  overview\n▸ data parallel\n    2 labs\n  interview\n");
        assert_eq!(drawn(10, 2, 2), "    2 la…│\n▸ interv…┃\n");
    }

    #[test]
    fn any_size_is_drawn() {
        for (width, height) in [(0, 0), (1, 1), (2, 1), (3, 1), (20, 5)] {
            drawn(width, height, 2);
        }
    }
}
