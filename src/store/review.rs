//! Review cards and their log.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::row::{self, count, grade_word, kind, ms, time};
use super::{Store, StoreError};
use crate::study::home::Due;
use crate::study::schedule::{Card, Grade, Item, ItemKind, Review, Schedule};

const COLUMNS: &str = "kind, item, stability, difficulty, due, at, reps, lapses";

impl Store {
    /// Keeps a grade that a person gave, of a line note or of anything seen in review, and gives the
    /// card that follows.
    pub fn record_review(
        &self,
        pack: &str,
        item: &Item,
        grade: Grade,
        (schedule, now): (&Schedule, Timestamp),
    ) -> Result<Card, StoreError> {
        self.write(|tx| self::grade(tx, pack, item, grade, (schedule, now)))
    }

    /// The card of an item, if it was ever reviewed.
    pub fn card(&self, pack: &str, item: &Item) -> Result<Option<Card>, StoreError> {
        self.read(|c| card(c, pack, item))
    }

    /// All cards of a pack whose items it still has, the first due first.
    pub fn cards(&self, pack: &str) -> Result<Vec<Card>, StoreError> {
        self.read(|c| {
            c.prepare_cached(&format!(
                "SELECT {COLUMNS} FROM card WHERE pack = ?1 AND retired = 0 ORDER BY due, kind, item"
            ))?
            .query_map([pack], from_row)?
            .collect()
        })
    }

    /// Replaces the grade of the last review of an item by the learner's own, and gives the card
    /// that follows. None where the item was never reviewed.
    pub fn overrule(
        &self,
        pack: &str,
        item: &Item,
        grade: Grade,
        schedule: &Schedule,
    ) -> Result<Option<Card>, StoreError> {
        let mut log = self.reviews_of(pack, item)?;
        let Some((_, last)) = log.last_mut() else {
            return Ok(None);
        };
        let by_marks = std::mem::replace(last, grade);
        let Some(card) = schedule.replay(item, &log) else {
            return Ok(None);
        };
        let review = Review { card, grade, overruled: Some(by_marks) };
        self.write(|tx| insert(tx, pack, &review))?;
        Ok(Some(review.card))
    }

    /// Lays aside the cards of items that an edited pack no longer has, and takes up again those
    /// that it has. Nothing is lost: a card waits for its item. Nothing is written where all is in place.
    pub fn sift_cards(&self, pack: &str, known: impl Fn(&Item) -> bool) -> Result<(), StoreError> {
        let cards = self.read(|c| {
            c.prepare_cached("SELECT kind, item, retired FROM card WHERE pack = ?1")?
                .query_map([pack], |row| {
                    Ok((Item { kind: kind(row.get_ref(0)?.as_str()?)?, id: row.get(1)? }, row.get(2)?))
                })?
                .collect::<rusqlite::Result<Vec<(Item, bool)>>>()
        })?;
        let wrong: Vec<_> = cards.iter().filter(|(item, retired)| known(item) == *retired).collect();
        if wrong.is_empty() {
            return Ok(());
        }
        self.write(|tx| {
            for (item, retired) in &wrong {
                tx.prepare_cached(
                    "UPDATE card SET retired = ?4 WHERE pack = ?1 AND kind = ?2 AND item = ?3",
                )?
                .execute(params![pack, item.kind.as_str(), item.id, !retired])?;
            }
            Ok(())
        })
    }

    /// How much of a pack is due before a time.
    pub fn due(&self, pack: &str, before: Timestamp) -> Result<Due, StoreError> {
        self.read(|c| due(c, pack, before))
    }

    /// The grades given to an item, the oldest first: when, and which counted.
    pub fn reviews_of(&self, pack: &str, item: &Item) -> Result<Vec<(Timestamp, Grade)>, StoreError> {
        self.read(|c| {
            c.prepare_cached(
                "SELECT at, grade FROM review WHERE pack = ?1 AND kind = ?2 AND item = ?3 ORDER BY at",
            )?
            .query_map([pack, item.kind.as_str(), &item.id], |row| {
                Ok((time(row.get(0)?)?, row::grade(row.get_ref(1)?.as_str()?)?))
            })?
            .collect()
        })
    }
}

/// Reviews an item that was graded now.
pub fn grade(
    tx: &Connection,
    pack: &str,
    item: &Item,
    grade: Grade,
    (schedule, now): (&Schedule, Timestamp),
) -> rusqlite::Result<Card> {
    let review = schedule.review(item, card(tx, pack, item)?.as_ref(), grade, now);
    insert(tx, pack, &review)?;
    Ok(review.card)
}

fn card(c: &Connection, pack: &str, item: &Item) -> rusqlite::Result<Option<Card>> {
    c.prepare_cached(&format!("SELECT {COLUMNS} FROM card WHERE pack = ?1 AND kind = ?2 AND item = ?3"))?
        .query_row([pack, item.kind.as_str(), &item.id], from_row)
        .optional()
}

/// Puts the card as it is after a review, and logs the review.
fn insert(tx: &Connection, pack: &str, review: &Review) -> rusqlite::Result<()> {
    let card = &review.card;
    let (kind, item) = (card.item.kind.as_str(), &card.item.id);
    tx.prepare_cached("INSERT OR REPLACE INTO review VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)")?.execute(
        params![
            pack,
            kind,
            item,
            ms(card.last),
            grade_word(review.grade),
            review.overruled.map(grade_word),
            card.stability,
            card.difficulty,
            ms(card.due)
        ],
    )?;
    put(tx, pack, card)
}

/// Puts a card in place of the one before.
pub fn put(tx: &Connection, pack: &str, card: &Card) -> rusqlite::Result<()> {
    let (kind, item) = (card.item.kind.as_str(), &card.item.id);
    tx.prepare_cached(
        "INSERT OR REPLACE INTO card (pack, kind, item, stability, difficulty, due, at, reps, lapses)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?
    .execute(params![
        pack,
        kind,
        item,
        card.stability,
        card.difficulty,
        ms(card.due),
        ms(card.last),
        card.reps,
        card.lapses
    ])?;
    Ok(())
}

/// How much of a pack is due before a time, and when the next after it is.
pub fn due(c: &Connection, pack: &str, before: Timestamp) -> rusqlite::Result<Due> {
    let mut due = Due::default();
    let mut query = c.prepare_cached(
        "SELECT kind, count(*) FROM card WHERE pack = ?1 AND retired = 0 AND due < ?2 GROUP BY kind",
    )?;
    let mut rows = query.query(params![pack, ms(before)])?;
    while let Some(row) = rows.next()? {
        match kind(row.get_ref(0)?.as_str()?)? {
            ItemKind::Drill => due.drills = count(row, 1)?,
            ItemKind::Check => due.checks = count(row, 1)?,
            ItemKind::Note => due.notes = count(row, 1)?,
        }
    }
    let next: Option<i64> = c
        .prepare_cached("SELECT min(due) FROM card WHERE pack = ?1 AND retired = 0 AND due >= ?2")?
        .query_row(params![pack, ms(before)], |row| row.get(0))?;
    due.next = next.map(time).transpose()?;
    Ok(due)
}

fn from_row(row: &Row) -> rusqlite::Result<Card> {
    Ok(Card {
        item: Item { kind: kind(row.get_ref(0)?.as_str()?)?, id: row.get(1)? },
        stability: row.get(2)?,
        difficulty: row.get(3)?,
        due: time(row.get(4)?)?,
        last: time(row.get(5)?)?,
        reps: row.get(6)?,
        lapses: row.get(7)?,
    })
}
