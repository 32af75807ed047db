//! Opens the line-mode face on standard input and output.

use std::io::{self, IsTerminal, Write};

use super::learn::Wanted;
use super::{Outcome, courses, learn};
use crate::cli::{ClassVerb, Global, Rehearse, Verb};
use crate::line::{Plain, run};
use crate::page::place::Place;
use crate::time;

/// Columns that words are wrapped to, where `COLUMNS` names none.
const WIDTH: usize = 78;

/// Where it begins.
enum Start {
    At(Place),
    Drill(Wanted),
    Rehearse(Rehearse),
    Review(u32),
}

/// Whether there is a terminal that cannot move its cursor, as editors and old machines have it.
pub fn is_needed() -> bool {
    let term = std::env::var_os("TERM").unwrap_or_default();
    cfg!(unix)
        && (term.is_empty() || term == "dumb")
        && io::stdin().is_terminal()
        && io::stdout().is_terminal()
}

/// Whether a verb opens a screen, so that `--plain` gives it this face.
pub fn opens(verb: Option<&Verb>, global: &Global) -> bool {
    // what a class holds can be asked for as JSON
    if let Some(Verb::Class(verb)) = verb {
        return !global.json && matches!(verb, ClassVerb::Open { csv: false, html: false, .. });
    }
    matches!(
        verb,
        None | Some(Verb::Learn { .. } | Verb::Drill { .. } | Verb::Rehearse(_) | Verb::Review { .. })
    )
}

/// Runs a verb that opens a screen as lines.
///
/// # Errors
/// Where the place is not in the packs, the arguments do not fit, or the output fails.
pub fn open(verb: Option<Verb>, global: &Global, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let library = courses::load(global);
    let start = match verb {
        Some(Verb::Learn { lesson }) => Start::At(learn::lesson(&library, lesson.as_deref())?),
        Some(Verb::Drill { drill }) => Start::Drill(learn::drill(&library, drill.as_deref())?),
        Some(Verb::Rehearse(how)) => Start::Rehearse(how),
        Some(Verb::Review { ahead }) => Start::Review(ahead),
        Some(Verb::Class(ClassVerb::Open { folder, .. })) => Start::At(super::class::place(folder)),
        _ => Start::At(Place::Home),
    };
    let dir = learn::data_dir(global)?;
    let now = time::now();
    let setup = match &start {
        Start::Rehearse(how) => super::rehearse::asked(how, &library, now)?,
        _ => None,
    };
    for pack in &library.packs {
        pack.body(); // lines come one after the other, so nothing is gained by reading it beside
    }
    let (services, notes) = learn::services(&dir, library);
    let start = match start {
        Start::Drill(wanted) => Start::At(wanted.place(&services)),
        start => start,
    };
    let mut plain = Plain::new(services, notes, width());
    let first = match (start, setup) {
        (_, Some(setup)) => plain.rehearse(setup, now),
        (Start::At(place) | Start::Drill(Wanted::At(place)), _) => plain.open(&place, now),
        (Start::Drill(Wanted::NextDrill), _) => plain.open(&Place::Home, now),
        (Start::Rehearse(_), None) => plain.open(&Place::Rehearse, now),
        (Start::Review(days), _) => plain.review(days, now),
    };
    run(&mut plain, &first, io::stdin(), out)?;
    Ok(if plain.is_left() { Outcome::Failed } else { Outcome::Done })
}

/// Columns that words are wrapped to.
pub fn width() -> usize {
    let named = std::env::var("COLUMNS").ok().and_then(|c| c.trim().parse().ok());
    named.filter(|w| (40..=240).contains(w)).unwrap_or(WIDTH)
}
