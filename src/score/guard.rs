//! Text that states nothing: lists of keywords, shuffled words, the prompt said again.

use std::collections::HashSet;
use std::ops::Range;

use super::lexicon;
use super::statement::Layout;
use super::token::{Gap, Token};

/// Which tokens can be evidence.
#[derive(Debug, Clone, Default)]
pub(super) struct Guarded {
    /// Tokens that state nothing.
    pub dead: Vec<bool>,
    /// Tokens copied from the prompt.
    pub copied: Vec<bool>,
    /// How many tokens stand in lists of keywords or shuffled text.
    pub listed: usize,
}

/// Finds what states nothing.
pub(super) fn guard(tokens: &[Token], layout: &Layout, prompt: &Prompt) -> Guarded {
    let mut dead = vec![false; tokens.len()];
    if is_salad(tokens, 0..tokens.len()) {
        dead.fill(true);
    } else {
        mark_lists(tokens, &mut dead);
        mark_runs(tokens, &mut dead);
        for sentence in &layout.sentences {
            if mostly_listed(tokens, sentence.clone()) || is_salad(tokens, sentence.clone()) {
                dead[sentence.clone()].fill(true);
            }
        }
    }
    let listed = dead.iter().filter(|d| **d).count();
    for sentence in &layout.sentences {
        if let Some(empty) = empty_frame(tokens, sentence.clone()) {
            dead[empty].fill(true);
        }
    }
    Guarded {
        dead,
        copied: prompt.copied(tokens),
        listed,
    }
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
    let stated = words
        .iter()
        .enumerate()
        .any(|(i, t)| joins(t) || i > 0 && matches!(t.gap, Gap::Arrow | Gap::Colon));
    let long = words
        .iter()
        .filter(|t| t.word.len() > 2 && t.word.bytes().any(|b| b.is_ascii_alphabetic()))
        .count();
    let follows_label = tokens[segment.start].gap == Gap::Colon || tokens[segment.start].gap == Gap::Arrow;
    !stated && long <= 4 && !follows_label
}

/// Whether a word ties others into a statement.
fn joins(token: &Token) -> bool {
    let word = token.word.as_str();
    lexicon::is_function(word)
        && !matches!(
            word,
            "per" | "over" | "and" | "or" | "all" | "1" | "all-" | "no" | "first" | "last"
        )
}

/// Six bare items in a row, whatever separates them.
fn mark_lists(tokens: &[Token], dead: &mut [bool]) {
    let segments = segments(tokens);
    let mut i = 0;
    while i < segments.len() {
        let items = segments[i..].iter().take_while(|s| is_item(tokens, s)).count();
        if items >= 6 {
            dead[segments[i].start..segments[i + items - 1].end].fill(true);
        }
        i += items.max(1);
    }
}

/// Many words in a row, none of which ties them together.
fn mark_runs(tokens: &[Token], dead: &mut [bool]) {
    let mut from = 0;
    for i in 0..=tokens.len() {
        let ends = i == tokens.len() || joins(&tokens[i]) || i > 0 && (tokens[i].gap.ends_clause());
        if ends {
            let content = tokens[from..i].iter().filter(|t| t.word.len() > 2).count();
            if content >= 9 {
                dead[from..i].fill(true);
            }
            from = i;
        }
    }
}

/// Whether a long sentence is a list in the main.
fn mostly_listed(tokens: &[Token], sentence: Range<usize>) -> bool {
    let words = &tokens[sentence.clone()];
    let joining = words.iter().filter(|t| joins(t)).count();
    if words.len() >= 20 && joining * 100 < words.len() * 8 {
        return true;
    }
    let segments = segments(words);
    let items = segments.iter().filter(|s| is_item(words, s)).count();
    segments.len() >= 8 && items * 10 >= segments.len() * 7
}

/// Whether words stand in an order that no sentence has.
fn is_salad(tokens: &[Token], range: Range<usize>) -> bool {
    let words = &tokens[range];
    let impossible = (0..words.len()).filter(|&i| is_impossible(words, i)).count();
    impossible >= 2 && impossible * 1000 >= words.len() * 12
}

/// Whether the word at `i` cannot be followed by what follows it.
fn is_impossible(words: &[Token], i: usize) -> bool {
    let word = words[i].word.as_str();
    let Some(next) = words.get(i + 1) else {
        return lexicon::is_article(word) && word != "a";
    };
    if words.get(i + 2).is_some_and(|t| t.gap == Gap::Joined) {
        return false;
    }
    let follower = next.word.as_str();
    if lexicon::is_article(word) && word != "a" {
        let broken = next.gap.ends_clause();
        return broken
            || lexicon::is_article(follower)
            || is_plain_preposition(follower)
            || is_joint(follower)
            || is_be(follower);
    }
    if word == "a" {
        return !next.gap.ends_clause()
            && (matches!(follower, "the" | "an")
                || matches!(follower, "of" | "from" | "with" | "and" | "are" | "they"));
    }
    let inside = !next.gap.ends_clause();
    inside
        && matches!(word, "of" | "for" | "with" | "from" | "into" | "between")
        && (is_joint(follower) || is_be(follower))
        || inside && is_be(word) && (is_be(follower) || matches!(follower, "has" | "have" | "does" | "of"))
}

fn is_be(word: &str) -> bool {
    matches!(word, "is" | "are" | "was" | "were")
}

fn is_joint(word: &str) -> bool {
    matches!(word, "and" | "but" | "or" | "because" | "than" | "if" | "so")
}

fn is_plain_preposition(word: &str) -> bool {
    matches!(
        word,
        "of" | "to" | "for" | "with" | "at" | "by" | "from" | "into" | "as"
    )
}

/// A sentence that only names things: "it is about the X and the Y".
fn empty_frame(tokens: &[Token], sentence: Range<usize>) -> Option<Range<usize>> {
    let word = |i: usize| {
        if i < sentence.end {
            tokens[i].word.as_str()
        } else {
            ""
        }
    };
    let frame = sentence
        .clone()
        .find(|&i| match (word(i), word(i + 1), word(i + 2)) {
            ("is" | "are" | "all" | "also" | "mainly" | "really" | "mostly", "about", _) => {
                word(i + 2) != "the-same"
            }
            (
                "involves" | "involve" | "concerns" | "concern" | "regards" | "encompasses" | "touches",
                _,
                _,
            ) => true,
            ("has" | "have", "to", "do") => true,
            ("revolves" | "revolve", "around", _) => true,
            ("consider" | "mention" | "discuss" | "remember" | "address", "the" | "both" | "things", _) => {
                true
            }
            ("think" | "talk" | "thinking" | "talking" | "care" | "know", "about", _) => true,
            ("relates" | "related" | "relate" | "pertains", "to", _) => true,
            ("play" | "plays", "a", _) => word(i + 2) == "role" || word(i + 3) == "role",
            ("matter" | "matters", _, _) => i + 2 >= sentence.end,
            (
                "important" | "key" | "relevant" | "crucial" | "essential",
                "here" | "" | "topics" | "concepts" | "words" | "terms" | "are" | "things",
                _,
            ) => true,
            ("comes" | "come" | "boils", "down", "to") => true,
            _ => false,
        })?;
    let stated = (sentence.start..sentence.end).any(|i| {
        matches!(
            word(i),
            "because"
                | "which"
                | "while"
                | "so"
                | "when"
                | "if"
                | "since"
                | "whereas"
                | "until"
                | "how"
                | "whether"
                | "that"
                | "whose"
        ) || i > frame && matches!(tokens[i].gap, Gap::Colon | Gap::Arrow | Gap::Semicolon)
    });
    (!stated).then_some(sentence)
}

/// The words of a prompt, in fours.
#[derive(Debug, Clone, Default)]
pub(super) struct Prompt {
    fours: HashSet<String>,
}

impl Prompt {
    /// Reads a prompt.
    pub(super) fn new(tokens: &[Token]) -> Prompt {
        Prompt {
            fours: tokens.windows(4).map(four).collect(),
        }
    }

    /// Which tokens stand as they stand in the prompt.
    fn copied(&self, tokens: &[Token]) -> Vec<bool> {
        let mut copied = vec![false; tokens.len()];
        for (i, window) in tokens.windows(4).enumerate() {
            if self.fours.contains(&four(window)) {
                copied[i..i + 4].fill(true);
            }
        }
        copied
    }
}

fn four(tokens: &[Token]) -> String {
    let mut key = String::new();
    for token in tokens {
        key.push_str(&token.word);
        key.push(' ');
    }
    key
}

#[cfg(test)]
mod tests {
    use super::super::statement::layout;
    use super::super::token::lex;
    use super::*;

    /// The share of tokens that cannot be evidence.
    fn dead(text: &str) -> usize {
        let tokens = lex(text).tokens;
        let g = guard(&tokens, &layout(&tokens), &Prompt::default());
        g.dead.iter().filter(|d| **d).count() * 100 / tokens.len()
    }

    #[test]
    fn lists_of_words_state_nothing() {
        assert_eq!(
            dead("ring, tree, bucket, gradient accumulation, NCCL, overlap, rank 0"),
            100
        );
        assert_eq!(
            dead("ring\ntree\nbucket\ngradient accumulation\nNCCL\noverlap"),
            100
        );
        assert_eq!(
            dead("ring tree bucket gradient accumulation overlap bandwidth latency replica optimizer state"),
            100
        );
    }

    #[test]
    fn notes_state_something() {
        assert_eq!(
            dead("- N full copies, diff data -> diff grads; w/o sync they drift"),
            0
        );
        assert_eq!(dead("Z1: shard opt (12/N). Z2: + grads. Z3: + params -> 16/N"), 0);
        assert_eq!(
            dead("I would check clocks, ECC errors, PCIe width and the data loader"),
            0
        );
    }

    #[test]
    fn shuffled_words_state_nothing() {
        assert_eq!(
            dead("the of rank keeps and a the gradients same each is are for and bucket the"),
            100
        );
    }

    #[test]
    fn woven_words_state_nothing() {
        assert_eq!(dead("It is about the gradients and the buckets."), 100);
        assert_eq!(dead("It is about time, because the buckets fill late."), 0);
    }
}
