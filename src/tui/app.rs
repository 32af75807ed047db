//! The program in the terminal: events in, effects out.
//!
//! The app owns the services and a stack of pages in their faces. [`App::update`] takes an event and gives
//! back what must be done outside; [`App::draw`] only looks.

use std::sync::LazyLock;

use jiff::Timestamp;
use ratatui::Frame;
use ratatui::layout::{Position, Rect};

use super::event::{Event, Mouse, What};
use super::face::{self, Face, Look};
use super::reader::Reader;
use crate::page::action::Action;
use crate::page::key::Key;
use crate::page::place::Place;
use crate::page::stack::Stack;
use crate::page::{At, Effect, Next, home, keys, settings};
use crate::services::job::{Done, Job};
use crate::services::library::{Library, Opened};
use crate::services::trust::Asked;
use crate::services::{Record, Services, run};
use crate::widget::frame;
use crate::widget::highlight::Highlighter;
use crate::widget::theme::{Palette, Theme};

/// The packs before there are any.
static NONE: Library = Library { packs: Vec::new(), broken: Vec::new() };

/// The whole state of the program.
pub struct App {
    /// None until the store is open: the first frame comes before.
    services: Option<Services>,
    /// The packs that show as long as there are no services.
    before: &'static Library,
    theme: Theme,
    highlighter: Highlighter,
    palette_is_fixed: bool,
    now: Timestamp,
    area: Rect,
    stack: Stack<Box<dyn Face>>,
    /// What stands above the footer until the next key.
    said: Option<String>,
    /// What must be done outside, in order.
    outside: Vec<Effect>,
    /// What is not kept at the end.
    left: Option<String>,
    dirty: bool,
}

/// How the program starts.
#[derive(Debug, Clone)]
pub struct Setup {
    /// The time at the start.
    pub now: Timestamp,
    /// The colours; none means: dark until the terminal tells.
    pub palette: Option<Palette>,
    /// Whether to draw with ASCII alone.
    pub ascii: bool,
}

impl App {
    /// An app that has no packs yet and shows an empty Home.
    pub fn new(setup: &Setup) -> Self {
        Self {
            services: None,
            before: &NONE,
            theme: Theme::new(setup.palette.unwrap_or(Palette::Dark), setup.ascii),
            highlighter: Highlighter::off(),
            palette_is_fixed: setup.palette.is_some(),
            now: setup.now,
            area: Rect::ZERO,
            stack: Stack::of(before(&NONE)),
            said: None,
            outside: Vec::new(),
            left: None,
            dirty: true,
        }
    }

    /// Shows the built-in course from the first frame on: for a learner of whom nothing is kept yet.
    pub fn begin_with_course(&mut self) {
        static COURSE: LazyLock<Library> =
            LazyLock::new(|| Library { packs: vec![crate::built_in::course()], broken: Vec::new() });
        self.before = &COURSE;
        self.stack = Stack::of(before(&COURSE));
    }

    /// Colours code with this from now on.
    pub fn colour_with(&mut self, highlighter: Highlighter) {
        self.highlighter = highlighter;
    }

    /// Takes the services, and opens a place on top of Home.
    pub fn load(&mut self, services: Services, place: &Place) -> Vec<Effect> {
        let kept = services.setting(settings::COLOURS).ok().flatten();
        let kept = [Palette::Dark, Palette::Light].into_iter().find(|p| Some(p.name()) == kept.as_deref());
        if let Some(palette) = kept.filter(|_| !self.palette_is_fixed) {
            self.palette_is_fixed = true;
            self.theme = Theme::new(palette, self.theme.glyphs.is_ascii());
        }
        self.services = Some(services);
        if let Some(home) = self.opened(&Place::Home) {
            self.stack = Stack::of(home);
        }
        if *place != Place::Home {
            self.go(place);
        }
        self.settle()
    }

    /// Handles an event. What is returned must be carried out outside, in order.
    pub fn update(&mut self, event: Event) -> Vec<Effect> {
        self.now = event.at;
        self.dirty = true;
        match event.what {
            What::Key(key) => self.key(key),
            What::Paste(text) => self.ask(|face, at| face.pasted(&text, at)),
            What::Mouse(kind, x, y) => self.mouse(kind, Position { x, y }),
            What::Resize(width, height) => {
                self.area = Rect::new(0, 0, width, height);
                // what a page says of the screen is asked for again
                self.stack.seen_mut().for_each(|face| {
                    let _ = face.page();
                });
            }
            What::Tick | What::Resumed => self.tick(),
            What::Suspend => self.outside.push(Effect::Suspend),
            What::Background { light } => self.turn_light(light),
            What::Coloured => {}
            What::Opened(opened) => self.opened_beside(*opened),
            What::Done(done) => self.done(&done),
            What::Terminate => self.quit(),
        }
        self.settle()
    }

    /// Lays out what is seen, and gives what must be done outside.
    fn settle(&mut self) -> Vec<Effect> {
        if let Some(notice) = self.services.as_mut().and_then(Services::take_notice) {
            self.said = Some(notice);
        }
        let screen = ((self.area.width, self.area.height), self.theme.palette.name());
        if let Some(services) = self.services.as_mut() {
            services.screen = Some(screen);
        }
        self.arrange();
        std::mem::take(&mut self.outside)
    }

    fn turn_light(&mut self, light: bool) {
        if !self.palette_is_fixed {
            let palette = if light { Palette::Light } else { Palette::Dark };
            self.theme = Theme::new(palette, self.theme.glyphs.is_ascii());
        }
    }

    /// Turns dark to light, or back, and keeps to that whatever the terminal says.
    fn turn_colours(&mut self) {
        let palette = match self.theme.palette {
            Palette::Dark => Palette::Light,
            Palette::Light => Palette::Dark,
            Palette::Sixteen | Palette::Mono => {
                self.said = Some("these colours are those of the terminal; --theme chooses others".into());
                return;
            }
        };
        self.palette_is_fixed = true;
        self.theme = Theme::new(palette, self.theme.glyphs.is_ascii());
        let kept = self.services.as_mut().and_then(|services| {
            services.keep(Record::setting(settings::COLOURS, palette.name()), self.now).said()
        });
        self.said = kept.or_else(|| Some(format!("{} from now on", palette.name())));
    }

    /// Lets what is on top do something, and goes where it leads.
    fn ask(&mut self, ask: impl FnOnce(&mut dyn Face, &mut At) -> Next) {
        let (Some(face), Some(services)) = (self.stack.top_mut(), self.services.as_mut()) else { return };
        let mut out = Vec::new();
        let next = ask(face.as_mut(), &mut At { services, now: self.now, out: &mut out });
        self.follow(next, out);
    }

    /// Asks some pages, and then goes where each of them leads.
    fn ask_each<'a>(
        faces: impl Iterator<Item = &'a mut Box<dyn Face>>,
        (services, now): (&mut Services, Timestamp),
        mut ask: impl FnMut(&mut dyn Face, &mut At) -> Next,
    ) -> Vec<(Next, Vec<Effect>)> {
        let ask = |face: &mut Box<dyn Face>| {
            let mut out = Vec::new();
            (ask(face.as_mut(), &mut At { services: &mut *services, now, out: &mut out }), out)
        };
        faces.map(ask).collect()
    }

    /// Carries out what a page asked for, and goes where it leads.
    fn follow(&mut self, next: Next, effects: Vec<Effect>) {
        effects.into_iter().for_each(|effect| self.carry_out(effect));
        match next {
            Next::Stay | Next::Show => {}
            Next::Go(place) => {
                self.leave();
                self.go(&place);
            }
            Next::Replace(place) => {
                self.leave();
                self.stack.drop_top();
                self.go(&place);
            }
            Next::Back => {
                self.leave();
                let grade = self.stack.top().and_then(|face| face.page_ref().result());
                // what stood over a page changed nothing of it
                let is_over = self.stack.popup().is_some();
                if self.stack.back() && !is_over {
                    self.ask(|face, at| face.page().back(grade, at));
                }
            }
            Next::Home => {
                self.leave();
                self.go(&Place::Home);
            }
            Next::Quit => self.quit(),
        }
    }

    fn carry_out(&mut self, effect: Effect) {
        match effect {
            Effect::Say(text) => self.said = Some(text),
            Effect::Turn => self.turn_colours(),
            Effect::Quit => self.quit(),
            Effect::Job(job) => match self.services.as_ref().and_then(|s| s.refused(&job)) {
                Some(done) => self.done(&done),
                None => self.outside.push(Effect::Job(job)),
            },
            effect @ (Effect::Bell | Effect::Copy(_) | Effect::Suspend) => self.outside.push(effect),
        }
    }

    /// A job ended: every page of the stack is told, whatever is on top.
    fn done(&mut self, done: &Done) {
        if let Done::Said(text) | Done::Failed(text) = done {
            self.said = Some(text.clone());
        }
        let Some(services) = self.services.as_mut() else { return };
        let faces = self.stack.all_mut();
        let told = Self::ask_each(faces, (services, self.now), |face, at| face.page().done(done, at));
        told.into_iter().for_each(|(next, out)| self.follow(next, out));
    }

    /// Tells the time to all that is seen: the clock of a page under another does not stop.
    fn tick(&mut self) {
        let Some(services) = self.services.as_mut() else { return };
        services.try_again(self.now);
        let faces = self.stack.seen_mut();
        let told = Self::ask_each(faces, (services, self.now), |face, at| face.tick(at));
        told.into_iter().for_each(|(next, out)| self.follow(next, out));
    }

    fn go(&mut self, place: &Place) {
        if *place == Place::Home {
            self.stack.home();
            self.ask(|face, at| face.page().back(None, at));
        } else if let Some(face) = self.opened(place) {
            let over = face.page_ref().is_popup();
            self.stack.open(face, over);
        }
    }

    /// Opens a place; says why where it cannot be opened.
    fn opened(&mut self, place: &Place) -> Option<Box<dyn Face>> {
        let services = self.services.as_mut()?;
        let mut out = Vec::new();
        let face = face::open(place, &mut At { services, now: self.now, out: &mut out });
        out.into_iter().for_each(|effect| self.carry_out(effect));
        face.map_err(|fault| self.said = Some(fault)).ok()
    }

    fn key(&mut self, key: Key) {
        self.said = self.services.as_ref().and_then(Services::waiting);
        let scopes = self.stack.top().map(|face| face.scopes()).unwrap_or_default();
        match keys::find(&scopes, key) {
            Some(Action::Quit) => self.quit(),
            Some(Action::Suspend) => self.outside.push(Effect::Suspend),
            Some(Action::Help) => self.follow(Next::Go(Place::Keys { scopes }), Vec::new()),
            Some(Action::Jump) => {
                self.follow(Next::Go(Place::Find { pack: 0, words: String::new() }), Vec::new());
            }
            Some(action) => self.ask(|face, at| face.act(action, at)),
            None => self.ask(|face, at| face.typed(key, at)),
        }
    }

    fn mouse(&mut self, kind: Mouse, at: Position) {
        let hit = match kind {
            Mouse::Click => frame::hint_at(self.area, at, &self.hints(), &self.theme),
            _ => None,
        };
        match hit.and_then(Key::parse) {
            Some(key) => self.key(key),
            None => self.ask(|face, to| face.mouse(kind, at, to)),
        }
    }

    /// Takes a pack that was opened beside the program.
    fn opened_beside(&mut self, opened: Opened) {
        let Some(services) = &mut self.services else { return };
        match opened {
            Opened::Broken(broken) => services.library.broken.push(broken),
            Opened::Read(read) => drop(services.adopt(*read)),
        }
        self.done(&Done::Opened);
    }

    fn leave(&mut self) {
        self.ask(|face, at| {
            face.leave(at);
            Next::Stay
        });
    }

    /// Keeps all that is open, and ends the program.
    fn quit(&mut self) {
        self.leave();
        while self.stack.popup().is_some() {
            self.stack.drop_top();
            self.leave();
        }
        self.left = self.services.as_mut().and_then(Services::close);
        self.outside.push(Effect::Quit);
    }

    /// Looks at the visible pages again and lays them out for the size at hand.
    fn arrange(&mut self) {
        let Self { services, theme, highlighter, now, stack, area, .. } = self;
        let look = Look { theme, highlighter };
        let body = frame::body(*area);
        // another size may have room for what was not looked at
        for _ in 0..2 {
            if let Some(services) = services.as_mut() {
                let mut out = Vec::new();
                let at = At { services, now: *now, out: &mut out };
                stack.seen_mut().for_each(|face| face.refresh(&at));
            }
            stack.seen_mut().for_each(|face| face.arrange(body, &look));
            if !stack.seen_mut().any(|face| face.is_stale()) {
                break;
            }
        }
    }

    fn hints(&self) -> Vec<(&'static str, &'static str)> {
        keys::hints(&self.stack.top().map(|face| face.scopes()).unwrap_or_default())
    }

    /// When the program wants to be woken without a key: never, unless a clock runs.
    pub fn wake_at(&self) -> Option<Timestamp> {
        let seen = [self.stack.popup(), self.stack.page()];
        let pages = seen.into_iter().flatten().filter_map(|face| face.wake_at(self.now));
        pages.chain(self.services.as_ref().and_then(|s| s.wake_at(self.now))).min()
    }

    /// Whether something changed since the last call.
    pub fn take_dirty(&mut self) -> bool {
        std::mem::take(&mut self.dirty)
    }

    /// Draws the program. Where the size is not the one of the last event, the next event
    /// will bring it; a frame in between is clipped.
    pub fn draw(&self, frame: &mut Frame) {
        let area = frame.area();
        if !frame::fits(area) {
            frame::too_small(area, frame.buffer_mut(), &self.theme);
            return;
        }
        let look = Look { theme: &self.theme, highlighter: &self.highlighter };
        let body = frame::body(area);
        let buffer = frame.buffer_mut();
        if let Some(face) = self.stack.page() {
            let facts = face.facts(area.width, &look);
            frame::title(area, buffer, &self.title(face.as_ref()), &facts, &self.theme);
            face.draw(body, buffer, &look);
        }
        if let Some(popup) = self.stack.popup() {
            popup.draw(body, buffer, &look);
        }
        frame::footer(area, buffer, &self.hints(), &self.theme);
        if let Some(said) = &self.said {
            frame::said(area, buffer, said, &self.theme);
        }
        frame::keep_plain(buffer, &self.theme);
        if let Some(cursor) = self.stack.top().and_then(|face| face.cursor()) {
            frame.set_cursor_position(cursor);
        }
    }

    fn title(&self, face: &dyn Face) -> Vec<String> {
        match &self.services {
            Some(services) => face.page_ref().title(services),
            None => self.before.packs.first().map(|pack| pack.title.clone()).into_iter().collect(),
        }
    }

    /// The packs at hand.
    pub fn library(&self) -> &Library {
        self.services.as_ref().map_or(self.before, |s| &s.library)
    }

    /// The packs and the store, once they are open.
    pub fn services(&self) -> Option<&Services> {
        self.services.as_ref()
    }

    /// Says something above the footer until the next key.
    pub fn say(&mut self, text: String) {
        self.said = Some(text);
        self.dirty = true;
    }

    /// What could not be kept, and where it is; after the end.
    pub fn left(&self) -> Option<&str> {
        self.left.as_deref()
    }

    /// The starter of a job that may run.
    pub fn starter(&self, job: &Job) -> Option<run::Starter> {
        let (Job::Run(pack, lab) | Job::Edit(pack, lab) | Job::Copy(pack, lab) | Job::RunCopy(pack, lab)) =
            job
        else {
            return None;
        };
        let (Asked::Run(starter) | Asked::Untrusted(starter, _)) =
            self.services.as_ref()?.starter(*pack, lab)?;
        Some(starter)
    }
}

/// Home before there are services.
fn before(library: &Library) -> Box<dyn Face> {
    Box::new(Reader::showing(Box::new(home::Home::default()), home::before(library)))
}
