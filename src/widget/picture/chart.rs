//! Curves: dots of a quarter row, and the letter of each curve along it; points by number.

use ratatui::style::{Modifier, Style};
use ratatui::text::Line;

use super::super::theme::Theme;
use super::super::{escape, wrap};
use super::{Row, legend, show, style};
use crate::sim::picture::{Axis, Series};

/// Below this many rows for the curves, the chart is as high as this all the same.
const LOWEST: usize = 4;
/// Above this many, it is no higher.
const HIGHEST: usize = 24;
/// Dots in a cell.
const DOTS: (usize, usize) = (2, 4);

pub(super) fn lines(
    series: &Series,
    beside: Option<&Series>,
    (width, height): (usize, usize),
    theme: &Theme,
) -> Vec<Line<'static>> {
    let both = || [series].into_iter().chain(beside);
    let points = || both().flat_map(|of| &of.lines).flat_map(|line| line.points.iter().copied());
    let marks = || both().flat_map(|of| &of.marks).map(|(x, y, _)| (*x, *y));
    let x = Range::new(points().chain(marks()).map(|(x, _)| x), &series.x);
    let y = Range::new(points().chain(marks()).map(|(_, y)| y), &series.y);
    let mut names = names(series, width, theme);
    names.extend(points_named(series, width, theme));
    let (Some(x), Some(y)) = (x, y) else { return names };
    let top = show(y.value(1.0), series.y.unit);
    let bottom = show(y.value(0.0), series.y.unit);
    let middle = show(y.value(0.5), series.y.unit);
    let gutter =
        [&top, &middle, &bottom].iter().map(|label| wrap::width(label)).max().unwrap_or(0).min(width / 3);
    let rows = height.saturating_sub(names.len() + 3).clamp(LOWEST, HIGHEST);
    let mut plot = Plot::new(width.saturating_sub(gutter + 2).max(1), rows);
    for (at, line) in series.lines.iter().enumerate() {
        let path: Vec<(f64, f64)> =
            line.points.iter().filter_map(|(px, py)| Some((x.share(*px)?, y.share(*py)?))).collect();
        plot.curve(&path, at);
    }
    for (nth, (mx, my, _)) in series.marks.iter().enumerate() {
        if let (Some(x), Some(y)) = (x.share(*mx), y.share(*my)) {
            plot.mark((x, y), digit(nth));
        }
    }
    let title = format!("{} over {}", name(&series.y), name(&series.x));
    let mut out = vec![Line::styled(title, theme.dim)];
    for row in 0..rows {
        let label = match row {
            0 => top.as_str(),
            row if row + 1 == rows => bottom.as_str(),
            row if rows >= 7 && row == rows / 2 => middle.as_str(),
            _ => "",
        };
        out.push(plot.row(row, (gutter, label), series, theme));
    }
    out.push(x_axis(series, (&x, gutter), width, theme));
    out.extend(names);
    out.into_iter().map(|line| wrap::cut_line(&line, width, theme.glyphs.cut)).collect()
}

/// Which letter is which curve.
fn names(series: &Series, width: usize, theme: &Theme) -> Vec<Line<'static>> {
    let letters: Vec<String> = (0..series.lines.len()).map(|at| letter(at).to_string()).collect();
    let entries =
        series.lines.iter().zip(&letters).filter(|_| is_lettered(series, theme)).map(|(line, letter)| {
            (letter.as_str(), style(line.tone, theme).add_modifier(Modifier::BOLD), line.label.as_str())
        });
    legend(entries, width, theme)
}

fn letter(curve: usize) -> char {
    char::from(b'a' + (curve % 26) as u8)
}

/// Whether curves need letters: one alone does not, where it is drawn in dots.
fn is_lettered(series: &Series, theme: &Theme) -> bool {
    series.lines.len() > 1 || theme.glyphs.rule.is_ascii()
}

/// The digit of a point.
fn digit(nth: usize) -> char {
    char::from(b'1' + (nth % 9) as u8)
}

/// Which digit is which point.
fn points_named(series: &Series, width: usize, theme: &Theme) -> Vec<Line<'static>> {
    let digits: Vec<String> = (0..series.marks.len()).map(|nth| digit(nth).to_string()).collect();
    let marks = series.marks.iter().zip(&digits);
    let entries = marks.map(|((_, _, name), digit)| (digit.as_str(), point(theme), name.as_str()));
    legend(entries, width, theme)
}

fn point(theme: &Theme) -> Style {
    theme.strong.add_modifier(Modifier::REVERSED)
}

/// What an axis measures, and how.
fn name(axis: &Axis) -> String {
    let label = escape::line(axis.label);
    if axis.log { format!("{label} (log)") } else { label.into_owned() }
}

fn x_axis(series: &Series, (x, gutter): (&Range, usize), width: usize, theme: &Theme) -> Line<'static> {
    let (first, last) = (show(x.value(0.0), series.x.unit), show(x.value(1.0), series.x.unit));
    let label = show(x.middle(), series.x.unit);
    let columns = width.saturating_sub(gutter + 2);
    let before = (columns / 2).saturating_sub(wrap::width(&first) + wrap::width(&label) / 2).max(1);
    let used = wrap::width(&first) + before + wrap::width(&label) + wrap::width(&last);
    let after = columns.saturating_sub(used).max(1);
    let mut row = Row::default();
    row.push(&" ".repeat(gutter + 2), Style::new());
    row.push(&format!("{first}{}{label}{}{last}", " ".repeat(before), " ".repeat(after)), theme.dim);
    Line::from(row.spans)
}

/// An axis from its least to its greatest value.
struct Range {
    low: f64,
    high: f64,
    log: bool,
}

impl Range {
    fn new(values: impl Iterator<Item = f64>, axis: &Axis) -> Option<Range> {
        let log = axis.log;
        let values = values.filter(|value| value.is_finite() && (!log || *value > 0.0));
        let (low, high) = values
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        if low > high {
            return None;
        }
        // lengths begin at nothing, unless that would press a curve into a corner
        let low = if !log && low > 0.0 && low < high * 0.6 { 0.0 } else { low };
        Some(Range { low, high, log })
    }

    fn scaled(&self, value: f64) -> f64 {
        if self.log { value.ln() } else { value }
    }

    /// What stands in its middle; whole between whole ends, because half a micro-batch is none.
    fn middle(&self) -> f64 {
        let (middle, ends) = (self.value(0.5), [self.value(0.0), self.value(1.0)]);
        let is_count = ends.iter().all(|end| (end - end.round()).abs() < 1e-9) && ends[1] - ends[0] >= 8.0;
        if is_count { middle.round() } else { middle }
    }

    /// Where a value lies, 0 to 1.
    fn share(&self, value: f64) -> Option<f64> {
        if !value.is_finite() || (self.log && value <= 0.0) {
            return None;
        }
        let (low, high) = (self.scaled(self.low), self.scaled(self.high));
        Some(if high > low { (self.scaled(value) - low) / (high - low) } else { 0.5 })
    }

    fn value(&self, share: f64) -> f64 {
        let value = self.scaled(self.low) + share * (self.scaled(self.high) - self.scaled(self.low));
        if self.log { value.exp() } else { value }
    }
}

/// What stands in a cell.
#[derive(Clone, Copy, Default)]
struct Cell {
    /// Dots, as Braille counts them.
    dots: u8,
    curve: usize,
    /// A letter that takes the place of the dots.
    text: Option<char>,
    mark: bool,
}

struct Plot {
    columns: usize,
    rows: usize,
    cells: Vec<Cell>,
}

/// The bit of a dot by its column and row in a Braille cell.
const BITS: [[u8; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];

impl Plot {
    fn new(columns: usize, rows: usize) -> Plot {
        Plot { columns, rows, cells: vec![Cell::default(); columns * rows] }
    }

    /// Draws a curve, point to point, and puts its letter on it now and then.
    fn curve(&mut self, path: &[(f64, f64)], curve: usize) {
        let across = (self.columns * DOTS.0).saturating_sub(1) as f64;
        let down = (self.rows * DOTS.1).saturating_sub(1) as f64;
        let dots: Vec<(f64, f64)> = path.iter().map(|(x, y)| (x * across, (1.0 - y) * down)).collect();
        for pair in dots.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            let steps = (to.0 - from.0).abs().max((to.1 - from.1).abs()).ceil().max(1.0);
            for step in 0..=steps as usize {
                let share = step as f64 / steps;
                self.dot(from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share, curve);
            }
        }
        if let [only] = dots.as_slice() {
            self.dot(only.0, only.1, curve);
        }
        // letters of different curves stand in different columns
        let every = 12.max(self.columns / 4);
        for column in (2 + 3 * (curve % 4)..self.columns).step_by(every) {
            let on_curve = (0..self.rows).find(|row| {
                let cell = &self.cells[row * self.columns + column];
                cell.dots != 0 && cell.curve == curve && cell.text.is_none()
            });
            if let Some(row) = on_curve {
                self.cells[row * self.columns + column].text = Some(letter(curve));
            }
        }
    }

    fn dot(&mut self, x: f64, y: f64, curve: usize) {
        let (x, y) = (x.round().max(0.0) as usize, y.round().max(0.0) as usize);
        let (column, row) = (x / DOTS.0, y / DOTS.1);
        if column >= self.columns || row >= self.rows {
            return;
        }
        let cell = &mut self.cells[row * self.columns + column];
        if cell.dots != 0 && cell.curve != curve && cell.text.is_some() {
            return;
        }
        cell.dots |= BITS[x % DOTS.0][y % DOTS.1];
        cell.curve = curve;
    }

    /// The cell of a point, column and row.
    fn cell_of(&self, (x, y): (f64, f64)) -> (usize, usize) {
        let column = (x * self.columns.saturating_sub(1) as f64).round() as usize;
        let row = ((1.0 - y) * self.rows.saturating_sub(1) as f64).round() as usize;
        (column.min(self.columns - 1), row.min(self.rows - 1))
    }

    /// Puts the digit of a point where it lies; of two in one cell the later moves aside.
    fn mark(&mut self, at: (f64, f64), digit: char) {
        let (column, row) = self.cell_of(at);
        let is_free = |c: &usize| *c < self.columns && !self.cells[row * self.columns + c].mark;
        let near = [column, column + 1, column.wrapping_sub(1), column + 2];
        if let Some(column) = near.into_iter().find(is_free) {
            self.text(column, row, digit);
        }
    }

    fn text(&mut self, column: usize, row: usize, c: char) {
        if column < self.columns && row < self.rows {
            let cell = &mut self.cells[row * self.columns + column];
            cell.text = Some(c);
            cell.mark = true;
        }
    }

    fn row(
        &self,
        row: usize,
        (gutter, label): (usize, &str),
        series: &Series,
        theme: &Theme,
    ) -> Line<'static> {
        let mut out = Row::default();
        let label = wrap::cut(label, gutter, theme.glyphs.cut);
        let blanks = gutter.saturating_sub(wrap::width(&label));
        out.push(&format!("{}{label} ", " ".repeat(blanks)), theme.dim);
        out.push(theme.glyphs.border.vertical_left, theme.border);
        for cell in &self.cells[row * self.columns..(row + 1) * self.columns] {
            let tone = series.lines.get(cell.curve).map(|line| line.tone);
            let curve = tone.map_or(Style::new(), |tone| style(tone, theme));
            match (cell.text, cell.dots) {
                (Some(c), _) if cell.mark => out.push(c.encode_utf8(&mut [0; 4]), point(theme)),
                (Some(c), _) if is_lettered(series, theme) => {
                    out.push(c.encode_utf8(&mut [0; 4]), curve.add_modifier(Modifier::BOLD))
                }
                (_, 0) => out.push(" ", Style::new()),
                (_, dots) => out.push(&dotted(dots, cell.curve, theme), curve),
            }
        }
        Line::from(out.spans)
    }
}

/// Dots as a Braille character, or the curve's letter where only ASCII is drawn.
fn dotted(dots: u8, curve: usize, theme: &Theme) -> String {
    match theme.glyphs.rule.is_ascii() {
        true => letter(curve).to_string(),
        false => char::from_u32(0x2800 + u32::from(dots)).unwrap_or('.').to_string(),
    }
}
