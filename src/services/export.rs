//! Reports of rehearsals as files.

use std::fs;
use std::path::PathBuf;

use super::Services;
use crate::study::rehearsal::Report;

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
        let files = [
            ("md", report.markdown(&self.when(report.ended))),
            ("json", serde_json::to_string_pretty(report).expect("a report is plain data")),
        ];
        let written = fs::create_dir_all(&folder).and_then(|()| {
            let write = |(kind, text): &(&str, String)| {
                let path = folder.join(format!("{name}.{kind}"));
                fs::write(&path, text).map(|()| path)
            };
            files.iter().map(write).collect()
        });
        written.map_err(|fault| format!("{}: {fault}; make room, or allow writing there", folder.display()))
    }
}
