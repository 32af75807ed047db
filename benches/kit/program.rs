//! The program without a terminal: keys in, frames as bytes that are thrown away; and what it takes of time and memory.
#![allow(dead_code, clippy::disallowed_methods, clippy::unwrap_used, missing_docs)]

use std::fmt;
use std::time::{Duration, Instant};

use infralens::pack::Pack;
use infralens::page::Effect;
use infralens::page::key::Key;
use infralens::page::place::Place;
use infralens::services::job::Job;
use infralens::services::{Services, run};
use infralens::tui::app::{App, Setup};
use infralens::tui::event::{Event, What};
use infralens::widget::theme::Palette;
use jiff::Timestamp;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};
use rustix::time::{ClockId, clock_gettime};

const SIZE: (u16, u16) = (120, 40);

pub struct Program {
    pub app: App,
    pub now: Timestamp,
    pub ended: bool,
    /// What is to be done beside the program.
    pub jobs: Vec<Job>,
    terminal: Terminal<CrosstermBackend<std::io::Sink>>,
}

impl Program {
    pub fn new(services: Services, now: Timestamp) -> Self {
        let mut program = Self {
            app: App::new(&Setup { now, palette: Some(Palette::Dark), ascii: false }),
            now,
            ended: false,
            jobs: Vec::new(),
            terminal: terminal(SIZE),
        };
        program.resize(SIZE.0, SIZE.1);
        program.app.load(services, &Place::Home);
        program
    }

    /// Gives the terminal another size.
    pub fn resize(&mut self, width: u16, height: u16) {
        self.terminal = terminal((width, height));
        self.send(What::Resize(width, height));
    }

    pub fn press(&mut self, key: &str) {
        let key = Key::parse(key).unwrap_or_else(|| panic!("{key} is no key"));
        self.send(What::Key(key));
    }

    pub fn send(&mut self, what: What) {
        let effects = self.app.update(Event { at: self.now, what });
        for effect in effects {
            match effect {
                Effect::Quit => self.ended = true,
                Effect::Job(job) => self.jobs.push(job),
                _ => {}
            }
        }
    }

    /// Marks what is to be marked beside, and tells what came of it; that alone is timed.
    pub fn marked(&mut self, pack: &Pack) -> Option<Duration> {
        let Some(Job::Mark(unmarked)) = self.jobs.pop() else { return None };
        let done = run::marked(pack, *unmarked);
        let began = Instant::now();
        self.send(What::Done(Box::new(done)));
        self.draw();
        Some(began.elapsed())
    }

    /// Lets the program go on as long as it wants to at once.
    pub fn go_on(&mut self, took: &mut Took) {
        while self.app.wake_at().is_some_and(|at| at <= self.now) {
            took.note(|| {
                self.send(What::Tick);
                self.draw();
            });
        }
    }

    pub fn draw(&mut self) {
        if self.app.take_dirty() {
            self.terminal.draw(|frame| self.app.draw(frame)).unwrap();
        }
    }

    /// Presses a key and draws; gives how long that took.
    pub fn timed(&mut self, key: &str) -> Duration {
        let began = Instant::now();
        self.press(key);
        self.draw();
        began.elapsed()
    }

    /// Presses each of some keys many times in turn.
    pub fn measured(&mut self, keys: &[&str], rounds: usize) -> Took {
        let mut took = Took::default();
        for _ in 0..rounds {
            for key in keys {
                took.note(|| {
                    self.timed(key);
                });
                self.go_on(&mut took);
            }
        }
        took
    }
}

/// What something took, each time: the time that passed, and that of the processor. On a machine that others use the
/// first holds their slices as well.
#[derive(Default)]
pub struct Took {
    passed: Vec<Duration>,
    busy: Vec<Duration>,
}

impl Took {
    /// Does something and notes what it takes.
    pub fn note(&mut self, act: impl FnOnce()) {
        let (began, busy) = (Instant::now(), on_processor());
        act();
        self.passed.push(began.elapsed());
        self.busy.push(on_processor().saturating_sub(busy));
    }

    /// The 99th percentile of the time that passed.
    pub fn p99(&self) -> Duration {
        share(&self.passed, 99)
    }
}

impl fmt::Display for Took {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (median, p99, most) = (share(&self.passed, 50), self.p99(), share(&self.passed, 100));
        let busy = share(&self.busy, 99);
        write!(f, "median {median:.2?}, p99 {p99:.2?}, most {most:.2?}; p99 on the processor {busy:.2?}")
    }
}

/// The time that so many of a hundred keep to.
fn share(all: &[Duration], of_hundred: usize) -> Duration {
    let mut sorted = all.to_vec();
    sorted.sort_unstable();
    sorted[(sorted.len() * of_hundred / 100).min(sorted.len() - 1)]
}

/// The time that this thread had on a processor.
fn on_processor() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

fn terminal((width, height): (u16, u16)) -> Terminal<CrosstermBackend<std::io::Sink>> {
    let options = TerminalOptions { viewport: Viewport::Fixed(Rect::new(0, 0, width, height)) };
    Terminal::with_options(CrosstermBackend::new(std::io::sink()), options).unwrap()
}

/// The keys that lead to each screen from Home, and those that are timed there.
pub const SCREENS: &[(&str, &[&str], &[&str])] = &[
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
            "/", "s", "c", "h", "e", "d", "u", "l", "e", "s", "space", "s", "i", "m", "enter", "down", "6",
            "4", "enter", "down", "5", "1", "2", "enter",
        ],
        &["up", "down", "left", "right", "n", "b"],
    ),
    (
        "ring of 64 ranks",
        &["/", "r", "e", "d", "u", "c", "e", "space", "s", "i", "m", "enter", "down", "8", "enter"],
        &["up", "down", "n", "n", "b"],
    ),
    ("rehearse", &["r"], &["down", "up"]),
    ("review", &["v"], &["down", "up"]),
];

/// Megabytes (2^20) of memory that the process holds now, as Linux tells; none elsewhere.
pub fn memory() -> Option<f64> {
    status("VmRSS:")
}

/// The most that it held since [`forget_peak`].
pub fn peak() -> Option<f64> {
    status("VmHWM:")
}

/// Begins to look for the most memory anew.
pub fn forget_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

fn status(name: &str) -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let row = text.lines().find_map(|line| line.strip_prefix(name))?;
    Some(row.trim().trim_end_matches(" kB").parse::<f64>().ok()? / 1024.0)
}
