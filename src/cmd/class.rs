//! `class`: a class by the files of its students; `export --class`: what a student gives.
//!
//! The folder is the class. Nothing of it touches the instructor's own progress: what the instructor gives is kept in
//! the folder too, in a file of one line each, so that it travels with the answers.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::{Context as _, bail};

use super::Outcome;
use super::learn::data_dir;
use crate::cli::{ClassVerb, Global, MarkChoice};
use crate::doc::escape::{line as escape, lines as escape_lines};
use crate::score::Verdict;
use crate::services::library::Library;
use crate::store::{Filter, Store};
use crate::study::class::file::{self, Head, Kind};
use crate::study::class::gather::{Class, Member, join};
use crate::study::class::given::{self, Given};
use crate::study::class::summary::{Summary, csv, summary};
use crate::study::class::{Answer, Student, html};
use crate::study::words::{percent, some};
use crate::time;

/// The settings that keep who one is.
const STUDENT: &str = "student";
const STUDENT_ID: &str = "student-id";
const INSTRUCTOR: &str = "instructor";
/// The file in a class's folder that keeps what the instructor gave.
const BOOK: &str = "given.jsonl";
/// The folder in it for what goes back.
const BACK: &str = "back";

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
    library: &Library,
    asked: &Asked,
    out: &mut dyn Write,
) -> anyhow::Result<Outcome> {
    let Some(pack) = library.packs.iter().find(|p| p.id == asked.pack) else {
        let known: Vec<&str> = library.packs.iter().map(|p| p.id.as_str()).collect();
        bail!("there is no pack `{}`; there is {}", escape(&asked.pack), known.join(", "));
    };
    let store = Store::open(&data_dir(global)?)?;
    let student = student(&store, asked.student.as_deref())?;
    let filter = Filter { pack: Some(pack.id.clone()), ..Filter::default() };
    let mut attempts = store.history(&filter, u32::MAX)?;
    attempts.reverse();
    let answers: Vec<Answer> = attempts.iter().map(Answer::of).collect();
    let head = Head::new(Kind::Class, (&pack.id, &pack.version), student.clone(), time::now());
    let text = file::answers(head, &answers);
    let path = match asked.file.as_deref() {
        Some(path) if path == Path::new("-") => {
            out.write_all(text.as_bytes())?;
            return Ok(Outcome::Done);
        }
        Some(path) => path.to_owned(),
        None => PathBuf::from(format!("{}-{}.jsonl", pack.id, slug(&student))),
    };
    put(&path, &text)?;
    let drills: std::collections::BTreeSet<&str> = answers.iter().map(|a| a.drill.as_str()).collect();
    writeln!(out, "{}", escape(&path.display().to_string()))?;
    writeln!(
        out,
        "It holds {} to {} of {}, with their marks and what you claimed, under the name {}. \
         Nothing of other courses, no drafts, no checks. Give it to your instructor as it is.",
        some(answers.len(), "answer"),
        some(drills.len(), "drill"),
        escape(&pack.title),
        escape(&student.name),
    )?;
    Ok(Outcome::Done)
}

/// Who the student is: as said now, else as said before.
fn student(store: &Store, said: Option<&str>) -> anyhow::Result<Student> {
    let name = match said {
        Some(name) => name.to_owned(),
        None => store.setting(STUDENT)?.context("your name is not known yet; say it with --student NAME")?,
    };
    let now = time::now();
    let id = match store.setting(STUDENT_ID)? {
        Some(id) => id,
        None => store.fresh_id(now)?,
    };
    let student = Student::named(id, &name).map_err(anyhow::Error::msg)?;
    store.set(STUDENT_ID, &student.id, now)?;
    store.set(STUDENT, &student.name, now)?;
    Ok(student)
}

/// A name as a part of a file's name; the end of the id keeps two of one name apart.
fn slug(student: &Student) -> String {
    let plain: String =
        student.name.to_lowercase().chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    let tail: String = student.id.chars().rev().take(4).collect();
    format!("{plain}-{tail}")
}

/// Puts a file in place whole.
fn put(path: &Path, text: &str) -> anyhow::Result<()> {
    let shown = path.display().to_string();
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let write = || -> std::io::Result<()> {
        let mut made = tempfile::Builder::new().prefix(".infralens-").tempfile_in(folder)?;
        made.write_all(text.as_bytes())?;
        made.as_file().sync_all()?;
        made.persist(path)?;
        Ok(())
    };
    write().with_context(|| {
        format!("cannot write {}; name a file in a folder that can be written", escape(&shown))
    })
}

/// Runs one of the verbs.
///
/// # Errors
/// Where the folder cannot be read, or what was named is not in it.
pub fn run(verb: ClassVerb, global: &Global, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    match verb {
        ClassVerb::Open { folder, csv: table, html: page } => {
            let class = open(&folder)?;
            let library = super::courses::load(global);
            let pack = library.packs.iter().find(|p| p.id == class.pack);
            let summary = summary(&class, pack);
            let title = pack.map_or(class.pack.as_str(), |p| p.title.as_str());
            if global.json {
                serde_json::to_writer_pretty(&mut *out, &summary)?;
                writeln!(out)?;
            } else if table {
                out.write_all(csv(&class, &summary).as_bytes())?;
            } else if page {
                out.write_all(html::page(title, &summary).as_bytes())?;
            } else {
                lines(&class, &summary, title, out)?;
            }
            Ok(if class.members.is_empty() { Outcome::Failed } else { Outcome::Done })
        }
        ClassVerb::Answer { folder, answer } => {
            let class = open(&folder)?;
            let (member, answer) = find(&class, &answer)?;
            print(&class, member, answer, out)
        }
        ClassVerb::Mark { folder, answer, part, verdict, remark, by } => {
            let class = open(&folder)?;
            let (_, answer) = find(&class, &answer)?;
            let given = Given {
                attempt: answer.id.clone(),
                part: part.map(|part| known_part(answer, part)).transpose()?,
                verdict: verdict.map(of_choice),
                remark: remark.trim().to_owned(),
                by: instructor(global, by.as_deref())?,
                at: time::now(),
            };
            if given.verdict.is_none() && given.remark.is_empty() {
                bail!("there is nothing to give; say --verdict, --remark, or both");
            }
            keep(&folder, &given)?;
            writeln!(out, "Kept in {BOOK}. `class return` writes it for the student.")?;
            Ok(Outcome::Done)
        }
        ClassVerb::Return { folder } => give_back(&folder, out),
        ClassVerb::Judged { folder } => judged(&open(&folder)?, out),
    }
}

/// Reads a class. Files are parsed in several threads: a class of 300 has 30,000 answers.
fn open(folder: &Path) -> anyhow::Result<Class> {
    let shown = escape(&folder.display().to_string()).into_owned();
    let mut paths = Vec::new();
    let listing = fs::read_dir(folder)
        .with_context(|| format!("cannot open {shown}; name the folder with the files of your students"))?;
    for entry in listing {
        let entry = entry.with_context(|| format!("cannot read {shown}"))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name != BOOK && name.ends_with(".jsonl") && entry.file_type().is_ok_and(|t| t.is_file()) {
            paths.push((name, entry.path()));
        }
    }
    paths.sort();
    let workers = thread::available_parallelism().map_or(1, usize::from).min(paths.len()).max(1);
    let share = paths.len().div_ceil(workers).max(1);
    let read = thread::scope(|scope| {
        let started: Vec<_> = paths
            .chunks(share)
            .map(|some| {
                scope.spawn(move || some.iter().map(|(n, p)| (n.clone(), read(p))).collect::<Vec<_>>())
            })
            .collect();
        started.into_iter().flat_map(|worker| worker.join().unwrap_or_default()).collect::<Vec<_>>()
    });
    let mut class = join(None, read);
    let book = folder.join(BOOK);
    if book.exists() {
        let text = fs::read_to_string(&book).with_context(|| format!("cannot read {BOOK} in {shown}"))?;
        let (book, broken) = given::read(&text);
        class.book = book;
        if broken > 0 {
            let what = format!("{} of it cannot be read; the rest counts", some(broken, "line"));
            class.notes.push(crate::study::class::gather::Note { file: BOOK.into(), what, left_out: true });
        }
    }
    Ok(class)
}

/// The most that a student's file may hold, in bytes.
const LARGEST: u64 = 64 << 20;

fn read(path: &Path) -> Result<file::File<Answer>, file::Fault> {
    let size = fs::metadata(path).map_or(0, |m| m.len());
    if size > LARGEST {
        return Err(file::Fault::Line(1, format!("the file is larger than {} MiB", LARGEST >> 20)));
    }
    match fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()) {
        Ok(text) => file::read_answers(&text),
        Err(fault) => Err(file::Fault::Line(1, fault.to_string())),
    }
}

/// The answer whose id begins so.
fn find<'c>(class: &'c Class, id: &str) -> anyhow::Result<(&'c Member, &'c Answer)> {
    let all = class.members.iter().flat_map(|m| m.answers.iter().map(move |a| (m, a)));
    let mut found: Vec<_> = all.filter(|(_, a)| a.id.starts_with(id)).collect();
    match (found.len(), id.is_empty()) {
        (1, false) => Ok(found.remove(0)),
        (0, _) | (_, true) => {
            bail!("no answer has an id that begins with `{}`; `class open` lists them", escape(id))
        }
        (n, _) => bail!("{n} answers have ids that begin with `{}`; say more of it", escape(id)),
    }
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

fn instructor(global: &Global, said: Option<&str>) -> anyhow::Result<String> {
    let store = Store::open(&data_dir(global)?)?;
    let name = match said {
        Some(name) => name.to_owned(),
        None => store.setting(INSTRUCTOR)?.context("your name is not known yet; say it with --by NAME")?,
    };
    let name = Student::named("", &name).map_err(anyhow::Error::msg)?.name;
    store.set(INSTRUCTOR, &name, time::now())?;
    Ok(name)
}

fn keep(folder: &Path, given: &Given) -> anyhow::Result<()> {
    let path = folder.join(BOOK);
    let write = || -> std::io::Result<()> {
        let mut file = fs::OpenOptions::new().create(true).append(true).open(&path)?;
        file.write_all(given::line(given).as_bytes())?;
        file.sync_all()
    };
    write().with_context(|| format!("cannot write {}", escape(&path.display().to_string())))
}

fn give_back(folder: &Path, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let class = open(folder)?;
    let back = folder.join(BACK);
    fs::create_dir_all(&back)
        .with_context(|| format!("cannot make {}", escape(&back.display().to_string())))?;
    let mut written = 0;
    for member in &class.members {
        let own: Vec<Given> =
            class.book.all().filter(|g| member.answers.iter().any(|a| a.id == g.attempt)).cloned().collect();
        if own.is_empty() {
            continue;
        }
        let head =
            Head::new(Kind::Return, (&class.pack, &member.version), member.student.clone(), time::now());
        let path = back.join(format!("{}-{}.jsonl", class.pack, slug(&member.student)));
        put(&path, &file::returned(head, &own))?;
        let shown = path.display().to_string();
        writeln!(
            out,
            "{}: {} for {}",
            escape(&shown),
            some(own.len(), "mark or remark"),
            escape(&member.student.name)
        )?;
        written += 1;
    }
    match written {
        0 => writeln!(out, "Nothing was given yet; `class mark` gives marks and remarks.")?,
        _ => writeln!(out, "Give each student the file; `infralens import FILE` reads it there.")?,
    }
    Ok(Outcome::Done)
}

/// The marked answers, as `calibrate` reads them.
fn judged(class: &Class, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    for (_, answer) in class.members.iter().flat_map(|m| m.answers.iter().map(move |a| (m, a))) {
        let marked = answer.marks.iter().any(|m| class.book.verdict(&answer.id, &m.part).is_some());
        if answer.part.is_some() || !marked {
            continue;
        }
        let verdicts: serde_json::Map<String, serde_json::Value> = answer
            .marks
            .iter()
            .map(|m| {
                let verdict = class.book.verdict(&answer.id, &m.part).unwrap_or(m.verdict);
                (m.part.clone(), verdict.name().into())
            })
            .collect();
        let row = serde_json::json!({
            "id": answer.id, "drill": answer.drill, "kind": "class", "answer": answer.answer, "judge": verdicts,
        });
        writeln!(out, "{row}")?;
    }
    Ok(Outcome::Done)
}

/// How many rows of each list are printed.
const ROWS: usize = 10;

fn lines(class: &Class, summary: &Summary, title: &str, out: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(
        out,
        "{}: {}, {}",
        escape(title),
        some(class.members.len(), "student"),
        some(summary.answers, "answer")
    )?;
    for note in &class.notes {
        let file = if note.file.is_empty() { String::new() } else { format!("{}: ", escape(&note.file)) };
        let left_out = if note.left_out { "left out, " } else { "" };
        writeln!(out, "  {file}{left_out}{}", escape(&note.what))?;
    }
    let heads: Vec<String> = summary.parts.iter().map(|p| format!("{:>13}", cut(p, 13))).collect();
    writeln!(out, "\n{:<28} {:>8}{}", "Drills by parts", "students", heads.concat())?;
    for drill in &summary.drills {
        let cells: Vec<String> =
            drill.parts.iter().map(|s| format!("{:>13}", s.map(percent).unwrap_or_default())).collect();
        writeln!(out, "{:<28} {:>8}{}", cut(&drill.drill, 28), drill.students, cells.concat())?;
    }
    writeln!(out, "\n{:<28} {:>6} {:>7} {:>6}  weakest", "Students", "drills", "answers", "mean")?;
    for s in &summary.students {
        let weakest = s.weakest.as_deref().unwrap_or("");
        let name = cut(&s.name, 28);
        writeln!(
            out,
            "{name:<28} {:>6} {:>7} {:>6}  {}",
            s.drills,
            s.answers,
            percent(s.mean),
            escape(weakest)
        )?;
    }
    let rest = |n: usize| if n > ROWS { format!(" (the first {ROWS} of {n})") } else { String::new() };
    section(
        out,
        "Missed most",
        &rest(summary.missed.len()),
        summary.missed.iter().map(|m| {
            let says = m.says.as_deref().unwrap_or(&m.point);
            format!("{} of {}  {}, {}: {says}  [{}]", m.students, m.of, m.drill, m.part, short(&m.example))
        }),
    )?;
    section(
        out,
        "False statements",
        &rest(summary.falsehoods.len()),
        summary.falsehoods.iter().map(|f| {
            format!("{}  {}: “{}”  [{}]", some(f.students, "student"), f.drill, f.words, short(&f.example))
        }),
    )?;
    section(
        out,
        "Claimed, found by no rule",
        &rest(summary.claimed.len()),
        summary.claimed.iter().map(|c| {
            format!("{}, {}, {}: “{}”  [{}]", c.student, c.drill, c.part, c.sentence, short(&c.attempt))
        }),
    )?;
    section(
        out,
        "Where marks differ",
        &rest(summary.differing.len()),
        summary.differing.iter().map(|d| {
            let other = |who: &str, v: Option<Verdict>| {
                v.map(|v| format!(", {who} {}", v.name())).unwrap_or_default()
            };
            format!(
                "{}, {}, {}: rules {}{}{}{}  [{}]",
                d.student,
                d.drill,
                d.part,
                d.rules.name(),
                other("student", d.student_says),
                other("judge", d.judge),
                other("you", d.instructor),
                short(&d.attempt)
            )
        }),
    )?;
    writeln!(out, "\n`class answer FOLDER ID` prints an answer; the beginning of its id is enough.")?;
    Ok(())
}

fn section(
    out: &mut dyn Write,
    title: &str,
    rest: &str,
    rows: impl Iterator<Item = String>,
) -> anyhow::Result<()> {
    let rows: Vec<String> = rows.take(ROWS).collect();
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{title}{rest}")?;
    for row in rows {
        writeln!(out, "  {}", escape(&row))?;
    }
    Ok(())
}

fn cut(text: &str, columns: usize) -> String {
    crate::doc::wrap::cut(&escape(text), columns, "…")
}

/// As much of an id as tells answers apart at sight.
fn short(id: &str) -> &str {
    let end = id.char_indices().nth(18).map_or(id.len(), |(at, _)| at);
    &id[..end]
}

fn print(class: &Class, member: &Member, answer: &Answer, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    writeln!(out, "{}, {}, {}", escape(&member.student.name), escape(&answer.drill), answer.at)?;
    writeln!(out, "\n{}\n", escape_lines(&answer.answer))?;
    for mark in &answer.marks {
        let by = match class.book.get(&answer.id, Some(&mark.part)) {
            Some(given) => {
                let verdict =
                    given.verdict.map(|v| format!(", {} by {}", v.name(), given.by)).unwrap_or_default();
                let remark =
                    if given.remark.is_empty() { String::new() } else { format!(": {}", given.remark) };
                format!("{verdict}{remark}")
            }
            None => String::new(),
        };
        let rules = mark.by_rules.map(|v| format!(" (rules: {})", v.name())).unwrap_or_default();
        let sure = if mark.sure { "" } else { ", not sure" };
        writeln!(out, "{}: {}{sure}{rules}{}", escape(&mark.part), mark.verdict.name(), escape(&by))?;
    }
    for said in &answer.falsehoods {
        writeln!(out, "called false: “{}”", escape(&said.words))?;
    }
    for claim in &answer.claims {
        writeln!(out, "claimed for {}: “{}”", escape(&claim.part), escape(&claim.sentence))?;
    }
    if let Some(whole) = class.book.get(&answer.id, None) {
        writeln!(out, "\n{}: {}", escape(&whole.by), escape(&whole.remark))?;
    }
    Ok(Outcome::Done)
}
