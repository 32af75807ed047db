//! The table of popular errors in `docs/traps.md`: all 41, and every place it names is there.

use crate::kit::course as kit;

use kit::course;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use infralens_course::pack::Lesson;

/// How many popular errors the course teaches against.
const TRAPS: usize = 41;

/// The rows of the table: number, what people say, what is right, where.
fn rows() -> Vec<[String; 4]> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/traps.md");
    let text = fs::read_to_string(path).expect("docs/traps.md");
    text.lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| #"))
        .map(|line| {
            let cells: Vec<String> = line.trim_matches('|').split('|').map(|c| c.trim().to_owned()).collect();
            cells.try_into().unwrap_or_else(|_| panic!("a row has four cells: {line}"))
        })
        .collect()
}

/// What is wrong with a place such as ``formula `live` `` in a lesson.
fn fault(lesson: &Lesson, place: &str) -> Option<String> {
    let pack = course();
    let s = &lesson.section;
    let (kind, name) = place.split_once(' ').unwrap_or((place, ""));
    let bare = name.trim_matches(['`', '"']);
    let is_there = match kind {
        "formula" => s.formulas.iter().any(|f| f.id == bare),
        "table" => s.tables.iter().any(|t| t.id == bare),
        "diagram" => s.diagrams.iter().any(|d| d.id == bare),
        "lab" => lesson.labs.iter().any(|l| l.id == bare),
        "check" => pack.check(bare).is_some_and(|c| c.lesson == lesson.id),
        "drill" => pack.drill(bare).is_some_and(|d| d.lesson == lesson.id),
        "misunderstanding" => {
            let said = |c: &str| c.replace('\n', " ").contains(bare);
            s.misunderstandings.iter().filter(|m| said(&m.claim)).count() == 1
        }
        "mechanism" => {
            let heads = s.mechanism.lines().filter_map(|l| l.strip_prefix("### "));
            heads.filter(|h| h.contains(bare)).count() == 1
        }
        _ => false,
    };
    (bare.is_empty() || !is_there).then(|| format!("{}: {place}", lesson.id))
}

#[test]
fn all_popular_errors_stand_in_the_table() {
    let rows = rows();
    let numbers: Vec<String> = rows.iter().map(|[n, ..]| n.clone()).collect();
    let all: Vec<String> = (1..=TRAPS).map(|n| n.to_string()).collect();
    assert_eq!(numbers, all);
    let said: BTreeSet<&String> = rows.iter().map(|[_, said, ..]| said).collect();
    assert_eq!(said.len(), TRAPS, "no error stands twice");
    for [number, said, right, places] in &rows {
        for (what, cell) in [("error", said), ("truth", right), ("place", places)] {
            assert!(cell.len() > 10, "{number} has no {what}");
        }
    }
}

#[test]
fn every_place_that_teaches_against_an_error_exists() {
    let mut faults = Vec::new();
    for [number, _, _, places] in rows() {
        for group in places.split("; ") {
            let (id, places) = group.split_once(": ").unwrap_or((group, ""));
            match course().lesson(id) {
                Some(lesson) => faults.extend(
                    places.split(", ").filter_map(|p| fault(lesson, p)).map(|f| format!("{number}: {f}")),
                ),
                None => faults.push(format!("{number}: no lesson {id}")),
            }
        }
    }
    assert!(faults.is_empty(), "no such place:\n{}", faults.join("\n"));
}
