//! State and update: events in, effects out.
//!
//! The app owns a stack of screens and at most one pop-up over them. [`App::update`] takes
//! an event and gives back what must be done outside; [`App::draw`] only looks.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use ratatui::Frame;
use ratatui::layout::{Position, Rect};

use crate::screen::{self, Context, Page, Screen, frame, open};
use crate::widget::highlight::Highlighter;
use crate::widget::theme::{Palette, Theme};

pub mod action;
pub mod effect;
pub mod event;
pub mod key;
pub mod keys;
pub mod library;
pub mod memory;
pub mod place;
pub mod task;

use action::Action;
use effect::{Effect, Query, Reply};
use event::{Event, Mouse, What};
use key::Key;
use library::{Library, Opened};
use memory::{INTERVIEW, Memory, TODAY};
use place::Place;

/// The whole state of the program.
#[derive(Debug)]
pub struct App {
    library: Library,
    memory: Memory,
    theme: Theme,
    highlighter: Highlighter,
    palette_is_fixed: bool,
    zone: TimeZone,
    now: Timestamp,
    area: Rect,
    screens: Vec<Screen>,
    popup: Option<Screen>,
    /// Where to begin, once the store has told what it keeps.
    first: Option<Place>,
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
        let mut app = Self {
            library: Library::default(),
            memory: Memory::default(),
            theme: Theme::new(setup.palette.unwrap_or(Palette::Dark), setup.ascii),
            highlighter: Highlighter::off(),
            palette_is_fixed: setup.palette.is_some(),
            zone: setup.zone.clone(),
            now: setup.now,
            area: Rect::ZERO,
            screens: Vec::new(),
            popup: None,
            first: None,
            said: None,
            dirty: true,
        };
        app.screens.extend(app.opened(&Place::Home).map(|(screen, _)| screen));
        app
    }

    /// Colours code with this from now on.
    pub fn colour_with(&mut self, highlighter: Highlighter) {
        self.highlighter = highlighter;
    }

    /// Takes the packs, and opens a place on top of Home.
    pub fn load(&mut self, library: Library, place: &Place) -> Vec<Effect> {
        self.library = library;
        let home = self.opened(&Place::Home).map(|(screen, _)| screen);
        self.screens = home.into_iter().collect();
        // Opened when the drafts and positions are known: they decide what the screen shows.
        self.first = (*place != Place::Home).then(|| place.clone());
        let settings = [INTERVIEW, TODAY].map(|name| Effect::Recall(Query::Setting(name)));
        let packs = self.library.packs.iter().filter(|p| !p.index().puzzles.is_empty());
        let puzzles = packs.map(|p| Effect::Recall(Query::Puzzles(p.id.clone())));
        let rest = [Effect::Refresh, Effect::Recall(Query::News)];
        self.settle(settings.into_iter().chain(puzzles).chain(rest).collect())
    }

    /// Handles an event. What is returned must be carried out outside, in order.
    pub fn update(&mut self, event: Event) -> Vec<Effect> {
        self.now = event.at;
        self.dirty = true;
        let effects = match event.what {
            What::Key(key) => self.key(key),
            What::Paste(text) => self.on_top(|page, c| page.pasted(&text, c)),
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
            What::Reply(reply) => self.reply(*reply),
            What::Terminate => vec![Effect::Quit],
        };
        self.settle(effects)
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
                    if self.popup.take().is_none() && self.screens.len() > 1 {
                        self.screens.pop();
                    }
                    self.go(&place, &mut todo);
                }
                Effect::Back => {
                    out.extend(self.leave());
                    if self.popup.take().is_none() && self.screens.len() > 1 {
                        self.screens.pop();
                    }
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
                Effect::Set(INTERVIEW, date) => {
                    self.memory.learn_interview(Some(&date));
                    out.push(Effect::Set(INTERVIEW, date));
                    out.extend(self.plan_today());
                }
                Effect::SeeNews(pack) => {
                    self.memory.see_news(&pack);
                    out.push(Effect::SeeNews(pack));
                }
                other => out.push(other),
            }
        }
        self.arrange();
        out
    }

    fn go(&mut self, place: &Place, todo: &mut std::collections::VecDeque<Effect>) {
        if *place == Place::Home {
            self.popup = None;
            self.screens.truncate(1);
            todo.push_back(Effect::Refresh);
            return;
        }
        match self.opened(place) {
            Some((screen, effects)) => {
                if screen.is_popup() {
                    self.popup = Some(screen);
                } else {
                    self.popup = None;
                    self.screens.push(screen);
                }
                todo.extend(effects);
            }
            None => self.said = Some("that place is not in this pack".into()),
        }
    }

    fn opened(&self, place: &Place) -> Option<(Screen, Vec<Effect>)> {
        open(place, &self.context())
    }

    fn context(&self) -> Context<'_> {
        Context {
            library: &self.library,
            memory: &self.memory,
            theme: &self.theme,
            highlighter: &self.highlighter,
            now: self.now,
            zone: &self.zone,
        }
    }

    /// Lets the pop-up, or else the top screen, do something.
    fn on_top(&mut self, act: impl FnOnce(&mut dyn Page, &Context) -> Vec<Effect>) -> Vec<Effect> {
        let Self { library, memory, theme, highlighter, zone, now, screens, popup, .. } = self;
        let context = Context { library, memory, theme, highlighter, now: *now, zone };
        match popup.as_mut().or(screens.last_mut()) {
            Some(screen) => act(screen.page_mut(), &context),
            None => Vec::new(),
        }
    }

    /// Tells the time to the pop-up and to the screen under it: its clock does not stop.
    fn tick(&mut self) -> Vec<Effect> {
        let mut effects = self.on_top(|page, c| page.tick(c));
        if let Some(popup) = self.popup.take() {
            effects.extend(self.on_top(|page, c| page.tick(c)));
            self.popup = Some(popup);
        }
        effects
    }

    fn key(&mut self, key: Key) -> Vec<Effect> {
        self.said = None;
        let scopes = self.top().map(|s| s.page().scopes()).unwrap_or_default();
        match keys::find(&scopes, key) {
            Some(Action::Quit) => vec![Effect::Quit],
            Some(Action::Suspend) => vec![Effect::Suspend],
            Some(Action::Help) => vec![Effect::Go(Place::Keys { scopes })],
            Some(Action::Jump) => vec![Effect::Go(Place::Palette)],
            Some(action) => self.on_top(|page, c| page.act(action, c)),
            None => self.on_top(|page, c| page.typed(key, c)),
        }
    }

    fn mouse(&mut self, kind: Mouse, at: Position) -> Vec<Effect> {
        let hit = match kind {
            Mouse::Click => frame::hint_at((self.area, self.foot(self.area)), at, &self.hints()),
            _ => None,
        };
        match hit.and_then(Key::parse) {
            Some(key) => self.key(key),
            None => self.on_top(|page, c| page.mouse(kind, at, c)),
        }
    }

    fn reply(&mut self, reply: Reply) -> Vec<Effect> {
        match &reply {
            Reply::Home(homes, positions) => self.memory.learn(homes.clone(), positions.clone()),
            Reply::Setting(TODAY, kept) => self.memory.learn_today(kept.as_deref()),
            Reply::Setting(INTERVIEW, date) => self.memory.learn_interview(date.as_deref()),
            Reply::Puzzles(pack, best) => self.memory.learn_puzzles(pack.clone(), best.clone()),
            Reply::News(news) => self.memory.learn_news(news.clone()),
            Reply::Failed(text) | Reply::Said(text) => self.said = Some(text.clone()),
            _ => {}
        }
        let mut effects = self.on_top(|page, c| page.reply(&reply, c));
        if matches!(reply, Reply::Home(..)) {
            effects.extend(self.plan_today());
        }
        if matches!(reply, Reply::Home(..) | Reply::Failed(_)) {
            effects.extend(self.first.take().map(Effect::Go));
        }
        effects
    }

    /// Takes a pack that was opened beside the program.
    fn opened_beside(&mut self, opened: Opened) -> Vec<Effect> {
        match opened {
            Opened::Broken(broken) => {
                self.library.broken.push(broken);
                Vec::new()
            }
            Opened::Read(read) => {
                let pack = &read.pack;
                let is_new = self.library.add(pack.clone());
                let has_puzzles = is_new && !pack.index().puzzles.is_empty();
                let puzzles = has_puzzles.then(|| Effect::Recall(Query::Puzzles(pack.id.clone())));
                let rest = [Effect::Refresh, Effect::Recall(Query::News)];
                std::iter::once(Effect::Adopt(read)).chain(puzzles).chain(rest).collect()
            }
        }
    }

    /// Plans the day where that was not done yet.
    fn plan_today(&mut self) -> Option<Effect> {
        let today = screen::task::today(&self.context());
        let pack = self.library.packs.first()?;
        let kept = self.memory.plan_today(pack, (today, task::MINUTES))?;
        Some(Effect::Set(TODAY, kept))
    }

    fn leave(&mut self) -> Vec<Effect> {
        let effects = self.on_top(|page, c| page.leave(c));
        for effect in &effects {
            if let Effect::SavePosition(position) = effect {
                self.memory.note_position(position);
            }
        }
        effects
    }

    fn leave_all(&mut self) -> Vec<Effect> {
        let mut effects = self.leave();
        if self.popup.take().is_some() {
            effects.extend(self.leave());
        }
        effects
    }

    /// Lays the visible screens out for the size at hand.
    fn arrange(&mut self) {
        let Self { library, memory, theme, highlighter, zone, now, screens, popup, area, .. } = self;
        let context = Context { library, memory, theme, highlighter, now: *now, zone };
        let foot = screens.last().map_or(1, |s| s.page().foot(area.width));
        let inner = frame::body(*area, foot);
        if let Some(screen) = screens.last_mut() {
            screen.page_mut().arrange(inner, &context);
        }
        if let Some(popup) = popup {
            popup.page_mut().arrange(inner, &context);
        }
    }

    fn top(&self) -> Option<&Screen> {
        self.popup.as_ref().or(self.screens.last())
    }

    /// The rows of the footer. A pop-up keeps those of the screen under it, so that nothing jumps.
    fn foot(&self, area: Rect) -> u16 {
        let screen = self.screens.last();
        screen.map_or(1, |s| s.page().foot(area.width))
    }

    fn hints(&self) -> Vec<(&'static str, &'static str)> {
        keys::hints(&self.top().map(|s| s.page().scopes()).unwrap_or_default())
    }

    /// When the program wants to be woken without a key: never, unless a clock runs.
    pub fn wake_at(&self) -> Option<Timestamp> {
        let context = self.context();
        let visible = [self.popup.as_ref(), self.screens.last()];
        visible.into_iter().flatten().filter_map(|s| s.page().wake_at(&context)).min()
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
        if let Some(screen) = self.screens.last() {
            let page = screen.page();
            frame::title(area, frame.buffer_mut(), &page.title(&context), &self.theme);
            page.draw(body, frame.buffer_mut(), &context);
        }
        if let Some(popup) = &self.popup {
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
        &self.library
    }
}
