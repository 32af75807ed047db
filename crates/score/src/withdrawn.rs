//! What a speaker takes back: "the weights, no wait, the gradients". What was taken back was not said.
//!
//! Both ways alike: a false statement that is taken back costs nothing, a true one earns nothing.

use super::lexicon;
use super::token::{Gap, Token};

/// Words that take back what stands before them, where a comma or more parts them from it.
const TAKES_BACK: &[&[&str]] = &[
    &["oh", "no", "wait"],
    &["no", "wait"],
    &["wait", "no"],
    &["no", "no"],
    &["no", "sorry"],
    &["sorry", "no"],
    &["no", "actually"],
    &["actually", "no"],
    &["well", "actually", "no"],
    &["wait", "actually"],
    &["sorry", "i", "mean"],
    &["sorry", "i", "meant"],
    &["no", "i", "mean"],
    &["no", "i", "meant"],
    &["wait", "i", "mean"],
    &["i", "meant", "to", "say"],
    &["i", "take", "that", "back"],
    &["let", "me", "correct", "myself"],
    &["let", "me", "correct", "that"],
    &["scratch", "that"],
    &["strike", "that"],
    &["correction"],
    &["or", "rather"],
];

/// A correction of so few words replaces as many; a longer one replaces the clause.
const FRAGMENT: usize = 4;

/// The tokens from `.0` up to `.1` that are taken back, with the words that take them back; in order, none overlapping.
pub(super) fn withdrawn(tokens: &[Token]) -> Vec<(usize, usize)> {
    let mut all: Vec<(usize, usize)> = Vec::new();
    let mut i = 1;
    while i < tokens.len() {
        let end = takes_back(tokens, i);
        if end == i {
            i += 1;
            continue;
        }
        let least = all.last().map_or(0, |(_, end)| *end);
        all.push((begins(tokens, least, i, end), end));
        i = end;
    }
    all
}

/// Where the words end that take something back at `i`; `i` where there are none.
fn takes_back(tokens: &[Token], i: usize) -> usize {
    if !tokens[i].gap.ends_clause() {
        return i;
    }
    let is_here = |words: &&&[&str]| {
        // "no, wait" and "sorry, I mean" as well
        let small = |k: usize| k == 0 || tokens[i + k].gap <= Gap::Comma;
        i + words.len() <= tokens.len()
            && words.iter().enumerate().all(|(k, word)| tokens[i + k].word == *word && small(k))
    };
    let Some(length) = TAKES_BACK.iter().filter(is_here).map(|words| words.len()).max() else { return i };
    let mut end = i + length;
    // "no wait, sorry, actually, it …"
    let is_more = |t: &Token| {
        t.gap < Gap::Sentence
            && matches!(t.word.as_str(), "no" | "wait" | "sorry" | "actually" | "oh" | "rather")
    };
    while tokens.get(end).is_some_and(is_more) {
        end += 1;
    }
    let Some(next) = tokens.get(end) else { return end };
    let parted = next.gap.ends_clause();
    if length == 1 {
        // a heading, or an item of a list, may be called "correction"
        let is_said_next = lexicon::is_pronoun(&next.word)
            || tokens[i].gap < Gap::Sentence && lexicon::is_article(&next.word);
        return if parted && is_said_next { end } else { i };
    }
    // "no wait for stragglers", "no wait in the loop" are statements
    if !parted && is_noun_use(&next.word) { i } else { end }
}

/// Whether "no wait" before this word is a wait, not a word of taking back.
fn is_noun_use(next: &str) -> bool {
    let prepositions = ["for", "on", "at", "in", "until", "between", "of", "during", "and", "or"];
    let verbs = ["time", "times", "is", "was", "here", "there", "needed", "states", "state"];
    prepositions.contains(&next) || verbs.contains(&next)
}

/// Where what is taken back begins: what stands between `least` and the words of taking back at `at`, which end at `end`.
fn begins(tokens: &[Token], least: usize, at: usize, end: usize) -> usize {
    let clause = clause_begins(tokens, least, at);
    let fragment = fragment(tokens, end);
    let Some(first) = fragment.first() else { return clause };
    // who corrects a piece says again the word before it: "the weights, no wait, the gradients"
    match (clause..at).rev().find(|&k| tokens[k].word == first.word) {
        Some(again) => again,
        None => at.saturating_sub(fragment.len()).max(clause),
    }
}

/// Where the clause begins that ends before `at`: commas part clauses, but one that goes on ("so they stay equal")
/// takes along what it goes on from.
fn clause_begins(tokens: &[Token], least: usize, at: usize) -> usize {
    let mut k = at;
    while k > least {
        k -= 1;
        let is_parted = k > least && tokens[k].gap.ends_clause();
        let goes_on = tokens[k].gap < Gap::Semicolon && goes_on(&tokens[k].word)
            || tokens[k].gap < Gap::Semicolon && at - k <= 2 && tokens[k].gap == Gap::Comma;
        if is_parted && !goes_on {
            break;
        }
    }
    k
}

/// Words at which a clause says more of the one before it.
fn goes_on(word: &str) -> bool {
    let words =
        ["so", "because", "which", "since", "that", "after", "before", "when", "while", "where", "as"];
    words.contains(&word) || lexicon::is_preposition(word)
}

/// A correction that is no statement of its own, but replaces words of the one before it; else nothing.
fn fragment(tokens: &[Token], from: usize) -> &[Token] {
    let rest = &tokens[from..];
    let length = 1 + rest.iter().skip(1).take_while(|t| !t.gap.ends_clause()).count();
    let piece = rest.get(..length).unwrap_or_default();
    let is_own_sentence = piece.first().is_some_and(|t| t.gap.ends_sentence());
    let is_statement =
        piece.first().is_some_and(|t| lexicon::is_pronoun(&t.word) || is_plural_subject(&t.word))
            || piece.iter().any(|t| lexicon::is_auxiliary(&t.word) || lexicon::is_pronoun(&t.word));
    if is_own_sentence || is_statement || length > FRAGMENT { &[] } else { piece }
}

fn is_plural_subject(word: &str) -> bool {
    matches!(word, "each" | "every" | "all" | "both" | "nobody" | "these" | "those")
}

#[cfg(test)]
mod tests {
    use super::super::token::lex;

    fn words(text: &str) -> String {
        lex(text).tokens.iter().map(|t| t.word.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_clause_that_is_taken_back_is_not_said() {
        for taken in [
            "no wait,",
            "no, wait,",
            "oh no wait,",
            "wait, no,",
            "sorry, I mean",
            "sorry, no,",
            "actually no,",
            "no, actually,",
            "scratch that,",
            "strike that,",
            "correction:",
            "correction,",
            "let me correct myself,",
            "no wait, sorry,",
        ] {
            let text =
                format!("Ranks hold copies. It sends weights after the step, {taken} it averages gradients.");
            assert_eq!(words(&text), "ranks hold copies it averages gradients", "{taken}");
            let text = text.replace("step, ", "step so they agree, ");
            assert_eq!(words(&text), "ranks hold copies it averages gradients", "{taken}");
            let text = text.replace("step so", "step, so");
            assert_eq!(words(&text), "ranks hold copies it averages gradients", "{taken}");
        }
    }

    #[test]
    fn what_was_said_in_the_sentence_before_can_be_taken_back() {
        let text = "Ranks hold copies, and they send weights. No wait, they send gradients.";
        assert_eq!(words(text), "ranks hold copies they send gradients");
        let text = "Ranks hold copies. They send weights. Scratch that. They send gradients.";
        assert_eq!(words(text), "ranks hold copies they send gradients");
        let text = "they send weights - no wait - they send gradients";
        assert_eq!(words(text), "they send gradients");
        let text = "They send weights, scratch that.";
        assert_eq!(words(text), "");
    }

    #[test]
    fn a_piece_that_is_corrected_replaces_a_piece() {
        assert_eq!(
            words("it averages the weights, no wait, the gradients, in buckets"),
            "it averages the gradients in buckets"
        );
        assert_eq!(words("each rank sends weights, sorry, I mean gradients"), "each rank sends gradients");
        assert_eq!(words("it goes over InfiniBand, or rather over NVLink"), "it goes over nvlink");
    }

    #[test]
    fn what_takes_nothing_back_stays() {
        for text in [
            "the ranks run on, no wait for stragglers",
            "there is no wait, so the step is short",
            "the optimizer is Adam, correction of the bias is on",
            "it needs error correction, and it costs bytes",
            "no wait times, no stalls",
            "one clips the ratio, correction, and entropy",
        ] {
            let plain = text.to_lowercase().replace(',', "");
            assert_eq!(words(text), plain, "{text}");
        }
    }

    #[test]
    fn two_corrections_take_back_two_clauses() {
        let text = "it sends weights, no wait, it sends losses, no wait, it sends gradients";
        assert_eq!(words(text), "it sends gradients");
    }
}
