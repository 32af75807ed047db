//! `sync`: one person, several machines, by a folder that something else carries from one to the other.
//!
//! Each machine writes one file of its own into the folder, and reads all the others. What is read joins what is
//! there as in `import`: any order, any number of times, nothing lost and nothing twice. A file is put in place whole,
//! so that Syncthing, Dropbox or git never carry half of one; a copy that they made of a conflict is read too.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use jiff::Timestamp;

use super::Outcome;
use super::learn::{data_dir, open_store};
use crate::cli::Global;
use crate::doc::escape::line as escape;
use crate::store::{Source, Store};
use crate::study::schedule::Schedule;
use crate::study::words::some;
use crate::whole;

/// The file in the data folder that names this machine. It is no setting: settings are carried along.
const MACHINE: &str = "machine";
/// What the names of synced files begin and end with.
const NAME: (&str, &str) = ("infralens-", ".jsonl");

/// Reads what other machines wrote into the folder, and writes what this one knows.
///
/// # Errors
/// Where the folder or the store cannot be used. A file that cannot be read is said, and the others are read.
pub fn run(global: &Global, folder: &Path, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let data = data_dir(global)?;
    let shown = escape(&folder.display().to_string()).into_owned();
    let real = fs::canonicalize(folder)
        .with_context(|| format!("cannot open {shown}; make the shared folder first, then name it"))?;
    let store = open_store(&data)?;
    if fs::canonicalize(&data).is_ok_and(|data| data.starts_with(&real)) {
        bail!(
            "{shown} holds the data folder itself; a database must not be shared while it is open. Share \
             another folder, and sync with that"
        );
    }
    let complete = bring_together(&store, (&machine(&data)?, &real), crate::time::now(), out)?;
    store.regrade(&Schedule::new(crate::time::zone()))?;
    Ok(if complete { Outcome::Done } else { Outcome::Failed })
}

/// Reads the files of other machines in a folder, then writes that of this one. Says whether all could be read.
///
/// # Errors
/// Where the folder cannot be read or written.
pub fn bring_together(
    store: &Store,
    (machine, folder): (&str, &Path),
    now: Timestamp,
    out: &mut dyn Write,
) -> anyhow::Result<bool> {
    let own = format!("{}{machine}{}", NAME.0, NAME.1);
    let mut complete = true;
    for path in others(folder, &own).context("cannot read the folder")? {
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let name = escape(&name);
        let read = fs::File::open(&path)
            .map_err(anyhow::Error::from)
            .and_then(|file| Ok(store.import_file(file, Source::OwnMachine, now)?));
        match read {
            Ok(imported) => writeln!(out, "{name}: {}", taken(imported.taken))?,
            Err(fault) => {
                complete = false;
                let fault = super::causes(&fault);
                writeln!(out, "{name}: left out, {fault}; sync again once it has arrived whole")?;
            }
        }
    }
    let records = write(store, folder, &own).with_context(|| format!("cannot write {own}"))?;
    writeln!(out, "{own}: {} from this machine", some(records, "record"))?;
    Ok(complete)
}

fn taken(records: u64) -> String {
    match records {
        0 => "nothing new".to_owned(),
        n => format!("{} imported", some(usize::try_from(n).unwrap_or(usize::MAX), "record")),
    }
}

/// The name of this machine: made once, and kept beside the store.
fn machine(data: &Path) -> anyhow::Result<String> {
    let file = data.join(MACHINE);
    let is_name = |text: &str| text.len() == 16 && text.chars().all(|c| c.is_ascii_hexdigit());
    let known = || fs::read_to_string(&file).ok().map(|t| t.trim().to_owned()).filter(|t| is_name(t));
    if let Some(name) = known() {
        return Ok(name);
    }
    let cannot = || format!("cannot write {}", file.display());
    let name = format!("{:016x}", random());
    let mut made = tempfile::NamedTempFile::new_in(data).with_context(cannot)?;
    writeln!(made, "{name}").with_context(cannot)?;
    match made.persist_noclobber(&file) {
        Ok(_) => Ok(name),
        // another program was first, or what stands there is no name
        Err(fault) => match known() {
            Some(name) => Ok(name),
            None => {
                fault.file.persist(&file).map_err(|fault| fault.error).with_context(cannot)?;
                Ok(name)
            }
        },
    }
}

/// A number that no other machine is likely to draw.
fn random() -> u64 {
    use std::hash::{BuildHasher, Hasher, RandomState};
    RandomState::new().build_hasher().finish()
}

/// The files of other machines, sorted by name.
fn others(folder: &Path, own: &str) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let ours = name.starts_with(NAME.0) && name.ends_with(NAME.1) && name != own;
        // a link could lead to anything
        if ours && entry.file_type()?.is_file() {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}

/// Puts what this machine knows in place, whole; a file that says the same already is left as it is.
fn write(store: &Store, folder: &Path, own: &str) -> anyhow::Result<usize> {
    let records = whole::put(&folder.join(own), |mut out| anyhow::Ok(store.export(&mut out)?))?;
    Ok(usize::try_from(records).unwrap_or(usize::MAX))
}
