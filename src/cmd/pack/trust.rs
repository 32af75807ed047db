//! `pack trust`: whose starters may run.

use std::io::Write;

use crate::cli::Global;
use crate::cmd::{Outcome, learn};
use crate::doc::escape;
use crate::pack::Origin;
use crate::services::library::Library;
use crate::services::trust;
use crate::time;

/// Trusts the starters of a pack as they are now, and says which.
///
/// # Errors
/// Where no pack at hand has the id, or the store cannot be written.
pub fn run(id: &str, library: &Library, global: &Global, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let Some(pack) = library.packs.iter().find(|p| p.id == id) else {
        let known = library.packs.iter().map(|p| p.id.as_str());
        return Err(learn::unknown("pack", id, known, "infralens pack list"));
    };
    let Origin::Folder(place) = &pack.origin else {
        writeln!(out, "the built-in course needs no trust")?;
        return Ok(Outcome::Done);
    };
    if let Some(record) = trust::record(pack) {
        learn::open_services(global, Library::default())?.keep(record, time::now()).at_once()?;
    }
    writeln!(
        out,
        "the starters of {} in {} may run, as they are now:",
        escape::line(&pack.title),
        escape::line(&place.display().to_string())
    )?;
    for lab in pack.lessons.iter().flat_map(|l| &l.labs) {
        writeln!(out, "  assets/{}", escape::line(&lab.starter.path))?;
        for file in lab.measure.iter().flat_map(|measure| measure.files()) {
            writeln!(out, "  assets/{}", escape::line(&file.path))?;
        }
    }
    Ok(Outcome::Done)
}
