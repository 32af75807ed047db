//! Rehearsals with what an instructor gave to their answers since.

use super::Services;
use crate::store::Filter;
use crate::study::rehearsal::{Graded, Report};

impl Services {
    /// What an instructor made of the answers of a report; none where no mark was given, or the store cannot be read.
    pub fn graded(&self, report: &Report) -> Option<Graded> {
        let filter = Filter { rehearsal: Some(report.id.clone()), ..Filter::default() };
        report.graded(&self.store.history(&filter, u32::MAX).ok()?)
    }

    /// The same by the report's id.
    pub fn graded_run(&self, id: &str) -> Option<Graded> {
        self.graded(&self.store.report(id).ok()??)
    }
}
