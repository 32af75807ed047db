//! The progress screen: keys in, effects and pictures out.

use std::collections::BTreeMap;

use infralens::app::effect::Reply;
use infralens::app::event::{Event, What};
use infralens::app::{App, Setup};
use infralens::pack::{self, Origin};
use infralens::page::key::Key;
use infralens::page::place::Place;
use infralens::score::Verdict;
use infralens::services::library::Library;
use infralens::services::{INTERVIEW, Services};
use infralens::store::Store;
use infralens::study::home::Home;
use infralens::study::strength::{Cell, Mark, Strengths};
use infralens::widget::theme::Palette;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use ratatui::Terminal;
use ratatui::backend::TestBackend;

struct Desk {
    app: App,
    now: Timestamp,
}

/// A cell whose marks are all the same.
fn cell(lesson: &str, part: &str, verdict: Verdict, score: f64) -> Cell {
    let mut cell = Cell::new(lesson, part);
    (0..4).for_each(|_| cell.add(Mark { verdict, score }));
    cell
}

impl Desk {
    fn new(width: u16, height: u16) -> Self {
        let now: Timestamp = "2026-03-02T10:00:00Z".parse().expect("a time");
        let mut app =
            App::new(&Setup { now, zone: TimeZone::UTC, palette: Some(Palette::Mono), ascii: false });
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("sample");
        infralens::cmd::pack::new(&path, &mut Vec::new()).expect("a new pack");
        let pack = pack::load(&Origin::Folder(path)).pack.expect("a pack");
        let lesson = pack.drills[0].lesson.clone();
        let parts: Vec<String> = pack.parts.iter().map(|p| p.id.clone()).collect();
        let home = Home {
            strengths: Strengths {
                cells: vec![
                    cell(&lesson, &parts[0], Verdict::Covered, 1.0),
                    cell(&lesson, &parts[1], Verdict::Missing, 0.25),
                ],
            },
            lessons: BTreeMap::new(),
            ..Home::default()
        };
        let what = |what| Event { at: now, what };
        app.update(what(What::Resize(width, height)));
        let library = Library { packs: vec![pack], broken: Vec::new() };
        let store = Store::in_memory().expect("a store");
        app.load(Services::new(library, store, TimeZone::UTC, std::env::temp_dir()), &Place::Home);
        let mut desk = Self { app, now }.press("p");
        desk.send(What::Reply(Box::new(Reply::Home(vec![home], Vec::new()))));
        desk
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
    assert!(screen.contains("━━━━ 100%") && screen.contains("▸━━━╌╌╌╌╌╌╌  25%"), "{screen}");
    assert!(screen.contains("25% over 4 answers"), "{screen}");
    assert!(screen.contains("in 4 of 4 answers on"), "{screen}");
}

#[test]
fn enter_on_a_cell_asks_for_just_that_part() {
    let screen = Desk::new(80, 24).press("enter").screen(80, 24);
    assert!(screen.contains("one part"), "{screen}");
}

#[test]
fn the_head_of_a_part_asks_for_it_where_it_is_weakest() {
    let desk = Desk::new(80, 24).press("g");
    let screen = desk.screen(80, 24);
    assert!(screen.contains("25% over the lessons answered so far"), "{screen}");
    assert!(screen.contains("where it is weakest: The average."), "{screen}");
    let screen = desk.press("enter").screen(80, 24);
    assert!(screen.contains("The average → one part"), "{screen}");
    let screen = Desk::new(80, 24).press("g left tab").screen(80, 24);
    assert!(screen.contains("100% over the lessons answered so far"), "{screen}");
}

#[test]
fn a_date_gives_a_plan_and_is_kept() {
    let desk = Desk::new(80, 24).press("i 2 0 2 6 - 0 3 - 0 5 enter");
    assert_eq!(desk.dates().as_deref(), Some("2026-03-05"));
    let screen = desk.screen(80, 24);
    assert!(screen.contains("interview in 3 days"), "{screen}");
    assert!(
        screen.contains("Today, Mon 2026-03-02") && screen.contains("Thu 2026-03-05, the interview"),
        "{screen}"
    );
    let desk = desk.press("i delete enter");
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
    assert!(desk.screen(80, 24).contains("that is no day"));
    assert!(desk.press("esc").screen(80, 24).contains("[Map]"));
}

#[test]
fn a_kept_date_comes_back() {
    let mut desk = Desk::new(80, 24);
    let kept = Reply::Setting("interview", Some("2026-03-03".into()));
    desk.send(What::Reply(Box::new(kept)));
    assert!(desk.screen(80, 24).contains("interview tomorrow"));
}

#[test]
fn it_stands_any_size() {
    let mut desk = Desk::new(80, 24).press("i 9 enter");
    for (width, height) in [(0, 0), (1, 1), (20, 5), (60, 16), (80, 24), (300, 100)] {
        desk.send(What::Resize(width, height));
        for _ in 0..3 {
            desk = desk.press("tab down up pgdn pgup right left g G");
            desk.screen(width, height);
        }
    }
}

#[test]
fn home_asks_for_the_date_and_leads_through_the_days() {
    let home = Desk::new(80, 24).press("esc");
    let screen = home.screen(80, 24);
    assert!(screen.contains("I have an interview  give its date"), "{screen}");
    let asked = home.press("i");
    let mut asked = asked;
    asked.send(What::Reply(Box::new(Reply::Setting("interview", None))));
    assert!(asked.screen(80, 24).contains("Interview on:"), "{}", asked.screen(80, 24));
    let planned = asked.press("5 enter");
    let screen = planned.screen(80, 24);
    assert!(screen.contains("enter do this") && screen.contains("▸"), "{screen}");
    assert!(screen.contains("interview in 5 days"), "{screen}");
    let home = planned.press("esc");
    let screen = home.screen(80, 24);
    assert!(screen.contains("Read       The average"), "{screen}");
    assert!(screen.contains("Interview  in 5 days; what to do each day"), "{screen}");
    assert!(!screen.contains("Start the course"), "{screen}");
}

#[test]
fn a_task_of_the_plan_is_a_place_to_go_to() {
    let desk = Desk::new(80, 24).press("i 5 enter enter");
    assert!(desk.screen(80, 24).contains("Handbook"), "{}", desk.screen(80, 24));
    let desk = desk.press("esc G enter");
    assert!(!desk.screen(80, 24).contains("Today, "), "{}", desk.screen(80, 24));
}

#[test]
fn back_from_a_task_the_cursor_is_on_what_comes_next() {
    let mut desk = Desk::new(80, 24).press("i 5 enter");
    let screen = desk.screen(80, 24);
    assert!(screen.contains("▸   5 min  read The average"), "{screen}");
    desk = desk.press("enter");
    let mut home = Home::default();
    let lesson = desk.app.library().packs[0].lessons[0].id.clone();
    home.lessons.entry(lesson).or_default().read = true;
    desk = desk.press("esc");
    desk.send(What::Reply(Box::new(Reply::Home(vec![home], Vec::new()))));
    let screen = desk.screen(80, 24);
    assert!(screen.contains("✓      read The average"), "{screen}");
    assert!(screen.contains("▸   5 min  lab An average"), "{screen}");
}
