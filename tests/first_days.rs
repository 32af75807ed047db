//! What people stumbled over in their first days: keys that led past what was not seen, places that were lost, things that
//! the program said and that were not so.
#![allow(clippy::unwrap_used)]

use crate::kit::course::course;
use crate::kit::desk::Desk;
use crate::kit::pack as kit;

use infralens::pack::{Check, CheckKind, NumberCheck, Pack};
use infralens::page::place::Place;
use infralens::study::rehearsal::Setup;

const ANSWER: &str = "I think the problem word is said here. Then the mechanism word is said here.";

fn lesson(id: &str) -> Place {
    Place::Lesson { pack: 0, id: id.into() }
}

/// The rows of a screen that lie between its title line and its footer.
fn rows(screen: &str) -> Vec<String> {
    let rows: Vec<&str> = screen.lines().collect();
    rows[2..rows.len() - 1]
        .iter()
        .map(|row| row.trim_matches([' ', '▸']).to_owned())
        .filter(|row| row.len() > 3)
        // the strip of sections ticks what was read
        .filter(|row| !row.split(' ').next().is_some_and(|first| first.contains('/') && first.len() < 6))
        .collect()
}

/// What a key shows until nothing changes any more.
fn seen(desk: &mut Desk, key: &str) -> Vec<String> {
    let mut all = rows(&desk.keys("<home>").screen());
    let mut last = String::new();
    for _ in 0..300 {
        let screen = desk.keys(key).screen();
        if screen.contains("that is the end of the lesson") || screen == last {
            // what was said last stands over a row
            all.extend(rows(&desk.keys("<end>").screen()));
            return all;
        }
        all.extend(rows(&screen));
        last = screen;
    }
    panic!("the lesson has no end");
}

#[test]
fn enter_leads_through_a_lesson_and_passes_over_nothing() {
    for (width, height) in [(80, 24), (120, 40)] {
        let mut desk = Desk::new(course().clone(), &lesson("ddp"));
        desk.resize(width, height);
        let entered = seen(&mut desk, "<enter>");
        for row in seen(&mut desk, "<space>") {
            // the scroll bar and the margin move along
            let words = row.split(['│', '┃']).next().unwrap().split("  ").next().unwrap().trim();
            let is_there = |other: &String| other.contains(words);
            assert!(entered.iter().any(is_there), "{width}x{height}: enter passed over {row:?}");
        }
    }
}

#[test]
fn a_lesson_left_in_its_code_keeps_its_sections_and_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = Desk::on_disk(course().clone(), &lesson("ddp"), folder.path());
    desk.resize(120, 40).keys("<enter><enter><enter><enter><enter>");
    let screen = desk.screen();
    let fact = screen.split("section ").nth(1).unwrap().split(" min left").next().unwrap().to_owned();
    assert!(!fact.starts_with('1'), "it was read on: {fact}");
    desk.keys("<tab>").shows(&fact).keys("<esc>");
    // twice, since what is not shown must not be forgotten either
    for _ in 0..2 {
        let mut again = Desk::on_disk(course().clone(), &lesson("ddp"), folder.path());
        again.resize(120, 40).hides("of 0").shows(&fact);
        again.keys("<tab>").shows(&fact).keys("<tab><esc>");
    }
}

#[test]
fn a_line_without_words_is_passed_over_in_the_code() {
    let mut desk = Desk::new(course().clone(), &lesson("ddp"));
    desk.resize(120, 40).keys("<tab>").shows("line 2 of").keys("<down>");
    // an empty line has nothing to say
    desk.shows("line 4 of").keys("<up>").shows("line 2 of");
}

#[test]
fn home_knows_how_far_a_lesson_was_read() {
    let mut desk = Desk::new(course().clone(), &Place::Home);
    desk.resize(120, 40).shows("Start the course");
    desk.keys("j<enter>");
    for _ in 0..6 {
        desk.keys("<enter>");
    }
    // `section 4 of 11, 9 of 17 min left`
    let screen = desk.screen();
    let fact = screen.split(" min left").next().unwrap().rsplit(", ").next().unwrap().to_owned();
    let (left, whole) = fact.split_once(" of ").unwrap();
    let (left, whole): (u32, u32) = (left.parse().unwrap(), whole.parse().unwrap());
    assert!(left < whole);
    desk.keys("<esc>");
    let screen = desk.screen();
    let row = screen.lines().find(|row| row.contains("Continue")).unwrap();
    let minutes: u32 = row.split(" min").next().unwrap().split(' ').next_back().unwrap().parse().unwrap();
    assert!(minutes < whole && minutes == left, "{minutes} of {whole}, {left} left\n{screen}");
    let course_row = screen.lines().skip_while(|row| !row.starts_with(" Course")).nth(1).unwrap();
    assert!(course_row.contains('━'), "{course_row}");
}

#[test]
fn the_part_that_is_answered_again_is_rated_under_its_own_question() {
    let place = Place::PartAgain { pack: 0, id: "ddp-1".into(), part: "mechanism".into() };
    let mut desk = Desk::new(kit::pack(), &place);
    desk.resize(120, 40).shows("Answer the part “Mechanism” alone.");
    desk.paste("The mechanism word is said here.").wait(5).keys("<ctrl+s>").shows("how well did you say it");
    desk.shows("Answer the part “Mechanism” alone.").hides("How does ddp-1 move data?");
}

#[test]
fn what_cost_most_names_the_part_of_each_sentence() {
    let place = Place::RehearseWith {
        setup: Box::new(Setup { count: 2, ..Setup::screen("course", 7) }),
        start: true,
    };
    let mut desk = Desk::new(kit::pack(), &place);
    desk.resize(120, 40);
    for _ in 0..12 {
        if desk.screen().contains("Rehearsal report") {
            break;
        }
        desk.keys("<ctrl+s>").wait(2).paste(ANSWER).wait(5);
    }
    let screen = desk.shows("What cost most").screen();
    let costly = screen.lines().skip_while(|row| !row.contains("What cost most")).skip(1);
    let named: Vec<&str> = costly.take_while(|row| row.contains("say the")).collect();
    assert!(named.len() > 2, "{screen}");
    for row in named {
        // `Tradeoff  say the tradeoff`
        let (named, says) = row.split_once("say the ").unwrap();
        let part = says.split_whitespace().next().unwrap();
        let title = named.trim().trim_end_matches("follow-up:").trim();
        assert_eq!(title.to_lowercase(), part, "{row} in\n{screen}");
    }
}

fn answered() -> Desk {
    let mut desk = Desk::new(kit::pack(), &Place::Home);
    desk.resize(120, 40).keys("<enter>").paste(ANSWER).wait(60).keys("<ctrl+s><enter>");
    desk.shows("before the marks");
    desk
}

#[test]
fn esc_before_the_marks_leads_to_the_marks() {
    let mut desk = answered();
    desk.keys("o").shows("Which sentence says it?").keys("<esc>").shows("before the marks");
    desk.keys("<esc>").shows("› verdict").shows("40%");
}

#[test]
fn esc_puts_away_what_stands_beside_the_verdict_and_then_leaves_it() {
    let mut desk = answered();
    desk.keys("<esc>m").shows("A model answer").shows("esc close");
    desk.keys("<esc>").shows("› verdict").hides("A model answer").keys("h<esc>").shows("› verdict");
    desk.keys("<esc>").hides("› verdict");
}

#[test]
fn the_mark_is_in_sight_when_a_verdict_opens() {
    let mut desk = answered();
    desk.keys("<esc>");
    for (width, height) in [(60, 20), (80, 24), (120, 40), (200, 60)] {
        desk.resize(width, height).shows("40%");
    }
}

fn checked() -> Pack {
    let mut pack = kit::pack();
    pack.checks = ["one", "two", "three"]
        .map(|id| Check {
            id: id.into(),
            lesson: "ddp".into(),
            question: format!("What of {id}?"),
            kind: CheckKind::Claim(true),
            explain: "So it is.".into(),
            hints: vec![],
        })
        .into();
    pack
}

#[test]
fn checks_go_on_where_they_were_left() {
    let place = Place::Checks { pack: 0, lesson: "ddp".into(), only: None };
    let folder = tempfile::tempdir().unwrap();
    let mut desk = Desk::on_disk(checked(), &place, folder.path());
    desk.shows("What of one?").shows("0/3").keys("1").hides("So it is").keys("<enter>").shows("So it is");
    desk.keys("<enter>").shows("What of two?").keys("2<enter><esc>");
    let mut desk = Desk::on_disk(checked(), &place, folder.path());
    desk.shows("What of three?").shows("2/3").shows("1 of 2 right").shows("You answered 2 of 3 before");
    desk.keys("1<enter><enter>").shows("Done: 2 of 3 right").shows("You said: false");
    // all were answered today: from the first again
    Desk::on_disk(checked(), &place, folder.path()).shows("What of one?").hides("before");
}

#[test]
fn continue_leads_to_what_was_left_last() {
    let mut desk = Desk::new(kit::pack(), &Place::Home);
    desk.keys("d").paste("half an ans").wait(20).keys("<esc>").wait(5).keys("c").shows("half an ans");
    desk.keys("<esc>").wait(5).keys("/ZERO<enter>").shows("Shards.").wait(5).keys("<esc>").wait(5);
    desk.keys("c").shows("Shards.").hides("half an ans").keys("<esc>");
    // it was only opened, so no row of its own asks for it
    desk.shows("Finish").hides("Continue");
}

#[test]
fn a_prediction_page_left_empty_is_not_run_at_once() {
    let of = course();
    let lab = of.lessons.iter().flat_map(|l| &l.labs).find(|lab| !lab.predictions.is_empty()).unwrap();
    let mut pack = of.clone();
    pack.origin = infralens::built_in::ORIGIN; // its starter may run
    let mut desk = Desk::new(pack, &Place::Lab { pack: 0, id: lab.id.clone() });
    desk.resize(120, 40).keys("r<ctrl+s>").shows("you predicted nothing yet");
    assert!(desk.jobs.is_empty());
    desk.keys("<ctrl+s>");
    assert_eq!(desk.jobs.len(), 1);
}

#[test]
fn a_drill_worth_nothing_has_no_tick() {
    let mut desk = Desk::new(kit::pack(), &Place::Home);
    desk.resize(120, 40).keys("d").paste("Bananas are yellow and it rains.").wait(60).keys("<ctrl+s><enter>");
    desk.shows("0%").keys("<esc>").keys("G<up><up>").shows("DDP");
    let screen = desk.screen();
    let prompt = screen.lines().find(|row| row.contains("Explain ddp-1.") && row.contains('✗'));
    assert!(prompt.is_some() && !screen.contains("✓ Explain ddp-1."), "{screen}");
}

#[test]
fn a_task_that_no_other_day_has_time_for_is_said_to_go_and_comes_back() {
    let mut desk = Desk::new(kit::pack(), &Place::Plan);
    desk.resize(120, 40).keys("2<enter>").keys("<home>").hides("No time for 2");
    // what today asks for, however wide its columns are
    let today = |desk: &mut Desk| {
        let screen = desk.screen();
        let rows = screen.lines().skip_while(|row| !row.starts_with(" Today, "));
        let rows = rows.skip(1).take_while(|row| !row.starts_with(" Tomorrow, "));
        rows.map(|row| row.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>().join("\n")
    };
    assert!(today(&mut desk).contains("Read DDP"), "{}", desk.screen());
    desk.keys(">");
    let said = desk.screen();
    assert!(said.contains("It comes on") || said.contains("“DDP” has no time any more"), "{said}");
    assert!(!today(&mut desk).contains("Read DDP"), "{said}");
    let chosen = |desk: &mut Desk| {
        let screen = desk.screen();
        screen.split('▸').nth(1).and_then(|rest| rest.lines().next()).unwrap_or_default().to_owned()
    };
    desk.keys("u");
    assert!(today(&mut desk).contains("Read DDP"), "{}", desk.screen());
    assert!(chosen(&mut desk).contains("Read") && chosen(&mut desk).contains("DDP"), "{}", desk.screen());
    desk.keys("u").shows("no move to take back");
}

#[test]
fn a_lesson_in_short_is_read_once_there_was_time_for_it() {
    let short = Place::Skim { pack: 0, lessons: vec!["zero".into()] };
    let seen = |minutes: i64| {
        let mut desk = Desk::new(kit::pack(), &short);
        desk.resize(120, 40).shows("ZERO, in short").shows("What to say in an interview").wait(60 * minutes);
        desk.keys("<esc>");
        let home = desk.store().home("course", desk.now, &jiff::tz::TimeZone::UTC).unwrap();
        home.lessons.get("zero").is_some_and(|of| of.seen > 0.0 && !of.read)
    };
    assert!(seen(1));
}

#[test]
fn what_to_say_of_the_lessons_left_out_is_one_page() {
    let mut desk =
        Desk::new(kit::pack(), &Place::Skim { pack: 0, lessons: vec!["zero".into(), "tp".into()] });
    desk.resize(80, 24).shows("ZERO").shows("TP").shows("Say it.").shows("n next word");
}

#[test]
fn from_a_term_one_goes_back_to_the_list_that_it_was_chosen_in() {
    let mut desk = Desk::new(course().clone(), &Place::Home);
    desk.resize(120, 40).keys("t").shows("Glossary").keys("<enter>").shows("esc close");
    let term = desk.screen();
    desk.keys("<esc>");
    let list = desk.screen();
    assert_ne!(list, term);
    desk.shows("Glossary").keys("<esc>").hides("Glossary").shows("Start the course");
}

#[test]
fn a_sentence_that_one_pointed_at_stands_at_its_part_beside_the_model() {
    let mut desk = answered();
    // no sentence comes near communication
    desk.keys("s")
        .shows("› verdict")
        .shows("▸ ✗ 3 Communication")
        .keys("a")
        .shows("Communication: which of these");
    desk.keys("y2").shows("[x] say the communication").keys("<ctrl+s>s").shows("› verdict").keys("m");
    desk.shows("by your own word: “Then the mechanism word is said here”");
}

#[test]
fn what_is_not_due_is_not_reviewed_today_and_that_is_said() {
    let mut desk = Desk::new(kit::pack(), &Place::Plan);
    desk.resize(120, 40).keys("5<enter>").keys("<home>").shows("Tomorrow");
    let screen = desk.screen();
    let (today, _) = screen.split_once(" Tomorrow, ").unwrap();
    let rows = today.lines().filter(|row| row.contains(" · ")).count();
    desk.keys(&"<down>".repeat(rows)).shows("▸ · Review");
    desk.keys("<").shows("nothing is due today, so there is nothing to review yet");
    let screen = desk.screen();
    assert!(!screen.split_once(" Tomorrow, ").unwrap().0.contains("· Review"), "{screen}");
}

/// So many checks, the last one with a number.
fn many(count: usize) -> Pack {
    let mut pack = checked();
    let one = pack.checks[0].clone();
    pack.checks = (1..=count)
        .map(|n| Check {
            id: format!("c{n}"),
            question: format!("Is {n} {}?", "a number of many words ".repeat(20)),
            ..one.clone()
        })
        .collect();
    if let Some(last) = pack.checks.last_mut() {
        last.kind = CheckKind::Number(NumberCheck {
            draw: std::collections::BTreeMap::new(),
            answer: "16".into(),
            unit: "GB".into(),
            tolerance: 1.0,
            slips: vec![],
        });
    }
    pack
}

fn checks() -> Place {
    Place::Checks { pack: 0, lesson: "ddp".into(), only: None }
}

#[test]
fn a_wide_screen_has_the_question_the_answer_and_the_reason_in_one_column() {
    let mut desk = Desk::new(many(9), &checks());
    let screen = desk.resize(200, 60).shows("Is 1 a number").hides("│").screen();
    let column = |screen: &str, words: &str| {
        let row = screen.lines().find(|row| row.contains(words));
        row.and_then(|row| row.find(words).map(|at| row[..at].chars().count()))
    };
    let at = column(&screen, "Is 1 a number");
    assert!(at.is_some_and(|at| at > 40), "{screen}");
    let screen = desk.keys("2<enter>").shows("Why").hides("│").screen();
    assert_eq!(column(&screen, "Is 1 a number"), at, "{screen}");
    assert_eq!(column(&screen, "Why"), at, "{screen}");
}

#[test]
fn a_choice_is_answered_by_nobody_who_chose_nothing() {
    let mut desk = Desk::new(many(3), &checks());
    desk.shows("Is 1 a number").keys("<enter><enter>");
    desk.shows("choose an answer first").shows("Is 1 a number").hides("of 1 right");
    desk.keys("<down><enter>").shows("of 1 right").keys("<enter>");
    desk.shows("Is 2 a number").keys("<enter>").hides("of 2 right").keys("2<enter>").shows("of 2 right");
}

#[test]
fn what_is_no_number_is_said_below_the_field_and_nothing_moves() {
    let mut desk = Desk::new(many(2), &checks());
    for (width, height) in [(80, 24), (120, 40), (200, 60)] {
        desk.resize(width, height);
        let row = |screen: &str| screen.lines().position(|row| row.contains("7*8 works too"));
        while row(&desk.screen()).is_none() {
            desk.keys("<tab>");
        }
        let before = row(&desk.screen());
        let screen = desk.keys("<ctrl+u><enter>").screen();
        assert_eq!(row(&screen), before, "{screen}");
        let below = screen.lines().nth(before.unwrap() + 1).unwrap_or_default();
        assert!(below.contains("Type a number first, for example 12"), "{screen}");
        desk.keys("ler<enter>").shows("“ler” is no number").hides("does not count");
    }
}

#[test]
fn the_end_shows_the_answer_that_is_asked_for_and_asks_nothing() {
    let mut desk = Desk::new(many(2), &checks());
    desk.keys("1<enter><enter>2<enter><enter>");
    for _ in 0..8 {
        if desk.screen().contains("Done: ") {
            break;
        }
        desk.keys("<tab>");
    }
    desk.resize(120, 40).shows("Done: 1 of 2 right");
    desk.keys("2<enter>").shows("you said").shows("Why").hides("Done: ").keys("<enter>");
    desk.shows("Done: 1 of 2 right")
        .hides("you said")
        .keys("1<enter><esc>")
        .shows("w the wrong")
        .hides("you said");
}

#[test]
fn who_comes_back_after_the_end_comes_to_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = Desk::on_disk(many(4), &checks(), folder.path());
    // the first is wrong, the others are left out
    desk.keys("2<enter><enter><tab><tab><tab>").shows("Done: 0 of 1 right").keys("<esc>");
    let mut desk = Desk::on_disk(many(4), &checks(), folder.path());
    desk.shows("Done: 0 of 1 right")
        .shows("w the wrong ones again")
        .keys("w")
        .shows("of the wrong ones, the last one");
    // who begins anew and leaves goes on from there
    let mut desk = Desk::on_disk(many(4), &checks(), folder.path());
    desk.keys("a").hides("Done").keys("<esc>");
    Desk::on_disk(many(4), &checks(), folder.path()).hides("Done");
}

#[test]
fn the_key_for_the_wrong_ones_works_where_a_number_is_typed() {
    let mut desk = Desk::new(many(2), &checks());
    desk.keys("2<enter><enter>").shows("a number").keys("w<enter>").shows("of the wrong ones, the last one");
    desk.shows("Is 1 a number");
    let mut desk = Desk::new(many(1), &checks());
    desk.keys("w<enter>").shows("a number").hides("of the wrong ones");
}
