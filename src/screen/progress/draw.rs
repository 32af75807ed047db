//! How Progress looks: the map, what is under the cursor, the answers or the plan.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::{Progress, View};
use crate::pack::{Lesson, Pack, Part};
use crate::screen::Context;
use crate::screen::reading::draw_scrollbar;
use crate::study::attempt::{Attempt, Mode};
use crate::study::strength::{Cell, Strengths, Trend, dropped_sentence};
use crate::study::words::percent;
use crate::widget::theme::Theme;
use crate::widget::{bar, escape, wrap};

/// Before the date that is typed, and behind it.
const ASKS: &str = "Interview on: ";
const FORM: &str = "a date like 2026-05-31, or days from now; empty clears";
/// The columns of a cell at most: pointer, bar, per cent, trend, a blank.
const CELL: u16 = 18;
/// As many whole answers make the curve.
const CURVE: usize = 20;

/// Where the pieces are.
#[derive(Debug, Clone, Copy, Default)]
pub struct Areas {
    /// The map.
    pub map: Rect,
    /// What is under the cursor.
    pub detail: Rect,
    /// The head of the list, or the date that is typed.
    pub head: Rect,
    /// Answers or plan.
    pub list: Rect,
}

/// From this height on the map stays in sight beside the plan.
const TALL: u16 = 34;

/// Splits the screen: the map has most of it while it has the keys; the plan has all of it, where
/// there is no room for both.
pub fn areas(area: Rect, rows: usize, view: View) -> Areas {
    let area = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    let most = match view {
        View::Map => area.height.saturating_sub(7),
        View::Plan | View::Ratings if area.height < TALL => 0,
        _ => area.height / 3,
    };
    let detail = if most == 0 { 0 } else { 3 };
    let map = u16::try_from(rows).unwrap_or(u16::MAX).min(most);
    let [map, detail, head, list] = Layout::vertical([
        Constraint::Length(map),
        Constraint::Length(detail),
        Constraint::Length(1),
        Constraint::Fill(1),
    ])
    .areas(area);
    Areas { map, detail, head, list }
}

/// The columns of the lesson's title and of each cell.
fn columns(width: u16, parts: usize) -> (usize, usize) {
    let parts = u16::try_from(parts.max(1)).unwrap_or(u16::MAX);
    let cell = (width.saturating_mul(3) / 4 / parts).min(CELL);
    let title = width.saturating_sub(1 + cell.saturating_mul(parts));
    (title.min(44).into(), cell.into())
}

/// The part at a column of the screen.
pub fn part_at(map: Rect, x: u16, parts: usize) -> Option<usize> {
    let (title, cell) = columns(map.width, parts);
    let column = usize::from(x.saturating_sub(map.x)).checked_sub(title)?;
    Some(column.checked_div(cell)?).filter(|p| *p < parts)
}

/// Where the caret is while the date is typed.
pub fn caret(areas: &Areas, text: &str) -> Option<Position> {
    let column = u16::try_from(ASKS.len() + wrap::width(text)).ok()?;
    let at = Position { x: areas.head.x.checked_add(column)?, y: areas.head.y };
    areas.head.contains(at).then_some(at)
}

/// Draws Progress.
pub fn draw(screen: &Progress, buffer: &mut Buffer, context: &Context) {
    let areas = &screen.areas;
    for (row, y) in (screen.map_top..screen.rows.len()).zip(areas.map.top()..areas.map.bottom()) {
        let line = Rect { y, height: 1, width: areas.map.width.saturating_sub(1), ..areas.map };
        map_row(screen, row, line.width, context).render(line, buffer);
    }
    draw_scrollbar(areas.map, (screen.map_top, screen.rows.len()), buffer, context);
    let mut detail = detail(screen, context);
    if screen.view != View::Map {
        // the second sentence is about enter on the map
        detail.truncate(2);
    }
    rows(&detail, 0, areas.detail, buffer);
    head(screen, areas.head.width, context).render(areas.head, buffer);
    let (lines, top) = match screen.view {
        View::Map | View::Answers => return answers(screen, areas.list, buffer, context),
        View::Ratings => (&screen.ratings.rows, screen.ratings_top),
        View::Plan => (&screen.plan.rows, screen.plan_top),
    };
    rows(lines, top, areas.list, buffer);
    if let (View::Ratings, Some(row)) = (screen.view, screen.chosen_rating())
        && let Some(down) = row.checked_sub(top)
        && let Some(row) = areas.list.rows().nth(down)
    {
        buffer.set_style(row, context.theme.cursor_line);
    }
    draw_scrollbar(areas.list, (top, lines.len()), buffer, context);
}

fn rows(lines: &[Line<'static>], top: usize, area: Rect, buffer: &mut Buffer) {
    for (line, y) in lines.iter().skip(top).zip(area.top()..area.bottom()) {
        line.render(Rect { y, height: 1, ..area }, buffer);
    }
}

fn map_row(screen: &Progress, row: usize, width: u16, context: &Context) -> Line<'static> {
    let theme = context.theme;
    let (index, lesson) = screen.rows[row];
    let Some(pack) = context.library.packs.get(index) else {
        return Line::default();
    };
    let (title, cell) = columns(width, pack.parts.len());
    let Some(lesson) = lesson.and_then(|l| pack.lessons.get(l)) else {
        let mut spans = vec![Span::styled(fitted(&pack.title, title, theme), theme.heading)];
        for (i, part) in pack.parts.iter().enumerate() {
            let chosen = row == screen.row && i == screen.part;
            let pointer = if chosen { theme.glyphs.pointer } else { " " };
            spans.push(Span::styled(pointer, theme.accent));
            let name = fitted(&part.title, cell.saturating_sub(1), theme);
            spans.push(Span::styled(name, theme.part(i).name));
            if chosen && screen.view == View::Map {
                let head = spans.iter_mut().rev().take(2);
                head.for_each(|span| span.style = span.style.patch(theme.selection));
            }
        }
        return Line::from(spans);
    };
    let here = row == screen.row;
    let style = if here { theme.strong } else { theme.text };
    let mut spans = vec![Span::styled(fitted(&lesson.title, title, theme), style)];
    let known = context.memory.home(index).map(|h| &h.strengths);
    for (i, part) in pack.parts.iter().enumerate() {
        let found = known.and_then(|s| s.cell(&lesson.id, &part.id));
        let chosen = here && i == screen.part;
        spans.extend(map_cell(found, (chosen, screen.view == View::Map), cell, theme));
    }
    Line::from(spans)
}

/// One cell: a pointer where it is chosen, a bar, per cent, and which way it goes.
fn map_cell(
    found: Option<&Cell>,
    (chosen, active): (bool, bool),
    width: usize,
    theme: &Theme,
) -> Vec<Span<'static>> {
    let pointer = if chosen { theme.glyphs.pointer } else { " " };
    let mut spans = vec![Span::styled(pointer, theme.accent)];
    let room = width.saturating_sub(3);
    match found {
        Some(cell) => {
            let line = bar::strength(cell.strength(), room, theme);
            let used: usize = line.spans.iter().map(|s| wrap::width(&s.content)).sum();
            spans.extend(line.spans);
            let trend = match cell.trend() {
                Some(Trend::Up) => theme.glyphs.up,
                Some(Trend::Down) => theme.glyphs.down,
                Some(Trend::Steady) | None => " ",
            };
            spans.push(Span::styled(trend, theme.dim));
            spans.push(Span::raw(" ".repeat(width.saturating_sub(used + 2))));
        }
        None => spans
            .push(Span::styled(fitted(theme.glyphs.untouched, width.saturating_sub(1), theme), theme.dim)),
    }
    if chosen && active {
        for span in spans.iter_mut().take_while(|s| !s.content.trim().is_empty()) {
            span.style = span.style.patch(theme.selection);
        }
    }
    spans
}

/// Two sentences on the cell under the cursor, below a blank row.
fn detail(screen: &Progress, context: &Context) -> Vec<Line<'static>> {
    let theme = context.theme;
    let width = usize::from(screen.areas.detail.width);
    let index = screen.pack();
    let Some(pack) = context.library.packs.get(index) else {
        return Vec::new();
    };
    let (Some(lesson), Some(part)) = (screen.asked(context), pack.parts.get(screen.part)) else {
        return Vec::new();
    };
    let known = context.memory.home(index).map(|h| &h.strengths);
    if screen.lesson().is_none() {
        return head_detail(screen, known.and_then(|s| s.part(&part.id)), (part, lesson), context);
    }
    let found = known.and_then(|s| s.cell(&lesson.id, &part.id));
    let mut first = vec![
        Span::styled(format!("{}: ", escape::line(&part.title)), theme.part(screen.part).name),
        Span::styled(standing(found), theme.text),
    ];
    if let Some(cell) = found.filter(|c| c.recent.len() > 1) {
        let marks: Vec<f64> = cell.recent.iter().map(|m| m.score).collect();
        first.push(bar::trend(&marks, theme));
    }
    first.push(Span::styled(format!("  {}", escape::line(&lesson.title)), theme.dim));
    let second = dropped(known, found, (pack, lesson)).map_or_else(
        || Line::styled("Enter asks for just this part of a drill of this lesson.", theme.dim),
        |text| Line::styled(text, theme.warning),
    );
    [Line::default(), Line::from(first), second]
        .iter()
        .map(|line| wrap::cut_line(line, width, theme.glyphs.cut))
        .collect()
}

/// Two sentences on the part whose head is under the cursor, below a blank row.
fn head_detail(
    screen: &Progress,
    strength: Option<f64>,
    (part, lesson): (&Part, &Lesson),
    context: &Context,
) -> Vec<Line<'static>> {
    let theme = context.theme;
    let title = escape::line(&lesson.title).into_owned();
    let (standing, ask) = match strength {
        Some(strength) => (
            format!("{} over the lessons answered so far", percent(strength)),
            format!("Enter asks for just this part, where it is weakest: {title}."),
        ),
        None => ("not answered yet".into(), format!("Enter asks for just this part, first of {title}.")),
    };
    let name = format!("{}: ", escape::line(&part.title));
    let first = Line::from(vec![
        Span::styled(name, theme.part(screen.part).name),
        Span::styled(standing, theme.text),
    ]);
    let width = usize::from(screen.areas.detail.width);
    [Line::default(), first, Line::styled(ask, theme.dim)]
        .iter()
        .map(|line| wrap::cut_line(line, width, theme.glyphs.cut))
        .collect()
}

/// How a cell stands, in words.
fn standing(cell: Option<&Cell>) -> String {
    let Some(cell) = cell else {
        return "not answered yet".into();
    };
    let noun = if cell.answers == 1 { "answer" } else { "answers" };
    let way = match cell.trend() {
        Some(Trend::Up) => ", getting better ",
        Some(Trend::Down) => ", getting worse ",
        Some(Trend::Steady) => ", steady ",
        None => " ",
    };
    format!("{:.0}% over {} {noun}{way}", cell.strength() * 100.0, cell.answers)
}

/// What is dropped: the cell under the cursor, or the one that is dropped most.
fn dropped(
    known: Option<&Strengths>,
    here: Option<&Cell>,
    (pack, lesson): (&Pack, &Lesson),
) -> Option<String> {
    let cell = here.filter(|c| c.is_dropped()).or(known?.most_dropped())?;
    let lesson = pack.lesson(&cell.lesson).unwrap_or(lesson);
    let part = pack.parts.iter().find(|p| p.id == cell.part);
    let part = part.map_or(cell.part.clone(), |p| p.title.to_lowercase());
    let text = dropped_sentence(cell, &part, &lesson.title);
    Some(format!("Y{}.", escape::line(text.strip_prefix('y').unwrap_or(&text))))
}

fn head(screen: &Progress, width: u16, context: &Context) -> Line<'static> {
    let theme = context.theme;
    let line = match (&screen.typed, &screen.unread) {
        (Some(text), unread) => {
            let mut spans = vec![
                Span::styled(ASKS, theme.accent),
                Span::styled(escape::line(text).into_owned(), theme.strong),
            ];
            spans.push(match unread {
                Some(unread) => Span::styled(format!("   {unread}"), theme.warning),
                None => Span::styled(format!("   {FORM}"), theme.dim),
            });
            Line::from(spans)
        }
        _ => {
            let tab = |view: View, name: &str| {
                if view == screen.view {
                    Span::styled(format!("[{name}]"), theme.accent)
                } else {
                    Span::styled(format!(" {name} "), theme.dim)
                }
            };
            let mut spans = vec![
                tab(View::Map, "Map"),
                tab(View::Answers, "Recent answers"),
                tab(View::Ratings, "Own rating"),
                tab(View::Plan, "Plan"),
                Span::raw("  "),
            ];
            let whole = screen.answers().iter().filter(|a| a.part.is_none());
            let newest: Vec<f64> = whole.take(CURVE).map(|a| a.total()).collect();
            let marks: Vec<f64> = newest.into_iter().rev().collect();
            if marks.len() > 1 {
                spans.push(Span::styled("marks ", theme.dim));
                spans.push(bar::trend(&marks, theme));
            }
            Line::from(spans)
        }
    };
    wrap::cut_line(&line, width.into(), theme.glyphs.cut)
}

fn answers(screen: &Progress, area: Rect, buffer: &mut Buffer, context: &Context) {
    let theme = context.theme;
    let all = screen.answers();
    if all.is_empty() && area.height > 0 {
        let text = match screen.attempts {
            None => "reading …",
            Some(_) => "No answers yet. Enter on the map asks for one part.",
        };
        Line::styled(text, theme.dim).render(Rect { height: 1, ..area }, buffer);
    }
    let active = screen.view == View::Answers;
    for (i, y) in (screen.list_top..all.len()).zip(area.top()..area.bottom()) {
        let line = Rect { y, height: 1, width: area.width.saturating_sub(1), ..area };
        let chosen = active && i == screen.answer;
        answer(&all[i], chosen, line.width, context).render(line, buffer);
        if chosen {
            buffer.set_style(line, theme.cursor_line);
        }
    }
    draw_scrollbar(area, (screen.list_top, all.len()), buffer, context);
}

/// A text in exactly `width` columns.
fn fitted(text: &str, width: usize, theme: &Theme) -> String {
    let text = wrap::cut(text, width.saturating_sub(1), theme.glyphs.cut);
    let blanks = width.saturating_sub(wrap::width(&text));
    format!("{text}{}", " ".repeat(blanks))
}

/// An answer in one line: when, its mark, the marks of its parts, the question.
fn answer(attempt: &Attempt, selected: bool, width: u16, context: &Context) -> Line<'static> {
    let theme = context.theme;
    let when = attempt.at.to_zoned(context.zone.clone()).strftime("%Y-%m-%d %H:%M").to_string();
    let pointer = if selected { theme.glyphs.pointer } else { " " };
    let mut spans = vec![
        Span::styled(format!("{pointer} "), theme.accent),
        Span::styled(format!("{when:<18}"), theme.dim),
        Span::styled(format!("{:>5}  ", percent(attempt.total())), theme.strong),
    ];
    let marks: Vec<Span> = attempt
        .score
        .parts
        .iter()
        .map(|p| match &attempt.part {
            Some(asked) if *asked != p.part => Span::styled(theme.glyphs.untouched, theme.dim),
            _ => bar::verdict(p.verdict, theme),
        })
        .collect();
    let gap = 7usize.saturating_sub(marks.len());
    spans.extend(marks);
    spans.push(Span::raw(" ".repeat(gap)));
    let prompt =
        context.library.find_drill(&attempt.drill).map_or(attempt.drill.as_str(), |(_, d)| &d.prompt);
    let only = attempt.part.as_deref().map(|part| match attempt.mode {
        Mode::FollowUp => format!("follow-up on {part}: "),
        _ => format!("{part} alone: "),
    });
    spans.extend(only.map(|text| Span::styled(escape::line(&text).into_owned(), theme.dim)));
    spans.push(Span::styled(escape::line(prompt).into_owned(), theme.text));
    wrap::cut_line(&Line::from(spans), width.into(), theme.glyphs.continued)
}
