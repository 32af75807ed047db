//! Sentences that name things and say nothing of them.

use std::ops::Range;

use crate::lexicon;
use crate::statement::Layout;
use crate::token::{Gap, Token};

/// Sentences that only name things, of which an answer may have some.
const FEW_HOLLOW: usize = 3;

/// Whether at least two thirds of the sentences only name things and tie them by verbs that say nothing. One such
/// sentence may be meant; a text of them is a list of keywords.
pub(super) fn is_woven(tokens: &[Token], layout: &Layout, dead: &[bool]) -> bool {
    // what is said again is dead
    let long: Vec<_> = layout.sentences.iter().filter(|s| s.len() >= 5 && !dead[s.start]).collect();
    let hollow = long.iter().filter(|s| is_hollow(&tokens[(**s).clone()])).count();
    hollow >= FEW_HOLLOW && hollow * 3 >= long.len() * 2
}

/// Whether every word of a sentence that tells something stands in the place of a name ("the X and the Y"), and
/// the verbs say nothing.
fn is_hollow(words: &[Token]) -> bool {
    // among names alone, to look at them tells nothing either
    let is_empty = |w: &str| lexicon::says_nothing(w) || matches!(w, "measure" | "compare" | "check" | "get");
    let tells = |t: &Token| !lexicon::is_function(&t.word) && !is_empty(&t.word);
    let names = |t: &Token| {
        let word = t.word.as_str();
        lexicon::is_article(word)
            || lexicon::is_preposition(word)
            || matches!(word, "and" | "or" | "every" | "each" | "get")
    };
    // a name may have two words
    let named = |i: usize| {
        let before = |k: usize| i.checked_sub(k).map(|j| &words[j]);
        words[i].gap == Gap::Joined
            || before(1).is_none_or(names)
            || before(1).is_some_and(tells) && before(2).is_none_or(names)
    };
    let telling: Vec<usize> = (0..words.len()).filter(|&i| tells(&words[i])).collect();
    telling.len() >= 3 && words.iter().any(|t| is_empty(&t.word)) && telling.into_iter().all(named)
}

/// Words after which a sentence says something of what it names.
const STATING: [&str; 13] = [
    "because", "which", "while", "so", "when", "if", "since", "whereas", "until", "how", "whether", "that",
    "whose",
];

/// A sentence that only names things: "it is about the X and the Y".
pub(super) fn empty_frame(tokens: &[Token], sentence: Range<usize>) -> Option<Range<usize>> {
    let word = |i: usize| {
        if i < sentence.end { tokens[i].word.as_str() } else { "" }
    };
    // "about as large as" tells how large; a topic begins with no "as"
    let is_comparison = |i: usize| word(i) == "as" && (i + 2..=i + 4).any(|j| word(j) == "as");
    let frame = sentence.clone().find(|&i| match (word(i), word(i + 1), word(i + 2)) {
        ("is" | "are" | "all" | "also" | "mainly" | "really" | "mostly", "about", _) => {
            word(i + 2) != "the-same" && !is_comparison(i + 2)
        }
        ("involves" | "involve" | "concerns" | "concern" | "regards" | "encompasses", _, _) => true,
        ("has" | "have", "to", "do") => word(i + 3) == "with",
        ("revolves" | "revolve", "around", _) => true,
        ("consider" | "mention" | "discuss" | "remember" | "address", "the" | "both" | "things", _) => true,
        ("think" | "talk" | "thinking" | "talking" | "care" | "know", "about", _) => true,
        ("relates" | "related" | "relate" | "pertains", "to", _) => true,
        ("play" | "plays", "a", _) => word(i + 2) == "role" || word(i + 3) == "role",
        ("matter" | "matters", _, _) => {
            let told =
                |j: usize| matches!(word(j), "not" | "hardly" | "less" | "more") || is_amount(&tokens[j]);
            i + 2 >= sentence.end && !sentence.clone().any(told)
        }
        (
            "important" | "key" | "relevant" | "crucial" | "essential",
            "here" | "" | "topics" | "concepts" | "words" | "terms" | "are" | "things",
            _,
        ) => true,
        ("comes" | "come" | "boils", "down", "to") => true,
        _ => false,
    })?;
    let stated = (sentence.start..sentence.end).any(|i| {
        STATING.contains(&word(i))
            || i > frame
                && (matches!(tokens[i].gap, Gap::Colon | Gap::Arrow | Gap::Semicolon)
                    || is_amount(&tokens[i]))
    });
    (!stated).then_some(sentence)
}

/// Words of an amount.
const AMOUNTS: [&str; 17] = [
    "the-same", "same", "half", "twice", "double", "third", "quarter", "times", "time", "ten", "hundred",
    "thousand", "size", "equal", "root", "n", "percent",
];

/// Whether a word gives an amount: after "is about" it makes an estimate, and no list of topics.
fn is_amount(token: &Token) -> bool {
    let word = token.word.as_str();
    word.bytes().any(|b| b.is_ascii_digit()) || AMOUNTS.contains(&word)
}
