//! What Home shows, from sums and small tables alone: its cost does not grow with the attempts.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use rusqlite::{Connection, params};

use super::row::{count, ms, time};
use super::sums::{QUARTER, recent};
use super::{Store, StoreError, place, rehearsal, review};
use crate::study::day::{self, Day};
use crate::study::home::{Activity, Home, LessonProgress};
use crate::study::strength::{Cell, Strengths};

impl Store {
    /// Everything that Home shows of a pack. `zone` is where the learner's days begin.
    pub fn home(&self, pack: &str, now: Timestamp, zone: &TimeZone) -> Result<Home, StoreError> {
        let today = day::day(now, zone);
        self.read(|c| {
            Ok(Home {
                place: place::last(c, pack)?,
                drafts: self.free_drafts(c, pack)?,
                unfinished: self.unfinished(c, pack)?,
                rehearsed: rehearsal::finished(c, pack, 1)?.pop(),
                due: review::due(c, pack, today.end)?,
                lessons: lessons(c, pack)?,
                answered: answered(c, pack)?,
                strengths: strengths(c, pack)?,
                today: activity(c, pack, today.start, today.end)?,
                attempts: attempts(c, pack, "attempts")?,
                alone: attempts(c, pack, "alone")?,
            })
        })
    }

    /// The lessons x parts map of a pack.
    pub fn strengths(&self, pack: &str) -> Result<Strengths, StoreError> {
        self.read(|c| strengths(c, pack))
    }

    /// What was done on each of some days, see [`day::days_until`].
    pub fn days(&self, pack: &str, days: &[Day]) -> Result<Vec<Activity>, StoreError> {
        self.read(|c| days.iter().map(|d| activity(c, pack, d.start, d.end)).collect())
    }
}

fn lessons(c: &Connection, pack: &str) -> rusqlite::Result<BTreeMap<String, LessonProgress>> {
    let mut lessons: BTreeMap<String, LessonProgress> = BTreeMap::new();
    let mut query = c.prepare_cached(
        "SELECT lesson, item, kind FROM done WHERE pack = ?1 AND done = 1 AND kind <> 'note'",
    )?;
    let mut rows = query.query([pack])?;
    while let Some(row) = rows.next()? {
        let lesson = lessons.entry(row.get(0)?).or_default();
        match row.get_ref(2)?.as_str()? {
            "section" => lesson.read = true,
            _ => lesson.labs.push(row.get(1)?),
        }
    }
    let mut query = c.prepare_cached(
        "SELECT lesson, count(*) FROM done WHERE pack = ?1 AND kind = 'note' AND done = 1 GROUP BY lesson",
    )?;
    let mut rows = query.query([pack])?;
    while let Some(row) = rows.next()? {
        lessons.entry(row.get(0)?).or_default().notes = count(row, 1)?;
    }
    let mut query = c.prepare_cached(
        "SELECT lesson, sum(whole > 0 AND best > 0), avg(last) FROM drill_sum WHERE pack = ?1 GROUP BY lesson",
    )?;
    let mut rows = query.query([pack])?;
    while let Some(row) = rows.next()? {
        let lesson = lessons.entry(row.get(0)?).or_default();
        (lesson.drills, lesson.mean) = (count(row, 1)?, row.get(2)?);
    }
    let mut query = c.prepare_cached(
        "SELECT lesson, sum(last), count(*) FROM check_sum WHERE pack = ?1 GROUP BY lesson",
    )?;
    let mut rows = query.query([pack])?;
    while let Some(row) = rows.next()? {
        let lesson = lessons.entry(row.get(0)?).or_default();
        (lesson.checks, lesson.checks_tried) = (count(row, 1)?, count(row, 2)?);
    }
    Ok(lessons)
}

fn answered(c: &Connection, pack: &str) -> rusqlite::Result<BTreeMap<String, Timestamp>> {
    c.prepare_cached("SELECT drill, last_at FROM drill_sum WHERE pack = ?1 AND last_at IS NOT NULL")?
        .query_map([pack], |row| Ok((row.get(0)?, time(row.get(1)?)?)))?
        .collect()
}

fn strengths(c: &Connection, pack: &str) -> rusqlite::Result<Strengths> {
    let cells = c
        .prepare_cached(
            "SELECT lesson, part, answers, weight, marks, recent, claimed FROM strength WHERE pack = ?1
             ORDER BY lesson, part",
        )?
        .query_map([pack], |row| {
            Ok(Cell {
                lesson: row.get(0)?,
                part: row.get(1)?,
                answers: count(row, 2)?,
                weight: row.get(3)?,
                marks: row.get(4)?,
                recent: recent(row.get_ref(5)?.as_str()?),
                claimed: count(row, 6)?,
            })
        })?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    Ok(Strengths { cells })
}

fn activity(c: &Connection, pack: &str, from: Timestamp, to: Timestamp) -> rusqlite::Result<Activity> {
    let quarter = |at: Timestamp| ms(at).div_euclid(QUARTER);
    c.prepare_cached(
        "SELECT coalesce(sum(attempts), 0), coalesce(sum(seconds), 0), coalesce(sum(totals), 0.0)
         FROM activity WHERE pack = ?1 AND quarter >= ?2 AND quarter < ?3",
    )?
    .query_row(params![pack, quarter(from), quarter(to)], |row| {
        Ok(Activity { attempts: count(row, 0)?, seconds: count(row, 1)?, totals: row.get(2)? })
    })
}

fn attempts(c: &Connection, pack: &str, which: &str) -> rusqlite::Result<u64> {
    let sql = format!("SELECT coalesce(sum({which}), 0) FROM drill_sum WHERE pack = ?1");
    c.prepare_cached(&sql)?.query_row([pack], |row| count(row, 0))
}
