//! Reads the files of a pack and nothing else: no link is followed out of the folder, nothing
//! is read beyond its limit, nothing is run.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use super::{Embedded, Origin};

/// The greatest size of a TOML file: 1 MiB.
pub(crate) const TOML_LIMIT: u64 = 1 << 20;
/// The greatest size of a starter or a stored output: 256 KiB.
pub(crate) const STARTER_LIMIT: u64 = 256 << 10;
/// The greatest number of TOML files in a pack.
pub(crate) const MOST_FILES: usize = 20_000;
/// The greatest size of all TOML files together: 128 MiB.
pub(crate) const TOTAL_LIMIT: u64 = 128 << 20;
/// The most paths that are named where a folder holds too many.
const MOST_FAULTS: usize = 20;
/// How many folders deep quizzes may lie.
const DEEPEST: usize = 4;

/// Why a file cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unreadable {
    pub(super) what: String,
    pub(super) cure: String,
    /// Whether there is no file at all.
    pub(super) is_missing: bool,
}

fn unreadable(what: impl Into<String>, cure: impl Into<String>) -> Unreadable {
    Unreadable { what: what.into(), cure: cure.into(), is_missing: false }
}

/// The files of a pack.
pub(super) enum Files {
    BuiltIn(&'static Embedded),
    /// A folder, by its real path.
    Folder(PathBuf),
    /// Texts by path, for tests and fuzzing.
    Memory(BTreeMap<String, Vec<u8>>),
}

/// What a listing found.
#[derive(Default)]
pub(super) struct Listing {
    /// Paths of TOML files, sorted.
    pub(super) paths: Vec<String>,
    /// Paths that could not be listed, with the reason.
    pub(super) faults: Vec<(String, Unreadable)>,
}

impl Files {
    /// The files of a folder or of the built-in pack.
    pub(super) fn open(origin: &Origin) -> Result<Self, Unreadable> {
        match origin {
            Origin::BuiltIn(files) => Ok(Self::BuiltIn(files)),
            Origin::Folder(path) => {
                let shown = path.display();
                let real = fs::canonicalize(path).map_err(|e| {
                    unreadable(
                        format!("the folder `{shown}` cannot be opened ({})", plain(&e)),
                        "name a folder that holds a pack.toml",
                    )
                })?;
                if real.is_dir() {
                    Ok(Self::Folder(real))
                } else {
                    Err(unreadable(
                        format!("`{shown}` is not a folder"),
                        "name the folder that holds the pack.toml",
                    ))
                }
            }
        }
    }

    /// The TOML files below a folder of the pack, in subfolders too.
    pub(super) fn list(&self, folder: &str) -> Listing {
        let mut listing = Listing::default();
        match self {
            Self::BuiltIn(files) => listing.paths = files.below(folder).map(str::to_owned).collect(),
            Self::Memory(map) => {
                let start = format!("{folder}/");
                listing.paths = map.keys().filter(|k| k.starts_with(&start)).cloned().collect();
            }
            Self::Folder(root) => walk(root, folder, DEEPEST, &mut Walk { seen: 0, listing: &mut listing }),
        }
        listing.paths.retain(|p| p.ends_with(".toml"));
        listing.paths.sort();
        listing
    }

    /// The text of a file, with line feeds alone between lines. `path` is relative with `/`.
    pub(super) fn read(&self, path: &str, limit: u64) -> Result<Cow<'static, str>, Unreadable> {
        let bytes = match self {
            Self::BuiltIn(files) => Cow::Borrowed(files.file(path).ok_or_else(missing)?),
            Self::Memory(map) => Cow::Owned(map.get(path).cloned().ok_or_else(missing)?),
            Self::Folder(root) => Cow::Owned(read_below(root, path, limit)?),
        };
        if bytes.len() as u64 > limit {
            return Err(too_large(bytes.len() as u64, limit));
        }
        let text = match bytes {
            Cow::Borrowed(bytes) => std::str::from_utf8(bytes).map(Cow::Borrowed),
            Cow::Owned(bytes) => String::from_utf8(bytes).map(Cow::Owned).map_err(|e| e.utf8_error()),
        };
        let text = text.map_err(|e| {
            unreadable(
                format!("the file is not UTF-8: byte {} is not text", e.valid_up_to()),
                "save it as UTF-8",
            )
        })?;
        Ok(with_our_lines(text))
    }
}

/// The text without the mark that some editors put before it, and with line feeds alone between its lines.
fn with_our_lines(text: Cow<'static, str>) -> Cow<'static, str> {
    const MARK: char = '\u{feff}';
    if text.contains("\r\n") {
        return Cow::Owned(text.trim_start_matches(MARK).replace("\r\n", "\n"));
    }
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.strip_prefix(MARK).unwrap_or(text)),
        Cow::Owned(text) if text.starts_with(MARK) => Cow::Owned(text[MARK.len_utf8()..].to_owned()),
        text => text,
    }
}

fn read_below(root: &Path, path: &str, limit: u64) -> Result<Vec<u8>, Unreadable> {
    let inner = Path::new(path);
    if !inner.components().all(|c| matches!(c, Component::Normal(_))) {
        return Err(outside());
    }
    let fault = |e: &std::io::Error| match e.kind() {
        std::io::ErrorKind::NotFound => missing(),
        _ => failed(e),
    };
    let mut real = root.to_owned();
    for part in inner.components() {
        real.push(part);
        // only a link leads anywhere else
        if fs::symlink_metadata(&real).map_err(|e| fault(&e))?.is_symlink() {
            real = fs::canonicalize(&real).map_err(|e| fault(&e))?;
            if !real.starts_with(root) {
                return Err(outside());
            }
        }
    }
    let meta = fs::metadata(&real).map_err(|e| failed(&e))?;
    if !meta.is_file() {
        return Err(unreadable("it is not a regular file", "put a text file in its place"));
    }
    if meta.len() > limit {
        return Err(too_large(meta.len(), limit));
    }
    let mut bytes = Vec::with_capacity(meta.len() as usize + 1);
    File::open(&real)
        .and_then(|file| file.take(limit + 1).read_to_end(&mut bytes))
        .map_err(|e| failed(&e))?;
    Ok(bytes)
}

/// A walk through the folders of a pack.
struct Walk<'l> {
    /// How many files and folders were seen, of any kind.
    seen: usize,
    listing: &'l mut Listing,
}

fn walk(root: &Path, folder: &str, depth: usize, walked: &mut Walk<'_>) {
    let listing = &mut *walked.listing;
    let Ok(real) = fs::canonicalize(root.join(folder)) else {
        return; // a pack need not have every folder
    };
    if !real.starts_with(root) {
        listing.faults.push((folder.to_owned(), outside()));
        return;
    }
    let entries = match fs::read_dir(&real) {
        Ok(entries) => entries,
        Err(e) => {
            listing.faults.push((folder.to_owned(), failed(&e)));
            return;
        }
    };
    for entry in entries.flatten() {
        let listing = &mut *walked.listing;
        walked.seen += 1;
        if walked.seen > MOST_FILES {
            let what = format!("the folder holds more than {MOST_FILES} files");
            listing.faults.truncate(MOST_FAULTS);
            listing
                .faults
                .push((folder.to_owned(), unreadable(what, "move out what is not part of the pack")));
            return;
        }
        let name = entry.file_name();
        let Some(name) = name.to_str() else {
            listing.faults.push((
                format!("{folder}/{}", name.to_string_lossy()),
                unreadable("the file name is not UTF-8", "rename the file"),
            ));
            continue;
        };
        let path = format!("{folder}/{name}");
        let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
        if !entry.path().is_dir() {
            listing.paths.push(path);
        } else if is_link {
            // it may lead back to where it stands
            let cure = "put the files themselves there";
            listing.faults.push((path, unreadable("it is a link to a folder, which is not followed", cure)));
        } else if depth > 1 {
            walk(root, &path, depth - 1, walked);
        } else {
            listing.faults.push((
                path,
                unreadable(format!("the folder is more than {DEEPEST} folders deep"), "move its files up"),
            ));
        }
    }
}

fn missing() -> Unreadable {
    Unreadable { is_missing: true, ..unreadable("there is no such file", "write it, or correct the name") }
}

fn outside() -> Unreadable {
    unreadable(
        "it is outside the pack",
        "put the file into the pack and name it by a path without `..` and links that lead out",
    )
}

fn too_large(size: u64, limit: u64) -> Unreadable {
    let kib = limit >> 10;
    unreadable(
        format!("the file has {size} bytes, more than the limit of {kib} KiB"),
        "split it, or make it smaller",
    )
}

fn failed(e: &std::io::Error) -> Unreadable {
    unreadable(format!("it cannot be read ({})", plain(e)), "make it readable for you")
}

/// The error in lower case, without the system's number.
fn plain(e: &std::io::Error) -> String {
    let text = e.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text);
    text.to_lowercase()
}
