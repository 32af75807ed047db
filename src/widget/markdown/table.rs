//! Tables: columns fitted to the width, or, where they cannot be, rows as `title: cell` lines.

use std::ops::Range;

use ratatui::style::Style;
use ratatui::text::Span;

use super::super::wrap::{self, Row, Styled};
use super::layout::{Layout, Margin};
use crate::doc::{Align, Inline, Run, TableColumn};

/// Blanks between columns.
const GAP: usize = 2;
/// A column is not wrapped to less than this, as long as it is wider by nature.
const NARROWEST: usize = 8;

/// A cell, ready to wrap.
struct Cell {
    text: Styled,
    links: Vec<(usize, Range<usize>)>,
}

pub(super) fn draw(layout: &mut Layout, columns: &[TableColumn], rows: &[Vec<Inline>], margin: &mut Margin) {
    let room = layout.width.saturating_sub(margin.columns());
    let heads: Vec<Cell> =
        columns.iter().map(|column| cell(layout, &column.title, layout.theme.strong)).collect();
    let body: Vec<Vec<Cell>> = rows
        .iter()
        .map(|row| row.iter().take(columns.len()).map(|words| cell(layout, words, Style::new())).collect())
        .collect();
    match fitted(&heads, &body, room) {
        Some(widths) => grid(layout, &Grid { columns, heads: &heads, widths: &widths }, &body, margin),
        None => records(layout, columns, rows, margin),
    }
}

fn cell(layout: &Layout, words: &Inline, base: Style) -> Cell {
    let (text, links) = layout.styled(words, base);
    Cell { text, links }
}

/// The widths of the columns, or `None` when they cannot stand beside each other in `room`.
fn fitted(heads: &[Cell], body: &[Vec<Cell>], room: usize) -> Option<Vec<usize>> {
    let gaps = GAP * heads.len().saturating_sub(1);
    let room = room.checked_sub(gaps)?;
    let cells = |at: usize| std::iter::once(&heads[at]).chain(body.iter().filter_map(move |row| row.get(at)));
    let natural: Vec<usize> = (0..heads.len())
        .map(|at| cells(at).map(|cell| cell.text.width()).max().unwrap_or(0).max(1))
        .collect();
    let least: Vec<usize> = (0..heads.len())
        .map(|at| {
            let word = cells(at).map(|cell| longest_word(&cell.text)).max().unwrap_or(1);
            natural[at].min(word.max(NARROWEST))
        })
        .collect();
    if natural.iter().sum::<usize>() <= room {
        return Some(natural);
    }
    if least.iter().sum::<usize>() > room {
        return None;
    }
    let mut widths = least;
    // what is left goes, column by column, to whichever lacks most
    for _ in 0..room - widths.iter().sum::<usize>() {
        let neediest = (0..widths.len()).max_by_key(|at| (natural[*at] - widths[*at], usize::MAX - at))?;
        widths[neediest] += 1;
    }
    Some(widths)
}

fn longest_word(text: &Styled) -> usize {
    text.text().split_whitespace().map(wrap::width).max().unwrap_or(1)
}

/// The shape of a table whose columns stand beside each other.
struct Grid<'a> {
    columns: &'a [TableColumn],
    heads: &'a [Cell],
    widths: &'a [usize],
}

fn grid(layout: &mut Layout, shape: &Grid, body: &[Vec<Cell>], margin: &mut Margin) {
    grid_row(layout, shape, shape.heads, margin);
    let theme = layout.theme;
    let mut rules = Vec::new();
    for (at, width) in shape.widths.iter().enumerate() {
        if at > 0 {
            rules.push(Span::raw(" ".repeat(GAP)));
        }
        rules.push(Span::styled(theme.glyphs.rule.repeat(*width), theme.faint));
    }
    layout.emit(rules, margin);
    let wraps =
        body.iter().any(|row| row.iter().zip(shape.widths).any(|(cell, width)| cell.text.width() > *width));
    for (at, row) in body.iter().enumerate() {
        if at > 0 && wraps {
            layout.emit(Vec::new(), margin);
        }
        grid_row(layout, shape, row, margin);
    }
}

fn grid_row(layout: &mut Layout, shape: &Grid, cells: &[Cell], margin: &mut Margin) {
    let wrapped: Vec<Vec<Row>> = cells
        .iter()
        .zip(shape.widths)
        .map(|(cell, width)| wrap::rows(cell.text.text().trim_end(), *width, *width))
        .collect();
    let height = wrapped.iter().map(Vec::len).max().unwrap_or(1);
    for line in 0..height {
        let mut spans = Vec::new();
        let mut at = margin.columns();
        for (column, width) in shape.widths.iter().enumerate() {
            let row = wrapped.get(column).and_then(|rows| rows.get(line));
            let used = row.map_or(0, |row| row.width.min(*width));
            let before = match shape.columns[column].align {
                Align::Left => 0,
                Align::Centre => (width - used) / 2,
                Align::Right => width - used,
            };
            spans.push(Span::raw(" ".repeat(before)));
            if let Some(row) = row {
                let cell = &cells[column];
                layout.note_links(&cell.links, &cell.text, row, at + before);
                spans.extend(cell.text.spans(row.range(), *width));
            }
            if column + 1 < shape.widths.len() {
                spans.push(Span::raw(" ".repeat(width - used - before + GAP)));
            }
            at += width + GAP;
        }
        layout.emit(spans, margin);
    }
}

/// Each row as a block of `title: cell` lines.
fn records(layout: &mut Layout, columns: &[TableColumn], rows: &[Vec<Inline>], margin: &mut Margin) {
    for (at, row) in rows.iter().enumerate() {
        if at > 0 {
            layout.emit(Vec::new(), margin);
        }
        for (number, (column, words)) in columns.iter().zip(row).enumerate() {
            let mut line: Inline = column.title.clone();
            for run in &mut line {
                run.look.strong = true;
            }
            if !line.is_empty() {
                line.push(Run { text: ": ".into(), ..Run::default() });
            }
            line.extend(words.iter().cloned());
            layout.record(&line, number == 0, margin);
        }
    }
}
