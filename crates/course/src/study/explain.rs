//! Which section of a lesson explains what an answer lacked.

use std::collections::{HashMap, HashSet};

use crate::pack::{Lesson, Pack, prose};
use crate::score::Words;

/// A heading says as much of what its section is about as so many words in the text.
const TITLE: f64 = 3.0;
/// How soon one more of the same word says nothing new.
const ENOUGH: f64 = 1.2;
/// How much a long section must say more often than a short one, 0 to 1.
const LENGTH: f64 = 0.6;

/// The title of the section that has most in common with some statements; none where none has anything.
///
/// Words that few sections of the lesson have count most. Sections that say things once more, for an interview or
/// against misunderstandings, explain nothing.
pub fn section(pack: &Pack, lesson: &Lesson, statements: &[String]) -> Option<String> {
    let text = pack.named(&prose::explained(pack, lesson)).into_owned();
    let mut words = Words::new();
    let sections: Vec<Section> =
        parted(&text).into_iter().map(|(title, text)| Section::of(title, &text, &mut words)).collect();
    let asked: HashSet<String> =
        statements.iter().flat_map(|statement| words.telling(&pack.named(statement))).collect();
    let mean = sections.iter().map(|s| s.length).sum::<f64>() / sections.len().max(1) as f64;
    let rarity = |stem: &str| {
        let having = sections.iter().filter(|s| s.counts.contains_key(stem)).count() as f64;
        (1.0 + (sections.len() as f64 - having + 0.5) / (having + 0.5)).ln()
    };
    let worth = |section: &Section| -> f64 {
        let of = |stem: &String| {
            let count = section.counts.get(stem).copied().unwrap_or_default();
            let long = 1.0 - LENGTH + LENGTH * section.length / mean.max(1.0);
            rarity(stem) * count * (ENOUGH + 1.0) / (count + ENOUGH * long)
        };
        asked.iter().map(of).sum()
    };
    let best = sections.iter().map(|s| (worth(s), s)).max_by(|a, b| a.0.total_cmp(&b.0))?;
    (best.0 > 0.0).then(|| best.1.title.clone())
}

/// A section with the stems of its words.
struct Section {
    title: String,
    counts: HashMap<String, f64>,
    length: f64,
}

impl Section {
    fn of(title: String, text: &str, words: &mut Words) -> Self {
        let mut counts: HashMap<String, f64> = HashMap::new();
        let stems = words.telling(text);
        let length = stems.len() as f64;
        stems.into_iter().for_each(|stem| *counts.entry(stem).or_default() += 1.0);
        words.telling(&title).into_iter().for_each(|stem| *counts.entry(stem).or_default() += TITLE);
        Section { title, counts, length }
    }
}

/// A text in its sections, each with its own text: what stands under a lower heading belongs to that one.
fn parted(markdown: &str) -> Vec<(String, String)> {
    let mut out: Vec<(String, String)> = Vec::new();
    let mut is_code = false;
    for line in markdown.lines() {
        is_code ^= line.starts_with("```");
        let title = line.strip_prefix("### ").or_else(|| line.strip_prefix("## ")).filter(|_| !is_code);
        match (title, out.last_mut()) {
            (Some(title), _) => out.push((title.trim().to_owned(), String::new())),
            (None, Some((_, text))) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, None) => {}
        }
    }
    out.retain(|(_, text)| !text.trim().is_empty());
    out
}

/// Whether two headings are the same, with the signs of Markdown or without.
pub fn is_same(one: &str, other: &str) -> bool {
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    letters(one) == letters(other)
}
