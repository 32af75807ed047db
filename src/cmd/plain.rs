//! Opens the line-mode face on standard input and output.

use std::io::{self, IsTerminal, Write};

use super::learn::Wanted;
use super::{Outcome, courses, learn};
use crate::cli::class::ClassVerb;
use crate::cli::{Global, Verb};
use crate::line::{Plain, until_signal};
use crate::page::place::Place;
use crate::time;

/// Columns that words are wrapped to, where `COLUMNS` names none.
const WIDTH: usize = 78;

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
    let now = time::now();
    let setup = match &verb {
        Some(Verb::Rehearse(how)) => super::rehearse::asked(how, &library, now)?,
        _ => None,
    };
    let review = match &verb {
        Some(Verb::Review { ahead }) => Some(*ahead),
        _ => None,
    };
    let wanted = match verb {
        Some(Verb::Learn { lesson }) => learn::lesson(&library, lesson.as_deref())?,
        Some(Verb::Drill { drill }) => learn::drill(&library, drill.as_deref())?,
        Some(Verb::Rehearse(_)) => Wanted::At(Place::Rehearse),
        Some(Verb::Class(ClassVerb::Open { folder, .. })) => Wanted::At(super::class::place(folder)),
        _ => Wanted::At(Place::Home),
    };
    let dir = learn::data_dir(global)?;
    for pack in &library.packs {
        pack.body(); // lines come one after the other, so nothing is gained by reading it beside
    }
    let (services, notes) = learn::services(&dir, library);
    let place = wanted.place(&services);
    let mut plain = Plain::new(services, notes, width());
    let first = match (setup, review) {
        (Some(setup), _) => plain.rehearse(setup, now),
        (None, Some(days)) => plain.review(days, now),
        (None, None) => plain.open(&place, now),
    };
    let stopped = until_signal(&mut plain, &first, io::stdin(), out)?;
    if let Some(signal) = stopped {
        // everything is kept: the program ends as the signal asks for
        drop(plain);
        #[cfg(unix)]
        signal_hook::low_level::emulate_default_handler(signal)?;
        return Ok(Outcome::Ended);
    }
    Ok(if plain.is_left() { Outcome::Failed } else { Outcome::Done })
}

/// Columns that words are wrapped to.
pub fn width() -> usize {
    let named = std::env::var("COLUMNS").ok().and_then(|c| c.trim().parse().ok());
    named.filter(|w| (40..=240).contains(w)).unwrap_or(WIDTH)
}
