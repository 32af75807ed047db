//! What an instructor gave: marks of parts and remarks, beside those of the rules.

use rusqlite::params;

use super::row::{ms, time, unreadable};
use super::{Store, StoreError};
use crate::score::Verdict;
use crate::study::class::given::Given;

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
            Ok(done)
        })
    }

    /// What an instructor gave for an attempt: remarks on the whole first, then part by part.
    pub fn given(&self, attempt: &str) -> Result<Vec<Given>, StoreError> {
        self.read(|c| {
            c.prepare_cached(
                "SELECT part, verdict, remark, by, at FROM given WHERE attempt = ?1 ORDER BY part",
            )?
            .query_map([attempt], |row| {
                let part: String = row.get(0)?;
                let word: Option<String> = row.get(1)?;
                let verdict = word.map(|w| verdict(&w).ok_or_else(|| unreadable(format!("verdict `{w}`"))));
                Ok(Given {
                    attempt: attempt.to_owned(),
                    part: Some(part).filter(|p| !p.is_empty()),
                    verdict: verdict.transpose()?,
                    remark: row.get(2)?,
                    by: row.get(3)?,
                    at: time(row.get(4)?)?,
                })
            })?
            .collect()
        })
    }
}

fn verdict(word: &str) -> Option<Verdict> {
    [Verdict::Missing, Verdict::Partial, Verdict::Covered].into_iter().find(|v| v.name() == word)
}
