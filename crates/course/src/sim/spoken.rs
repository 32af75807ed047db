//! Pictures in sentences, for somebody who hears them: what a glance would tell, not each cell.

use super::picture::{Bar, Bars, Grid, Lanes, Matrix, Picture, Series, Table, Tone};
use super::plain::pieces;
use super::quantity::{self, Unit};

/// Rows of a picture that are told one by one; the rest is counted.
const ROWS: usize = 8;
/// Cells of a row that are told one by one; more are told by their least and greatest, or by what they mean.
const CELLS: usize = 8;
/// Points of a curve that are told.
const POINTS: usize = 5;

/// The sentences of a picture, one a row of it.
pub fn sentences(picture: &Picture) -> Vec<String> {
    match picture {
        Picture::Lanes(lanes) => self::lanes(lanes),
        Picture::Grid(grid) => self::grid(grid),
        Picture::Bars(bars) => self::bars(bars),
        Picture::Series(series) => self::series(series),
        Picture::Matrix(matrix) => self::matrix(matrix),
        Picture::Table(table) => self::table(table),
    }
}

fn unit(name: &'static str) -> Unit {
    quantity::unit(name).unwrap_or(if name.is_empty() { quantity::PLAIN } else { Unit::count(name) })
}

/// The first rows, and how many more there are.
fn first_rows(rows: impl ExactSizeIterator<Item = String>, what: &str) -> Vec<String> {
    let count = rows.len();
    // one more row is not worth a sentence of its own
    let told = if count <= ROWS + 1 { count } else { ROWS };
    let mut all: Vec<String> = rows.take(told).collect();
    if count > told {
        all.push(format!("And {} more {what}.", count - told));
    }
    all
}

/// `stage 0: forward 24%, backward 48%, idle 27%; busy from 0 to 33 tF.`
fn lanes(lanes: &Lanes) -> Vec<String> {
    // the unit of a timeline is seconds, or a word of its own
    let time = |t: f64| match quantity::unit(lanes.unit) {
        Some(unit) => quantity::show(t * unit.factor, unit),
        None => format!("{} {}", quantity::digits(t), lanes.unit),
    };
    let name = |tone: Tone| lanes.legend.iter().find(|(t, _)| *t == tone).map_or("busy", |(_, name)| *name);
    let share = |length: f64| format!("{:.0}%", 100.0 * length / lanes.end.max(f64::MIN_POSITIVE));
    let rows = lanes.lanes.iter().map(|lane| {
        let mut parts: Vec<(String, f64)> = Vec::new();
        for span in lane.spans.iter().filter(|s| s.tone != Tone::Idle) {
            let name = lanes.name_of(span).unwrap_or_else(|| name(span.tone)).to_owned();
            match parts.iter_mut().find(|(n, _)| *n == name) {
                Some((_, length)) => *length += span.end - span.start,
                None => parts.push((name, span.end - span.start)),
            }
        }
        let busy: f64 = parts.iter().map(|(_, length)| length).sum();
        let mut told: Vec<String> =
            parts.iter().map(|(name, length)| format!("{name} {}", share(*length))).collect();
        let idle = lanes.end - busy;
        if idle > 0.005 * lanes.end {
            told.push(format!("idle {}", share(idle)));
        }
        let ends = match (lane.spans.first(), lane.spans.last()) {
            (Some(first), Some(last)) => format!("; from {} to {}", time(first.start), time(last.end)),
            _ => String::new(),
        };
        format!("{}: {}{ends}.", lane.label, told.join(", "))
    });
    let mut all = vec![format!("A timeline of {}.", time(lanes.end))];
    all.extend(first_rows(rows, "rows"));
    all.extend(lanes.marks.iter().map(|(at, name)| format!("{name}: at {}.", time(*at))));
    all
}

/// Cell by cell where a row is short, else how many cells mean what.
fn grid(grid: &Grid) -> Vec<String> {
    let meaning = |tone: Tone| grid.legend.iter().find(|(t, _)| *t == tone).map(|(_, name)| *name);
    let row = |(head, cells): &(String, Vec<super::picture::Cell>)| {
        if cells.len() <= CELLS {
            let cells = cells.iter().zip(&grid.columns).filter(|(cell, _)| !cell.text.trim().is_empty());
            let told: Vec<String> = cells
                .map(|(cell, column)| {
                    let means = meaning(cell.tone).map_or_else(String::new, |m| format!(", {m}"));
                    format!("{} {}{means}", column.trim(), cell.text.trim()).trim().to_owned()
                })
                .collect();
            let told = if told.is_empty() { "nothing".to_owned() } else { told.join("; ") };
            return format!("{head}: {told}.");
        }
        let mut counts: Vec<(&str, usize)> = Vec::new();
        for cell in cells.iter().filter(|cell| !cell.text.trim().is_empty()) {
            let name = meaning(cell.tone).unwrap_or("filled");
            match counts.iter_mut().find(|(n, _)| *n == name) {
                Some((_, count)) => *count += 1,
                None => counts.push((name, 1)),
            }
        }
        let told: Vec<String> = counts.iter().map(|(name, count)| format!("{count} {name}")).collect();
        let told = if told.is_empty() { "nothing".to_owned() } else { told.join(", ") };
        format!("{head}: {told}, of {} cells.", cells.len())
    };
    first_rows(grid.rows.iter().map(row), "rows")
}

fn bars(bars: &Bars) -> Vec<String> {
    let unit = quantity::unit(bars.unit).unwrap_or(quantity::PLAIN);
    let row = |bar: &Bar| {
        let pieces = pieces(bars, bar, unit);
        let chosen = if bar.chosen { ", as set now" } else { "" };
        let total = bar.shown(|total| quantity::show(total, unit));
        match pieces.as_slice() {
            [] | [_] => format!("{}{chosen}: {total}.", bar.label.trim()),
            _ => format!("{}{chosen}: {total}; {}.", bar.label.trim(), pieces.join(", ")),
        }
    };
    let mut all = first_rows(bars.bars.iter().map(row), "bars");
    all.extend(bars.limit.iter().map(|(limit, name)| format!("{name}: {}.", quantity::show(*limit, unit))));
    all
}

fn series(series: &Series) -> Vec<String> {
    let [x, y] = [&series.x, &series.y].map(|axis| unit(axis.unit));
    let point = |(a, b): &(f64, f64)| format!("at {} {}", quantity::show(*a, x), quantity::show(*b, y));
    let mut all = vec![format!("{} over {}.", capital(series.y.label), series.x.label)];
    all.extend(series.lines.iter().map(|line| {
        let last = line.points.len().saturating_sub(1);
        let told: Vec<String> = match last {
            0 => line.points.iter().map(point).collect(),
            _ => {
                let mut places: Vec<usize> =
                    (0..POINTS).map(|nth| (nth * last + (POINTS - 1) / 2) / (POINTS - 1)).collect();
                places.dedup();
                places.into_iter().map(|at| point(&line.points[at])).collect()
            }
        };
        format!("{}: {}.", line.label, told.join("; "))
    }));
    all.extend(series.marks.iter().map(|(a, b, name)| format!("{name}: {}.", point(&(*a, *b)))));
    all
}

fn matrix(matrix: &Matrix) -> Vec<String> {
    let unit = quantity::unit(matrix.unit).unwrap_or(quantity::PLAIN);
    let cell = |at: usize, value: f64| {
        let column = matrix.columns.get(at).map_or("", |c| c.trim());
        format!("{column} {}", quantity::show(value, unit))
    };
    let row = |(head, values): &(String, Vec<f64>)| {
        let told = match values.len() {
            0..=CELLS => values.iter().enumerate().map(|(at, v)| cell(at, *v)).collect::<Vec<_>>().join("; "),
            _ => {
                let by = |a: &(usize, &f64), b: &(usize, &f64)| a.1.total_cmp(b.1);
                let least = values.iter().enumerate().min_by(by);
                let most = values.iter().enumerate().max_by(by);
                match (least, most) {
                    (Some(least), Some(most)) => {
                        format!("least {}; most {}", cell(least.0, *least.1), cell(most.0, *most.1))
                    }
                    _ => String::new(),
                }
            }
        };
        format!("{} {}: {told}.", matrix.corner.trim(), head.trim()).trim().to_owned()
    };
    first_rows(matrix.rows.iter().map(row), "rows")
}

fn table(table: &Table) -> Vec<String> {
    let row = |(_, cells): &(Tone, Vec<String>)| {
        let told = cells.iter().zip(&table.columns).filter(|(cell, _)| !cell.trim().is_empty()).map(
            |(cell, title)| match title.trim() {
                "" => cell.trim().to_owned(),
                title => format!("{title} {}", cell.trim()),
            },
        );
        format!("{}.", told.collect::<Vec<_>>().join(", "))
    };
    first_rows(table.rows.iter().map(row), "rows")
}

fn capital(words: &str) -> String {
    let mut chars = words.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
