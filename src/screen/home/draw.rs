//! How Home looks.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::Home;
use super::row::{Kind, Progress, Row};
use crate::doc::escape;
use crate::screen::Context;
use crate::screen::reading::draw_scrollbar;
use crate::study::strength::Strengths;
use crate::widget::theme::Theme;
use crate::widget::wrap;

/// From this width on there is a panel beside the list.
const WIDE: u16 = 110;

/// Columns of the numbers behind a lesson: read, labs, checks, drills, minutes.
const NUMBERS: [(&str, usize); 5] = [("read", 5), ("labs", 6), ("checks", 8), ("drills", 8), ("min", 5)];

/// The area of the list.
pub fn list_area(area: Rect) -> Rect {
    let (list, _) = split(area);
    list
}

fn split(area: Rect) -> (Rect, Option<Rect>) {
    let area = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    if area.width < WIDE {
        let [list, strengths] = Layout::vertical([Constraint::Fill(1), Constraint::Length(2)]).areas(area);
        return (list, Some(strengths));
    }
    let [list, _, panel] =
        Layout::horizontal([Constraint::Fill(3), Constraint::Length(3), Constraint::Fill(2)]).areas(area);
    (list, Some(panel))
}

/// Draws Home.
pub fn draw(home: &Home, area: Rect, buffer: &mut Buffer, context: &Context) {
    let theme = context.theme;
    let list = home.list;
    if context.library.packs.is_empty() {
        Line::styled("opening the course …", theme.dim).render(list, buffer);
        return;
    }
    for (i, y) in (home.top..home.rows.len()).zip(list.top()..list.bottom()) {
        let cells = Rect { y, height: 1, width: list.width.saturating_sub(1), ..list };
        let line = row_line(&home.rows[i], i == home.selected, cells.width.into(), theme);
        line.render(cells, buffer);
        if i == home.selected {
            buffer.set_style(cells, theme.cursor_line);
        }
    }
    draw_scrollbar(list, (home.top, home.rows.len()), buffer, context);
    match split(area).1 {
        Some(panel) if area.width >= WIDE => draw_panel(home, panel, buffer, context),
        Some(strip) => draw_strip(strip, buffer, context),
        None => {}
    }
}

fn row_line(row: &Row, selected: bool, width: usize, theme: &Theme) -> Line<'static> {
    let pointer = if selected { theme.glyphs.pointer } else { " " };
    let lead = Span::styled(format!("{pointer} "), theme.accent);
    match &row.kind {
        Kind::Space => Line::default(),
        Kind::Heading { lessons } => heading(&row.text, *lessons, width, theme),
        Kind::Do(_) => {
            let label = format!("{:<11}", row.text);
            let more = wrap::cut(&escape::line(&row.more), width.saturating_sub(13), theme.glyphs.continued);
            Line::from(vec![lead, Span::styled(label, theme.accent), Span::styled(more, theme.text)])
        }
        Kind::Lesson(..) => lesson(row, lead, width, theme),
        Kind::Inside(..) => {
            let room = width.saturating_sub(6 + wrap::width(&row.more) + 2);
            let text = wrap::cut(&escape::line(&row.text), room, theme.glyphs.continued);
            let gap = " ".repeat(room.saturating_sub(wrap::width(&text)) + 2);
            Line::from(vec![
                lead,
                Span::raw("    "),
                Span::styled(text, theme.text),
                Span::raw(gap),
                Span::styled(row.more.clone(), theme.dim),
            ])
        }
    }
}

fn numbers_width() -> usize {
    NUMBERS.iter().map(|(_, width)| width).sum()
}

fn heading(text: &str, lessons: bool, width: usize, theme: &Theme) -> Line<'static> {
    let mut spans = vec![Span::styled(escape::line(text).into_owned(), theme.heading)];
    if lessons {
        let room = width.saturating_sub(numbers_width() + wrap::width(text));
        spans.push(Span::raw(" ".repeat(room)));
        spans.extend(NUMBERS.iter().map(|(name, w)| Span::styled(format!("{name:>w$}"), theme.dim)));
    }
    Line::from(spans)
}

fn lesson(row: &Row, lead: Span<'static>, width: usize, theme: &Theme) -> Line<'static> {
    let room = width.saturating_sub(numbers_width() + 2);
    let title = wrap::cut(&escape::line(&row.text), room.saturating_sub(1), theme.glyphs.continued);
    let gap = " ".repeat(room.saturating_sub(wrap::width(&title)));
    let mut spans = vec![lead, Span::styled(title, theme.text), Span::raw(gap)];
    if let Some(p) = row.progress {
        spans.extend(numbers(p, theme));
    }
    Line::from(spans)
}

fn numbers(p: Progress, theme: &Theme) -> Vec<Span<'static>> {
    let read = if p.read { (theme.glyphs.good, theme.good) } else { (theme.glyphs.untouched, theme.dim) };
    let of = |(done, all): (usize, usize), width: usize| -> Span<'static> {
        let text = if all == 0 { String::new() } else { format!("{done}/{all}") };
        let style: Style = match done {
            0 => theme.dim,
            d if d >= all => theme.good,
            _ => theme.partial,
        };
        Span::styled(format!("{text:>width$}"), style)
    };
    vec![
        Span::styled(format!("{:>1$}", read.0, NUMBERS[0].1), read.1),
        of(p.labs, NUMBERS[1].1),
        of(p.checks, NUMBERS[2].1),
        of(p.drills, NUMBERS[3].1),
        Span::styled(format!("{:>1$}", p.minutes, NUMBERS[4].1), theme.dim),
    ]
}

/// The strength of each part over all lessons of a pack: id, title, 0 to 1 or none yet.
fn parts(context: &Context, pack: usize) -> Vec<(String, Option<f64>)> {
    let Some(p) = context.library.packs.get(pack) else {
        return Vec::new();
    };
    p.parts
        .iter()
        .map(|part| {
            let known = context.memory.home(pack);
            (part.title.clone(), known.and_then(|k| strength(&k.strengths, &part.id)))
        })
        .collect()
}

/// The strength in a part over all lessons, 0 to 1.
fn strength(all: &Strengths, part: &str) -> Option<f64> {
    let cells = || all.cells.iter().filter(|c| c.part == part);
    let weight: f64 = cells().map(|c| c.weight).sum();
    (weight > 0.0).then(|| cells().map(|c| c.marks).sum::<f64>() / weight)
}

/// The five parts in two rows, for a narrow terminal.
fn draw_strip(area: Rect, buffer: &mut Buffer, context: &Context) {
    let theme = context.theme;
    let all = parts(context, 0);
    if all.iter().all(|(_, s)| s.is_none()) {
        let text = "Answer a drill, and your strength in each part shows here.";
        Line::styled(text, theme.dim)
            .render(Rect { y: area.y + area.height.min(1), height: 1, ..area }, buffer);
        return;
    }
    let mut lines: Vec<Line> = vec![Line::default()];
    for (i, (title, strength)) in all.iter().enumerate() {
        let value = strength.map_or("–".to_owned(), |s| format!("{:.0}%", s * 100.0));
        let name = Span::styled(format!("{} ", escape::line(title)), theme.part(i).name);
        let more = name.width() + wrap::width(&value) + 3;
        if lines.last().is_some_and(|l| l.width() + more > usize::from(area.width) + 3) {
            lines.push(Line::default());
        }
        if let Some(line) = lines.last_mut() {
            line.spans.extend([name, Span::styled(format!("{value}   "), theme.text)]);
        }
    }
    // one row stands at the bottom
    let skip = usize::from(area.height).saturating_sub(lines.len());
    for (line, y) in lines.iter().zip((area.top()..area.bottom()).skip(skip)) {
        line.render(Rect { y, height: 1, ..area }, buffer);
    }
}

/// What is selected, the five parts, the last rehearsal: for a wide terminal.
fn draw_panel(home: &Home, area: Rect, buffer: &mut Buffer, context: &Context) {
    let theme = context.theme;
    let mut lines: Vec<Line<'static>> = Vec::new();
    if let Some((pack, id)) = home.lesson()
        && let Some(lesson) = context.library.lesson(pack, id)
    {
        lines.push(Line::styled(escape::line(&lesson.title).into_owned(), theme.heading));
        lines.extend(paragraph(&lesson.summary, theme.text, area.width));
        lines.push(Line::default());
        for lab in &lesson.labs {
            lines.extend(paragraph(&format!("lab: {}", lab.title), theme.dim, area.width));
        }
        let drills = context.library.packs[pack].drills_of(id).count();
        let checks = context.library.packs[pack].checks_of(id).count();
        let text = format!("{checks} checks, {drills} drills. {} unfolds them.", theme.glyphs.right);
        lines.extend(paragraph(&text, theme.dim, area.width));
    } else if let Some(pack) = context.library.packs.first() {
        lines.push(Line::styled(escape::line(&pack.title).into_owned(), theme.heading));
        lines.extend(paragraph(&pack.about, theme.text, area.width));
    }
    lines.push(Line::default());
    lines.push(Line::styled("Your five parts", theme.heading));
    lines.extend(meters(context, area.width));
    if let Some(last) = context.memory.home(0).and_then(|k| k.rehearsed.as_ref()) {
        lines.push(Line::default());
        lines.push(Line::styled("Last rehearsal", theme.heading));
        let weakest = last.limiting.as_deref().map(|p| format!(", weakest in {p}")).unwrap_or_default();
        let day = last.at.to_zoned(context.zone.clone()).date();
        lines.push(Line::styled(format!("{day}: {:.0}%{weakest}", last.total * 100.0), theme.text));
    }
    for (line, y) in lines.into_iter().zip(area.top()..area.bottom()) {
        line.render(Rect { y, height: 1, ..area }, buffer);
    }
}

fn paragraph(text: &str, style: Style, width: u16) -> Vec<Line<'static>> {
    wrap::Styled::from_text(&escape::line(text), style).wrap(&wrap::Hanging::none(), width.into())
}

fn meters(context: &Context, width: u16) -> Vec<Line<'static>> {
    const LABEL: usize = 15;
    let theme = context.theme;
    let room = usize::from(width).saturating_sub(LABEL + 6).clamp(4, 24);
    parts(context, 0)
        .into_iter()
        .enumerate()
        .map(|(i, (title, strength))| {
            let name = Span::styled(
                format!("{:<LABEL$}", wrap::cut(&escape::line(&title), LABEL - 1, "")),
                theme.part(i).name,
            );
            let Some(s) = strength else {
                return Line::from(vec![name, Span::styled("not yet", theme.dim)]);
            };
            let full = ((s * room as f64).round() as usize).min(room);
            Line::from(vec![
                name,
                Span::styled(theme.glyphs.bar_full.repeat(full), theme.part(i).name),
                Span::styled(theme.glyphs.bar_empty.repeat(room - full), theme.border),
                Span::styled(format!(" {:>3.0}%", s * 100.0), theme.text),
            ])
        })
        .collect()
}
