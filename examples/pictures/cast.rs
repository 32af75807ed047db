//! The first two minutes as a recording that a terminal plays: asciicast, version 2. Time is simulated.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use infralens::page::place::Place;
use infralens::widget::theme::Palette;
use jiff::SignedDuration;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};
use serde_json::json;

use super::scenes::ANSWER;
use super::stage::{SIZE, Stage};

/// How long a word takes to be typed, in milliseconds.
const WORD: i64 = 700;

/// What is done, and how long one looks at what came of it, in milliseconds.
const STEPS: &[(Step, i64)] = &[
    (Step::Look, 5_000),
    (Step::Key("enter"), 6_000),
    (Step::Type, 2_000),
    (Step::Key("ctrl+s"), 3_000),
    (Step::Key("enter"), 4_000),
    (Step::Key("s"), 7_000),
    (Step::Key("j"), 3_000),
    (Step::Key("j"), 5_000),
    (Step::Key("m"), 8_000),
    (Step::Key("m"), 2_000),
    (Step::Key("g"), 5_000),
    (Step::Key("pgdn"), 5_000),
    (Step::Key("b"), 4_000),
    (Step::Key("right"), 2_000),
    (Step::Key("right"), 3_000),
    (Step::Key("esc"), 2_000),
    (Step::Key("esc"), 3_000),
];

/// One thing that is done.
enum Step {
    Look,
    Key(&'static str),
    /// Types the answer, word by word.
    Type,
}

/// The recording.
pub fn record() -> String {
    // a variable of whoever makes it must not change it
    crossterm::style::force_color_output(true);
    let stage = Stage::at(&Place::Home, Palette::Dark, false);
    let mut camera = Camera::new(stage);
    for (step, looks) in STEPS {
        match step {
            Step::Look => {}
            Step::Key(key) => camera.stage.key(key),
            Step::Type => {
                for word in ANSWER.split_inclusive(' ') {
                    for letter in word.trim_end().chars() {
                        camera.letter(letter);
                    }
                    if word.ends_with(' ') {
                        camera.stage.key("space");
                    }
                    camera.show();
                    camera.pass(WORD);
                }
            }
        }
        camera.show();
        camera.pass(*looks);
    }
    camera.show();
    camera.lines
}

/// Bytes that a terminal would get.
#[derive(Clone, Default)]
struct Film(Rc<RefCell<Vec<u8>>>);

impl Write for Film {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Camera {
    stage: Stage,
    film: Film,
    terminal: Terminal<CrosstermBackend<Film>>,
    /// Milliseconds since the start.
    at: i64,
    lines: String,
}

impl Camera {
    fn new(stage: Stage) -> Camera {
        let film = Film::default();
        let options = TerminalOptions { viewport: Viewport::Fixed(Rect::new(0, 0, SIZE.0, SIZE.1)) };
        let terminal =
            Terminal::with_options(CrosstermBackend::new(film.clone()), options).expect("a buffer");
        let head = json!({"version": 2, "width": SIZE.0, "height": SIZE.1, "title": "InfraLens: the first two minutes",
            "env": {"TERM": "xterm-256color"}});
        Camera { stage, film, terminal, at: 0, lines: format!("{head}\n") }
    }

    fn letter(&mut self, letter: char) {
        self.stage.key(&letter.to_string());
    }

    /// Lets time pass; each second of a clock is seen.
    fn pass(&mut self, millis: i64) {
        let end = self.at + millis;
        while let Some(wake) = self.stage.app.wake_at() {
            let left = (wake - self.stage.now).total(jiff::Unit::Millisecond).unwrap_or(0.0) as i64;
            let left = left.max(1);
            if self.at + left > end {
                break;
            }
            self.stage.wait(SignedDuration::from_millis(left));
            self.at += left;
            self.show();
        }
        self.stage.wait(SignedDuration::from_millis(end - self.at));
        self.at = end;
    }

    /// Puts what changed on the film.
    fn show(&mut self) {
        let app = &self.stage.app;
        self.terminal.draw(|frame| app.draw(frame)).expect("memory takes every cell");
        let bytes = std::mem::take(&mut *self.film.0.borrow_mut());
        if !bytes.is_empty() {
            let text = String::from_utf8(bytes).expect("a terminal is written to in UTF-8");
            let seconds = self.at as f64 / 1000.0;
            self.lines.push_str(&format!("{}\n", json!([seconds, "o", text])));
        }
    }
}
