//! The program without a terminal, on a small pack, with a clock that the test turns.
#![allow(dead_code, missing_docs, clippy::unwrap_used)]

use std::path::Path;

use infralens::pack::Pack;
use infralens::page::Effect;
use infralens::page::key::Key;
use infralens::page::place::Place;
use infralens::services::Services;
use infralens::services::job::Job;
use infralens::services::library::Library;
use infralens::store::Store;
use infralens::tui::app::{App, Setup};
use infralens::tui::event::{Event, What};
use infralens::widget::theme::Palette;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use ratatui::Terminal;
use ratatui::backend::TestBackend;

pub const START: &str = "2026-03-02T10:00:00Z";

pub struct Desk {
    pub app: App,
    pub now: Timestamp,
    pub ended: bool,
    pub bells: usize,
    /// How often the program asked to be woken.
    pub ticks: usize,
    /// What was asked to be done outside; a test says how it ends.
    pub jobs: Vec<Job>,
    size: (u16, u16),
}

impl Desk {
    pub fn new(pack: Pack, place: &Place) -> Self {
        let work = std::env::temp_dir();
        Self::with(pack, place, (Store::in_memory().unwrap(), &work))
    }

    pub fn on_disk(pack: Pack, place: &Place, folder: &Path) -> Self {
        Self::with(pack, place, (Store::open(folder).unwrap(), folder))
    }

    pub fn with(pack: Pack, place: &Place, (store, work): (Store, &Path)) -> Self {
        let library = Library { packs: vec![pack], broken: Vec::new() };
        Self::of(Services::new(library, store, TimeZone::UTC, work.to_owned()), place)
    }

    pub fn of(services: Services, place: &Place) -> Self {
        Self::looking(services, place, Palette::Mono, false)
    }

    /// In these colours, and with ASCII alone where that is said.
    pub fn themed(pack: Pack, place: &Place, palette: Palette, ascii: bool) -> Self {
        let library = Library { packs: vec![pack], broken: Vec::new() };
        let store = Store::in_memory().unwrap();
        let services = Services::new(library, store, TimeZone::UTC, std::env::temp_dir());
        Self::looking(services, place, palette, ascii)
    }

    fn looking(services: Services, place: &Place, palette: Palette, ascii: bool) -> Self {
        let now: Timestamp = START.parse().unwrap();
        let setup = Setup { now, palette: Some(palette), ascii };
        let mut desk = Self {
            app: App::new(&setup),
            now,
            ended: false,
            bells: 0,
            ticks: 0,
            jobs: Vec::new(),
            size: (80, 24),
        };
        desk.send(What::Resize(80, 24));
        let first = desk.app.load(services, place);
        desk.follow(first);
        desk
    }

    pub fn send(&mut self, what: What) {
        let effects = self.app.update(Event { at: self.now, what });
        self.follow(effects);
    }

    fn follow(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Quit => self.ended = true,
                Effect::Bell => self.bells += 1,
                // no other program runs in a test
                Effect::Job(job) => self.jobs.push(job),
                Effect::Turn | Effect::Suspend | Effect::Copy(_) | Effect::Say(_) => {}
            }
        }
    }

    /// The store that the program writes to.
    pub fn store(&self) -> &Store {
        &self.app.services().unwrap().store
    }

    /// What is not kept, as it is said.
    pub fn waiting(&self) -> Option<String> {
        self.app.services().and_then(Services::waiting)
    }

    /// Presses keys: letters as they are, others as `<enter>`, `<ctrl+s>`.
    pub fn keys(&mut self, keys: &str) -> &mut Self {
        let mut rest = keys;
        while !rest.is_empty() {
            let (name, tail) = match rest.strip_prefix('<').and_then(|r| r.split_once('>')) {
                Some((name, tail)) => (name.to_owned(), tail),
                None => {
                    let c = rest.chars().next().unwrap();
                    (c.to_string(), &rest[c.len_utf8()..])
                }
            };
            let key = Key::parse(&name).unwrap_or_else(|| panic!("{name} is no key"));
            self.send(What::Key(key));
            rest = tail;
        }
        self
    }

    pub fn paste(&mut self, text: &str) -> &mut Self {
        self.send(What::Paste(text.into()));
        self
    }

    /// Lets time pass, waking the program whenever it asked for it.
    pub fn wait(&mut self, seconds: i64) -> &mut Self {
        self.wait_millis(seconds * 1000)
    }

    pub fn wait_millis(&mut self, millis: i64) -> &mut Self {
        let end = self.now + SignedDuration::from_millis(millis);
        while let Some(at) = self.app.wake_at().filter(|at| *at <= end) {
            self.now = self.now.max(at);
            self.ticks += 1;
            self.send(What::Tick);
        }
        self.now = end;
        self
    }

    /// Lets time pass while the program is stopped, as by ctrl+z or a closed lid.
    pub fn sleep(&mut self, seconds: i64) -> &mut Self {
        self.now += SignedDuration::from_secs(seconds);
        self.send(What::Resumed);
        self.wait_millis(0)
    }

    pub fn resize(&mut self, width: u16, height: u16) -> &mut Self {
        self.size = (width, height);
        self.send(What::Resize(width, height));
        self
    }

    pub fn screen(&mut self) -> String {
        let (width, height) = self.size;
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| self.app.draw(frame)).unwrap();
        let rows = terminal.backend().buffer().content.chunks(usize::from(width.max(1)));
        let rows = rows.map(|row| row.iter().map(|c| c.symbol()).collect::<String>());
        rows.map(|row| row.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
    }

    #[track_caller]
    pub fn shows(&mut self, text: &str) -> &mut Self {
        let screen = self.screen();
        assert!(screen.contains(text), "no `{text}` on\n{screen}");
        self
    }

    #[track_caller]
    pub fn hides(&mut self, text: &str) -> &mut Self {
        let screen = self.screen();
        assert!(!screen.contains(text), "`{text}` is on\n{screen}");
        self
    }
}

/// Every screen of the text, from its start to its end.
pub fn pages(desk: &mut Desk) -> Vec<String> {
    let mut pages = vec![desk.keys("<home>").screen()];
    loop {
        let next = desk.keys("<pgdn>").screen();
        if pages.last() == Some(&next) {
            return pages;
        }
        assert!(pages.len() < 200, "the text has no end");
        pages.push(next);
    }
}
