//! `list`: what the packs hold.

use std::io::Write;

use serde_json::json;

use super::Outcome;
use crate::cli::ListWhat;
use crate::doc::escape;
use crate::pack::{CheckKind, Pack};
use crate::services::library::Library;

/// Prints ids and titles, one a line, or as a JSON array.
///
/// # Errors
/// Where the output cannot be written.
pub fn run(
    library: &Library,
    what: Option<ListWhat>,
    json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<Outcome> {
    let kinds = match what {
        Some(what) => vec![what],
        None => vec![ListWhat::Lessons, ListWhat::Labs, ListWhat::Drills],
    };
    let rows: Vec<Row> = library
        .packs
        .iter()
        .flat_map(|p| kinds.iter().flat_map(|k| rows(p, *k)).collect::<Vec<_>>())
        .collect();
    if json {
        let all: Vec<_> = rows
            .iter()
            .map(
                |r| json!({"pack": r.pack, "kind": r.kind, "id": r.id, "lesson": r.lesson, "title": r.title}),
            )
            .collect();
        serde_json::to_writer_pretty(&mut *out, &all)?;
        writeln!(out)?;
        return Ok(Outcome::Done);
    }
    let width = rows.iter().map(|r| r.id.chars().count()).max().unwrap_or(0);
    for row in rows {
        let (id, title) = (escape::line(&row.id), escape::line(&row.title));
        writeln!(out, "{:<7} {id:<width$}  {title}", row.kind)?;
    }
    Ok(Outcome::Done)
}

struct Row {
    pack: String,
    kind: &'static str,
    id: String,
    lesson: Option<String>,
    title: String,
}

fn rows(pack: &Pack, what: ListWhat) -> Vec<Row> {
    let row = |kind, id: &str, lesson: Option<&str>, title: &str| Row {
        pack: pack.id.clone(),
        kind,
        id: id.to_owned(),
        lesson: lesson.map(str::to_owned),
        title: title.to_owned(),
    };
    match what {
        ListWhat::Lessons => pack.lessons.iter().map(|l| row("lesson", &l.id, None, &l.title)).collect(),
        ListWhat::Labs => pack
            .lessons
            .iter()
            .flat_map(|l| l.labs.iter().map(|b| row("lab", &b.id, Some(&l.id), &b.title)).collect::<Vec<_>>())
            .collect(),
        ListWhat::Drills => {
            pack.drills.iter().map(|d| row("drill", &d.id, Some(&d.lesson), &d.prompt)).collect()
        }
        ListWhat::Checks => pack
            .checks
            .iter()
            .map(|c| {
                let title = match &c.kind {
                    CheckKind::Worksheet(sheet) => sheet.title.clone(),
                    _ => c.question.split_whitespace().collect::<Vec<_>>().join(" "),
                };
                row("check", &c.id, Some(&c.lesson), &title)
            })
            .collect(),
        ListWhat::Terms => {
            pack.terms.iter().map(|t| row("term", &t.id, t.lesson.as_deref(), &t.name)).collect()
        }
        ListWhat::Puzzles => {
            pack.puzzles.iter().map(|p| row("puzzle", &p.id, Some(&p.lesson), &p.title)).collect()
        }
        ListWhat::Sims => Vec::new(),
    }
}
