//! How the terminal shows a page: the reader for most of them, special drawing for some.

use jiff::Timestamp;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use crate::page::action::Action;
use crate::page::key::Key;
use crate::page::keys::Scope;
use crate::page::place::Place;
use crate::page::{self, At, Next, Page};
use crate::tui::event::Mouse;
use crate::widget::highlight::Highlighter;
use crate::widget::theme::Theme;

use super::find::Finding;
use super::puzzle::Board;
use super::reader::Reader;
use super::sheet::Sheet;
use super::sim::Screen;
use super::writer::Writer;
use super::{lab, lesson, program};

/// What a page is drawn with.
#[derive(Debug, Clone, Copy)]
pub struct Look<'a> {
    /// Colours and glyphs.
    pub theme: &'a Theme,
    /// Colours code.
    pub highlighter: &'a Highlighter,
}

/// A page in the terminal: a page, and what only a terminal has of it: cursor, areas, cells.
///
/// After anything happened, `refresh` looks at the page again and `arrange` lays it out; drawing only
/// looks. [`super::reader::Reader`] is the face of every page that needs no drawing of its own.
pub trait Face {
    /// The page itself, for what concerns no terminal: time, jobs, leaving, coming back.
    fn page(&mut self) -> &mut dyn Page;

    /// The page itself.
    fn page_ref(&self) -> &dyn Page;

    /// Which rows of the key table hold now: those of the page, then those of its face.
    fn scopes(&self) -> Vec<Scope>;

    /// Looks at the page again.
    fn refresh(&mut self, at: &At);

    /// Whether it has to look at the page once more, now that it knows its area.
    fn is_stale(&self) -> bool {
        false
    }

    /// Lays itself out for an area. Cheap where nothing changed.
    fn arrange(&mut self, area: Rect, look: &Look);

    /// Moves, or asks the page.
    fn act(&mut self, action: Action, at: &mut At) -> Next;

    /// Takes a key that the table does not know.
    fn typed(&mut self, _key: Key, _at: &mut At) -> Next {
        Next::Stay
    }

    /// Takes pasted text.
    fn pasted(&mut self, _text: &str, _at: &mut At) -> Next {
        Next::Stay
    }

    /// Takes a click or the wheel at a cell of the terminal.
    fn mouse(&mut self, _kind: Mouse, _cell: Position, _at: &mut At) -> Next {
        Next::Stay
    }

    /// When it wants to be drawn again without a key.
    fn wake_at(&self, now: Timestamp) -> Option<Timestamp> {
        self.page_ref().wake_at(now)
    }

    /// What stands at the right end of the title line of a terminal this wide.
    fn facts(&self, _width: u16, _look: &Look) -> Line<'static> {
        Line::default()
    }

    /// Lets time pass.
    fn tick(&mut self, at: &mut At) -> Next {
        self.page().tick(at)
    }

    /// Keeps what is not kept yet: the page is left.
    fn leave(&mut self, at: &mut At) {
        self.page().leave(at);
    }

    /// Draws itself.
    fn draw(&self, area: Rect, buffer: &mut Buffer, look: &Look);

    /// Where the terminal's cursor stands, if it shows.
    fn cursor(&self) -> Option<Position> {
        None
    }
}

/// Opens a place with the face it has.
///
/// # Errors
/// A sentence where it cannot be opened.
pub fn open(place: &Place, at: &mut At) -> Result<Box<dyn Face>, String> {
    fn boxed<F: Face + 'static>(face: Result<F, String>) -> Result<Box<dyn Face>, String> {
        face.map(|face| Box::new(face) as Box<dyn Face>)
    }
    let own = (Finding::open(place, at).map(|face| boxed(Ok(face))))
        .or_else(|| page::worksheet(place, at).map(|sheet| boxed(Ok(Sheet::new(sheet)))))
        .or_else(|| lab::Bench::open(place, at).map(boxed))
        .or_else(|| program::Bench::open(place, at).map(boxed))
        .or_else(|| lesson::Reader::open(place, at).map(boxed))
        .or_else(|| Screen::open(place, at).map(boxed))
        .or_else(|| Board::open(place, at).map(boxed));
    if let Some(own) = own {
        return own;
    }
    let page = page::open(place, at)?;
    Ok(match place {
        Place::Posting
        | Place::Drill { .. }
        | Place::PartAgain { .. }
        | Place::Rehearsal { .. }
        | Place::Verdict { .. }
        | Place::RehearseWith { start: true, .. } => Box::new(Writer::new(page)),
        _ => Box::new(Reader::new(page)),
    })
}
