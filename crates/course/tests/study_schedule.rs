//! The schedule against the published reference, and a learner's days.
#![allow(clippy::unwrap_used)]

use crate::kit::store as kit;

use infralens_course::score::{Flag, FoundMisconception};
use infralens_course::study::day::{day, days_until};
use infralens_course::study::schedule::{
    Card, Grade, Item, ItemKind, RELEARN, Schedule, grade_attempt, grade_check,
};
use jiff::civil::{Date, date};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use kit::{attempt, minute};

fn item() -> Item {
    Item { kind: ItemKind::Drill, id: "why-ddp".into() }
}

fn noon(date: Date) -> Timestamp {
    date.at(12, 30, 0, 0).to_zoned(TimeZone::UTC).unwrap().timestamp()
}

/// Reviews an item with these grades, each some days after the one before.
fn run(schedule: &Schedule, steps: &[(i64, Grade)]) -> Vec<Card> {
    let mut now = noon(date(2022, 11, 29));
    let mut cards: Vec<Card> = Vec::new();
    for (days, grade) in steps {
        now = now.checked_add((days * 24).hours()).unwrap();
        let card = schedule.review(&item(), cards.last(), *grade, now).card;
        cards.push(card);
    }
    cards
}

#[test]
fn the_memory_state_is_that_of_the_reference() {
    // the FSRS-6 oracle that fsrs-rs, py-fsrs and ts-fsrs share: 53.62691 and 6.3574867
    let steps = [
        (0, Grade::Again),
        (0, Grade::Good),
        (1, Grade::Good),
        (3, Grade::Good),
        (8, Grade::Good),
        (21, Grade::Good),
    ];
    let last = run(&Schedule::new(TimeZone::UTC), &steps).pop().unwrap();
    assert!((last.stability - 53.62691).abs() < 1e-4, "{last:?}");
    assert!((last.difficulty - 6.3574867).abs() < 1e-4, "{last:?}");
}

#[test]
fn the_intervals_are_those_of_the_reference() {
    // py-fsrs 6, tests/test_basic.py, test_review_card: days after each review; its zeros are
    // minutes within the same day
    use Grade::{Again, Good};
    let grades = [Good, Good, Good, Good, Good, Good, Again, Again, Good, Good, Good, Good, Good];
    let published = [0, 2, 11, 46, 163, 498, 0, 0, 2, 4, 7, 12, 21];
    let before = [0].iter().chain(&published);
    let steps: Vec<_> = before.copied().zip(grades).collect();
    let cards = run(&Schedule::new(TimeZone::UTC), &steps);
    for (n, (card, expected)) in cards.iter().zip(published).enumerate() {
        let date = |at| day(at, &TimeZone::UTC).date;
        let days = (date(card.due) - date(card.last)).get_days();
        match (expected, n) {
            (0, 0) => assert_eq!(days, 2, "the reference takes a first step of ten minutes, we a day"),
            (0, _) => assert_eq!(card.due, card.last.checked_add(RELEARN).unwrap()),
            (expected, n) => assert_eq!(i64::from(days), expected, "review {n}"),
        }
    }
    let last = cards.last().unwrap();
    assert_eq!((last.reps, last.lapses), (13, 2));
}

#[test]
fn a_replayed_log_gives_the_same_card() {
    let schedule = Schedule::new(TimeZone::UTC);
    let cards = run(&schedule, &[(0, Grade::Good), (3, Grade::Again), (0, Grade::Hard), (2, Grade::Easy)]);
    let log: Vec<_> =
        cards.iter().map(|c| c.last).zip([Grade::Good, Grade::Again, Grade::Hard, Grade::Easy]).collect();
    assert_eq!(schedule.replay(&item(), &log).as_ref(), cards.last());
    assert_eq!(schedule.replay(&item(), &[]), None);
}

#[test]
fn a_card_with_nonsense_in_it_is_taken_as_new() {
    let schedule = Schedule::new(TimeZone::UTC);
    let now = minute(0);
    let mut bad = schedule.review(&item(), None, Grade::Good, now).card;
    bad.stability = f64::NAN;
    let card = schedule.review(&item(), Some(&bad), Grade::Good, now).card;
    assert!(card.stability.is_finite() && card.due > now);
}

#[test]
fn a_day_is_a_date_of_the_calendar_in_the_learners_zone() {
    let berlin = TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").unwrap();
    let at = |d: Date, h, m| d.at(h, m, 0, 0).to_zoned(berlin.clone()).unwrap().timestamp();
    let table = [
        (at(date(2026, 11, 21), 23, 59), date(2026, 11, 21), 24),
        (at(date(2026, 11, 22), 0, 0), date(2026, 11, 22), 24),
        (at(date(2026, 11, 22), 3, 59), date(2026, 11, 22), 24),
        (at(date(2026, 11, 22), 4, 0), date(2026, 11, 22), 24),
        (at(date(2026, 3, 29), 12, 0), date(2026, 3, 29), 23), // clocks go forward that night
        (at(date(2026, 10, 25), 12, 0), date(2026, 10, 25), 25), // and back
    ];
    for (time, date, hours) in table {
        let day = day(time, &berlin);
        assert_eq!(day.date, date);
        assert_eq!((day.end - day.start).get_seconds(), hours * 3600);
        assert_eq!(day.start.to_zoned(berlin.clone()).hour(), 0);
        assert!(day.start <= time && time < day.end);
    }
    // where the clocks go forward at midnight, a day begins at one
    let havana = TimeZone::posix("CST5CDT,M3.2.0/0,M11.1.0/1").unwrap();
    let noon = date(2026, 3, 8).at(12, 0, 0, 0).to_zoned(havana.clone()).unwrap().timestamp();
    let day = day(noon, &havana);
    assert_eq!((day.date, day.start.to_zoned(havana.clone()).hour()), (date(2026, 3, 8), 1));
    assert_eq!(infralens_course::study::day::day(day.start, &havana), day);
}

#[test]
fn the_last_days_end_with_today_and_touch() {
    let days = days_until(noon(date(2026, 3, 2)), &TimeZone::UTC, 3);
    let dates: Vec<_> = days.iter().map(|d| d.date).collect();
    assert_eq!(dates, [date(2026, 2, 28), date(2026, 3, 1), date(2026, 3, 2)]);
    assert_eq!(days[0].end, days[1].start);
}

#[test]
fn what_is_due_today_comes_the_most_forgotten_first() {
    let schedule = Schedule::new(TimeZone::UTC);
    let card = |id: &str, grade, last: Date| {
        let item = Item { kind: ItemKind::Check, id: id.into() };
        schedule.review(&item, None, grade, noon(last)).card
    };
    let cards = [
        card("good", Grade::Good, date(2026, 3, 1)),   // due on the 3rd
        card("hard", Grade::Hard, date(2026, 3, 1)),   // due on the 2nd
        card("easy", Grade::Easy, date(2026, 3, 1)),   // due on the 9th
        card("again", Grade::Again, date(2026, 3, 3)), // due in ten minutes
    ];
    let ids = |found: Vec<&Card>| found.iter().map(|c| c.item.id.clone()).collect::<Vec<_>>();
    assert_eq!(ids(schedule.due_today(&cards, noon(date(2026, 3, 2)))), ["hard"]);
    assert_eq!(ids(schedule.due_today(&cards, noon(date(2026, 3, 3)))), ["hard", "good", "again"]);
    assert_eq!(ids(schedule.cram(&cards, noon(date(2026, 3, 8)))), ["again", "hard", "good", "easy"]);
}

#[test]
fn marks_give_the_grade() {
    let graded = |total: f64| attempt("a", ("ddp", "d"), minute(0), &[("problem", total)]);
    for (total, grade) in [
        (1.0, Grade::Easy),
        (0.85, Grade::Easy),
        (0.84, Grade::Good),
        (0.65, Grade::Good),
        (0.64, Grade::Hard),
        (0.4, Grade::Hard),
        (0.39, Grade::Again),
    ] {
        assert_eq!(grade_attempt(&graded(total)), Some(grade), "{total}");
    }
    let mut wrong = graded(1.0);
    wrong.score.misconceptions.push(FoundMisconception {
        id: "m".into(),
        part: "problem".into(),
        evidence: vec![],
        correction: String::new(),
        rule: None,
    });
    assert_eq!(grade_attempt(&wrong), Some(Grade::Hard));
    let mut stuffed = graded(1.0);
    stuffed.score.flags.push(Flag::KeywordList);
    assert_eq!(grade_attempt(&stuffed), Some(Grade::Again));
    let mut one_part = graded(1.0);
    one_part.part = Some("problem".into());
    assert_eq!(grade_attempt(&one_part), None);
}

#[test]
fn a_check_is_graded_by_its_hints() {
    assert_eq!(grade_check(true, 0), Grade::Good);
    assert_eq!(grade_check(true, 1), Grade::Hard);
    assert_eq!(grade_check(false, 0), Grade::Again);
}

#[test]
fn a_better_grade_comes_back_a_day_later_at_least() {
    let schedule = Schedule::new(TimeZone::UTC);
    let item = Item { kind: ItemKind::Check, id: "c".into() };
    let now: Timestamp = "2026-03-02T10:00:00Z".parse().unwrap();
    let mut cards = vec![None];
    for grades in [
        &[Grade::Again][..],
        &[Grade::Hard],
        &[Grade::Good, Grade::Again],
        &[Grade::Again, Grade::Again, Grade::Hard],
    ] {
        let log: Vec<(Timestamp, Grade)> = grades.iter().map(|grade| (now, *grade)).collect();
        cards.push(schedule.replay(&item, &log));
    }
    for card in cards {
        for hours in [0_i64, 24, 34, 240] {
            let later = now.checked_add(hours.hours()).unwrap();
            let [_, hard, good, easy] = schedule.outlook(&item, card.as_ref(), later);
            assert!(hard < good && good < easy, "{card:?} after {hours} h: {hard} {good} {easy}");
            for (grade, due) in [(Grade::Hard, hard), (Grade::Good, good), (Grade::Easy, easy)] {
                assert_eq!(schedule.review(&item, card.as_ref(), grade, later).card.due, due);
            }
        }
    }
}
