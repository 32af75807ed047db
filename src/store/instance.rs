//! Which running instance holds a draft or a rehearsal.

use std::cell::OnceCell;
use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};

use super::open;

/// A running instance: a lock file that the system frees when the process ends, however it ends.
///
/// It makes its file only when it first holds something.
pub struct Instance {
    folder: Option<PathBuf>,
    held: OnceCell<Held>,
}

struct Held {
    name: String,
    file: Option<(File, PathBuf)>,
}

impl Instance {
    /// An instance that uses the store of a folder.
    pub(super) fn of(dir: &Path) -> Self {
        Instance { folder: Some(dir.join("running")), held: OnceCell::new() }
    }

    /// An instance without a folder.
    pub(super) fn alone() -> Self {
        Instance { folder: None, held: OnceCell::new() }
    }

    /// The name of this instance; `fresh` names it the first time.
    pub(super) fn name(&self, fresh: impl FnOnce() -> String) -> &str {
        let held = self.held.get_or_init(|| {
            let name = fresh();
            let file = self.folder.as_ref().and_then(|folder| lock(folder, &name));
            Held { name, file }
        });
        &held.name
    }

    /// Whether another instance of this name is running.
    pub(super) fn is_other(&self, name: &str) -> bool {
        if self.held.get().is_some_and(|h| h.name == name) {
            return false;
        }
        let Some(path) = self.folder.as_ref().map(|f| lock_path(f, name)) else {
            return false;
        };
        let Ok(file) = File::open(&path) else { return false };
        match file.try_lock() {
            Ok(()) => {
                fs::remove_file(&path).ok();
                false
            }
            Err(fs::TryLockError::WouldBlock) => true,
            Err(fs::TryLockError::Error(_)) => false,
        }
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        if let Some((_, path)) = self.held.get().and_then(|h| h.file.as_ref()) {
            fs::remove_file(path).ok();
        }
    }
}

/// Makes and holds a lock file, and clears away those that killed instances left behind. Under the
/// store's own lock, so that none is cleared between its making and its holding.
fn lock(folder: &Path, name: &str) -> Option<(File, PathBuf)> {
    let _turn = open::take_turn(folder.parent()?).ok()?;
    fs::create_dir_all(folder).ok()?;
    for left in fs::read_dir(folder).ok()?.flatten() {
        if File::open(left.path()).is_ok_and(|f| f.try_lock().is_ok()) {
            fs::remove_file(left.path()).ok();
        }
    }
    let path = lock_path(folder, name);
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path).ok()?;
    file.try_lock().ok()?;
    Some((file, path))
}

fn lock_path(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.lock"))
}
