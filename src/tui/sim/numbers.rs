//! The numbers that a simulator found, in columns.

use ratatui::text::{Line, Span};

use crate::page::sim::Simulator;
use crate::sim::Output;
use crate::tui::face::Look;
use crate::widget::wrap;

/// Blanks between columns of numbers, with the one before the pointer.
const GAP: usize = 3;

/// Columns of numbers side by side, at most.
const MOST: usize = 4;

/// How the numbers stand: in so many rows, and the columns that each column's values and names need.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Grid {
    /// Rows.
    pub rows: usize,
    /// Columns for the values and for the names.
    columns: Vec<(usize, usize)>,
}

/// The number with its unit, unless its name begins with that.
fn value(output: &Output) -> String {
    let shown = output.show();
    match shown.split_once(' ') {
        Some((number, unit)) if output.label.starts_with(unit) => number.to_owned(),
        _ => shown,
    }
}

impl Grid {
    /// As many columns as fit without cutting a name; one where not even that fits.
    pub fn new(outputs: &[Output], width: usize) -> Grid {
        let grids = (1..=MOST.min(outputs.len().max(1))).rev().map(|columns| Grid::of(outputs, columns));
        let one = || Grid::of(outputs, 1);
        grids.into_iter().find(|grid| grid.width() <= width).unwrap_or_else(one)
    }

    fn of(outputs: &[Output], columns: usize) -> Grid {
        let rows = outputs.len().div_ceil(columns);
        let widest = |of: &[Output]| {
            let values = of.iter().map(|o| wrap::width(&value(o))).max().unwrap_or(0);
            let names = of.iter().map(|o| wrap::width(o.label)).max().unwrap_or(0);
            (values, names)
        };
        Grid { rows, columns: outputs.chunks(rows.max(1)).map(widest).collect() }
    }

    fn width(&self) -> usize {
        self.columns.iter().map(|(value, name)| 1 + value + 2 + name).sum::<usize>()
            + GAP * self.columns.len().saturating_sub(1)
    }

    /// The columns that a column takes: an equal share of what is over goes to each.
    fn room(&self, at: usize, width: usize) -> usize {
        let (value, name) = self.columns[at];
        let spare = width.saturating_sub(self.width()) / self.columns.len().max(1);
        1 + value + 2 + name + GAP + spare
    }

    /// The number at a row and a column of cells, in this many columns.
    pub fn at(&self, row: usize, x: usize, width: usize) -> usize {
        let mut from = 0;
        for at in 0..self.columns.len() {
            from += self.room(at, width);
            if x < from {
                return at * self.rows + row;
            }
        }
        self.columns.len().saturating_sub(1) * self.rows + row
    }
}

/// The columns that the widest of the numbers needs.
pub fn natural(outputs: &[Output]) -> usize {
    Grid::of(outputs, 1).width()
}

/// The numbers in rows, down the first column and on in the next; the chosen one has a pointer.
pub fn lines(page: &Simulator, chosen: Option<usize>, width: usize, look: &Look) -> Vec<Line<'static>> {
    let theme = look.theme;
    let outputs = &page.run().outputs;
    let grid = Grid::new(outputs, width);
    let cell = |row: usize, column: usize| -> Vec<Span<'static>> {
        let at = column * grid.rows + row;
        let Some(output) = outputs.get(at) else {
            return Vec::new();
        };
        let (wide, room) = (grid.columns[column].0, grid.room(column, width));
        let here = chosen == Some(at);
        let pointer = if here { theme.glyphs.pointer } else { " " };
        let label = if here { theme.strong } else { theme.dim };
        let mut line = Line::from(vec![
            Span::styled(pointer, theme.accent),
            Span::styled(format!("{:>wide$}", value(output)), theme.text),
            Span::styled(format!("  {}", output.label), label),
        ]);
        if let Some(was) = page.was(output) {
            let was = format!("  was {was}");
            if line.width() + wrap::width(&was) < room {
                line.push_span(Span::styled(was, theme.dim));
            }
        }
        let mut line = wrap::cut_line(&line, room.min(width), theme.glyphs.cut);
        let blank = room.saturating_sub(line.width());
        line.push_span(Span::raw(" ".repeat(blank)));
        line.spans
    };
    (0..grid.rows)
        .map(|row| {
            Line::from((0..grid.columns.len()).flat_map(|column| cell(row, column)).collect::<Vec<_>>())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Sim;

    #[test]
    fn no_name_of_a_number_is_cut_where_one_column_has_the_room() {
        for kind in crate::sim::KINDS {
            let outputs = Sim::new(kind).run().outputs;
            for width in [60, 77, 80, 110, 145] {
                let grid = Grid::new(&outputs, width);
                assert!(grid.width() <= width, "{} needs {} of {width}", kind.name, grid.width());
                assert!(grid.rows * grid.columns.len() >= outputs.len());
            }
        }
    }
}
