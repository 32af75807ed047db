//! What an author is told: a pack with many planted faults, hostile packs, any text at all.

use std::fs;
use std::path::Path;

use infralens::cmd::{Outcome, pack_test};
use infralens::pack::{self, Origin, Problem, Style};
use proptest::prelude::*;

fn check(folder: &Path) -> Vec<Problem> {
    pack::check(&Origin::Folder(folder.to_owned())).problems
}

fn report(problems: &[Problem]) -> String {
    problems.iter().map(|p| p.report("", Style::Plain)).collect()
}

/// Writes the files of a small pack that works, with one file replaced.
fn pack_with(path: &str, text: &[u8]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let mut out = Vec::new();
    infralens::cmd::pack::new(&folder.path().join("p"), false, &mut out).expect("a new pack");
    let path = folder.path().join("p").join(path);
    fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
    fs::write(path, text).expect("a file");
    folder
}

#[test]
fn all_planted_faults_are_reported_in_one_run() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/packs/faulty");
    let problems = check(&folder);
    let kinds: std::collections::BTreeSet<String> =
        problems.iter().map(|p| p.what.split('`').step_by(2).collect::<String>()).collect();
    assert!(kinds.len() >= 30, "only {} kinds of fault: {kinds:#?}", kinds.len());
    for p in &problems {
        assert!(p.line >= 1 && p.column >= 1 && !p.cure.is_empty() && !p.path.is_empty());
    }
    let stored = folder.with_file_name("faulty.report.txt");
    let now = report(&problems);
    if std::env::var_os("UPDATE_REPORTS").is_some() {
        fs::write(&stored, &now).expect("the report is written");
    }
    let before = fs::read_to_string(&stored).expect("the report is stored");
    assert_eq!(now, before, "UPDATE_REPORTS=1 cargo test writes the report anew");
}

#[test]
fn a_new_pack_has_no_fault() {
    let folder = pack_with("notes.txt", b"not part of the pack");
    assert_eq!(report(&check(&folder.path().join("p"))), "");
}

#[test]
fn pack_test_runs_the_answers_of_follow_up_questions() {
    for (pattern, outcome, said) in [
        ("rank 11 + rank 19", Outcome::Done, "follow-ups: 1 of 1 answers covered"),
        ("rank 12", Outcome::Failed, "fails: follow-up on mechanism: its own `answer` is not found"),
    ] {
        let folder = pack_with("notes.txt", b"");
        let quiz = folder.path().join("p/quizzes/first.toml");
        let follow_up = format!(
            "\n[[drill.follow]]\npart = \"mechanism\"\nask = \"Who averages with rank 3?\"\n\
             answer = \"Rank 11 and rank 19.\"\nmatch = [\"{pattern}\"]\n"
        );
        fs::write(&quiz, fs::read_to_string(&quiz).expect("a quiz") + &follow_up).expect("a file");
        let loaded = pack::load(&Origin::Folder(folder.path().join("p")));
        let mut out = Vec::new();
        let got = pack_test::run(&loaded.pack.expect("a pack"), None, false, &mut out).expect("output");
        let out = String::from_utf8(out).expect("text");
        assert!(got == outcome && out.contains(said), "{out}");
    }
}

#[test]
fn a_format_from_another_time_says_what_to_do() {
    for (format, word) in [("99", "newer"), ("0", "no version")] {
        let text = format!("format = {format}\nid = \"x\"\n");
        let folder = pack_with("pack.toml", text.as_bytes());
        let problems = check(&folder.path().join("p"));
        let text = report(&problems);
        assert!(text.contains("pack.toml:1:"), "{text}");
        assert!(problems.iter().any(|p| p.what.contains("format")), "{word}: {text}");
    }
}

#[test]
fn escape_sequences_never_come_out_raw() {
    let text = "[[term]]\nid = \"a\"\nname = \"\\u001b[31mred\"\ndefinition = \"\\u202eright to left \\u0007\"\n\"\\u001b]0;x\" = 1\n";
    let folder = pack_with("glossary.toml", text.as_bytes());
    let text = report(&check(&folder.path().join("p")));
    assert!(text.contains("U+001B") && text.contains("U+202E"), "{text}");
    assert!(!text.chars().any(|c| (c.is_control() && c != '\n') || c == '\u{202e}'), "{text:?}");
}

#[test]
fn an_installed_pack_that_is_broken_keeps_nobody_out() {
    let data = tempfile::tempdir().expect("a folder");
    let folder = pack_with("notes.txt", b"");
    let quiz = folder.path().join("p/quizzes/first.toml");
    let text = fs::read_to_string(&quiz).expect("a quiz");
    fs::write(&quiz, text.replacen("answer = \"", "answer = “a + b” #\"", 1)).expect("a file");
    fs::create_dir_all(data.path().join("packs")).expect("a folder");
    fs::rename(folder.path().join("p"), data.path().join("packs/p")).expect("the pack moves");
    for verb in ["due", "list", "stats"] {
        let ran = std::process::Command::new(env!("CARGO_BIN_EXE_infralens"))
            .args(["--data-dir".as_ref(), data.path().as_os_str(), verb.as_ref()])
            .output()
            .expect("the program runs");
        let said = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success() && said.is_empty(), "{verb}: {said}");
        assert!(!ran.stdout.is_empty());
    }
}

#[test]
fn files_that_are_too_large_are_refused_unread() {
    let folder = pack_with("lessons/first.toml", b"");
    let path = folder.path().join("p/lessons/first.toml");
    let file = fs::File::options().write(true).open(path).expect("the file");
    file.set_len(200 << 20).expect("a sparse file of 200 MiB");
    let text = report(&check(&folder.path().join("p")));
    assert!(text.contains("lessons/first.toml:1:1:") && text.contains("1024 KiB"), "{text}");
}

#[cfg(unix)]
#[test]
fn links_out_of_the_pack_are_refused() {
    let folder = pack_with("notes.txt", b"");
    fs::write(folder.path().join("secret.py"), "print('secret')\n").expect("a file");
    let inside = folder.path().join("p/assets/average.py");
    fs::remove_file(&inside).expect("the starter");
    std::os::unix::fs::symlink(folder.path().join("secret.py"), &inside).expect("a link");
    let text = report(&check(&folder.path().join("p")));
    assert!(text.contains("outside"), "{text}");
    assert!(!text.contains("print('secret')"), "{text}");
}

#[test]
fn deep_nesting_and_long_lists_end_in_a_report() {
    let deep = format!("a = {}{}", "[".repeat(100_000), "]".repeat(100_000));
    let long = format!("lesson = [{}]", "1,".repeat(100_000));
    for text in [deep, long] {
        let folder = pack_with("quizzes/first.toml", text.as_bytes());
        assert!(!check(&folder.path().join("p")).is_empty());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_bytes_are_a_pack_or_a_report(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        for path in ["pack.toml", "lessons/first.toml", "quizzes/first.toml", "glossary.toml"] {
            let folder = pack_with(path, &bytes);
            let origin = Origin::Folder(folder.path().join("p"));
            let loaded = pack::load(&origin);
            prop_assert!(loaded.pack.is_some() || !loaded.problems.is_empty());
        }
    }

    #[test]
    fn a_damaged_file_is_a_pack_or_a_report(at in 0usize..4000, byte in any::<u8>(), cut in 0usize..40) {
        for name in ["lessons/ddp.toml", "quizzes/checks/ddp.toml"] {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
            let mut bytes = fs::read(path).expect("a file of the built-in pack");
            let at = at.min(bytes.len() - 1);
            let end = (at + cut).min(bytes.len());
            bytes.splice(at..end, [byte]);
            let target = if name.starts_with("lessons") { "lessons/first.toml" } else { "quizzes/first.toml" };
            let folder = pack_with(target, &bytes);
            let loaded = pack::load(&Origin::Folder(folder.path().join("p")));
            prop_assert!(loaded.pack.is_some() || !loaded.problems.is_empty());
        }
    }
}

#[test]
fn a_folder_that_is_not_there_and_several_missing_keys_are_one_sentence_each() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("nope");
    let mut out = Vec::new();
    let said = infralens::cmd::pack::must_be(&path).expect_err("no folder").to_string();
    assert!(
        said.starts_with("there is no folder ") && said.ends_with("name one that holds a pack.toml"),
        "{said}"
    );
    infralens::cmd::pack::new(&path, false, &mut out).expect("a new pack");
    assert!(infralens::cmd::pack::must_be(&path).is_ok());
    let text = fs::read_to_string(path.join("pack.toml")).expect("a file");
    let keys = ["about", "authors", "format"];
    let kept: Vec<&str> =
        text.lines().filter(|line| !keys.iter().any(|key| line.starts_with(&format!("{key} ")))).collect();
    fs::write(path.join("pack.toml"), kept.join("\n")).expect("written");
    let lacks: Vec<String> =
        check(&path).into_iter().map(|p| p.what).filter(|what| what.contains("lacks")).collect();
    assert_eq!(lacks.len(), 1, "{lacks:?}");
    for key in keys {
        assert!(lacks[0].contains(key), "{lacks:?}");
    }
}
