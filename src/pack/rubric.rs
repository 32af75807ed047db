//! The patterns of a drill in its file, for what the scorer has to say about them.

use std::ops::Range;

use crate::score::{Place, RubricFault};

use super::faults::Faults;
use super::raw;

/// Where the patterns and words of one drill stand in its file.
#[derive(Debug, Default)]
pub(super) struct Places {
    known: Vec<(Place, Range<usize>)>,
}

impl Places {
    /// The places of a drill's patterns and words.
    pub(super) fn of(drill: &raw::Drill) -> Places {
        let mut known = Vec::new();
        for (i, point) in drill.points.iter().enumerate() {
            let full = point.matches.iter().enumerate();
            known.extend(full.map(|(j, p)| (Place::Full(i, j), p.span())));
            let partial = point.partial.iter().enumerate();
            known.extend(partial.map(|(j, p)| (Place::Partial(i, j), p.span())));
        }
        for (i, misconception) in drill.misconceptions.iter().enumerate() {
            let all = misconception.matches.iter().enumerate();
            known.extend(all.map(|(j, p)| (Place::Misconception(i, j), p.span())));
        }
        for (i, concept) in drill.concepts.iter().enumerate() {
            let all = concept.words.iter().enumerate();
            known.extend(all.map(|(j, w)| (Place::Word(i, j), w.span())));
        }
        Places { known }
    }

    /// Reports the faults of a rubric where they stand.
    pub(super) fn report(&self, found: Vec<RubricFault>, faults: &mut Faults<'_>) {
        for fault in found {
            let Some((_, span)) = self.known.iter().find(|(place, _)| *place == fault.place) else {
                continue;
            };
            // The string's own bytes begin behind its quote; an escape in it may shift them.
            let from = (span.start + 1 + fault.at.start).min(span.end);
            let to = (span.start + 1 + fault.at.end).clamp(from, span.end);
            if fault.warning {
                faults.warning(from..to, fault.fault, fault.cure);
            } else {
                faults.error(from..to, fault.fault, fault.cure);
            }
        }
    }
}
