//! A visit to a place in lines.

use std::collections::BTreeMap;

use super::course::course;

use infralens::line::Plain;
use infralens::page::place::Place;
use infralens::services::Services;
use infralens::services::library::Library;
use infralens::store::Store;
use jiff::Timestamp;
use jiff::tz::TimeZone;

pub fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_790_000_000 + seconds).unwrap()
}

pub fn face() -> Plain {
    let mut pack = course().clone();
    pack.origin = infralens::built_in::ORIGIN; // its starters may run
    let library = Library { packs: vec![pack], broken: vec![] };
    let store = Store::in_memory().unwrap();
    let work = std::env::temp_dir().join("infralens-ear-tests");
    Plain::new(Services::new(library, store, TimeZone::UTC, work), vec![], 78)
}

/// A face at a place, after some lines; with an answered drill and a date where the place tells of them.
pub struct Visit {
    pub face: Plain,
    pub seconds: i64,
    pub said: String,
}

impl Visit {
    pub fn new(place: &Place, lines: &[&str]) -> Self {
        let mut face = face();
        if tells_of_answers(place) {
            face.open(&Place::Plan, at(0));
            face.line("5", at(1));
            face.open(&drill(), at(2));
            for line in ["Each rank averages the gradients with an all-reduce.", ". 60", ""] {
                face.line(line, at(3));
            }
        }
        let said = face.open(place, at(10));
        let mut visit = Visit { face, seconds: 11, said };
        for line in lines {
            visit.said = visit.line(line);
        }
        visit
    }

    pub fn line(&mut self, line: &str) -> String {
        self.seconds += 1;
        self.face.line(line, at(self.seconds))
    }

    /// Where one is, as `?` has it.
    pub fn place(&mut self) -> String {
        let said = flat(&self.line("?"));
        let (_, rest) = said.split_once("You are here: ").unwrap_or_else(|| panic!("no place in {said}"));
        rest.split(" What can be typed:").next().unwrap_or_default().to_owned()
    }
}

pub fn tells_of_answers(place: &Place) -> bool {
    use Place::*;
    matches!(place, Home | Progress | Ratings | Plan | History { .. } | Review { .. })
}

pub fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub fn drill() -> Place {
    Place::Drill { pack: 0, id: "ddp-gradients-not-parameters".into(), only: None }
}

/// Places, and the lines that lead to a state of them.
pub fn places() -> Vec<(Place, Vec<&'static str>)> {
    let lesson = |id: &str| Place::Lesson { pack: 0, id: id.into() };
    let lab = |id: &str| Place::Lab { pack: 0, id: id.into() };
    let checks = |only: &str| Place::Checks { pack: 0, lesson: "overview".into(), only: Some(only.into()) };
    let sim = || Place::Sim { kind: "ring".into(), set: BTreeMap::new(), link: None };
    let all = Place::Checks { pack: 0, lesson: "overview".into(), only: None };
    let sheet = course().checks.iter().find(|c| matches!(c.kind, infralens::pack::CheckKind::Worksheet(_)));
    let sheet = sheet.map(|c| Place::Checks { pack: 0, lesson: c.lesson.clone(), only: Some(c.id.clone()) });
    let order =
        course().checks.iter().find(|c| matches!(c.kind, infralens::pack::CheckKind::Order(_))).unwrap();
    let order = Place::Checks { pack: 0, lesson: order.lesson.clone(), only: Some(order.id.clone()) };
    let puzzle = Place::Puzzle { pack: 0, id: course().puzzles[0].id.clone() };
    let notes = infralens::study::note::notes(&course().lesson("ddp").unwrap().labs[0]);
    let notes = notes.into_iter().map(|(id, _)| id).collect();
    let mut places = vec![
        (Place::Home, vec![]),
        (lesson("ddp"), vec![]),
        (lesson("ddp"), vec!["2"]),
        (lab("01-ddp-buckets"), vec![]),
        (lab("01-ddp-buckets"), vec!["1"]),
        (lab("01-ddp-buckets"), vec!["4"]),
        (Place::Code { pack: 0, id: "01-ddp-buckets".into() }, vec![]),
        (Place::Measure { pack: 0, id: "01-ddp-buckets".into() }, vec![]),
        (drill(), vec!["Each rank averages the gradients with an all-reduce.", "."]),
        (drill(), vec!["Each rank averages the gradients with an all-reduce.", ".", ""]),
        (drill(), vec!["Each rank averages the gradients with an all-reduce.", ". 60", "s"]),
        (all.clone(), vec![]),
        (all, vec!["1"]),
        (checks("overview-first-choice"), vec![]),
        (checks("overview-first-choice"), vec!["1"]),
        (order.clone(), vec![]),
        (order, vec!["1"]),
        (Place::Recall { pack: 0, notes }, vec![]),
        (sim(), vec![]),
        (sim(), vec!["p"]),
        (Place::Sims, vec![]),
        (puzzle, vec![]),
        (Place::Rehearse, vec![]),
        (Place::Reports, vec![]),
        (Place::Review { ahead: 0 }, vec![]),
        (Place::Review { ahead: 9 }, vec![]),
        (Place::News, vec![]),
        (Place::Progress, vec![]),
        (Place::Progress, vec!["next card"]),
        (Place::Ratings, vec![]),
        (Place::Plan, vec![]),
        (Place::History { drill: None }, vec![]),
        (Place::Problems, vec![]),
        (Place::Term { pack: 0, id: "bubble".into() }, vec![]),
        (Place::Find { pack: 0, words: "bubble".into() }, vec![]),
        (Place::Glossary { pack: 0, lesson: None }, vec![]),
    ];
    places.extend(sheet.map(|sheet| (sheet, vec![])));
    places
}

/// What `?` lists: what is typed, and what it does.
pub fn listed(visit: &mut Visit) -> Vec<(String, String)> {
    let said = visit.line("?");
    let (_, rows) = said.split_once("typed:").unwrap_or_else(|| panic!("no list in {said}"));
    let mut all: Vec<(String, String)> = Vec::new();
    for row in rows.lines().filter(|row| !row.is_empty()) {
        match (row.split_once(": "), row.starts_with(' '), all.last_mut()) {
            (Some((typed, does)), false, _) => all.push((typed.into(), does.into())),
            (_, _, Some((_, does))) => does.push_str(row),
            _ => {}
        }
    }
    all
}

/// The commands of a list that can be typed as they stand.
pub fn commands(visit: &mut Visit) -> Vec<String> {
    let all = listed(visit)
        .into_iter()
        .flat_map(|(typed, _)| typed.split(" or ").map(str::to_owned).collect::<Vec<_>>());
    let ends = ["q", "home", "quit", "?", "help", "Enter alone", "/ and words"];
    let is_words = |typed: &str| typed.contains("= value") || typed.starts_with("a ") || typed.contains(", ");
    all.filter(|typed| !ends.contains(&&**typed) && !is_words(typed)).collect()
}
