//! Three students and an instructor, end to end, by each way the files can travel; and a folder with everything in it
//! that can go wrong on the way.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::kit::store::{attempt, minute, schedule};

use infralens::score::Verdict;
use infralens::store::{Filter, Store};
use tempfile::TempDir;

const COURSE: &str = "distributed-training";
const NAMES: [&str; 3] = ["Ada", "Bob", "Cy"];

fn run(data: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_infralens")).arg("--data-dir").arg(data).args(args).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8([&output.stdout[..], &output.stderr[..]].concat()).unwrap()
}

#[track_caller]
fn done(data: &Path, args: &[&str]) -> String {
    let output = run(data, args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", said(&output));
    said(&output)
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn git(folder: &Path, args: &[&str]) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]);
    command.args(["-c", "pull.rebase=true", "-c", "commit.gpgsign=false"]);
    let output = command.args(args).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", said(&output));
}

/// A student with an answer.
fn student(name: &str) -> TempDir {
    let data = tempfile::tempdir().unwrap();
    answer(data.path(), &format!("{name}-1"), 1);
    data
}

fn answer(data: &Path, id: &str, at: i64) {
    let marks = [("problem", 1.0), ("mechanism", 0.5), ("measurement", 0.0)];
    let given = attempt(id, ("ddp", "ddp-bucket-overlap"), minute(at), &marks);
    Store::open(data).unwrap().record_attempt(&given, &schedule()).unwrap();
}

fn export(data: &Path, file: &Path, name: &str) {
    done(data, &["export", "--class", COURSE, "--student", name, text(file)]);
}

/// Marks the first answer of each student, and writes what goes back.
fn mark_all(teacher: &Path, class: &Path) {
    let folder = text(class);
    for name in NAMES {
        let id = format!("{name}-1");
        let remark = format!("For {name}.");
        let what = ["class", "mark", folder, &id, "measurement", "--verdict", "covered", "--remark", &remark];
        done(teacher, &[&what[..], &["--by", "Dr B"]].concat());
    }
    done(teacher, &["class", "return", folder]);
}

/// The file in a folder that goes back to a student.
fn back(folder: &Path, name: &str) -> PathBuf {
    let begins = format!("{COURSE}-{}-", name.to_lowercase());
    let mut all = fs::read_dir(folder.join("back")).unwrap().flatten().map(|e| e.path());
    all.find(|p| p.file_name().unwrap().to_str().unwrap().starts_with(&begins)).unwrap()
}

/// Reads a file twice, and looks whether the student has just what was given to him.
fn import(data: &Path, file: &Path, name: &str) {
    assert!(done(data, &["import", text(file)]).contains("1 mark or remark"));
    assert!(done(data, &["import", text(file)]).contains("Nothing new"));
    let kept = Store::open(data).unwrap().attempt(&format!("{name}-1")).unwrap().unwrap();
    let [given] = &kept.given[..] else { panic!("{:?}", kept.given) };
    assert_eq!((given.by.as_str(), given.remark.as_str()), ("Dr B", format!("For {name}.").as_str()));
    let counted = kept.as_counted();
    assert_eq!(
        (counted.score.parts[2].verdict, kept.score.parts[2].verdict),
        (Verdict::Covered, Verdict::Missing)
    );
    let history = done(data, &["history"]);
    assert!(history.contains("1 mark and 1 remark by Dr B"), "{history}");
}

#[test]
fn by_mail() {
    let teacher = tempfile::tempdir().unwrap();
    let class = tempfile::tempdir().unwrap();
    let students = NAMES.map(student);
    for (data, name) in students.iter().zip(NAMES) {
        let sent = data.path().join("attachment.jsonl");
        export(data.path(), &sent, name);
        // a mail program changes the ends of lines
        let text = fs::read_to_string(&sent).unwrap().replace('\n', "\r\n");
        fs::write(class.path().join(format!("{name} (1).jsonl")), text).unwrap();
    }
    mark_all(teacher.path(), class.path());
    for (data, name) in students.iter().zip(NAMES) {
        let received = data.path().join("answer.jsonl");
        fs::copy(back(class.path(), name), &received).unwrap();
        import(data.path(), &received, name);
    }
}

#[test]
fn by_a_shared_folder_that_is_read_again_and_again() {
    let teacher = tempfile::tempdir().unwrap();
    let class = tempfile::tempdir().unwrap();
    let students = NAMES.map(student);
    let file = |name: &str| class.path().join(format!("{name}.jsonl"));
    students.iter().zip(NAMES).for_each(|(data, name)| export(data.path(), &file(name), name));
    // what such folders add
    fs::write(class.path().join(".Ada.jsonl.tmp"), "half").unwrap();
    fs::copy(file("Ada"), class.path().join("Ada (conflicted copy).jsonl")).unwrap();
    mark_all(teacher.path(), class.path());
    let first = fs::read(back(class.path(), "Ada")).unwrap();
    // one hands in once more; nothing that was marked is lost
    answer(students[0].path(), "Ada-2", 5);
    export(students[0].path(), &file("Ada"), "Ada");
    done(teacher.path(), &["class", "return", text(class.path())]);
    assert_eq!(fs::read(back(class.path(), "Ada")).unwrap(), first, "the same gifts are the same file");
    let json = done(teacher.path(), &["class", "open", text(class.path()), "--json"]);
    let summary: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&summary["answers"], summary["notes"].as_array().unwrap().len()), (&4.into(), 0));
    students.iter().zip(NAMES).for_each(|(data, name)| import(data.path(), &back(class.path(), name), name));
}

#[test]
fn by_a_git_repository() {
    let place = tempfile::tempdir().unwrap();
    git(place.path(), &["init", "-q", "--bare", "class.git"]);
    let origin = place.path().join("class.git");
    let teacher = tempfile::tempdir().unwrap();
    git(teacher.path(), &["clone", "-q", text(&origin), "class"]);
    let class = teacher.path().join("class");
    fs::write(class.join("README.md"), "The class.\n").unwrap();
    let push = |folder: &Path| {
        git(folder, &["add", "-A"]);
        git(folder, &["commit", "-qm", "Mine"]);
        git(folder, &["push", "-q", "origin", "HEAD:main"]);
    };
    push(&class);
    let students = NAMES.map(student);
    for (data, name) in students.iter().zip(NAMES) {
        git(data.path(), &["clone", "-q", "-b", "main", text(&origin), "class"]);
        let own = data.path().join("class");
        export(data.path(), &own.join(format!("{name}.jsonl")), name);
        push(&own);
    }
    git(&class, &["pull", "-q", "origin", "main"]);
    mark_all(teacher.path(), &class);
    push(&class);
    for (data, name) in students.iter().zip(NAMES) {
        let own = data.path().join("class");
        git(&own, &["pull", "-q", "origin", "main"]);
        import(data.path(), &back(&own, name), name);
    }
}

#[test]
fn whatever_comes_in_is_told_and_nothing_is_lost_or_mixed() {
    let teacher = tempfile::tempdir().unwrap();
    let class = tempfile::tempdir().unwrap();
    let at = |name: &str| class.path().join(name);
    let students = NAMES.map(student);
    students
        .iter()
        .zip(NAMES)
        .for_each(|(data, name)| export(data.path(), &at(&format!("{name}.jsonl")), name));
    let ada = fs::read_to_string(at("Ada.jsonl")).unwrap();
    // repeated: the same file twice, and a later one with one answer more
    fs::write(at("Ada again.jsonl"), &ada).unwrap();
    answer(students[0].path(), "Ada-2", 7);
    export(students[0].path(), &at("Ada later.jsonl"), "Ada");
    // clashing: another student of the same name
    let other = student("Adam");
    export(other.path(), &at("another Ada.jsonl"), "Ada");
    // stolen: Eve hands in what Ada wrote, under her own name
    let eve = tempfile::tempdir().unwrap();
    answer(eve.path(), "Ada-1", 1);
    answer(eve.path(), "Eve-1", 2);
    export(eve.path(), &at("zz Eve.jsonl"), "Eve");
    // forged, cut, broken, foreign, newer, of another course, too strange
    fs::write(at("forged.jsonl"), ada.replace("\"partial\"", "\"covered\"")).unwrap();
    fs::write(at("cut.jsonl"), &ada[..ada.len() / 2]).unwrap();
    fs::write(at("broken.jsonl"), "{\"kind\":\"infralens-class\",\"format\":1").unwrap();
    fs::write(at("foreign.jsonl"), "{\"hello\": 1}\n").unwrap();
    fs::write(at("newer.jsonl"), ada.replacen("\"format\":1", "\"format\":99", 1)).unwrap();
    let export_of_all = done(students[1].path(), &["export"]);
    fs::write(at("whole.jsonl"), export_of_all).unwrap();
    fs::write(at("bytes.jsonl"), [0xff, 0xfe, 0x00, 0x01]).unwrap();
    fs::write(at("photo.jpg"), "no class file, and not looked at").unwrap();
    fs::create_dir(at("folder.jsonl")).unwrap();
    let folder = text(class.path());
    let json = done(teacher.path(), &["class", "open", folder, "--json"]);
    let summary: serde_json::Value = serde_json::from_str(&json).unwrap();
    let told: Vec<(String, String)> = summary["notes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|n| (n["file"].as_str().unwrap().to_owned(), n["what"].as_str().unwrap().to_owned()))
        .collect();
    for (file, what) in [
        ("forged.jsonl", "its checksum does not match"),
        ("cut.jsonl", "changed or cut short"),
        ("broken.jsonl", "not a class file"),
        ("foreign.jsonl", "not a class file"),
        ("newer.jsonl", "use a newer infralens"),
        ("whole.jsonl", "not a class file"),
        ("bytes.jsonl", "not a class file"),
        ("zz Eve.jsonl", "already came from Ada"),
        ("", "two students are called Ada"),
    ] {
        assert!(told.iter().any(|(f, w)| f == file && w.contains(what)), "{file}: {what}: {told:#?}");
    }
    assert_eq!(told.len(), 9, "{told:#?}");
    // five students, six answers: each with the one who gave it
    let students_told: Vec<(&str, u64)> = summary["students"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| (s["name"].as_str().unwrap(), s["answers"].as_u64().unwrap()))
        .collect();
    assert_eq!(students_told.len(), 5, "{students_told:?}");
    assert_eq!(students_told.iter().map(|(_, n)| n).sum::<u64>(), 6, "{students_told:?}");
    assert!(students_told.contains(&("Eve", 1)) && students_told.contains(&("Bob", 1)), "{students_told:?}");
    // what goes back goes to the one whose answer it is
    mark_all(teacher.path(), class.path());
    let wrong = run(students[1].path(), &["import", text(&back(class.path(), "Cy"))]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(said(&wrong).contains("is for Cy"), "{}", said(&wrong));
    // a student's own file, given back by mistake, is told for what it is
    let own = run(students[1].path(), &["import", text(&at("Bob.jsonl"))]);
    assert_eq!(own.status.code(), Some(2));
    assert!(said(&own).contains("holds a student's answers"), "{}", said(&own));
    // a line of the book that was cut does not swallow the next
    let book = at("given.jsonl");
    let mut cut = fs::read_to_string(&book).unwrap();
    cut.push_str("{\"attempt\":\"Ada-1\",\"pa");
    fs::write(&book, cut).unwrap();
    done(teacher.path(), &["class", "mark", folder, "Bob-1", "--remark", "And short.", "--by", "Dr B"]);
    let told = done(teacher.path(), &["class", "open", folder]);
    assert!(told.contains("given.jsonl") && told.contains("1 line of it cannot be read"), "{told}");
    assert!(done(teacher.path(), &["class", "answer", folder, "Bob-1"]).contains("And short."));
    assert!(done(teacher.path(), &["class", "answer", folder, "Ada-1"]).contains("For Ada."));
    // and nothing of it became the instructor's own progress
    assert!(Store::open(teacher.path()).unwrap().history(&Filter::default(), 9).unwrap().is_empty());
}
