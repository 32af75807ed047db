//! A lab with its starter.

use toml::Spanned;

use super::character::is_forbidden;
use super::desk::Desk;
use super::faults::Faults;
use super::files::STARTER_LIMIT;
use super::lesson::{references, sim};
use super::manifest::LANGUAGES;
use super::names::Kind;
use super::{Block, Lab, Prediction, Starter, anchor, coverage, raw, strings};

/// Turns a lab of a lesson file into a lab with its starter's text and its notes in place.
pub(super) fn lab(raw: raw::Lab, desk: &mut Desk<'_>) -> Lab {
    desk.names.define(Kind::Lab, &raw.id);
    let text = asset(&raw.starter, desk);
    let expected = raw.expected.as_ref().and_then(|path| asset(path, desk));
    let language = language(raw.starter.get_ref(), desk);
    let blocks = match &text {
        Some(text) => explained(raw.blocks, text, (&raw.starter, &language), desk),
        None => Vec::new(),
    };
    Lab {
        id: raw.id.into_inner(),
        title: raw.title.into_inner(),
        minutes: raw.minutes,
        goal: desk.text(raw.goal),
        mental_model: desk.text(raw.mental_model),
        starter: Starter {
            language,
            path: raw.starter.into_inner(),
            text: text.unwrap_or_default(),
            expected,
        },
        predictions: raw
            .predictions
            .into_iter()
            .map(|p| Prediction { ask: desk.text(p.ask), answer: desk.text(p.answer) })
            .collect(),
        blocks,
        notice: desk.texts(raw.notice),
        prevents: desk.texts(raw.prevents),
        say: desk.text(raw.say),
        intuition: desk.text(raw.intuition),
        extend: desk.texts(raw.extend),
        further: references(raw.further, desk),
        sims: raw.sims.into_iter().map(|s| sim(s, desk)).collect(),
        measure: None,
    }
}

/// The blocks of a lab with their notes in place. Every line of code must have one.
pub(super) fn explained(
    raw: Vec<raw::Block>,
    text: &str,
    (starter, language): (&Spanned<String>, &str),
    desk: &mut Desk<'_>,
) -> Vec<Block> {
    let notes: usize = raw.iter().map(|b| b.notes.len()).sum();
    let blocks = anchor::blocks(raw, text, desk);
    let placed: usize = blocks.iter().map(|b| b.notes.len()).sum();
    // where a note is lost, the lines that it was meant for are not to be told from others
    if desk.is_full() && placed == notes {
        let path = format!("assets/{}", starter.get_ref());
        coverage::report(&blocks, (&path, text, language), desk);
    }
    blocks
}

/// The text of a file below `assets/`. A file that cannot be used is reported where it is
/// named.
pub(super) fn asset(path: &Spanned<String>, desk: &mut Desk<'_>) -> Option<String> {
    let name = path.get_ref();
    let full = format!("assets/{name}");
    match desk.course.files.read(&full, STARTER_LIMIT) {
        Ok(text) => {
            if text.contains(is_forbidden) {
                let mut faults = Faults::new(&full, &text);
                strings::raw_characters(&mut faults);
                desk.elsewhere.append(&mut faults.into_problems());
            }
            Some(text.into_owned())
        }
        Err(fault) => {
            let what = format!("`{full}` cannot be used: {}", fault.what);
            desk.faults.error(path.span(), what, fault.cure);
            None
        }
    }
}

fn language(path: &str, desk: &Desk<'_>) -> String {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    let known = match ending {
        "py" => "python",
        "md" => "markdown",
        "toml" => "toml",
        "rs" => "rust",
        "sh" => "shell",
        "sql" => "sql",
        "js" | "mjs" => "javascript",
        "ts" => "typescript",
        "go" => "go",
        "java" => "java",
        "c" | "h" => "c",
        "cpp" | "cc" | "cxx" | "hpp" => "cpp",
        _ => "text",
    };
    desk.course
        .languages
        .get(ending)
        .filter(|language| LANGUAGES.contains(&language.as_str()))
        .cloned()
        .unwrap_or_else(|| known.to_owned())
}
