//! Where typed text goes when the store cannot take it.

use std::collections::BTreeMap;
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

/// Keeps in files what the store does not take: one file a thing, written again as it grows.
#[derive(Debug, Default)]
pub struct Rescue {
    work: PathBuf,
    /// Whether the store takes it but ends with the process.
    to_files: bool,
    /// The files that were begun, by the id of what they hold.
    files: BTreeMap<String, PathBuf>,
}

/// What is to be rescued.
#[derive(Debug)]
pub struct Typed<'a> {
    /// The id of the draft, attempt or rehearsal.
    pub id: &'a str,
    /// The name for its file.
    pub name: &'a str,
    /// The text.
    pub text: &'a str,
}

impl Rescue {
    /// Keeps files in `work`, or in the next best folder.
    pub fn new(work: &Path) -> Self {
        Rescue { work: work.to_owned(), ..Self::default() }
    }

    /// Keeps everything in files too: for a store that ends with the process.
    pub fn to_files(self) -> Self {
        Rescue { to_files: true, ..self }
    }

    /// Whether files are all that lasts.
    pub fn is_to_files(&self) -> bool {
        self.to_files
    }

    /// Keeps a text where the store did not, and says in one sentence what happened and where the text
    /// is. Without a fault it is said once a thing, and only where files are all that lasts.
    pub fn after(&mut self, kept: Result<(), StoreError>, typed: &Typed) -> Option<String> {
        match kept {
            Err(fault) => Some(self.keep(typed, &fault.to_string())),
            Ok(()) => self.copied(typed),
        }
    }

    /// Writes a text that the store took to a file too, where files are all that lasts. What is said of
    /// it is said once a thing.
    pub fn copied(&mut self, typed: &Typed) -> Option<String> {
        if !self.to_files || typed.text.is_empty() {
            return None;
        }
        let first = !self.files.contains_key(typed.id);
        let said = self.keep(typed, "the progress file cannot be used, so nothing is kept there");
        first.then_some(said)
    }

    /// Writes a text to its file because of a fault, and says in one sentence what happened and where the
    /// text is.
    pub fn keep(&mut self, typed: &Typed, fault: &str) -> String {
        match self.file(typed) {
            Ok(path) => format!("{fault}. Your text is kept in {}", path.display()),
            Err(second) => format!("{fault}. {second}. Copy your text before you leave"),
        }
    }

    fn file(&mut self, typed: &Typed) -> Result<PathBuf, StoreError> {
        if let Some(path) = self.files.get(typed.id)
            && rewrite(path, typed.text).is_ok()
        {
            return Ok(path.clone());
        }
        let home = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
        let temporary = std::env::temp_dir();
        let stem = format!("infralens-{}", typed.name);
        let path = keep_text(&[&self.work, &home, &temporary], &stem, typed.text)?;
        self.files.insert(typed.id.to_owned(), path.clone());
        Ok(path)
    }
}

/// Replaces a file whole, so that a kill between two seconds leaves the older text.
fn rewrite(path: &Path, text: &str) -> io::Result<()> {
    let beside = path.with_extension("new");
    let written = fs::write(&beside, text).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

fn keep_in(folder: &Path, stem: &str, text: &str) -> io::Result<PathBuf> {
    fs::create_dir_all(folder)?;
    for n in 1..1000 {
        let name = if n == 1 { format!("{stem}.txt") } else { format!("{stem}-{n}.txt") };
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
    Err(io::Error::other("a thousand files with that name exist already"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_has_one_file_and_the_newest_text() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut rescue = Rescue::new(folder.path());
        for text in ["each", "each rank", "each rank holds"] {
            let typed = Typed { id: "d1", name: "ddp", text };
            let said = rescue.keep(&typed, "the disk is full");
            let file = folder.path().join("infralens-ddp.txt");
            assert_eq!(said, format!("the disk is full. Your text is kept in {}", file.display()));
            assert_eq!(fs::read_to_string(file).expect("the file"), text);
        }
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn a_file_of_another_run_is_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let typed = |text| Typed { id: "d1", name: "ddp", text };
        Rescue::new(folder.path()).keep(&typed("first"), "full");
        let said = Rescue::new(folder.path()).keep(&typed("second"), "full");
        assert!(said.ends_with("infralens-ddp-2.txt"), "{said}");
        let first = fs::read_to_string(folder.path().join("infralens-ddp.txt"));
        assert_eq!(first.expect("the file"), "first");
    }
}
