//! The files of a pack after its manifest, read with all processors.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::score;

use super::claims::{self, Shared, SharedPlaces};
use super::desk::{Course, Desk};
use super::files::{MOST_FILES, TOML_LIMIT, TOTAL_LIMIT};
use super::glossary::{self, Named};
use super::names::Names;
use super::parse::parse;
use super::problem::{Problem, Severity};
use super::quiz::Quiz;
use super::schema::Document;
use super::{Lesson, Measure, Term, lesson, measured, quiz, raw, threads};

/// A file to read.
pub(super) struct Task {
    path: String,
    role: Role,
}

enum Role {
    Glossary,
    Claims,
    Lesson(String),
    Quiz,
    Measure,
}

/// A file that was read.
pub(super) struct Sheet {
    pub(super) path: String,
    /// The text, for the places of problems that show only when all files are read. Quick reading
    /// drops it, since with any problem everything is read again.
    pub(super) text: Cow<'static, str>,
    pub(super) names: Names,
    pub(super) problems: Vec<Problem>,
    pub(super) made: Option<Made>,
}

/// What a file holds.
pub(super) enum Made {
    /// Terms, words for the scorer, and the concepts that word lists name; these only where somebody will ask.
    Glossary(Vec<Term>, score::Glossary, Vec<Named>),
    /// What rubrics share, and where it stands; the places only where somebody will ask.
    Claims(Shared, SharedPlaces),
    Lesson(Box<Lesson>),
    Quiz(Quiz),
    /// The lab's id, and its measured program.
    Measure(String, Box<Measure>),
}

/// The files of a pack after its manifest: glossary, lessons, quizzes, measured labs.
pub(super) fn tasks(raw: &raw::Manifest, desk: &mut Desk<'_>) -> Vec<Task> {
    let lessons = desk.course.files.list("lessons");
    let quizzes = desk.course.files.list("quizzes");
    let mut assets = desk.course.files.list("assets").paths;
    assets.retain(|path| path.ends_with(".measure.toml"));
    if lessons.paths.len() + quizzes.paths.len() + assets.len() > MOST_FILES {
        let cure = "put several drills into a file, or split the pack";
        desk.elsewhere.push(Problem::of_file(
            "pack.toml",
            format!("the pack has more than {MOST_FILES} files"),
            cure,
        ));
        return Vec::new();
    }
    for (path, fault) in lessons.faults.into_iter().chain(quizzes.faults) {
        desk.elsewhere.push(Problem::of_file(&path, fault.what, fault.cure));
    }
    let glossary = Task { path: "glossary.toml".to_owned(), role: Role::Glossary };
    let claims = Task { path: "claims.toml".to_owned(), role: Role::Claims };
    let mut tasks = vec![glossary, claims];
    tasks.extend(listed(raw, &lessons.paths, desk));
    tasks.extend(quizzes.paths.into_iter().map(|path| Task { path, role: Role::Quiz }));
    tasks.extend(assets.into_iter().map(|path| Task { path, role: Role::Measure }));
    tasks
}

/// The lessons that the manifest lists and that have a file.
fn listed(raw: &raw::Manifest, there: &[String], desk: &mut Desk<'_>) -> Vec<Task> {
    let mut tasks = Vec::new();
    let mut seen = HashSet::new();
    for id in &raw.lessons {
        let path = format!("lessons/{}.toml", id.get_ref());
        desk.names.announce(id.get_ref()); // what is wrong with it is said once, not at every link
        if !seen.insert(path.clone()) {
            continue; // reported with the manifest
        }
        if there.binary_search(&path).is_err() {
            desk.faults.error(
                id.span(),
                format!("the lesson `{}` has no file", id.get_ref()),
                format!("write {path}, or take the id from the list"),
            );
            continue;
        }
        tasks.push(Task { path, role: Role::Lesson(id.get_ref().clone()) });
    }
    for path in there.iter().filter(|path| !seen.contains(*path)) {
        desk.elsewhere.push(Problem {
            severity: Severity::Warning,
            ..Problem::of_file(
                path,
                "no entry of `lessons` in pack.toml names this file",
                "add it to the list, or move the file away",
            )
        });
    }
    tasks
}

/// Reads the files, in the order of the tasks.
///
/// # Errors
/// Where they are too large together.
pub(super) fn read(course: &Course<'_>, tasks: &[Task]) -> Result<Vec<Sheet>, Box<Problem>> {
    let total = AtomicU64::new(0);
    let read = |task: &Task| read_one(course, task, &total);
    let sheets = threads::each(tasks, || (), |(), task| read(task));
    if total.into_inner() > TOTAL_LIMIT {
        return Err(Box::new(Problem::of_file(
            "pack.toml",
            format!("the files of the pack have more than {} MiB", TOTAL_LIMIT >> 20),
            "split the pack",
        )));
    }
    Ok(sheets.into_iter().flatten().collect())
}

fn read_one(course: &Course<'_>, task: &Task, total: &AtomicU64) -> Option<Sheet> {
    if total.load(Ordering::Relaxed) > TOTAL_LIMIT {
        return None;
    }
    let path = task.path.clone();
    let text = match course.files.read(&path, TOML_LIMIT) {
        Ok(text) => text,
        Err(fault) if fault.is_missing && matches!(task.role, Role::Glossary | Role::Claims) => return None,
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
    total.fetch_add(text.len() as u64, Ordering::Relaxed);
    let mut desk = Desk::new(course, &path, &text);
    let made = make(&task.role, &mut desk);
    let names = std::mem::take(&mut desk.names);
    let keep = desk.is_full();
    Some(Sheet {
        problems: desk.into_problems(),
        text: if keep { text } else { Cow::Borrowed("") },
        path,
        names,
        made,
    })
}

fn make(role: &Role, desk: &mut Desk<'_>) -> Option<Made> {
    Some(match role {
        Role::Glossary => {
            let raw = parse(Document::Glossary, desk)?;
            let named = if desk.is_full() { glossary::named(&raw) } else { Vec::new() };
            let (terms, vocabulary) = glossary::glossary(raw, desk);
            Made::Glossary(terms, vocabulary, named)
        }
        Role::Claims => {
            let raw = parse(Document::Claims, desk)?;
            let places = if desk.is_full() { claims::places(&raw) } else { Vec::new() };
            Made::Claims(claims::shared(raw, desk), places)
        }
        Role::Lesson(id) => {
            let raw = parse(Document::Lesson, desk)?;
            Made::Lesson(Box::new(lesson::lesson(raw, id, desk)))
        }
        Role::Quiz => Made::Quiz(quiz::quiz(parse(Document::Quiz, desk)?, desk)),
        Role::Measure => {
            let raw: raw::Measure = parse(Document::Measure, desk)?;
            Made::Measure(raw.lab.get_ref().clone(), Box::new(measured::measure(raw, desk)))
        }
    })
}
