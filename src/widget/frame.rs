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

/// A key as it is written in the table, and what it does.
type Hint = (&'static str, &'static str);

/// The area between title line and a footer of some rows.
pub fn body(area: Rect, foot: u16) -> Rect {
    Rect { y: area.y + area.height.min(1), height: area.height.saturating_sub(1 + foot), ..area }
}

/// The rows that hints need at a width, two at most.
pub fn rows(width: u16, hints: &[Hint]) -> u16 {
    let area = Rect::new(0, 0, width, 1);
    1 + u16::from(place(area, hints).len() < hints.len())
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

/// Draws the title line: the path to where one is, and facts at its right end.
pub fn title(area: Rect, buffer: &mut Buffer, path: &[String], facts: &Line, theme: &Theme) {
    if area.height == 0 {
        return;
    }
    let right = u16::try_from(facts.width()).unwrap_or(u16::MAX).min(area.width);
    let left = area.width - right;
    facts.render(Rect { x: area.x + left, width: right, height: 1, ..area }, buffer);
    let mut spans = vec![Span::styled(" InfraLens", theme.heading)];
    for (i, part) in path.iter().enumerate() {
        spans.push(Span::styled(format!(" {} ", theme.glyphs.right), theme.dim));
        let style = if i + 1 == path.len() { theme.text } else { theme.dim };
        spans.push(Span::styled(crate::doc::escape::line(part).into_owned(), style));
    }
    let line = wrap::cut_line(&Line::from(spans), left.into(), theme.glyphs.continued);
    line.render(Rect { width: left, height: 1, ..area }, buffer);
}

/// The rows of the footer at the end of an area.
fn foot(area: Rect, rows: u16) -> Rect {
    let height = rows.min(area.height.saturating_sub(1));
    Rect { y: area.bottom() - height, height, ..area }
}

/// Draws the footer, of so many rows: what was said last, or the keys that work now.
pub fn footer(
    (area, rows): (Rect, u16),
    buffer: &mut Buffer,
    (said, hints): (Option<&str>, &[Hint]),
    theme: &Theme,
) {
    let foot = foot(area, rows);
    if foot.is_empty() {
        return;
    }
    let Some(text) = said else {
        for (at, key, hint) in layout(foot, hints) {
            let line = Line::from(vec![
                Span::styled(key, theme.accent),
                Span::styled(format!(" {hint}"), theme.dim),
            ]);
            wrap::cut_line(&line, at.width.into(), theme.glyphs.continued).render(at, buffer);
        }
        return;
    };
    let line = Line::from(vec![
        Span::styled(format!(" {} ", theme.glyphs.warning), theme.warning),
        Span::styled(crate::doc::escape::line(text).into_owned(), theme.text),
    ]);
    wrap::cut_line(&line, foot.width.into(), theme.glyphs.continued).render(foot, buffer);
}

/// The key of the hint under a cell, if there is one.
pub fn hint_at((area, rows): (Rect, u16), at: Position, hints: &[Hint]) -> Option<&'static str> {
    layout(foot(area, rows), hints).into_iter().find(|(cells, ..)| cells.contains(at)).map(|(_, key, _)| key)
}

type Placed = (Rect, &'static str, &'static str);

/// The hints that fit, with their cells. The last ones are dropped last: jump, keys, back, quit, the
/// way out is always in sight. From Home there is no way back.
fn layout(foot: Rect, hints: &[Hint]) -> Vec<Placed> {
    let mut shown: Vec<_> = hints.to_vec();
    let ends_in_jump = hints.iter().rev().nth(2).is_some_and(|(_, hint)| *hint == "jump");
    let kept = if ends_in_jump { 3 } else { 4 };
    loop {
        let placed = place(foot, &shown);
        if placed.len() == shown.len() || shown.len() < 2 {
            return placed;
        }
        let at = if shown.len() > kept + 1 { shown.len() - kept - 1 } else { shown.len() - 2 };
        shown.remove(at);
    }
}

/// Hints one after another, row by row, as far as there is room. One that is alone in a row is cut.
fn place(foot: Rect, hints: &[Hint]) -> Vec<Placed> {
    let mut placed = Vec::new();
    let mut rows = foot.rows();
    let Some(mut row) = rows.next() else { return placed };
    let mut x = row.x + 1;
    for (key, hint) in hints {
        let width = u16::try_from(wrap::width(key) + wrap::width(hint) + 1).unwrap_or(u16::MAX);
        if x > row.x + 1 && x.saturating_add(width) > row.right() {
            let Some(next) = rows.next() else { break };
            (row, x) = (next, next.x + 1);
        }
        let room = row.right().saturating_sub(x);
        placed.push((Rect { x, width: width.min(room), ..row }, *key, *hint));
        x = x.saturating_add(width).saturating_add(2);
    }
    placed
}
