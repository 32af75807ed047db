//! A key to its frame at 120x40, on every screen that keys reach from Home: update, draw, and the bytes for
//! the terminal, thrown away. Fails above its bars.
//!
//! `cargo bench --bench frame`.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

#[path = "kit/program.rs"]
mod program;

use std::process::ExitCode;
use std::time::Duration;

use infralens::services::Services;
use infralens::services::library::Library;
use infralens::store::Store;
use infralens::tui::event::What;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use program::{Program, SCREENS};

const BAR: Duration = Duration::from_millis(5);
/// For what reads all of a megabyte once: handing it in, its marks, the way to them. Below what is felt as a wait.
const ONCE: Duration = Duration::from_millis(100);
const ROUNDS: usize = 100;

/// Answers of so many bytes that are pasted, the keys that follow, and those that are timed.
const LONG: &[(&str, usize, &[&str], &[&str])] = &[
    ("a draft of 100 kB", 100_000, &[], &["a", "b", "space", "backspace", "up", "pgup", "end"]),
    ("a draft of 1 MB", 1_000_000, &[], &["a", "b", "space", "backspace", "up", "pgup", "end"]),
    (
        "the verdict on 1 MB",
        1_000_000,
        &["ctrl+s", "", "enter"],
        &["down", "m", "m", "h", "h", "u", "u", "up"],
    ),
];
const SENTENCE: &str = "Each rank keeps a full replica, so the gradients are averaged with an all-reduce. ";

fn main() -> ExitCode {
    let (mut worst, mut once) = (Duration::ZERO, Duration::ZERO);
    for (name, way, keys) in SCREENS {
        let mut program = started();
        for key in *way {
            program.press(key);
        }
        worst = worst.max(measured(name, program, keys));
    }
    for (name, bytes, then, keys) in LONG {
        let mut program = started();
        program.press("d");
        program.send(What::Paste(SENTENCE.repeat(bytes / SENTENCE.len())));
        for key in *then {
            // an empty one stands for what is done beside the program
            let took = match *key {
                "" => program.marked(&infralens::built_in::course()).expect("an answer is to be marked"),
                key => program.timed(key),
            };
            println!("{name}, {}: {took:.2?}", if key.is_empty() { "its marks" } else { key });
            once = once.max(took);
        }
        worst = worst.max(measured(name, program, keys));
    }
    let is = |kept: bool| if kept { "kept" } else { "missed" };
    println!("bar of {BAR:?} for p99 {}", is(worst < BAR));
    println!("bar of {ONCE:?} for what reads a megabyte once {}", is(once < ONCE));
    if worst < BAR && once < ONCE { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn started() -> Program {
    let library = Library { packs: vec![infralens::built_in::course()], broken: Vec::new() };
    let store = Store::in_memory().unwrap();
    let services = Services::new(library, store, TimeZone::UTC, std::env::temp_dir());
    Program::new(services, Timestamp::UNIX_EPOCH)
}

/// Measures and prints; gives the 99th percentile.
fn measured(name: &str, mut program: Program, keys: &[&str]) -> Duration {
    program.draw();
    let took = program.measured(keys, ROUNDS);
    println!("{name}: {took}");
    took.p99()
}
