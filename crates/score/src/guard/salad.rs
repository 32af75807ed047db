//! Words in an order that no sentence has.

use std::ops::Range;

use crate::lexicon;
use crate::token::{Gap, Token};

/// How odd it is that a word is followed by the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Odd {
    /// Who speaks may say it now and then: "the the", "and is", "with and without".
    Seldom,
    /// No sentence has it.
    Never,
}

/// So many pairs of words that are seldom said are too many, where nothing impossible stands beside them.
const MANY_SELDOM: usize = 5;

/// Whether words stand in an order that no sentence has.
pub(super) fn is_salad(tokens: &[Token], range: Range<usize>) -> bool {
    let words = &tokens[range];
    let odd = || (0..words.len()).filter_map(|i| oddity(words, i));
    let all = odd().count();
    let least = if odd().any(|odd| odd == Odd::Never) { 2 } else { MANY_SELDOM };
    all >= least && all * 100 >= words.len()
}

/// How odd it is that the word at `i` is followed by what follows it; none where it is not.
fn oddity(words: &[Token], i: usize) -> Option<Odd> {
    let word = words[i].word.as_str();
    let definite = matches!(word, "the" | "an" | "their" | "our" | "my");
    let never = |holds: bool| holds.then_some(Odd::Never);
    let Some(next) = words.get(i + 1) else {
        return never(definite);
    };
    if next.gap == Gap::Joined || words.get(i + 2).is_some_and(|t| t.gap == Gap::Joined) {
        return None;
    }
    let follower = next.word.as_str();
    // who speaks begins a word twice, or hesitates after it
    if next.gap == Gap::Comma && (follower == word || lexicon::is_hesitation(follower)) {
        return None;
    }
    if next.gap.ends_clause() {
        let is_adverb = word == "between" && i > 0 && words[i - 1].word == "in";
        let open = !is_adverb
            && matches!(
                word,
                "of" | "and" | "or" | "than" | "between" | "from" | "into" | "because" | "if" | "per"
            );
        return never(definite || open && next.gap.ends_sentence());
    }
    // "to and from each rank"; "a and b" are quantities
    let is_joined = matches!(follower, "and" | "or");
    let is_paired =
        is_joined && words.get(i + 2).is_some_and(|t| is_plain_preposition(&t.word) || t.word == "without");
    let is_said = follower == word
        || matches!(word, "and" | "or" | "but") && is_be(follower)
        || is_paired
        || word == "a" && is_joined;
    if !is_odd(word, follower) {
        return None;
    }
    Some(if is_said { Odd::Seldom } else { Odd::Never })
}

/// Whether a word is hardly ever followed by another.
fn is_odd(word: &str, follower: &str) -> bool {
    if matches!(word, "the" | "an" | "their" | "our" | "my") {
        return is_helper(follower)
            || is_plain_preposition(follower)
            || is_joint(follower)
            || matches!(
                follower,
                "the"
                    | "a"
                    | "an"
                    | "it"
                    | "they"
                    | "we"
                    | "on"
                    | "does"
                    | "after"
                    | "when"
                    | "then"
                    | "every"
                    | "which"
                    | "about"
                    | "this"
                    | "these"
                    | "takes"
                    | "comes"
            );
    }
    match word {
        "a" => matches!(follower, "the" | "an" | "a" | "of" | "from" | "and" | "are" | "they" | "it"),
        "of" | "for" | "with" | "from" | "into" | "between" => is_joint(follower) || is_be(follower),
        "is" | "are" | "was" | "were" => {
            is_be(follower) || matches!(follower, "has" | "have" | "does" | "of")
        }
        "and" | "or" | "but" => matches!(follower, "and" | "or" | "is" | "are" | "of"),
        "to" => matches!(follower, "to" | "of" | "is" | "are" | "and"),
        _ => false,
    }
}

/// Verbs that cannot follow an article.
fn is_helper(word: &str) -> bool {
    is_be(word) || matches!(word, "has" | "have" | "be" | "must" | "should" | "would" | "cannot")
}

fn is_be(word: &str) -> bool {
    matches!(word, "is" | "are" | "was" | "were")
}

fn is_joint(word: &str) -> bool {
    matches!(word, "and" | "but" | "or" | "because" | "than" | "if" | "so")
}

fn is_plain_preposition(word: &str) -> bool {
    matches!(word, "of" | "to" | "for" | "with" | "at" | "by" | "from" | "into" | "as")
}
