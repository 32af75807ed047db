//! `stats` and `due`: what is strong, what is weak, what waits.

use std::io::Write;

use serde_json::json;

use super::Outcome;
use super::learn::data_dir;
use crate::cli::Global;
use crate::doc::escape;
use crate::services::library::Library;
use crate::store::Store;
use crate::study::rating::Biases;
use crate::study::words::some;
use crate::time;

/// The newest self ratings that are looked at.
const MOST_RATINGS: u32 = 200;

/// Prints the strength of each part in each lesson, or all of it as JSON.
///
/// # Errors
/// Where the store cannot be read or the output not written.
pub fn run(global: &Global, library: &Library, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let store = Store::open(&data_dir(global)?)?;
    let mut all = Vec::new();
    for pack in &library.packs {
        let home = store.home(&pack.id, time::now(), &time::zone())?;
        let cells: Vec<_> = home
            .strengths
            .cells
            .iter()
            .map(|c| json!({"lesson": c.lesson, "part": c.part, "answers": c.answers, "strength": c.strength()}))
            .collect();
        let parts: Vec<String> = pack.parts.iter().map(|p| p.id.clone()).collect();
        let rated = store.ratings(&pack.id, MOST_RATINGS)?;
        let biases = Biases::of(&rated, &parts);
        all.push(json!({
            "pack": pack.id, "attempts": home.attempts, "due": home.due.total(), "strengths": cells,
            "self_rating": biases,
        }));
        if global.json {
            continue;
        }
        writeln!(out, "{}: {}, {} due", escape::line(&pack.title), counted(home.attempts), home.due.total())?;
        for c in &home.strengths.cells {
            writeln!(
                out,
                "  {:<14} {:<14} {:>3.0}%  {}",
                escape::line(&c.lesson),
                escape::line(&c.part),
                c.strength() * 100.0,
                counted(c.answers)
            )?;
        }
        for line in said(&biases) {
            writeln!(out, "  {}", escape::line(&line))?;
        }
    }
    if global.json {
        serde_json::to_writer_pretty(&mut *out, &all)?;
        writeln!(out)?;
    }
    Ok(Outcome::Done)
}

fn counted(answers: u64) -> String {
    some(usize::try_from(answers).unwrap_or(usize::MAX), "answer")
}

/// How far self ratings are off, in sentences; none where nothing was rated.
fn said(biases: &Biases) -> Vec<String> {
    let parts = biases.parts.iter().map(|p| format!("rated {}: {}", p.part, p.sentence()));
    biases.sentences().into_iter().chain(parts).collect()
}

/// Says how much is due; fails where something is, for a shell prompt.
///
/// # Errors
/// Where the store cannot be read or the output not written.
pub fn due(global: &Global, library: &Library, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let store = Store::open(&data_dir(global)?)?;
    let mut total = 0;
    for pack in &library.packs {
        total += store.home(&pack.id, time::now(), &time::zone())?.due.total();
    }
    if global.json {
        writeln!(out, "{}", json!({"due": total}))?;
    } else {
        writeln!(out, "{total} due")?;
    }
    Ok(if total == 0 { Outcome::Done } else { Outcome::Failed })
}
