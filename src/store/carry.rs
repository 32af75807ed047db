//! Everything as JSON lines, out and in.
//!
//! The first line says what the file is; every other line is one `record`. Times are RFC 3339. What is imported joins what is there:
//! - attempts, check attempts and reviews are added where their id is new;
//! - of two records of the same thing the newer (`at`) wins; a finished rehearsal wins over an
//!   unfinished one, and the better solution of a puzzle over the worse; at a tie the greater
//!   value, so that any order of imports ends the same;
//! - a draft whose attempt is there is left out.
//!
//! Trust in packs is not carried, nor is a judge: a file from elsewhere must not be able to grant the one or name
//! a program as the other. Who one is (name, id, instructor) is taken from one's own machines alone, or where nothing is
//! there yet. A time that is more than a day ahead counts as no time at all, or its record would win for ever.
//!
//! What comes through a pipe is read to its end before the store is held: a slow one keeps nobody from saving.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::sync::mpsc::{channel, sync_channel};
use std::{mem, thread};

use jiff::{SignedDuration, Timestamp};
use rusqlite::types::{Value as Sql, ValueRef};
use rusqlite::{Connection, Row, params_from_iter};
use serde_json::{Map, Value};

use super::attempt::Kept;
use super::edition::SEEN;
use super::error::{Fault, StoreError};
use super::row::{Readable, from_json, ms, time, unreadable};
use super::{Store, attempt, check, claim, given, sound, sums};
use crate::doc::escape;
use crate::study::attempt::Attempt;
use read::Line;

mod read;

/// The version of the export format.
const FORMAT: u64 = 1;

/// What an import did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Imported {
    /// Records that were new or newer.
    pub taken: u64,
    /// Records that were there already, or older than what is there.
    pub kept: u64,
}

/// A table that is carried row by row.
struct Table {
    kind: &'static str,
    name: &'static str,
    key: &'static [&'static str],
    /// Which of two rows wins: the first of these that differs, the greater. Empty: the one that
    /// is there stays. `$` stands for the row.
    rank: &'static [&'static str],
}

/// Whose records are imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Another machine of the same person.
    OwnMachine,
    /// A file from anywhere.
    Elsewhere,
}

/// What an import goes by.
struct Taking {
    from: Source,
    /// A record dated later than this is dated wrongly: milliseconds since 1970.
    latest: i64,
}

const NEWER: &[&str] = &[AT];
/// The time of a row, as far as it can be true; `LATEST` stands for the number.
const AT: &str = "CASE WHEN $.at > LATEST THEN 0 ELSE $.at END";
/// How far the clocks of two machines may differ.
const AHEAD: SignedDuration = SignedDuration::from_hours(24);

const fn table(
    kind: &'static str,
    name: &'static str,
    key: &'static [&'static str],
    rank: &'static [&'static str],
) -> Table {
    Table { kind, name, key, rank }
}

const TABLES: &[Table] = &[
    table("rating", "rating", &["attempt"], NEWER),
    table("claim", "claim", &["attempt"], NEWER),
    table("given", "given", &["attempt", "part"], NEWER),
    table("opinion", "opinion", &["attempt"], NEWER),
    table("dispute", "dispute", &["id"], NEWER),
    table("check", "check_attempt", &["id"], &[]),
    table("review", "review", &["pack", "kind", "item", "at"], &[]),
    table("card", "card", &["pack", "kind", "item"], NEWER),
    table("draft", "draft", &["id"], NEWER),
    table("rehearsal", "rehearsal", &["id"], &["$.report IS NOT NULL", AT]),
    table("position", "position", &["pack", "lesson", "lab"], NEWER),
    table("done", "done", &["pack", "kind", "item"], NEWER),
    table("worksheet", "worksheet", &["pack", "item", "cell"], NEWER),
    table("puzzle", "puzzle", &["pack", "item"], &["-$.best", AT]),
    table("setting", "setting", &["key"], NEWER),
    table("edition", "edition", &["pack"], NEWER),
];

/// Columns that hold a time, and columns that hold JSON.
const TIMES: &[&str] = &["at", "due", "started"];
const JSON: &[&str] = &["state", "report", "knobs", "content", "parts", "claimed", "verdicts", "reply"];

/// Settings of one machine alone: what is started there and what was agreed to, what was planned there for one day.
/// A file from elsewhere never sets them.
const OWN_SETTINGS: &[&str] = &["judge", "judge-told", "today", "measure.python", SEEN];

/// Settings that say who one is, which only one's own machines say anew.
const PERSON: &[&str] = &["student", "student-id", "instructor"];

/// Columns of one machine alone.
const LOCAL: &str = "name NOT IN ('holder', 'retired')";

impl Store {
    /// Writes everything as JSON lines, as it stands at one moment; gives the number of records.
    pub fn export(&self, out: &mut impl Write) -> Result<u64, StoreError> {
        let mut writer = Lines { out, count: 0, fault: None };
        let done = self.read(|c| {
            let tx = c.unchecked_transaction()?;
            writer.put(&serde_json::json!({"kind": "infralens", "format": FORMAT}))?;
            export_attempts(&tx, &mut writer)?;
            for table in TABLES {
                export_table(&tx, table, &mut writer)?;
            }
            Ok(())
        });
        match (writer.fault, done) {
            (Some(fault), _) => Err(StoreError::new("the export", fault)),
            (None, Err(error)) => Err(error),
            (None, Ok(())) => Ok(writer.count - 1),
        }
    }

    /// Takes in what [`Store::export`] wrote. All or nothing: a line that cannot be understood is
    /// named and leaves the store as it was. Doing it twice changes nothing more.
    pub fn import(&self, source: impl BufRead, from: Source, now: Timestamp) -> Result<Imported, StoreError> {
        let read = read::spool(source).map_err(|(line, fault)| StoreError::new(line_of(line), fault))?;
        self.take_in(read, from, now)
    }

    /// The same of a file. Nothing keeps it from being read, so it is read while it is taken in; a pipe is read to its
    /// end first.
    pub fn import_file(&self, file: File, from: Source, now: Timestamp) -> Result<Imported, StoreError> {
        let is_file = file.metadata().is_ok_and(|meta| meta.is_file());
        let file = BufReader::with_capacity(1 << 16, file);
        if is_file { self.take_in(file, from, now) } else { self.import(file, from, now) }
    }

    fn take_in(
        &self,
        read: impl BufRead + Send,
        from: Source,
        now: Timestamp,
    ) -> Result<Imported, StoreError> {
        let latest = now.checked_add(AHEAD).unwrap_or(Timestamp::MAX);
        let taking = Taking { from, latest: ms(latest) };
        let mut line = 0;
        let mut fault = None;
        let mut imported = Imported::default();
        // a larger cache keeps the indexes in memory while all of it comes in; without it, it only takes longer
        let _ = self.conn.pragma_update(None, "cache_size", IMPORT_CACHE);
        let done = thread::scope(|scope| {
            let lines = read::ahead(scope, read);
            self.write(|tx| {
                let mut held = sums::Held::default();
                let mut is_whole = false;
                for (number, understood) in lines {
                    line = number;
                    is_whole = matches!(understood, Ok(Line::End));
                    match understood.and_then(|of| record(tx, of, &taking, &mut held)) {
                        Ok(None) => {}
                        Ok(Some(true)) => imported.taken += 1,
                        Ok(Some(false)) => imported.kept += 1,
                        Err(f) => {
                            fault = Some(f);
                            return Err(rusqlite::Error::QueryReturnedNoRows);
                        }
                    }
                }
                if !is_whole {
                    fault = Some(Fault::Record("it was not read to its end".into()));
                    return Err(rusqlite::Error::QueryReturnedNoRows);
                }
                held.settle(tx)?;
                given::settle(tx)?;
                check::sum_anew(tx)?;
                claim::sum_anew(tx)?;
                tx.execute("DELETE FROM draft WHERE id IN (SELECT id FROM attempt)", [])?;
                Ok(())
            })
        });
        let _ = self.conn.pragma_update(None, "cache_size", CACHE);
        match (fault, done) {
            (Some(Fault::Sql(error)), _) => Err(self.failed(error)).map_err(|e| at_line(line, e)),
            (Some(fault), _) => Err(StoreError::new(line_of(line), fault)),
            (None, Err(error)) => Err(error),
            (None, Ok(())) => Ok(imported),
        }
    }
}

fn line_of(line: u64) -> String {
    format!("line {line} of the import")
}

/// What SQLite may hold of the file: as it comes, and while an import is taken in. Negative numbers are KiB.
const CACHE: i64 = -2000;
const IMPORT_CACHE: i64 = -48 * 1024;

/// How the line of an attempt begins.
const ATTEMPT: &str = "{\"record\":\"attempt\",";

/// A constraint that a record breaks is the record's fault, not the store's.
fn at_line(line: u64, error: StoreError) -> StoreError {
    match error.fault {
        Fault::Sql(e) => StoreError::new(line_of(line), Fault::Record(e.to_string())),
        _ => error,
    }
}

struct Lines<'a, W: Write> {
    out: &'a mut W,
    count: u64,
    fault: Option<Fault>,
}

impl<W: Write> Lines<'_, W> {
    /// Writes a line. A fault of the writer is kept, and ends the queries with any error.
    fn put(&mut self, value: &Value) -> rusqlite::Result<()> {
        self.put_text(&value.to_string())
    }

    fn put_text(&mut self, line: &str) -> rusqlite::Result<()> {
        self.put_made((format!("{}\n", escape::json(line)), 1))
    }

    fn put_made(&mut self, (text, count): Made) -> rusqlite::Result<()> {
        self.out.write_all(text.as_bytes()).map_err(|e| {
            self.fault = Some(Fault::Io(e));
            rusqlite::Error::QueryReturnedNoRows
        })?;
        self.count += count;
        Ok(())
    }
}

/// Attempts are handed on when they have so many bytes together, or so many are there.
const BATCH_BYTES: usize = 256 << 10;
const BATCH: usize = 256;
/// So many batches wait at most to be understood.
const WAITING: usize = 2;

/// Reads the rows here, and has them made into lines beside: that takes longer than to read them.
fn export_attempts<W: Write>(c: &Connection, lines: &mut Lines<W>) -> rusqlite::Result<()> {
    thread::scope(|scope| {
        let (give, take) = sync_channel::<Vec<Kept>>(WAITING);
        let (hand_back, made) = channel();
        scope.spawn(move || take.iter().all(|batch| hand_back.send(lines_of(batch)).is_ok()));
        let mut batch = Vec::new();
        let mut bytes = 0;
        attempt::oldest_first(c, |kept| {
            bytes += kept.bytes();
            batch.push(kept);
            if bytes < BATCH_BYTES && batch.len() < BATCH {
                return Ok(());
            }
            bytes = 0;
            // it ends when it is told to, or with a panic, which comes out where the scope ends
            let _ = give.send(mem::take(&mut batch));
            made.try_iter().try_for_each(|made| lines.put_made(made?))
        })?;
        let _ = give.send(batch);
        drop(give);
        made.iter().try_for_each(|made| lines.put_made(made?))
    })
}

/// Some lines, and how many.
type Made = (String, u64);

fn lines_of(batch: Vec<Kept>) -> rusqlite::Result<Made> {
    let mut out = String::new();
    let mut count = 0;
    for attempt in batch.into_iter().filter_map(Kept::understood) {
        let text = serde_json::to_string(&attempt).map_err(unreadable)?;
        out.push_str(ATTEMPT);
        out.push_str(&escape::json(text.strip_prefix('{').unwrap_or(&text)));
        out.push('\n');
        count += 1;
    }
    Ok((out, count))
}

fn tagged(kind: &str, fields: Map<String, Value>) -> Value {
    let tag = [("record".to_string(), Value::from(kind))];
    Value::Object(tag.into_iter().chain(fields).collect())
}

fn export_table<W: Write>(c: &Connection, table: &Table, lines: &mut Lines<W>) -> rusqlite::Result<()> {
    let columns = columns(c, table)?;
    let own = if table.kind == "setting" { own_settings() } else { String::new() };
    let (columns_of, key) = (columns.join(", "), table.key.join(", "));
    let sql = format!("SELECT {columns_of} FROM {}{own} ORDER BY {key}", table.name);
    let mut query = c.prepare(&sql)?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let fields: rusqlite::Result<Map<_, _>> = columns
            .iter()
            .enumerate()
            .map(|(n, column)| Ok((column.clone(), json_of(row, n, column)?)))
            .collect();
        // a row that cannot be read is not carried along, and stops nothing
        if let Some(fields) = fields.readable()? {
            lines.put(&tagged(table.kind, fields))?;
        }
    }
    Ok(())
}

fn own_settings() -> String {
    let names: Vec<String> = OWN_SETTINGS.iter().map(|name| format!("'{name}'")).collect();
    format!(" WHERE key NOT IN ({})", names.join(", "))
}

fn columns(c: &Connection, table: &Table) -> rusqlite::Result<Vec<String>> {
    c.prepare_cached(&format!("SELECT name FROM pragma_table_info(?1) WHERE {LOCAL}"))?
        .query_map([table.name], |row| row.get(0))?
        .collect()
}

fn json_of(row: &Row, n: usize, column: &str) -> rusqlite::Result<Value> {
    Ok(match row.get_ref(n)? {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(i) if TIMES.contains(&column) => Value::from(time(i)?.to_string()),
        ValueRef::Integer(i) => Value::from(i),
        ValueRef::Real(f) => Value::from(f),
        ValueRef::Text(_) if JSON.contains(&column) => from_json(row.get_ref(n)?.as_str()?)?,
        ValueRef::Text(_) | ValueRef::Blob(_) => Value::from(row.get_ref(n)?.as_str()?),
    })
}

/// Takes in what a line says: none where that is nothing, else whether it was new or newer.
fn record(
    tx: &Connection,
    line: Line,
    taking: &Taking,
    held: &mut sums::Held,
) -> Result<Option<bool>, Fault> {
    match line {
        Line::Nothing | Line::End => Ok(None),
        Line::Attempt(attempt, score) => import_attempt(tx, &attempt, &score, held).map(Some),
        Line::Other(kind, fields) => match TABLES.iter().find(|t| t.kind == kind) {
            Some(table) => import_row(tx, table, fields, taking).map(Some),
            None => Err(Fault::Record(format!("record `{kind}` is unknown to this program"))),
        },
    }
}

fn import_attempt(
    tx: &Connection,
    attempt: &Attempt,
    score: &str,
    held: &mut sums::Held,
) -> Result<bool, Fault> {
    let added = attempt::insert(tx, attempt, score).map_err(Fault::Sql)?;
    if added {
        held.add(tx, attempt).map_err(Fault::Sql)?;
    }
    Ok(added)
}

fn import_row(
    tx: &Connection,
    table: &Table,
    fields: Map<String, Value>,
    taking: &Taking,
) -> Result<bool, Fault> {
    let key = fields.get("key").and_then(Value::as_str).filter(|_| table.kind == "setting");
    if key.is_some_and(|key| OWN_SETTINGS.contains(&key)) {
        return Ok(false);
    }
    let stays = taking.from == Source::Elsewhere && key.is_some_and(|key| PERSON.contains(&key));
    let known = columns(tx, table).map_err(Fault::Sql)?;
    let mut names = Vec::with_capacity(fields.len());
    let mut values = Vec::with_capacity(fields.len());
    for (name, value) in fields {
        if !known.contains(&name) {
            return Err(Fault::Record(format!("a {} has no `{name}`", table.kind)));
        }
        sound::field(&name, &value).map_err(Fault::Record)?;
        values.push(sql_of(&name, value)?);
        names.push(name);
    }
    if let Some(missing) = table.key.iter().find(|k| !names.iter().any(|n| n == **k)) {
        return Err(Fault::Record(format!("a {} needs `{missing}`", table.kind)));
    }
    let mut put = tx.prepare_cached(&upsert(table, &names, (stays, taking.latest))).map_err(Fault::Sql)?;
    Ok(put.execute(params_from_iter(values)).map_err(Fault::Sql)? == 1)
}

/// The statement that puts a row in; where one `stays`, a row that is there is never replaced.
fn upsert(table: &Table, names: &[String], (stays, latest): (bool, i64)) -> String {
    let marks: Vec<String> = (1..=names.len()).map(|n| format!("?{n}")).collect();
    let sets: Vec<String> = names.iter().map(|n| format!("{n} = excluded.{n}")).collect();
    let action = if stays || table.rank.is_empty() {
        "NOTHING".to_string()
    } else {
        let new = ranked(table, names, ("excluded", latest));
        let old = ranked(table, names, (table.name, latest));
        format!("UPDATE SET {} WHERE ({new}) > ({old})", sets.join(", "))
    };
    format!(
        "INSERT INTO {} ({}) VALUES ({}) ON CONFLICT ({}) DO {action}",
        table.name,
        names.join(", "),
        marks.join(", "),
        table.key.join(", ")
    )
}

/// The values that decide between two rows: the rank, then every column.
fn ranked(table: &Table, names: &[String], (row, latest): (&str, i64)) -> String {
    let rank = table.rank.iter().map(|r| r.replace('$', row).replace("LATEST", &latest.to_string()));
    let rest = names.iter().map(|n| format!("coalesce({row}.{n}, '')"));
    rank.chain(rest).collect::<Vec<_>>().join(", ")
}

fn sql_of(name: &str, value: Value) -> Result<Sql, Fault> {
    let wrong = |what: &str| Fault::Record(format!("`{name}` {what}"));
    if JSON.contains(&name) && !value.is_null() {
        return Ok(Sql::Text(value.to_string()));
    }
    if TIMES.contains(&name) {
        let text = value.as_str().ok_or_else(|| wrong("is not a time"))?;
        let at: Timestamp = text.parse().map_err(|_| wrong("is not a time in RFC 3339"))?;
        return Ok(Sql::Integer(ms(at)));
    }
    match value {
        Value::Null => Ok(Sql::Null),
        Value::Bool(b) => Ok(Sql::Integer(b.into())),
        Value::String(s) => Ok(Sql::Text(s)),
        Value::Number(n) => match (n.as_i64(), n.as_f64()) {
            (Some(i), _) => Ok(Sql::Integer(i)),
            (None, Some(f)) => Ok(Sql::Real(f)),
            (None, None) => Err(wrong("is not a number that fits")),
        },
        Value::Array(_) | Value::Object(_) => Err(wrong("must be one value")),
    }
}
