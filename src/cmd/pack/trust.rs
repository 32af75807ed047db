//! `pack trust`: whose starters may run.

use std::io::Write;

use jiff::Timestamp;

use crate::app::library::Library;
use crate::cli::Global;
use crate::cmd::{Outcome, learn};
use crate::pack::{Origin, Pack, fingerprint};
use crate::store::Store;
use crate::time;
use crate::widget::escape;

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
    let store = Store::open(&learn::data_dir(global)?)?;
    keep(&store, pack, time::now())?;
    writeln!(
        out,
        "the starters of {} in {} may run, as they are now:",
        escape::line(&pack.title),
        place.display()
    )?;
    for lab in pack.lessons.iter().flat_map(|l| &l.labs) {
        writeln!(out, "  assets/{}", escape::line(&lab.starter.path))?;
    }
    Ok(Outcome::Done)
}

/// Keeps that the starters of a pack are trusted as they are now.
///
/// # Errors
/// Where the store cannot be written.
pub fn keep(store: &Store, pack: &Pack, now: Timestamp) -> anyhow::Result<()> {
    if let Origin::Folder(place) = &pack.origin {
        store.trust(&pack.id, &place.display().to_string(), &fingerprint(pack), now)?;
    }
    Ok(())
}

/// Whether the starters of a pack may run.
pub fn holds(store: &Store, pack: &Pack) -> bool {
    match &pack.origin {
        Origin::BuiltIn(_) => true,
        Origin::Folder(place) => {
            store.is_trusted(&pack.id, &place.display().to_string(), &fingerprint(pack)).unwrap_or(false)
        }
    }
}
