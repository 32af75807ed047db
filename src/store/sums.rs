//! The sums that Home reads, kept in the transaction that changes what they sum.
//!
//! An attempt newer than all before it is added to the sums. One that comes late, from an import
//! or because the clock was set back, has the sums it touches made anew.

use std::collections::btree_map::Entry;
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

/// So many cells are held at most before they are written.
const HELD: usize = 10_000;

/// Cells (pack, lesson, part) with the time of their newest mark, held until all attempts of a transaction are there:
/// some dozens of cells stand for a million marks.
#[derive(Default)]
pub struct Cells {
    held: BTreeMap<(String, String, String), (Cell, i64)>,
    late: Late,
}

impl Cells {
    /// Adds a new attempt to all sums; the cells follow with [`Cells::settle`]. The attempt's own rows are there
    /// already.
    pub fn add(&mut self, tx: &Connection, attempt: &Attempt) -> rusqlite::Result<()> {
        add_activity(tx, attempt)?;
        add_drill(tx, attempt)?;
        for part in attempt.marks() {
            let mark = Mark { verdict: part.verdict, score: part.score };
            self.add_mark(tx, (attempt, &part.part), mark)?;
        }
        Ok(())
    }

    fn add_mark(&mut self, tx: &Connection, (a, part): (&Attempt, &str), mark: Mark) -> rusqlite::Result<()> {
        if self.held.len() >= HELD {
            self.write(tx)?;
        }
        let key = (a.pack.clone(), a.lesson.clone(), part.to_owned());
        let (cell, newest) = match self.held.entry(key.clone()) {
            Entry::Occupied(held) => held.into_mut(),
            Entry::Vacant(free) => {
                let (cell, newest) = cell(tx, &a.pack, &a.lesson, part)?;
                free.insert((cell, newest.unwrap_or(i64::MIN)))
            }
        };
        if *newest >= ms(a.at) {
            self.late.insert(key);
        }
        cell.add(mark);
        *newest = ms(a.at).max(*newest);
        Ok(())
    }

    fn write(&mut self, tx: &Connection) -> rusqlite::Result<()> {
        for ((pack, ..), (cell, newest)) in std::mem::take(&mut self.held) {
            put(tx, &pack, &cell, newest)?;
        }
        Ok(())
    }

    /// Writes the cells, and makes those anew that got a mark older than their newest.
    pub fn settle(mut self, tx: &Connection) -> rusqlite::Result<()> {
        self.write(tx)?;
        settle(tx, &self.late)
    }
}

/// Makes the noted cells anew from their newest marks.
pub fn settle(tx: &Connection, late: &Late) -> rusqlite::Result<()> {
    for (pack, lesson, part) in late {
        if let (old, Some(newest)) = cell(tx, pack, lesson, part)? {
            put(tx, pack, &remembered(tx, pack, &old)?, newest)?;
        }
    }
    Ok(())
}

fn add_activity(tx: &Connection, a: &Attempt) -> rusqlite::Result<()> {
    tx.prepare_cached(
        "INSERT INTO activity (pack, quarter, attempts, seconds, totals) VALUES (?1, ?2, 1, ?3, ?4)
         ON CONFLICT DO UPDATE SET attempts = attempts + 1, seconds = seconds + ?3, totals = totals + ?4",
    )?
    .execute(params![a.pack, ms(a.at).div_euclid(QUARTER), a.seconds, a.total()])?;
    Ok(())
}

fn add_drill(tx: &Connection, a: &Attempt) -> rusqlite::Result<()> {
    let whole = a.part.is_none();
    let total = whole.then(|| a.total());
    tx.prepare_cached(
        "INSERT INTO drill_sum (pack, drill, lesson, attempts, whole, seconds, best, last, last_id, last_at, alone)
         VALUES (?1, ?2, ?3, 1, ?4, ?5, ?6, ?6, ?7, ?8, ?9)
         ON CONFLICT DO UPDATE SET lesson = ?3, attempts = attempts + 1, whole = whole + ?4,
             alone = alone + ?9, seconds = seconds + ?5, best = max(coalesce(best, ?6), coalesce(?6, best))",
    )?
    .execute(params![
        a.pack,
        a.drill,
        a.lesson,
        whole,
        a.seconds,
        total,
        whole.then_some(&a.id),
        whole.then(|| ms(a.at)),
        a.mode == Mode::Part
    ])?;
    if whole {
        tx.prepare_cached(
            "UPDATE drill_sum SET last = ?3, last_id = ?4, last_at = ?5
             WHERE pack = ?1 AND drill = ?2 AND (last_at IS NULL OR (last_at, last_id) < (?5, ?4))",
        )?
        .execute(params![a.pack, a.drill, total, a.id, ms(a.at)])?;
    }
    Ok(())
}

fn cell(tx: &Connection, pack: &str, lesson: &str, part: &str) -> rusqlite::Result<(Cell, Option<i64>)> {
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
            Ok((cell, Some(row.get(4)?)))
        })
        .optional()?;
    Ok(found.unwrap_or_else(|| (Cell::new(lesson, part), None)))
}

/// A cell made anew from its newest marks.
fn remembered(tx: &Connection, pack: &str, old: &Cell) -> rusqlite::Result<Cell> {
    let mut marks = tx
        .prepare_cached(
            // an instructor's mark counts instead of that of the rules
            "SELECT coalesce(g.verdict, p.verdict),
                 CASE g.verdict WHEN 'covered' THEN 1.0 WHEN 'partial' THEN 0.5 WHEN 'missing' THEN 0.0 ELSE p.score END
             FROM attempt a JOIN part_score p ON p.attempt = a.seq AND p.part = ?3
             LEFT JOIN given g ON g.attempt = a.id AND g.part = p.part
             WHERE a.pack = ?1 AND a.lesson = ?2
             ORDER BY a.at DESC, a.id DESC LIMIT ?4",
        )?
        .query_map(params![pack, old.lesson, old.part, REMEMBERED], |row| {
            Ok(Mark { verdict: verdict(row.get_ref(0)?.as_str()?), score: row.get(1)? })
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
