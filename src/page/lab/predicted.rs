//! What was predicted for a lab, and what the learner thinks of it: kept, so that leaving a lab before all of it is
//! compared loses nothing.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::score::Verdict;
use crate::services::{Record, Services};
use crate::store::predicted_key;

/// Predictions for the questions of a lab.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Predicted {
    /// One text for each question that was answered.
    pub said: Vec<String>,
    /// What the learner thinks of each, once it is compared.
    pub marks: Vec<Option<Verdict>>,
    /// The questions whose answers were looked at.
    pub seen: BTreeSet<usize>,
    /// Whether the starter ran after them.
    pub has_run: bool,
    /// Whether a changed copy of the starter ran to its end.
    #[serde(default)]
    pub changed: bool,
}

impl Predicted {
    /// None yet, for so many questions.
    pub fn of(questions: usize) -> Self {
        Predicted { marks: vec![None; questions], ..Predicted::default() }
    }

    /// The letter that is all of a prediction: as likely a key that was pressed too late. `y` and `n` are answers.
    pub fn slip(text: &str) -> Option<char> {
        let mut letters = text.trim().chars();
        let first = letters.next().filter(|c| c.is_alphabetic() && !"yYnN".contains(*c));
        first.filter(|_| letters.next().is_none())
    }

    /// Those that are kept of a lab with so many questions.
    pub fn read(services: &Services, pack: &str, lab: &str, questions: usize) -> Self {
        let kept = services.setting(&predicted_key(pack, lab)).ok().flatten();
        let kept = kept.and_then(|text| serde_json::from_str(&text).ok());
        // the course may ask something else by now
        let fits = |p: &Predicted| p.marks.len() == questions && p.said.len() <= questions;
        kept.filter(fits).unwrap_or_else(|| Predicted::of(questions))
    }

    /// How many are still to be compared.
    pub fn left(&self) -> usize {
        self.marks.iter().filter(|mark| mark.is_none()).count()
    }

    /// Whether it goes on from here: something was said, and not all of it is compared.
    pub fn is_open(&self) -> bool {
        self.left() > 0 && (self.has_run || self.said.iter().any(|text| !text.trim().is_empty()))
    }

    /// Takes over from an earlier time what is not said anew, and what the learner thought of what is said again.
    pub fn after(mut self, earlier: &Self) -> Self {
        self.changed |= earlier.changed;
        for (row, before) in earlier.said.iter().enumerate() {
            let Some(said) = self.said.get_mut(row) else { continue };
            if said.trim().is_empty() {
                said.clone_from(before);
            }
            if said.trim() == before.trim() {
                if let (Some(mark), Some(was)) = (self.marks.get_mut(row), earlier.marks.get(row)) {
                    *mark = mark.or(*was);
                }
                self.seen.extend(earlier.seen.get(&row));
            }
        }
        self
    }

    /// As it is kept: what was said stays beside what it is, for whoever runs the lab again.
    pub fn record(&self, pack: &str, lab: &str) -> Record {
        let text = match self.has_run || self.changed || self.is_open() {
            true => serde_json::to_string(self).expect("predictions are plain data"),
            false => String::new(),
        };
        Record::Setting(Cow::Owned(predicted_key(pack, lab)), text)
    }
}
