//! Sentences, clauses, and what each clause is about.

use std::ops::Range;

use super::lexicon;
use super::token::{Gap, Token};
use super::vocabulary::Hit;

/// How a text is cut.
#[derive(Debug, Clone, Default)]
pub(super) struct Layout {
    /// The sentence of each token.
    pub sentence: Vec<usize>,
    /// The tokens of each sentence.
    pub sentences: Vec<Range<usize>>,
    /// The clause of each token, counted through the whole text.
    pub clause: Vec<usize>,
    /// The thought of each token: a clause with the short pieces that commas part from it.
    pub thought: Vec<usize>,
    /// Whether each sentence goes on with the one before: it begins with *it*, *this*, *so*.
    pub goes_on: Vec<bool>,
}

/// Cuts tokens into sentences and clauses.
pub(super) fn layout(tokens: &[Token]) -> Layout {
    let mut layout = Layout::default();
    let mut clause = 0;
    for (i, token) in tokens.iter().enumerate() {
        if i == 0 || token.gap.ends_sentence() {
            layout.sentences.push(i..i);
        }
        if i > 0 && (token.gap.ends_clause() || parts_clauses(&token.word)) {
            clause += 1;
        }
        let sentence = layout.sentences.len() - 1;
        layout.sentences[sentence].end = i + 1;
        layout.sentence.push(sentence);
        layout.clause.push(clause);
    }
    layout.thought = thoughts(tokens, &layout);
    layout.goes_on = layout.sentences.iter().map(|s| goes_on(&tokens[s.start])).collect();
    layout
}

/// A piece of so few words between commas belongs to the clause beside it.
const SHORT_PIECE: usize = 4;

/// Numbers the thoughts: clauses, where a comma beside a short piece parts nothing.
fn thoughts(tokens: &[Token], layout: &Layout) -> Vec<usize> {
    let mut thought = vec![0; tokens.len()];
    let mut number = 0;
    for sentence in &layout.sentences {
        number += 1;
        // where pieces begin, and how long they are
        let begins: Vec<usize> =
            sentence.clone().filter(|&i| i == sentence.start || tokens[i].gap.ends_clause()).collect();
        let length = |n: usize| begins.get(n + 1).copied().unwrap_or(sentence.end) - begins[n];
        let mut piece = 0;
        for i in sentence.clone() {
            if piece + 1 < begins.len() && begins[piece + 1] == i {
                piece += 1;
                let long = length(piece - 1) > SHORT_PIECE && length(piece) > SHORT_PIECE;
                // what stands before a colon in few words is what the rest is about: "1F1B: keeps p"
                let label = tokens[i].gap == Gap::Colon && piece == 1 && length(0) <= SHORT_PIECE;
                let parts = tokens[i].gap > Gap::Comma && tokens[i].gap != Gap::Arrow && !label;
                number += usize::from(long && !label || parts);
            } else if i > sentence.start && turns(tokens, i) {
                number += 1;
            }
            thought[i] = number;
        }
    }
    thought
}

/// Whether a sentence that begins with this word goes on with the one before.
fn goes_on(first: &Token) -> bool {
    first.gap < Gap::Paragraph
        && matches!(
            first.word.as_str(),
            "it" | "its"
                | "this"
                | "that"
                | "these"
                | "those"
                | "they"
                | "their"
                | "so"
                | "then"
                | "which"
                | "hence"
                | "thus"
                | "therefore"
                | "otherwise"
                | "instead"
                | "because"
                | "there"
                | "both"
                | "neither"
                | "each"
                | "meanwhile"
                | "afterwards"
                | "but"
                | "and"
                | "or"
        )
}

/// Words at which another subject may begin.
fn parts_clauses(word: &str) -> bool {
    matches!(
        word,
        "while" | "whereas" | "but" | "although" | "though" | "because" | "so" | "however" | "instead"
    )
}

/// Whether a thought ends before the word at `i`: not before "but not", "instead of", "because of", "so that".
fn turns(tokens: &[Token], i: usize) -> bool {
    let next = tokens.get(i + 1).map_or("", |t| t.word.as_str());
    let goes_on = match tokens[i].word.as_str() {
        "but" => matches!(next, "not" | "also" | "only" | "no" | "never"),
        "instead" | "because" => next == "of",
        "so" => matches!(next, "that" | "many" | "much" | "small" | "large" | "few" | "far"),
        _ => false,
    };
    parts_clauses(&tokens[i].word) && !goes_on
}

/// Which of the rivals a clause speaks of, one bit each.
pub(super) type Subjects = u32;

/// A rival named in the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mention {
    /// Its bit.
    pub rival: Subjects,
    /// The words.
    pub hit: Hit,
}

/// What each token is said of. `start` is what the text is about before it names anything.
pub(super) fn subjects(
    tokens: &[Token],
    layout: &Layout,
    mentions: &[Mention],
    start: Subjects,
) -> Vec<Subjects> {
    let mut of = vec![start; tokens.len()];
    let mut carried = start;
    let mut next = 0;
    let mut i = 0;
    while i < tokens.len() {
        let end = clause_end(tokens, layout, mentions, i);
        while next < mentions.len() && mentions[next].hit.start < i {
            next += 1;
        }
        let here = mentions[next..].iter().take_while(|m| m.hit.start < end);
        let own: Vec<&Mention> = here.filter(|m| !is_reference(tokens, m.hit.start)).collect();
        if let Some(all) = plural(tokens, i..end) {
            of[i..end].fill(all);
        } else {
            govern(&mut of, i..end, &own, carried);
        }
        if let Some(last) = own.last() {
            carried = last.rival;
        }
        i = end;
    }
    of
}

/// Which rivals each sentence names; one that begins with *it* or *this* means those of the
/// sentence before. `start` is what the text is about from the first.
pub(super) fn named(
    tokens: &[Token],
    layout: &Layout,
    mentions: &[Mention],
    start: Subjects,
) -> Vec<Subjects> {
    let mut named = vec![start; layout.sentences.len()];
    for mention in mentions {
        named[layout.sentence[mention.hit.start]] |= mention.rival;
    }
    for s in 1..named.len() {
        let first = &tokens[layout.sentences[s].start].word;
        if matches!(first.as_str(), "it" | "this" | "that" | "they" | "its") {
            named[s] |= named[s - 1];
        }
    }
    named
}

/// Gives each token of a clause its subject: the only one named, else the nearest before it,
/// else the one carried on.
fn govern(of: &mut [Subjects], clause: Range<usize>, own: &[&Mention], carried: Subjects) {
    let mut current = match own {
        [] => carried,
        [first, ..] => first.rival,
    };
    let mut next = 0;
    for (i, slot) in clause.clone().zip(&mut of[clause]) {
        let before = next;
        while next < own.len() && own[next].hit.start <= i {
            // Two names of one place ("ZeRO-1 and 2") are spoken of together.
            current = if next > before { current | own[next].rival } else { own[next].rival };
            next += 1;
        }
        *slot = current;
    }
}

/// Where the clause that begins at `i` ends; *and* parts clauses that both name a rival.
fn clause_end(tokens: &[Token], layout: &Layout, mentions: &[Mention], i: usize) -> usize {
    let same = (i..tokens.len()).take_while(|&j| layout.clause[j] == layout.clause[i]);
    let end = same.last().map_or(i + 1, |j| j + 1);
    let names = |range: Range<usize>| {
        let next = mentions.partition_point(|m| m.hit.start < range.start);
        mentions.get(next).is_some_and(|m| m.hit.start < range.end)
    };
    let joint = |j: usize| matches!(tokens[j].word.as_str(), "and" | "or");
    (i + 3..end.saturating_sub(2)).find(|&j| joint(j) && names(i..j) && names(j..end)).unwrap_or(end)
}

/// Whether a clause speaks of all rivals at once.
fn plural(tokens: &[Token], clause: Range<usize>) -> Option<Subjects> {
    let word = |i: usize| tokens[i].word.as_str();
    let closes = |i: usize| {
        i + 1 >= clause.end
            || lexicon::is_auxiliary(word(i + 1))
            || matches!(word(i + 1), "schedules" | "stages" | "cases" | "of" | "keep" | "need" | "send")
    };
    clause
        .clone()
        .any(|i| match word(i) {
            "both" | "either" | "neither" => closes(i),
            "2" => i > clause.start && word(i - 1) == "the" && closes(i),
            _ => false,
        })
        .then_some(Subjects::MAX)
}

/// Whether a name is only compared with: "than GPipe", "unlike GPipe".
fn is_reference(tokens: &[Token], at: usize) -> bool {
    let word = |back: usize| at.checked_sub(back).map_or("", |i| tokens[i].word.as_str());
    let broken = tokens[at].gap >= Gap::Comma;
    if broken {
        return false;
    }
    matches!(word(1), "than" | "versus" | "vs" | "unlike")
        || matches!(word(1), "to" | "with")
            && matches!(word(2), "compared" | "relative" | "contrast" | "similar" | "identical" | "equal")
        || matches!(word(1), "as" | "like") && !matches!(word(2), "such")
        || matches!(word(1), "in" | "for" | "with") && matches!(word(2), "than" | "as" | "unlike")
}

#[cfg(test)]
mod tests {
    use super::super::token::lex;
    use super::*;

    /// Each word with the rivals (a, b) that it is said of.
    fn said_of(text: &str) -> String {
        let tokens = lex(text).tokens;
        let layout = layout(&tokens);
        let mentions: Vec<Mention> = tokens
            .iter()
            .enumerate()
            .filter_map(|(i, t)| {
                let rival = match t.word.as_str() {
                    "alpha" => 1,
                    "beta" => 2,
                    _ => return None,
                };
                Some(Mention { rival, hit: Hit { start: i, end: i + 1, opposite: false, marked: false } })
            })
            .collect();
        let of = subjects(&tokens, &layout, &mentions, 0);
        let letter = |s: Subjects| match s {
            0 => '-',
            1 => 'a',
            2 => 'b',
            _ => '*',
        };
        of.into_iter().map(letter).collect()
    }

    #[test]
    fn a_clause_speaks_of_what_it_names() {
        assert_eq!(said_of("alpha keeps m, beta keeps p"), "aaabbb");
        assert_eq!(said_of("m pieces live in alpha while beta has p"), "aaaaabbbb");
        assert_eq!(said_of("alpha keeps m and beta keeps p"), "aaabbbb");
    }

    #[test]
    fn it_carries_on() {
        assert_eq!(said_of("alpha is old. It keeps m. Then beta came. It keeps p"), "aaaaaabbbbbb");
    }

    #[test]
    fn a_comparison_is_no_subject() {
        assert_eq!(said_of("beta keeps less than alpha does"), "bbbbbb");
        assert_eq!(said_of("beta is new. Compared with alpha it keeps less"), "bbbbbbbbb");
    }

    #[test]
    fn both_are_all() {
        assert_eq!(said_of("alpha is old, the bubble is alike for both"), "aaa******");
    }
}
