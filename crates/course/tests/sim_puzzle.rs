//! The built-in puzzles: par is the best there is, and the reasons say what the simulators say.

use crate::kit::course as kit;

use kit::course;
use std::collections::BTreeMap;

use infralens_course::pack::Puzzle;
use infralens_course::sim::puzzle::{Direction, Found, MAX_SETTINGS, Standing};
use infralens_course::sim::{KINDS, expr, quantity};
use proptest::prelude::*;

fn puzzle(id: &str) -> &'static Puzzle {
    let puzzles = &course().puzzles;
    puzzles.iter().find(|p| p.id == id).unwrap_or_else(|| panic!("no {id}"))
}

fn found(puzzle: &Puzzle) -> Found {
    let found = puzzle.rules.search();
    found.unwrap_or_else(|why| panic!("{}: {why:?}", puzzle.id))
}

#[test]
fn there_are_at_least_twelve_over_at_least_six_kinds() {
    let puzzles = &course().puzzles;
    let kinds: std::collections::BTreeSet<_> = puzzles.iter().map(|p| p.rules.start.kind().name).collect();
    assert!(puzzles.len() >= 12 && kinds.len() >= 6, "{} of {kinds:?}", puzzles.len());
}

#[test]
fn par_is_found_and_no_setting_beats_it() {
    let mut wrong = Vec::new();
    for puzzle in &course().puzzles {
        let rules = &puzzle.rules;
        let found = found(puzzle);
        assert!(found.tried <= MAX_SETTINGS && found.tried == rules.settings());
        // par is the best itself: the tolerance is for what learners reach, not for authors
        if (found.best - rules.goal.par).abs() > 1e-4 * rules.goal.par.abs() {
            wrong.push(format!(
                "{}: par {} but {} at {:?}",
                puzzle.id, rules.goal.par, found.best, found.knobs
            ));
        }
        for nth in 0..found.tried {
            let judged = rules.judge(&rules.sim_at(&rules.setting(nth)));
            if matches!(judged.standing, Standing::Better(_)) {
                wrong.push(format!("{}: {:?} beats par", puzzle.id, rules.setting(nth)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn par_takes_some_finding() {
    for puzzle in &course().puzzles {
        let rules = &puzzle.rules;
        let start = rules.judge(&rules.start);
        assert!(!start.is_at_par(), "{} starts at par", puzzle.id);
        assert!(start.value.is_some(), "{}: no value at the start", puzzle.id);
        let found = found(puzzle);
        assert!(found.ways * 4 <= found.tried, "{}: {} of {} are par", puzzle.id, found.ways, found.tried);
    }
}

#[test]
fn each_has_words_for_everything() {
    for puzzle in &course().puzzles {
        assert_eq!(puzzle.hints.len(), 3, "{}", puzzle.id);
        assert!(course().lessons.iter().any(|l| l.id == puzzle.lesson), "{}", puzzle.id);
        let texts = puzzle.hints.iter().chain([&puzzle.goal, &puzzle.explain]);
        for text in texts {
            assert!(text.len() > 30 && !text.contains("{{"), "{}: {text}", puzzle.id);
        }
        for condition in &puzzle.rules.conditions {
            let columns = condition.text.chars().count();
            assert!((4..=60).contains(&columns), "{}: {}", puzzle.id, condition.text);
        }
    }
}

/// What a reason says of a setting: puzzle, knobs (others as at par), output, the number as it stands in the reason.
type Claim = (&'static str, &'static [(&'static str, f64)], &'static str, &'static str);

const CLAIMS: &[Claim] = &[
    ("fit-13b", &[("stage", 0.0)], "state", "208 GB"),
    ("fit-13b", &[("stage", 1.0)], "state", "71.5 GB"),
    ("fit-13b", &[], "peak", "63.0 GB"),
    ("fit-13b", &[], "sent", "45.5 GB"),
    ("fit-13b", &[("stage", 3.0)], "sent", "68.2 GB"),
    ("fit-13b", &[("gradients", 1.0)], "sent", "68.2 GB"),
    ("accumulate-13b", &[], "sent", "51.2 GB"),
    ("accumulate-13b", &[], "state", "54.4 GB"),
    ("accumulate-13b", &[], "peak", "68.7 GB"),
    ("accumulate-13b", &[("stage", 2.0)], "sent", "435 GB"),
    ("accumulate-13b", &[("gradients", 1.0)], "state", "80.4 GB"),
    ("fewest-70b", &[("optimizer", 0.0)], "state", "70 GB"),
    ("fewest-70b", &[], "gathered", "3.5 GB"),
    ("fewest-70b", &[("optimizer", 2.0)], "state", "52.5 GB"),
    ("fewest-70b", &[("ranks", 8.0)], "state", "87.5 GB"),
    ("fewest-70b", &[("per_node", 4.0)], "tokens_needed", "2747"),
    ("bubble-5-percent", &[], "bubble", "4.19%"),
    ("bubble-5-percent", &[("micro_batches", 32.0)], "bubble", "5.19%"),
    ("bubble-5-percent", &[("schedule", 3.0), ("micro_batches", 48.0)], "bubble", "4.64%"),
    ("bubble-5-percent", &[], "live_first", "9.75"),
    ("same-memory", &[("schedule", 1.0)], "bubble", "9.86%"),
    ("same-memory", &[("schedule", 0.0)], "live_first", "64"),
    ("same-memory", &[("schedule", 2.0), ("chunks", 4.0)], "bubble", "2.66%"),
    ("same-memory", &[], "bubble", "3.52%"),
    ("175b-on-64", &[], "compute_time", "17.35 s"),
    ("175b-on-64", &[], "bubble", "1.9%"),
    ("175b-on-64", &[], "activations", "27.0 GB"),
    ("175b-on-64", &[], "tp_time", "0.9 s"),
    ("175b-on-64", &[("tp", 8.0), ("pp", 8.0)], "tp_time", "2.2 s"),
    ("70b-on-64", &[], "compute_time", "27.4 s"),
    ("70b-on-64", &[("tp", 8.0)], "tokens_needed", "10,989"),
    ("70b-on-64", &[], "tokens_needed", "2747"),
    ("70b-on-64", &[("tp", 1.0)], "activations", "91 GB"),
    ("70b-128k", &[("tp", 8.0), ("pp", 8.0), ("cp", 1.0)], "activations", "365 GB"),
    ("70b-128k", &[], "activations", "45.6 GB"),
    ("70b-128k", &[], "tp_time", "0.7 s"),
    ("70b-128k", &[("tp", 4.0), ("cp", 16.0)], "tp_time", "2.1 s"),
    ("70b-128k", &[("tp", 8.0), ("cp", 8.0)], "tp_time", "4.9 s"),
    ("70b-128k", &[("tp", 1.0), ("cp", 64.0)], "cp_time", "11.5 s"),
    ("70b-on-64", &[], "tp_time", "0.7 s"),
    ("bucket-cap", &[], "exposed", "0.81 ms"),
    ("fill-the-nics", &[], "busbw", "307 GB/s"),
    ("fill-the-nics", &[("size", 64.0)], "busbw", "271 GB/s"),
    ("fill-the-nics", &[], "best_time", "0.86 ms"),
    ("fill-the-nics", &[], "latency_time", "1.51 ms"),
    ("widest-tp", &[], "ratio_formula", "30%"),
    ("widest-tp", &[("micro_batch", 1.0)], "exposed_share", "20.8%"),
    ("widest-tp", &[("micro_batch", 2.0)], "exposed_share", "19.6%"),
    ("widest-tp", &[("ranks", 16.0), ("micro_batch", 1.0)], "exposed_share", "58%"),
    ("ring-of-128k", &[], "wall", "17.8 ms"),
    ("ring-of-128k", &[], "tokens_needed", "2853"),
    ("ring-of-128k", &[], "tokens_per_rank", "4096"),
    ("ring-of-128k", &[("ranks", 64.0)], "tokens_per_rank", "2048"),
    ("room-for-experts", &[], "efficiency", "90.86%"),
    ("room-for-experts", &[], "capacity_tokens", "1127"),
];

/// A number as it stands in a text, in base units, with half of its last place: `45.5 GB`, `4.19%`, `0.81 ms`.
fn read(said: &str) -> (f64, f64) {
    let is_digit = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',');
    let digits = said.find(|c| !is_digit(c)).unwrap_or(said.len());
    let (number, unit) = (said[..digits].replace(',', ""), said[digits..].trim());
    let factor = quantity::unit(unit).map_or(1.0, |u| u.factor);
    let places = number.split_once('.').map_or(0, |(_, d)| d.len() as i32);
    let value: f64 = number.parse().expect("a number");
    (value * factor, 0.5001 * 10f64.powi(-places) * factor)
}

#[test]
fn the_reasons_give_the_simulators_numbers() {
    let mut wrong = Vec::new();
    for (id, knobs, output, said) in CLAIMS {
        let puzzle = puzzle(id);
        let mut setting: BTreeMap<&str, f64> = found(puzzle).knobs.into_iter().collect();
        setting.extend(knobs.iter().copied());
        let setting: Vec<_> = setting.into_iter().collect();
        let run = puzzle.rules.sim_at(&setting).run();
        let (value, half) = read(said);
        let off = (run.value(output) - value).abs();
        if off.is_nan() || off > half {
            wrong.push(format!("{id}: {output} is {}, not {said}", run.value(output)));
        }
        let words = puzzle.explain.split_whitespace().collect::<Vec<_>>().join(" ");
        if !words.contains(said) {
            wrong.push(format!("{id}: the reason does not say {said}: {words}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_simulator_has_an_output_and_a_knob_of_one_name() {
    for kind in KINDS {
        let run = infralens_course::sim::Sim::new(kind).run();
        for output in &run.outputs {
            assert!(kind.parameter(output.name).is_none(), "{}: {}", kind.name, output.name);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn judging_agrees_with_the_run(which in any::<prop::sample::Index>(), nth in any::<prop::sample::Index>()) {
        let puzzle = &course().puzzles[which.index(course().puzzles.len())];
        let rules = &puzzle.rules;
        let sim = rules.sim_at(&rules.setting(nth.index(rules.settings())));
        let run = sim.run();
        let judged = rules.judge(&sim);
        // the names, put together another way
        let mut values = run.values();
        values.insert("notes".to_owned(), run.notes.len() as f64);
        values.extend(sim.knobs().map(|(p, v)| (p.name.to_owned(), v * p.unit.factor)));
        let holds = |source: &str| expr::value(source, &values).is_ok_and(|v| v != 0.0);
        for (condition, held) in rules.conditions.iter().zip(&judged.conditions) {
            prop_assert_eq!(held.holds, holds(&condition.source), "{}", condition.source);
        }
        let value = expr::value(&rules.goal.source, &values).ok();
        prop_assert_eq!(judged.value, value);
        let solved = rules.conditions.iter().all(|c| holds(&c.source));
        prop_assert_eq!(judged.is_solved(), solved);
        if let (true, Some(value)) = (solved, value) {
            let short = match rules.goal.direction {
                Direction::Least => value - rules.goal.par,
                Direction::Most => rules.goal.par - value,
            };
            prop_assert_eq!(judged.is_at_par(), short <= rules.goal.slack());
        }
    }
}
