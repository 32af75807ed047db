//! A review session, and two attempts side by side.
#![allow(clippy::unwrap_used)]

use crate::kit::pack;
use crate::kit::store as kit;

use infralens_course::pack::{Check, CheckKind, Pack};
use infralens_course::score::{Claimed, FoundMisconception, PointScore, Reply, Verdict};
use infralens_course::study::attempt::{Attempt, Claims};
use infralens_course::study::compare::compare;
use infralens_course::study::schedule::{Card, Grade, Item, ItemKind};
use infralens_course::study::session::Session;
use kit::{attempt, minute, schedule};

fn course() -> Pack {
    let mut course = pack::pack();
    course.checks = ["one", "two"]
        .map(|id| Check {
            id: id.into(),
            lesson: "ddp".into(),
            question: "?".into(),
            kind: CheckKind::Claim(true),
            explain: "so".into(),
            hints: vec![],
        })
        .to_vec();
    course
}

fn card(kind: ItemKind, id: &str) -> Card {
    let item = Item { kind, id: id.into() };
    schedule().review(&item, None, Grade::Again, minute(0)).card
}

#[test]
fn what_failed_comes_once_more_but_no_drill() {
    let cards = [
        card(ItemKind::Drill, "ddp-1"),
        card(ItemKind::Check, "one"),
        card(ItemKind::Check, "two"),
        card(ItemKind::Check, "gone from the pack"),
    ];
    let mut session = Session::due(&course(), &cards, &schedule(), minute(20));
    let mut seen = Vec::new();
    while let Some(item) = session.current() {
        seen.push(item.id.clone());
        let grade = if item.id == "two" { Grade::Good } else { Grade::Again };
        session.grade(grade);
    }
    assert_eq!(seen, ["ddp-1", "one", "two", "one"]);
    assert_eq!((session.left(), session.done().len()), (0, 4));
    session.grade(Grade::Good);
    assert_eq!(session.done().len(), 4, "nothing is on, nothing is graded");
}

#[test]
fn cramming_takes_what_is_not_due_and_no_more_than_asked() {
    let mut cards = vec![card(ItemKind::Check, "one")];
    let easy = Item { kind: ItemKind::Check, id: "two".into() };
    cards.push(schedule().review(&easy, None, Grade::Easy, minute(0)).card);
    let due = Session::due(&course(), &cards, &schedule(), minute(1));
    let cram = |most| Session::cram(&course(), &cards, &schedule(), (minute(5 * 24 * 60), most));
    assert_eq!((due.left(), cram(9).left(), cram(1).left()), (1, 2, 1));
    assert_eq!(cram(1).current().unwrap().id, "one", "the first to be forgotten");
}

#[test]
fn two_attempts_show_what_was_gained_and_lost() {
    let point =
        |id: &str, met| PointScore { id: id.into(), met, partial: false, evidence: vec![], rule: None };
    let wrong = |id: &str| FoundMisconception {
        id: id.into(),
        part: "problem".into(),
        evidence: vec![],
        correction: String::new(),
        rule: None,
    };
    let mut old = attempt("a", ("ddp", "d"), minute(0), &[("problem", 0.2), ("tradeoff", 1.0)]);
    old.score.parts[0].points = vec![point("p1", false), point("p2", true)];
    old.score.misconceptions = vec![wrong("m1"), wrong("m2")];
    let mut new = attempt("b", ("ddp", "d"), minute(9), &[("problem", 0.8), ("measurement", 0.5)]);
    new.score.parts[0].points = vec![point("p1", true), point("p2", false)];
    new.score.misconceptions = vec![wrong("m2"), wrong("m3")];
    let made = compare(&old, &new);
    assert!((made.total - 0.05).abs() < 1e-9);
    let problem = &made.parts[0];
    assert_eq!(problem.verdicts, (Some(Verdict::Missing), Some(Verdict::Covered)));
    assert!((problem.score.unwrap() - 0.6).abs() < 1e-9);
    assert_eq!((&problem.gained[..], &problem.lost[..]), (&["p1".to_string()][..], &["p2".to_string()][..]));
    // what the learner says was not said is no gain, whatever the rules found
    let no = Claimed { part: "problem".into(), point: "p1".into(), reply: Reply::No, sentence: None };
    let denied = Attempt { claims: Some(Claims { claimed: vec![no], ..Claims::default() }), ..new.clone() };
    assert_eq!(compare(&old, &denied).parts[0].gained, Vec::<String>::new());
    assert!(denied.only_denies("problem") && !denied.only_denies("tradeoff"));
    let parts: Vec<_> = made.parts.iter().map(|p| (&p.part[..], p.score.is_some())).collect();
    assert_eq!(parts, [("problem", true), ("tradeoff", false), ("measurement", false)]);
    assert_eq!((made.cleared, made.fallen_for), (vec!["m1".to_string()], vec!["m3".to_string()]));
}
