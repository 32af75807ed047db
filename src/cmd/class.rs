//! `class`: a class by the files of its students; `export --class`: what a student gives.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use jiff::Timestamp;

use super::learn::{self, Packs, open_services};
use super::{Outcome, carry, courses, page};
use crate::cli::Global;
use crate::cli::class::{ClassVerb, MarkChoice};
use crate::doc::escape::line as escape;
use crate::page::At;
use crate::page::class::answer::ClassAnswer;
use crate::page::class::{Shown, printed};
use crate::page::place::Place;
use crate::score::Verdict;
use crate::services::class::{BOOK, INSTRUCTOR, Room, slug};
use crate::services::library::Library;
use crate::services::{Record, Services};
use crate::store::{Filter, Store};
use crate::study::class::file::{self, Head, Kind};
use crate::study::class::given::{Given, counted};
use crate::study::class::summary::csv;
use crate::study::class::{Answer, Student, html};
use crate::study::words::some;
use crate::time;
use crate::whole;

/// The settings that keep who a student is.
const STUDENT: &str = "student";
const STUDENT_ID: &str = "student-id";

/// What `export --class` was asked for.
pub struct Asked {
    /// The pack's id.
    pub pack: String,
    /// The student's name, where it was said.
    pub student: Option<String>,
    /// Where to write.
    pub file: Option<PathBuf>,
}

/// Writes a student's answers of one pack, and says what the file holds.
///
/// # Errors
/// Where there is no such pack, no name, or no file can be written.
pub fn give(
    global: &Global,
    library: Library,
    asked: &Asked,
    out: &mut dyn Write,
) -> anyhow::Result<Outcome> {
    let Some(index) = library.index(&asked.pack) else {
        let known: Vec<&str> = library.packs.iter().map(|p| p.id.as_str()).collect();
        bail!("there is no pack `{}`; use one of {}", escape(&asked.pack), known.join(", "));
    };
    let mut services = open_services(global, library)?;
    let now = time::now();
    let student = student(&mut services, asked.student.as_deref(), now)?;
    let pack = &services.library.packs[index];
    let filter = Filter { pack: Some(pack.id.clone()), ..Filter::default() };
    let mut attempts = services.history(&filter, u32::MAX)?;
    attempts.reverse();
    let answers: Vec<Answer> = attempts.iter().map(Answer::of).collect();
    let head = Head::new(Kind::Class, (&pack.id, &pack.version), student.clone(), now);
    let text = file::answers(head, &answers);
    let path = match asked.file.as_deref() {
        Some(path) if path == Path::new("-") => {
            out.write_all(text.as_bytes())?;
            return Ok(Outcome::Done);
        }
        Some(path) => carry::place(path, global)?,
        None => PathBuf::from(format!("{}-{}.jsonl", pack.id, slug(&student))),
    };
    let shown = path.display().to_string();
    whole::put_text(&path, &text).with_context(|| {
        format!("cannot write {}; name a file in a folder you can write to", escape(&shown))
    })?;
    let drills: std::collections::BTreeSet<&str> = answers.iter().map(|a| a.drill.as_str()).collect();
    writeln!(out, "{}", escape(&shown))?;
    writeln!(
        out,
        "It holds {} to {} of {}, with their marks and what you claimed, under the name {}. \
         It holds nothing of other courses, no drafts and no checks. Give it to your instructor unchanged.",
        some(answers.len(), "answer"),
        some(drills.len(), "drill"),
        escape(&pack.title),
        escape(&student.name),
    )?;
    Ok(Outcome::Done)
}

/// Who the student is: as said now, else as said before.
fn student(services: &mut Services, said: Option<&str>, now: Timestamp) -> anyhow::Result<Student> {
    let name = match said {
        Some(name) => name.to_owned(),
        None => {
            services.setting(STUDENT)?.context("your name is not known yet; give it with --student NAME")?
        }
    };
    let id = match services.setting(STUDENT_ID)? {
        Some(id) => id,
        None => services.store.fresh_id(now)?,
    };
    let student = Student::named(id, &name).map_err(anyhow::Error::msg)?;
    services.keep(Record::setting(STUDENT_ID, student.id.clone()), now).at_once()?;
    services.keep(Record::setting(STUDENT, student.name.clone()), now).at_once()?;
    Ok(student)
}

/// Runs one of the verbs.
///
/// # Errors
/// Where the folder cannot be read, or what was named is not in it.
pub fn run(verb: ClassVerb, global: &Global, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    match verb {
        ClassVerb::Open { folder, csv, html } => {
            let is_page = !(csv || html || global.json);
            if is_page && std::io::stdin().is_terminal() && std::io::stdout().is_terminal() {
                return learn::open(global, Packs::All, |_| Ok(place(folder)));
            }
            open(&folder, csv, html, global, out)
        }
        ClassVerb::Answer { folder, answer } => {
            let mut services = read(&folder, global)?;
            let shown = ClassAnswer::open(&folder, &answer, &services).map_err(anyhow::Error::msg)?;
            if global.json {
                let value = shown.to_json(&services);
                super::sim::write_json(&value, out)?;
            } else {
                let at = At { services: &mut services, now: time::now(), out: &mut Vec::new() };
                page::put(&shown.told(&at), None, global, out)?;
            }
            Ok(Outcome::Done)
        }
        ClassVerb::Mark { folder, answer, part, verdict, remark, by } => {
            let mut room = room(&folder, &[])?;
            let (_, answer) = room.find(&answer).map_err(anyhow::Error::msg)?;
            let given = Given {
                attempt: answer.id.clone(),
                part: part.map(|part| known_part(answer, part)).transpose()?,
                verdict: verdict.map(of_choice),
                remark: remark.split_whitespace().collect::<Vec<_>>().join(" "),
                by: instructor(global, by.as_deref())?,
                at: time::now(),
            };
            if given.verdict.is_none() && given.remark.is_empty() {
                bail!("there is nothing to give; add --verdict, --remark or both");
            }
            room.give(given).map_err(anyhow::Error::msg)?;
            writeln!(out, "Kept in {BOOK}. `class return` writes it for the student.")?;
            Ok(Outcome::Done)
        }
        ClassVerb::Return { folder } => give_back(&folder, out),
        ClassVerb::Judged { folder } => {
            let judged = room(&folder, &[])?.judged();
            if judged.is_empty() {
                bail!("no part of an answer is marked yet; `infralens class mark` marks one");
            }
            judged.iter().try_for_each(|row| writeln!(out, "{row}"))?;
            Ok(Outcome::Done)
        }
    }
}

/// The page of a class.
pub fn place(folder: PathBuf) -> Place {
    Place::Class { folder, shown: Shown::Whole }
}

fn room(folder: &Path, packs: &[crate::pack::Pack]) -> anyhow::Result<Room> {
    Room::read(folder, packs, |_, _| {}).map_err(anyhow::Error::msg)
}

/// Services with a class that was read. Nothing of the instructor's own progress is looked at.
fn read(folder: &Path, global: &Global) -> anyhow::Result<Services> {
    let library = courses::load(global);
    let room = room(folder, &library.packs)?;
    let mut services = Services::new(library, Store::in_memory()?, time::zone(), std::env::temp_dir());
    services.room = Some(std::sync::Arc::new(room));
    Ok(services)
}

fn open(
    folder: &Path,
    table: bool,
    html: bool,
    global: &Global,
    out: &mut dyn Write,
) -> anyhow::Result<Outcome> {
    let services = read(folder, global)?;
    let Some(room) = services.room.as_deref() else { return Ok(Outcome::Failed) };
    let title = services
        .library
        .index(&room.class.pack)
        .map_or(&room.class.pack, |n| &services.library.packs[n].title);
    if global.json {
        let mut value = serde_json::to_value(&room.summary)?;
        value["notes"] = serde_json::to_value(&room.class.notes)?;
        super::sim::write_json(&value, out)?;
    } else if table {
        out.write_all(csv(&room.class, &room.summary).as_bytes())?;
    } else if html {
        out.write_all(html::page(title, &room.summary).as_bytes())?;
    } else {
        page::put(&printed(room, &services, time::now()), None, global, out)?;
    }
    Ok(if room.class.members.is_empty() { Outcome::Failed } else { Outcome::Done })
}

fn known_part(answer: &Answer, part: String) -> anyhow::Result<String> {
    if answer.marks.iter().any(|m| m.part == part) {
        return Ok(part);
    }
    let parts: Vec<&str> = answer.marks.iter().map(|m| m.part.as_str()).collect();
    bail!("this answer has no part `{}`; it has {}", escape(&part), parts.join(", "))
}

fn of_choice(choice: MarkChoice) -> Verdict {
    match choice {
        MarkChoice::Covered => Verdict::Covered,
        MarkChoice::Partial => Verdict::Partial,
        MarkChoice::Missing => Verdict::Missing,
    }
}

/// The instructor's name: as said now, else as said before.
fn instructor(global: &Global, said: Option<&str>) -> anyhow::Result<String> {
    let mut services = open_services(global, Library::default())?;
    let name = match said {
        Some(name) => name.to_owned(),
        None => {
            services.setting(INSTRUCTOR)?.context("your name is not known yet; give it with --by NAME")?
        }
    };
    let name = Student::named("", &name).map_err(anyhow::Error::msg)?.name;
    services.keep(Record::setting(INSTRUCTOR, name.clone()), time::now()).at_once()?;
    Ok(name)
}

fn give_back(folder: &Path, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let written = room(folder, &[])?.give_back(time::now()).map_err(anyhow::Error::msg)?;
    for (path, student, given) in &written {
        let shown = path.display().to_string();
        writeln!(out, "{}: {} for {}", escape(&shown), counted(*given), escape(student))?;
    }
    match written.len() {
        0 => writeln!(out, "You have given nothing yet; `class mark` gives marks and remarks.")?,
        _ => writeln!(out, "Give each student their file; they read it with `infralens import FILE`.")?,
    }
    Ok(Outcome::Done)
}
