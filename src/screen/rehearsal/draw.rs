//! How a rehearsal that runs looks.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::Running;
use crate::pack::Part;
use crate::page::verdict::marks::Marks;
use crate::score;
use crate::screen::reading::draw_scrollbar;
use crate::screen::{Context, popup};
use crate::study::answer::part_title;
use crate::study::rehearsal::Phase;
use crate::study::words::{clock, some};
use crate::widget::wrap::{Hanging, Styled};
use crate::widget::{bar, escape, markdown, wrap};

/// Seconds from which on the clock is said in words.
const LAST: u32 = 10;

/// The rows of the question; before them, what it follows.
pub fn question(screen: &Running, width: u16, context: &Context) -> Vec<Line<'static>> {
    let theme = context.theme;
    let prompt = screen.run.prompt().map_or("", |p| &p.text);
    match &screen.run.phase {
        Phase::FollowUp { ask, .. } => {
            let before = wrap::cut(&escape::line(prompt), width.into(), theme.glyphs.cut);
            let mut rows = vec![Line::styled(before, theme.dim)];
            rows.extend(say(ask, theme.heading, width));
            rows
        }
        Phase::Verdict | Phase::Done => Vec::new(),
        Phase::Think | Phase::Answer => say(prompt, theme.heading, width),
    }
}

/// The rows of the checklist or of the notes, whichever is to be seen.
pub fn side(screen: &Running, width: u16, wide: bool, context: &Context) -> Vec<Line<'static>> {
    let theme = context.theme;
    let answering = matches!(screen.run.phase, Phase::Answer | Phase::FollowUp { .. });
    let parts = screen.pack(context).map_or(&[][..], |p| &p.parts);
    if screen.checklist && screen.is_typing() {
        return checklist(parts, None, (wide, width), context);
    }
    if answering && !screen.run.notes.trim().is_empty() {
        let mut rows = vec![Line::styled("Your notes", theme.dim)];
        for line in screen.run.notes.trim().lines() {
            rows.extend(say(line, theme.dim, width));
        }
        return rows;
    }
    Vec::new()
}

/// The rows of the marks, in practice.
pub fn marks(screen: &Running, context: &Context) -> Vec<Line<'static>> {
    let Some(attempt) = screen.marked().filter(|_| screen.rating.is_none()) else {
        return Vec::new();
    };
    let marks = Marks::of(attempt, context.library);
    let document = marks.document().and(marks.answer());
    let width = screen.areas.text.width.saturating_sub(2);
    markdown::render(&document, width, context.theme, context.highlighter).lines
}

fn say(text: &str, style: Style, width: u16) -> Vec<Line<'static>> {
    Styled::from_text(&escape::line(text), style).wrap(&Hanging::none(), width.into())
}

/// Draws the screen, and over it the question how to leave.
pub fn draw(screen: &Running, buffer: &mut Buffer, context: &Context) {
    let areas = &screen.areas;
    clock_row(screen, context).render(areas.clock, buffer);
    put(&areas.question_rows, areas.question, buffer, context);
    put(&areas.side_rows, areas.side, buffer, context);
    if screen.is_typing() {
        screen.editor.draw(areas.text, buffer, context.theme, invitation(screen));
    } else if let Some(rate) = &screen.rating {
        rate.draw(buffer, context);
    } else {
        let rows = screen.marks.get(screen.top..).unwrap_or_default();
        put(rows, areas.text, buffer, context);
        draw_scrollbar(areas.text, (screen.top, screen.marks.len()), buffer, context);
    }
    let row = wrap::cut_line(&status(screen, context), areas.status.width.into(), context.theme.glyphs.cut);
    row.render(areas.status, buffer);
    trouble(screen, buffer, context);
    if screen.leaving {
        leaving(screen, buffer, context);
    }
}

fn put(rows: &[Line<'static>], area: Rect, buffer: &mut Buffer, context: &Context) {
    for (at, (line, row)) in rows.iter().zip(area.rows()).enumerate() {
        let cut = at + 1 == usize::from(area.height) && rows.len() > usize::from(area.height);
        line.render(row, buffer);
        if cut {
            let more = Rect { x: row.right().saturating_sub(1), width: row.width.min(1), ..row };
            Span::styled(context.theme.glyphs.down, context.theme.dim).render(more, buffer);
        }
    }
}

fn invitation(screen: &Running) -> &'static str {
    match screen.run.phase {
        Phase::Think => {
            "Think. Notes may be typed here; they are not scored. ctrl+s begins the answer early."
        }
        Phase::FollowUp { .. } => "Answer the follow-up question.",
        _ => "Type your answer as you would say it. At 0:00 it is scored as it stands.",
    }
}

/// What the clock is for.
fn what(phase: &Phase) -> &'static str {
    match phase {
        Phase::Think => "Think",
        Phase::Answer => "Answer",
        Phase::FollowUp { .. } => "Follow-up",
        Phase::Verdict => "Marks",
        Phase::Done => "Done",
    }
}

/// `Answer  1:23 left  ██████░░░░  a quarter of the time is left`.
fn clock_row(screen: &Running, context: &Context) -> Line<'static> {
    const BAR: usize = 24;
    let theme = context.theme;
    let what = match screen.rating {
        Some(_) => "Rating",
        None => what(&screen.run.phase),
    };
    let name = format!("{what:<11}");
    let (Some(left), Some(limit)) = (screen.run.left(context.now), screen.run.limit()) else {
        let ended = screen.marked().is_some() && screen.run.takes.last().is_some_and(|t| t.timed_out);
        let before = if ended { "the time was up; " } else { "" };
        return Line::from(vec![
            Span::styled(name, theme.heading),
            Span::styled(before, theme.warning),
            Span::styled("no clock runs; take your time", theme.dim),
        ]);
    };
    let short = left <= limit / 4;
    let (style, words) = match left {
        0..=LAST => (theme.clock_red, seconds_left(left)),
        _ if short => (theme.clock_amber, "a quarter of the time or less".into()),
        _ => (theme.accent, String::new()),
    };
    let mut spans =
        vec![Span::styled(name, theme.heading), Span::styled(format!("{:>5} left  ", clock(left)), style)];
    let share = f64::from(left) / f64::from(limit.max(1));
    spans.extend(bar::meter(share, BAR, style, theme));
    spans.push(Span::styled(format!("  {words}"), style));
    let row = Line::from(spans);
    wrap::cut_line(&row, screen.areas.clock.width.into(), theme.glyphs.cut)
}

/// The last seconds in words.
fn seconds_left(left: u32) -> String {
    const WORDS: [&str; 11] =
        ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let noun = if left == 1 { "second" } else { "seconds" };
    format!("{} {noun} left", WORDS[left.min(LAST) as usize])
}

/// Words, what holds in this phase, and whether the program was away.
fn status(screen: &Running, context: &Context) -> Line<'static> {
    let theme = context.theme;
    let run = &screen.run;
    let rule = match (&run.phase, run.setup.strict) {
        (Phase::Think, _) => "notes are not scored",
        (Phase::Verdict, _) if screen.rating.is_some() => "the marks follow; enter skips the rating",
        (Phase::Verdict, _) => "enter goes on",
        (Phase::FollowUp { .. }, true) => "one take; scored on one part",
        (_, true) => "one take: no way back, no hints",
        (_, false) => "practice: ctrl+t shows the parts",
    };
    let mut spans = Vec::new();
    if screen.is_typing() {
        let words = score::count_words(screen.editor.text());
        spans.push(Span::styled(format!("{}   ", some(words, "word")), theme.text));
    }
    if let (Phase::FollowUp { part, .. }, false) = (&run.phase, run.setup.strict) {
        let parts = screen.pack(context).map_or(&[][..], |p| &p.parts);
        let title = escape::line(part_title(parts, part)).into_owned();
        spans.push(Span::styled(format!("on {title}   "), theme.text));
    }
    spans.push(Span::styled(rule, theme.dim));
    let away: u32 = run.away.iter().filter(|a| !a.stopped).map(|a| a.seconds).sum();
    if away > 0 {
        let text = format!("   away for {} while a clock ran", clock(away));
        spans.push(Span::styled(text, theme.warning));
    }
    Line::from(spans)
}

/// What could not be kept, in as many rows as it needs, above the status.
fn trouble(screen: &Running, buffer: &mut Buffer, context: &Context) {
    let Some(text) = &screen.trouble else { return };
    let areas = &screen.areas;
    let rows = say(text, context.theme.warning, areas.status.width);
    let height = u16::try_from(rows.len()).unwrap_or(u16::MAX).min(areas.status.y);
    let area = Rect { y: areas.status.y - height, height, ..areas.status }.intersection(areas.whole);
    ratatui::widgets::Clear.render(area, buffer);
    put(&rows, area, buffer, context);
}

fn leaving(screen: &Running, buffer: &mut Buffer, context: &Context) {
    let theme = context.theme;
    let clock = match screen.run.left(context.now) {
        Some(left) => format!("The clock keeps running: {} left.", clock(left)),
        None => "No clock runs now.".into(),
    };
    let mut rows = vec![Line::styled(clock, theme.warning), Line::default()];
    for (key, what) in [
        ("esc", "stay and go on"),
        ("s", "end it here: score what is typed, see the report"),
        ("l", "leave, and go on later with the time that is left"),
        ("d", "give it up; answers that were scored stay"),
    ] {
        rows.push(Line::from(vec![
            Span::styled(format!("{key:>4}  "), theme.accent),
            Span::styled(what, theme.text),
        ]));
    }
    let area = popup::area(screen.areas.whole, 62, rows.len() as u16 + 2);
    popup::frame(area, "Leave the rehearsal?", buffer, theme);
    let inner = popup::inside(area);
    let inner = Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner };
    put(&rows, inner, buffer, context);
}

/// The parts with their questions; one row each in a narrow terminal.
fn checklist(
    parts: &[Part],
    only: Option<&str>,
    (wide, width): (bool, u16),
    context: &Context,
) -> Vec<Line<'static>> {
    let theme = context.theme;
    let mut out = vec![];
    for (i, part) in parts.iter().enumerate().filter(|(_, p)| only.is_none_or(|o| o == p.id)) {
        let mark = theme.part(i);
        let name = Span::styled(format!("{} {}", mark.digit, escape::line(&part.title)), mark.name);
        let question = escape::line(&part.question);
        if wide {
            out.push(Line::from(name));
            out.extend(Styled::from_text(&question, theme.dim).wrap(&Hanging::none(), width.into()));
            out.push(Line::default());
        } else {
            let line = Line::from(vec![name, Span::styled(format!(": {question}"), theme.dim)]);
            out.push(wrap::cut_line(&line, width.into(), theme.glyphs.continued));
        }
    }
    out
}
