//! The screens: a closed set, each with its own state.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use crate::app::effect::{Effect, Reply};
use crate::app::event::Mouse;
use crate::app::memory::Memory;
use crate::page::action::Action;
use crate::page::key::Key;
use crate::page::keys::Scope;
use crate::page::place::Place;
use crate::services::Services;
use crate::services::library::Library;
use crate::tui::face::{Face, Look};
use crate::widget::highlight::Highlighter;
use crate::widget::theme::Theme;

pub mod frame;
mod moving;
pub(crate) mod popup;
mod rate;
mod reading;
mod rehearsal;

use rehearsal::Running;

/// A screen, with its state.
#[allow(missing_docs)] // each variant is documented by its type
pub enum Screen {
    Running(Box<Running>),
    Page(Adapted),
}

impl Screen {
    /// What it can do.
    pub fn page(&self) -> &dyn Page {
        match self {
            Screen::Running(s) => s.as_ref(),
            Screen::Page(s) => s,
        }
    }

    /// What it can do, changing it.
    pub fn page_mut(&mut self) -> &mut dyn Page {
        match self {
            Screen::Running(s) => s.as_mut(),
            Screen::Page(s) => s,
        }
    }

    /// Whether it stands over another screen instead of replacing it.
    pub fn is_popup(&self) -> bool {
        matches!(self, Screen::Page(page) if page.0.page_ref().is_popup())
    }
}

/// Opens a place: its screen, and what the screen asks for at once. None where the place is
/// not in the packs.
pub fn open(place: &Place, context: &Context) -> Option<(Screen, Vec<Effect>)> {
    // all others are pages
    let Place::Rehearsal { run, bell } = place else { return None };
    let (running, effects) = Running::new(run, *bell, context)?;
    Some((Screen::Running(Box::new(running)), effects))
}

/// What a screen may look at. It changes nothing of it; it asks for effects.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The packs.
    pub library: &'a Library,
    /// The packs and the store, once they are open.
    pub services: Option<&'a Services>,
    /// What is known of the learner.
    pub memory: &'a Memory,
    /// Colours and glyphs.
    pub theme: &'a Theme,
    /// Colours code.
    pub highlighter: &'a Highlighter,
    /// The time of the event being handled.
    pub now: Timestamp,
    /// The zone of the learner, for day boundaries.
    pub zone: &'a TimeZone,
}

impl<'a> Context<'a> {
    /// What is drawn with.
    pub fn look(&self) -> Look<'a> {
        Look { theme: self.theme, highlighter: self.highlighter }
    }
}

/// What every screen can do. All but `title`, `scopes`, `arrange`, `act` and `draw` have a
/// meaning for few screens.
pub trait Page {
    /// The words of the title line.
    fn title(&self, context: &Context) -> Vec<String>;

    /// Which rows of the key table hold now, the most particular first.
    fn scopes(&self) -> Vec<Scope>;

    /// What stands at the right end of the title line of a terminal this wide.
    fn facts(&self, _width: u16, _context: &Context) -> Line<'static> {
        Line::default()
    }

    /// The rows of its footer at a width, the same in all that it does.
    fn foot(&self, _width: u16) -> u16 {
        1
    }

    /// Lays itself out for an area. Called before every drawing; cheap where nothing changed.
    fn arrange(&mut self, area: Rect, context: &Context);

    /// Acts on what a key asked for.
    fn act(&mut self, action: Action, context: &Context) -> Vec<Effect>;

    /// Takes a key that the table does not know, while a text field is open.
    fn typed(&mut self, _key: Key, _context: &Context) -> Vec<Effect> {
        Vec::new()
    }

    /// Takes pasted text.
    fn pasted(&mut self, _text: &str, _context: &Context) -> Vec<Effect> {
        Vec::new()
    }

    /// Takes a click or the wheel at a cell of the terminal.
    fn mouse(&mut self, _kind: Mouse, _at: Position, _context: &Context) -> Vec<Effect> {
        Vec::new()
    }

    /// The next time at which something moves without a key.
    fn wake_at(&self, _context: &Context) -> Option<Timestamp> {
        None
    }

    /// That time has come.
    fn tick(&mut self, _context: &Context) -> Vec<Effect> {
        Vec::new()
    }

    /// The outside answered an effect.
    fn reply(&mut self, _reply: &Reply, _context: &Context) -> Vec<Effect> {
        Vec::new()
    }

    /// The screen is left, for another one or for good: what must be kept is asked for now.
    fn leave(&mut self, _context: &Context) -> Vec<Effect> {
        Vec::new()
    }

    /// Draws itself.
    fn draw(&self, area: Rect, buffer: &mut Buffer, context: &Context);

    /// Where the terminal's cursor stands, if it shows.
    fn cursor(&self) -> Option<Position> {
        None
    }
}

/// A page among the screens that are none yet: what they have in common. The app asks pages itself.
pub struct Adapted(pub Box<dyn Face>);

impl Page for Adapted {
    fn title(&self, context: &Context) -> Vec<String> {
        match context.services {
            Some(services) => self.0.page_ref().title(services),
            None => context.library.packs.first().map(|pack| pack.title.clone()).into_iter().collect(),
        }
    }

    fn scopes(&self) -> Vec<Scope> {
        self.0.scopes()
    }

    fn foot(&self, width: u16) -> u16 {
        self.0.footer_height(width)
    }

    fn arrange(&mut self, area: Rect, context: &Context) {
        self.0.arrange(area, &Look { theme: context.theme, highlighter: context.highlighter });
    }

    fn act(&mut self, _action: Action, _context: &Context) -> Vec<Effect> {
        Vec::new()
    }

    fn wake_at(&self, context: &Context) -> Option<Timestamp> {
        self.0.wake_at(context.now)
    }

    fn facts(&self, width: u16, context: &Context) -> Line<'static> {
        self.0.facts(width, &Look { theme: context.theme, highlighter: context.highlighter })
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, context: &Context) {
        self.0.draw(area, buffer, &Look { theme: context.theme, highlighter: context.highlighter });
    }

    fn cursor(&self) -> Option<Position> {
        self.0.cursor()
    }
}
