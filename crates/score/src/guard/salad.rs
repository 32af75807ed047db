//! Words in an order that no sentence has.

use std::ops::Range;

use crate::lexicon;
use crate::token::{Gap, Token};

/// Whether words stand in an order that no sentence has.
pub(super) fn is_salad(tokens: &[Token], range: Range<usize>) -> bool {
    let words = &tokens[range];
    let impossible = (0..words.len()).filter(|&i| is_impossible(words, i)).count();
    impossible >= 2 && impossible * 100 >= words.len()
}

/// Whether the word at `i` cannot be followed by what follows it.
fn is_impossible(words: &[Token], i: usize) -> bool {
    let word = words[i].word.as_str();
    let definite = matches!(word, "the" | "an" | "their" | "our" | "my");
    let Some(next) = words.get(i + 1) else {
        return definite;
    };
    if next.gap == Gap::Joined || words.get(i + 2).is_some_and(|t| t.gap == Gap::Joined) {
        return false;
    }
    let follower = next.word.as_str();
    // who speaks begins a word twice, or hesitates after it
    if follower == word || next.gap == Gap::Comma && lexicon::is_hesitation(follower) {
        return false;
    }
    if next.gap.ends_clause() {
        let open = matches!(
            word,
            "of" | "and" | "or" | "than" | "between" | "from" | "into" | "because" | "if" | "per"
        );
        return definite || open && next.gap.ends_sentence();
    }
    if definite {
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
    // "with and without overlap", "to and from each rank"
    let is_paired = matches!(follower, "and" | "or")
        && words.get(i + 2).is_some_and(|t| is_plain_preposition(&t.word) || t.word == "without");
    match word {
        // "a and b" are quantities
        "a" => matches!(follower, "the" | "an" | "of" | "from" | "are" | "they" | "it"),
        "of" | "for" | "with" | "from" | "into" | "between" => {
            is_joint(follower) && !is_paired || is_be(follower)
        }
        "is" | "are" | "was" | "were" => {
            is_be(follower) || matches!(follower, "has" | "have" | "does" | "of")
        }
        "and" | "or" | "but" => matches!(follower, "and" | "or" | "of"),
        "to" => matches!(follower, "of" | "is" | "are") || follower == "and" && !is_paired,
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
