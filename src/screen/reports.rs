//! The rehearsals that ended, the newest first.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::reading::draw_scrollbar;
use super::{Context, Page, moving, rehearse};
use crate::app::effect::{Effect, Query, Reply};
use crate::app::event::Mouse;
use crate::page::action::Action;
use crate::page::keys::Scope;
use crate::page::place::Place;
use crate::study::home::Rehearsed;
use crate::widget::{bar, scroll, wrap};

/// The list of reports.
#[derive(Debug, Default)]
pub struct Reports {
    /// By pack id, as the store answered.
    found: Vec<(String, Vec<Rehearsed>)>,
    /// All of them, the newest first.
    all: Vec<Rehearsed>,
    selected: usize,
    top: usize,
    area: Rect,
}

impl Reports {
    /// What to ask for when it is opened.
    pub fn ask(context: &Context) -> Vec<Effect> {
        let packs = context.library.packs.iter();
        packs.map(|p| Effect::Recall(Query::Rehearsals(p.id.clone()))).collect()
    }

    fn open(&self) -> Vec<Effect> {
        let done = self.all.get(self.selected);
        done.map(|r| Effect::Go(Place::Report { id: r.id.clone() })).into_iter().collect()
    }

    /// The marks over time, once there are two.
    fn trend(&self, context: &Context) -> Line<'static> {
        const MOST: usize = 40;
        let theme = context.theme;
        let mut totals: Vec<f64> = self.all.iter().take(MOST).map(|r| r.total).collect();
        totals.reverse();
        if totals.len() < 2 {
            return Line::default();
        }
        Line::from(vec![
            Span::styled("  over time  ", theme.dim),
            bar::trend(&totals, theme),
            Span::styled("  now", theme.dim),
        ])
    }
}

impl Page for Reports {
    fn title(&self, _context: &Context) -> Vec<String> {
        vec!["Rehearsal reports".into()]
    }

    fn scopes(&self) -> Vec<Scope> {
        vec![Scope::Reports, Scope::Moving, Scope::Everywhere]
    }

    fn arrange(&mut self, area: Rect, _context: &Context) {
        self.area = Rect { y: area.y + area.height.min(2), height: area.height.saturating_sub(2), ..area };
        let height = self.area.height.into();
        let target = self.selected..self.selected + 1;
        self.top = scroll::keep_in_view(self.top, target, height, self.all.len());
    }

    fn act(&mut self, action: Action, _context: &Context) -> Vec<Effect> {
        match action {
            Action::Back => return vec![Effect::Back],
            Action::Open => return self.open(),
            Action::Rehearse => return vec![Effect::Go(Place::Rehearse)],
            action => self.selected = moving::after(action, self.selected, self.all.len(), self.area.height),
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
                self.selected = row.min(self.all.len().saturating_sub(1));
            }
            kind => self.selected = moving::after_wheel(kind, self.selected, self.all.len()),
        }
        Vec::new()
    }

    fn reply(&mut self, reply: &Reply, context: &Context) -> Vec<Effect> {
        match reply {
            Reply::Rehearsals(pack, found) => {
                self.found.retain(|(of, _)| of != pack);
                self.found.push((pack.clone(), found.clone()));
                self.all = self.found.iter().flat_map(|(_, f)| f).cloned().collect();
                self.all.sort_by_key(|r| std::cmp::Reverse(r.at));
                Vec::new()
            }
            // another one may have ended since
            Reply::Home(..) => Self::ask(context),
            _ => Vec::new(),
        }
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, context: &Context) {
        let theme = context.theme;
        let head = if self.all.is_empty() {
            Line::styled("  No rehearsal has ended yet. r sets one up.", theme.dim)
        } else {
            self.trend(context)
        };
        head.render(Rect { height: area.height.min(1), ..area }, buffer);
        for ((i, done), row) in self.all.iter().enumerate().skip(self.top).zip(self.area.rows()) {
            let pointer = if i == self.selected { theme.glyphs.pointer } else { " " };
            let mut line = rehearse::line(done, context);
            line.spans.insert(0, Span::styled(format!("{pointer} "), theme.accent));
            let row = Rect { width: row.width.saturating_sub(1), ..row };
            wrap::cut_line(&line, row.width.into(), theme.glyphs.cut).render(row, buffer);
            if i == self.selected {
                buffer.set_style(row, theme.cursor_line);
            }
        }
        draw_scrollbar(self.area, (self.top, self.all.len()), buffer, context);
    }
}
