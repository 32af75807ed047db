//! What the store did not take, in a file that the next start takes in.
//!
//! The file stands in the first folder that takes it, as the texts do that a person reads. It names the data folder
//! that it belongs to, so that the start of another one leaves it alone.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::Services;
use super::keep::PATIENCE;
use super::record::Record;
use crate::store::{Rescue, shown};
use crate::whole;

/// What the file is called, with a number behind it: several programs may run.
const NAME: &str = ".infralens-unsaved";
/// How many of them a folder holds at most.
const MOST: usize = 9;
/// No file of ours is larger: some answers of two megabytes each.
const MOST_BYTES: u64 = 64 << 20;

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
struct Head {
    kind: String,
    /// The data folder that it belongs to.
    folder: PathBuf,
    /// The files in which a person can read the texts.
    texts: Vec<PathBuf>,
}

/// Each other line.
#[derive(Debug, Serialize, Deserialize)]
struct Line<R> {
    at: Timestamp,
    record: R,
}

/// The file of this program, once there is one.
#[derive(Debug, Default)]
pub(super) struct Unsaved(Option<PathBuf>);

impl Unsaved {
    /// Writes what waits, in place of what was written before.
    ///
    /// # Errors
    /// Why no folder takes it.
    pub fn write<'a>(
        &mut self,
        (folder, rescue): (&Path, &Rescue),
        records: impl Iterator<Item = &'a (Record, Timestamp)>,
    ) -> io::Result<()> {
        let head = Head {
            kind: "infralens-unsaved".into(),
            folder: whole(folder),
            texts: rescue.files().map(Path::to_owned).collect(),
        };
        let mut text = serde_json::to_string(&head)? + "\n";
        for (record, at) in records {
            text += &serde_json::to_string(&Line { at: *at, record })?;
            text.push('\n');
        }
        if self.0.as_ref().is_some_and(|path| whole::put_text(path, &text).is_ok()) {
            return Ok(());
        }
        let mut last = io::Error::other("there is no folder for it");
        for folder in rescue.folders().iter().filter(|folder| folder.is_dir()) {
            let Some(path) = names(folder).find(|path| fs::symlink_metadata(path).is_err()) else { continue };
            match whole::put_text(&path, &text) {
                Ok(()) => {
                    self.0 = Some(path);
                    return Ok(());
                }
                Err(fault) => last = fault,
            }
        }
        Err(last)
    }

    /// All is in the store: the file goes.
    pub fn forget(&mut self) {
        if let Some(path) = self.0.take() {
            // one that stays is taken in once more, which changes nothing
            let _ = fs::remove_file(path);
        }
    }
}

fn names(folder: &Path) -> impl Iterator<Item = PathBuf> {
    (1..=MOST).map(move |n| folder.join(format!("{NAME}-{n}.jsonl")))
}

/// A folder's own name, whichever way it was named.
fn whole(folder: &Path) -> PathBuf {
    fs::canonicalize(folder).or_else(|_| std::path::absolute(folder)).unwrap_or_else(|_| folder.to_owned())
}

/// A file that was left for a data folder.
struct Left {
    path: PathBuf,
    texts: Vec<PathBuf>,
    records: Vec<Line<Record>>,
}

impl Left {
    /// The files in which a person can read the texts, as far as they are there.
    fn texts(&self) -> String {
        let texts: Vec<String> =
            self.texts.iter().filter(|path| path.exists()).map(|path| shown(path)).collect();
        texts.join(" and ")
    }

    /// Those, or the file itself.
    fn place(&self) -> String {
        let texts = self.texts();
        if texts.is_empty() { shown(&self.path) } else { texts }
    }
}

/// The files that were left for a data folder.
fn left(work: &Path, rescue: &Rescue) -> Vec<Left> {
    let wanted = whole(work);
    let mut folders = rescue.folders().to_vec();
    folders.dedup();
    folders.iter().flat_map(|folder| names(folder)).filter_map(|path| read(path, &wanted)).collect()
}

fn read(path: PathBuf, wanted: &Path) -> Option<Left> {
    let meta = fs::symlink_metadata(&path).ok().filter(|meta| meta.is_file() && is_own(meta))?;
    if meta.len() > MOST_BYTES {
        return None;
    }
    let mut text = String::new();
    fs::File::open(&path).ok()?.take(MOST_BYTES).read_to_string(&mut text).ok()?;
    let mut lines = text.lines();
    let head: Head = serde_json::from_str(lines.next()?).ok()?;
    // a line that cannot be read is left out, and keeps nothing from the others
    let records = lines.filter_map(|line| serde_json::from_str(line).ok()).collect();
    (head.folder == wanted).then_some(Left { path, texts: head.texts, records })
}

/// Whether it was written by this person: the folder for what is temporary belongs to all.
fn is_own(meta: &fs::Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        meta.uid() == rustix::process::geteuid().as_raw() && meta.mode() & 0o022 == 0
    }
    #[cfg(not(unix))]
    {
        let _ = meta;
        true
    }
}

impl Services {
    /// Takes in what an earlier run of the program could not save, and gives what is to be said of it.
    pub fn take_in(&mut self) -> Vec<String> {
        left(&self.work, &self.rescue).into_iter().map(|left| self.take_in_one(&left)).collect()
    }

    /// Says where it is that an earlier run could not save, where nothing can be taken in now either.
    pub fn still_left(&self) -> Vec<String> {
        let left = left(&self.work, &self.rescue);
        left.iter().map(|left| format!("What could not be saved last time is in {}", left.place())).collect()
    }

    fn take_in_one(&self, left: &Left) -> String {
        let texts = left.texts();
        for Line { at, record } in &left.records {
            if !self.is_older(record)
                && let Err(fault) = self.patiently(PATIENCE, record, *at)
            {
                let place = left.place();
                return format!(
                    "What could not be saved last time is in {place}, and not in the store yet: {fault}"
                );
            }
        }
        // one that stays is taken in once more, which changes nothing
        let _ = fs::remove_file(&left.path);
        match texts.is_empty() {
            true => "What could not be saved last time is in the store now".into(),
            false => format!("What could not be saved last time is in the store now; {texts} can go"),
        }
    }

    /// Whether the store has a newer state of it.
    fn is_older(&self, record: &Record) -> bool {
        let Record::Draft(draft) = record else { return false };
        let known = self.store.drafts(&draft.pack).unwrap_or_default();
        known.iter().any(|known| known.id == draft.id && known.at > draft.at)
    }
}
