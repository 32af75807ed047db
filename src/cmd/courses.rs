//! Opens the packs at hand: the built-in one, those that the command line names, those installed.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::thread;

use super::learn;
use super::pack::{chosen, installed};
use crate::built_in;
use crate::cli::Global;
use crate::pack::{self, Origin, Pack, Problem, Style};
use crate::services::library::{Broken, Library, Opened, Read};
use crate::tui::Beside;
use crate::tui::event::What;

/// Packs beside the built-in one that are not opened yet, in the order in which they are asked for.
#[derive(Debug, Default)]
pub struct Others {
    /// Folders that the command line names.
    named: Vec<PathBuf>,
    /// Folders of installed packs, whose names are their ids.
    installed: Vec<PathBuf>,
}

impl Others {
    fn of(global: &Global) -> Self {
        // without a data directory nothing is installed
        let installed = learn::data_dir(global).map(|d| installed(&d)).unwrap_or_default();
        Others { named: global.pack.clone(), installed }
    }

    /// Opens them one after the other. A pack that the command line names takes the place of an installed one
    /// with its id.
    fn open(self, mut taken: BTreeSet<String>, mut tell: impl FnMut(Result<Pack, Broken>)) {
        let named = self.named.into_iter().map(|folder| (folder, None));
        let installed = self.installed.into_iter().map(|folder| {
            let id = folder.file_name().map(|id| id.to_string_lossy().into_owned());
            (folder, id)
        });
        for (folder, id) in named.chain(installed) {
            if id.is_some_and(|id| taken.contains(&id)) {
                continue;
            }
            let opened = open(&folder, &taken);
            if let Ok(pack) = &opened {
                taken.insert(pack.id.clone());
            }
            tell(opened);
        }
    }
}

/// The pack that comes first where a person chose one, the built-in one, of which only the table of contents is known,
/// and what is to be opened beside.
pub fn start(global: &Global) -> (Library, Others) {
    let first = learn::data_dir(global).ok().and_then(|data| chosen(&data));
    // one that does not load is told with the others
    let first = first.and_then(|folder| open(&folder, &BTreeSet::new()).ok());
    let packs = first.into_iter().chain([built_in::course()]).collect();
    (Library { packs, broken: Vec::new() }, Others::of(global))
}

/// Whether an installed pack comes before the built-in one.
pub fn has_first(global: &Global) -> bool {
    learn::data_dir(global).is_ok_and(|data| chosen(&data).is_some())
}

/// All packs at hand. One that does not load is kept with its problems.
pub fn load(global: &Global) -> Library {
    let (mut library, others) = start(global);
    others.open(ids(&library), |opened| match opened {
        Ok(pack) => library.packs.push(pack),
        Err(broken) => library.broken.push(broken),
    });
    library
}

/// All packs at hand, those that the command line names first; with how many these are.
pub fn load_named_first(global: &Global) -> (Library, usize) {
    let mut library = load(global);
    let folders: Vec<PathBuf> = global.pack.iter().map(|folder| real(folder)).collect();
    let is_named = |pack: &Pack| matches!(&pack.origin, Origin::Folder(from) if folders.contains(from));
    library.packs.sort_by_key(|pack| !is_named(pack));
    let named = library.packs.iter().take_while(|pack| is_named(pack)).count();
    (library, named)
}

/// Reads packs that are known by their tables of contents, and opens others whose ids are not taken, in a thread of its
/// own; each is told as it is ready.
pub fn beside(known: Vec<Pack>, others: Others, taken: BTreeSet<String>) -> Beside {
    Box::new(move |to: Sender<What>| {
        let work = move || {
            // nobody is left to hear it once the program has ended
            let tell = |opened| drop(to.send(What::Opened(Box::new(opened))));
            for pack in &known {
                tell(Opened::Read(Box::new(Read::of(pack))));
            }
            others.open(taken, |opened| {
                tell(match opened {
                    Ok(pack) => Opened::Read(Box::new(Read::of(&pack))),
                    Err(broken) => Opened::Broken(broken),
                });
            });
        };
        // without a thread the course is read when it is first needed, and no other pack shows
        let _ = thread::Builder::new().name("packs".into()).spawn(work);
    })
}

/// The ids of the packs of a library.
pub fn ids(library: &Library) -> BTreeSet<String> {
    library.packs.iter().map(|p| p.id.clone()).collect()
}

/// The folder by its real path, under which it is trusted; as it was given where there is none.
fn real(folder: &Path) -> PathBuf {
    fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned())
}

/// One pack, for a verb that works on it.
///
/// # Errors
/// With the report where it does not load.
pub fn one(origin: &Origin) -> anyhow::Result<Pack> {
    let loaded = pack::load(origin);
    loaded.pack.ok_or_else(|| {
        let report: String = loaded.problems.iter().map(|p| p.report("", Style::Plain)).collect();
        anyhow::anyhow!("the pack does not load\n{}", report.trim_end())
    })
}

fn open(folder: &Path, taken: &BTreeSet<String>) -> Result<Pack, Broken> {
    let path = folder.display().to_string();
    let loaded = pack::load(&Origin::Folder(real(folder)));
    match loaded.pack {
        Some(pack) if taken.contains(&pack.id) => {
            let text = format!(
                "{path}/pack.toml: the id `{}` is taken by a pack loaded before; give it another id",
                pack.id
            );
            Err(Broken { path, report: vec![text], problems: 1 })
        }
        Some(pack) => Ok(pack),
        None => Err(broken(path, &loaded.problems)),
    }
}

fn broken(path: String, problems: &[Problem]) -> Broken {
    let report = problems
        .iter()
        .flat_map(|p| p.report("", Style::Plain).lines().map(str::to_owned).collect::<Vec<_>>());
    Broken { path, report: report.collect(), problems: problems.len() }
}
