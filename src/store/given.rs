//! What an instructor gave: marks of parts and remarks, beside those of the rules.
//!
//! The rules' marks stay as they were scored. The map of strengths and the schedule take the instructor's mark where
//! there is one: [`settle`] makes the cells anew, [`Store::regrade`] the cards.
//!
//! Joins say `CROSS` so that SQLite goes from the few things that were given to their attempts: left to itself it may
//! begin with the attempts of a pack, which are many.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use rusqlite::{Connection, params};
use serde::Deserialize;

use super::row::{from_json, grade_word, ms, time};
use super::{Store, StoreError, review, sums};
use crate::score::Verdict;
use crate::study::class::given::Given;
use crate::study::schedule::{Item, ItemKind, Schedule, grade_attempt};

/// What was given for the attempt of a row, as JSON; null where nothing was.
pub const COLUMN: &str = "(SELECT json_group_array(json_object('part', g.part, 'verdict', g.verdict,
    'remark', g.remark, 'by', g.by, 'at', g.at)) FROM given g WHERE g.attempt = a.id HAVING count(*) > 0)";

/// What came of taking in what an instructor gave.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TakenIn {
    /// Marks and remarks that are new, or newer than what was there.
    pub taken: usize,
    /// Those that were there already, or older.
    pub kept: usize,
    /// Those for answers that are not here.
    pub unknown: usize,
}

impl Store {
    /// Takes in what an instructor gave; of two for the same part the later counts. Doing it twice changes nothing more.
    /// The strengths follow; [`Store::regrade`] makes the cards follow too.
    pub fn take_given(&self, given: &[Given]) -> Result<TakenIn, StoreError> {
        self.write(|tx| {
            let mut done = TakenIn::default();
            let mut known = tx.prepare_cached("SELECT EXISTS (SELECT 1 FROM attempt WHERE id = ?1)")?;
            let mut put = tx.prepare_cached(
                "INSERT INTO given (attempt, part, verdict, remark, by, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                 ON CONFLICT (attempt, part) DO UPDATE
                 SET verdict = excluded.verdict, remark = excluded.remark, by = excluded.by, at = excluded.at
                 WHERE (excluded.at, coalesce(excluded.verdict, ''), excluded.remark, excluded.by)
                     > (given.at, coalesce(given.verdict, ''), given.remark, given.by)",
            )?;
            for g in given {
                if !known.query_row([&g.attempt], |row| row.get::<_, bool>(0))? {
                    done.unknown += 1;
                    continue;
                }
                let part = g.part.as_deref().unwrap_or_default();
                let verdict = g.verdict.map(Verdict::name);
                let changed = put.execute(params![g.attempt, part, verdict, g.remark, g.by, ms(g.at)])?;
                if changed == 1 { done.taken += 1 } else { done.kept += 1 }
            }
            if done.taken > 0 {
                settle(tx)?;
            }
            Ok(done)
        })
    }

    /// Gives each answer that an instructor marked the grade of those marks, where the learner gave it no other one,
    /// and its drill the card that follows. Says how many grades changed; doing it twice changes nothing more.
    pub fn regrade(&self, schedule: &Schedule) -> Result<usize, StoreError> {
        let ids: Vec<String> = self.read(|c| {
            c.prepare_cached(
                "SELECT DISTINCT a.id FROM given g CROSS JOIN attempt a ON a.id = g.attempt WHERE a.part IS NULL",
            )?
            .query_map([], |row| row.get(0))?
            .collect()
        })?;
        let mut changed = 0;
        for id in ids {
            let Some(attempt) = self.attempt(&id)? else { continue };
            let Some(grade) = grade_attempt(&attempt.as_graded()) else { continue };
            let item = Item { kind: ItemKind::Drill, id: attempt.drill.clone() };
            let is_new = self.write(|tx| {
                tx.prepare_cached(
                    "UPDATE review SET grade = ?5 WHERE pack = ?1 AND kind = ?2 AND item = ?3 AND at = ?4
                     AND overruled IS NULL AND grade <> ?5",
                )?
                .execute(params![
                    attempt.pack,
                    item.kind.as_str(),
                    item.id,
                    ms(attempt.at),
                    grade_word(grade)
                ])
            })?;
            if is_new == 0 {
                continue;
            }
            changed += 1;
            let log = self.reviews_of(&attempt.pack, &item)?;
            if let Some(card) = schedule.replay(&item, &log) {
                self.write(|tx| review::put(tx, &attempt.pack, &card))?;
            }
        }
        Ok(changed)
    }
}

impl Store {
    /// The rehearsals to whose answers an instructor gave marks.
    pub fn given_rehearsals(&self) -> Result<BTreeSet<String>, StoreError> {
        self.read(|c| {
            c.prepare_cached(
                "SELECT DISTINCT a.rehearsal FROM given g CROSS JOIN attempt a ON a.id = g.attempt
                 WHERE a.rehearsal IS NOT NULL AND g.part <> '' AND g.verdict IS NOT NULL",
            )?
            .query_map([], |row| row.get(0))?
            .collect()
        })
    }
}

/// Makes the cells anew that hold a mark of an instructor, or held one that was taken back.
pub fn settle(tx: &Connection) -> rusqlite::Result<()> {
    let cells: sums::Late = tx
        .prepare_cached(
            "SELECT DISTINCT a.pack, a.lesson, g.part FROM given g CROSS JOIN attempt a ON a.id = g.attempt
             WHERE g.part <> ''",
        )?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
        .collect::<rusqlite::Result<_>>()?;
    sums::settle(tx, &cells)
}

/// How many marks of each cell of a pack an instructor gave, and who, by lesson and part.
pub fn of_cells(c: &Connection, pack: &str) -> rusqlite::Result<BTreeMap<(String, String), (u64, String)>> {
    let mut query = c.prepare_cached(
        "SELECT lesson, part, sum(n), group_concat(by, ', ') FROM (
             SELECT a.lesson AS lesson, g.part AS part, g.by AS by, count(*) AS n
             FROM given g CROSS JOIN attempt a ON a.id = g.attempt
             CROSS JOIN part_score p ON p.attempt = a.seq AND p.part = g.part
             WHERE a.pack = ?1 AND g.verdict IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3)
         GROUP BY lesson, part",
    )?;
    let rows = query.query_map([pack], |row| {
        let marks: i64 = row.get(2)?;
        Ok(((row.get(0)?, row.get(1)?), (u64::try_from(marks).unwrap_or(0), row.get(3)?)))
    })?;
    rows.collect()
}

/// Something that was given, as [`COLUMN`] writes it; an empty part is the whole answer.
#[derive(Deserialize)]
struct Kept {
    part: String,
    verdict: Option<Verdict>,
    remark: String,
    by: String,
    at: i64,
}

/// What [`COLUMN`] wrote for an attempt: remarks on the whole first, then part by part.
pub fn read(attempt: &str, text: &str) -> rusqlite::Result<Vec<Given>> {
    let mut kept: Vec<Kept> = from_json(text)?;
    kept.sort_by(|a, b| a.part.cmp(&b.part));
    kept.into_iter().map(|kept| of(attempt, kept)).collect()
}

fn of(attempt: &str, kept: Kept) -> rusqlite::Result<Given> {
    let at: Timestamp = time(kept.at)?;
    let part = Some(kept.part).filter(|p| !p.is_empty());
    Ok(Given {
        attempt: attempt.to_owned(),
        part,
        verdict: kept.verdict,
        remark: kept.remark,
        by: kept.by,
        at,
    })
}
