//! The progress screen: keys in, effects and pictures out.

use infralens::pack::{self, Origin};
use infralens::page::key::Key;
use infralens::page::place::Place;
use infralens::score::Verdict;
use infralens::services::library::Library;
use infralens::services::{INTERVIEW, Services};
use infralens::store::{CheckAttempt, Done, Store};
use infralens::study::answer::{self, Finished};
use infralens::study::schedule::Schedule;
use infralens::tui::app::{App, Setup};
use infralens::tui::event::{Event, What};
use infralens::widget::theme::Palette;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use ratatui::Terminal;
use ratatui::backend::TestBackend;

struct Desk {
    app: App,
    now: Timestamp,
}

impl Desk {
    fn new(width: u16, height: u16) -> Self {
        Self::with_answers(4, width, height)
    }

    /// Somebody who gave so many answers, read the first lesson, and answered its check wrong and then right.
    fn learner(answers: usize, width: u16, height: u16) -> Self {
        let mut desk = Self::with_answers(answers, width, height).press("esc");
        let pack = &desk.app.library().packs[0];
        let store = &desk.app.services().expect("a store").store;
        let lesson = &pack.lessons[0].id;
        store.mark_done(&pack.id, lesson, Done::Section, desk.now).expect("it is kept");
        let check = pack.index().checks_of(lesson).next().expect("a check");
        for nth in 0..2 {
            let attempt = CheckAttempt {
                id: format!("c{nth}"),
                pack: pack.id.clone(),
                check: check.id.to_string(),
                lesson: lesson.clone(),
                at: desk.now - 72.hours() + nth.minutes(),
                right: nth == 1,
                given: String::new(),
                hints: 0,
                seed: 0,
                seconds: 20,
            };
            store.record_check(&attempt, &Schedule::new(TimeZone::UTC)).expect("it is kept");
        }
        desk.send(What::Resize(width, height));
        desk.press("p")
    }

    fn with_answers(answers: usize, width: u16, height: u16) -> Self {
        let now: Timestamp = "2026-03-02T10:00:00Z".parse().expect("a time");
        let mut app = App::new(&Setup { now, palette: Some(Palette::Mono), ascii: false });
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("sample");
        infralens::cmd::pack::new(&path, false, &mut Vec::new()).expect("a new pack");
        let pack = pack::load(&Origin::Folder(path)).pack.expect("a pack");
        let what = |what| Event { at: now, what };
        app.update(what(What::Resize(width, height)));
        let store = Store::in_memory().expect("a store");
        for nth in 0..answers {
            let said = Finished {
                id: format!("a{nth}"),
                part: None,
                again: false,
                text: "It depends.",
                seconds: 60,
                rating: None,
            };
            let mut attempt = answer::scored(&pack, &pack.drills[0], said, now);
            for (at, part) in attempt.score.parts.iter_mut().enumerate() {
                (part.verdict, part.score) = match at {
                    0 => (Verdict::Covered, 1.0),
                    _ => (Verdict::Missing, 0.25),
                };
            }
            store.record_attempt(&attempt, &Schedule::new(TimeZone::UTC)).expect("an attempt");
        }
        let library = Library { packs: vec![pack], broken: Vec::new() };
        app.load(Services::new(library, store, TimeZone::UTC, std::env::temp_dir()), &Place::Home);
        Self { app, now }.press("p")
    }

    fn send(&mut self, what: What) {
        self.app.update(Event { at: self.now, what });
    }

    fn press(mut self, names: &str) -> Self {
        for name in names.split(' ') {
            self.send(What::Key(Key::parse(name).expect("a key")));
        }
        self
    }

    /// The date that is kept, if one ever was.
    fn dates(&self) -> Option<String> {
        self.app.services().expect("a store").setting(INTERVIEW).expect("a setting")
    }

    fn screen(&self, width: u16, height: u16) -> String {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a terminal");
        terminal.draw(|frame| self.app.draw(frame)).expect("a frame");
        let cells = &terminal.backend().buffer().content;
        cells
            .chunks(usize::from(width.max(1)))
            .map(|row| row.iter().map(|c| c.symbol()).collect::<String>() + "\n")
            .collect()
    }
}

#[test]
fn the_map_is_read_without_colour_and_points_at_the_weakest() {
    let screen = Desk::new(80, 24).screen(80, 24);
    assert!(screen.contains("100") && screen.contains("▸"), "{screen}");
    assert!(screen.contains("25% over 4 answers, steady."), "{screen}");
    assert!(screen.contains("in 4 of 4 answers on"), "{screen}");
    let screen = Desk::new(120, 40).screen(120, 40);
    for card in ["Trend  first answers to last", "Own rating", "Activity  1 of 28 days"] {
        assert!(screen.contains(card), "{screen}");
    }
}

#[test]
fn before_any_drill_the_map_is_what_was_done_of_each_lesson() {
    for (width, height) in [(80, 24), (120, 40)] {
        let desk = Desk::learner(0, width, height);
        let screen = desk.screen(width, height);
        assert!(screen.contains("1 lesson read"), "{screen}");
        assert!(screen.contains("✓ read") && screen.contains("✓ 1/1"), "{screen}");
        assert!(!screen.contains("0 answers") && !screen.contains("Own rating  against"), "{screen}");
        assert!(screen.contains("Activity  2 of 28 days"), "{screen}");
        let lesson = desk.press("enter").screen(width, height);
        assert!(!lesson.contains("one part"), "{lesson}");
    }
}

#[test]
fn reading_and_checks_count_in_activity() {
    let screen = Desk::learner(0, 120, 40).press("tab tab tab").screen(120, 40);
    assert!(screen.contains("1 lesson") && screen.contains("2 checks"), "{screen}");
    assert!(screen.contains("How steady you are: "), "{screen}");
    let screen = Desk::learner(4, 120, 40).press("tab tab tab").screen(120, 40);
    assert!(screen.contains("1 lesson, 4 answers in 4 min"), "{screen}");
}

#[test]
fn after_drills_the_map_still_tells_what_was_done_of_a_lesson() {
    let screen = Desk::learner(4, 80, 24).screen(80, 24);
    assert!(screen.contains("This lesson: read,"), "{screen}");
    let screen = Desk::learner(4, 120, 40).screen(120, 40);
    assert!(screen.contains("puzzles") && screen.contains("yes"), "{screen}");
}

#[test]
fn one_answer_is_no_trend() {
    let desk = Desk::learner(1, 120, 40);
    let screen = desk.screen(120, 40);
    assert!(screen.contains("Trend  1 answer; from 4 on it is drawn"), "{screen}");
    assert!(!screen.contains("first and last 3") && !screen.contains("getting"), "{screen}");
    let screen = desk.press("tab").screen(120, 40);
    assert!(screen.contains("1 answer;") && !screen.contains("last 3"), "{screen}");
}

#[test]
fn before_the_first_answer_home_draws_no_parts() {
    for (width, height) in [(80, 24), (120, 40), (200, 60)] {
        let screen = Desk::learner(0, width, height).press("esc").screen(width, height);
        assert!(!screen.contains("Your parts") && !screen.contains("not yet"), "{screen}");
        let done = if width < 100 { "1 lesson read, 1 check right" } else { "Lessons read" };
        assert!(screen.contains("So far") && screen.contains(done), "{screen}");
        // who only reads is asked for no interview first
        let row = |of: &str| screen.lines().position(|row| row.starts_with(of));
        assert!(row("   Play") < row("   Interview") && row("   Rehearse").is_none(), "{screen}");
        assert_eq!(screen.contains("Lately"), height == 60, "{screen}");
        // the course stands there once
        assert_eq!(screen.matches("The average").count(), 1, "{screen}");
    }
}

#[test]
fn a_column_of_the_trend_is_an_answer_on_a_scale_with_its_day() {
    for (width, height) in [(80, 24), (120, 40)] {
        let screen = Desk::new(width, height).press("tab").screen(width, height);
        let rows: Vec<&str> =
            screen.lines().skip_while(|row| !row.contains("Whole answers")).skip(1).take(6).collect();
        let scale: Vec<&str> = rows[..5].iter().filter_map(|row| row.split_whitespace().next()).collect();
        assert_eq!(scale, ["100", "80", "60", "40", "20"], "{screen}");
        let left = |row: &str| row.chars().take(50).collect::<String>();
        let answers = left(rows[4]).chars().filter(|c| "▁▂▃▄▅▆▇█".contains(*c)).count();
        assert!(answers >= 3, "{screen}");
        assert!(left(rows[5]).contains(" Mar"), "{screen}");
        assert!(
            screen.contains("Part by part") && screen.contains("the first answers, the last"),
            "{screen}"
        );
    }
}

#[test]
fn fewer_than_three_answers_are_a_sentence() {
    let screen = Desk::learner(2, 80, 24).press("tab").screen(80, 24);
    assert!(
        screen.contains("Whole answers  2 answers: ") && screen.contains("from 3 on they are drawn"),
        "{screen}"
    );
    assert!(!screen.contains("100  "), "{screen}");
}

#[test]
fn enter_on_a_cell_asks_for_just_that_part() {
    let screen = Desk::new(80, 24).press("enter").screen(80, 24);
    assert!(screen.contains("one part"), "{screen}");
}

#[test]
fn what_is_chosen_says_how_it_stands_here_and_over_all_lessons() {
    let desk = Desk::new(120, 40).press("left");
    let screen = desk.screen(120, 40);
    assert!(screen.contains("100% over 4 answers"), "{screen}");
    assert!(screen.contains("100% over the lessons"), "{screen}");
}

#[test]
fn a_date_gives_a_plan_and_is_kept() {
    let desk = Desk::new(80, 24).press("i 2 0 2 6 - 0 3 - 0 5 enter");
    assert_eq!(desk.dates().as_deref(), Some("2026-03-05"));
    let screen = desk.screen(80, 24);
    assert!(screen.contains("interview in 3 days"), "{screen}");
    assert!(screen.contains("Today, Mon 2 Mar") && screen.contains("Thu 5 Mar, the interview"), "{screen}");
    let desk = desk.press("i ctrl+u enter");
    assert_eq!(desk.dates().as_deref(), Some(""));
    assert!(!desk.screen(80, 24).contains("interview in"));
}

#[test]
fn days_are_counted_from_today() {
    assert_eq!(Desk::new(80, 24).press("i 1 4 enter").dates().as_deref(), Some("2026-03-16"));
}

#[test]
fn what_is_no_date_is_told_and_not_kept() {
    let desk = Desk::new(80, 24).press("i s o o n enter");
    assert_eq!(desk.dates(), None);
    assert!(desk.screen(80, 24).contains("“soon” is not a day"));
    assert!(desk.press("esc").screen(80, 24).contains("drill this"));
}

#[test]
fn a_kept_date_comes_back() {
    let desk = Desk::new(80, 24).press("i 1 enter esc i");
    assert!(desk.screen(80, 24).contains("interview tomorrow"));
}

#[test]
fn it_stands_any_size() {
    for way in ["down", "o", "i 9 enter"] {
        let mut desk = Desk::new(80, 24).press(way);
        for (width, height) in [(0, 0), (1, 1), (20, 5), (60, 16), (80, 24), (300, 100)] {
            desk.send(What::Resize(width, height));
            desk = desk.press("tab down up pgdn pgup right left g G");
            desk.screen(width, height);
        }
    }
}

#[test]
fn home_asks_for_the_date_and_leads_through_the_days() {
    let home = Desk::new(80, 24).press("esc");
    let screen = home.screen(80, 24);
    assert!(screen.contains("Interview  set its date"), "{screen}");
    let asked = home.press("i");
    assert!(asked.screen(80, 24).contains("Interview on:"), "{}", asked.screen(80, 24));
    let planned = asked.press("5 enter");
    let screen = planned.screen(80, 24);
    assert!(
        screen.contains("enter go")
            && screen.contains("i date")
            && screen.contains("J job")
            && screen.contains("▸"),
        "{screen}"
    );
    assert!(screen.contains("interview in 5 days"), "{screen}");
    let screen = planned.press("esc").screen(80, 24);
    assert!(screen.contains("Read       The average"), "{screen}");
    assert!(screen.contains("Interview  in 5 days; what to do each day"), "{screen}");
}

#[test]
fn a_task_of_the_plan_is_a_place_to_go_to() {
    let desk = Desk::new(80, 24).press("i 5 enter down enter");
    assert!(desk.screen(80, 24).contains("What problem it solves"), "{}", desk.screen(80, 24));
    let desk = desk.press("esc G enter");
    assert!(!desk.screen(80, 24).contains("Today, "), "{}", desk.screen(80, 24));
}

#[test]
fn back_from_a_task_the_cursor_is_on_what_comes_next() {
    let desk = Desk::new(80, 24).press("i 5 enter down");
    let screen = desk.screen(80, 24);
    assert!(screen.contains("▸ · Read      The average"), "{screen}");
    let desk = desk.press("enter");
    let pack = &desk.app.library().packs[0];
    let store = &desk.app.services().expect("a store").store;
    store.mark_done(&pack.id, &pack.lessons[0].id, Done::Section, desk.now).expect("it is kept");
    let screen = desk.press("esc").screen(80, 24);
    assert!(screen.contains("✓ Read      The average"), "{screen}");
    assert!(screen.contains("✓ Drill     The average"), "{screen}");
    assert!(screen.contains("▸ · Review    what is due"), "{screen}");
}

#[test]
fn a_task_is_ticked_left_for_tomorrow_and_taken_up_again() {
    let desk = Desk::new(80, 24).press("i 5 enter down space");
    let screen = desk.screen(80, 24);
    assert!(screen.contains("▸ ✓ Read      The average"), "{screen}");
    let desk = desk.press("space");
    assert!(desk.screen(80, 24).contains("▸ · Read      The average"));
    let before = |screen: &str, what: &str| {
        let (today, _) = screen.split_once("Tomorrow").expect("two days");
        today.contains(what)
    };
    let desk = desk.press(">");
    let screen = desk.screen(80, 24);
    assert!(
        !before(&screen, "Read      The average") && screen.contains("Read      The average"),
        "{screen}"
    );
}

#[test]
fn more_minutes_a_day_make_another_plan() {
    let desk = Desk::new(80, 24).press("i 5 enter + +");
    let screen = desk.screen(80, 24);
    assert!(screen.contains("90 minutes a day"), "{screen}");
    let desk = desk.press("- - - - - - -");
    let screen = desk.screen(80, 24);
    assert!(screen.contains("the plan takes 15 to 240 minutes a day"), "{screen}");
}

#[test]
fn the_day_that_a_date_means_stands_below_it_while_it_is_typed() {
    let desk = Desk::new(120, 40).press("i 5");
    assert!(
        desk.screen(120, 40).contains(", in 5 days: 5 h at 60 minutes a day"),
        "{}",
        desk.screen(120, 40)
    );
    let desk = desk.press("x");
    assert!(desk.screen(120, 40).contains("“5x” is not a day"), "{}", desk.screen(120, 40));
}
