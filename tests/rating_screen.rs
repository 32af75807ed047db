//! Rating oneself before the marks, and what that shows over time.
#![allow(clippy::unwrap_used)]

use crate::kit::desk;
use crate::kit::pack as kit;

use std::path::Path;

use desk::Desk;
use infralens::page::place::Place;
use infralens::score::Verdict;
use infralens::store::{Filter, Store};
use infralens::widget::theme::Palette;

/// An answer that covers two of the five parts.
const ANSWER: &str = "I think the problem word is said here. Then the mechanism word is said here.";

fn drill(only: Option<&str>) -> Place {
    Place::Drill { pack: 0, id: "ddp-1".into(), only: only.map(str::to_owned) }
}

fn answered(folder: &Path, place: &Place) -> Desk {
    let mut desk = Desk::on_disk(kit::pack(), place, folder);
    desk.paste(ANSWER).wait(60).keys("<ctrl+s>");
    desk
}

#[test]
fn five_keys_rate_an_answer_and_the_marks_follow() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = answered(folder.path(), &drill(None));
    desk.shows("m missing   p partial   c covered   enter skip");
    desk.hides("say the tradeoff").keys("cm<backspace>pmm");
    desk.shows("5 Measurement    m missing")
        .hides("say the tradeoff")
        .keys("3")
        .shows("5 Measurement    m missing")
        .keys("c")
        .keys("s");
    desk.shows("you thought 50%").shows("say the communication").keys("j").shows("say the tradeoff");
    desk.shows("covered ?  1 of 1  rated ◐");
    // half of a screen holds all that is said of a part
    let screen = desk.resize(120, 40).screen();
    let cut =
        |row: &&str| row.split('│').next().is_some_and(|own| own.contains(" you: ") && own.contains('…'));
    assert_eq!(screen.lines().find(cut), None, "{screen}");
    let kept = Store::open(folder.path()).unwrap().history(&Filter::default(), 9).unwrap();
    assert_eq!(kept.len(), 1);
    assert_eq!(kept[0].rated, Some(0.5));
    assert_eq!(kept[0].rated_parts["measurement"], Verdict::Covered);
    assert_eq!(kept[0].rated_parts["tradeoff"], Verdict::Missing);
}

#[test]
fn one_key_skips_and_nothing_of_a_half_rating_is_kept() {
    for skip in ["<enter>", "<esc>", "<ctrl+s>"] {
        let folder = tempfile::tempdir().unwrap();
        let mut desk = answered(folder.path(), &drill(None));
        desk.keys("cc").keys(skip).keys("s");
        desk.shows("  weakest").hides("you:");
        let store = Store::open(folder.path()).unwrap();
        assert_eq!(store.ratings("course", 9).unwrap(), []);
    }
}

#[test]
fn one_part_takes_one_key() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = answered(folder.path(), &drill(Some("tradeoff")));
    desk.shows("how well did you say it?").shows("What does ddp-1 cost?").keys("ps").shows("you thought 50%");
    let store = Store::open(folder.path()).unwrap();
    assert_eq!(store.ratings("course", 9).unwrap()[0].parts.len(), 1);
}

#[test]
fn the_answer_is_kept_before_it_is_rated() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = answered(folder.path(), &drill(None));
    desk.keys("cc<ctrl+c>");
    assert!(desk.ended);
    drop(desk);
    let mut again = Desk::on_disk(kit::pack(), &Place::Home, folder.path());
    again.hides("Finish").keys("y<enter>").shows("said here").hides("you thought");
}

#[test]
fn letters_of_the_rating_change_no_answer_and_no_clock_runs() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = answered(folder.path(), &drill(None));
    let ticks = desk.ticks;
    desk.keys("xyz").paste("more words").wait(600).keys("<enter>s");
    assert_eq!(desk.ticks, ticks);
    desk.shows("1:00").hides("more words");
}

/// Somebody who thinks too well of themselves at first, on each of three days.
fn learner() -> Desk {
    let mut desk = Desk::new(kit::pack(), &drill(None));
    for (own, days) in [("ccccc", 1), ("ccpcm", 1), ("ccmmm", 0)] {
        desk.paste(ANSWER).wait(60).keys("<ctrl+s>").keys(own).keys("s");
        desk.shows("you thought").wait(days * 86_400).keys("r");
    }
    desk.keys("<esc>p");
    desk
}

#[test]
fn progress_holds_own_ratings_against_the_marks() {
    let mut desk = learner();
    desk.keys("o").shows("Own rating");
    desk.shows("You rate yourself 30 points too high over 3 answers.");
    desk.shows("60 too high").shows("30 too high").shows("right");
    desk.shows("too high in 2 of 3").shows("as marked each time");
    desk.keys("<down><down><enter>").shows("verdict").shows("you thought 100%");
    desk.keys("<esc>").shows("Own rating").keys("<esc>").shows("drill this");
}

#[test]
fn without_ratings_it_says_how_to_get_one() {
    let mut desk = Desk::new(kit::pack(), &Place::Progress);
    desk.keys("o").shows("Own rating").shows("No ratings yet.");
    desk.hides("enter open").keys("<down>r").shows("No ratings yet.");
}

#[test]
fn own_ratings_look_as_they_did_at_any_size() {
    let mut desk = learner();
    desk.keys("o");
    for (width, height) in [(0, 0), (1, 1), (20, 5), (60, 16), (300, 100)] {
        desk.resize(width, height).keys("<down><up>G<pgup>").screen();
    }
    desk.keys("g");
    for (width, height) in [(80, 24), (120, 40)] {
        desk.resize(width, height);
        insta::assert_snapshot!(format!("own-rating-{width}x{height}"), desk.screen());
    }
}

#[test]
fn without_colour_and_in_ascii_each_way_has_its_sign() {
    let mut desk = Desk::themed(kit::pack(), &drill(None), Palette::Mono, true);
    desk.paste(ANSWER).wait(60).keys("<ctrl+s>mcpmms<esc>po");
    let screen = desk.screen();
    for words in [
        "Problem: too low in 1 of 1",
        "Mechanism, Tradeoff, Measurement: as marked each time",
        "Communication: too high in 1 of 1",
    ] {
        assert!(screen.contains(words), "{screen}");
    }
    assert!(screen.is_ascii(), "{screen}");
}
