//! The built-in course starts with a table of contents that was made when the program was built.

use std::borrow::Cow;

use infralens::built_in;
use infralens::pack::index::{Index, Par};
use infralens::pack::{self, Origin, Pack};
use infralens::page::place::Place;
use infralens::page::{SAMPLE, phrases};
use infralens::services::library::{Broken, Opened, Read};
use infralens::store::Store;
use infralens::tui::event::What;
use jiff::Timestamp;

use crate::kit::desk::Desk;
use crate::kit::store::{attempt, schedule};

fn parts(pack: &Pack) -> Vec<(&str, &str, &str)> {
    pack.parts.iter().map(|p| (&p.id[..], &p.title[..], &p.question[..])).collect()
}

#[test]
fn the_table_of_contents_is_that_of_the_course() {
    let quick = built_in::course();
    let read = pack::load(&built_in::ORIGIN).pack.expect("the built-in course loads");
    assert!(!quick.is_read() && read.is_read());
    let (made, whole) = (quick.index(), read.index());
    assert_eq!(parts(&quick), parts(&read));
    let mut drills = made.drills.to_vec();
    for drill in &mut drills {
        // a question with a computed number is not in the index
        drill.prompt = quick.prompt(&drill.id).map(|p| Cow::Owned(p.to_owned()));
    }
    assert!(!quick.is_read() || made.drills.iter().any(|d| d.prompt.is_none()));
    let made = Index { parts: whole.parts.clone(), drills: drills.into(), ..made.clone() };
    assert_eq!(made, *whole);
    assert!(made.puzzles.iter().all(|p| matches!(p.par, Par::Source(_))), "nothing was computed");
}

#[test]
fn par_is_reached_by_the_index_as_by_the_rules() {
    let course = built_in::course();
    for puzzle in &course.puzzles {
        let goal = &puzzle.rules.goal;
        let entry = course.index().puzzles.iter().find(|p| p.id == puzzle.id).expect("an entry");
        for factor in [0.5, 0.9, 0.9989, 0.9995, 1.0, 1.0005, 1.0011, 1.1, 2.0] {
            let value = goal.par * factor;
            assert_eq!(entry.is_at_par(goal.cost(value)), goal.is_at_par(value), "{}: {value}", puzzle.id);
        }
    }
}

#[test]
fn the_program_carries_the_files_of_the_checkout() {
    let folder = Origin::Folder(env!("CARGO_MANIFEST_DIR").into());
    let there = pack::load(&folder).pack.expect("the course of the checkout loads");
    assert_eq!(pack::fingerprint(&built_in::course()), pack::fingerprint(&there));
}

fn home() -> Desk {
    Desk::new(built_in::course(), &Place::Home)
}

#[test]
fn home_reads_nothing_of_the_course() {
    let mut desk = home();
    desk.resize(120, 40).shows("What comes next").shows("Measurement");
    desk.keys("<down><down><right><down>").shows("min");
    let course = &desk.app.library().packs[0];
    assert!(!course.is_read(), "the course was parsed for Home");
    desk.keys("c").shows("What problem it solves");
    assert!(desk.app.library().packs[0].is_read());
}

#[test]
fn home_reads_nothing_of_the_course_for_what_is_due() {
    let course = built_in::course();
    let (store, folder) = (Store::in_memory().expect("a store"), tempfile::tempdir().expect("a folder"));
    let long_ago: Timestamp = "2026-02-01T10:00:00Z".parse().expect("a time");
    for (nth, drill) in course.index().drills.iter().enumerate() {
        let of = (&*drill.lesson, &*drill.id);
        let attempt = attempt(&nth.to_string(), of, long_ago, &[("problem", 0.5)]);
        store.record_attempt(&attempt, &schedule()).expect("it is kept");
    }
    let mut desk = Desk::with(course, &Place::Home, (store, folder.path()));
    desk.resize(120, 40).shows("What comes next").shows("due");
    assert!(!desk.app.library().packs[0].is_read(), "the course was parsed for Home");
}

#[test]
fn packs_of_others_appear_as_they_are_ready() {
    let mut desk = home();
    let own = desk.app.library().packs[0].clone();
    desk.send(What::Opened(Box::new(Opened::Read(Box::new(Read::of(&own))))));
    assert_eq!(desk.app.library().packs.len(), 1, "the built-in course is there already");
    let other = crate::kit::pack::named("other", "Another course");
    desk.send(What::Opened(Box::new(Opened::Read(Box::new(Read::of(&other))))));
    let broken = Broken { path: "some/pack".into(), report: vec!["pack.toml:1:1: bad".into()], problems: 1 };
    desk.send(What::Opened(Box::new(Opened::Broken(broken))));
    desk.resize(120, 60).shows("Another course").shows("1 pack did not load");
    desk.keys("<end><enter>").shows("What problem it solves");
}

#[test]
fn the_sample_that_a_newcomer_sees_is_marked_as_it_would_be() {
    let course = built_in::course();
    let drill = course.drill(SAMPLE.drill).expect("the drill of the sample");
    let score = drill.scorer(None, &course.vocabulary).score(SAMPLE.answer);
    let verdicts: Vec<_> = score.parts.iter().map(|p| p.verdict).collect();
    assert_eq!((verdicts.as_slice(), score.score), (SAMPLE.marks.as_slice(), SAMPLE.total));
    let words = |bytes: std::ops::Range<usize>| SAMPLE.answer[bytes].to_owned();
    let mut earned = Vec::new();
    for (nth, part) in score.parts.iter().enumerate() {
        let said = part.points.iter().flat_map(|p| phrases(SAMPLE.answer, &p.evidence));
        earned.extend(said.map(|bytes| (words(bytes), Some(nth))));
    }
    let wrong = score.misconceptions.iter().flat_map(|m| phrases(SAMPLE.answer, &m.evidence));
    earned.extend(wrong.map(|bytes| (words(bytes), None)));
    let shown: Vec<_> = SAMPLE.words.iter().map(|(words, part)| ((*words).to_owned(), *part)).collect();
    assert_eq!(shown, earned);
}
