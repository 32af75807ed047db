//! The numbers that a simulator found, in columns.

use ratatui::text::{Line, Span};

use crate::page::sim::Simulator;
use crate::sim::Output;
use crate::tui::face::Look;
use crate::widget::wrap;

/// Blanks between columns of numbers.
const GAP: usize = 2;

/// Columns of numbers side by side, at most.
const MOST: usize = 4;

/// How the numbers stand: in so many rows, and what each of their columns needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Grid {
    /// Rows.
    pub rows: usize,
    columns: Vec<Widths>,
}

/// A number and its unit, which is left out where a word of the name says it.
fn value(output: &Output) -> (String, String) {
    let shown = output.show();
    let (number, unit) = match (shown.split_once(' '), shown.strip_suffix('%')) {
        (Some(parts), _) => parts,
        (None, Some(number)) => (number, "%"),
        (None, None) => (shown.as_str(), ""),
    };
    // `1 rank` of the ranks, `tokens/s` of the tokens a second
    let is_said = |word: &str| word.len() > 2 && (word.starts_with(unit) || unit.starts_with(word));
    let unit = if unit.len() > 2 && output.label.split(' ').any(is_said) { "" } else { unit };
    (number.to_owned(), unit.to_owned())
}

/// The columns that each column of numbers needs: for digits, for units, for names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Widths {
    digits: usize,
    unit: usize,
    name: usize,
}

impl Widths {
    fn of(outputs: &[Output]) -> Widths {
        outputs.iter().fold(Widths::default(), |widest, output| {
            let (digits, unit) = value(output);
            Widths {
                digits: widest.digits.max(wrap::width(&digits)),
                unit: widest.unit.max(wrap::width(&unit)),
                name: widest.name.max(wrap::width(output.label)),
            }
        })
    }

    fn total(self) -> usize {
        2 + self.digits + usize::from(self.unit > 0) + self.unit + 2 + self.name
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
        Grid { rows, columns: outputs.chunks(rows.max(1)).map(Widths::of).collect() }
    }

    fn width(&self) -> usize {
        self.columns.iter().map(|column| column.total()).sum::<usize>()
            + GAP * self.columns.len().saturating_sub(1)
    }

    /// The columns that a column takes: an equal share of what is over goes to each.
    fn room(&self, at: usize, width: usize) -> usize {
        let spare = width.saturating_sub(self.width()) / self.columns.len().max(1);
        self.columns[at].total() + GAP + spare
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
        let (widths, room) = (grid.columns[column], grid.room(column, width));
        let here = chosen == Some(at);
        let (lead, lead_style) = match page.rose(output) {
            _ if here => (theme.glyphs.pointer, theme.accent),
            Some(true) => (theme.glyphs.up, theme.text),
            Some(false) => (theme.glyphs.down, theme.text),
            None => (" ", theme.text),
        };
        let label = if here { theme.strong } else { theme.dim };
        let (digits, unit) = value(output);
        let unit = if widths.unit > 0 { format!(" {unit:<0$}", widths.unit) } else { String::new() };
        let mut line = Line::from(vec![
            Span::styled(format!("{lead} "), lead_style),
            Span::styled(format!("{digits:>0$}{unit}", widths.digits), theme.text),
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
        let ground = if here { theme.cursor_line } else { theme.text };
        line.spans.into_iter().map(|span| span.patch_style(ground)).collect()
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
    fn two_columns_fit_beside_the_knobs_and_no_name_is_cut() {
        for kind in crate::sim::KINDS {
            let outputs = Sim::new(kind).run().outputs;
            for width in [60, 75, 80, 110, 145] {
                let grid = Grid::new(&outputs, width);
                assert!(grid.width() <= width, "{} needs {} of {width}", kind.name, grid.width());
                assert!(grid.rows * grid.columns.len() >= outputs.len());
                assert!(grid.columns.len() >= 2 || width < 75, "{}: one column of {width}", kind.name);
            }
        }
    }
}
