//! A pack of 1,000 lessons and 10,000 drills: opened as at the start, and checked as `pack check` does. Fails
//! above its bars.
//!
//! `cargo bench --bench load [-- LESSONS]`. Lessons and drills are those of `pack new`, with ids of their own;
//! ten drills to a lesson.
#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::unwrap_used, missing_docs)]

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use infralens::pack::{self, Origin};

const DRILLS_PER_LESSON: usize = 10;
const RUNS: usize = 9;
const OPEN: Duration = Duration::from_millis(300);
const CHECK: Duration = Duration::from_secs(3);

fn main() -> ExitCode {
    let lessons: usize = std::env::args().skip(1).find_map(|a| a.parse().ok()).unwrap_or(1_000);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sample");
    infralens::cmd::pack::new(&path, false, &mut Vec::new()).unwrap();
    let bytes = grow(&path, lessons);
    let origin = Origin::Folder(path);
    let drills = pack::load(&origin).pack.expect("the pack loads").drills.len();
    println!("{lessons} lessons, {drills} drills, {:.1} MB of TOML", bytes as f64 / 1e6);
    let open = judge("open", OPEN, || assert!(pack::load(&origin).pack.is_some()));
    let check = judge("check", CHECK, || assert!(pack::check(&origin).pack.is_some()));
    if open && check { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Measures and prints; says whether the bar is kept.
fn judge(what: &str, bar: Duration, mut f: impl FnMut()) -> bool {
    let mut took: Vec<Duration> = (0..RUNS)
        .map(|_| {
            let began = Instant::now();
            f();
            began.elapsed()
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

/// Multiplies the one lesson of a new pack; gives the bytes of TOML written.
fn grow(pack: &Path, lessons: usize) -> usize {
    let read = |name: &str| fs::read_to_string(pack.join(name)).unwrap();
    let (lesson, quiz, manifest) =
        (read("lessons/first.toml"), read("quizzes/first.toml"), read("pack.toml"));
    let (checks, drill) = quiz.split_at(quiz.find("[[drill]]").unwrap());
    fs::remove_file(pack.join("lessons/first.toml")).unwrap();
    fs::remove_file(pack.join("quizzes/first.toml")).unwrap();
    let mut bytes = 0;
    let mut ids = Vec::new();
    for n in 0..lessons {
        let id = format!("lesson-{n}");
        let text = lesson
            .replace("id = \"first\"", &format!("id = \"{id}\""))
            .replace("[[lab]]\nid = \"average\"", &format!("[[lab]]\nid = \"average-{n}\""));
        let mut quizzes = checks
            .replace("lesson = \"first\"", &format!("lesson = \"{id}\""))
            .replace("average-of-two", &format!("average-of-two-{n}"));
        for m in 0..DRILLS_PER_LESSON {
            quizzes.push_str(&drill.replace("average-or-median", &format!("average-or-median-{n}-{m}")));
        }
        bytes += text.len() + quizzes.len();
        fs::write(pack.join(format!("lessons/{id}.toml")), text).unwrap();
        fs::write(pack.join(format!("quizzes/{id}.toml")), quizzes).unwrap();
        ids.push(format!("\"{id}\""));
    }
    let glossary = read("glossary.toml").replace("\"first\"", "\"lesson-0\"");
    fs::write(pack.join("glossary.toml"), glossary).unwrap();
    let manifest = manifest.replace("[\"first\"]", &format!("[{}]", ids.join(", ")));
    fs::write(pack.join("pack.toml"), manifest).unwrap();
    bytes
}
