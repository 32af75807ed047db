//! The review on screen: drills, checks and line notes that are due, grades, working ahead.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use crate::kit::desk;
use crate::kit::pack as kit;

use desk::{Desk, START};
use infralens::pack::{
    Block, Check, CheckKind, ChoiceOption, Draw, Lab, Note, NumberCheck, Pack, Starter, Worksheet,
    WorksheetCell, WorksheetRow,
};
use infralens::page::place::Place;
use infralens::store::Store;
use infralens::study::schedule::{Grade, Item, ItemKind, Schedule};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

/// An answer that earns the marks of two parts.
const ANSWER: &str = "I think the problem word is said here. Then the mechanism word is said here.";

const REVIEW: Place = Place::Review { ahead: 0 };

const DDP: (ItemKind, &str) = (ItemKind::Drill, "ddp-1");
const LINKS: (ItemKind, &str) = (ItemKind::Check, "links");
const BYTES: (ItemKind, &str) = (ItemKind::Check, "bytes");
const STEPS: (ItemKind, &str) = (ItemKind::Check, "steps");
const SHEET: (ItemKind, &str) = (ItemKind::Check, "sheet");
const LINE: (ItemKind, &str) = (ItemKind::Note, "buckets/bucket = []");

/// The small pack with checks of each kind and a lab.
fn pack() -> Pack {
    let mut pack = kit::pack();
    pack.lessons[0].labs.push(lab());
    pack.checks = vec![
        check("links", CheckKind::Choice(options())),
        check("steps", CheckKind::Order(vec!["forward".into(), "backward".into(), "all-reduce".into()])),
        check(
            "bytes",
            CheckKind::Number(NumberCheck {
                draw: BTreeMap::new(),
                answer: "2 * 8".into(),
                unit: "GB".into(),
                tolerance: 1.0,
                slips: vec![],
            }),
        ),
        check("sheet", CheckKind::Worksheet(sheet())),
    ];
    pack
}

fn options() -> Vec<ChoiceOption> {
    let option =
        |text: &str, right| ChoiceOption { text: text.into(), right, why: Some(format!("{text} it is")) };
    vec![option("NVLink", true), option("a floppy disk", false)]
}

fn check(id: &str, kind: CheckKind) -> Check {
    Check {
        id: id.into(),
        lesson: "ddp".into(),
        question: format!("What of {id}?"),
        kind,
        explain: format!("So it is with {id}."),
        hints: vec!["Look at the links.".into()],
    }
}

fn sheet() -> Worksheet {
    let cell = WorksheetCell { id: "z3".into(), label: "GB".into(), options: vec![], start: None };
    Worksheet {
        title: "A ledger".into(),
        checker: "table".into(),
        given: [("expect.z3", "3 * 2"), ("unit.z3", "GB")].map(|(k, v)| (k.to_owned(), v.to_owned())).into(),
        rows: vec![WorksheetRow { label: "ZeRO-3".into(), cells: vec![cell] }],
    }
}

fn lab() -> Lab {
    let text = "import torch\n\nbucket = []\nfor p in params:\n    bucket.append(p)\n";
    Lab {
        id: "buckets".into(),
        title: "Gradient buckets".into(),
        minutes: 10,
        goal: "Fill them.".into(),
        mental_model: "A bucket.".into(),
        starter: Starter {
            path: "lab01_buckets.py".into(),
            language: "python".into(),
            text: text.into(),
            expected: None,
        },
        predictions: vec![],
        blocks: vec![Block {
            title: "Filling".into(),
            notes: vec![Note {
                lines: 2..3,
                text: "Gradients wait here until there are enough for one message.".into(),
            }],
        }],
        notice: vec![],
        prevents: vec![],
        say: "Say it.".into(),
        intuition: "It fills.".into(),
        extend: vec![],
        further: vec![],
        sims: vec![],
        measure: None,
    }
}

fn start() -> Timestamp {
    START.parse().unwrap()
}

fn item((kind, id): (ItemKind, &str)) -> Item {
    Item { kind, id: id.into() }
}

/// A store in which these were reviewed, each so many days before the start, with this grade.
fn store(reviewed: &[((ItemKind, &str), i64, Grade)]) -> Store {
    let store = Store::in_memory().unwrap();
    let schedule = Schedule::new(TimeZone::UTC);
    for (of, days, grade) in reviewed {
        let at = start() - SignedDuration::from_hours(24 * days);
        store.record_review("course", &item(*of), *grade, (&schedule, at)).unwrap();
    }
    store
}

/// The review with these things due.
fn due(what: &[(ItemKind, &str)]) -> Desk {
    let reviewed: Vec<_> = what.iter().map(|of| (*of, 3, Grade::Good)).collect();
    at(&REVIEW, &reviewed)
}

fn at(place: &Place, reviewed: &[((ItemKind, &str), i64, Grade)]) -> Desk {
    Desk::with(pack(), place, (store(reviewed), &std::env::temp_dir()))
}

/// What of a desk's store is due now.
fn left(desk: &mut Desk) -> String {
    let screen = desk.keys("<esc>").screen();
    let row = screen.lines().find(|l| l.contains("due today"));
    row.unwrap_or("nothing").trim().to_owned()
}

#[test]
fn a_whole_review_from_home_to_its_end() {
    let mut desk =
        at(&Place::Home, &[(DDP, 3, Grade::Good), (LINKS, 3, Grade::Good), (LINE, 3, Grade::Good)]);
    desk.shows("3 things are due today").shows("v review").keys("v");
    desk.shows("3 left: 1 drill, 1 check, 1 line note");
    // the drill comes first: what is equally forgotten comes in the order of kinds
    desk.shows("A drill, 5 minutes").shows("Explain ddp-1.").shows("enter open");
    desk.keys("<enter>").paste(ANSWER).wait(60).keys("<ctrl+s><enter>s");
    desk.shows("verdict").shows("esc back").keys("<esc>");
    desk.shows("Taken as known with effort").shows("enter next");
    desk.keys("<enter>").shows("2 left: 1 check, 1 line note   1 done");
    // the check is asked on the spot
    desk.shows("What of links?").shows("↑↓ choose").hides("enter answer").hides("next check");
    let right = desk.screen().lines().find(|l| l.contains("NVLink")).unwrap().trim().to_owned();
    let digit = right.chars().find(char::is_ascii_digit).unwrap();
    // a number chooses, Enter answers: no reason is passed over in haste
    desk.keys(&digit.to_string()).hides("Right").keys("<enter>").shows("Right").shows("So it is with links.");
    desk.shows("Taken as known well").keys("<enter>");
    // the line note is hidden, recalled, revealed, graded
    desk.shows("1 left: 1 line note").shows("bucket = []").shows("Say it aloud");
    desk.hides("Gradients wait").hides("3 good");
    desk.keys("<space>").shows("Gradients wait here").shows("4 easy").keys("3");
    desk.shows("The review is done: 3 things looked at, 0 not known.");
    desk.shows("known with effort").shows("Explain ddp-1.");
    desk.keys("<enter>").hides("due today");
    assert!(desk.waiting().is_none(), "{:?}", desk.waiting());
}

#[test]
fn what_was_left_for_later_is_counted_at_the_end() {
    let mut desk =
        at(&Place::Home, &[(DDP, 3, Grade::Good), (LINKS, 3, Grade::Good), (LINE, 3, Grade::Good)]);
    desk.keys("v<right><right>").shows("1 left: 1 line note").keys("<space>3");
    desk.shows("1 thing looked at, 0 not known.").shows("2 left for later; they are still due.");
    desk.hides("is done");
}

#[test]
fn a_note_that_was_recalled_in_its_lab_comes_back_in_the_review() {
    let lab = Place::Lab { pack: 0, id: "buckets".into() };
    let mut desk = at(&lab, &[]);
    desk.keys("<tab>z").shows("Say it, then press space").hides("3 good");
    desk.keys("<space>").shows("Gradients wait here").shows("3 good").keys("3");
    desk.shows("known well; the note comes back in the review");
    desk.keys("<esc>").wait(20 * 86_400).keys("v").shows("1 left: 1 line note");
    assert!(desk.waiting().is_none(), "{:?}", desk.waiting());
}

#[test]
fn what_is_said_of_the_next_time_is_what_the_store_keeps() {
    let mut desk = due(&[LINE]);
    let screen = desk.keys("<space>").screen();
    let row = screen.lines().find(|l| l.contains("1 again")).unwrap();
    assert!(row.contains("again 10 minutes"), "{row}");
    let good = row.split("good ").nth(1).unwrap();
    let days: i64 = good.split_whitespace().next().unwrap().parse().unwrap();
    desk.keys("3").shows(&format!("in {days} days")).keys("<esc>");
    // not due the day before, due on the day
    desk.wait((days - 1) * 86_400).keys("v").shows("Nothing is due today.").keys("<esc>");
    desk.wait(86_400).keys("v").shows("1 left: 1 line note");
}

#[test]
fn a_grade_by_marks_can_be_overruled() {
    let answered = || {
        let mut desk = due(&[DDP]);
        desk.keys("<enter>").paste(ANSWER).keys("<ctrl+s><enter><esc><esc>");
        desk
    };
    let mut kept = answered();
    kept.keys("<enter>").shows("known with effort");
    let mut overruled = answered();
    overruled.keys("4").shows("known at once");
    let next = |desk: &mut Desk| {
        let screen = desk.screen();
        let row = screen.lines().find(|l| l.contains("Explain ddp-1.")).unwrap();
        row.split(" in ").nth(1).unwrap().split(' ').next().unwrap().parse::<i64>().unwrap()
    };
    let (hard, easy) = (next(&mut kept), next(&mut overruled));
    assert!(easy > hard, "{easy} and {hard}");
    // the store has it too, and the attempt stays what it was
    overruled.keys("<esc>").wait(hard * 86_400).keys("v").shows("Nothing is due today");
    overruled.keys("<esc>").wait((easy - hard) * 86_400).keys("v").shows("1 left: 1 drill");
    overruled.keys("<esc>y").shows("40%");
}

#[test]
fn a_drill_that_is_left_stays_and_its_draft_too() {
    let mut desk = due(&[DDP, LINE]);
    desk.keys("<enter>").paste("half an answ").wait(2).keys("<esc>");
    desk.shows("what you wrote is kept").shows("2 left").hides("Taken as");
    desk.keys("<enter>").shows("half an answ").keys("<esc>");
    desk.keys("<right>").shows("1 left: 1 line note");
    assert!(left(&mut desk).starts_with("▸ Review     2 things are due today"));
}

#[test]
fn what_was_not_known_comes_once_more_at_the_end() {
    // what failed first comes after the others, and is one thing at the end, as it was known last
    let mut desk = due(&[BYTES, LINE]);
    desk.keys("17<enter><enter>").shows("1 left: 1 line note   1 once more   1 done");
    desk.keys("<space>3").shows("0 left   1 once more   2 done").shows("What of bytes?");
    desk.keys("16<enter><enter>").shows("is done: 2 things looked at, 0 not known");
    let screen = desk.screen();
    assert_eq!(screen.matches("What of bytes?").count(), 1, "{screen}");
}

#[test]
fn what_was_missed_alone_is_not_asked_again_at_once() {
    let mut desk = due(&[LINE]);
    desk.keys("<space>1").shows("1 thing looked at, 1 not known").shows("in 10 minutes");
}

#[test]
fn numbers_orders_and_hints_work_as_on_the_screen_of_checks() {
    let mut desk = due(&[BYTES]);
    desk.shows("What of bytes?").shows("in GB").keys("<f2>").shows("Look at the links.");
    desk.keys("x<enter>").hides("Taken as");
    desk.keys("<backspace>16<enter>").shows("Right").shows("Taken as known with effort");
    let mut desk = due(&[BYTES]);
    desk.keys("17<enter>").shows("it should be 16").shows("Taken as not known").keys("<enter>");
    desk.shows("is done: 1 thing looked at, 1 not known");
    let mut desk = due(&[STEPS]);
    desk.keys("<space><space><space><enter>").shows("Taken as");
}

#[test]
fn a_worksheet_opens_its_own_screen_and_comes_back_graded() {
    let mut desk = due(&[SHEET]);
    desk.shows("A worksheet").keys("<enter>").shows("A ledger").keys("6 GB<ctrl+s>");
    desk.keys("<esc>").shows("Taken as").keys("<enter>").shows("is done");
}

#[test]
fn where_nothing_is_due_it_says_when_and_what_to_press() {
    let mut desk = at(&REVIEW, &[(LINE, 0, Grade::Good), (LINKS, 0, Grade::Good)]);
    desk.shows("Nothing is due today.").shows("The next 2 things come in").shows("c work ahead");
    desk.keys("c").shows("2 left: 1 check, 1 line note");
    let mut never = at(&REVIEW, &[]);
    never.shows("You have answered nothing yet").shows("esc back").hides("c work ahead");
    never.keys("c").shows("You have answered nothing yet");
}

#[test]
fn working_ahead_is_for_the_interview_where_there_is_one() {
    // the check fades slowly but was seen long ago: it is the weaker one tomorrow, not in a week
    let reviewed = [(LINE, 0, Grade::Hard), (LINKS, 6, Grade::Easy)];
    at(&REVIEW, &reviewed).keys("c").shows("Say it aloud");
    let store = store(&reviewed);
    store.set("interview", "2026-03-03", start()).unwrap();
    let mut desk = Desk::with(pack(), &REVIEW, (store, &std::env::temp_dir()));
    desk.keys("c").shows("What of links?");
}

#[test]
fn days_ahead_are_taken_too() {
    let reviewed = [(LINE, 0, Grade::Hard)];
    at(&REVIEW, &reviewed).shows("Nothing is due today.");
    at(&Place::Review { ahead: 1 }, &reviewed).shows("1 left: 1 line note");
    at(&Place::Review { ahead: 1 }, &[(LINE, 0, Grade::Easy)]).shows("Nothing is due today or tomorrow.");
}

#[test]
fn what_the_pack_no_longer_has_is_not_asked() {
    let mut smaller = pack();
    smaller.checks.clear();
    let store = store(&[(LINKS, 3, Grade::Good)]);
    let mut desk = Desk::with(smaller, &REVIEW, (store, &std::env::temp_dir()));
    desk.shows("Nothing is due today.");
}

fn screens() -> Vec<(&'static str, Desk)> {
    let with = |what: &[(ItemKind, &str)], keys: &str| {
        let mut desk = due(what);
        desk.keys(keys);
        desk
    };
    let mut marked = due(&[DDP, LINKS]);
    marked.keys("<enter>").paste(ANSWER).keys("<ctrl+s><enter><esc><esc>");
    vec![
        ("drill", due(&[DDP, LINKS, LINE])),
        ("drill-marked", marked),
        ("check", due(&[LINKS])),
        ("check-marked", with(&[BYTES], "17<enter>")),
        ("note", due(&[LINE])),
        ("note-revealed", with(&[LINE], "<space>")),
        ("done", with(&[LINE], "<space>1<space>3")),
        ("nothing", at(&REVIEW, &[(LINE, 0, Grade::Good)])),
        ("never", at(&REVIEW, &[])),
    ]
}

#[test]
fn screens_look_as_they_did() {
    for (width, height) in [(80, 24), (120, 40)] {
        for (name, mut desk) in screens() {
            desk.resize(width, height);
            insta::assert_snapshot!(format!("{name}-{width}x{height}"), desk.screen());
        }
    }
}

#[test]
fn every_screen_stands_any_size() {
    for (_, mut desk) in screens() {
        for (width, height) in [(0, 0), (1, 1), (20, 5), (60, 16), (300, 100), (61, 17), (80, 24)] {
            desk.resize(width, height).keys("<down><up><pgdn>").screen();
        }
    }
}

#[test]
fn every_hint_of_its_footers_does_something() {
    for (name, mut desk) in screens() {
        let screen = desk.screen();
        let footer = screen.lines().last().unwrap().to_owned();
        for (key, hint) in [("enter", "open"), ("right", "later"), ("space", "reveal"), ("c", "work ahead")] {
            if !footer.contains(&format!("{key} {hint}")) {
                continue;
            }
            let (_, mut fresh) = screens().into_iter().find(|(n, _)| *n == name).unwrap();
            fresh.keys(&if key.len() > 1 { format!("<{key}>") } else { key.to_owned() });
            assert_ne!(fresh.screen(), screen, "{key} on {name}");
        }
    }
}

/// A check whose numbers are drawn.
fn drawn() -> Pack {
    let mut pack = pack();
    let values = Draw::Of((1..=40).map(f64::from).collect());
    let bytes = pack.checks.iter_mut().find(|c| c.id == "bytes").unwrap();
    bytes.question = "How much are {{n}} buffers of 8 GB?".into();
    let CheckKind::Number(number) = &mut bytes.kind else { panic!("a number") };
    number.draw.insert("n".into(), values);
    number.answer = "n * 8".into();
    pack
}

#[test]
fn the_end_of_a_review_quotes_the_numbers_that_were_asked() {
    let mut desk = Desk::with(drawn(), &REVIEW, (store(&[(BYTES, 3, Grade::Good)]), &std::env::temp_dir()));
    let asked = |screen: &str| {
        let row = screen.lines().find(|row| row.contains("How much are")).unwrap().to_owned();
        let n: String = row.split("How much are ").nth(1).unwrap().split(' ').next().unwrap().into();
        n
    };
    // some seconds in, so that chance does not draw the same
    let first = asked(&desk.screen());
    desk.keys("1<enter>").shows("Not right").keys("4");
    let screen = desk.shows("1 thing looked at, 1 not known").screen();
    assert_eq!(asked(&screen), first, "{screen}");
    // it was wrong, however it was graded
    let row = screen.lines().find(|row| row.contains("How much are")).unwrap();
    assert!(row.contains("wrong, taken as easy") && row.contains('✗'), "{screen}");
    let mut right = Desk::with(drawn(), &REVIEW, (store(&[(BYTES, 3, Grade::Good)]), &std::env::temp_dir()));
    let n: u32 = asked(&right.screen()).parse().unwrap();
    right.keys(&format!("{}<enter>", n * 8)).shows("Right").keys("4").shows("1 thing looked at, 0 not known");
    right.shows("known at once").hides("wrong");
    assert_eq!(asked(&right.screen()), n.to_string());
}

#[test]
fn a_number_that_was_refused_is_replaced_by_what_is_typed_next() {
    let mut desk = due(&[BYTES]);
    desk.keys("3.5xyz<enter>").shows("3.5xyz").keys("1").hides("3.5xyz");
    desk.keys("6<enter>").shows("Right");
    // refused twice, and mended where the caret is moved into it
    let mut desk = due(&[BYTES]);
    desk.keys("x<enter>").keys("<enter>").keys("17q<enter>").keys("<end><backspace><backspace>6<enter>");
    desk.shows("Right");
}
