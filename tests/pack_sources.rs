//! Packs from archives and from git, the pack that comes first, ids that two packs have, drafts of rubrics.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use zip::write::SimpleFileOptions;

struct Bench {
    folder: tempfile::TempDir,
}

fn said(output: &Output) -> String {
    String::from_utf8([&output.stdout[..], &output.stderr[..]].concat()).unwrap()
}

impl Bench {
    /// An empty data folder, and a pack `mine` beside it.
    fn new() -> Self {
        let bench = Bench { folder: tempfile::tempdir().unwrap() };
        bench.done(&["pack", "new", bench.text("mine").as_str()]);
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    fn run(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_infralens"));
        command.arg("--data-dir").arg(self.path("data")).args(args).env("NO_COLOR", "1");
        command.output().unwrap()
    }

    #[track_caller]
    fn done(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", said(&output));
        said(&output)
    }

    #[track_caller]
    fn refused(&self, args: &[&str], told: &str) {
        let output = self.run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", said(&output));
        assert!(said(&output).contains(told), "{args:?}: {}", said(&output));
        assert!(!self.path("data/packs/mine").exists(), "nothing is installed");
    }

    /// The files of the pack, by their paths below `mine`.
    fn files(&self) -> Vec<(String, Vec<u8>)> {
        let mut found = Vec::new();
        let mut folders = vec![self.path("mine")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap().flatten() {
                match entry.path() {
                    path if path.is_dir() => folders.push(path),
                    path => {
                        let below = path.strip_prefix(self.path("mine")).unwrap();
                        found.push((below.display().to_string(), fs::read(&path).unwrap()));
                    }
                }
            }
        }
        found.sort();
        found
    }

    fn zip(&self, name: &str, more: impl FnOnce(&mut zip::ZipWriter<Cursor<Vec<u8>>>)) -> String {
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (path, bytes) in self.files() {
            zip.start_file(format!("mine/{path}"), SimpleFileOptions::default()).unwrap();
            zip.write_all(&bytes).unwrap();
        }
        more(&mut zip);
        fs::write(self.path(name), zip.finish().unwrap().into_inner()).unwrap();
        self.text(name)
    }

    fn tar(&self, name: &str, more: impl FnOnce(&mut tar::Builder<Vec<u8>>)) -> String {
        let mut tar = tar::Builder::new(Vec::new());
        for (path, bytes) in self.files() {
            let mut header = tar::Header::new_gnu();
            header.set_size(bytes.len() as u64);
            header.set_mode(0o644);
            tar.append_data(&mut header, format!("mine/{path}"), &bytes[..]).unwrap();
        }
        more(&mut tar);
        let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gz.write_all(&tar.into_inner().unwrap()).unwrap();
        fs::write(self.path(name), gz.finish().unwrap()).unwrap();
        self.text(name)
    }
}

fn git(folder: &Path, args: &[&str]) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]);
    let output = command.args(args).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", said(&output));
}

#[test]
fn a_pack_is_installed_from_an_archive_and_from_git() {
    for from in ["zip", "tar.gz", "git"] {
        let bench = Bench::new();
        let place = match from {
            "zip" => bench.zip("mine.zip", |zip| {
                // what a file manager adds
                zip.start_file("__MACOSX/mine/._pack.toml", SimpleFileOptions::default()).unwrap();
                zip.write_all(b"noise").unwrap();
            }),
            "tar.gz" => bench.tar("mine.tar.gz", |_| {}),
            _ => {
                git(&bench.path("mine"), &["init", "-q"]);
                git(&bench.path("mine"), &["add", "-A"]);
                git(&bench.path("mine"), &["commit", "-qm", "A pack"]);
                format!("file://{}", bench.text("mine"))
            }
        };
        let told = bench.done(&["pack", "install", &place]);
        assert!(
            told.contains("installed in") && told.contains("infralens pack trust mine"),
            "{from}: {told}"
        );
        assert!(
            bench.path("data/packs/mine/pack.toml").is_file() && !bench.path("data/packs/mine/.git").exists()
        );
        assert!(bench.done(&["list", "lessons"]).contains("first"));
    }
}

#[test]
fn hostile_archives_are_refused_and_leave_nothing() {
    let bench = Bench::new();
    let file = |name: &'static str| {
        move |zip: &mut zip::ZipWriter<Cursor<Vec<u8>>>| {
            zip.start_file(name, SimpleFileOptions::default()).unwrap();
            zip.write_all(b"x").unwrap();
        }
    };
    let slip = bench.zip("slip.zip", file("../../escaped.txt"));
    bench.refused(&["pack", "install", &slip], "leads out of the pack");
    let absolute = bench.zip("absolute.zip", file("/tmp/infralens-escaped"));
    bench.refused(&["pack", "install", &absolute], "leads out of the pack");
    let windows = bench.zip("windows.zip", file("mine\\assets\\x.py"));
    bench.refused(&["pack", "install", &windows], "some systems do not allow");
    let deep = bench.zip("deep.zip", file("mine/a/b/c/d/e/f/g/h/x"));
    bench.refused(&["pack", "install", &deep], "folders deep");
    let link = bench.zip("link.zip", |zip| {
        zip.add_symlink("mine/assets/secret.py", "/etc/passwd", SimpleFileOptions::default()).unwrap();
    });
    bench.refused(&["pack", "install", &link], "not a regular file");
    for kind in [tar::EntryType::Symlink, tar::EntryType::Link, tar::EntryType::Fifo] {
        let tar = bench.tar("link.tar.gz", |tar| {
            let mut header = tar::Header::new_gnu();
            header.set_entry_type(kind);
            header.set_size(0);
            tar.append_link(&mut header, "mine/assets/secret.py", "/etc/passwd").unwrap();
        });
        bench.refused(&["pack", "install", &tar], "not a regular file");
    }
    let twice = bench.tar("twice.tar.gz", |tar| {
        let mut header = tar::Header::new_gnu();
        header.set_size(1);
        tar.append_data(&mut header, "mine/pack.toml", &b"x"[..]).unwrap();
    });
    bench.refused(&["pack", "install", &twice], "is in it twice");
    let long = bench.tar("long.tar.gz", |tar| {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(tar::EntryType::GNULongName);
        header.set_path("././@LongLink").unwrap();
        header.set_size(1 << 20);
        header.set_cksum();
        tar.append(&header, &vec![b'a'; 1 << 20][..]).unwrap();
    });
    bench.refused(&["pack", "install", &long], "a file name in it has more than 64 KiB");
    fs::write(bench.path("no.zip"), "not an archive").unwrap();
    bench.refused(&["pack", "install", &bench.text("no.zip")], "it is not a zip archive");
    fs::write(bench.path("no.tar.gz"), "not an archive").unwrap();
    bench.refused(&["pack", "install", &bench.text("no.tar.gz")], "not a tar.gz archive");
    let cut = bench.tar("cut.tar.gz", |_| {});
    let bytes = fs::read(&cut).unwrap();
    fs::write(&cut, &bytes[..bytes.len() / 2]).unwrap();
    bench.refused(&["pack", "install", &cut], "cannot be installed");
    assert!(!bench.folder.path().parent().unwrap().join("escaped.txt").exists());
    let left: Vec<_> = fs::read_dir(bench.path("data/packs")).into_iter().flatten().collect();
    assert!(left.is_empty(), "{left:?}");
}

/// Compressed zeros, a MiB at a time.
fn zeros(mib: usize) -> Vec<u8> {
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(&[0; 1 << 20]).unwrap();
    gz.finish().unwrap().repeat(mib)
}

#[test]
fn an_archive_that_unpacks_to_more_than_a_pack_may_hold_leaves_nothing() {
    const MOST_MIB: usize = 256;
    let bench = Bench::new();
    let told = format!("it holds more than {MOST_MIB} MiB; a pack is smaller");
    // one member of the stream for the head of the file, then one for each MiB of it
    let mut head = tar::Header::new_gnu();
    head.set_path("mine/assets/big.txt").unwrap();
    head.set_size(((MOST_MIB + 1) << 20) as u64);
    head.set_mode(0o644);
    head.set_cksum();
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(head.as_bytes()).unwrap();
    let tar = [gz.finish().unwrap(), zeros(MOST_MIB + 1)].concat();
    fs::write(bench.path("bomb.tar.gz"), &tar).unwrap();
    let zip = bench.zip("bomb.zip", |zip| {
        zip.start_file("mine/assets/big.txt", SimpleFileOptions::default()).unwrap();
        for _ in 0..=MOST_MIB {
            zip.write_all(&[0; 1 << 20]).unwrap();
        }
    });
    for archive in [bench.text("bomb.tar.gz"), zip] {
        assert!(fs::metadata(&archive).unwrap().len() < 4 << 20, "{archive} is small on disk");
        let unpacked = bench.path("unpacked");
        fs::create_dir_all(&unpacked).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_infralens"));
        command.arg("--data-dir").arg(bench.path("data")).args(["pack", "install", &archive]);
        let output = command.env("NO_COLOR", "1").env("TMPDIR", &unpacked).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        assert!(said(&output).contains(&told), "{}", said(&output));
        assert_eq!(fs::read_dir(&unpacked).unwrap().count(), 0, "what was unpacked is gone");
        assert!(!bench.path("data/packs/mine").exists(), "nothing is installed");
    }
}

#[test]
fn a_tar_with_a_path_that_leads_out_writes_nothing() {
    let bench = Bench::new();
    for name in ["../../escaped.txt", "/tmp/infralens-escaped", "mine/../../escaped.txt"] {
        let tar = bench.tar("slip.tar.gz", |tar| {
            let mut header = tar::Header::new_gnu();
            header.set_size(1);
            header.set_mode(0o644);
            // the library would not write such a name by itself
            header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
            header.set_cksum();
            tar.append(&header, &b"x"[..]).unwrap();
        });
        bench.refused(&["pack", "install", &tar], "leads out of the pack");
        assert!(!bench.folder.path().parent().unwrap().join("escaped.txt").exists());
        assert!(!Path::new("/tmp/infralens-escaped").exists());
    }
}

#[test]
fn nothing_of_a_repository_runs_and_its_links_are_refused() {
    let bench = Bench::new();
    let mine = bench.path("mine");
    git(&mine, &["init", "-q"]);
    let ran = bench.path("ran");
    let hook = mine.join(".git/hooks/post-checkout");
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    fs::write(&hook, format!("#!/bin/sh\ntouch {}\n", ran.display())).unwrap();
    fs::write(mine.join(".gitattributes"), "* filter=evil\n").unwrap();
    fs::write(mine.join(".gitmodules"), "[submodule \"a\"]\npath = a\nurl = ext::sh -c touch%20ran\n")
        .unwrap();
    git(&mine, &["add", "-A"]);
    git(&mine, &["commit", "-qm", "A pack"]);
    bench.done(&["pack", "install", &format!("file://{}", mine.display())]);
    assert!(!ran.exists());
    #[cfg(unix)]
    {
        bench.done(&["pack", "remove", "mine"]);
        std::os::unix::fs::symlink("/etc/passwd", mine.join("assets/secret.py")).unwrap();
        git(&mine, &["add", "-A"]);
        git(&mine, &["commit", "-qm", "A link"]);
        let place = format!("file://{}", mine.display());
        let output = bench.run(&["pack", "install", &place]);
        assert_ne!(output.status.code(), Some(0), "{}", said(&output));
        assert!(!bench.path("data/packs/mine").exists());
    }
    bench.refused(&["pack", "install", "file:///nonexistent/pack.git"], "git says");
    bench.refused(&["pack", "install", "ext::sh -c 'touch ran'://x"], "git says");
}

#[test]
fn a_chosen_pack_comes_first_until_it_is_gone() {
    let bench = Bench::new();
    bench.done(&["pack", "install", &bench.text("mine")]);
    assert!(bench.done(&["pack", "default"]).starts_with("distributed-training comes first"));
    assert!(bench.done(&["pack", "default", "mine"]).contains("mine comes first"));
    let list: serde_json::Value = serde_json::from_str(&bench.done(&["pack", "list", "--json"])).unwrap();
    assert_eq!((&list[0]["id"], &list[1]["id"]), (&"mine".into(), &"distributed-training".into()));
    let wrong = bench.run(&["pack", "default", "mnie"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(said(&wrong).contains("did you mean `mine`?"), "{}", said(&wrong));
    bench.done(&["pack", "remove", "mine"]);
    assert!(bench.done(&["pack", "default"]).starts_with("distributed-training comes first"));
    bench.done(&["pack", "default", "distributed-training"]);
}

#[test]
fn two_packs_with_one_id_never_hide_each_other() {
    let bench = Bench::new();
    let other = bench.path("other");
    let copied = bench.files();
    for (path, bytes) in copied {
        let to = other.join(&path);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        fs::write(
            to,
            if path == "pack.toml" { text.replacen("id = \"mine\"", "id = \"other\"", 1) } else { text },
        )
        .unwrap();
    }
    let packs = ["--pack", &bench.text("mine"), "--pack", &bench.text("other")].map(str::to_owned);
    let args = |more: &[&'static str]| -> Vec<String> {
        more.iter().map(|a| (*a).to_owned()).chain(packs.clone()).collect()
    };
    let run = |more: &[&'static str]| {
        let all = args(more);
        bench.run(&all.iter().map(String::as_str).collect::<Vec<_>>())
    };
    for verb in [
        &["show", "average-or-median"][..],
        &["history", "average-or-median"],
        &["score", "average-or-median"],
        &["drill", "average-or-median", "--plain"],
        &["pack", "draft", "average-or-median"],
    ] {
        let asked = run(verb);
        assert_eq!(asked.status.code(), Some(2), "{verb:?}");
        let text = said(&asked);
        assert!(
            text.contains("mine:average-or-median") && text.contains("other:average-or-median"),
            "{verb:?}: {text}"
        );
    }
    assert_eq!(run(&["show", "other:average-or-median"]).status.code(), Some(0));
    assert_eq!(run(&["history", "other:average-or-median"]).status.code(), Some(0));
    let listed = said(&run(&["list", "drills"]));
    let place = |text: &str| listed.find(text).unwrap_or_else(|| panic!("no {text} in {listed}"));
    assert!(place("mine:average-or-median") < place("other:average-or-median"), "{listed}");
    // those that are named come first
    assert!(place("other") < place("distributed-training"), "{listed}");
    let rows = bench.path("rows.jsonl");
    let row = |drill: &str| {
        format!(
            "{{\"drill\": \"{drill}\", \"answer\": \"x y z\", \"judge\": {{\"problem\": \"missing\"}}}}\n"
        )
    };
    fs::write(&rows, row("average-or-median")).unwrap();
    let text = rows.display().to_string();
    let mut all = args(&["calibrate"]);
    all.push(text);
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    assert!(said(&bench.run(&all)).contains("write one of mine:average-or-median, other:average-or-median"));
    fs::write(&rows, row("other:average-or-median")).unwrap();
    assert_eq!(bench.run(&all).status.code(), Some(0), "{}", said(&bench.run(&all)));
}

#[test]
fn a_draft_is_a_rubric_that_checks_and_is_never_written_over() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/tcp");
    let bench = Bench { folder: tempfile::tempdir().unwrap() };
    bench.done(&["pack", "new", "--example", bench.text("tcp").as_str()]);
    let pack = bench.text("tcp");
    let rows = bench.path("rows.jsonl");
    let partial = "{\"drill\": \"loss-and-rtt\", \"answer\": \"It is slow somehow. The pipe dawdles along.\", \
                   \"judge\": {\"symptom\": \"partial\", \"limit\": \"covered\"}}\n";
    fs::write(&rows, partial.repeat(2)).unwrap();
    let draft = bench.text("draft.toml");
    let rows = rows.display().to_string();
    let args = ["--pack", &pack, "pack", "draft", "loss-and-rtt", "--answers", &rows, "--out", &draft];
    assert!(bench.done(&args).contains("draft.toml"));
    let text = fs::read_to_string(&draft).unwrap();
    for part in ["symptom", "mechanism", "limit", "remedy", "evidence"] {
        assert!(
            text.contains(&format!("# --- {part} ---")) && text.contains(&format!("part = \"{part}\"")),
            "{text}"
        );
    }
    assert!(text.contains("Concepts that are known already: ") && text.contains("@rtt"), "{text}");
    // a sentence that says the question again is found by nothing
    assert!(text.matches("not found in the model answer").count() <= 2, "{text}");
    let twins = text.contains("[[drill.misconception]]") || text.contains("No false twin");
    assert!(text.contains("[[drill.concept]]") && twins, "{text}");
    assert!(text.contains("judged partial") && text.contains("dawdles (2)"), "{text}");
    let again = bench.run(&args);
    assert_eq!(again.status.code(), Some(2));
    assert!(said(&again).contains("was not overwritten"), "{}", said(&again));
    assert_eq!(fs::read_to_string(&draft).unwrap(), text);
    // put in place of the drill it came from, it is a rubric without an error that its own model answer fulfils
    let quiz = bench.path("tcp/quizzes/1-throughput.toml");
    assert!(example.join("quizzes/1-throughput.toml").is_file());
    fs::write(&quiz, &text).unwrap();
    let checked = bench.run(&["pack", "check", &pack]);
    assert!(said(&checked).contains("0 errors"), "{}", said(&checked));
    let model = text.split("\"\"\"").nth(1).unwrap();
    let answer = bench.path("answer.txt");
    fs::write(&answer, model).unwrap();
    let scored =
        bench.done(&["--pack", &pack, "score", "loss-and-rtt", &answer.display().to_string(), "--json"]);
    let score: serde_json::Value = serde_json::from_str(&scored).unwrap();
    assert!(score["score"].as_f64().unwrap() >= 0.8, "{scored}");
    assert_eq!(score["misconceptions"].as_array().map(Vec::len), Some(0), "{scored}");
}

#[test]
fn a_folder_may_hold_the_pack_below_its_top() {
    let bench = Bench::new();
    fs::create_dir(bench.path("checkout")).unwrap();
    fs::rename(bench.path("mine"), bench.path("checkout/mine")).unwrap();
    assert!(bench.done(&["pack", "install", &bench.text("checkout")]).contains("installed in"));
}

#[test]
fn a_draft_loads_whatever_its_model_answer_says() {
    let bench = Bench::new();
    let quiz = bench.path("mine/quizzes/first.toml");
    let text = fs::read_to_string(&quiz).unwrap();
    let model = text.split("\"\"\"").nth(1).unwrap();
    // vague sentences, words in several forms, words that every pack has
    let other = "\nThe probe failed. None of it counts. A winner shrinks the samplings.\n\n\
                 Winners looked early, so her sampling grew. The effects of one effect decide the costs.\n";
    fs::write(&quiz, text.replace(model, other)).unwrap();
    let draft = bench.done(&["--pack", &bench.text("mine"), "pack", "draft", "average-or-median"]);
    for many in ["effects", "winners", "samplings", "her", "looked"] {
        assert!(!draft.contains(&format!("id = \"{many}\"")), "{many}: {draft}");
    }
    fs::write(&quiz, draft).unwrap();
    let checked = bench.run(&["pack", "check", &bench.text("mine")]);
    assert!(said(&checked).contains("0 errors"), "{}", said(&checked));
}
