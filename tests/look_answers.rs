//! How answers, their marks and predictions look: whole, in their order, beside what they are compared with.
#![allow(clippy::unwrap_used)]

use crate::kit::desk::Desk;

use infralens::pack::{self, Pack};
use infralens::page::place::Place;
use infralens::services::job::{Done, Ran};
use infralens::study::rehearsal::Setup;
use infralens::tui::event::What;

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (200, 60)];
const DRILL: &str = "ddp-gradients-not-parameters";
const ANSWER: &str = "Every rank has its own shard of the batch, so the gradients differ and the replicas would drift apart. \
    DDP averages gradients with an all-reduce in buckets, so it overlaps with the rest of backward. \
    Bananas are yellow.";
const PARTS: [&str; 5] = ["1 Problem", "2 Mechanism", "3 Communication", "4 Tradeoff", "5 Measurement"];

fn course() -> Pack {
    pack::load(&infralens::built_in::ORIGIN).pack.unwrap()
}

/// The verdict on the answer.
fn verdict() -> Desk {
    let mut desk = Desk::new(course(), &Place::Drill { pack: 0, id: DRILL.into(), only: None });
    desk.resize(120, 40).paste(ANSWER).keys("<ctrl+s><enter>");
    for _ in 0..20 {
        if desk.screen().contains("before the marks") {
            desk.keys("s");
        }
    }
    desk.shows("› verdict");
    desk
}

/// All rows of the page, one screen after the other.
fn scrolled(desk: &mut Desk) -> String {
    let mut all = desk.screen();
    for _ in 0..12 {
        desk.keys("<pgdn>");
        all += "\n";
        all += &desk.screen();
    }
    all
}

#[test]
fn a_prediction_is_shown_whole_however_long_it_is() {
    let course_of = course();
    let lesson = course_of.lessons.iter().find(|l| !l.labs.is_empty()).unwrap();
    let lab = &lesson.labs[0];
    let words: Vec<String> = (0..40).map(|n| format!("guess{n}")).collect();
    let mut pack = course();
    pack.origin = infralens::built_in::ORIGIN; // its starter may run
    let at = pack.lessons.iter().position(|l| !l.labs.is_empty()).unwrap();
    pack.lessons[at].labs[0].predictions[0].ask = "How many\nbuckets are there?".into();
    let mut desk = Desk::new(pack, &Place::Lab { pack: 0, id: lab.id.clone() });
    desk.keys("r").paste(&words.join(" ")).keys("<ctrl+s>");
    let ran = Ran { pack: 0, lab: lab.id.clone(), output: "printed".into(), note: None };
    desk.send(What::Done(Box::new(Done::Ran(ran))));
    for (width, height) in SIZES {
        desk.resize(width, height).keys("<home>");
        let screen = desk.screen();
        let missing: Vec<&String> = words.iter().filter(|word| !screen.contains(*word)).collect();
        assert!(missing.is_empty(), "{width}x{height}: {missing:?} in\n{screen}");
        // what was asked stands there too, and the end of the answer is not given away
        assert!(screen.contains("How many") && !screen.contains("It is\n"), "{screen}");
        assert!(!screen.contains("\\n"), "a line that its author broke is one: {screen}");
    }
}

#[test]
fn the_parts_stand_in_their_order_and_make_up_the_mark() {
    let mut desk = verdict();
    for (width, height) in SIZES {
        let screen = desk.resize(width, height).screen();
        let row =
            |part: &str| screen.lines().position(|row| row.contains(part) && row.contains(['✓', '◐', '✗']));
        let rows: Vec<Option<usize>> = PARTS.iter().map(|part| row(part)).collect();
        assert!(rows.iter().all(Option::is_some) && rows.is_sorted(), "{rows:?} in\n{screen}");
        let marks = |glyph: &str| {
            let part = |row: &&str| PARTS.iter().any(|part| row.contains(&format!("{glyph} {part}")));
            screen.lines().filter(part).count() as f64
        };
        let total = (marks("✓") + marks("◐") / 2.0) / 5.0 * 100.0;
        let head = screen.lines().find(|row| row.contains(" of 5")).unwrap();
        // where parts are not sure the mark stands behind from where to where it may be
        let said = head.rsplit_once("marked ").map_or(head.trim_start(), |(_, mark)| mark);
        assert!(said.starts_with(&format!("{total:.0}%")), "{total}: {head}");
    }
}

#[test]
fn a_missing_part_says_which_points_it_lacks_and_the_rules_are_for_who_asks() {
    let course = course();
    let drill = course.drills.iter().find(|d| d.id == DRILL).unwrap();
    let mut desk = verdict();
    let mut all = String::new();
    desk.keys("<home>");
    for _ in PARTS {
        all += &desk.screen();
        desk.keys("<down>");
    }
    assert!(!all.contains("for authors"), "{all}");
    let words: String = all.split_whitespace().filter(|w| *w != "│").collect::<Vec<_>>().join(" ");
    let asked: Vec<&str> = drill.rubric.points.iter().filter_map(|p| drill.rubric.asks(&p.id)).collect();
    let shown = asked
        .iter()
        .filter(|ask| words.contains(&ask.split_whitespace().take(3).collect::<Vec<_>>().join(" ")));
    assert_eq!(shown.count(), asked.len(), "{asked:?} in\n{all}");
    desk.keys("<home>E").shows("for authors");
}

#[test]
fn the_model_answer_stands_beside_mine_part_by_part() {
    let mut desk = verdict();
    desk.keys("m<home>");
    for (width, height) in SIZES {
        let all = scrolled(desk.resize(width, height).keys("<home>"));
        // nothing of mine is gone, and what earned nothing is named so
        for words in ["replicas would drift apart", "Bananas are yellow", "Not counted", "nothing on this"] {
            assert!(all.contains(words), "{width}x{height}: no {words} in\n{all}");
        }
        let beside = all.lines().any(|row| row.contains("You") && row.contains("A model answer"));
        assert_eq!(beside, width >= 120, "{width}x{height}:\n{all}");
        // each part: what I said before what a model answer says, and both before the next part
        let screen = desk.resize(width, 200).keys("<home>").screen();
        let at = |what: &str, from: usize| screen[from..].find(what).map(|at| at + from);
        let mut from = 0;
        for part in PARTS {
            let here = at(part, from).unwrap_or_else(|| panic!("{width}: no {part} in\n{screen}"));
            // beside each other it is said once whose words they are
            if width >= 120 && part != PARTS[0] {
                from = here + part.len();
                continue;
            }
            let mine = at("You", here).unwrap();
            from = at("A model answer", mine).unwrap();
        }
    }
    desk.resize(120, 40).keys("m").shows("Your answer").hides("A model answer");
}

#[test]
fn a_high_screen_uses_its_room() {
    let mut desk = verdict();
    let screen = desk.resize(200, 60).screen();
    let row = screen.lines().find(|row| row.contains("A model answer")).unwrap();
    // mine, the points of the part, the model answer
    let columns: Vec<&str> = row.split('│').collect();
    assert_eq!(columns.len(), 3, "{row}");
    assert!(columns[2].contains("A model answer") && screen.contains("5 Measurement"), "{screen}");
    desk.resize(120, 40).hides("A model answer").resize(200, 60).shows("A model answer");
    desk.keys("h").shows("Earlier attempts").hides("A model answer").keys("<esc><esc>");
    desk.resize(200, 60).shows("Latest answers").keys("p").shows("Latest answers").shows("Activity");
    desk.keys("i").keys("5<enter>").shows("The lessons").resize(120, 40).hides("The lessons");
}

#[test]
fn a_day_is_written_in_one_way() {
    let mut desk = verdict();
    let mut all = desk.keys("<esc>").resize(120, 40).screen();
    for keys in ["i5<enter>", "y", "p", "p<tab>", "p<tab><tab><tab>", "v"] {
        all += &desk.keys(keys).screen();
        desk.keys("<esc>");
    }
    assert!(all.contains("Mon 2 Mar") && !all.contains("2026-03"), "{all}");
}

#[test]
fn minutes_end_in_one_column_folded_or_not() {
    let mut desk = verdict();
    desk.keys("<esc>");
    for (width, height) in [(80, 24), (120, 40)] {
        let ends = |desk: &mut Desk| {
            let screen = desk.resize(width, height).screen();
            let rows = screen.lines().map(|row| row.split('│').next().unwrap().trim_end_matches([' ', '┃']));
            let rows = rows.filter(|row| row.ends_with(" min") && !row.starts_with(" Course"));
            rows.map(|row| row.chars().count()).collect::<std::collections::BTreeSet<usize>>()
        };
        assert_eq!(ends(&mut desk).len(), 1, "{}", desk.screen());
        let before = ends(&mut desk);
        let down = "<down>".repeat(12);
        desk.keys(&down).keys("<right>");
        assert_eq!(ends(&mut desk), before, "{}", desk.screen());
        desk.keys("<left>");
    }
}

#[test]
fn options_stay_where_they_stood_and_all_checks_are_summed_up() {
    let mut desk = Desk::new(course(), &Place::Checks { pack: 0, lesson: "ddp".into(), only: None });
    desk.resize(120, 40);
    let option = |screen: &str, nth: usize| {
        let row = screen.lines().find(|row| row.contains(&format!("{nth}) "))).unwrap_or_default();
        row.split(") ").nth(1).unwrap_or_default().chars().take(12).collect::<String>()
    };
    let before = desk.screen();
    let after = desk.keys("1<enter>").screen();
    for nth in 1..=4 {
        assert_eq!(option(&before, nth), option(&after, nth), "{after}");
    }
    assert!(after.contains("(yours)"), "{after}");
    // all others are left out
    for _ in 0..40 {
        if desk.screen().contains("Done: ") {
            break;
        }
        // after an answer Enter alone goes on
        let is_marked = desk.screen().contains("enter next");
        desk.keys(if is_marked { "<enter>" } else { "<tab>" });
    }
    // a question with drawn values stands there with one of its draws
    desk.shows("Done: ").shows("of 1 right").shows("enter why").hides("skip").hides("{{");
    desk.shows(" 1/").shows("left out").shows("You said: ");
    desk.keys("<home><enter>").shows("you said").hides("Done: ");
}

#[test]
fn the_wrong_ones_are_asked_again_alone_and_a_half_done_round_is_kept() {
    let place = Place::Checks { pack: 0, lesson: "ddp".into(), only: None };
    let folder = tempfile::tempdir().expect("a folder");
    let mut desk = Desk::on_disk(course(), &place, folder.path());
    desk.resize(120, 90);
    for _ in 0..100 {
        if desk.screen().contains("Done: ") {
            break;
        }
        let keys = match desk.screen() {
            screen if screen.contains("enter next") => "<enter>",
            screen if screen.contains("a number") => "123456<enter>",
            screen if screen.contains("take back") => "<enter>",
            _ => "1<enter>",
        };
        desk.keys(keys);
    }
    let screen = desk.shows("w the wrong ones again").shows("a all again").screen();
    // the answer to the chosen one is read without being asked again
    desk.shows("It is");
    let wrong = screen.lines().filter(|row| row.contains('✗')).count();
    assert!(wrong > 2, "{screen}");
    desk.keys("w").shows(&format!(" 0/{wrong} of the wrong ones"));
    // left half-way, it stands where it was; one alone is asked alone
    let mut desk = Desk::on_disk(course(), &place, folder.path());
    desk.resize(120, 40).shows("Done: ").shows("w the wrong ones again");
    desk.keys("<enter>").shows("It is").hides("Done: ");
    desk.keys("<enter>").shows("Done: ");
    desk.keys("a").hides("Done: ").shows(" 0/");
}

#[test]
fn no_count_is_shown_of_what_was_not_done() {
    let mut desk = Desk::new(course(), &Place::Checks { pack: 0, lesson: "ddp".into(), only: None });
    desk.shows(" 0/").hides("0 of 0").keys("<down><enter>").shows(" of 1 right").hides(" 0/");
}

#[test]
fn a_report_on_a_few_seconds_says_nothing_of_pace() {
    let setup = Setup { count: 1, follow_ups: false, ..Setup::screen(&course().id, 7) };
    let mut desk = Desk::new(course(), &Place::RehearseWith { setup: Box::new(setup), start: true });
    desk.resize(120, 40).keys("<ctrl+s>").paste(ANSWER).wait(2).keys("<ctrl+s>");
    desk.shows("Rehearsal report").shows("1 of 1 prompt");
    for (width, height) in SIZES {
        desk.resize(width, height).hides(" a minute").hides("at 0:00 s");
        // where there are few columns a question has one line
        if width > 80 {
            desk.hides("…");
        }
    }
}

#[test]
fn a_part_that_is_answered_again_is_rated_against_its_own_question() {
    let mut desk = verdict();
    desk.keys("<up><up><up><up><enter>").shows("“Problem” alone.");
    desk.paste("Each rank sees other samples, so the replicas would drift apart.").keys("<ctrl+s>");
    desk.shows("1 Problem").shows("“Problem” alone.");
}

#[test]
fn what_stands_beside_a_verdict_is_put_away_before_the_verdict_is_left() {
    for key in ["m", "h"] {
        let mut desk = verdict();
        let before = desk.screen();
        desk.keys(key);
        assert_ne!(desk.screen(), before, "{key}");
        desk.keys("<esc>");
        assert_eq!(desk.screen(), before, "{key}");
    }
}

#[test]
fn whoever_leaves_the_questions_before_the_marks_sees_the_marks() {
    let mut desk = Desk::new(course(), &Place::Drill { pack: 0, id: DRILL.into(), only: None });
    desk.resize(120, 40).paste(ANSWER).keys("<ctrl+s><enter>").shows("before the marks");
    desk.keys("<esc>").shows("› verdict").shows("enter part again");
}

#[test]
fn what_cost_most_in_a_rehearsal_is_named_by_its_own_part_and_is_no_follow_up() {
    let setup = Setup { count: 1, think: 0, ..Setup::screen("distributed-training", 7) };
    let mut desk = Desk::new(course(), &Place::RehearseWith { setup: Box::new(setup), start: true });
    desk.resize(120, 40).paste(ANSWER).keys("<ctrl+s>").shows("ollow-up");
    desk.paste("Bananas are yellow, and I would not know what to say.").keys("<ctrl+s>");
    let screen = desk.shows("What cost most").screen();
    let costly: Vec<&str> =
        screen.lines().skip_while(|row| !row.contains("What cost most")).skip(1).collect();
    for (nth, part) in PARTS.iter().enumerate() {
        let (number, title) = part.split_once(' ').unwrap();
        let named: Vec<&&str> = costly.iter().filter(|row| row.contains(&format!(" {title}: "))).collect();
        assert!(named.iter().all(|row| row.trim_start().starts_with(number)), "{nth}: {named:?}");
        assert!(named.len() <= 1, "{named:?}");
    }
}

#[test]
fn home_uses_the_rows_of_a_high_screen_and_the_mark_of_a_verdict_is_always_in_sight() {
    let mut desk = verdict();
    desk.resize(80, 24);
    for keys in ["", "<down><down><down><down>", "<pgdn><pgdn>"] {
        let screen = desk.keys(keys).screen();
        assert!(screen.lines().next().unwrap().contains('%'), "{keys}: {screen}");
    }
    desk.resize(200, 60).keys("<esc><esc><esc>i5<enter><esc>");
    let screen = desk.shows("Latest answers").shows("Why does DDP all-reduce gradients").screen();
    let used = screen.lines().filter(|row| row.chars().any(|c| c.is_alphanumeric())).count();
    assert!(used >= 30, "{used} rows of 60 are used:\n{screen}");
    // what there is no room for is not there
    desk.resize(120, 40).hides("Latest answers");
}

/// The first rows of the screen until the answer begins, without what stands beside it.
fn head_of(screen: &str) -> Vec<String> {
    let rows = screen.lines().skip(1).take_while(|row| !row.contains("Your answer"));
    rows.map(|row| row.split('│').next().unwrap().trim_end_matches([' ', '┃']).to_owned()).collect()
}

#[test]
fn the_mark_leads_and_says_how_many_points_cover_a_part() {
    let mut desk = verdict();
    for (width, height) in SIZES {
        let head = head_of(&desk.resize(width, height).screen());
        let first = head.iter().find(|row| !row.is_empty()).unwrap();
        assert!(first.trim_start().split('%').next().unwrap().parse::<u8>().is_ok(), "{width}: {head:#?}");
        assert!(head.iter().any(|row| row.contains(" of 5")), "{width}: {head:#?}");
        assert!(head.iter().all(|row| !row.contains('…')), "{width}: {head:#?}");
        for part in PARTS {
            let row = head.iter().find(|row| row.contains(part)).unwrap();
            assert!([" of 1", " of 2", " of 3"].iter().any(|n| row.contains(n)), "{width}: {row}");
        }
    }
    desk.resize(120, 40)
        .shows("One of these 4 points is enough, but not the first alone.")
        .shows("You said none.")
        .hides("0 said");
    desk.keys("<home><down>").shows("are enough. You said 2");
}

#[test]
fn a_low_screen_shows_question_mark_and_parts_and_moving_scrolls_nothing() {
    let mut desk = verdict();
    desk.resize(80, 24).keys("<home>").shows("not sure").shows("5 Measurement");
    let before = head_of(&desk.screen()).iter().map(|row| row.replace('▸', " ")).collect::<Vec<_>>();
    for _ in 0..4 {
        let after = desk.keys("<down>").screen();
        let after = head_of(&after).iter().map(|row| row.replace('▸', " ")).collect::<Vec<_>>();
        assert_eq!(after, before);
    }
    desk.shows("▸").shows(" 5 Measurement: ");
}

#[test]
fn a_part_that_is_answered_again_shows_what_earned_it_before_and_no_more() {
    let mut desk = verdict();
    desk.resize(80, 24).keys("<home><enter>").shows("“Problem” alone.").shows("Before it was ");
    desk.shows("replicas would drift apart").hides("Bananas").hides("You answered:");
}

#[test]
fn what_is_false_is_marked_so_beside_the_model_answer_and_is_not_among_what_is_not_counted() {
    let place = Place::Drill { pack: 0, id: DRILL.into(), only: None };
    let mut desk = Desk::new(course(), &place);
    let answer = format!("{ANSWER} DDP also shards the optimizer state.");
    desk.resize(120, 60).paste(&answer).keys("<ctrl+s><enter>");
    while desk.screen().contains("before the marks") {
        desk.keys("s");
    }
    desk.shows("Not so: “DDP also shards the optimizer state").keys("m");
    let all = desk.resize(120, 90).screen();
    let wrong = all.find("Not so: ").unwrap();
    let rest = all.find("Not counted").unwrap();
    assert!(all[wrong..rest].contains("DDP"), "{all}");
    assert!(!all[rest..].contains("shards") && all[rest..].contains("Bananas"), "{all}");
}

#[test]
fn the_questions_of_the_parts_stand_beside_an_own_rating() {
    let mut desk = Desk::new(course(), &Place::Drill { pack: 0, id: DRILL.into(), only: None });
    desk.resize(120, 40).paste(ANSWER).keys("<ctrl+s>").shows("how well did you say each part?");
    desk.shows("Problem: What does not fit").shows("Measurement: Which metric");
    desk.resize(80, 24).hides("Measurement: Which metric").shows("What does not fit").shows("Bananas");
}

#[test]
fn the_end_of_the_checks_leads_to_the_worksheet_of_the_lesson() {
    let place = Place::Checks { pack: 0, lesson: "zero-fsdp".into(), only: None };
    let mut desk = Desk::new(course(), &place);
    desk.resize(120, 90);
    for _ in 0..40 {
        let screen = desk.screen();
        if screen.contains("Done: ") {
            break;
        }
        desk.keys(match screen {
            screen if screen.contains("enter next") => "<enter>",
            screen if screen.contains(" 0/") && !screen.contains("a number") => "1<enter>",
            _ => "<tab>",
        });
    }
    desk.shows("Worksheet: A ledger for 13B").keys("<end><enter>").shows("state in GB");
}
