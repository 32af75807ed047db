//! `pack watch`: checks a pack again whenever one of its files changes.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::Context as _;

use super::{Form, check, tree};
use crate::cmd::Outcome;
use crate::time;

/// How often the files are looked at. Looking works on network disks too, where notices of the system are lost.
const EVERY: Duration = Duration::from_millis(400);

/// Checks the pack, and again after every change, until the program is interrupted or nobody reads.
///
/// # Errors
/// Where the folder cannot be read or the output not written.
pub fn run(folder: &Path, form: Form, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let mut seen = look(folder).with_context(|| {
        format!("cannot watch {}; name a folder that holds a pack.toml", folder.display())
    })?;
    loop {
        let at = jiff::Zoned::new(time::now(), time::zone());
        writeln!(out, "{}", at.strftime("%H:%M:%S"))?;
        if check(&[folder.to_owned()], form, out)? == Outcome::Done {
            writeln!(out, "clean")?;
        }
        writeln!(out, "watching {}; ctrl+c stops", crate::doc::escape::line(&folder.display().to_string()))?;
        out.flush()?;
        seen = changed(folder, &seen);
    }
}

/// What is known of each file: when it was changed, and its size.
type Seen = BTreeMap<PathBuf, (Option<SystemTime>, u64)>;

/// Waits until something differs from what was seen, then until it stands still, and gives what is seen then.
fn changed(folder: &Path, before: &Seen) -> Seen {
    let mut last = before.clone();
    loop {
        time::pause(EVERY);
        // a folder that is gone for a moment, as while it is written anew, has no files
        let now = look(folder).unwrap_or_default();
        if now == last && now != *before {
            return now;
        }
        last = now;
    }
}

fn look(folder: &Path) -> std::io::Result<Seen> {
    if !folder.is_dir() {
        return Err(std::io::ErrorKind::NotADirectory.into());
    }
    let files = tree::files(folder)?;
    Ok(files.into_iter().map(|f| (f.path, (f.meta.modified().ok(), f.meta.len()))).collect())
}
