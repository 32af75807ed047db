//! `pack list`: the packs at hand.

use std::io::Write;

use serde_json::json;

use crate::cli::Global;
use crate::cmd::{Outcome, learn};
use crate::doc::escape;
use crate::pack::{Origin, Pack};
use crate::services::library::Library;
use crate::services::trust;
use crate::study::words::some;

/// Prints the built-in pack, the installed ones and those of `--pack`, or all as JSON. Fails where one does not load.
///
/// # Errors
/// Where the store cannot be read or the output not written.
pub fn run(library: &Library, global: &Global, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let store = learn::open_store(&learn::data_dir(global)?)?;
    let ended = if library.broken.is_empty() { Outcome::Done } else { Outcome::Failed };
    if global.json {
        let packs = library.packs.iter().map(|p| {
            json!({
                "id": p.id, "title": p.title, "version": p.version, "lessons": p.lessons.len(),
                "drills": p.drills.len(), "where": place(p), "trusted": trust::holds(&store, p),
            })
        });
        let broken = library.broken.iter().map(|b| json!({"where": b.path, "problems": b.problems}));
        let all: Vec<_> = packs.chain(broken).collect();
        crate::cmd::json::pretty(&all, out)?;
        return Ok(ended);
    }
    for pack in &library.packs {
        let trusted =
            if trust::holds(&store, pack) { "trusted" } else { "not trusted: its starters do not run" };
        writeln!(
            out,
            "{} {}: {}, {}, {}",
            pack.id,
            escape::line(&pack.version),
            escape::line(&pack.title),
            some(pack.lessons.len(), "lesson"),
            some(pack.drills.len(), "drill")
        )?;
        writeln!(out, "  {}, {trusted}", place(pack))?;
    }
    for broken in &library.broken {
        let path = escape::line(&broken.path);
        writeln!(
            out,
            "{path}: does not load, {} problems; see infralens pack check {path}",
            broken.problems
        )?;
    }
    Ok(ended)
}

/// Where a pack comes from.
fn place(pack: &Pack) -> String {
    match &pack.origin {
        Origin::BuiltIn(_) => "built in".into(),
        Origin::Folder(path) => escape::line(&path.display().to_string()).into_owned(),
    }
}
