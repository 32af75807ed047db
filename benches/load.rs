//! A pack of 1,000 lessons and 10,000 drills: opened as at the start, and checked as `pack check` does. Fails
//! above its bars.
//!
//! `cargo bench --bench load [-- LESSONS]`. Lessons and drills are those of `pack new`, with ids of their own;
//! ten drills to a lesson.
#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::unwrap_used, missing_docs)]

#[path = "kit/grown.rs"]
mod grown;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use infralens::pack::{self, Loaded, Origin};

const RUNS: usize = 9;
const OPEN: Duration = Duration::from_millis(300);
const CHECK: Duration = Duration::from_secs(3);

fn main() -> ExitCode {
    let lessons: usize = std::env::args().skip(1).find_map(|a| a.parse().ok()).unwrap_or(1_000);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sample");
    infralens::cmd::pack::new(&path, false, &mut Vec::new()).unwrap();
    let bytes = grown::grow(&path, lessons);
    let origin = Origin::Folder(path);
    let drills = pack::load(&origin).pack.expect("the pack loads").drills.len();
    println!("{lessons} lessons, {drills} drills, {:.1} MB of TOML", bytes as f64 / 1e6);
    let open = judge("open", OPEN, || pack::load(&origin));
    let check = judge("check", CHECK, || pack::check(&origin));
    if open && check { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Measures and prints; says whether the bar is kept.
fn judge(what: &str, bar: Duration, read: impl Fn() -> Loaded) -> bool {
    let mut took: Vec<Duration> = (0..RUNS)
        .map(|_| {
            let began = Instant::now();
            let loaded = read();
            let took = began.elapsed();
            // nobody waits for it to be given up
            assert!(loaded.pack.is_some());
            took
        })
        .collect();
    took.sort();
    let median = took[RUNS / 2];
    let kept = median < bar;
    println!(
        "{what}: median of {RUNS} {median:.1?}; bar of {bar:?} {}",
        if kept { "kept" } else { "missed" }
    );
    kept
}
