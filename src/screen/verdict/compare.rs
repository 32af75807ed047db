//! Earlier attempts beside this one, part by part.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::marks::title;
use crate::screen::Context;
use crate::study::attempt::Attempt;
use crate::study::compare::compare;
use crate::study::words;
use crate::widget::wrap::{Hanging, Styled};
use crate::widget::{bar, escape};

/// A table of this attempt and those before it: a row a part, a column an attempt, and what was
/// gained or lost since the one before.
pub fn rows(now: &Attempt, earlier: &[Attempt], width: u16, context: &Context) -> Vec<Line<'static>> {
    const NAME: usize = 15;
    const COLUMN: usize = 12;
    let theme = context.theme;
    let mut out = vec![Line::styled("Earlier attempts", theme.heading)];
    if earlier.is_empty() {
        let text = "This is the first. Answer again with r, and both stand here side by side.";
        out.extend(paragraph(text, theme.dim, width));
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
        totals.push(Span::styled(format!("{:<COLUMN$}", words::percent(a.total())), theme.strong));
    }
    out.extend([Line::default(), Line::from(head), Line::from(totals)]);
    for (i, part) in now.score.parts.iter().enumerate() {
        let name = format!("{:<NAME$}", escape::line(&part.part));
        let mut spans = vec![Span::styled(name, theme.part(i).name)];
        for a in &shown {
            let mark = a.marks().find(|p| p.part == part.part).map(|p| p.verdict);
            let word = mark.map(|m| bar::verdict_word(m, theme));
            let used = word.as_ref().map_or(2, |w| w.content.chars().count() + 2);
            let glyph = mark.map(|m| bar::verdict(m, theme));
            spans.push(glyph.unwrap_or(Span::styled(theme.glyphs.untouched, theme.dim)));
            spans.push(Span::raw(" "));
            spans.extend(word);
            spans.push(Span::raw(" ".repeat(COLUMN.saturating_sub(used))));
        }
        out.push(Line::from(spans));
    }
    // of the same parts, else the totals say nothing
    if let Some(before) = earlier.iter().find(|a| a.part == now.part) {
        out.push(Line::default());
        let day = before.at.to_zoned(context.zone.clone()).strftime("%b %d, %H:%M").to_string();
        out.push(Line::styled(format!("Since {day}"), theme.strong));
        let titled = |part: &str| title(part, now, context);
        for sentence in compare(before, now).sentences(titled) {
            out.extend(paragraph(&sentence, theme.text, width));
        }
    }
    out
}

fn paragraph(text: &str, style: Style, width: u16) -> Vec<Line<'static>> {
    Styled::from_text(&escape::line(text), style).wrap(&Hanging::none(), width.into())
}
