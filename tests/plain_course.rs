//! The line-mode face over several courses, long pages and what works beside it.
#![allow(clippy::unwrap_used)]

use crate::kit::pack as kit;
use crate::kit::plain::*;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use infralens::line::Plain;
use infralens::pack;
use infralens::page::place::Place;
use infralens::services::Services;
use infralens::services::library::Library;
use infralens::store::Store;
use infralens::study::rehearsal::Setup;
use infralens::study::schedule::{Grade, Item, ItemKind, Schedule};
use jiff::tz::TimeZone;

fn two_courses(store: Store) -> Plain {
    let second = kit::named("second", "Second");
    let library = Library { packs: vec![kit::pack(), second], broken: vec![] };
    let work = std::env::temp_dir().join("infralens-plain-tests");
    Plain::new(Services::new(library, store, TimeZone::UTC, work), vec![], 78)
}

/// A store in which a drill of each of these packs failed at the start.
fn failed(packs: &[&str]) -> Store {
    let store = Store::in_memory().unwrap();
    let item = Item { kind: ItemKind::Drill, id: "ddp-1".into() };
    for pack in packs {
        let schedule = Schedule::new(TimeZone::UTC);
        store.record_review(pack, &item, Grade::Again, (&schedule, at(0))).unwrap();
    }
    store
}

#[test]
fn the_review_goes_through_every_course() {
    let mut face = two_courses(failed(&["course", "second"]));
    let day = 2 * 86_400;
    has(&face.open(&Place::Home, at(day)), "Review: 2 things are due");
    has(&face.review(0, at(day)), "2 left: 2 drills, from Course.");
    let said = say(&mut face, day + 1, &["", "The mechanism word is here.", ".", "", "3"]);
    has(&said, "Taken as known well.");
    has(&said, "1 left: 1 drill, 1 done, from Second.");
    let said = say(&mut face, day + 9, &["", "The problem word is here.", ".", "", "3"]);
    has(&said, "The review is done: 2 things looked at, 0 not known.");
    // what is due in the second course alone is found too
    let mut face = two_courses(failed(&["second"]));
    has(&face.review(0, at(day)), "1 left: 1 drill, from Second.");
    let mut face = two_courses(failed(&[]));
    let said = face.review(0, at(day));
    has(&said, "Nothing is due today.");
    has(&said, "You have answered nothing yet");
}

#[test]
fn working_ahead_goes_through_every_course() {
    let mut face = two_courses(failed(&["second"]));
    let day = 2 * 86_400;
    face.review(0, at(day));
    say(&mut face, day + 1, &["", "The problem word is here.", ".", "", "4"]);
    has(&face.review(0, at(day + 20)), "Nothing is due today. The next thing comes");
    has(&say(&mut face, day + 21, &["c"]), "1 left: 1 drill, from Second.");
}

#[test]
fn home_leads_through_the_days_until_an_interview() {
    let mut face = two_courses(Store::in_memory().unwrap());
    let home = face.open(&Place::Home, at(0));
    has(&home, "I have an interview: give its date");
    let plan = face.open(&Place::Plan, at(1)) + &say(&mut face, 2, &["soon", "5"]);
    has(&plan, "Interview on?");
    has(&plan, "“soon” is not a day");
    has(&plan, "Plan, interview in 5 days. ");
    has(&plan, "to go");
    has(&plan, "60 minutes a day");
    has(&plan, "1. Read: DDP, 20 minutes");
    has(
        &plan,
        "Saturday 26 September, the interview: 18 minutes. 101. Review: what is due, 10 minutes 102. Drill: your weakest part",
    );
    has(&plan, "Plan of Second");
    let read = say(&mut face, 10, &["1", "", "", "", "", "", "q"]);
    has(&read, "it counts as read");
    has(&read, "Read: DDP, done");
    let home = say(&mut face, 30, &["home"]);
    has(&home, "Interview: in 5 days; what to do each day");
    has(&home, "Drill on “DDP”, 8 minutes");
}

#[test]
fn every_course_has_its_plan_and_its_progress() {
    let mut face = two_courses(Store::in_memory().unwrap());
    face.open(&Place::Plan, at(0));
    let plan = say(&mut face, 1, &["3"]);
    let number = |said: &str, wanted: &str| {
        let row = said.lines().find(|l| l.contains(wanted)).unwrap();
        row.split('.').next().unwrap().trim().to_owned()
    };
    let second = say(&mut face, 2, &[&number(&plan, "Plan of Second")]);
    has(&second, "Plan, interview in 3 days");
    has(&second, "1. Read: DDP, 20 minutes");
    has(&second, "Plan of Course");
    let progress = face.open(&Place::Progress, at(5));
    has(&progress, "Heading: Course 1. DDP: not read");
    has(&progress, "Heading: Second 4. DDP: not read");
    has(&say(&mut face, 6, &["i"]), "Plan, interview in 3 days");
}

#[test]
fn an_answer_is_compared_with_the_one_before_to_the_same_parts() {
    let mut face = face(kit::pack());
    let drill =
        |only: Option<&str>| Place::Drill { pack: 0, id: "ddp-1".into(), only: only.map(str::to_owned) };
    face.open(&drill(None), at(0));
    say(&mut face, 1, &["The mechanism word is here.", "."]);
    face.open(&drill(Some("mechanism")), at(10));
    say(&mut face, 11, &["Nothing of use is said here at all.", ".", "s"]);
    face.open(&drill(None), at(20));
    let last = say(&mut face, 21, &["The problem word is here.", ".", "s", "h"]);
    has(&last, "this one: 20%; problem covered, mechanism missing");
    has(&last, "Since Monday 21 September 14:13, the same total");
    has(&last, "Problem: covered, missing before");
    has(&last, "Gained: say the problem");
    has(&last, "Mechanism: missing, covered before");
    has(&last, "Lost: say the mechanism");
}

#[test]
fn a_search_finds_what_every_course_has() {
    let mut face = two_courses(Store::in_memory().unwrap());
    face.open(&Place::Home, at(0));
    let found = say(&mut face, 1, &["/ddp"]);
    assert_eq!(found.matches("Lesson: DDP").count(), 2, "{found}");
    has(&say(&mut face, 2, &["2"]), "DDP. Lesson, 20 minutes to read, 30 minutes in all.");
}

#[test]
fn where_nothing_was_typed_and_no_store_can_be_used_no_file_is_spoken_of() {
    for end in ["", "q\n"] {
        let home = tempfile::tempdir().unwrap();
        let blocked = home.path().join("file");
        std::fs::write(&blocked, "no folder").unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_infralens"))
            .args(["--plain", "--data-dir"])
            .arg(blocked.join("data"))
            .env("HOME", home.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(end.as_bytes()).unwrap();
        let said = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
        has(&said, "Nothing of this session was kept.");
        assert!(!said.contains("named above") && !said.contains("Everything"), "{said}");
    }
}

#[test]
fn where_no_store_can_be_used_what_is_typed_goes_to_a_file_that_is_named() {
    let home = tempfile::tempdir().unwrap();
    let blocked = home.path().join("file");
    std::fs::write(&blocked, "no folder").unwrap();
    let script = |args: &[&str], input: &str| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_infralens"))
            .args(["--plain", "--data-dir"])
            .arg(blocked.join("data"))
            .args(args)
            .env("HOME", home.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let out = child.wait_with_output().unwrap();
        assert_eq!(out.status.code(), Some(1), "it is not in the store");
        String::from_utf8(out.stdout).unwrap()
    };
    let drill = ["drill", "zero1-to-zero3"];
    let said = script(&drill, "Each rank keeps a slice.\n");
    has(&said, "What you do in this session will not be kept.");
    has(&said, "infralens-zero1-to-zero3.txt");
    has(&said, "What you typed is in the files named above");
    assert!(!said.contains("Your draft is kept"), "{said}");
    let text = std::fs::read_to_string(home.path().join("infralens-zero1-to-zero3.txt")).unwrap();
    assert_eq!(text, "Each rank keeps a slice.");
    let rehearse = ["rehearse", "--think", "0", "--prompts", "1", "--no-follow-ups"];
    let said = script(&rehearse, "Each rank keeps a slice.\n");
    assert_eq!(said.matches("infralens-rehearsal.txt").count(), 1, "{said}");
    let text = std::fs::read_to_string(home.path().join("infralens-rehearsal.txt")).unwrap();
    assert!(text.contains("Each rank keeps a slice."), "{text}");
}

#[test]
fn the_clock_of_a_rehearsal_stands_while_its_question_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let mut face = face_on(kit::pack(), Store::open(folder.path()).unwrap());
    let setup = Setup { count: 1, think: 0, ..Setup::screen("course", 7) };
    face.rehearse(setup, at(0));
    has(&face.line("?", at(20)), ":stop: end the rehearsal here");
    has(&face.line(":time", at(30)), "No clock is running, 0 words.");
    assert_eq!(face.line("The problem word is here.", at(40)), "", "the first line starts the clock");
    has(&face.line(":time", at(50)), "1 minute 50 seconds left, 5 words.");
    has(&face.end(at(52)), "goes on with 1 minute 48 seconds on the clock.");
}

#[test]
fn a_long_page_says_what_changed_and_not_all_of_it_again() {
    let mut face = face(built_in());
    face.open(&Place::Plan, at(0));
    let whole = say(&mut face, 1, &["5"]);
    has(&whole, "1. Read: Why and how to train on many GPUs, ");
    assert!(whole.lines().count() > 20, "{whole}");
    let ticked = say(&mut face, 2, &["tick 1"]);
    has(&ticked, "1. Read: Why and how to train on many GPUs, in short, done");
    assert!(ticked.lines().count() < 6, "{ticked}");
    // all of it can be heard again, by the same numbers
    has(&say(&mut face, 3, &["l"]), "3. Read: Data parallelism: DDP, 17 minutes");
    has(&say(&mut face, 4, &["?"]), "You are here: Plan, interview in 5 days. What can be typed:");
    // coming back says where one is, and what is another there
    let home = say(&mut face, 5, &["q"]);
    has(&home, "Distributed Training");
}

#[test]
fn what_was_ticked_by_hand_is_not_asked_again_on_another_day() {
    let mut face = face(built_in());
    face.open(&Place::Plan, at(0));
    let reading = "Read: Why and how to train on many GPUs, in short";
    has(&say(&mut face, 1, &["6", "tick 1"]), &format!("{reading}, done"));
    let next_day = face.open(&Place::Plan, at(26 * 3600));
    assert!(!crate::kit::visit::flat(&next_day).contains(reading), "{next_day}");
    // a tick that was taken back is no reading
    let other = "Read: Data parallelism: DDP";
    has(&next_day, other);
    say(&mut face, 26 * 3600 + 1, &["tick 2", "tick 2"]);
    has(&face.open(&Place::Plan, at(51 * 3600)), other);
}

#[test]
fn a_diagram_and_a_formula_are_said_in_the_words_of_their_author() {
    let mut face = face(built_in());
    face.open(&Place::Lesson { pack: 0, id: "ddp".into() }, at(0));
    let said = say(&mut face, 1, &["all"]);
    has(&said, "Four ranks begin with equal weights w and see different samples");
    has(&said, "Bytes are 2 times the fraction d minus 1, over d, end of fraction, times N, times g.");
    assert!(!said.contains("w - g0") && !said.contains("(d - 1) / d"), "{said}");
    // a picture of a simulator is told, not drawn
    let set = std::collections::BTreeMap::new();
    face.open(&Place::Sim { kind: "pipeline".into(), set, link: None }, at(9));
    let picture = say(&mut face, 10, &["3"]);
    has(&picture, "Each row is idle for 27% of it.");
    assert!(!picture.contains("aabb"), "{picture}");
}

#[test]
fn pack_check_asks_for_the_words_of_a_diagram() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pack");
    infralens::cmd::pack::new(&path, false, &mut Vec::new()).unwrap();
    let lesson = std::fs::read_dir(path.join("lessons")).unwrap().next().unwrap().unwrap().path();
    let text = std::fs::read_to_string(&lesson).unwrap();
    let with = |spoken: &str| {
        let pieces = format!(
            "[[section.diagram]]\nid = \"d\"\ntitle = \"D\"\n{spoken}text = \"a -> b\"\n[[section.formula]]\nid = \"f\"\n\
             title = \"F\"\n{spoken}text = \"a = b\"\n"
        );
        std::fs::write(
            &lesson,
            text.replacen(
                "[[section.misunderstanding]]",
                &format!("{pieces}[[section.misunderstanding]]"),
                1,
            ),
        )
        .unwrap();
        let checked = pack::check(&pack::Origin::Folder(path.clone()));
        checked
            .problems
            .iter()
            .filter(|p| p.cure.contains("`spoken`"))
            .map(|p| p.is_error())
            .collect::<Vec<_>>()
    };
    assert_eq!(with(""), [false, false]);
    assert!(with("spoken = \"From a to b.\"\n").is_empty());
}

/// The verdict in lines on an answer, with a judge that is a shell script.
fn judged(folder: &Path, script: &str) -> Plain {
    let store = Store::in_memory().unwrap();
    let judge = infralens::judge::Judge::new(["sh", "-c", script].map(str::to_owned).into());
    store.set("judge", &serde_json::to_string(&judge).unwrap(), at(0)).unwrap();
    let library = Library { packs: vec![kit::pack()], broken: vec![] };
    let mut face = Plain::new(Services::new(library, store, TimeZone::UTC, folder.to_owned()), vec![], 78);
    face.open(&Place::Drill { pack: 0, id: "ddp-1".into(), only: None }, at(0));
    has(&say(&mut face, 1, &["The mechanism word is here.", ".", "s"]), "Page: Verdict");
    face
}

#[test]
fn a_judge_at_work_can_be_ended_in_lines_while_other_lines_are_taken() {
    let folder = tempfile::tempdir().unwrap();
    let fifo = folder.path().join("go");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let mut face = judged(folder.path(), &format!("cat > /dev/null; read wait < {}", fifo.display()));
    let asked = say(&mut face, 10, &["o", "o"]);
    has(&asked, "Before the first time");
    has(&asked, "The judge is reading your answer; o stops it.");
    // it is looked for again and again, and lines are taken meanwhile
    assert!(face.wake_at().is_some());
    has(&face.line("2", at(13)), "Said: say the mechanism");
    has(&face.line("o", at(14)), "The judge was stopped; nothing of it is kept.");
    has(&face.line("o", at(15)), "The judge is reading your answer");
    has(&face.line("quit", at(16)), "Everything is kept");
}

#[test]
fn a_script_that_ends_hears_the_judge_that_it_asked() {
    let folder = tempfile::tempdir().unwrap();
    let reply = r#"{"protocol":1,"judge":"shell","parts":[]}"#;
    let mut face = judged(folder.path(), &format!("cat > /dev/null; echo '{reply}'"));
    say(&mut face, 10, &["o", "o"]);
    let end = face.end(at(13));
    has(&end, "The judge has read it. Heading: Second opinion");
    has(&end, "End of input");
}

#[test]
fn headings_are_named_and_a_question_mark_says_where_one_is() {
    let mut face = face(kit::pack());
    let home = face.open(&Place::Home, at(0));
    has(&home, "Page: Course.");
    has(&home, "Course, 90 minutes with labs, checks and drills: 3 lessons, numbers 21 to 23.");
    has(&say(&mut face, 1, &["course"]), "Heading: Course, 90 minutes with labs, checks and drills 21. DDP");
    let said = say(&mut face, 1, &["2", "", "?"]);
    has(&said, "Heading: What problem it solves");
    has(&said, "You are here: DDP, section 1 of 3, What problem it solves, 1 of 1.");
    has(&say(&mut face, 5, &["q"]), "Page: Course. ");
}
