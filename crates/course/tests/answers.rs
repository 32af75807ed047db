//! The agreement with judges on the answers of the repository, so that no change loses it unseen. Each round was
//! scored once before anybody read it, and read then: these figures say nothing of answers that were not read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use infralens_course::pack::{self, Origin, Pack};
use infralens_course::score::{Agreement, Scorer, Verdict};
use serde_json::Value;

use crate::kit::course::course;

/// What a file of judged answers shows.
#[derive(Default)]
struct Held {
    all: Agreement,
    by_drill: BTreeMap<String, Agreement>,
    all_false: Vec<f64>,
    sure: Agreement,
    /// Chances of what is covered for sure.
    covered_for_sure: Vec<f64>,
    attacks_for_sure: Vec<f64>,
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn held(file: &str) -> Held {
    held_of(course(), file)
}

fn held_of(course: &Pack, file: &str) -> Held {
    let path = repository().join("tests/answers").join(file);
    let text = std::fs::read_to_string(path).unwrap();
    let mut scorers: BTreeMap<String, Scorer> = BTreeMap::new();
    let mut held = Held::default();
    for line in text.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let of = |key: &str| row[key].as_str().unwrap().to_owned();
        let drill = course.drill(&of("drill")).unwrap();
        let scorer =
            scorers.entry(drill.id.clone()).or_insert_with(|| drill.scorer(None, &course.vocabulary));
        let score = scorer.score(&of("answer"));
        for part in &score.parts {
            let due: Verdict = serde_json::from_value(row["judge1"][&part.part].clone()).unwrap();
            held.all.add(due, part.verdict);
            held.by_drill.entry(drill.id.clone()).or_default().add(due, part.verdict);
            if part.sure {
                held.sure.add(due, part.verdict);
                held.covered_for_sure.extend((part.verdict == Verdict::Covered).then_some(part.confidence));
            }
        }
        if of("kind") == "all-false" {
            held.all_false.push(score.score);
        }
        if ["all-false", "attack", "woven", "woven-keywords", "stuffed", "keyword-list", "prompt-copy"]
            .contains(&of("kind").as_str())
        {
            let for_sure = score.parts.iter().filter(|p| p.sure).map(|p| p.score).sum::<f64>();
            held.attacks_for_sure.push(for_sure / score.parts.len() as f64);
        }
    }
    held
}

fn assert_held(file: &str, kappa: f64, least_of_a_drill: f64, all_false: f64) {
    let held = held(file);
    assert_eq!(held.by_drill.len(), 40, "every drill has answers");
    assert!(held.all.kappa() >= kappa, "{file}: kappa {:.3}", held.all.kappa());
    for (drill, agreement) in &held.by_drill {
        assert!(agreement.kappa() >= least_of_a_drill, "{file}: {drill} kappa {:.3}", agreement.kappa());
    }
    let mean = held.all_false.iter().sum::<f64>() / held.all_false.len() as f64;
    assert!(mean <= all_false, "{file}: answers of false statements alone earn {mean:.3}");
}

#[test]
fn the_first_round_agrees_as_it_did() {
    assert_held("round-1.jsonl", 0.87, 0.70, 0.05);
}

#[test]
fn the_second_round_agrees_as_it_did() {
    assert_held("round-2.jsonl", 0.88, 0.60, 0.05);
}

#[test]
fn the_third_round_agrees_as_it_did() {
    assert_held("round-3.jsonl", 0.80, 0.33, 0.06);
}

#[test]
fn the_fourth_round_agrees_as_it_did() {
    assert_held("round-4.jsonl", 0.85, 0.60, 0.05);
}

#[test]
fn the_fifth_round_agrees_as_it_did() {
    assert_held("round-5.jsonl", 0.85, 0.60, 0.05);
}

#[test]
fn the_sixth_round_agrees_as_it_did() {
    assert_held("round-6.jsonl", 0.86, 0.60, 0.05);
}

#[test]
fn the_seventh_round_agrees_as_it_did() {
    assert_held("round-7.jsonl", 0.83, 0.60, 0.10);
}

#[test]
fn the_eighth_round_agrees_as_it_did() {
    assert_held("round-8.jsonl", 0.84, 0.60, 0.10);
}

#[test]
fn the_ninth_round_agrees_as_it_did() {
    assert_held("round-9.jsonl", 0.83, 0.55, 0.10);
}

#[test]
fn the_tenth_round_agrees_as_it_did() {
    assert_held("round-10.jsonl", 0.86, 0.60, 0.10);
}

#[test]
fn the_eleventh_round_agrees_as_it_did() {
    assert_held("round-11.jsonl", 0.82, 0.55, 0.10);
}

#[test]
fn the_twelfth_round_agrees_as_it_did() {
    assert_held("round-12.jsonl", 0.83, 0.55, 0.10);
}

#[test]
fn the_thirteenth_round_agrees_as_it_did() {
    assert_held("round-13.jsonl", 0.81, 0.60, 0.09);
}

#[test]
fn the_fourteenth_round_agrees_as_it_did() {
    assert_held("round-14.jsonl", 0.81, 0.62, 0.08);
}

#[test]
fn the_fifteenth_round_agrees_as_it_did() {
    assert_held("round-15.jsonl", 0.87, 0.68, 0.06);
}

#[test]
fn the_sixteenth_round_agrees_as_it_did() {
    assert_held("round-16.jsonl", 0.84, 0.68, 0.09);
}

/// Nobody who writes rubrics has read this round.
#[test]
fn the_seventeenth_round_agrees_as_it_did() {
    assert_held("round-17.jsonl", 0.765, 0.40, 0.12);
}

/// Nor this one.
#[test]
fn the_eighteenth_round_agrees_as_it_did() {
    assert_held("round-18.jsonl", 0.81, 0.50, 0.10);
}

#[test]
fn the_nineteenth_round_agrees_as_it_did() {
    assert_held("round-19.jsonl", 0.86, 0.70, 0.05);
}

/// Nobody who writes rubrics has read this round.
#[test]
fn the_twentieth_round_agrees_as_it_did() {
    assert_held("round-20.jsonl", 0.86, 0.60, 0.09);
}

#[test]
fn the_twenty_first_round_agrees_as_it_did() {
    assert_held("round-21.jsonl", 0.82, 0.60, 0.09);
}

#[test]
fn the_twenty_second_round_agrees_as_it_did() {
    assert_held("round-22.jsonl", 0.78, 0.55, 0.09);
}

#[test]
fn the_twenty_third_round_agrees_as_it_did() {
    assert_held("round-23.jsonl", 0.80, 0.53, 0.13);
}

#[test]
fn the_twenty_fourth_round_agrees_as_it_did() {
    assert_held("round-24.jsonl", 0.79, 0.57, 0.09);
}

#[test]
fn the_twenty_fifth_round_agrees_as_it_did() {
    assert_held("round-25.jsonl", 0.81, 0.69, 0.07);
}

/// Nobody who writes rubrics has read this round.
#[test]
fn the_twenty_sixth_round_agrees_as_it_did() {
    assert_held("round-26.jsonl", 0.79, 0.65, 0.13);
}

/// Sentences that state a point each in other words: how many of them the rubrics know, and that none is called false.
fn assert_known(file: &str, least: f64) {
    let text = std::fs::read_to_string(repository().join("tests/answers").join(file)).unwrap();
    let (mut known, mut all, mut called_false) = (0, 0, Vec::new());
    for line in text.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let [drill, point, sentence] = ["drill", "point", "sentence"].map(|key| row[key].as_str().unwrap());
        let drill = course().drill(drill).unwrap();
        assert!(drill.rubric.points.iter().any(|p| p.id == point), "{} has no point {point}", drill.id);
        let score = drill.scorer(None, &course().vocabulary).score(sentence);
        let met = score.parts.iter().flat_map(|p| &p.points).any(|p| p.id == point && p.met);
        known += u32::from(met);
        all += 1;
        called_false.extend((!score.misconceptions.is_empty()).then(|| sentence.to_owned()));
    }
    let share = f64::from(known) / f64::from(all);
    assert!(share >= least, "{file}: {known} of {all} sentences are known");
    assert!(called_false.len() * 100 <= all as usize, "{file}: called false: {called_false:#?}");
}

#[test]
fn a_point_is_known_in_other_words() {
    assert_known("points.jsonl", 0.90);
}

/// Nobody who writes rubrics has read these.
#[test]
fn a_point_is_known_in_words_that_nobody_read() {
    assert_known("points-unread.jsonl", 0.69);
}

/// Copies the files of a folder into another one, in place of those that are there.
fn lay(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let at = to.join(path.file_name().unwrap());
        if path.is_dir() { lay(&path, &at) } else { std::fs::copy(&path, at).map(drop).unwrap() }
    }
}

/// Rubrics of other fields, by instructors who had read the documentation alone; none is proven.
#[test]
fn what_is_sure_is_right_on_rubrics_of_strangers_too() {
    let mended = tempfile::tempdir().unwrap();
    let answers = repository().join("tests/answers");
    lay(&answers.join("ab"), mended.path());
    lay(&answers.join("ab-mended"), mended.path());
    let rubrics = [
        (repository().join("examples/tcp"), "tcp.jsonl"),
        (answers.join("ab"), "ab.jsonl"),
        (answers.join("ab"), "ab-2.jsonl"),
        (mended.path().to_owned(), "ab-2.jsonl"),
        (answers.join("serving"), "serving.jsonl"),
    ];
    for (folder, file) in rubrics {
        let shown = folder.display().to_string();
        let pack = pack::load(&Origin::Folder(folder)).pack.unwrap();
        let held = held_of(&pack, file);
        let share = held.sure.pairs() as f64 / held.all.pairs() as f64;
        let kappa = held.sure.kappa();
        assert!(kappa >= 0.80 && share >= 0.24, "{shown} on {file}: {share:.2} sure at {kappa:.3}");
        assert!(held.attacks_for_sure.len() >= 12, "{file} has attacks");
        assert!(held.attacks_for_sure.iter().all(|marks| *marks < 0.4), "{shown} on {file}");
        assert!(held.covered_for_sure.iter().all(|chance| *chance >= 0.75), "{shown} on {file}");
    }
}
