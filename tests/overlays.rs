//! What stands over a page: the glossary, term cards, the keys, the jump list.

use crate::kit::desk;

use desk::Desk;
use infralens::pack::{self, Pack};
use infralens::page::place::Place;
use infralens::widget::theme::Palette;

fn course() -> Pack {
    pack::load(&infralens::built_in::ORIGIN).pack.unwrap()
}

#[test]
fn the_glossary_shows_the_definition_of_the_chosen_term() {
    let course = course();
    let mut desk = Desk::new(course.clone(), &Place::Home);
    desk.keys("t");
    for (width, height) in [(80, 24), (120, 40), (200, 60)] {
        desk.resize(width, height);
        for term in course.terms.iter().filter(|term| ["bubble", "ring"].contains(&&*term.id)) {
            let begins: String = term.definition.split(' ').take(3).collect::<Vec<_>>().join(" ");
            desk.paste(&term.name).shows(&begins).keys("<ctrl+u>");
        }
    }
    desk.keys("<down>").shows("Taught in: ").keys("<up>");
}

#[test]
fn escape_goes_one_step_back_from_term_to_term() {
    let mut desk = Desk::new(course(), &Place::Home);
    desk.resize(120, 40).keys("t").paste("all-gather").keys("<enter>").shows("▸ See also: ");
    let card = desk.screen();
    desk.keys("<enter>");
    assert_ne!(desk.screen(), card);
    desk.keys("<esc>");
    assert_eq!(desk.screen(), card);
    desk.keys("<esc>").shows("Glossary").shows("all-gather").hides("Another one?");
    desk.keys("<ctrl+u>").paste("qqqq").wait(1).keys("<enter>").shows("Glossary").shows("Nothing here has");
    desk.keys("<esc>").hides("Glossary");
}

#[test]
fn keys_that_belong_together_stand_together() {
    let mut desk = Desk::new(course(), &Place::Home);
    let screen = desk.resize(120, 40).keys("?").screen();
    let row = |words: &str| screen.lines().position(|line| line.contains(words)).unwrap();
    assert!(row("│ Moving") < row("│ j, down") && row("│ j, down") < row("│ Everywhere"));
    assert!(row("enter  ") < row("│ Moving"));
    assert_eq!(row("│ right, l") + 1, row("│ left, h"), "what undoes it stands below it");
    desk.hides("enter open").shows("esc close");
}

#[test]
fn a_whole_question_finds_by_the_words_that_mean_something() {
    let mut desk = Desk::new(course(), &Place::Home);
    desk.resize(120, 40).keys("/").paste("when should I use FSDP instead of DDP?");
    desk.wait(5).hides("With these letters").shows("lesson   Sharding the state");
}

#[test]
fn a_digit_does_nothing_where_no_number_is_seen() {
    let mut desk = Desk::new(course(), &Place::Home);
    let home = desk.screen();
    assert_eq!(desk.keys("9358").screen(), home);
}

#[test]
fn in_ascii_the_words_of_the_program_are_ascii_too() {
    let mut desk = Desk::themed(course(), &Place::Home, Palette::Mono, true);
    let screen = desk.resize(120, 40).keys("/").paste("qqqq").wait(60).screen();
    assert!(screen.contains("\"qqqq\""), "{screen}");
    assert!(screen.is_ascii(), "{screen}");
}
