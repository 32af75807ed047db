//! Opens a pack: reads its files, turns them into a [`Pack`], or says all that is wrong.
//!
//! There are two depths. [`load`] looks at what the program needs to run, so that a pack
//! opens at once; only where that fails, everything is looked at, so that the author sees
//! every problem. [`check`] looks at everything from the start: the links in texts, the lines of
//! starters, the rubrics, the answers of number checks.

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

/// Opens a pack. The problems are complete where it cannot be used; [`check`] looks further.
pub fn load(origin: &Origin) -> Loaded {
    let loaded = guarded(|| read(origin, Depth::Quick));
    if loaded.pack.is_some() { loaded } else { Loaded { pack: None, ..check(origin) } }
}

/// Reads a pack and looks at everything. Beside the problems there is a pack if there are
/// no errors.
pub fn check(origin: &Origin) -> Loaded {
    guarded(|| read(origin, Depth::Full))
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

fn read_files(origin: &Origin, files: &Files, depth: Depth) -> Loaded {
    let text = match files.read("pack.toml", TOML_LIMIT) {
        Ok(text) => text,
        Err(fault) => return refused(vec![Problem::of_file("pack.toml", fault.what, fault.cure)]),
    };
    let mut course = Course { files, depth, parts: Vec::new(), languages: Default::default() };
    let mut desk = Desk::new(&course, "pack.toml", &text);
    let Some(mut raw) = manifest::manifest(&mut desk) else {
        return refused(desk.into_problems());
    };
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
mod tests {
    use super::*;

    const MANIFEST: &str = r#"
        format = 1
        id = "tiny"
        title = "Tiny"
        version = "1"
        authors = ["a"]
        licence = "MIT"
        about = "A pack for a test."
        lessons = ["one"]
    "#;
    const LESSON: &str = r#"
        id = "one"
        title = "One"
        summary = "s"
        minutes = 1
        [section]
        problem = "p"
        mechanism = "m"
        say = "s"
        [[lab]]
        id = "lab-one"
        title = "Lab"
        minutes = 5
        goal = "g"
        mental_model = "m"
        starter = "a.py"
        notice = ["n"]
        prevents = ["p"]
        say = "s"
        intuition = "i"
        [[lab.block]]
        title = "Block"
        [[lab.block.note]]
        at = "x = 1"
        text = "first"
        [[lab.block.note]]
        at = "x = 1"
        to = "y = 2"
        text = "second"
    "#;

    fn read_memory(files: &[(&str, &str)]) -> Loaded {
        let map = files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect();
        read_files(&Origin::Folder("memory".into()), &Files::Memory(map), Depth::Full)
    }

    #[test]
    fn a_small_pack_loads_with_its_notes_in_place() {
        let loaded = read_memory(&[
            ("pack.toml", MANIFEST),
            ("lessons/one.toml", LESSON),
            ("assets/a.py", "x = 1\n\nx = 1\ny = 2\n"),
        ]);
        let pack = loaded.pack.expect("the pack is good");
        let notes = &pack.lessons[0].labs[0].blocks[0].notes;
        assert_eq!((notes[0].lines.clone(), notes[1].lines.clone()), (0..1, 2..4));
        assert_eq!(pack.parts.len(), 5);
    }

    #[test]
    fn a_newer_format_is_the_only_thing_said() {
        let text = "format = 2\nwhat = 'ever'\n";
        let loaded = read_memory(&[("pack.toml", text)]);
        assert!(loaded.pack.is_none());
        assert_eq!(
            loaded.problems[0].to_string(),
            "pack.toml:1:10: the pack is in format 2; this program reads format 1 — install a \
             newer infralens, or ask the author for a pack in format 1\n    1 | format = 2\n      \
             |          ^"
        );
        assert_eq!(loaded.problems.len(), 1);
    }
}
