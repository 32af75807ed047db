//! Puzzles on screen: fixed knobs, conditions that live, par, your best, hints, the reason.
#![allow(clippy::unwrap_used)]

use crate::kit::desk;

use desk::Desk;
use infralens::pack::{self, Pack};
use infralens::page::place::Place;

fn course() -> Pack {
    pack::load(&infralens::built_in::ORIGIN).pack.unwrap()
}

fn at(id: &str) -> Place {
    let id = id.to_owned();
    Place::Puzzle { pack: 0, id }
}

fn open(id: &str) -> Desk {
    Desk::new(course(), &at(id))
}

#[test]
fn the_goal_comes_first_and_the_hints_one_by_one() {
    let mut desk = open("fit-13b");
    desk.shows("13 billion parameters").shows("3 hints left").hides("Hint 1");
    desk.keys("i").shows("Hint 1 of 3").hides("Hint 2");
    desk.keys("<enter>").hides("Hint 1").shows("bytes on each GPU");
    desk.keys("i").shows("Hint 1 of 3").hides("Hint 2");
    desk.keys("iiii<end>")
        .shows("Hint 3 of 3")
        .hides("hints left")
        .hides("hint left")
        .keys("<esc>")
        .hides("Hint");
}

#[test]
fn only_the_knobs_of_the_puzzle_turn() {
    let mut desk = open("fit-13b");
    desk.resize(120, 40);
    desk.keys("<enter>").shows("ZeRO stage                  ← 0 →").shows("Here 0, 1, 2, 3");
    desk.keys("<left>").shows("ZeRO stage goes down to 0");
    desk.keys("<down>").shows("← 4 bytes →").keys("<down><down>").shows("← 4 bytes →");
    desk.keys("<up><up><up>").shows("ZeRO stage                  ← 0 →");
    desk.keys("7<enter>")
        .shows("stage cannot be 7 here")
        .keys("<esc>")
        .shows("ZeRO stage                  ← 0 →");
    desk.keys("1<enter>").shows("ZeRO stage                  ← 1 →");
    desk.keys("t").shows("ZeRO stage                  ← 0 →");
}

#[test]
fn conditions_live_and_par_brings_the_reason() {
    let mut desk = open("fit-13b");
    desk.keys("<enter>")
        .shows("not solved")
        .hides("your best")
        .keys("<right>")
        .shows("✗ the peak fits into usable memory (left over -39.8 GB)");
    desk.keys("3<enter>").shows("45.5 GB over par").shows("best 91 GB").shows("✓ the peak fits");
    desk.keys("<left>").shows("22.7 GB over par").shows("best 68.2 GB");
    // the picture names no other setting before par is reached
    desk.shows("ZeRO-2").hides("ZeRO-1").hides("ZeRO-3");
    desk.keys("<down><left>").shows("Par: why it is par").shows("✓ Par reached").shows("Without sharding");
    desk.keys("<enter>").shows("best 45.5 GB").shows("ZeRO-1");
    desk.keys("<up><right>").shows("22.7 GB over par").shows("best 45.5 GB");
    desk.keys("<left>").hides("why it is par").keys("i").shows("why it is par");
}

#[test]
fn the_best_is_kept_and_the_list_shows_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = Desk::on_disk(course(), &Place::Sims, folder.path());
    desk.resize(120, 40).shows("Fit 13B on eight GPUs with the least traffic  par 45.5 GB");
    // each puzzle stands under its simulator
    let course = course();
    let rows = infralens::sim::KINDS.iter().flat_map(|kind| {
        let on_it = course.puzzles.iter().filter(|p| p.rules.start.kind().name == kind.name);
        std::iter::once(kind.name).chain(on_it.map(|p| p.id.as_str()))
    });
    let row = rows.into_iter().position(|id| id == "fit-13b").unwrap();
    desk.keys(&"j".repeat(row)).keys("<enter><enter>");
    desk.keys("2<enter><esc>").shows("par 45.5 GB, best 68.2 GB");
    drop(desk);
    let mut desk = Desk::on_disk(course.clone(), &at("fit-13b"), folder.path());
    desk.keys("<enter>").shows("best 68.2 GB").keys("2<enter><down><left><enter><esc>");
    drop(desk);
    let mut desk = Desk::on_disk(course, &Place::Sims, folder.path());
    desk.resize(120, 40).shows("par 45.5 GB, reached");
}

#[test]
fn a_puzzle_keeps_its_knobs_and_compares_in_one_unit() {
    let folder = tempfile::tempdir().unwrap();
    let open = || {
        let mut desk = Desk::on_disk(course(), &at("fit-13b"), folder.path());
        desk.resize(120, 40);
        desk
    };
    let mut desk = open();
    desk.keys("<enter>2<enter>").shows("ZeRO stage                  ← 2 →").keys("<esc>");
    let mut desk = open();
    desk.keys("<enter>").shows("ZeRO stage                  ← 2 →").shows("as you left it; t starts over");
    // a condition that holds says its value too
    desk.resize(80, 24).shows("✓ the peak fits into usable memory (left over ").resize(120, 40);
    desk.keys("t").shows("ZeRO stage                  ← 0 →").keys("<esc>");
    let mut desk = open();
    desk.keys("<enter>").shows("ZeRO stage                  ← 0 →").hides("as you left it");
    for puzzle in &course().puzzles {
        let goal = &puzzle.rules.goal;
        let unit = |shown: String| shown.split(' ').nth(1).map(str::to_owned);
        for times in [0.3, 1.3, 40.0] {
            assert_eq!(unit(goal.show(goal.par * times)), unit(goal.show(goal.par)), "{}", puzzle.id);
        }
    }
}

#[test]
fn the_goal_has_one_unit_wherever_it_is_written() {
    let mut desk = open("bucket-cap");
    let screen = desk.resize(200, 60).keys("<esc>").screen();
    // the goal is written in the unit of the picture, and what is over par is what lies between the two
    assert!(screen.contains("of the step; 10.6 ms of that is exposed"), "{screen}");
    assert!(screen.contains("least exposed communication, now 10.6 ms   par 0.81 ms"), "{screen}");
    assert!(screen.contains("9.79 ms over par"), "{screen}");
    assert!(!screen.contains(" us over par"), "{screen}");
}

#[test]
fn what_is_off_par_adds_up_with_what_is_shown() {
    let read = |shown: &str| -> f64 {
        let number: String = shown.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
        number.parse().unwrap()
    };
    for puzzle in &course().puzzles {
        let goal = &puzzle.rules.goal;
        for times in [0.37, 1.004, 1.013, 1.19, 2.77, 13.04] {
            let value = goal.par * times;
            let (shown, par, off) = (goal.show(value), goal.show(goal.par), goal.show_off(value));
            let sum = (read(&shown) - read(&par)).abs();
            let is_exact = (read(&off) - sum).abs() <= 0.005 * sum;
            assert!(is_exact || shown == par, "{}: {shown} is {off} off {par}", puzzle.id);
        }
    }
}

#[test]
fn the_goal_stays_in_one_line_above_the_picture() {
    for puzzle in course().puzzles.clone() {
        let mut desk = open(&puzzle.id);
        let goal = &puzzle.rules.goal;
        let par = if puzzle.rules.par_tells() { "hidden".into() } else { goal.show(goal.par) };
        for (width, height) in [(80, 24), (120, 40), (200, 60)] {
            // beside the goal page too
            for keys in ["i", "<esc>"] {
                let screen = desk.resize(width, height).keys(keys).screen();
                let row = screen.lines().position(|row| row.contains(&format!("{}, now ", goal.label)));
                let row = row.unwrap_or_else(|| panic!("{}: no goal at {width}\n{screen}", puzzle.id));
                let line = screen.lines().nth(row).unwrap();
                let par = par.split(' ').next().unwrap();
                assert!(line.contains(&format!("   par {par}")), "{}: {line}", puzzle.id);
                let title = puzzle.rules.run(&puzzle.rules.start).views[0].title;
                let below = || screen.lines().skip(row + 1).any(|row| row.contains(title));
                assert!(below(), "{} at {width}x{height}: {screen}", puzzle.id);
            }
        }
    }
}

#[test]
fn the_goal_names_the_way_out_and_offers_no_hint_at_par() {
    let mut desk = open("fit-13b");
    desk.shows("enter to the knobs").shows("i hint").shows("? keys").shows("esc close");
    desk.keys("<enter>2<enter><down><left>").shows("Par reached");
    desk.hides("i hint").shows("esc close");
}

#[test]
fn the_goal_hides_no_picture_and_the_values_of_a_knob_are_whole() {
    let mut desk = open("bucket-cap");
    for (width, height) in [(120, 40), (200, 60)] {
        desk.resize(width, height).shows("Goal   ").shows("timeline").shows("Numbers");
    }
    desk.resize(80, 24).shows("Goal   ").shows("timeline").keys("<enter>").shows("timeline");
    let puzzle = course().puzzles.iter().find(|p| p.id == "bucket-cap").unwrap().clone();
    for knob in &puzzle.rules.knobs {
        desk.shows(&format!("Here {}", knob.shown())).hides("1,048,576").keys("<down>");
    }
}

#[test]
fn every_puzzle_is_drawn_at_every_size() {
    for puzzle in course().puzzles.clone() {
        let mut desk = open(&puzzle.id);
        for (width, height) in [(0, 0), (1, 1), (20, 5), (40, 12), (72, 20), (80, 24), (120, 40)] {
            desk.resize(width, height);
            for keys in ["", "<enter>", "<right><left>", "z", "f<esc>", "p<esc>z", "i<down>"] {
                desk.keys(keys).screen();
            }
        }
        assert!(!desk.ended && desk.waiting().is_none(), "{}", puzzle.id);
        desk.keys("<enter>").resize(80, 24);
        let goal = &puzzle.rules.goal;
        if puzzle.rules.par_tells() {
            desk.shows("par hidden until all conditions hold");
        } else {
            desk.shows(&format!("par {}", goal.show(goal.par).split(' ').next().unwrap()));
        }
        for condition in &puzzle.rules.conditions {
            desk.shows(&condition.text);
        }
    }
}

#[test]
fn a_lesson_leads_to_its_puzzles_and_home_to_one_of_a_lesson_that_was_read() {
    let id = "zero-fsdp".to_owned();
    let mut desk = Desk::new(course(), &Place::Lesson { pack: 0, id });
    desk.resize(160, 40).shows("p puzzle");
    desk.keys("p").shows("Sixteen micro-batches");
    // the next time another one, as par was reached
    desk.keys("<enter>1<enter><down><left>").shows("why it is par").keys("<enter><esc>");
    desk.keys("p").shows("The fewest GPUs").keys("<enter><esc>");
    let mut fresh = Desk::new(course(), &Place::Home);
    fresh.resize(160, 40).hides("The fewest GPUs");
    desk.keys("m<esc>").shows("Puzzle").shows("The fewest GPUs");
}
