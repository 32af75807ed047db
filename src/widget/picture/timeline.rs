//! Timelines: a row for each lane, time from left to right.

use ratatui::style::Style;
use ratatui::text::Line;

use super::super::theme::Theme;
use super::super::{escape, wrap};
use super::{Row, fill, legend, show, style};
use crate::sim::picture::{Lanes, Span, Tone};
use crate::sim::plain::span_glyph;

mod cut;

pub(super) fn lines(lanes: &Lanes, now: Option<f64>, width: usize, theme: &Theme) -> Vec<Line<'static>> {
    let scale = Scale::new(lanes, width);
    let now = now.filter(|now| *now < lanes.end);
    if let Some(cut) = cut::Cut::of(lanes, &scale, width) {
        return cut.lines(lanes, now, width, theme);
    }
    let mut out: Vec<Line<'static>> = lanes.marks.iter().map(|mark| mark_line(mark, &scale, theme)).collect();
    let mut has_parts = false;
    for lane in &lanes.lanes {
        let mut row = Row::default();
        row.push(&scale.label(&lane.label, theme), theme.dim);
        for cell in cells(&lane.spans, now, &scale) {
            match cell {
                Cell::Later => row.push(" ", Style::new()),
                Cell::Idle => row.push(theme.glyphs.untouched, theme.dim),
                Cell::Busy(span, at) => row.push(&glyph(span, at, &scale, theme), style(span.tone, theme)),
                Cell::Share(tone, share) => {
                    has_parts |= share <= WHOLE;
                    row.push(part(tone, share, theme), style(tone, theme));
                }
            }
        }
        out.push(Line::from(row.spans));
    }
    out.push(axis(lanes, now, &scale, theme));
    let mut entries: Vec<(String, Style, &str)> = lanes
        .legend
        .iter()
        .map(|(tone, meaning)| (legend_glyph(*tone, &scale, theme), style(*tone, theme), *meaning))
        .collect();
    if has_parts {
        let low = theme.glyphs.levels[2].to_owned();
        entries.push((low, theme.text, "busy for a part of the cell"));
    }
    if !scale.is_dense && scale.letters && lanes.names.is_empty() && scale.greatest > 9 {
        entries.push(("9".into(), theme.text, "the last digit; j after 9, 19, …"));
    }
    out.extend(legend(
        entries.iter().map(|(glyph, style, meaning)| (glyph.as_str(), *style, *meaning)),
        width,
        theme,
    ));
    let named = lanes.named(|span| number_glyph(span, &scale));
    let entries = named.iter().map(|(glyphs, name)| (glyphs.as_str(), theme.strong, *name));
    out.extend(legend(entries, width, theme));
    out.into_iter().map(|line| wrap::cut_line(&line, width, theme.glyphs.cut)).collect()
}

/// How time is laid out over columns.
struct Scale {
    label: usize,
    columns: usize,
    per_column: f64,
    /// Whether spans are so short that each is drawn as its letter alone.
    letters: bool,
    /// Whether most are shorter than a cell, so that only what share of it is busy can be drawn.
    is_dense: bool,
    /// The greatest number of a span.
    greatest: u32,
}

impl Scale {
    fn new(lanes: &Lanes, width: usize) -> Scale {
        let widest =
            lanes.lanes.iter().map(|lane| wrap::width(&escape::line(&lane.label))).max().unwrap_or(0);
        let label = widest.min(width / 3);
        let room = width.saturating_sub(label + 1).max(1);
        let end = if lanes.end.is_finite() && lanes.end > 0.0 { lanes.end } else { 1.0 };
        // equal steps are equally wide, where the timeline is made of whole steps
        let whole = end.round();
        let stepped = (end - whole).abs() < 1e-9 && whole >= 2.0 && whole <= room as f64;
        let columns = if stepped { room / whole as usize * whole as usize } else { room };
        let per_column = end / columns as f64;
        let a_second = 1.0 / per_column;
        let (mut numbered, mut short, mut greatest, mut letters) = (0, 0, 0, false);
        let spans = lanes.lanes.iter().flat_map(|lane| &lane.spans);
        for span in spans.filter(|span| span.tone.is_numbered()) {
            let takes = (span.end - span.start) * a_second;
            numbered += 1;
            short += usize::from(takes < 0.99);
            greatest = span.number.max(greatest);
            letters = letters || takes < f64::from(span.number.checked_ilog10().unwrap_or(0)) + 1.99;
        }
        Scale { label, columns, per_column, letters, is_dense: 2 * short > numbered, greatest }
    }

    fn label(&self, text: &str, theme: &Theme) -> String {
        let text = wrap::cut(text, self.label, theme.glyphs.cut);
        let blanks = self.label + 1 - wrap::width(&text).min(self.label);
        text + &" ".repeat(blanks)
    }

    fn column(&self, time: f64) -> usize {
        ((time / self.per_column).round().max(0.0) as usize).min(self.columns)
    }
}

#[derive(Clone, Copy)]
enum Cell<'a> {
    /// Not yet shown.
    Later,
    Idle,
    /// A span, and which of its columns it is.
    Busy(&'a Span, usize),
    /// What takes most of it, and what share of it is busy.
    Share(Tone, f64),
}

fn cells<'a>(spans: &'a [Span], now: Option<f64>, scale: &Scale) -> Vec<Cell<'a>> {
    let mut cells = vec![Cell::Idle; scale.columns];
    if scale.is_dense || spans.iter().any(|span| !span.tone.is_numbered()) {
        cells = shares(spans, scale);
    } else {
        whole(spans, scale, &mut cells);
    }
    if let Some(now) = now {
        let shown = scale.column(now);
        cells[shown..].fill(Cell::Later);
    }
    cells
}

/// Spans of at least a cell, each in cells of its own.
fn whole<'a>(spans: &'a [Span], scale: &Scale, cells: &mut [Cell<'a>]) {
    for span in spans {
        let start = scale.column(span.start);
        // what takes time is seen, however short it is
        let end = scale.column(span.end).max(start + 1);
        for (at, cell) in cells.iter_mut().take(end).skip(start).enumerate() {
            *cell = Cell::Busy(span, at);
        }
    }
}

/// A cell that is busy for more than this share is drawn as a whole one.
const WHOLE: f64 = 0.85;
/// The least share of a cell that is drawn.
const LEAST: f64 = 0.02;

/// What share of each cell is busy, and with what most. What nothing hides is seen, however short it is.
fn shares<'a>(spans: &[Span], scale: &Scale) -> Vec<Cell<'a>> {
    let mut loads = vec![[(Tone::Idle, 0.0_f64); 4]; scale.columns];
    let a_second = 1.0 / scale.per_column;
    for span in spans {
        let (start, end) = (span.start * a_second, span.end * a_second);
        let first = (start as usize).min(scale.columns.saturating_sub(1));
        let last = (end.ceil() as usize).clamp(first + 1, scale.columns.max(first + 1));
        for (at, load) in (first..last).zip(&mut loads[first..]) {
            let share = (end.min(at as f64 + 1.0) - start.max(at as f64)).max(0.0);
            let slot = load.iter_mut().find(|(tone, had)| *tone == span.tone || *had == 0.0);
            if let Some(slot) = slot {
                *slot = (span.tone, slot.1 + share);
            }
        }
    }
    let exposed = |load: &[(Tone, f64)]| load.iter().any(|(t, s)| *t == Tone::Exposed && *s > 0.0);
    let cell = |load: &[(Tone, f64)]| {
        let busy: f64 = load.iter().map(|(_, share)| share).sum();
        let most = load.iter().max_by(|a, b| a.1.total_cmp(&b.1)).map_or(Tone::Idle, |m| m.0);
        match most {
            _ if exposed(load) => Cell::Share(Tone::Exposed, 1.0),
            tone if busy >= LEAST => Cell::Share(tone, busy.min(1.0)),
            _ => Cell::Idle,
        }
    };
    loads.iter().map(|load| cell(load)).collect()
}

/// The glyph of a cell that is busy for a share of its time.
fn part(tone: Tone, share: f64, theme: &Theme) -> &'static str {
    if share > WHOLE {
        return fill(tone, theme);
    }
    let levels = theme.glyphs.levels;
    levels[((share * 7.0).round() as usize).min(6)]
}

/// The first glyph of a numbered span.
fn number_glyph(span: &Span, scale: &Scale) -> String {
    if scale.letters { span_glyph(span.tone, span.number).to_string() } else { span.number.to_string() }
}

fn glyph(span: &Span, at: usize, scale: &Scale, theme: &Theme) -> String {
    if scale.letters {
        return match span.tone.is_numbered() {
            true => span_glyph(span.tone, span.number).to_string(),
            false => fill(span.tone, theme).to_string(),
        };
    }
    let number = if span.tone.is_numbered() { span.number.to_string() } else { String::new() };
    match number.chars().nth(at) {
        Some(digit) => digit.to_string(),
        None => fill(span.tone, theme).to_string(),
    }
}

fn legend_glyph(tone: Tone, scale: &Scale, theme: &Theme) -> String {
    match tone {
        tone if scale.is_dense => fill(tone, theme).into(),
        Tone::Forward if scale.letters => "0-9".into(),
        Tone::Backward if scale.letters => "a-j".into(),
        Tone::WeightGrad if scale.letters => "A-J".into(),
        tone => fill(tone, theme).into(),
    }
}

fn mark_line((time, name): &(f64, String), scale: &Scale, theme: &Theme) -> Line<'static> {
    let at = scale.label + 1 + scale.column(*time).min(scale.columns.saturating_sub(1));
    let name = escape::line(name);
    let columns = wrap::width(&name);
    let mut row = Row::default();
    // the name stands right of its mark, or left of it where the row ends
    if at + 2 + columns <= scale.label + 1 + scale.columns || at < columns + 1 {
        row.push(&" ".repeat(at), Style::new());
        row.push(&format!("{} {name}", theme.glyphs.down), theme.text);
    } else {
        row.push(&" ".repeat(at - columns - 1), Style::new());
        row.push(&format!("{name} {}", theme.glyphs.down), theme.text);
    }
    Line::from(row.spans)
}

/// Where time begins and ends, and how far it has come.
fn axis(lanes: &Lanes, now: Option<f64>, scale: &Scale, theme: &Theme) -> Line<'static> {
    let mut row = Row::default();
    row.push(&" ".repeat(scale.label + 1), Style::new());
    let end = show(lanes.end, lanes.unit);
    let room = scale.columns.saturating_sub(wrap::width(&end));
    let (text, style) = match now {
        Some(now) => {
            let reached = format!("{} {}", theme.glyphs.up, show(now, lanes.unit));
            let at = scale.column(now).min(room.saturating_sub(wrap::width(&reached) + 1));
            (" ".repeat(at) + &reached, theme.text)
        }
        None => ("0".into(), theme.dim),
    };
    row.push(&text, style);
    row.push(&" ".repeat(room.saturating_sub(wrap::width(&text))), Style::new());
    row.push(&end, theme.dim);
    Line::from(row.spans)
}
