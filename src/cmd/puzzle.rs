//! `puzzle`: lists puzzles, and judges a setting of one.

use std::io::{IsTerminal, Write};

use serde_json::{Value, json};

use super::learn::unknown;
use super::plain::width;
use super::{Outcome, learn, sim};
use crate::cli::Global;
use crate::doc::escape;
use crate::doc::plain::wrapped;
use crate::pack::{Pack, Puzzle};
use crate::page::place::Place;
use crate::services::library::Library;
use crate::sim::Sim;
use crate::sim::puzzle::{Judged, plain};
use crate::widget::markdown::Document;

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
        list(puzzles(), global.json, out)?;
        return Ok(Outcome::Done);
    };
    let Some((pack, puzzle)) = puzzles().find(|(_, z)| z.id == *id) else {
        let known = puzzles().map(|(_, z)| z.id.as_str());
        return Err(unknown("puzzle", id, known, "infralens puzzle"));
    };
    let sees = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    if sees && asked.set.is_empty() && asked.hints == 0 && !(global.plain || global.json) {
        return learn::open(global, |library| place(library, id));
    }
    let sim = set_up(puzzle, &asked.set)?;
    let judged = puzzle.rules.judge(&sim);
    if global.json {
        let mut page = json_of(pack, puzzle);
        page["setting"] = plain::json(&puzzle.rules, &sim, &judged);
        page["hints"] = puzzle.hints.iter().take(asked.hints).cloned().collect();
        if judged.is_at_par() {
            page["explain"] = puzzle.explain.clone().into();
        }
        sim::write_json(&page, out)?;
    } else {
        print(puzzle, (&sim, &judged), asked.hints, out)?;
    }
    let reached = asked.set.is_empty() || judged.is_at_par();
    Ok(if reached { Outcome::Done } else { Outcome::Failed })
}

fn place(library: &Library, id: &str) -> anyhow::Result<Place> {
    let pack = library.packs.iter().position(|p| p.puzzle(id).is_some());
    let pack = pack.ok_or_else(|| anyhow::anyhow!("no puzzle has the id `{id}` any more"))?;
    let id = id.to_owned();
    Ok(Place::Puzzle { pack, id })
}

fn set_up(puzzle: &Puzzle, set: &[String]) -> anyhow::Result<Sim> {
    let mut sim = puzzle.rules.start.clone();
    for pair in set {
        let (name, value) = sim::pair(pair)?;
        puzzle.rules.set_text(&mut sim, name, value).map_err(sim::said)?;
    }
    Ok(sim)
}

fn list<'a>(
    puzzles: impl Iterator<Item = (&'a Pack, &'a Puzzle)> + Clone,
    as_json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    if as_json {
        let all: Vec<Value> = puzzles.map(|(pack, puzzle)| json_of(pack, puzzle)).collect();
        return sim::write_json(&all.into(), out);
    }
    let of = puzzles.clone().map(|(_, p)| p.id.chars().count()).max().unwrap_or(0);
    for (_, puzzle) in puzzles {
        let kind = puzzle.rules.start.kind().name;
        let (id, title) = (escape::line(&puzzle.id), escape::line(&puzzle.title));
        writeln!(out, "{id:<of$}  {kind:<8}  {title}")?;
    }
    writeln!(out, "\ninfralens puzzle ID shows one; --set name=value turns a knob, --hints N gives hints.")?;
    Ok(())
}

fn json_of(pack: &Pack, puzzle: &Puzzle) -> Value {
    let goal = &puzzle.rules.goal;
    json!({"pack": pack.id, "id": puzzle.id, "lesson": puzzle.lesson, "title": puzzle.title, "goal": puzzle.goal,
        "simulator": puzzle.rules.start.kind().name, "par": goal.par, "par_shown": goal.show(goal.par)})
}

fn print(
    puzzle: &Puzzle,
    (sim, judged): (&Sim, &Judged),
    hints: usize,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let rules = &puzzle.rules;
    writeln!(out, "{}\n", escape::line(&puzzle.title))?;
    markdown(&puzzle.goal, out)?;
    writeln!(out, "\nKnobs")?;
    for line in plain::knob_lines(rules, sim) {
        writeln!(out, "  {line}")?;
    }
    let fixed = format!("{}.", plain::fixed(rules).join(", "));
    for line in wrapped("Fixed: ", "  ", &fixed, width()) {
        writeln!(out, "{line}")?;
    }
    for note in &sim.run().notes {
        writeln!(out, "Note: {note}")?;
    }
    writeln!(out)?;
    for line in plain::judged_lines(rules, judged) {
        writeln!(out, "{}", escape::line(&line))?;
    }
    for (nth, hint) in puzzle.hints.iter().take(hints).enumerate() {
        writeln!(out, "\nHint {} of {}", nth + 1, puzzle.hints.len())?;
        markdown(hint, out)?;
    }
    if judged.is_at_par() {
        writeln!(out, "\nWhy par is par")?;
        markdown(&puzzle.explain, out)?;
    }
    Ok(())
}

fn markdown(text: &str, out: &mut dyn Write) -> anyhow::Result<()> {
    for line in Document::parse(text).plain(width()) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}
