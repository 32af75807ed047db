//! Pictures as text, and a simulator as JSON.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::sim::Sim;
use crate::sim::picture::{Bar, Bars, Grid, Lanes, Matrix, Picture, Series, Span, Table, Tone, View};
use crate::sim::quantity::{self, Unit};

/// The columns that a text picture uses at most.
const WIDTH: usize = 76;

/// A picture as text of at most 76 columns where it can be, without colour.
pub fn picture_text(picture: &Picture) -> String {
    match picture {
        Picture::Lanes(lanes) => lanes_text(lanes),
        Picture::Grid(grid) => grid_text(grid),
        Picture::Bars(bars) => bars_text(bars),
        Picture::Series(series) => series_text(series),
        Picture::Matrix(matrix) => matrix_text(matrix),
        Picture::Table(table) => table_text(table),
    }
}

/// The letter or digit that stands for a span: forward passes are digits, backward ones letters.
pub fn span_glyph(tone: Tone, number: u32) -> char {
    let nth = |alphabet: &[u8]| char::from(alphabet[number as usize % alphabet.len()]);
    match tone {
        Tone::Forward => nth(b"0123456789"),
        Tone::Backward => nth(b"abcdefghij"),
        Tone::WeightGrad => nth(b"ABCDEFGHIJ"),
        Tone::Hidden => '=',
        Tone::Exposed => '#',
        Tone::Idle | Tone::Empty => '.',
        _ => nth(b"0123456789"),
    }
}

fn lanes_text(lanes: &Lanes) -> String {
    let label = lanes.lanes.iter().map(|l| l.label.chars().count()).max().unwrap_or(0);
    let columns = WIDTH.saturating_sub(label + 3).max(10);
    let whole = lanes.end.round();
    let columns = if (lanes.end - whole).abs() < 1e-9 && whole >= 1.0 && whole <= columns as f64 {
        whole as usize
    } else {
        columns
    };
    let mut page = String::new();
    for (i, lane) in lanes.lanes.iter().enumerate() {
        let row: String = (0..columns)
            .map(|c| lanes.end * (c as f64 + 0.5) / columns as f64)
            .map(|t| lanes.span_at(i, t).map_or('.', |s| span_glyph(s.tone, s.number)))
            .collect();
        let _ = writeln!(page, "  {:<label$} |{row}|", lane.label);
    }
    let unit = quantity::unit(lanes.unit);
    let end = unit.map_or_else(
        || format!("{} {}", quantity::digits(lanes.end), lanes.unit),
        |u| quantity::show(lanes.end * u.factor, u),
    );
    let _ = writeln!(page, "  0 to {end}");
    legend_into(&mut page, &lanes.legend);
    names_into(&mut page, lanes);
    page
}

/// What the numbers on spans stand for, where they have names.
fn names_into(page: &mut String, lanes: &Lanes) {
    let glyph = |span: &Span| span_glyph(span.tone, span.number).to_string();
    let named: Vec<String> =
        lanes.named(glyph).into_iter().map(|(glyphs, name)| format!("{glyphs} {name}")).collect();
    if !named.is_empty() {
        let _ = writeln!(page, "  {}", named.join(", "));
    }
}

fn legend_into(page: &mut String, legend: &[(Tone, &str)]) {
    let names: Vec<_> = legend.iter().map(|(tone, name)| format!("{} {name}", legend_glyph(*tone))).collect();
    if !names.is_empty() {
        let _ = writeln!(page, "  {}", names.join(", "));
    }
}

fn legend_glyph(tone: Tone) -> &'static str {
    match tone {
        Tone::Forward => "0-9",
        Tone::Backward => "a-j",
        Tone::WeightGrad => "A-J",
        Tone::Hidden => "=",
        Tone::Exposed => "#",
        Tone::Idle => ".",
        Tone::Moving => ">",
        Tone::Done => "*",
        Tone::Chosen => "@",
        Tone::Lost => "!",
        Tone::Empty => "-",
        _ => "·",
    }
}

fn grid_text(grid: &Grid) -> String {
    let mark = |tone: Tone| match tone {
        Tone::Moving | Tone::Done | Tone::Chosen | Tone::Lost => legend_glyph(tone),
        _ => "",
    };
    let rows = grid.rows.iter().map(|(head, cells)| {
        let cells = cells.iter().map(|c| format!("{}{}", c.text, mark(c.tone)));
        std::iter::once(head.clone()).chain(cells).collect()
    });
    let heads = std::iter::once(grid.corner.clone()).chain(grid.columns.iter().cloned()).collect();
    let mut page = columns_text(heads, rows.collect());
    let marked: Vec<_> = grid.legend.iter().filter(|(tone, _)| !mark(*tone).is_empty()).copied().collect();
    legend_into(&mut page, &marked);
    page
}

/// Rows of cells in columns just wide enough.
fn columns_text(heads: Vec<String>, rows: Vec<Vec<String>>) -> String {
    let all: Vec<Vec<String>> = std::iter::once(heads).chain(rows).collect();
    let count = all.iter().map(Vec::len).max().unwrap_or(0);
    let width = |c: usize| all.iter().filter_map(|r| r.get(c)).map(|t| t.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..count).map(width).collect();
    let mut page = String::new();
    for row in &all {
        let cells: Vec<String> =
            row.iter().zip(&widths).map(|(text, width)| format!("{text:<width$}", width = *width)).collect();
        let _ = writeln!(page, "  {}", cells.join("  ").trim_end());
    }
    page
}

/// The pieces of a bar that have a length, each with what it means.
pub(super) fn pieces(bars: &Bars, bar: &Bar, unit: Unit) -> Vec<String> {
    let name = |tone: Tone| bars.legend.iter().find(|(t, _)| *t == tone).map_or("other", |(_, name)| *name);
    let long = bar.pieces.iter().filter(|(_, length)| *length > 0.0);
    long.map(|(tone, length)| format!("{} {}", name(*tone), quantity::show(*length, unit))).collect()
}

fn bars_text(bars: &Bars) -> String {
    let unit = quantity::unit(bars.unit).unwrap_or(quantity::PLAIN);
    let mut page = String::new();
    for bar in &bars.bars {
        let pieces = pieces(bars, bar, unit);
        let chosen = if bar.chosen { "*" } else { " " };
        let total = bar.shown(|total| quantity::show(total, unit));
        let _ = writeln!(page, " {chosen}{}: {total} ({})", bar.label, pieces.join(", "));
    }
    if let Some((limit, name)) = &bars.limit {
        let _ = writeln!(page, "  {name}: {}", quantity::show(*limit, unit));
    }
    page
}

fn series_text(series: &Series) -> String {
    let unit = |name: &'static str| quantity::unit(name).unwrap_or(Unit::count(name));
    let [x, y] = [&series.x, &series.y].map(|axis| unit(axis.unit));
    let mut page = String::new();
    for line in &series.lines {
        let every = (line.points.len() / 6).max(1);
        let points: Vec<String> = line
            .points
            .iter()
            .step_by(every)
            .map(|(a, b)| format!("{} -> {}", quantity::show(*a, x), quantity::show(*b, y)))
            .collect();
        let _ = writeln!(page, "  {}: {}", line.label, points.join("; "));
    }
    for (a, b, name) in &series.marks {
        let _ = writeln!(page, "  {name}: {} -> {}", quantity::show(*a, x), quantity::show(*b, y));
    }
    page
}

fn matrix_text(matrix: &Matrix) -> String {
    let unit = quantity::unit(matrix.unit).unwrap_or(quantity::PLAIN);
    let rows = matrix.rows.iter().map(|(head, values)| {
        let values = values.iter().map(|v| quantity::show(*v, unit));
        std::iter::once(head.clone()).chain(values).collect()
    });
    let heads = std::iter::once(matrix.corner.clone()).chain(matrix.columns.iter().cloned()).collect();
    columns_text(heads, rows.collect())
}

fn table_text(table: &Table) -> String {
    columns_text(table.columns.clone(), table.rows.iter().map(|(_, cells)| cells.clone()).collect())
}

/// Everything a simulator shows, for programs: settings, results in base units, the last step of each view.
pub fn json(sim: &Sim) -> Value {
    let run = sim.run();
    let settings = sim.knobs().map(|(p, value)| {
        let taken = run.adjusted.iter().find(|a| a.knob == p.name).map_or(value, |a| a.taken);
        json!({"name": p.name, "label": p.label, "value": value, "taken": taken, "unit": p.unit.name, "shown": p.show(value)})
    });
    let outputs = run.outputs.iter().map(|o| {
        json!({"name": o.name, "label": o.label, "value": o.value, "shown": o.show(), "expression": o.expression})
    });
    json!({
        "kind": sim.kind().name,
        "title": sim.kind().title,
        "settings": settings.collect::<Vec<_>>(),
        "notes": run.notes,
        "adjusted": run.adjusted,
        "outputs": outputs.collect::<Vec<_>>(),
        "views": run.views.iter().map(view_json).collect::<Vec<_>>(),
        "questions": run.questions.iter().map(|q| json!({"ask": q.ask, "explain": q.explain})).collect::<Vec<_>>(),
    })
}

fn view_json(view: &View) -> Value {
    let frame = view.last();
    json!({"title": view.title, "frames": view.frames(), "caption": frame.caption, "picture": frame.picture})
}
