//! What stands around every screen: the title line and the footer.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget};

use crate::doc::plain::without_boxes;
use crate::widget::theme::Theme;
use crate::widget::wrap::{self, Hanging};

/// The smallest terminal that the screens are made for.
pub const SMALLEST: (u16, u16) = (60, 16);

/// Whether the screens fit into an area.
pub fn fits(area: Rect) -> bool {
    area.width >= SMALLEST.0 && area.height >= SMALLEST.1
}

/// A key as it is written in the table, and what it does.
type Hint = (&'static str, &'static str);

/// From so many rows on the title line and the footer stand off by an empty line.
const AIRY: u16 = 30;

/// The area between title line and footer.
pub fn body(area: Rect) -> Rect {
    let gap = u16::from(area.height >= AIRY);
    let top = area.height.min(1 + gap);
    Rect { y: area.y + top, height: area.height.saturating_sub(top + 1 + gap), ..area }
}

/// Says that the terminal is too small, in as many rows as there are.
pub fn too_small(area: Rect, buffer: &mut Buffer, theme: &Theme) {
    let (width, height) = SMALLEST;
    let text = format!(
        "InfraLens needs {width} columns and {height} rows. This window has {} and {}. Please make it larger.",
        area.width, area.height
    );
    let rows = wrap::Styled::from_text(&text, theme.text).wrap(&Hanging::none(), area.width.into());
    for (row, y) in rows.into_iter().zip(area.top()..area.bottom()) {
        row.render(Rect { y, height: 1, ..area }, buffer);
    }
}

/// Draws the title line: the path to where one is, and facts at its right end.
pub fn title(area: Rect, buffer: &mut Buffer, path: &[String], facts: &Line, theme: &Theme) {
    if area.height == 0 {
        return;
    }
    let right = u16::try_from(facts.width() + 1).unwrap_or(u16::MAX).min(area.width);
    let left = area.width - right;
    facts.render(Rect { x: area.x + left, width: right.saturating_sub(1), height: 1, ..area }, buffer);
    // where one is stands last: what is more general gives way first
    let wide = |path: &[String]| path.iter().map(|part| wrap::width(part) + 3).sum::<usize>() + 12;
    let fits =
        (0..path.len()).find(|from| wide(&path[*from..]) + 4 * usize::from(*from > 0) <= usize::from(left));
    let from = fits.unwrap_or(path.len().saturating_sub(1));
    let mut spans = vec![Span::styled(" InfraLens", theme.heading)];
    if from > 0 {
        spans.push(Span::styled(format!(" {} {}", theme.glyphs.crumb, theme.glyphs.cut), theme.faint));
    }
    for (i, part) in path.iter().enumerate().skip(from) {
        spans.push(Span::styled(format!(" {} ", theme.glyphs.crumb), theme.faint));
        let style = if i + 1 == path.len() { theme.text } else { theme.dim };
        spans.push(Span::styled(crate::doc::escape::line(part).into_owned(), style));
    }
    let line = wrap::cut_line(&Line::from(spans), left.saturating_sub(1).into(), theme.glyphs.cut);
    line.render(Rect { width: left, height: 1, ..area }, buffer);
}

/// The footer: the last row.
fn foot(area: Rect) -> Rect {
    let height = area.height.min(1);
    Rect { y: area.bottom() - height, height, ..area }
}

/// Draws the footer: the keys that work now.
pub fn footer(area: Rect, buffer: &mut Buffer, hints: &[Hint], theme: &Theme) {
    for (at, key, hint) in layout(foot(area), hints, theme) {
        let spans = [
            Span::styled(key_name(key, hint, theme), theme.accent),
            Span::styled(format!(" {hint}"), theme.dim),
        ];
        let line = Line::from(spans.to_vec());
        wrap::cut_line(&line, at.width.into(), theme.glyphs.cut).render(at, buffer);
    }
}

/// Draws what was said last into the line above the footer; the keys stay.
pub fn said(area: Rect, buffer: &mut Buffer, text: &str, theme: &Theme) {
    let foot = foot(area);
    // good news and bad alike: the words say which
    let lead = Hanging::under(Span::styled(format!(" {} ", theme.glyphs.crumb), theme.dim));
    let text = wrap::Styled::from_text(&crate::doc::escape::line(text), theme.strong);
    let rows = text.wrap(&lead, usize::from(area.width).saturating_sub(1));
    let count = u16::try_from(rows.len()).unwrap_or(u16::MAX).min(foot.y.saturating_sub(area.y));
    let place = Rect { y: foot.y - count, height: count, ..foot };
    Clear.render(place, buffer);
    for (line, row) in rows.iter().zip(place.rows()) {
        line.render(row, buffer);
    }
    buffer.set_style(place, theme.paper);
}

/// What both arrows do, each its way.
const BOTH_WAYS: [&str; 7] = ["change", "choose", "part", "choice", "figure", "setting", "knob"];

/// A key as the footer writes it: arrows as arrows.
fn key_name(key: &'static str, hint: &str, theme: &Theme) -> &'static str {
    match key {
        "right" | "down" if theme.glyphs.is_ascii() && BOTH_WAYS.contains(&hint) => "arrows",
        _ if theme.glyphs.is_ascii() => key,
        "right" if BOTH_WAYS.contains(&hint) => "←→",
        "down" if BOTH_WAYS.contains(&hint) => "↑↓",
        "left" => theme.glyphs.left,
        "right" => theme.glyphs.right,
        "up" => theme.glyphs.up,
        "down" => theme.glyphs.down,
        _ => key,
    }
}

/// Signs of the program's own texts that are not ASCII, and what stands for each where nothing else is drawn.
const PLAIN: [(&str, &str); 15] = [
    ("“", "\""),
    ("”", "\""),
    ("‘", "'"),
    ("’", "'"),
    ("–", "-"),
    ("—", "-"),
    ("×", "x"),
    ("…", "."),
    ("≈", "~"),
    ("→", ">"),
    ("←", "<"),
    ("►", ">"),
    ("◄", "<"),
    ("▼", "v"),
    ("▲", "^"),
];

/// Draws the program's own texts in ASCII too, and the boxes of figures, where its glyphs are.
pub fn keep_plain(buffer: &mut Buffer, theme: &Theme) {
    if !theme.glyphs.is_ascii() {
        return;
    }
    for cell in &mut buffer.content {
        if cell.symbol().is_ascii() {
            continue;
        }
        match PLAIN.iter().find(|(sign, _)| *sign == cell.symbol()) {
            Some((_, plain)) => cell.set_symbol(plain),
            // the figures of a course draw boxes
            None => cell.set_symbol(&without_boxes(cell.symbol())),
        };
    }
}

/// The key of the hint under a cell, if there is one.
pub fn hint_at(area: Rect, at: Position, hints: &[Hint], theme: &Theme) -> Option<&'static str> {
    layout(foot(area), hints, theme).into_iter().find(|(cells, ..)| cells.contains(at)).map(|(_, key, _)| key)
}

type Placed = (Rect, &'static str, &'static str);

/// What a page itself names in the footer, at most; all keys are in its help.
const MOST: usize = 7;

/// Keys of a screen of knobs and pictures, and how many it names where it is so wide.
const KNOBS: [Hint; 1] = [("right", "change")];
const ALL: usize = 16;
const WIDE: u16 = 110;

/// Blanks between hints.
const GAP: u16 = 3;

/// The hints that fit, with their cells: those of the page from the left, the way out at the right edge. The
/// last ones of the page are dropped first, the way out is always in sight.
fn layout(foot: Rect, hints: &[Hint], theme: &Theme) -> Vec<Placed> {
    // jump, keys, and one way back
    let rank = |(key, _): &Hint| ["/", "?", "f1", "esc", "q", "ctrl+q"].iter().position(|known| known == key);
    let (mut out, own): (Vec<Hint>, Vec<Hint>) = hints.iter().partition(|hint| rank(hint).is_some());
    out.sort_by_key(rank);
    if out.iter().any(|(key, _)| *key == "esc") {
        out.retain(|(key, _)| !matches!(*key, "q" | "ctrl+q"));
    }
    let width = |(key, hint): &Hint| {
        u16::try_from(wrap::width(key_name(key, hint, theme)) + wrap::width(hint) + 1).unwrap_or(u16::MAX)
    };
    let total = |hints: &[Hint], gap: u16| {
        hints
            .iter()
            .fold(0_u16, |sum, hint| sum.saturating_add(width(hint)).saturating_add(gap))
            .saturating_sub(gap)
    };
    let room = foot.width.saturating_sub(2);
    let most = if foot.width >= WIDE && own.iter().any(|hint| KNOBS.contains(hint)) { ALL } else { MOST };
    let mut own = &own[..own.len().min(most)];
    // close together before one is left out
    let fits = |own: &[Hint], gap: u16| {
        total(own, gap) + total(&out, 2) + if own.is_empty() { 0 } else { gap } <= room
    };
    while own.len() > 1 && !fits(own, 2) {
        own = &own[..own.len() - 1];
    }
    let gap = if fits(own, GAP) { GAP } else { 2 };
    let mut placed = Vec::new();
    let mut put = |hints: &[Hint], mut x: u16, gap: u16| {
        for hint in hints {
            let cells = Rect { x, width: width(hint), ..foot }.intersection(foot);
            placed.push((cells, hint.0, hint.1));
            x = x.saturating_add(width(hint)).saturating_add(gap);
        }
    };
    put(own, foot.x + 1, gap);
    put(&out, foot.right().saturating_sub(1 + total(&out, 2)).max(foot.x + 1), 2);
    placed
}
