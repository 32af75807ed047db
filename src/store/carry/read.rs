//! The lines of an import, read and understood as far as that goes without the store.
//!
//! A thread of its own does that ahead of the one that writes: to understand a line takes about as long as to keep it.

use std::io::{BufRead, BufReader, Read, Seek, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::Scope;

use serde_json::{Map, Value};

use super::{ATTEMPT, FORMAT};
use crate::store::error::Fault;
use crate::study::attempt::Attempt;

/// What is said of a file that is something else.
pub const NO_EXPORT: &str = "is not the first line of an infralens export";

/// So much of an import is held in memory; what is larger waits in a file that goes with the program.
const IN_MEMORY: usize = 8 << 20;

/// The most bytes of a record: an answer is a few thousand, and no file of one endless line fills the memory.
const MOST_BYTES: u64 = 16 << 20;

/// Lines are handed on when they have so many bytes together, and so many times before they are waited for.
const BATCH: usize = 256 << 10;
const AHEAD: usize = 3;

/// What a line says.
pub enum Line {
    /// Nothing to keep: an empty line, or the first one, which says what the file is.
    Nothing,
    /// An attempt, and its marks as they are kept.
    Attempt(Box<Attempt>, String),
    /// Any other record: its kind and its fields.
    Other(String, Map<String, Value>),
    /// Nothing more comes. Without it, not all was read.
    End,
}

/// A line with its number, from 1; or what is wrong with it.
pub type Numbered = (u64, Result<Line, Fault>);

/// Reads a source to its end, whatever time it takes, and gives all of it to be read again. What can be said of bytes
/// alone is said here: the number of a line, and what is wrong with it.
///
/// # Errors
/// The number of a line, and what is wrong with it or with reading.
pub fn spool(mut source: impl BufRead) -> Result<impl BufRead + Send, (u64, Fault)> {
    let mut kept = tempfile::spooled_tempfile(IN_MEMORY);
    let mut line = 0;
    while let Some(text) = next_line(&mut source).map_err(|fault| (line + 1, fault))? {
        line += 1;
        if line == 1 {
            header(&text).map_err(|fault| (line, fault))?;
        }
        kept.write_all(text.as_bytes())
            .and_then(|()| if text.ends_with('\n') { Ok(()) } else { kept.write_all(b"\n") })
            .map_err(|fault| (line, Fault::Io(fault)))?;
    }
    kept.rewind().map_err(|fault| (line, Fault::Io(fault)))?;
    Ok(BufReader::with_capacity(1 << 16, kept))
}

/// Understands line after line ahead of whoever takes them, until the first with a fault or [`Line::End`]. Whoever takes
/// no more of them ends it.
pub fn ahead<'scope>(
    scope: &'scope Scope<'scope, '_>,
    mut from: impl BufRead + Send + 'scope,
) -> impl Iterator<Item = Numbered> {
    let (give, take): (SyncSender<Vec<Numbered>>, Receiver<_>) = sync_channel(AHEAD);
    scope.spawn(move || {
        let mut number = 0;
        loop {
            let (batch, is_last) = batch(&mut from, &mut number);
            if give.send(batch).is_err() || is_last {
                return;
            }
        }
    });
    take.into_iter().flatten()
}

/// The next lines, and whether they are the last.
fn batch(from: &mut impl BufRead, number: &mut u64) -> (Vec<Numbered>, bool) {
    let mut batch = Vec::new();
    let mut bytes = 0;
    while bytes < BATCH {
        let understood = match next_line(from) {
            Ok(None) if *number == 0 => Err(Fault::Record(NO_EXPORT.into())),
            Ok(None) => Ok(Line::End),
            Ok(Some(text)) => {
                *number += 1;
                bytes += text.len();
                understand(*number, &text)
            }
            Err(fault) => {
                *number += 1;
                Err(fault)
            }
        };
        let is_last = matches!(understood, Err(_) | Ok(Line::End));
        batch.push((*number, understood));
        if is_last {
            return (batch, true);
        }
    }
    (batch, false)
}

/// The next line with its end; none after the last.
fn next_line(from: &mut impl BufRead) -> Result<Option<String>, Fault> {
    let mut bytes = Vec::new();
    let read = Read::take(&mut *from, MOST_BYTES + 1).read_until(b'\n', &mut bytes).map_err(Fault::Io)?;
    if read == 0 {
        return Ok(None);
    }
    if bytes.len() as u64 > MOST_BYTES {
        return Err(Fault::Record(format!("it has more than {} MiB", MOST_BYTES >> 20)));
    }
    String::from_utf8(bytes).map(Some).map_err(|_| Fault::Record("this is not UTF-8".into()))
}

fn understand(number: u64, text: &str) -> Result<Line, Fault> {
    if number == 1 {
        return header(text).map(|()| Line::Nothing);
    }
    if text.trim().is_empty() {
        return Ok(Line::Nothing);
    }
    if text.starts_with(ATTEMPT)
        && let Ok(attempt) = serde_json::from_str(text)
    {
        return marked(attempt);
    }
    let mut fields = object(text)?;
    let Some(Value::String(kind)) = fields.remove("record") else {
        return Err(Fault::Record("it names no `record`".into()));
    };
    if kind == "attempt" {
        let attempt = serde_json::from_value(Value::Object(fields));
        return attempt.map_err(|e| Fault::Record(e.to_string())).and_then(marked);
    }
    Ok(Line::Other(kind, fields))
}

fn marked(attempt: Box<Attempt>) -> Result<Line, Fault> {
    let score = serde_json::to_string(&attempt.score).map_err(|e| Fault::Record(e.to_string()))?;
    Ok(Line::Attempt(attempt, score))
}

fn object(text: &str) -> Result<Map<String, Value>, Fault> {
    match serde_json::from_str(text) {
        Ok(Value::Object(fields)) => Ok(fields),
        _ => Err(Fault::Record("this is not a JSON object".into())),
    }
}

fn header(text: &str) -> Result<(), Fault> {
    let fields = object(text)?;
    match (fields.get("kind").and_then(Value::as_str), fields.get("format").and_then(Value::as_u64)) {
        (Some("infralens"), Some(FORMAT)) => Ok(()),
        (Some("infralens"), Some(newer)) if newer > FORMAT => {
            let known = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
            Err(Fault::Newer { found: known(newer), known: known(FORMAT) })
        }
        _ => Err(Fault::Record(NO_EXPORT.into())),
    }
}
