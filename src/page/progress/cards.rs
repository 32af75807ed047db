//! What stands below the map: how each part goes, own ratings, minutes a day.

use super::Progress;
use crate::doc::{Cell, Column, Role};
use crate::page::ratings;
use crate::page::view::{Row, View};
use crate::services::Services;
use crate::study::home::Activity;
use crate::study::words::percent;

/// Answers that a curve shows at most.
const CURVE: usize = 12;
/// From this many values on a curve is drawn.
const FEWEST: usize = 4;
/// Answers whose mean is the beginning or the end of a curve.
const ENDS: usize = 3;

/// How each part of the first course goes.
pub fn trends(of: &Progress, services: &Services) -> View {
    let Some(pack) = services.library.packs.first() else { return View::new() };
    let rows = pack.parts.iter().filter_map(|part| {
        let answers = of.attempts.iter().rev().filter(|a| a.pack == pack.id);
        let marks = answers.flat_map(|a| a.marks().filter(|m| m.part == part.id).map(|m| m.score));
        let marks: Vec<f64> = marks.collect();
        let newest = &marks[marks.len().saturating_sub(CURVE)..];
        let row = Row::plain().cell(Cell::text(&part.title));
        if newest.len() < FEWEST {
            let mean = mean(newest)?;
            return Some(row.cell(Cell::text("")).cell(Cell::percent(mean)));
        }
        let ends = (mean(&newest[..ENDS])?, mean(&newest[newest.len() - ENDS..])?);
        let words = format!("{:.0} to {:.0}", ends.0 * 100.0, ends.1 * 100.0);
        let said = format!("from {} to {}", percent(ends.0), percent(ends.1));
        Some(row.cell(Cell::trend(newest)).cell(Cell::text(words).said(said)))
    });
    let columns = vec![Column::words(""), Column::words(""), Column::words("")];
    View::new().title(&format!("Trend, the newest {CURVE} answers")).table(columns, rows)
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// How far own ratings are off, in sentences.
pub fn ratings(of: &Progress, services: &Services) -> View {
    let packs = services.library.packs.iter().zip(&of.rated);
    let texts = packs.flat_map(|(pack, rated)| ratings::sentences(rated, pack));
    let rows: Vec<Row> = texts.map(|text| Row::plain().cell(Cell::text(text)).wrapped()).collect();
    let view = View::new().title("Own rating");
    if rows.is_empty() { view.dim(ratings::NONE) } else { view.list(rows) }
}

/// Minutes of answering, day by day.
pub fn activity(days: &[Activity]) -> View {
    let minutes = |day: &Activity| day.seconds / 60;
    let most = days.iter().map(minutes).max().unwrap_or(0).max(1);
    let shares: Vec<f64> = days.iter().map(|day| minutes(day) as f64 / most as f64).collect();
    let all: u64 = days.iter().map(minutes).sum();
    let today = days.last().map_or(0, minutes);
    let active = days.iter().filter(|day| day.attempts > 0).count();
    let row = |text: String| Row::plain().cell(Cell::text(text).role(Role::Dim));
    View::new().title(&format!("Minutes of answering, {} days", days.len())).list([
        Row::plain().cell(Cell::trend(&shares)).said(format!("{active} of {} days with answers", days.len())),
        row(format!("today {today}, most {most} in a day, {all} in all")),
    ])
}
