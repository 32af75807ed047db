//! Journeys: keys in, screens out. The course is a small pack made by `pack new`, so that edits of
//! the built-in course change no picture here.

use std::path::Path;

use infralens::pack::{self, Origin};
use infralens::page::Effect;
use infralens::page::key::Key;
use infralens::page::keys::{self, Scope, TABLE};
use infralens::page::place::Place;
use infralens::services::Services;
use infralens::services::library::{Broken, Library};
use infralens::store::Store;
use infralens::tui::app::{App, Setup};
use infralens::tui::event::{Event, Mouse, What};
use infralens::widget::theme::Palette;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use ratatui::Terminal;
use ratatui::backend::TestBackend;

/// The program without a terminal, and a clock that the test turns.
struct Journey {
    app: App,
    terminal: Terminal<TestBackend>,
    now: Timestamp,
    ended: bool,
}

const START: &str = "2026-03-02T10:00:00Z";

fn library(broken: bool) -> Library {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("sample");
    infralens::cmd::pack::new(&path, false, &mut Vec::new()).expect("a new pack");
    let mut pack = pack::load(&Origin::Folder(path)).pack.expect("the new pack loads");
    pack.origin = infralens::built_in::ORIGIN; // its starter may run
    let mut library = Library { packs: vec![pack], broken: Vec::new() };
    if broken {
        library.broken.push(Broken {
            path: "some/pack".into(),
            report: vec!["pack.toml:3:1: unknown key `colour` — take it out".into()],
            problems: 1,
        });
    }
    library
}

impl Journey {
    fn new(width: u16, height: u16) -> Self {
        Self::with(Store::in_memory().expect("a store"), (width, height), false)
    }

    fn on_disk(folder: &Path, width: u16, height: u16) -> Self {
        Self::with(Store::open(folder).expect("a store"), (width, height), false)
    }

    fn with(store: Store, (width, height): (u16, u16), broken: bool) -> Self {
        let now = START.parse().expect("a time");
        let setup = Setup { now, palette: Some(Palette::Dark), ascii: false };
        let services = Services::new(library(broken), store, TimeZone::UTC, std::env::temp_dir());
        let terminal = Terminal::new(TestBackend::new(width, height)).expect("a terminal");
        let mut journey = Self { app: App::new(&setup), terminal, now, ended: false };
        journey.send(What::Resize(width, height));
        let first = journey.app.load(services, &Place::Home);
        journey.follow(first);
        journey
    }

    fn send(&mut self, what: What) {
        let effects = self.app.update(Event { at: self.now, what });
        self.follow(effects);
    }

    fn follow(&mut self, effects: Vec<Effect>) {
        self.ended |= effects.contains(&Effect::Quit);
    }

    /// Presses keys: letters as they are, others as `<enter>`, `<ctrl+s>`.
    fn keys(mut self, keys: &str) -> Self {
        let mut rest = keys;
        while !rest.is_empty() {
            let (name, tail) = match rest.strip_prefix('<').and_then(|r| r.split_once('>')) {
                Some((name, tail)) => (name.to_owned(), tail),
                None => {
                    let c = rest.chars().next().expect("a character");
                    (c.to_string(), &rest[c.len_utf8()..])
                }
            };
            let key = Key::parse(&name).unwrap_or_else(|| panic!("{name} is no key"));
            self.send(What::Key(key));
            rest = tail;
        }
        self
    }

    fn paste(mut self, text: &str) -> Self {
        self.send(What::Paste(text.into()));
        self
    }

    /// Lets time pass, one tick each second where a clock runs.
    fn wait(mut self, seconds: i64) -> Self {
        for _ in 0..seconds {
            self.now = self.now.checked_add(SignedDuration::from_secs(1)).expect("a time");
            if self.app.wake_at().is_some_and(|at| at <= self.now) {
                self.send(What::Tick);
            }
        }
        self
    }

    fn resize(mut self, width: u16, height: u16) -> Self {
        self.terminal = Terminal::new(TestBackend::new(width, height)).expect("a terminal");
        self.send(What::Resize(width, height));
        self
    }

    fn screen(&mut self) -> String {
        self.terminal.draw(|frame| self.app.draw(frame)).expect("a frame");
        let buffer = self.terminal.backend().buffer();
        let width = usize::from(buffer.area.width.max(1));
        let rows = buffer.content.chunks(width).map(|row| {
            let line: String = row.iter().map(|cell| cell.symbol()).collect();
            line.trim_end().to_owned()
        });
        rows.collect::<Vec<_>>().join("\n")
    }

    fn shows(&mut self, text: &str) -> bool {
        self.screen().contains(text)
    }
}

const ANSWER: &str = "A few extreme values pull the average. I would look at both.";

/// The way to each screen from Home.
const WAYS: &[(&str, &str)] = &[
    ("home", ""),
    ("home-unfolded", "jjj<right>j"),
    ("lesson", "c"),
    ("lesson-code", "c<tab>jj"),
    ("lesson-notes-hidden", "c<tab>z"),
    ("lab", "cl"),
    ("lab-predict", "clr"),
    ("term", "cn<enter>"),
    ("jump", "/aver"),
    ("help", "?"),
    ("checks", "cc"),
    ("drill", "cd"),
    ("drill-parts", "cd<ctrl+t>"),
    ("rating", "cdThe mean moves.<ctrl+s><ctrl+s>m"),
    ("history-empty", "y"),
];

#[test]
fn screens_look_as_they_did() {
    for (width, height) in [(80, 24), (120, 40)] {
        for (name, way) in WAYS {
            let mut journey = Journey::new(width, height).keys(way);
            insta::assert_snapshot!(format!("{name}-{width}x{height}"), journey.screen());
        }
        let verdict =
            || Journey::new(width, height).keys("cd").paste(ANSWER).wait(65).keys("<ctrl+s><enter>s");
        for (name, way) in
            [("verdict", ""), ("verdict-why", "E"), ("verdict-model", "m"), ("verdict-earlier", "h")]
        {
            insta::assert_snapshot!(format!("{name}-{width}x{height}"), verdict().keys(way).screen());
        }
        insta::assert_snapshot!(format!("history-{width}x{height}"), verdict().keys("<esc><esc>y").screen());
        let store = Store::in_memory().expect("a store");
        let mut broken = Journey::with(store, (width, height), true).keys("!");
        insta::assert_snapshot!(format!("problems-{width}x{height}"), broken.screen());
    }
}

#[test]
fn every_screen_stands_any_size() {
    for (_, way) in WAYS {
        let mut journey = Journey::new(80, 24).keys(way);
        for (width, height) in [(0, 0), (1, 1), (20, 5), (60, 16), (300, 100), (61, 17), (80, 24)] {
            journey = journey.resize(width, height).keys("<down><up><pgdn>");
            journey.screen();
        }
    }
}

#[test]
fn a_small_window_is_told_politely() {
    assert!(Journey::new(59, 16).shows("Please make it larger"));
    assert!(!Journey::new(60, 16).shows("Please make it larger"));
}

#[test]
fn the_way_from_home_to_a_verdict_needs_only_the_footer() {
    let mut journey = Journey::new(80, 24);
    assert!(journey.shows("enter open"), "{}", journey.screen());
    let mut journey = journey.keys("c");
    assert!(journey.shows("d drill"), "{}", journey.screen());
    let mut journey = journey.keys("d");
    assert!(journey.shows("ctrl+s score it"), "{}", journey.screen());
    let mut journey = journey.paste(ANSWER).keys("<ctrl+s>");
    assert!(!journey.shows("  weakest"), "{}", journey.screen());
    assert!(journey.shows("enter skip"), "{}", journey.screen());
    let mut journey = journey.keys("<enter>");
    assert!(journey.shows("s to the marks"), "{}", journey.screen());
    assert!(!journey.shows("  weakest"), "{}", journey.screen());
    let mut journey = journey.keys("s");
    assert!(journey.shows("  weakest"), "{}", journey.screen());
    assert!(journey.shows("extreme values pull the average"), "{}", journey.screen());
}

#[test]
fn a_reading_place_is_found_again() {
    let mut journey = Journey::new(80, 24).keys("c<tab>jjjj<esc>");
    assert!(journey.shows("Continue"), "{}", journey.screen());
    // a lesson opens on its text; the line of the code is kept behind it
    let mut again = journey.keys("<enter>");
    assert!(again.shows("What problem it solves"), "{}", again.screen());
    let mut again = again.keys("<tab>");
    assert!(again.shows("line 5 of 5"), "{}", again.screen());
}

#[test]
fn a_draft_outlives_a_kill() {
    let folder = tempfile::tempdir().expect("a folder");
    let journey = Journey::on_disk(folder.path(), 80, 24).keys("cd").paste("half an answ").wait(2);
    drop(journey); // no key for leaving: as a kill
    let mut again = Journey::on_disk(folder.path(), 80, 24);
    assert!(again.shows("Finish"), "{}", again.screen());
    let mut again = again.keys("c");
    assert!(again.shows("half an answ"), "{}", again.screen());
}

#[test]
fn an_attempt_is_in_the_history_and_the_draft_is_gone() {
    let mut journey = Journey::new(80, 24).keys("cd").paste(ANSWER).keys("<ctrl+s><esc><esc><esc><esc>");
    assert!(!journey.shows("Finish"), "{}", journey.screen());
    let mut journey = journey.keys("y<enter>");
    assert!(journey.shows("pull the average"), "{}", journey.screen());
}

#[test]
fn nothing_is_scored_where_nothing_was_typed() {
    let mut journey = Journey::new(80, 24).keys("cd<ctrl+s>");
    assert!(journey.shows("nothing to score yet"), "{}", journey.screen());
}

#[test]
fn two_attempts_stand_side_by_side_with_what_was_gained_and_lost() {
    let mut journey = Journey::new(80, 24)
        .keys("cd")
        .paste("A median is the value in the middle of the sorted list.")
        .keys("<ctrl+s><enter>sr")
        .paste(ANSWER)
        .wait(60)
        .keys("<ctrl+s><enter>sh");
    assert!(journey.shows("this one"), "{}", journey.screen());
    // the words of a point, not its name
    assert!(journey.shows("covered before"), "{}", journey.screen());
    assert!(journey.shows("gained  A few extreme values pull the average."), "{}", journey.screen());
    // the first of the two knows of none before it, though there is a newer one
    let mut first = journey.keys("<esc><esc><esc>y<down><enter>h");
    assert!(first.shows("This is the first."), "{}", first.screen());
}

#[test]
fn a_mark_is_disputed_with_a_reason_and_a_sentence_and_taken_back() {
    let mut journey = Journey::new(80, 24).keys("cd").paste(ANSWER).keys("<ctrl+s><enter>su<esc>");
    assert!(journey.shows("nothing was disputed"), "{}", journey.screen());
    let mut journey = journey.keys("u").paste("I said what a median is").keys("<ctrl+s>");
    assert!(journey.shows("Which sentence of yours is it about?"), "{}", journey.screen());
    let mut journey = journey.keys("1");
    assert!(journey.shows("you disagree"), "{}", journey.screen());
    assert!(journey.shows("You disagree: I said what a median is"), "{}", journey.screen());
    let mut journey = journey.keys("<esc><esc>y");
    assert!(journey.shows("1 disputed"), "{}", journey.screen());
    let mut journey = journey.keys("<enter>x");
    assert!(journey.shows("is taken back"), "{}", journey.screen());
    assert!(!journey.shows("you disagree"), "{}", journey.screen());
}

#[test]
fn notes_can_be_hidden_and_revealed() {
    let mut journey = Journey::new(80, 24).keys("c<tab>z");
    assert!(journey.shows("Say it, then press space"), "{}", journey.screen());
    let mut journey = journey.keys("<space>");
    assert!(journey.shows("taken from the list itself"), "{}", journey.screen());
}

#[test]
fn a_click_on_the_footer_is_its_key() {
    let mut journey = Journey::new(80, 24);
    let row = journey.screen().lines().last().expect("a footer").to_owned();
    let column = row.find("enter").expect("the hint");
    journey.send(What::Mouse(Mouse::Click, u16::try_from(column).expect("a column"), 23));
    assert!(journey.shows("ctrl+s score it"), "{}", journey.screen());
}

#[test]
fn resizing_while_typing_keeps_the_text() {
    let mut journey = Journey::new(80, 24).keys("cd").paste("one two three").resize(120, 40).resize(60, 16);
    assert!(journey.shows("one two three"), "{}", journey.screen());
}

#[test]
fn quitting_in_a_drill_keeps_what_was_typed() {
    let folder = tempfile::tempdir().expect("a folder");
    let journey = Journey::on_disk(folder.path(), 80, 24).keys("cd").paste("kept").keys("<ctrl+q>");
    assert!(journey.ended);
    drop(journey);
    assert!(Journey::on_disk(folder.path(), 80, 24).shows("Finish"));
}

#[test]
fn every_hint_in_a_footer_is_a_key_that_works_there() {
    for scope in TABLE.iter().map(|b| b.scope) {
        for (key, _) in keys::hints(&[scope]) {
            let key = Key::parse(key).expect("a key");
            assert!(keys::find(&[scope], key).is_some());
        }
    }
    assert!(keys::hints(&[Scope::Home, Scope::Everywhere]).iter().all(|(k, _)| *k != "esc"));
}
