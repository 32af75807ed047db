//! The rehearsal on screen: set-up, clocks, one take, follow-up, leaving, going on, report.
#![allow(clippy::unwrap_used)]

use crate::kit::desk;
use crate::kit::pack as kit;

use desk::Desk;
use infralens::page::place::Place;
use infralens::score::Verdict;
use infralens::store::{Filter, Store};
use infralens::study::class::given::Given;
use infralens::study::rehearsal::{Setup, Topics};

/// An answer that earns the marks of two parts.
const ANSWER: &str = "I think the problem word is said here. Then the mechanism word is said here.";

fn setup() -> Setup {
    Setup { count: 2, ..Setup::screen("course", 7) }
}

fn running(setup: Setup) -> Desk {
    let place = Place::RehearseWith { setup: Box::new(setup), start: true };
    Desk::new(kit::pack(), &place)
}

fn practice() -> Setup {
    Setup { strict: false, ..setup() }
}

/// A strict run of two prompts, to its report.
fn finished() -> Desk {
    let mut desk = running(setup());
    desk.wait(2).keys("buckets").wait(8).keys("<ctrl+s>");
    desk.wait(4).paste(ANSWER).wait(20).keys("<ctrl+s>");
    desk.wait(3).paste("the tradeoff word costs 8 GB").wait(57);
    desk.wait(30).wait(5).paste("Nothing of use. ").wait(115).wait(60);
    desk
}

#[test]
fn a_whole_strict_rehearsal_from_home_to_its_report() {
    let mut desk = Desk::new(kit::pack(), &Place::Home);
    desk.shows("r rehearse").keys("r");
    desk.shows("enter start").shows("5 prompts, at most 18 minutes");
    desk.keys("<down><down>2<enter><enter>");
    desk.shows("Think").shows("0:30 left").shows("prompt 1 of 2");
    desk.hides("quarter").paste("notes: buckets").wait(22);
    desk.shows("0:08 left").shows("eight seconds left");
    desk.wait(8).shows("Answer").shows("2:00 left").shows("notes: buckets");
    desk.wait(4).paste(ANSWER).shows("15 words").wait(86);
    desk.shows("0:30 left").shows("a quarter of the time or less");
    desk.wait(29).shows("0:01 left").shows("one second left");
    desk.wait(1).shows("Follow-up").shows("1:00 left").shows("0 words");
    desk.hides("on Tradeoff").paste("It costs the tradeoff word.").wait(2).keys("<ctrl+s>");
    desk.shows("prompt 2 of 2").shows("Think");
    desk.keys("<ctrl+s>").wait(2).keys("<ctrl+s>");
    desk.shows("you have typed nothing yet").keys("<ctrl+s>");
    desk.shows("Rehearsal report").shows("1 of 2 prompts answered").shows("Limited by");
    desk.shows("follow-up: What does").shows("ran out");
    desk.keys("<esc>").shows("last rehearsal, Mon 2 Mar").shows("Report");
    desk.keys("y").shows("follow-up").hides("No answers yet");
}

#[test]
fn screens_look_as_they_did() {
    for (width, height) in [(80, 24), (120, 40)] {
        let look = |name: &str, desk: &mut Desk| {
            desk.resize(width, height);
            insta::assert_snapshot!(format!("{name}-{width}x{height}"), desk.screen());
        };
        look("setup", &mut Desk::new(kit::pack(), &Place::Rehearse));
        look("lessons", Desk::new(kit::pack(), &Place::Rehearse).keys("<down><space><down><space>"));
        look("think", running(setup()).wait(3).paste("buckets, overlap").wait(20));
        look("answer", running(setup()).paste("buckets\noverlap").keys("<ctrl+s>").paste(ANSWER).wait(95));
        look("leave", running(setup()).keys("<ctrl+s>").paste(ANSWER).keys("<esc>"));
        look("follow-up", running(setup()).keys("<ctrl+s>").paste(ANSWER).keys("<ctrl+s>").wait(9));
        look("parts", running(practice()).keys("<ctrl+s><ctrl+t>").paste(ANSWER));
        look("rating", running(practice()).keys("<ctrl+s>").paste(ANSWER).keys("<ctrl+s>cp"));
        look("marks", running(practice()).keys("<ctrl+s>").paste(ANSWER).keys("<ctrl+s><enter>"));
        look("report", &mut finished());
        look("reports", finished().keys("y"));
    }
}

#[test]
fn every_screen_stands_any_size() {
    let setup_of = |keys: &str| {
        let mut desk = Desk::new(kit::pack(), &Place::Rehearse);
        desk.keys(keys);
        desk
    };
    let run = |setup: Setup, keys: &str| {
        let mut desk = running(setup);
        desk.paste("notes\nover\nsome\nlines\nmore\nand more").keys("<ctrl+s>").paste(ANSWER).keys(keys);
        desk
    };
    let mut all = vec![
        setup_of(""),
        setup_of("<down><space>"),
        running(setup()),
        run(setup(), ""),
        run(setup(), "<esc>"),
        run(setup(), "<ctrl+s>"),
        run(practice(), "<ctrl+t>"),
        run(practice(), "<ctrl+s>"),
        finished(),
    ];
    for desk in &mut all {
        for (width, height) in [(0, 0), (1, 1), (20, 5), (60, 16), (300, 100), (61, 17), (80, 24)] {
            desk.resize(width, height).keys("<down><up><pgdn>").screen();
        }
    }
}

#[test]
fn it_wakes_on_the_second_alone() {
    let mut desk = running(setup());
    desk.wait_millis(2_300);
    assert_eq!(desk.ticks, 2);
    for _ in 0..7 {
        desk.keys("x").wait_millis(100);
    }
    assert_eq!((desk.ticks, desk.now.subsec_millisecond()), (3, 0));
    desk.wait(5);
    assert_eq!(desk.ticks, 8);
    let mut report = finished();
    let before = report.ticks;
    report.wait(600);
    assert_eq!(report.ticks, before, "no clock, no waking");
}

#[test]
fn the_clock_runs_under_the_keys() {
    let mut desk = running(setup());
    desk.keys("<f1>").shows("Keys of this screen").wait(30).wait(120);
    desk.keys("<esc>").shows("prompt 2 of 2");
}

/// A drill on screen whose follow-up on the tradeoff has an answer and patterns of its own.
fn with_answer() -> Desk {
    let mut pack = kit::pack();
    for drill in &mut pack.drills {
        let on_tradeoff = drill.follow_ups.iter_mut().find(|f| f.part == "tradeoff").unwrap();
        on_tradeoff.matches = vec!["rank 3 + rank 11".into()];
        on_tradeoff.answer = Some("It costs ranks 3 and 11.".into());
    }
    let place = Place::Drill { pack: 0, id: "ddp-1".into(), only: None };
    Desk::new(pack, &place)
}

#[test]
fn a_full_answer_is_asked_further_and_the_stored_answer_stands_beside_ones_own() {
    let mut desk = with_answer();
    let parts = ["problem", "mechanism", "communication", "tradeoff", "measurement"];
    let said: String = parts.iter().map(|p| format!("The {p} word is here. ")).collect();
    desk.paste(&said).keys("<ctrl+s><enter>s").shows("100%").keys("f");
    desk.shows("What does ddp-1 cost?").hides("It costs ranks");
    desk.paste("rank 3 and rank 11").keys("<ctrl+s><enter>s");
    desk.shows("What does ddp-1 cost?")
        .shows("4 Tradeoff  covered")
        .shows("The answer")
        .shows("It costs ranks 3 and 11.")
        .hides("1 Problem");
}

#[test]
fn an_empty_answer_is_not_followed_up() {
    let mut desk = running(Setup { count: 1, ..setup() });
    desk.keys("<ctrl+s><ctrl+s><ctrl+s>").shows("Rehearsal report");
    desk.keys("<enter>").shows("Your answer").keys("f");
    desk.shows("nothing was answered");
}

#[test]
fn strict_has_no_hints_and_no_way_back() {
    let mut desk = running(setup());
    desk.keys("<ctrl+s>").paste(ANSWER).keys("<ctrl+t><f2><ctrl+p>");
    desk.hides("What does not fit").hides("jump anywhere").shows("15 words");
    desk.keys("<esc>").shows("Leave the rehearsal?").shows("The clock keeps running");
    desk.keys("x").wait(10).shows("1:50 left").keys("<esc>").shows("15 words");
}

#[test]
fn practice_shows_the_parts_and_the_marks_after_each_answer() {
    let mut desk = running(practice());
    desk.keys("<ctrl+s><ctrl+t>").shows("5\u{a0}Measurement").paste(ANSWER).keys("<ctrl+s>");
    desk.shows("no clock is running").shows("c covered").hides("  weakest").keys("<enter>");
    desk.shows("no clock is running").shows("covered").shows("  weakest");
    desk.wait(600).keys("os").shows("verdict").keys("<esc>").shows("no clock is running");
    desk.keys("<enter>").shows("Follow-up").shows("1:00 left").shows("on Tradeoff");
    desk.paste("the tradeoff word")
        .keys("<ctrl+s>")
        .hides("how well did you say it?")
        .shows("Marks")
        .keys("n")
        .shows("prompt 2 of 2");
}

#[test]
fn in_practice_five_keys_rate_an_answer_before_its_marks() {
    let folder = tempfile::tempdir().unwrap();
    let place = Place::RehearseWith { setup: Box::new(practice()), start: true };
    let mut desk = Desk::on_disk(kit::pack(), &place, folder.path());
    desk.keys("<ctrl+s>").paste(ANSWER).keys("<ctrl+s>");
    desk.hides("say the tradeoff").keys("ccx<left>pm");
    desk.shows("Rating").hides("say the tradeoff").keys("m");
    desk.shows("Marks").shows("you thought 50%");
    desk.keys("n<esc>s").shows("Rehearsal report");
    let store = Store::open(folder.path()).unwrap();
    let kept = store.ratings("course", 10).unwrap();
    assert_eq!(kept.len(), 1, "{kept:?}");
    assert_eq!((kept[0].own, kept[0].parts.len()), (0.5, 5));
    let report = &store.rehearsals("course", 1).unwrap()[0].id;
    let report = store.report(report).unwrap().unwrap();
    assert_eq!(report.answers[0].rated, Some(0.5));
    assert!(report.markdown("today", None).contains("rated 50% before the marks"));
}

#[test]
fn a_strict_rehearsal_asks_for_no_rating() {
    let mut desk = running(setup());
    desk.keys("<ctrl+s>").paste(ANSWER).keys("<ctrl+s>");
    desk.shows("Follow-up").hides("how well did you say");
    desk.paste(ANSWER).keys("<ctrl+s>");
    desk.shows("Think").hides("how well did you say");
}

#[test]
fn letters_of_an_answer_that_the_clock_ended_rate_nothing() {
    let mut desk = running(practice());
    desk.keys("<ctrl+s>").paste(ANSWER).wait(120);
    desk.shows("Rating").keys("mpccm<enter>");
    desk.shows("Rating").shows("the time was up").wait(2);
    desk.keys("<enter>").shows("Marks").hides("you thought");
}

#[test]
fn after_a_kill_marks_that_may_have_been_seen_are_not_rated() {
    let folder = tempfile::tempdir().unwrap();
    let place = Place::RehearseWith { setup: Box::new(practice()), start: true };
    let mut desk = Desk::on_disk(kit::pack(), &place, folder.path());
    desk.keys("<ctrl+s>").paste(ANSWER).keys("<ctrl+s>").shows("Rating");
    drop(desk);
    let mut again = Desk::on_disk(kit::pack(), &Place::Home, folder.path());
    again.keys("r<enter>").shows("Marks").hides("Rating");
}

#[test]
fn home_is_walked_down_and_up_with_a_rehearsal_broken_off() {
    let folder = tempfile::tempdir().unwrap();
    let place = Place::RehearseWith { setup: Box::new(setup()), start: true };
    let mut desk = Desk::on_disk(kit::pack(), &place, folder.path());
    desk.keys("<ctrl+s>").paste(ANSWER).wait(2);
    drop(desk);
    let mut home = Desk::on_disk(kit::pack(), &Place::Home, folder.path());
    for row in ["▸ Go on", "▸ Read", "▸ Play", "▸ Interview", "▸   DDP", "▸   ZERO", "▸   TP"] {
        home.shows(row).keys("j");
    }
    for row in ["▸   TP", "▸   ZERO", "▸   DDP", "▸ Interview", "▸ Play", "▸ Read", "▸ Go on"] {
        home.shows(row).keys("k");
    }
}

#[test]
fn a_key_meant_for_the_answer_that_ran_out_does_not_end_the_next() {
    let mut desk = running(Setup { follow_ups: false, ..setup() });
    desk.keys("<ctrl+s>").paste(ANSWER).wait(120).shows("prompt 2 of 2").shows("Think");
    desk.keys("<ctrl+s>").shows("Think").shows("the time was up").wait(2).keys("<ctrl+s>").shows("Answer");
}

#[test]
fn typing_at_the_last_moment_is_scored_and_later_keys_are_not_in_it() {
    let mut desk = running(Setup { follow_ups: false, count: 1, ..setup() });
    desk.keys("<ctrl+s>").paste("the problem word is here").wait(119).wait_millis(900).keys(" now");
    desk.wait_millis(100)
        .shows("Rehearsal report")
        .keys("<enter>")
        .resize(80, 40)
        .shows("the problem word")
        .shows("here now");
}

#[test]
fn the_bell_rings_where_it_is_wanted() {
    let mut desk = Desk::new(kit::pack(), &Place::Rehearse);
    desk.keys("<enter>").wait(30);
    assert_eq!(desk.bells, 0);
    let mut desk = Desk::new(kit::pack(), &Place::Rehearse);
    // Bell is the second setting from the end
    desk.keys("<down><down><down><down><down><down><down><down><space>").shows("Bell        on");
    desk.keys("<enter>").wait(30);
    assert_eq!(desk.bells, 2, "ten seconds, which come before a quarter, and 0:00");
    desk.keys("<ctrl+s>").paste(ANSWER).wait(120);
    assert_eq!(desk.bells, 5, "a quarter, ten seconds, 0:00");
}

#[test]
fn suspended_the_clock_keeps_running_and_the_report_says_so() {
    let mut desk = running(setup());
    desk.keys("<ctrl+s>").paste(ANSWER).wait(2).sleep(40);
    desk.shows("1:18 left").shows("away for 0:40");
    desk.keys("<ctrl+s><ctrl+s><ctrl+s>").keys("<esc>s");
    desk.shows("Rehearsal report").keys("G").shows("was suspended or hidden").shows("for 0:40");
}

#[test]
fn a_sleeping_machine_stops_the_clock_and_the_way_on_is_asked() {
    let mut desk = running(setup());
    desk.keys("<ctrl+s>").paste(ANSWER).wait(2).sleep(86_400);
    desk.shows("The clock stands still").shows("stopped for 24:00:00").shows("1:58 are left");
    desk.wait(600).shows("1:58 are left").keys("<esc>").shows("1:58 left").wait(8).shows("1:50 left");
    desk.shows("15 words").keys("<esc>s");
    desk.shows("Rehearsal report").keys("G").shows("broken off once");
}

#[test]
fn after_a_sleep_it_can_be_scored_at_once_or_left_for_later() {
    let mut desk = running(setup());
    desk.keys("<ctrl+s>").paste(ANSWER).wait(2).sleep(86_400).keys("s").shows("Rehearsal report");
    let mut desk = running(setup());
    desk.keys("<ctrl+s>").paste(ANSWER).wait(2).sleep(86_400).keys("l").shows("Go on").keys("r");
    desk.shows("1:58 were left to answer");
}

#[test]
fn leaving_for_later_goes_on_with_the_time_that_was_left() {
    let mut desk = running(setup());
    desk.keys("<ctrl+s>").paste(ANSWER).wait(50).keys("<esc>").wait(3).keys("l");
    desk.shows("Go on").wait(3600).keys("r");
    desk.shows("A rehearsal was broken off").shows("1:07 were left to answer, 15 words");
    desk.keys("<enter>").shows("1:07 left").shows("15 words").shows("said here");
    desk.wait(67).shows("Follow-up").keys("<esc>s").keys("G").shows("broken off once and continued later");
}

#[test]
fn a_rehearsal_in_which_nothing_was_typed_is_not_kept() {
    let mut desk = running(setup());
    desk.wait(3).keys("<esc>").shows("nothing of it is kept").keys("l").hides("Go on");
    // nor where what was typed was taken back
    let mut desk = running(setup());
    desk.keys("<ctrl+s>x").wait(2).keys("<backspace>").wait(2).keys("<esc>l").hides("Go on");
    assert!(desk.store().home("course", desk.now, &jiff::tz::TimeZone::UTC).unwrap().unfinished.is_none());
}

#[test]
fn what_was_broken_off_can_be_scored_or_given_up() {
    let left = || {
        let mut desk = running(setup());
        desk.keys("<ctrl+s>").paste(ANSWER).wait(50).keys("<esc>l").wait(60).keys("r");
        desk
    };
    let mut desk = left();
    desk.keys("s").shows("1 of 2 prompts answered").shows("1 prompt was not answered; enter shows it");
    // the next rehearsal may ask it
    desk.keys("<down><enter>")
        .shows("1 prompt was not answered; enter hides it")
        .keys("<enter>")
        .shows("enter shows it");
    desk.keys("<esc>").hides("Go on").shows("last rehearsal");
    let mut desk = left();
    desk.keys("d").shows("d again").shows("broken off").keys("d").shows("An interview against the clock");
    desk.keys("<esc>").hides("Go on").hides("last rehearsal");
}

#[test]
fn giving_up_while_it_runs_asks_twice() {
    let mut desk = running(setup());
    desk.keys("<ctrl+s>").paste(ANSWER).keys("<esc>d").shows("d again").keys("d");
    desk.shows("Try one question").hides("Go on").keys("r").shows("An interview against the clock");
}

#[test]
fn quitting_needs_two_and_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let place = Place::RehearseWith { setup: Box::new(setup()), start: true };
    let mut desk = Desk::on_disk(kit::pack(), &place, folder.path());
    desk.keys("<ctrl+s>").paste(ANSWER).keys("<ctrl+q>");
    assert!(!desk.ended);
    desk.shows("Leave the rehearsal?").keys("<ctrl+q>");
    assert!(desk.ended);
    drop(desk);
    let mut again = Desk::on_disk(kit::pack(), &Place::Home, folder.path());
    again.shows("Go on").keys("<enter>").shows("2:00 were left to answer, 15 words");
}

#[test]
fn the_same_seed_asks_the_same_again() {
    let mut desk = finished();
    let first = desk.screen();
    desk.keys("r").shows("7 ").shows("2:00").keys("<enter>");
    let asked = desk.screen();
    let question = asked.lines().nth(1).unwrap().trim().to_owned();
    assert!(first.contains(&format!("1  {question}")), "{question}\n{first}");
}

#[test]
fn the_settings_of_the_last_time_come_back_with_another_seed() {
    let mut desk = Desk::new(kit::pack(), &Place::Rehearse);
    desk.keys("<down><down>3<enter><down>0<enter><down>1:15<enter><down><right><enter>")
        .shows("Answer")
        .shows("1:15 left");
    desk.keys("<esc>s<esc>").wait_millis(321).keys("r");
    desk.shows("no time").shows("1:15").shows("practice").shows("out of 6");
}

#[test]
fn lessons_are_chosen_and_fewer_drills_are_said() {
    let mut desk = Desk::new(kit::pack(), &Place::Rehearse);
    desk.keys("<down><space>").shows("[ ] DDP").keys("<space>").shows("[x] DDP").keys("<enter>");
    desk.shows("1 lesson").shows("all that these lessons have").shows("2 prompts, at most");
    desk.keys("<right>").shows("weakest first").shows("You have no marks yet");
}

#[test]
fn a_pack_without_drills_says_so() {
    let mut pack = kit::pack();
    pack.drills.clear();
    let mut desk = Desk::new(pack, &Place::Rehearse);
    desk.shows("Nothing to rehearse").keys("<enter>").shows("there is no drill to ask");
}

#[test]
fn a_report_opens_answers_reads_on_and_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let place = Place::RehearseWith {
        setup: Box::new(Setup { topics: Topics::Lessons(vec!["zero".into()]), ..setup() }),
        start: true,
    };
    let mut desk = Desk::on_disk(kit::pack(), &place, folder.path());
    desk.keys("<ctrl+s>").paste(ANSWER).keys("<ctrl+s>").keys("<esc>s");
    desk.shows("Rehearsal report").keys("<enter>s").shows("Explain zero-").keys("<esc>");
    desk.keys("g").shows("ZERO").keys("<esc>").keys("x").shows("Written: ");
    let written: Vec<String> = std::fs::read_dir(folder.path().join("reports"))
        .unwrap()
        .map(|f| f.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(written.len(), 2, "{written:?}");
    let page = folder.path().join("reports/rehearsal-2026-03-02-100000.md");
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("# Rehearsal of 2026-03-02 10:00") && page.contains("mechanism word"), "{page}");
    desk.keys("<esc>").keys("r").keys("y").keys("<enter>").shows("1 of 2 prompts answered");
}

#[test]
fn reports_show_what_the_instructor_gave_since_with_the_name() {
    let folder = tempfile::tempdir().unwrap();
    let place = Place::RehearseWith { setup: Box::new(setup()), start: true };
    let mut desk = Desk::on_disk(kit::pack(), &place, folder.path());
    desk.resize(130, 45);
    desk.keys("<ctrl+s>").paste(ANSWER).keys("<ctrl+s>").keys("<esc>s");
    desk.shows("Rehearsal report").hides("instructor");
    let kept = desk.store().history(&Filter::default(), 10).unwrap();
    let answer = kept.iter().find(|a| a.part.is_none() && a.answer == ANSWER).unwrap();
    let part = answer.score.parts.iter().find(|p| p.verdict != Verdict::Covered).unwrap();
    let given = Given {
        attempt: answer.id.clone(),
        part: Some(part.part.clone()),
        verdict: Some(Verdict::Covered),
        remark: String::new(),
        by: "Dr B".into(),
        at: desk.now,
    };
    assert_eq!(desk.store().take_given(&[given]).unwrap().taken, 1);
    let now = desk.store().attempt(&answer.id).unwrap().unwrap().as_graded().total();
    let now = format!("{:.0}%", 100.0 * now);
    let run = answer.rehearsal.clone().unwrap();
    let mut desk = Desk::on_disk(kit::pack(), &Place::Report { id: run }, folder.path());
    desk.resize(130, 45);
    desk.shows("instructor, Dr B:").shows("with them ").shows("by the instructor").shows(&now);
    desk.keys("x").shows("Written: ");
    let written = |kind: &str| {
        let folder = std::fs::read_dir(folder.path().join("reports")).unwrap();
        let mut paths = folder.map(|f| f.unwrap().path());
        std::fs::read_to_string(paths.find(|p| p.extension().is_some_and(|e| e == kind)).unwrap()).unwrap()
    };
    let page = written("md");
    assert!(page.contains("- 1 mark by the instructor, Dr B: with them"), "{page}");
    assert!(page.contains(&format!("{now} by the instructor, Dr B")), "{page}");
    let json: serde_json::Value = serde_json::from_str(&written("json")).unwrap();
    assert_eq!((&json["instructor"]["by"], &json["instructor"]["marks"]), (&"Dr B".into(), &1.into()));
    let mut desk = Desk::on_disk(kit::pack(), &Place::Reports, folder.path());
    desk.resize(130, 45);
    desk.shows("by the instructor").shows(", Dr B");
}

#[test]
fn a_number_that_is_typed_takes_the_place_of_the_one_there_and_has_its_limits() {
    let mut desk = Desk::new(kit::pack(), &Place::Rehearse);
    desk.resize(120, 40);
    desk.keys("<down><down><backspace>").hides("Prompts: 5").keys("2<enter>").shows("2").hides("52");
    desk.keys("<backspace>").keys("52<enter>").shows("Prompts cannot be 52; type 1 to ").keys("<esc>");
    // nothing typed leaves it as it was
    desk.keys("<backspace><enter>").hides("does not work here");
}
