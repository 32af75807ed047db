//! Where a denial, a report or a question begins, and how far it reaches.

use std::ops::Range;

use super::Denial;
use crate::lexicon;
use crate::statement::Layout;
use crate::token::{Gap, Token};

/// Tokens beyond which no report and no denial of a whole statement reaches.
const LONG_REACH: usize = 40;

/// Words of change.
const LEAVING_ALONE: [&str; 17] = [
    "change",
    "changes",
    "changed",
    "alter",
    "alters",
    "affect",
    "affects",
    "touch",
    "touches",
    "modify",
    "differ",
    "influence",
    "effect",
    "impact",
    "difference",
    "depend",
    "matter",
];

/// What is not changed stays: "does not change the bubble" says something of the bubble.
fn leaves_alone(word: &str) -> bool {
    LEAVING_ALONE.contains(&word)
}

/// Words that make nothing of a thing.
const DISMISSING: [&str; 8] = [
    "pointless",
    "useless",
    "irrelevant",
    "unnecessary",
    "needless",
    "worthless",
    "meaningless",
    "immaterial",
];

/// What makes nothing of what it is said of.
fn dismisses(word: &str) -> bool {
    DISMISSING.contains(&word)
}

/// The same after *no*.
fn dismisses_as_no(word: &str) -> bool {
    matches!(word, "help" | "use" | "bearing" | "relation" | "relevance" | "value" | "worth")
}

/// Words of worth.
const WORTH: [&str; 9] =
    ["useful", "worthwhile", "worth", "helpful", "relevant", "necessary", "needed", "required", "important"];

/// What dismisses after *not*.
fn is_worth(word: &str) -> bool {
    WORTH.contains(&word)
}

fn is_linking(word: &str) -> bool {
    matches!(word, "is" | "are" | "was" | "were" | "be" | "has" | "have" | "seems" | "becomes" | "of")
}

/// Verbs of holding a belief.
const HOLDING: [&str; 19] = [
    "think", "thinks", "believe", "believes", "say", "says", "assume", "assumes", "claim", "claims",
    "expect", "guess", "argue", "imagine", "thought", "said", "claimed", "believed", "assumed",
];

/// Verbs of holding a belief.
fn holds(word: &str) -> bool {
    HOLDING.contains(&word)
}

pub(super) struct Reader<'a> {
    pub(super) tokens: &'a [Token],
    pub(super) layout: &'a Layout,
}

/// What one does to a system in order to change it.
const STEPS: [&str; 14] = [
    "adopt", "change", "choose", "enable", "go", "move", "pick", "replace", "run", "swap", "switch", "take",
    "turn", "use",
];

impl Reader<'_> {
    pub(super) fn word(&self, i: usize) -> &str {
        self.tokens.get(i).map_or("", |t| t.word.as_str())
    }

    fn sentence_end(&self, i: usize) -> usize {
        self.layout.sentences[self.layout.sentence[i]].end
    }

    pub(super) fn opens_clause(&self, i: usize) -> bool {
        !matches!(self.word(i), "had" | "were") || self.tokens[i].gap.ends_clause()
    }

    /// Whether an *if* begins a step that the speaker takes: "if I switch to …", "if you use …". What follows is
    /// claimed as it is with *when*.
    pub(super) fn is_step(&self, i: usize) -> bool {
        self.word(i) == "if"
            && matches!(self.word(i + 1), "i" | "we" | "you" | "one")
            && STEPS.contains(&self.word(i + 2))
    }

    /// Whether the word at `i` is the last of its clause: "DDP shards nothing: …".
    fn ends_clause(&self, i: usize) -> bool {
        self.tokens.get(i + 1).is_none_or(|t| t.gap.ends_clause() || t.gap == Gap::Colon)
    }

    /// The first break of clauses at or after `from`, before `limit` tokens have passed.
    pub(super) fn clause_end(&self, from: usize, limit: usize) -> usize {
        let last = self.tokens.len().min(from.saturating_add(limit));
        (from..last)
            .find(|&j| self.tokens[j].gap.ends_clause() || j > from && lexicon::begins_clause(self.word(j)))
            .unwrap_or(last)
    }

    /// What the word at `i` denies, if it is a word that denies.
    pub(super) fn denial(&self, i: usize) -> Option<Denial> {
        let next = self.word(i + 1);
        let (by, reach) = match self.word(i) {
            "not" => return self.not(i),
            "never" | "hardly" | "barely" | "scarcely" | "rarely" | "seldom" | "nor" => (1, 7),
            // "neither a nor b": each denies its own
            "neither" => {
                let end = self.reach(i + 1, 7);
                let nor = (i + 1..end).find(|&j| self.word(j) == "nor");
                return Some(Denial { by: i..i + 1, over: i + 1..nor.unwrap_or(end) });
            }
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
    pub(super) fn subject_of_denied(&self, i: usize) -> Range<usize> {
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
                // "do not forget that it is exposed" says so
                | "forget"
                | "overlook"
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
    pub(super) fn reported(&self, i: usize) -> Option<Range<usize>> {
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
    pub(super) fn contrasted(&self, i: usize) -> Option<Range<usize>> {
        (self.word(i) == "unlike").then(|| i..self.clause_end(i + 1, 5))
    }

    /// Whether a sentence with a question mark really asks.
    pub(super) fn is_question(&self, sentence: Range<usize>) -> bool {
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
    pub(super) fn calls_false(&self, sentence: Range<usize>) -> bool {
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
