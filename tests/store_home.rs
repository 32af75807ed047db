//! What is kept comes back, and Home's sums are those of the attempts.
#![allow(clippy::unwrap_used)]

use crate::kit::store as kit;

use infralens::score::Verdict;
use infralens::store::{Done, Filter, Store};
use infralens::study::attempt::Mode;
use infralens::study::home::{Draft, Position};
use infralens::study::rating::Rating;
use jiff::tz::TimeZone;
use kit::{PACK, attempt, minute, schedule};

#[test]
fn an_attempt_comes_back_whole() {
    let store = Store::in_memory().unwrap();
    let mut kept = attempt("a", ("ddp", "why-ddp"), minute(0), &[("problem", 1.0), ("mechanism", 0.5)]);
    kept.answer = "gradients, not parameters\n\t\u{1b}[31münïcode 梯度".into();
    let own = [("problem".to_owned(), Verdict::Covered), ("mechanism".to_owned(), Verdict::Missing)];
    kept.rate(Rating::of_parts(own.into_iter().collect()).unwrap());
    store.record_attempt(&kept, &schedule()).unwrap();
    assert_eq!(store.attempt("a").unwrap(), Some(kept.clone()));
    let of_drill = Filter { pack: Some(PACK.into()), drill: Some("why-ddp".into()), ..Filter::default() };
    assert_eq!(store.history(&of_drill, 10).unwrap(), vec![kept]);
    assert_eq!(store.attempt("b").unwrap(), None);
    let rated = store.ratings(PACK, 10).unwrap();
    assert_eq!((rated[0].own, rated[0].total), (0.5, 0.75));
    let mechanism = ("mechanism".to_owned(), Verdict::Missing, Verdict::Partial);
    assert!(rated[0].parts.contains(&mechanism), "{rated:?}");
}

#[test]
fn an_attempt_recorded_twice_counts_once() {
    let store = Store::in_memory().unwrap();
    let kept = attempt("a", ("ddp", "why-ddp"), minute(0), &[("problem", 1.0)]);
    store.record_attempt(&kept, &schedule()).unwrap();
    store.record_attempt(&kept, &schedule()).unwrap();
    let home = store.home(PACK, minute(1), &TimeZone::UTC).unwrap();
    assert_eq!((home.attempts, home.strengths.cells[0].answers, home.today.attempts), (1, 1, 1));
}

#[test]
fn sums_are_the_same_in_whatever_order_attempts_come() {
    let all: Vec<_> = (0..40_i64)
        .map(|n| {
            let lesson = ["ddp", "tp"][n as usize % 2];
            let marks = [("problem", (n % 5) as f64 / 4.0), ("tradeoff", (n % 3) as f64 / 2.0)];
            attempt(&format!("{n:02}"), (lesson, lesson), minute(n), &marks)
        })
        .collect();
    let homes = [1, 7, 13, 39].map(|step| {
        let store = Store::in_memory().unwrap();
        for n in 0..40 {
            store.record_attempt(&all[(n * step) % 40], &schedule()).unwrap();
        }
        store.home(PACK, minute(50), &TimeZone::UTC).unwrap()
    });
    for home in &homes[1..] {
        assert_eq!(home.today.attempts, homes[0].today.attempts);
        assert_eq!(home.lessons, homes[0].lessons);
        for (a, b) in home.strengths.cells.iter().zip(&homes[0].strengths.cells) {
            assert_eq!(
                (&a.lesson, &a.part, a.answers, &a.recent),
                (&b.lesson, &b.part, b.answers, &b.recent)
            );
            assert!((a.strength() - b.strength()).abs() < 1e-12, "{a:?} {b:?}");
        }
    }
    assert_eq!(homes[0].strengths.cells.len(), 4);
}

#[test]
fn history_is_filtered_and_newest_first() {
    let store = Store::in_memory().unwrap();
    for (n, lesson) in ["ddp", "tp", "ddp"].iter().enumerate() {
        let kept = attempt(&n.to_string(), (lesson, "d"), minute(n as i64), &[("problem", 1.0)]);
        store.record_attempt(&kept, &schedule()).unwrap();
    }
    let ids = |filter: Filter| -> Vec<String> {
        store.history(&filter, 10).unwrap().into_iter().map(|a| a.id).collect()
    };
    assert_eq!(ids(Filter::default()), ["2", "1", "0"]);
    assert_eq!(ids(Filter { lesson: Some("ddp".into()), ..Filter::default() }), ["2", "0"]);
    assert_eq!(ids(Filter { since: Some(minute(1)), before: Some(minute(2)), ..Filter::default() }), ["1"]);
}

#[test]
fn a_draft_stays_until_its_attempt_is_recorded() {
    let store = Store::in_memory().unwrap();
    let draft = Draft {
        id: "a".into(),
        pack: PACK.into(),
        drill: "why-ddp".into(),
        mode: Mode::Strict,
        part: None,
        text: "each rank".into(),
        seconds: 12,
        at: minute(0),
    };
    store.save_draft(&draft).unwrap();
    assert_eq!(store.drafts(PACK).unwrap(), vec![draft.clone()]);
    store
        .record_attempt(&attempt("a", ("ddp", "why-ddp"), minute(1), &[("problem", 1.0)]), &schedule())
        .unwrap();
    assert_eq!(store.drafts(PACK).unwrap(), vec![]);
    store.save_draft(&draft).unwrap();
    assert_eq!(store.drafts(PACK).unwrap(), vec![], "a late save does not bring it back");
}

#[test]
fn the_last_place_and_what_was_done_are_on_home() {
    let store = Store::in_memory().unwrap();
    let place = |lesson: &str, lab: Option<&str>, n| Position {
        pack: PACK.into(),
        lesson: lesson.into(),
        lab: lab.map(Into::into),
        line: 7,
        scroll: 3,
        pane: "code".into(),
        at: minute(n),
    };
    store.save_position(&place("tp", None, 1)).unwrap();
    store.save_position(&place("ddp", Some("01-ddp"), 2)).unwrap();
    store.mark_done(PACK, "ddp", Done::Section, minute(2)).unwrap();
    store.mark_done(PACK, "ddp", Done::Lab("01-ddp"), minute(2)).unwrap();
    store.mark_done(PACK, "ddp", Done::Note("01-ddp/import os"), minute(2)).unwrap();
    store.mark_done(PACK, "tp", Done::Section, minute(2)).unwrap();
    store.unmark_done(PACK, "tp", Done::Section, minute(3)).unwrap();
    let home = store.home(PACK, minute(4), &TimeZone::UTC).unwrap();
    assert_eq!(home.place, Some(place("ddp", Some("01-ddp"), 2)));
    assert_eq!(store.position(PACK, "tp", None).unwrap(), Some(place("tp", None, 1)));
    let ddp = &home.lessons["ddp"];
    assert_eq!((ddp.read, &ddp.labs[..], ddp.notes), (true, &["01-ddp".to_string()][..], 1));
    assert!(!home.lessons.contains_key("tp"));
}

#[test]
fn a_follow_up_counts_neither_as_an_answer_to_one_part_nor_as_a_whole_one() {
    let store = Store::in_memory().unwrap();
    let marks = [("problem", 1.0), ("mechanism", 0.5)];
    let one = |id: &str, drill: &str, n: i64, mode: Mode| {
        let mut one = attempt(id, ("ddp", drill), minute(n), &marks);
        one.mode = mode;
        one.part = Some("mechanism".into()).filter(|_| matches!(mode, Mode::Part | Mode::FollowUp));
        store.record_attempt(&one, &schedule()).unwrap();
    };
    let home = || store.home(PACK, minute(9), &TimeZone::UTC).unwrap();
    one("a", "why-ddp", 0, Mode::Strict);
    one("a-mechanism", "why-ddp", 1, Mode::FollowUp);
    assert_eq!((home().attempts, home().alone), (2, 0));
    one("b", "buckets", 2, Mode::Part);
    assert_eq!((home().attempts, home().alone), (3, 1));
    assert_eq!(home().lessons["ddp"].drills, 1, "one drill was answered in whole");
}

#[test]
fn an_answer_that_earned_nothing_does_no_drill() {
    let store = Store::in_memory().unwrap();
    let blank = attempt("a", ("ddp", "why-ddp"), minute(0), &[("problem", 0.0)]);
    store.record_attempt(&blank, &schedule()).unwrap();
    let done = |store: &Store| store.home(PACK, minute(9), &TimeZone::UTC).unwrap().lessons["ddp"].drills;
    assert_eq!(done(&store), 0);
    let said = attempt("b", ("ddp", "why-ddp"), minute(1), &[("problem", 0.5)]);
    store.record_attempt(&said, &schedule()).unwrap();
    assert_eq!(done(&store), 1);
}
