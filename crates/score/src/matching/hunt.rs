//! The search for the words that fill a pattern best, round one of them.

use std::ops::Range;

use super::{Found, Matcher, Reading, Search};
use crate::figure;
use crate::lexicon;
use crate::pattern::{Format, Role};
use crate::statement::Subjects;
use crate::token::Gap;
use crate::vocabulary::Hit;

/// Tokens that the slots of one sentence may span.
const SENTENCE_SPAN: usize = 20;

/// Tokens that they may span across the end of one sentence.
const NEXT_SPAN: usize = 14;

/// Tokens that they may span across two ends, for notes and short sentences.
const THIRD_SPAN: usize = 8;

/// Tokens that the words of a false statement may span.
const CLAIM_SPAN: usize = 14;

/// Tokens that the words of a denied truth may span.
const CONTRARY_SPAN: usize = 12;

/// Tokens that the slots of one sentence of format 2 may span.
const STATEMENT_SPAN: usize = 26;

/// Tokens that they may span where a sentence goes on with the one before, or `..` stands between.
const TWO_STATEMENTS_SPAN: usize = 32;

/// Candidates that are tried for one slot, the nearest first.
const CANDIDATES: usize = 4;

/// The search for the best words round one anchor.
pub(super) struct Hunt<'a> {
    matcher: &'a Matcher,
    reading: &'a Reading,
    search: Search,
    chosen: Vec<Option<Hit>>,
    best: Option<(usize, Found)>,
    /// How many words may be tried, and how many more.
    allowed: usize,
    steps: usize,
}

impl<'a> Hunt<'a> {
    /// A search that tries so many words at most.
    pub(super) fn new(matcher: &'a Matcher, reading: &'a Reading, search: Search, steps: usize) -> Hunt<'a> {
        let chosen = vec![None; matcher.wanted.len()];
        Hunt { matcher, reading, search, chosen, best: None, allowed: steps, steps }
    }

    /// How many words were tried round this one, and the best that was found.
    pub(super) fn round(mut self, anchor: usize, hit: &Hit) -> (usize, Option<Found>) {
        self.chosen[anchor] = Some(*hit);
        self.fill(0, hit);
        (self.allowed - self.steps, self.best.map(|(_, found)| found))
    }

    /// Whether the words may fill the slot at all.
    pub(super) fn fits(&self, slot: usize, hit: &Hit) -> bool {
        let r = self.reading;
        let neutral = if self.matcher.asked {
            r.polarity.is_reported(hit.start)
        } else {
            r.polarity.is_neutral(hit.start)
        };
        let usable = (hit.start..hit.end).all(|t| !r.guarded.dead[t]) && !neutral;
        usable
            && (self.search == Search::Contrary
                || r.polarity.is_under_denial(hit.start)
                || self.is_right(slot, hit, &[]))
    }

    /// Whether the words are denied or not as the slot wants it.
    fn is_right(&self, slot: usize, hit: &Hit, chosen: &[Hit]) -> bool {
        // "no card can begin until" says when it can: read as the slot wants it, never as its contrary
        if self.reading.polarity.is_postponed(hit.start) {
            return !hit.opposite && self.search == Search::Said;
        }
        let denied = self.reading.polarity.denies(&(hit.start..hit.end), chosen);
        match self.matcher.wanted[slot].role {
            Role::Denied => denied != hit.opposite,
            _ if self.matcher.denying => !hit.opposite,
            _ => denied == hit.opposite,
        }
    }

    /// Tries the nearest words for each slot that has none yet.
    fn fill(&mut self, slot: usize, anchor: &Hit) {
        let Some(wanted) = self.matcher.wanted.get(slot) else {
            return self.judge();
        };
        if self.chosen[slot].is_some() {
            return self.fill(slot + 1, anchor);
        }
        for hit in nearest(&self.reading.hits[wanted.slot], anchor) {
            if self.steps == 0 {
                return;
            }
            self.steps -= 1;
            let free = self.chosen.iter().flatten().all(|c| hit.end <= c.start || c.end <= hit.start);
            if free && self.is_in_order(slot, &hit) && self.fits(slot, &hit) {
                self.chosen[slot] = Some(hit);
                self.fill(slot + 1, anchor);
                self.chosen[slot] = None;
            }
        }
    }

    /// Whether words stand after those of the slot before them, and before those of the next, where they must.
    fn is_in_order(&self, slot: usize, hit: &Hit) -> bool {
        let wanted = &self.matcher.wanted;
        let before = slot.checked_sub(1).and_then(|s| self.chosen[s]);
        let after = self.chosen.get(slot + 1).copied().flatten();
        before.is_none_or(|b| !wanted[slot].after || b.end <= hit.start)
            && after.is_none_or(|a| !wanted[slot + 1].after || hit.end <= a.start)
    }

    /// Keeps the words chosen if they make a statement, and a tighter one than before.
    fn judge(&mut self) {
        let hits: Vec<Hit> = self.chosen.iter().flatten().copied().collect();
        let mut words: Vec<Range<usize>> = hits.iter().map(|h| h.start..h.end).collect();
        words.sort_by_key(|w| w.start);
        let found = Found { words };
        let span = found.span();
        let first = self.reading.layout.sentence[span.start];
        let crossed = self.reading.layout.sentence[span.end - 1] - first;
        let cost = span.len() + 10 * crossed;
        let better = self.best.as_ref().is_none_or(|(c, _)| cost < *c);
        if better
            && self.is_near(&span, crossed, &hits)
            && self.is_in_brackets(&hits)
            && self.is_ordered(&hits)
            && self.is_said_of(&hits)
            && self.is_own(&span)
            && !(self.search == Search::Said && self.reading.polarity.only_names_subject(&hits))
            && (self.reading.brief || !self.is_enumeration(&found) && !self.is_hollow(&found))
            && !self.has_absent(&span, &hits)
            && !self.has_absent_within(&hits)
            && self.is_alone(&hits)
            && self.suits_search(&hits)
        {
            self.best = Some((cost, found));
        }
    }

    fn is_near(&self, span: &Range<usize>, crossed: usize, hits: &[Hit]) -> bool {
        let clauses = &self.reading.layout.clause;
        let turns = clauses[span.end - 1] - clauses[span.start];
        if self.search == Search::Said && self.matcher.format == Format::Two {
            return self.is_one_statement(span, crossed, hits);
        }
        match (self.search, crossed) {
            (Search::Contrary, 0) => turns == 0 && span.len() <= CONTRARY_SPAN,
            (Search::Claimed, 0) => turns <= 1 && span.len() <= CLAIM_SPAN,
            (Search::Said, 0) => span.len() <= SENTENCE_SPAN,
            (Search::Said, 1) => span.len() <= NEXT_SPAN,
            (Search::Said, 2) => span.len() <= THIRD_SPAN,
            _ => false,
        }
    }

    /// Whether the words stand in one sentence, or in one that goes on with the one before; what `..` parts may
    /// stand in neighbours.
    fn is_one_statement(&self, span: &Range<usize>, crossed: usize, hits: &[Hit]) -> bool {
        let layout = &self.reading.layout;
        let limit = if crossed == 0 { STATEMENT_SPAN } else { TWO_STATEMENTS_SPAN };
        let goes_on = |s: usize| layout.goes_on[s];
        let sentence = |h: &Hit| layout.sentence[h.start];
        let pairs = || self.matcher.wanted.iter().zip(hits);
        let parted = self.matcher.wanted.last().is_some_and(|w| w.part > 0);
        let near = |a: usize, b: usize| match a.abs_diff(b) {
            0 => true,
            1 => goes_on(a.max(b)),
            _ => false,
        };
        let together =
            pairs().all(|(w, h)| pairs().all(|(v, g)| w.part != v.part || near(sentence(h), sentence(g))));
        let neighbours = if parted { crossed <= 2 } else { crossed <= 1 };
        span.len() <= limit && neighbours && together
    }

    /// Whether the words of each bracket share a thought.
    fn is_in_brackets(&self, hits: &[Hit]) -> bool {
        let thought = &self.reading.layout.thought;
        let pairs = || self.matcher.wanted.iter().zip(hits).filter(|(w, _)| w.bracket.is_some());
        pairs().all(|(w, h)| {
            let fellow = pairs().find(|(v, _)| v.bracket == w.bracket);
            fellow.is_none_or(|(_, g)| thought[g.start] == thought[h.start])
        })
    }

    /// Whether the clause of a bracket says what it must not.
    fn has_absent_within(&self, hits: &[Hit]) -> bool {
        let thought = &self.reading.layout.thought;
        self.matcher.absent_within.iter().any(|&(slot, bracket)| {
            let fellow = self.matcher.wanted.iter().zip(hits).find(|(w, _)| w.bracket == Some(bracket));
            let Some((_, fellow)) = fellow else { return false };
            let here = thought[fellow.start];
            self.reading.hits[slot].iter().any(|h| thought[h.start] == here && self.excepts(h, hits))
        })
    }

    /// Whether words make an exception: said, or denied where the author wrote `!`. In format 2 those that fill
    /// the pattern themselves, with the *not* that they need, are no exception to it.
    fn excepts(&self, words: &Hit, hits: &[Hit]) -> bool {
        let polarity = &self.reading.polarity;
        let span = words.start..words.end;
        if self.matcher.format == Format::One {
            return !words.opposite;
        }
        // "if I switch to it, …" claims what follows
        if polarity.is_step(words.start) {
            return false;
        }
        // "13" is an exception to `#%` though it stands inside "13 %"
        let is_number = span.clone().any(|t| figure::number(&self.reading.tokens[t].word).is_some());
        let own = |h: &Hit| h.start <= span.start && span.end <= h.end && !is_number;
        let needed = |h: &Hit| polarity.is_denied_by(&(h.start..h.end), &span);
        (!words.opposite || polarity.denies(&span, &[])) && !hits.iter().any(|h| own(h) || needed(h))
    }

    /// Whether a wrong figure is the only amount of its clause, and no bound: beside others it may be part of a
    /// sum, or hold under a condition of the writer's own.
    fn is_alone(&self, hits: &[Hit]) -> bool {
        let (tokens, layout) = (&self.reading.tokens, &self.reading.layout);
        let is_fellow = |t: usize, hit: &Hit| {
            layout.thought[t] == layout.thought[hit.start]
                && !(hit.start..hit.end).contains(&t)
                && tokens[t].gap > Gap::Joined
                && figure::number(&tokens[t].word).is_some()
        };
        let is_bound = |hit: &Hit| {
            let before = tokens[hit.start.saturating_sub(2)..hit.start].iter();
            before.into_iter().any(|t| lexicon::is_bound(&t.word))
        };
        self.matcher.wrong.iter().filter_map(|&w| hits.get(w)).all(|hit| {
            let sentence = layout.sentences[layout.sentence[hit.start]].clone();
            let supposed = sentence.clone().any(|t| self.reading.polarity.is_supposed(t));
            !supposed && !is_bound(hit) && !sentence.clone().any(|t| is_fellow(t, hit))
        })
    }

    fn is_ordered(&self, hits: &[Hit]) -> bool {
        let pairs = self.matcher.wanted.iter().zip(hits).skip(1).zip(hits);
        pairs.into_iter().all(|((wanted, hit), before)| !wanted.after || before.end <= hit.start)
    }

    /// Whether the words are said of the pattern's subject. What stands before the subject is
    /// named may belong to another: "stage 1 shards states, stage 3 weights".
    fn is_said_of(&self, hits: &[Hit]) -> bool {
        let Some(subject) = self.matcher.subject else {
            return true;
        };
        let last = hits.iter().map(|h| h.start).max().unwrap_or(0);
        let of = |h: &Hit| self.reading.subjects[h.start] & subject != 0;
        let governed: Vec<&Hit> = hits.iter().filter(|h| of(h)).collect();
        let Some(first) = governed.iter().map(|h| h.start).min() else {
            return false;
        };
        self.reading.subjects[last] & subject != 0
            && self.is_named(subject, last)
            && hits.iter().all(|h| of(h) || h.start < first && self.search != Search::Claimed)
    }

    /// Whether a false statement names its subject, and does not only carry it on.
    fn is_named(&self, subject: Subjects, token: usize) -> bool {
        let named = self.reading.named[self.reading.layout.sentence[token]];
        self.search != Search::Claimed || named & subject != 0
    }

    /// Whether at least some of the words are the writer's own, not the prompt's.
    fn is_own(&self, span: &Range<usize>) -> bool {
        let copied = &self.reading.guarded.copied[span.clone()];
        !copied.iter().all(|c| *c)
    }

    /// Whether the words are only named one after the other: "the X and the Y".
    fn is_enumeration(&self, found: &Found) -> bool {
        let tokens = &self.reading.tokens;
        let mut joints = 0;
        for pair in found.words.windows(2) {
            let between = &tokens[pair[0].end.min(pair[1].start)..pair[1].start];
            let listing = |w: &str| {
                matches!(
                    w,
                    "and"
                        | "or"
                        | "plus"
                        | "the"
                        | "a"
                        | "an"
                        | "also"
                        | "its"
                        | "then"
                        | "with"
                        | "as"
                        | "well"
                )
            };
            if !between.iter().all(|t| listing(&t.word)) {
                return false;
            }
            joints += usize::from(between.iter().any(|t| matches!(t.word.as_str(), "and" | "or" | "plus")));
        }
        joints > 0 && joints + 1 == found.words.len()
    }

    /// Whether the words are only named and tied by verbs that say nothing: "the X uses the Y".
    fn is_hollow(&self, found: &Found) -> bool {
        let tokens = &self.reading.tokens;
        let is_named = |w: &Range<usize>| {
            let before = w.start.checked_sub(1).map_or("", |i| tokens[i].word.as_str());
            lexicon::is_article(before) || lexicon::is_preposition(before) || matches!(before, "and" | "or")
        };
        let span = found.span();
        let taken = |t: &usize| found.words.iter().any(|w| w.contains(t));
        let between = || span.clone().filter(|t| !taken(t)).map(|t| tokens[t].word.as_str());
        let is_empty = |w: &str| lexicon::is_function(w) || lexicon::says_nothing(w);
        found.words.len() >= 2
            && found.words.iter().all(is_named)
            && between().any(lexicon::says_nothing)
            && between().all(is_empty)
    }

    /// Whether the statement says what it must not.
    fn has_absent(&self, span: &Range<usize>, hits: &[Hit]) -> bool {
        let layout = &self.reading.layout;
        let sentences = layout.sentence[span.start]..=layout.sentence[span.end - 1];
        let from = layout.sentences[*sentences.start()].start.max(span.start.saturating_sub(12));
        let to = layout.sentences[*sentences.end()].end.min(span.end + 12);
        self.matcher.absent.iter().any(|&slot| {
            let near = |h: &&Hit| from <= h.start && h.start < to;
            self.reading.hits[slot].iter().filter(near).any(|h| self.excepts(h, hits))
        })
    }

    /// Whether each slot is said or denied as it should be, for what is searched.
    fn suits_search(&self, hits: &[Hit]) -> bool {
        let polarity = &self.reading.polarity;
        let wrong = (0..hits.len()).filter(|&i| !self.is_right(i, &hits[i], hits)).count();
        match self.search {
            Search::Said => wrong == 0,
            Search::Claimed => {
                let is_guess = hits.iter().any(|h| polarity.is_hedged(h.start));
                wrong == 0 && !is_guess && !hits.iter().all(|h| polarity.is_supposed(h.start))
            }
            Search::Contrary => {
                // "would detect" claims nothing against "could not detect"
                let is_contrary =
                    |h: &Hit| h.opposite && !(h.marked && self.reading.polarity.is_possible(h.start));
                let meant = |i: usize| is_contrary(&hits[i]) || polarity.denies_outright(hits[i].start);
                let said = (0..hits.len()).any(|i| meant(i) && !self.is_right(i, &hits[i], hits));
                let neither = |h: &Hit| polarity.is_supposed(h.start) || polarity.is_postponed(h.start);
                wrong == 1 && said && !hits.iter().any(neither)
            }
        }
    }
}

/// The hits nearest to an anchor, within reach of it.
pub(super) fn nearest(hits: &[Hit], anchor: &Hit) -> Vec<Hit> {
    let at = hits.partition_point(|h| h.start < anchor.start);
    let (mut before, mut after) = (at, at);
    let mut out = Vec::with_capacity(CANDIDATES);
    while out.len() < CANDIDATES {
        let left = before.checked_sub(1).map(|i| anchor.start.saturating_sub(hits[i].end));
        let right = hits.get(after).map(|h| h.start.saturating_sub(anchor.end));
        let take_left = match (left, right) {
            (Some(l), Some(r)) => l <= r,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (None, None) => break,
        };
        let distance = if take_left { left } else { right };
        if distance.is_none_or(|d| d > SENTENCE_SPAN) {
            break;
        }
        if take_left {
            before -= 1;
            out.push(hits[before]);
        } else {
            out.push(hits[after]);
            after += 1;
        }
    }
    out
}
