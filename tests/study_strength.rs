//! The lessons x parts map, what is dropped, trend and bias.
#![allow(clippy::unwrap_used)]

use crate::kit::store as kit;

use infralens::score::Verdict;
use infralens::store::Store;
use infralens::study::rating::{Bias, Biases, Rated, Rating, Way};
use infralens::study::strength::{Cell, Mark, Strengths, Trend, dropped_sentence, trend};
use kit::{PACK, attempt, minute, part_score, schedule};

fn cell(scores: &[f64]) -> Cell {
    let mut cell = Cell::new("zero-fsdp", "measurement");
    for score in scores {
        cell.add(Mark { verdict: part_score("measurement", *score).verdict, score: *score });
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
    assert!(!cell(&[0.0, 0.0]).is_dropped(), "two answers are too few to say so");
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
            let marks = [("problem", (n % 7) as f64 / 6.0), ("tradeoff", (n % 4) as f64 / 3.0)];
            let mut a = attempt(&n.to_string(), (["ddp", "tp"][n as usize % 2], "d"), minute(n), &marks);
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
    let (pure, kept) = (Strengths::of(attempts.iter().rev()), store.strengths(PACK).unwrap());
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
        attempt("a", ("ddp", "d"), minute(0), &[("problem", 0.9), ("measurement", 0.1)]),
        attempt("b", ("tp", "t"), minute(1), &[("problem", 0.2), ("measurement", 0.6)]),
    ];
    let map = Strengths::of(&attempts);
    let weakest = map.weakest().unwrap();
    assert_eq!((&weakest.lesson[..], &weakest.part[..]), ("ddp", "measurement"));
    assert_eq!(map.part("tradeoff"), None);
    assert!((map.lesson("tp").unwrap() - 0.4).abs() < 1e-12);
    assert_eq!(Strengths::default().weakest(), None);
    let whole = Strengths::of(&[attempt("a", ("ddp", "d"), minute(0), &[("problem", 1.0)])]);
    assert_eq!(whole.weakest(), None);
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
    assert_eq!(high.sentence(), "you rate yourself 15 points too high over 2 answers");
    let low = Bias::of(&[(0.4, 0.6)]).unwrap();
    assert_eq!(low.sentence(), "you rate yourself 20 points too low over 1 answer");
    let right = Bias::of(&[(0.62, 0.6), (0.58, 0.6)]).unwrap();
    assert_eq!(right.sentence(), "you rate yourself right over 2 answers");
}

fn rated(minutes: i64, own: &[(&str, Verdict)], marks: &[(&str, f64)]) -> Rated {
    let mut attempt = attempt("a", ("ddp", "why-ddp"), minute(minutes), marks);
    let parts = own.iter().map(|(part, v)| ((*part).to_owned(), *v)).collect();
    attempt.rate(Rating::of_parts(parts).unwrap());
    Rated::of(&attempt).unwrap()
}

#[test]
fn a_rating_is_read_as_per_cent_or_a_letter_a_part() {
    let parts = ["problem".to_owned(), "mechanism".to_owned()];
    let whole = |text| Rating::read(text, &parts).map(|r| (r.whole, r.parts.len()));
    assert_eq!(whole("60"), Some((0.6, 0)));
    assert_eq!(whole(" 250 % "), Some((1.0, 0)));
    assert_eq!(whole("cp"), Some((0.75, 2)));
    assert_eq!(whole("M c"), Some((0.5, 2)));
    for wrong in ["", "c", "cpm", "cx", "nan", "inf", "sixty"] {
        assert_eq!(whole(wrong), None, "{wrong}");
    }
    let read = Rating::read("mc", &parts).unwrap();
    assert_eq!(read.parts["problem"], Verdict::Missing);
    assert_eq!(read.parts["mechanism"], Verdict::Covered);
}

#[test]
fn bias_is_told_part_by_part_and_does_not_cancel_out() {
    use Verdict::{Covered, Missing};
    let marks = [("problem", 1.0), ("mechanism", 0.0)];
    // too high in one part, too low in the other: right in the mean, wrong in each
    let swapped = rated(0, &[("problem", Missing), ("mechanism", Covered)], &marks);
    let right = rated(1, &[("problem", Covered), ("mechanism", Missing)], &marks);
    let order = ["mechanism", "problem", "tradeoff"].map(str::to_owned);
    let biases = Biases::of(&[right, swapped], &order);
    assert_eq!(biases.sentences(), ["you rate yourself right over 2 answers"]);
    let parts: Vec<_> = biases.parts.iter().map(|p| (&p.part[..], p.sentence())).collect();
    assert_eq!(
        parts,
        [("mechanism", "too high in 1 of 2".to_owned()), ("problem", "too low in 1 of 2".to_owned())]
    );
    assert_eq!(biases.parts[0].newest, [Way::High, Way::Right], "the oldest first");
}

#[test]
fn ratings_that_cancel_out_are_told_to_be_off() {
    use Verdict::{Covered, Missing};
    let high = rated(0, &[("problem", Covered)], &[("problem", 0.6)]);
    let low = rated(1, &[("problem", Missing)], &[("problem", 0.4)]);
    assert_eq!(
        Biases::of(&[high, low], &[]).sentences(),
        [
            "you rate yourself too high at times and too low at others, over 2 answers",
            "40 points off on average"
        ]
    );
}

#[test]
fn ratings_that_come_closer_to_the_marks_are_told_so() {
    use Verdict::{Covered, Missing, Partial};
    let far = |n| rated(n, &[("problem", Covered)], &[("problem", 0.0)]);
    let near = |n| rated(n, &[("problem", Partial)], &[("problem", 0.5)]);
    let order = ["problem".to_owned()];
    let of = |newest_first: &[Rated]| Biases::of(newest_first, &order).sentences();
    let five = |one: fn(i64) -> Rated| (0..5).map(one).collect::<Vec<_>>();
    assert_eq!(of(&five(|n| rated(n, &[("problem", Missing)], &[("problem", 0.0)]))).len(), 1);
    let closer: Vec<Rated> = (5..10).map(near).chain((0..5).map(far)).collect();
    assert_eq!(of(&closer)[1], "50 points off on average, 0 in the newest 5: coming closer");
    let away: Vec<Rated> = (5..10).map(far).chain((0..5).map(near)).collect();
    assert_eq!(of(&away)[1], "50 points off on average, 100 in the newest 5: drifting away");
}
