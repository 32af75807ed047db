//! Loads the packs at hand: the built-in one, those that the command line names, those installed.

use std::fs;
use std::path::{Path, PathBuf};

use super::learn;
use super::pack::installed;
use crate::cli::Global;
use crate::pack::{self, Origin, Problem, Style};
use crate::services::library::{Broken, Library};

/// All packs at hand. One that does not load is kept with its problems. A pack that the command line names
/// takes the place of an installed one with its id.
pub fn load(global: &Global) -> Library {
    let mut library = Library::default();
    add(&mut library, &crate::built_in::ORIGIN, "the built-in pack".into());
    for folder in &global.pack {
        add(&mut library, &Origin::Folder(real(folder)), folder.display().to_string());
    }
    // without a data directory nothing is installed
    let folders = learn::data_dir(global).map(|d| installed(&d)).unwrap_or_default();
    for folder in folders {
        let is_known = folder.file_name().is_some_and(|id| library.index(&id.to_string_lossy()).is_some());
        if !is_known {
            add(&mut library, &Origin::Folder(real(&folder)), folder.display().to_string());
        }
    }
    library
}

/// The folder by its real path, under which it is trusted; as it was given where there is none.
fn real(folder: &Path) -> PathBuf {
    fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned())
}

/// One pack, for a verb that works on it.
///
/// # Errors
/// With the report where it does not load.
pub fn one(origin: &Origin) -> anyhow::Result<pack::Pack> {
    let loaded = pack::load(origin);
    loaded.pack.ok_or_else(|| {
        let report: String = loaded.problems.iter().map(|p| p.report("", Style::Plain)).collect();
        anyhow::anyhow!("the pack does not load\n{}", report.trim_end())
    })
}

fn add(library: &mut Library, origin: &Origin, path: String) {
    let loaded = pack::load(origin);
    match loaded.pack {
        Some(pack) if library.index(&pack.id).is_some() && *origin != crate::built_in::ORIGIN => {
            let text = format!(
                "{path}/pack.toml: the id `{}` is taken by a pack loaded before; give it another id",
                pack.id
            );
            library.broken.push(Broken { path, report: vec![text], problems: 1 });
        }
        Some(pack) => library.packs.push(pack),
        None => library.broken.push(broken(path, &loaded.problems)),
    }
}

fn broken(path: String, problems: &[Problem]) -> Broken {
    let report = problems
        .iter()
        .flat_map(|p| p.report("", Style::Plain).lines().map(str::to_owned).collect::<Vec<_>>());
    Broken { path, report: report.collect(), problems: problems.len() }
}
