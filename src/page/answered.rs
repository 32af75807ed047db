//! A person's own answer on a page, with marks on its words.

use std::ops::Range;

use crate::doc::{Document, Mark};
use crate::score::Evidence;

/// So many bytes of an answer are shown with its marks: far more than anybody says, and laid out within a key.
const MOST_SHOWN: usize = 24_000;

/// An answer with its marks: all of it, or how it begins and where the rest can be read.
pub fn answered(text: &str, marks: Vec<Mark>) -> Document {
    let end = end_of(text, MOST_SHOWN);
    let page = Document::new().title("Your answer").answer(&text[..end], within(marks, end), None);
    match text.len() > end {
        true => page.words(&format!(
            "Here end the first {} kB of {}. `infralens history --json` has all of it.",
            end / 1000,
            text.len() / 1000
        )),
        false => page,
    }
}

/// The whole text, or where its words end before so many bytes.
fn end_of(text: &str, most: usize) -> usize {
    if text.len() <= most {
        return text.len();
    }
    let end = text.floor_char_boundary(most);
    text[..end].rfind(char::is_whitespace).unwrap_or(end)
}

/// Words further apart than this are two phrases.
const APART: usize = 60;

/// A phrase of fewer words says nothing by itself: the words around it are shown too.
const LEAST_WORDS: usize = 3;

/// So many words are shown on either side of it.
const AROUND: usize = 4;

/// The phrases of a text that some words of it belong to, in order: what stands between words of one sentence belongs
/// to them, and a single word is shown with those around it.
pub fn phrases<'e>(text: &str, evidence: impl IntoIterator<Item = &'e Evidence>) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = evidence.into_iter().map(Evidence::range).collect();
    words.retain(|bytes| text.get(bytes.clone()).is_some_and(|words| !words.trim().is_empty()));
    words.sort_by_key(|bytes| (bytes.start, bytes.end));
    let mut phrases: Vec<Range<usize>> = Vec::new();
    for bytes in words {
        match phrases.last_mut() {
            Some(last) if bytes.start <= last.end || is_within(text, last.end..bytes.start) => {
                last.end = last.end.max(bytes.end);
            }
            _ => phrases.push(bytes),
        }
    }
    let mut whole: Vec<Range<usize>> = Vec::new();
    for bytes in
        phrases.into_iter().map(|bytes| trimmed(text, with_neighbours(text, whole_words(text, bytes))))
    {
        match whole.last_mut() {
            Some(last) if bytes.start <= last.end => last.end = last.end.max(bytes.end),
            _ => whole.push(bytes),
        }
    }
    whole
}

/// Whether what stands between two words is part of one sentence, and short.
fn is_within(text: &str, between: Range<usize>) -> bool {
    let between = &text[between];
    between.len() <= APART && !between.contains(". ") && !between.contains(['\n', ';', '!', '?'])
}

/// A range of bytes, widened to where its first and its last word end.
fn whole_words(text: &str, bytes: Range<usize>) -> Range<usize> {
    let is_inside = |sign: char| sign.is_alphanumeric() || matches!(sign, '-' | '_' | '\'' | '’');
    let start = text[..bytes.start].trim_end_matches(is_inside).len();
    let after = &text[bytes.end..];
    let end = bytes.end + after.len() - after.trim_start_matches(is_inside).len();
    start..bytes.end + text[bytes.end..end].trim_end_matches(['-', '_', '\'', '’']).len()
}

/// A phrase of a word or two with the words around it, within its clause.
fn with_neighbours(text: &str, bytes: Range<usize>) -> Range<usize> {
    if text[bytes.clone()].split_whitespace().count() >= LEAST_WORDS {
        return bytes;
    }
    let before = &text[..bytes.start];
    let clause = breaks(before).last().map_or(0, |at| at + 1);
    let start = before[clause..].rmatch_indices(char::is_whitespace).nth(AROUND);
    let start = start.map_or(clause, |(at, _)| clause + at);
    let after = &text[bytes.end..];
    let clause = breaks(after).next().unwrap_or(after.len());
    let end = after[..clause].match_indices(char::is_whitespace).nth(AROUND);
    let end = end.map_or(clause, |(at, _)| at);
    let start = start + (text[start..bytes.start].len() - text[start..bytes.start].trim_start().len());
    start..bytes.end + after[..end].trim_end().len()
}

/// Words that lead into what follows: a phrase does not begin with them.
const LEADS: [&str; 8] = ["and", "but", "or", "so", "then", "that", "which", "because"];

/// Words that belong to what follows them: a phrase does not end with one.
const HANGING: [&str; 23] = [
    "a", "an", "and", "as", "at", "because", "but", "by", "every", "for", "from", "in", "into", "its", "of",
    "on", "or", "so", "than", "the", "to", "when", "with",
];

/// A phrase without the words at its ends that belong to what stands outside it; two words of it stay.
fn trimmed(text: &str, bytes: Range<usize>) -> Range<usize> {
    // a word that begins a sentence, with a capital, stays
    let is_one_of = |words: &[&str], word: &str| words.contains(&word);
    let (mut start, mut end) = (bytes.start, bytes.end);
    while text[start..end].split_whitespace().count() > 2 {
        let words = &text[start..end];
        let first = words.split_whitespace().next().unwrap_or_default();
        let last = words.split_whitespace().last().unwrap_or_default();
        if is_one_of(&LEADS, first) {
            let rest = words.trim_start();
            start = end - rest[first.len()..].trim_start().len();
        } else if is_one_of(&HANGING, last) {
            end = start + words.trim_end()[..words.trim_end().len() - last.len()].trim_end().len();
        } else {
            break;
        }
    }
    start..end
}

/// Where clauses of a text end, in bytes; a point within a number ends none.
fn breaks(text: &str) -> impl Iterator<Item = usize> + '_ {
    text.match_indices(['.', ',', ';', ':', '!', '?', '\n', '(', ')']).filter_map(|(at, sign)| {
        let is_inside = matches!(sign, "." | "," | ":")
            && text[at + 1..].chars().next().is_some_and(|next| !next.is_whitespace());
        (!is_inside).then_some(at)
    })
}

/// The marks that stand in the first bytes of a text.
fn within(marks: Vec<Mark>, end: usize) -> Vec<Mark> {
    let cut = |mark: Mark| Mark { bytes: mark.bytes.start..mark.bytes.end.min(end), ..mark };
    marks.into_iter().filter(|mark| mark.bytes.start < end).map(cut).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown<'t>(text: &'t str, words: &[&str]) -> Vec<&'t str> {
        let evidence: Vec<Evidence> = words
            .iter()
            .map(|word| {
                let start = text.find(word).expect("it stands there");
                Evidence { start, end: start + word.len(), text: (*word).to_owned() }
            })
            .collect();
        phrases(text, &evidence).into_iter().map(|bytes| &text[bytes]).collect()
    }

    #[test]
    fn words_of_one_sentence_are_one_phrase_and_a_single_one_stands_among_others() {
        let text =
            "Each rank averages the gradients, so all weights stay equal. It stops at 1.5 times the price.";
        assert_eq!(
            shown(text, &["averages", "gradients", "equal"]),
            ["averages the gradients, so all weights stay equal"]
        );
        assert_eq!(
            shown(text, &["rank", "stops"]),
            ["Each rank averages the gradients", "It stops at 1.5 times"]
        );
        assert_eq!(shown(text, &["weights"]), ["all weights stay equal"]);
        assert_eq!(shown("ring", &["ring"]), ["ring"]);
        let text = "DDP fills buckets and launches an all-reduce for each bucket as soon as it is full";
        assert_eq!(
            shown(text, &["and launches an all-reduce for each bucket as"]),
            ["launches an all-reduce for each bucket"]
        );
        let text = "One big all-reduce per bucket, right after its gradients-";
        assert_eq!(shown(text, &["reduce per bucket"]), ["all-reduce per bucket"]);
        assert_eq!(shown(text, &["right after its gradient"]), ["right after its gradients"]);
    }
}
