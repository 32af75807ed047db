//! A hundred installed packs of 100 lessons and 1,000 drills each: opened, and each screen that goes through all of
//! them, key by key. Fails above its bar.
//!
//! `cargo bench --bench packs [-- PACKS]`.
#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::unwrap_used, missing_docs)]

#[path = "kit/grown.rs"]
mod grown;
#[path = "kit/program.rs"]
mod program;

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use infralens::pack::{self, Origin, Pack};
use infralens::services::Services;
use infralens::services::library::{Library, Opened, Read};
use infralens::store::Store;
use infralens::tui::event::What;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use program::{Program, Took, peak};

const LESSONS: usize = 100;
const KEY: Duration = Duration::from_millis(10);
const ROUNDS: usize = 50;
const SCREENS: &[(&str, &[&str], &[&str])] = &[
    ("home", &[], &["down", "pgdn", "up"]),
    ("lesson", &["c"], &["down", "pgdn", "up"]),
    ("drill", &["d"], &["a", "b", "space", "backspace"]),
    ("jump", &["/"], &["a", "l", "backspace", "backspace"]),
    ("jump, to texts and slips", &["/"], &["m", "e", "d", "i", "q", "backspace", "ctrl+u"]),
    ("jump, opened and closed", &[], &["/", "esc"]),
    ("progress", &["p"], &["down", "right", "up", "left"]),
    ("history", &["y"], &["down", "up"]),
    ("rehearse", &["r"], &["down", "up"]),
    ("review", &["v"], &["down", "up"]),
];

/// Opens the packs one by one while somebody moves on Home: what each arrival takes with its frame, and each key.
fn opened_beside(all: &[Pack], folder: &Path) -> bool {
    let (first, others) = all.split_first().expect("the course is there");
    let library = Library { packs: vec![first.clone()], broken: Vec::new() };
    let services = Services::new(library, Store::in_memory().unwrap(), TimeZone::UTC, folder.to_owned());
    let mut program = Program::new(services, Timestamp::UNIX_EPOCH);
    program.draw();
    let (mut arrivals, mut keys) = (Took::default(), Took::default());
    for pack in others {
        // that is done beside the program too
        let read = Box::new(Opened::Read(Box::new(Read::of(pack))));
        arrivals.note(|| {
            program.send(What::Opened(read));
            program.draw();
        });
        for key in ["down", "up"] {
            keys.note(|| {
                program.timed(key);
            });
        }
    }
    println!("opened beside Home, one arrival: {arrivals}");
    println!("a key between two arrivals: {keys}");
    keys.p99() < KEY && arrivals.p99() < KEY
}

fn main() -> ExitCode {
    let packs: usize = std::env::args().skip(1).find_map(|a| a.parse().ok()).unwrap_or(100);
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = 0;
    let origins: Vec<Origin> = (0..packs)
        .map(|n| {
            let path = folder.path().join(format!("sample-{n}"));
            infralens::cmd::pack::new(&path, false, &mut Vec::new()).unwrap();
            bytes += grown::grow(&path, LESSONS);
            Origin::Folder(path)
        })
        .collect();
    println!("{packs} packs of {LESSONS} lessons, {:.1} MB of TOML", bytes as f64 / 1e6);
    let mut all = vec![infralens::built_in::course()];
    let began = Instant::now();
    all.extend(origins.iter().map(|origin| pack::load(origin).pack.expect("the pack loads")));
    println!("opened one after the other, as it is done beside the program: {:.1?}", began.elapsed());
    let mut kept = opened_beside(&all, folder.path());
    for (name, way, keys) in SCREENS {
        let library = Library { packs: vec![all[0].clone()], broken: Vec::new() };
        let store = Store::in_memory().unwrap();
        let mut services = Services::new(library, store, TimeZone::UTC, folder.path().to_owned());
        for pack in &all[1..] {
            services.adopt(Read::of(pack));
        }
        let began = Instant::now();
        let mut program = Program::new(services, Timestamp::UNIX_EPOCH);
        program.draw();
        let opened = began.elapsed();
        for key in *way {
            program.timed(key);
        }
        let took = program.measured(keys, ROUNDS);
        kept &= took.p99() < KEY;
        println!("{name}: Home {opened:.1?}, keys {took}");
    }
    println!("most memory: {:.0} MiB", peak().unwrap_or(0.0));
    println!("bar of {KEY:?} for p99 {}", if kept { "kept" } else { "missed" });
    if kept { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
