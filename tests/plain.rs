//! The line-mode face: scripts in, lines out; time is given, nothing sleeps.
#![allow(clippy::unwrap_used)]

use crate::kit::pack as kit;

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use infralens::line::{Plain, run};
use infralens::pack::{self, Check, CheckKind, ChoiceOption, Pack};
use infralens::page::place::Place;
use infralens::services::Services;
use infralens::services::library::Library;
use infralens::store::Store;
use infralens::study::rehearsal::Setup;
use infralens::study::schedule::{Grade, Item, ItemKind, Schedule};
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// Some seconds after a fixed moment.
fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_790_000_000 + seconds).unwrap()
}

/// The face on a store in memory.
fn face(pack: Pack) -> Plain {
    face_on(pack, Store::in_memory().unwrap())
}

fn face_on(pack: Pack, store: Store) -> Plain {
    let library = Library { packs: vec![pack], broken: vec![] };
    let work = std::env::temp_dir().join("infralens-plain-tests");
    Plain::new(Services::new(library, store, TimeZone::UTC, work), vec![], 78)
}

fn built_in() -> Pack {
    pack::load(&infralens::built_in::ORIGIN).pack.unwrap()
}

/// Gives lines, a second apart, and collects what is said.
fn say(face: &mut Plain, from: i64, lines: &[&str]) -> String {
    let mut said = String::new();
    for (i, line) in lines.iter().enumerate() {
        said.push_str(&face.line(line, at(from + i as i64)));
    }
    said
}

fn has(text: &str, wanted: &str) {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains(wanted), "no “{wanted}” in\n{text}");
}

/// What no line may hold: escapes and other control characters, box drawing, blocks, braille.
fn assert_plain(text: &str) {
    for c in text.chars() {
        let bad = c.is_control() && c != '\n';
        let drawn = ('\u{2500}'..='\u{259f}').contains(&c) || ('\u{2800}'..='\u{28ff}').contains(&c);
        assert!(!bad && !drawn, "{c:?} in\n{text}");
    }
}

#[test]
fn a_lesson_is_read_heading_by_heading_and_counts_as_read() {
    let mut face = face(kit::pack());
    has(&face.open(&Place::Home, at(0)), "2. Start the course: DDP");
    let said = say(&mut face, 1, &["2", "", ""]);
    has(&said, "1. Read: What problem it solves");
    has(&said, "What problem it solves Memory.");
    has(&said, "How it works Shards.");
    let rest = say(&mut face, 5, &["", "", "q"]);
    has(&rest, "it counts as read");
    has(&rest, "Read: ZERO");
}

#[test]
fn a_lesson_is_heard_a_card_at_a_time_and_all_of_it_has_a_number() {
    let mut pack = kit::pack();
    let long = |word: &str| format!("{} ", word.repeat(3)).repeat(60);
    pack.lessons[0].section.mechanism = format!("{}\n\n{}\n\n{}", long("one"), long("two"), long("six"));
    let mut face = face(pack);
    let listed = face.open(&Place::Lesson { pack: 0, id: "ddp".into() }, at(0));
    let numbers = listed.lines().filter(|l| l.starts_with(|c: char| c.is_ascii_digit())).count();
    let first = say(&mut face, 1, &["2"]);
    has(&first, "oneoneone");
    has(&first, "1 of 3. Enter reads on.");
    assert!(!first.contains("twotwotwo"));
    let second = say(&mut face, 2, &[""]);
    has(&second, "2 of 3.");
    assert!(second.contains("twotwotwo") && !second.contains("oneoneone"));
    // coming back from what belongs to it repeats no list
    let back = say(&mut face, 3, &[&numbers.to_string(), "q"]);
    has(&back, "DDP. Enter reads");
    assert_eq!(back.matches("Read: How it works").count(), 0, "{back}");
    // what was heard is remembered
    let again = face.open(&Place::Lesson { pack: 0, id: "ddp".into() }, at(9));
    has(&again, "Enter reads: How it works");
    has(&say(&mut face, 10, &[""]), "3 of 3.");
}

#[test]
fn a_drill_is_answered_in_lines_and_the_verdict_is_said_in_words() {
    let mut face = face(kit::pack());
    let place = Place::Drill { pack: 0, id: "ddp-1".into(), only: None };
    let asked = face.open(&place, at(0));
    has(&asked, "Question: Explain ddp-1.");
    has(&asked, "A line with a single dot ends it");
    let said = say(
        &mut face,
        1,
        &["The mechanism word is here.", "::a colon", ":undo", ":time", ":text", ". 80", "s"],
    );
    has(&said, "Taken back: :a colon");
    has(&said, "5 words");
    has(&said, "The mechanism word is here.");
    has(&said, "You thought it was worth 80%.");
    has(&said, "Mechanism: covered, not sure. You said: “mechanism word”.");
    has(&said, "Problem: missing, the limiting part, not sure. say the problem");
    let more = say(&mut face, 20, &["E", "2", "m", "h"]);
    has(&more, "Said: say the mechanism. You: “mechanism word”. For authors: mechanism 1, mechanism word");
    has(&more, "A model answer A model answer.");
    has(&more, "Earlier attempts This is the first.");
    let follow = say(&mut face, 30, &["f"]);
    has(&follow, "One part. 1 minute, mid. Question:");
    has(&follow, "Answer the part “Problem” alone.");
}

#[test]
fn what_the_rules_cannot_tell_is_asked_in_lines() {
    let mut face = face(kit::pack());
    face.open(&Place::Drill { pack: 0, id: "ddp-1".into(), only: None }, at(0));
    let asked = say(&mut face, 1, &["I think that the mechanism word is said here by every rank.", "."]);
    has(&asked, "The rules are not sure of Problem. You know what you meant: 5 questions.");
    has(&asked, "Did you say this? say the problem No sentence of yours comes near it.");
    has(&asked, "1. Yes 2. Partly 3. No 4. Another sentence of mine says it");
    assert!(!asked.contains('%'), "no total before it is asked: {asked}");
    let next = say(&mut face, 5, &["n"]);
    has(&next, "Your words were taken for this. Did you say it? say the mechanism");
    has(&next, "Your likeliest sentence “I think that the mechanism word is said here by every rank”");
    let marks = say(&mut face, 9, &["1", "o", "1", "y", "s"]);
    has(&marks, "Which sentence says it?");
    has(&marks, "Mechanism: covered, by you.");
    has(&marks, "Communication: covered, by you.");
    has(&marks, "40%: 2 of 5; 40% to 60%, 2 not sure; 3 parts by you, the rules alone 20%.");
    let history = face.open(&Place::History { drill: None }, at(30));
    has(&history, "3 by you, 2 not sure. Explain ddp-1.");
}

#[test]
fn the_stored_answer_of_a_follow_up_is_said_after_it() {
    let mut pack = kit::pack();
    for drill in &mut pack.drills {
        drill.follow_ups[0].matches = vec!["rank 3 + rank 11".into()];
        drill.follow_ups[0].answer = Some("Ranks 3 and 11 do.".into());
    }
    let mut face = face(pack);
    let place = Place::Drill { pack: 0, id: "ddp-1".into(), only: Some("mechanism".into()) };
    has(&face.open(&place, at(0)), "Question: How does ddp-1 move data?");
    let said = say(&mut face, 1, &["By a ring.", "."]);
    has(&said, "Mechanism: missing, the limiting part.");
    has(&said, "The answer: Ranks 3 and 11 do.");
    assert_eq!(said.matches("Ranks 3 and 11").count(), 1, "{said}");
}

#[test]
fn wrong_input_is_told_what_works() {
    let mut face = face(kit::pack());
    face.open(&Place::Home, at(0));
    let said = say(&mut face, 1, &["77", "what?", "?"]);
    has(&said, "“77” does not work here; type a number from 1 to");
    has(&said, "“what?” does not work here");
    has(&said, "q: end the program");
    let place = Place::Drill { pack: 0, id: "ddp-1".into(), only: None };
    face.open(&place, at(5));
    let said = say(&mut face, 6, &[":nonsense", "."]);
    has(&said, "There is no command “:nonsense”");
    has(&said, "There is nothing to score yet");
}

#[test]
fn a_strict_rehearsal_runs_against_the_clock_given() {
    let mut face = face(kit::pack());
    let setup = Setup { count: 2, ..Setup::screen("course", 7) };
    let said = face.rehearse(setup, at(0));
    has(&said, "Question 1 of 2: Explain");
    has(&said, "Think: 0:30.");
    // the clock waits until the question is said, however long that takes
    has(&said, "The clock waits: Enter starts it");
    assert_eq!((face.wake_at(), face.tick(at(0)).as_str()), (None, ""));
    has(&face.line("", at(0)), "The clock is running.");
    // the clock calls without a line being typed
    assert_eq!(face.wake_at(), Some(at(1)));
    let mut called = String::new();
    for second in 1..=29 {
        called.push_str(&face.tick(at(second)));
    }
    has(&called, "Half the time is left: 0:15.");
    has(&called, "10 seconds left.");
    has(&face.tick(at(30)), "Answer now: 2:00.");
    let mut called = String::new();
    for second in 31..=100 {
        called.push_str(&face.tick(at(second)));
    }
    assert_eq!(face.line("The mechanism word is here.", at(101)), "");
    for second in 101..=149 {
        called.push_str(&face.tick(at(second)));
    }
    has(&called, "Half the time is left: 1:00.");
    has(&called, "A quarter of the time is left: 0:30.");
    has(&called, "10 seconds left.");
    let timed_out = face.tick(at(150));
    has(&timed_out, "Time is up. The answer is scored as it stands.");
    has(&timed_out, "Follow-up on tradeoff: What does");
    has(&timed_out, "Answer now: 1:00.");
    // a line that was not sent in time is no answer to what follows
    has(&timed_out, "The clock waits: Enter starts it.");
    assert_eq!(face.wake_at(), None);
    has(&face.line("half of a line", at(155)), "it does not count");
    has(&face.line("", at(159)), "The clock is running.");
    assert_eq!(face.wake_at(), Some(at(160)));
    let said = say(&mut face, 160, &["It costs memory.", ".", ".", "no words", "."]);
    has(&said, "Question 2 of 2: Explain");
    let end = say(&mut face, 180, &[".", "."]);
    has(&end, "The rehearsal is over.");
    has(&end, "strict, 0:30 to think, 2:00 to answer, follow-ups of 1:00, seed 7");
    has(&end, "time ran out");
    has(&end, "Read DDP: lacked problem");
    has(&end, "10%, limited by");
    assert_eq!(face.wake_at(), None, "no clock, no wake-ups");
    has(&say(&mut face, 200, &["home"]), "Report: last rehearsal, 2026-09-21: 10%");
}

#[test]
fn practice_says_the_marks_after_each_answer() {
    let mut face = face(kit::pack());
    let setup = Setup { count: 1, think: 0, strict: false, ..Setup::screen("course", 7) };
    has(&face.rehearse(setup, at(0)), "Question 1 of 1: Explain");
    let said = say(&mut face, 1, &["The problem word is here.", "."]);
    has(&said, "Verdict.");
    has(&said, "No clock is running. Enter goes on");
    assert_eq!(face.wake_at(), None);
    has(&say(&mut face, 500, &["nonsense"]), "Enter goes on, n skips the follow-ups");
    has(&say(&mut face, 501, &[""]), "Follow-up on mechanism");
    has(&say(&mut face, 502, &[":stop"]), "The rehearsal is over.");
}

#[test]
fn a_rehearsal_that_was_left_goes_on_with_the_time_that_was_left() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = face_on(kit::pack(), Store::open(folder.path()).unwrap());
    let setup = Setup { count: 1, think: 0, ..Setup::screen("course", 7) };
    first.rehearse(setup, at(0));
    first.line("", at(0));
    for second in 1..=50 {
        first.tick(at(second));
    }
    first.line("The problem word is here.", at(51));
    let left = first.end(at(52));
    has(&left, "The rehearsal is kept; `infralens rehearse` goes on with 1:08 on the clock.");
    drop(first);
    let mut second = face_on(kit::pack(), Store::open(folder.path()).unwrap());
    has(&second.open(&Place::Rehearse, at(9000)), "1. Go on with the time that was left");
    let said = say(&mut second, 9001, &[""]);
    has(&said, "goes on with the time that was left");
    has(&said, "The problem word is here.");
    has(&said, "Answer now: 1:08.");
    let end = say(&mut second, 9005, &[".", ":stop"]);
    has(&end, "20%, limited by");
}

#[test]
fn the_end_of_the_input_keeps_the_draft() {
    let folder = tempfile::tempdir().unwrap();
    let place = Place::Drill { pack: 0, id: "zero-1".into(), only: None };
    let mut first = face_on(kit::pack(), Store::open(folder.path()).unwrap());
    first.open(&place, at(0));
    say(&mut first, 1, &["first line", "second line"]);
    has(&first.end(at(3)), "Your draft is kept. End of input.");
    assert!(first.is_over());
    assert_eq!(first.end(at(4)), "", "it ends once");
    drop(first);
    let mut second = face_on(kit::pack(), Store::open(folder.path()).unwrap());
    let said = second.open(&place, at(10));
    has(&said, "It goes on from here: first line second line");
}

#[test]
fn a_draft_is_saved_within_a_second_of_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let mut face = face_on(kit::pack(), Store::open(folder.path()).unwrap());
    let place = Place::Drill { pack: 0, id: "zero-1".into(), only: None };
    face.open(&place, at(0));
    let drafts = || Store::open(folder.path()).unwrap().export(&mut Vec::new()).unwrap();
    let before = drafts();
    assert_eq!(face.line("typed", at(0)), "");
    let wake = face.wake_at().unwrap();
    assert!(wake <= at(1), "{wake}");
    face.tick(wake);
    assert_eq!(face.wake_at(), None, "saved, so nothing to wake for");
    assert_eq!(drafts(), before + 1);
}

fn choice() -> Check {
    let option = |text: &str, right| ChoiceOption {
        text: text.into(),
        right,
        why: Some(format!("because it is {right}")),
    };
    Check {
        id: "c".into(),
        lesson: "ddp".into(),
        question: "Which?".into(),
        kind: CheckKind::Choice(vec![option("the right one", true), option("the wrong one", false)]),
        explain: "So it is.".into(),
        hints: vec!["look".into()],
    }
}

fn with_check(kind: CheckKind) -> Pack {
    let mut pack = kit::pack();
    pack.checks = vec![Check { kind, ..choice() }];
    pack
}

fn checks() -> Place {
    Place::Checks { pack: 0, lesson: "ddp".into(), only: None }
}

#[test]
fn a_choice_is_answered_by_its_number() {
    let pack = with_check(choice().kind);
    for typed in ["1", "2"] {
        let mut face = face(pack.clone());
        let asked = face.open(&checks(), at(0));
        let right = asked.contains(&format!("{typed}. the right one"));
        let said = say(&mut face, 1, &["h", "9", typed]);
        has(&said, "Hint 1: look");
        has(&said, "“9” is not an answer here; type a number from 1 to 2.");
        has(&said, if right { "Right." } else { "Not right." });
        has(&said, "because it is true");
        has(&said, "So it is.");
    }
}

#[test]
fn claims_and_orders_are_answered_in_words_and_numbers() {
    let mut claim = face(with_check(CheckKind::Claim(false)));
    claim.open(&checks(), at(0));
    has(&say(&mut claim, 1, &["true"]), "Not right: it is false.");
    let steps = vec!["one".to_owned(), "two".to_owned(), "three".to_owned()];
    let mut order = face(with_check(CheckKind::Order(steps)));
    let asked = order.open(&checks(), at(0));
    let place = |step: &str| {
        let line = asked.lines().find(|l| l.ends_with(step)).unwrap();
        line.split('.').next().unwrap().to_owned()
    };
    let typed = [place(" one"), place(" two"), place(" three")].join(" ");
    let said = say(&mut order, 1, &["1 1 2", &typed]);
    has(&said, "type each number from 1 to 3 once");
    has(&said, "Right.");
}

#[test]
fn what_was_failed_is_reviewed_and_can_be_graded() {
    let mut face = face(with_check(CheckKind::Claim(true)));
    face.open(&checks(), at(0));
    say(&mut face, 1, &["false"]);
    has(&face.open(&Place::Review { ahead: 0 }, at(2000)), "Review. 1 left: 1 check");
    has(&say(&mut face, 2001, &["true"]), "By its marks: known well.");
    let graded = say(&mut face, 2010, &["5", "4"]);
    has(&graded, "“5” does not work here");
    has(&graded, "taken as known at once.");
    has(&graded, "The review is done: 1 thing looked at, 0 not known.");
    has(&face.open(&Place::Review { ahead: 0 }, at(2020)), "Nothing is due today. The next thing comes");
}

/// The numbers of the rows that begin so.
fn numbered(said: &str, words: &str) -> Vec<String> {
    let rows = said.lines().filter_map(|line| line.split_once(". "));
    rows.filter(|(_, text)| text.starts_with(words)).map(|(n, _)| n.to_owned()).collect()
}

#[test]
fn a_simulator_says_what_changed_and_gives_no_answer_away() {
    let mut face = face(built_in());
    let place = Place::Sim { kind: "pipeline".into(), set: Default::default(), link: None };
    let said = face.open(&place, at(0));
    assert!(said.lines().count() < 40, "{said}");
    assert!(!said.contains("idle of the step"), "the numbers wait until they are asked for:\n{said}");
    // a change says the numbers that changed, with what they were, and nothing twice
    let changed = say(&mut face, 1, &["stages = 8"]);
    has(&changed, "idle, of the whole step: 46.7%");
    has(&changed, ", was ");
    assert!(changed.lines().count() < 16 && !changed.contains("Settings"), "{changed}");
    let numbers = say(&mut face, 2, &[&numbered(&said, "Hear the")[0]]);
    let first = numbered(&numbers, "")[0].clone();
    has(&say(&mut face, 3, &[&first]), "Until the last backward ends.");
    let all: String = numbered(&numbers, "").iter().map(|n| say(&mut face, 3, &[n])).collect();
    has(&all, "source:");
    // a question is asked alone, and what is typed answers it
    let asked = say(&mut face, 4, &[&numbered(&said, "Predict")[0]]);
    has(&asked, "Question 1 of");
    has(&say(&mut face, 5, &["1"]), "it is");
    has(&say(&mut face, 6, &[&numbered(&said, "Preset")[0]]), "Preset: ");
    has(&say(&mut face, 7, &["nonsense"]), "changes nothing");
    has(&say(&mut face, 8, &["nothing = 3"]), "has no parameter");
}

#[test]
fn a_puzzle_is_solved_in_lines_and_the_best_is_kept() {
    let mut face = face(built_in());
    let list = face.open(&Place::Sims, at(0));
    has(&list, "Fit 13B on eight GPUs with the least traffic: par 45.5 GB");
    let id = "fit-13b".to_owned();
    let mut said = face.open(&Place::Puzzle { pack: 0, id }, at(1));
    has(&said, "Not solved: one condition does not hold.");
    let first = say(&mut face, 1, &["stage = 3"]);
    has(&first, "All conditions hold, 45.5 GB over par 45.5 GB.");
    has(&first, "Your best: 91 GB.");
    let pictures = numbered(&said, "Picture: ");
    assert!(!pictures.is_empty());
    let shown: String = pictures.iter().map(|n| say(&mut face, 1, &[n])).collect();
    has(&shown, "ZeRO-3");
    assert!(!shown.contains("ZeRO-2"), "the picture names another stage");
    said.push_str(&first);
    said.push_str(&say(&mut face, 2, &["i", "i", "i", "i", "stage = 9", "x"]));
    for wanted in ["Hint 3 of 3:", "There are no more hints.", "use one of 0, 1, 2, 3", "“x” changes nothing"]
    {
        has(&said, wanted);
    }
    let solved = say(&mut face, 9, &["gradients = bf16", "stage = 2"]);
    has(&solved, "Solved at par: 45.5 GB.");
    has(&solved, "Why par is par:");
    let worse = say(&mut face, 12, &["stage = 3"]);
    has(&worse, "Your best: 45.5 GB.");
    assert_plain(&(list + &said + &solved + &worse));
    has(&face.open(&Place::Sims, at(20)), "par 45.5 GB, reached");
}

#[test]
fn nothing_that_a_learner_or_a_pack_writes_steers_the_terminal() {
    let mut pack = kit::pack();
    pack.title = "\u{1b}[31mCourse\u{9b}".into();
    pack.lessons[0].section.problem = "a\u{1b}]0;x\u{7}b \u{2588}\u{2500}".into();
    pack.drills[0].prompt = "Why\u{1b}[2J?".into();
    let mut face = face(pack);
    let mut said = face.open(&Place::Home, at(0));
    said += &say(&mut face, 1, &["2", "", "\u{1b}[31m", "home", "/why"]);
    let place = Place::Drill { pack: 0, id: "ddp-1".into(), only: None };
    said += &face.open(&place, at(10));
    said += &say(&mut face, 11, &["an\u{1b}[31mswer", ":text", ".", "7"]);
    has(&said, "\\x1b[31mCourse");
    assert_plain(&said);
}

/// Every page of the built-in course, once.
#[test]
fn no_lesson_and_no_lab_draws_or_escapes() {
    let pack = built_in();
    let mut face = face(pack.clone());
    let mut said = face.open(&Place::Home, at(0));
    for lesson in &pack.lessons {
        let id = lesson.id.clone();
        said += &face.open(&Place::Lesson { pack: 0, id }, at(1));
        said += &say(&mut face, 2, &["all"]);
        for lab in &lesson.labs {
            let id = lab.id.clone();
            said += &face.open(&Place::Lab { pack: 0, id }, at(3));
            said += &say(&mut face, 4, &["1", "2", "3", "all", "q", "5", "6", "7", "8", "9"]);
        }
    }
    for term in &pack.terms {
        let id = term.id.clone();
        said += &face.open(&Place::Term { pack: 0, id }, at(5));
    }
    for check in &pack.checks {
        let place = Place::Checks { pack: 0, lesson: check.lesson.clone(), only: Some(check.id.clone()) };
        said += &face.open(&place, at(6));
        said += &say(&mut face, 7, &["h", "1", "check"]);
    }
    for kind in infralens::sim::KINDS {
        let place = Place::Sim { kind: kind.name.into(), set: Default::default(), link: None };
        said += &face.open(&place, at(8));
    }
    for place in [Place::Sims, Place::Rehearse, Place::Review { ahead: 0 }, Place::Progress] {
        said += &face.open(&place, at(9));
    }
    assert!(said.len() > 100_000, "the course was not read: {} bytes", said.len());
    assert_plain(&said);
}

#[test]
fn the_loop_ends_when_the_output_is_closed_and_keeps_the_draft() {
    struct Closed(usize);
    impl Write for Closed {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += 1;
            if self.0 > 1 {
                return Err(std::io::ErrorKind::BrokenPipe.into());
            }
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let mut face = face_on(kit::pack(), Store::open(folder.path()).unwrap());
    let place = Place::Drill { pack: 0, id: "zero-1".into(), only: None };
    let first = face.open(&place, at(0));
    let input = &b"kept\n:time\nmore\n"[..];
    let error = run(&mut face, &first, input, &mut Closed(0)).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::BrokenPipe);
    drop(face);
    let kept = Store::open(folder.path()).unwrap().drafts("course").unwrap();
    assert_eq!(kept[0].text, "kept");
}

// ---- the built program ----

fn start(data: &Path, args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_infralens"))
        .arg("--plain")
        .arg("--data-dir")
        .arg(data)
        .args(args)
        .env("COLUMNS", "78")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn script(data: &Path, args: &[&str], input: &str) -> Output {
    let mut child = start(data, args);
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn out(o: &Output) -> String {
    let text = String::from_utf8(o.stdout.clone()).unwrap();
    assert_plain(&text);
    text
}

#[test]
fn a_script_reads_a_lesson_and_answers_a_drill() {
    let data = tempfile::tempdir().unwrap();
    let read = script(data.path(), &["learn", "ddp"], "\n\nq\nq\n");
    assert_eq!(read.status.code(), Some(0));
    has(&out(&read), "Goodbye. Everything is kept.");
    let answer = "Each rank sees other data, so the gradients differ and the replicas would drift apart.\r\n.\r\ns\r\nq\r\nq\r\n";
    let drill = script(data.path(), &["drill", "ddp-gradients-not-parameters"], answer);
    assert_eq!(drill.status.code(), Some(0));
    has(&out(&drill), "Problem: covered, not sure.");
    let history = Command::new(env!("CARGO_BIN_EXE_infralens"))
        .args(["history", "--data-dir"])
        .arg(data.path())
        .output()
        .unwrap();
    has(&out(&history), "Why does DDP all-reduce gradients instead of parameters?");
}

#[test]
fn a_script_runs_a_strict_rehearsal_to_its_report() {
    let data = tempfile::tempdir().unwrap();
    let args = ["rehearse", "--prompts", "1", "--seed", "7", "--lesson", "ddp"];
    let input = "a note\n.\nEach rank sees other data, so gradients differ.\n.\nthe follow-up\n.\n";
    let run = script(data.path(), &args, input);
    assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stderr));
    let said = out(&run);
    for wanted in [
        "Think: 0:30.",
        "Answer now: 2:00.",
        "Follow-up on",
        "The rehearsal is over.",
        "limited by",
        "1 of 1 prompt answered.",
        "End of input.",
    ] {
        has(&said, wanted);
    }
}

#[test]
fn the_end_of_a_scripts_input_in_the_middle_of_an_answer_keeps_it() {
    let data = tempfile::tempdir().unwrap();
    let half = script(data.path(), &["drill", "zero1-to-zero3"], "half an answer");
    assert_eq!(half.status.code(), Some(0));
    has(&out(&half), "Your draft is kept. End of input.");
    let again = script(data.path(), &["drill", "zero1-to-zero3"], ":q\nq\n");
    has(&out(&again), "It goes on from here: half an answer");
    let rehearse = script(data.path(), &["rehearse", "--seed", "3"], ".\nhalf\n");
    has(&out(&rehearse), "The rehearsal is kept;");
    has(&out(&script(data.path(), &["rehearse"], "\n")), "The rehearsal goes on");
}

#[test]
fn a_closed_output_is_no_error() {
    let data = tempfile::tempdir().unwrap();
    let mut child = start(data.path(), &["learn", "ddp"]);
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    // the program may have ended already
    let _ = input.write_all(b"all\n");
    let mut errors = String::new();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    assert_eq!((child.wait().unwrap().code(), &errors[..]), (Some(0), ""));
}

#[test]
fn an_unknown_place_ends_with_two() {
    let data = tempfile::tempdir().unwrap();
    for args in [&["learn", "dpd"][..], &["drill", "nope"], &["rehearse", "--lesson", "nope"]] {
        let output = script(data.path(), args, "");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        has(&String::from_utf8_lossy(&output.stderr), "infralens list");
    }
    let none = script(data.path(), &["rehearse", "--answer", "0"], "");
    assert_eq!(none.status.code(), Some(2));
}

#[test]
fn an_answer_is_rated_part_by_part_in_letters_behind_the_dot() {
    let mut face = face(kit::pack());
    let place = Place::Drill { pack: 0, id: "ddp-1".into(), only: None };
    face.open(&place, at(0));
    let wrong = say(&mut face, 1, &["The mechanism word is here.", ". cc"]);
    has(&wrong, "That is not a rating.");
    has(&wrong, "5 letters, one for each of problem, mechanism, communication");
    let said = say(&mut face, 5, &[". ccmmp", "s"]);
    has(&said, "You thought it was worth 50%.");
    has(&said, "Mechanism: covered, not sure. You said");
    has(&said, "Problem: missing, the limiting part, not sure; you thought covered.");
    let progress = face.open(&Place::Progress, at(21));
    has(&progress, "You rate yourself 30 points too high over 1 answer.");
    has(&progress, "Problem: too high in 1 of 1.");
    has(&progress, "Mechanism: as marked each time.");
}

#[test]
fn a_mistyped_rating_is_no_part_of_the_answer_and_may_be_skipped() {
    for wrong in [". cpmmx", ". 130", ". nan"] {
        let mut face = face(kit::pack());
        let place = Place::Drill { pack: 0, id: "ddp-1".into(), only: None };
        face.open(&place, at(0));
        has(&say(&mut face, 1, &["The mechanism word is here.", wrong]), "That is not a rating.");
        let verdict = say(&mut face, 5, &[""]);
        has(&verdict, "Mechanism: covered");
        assert!(!verdict.contains(wrong) && !verdict.contains("You thought"), "{verdict}");
    }
}

#[test]
fn a_lab_is_predicted_run_and_compared_in_lines() {
    let pack = built_in();
    let lab = pack.lessons.iter().find_map(|l| l.labs.first()).unwrap();
    let mut face = face(pack.clone());
    let place = Place::Lab { pack: 0, id: lab.id.clone() };
    has(&face.open(&place, at(0)), "4. Predict, then run the starter");
    let asked = say(&mut face, 1, &["4", "it falls"]);
    has(&asked, "1 of 3.");
    has(&asked, "2 of 3.");
    let ran = say(&mut face, 5, &["second", "third"]);
    has(&ran, "You said: it falls.");
    has(&ran, "first cap buckets comm ms exposed ms hidden 1 1 96 67.7");
    has(&say(&mut face, 20, &["1"]), "It is");
    has(&say(&mut face, 21, &["y 1", "n 2", "p 3"]), "the lab counts as done");
    // q goes back to the lab, as a key does, and only then out of it
    let back = say(&mut face, 24, &["q"]);
    has(&back, "Page: ");
    assert!(!back.contains("Goodbye") && !back.contains("compare."), "{back}");
    has(&say(&mut face, 25, &["q"]), "Page: Distributed Training.");
}

#[test]
fn a_rehearsal_takes_a_rating_in_practice_alone() {
    for strict in [false, true] {
        let mut face = face(kit::pack());
        let setup = Setup { think: 0, count: 1, strict, follow_ups: false, ..Setup::screen("course", 7) };
        face.rehearse(setup, at(0));
        let said = say(&mut face, 1, &["The mechanism word is here.", ". ccmmm"]);
        let flat = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(flat.contains("worth 40%"), !strict, "{said}");
        assert_eq!(said.contains("The rehearsal is over"), strict, "{said}");
    }
}

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
    has(&face.review(0, at(day)), "2 left: 2 drills from Course");
    let said = say(&mut face, day + 1, &["", "The mechanism word is here.", ".", "", "3"]);
    has(&said, "taken as known well.");
    has(&said, "1 left: 1 drill 1 done from Second");
    let said = say(&mut face, day + 9, &["", "The problem word is here.", ".", "", "3"]);
    has(&said, "The review is done: 2 things looked at, 0 not known.");
    // what is due in the second course alone is found too
    let mut face = two_courses(failed(&["second"]));
    has(&face.review(0, at(day)), "1 left: 1 drill from Second");
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
    has(&say(&mut face, day + 21, &["c"]), "1 left: 1 drill from Second");
}

#[test]
fn home_leads_through_the_days_until_an_interview() {
    let mut face = two_courses(Store::in_memory().unwrap());
    let home = face.open(&Place::Home, at(0));
    has(&home, "I have an interview: give its date");
    let plan = face.open(&Place::Plan, at(1)) + &say(&mut face, 2, &["soon", "5"]);
    has(&plan, "Interview on?");
    has(&plan, "“soon” is not a day");
    has(&plan, "Plan, interview in 5 days. 60 minutes a day");
    has(&plan, "1. Read: DDP, 20 minutes");
    has(
        &plan,
        "Sat 2026-09-26, the interview: 20 min. 101. Review: what is due, 10 minutes 102. Drill: your weakest part",
    );
    has(&plan, "Plan of Second");
    let read = say(&mut face, 10, &["1", "", "", "", "", "", "q"]);
    has(&read, "it counts as read");
    has(&read, "Read: DDP, done");
    let home = say(&mut face, 30, &["home"]);
    has(&home, "Interview: in 5 days; what to do each day");
    has(&home, "Drill: DDP, 10 minutes");
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
    has(&progress, "Course DDP: 1. Problem not asked");
    has(&progress, "Second DDP: 16. Problem not asked");
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
    has(&last, "Since 2026-09-21 14:13 The same total.");
    has(&last, "Problem: missing before, now covered; gained problem 1.");
    has(&last, "Mechanism: covered before, now missing; lost mechanism 1.");
}

#[test]
fn a_search_finds_what_every_course_has() {
    let mut face = two_courses(Store::in_memory().unwrap());
    face.open(&Place::Home, at(0));
    let found = say(&mut face, 1, &["/ddp"]);
    assert_eq!(found.matches("Lesson: DDP").count(), 2, "{found}");
    has(&say(&mut face, 2, &["2"]), "DDP. Lesson, 20 minutes.");
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
    has(&face.line(":time", at(50)), "1:50 left, 5 words.");
    has(&face.end(at(52)), "goes on with 1:48 on the clock.");
}

#[test]
fn a_long_page_says_what_changed_and_not_all_of_it_again() {
    let mut face = face(built_in());
    face.open(&Place::Plan, at(0));
    let whole = say(&mut face, 1, &["5"]);
    has(&whole, "1. Read: Why and how to train on many GPUs, ");
    assert!(whole.lines().count() > 20, "{whole}");
    let ticked = say(&mut face, 2, &["tick 1"]);
    has(&ticked, "1. Read: Why and how to train on many GPUs, done");
    assert!(ticked.lines().count() < 6, "{ticked}");
    // all of it can be heard again, by the same numbers
    has(&say(&mut face, 3, &["l"]), "2. Read: Data parallelism: DDP, 17 minutes");
    has(&say(&mut face, 4, &["?"]), "You are here: Plan, interview in 5 days. What can be typed:");
    // coming back says where one is, and what is another there
    let home = say(&mut face, 5, &["q"]);
    has(&home, "Distributed Training");
}

#[test]
fn a_diagram_and_a_formula_are_said_in_the_words_of_their_author() {
    let mut face = face(built_in());
    face.open(&Place::Lesson { pack: 0, id: "ddp".into() }, at(0));
    let said = say(&mut face, 1, &["all"]);
    has(&said, "Four ranks begin with equal weights w and see different samples");
    has(&said, "Bytes are two times d minus 1 over d, times N, times g.");
    assert!(!said.contains("w - g0") && !said.contains("(d - 1) / d"), "{said}");
    // a picture of a simulator is told, not drawn
    let set = std::collections::BTreeMap::new();
    face.open(&Place::Sim { kind: "pipeline".into(), set, link: None }, at(9));
    let picture = say(&mut face, 10, &["3"]);
    has(&picture, "stage 0: forward 24%, backward 48%, idle 27%");
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
    has(&asked, "the judge is reading your answer; o stops it.");
    // it is looked for again and again, and lines are taken meanwhile
    assert!(face.wake_at().is_some());
    has(&face.line("2", at(13)), "Said: say the mechanism");
    has(&face.line("o", at(14)), "the judge was stopped; nothing of it is kept.");
    has(&face.line("o", at(15)), "the judge is reading your answer");
    has(&face.line("quit", at(16)), "Everything is kept");
}

#[test]
fn a_script_that_ends_hears_the_judge_that_it_asked() {
    let folder = tempfile::tempdir().unwrap();
    let reply = r#"{"protocol":1,"judge":"shell","parts":[]}"#;
    let mut face = judged(folder.path(), &format!("cat > /dev/null; echo '{reply}'"));
    say(&mut face, 10, &["o", "o"]);
    let end = face.end(at(13));
    has(&end, "the judge has read it. Heading: Second opinion");
    has(&end, "End of input");
}

#[test]
fn headings_are_named_and_a_question_mark_says_where_one_is() {
    let mut face = face(kit::pack());
    let home = face.open(&Place::Home, at(0));
    has(&home, "Page: Course.");
    has(&home, "Heading: Course, 60 min");
    let said = say(&mut face, 1, &["2", "", "?"]);
    has(&said, "Heading: What problem it solves");
    has(&said, "You are here: DDP, section 1 of 3, What problem it solves, 1 of 1.");
    has(&say(&mut face, 5, &["q"]), "Page: Course. ");
}
