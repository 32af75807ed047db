//! `pack default`: which course comes first.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::install::{folder, installed};
use crate::cli::Global;
use crate::cmd::{Outcome, learn};
use crate::doc::escape::line as escape;
use crate::whole;

/// The file beside the installed packs that holds the id.
const FILE: &str = "default";

/// The folder of the pack that comes first on this machine; none where that is the built-in one.
pub fn chosen(data: &Path) -> Option<PathBuf> {
    let id = fs::read_to_string(folder(data).join(FILE)).ok()?;
    let id = id.trim();
    installed(data).into_iter().find(|f| f.file_name().is_some_and(|name| name == id))
}

/// Makes a pack the first one, or says which it is.
///
/// # Errors
/// Where no installed pack has the id, or the choice cannot be kept.
pub fn run(id: Option<&str>, global: &Global, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let data = learn::data_dir(global)?;
    let built_in = crate::built_in::course().id;
    let name = |folder: &PathBuf| folder.file_name().map(|n| n.to_string_lossy().into_owned());
    let Some(id) = id else {
        let now = chosen(&data).as_ref().and_then(name).unwrap_or(built_in);
        writeln!(out, "{} comes first", escape(&now))?;
        return Ok(Outcome::Done);
    };
    let file = folder(&data).join(FILE);
    if id == built_in {
        forget(&data)?;
    } else {
        let known: Vec<String> = installed(&data).iter().filter_map(name).collect();
        if !known.iter().any(|k| k == id) {
            let known = known.iter().map(String::as_str).chain([built_in.as_str()]);
            return Err(learn::unknown("installed pack", id, known, "infralens pack list"));
        }
        let shown = file.display().to_string();
        whole::put_text(&file, &format!("{id}\n"))
            .with_context(|| format!("cannot write {}", escape(&shown)))?;
    }
    writeln!(
        out,
        "From the next start on, {} comes first: on Home, in the plan and in the lists.",
        escape(id)
    )?;
    Ok(Outcome::Done)
}

/// Lets the built-in pack come first again.
pub fn forget(data: &Path) -> anyhow::Result<()> {
    match fs::remove_file(folder(data).join(FILE)) {
        Err(fault) if fault.kind() != std::io::ErrorKind::NotFound => {
            Err(fault).context("cannot clear the choice of the first pack")
        }
        _ => Ok(()),
    }
}
