//! Stacked bars over one scale, with a limit across them.

use ratatui::style::Style;
use ratatui::text::Line;

use super::super::theme::Theme;
use super::super::{escape, wrap};
use super::{Row, fill, legend, show, style};
use crate::sim::picture::{Bar, Bars};

pub(super) fn lines(bars: &Bars, beside: Option<&Bars>, width: usize, theme: &Theme) -> Vec<Line<'static>> {
    let shape = Shape::new(bars, beside.map_or(0.0, longest), width);
    let mut out: Vec<Line<'static>> =
        bars.bars.iter().map(|bar| bar_line(bar, bars, &shape, theme)).collect();
    if let Some((limit, name)) = &bars.limit {
        out.push(limit_line((*limit, name), bars.unit, &shape, theme));
    }
    let entries =
        bars.legend.iter().map(|(tone, meaning)| (fill(*tone, theme), style(*tone, theme), *meaning));
    out.extend(legend(entries, width, theme));
    out.into_iter().map(|line| wrap::cut_line(&line, width, theme.glyphs.cut)).collect()
}

/// How lengths are laid out over columns.
struct Shape {
    /// Columns before the labels, where one of several bars is the one that is set.
    lead: usize,
    label: usize,
    columns: usize,
    longest: f64,
    /// The column of the limit.
    limit: Option<usize>,
}

/// The greatest length that the scale of these bars has to hold.
fn longest(bars: &Bars) -> f64 {
    let limit = bars.limit.as_ref().map(|(limit, _)| *limit);
    let lengths = bars.bars.iter().map(Bar::total).chain(limit).chain([bars.reach]);
    lengths.filter(|length| length.is_finite()).fold(0.0, f64::max)
}

impl Shape {
    fn new(bars: &Bars, reach: f64, width: usize) -> Shape {
        let widest = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0);
        let label = widest(&mut bars.bars.iter().map(|bar| wrap::width(&escape::line(&bar.label))));
        let total =
            widest(&mut bars.bars.iter().map(|bar| wrap::width(&bar.shown(|total| show(total, bars.unit)))));
        let label = label.min(width / 3);
        let limit = bars.limit.as_ref().map(|(limit, _)| *limit);
        let longest = longest(bars).max(reach);
        // the limit has a column of its own
        let line = usize::from(limit.is_some());
        let lead = if bars.bars.len() > 1 && bars.bars.iter().any(|bar| bar.chosen) { 2 } else { 0 };
        let columns = width.saturating_sub(lead + label + total + 2 + line).max(1);
        let mut shape = Shape { lead, label, columns, longest, limit: None };
        shape.limit = limit.filter(|limit| limit.is_finite()).map(|limit| shape.column(limit));
        shape
    }

    fn column(&self, length: f64) -> usize {
        match self.longest > 0.0 {
            true => {
                ((length / self.longest * self.columns as f64).round().max(0.0) as usize).min(self.columns)
            }
            false => 0,
        }
    }

    /// The columns of a bar's pieces. The whole comes first, so that a bar crosses the limit only where it
    /// exceeds it; equal pieces are equally long, and a piece is seen where there is a column to spare.
    fn parts(&self, bar: &Bar, bars: &Bars) -> Vec<usize> {
        let total = bar.total();
        let lengths = bar.pieces.iter().map(|(_, length)| length.max(0.0));
        if !(total > 0.0 && total.is_finite()) {
            return lengths.map(|_| 0).collect();
        }
        let exceeds = bars.limit.as_ref().is_some_and(|(limit, _)| total > *limit);
        let least = match self.limit {
            Some(limit) if exceeds => limit + 1,
            _ => 1,
        };
        let all = self.column(total).max(least.min(self.columns));
        let exact: Vec<f64> = lengths.map(|length| length / total * all as f64).collect();
        let mut columns: Vec<usize> = exact.iter().map(|e| e.floor() as usize).collect();
        let rest = |i: &usize| exact[*i] - exact[*i].floor();
        let mut order: Vec<usize> = (0..exact.len()).collect();
        order.sort_by(|a, b| rest(b).total_cmp(&rest(a)));
        let left = all.saturating_sub(columns.iter().sum());
        order.iter().take(left).for_each(|i| columns[*i] += 1);
        for i in 0..columns.len() {
            let widest = (0..columns.len()).max_by_key(|j| columns[*j]);
            let spare = widest.filter(|j| exact[i] > 0.0 && columns[i] == 0 && columns[*j] > 1);
            if let Some(j) = spare {
                columns[j] -= 1;
                columns[i] += 1;
            }
        }
        columns
    }
}

fn bar_line(bar: &Bar, bars: &Bars, shape: &Shape, theme: &Theme) -> Line<'static> {
    let mut row = Row::default();
    let (pointer, name) = if bar.chosen { (theme.glyphs.knob, theme.strong) } else { (" ", theme.dim) };
    let label = wrap::cut(&bar.label, shape.label, theme.glyphs.cut);
    let blanks = " ".repeat(shape.label.saturating_sub(wrap::width(&label)) + 1);
    let lead = if shape.lead > 0 { format!("{pointer} ") } else { String::new() };
    row.push(&format!("{lead}{label}{blanks}"), name);
    let mut cells: Vec<(&str, Style)> = Vec::new();
    for ((tone, _), columns) in bar.pieces.iter().zip(shape.parts(bar, bars)) {
        cells.extend(std::iter::repeat_n((fill(*tone, theme), style(*tone, theme)), columns));
    }
    cells.resize(shape.columns.max(cells.len()), (" ", Style::new()));
    if let Some(limit) = shape.limit {
        cells.insert(limit.min(cells.len()), (theme.glyphs.border.vertical_left, theme.strong));
    }
    for (glyph, style) in cells {
        row.push(glyph, style);
    }
    let shown = bar.shown(|total| show(total, bars.unit));
    row.push(&format!(" {}", escape::line(&shown)), theme.text);
    Line::from(row.spans)
}

fn limit_line((limit, name): (f64, &str), unit: &str, shape: &Shape, theme: &Theme) -> Line<'static> {
    let at = shape.lead + shape.label + 1 + shape.limit.unwrap_or(0);
    let words = format!("{}: {}", escape::line(name), show(limit, unit));
    let start = at.saturating_sub(wrap::width(&words) + 1);
    let mut row = Row::default();
    row.push(&" ".repeat(start), Style::new());
    row.push(&words, theme.dim);
    row.push(&" ".repeat(at.saturating_sub(start + wrap::width(&words))), Style::new());
    row.push(theme.glyphs.up, theme.strong);
    Line::from(row.spans)
}
