//! What one can do before anything is measured: the rows of the first view.

use super::{Found, Measure, RANKS, Stage};
use crate::measure::figures;
use crate::page::place::Place;
use crate::page::{At, Next};
use crate::services::Services;

/// What a row of the first view does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Choice {
    Run(u32),
    Trust,
    Stored(u32),
    Read(usize),
    Name,
}

impl Measure {
    /// What the rows of the first view do, in their order.
    pub(super) fn choices(&self, services: &Services) -> Vec<Choice> {
        let runs = matches!(self.found, Found::Here(_)) && services.untrusted(self.pack).is_none();
        let here = RANKS.iter().filter(|_| runs).map(|ranks| Choice::Run(*ranks));
        let stored = RANKS.iter().filter(|ranks| {
            figures::stored(&self.program.stored, **ranks).is_some_and(|run| run.ranks == **ranks)
        });
        let stored = stored.map(|ranks| Choice::Stored(*ranks));
        let files = (0..self.files.len()).map(Choice::Read);
        let trust = services.untrusted(self.pack).map(|_| Choice::Trust);
        here.chain(trust).chain(stored).chain(files).chain([Choice::Name]).collect()
    }

    pub(super) fn choose(&mut self, choice: Choice, at: &mut At) -> Next {
        match choice {
            Choice::Run(ranks) => self.predict(ranks, false, at),
            Choice::Stored(ranks) => self.predict(ranks, true, at),
            Choice::Read(file) => {
                Next::Go(Place::Program { pack: self.pack, id: self.program.lab.clone(), file })
            }
            Choice::Trust => {
                let kept = at.services.trust(self.pack, at.now);
                at.say(match kept.said() {
                    None => "the pack is trusted until its code changes".to_owned(),
                    Some(fault) => format!("not kept yet: {fault}"),
                });
                Next::Show
            }
            Choice::Name => {
                self.stage = Stage::Naming;
                Next::Show
            }
        }
    }
}
