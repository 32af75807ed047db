//! Earlier attempts beside this one, part by part.

use ratatui::text::{Line, Span};

use super::level;
use crate::score::Verdict as Mark;
use crate::screen::Context;
use crate::study::attempt::Attempt;
use crate::study::words;
use crate::widget::{bar, escape};

/// A table of this attempt and those before it: a row a part, a column an attempt, and what was
/// gained or lost since the one before.
pub fn rows(now: &Attempt, earlier: &[Attempt], width: u16, context: &Context) -> Vec<Line<'static>> {
    const NAME: usize = 15;
    const COLUMN: usize = 12;
    let theme = context.theme;
    let mut out = vec![Line::styled("Earlier attempts", theme.heading)];
    if earlier.is_empty() {
        out.push(Line::styled(
            "This is the first. Answer again with r, and both stand here side by side.",
            theme.dim,
        ));
        return out;
    }
    let room = usize::from(width).saturating_sub(NAME) / COLUMN;
    let shown: Vec<&Attempt> = std::iter::once(now).chain(earlier).take(room.max(1)).collect();
    let mut head = vec![Span::raw(" ".repeat(NAME))];
    let mut totals = vec![Span::styled(format!("{:<NAME$}", "total"), theme.strong)];
    for (i, a) in shown.iter().enumerate() {
        let day = a.at.to_zoned(context.zone.clone()).strftime("%b %d").to_string();
        let label = if i == 0 { "this one".into() } else { day };
        head.push(Span::styled(format!("{label:<COLUMN$}"), theme.dim));
        totals.push(Span::styled(
            format!("{:<COLUMN$}", words::percent(a.total())),
            theme.strong,
        ));
    }
    out.extend([Line::default(), Line::from(head), Line::from(totals)]);
    for (i, part) in now.score.parts.iter().enumerate() {
        let name = format!("{:<NAME$}", escape::line(&part.part));
        let mut spans = vec![Span::styled(name, theme.part(i).name)];
        for a in &shown {
            let mark = a
                .score
                .parts
                .iter()
                .find(|p| p.part == part.part)
                .map(|p| p.verdict);
            let word = mark.map(|m| bar::verdict_word(m, theme));
            let used = word.as_ref().map_or(0, |w| w.content.chars().count() + 2);
            spans.extend(mark.map(|m| bar::verdict(m, theme)));
            spans.push(Span::raw(" "));
            spans.extend(word);
            spans.push(Span::raw(" ".repeat(COLUMN.saturating_sub(used))));
        }
        out.push(Line::from(spans));
    }
    out.push(Line::default());
    out.push(Line::styled(change(now, &earlier[0]), theme.text));
    out
}

/// What was gained and what was lost since another attempt.
fn change(now: &Attempt, before: &Attempt) -> String {
    let mark = |a: &Attempt, part: &str| -> Option<Mark> {
        a.score.parts.iter().find(|p| p.part == part).map(|p| p.verdict)
    };
    let parts = || now.score.parts.iter().map(|p| p.part.as_str());
    let moved = |up: bool| -> Vec<&str> {
        parts()
            .filter(|p| match (mark(now, p), mark(before, p)) {
                (Some(n), Some(b)) if up => level(n) > level(b),
                (Some(n), Some(b)) => level(n) < level(b),
                _ => false,
            })
            .collect()
    };
    let list = |names: Vec<&str>| {
        if names.is_empty() {
            "nothing".into()
        } else {
            names.join(", ")
        }
    };
    format!(
        "Since the last one: gained {}, lost {}.",
        list(moved(true)),
        list(moved(false))
    )
}
