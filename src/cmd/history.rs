//! `history`: earlier answers, the newest first.

use std::io::Write;

use super::Outcome;
use super::learn::data_dir;
use crate::cli::Global;
use crate::store::{Filter, Store};
use crate::time;
use crate::widget::escape;

/// Prints when, what and how it went, one attempt a line, or as a JSON array.
///
/// # Errors
/// Where the store or the output fails.
pub fn run(
    global: &Global,
    drill: Option<&str>,
    limit: usize,
    out: &mut dyn Write,
) -> anyhow::Result<Outcome> {
    let store = Store::open(&data_dir(global)?)?;
    let filter = Filter { drill: drill.map(str::to_owned), ..Filter::default() };
    let attempts = store.history(&filter, u32::try_from(limit).unwrap_or(u32::MAX))?;
    if global.json {
        serde_json::to_writer_pretty(&mut *out, &attempts)?;
        writeln!(out)?;
        return Ok(Outcome::Done);
    }
    if attempts.is_empty() {
        writeln!(out, "no answers yet; `infralens drill` asks for the first")?;
    }
    let zone = time::zone();
    for a in attempts {
        let when = a.at.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M").to_string();
        let limiting = a.score.limiting_part.as_deref().unwrap_or("none");
        writeln!(
            out,
            "{when}  {:>3.0}%  {:<32} limiting: {limiting}",
            a.total() * 100.0,
            escape::line(&a.drill)
        )?;
    }
    Ok(Outcome::Done)
}
