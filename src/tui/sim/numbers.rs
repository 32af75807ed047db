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

/// From so many columns on each number has room for what it was before, which takes so many.
const WIDE: usize = 120;
const WAS: usize = 14;

/// How the numbers stand: in so many rows, what each of their columns holds and needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Grid {
    /// Rows.
    pub rows: usize,
    columns: Vec<(Vec<Cell>, Widths)>,
}

/// What stands in a row of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cell {
    /// What the numbers below belong to.
    Head(&'static str),
    /// A number, by its place.
    Number(usize),
}

/// The numbers in their order, each group under its heading.
fn cells(outputs: &[Output]) -> Vec<Cell> {
    let mut cells = Vec::new();
    let mut group = "";
    for (place, output) in outputs.iter().enumerate() {
        if output.group != group {
            group = output.group;
            cells.push(Cell::Head(group));
        }
        cells.push(Cell::Number(place));
    }
    cells
}

/// Rows that the columns may grow by, so that each group stands in one of them.
const GROWTH: usize = 4;

/// Cells in columns of so many rows, down the first and on in the next; a group stays whole where it is to.
fn split(cells: &[Cell], rows: usize, whole: bool) -> Vec<Vec<Cell>> {
    let mut columns: Vec<Vec<Cell>> = vec![Vec::new()];
    for (place, cell) in cells.iter().enumerate() {
        let filled = columns.last().map_or(0, Vec::len);
        let rest = cells[place + 1..].iter().take_while(|c| matches!(c, Cell::Number(_))).count();
        let needs = match cell {
            Cell::Head(_) if whole => 1 + rest,
            Cell::Head(_) => 1 + rest.min(1),
            Cell::Number(_) => 1,
        };
        if filled > 0 && filled + needs > rows {
            columns.push(Vec::new());
        }
        if let Some(column) = columns.last_mut() {
            column.push(*cell);
        }
    }
    columns
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

/// The columns that each column of numbers needs: for digits, for units, for names, for headings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Widths {
    digits: usize,
    unit: usize,
    name: usize,
    head: usize,
}

impl Widths {
    /// What is kept beside a number needs columns too.
    fn of(cells: &[Cell], outputs: &[Output], kept: &[String]) -> Widths {
        cells.iter().fold(Widths::default(), |widest, cell| match cell {
            Cell::Head(name) => Widths { head: widest.head.max(wrap::width(name)), ..widest },
            Cell::Number(place) => {
                let (digits, unit) = value(&outputs[*place]);
                Widths {
                    digits: widest.digits.max(wrap::width(&digits)),
                    unit: widest.unit.max(wrap::width(&unit)),
                    name: widest.name.max(
                        wrap::width(outputs[*place].label)
                            + kept.get(*place).map_or(0, |kept| wrap::width(kept)),
                    ),
                    ..widest
                }
            }
        })
    }

    fn total(self) -> usize {
        let number = 2 + self.digits + usize::from(self.unit > 0) + self.unit + 2 + self.name;
        number.max(self.head)
    }
}

impl Grid {
    /// As many columns as fit without cutting a name; one where not even that fits.
    pub fn new(outputs: &[Output], kept: &[String], width: usize) -> Grid {
        let grids =
            (1..=MOST.min(outputs.len().max(1))).rev().map(|columns| Grid::of(outputs, kept, columns));
        let one = || Grid::of(outputs, kept, 1);
        // on a wide screen each has room for what it was before
        let roomy = |grid: &Grid| grid.width() + WAS * grid.columns.len() <= width && grid.columns.len() > 1;
        if let Some(grid) = grids.clone().find(roomy).filter(|_| width >= WIDE) {
            return grid;
        }
        grids.into_iter().find(|grid| grid.width() <= width).unwrap_or_else(one)
    }

    fn of(outputs: &[Output], kept: &[String], columns: usize) -> Grid {
        let cells = cells(outputs);
        let least = cells.len().div_ceil(columns).max(1);
        let fits = |rows: &usize, whole| {
            let columns_of = split(&cells, *rows, whole);
            columns_of.len() <= columns && columns_of.iter().all(|column| column.len() <= *rows)
        };
        let whole = (least..=least + GROWTH).find(|rows| fits(rows, true));
        // else a heading that would end a column may make one row more
        let rows = whole.or_else(|| (least..=cells.len()).find(|rows| fits(rows, false))).unwrap_or(least);
        let columns = split(&cells, rows, whole.is_some()).into_iter().map(|cells| {
            let widths = Widths::of(&cells, outputs, kept);
            (cells, widths)
        });
        Grid { rows: if outputs.is_empty() { 0 } else { rows }, columns: columns.collect() }
    }

    fn width(&self) -> usize {
        self.columns.iter().map(|(_, column)| column.total()).sum::<usize>()
            + GAP * self.columns.len().saturating_sub(1)
    }

    /// The columns that a column takes: an equal share of what is over goes to each.
    fn room(&self, at: usize, width: usize) -> usize {
        let spare = width.saturating_sub(self.width()) / self.columns.len().max(1);
        self.columns[at].1.total() + GAP + spare
    }

    /// The number at a row and a column of cells, in this many columns.
    pub fn at(&self, row: usize, x: usize, width: usize) -> Option<usize> {
        let mut from = 0;
        let is_here = |at: &usize| {
            from += self.room(*at, width);
            x < from
        };
        let last = self.columns.len().checked_sub(1)?;
        let column = (0..self.columns.len()).find(is_here).unwrap_or(last);
        match self.columns[column].0.get(row)? {
            Cell::Number(place) => Some(*place),
            Cell::Head(_) => None,
        }
    }

    /// The row that a number stands in.
    pub fn row_of(&self, number: usize) -> usize {
        let mut columns = self.columns.iter();
        columns.find_map(|(cells, _)| cells.iter().position(|c| *c == Cell::Number(number))).unwrap_or(0)
    }
}

/// The grid of the numbers at hand; what they are in the kept setting has room in it.
pub fn grid(page: &Simulator, width: usize) -> Grid {
    let outputs = &page.run().outputs;
    let beside = |o: &Output| page.was(o).map_or(String::new(), |was| format!("  kept {was} "));
    let kept: Vec<String> = match page.kept_run() {
        Some(_) => outputs.iter().map(beside).collect(),
        None => Vec::new(),
    };
    Grid::new(outputs, &kept, width)
}

/// The numbers in rows, down the first column and on in the next; the chosen one has a pointer.
pub fn lines(
    page: &Simulator,
    grid: &Grid,
    (chosen, width): (Option<usize>, usize),
    look: &Look,
) -> Vec<Line<'static>> {
    let theme = look.theme;
    let outputs = &page.run().outputs;
    let cell = |row: usize, column: usize| -> Vec<Span<'static>> {
        let ((cells, widths), room) = (&grid.columns[column], grid.room(column, width));
        let at = match cells.get(row) {
            None => return vec![Span::raw(" ".repeat(room))],
            Some(Cell::Head(name)) => {
                return vec![Span::styled(format!("{name:<room$}"), theme.heading)];
            }
            Some(Cell::Number(at)) => *at,
        };
        let output = &outputs[at];
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
            let was = format!("  {} {was}", page.was_word());
            if line.width() + wrap::width(&was) + GAP <= room {
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
    fn a_group_of_numbers_stands_whole_under_its_heading() {
        for name in ["step", "mesh"] {
            let kind = crate::sim::KINDS.iter().find(|kind| kind.name == name).expect("a simulator");
            let outputs = Sim::new(kind).run().outputs;
            let grid = Grid::of(&outputs, &[], 2);
            for (cells, _) in &grid.columns {
                assert!(
                    matches!(cells.first(), Some(Cell::Head(_))),
                    "{name}: a column begins inside a group"
                );
                assert!(matches!(cells.last(), Some(Cell::Number(_))), "{name}: a heading without a number");
            }
            let width = grid.width();
            for number in 0..outputs.len() {
                let row = grid.row_of(number);
                let found = [0, width - 1].map(|x| grid.at(row, x, width));
                assert!(found.contains(&Some(number)), "{name}: {number} is not found in its row {row}");
            }
        }
    }

    #[test]
    fn two_columns_fit_beside_the_knobs_and_no_name_is_cut() {
        for kind in crate::sim::KINDS {
            let outputs = Sim::new(kind).run().outputs;
            for width in [60, 75, 80, 110, 145] {
                let grid = Grid::new(&outputs, &[], width);
                assert!(grid.width() <= width, "{} needs {} of {width}", kind.name, grid.width());
                assert!(grid.rows * grid.columns.len() >= outputs.len());
                assert!(grid.columns.len() >= 2 || width < 75, "{}: one column of {width}", kind.name);
            }
        }
    }
}
