//! Words of a job description that look like terms and that no course knows: names of tools, acronyms.

use std::collections::BTreeSet;

use super::{everyday, fold, tokens};
use crate::pack::{Pack, prose};

/// What any job description says, and no course would teach.
const OFFICE: [&str; 26] = [
    "api", "bsc", "ceo", "cpu", "cto", "dei", "english", "eu", "europe", "faq", "gpu", "gpus", "hr", "ic",
    "it", "linkedin", "llm", "llms", "london", "ml", "msc", "ok", "phd", "uk", "us", "usa",
];
/// Letters of the longest acronym.
const ACRONYM: usize = 6;

/// At most so many of them, in the order of first mention. `named` are the places of the words that were found. What a course uses in a
/// lesson, a lab or a model answer is known, whether a lesson is about it or not.
pub(super) fn unknown(
    text: &str,
    spelled: &[&str],
    named: &BTreeSet<usize>,
    (packs, most): (&[Pack], usize),
) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for (at, word) in spelled.iter().enumerate().filter(|(at, _)| !named.contains(at)) {
        let folded = fold(word);
        let is_known = named.iter().any(|place| fold(spelled[*place]) == folded);
        let is_new = !is_known && out.iter().all(|other| fold(other) != folded);
        if is_new && is_term(word) && (is_marked(word) || is_amid(text, word, spelled.get(at + 1))) {
            out.push((*word).to_owned());
        }
    }
    if !out.is_empty() {
        let words: BTreeSet<String> = out.iter().map(|word| fold(word)).collect();
        let used: BTreeSet<String> = packs.iter().flat_map(|pack| used(pack, &words)).collect();
        out.retain(|word| !used.contains(&fold(word)));
    }
    out.truncate(most);
    out
}

/// Which of some words a course uses.
fn used(pack: &Pack, words: &BTreeSet<String>) -> BTreeSet<String> {
    let lessons = pack.lessons.iter().flat_map(|lesson| {
        let labs = lesson.labs.iter().flat_map(|lab| [prose::lab(lab, lesson), lab.starter.text.clone()]);
        labs.chain([prose::section(pack, lesson)]).collect::<Vec<_>>()
    });
    let drills = pack.drills.iter().map(|drill| format!("{} {}", drill.prompt, drill.model));
    let texts = lessons.chain(drills);
    texts
        .flat_map(|text| tokens(&text).map(fold).filter(|word| words.contains(word)).collect::<Vec<_>>())
        .collect()
}

fn is_term(word: &str) -> bool {
    let lower = word.to_lowercase();
    let count = word.chars().count();
    count > 2 && !everyday::is_everyday(&fold(word)) && !OFFICE.contains(&&*lower)
}

/// `vLLM`, `TensorRT`, `H100`, `CUDA`: written as no word of a sentence is.
fn is_marked(word: &str) -> bool {
    let has = |is: fn(char) -> bool| word.chars().any(is);
    let inner = word.chars().skip(1).any(char::is_uppercase);
    let is_loud = word.chars().all(char::is_uppercase);
    let has_both = has(|c| c.is_ascii_digit()) && word.starts_with(char::is_uppercase);
    if is_loud { word.chars().count() <= ACRONYM } else { inner || has_both }
}

/// `Kubernetes` within a sentence: a name. What begins a sentence, or stands in a line of such words, is none.
fn is_amid(text: &str, word: &str, next: Option<&&str>) -> bool {
    let from = (word.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    let before = text.get(..from).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    let starts = line.trim_end().chars().last().is_none_or(|c| ".!?:;•*-–—\"“(".contains(c));
    let is_heading = next.is_some_and(|next| next.starts_with(char::is_uppercase))
        && line.split_whitespace().all(|word| word.starts_with(char::is_uppercase));
    word.starts_with(char::is_uppercase) && !starts && !is_heading
}
