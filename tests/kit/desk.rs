//! The program without a terminal, on a small pack, with a clock that the test turns.
#![allow(dead_code, missing_docs, clippy::unwrap_used)]

use std::collections::VecDeque;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};

use infralens::app::effect::{Effect, Reply};
use infralens::app::event::{Event, What};
use infralens::app::key::Key;
use infralens::app::library::Library;
use infralens::app::place::Place;
use infralens::app::{App, Setup};
use infralens::pack::Pack;
use infralens::store::Store;
use infralens::tui::shell::{Outside, Shell};
use infralens::widget::theme::Palette;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use ratatui::Terminal;
use ratatui::backend::TestBackend;

pub const START: &str = "2026-03-02T10:00:00Z";

pub struct Desk {
    pub app: App,
    pub shell: Shell,
    pub now: Timestamp,
    pub ended: bool,
    pub bells: usize,
    /// What failed, as it was said.
    pub failed: Vec<String>,
    /// How often the program asked to be woken.
    pub ticks: usize,
    size: (u16, u16),
    _from: Receiver<What>,
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
        let (to, from) = channel();
        let packs = vec![pack];
        let shell = Shell::new(store, &packs, (TimeZone::UTC, work.to_owned()), to);
        Self::of(packs, place, shell, from)
    }

    pub fn of(packs: Vec<Pack>, place: &Place, shell: Shell, from: Receiver<What>) -> Self {
        Self::looking((packs, place), (shell, from), (Palette::Mono, false))
    }

    /// In these colours, and with ASCII alone where that is said.
    pub fn themed(pack: Pack, place: &Place, palette: Palette, ascii: bool) -> Self {
        let (to, from) = channel();
        let packs = vec![pack];
        let store = Store::in_memory().unwrap();
        let shell = Shell::new(store, &packs, (TimeZone::UTC, std::env::temp_dir()), to);
        Self::looking((packs, place), (shell, from), (palette, ascii))
    }

    fn looking(
        (packs, place): (Vec<Pack>, &Place),
        (shell, from): (Shell, Receiver<What>),
        (palette, ascii): (Palette, bool),
    ) -> Self {
        let now: Timestamp = START.parse().unwrap();
        let setup = Setup { now, zone: TimeZone::UTC, palette: Some(palette), ascii };
        let mut desk = Self {
            app: App::new(&setup),
            shell,
            now,
            ended: false,
            bells: 0,
            failed: Vec::new(),
            ticks: 0,
            size: (80, 24),
            _from: from,
        };
        desk.send(What::Resize(80, 24));
        let library = Library { packs, broken: Vec::new() };
        let first = desk.app.load(library, place);
        desk.follow(first);
        desk
    }

    pub fn send(&mut self, what: What) {
        let effects = self.app.update(Event { at: self.now, what });
        self.follow(effects);
    }

    fn follow(&mut self, effects: Vec<Effect>) {
        let mut todo: VecDeque<Effect> = effects.into();
        while let Some(effect) = todo.pop_front() {
            match effect {
                Effect::Quit => self.ended = true,
                Effect::Bell => self.bells += 1,
                Effect::Suspend | Effect::Copy(_) | Effect::Edit(..) => {}
                effect => {
                    if let Outside::Done(Some(reply)) = self.shell.carry_out(effect, self.now) {
                        if let Reply::Failed(text) = &reply {
                            self.failed.push(text.clone());
                        }
                        let what = What::Reply(Box::new(reply));
                        todo.extend(self.app.update(Event { at: self.now, what }));
                    }
                }
            }
        }
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
