//! Opens the program in the terminal: Home, a lesson, a drill.

use std::collections::BTreeSet;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use super::Outcome;
use super::courses::{self, Others};
use crate::cli::{Global, ThemeChoice};
use crate::doc::escape::line as escape;
use crate::pack::Pack;
use crate::page::place::Place;
use crate::page::settings::MOTION;
use crate::page::task;
use crate::services::Services;
use crate::services::library::{Library, Unnamed};
use crate::store::{self, Store};
use crate::time;
use crate::tui::app::{App, Setup};
use crate::tui::{self, Ended, Options};
use crate::widget::theme::Palette;

/// The packs that are needed to find a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packs {
    /// The built-in one; the others are opened beside.
    BuiltIn,
    /// All of them.
    All,
}

/// Where to begin.
#[derive(Debug, Clone, PartialEq)]
pub enum Wanted {
    /// At a place.
    At(Place),
    /// At the drill that comes next, which only the store knows.
    NextDrill,
    /// Where one left off reading, or at the lesson that comes next.
    Reading,
}

impl Wanted {
    /// The place; Home where there is no drill, or nothing left to read.
    pub fn place(self, services: &Services) -> Place {
        match self {
            Wanted::At(place) => place,
            Wanted::NextDrill => task::next_drill(services, time::now()).unwrap_or(Place::Home),
            Wanted::Reading => task::reading(services, time::now()).unwrap_or(Place::Home),
        }
    }
}

/// Opens the program at the place that is found in the packs.
///
/// # Errors
/// Where there is no terminal, or the place is not in the packs.
pub fn open(
    global: &Global,
    packs: Packs,
    place: impl FnOnce(&Library) -> anyhow::Result<Place>,
) -> anyhow::Result<Outcome> {
    open_at(global, packs, |library| place(library).map(Wanted::At))
}

/// Opens the program where it is wanted.
///
/// # Errors
/// As [`open`].
pub fn open_at(
    global: &Global,
    packs: Packs,
    wanted: impl FnOnce(&Library) -> anyhow::Result<Wanted>,
) -> anyhow::Result<Outcome> {
    if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
        // what is wrong with the command line is said first: a terminal would not mend that
        wanted(&courses::load(global))?;
        anyhow::bail!("this needs a terminal; run it in one, or use --plain to work with pipes");
    }
    let palette = palette(global);
    let setup = Setup { now: time::now(), palette, ascii: global.ascii };
    let dir = data_dir(global)?;
    let is_new = !Store::is_in(&dir);
    let options = Options {
        mouse: !global.no_mouse,
        ask_background: palette.is_none(),
        // a store that is there opens faster than a frame is drawn
        shows_before: packs == Packs::All || is_new || Store::is_suspect(&dir),
    };
    let mut app = App::new(&setup);
    if packs == Packs::BuiltIn && is_new && !courses::has_first(global) {
        // making a store takes longer than all else, and nothing on Home waits for it
        app.begin_with_course();
    }
    let closed = tui::run(app, options, || {
        let (library, others) = match packs {
            Packs::BuiltIn => courses::start(global),
            Packs::All => (courses::load(global), Others::default()),
        };
        let wanted = wanted(&library)?;
        let (mut services, notes) = services(&dir, library);
        let kept = services.setting(MOTION).ok().flatten();
        services.is_still = is_still(global) || kept.as_deref() == Some("still");
        let place = wanted.place(&services);
        // Home asks for nothing but the table of contents; the rest is read while the first key is handled
        let is_later = |pack: &Pack| place == Place::Home && services.store.is_as_seen(pack).unwrap_or(false);
        let unread = services.library.packs.iter().filter(|pack| !pack.is_read()).cloned();
        let (later, now) = unread.partition(is_later);
        let taken = courses::ids(&services.library);
        let beside = courses::beside(now, others, taken);
        let at_first_key = courses::beside(later, Others::default(), BTreeSet::new());
        Ok(tui::Start { services, place, notes, beside, at_first_key })
    })?;
    if let Some(left) = closed.left {
        warn(&left);
        return Ok(Outcome::Failed);
    }
    Ok(match closed.ended {
        Ended::Quit => Outcome::Done,
        Ended::Terminated => Outcome::Ended,
    })
}

/// Whether nothing is to move by itself.
fn is_still(global: &Global) -> bool {
    global.no_motion || std::env::var_os("INFRALENS_NO_MOTION").is_some_and(|v| !v.is_empty() && v != "0")
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

/// The store of a folder, for a verb. Where a damaged file had to be set aside, standard error says so: what the
/// verb prints is that of a new, empty store.
///
/// # Errors
/// Where it cannot be opened.
pub fn open_store(dir: &Path) -> anyhow::Result<Store> {
    Ok(opened(dir, Library::default())?.store)
}

/// The store of a folder, for a verb that only reads: a folder that cannot be written will do.
///
/// # Errors
/// Where it cannot be opened.
pub fn read_store(dir: &Path) -> anyhow::Result<Store> {
    Ok(reading(dir, Library::default())?.store)
}

/// Packs with the store of a folder, for a verb that only reads.
///
/// # Errors
/// Where it cannot be opened.
pub fn reading(dir: &Path, library: Library) -> anyhow::Result<Services> {
    with_store(dir, library, Store::open_to_read(dir)?)
}

/// Packs with the store, for a verb that writes; a store that cannot be used is a fault.
///
/// # Errors
/// Where it cannot be opened.
pub fn open_services(global: &Global, library: Library) -> anyhow::Result<Services> {
    opened(&data_dir(global)?, library)
}

fn opened(dir: &Path, library: Library) -> anyhow::Result<Services> {
    with_store(dir, library, Store::open(dir)?)
}

fn with_store(dir: &Path, library: Library, store: Store) -> anyhow::Result<Services> {
    store.notice().into_iter().for_each(|notice| warn(&notice));
    let mut services = Services::new(library, store, time::zone(), dir.to_owned());
    services.take_in().into_iter().for_each(|notice| warn(&notice));
    Ok(services)
}

/// Says something on standard error.
fn warn(text: &str) {
    let _ = writeln!(std::io::stderr(), "infralens: {}", escape(text));
}

/// The packs with the store of a folder, and what is to be said about it.
pub fn services(dir: &Path, library: Library) -> (Services, Vec<String>) {
    let (store, mut notes) = store(dir);
    let lasts = store.path().is_some();
    let mut services = Services::new(library, store, time::zone(), dir.to_owned());
    if !lasts {
        notes.extend(services.still_left());
        return (services.to_files(), notes);
    }
    notes.extend(services.take_in());
    (services, notes)
}

/// Opens the store, with what is to be said about it. Where that fails, the program goes on with one
/// in memory.
fn store(dir: &Path) -> (Store, Vec<String>) {
    let mut notes = Vec::new();
    let store = match Store::open(dir) {
        Ok(store) => {
            notes.extend(store.notice());
            Some(store)
        }
        Err(fault) => {
            notes.push(format!("{fault}. What you do in this session will not be kept"));
            None
        }
    };
    let store = store.map_or_else(Store::in_memory, Ok).expect("SQLite opens a database in memory");
    (store, notes)
}

/// A lesson, or a lab of one; without an id, where one left off.
///
/// # Errors
/// Where no pack has the lesson.
pub fn lesson(library: &Library, id: Option<&str>) -> anyhow::Result<Wanted> {
    let Some(id) = id else { return Ok(Wanted::Reading) };
    let has_lab = |p: &Pack, id: &str| p.index().lab(id).is_some();
    if let Ok((pack, id)) = library.named(id, has_lab) {
        return Ok(Wanted::At(Place::Lab { pack, id: id.to_owned() }));
    }
    let has = |p: &Pack, id: &str| p.index().lesson(id).is_some();
    let known = library.packs.iter().flat_map(|p| p.index().lessons.iter()).map(|l| &*l.id);
    let (pack, id) = library.named(id, has).map_err(|fault| unnamed("lesson", id, fault, known))?;
    Ok(Wanted::At(Place::Lesson { pack, id: id.to_owned() }))
}

/// A drill; without its id, the one that comes next.
///
/// # Errors
/// Where no pack has the drill.
pub fn drill(library: &Library, id: Option<&str>) -> anyhow::Result<Wanted> {
    let Some(id) = id else { return Ok(Wanted::NextDrill) };
    let (pack, id) = named_drill(library, id)?;
    Ok(Wanted::At(Place::Drill { pack, id: id.to_owned(), only: None }))
}

/// The pack of a drill and its id there; the drill may be asked for as `pack:drill`.
///
/// # Errors
/// Where no pack has the drill, or several have.
pub fn named_drill<'a>(library: &Library, id: &'a str) -> anyhow::Result<(usize, &'a str)> {
    let known = library.packs.iter().flat_map(|p| p.index().drills.iter()).map(|d| &*d.id);
    let has = |p: &Pack, id: &str| p.index().drill(id).is_some();
    library.named(id, has).map_err(|fault| unnamed("drill", id, fault, known))
}

/// What to say of an id that names nothing.
pub fn unnamed<'a>(
    kind: &str,
    id: &str,
    fault: Unnamed,
    known: impl Iterator<Item = &'a str>,
) -> anyhow::Error {
    match fault {
        Unnamed::Nowhere => unknown(kind, id, known, &format!("infralens list {kind}s")),
        Unnamed::Several(all) => {
            anyhow::anyhow!("several packs have a {kind} `{id}`: name one of {}", all.join(", "))
        }
    }
}

/// `no lesson has the id …`, with the nearest one and where to look.
pub fn unknown<'a>(kind: &str, id: &str, known: impl Iterator<Item = &'a str>, list: &str) -> anyhow::Error {
    const LONGEST: usize = 200;
    let shown: String = id.chars().take(LONGEST).collect();
    let (id, cut) = (&*shown, if shown.len() < id.len() { "…" } else { "" });
    let near: Vec<String> = nearest(id, known).into_iter().map(|k| format!("`{k}`")).collect();
    let near = match near.as_slice() {
        [] => String::new(),
        [all @ .., last] if !all.is_empty() => format!("did you mean {} or {last}? ", all.join(", ")),
        [one, ..] => format!("did you mean {one}? "),
    };
    anyhow::anyhow!("no {kind} has the id `{id}{cut}`; {near}`{list}` shows all")
}

/// The ids that are meant by one that is not known: those that share most of its words, else the one that differs by few
/// letters.
fn nearest<'a>(id: &str, known: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    const MOST: usize = 3;
    let words = |id: &str| -> Vec<String> {
        let words = id.split(['-', '_', ' ', ':']).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    let asked = words(id);
    let low = id.to_lowercase();
    let is_like = |asked: &str, word: &str| {
        asked == word || asked.len() > MOST && strsim::damerau_levenshtein(asked, word) <= 1
    };
    let shared = |k: &str| {
        let words = words(k);
        asked.iter().filter(|asked| words.iter().any(|word| is_like(asked, word))).count()
    };
    let all: BTreeSet<&str> = known.collect();
    let mut ranked: Vec<(usize, usize, &str)> = all
        .into_iter()
        .map(|k| (shared(k), strsim::damerau_levenshtein(&low, &k.to_lowercase()), k))
        .collect();
    ranked.sort_by_key(|(shared, far, k)| (std::cmp::Reverse(*shared), *far, *k));
    let Some((most, ..)) = ranked.first().copied() else { return Vec::new() };
    if most > 0 {
        return ranked
            .into_iter()
            .filter(|(shared, ..)| *shared == most)
            .map(|(.., k)| k)
            .take(MOST)
            .collect();
    }
    let few = |(_, far, k): &(usize, usize, &str)| *far <= k.len().max(low.len()) / 2;
    ranked.into_iter().filter(few).map(|(.., k)| k).take(1).collect()
}
