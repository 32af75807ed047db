//! The verbs for authors of rubrics, from outside: what they say of good input, and what they refuse.

use std::path::Path;
use std::process::{Command, Output};

fn run(args: &[&str]) -> Output {
    let data = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_infralens"));
    command.arg("--data-dir").arg(data.path()).args(args).output().expect("it runs")
}

fn out(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// What is said about a file that holds this.
fn refused(text: &str) -> String {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), text).expect("written");
    let output = run(&["calibrate", file.path().to_str().expect("a path")]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    String::from_utf8(output.stderr).expect("text")
}

const GOOD: &str = r#"{"drill": "ddp-accumulation", "kind": "strong", "answer": "Adam takes 12 bytes.", "judge": {"problem": "missing", "mechanism": "covered"}}"#;

#[test]
fn a_file_of_judged_answers_is_read_strictly() {
    assert!(refused("").contains("the file has no answers"));
    assert!(refused("not JSON").contains("line 1: not a JSON object"));
    assert!(refused(&GOOD.replace("ddp-accumulation", "nope")).contains("no pack has a drill `nope`"));
    assert!(refused(&format!("{GOOD}\n{}", GOOD.replace("covered", "coverd"))).contains("line 2"));
    assert!(refused(&GOOD.replace("covered", "coverd")).contains("is not a verdict on `mechanism`"));
    assert!(refused(&GOOD.replace("\"mechanism\"", "\"mechanics\"")).contains("which is not a part"));
    assert!(refused(&GOOD.replace("\"kind\"", "\"sort\"")).contains("unknown key `sort`"));
    assert!(refused(&GOOD.replace("\"judge\"", "\"judges\"")).contains("unknown key `judges`"));
    assert!(refused(r#"{"drill": "ddp-accumulation", "answer": "x"}"#).contains("no judge"));
    let beside = GOOD.replace("\"kind\"", "\"misconceptions\": [], \"kind\"");
    assert!(refused(&beside).contains("`misconceptions` stands beside the judge; write it inside"));
}

#[test]
fn the_judge_may_be_spelt_in_two_ways() {
    let folder = tempfile::tempdir().expect("a folder");
    let said = |key: &str| {
        let file = folder.path().join(key);
        std::fs::write(&file, GOOD.replace("\"judge\"", &format!("\"{key}\""))).expect("written");
        out(&["calibrate", file.to_str().expect("a path"), "--unmatched"])
    };
    let one = said("judge");
    assert!(one.contains("2 verdicts") && one.contains("no rule fired"), "{one}");
    assert!(one.contains("\n    no rule fired\n"), "a reason has a line of its own: {one}");
    assert_eq!(one, said("verdicts"));
    assert_eq!(one, said("judge2"));
}

#[test]
fn halves_share_no_answer_and_leave_none_out() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/answers");
    let text = std::fs::read_to_string(folder.join("round-3.jsonl")).expect("judged answers");
    let some: Vec<&str> = text.lines().filter(|l| l.contains("\"ddp-accumulation\"")).collect();
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), some.join("\n")).expect("written");
    let verdicts = |args: &[&str]| -> usize {
        let output = run(&[&["calibrate", file.path().to_str().expect("a path")], args].concat());
        let text = String::from_utf8(output.stdout).expect("text");
        let all = text.lines().next().unwrap_or_default().split_whitespace().nth(1);
        all.map_or(0, |n| n.parse().expect("a number"))
    };
    let (seen, unseen) = (verdicts(&["--half", "seen"]), verdicts(&["--half", "unseen"]));
    assert_eq!(seen + unseen, verdicts(&[]));
    assert_eq!(seen + unseen, some.len() * 5);
}

#[test]
fn a_concept_shows_its_words_and_uses() {
    let text = out(&["concept", "@measure"]);
    assert!(text.starts_with("@measure\n") && text.contains("words of every pack:\n    "), "{text}");
    assert!(text.lines().filter(|l| l.starts_with("    ")).all(|l| !l.contains(", @")), "{text}");
    assert!(text.contains("point "), "{text}");
    let json: serde_json::Value = serde_json::from_str(&out(&["concept", "same", "--json"])).expect("JSON");
    assert_eq!(json["opposites"][0], "different");
    let output = run(&["concept", "mesure"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("@measure"), "{output:?}");
}

#[test]
fn idle_patterns_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let pack = folder.path().join("own");
    let path = pack.to_str().expect("a path");
    out(&["pack", "new", path]);
    let before = out(&["pack", "prune", path]);
    let quiz = std::fs::read_dir(pack.join("quizzes"))
        .expect("quizzes")
        .next()
        .expect("one")
        .expect("a file")
        .path();
    let text = std::fs::read_to_string(&quiz).expect("text");
    let idle = text.replacen("match = [", "match = [\"zebra > crossing > giraffe\", ", 1);
    std::fs::write(&quiz, idle).expect("written");
    let after = out(&["pack", "prune", path]);
    assert!(!before.contains("zebra") && after.contains("zebra > crossing > giraffe"), "{after}");
    assert!(after.contains("too few to take any away") && after.contains("Do not delete"), "{after}");
    assert!(out(&["pack", "check", path]).contains(" patterns ("));
}

#[test]
fn a_pack_of_format_1_is_upgraded_where_it_is_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    let quizzes = folder.path().join("quizzes");
    std::fs::create_dir(&quizzes).expect("a folder");
    let file = quizzes.join("a.toml");
    let old = "lesson = \"a\"\n\n[[drill]]\nid = \"d\"\n\n[[drill.point]]\nid = \"p\"\npart = \"problem\"\nmatch = [\"a + !b|c\"]\nfeedback = \"Say it: so it is.\"\n";
    std::fs::write(&file, old).expect("written");
    let path = folder.path().to_str().expect("a path");
    assert!(out(&["pack", "upgrade", path]).contains("Nothing was written"));
    assert_eq!(std::fs::read_to_string(&file).expect("text"), old);
    out(&["pack", "upgrade", path, "--write"]);
    let new = std::fs::read_to_string(&file).expect("text");
    assert!(
        new.starts_with("format = 2\n") && new.contains("!b|!c") && new.contains("says = \"So it is.\""),
        "{new}"
    );
    assert!(out(&["pack", "upgrade", path, "--write"]).contains("already"));
}

#[test]
fn false_statements_count_only_where_a_judge_speaks_of_them() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    let said = |text: &str| {
        std::fs::write(file.path(), text).expect("written");
        out(&["calibrate", file.path().to_str().expect("a path")])
    };
    assert!(said(GOOD).contains("false statements were not compared"));
    let none = GOOD.replace("\"covered\"}", "\"covered\", \"misconceptions\": []}");
    assert!(said(&none).contains("of 1 others"), "{}", said(&none));
}

#[test]
fn a_pack_without_samples_has_no_kappa() {
    let folder = tempfile::tempdir().expect("a folder");
    let pack = folder.path().join("own");
    let path = pack.to_str().expect("a path");
    out(&["pack", "new", path]);
    let with = out(&["pack", "test", path]);
    assert!(with.contains("kappa ") && with.contains(" are sure"), "{with}");
    let quiz = pack.join("quizzes/first.toml");
    let text = std::fs::read_to_string(&quiz).expect("text");
    let samples = text.find("[[drill.sample]]").expect("samples");
    std::fs::write(&quiz, &text[..samples]).expect("written");
    let without = out(&["pack", "test", path]);
    assert!(
        without.contains("no samples") && without.contains("0 verdicts, nothing to compare"),
        "{without}"
    );
    assert!(!without.contains("kappa"), "{without}");
}

#[test]
fn a_concept_is_looked_up_in_the_pack_that_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let pack = folder.path().join("own");
    let path = pack.to_str().expect("a path");
    out(&["pack", "new", path]);
    let text = out(&["--pack", path, "concept", "@measure"]);
    assert!(text.contains("in own") && !text.contains("ddp"), "{text}");
    let all = out(&["list", "drills", "--pack", path]);
    assert!(all.find("average-or-median") < all.find("ddp-accumulation"), "{all}");
}

#[test]
fn a_pack_may_put_its_own_words_in_place_of_plain_english() {
    let folder = tempfile::tempdir().expect("a folder");
    let pack = folder.path().join("own");
    let path = pack.to_str().expect("a path");
    out(&["pack", "new", path]);
    let glossary = pack.join("glossary.toml");
    let mut text = std::fs::read_to_string(&glossary).unwrap_or_default();
    text.push_str("\n[[concept]]\nid = \"measure\"\nreplaces = true\nwords = [\"dashboard\"]\n");
    std::fs::write(&glossary, text).expect("written");
    let known = out(&["--pack", path, "concept", "@measure"]);
    assert!(known.contains("dashboard") && !known.contains("words of every pack"), "{known}");
    assert!(out(&["pack", "check", path]).contains("0 errors"));
}
