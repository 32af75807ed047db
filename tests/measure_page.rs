//! The page of a measured lab: in the terminal, in lines, and of a pack of others. Ranks are small fake programs.
#![cfg(unix)]
#![allow(missing_docs)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::OnceLock;

use crate::kit::desk::Desk;
use infralens::line::Plain;
use infralens::measure::figures;
use infralens::measure::python::{Fault, Starter};
use infralens::pack::{Pack, load};
use infralens::page::place::Place;
use infralens::process::Cancel;
use infralens::services::Services;
use infralens::services::job::{Done, Job};
use infralens::services::library::Library;
use infralens::services::run;
use infralens::store::Store;
use infralens::tui::event::What;
use jiff::Timestamp;
use jiff::tz::TimeZone;

const LAB: &str = "01-ddp-buckets";

/// The course as it is built in: what a folder holds runs under trust alone.
fn course() -> &'static Pack {
    static COURSE: OnceLock<Pack> = OnceLock::new();
    COURSE.get_or_init(|| load(&infralens::built_in::ORIGIN).pack.expect("the built-in course"))
}

fn place() -> Place {
    Place::Measure { pack: 0, id: LAB.into() }
}

fn stored_line(ranks: u32) -> String {
    let (_, lab) = course().lab(LAB).expect("the lab");
    let stored = &lab.measure.as_ref().expect("its program").stored;
    let has = |line: &&str| figures::read(line).is_ok_and(|run| run.ranks == ranks);
    stored.lines().find(has).expect("a stored run").to_owned()
}

/// A torchrun that is a shell script.
fn torchrun(folder: &Path, body: &str) -> Starter {
    let path = folder.join("torchrun");
    fs::write(&path, format!("#!/bin/sh\n{body}\n")).expect("written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("executable");
    Starter::Torchrun(path.into())
}

/// The page in the terminal, with what was found for it.
fn desk(found: Result<Starter, Fault>) -> Desk {
    let mut desk = Desk::new(course().clone(), &place());
    desk.resize(120, 40);
    assert!(matches!(desk.jobs.pop(), Some(Job::Look(None))), "it looks for PyTorch by itself");
    desk.send(What::Done(Box::new(Done::Found(found))));
    desk
}

fn has(text: &str, wanted: &str) {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains(wanted), "no “{wanted}” in\n{text}");
}

#[test]
fn it_is_predicted_run_and_compared_in_the_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    let body = format!("cat <<'END'\n{}\nEND", stored_line(4));
    let mut desk = desk(Ok(torchrun(folder.path(), &body)));
    has(&desk.screen(), "Predict, then run it with 2 ranks");
    desk.keys("<down><enter>");
    has(&desk.screen(), "How many all-reduces does a step take");
    desk.keys("many<enter>");
    has(&desk.screen(), "Enter alone leaves it out");
    desk.keys("<ctrl+u><delete>12<enter>24 MiB<enter><enter>");
    has(&desk.screen(), "4 ranks are at work: 0 s, 120 s at most.");
    let Some(Job::Measure(order)) = desk.jobs.pop() else { panic!("nothing is to run") };
    assert_eq!(order.setup.ranks, 4);
    desk.wait(3);
    has(&desk.screen(), "4 ranks are at work: 3 s");
    desk.send(What::Done(Box::new(run::measured(*order))));
    let screen = desk.screen();
    for wanted in ["predicted", "simulated", "measured", "exact", "12 +100% 24 24 exact"] {
        has(&screen, wanted);
    }
    has(&screen, "all-reduces a step, cap 1");
    has(&screen, "24 MiB 0% 24 MiB 24 MiB exact");
    desk.keys("f");
    let rest = desk.keys("<end>").screen();
    has(&format!("{screen}{rest}"), "4 ranks on AMD EPYC");
}

#[test]
fn a_key_ends_a_run_and_so_does_leaving() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut desk = desk(Ok(torchrun(folder.path(), "sleep 600")));
    desk.keys("r<enter><enter><enter>");
    let Some(Job::Measure(order)) = desk.jobs.pop() else { panic!("nothing is to run") };
    desk.keys("c");
    assert!(order.cancel.is_cancelled());
    desk.send(What::Done(Box::new(run::measured(*order))));
    has(&desk.screen(), "was stopped");
    desk.keys("r<enter><enter><enter>");
    let Some(Job::Measure(order)) = desk.jobs.pop() else { panic!("nothing is to run") };
    let cancel: Cancel = order.cancel.clone();
    drop(desk);
    assert!(cancel.is_cancelled(), "a page that is gone leaves nothing behind");
}

#[test]
fn without_pytorch_the_stored_run_of_a_named_machine_stands_in() {
    let mut desk = desk(Err(Fault::NoTorch("python3".into())));
    let screen = desk.screen();
    has(&screen, "python3` has no PyTorch");
    has(&screen, "Nothing is installed for you");
    assert!(!screen.contains("Predict, then run"), "{screen}");
    has(&screen, "see the stored run with 2 ranks: AMD EPYC, 2 cores, PyTorch");
    desk.keys("<enter>24<enter><enter><enter>");
    let screen = desk.screen();
    has(&screen, "A stored run, not from this machine");
    has(&screen, "AMD EPYC (2 cores, no GPU, Linux), gloo, PyTorch");
    assert!(desk.jobs.is_empty(), "nothing runs");
}

#[test]
fn the_lab_offers_it_and_the_program_is_read_note_by_note() {
    let mut desk = Desk::new(course().clone(), &Place::Lab { pack: 0, id: LAB.into() });
    desk.resize(120, 40);
    has(&desk.keys("x").screen(), "on real processes");
    desk.jobs.clear();
    desk.send(What::Done(Box::new(Done::Found(Err(Fault::NoTorch("python3".into()))))));
    let screen = desk.keys("<down><down><enter>").screen();
    has(&screen, "lab01_ddp_buckets.measure.py");
    has(&screen, "The starter works with a");
    has(&desk.keys("]").screen(), "block 2 of");
}

#[test]
fn every_file_of_every_program_is_explained() {
    for lab in course().lessons.iter().flat_map(|l| &l.labs) {
        let Some(measure) = &lab.measure else { continue };
        for (nth, file) in measure.files().enumerate() {
            let notes: usize = file.blocks.iter().map(|b| b.notes.len()).sum();
            assert!(notes >= 10, "{}: {} has {notes} notes", lab.id, file.path);
            let read = lab.measured(nth).expect("the file");
            assert_eq!(read.starter.text, file.text);
        }
        assert!(!measure.guesses.is_empty(), "{}: nothing is predicted", lab.id);
    }
}

/// The page in lines, with a torchrun that is a script.
fn lines(folder: &Path, body: &str) -> Plain {
    let Starter::Torchrun(path) = torchrun(folder, body) else { panic!("a torchrun") };
    let store = Store::in_memory().expect("a store");
    let path = path.to_str().expect("a name").to_owned();
    store.set(infralens::measure::SETTING, &path, Timestamp::UNIX_EPOCH).expect("kept");
    let library = Library { packs: vec![course().clone()], broken: vec![] };
    Plain::new(Services::new(library, store, TimeZone::UTC, folder.to_owned()), vec![], 78)
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_790_000_000 + second).expect("a time")
}

/// Lets the face tick until it says something that holds this.
fn until(face: &mut Plain, wanted: &str) -> String {
    let mut said = String::new();
    for second in 10.. {
        said += &face.tick(at(second));
        if said.split_whitespace().collect::<Vec<_>>().join(" ").contains(wanted) {
            break;
        }
        std::thread::yield_now();
    }
    said
}

#[test]
fn it_is_the_same_in_lines_where_a_run_goes_on_while_lines_are_taken() {
    if std::env::var_os("INFRALENS_PYTHON").is_some() || std::env::var_os("INFRALENS_TORCHRUN").is_some() {
        return; // what the environment names comes before the setting
    }
    let folder = tempfile::tempdir().expect("a folder");
    let body = format!(
        "echo 'cap 1 MiB' >&2; read wait < {0}/go; cat <<'END'\n{1}\nEND",
        folder.path().display(),
        stored_line(2)
    );
    let made = Command::new("mkfifo").arg(folder.path().join("go")).status().expect("mkfifo runs");
    assert!(made.success());
    let mut face = lines(folder.path(), &body);
    let first = face.open(&place(), at(0));
    has(&first, "It runs with");
    has(&first, "1. Predict, then run it with 2 ranks");
    has(&face.line("1", at(1)), "1 of 3");
    face.line("24", at(2));
    face.line("", at(3));
    has(&face.line("", at(4)), "2 ranks are at work: 0 seconds, 120 seconds at most. c stops all ranks.");
    assert!(face.wake_at().is_some(), "it looks after the run");
    until(&mut face, "Cap 1 mebibyte");
    fs::write(folder.path().join("go"), "go\n").expect("the run reads it");
    let said = until(&mut face, "measures again").clone() + &face.line("l", at(99_999));
    has(&said, "all-reduces a step, cap 1 mebibyte: measured 24, simulated 24, exact, you said 24");
    has(&said, "must agree exactly");
    has(&face.line("4", at(100_000)), "From: infralens sim buckets");
}

/// A pack of somebody else whose one lab has a measured program.
fn pack(folder: &Path) {
    let made = infralens(folder, &["pack", "new", folder.join("mine").to_str().expect("a name")], None);
    assert!(made.status.success(), "{made:?}");
    let assets = folder.join("mine/assets");
    fs::write(assets.join("tiny.measure.py"), "print('one')\n").expect("written");
    let lab = lab_of(folder);
    let table = format!(
        "lab = \"{lab}\"\nprogram = \"tiny.measure.py\"\n\n[[figure]]\nid = \"n\"\nformula = \"ranks\"\n\
         differs = \"Nothing.\"\n\n[[block]]\ntitle = \"All\"\n\n[[block.note]]\nat = \"print('one')\"\n\
         text = \"Says one.\"\n"
    );
    fs::write(assets.join("tiny.measure.toml"), table).expect("written");
}

fn lab_of(folder: &Path) -> String {
    let lessons = fs::read_dir(folder.join("mine/lessons")).expect("lessons");
    let text: String = lessons.flatten().filter_map(|e| fs::read_to_string(e.path()).ok()).collect();
    let (_, rest) = text.split_once("[[lab]]").expect("a lab");
    let line = rest.lines().find_map(|l| l.strip_prefix("id = \"")).expect("its id");
    line.trim_end_matches('"').to_owned()
}

fn infralens(folder: &Path, args: &[&str], python: Option<&Path>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_infralens"));
    command.env_remove("INFRALENS_TORCHRUN").env_remove("INFRALENS_PYTHON");
    if let Some(python) = python {
        command.env("INFRALENS_TORCHRUN", python);
    }
    command.arg("--data-dir").arg(folder.join("data")).args(args).output().expect("the program runs")
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_program_of_others_runs_under_trust_until_it_changes() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    pack(folder);
    let source = folder.join("mine");
    let source = source.to_str().expect("a name");
    let checked = infralens(folder, &["pack", "check", source], None);
    assert!(checked.status.success(), "{}{}", String::from_utf8_lossy(&checked.stdout), err(&checked));
    assert!(infralens(folder, &["pack", "install", source], None).status.success());
    let lab = format!("mine:{}", lab_of(folder));
    let line = format!(
        "{{\"lab\": \"{}\", \"version\": 1, \"ranks\": 2, \"torch\": \"2.9\", \"backend\": \"gloo\", \
         \"machine\": {{\"cpu\": \"c\", \"cores\": 1, \"gpus\": [], \"system\": \"s\", \"python\": \"3\", \
         \"date\": \"2026-01-01\"}}, \"knobs\": {{}}, \"seconds\": 1.0, \"figures\": [{{\"id\": \"n\", \
         \"label\": \"n\", \"value\": 2, \"unit\": \"count\", \"exact\": true}}], \"checks\": []}}",
        lab_of(folder)
    );
    let Starter::Torchrun(python) = torchrun(folder, &format!("cat <<'END'\n{line}\nEND")) else {
        panic!("a torchrun")
    };
    let python = Path::new(&python);
    let refused = infralens(folder, &["measure", &lab], Some(python));
    assert!(err(&refused).contains("is not trusted, so its code does not run"), "{refused:?}");
    let trusted = infralens(folder, &["pack", "trust", "mine"], None);
    assert!(trusted.status.success(), "{}", err(&trusted));
    let told = String::from_utf8_lossy(&trusted.stdout).into_owned();
    assert!(told.contains("assets/tiny.measure.py"), "{told}");
    let ran = infralens(folder, &["measure", &lab], Some(python));
    assert!(ran.status.success(), "{ran:?}");
    // the program changes, and its note with it
    let data = folder.join("data/packs/mine/assets");
    for (name, from, to) in
        [("tiny.measure.py", "one", "two"), ("tiny.measure.toml", "print('one')", "print('two')")]
    {
        let text = fs::read_to_string(data.join(name)).expect("the file");
        fs::write(data.join(name), text.replace(from, to)).expect("written");
    }
    let refused = infralens(folder, &["measure", &lab], Some(python));
    assert!(err(&refused).contains("is not trusted, so its code does not run"), "{refused:?}");
}

#[test]
fn a_line_without_a_note_is_found_by_pack_check() {
    let folder = tempfile::tempdir().expect("a folder");
    pack(folder.path());
    let path = folder.path().join("mine/assets/tiny.measure.py");
    fs::write(&path, "print('one')\nprint('three')\n").expect("written");
    let source = folder.path().join("mine");
    let checked = infralens(folder.path(), &["pack", "check", source.to_str().expect("a name")], None);
    let told = format!("{}{}", String::from_utf8_lossy(&checked.stdout), err(&checked));
    assert!(!checked.status.success() && told.contains("the line has no note"), "{told}");
}
