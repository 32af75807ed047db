//! A simulator: knobs, a picture that moves, the numbers, and questions before the reveal.

use std::collections::BTreeMap;

use jiff::Timestamp;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use super::{Context, Page, frame};
use crate::app::effect::Effect;
use crate::app::event::Mouse;
use crate::pack::Lab;
use crate::page::action::Action;
use crate::page::key::Key;
use crate::page::keys::{self, Scope};
use crate::sim::puzzle::Goal as Rules;
use crate::sim::{Parameter, Results, Sim};

mod act;
mod areas;
mod ask;
mod draw;
mod knobs;
mod lay;
mod numbers;
mod pane;
mod reel;
mod turn;

use areas::Areas;
use ask::Ask;
use knobs::{Play, Said};
use lay::Drawn;
use reel::Reel;

/// A simulator with its knobs.
#[derive(Debug)]
pub struct Simulator {
    sim: Sim,
    /// As it was opened, to come back to.
    opened: Sim,
    /// The puzzle that says which knobs turn, if it is one.
    rules: Option<Box<Rules>>,
    /// Whether the puzzle is solved, so that its pictures may show all.
    is_revealed: bool,
    /// What to look at, as the lesson says that it was opened from.
    hint: Option<String>,
    run: Results,
    knob: usize,
    said: Option<Said>,
    /// The preset set last, from 1; 0 stands for the values it was opened with.
    preset: usize,
    /// Its name, as long as no knob was turned since.
    named: Option<&'static str>,
    reel: Reel,
    mode: Mode,
    /// The number whose formula is shown.
    number: usize,
    /// The question to be asked next.
    question: usize,
    /// Whether the knobs are folded away, where the person chose.
    folded: Option<bool>,
    area: Rect,
    areas: Areas,
    /// The rows of the large pane, and of the numbers.
    pane: Vec<Line<'static>>,
    numbers: Vec<Line<'static>>,
    pane_top: usize,
    numbers_top: usize,
    /// The picture as it was drawn last.
    drawn: Option<Drawn>,
    /// The pictures under it, where there is room.
    others: Option<Drawn>,
    /// How often the knobs were turned.
    turns: u64,
}

/// What a lesson says beside the link of this address, which leads to a simulator at these values.
fn hint(kind: &str, set: &BTreeMap<String, f64>, (link, context): (&str, &Context)) -> Option<String> {
    let lessons = context.library.packs.iter().flat_map(|p| &p.lessons);
    let links = lessons.flat_map(|l| l.sim_links().chain(l.labs.iter().flat_map(Lab::sim_links)));
    let mut found = links.filter(|(address, s)| address == link && s.kind == kind && s.set == *set);
    found.find_map(|(_, s)| s.note.clone())
}

/// What the keys work on.
#[derive(Debug)]
enum Mode {
    /// The knobs are turned.
    Turn,
    /// A value is typed for the chosen knob.
    Type(String),
    /// The formulas are looked at.
    Formula,
    /// A question is asked, or was answered.
    Ask(Box<Ask>),
}

impl Simulator {
    /// A simulator of a kind at some values, with the address of the link that led there; none where there
    /// is no such kind or parameter.
    pub fn open(
        kind: &str,
        set: &BTreeMap<String, f64>,
        (link, context): (Option<&str>, &Context),
    ) -> Option<Self> {
        let mut screen = Self::new(Sim::open(kind, set).ok()?);
        screen.hint = link.and_then(|link| hint(kind, set, (link, context)));
        Some(screen)
    }

    /// The simulator of a puzzle, of which only some knobs turn.
    pub fn of(rules: &Rules) -> Self {
        let mut screen = Self::new(rules.start.clone());
        let all = rules.start.kind().parameters;
        let first = all.iter().position(|p| rules.knob(p.name).is_some());
        screen.knob = first.unwrap_or_default();
        screen.run = rules.run(&screen.sim);
        screen.rules = Some(Box::new(rules.clone()));
        screen
    }

    /// Shows the pictures too that compare settings: the puzzle is solved.
    pub fn reveal(&mut self) {
        self.is_revealed = true;
        self.run = self.sim.run();
    }

    fn new(sim: Sim) -> Self {
        let run = sim.run();
        Self {
            opened: sim.clone(),
            hint: None,
            rules: None,
            is_revealed: false,
            sim,
            run,
            knob: 0,
            said: None,
            preset: 0,
            named: None,
            reel: Reel::default(),
            mode: Mode::Turn,
            number: 0,
            question: 0,
            folded: None,
            area: Rect::ZERO,
            areas: Areas::default(),
            pane: Vec::new(),
            numbers: Vec::new(),
            pane_top: 0,
            numbers_top: 0,
            drawn: None,
            others: None,
            turns: 0,
        }
    }

    /// The simulator as it stands.
    pub fn sim(&self) -> &Sim {
        &self.sim
    }

    /// What it found.
    pub fn run(&self) -> &Results {
        &self.run
    }

    /// Whether the keys work on the knobs and the picture.
    pub fn is_turning(&self) -> bool {
        matches!(self.mode, Mode::Turn)
    }

    /// What the knob of this name may do.
    fn play(&self, name: &str) -> Play<'_> {
        match &self.rules {
            None => Play::Free,
            Some(rules) => rules.knob(name).map_or(Play::Fixed, Play::Within),
        }
    }

    /// The chosen knob.
    fn parameter(&self) -> &'static Parameter {
        let all = self.sim.kind().parameters;
        &all[self.knob.min(all.len() - 1)]
    }

    fn predict(&mut self) {
        let count = self.run.questions.len();
        if let Some(question) = self.run.questions.get(self.question % count.max(1)) {
            let of = (self.question % count + 1, count);
            self.mode = Mode::Ask(Box::new(Ask::new(question.clone(), of)));
            self.question += 1;
            self.pane_top = 0;
            self.reel.pause();
        }
    }

    /// Whether the answer to a question is still to come, so that nothing may show it.
    fn is_asked(&self) -> bool {
        matches!(&self.mode, Mode::Ask(ask) if ask.judged.is_none())
    }

    /// What stands over the picture: what does not fit, and what to look at while nothing was changed.
    fn told(&self) -> (&[String], Option<&str>) {
        let hint = self.hint.as_deref().filter(|_| self.sim == self.opened);
        (&self.run.notes, hint)
    }

    fn click(&mut self, at: Position) {
        if matches!(self.mode, Mode::Turn | Mode::Formula)
            && let Some(number) = self.number_at(at)
        {
            self.number = number;
            self.mode = Mode::Formula;
            self.pane_top = 0;
        } else if matches!(self.mode, Mode::Turn)
            && let Some(knob) = self.knob_at(at)
            && !matches!(self.play(self.sim.kind().parameters[knob].name), Play::Fixed)
        {
            if self.knob == knob {
                self.turn(1);
            }
            self.knob = knob;
        }
    }
}

impl Page for Simulator {
    fn title(&self, _context: &Context) -> Vec<String> {
        let title = self.sim.kind().title;
        [title].into_iter().chain(self.named).map(str::to_owned).collect()
    }

    fn scopes(&self) -> Vec<Scope> {
        match &self.mode {
            Mode::Turn if self.reel.moves(&self.run.views) => {
                vec![Scope::SimSteps, Scope::Sim, Scope::Moving, Scope::Everywhere]
            }
            Mode::Turn => vec![Scope::Sim, Scope::Moving, Scope::Everywhere],
            Mode::Type(_) => vec![Scope::SimValue, Scope::Typing],
            Mode::Formula => vec![Scope::SimFormula, Scope::Moving, Scope::Everywhere],
            Mode::Ask(ask) if ask.judged.is_some() => {
                vec![Scope::SimAnswered, Scope::Moving, Scope::Everywhere]
            }
            Mode::Ask(ask) if ask.is_typed() => vec![Scope::SimAnswer, Scope::Typing],
            Mode::Ask(_) => vec![Scope::SimChoice, Scope::Everywhere],
        }
    }

    fn foot(&self, width: u16) -> u16 {
        let scopes = [Scope::SimSteps, Scope::Sim, Scope::Everywhere];
        frame::rows(width, &keys::hints(&scopes))
    }

    fn arrange(&mut self, area: Rect, context: &Context) {
        self.area = area;
        self.lay(context);
    }

    fn act(&mut self, action: Action, context: &Context) -> Vec<Effect> {
        match &self.mode {
            Mode::Turn => return self.act_on_knobs(action, context),
            Mode::Type(_) => self.act_on_value(action),
            Mode::Formula => self.act_on_formula(action),
            Mode::Ask(_) => self.act_on_question(action),
        }
        Vec::new()
    }

    fn typed(&mut self, key: Key, _context: &Context) -> Vec<Effect> {
        match &mut self.mode {
            Mode::Type(text) => {
                self.said = None;
                ask::edit(text, key);
            }
            Mode::Ask(ask) if ask.judged.is_none() => ask.key(key),
            Mode::Turn => {
                let begins = |c: char| c.is_ascii_digit() || c == '-' || c == '.';
                if key.typed().is_some_and(begins) {
                    self.start_typing(Some(key));
                }
            }
            _ => {}
        }
        Vec::new()
    }

    fn pasted(&mut self, text: &str, _context: &Context) -> Vec<Effect> {
        match &mut self.mode {
            Mode::Type(typed) => ask::paste(typed, text),
            Mode::Ask(ask) if ask.is_typed() => ask::paste(&mut ask.typed, text),
            _ => {}
        }
        Vec::new()
    }

    fn mouse(&mut self, kind: Mouse, at: Position, _context: &Context) -> Vec<Effect> {
        let over = |area: Rect| area.contains(at);
        match kind {
            Mouse::Click => self.click(at),
            Mouse::ScrollDown if over(self.areas.pane) => self.scroll(3),
            Mouse::ScrollUp if over(self.areas.pane) => self.scroll(-3),
            _ if !matches!(self.mode, Mode::Turn) => {}
            Mouse::ScrollDown if over(self.areas.knobs) => self.choose(1),
            Mouse::ScrollUp if over(self.areas.knobs) => self.choose(-1),
            Mouse::ScrollDown | Mouse::ScrollUp => {}
        }
        Vec::new()
    }

    fn wake_at(&self, _context: &Context) -> Option<Timestamp> {
        self.reel.wake_at()
    }

    fn tick(&mut self, context: &Context) -> Vec<Effect> {
        self.reel.tick(context.now, &self.run.views);
        Vec::new()
    }

    fn leave(&mut self, _context: &Context) -> Vec<Effect> {
        self.reel.pause();
        Vec::new()
    }

    fn draw(&self, _area: Rect, buffer: &mut Buffer, context: &Context) {
        draw::draw(self, buffer, context);
    }
}
