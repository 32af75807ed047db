//! Grids, heat maps and tables.

use ratatui::text::{Line, Span};

use super::super::table::{Column, Table, cell};
use super::super::theme::Theme;
use super::super::{escape, wrap};
use super::{legend, mark, show, style};
use crate::sim::picture::{self, Grid, Matrix, Tone};

pub(super) fn grid(grid: &Grid, width: usize, theme: &Theme) -> Vec<Line<'static>> {
    let mut columns = vec![Column::words(&grid.corner)];
    columns.extend(grid.columns.iter().map(|title| Column::words(title)));
    let rows = grid.rows.iter().map(|(head, cells)| {
        let mut row = vec![cell(head, theme.dim)];
        row.extend(cells.iter().map(|cell| grid_cell(cell, theme)));
        row
    });
    let rows = rows.collect();
    let mut out = laid_out(Table { columns, rows }, width, theme);
    let entries = grid.legend.iter().map(|(tone, meaning)| {
        let glyph = match mark(*tone, theme) {
            "" => theme.glyphs.fills[0],
            mark => mark,
        };
        (glyph, style(*tone, theme), *meaning)
    });
    out.extend(legend(entries, width, theme));
    out
}

fn grid_cell(cell: &picture::Cell, theme: &Theme) -> Line<'static> {
    let style = style(cell.tone, theme);
    let text = match cell.text.as_str() {
        "" => theme.glyphs.untouched.to_string(),
        text => escape::line(text).into_owned(),
    };
    let text = Span::styled(text, style);
    match mark(cell.tone, theme) {
        "" => Line::from(text),
        mark => Line::from(vec![text, Span::styled(mark, style)]),
    }
}

/// Each number with a column as high as its share of the largest; where there is no room for
/// the numbers, only that.
pub(super) fn matrix(matrix: &Matrix, width: usize, theme: &Theme) -> Vec<Line<'static>> {
    let values = matrix
        .rows
        .iter()
        .flat_map(|(_, values)| values)
        .copied()
        .filter(|value| value.is_finite());
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    let level = |value: f64| {
        let share = if high > low {
            (value - low) / (high - low)
        } else {
            0.0
        };
        (share.clamp(0.0, 1.0) * 7.0).round() as usize
    };
    let build = |numbers: bool| {
        let rows = matrix.rows.iter().map(|(head, values)| {
            let mut row = vec![cell(head, theme.dim)];
            row.extend(values.iter().map(|value| {
                let bar = Span::styled(theme.glyphs.levels[level(*value).min(7)], theme.accent);
                match numbers {
                    true => Line::from(vec![
                        Span::styled(show(*value, matrix.unit), theme.text),
                        Span::raw(" "),
                        bar,
                    ]),
                    false => Line::from(bar),
                }
            }));
            row
        });
        let mut columns = vec![Column::words(&matrix.corner)];
        columns.extend(matrix.columns.iter().map(|title| Column::numbers(title)));
        Table {
            columns,
            rows: rows.collect(),
        }
    };
    let numbers = build(true);
    let natural = natural_width(&numbers);
    let mut out = laid_out(
        if natural <= width { numbers } else { build(false) },
        width,
        theme,
    );
    if natural > width && high.is_finite() {
        let (least, most) = (show(low, matrix.unit), show(high, matrix.unit));
        let levels = theme.glyphs.levels;
        out.extend(legend(
            [
                (levels[0], theme.accent, least.as_str()),
                (levels[7], theme.accent, most.as_str()),
            ],
            width,
            theme,
        ));
    }
    out
}

pub(super) fn table(table: &picture::Table, width: usize, theme: &Theme) -> Vec<Line<'static>> {
    let numeric = |column: usize| {
        let mut cells = table
            .rows
            .iter()
            .filter_map(|(_, row)| row.get(column))
            .filter(|cell| !cell.is_empty());
        cells.all(|cell| cell.starts_with(|c: char| c.is_ascii_digit() || c == '-'))
    };
    let columns = table.columns.iter().enumerate().map(|(at, title)| Column {
        title: title.clone(),
        right: at > 0 && numeric(at),
    });
    let rows = table.rows.iter().map(|(tone, row)| {
        let style = if *tone == Tone::Empty {
            theme.text
        } else {
            style(*tone, theme)
        };
        let mut cells: Vec<Line<'static>> = row.iter().map(|text| cell(text, style)).collect();
        if let Some(first) = cells.first_mut() {
            let mark = mark(*tone, theme);
            if !mark.is_empty() {
                first.spans.push(Span::styled(format!(" {mark}"), style));
            }
        }
        cells
    });
    laid_out(
        Table {
            columns: columns.collect(),
            rows: rows.collect(),
        },
        width,
        theme,
    )
}

fn laid_out(table: Table, width: usize, theme: &Theme) -> Vec<Line<'static>> {
    let fitted = table.fit(width, theme);
    let head = Some(fitted.head).filter(|head| !head.spans.is_empty());
    head.into_iter().chain(fitted.rows).collect()
}

fn natural_width(table: &Table) -> usize {
    let columns = |line: &Line| {
        line.spans
            .iter()
            .map(|span| wrap::width(&span.content))
            .sum::<usize>()
    };
    let widths = table.columns.iter().enumerate().map(|(at, column)| {
        let cells = table.rows.iter().filter_map(|row| row.get(at)).map(columns);
        cells.chain([wrap::width(&column.title)]).max().unwrap_or(0) + 2
    });
    widths.sum::<usize>().saturating_sub(2)
}
