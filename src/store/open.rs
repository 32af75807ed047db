//! Opening the file: locks, pragmas, migrations, and what to do with a damaged one.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::error::{Fault, StoreError};
use super::{PATIENCE, schema};
use crate::turn;

/// The name of the database file in its folder.
const FILE: &str = "infralens.db";
/// Held while a store is opened.
const LOCK: &str = "infralens.lock";

/// Whether a folder holds a store.
pub fn is_in(dir: &Path) -> bool {
    dir.join(FILE).exists()
}

/// Whether the store of a folder is to be checked when it is opened.
pub fn is_suspect(dir: &Path) -> bool {
    suspicion(&dir.join(FILE)).exists()
}

/// Marks the file as one of InfraLens ("IfLn").
const APPLICATION: i64 = 0x4966_4c6e;

/// A store that was opened.
pub struct Opened {
    pub conn: Connection,
    pub file: PathBuf,
    pub aside: Option<PathBuf>,
}

/// Opens the store of a folder. Instances that start at once do this one after the other.
pub fn open(dir: &Path) -> Result<Opened, StoreError> {
    make_private(dir).map_err(|e| StoreError::io(dir, e))?;
    only_files(dir)?;
    let _turn = take_turn(dir)?;
    let file = dir.join(FILE);
    keep_private(&file);
    let suspected = suspicion(&file).exists();
    match connect(&file, suspected) {
        Err(StoreError { fault: Fault::Damaged, .. }) => {
            let aside = set_aside(&file)?;
            let conn = connect(&file, false)?;
            Ok(Opened { conn, file, aside: Some(aside) })
        }
        Err(error) => Err(error),
        Ok(conn) => {
            if suspected {
                fs::remove_file(suspicion(&file)).ok();
            }
            Ok(Opened { conn, file, aside: None })
        }
    }
}

/// Opens the store of a folder that cannot be written, to be read alone.
pub fn read_only(dir: &Path) -> Result<Opened, StoreError> {
    let file = dir.join(FILE);
    let thing = file.display().to_string();
    let read = |immutable: &str| -> rusqlite::Result<(Connection, i64)> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        let conn = Connection::open_with_flags(address(&file, immutable), flags)?;
        conn.busy_timeout(PATIENCE)?;
        conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        conn.set_prepared_statement_cache_capacity(64);
        let found = schema::version(&conn)?;
        Ok((conn, found))
    };
    // the notes of a program that writes are read where they are there; without them nothing can be written beside the
    // file, and it is taken as it stands
    let opened = read("").or_else(|_| read("&immutable=1"));
    let (conn, found) = opened.map_err(|fault| StoreError::sql(&thing, fault))?;
    let known = schema::newest();
    match found.cmp(&known) {
        std::cmp::Ordering::Equal => Ok(Opened { conn, file, aside: None }),
        std::cmp::Ordering::Greater => Err(StoreError::new(thing, Fault::Newer { found, known })),
        // it would have to be brought up to date first
        std::cmp::Ordering::Less => Err(StoreError::new(thing, Fault::ReadOnly)),
    }
}

/// A file as an address for the database, to be read alone.
fn address(file: &Path, more: &str) -> String {
    let mut address = "file:".to_owned();
    for byte in file.as_os_str().as_encoded_bytes() {
        match byte {
            b'?' | b'#' | b'%' => address.push_str(&format!("%{byte:02x}")),
            byte if byte.is_ascii() => address.push(char::from(*byte)),
            byte => address.push_str(&format!("%{byte:02x}")),
        }
    }
    format!("{address}?mode=ro{more}")
}

/// Refuses what is no plain file where one of ours should be: opening a pipe waits for ever.
fn only_files(dir: &Path) -> Result<(), StoreError> {
    for file in [FILE, LOCK].map(|name| dir.join(name)) {
        if fs::metadata(&file).is_ok_and(|meta| !meta.is_file()) {
            let fault = std::io::Error::other("it is no plain file; move it out of the way");
            return Err(StoreError::io(&file, fault));
        }
    }
    Ok(())
}

/// Makes a folder that nobody else reads. One that is there stays as it is.
fn make_private(dir: &Path) -> std::io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir)
}

/// Sees to it that nobody else reads the file: answers are private. Its companions take after it.
fn keep_private(file: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
        // where it cannot be made or changed, opening it says so
        let opened = fs::OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(file);
        let Ok(meta) = opened.and_then(|f| f.metadata()) else { return };
        if meta.is_file() && meta.permissions().mode() & 0o077 != 0 {
            for tail in ["", "-wal", "-shm"] {
                fs::set_permissions(with_tail(file, tail), fs::Permissions::from_mode(0o600)).ok();
            }
        }
    }
    #[cfg(not(unix))]
    let _ = file;
}

/// Settings of a connection: wait for others, check references, write through.
pub fn prepare(conn: &Connection) -> rusqlite::Result<()> {
    conn.busy_timeout(PATIENCE)?;
    // plans do not depend on the values that are asked for: a query is made ready once, not again when they are known
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    conn.pragma_update(None, "foreign_keys", true)?;
    conn.pragma_update(None, "synchronous", "FULL")?;
    conn.set_prepared_statement_cache_capacity(64);
    conn.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))
}

/// Notes that the file gave a fault while it was used; the next start checks all of it.
pub fn suspect(file: &Path) {
    fs::write(suspicion(file), "the database gave a fault; the next start checks it\n").ok();
}

fn suspicion(file: &Path) -> PathBuf {
    file.with_extension("suspect")
}

/// Holds the folder's lock until it is dropped. Where somebody does not let go of it, the database has locks of its own.
pub fn take_turn(dir: &Path) -> Result<File, StoreError> {
    turn::take(&dir.join(LOCK)).map_err(|e| StoreError::io(dir, e))
}

fn connect(file: &Path, check: bool) -> Result<Connection, StoreError> {
    let thing = file.display().to_string();
    let fail = |e| StoreError::sql(&thing, e);
    let conn = Connection::open(file).map_err(fail)?;
    prepare(&conn).map_err(fail)?;
    if check && !intact(&conn).map_err(fail)? {
        return Err(StoreError::new(thing, Fault::Damaged));
    }
    let found = schema::version(&conn).map_err(fail)?;
    let known = schema::newest();
    if found > known {
        return Err(StoreError::new(thing, Fault::Newer { found, known }));
    }
    if found < known {
        schema::climb(&conn).map_err(fail)?;
        conn.pragma_update(None, "application_id", APPLICATION).map_err(fail)?;
    }
    Ok(conn)
}

fn intact(conn: &Connection) -> rusqlite::Result<bool> {
    let word: String = conn.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    Ok(word == "ok")
}

/// Moves the file and its companions to the next free name.
fn set_aside(file: &Path) -> Result<PathBuf, StoreError> {
    let free = (1..10_000)
        .map(|n| file.with_file_name(format!("infralens.damaged-{n}.db")))
        .find(|p| !p.exists())
        .ok_or_else(|| StoreError::new(file.display().to_string(), Fault::Damaged))?;
    for tail in ["-wal", "-shm", ""] {
        let from = with_tail(file, tail);
        if from.exists() {
            fs::rename(&from, with_tail(&free, tail)).map_err(|e| StoreError::io(&from, e))?;
        }
    }
    fs::remove_file(suspicion(file)).ok();
    Ok(free)
}

fn with_tail(file: &Path, tail: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(tail);
    PathBuf::from(name)
}
