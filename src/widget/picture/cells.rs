//! Grids, heat maps and tables.

use ratatui::text::{Line, Span};

use super::super::table::{Column, Table, cell};
use super::super::theme::Theme;
use super::super::wrap::{Hanging, Styled};
use super::super::{escape, wrap};
use super::{Row, fill, legend, mark, show, style};
use crate::sim::picture::{self, Grid, Matrix, Tone};
use crate::sim::quantity::{self, Unit};

pub(super) fn grid(grid: &Grid, width: usize, theme: &Theme) -> Vec<Line<'static>> {
    let mut columns = vec![Column::words(&grid.corner)];
    columns.extend(grid.columns.iter().map(|title| Column::words(title)));
    let rows = grid.rows.iter().map(|(head, cells)| {
        let mut row = vec![cell(head, theme.dim)];
        row.extend(cells.iter().map(|cell| grid_cell(cell, theme)));
        row
    });
    let full = Table { columns, rows: rows.collect() };
    // the corner may be cut, the cells may not
    let heads = grid.rows.iter().map(|(head, _)| wrap::width(head));
    let corner = wrap::width(&grid.corner).saturating_sub(heads.max().unwrap_or(0));
    let fits = natural_width(&full).saturating_sub(corner) <= width;
    let mut out = if fits { laid_out(full, width, theme) } else { dense(grid, width, theme) };
    let entries = grid.legend.iter().map(|(tone, meaning)| {
        let glyph = match mark(*tone, theme) {
            _ if fits && *tone == Tone::Chosen => sample(grid, *tone).unwrap_or(theme.glyphs.fills[0]),
            "" if !fits || *tone == Tone::Empty => dense_fill(*tone, theme),
            "" => sample(grid, *tone).unwrap_or(theme.glyphs.fills[0]),
            mark => mark,
        };
        let style = if *tone == Tone::Buffer { theme.text } else { style(*tone, theme) };
        (glyph, style, *meaning)
    });
    out.extend(legend(entries, width, theme));
    out
}

/// A short text that a cell of this meaning shows.
fn sample(grid: &Grid, tone: Tone) -> Option<&str> {
    let cells = grid.rows.iter().flat_map(|(_, cells)| cells);
    let mut texts = cells.filter(|cell| cell.tone == tone).map(|cell| cell.text.as_str());
    texts.rfind(|text| !text.is_empty() && text.len() <= 5)
}

/// A grid that is too wide for its texts: one glyph a cell, and the cells that still do not fit are counted.
fn dense(grid: &Grid, width: usize, theme: &Theme) -> Vec<Line<'static>> {
    let heads = grid.rows.iter().map(|(head, _)| wrap::width(head));
    let lead = heads.max().unwrap_or(0).min(width / 3);
    let room = width.saturating_sub(lead + 1);
    let cells = grid.columns.len();
    let mut head = escape::line(&grid.corner).into_owned();
    let ends = [grid.columns.first(), grid.columns.get(room.min(cells).saturating_sub(1))];
    if let [Some(first), Some(last)] = ends.map(|end| end.filter(|name| !name.is_empty())) {
        head.push_str(&escape::line(&format!("; columns {first} to {last}")));
    }
    if room < cells {
        head.push_str(&format!(", the first {room} of {cells}"));
    }
    let mut out = vec![Line::styled(head, theme.dim)];
    for (head, cells) in &grid.rows {
        let mut row = Row::default();
        let head = wrap::cut(&escape::line(head), lead, theme.glyphs.cut);
        row.push(&format!("{head:<lead$} "), theme.dim);
        for cell in cells.iter().take(room) {
            let glyph = match mark(cell.tone, theme) {
                "" => dense_fill(cell.tone, theme),
                mark => mark,
            };
            let style = if cell.tone == Tone::Buffer { theme.dim } else { style(cell.tone, theme) };
            row.push(glyph, style);
        }
        out.push(Line::from(row.spans));
    }
    out.into_iter().map(|line| wrap::cut_line(&line, width, theme.glyphs.cut)).collect()
}

/// The glyph of a cell without text: what is only held is light, so that what moves stands out.
fn dense_fill(tone: Tone, theme: &Theme) -> &'static str {
    match tone {
        Tone::Buffer => theme.glyphs.fills[3],
        tone => fill(tone, theme),
    }
}

fn grid_cell(cell: &picture::Cell, theme: &Theme) -> Line<'static> {
    // what is only held is quiet, so that what moves stands out
    let style = if cell.tone == Tone::Buffer { theme.text } else { style(cell.tone, theme) };
    let text = match cell.text.as_str() {
        "" => theme.glyphs.untouched.to_string(),
        text => escape::line(text).into_owned(),
    };
    let text = Span::styled(text, style);
    match mark(cell.tone, theme) {
        _ if cell.tone == Tone::Chosen => Line::from(text),
        "" => Line::from(text),
        mark => Line::from(vec![text, Span::styled(mark, style)]),
    }
}

/// Each number with a column as high as its share of the largest; where there is no room for
/// the numbers, only that.
pub(super) fn matrix(matrix: &Matrix, width: usize, theme: &Theme) -> Vec<Line<'static>> {
    let heat = Heat::new(matrix, theme);
    let numbers = heat.table(Numbers::Each);
    if natural_width(&numbers) <= width {
        return laid_out(numbers, width, theme);
    }
    // in one unit, said once
    if let Some(unit) = quantity::unit(matrix.unit).map(|unit| quantity::scaled(heat.high, unit)) {
        let digits = heat.table(Numbers::In(unit));
        if natural_width(&digits) <= width {
            let mut out = laid_out(digits, width, theme);
            out.push(Line::styled(format!("in {}", unit.name), theme.dim));
            return out;
        }
    }
    let mut out = laid_out(heat.table(Numbers::None), width, theme);
    if heat.high.is_finite() {
        let (least, most) = (show(heat.low, matrix.unit), show(heat.high, matrix.unit));
        let levels = theme.glyphs.levels;
        let hue = theme.series[0];
        let entries = [(levels[0], hue, least.as_str()), (levels[7], hue, most.as_str())];
        out.extend(legend(entries, width, theme));
    }
    out
}

/// How the numbers of a heat map are written.
#[derive(Debug, Clone, Copy)]
enum Numbers {
    /// Each with its unit.
    Each,
    /// All in this one, which is said once.
    In(Unit),
    None,
}

/// A heat map and the range of its values.
struct Heat<'a> {
    matrix: &'a Matrix,
    theme: &'a Theme,
    low: f64,
    high: f64,
}

impl<'a> Heat<'a> {
    fn new(matrix: &'a Matrix, theme: &'a Theme) -> Heat<'a> {
        let values = matrix.rows.iter().flat_map(|(_, values)| values).copied();
        let (low, high) = values
            .filter(|value| value.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        Heat { matrix, theme, low, high }
    }

    fn table(&self, numbers: Numbers) -> Table {
        let rows = self.matrix.rows.iter().map(|(head, values)| {
            let mut row = vec![cell(head, self.theme.dim)];
            row.extend(values.iter().map(|value| self.cell(*value, numbers)));
            row
        });
        let mut columns = vec![Column::words(&self.matrix.corner)];
        columns.extend(self.matrix.columns.iter().map(|title| Column::numbers(title)));
        Table { columns, rows: rows.collect() }
    }

    fn cell(&self, value: f64, numbers: Numbers) -> Line<'static> {
        let level = Span::styled(self.level(value), self.theme.series[0]);
        let shown = match numbers {
            Numbers::None => return Line::from(level),
            Numbers::Each => show(value, self.matrix.unit),
            Numbers::In(unit) => quantity::digits(value / unit.factor),
        };
        Line::from(vec![Span::styled(shown, self.theme.text), Span::raw(" "), level])
    }

    fn level(&self, value: f64) -> &'static str {
        let levels = self.theme.glyphs.levels;
        let share = if self.high > self.low { (value - self.low) / (self.high - self.low) } else { 0.0 };
        levels[((share.clamp(0.0, 1.0) * 7.0).round() as usize).min(7)]
    }
}

pub(super) fn table(table: &picture::Table, width: usize, theme: &Theme) -> Vec<Line<'static>> {
    let numeric = |column: usize| {
        let mut cells =
            table.rows.iter().filter_map(|(_, row)| row.get(column)).filter(|cell| !cell.is_empty());
        cells.all(|cell| cell.starts_with(|c: char| c.is_ascii_digit() || c == '-'))
    };
    let columns = table
        .columns
        .iter()
        .enumerate()
        .map(|(at, title)| Column { title: title.clone(), right: at > 0 && numeric(at) });
    // the pointer stands in front, where nothing is cut
    let is_chosen = table.rows.iter().any(|(tone, _)| *tone == Tone::Chosen);
    let rows = table.rows.iter().map(|(tone, row)| {
        let style = if *tone == Tone::Chosen { theme.strong } else { theme.text };
        let mut cells: Vec<Line<'static>> = row.iter().map(|text| cell(text, style)).collect();
        if let Some(first) = cells.first_mut() {
            let mark = mark(*tone, theme);
            if is_chosen {
                let here = if *tone == Tone::Chosen { theme.glyphs.knob } else { " " };
                first.spans.insert(0, Span::styled(format!("{here} "), theme.strong));
            }
            if !mark.is_empty() && *tone != Tone::Chosen {
                first.spans.push(Span::styled(format!(" {mark}"), style));
            }
        }
        cells
    });
    let laid = Table { columns: columns.collect(), rows: rows.collect() };
    if natural_width(&laid) <= width + SLACK {
        return laid_out(laid, width, theme);
    }
    let mut narrow = laid.clone();
    let mut left_out = Vec::new();
    while natural_width(&narrow) > width + SLACK {
        let texts = (1..narrow.columns.len()).filter(|at| !narrow.columns[*at].right);
        let Some(widest) = texts.max_by_key(|at| column_width(&narrow, *at)) else {
            break;
        };
        left_out.push(narrow.columns.remove(widest).title);
        narrow.rows.iter_mut().filter(|row| row.len() > widest).for_each(|row| {
            row.remove(widest);
        });
    }
    if narrow.columns.len() < 3 || left_out.len() > 1 || natural_width(&narrow) > width + SLACK {
        return records(table, &laid, width, theme);
    }
    let mut lines = laid_out(narrow, width, theme);
    let said = format!("no room for: {}", left_out.join(", "));
    lines.push(Line::styled(escape::line(&said).into_owned(), theme.dim));
    lines
}

/// The columns that one column of a table needs.
fn column_width(table: &Table, at: usize) -> usize {
    let cells = table.rows.iter().filter_map(|row| row.get(at)).map(Line::width);
    cells.max().unwrap_or(0)
}

/// So many columns may be cut off a table before its rows are written one below the other.
const SLACK: usize = 8;

/// A table too wide for its columns: each row as its head, and what it holds by name under it.
fn records(table: &picture::Table, laid: &Table, width: usize, theme: &Theme) -> Vec<Line<'static>> {
    let mut out = Vec::new();
    let lead = Hanging::under(Span::raw("  "));
    for ((_, texts), cells) in table.rows.iter().zip(&laid.rows) {
        if let Some(head) = cells.first() {
            out.push(wrap::cut_line(head, width, theme.glyphs.cut));
        }
        let mut rest = Styled::new();
        for (title, text) in table.columns.iter().zip(texts).skip(1) {
            if text.is_empty() {
                continue;
            }
            if !rest.is_empty() {
                rest.push(theme.glyphs.separator, theme.dim);
            }
            rest.push(&format!("{} ", escape::line(title)), theme.dim);
            rest.push(&escape::line(text), theme.text);
        }
        out.extend(rest.wrap(&lead, width));
    }
    out
}

fn laid_out(table: Table, width: usize, theme: &Theme) -> Vec<Line<'static>> {
    let fitted = table.fit(width, theme);
    let head = Some(fitted.head).filter(|head| !head.spans.is_empty());
    head.into_iter().chain(fitted.rows).collect()
}

fn natural_width(table: &Table) -> usize {
    let columns = |line: &Line| line.spans.iter().map(|span| wrap::width(&span.content)).sum::<usize>();
    let widths = table.columns.iter().enumerate().map(|(at, column)| {
        let cells = table.rows.iter().filter_map(|row| row.get(at)).map(columns);
        cells.chain([wrap::width(&column.title)]).max().unwrap_or(0) + 2
    });
    widths.sum::<usize>().saturating_sub(2)
}
