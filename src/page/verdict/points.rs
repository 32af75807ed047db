//! What a mark is about, point by point: what was asked, the learner's words, the words that earn it.

use std::ops::Range;

use crate::doc::aloud::aloud;
use crate::doc::{Cell, Document, Role, Row, Rows};
use crate::page::answered::phrases;
use crate::score::{Claimed, Evidence, FoundMisconception, PartScore, PointScore, Reply, Verdict};
use crate::study::answer;
use crate::study::words::{capital, verdict};

use super::marks::Marks;

/// Columns of the word before somebody's words.
const LABEL: usize = 7;

impl<'a> Marks<'a> {
    /// What a row is about: the points of a part, or why a statement is false. With the rules behind the
    /// marks where an author wants them.
    pub fn points(&self, row: usize, rules: bool) -> Option<Document> {
        let Some(part) = self.parts().nth(row) else {
            let nth = row.checked_sub(self.parts().count())?;
            return self.misconceptions().nth(nth).map(|wrong| self.correction(wrong, rules));
        };
        let title =
            format!("{} {}: {}", self.place(&part.part) + 1, self.title(&part.part), verdict(part.verdict));
        let mut all = self.objection(&part.part, Document::new().title(&title));
        // before what was said, lest points that were said seem to earn what they do not
        if let Some(why) = self.lowered(part) {
            all = all.words(&why);
        }
        all = all.words(&self.counted(part));
        let asked = |p: &PointScore| self.asked(p);
        let is_asked = part.points.iter().any(|p| asked(p) == Some(&part.feedback));
        if let Some(remark) = self.remark(&part.part) {
            all = all.rows(Rows::of([remark]));
        }
        if let Some(text) = self.feedback(part).filter(|_| !is_asked) {
            all = all.words(&text);
        }
        for point in &part.points {
            all = all.rows(self.point(part, point, rules));
        }
        Some(all)
    }

    /// The points of the other parts that are not covered, in short: what there is to gain, without a key for each.
    pub fn others(&self, row: usize) -> Document {
        let open =
            self.parts().enumerate().filter(|(at, part)| *at != row && part.verdict != Verdict::Covered);
        open.fold(Document::new(), |all, (_, part)| {
            let title = format!("{} {}", self.place(&part.part) + 1, self.title(&part.part));
            let asked = |point: &PointScore| {
                let asked = self.asked(point).map_or_else(|| point.id.replace('-', " "), authored);
                let mark = match self.said(part, point).reply {
                    Reply::Yes => Verdict::Covered,
                    Reply::Partly => Verdict::Partial,
                    Reply::No => Verdict::Missing,
                };
                Row::new([Cell::mark(mark), Cell::text(asked)]).wrapped()
            };
            all.title(&title).rows(Rows::of(part.points.iter().map(asked).collect::<Vec<_>>()))
        })
    }

    fn asked(&self, point: &PointScore) -> Option<&'a str> {
        let drill = self.drill?;
        // a follow-up has one point: what it asked
        let followed = || answer::followed(drill, self.attempt).map(|f| f.ask.as_str());
        drill.rubric.asks(&point.id).or_else(followed)
    }

    /// What a point asks for, whether it was said, in which words, and which words earn it.
    fn point(&self, part: &PartScore, point: &PointScore, rules: bool) -> Rows {
        let id = point.id.replace('-', " ");
        let asked = self.asked(point).map_or_else(|| id.clone(), authored);
        let claim = self.claim(part, point);
        let is_denied = self.is_denied(part, point);
        let said = self.said(part, point);
        let (mark, state) = match (said.reply, said.by_you) {
            (Reply::No, true) => (Verdict::Missing, "Not said, by your own word"),
            (Reply::Yes, true) => (Verdict::Covered, "Said, by your own word"),
            (Reply::Partly, true) => (Verdict::Partial, "Said in part, by your own word"),
            (Reply::Yes, false) => (Verdict::Covered, "Said"),
            (Reply::Partly, false) => (Verdict::Partial, "Said in part"),
            (Reply::No, false) => (Verdict::Missing, "Not said"),
        };
        let is_more = mark == Verdict::Missing && part.verdict == Verdict::Covered;
        let (glyph, state) = match is_more {
            true => (Cell::text("+").role(Role::Dim), "Could be added"),
            false => (Cell::mark(mark), state),
        };
        let first = Row::new([glyph, Cell::text(&asked)]).wrapped();
        let mut rows = vec![first.said(format!("{state}: {asked}"))];
        let quotes = quoted(&self.attempt.answer, &point.evidence);
        if !quotes.is_empty() && !is_denied {
            rows.push(labelled("you", &quotes));
        }
        // a No to what the rules did not find says nothing new
        let is_news = |claim: &&Claimed| claim.reply != Reply::No || is_denied;
        rows.extend(claim.filter(is_news).map(claimed));
        if let Some(words) = self.earning(point) {
            rows.push(labelled("model", &words));
        }
        if rules {
            let rule = point.rule.as_ref().map_or(id.clone(), |rule| format!("{id}, {rule}"));
            rows.push(author(&rule));
        }
        Rows::of(rows)
    }

    /// The sentences of the model answer that earn a point.
    fn earning(&self, point: &PointScore) -> Option<String> {
        let (text, score) = self.model?;
        let mut points = score.parts.iter().flat_map(|p| &p.points);
        let found = points.find(|p| p.id == point.id && p.met)?;
        let sentences: Vec<Evidence> = found.evidence.iter().map(|words| sentence(text, words)).collect();
        Some(authored(&quoted(text, &sentences)))
    }

    /// What the learner said of a point when asked.
    pub(super) fn claim(&self, part: &PartScore, point: &PointScore) -> Option<&'a Claimed> {
        let claims = self.attempt.claims.as_ref()?;
        claims.claimed.iter().find(|c| c.part == part.part && c.point == point.id)
    }

    /// Whether the learner says that a point was not said which the rules found.
    pub(super) fn is_denied(&self, part: &PartScore, point: &PointScore) -> bool {
        (point.met || point.partial) && self.claim(part, point).is_some_and(|claim| claim.reply == Reply::No)
    }

    fn correction(&self, wrong: &FoundMisconception, rules: bool) -> Document {
        let all = Document::new().title("Not so").words(&quoted(&self.attempt.answer, &wrong.evidence));
        let all = all.words(&authored(&wrong.correction));
        let all = match wrong.rule.as_ref().filter(|_| rules) {
            Some(rule) => all.rows(Rows::of([author(rule)])),
            None => all,
        };
        self.objection(&wrong.id, all)
    }

    /// What the learner has against a mark, below what is said of it.
    fn objection(&self, about: &str, all: Document) -> Document {
        let Some(dispute) = self.dispute(about) else { return all };
        let all = all.words(&format!("You disagree: {}", dispute.note));
        match &dispute.sentence {
            Some(sentence) => all.rows(Rows::of([labelled("you", &format!("“{}”", one_line(sentence)))])),
            None => all,
        }
    }
}

/// The sentence that some words of a text stand in.
fn sentence(text: &str, words: &Evidence) -> Evidence {
    let is_end = |at: &usize| {
        let (before, after) = text.split_at(*at);
        after.is_empty()
            || after.starts_with('\n')
            || before.ends_with(['.', '!', '?', ':']) && after.starts_with(char::is_whitespace)
    };
    let begins = text[..words.start].char_indices().map(|(at, _)| at).rfind(is_end).unwrap_or(0);
    let start = words.start - text[begins..words.start].trim_start().len();
    let end = (words.end..=text.len()).filter(|at| text.is_char_boundary(*at)).find(is_end);
    let range = start..end.unwrap_or(text.len());
    Evidence { start: range.start, end: range.end, text: text[range].to_owned() }
}

pub fn labelled(label: &str, words: &str) -> Row {
    let label_cell = Cell::text(format!("  {label:<LABEL$}")).role(Role::Dim);
    let said = match label {
        "you" => format!("You: {words}"),
        "model" => format!("The model answer says {}", voiced(words)),
        label => format!("{}: {words}", capital(label)),
    };
    Row::new([label_cell, Cell::text(words)]).wrapped().said(said)
}

/// An author's words in quotes, with what no voice reads in words: in anybody else's quotes it stays.
fn voiced(quotes: &str) -> String {
    let parts: Vec<String> = quotes
        .split_inclusive(['“', '”'])
        .map(|part| {
            let (words, mark) = part.split_at(part.trim_end_matches(['“', '”']).len());
            format!("{}{mark}", aloud(words))
        })
        .collect();
    parts.concat()
}

/// `by you: yes, “these words”`; for the ear a sentence.
fn claimed(claim: &Claimed) -> Row {
    let reply = match claim.reply {
        Reply::Yes => "yes",
        Reply::Partly => "partly",
        Reply::No => "no",
    };
    let words = claim.sentence.as_ref().map(|e| format!(", “{}”", one_line(&e.text)));
    let words = words.unwrap_or_default();
    let said = match claim.reply {
        // what stands before it says so
        Reply::No => String::new(),
        _ => format!("Asked, you said {reply}{words}"),
    };
    labelled("by you", &format!("{reply}{words}")).said(said)
}

/// The rule behind a mark, for those who write them.
fn author(rule: &str) -> Row {
    let text = Cell::text(format!("  for authors: {rule}")).role(Role::Dim);
    Row::new([text]).wrapped().said(format!("For authors: {rule}"))
}

/// An author's sentence as it is read: the marks of inline code are taken out.
pub(super) fn authored(text: &str) -> String {
    text.replace('`', "")
}

/// A text on one line.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `“these words”, “and these”`: the sentences that words of a text stand in, or of a long sentence the clause, in its
/// order, each once.
pub fn quoted<'e>(text: &str, evidence: impl IntoIterator<Item = &'e Evidence>) -> String {
    quotes_of(text, clauses(text, evidence))
}

/// Where the sentences stand, or the clauses, that words of a text stand in: in its order, each once.
pub(super) fn clauses<'e>(text: &str, evidence: impl IntoIterator<Item = &'e Evidence>) -> Vec<Range<usize>> {
    let mut whole: Vec<Range<usize>> = Vec::new();
    for bytes in phrases(text, evidence).into_iter().map(|bytes| clause(text, bytes)) {
        match whole.last_mut() {
            Some(last) if bytes.start < last.end => last.end = last.end.max(bytes.end),
            _ => whole.push(bytes),
        }
    }
    whole
}

/// What stands there, in quotation marks.
pub(super) fn quotes_of(text: &str, whole: Vec<Range<usize>>) -> String {
    let mut quotes = String::new();
    for bytes in whole {
        if quotes.len() > MOST_QUOTED {
            return quotes + " …";
        }
        let words = one_line(&text[bytes]);
        let words = words.trim_end_matches(['.', ',', ';', ':']);
        let end = words.floor_char_boundary(MOST_QUOTED);
        let cut = if end < words.len() { " …" } else { "" };
        let comma = if quotes.is_empty() { "" } else { ", " };
        quotes.push_str(&format!("{comma}“{}{cut}”", &words[..end]));
    }
    quotes
}

/// A sentence of more words is quoted in clauses.
const LONG: usize = 24;

/// The sentence that some words of a text stand in; of a long one the clauses.
fn clause(text: &str, bytes: Range<usize>) -> Range<usize> {
    let words = Evidence { start: bytes.start, end: bytes.end, text: String::new() };
    let whole = sentence(text, &words).range();
    if text[whole.clone()].split_whitespace().count() <= LONG {
        return whole;
    }
    let is_end = |(at, sign): &(usize, char)| {
        let next = text[at + sign.len_utf8()..].chars().next();
        matches!(sign, ',' | ';' | ':' | '(' | ')') && next.is_none_or(char::is_whitespace) || *sign == '('
    };
    let before = text[whole.start..bytes.start].char_indices().map(|(at, sign)| (whole.start + at, sign));
    let start = before.rev().find(is_end).map_or(whole.start, |(at, sign)| at + sign.len_utf8());
    let start = start + (text[start..bytes.start].len() - text[start..bytes.start].trim_start().len());
    let after = text[bytes.end..whole.end].char_indices().map(|(at, sign)| (bytes.end + at, sign));
    let end = after.into_iter().find(is_end).map_or(whole.end, |(at, _)| at);
    start..bytes.end + text[bytes.end..end].trim_end().len()
}

/// So many bytes are quoted of an answer at most.
const MOST_QUOTED: usize = 4000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_model_answer_says_is_quoted_in_words() {
        let row = labelled("model", "“stage 3 moves 3Ψ × 2”, “it takes 2(d-1)/d of that”");
        let said = row.said.unwrap_or_default();
        assert!(said.starts_with("The model answer says “stage 3 moves 3") && said.ends_with('”'), "{said}");
        assert!(!said.contains(['Ψ', '×', '/']), "{said}");
    }

    #[test]
    fn a_sentence_is_found_around_its_words() {
        let text = "It takes 1.5 times: here is why.\nState first. It needs 16 bytes";
        let of = |words: &str| {
            let start = text.find(words).expect("it stands there");
            sentence(text, &Evidence { start, end: start + words.len(), text: words.to_owned() }).text
        };
        assert_eq!(of("5 times"), "It takes 1.5 times:");
        assert_eq!(of("why"), "here is why.");
        assert_eq!(of("State"), "State first.");
        assert_eq!(of("first"), "State first.");
        assert_eq!(of("16"), "It needs 16 bytes");
        assert_eq!(of("It needs"), "It needs 16 bytes");
    }
}
