//! Packs from elsewhere: installed, listed, trusted, watched.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

/// How long to wait for what must come. Nothing waits this long when all is well.
const PATIENCE: Duration = Duration::from_secs(30);

fn command(data: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_infralens"));
    command.arg("--data-dir").arg(data).args(args).env("NO_COLOR", "1");
    command
}

fn run(data: &Path, args: &[&str]) -> Output {
    command(data, args).output().unwrap()
}

fn out(o: &Output) -> String {
    String::from_utf8(o.stdout.clone()).unwrap()
}

fn err(o: &Output) -> String {
    String::from_utf8(o.stderr.clone()).unwrap()
}

/// A small pack that works, with its folder and a folder for data beside it.
struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    fn new() -> Self {
        let bench = Bench { folder: tempfile::tempdir().unwrap() };
        let made = run(&bench.data(), &["pack", "new", &bench.pack()]);
        assert_eq!(made.status.code(), Some(0), "{}", err(&made));
        bench
    }

    fn data(&self) -> std::path::PathBuf {
        self.folder.path().join("data")
    }

    fn pack(&self) -> String {
        self.folder.path().join("mine").display().to_string()
    }

    fn edit(&self, file: &str, from: &str, to: &str) {
        let path = self.folder.path().join("mine").join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "no {from} in {text}");
        fs::write(&path, text.replace(from, to)).unwrap();
    }

    fn install(&self, more: &[&str]) -> Output {
        let pack = self.pack();
        let args: Vec<&str> = ["pack", "install", &pack].into_iter().chain(more.iter().copied()).collect();
        run(&self.data(), &args)
    }

    fn list(&self) -> serde_json::Value {
        let list = run(&self.data(), &["pack", "list", "--json"]);
        serde_json::from_str(&out(&list)).unwrap()
    }
}

#[test]
fn an_installed_pack_is_there_at_every_start() {
    let bench = Bench::new();
    let installed = bench.install(&[]);
    assert_eq!(installed.status.code(), Some(0), "{}", err(&installed));
    assert!(out(&installed).contains("installed in "), "{}", out(&installed));
    assert!(out(&installed).contains("infralens pack trust mine"));
    // the folder it came from is not needed any more
    fs::remove_dir_all(bench.pack()).unwrap();
    let list = bench.list();
    assert_eq!(list[0]["where"], "built in");
    assert_eq!((&list[1]["id"], &list[1]["trusted"]), (&"mine".into(), &false.into()));
    let lessons = run(&bench.data(), &["list", "lessons"]);
    assert!(out(&lessons).contains("first"), "{}", out(&lessons));
    let shown = run(&bench.data(), &["show", "first"]);
    assert_eq!(shown.status.code(), Some(0), "{}", err(&shown));
}

#[test]
fn a_newer_version_replaces_and_an_older_is_refused() {
    let bench = Bench::new();
    bench.edit("pack.toml", "version = \"", "version = \"1.9.0\" # ");
    bench.install(&[]);
    bench.edit("pack.toml", "1.9.0", "1.10.0");
    let newer = bench.install(&[]);
    assert!(out(&newer).contains("1.10.0") && out(&newer).contains("in place of 1.9.0"), "{}", out(&newer));
    assert_eq!(bench.list()[1]["version"], "1.10.0");
    bench.edit("pack.toml", "1.10.0", "1.2.0");
    let older = bench.install(&[]);
    assert_eq!(older.status.code(), Some(2));
    assert!(err(&older).contains("is older than 1.10.0"), "{}", err(&older));
    assert!(err(&older).contains("infralens pack remove mine"), "{}", err(&older));
    assert_eq!(bench.list()[1]["version"], "1.10.0");
    let left: Vec<String> = fs::read_dir(bench.data().join("packs"))
        .unwrap()
        .map(|e| e.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| name != ".lock")
        .collect();
    assert_eq!(left, ["mine"], "nothing is left over");
}

#[test]
fn a_broken_pack_is_refused_with_its_problems() {
    let bench = Bench::new();
    bench.edit("lessons/first.toml", "id = ", "idd = ");
    let refused = bench.install(&[]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(out(&refused).contains("lessons/first.toml:") && out(&refused).contains("is not installed"));
    assert_eq!(bench.list().as_array().unwrap().len(), 1);
    bench.edit("lessons/first.toml", "idd = ", "id = ");
    bench.edit("pack.toml", "id = \"mine\"", "id = \"distributed-training\"");
    let refused = bench.install(&[]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(err(&refused).contains("built-in course"), "{}", err(&refused));
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    let bench = Bench::new();
    let secret = bench.folder.path().join("secret.txt");
    fs::write(&secret, "secret").unwrap();
    std::os::unix::fs::symlink(&secret, Path::new(&bench.pack()).join("assets/notes.txt")).unwrap();
    let refused = bench.install(&[]);
    assert_eq!(refused.status.code(), Some(2), "{}", out(&refused));
    assert!(err(&refused).contains("may not hold links"), "{}", err(&refused));
    assert!(!bench.data().join("packs/mine").exists());
}

#[test]
fn code_runs_once_it_is_trusted_and_no_longer_once_it_changed() {
    let bench = Bench::new();
    bench.install(&[]);
    let lab = || {
        let shown = run(&bench.data(), &["list", "labs", "--json"]);
        let labs: serde_json::Value = serde_json::from_str(&out(&shown)).unwrap();
        let last = labs.as_array().unwrap().last().unwrap().clone();
        last["id"].as_str().unwrap().to_owned()
    };
    assert!(!lab().is_empty());
    let trusted = run(&bench.data(), &["pack", "trust", "mine"]);
    assert!(out(&trusted).contains("assets/average.py"), "{}", out(&trusted));
    assert_eq!(bench.list()[1]["trusted"], true);
    // the same code installed again is still trusted, other code is not
    assert!(out(&bench.install(&[])).contains("they have not changed since you trusted them"));
    let file = Path::new(&bench.pack()).join("assets/average.py");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text + "\n# changed\n").unwrap();
    bench.install(&[]);
    assert_eq!(bench.list()[1]["trusted"], false);
    assert!(out(&bench.install(&["--trust"])).contains("may run"));
    assert_eq!(bench.list()[1]["trusted"], true);
    let unknown = run(&bench.data(), &["pack", "trust", "mein"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(err(&unknown).contains("did you mean `mine`?"), "{}", err(&unknown));
}

#[test]
fn the_plain_lab_asks_for_trust() {
    let bench = Bench::new();
    bench.install(&[]);
    let mut child = command(&bench.data(), &["--plain", "learn", "first"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"8\nr\nten\ntrust\nq\nq\n").unwrap();
    drop(input);
    let said = out(&child.wait_with_output().unwrap());
    let flat = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("is not trusted, so its code does not run"), "{said}");
    assert!(flat.contains("The pack is trusted until its code changes"), "{said}");
    assert_eq!(bench.list()[1]["trusted"], true);
}

#[test]
fn a_pack_named_on_the_command_line_takes_the_place_of_the_installed_one() {
    let bench = Bench::new();
    bench.install(&[]);
    let pack = bench.pack();
    let list = run(&bench.data(), &["--pack", &pack, "pack", "list"]);
    assert_eq!(list.status.code(), Some(0), "{}", out(&list));
    assert_eq!(out(&list).matches("\nmine ").count(), 1, "{}", out(&list));
    assert!(!out(&list).contains("data/packs/mine"), "{}", out(&list));
}

#[test]
fn watching_tells_of_each_change() {
    let bench = Bench::new();
    let mut child =
        command(&bench.data(), &["pack", "watch", &bench.pack()]).stdout(Stdio::piped()).spawn().unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    let (to, from) = channel();
    std::thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|l| to.send(l)));
    let until = |wanted: &str| {
        let mut seen = String::new();
        while !seen.lines().last().is_some_and(|l| l.contains(wanted)) {
            match from.recv_timeout(PATIENCE) {
                Ok(line) => seen = seen + &line + "\n",
                Err(e) => panic!("waiting for {wanted}: {e}\n{seen}"),
            }
        }
    };
    until("clean");
    until("watching");
    bench.edit("lessons/first.toml", "id = ", "idd = ");
    until("idd");
    until("errors");
    until("watching");
    bench.edit("lessons/first.toml", "idd = ", "id = ");
    until("clean");
    child.kill().unwrap();
    child.wait().unwrap();
    let nothing = run(&bench.data(), &["pack", "watch", "/no/such/folder"]);
    assert_eq!(nothing.status.code(), Some(2));
    assert!(err(&nothing).contains("name a folder that holds a pack.toml"));
}

#[test]
fn an_installed_pack_can_be_removed_and_comes_back() {
    let bench = Bench::new();
    bench.install(&[]);
    let removed = run(&bench.data(), &["pack", "remove", "mine"]);
    assert_eq!(removed.status.code(), Some(0), "{}", err(&removed));
    assert!(!out(&run(&bench.data(), &["pack", "list"])).contains("\nmine "));
    let again = run(&bench.data(), &["pack", "remove", "mine"]);
    assert_eq!(again.status.code(), Some(2));
    assert!(err(&again).contains("no installed pack has the id `mine`"), "{}", err(&again));
    bench.install(&[]);
    for id in ["distributed-training", "../data", "."] {
        assert_eq!(run(&bench.data(), &["pack", "remove", id]).status.code(), Some(2), "{id}");
    }
}

#[test]
fn what_was_killed_on_the_way_is_in_nobodys_way() {
    let bench = Bench::new();
    bench.install(&[]);
    let packs = Path::new(&bench.data()).join("packs");
    // killed while it was being replaced: the old copy stands aside
    fs::rename(packs.join("mine"), packs.join(".mine.before")).unwrap();
    // killed while one was removed, and while one was copied
    for left in [".other.removed", ".new-a1b2c3"] {
        fs::create_dir(packs.join(left)).unwrap();
        fs::write(packs.join(left).join("pack.toml"), "half").unwrap();
    }
    let removed = run(&bench.data(), &["pack", "remove", "other"]);
    assert_eq!(removed.status.code(), Some(2), "there is none");
    bench.install(&[]);
    let names = || -> Vec<String> {
        let entries = fs::read_dir(&packs).unwrap().flatten();
        let mut names: Vec<String> = entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(names(), [".lock", "mine"]);
    fs::rename(packs.join("mine"), packs.join(".mine.before")).unwrap();
    fs::create_dir(packs.join(".mine.removed")).unwrap();
    let list = run(&bench.data(), &["pack", "list"]);
    assert!(!out(&list).contains("\nmine "), "what stands aside is not read");
    bench.install(&[]);
    let removed = run(&bench.data(), &["pack", "remove", "mine"]);
    assert_eq!(removed.status.code(), Some(0), "{}", err(&removed));
    assert_eq!(names(), [".lock"]);
}

#[test]
fn names_that_steer_a_terminal_are_shown_harmless() {
    let folder = tempfile::tempdir().unwrap();
    let evil = folder.path().join("a\u{1b}]0;x\u{7}\u{1b}[2Jb");
    let path = evil.to_str().unwrap();
    let data = folder.path().join("data");
    let new = run(&data, &["pack", "new", path]);
    assert_eq!(new.status.code(), Some(0), "{}", err(&new));
    for args in [
        vec!["pack", "new", path],
        vec!["pack", "check", path],
        vec!["pack", "install", path],
        vec!["pack", "trust", path],
        vec!["pack", "remove", path],
        vec!["pack", "watch", "/no/\u{1b}[2J"],
        vec!["import", path],
        vec!["score", "ddp-accumulation", path],
        vec!["puzzle", path],
        vec!["show", path],
        vec!["sync", "/no/\u{1b}[2J"],
        vec!["class", "open", "/no/\u{1b}[2J"],
    ] {
        let output = run(&data, &args);
        let said = out(&output) + &err(&output);
        assert!(!said.contains('\u{1b}') && !said.contains('\u{7}'), "{args:?}: {said:?}");
        assert!(!said.is_empty(), "{args:?}");
    }
}

#[test]
fn the_example_is_a_pack_without_a_fault() {
    let folder = tempfile::tempdir().unwrap();
    let pack = folder.path().join("tcp example");
    let path = pack.to_str().unwrap();
    let made = run(folder.path(), &["pack", "new", "--example", path]);
    assert!(out(&made).contains("pack check '"), "{}", out(&made));
    let checked = run(folder.path(), &["pack", "check", path]);
    assert!(out(&checked).contains("0 errors and 0 warnings: 1 lesson, 3 drills"), "{}", out(&checked));
}
