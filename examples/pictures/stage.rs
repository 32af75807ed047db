//! The program without a terminal: keys and time go in, cells come out.

use infralens::pack::{self, Pack};
use infralens::page::key::Key;
use infralens::page::place::Place;
use infralens::services::library::Library;
use infralens::services::{INTERVIEW, Services};
use infralens::store::Store;
use infralens::study::answer::{self, Finished};
use infralens::study::schedule::Schedule;
use infralens::tui::app::{App, Setup};
use infralens::tui::event::{Event, What};
use infralens::widget::highlight::Highlighter;
use infralens::widget::theme::Palette;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;

/// Columns and rows of every picture.
pub const SIZE: (u16, u16) = (104, 32);
/// When everything happens.
const START: &str = "2026-03-02T18:00:00Z";

/// The program on a stage.
pub struct Stage {
    pub app: App,
    pub now: Timestamp,
}

impl Stage {
    /// At a place; with some days of work behind it where that is said.
    pub fn at(place: &Place, palette: Palette, used: bool) -> Stage {
        let now: Timestamp = START.parse().expect("a time");
        let pack = pack::load(&infralens::built_in::ORIGIN).pack.expect("the built-in pack loads");
        let store = Store::in_memory().expect("a store in memory");
        if used {
            work(&pack, &store, now);
        }
        let library = Library { packs: vec![pack], broken: Vec::new() };
        let services = Services::new(library, store, TimeZone::UTC, std::env::temp_dir());
        let mut app = App::new(&Setup { now, palette: Some(palette), ascii: false });
        app.colour_with(Highlighter::at_once());
        let mut stage = Stage { app, now };
        stage.send(What::Resize(SIZE.0, SIZE.1));
        stage.app.load(services, place);
        stage
    }

    pub fn send(&mut self, what: What) {
        self.app.update(Event { at: self.now, what });
    }

    /// Presses keys one after the other, named as in the key table and parted by blanks.
    pub fn press(mut self, keys: &str) -> Stage {
        keys.split_whitespace().for_each(|key| self.key(key));
        self
    }

    pub fn key(&mut self, key: &str) {
        let key = Key::parse(key).expect("a key of the table");
        self.send(What::Key(key));
    }

    /// Types a text, so many seconds long.
    pub fn types(mut self, text: &str, seconds: i64) -> Stage {
        self.send(What::Paste(text.into()));
        self.wait(SignedDuration::from_secs(seconds));
        self
    }

    /// Lets time pass; the program wakes whenever it asked for it.
    pub fn wait(&mut self, time: SignedDuration) {
        let end = self.now + time;
        while let Some(at) = self.app.wake_at().filter(|at| *at <= end) {
            self.now = self.now.max(at);
            self.send(What::Tick);
        }
        self.now = end;
    }

    /// The cells of the screen.
    pub fn cells(&mut self) -> Buffer {
        let mut terminal = Terminal::new(TestBackend::new(SIZE.0, SIZE.1)).expect("a buffer");
        terminal.draw(|frame| self.app.draw(frame)).expect("a buffer takes every cell");
        terminal.backend().buffer().clone()
    }
}

/// Answers of some evenings, better from day to day, and an interview ahead.
fn work(pack: &Pack, store: &Store, now: Timestamp) {
    let schedule = Schedule::new(TimeZone::UTC);
    let lessons = ["overview", "ddp", "allreduce", "zero-fsdp", "tp"];
    for (day, lesson) in lessons.into_iter().enumerate() {
        let at = now - SignedDuration::from_hours(24 * (6 - day as i64));
        store
            .mark_done(&pack.id, lesson, infralens::store::Done::Section, at)
            .expect("a store in memory takes it");
        for (nth, drill) in pack.drills_of(lesson).take(2).enumerate() {
            // some sentences of a model answer: part of what it asks for is said, and more from day to day
            let sentences = drill.model.split_inclusive(". ").enumerate();
            let said: String =
                sentences.filter(|(at, _)| (at + day) % 4 < 1 + day / 2 + nth).map(|(_, s)| s).collect();
            let finished = Finished {
                id: format!("{day}-{nth}"),
                part: None,
                again: false,
                text: &said,
                seconds: 150,
                rating: None,
            };
            let at = at + SignedDuration::from_mins(20 * nth as i64);
            let attempt = answer::scored(pack, drill, finished, at);
            store.record_attempt(&attempt, &schedule).expect("a store in memory takes it");
        }
    }
    store.set(INTERVIEW, "2026-03-07", now).expect("a store in memory takes it");
}
