//! A text laid out by the parts that its sentences speak to, so that an answer and a model answer can stand beside
//! each other.

use std::ops::Range;

use crate::score::{Evidence, Score};

/// What of a text speaks to one part: its passages, in the order of the text, as one text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Passage {
    /// The sentences, a blank between those that do not follow each other.
    pub text: String,
    /// Of each sentence: its first byte in the whole text, and where it stands in `text`.
    places: Vec<(usize, Range<usize>)>,
}

impl Passage {
    /// Adds a piece of a text, with the marks that end it.
    fn add(&mut self, of: &str, bytes: Range<usize>) {
        let ends = of[bytes.end..].chars().take_while(|c| ".?!…”\")".contains(*c)).map(char::len_utf8);
        let bytes = bytes.start..bytes.end + ends.sum::<usize>();
        if !self.text.is_empty() {
            self.text.push(' ');
        }
        let from = self.text.len();
        // as many bytes as before
        self.text.push_str(&of[bytes.clone()].replace('\n', " "));
        self.places.push((bytes.start, from..self.text.len()));
    }

    /// Where some bytes of the whole text stand in this passage; none where they are not in it.
    pub fn find(&self, bytes: &Range<usize>) -> Option<Range<usize>> {
        self.places.iter().find_map(|(start, here)| {
            let from = here.start + bytes.start.checked_sub(*start)?;
            (from < here.end).then(|| from..(from + bytes.len()).min(here.end))
        })
    }
}

/// A text by parts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Aligned {
    /// Each part of the score, in its order, with what speaks to it.
    pub parts: Vec<(String, Passage)>,
    /// What speaks to none.
    pub rest: Passage,
}

/// An answer by parts: each sentence goes to the part with most of its evidence; what earned nothing is the rest.
pub fn answer(text: &str, sentences: &[Evidence], score: &Score) -> Aligned {
    let mut out = empty(score);
    for sentence in sentences {
        let passage = match part_of(&sentence.range(), score) {
            Some(part) => &mut out.parts[part].1,
            None => &mut out.rest,
        };
        passage.add(text, sentence.range());
    }
    out
}

/// A model answer by parts, nothing left over: paragraph by paragraph where it has one for each part, else sentence by
/// sentence, and a sentence without evidence goes with the one before it.
pub fn model(text: &str, sentences: &[Evidence], score: &Score) -> Aligned {
    let paragraphs = paragraphs(text);
    let mut parts: Vec<Option<usize>> = paragraphs.iter().map(|bytes| part_of(bytes, score)).collect();
    if parts.len() == score.parts.len() {
        settle(&mut parts);
    }
    let mut taken: Vec<usize> = parts.iter().flatten().copied().collect();
    taken.sort_unstable();
    taken.dedup();
    let pieces: Vec<Range<usize>> = match taken.len() == score.parts.len() {
        true => paragraphs,
        false => sentences.iter().map(Evidence::range).collect(),
    };
    let mut out = empty(score);
    let mut last = 0;
    for (nth, bytes) in pieces.iter().enumerate() {
        let own = match taken.len() == score.parts.len() {
            true => parts[nth],
            false => part_of(bytes, score),
        };
        last = own.unwrap_or(last);
        if let Some((_, passage)) = out.parts.get_mut(last) {
            passage.add(text, bytes.clone());
        }
    }
    out
}

/// A paragraph without evidence is for the one part that no other is for, where that is plain.
fn settle(parts: &mut [Option<usize>]) {
    let free: Vec<usize> = (0..parts.len()).filter(|part| !parts.contains(&Some(*part))).collect();
    let open: Vec<usize> = (0..parts.len()).filter(|at| parts[*at].is_none()).collect();
    if let ([part], [at]) = (free.as_slice(), open.as_slice()) {
        parts[*at] = Some(*part);
    }
}

fn empty(score: &Score) -> Aligned {
    let parts = score.parts.iter().map(|p| (p.part.clone(), Passage::default()));
    Aligned { parts: parts.collect(), rest: Passage::default() }
}

/// The part with most of its evidence in these bytes; of several, the first.
fn part_of(bytes: &Range<usize>, score: &Score) -> Option<usize> {
    let inside = |e: &Evidence| e.end.min(bytes.end).saturating_sub(e.start.max(bytes.start));
    let weight = |part: usize| -> usize {
        let of = &score.parts[part];
        let wrong = score.misconceptions.iter().filter(|m| m.part == of.part).flat_map(|m| &m.evidence);
        of.points.iter().flat_map(|p| &p.evidence).chain(wrong).map(inside).sum()
    };
    let weights = (0..score.parts.len()).map(|part| (weight(part), part)).filter(|(weight, _)| *weight > 0);
    weights.min_by_key(|(weight, part)| (std::cmp::Reverse(*weight), *part)).map(|(_, part)| part)
}

fn paragraphs(text: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut at = 0;
    for piece in text.split("\n\n") {
        let words = piece.trim();
        if !words.is_empty() {
            let from = at + (piece.len() - piece.trim_start().len());
            out.push(from..from + words.len());
        }
        at += piece.len() + 2;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::{PartScore, PointScore, Source, Verdict};

    fn found(text: &str, words: &str) -> Evidence {
        let start = text.find(words).expect("the words stand there");
        Evidence { start, end: start + words.len(), text: words.into() }
    }

    fn score(parts: &[(&str, Vec<Evidence>)]) -> Score {
        let part = |(id, evidence): &(&str, Vec<Evidence>)| PartScore {
            part: (*id).into(),
            verdict: Verdict::Covered,
            confidence: 1.0,
            sure: true,
            source: Source::Rules,
            by_rules: None,
            score: 1.0,
            points: vec![PointScore {
                id: "p".into(),
                met: true,
                partial: false,
                evidence: evidence.clone(),
                rule: None,
            }],
            feedback: String::new(),
        };
        Score {
            drill: "d".into(),
            score: 1.0,
            range: None,
            limiting_part: None,
            parts: parts.iter().map(part).collect(),
            misconceptions: Vec::new(),
            flags: Vec::new(),
            words: 0,
        }
    }

    #[test]
    fn a_sentence_goes_where_most_of_its_evidence_is_and_the_others_are_left() {
        let text = "Bytes move in a ring. Hello. A long tail of latency, in bytes.";
        let sentences: Vec<Evidence> =
            ["Bytes move in a ring", "Hello.", "A long tail of latency, in bytes."]
                .map(|s| found(text, s))
                .into();
        let tail = found(text, "long tail of latency");
        let score =
            score(&[("mechanism", vec![found(text, "move in a ring")]), ("tradeoff", vec![tail.clone()])]);
        let aligned = answer(text, &sentences, &score);
        assert_eq!(aligned.parts[0].1.text, "Bytes move in a ring.");
        let (_, last) = &aligned.parts[1];
        assert_eq!(&last.text[last.find(&tail.range()).expect("it is there")], "long tail of latency");
        assert_eq!(last.find(&(0..5)), None);
        assert_eq!(aligned.rest.text, "Hello.");
    }

    #[test]
    fn a_model_of_a_paragraph_each_keeps_them_whole_and_another_is_parted_by_sentences() {
        let text = "First of all. Ring it.\n\nSecond thing. No mark.";
        let sentences: Vec<Evidence> =
            ["First of all.", "Ring it.", "Second thing.", "No mark."].map(|s| found(text, s)).into();
        let both = score(&[("a", vec![found(text, "Ring it")]), ("b", vec![found(text, "Second")])]);
        let aligned = model(text, &sentences, &both);
        assert_eq!(aligned.parts[0].1.text, "First of all. Ring it.");
        assert_eq!(aligned.parts[1].1.text, "Second thing. No mark.");
        let three = score(&[
            ("a", vec![found(text, "First")]),
            ("b", vec![found(text, "Ring")]),
            ("c", vec![found(text, "Second")]),
        ]);
        let aligned = model(text, &sentences, &three);
        let texts: Vec<&str> = aligned.parts.iter().map(|(_, p)| p.text.as_str()).collect();
        assert_eq!(texts, ["First of all.", "Ring it.", "Second thing. No mark."]);
    }
}
