//! The files that go between a student and an instructor: a head that says what the file is, then a record a line.
//!
//! The head holds the SHA-256 of everything else, so that a file that was edited or cut on the way is seen. It proves no
//! author: whoever can write the file can also write the sum.

use std::fmt;

use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::given::Given;
use super::{Answer, Student};
use crate::pack;

/// The version of both files.
pub const FORMAT: u32 = 1;

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// Answers of a student, on their way to the instructor.
    #[serde(rename = "infralens-class")]
    Class,
    /// Marks and remarks, on their way back.
    #[serde(rename = "infralens-return")]
    Return,
}

/// The first line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// What the file is.
    pub kind: Kind,
    /// The version of the file.
    pub format: u32,
    /// The pack's id.
    pub pack: String,
    /// The pack's version on the machine that made the file.
    pub version: String,
    /// Whose answers it is about.
    pub student: Student,
    /// When it was made.
    pub made: Timestamp,
    /// How many records follow.
    pub records: usize,
    /// SHA-256 of the head without this, and of the records; hexadecimal.
    #[serde(default)]
    pub sha256: String,
}

impl Head {
    /// A head of a file that is made now.
    pub fn new(kind: Kind, pack: (&str, &str), student: Student, made: Timestamp) -> Head {
        let (pack, version) = (pack.0.to_owned(), pack.1.to_owned());
        Head { kind, format: FORMAT, pack, version, student, made, records: 0, sha256: String::new() }
    }
}

/// A file that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct File<T> {
    /// Its first line.
    pub head: Head,
    /// The rest.
    pub records: Vec<T>,
}

/// Why a file is not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// It is something else.
    Foreign,
    /// It is the other of the two files.
    Other(Kind),
    /// A newer program made it.
    Newer(u32),
    /// A line cannot be read.
    Line(usize, String),
    /// Its sum does not fit: it was edited, or cut on the way.
    Edited,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Foreign => f.write_str("it is not a class file; `export --class` makes them"),
            Fault::Other(Kind::Return) => {
                f.write_str("it goes back to a student; `infralens import` on the student's machine reads it")
            }
            Fault::Other(Kind::Class) => {
                f.write_str("it holds a student's answers; `infralens class open` reads a folder of them")
            }
            Fault::Newer(format) => write!(
                f,
                "it is of format {format}, and this program reads up to {FORMAT}; use a newer infralens"
            ),
            Fault::Line(line, what) => {
                write!(f, "line {line} cannot be read ({what}); ask for the file again")
            }
            Fault::Edited => f.write_str(
                "it was changed or cut short after it was made: its checksum does not match; ask for the \
                 file again",
            ),
        }
    }
}

/// The answers of a student as a file.
pub fn answers(head: Head, answers: &[Answer]) -> String {
    write(head, answers)
}

/// What an instructor gives a student, as a file.
pub fn returned(head: Head, given: &[Given]) -> String {
    write(head, given)
}

/// Reads the answers of a student.
///
/// # Errors
/// Why the file is not taken.
pub fn read_answers(text: &str) -> Result<File<Answer>, Fault> {
    read(text, Kind::Class)
}

/// Reads what an instructor gave.
///
/// # Errors
/// Why the file is not taken.
pub fn read_returned(text: &str) -> Result<File<Given>, Fault> {
    read(text, Kind::Return)
}

/// Whether a text begins one of the two files, and which.
pub fn kind_of(text: &str) -> Option<Kind> {
    #[derive(Deserialize)]
    struct Begin {
        kind: Kind,
    }
    serde_json::from_str::<Begin>(text.lines().next()?).ok().map(|begin| begin.kind)
}

fn write<T: Serialize>(mut head: Head, records: &[T]) -> String {
    let mut body = String::new();
    for record in records {
        // these types hold texts, numbers and lists alone, which JSON can always hold
        body.push_str(&serde_json::to_string(record).expect("a record is JSON"));
        body.push('\n');
    }
    head.records = records.len();
    head.sha256 = sum(&head, &body);
    format!("{}\n{body}", line(&head))
}

fn line(head: &Head) -> String {
    serde_json::to_string(head).expect("a head is JSON")
}

/// The sum of a file.
fn sum(head: &Head, body: &str) -> String {
    let bare = Head { sha256: String::new(), ..head.clone() };
    let mut hash = Sha256::new();
    hash.update(line(&bare).as_bytes());
    hash.update(b"\n");
    hash.update(body.as_bytes());
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn read<T: DeserializeOwned>(text: &str, wanted: Kind) -> Result<File<T>, Fault> {
    // a mail may have put line ends of Windows in
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n");
    let (first, body) = text.split_once('\n').unwrap_or((&text, ""));
    match kind_of(first) {
        None => return Err(Fault::Foreign),
        Some(kind) if kind != wanted => return Err(Fault::Other(kind)),
        Some(_) => {}
    }
    let format = serde_json::from_str::<serde_json::Value>(first)
        .ok()
        .and_then(|head| head.get("format")?.as_u64())
        .and_then(|format| u32::try_from(format).ok())
        .unwrap_or(FORMAT);
    if format > FORMAT {
        return Err(Fault::Newer(format));
    }
    let head: Head = serde_json::from_str(first).map_err(|e| Fault::Line(1, e.to_string()))?;
    if sum(&head, body) != head.sha256 {
        return Err(Fault::Edited);
    }
    if Student::named("", &head.student.name).is_err() {
        return Err(Fault::Line(1, "the name of the student cannot be shown".into()));
    }
    if !pack::is_slug(&head.pack) {
        return Err(Fault::Line(1, "the id of its pack is no id".into()));
    }
    let records: Result<Vec<T>, Fault> = body
        .lines()
        .enumerate()
        .map(|(n, line)| serde_json::from_str(line).map_err(|e| Fault::Line(n + 2, e.to_string())))
        .collect();
    Ok(File { head, records: records? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::attempt::Mode;

    fn answer(id: &str) -> Answer {
        Answer {
            id: id.into(),
            drill: "incast".into(),
            at: Timestamp::UNIX_EPOCH,
            mode: Mode::Practice,
            part: None,
            seconds: 60,
            answer: "Many senders, one queue.".into(),
            total: 0.5,
            marks: Vec::new(),
            falsehoods: Vec::new(),
            claims: Vec::new(),
        }
    }

    fn head(kind: Kind) -> Head {
        let student = Student::named("s1", "Ada").expect("a name");
        Head::new(kind, ("tcp", "1.0"), student, Timestamp::UNIX_EPOCH)
    }

    #[test]
    fn what_is_written_is_read_with_windows_line_ends_too() {
        let text = answers(head(Kind::Class), &[answer("a"), answer("b")]);
        let file = read_answers(&text).expect("a file");
        assert_eq!((file.head.records, file.records.len()), (2, 2));
        assert_eq!(read_answers(&format!("\u{feff}{}", text.replace('\n', "\r\n"))), Ok(file));
    }

    #[test]
    fn any_edit_is_seen() {
        let text = answers(head(Kind::Class), &[answer("a"), answer("b")]);
        for edited in [
            text.replace("0.5", "1.0"),
            text.replace("Ada", "Eve"),
            text.lines().take(2).collect::<Vec<_>>().join("\n"),
            format!("{text}{}", text.lines().last().expect("a line")),
        ] {
            assert_eq!(read_answers(&edited), Err(Fault::Edited), "{edited}");
        }
    }

    #[test]
    fn the_id_of_a_pack_is_no_path() {
        for pack in ["../../outside/owned", "/outside", "", "a b", "A"] {
            let forged = answers(Head { pack: pack.into(), ..head(Kind::Class) }, &[answer("a")]);
            assert!(matches!(read_answers(&forged), Err(Fault::Line(1, _))), "{pack}");
        }
    }

    #[test]
    fn other_files_are_named_for_what_they_are() {
        assert_eq!(read_answers("hello\n"), Err(Fault::Foreign));
        assert_eq!(read_answers(""), Err(Fault::Foreign));
        let export = "{\"kind\":\"infralens\",\"format\":1}\n";
        assert_eq!(read_answers(export), Err(Fault::Foreign));
        let back = returned(head(Kind::Return), &[]);
        assert_eq!(read_answers(&back), Err(Fault::Other(Kind::Return)));
        assert_eq!(kind_of(&back), Some(Kind::Return));
        let newer = answers(Head { format: 9, ..head(Kind::Class) }, &[]);
        assert_eq!(read_answers(&newer), Err(Fault::Newer(9)));
    }
}
