//! The only SQL: what learners did, kept in one SQLite file.
//!
//! A [`Store`] is opened on a folder. Every method that writes is one transaction, written
//! through to the disk before it returns; every method takes times as values. Several instances
//! may use the same folder: a writer waits up to [`PATIENCE`] for another.
//!
//! Attempts, check attempts, reviews and disputes are only ever added. Everything else has one
//! row a thing, and the newer wins. Sums that Home needs are kept in the same transaction.

use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use rusqlite::{Connection, Transaction, TransactionBehavior};

mod attempt;
mod carry;
mod check;
mod claim;
mod doings;
mod draft;
mod edition;
mod error;
mod given;
mod home;
mod identity;
mod instance;
mod open;
mod opinion;
mod place;
mod rehearsal;
mod rescue;
mod review;
mod row;
mod schema;
mod setting;
mod sound;
mod sums;

pub use attempt::{Dispute, Filter, Target};
pub use carry::{Imported, Source};
pub use check::CheckAttempt;
pub use edition::Edition;
pub use error::{Fault, StoreError, default_dir};
use identity::Identity;
pub use instance::Instance;
pub use place::{Done, predicted_key, sections_key, seen_key};
pub use rescue::{Rescue, Typed, keep_text, shown};
pub use setting::PuzzleBest;

/// How long a writer waits for another instance before [`Fault::Busy`].
pub const PATIENCE: Duration = Duration::from_secs(5);

/// What learners did.
pub struct Store {
    conn: Connection,
    thing: String,
    file: Option<PathBuf>,
    identity: Option<Identity>,
    aside: Option<PathBuf>,
    instance: Instance,
}

impl Store {
    /// Whether a folder holds a store.
    pub fn is_in(dir: &Path) -> bool {
        open::is_in(dir)
    }

    /// Whether the store of a folder gave a fault, so that opening it looks at all of it.
    pub fn is_suspect(dir: &Path) -> bool {
        open::is_suspect(dir)
    }

    /// Opens the store of a folder, making folder and file where they are missing. A file that
    /// cannot be read is set aside under a new name, see [`Store::set_aside`].
    pub fn open(dir: &Path) -> Result<Self, StoreError> {
        Ok(Store::on(dir, open::open(dir)?))
    }

    /// Opens the store of a folder to read what is kept, be it that the folder cannot be written.
    ///
    /// # Errors
    /// Where there is no store to be read.
    pub fn open_to_read(dir: &Path) -> Result<Self, StoreError> {
        match Store::open(dir) {
            Err(StoreError { fault: Fault::ReadOnly, .. }) if open::is_in(dir) => Store::read_only(dir),
            other => other,
        }
    }

    fn read_only(dir: &Path) -> Result<Self, StoreError> {
        Ok(Store::on(dir, open::read_only(dir)?))
    }

    fn on(dir: &Path, opened: open::Opened) -> Self {
        Store {
            thing: opened.file.display().to_string(),
            conn: opened.conn,
            identity: Some(Identity::of(&opened.file)),
            file: Some(opened.file),
            aside: opened.aside,
            instance: Instance::of(dir),
        }
    }

    /// A store that ends with the process: for tests, and for a session whose folder cannot be used.
    pub fn in_memory() -> Result<Self, StoreError> {
        let thing = "the store in memory".to_string();
        let fail = |e| StoreError::sql("the store in memory", e);
        let conn = Connection::open_in_memory().map_err(fail)?;
        open::prepare(&conn).map_err(fail)?;
        schema::climb(&conn).map_err(fail)?;
        Ok(Store { conn, thing, file: None, identity: None, aside: None, instance: Instance::alone() })
    }

    /// Where a damaged file was put when this store was opened.
    pub fn set_aside(&self) -> Option<&Path> {
        self.aside.as_deref()
    }

    /// What to say of a damaged file that was set aside: where it is now.
    pub fn notice(&self) -> Option<String> {
        let aside = self.aside.as_ref()?.display();
        Some(format!(
            "the progress file could not be read; it was moved to {aside}, and a new one was started"
        ))
    }

    /// The database file, or none in memory.
    pub fn path(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Whether the file was moved, replaced or deleted since it was opened: what is written then reaches nobody.
    pub fn is_moved(&self) -> bool {
        let known = self.identity.zip(self.file.as_deref());
        known.is_some_and(|(identity, file)| identity.has_left(file))
    }

    /// An id for a new draft, rehearsal or dispute: the time, then 80 random bits, in hexadecimal.
    pub fn fresh_id(&self, now: Timestamp) -> Result<String, StoreError> {
        let random: String =
            self.read(|c| c.query_row("SELECT lower(hex(randomblob(10)))", [], |r| r.get(0)))?;
        Ok(format!("{:012x}-{random}", now.as_millisecond().max(0)))
    }

    /// A number that changes when another connection, of whatever process, changed the file. What this store wrote itself
    /// does not change it.
    pub fn state_of_others(&self) -> Result<u64, StoreError> {
        self.read(|c| c.prepare_cached("PRAGMA data_version")?.query_row([], |row| row::count(row, 0)))
    }

    /// Does something in which no write waits longer than this for another instance.
    pub fn patient<T>(&self, patience: Duration, act: impl FnOnce() -> T) -> T {
        // a time limit that cannot be set leaves the longer one
        let _ = self.conn.busy_timeout(patience);
        let done = act();
        let _ = self.conn.busy_timeout(PATIENCE);
        done
    }

    fn read<T>(&self, f: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        f(&self.conn).map_err(|e| self.failed(e))
    }

    fn write<T>(&self, f: impl FnOnce(&Transaction) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        let run = || {
            let tx = Transaction::new_unchecked(&self.conn, TransactionBehavior::Immediate)?;
            let made = f(&tx)?;
            tx.commit()?;
            Ok(made)
        };
        let made = run().map_err(|e| self.failed(e))?;
        match self.is_moved() {
            // it was written, but into a file that nobody opens again
            true => Err(StoreError::new(self.thing.clone(), Fault::Moved)),
            false => Ok(made),
        }
    }

    /// Names the fault; damage met while running is noted, so that the next start looks closely.
    fn failed(&self, error: rusqlite::Error) -> StoreError {
        let error = StoreError::sql(&self.thing, error);
        if let (Fault::Damaged, Some(file)) = (&error.fault, &self.file) {
            open::suspect(file);
        }
        error
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::tz::TimeZone;
    use rusqlite::StatementStatus;
    use std::fmt::Write as _;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use crate::score::{self, Glossary, Rubric};
    use crate::study::attempt::{Attempt, Mode};
    use crate::study::class::given::Given;
    use crate::study::home::Draft;
    use crate::study::schedule::Schedule;

    #[test]
    fn a_store_that_cannot_be_written_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let odd = folder.path().join("50% of it? #1 é");
        Store::open(&odd).unwrap().save_draft(&draft("a", "each rank")).unwrap();
        let store = Store::read_only(&odd).unwrap();
        assert_eq!(store.drafts("p").unwrap()[0].text, "each rank");
        let mut out = Vec::new();
        assert_eq!(store.export(&mut out).unwrap(), 1);
        let fault = store.drop_draft("a", Timestamp::UNIX_EPOCH).unwrap_err();
        assert!(matches!(fault.fault, Fault::ReadOnly), "{fault}");
        assert!(Store::read_only(folder.path()).is_err(), "where there is none, there is nothing to read");
    }

    #[test]
    fn another_instance_s_text_under_the_same_id_is_not_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (Store::open(folder.path()).unwrap(), Store::open(folder.path()).unwrap());
        one.save_draft(&draft("a", "what the first wrote")).unwrap();
        assert_eq!(two.held_drafts("p").unwrap()[0].text, "what the first wrote");
        two.save_draft(&draft("a", "what the second wrote")).unwrap();
        two.save_draft(&draft("a", "what the second wrote, and more")).unwrap();
        drop((one, two));
        let store = Store::open(folder.path()).unwrap();
        let mut texts: Vec<String> = store.drafts("p").unwrap().into_iter().map(|d| d.text).collect();
        texts.sort();
        assert_eq!(texts, ["what the first wrote", "what the second wrote, and more"]);
    }

    fn draft(id: &str, text: &str) -> Draft {
        Draft {
            id: id.into(),
            pack: "p".into(),
            drill: "d".into(),
            mode: Mode::Practice,
            part: None,
            text: text.into(),
            seconds: 1,
            at: Timestamp::UNIX_EPOCH,
        }
    }

    #[test]
    fn a_full_disk_is_named_keeps_what_was_there_and_goes_on_when_there_is_room() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        store.save_draft(&draft("small", "each rank")).unwrap();
        let pages: i64 = store.conn.query_row("PRAGMA page_count", [], |r| r.get(0)).unwrap();
        let limit = |pages: i64| {
            store.conn.query_row(&format!("PRAGMA max_page_count = {pages}"), [], |_| Ok(())).unwrap();
        };
        limit(pages + 2);
        let long = "each rank keeps a slice ".repeat(4000);
        let error = store.save_draft(&draft("long", &long)).unwrap_err();
        assert!(matches!(error.fault, Fault::Full), "{error}");
        let file = folder.path().join("infralens.db");
        assert_eq!(
            error.to_string(),
            format!(
                "{}: the disk is full; free some space on that disk, or name a folder on another with --data-dir",
                file.display()
            )
        );
        assert_eq!(store.drafts("p").unwrap(), [draft("small", "each rank")]);
        let kept = keep_text(&[folder.path()], "d", &long).unwrap();
        assert_eq!(std::fs::read_to_string(kept).unwrap(), long);
        limit(i64::from(u32::MAX - 1));
        store.save_draft(&draft("long", &long)).unwrap();
    }

    #[test]
    fn a_store_that_cannot_be_written_can_be_read_and_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        store.save_draft(&draft("a", "each rank")).unwrap();
        store.conn.pragma_update(None, "query_only", true).unwrap();
        let error = store.save_draft(&draft("b", "late")).unwrap_err();
        assert!(matches!(error.fault, Fault::ReadOnly), "{error}");
        assert_eq!(error.cure(), "make the folder writable, or name another with --data-dir");
        assert_eq!(store.drafts("p").unwrap().len(), 1);
    }

    #[test]
    fn a_store_held_for_too_long_is_busy_and_worth_another_try() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (Store::open(folder.path()).unwrap(), Store::open(folder.path()).unwrap());
        two.conn.busy_timeout(Duration::ZERO).unwrap();
        let held = Transaction::new_unchecked(&one.conn, TransactionBehavior::Immediate).unwrap();
        let error = two.save_draft(&draft("a", "each rank")).unwrap_err();
        assert!(error.is_transient(), "{error}");
        assert!(two.drafts("p").unwrap().is_empty(), "reading does not wait");
        drop(held);
        two.save_draft(&draft("a", "each rank")).unwrap();
    }

    #[test]
    fn home_reads_sums_and_no_attempt() {
        let store = Store::in_memory().unwrap();
        let schedule = Schedule::new(TimeZone::UTC);
        for n in 0..20 {
            let score = score::score(
                &Rubric { parts: vec!["problem".into()], ..Rubric::default() },
                &Glossary::default(),
                "",
            );
            let attempt = Attempt {
                id: n.to_string(),
                pack: "p".into(),
                drill: format!("d{}", n % 3),
                lesson: "l".into(),
                at: Timestamp::UNIX_EPOCH,
                mode: Mode::Practice,
                part: None,
                rehearsal: None,
                seconds: 60,
                answer: String::new(),
                score,
                ..Attempt::default()
            };
            store.record_attempt(&attempt, &schedule).unwrap();
        }
        let home = || store.home("p", Timestamp::UNIX_EPOCH, &TimeZone::UTC).unwrap();
        let before = home();
        assert_eq!(before.attempts, 20);
        store.conn.execute_batch("DELETE FROM attempt; DELETE FROM part_score; DELETE FROM review").unwrap();
        assert_eq!(home(), before);
    }

    /// Steps of SQLite's machine that something takes, in thousands.
    fn steps(store: &mut Store, act: impl FnOnce(&Store)) -> usize {
        let count = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&count);
        let more = move || {
            counter.fetch_add(1, Ordering::Relaxed);
            false
        };
        store.conn.progress_handler(1000, Some(more)).unwrap();
        act(store);
        store.conn.progress_handler(0, None::<fn() -> bool>).unwrap();
        count.load(Ordering::Relaxed)
    }

    #[test]
    fn what_is_read_for_a_screen_does_not_grow_with_the_answers() {
        const MANY: usize = 4000;
        let mut store = Store::in_memory().unwrap();
        let mut lines = String::from("{\"kind\":\"infralens\",\"format\":1}\n");
        for n in 0..MANY {
            let score = r#"{"drill":"d","score":0.5,"limiting_part":"problem","parts":[{"part":"problem","verdict":"partial","score":0.5,"points":[],"feedback":""}],"misconceptions":[],"flags":[],"words":1}"#;
            writeln!(
                lines,
                r#"{{"record":"attempt","id":"{n:05}","pack":"p","drill":"d{}","lesson":"l","at":"1970-01-01T00:00:00Z","mode":"practice","seconds":9,"answer":"a","score":{score}}}"#,
                n % 40
            )
            .unwrap();
        }
        store.import(lines.as_bytes(), Source::OwnMachine, Timestamp::UNIX_EPOCH).unwrap();
        let given = Given {
            attempt: "00007".into(),
            part: Some("problem".into()),
            verdict: Some(score::Verdict::Covered),
            remark: String::new(),
            by: "Ada".into(),
            at: Timestamp::UNIX_EPOCH,
        };
        let newest =
            Filter { pack: Some("p".into()), drill: Some("d3".into()), whole: true, ..Filter::default() };
        let zone = TimeZone::UTC;
        let taken = steps(&mut store, |store| {
            drop(store.home("p", Timestamp::UNIX_EPOCH, &zone).unwrap());
            drop(store.ratings("p", 100).unwrap());
            drop(store.history(&newest, 1).unwrap());
            drop(store.given_rehearsals().unwrap());
            store.take_given(std::slice::from_ref(&given)).unwrap();
        });
        // to go through the answers takes some five steps for each of them
        assert!(taken < 2 * MANY / 1000, "{taken} thousand steps for {MANY} answers");
    }

    #[test]
    fn a_query_is_made_ready_once() {
        let store = Store::in_memory().unwrap();
        let sql = "SELECT count(*) FROM attempt WHERE pack = ?1 AND at >= ?2 AND at < ?3";
        let mut query = store.conn.prepare(sql).unwrap();
        let count: i64 = query.query_row(("p", 0, 9), |row| row.get(0)).unwrap();
        assert_eq!((count, query.get_status(StatementStatus::RePrepare)), (0, 0));
    }

    #[test]
    fn writes_go_through_to_the_disk() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let pragma = |name: &str| -> String {
            let sql = format!("SELECT CAST({name} AS TEXT) FROM pragma_{name}");
            store.conn.query_row(&sql, [], |r| r.get(0)).unwrap()
        };
        assert_eq!(pragma("journal_mode"), "wal");
        assert_eq!(pragma("synchronous"), "2", "FULL");
        assert_eq!(pragma("foreign_keys"), "1");
    }
}
