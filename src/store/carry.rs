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
//! a program as the other.

use std::collections::BTreeMap;
use std::io::{BufRead, Read, Write};

use jiff::Timestamp;
use rusqlite::types::{Value as Sql, ValueRef};
use rusqlite::{Connection, Row, params_from_iter};
use serde_json::{Map, Value};

use super::error::{Fault, StoreError};
use super::row::{Readable, from_json, ms, time, unreadable};
use super::{Store, attempt, check, claim, given, sound, sums};
use crate::study::attempt::Attempt;

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

const NEWER: &[&str] = &["$.at"];

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
    table("dispute", "dispute", &["id"], NEWER),
    table("check", "check_attempt", &["id"], &[]),
    table("review", "review", &["pack", "kind", "item", "at"], &[]),
    table("card", "card", &["pack", "kind", "item"], NEWER),
    table("draft", "draft", &["id"], NEWER),
    table("rehearsal", "rehearsal", &["id"], &["$.report IS NOT NULL", "$.at"]),
    table("position", "position", &["pack", "lesson", "lab"], NEWER),
    table("done", "done", &["pack", "kind", "item"], NEWER),
    table("worksheet", "worksheet", &["pack", "item", "cell"], NEWER),
    table("puzzle", "puzzle", &["pack", "item"], &["-$.best", "$.at"]),
    table("setting", "setting", &["key"], NEWER),
    table("edition", "edition", &["pack"], NEWER),
];

/// Columns that hold a time, and columns that hold JSON.
const TIMES: &[&str] = &["at", "due", "started"];
const JSON: &[&str] = &["state", "report", "knobs", "content", "parts", "claimed", "verdicts"];

/// Settings of one machine alone: what is started there and what was agreed to, what was planned there for one day.
/// A file from elsewhere never sets them.
const OWN_SETTINGS: &[&str] = &["judge", "judge-told", "today", "measure.python"];

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
    pub fn import(&self, from: impl BufRead) -> Result<Imported, StoreError> {
        let mut line = 0;
        let mut fault = None;
        let mut imported = Imported::default();
        let done = self.write(|tx| {
            let mut late = sums::Late::new();
            let mut from = from;
            while let Some(text) = next_line(&mut from).transpose() {
                line += 1;
                match text.and_then(|t| record(tx, line, &t, &mut late)) {
                    Ok(None) => {}
                    Ok(Some(true)) => imported.taken += 1,
                    Ok(Some(false)) => imported.kept += 1,
                    Err(f) => {
                        fault = Some(f);
                        return Err(rusqlite::Error::QueryReturnedNoRows);
                    }
                }
            }
            if line == 0 {
                fault = header(&Map::new()).err();
                return Err(rusqlite::Error::QueryReturnedNoRows);
            }
            sums::settle(tx, &late)?;
            given::settle(tx)?;
            check::sum_anew(tx)?;
            claim::sum_anew(tx)?;
            tx.execute("DELETE FROM draft WHERE id IN (SELECT id FROM attempt)", [])?;
            Ok(())
        });
        match (fault, done) {
            (Some(Fault::Sql(error)), _) => Err(self.failed(error)).map_err(|e| at_line(line, e)),
            (Some(fault), _) => Err(StoreError::new(format!("line {line} of the import"), fault)),
            (None, Err(error)) => Err(error),
            (None, Ok(())) => Ok(imported),
        }
    }
}

/// The most bytes of a record: an answer is a few thousand, and no file of one endless line fills the memory.
const MOST_BYTES: u64 = 16 << 20;

/// The next line without its end; none after the last.
fn next_line(from: &mut impl BufRead) -> Result<Option<String>, Fault> {
    let mut bytes = Vec::new();
    let read = Read::take(&mut *from, MOST_BYTES + 1).read_until(b'\n', &mut bytes).map_err(Fault::Io)?;
    if read == 0 {
        return Ok(None);
    }
    if bytes.len() as u64 > MOST_BYTES {
        return Err(Fault::Record(format!("has more than {} MiB", MOST_BYTES >> 20)));
    }
    String::from_utf8(bytes).map(Some).map_err(|_| Fault::Record("is not UTF-8".into()))
}

/// A constraint that a record breaks is the record's fault, not the store's.
fn at_line(line: u64, error: StoreError) -> StoreError {
    match error.fault {
        Fault::Sql(e) => StoreError::new(format!("line {line} of the import"), Fault::Record(e.to_string())),
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
        writeln!(self.out, "{value}").map_err(|e| {
            self.fault = Some(Fault::Io(e));
            rusqlite::Error::QueryReturnedNoRows
        })?;
        self.count += 1;
        Ok(())
    }
}

fn export_attempts<W: Write>(c: &Connection, lines: &mut Lines<W>) -> rusqlite::Result<()> {
    attempt::oldest_first(c, |mut a| {
        // records of their own, with their own times
        (a.rated, a.rated_parts, a.claims, a.given) = (None, BTreeMap::new(), None, Vec::new());
        let Ok(Value::Object(fields)) = serde_json::to_value(&a) else {
            return Err(unreadable(format!("attempt `{}` is not a record", a.id)));
        };
        lines.put(&tagged("attempt", fields))
    })
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

/// Takes in one line: none for a line that is no record, else whether it was new or newer.
fn record(tx: &Connection, line: u64, text: &str, late: &mut sums::Late) -> Result<Option<bool>, Fault> {
    if text.trim().is_empty() && line > 1 {
        return Ok(None);
    }
    let Ok(Value::Object(mut fields)) = serde_json::from_str(text) else {
        return Err(Fault::Record("is not a JSON object".into()));
    };
    if line == 1 {
        return header(&fields).map(|()| None);
    }
    let Some(Value::String(kind)) = fields.remove("record") else {
        return Err(Fault::Record("names no `record`".into()));
    };
    if kind == "attempt" {
        return import_attempt(tx, fields, late).map(Some);
    }
    match TABLES.iter().find(|t| t.kind == kind) {
        Some(table) => import_row(tx, table, fields).map(Some),
        None => Err(Fault::Record(format!("record `{kind}` is unknown to this program"))),
    }
}

fn header(fields: &Map<String, Value>) -> Result<(), Fault> {
    match (fields.get("kind").and_then(Value::as_str), fields.get("format").and_then(Value::as_u64)) {
        (Some("infralens"), Some(FORMAT)) => Ok(()),
        (Some("infralens"), Some(newer)) if newer > FORMAT => {
            Err(Fault::Record(format!("is format {newer}, and this program reads up to {FORMAT}")))
        }
        _ => Err(Fault::Record("is not the first line of an infralens export".into())),
    }
}

fn import_attempt(tx: &Connection, fields: Map<String, Value>, late: &mut sums::Late) -> Result<bool, Fault> {
    let attempt: Attempt =
        serde_json::from_value(Value::Object(fields)).map_err(|e| Fault::Record(e.to_string()))?;
    let added = attempt::insert(tx, &attempt).map_err(Fault::Sql)?;
    if added {
        sums::add(tx, &attempt, late).map_err(Fault::Sql)?;
    }
    Ok(added)
}

fn import_row(tx: &Connection, table: &Table, fields: Map<String, Value>) -> Result<bool, Fault> {
    let key = fields.get("key").and_then(Value::as_str);
    if table.kind == "setting" && key.is_some_and(|key| OWN_SETTINGS.contains(&key)) {
        return Ok(false);
    }
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
    let mut put = tx.prepare_cached(&upsert(table, &names)).map_err(Fault::Sql)?;
    Ok(put.execute(params_from_iter(values)).map_err(Fault::Sql)? == 1)
}

fn upsert(table: &Table, names: &[String]) -> String {
    let marks: Vec<String> = (1..=names.len()).map(|n| format!("?{n}")).collect();
    let sets: Vec<String> = names.iter().map(|n| format!("{n} = excluded.{n}")).collect();
    let action = if table.rank.is_empty() {
        "NOTHING".to_string()
    } else {
        let new = ranked(table, names, "excluded");
        let old = ranked(table, names, table.name);
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
fn ranked(table: &Table, names: &[String], row: &str) -> String {
    let rank = table.rank.iter().map(|r| r.replace('$', row));
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
