//! A key to its frame at 120x40, on every screen that keys reach from Home: update, draw, and the bytes for
//! the terminal, thrown away. Fails above its bar.
//!
//! `cargo bench --bench frame`.
#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::unwrap_used, missing_docs)]

use std::process::ExitCode;
use std::time::{Duration, Instant};

use infralens::pack::{self};
use infralens::page::key::Key;
use infralens::page::place::Place;
use infralens::services::Services;
use infralens::services::library::Library;
use infralens::store::Store;
use infralens::tui::app::{App, Setup};
use infralens::tui::event::{Event, What};
use infralens::widget::theme::Palette;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};

const SIZE: (u16, u16) = (120, 40);
const BAR: Duration = Duration::from_millis(5);
const ROUNDS: usize = 100;

/// The keys that lead to each screen from Home, and those that are timed there.
const SCREENS: &[(&str, &[&str], &[&str])] = &[
    ("home", &[], &["down", "up"]),
    ("lesson", &["c"], &["down", "pgdn", "up"]),
    ("starter", &["c", "tab"], &["down", "down", "up"]),
    ("lab", &["c", "l"], &["down", "pgdn", "up"]),
    ("checks", &["c", "c"], &["down", "up"]),
    ("drill", &["d"], &["a", "b", "space", "backspace"]),
    ("jump", &["/"], &["a", "l", "backspace", "backspace"]),
    ("progress", &["p"], &["down", "right", "up", "left"]),
    ("history", &["y"], &["down", "up"]),
    ("simulators", &["s"], &["down", "up"]),
    ("simulator", &["s", "enter"], &["down", "right", "up", "left"]),
    (
        "64 stages, 512 micro-batches",
        &[
            "s", "down", "down", "down", "down", "enter", "down", "6", "4", "enter", "down", "5", "1", "2",
            "enter",
        ],
        &["up", "down", "left", "right", "n", "b"],
    ),
    ("ring of 64 ranks", &["s", "down", "enter", "down", "8", "enter"], &["up", "down", "n", "n", "b"]),
    ("rehearse", &["r"], &["down", "up"]),
    ("review", &["v"], &["down", "up"]),
];

fn main() -> ExitCode {
    let mut worst = Duration::ZERO;
    for (name, way, keys) in SCREENS {
        let mut program = Program::new();
        for key in *way {
            program.press(key);
        }
        program.draw();
        let mut took = Vec::new();
        for _ in 0..ROUNDS {
            for key in *keys {
                let began = Instant::now();
                program.press(key);
                program.draw();
                took.push(began.elapsed());
            }
        }
        took.sort();
        let p99 = took[took.len() * 99 / 100];
        worst = worst.max(p99);
        println!(
            "{name}: median {:.2?}, p99 {p99:.2?}, most {:.2?}",
            took[took.len() / 2],
            took[took.len() - 1]
        );
    }
    let kept = worst < BAR;
    println!("bar of {BAR:?} for p99 {}", if kept { "kept" } else { "missed" });
    if kept { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

struct Program {
    app: App,
    terminal: Terminal<CrosstermBackend<std::io::Sink>>,
    now: Timestamp,
}

impl Program {
    fn new() -> Self {
        let now = Timestamp::UNIX_EPOCH;
        let pack = pack::load(&infralens::built_in::ORIGIN).pack.expect("the built-in pack loads");
        let library = Library { packs: vec![pack], broken: Vec::new() };
        let store = Store::in_memory().unwrap();
        let services = Services::new(library, store, TimeZone::UTC, std::env::temp_dir());
        let area = Rect::new(0, 0, SIZE.0, SIZE.1);
        let options = TerminalOptions { viewport: Viewport::Fixed(area) };
        let mut program = Self {
            app: App::new(&Setup { now, palette: Some(Palette::Dark), ascii: false }),
            terminal: Terminal::with_options(CrosstermBackend::new(std::io::sink()), options).unwrap(),
            now,
        };
        program.send(What::Resize(SIZE.0, SIZE.1));
        program.app.load(services, &Place::Home);
        program
    }

    fn press(&mut self, key: &str) {
        let key = Key::parse(key).unwrap_or_else(|| panic!("{key} is no key"));
        self.send(What::Key(key));
    }

    fn send(&mut self, what: What) {
        self.app.update(Event { at: self.now, what });
    }

    fn draw(&mut self) {
        if self.app.take_dirty() {
            self.terminal.draw(|frame| self.app.draw(frame)).unwrap();
        }
    }
}
