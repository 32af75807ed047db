//! Rehearsals: their state kept each second, their reports kept and written to files.

use std::fs;
use std::path::PathBuf;

use jiff::Timestamp;

use super::Shell;
use super::rescue::Typed;
use crate::app::effect::{Effect, Reply};
use crate::store::StoreError;
use crate::study::rehearsal::{Phase, Rehearsal, Report};

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
        let text = spoken(run);
        let typed = Typed {
            id: &run.id,
            name: "rehearsal",
            text: &text,
        };
        match kept {
            Ok(()) => self.unkept(&typed),
            Err(fault) => Some(self.rescue(&typed, &fault)),
        }
    }

    /// Writes a report as Markdown and JSON below the data folder.
    fn write_report(&self, report: &Report) -> Reply {
        let folder = self.work.join("reports");
        let when = report.ended.to_zoned(self.zone.clone());
        let name = format!("rehearsal-{}", when.strftime("%Y-%m-%d-%H%M%S"));
        let files = [
            (
                "md",
                report.markdown(&when.strftime("%Y-%m-%d %H:%M").to_string()),
            ),
            (
                "json",
                serde_json::to_string_pretty(report).expect("a report is plain data"),
            ),
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

/// All that was typed in a run, to be read by a person.
fn spoken(run: &Rehearsal) -> String {
    let mut page = String::new();
    let mut add = |head: &str, text: &str| {
        if !text.trim().is_empty() {
            page.push_str(&format!("{head}\n\n{}\n\n", text.trim_end()));
        }
    };
    for take in &run.takes {
        let question = run.prompts.get(take.prompt).map_or("", |p| &p.text);
        match &take.attempt.part {
            Some(part) => add(
                &format!("# Follow-up on {part}: {question}"),
                &take.attempt.answer,
            ),
            None => {
                add(&format!("# {question}"), &take.attempt.answer);
                add("## Notes", &take.notes);
            }
        }
    }
    if let Some(prompt) = run.prompt().filter(|_| run.phase != Phase::Verdict) {
        add(&format!("# {}", prompt.text), &run.text);
        add("## Notes", &run.notes);
    }
    page
}
