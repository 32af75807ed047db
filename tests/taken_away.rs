//! A store that is taken away under the running program, or takes nothing any more.
#![allow(clippy::unwrap_used)]

use crate::kit::desk::Desk;
use crate::kit::pack as kit;

use std::fs;
use std::path::{Path, PathBuf};

use infralens::page::place::Place;
use infralens::services::Services;
use infralens::services::library::Library;
use infralens::store::{Filter, Store};
use jiff::tz::TimeZone;
use tempfile::TempDir;

const UNSAVED: &str = ".infralens-unsaved-1.jsonl";

fn drill() -> Place {
    Place::Drill { pack: 0, id: "ddp-1".into(), only: None }
}

fn drafts(folder: &Path) -> Vec<String> {
    let store = Store::open(folder).unwrap();
    store.drafts("course").unwrap().into_iter().map(|draft| draft.text).collect()
}

/// A program with an answer in the making, of which “one two” is kept in a folder of its own.
struct Begun {
    dir: TempDir,
    /// The folder of the store, below the other.
    folder: PathBuf,
    desk: Desk,
}

impl Begun {
    fn new() -> Begun {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("data");
        let mut desk = Desk::on_disk(kit::pack(), &drill(), &folder);
        desk.keys("one two").wait(2).shows("saved");
        Begun { dir, folder, desk }
    }

    /// The same on a disk that is full by now; “three” was typed after that.
    fn full() -> Begun {
        let mut begun = Begun::new();
        fill(&begun.folder);
        begun.desk.keys(" three").wait(2);
        begun
    }

    /// The folder is deleted under the program.
    fn removed() -> Begun {
        let begun = Begun::new();
        fs::remove_dir_all(&begun.folder).unwrap();
        begun
    }
}

/// The store takes no more of some tables, as if the disk were full.
fn fill(folder: &Path) {
    let file = rusqlite::Connection::open(folder.join("infralens.db")).unwrap();
    for table in ["draft", "attempt", "review", "setting", "rehearsal"] {
        file.execute_batch(&format!(
            "CREATE TRIGGER full_{table} BEFORE INSERT ON {table} BEGIN SELECT RAISE(FAIL, 'no room'); END"
        ))
        .unwrap();
    }
}

fn make_room(folder: &Path) {
    let file = rusqlite::Connection::open(folder.join("infralens.db")).unwrap();
    for table in ["draft", "attempt", "review", "setting", "rehearsal"] {
        file.execute_batch(&format!("DROP TRIGGER full_{table}")).unwrap();
    }
}

/// The next start: what it says, and what it has.
fn next(folder: &Path) -> (Services, Vec<String>) {
    let library = Library { packs: vec![kit::pack()], broken: Vec::new() };
    let mut services = Services::new(library, Store::open(folder).unwrap(), TimeZone::UTC, folder.to_owned());
    let said = services.take_in();
    (services, said)
}

#[test]
fn a_deleted_folder_is_noticed_and_what_was_typed_is_kept_anew() {
    let Begun { dir: _dir, folder, mut desk } = Begun::removed();
    desk.keys(" three").wait(2).shows("was moved, replaced or deleted");
    desk.keys(" four").wait(2).shows("4 words   saved").hides("moved").keys("<ctrl+q>");
    assert_eq!(desk.app.left(), None);
    drop(desk);
    assert_eq!(drafts(&folder), ["one two three four"]);
}

#[test]
fn a_folder_that_is_deleted_after_the_last_key_loses_nothing_of_this_session() {
    let Begun { dir: _dir, folder, mut desk } = Begun::removed();
    desk.keys("<ctrl+q>");
    drop(desk);
    assert_eq!(drafts(&folder), ["one two"]);
}

#[test]
fn an_answer_is_kept_anew_with_its_marks() {
    let Begun { dir: _dir, folder, mut desk } = Begun::new();
    desk.keys("<ctrl+s><ctrl+s><enter>");
    fs::remove_dir_all(&folder).unwrap();
    desk.keys("<ctrl+q>");
    drop(desk);
    let kept = Store::open(&folder).unwrap().history(&Filter::default(), 9).unwrap();
    assert_eq!(kept.iter().map(|a| &*a.answer).collect::<Vec<_>>(), ["one two"]);
}

#[test]
fn another_database_in_its_place_keeps_what_it_has_and_takes_what_is_typed() {
    let Begun { dir, folder, mut desk } = Begun::new();
    let other = dir.path().join("other");
    Store::open(&other).unwrap().set("minutes", "45", crate::kit::desk::START.parse().unwrap()).unwrap();
    fs::rename(&folder, dir.path().join("aside")).unwrap();
    fs::rename(&other, &folder).unwrap();
    desk.keys(" three").wait(2).keys("<ctrl+q>");
    drop(desk);
    assert_eq!(Store::open(&folder).unwrap().setting("minutes").unwrap().as_deref(), Some("45"));
    assert_eq!(drafts(&folder), ["one two three"]);
    assert_eq!(drafts(&dir.path().join("aside")), ["one two"], "what was moved stays as it was");
}

#[test]
fn where_nothing_can_be_opened_in_its_place_the_text_is_in_a_file_that_is_named() {
    let Begun { dir: _dir, folder, mut desk } = Begun::new();
    for entry in fs::read_dir(&folder).unwrap().flatten() {
        if entry.path().is_file() {
            fs::remove_file(entry.path()).unwrap();
        }
    }
    fs::create_dir(folder.join("infralens.db")).unwrap();
    desk.keys(" three").wait(2).shows("Your text is in ");
    desk.keys("<ctrl+q>");
    let text = folder.join("infralens-ddp-1.txt");
    let left = desk.app.left().unwrap();
    assert!(left.starts_with(&format!("Your text is in {}", text.display())), "{left}");
    drop(desk);
    assert_eq!(fs::read_to_string(text).unwrap(), "one two three");
    fs::remove_dir(folder.join("infralens.db")).unwrap();
    let (services, said) = next(&folder);
    assert!(said[0].contains("is in the store now"), "{said:?}");
    assert_eq!(services.store.drafts("course").unwrap()[0].text, "one two three");
}

#[test]
fn an_answer_that_a_full_disk_did_not_take_is_in_the_history_after_the_next_start() {
    let Begun { dir: _dir, folder, mut desk } = Begun::full();
    let text = folder.join("infralens-ddp-1.txt");
    let waits = desk.waiting().unwrap();
    assert!(waits.starts_with(&format!("Your text is in {}", text.display())), "{waits}");
    desk.keys("<ctrl+s><ctrl+s><enter>").shows("› verdict").keys("<ctrl+q>");
    assert!(desk.ended);
    let left = desk.app.left().unwrap();
    assert!(left.starts_with(&format!("Your text is in {}", text.display())), "{left}");
    drop(desk);
    assert_eq!(fs::read_to_string(&text).unwrap(), "one two three");

    let (services, said) = next(&folder);
    assert!(said[0].starts_with("What could not be saved last time is in "), "{said:?}");
    assert!(said[0].contains("infralens-ddp-1.txt, and not in the store yet"), "{said:?}");
    assert!(folder.join(UNSAVED).exists(), "it is said until it is taken in");
    drop(services);

    let library = Library { packs: vec![kit::pack()], broken: Vec::new() };
    let none = Services::new(library, Store::in_memory().unwrap(), TimeZone::UTC, folder.clone());
    let said = none.still_left();
    assert!(
        said[0].ends_with("infralens-ddp-1.txt"),
        "where no store can be opened it is said too: {said:?}"
    );

    make_room(&folder);
    let (services, said) = next(&folder);
    assert!(said[0].contains("is in the store now"), "{said:?}");
    let kept = services.history(&Filter::default(), 9).unwrap();
    assert_eq!(kept.iter().map(|a| &*a.answer).collect::<Vec<_>>(), ["one two three"]);
    assert!(services.store.drafts("course").unwrap().is_empty(), "an answer is no draft any more");
    assert_eq!(next(&folder).1, [""; 0], "only once");
}

#[test]
fn a_program_that_is_killed_on_a_full_disk_leaves_its_draft_to_the_next_start() {
    let Begun { dir: _dir, folder, desk } = Begun::full();
    drop(desk); // nothing is closed
    make_room(&folder);
    let (services, _) = next(&folder);
    assert_eq!(services.store.drafts("course").unwrap()[0].text, "one two three");
}

#[test]
fn an_older_text_takes_no_place_of_a_newer_draft_and_another_folder_is_left_alone() {
    let Begun { dir: _dir, folder, desk } = Begun::full();
    drop(desk);
    make_room(&folder);
    let store = Store::open(&folder).unwrap();
    let mut newer = store.drafts("course").unwrap().remove(0);
    newer.text = "newer".into();
    newer.at += jiff::SignedDuration::from_hours(1);
    store.save_draft(&newer).unwrap();
    drop(store);
    let other = tempfile::tempdir().unwrap();
    fs::copy(folder.join(UNSAVED), other.path().join(UNSAVED)).unwrap();
    assert_eq!(next(other.path()).1, [""; 0], "it belongs to another data folder");
    next(&folder);
    assert_eq!(drafts(&folder), ["newer"]);
}

#[cfg(unix)]
#[test]
fn a_file_that_others_may_write_is_not_taken_in() {
    use std::os::unix::fs::PermissionsExt;
    let Begun { dir: _dir, folder, desk } = Begun::full();
    drop(desk);
    make_room(&folder);
    let file = folder.join(UNSAVED);
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600, "nobody else reads it");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o666)).unwrap();
    assert_eq!(next(&folder).1, [""; 0]);
    assert_eq!(drafts(&folder), ["one two"]);
}

#[test]
fn room_that_comes_back_takes_all_in_and_leaves_nothing_for_the_next_start() {
    let Begun { dir: _dir, folder, mut desk } = Begun::full();
    assert!(folder.join(UNSAVED).exists());
    make_room(&folder);
    desk.wait(2);
    assert_eq!(desk.waiting(), None);
    assert!(!folder.join(UNSAVED).exists());
    desk.keys("<ctrl+q>");
    assert_eq!(desk.app.left(), None);
}
