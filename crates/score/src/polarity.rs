//! What a text denies, reports, asks or supposes.

use std::ops::Range;

use super::lexicon;
use super::statement::Layout;
use super::token::{Gap, Lexed, Token};
use super::vocabulary::Hit;

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
    /// Tokens of an if-clause.
    supposed: Vec<bool>,
    /// Tokens of what would or could be.
    possible: Vec<bool>,
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

    /// Whether a token is told as what would or could be, or as an aim: "would detect", "needed to detect".
    pub(super) fn is_possible(&self, token: usize) -> bool {
        self.possible[token]
    }

    /// Whether a token belongs to an if-clause.
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
        if let Some(range) = reader.reported(i).or_else(|| reader.contrasted(i)) {
            polarity.neutral[range].fill(true);
        }
        if matches!(reader.word(i), "would" | "could" | "might" | "may" | "to") {
            let end = reader.clause_end(i + 1, POSSIBLE_REACH);
            polarity.possible[i..end].fill(true);
        }
        if matches!(reader.word(i), "if" | "suppose" | "imagine" | "otherwise" | "had" | "were")
            && reader.opens_clause(i)
        {
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

/// Tokens beyond which no report and no denial of a whole statement reaches.
const LONG_REACH: usize = 40;

/// What is not changed stays: "does not change the bubble" says something of the bubble.
fn leaves_alone(word: &str) -> bool {
    matches!(
        word,
        "change"
            | "changes"
            | "changed"
            | "alter"
            | "alters"
            | "affect"
            | "affects"
            | "touch"
            | "touches"
            | "modify"
            | "differ"
            | "influence"
            | "effect"
            | "impact"
            | "difference"
            | "depend"
            | "matter"
    )
}

/// What makes nothing of what it is said of.
fn dismisses(word: &str) -> bool {
    matches!(
        word,
        "pointless"
            | "useless"
            | "irrelevant"
            | "unnecessary"
            | "needless"
            | "worthless"
            | "meaningless"
            | "immaterial"
    )
}

/// The same after *no*.
fn dismisses_as_no(word: &str) -> bool {
    matches!(word, "help" | "use" | "bearing" | "relation" | "relevance" | "value" | "worth")
}

/// What dismisses after *not*.
fn is_worth(word: &str) -> bool {
    matches!(
        word,
        "useful"
            | "worthwhile"
            | "worth"
            | "helpful"
            | "relevant"
            | "necessary"
            | "needed"
            | "required"
            | "important"
    )
}

fn is_linking(word: &str) -> bool {
    matches!(word, "is" | "are" | "was" | "were" | "be" | "has" | "have" | "seems" | "becomes" | "of")
}

/// Verbs of holding a belief.
fn holds(word: &str) -> bool {
    matches!(
        word,
        "think"
            | "thinks"
            | "believe"
            | "believes"
            | "say"
            | "says"
            | "assume"
            | "assumes"
            | "claim"
            | "claims"
            | "expect"
            | "guess"
            | "argue"
            | "imagine"
            | "thought"
            | "said"
            | "claimed"
            | "believed"
            | "assumed"
    )
}

struct Reader<'a> {
    tokens: &'a [Token],
    layout: &'a Layout,
}

impl Reader<'_> {
    fn word(&self, i: usize) -> &str {
        self.tokens.get(i).map_or("", |t| t.word.as_str())
    }

    fn sentence_end(&self, i: usize) -> usize {
        self.layout.sentences[self.layout.sentence[i]].end
    }

    fn opens_clause(&self, i: usize) -> bool {
        !matches!(self.word(i), "had" | "were") || self.tokens[i].gap.ends_clause()
    }

    /// Whether the word at `i` is the last of its clause: "DDP shards nothing: …".
    fn ends_clause(&self, i: usize) -> bool {
        self.tokens.get(i + 1).is_none_or(|t| t.gap.ends_clause() || t.gap == Gap::Colon)
    }

    /// The first break of clauses at or after `from`, before `limit` tokens have passed.
    fn clause_end(&self, from: usize, limit: usize) -> usize {
        let last = self.tokens.len().min(from.saturating_add(limit));
        (from..last)
            .find(|&j| self.tokens[j].gap.ends_clause() || j > from && lexicon::begins_clause(self.word(j)))
            .unwrap_or(last)
    }

    /// What the word at `i` denies, if it is a word that denies.
    fn denial(&self, i: usize) -> Option<Denial> {
        let next = self.word(i + 1);
        let (by, reach) = match self.word(i) {
            "not" => return self.not(i),
            "never" | "hardly" | "barely" | "scarcely" | "rarely" | "seldom" | "nor" | "neither" => (1, 7),
            "no" if next == "longer" => (2, 7),
            "no" if self.tokens.get(i + 1).is_some_and(|t| t.gap == Gap::Joined) => return None,
            "no" if matches!(
                next,
                "matter"
                    | "doubt"
                    | "wonder"
                    | "surprise"
                    | "problem"
                    | "more"
                    | "sooner"
                    | "idea"
                    | "worse"
                    | "objection"
                    | "objections"
                    | "question"
                    | "exception"
                    | "exceptions"
            ) =>
            {
                return None;
            }
            "no" if leaves_alone(next) => (1, 1),
            "no" if matches!(next, "need" | "point" | "reason" | "use" | "sense" | "benefit") => (2, 10),
            "pointless" | "useless" | "unnecessary" | "needless" if next == "to" => (2, 7),
            "nothing" | "none" if self.ends_clause(i) => {
                return Some(Denial { by: i..i + 1, over: self.clause_start(i)..i });
            }
            "no" | "nothing" | "nobody" | "none" => (1, 5),
            "without" | "lack" | "lacks" | "lacking" => (1, 4),
            "instead" | "rather" if matches!(next, "of" | "than") => (2, 5),
            "opposed" if next == "to" => (2, 5),
            "unable" | "impossible" | "hard" | "difficult" | "fails" | "fail" | "failing" if next == "to" => {
                (2, 5)
            }
            word if dismisses(word) || word == "no" && dismisses_as_no(next) => {
                return self.dismissed(i);
            }
            "avoid" | "avoids" | "avoiding" | "avoided" => (1, 4),
            "prevent" | "prevents" | "preventing" => (1, 5),
            "stops" | "stop" | "stopped" if next.ends_with("ing") => (1, 4),
            "little" if !matches!(self.word(i.wrapping_sub(1)), "a") && next != "bit" => (1, 2),
            "too" if self.word(i + 2) == "to" => (3, 3),
            _ => return None,
        };
        Some(Denial { by: i..i + by, over: i + by..self.reach(i + by, reach) })
    }

    /// What a word such as *useless* after *is* denies: all that stands before it in its clause.
    fn dismissed(&self, i: usize) -> Option<Denial> {
        let before = |k: usize| self.word(i.wrapping_sub(k));
        let verb = (1..=3).find(|&k| is_linking(before(k)))?;
        if (1..=verb + 1).any(|k| matches!(before(k), "not" | "never" | "no")) {
            return None;
        }
        let by = 1 + usize::from(self.word(i) == "no");
        Some(Denial { by: i..i + by, over: self.clause_start(i)..i - verb })
    }

    /// What a denied verb is said of, where the word at `i` denies one: the words before it in its clause.
    fn subject_of_denied(&self, i: usize) -> Range<usize> {
        let before = self.word(i.wrapping_sub(1));
        let denied = match self.word(i) {
            "not" => lexicon::is_auxiliary(before),
            "never" => !matches!(before, "and" | "or" | "but"),
            _ => false,
        };
        if !denied {
            return i..i;
        }
        let start = self.clause_start(i);
        let joint =
            |w: &str| matches!(w, "and" | "or" | "which" | "that" | "then") || lexicon::begins_clause(w);
        let from = (start..i).rev().find(|&j| joint(self.word(j)));
        from.map_or(start, |j| j + 1)..i
    }

    /// Where the clause of a token begins.
    fn clause_start(&self, i: usize) -> usize {
        let clause = self.layout.clause[i];
        let before = (0..i).rev().take(LONG_REACH);
        let before = before.take_while(|&j| self.layout.clause[j] == clause);
        before.last().unwrap_or(i)
    }

    /// What a *not* denies.
    fn not(&self, i: usize) -> Option<Denial> {
        let next = self.word(i + 1);
        if matches!(
            next,
            "only"
                | "just"
                | "merely"
                | "simply"
                | "solely"
                | "sure"
                | "certain"
                | "until"
                | "before"
                | "unless"
        ) || self.word(i.wrapping_sub(1)) == "or"
            || matches!(self.word(i.wrapping_sub(1)), "why" | "if")
        {
            return None;
        }
        if matches!(next, "true" | "correct" | "right" | "case")
            || next == "the" && self.word(i + 2) == "case"
        {
            return Some(Denial {
                by: i..i + 2,
                over: i + 2..self.sentence_end(i).min(i + LONG_REACH).max(i + 2),
            });
        }
        if is_worth(next) {
            return Some(Denial { by: i..i + 2, over: self.clause_start(i)..self.reach(i + 2, 7) });
        }
        let words = if leaves_alone(next) || lexicon::is_auxiliary(next) && leaves_alone(self.word(i + 2)) {
            2
        } else {
            7
        };
        Some(Denial { by: i..i + 1, over: i + 1..self.reach(i + 1, words) })
    }

    /// How far a denial reaches: so many words, but not past the clause or into another one.
    fn reach(&self, from: usize, words: usize) -> usize {
        let last = self.tokens.len().min(from + words);
        (from..last)
            .find(|&j| {
                let word = self.word(j);
                self.tokens[j].gap.ends_clause()
                    || j > from
                        && (lexicon::begins_clause(word)
                            || word == "and"
                            || matches!(word, "they" | "you" | "we" | "it" | "i"))
            })
            .unwrap_or(last)
    }

    /// The reach of a phrase that says what others wrongly hold: up to *but*, *in fact* or the
    /// end of the sentence.
    fn reported(&self, i: usize) -> Option<Range<usize>> {
        let from = i + self.opens_report(i)?;
        let end = self.sentence_end(i).min(i + LONG_REACH).max(from);
        let turn = (from..end).find(|&j| {
            matches!(self.word(j), "but" | "however" | "yet" | "actually" | "although")
                || self.word(j) == "in" && matches!(self.word(j + 1), "fact" | "reality")
        });
        Some(i..turn.unwrap_or(end))
    }

    /// How many words at `i` open a report of a false belief.
    fn opens_report(&self, i: usize) -> Option<usize> {
        let (first, second, third) = (self.word(i), self.word(i + 1), self.word(i + 2));
        match first {
            "people" | "many" | "most" | "some" | "folks" | "others" | "candidates" | "beginners"
            | "engineers" | "everyone" | "somebody" | "someone" => {
                (1..4).find(|&k| holds(self.word(i + k))).map(|k| k + 1)
            }
            "1" | "you" | "we" => {
                let might = matches!(second, "might" | "may" | "could" | "would" | "will");
                (might && holds(third) && !matches!(third, "say" | "expect")).then_some(2)
            }
            "often" | "sometimes" | "commonly" | "usually" | "frequently" | "widely" => {
                holds(second).then_some(2)
            }
            "common" | "popular" | "frequent" | "usual" | "typical" | "widespread" | "classic" => matches!(
                second,
                "misconception" | "mistake" | "myth" | "belief" | "misunderstanding" | "error" | "claim"
            )
            .then_some(2),
            "tempting" | "contrary" => (second == "to").then_some(2),
            "myth" | "misconception" | "untrue" | "false" => matches!(second, "that" | "is").then_some(1),
            "wrong" => (second == "to" && third == "say").then_some(1),
            _ => None,
        }
    }

    /// "Unlike X": what follows is not said of the thing in hand.
    fn contrasted(&self, i: usize) -> Option<Range<usize>> {
        (self.word(i) == "unlike").then(|| i..self.clause_end(i + 1, 5))
    }

    /// Whether a sentence with a question mark really asks.
    fn is_question(&self, sentence: Range<usize>) -> bool {
        let first = sentence.clone().find(|&i| {
            !matches!(self.word(i), "so" | "and" | "ok" | "okay" | "well" | "um" | "but" | "now" | "then")
        });
        first.is_some_and(|i| {
            lexicon::is_auxiliary(self.word(i))
                || matches!(
                    self.word(i),
                    "why" | "how" | "what" | "when" | "where" | "who" | "which" | "whether"
                )
        }) || sentence.len() <= 4
    }

    /// "That is wrong": takes back the sentence before.
    fn calls_false(&self, sentence: Range<usize>) -> bool {
        let w = |k: usize| self.word(sentence.start + k);
        let at = usize::from(matches!(w(0), "but" | "actually" | "well"));
        let be = usize::from(w(at + 1) == "is");
        sentence.len() <= 9
            && matches!(w(at), "that" | "this" | "it" | "thats")
            && (matches!(w(at + 1 + be), "wrong" | "false" | "incorrect" | "untrue")
                || w(at + 1 + be) == "not"
                    && matches!(w(at + 2 + be), "true" | "so" | "right" | "correct" | "the"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::statement::layout;
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
    }

    #[test]
    fn two_denials_are_none() {
        assert_eq!(shown("never without overlap"), "never WITHOUT overlap");
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
