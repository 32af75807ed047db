//! The one door for writes. No key waits behind it.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::Services;
use super::record::{Dispute, Graded, Item, Record};
use crate::store::{self, Done, StoreError, Typed};
use crate::study::schedule::{Grade, ItemKind};

/// How long a write waits for another instance that holds the store.
pub const PATIENCE: Duration = Duration::from_millis(20);
/// How long the last try waits, when the program ends.
const LAST: Duration = Duration::from_secs(5);
/// After this time what was not taken is tried again.
const AGAIN: SignedDuration = SignedDuration::from_secs(1);

/// What became of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kept {
    /// The store has it.
    Yes,
    /// The store does not take it now; it is tried again. The sentence says why.
    Later(String),
    /// What was typed is in a file as well. The sentence says which, and why.
    InFile(String),
}

impl Kept {
    /// What is to be said of it.
    pub fn said(self) -> Option<String> {
        match self {
            Kept::Yes => None,
            Kept::Later(text) | Kept::InFile(text) => Some(text),
        }
    }
}

impl Services {
    /// Keeps a record: in the store, or, where the store does not take it within `PATIENCE`, in memory
    /// until it does. What a person typed is then written to a file at once.
    pub fn keep(&mut self, record: Record, now: Timestamp) -> Kept {
        let record = match record {
            Record::Rating(attempt) if self.pending.rate(&attempt) => {
                return Kept::Later(self.pending.fault().to_owned());
            }
            Record::Check(mut check) if check.id.is_empty() => {
                check.id = self.store.fresh_id(now).unwrap_or_else(|_| format!("{now}"));
                Record::Check(check)
            }
            record => record,
        };
        self.pending.forget(&record);
        self.try_again(now);
        let written = match self.pending.is_empty() {
            true => self.patiently(PATIENCE, &record, now).map_err(|fault| fault.to_string()),
            false => Err(self.pending.fault().to_owned()),
        };
        let typed = typed(&record);
        let typed = typed.as_ref().map(|(id, name, text)| Typed { id, name, text });
        match written {
            Ok(()) => match typed.and_then(|t| self.rescue.copied(&t)) {
                Some(said) => Kept::InFile(said),
                None => Kept::Yes,
            },
            Err(fault) => {
                let kept = match typed {
                    Some(typed) => Kept::InFile(self.rescue.keep(&typed, &fault)),
                    None => Kept::Later(fault.clone()),
                };
                self.pending.push(record, now, fault);
                kept
            }
        }
    }

    /// Tries again what the store did not take. Stops at the first that it does not take now either.
    pub fn try_again(&mut self, _now: Timestamp) {
        self.write_pending(PATIENCE);
    }

    /// Ends what runs and tries a last time, when the program ends. Says what is not kept.
    pub fn close(&mut self) -> Option<String> {
        self.running.end();
        self.write_pending(LAST);
        self.waiting()
    }

    fn write_pending(&mut self, patience: Duration) {
        let mut rest = self.pending.take().into_iter();
        while let Some((record, at)) = rest.next() {
            if let Err(fault) = self.patiently(patience, &record, at) {
                let all = std::iter::once((record, at)).chain(rest).collect();
                self.pending.put_back(all, fault.to_string());
                return;
            }
        }
    }

    /// What waits to be kept and why, in one sentence.
    pub fn waiting(&self) -> Option<String> {
        match self.pending.len() {
            0 => None,
            1 => Some(format!("Not saved yet, tried again each second: {}", self.pending.fault())),
            n => Some(format!(
                "{n} things are not saved yet, tried again each second: {}",
                self.pending.fault()
            )),
        }
    }

    /// When to try again what waits.
    pub fn wake_at(&self, now: Timestamp) -> Option<Timestamp> {
        (!self.pending.is_empty()).then(|| now.checked_add(AGAIN).ok())?
    }

    fn patiently(&self, patience: Duration, record: &Record, now: Timestamp) -> Result<(), StoreError> {
        self.store.patient(patience, || self.write(record, now))
    }

    fn write(&self, record: &Record, now: Timestamp) -> Result<(), StoreError> {
        let store = &self.store;
        match record {
            Record::Attempt(attempt) => store.record_attempt(attempt, &self.schedule),
            Record::Rating(attempt) => match attempt.rating() {
                Some(rating) => store.rate_attempt(&attempt.id, &rating, now),
                None => Ok(()),
            },
            Record::Draft(draft) => store.save_draft(draft),
            Record::DropDraft(id) => store.drop_draft(id, now),
            Record::Position(position) => store.save_position(position),
            Record::Done(item, done) => self.write_done(item, *done, now),
            Record::Check(check) => store.record_check(check, &self.schedule),
            Record::Grade(graded) => self.write_grade(graded, now),
            Record::Overrule(g) => store.overrule(&g.pack, &g.item, g.grade, &self.schedule).map(drop),
            Record::Cell(e) => store.save_cell((&e.pack, &e.check), &e.cell, &e.text, now),
            Record::Puzzle(s) => store.save_puzzle((&s.pack, &s.puzzle), &s.found).map(drop),
            Record::Rehearsal(run) => store.save_rehearsal(run, now),
            Record::Finish(run, report) => store.finish_rehearsal(run, report),
            Record::DropRehearsal(id) => store.drop_rehearsal(id, now),
            Record::Seen(pack) => match self.content(pack) {
                Some(content) => store.see(content, now),
                None => Ok(()),
            },
            Record::Claims(attempt) => match &attempt.claims {
                Some(claims) => store.claim(attempt, claims, now),
                None => Ok(()),
            },
            Record::Dispute(dispute) => self.write_dispute(dispute, now),
            Record::Undispute(attempt, about) => store.undo_dispute(attempt, about, now),
            Record::Setting(key, value) => store.set(key, value, now),
        }
    }

    fn write_done(&self, item: &Item, done: bool, now: Timestamp) -> Result<(), StoreError> {
        let what = item.lab.as_deref().map_or(Done::Section, Done::Lab);
        match done {
            true => self.store.mark_done(&item.pack, &item.lesson, what, now),
            false => self.store.unmark_done(&item.pack, &item.lesson, what, now),
        }
    }

    fn write_grade(&self, g: &Graded, now: Timestamp) -> Result<(), StoreError> {
        if g.item.kind == ItemKind::Note && g.grade > Grade::Again {
            self.store.mark_done(&g.pack, &g.lesson, Done::Note(&g.item.id), now)?;
        }
        self.store.record_review(&g.pack, &g.item, g.grade, (&self.schedule, now)).map(drop)
    }

    fn write_dispute(&self, d: &Dispute, now: Timestamp) -> Result<(), StoreError> {
        let Some(attempt) = self.store.attempt(&d.attempt)? else {
            return Ok(());
        };
        self.store.dispute(&store::Dispute {
            id: self.store.fresh_id(now)?,
            attempt: attempt.id,
            pack: attempt.pack,
            drill: attempt.drill,
            target: d.target,
            item: d.about.clone(),
            note: d.note.clone(),
            sentence: d.sentence.clone(),
            at: d.at,
        })
    }
}

/// What a person typed of a record: its id, a name for its file, the text.
fn typed(record: &Record) -> Option<(String, String, String)> {
    match record {
        Record::Draft(d) => Some((d.id.clone(), d.drill.clone(), d.text.clone())),
        Record::Attempt(a) => Some((a.id.clone(), a.drill.clone(), a.answer.clone())),
        Record::Rehearsal(run) | Record::Finish(run, _) => {
            Some((run.id.clone(), "rehearsal".into(), run.spoken()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::services::library::Library;
    use crate::store::Store;
    use crate::study::attempt::Mode;
    use crate::study::home::Draft;
    use jiff::tz::TimeZone;

    fn services(folder: &std::path::Path) -> Services {
        let store = Store::open(folder).expect("a store");
        Services::new(Library::default(), store, TimeZone::UTC, folder.to_owned())
    }

    fn draft(text: &str) -> Record {
        Record::Draft(Draft {
            id: "d1".into(),
            pack: "p".into(),
            drill: "ddp".into(),
            mode: Mode::Practice,
            part: None,
            text: text.into(),
            seconds: 1,
            at: Timestamp::UNIX_EPOCH,
        })
    }

    #[test]
    fn what_a_busy_store_does_not_take_waits_is_read_and_is_kept_in_the_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let now = Timestamp::UNIX_EPOCH;
        let mut one = services(folder.path());
        let other = rusqlite::Connection::open(folder.path().join("infralens.db")).expect("the file");
        other.execute_batch("BEGIN IMMEDIATE").expect("the lock");
        let kept = one.keep(draft("each rank"), now);
        assert!(matches!(&kept, Kept::InFile(said) if said.contains("infralens-ddp.txt")), "{kept:?}");
        assert!(matches!(
            one.keep(Record::Setting(super::super::INTERVIEW, "2026-03-09".into()), now),
            Kept::Later(_)
        ));
        assert_eq!(one.setting(super::super::INTERVIEW).expect("read").as_deref(), Some("2026-03-09"));
        assert!(one.waiting().expect("two wait").starts_with("2 things"));
        one.keep(draft("each rank holds"), now);
        assert!(one.waiting().expect("still two").starts_with("2 things"), "the newer draft stands for both");
        other.execute_batch("COMMIT").expect("the lock is given back");
        one.try_again(now);
        assert_eq!((one.waiting(), one.wake_at(now)), (None, None));
        assert_eq!(one.store.drafts("p").expect("drafts")[0].text, "each rank holds");
    }
}
