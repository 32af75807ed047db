//! Simulators by ear: a picture at a glance, its rows and its steps on request.

use std::collections::BTreeMap;

use infralens::page::place::Place;

use crate::kit::visit::*;

fn simulator(kind: &str, set: &[(&str, f64)]) -> Visit {
    let set: BTreeMap<String, f64> = set.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    Visit::new(&Place::Sim { kind: kind.into(), set, link: None }, &[])
}

/// The number of the picture with this title.
fn picture(visit: &Visit, title: &str) -> String {
    let row = visit.said.lines().find(|line| line.ends_with(&format!("Picture: {title}")));
    row.and_then(|row| row.split_once('.')).expect("a picture of this title").0.to_owned()
}

#[test]
fn a_picture_is_told_at_a_glance_and_its_rows_eight_at_a_time() {
    let mut visit = simulator("experts", &[("experts", 64.0), ("ranks", 64.0)]);
    let number = picture(&visit, "all-to-all between ranks");
    let glance = visit.line(&number);
    assert!(glance.lines().count() < 16 && glance.contains("64 rows by 64 columns."), "{glance}");
    assert!(flat(&glance).contains("The greatest: from ") && !glance.contains('\\'), "{glance}");
    assert!(flat(&glance).contains("Enter or more reads its 64 rows."), "{glance}");
    let rows = visit.line("more");
    assert!(
        rows.starts_with("Rows 1 to 8 of 64.") && rows.contains("From 7: ") && !rows.contains("From 8: ")
    );
    assert!(flat(&rows).ends_with("Enter or more reads the next 8."), "{rows}");
    assert!(visit.line("").starts_with("Rows 9 to 16 of 64."));
    let last = (0..6).map(|_| visit.line("cells")).last().unwrap_or_default();
    assert!(
        last.starts_with("Rows 57 to 64 of 64.") && last.contains("Enter leads to the settings."),
        "{last}"
    );
    assert!(visit.line("").contains("You are back at the settings"));
}

#[test]
fn a_picture_is_stepped_and_each_step_says_what_changed() {
    let mut visit = simulator("ring", &[("nodes", 8.0)]);
    let number = picture(&visit, "chunks round the ring");
    let glance = flat(&visit.line(&number));
    assert!(glance.contains("8 ranks stand for 64.") && glance.contains("step goes through its 15 steps."));
    let first = flat(&visit.line("step"));
    assert!(first.starts_with("Step 1 of 15.") && first.contains("Enter goes to the next step"), "{first}");
    let second = flat(&visit.line(""));
    assert!(second.starts_with("Step 2 of 15.") && second.contains("8 of 64 cells changed"), "{second}");
    assert!(visit.line("step back").starts_with("Step 1 of 15."));
    assert!(visit.line("step back").starts_with("This is the first step."));
    let last = flat(&(0..14).map(|_| visit.line("step")).last().unwrap_or_default());
    assert!(last.starts_with("Step 15 of 15.") && last.contains("Enter leads to the settings."), "{last}");
    assert!(visit.line("step").starts_with("That was the last step"));
}

#[test]
fn what_has_no_picture_or_no_steps_says_so() {
    let mut visit = simulator("ring", &[]);
    for word in ["more", "step"] {
        assert!(visit.line(word).contains("Choose a picture by its number first"), "{word}");
    }
    let number = picture(&visit, "side by side");
    visit.line(&number);
    assert!(visit.line("step").contains("This picture has no steps; more reads its rows."));
}

#[test]
fn a_formula_is_said_in_words_with_its_values_put_in() {
    let mut visit = simulator("ring", &[("nodes", 8.0)]);
    visit.line("2");
    let said: Vec<String> = (12..25).map(|number| flat(&visit.line(&number.to_string()))).collect();
    let sent = said.iter().find(|text| text.starts_with("Sent by each rank")).expect("a number of this name");
    assert!(sent.contains("in a ring all-reduce of 1024 mebibytes over 64 ranks."), "{sent}");
    assert!(
        sent.contains("In words: 2 times the fraction the ranks minus 1, over the ranks, end of fraction, times the bytes."),
        "{sent}"
    );
    assert!(sent.contains("With the values: 2 times 63, divided by 64, times 1024 mebibytes."), "{sent}");
    let tree = said.iter().find(|text| text.starts_with("Time, tree")).expect("a number of this name");
    assert!(tree.contains("the ring latency plus the tree all-reduce time: that is"), "{tree}");
    assert!(tree.contains("the logarithm to base 2 of the nodes"), "{tree}");
}

#[test]
fn no_formula_of_a_simulator_is_spelt_symbol_by_symbol() {
    let mut spelt = Vec::new();
    for kind in infralens::sim::KINDS {
        let mut visit = simulator(kind.name, &[]);
        let numbers = visit.line("2");
        let rows: Vec<String> = numbers
            .lines()
            .filter_map(|row| row.split_once(". ").map(|(number, _)| number.to_owned()))
            .collect();
        assert!(rows.len() > 5, "{}: {numbers}", kind.name);
        for row in rows {
            let said = flat(&visit.line(&row));
            let formula = said.split(" Source: ").next().unwrap_or_default();
            let is_symbol = |word: &str| matches!(word, "*" | "/" | "+" | "-" | "=" | "^" | "x");
            let is_torn = [",.", ",:", "  "].iter().any(|torn| formula.contains(torn));
            if is_torn || formula.split(' ').any(is_symbol) {
                spelt.push(format!("{}: {said}", kind.name));
            }
        }
    }
    assert!(spelt.is_empty(), "{}", spelt.join("\n"));
}

#[test]
fn a_value_out_of_range_is_refused_as_the_verb_refuses_it() {
    let mut visit = simulator("buckets", &[]);
    for (value, spoken) in [("-3", "minus 3"), ("9999999999", "9999999999")] {
        let said = flat(&visit.line(&format!("cap {value}")));
        assert!(
            said.contains(&format!("cap cannot be {spoken};")) && said.contains("give from 0.01 to"),
            "{said}"
        );
        let set = format!("cap={value}");
        let verb = crate::kit::cli::run(&["sim", "buckets", "--set", &set]);
        let verb = String::from_utf8_lossy(&verb.stderr).into_owned();
        assert!(verb.contains(&format!("cap cannot be {value}; give from 0.01 to")), "{verb}");
        let numbers = flat(&visit.line("2"));
        assert!(numbers.contains("15 buckets"), "the setting is as it was: {numbers}");
    }
}

#[test]
fn puzzles_are_a_list_of_their_own_and_par_is_explained() {
    let visit = Visit::new(&Place::Sims, &[]);
    let said = flat(&visit.said);
    let (sims, puzzles) = said.split_once("Heading: Puzzles").unwrap();
    assert!(sims.contains("Heading: Simulators 1. ") && !sims.contains("par "), "{said}");
    assert!(puzzles.contains("Par is the best value that a puzzle can have."), "{said}");
    assert!(puzzles.contains("10. ") && !puzzles.contains("Puzzle:"), "{said}");
}
