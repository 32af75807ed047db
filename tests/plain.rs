//! The line-mode face: what is typed and what is said.
#![allow(clippy::unwrap_used)]

use crate::kit::pack as kit;
use crate::kit::plain::*;
use crate::kit::store::attempt;

use std::io::Write;

use infralens::line::run;
use infralens::page::place::Place;
use infralens::store::Store;
use infralens::study::attempt::Attempt;
use infralens::study::rehearsal::Setup;

#[test]
fn a_lesson_is_read_heading_by_heading_and_counts_as_read() {
    let mut face = face(kit::pack());
    has(&face.open(&Place::Home, at(0)), "2. Start the course: read DDP");
    let said = say(&mut face, 1, &["2", "", ""]);
    has(&said, "1. Read: What problem it solves");
    has(&said, "What problem it solves Memory.");
    has(&said, "How it works Shards.");
    let rest = say(&mut face, 5, &["", "", "q"]);
    has(&rest, "it counts as read");
    has(&rest, "Read “ZERO”");
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
    // what was heard last is heard once more, and what was before it
    let again = say(&mut face, 3, &["again"]);
    assert!(again.contains("twotwotwo") && !again.contains("oneoneone"), "{again}");
    let before = say(&mut face, 3, &["back"]);
    assert!(before.contains("oneoneone") && !before.contains("twotwotwo"), "{before}");
    has(&say(&mut face, 3, &["?"]), "Enter alone: reads on: How it works, 2 of 3");
    has(&say(&mut face, 3, &[""]), "2 of 3.");
    // coming back from what belongs to it repeats no list
    let back = say(&mut face, 3, &[&numbers.to_string(), "q"]);
    has(&back, "DDP. Enter reads");
    assert_eq!(back.matches("Read: How it works").count(), 0, "{back}");
    // what was heard is remembered
    let again = face.open(&Place::Lesson { pack: 0, id: "ddp".into() }, at(9));
    has(&again, "Enter reads on: How it works, 3 of 3.");
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
    has(&said, "Mechanism: covered, not sure. You said: “The mechanism word is here”.");
    has(&said, "Problem: missing, the weakest part, not sure. say the problem");
    let more = say(&mut face, 20, &["E", "2", "m", "h"]);
    has(
        &more,
        "Said: say the mechanism. You: “The mechanism word is here”. For authors: mechanism 1, mechanism word",
    );
    has(&more, "Heading: A model answer 1. Problem. Yours: missing A model answer.");
    has(&more, "Earlier attempts This is the first.");
    let follow = say(&mut face, 30, &["f"]);
    has(&follow, "One part. 1 minute, mid. Question:");
    has(&follow, "Answer the part “Problem” alone.");
}

#[test]
fn the_time_of_an_answer_is_heard_in_words() {
    let mut face = face(kit::pack());
    for (seconds, said) in [
        (0, "0 seconds"),
        (60, "1 minute"),
        (112, "1 minute 52 seconds"),
        (3725, "1 hour 2 minutes 5 seconds"),
    ] {
        let marks = [("problem", 1.0), ("mechanism", 0.0)];
        let attempt = Attempt { seconds, ..attempt("a", ("ddp", "ddp-1"), at(0), &marks) };
        let verdict = face.open(&Place::Verdict { attempt: Box::new(attempt) }, at(1));
        has(&verdict, &format!(" in {said}."));
    }
}

#[test]
fn the_word_help_is_a_question_mark_wherever_one_is() {
    let mut face = face(kit::pack());
    face.open(&Place::Home, at(0));
    has(&say(&mut face, 1, &["help"]), "You are here: ");
    let place = Place::Drill { pack: 0, id: "ddp-1".into(), only: None };
    face.open(&place, at(2));
    has(&say(&mut face, 3, &["help"]), ":text: hear what you have typed");
    has(&say(&mut face, 4, &["::help", ":text"]), "help");
}

#[test]
fn a_line_that_was_sent_is_kept_before_the_next_and_a_signal_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let mut face = face_on(kit::pack(), Store::open(folder.path()).unwrap());
    face.open(&Place::Drill { pack: 0, id: "ddp-1".into(), only: None }, at(0));
    face.line("each rank", at(1));
    let other = Store::open(folder.path()).unwrap();
    let pack = kit::pack().id;
    assert_eq!(other.held_drafts(&pack).unwrap()[0].text, "each rank");
    has(&face.stop(at(2)), "Your draft is kept. Stopped. Everything typed so far is kept.");
    assert!(face.is_over());
}

#[test]
fn two_programs_on_one_folder_keep_both_drafts_and_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let open = || face_on(kit::pack(), Store::open(folder.path()).unwrap());
    let place = Place::Drill { pack: 0, id: "ddp-1".into(), only: None };
    let (mut first, mut second) = (open(), open());
    first.open(&place, at(0));
    say(&mut first, 1, &["the first begins"]);
    let said = second.open(&place, at(10));
    has(&said, "Another InfraLens is open on this folder with an answer to the same question.");
    has(&say(&mut second, 11, &["the second writes.", "quit"]), "Your draft is kept.");
    drop(second);
    let left = say(&mut first, 20, &["and goes on", "quit"]);
    has(
        &left,
        "Your draft is kept. There is a second draft of this answer, which begins “the second writes”.",
    );
    drop(first);
    let mut third = open();
    let said = third.open(&place, at(30));
    has(&said, "There is a second draft of this answer, which begins “the second writes”.");
    has(&said, "the first begins and goes on");
    say(&mut third, 31, &["."]);
    has(&third.open(&place, at(40)), "You began this before. It goes on from here: the second writes.");
}

#[test]
fn the_numbers_of_home_rise_and_stand_for_the_same_after_a_drill() {
    let mut face = face(built_in());
    face.open(&Place::Lesson { pack: 0, id: "ddp".into() }, at(0));
    let numbers = |said: &str| -> Vec<(usize, String)> {
        let rows = said.lines().filter_map(|line| line.split_once(". "));
        let rows =
            rows.filter_map(|(n, text)| Some((n.parse().ok()?, text.split([' ', ':']).next()?.to_owned())));
        rows.collect()
    };
    let before = numbers(&say(&mut face, 1, &["", "home", "l"]));
    let place = Place::Drill { pack: 0, id: "ddp-gradients-not-parameters".into(), only: None };
    face.open(&place, at(10));
    say(&mut face, 11, &["DDP all-reduces gradients.", ".", ".", "s"]);
    let after = numbers(&face.open(&Place::Home, at(20)));
    assert!(before.iter().any(|(_, name)| name == "Read"), "{before:?}");
    assert!(after.iter().any(|(_, name)| name == "Drill"), "{after:?}");
    for (number, name) in &before {
        let same = after.iter().find(|(n, _)| n == number);
        assert!(same.is_none_or(|(_, other)| other == name), "{number}: {name}, then {same:?}");
    }
    assert!(after.is_sorted_by_key(|(number, _)| *number), "{after:?}");
}

#[test]
fn what_the_rules_cannot_tell_is_asked_in_lines() {
    let mut face = face(kit::pack());
    face.open(&Place::Drill { pack: 0, id: "ddp-1".into(), only: None }, at(0));
    let asked = say(&mut face, 1, &["I think that the mechanism word is said here by every rank.", "."]);
    has(&asked, "Problem: which of these did you mean to say? The rules are not sure of Problem.");
    has(&asked, "1. not ticked: say the problem 2. That is right: the next part 3. Go to the marks");
    assert!(!asked.contains('%'), "no total before it is asked: {asked}");
    let next = say(&mut face, 5, &["2"]);
    has(&next, "Communication: which of these did you mean to say?");
    let ticked = say(&mut face, 7, &["1"]);
    has(&ticked, "1. ticked: say the communication You said: “I think that the mechanism word");
    has(&ticked, "With these ticks it is covered");
    // what is covered is not asked about
    let marks = say(&mut face, 9, &["2"]);
    has(&marks, "Mechanism: covered, not sure.");
    has(&marks, "Communication: covered, by your own word.");
    has(&marks, "40%: 2 of 5 parts covered.");
    has(&marks, "1 part counts by your own word, 1 part counts less because you said No.");
    let history = face.open(&Place::History { drill: None }, at(30));
    has(&history, "2 parts by your own word");
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
    has(&said, "Mechanism: missing.");
    has(&said, "The answer: Ranks 3 and 11 do.");
    assert_eq!(said.matches("Ranks 3 and 11").count(), 1, "{said}");
}

#[test]
fn wrong_input_is_told_what_works() {
    let mut face = face(kit::pack());
    face.open(&Place::Home, at(0));
    let said = say(&mut face, 1, &["77", "what?", "?"]);
    has(&said, "“77” does not work here; type a number: 1 to 3 or 21 to 23");
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
    has(&said, "Think: 30 seconds.");
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
    has(&called, "Half the time is left: 15 seconds.");
    has(&called, "10 seconds left.");
    has(&face.tick(at(30)), "Answer now: 2 minutes.");
    let mut called = String::new();
    for second in 31..=100 {
        called.push_str(&face.tick(at(second)));
    }
    assert_eq!(face.line("The mechanism word is here.", at(101)), "");
    for second in 101..=149 {
        called.push_str(&face.tick(at(second)));
    }
    has(&called, "Half the time is left: 1 minute.");
    has(&called, "A quarter of the time is left: 30 seconds.");
    has(&called, "10 seconds left.");
    let timed_out = face.tick(at(150));
    has(&timed_out, "Time is up. The answer is scored as it stands.");
    has(&timed_out, "Follow-up on tradeoff: What does");
    has(&timed_out, "Answer now: 1 minute.");
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
    has(&end, "time ran out");
    has(&end, "Read DDP: lacked problem");
    has(&end, "10%, limited by");
    assert_eq!(face.wake_at(), None, "no clock, no wake-ups");
    has(&say(&mut face, 200, &["home"]), "Report: last rehearsal, Monday 21 September: 10%");
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
    has(&left, "The rehearsal is kept; `infralens rehearse` goes on with 1 minute 8 seconds on the clock.");
    drop(first);
    let mut second = face_on(kit::pack(), Store::open(folder.path()).unwrap());
    has(&second.open(&Place::Rehearse, at(9000)), "1. Go on with the time that was left");
    let said = say(&mut second, 9001, &[""]);
    has(&said, "goes on with the time that was left");
    has(&said, "The problem word is here.");
    has(&said, "Answer now: 1 minute 8 seconds.");
    let end = say(&mut second, 9005, &[".", ":stop"]);
    has(&end, "20%, perhaps limited by");
}

#[test]
fn going_on_with_a_rehearsal_and_a_new_one_have_numbers_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = face_on(kit::pack(), Store::open(folder.path()).unwrap());
    first.rehearse(Setup { count: 1, think: 0, ..Setup::screen("course", 7) }, at(0));
    say(&mut first, 1, &["", "The problem word is here."]);
    first.end(at(52));
    drop(first);
    let mut second = face_on(kit::pack(), Store::open(folder.path()).unwrap());
    let home = second.open(&Place::Home, at(9000));
    let starts =
        |line: &str, word: &str| line.split_once(". ").is_some_and(|(_, said)| said.starts_with(word));
    let number = |word: &str| {
        let line = home.lines().find(|line| starts(line, word)).unwrap_or_else(|| panic!("{word}: {home}"));
        line.split_once(". ").map(|(number, _)| number.trim().to_owned())
    };
    assert_ne!(number("Go on"), number("Rehearse"), "{home}");
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
fn a_draft_is_saved_with_each_line() {
    let folder = tempfile::tempdir().unwrap();
    let mut face = face_on(kit::pack(), Store::open(folder.path()).unwrap());
    let place = Place::Drill { pack: 0, id: "zero-1".into(), only: None };
    face.open(&place, at(0));
    let drafts = || Store::open(folder.path()).unwrap().export(&mut Vec::new()).unwrap();
    let before = drafts();
    assert_eq!(face.line("typed", at(0)), "");
    assert_eq!(face.wake_at(), None, "saved, so nothing to wake for");
    assert_eq!(drafts(), before + 1);
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
    has(&said, "Problem: missing, the weakest part, not sure; you thought covered.");
    let progress = face.open(&Place::Progress, at(21));
    has(&progress, "You rate yourself 30 points too high over 1 answer.");
    has(&progress, "Problem, Measurement: too high in 1 of 1.");
    has(&progress, "Mechanism, Communication, Tradeoff: as marked each time.");
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
    has(
        &ran,
        "first 1: cap 1; buckets 96; communication 67.7 milliseconds; exposed 20.2 milliseconds; hidden 70%.",
    );
    has(&say(&mut face, 20, &["1"]), "It is");
    has(&say(&mut face, 21, &["y 1", "n 2", "p 3"]), "The lab counts as done");
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
