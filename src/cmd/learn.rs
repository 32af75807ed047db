//! Opens the program in the terminal: Home, a lesson, a drill.

use std::io::IsTerminal;
use std::path::PathBuf;

use super::{Outcome, courses};
use crate::app::{App, Setup};
use crate::cli::{Global, ThemeChoice};
use crate::page::place::Place;
use crate::services::Services;
use crate::services::library::Library;
use crate::store::{self, Store};
use crate::time;
use crate::tui::{self, Ended, Options};
use crate::widget::theme::Palette;

/// Opens the program at the place that is found in the packs.
///
/// # Errors
/// Where there is no terminal, or the place is not in the packs.
pub fn open(
    global: &Global,
    place: impl FnOnce(&Library) -> anyhow::Result<Place>,
) -> anyhow::Result<Outcome> {
    if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
        anyhow::bail!("this needs a terminal; run it in one, or use --plain to work with pipes");
    }
    let palette = palette(global);
    let setup = Setup { now: time::now(), zone: time::zone(), palette, ascii: global.ascii };
    let options = Options { mouse: !global.no_mouse, ask_background: palette.is_none() };
    let dir = data_dir(global)?;
    let ended = tui::run(App::new(&setup), options, || {
        let library = courses::load(global);
        let place = place(&library)?;
        let (services, notes) = services(&dir, library);
        Ok(tui::Start { services, place, notes })
    })?;
    Ok(match ended {
        Ended::Quit => Outcome::Done,
        Ended::Terminated => Outcome::Ended,
    })
}

/// The colours asked for; none means: ask the terminal.
fn palette(global: &Global) -> Option<Palette> {
    let no_colour = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
    match global.theme {
        _ if global.light => Some(Palette::Light),
        ThemeChoice::Auto if no_colour => Some(Palette::Mono),
        ThemeChoice::Auto => match Palette::detect(|name| std::env::var(name).ok()) {
            Palette::Dark => None,
            other => Some(other),
        },
        ThemeChoice::Dark => Some(Palette::Dark),
        ThemeChoice::Light => Some(Palette::Light),
        ThemeChoice::Sixteen => Some(Palette::Sixteen),
        ThemeChoice::Mono => Some(Palette::Mono),
    }
}

/// The folder for data: the one named, or the platform's.
///
/// # Errors
/// Where the platform names none.
pub fn data_dir(global: &Global) -> anyhow::Result<PathBuf> {
    match &global.data_dir {
        Some(dir) => Ok(dir.clone()),
        None => Ok(store::default_dir()?),
    }
}

/// The packs with the store of a folder, and what is to be said about it.
pub fn services(dir: &std::path::Path, library: Library) -> (Services, Vec<String>) {
    let (store, notes) = store(dir);
    let lasts = store.path().is_some();
    let services = Services::new(library, store, time::zone(), dir.to_owned());
    (if lasts { services } else { services.to_files() }, notes)
}

/// Opens the store, with what is to be said about it. Where that fails, the program goes on with one
/// in memory.
fn store(dir: &std::path::Path) -> (Store, Vec<String>) {
    let mut notes = Vec::new();
    let store = match Store::open(dir) {
        Ok(store) => {
            if let Some(aside) = store.set_aside() {
                notes.push(format!(
                    "the store could not be read; it is set aside as {} and a new one is begun",
                    aside.display()
                ));
            }
            Some(store)
        }
        Err(fault) => {
            notes.push(format!("{fault}. The progress of this session will not be kept"));
            None
        }
    };
    let store = store.map_or_else(Store::in_memory, Ok).expect("SQLite opens a database in memory");
    (store, notes)
}

/// The place of a lesson; without one, Home, where going on is the first row.
///
/// # Errors
/// Where no pack has the lesson.
pub fn lesson(library: &Library, id: Option<&str>) -> anyhow::Result<Place> {
    let Some(id) = id else { return Ok(Place::Home) };
    match library.find_lesson(id) {
        Some((pack, _)) => Ok(Place::Lesson { pack, id: id.to_owned() }),
        None => Err(unknown("lesson", id, library.lesson_ids(), "infralens list lessons")),
    }
}

/// The place of a drill; without one, the first.
///
/// # Errors
/// Where no pack has the drill.
pub fn drill(library: &Library, id: Option<&str>) -> anyhow::Result<Place> {
    let known = || library.packs.iter().flat_map(|p| &p.drills).map(|d| d.id.as_str());
    let Some(id) = id.or_else(|| known().next()) else {
        return Ok(Place::Home);
    };
    match library.find_drill(id) {
        Some((pack, _)) => Ok(Place::Drill { pack, id: id.to_owned(), only: None }),
        None => Err(unknown("drill", id, known(), "infralens list drills")),
    }
}

/// `no lesson has the id …`, with the nearest one and where to look.
pub fn unknown<'a>(kind: &str, id: &str, known: impl Iterator<Item = &'a str>, list: &str) -> anyhow::Error {
    let near = known
        .map(|k| (strsim::damerau_levenshtein(id, k), k))
        .min()
        .filter(|(distance, k)| *distance <= k.len().max(id.len()) / 2)
        .map(|(_, k)| format!("did you mean `{k}`? "))
        .unwrap_or_default();
    anyhow::anyhow!("no {kind} has the id `{id}`; {near}`{list}` shows all")
}
