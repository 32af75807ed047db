//! Columns of cells, one row each, fitted to a width. The rows are lines, so that they can be
//! drawn by [`super::list`] or [`super::scroll`].

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::theme::Theme;
use super::{escape, wrap};

/// Blanks between columns, where there is room.
const GAP: usize = 2;
/// A column is not cut to less than this while others are wider.
const NARROWEST: usize = 4;

/// A column.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Column {
    /// What stands above it.
    pub title: String,
    /// Whether its cells are set flush right, as numbers are.
    pub right: bool,
}

impl Column {
    /// A column of words.
    pub fn words(title: &str) -> Column {
        Column { title: title.into(), right: false }
    }

    /// A column of numbers.
    pub fn numbers(title: &str) -> Column {
        Column { title: title.into(), right: true }
    }
}

/// Cells in rows and columns. Cells are harmless lines; a row may be short.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Table {
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows.
    pub rows: Vec<Vec<Line<'static>>>,
}

/// A table laid out for a width.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Fitted {
    /// The titles; empty where there are none.
    pub head: Line<'static>,
    /// One line for each row.
    pub rows: Vec<Line<'static>>,
}

impl Table {
    /// The same with its first column so much wider that the last one ends at `width`.
    pub fn stretched(mut self, width: usize) -> Self {
        let widest = |at: usize| self.cells(at).map(columns).max().unwrap_or(0);
        let others: usize = (1..self.columns.len()).map(|at| widest(at) + GAP).sum();
        if let Some(first) = self.rows.first_mut().and_then(|row| row.first_mut()) {
            let blanks = width.saturating_sub(others + columns(first));
            first.push_span(Span::raw(" ".repeat(blanks)));
        }
        self
    }

    /// Lays the table out in `width` columns. The widest columns give way first; cells that
    /// lose something end in a mark.
    pub fn fit(&self, width: usize, theme: &Theme) -> Fitted {
        let titles: Vec<Line<'static>> = self
            .columns
            .iter()
            .map(|column| Line::styled(escape::line(&column.title).into_owned(), theme.dim))
            .collect();
        let natural: Vec<usize> = (0..self.columns.len())
            .map(|at| self.cells(at).chain(titles.get(at)).map(columns).max().unwrap_or(0))
            .collect();
        let total = |gap: usize| natural.iter().sum::<usize>() + gap * natural.len().saturating_sub(1);
        let gap = match natural.iter().all(|columns| *columns <= 1) {
            true => usize::from(total(1) <= width),
            false if total(GAP) > width => 1,
            false => GAP,
        };
        let spare = width.saturating_sub(total(gap));
        let gaps =
            if gap == 1 && total(0) > natural.len() { self.gaps(spare) } else { vec![gap; natural.len()] };
        let widths = shrunk(natural, width.saturating_sub(gap * self.columns.len().saturating_sub(1)));
        let row = |cells: &[Line<'static>]| self.row(cells, (&widths, &gaps), (width, theme));
        let head = match titles.iter().all(|title| columns(title) == 0) {
            true => Line::default(),
            false => row(&titles),
        };
        Fitted { head, rows: self.rows.iter().map(|cells| row(cells)).collect() }
    }

    /// One blank behind each column, and what is over first where numbers stand before words, that they do not touch.
    fn gaps(&self, mut spare: usize) -> Vec<usize> {
        let mut gaps = vec![1; self.columns.len()];
        for numbers_first in [true, false] {
            for (at, pair) in self.columns.windows(2).enumerate() {
                if spare > 0 && gaps[at] < GAP && (!numbers_first || pair[0].right && !pair[1].right) {
                    gaps[at] += 1;
                    spare -= 1;
                }
            }
        }
        gaps
    }

    fn cells(&self, column: usize) -> impl Iterator<Item = &Line<'static>> {
        self.rows.iter().filter_map(move |row| row.get(column))
    }

    fn row(
        &self,
        cells: &[Line<'static>],
        (widths, gaps): (&[usize], &[usize]),
        (width, theme): (usize, &Theme),
    ) -> Line<'static> {
        let mut spans = Vec::new();
        let mut blanks = 0;
        for (at, (column, room)) in self.columns.iter().zip(widths).enumerate() {
            let cell = cells.get(at).cloned().unwrap_or_default();
            let cell = wrap::cut_line(&cell, *room, theme.glyphs.cut);
            let rest = room - columns(&cell).min(*room);
            let (before, after) = if column.right { (rest, 0) } else { (0, rest) };
            let style = cell.style;
            if blanks + before > 0 {
                spans.push(Span::raw(" ".repeat(blanks + before)));
            }
            spans.extend(cell.spans.into_iter().map(|span| Span { style: style.patch(span.style), ..span }));
            blanks = after + gaps[at];
        }
        wrap::cut_line(&Line::from(spans), width, theme.glyphs.cut)
    }
}

/// A cell of one text in one style.
pub fn cell(text: &str, style: Style) -> Line<'static> {
    Line::from(Span::styled(escape::line(text).into_owned(), style))
}

fn columns(line: &Line) -> usize {
    line.spans.iter().map(|span| wrap::width(&span.content)).sum()
}

/// Takes columns from the widest until all fit, or until none is wider than the narrowest.
pub(super) fn shrunk(mut widths: Vec<usize>, room: usize) -> Vec<usize> {
    let mut over = widths.iter().sum::<usize>().saturating_sub(room);
    while over > 0 {
        let Some(widest) = widths.iter_mut().max().filter(|widest| **widest > NARROWEST) else {
            break;
        };
        *widest -= 1;
        over -= 1;
    }
    widths
}

#[cfg(test)]
mod tests {
    use super::super::theme::Palette;
    use super::*;

    fn table() -> Table {
        let row = |name: &str, time: &str| vec![cell(name, Style::new()), cell(time, Style::new())];
        Table {
            columns: vec![Column::words("algorithm"), Column::numbers("time")],
            rows: vec![row("ring over all ranks", "12.5 ms"), row("tree", "3 ms")],
        }
    }

    fn shown(width: usize) -> Vec<String> {
        let fitted = table().fit(width, &Theme::new(Palette::Mono, false));
        std::iter::once(&fitted.head).chain(&fitted.rows).map(ToString::to_string).collect()
    }

    #[test]
    fn numbers_are_set_flush_right() {
        assert_eq!(
            shown(40),
            ["algorithm               time", "ring over all ranks  12.5 ms", "tree                    3 ms"]
        );
    }

    #[test]
    fn the_widest_column_gives_way() {
        assert_eq!(shown(18), ["algorithm     time", "ring over… 12.5 ms", "tree          3 ms"]);
        assert_eq!(shown(6)[1], "rin… …");
        assert_eq!(shown(0), ["", "", ""]);
    }
}
