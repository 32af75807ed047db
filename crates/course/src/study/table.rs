//! Attempts for other programs and other people: CSV (RFC 4180) and Markdown.

use std::fmt::Write;

use super::answer::{followed, listed};
use super::attempt::Attempt;
use super::words::{clean, clock, percent, some, verdict};
use crate::pack::Pack;
use crate::score::PartScore;

/// The columns before those of the parts.
const COLUMNS: [&str; 13] = [
    "id",
    "at",
    "pack",
    "lesson",
    "drill",
    "mode",
    "part",
    "rehearsal",
    "seconds",
    "words",
    "total",
    "rated",
    "limiting part",
];

/// The columns after those of the parts: the instructor's name, the total with the instructor's marks, the remark on the
/// whole answer, the answer.
const LAST: [&str; 4] = ["instructor", "total by instructor", "remark", "answer"];

/// The head of a CSV file of attempts; `parts` are the part ids, four columns each: verdict, mark, own
/// rating, the instructor's verdict. With the line end.
pub fn csv_head(parts: &[String]) -> String {
    let parts = parts
        .iter()
        .flat_map(|p| [p.clone(), format!("{p} mark"), format!("{p} rated"), format!("{p} by instructor")]);
    let columns = COLUMNS.iter().map(|c| (*c).to_owned()).chain(parts);
    row(columns.chain(LAST.map(str::to_owned)))
}

/// An attempt as a row of such a file. Times are RFC 3339, marks 0 to 1.
pub fn csv_row(a: &Attempt, parts: &[String]) -> String {
    let or_none = |text: &Option<String>| text.clone().unwrap_or_default();
    let fixed = [
        a.id.clone(),
        a.at.to_string(),
        a.pack.clone(),
        a.lesson.clone(),
        a.drill.clone(),
        a.mode.to_string(),
        or_none(&a.part),
        or_none(&a.rehearsal),
        a.seconds.to_string(),
        a.score.words.to_string(),
        mark(a.total()),
        a.rated.map_or(String::new(), mark),
        or_none(&a.score.limiting_part),
    ];
    let of = |id: &String| a.marks().find(|p| p.part == *id);
    let verdicts = parts.iter().flat_map(|id| {
        let rated = a.rated_parts.get(id).map_or("", |own| verdict(*own));
        let given = a.given(Some(id)).and_then(|g| g.verdict).map_or("", verdict);
        of(id).map_or_else(Default::default, |p| {
            [verdict(p.verdict).into(), mark(p.score), rated.into(), given.into()]
        })
    });
    let remark = a.given(None).map_or(String::new(), |g| g.remark.clone());
    let graded = if a.is_graded() { mark(a.as_graded().total()) } else { String::new() };
    let last = [a.instructors(), graded, remark, a.answer.clone()];
    row(fixed.into_iter().chain(verdicts).chain(last))
}

/// An attempt as a piece of Markdown: the question, the answer, the marks. `date` is when, in the
/// learner's words; the pack gives titles where it knows them.
pub fn markdown(a: &Attempt, pack: Option<&Pack>, date: &str) -> String {
    let drill = pack.and_then(|p| p.drill(&a.drill));
    let unknown = || (String::new(), &*a.drill);
    let (only, question) = drill.map_or_else(unknown, |d| listed(d, a.mode, a.part.as_deref()));
    let question = format!("{only}{question}");
    let mut out = String::new();
    // writing to a string cannot fail
    let graded = match a.is_graded() {
        true => {
            format!(", {} by the instructor, {}", percent(a.as_graded().total()), clean(&a.instructors()))
        }
        false => String::new(),
    };
    let _ = writeln!(out, "## {}: {}{graded}\n\n{}\n", clean(date), percent(a.total()), clean(&question));
    if a.answer.trim().is_empty() {
        let _ = writeln!(out, "> (no answer)");
    }
    for line in clean(&a.answer).trim().lines() {
        let _ = writeln!(out, "> {line}");
    }
    let own = a.rated.map_or(String::new(), |own| format!(", rated {} before the marks", percent(own)));
    let _ = writeln!(out, "\n{}, {} in {}{own}\n", a.mode, some(a.score.words, "word"), clock(a.seconds));
    let right = drill.and_then(|d| followed(d, a)?.answer.as_ref());
    if let Some(whole) = a.given(None).filter(|g| !g.remark.is_empty()) {
        let _ = writeln!(out, "- {}, the instructor: {}", clean(&whole.by), clean(&whole.remark));
    }
    for part in a.marks() {
        // the stored answer of a follow-up is its feedback too
        let feedback = Some(&part.feedback).filter(|f| right != Some(f));
        let feedback = feedback.map_or(String::new(), |f| clean(f));
        let row = format!("- {}: {}. {feedback}", title(part, pack), verdict(part.verdict));
        let _ = writeln!(out, "{}", row.trim_end());
        if let Some(given) = a.given(Some(&part.part)) {
            let mark = given.verdict.map_or("", verdict);
            let said = format!("  - {}, the instructor: {mark}. {}", clean(&given.by), clean(&given.remark));
            let _ = writeln!(out, "{}", said.replace(": . ", ": ").trim_end());
        }
    }
    if let Some(right) = right {
        let _ = writeln!(out, "- The answer: {}", clean(right));
    }
    for wrong in &a.score.misconceptions {
        let _ = writeln!(out, "- Not so: {}", clean(&wrong.correction));
    }
    out + "\n"
}

fn title<'a>(part: &'a PartScore, pack: Option<&'a Pack>) -> &'a str {
    let known = pack.and_then(|p| p.parts.iter().find(|q| q.id == part.part));
    known.map_or(&part.part, |p| &p.title)
}

fn mark(share: f64) -> String {
    format!("{share:.3}")
}

pub(super) fn row(cells: impl Iterator<Item = String>) -> String {
    cells.map(|c| cell(&c)).collect::<Vec<_>>().join(",") + "\r\n"
}

/// A cell, quoted where it must be. One that a spreadsheet would run as a formula gets an apostrophe
/// before it: an answer may come from somebody else.
fn cell(text: &str) -> String {
    let text = clean(text);
    let text = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{text}") } else { text };
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}
