//! Reports of rehearsals as files.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use super::Services;
use crate::study::rehearsal::{Graded, Report};
use crate::whole;

impl Services {
    /// Writes a report as Markdown and as JSON below the data folder, named by the time it ended, and
    /// gives both paths.
    ///
    /// # Errors
    /// With the folder and the fault, in one sentence.
    pub fn export(&self, report: &Report) -> Result<Vec<PathBuf>, String> {
        let folder = self.work.join("reports");
        let ended = report.ended.to_zoned(self.zone.clone());
        let name = format!("rehearsal-{}", ended.strftime("%Y-%m-%d-%H%M%S"));
        let graded = self.graded(report);
        let json = with_graded(report, graded.as_ref()).expect("a report is plain data");
        let files = [
            ("md", report.markdown(&ended.strftime("%Y-%m-%d %H:%M").to_string(), graded.as_ref())),
            ("json", format!("{json:#}")),
        ];
        let written = fs::create_dir_all(&folder).and_then(|()| {
            let write = |(kind, text): &(&str, String)| {
                let path = folder.join(format!("{name}.{kind}"));
                whole::put_text(&path, text).map(|()| path)
            };
            files.iter().map(write).collect()
        });
        written.map_err(|fault| format!("{}: {fault}; make room, or allow writing there", folder.display()))
    }
}

/// A report as JSON, with what an instructor gave to its answers as `instructor`.
///
/// # Errors
/// Where it is no plain data.
pub fn with_graded(report: &Report, graded: Option<&Graded>) -> serde_json::Result<Value> {
    let mut json = serde_json::to_value(report)?;
    if let Some(graded) = graded {
        json["instructor"] = serde_json::to_value(graded)?;
    }
    Ok(json)
}
