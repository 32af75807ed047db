//! What a listener is told first: sentences before tables, what will happen before it does.

use infralens::page::place::Place;

use crate::kit::visit::*;

/// A verdict on an answer of two sentences.
fn verdict() -> Visit {
    let lines =
        ["Each rank averages the gradients with an all-reduce.", "Buckets overlap with backward.", ".", ""];
    let visit = Visit::new(&drill(), &lines);
    assert!(visit.said.contains("Page: Verdict."), "{}", visit.said);
    visit
}

#[test]
fn a_dispute_says_first_what_becomes_of_it_and_asks_one_thing_at_a_time() {
    let mut visit = verdict();
    let asked = flat(&visit.line("u 4"));
    assert!(asked.contains("The mark stays as it is; your reason stands beside it"), "{asked}");
    assert_eq!(asked.matches("What is wrong with").count(), 1, "{asked}");
    assert!(!asked.contains("Your answer"), "the verdict is not said once more: {asked}");
    let again = flat(&visit.line(""));
    assert!(again.starts_with("Nothing is disputed yet.") && again.contains("What is wrong with"), "{again}");
    let which = flat(&visit.line("I said that buckets overlap with backward"));
    assert!(
        which.contains("Enter takes 2, the likeliest.") && which.contains("leave drops the dispute"),
        "{which}"
    );
    assert!(flat(&visit.line("what?")).starts_with("Type the number of the sentence."));
    let kept = flat(&visit.line(""));
    assert!(kept.contains("Your dispute is kept") && kept.contains("You are back at the verdict"), "{kept}");
    assert!(visit.place().contains("verdict"));
    assert!(visit.line("u 4").contains("taken back"));
}

#[test]
fn a_dispute_is_left_by_a_word_and_q_keeps_the_reason() {
    let mut visit = verdict();
    visit.line("u 4");
    assert!(visit.line("leave").starts_with("Nothing was disputed."));
    visit.line("u 4");
    visit.line("it is too low");
    assert!(visit.line("leave").starts_with("Nothing was disputed."));
    visit.line("u 4");
    visit.line("it is too low");
    assert!(visit.line("q").starts_with("Your dispute is kept"));
    assert!(visit.place().contains("verdict"), "a step back is a step within the page");
    visit.line("u 5");
    let left = visit.line("q");
    assert!(left.starts_with("Nothing was disputed.") && left.contains("Page: Verdict."), "{left}");
}

#[test]
fn progress_is_told_in_sentences_and_the_map_on_request() {
    let mut visit = Visit::new(&Place::Progress, &[]);
    let said = flat(&visit.said);
    for told in [
        "Asked so far: 1 of 12 lessons.",
        "Weakest: ",
        "Enter asks for the weakest, ",
        "map reads every part",
    ] {
        assert!(said.contains(told), "no “{told}” in {said}");
    }
    assert!(!said.contains("Card 1") && !said.contains("Not asked yet"), "{said}");
    assert!(visit.said.lines().count() < 24, "{}", visit.said);
    let map = flat(&visit.line("map"));
    assert!(
        map.contains("Data parallelism: DDP: 6. Problem ") && map.contains("Not asked yet: 11 more."),
        "{map}"
    );
    // the numbers are the same, read or not
    assert!(flat(&visit.line("map")).contains("Weakest: "));
    assert!(visit.line("9").contains("Page: One part."));
    visit.line("q");
    assert!(visit.line("").contains("Page: One part."), "Enter asks for the weakest");
}
