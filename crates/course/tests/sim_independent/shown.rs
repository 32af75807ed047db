//! What pictures show, read back as numbers, and held against what was counted.

use infralens_course::sim::Results;
use infralens_course::sim::picture::{Grid, Picture, Tone};

use super::{Set, agree};

/// Every number that a simulator gives, and none that was not counted here.
pub fn agree_in_all(run: &Results, set: &Set, expected: &[(&str, f64)]) {
    agree(run, set, expected);
    for output in &run.outputs {
        assert!(
            expected.iter().any(|(name, _)| *name == output.name),
            "{} was not counted: {set:?}",
            output.name
        );
    }
}

/// Within 1%, or within `least` where the number is a small difference of large ones.
pub fn near(said: f64, counted: f64, least: f64, what: &str, set: &Set) {
    super::compared(said, counted, least);
    let apart = (said - counted).abs();
    assert!(
        apart <= 0.01 * counted.abs() + least,
        "{what}: the picture says {said}, counted are {counted}, at {set:?}"
    );
}

/// The picture of this title at its last step.
pub fn picture(run: &Results, title: &str) -> Picture {
    let view = run.views.iter().find(|view| view.title == title);
    view.unwrap_or_else(|| panic!("no view {title}")).last().picture
}

/// The grids of a view, step by step; none where there is no such view.
pub fn grids(run: &Results, title: &str) -> Vec<Grid> {
    let grid = |frame: infralens_course::sim::picture::Frame| match frame.picture {
        Picture::Grid(grid) => grid,
        _ => panic!("{title} is no grid"),
    };
    let views = run.views.iter().filter(|view| view.title == title);
    views.flat_map(|view| (0..view.frames()).map(|step| grid(view.frame(step)))).collect()
}

/// The points of a curve; empty where there is none of this name.
pub fn curve(run: &Results, title: &str, label: &str) -> Vec<(f64, f64)> {
    let Picture::Series(series) = picture(run, title) else { panic!("{title} has no curves") };
    series.lines.into_iter().find(|line| line.label == label).map_or_else(Vec::new, |line| line.points)
}

/// The marks of a chart: x, y, name.
pub fn marks(run: &Results, title: &str) -> Vec<(f64, f64, String)> {
    let Picture::Series(series) = picture(run, title) else { panic!("{title} has no curves") };
    series.marks
}

/// The cells of a table, row by row.
pub fn cells(run: &Results, title: &str) -> Vec<Vec<String>> {
    let Picture::Table(table) = picture(run, title) else { panic!("{title} is no table") };
    table.rows.into_iter().map(|(_, cells)| cells).collect()
}

/// The lengths of a bar's pieces by what they mean, bar by bar.
pub fn bars(run: &Results, title: &str) -> Vec<(String, Vec<(Tone, f64)>)> {
    let Picture::Bars(bars) = picture(run, title) else { panic!("{title} has no bars") };
    bars.bars.into_iter().map(|bar| (bar.label, bar.pieces)).collect()
}

/// The time that each lane of a timeline spends on something.
pub fn busy(run: &Results, title: &str, what: &[Tone]) -> Vec<f64> {
    let Picture::Lanes(lanes) = picture(run, title) else { panic!("{title} is no timeline") };
    let spent = |lane: &infralens_course::sim::picture::Lane| -> f64 {
        lane.spans.iter().filter(|span| what.contains(&span.tone)).map(|span| span.end - span.start).sum()
    };
    lanes.lanes.iter().map(spent).collect()
}

/// A number as it is written for people, in base units.
pub fn number(text: &str) -> f64 {
    let end = text.find(|c: char| !"0123456789.,-".contains(c)).unwrap_or(text.len());
    let value: f64 = text[..end].replace(',', "").parse().unwrap_or_else(|_| panic!("no number: {text}"));
    let unit = text[end..].trim().trim_end_matches("/s");
    value
        * match unit {
            "ns" => 1e-9,
            "us" => 1e-6,
            "ms" => 1e-3,
            "h" => 3600.0,
            "days" => 86400.0,
            "%" => 0.01,
            "KB" => 1e3,
            "MB" => 1e6,
            "GB" => 1e9,
            "TB" => 1e12,
            "PB" => 1e15,
            "KiB" => 1024.0,
            "MiB" => 1024.0 * 1024.0,
            "GiB" => 1024.0 * 1024.0 * 1024.0,
            "" | "s" | "B" | "x" => 1.0,
            other => panic!("unknown unit {other} in {text}"),
        }
}
