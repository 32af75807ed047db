//! Between columns and values.

use std::error::Error;

use jiff::Timestamp;
use rusqlite::Row;
use rusqlite::types::Type;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::score::Verdict;
use crate::study::schedule::{Grade, ItemKind};

/// Milliseconds since 1970.
pub fn ms(at: Timestamp) -> i64 {
    at.as_millisecond()
}

/// The time of some milliseconds since 1970.
pub fn time(ms: i64) -> rusqlite::Result<Timestamp> {
    Timestamp::from_millisecond(ms).map_err(unreadable)
}

/// A column that counts something; less than nothing is nothing.
pub fn count(row: &Row, column: usize) -> rusqlite::Result<u64> {
    Ok(row.get::<_, i64>(column)?.max(0).cast_unsigned())
}

/// A value as JSON.
pub fn to_json(value: &impl Serialize) -> rusqlite::Result<String> {
    serde_json::to_string(value).map_err(|e| rusqlite::Error::ToSqlConversionFailure(e.into()))
}

/// A value from JSON.
pub fn from_json<T: DeserializeOwned>(text: &str) -> rusqlite::Result<T> {
    serde_json::from_str(text).map_err(unreadable)
}

/// An error for a column that holds what it should not.
pub fn unreadable(error: impl Into<Box<dyn Error + Send + Sync>>) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, Type::Text, error.into())
}

/// What a row gives where it can be read. A row that holds what it should not stays where it is and is passed over:
/// it keeps nobody from the others.
pub trait Readable<T> {
    /// The value; none where there is no row, or one that cannot be read.
    ///
    /// # Errors
    /// Whatever else goes wrong.
    fn readable(self) -> rusqlite::Result<Option<T>>;
}

impl<T> Readable<T> for rusqlite::Result<T> {
    fn readable(self) -> rusqlite::Result<Option<T>> {
        use rusqlite::Error::{
            FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType, QueryReturnedNoRows,
            Utf8Error,
        };
        match self {
            Ok(value) => Ok(Some(value)),
            Err(
                FromSqlConversionFailure(..)
                | IntegralValueOutOfRange(..)
                | InvalidColumnType(..)
                | Utf8Error(..)
                | QueryReturnedNoRows,
            ) => Ok(None),
            Err(other) => Err(other),
        }
    }
}

/// Those of some rows that can be read.
pub fn readable<T, C: FromIterator<T>>(
    rows: impl Iterator<Item = rusqlite::Result<T>>,
) -> rusqlite::Result<C> {
    rows.filter_map(|row| row.readable().transpose()).collect()
}

/// The word for a verdict.
pub fn verdict_word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Missing => "missing",
        Verdict::Partial => "partial",
        Verdict::Covered => "covered",
    }
}

/// The kind of a word.
pub fn kind(word: &str) -> rusqlite::Result<ItemKind> {
    [ItemKind::Drill, ItemKind::Check, ItemKind::Note]
        .into_iter()
        .find(|k| k.as_str() == word)
        .ok_or_else(|| unreadable(format!("`{word}` is not a kind of card")))
}

/// The word for a grade.
pub fn grade_word(grade: Grade) -> &'static str {
    match grade {
        Grade::Again => "again",
        Grade::Hard => "hard",
        Grade::Good => "good",
        Grade::Easy => "easy",
    }
}

/// The grade of a word.
pub fn grade(word: &str) -> rusqlite::Result<Grade> {
    [Grade::Again, Grade::Hard, Grade::Good, Grade::Easy]
        .into_iter()
        .find(|g| grade_word(*g) == word)
        .ok_or_else(|| unreadable(format!("`{word}` is not a grade")))
}
