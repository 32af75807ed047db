//! Opens a pack: reads its files, turns them into a [`Pack`], or says all that is wrong.
//!
//! There are two depths. [`load`] looks at what the program needs to run, so that a pack
//! opens at once; only where that fails, everything is looked at, so that the author sees
//! every problem. [`check`] looks at everything from the start: the links in texts, the
//! characters, the rubrics, the answers of number checks.

use std::borrow::Cow;
use std::collections::HashMap;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::score;

use super::desk::{Course, Depth, Desk, plain};
use super::faults::Faults;
use super::files::{Files, MOST_FILES, TOML_LIMIT};
use super::names::{Directory, Kind, Names};
use super::problem::{self, Problem};
use super::quiz::Quiz;
use super::schema::Document;
use super::{Lesson, Origin, Pack, Term, glossary, lesson, manifest, quiz, raw, sheet};

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
    let loaded = read(origin, Depth::Quick);
    if loaded.pack.is_some() {
        loaded
    } else {
        Loaded {
            pack: None,
            ..check(origin)
        }
    }
}

/// Reads a pack and looks at everything. Beside the problems there is a pack if there are
/// no errors.
pub fn check(origin: &Origin) -> Loaded {
    read(origin, Depth::Full)
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

/// A file to read.
struct Task {
    path: String,
    role: Role,
}

enum Role {
    Glossary,
    Lesson(String),
    Quiz,
}

/// A file that was read.
struct Sheet {
    path: String,
    text: Cow<'static, str>,
    names: Names,
    problems: Vec<Problem>,
    made: Option<Made>,
}

enum Made {
    Glossary(Vec<Term>, score::Glossary),
    Lesson(Box<Lesson>),
    Quiz(Quiz),
}

fn read_files(origin: &Origin, files: &Files, depth: Depth) -> Loaded {
    let text = match files.read("pack.toml", TOML_LIMIT) {
        Ok(text) => text,
        Err(fault) => return refused(vec![Problem::of_file("pack.toml", fault.what, fault.cure)]),
    };
    let mut course = Course {
        files,
        depth,
        parts: Vec::new(),
        languages: Default::default(),
    };
    let mut desk = Desk::new(&course, "pack.toml", &text);
    let Some(mut raw) = manifest::manifest(&mut desk) else {
        return refused(desk.faults.into_problems());
    };
    let mut problems = Vec::new();
    let tasks = tasks(&raw, files, &mut desk, &mut problems);
    let names = std::mem::take(&mut desk.names);
    problems.append(&mut desk.faults.into_problems());
    let parts = manifest::parts(std::mem::take(&mut raw.parts));
    course.parts = parts.iter().map(|p| p.id.clone()).collect();
    course.languages = std::mem::take(&mut raw.languages)
        .into_iter()
        .map(|(ending, language)| (ending, language.into_inner()))
        .collect();
    let mut sheets = read_all(&course, tasks);
    resolve(names, &mut sheets);
    check_rubrics(&mut sheets);
    for sheet in &mut sheets {
        problems.append(&mut sheet.problems);
    }
    problem::sort(&mut problems);
    let pack = if problems.iter().any(Problem::is_error) {
        None
    } else {
        Some(assemble(raw, parts, sheets, origin))
    };
    Loaded { pack, problems }
}

/// The files of a pack after its manifest: glossary, lessons, quizzes.
fn tasks(raw: &raw::Manifest, files: &Files, desk: &mut Desk<'_>, problems: &mut Vec<Problem>) -> Vec<Task> {
    let mut tasks = vec![Task {
        path: "glossary.toml".to_owned(),
        role: Role::Glossary,
    }];
    let lessons = files.list("lessons");
    let quizzes = files.list("quizzes");
    for id in &raw.lessons {
        let path = format!("lessons/{}.toml", id.get_ref());
        if lessons.paths.binary_search(&path).is_err() {
            desk.names.define(Kind::Lesson, id); // said once here, not wherever it is named
            desk.faults.warning(
                id.span(),
                format!("the lesson `{}` has no file and is left out", id.get_ref()),
                format!("write {path}, or take the id from the list"),
            );
            continue;
        }
        tasks.push(Task {
            path,
            role: Role::Lesson(id.get_ref().clone()),
        });
    }
    for path in &lessons.paths {
        if !tasks.iter().any(|t| t.path == *path) {
            problems.push(unlisted(path));
        }
    }
    if tasks.len() + quizzes.paths.len() > MOST_FILES {
        problems.push(Problem::of_file(
            "pack.toml",
            format!("the pack has more than {MOST_FILES} files"),
            "put several drills into a file, or split the pack",
        ));
        return Vec::new();
    }
    for (path, fault) in lessons.faults.into_iter().chain(quizzes.faults) {
        problems.push(Problem::of_file(&path, fault.what, fault.cure));
    }
    tasks.extend(quizzes.paths.into_iter().map(|path| Task {
        path,
        role: Role::Quiz,
    }));
    tasks
}

fn unlisted(path: &str) -> Problem {
    let mut problem = Problem::of_file(
        path,
        "no entry of `lessons` in pack.toml names this file",
        "add it to the list, or move the file away",
    );
    problem.severity = problem::Severity::Warning;
    problem
}

/// Reads the files with all processors, and gives them in the order of the tasks.
fn read_all(course: &Course<'_>, tasks: Vec<Task>) -> Vec<Sheet> {
    /// Fewer files than this are not worth a thread.
    const SHARE: usize = 16;
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    let workers = processors.min(tasks.len() / SHARE + 1).min(8);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(task) = tasks.get(at) else {
                return done;
            };
            if let Some(sheet) = read_one(course, task) {
                done.push((at, sheet));
            }
        }
    };
    let mut sheets = thread::scope(|scope| {
        let others: Vec<_> = (1..workers).map(|_| scope.spawn(work)).collect();
        let mut sheets = work();
        for other in others {
            match other.join() {
                Ok(mut done) => sheets.append(&mut done),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        sheets
    });
    sheets.sort_by_key(|(at, _)| *at);
    sheets.into_iter().map(|(_, sheet)| sheet).collect()
}

fn read_one(course: &Course<'_>, task: &Task) -> Option<Sheet> {
    let path = task.path.clone();
    let text = match course.files.read(&path, TOML_LIMIT) {
        Ok(text) => text,
        Err(fault) if fault.is_missing && matches!(task.role, Role::Glossary) => return None,
        Err(fault) => {
            return Some(Sheet {
                problems: vec![Problem::of_file(&path, fault.what, fault.cure)],
                path,
                text: Cow::Borrowed(""),
                names: Names::default(),
                made: None,
            });
        }
    };
    let mut desk = Desk::new(course, &path, &text);
    let made = make(&task.role, &mut desk);
    let names = std::mem::take(&mut desk.names);
    let mut problems = std::mem::take(&mut desk.elsewhere);
    problems.append(&mut desk.faults.into_problems());
    Some(Sheet {
        path,
        text,
        names,
        problems,
        made,
    })
}

fn make(role: &Role, desk: &mut Desk<'_>) -> Option<Made> {
    Some(match role {
        Role::Glossary => {
            let raw = sheet::parse(Document::Glossary, desk)?;
            let (terms, vocabulary) = glossary::glossary(raw, desk);
            Made::Glossary(terms, vocabulary)
        }
        Role::Lesson(id) => {
            let raw = sheet::parse(Document::Lesson, desk)?;
            Made::Lesson(Box::new(lesson::lesson(raw, id, desk)))
        }
        Role::Quiz => {
            let raw = sheet::parse(Document::Quiz, desk)?;
            Made::Quiz(quiz::quiz(raw, desk))
        }
    })
}

/// Looks at the ids of all files together.
fn resolve(manifest: Names, sheets: &mut [Sheet]) {
    let mut directory = Directory::default();
    directory.enter(&manifest, &mut Faults::new("pack.toml", ""));
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

/// Looks at the patterns of all drills, with the words of the glossary at hand.
fn check_rubrics(sheets: &mut [Sheet]) {
    let vocabulary = sheets.iter().find_map(|s| match &s.made {
        Some(Made::Glossary(_, vocabulary)) => Some(vocabulary.clone()),
        _ => None,
    });
    let mut checker = score::RubricChecker::new(&vocabulary.unwrap_or_default());
    for sheet in sheets {
        let Some(Made::Quiz(quiz)) = &sheet.made else {
            continue;
        };
        let mut faults = Faults::new(&sheet.path, &sheet.text);
        for (drill, places) in quiz.drills.iter().zip(&quiz.places) {
            places.report(checker.check(&drill.rubric), &mut faults);
        }
        sheet.problems.append(&mut faults.into_problems());
    }
}

fn assemble(raw: raw::Manifest, parts: Vec<super::Part>, sheets: Vec<Sheet>, origin: &Origin) -> Pack {
    let mut pack = Pack {
        id: raw.id.into_inner(),
        title: raw.title.into_inner(),
        version: raw.version.into_inner(),
        authors: plain(raw.authors),
        licence: raw.licence.into_inner(),
        about: raw.about.into_inner(),
        origin: origin.clone(),
        parts,
        lessons: Vec::new(),
        drills: Vec::new(),
        checks: Vec::new(),
        puzzles: Vec::new(),
        terms: Vec::new(),
        vocabulary: score::Glossary::default(),
    };
    let order: HashMap<String, usize> = raw
        .lessons
        .into_iter()
        .enumerate()
        .map(|(at, id)| (id.into_inner(), at))
        .collect();
    let mut quizzes: Vec<Quiz> = Vec::new();
    for made in sheets.into_iter().filter_map(|s| s.made) {
        match made {
            Made::Glossary(terms, vocabulary) => (pack.terms, pack.vocabulary) = (terms, vocabulary),
            Made::Lesson(lesson) => pack.lessons.push(*lesson),
            Made::Quiz(quiz) => quizzes.push(quiz),
        }
    }
    quizzes.sort_by_key(|q| order.get(&q.lesson).copied());
    for mut quiz in quizzes {
        pack.drills.append(&mut quiz.drills);
        pack.checks.append(&mut quiz.checks);
        pack.puzzles.append(&mut quiz.puzzles);
    }
    pack.vocabulary.topics = topics(&pack);
    pack
}

/// What each drill is about, for the scorer.
fn topics(pack: &Pack) -> Vec<score::Topic> {
    let titles: HashMap<&str, &str> = pack
        .lessons
        .iter()
        .map(|l| (l.id.as_str(), l.title.as_str()))
        .collect();
    pack.drills
        .iter()
        .map(|drill| score::Topic {
            drill: drill.id.clone(),
            texts: [drill.prompt.as_str(), drill.model.as_str()]
                .into_iter()
                .chain(titles.get(drill.lesson.as_str()).copied())
                .map(str::to_owned)
                .collect(),
        })
        .collect()
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
        let map = files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()))
            .collect();
        read_files(&Origin::BuiltIn, &Files::Memory(map), Depth::Full)
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
