//! The store: Home of a store of 1,000,000 attempts, beside one of 1,000, in one run. Fails above its bar.
//!
//! `cargo bench --bench store [-- ATTEMPTS]`. The large store is made once below `target/` by importing
//! generated lines, and used again by later runs.
#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::unwrap_used, missing_docs)]

use std::fmt::Write;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use infralens::store::{Filter, Source, Store};
use infralens::study::schedule::Schedule;
use infralens::study::seed::Seed;
use jiff::Timestamp;
use jiff::tz::TimeZone;

const PACK: &str = "bench";
const LESSONS: usize = 100;
const DRILLS: usize = 1_000;
const PARTS: [&str; 5] = ["problem", "mechanism", "communication", "tradeoff", "measurement"];
const START: i64 = 1_600_000_000;
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
        store
            .import(
                BufReader::with_capacity(1 << 20, Lines::new(attempts)),
                Source::Elsewhere,
                Timestamp::MAX,
            )
            .unwrap();
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

/// An export, written as it is read.
struct Lines {
    left: u64,
    total: u64,
    seed: Seed,
    line: Vec<u8>,
    at: usize,
}

impl Lines {
    fn new(total: u64) -> Self {
        let line = b"{\"kind\":\"infralens\",\"format\":1}\n".to_vec();
        Lines { left: total, total, seed: Seed::new(1), line, at: 0 }
    }

    /// One attempt a minute, on any drill, with any marks.
    fn next_line(&mut self) -> String {
        let number = self.total - self.left;
        let drill = self.seed.below(DRILLS);
        let lesson = drill % LESSONS;
        let at = Timestamp::from_second(START + number as i64 * 60).unwrap();
        let mut parts = String::new();
        for part in PARTS {
            let mark = self.seed.below(5);
            let verdict = ["missing", "missing", "partial", "covered", "covered"][mark];
            let comma = if parts.is_empty() { "" } else { "," };
            write!(
                parts,
                "{comma}{{\"part\":\"{part}\",\"verdict\":\"{verdict}\",\"score\":{},\"points\":[],\"feedback\":\"say it\"}}",
                mark as f64 / 4.0
            )
            .unwrap();
        }
        let answer = "each rank keeps a slice of the optimizer state and gathers the rest ".repeat(6);
        format!(
            "{{\"record\":\"attempt\",\"id\":\"{number:016x}\",\"pack\":\"{PACK}\",\"drill\":\"drill-{drill}\",\
             \"lesson\":\"lesson-{lesson}\",\"at\":\"{at}\",\"mode\":\"practice\",\"seconds\":90,\"answer\":\"{answer}\",\
             \"score\":{{\"drill\":\"drill-{drill}\",\"score\":0.5,\"limiting_part\":\"problem\",\"parts\":[{parts}],\
             \"misconceptions\":[],\"flags\":[],\"words\":72}}}}\n"
        )
    }
}

impl Read for Lines {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.at == self.line.len() {
            if self.left == 0 {
                return Ok(0);
            }
            self.line = self.next_line().into_bytes();
            self.at = 0;
            self.left -= 1;
        }
        let count = buffer.len().min(self.line.len() - self.at);
        buffer[..count].copy_from_slice(&self.line[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
}
