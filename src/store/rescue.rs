//! Where typed text goes when the store cannot take it.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::error::StoreError;

/// Writes a text to a new file `STEM.txt` (or `STEM-2.txt` …) in the first of some folders that
/// takes it (made where it is missing), and gives the file's path. Nothing is overwritten. Fails with the last folder's fault.
pub fn keep_text(folders: &[&Path], stem: &str, text: &str) -> Result<PathBuf, StoreError> {
    let mut last = StoreError::io(Path::new(stem), io::Error::other("no folder was named"));
    for folder in folders {
        match keep_in(folder, stem, text) {
            Ok(path) => return Ok(path),
            Err(error) => last = StoreError::io(folder, error),
        }
    }
    Err(last)
}

/// Keeps a text that the store did not take, in `work` or in the next best folder, and says what
/// happened and where the text is.
pub fn rescued(work: &Path, name: &str, text: &str, fault: &StoreError) -> String {
    let home = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    let temporary = std::env::temp_dir();
    match keep_text(&[work, &home, &temporary], &format!("infralens-{name}"), text) {
        Ok(path) => format!("{fault}. Your text is kept in {}", path.display()),
        Err(second) => format!("{fault}. {second}. Copy your text before you leave"),
    }
}

fn keep_in(folder: &Path, stem: &str, text: &str) -> io::Result<PathBuf> {
    fs::create_dir_all(folder)?;
    for n in 1..1000 {
        let name = if n == 1 {
            format!("{stem}.txt")
        } else {
            format!("{stem}-{n}.txt")
        };
        let path = folder.join(name);
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(mut file) => {
                file.write_all(text.as_bytes())?;
                file.sync_all()?;
                return Ok(path);
            }
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(e),
        }
    }
    Err(io::Error::other(
        "a thousand files of that name are there already",
    ))
}
