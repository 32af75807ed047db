//! Whose starters may run: decided here alone.

use jiff::Timestamp;

use super::record::Trusted;
use super::run::{self, Starter};
use super::{Kept, Record, Services};
use crate::pack::{Origin, Pack, fingerprint};
use crate::services::job::{Done, Job, Ran};
use crate::store::Store;

/// Whether the starters of a pack may run.
pub fn holds(store: &Store, pack: &Pack) -> bool {
    match place(pack) {
        None => true,
        Some(place) => store.is_trusted(&pack.id, &place, &fingerprint(pack)).unwrap_or(false),
    }
}

/// What keeps that the starters of a pack are trusted as they are now; none for the built-in one.
pub fn record(pack: &Pack) -> Option<Record> {
    let place = place(pack)?;
    Some(Record::Trust(Trusted { pack: pack.id.clone(), place, fingerprint: fingerprint(pack) }))
}

/// Where a pack comes from; none for the built-in one.
fn place(pack: &Pack) -> Option<String> {
    match &pack.origin {
        Origin::BuiltIn(_) => None,
        Origin::Folder(path) => Some(path.display().to_string()),
    }
}

/// A starter that was asked for.
pub enum Asked {
    /// It may run.
    Run(Starter),
    /// Its pack is not trusted; it comes from the place named.
    Untrusted(Starter, String),
}

impl Services {
    /// The starter of a lab, and whether it may run.
    pub fn starter(&self, pack: usize, lab: &str) -> Option<Asked> {
        let of = self.pack(pack)?;
        let starter = run::starter_of(of, lab)?;
        Some(match place(of) {
            Some(place) if !holds(&self.store, of) => Asked::Untrusted(starter, place),
            _ => Asked::Run(starter),
        })
    }

    /// How a job ends that must not begin: the stored output of a starter that is not trusted, a word on a program.
    pub fn refused(&self, job: &Job) -> Option<Done> {
        if let Job::Measure(order) = job {
            let place = self.untrusted(order.pack)?;
            let run = Err(format!(
                "this pack comes from {place} and is not trusted, so its code does not run here. \
                 `infralens pack trust {}` trusts it",
                self.pack(order.pack)?.id
            ));
            return Some(Done::Measured { pack: order.pack, lab: order.program.lab.clone(), run });
        }
        let (Job::Run(pack, lab) | Job::RunCopy(pack, lab)) = job else { return None };
        match self.starter(*pack, lab)? {
            Asked::Run(_) => None,
            // most of a changed copy is still the code of that pack
            Asked::Untrusted(starter, place) if matches!(job, Job::RunCopy(..)) => {
                let note = format!(
                    "this pack comes from {place} and is not trusted, so a copy of its code does not run here either. \
                     `infralens pack trust {}` trusts it",
                    self.pack(*pack)?.id
                );
                let copy =
                    Ran { pack: *pack, lab: lab.clone(), output: String::new(), note: Some(note.clone()) };
                Some(Done::RanCopy { starter: starter.stored(*pack, "this is its stored output"), copy })
            }
            Asked::Untrusted(starter, place) => {
                let note = format!(
                    "this pack comes from {place} and is not trusted, so its code does not run here; this is its stored output. \
                     `infralens pack trust {}` trusts it",
                    self.pack(*pack)?.id
                );
                Some(Done::Ran(starter.stored(*pack, &note)))
            }
        }
    }

    /// Where a pack comes from, if it comes from elsewhere and its starters may not run.
    pub fn untrusted(&self, pack: usize) -> Option<String> {
        let of = self.pack(pack)?;
        place(of).filter(|_| !holds(&self.store, of))
    }

    /// Trusts the starters of a pack as they are now.
    pub fn trust(&mut self, pack: usize, now: Timestamp) -> Kept {
        self.pack(pack).and_then(record).map_or(Kept::Yes, |record| self.keep(record, now))
    }
}
