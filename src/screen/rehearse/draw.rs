//! How the set-up of a rehearsal looks.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::Rehearse;
use super::form::Field;
use crate::pack::Pack;
use crate::score::count_words;
use crate::screen::reading::draw_scrollbar;
use crate::screen::{Context, popup};
use crate::study::home::Rehearsed;
use crate::study::rehearsal::{Phase, Rehearsal, Topics};
use crate::study::words::{clock, percent, some};
use crate::widget::wrap::{Hanging, Styled};
use crate::widget::{escape, wrap};

/// The row of the first field.
const FIRST: u16 = 3;
/// Columns of the names.
const NAME: usize = 12;
/// Columns of the values.
const VALUE: usize = 20;
/// From this width on the earlier rehearsals stand beside the form.
const WIDE: u16 = 110;
/// Columns of the form in a wide terminal.
const FORM: u16 = 84;

/// The field under a cell.
pub fn field_at(area: Rect, at: Position, fields: &[Field]) -> Option<Field> {
    let row = at.y.checked_sub(area.y + FIRST)?;
    fields.get(usize::from(row)).copied()
}

/// The area of the list of lessons.
pub fn lessons_area(area: Rect, lessons: usize) -> Rect {
    popup::inside(lessons_box(area, lessons))
}

fn lessons_box(area: Rect, lessons: usize) -> Rect {
    let height = u16::try_from(lessons).unwrap_or(u16::MAX).saturating_add(2);
    popup::area(area, 76, height)
}

/// Draws the set-up, or the choice to go on.
pub fn draw(screen: &Rehearse, area: Rect, buffer: &mut Buffer, context: &Context) {
    let inner = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    let Some(pack) = context.library.packs.get(screen.pack) else {
        return;
    };
    let (left, right) = if area.width >= WIDE {
        let right = Rect { x: inner.x + FORM, width: inner.width - FORM, ..inner };
        (Rect { width: FORM - 2, ..inner }, Some(right))
    } else {
        (inner, None)
    };
    let mut rows = match &screen.left {
        Some(run) => broken_off(run, left.width, context),
        None if pack.drills.is_empty() => nothing(pack, left.width, context),
        None => form(screen, pack, left.width, context),
    };
    let earlier = earlier(screen, context);
    match right {
        Some(right) => put(&earlier, right, buffer, context),
        None if screen.left.is_none() => {
            rows.push(Line::default());
            rows.extend(earlier);
        }
        None => {}
    }
    put(&rows, left, buffer, context);
    if let Some(at) = screen.choosing {
        draw_lessons(screen, at, area, buffer, context);
    }
}

fn put(rows: &[Line<'static>], area: Rect, buffer: &mut Buffer, context: &Context) {
    for (line, row) in rows.iter().zip(area.rows()) {
        wrap::cut_line(line, row.width.into(), context.theme.glyphs.cut).render(row, buffer);
    }
}

fn say(text: &str, style: Style, width: u16) -> Vec<Line<'static>> {
    Styled::from_text(&escape::line(text), style).wrap(&Hanging::none(), width.into())
}

fn nothing(pack: &Pack, width: u16, context: &Context) -> Vec<Line<'static>> {
    let theme = context.theme;
    let mut rows = vec![Line::styled("Nothing to rehearse", theme.heading), Line::default()];
    let text = format!(
        "“{}” has no drills yet. A rehearsal asks drills; write some under quizzes/drills/, or add a pack that has them with --pack.",
        pack.title
    );
    rows.extend(say(&text, theme.text, width));
    rows
}

fn form(screen: &Rehearse, pack: &Pack, width: u16, context: &Context) -> Vec<Line<'static>> {
    let theme = context.theme;
    let form = &screen.form;
    let mut rows = vec![
        Line::styled("An interview against the clock", theme.heading),
        Line::styled("Think, answer, hear a follow-up; the marks come at the end.", theme.dim),
        Line::default(),
    ];
    for field in screen.fields(context) {
        rows.push(field_row(screen, field, pack, context));
    }
    rows.push(Line::default());
    let prompts = form.prompts(pack);
    let what = match prompts {
        0 => {
            Line::styled("The chosen lessons have no drills. Space on Topics chooses others.", theme.warning)
        }
        n => {
            let noun = if n == 1 { "prompt" } else { "prompts" };
            let mut spans = vec![
                Span::styled(format!("{n} {noun}"), theme.strong),
                Span::styled(format!(", at most {} minutes.  ", form.longest(pack).div_ceil(60)), theme.text),
                Span::styled("enter", theme.accent),
                Span::styled(" starts with the first think clock.", theme.dim),
            ];
            if n < form.setup.count {
                spans
                    .insert(1, Span::styled(format!(" (there are not {})", form.setup.count), theme.warning));
            }
            if form.setup.think == 0 {
                spans.pop();
                spans.push(Span::styled(" starts with the first answer.", theme.dim));
            }
            Line::from(spans)
        }
    };
    rows.push(what);
    if form.setup.topics == Topics::Weakest
        && context.memory.home(screen.pack).is_none_or(|h| h.strengths.cells.is_empty())
    {
        let text = "You have no marks yet, so no lesson is weaker than another: all count.";
        rows.extend(say(text, theme.dim, width));
    }
    rows
}

fn field_row(screen: &Rehearse, field: Field, pack: &Pack, context: &Context) -> Line<'static> {
    let theme = context.theme;
    let chosen = screen.field == field;
    let value = match &screen.typed {
        Some(typed) if chosen => format!("{typed}_"),
        _ => escape::line(&screen.form.value(field, pack)).into_owned(),
    };
    let value = wrap::cut(&value, VALUE - 5, theme.glyphs.cut);
    let room = " ".repeat((VALUE - 4).saturating_sub(wrap::width(&value)));
    let (name, style) = match (chosen, screen.form.has_effect(field)) {
        (true, _) => (theme.accent, theme.strong),
        (false, true) => (theme.text, theme.strong),
        (false, false) => (theme.dim, theme.dim),
    };
    let arrow = |glyph: &'static str| Span::styled(if chosen { glyph } else { " " }, theme.accent);
    Line::from(vec![
        Span::styled(if chosen { theme.glyphs.pointer } else { " " }, theme.accent),
        Span::styled(format!(" {:<NAME$}", field.name()), name),
        arrow(theme.glyphs.left),
        Span::styled(format!(" {value} "), style),
        arrow(theme.glyphs.right),
        Span::raw(room),
        Span::styled(escape::line(&screen.form.meaning(field, pack)).into_owned(), theme.dim),
    ])
}

fn earlier(screen: &Rehearse, context: &Context) -> Vec<Line<'static>> {
    const MOST: usize = 12;
    let theme = context.theme;
    let mut rows = vec![Line::styled("Earlier rehearsals", theme.heading)];
    if screen.earlier.is_empty() {
        rows.push(Line::styled("None yet.", theme.dim));
        return rows;
    }
    rows.extend(screen.earlier.iter().take(MOST).map(|r| line(r, context)));
    let more = screen.earlier.len().saturating_sub(MOST);
    let text = match more {
        0 => " opens their reports".to_owned(),
        n => format!(" opens their reports, and {n} more"),
    };
    rows.insert(1, Line::from(vec![Span::styled("y", theme.accent), Span::styled(text, theme.dim)]));
    rows
}

/// A rehearsal that ended, in one line.
pub fn line(done: &Rehearsed, context: &Context) -> Line<'static> {
    let theme = context.theme;
    let when = done.at.to_zoned(context.zone.clone());
    let weakest = match &done.limiting {
        Some(part) => format!("  weakest in {}", escape::line(part)),
        None => String::new(),
    };
    Line::from(vec![
        Span::styled(format!("{}", when.strftime("%Y-%m-%d %H:%M")), theme.dim),
        Span::styled(format!("  {:>4}", percent(done.total)), theme.strong),
        Span::styled(weakest, theme.text),
    ])
}

fn broken_off(run: &Rehearsal, width: u16, context: &Context) -> Vec<Line<'static>> {
    let theme = context.theme;
    let began = run.started.to_zoned(context.zone.clone());
    let mut rows = vec![
        Line::styled("A rehearsal was broken off", theme.heading),
        Line::styled(format!("begun {}", began.strftime("%Y-%m-%d %H:%M")), theme.dim),
        Line::default(),
    ];
    rows.extend(say(&where_it_stands(run), theme.text, width));
    if let Some(prompt) = run.prompt() {
        rows.push(Line::default());
        rows.extend(say(&prompt.text, theme.strong, width));
    }
    let typed = match run.phase {
        Phase::Think => &run.notes,
        _ => &run.text,
    };
    if !typed.trim().is_empty() {
        rows.push(Line::default());
        let text = typed.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut lines = say(&format!("“{text}”"), theme.dim, width);
        lines.truncate(4);
        rows.extend(lines);
    }
    rows.push(Line::default());
    for (key, what) in [
        ("enter", "go on with the time that was left; the report will say so"),
        ("s", "score what is there, and see the report"),
        ("d", "give it up; the answers that were scored stay"),
        ("esc", "leave it for later"),
    ] {
        rows.push(Line::from(vec![
            Span::styled(format!("{key:>5}  "), theme.accent),
            Span::styled(what, theme.text),
        ]));
    }
    rows
}

/// Which clock was on, and what was left of it.
fn where_it_stands(run: &Rehearsal) -> String {
    let left = clock(run.left(run.seen()).unwrap_or(0));
    let of = format!("Prompt {} of {}", run.at + 1, run.prompts.len());
    let words = some(count_words(&run.text), "word");
    match &run.phase {
        Phase::Think => format!("{of}: {left} were left to think."),
        Phase::Answer => format!("{of}: {left} were left to answer, {words} typed."),
        Phase::FollowUp { .. } => {
            format!("{of}, follow-up question: {left} were left, {words} typed.")
        }
        Phase::Verdict => format!("{of}: its answer was scored."),
        Phase::Done => "All prompts were answered.".into(),
    }
}

fn draw_lessons(screen: &Rehearse, at: usize, area: Rect, buffer: &mut Buffer, context: &Context) {
    let theme = context.theme;
    let lessons = screen.lessons(context);
    popup::frame(lessons_box(area, lessons.len()), "Lessons to ask about", buffer, theme);
    let inner = lessons_area(area, lessons.len());
    let chosen = |id: &str| match &screen.form.setup.topics {
        Topics::Lessons(some) => some.iter().any(|l| l == id),
        Topics::Weakest => false,
    };
    let pack = context.library.packs.get(screen.pack);
    for ((i, lesson), row) in lessons.iter().enumerate().skip(screen.top).zip(inner.rows()) {
        let drills = pack.map_or(0, |p| p.drills_of(&lesson.id).count());
        let mark = if chosen(&lesson.id) { "[x]" } else { "[ ]" };
        let pointer = if i == at { theme.glyphs.pointer } else { " " };
        let line = Line::from(vec![
            Span::styled(format!("{pointer} {mark} "), theme.accent),
            Span::styled(escape::line(&lesson.title).into_owned(), theme.text),
            Span::styled(format!("  {drills} drills"), theme.dim),
        ]);
        let row = Rect { width: row.width.saturating_sub(1), ..row };
        wrap::cut_line(&line, row.width.into(), theme.glyphs.cut).render(row, buffer);
        if i == at {
            buffer.set_style(row, theme.cursor_line);
        }
    }
    draw_scrollbar(inner, (screen.top, lessons.len()), buffer, context);
}
