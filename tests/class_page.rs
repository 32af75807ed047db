//! What an instructor sees of a class and gives in it, on screen and in lines; what a student sees of it.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::kit::desk::Desk;
use crate::kit::pack as kit;
use crate::kit::store::{attempt, minute, schedule};

use infralens::line::Plain;
use infralens::page::place::{Place, Shown};
use infralens::score::Verdict;
use infralens::services::Services;
use infralens::services::class::{Reading, Room};
use infralens::services::job::{Done, Job};
use infralens::services::library::Library;
use infralens::store::{Filter, Store};
use infralens::study::attempt::Attempt;
use infralens::study::class::file::{self, Head, Kind};
use infralens::study::class::given::Given;
use infralens::study::class::{Answer, Student};
use infralens::study::schedule::{Grade, Item, ItemKind, Schedule};
use infralens::study::strength::Strengths;
use infralens::tui::event::What;

fn answered(id: &str, at: i64, marks: &[(&str, f64)]) -> Attempt {
    let mut all = attempt(id, ("ddp", "ddp-1"), minute(at), marks);
    all.pack = "course".into();
    all
}

const MARKS: [(&str, f64); 3] = [("problem", 1.0), ("mechanism", 0.5), ("measurement", 0.0)];

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (id, name) in [("s1", "Ada"), ("s2", "Bob")] {
        let answers: Vec<Answer> =
            (1..=2).map(|n| Answer::of(&answered(&format!("{id}-{n}"), n, &MARKS))).collect();
        let student = Student::named(id, name).unwrap();
        let text = file::answers(Head::new(Kind::Class, ("course", "1.0.0"), student, minute(5)), &answers);
        fs::write(folder.path().join(format!("{name}.jsonl")), text).unwrap();
    }
    fs::write(folder.path().join("broken.jsonl"), "{\"kind\":\"infralens-class\"").unwrap();
    folder
}

fn place(folder: &Path) -> Place {
    Place::Class { folder: folder.to_owned(), shown: Shown::Whole }
}

/// Does what the job of a class would do beside.
fn read(desk: &mut Desk) {
    let Some(Job::Class(folder)) = desk.jobs.pop() else { panic!("the class is not read") };
    desk.send(What::Done(Box::new(Done::Class(folder.clone(), Reading::Far(1, 3)))));
    let room = Room::read(&folder, &[kit::pack()], |_, _| {}).unwrap();
    desk.send(What::Done(Box::new(Done::Class(folder, Reading::Read(room.into())))));
}

#[test]
fn an_instructor_reads_marks_remarks_and_returns() {
    let folder = folder();
    let data = tempfile::tempdir().unwrap();
    let mut desk = Desk::on_disk(kit::pack(), &place(folder.path()), data.path());
    desk.resize(120, 40).shows("Reading the folder");
    read(&mut desk);
    desk.shows("2 students, 4 answers").shows("Drills by parts").shows("ddp-1").shows("1 left out");
    // a cell of the map leads to the answers, an answer to its marks
    desk.keys("<enter>").shows("Ada").shows("Bob").keys("<enter>").shows("Mechanism").shows("answer s1-2");
    // a point was said or not, never both
    let told = desk.screen().matches("say the problem").count();
    assert!(told <= 1, "{}", desk.screen());
    desk.keys("a").shows("mark a part first");
    desk.keys("<down>c").shows("Your name");
    desk.keys("Dr B<enter>").shows("by Dr B, rules partial");
    desk.keys("r").shows("A remark on Mechanism");
    desk.keys("Say why.<enter>").shows("Say why.");
    desk.keys("wGood order.<enter>").shows("Dr B: Good order.");
    desk.keys("a").shows("judged answer");
    desk.keys("<esc>").shows("marked").keys("<esc>").shows("2 students, 4 answers, 2 marks or remarks");
    desk.keys("w").shows("1 file in");
    let judged = fs::read_to_string(folder.path().join("judged.jsonl")).unwrap();
    assert!(judged.contains("\"mechanism\":\"covered\"") && judged.lines().count() == 1, "{judged}");
    assert!(!judged.contains("\"problem\"") && !judged.contains("\"measurement\""), "{judged}");
    // nothing of it is the instructor's own progress
    assert!(desk.store().history(&Filter::default(), 9).unwrap().is_empty());
    // what was given is there when the class is read again
    let again = Room::read(folder.path(), &[kit::pack()], |_, _| {}).unwrap();
    assert_eq!(again.class.book.verdict("s1-2", "mechanism"), Some(Verdict::Covered));
    assert_eq!(again.class.book.get("s1-2", Some("mechanism")).unwrap().remark, "Say why.");
    assert_eq!((again.class.members.len(), again.class.notes.len()), (2, 1));
    desk.keys("r");
    read(&mut desk);
    desk.shows("2 students");
}

#[test]
fn two_windows_keep_each_others_judged_answers_and_what_they_cannot_read() {
    let folder = folder();
    let read = || Room::read(folder.path(), &[kit::pack()], |_, _| {}).unwrap();
    let given = |attempt: &str| Given {
        attempt: attempt.into(),
        part: Some("problem".into()),
        verdict: Some(Verdict::Covered),
        remark: String::new(),
        by: "Dr B".into(),
        at: minute(9),
    };
    let (mut one, mut other) = (read(), read());
    for room in [&mut one, &mut other] {
        ["s1-1", "s2-1"].iter().for_each(|id| room.give(given(id)).unwrap());
    }
    let file = folder.path().join("judged.jsonl");
    fs::write(&file, b"{\"id\": \"before\"}\n\xff is no JSON\n").unwrap();
    assert!(one.toggle_judged("s1-1").unwrap());
    assert!(other.toggle_judged("s2-1").unwrap());
    let bytes = fs::read(&file).unwrap();
    assert!(bytes.windows(2).any(|two| two == b"\xff "), "what cannot be read stays");
    let ids: Vec<String> = read().judged.into_keys().collect();
    assert_eq!(ids, ["before", "s1-1", "s2-1"]);
}

#[test]
fn what_goes_back_stays_in_its_folder_whatever_the_files_say() {
    let folder = tempfile::tempdir().unwrap();
    let write = |file: &str, pack: &str, (id, name): (&str, &str)| {
        let answers = [Answer::of(&answered(&format!("{id}-1"), 1, &MARKS))];
        let student = Student::named(id, name).unwrap();
        let text = file::answers(Head::new(Kind::Class, (pack, "1.0.0"), student, minute(5)), &answers);
        fs::write(folder.path().join(file), text).unwrap();
    };
    let long = "漢".repeat(60);
    write("!eve.jsonl", "../../outside/owned", ("s9", "Eve"));
    // nor does the first file say what the class is about
    write("!another.jsonl", "another", ("s8", "Mallory"));
    write("a.jsonl", "course", ("1abcd", "Ann"));
    write("b.jsonl", "course", ("2abcd", "ann"));
    write("c.jsonl", "course", ("s3", &long));
    let mut room = Room::read(folder.path(), &[kit::pack()], |_, _| {}).unwrap();
    assert_eq!(room.class.members.len(), 3, "{:?}", room.class.notes);
    for id in ["1abcd-1", "2abcd-1", "s3-1"] {
        let given = Given {
            attempt: id.into(),
            part: None,
            verdict: None,
            remark: "Good.".into(),
            by: "Dr B".into(),
            at: minute(9),
        };
        room.give(given).unwrap();
    }
    let back = room.give_back(minute(10)).unwrap();
    let files: std::collections::BTreeSet<&PathBuf> = back.iter().map(|(path, ..)| path).collect();
    assert_eq!(files.len(), 3, "each has a file of its own: {files:?}");
    assert!(files.iter().all(|path| path.parent() == Some(&folder.path().join("back"))), "{files:?}");
}

#[test]
fn a_folder_that_is_not_there_is_said() {
    let nowhere = PathBuf::from("/nonexistent-class");
    let mut desk = Desk::new(kit::pack(), &place(&nowhere));
    let fault = Room::read(&nowhere, &[], |_, _| {}).unwrap_err();
    desk.send(What::Done(Box::new(Done::Class(nowhere, Reading::Failed(fault)))));
    desk.shows("the folder with the files of your students");
}

#[test]
fn in_lines_the_same() {
    let folder = folder();
    let library = Library { packs: vec![kit::pack()], broken: Vec::new() };
    let store = Store::in_memory().unwrap();
    let services = Services::new(library, store, TimeZone::UTC, std::env::temp_dir());
    let mut plain = Plain::new(services, Vec::new(), 78);
    let now: Timestamp = minute(60);
    let first = plain.open(&place(folder.path()), now);
    assert!(first.contains("2 students, 4 answers") && first.contains("Students"), "{first}");
    let answers = plain.line("1", now);
    assert!(answers.contains("Ada") && answers.contains("Bob"), "{answers}");
    let answer = plain.line("1", now);
    assert!(answer.contains("Mechanism: partial") && answer.contains("answer s1-2"), "{answer}");
    let asked = plain.line("m 2", now);
    assert!(asked.contains("Your name"), "{asked}");
    let marked = plain.line("Dr B", now);
    assert!(marked.contains("Mechanism: missing, by Dr B, rules partial"), "{marked}");
    let back = plain.line("x 2", now);
    assert!(back.contains("Mechanism: partial"), "{back}");
}

fn given(id: &str, part: Option<&str>, verdict: Option<Verdict>, at: i64) -> Given {
    Given {
        attempt: id.into(),
        part: part.map(str::to_owned),
        verdict,
        remark: "Say by how much.".into(),
        by: "Dr B".into(),
        at: minute(at),
    }
}

#[test]
fn a_student_sees_the_instructors_marks_beside_those_of_the_rules() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = Desk::on_disk(kit::pack(), &Place::Home, folder.path());
    desk.resize(130, 45);
    desk.store().record_attempt(&answered("a1", 1, &MARKS), &schedule()).unwrap();
    let gifts = [
        given("a1", Some("measurement"), Some(Verdict::Covered), 10),
        given("a1", None, None, 10),
        given("elsewhere", Some("problem"), Some(Verdict::Missing), 10),
    ];
    let taken = desk.store().take_given(&gifts).unwrap();
    assert_eq!((taken.taken, taken.kept, taken.unknown), (2, 0, 1));
    desk.keys("y").shows("83%").shows("1 mark and 2 remarks by Dr B");
    desk.keys("<enter>").shows("by Dr B");
    desk.shows("1 part by the instructor, Dr B, the rules alone 50%").shows("Dr B: Say by how much.");
    let kept = desk.store().attempt("a1").unwrap().unwrap();
    assert_eq!(kept.score.parts[2].verdict, Verdict::Missing, "the rules' mark stays");
    let json = serde_json::to_value(kept.as_counted()).unwrap();
    assert_eq!(json["score"]["parts"][2]["source"], "instructor");
    assert_eq!(json["score"]["parts"][2]["by_rules"], "missing");
    assert_eq!(json["given"][0]["by"], "Dr B");
    // the map counts the instructor's mark, and says so
    let cells = desk.store().strengths("course").unwrap();
    let cell = cells.cell("ddp", "measurement").unwrap();
    assert_eq!((cell.strength(), cell.given, cell.given_by.as_str()), (1.0, 1, "Dr B"));
    assert_eq!(cells, Strengths::of([&kept]));
    desk.keys("<down>").shows("The mark is the instructor's; the rules say");
    desk.keys("<esc><esc>p<right><right><right>")
        .shows("100% over 1 answer, 1 by the")
        .shows("instructor, Dr B");
}

#[test]
fn later_marks_win_twice_is_once_and_the_schedule_follows() {
    let store = Store::in_memory().unwrap();
    let schedule = Schedule::new(TimeZone::UTC);
    let item = Item { kind: ItemKind::Drill, id: "ddp-1".into() };
    let grade = || store.reviews_of("course", &item).unwrap()[0].1;
    store.record_attempt(&answered("a1", 1, &MARKS), &schedule).unwrap();
    assert_eq!(grade(), Grade::Hard);
    let raised: Vec<Given> =
        ["mechanism", "measurement"].map(|part| given("a1", Some(part), Some(Verdict::Covered), 10)).to_vec();
    store.take_given(&raised).unwrap();
    assert_eq!((store.regrade(&schedule).unwrap(), grade()), (1, Grade::Easy));
    let due = store.card("course", &item).unwrap().unwrap().due;
    // an older mark changes nothing, and neither does the same file again
    store.take_given(&[given("a1", Some("mechanism"), Some(Verdict::Missing), 9)]).unwrap();
    store.take_given(&raised).unwrap();
    assert_eq!((store.regrade(&schedule).unwrap(), grade()), (0, Grade::Easy));
    assert_eq!(store.card("course", &item).unwrap().unwrap().due, due);
    // a later one counts; taken back, the rules' mark counts again
    store
        .take_given(&[given("a1", Some("mechanism"), None, 20), given("a1", Some("measurement"), None, 20)])
        .unwrap();
    assert_eq!((store.regrade(&schedule).unwrap(), grade()), (1, Grade::Hard));
    let cells = store.strengths("course").unwrap();
    assert_eq!((cells.cell("ddp", "measurement").unwrap().strength(), cells.cells[0].given), (0.0, 0));
    // the learner's own grade is never touched
    store.overrule("course", &item, Grade::Again, &schedule).unwrap();
    store
        .take_given(&raised.iter().map(|g| Given { at: minute(30), ..g.clone() }).collect::<Vec<_>>())
        .unwrap();
    assert_eq!((store.regrade(&schedule).unwrap(), grade()), (0, Grade::Again));
}
