//! `show`: a lesson, a lab, a drill or a term as text.

use std::io::Write;

use super::Outcome;
use super::learn::unknown;
use super::plain::width;
use crate::doc::escape;
use crate::pack::{Lab, Pack, prose};
use crate::services::library::Library;
use crate::widget::markdown::Document;

/// Prints the thing with this id as Markdown, or as plain lines.
///
/// # Errors
/// Where no pack has it, or the output cannot be written.
pub fn run(library: &Library, id: &str, plain: bool, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    match library.packs.iter().find_map(|pack| text(pack, id)) {
        Some(text) if plain => {
            for line in Document::parse(&text).plain(width()) {
                writeln!(out, "{line}")?;
            }
            Ok(Outcome::Done)
        }
        Some(text) => {
            out.write_all(escape::lines(&text).as_bytes())?;
            Ok(Outcome::Done)
        }
        None => {
            let known = library.packs.iter().flat_map(|p| {
                let labs = p.lessons.iter().flat_map(|l| &l.labs).map(|b| b.id.as_str());
                let lessons = p.lessons.iter().map(|l| l.id.as_str());
                lessons
                    .chain(labs)
                    .chain(p.drills.iter().map(|d| d.id.as_str()))
                    .chain(p.terms.iter().map(|t| t.id.as_str()))
            });
            Err(unknown("lesson, lab, drill or term", id, known, "infralens list"))
        }
    }
}

fn text(pack: &Pack, id: &str) -> Option<String> {
    if let Some(lesson) = pack.lesson(id) {
        return Some(prose::section(pack, lesson));
    }
    if let Some((lesson, lab)) = pack.lab(id) {
        return Some(format!("{}{}", prose::lab(lab, lesson), code(lab)));
    }
    if let Some(drill) = pack.drill(id) {
        return Some(format!("# {}\n\n{} minutes.\n", drill.prompt, drill.minutes));
    }
    let term = pack.term(id)?;
    Some(format!("# {}\n\n{}", term.name, prose::term(pack, id)?))
}

/// The starter with its notes, block by block.
fn code(lab: &Lab) -> String {
    let lines: Vec<&str> = lab.starter.text.lines().collect();
    let mut out = format!("## The starter, `{}`\n\n", lab.starter.path);
    for block in &lab.blocks {
        out.push_str(&format!("### {}\n\n", block.title));
        for note in &block.notes {
            let shown = lines.get(note.lines.clone()).unwrap_or_default();
            out.push_str(&format!("    {}\n\n{}\n\n", shown.join("\n    "), note.text.trim()));
        }
    }
    out
}
