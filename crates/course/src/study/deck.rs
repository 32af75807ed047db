//! The drills, checks and terms of packs as decks for Anki, in its plain text import format
//! (<https://docs.ankiweb.net/importing/text-files.html>): the file's headers, then one note a
//! line, tab separated. The author's ids are the notes' ids, so importing a newer edition updates
//! the notes and keeps their schedule.

use super::check::{ask, mark};
use super::words::clean;
use crate::pack::{Check, Drill, Pack};

/// The seed of the values and orders that a card shows, so that a card stays the same.
const SEED: u64 = 1;

/// The packs as a text file, a deck each. Worksheets are left out, because they need their checker, and
/// so is a check whose values cannot be drawn.
pub fn anki(packs: &[Pack]) -> String {
    let mut lines = vec![
        "#separator:tab".to_owned(),
        "#html:false".to_owned(),
        "#notetype:Basic".to_owned(),
        "#columns:guid\tFront\tBack\tTags\tDeck".to_owned(),
        "#guid column:1".to_owned(),
        "#tags column:4".to_owned(),
        "#deck column:5".to_owned(),
    ];
    lines.extend(packs.iter().flat_map(notes));
    lines.join("\n") + "\n"
}

/// The notes of a pack.
fn notes(pack: &Pack) -> Vec<String> {
    let mut lines = Vec::new();
    lines.extend(
        pack.drills
            .iter()
            .map(|d| note(pack, ("drill", &d.id, &d.lesson), (&text(pack, &d.prompt), &drill_back(pack, d)))),
    );
    lines.extend(pack.checks.iter().filter_map(|c| {
        let (front, back) = sides(pack, c)?;
        Some(note(pack, ("check", &c.id, &c.lesson), (&front, &back)))
    }));
    lines.extend(pack.terms.iter().map(|t| {
        let lesson = t.lesson.as_deref().unwrap_or("glossary");
        note(pack, ("term", &t.id, lesson), (&t.name, &text(pack, &t.definition)))
    }));
    lines
}

fn note(pack: &Pack, (kind, id, lesson): (&str, &str, &str), (front, back): (&str, &str)) -> String {
    let guid = format!("{}/{kind}/{id}", pack.id);
    let deck = pack.title.replace('\n', " ");
    [&guid, front, back, &format!("{kind} {lesson}"), &deck].map(field).join("\t")
}

/// A field, quoted: it may hold tabs and line ends.
fn field(text: &str) -> String {
    format!("\"{}\"", clean(text).trim().replace('"', "\"\""))
}

fn drill_back(pack: &Pack, drill: &Drill) -> String {
    let points = drill.rubric.points.iter().map(|p| format!("- {}: {}", p.part, p.feedback));
    let points = points.collect::<Vec<_>>().join("\n");
    format!("{}\n\n{points}", text(pack, &drill.model).trim())
}

/// Question and answer of a check.
fn sides(pack: &Pack, check: &Check) -> Option<(String, String)> {
    let asked = ask(check, SEED).ok()?;
    let (options, any) = asked.form.on_card()?;
    let marked = mark(check, &asked, &any).ok()?;
    let right = asked.form.right_on_card(&marked);
    let front = format!("{}\n\n{options}", asked.question.trim());
    let back = format!("{right}\n\n{}", asked.explain.trim());
    Some((text(pack, &front), text(pack, &back)))
}

/// A text with its term links as plain words.
fn text(pack: &Pack, markdown: &str) -> String {
    let mut out = String::with_capacity(markdown.len());
    let mut rest = markdown;
    while let Some((before, link)) = rest.split_once("[[") {
        let Some((inside, after)) = link.split_once("]]") else {
            break;
        };
        out.push_str(before);
        match inside.split_once('|') {
            Some((_, shown)) => out.push_str(shown),
            None => out.push_str(pack.term(inside).map_or(inside, |t| &t.name)),
        }
        rest = after;
    }
    out + rest
}
