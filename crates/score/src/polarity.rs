//! What a text denies, reports, asks or supposes.

mod reader;

use std::ops::Range;

use super::statement::Layout;
use super::token::Lexed;
use super::vocabulary::Hit;

use reader::Reader;

/// Words that deny, and what they deny.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Denial {
    by: Range<usize>,
    over: Range<usize>,
}

/// How each token of a text is meant.
#[derive(Debug, Clone, Default)]
pub(super) struct Polarity {
    denials: Vec<Denial>,
    /// The denials over each token, as a range of `order`.
    over: Vec<Vec<u32>>,
    /// Words that deny outright, such as *not*: contrasts and lacks are no such words.
    outright: Vec<usize>,
    /// Tokens of what others are said to believe.
    neutral: Vec<bool>,
    /// Tokens of questions.
    asked: Vec<bool>,
    /// Tokens of what is denied only up to a point: "no card can begin until …".
    postponed: Vec<bool>,
    /// Tokens of an if-clause, or of what somebody wants to find out: "check whether …".
    supposed: Vec<bool>,
    /// The *if* of each step that is taken: "if I switch to …" says what then happens.
    steps: Vec<usize>,
    /// Tokens of what would or could be.
    possible: Vec<bool>,
    /// Tokens of a guess: "more experts could help".
    hedged: Vec<bool>,
    /// For what stands before a denied verb in its clause, the place of that verb; else 0.
    subject_of: Vec<u32>,
}

impl Polarity {
    /// Whether the words are denied. A denial inside the words themselves, or inside other
    /// words that fill the same pattern, is part of those.
    pub(super) fn denies(&self, words: &Range<usize>, taken: &[Hit]) -> bool {
        let outside = |d: &&u32| {
            let by = &self.denials[**d as usize].by;
            let within = |start: usize, end: usize| start <= by.start && by.end <= end;
            !within(words.start, words.end) && !taken.iter().any(|t| within(t.start, t.end))
        };
        self.over[words.start].iter().filter(outside).count() % 2 == 1
    }

    /// Whether what denies these words has these others in it.
    pub(super) fn is_denied_by(&self, words: &Range<usize>, by: &Range<usize>) -> bool {
        let denials = self.over[words.start].iter().map(|d| &self.denials[*d as usize].by);
        denials.into_iter().any(|d| d.start <= by.start && by.end <= d.end)
    }

    /// Whether any word that denies reaches this token.
    pub(super) fn is_under_denial(&self, token: usize) -> bool {
        !self.over[token].is_empty()
    }

    /// Whether a token belongs to a question or a reported belief.
    pub(super) fn is_neutral(&self, token: usize) -> bool {
        self.neutral[token] || self.asked[token]
    }

    /// Whether a token belongs to a reported belief; a question may count as said.
    pub(super) fn is_reported(&self, token: usize) -> bool {
        self.neutral[token]
    }

    /// Whether a token is denied only up to a point, and so may be read either way.
    pub(super) fn is_postponed(&self, token: usize) -> bool {
        self.postponed[token]
    }

    /// Whether the words only name what a denied verb is said of: "capacity limits never drop tokens"
    /// says nothing of limits.
    pub(super) fn only_names_subject(&self, words: &[Hit]) -> bool {
        let of = |h: &Hit| self.subject_of[h.start];
        words.first().is_some_and(|first| of(first) > 0 && words.iter().all(|w| of(w) == of(first)))
    }

    /// Whether a word that denies outright reaches this token: "little", "avoid" and "without" do not make a
    /// statement the opposite of what it says.
    pub(super) fn denies_outright(&self, token: usize) -> bool {
        let outright = |by: &Range<usize>| by.clone().any(|t| self.outright.binary_search(&t).is_ok());
        self.over[token].iter().any(|&d| outright(&self.denials[d as usize].by))
    }

    /// The share of the sentences that deny something.
    pub(super) fn share_of_denials(&self, layout: &Layout, dead: &[bool]) -> f64 {
        // what is said again is dead
        let long = layout.sentences.iter().filter(|s| s.len() >= 4 && !dead[s.start]);
        let mut denies = vec![false; layout.sentences.len()];
        for &token in &self.outright {
            denies[layout.sentence[token]] = true;
        }
        let (mut all, mut denying) = (0_u32, 0_u32);
        for sentence in long {
            all += 1;
            denying += u32::from(denies[layout.sentence[sentence.start]]);
        }
        if all < FEW_SENTENCES { 0.0 } else { f64::from(denying) / f64::from(all) }
    }

    /// Whether a token is part of a guess, which claims nothing.
    pub(super) fn is_hedged(&self, token: usize) -> bool {
        self.hedged[token]
    }

    /// Whether a token is told as what would or could be, or as an aim: "would detect", "needed to detect".
    pub(super) fn is_possible(&self, token: usize) -> bool {
        self.possible[token]
    }

    /// Whether a token is the *if* of a step that is taken, and so makes no exception: what follows from it is claimed.
    pub(super) fn is_step(&self, token: usize) -> bool {
        self.steps.binary_search(&token).is_ok()
    }

    /// Whether a token belongs to an if-clause or to what is to be found out.
    pub(super) fn is_supposed(&self, token: usize) -> bool {
        self.supposed[token]
    }
}

/// Finds what is denied, reported, asked and supposed.
pub(super) fn polarity(lexed: &Lexed, layout: &Layout) -> Polarity {
    let tokens = &lexed.tokens;
    let n = tokens.len();
    let mut polarity = Polarity {
        denials: Vec::new(),
        outright: Vec::new(),
        over: vec![Vec::new(); n],
        neutral: vec![false; n],
        asked: vec![false; n],
        postponed: vec![false; n],
        supposed: vec![false; n],
        possible: vec![false; n],
        hedged: vec![false; n],
        steps: Vec::new(),
        subject_of: vec![0; n],
    };
    let reader = Reader { tokens, layout };
    for i in 0..n {
        if let Some(denial) = reader.denial(i) {
            let id = polarity.denials.len() as u32;
            for t in denial.over.clone() {
                polarity.over[t].push(id);
            }
            if matches!(reader.word(denial.over.end), "until" | "before" | "unless") {
                polarity.postponed[denial.over.clone()].fill(true);
            }
            let outright = matches!(reader.word(i), "not" | "never" | "no" | "nothing" | "nobody" | "none");
            polarity.outright.extend(outright.then_some(i));
            polarity.denials.push(denial);
            polarity.subject_of[reader.subject_of_denied(i)].fill(i as u32);
        }
        if reader.is_step(i) {
            polarity.steps.push(i);
        }
        if let Some(range) = reader.reported(i).or_else(|| reader.contrasted(i)) {
            polarity.neutral[range].fill(true);
        }
        if matches!(reader.word(i), "would" | "could" | "might" | "may" | "to") {
            let end = reader.clause_end(i + 1, POSSIBLE_REACH);
            polarity.possible[i..end].fill(true);
        }
        if matches!(reader.word(i), "could" | "might" | "may" | "maybe" | "perhaps" | "possibly") {
            let end = reader.clause_end(i + 1, POSSIBLE_REACH);
            polarity.hedged[i..end].fill(true);
        }
        let supposes = matches!(reader.word(i), "if" | "suppose" | "imagine" | "otherwise" | "had" | "were")
            && reader.opens_clause(i)
            && !reader.is_step(i);
        if supposes || reader.word(i) == "whether" {
            let end = reader.clause_end(i + 1, n);
            polarity.supposed[i..end].fill(true);
        }
    }
    for &last in &lexed.questions {
        let sentence = layout.sentences[layout.sentence[last]].clone();
        if reader.is_question(sentence.clone()) {
            polarity.asked[sentence].fill(true);
        }
    }
    for s in 1..layout.sentences.len() {
        if reader.calls_false(layout.sentences[s].clone()) {
            polarity.neutral[layout.sentences[s - 1].clone()].fill(true);
        }
    }
    polarity
}

/// In fewer sentences than this the share of denials tells nothing.
const FEW_SENTENCES: u32 = 5;

/// Words after *would* or *to* that belong to it.
const POSSIBLE_REACH: usize = 4;

#[cfg(test)]
mod tests {
    use super::super::statement::layout;
    use super::super::token::Token;
    use super::super::token::lex;
    use super::*;

    /// Words in capitals where they are denied, in brackets where they are neutral.
    fn shown(text: &str) -> String {
        let lexed = lex(text);
        let layout = layout(&lexed.tokens);
        let p = polarity(&lexed, &layout);
        let show = |(i, t): (usize, &Token)| {
            let word = if p.denies(&(i..i + 1), &[]) { t.word.to_uppercase() } else { t.word.clone() };
            if p.is_neutral(i) { format!("[{word}]") } else { word }
        };
        lexed.tokens.iter().enumerate().map(show).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_not_reaches_to_the_end_of_its_clause() {
        assert_eq!(shown("DDP does not shard weights, it copies"), "ddp does not SHARD WEIGHTS it copies");
        assert_eq!(shown("gradients, not weights, are sent"), "gradients not WEIGHTS are sent");
        assert_eq!(
            shown("gradients instead of weights because so"),
            "gradients instead of WEIGHTS because so"
        );
        assert_eq!(shown("not because of volume but timing"), "not BECAUSE OF VOLUME but timing");
        assert_eq!(
            shown("it is not true that DDP shards the weights of a model"),
            "it is not true THAT DDP SHARDS THE WEIGHTS OF A MODEL"
        );
    }

    #[test]
    fn not_only_denies_nothing() {
        assert_eq!(shown("not only weights are sharded"), "not only weights are sharded");
        assert_eq!(shown("use no_sync here"), "use no sync here");
        assert_eq!(shown("do not forget that weights move"), "do not forget that weights move");
    }

    #[test]
    fn two_denials_are_none() {
        assert_eq!(shown("never without overlap"), "never WITHOUT overlap");
    }

    #[test]
    fn neither_and_nor_deny_each_their_own() {
        assert_eq!(shown("Neither queries nor scores travel"), "neither QUERIES nor SCORES TRAVEL");
        assert_eq!(shown("it sends neither weights nor scores."), "it sends neither WEIGHTS nor SCORES");
    }

    #[test]
    fn beliefs_of_others_and_questions_state_nothing() {
        assert_eq!(
            shown("many people think it shrinks but it stays"),
            "[many] [people] [think] [it] [shrinks] but it stays"
        );
        assert_eq!(shown("Why does it shrink? It stays."), "[why] [does] [it] [shrink] it stays");
        assert_eq!(shown("It shrinks. That is wrong."), "[it] [shrinks] that is wrong");
    }

    #[test]
    fn without_stops_at_the_subject_that_follows() {
        assert_eq!(shown("w/o sync they drift"), "without SYNC they drift");
    }
}
