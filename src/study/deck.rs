//! A pack's drills, checks and terms as a deck for Anki, in its plain text import format
//! (<https://docs.ankiweb.net/importing/text-files.html>): the file's headers, then one note a
//! line, tab separated. The author's ids are the notes' ids, so importing a newer edition updates
//! the notes and keeps their schedule.

use super::check::{Answer, Form, Shown, ask, mark};
use super::words::clean;
use crate::pack::{Check, Drill, Pack};

/// The seed of the values and orders that a card shows, so that a card stays the same.
const SEED: u64 = 1;

/// The deck as a text file. Worksheets are left out, because they need their checker, and so is a
/// check whose values cannot be drawn.
pub fn anki(pack: &Pack) -> String {
    let title = clean(&pack.title).replace('\n', " ");
    let mut lines = vec![
        "#separator:tab".to_owned(),
        "#html:false".to_owned(),
        "#notetype:Basic".to_owned(),
        format!("#deck:{title}"),
        "#columns:guid\tFront\tBack\tTags".to_owned(),
        "#guid column:1".to_owned(),
        "#tags column:4".to_owned(),
    ];
    lines.extend(pack.drills.iter().map(|d| {
        note(
            pack,
            ("drill", &d.id, &d.lesson),
            (&text(pack, &d.prompt), &drill_back(pack, d)),
        )
    }));
    lines.extend(pack.checks.iter().filter_map(|c| {
        let (front, back) = sides(pack, c)?;
        Some(note(pack, ("check", &c.id, &c.lesson), (&front, &back)))
    }));
    lines.extend(pack.terms.iter().map(|t| {
        let lesson = t.lesson.as_deref().unwrap_or("glossary");
        note(
            pack,
            ("term", &t.id, lesson),
            (&t.name, &text(pack, &t.definition)),
        )
    }));
    lines.join("\n") + "\n"
}

fn note(pack: &Pack, (kind, id, lesson): (&str, &str, &str), (front, back): (&str, &str)) -> String {
    let guid = format!("{}/{kind}/{id}", pack.id);
    [&guid, front, back, &format!("{kind} {lesson}")]
        .map(field)
        .join("\t")
}

/// A field, quoted: it may hold tabs and line ends.
fn field(text: &str) -> String {
    format!("\"{}\"", clean(text).trim().replace('"', "\"\""))
}

fn drill_back(pack: &Pack, drill: &Drill) -> String {
    let points = drill
        .rubric
        .points
        .iter()
        .map(|p| format!("- {}: {}", p.part, p.feedback));
    let points = points.collect::<Vec<_>>().join("\n");
    format!("{}\n\n{points}", text(pack, &drill.model).trim())
}

/// Question and answer of a check.
fn sides(pack: &Pack, check: &Check) -> Option<(String, String)> {
    let asked = ask(check, SEED).ok()?;
    let (options, any) = match &asked.form {
        Form::Choice(shown) => (lettered(shown), Answer::Choice(0)),
        Form::Order(shown) => (lettered(shown), Answer::Order((0..shown.len()).collect())),
        Form::Claim => ("true or false?".into(), Answer::Claim(true)),
        Form::Number { unit, .. } => (format!("(in {unit})"), Answer::Number("0".into())),
        Form::Worksheet => return None,
    };
    let marked = mark(check, &asked, &any).ok()?;
    let right = match &asked.form {
        Form::Order(_) => marked
            .lines
            .iter()
            .map(|l| l.text.clone())
            .collect::<Vec<_>>()
            .join("\n"),
        _ => marked.correct,
    };
    let front = format!("{}\n\n{options}", asked.question.trim());
    let back = format!("{right}\n\n{}", asked.explain.trim());
    Some((text(pack, &front), text(pack, &back)))
}

fn lettered(shown: &[Shown]) -> String {
    let line = |(letter, s): (char, &Shown)| format!("{letter}) {}", s.text.trim());
    ('a'..='z').zip(shown).map(line).collect::<Vec<_>>().join("\n")
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
