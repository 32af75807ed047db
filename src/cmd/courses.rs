//! Loads the packs that the command line names, the built-in one first.

use std::path::PathBuf;

use crate::app::library::{Broken, Library};
use crate::pack::{self, Origin, Problem, Style};

/// The built-in pack and those in the folders. One that does not load is kept with its problems.
pub fn load(folders: &[PathBuf]) -> Library {
    let mut library = Library::default();
    add(&mut library, &Origin::BuiltIn);
    for folder in folders {
        add(&mut library, &Origin::Folder(folder.clone()));
    }
    library
}

/// One pack, for a verb that works on it.
///
/// # Errors
/// With the report where it does not load.
pub fn one(origin: &Origin) -> anyhow::Result<pack::Pack> {
    let loaded = pack::load(origin);
    loaded.pack.ok_or_else(|| {
        let report: String = loaded
            .problems
            .iter()
            .map(|p| p.report("", Style::Plain))
            .collect();
        anyhow::anyhow!("the pack does not load\n{}", report.trim_end())
    })
}

fn add(library: &mut Library, origin: &Origin) {
    let loaded = pack::load(origin);
    let path = match origin {
        Origin::BuiltIn => "the built-in pack".to_owned(),
        Origin::Folder(path) => path.display().to_string(),
    };
    match loaded.pack {
        Some(pack) if library.index(&pack.id).is_some() && *origin != Origin::BuiltIn => {
            let text = format!(
                "{path}/pack.toml: the id `{}` is taken by a pack loaded before; give it another id",
                pack.id
            );
            library.broken.push(Broken {
                path,
                report: vec![text],
                problems: 1,
            });
        }
        Some(pack) => library.packs.push(pack),
        None => library.broken.push(broken(path, &loaded.problems)),
    }
}

fn broken(path: String, problems: &[Problem]) -> Broken {
    let report = problems.iter().flat_map(|p| {
        p.report("", Style::Plain)
            .lines()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    });
    Broken {
        path,
        report: report.collect(),
        problems: problems.len(),
    }
}
