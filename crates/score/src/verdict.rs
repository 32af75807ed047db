//! From what was found to verdicts, marks, feedback and flags.

mod empty;
mod findings;
mod prose;
mod untrue;

use std::collections::BTreeSet;
use std::ops::Range;

use super::confidence::{Model, Signs};
use super::marks::{Source, points_of};
use super::matching::{Found, Reading};
use super::signs::{Near, PartSigns, Whole};
use super::{Evidence, Falsehood, Flag, PartScore, Point, PointScore, Rubric, Score, Verdict};

use empty::Empty;
pub(super) use findings::{Findings, Finds};
use untrue::misconceptions;

/// Thoughts, and words of evidence, of a part that is said fully.
const WELL_SAID_RULES: usize = 3;
const WELL_SAID_WORDS: usize = 8;

/// What silence is worth: nothing was said that could be judged otherwise.
const SILENCE: f64 = 0.95;

/// A part whose patterns know fewer words is thin.
const THIN: usize = 60;

/// A part whose patterns know as many is thick: what they do not find is hardly said in other words.
const THICK: usize = 400;

/// Where no rule accounts for a greater share of the sentences, what a part that is not thick did not find is less
/// sure, by this factor: it takes a chance of .85 and more then.
const MUCH_UNTOLD: f64 = 0.6;

/// The same for any part of a rubric that is not proven.
const MUCH_UNTOLD_UNPROVEN: f64 = 0.4;
const LESS_SURE: f64 = 0.76;
/// Of what a rubric that is not proven takes for covered at a lower chance, judges agree to two thirds.
const SURE_UNPROVEN: f64 = 0.75;
/// Of what a proven rubric says at this chance and above, judges agree to nine tenths, and to all but a level.
const SURE_PROVEN: f64 = 0.58;

/// Fewer words than this are too few to judge.
const FEW_WORDS: usize = 8;

/// What is known of a drill beside the answer.
pub(super) struct Known<'a> {
    pub rubric: &'a Rubric,
    pub falsehoods: &'a [&'a Falsehood],
    /// How many words the patterns of each point know.
    pub breadth: Vec<usize>,
    /// How near a sentence comes to each point.
    pub near: Vec<Near>,
    /// Whether the rubric was found to agree with judges on answers that its author had not read.
    pub is_proven: bool,
}

impl Known<'_> {
    /// The chance from which on a verdict is sure.
    fn least_sure(&self, verdict: Verdict, model: &Model) -> f64 {
        match (self.is_proven, verdict) {
            (false, Verdict::Covered) => model.threshold.max(SURE_UNPROVEN),
            (false, _) => model.threshold,
            (true, _) => model.threshold.min(SURE_PROVEN),
        }
    }

    /// Whether a part whose patterns know so many words may be said in words that none of them knows, where so great
    /// a share of the sentences is not accounted for.
    fn may_miss(&self, breadth: usize, untold: f64) -> bool {
        match self.is_proven {
            true => breadth < THICK && untold > MUCH_UNTOLD,
            false => untold > MUCH_UNTOLD_UNPROVEN,
        }
    }
}

/// How many false statements put the rest of an answer in doubt.
const MANY_FALSE: usize = 2;

/// More true sentences than three for two false ones leave no doubt of the rest.
const MOSTLY_TRUE: (usize, usize) = (3, 2);

/// Turns findings into marks, with the numbers that the confidence of each part is read from.
pub(super) fn score(
    known: &Known<'_>,
    answer: &str,
    reading: &Reading,
    mut findings: Findings,
) -> (Score, Vec<Signs>) {
    let rubric = known.rubric;
    findings.keep_what_is_true(reading);
    findings.drop_what_is_false(rubric, known.falsehoods, reading);
    findings.thin_out_crowds(reading);
    let misconceptions = misconceptions(rubric, known.falsehoods, answer, reading, &findings);
    let real = findings.real();
    let empty = Empty::of(rubric, reading, &findings, misconceptions.len());
    let false_ones = findings.false_sentences(reading);
    // who is mostly right is believed in the rest
    let (right, wrong) = MOSTLY_TRUE;
    let doubtful = false_ones >= MANY_FALSE && wrong * findings.true_sentences(reading) <= right * false_ones;
    let about = |part: &str, findings: &Findings| -> Verdict {
        let denied = misconceptions.iter().any(|m| m.part == part);
        let states_nothing = empty.is_any();
        Context { known, answer, reading, findings, denied, states_nothing, false_ones, doubtful, real }
            .verdict(part)
    };
    let mut verdicts: Vec<Verdict> = rubric.parts.iter().map(|p| about(p, &findings)).collect();
    if false_ones == 0 && !empty.is_any() {
        credit_loose(known, &mut verdicts, &mut findings);
        credit_last(&mut verdicts);
    }
    let findings = findings;
    let context = |part: &str| Context {
        known,
        answer,
        reading,
        findings: &findings,
        denied: misconceptions.iter().any(|m| m.part == part),
        states_nothing: empty.is_any(),
        false_ones,
        doubtful,
        real,
    };
    let mut whole = Whole::of(reading, &findings, false_ones);
    whole.levels = verdicts.iter().map(|v| points_of(*v) * 2.0).collect();
    let (mut parts, mut signs) = (Vec::new(), Vec::new());
    for (i, part) in rubric.parts.iter().enumerate() {
        let (mark, sign) = context(part).part(i, verdicts[i], &whole);
        parts.push(mark);
        signs.push(sign);
    }
    let words = super::count_words(answer);
    let mut score = Score {
        drill: rubric.drill.clone(),
        score: 0.0,
        range: None,
        limiting_part: None,
        flags: flags(answer, reading, words, &empty, doubtful && !empty.is_any()),
        parts,
        misconceptions,
        words,
    };
    score.settle();
    (score, signs)
}

/// The share of the other parts' marks from which on a sentence with all the words of a pattern is believed.
const BELIEVED: f64 = 0.4;

/// A sentence that has all the words of a pattern, though not in its order or clause, is worth a part in an answer
/// that says most of the rest as it should be said. Of such parts judges hold two thirds to be said.
fn credit_loose(known: &Known<'_>, verdicts: &mut [Verdict], findings: &mut Findings) {
    let rubric = known.rubric;
    let marks: f64 = verdicts.iter().map(|v| points_of(*v)).sum();
    let others = (verdicts.len().max(2) - 1) as f64;
    for (part, verdict) in rubric.parts.iter().zip(verdicts).filter(|(_, v)| **v == Verdict::Missing) {
        let own = (0..rubric.points.len()).filter(|&i| rubric.points[i].serves(part));
        let loose = own.filter_map(|i| Some((i, known.near[i].loose.clone()?))).next();
        let Some((i, found)) = loose.filter(|_| marks / others >= BELIEVED) else { continue };
        let pattern = known.near[i].pattern.and_then(|at| rubric.points[i].matches.get(at));
        findings.partial[i] = vec![(pattern.cloned().unwrap_or_default(), found)];
        *verdict = Verdict::Partial;
    }
}

/// Fewer parts than this say nothing of the last one.
const PARTS_THAT_TELL: usize = 4;

/// Where all the other parts are said in full and nothing is false, what was said of the last one is believed to be
/// all of it, in words that the rules do not know. Of such parts judges hold three quarters to be covered.
fn credit_last(verdicts: &mut [Verdict]) {
    let is_alone = verdicts.iter().filter(|v| **v != Verdict::Covered).count() == 1;
    if verdicts.len() >= PARTS_THAT_TELL && is_alone {
        let last = verdicts.iter_mut().find(|v| **v == Verdict::Partial);
        last.into_iter().for_each(|verdict| *verdict = Verdict::Covered);
    }
}

/// What a part's mark depends on.
struct Context<'a> {
    known: &'a Known<'a>,
    answer: &'a str,
    reading: &'a Reading,
    findings: &'a Findings,
    /// Whether something false was said about the part.
    denied: bool,
    /// Whether most of what was said is false or on something else.
    states_nothing: bool,
    /// How many sentences of the answer are false.
    false_ones: usize,
    /// Whether so much is false that the rest is in doubt.
    doubtful: bool,
    /// How many points are met in full.
    real: usize,
}

impl Context<'_> {
    /// The points of a part, by their places in the rubric.
    fn points(&self, part: &str) -> Vec<usize> {
        let points = &self.known.rubric.points;
        (0..points.len()).filter(|&i| points[i].serves(part)).collect()
    }

    fn part(&self, at: usize, verdict: Verdict, whole: &Whole) -> (PartScore, Signs) {
        let part = self.known.rubric.parts[at].as_str();
        let points = self.points(part);
        let need = self.known.rubric.need_of(part);
        let breadth: usize = points.iter().map(|&i| self.known.breadth[i]).sum();
        let signs = PartSigns {
            verdict,
            part: at,
            points: &points,
            need: need.wanted(),
            met: points.iter().filter(|&&i| !self.findings.full[i].is_empty()).count(),
            breadth: &self.known.breadth,
            near: &self.known.near,
            vague: self.findings.vague.get(part).is_some_and(|v| !v.is_empty()),
            denied: self.denied,
        };
        let signs = signs.read(self.reading, self.findings, whole);
        let model = Model::built_in();
        let mut confidence = model.chance(&signs, verdict);
        if self.is_halved(part, verdict) || verdict == Verdict::Covered && !self.is_said(part) {
            // judges of such parts are of two minds
            confidence = confidence.min(0.5);
        }
        let silent = whole.sentences == 0 || self.states_nothing;
        if silent {
            confidence = SILENCE;
        } else if verdict != Verdict::Covered {
            // what a thin rubric did not find may still have been said, and where it accounts for little of the
            // answer it is thin for this answer
            if breadth < THIN {
                confidence = confidence.min(0.5);
            } else if self.known.may_miss(breadth, whole.unexplained) {
                confidence *= LESS_SURE;
            }
        }
        let mark = PartScore {
            part: part.to_owned(),
            verdict,
            confidence,
            sure: confidence >= self.known.least_sure(verdict, model),
            source: Source::Rules,
            by_rules: None,
            score: points_of(verdict),
            feedback: self.feedback(part, verdict, &points),
            points: points.iter().map(|&i| self.point(i)).collect(),
        };
        (mark, signs)
    }

    fn verdict(&self, part: &str) -> Verdict {
        if self.states_nothing {
            return Verdict::Missing;
        }
        let points = self.points(part);
        let full = points.iter().filter(|&&i| !self.findings.full[i].is_empty()).count();
        let partial = points.iter().any(|&i| !self.findings.partial[i].is_empty());
        let vague = self.real > 0 && self.findings.vague.get(part).is_some_and(|v| !v.is_empty());
        let need = self.known.rubric.need_of(part);
        let verdict = if need.is_met(full, |id| self.is_met(id)) {
            Verdict::Covered
        } else if full > 0 || partial || vague {
            Verdict::Partial
        } else {
            Verdict::Missing
        };
        let is_bare = self.false_ones > 0 && !self.is_well_said(&points);
        match (self.denied || self.doubtful && is_bare, verdict) {
            (true, Verdict::Covered) => Verdict::Partial,
            (true, _) => Verdict::Missing,
            // of such parts, a bare thought beside a false statement, judges hold less than half to be covered
            (false, Verdict::Covered) if is_bare => Verdict::Partial,
            (false, v) => v,
        }
    }

    /// Whether a part that is said counts half for a false statement elsewhere.
    fn is_halved(&self, part: &str, verdict: Verdict) -> bool {
        verdict == Verdict::Partial && self.false_ones > 0 && !self.denied && self.is_said(part)
    }

    /// Whether a part has all the points that it needs.
    fn is_said(&self, part: &str) -> bool {
        let full = self.points(part).iter().filter(|&&i| !self.findings.full[i].is_empty()).count();
        self.known.rubric.need_of(part).is_met(full, |id| self.is_met(id))
    }

    /// Whether a part is said so fully that false statements elsewhere leave no doubt of it.
    fn is_well_said(&self, points: &[usize]) -> bool {
        let finds = || points.iter().flat_map(|&i| &self.findings.full[i]);
        let rules: BTreeSet<&str> = finds().map(|(rule, _)| rule.as_str()).collect();
        let words: BTreeSet<usize> =
            finds().flat_map(|(_, f)| f.words.iter().flat_map(|w| w.clone())).collect();
        rules.len() >= WELL_SAID_RULES && words.len() >= WELL_SAID_WORDS
    }

    /// Whether the point of this id is met in full.
    fn is_met(&self, id: &str) -> bool {
        let points = self.known.rubric.points.iter().zip(&self.findings.full);
        points.into_iter().any(|(p, full)| p.id == id && !full.is_empty())
    }

    fn point(&self, i: usize) -> PointScore {
        let full = &self.findings.full[i];
        let finds = if full.is_empty() { &self.findings.partial[i] } else { full };
        PointScore {
            id: self.known.rubric.points[i].id.clone(),
            met: !full.is_empty(),
            partial: full.is_empty() && !finds.is_empty(),
            evidence: evidence(self.answer, self.reading, finds),
            rule: finds.first().map(|(rule, _)| rule.clone()),
        }
    }

    /// A point that the part cannot do without.
    fn essential(&self, part: &str, points: &[usize]) -> Option<usize> {
        let all: Vec<&Point> = points.iter().map(|&i| &self.known.rubric.points[i]).collect();
        let need = self.known.rubric.need_of(part);
        let lacking = need.lacking(&all, |id| self.is_met(id))?;
        points.iter().copied().find(|&i| self.known.rubric.points[i].id == lacking.id)
    }

    /// The sentence of the first point that would raise the part.
    fn feedback(&self, part: &str, verdict: Verdict, points: &[usize]) -> String {
        let text = |i: &usize| self.known.rubric.points[*i].feedback.clone();
        let met = |i: &&usize| !self.findings.full[**i].is_empty();
        let half = |i: &&usize| !self.findings.partial[**i].is_empty();
        match verdict {
            Verdict::Covered => String::new(),
            _ => self
                .essential(part, points)
                .as_ref()
                .or_else(|| points.iter().find(half))
                .or_else(|| points.iter().find(|i| !met(i)))
                .or(points.first())
                .map(text)
                .unwrap_or_default(),
        }
    }
}

/// The words that fill patterns, as bytes of the answer; words close together are one piece.
pub(super) fn evidence(answer: &str, reading: &Reading, finds: &[(String, Found)]) -> Vec<Evidence> {
    let mut words: Vec<Range<usize>> = finds.iter().flat_map(|(_, f)| f.words.iter().cloned()).collect();
    words.sort_by_key(|w| (w.start, w.end));
    let mut pieces: Vec<Range<usize>> = Vec::new();
    for w in words {
        match pieces.last_mut() {
            Some(last) if w.start <= last.end + 3 && same_sentence(reading, last.end - 1, w.start) => {
                last.end = last.end.max(w.end)
            }
            _ => pieces.push(w),
        }
    }
    let bytes = |p: Range<usize>| {
        let start = reading.tokens[p.start].start;
        let end = reading.tokens[p.end - 1].end;
        Evidence { start, end, text: answer[start..end].to_owned() }
    };
    pieces.into_iter().map(bytes).collect()
}

fn same_sentence(reading: &Reading, a: usize, b: usize) -> bool {
    reading.layout.sentence[a] == reading.layout.sentence[b]
}

fn flags(answer: &str, reading: &Reading, words: usize, empty: &Empty, doubtful: bool) -> Vec<Flag> {
    let mut flags = Vec::new();
    let n = reading.tokens.len().max(1);
    // of a few words one thing is said
    let is_short = words < FEW_WORDS && !reading.brief;
    if reading.guarded.listed * 2 > n && !is_short {
        flags.push(Flag::KeywordList);
    }
    let copied = reading.guarded.copied.iter().filter(|c| **c).count();
    if copied * 3 > n {
        flags.push(Flag::CopiesPrompt);
    }
    if empty.elsewhere {
        flags.push(Flag::OffTopic);
    }
    if empty.mostly_denials {
        flags.push(Flag::MostlyDenials);
    }
    if doubtful {
        flags.push(Flag::Doubtful);
    }
    if prose::is_none(answer, words) {
        flags.push(Flag::NotProse);
    }
    if is_short {
        flags.push(Flag::TooShort);
    }
    flags
}
