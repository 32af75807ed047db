//! `pack.toml`: what a pack is and what it consists of.

use std::collections::HashSet;

use super::desk::Desk;
use super::index::Index;
use super::parse::parse;
use super::schema::Document;
use super::{Part, raw};

/// The format that this program reads.
pub const FORMAT: u32 = 1;
/// The languages that the reader can colour, and plain text.
pub(crate) const LANGUAGES: [&str; 13] = [
    "python",
    "markdown",
    "toml",
    "rust",
    "shell",
    "sql",
    "javascript",
    "typescript",
    "go",
    "java",
    "c",
    "cpp",
    "text",
];

/// Reads `pack.toml`. Of a pack in another format only that is reported: nothing else about
/// it is known.
pub(super) fn manifest(desk: &mut Desk<'_>) -> Option<raw::Manifest> {
    if !is_our_format(desk) {
        return None;
    }
    let raw: raw::Manifest = parse(Document::Pack, desk)?;
    ids(&raw, desk);
    desk.unique("part", raw.parts.iter().map(|p| &*p.id));
    if let Some(judged) = raw.judged.as_ref().filter(|j| !(-1.0..=1.0).contains(&j.get_ref().kappa)) {
        let what = format!("`judged` has a kappa of {}", judged.get_ref().kappa);
        desk.faults.error(judged.span(), what, "write what `infralens calibrate` says, from -1 to 1");
    }
    Some(raw)
}

/// Looks at `format` alone. What is no number there is left to the shape of the file.
fn is_our_format(desk: &mut Desk<'_>) -> bool {
    let (root, _) = toml::de::DeTable::parse_recoverable(desk.faults.text());
    let Some(value) = root.get_ref().get("format") else {
        return true;
    };
    let number = value.get_ref().as_integer();
    let Some(format) = number.and_then(|n| i64::from_str_radix(n.as_str(), n.radix()).ok()) else {
        return true;
    };
    if format == i64::from(FORMAT) {
        return true;
    }
    let cure = if format > i64::from(FORMAT) {
        "install a newer infralens, or ask the author for a pack in format 1"
    } else {
        "format 1 is the oldest: write format = 1 and follow docs/pack-format.md"
    };
    let what = format!("the pack is in format {format}; this program reads format {FORMAT}");
    desk.faults.error(value.span(), what, cure);
    false
}

fn ids(raw: &raw::Manifest, desk: &mut Desk<'_>) {
    let mut seen = HashSet::new();
    for id in std::iter::once(&raw.id).chain(&raw.lessons) {
        if !is_slug(id.get_ref()) {
            desk.faults.error(
                id.span(),
                format!("`{}` is not an id", id.get_ref()),
                "use lower case letters, digits and hyphens, at most 64",
            );
        }
    }
    for id in &raw.lessons {
        if !seen.insert(id.get_ref().as_str()) {
            desk.faults.error(
                id.span(),
                format!("the lesson `{}` is listed twice", id.get_ref()),
                "list each lesson once",
            );
        }
    }
}

/// Whether a text can be an id: lower case letters, digits and hyphens, 1 to 64 of them, not
/// beginning with a hyphen.
pub fn is_slug(text: &str) -> bool {
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    (1..=64).contains(&text.len()) && text.chars().all(allowed) && !text.starts_with('-')
}

/// The parts that the manifest names, or the five.
pub(super) fn parts(raw: Vec<raw::Part>) -> Vec<Part> {
    if raw.is_empty() {
        return default_parts();
    }
    raw.into_iter()
        .map(|p| Part {
            id: p.id.into_inner(),
            title: p.title.into_inner(),
            question: p.question.into_inner(),
        })
        .collect()
}

/// The parts that an index names, or the five.
pub(super) fn indexed_parts(index: &Index) -> Vec<Part> {
    if index.parts.is_empty() {
        return default_parts();
    }
    let parts = index.parts.iter();
    parts
        .map(|p| Part { id: p.id.to_string(), title: p.title.to_string(), question: p.question.to_string() })
        .collect()
}

/// The five parts of an answer that a pack has unless it names its own.
pub fn default_parts() -> Vec<Part> {
    [
        ("problem", "Problem", "What does not fit, scale, converge or finish, and why does it matter?"),
        (
            "mechanism",
            "Mechanism",
            "Which state is replicated, sharded or moved, along which axis, in which order?",
        ),
        (
            "communication",
            "Communication",
            "Which collective or message, between whom, when, how much, over which link, exposed or hidden?",
        ),
        (
            "tradeoff",
            "Tradeoff",
            "What is given up for what, against which alternative, and when does the choice flip?",
        ),
        (
            "measurement",
            "Measurement",
            "Which metric, trace, microbenchmark or A/B run would confirm it, and what do you expect to see?",
        ),
    ]
    .map(|(id, title, question)| Part {
        id: id.to_owned(),
        title: title.to_owned(),
        question: question.to_owned(),
    })
    .into()
}
