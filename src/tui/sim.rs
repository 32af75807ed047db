//! A simulator in the terminal: knobs, a picture that moves, the numbers, and questions before the reveal.

use jiff::Timestamp;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use super::face::{Face, Look};
use crate::page::action::Action;
use crate::page::key::Key;
use crate::page::keys::Scope;
use crate::page::place::Place;
use crate::page::sim::{Play, Simulator};
use crate::page::{At, Next, Page};
use crate::sim::Parameter;
use crate::tui::event::Mouse;
use crate::widget::field::Field;

mod act;
mod areas;
mod ask;
mod draw;
mod knobs;
mod lay;
mod numbers;
mod pane;
mod reel;

use areas::Areas;
use lay::Drawn;
use reel::Reel;

/// A page with a simulator: the simulator itself, a puzzle.
pub trait Holds: Page {
    /// The simulator.
    fn model(&self) -> &Simulator;
    /// The simulator, to change it.
    fn model_mut(&mut self) -> &mut Simulator;
}

impl Holds for Simulator {
    fn model(&self) -> &Simulator {
        self
    }

    fn model_mut(&mut self) -> &mut Simulator {
        self
    }
}

/// A simulator on a screen.
#[derive(Debug)]
pub struct Screen<P> {
    page: P,
    knob: usize,
    reel: Reel,
    mode: Mode,
    /// What is typed as an answer.
    answer: Field,
    /// The number whose formula is shown.
    number: usize,
    /// Whether the knobs are folded away, where the person chose.
    folded: Option<bool>,
    /// Whether the keys are elsewhere.
    is_away: bool,
    area: Rect,
    areas: Areas,
    /// The folded knobs that are seen, with their cells.
    strip_cells: Vec<(usize, Rect)>,
    /// The goal of a puzzle in one line, and its conditions.
    aim: Option<Line<'static>>,
    goal: Vec<Line<'static>>,
    /// The rows of the large pane, and of the numbers.
    pane: Vec<Line<'static>>,
    numbers: Vec<Line<'static>>,
    pane_top: usize,
    numbers_top: usize,
    /// The picture as it was drawn last.
    drawn: Option<Drawn>,
    /// The pictures under it, where there is room.
    others: Option<Drawn>,
}

/// What the keys work on.
#[derive(Debug)]
enum Mode {
    /// The knobs are turned.
    Turn,
    /// A value is typed for the chosen knob.
    Type(Field),
    /// The formulas are looked at.
    Formula,
    /// A question is asked, or was answered.
    Ask,
}

impl Screen<Simulator> {
    /// The simulator of a place, if it is one.
    pub fn open(place: &Place, at: &At) -> Option<Result<Self, String>> {
        let Place::Sim { kind, set, link } = place else { return None };
        let page = Simulator::open(kind, set, link.as_deref(), at.services);
        Some(page.map(|page| Screen::of(page).still(at.services.is_still)))
    }
}

impl<P: Holds> Screen<P> {
    /// A page with a simulator, its first knob that turns chosen.
    pub fn of(page: P) -> Self {
        let all = page.model().sim().kind().parameters;
        let first = all.iter().position(|p| !matches!(page.model().play(p.name), Play::Fixed));
        Self {
            page,
            knob: first.unwrap_or_default(),
            reel: Reel::default(),
            mode: Mode::Turn,
            answer: ask::field(),
            number: 0,
            folded: None,
            is_away: false,
            area: Rect::ZERO,
            areas: Areas::default(),
            strip_cells: Vec::new(),
            aim: None,
            goal: Vec::new(),
            pane: Vec::new(),
            numbers: Vec::new(),
            pane_top: 0,
            numbers_top: 0,
            drawn: None,
            others: None,
        }
    }

    /// The same; where that is said, its pictures are stepped by keys alone.
    pub fn still(mut self, is_still: bool) -> Self {
        self.reel.is_still = is_still;
        self
    }

    /// The keys of a picture that has steps.
    fn steps(&self) -> Scope {
        if self.reel.is_still { Scope::SimStill } else { Scope::SimSteps }
    }

    /// The page.
    pub fn held(&self) -> &P {
        &self.page
    }

    /// The page, to change it.
    pub fn held_mut(&mut self) -> &mut P {
        &mut self.page
    }

    /// Whether the keys work on the knobs and the picture.
    pub fn is_turning(&self) -> bool {
        matches!(self.mode, Mode::Turn)
    }

    /// Gives the keys away, or takes them back.
    pub fn let_go(&mut self, is_away: bool) {
        self.is_away = is_away;
    }

    /// Whether the keys turn knobs.
    fn has_knobs(&self) -> bool {
        matches!(self.mode, Mode::Turn | Mode::Type(_)) && !self.is_away
    }

    /// The chosen knob.
    fn parameter(&self) -> &'static Parameter {
        let all = self.page.model().sim().kind().parameters;
        &all[self.knob.min(all.len() - 1)]
    }

    fn click(&mut self, at: Position) {
        let is_turning = self.is_turning();
        if let Some(number) = self.number_at(at).filter(|_| is_turning || matches!(self.mode, Mode::Formula))
        {
            self.number = number;
            self.mode = Mode::Formula;
            self.pane_top = 0;
        } else if let Some(knob) = self.knob_at(at).filter(|_| is_turning)
            && !matches!(
                self.page.model().play(self.page.model().sim().kind().parameters[knob].name),
                Play::Fixed
            )
        {
            if self.knob == knob {
                self.turn(1);
            }
            self.knob = knob;
        }
    }
}

impl<P: Holds> Face for Screen<P> {
    fn page(&mut self) -> &mut dyn Page {
        &mut self.page
    }

    fn page_ref(&self) -> &dyn Page {
        &self.page
    }

    fn scopes(&self) -> Vec<Scope> {
        let ask = self.page.model().ask.as_ref();
        match &self.mode {
            Mode::Turn if self.reel.moves(&self.page.model().run().views) => {
                let plays = self.reel.plays().then_some(Scope::SimPlays);
                let steps = [self.steps(), Scope::Sim, Scope::Moving, Scope::Everywhere];
                plays.into_iter().chain(steps).collect()
            }
            Mode::Turn => vec![Scope::Sim, Scope::Moving, Scope::Everywhere],
            Mode::Type(_) => vec![Scope::SimValue, Scope::Typing],
            Mode::Formula => vec![Scope::SimFormula, Scope::Moving, Scope::Everywhere],
            Mode::Ask if !self.page.model().is_asked() => {
                vec![Scope::SimAnswered, Scope::Moving, Scope::Everywhere]
            }
            Mode::Ask if ask.is_some_and(|ask| ask.is_typed()) => vec![Scope::SimAnswer, Scope::Typing],
            Mode::Ask => vec![Scope::SimChoice, Scope::Everywhere],
        }
    }

    fn refresh(&mut self, _: &At) {}

    fn arrange(&mut self, area: Rect, look: &Look) {
        self.area = area;
        self.lay(look);
    }

    fn act(&mut self, action: Action, at: &mut At) -> Next {
        match &self.mode {
            Mode::Turn => return self.act_on_knobs(action, at),
            Mode::Type(_) => self.act_on_value(action),
            Mode::Formula => self.act_on_formula(action),
            Mode::Ask => self.act_on_question(action),
        }
        Next::Stay
    }

    fn typed(&mut self, key: Key, _: &mut At) -> Next {
        match &mut self.mode {
            Mode::Type(text) => {
                self.page.model_mut().said = None;
                text.update(key);
            }
            Mode::Ask => {
                if let Some(ask) = self.page.model_mut().ask.as_mut().filter(|ask| ask.judged.is_none()) {
                    ask::key(ask, &mut self.answer, key);
                }
            }
            Mode::Turn => {
                let begins = |c: char| c.is_ascii_digit() || c == '-' || c == '.';
                if key.typed().is_some_and(begins) {
                    self.start_typing(Some(key));
                }
            }
            Mode::Formula => {}
        }
        Next::Stay
    }

    fn pasted(&mut self, text: &str, _: &mut At) -> Next {
        match &mut self.mode {
            Mode::Type(typed) => {
                typed.paste(text);
            }
            Mode::Ask => {
                if let Some(ask) = self.page.model_mut().ask.as_mut() {
                    ask::paste(ask, &mut self.answer, text);
                }
            }
            _ => {}
        }
        Next::Stay
    }

    fn mouse(&mut self, kind: Mouse, at: Position, _: &mut At) -> Next {
        let over = |area: Rect| area.contains(at);
        match kind {
            Mouse::Click => self.click(at),
            Mouse::ScrollDown if over(self.areas.pane) => self.scroll(3),
            Mouse::ScrollUp if over(self.areas.pane) => self.scroll(-3),
            _ if !self.is_turning() => {}
            Mouse::ScrollDown if over(self.areas.knobs) || over(self.areas.knob) => self.choose(1),
            Mouse::ScrollUp if over(self.areas.knobs) || over(self.areas.knob) => self.choose(-1),
            Mouse::ScrollDown | Mouse::ScrollUp => {}
        }
        Next::Stay
    }

    fn wake_at(&self, _: Timestamp) -> Option<Timestamp> {
        self.reel.wake_at()
    }

    fn tick(&mut self, at: &mut At) -> Next {
        self.reel.tick(at.now, &self.page.model().run().views);
        Next::Stay
    }

    fn leave(&mut self, _: &mut At) {
        self.reel.pause();
    }

    fn draw(&self, _: Rect, buffer: &mut Buffer, look: &Look) {
        draw::draw(self, buffer, look);
    }
}
