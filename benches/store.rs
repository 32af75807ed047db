//! The store: Home of a store of 1,000,000 attempts, beside one of 1,000, in one run. Fails above its bar.
//!
//! `cargo bench --bench store [-- ATTEMPTS]`. The large store is made once below `target/` by importing
//! generated lines, and used again by later runs.
#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::unwrap_used, missing_docs)]

#[path = "kit/export.rs"]
mod export;

use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use export::{Lines, Of, START};
use infralens::store::{Filter, Source, Store};
use infralens::study::schedule::Schedule;
use infralens::study::seed::Seed;
use jiff::Timestamp;
use jiff::tz::TimeZone;

const PACK: &str = "bench";
const LESSONS: usize = 100;
const DRILLS: usize = 1_000;
const PARTS: [&str; 5] = ["problem", "mechanism", "communication", "tradeoff", "measurement"];
const BAR: Duration = Duration::from_millis(100);

fn main() -> ExitCode {
    let large: u64 = std::env::args().skip(1).find_map(|a| a.parse().ok()).unwrap_or(1_000_000);
    let small = measure(1_000);
    let big = measure(large);
    println!("Home, {large} attempts / 1,000 attempts: {:.2}", big.as_secs_f64() / small.as_secs_f64());
    let kept = big < BAR;
    println!("bar of {BAR:?} for open and Home: {}", if kept { "kept" } else { "missed" });
    if kept { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Makes the store where it is missing, and measures it; gives the time to open it and read Home.
fn measure(attempts: u64) -> Duration {
    let dir = folder(attempts);
    if !dir.join("infralens.db").exists() {
        let began = Instant::now();
        let store = Store::open(&dir).unwrap();
        let name = |drill: usize| [format!("drill-{drill}"), format!("lesson-{}", drill % LESSONS)];
        let names: Vec<[String; 2]> = (0..DRILLS).map(name).collect();
        let mut seed = Seed::new(1);
        let attempt = || {
            let [drill, lesson] = &names[seed.below(DRILLS)];
            let parts = PARTS.map(|part| {
                let mark = seed.below(5);
                (part, ["missing", "missing", "partial", "covered", "covered"][mark], mark as f64 / 4.0)
            });
            Of { pack: PACK, drill, lesson, parts: parts.to_vec() }
        };
        let lines = BufReader::with_capacity(1 << 20, Lines::new(attempts, attempt));
        store.import(lines, Source::Elsewhere, Timestamp::MAX).unwrap();
        println!("{attempts} attempts imported in {:.1} s", began.elapsed().as_secs_f64());
    }
    let size = std::fs::metadata(dir.join("infralens.db")).unwrap().len();
    println!("{attempts} attempts, {:.0} MB", size as f64 / 1e6);
    let now = Timestamp::from_second(START + attempts as i64 * 60).unwrap();
    let home = || Store::open(&dir).unwrap().home(PACK, now, &TimeZone::UTC).unwrap();
    let first = once(|| drop(home()));
    let opened = median(21, || drop(home()));
    assert!(home().attempts >= attempts, "the sums miss attempts");
    let store = Store::open(&dir).unwrap();
    println!("  open and Home: first {first:?}, median {opened:?}");
    println!("  Home again: {:?}", median(21, || drop(store.home(PACK, now, &TimeZone::UTC).unwrap())));
    let newest = || drop(store.history(&Filter::default(), 20).unwrap());
    println!("  the newest 20 attempts: {:?}", median(21, newest));
    let of_drill = Filter { pack: Some(PACK.into()), drill: Some("drill-7".into()), ..Filter::default() };
    let of_drill = || drop(store.history(&of_drill, 20).unwrap());
    println!("  attempts of a drill: {:?}", median(21, of_drill));
    println!("  record an attempt: {:?}", record(&store, now));
    opened
}

fn folder(attempts: u64) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("target/bench-store-{attempts}"))
}

fn record(store: &Store, now: Timestamp) -> Duration {
    let newest = store.history(&Filter::default(), 1).unwrap().pop().unwrap();
    let schedule = Schedule::new(TimeZone::UTC);
    median(21, || {
        let mut attempt = newest.clone();
        attempt.id = store.fresh_id(now).unwrap();
        attempt.at = now;
        store.record_attempt(&attempt, &schedule).unwrap();
    })
}

fn once(f: impl FnOnce()) -> Duration {
    let began = Instant::now();
    f();
    began.elapsed()
}

fn median(times: usize, mut f: impl FnMut()) -> Duration {
    let mut taken: Vec<Duration> = (0..times).map(|_| once(&mut f)).collect();
    taken.sort_unstable();
    taken[times / 2]
}
