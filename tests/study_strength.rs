//! The lessons x parts map, what is dropped, trend and bias.
#![allow(clippy::unwrap_used)]

#[path = "kit/store.rs"]
mod kit;

use infralens::store::Store;
use infralens::study::strength::{Bias, Cell, Mark, Strengths, Trend, dropped_sentence, trend};
use kit::{PACK, attempt, minute, part_score, schedule};

fn cell(scores: &[f64]) -> Cell {
    let mut cell = Cell::new("zero-fsdp", "measurement");
    for score in scores {
        cell.add(Mark {
            verdict: part_score("measurement", *score).verdict,
            score: *score,
        });
    }
    cell
}

#[test]
fn the_newest_three_weigh_as_much_as_all_before() {
    let old_then_new = [[0.0; 100].as_slice(), &[1.0; 3]].concat();
    assert!((cell(&old_then_new).strength() - 0.5).abs() < 1e-6);
    let new_is_worse = [[1.0; 100].as_slice(), &[0.0; 3]].concat();
    assert!((cell(&new_is_worse).strength() - 0.5).abs() < 1e-6);
    assert_eq!(cell(&[0.25]).strength(), 0.25);
    assert_eq!(cell(&[]).strength(), 0.0);
}

#[test]
fn seven_of_ten_is_said_in_a_sentence() {
    let dropped = cell(&[0.0, 1.0, 0.0, 0.0, 0.5, 0.0, 0.0, 1.0, 0.0, 0.0]);
    assert!(dropped.is_dropped());
    let sentence = dropped_sentence(&dropped, "measurement", "ZeRO");
    assert_eq!(sentence, "you drop measurement in 7 of 10 answers on ZeRO");
    assert!(
        !cell(&[0.0, 0.0]).is_dropped(),
        "two answers are too few to say so"
    );
    assert!(!cell(&[1.0, 0.5, 0.0]).is_dropped());
}

#[test]
fn only_the_newest_ten_are_remembered_one_by_one() {
    let long = cell(&[[0.0; 30].as_slice(), &[1.0; 10]].concat());
    assert_eq!((long.answers, long.recent.len(), long.missing()), (40, 10, 0));
}

#[test]
fn the_map_of_attempts_is_that_of_the_store() {
    let attempts: Vec<_> = (0..25)
        .map(|n: i64| {
            let marks = [
                ("problem", (n % 7) as f64 / 6.0),
                ("tradeoff", (n % 4) as f64 / 3.0),
            ];
            let mut a = attempt(
                &n.to_string(),
                (["ddp", "tp"][n as usize % 2], "d"),
                minute(n),
                &marks,
            );
            if n % 5 == 0 {
                a.part = Some("tradeoff".into());
            }
            a
        })
        .collect();
    let store = Store::in_memory().unwrap();
    for attempt in &attempts {
        store.record_attempt(attempt, &schedule()).unwrap();
    }
    let (pure, kept) = (
        Strengths::of(attempts.iter().rev()),
        store.strengths(PACK).unwrap(),
    );
    assert_eq!(pure.cells.len(), kept.cells.len());
    for (a, b) in pure.cells.iter().zip(&kept.cells) {
        assert_eq!((&a.lesson, &a.part, a.answers), (&b.lesson, &b.part, b.answers));
        assert!((a.strength() - b.strength()).abs() < 1e-12);
    }
    assert_eq!(
        pure.cell("ddp", "problem").unwrap().answers,
        10,
        "answers to one part do not count for others"
    );
}

#[test]
fn the_weakest_cell_and_part_are_found() {
    let attempts = [
        attempt(
            "a",
            ("ddp", "d"),
            minute(0),
            &[("problem", 0.9), ("measurement", 0.1)],
        ),
        attempt(
            "b",
            ("tp", "t"),
            minute(1),
            &[("problem", 0.2), ("measurement", 0.6)],
        ),
    ];
    let map = Strengths::of(&attempts);
    let weakest = map.weakest().unwrap();
    assert_eq!((&weakest.lesson[..], &weakest.part[..]), ("ddp", "measurement"));
    let parts = [
        "problem".to_string(),
        "measurement".to_string(),
        "tradeoff".to_string(),
    ];
    assert_eq!(map.weakest_part(&parts), Some("measurement"));
    assert_eq!(map.part("tradeoff"), None);
    assert!((map.lesson("tp").unwrap() - 0.4).abs() < 1e-12);
    assert_eq!(Strengths::default().weakest(), None);
    let whole = Strengths::of(&[attempt("a", ("ddp", "d"), minute(0), &[("problem", 1.0)])]);
    assert_eq!(whole.weakest(), None);
    assert_eq!(whole.weakest_part(&parts), None);
}

#[test]
fn a_trend_needs_four_and_a_difference() {
    assert_eq!(trend(&[0.1, 0.9, 0.9]), None);
    assert_eq!(trend(&[0.2, 0.3, 0.6, 0.7]), Some(Trend::Up));
    assert_eq!(trend(&[0.7, 0.7, 0.2, 0.2]), Some(Trend::Down));
    assert_eq!(trend(&[0.5, 0.6, 0.5, 0.6]), Some(Trend::Steady));
}

#[test]
fn bias_says_which_way_and_how_far() {
    assert_eq!(Bias::of(&[]), None);
    let high = Bias::of(&[(0.8, 0.6), (0.7, 0.6)]).unwrap();
    assert_eq!(
        high.sentence(),
        "you rate yourself 15 points too high over 2 answers"
    );
    let low = Bias::of(&[(0.4, 0.6)]).unwrap();
    assert_eq!(
        low.sentence(),
        "you rate yourself 20 points too low over 1 answer"
    );
    let right = Bias::of(&[(0.62, 0.6), (0.58, 0.6)]).unwrap();
    assert_eq!(right.sentence(), "you rate yourself right over 2 answers");
}
