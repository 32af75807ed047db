//! The sums that Home reads, kept in the transaction that changes what they sum.
//!
//! An attempt newer than all before it is added to the sums. One that comes late, from an import
//! or because the clock was set back, has the sums it touches made anew.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::{Connection, OptionalExtension, params};

use super::row::{count, ms, verdict_word};
use crate::score::Verdict;
use crate::study::attempt::{Attempt, Mode};
use crate::study::strength::{Cell, Mark, RECENT};

/// Marks older than the newest this many weigh less than rounding does.
const REMEMBERED: i64 = 200;

/// A quarter of an hour in milliseconds: all time zones in use differ by whole quarters.
pub const QUARTER: i64 = 15 * 60 * 1000;

/// Cells (pack, lesson, part) that got a mark older than their newest.
pub type Late = BTreeSet<(String, String, String)>;

/// So many attempts are held at most before their sums are written.
const HELD: usize = 10_000;

/// What the attempts of a transaction add to the sums, held until all of them are there: some hundreds of sums stand
/// for a million attempts.
#[derive(Default)]
pub struct Held {
    packs: BTreeMap<String, OfPack>,
    attempts: usize,
    late: Late,
}

/// What is held of a pack: cells by lesson and part, drills by id, quarters of an hour by number.
#[derive(Default)]
struct OfPack {
    cells: BTreeMap<String, BTreeMap<String, Dated>>,
    drills: BTreeMap<String, Drill>,
    quarters: BTreeMap<i64, Quarter>,
}

/// A cell, and the time of its newest mark.
struct Dated {
    cell: Cell,
    newest: Option<i64>,
}

/// What is added to the sum of a drill.
#[derive(Default)]
struct Drill {
    lesson: String,
    attempts: i64,
    whole: i64,
    alone: i64,
    seconds: i64,
    best: Option<f64>,
    last: Option<Last>,
}

/// The newest answer to the whole of a drill.
#[derive(Default)]
struct Last {
    at: i64,
    id: String,
    total: f64,
}

/// What is added to what was done in a quarter of an hour.
#[derive(Default)]
struct Quarter {
    attempts: i64,
    seconds: i64,
    totals: f64,
}

impl Held {
    /// Adds a new attempt to all sums. The attempt's own rows are there already.
    pub fn add(&mut self, tx: &Connection, attempt: &Attempt) -> rusqlite::Result<()> {
        if self.attempts >= HELD {
            self.write(tx)?;
        }
        self.attempts += 1;
        let pack = of(&mut self.packs, &attempt.pack);
        pack.quarters.entry(ms(attempt.at).div_euclid(QUARTER)).or_default().add(attempt);
        of(&mut pack.drills, &attempt.drill).add(attempt);
        let cells = of(&mut pack.cells, &attempt.lesson);
        for part in attempt.marks() {
            if !cells.contains_key(&part.part) {
                let dated = cell(tx, &attempt.pack, &attempt.lesson, &part.part)?;
                cells.insert(part.part.clone(), dated);
            }
            let dated = cells.get_mut(&part.part).expect("it is put in above");
            let at = Some(ms(attempt.at));
            if dated.newest >= at {
                self.late.insert((attempt.pack.clone(), attempt.lesson.clone(), part.part.clone()));
            }
            dated.cell.add(Mark { verdict: part.verdict, score: part.score });
            dated.newest = dated.newest.max(at);
        }
        Ok(())
    }

    fn write(&mut self, tx: &Connection) -> rusqlite::Result<()> {
        self.attempts = 0;
        for (pack, held) in std::mem::take(&mut self.packs) {
            for dated in held.cells.values().flat_map(BTreeMap::values) {
                put(tx, &pack, &dated.cell, dated.newest.unwrap_or_default())?;
            }
            for (drill, sum) in &held.drills {
                sum.write(tx, &pack, drill)?;
            }
            for (quarter, sum) in &held.quarters {
                sum.write(tx, &pack, *quarter)?;
            }
        }
        Ok(())
    }

    /// Writes the sums, and makes those cells anew that got a mark older than their newest.
    pub fn settle(mut self, tx: &Connection) -> rusqlite::Result<()> {
        self.write(tx)?;
        settle(tx, &self.late)
    }
}

/// The value of a key, made where it is missing. The key is copied only then.
fn of<'m, V: Default>(map: &'m mut BTreeMap<String, V>, key: &str) -> &'m mut V {
    if !map.contains_key(key) {
        map.insert(key.to_owned(), V::default());
    }
    map.get_mut(key).expect("it is put in above")
}

impl Drill {
    fn add(&mut self, a: &Attempt) {
        self.lesson.clone_from(&a.lesson);
        self.attempts += 1;
        self.alone += i64::from(a.mode == Mode::Part);
        self.seconds += i64::from(a.seconds);
        if a.part.is_some() {
            return;
        }
        self.whole += 1;
        self.best = Some(self.best.map_or(a.total(), |best| best.max(a.total())));
        let is_newest = self.last.as_ref().is_none_or(|last| (last.at, &last.id) < (ms(a.at), &a.id));
        if is_newest {
            let last = self.last.get_or_insert_default();
            (last.at, last.total) = (ms(a.at), a.total());
            last.id.clone_from(&a.id);
        }
    }

    fn write(&self, tx: &Connection, pack: &str, drill: &str) -> rusqlite::Result<()> {
        tx.prepare_cached(
            "INSERT INTO drill_sum (pack, drill, lesson, attempts, whole, alone, seconds, best)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
             ON CONFLICT DO UPDATE SET lesson = ?3, attempts = attempts + ?4, whole = whole + ?5,
                 alone = alone + ?6, seconds = seconds + ?7, best = max(coalesce(best, ?8), coalesce(?8, best))",
        )?
        .execute(params![
            pack,
            drill,
            self.lesson,
            self.attempts,
            self.whole,
            self.alone,
            self.seconds,
            self.best
        ])?;
        let Some(last) = &self.last else { return Ok(()) };
        tx.prepare_cached(
            "UPDATE drill_sum SET last = ?3, last_id = ?4, last_at = ?5
             WHERE pack = ?1 AND drill = ?2 AND (last_at IS NULL OR (last_at, last_id) < (?5, ?4))",
        )?
        .execute(params![pack, drill, last.total, last.id, last.at])?;
        Ok(())
    }
}

impl Quarter {
    fn add(&mut self, a: &Attempt) {
        self.attempts += 1;
        self.seconds += i64::from(a.seconds);
        self.totals += a.total();
    }

    fn write(&self, tx: &Connection, pack: &str, quarter: i64) -> rusqlite::Result<()> {
        tx.prepare_cached(
            "INSERT INTO activity (pack, quarter, attempts, seconds, totals) VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT DO UPDATE SET attempts = attempts + ?3, seconds = seconds + ?4, totals = totals + ?5",
        )?
        .execute(params![pack, quarter, self.attempts, self.seconds, self.totals])?;
        Ok(())
    }
}

/// Makes the noted cells anew from their newest marks.
pub fn settle(tx: &Connection, late: &Late) -> rusqlite::Result<()> {
    for (pack, lesson, part) in late {
        if let Dated { cell: old, newest: Some(newest) } = cell(tx, pack, lesson, part)? {
            put(tx, pack, &remembered(tx, pack, &old)?, newest)?;
        }
    }
    Ok(())
}

fn cell(tx: &Connection, pack: &str, lesson: &str, part: &str) -> rusqlite::Result<Dated> {
    let found = tx
        .prepare_cached(
            "SELECT answers, weight, marks, recent, newest FROM strength
             WHERE pack = ?1 AND lesson = ?2 AND part = ?3",
        )?
        .query_row(params![pack, lesson, part], |row| {
            let mut cell = Cell::new(lesson, part);
            cell.answers = count(row, 0)?;
            cell.weight = row.get(1)?;
            cell.marks = row.get(2)?;
            cell.recent = recent(row.get_ref(3)?.as_str()?);
            Ok(Dated { cell, newest: Some(row.get(4)?) })
        })
        .optional()?;
    Ok(found.unwrap_or_else(|| Dated { cell: Cell::new(lesson, part), newest: None }))
}

/// A cell made anew from its newest marks.
fn remembered(tx: &Connection, pack: &str, old: &Cell) -> rusqlite::Result<Cell> {
    let mut marks = tx
        .prepare_cached(
            r#"SELECT p.verdict, p.score, g.verdict,
                 CASE WHEN json_valid(c.verdicts) THEN json_extract(c.verdicts, '$."' || p.part || '"') END
             FROM attempt a JOIN part_score p ON p.attempt = a.seq AND p.part = ?3
             LEFT JOIN given g ON g.attempt = a.id AND g.part = p.part
             LEFT JOIN claim c ON c.attempt = a.id
             WHERE a.pack = ?1 AND a.lesson = ?2
             ORDER BY a.at DESC, a.id DESC LIMIT ?4"#,
        )?
        .query_map(params![pack, old.lesson, old.part, REMEMBERED], |row| {
            let rules = Mark { verdict: verdict(row.get_ref(0)?.as_str()?), score: row.get(1)? };
            let word =
                |at: usize| -> rusqlite::Result<_> { Ok(row.get_ref(at)?.as_str_or_null()?.map(verdict)) };
            Ok(Mark::counted(rules, word(3)?, word(2)?))
        })?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    marks.reverse();
    let mut cell = Cell::new(&old.lesson, &old.part);
    marks.into_iter().for_each(|m| cell.add(m));
    cell.answers = old.answers;
    Ok(cell)
}

fn put(tx: &Connection, pack: &str, cell: &Cell, newest: i64) -> rusqlite::Result<()> {
    // what is claimed is counted by the claims themselves
    tx.prepare_cached(
        "INSERT INTO strength (pack, lesson, part, answers, weight, marks, recent, newest)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
         ON CONFLICT DO UPDATE SET answers = ?4, weight = ?5, marks = ?6, recent = ?7, newest = ?8",
    )?
    .execute(params![
        pack,
        cell.lesson,
        cell.part,
        i64::try_from(cell.answers).unwrap_or(i64::MAX),
        cell.weight,
        cell.marks,
        recent_text(&cell.recent),
        newest
    ])?;
    Ok(())
}

/// The newest marks as words: the verdict's first letter and the score in thousandths.
fn recent_text(marks: &[Mark]) -> String {
    let words = marks.iter().map(|m| {
        let letter = &verdict_word(m.verdict)[..1];
        format!("{letter}{}", (m.score * 1000.0).round())
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The marks of [`recent_text`]; words that are none are left out.
pub fn recent(text: &str) -> Vec<Mark> {
    let mark = |word: &str| {
        let score: f64 = word.get(1..)?.parse().ok()?;
        Some(Mark { verdict: verdict(word), score: score / 1000.0 })
    };
    text.split(' ').filter_map(mark).take(RECENT).collect()
}

fn verdict(word: &str) -> Verdict {
    match word.as_bytes().first() {
        Some(b'c') => Verdict::Covered,
        Some(b'p') => Verdict::Partial,
        _ => Verdict::Missing,
    }
}
