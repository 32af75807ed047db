//! A file of a measured program in the terminal: its code with the note of the chosen line, over the whole width.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::face::{Face, Look};
use super::lesson::named;
use super::starter::Starter;
use crate::page::action::Action;
use crate::page::keys::Scope;
use crate::page::place::Place;
use crate::page::{self, Act, At, Next, Page};
use crate::tui::event::Mouse;

/// Columns that code and notes need at most.
const WIDEST: u16 = 120;

/// A program with its notes.
pub struct Bench {
    page: Box<dyn Page>,
    starter: Starter,
}

impl Bench {
    /// The program of a place, if it is one.
    pub fn open(place: &Place, at: &mut At) -> Option<Result<Self, String>> {
        let Place::Program { pack, id, file } = place else { return None };
        let page = match page::open(place, at) {
            Ok(page) => page,
            Err(fault) => return Some(Err(fault)),
        };
        let of = at.services.pack(*pack)?;
        let lab = of.lab(id)?.1.measured(*file)?;
        Some(Ok(Bench { page, starter: Starter::new(&named(of, &lab), None) }))
    }
}

impl Face for Bench {
    fn page(&mut self) -> &mut dyn Page {
        self.page.as_mut()
    }

    fn page_ref(&self) -> &dyn Page {
        self.page.as_ref()
    }

    fn scopes(&self) -> Vec<Scope> {
        let notes = if self.starter.hides_notes() { Scope::CodeHidden } else { Scope::CodeNotes };
        vec![notes, Scope::Code, Scope::Moving, Scope::Everywhere]
    }

    fn refresh(&mut self, _at: &At) {}

    fn arrange(&mut self, area: Rect, look: &Look) {
        let bar = 1.min(area.height);
        let width = area.width.min(WIDEST);
        let code = Rect { y: area.y + bar, height: area.height - bar, width, ..area };
        self.starter.arrange(code, look);
    }

    fn act(&mut self, action: Action, at: &mut At) -> Next {
        if action == Action::Back {
            return Next::Back;
        }
        if self.starter.act(action) {
            return Next::Stay;
        }
        self.page.act(Act::Do(action), at)
    }

    fn mouse(&mut self, kind: Mouse, cell: Position, _at: &mut At) -> Next {
        match kind {
            Mouse::Click => drop(self.starter.click(cell)),
            Mouse::ScrollDown | Mouse::ScrollUp => {
                let action = if kind == Mouse::ScrollDown { Action::Down } else { Action::Up };
                for _ in 0..3 {
                    self.starter.act(action);
                }
            }
        }
        Next::Stay
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, look: &Look) {
        let path = crate::doc::escape::line(self.starter.path()).into_owned();
        let bar = Rect { height: 1.min(area.height), ..area };
        let place = Span::styled(format!("   {}", self.starter.position()), look.theme.dim);
        Line::from(vec![Span::styled(format!(" {path}"), look.theme.accent), place]).render(bar, buffer);
        self.starter.draw(true, buffer, look);
    }
}
