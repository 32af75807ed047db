//! What Home shows, from sums and small tables alone: its cost does not grow with the attempts.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use rusqlite::{Connection, params};

use super::row::{count, ms, time};
use super::sums::{QUARTER, recent};
use super::{Store, StoreError, given, place, rehearsal, review};
use crate::study::day::{self, Day};
use crate::study::home::{Activity, Home, LessonProgress};
use crate::study::posting::Posting;
use crate::study::strength::{Cell, Strengths};

impl Store {
    /// Everything that Home shows of a pack. `zone` is where the learner's days begin.
    pub fn home(&self, pack: &str, now: Timestamp, zone: &TimeZone) -> Result<Home, StoreError> {
        let today = day::day(now, zone);
        self.read(|c| {
            // one view of the file, taken and given back once; dropping it ends it
            let _view = c.unchecked_transaction()?;
            let sums = drill_sums(c, pack)?;
            let lessons = lessons(c, pack, &sums)?;
            let unfinished = self.unfinished(c, pack)?;
            Ok(Home {
                place: place::last(c, pack)?,
                drafts: self.free_drafts(c, pack)?,
                broken_off: unfinished.as_ref().and_then(|(_, at)| *at),
                unfinished: unfinished.map(|(id, _)| id),
                rehearsed: rehearsal::finished(c, pack, 1)?.pop(),
                due: review::due(c, pack, today.end)?,
                begun_labs: place::begun(c, pack)?
                    .into_iter()
                    .filter(|(lab, _)| lessons.values().all(|of| !of.labs.contains(lab)))
                    .collect(),
                lessons,
                strengths: strengths(c, pack)?,
                today: activities(c, pack, &[(today.start, today.end)])?.pop().unwrap_or_default(),
                begun: Some(today.start),
                attempts: sums.iter().map(|sum| sum.attempts).sum(),
                alone: sums.iter().map(|sum| sum.alone).sum(),
                posting: Posting::default(),
                answered: sums.into_iter().filter_map(|sum| Some((sum.drill, sum.last_at?))).collect(),
            })
        })
    }

    /// The lessons x parts map of a pack.
    pub fn strengths(&self, pack: &str) -> Result<Strengths, StoreError> {
        self.read(|c| strengths(c, pack))
    }

    /// What was done on each of some days, see [`day::days_until`].
    pub fn days(&self, pack: &str, days: &[Day]) -> Result<Vec<Activity>, StoreError> {
        let spans: Vec<_> = days.iter().map(|day| (day.start, day.end)).collect();
        self.read(|c| activities(c, pack, &spans))
    }
}

/// What Home needs of the sums of a drill.
struct Sum {
    drill: String,
    lesson: String,
    attempts: u64,
    alone: u64,
    /// Whether a whole answer earned something.
    earned: bool,
    last: Option<f64>,
    last_at: Option<Timestamp>,
}

fn drill_sums(c: &Connection, pack: &str) -> rusqlite::Result<Vec<Sum>> {
    c.prepare_cached(
        "SELECT drill, lesson, attempts, alone, whole > 0 AND coalesce(best, 0.0) > 0.0, last, last_at
         FROM drill_sum WHERE pack = ?1",
    )?
    .query_map([pack], |row| {
        Ok(Sum {
            drill: row.get(0)?,
            lesson: row.get(1)?,
            attempts: count(row, 2)?,
            alone: count(row, 3)?,
            earned: row.get(4)?,
            last: row.get(5)?,
            last_at: row.get::<_, Option<i64>>(6)?.and_then(|ms| time(ms).ok()),
        })
    })?
    .collect()
}

fn lessons(c: &Connection, pack: &str, sums: &[Sum]) -> rusqlite::Result<BTreeMap<String, LessonProgress>> {
    let mut lessons: BTreeMap<String, LessonProgress> = BTreeMap::new();
    let mut query = c.prepare_cached("SELECT lesson, item, kind FROM done WHERE pack = ?1 AND done = 1")?;
    let mut rows = query.query([pack])?;
    while let Some(row) = rows.next()? {
        let lesson = lessons.entry(row.get(0)?).or_default();
        match row.get_ref(2)?.as_str()? {
            "section" => lesson.read = true,
            "note" => lesson.notes += 1,
            _ => lesson.labs.push(row.get(1)?),
        }
    }
    for (lesson, share) in place::seen(c, pack)? {
        lessons.entry(lesson).or_default().seen = share;
    }
    let mut last: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for sum in sums {
        lessons.entry(sum.lesson.clone()).or_default().drills += u64::from(sum.earned);
        last.entry(&sum.lesson).or_default().extend(sum.last);
    }
    for (lesson, last) in last.into_iter().filter(|(_, last)| !last.is_empty()) {
        let mean = last.iter().sum::<f64>() / last.len() as f64;
        lessons.entry(lesson.to_owned()).or_default().mean = Some(mean);
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

fn strengths(c: &Connection, pack: &str) -> rusqlite::Result<Strengths> {
    let mut given = given::of_cells(c, pack)?;
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
                given: 0,
                given_by: String::new(),
            })
        })?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    let with_given = |cell: Cell| match given.remove(&(cell.lesson.clone(), cell.part.clone())) {
        Some((given, given_by)) => Cell { given, given_by, ..cell },
        None => cell,
    };
    Ok(Strengths { cells: cells.into_iter().map(with_given).collect() })
}

/// What was done in each of some spans of time. One query for all of them: with many packs it is asked of each.
fn activities(
    c: &Connection,
    pack: &str,
    spans: &[(Timestamp, Timestamp)],
) -> rusqlite::Result<Vec<Activity>> {
    let quarter = |at: Timestamp| ms(at).div_euclid(QUARTER);
    let start = spans.iter().map(|(from, _)| quarter(*from)).min().unwrap_or_default();
    let end = spans.iter().map(|(_, to)| quarter(*to)).max().unwrap_or_default();
    let mut query = c.prepare_cached(
        "SELECT quarter, attempts, seconds, totals FROM activity
         WHERE pack = ?1 AND quarter >= ?2 AND quarter < ?3",
    )?;
    let mut rows = query.query(params![pack, start, end])?;
    let mut sums = vec![Activity::default(); spans.len()];
    while let Some(row) = rows.next()? {
        let at: i64 = row.get(0)?;
        let is_in = |(from, to): &(Timestamp, Timestamp)| (quarter(*from)..quarter(*to)).contains(&at);
        for (sum, _) in sums.iter_mut().zip(spans).filter(|(_, span)| is_in(span)) {
            sum.attempts += count(row, 1)?;
            sum.seconds += count(row, 2)?;
            sum.totals += row.get::<_, f64>(3)?;
        }
    }
    Ok(sums)
}
