//! `history`: earlier answers, the newest first.

use std::io::Write;

use super::learn::{data_dir, named_drill, reading};
use super::{Outcome, page};
use crate::cli::Global;
use crate::page::history::History;
use crate::services::library::Library;

/// Prints when, what and how it went, one attempt a line, or as a JSON array.
///
/// # Errors
/// Where no pack has the drill, or the store or the output fails.
pub fn run(
    global: &Global,
    library: Library,
    (drill, limit): (Option<&str>, usize),
    out: &mut dyn Write,
) -> anyhow::Result<Outcome> {
    let drill = drill.map(|id| {
        let (pack, id) = named_drill(&library, id)?;
        anyhow::Ok((library.packs[pack].id.clone(), id.to_owned()))
    });
    let drill = drill.transpose()?;
    let mut services = reading(&data_dir(global)?, library)?;
    let most = u32::try_from(limit).unwrap_or(u32::MAX);
    let page = History::open(drill.as_ref(), most, &services).map_err(anyhow::Error::msg)?;
    page::print(&page, &mut services, global, out)?;
    Ok(Outcome::Done)
}
