//! What a judge of one's own said of attempts, as it said it: what is believed of it is weighed anew each time.

use jiff::Timestamp;
use rusqlite::{OptionalExtension, params};

use super::row::{from_json, ms, time, to_json};
use super::{Store, StoreError};
use crate::study::judge::Reply;

impl Store {
    /// Keeps what a judge said of an attempt, in place of what was said before.
    pub fn keep_opinion(&self, attempt: &str, reply: &Reply, at: Timestamp) -> Result<(), StoreError> {
        self.write(|tx| {
            tx.execute(
                "INSERT OR REPLACE INTO opinion (attempt, reply, at) VALUES (?1, ?2, ?3)",
                params![attempt, to_json(reply)?, ms(at)],
            )?;
            Ok(())
        })
    }

    /// What a judge said of an attempt last, and when; none where none was asked.
    pub fn opinion(&self, attempt: &str) -> Result<Option<(Reply, Timestamp)>, StoreError> {
        self.read(|c| {
            c.prepare_cached("SELECT reply, at FROM opinion WHERE attempt = ?1")?
                .query_row([attempt], |row| Ok((from_json(&row.get::<_, String>(0)?)?, time(row.get(1)?)?)))
                .optional()
        })
    }
}
