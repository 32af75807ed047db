//! Checkers behind worksheets: tables that a learner fills in.
//!
//! A pack names a checker and gives it values; the learner fills the cells. [`check`] returns findings, one for
//! each thing looked at, and never fails: a cell that is empty or cannot be read is a finding too.
//! [`faults`] tells an author what is wrong with the given values.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::sim::plan::Finding;

mod parallel;
mod table;

pub use crate::sim::plan::{Weight, accepted};

/// Texts by name: given values, or cells.
pub type Texts = BTreeMap<String, String>;

/// A checker, as a pack names it.
#[derive(Debug, Clone, Copy)]
pub struct Checker {
    /// The name.
    pub name: &'static str,
    /// What it checks.
    pub about: &'static str,
    /// The values that may be given: name and meaning.
    pub given: &'static [(&'static str, &'static str)],
    /// The cells that it knows: id and meaning.
    pub cells: &'static [(&'static str, &'static str)],
    check: fn(&Texts, &Texts) -> Vec<Finding>,
    faults: fn(&Texts, &BTreeSet<&str>) -> Vec<String>,
    /// What belongs in a cell, where one thing does.
    answer: fn(&Texts, &Texts, &str) -> Option<String>,
}

/// Every checker.
pub const CHECKERS: &[Checker] = &[parallel::CHECKER, table::CHECKER];

/// The checker of this name.
pub fn checker(name: &str) -> Option<&'static Checker> {
    CHECKERS.iter().find(|c| c.name == name)
}

/// Checks filled cells. An unknown checker is a finding that refuses.
pub fn check(checker_name: &str, given: &Texts, cells: &Texts) -> Vec<Finding> {
    match checker(checker_name) {
        Some(checker) => (checker.check)(given, cells),
        None => vec![Finding::about("checker", &[]).faulty(
            format!("there is no checker `{}`", checker_name.escape_debug()),
            "",
            "ask the author of the pack",
        )],
    }
}

/// What belongs in a cell, given what stands in the others; none where more than one thing is right.
pub fn answer(checker_name: &str, given: &Texts, cells: &Texts, cell: &str) -> Option<String> {
    checker(checker_name).and_then(|checker| (checker.answer)(given, cells, cell))
}

/// What an author should mend about the given values and the cells of a worksheet. Empty where all is well.
pub fn faults(checker_name: &str, given: &Texts, cells: &BTreeSet<&str>) -> Vec<String> {
    match checker(checker_name) {
        Some(checker) => (checker.faults)(given, cells),
        None => {
            let names: Vec<_> = CHECKERS.iter().map(|c| c.name).collect();
            let name = checker_name.escape_debug();
            vec![format!("there is no checker `{name}`; use one of {}", names.join(", "))]
        }
    }
}

/// The list of checkers as Markdown, as it stands in `docs/worksheets.md`.
pub fn markdown() -> String {
    let mut page = String::from(INTRODUCTION);
    for checker in CHECKERS {
        let _ = writeln!(page, "\n## `{}`\n\n{}.\n\nGiven values:\n", checker.name, capital(checker.about));
        for (name, meaning) in checker.given {
            let _ = writeln!(page, "- `{name}`: {meaning}");
        }
        page.push_str("\nCells:\n\n");
        for (id, meaning) in checker.cells {
            let _ = writeln!(page, "- `{id}`: {meaning}");
        }
    }
    page
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

const INTRODUCTION: &str = "# Worksheets

A worksheet is a table that a learner fills in, with a checker behind it. This page is made from the code.

Names with a dot must be quoted in TOML. Numbers may be typed in any unit of the same kind.

```toml
[[worksheet]]
id = \"zero-ledger\"
title = \"The ledger of 7.5B on 64 GPUs\"
question = \"Fill in the bytes of model state on each GPU.\"
checker = \"table\"
explain = \"Stage 1 shards the 12 bytes of optimizer state, stage 3 all 16.\"

[worksheet.given]
N = \"7.5 billion\"
d = \"64\"
\"expect.z1\" = \"zero_state_bytes(N, d, 1) / GB\"
\"unit.z1\" = \"GB\"
\"why.z1\" = \"weights and gradients stay whole: 4 bytes a parameter, and 12/d of optimizer state\"
\"expect.z3\" = \"zero_state_bytes(N, d, 3) / GB\"
\"unit.z3\" = \"GB\"
\"require.less\" = \"cell.z3 < cell.z1\"

[[worksheet.row]]
label = \"ZeRO-1\"
cell = [{ id = \"z1\", label = \"GB on each GPU\" }]

[[worksheet.row]]
label = \"ZeRO-3\"
cell = [{ id = \"z3\", label = \"GB on each GPU\" }]
```

With the checker `parallel-plan` nothing but the model need be given:

```toml
[worksheet.given]
model = \"70B\"

[[worksheet.row]]
label = \"Degrees\"
cell = [
  { id = \"tp\", label = \"TP\" },
  { id = \"pp\", label = \"PP\" },
  { id = \"dp\", label = \"DP\" },
]
```
";

/// The finding for a cell with nothing in it.
fn empty(cell: &str) -> Finding {
    Finding::about(cell, &[cell]).faulty("nothing is written here", "", "fill it in")
}

/// The finding for a cell that cannot be read.
fn unreadable(cell: &str, fault: &crate::sim::expr::Fault) -> Finding {
    Finding::about(cell, &[cell]).faulty(fault.what.clone(), "", fault.cure.clone())
}

/// Text without case, spaces, hyphens and the like, so that `All-reduce` is `allreduce`.
fn folded(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
