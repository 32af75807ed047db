//! What was done on each day, of whatever the store keeps with a time.

use std::collections::BTreeSet;

use rusqlite::params;

use super::place::{predicted_keys, seen_keys};
use super::row::{ms, time};
use super::{Store, StoreError};
use crate::study::day::Day;
use crate::study::done::Doings;

/// What was done since a time: its kind, which thing, when. Answers to checks and notes are found by their items, so that
/// those of earlier weeks are not read.
const SINCE: &str = "
    SELECT 'lesson', lesson, at FROM position WHERE pack = ?1 AND lab = '' AND at >= ?2
    UNION ALL SELECT 'lesson', substr(key, ?5), at FROM setting WHERE key > ?3 AND key < ?4 AND at >= ?2
    UNION ALL SELECT 'begun', substr(key, ?8), at FROM setting
        WHERE key > ?6 AND key < ?7 AND value <> '' AND at >= ?2
    UNION ALL SELECT iif(kind = 'lab', 'lab', 'lesson'), item, at FROM done
        WHERE pack = ?1 AND kind IN ('section', 'lab') AND done = 1 AND at >= ?2
    UNION ALL SELECT 'puzzle', item, at FROM puzzle WHERE pack = ?1 AND at >= ?2
    UNION ALL SELECT 'check', c.id, c.at FROM check_sum s CROSS JOIN check_attempt c
        ON c.pack = s.pack AND c.item = s.item AND c.at >= ?2 WHERE s.pack = ?1
    UNION ALL SELECT 'note', r.item || ' ' || r.at, r.at FROM card k CROSS JOIN review r
        ON r.pack = k.pack AND r.kind = k.kind AND r.item = k.item AND r.at >= ?2
        WHERE k.pack = ?1 AND k.kind = 'note'";

impl Store {
    /// What was done on each of some days, the oldest first. Of a lesson or a lab only the last day is known.
    pub fn doings(&self, pack: &str, days: &[Day]) -> Result<Vec<Doings>, StoreError> {
        let answers = self.days(pack, days)?;
        let mut done: Vec<Doings> = answers
            .iter()
            .map(|day| Doings { answers: day.attempts, seconds: day.seconds, ..Doings::default() })
            .collect();
        let Some(since) = days.first().map(|day| ms(day.start)) else { return Ok(done) };
        let (from, to, lesson) = seen_keys(pack);
        let (first, last, lab) = predicted_keys(pack);
        let found: BTreeSet<(usize, String, String)> = self.read(|c| {
            let mut query = c.prepare_cached(SINCE)?;
            let mut rows = query.query(params![pack, since, from, to, lesson, first, last, lab])?;
            let mut found = BTreeSet::new();
            while let Some(row) = rows.next()? {
                let Ok(at) = time(row.get(2)?) else { continue };
                if let Some(day) = days.iter().position(|day| day.start <= at && at < day.end) {
                    found.insert((day, row.get(0)?, row.get(1)?));
                }
            }
            Ok(found)
        })?;
        // a lab is done on the last of its days; what was predicted and run before that day is not another one
        let is_done = |lab: &str| found.iter().any(|(_, kind, item)| kind == "lab" && item == lab);
        for (day, kind, item) in &found {
            if kind == "begun" && is_done(item) {
                continue;
            }
            let of = &mut done[*day];
            *match kind.as_str() {
                "lesson" => &mut of.lessons,
                "lab" => &mut of.labs,
                "begun" => &mut of.begun,
                "puzzle" => &mut of.puzzles,
                "note" => &mut of.notes,
                _ => &mut of.checks,
            } += 1;
        }
        Ok(done)
    }
}
