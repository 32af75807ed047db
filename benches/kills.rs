//! 500 kills at random moments: while a drill is typed, in a rehearsal, in `import`, `pack install`, `export --class`
//! and `sync`. After each one the database is sound, nothing that is older than a second is lost, and what a verb does
//! is done wholly or not at all. Ends with status 1 at the first that is not so.
//!
//! `cargo bench --bench kills [-- KILLS SEED]`. Linux; needs a pseudo-terminal.
#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::unwrap_used, missing_docs)]

#[path = "kit/grown.rs"]
mod grown;
#[path = "../tests/kit/session.rs"]
mod session;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use infralens::store::{Filter, Store};
use infralens::study::seed::Seed;
use session::Session;

const BIN: &str = env!("CARGO_BIN_EXE_infralens");
const PACK: &str = "distributed-training";
const DRILL: &str = "ddp-gradients-not-parameters";
/// What was shown so long before the kill is kept, and the time that a loaded machine may take over it.
const LOST: Duration = Duration::from_millis(1000);
/// Attempts of an import.
const ATTEMPTS: usize = 3000;

fn main() {
    let mut numbers = std::env::args().skip(1).filter_map(|a| a.parse::<u64>().ok());
    let (kills, seed) = (numbers.next().unwrap_or(500), numbers.next().unwrap_or(2026));
    let mut seed = Seed::new(seed);
    let world = World::new();
    let kinds: [(&str, Kind); 6] = [
        ("drill", drill),
        ("rehearsal", rehearsal),
        ("import", import),
        ("install", install),
        ("class", class),
        ("sync", sync),
    ];
    let mut ends: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let began = Instant::now();
    for kill in 0..kills {
        let (name, run) = kinds[usize::try_from(kill).unwrap() % kinds.len()];
        let end = run(&world, &mut seed);
        *ends.entry((name, end)).or_default() += 1;
        if kill % 50 == 49 {
            println!("{} kills in {:.0?}", kill + 1, began.elapsed());
        }
    }
    for ((name, end), times) in ends {
        println!("{name}: {times} times {end}");
    }
    println!("{kills} kills: every database sound, nothing older than a second lost");
}

/// Kills something at a random moment, and says how that ended.
type Kind = fn(&World, &mut Seed) -> &'static str;

/// What the verbs work on, made once.
struct World {
    folder: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let pack = folder.path().join("sample");
        infralens::cmd::pack::new(&pack, false, &mut Vec::new()).unwrap();
        grown::grow(&pack, 60);
        let world = World { folder };
        // answers to export and to import
        let full = world.path("full");
        for n in 0..3 {
            let answer = world.path("answer.txt");
            fs::write(&answer, format!("Each rank keeps a replica, answer {n}.\n.\nq\n")).unwrap();
            let input = fs::File::open(&answer).unwrap();
            let mut command = Command::new(BIN);
            command.args(["--plain", "--data-dir"]).arg(&full).args(["drill", DRILL]);
            assert!(command.stdin(input).stdout(Stdio::null()).status().unwrap().success());
        }
        let one = Command::new(BIN).arg("--data-dir").arg(&full).arg("export").output().unwrap().stdout;
        let one = String::from_utf8(one).unwrap();
        let mut lines = vec![one.lines().next().unwrap().to_owned()];
        let mut attempt: serde_json::Value = one
            .lines()
            .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
            .find(|record| record["record"] == "attempt")
            .expect("an answer was scored");
        for n in 0..ATTEMPTS {
            attempt["id"] = format!("import-{n:06}").into();
            lines.push(attempt.to_string());
        }
        fs::write(world.path("many.jsonl"), lines.join("\n") + "\n").unwrap();
        let file = world.path("many.jsonl");
        world.verb(&full, &["import".as_ref(), file.as_os_str()]).status().unwrap();
        world
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    fn verb(&self, data: &Path, args: &[&OsStr]) -> Command {
        let mut command = Command::new(BIN);
        command.arg("--data-dir").arg(data).args(args).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }
}

/// Looks at all of the database.
fn assert_sound(data: &Path) -> Store {
    let store = Store::open(data).unwrap();
    assert_eq!(store.set_aside(), None, "it was set aside");
    let file = rusqlite::Connection::open(data.join("infralens.db")).unwrap();
    let word: String = file.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(word, "ok");
    store
}

/// Runs a verb and kills it within so many milliseconds, unless it ended by itself; says which.
fn killed(mut command: Command, seed: &mut Seed, within: usize) -> &'static str {
    let moment = Duration::from_micros(seed.below(within * 1000) as u64);
    let mut child = command.spawn().unwrap();
    std::thread::sleep(moment);
    let ended = child.try_wait().unwrap();
    let _ = child.kill();
    child.wait().unwrap();
    match ended {
        None => "killed",
        Some(status) => {
            assert!(status.success(), "it failed by itself");
            "ended before"
        }
    }
}

/// Types words until the moment of the kill; gives how many words the screen showed a second before it.
fn typed(session: &mut Session, seed: &mut Seed, first: usize) -> usize {
    let began = Instant::now();
    let moment = Duration::from_millis(300 + seed.below(2700) as u64);
    let mut shown: Vec<(Instant, usize)> = Vec::new();
    let mut words = first;
    while began.elapsed() < moment {
        session.send("rank ");
        words += 1;
        let wanted = if words == 1 { "1 word".to_owned() } else { format!("{words} words") };
        session.shows(&wanted);
        shown.push((Instant::now(), words));
        std::thread::sleep(Duration::from_millis(seed.below(120) as u64));
    }
    session.signal("-KILL");
    let kill = Instant::now();
    session.exit_code();
    let old = shown.iter().filter(|(at, _)| kill.duration_since(*at) > LOST);
    old.map(|(_, words)| *words).max().unwrap_or(first)
}

fn drill(_: &World, seed: &mut Seed) -> &'static str {
    let data = tempfile::tempdir().unwrap();
    let mut session = Session::start(data.path(), &["drill", DRILL]);
    session.shows("0 words");
    let due = typed(&mut session, seed, 0);
    drop(session);
    let kept = assert_sound(data.path()).drafts(PACK).unwrap();
    let kept = kept.first().map_or(0, |draft| draft.text.split_whitespace().count());
    assert!(kept >= due, "{kept} words are kept, and {due} were shown a second before");
    if kept == 0 { "killed before a word was due" } else { "gone on with" }
}

fn rehearsal(_: &World, seed: &mut Seed) -> &'static str {
    let data = tempfile::tempdir().unwrap();
    let args = ["rehearse", "--start", "--count", "1", "--think", "0", "--answer", "600", "--lesson", "ddp"];
    let mut session = Session::start(data.path(), &args);
    session.shows("0 words");
    let due = typed(&mut session, seed, 0);
    drop(session);
    let store = assert_sound(data.path());
    let home = store.home(PACK, jiff::Timestamp::UNIX_EPOCH, &jiff::tz::TimeZone::UTC).unwrap();
    let run = home.unfinished.and_then(|id| store.take_rehearsal(&id, jiff::Timestamp::UNIX_EPOCH).unwrap());
    let kept = run.map_or(0, |run| run.text.split_whitespace().count());
    assert!(kept >= due, "{kept} words are kept, and {due} were shown a second before");
    if kept == 0 { "killed before a word was due" } else { "gone on with" }
}

fn import(world: &World, seed: &mut Seed) -> &'static str {
    let data = tempfile::tempdir().unwrap();
    let file = world.path("many.jsonl");
    let args = ["import".as_ref(), file.as_os_str()];
    let end = killed(world.verb(data.path(), &args), seed, 1500);
    let kept = assert_sound(data.path()).history(&Filter::default(), u32::MAX).unwrap().len();
    assert!(kept == 0 || kept == ATTEMPTS, "{kept} of {ATTEMPTS} attempts came in");
    assert!(end == "killed" || kept == ATTEMPTS);
    // once more brings the rest
    assert!(world.verb(data.path(), &args).status().unwrap().success());
    assert_eq!(assert_sound(data.path()).history(&Filter::default(), u32::MAX).unwrap().len(), ATTEMPTS);
    end
}

fn install(world: &World, seed: &mut Seed) -> &'static str {
    let data = tempfile::tempdir().unwrap();
    let pack = world.path("sample");
    let args = ["pack".as_ref(), "install".as_ref(), pack.as_os_str()];
    let end = killed(world.verb(data.path(), &args), seed, 300);
    let listed = |what: &str| {
        let list = ["--json", "pack", "list"].map(OsStr::new);
        let out = world.verb(data.path(), &list).stdout(Stdio::piped()).output().unwrap();
        let packs: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
        let packs = packs.as_array().unwrap();
        assert!(packs.iter().all(|p| p.get("problems").is_none()), "{what}: half a pack: {packs:?}");
        packs.len()
    };
    let found = listed("after the kill");
    assert!(found == 1 || found == 2);
    assert!(end == "killed" || found == 2);
    if found == 1 {
        assert!(world.verb(data.path(), &args).status().unwrap().success());
        assert_eq!(listed("installed again"), 2);
    }
    end
}

fn class(world: &World, seed: &mut Seed) -> &'static str {
    let data = world.path("full");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ada.jsonl");
    let named = ["--class", PACK, "--student", "Ada"].map(OsStr::new);
    let args: Vec<&OsStr> = ["export".as_ref(), file.as_os_str()].into_iter().chain(named).collect();
    let end = killed(world.verb(&data, &args), seed, 800);
    assert_sound(&data);
    if file.exists() {
        let summary = ["class".as_ref(), "open".as_ref(), folder.path().as_os_str(), "--json".as_ref()];
        let out = world.verb(&data, &summary).stdout(Stdio::piped()).output().unwrap();
        let room: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
        assert_eq!(room["notes"].as_array().map(Vec::len), Some(0), "half a file: {}", room["notes"]);
    }
    assert!(end == "killed" || file.exists());
    end
}

fn sync(world: &World, seed: &mut Seed) -> &'static str {
    let shared = tempfile::tempdir().unwrap();
    let (one, other) = (world.path("full"), tempfile::tempdir().unwrap());
    let args = ["sync".as_ref(), shared.path().as_os_str()];
    let end = killed(world.verb(&one, &args), seed, 800);
    assert_sound(&one);
    // what another machine finds is whole or nothing
    let status = world.verb(other.path(), &args).status().unwrap();
    assert!(status.success(), "half a file was in place");
    let killed_too = killed(world.verb(other.path(), &args), seed, 800);
    assert_sound(other.path());
    for data in [one.as_path(), other.path(), one.as_path()] {
        assert!(world.verb(data, &args).status().unwrap().success());
    }
    let left: Vec<_> = fs::read_dir(shared.path()).unwrap().flatten().map(|e| e.file_name()).collect();
    assert_eq!(left.len(), 2, "something was left beside: {left:?}");
    let [first, second] = [one.as_path(), other.path()].map(|data| {
        let count = assert_sound(data).history(&Filter::default(), u32::MAX).unwrap().len();
        assert!(count >= ATTEMPTS);
        count
    });
    assert_eq!(first, second);
    if end == "killed" { end } else { killed_too }
}
