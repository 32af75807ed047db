//! What stands around every screen: the title line and the footer.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::widget::theme::Theme;
use crate::widget::wrap;

/// The smallest terminal that the screens are made for.
pub const SMALLEST: (u16, u16) = (60, 16);

/// Whether the screens fit into an area.
pub fn fits(area: Rect) -> bool {
    area.width >= SMALLEST.0 && area.height >= SMALLEST.1
}

/// The area between title line and footer.
pub fn body(area: Rect) -> Rect {
    Rect {
        y: area.y + area.height.min(1),
        height: area.height.saturating_sub(2),
        ..area
    }
}

/// Says that the terminal is too small, in as many rows as there are.
pub fn too_small(area: Rect, buffer: &mut Buffer, theme: &Theme) {
    let (width, height) = SMALLEST;
    let text = format!(
        "InfraLens needs {width} columns and {height} rows. This window has {} and {}. Please make it larger.",
        area.width, area.height
    );
    let rows = wrap::Styled::from_text(&text, theme.text).wrap(&wrap::Hanging::none(), area.width.into());
    for (row, y) in rows.into_iter().zip(area.top()..area.bottom()) {
        row.render(Rect { y, height: 1, ..area }, buffer);
    }
}

/// Draws the title line: the path to where one is.
pub fn title(area: Rect, buffer: &mut Buffer, path: &[String], theme: &Theme) {
    if area.height == 0 {
        return;
    }
    let mut spans = vec![Span::styled(" InfraLens", theme.heading)];
    for (i, part) in path.iter().enumerate() {
        spans.push(Span::styled(format!(" {} ", theme.glyphs.right), theme.dim));
        let style = if i + 1 == path.len() {
            theme.text
        } else {
            theme.dim
        };
        spans.push(Span::styled(
            crate::widget::escape::line(part).into_owned(),
            style,
        ));
    }
    let line = wrap::cut_line(&Line::from(spans), area.width.into(), theme.glyphs.continued);
    line.render(Rect { height: 1, ..area }, buffer);
}

/// Draws the footer: what was said last, or the keys that work now.
pub fn footer(
    area: Rect,
    buffer: &mut Buffer,
    (said, hints): (Option<&str>, &[(&'static str, &'static str)]),
    theme: &Theme,
) {
    if area.height < 2 {
        return;
    }
    let row = Rect {
        y: area.bottom() - 1,
        height: 1,
        ..area
    };
    let line = match said {
        Some(text) => Line::from(vec![
            Span::styled(format!(" {} ", theme.glyphs.warning), theme.warning),
            Span::styled(crate::widget::escape::line(text).into_owned(), theme.text),
        ]),
        None => {
            let mut line = Line::default();
            for (_, key, hint) in layout(area, hints) {
                line.push_span(Span::raw(if line.spans.is_empty() { " " } else { "  " }));
                line.push_span(Span::styled(key, theme.accent));
                line.push_span(Span::styled(format!(" {hint}"), theme.dim));
            }
            line
        }
    };
    wrap::cut_line(&line, area.width.into(), theme.glyphs.continued).render(row, buffer);
}

/// The key of the hint under a cell, if there is one.
pub fn hint_at(area: Rect, at: Position, hints: &[(&'static str, &'static str)]) -> Option<&'static str> {
    if area.height < 2 || at.y != area.bottom() - 1 {
        return None;
    }
    layout(area, hints)
        .into_iter()
        .find(|(cells, ..)| cells.contains(&at.x))
        .map(|(_, key, _)| key)
}

type Placed = (std::ops::Range<u16>, &'static str, &'static str);

/// The hints that fit, with their cells. The last ones are dropped last: jump, keys, back, quit, the
/// way out is always in sight. From Home there is no way back.
fn layout(area: Rect, hints: &[(&'static str, &'static str)]) -> Vec<Placed> {
    let mut shown: Vec<_> = hints.to_vec();
    let size = |hints: &[(&str, &str)]| -> usize {
        hints
            .iter()
            .map(|(k, h)| wrap::width(k) + wrap::width(h) + 3)
            .sum()
    };
    let ends_in_jump = hints.iter().rev().nth(2).is_some_and(|(_, hint)| *hint == "jump");
    let kept = if ends_in_jump { 3 } else { 4 };
    while size(&shown) > usize::from(area.width) + 1 && shown.len() > 1 {
        let at = if shown.len() > kept + 1 {
            shown.len() - kept - 1
        } else {
            shown.len() - 2
        };
        shown.remove(at);
    }
    let mut x = area.x + 1;
    let mut out = Vec::new();
    for (key, hint) in shown {
        let width = u16::try_from(wrap::width(key) + wrap::width(hint) + 1).unwrap_or(u16::MAX);
        out.push((x..x.saturating_add(width), key, hint));
        x = x.saturating_add(width).saturating_add(2);
    }
    out
}
