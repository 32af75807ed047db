//! What changed in a pack: a notice on Home, the list, seen once.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use crate::kit::desk;
use crate::kit::pack as kit;

use desk::{Desk, START};
use infralens::line;
use infralens::pack::Pack;
use infralens::page::place::Place;
use infralens::services::Services;
use infralens::services::library::Library;
use infralens::store::Store;
use infralens::study::schedule::{Grade, Item, ItemKind, Schedule};
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// The small pack after an edit: one thing of each kind of change.
fn edited() -> Pack {
    let mut new = kit::pack();
    new.version = "1.1.0".into();
    new.lessons[0].section.mechanism = "Other words.".into();
    new.drills[1].rubric.points[0].matches.push("another".into());
    new.drills.remove(5);
    new.drills.push(kit::drill("tp", 3));
    new
}

fn home(pack: Pack, folder: &Path) -> Desk {
    Desk::on_disk(pack, &Place::Home, folder)
}

/// Home on an edited pack that was seen before.
fn changed(folder: &Path) -> Desk {
    drop(home(kit::pack(), folder));
    home(edited(), folder)
}

#[test]
fn a_pack_that_changed_says_what_once() {
    let folder = tempfile::tempdir().unwrap();
    home(kit::pack(), folder.path()).hides("Changed").hides("n what changed");
    home(kit::pack(), folder.path()).hides("Changed");
    let mut desk = home(edited(), folder.path());
    desk.shows("Changed    Course, 4 changes: 1 new, 1 reworded, 1 changed, 1 removed");
    desk.shows("n what changed").keys("n").shows("Course, version 1.0.0 to 1.1.0");
    desk.shows("reworded  lesson  DDP").shows("new       drill   Explain tp-3.");
    desk.shows("changed   drill   Explain ddp-2.").shows("removed   drill   Explain tp-2.");
    desk.keys("<esc>").hides("Changed").hides("n what changed");
    drop(desk);
    home(edited(), folder.path()).hides("Changed");
    assert!(home(kit::pack(), folder.path()).screen().contains("4 changes"), "back again is a change too");
}

#[test]
fn it_is_told_until_it_was_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    changed(folder.path()).shows("Changed").keys("q");
    home(edited(), folder.path()).shows("Changed").keys("n");
    home(edited(), folder.path()).hides("Changed");
}

#[test]
fn a_change_opens_what_changed() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = changed(folder.path());
    desk.keys("n<enter>").shows("Other words.").keys("<esc>");
    desk.keys("<down><enter>").shows("Explain tp-3.").shows("ctrl+s score it").keys("<esc>");
    desk.keys("G<enter>").shows("no longer there");
}

#[test]
fn what_is_gone_is_not_due_and_comes_back_with_the_pack() {
    let folder = tempfile::tempdir().unwrap();
    drop(home(kit::pack(), folder.path()));
    let item = Item { kind: ItemKind::Drill, id: "tp-2".into() };
    let now: Timestamp = START.parse().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let schedule = Schedule::new(TimeZone::UTC);
    store.record_review("course", &item, Grade::Again, (&schedule, now)).unwrap();
    drop(store);
    home(kit::pack(), folder.path()).shows("1 thing is due today");
    home(edited(), folder.path()).hides("due today");
    home(kit::pack(), folder.path()).shows("1 thing is due today");
}

#[test]
fn the_list_stands_any_size_and_looks_as_it_did() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = changed(folder.path());
    desk.keys("n");
    for (width, height) in [(0, 0), (1, 1), (20, 5), (60, 16), (300, 100), (61, 17), (80, 24)] {
        desk.resize(width, height).keys("<down><up><pgdn><home>").screen();
    }
    for (width, height) in [(80, 24), (120, 40)] {
        desk.resize(width, height);
        insta::assert_snapshot!(format!("news-{width}x{height}"), desk.screen());
    }
}

#[test]
fn the_plain_face_says_it_too() {
    let folder = tempfile::tempdir().unwrap();
    let open = |pack: Pack| {
        let library = Library { packs: vec![pack], broken: vec![] };
        let store = Store::open(folder.path()).unwrap();
        let services = Services::new(library, store, TimeZone::UTC, folder.path().to_owned());
        line::Plain::new(services, vec![], 200)
    };
    let now: Timestamp = START.parse().unwrap();
    let menu = open(kit::pack()).open(&Place::Home, now);
    assert!(!menu.contains("Changed in"), "{menu}");
    let mut face = open(edited());
    let menu = face.open(&Place::Home, now);
    let row = menu.lines().find(|l| l.contains("Changed in “Course”, 4 changes")).unwrap();
    let number = row.trim().split('.').next().unwrap().to_owned();
    let said = face.line(&number, now);
    assert!(said.contains("drill “Explain ddp-2.” changed in meaning"), "{said}");
    let menu = face.line("", now);
    assert!(!menu.contains("Changed in"), "{menu}");
}

#[test]
fn what_is_selected_stays_so_where_rows_come_above_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = home(kit::pack(), folder.path());
    desk.keys("G").shows("▸   TP").keys("d").paste("half an ans").wait(20).keys("<esc>");
    desk.shows("Finish").shows("▸   TP");
    desk.keys("g<enter>").shows("half an ans").keys("<esc>").shows("▸ Finish");
}
