//! A class from a folder of files: each student once, each answer once, and what was left out, with the reason.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use serde::Serialize;

use super::file::{self, Fault, File};
use super::given::Book;
use super::{Answer, Mark, Student};
use crate::score::Verdict;
use crate::study::rating::worth;

/// What the students of a class gave.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Class {
    /// The pack's id.
    pub pack: String,
    /// The students by name, each with the answers in the order in which they were given.
    pub members: Vec<Member>,
    /// What the instructor gave so far.
    pub book: Book,
    /// What was noticed while the files were read.
    pub notes: Vec<Note>,
}

/// A student of a class.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// The student, under the name used last. Where two have one name, a number tells them apart.
    pub student: Student,
    /// The version of the pack in the newest file.
    pub version: String,
    /// The answers, the oldest first.
    pub answers: Vec<Answer>,
}

/// Something about a file that the instructor should know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Note {
    /// The file's name.
    pub file: String,
    /// One sentence: what is the matter, and what to do.
    pub what: String,
    /// Whether the file, or something in it, was left out.
    pub left_out: bool,
}

/// Puts a class together from files that were read, by name. `pack` is the course of the class; without one it is that
/// of the first file that can be read.
pub fn gather<'t>(pack: Option<&str>, files: impl IntoIterator<Item = (String, &'t str)>) -> Class {
    join(pack, files.into_iter().map(|(name, text)| (name, file::read_answers(text))))
}

/// As [`gather`], from files that were parsed already, in the order of their names.
pub fn join(
    pack: Option<&str>,
    files: impl IntoIterator<Item = (String, Result<File<Answer>, Fault>)>,
) -> Class {
    let files: Vec<_> = files.into_iter().collect();
    let mut class = Class { pack: pack.map_or_else(|| most(&files), str::to_owned), ..Class::default() };
    let mut found = Vec::new();
    for (name, read) in files {
        match read {
            // the way back starts in the same folder
            Err(Fault::Other(file::Kind::Return)) => {}
            Err(fault) => class.left_out(&name, fault.to_string()),
            Ok(file) => {
                if file.head.pack == class.pack {
                    found.push((name, file));
                } else {
                    let (is, wanted) = (&file.head.pack, &class.pack);
                    let what = format!("it is about the course `{is}`, but this class is about `{wanted}`");
                    class.left_out(&name, what);
                }
            }
        }
    }
    // the oldest first, so that names and versions are the newest
    found.sort_by(|(name, file), (other, second)| (file.head.made, name).cmp(&(second.head.made, other)));
    class.take(found);
    class.tell_apart();
    class
}

/// The course that most of the files are about, of equals the first in the alphabet.
fn most(files: &[(String, Result<File<Answer>, Fault>)]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for file in files.iter().filter_map(|(_, read)| read.as_ref().ok()) {
        *counts.entry(&file.head.pack).or_default() += 1;
    }
    let most = counts.into_iter().rev().max_by_key(|(_, count)| *count);
    most.map(|(pack, _)| pack.to_owned()).unwrap_or_default()
}

impl Class {
    fn left_out(&mut self, file: &str, what: String) {
        self.notes.push(Note { file: file.to_owned(), what, left_out: true });
    }

    fn take(&mut self, files: Vec<(String, File<Answer>)>) {
        let mut members: BTreeMap<String, Member> = BTreeMap::new();
        let mut owners: BTreeMap<String, String> = BTreeMap::new();
        for (name, file) in files {
            let student = file.head.student.clone();
            let mut foreign = Vec::new();
            let member = match members.entry(student.id.clone()) {
                Entry::Vacant(place) => {
                    place.insert(Member { student, version: String::new(), answers: Vec::new() })
                }
                Entry::Occupied(place) => {
                    let member = place.into_mut();
                    member.student = student;
                    member
                }
            };
            member.version = file.head.version;
            for answer in file.records {
                match owners.entry(answer.id.clone()) {
                    Entry::Vacant(place) => {
                        place.insert(member.student.id.clone());
                        member.answers.push(answer);
                    }
                    Entry::Occupied(owner) if *owner.get() == member.student.id => {
                        // the same answer again, perhaps with something claimed since
                        if let Some(old) = member.answers.iter_mut().find(|a| a.id == answer.id) {
                            *old = answer;
                        }
                    }
                    Entry::Occupied(owner) => foreign.push(owner.get().clone()),
                }
            }
            if let Some(owner) = foreign.first() {
                let theirs = members.get(owner).map_or("somebody else", |m| m.student.name.as_str());
                let what = format!(
                    "{} in it already came from {theirs} and were left out here; ask both students whose \
                     they are",
                    super::super::words::some(foreign.len(), "answer")
                );
                self.left_out(&name, what);
            }
        }
        self.members = members.into_values().collect();
        for member in &mut self.members {
            member.answers.sort_by(|a, b| (a.at, &a.id).cmp(&(b.at, &b.id)));
        }
    }

    /// Gives students of one name a number, in the order of their ids, and sorts all by name.
    fn tell_apart(&mut self) {
        let mut names: BTreeMap<String, usize> = BTreeMap::new();
        let mut clashes = Vec::new();
        self.members.sort_by(|a, b| {
            (a.student.name.to_lowercase(), &a.student.id)
                .cmp(&(b.student.name.to_lowercase(), &b.student.id))
        });
        for member in &mut self.members {
            let nth = names.entry(member.student.name.to_lowercase()).or_default();
            *nth += 1;
            if *nth > 1 {
                let name = member.student.name.clone();
                member.student.name = format!("{name} ({nth})");
                clashes.push((name, member.student.name.clone()));
            }
        }
        for (name, shown) in clashes {
            let what = format!("two students are called {name}; the second shows as {shown}");
            self.notes.push(Note { file: String::new(), what, left_out: false });
        }
    }

    /// The answer with this id, and whose it is.
    pub fn answer(&self, id: &str) -> Option<(&Member, &Answer)> {
        self.members.iter().find_map(|m| Some((m, m.answers.iter().find(|a| a.id == id)?)))
    }

    /// The mark that counts: the instructor's where there is one.
    pub fn counts(&self, answer: &Answer, mark: &Mark) -> Verdict {
        self.book.verdict(&answer.id, &mark.part).unwrap_or(mark.verdict)
    }

    /// The total of an answer by the marks that count, 0 to 1.
    pub fn total(&self, answer: &Answer) -> f64 {
        let given = answer.marks.iter().any(|m| self.book.verdict(&answer.id, &m.part).is_some());
        let sum: f64 = answer.marks.iter().map(|m| worth(self.counts(answer, m))).sum();
        if given { sum / answer.marks.len().max(1) as f64 } else { answer.total }
    }

    /// How many answers there are.
    pub fn answers(&self) -> usize {
        self.members.iter().map(|m| m.answers.len()).sum()
    }
}
