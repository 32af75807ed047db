//! A key to its frame at 120x40, on every screen that keys reach from Home: update, draw, and the bytes for
//! the terminal, thrown away. Fails above its bar.
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
use jiff::Timestamp;
use jiff::tz::TimeZone;
use program::{Program, SCREENS};

const BAR: Duration = Duration::from_millis(5);
const ROUNDS: usize = 100;

fn main() -> ExitCode {
    let mut worst = Duration::ZERO;
    for (name, way, keys) in SCREENS {
        let library = Library { packs: vec![infralens::built_in::course()], broken: Vec::new() };
        let store = Store::in_memory().unwrap();
        let services = Services::new(library, store, TimeZone::UTC, std::env::temp_dir());
        let mut program = Program::new(services, Timestamp::UNIX_EPOCH);
        for key in *way {
            program.press(key);
        }
        program.draw();
        let [median, p99, most] = program.measured(keys, ROUNDS);
        worst = worst.max(p99);
        println!("{name}: median {median:.2?}, p99 {p99:.2?}, most {most:.2?}");
    }
    let kept = worst < BAR;
    println!("bar of {BAR:?} for p99 {}", if kept { "kept" } else { "missed" });
    if kept { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
