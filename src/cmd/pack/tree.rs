//! The files that a pack folder may consist of, and nothing else in it.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

/// What a pack consists of, below its folder.
const HELD: [&str; 6] = ["pack.toml", "glossary.toml", "claims.toml", "lessons", "quizzes", "assets"];
/// How many folders deep files may lie.
pub(super) const DEEPEST: usize = 6;
/// The most files.
pub(super) const MOST: usize = 20_000;

/// A file, or something in its place.
#[derive(Debug)]
pub struct Entry {
    /// Where it is, below the folder.
    pub path: PathBuf,
    /// What it is; a link is a link.
    pub meta: Metadata,
}

/// Everything below the folder of a pack that may belong to it, sorted by path. Links are listed, not followed.
///
/// # Errors
/// Where a folder cannot be read, lies too deep, or there are too many files.
pub fn files(folder: &Path) -> io::Result<Vec<Entry>> {
    let mut found = Vec::new();
    for name in HELD {
        enter(folder, Path::new(name), DEEPEST, &mut found)?;
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

fn enter(folder: &Path, path: &Path, depth: usize, found: &mut Vec<Entry>) -> io::Result<()> {
    let meta = match fs::symlink_metadata(folder.join(path)) {
        Ok(meta) => meta,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(e) => return Err(e),
    };
    if !meta.is_dir() {
        found.push(Entry { path: path.to_owned(), meta });
        return if found.len() > MOST {
            Err(io::Error::other(format!("it holds more than {MOST} files")))
        } else {
            Ok(())
        };
    }
    if depth == 0 {
        let what = format!("{} is more than {DEEPEST} folders deep", path.display());
        return Err(io::Error::other(what));
    }
    for entry in fs::read_dir(folder.join(path))? {
        enter(folder, &path.join(entry?.file_name()), depth - 1, found)?;
    }
    Ok(())
}
