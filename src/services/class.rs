//! A class in its folder: the files of the students, what the instructor gives, what goes back.
//!
//! The folder is the class. What the instructor gives is kept in it line by line, so that it travels with the answers;
//! nothing of it touches the instructor's own progress.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use crate::doc::escape::line as escape;
use crate::pack::Pack;
use crate::study::class::file::{self, Fault, File, Head, Kind};
use crate::study::class::gather::{Class, Member, Note, join};
use crate::study::class::given::{self, Given};
use crate::study::class::summary::{Summary, summary};
use crate::study::class::{Answer, Student};
use crate::study::words::some;
use crate::whole;

/// The setting that keeps the instructor's name.
pub const INSTRUCTOR: &str = "instructor";
/// The file in a class's folder that keeps what the instructor gave.
pub const BOOK: &str = "given.jsonl";
/// The file in it with answers that were made judged answers by hand.
pub const JUDGED: &str = "judged.jsonl";
/// The folder in it for what goes back.
pub const BACK: &str = "back";
/// The most that a student's file may hold, in bytes.
const LARGEST: u64 = 64 << 20;

/// A class that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Room {
    /// The folder.
    pub folder: PathBuf,
    /// The students with their answers, and what was given.
    pub class: Class,
    /// Where it stands.
    pub summary: Summary,
    /// The answers that were made judged answers, by their ids.
    pub judged: BTreeMap<String, Value>,
    /// Whether something was given since the summary was made.
    stale: bool,
}

/// How far the reading of a folder is.
#[derive(Debug, Clone, PartialEq)]
pub enum Reading {
    /// So many files of so many.
    Far(usize, usize),
    /// All.
    Read(Arc<Room>),
    /// It cannot be read; a sentence says why.
    Failed(String),
}

impl Room {
    /// Reads a class. Files are parsed in several threads: a class of 300 has 30,000 answers. `tell` hears how far it is.
    ///
    /// # Errors
    /// Why the folder cannot be read. A file that cannot be read is a note of the class.
    pub fn read(folder: &Path, packs: &[Pack], tell: impl Fn(usize, usize) + Sync) -> Result<Room, String> {
        let paths = paths(folder)?;
        let workers = thread::available_parallelism().map_or(1, usize::from).min(paths.len()).max(1);
        let share = paths.len().div_ceil(workers).max(1);
        let count = AtomicUsize::new(0);
        let one = |(name, path): &(String, PathBuf)| {
            let read = (name.clone(), read(path));
            tell(count.fetch_add(1, Ordering::Relaxed) + 1, paths.len());
            read
        };
        let read = thread::scope(|scope| {
            let started: Vec<_> = paths
                .chunks(share)
                .map(|some| scope.spawn(move || some.iter().map(one).collect::<Vec<_>>()))
                .collect();
            started.into_iter().flat_map(|worker| worker.join().unwrap_or_default()).collect::<Vec<_>>()
        });
        let mut class = join(None, read);
        read_book(folder, &mut class)?;
        let judged = read_judged(folder, &mut class);
        let summary = summary(&class, packs.iter().find(|p| p.id == class.pack));
        Ok(Room { folder: folder.to_owned(), class, summary, judged, stale: false })
    }

    /// Makes the summary anew where something was given since.
    pub fn refresh(&mut self, packs: &[Pack]) {
        if std::mem::take(&mut self.stale) {
            self.summary = summary(&self.class, packs.iter().find(|p| p.id == self.class.pack));
        }
    }

    /// The answer whose id begins so, and whose it is.
    ///
    /// # Errors
    /// Where there is none, or several.
    pub fn find(&self, id: &str) -> Result<(&Member, &Answer), String> {
        if let Some(found) = self.class.answer(id) {
            return Ok(found);
        }
        let all = self.class.members.iter().flat_map(|m| m.answers.iter().map(move |a| (m, a)));
        let mut found: Vec<_> = all.filter(|(_, a)| a.id.starts_with(id)).collect();
        match (found.len(), id.is_empty()) {
            (1, false) => Ok(found.remove(0)),
            (0, _) | (_, true) => {
                Err(format!("no answer has an id that begins with `{}`; `class open` lists them", escape(id)))
            }
            (n, _) => {
                Err(format!("{n} answers have ids that begin with `{}`; type more of the id", escape(id)))
            }
        }
    }

    /// Keeps one thing more that is given.
    ///
    /// # Errors
    /// Why the file cannot be written.
    pub fn give(&mut self, mut given: Given) -> Result<(), String> {
        // what is given last counts, whatever the clock says
        if let Some(before) = self.class.book.get(&given.attempt, given.part.as_deref()) {
            let next = before.at.checked_add(SignedDuration::from_millis(1)).unwrap_or(before.at);
            given.at = given.at.max(next);
        }
        let path = self.folder.join(BOOK);
        let write = || -> std::io::Result<()> {
            let mut file = fs::OpenOptions::new().create(true).read(true).append(true).open(&path)?;
            // a line that was cut by a fault must not swallow this one
            let mut last = [b'\n'];
            if file.metadata()?.len() > 0 {
                file.seek(SeekFrom::End(-1))?;
                file.read_exact(&mut last)?;
            }
            let cut = last != *b"\n";
            let line = if cut { format!("\n{}", given::line(&given)) } else { given::line(&given) };
            file.write_all(line.as_bytes())?;
            file.sync_all()
        };
        write().map_err(|fault| format!("cannot write {}: {fault}", escape(&path.display().to_string())))?;
        self.class.book.add(given);
        self.stale = true;
        Ok(())
    }

    /// Makes an answer a judged answer, with the marks that the instructor set, or takes it out again; says whether
    /// it is one now.
    ///
    /// # Errors
    /// Where there is no such answer, nothing of it is marked, or the file cannot be written.
    pub fn toggle_judged(&mut self, id: &str) -> Result<bool, String> {
        let row = judged_row(&self.class, self.find(id)?.1);
        // another window may have judged others meanwhile
        let kept = judged_file(&self.folder)?;
        self.judged = kept.rows;
        let is_new = self.judged.remove(id).is_none();
        if is_new {
            let row = row.ok_or("mark a part first: only your own marks make a judged answer")?;
            self.judged.insert(id.to_owned(), row);
        }
        // marks that were set since belong to the rows that stand there
        let current = |(id, row): (&String, &Value)| {
            let answer = self.class.answer(id).map(|(_, answer)| answer);
            format!("{}\n", answer.and_then(|a| judged_row(&self.class, a)).unwrap_or_else(|| row.clone()))
        };
        let text: String = self.judged.iter().map(current).collect();
        let path = self.folder.join(JUDGED);
        let write = |out: &mut dyn Write| {
            out.write_all(text.as_bytes())?;
            // what cannot be read is somebody's all the same
            kept.unread.iter().try_for_each(|line| out.write_all(line).and_then(|()| out.write_all(b"\n")))
        };
        whole::put::<(), std::io::Error>(&path, write)
            .map_err(|fault| format!("cannot write {}: {fault}", escape(&path.display().to_string())))?;
        Ok(is_new)
    }

    /// The answers of which the instructor marked a part, as `calibrate` reads them, one a line. A part that he left
    /// alone is left out: the mark of the rules on it is no judge's.
    pub fn judged(&self) -> Vec<Value> {
        let answers = self.class.members.iter().flat_map(|m| &m.answers);
        answers.filter(|a| a.part.is_none()).filter_map(|a| judged_row(&self.class, a)).collect()
    }

    /// Writes a file for each student who was given something. Gives each file with its student and how much it holds.
    ///
    /// # Errors
    /// Why a file cannot be written.
    pub fn give_back(&self, now: Timestamp) -> Result<Vec<(PathBuf, String, usize)>, String> {
        let cannot = |path: &Path, fault: std::io::Error| {
            format!("cannot write {}: {fault}", escape(&path.display().to_string()))
        };
        let back = self.folder.join(BACK);
        fs::create_dir_all(&back).map_err(|fault| cannot(&back, fault))?;
        let mut written = Vec::new();
        let mut names = std::collections::BTreeSet::new();
        for member in &self.class.members {
            let ids: std::collections::BTreeSet<&str> = member.answers.iter().map(|a| &a.id[..]).collect();
            let own = self.class.book.all().filter(|g| ids.contains(&g.attempt[..]));
            let own: Vec<Given> = own.cloned().collect();
            // the same gifts make the same file
            let Some(made) = own.iter().map(|g| g.at).max() else { continue };
            let pack = (&self.class.pack[..], &member.version[..]);
            let head = Head::new(Kind::Return, pack, member.student.clone(), made.min(now));
            let name = format!("{}-{}", plain(&self.class.pack), slug(&member.student));
            // two students of one name and nearly one id
            let twins = (2..).map(|nth| format!("{name}-{nth}"));
            let name = std::iter::once(name.clone()).chain(twins).find(|name| names.insert(name.clone()));
            let path = back.join(format!("{}.jsonl", name.unwrap_or_default()));
            whole::put_text(&path, &file::returned(head, &own)).map_err(|fault| cannot(&path, fault))?;
            written.push((path, member.student.name.clone(), own.len()));
        }
        Ok(written)
    }
}

/// The files of students in a folder, by their names.
fn paths(folder: &Path) -> Result<Vec<(String, PathBuf)>, String> {
    let shown = escape(&folder.display().to_string()).into_owned();
    let listing = fs::read_dir(folder).map_err(|fault| {
        format!("cannot open {shown} ({fault}); name the folder with the files of your students")
    })?;
    let mut paths = Vec::new();
    for entry in listing {
        let entry = entry.map_err(|fault| format!("cannot read {shown}: {fault}"))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let own = name == BOOK || name == JUDGED || name.starts_with('.');
        if !own && name.ends_with(".jsonl") && entry.file_type().is_ok_and(|t| t.is_file()) {
            paths.push((name, entry.path()));
        }
    }
    paths.sort();
    Ok(paths)
}

fn read(path: &Path) -> Result<File<Answer>, Fault> {
    let size = fs::metadata(path).map_or(0, |m| m.len());
    if size > LARGEST {
        return Err(Fault::Line(1, format!("the file is larger than {} MiB", LARGEST >> 20)));
    }
    match fs::read(path) {
        Ok(bytes) => file::read_answers(&String::from_utf8_lossy(&bytes)),
        Err(fault) => Err(Fault::Line(1, fault.to_string())),
    }
}

fn read_book(folder: &Path, class: &mut Class) -> Result<(), String> {
    let path = folder.join(BOOK);
    if !path.exists() {
        return Ok(());
    }
    let text = fs::read(&path)
        .map_err(|fault| format!("cannot read {}: {fault}", escape(&path.display().to_string())))?;
    let (book, broken) = given::read(&String::from_utf8_lossy(&text));
    class.book = book;
    if broken > 0 {
        class.notes.push(unread(BOOK, broken));
    }
    Ok(())
}

fn read_judged(folder: &Path, class: &mut Class) -> BTreeMap<String, Value> {
    match judged_file(folder) {
        Ok(kept) => {
            if !kept.unread.is_empty() {
                class.notes.push(unread(JUDGED, kept.unread.len()));
            }
            kept.rows
        }
        Err(what) => {
            class.notes.push(Note { file: JUDGED.into(), what, left_out: true });
            BTreeMap::new()
        }
    }
}

/// The file of judged answers.
#[derive(Default)]
struct Judged {
    /// The answers by their ids.
    rows: BTreeMap<String, Value>,
    /// The lines that are none.
    unread: Vec<Vec<u8>>,
}

fn judged_file(folder: &Path) -> Result<Judged, String> {
    let path = folder.join(JUDGED);
    let bytes = match fs::read(&path) {
        Err(fault) if fault.kind() == std::io::ErrorKind::NotFound => Vec::new(),
        read => {
            read.map_err(|fault| format!("cannot read {}: {fault}", escape(&path.display().to_string())))?
        }
    };
    let mut kept = Judged::default();
    for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()) {
        let row: Option<Value> = serde_json::from_slice(line).ok();
        match row.as_ref().and_then(|row| Some(row.get("id")?.as_str()?.to_owned())) {
            Some(id) => drop(kept.rows.insert(id, row.unwrap_or_default())),
            None => kept.unread.push(line.to_owned()),
        }
    }
    Ok(kept)
}

fn unread(file: &str, lines: usize) -> Note {
    let what = format!("{} of it cannot be read; the rest counts", some(lines, "line"));
    Note { file: file.into(), what, left_out: true }
}

/// An answer with the marks that the instructor set; none where no part is marked.
fn judged_row(class: &Class, answer: &Answer) -> Option<Value> {
    let given = |part: &str| Some((part.to_owned(), class.book.verdict(&answer.id, part)?.name().into()));
    let verdicts: serde_json::Map<String, Value> =
        answer.marks.iter().filter_map(|m| given(&m.part)).collect();
    let drill = format!("{}:{}", class.pack, answer.drill);
    let row = serde_json::json!({
        "id": answer.id, "drill": drill, "kind": "class", "answer": answer.answer, "judge": verdicts,
    });
    (!verdicts.is_empty()).then_some(row)
}

/// A name as a part of a file's name; the end of the id keeps two of one name apart.
pub fn slug(student: &Student) -> String {
    let tail: String = student.id.chars().rev().filter(|c| c.is_alphanumeric()).take(4).collect();
    format!("{}-{tail}", plain(&student.name))
}

/// A text as a part of a file's name: letters, digits and hyphens, and not too many bytes.
fn plain(text: &str) -> String {
    const MOST: usize = 70;
    let letters = text.to_lowercase();
    let letters = &letters[..letters.floor_char_boundary(MOST)];
    letters.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect()
}
