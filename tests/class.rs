//! A class from end to end: students export, an instructor reads, marks and returns, students import.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::kit::store::{attempt, minute, schedule};

use infralens::score::Verdict;
use infralens::store::Store;
use tempfile::TempDir;

const COURSE: &str = "distributed-training";

fn run(data: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_infralens"));
    command.arg("--data-dir").arg(data).args(args).output().expect("it runs")
}

fn said(output: &Output) -> String {
    let both = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8(both).expect("UTF-8")
}

fn done(data: &Path, args: &[&str]) -> String {
    let output = run(data, args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", said(&output));
    said(&output)
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

/// A student who gave two answers, one of them to another course.
fn student(id: &str) -> TempDir {
    let data = tempfile::tempdir().expect("a folder");
    let store = Store::open(data.path()).expect("a store");
    let drill = ("ddp", "ddp-bucket-overlap");
    let marks = [("problem", 1.0), ("mechanism", 0.5), ("measurement", 0.0)];
    let own = attempt(&format!("{id}-own"), drill, minute(1), &marks);
    let mut other = attempt(&format!("{id}-other"), drill, minute(2), &marks);
    other.pack = "secret".into();
    for given in [own, other] {
        store.record_attempt(&given, &schedule()).expect("kept");
    }
    data
}

fn export(data: &Path, folder: &Path, name: &str) -> String {
    let file = folder.join(format!("{name}.jsonl"));
    done(data, &["export", "--class", COURSE, "--student", name, text(&file)])
}

#[test]
fn three_students_end_to_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let names = ["Ada", "Bob", "Cy"];
    let students: Vec<TempDir> = names.iter().map(|name| student(name)).collect();
    for (data, name) in students.iter().zip(names) {
        let told = export(data.path(), folder.path(), name);
        assert!(told.contains("1 answer to 1 drill") && told.contains(name), "{told}");
    }
    for entry in fs::read_dir(folder.path()).expect("a folder").flatten() {
        let held = fs::read_to_string(entry.path()).expect("a file");
        assert!(!held.contains("secret") && !held.contains("-other"), "{held}");
    }
    let teacher = tempfile::tempdir().expect("a folder");
    let class = text(folder.path());
    let json = done(teacher.path(), &["class", "open", class, "--json"]);
    let summary: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(summary["students"].as_array().map(Vec::len), Some(3));
    assert_eq!(summary["drills"][0]["drill"], "ddp-bucket-overlap");
    assert!(
        done(teacher.path(), &["class", "open", class, "--csv"]).starts_with("student,drill,at,words,total,")
    );
    assert!(done(teacher.path(), &["class", "open", class, "--html"]).contains("<svg"));
    let mark = [
        "class",
        "mark",
        class,
        "Ada",
        "measurement",
        "--verdict",
        "partial",
        "--remark",
        "Say what you expect.",
    ];
    let unmarked = run(teacher.path(), &["class", "judged", class]);
    assert!(said(&unmarked).contains("no part of an answer is marked yet"), "{}", said(&unmarked));
    let nameless = run(teacher.path(), &mark);
    assert_eq!(nameless.status.code(), Some(2));
    assert!(said(&nameless).contains("--by NAME"), "{}", said(&nameless));
    done(teacher.path(), &[&mark[..], &["--by", "Dr B"]].concat());
    let judged = done(teacher.path(), &["class", "judged", class]);
    assert_eq!(judged.lines().count(), 1);
    assert!(judged.contains("\"measurement\":\"partial\""), "{judged}");
    // what the instructor left alone is no judgement
    assert!(!judged.contains("problem") && !judged.contains("mechanism"), "{judged}");
    let rows = folder.path().join("judged.txt");
    fs::write(&rows, &judged).expect("written");
    let calibrated = done(teacher.path(), &["calibrate", text(&rows)]);
    assert!(calibrated.contains("    1 verdicts"), "{calibrated}");
    assert!(calibrated.contains("were not compared"), "{calibrated}");
    let back = done(teacher.path(), &["class", "return", class]);
    assert!(back.contains("1 mark or remark for Ada") && !back.contains("Bob"), "{back}");
    let progress = Store::open(teacher.path()).expect("a store");
    assert_eq!(progress.history(&infralens::store::Filter::default(), 9).expect("read").len(), 0);

    let returned =
        fs::read_dir(folder.path().join("back")).expect("a folder").flatten().next().expect("a file").path();
    assert!(done(students[0].path(), &["import", text(&returned)]).contains("1 mark or remark"));
    assert!(done(students[0].path(), &["import", text(&returned)]).contains("Nothing new"));
    let store = Store::open(students[0].path()).expect("a store");
    let given = store.attempt("Ada-own").expect("read").expect("kept").given;
    assert_eq!((given[0].verdict, given[0].by.as_str()), (Some(Verdict::Partial), "Dr B"));
    // the rules' mark stays
    let kept = store.attempt("Ada-own").expect("read").expect("kept");
    assert_eq!(kept.score.parts[2].verdict, Verdict::Missing);
    let wrong = run(students[1].path(), &["import", text(&returned)]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(said(&wrong).contains("for Ada"), "{}", said(&wrong));
    let edited = fs::read_to_string(&returned).expect("a file").replace("partial", "covered");
    let forged = folder.path().join("forged.jsonl");
    fs::write(&forged, edited).expect("written");
    let forged = run(students[0].path(), &["import", text(&forged)]);
    assert_eq!(forged.status.code(), Some(2));
    assert!(said(&forged).contains("its checksum does not match"), "{}", said(&forged));
}

#[test]
fn wrong_names_are_refused_with_the_cure() {
    let data = student("Ada");
    for (args, told) in [
        (vec!["export", "--class", "nope", "--student", "Ada"], "there is no pack `nope`"),
        (vec!["export", "--class", COURSE], "--student NAME"),
        (vec!["export", "--class", COURSE, "--student", "  "], "the name is empty"),
        (vec!["export", "--class", COURSE, "--student", "a\u{1b}[2J"], "cannot be shown"),
        (vec!["class", "open", "/nonexistent-class"], "name the folder"),
    ] {
        let output = run(data.path(), &args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let message = said(&output);
        assert!(message.contains(told) && !message.contains('\u{1b}'), "{args:?}: {message}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    export(data.path(), folder.path(), "Ada");
    let class = text(folder.path());
    for (args, told) in [
        (vec!["class", "answer", class, "zzz"], "no answer has an id"),
        (
            vec!["class", "mark", class, "Ada", "colour", "--verdict", "covered", "--by", "B"],
            "it has problem, mechanism, measurement",
        ),
        (vec!["class", "mark", class, "Ada", "--by", "B"], "nothing to give"),
    ] {
        let output = run(data.path(), &args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(said(&output).contains(told), "{args:?}: {}", said(&output));
    }
    assert!(done(data.path(), &["class", "answer", class, "Ada"]).contains("answer Ada-own"));
}
