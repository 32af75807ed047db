//! `export` and `import`: everything that is kept, carried along.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::Outcome;
use super::learn::{data_dir, open_store, read_store};
use crate::cli::{ExportAs, Global};
use crate::services::library::Library;
use crate::store::{Fault, Filter, Source, Store};
use crate::study::schedule::Schedule;
use crate::study::{class, deck, table};
use crate::time;
use crate::whole;

/// Where an export goes.
#[derive(Debug, Clone, Copy)]
pub struct To<'a> {
    /// The file; standard output without one.
    pub file: Option<&'a Path>,
    /// The format.
    pub format: ExportAs,
    /// Whether a file that is there already may be written over.
    pub force: bool,
}

/// Writes what is kept into a file, or onto standard output. A file that holds something is left alone unless that is
/// asked for.
///
/// # Errors
/// Where the store cannot be read or the output not written, or the file is there already.
pub fn export(global: &Global, library: &Library, to: &To, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let format = to.format;
    match to.file.filter(|f| *f != Path::new("-")) {
        Some(path) => {
            let path = &place(path, global)?;
            let name = path.display().to_string();
            let cannot = || format!("cannot write {name}; name a file in a folder you can write to");
            let was = if path.exists() { "Written anew" } else { "Written" };
            let is_held = fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() > 0);
            if is_held && !to.force {
                anyhow::bail!("{name} is there already; name another file, or write over it with --force");
            }
            if path.exists() && !path.is_file() {
                // a pipe or a device is written to, and never replaced
                let made = fs::OpenOptions::new().write(true).open(path).with_context(cannot)?;
                let mut made = BufWriter::new(made);
                write(global, library, format, &mut made)?;
                made.flush().with_context(cannot)?;
            } else {
                whole::put(path, |made| write(global, library, format, made)).with_context(cannot)?;
            }
            writeln!(out, "{was}: {}.", crate::doc::escape::line(&name))?;
        }
        None => write(global, library, format, out)?,
    }
    Ok(Outcome::Done)
}

/// Where a file that was named is written: through links, and never over what the program keeps itself.
///
/// # Errors
/// Where the place is a file of the data folder.
pub fn place(path: &Path, global: &Global) -> anyhow::Result<PathBuf> {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let parent = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let is_data = match (fs::canonicalize(parent), fs::canonicalize(data_dir(global)?)) {
        (Ok(parent), Ok(data)) => parent == data,
        _ => false,
    };
    let is_ours = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("infralens."));
    if is_data && is_ours {
        let shown = path.display().to_string();
        anyhow::bail!(
            "{} is where your progress is kept; name another file",
            crate::doc::escape::line(&shown)
        );
    }
    Ok(path)
}

fn write(global: &Global, library: &Library, format: ExportAs, out: &mut dyn Write) -> anyhow::Result<()> {
    if format == ExportAs::Anki {
        out.write_all(deck::anki(&library.packs).as_bytes())?;
        return Ok(());
    }
    let store = read_store(&data_dir(global)?)?;
    if format == ExportAs::Jsonl {
        store.export(&mut &mut *out).map_err(|error| match error.fault {
            Fault::Io(fault) => {
                anyhow::Error::new(fault).context("cannot write the export; write it to another place")
            }
            _ => error.into(),
        })?;
        return Ok(());
    }
    let zone = time::zone();
    // the columns of a table; Markdown has none, and finding them takes a look at every answer
    let parts = if format == ExportAs::Csv { parts(library, &store)? } else { Vec::new() };
    if format == ExportAs::Csv {
        out.write_all(table::csv_head(&parts).as_bytes())?;
    }
    let mut written = Ok(());
    // one at a time: all of them may be more than the memory holds
    store.each_attempt(&Filter::default(), |a| {
        let text = match format {
            ExportAs::Csv => table::csv_row(&a, &parts),
            _ => {
                let date = a.at.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M").to_string();
                let pack = library.index(&a.pack).and_then(|i| library.packs.get(i));
                table::markdown(&a, pack, &date)
            }
        };
        written = out.write_all(text.as_bytes());
        written.is_ok()
    })?;
    Ok(written?)
}

/// The parts of the packs that were answered, then those of attempts whose pack is not there; each once.
fn parts(library: &Library, store: &Store) -> anyhow::Result<Vec<String>> {
    let mut answered = BTreeSet::new();
    let mut marked: Vec<String> = Vec::new();
    store.each_attempt(&Filter::default(), |a| {
        for mark in a.score.parts {
            if !marked.contains(&mark.part) {
                marked.push(mark.part);
            }
        }
        answered.insert(a.pack);
        true
    })?;
    let known = library.packs.iter().filter(|pack| answered.contains(&pack.id)).flat_map(|p| &p.parts);
    let mut parts: Vec<String> = Vec::new();
    for part in known.map(|p| p.id.clone()).chain(marked) {
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    Ok(parts)
}

/// No first line of ours is longer; `import` refuses the rest of a longer one.
const MOST_OF_A_LINE: u64 = 16 << 20;
/// No file of an instructor is larger.
const MOST_GIVEN: u64 = 64 << 20;

/// Reads what `export` wrote.
///
/// # Errors
/// Where the file cannot be read, or a line of it is none that `export` writes.
pub fn import(global: &Global, file: &Path, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let store = open_store(&data_dir(global)?)?;
    let unread =
        || format!("cannot read {}; name a file that `export` or an instructor wrote", file.display());
    let opened = if file == Path::new("-") { None } else { Some(fs::File::open(file).with_context(unread)?) };
    let again = opened.as_ref().and_then(|opened| opened.try_clone().ok());
    let mut source: Box<dyn BufRead> = match opened {
        Some(opened) => Box::new(BufReader::new(opened)),
        None => Box::new(io::stdin().lock()),
    };
    let mut first = String::new();
    Read::take(&mut source, MOST_OF_A_LINE).read_line(&mut first).with_context(unread)?;
    if first.trim().is_empty() {
        anyhow::bail!("{} is empty; name a file that `export` or an instructor wrote", file.display());
    }
    if class::file::kind_of(&first).is_some() {
        Read::take(&mut source, MOST_GIVEN).read_to_string(&mut first).with_context(unread)?;
        return take_given(&store, &first, out);
    }
    let (from, now) = (Source::Elsewhere, time::now());
    let imported = match again.and_then(from_its_start) {
        Some(again) => store.import_file(again, from, now)?,
        None => store.import(first.as_bytes().chain(source), from, now)?,
    };
    store.regrade(&Schedule::new(time::zone()))?;
    writeln!(out, "{} records imported, {} were here already", imported.taken, imported.kept)?;
    Ok(Outcome::Done)
}

/// The file at its start; none where it is a pipe or the like, which can be read only once.
fn from_its_start(mut file: fs::File) -> Option<fs::File> {
    let is_file = file.metadata().is_ok_and(|meta| meta.is_file());
    (is_file && file.rewind().is_ok()).then_some(file)
}

/// Takes in what an instructor gave.
fn take_given(store: &Store, text: &str, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let file = class::file::read_returned(text).map_err(|fault| anyhow::anyhow!("{fault}"))?;
    let done = store.take_given(&file.records)?;
    store.regrade(&Schedule::new(time::zone()))?;
    let student = crate::doc::escape::line(&file.head.student.name).into_owned();
    if done.taken + done.kept == 0 && done.unknown > 0 {
        anyhow::bail!(
            "this file is for {student}, but none of the answers it is about are on this machine; import it \
             where they were given"
        );
    }
    let new = if done.taken == 0 { "Nothing new".to_owned() } else { class::given::counted(done.taken) };
    writeln!(out, "{new} from your instructor; {} were here already.", done.kept)?;
    if done.unknown > 0 {
        let unknown = class::given::counted(done.unknown);
        writeln!(out, "{unknown} left out: the answers they are about are not on this machine")?;
    }
    Ok(Outcome::Done)
}
