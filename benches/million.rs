//! A store of 1,000,000 attempts at the built-in course: imported, exported, and each screen with it, key by key.
//! Fails above its bars.
//!
//! `cargo bench --bench million [-- ATTEMPTS]`. The store is made anew below `target/` at each run, by importing
//! generated lines; answers are of 70 words, a minute apart.
#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::unwrap_used, missing_docs)]

#[path = "kit/export.rs"]
mod export;
#[path = "kit/program.rs"]
mod program;

use std::fs::File;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use export::{Lines, Of, START};
use infralens::services::Services;
use infralens::services::library::Library;
use infralens::store::{Source, Store};
use infralens::study::seed::Seed;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use program::{Program, SCREENS, forget_peak, peak};

const IMPORT: Duration = Duration::from_secs(30);
const EXPORT: Duration = Duration::from_secs(10);
const KEY: Duration = Duration::from_millis(10);
const MEMORY: f64 = 150.0;
const ROUNDS: usize = 100;
/// The ways to screens that stand on what was answered, and the keys that are timed there.
const MORE: &[(&str, &[&str], &[&str])] = &[
    ("opening history and going back", &[], &["y", "esc"]),
    ("opening progress and going back", &[], &["p", "esc"]),
    ("opening the rehearsal and going back", &[], &["r", "esc"]),
    ("a drill, left and opened", &[], &["d", "a", "esc"]),
    ("a verdict out of the history", &["y", "enter"], &["down", "m", "m", "h", "h", "up"]),
];

fn main() -> ExitCode {
    let attempts: u64 = std::env::args().skip(1).find_map(|a| a.parse().ok()).unwrap_or(1_000_000);
    let course = infralens::built_in::course();
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/bench-million");
    let _ = std::fs::remove_dir_all(&dir);
    let now = Timestamp::from_second(START + attempts.cast_signed() * 60).unwrap();
    let mut kept = true;

    let store = Store::open(&dir).unwrap();
    let mut seed = Seed::new(1);
    let attempt = || {
        let drill = &course.drills[seed.below(course.drills.len())];
        let parts = course.parts.iter().map(|part| {
            let mark = seed.below(3);
            (part.id.as_str(), ["missing", "partial", "covered"][mark], mark as f64 / 2.0)
        });
        Of { pack: &course.id, drill: &drill.id, lesson: &drill.lesson, parts: parts.collect() }
    };
    // as `infralens import FILE` reads it: what comes through a pipe is written to such a file first
    let file = dir.join("lines.jsonl");
    std::io::copy(&mut Lines::new(attempts, attempt), &mut File::create(&file).unwrap()).unwrap();
    let began = Instant::now();
    let imported = store.import_file(File::open(&file).unwrap(), Source::Elsewhere, now).unwrap();
    assert_eq!(imported.taken, attempts);
    kept &= judge("import", began.elapsed(), IMPORT);
    kept &= memory("the import");
    std::fs::remove_file(&file).unwrap();

    forget_peak();
    let mut sink = Counted(0);
    let began = Instant::now();
    store.export(&mut sink).unwrap();
    kept &= judge(&format!("export of {:.0} MB", sink.0 as f64 / 1e6), began.elapsed(), EXPORT);
    kept &= memory("the export");
    drop(store);
    let size = std::fs::metadata(dir.join("infralens.db")).unwrap().len();
    println!("{attempts} attempts in {:.0} MB", size as f64 / 1e6);

    forget_peak();
    for (name, way, keys) in SCREENS.iter().chain(MORE) {
        let library = Library { packs: vec![course.clone()], broken: Vec::new() };
        let services = Services::new(library, Store::open(&dir).unwrap(), TimeZone::UTC, dir.clone());
        let began = Instant::now();
        let mut program = Program::new(services, now);
        program.draw();
        let opened = began.elapsed();
        for key in *way {
            program.timed(key);
        }
        let took = program.measured(keys, ROUNDS);
        let is_kept = took.p99() < KEY;
        kept &= is_kept;
        let mark = if is_kept { "" } else { ": missed" };
        println!("{name}: Home {opened:.1?}, keys {took}{mark}");
    }
    kept &= memory("the screens");
    if kept { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn judge(what: &str, took: Duration, bar: Duration) -> bool {
    let kept = took < bar;
    println!("{what}: {took:.1?}; bar of {bar:?} {}", if kept { "kept" } else { "missed" });
    kept
}

fn memory(what: &str) -> bool {
    let Some(peak) = peak() else { return true };
    let kept = peak < MEMORY;
    println!(
        "most memory of {what}: {peak:.0} MiB; bar of {MEMORY} MiB {}",
        if kept { "kept" } else { "missed" }
    );
    kept
}

/// Counts what is written.
struct Counted(u64);

impl std::io::Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
