//! The line-mode face: checks, the review, simulators and puzzles.
#![allow(clippy::unwrap_used)]

use crate::kit::pack as kit;
use crate::kit::plain::*;

use infralens::pack::{Check, CheckKind, ChoiceOption, Pack};
use infralens::page::place::Place;

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
    // after the marks it is said how to go on, and again where what is typed does not work
    assert!(said.trim_end().ends_with("q goes back."), "{said}");
    has(&say(&mut order, 9, &["2"]), "does not work here; ? for help, q to go back.");
}

#[test]
fn what_was_failed_is_reviewed_and_can_be_graded() {
    let mut face = face(with_check(CheckKind::Claim(true)));
    face.open(&checks(), at(0));
    say(&mut face, 1, &["false"]);
    has(&face.open(&Place::Review { ahead: 0 }, at(2000)), "Review. 1 left: 1 check");
    has(&say(&mut face, 2001, &["true"]), "Taken as known well.");
    let graded = say(&mut face, 2010, &["5", "4"]);
    has(&graded, "“5” does not work here");
    has(&graded, "Taken as known at once.");
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
    has(&changed, "Idle, of the whole step: 46.7%");
    has(&changed, ", was ");
    assert!(changed.lines().count() < 16 && !changed.contains("Settings"), "{changed}");
    let numbers = say(&mut face, 2, &[&numbered(&said, "Hear the")[0]]);
    let first = numbered(&numbers, "")[0].clone();
    has(&say(&mut face, 3, &[&first]), "Until the last backward ends.");
    let all: String = numbered(&numbers, "").iter().map(|n| say(&mut face, 3, &[n])).collect();
    has(&all, "Source: ");
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
    has(&list, "Fit 13B on eight GPUs with the least traffic, par 45.5 gigabytes");
    let id = "fit-13b".to_owned();
    let mut said = face.open(&Place::Puzzle { pack: 0, id }, at(1));
    has(&said, "Not solved: one condition does not hold.");
    let first = say(&mut face, 1, &["stage = 3"]);
    has(&first, "All conditions hold, 45.5 gigabytes over par 45.5 gigabytes.");
    has(&first, "Your best: 91 gigabytes.");
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
    has(&solved, "Solved at par: 45.5 gigabytes.");
    say(&mut face, 11, &["stage = 3"]);
    let again = say(&mut face, 11, &["stage = 2"]);
    assert!(again.starts_with("Solved at par"), "what one played for is said first: {again}");
    has(&solved, "Why par is par:");
    let worse = say(&mut face, 12, &["stage = 3"]);
    has(&worse, "Your best: 45.5 gigabytes.");
    assert_plain(&(list + &said + &solved + &worse));
    has(&face.open(&Place::Sims, at(20)), "par 45.5 gigabytes, reached");
}
