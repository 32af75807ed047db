//! The marks of whole answers as bars on a scale of 0 to 100, a column for each answer, with their days.

use super::Progress;
use crate::doc::{Cell, Role};
use crate::page::view::{Row, View};
use crate::services::Services;
use crate::study::words::{percent, some};

/// From so many answers on they are drawn.
pub const FEWEST: usize = 3;
/// Answers that are drawn at most.
const MOST: usize = 22;
/// Rows of the scale, a bar may end within one.
const STEPS: usize = 5;
/// Columns of an answer.
const COLUMN: usize = 2;
/// Columns of the scale.
const SCALE: usize = 5;
/// Columns that the plot needs.
pub const COLUMNS: u16 = (SCALE + COLUMN * MOST) as u16;

/// The plot, or a sentence where there are too few answers for one.
pub fn whole(of: &Progress, services: &Services) -> View {
    let answers = of.attempts.iter().filter(|answer| answer.part.is_none()).take(MOST);
    let mut answers: Vec<_> = answers.map(|answer| (services.today(answer.at), answer.total())).collect();
    answers.reverse();
    let marks: Vec<String> = answers.iter().map(|(_, total)| percent(*total)).collect();
    let head = |of: String, said: String| {
        let words =
            Cell::text("Whole answers").role(Role::Strong) + Cell::text(format!("  {of}")).role(Role::Dim);
        Row::plain().cell(words.said(said)).heading()
    };
    if answers.len() < FEWEST {
        let text = match marks.as_slice() {
            [] => "none yet".to_owned(),
            marks => format!("{}: {}", some(marks.len(), "answer"), marks.join(", then ")),
        };
        let text = format!("{text}; from {FEWEST} on they are drawn");
        return View::new().list([head(text.clone(), format!("Whole answers, {text}"))]);
    }
    let of = format!("the last {}, 0 to 100", answers.len());
    let said = format!("The marks of the last {}: {}", some(answers.len(), "whole answer"), marks.join(", "));
    let rows = (0..STEPS).rev().map(|step| {
        let scale = format!("{:>width$}  ", (step + 1) * 100 / STEPS, width = SCALE - 2);
        let columns = answers.iter().map(|(_, total)| {
            // how much of this row it fills; the lowest row shows that there is an answer
            let share = (total * STEPS as f64 - step as f64).clamp(0.0, 1.0);
            let bar = if share > 0.0 || step == 0 { Cell::trend(&[share]) } else { Cell::text(" ") };
            bar + Cell::text(" ")
        });
        Row::plain().cell(Cell::text(scale).role(Role::Dim) + Cell::join(columns)).said("")
    });
    let mut days = " ".repeat(SCALE);
    for (at, (day, _)) in
        answers.iter().enumerate().filter(|(at, (day, _))| *at == 0 || answers[at - 1].0 != *day)
    {
        let column = SCALE + COLUMN * at;
        // a day that has no room beside the one before it is not named
        if days.len() <= column {
            days.push_str(&" ".repeat(column - days.len()));
            days.push_str(&day.strftime("%a %-d %b ").to_string());
        }
    }
    let days = Row::plain().cell(Cell::text(days.trim_end()).role(Role::Dim)).said("");
    View::new().list(std::iter::once(head(of, said)).chain(rows).chain([days]))
}
