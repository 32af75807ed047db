//! Home: go on where you were, what is due, the course with its progress.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::{Context, Page};
use crate::app::effect::Effect;
use crate::app::event::Mouse;
use crate::page::action::Action;
use crate::page::keys::Scope;
use crate::page::place::Place;
use crate::study::next;
use crate::widget::scroll;

mod draw;
mod row;

use row::{Kind, Row};

/// The start screen.
#[derive(Debug, Default)]
pub struct Home {
    /// The unfolded lessons: pack index and lesson id.
    unfolded: Vec<(usize, String)>,
    selected: usize,
    top: usize,
    rows: Vec<Row>,
    list: Rect,
}

impl Home {
    fn selected_row(&self) -> Option<&Row> {
        self.rows.get(self.selected)
    }

    /// The lesson that the selected row is or belongs to.
    fn lesson(&self) -> Option<(usize, &str)> {
        self.selected_row().and_then(Row::lesson)
    }

    fn move_by(&mut self, by: isize) {
        let mut at = self.selected;
        loop {
            let next = at.saturating_add_signed(by.signum());
            if next >= self.rows.len() || next == at {
                break;
            }
            at = next;
            if self.rows[at].selectable() {
                self.selected = at;
                break;
            }
        }
    }

    fn jump(&mut self, to_end: bool) {
        let mut selectable = (0..self.rows.len()).filter(|i| self.rows[*i].selectable());
        let target = if to_end { selectable.next_back() } else { selectable.next() };
        self.selected = target.unwrap_or(0);
    }

    fn unfold(&mut self, open: bool, context: &Context) {
        let Some((pack, id)) = self.lesson().map(|(pack, id)| (pack, id.to_owned())) else {
            return;
        };
        self.unfolded.retain(|(p, l)| (*p, l) != (pack, &id));
        if open {
            self.unfolded.push((pack, id.clone()));
        }
        self.rows = row::rows(context, &self.unfolded);
        let at =
            self.rows.iter().position(|r| matches!(&r.kind, Kind::Lesson(p, l) if *p == pack && *l == id));
        if !open {
            self.selected = at.unwrap_or(self.selected);
        }
    }

    /// A drill of the selected lesson, or else of the first that has one: never answered, or answered
    /// longest ago.
    fn drill(&self, context: &Context) -> Option<Place> {
        let (pack, lesson) = self.lesson().unwrap_or((0, ""));
        let of = context.library.packs.get(pack)?;
        let home = context.memory.home(pack)?;
        let all = || of.drills.iter().min_by_key(|d| home.answered.get(&d.id));
        let drill = next::drill(of, home, lesson).or_else(all)?;
        Some(Place::Drill { pack, id: drill.id.clone(), only: None })
    }
}

impl Page for Home {
    fn title(&self, context: &Context) -> Vec<String> {
        context.library.packs.first().map(|p| p.title.clone()).into_iter().collect()
    }

    fn scopes(&self) -> Vec<Scope> {
        let news = self.rows.iter().any(|r| r.kind == Kind::Do(Place::News));
        let news = news.then_some(Scope::HomeNews);
        let rest = [Scope::Home, Scope::Moving, Scope::Everywhere];
        news.into_iter().chain(rest).collect()
    }

    fn arrange(&mut self, area: Rect, context: &Context) {
        let before = self.rows.len();
        let on = self.selected_row().map(|row| row.kind.clone());
        let first = self.rows.iter().position(Row::selectable) == Some(self.selected);
        self.rows = row::rows(context, &self.unfolded);
        // rows come and go above it; what was selected stays so, unless it was simply the first
        let found = self.rows.iter().position(|row| Some(&row.kind) == on.as_ref());
        match found {
            Some(at) if !first => self.selected = at,
            _ if first => self.jump(false),
            _ => {}
        }
        if self.selected >= self.rows.len() || !self.rows[self.selected].selectable() || before == 0 {
            self.jump(false);
        }
        self.list = draw::list_area(area);
        self.top = scroll::keep_in_view(
            self.top,
            self.selected.saturating_sub(1)..self.selected + 1,
            self.list.height.into(),
            self.rows.len(),
        );
    }

    fn act(&mut self, action: Action, context: &Context) -> Vec<Effect> {
        let page = isize::try_from(self.list.height).unwrap_or(1);
        match action {
            Action::Down => self.move_by(1),
            Action::Up => self.move_by(-1),
            Action::PageDown => (0..page / 2).for_each(|_| self.move_by(1)),
            Action::PageUp => (0..page / 2).for_each(|_| self.move_by(-1)),
            Action::Top => self.jump(false),
            Action::Bottom => self.jump(true),
            Action::Right => self.unfold(true, context),
            Action::Left => self.unfold(false, context),
            Action::Open => {
                return self.selected_row().and_then(Row::place).map(Effect::Go).into_iter().collect();
            }
            Action::Continue => {
                return self.rows.iter().find_map(Row::place).map(Effect::Go).into_iter().collect();
            }
            Action::Drill => return self.drill(context).map(Effect::Go).into_iter().collect(),
            Action::Rehearse => return vec![Effect::Go(Place::Rehearse)],
            Action::Review => return vec![Effect::Go(Place::Review { ahead: 0 })],
            Action::News => return vec![Effect::Go(Place::News)],
            Action::Plan => return vec![Effect::Go(Place::Plan)],
            Action::Progress => return vec![Effect::Go(Place::Progress)],
            Action::Glossary => return vec![Effect::Go(Place::Glossary { pack: 0, lesson: None })],
            Action::Sims => return vec![Effect::Go(Place::Sims)],
            Action::History => return vec![Effect::Go(Place::History { drill: None })],
            Action::Problems if !context.library.broken.is_empty() => {
                return vec![Effect::Go(Place::Problems)];
            }
            _ => {}
        }
        Vec::new()
    }

    fn mouse(&mut self, kind: Mouse, at: Position, _context: &Context) -> Vec<Effect> {
        match kind {
            Mouse::ScrollDown => self.move_by(1),
            Mouse::ScrollUp => self.move_by(-1),
            Mouse::Click if self.list.contains(at) => {
                let row = self.top + usize::from(at.y - self.list.y);
                if self.rows.get(row).is_some_and(Row::selectable) {
                    if self.selected == row {
                        return self.rows[row].place().map(Effect::Go).into_iter().collect();
                    }
                    self.selected = row;
                }
            }
            Mouse::Click => {}
        }
        Vec::new()
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, context: &Context) {
        draw::draw(self, area, buffer, context);
    }
}
