//! The worksheet screen: keys in, effects and pictures out.

use std::collections::BTreeMap;

use infralens::pack::{self, Origin};
use infralens::page::key::Key;
use infralens::page::place::Place;
use infralens::services::Services;
use infralens::services::library::Library;
use infralens::store::{CheckAttempt, Store};
use infralens::tui::app::{App, Setup};
use infralens::tui::event::{Event, What};
use infralens::widget::theme::Palette;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use ratatui::Terminal;
use ratatui::backend::TestBackend;

const QUIZ: &str = r#"
lesson = "LESSON"

[[worksheet]]
id = "ledger"
title = "A ledger"
question = "Fill in the bytes."
checker = "table"
explain = "Stage 3 shards all."
hints = ["Start with 16 bytes.", "Divide by d."]

[worksheet.given]
N = "7.5 billion"
d = "64"
"expect.z3" = "zero_state_bytes(N, d, 3) / GB"
"unit.z3" = "GB"
"why.z3" = "all 16 bytes are divided"
"accept.link" = "NVLink"

[[worksheet.row]]
label = "ZeRO-3"
cell = [{ id = "z3", label = "GB" }, { id = "link", label = "link", options = ["NIC", "NVLink"] }]
"#;

struct Desk {
    app: App,
    now: Timestamp,
    lesson: String,
}

fn library(quiz: &str) -> Library {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("sample");
    infralens::cmd::pack::new(&path, false, &mut Vec::new()).expect("a new pack");
    let origin = Origin::Folder(path.clone());
    let lesson = pack::load(&origin).pack.expect("a pack").lessons[0].id.clone();
    let quiz = quiz.replace("LESSON", &lesson);
    std::fs::write(path.join("quizzes/sheet.toml"), quiz).expect("written");
    let report = pack::load(&origin);
    Library { packs: vec![report.pack.expect("the pack with a worksheet loads")], broken: Vec::new() }
}

impl Desk {
    fn new() -> Self {
        Self::with(&[])
    }

    /// On a store in which these cells were filled before.
    fn with(cells: &[(&str, &str)]) -> Self {
        Self::of(QUIZ, cells)
    }

    /// On another worksheet.
    fn of(quiz: &str, cells: &[(&str, &str)]) -> Self {
        let now: Timestamp = "2026-03-02T10:00:00Z".parse().expect("a time");
        let mut app = App::new(&Setup { now, palette: Some(Palette::Mono), ascii: false });
        let library = library(quiz);
        let lesson = library.packs[0].lessons[0].id.clone();
        let store = Store::in_memory().expect("a store");
        for (cell, text) in cells {
            store.save_cell((&library.packs[0].id, "ledger"), cell, text, now).expect("kept");
        }
        app.update(Event { at: now, what: What::Resize(80, 24) });
        let place = Place::Checks { pack: 0, lesson: lesson.clone(), only: Some("ledger".into()) };
        app.load(Services::new(library, store, TimeZone::UTC, std::env::temp_dir()), &place);
        Self { app, now, lesson }
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

    fn wait(mut self, seconds: i64) -> Self {
        self.now = self.now.checked_add(SignedDuration::from_secs(seconds)).expect("a time");
        if self.app.wake_at().is_some_and(|at| at <= self.now) {
            self.send(What::Tick);
        }
        self
    }

    fn store(&self) -> (&Store, &str) {
        let services = self.app.services().expect("a store");
        (&services.store, &services.library.packs[0].id)
    }

    fn saved(&self) -> BTreeMap<String, String> {
        let (store, pack) = self.store();
        store.cells(pack, "ledger").expect("cells")
    }

    /// The answers that were recorded, the oldest first.
    fn attempts(&self) -> Vec<CheckAttempt> {
        let (store, pack) = self.store();
        let mut found = store.checks_of(pack, "ledger", 10).expect("answers");
        found.reverse();
        found
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
fn what_is_typed_is_kept_within_a_second() {
    let desk = Desk::new().press("1 . 9");
    assert!(desk.saved().is_empty());
    assert_eq!(desk.wait(1).saved(), BTreeMap::from([("z3".into(), "1.9".into())]));
}

#[test]
fn what_is_typed_is_kept_when_the_screen_is_left() {
    assert_eq!(Desk::new().press("1 esc").saved(), BTreeMap::from([("z3".into(), "1".into())]));
}

#[test]
fn a_right_worksheet_is_accepted_and_recorded() {
    let desk = Desk::new().press("1 . 8 8 tab right right").wait(40).press("f2 ctrl+s");
    let attempts = desk.attempts();
    let [attempt] = attempts.as_slice() else {
        panic!("one attempt, not {attempts:?}");
    };
    assert!(attempt.right);
    assert_eq!((attempt.check.as_str(), &attempt.lesson), ("ledger", &desk.lesson));
    assert_eq!((attempt.hints, attempt.seconds), (1, 40));
    let screen = desk.screen(80, 24);
    assert!(screen.contains("Accepted") && screen.contains("Stage 3 shards all."), "{screen}");
}

#[test]
fn a_wrong_cell_is_named_with_its_reason_and_can_be_mended() {
    let desk = Desk::new().press("7 tab right right ctrl+s");
    let screen = desk.screen(80, 24);
    assert!(screen.contains("Not yet: 1 to mend"), "{screen}");
    assert!(screen.contains("ZeRO-3, GB:") && screen.contains("all 16 bytes are divided"));
    // what is still to be found is told of the chosen cell alone, and when it is asked for
    assert!(!screen.contains("1.88") && !screen.contains("Stage 3 shards all."), "{screen}");
    let desk = desk.wait(1).press("shift+tab backspace 1 . 8 7 5 ctrl+s");
    let rights: Vec<bool> = desk.attempts().iter().map(|a| a.right).collect();
    assert_eq!(rights, [false, true]);
}

#[test]
fn answers_are_told_one_by_one_and_no_empty_cell_is_solved() {
    let desk = Desk::new().press("f3");
    assert!(desk.screen(80, 24).contains("have it checked first"));
    let desk = desk.press("7 ctrl+s ctrl+s");
    let screen = desk.screen(80, 24);
    assert!(screen.contains("Not yet: 1 to mend, 1 empty"), "{screen}");
    assert!(!screen.contains("it is NVLink") && !screen.contains("Stage 3"), "{screen}");
    // the cursor went to the wrong cell, and its answer stands right under its row
    let rows: Vec<&str> = screen.lines().collect();
    let at = rows.iter().position(|row| row.contains("ZeRO-3 ")).expect("the row of the cell");
    assert!(rows[at + 1].contains("Type your answer"), "{screen}");
    let desk = desk.press("f3");
    let screen = desk.screen(80, 24);
    let rows: Vec<&str> = screen.lines().collect();
    assert!(
        rows[at + 2].contains("ZeRO-3, GB: it is 1.88 GB") && !screen.contains("it is NVLink"),
        "{screen}"
    );
    assert_eq!(screen.matches("it is 1.88 GB").count(), 1, "{screen}");
    // the choices of a cell stand right under its row, and what was told elsewhere is still to be read
    let desk = desk.press("tab");
    let screen = desk.screen(80, 24);
    let rows: Vec<&str> = screen.lines().collect();
    assert!(rows[at + 1].contains("NIC") && rows[at + 1].contains("NVLink"), "{screen}");
    assert!(screen.contains("it is 1.88 GB"), "{screen}");
    let desk = desk.press("shift+tab");
    // an answer that was told counts as a hint
    let desk = desk.wait(1).press("backspace 1 . 8 7 5 tab right right ctrl+s");
    let attempts = desk.attempts();
    assert_eq!(attempts.iter().map(|a| (a.right, a.hints)).collect::<Vec<_>>(), [(false, 0), (true, 1)]);
    assert!(desk.screen(80, 24).contains("Stage 3 shards all."));
}

#[test]
fn empty_cells_are_told_of_before_they_count() {
    let desk = Desk::new().press("1 . 8 8 ctrl+s");
    assert!(desk.attempts().is_empty());
    assert!(desk.screen(80, 24).contains("one cell is empty"));
    let desk = desk.press("ctrl+s");
    assert_eq!(desk.attempts().len(), 1);
    assert!(desk.screen(80, 24).contains("Not yet: 1 empty"));
}

#[test]
fn entries_come_back() {
    let desk = Desk::with(&[("z3", "4.25"), ("link", "NIC")]);
    let screen = desk.screen(80, 24);
    assert!(screen.contains("[4.25") && screen.contains("<NIC"), "{screen}");
}

#[test]
fn it_stands_any_size() {
    let mut desk = Desk::new().press("1 tab right ctrl+s ctrl+s f2");
    for (width, height) in [(0, 0), (1, 1), (20, 5), (60, 16), (80, 24), (300, 100)] {
        desk.send(What::Resize(width, height));
        desk = desk.press("down up pgdn pgup tab right x backspace");
        desk.screen(width, height);
    }
}

/// A row of the screen that has the pointer.
fn chosen(screen: &str) -> Option<&str> {
    screen.lines().find(|row| row.contains('▸'))
}

#[test]
fn after_a_check_the_cursor_is_on_the_first_wrong_cell_and_in_view() {
    let rows: String =
        (1..=14).map(|n| format!("\n[[worksheet.row]]\nlabel = \"job {n}\"\ncell = [{{ id = \"j{n}\", label = \"cause\", options = [\"network\", \"straggler\"] }}]\n")).collect();
    let accepts: String = (1..=14).map(|n| format!("\"accept.j{n}\" = \"network\"\n")).collect();
    let head = QUIZ.split("[worksheet.given]").next().expect("a head");
    let quiz = format!("{head}[worksheet.given]\n{accepts}{rows}");
    let cells: Vec<String> = (1..=14).map(|n| format!("j{n}")).collect();
    for wrong in [1, 3, 8] {
        let text = |n: usize| match n {
            _ if n == wrong => "straggler",
            6 | 14 => "",
            _ => "network",
        };
        let filled: Vec<(&str, &str)> =
            cells.iter().enumerate().map(|(i, c)| (c.as_str(), text(i + 1))).collect();
        let mut desk = Desk::of(&quiz, &filled).press("ctrl+s ctrl+s");
        desk.send(What::Resize(80, 24));
        let screen = desk.screen(80, 24);
        let row = chosen(&screen).unwrap_or_default();
        assert!(row.contains(&format!("job {wrong} ")) && row.contains('✗'), "job {wrong}:\n{screen}");
        let screen = desk.press("f3").screen(80, 24);
        assert!(chosen(&screen).is_some_and(|row| row.contains(&format!("job {wrong} "))), "{screen}");
        assert!(screen.contains(&format!("job {wrong}, cause: it is network.")), "{screen}");
    }
}

/// Cells of one row that stand below each other, as their rows differ.
const IN_A_COLUMN: &str = r#"label = "plan"
cell = [{ id = "tp", label = "TP" }, { id = "pp", label = "PP" }, { id = "dp", label = "DP" }]

[[worksheet.row]]
label = "ZeRO-3""#;

#[test]
fn down_goes_to_the_cell_that_stands_below() {
    let quiz = QUIZ.replace(r#"label = "ZeRO-3""#, IN_A_COLUMN);
    let accepted = ["tp", "pp", "dp"].map(|cell| format!("\"accept.{cell}\" = \"8\"\n")).concat();
    let quiz = quiz.replace("\"accept.link\"", &format!("{accepted}\"accept.link\""));
    let desk = Desk::of(&quiz, &[]).press("8 down 9 down 2 up 1 esc");
    let saved: BTreeMap<String, String> =
        [("tp", "8"), ("pp", "91"), ("dp", "2")].map(|(cell, text)| (cell.into(), text.into())).into();
    assert_eq!(desk.saved(), saved);
}

/// One whose cells stand in a list, since its rows differ.
const LIST: &str = r#"
lesson = "LESSON"

[[worksheet]]
id = "ledger"
title = "A plan"
question = "Fill in the plan."
checker = "parallel-plan"
explain = "Many plans are right."

[worksheet.given]
model = "13B"

[[worksheet.row]]
label = "Degrees"
cell = [{ id = "tp", label = "TP" }, { id = "pp", label = "PP" }, { id = "dp", label = "DP" }]

[[worksheet.row]]
label = "Ledger"
cell = [{ id = "activations", label = "activations, GB" }]
"#;

#[test]
fn nonsense_is_said_at_its_cell_while_others_are_empty() {
    for (width, height) in [(80, 24), (200, 60)] {
        let mut desk = Desk::of(LIST, &[("tp", "8"), ("dp", "99"), ("activations", "abc")]);
        desk.send(What::Resize(width, height));
        let desk = desk.press("ctrl+s ctrl+s");
        let screen = desk.screen(width, height);
        let row = |of: &str| screen.lines().find(|row| row.contains(of)).expect("a row");
        assert!(row("[abc ").contains("✗ `abc` is no number"), "{screen}");
        assert!(row("[99 ").contains("✗ 99 cannot be"), "{screen}");
        assert!(screen.contains("Not yet: 2 to mend, 1 empty"), "{screen}");
        // and no longer once the cell was changed
        let screen = desk.press("down 1").screen(width, height);
        let row = screen.lines().find(|row| row.contains("[abc1")).expect("a row");
        assert!(!row.split("[abc1").nth(1).is_some_and(|rest| rest.contains("no number")), "{screen}");
    }
}

#[test]
fn in_a_wide_window_the_question_stands_beside_the_cells() {
    let mut desk = Desk::of(LIST, &[]);
    desk.send(What::Resize(200, 60));
    let screen = desk.screen(200, 60);
    assert!(screen.lines().any(|row| row.contains("A plan") && row.contains("Degrees")), "{screen}");
    // the cursor goes on as it is drawn, and a cell is found by the mouse
    let desk = desk.press("down");
    assert!(chosen(&desk.screen(200, 60)).is_some_and(|row| row.contains("PP")));
}

#[test]
fn the_marks_stand_again_when_it_is_opened_again() {
    let course = pack::load(&infralens::built_in::ORIGIN).pack.expect("the course");
    let folder = tempfile::tempdir().expect("a folder");
    let only = Some("zero-ledger-13b".to_owned());
    let place = Place::Checks { pack: 0, lesson: "zero-fsdp".into(), only };
    let open = || {
        let mut desk = crate::kit::desk::Desk::on_disk(course.clone(), &place, folder.path());
        desk.resize(120, 40);
        desk
    };
    let mut desk = open();
    desk.keys("208<ctrl+s><ctrl+s>").shows("] ✓").keys("<esc>");
    let mut desk = open();
    desk.shows("] ✓").shows("208");
    // what was changed since has no mark
    desk.keys("<up><up><up><up><backspace>").hides("] ✓");
}

#[test]
fn rows_that_ask_for_the_same_stand_in_a_table_under_their_heads() {
    let course = pack::load(&infralens::built_in::ORIGIN).pack.expect("the course");
    let only = Some("zero-ledger-13b".to_owned());
    let place = Place::Checks { pack: 0, lesson: "zero-fsdp".into(), only };
    for (width, height) in [(80, 24), (120, 40), (200, 60)] {
        let mut desk = crate::kit::desk::Desk::new(course.clone(), &place);
        let screen = desk.resize(width, height).screen();
        assert_eq!(screen.matches("state in GB").count(), 1, "{screen}");
        for row in ["DDP", "ZeRO-1", "ZeRO-2", "ZeRO-3"] {
            let is_row = |line: &&str| line.contains(&format!("{row} ")) && line.contains('[');
            assert!(screen.lines().any(|line| is_row(&line)), "{row}: {screen}");
        }
        desk.shows("GPUs at least");
    }
}
