//! Rows of names that nothing ties together.

use std::ops::Range;

use crate::lexicon;
use crate::token::{Gap, Token};

/// Verbs, and words of a comparison, that tie others together.
const TYING: [&str; 54] = [
    "after",
    "before",
    "need",
    "needs",
    "get",
    "gets",
    "goes",
    "makes",
    "takes",
    "lets",
    "keeps",
    "use",
    "uses",
    "used",
    "like",
    "not",
    "needed",
    "proportional",
    "means",
    "gives",
    "costs",
    "grows",
    "below",
    "above",
    "stay",
    "stays",
    "remains",
    "rises",
    "no",
    "tells",
    "holds",
    "sends",
    "waits",
    "shows",
    "becomes",
    "says",
    "sits",
    "falls",
    "shrinks",
    "give",
    "sit",
    "hold",
    "send",
    "tell",
    "become",
    "rise",
    "grow",
    "fall",
    "keep",
    "make",
    "take",
    "mean",
    "remain",
    "shrink",
];

/// Whether a word ties others into a statement: a verb, a preposition, a pronoun.
pub(super) fn joins(token: &Token) -> bool {
    let word = token.word.as_str();
    if token.gap == Gap::Joined {
        return false;
    }
    let tying = lexicon::is_article(word)
        || lexicon::is_preposition(word) && !matches!(word, "per" | "over" | "without")
        || lexicon::is_auxiliary(word)
        || lexicon::is_pronoun(word)
        || lexicon::is_conjunction(word) && !matches!(word, "and" | "or" | "once" | "then" | "until");
    tying || TYING.contains(&word)
}

/// Whether a token is a number that stands by itself: a figure, not part of a name such as ZeRO-1.
pub(super) fn is_figure(token: &Token) -> bool {
    token.gap > Gap::Joined && token.word.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

/// Tokens between two breaks.
fn segments(tokens: &[Token]) -> Vec<Range<usize>> {
    let mut segments: Vec<Range<usize>> = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        match segments.last_mut() {
            Some(last) if !token.gap.ends_clause() => last.end = i + 1,
            _ => segments.push(i..i + 1),
        }
    }
    segments
}

/// Whether a segment is a bare item of a list: a few words, none of which joins others.
fn is_item(tokens: &[Token], segment: &Range<usize>) -> bool {
    let opens_with_and = usize::from(matches!(tokens[segment.start].word.as_str(), "and" | "or"));
    let words = &tokens[segment.start + opens_with_and..segment.end];
    let stated = words.iter().enumerate().any(|(i, t)| {
        joins(t)
            || i > 0 && matches!(t.gap, Gap::Arrow | Gap::Colon)
            || i > 0 && i + 2 < words.len() && t.gap == Gap::Equals
            || words.len() >= 3 && is_figure(t)
    });
    let long =
        words.iter().filter(|t| t.word.len() > 2 && t.word.bytes().any(|b| b.is_ascii_alphabetic())).count();
    let follows_label = tokens[segment.start].gap == Gap::Colon || tokens[segment.start].gap == Gap::Arrow;
    (!stated || words.len() <= 2) && long <= 5 && !follows_label
}

/// Whether a sign before a token ties it to what stands before: `→`, `:`, `=`.
pub(super) fn is_tied(token: &Token) -> bool {
    matches!(token.gap, Gap::Arrow | Gap::Colon | Gap::Equals)
}

/// What makes a row of bare items a list: so many of them, and more where a label names what they are ("Check:
/// loss, step, learning rate, …").
const LIST: usize = 6;
const LABELLED_LIST: usize = 10;

/// Six bare items in a row, whatever separates them. A sentence of its own is part of such a
/// row only if it is nothing but one item.
pub(super) fn mark_lists(tokens: &[Token], dead: &mut [bool]) {
    let segments = segments(tokens);
    let opens = |i: usize| i >= segments.len() || tokens[segments[i].start].gap.ends_sentence();
    let single = |i: usize| opens(i) && opens(i + 1);
    let goes_on = |i: usize| !opens(i) || single(i) && single(i - 1);
    let mut i = 0;
    while i < segments.len() {
        let mut end = i;
        while end < segments.len() && is_item(tokens, &segments[end]) && (end == i || goes_on(end)) {
            end += 1;
        }
        let labelled = i > 0 && !opens(i) && tokens[segments[i - 1].start].gap == Gap::Colon;
        if end - i >= if labelled { LABELLED_LIST } else { LIST } {
            dead[segments[i].start..segments[end - 1].end].fill(true);
        }
        i = end.max(i + 1);
    }
}

/// A piece of a sentence longer than this is no note: figures in it tie nothing together.
const LONG_PIECE: usize = 20;

/// For each token, whether it stands between two breaks that are no further apart than a note is long.
fn in_notes(tokens: &[Token]) -> Vec<bool> {
    let mut short = vec![false; tokens.len()];
    for segment in segments(tokens).into_iter().filter(|s| s.len() <= LONG_PIECE) {
        short[segment].fill(true);
    }
    short
}

/// Many words in a row, none of which ties them together.
pub(super) fn mark_runs(tokens: &[Token], dead: &mut [bool]) {
    let mut from = 0;
    let notes = in_notes(tokens);
    for i in 0..=tokens.len() {
        let breaks =
            |i: usize| joins(&tokens[i]) || notes[i] && (is_figure(&tokens[i]) || is_sum(&tokens[i]));
        let ends = i == tokens.len() || breaks(i) || i > 0 && (tokens[i].gap.ends_clause());
        if ends {
            let content = tokens[from..i]
                .iter()
                .filter(|t| t.word.len() > 2 && t.gap > Gap::Joined && !lexicon::is_function(&t.word))
                .count();
            if content >= 10 {
                dead[from..i].fill(true);
            }
            from = i;
        }
    }
}

/// Whether a word is a sign of a formula.
fn is_sum(token: &Token) -> bool {
    matches!(token.word.as_str(), "plus" | "minus" | "x" | "times" | "divided" | "%" | "proportional")
}

/// Of a hundred words of a sentence so many tie others together; telegrams have few.
const LEAST_JOINING: usize = 10;

/// The same where so many words stand without a comma, a colon or a full stop: a telegram does not.
const LONG_BREATH: usize = 28;
const JOINING_IN_A_BREATH: usize = 20;

/// Whether a long sentence is a list in the main.
pub(super) fn mostly_listed(tokens: &[Token], sentence: Range<usize>) -> bool {
    let words = &tokens[sentence.clone()];
    let joining = words.iter().filter(|t| joins(t)).count();
    let notes = in_notes(words);
    let ties = |(t, note): &(&Token, &bool)| is_tied(t) || **note && (is_figure(t) || is_sum(t));
    let tied = words.iter().zip(&notes).filter(ties).count();
    if words.len() >= 20 && (joining + tied) * 100 < words.len() * LEAST_JOINING {
        return true;
    }
    let breathless = |s: Range<usize>| {
        let joining = words[s.clone()].iter().filter(|t| joins(t)).count();
        s.len() >= LONG_BREATH && joining * 100 < s.len() * JOINING_IN_A_BREATH
    };
    if segments(words).into_iter().any(breathless) {
        return true;
    }
    mostly_items(tokens, sentence)
}

/// Whether most of what stands between breaks is a bare item. Pauses of speech ("so, um, right,")
/// are neither.
pub(super) fn mostly_items(tokens: &[Token], range: Range<usize>) -> bool {
    let words = &tokens[range];
    let is_pause = |s: &Range<usize>| words[s.clone()].iter().all(|t| lexicon::is_hesitation(&t.word));
    let segments: Vec<Range<usize>> = segments(words).into_iter().filter(|s| !is_pause(s)).collect();
    let items = segments.iter().filter(|s| is_item(words, s)).count();
    let labelled = segments.get(1).is_some_and(|s| words[s.start].gap == Gap::Colon);
    segments.len() >= if labelled { 13 } else { 8 } && items * 10 >= segments.len() * 7
}
