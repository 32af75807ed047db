//! The program in the terminal: events in, effects out.
//!
//! The app owns the services and a stack of pages. [`App::update`] takes an event and gives back what must
//! be done outside; [`App::draw`] only looks. Some screens are no pages yet: what they ask for is carried
//! out by `bridge`, on the same services.

use std::sync::LazyLock;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use ratatui::Frame;
use ratatui::layout::{Position, Rect};

use crate::page::action::Action;
use crate::page::job::{Done, Job};
use crate::page::key::Key;
use crate::page::place::Place;
use crate::page::stack::Stack;
use crate::page::{self, At, Next, home, keys};
use crate::screen::{self, Context, Page, Screen, frame, open};
use crate::services::library::{Library, Opened};
use crate::services::trust::Asked;
use crate::services::{Services, run};
use crate::tui::face::{self, Face};
use crate::tui::reader::Reader;
use crate::widget::highlight::Highlighter;
use crate::widget::theme::{Palette, Theme};

mod bridge;
pub mod effect;
pub mod event;
pub mod memory;

use effect::{Effect, Query, Reply};
use event::{Event, Mouse, What};
use memory::Memory;

/// The packs before there are any.
static NONE: Library = Library { packs: Vec::new(), broken: Vec::new() };

/// The whole state of the program.
pub struct App {
    /// None until the store is open: the first frame comes before.
    services: Option<Services>,
    /// The packs that show as long as there are no services.
    before: &'static Library,
    memory: Memory,
    theme: Theme,
    highlighter: Highlighter,
    palette_is_fixed: bool,
    zone: TimeZone,
    now: Timestamp,
    area: Rect,
    stack: Stack<Screen>,
    /// What the footer says until the next key.
    said: Option<String>,
    dirty: bool,
}

/// How the program starts.
#[derive(Debug, Clone)]
pub struct Setup {
    /// The time at the start.
    pub now: Timestamp,
    /// The learner's zone.
    pub zone: TimeZone,
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
            memory: Memory::default(),
            theme: Theme::new(setup.palette.unwrap_or(Palette::Dark), setup.ascii),
            highlighter: Highlighter::off(),
            palette_is_fixed: setup.palette.is_some(),
            zone: setup.zone.clone(),
            now: setup.now,
            area: Rect::ZERO,
            stack: Stack::of(before(&NONE)),
            said: None,
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
    pub fn load(&mut self, services: Services, place: &Place) -> Vec<page::Effect> {
        self.services = Some(services);
        let mut effects = Vec::new();
        if let Ok((home, more)) = self.opened(&Place::Home) {
            self.stack = Stack::of(home);
            effects = more;
        }
        effects.extend((*place != Place::Home).then(|| Effect::Go(place.clone())));
        self.carry_out(effects)
    }

    /// Reads what the screens that are no pages yet know of the learner.
    fn learn(&mut self) {
        let packs = self.library().packs.iter().filter(|p| !p.index().puzzles.is_empty());
        let puzzles: Vec<Effect> = packs.map(|p| Effect::Recall(Query::Puzzles(p.id.clone()))).collect();
        let now = self.now;
        for effect in [Effect::Refresh].into_iter().chain(puzzles) {
            if let Some(reply) = self.services.as_mut().and_then(|s| bridge::carry_out(s, effect, now)) {
                self.remember(&reply);
            }
        }
    }

    /// Handles an event. What is returned must be carried out outside, in order.
    pub fn update(&mut self, event: Event) -> Vec<page::Effect> {
        self.now = event.at;
        self.dirty = true;
        let effects = match event.what {
            What::Key(key) => self.key(key),
            What::Paste(text) => {
                self.on_top(|page, c| page.pasted(&text, c), |face, at| face.pasted(&text, at))
            }
            What::Mouse(kind, x, y) => self.mouse(kind, Position { x, y }),
            What::Resize(w, h) => {
                self.area = Rect::new(0, 0, w, h);
                Vec::new()
            }
            What::Tick | What::Resumed => self.tick(),
            What::Background { light } => {
                if !self.palette_is_fixed {
                    let palette = if light { Palette::Light } else { Palette::Dark };
                    self.theme = Theme::new(palette, self.theme.glyphs.is_ascii());
                }
                Vec::new()
            }
            What::Coloured => Vec::new(),
            What::Opened(opened) => self.opened_beside(*opened),
            What::Done(done) => self.done(&done),
            What::Reply(reply) => self.reply(*reply),
            What::Terminate => vec![Effect::Quit],
        };
        self.carry_out(effects)
    }

    /// Carries out effects and all that follows from them. What is left is for the outside.
    fn carry_out(&mut self, effects: Vec<Effect>) -> Vec<page::Effect> {
        let mut outside = Vec::new();
        let mut todo: std::collections::VecDeque<Effect> = self.settle(effects).into();
        while let Some(effect) = todo.pop_front() {
            let more = match effect {
                Effect::Bell => {
                    outside.push(page::Effect::Bell);
                    continue;
                }
                Effect::Copy(text) => {
                    outside.push(page::Effect::Copy(text));
                    continue;
                }
                Effect::Suspend => {
                    outside.push(page::Effect::Suspend);
                    continue;
                }
                Effect::Quit => {
                    self.services.as_mut().and_then(Services::close);
                    outside.push(page::Effect::Quit);
                    break;
                }
                Effect::Job(job) => match self.services.as_ref().and_then(|s| s.refused(&job)) {
                    Some(done) => self.done(&done),
                    None => {
                        outside.push(page::Effect::Job(job));
                        continue;
                    }
                },
                effect => {
                    let now = self.now;
                    match self.services.as_mut().and_then(|s| bridge::carry_out(s, effect, now)) {
                        Some(reply) => self.reply(reply),
                        None => continue,
                    }
                }
            };
            todo.extend(self.settle(more));
        }
        outside
    }

    /// A job ended: every page of the stack is told, whatever is on top.
    fn done(&mut self, done: &Done) -> Vec<Effect> {
        let reply = match done {
            Done::Ran(ran) => Some(Reply::Ran(ran.clone())),
            Done::Opened | Done::Judged { .. } => None,
            Done::Said(text) => Some(Reply::Said(text.clone())),
            Done::Failed(text) => Some(Reply::Failed(text.clone())),
        };
        if let Done::Said(text) | Done::Failed(text) = done {
            self.said = Some(text.clone());
        }
        let Self { before, services, memory, theme, highlighter, zone, now, stack, .. } = self;
        let mut effects = Vec::new();
        for screen in stack.all_mut() {
            match (screen, services.as_mut()) {
                (Screen::Page(page), Some(services)) => {
                    effects.extend(asked((services, *now), |at| page.0.page().done(done, at)));
                }
                (screen, services) => {
                    let context =
                        context_of((services.as_deref(), memory, before), (theme, highlighter), (*now, zone));
                    effects.extend(reply.iter().flat_map(|reply| screen.page_mut().reply(reply, &context)));
                }
            }
        }
        effects
    }

    /// Carries out navigation, keeps the memory in step, and passes on the rest.
    fn settle(&mut self, effects: Vec<Effect>) -> Vec<Effect> {
        let mut out = Vec::new();
        let mut todo: std::collections::VecDeque<Effect> = effects.into();
        while let Some(effect) = todo.pop_front() {
            match effect {
                Effect::Go(place) => {
                    out.extend(self.leave());
                    self.go(&place, &mut todo);
                }
                Effect::Replace(place) => {
                    out.extend(self.leave());
                    self.stack.drop_top();
                    self.go(&place, &mut todo);
                }
                Effect::Back => {
                    out.extend(self.leave());
                    todo.extend(self.back());
                    out.push(Effect::Refresh);
                }
                Effect::Quit => {
                    out.extend(self.leave_all());
                    out.push(Effect::Quit);
                }
                Effect::Say(text) => self.said = Some(text),
                Effect::SavePosition(position) => {
                    self.memory.note_position(&position);
                    out.push(Effect::SavePosition(position));
                }
                other => out.push(other),
            }
        }
        self.arrange();
        out
    }

    fn go(&mut self, place: &Place, todo: &mut std::collections::VecDeque<Effect>) {
        if *place == Place::Home {
            self.stack.home();
            todo.extend(self.on_top(|_, _| Vec::new(), |face, at| face.page().back(None, at)));
            todo.push_back(Effect::Refresh);
            return;
        }
        match self.opened(place) {
            Ok((screen, effects)) => {
                let over = screen.is_popup();
                self.stack.open(screen, over);
                todo.extend(effects);
            }
            Err(text) => self.said = Some(text),
        }
    }

    /// Opens a place as a page, or as a screen where it is none yet.
    fn opened(&mut self, place: &Place) -> Result<(Screen, Vec<Effect>), String> {
        let now = self.now;
        if let Some(services) = self.services.as_mut() {
            let mut out = Vec::new();
            let on = page::rehearse::led_on(place, &At { services, now, out: &mut out })?;
            if let Some(place) = on {
                return self.opened(&place);
            }
            if let Some(face) = face::open(place, &mut At { services, now, out: &mut out }) {
                let screen = Screen::Page(screen::Adapted(face?));
                return Ok((screen, out.into_iter().map(Effect::from).collect()));
            }
        }
        self.learn();
        open(place, &self.context()).ok_or_else(|| "that place is not in this pack".into())
    }

    fn context(&self) -> Context<'_> {
        let looks = (&self.theme, &self.highlighter);
        context_of((self.services.as_ref(), &self.memory, self.before), looks, (self.now, &self.zone))
    }

    /// Lets the pop-up, or else the top page, do something.
    fn on_top(
        &mut self,
        old: impl FnOnce(&mut dyn Page, &Context) -> Vec<Effect>,
        new: impl FnOnce(&mut dyn Face, &mut At) -> Next,
    ) -> Vec<Effect> {
        let Self { before, services, memory, theme, highlighter, zone, now, stack, .. } = self;
        match (stack.top_mut(), services.as_mut()) {
            (Some(Screen::Page(page)), Some(services)) => {
                asked((services, *now), |at| new(page.0.as_mut(), at))
            }
            (Some(screen), services) => {
                let context =
                    context_of((services.as_deref(), memory, before), (theme, highlighter), (*now, zone));
                old(screen.page_mut(), &context)
            }
            (None, _) => Vec::new(),
        }
    }

    /// Goes back, and tells the page below.
    fn back(&mut self) -> Vec<Effect> {
        let grade = match self.stack.top() {
            Some(Screen::Page(page)) => page.0.page_ref().result(),
            _ => None,
        };
        if !self.stack.back() {
            return Vec::new();
        }
        self.on_top(|_, _| Vec::new(), |face, at| face.page().back(grade, at))
    }

    /// Tells the time to all that is seen: the clock of a page under another does not stop.
    fn tick(&mut self) -> Vec<Effect> {
        let Self { before, services, memory, theme, highlighter, zone, now, stack, .. } = self;
        if let Some(services) = services {
            services.try_again(*now);
        }
        let mut effects = Vec::new();
        for screen in stack.seen_mut() {
            match (screen, services.as_mut()) {
                (Screen::Page(page), Some(services)) => {
                    effects.extend(asked((services, *now), |at| page.0.tick(at)));
                }
                (screen, services) => {
                    let context =
                        context_of((services.as_deref(), memory, before), (theme, highlighter), (*now, zone));
                    effects.extend(screen.page_mut().tick(&context));
                }
            }
        }
        effects
    }

    fn key(&mut self, key: Key) -> Vec<Effect> {
        self.said = self.services.as_ref().and_then(Services::waiting);
        let scopes = self.top().map(|s| s.page().scopes()).unwrap_or_default();
        match keys::find(&scopes, key) {
            Some(Action::Quit) => vec![Effect::Quit],
            Some(Action::Suspend) => vec![Effect::Suspend],
            Some(Action::Help) => vec![Effect::Go(Place::Keys { scopes })],
            Some(Action::Jump) => vec![Effect::Go(Place::Find { pack: 0, words: String::new() })],
            Some(action) => self.on_top(|page, c| page.act(action, c), |face, at| face.act(action, at)),
            None => self.on_top(|page, c| page.typed(key, c), |face, at| face.typed(key, at)),
        }
    }

    fn mouse(&mut self, kind: Mouse, at: Position) -> Vec<Effect> {
        let hit = match kind {
            Mouse::Click => frame::hint_at((self.area, self.foot(self.area)), at, &self.hints()),
            _ => None,
        };
        match hit.and_then(Key::parse) {
            Some(key) => self.key(key),
            None => self.on_top(|page, c| page.mouse(kind, at, c), |face, to| face.mouse(kind, at, to)),
        }
    }

    /// Keeps what the store told in the memory, and says its faults.
    fn remember(&mut self, reply: &Reply) {
        match reply {
            Reply::Home(homes, positions) => self.memory.learn(homes.clone(), positions.clone()),
            Reply::Puzzles(pack, best) => self.memory.learn_puzzles(pack.clone(), best.clone()),
            Reply::Failed(text) | Reply::Said(text) => self.said = Some(text.clone()),
            _ => {}
        }
    }

    fn reply(&mut self, reply: Reply) -> Vec<Effect> {
        self.remember(&reply);
        let told = |face: &mut dyn Face, at: &mut At| match &reply {
            // what a screen left behind was written after it was left
            Reply::Home(..) => face.page().done(&Done::Opened, at),
            _ => Next::Stay,
        };
        self.on_top(|page, c| page.reply(&reply, c), told)
    }

    /// Takes a pack that was opened beside the program.
    fn opened_beside(&mut self, opened: Opened) -> Vec<Effect> {
        let Some(services) = &mut self.services else { return Vec::new() };
        match opened {
            Opened::Broken(broken) => services.library.broken.push(broken),
            Opened::Read(read) => drop(services.adopt(*read)),
        }
        self.done(&Done::Opened)
    }

    fn leave(&mut self) -> Vec<Effect> {
        let left = |face: &mut dyn Face, at: &mut At| {
            face.leave(at);
            Next::Stay
        };
        let effects = self.on_top(|page, c| page.leave(c), left);
        for effect in &effects {
            if let Effect::SavePosition(position) = effect {
                self.memory.note_position(position);
            }
        }
        effects
    }

    fn leave_all(&mut self) -> Vec<Effect> {
        let mut effects = self.leave();
        if self.stack.popup().is_some() {
            self.stack.drop_top();
            effects.extend(self.leave());
        }
        effects
    }

    /// Looks at the visible pages again and lays them out for the size at hand.
    fn arrange(&mut self) {
        let Self { before, services, memory, theme, highlighter, zone, now, stack, area, .. } = self;
        if let Some(services) = services {
            let mut out = Vec::new();
            let at = At { services, now: *now, out: &mut out };
            for screen in stack.seen_mut() {
                if let Screen::Page(page) = screen {
                    page.0.refresh(&at);
                }
            }
        }
        let context = context_of((services.as_ref(), memory, before), (theme, highlighter), (*now, zone));
        let foot = stack.page().map_or(1, |s| s.page().foot(area.width));
        let inner = frame::body(*area, foot);
        for screen in stack.seen_mut() {
            screen.page_mut().arrange(inner, &context);
        }
    }

    fn top(&self) -> Option<&Screen> {
        self.stack.top()
    }

    /// The rows of the footer. A pop-up keeps those of the screen under it, so that nothing jumps.
    fn foot(&self, area: Rect) -> u16 {
        self.stack.page().map_or(1, |s| s.page().foot(area.width))
    }

    fn hints(&self) -> Vec<(&'static str, &'static str)> {
        keys::hints(&self.top().map(|s| s.page().scopes()).unwrap_or_default())
    }

    /// When the program wants to be woken without a key: never, unless a clock runs.
    pub fn wake_at(&self) -> Option<Timestamp> {
        let context = self.context();
        let visible = [self.stack.popup(), self.stack.page()];
        let pages = visible.into_iter().flatten().filter_map(|s| s.page().wake_at(&context));
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
        let context = self.context();
        let body = frame::body(area, self.foot(area));
        if let Some(screen) = self.stack.page() {
            let page = screen.page();
            let facts = page.facts(area.width, &context);
            frame::title(area, frame.buffer_mut(), &page.title(&context), &facts, &self.theme);
            page.draw(body, frame.buffer_mut(), &context);
        }
        if let Some(popup) = self.stack.popup() {
            popup.page().draw(body, frame.buffer_mut(), &context);
        }
        frame::footer(
            (area, self.foot(area)),
            frame.buffer_mut(),
            (self.said.as_deref(), &self.hints()),
            &self.theme,
        );
        if let Some(cursor) = self.top().and_then(|s| s.page().cursor()) {
            frame.set_cursor_position(cursor);
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

    /// Says something in the footer until the next key.
    pub fn say(&mut self, text: String) {
        self.said = Some(text);
        self.dirty = true;
    }

    /// The starter of a job that may run.
    pub fn starter(&self, job: &Job) -> Option<run::Starter> {
        let (Job::Run(pack, lab) | Job::Edit(pack, lab)) = job else { return None };
        let (Asked::Run(starter) | Asked::Untrusted(starter, _)) =
            self.services.as_ref()?.starter(*pack, lab)?;
        Some(starter)
    }
}

/// Home before there are services.
fn before(library: &Library) -> Screen {
    let reader = Reader::showing(Box::new(home::Home::default()), home::before(library));
    Screen::Page(screen::Adapted(Box::new(reader)))
}

fn context_of<'a>(
    (services, memory, before): (Option<&'a Services>, &'a Memory, &'a Library),
    (theme, highlighter): (&'a Theme, &'a Highlighter),
    (now, zone): (Timestamp, &'a TimeZone),
) -> Context<'a> {
    let library = services.map_or(before, |s| &s.library);
    Context { library, services, memory, theme, highlighter, now, zone }
}

/// Asks a page, and gives what comes of it as effects.
fn asked((services, now): (&mut Services, Timestamp), ask: impl FnOnce(&mut At) -> Next) -> Vec<Effect> {
    let mut out = Vec::new();
    let next = ask(&mut At { services, now, out: &mut out });
    let mut effects: Vec<Effect> = out.into_iter().map(Effect::from).collect();
    effects.extend(match next {
        Next::Stay | Next::Show => None,
        Next::Go(place) => Some(Effect::Go(place)),
        Next::Replace(place) => Some(Effect::Replace(place)),
        Next::Back => Some(Effect::Back),
        Next::Home => Some(Effect::Go(Place::Home)),
        Next::Quit => Some(Effect::Quit),
    });
    effects
}

impl From<page::Effect> for Effect {
    fn from(effect: page::Effect) -> Self {
        match effect {
            page::Effect::Say(text) => Effect::Say(text),
            page::Effect::Bell => Effect::Bell,
            page::Effect::Copy(text) => Effect::Copy(text),
            page::Effect::Job(job) => Effect::Job(job),
            page::Effect::Suspend => Effect::Suspend,
            page::Effect::Quit => Effect::Quit,
        }
    }
}
