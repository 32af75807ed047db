//! What a program prints: one line of JSON with its figures.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The version of the line that is read.
const VERSION: u32 = 1;

/// A measured run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The lab's id.
    pub lab: String,
    /// The version of this form.
    pub version: u32,
    /// How many ranks took part.
    pub ranks: u32,
    /// PyTorch's version.
    pub torch: String,
    /// What carried the messages: gloo, nccl.
    pub backend: String,
    /// The machine of rank 0.
    pub machine: Machine,
    /// The knobs that the program took.
    pub knobs: BTreeMap<String, f64>,
    /// How long the measuring took, in seconds, without the start of the processes.
    pub seconds: f64,
    /// The figures, in reading order.
    pub figures: Vec<Figure>,
    /// What had to hold, and whether it did.
    pub checks: Vec<Check>,
}

/// The machine of a run. It names no host and no person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// The processor's model.
    pub cpu: String,
    /// Its cores, as the system counts them.
    pub cores: u32,
    /// The names of its GPUs.
    pub gpus: Vec<String>,
    /// The operating system.
    pub system: String,
    /// Python's version.
    pub python: String,
    /// The day of the run, as 2026-03-02.
    pub date: String,
}

/// A figure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// What the table knows it by.
    pub id: String,
    /// The name shown.
    pub label: String,
    /// The value, in base units: bytes, seconds, bytes per second, shares of 1.
    pub value: Value,
    /// The unit: `B`, `s`, `B/s`, `count`, `share`, `x`, `ranks`.
    pub unit: String,
    /// Whether it is the same on every machine, so that it must agree.
    pub exact: bool,
}

/// A figure's value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// A number.
    Number(f64),
    /// Some ranks or counts.
    List(Vec<i64>),
    /// Groups of ranks.
    Groups(Vec<Vec<i64>>),
}

impl Value {
    /// The number, where it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Value::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// Whether both say the same; numbers to 1 part in 10⁹, for they went through decimal text.
    pub fn agrees(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Number(a), Value::Number(b)) => (a - b).abs() <= 1e-9 * a.abs().max(b.abs()),
            // an empty list has no kind
            (Value::List(a), Value::Groups(b)) | (Value::Groups(b), Value::List(a)) => {
                a.is_empty() && b.is_empty()
            }
            (a, b) => a == b,
        }
    }
}

/// Something that had to hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// Its id.
    pub id: String,
    /// Whether it held on every rank.
    pub ok: bool,
    /// What it says.
    pub what: String,
}

/// Reads the line out of what a program wrote.
///
/// # Errors
/// In words, where there is no such line, or another form of it.
pub fn read(out: &str) -> Result<Run, String> {
    let mut lines = out.lines().filter(|l| l.trim_start().starts_with('{'));
    let Some(line) = lines.next() else {
        return Err("it printed no figures".into());
    };
    if lines.next().is_some() {
        return Err("it printed more than one line of figures".into());
    }
    let run: Run = serde_json::from_str(line).map_err(|e| format!("its figures cannot be read: {e}"))?;
    if run.version != VERSION {
        return Err(format!("its figures have form {}; this program reads form {VERSION}", run.version));
    }
    Ok(run)
}

/// The stored run with so many ranks, or else the one with the most.
pub fn stored(lines: &str, ranks: u32) -> Option<Run> {
    let mut runs: Vec<Run> = lines.lines().filter_map(|l| read(l).ok()).collect();
    runs.sort_by_key(|r| (r.ranks == ranks, r.ranks));
    runs.pop()
}
