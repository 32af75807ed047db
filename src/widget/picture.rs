//! Pictures of simulators as lines of text: timelines, grids, bars, curves, heat maps, tables.
//!
//! Every meaning has a colour and, beside it, a shape or a letter, so that no picture depends
//! on colour.

use ratatui::layout::Size;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::theme::Theme;
use super::{escape, wrap};
use crate::sim::picture::{Picture, Tone};
use crate::sim::quantity;

mod bars;
mod cells;
mod chart;
mod timeline;

/// A picture as lines that are no wider than `size`. Curves fill its height; what has rows of its
/// own may be higher, for the screen to scroll. `now` is how far a timeline has come.
pub fn lines(picture: &Picture, now: Option<f64>, size: Size, theme: &Theme) -> Vec<Line<'static>> {
    lines_beside(picture, None, now, size, theme)
}

/// The same on the scale of both where another picture of its kind stands beside it: what is twice as long looks it.
pub fn lines_beside(
    picture: &Picture,
    beside: Option<&Picture>,
    now: Option<f64>,
    size: Size,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let width = usize::from(size.width);
    if width == 0 {
        return Vec::new();
    }
    match picture {
        Picture::Lanes(lanes) => timeline::lines(lanes, now, width, theme),
        Picture::Grid(grid) => cells::grid(grid, width, theme),
        Picture::Bars(bars) => {
            let beside =
                beside.and_then(|other| if let Picture::Bars(other) = other { Some(other) } else { None });
            bars::lines(bars, beside, width, theme)
        }
        Picture::Series(series) => {
            let beside =
                beside.and_then(|other| if let Picture::Series(other) = other { Some(other) } else { None });
            chart::lines(series, beside, (width, size.height.into()), theme)
        }
        Picture::Matrix(matrix) => cells::matrix(matrix, width, theme),
        Picture::Table(table) => cells::table(table, width, theme),
    }
}

/// The colour of a meaning.
pub fn style(tone: Tone, theme: &Theme) -> Style {
    match tone {
        Tone::Forward | Tone::Weights | Tone::Done => theme.series[0],
        Tone::Backward | Tone::Gradients => theme.series[1],
        Tone::Optimizer => theme.series[2],
        Tone::Hidden | Tone::Activations => theme.series[3],
        Tone::WeightGrad | Tone::Buffer => theme.series[4],
        Tone::Exposed | Tone::Lost => theme.series[5],
        Tone::Idle | Tone::Empty => theme.dim,
        Tone::Moving => theme.series[1].add_modifier(Modifier::BOLD),
        Tone::Chosen => theme.strong,
        Tone::Nth(n) => theme.series[usize::from(n) % theme.series.len()],
    }
}

/// The glyph that fills an area of a meaning: it differs in shape where meanings meet in a picture.
fn fill(tone: Tone, theme: &Theme) -> &'static str {
    let fills = theme.glyphs.fills;
    match tone {
        Tone::Forward | Tone::Weights | Tone::Done | Tone::Moving | Tone::Chosen => fills[0],
        Tone::Backward | Tone::Gradients => fills[1],
        Tone::WeightGrad | Tone::Optimizer => fills[2],
        Tone::Hidden | Tone::Activations => fills[3],
        Tone::Buffer => fills[4],
        Tone::Exposed | Tone::Lost => fills[5],
        Tone::Idle | Tone::Empty => theme.glyphs.untouched,
        Tone::Nth(n) => fills[usize::from(n) % fills.len()],
    }
}

/// The mark behind the text of a cell, for meanings that a text alone does not tell.
fn mark(tone: Tone, theme: &Theme) -> &'static str {
    let glyphs = &theme.glyphs;
    match tone {
        Tone::Moving => glyphs.bullets[0],
        Tone::Done => glyphs.good,
        Tone::Lost | Tone::Exposed => glyphs.missing,
        Tone::Chosen => glyphs.left,
        _ => "",
    }
}

/// What the glyphs mean, side by side as they fit.
fn legend<'a>(
    entries: impl IntoIterator<Item = (&'a str, Style, &'a str)>,
    width: usize,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let mut lines: Vec<Line<'static>> = Vec::new();
    let mut used = 0;
    for (glyph, style, meaning) in entries {
        let meaning = escape::line(meaning);
        let columns = wrap::width(glyph) + 1 + wrap::width(&meaning);
        let entry = [Span::styled(glyph.to_string(), style), Span::styled(format!(" {meaning}"), theme.dim)];
        match lines.last_mut() {
            Some(line) if used + 2 + columns <= width => {
                line.push_span(Span::raw("  "));
                entry.into_iter().for_each(|span| line.push_span(span));
                used += 2 + columns;
            }
            _ => {
                lines.push(Line::from(entry.to_vec()));
                used = columns;
            }
        }
    }
    lines.into_iter().map(|line| wrap::cut_line(&line, width, theme.glyphs.cut)).collect()
}

/// A value in base units with the unit of that name.
fn show(value: f64, unit: &str) -> String {
    match quantity::unit(unit) {
        Some(unit) => quantity::show(value, unit),
        None if unit.is_empty() => quantity::digits(value),
        None => format!("{} {unit}", quantity::digits(value)),
    }
}

/// Cells of one row gathered into spans of one style.
#[derive(Default)]
struct Row {
    spans: Vec<Span<'static>>,
}

impl Row {
    fn push(&mut self, text: &str, style: Style) {
        match self.spans.last_mut() {
            Some(span) if span.style == style => span.content.to_mut().push_str(text),
            _ => self.spans.push(Span::styled(text.to_string(), style)),
        }
    }
}

#[cfg(test)]
mod tests;
