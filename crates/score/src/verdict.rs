//! From what was found to verdicts, marks, feedback and flags.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::confidence::{Model, Signs};
use super::marks::{Source, points_of};
use super::matching::{Found, Reading};
use super::signs::{self, Near, PartSigns, Whole};
use super::{
    Evidence, Falsehood, Flag, FoundMisconception, PartScore, Point, PointScore, Rubric, Score, Verdict,
};

/// Words found, with the pattern that found them.
pub(super) type Finds = Vec<(String, Found)>;

/// All that was found in an answer, in the order of the rubric.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// Statements that meet each point in full.
    pub full: Vec<Finds>,
    /// Statements that meet it in part.
    pub partial: Vec<Finds>,
    /// Statements of its opposite.
    pub contrary: Vec<Finds>,
    /// Statements that are false because a point is true: a claim turned round, a wrong figure.
    pub turned: Vec<Finds>,
    /// Statements of each misconception.
    pub misconceptions: Vec<Finds>,
    /// Statements of what is false in every drill of the pack.
    pub falsehoods: Vec<Finds>,
    /// Vague statements, by part.
    pub vague: BTreeMap<String, Finds>,
}

impl Findings {
    /// How many points are met in full.
    fn real(&self) -> usize {
        self.full.iter().filter(|f| !f.is_empty()).count()
    }

    /// The drill's own truth comes first: what a point asks for is not false, whatever else reads so.
    fn keep_what_is_true(&mut self, reading: &Reading) {
        let sentence = |f: &Found| reading.layout.sentence[f.span().start];
        for (turned, full) in self.turned.iter_mut().zip(&self.full) {
            turned.retain(|(_, t)| !full.iter().any(|(_, f)| sentence(f) == sentence(t)));
        }
        let truths: Vec<&Found> = self.full.iter().flatten().map(|(_, f)| f).collect();
        let shared = |a: &Found, b: &Found| a.words.iter().filter(|w| b.words.contains(w)).count();
        for finds in &mut self.falsehoods {
            finds.retain(|(_, f)| !truths.iter().any(|t| shared(f, t) >= 2));
        }
    }

    /// A statement that is false, or stands in one sentence with a false one of the same part,
    /// earns nothing.
    fn drop_what_is_false(&mut self, rubric: &Rubric, falsehoods: &[&Falsehood], reading: &Reading) {
        let mut wrong: Vec<(Option<&str>, Range<usize>)> = Vec::new();
        let named = rubric.misconceptions.iter().map(|m| Some(m.part.as_str())).zip(&self.misconceptions);
        let turned = rubric.points.iter().map(|p| Some(p.part.as_str())).zip(&self.turned);
        let shared = falsehoods.iter().map(|f| f.part.as_deref()).zip(&self.falsehoods);
        for (part, finds) in named.chain(turned).chain(shared) {
            wrong.extend(finds.iter().map(|(_, f)| (part, f.span())));
        }
        let sentence = |t: usize| reading.layout.sentence[t];
        for (i, point) in rubric.points.iter().enumerate() {
            let stands = |found: &Found| {
                let span = found.span();
                !wrong.iter().any(|(part, w)| {
                    let overlap = w.start < span.end && span.start < w.end;
                    let beside = sentence(span.start) <= sentence(w.start)
                        && sentence(w.start) <= sentence(span.end - 1);
                    overlap || part.is_none_or(|p| point.serves(p)) && beside
                })
            };
            self.full[i].retain(|(_, f)| stands(f));
            self.partial[i].retain(|(_, f)| stands(f));
        }
        for finds in self.vague.values_mut() {
            finds.retain(|(_, f)| {
                let span = f.span();
                !wrong.iter().any(|(_, w)| sentence(w.start) == sentence(span.start))
            });
        }
    }
}

impl Findings {
    /// A sentence that meets more points than it has words for only names them.
    fn thin_out_crowds(&mut self, reading: &Reading) {
        let crowded = signs::crowded(reading, &self.full);
        for (i, _) in crowded.iter().enumerate().filter(|(_, c)| **c) {
            self.partial[i] = std::mem::take(&mut self.full[i]);
        }
    }

    /// How many sentences say something false.
    fn false_sentences(&self, reading: &Reading) -> usize {
        let named = self.misconceptions.iter().chain(&self.turned).chain(&self.falsehoods).flatten();
        let sentences: BTreeSet<usize> =
            named.map(|(_, f)| reading.layout.sentence[f.span().start]).collect();
        sentences.len()
    }

    /// How many sentences earn a point.
    fn true_sentences(&self, reading: &Reading) -> usize {
        let sentences: BTreeSet<usize> =
            self.full.iter().flatten().map(|(_, f)| reading.layout.sentence[f.span().start]).collect();
        sentences.len()
    }
}

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

/// How many times nearer to another drill a text is that answers that one.
const ELSEWHERE: f64 = 1.2;
/// The same where the text covers half of the parts and more: it may answer both.
const ELSEWHERE_THOUGH_RIGHT: f64 = 1.55;

/// Whether the text answers another drill.
fn is_elsewhere(rubric: &Rubric, reading: &Reading, findings: &Findings) -> bool {
    let is_met = |part: &&String| {
        let mut points = rubric.points.iter().zip(&findings.full);
        points.any(|(point, full)| point.serves(part) && !full.is_empty())
    };
    let met = rubric.parts.iter().filter(is_met).count();
    let limit = if met * 2 >= rubric.parts.len() { ELSEWHERE_THOUGH_RIGHT } else { ELSEWHERE };
    reading.nearer_elsewhere > limit
}

/// An answer with this share of sentences that deny something tells what is not so.
const MOSTLY_DENIALS: f64 = 0.7;
/// The same where it also says two false things.
const MANY_DENIALS: f64 = 0.45;

/// Fewer words than this are too few to judge.
const FEW_WORDS: usize = 8;

/// Why an answer as a whole states nothing, if it does.
#[derive(Debug, Clone, Copy)]
struct Empty {
    mostly_false: bool,
    mostly_denials: bool,
    elsewhere: bool,
}

impl Empty {
    /// Looks at an answer in which so many misconceptions are named.
    fn of(rubric: &Rubric, reading: &Reading, findings: &Findings, named: usize) -> Self {
        let real = findings.real();
        // a denied point is less sure than a claim that the rubric names
        let mut sentences = sentences_of(reading, &findings.misconceptions);
        sentences.extend(sentences_of(reading, &findings.turned));
        sentences.extend(sentences_of(reading, &findings.falsehoods));
        let claims = sentences.len();
        sentences.extend(sentences_of(reading, &findings.contrary));
        // two misconceptions in one sentence are one
        let false_ones = sentences.len().min(named);
        let denials = reading.polarity.share_of_denials(&reading.layout, &reading.guarded.dead);
        Empty {
            mostly_false: false_ones >= 3 && false_ones >= 2 * real
                || false_ones >= 4 && false_ones > real
                || claims >= 4 && claims + 1 >= real,
            // where the right answer is a denial, it earns points, and nothing of it is false
            mostly_denials: denials >= MOSTLY_DENIALS && (real == 0 || false_ones > 0)
                || denials >= MANY_DENIALS && false_ones >= 2,
            elsewhere: is_elsewhere(rubric, reading, findings),
        }
    }

    fn is_any(self) -> bool {
        self.mostly_false || self.mostly_denials || self.elsewhere
    }
}

/// The sentences in which something is found.
fn sentences_of(reading: &Reading, finds: &[Finds]) -> BTreeSet<usize> {
    let all = finds.iter().flatten();
    all.map(|(_, f)| reading.layout.sentence[f.span().start]).collect()
}

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
        Context { known, answer, reading, findings, denied, states_nothing, doubtful, real }.verdict(part)
    };
    let mut verdicts: Vec<Verdict> = rubric.parts.iter().map(|p| about(p, &findings)).collect();
    if false_ones == 0 && !empty.is_any() {
        credit_loose(known, &mut verdicts, &mut findings);
    }
    let findings = findings;
    let context = |part: &str| Context {
        known,
        answer,
        reading,
        findings: &findings,
        denied: misconceptions.iter().any(|m| m.part == part),
        states_nothing: empty.is_any(),
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
        flags: flags(reading, words, &empty, doubtful),
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
        let groups: u32 = need.groups.iter().map(|g| g.count).sum();
        let breadth: usize = points.iter().map(|&i| self.known.breadth[i]).sum();
        let signs = PartSigns {
            verdict,
            part: at,
            points: &points,
            need: need.count.max(groups).max(1) as usize,
            met: points.iter().filter(|&&i| !self.findings.full[i].is_empty()).count(),
            breadth: &self.known.breadth,
            near: &self.known.near,
            vague: self.findings.vague.get(part).is_some_and(|v| !v.is_empty()),
            denied: self.denied,
        };
        let signs = signs.read(self.reading, self.findings, whole);
        let model = Model::built_in();
        let mut confidence = model.chance(&signs, verdict);
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
            sure: confidence >= model.threshold,
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
        let doubted = self.doubtful && !self.is_well_said(&points);
        match (self.denied || doubted, verdict) {
            (true, Verdict::Covered) => Verdict::Partial,
            (true, _) => Verdict::Missing,
            (false, v) => v,
        }
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

fn sentence_of(reading: &Reading, found: &Found) -> usize {
    reading.layout.sentence[found.span().start]
}

fn overlaps(a: &[Evidence], b: &[Evidence]) -> bool {
    a.iter().any(|x| b.iter().any(|y| x.start < y.end && y.start < x.end))
}

/// The false statements: those that the rubric and the pack name, points turned round, and denials of points.
fn misconceptions(
    rubric: &Rubric,
    falsehoods: &[&Falsehood],
    answer: &str,
    reading: &Reading,
    findings: &Findings,
) -> Vec<FoundMisconception> {
    let mut found: Vec<FoundMisconception> = Vec::new();
    let mut told: BTreeSet<usize> = BTreeSet::new();
    let mut add = |id: &str, part: &str, correction: &str, finds: &Finds, own: bool| {
        // what the author of the drill says of a sentence is said; others add nothing to it
        let is_new = |f: &&(String, Found)| own || !told.contains(&sentence_of(reading, &f.1));
        let finds: Finds = finds.iter().filter(is_new).cloned().collect();
        let Some((rule, _)) = finds.first() else { return };
        let evidence = evidence(answer, reading, &finds);
        // what one correction answers needs no second one
        if found.iter().any(|f| (part.is_empty() || f.part == part) && overlaps(&f.evidence, &evidence)) {
            return;
        }
        told.extend(finds.iter().map(|(_, f)| sentence_of(reading, f)));
        found.push(FoundMisconception {
            id: id.to_owned(),
            part: part.to_owned(),
            evidence,
            correction: correction.to_owned(),
            rule: Some(rule.clone()),
        });
    };
    for (m, finds) in rubric.misconceptions.iter().zip(&findings.misconceptions) {
        add(&m.id, &m.part, &m.correction, finds, true);
    }
    for (p, finds) in rubric.points.iter().zip(&findings.turned) {
        add(&p.id, &p.part, p.says.as_deref().unwrap_or(&p.feedback), finds, false);
    }
    for (f, finds) in falsehoods.iter().zip(&findings.falsehoods) {
        // of a part that this drill does not ask about, it costs no part
        let part = f.part.as_deref().filter(|part| rubric.parts.iter().any(|p| p == part));
        add(&f.id, part.unwrap_or_default(), &f.correction, finds, false);
    }
    // A lone denial beside nothing false is more often misread than meant, of however many points it seems to be one.
    let denials = sentences_of(reading, &findings.contrary).len();
    if found.is_empty() && denials < 2 {
        return found;
    }
    for (p, finds) in rubric.points.iter().zip(&findings.contrary) {
        let known = found.iter().any(|f| f.id == p.id);
        let is_new = |f: &&(String, Found)| !told.contains(&sentence_of(reading, &f.1));
        let finds: Finds = finds.iter().filter(is_new).cloned().collect();
        if let Some((rule, _)) = finds.first().filter(|_| !known) {
            found.push(FoundMisconception {
                id: p.id.clone(),
                part: p.part.clone(),
                evidence: evidence(answer, reading, &finds),
                correction: p.feedback.clone(),
                rule: Some(rule.clone()),
            });
        }
    }
    found
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

fn flags(reading: &Reading, words: usize, empty: &Empty, doubtful: bool) -> Vec<Flag> {
    let mut flags = Vec::new();
    let n = reading.tokens.len().max(1);
    if reading.guarded.listed * 2 > n {
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
    if words < FEW_WORDS && !reading.brief {
        flags.push(Flag::TooShort);
    }
    flags
}
