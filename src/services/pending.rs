//! What the store has not taken yet.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::record::Record;
use crate::store::{Filter, PuzzleBest};
use crate::study::attempt::{Attempt, Claims};
use crate::study::home::Draft;

/// Records in the order they came, each with its time, and why the last try failed.
#[derive(Debug, Default)]
pub(super) struct Pending {
    records: Vec<(Record, Timestamp)>,
    fault: String,
}

impl Pending {
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    pub fn len(&self) -> usize {
        self.records.len()
    }

    pub fn fault(&self) -> &str {
        &self.fault
    }

    /// All of them, in their order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &(Record, Timestamp)> {
        self.records.iter()
    }

    /// Keeps the newest, so many of them.
    pub fn keep_newest(&mut self, most: usize) {
        self.records.drain(..self.records.len().saturating_sub(most));
    }

    /// One more record; an older one about the same thing goes.
    pub fn push(&mut self, record: Record, now: Timestamp, fault: String) {
        self.forget(&record);
        self.records.push((record, now));
        self.fault = fault;
    }

    /// Forgets what a newer record stands for.
    pub fn forget(&mut self, newer: &Record) {
        if let Some(thing) = newer.thing() {
            self.records.retain(|(r, _)| r.thing().as_ref() != Some(&thing));
        }
    }

    /// The rating comes with its attempt where that waits; says whether it did.
    pub fn rate(&mut self, rated: &Attempt) -> bool {
        let waiting = self.records.iter_mut().find_map(|(r, _)| match r {
            Record::Attempt(a) if a.id == rated.id => Some(a),
            _ => None,
        });
        waiting.map(|a| **a = rated.clone()).is_some()
    }

    pub fn take(&mut self) -> Vec<(Record, Timestamp)> {
        std::mem::take(&mut self.records)
    }

    /// Puts records before those that wait.
    pub fn put_before(&mut self, mut rest: Vec<(Record, Timestamp)>, fault: String) {
        rest.append(&mut self.records);
        self.records = rest;
        self.fault = fault;
    }

    /// What is claimed of an attempt and not kept yet.
    pub fn claims(&self, id: &str) -> Option<&Claims> {
        self.records.iter().find_map(|(r, _)| match r {
            Record::Claims(a) if a.id == id => a.claims.as_ref(),
            _ => None,
        })
    }

    pub fn attempt(&self, id: &str) -> Option<&Attempt> {
        self.all_attempts().find(|a| a.id == id)
    }

    fn all_attempts(&self) -> impl Iterator<Item = &Attempt> {
        self.records.iter().filter_map(|(r, _)| match r {
            Record::Attempt(a) => Some(a.as_ref()),
            _ => None,
        })
    }

    /// Adds the attempts that wait, where they fit, and sorts the newest first.
    pub fn attempts(&self, filter: &Filter, found: &mut Vec<Attempt>) {
        let is = |wanted: &Option<String>, is: &str| wanted.as_deref().is_none_or(|w| w == is);
        let fits = |a: &&Attempt| {
            is(&filter.pack, &a.pack)
                && (a.part.is_none() || !filter.whole)
                && is(&filter.lesson, &a.lesson)
                && is(&filter.drill, &a.drill)
                && filter.rehearsal.as_ref().is_none_or(|r| a.rehearsal.as_ref() == Some(r))
                && filter.since.is_none_or(|t| a.at >= t)
                && filter.before.is_none_or(|t| a.at < t)
        };
        let waiting: Vec<&Attempt> = self.all_attempts().filter(fits).collect();
        if !waiting.is_empty() {
            found.retain(|f| waiting.iter().all(|w| w.id != f.id));
            found.extend(waiting.into_iter().cloned());
            found.sort_by_key(|a| std::cmp::Reverse(a.at));
        }
        for attempt in found.iter_mut() {
            if let Some(claims) = self.claims(&attempt.id) {
                attempt.claims = Some(claims.clone());
            }
        }
    }

    /// Adds the drafts that wait, in place of older ones, and leaves out those given up.
    pub fn drafts(&self, pack: &str, found: &mut Vec<Draft>) {
        for (record, _) in &self.records {
            match record {
                Record::Draft(d) if d.pack == pack => {
                    found.retain(|f| f.id != d.id);
                    found.insert(0, d.clone());
                }
                Record::DropDraft(id) => found.retain(|f| f.id != *id),
                Record::Attempt(a) => found.retain(|f| f.id != a.id),
                _ => {}
            }
        }
    }

    pub fn setting(&self, key: &str) -> Option<&str> {
        self.records.iter().rev().find_map(|(r, _)| match r {
            Record::Setting(k, value) if k == key => Some(value.as_str()),
            _ => None,
        })
    }

    /// Puts in the solutions that wait, where they are better.
    pub fn puzzles(&self, pack: &str, found: &mut BTreeMap<String, PuzzleBest>) {
        for (record, _) in &self.records {
            if let Record::Puzzle(s) = record
                && s.pack == pack
                && found.get(&s.puzzle).is_none_or(|best| s.found.best < best.best)
            {
                found.insert(s.puzzle.clone(), s.found.clone());
            }
        }
    }

    pub fn is_seen(&self, pack: &str) -> bool {
        self.records.iter().any(|(r, _)| matches!(r, Record::Seen(p) if p == pack))
    }
}
