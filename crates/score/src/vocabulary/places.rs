//! Where a text has the words.

use super::{CompositePart, FigureUse, Form, Hit, Phrase, Vocabulary, Word};
use crate::figure::{self, Amount, FigureUnit};
use crate::lexicon;
use crate::pattern::Unit;
use crate::token::{self, Token};

impl Vocabulary {
    /// All places where words of a slot stand, by slot, but for tokens that state nothing.
    pub(crate) fn hits(&self, tokens: &[Token], forms: &[Form], dead: &[bool]) -> Vec<Vec<Hit>> {
        let mut hits = vec![Vec::new(); self.len()];
        let fillers: Vec<bool> = tokens.iter().map(|t| lexicon::is_filler(&t.word)).collect();
        let text = Text { tokens, forms, fillers: &fillers };
        let counts = !self.numbers.is_empty() || !self.figures.is_empty();
        let amounts = if counts { figure::amounts(tokens) } else { Vec::new() };
        for (i, form) in forms.iter().enumerate().filter(|&(i, _)| !dead[i]) {
            let starts = [
                form.stem.and_then(|s| self.by_stem.get(&s)),
                form.exact.and_then(|e| self.by_exact.get(&e)),
            ];
            for &phrase in starts.into_iter().flatten().flatten() {
                let phrase = &self.phrases[phrase];
                if let Some(end) = ends_at(phrase, &text, i) {
                    for u in &phrase.uses {
                        push(&mut hits[u.slot], u.hit(i, end));
                    }
                }
            }
            for (beginning, u) in &self.beginnings {
                if tokens[i].word.starts_with(beginning.as_str()) {
                    push(&mut hits[u.slot], u.hit(i, i + 1));
                }
            }
            let Some(Some(amount)) = amounts.get(i) else { continue };
            for (unit, u) in &self.numbers {
                if let Some(end) = number_ends(*unit, tokens, i, amount) {
                    push(&mut hits[u.slot], u.hit(i, end));
                }
            }
            self.figure_hits(&text, i, amount, &mut hits);
        }
        self.composite_hits(&text, &mut hits);
        hits
    }

    /// The slots whose figure stands at token `i`.
    fn figure_hits(&self, text: &Text<'_>, i: usize, amount: &Amount, hits: &mut [Vec<Hit>]) {
        for figure in &self.figures {
            if let Some(end) = figure_ends(figure, amount, text) {
                push(&mut hits[figure.to.slot], figure.to.hit(i, end));
            }
        }
    }

    /// The phrases in which concepts stand; they need what the others have found.
    fn composite_hits(&self, text: &Text<'_>, hits: &mut [Vec<Hit>]) {
        for composite in &self.composites {
            let mut found = Vec::new();
            for start in 0..text.tokens.len() {
                if let Some(end) = composite_ends(&composite.parts, text, hits, start) {
                    found.push(composite.to.hit(start, end));
                }
            }
            let all = &mut hits[composite.to.slot];
            for hit in found {
                let at = all.partition_point(|h| h.start < hit.start);
                all.insert(at, hit);
            }
        }
    }
}

/// Where a figure of the kind that is looked for ends.
fn figure_ends(wanted: &FigureUse, amount: &Amount, text: &Text<'_>) -> Option<usize> {
    if amount.rough {
        return None;
    }
    let kind = &wanted.figures.first()?.unit;
    let (value, end) = match (kind, wanted.thing) {
        (FigureUnit::Of(_), Some(thing)) => {
            text.tokens.get(amount.end).filter(|t| !t.gap.ends_clause())?;
            let is_counted = amount.unit.is_none() && is_word(&text.forms[amount.end], thing);
            (is_counted.then_some(amount.value)?, amount.end + 1)
        }
        (FigureUnit::Plain, _) => (Some(amount.value).filter(|_| amount.unit.is_none())?, amount.end),
        (unit, _) => (amount.as_unit(unit)?, amount.end),
    };
    let is_right = |value: f64| wanted.figures.iter().any(|f| f.is(value));
    // bits and bytes a second are told apart by a letter's case alone, which many do not heed
    let slip = wanted.wrong && *kind == FigureUnit::Rate && (is_right(value / 8.0) || is_right(value * 8.0));
    (is_right(value) != wanted.wrong && !slip).then_some(end)
}

fn is_word(form: &Form, word: Word) -> bool {
    match word {
        Word::Stem(s) => form.stem == Some(s),
        Word::Exact(e) => form.exact == Some(e),
    }
}

/// Where a phrase with concepts inside ends, if it begins at `start`.
fn composite_ends(
    parts: &[CompositePart],
    text: &Text<'_>,
    hits: &[Vec<Hit>],
    start: usize,
) -> Option<usize> {
    let mut at = start;
    for (n, part) in parts.iter().enumerate() {
        let mut skipped = 0;
        at = loop {
            if at >= text.tokens.len() || at > start && text.tokens[at].gap.ends_clause() {
                return None;
            }
            let end = match part {
                CompositePart::Word(word) => is_word(&text.forms[at], *word).then_some(at + 1),
                CompositePart::Slot(slot) => {
                    let from = hits[*slot].partition_point(|h| h.start < at);
                    let here = hits[*slot][from..].iter().take_while(|h| h.start == at);
                    here.filter(|h| !h.opposite).map(|h| h.end).max()
                }
            };
            if let Some(end) = end {
                break end;
            }
            if n == 0 || skipped == 2 || !text.fillers[at] {
                return None;
            }
            skipped += 1;
            at += 1;
        };
    }
    Some(at)
}

/// Keeps the longest hit of those that begin at one token.
fn push(hits: &mut Vec<Hit>, hit: Hit) {
    if let Some(last) = hits.last_mut().filter(|l| l.start == hit.start && l.opposite == hit.opposite) {
        last.end = last.end.max(hit.end);
        last.marked &= hit.marked;
    } else {
        hits.push(hit);
    }
}

/// The tokens of a text, with what is known of each.
struct Text<'a> {
    tokens: &'a [Token],
    forms: &'a [Form],
    /// Whether a token is a small word that may stand inside a phrase.
    fillers: &'a [bool],
}

/// Where a phrase that begins at token `i` ends.
fn ends_at(phrase: &Phrase, text: &Text<'_>, i: usize) -> Option<usize> {
    let Text { tokens, forms, fillers } = text;
    let mut at = i + 1;
    for word in &phrase.words[1..] {
        let mut skipped = 0;
        loop {
            if at >= tokens.len() || tokens[at].gap.ends_clause() {
                return None;
            }
            let here = match word {
                Word::Stem(s) => forms[at].stem == Some(*s),
                Word::Exact(e) => forms[at].exact == Some(*e),
            };
            if here {
                break;
            }
            if !phrase.loose || skipped == 2 || !fillers[at] {
                return None;
            }
            skipped += 1;
            at += 1;
        }
        at += 1;
    }
    Some(at)
}

/// Where a number with such a unit ends.
fn number_ends(unit: Unit, tokens: &[Token], i: usize, amount: &Amount) -> Option<usize> {
    let is_written = token::is_number(&tokens[i].word);
    let wanted = match unit {
        // "one" is said of anything
        Unit::Any => {
            let counts = is_written || tokens[i].word != "one" && figure::number(&tokens[i].word).is_some();
            return counts.then_some(i + 1);
        }
        Unit::Bytes => FigureUnit::Bytes,
        Unit::Rate => FigureUnit::Rate,
        Unit::Time => FigureUnit::Time,
        Unit::Percent => FigureUnit::Percent,
        Unit::Factor => FigureUnit::Factor,
    };
    // a bare "400 Gbit" is a rate in all but name
    let link = wanted == FigureUnit::Rate && tokens[amount.end - 1].word == "gbit";
    (amount.unit.as_ref() == Some(&wanted) || link).then_some(amount.end)
}
