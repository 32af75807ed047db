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
mod draft;
mod edition;
mod error;
mod home;
mod instance;
mod open;
mod place;
mod rehearsal;
mod rescue;
mod review;
mod row;
mod schema;
mod setting;
mod sums;

pub use attempt::{Dispute, DrillSum, Filter, Target};
pub use carry::Imported;
pub use check::CheckAttempt;
pub use edition::Edition;
pub use error::{Fault, StoreError, default_dir};
pub use instance::Instance;
pub use place::Done;
pub use rescue::keep_text;
pub use setting::PuzzleBest;

/// How long a writer waits for another instance before [`Fault::Busy`].
pub const PATIENCE: Duration = Duration::from_secs(5);

/// What learners did.
pub struct Store {
    conn: Connection,
    thing: String,
    file: Option<PathBuf>,
    aside: Option<PathBuf>,
    instance: Instance,
}

impl Store {
    /// Opens the store of a folder, making folder and file where they are missing. A file that
    /// cannot be read is set aside under a new name, see [`Store::set_aside`].
    pub fn open(dir: &Path) -> Result<Self, StoreError> {
        let opened = open::open(dir)?;
        Ok(Store {
            thing: opened.file.display().to_string(),
            conn: opened.conn,
            file: Some(opened.file),
            aside: opened.aside,
            instance: Instance::of(dir),
        })
    }

    /// A store that ends with the process: for tests, and for a session whose folder cannot be used.
    pub fn in_memory() -> Result<Self, StoreError> {
        let thing = "the store in memory".to_string();
        let fail = |e| StoreError::sql("the store in memory", e);
        let conn = Connection::open_in_memory().map_err(fail)?;
        open::prepare(&conn).map_err(fail)?;
        schema::climb(&conn).map_err(fail)?;
        Ok(Store {
            conn,
            thing,
            file: None,
            aside: None,
            instance: Instance::alone(),
        })
    }

    /// Where a damaged file was put when this store was opened.
    pub fn set_aside(&self) -> Option<&Path> {
        self.aside.as_deref()
    }

    /// The database file, or none in memory.
    pub fn path(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// An id for a new draft, rehearsal or dispute: the time, then 80 random bits, in hexadecimal.
    pub fn fresh_id(&self, now: Timestamp) -> Result<String, StoreError> {
        let random: String =
            self.read(|c| c.query_row("SELECT lower(hex(randomblob(10)))", [], |r| r.get(0)))?;
        Ok(format!("{:012x}-{random}", now.as_millisecond().max(0)))
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
        run().map_err(|e| self.failed(e))
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
