//! Text that the store does not take goes to files, one file a thing: written again as it grows.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::store::{self, StoreError};

/// The files that were begun, by the id of what they hold.
#[derive(Debug, Default)]
pub struct Rescue {
    files: BTreeMap<String, PathBuf>,
}

/// What is to be rescued.
pub struct Typed<'a> {
    /// The id of the draft, attempt or rehearsal.
    pub id: &'a str,
    /// The name for its file.
    pub name: &'a str,
    /// The text.
    pub text: &'a str,
}

impl Rescue {
    /// Keeps a text in its file, in `work` or in the next best folder, and says in one sentence
    /// what happened and where the text is.
    pub fn keep(&mut self, work: &Path, typed: &Typed, fault: &str) -> String {
        match self.file(work, typed) {
            Ok(path) => format!("{fault}. Your text is kept in {}", path.display()),
            Err(second) => format!("{fault}. {second}. Copy your text before you leave"),
        }
    }

    /// Whether a file was begun for it.
    pub fn has(&self, id: &str) -> bool {
        self.files.contains_key(id)
    }

    fn file(&mut self, work: &Path, typed: &Typed) -> Result<PathBuf, StoreError> {
        if let Some(path) = self.files.get(typed.id)
            && rewrite(path, typed.text).is_ok()
        {
            return Ok(path.clone());
        }
        let home = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
        let temporary = std::env::temp_dir();
        let stem = format!("infralens-{}", typed.name);
        let path = store::keep_text(&[work, &home, &temporary], &stem, typed.text)?;
        self.files.insert(typed.id.to_owned(), path.clone());
        Ok(path)
    }
}

/// Replaces a file whole, so that a kill between two seconds leaves the older text.
fn rewrite(path: &Path, text: &str) -> std::io::Result<()> {
    let beside = path.with_extension("new");
    let written = std::fs::write(&beside, text).and_then(|()| std::fs::rename(&beside, path));
    if written.is_err() {
        let _ = std::fs::remove_file(&beside);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_has_one_file_and_the_newest_text() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut rescue = Rescue::default();
        for text in ["each", "each rank", "each rank holds"] {
            let typed = Typed {
                id: "d1",
                name: "ddp",
                text,
            };
            let said = rescue.keep(folder.path(), &typed, "the disk is full");
            let file = folder.path().join("infralens-ddp.txt");
            assert_eq!(
                said,
                format!("the disk is full. Your text is kept in {}", file.display())
            );
            assert_eq!(std::fs::read_to_string(file).expect("the file"), text);
        }
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn a_file_of_another_run_is_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let typed = |text| Typed {
            id: "d1",
            name: "ddp",
            text,
        };
        Rescue::default().keep(folder.path(), &typed("first"), "full");
        let said = Rescue::default().keep(folder.path(), &typed("second"), "full");
        assert!(said.ends_with("infralens-ddp-2.txt"), "{said}");
        let first = std::fs::read_to_string(folder.path().join("infralens-ddp.txt"));
        assert_eq!(first.expect("the file"), "first");
    }
}
