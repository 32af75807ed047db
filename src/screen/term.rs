//! The definition of a term, over the screen.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::reading::{Opened, Reading};
use super::{Context, Page, popup};
use crate::app::action::Action;
use crate::app::effect::Effect;
use crate::app::event::Mouse;
use crate::app::keys::Scope;
use crate::pack::{Pack, prose};

/// A term's definition.
#[derive(Debug)]
pub struct Term {
    pack: usize,
    name: String,
    reading: Reading,
    area: Rect,
}

impl Term {
    /// The definition of a term of a pack; none where the pack has no such term.
    pub fn new((index, pack): (usize, &Pack), id: &str) -> Option<Self> {
        let text = prose::term(pack, id)?;
        let name = pack.term(id)?.name.clone();
        Some(Self { pack: index, name, reading: Reading::new(&pack.named(&text), 0), area: Rect::ZERO })
    }

    fn open(&self, opened: Option<Opened>) -> Vec<Effect> {
        match opened {
            Some(Opened::Place(place)) => vec![Effect::Replace(place)],
            Some(Opened::Address(address)) => vec![Effect::Copy(address)],
            None => vec![Effect::Back],
        }
    }
}

impl Page for Term {
    fn title(&self, _context: &Context) -> Vec<String> {
        vec![self.name.clone()]
    }

    fn scopes(&self) -> Vec<Scope> {
        vec![Scope::Popup, Scope::Links, Scope::Moving]
    }

    fn arrange(&mut self, area: Rect, context: &Context) {
        self.area = popup::area(area, 64, 12);
        self.reading.arrange(popup::inside(self.area), context);
    }

    fn act(&mut self, action: Action, _context: &Context) -> Vec<Effect> {
        match action {
            Action::Back => return vec![Effect::Back],
            Action::Open => return self.open(self.reading.open(self.pack)),
            other => {
                self.reading.act(other);
            }
        }
        Vec::new()
    }

    fn mouse(&mut self, kind: Mouse, at: Position, _context: &Context) -> Vec<Effect> {
        match kind {
            Mouse::ScrollDown => self.reading.scroll(1),
            Mouse::ScrollUp => self.reading.scroll(-1),
            Mouse::Click if !self.area.contains(at) => return vec![Effect::Back],
            Mouse::Click => {
                if let Some(opened) = self.reading.click(at, self.pack) {
                    return self.open(Some(opened));
                }
            }
        }
        Vec::new()
    }

    fn draw(&self, _area: Rect, buffer: &mut Buffer, context: &Context) {
        popup::frame(self.area, &self.name, buffer, context.theme);
        self.reading.draw(buffer, context);
    }
}
