//! Labs measured on real processes: the programs beside the starters, run with PyTorch where it is.
//!
//! What a program is, what its figures are compared with, and its stored runs are read with the pack; here it is
//! started. Nothing is installed for anyone.

use crate::pack::{Lab, Pack};
pub use infralens_course::measure::{compare, figures, table};
use table::Row;

pub mod launch;
pub mod python;

/// Under what the Python, or the torchrun, is kept that labs are measured with.
pub const SETTING: &str = "measure.python";

/// A lab's program, ready to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// The lab's id.
    pub lab: String,
    /// The lab's name.
    pub title: String,
    /// The program's name and text.
    pub file: (String, String),
    /// Names and texts of what it imports.
    pub imports: Vec<(String, String)>,
    /// What its figures are compared with.
    pub rows: Vec<Row>,
    /// The stored runs, one JSON object a line; empty where there is none.
    pub stored: String,
}

/// The measured programs of a pack, in the order of its labs.
pub fn programs(pack: &Pack) -> Vec<Program> {
    pack.lessons.iter().flat_map(|l| &l.labs).filter_map(program).collect()
}

/// The measured program of a lab, if it has one.
pub fn program(lab: &Lab) -> Option<Program> {
    let measure = lab.measure.as_ref()?;
    let file = |code: &crate::pack::Code| (code.name().to_owned(), code.text.clone());
    Some(Program {
        lab: lab.id.clone(),
        title: lab.title.clone(),
        file: file(&measure.program),
        imports: measure.imports.iter().map(file).collect(),
        rows: measure.rows.clone(),
        stored: measure.stored.clone(),
    })
}
