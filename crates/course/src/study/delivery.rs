//! What can be counted in how an answer is said.

use serde::{Deserialize, Serialize};
use unicode_segmentation::UnicodeSegmentation;

use crate::score::Score;

/// Words that take a statement back. Phrases are matched whole, letter case aside.
const HEDGES: &[&str] = &[
    "i think",
    "i guess",
    "i believe",
    "i suppose",
    "i'm not sure",
    "i am not sure",
    "not sure",
    "maybe",
    "perhaps",
    "probably",
    "possibly",
    "kind of",
    "sort of",
    "somewhat",
    "more or less",
    "basically",
    "something like that",
    "or something",
    "stuff",
];

/// An answer is said first when its first mark is earned within this many words.
pub(crate) const ANSWER_FIRST: usize = 25;

/// How an answer is said, in counts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delivery {
    /// Words of the answer.
    pub words: usize,
    /// Hedging phrases found, each as often as it stands there.
    pub hedges: Vec<String>,
    /// Words before the first that earned a mark; none where nothing did.
    pub before_first_mark: Option<usize>,
    /// Numbers given, names such as ZeRO-3 or H100 aside.
    pub numbers: usize,
}

impl Delivery {
    /// Counts in an answer and its marks.
    pub fn of(answer: &str, score: &Score) -> Self {
        let evidence = score.parts.iter().flat_map(|p| &p.points).flat_map(|p| &p.evidence);
        let first = evidence.map(|e| e.start).min().and_then(|start| answer.get(..start));
        Delivery {
            words: score.words,
            hedges: hedges(answer),
            before_first_mark: first.map(|before| before.unicode_words().count()),
            numbers: numbers(answer),
        }
    }

    /// Whether a mark was earned within the first [`ANSWER_FIRST`] words.
    pub(crate) fn is_answer_first(&self) -> bool {
        self.before_first_mark.is_some_and(|words| words < ANSWER_FIRST)
    }
}

fn hedges(answer: &str) -> Vec<String> {
    let lower = answer.to_lowercase().replace('’', "'");
    let words: Vec<&str> = lower.unicode_words().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let starts = |hedge: &&&str| {
            let mut rest = words[at..].iter();
            hedge.split(' ').all(|word| rest.next() == Some(&word))
        };
        match HEDGES.iter().filter(starts).max_by_key(|h| h.len()) {
            Some(hedge) => {
                found.push((*hedge).to_owned());
                at += hedge.split(' ').count();
            }
            None => at += 1,
        }
    }
    found
}

/// Numbers that stand for themselves: a digit first, not glued to letters or a hyphen before it.
fn numbers(answer: &str) -> usize {
    let mut before = ' ';
    let mut count = 0;
    let mut chars = answer.chars().peekable();
    while let Some(c) = chars.next() {
        if c.is_ascii_digit() && !before.is_alphanumeric() && !matches!(before, '-' | '.' | ',' | '_') {
            let mut tail = c;
            while let Some(next) = chars.next_if(|n| n.is_ascii_digit() || matches!(n, '.' | ',')) {
                tail = next;
            }
            let name = chars.peek().is_some_and(|n| matches!(n, 'F' | 'D' | 'd') || *n == '_');
            count += usize::from(!name);
            before = tail;
        } else {
            before = c;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hedges_are_counted_whole_and_once() {
        let text = "I think it’s, I’m not sure, maybe the all-reduce. Maybe not. Sort of. Stuffed, mayberry.";
        assert_eq!(hedges(text), ["i think", "i'm not sure", "maybe", "maybe", "sort of"]);
        assert!(hedges("It overlaps with backward.").is_empty());
    }

    #[test]
    fn numbers_are_counted_and_names_are_not() {
        for (text, expected) in [
            ("8 GPUs move 3.5 GB, 1,374 tokens in 12ms", 4),
            ("ZeRO-3 on an H100 with fp16 and 1F1B over a 3D mesh", 0),
            ("2(N-1)/N of 7B parameters, 27%", 3),
            ("", 0),
        ] {
            assert_eq!(numbers(text), expected, "{text}");
        }
    }
}
