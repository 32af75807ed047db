//! Opens a pack: reads its files, turns them into a [`Pack`], or says all that is wrong.
//!
//! There are three depths. What is built in was checked when the program was made, and is read without a second
//! look. [`load`] refuses a pack of somebody else for whatever its files must not hold, and says all of it.
//! [`check`] also tries what the pack asks: its rubrics, the answers of its number checks, the par of its puzzles.

use std::collections::BTreeMap;

use super::desk::{Course, Depth, Desk};
use super::faults::Faults;
use super::files::{Files, TOML_LIMIT};
use super::guard::guarded;
use super::names::{Directory, Names};
use super::problem::{self, Problem};
use super::sheets::{self, Sheet};
use super::{Origin, Pack, assemble, manifest, rubric};

/// What came of reading a pack.
#[derive(Debug)]
pub struct Loaded {
    /// The pack, where there is no error.
    pub pack: Option<Pack>,
    /// The problems, sorted by file and place. Beside a pack there are warnings alone.
    pub problems: Vec<Problem>,
}

/// Opens a pack. All that keeps it from being used is among the problems; [`check`] looks further.
pub fn load(origin: &Origin) -> Loaded {
    match origin {
        Origin::BuiltIn(_) => {
            let loaded = guarded(|| read(origin, Depth::Quick));
            if loaded.pack.is_some() { loaded } else { Loaded { pack: None, ..told(origin) } }
        }
        Origin::Folder(_) => told(origin),
    }
}

/// All that keeps a pack from being used, for its author; whether its questions can be answered is not tried.
fn told(origin: &Origin) -> Loaded {
    guarded(|| read(origin, Depth::Told))
}

/// Reads a pack and looks at everything. Beside the problems there is a pack if there are
/// no errors.
pub fn check(origin: &Origin) -> Loaded {
    guarded(|| read(origin, Depth::Full))
}

/// Looks at files that stand in memory, by path, as [`check`] looks at a folder.
#[doc(hidden)]
pub fn check_files(files: BTreeMap<String, Vec<u8>>) -> Loaded {
    guarded(|| read_files(&Origin::Folder("memory".into()), &Files::Memory(files), Depth::Full))
}

fn read(origin: &Origin, depth: Depth) -> Loaded {
    match Files::open(origin) {
        Ok(files) => read_files(origin, &files, depth),
        Err(fault) => refused(vec![Problem::of_file("pack.toml", fault.what, fault.cure)]),
    }
}

fn refused(mut problems: Vec<Problem>) -> Loaded {
    problem::sort(&mut problems);
    Loaded { pack: None, problems }
}

pub(super) fn read_files(origin: &Origin, files: &Files, depth: Depth) -> Loaded {
    let text = match files.read("pack.toml", TOML_LIMIT) {
        Ok(text) => text,
        Err(fault) => return refused(vec![Problem::of_file("pack.toml", fault.what, fault.cure)]),
    };
    let mut course = Course {
        files,
        depth,
        parts: Vec::new(),
        languages: Default::default(),
        puzzles: Default::default(),
    };
    let mut desk = Desk::new(&course, "pack.toml", &text);
    let Some(mut raw) = manifest::manifest(&mut desk) else {
        return refused(desk.into_problems());
    };
    if raw.lessons.is_empty() {
        // nothing else can be told from what is missing here
        if !desk.is_full() {
            desk.faults.error(0..0, "`lessons` is empty", "write at least 1");
        }
        return refused(desk.into_problems());
    }
    let tasks = sheets::tasks(&raw, &mut desk);
    let names = std::mem::take(&mut desk.names);
    let mut problems = desk.into_problems();
    let parts = manifest::parts(std::mem::take(&mut raw.parts));
    course.parts = parts.iter().map(|p| p.id.clone()).collect();
    course.languages = std::mem::take(&mut raw.languages)
        .into_iter()
        .map(|(ending, language)| (ending, language.into_inner()))
        .collect();
    let mut sheets = match sheets::read(&course, &tasks) {
        Ok(sheets) => sheets,
        Err(problem) => return refused(vec![*problem]),
    };
    resolve(&names, &mut sheets);
    if depth == Depth::Full {
        rubric::check(&mut sheets);
    }
    for sheet in &mut sheets {
        problems.append(&mut sheet.problems);
    }
    problem::sort(&mut problems);
    let pack = if problems.iter().any(Problem::is_error) {
        None
    } else {
        Some(Pack::of(assemble::pack(raw, parts, sheets, origin)))
    };
    Loaded { pack, problems }
}

/// Looks at the ids of all files together.
fn resolve(manifest: &Names, sheets: &mut [Sheet]) {
    let mut directory = Directory::default();
    directory.enter(manifest, &mut Faults::new("pack.toml", ""));
    for sheet in sheets.iter_mut() {
        let mut faults = Faults::new(&sheet.path, &sheet.text);
        directory.enter(&sheet.names, &mut faults);
        sheet.problems.append(&mut faults.into_problems());
    }
    for sheet in sheets {
        let mut faults = Faults::new(&sheet.path, &sheet.text);
        directory.resolve(&sheet.names, &mut faults);
        sheet.problems.append(&mut faults.into_problems());
    }
}

#[cfg(test)]
mod tests;
