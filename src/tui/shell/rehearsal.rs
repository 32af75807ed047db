//! Rehearsals: their state kept each second, their reports kept and written to files.

use std::fs;
use std::path::PathBuf;

use jiff::Timestamp;

use super::Shell;
use crate::app::effect::{Effect, Reply};
use crate::store::{StoreError, Typed};
use crate::study::rehearsal::{Rehearsal, Report};

impl Shell {
    /// Carries out what concerns a rehearsal.
    pub(super) fn rehearse(&mut self, effect: Effect, now: Timestamp) -> Result<Option<Reply>, StoreError> {
        match effect {
            Effect::SaveRehearsal(run) => {
                let kept = self.store.save_rehearsal(&run, now);
                Ok(self.or_rescued(kept, &run))
            }
            Effect::FinishRehearsal(run, report) => {
                let kept = self.store.finish_rehearsal(&run, &report);
                Ok(self.or_rescued(kept, &run))
            }
            Effect::DropRehearsal(id) => self.store.drop_rehearsal(&id, now).map(|()| None),
            Effect::TakeRehearsal(id) => {
                let run = self.store.take_rehearsal(&id, now)?;
                Ok(Some(Reply::Taken(run.map(Box::new))))
            }
            Effect::Export(report) => Ok(Some(self.write_report(&report))),
            _ => Ok(None),
        }
    }

    fn or_rescued(&mut self, kept: Result<(), StoreError>, run: &Rehearsal) -> Option<Reply> {
        let text = run.spoken();
        let typed = Typed { id: &run.id, name: "rehearsal", text: &text };
        self.rescue.after(kept, &typed).map(Reply::Failed)
    }

    /// Writes a report as Markdown and JSON below the data folder.
    fn write_report(&self, report: &Report) -> Reply {
        let folder = self.work.join("reports");
        let when = report.ended.to_zoned(self.zone.clone());
        let name = format!("rehearsal-{}", when.strftime("%Y-%m-%d-%H%M%S"));
        let files = [
            ("md", report.markdown(&when.strftime("%Y-%m-%d %H:%M").to_string())),
            ("json", serde_json::to_string_pretty(report).expect("a report is plain data")),
        ];
        let written = fs::create_dir_all(&folder).and_then(|()| {
            files
                .iter()
                .map(|(kind, text)| {
                    let path = folder.join(format!("{name}.{kind}"));
                    fs::write(&path, text).map(|()| path)
                })
                .collect::<std::io::Result<Vec<PathBuf>>>()
        });
        match written {
            Ok(paths) => Reply::Written(paths),
            Err(fault) => Reply::Failed(format!(
                "{}: {fault}; make room or permit it, then press x again",
                folder.display()
            )),
        }
    }
}
