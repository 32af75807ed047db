//! `puzzle`: lists puzzles, and judges a setting of one.

use std::io::{IsTerminal, Write};

use serde_json::{Value, json};

use super::learn::unnamed;
use super::{Outcome, learn, page, sim};
use crate::cli::Global;
use crate::doc::escape;
use crate::pack::{Pack, Puzzle};
use crate::page::place::Place;
use crate::page::puzzle::{JudgedAt, whole};
use crate::services::library::Library;
use crate::sim::Sim;
use crate::sim::puzzle::plain;

/// What is asked for.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// The puzzle's id; none means the list.
    pub puzzle: Option<String>,
    /// Knobs as `name=value`.
    pub set: Vec<String>,
    /// How many hints to print.
    pub hints: usize,
}

/// Prints the list of puzzles, or a puzzle with what its setting comes to; opens it where there is a terminal
/// and nothing is set. What is set on the command line is judged and not kept, as with `score`.
///
/// # Errors
/// Where there is no such puzzle, knob or value, or the output fails.
pub fn run(
    library: &Library,
    asked: &Asked,
    global: &Global,
    out: &mut dyn Write,
) -> anyhow::Result<Outcome> {
    let puzzles = || library.packs.iter().flat_map(|p| p.puzzles.iter().map(move |z| (p, z)));
    let Some(id) = &asked.puzzle else {
        if !asked.set.is_empty() {
            anyhow::bail!("`--set` needs a puzzle; `infralens puzzle` lists them");
        }
        list(puzzles(), global, out)?;
        return Ok(Outcome::Done);
    };
    let known = puzzles().map(|(_, z)| z.id.as_str());
    let has = |p: &Pack, id: &str| p.puzzle(id).is_some();
    let (index, bare) = library.named(id, has).map_err(|fault| unnamed("puzzle", id, fault, known))?;
    let pack = &library.packs[index];
    let Some(puzzle) = pack.puzzle(bare) else { anyhow::bail!("no puzzle has the id `{bare}` any more") };
    let sees = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    if sees && asked.set.is_empty() && asked.hints == 0 && !(global.plain || global.json) {
        return learn::open(global, learn::Packs::All, |library| place(library, id));
    }
    let sim = set_up(puzzle, &asked.set)?;
    let judged = puzzle.rules.judge(&sim);
    let judged_at = JudgedAt { sim: &sim, judged: &judged };
    if global.json {
        let mut page = json_of(pack, puzzle);
        page["setting"] = plain::json(&puzzle.rules, &sim, &judged);
        page["hints"] = puzzle.hints.iter().take(asked.hints).cloned().collect();
        if judged.is_at_par() {
            page["explain"] = puzzle.explain.clone().into();
        }
        sim::write_json(&page, out)?;
    } else {
        page::put(&whole(puzzle, &judged_at, asked.hints), None, global, out)?;
        if let Some((knob, value)) = puzzle.rules.turned(&sim).next().filter(|_| !judged.is_at_par()) {
            let set = format!("{}={}", knob.parameter.name, knob.parameter.written(value));
            writeln!(out, "\n{}", sim::turning(&format!("infralens puzzle {bare} --set {set}")))?;
        }
    }
    let reached = asked.set.is_empty() || judged.is_at_par();
    Ok(if reached { Outcome::Done } else { Outcome::Failed })
}

fn place(library: &Library, id: &str) -> anyhow::Result<Place> {
    let has = |p: &Pack, id: &str| p.puzzle(id).is_some();
    let found = library.named(id, has);
    let (pack, id) = found.map_err(|_| anyhow::anyhow!("no puzzle has the id `{id}` any more"))?;
    let id = id.to_owned();
    Ok(Place::Puzzle { pack, id })
}

fn set_up(puzzle: &Puzzle, set: &[String]) -> anyhow::Result<Sim> {
    let mut sim = puzzle.rules.start.clone();
    for pair in set {
        let (name, value) = sim::pair(pair)?;
        puzzle.rules.set_text(&mut sim, name, value).map_err(|fault| sim::of_value(name, value, fault))?;
    }
    Ok(sim)
}

fn list<'a>(
    puzzles: impl Iterator<Item = (&'a Pack, &'a Puzzle)> + Clone,
    global: &Global,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    if global.json {
        let all: Vec<Value> = puzzles.map(|(pack, puzzle)| json_of(pack, puzzle)).collect();
        return sim::write_json(&all.into(), out);
    }
    let of = puzzles.clone().map(|(_, p)| p.id.chars().count()).max().unwrap_or(0);
    for (_, puzzle) in puzzles {
        let kind = puzzle.rules.start.kind().name;
        let (id, title) = (escape::line(&puzzle.id), escape::line(&puzzle.title));
        match global.plain {
            true => writeln!(out, "{id}: {title}; simulator {kind}")?,
            false => writeln!(out, "{id:<of$}  {kind:<8}  {title}")?,
        }
    }
    Ok(())
}

fn json_of(pack: &Pack, puzzle: &Puzzle) -> Value {
    let goal = &puzzle.rules.goal;
    json!({"pack": pack.id, "id": puzzle.id, "lesson": puzzle.lesson, "title": puzzle.title, "goal": puzzle.goal,
        "simulator": puzzle.rules.start.kind().name, "par": goal.par, "par_shown": goal.show(goal.par)})
}
