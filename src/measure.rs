//! Labs measured on real processes: the programs beside the starters, run with PyTorch where it is.
//!
//! A lab's program stands beside its starter, as `lab01_….measure.py`; beside it a table says what each
//! of its figures is compared with, and a stored run of a named machine stands in where there is no
//! PyTorch. Nothing is installed for anyone.

use crate::pack::{Origin, Pack};

pub mod compare;
pub mod figures;
pub mod launch;
pub mod python;
pub mod table;

/// What a measured lab is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// The lab's id.
    pub lab: String,
    /// The lab's name.
    pub title: String,
    /// The file's own name.
    pub file: String,
    /// Its text.
    pub text: String,
    /// The text of what all programs import.
    pub common: String,
    /// The table of what its figures are compared with.
    pub table: String,
    /// The stored runs, one JSON object a line; empty where there is none.
    pub stored: String,
}

/// The name of the file that all programs import.
pub const COMMON: &str = "measure_common.py";

/// The measured labs of a pack, in its order. A pack in a folder has none: what it would run is not
/// part of what its reader has trusted.
pub fn programs(pack: &Pack) -> Vec<Program> {
    let Origin::BuiltIn(files) = &pack.origin else {
        return Vec::new();
    };
    let file = |path: &str| -> Option<String> {
        let row = files.0.binary_search_by(|(name, _)| (*name).cmp(path)).ok()?;
        String::from_utf8(files.0[row].1.to_vec()).ok()
    };
    let labs = pack.lessons.iter().flat_map(|l| &l.labs);
    labs.filter_map(|lab| {
        let name = lab.starter.path.rsplit('/').next()?;
        let stem = name.strip_suffix(".py")?;
        let beside = |ending: &str| file(&format!("assets/{stem}.{ending}"));
        Some(Program {
            lab: lab.id.clone(),
            title: lab.title.clone(),
            file: format!("{stem}.measure.py"),
            text: beside("measure.py")?,
            common: file(&format!("assets/{COMMON}"))?,
            table: beside("measure.toml")?,
            stored: beside("measured.jsonl").unwrap_or_default(),
        })
    })
    .collect()
}
