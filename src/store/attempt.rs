//! Attempts, self ratings and disputes.

use std::collections::BTreeMap;

use jiff::Timestamp;
use rusqlite::{Connection, Row, params};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::row::{Readable, from_json, ms, readable, time, to_json, unreadable, verdict_word};
use super::{Store, StoreError, given, review, sums};
use crate::score::PartScore;
use crate::study::attempt::{Attempt, Claims};
use crate::study::rating::{Rated, Rating};
use crate::study::schedule::{self, Item, ItemKind, Schedule};

/// Which attempts to list. What is none is not asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Of this pack.
    pub pack: Option<String>,
    /// Of this lesson.
    pub lesson: Option<String>,
    /// Of this drill.
    pub drill: Option<String>,
    /// Of this rehearsal.
    pub rehearsal: Option<String>,
    /// At this time or later.
    pub since: Option<Timestamp>,
    /// Before this time.
    pub before: Option<Timestamp>,
    /// Answers to the whole question alone, to no single part of it.
    pub whole: bool,
}

/// What a dispute is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Target {
    /// The verdict of a part.
    Part,
    /// A key point, met or not.
    Point,
    /// A misconception.
    Misconception,
}

/// A learner's word against a mark.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Dispute {
    /// The id.
    pub id: String,
    /// The attempt's id.
    pub attempt: String,
    /// The pack's id.
    pub pack: String,
    /// The drill's id.
    pub drill: String,
    /// What kind of mark.
    pub target: Target,
    /// The id of the part, point or misconception.
    pub item: String,
    /// Why, in the learner's words; may be empty.
    pub note: String,
    /// The sentence of the answer that says it, where the learner named one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sentence: Option<String>,
    /// When.
    pub at: Timestamp,
}

fn columns() -> String {
    format!("{OWN}, {BESIDE}, {}", given::COLUMN)
}

/// What an attempt is by itself.
const OWN: &str =
    "a.id, a.pack, a.drill, a.lesson, a.at, a.mode, a.part, a.rehearsal, a.seconds, a.answer, a.score";

/// Where among these the marks are.
const SCORE: usize = 10;

/// What is kept beside it.
const BESIDE: &str = "r.rated, r.parts, c.claimed, c.verdicts";

const FROM: &str = "attempt a LEFT JOIN rating r ON r.attempt = a.id LEFT JOIN claim c ON c.attempt = a.id";

impl Store {
    /// Keeps an attempt, the sums it changes and, for a whole answer, the review that its marks
    /// make; its draft ends with it. One transaction. An attempt whose id is kept already is left
    /// as it is.
    pub fn record_attempt(&self, attempt: &Attempt, schedule: &Schedule) -> Result<(), StoreError> {
        let score = to_json(&attempt.score).map_err(|e| self.failed(e))?;
        self.write(|tx| {
            if insert(tx, attempt, &score)? {
                let mut held = sums::Held::default();
                held.add(tx, attempt)?;
                held.settle(tx)?;
                if let Some(grade) = schedule::grade_attempt(attempt) {
                    let item = Item { kind: ItemKind::Drill, id: attempt.drill.clone() };
                    review::grade(tx, &attempt.pack, &item, grade, (schedule, attempt.at))?;
                }
            }
            tx.execute("DELETE FROM draft WHERE id = ?1", [&attempt.id])?;
            Ok(())
        })
    }

    /// Keeps what the learner thought of an attempt, said before the reveal.
    pub fn rate_attempt(&self, id: &str, rating: &Rating, at: Timestamp) -> Result<(), StoreError> {
        self.write(|tx| rate(tx, id, rating, at))
    }

    /// The attempt with this id.
    pub fn attempt(&self, id: &str) -> Result<Option<Attempt>, StoreError> {
        self.read(|c| {
            c.prepare_cached(&format!("SELECT {} FROM {FROM} WHERE a.id = ?1", columns()))?
                .query_row([id], from_row)
                .readable()
        })
    }

    /// Attempts, the newest first.
    pub fn history(&self, filter: &Filter, limit: u32) -> Result<Vec<Attempt>, StoreError> {
        self.read(|c| {
            let mut found = Vec::new();
            each(c, filter, limit, |a| {
                found.push(a);
                Ok(true)
            })?;
            Ok(found)
        })
    }

    /// Calls back with attempts one by one, the newest first, until it gives false.
    pub fn each_attempt(
        &self,
        filter: &Filter,
        mut f: impl FnMut(Attempt) -> bool,
    ) -> Result<(), StoreError> {
        self.read(|c| each(c, filter, u32::MAX, |a| Ok(f(a))))
    }

    /// What the learner rated and what it got, of one pack, the rating that was given last first.
    pub fn ratings(&self, pack: &str, limit: u32) -> Result<Vec<Rated>, StoreError> {
        self.read(|c| {
            // `CROSS` goes through the ratings by their time, not through attempts that nobody rated
            let sql = format!(
                "SELECT {} FROM rating r CROSS JOIN attempt a ON a.id = r.attempt
                 LEFT JOIN claim c ON c.attempt = a.id
                 WHERE a.pack = ?1 ORDER BY r.at DESC, r.attempt DESC LIMIT ?2",
                columns()
            );
            let mut query = c.prepare_cached(&sql)?;
            let found: Vec<Attempt> = readable(query.query_map(params![pack, limit], from_row)?)?;
            Ok(found.iter().filter_map(Rated::of).collect())
        })
    }

    /// Keeps a dispute.
    pub fn dispute(&self, dispute: &Dispute) -> Result<(), StoreError> {
        let d = dispute;
        let target = target_word(d.target);
        self.write(|tx| {
            tx.execute(
                "INSERT OR REPLACE INTO dispute (id, attempt, pack, drill, target, item, note, at, sentence)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
                params![d.id, d.attempt, d.pack, d.drill, target, d.item, d.note, ms(d.at), d.sentence],
            )?;
            Ok(())
        })
    }

    /// Takes back what is disputed of a mark of an attempt. It stays on record as taken back, so that an older
    /// export does not bring it back.
    pub fn undo_dispute(&self, attempt: &str, item: &str, at: Timestamp) -> Result<(), StoreError> {
        self.write(|tx| {
            tx.execute(
                "UPDATE dispute SET undone = 1, at = max(at + 1, ?3)
                 WHERE attempt = ?1 AND item = ?2 AND undone = 0",
                params![attempt, item, ms(at)],
            )?;
            Ok(())
        })
    }

    /// The disputes of a pack that stand, the oldest first.
    pub fn disputes(&self, pack: &str) -> Result<Vec<Dispute>, StoreError> {
        self.read(|c| {
            readable(
                c.prepare_cached(
                    "SELECT id, attempt, pack, drill, target, item, note, at, sentence FROM dispute
                     WHERE pack = ?1 AND undone = 0 ORDER BY at, id",
                )?
                .query_map([pack], dispute_row)?,
            )
        })
    }
}

/// Puts an attempt and its part scores; false where its id is there already. `score` are its marks as JSON.
pub fn insert(tx: &Connection, a: &Attempt, score: &str) -> rusqlite::Result<bool> {
    let added = tx
        .prepare_cached(
            "INSERT INTO attempt
                (id, pack, drill, lesson, at, mode, part, rehearsal, seconds, answer, words, total, limiting, score)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14) ON CONFLICT (id) DO NOTHING",
        )?
        .execute(params![
            a.id,
            a.pack,
            a.drill,
            a.lesson,
            ms(a.at),
            a.mode.as_str(),
            a.part,
            a.rehearsal,
            a.seconds,
            a.answer,
            i64::try_from(a.score.words).unwrap_or(i64::MAX),
            a.total(),
            a.score.limiting_part,
            score
        ])?;
    if added == 0 {
        return Ok(false);
    }
    insert_parts(tx, tx.last_insert_rowid(), a)?;
    if let Some(rating) = a.rating() {
        rate(tx, &a.id, &rating, a.at)?;
    }
    Ok(true)
}

/// So many parts are put with one statement at most.
const AT_ONCE: usize = 5;

/// The statements for one part, for two, and so on.
const PARTS: [&str; AT_ONCE] = [
    "INSERT INTO part_score VALUES (?1, ?2, ?3, ?4)",
    "INSERT INTO part_score VALUES (?1, ?2, ?3, ?4), (?1, ?5, ?6, ?7)",
    "INSERT INTO part_score VALUES (?1, ?2, ?3, ?4), (?1, ?5, ?6, ?7), (?1, ?8, ?9, ?10)",
    "INSERT INTO part_score VALUES (?1, ?2, ?3, ?4), (?1, ?5, ?6, ?7), (?1, ?8, ?9, ?10), (?1, ?11, ?12, ?13)",
    "INSERT INTO part_score VALUES (?1, ?2, ?3, ?4), (?1, ?5, ?6, ?7), (?1, ?8, ?9, ?10), (?1, ?11, ?12, ?13), \
     (?1, ?14, ?15, ?16)",
];

/// Puts the marks of the parts: one row a part, and no REPLACE: SQLite would keep a copy of each page, so that it can take
/// it back.
fn insert_parts(tx: &Connection, seq: i64, a: &Attempt) -> rusqlite::Result<()> {
    let marks: BTreeMap<&str, &PartScore> = a.marks().map(|mark| (mark.part.as_str(), mark)).collect();
    let marks: Vec<(&str, &PartScore)> = marks.into_iter().collect();
    for some in marks.chunks(AT_ONCE) {
        let mut put = tx.prepare_cached(PARTS[some.len() - 1])?;
        put.raw_bind_parameter(1, seq)?;
        for (nth, (part, mark)) in some.iter().enumerate() {
            put.raw_bind_parameter(3 * nth + 2, part)?;
            put.raw_bind_parameter(3 * nth + 3, verdict_word(mark.verdict))?;
            put.raw_bind_parameter(3 * nth + 4, mark.score)?;
        }
        put.raw_execute()?;
    }
    Ok(())
}

/// Calls back with each attempt that the filter lets through, the newest first, until it gives
/// false.
fn each(
    c: &Connection,
    filter: &Filter,
    limit: u32,
    mut f: impl FnMut(Attempt) -> rusqlite::Result<bool>,
) -> rusqlite::Result<()> {
    let mut wheres = vec!["1".to_string()];
    let mut values: Vec<&dyn rusqlite::ToSql> = Vec::new();
    let since = filter.since.map(ms);
    let before = filter.before.map(ms);
    let asked: [(&str, Option<&dyn rusqlite::ToSql>); 6] = [
        ("a.pack =", filter.pack.as_ref().map(|v| v as _)),
        ("a.lesson =", filter.lesson.as_ref().map(|v| v as _)),
        ("a.drill =", filter.drill.as_ref().map(|v| v as _)),
        ("a.rehearsal =", filter.rehearsal.as_ref().map(|v| v as _)),
        ("a.at >=", since.as_ref().map(|v| v as _)),
        ("a.at <", before.as_ref().map(|v| v as _)),
    ];
    for (test, value) in asked {
        if let Some(value) = value {
            values.push(value);
            wheres.push(format!("{test} ?{}", values.len()));
        }
    }
    if filter.whole {
        wheres.push("a.part IS NULL".into());
    }
    values.push(&limit);
    let sql = format!(
        "SELECT {} FROM {FROM} WHERE {} ORDER BY a.at DESC, a.id DESC LIMIT ?{}",
        columns(),
        wheres.join(" AND "),
        values.len()
    );
    let mut query = c.prepare_cached(&sql)?;
    let mut rows = query.query(values.as_slice())?;
    while let Some(row) = rows.next()? {
        if let Some(attempt) = from_row(row).readable()?
            && !f(attempt)?
        {
            break;
        }
    }
    Ok(())
}

/// An attempt as its row holds it: the marks are still text. To understand them takes longer than to read the row, and
/// needs no store.
pub struct Kept {
    attempt: Attempt,
    score: String,
}

impl Kept {
    /// How many bytes of text it has, about.
    pub fn bytes(&self) -> usize {
        self.attempt.answer.len() + self.score.len()
    }

    /// The attempt; none where its marks cannot be read.
    pub fn understood(self) -> Option<Attempt> {
        let score = serde_json::from_str(&self.score).ok()?;
        Some(Attempt { score, ..self.attempt })
    }
}

/// Calls back with every attempt, pack by pack, the oldest first; without what was said of it by the learner or an
/// instructor.
pub fn oldest_first(c: &Connection, mut f: impl FnMut(Kept) -> rusqlite::Result<()>) -> rusqlite::Result<()> {
    let mut query = c.prepare(&format!("SELECT {OWN} FROM attempt a ORDER BY a.pack, a.at, a.id"))?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let kept = || Ok(Kept { attempt: unmarked(row)?, score: row.get(SCORE)? });
        if let Some(kept) = kept().readable()? {
            f(kept)?;
        }
    }
    Ok(())
}

fn rate(tx: &Connection, id: &str, rating: &Rating, at: Timestamp) -> rusqlite::Result<()> {
    let parts = match rating.parts.is_empty() {
        true => None,
        false => Some(to_json(&rating.parts)?),
    };
    tx.execute(
        "INSERT INTO rating (attempt, rated, at, parts) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT DO UPDATE SET rated = ?2, at = ?3, parts = ?4 WHERE ?3 >= at",
        params![id, rating.whole.clamp(0.0, 1.0), ms(at), parts],
    )?;
    Ok(())
}

/// A column of JSON; none where it is empty or cannot be read.
fn json<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> Option<T> {
    row.get_ref(column).ok()?.as_str().ok().and_then(|text| serde_json::from_str(text).ok())
}

/// The attempt of a row with the columns of [`OWN`].
fn by_itself(row: &Row) -> rusqlite::Result<Attempt> {
    Ok(Attempt { score: from_json(row.get_ref(SCORE)?.as_str()?)?, ..unmarked(row)? })
}

/// The same without its marks.
fn unmarked(row: &Row) -> rusqlite::Result<Attempt> {
    Ok(Attempt {
        id: row.get(0)?,
        pack: row.get(1)?,
        drill: row.get(2)?,
        lesson: row.get(3)?,
        at: time(row.get(4)?)?,
        mode: row.get_ref(5)?.as_str()?.parse().map_err(|e: String| unreadable(e))?,
        part: row.get(6)?,
        rehearsal: row.get(7)?,
        seconds: row.get(8)?,
        answer: row.get(9)?,
        ..Attempt::default()
    })
}

/// The attempt of a row with all [`columns`].
fn from_row(row: &Row) -> rusqlite::Result<Attempt> {
    Ok(Attempt {
        rated: row.get(11)?,
        // what was said of an answer hides it from nobody, be it readable or not
        rated_parts: json(row, 12).unwrap_or_default(),
        claims: json(row, 13).zip(json(row, 14)).map(|(claimed, verdicts)| Claims { claimed, verdicts }),
        given: match row.get_ref(15)?.as_str() {
            Ok(text) => given::read(row.get_ref(0)?.as_str()?, text).unwrap_or_default(),
            Err(_) => Vec::new(),
        },
        ..by_itself(row)?
    })
}

fn dispute_row(row: &Row) -> rusqlite::Result<Dispute> {
    let word: String = row.get(4)?;
    let target = [Target::Part, Target::Point, Target::Misconception]
        .into_iter()
        .find(|t| target_word(*t) == word)
        .ok_or_else(|| unreadable(format!("`{word}` cannot be disputed")))?;
    Ok(Dispute {
        id: row.get(0)?,
        attempt: row.get(1)?,
        pack: row.get(2)?,
        drill: row.get(3)?,
        target,
        item: row.get(5)?,
        note: row.get(6)?,
        at: time(row.get(7)?)?,
        sentence: row.get(8)?,
    })
}

fn target_word(target: Target) -> &'static str {
    match target {
        Target::Part => "part",
        Target::Point => "point",
        Target::Misconception => "misconception",
    }
}
