//! How the review looks.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::{Review, Stage, grades, note, run};
use crate::doc::escape;
use crate::pack::Pack;
use crate::screen::reading::draw_scrollbar;
use crate::screen::{Context, Page};
use crate::study::note::find;
use crate::study::schedule::{Grade, Item, ItemKind};
use crate::study::words::ahead;
use crate::widget::wrap::{self, Hanging, Styled};

/// Texts are no wider than this.
const WIDEST: u16 = 88;

/// Where things stand.
#[derive(Debug, Clone, Copy, Default)]
pub struct Areas {
    /// How many are left.
    head: Rect,
    /// What is on.
    pub body: Rect,
    /// The grades, where they can be given.
    grades: Rect,
}

/// The areas, with room for the grades or without.
pub fn areas(area: Rect, graded: bool) -> Areas {
    let inner = Rect { x: area.x + area.width.min(1), width: area.width.saturating_sub(1), ..area };
    let head = Rect { height: inner.height.min(1), ..inner };
    let below = if graded { 3.min(inner.height.saturating_sub(2)) } else { 0 };
    let body =
        Rect { y: inner.y + inner.height.min(2), height: inner.height.saturating_sub(2 + below), ..inner };
    let grades = Rect { y: body.bottom(), height: below, ..inner };
    Areas { head, body, grades }
}

/// The rows of what is on; none for a check, which lays itself out.
pub fn rows(screen: &Review, width: u16, context: &Context) -> Vec<Line<'static>> {
    let theme = context.theme;
    let width = width.min(WIDEST);
    match &screen.stage {
        Stage::Reading => vec![Line::styled("reading …", theme.dim)],
        Stage::Check(_) => Vec::new(),
        Stage::Nothing => nothing(screen, width, context),
        Stage::Done => done(screen, width, context),
        Stage::Open(opened) => match screen.on(context) {
            Some((_, pack, item)) => open(screen, (pack, &item, opened.is_some()), width, context),
            None => Vec::new(),
        },
        Stage::Note(revealed) => match screen.on(context) {
            Some((_, pack, item)) => match find(pack, &item.id) {
                Some((_, lab, of)) => note::rows((lab, of), *revealed, width, context),
                None => Vec::new(),
            },
            None => Vec::new(),
        },
    }
}

/// A drill or a worksheet, before and after it was opened.
fn open(
    screen: &Review,
    (pack, item, opened): (&Pack, &Item, bool),
    width: u16,
    context: &Context,
) -> Vec<Line<'static>> {
    let theme = context.theme;
    let minutes = match item.kind {
        ItemKind::Drill => pack.drill(&item.id).map(|d| format!("A drill, {} minutes", d.minutes)),
        _ => None,
    };
    let head = minutes.unwrap_or_else(|| "A worksheet".into());
    let mut rows = plain(&head, theme.heading, width);
    rows.push(Line::default());
    rows.extend(plain(&escape::line(&run::title(pack, item)), theme.text, width));
    rows.push(Line::default());
    let say = match (&screen.log, opened) {
        (Some(_), _) => "You answered it.",
        (None, true) => {
            "Not finished; what you wrote is kept. Enter opens it again, right leaves it for another time."
        }
        (None, false) => "Enter opens it. It is graded by its marks; esc brings you back here.",
    };
    rows.extend(plain(say, theme.dim, width));
    rows
}

fn nothing(screen: &Review, width: u16, context: &Context) -> Vec<Line<'static>> {
    let theme = context.theme;
    let within = match screen.ahead {
        0 => "Nothing is due today.".to_owned(),
        1 => "Nothing is due today or tomorrow.".to_owned(),
        days => format!("Nothing is due in the next {days} days."),
    };
    let mut rows = plain(&within, theme.heading, width);
    rows.push(Line::default());
    match run::next(&screen.cards, context) {
        None => rows.extend(plain(
            "Nothing was answered yet. Drills, checks and line notes that you answer come back here shortly \
             before you would forget them. Press esc, open a lesson, then c for its checks or d for a drill.",
            theme.text,
            width,
        )),
        Some((next, count)) => {
            let what = match count {
                1 => "next thing comes".to_owned(),
                n => format!("next {n} things come"),
            };
            let when = ahead(context.now, next, context.zone);
            let date = next.to_zoned(context.zone.clone()).strftime("%A, %Y-%m-%d");
            let text = format!("The {what} {when}, on {date}.");
            rows.extend(plain(&text, theme.text, width));
            rows.push(Line::default());
            let text = "c works ahead: it asks what you would forget first. esc goes back.";
            rows.extend(plain(text, theme.dim, width));
        }
    }
    rows
}

fn done(screen: &Review, width: u16, context: &Context) -> Vec<Line<'static>> {
    let theme = context.theme;
    let all: Vec<_> = screen.run.done().collect();
    let again = all.iter().filter(|(.., g)| *g == Grade::Again).count();
    let noun = if all.len() == 1 { "thing" } else { "things" };
    let head = format!("The review is done: {} {noun} looked at, {again} not known.", all.len());
    let mut rows = plain(&head, theme.heading, width);
    rows.push(Line::default());
    for (index, item, grade) in all {
        let Some(pack) = context.library.packs.get(index) else {
            continue;
        };
        let next = screen.run.card(index, item).map(|c| c.due);
        let when = next.map_or_else(String::new, |at| ahead(context.now, at, context.zone));
        let (glyph, style) = match grade {
            Grade::Again => (theme.glyphs.missing, theme.missing),
            Grade::Hard => (theme.glyphs.partial, theme.partial),
            _ => (theme.glyphs.good, theme.good),
        };
        let line = Line::from(vec![
            Span::styled(format!("{glyph} "), style),
            Span::styled(format!("{:<18}", grade.words()), theme.text),
            Span::styled(format!("{when:<15}"), theme.dim),
            Span::styled(escape::line(&run::title(pack, item)).into_owned(), theme.text),
        ]);
        rows.push(wrap::cut_line(&line, width.into(), theme.glyphs.continued));
    }
    rows.push(Line::default());
    let text = "Enter goes back. c works ahead: what you would forget first.";
    rows.extend(plain(text, theme.dim, width));
    rows
}

/// How many are left, and what was done.
fn head(screen: &Review, context: &Context) -> Line<'static> {
    let theme = context.theme;
    let left = screen.run.left();
    let all: usize = left.iter().sum();
    if all == 0 {
        return Line::default();
    }
    let names = [("drill", "drills"), ("check", "checks"), ("line note", "line notes")];
    let kinds = left.iter().zip(names).filter(|(n, _)| **n > 0);
    let kinds: Vec<String> =
        kinds.map(|(n, (one, more))| format!("{n} {}", if *n == 1 { one } else { more })).collect();
    let done = match screen.run.done().count() {
        0 => String::new(),
        n => format!("   {n} done"),
    };
    Line::from(vec![
        Span::styled(format!("{all} left"), theme.strong),
        Span::styled(format!(": {}{done}", kinds.join(", ")), theme.dim),
    ])
}

/// Draws the review.
pub fn draw(screen: &Review, buffer: &mut Buffer, context: &Context) {
    let Areas { head: top, body, grades: below } = screen.areas;
    head(screen, context).render(top, buffer);
    if let Stage::Check(checks) = &screen.stage {
        checks.draw(body, buffer, context);
    }
    for (line, y) in screen.rows.iter().skip(screen.top).zip(body.top()..body.bottom()) {
        let width = body.width.saturating_sub(1);
        line.render(Rect { y, height: 1, width, ..body }, buffer);
    }
    draw_scrollbar(body, (screen.top, screen.rows.len()), buffer, context);
    if below.is_empty() {
        return;
    }
    let theme = context.theme;
    let rule = Line::styled(theme.glyphs.rule.repeat(below.width.saturating_sub(1).into()), theme.border);
    let rows = std::iter::once(rule).chain(grades::rows(screen, context));
    for (line, y) in rows.zip(below.top()..below.bottom()) {
        let line = wrap::cut_line(&line, below.width.into(), theme.glyphs.continued);
        line.render(Rect { y, height: 1, ..below }, buffer);
    }
}

fn plain(text: &str, style: Style, width: u16) -> Vec<Line<'static>> {
    Styled::from_text(text, style).wrap(&Hanging::none(), width.into())
}
