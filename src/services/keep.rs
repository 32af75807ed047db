//! The one door for writes. No key waits behind it.

use std::path::Path;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::Services;
use super::record::{Dispute, Graded, Item, Record};
use crate::store::{self, Done, Fault, Store, StoreError, Typed};
use crate::study::schedule::{Grade, ItemKind};

/// How long a write waits for another instance that holds the store.
pub const PATIENCE: Duration = Duration::from_millis(20);
/// How long the last try waits, when the program ends.
const LAST: Duration = Duration::from_secs(5);
/// After this time what was not taken is tried again.
const AGAIN: SignedDuration = SignedDuration::from_secs(1);

/// So many texts of this session are kept in memory, in case that somebody takes the store away.
const TYPED: usize = 32;

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

    /// For what does not wait until the store can be written.
    ///
    /// # Errors
    /// Why the store does not have it.
    pub fn at_once(self) -> anyhow::Result<()> {
        self.said().map_or(Ok(()), |fault| Err(anyhow::Error::msg(fault)))
    }
}

impl Services {
    /// Keeps a record: in the store, or, where the store does not take it within `PATIENCE`, in memory
    /// until it does. What a person typed is then written to a file at once.
    pub fn keep(&mut self, record: Record, now: Timestamp) -> Kept {
        let record = match record {
            Record::Rating(attempt) if self.pending.rate(&attempt) => {
                self.remember();
                return Kept::Later(self.pending.fault().to_owned());
            }
            Record::Check(mut check) if check.id.is_empty() => {
                check.id = self.store.fresh_id(now).unwrap_or_else(|_| format!("{now}"));
                Record::Check(check)
            }
            record => record,
        };
        self.pending.forget(&record);
        self.typed.forget(&record);
        if let Record::Seen(pack) = &record {
            self.told.get_mut().remove(pack);
        }
        self.try_again(now);
        let typed = typed(&record);
        let typed = typed.as_ref().map(|(id, name, text)| Typed { id, name, text });
        match self.written(&record, now) {
            Ok(()) => {
                let said = typed.as_ref().and_then(|typed| self.rescue.copied(typed));
                if self.rescue.is_to_files() || typed.is_some_and(|typed| !typed.text.is_empty()) {
                    self.note(record, now);
                }
                said.map_or(Kept::Yes, Kept::InFile)
            }
            Err(fault) => {
                let kept = match typed {
                    Some(typed) => Kept::InFile(self.rescue.keep(&typed, &fault)),
                    None => Kept::Later(fault.clone()),
                };
                self.pending.push(record, now, fault);
                self.remember();
                kept
            }
        }
    }

    /// Writes a record where nothing waits before it. A store that was taken away just now is opened anew.
    fn written(&mut self, record: &Record, now: Timestamp) -> Result<(), String> {
        for _ in 0..2 {
            if !self.pending.is_empty() {
                break;
            }
            match self.patiently(PATIENCE, record, now) {
                Err(StoreError { fault: Fault::Moved, .. }) => self.try_again(now),
                other => return other.map_err(|fault| fault.to_string()),
            }
        }
        Err(self.pending.fault().to_owned())
    }

    /// Notes what was typed in this session; all of it, and what else is done, where files are all that lasts.
    fn note(&mut self, record: Record, now: Timestamp) {
        self.typed.push(record, now, String::new());
        match self.rescue.is_to_files() {
            true => self.remember(),
            false => self.typed.keep_newest(TYPED),
        }
    }

    /// Tries again what the store did not take. Stops at the first that it does not take now either.
    pub fn try_again(&mut self, _now: Timestamp) {
        self.stay_with_store();
        self.write_pending(PATIENCE);
    }

    /// Where the file of the store was moved, replaced or deleted: opens the store at its place anew, and writes what
    /// was typed in this session once more. Where it cannot be opened, that waits, and the texts go to files.
    fn stay_with_store(&mut self) {
        let Some(folder) = self.store.path().filter(|_| self.store.is_moved()).and_then(Path::parent) else {
            return;
        };
        let shown = store::shown(folder);
        let again = self.typed.take();
        match Store::open(folder) {
            Ok(store) => {
                let aside = store.notice().map(|notice| format!("; {notice}")).unwrap_or_default();
                self.store = store;
                self.told.get_mut().clear();
                self.notice = Some(format!(
                    "The store in {shown} was moved, replaced or deleted. What you typed since the start is kept there anew{aside}"
                ));
                // a fault is said when Home asks for what changed
                self.library.packs.iter().for_each(|pack| drop(self.store.take_up(pack)));
                self.pending.put_before(again, String::new());
            }
            Err(fault) => {
                let fault = fault.to_string();
                for (record, _) in &again {
                    if let Some((id, name, text)) = typed(record) {
                        let said = self.rescue.keep(&Typed { id: &id, name: &name, text: &text }, &fault);
                        self.notice = Some(said);
                    }
                }
                let is_new = !again.is_empty();
                self.pending.put_before(again, fault);
                if is_new {
                    self.remember();
                }
            }
        }
    }

    /// Ends what runs and tries a last time, when the program ends. Says what is not kept.
    pub fn close(&mut self) -> Option<String> {
        self.running.end();
        self.stay_with_store();
        self.write_pending(LAST);
        let places: Vec<String> = self.rescue.files().map(store::shown).collect();
        let places = places.join(" and ");
        match (self.pending.len(), self.rescue.is_to_files()) {
            (0, false) => None,
            (0, true) if places.is_empty() => None,
            (0, true) => Some(format!(
                "Your text is in {places}: the store could not be used. The next start takes it in"
            )),
            _ if places.is_empty() => Some(format!("Not saved: {}", self.pending.fault())),
            _ => Some(format!(
                "Your text is in {places}, not in the store: {}. The next start takes it in",
                self.pending.fault()
            )),
        }
    }

    fn write_pending(&mut self, patience: Duration) {
        if self.pending.is_empty() {
            return;
        }
        let before = self.pending.len();
        let mut rest = self.pending.take().into_iter();
        while let Some((record, at)) = rest.next() {
            match self.patiently(patience, &record, at) {
                Ok(()) if typed(&record).is_some() => self.note(record, at),
                Ok(()) => {}
                Err(fault) => {
                    let all = std::iter::once((record, at)).chain(rest).collect();
                    self.pending.put_before(all, fault.to_string());
                    break;
                }
            }
        }
        if self.pending.len() != before {
            self.remember();
        }
    }

    /// Writes what waits to the file that the next start takes in.
    fn remember(&mut self) {
        let lasts = !self.rescue.is_to_files();
        if lasts && self.pending.is_empty() {
            return self.unsaved.forget();
        }
        let waits = self.pending.iter();
        let all = self.typed.iter().filter(|_| !lasts).chain(waits);
        // where no folder takes it, the texts are said to be nowhere as well
        let _ = self.unsaved.write((&self.work, &self.rescue), all);
    }

    /// What waits to be kept and why, in one sentence; first of all where the newest text is meanwhile.
    pub fn waiting(&self) -> Option<String> {
        let waits = self.pending.len();
        let fault = self.pending.fault();
        let place = self.pending.iter().rev().find_map(|(record, _)| self.rescue.file_of(&typed(record)?.0));
        Some(match (waits, place.map(store::shown)) {
            (0, _) => return None,
            (1, Some(place)) => {
                format!("Your text is in {place}, not saved yet, tried again each second: {fault}")
            }
            (1, None) => format!("Not saved yet, tried again each second: {fault}"),
            (n, Some(place)) => {
                format!(
                    "Your text is in {place}; {n} things are not saved yet, tried again each second: {fault}"
                )
            }
            (n, None) => format!("{n} things are not saved yet, tried again each second: {fault}"),
        })
    }

    /// What is to be said of the store, once.
    pub fn take_notice(&mut self) -> Option<String> {
        self.notice.take()
    }

    /// When to try again what waits.
    pub fn wake_at(&self, now: Timestamp) -> Option<Timestamp> {
        (!self.pending.is_empty()).then(|| now.checked_add(AGAIN).ok())?
    }

    pub(super) fn patiently(
        &self,
        patience: Duration,
        record: &Record,
        now: Timestamp,
    ) -> Result<(), StoreError> {
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
            Record::Opinion(attempt, reply) => store.keep_opinion(attempt, reply, now),
            Record::Dispute(dispute) => self.write_dispute(dispute, now),
            Record::Undispute(attempt, about) => store.undo_dispute(attempt, about, now),
            Record::Trust(t) => store.trust(&t.pack, &t.place, &t.fingerprint, now),
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

    fn services(folder: &Path) -> Services {
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
            one.keep(Record::setting(super::super::INTERVIEW, "2026-03-09"), now),
            Kept::Later(_)
        ));
        assert_eq!(one.setting(super::super::INTERVIEW).expect("read").as_deref(), Some("2026-03-09"));
        let waits = one.waiting().expect("two wait");
        let file = folder.path().join("infralens-ddp.txt");
        assert!(waits.starts_with(&format!("Your text is in {}; 2 things", file.display())), "{waits}");
        one.keep(draft("each rank holds"), now);
        assert!(one.waiting().expect("still two").contains("2 things"), "the newer draft stands for both");
        other.execute_batch("COMMIT").expect("the lock is given back");
        one.try_again(now);
        assert_eq!((one.waiting(), one.wake_at(now)), (None, None));
        assert_eq!(one.store.drafts("p").expect("drafts")[0].text, "each rank holds");
    }
}
