//! How a check looks, before and after its answer.

use ratatui::text::{Line, Span};

use super::Checks;
use crate::screen::Context;
use crate::study::check::{Asked, Form, Marked, Shown};
use crate::study::measure;
use crate::widget::markdown::{self, Document};
use crate::widget::wrap::{self, Hanging, Styled};
use crate::widget::{bar, escape};

/// A check laid out.
#[derive(Default)]
pub struct Laid {
    /// The rows.
    pub rows: Vec<Line<'static>>,
    /// The first row of each option, with its place.
    pub spots: Vec<(usize, usize)>,
    /// Column and row of the caret.
    pub caret: Option<(u16, u16)>,
}

/// The rows of the check at hand.
pub fn rows(screen: &Checks, width: u16, context: &Context) -> Laid {
    let theme = context.theme;
    let width = width.min(88);
    let mut laid = Laid::default();
    let mut head = bar::progress(screen.at.min(screen.checks.len()), screen.checks.len(), 12, theme);
    head.push_span(Span::styled(format!("   {} of {} right", screen.right, screen.answered), theme.dim));
    if !screen.alone {
        laid.rows.extend([head, Line::default()]);
    }
    if screen.at >= screen.checks.len() {
        let text = format!(
            "Done: {} of {} right. What was wrong comes back in the review. Enter goes back.",
            screen.right, screen.answered
        );
        laid.rows.extend(plain(&text, theme.text, width));
        return laid;
    }
    if let Some(unread) = &screen.unread
        && screen.asked.is_none()
    {
        laid.rows.extend(plain(unread, theme.warning, width));
        return laid;
    }
    let Some(asked) = &screen.asked else { return laid };
    laid.rows.extend(markdown(&asked.question, width, context));
    laid.rows.push(Line::default());
    match &screen.marked {
        Some(marked) => after(screen, asked, marked, (width, &mut laid), context),
        None => before(screen, asked, (width, &mut laid), context),
    }
    laid
}

fn before(screen: &Checks, asked: &Asked, (width, laid): (u16, &mut Laid), context: &Context) {
    let theme = context.theme;
    match &asked.form {
        Form::Choice(shown) => options(screen, shown, (width, laid), context),
        Form::Claim => {
            let both = ["True", "False"].map(|t| Shown { index: 0, text: t.into() });
            options(screen, &both, (width, laid), context);
        }
        Form::Order(shown) => {
            options(screen, shown, (width, laid), context);
            let left = shown.len() - screen.picked.len();
            let text = match left {
                0 => "Enter answers. Space on a step takes it back, and those after it.".to_owned(),
                _ => {
                    format!("Space picks the step that comes next, or takes a picked one back; {left} to go.")
                }
            };
            laid.rows.push(Line::default());
            laid.rows.extend(plain(&text, theme.dim, width));
        }
        Form::Number { unit, .. } => {
            let lead = format!("{} ", theme.glyphs.pointer);
            let column = wrap::width(&lead) + wrap::width(&screen.typed);
            laid.caret =
                Some((u16::try_from(column).unwrap_or(0), u16::try_from(laid.rows.len()).unwrap_or(0)));
            let asked = measure::asked(unit);
            laid.rows.push(Line::from(vec![
                Span::styled(lead, theme.accent),
                Span::styled(escape::line(&screen.typed).into_owned(), theme.text),
                Span::styled(format!("   {asked}"), theme.dim),
            ]));
        }
        Form::Worksheet => {}
    }
    if let Some(unread) = &screen.unread {
        laid.rows.push(Line::default());
        laid.rows.extend(plain(unread, theme.warning, width));
    }
    for (i, hint) in asked.hints.iter().take(screen.hints).enumerate() {
        laid.rows.push(Line::default());
        laid.rows.extend(markdown(&format!("*Hint {}:* {hint}", i + 1), width, context));
    }
}

fn options(screen: &Checks, shown: &[Shown], (width, laid): (u16, &mut Laid), context: &Context) {
    let theme = context.theme;
    for (i, option) in shown.iter().enumerate() {
        laid.spots.push((laid.rows.len(), i));
        let here = i == screen.cursor;
        let pointer = if here { theme.glyphs.pointer } else { " " };
        let number = match screen.picked.iter().position(|p| *p == i) {
            Some(place) => format!("[{}]", place + 1),
            None if matches!(screen.asked.as_ref().map(|a| &a.form), Some(Form::Order(_))) => "[ ]".into(),
            None => format!("{})", i + 1),
        };
        let lead = format!("{pointer} {number} ");
        let indent = wrap::width(&lead);
        let body = markdown(&option.text, width.saturating_sub(u16::try_from(indent).unwrap_or(0)), context);
        for (row, line) in body.into_iter().enumerate() {
            let style = if here { theme.accent } else { theme.dim };
            let first = if row == 0 { lead.clone() } else { " ".repeat(indent) };
            let mut spans = vec![Span::styled(first, style)];
            spans.extend(line.spans);
            laid.rows.push(Line::from(spans));
        }
    }
}

fn after(
    screen: &Checks,
    asked: &Asked,
    marked: &Marked,
    (width, laid): (u16, &mut Laid),
    context: &Context,
) {
    let theme = context.theme;
    let (glyph, word, style) = if marked.right {
        (theme.glyphs.good, "Right", theme.good)
    } else {
        (theme.glyphs.missing, "Not right", theme.missing)
    };
    let given = match asked.form {
        Form::Number { .. } => format!(": {} (right is {})", marked.given, marked.correct),
        Form::Claim => format!(": it is {}", marked.correct),
        _ => String::new(),
    };
    laid.rows.extend(plain(&format!("{glyph} {word}{given}"), style, width));
    if let (Some(slip), true) =
        (&marked.slip, marked.lines.is_empty() || matches!(asked.form, Form::Order(_)))
    {
        laid.rows.extend(markdown(slip, width, context));
    }
    laid.rows.push(Line::default());
    for line in &marked.lines {
        let glyph = if line.right { theme.glyphs.good } else { theme.glyphs.missing };
        let style = if line.right { theme.good } else { theme.dim };
        let yours = if line.chosen && !matches!(asked.form, Form::Order(_)) { " (yours)" } else { "" };
        let why = line.why.as_deref().map(|w| format!(" {w}")).unwrap_or_default();
        let body = markdown(
            &format!("{}{yours}.{why}", line.text.trim().trim_end_matches('.')),
            width.saturating_sub(2),
            context,
        );
        for (row, text) in body.into_iter().enumerate() {
            let lead = if row == 0 { format!("{glyph} ") } else { "  ".into() };
            let mut spans = vec![Span::styled(lead, style)];
            spans.extend(text.spans);
            laid.rows.push(Line::from(spans));
        }
    }
    if !marked.lines.is_empty() {
        laid.rows.push(Line::default());
    }
    laid.rows.extend(markdown(&marked.explain, width, context));
    if screen.alone {
        return;
    }
    laid.rows.push(Line::default());
    let next = if screen.at + 1 < screen.checks.len() {
        "Enter: the next check."
    } else {
        "Enter: that was the last."
    };
    laid.rows.push(Line::styled(next, theme.dim));
}

fn markdown(text: &str, width: u16, context: &Context) -> Vec<Line<'static>> {
    markdown::render(&Document::parse(text), width, context.theme, context.highlighter).lines
}

fn plain(text: &str, style: ratatui::style::Style, width: u16) -> Vec<Line<'static>> {
    Styled::from_text(&escape::line(text), style).wrap(&Hanging::none(), width.into())
}
