//! Where typed text goes when the store cannot take it.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::error::StoreError;
use crate::whole;

/// Writes a text to a new file `STEM.txt` (or `STEM-2.txt` …) in the first of some folders that
/// takes it (made where it is missing), and gives the file's path. Nobody else can read the file, and nothing is
/// overwritten. A folder that takes only a part of it is left as it was. Fails with the last folder's fault.
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

    /// The folders that files may go to, the best first: that of the store, the person's own, the one for what is
    /// temporary.
    pub fn folders(&self) -> [PathBuf; 3] {
        [self.work.clone(), home().unwrap_or_default(), std::env::temp_dir()]
    }

    /// The file of a thing, by its id.
    pub fn file_of(&self, id: &str) -> Option<&Path> {
        self.files.get(id).map(PathBuf::as_path)
    }

    /// All files that were begun.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.files.values().map(PathBuf::as_path)
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

    /// Writes a text to its file because of a fault, and says in one sentence where the text is, and then
    /// what happened.
    pub fn keep(&mut self, typed: &Typed, fault: &str) -> String {
        match self.file(typed) {
            Ok(path) => format!("Your text is in {}: {fault}", shown(&path)),
            Err(second) => format!("Copy your text before you leave, it is kept nowhere: {fault}. {second}"),
        }
    }

    fn file(&mut self, typed: &Typed) -> Result<PathBuf, StoreError> {
        if let Some(path) = self.files.get(typed.id)
            && whole::put_text(path, typed.text).is_ok()
        {
            return Ok(path.clone());
        }
        let folders = self.folders();
        let folders: Vec<&Path> = folders.iter().map(PathBuf::as_path).collect();
        let path = keep_text(&folders, &format!("infralens-{}", typed.name), typed.text)?;
        self.files.insert(typed.id.to_owned(), path.clone());
        Ok(path)
    }
}

fn home() -> Option<PathBuf> {
    std::env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute())
}

/// A path as a person writes it: `~/infralens-ddp.txt`.
pub fn shown(path: &Path) -> String {
    match home()
        .as_deref()
        .filter(|home| home.parent().is_some())
        .and_then(|home| path.strip_prefix(home).ok())
    {
        Some(below) => Path::new("~").join(below).display().to_string(),
        None => path.display().to_string(),
    }
}

fn keep_in(folder: &Path, stem: &str, text: &str) -> io::Result<PathBuf> {
    if folder.as_os_str().is_empty() {
        return Err(io::Error::other("it has no name"));
    }
    fs::create_dir_all(folder)?;
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    for n in 1..1000 {
        let name = if n == 1 { format!("{stem}.txt") } else { format!("{stem}-{n}.txt") };
        let path = folder.join(name);
        match options.open(&path) {
            Ok(mut file) => {
                let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
                if written.is_err() {
                    let _ = fs::remove_file(&path);
                }
                return written.map(|()| path);
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
            assert_eq!(said, format!("Your text is in {}: the disk is full", file.display()));
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                let mode = fs::metadata(&file).expect("the file").permissions().mode();
                assert_eq!(mode & 0o777, 0o600, "nobody else reads it");
            }
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
        assert!(said.contains("infralens-ddp-2.txt"), "{said}");
        let first = fs::read_to_string(folder.path().join("infralens-ddp.txt"));
        assert_eq!(first.expect("the file"), "first");
    }
}
