//! Finding things by typing: a field, and under it what the words find, over the page.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::face::{Face, Look};
use super::reader::{self, Chosen, Pane};
use crate::page::action::Action;
use crate::page::find::Find;
use crate::page::key::{Code, Key};
use crate::page::keys::Scope;
use crate::page::place::Place;
use crate::page::view::{Lead, View};
use crate::page::{Act, At, Next, Page};
use crate::tui::event::Mouse;
use crate::widget::editor::Outcome;
use crate::widget::field::Field;
use crate::widget::popup;

/// The columns and rows it takes.
const SIZE: (u16, u16) = (76, 20);
/// The columns of the glossary, which takes all rows.
const GLOSSARY: u16 = 118;
/// From so many columns on the definition stands beside the list, else below it in so many rows.
const BESIDE: (u16, u16) = (90, 9);
/// From so many columns on what a row leads to stands beside the jump list, which leaves so many free.
const WIDE: u16 = 160;
const MARGIN: u16 = 20;
/// The characters that are looked for at most.
const LONGEST: usize = 400;
/// The columns before the field.
const LEAD: u16 = 3;
/// The rows of the field, with a blank one below.
const FIELD: u16 = 2;

/// A search with its field and its list.
pub struct Finding {
    page: Find,
    field: Field,
    view: View,
    list: Pane,
    /// The definition of the chosen term.
    beside: Option<Pane>,
    area: Rect,
    /// Whether there is room beside the list.
    is_wide: bool,
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
        let field = Field::with_text(page.typed(), LONGEST);
        let mut finding = Finding { page, field, view, list, beside: None, area: Rect::ZERO, is_wide: true };
        finding.look_beside(at);
        Some(finding)
    }

    /// Shows the definition of the term that is chosen now.
    fn look_beside(&mut self, at: &At) {
        let row = match self.list.chosen() {
            Some(Chosen::Choice(row)) => Some(row),
            _ => None,
        };
        let about = row.and_then(|row| match self.page.is_glossary() {
            true => self.page.about(row, at.services),
            false => self.page.preview(row, at.services).filter(|_| self.is_wide),
        });
        if self.beside.as_ref().map(Pane::document) != about.as_ref() {
            self.beside = about.map(reader::pane);
        }
    }

    /// The cells of the list, and of what stands beside it.
    fn areas(&self) -> (Rect, Rect) {
        let inner = popup::inside(self.area);
        let field = FIELD.min(inner.height);
        let list = Rect { y: inner.y + field, height: inner.height - field, ..inner };
        if !self.page.is_glossary() && !self.is_wide {
            return (list, Rect::ZERO);
        }
        if inner.width >= BESIDE.0 {
            let left = list.width * 9 / 20;
            let right = Rect { x: list.x + left, width: list.width - left, ..list };
            return (Rect { width: left, ..list }, right);
        }
        let below = BESIDE.1.min(list.height / 2);
        let above = list.height - below;
        (Rect { height: above.saturating_sub(1), ..list }, Rect { y: list.y + above, height: below, ..list })
    }

    /// Looks for what is typed now, where that changed.
    fn look(&mut self, outcome: Outcome, at: &mut At) -> Next {
        if outcome != Outcome::Changed {
            return Next::Stay;
        }
        let next = self.page.act(Act::Text(self.field.text().to_owned()), at);
        self.view = self.page.list();
        self.list = reader::pane(self.view.body.clone());
        self.look_beside(at);
        next
    }

    fn mouse_on_list(&mut self, kind: Mouse, cell: Position, at: &At) -> Next {
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
        self.look_beside(at);
        Next::Stay
    }

    /// Goes to what is chosen.
    fn go(&self) -> Next {
        match self.list.chosen() {
            Some(Chosen::Choice(row)) => match self.view.lead(row) {
                // a term stands over the list, and leads back to it
                Some(Lead::To(place @ Place::Term { .. })) => Next::Go(place.clone()),
                Some(Lead::To(place)) => Next::Replace(place.clone()),
                _ => Next::Stay,
            },
            _ => Next::Stay,
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
        // on a wide screen what the chosen row leads to stands beside the list
        self.is_wide = area.width >= WIDE;
        let (width, height) = match (self.page.is_glossary(), self.is_wide) {
            (true, _) => (GLOSSARY, area.height),
            (false, true) => (area.width - MARGIN, area.height * 3 / 4),
            (false, false) => SIZE,
        };
        self.area = popup::area(area, width, height);
        let (list, beside) = self.areas();
        self.list.arrange(list, look);
        if let Some(pane) = &mut self.beside {
            pane.arrange(beside, look);
        }
    }

    fn act(&mut self, action: Action, at: &mut At) -> Next {
        match action {
            Action::Back => return Next::Back,
            Action::Open => return self.go(),
            action => self.list.act(action),
        };
        self.look_beside(at);
        Next::Stay
    }

    fn typed(&mut self, key: Key, at: &mut At) -> Next {
        if key.code == Code::Backspace && self.field.text().is_empty() {
            return Next::Back;
        }
        let outcome = self.field.update(key);
        self.look(outcome, at)
    }

    fn pasted(&mut self, text: &str, at: &mut At) -> Next {
        let outcome = self.field.paste(text);
        self.look(outcome, at)
    }

    fn mouse(&mut self, kind: Mouse, cell: Position, at: &mut At) -> Next {
        let beside = self.beside.as_mut().filter(|pane| pane.contains(cell));
        match (kind, beside) {
            (Mouse::ScrollDown, Some(pane)) => pane.wheel(true),
            (Mouse::ScrollUp, Some(pane)) => pane.wheel(false),
            _ => return self.mouse_on_list(kind, cell, at),
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
            self.look_beside(at);
        }
        next
    }

    fn draw(&self, _: Rect, buffer: &mut Buffer, look: &Look) {
        let theme = look.theme;
        let title = if self.page.is_glossary() { "Glossary" } else { "Jump to" };
        popup::frame(self.area, title, buffer, theme);
        let inner = popup::inside(self.area);
        let hint = if self.field.text().is_empty() { self.page.asks_for() } else { "" };
        let mut line = Line::from(Span::styled(format!(" {} ", theme.glyphs.crumb), theme.dim));
        line.spans.extend(self.field.spans(usize::from(inner.width.saturating_sub(LEAD)), theme.text, theme));
        line.push_span(Span::styled(hint, theme.dim));
        line.render(Rect { height: inner.height.min(1), ..inner }, buffer);
        self.list.draw(true, buffer, look);
        let (list, beside) = self.areas();
        for y in (beside.y..beside.bottom()).filter(|_| beside.x > list.x) {
            buffer.set_string(beside.x.saturating_sub(1), y, theme.glyphs.border.vertical_left, theme.faint);
        }
        if let Some(pane) = &self.beside {
            pane.draw(false, buffer, look);
        }
    }

    fn cursor(&self) -> Option<Position> {
        let inner = popup::inside(self.area);
        let caret = self.field.caret(usize::from(inner.width.saturating_sub(LEAD)));
        Some(Position { x: (inner.x + LEAD + caret).min(inner.right().saturating_sub(1)), y: inner.y })
    }
}
