//! Earlier answers, the newest first.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::reading::draw_scrollbar;
use super::{Context, Page, moving};
use crate::app::action::Action;
use crate::app::effect::{Effect, Query, Reply};
use crate::app::event::Mouse;
use crate::app::keys::Scope;
use crate::app::place::Place;
use crate::study::attempt::{Attempt, Mode};
use crate::study::words;
use crate::widget::{bar, escape, scroll, wrap};

/// How many answers are listed.
const MOST: usize = 200;

/// The list of earlier answers.
#[derive(Debug, Default)]
pub struct History {
    attempts: Option<Vec<Attempt>>,
    selected: usize,
    top: usize,
    area: Rect,
}

impl History {
    /// What to ask for when it is opened.
    pub fn ask() -> Vec<Effect> {
        vec![Effect::Recall(Query::Newest(MOST))]
    }

    fn all(&self) -> &[Attempt] {
        self.attempts.as_deref().unwrap_or_default()
    }

    fn open(&self) -> Vec<Effect> {
        let attempt = self.all().get(self.selected).cloned();
        attempt.map(|a| Effect::Go(Place::Verdict { attempt: Box::new(a) })).into_iter().collect()
    }
}

impl Page for History {
    fn title(&self, _context: &Context) -> Vec<String> {
        vec!["Earlier answers".into()]
    }

    fn scopes(&self) -> Vec<Scope> {
        vec![Scope::History, Scope::Moving, Scope::Everywhere]
    }

    fn arrange(&mut self, area: Rect, _context: &Context) {
        self.area = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
        let height = self.area.height.into();
        self.top = scroll::keep_in_view(self.top, self.selected..self.selected + 1, height, self.all().len());
    }

    fn act(&mut self, action: Action, context: &Context) -> Vec<Effect> {
        match action {
            Action::Back => return vec![Effect::Back],
            Action::Open => return self.open(),
            Action::Again => {
                let attempt = self.all().get(self.selected);
                let place = attempt.and_then(|a| {
                    let pack = context.library.index(&a.pack)?;
                    Some(Place::Drill { pack, id: a.drill.clone(), only: None })
                });
                return place.map(Effect::Go).into_iter().collect();
            }
            action => {
                self.selected = moving::after(action, self.selected, self.all().len(), self.area.height)
            }
        }
        Vec::new()
    }

    fn mouse(&mut self, kind: Mouse, at: Position, _context: &Context) -> Vec<Effect> {
        match kind {
            Mouse::Click if self.area.contains(at) => {
                let row = self.top + usize::from(at.y - self.area.y);
                if row == self.selected {
                    return self.open();
                }
                self.selected = row.min(self.all().len().saturating_sub(1));
            }
            kind => self.selected = moving::after_wheel(kind, self.selected, self.all().len()),
        }
        Vec::new()
    }

    fn reply(&mut self, reply: &Reply, _context: &Context) -> Vec<Effect> {
        if let Reply::Attempts(Query::Newest(_), found) = reply {
            self.attempts = Some(found.clone());
        }
        Vec::new()
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, context: &Context) {
        let theme = context.theme;
        let head = match &self.attempts {
            None => "  reading …".to_owned(),
            Some(all) if all.is_empty() => "  No answers yet. Home, then d: the first drill.".to_owned(),
            Some(_) => format!("  {:<18}{:>5}  {:<7}drill", "when", "mark", "parts"),
        };
        Line::styled(head, theme.dim).render(Rect { height: 1, ..area }, buffer);
        for (i, y) in (self.top..self.all().len()).zip(self.area.top()..self.area.bottom()) {
            let attempt = &self.all()[i];
            let cells = Rect { y, height: 1, width: self.area.width.saturating_sub(1), ..self.area };
            row(attempt, i == self.selected, cells.width, context).render(cells, buffer);
            if i == self.selected {
                buffer.set_style(cells, theme.cursor_line);
            }
        }
        draw_scrollbar(self.area, (self.top, self.all().len()), buffer, context);
    }
}

/// An answer in one line: when, its mark, the marks of its parts, the question.
pub fn row(attempt: &Attempt, selected: bool, width: u16, context: &Context) -> Line<'static> {
    let theme = context.theme;
    let when = attempt.at.to_zoned(context.zone.clone()).strftime("%Y-%m-%d %H:%M").to_string();
    let pointer = if selected { theme.glyphs.pointer } else { " " };
    let mut spans = vec![
        Span::styled(format!("{pointer} "), theme.accent),
        Span::styled(format!("{when:<18}"), theme.dim),
        Span::styled(format!("{:>5}  ", words::percent(attempt.total())), theme.strong),
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
