//! The four grades, each with when the thing would come next.

use ratatui::text::{Line, Span};

use super::{Review, Stage};
use crate::screen::Context;
use crate::study::schedule::{Grade, Schedule};
use crate::study::words::ahead;

/// A grade as the word for its key.
fn key_word(grade: Grade) -> &'static str {
    match grade {
        Grade::Again => "again",
        Grade::Hard => "hard",
        Grade::Good => "good",
        Grade::Easy => "easy",
    }
}

/// Two rows: the grades with their times, and what to press.
pub fn rows(screen: &Review, context: &Context) -> Vec<Line<'static>> {
    let theme = context.theme;
    let Some((index, _, item)) = screen.on(context) else {
        return Vec::new();
    };
    let schedule = Schedule::new(context.zone.clone());
    let marks = screen.log.as_ref().and_then(|log| log.last()).map(|(_, g)| *g);
    let times = match &screen.log {
        Some(log) => schedule.outlook_again(&item, log),
        None => Some(schedule.outlook(&item, screen.run.card(index, &item), context.now)),
    };
    let mut spans = Vec::new();
    for (i, (grade, at)) in Grade::ALL.iter().zip(times.into_iter().flatten()).enumerate() {
        let lead = match marks == Some(*grade) {
            true => theme.glyphs.pointer,
            false => " ",
        };
        let when = ahead(context.now, at, context.zone);
        let style = if marks == Some(*grade) { theme.strong } else { theme.text };
        spans.push(Span::styled(format!("{lead}{} ", i + 1), theme.accent));
        spans.push(Span::styled(key_word(*grade), style));
        let when = when.strip_prefix("in ").unwrap_or(&when);
        spans.push(Span::styled(format!(" {when}  "), theme.dim));
    }
    let say = match (marks, &screen.stage) {
        (Some(grade), _) => {
            format!("By its marks: {}. Enter keeps that; a digit says it better.", grade.words())
        }
        (None, Stage::Note(_)) => "How well did you know it? It comes next as said above.".into(),
        (None, _) => String::new(),
    };
    vec![Line::from(spans), Line::styled(format!(" {say}"), theme.dim)]
}
