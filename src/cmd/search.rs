//! `search`: where words stand in the packs.

use std::io::Write;

use serde_json::json;

use super::Outcome;
use crate::doc::escape;
use crate::pack::{Pack, prose};
use crate::services::library::Library;

struct Hit {
    kind: &'static str,
    id: String,
    title: String,
    count: usize,
    line: String,
}

/// Prints the things that hold all the words, those with the most of them first.
///
/// # Errors
/// Where the output cannot be written.
pub fn run(library: &Library, words: &[String], json: bool, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let words: Vec<String> = words.iter().flat_map(|w| w.split_whitespace()).map(str::to_lowercase).collect();
    let mut hits: Vec<Hit> = library
        .packs
        .iter()
        .flat_map(|pack| things(pack).into_iter().filter_map(|thing| hit(thing, &words)).collect::<Vec<_>>())
        .collect();
    hits.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.id.cmp(&b.id)));
    if json {
        let all: Vec<_> = hits
            .iter()
            .map(|h| json!({"kind": h.kind, "id": h.id, "title": h.title, "count": h.count, "line": h.line}))
            .collect();
        serde_json::to_writer_pretty(&mut *out, &all)?;
        writeln!(out)?;
    } else {
        for h in &hits {
            writeln!(out, "{:<7}{}  {}", h.kind, escape::line(&h.id), escape::line(&h.title))?;
            writeln!(out, "       {}", escape::line(&h.line))?;
        }
    }
    Ok(if hits.is_empty() { Outcome::Failed } else { Outcome::Done })
}

type Thing = (&'static str, String, String, String);

fn things(pack: &Pack) -> Vec<Thing> {
    let mut out: Vec<Thing> = Vec::new();
    for l in &pack.lessons {
        out.push(("lesson", l.id.clone(), l.title.clone(), prose::section(pack, l)));
        for b in &l.labs {
            let notes: String = b.blocks.iter().flat_map(|k| &k.notes).map(|n| n.text.as_str()).collect();
            out.push(("lab", b.id.clone(), b.title.clone(), format!("{}\n{notes}", prose::lab(b, l))));
        }
    }
    for d in &pack.drills {
        out.push(("drill", d.id.clone(), d.prompt.clone(), d.prompt.clone()));
    }
    for p in &pack.puzzles {
        let text = format!("{}\n{}", p.title, p.goal);
        out.push(("puzzle", p.id.clone(), p.title.clone(), text));
    }
    for t in &pack.terms {
        let text = format!("{} {} {}", t.name, t.aliases.join(" "), t.definition);
        out.push(("term", t.id.clone(), t.name.clone(), text));
    }
    out
}

fn hit((kind, id, title, text): Thing, words: &[String]) -> Option<Hit> {
    let low = text.to_lowercase();
    let counts: Vec<usize> = words.iter().map(|w| low.matches(w.as_str()).count()).collect();
    if counts.contains(&0) {
        return None;
    }
    let first = words.first()?;
    let line = text.lines().find(|l| l.to_lowercase().contains(first.as_str())).unwrap_or("");
    let line: String = line.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(100).collect();
    Some(Hit { kind, id, title, count: counts.iter().sum(), line })
}
