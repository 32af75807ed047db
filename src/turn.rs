//! Turns of programs that would be in each other's way: a file that is held.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::time::Duration;

use crate::time::{self, Deadline};

/// How long another's turn is waited for, and how long between two looks.
const PATIENCE: Duration = Duration::from_secs(6);
const LOOK: Duration = Duration::from_millis(20);

/// Waits for whoever holds this file and holds it until it is dropped. A file system without locks goes without, and so
/// does one where somebody holds the lock and does not let go.
///
/// # Errors
/// Why the file cannot be opened.
pub fn take(lock: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let turn = options.open(lock)?;
    let limit = Deadline::after(PATIENCE);
    while let Err(TryLockError::WouldBlock) = turn.try_lock() {
        if limit.is_over() {
            break;
        }
        time::pause(LOOK);
    }
    Ok(turn)
}
