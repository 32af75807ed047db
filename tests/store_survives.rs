//! The store against kills, other instances, damage and folders that cannot be written.
#![allow(clippy::unwrap_used)]

use crate::kit::store as kit;

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use infralens::store::{Fault, Filter, Store, keep_text};
use infralens::study::attempt::Mode;
use infralens::study::home::Draft;
use infralens::study::rating::Rating;
use infralens::study::rehearsal::{Rehearsal, Setup};
use infralens::study::seed::Seed;
use jiff::tz::TimeZone;
use kit::{PACK, attempt, minute, schedule};

const KILLS: u64 = 50;

fn draft(id: &str, text: &str) -> Draft {
    Draft {
        id: id.into(),
        pack: PACK.into(),
        drill: "why-ddp".into(),
        mode: Mode::Strict,
        part: None,
        text: text.into(),
        seconds: 1,
        at: minute(0),
    }
}

/// Starts this test program again as a writer: see [`writer`].
fn start_writer(dir: &Path, name: &str, count: usize) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "store_survives::writer", "--nocapture", "--test-threads=1"])
        .env("WRITER_DIR", dir)
        .env("WRITER_NAME", name)
        .env("WRITER_COUNT", count.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Not a test by itself: writes attempts, a draft and a rehearsal for ever (or so many), and says on
/// standard output what was kept, each line after its write came back.
#[test]
fn writer() {
    let Ok(dir) = std::env::var("WRITER_DIR") else {
        return;
    };
    let name = std::env::var("WRITER_NAME").unwrap();
    let count: usize = std::env::var("WRITER_COUNT").unwrap().parse().unwrap();
    let store = Store::open(Path::new(&dir)).unwrap();
    let mut run = Rehearsal::begin(&format!("run-{name}"), Setup::screen(PACK, 1), vec![], minute(0));
    let mut out = std::io::stdout();
    for n in 1..=count {
        store.save_draft(&draft(&format!("draft-{name}"), &"x".repeat(n))).unwrap();
        writeln!(out, "\ntyped {n}").unwrap();
        run.text = "y".repeat(n);
        store.save_rehearsal(&run, minute(n as i64)).unwrap();
        writeln!(out, "run {n}").unwrap();
        let id = format!("{name}-{n}");
        let kept = attempt(&id, ("ddp", "why-ddp"), minute(n as i64), &[("problem", 0.5), ("tradeoff", 1.0)]);
        store.record_attempt(&kept, &schedule()).unwrap();
        writeln!(out, "kept {id}").unwrap();
        out.flush().unwrap();
    }
}

#[test]
fn killed_at_any_moment_nothing_that_was_kept_is_lost() {
    let dir = tempfile::tempdir().unwrap();
    let mut seed = Seed::new(2026);
    let mut kept: BTreeSet<String> = BTreeSet::new();
    for kill in 0..KILLS {
        let name = format!("w{kill}");
        let mut child = start_writer(dir.path(), &name, usize::MAX);
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let until = 1 + seed.below(40);
        let mut said: Vec<String> = Vec::new();
        while said.len() < until {
            let line = lines.next().expect("the writer goes on").unwrap();
            said.extend(Some(line).filter(|l| is_report(l)));
        }
        child.kill().unwrap(); // SIGKILL, in the middle of whatever it does
        child.wait().unwrap();
        said.extend(lines.map_while(Result::ok).filter(|l| is_report(l)));

        let store = Store::open(dir.path()).unwrap();
        assert_eq!(store.set_aside(), None, "the file is whole");
        let last = |word: &str| {
            let of = said.iter().filter_map(|l| l.strip_prefix(word)?.trim().parse::<usize>().ok());
            of.max().unwrap_or(0)
        };
        kept.extend(said.iter().filter_map(|l| l.strip_prefix("kept ")).map(str::to_owned));
        let ids: BTreeSet<String> =
            store.history(&Filter::default(), u32::MAX).unwrap().into_iter().map(|a| a.id).collect();
        assert!(kept.is_subset(&ids), "lost {:?}", kept.difference(&ids));
        assert!(
            ids.len() <= kept.len() + kill as usize + 1,
            "at most one a kill was kept and not yet reported"
        );
        let drafts = store.drafts(PACK).unwrap();
        let draft = drafts.iter().find(|d| d.id == format!("draft-{name}"));
        assert!(draft.map_or(0, |d| d.text.len()) >= last("typed"), "typed text was lost");
        if let Some(run) = store.take_rehearsal(&format!("run-{name}"), minute(0)).unwrap() {
            assert!(run.text.len() >= last("run"), "a run's text was lost");
        } else {
            assert_eq!(last("run"), 0, "a run was lost");
        }
        let home = store.home(PACK, minute(0), &TimeZone::UTC).unwrap();
        assert_eq!(home.attempts as usize, ids.len(), "sums are those of the attempts");
        assert_eq!(home.strengths.cells[0].answers as usize, ids.len());
    }
    assert!(kept.len() > KILLS as usize, "too little was written to say anything: {}", kept.len());
}

fn is_report(line: &str) -> bool {
    ["typed ", "run ", "kept "].iter().any(|word| line.starts_with(word))
}

#[test]
fn instances_that_write_at_once_lose_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let names = ["one", "two", "three"];
    let writers: Vec<Child> = names.iter().map(|n| start_writer(dir.path(), n, 60)).collect();
    for writer in writers {
        let output = writer.wait_with_output().unwrap();
        assert!(output.status.success());
    }
    let store = Store::open(dir.path()).unwrap();
    let ids: BTreeSet<String> =
        store.history(&Filter::default(), u32::MAX).unwrap().into_iter().map(|a| a.id).collect();
    let expected: BTreeSet<String> =
        names.iter().flat_map(|name| (1..=60).map(move |n| format!("{name}-{n}"))).collect();
    assert_eq!(ids, expected);
    let drafts: BTreeSet<(String, usize)> =
        store.drafts(PACK).unwrap().into_iter().map(|d| (d.id, d.text.len())).collect();
    assert_eq!(drafts, names.iter().map(|n| (format!("draft-{n}"), 60)).collect());
    let home = store.home(PACK, minute(0), &TimeZone::UTC).unwrap();
    assert_eq!((home.attempts, home.strengths.cells[0].answers), (180, 180));
}

#[test]
fn what_a_running_instance_holds_is_not_offered_to_another() {
    let dir = tempfile::tempdir().unwrap();
    let (one, two) = (Store::open(dir.path()).unwrap(), Store::open(dir.path()).unwrap());
    one.save_draft(&draft("d", "each rank")).unwrap();
    let run = Rehearsal::begin("r", Setup::screen(PACK, 1), vec![], minute(0));
    one.save_rehearsal(&run, minute(0)).unwrap();
    let unfinished = |store: &Store| store.home(PACK, minute(0), &TimeZone::UTC).unwrap().unfinished;
    assert_eq!((one.drafts(PACK).unwrap().len(), two.drafts(PACK).unwrap().len()), (1, 0));
    assert_eq!((unfinished(&one).as_deref(), unfinished(&two)), (Some("r"), None));
    assert_eq!(two.take_draft("d", minute(1)).unwrap(), None);
    assert_eq!(two.take_rehearsal("r", minute(1)).unwrap(), None);
    drop(one);
    assert_eq!(two.drafts(PACK).unwrap().len(), 1, "its holder is gone");
    assert_eq!(two.take_draft("d", minute(1)).unwrap(), Some(draft("d", "each rank")));
    assert_eq!(two.take_rehearsal("r", minute(1)).unwrap(), Some(run));
    let three = Store::open(dir.path()).unwrap();
    assert_eq!(three.drafts(PACK).unwrap().len(), 0, "now another holds it");
}

fn db(dir: &Path) -> PathBuf {
    dir.join("infralens.db")
}

/// A store with some attempts in it, closed.
fn filled(dir: &Path) {
    let store = Store::open(dir).unwrap();
    for n in 0..200 {
        let mut kept = attempt(&n.to_string(), ("ddp", "why"), minute(n), &[("problem", 0.5)]);
        kept.answer = "each rank keeps a slice ".repeat(20);
        store.record_attempt(&kept, &schedule()).unwrap();
    }
}

#[test]
fn a_damaged_file_is_set_aside_whole_and_the_message_says_where() {
    type Damage = fn(&mut Vec<u8>);
    let damages: [(&str, Damage); 4] = [
        ("not a database", |bytes| *bytes = b"this is a letter, not a database at all".repeat(40)),
        ("a broken head", |bytes| bytes[..40].fill(0x5a)),
        ("cut in half", |bytes| bytes.truncate(bytes.len() / 2)),
        ("a broken list of tables", |bytes| bytes[100..2000].fill(0xff)),
    ];
    for (what, damage) in damages {
        let dir = tempfile::tempdir().unwrap();
        filled(dir.path());
        let mut bytes = fs::read(db(dir.path())).unwrap();
        damage(&mut bytes);
        fs::write(db(dir.path()), &bytes).unwrap();
        let store = Store::open(dir.path()).unwrap_or_else(|e| panic!("{what}: {e}"));
        let aside = dir.path().join("infralens.damaged-1.db");
        assert_eq!(store.set_aside(), Some(&*aside), "{what}");
        assert_eq!(fs::read(&aside).unwrap(), bytes, "{what}: it is kept as it was");
        assert!(store.notice().unwrap().contains(&aside.display().to_string()));
        store.save_draft(&draft("d", "on we go")).unwrap();
        drop(store);
        fs::write(db(dir.path()), b"damaged once more, and not a database either").unwrap();
        let again = Store::open(dir.path()).unwrap();
        assert_eq!(again.set_aside(), Some(&*dir.path().join("infralens.damaged-2.db")));
        assert_eq!(fs::read(&aside).unwrap(), bytes, "{what}: the first is not overwritten");
    }
}

#[test]
fn damage_met_while_running_is_found_by_the_next_start() {
    let dir = tempfile::tempdir().unwrap();
    filled(dir.path());
    let mut bytes = fs::read(db(dir.path())).unwrap();
    let pages = bytes.len() / 4096;
    for page in pages / 2..pages {
        bytes[page * 4096..page * 4096 + 200].fill(0xff);
    }
    fs::write(db(dir.path()), &bytes).unwrap();
    let store = Store::open(dir.path()).unwrap();
    assert_eq!(store.set_aside(), None, "opening does not read all of it");
    let error = store.history(&Filter::default(), u32::MAX).unwrap_err();
    assert!(matches!(error.fault, Fault::Damaged), "{error}");
    assert!(error.to_string().contains("start infralens again: it moves the file away"), "{error}");
    drop(store);
    let next = Store::open(dir.path()).unwrap();
    assert!(next.set_aside().is_some());
    drop(next);
    assert_eq!(Store::open(dir.path()).unwrap().set_aside(), None, "only once");
}

#[test]
fn a_store_of_a_newer_program_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    filled(dir.path());
    let conn = rusqlite::Connection::open(db(dir.path())).unwrap();
    conn.pragma_update(None, "user_version", 99).unwrap();
    drop(conn);
    let error = Store::open(dir.path()).err().unwrap();
    assert!(matches!(error.fault, Fault::Newer { found: 99, .. }), "{error}");
    assert!(error.to_string().contains("update infralens"), "{error}");
    assert!(db(dir.path()).exists());
}

#[test]
fn a_store_of_the_first_version_is_brought_up_to_date() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let marks = [("problem", 0.5)];
    let mut one = attempt("a", ("ddp", "why-ddp"), minute(0), &marks);
    (one.mode, one.part) = (Mode::Part, Some("problem".into()));
    store.record_attempt(&one, &schedule()).unwrap();
    store.rate_attempt("a", &Rating::whole(0.75), minute(0)).unwrap();
    drop(store);
    let conn = rusqlite::Connection::open(db(dir.path())).unwrap();
    conn.execute_batch(
        "DROP INDEX rating_by_time;
         DROP INDEX rehearsal_unfinished;
         ALTER TABLE rating DROP COLUMN parts;
         ALTER TABLE drill_sum DROP COLUMN alone;
         DROP TABLE claim;
         DROP TABLE given;
         DROP TABLE opinion;
         ALTER TABLE dispute DROP COLUMN sentence;
         ALTER TABLE dispute DROP COLUMN undone;
         ALTER TABLE strength DROP COLUMN claimed;
         PRAGMA user_version = 1;",
    )
    .unwrap();
    drop(conn);
    let store = Store::open(dir.path()).unwrap();
    assert_eq!(store.set_aside(), None);
    let home = store.home(PACK, minute(1), &TimeZone::UTC).unwrap();
    assert_eq!((home.attempts, home.alone), (1, 1));
    assert_eq!(store.attempt("a").unwrap().unwrap().rated, Some(0.75));
}

/// A folder that cannot be written, even by root.
fn unwritable(dir: &Path) -> PathBuf {
    let locked = dir.join("locked");
    fs::create_dir(&locked).unwrap();
    let mut mode = fs::metadata(&locked).unwrap().permissions();
    mode.set_readonly(true);
    fs::set_permissions(&locked, mode).unwrap();
    if fs::write(locked.join("probe"), "").is_err() {
        return locked;
    }
    PathBuf::from("/sys/infralens") // root writes anywhere but here
}

#[test]
fn a_folder_that_cannot_be_written_is_named_with_its_cure() {
    let dir = tempfile::tempdir().unwrap();
    let folder = unwritable(dir.path());
    let error = Store::open(&folder).err().unwrap();
    assert!(matches!(error.fault, Fault::ReadOnly), "{error:?}");
    let message = error.to_string();
    assert!(message.starts_with(&folder.display().to_string()), "{message}");
    assert!(
        message.ends_with("cannot be written; make the folder writable, or name another with --data-dir"),
        "{message}"
    );
}

#[test]
fn a_file_where_the_folder_should_be_is_an_error_not_a_panic() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("data"), "a file").unwrap();
    let error = Store::open(&dir.path().join("data")).err().unwrap();
    assert!(error.to_string().contains("data"), "{error}");
}

#[test]
fn typed_text_is_kept_in_the_first_folder_that_takes_it() {
    let dir = tempfile::tempdir().unwrap();
    let locked = unwritable(dir.path());
    let open = dir.path().join("open");
    fs::create_dir(&open).unwrap();
    let kept = keep_text(&[&locked, &open], "why-ddp", "each rank").unwrap();
    assert_eq!(kept, open.join("why-ddp.txt"));
    let second = keep_text(&[&locked, &open], "why-ddp", "another").unwrap();
    assert_eq!(fs::read_to_string(kept).unwrap(), "each rank", "nothing is overwritten");
    assert_eq!(fs::read_to_string(second).unwrap(), "another");
    let error = keep_text(&[&locked], "why-ddp", "each rank").unwrap_err();
    assert!(matches!(error.fault, Fault::ReadOnly), "{error}");
}

#[test]
fn a_row_that_cannot_be_read_keeps_nobody_from_the_others() {
    let folder = tempfile::tempdir().unwrap();
    {
        let store = Store::open(folder.path()).unwrap();
        for (n, id) in [(1, "bad"), (2, "good")] {
            let parts = [("problem", 1.0)];
            store.record_attempt(&attempt(id, ("ddp", "why-ddp"), minute(n), &parts), &schedule()).unwrap();
            store.save_draft(&draft(&format!("{id}-draft"), "each rank")).unwrap();
        }
    }
    let file = rusqlite::Connection::open(folder.path().join("infralens.db")).unwrap();
    file.execute_batch(
        "UPDATE attempt SET score = 'no JSON' WHERE id = 'bad';
         UPDATE draft SET mode = 'loud' WHERE id = 'bad-draft';
         UPDATE card SET due = 9000000000000000000;
         INSERT INTO position VALUES ('p', 'ddp', '', -7, 0, 'text', 5);
         INSERT INTO claim VALUES ('good', 'p', 'no JSON', '{}', 5);",
    )
    .unwrap();
    drop(file);
    let store = Store::open(folder.path()).unwrap();
    let home = store.home(PACK, minute(9), &TimeZone::UTC).unwrap();
    assert_eq!(home.drafts.iter().map(|d| d.id.as_str()).collect::<Vec<_>>(), ["good-draft"]);
    let seen = store.history(&Filter::default(), 9).unwrap();
    assert_eq!(seen.iter().map(|a| a.id.as_str()).collect::<Vec<_>>(), ["good"]);
    assert_eq!(store.attempt("bad").unwrap(), None);
    assert_eq!(store.cards(PACK).unwrap(), Vec::new());
    store.export(&mut Vec::new()).unwrap();
}

#[cfg(unix)]
#[test]
fn nobody_else_reads_what_was_answered() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("new");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let store = Store::open(&data).unwrap();
    store.save_draft(&draft("d", "mine")).unwrap();
    assert_eq!(mode(&data), 0o700);
    for file in ["infralens.db", "infralens.db-wal", "infralens.lock"] {
        assert_eq!(mode(&data.join(file)), 0o600, "{file}");
    }
    drop(store);
    fs::set_permissions(data.join("infralens.db"), fs::Permissions::from_mode(0o644)).unwrap();
    Store::open(&data).unwrap();
    assert_eq!(mode(&data.join("infralens.db")), 0o600, "one that was open to others is closed");
}
