//! Finding things by typing: a field, and under it what the words find, over the page.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::face::{Face, Look};
use super::reader::{self, Chosen, Pane};
use crate::doc::escape;
use crate::page::action::Action;
use crate::page::find::Find;
use crate::page::key::{Code, Key};
use crate::page::keys::Scope;
use crate::page::place::Place;
use crate::page::view::{Lead, View};
use crate::page::{Act, At, Next, Page};
use crate::tui::event::Mouse;
use crate::widget::popup;
use crate::widget::wrap;

/// The columns and rows it takes.
const SIZE: (u16, u16) = (76, 20);
/// The rows of the field, with a blank one below.
const FIELD: u16 = 2;

/// A search with its field and its list.
pub struct Finding {
    page: Find,
    view: View,
    list: Pane,
    area: Rect,
}

impl Finding {
    /// The search of a place, if it is one.
    pub fn open(place: &Place, at: &At) -> Option<Self> {
        let page = match place {
            Place::Find { pack, words } => Find::anything(*pack, words, at.services),
            Place::Glossary { pack, lesson } => Find::terms(*pack, lesson.as_deref(), at.services),
            _ => return None,
        };
        let view = page.list();
        let list = reader::pane(view.body.clone());
        Some(Finding { page, view, list, area: Rect::ZERO })
    }

    fn type_in(&mut self, change: impl FnOnce(&mut String), at: &mut At) -> Next {
        let mut typed = self.page.typed().to_owned();
        change(&mut typed);
        let next = self.page.act(Act::Text(typed), at);
        self.view = self.page.list();
        self.list = reader::pane(self.view.body.clone());
        next
    }

    /// Goes to what is chosen; closes where nothing is.
    fn go(&self) -> Next {
        match self.list.chosen() {
            Some(Chosen::Choice(row)) => match self.view.lead(row) {
                Some(Lead::To(place)) => Next::Replace(place.clone()),
                _ => Next::Stay,
            },
            _ => Next::Back,
        }
    }
}

impl Face for Finding {
    fn page(&mut self) -> &mut dyn Page {
        &mut self.page
    }

    fn page_ref(&self) -> &dyn Page {
        &self.page
    }

    fn scopes(&self) -> Vec<Scope> {
        vec![Scope::Palette]
    }

    fn refresh(&mut self, _: &At) {}

    fn arrange(&mut self, area: Rect, look: &Look) {
        self.area = popup::area(area, SIZE.0, SIZE.1);
        let inner = popup::inside(self.area);
        let field = FIELD.min(inner.height);
        let list = Rect { y: inner.y + field, height: inner.height - field, ..inner };
        self.list.arrange(list, look);
    }

    fn act(&mut self, action: Action, _: &mut At) -> Next {
        match action {
            Action::Back => return Next::Back,
            Action::Open => return self.go(),
            action => self.list.act(action),
        };
        Next::Stay
    }

    fn typed(&mut self, key: Key, at: &mut At) -> Next {
        match (key.typed(), key.code) {
            (Some(c), _) => self.type_in(|typed| typed.push(c), at),
            (None, Code::Backspace) if self.page.typed().is_empty() => Next::Back,
            (None, Code::Backspace) => {
                self.type_in(|typed| typed.truncate(typed.floor_char_boundary(typed.len() - 1)), at)
            }
            (None, Code::Char('u')) if key.ctrl => self.type_in(String::clear, at),
            _ => Next::Stay,
        }
    }

    fn pasted(&mut self, text: &str, at: &mut At) -> Next {
        self.type_in(|typed| typed.extend(text.chars().filter(|c| !c.is_control())), at)
    }

    fn mouse(&mut self, kind: Mouse, cell: Position, _: &mut At) -> Next {
        match kind {
            Mouse::ScrollDown => self.list.wheel(true),
            Mouse::ScrollUp => self.list.wheel(false),
            Mouse::Click if !self.area.contains(cell) => return Next::Back,
            Mouse::Click if self.list.contains(cell) => {
                let before = self.list.chosen();
                if self.list.click(cell) || self.list.chosen() != before {
                    return self.go();
                }
            }
            Mouse::Click => {}
        }
        Next::Stay
    }

    fn tick(&mut self, at: &mut At) -> Next {
        if self.page.wake_at(at.now).is_none() {
            return Next::Stay;
        }
        let next = self.page.tick(at);
        let view = self.page.list();
        if view != self.view {
            self.list.show(view.body.clone());
            self.view = view;
        }
        next
    }

    fn draw(&self, _: Rect, buffer: &mut Buffer, look: &Look) {
        let theme = look.theme;
        let title = if self.page.is_glossary() { "Glossary" } else { "Jump to" };
        popup::frame(self.area, title, buffer, theme);
        let inner = popup::inside(self.area);
        let typed = escape::line(self.page.typed());
        let hint = if typed.is_empty() { self.page.asks_for() } else { "" };
        Line::from(vec![
            Span::styled(format!(" {} ", theme.glyphs.pointer), theme.accent),
            Span::styled(typed.into_owned(), theme.text),
            Span::styled(hint, theme.dim),
        ])
        .render(Rect { height: inner.height.min(1), ..inner }, buffer);
        self.list.draw(true, buffer, look);
    }

    fn cursor(&self) -> Option<Position> {
        let inner = popup::inside(self.area);
        let typed = u16::try_from(wrap::width(self.page.typed())).unwrap_or(0);
        Some(Position { x: (inner.x + 3 + typed).min(inner.right().saturating_sub(1)), y: inner.y })
    }
}
