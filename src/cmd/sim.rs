//! Opens a simulator, or prints it: as lines, or as JSON.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};

use serde_json::{Value, json};

use super::{Outcome, learn, page};
use crate::cli::Global;
use crate::page::place::Place;
use crate::page::sim::whole;
use crate::sim::expr::Fault;
use crate::sim::{self, Sim, SimKind, plain};

/// What is asked for.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// The kind of simulator; none means the list of kinds.
    pub kind: Option<String>,
    /// Parameters as `name=value`, each over the preset.
    pub set: Vec<String>,
    /// The name of a preset, or enough of it to tell it from the others.
    pub preset: Option<String>,
}

/// Opens the screen where there is a terminal, and prints where there is none, or where lines or JSON are
/// asked for.
///
/// # Errors
/// Where there is no such kind, parameter, value or preset, or the output fails.
pub fn run(asked: &Asked, global: &Global, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let printed =
        global.plain || global.json || !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal();
    let Some(name) = &asked.kind else {
        if !asked.set.is_empty() || asked.preset.is_some() {
            anyhow::bail!("--set and --preset need a simulator; name one of {}", kinds());
        }
        if !printed {
            return learn::open(global, learn::Packs::BuiltIn, |_| Ok(Place::Sims));
        }
        return list(global, out);
    };
    let sim = set_up(name, asked)?;
    if !printed {
        let set = sim.knobs().map(|(p, value)| (p.name.to_owned(), value)).collect();
        let kind = sim.kind().name.to_owned();
        let link = None;
        return learn::open(global, learn::Packs::All, |_| Ok(Place::Sim { kind, set, link }));
    }
    page::put(&whole::view(&sim), Some(plain::json(&sim)), global, out)?;
    if !global.json {
        let (name, knob) = (sim.kind().name, sim.knobs().next());
        let set =
            knob.map_or_else(String::new, |(p, value)| format!(" --set {}={}", p.name, p.written(value)));
        writeln!(out, "\n{}", turning(&format!("infralens sim {name}{set}")))?;
    }
    Ok(Outcome::Done)
}

/// How to turn knobs of what a verb printed.
pub fn turning(example: &str) -> String {
    format!("To turn a knob: `{example}`. To turn one after the other: `infralens --plain`, then s.")
}

fn kinds() -> String {
    let names: Vec<_> = sim::KINDS.iter().map(|k| k.name).collect();
    names.join(", ")
}

/// The simulator with its preset and its values. A value out of range is refused.
fn set_up(name: &str, asked: &Asked) -> anyhow::Result<Sim> {
    let mut sim = Sim::open(name, &BTreeMap::new()).map_err(said)?;
    if let Some(preset) = &asked.preset {
        let preset = find_preset(sim.kind(), preset)?;
        sim.apply(preset);
    }
    for pair in &asked.set {
        let (name, value) = self::pair(pair)?;
        sim.set_exactly(name, value).map_err(|fault| of_value(name, value, fault))?;
    }
    Ok(sim)
}

/// The name and the value of a `name=value`.
///
/// # Errors
/// Where there is no equals sign.
pub fn pair(text: &str) -> anyhow::Result<(&str, &str)> {
    let Some((name, value)) = text.split_once('=') else {
        anyhow::bail!("`--set {}` sets nothing; write --set name=value", text.escape_debug());
    };
    Ok((name.trim(), value))
}

/// The fault of a value, with the name of what it is to set.
pub fn of_value(name: &str, value: &str, fault: Fault) -> anyhow::Error {
    let set = format!("{name}={value}");
    match fault.what.contains(name) {
        true => said(fault),
        false => anyhow::anyhow!("`--set {}`: {}; {}", set.escape_debug(), fault.what, fault.cure),
    }
}

/// The fault without its place: on the command line the value stands for itself.
pub fn said(fault: Fault) -> anyhow::Error {
    anyhow::anyhow!("{}; {}", fault.what, fault.cure)
}

fn find_preset<'a>(kind: &'a SimKind, name: &str) -> anyhow::Result<&'a sim::Preset> {
    let asked = name.trim().to_lowercase();
    let named = |p: &&sim::Preset| p.name.to_lowercase() == asked;
    let begins = |p: &&sim::Preset| p.name.to_lowercase().starts_with(&asked);
    let exact = kind.presets.iter().find(named);
    let mut like = kind.presets.iter().filter(begins);
    match (exact, like.next(), like.next()) {
        (Some(preset), ..) | (None, Some(preset), None) => Ok(preset),
        _ => {
            let names: Vec<_> = kind.presets.iter().map(|p| format!("`{}`", p.name)).collect();
            anyhow::bail!(
                "{} has no preset `{}`; use one of {}",
                kind.name,
                name.escape_debug(),
                names.join(", ")
            )
        }
    }
}

/// Prints the kinds, one a line, or with their parameters as JSON.
///
/// # Errors
/// Where the output cannot be written.
pub fn list(global: &Global, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    if global.json {
        let all: Vec<Value> = sim::KINDS.iter().map(described).collect();
        write_json(&Value::from(all), out)?;
        return Ok(Outcome::Done);
    }
    for kind in sim::KINDS {
        writeln!(out, "{}: {}. {}", kind.name, kind.title, kind.about)?;
    }
    Ok(Outcome::Done)
}

fn described(kind: &SimKind) -> Value {
    let parameters: Vec<Value> = kind
        .parameters
        .iter()
        .map(|p| {
            let (least, greatest) = p.bounds();
            json!({"name": p.name, "label": p.label, "unit": p.unit.name, "help": p.help,
                "default": p.default, "least": least, "greatest": greatest})
        })
        .collect();
    let presets: Vec<&str> = kind.presets.iter().map(|p| p.name).collect();
    json!({"kind": kind.name, "title": kind.title, "about": kind.about, "parameters": parameters, "presets": presets})
}

/// Prints JSON, indented, with a line end.
///
/// # Errors
/// Where the output cannot be written.
pub fn write_json(value: &Value, out: &mut dyn Write) -> anyhow::Result<()> {
    super::json::pretty(value, out)
}
