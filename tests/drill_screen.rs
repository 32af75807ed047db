//! Answering a drill in the terminal.
#![allow(clippy::unwrap_used)]

use crate::kit::desk::Desk;
use crate::kit::pack as kit;

use infralens::page::place::Place;
use infralens::services::job::Job;
use infralens::services::run;
use infralens::store::Filter;
use infralens::tui::event::What;

fn drill(only: Option<&str>) -> Place {
    Place::Drill { pack: 0, id: "ddp-1".into(), only: only.map(str::to_owned) }
}

#[test]
fn a_paste_that_is_too_long_is_refused_with_a_word_and_nothing_is_lost() {
    let mut desk = Desk::new(kit::pack(), &drill(None));
    desk.keys("mine")
        .paste(&"word ".repeat(1 << 20))
        .shows("Nothing was pasted")
        .keys("<left>")
        .shows("1 word");
    desk.keys("<ctrl+x>").shows("0 words").keys("<ctrl+z>").shows("mine");
}

#[test]
fn an_answer_of_a_megabyte_is_taken_scored_and_shown_in_part() {
    let mut desk = Desk::new(kit::pack(), &drill(None));
    desk.paste(&"each rank holds a shard of it. ".repeat(33_000)).shows("231000 words").keys("<ctrl+s>");
    assert!(marked(&mut desk));
    desk.keys("<enter>")
        .shows("› verdict")
        .resize(120, 900)
        .shows("Here end the first 23 kB of 1023.")
        .resize(80, 24);
    desk.keys("m").keys("m").keys("u").shows("rules");
}

#[test]
fn a_long_answer_is_marked_beside_the_keys_and_what_is_typed_meanwhile_is_not_lost() {
    let mut desk = Desk::new(kit::pack(), &drill(None));
    desk.paste(&"each rank holds a shard of it. ".repeat(2000)).keys("<ctrl+s>").shows("Marking …");
    desk.keys("<ctrl+s>").keys("and more");
    assert_eq!(desk.jobs.len(), 1, "it is marked once");
    assert!(marked(&mut desk));
    desk.shows("You typed on").shows("and more");
    assert!(desk.store().history(&Filter::default(), 1).unwrap().is_empty());
    desk.keys("<ctrl+s>");
    assert!(marked(&mut desk));
    let kept = desk.store().history(&Filter::default(), 9).unwrap();
    assert!(kept.len() == 1 && kept[0].answer.ends_with("and more"));
    assert!(desk.store().drafts("course").unwrap().is_empty());
    // an answer as a person types it waits for nothing
    let mut desk = Desk::new(kit::pack(), &drill(None));
    desk.paste(&"each rank holds a shard of it. ".repeat(100)).keys("<ctrl+s>").hides("Marking");
    assert!(!marked(&mut desk));
    assert_eq!(desk.store().history(&Filter::default(), 9).unwrap().len(), 1);
}

/// Marks what is to be marked beside the program; says whether there was something.
fn marked(desk: &mut Desk) -> bool {
    let Some(Job::Mark(unmarked)) = desk.jobs.pop() else { return false };
    desk.send(What::Done(Box::new(run::marked(&kit::pack(), *unmarked))));
    true
}

#[test]
fn a_full_answer_takes_no_more_keys_and_says_so() {
    let mut desk = Desk::new(kit::pack(), &drill(None));
    desk.paste(&"word ".repeat((2 << 20) / 5)).keys("xxxxxxxx").shows("2 MB at most, and this one is full");
    desk.keys("<backspace><backspace>y").hides("this one is full");
}

#[test]
fn a_long_text_is_typed_into_at_its_start_and_its_end() {
    let mut desk = Desk::new(kit::pack(), &drill(None));
    desk.paste(&"each rank holds a shard of it. ".repeat(4000)).shows("28000 words");
    desk.keys(" end").shows("28001 words").shows("shard of it.  end");
    desk.wait(1).keys("<esc>");
    let kept = &desk.store().drafts("course").unwrap()[0].text;
    assert!(kept.len() == 31 * 4000 + 4 && kept.ends_with(" end"));
}

#[test]
fn the_parts_open_one_by_one() {
    let mut desk = Desk::new(kit::pack(), &drill(None));
    let asks = kit::pack().parts.iter().map(|p| p.question[..20].to_owned()).collect::<Vec<_>>();
    desk.shows("1\u{a0}Problem").hides(&asks[0]);
    for at in 0..asks.len() {
        desk.keys("<ctrl+t>").shows(&asks[at]).hides(&asks[(at + 1) % asks.len()]);
    }
    desk.keys("<ctrl+t>").hides(&asks[asks.len() - 1]);
}

#[test]
fn a_follow_up_shows_the_prompt_and_the_answer_that_it_goes_into() {
    let mut desk = Desk::new(kit::pack(), &drill(None));
    desk.paste("The problem word is here.").keys("<ctrl+s><enter>f");
    desk.shows("one part")
        .shows("The prompt was: Explain ddp-1.")
        .shows("You answered: The problem word is here.");
}

#[test]
fn the_clock_counts_up_on_the_title_line_and_says_when_it_is_over() {
    let mut desk = Desk::new(kit::pack(), &drill(None));
    desk.wait(65);
    assert!(desk.screen().lines().next().unwrap().contains("1:05"));
    desk.wait(3600).shows("over time");
}

/// The seconds of the draft, after leaving.
fn seconds(desk: &mut Desk) -> u32 {
    desk.keys("s<esc>");
    desk.store().drafts("course").unwrap()[0].seconds
}

#[test]
fn a_time_in_which_the_machine_slept_does_not_count_and_that_is_said() {
    let mut desk = Desk::new(kit::pack(), &drill(None));
    desk.keys("word").wait(20).sleep(10 * 86_400).shows("The clock stood still for 240:00:00");
    desk.shows("0:20").hides("over time").wait(5);
    assert_eq!(seconds(&mut desk), 25);
}

#[test]
fn the_clock_goes_on_after_a_restart_and_never_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = Desk::on_disk(kit::pack(), &drill(None), folder.path());
    // two minutes of thinking after the last word, and then the machine is switched off
    desk.wait(60).keys("each rank").wait(120);
    assert_eq!(seconds(&mut desk), 180);
    drop(desk);
    let mut desk = Desk::on_disk(kit::pack(), &drill(None), folder.path());
    assert!((175..=180).contains(&seconds(&mut desk)), "{}", desk.screen());
    // left by a key, not a second is lost
    desk.wait(33);
    let before = seconds(&mut desk);
    desk.keys("<ctrl+q>");
    drop(desk);
    assert_eq!(seconds(&mut Desk::on_disk(kit::pack(), &drill(None), folder.path())), before);
}

#[test]
fn a_moment_away_counts() {
    let mut desk = Desk::new(kit::pack(), &drill(None));
    desk.keys("word").wait(20).sleep(40).hides("stood still");
    assert_eq!(seconds(&mut desk), 60);
}

#[test]
fn a_clock_that_is_set_back_takes_nothing_away() {
    let mut desk = Desk::new(kit::pack(), &drill(None));
    desk.keys("word").wait(20).sleep(-7200).shows("0:20").wait(5).shows("0:25");
    assert_eq!(seconds(&mut desk), 25);
}

#[test]
fn a_slip_of_the_keys_is_handed_back_once_and_counts_for_nothing() {
    let place = Place::Drill { pack: 0, id: "ddp-1".into(), only: None };
    let mut desk = Desk::new(kit::pack(), &place);
    desk.paste("ccccc").keys("<ctrl+s>").shows("too short to judge").hides("verdict");
    desk.shows("ccccc").keys(" and d<ctrl+s>").shows("too short to judge").hides("Before the marks");
    // who means it ends it once more
    desk.keys("<ctrl+s>").shows("Before the marks");
}
