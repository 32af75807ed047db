//! A line note to recall: the code with the line that it belongs to, then the note.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::doc::escape;
use crate::pack::{Lab, Note};
use crate::screen::Context;
use crate::widget::code::{LongLines, Source};
use crate::widget::markdown::{self, Document};
use crate::widget::wrap::{Hanging, Styled};

/// Lines of code shown before and after the ones that the note belongs to.
const AROUND: usize = 4;

/// Columns for the line number and the mark beside it.
const GUTTER: usize = 7;

/// The rows of a note: its code, and the note itself once it is revealed.
pub fn rows((lab, note): (&Lab, &Note), revealed: bool, width: u16, context: &Context) -> Vec<Line<'static>> {
    let theme = context.theme;
    let head = format!("{} · {}", lab.title, lab.starter.path);
    let mut rows = plain(&escape::line(&head), theme.heading, width);
    rows.push(Line::default());
    rows.extend(code(lab, note, width, context));
    rows.push(Line::default());
    if revealed {
        let text = Document::parse(&note.text);
        rows.extend(markdown::render(&text, width, theme, context.highlighter).lines);
    } else {
        let say = "Why is this here? Say it aloud, then space reveals the note.";
        rows.extend(plain(say, theme.accent, width));
    }
    rows
}

fn code(lab: &Lab, note: &Note, width: u16, context: &Context) -> Vec<Line<'static>> {
    let theme = context.theme;
    let source = Source::new(&lab.starter.language, &lab.starter.text);
    let tokens = source.tokens(context.highlighter);
    let room = usize::from(width).saturating_sub(GUTTER);
    let shown = note.lines.start.saturating_sub(AROUND)..note.lines.end + AROUND;
    let rows = source.rows(room, LongLines::Wrap);
    let rows = rows.iter().filter(|row| shown.contains(&row.line));
    rows.map(|row| {
        let here = note.lines.contains(&row.line);
        let number = match row.first {
            true => format!("{:>4}", row.line + 1),
            false => "    ".into(),
        };
        let bar = if here { theme.glyphs.block_active.1 } else { " " };
        let mut spans = vec![
            Span::styled(number, if here { theme.accent } else { theme.dim }),
            Span::styled(format!(" {bar} "), theme.accent),
        ];
        let mut text = source.spans(row, room, theme, tokens.as_deref());
        if !here {
            // the lines around stand back
            text.iter_mut().for_each(|s| s.style = theme.dim);
        }
        spans.extend(text);
        Line::from(spans)
    })
    .collect()
}

fn plain(text: &str, style: Style, width: u16) -> Vec<Line<'static>> {
    Styled::from_text(text, style).wrap(&Hanging::none(), width.into())
}
