//! As many keys as eight hours bring, at random, in one process: nothing panics, and its memory is flat. Fails above its bar.
//!
//! `cargo bench --bench hours [-- KEYS SEED]`. Five keys a second, of a clock that is turned by them; now and then an
//! hour passes, a text is pasted, or the terminal has another size. The store is on the disk.
#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::unwrap_used, missing_docs)]

#[path = "kit/program.rs"]
mod program;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use infralens::services::Services;
use infralens::services::library::Library;
use infralens::store::Store;
use infralens::study::seed::Seed;
use infralens::tui::event::{Mouse, What};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use program::{Program, memory};

/// Eight hours of five keys a second.
const KEYS: u64 = 8 * 3600 * 5;
const STEPS: u64 = 16;
/// What the memory may grow by from the second of the sixteen steps to the last, in MiB.
const GROWTH: f64 = 10.0;
const NAMES: &[&str] = &[
    "up",
    "down",
    "left",
    "right",
    "pgup",
    "pgdn",
    "home",
    "end",
    "enter",
    "esc",
    "tab",
    "shift+tab",
    "space",
    "backspace",
    "delete",
    "f1",
    "f5",
    "ctrl+s",
    "ctrl+t",
    "ctrl+x",
    "ctrl+p",
    "ctrl+a",
    "ctrl+e",
    "ctrl+w",
    "ctrl+k",
    "ctrl+left",
    "ctrl+right",
    "alt+a",
    "?",
    "/",
    ".",
    ",",
    "1",
    "2",
    "3",
    "4",
    "5",
    "6",
    "7",
    "8",
    "9",
    "0",
    "-",
];
const LETTERS: &str = "abcdefghijklmnoprstuvwxyzABCDEFGHIJKLMNOPRSTUVWXYZ";
const PASTED: &str = "Each rank keeps a full replica, so the gradients must be averaged with an all-reduce. ";

fn main() -> ExitCode {
    let mut numbers = std::env::args().skip(1).filter_map(|a| a.parse::<u64>().ok());
    let (keys, seed) = (numbers.next().unwrap_or(KEYS), numbers.next().unwrap_or(2026));
    let folder = tempfile::tempdir().unwrap();
    let start = |now| {
        let library = Library { packs: vec![infralens::built_in::course()], broken: Vec::new() };
        let store = Store::open(folder.path()).unwrap();
        Program::new(Services::new(library, store, TimeZone::UTC, folder.path().to_owned()), now)
    };
    let mut program = start(Timestamp::UNIX_EPOCH);
    let mut ends = 0;
    let mut seed = Seed::new(seed);
    let (mut second, mut last) = (0.0, 0.0);
    let began = Instant::now();
    for step in 1..=STEPS {
        let mut longest = Duration::ZERO;
        for _ in 0..keys / STEPS {
            let pressed = Instant::now();
            turn(&mut program, &mut seed);
            longest = longest.max(pressed.elapsed());
            if program.ended {
                // a click on the footer may be the key that quits
                ends += 1;
                let now = program.now;
                drop(program);
                program = start(now);
            }
        }
        last = memory().unwrap_or(0.0);
        if step == 2 {
            second = last;
        }
        println!("{} keys: {last:.1} MiB, the longest took {longest:.1?}", keys / STEPS * step);
    }
    let answers =
        program.app.services().unwrap().store.history(&infralens::store::Filter::default(), u32::MAX);
    let answers = answers.unwrap().len();
    println!("{:.0?} in all; {answers} answers were scored, it was quit {ends} times", began.elapsed());
    let grown = last - second;
    let kept = grown < GROWTH;
    println!("grown by {grown:.1} MiB; bar of {GROWTH} MiB {}", if kept { "kept" } else { "missed" });
    if kept { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Something that a person does, and what the clock brings until then.
fn turn(program: &mut Program, seed: &mut Seed) {
    let away = if seed.below(5000) == 0 { 3_600_000 } else { 200 };
    program.now += SignedDuration::from_millis(away);
    while program.app.wake_at().is_some_and(|at| at <= program.now) {
        let before = program.app.wake_at();
        program.send(What::Tick);
        if program.app.wake_at() == before {
            break;
        }
    }
    match seed.below(400) {
        0 => program.send(What::Paste(PASTED.repeat(1 + seed.below(20)))),
        1 => program.resize(40 + seed.below(160) as u16, 12 + seed.below(60) as u16),
        2 => program.resize(120, 40),
        3..=8 => program.send(What::Mouse(Mouse::Click, seed.below(120) as u16, seed.below(40) as u16)),
        9..=12 => program.send(What::Mouse(Mouse::ScrollDown, 10, 10)),
        n if n < 220 => program.press(NAMES[seed.below(NAMES.len())]),
        _ => {
            let at = seed.below(LETTERS.len());
            program.press(&LETTERS[at..=at]);
        }
    }
    program.draw();
}
