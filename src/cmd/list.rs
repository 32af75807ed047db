//! `list`: what the packs hold.

use std::io::Write;

use super::{Outcome, page, sim};
use crate::cli::{Global, ListWhat};
use crate::page::Page;
use crate::page::find::Find;
use crate::services::library::Library;
use crate::study::thing::Kind;

/// Everything that has an id, in the order of the list.
pub const KINDS: [Kind; 7] =
    [Kind::Lesson, Kind::Lab, Kind::Drill, Kind::Check, Kind::Puzzle, Kind::Sim, Kind::Term];

/// Prints ids and titles, one a line, with a tab between them in a pipe, or as a JSON array.
///
/// # Errors
/// Where the output cannot be written.
pub fn run(
    library: &Library,
    what: Option<ListWhat>,
    global: &Global,
    out: &mut dyn Write,
) -> anyhow::Result<Outcome> {
    let kind = match what {
        None => {
            let all = Find::ids(&KINDS, "", library);
            page::list(&all.list(), all.json(), global, out)?;
            return Ok(Outcome::Done);
        }
        Some(ListWhat::Sims) if !global.json => return sim::list(global, out),
        Some(ListWhat::Sims) => Kind::Sim,
        Some(ListWhat::Lessons) => Kind::Lesson,
        Some(ListWhat::Labs) => Kind::Lab,
        Some(ListWhat::Drills) => Kind::Drill,
        Some(ListWhat::Checks) => Kind::Check,
        Some(ListWhat::Terms) => Kind::Term,
        Some(ListWhat::Puzzles) => Kind::Puzzle,
    };
    let all = Find::ids(&[kind], "", library);
    page::list(&all.list(), all.json(), global, out)?;
    Ok(Outcome::Done)
}
