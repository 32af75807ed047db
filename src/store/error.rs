//! What can go wrong with the store: the thing, the fault and the cure.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

/// A failure of the store. Its message names the thing, the fault and the cure.
#[derive(Debug)]
pub struct StoreError {
    /// What failed: the path of the store, or a line of an import.
    pub thing: String,
    /// What is wrong with it.
    pub fault: Fault,
}

/// What is wrong.
#[derive(Debug)]
pub enum Fault {
    /// The machine names no place for data.
    NoPlace,
    /// The folder or the file cannot be written.
    ReadOnly,
    /// There is no room left.
    Full,
    /// Another instance held the store for too long.
    Busy,
    /// The file was moved, replaced or deleted while it was open.
    Moved,
    /// The file is not a readable database.
    Damaged,
    /// A newer program wrote it.
    Newer {
        /// The version found.
        found: i64,
        /// The newest version that this program reads.
        known: i64,
    },
    /// A record that cannot be understood.
    Record(String),
    /// The operating system refused.
    Io(io::Error),
    /// The database refused.
    Sql(rusqlite::Error),
}

impl StoreError {
    pub(super) fn new(thing: impl Into<String>, fault: Fault) -> Self {
        StoreError { thing: thing.into(), fault }
    }

    pub(super) fn io(path: &Path, error: io::Error) -> Self {
        let fault = match error.kind() {
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Fault::ReadOnly,
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Fault::Full,
            _ => Fault::Io(error),
        };
        StoreError::new(path.display().to_string(), fault)
    }

    pub(super) fn sql(thing: &str, error: rusqlite::Error) -> Self {
        let fault = match error.sqlite_error_code() {
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => {
                Fault::ReadOnly
            }
            Some(ErrorCode::DiskFull) => Fault::Full,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Fault::Busy,
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Fault::Damaged,
            _ => match error {
                rusqlite::Error::ToSqlConversionFailure(e) => Fault::Record(e.to_string()),
                rusqlite::Error::FromSqlConversionFailure(_, _, e) => Fault::Record(e.to_string()),
                error => Fault::Sql(error),
            },
        };
        StoreError::new(thing, fault)
    }

    /// Whether trying again in a moment may help.
    pub fn is_transient(&self) -> bool {
        matches!(self.fault, Fault::Busy)
    }

    /// What to do about it.
    pub fn cure(&self) -> &'static str {
        match self.fault {
            Fault::NoPlace => "set HOME to a folder that begins with /, or name one with --data-dir",
            Fault::ReadOnly => "make the folder writable, or name another with --data-dir",
            Fault::Full => "free some space on that disk, or name a folder on another with --data-dir",
            Fault::Busy => "close the other instance or wait for it, then try again",
            Fault::Moved => "start infralens again: it begins a new one there",
            Fault::Damaged => "start infralens again: it moves the file away and starts a new one",
            Fault::Newer { .. } => "update infralens, or name another folder with --data-dir",
            Fault::Record(_) => "mend or remove the record, then try again",
            Fault::Io(_) | Fault::Sql(_) => "look at the folder, or name another with --data-dir",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::NoPlace => f.write_str("this machine has no folder for data"),
            Fault::ReadOnly => f.write_str("cannot be written"),
            Fault::Full => f.write_str("the disk is full"),
            Fault::Busy => f.write_str("another instance is using it"),
            Fault::Moved => f.write_str("was moved, replaced or deleted while it was open"),
            Fault::Damaged => f.write_str("is damaged"),
            Fault::Newer { found, known } => {
                write!(f, "has version {found}, and this program reads up to {known}")
            }
            Fault::Record(what) => f.write_str(what),
            Fault::Io(error) => write!(f, "{error}"),
            Fault::Sql(error) => write!(f, "{error}"),
        }
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}; {}", self.thing, self.fault, self.cure())
    }
}

impl std::error::Error for StoreError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.fault {
            Fault::Io(error) => Some(error),
            Fault::Sql(error) => Some(error),
            _ => None,
        }
    }
}

/// The folder for data when none is named: that of the platform, for `infralens`.
pub fn default_dir() -> Result<PathBuf, StoreError> {
    use etcetera::BaseStrategy;
    let none = || StoreError::new("the data folder", Fault::NoPlace);
    let folder = etcetera::choose_base_strategy().map_err(|_| none())?.data_dir().join("infralens");
    // from a relative HOME another folder would come at each start
    if folder.is_absolute() { Ok(folder) } else { Err(none()) }
}
