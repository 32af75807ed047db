//! The numbers from which the confidence of a verdict is read, and the sentences that come near a point.

use std::collections::{BTreeMap, BTreeSet};

use super::Verdict;
use super::confidence::{SIGNS, Signs};
use super::matching::{Found, Matcher, Reading};
use super::verdict::{Findings, Finds};

/// How near a sentence comes to a point that is not met.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Near {
    /// The share of the slots of a pattern that it fills, 0 to 1.
    pub share: f64,
    /// The sentence.
    pub sentence: Option<usize>,
    /// The pattern.
    pub pattern: Option<usize>,
    /// Words of one sentence that fill every slot of a pattern, though not as it joins them.
    pub loose: Option<Found>,
}

/// The sentence that comes nearest to any of these patterns.
pub(super) fn nearest(matchers: &[Matcher], reading: &Reading) -> Near {
    let mut best = Near::default();
    let mut filled = vec![0_u16; reading.layout.sentences.len()];
    for (at, matcher) in matchers.iter().enumerate() {
        filled.fill(0);
        let mut slots = 0_u16;
        for hits in matcher.slot_hits(reading) {
            slots += 1;
            let mut last = None;
            for hit in hits {
                let sentence = reading.layout.sentence[hit.start];
                if last.replace(sentence) != Some(sentence) {
                    filled[sentence] += 1;
                }
            }
        }
        for (sentence, &n) in filled.iter().enumerate().filter(|(_, n)| **n > 0) {
            let share = f64::from(n) / f64::from(slots.max(2));
            if share > best.share {
                best = Near { share, sentence: Some(sentence), pattern: Some(at), loose: None };
            }
        }
    }
    if best.share >= 1.0 {
        best.loose = best.pattern.zip(best.sentence).and_then(|(at, s)| matchers[at].loosely(reading, s));
    }
    best
}

/// The parts of an answer that have no evidence: what no rule accounts for.
#[derive(Debug, Clone, Default)]
pub(super) struct Whole {
    /// The share of the sentences that no point is met by, 0 to 1.
    pub unexplained: f64,
    /// How many sentences there are.
    pub sentences: usize,
    /// How many statements are false.
    pub false_ones: usize,
    /// The level of each part, 0 to 2, in the order of the rubric.
    pub levels: Vec<f64>,
}

/// Sentences of fewer words state little.
const SHORT: usize = 5;

impl Whole {
    pub(super) fn of(reading: &Reading, findings: &Findings, false_ones: usize) -> Whole {
        let layout = &reading.layout;
        let mut told = vec![false; layout.sentences.len()];
        let all = findings.full.iter().chain(&findings.partial).flatten();
        for (_, found) in all {
            let span = found.span();
            told[layout.sentence[span.start]] = true;
            told[layout.sentence[span.end - 1]] = true;
        }
        let long = (0..told.len()).filter(|&s| layout.sentences[s].len() >= SHORT);
        let (mut sentences, mut untold) = (0, 0);
        for s in long {
            sentences += 1;
            untold += usize::from(!told[s]);
        }
        let unexplained = untold as f64 / sentences.max(1) as f64;
        Whole { unexplained, sentences, false_ones, levels: Vec::new() }
    }
}

/// What is known of one part.
pub(super) struct PartSigns<'a> {
    pub verdict: Verdict,
    pub part: usize,
    /// The points of the part.
    pub points: &'a [usize],
    /// How many points it needs.
    pub need: usize,
    /// How many are met in full, after all guards.
    pub met: usize,
    /// How many words its patterns know, for each point.
    pub breadth: &'a [usize],
    pub near: &'a [Near],
    pub vague: bool,
    /// Whether something false was said about the part.
    pub denied: bool,
}

impl PartSigns<'_> {
    /// The numbers.
    pub(super) fn read(&self, reading: &Reading, findings: &Findings, whole: &Whole) -> Signs {
        let finds = || self.points.iter().flat_map(|&i| &findings.full[i]);
        let rules: BTreeSet<&str> = finds().map(|(rule, _)| rule.as_str()).collect();
        let words: BTreeSet<usize> =
            finds().flat_map(|(_, f)| f.words.iter().flat_map(|w| w.clone())).collect();
        let slots = finds().map(|(_, f)| f.words.len()).max().unwrap_or(0);
        let sentences = reading.sentences_of(finds());
        let long = sentences.iter().map(|&s| reading.layout.sentences[s].len()).sum::<usize>();
        let looseness = finds().map(|(_, f)| loose(f)).fold(f64::INFINITY, f64::min);
        let partial = self.points.iter().filter(|&&i| !findings.partial[i].is_empty()).count();
        let near = self
            .points
            .iter()
            .filter(|&&i| findings.full[i].is_empty())
            .map(|&i| self.near[i].share)
            .fold(0.0, f64::max);
        let breadth: usize = self.points.iter().map(|&i| self.breadth[i]).sum();
        let n = whole.levels.len().max(2) as f64;
        let others = (whole.levels.iter().sum::<f64>() - whole.levels[self.part]) / (2.0 * (n - 1.0));
        let need = self.need.max(1) as f64;
        let signs: [f64; SIGNS] = [
            f64::from(u8::from(self.verdict == Verdict::Covered)),
            f64::from(u8::from(self.verdict == Verdict::Partial)),
            (self.met as f64 / need).min(2.0),
            self.met as f64 / self.points.len().max(1) as f64,
            (partial as f64).min(2.0),
            (1.0 + rules.len() as f64).ln(),
            (1.0 + words.len() as f64).ln(),
            slots as f64,
            if looseness.is_finite() { looseness } else { 0.0 },
            (1.0 + long as f64).ln(),
            near,
            whole.unexplained,
            (1.0 + whole.sentences as f64).ln(),
            (1.0 + breadth as f64).ln(),
            (whole.false_ones as f64).min(3.0),
            others,
            f64::from(u8::from(self.vague)),
            f64::from(u8::from(self.denied)),
        ];
        Signs(signs)
    }
}

/// How far apart the words of a find stand: tokens a word, as a logarithm.
fn loose(found: &Found) -> f64 {
    let words: usize = found.words.iter().map(|w| w.len()).sum();
    (found.span().len() as f64 / words.max(1) as f64).ln()
}

/// A sentence that meets more points than this for its words only names them.
const CROWDED: usize = 3;
/// Words that a statement takes, even in notes.
const WORDS_A_STATEMENT: usize = 3;

/// The points that are met only in sentences which meet more points than they have words for.
pub(super) fn crowded(reading: &Reading, full: &[Finds]) -> Vec<bool> {
    // what reaches into a second sentence is no mere naming in one
    let within = |f: &Found| {
        let span = f.span();
        let first = reading.layout.sentence[span.start];
        (first == reading.layout.sentence[span.end - 1]).then_some(first)
    };
    let mut points: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for (i, finds) in full.iter().enumerate() {
        for sentence in finds.iter().filter_map(|(_, f)| within(f)) {
            points.entry(sentence).or_default().insert(i);
        }
    }
    let is_crowded = |s: usize| {
        let words = reading.layout.sentences[s].len();
        points.get(&s).is_some_and(|p| p.len() > CROWDED.max(words / WORDS_A_STATEMENT))
    };
    full.iter()
        .map(|finds| !finds.is_empty() && finds.iter().all(|(_, f)| within(f).is_some_and(is_crowded)))
        .collect()
}
