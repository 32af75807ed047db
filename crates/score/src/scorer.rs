//! A rubric made ready, and answers scored against it.

mod builder;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use super::claim::Falsehood;
use super::concept::Concepts;
use super::guard::{self, Prompt};
use super::marks;
use super::matching::{Found, Matcher, Reading, Search, WORDS_TRIED};
use super::polarity;
use super::signs::{self, Near};
use super::statement::{self, Mention, Subjects};
use super::stem::Stems;
use super::token;
use super::topic::Topics;
use super::verdict::{self, Findings, Finds, Known};
use super::vocabulary::{self, SlotId, Vocabulary};
use super::{Ask, Claimed, Evidence, FollowUp, Glossary, Progress, Rubric, Score, Signs, Verdict};

use builder::Builder;

/// A point that a sentence comes near to without meeting it.
#[derive(Debug, Clone, PartialEq)]
pub struct NearMiss {
    /// The point's id.
    pub point: String,
    /// Its nearest pattern, as the author wrote it.
    pub pattern: String,
    /// The slots of that pattern that nothing in the sentence fills.
    pub lacks: Vec<String>,
    /// The sentence.
    pub sentence: Evidence,
    /// The share of the slots that it fills, 0 to 1.
    pub share: f64,
}

/// Vague words that an answer has for a part.
#[derive(Debug, Clone, PartialEq)]
pub struct VagueFind {
    /// The part's id.
    pub part: String,
    /// The pattern that found them, as its author wrote it.
    pub rule: String,
    /// The words.
    pub evidence: Vec<Evidence>,
}

/// A rubric made ready to score many answers.
pub struct Scorer {
    rubric: Rubric,
    vocabulary: Vocabulary,
    stems: Mutex<Stems>,
    prompt: Prompt,
    points: Vec<PointMatchers>,
    misconceptions: Vec<Vec<Matcher>>,
    /// What is false in every drill, with its patterns.
    falsehoods: Vec<(Falsehood, Vec<Matcher>)>,
    vague: Vec<(String, Vec<Matcher>)>,
    rivals: Vec<(SlotId, Subjects)>,
    start: Subjects,
    topics: Topics,
    /// Whether a few words, or things named one after the other, are an answer.
    brief: bool,
    /// Whether the rubrics of the pack are proven.
    is_proven: bool,
}

/// The patterns of a point.
struct PointMatchers {
    full: Vec<Matcher>,
    partial: Vec<Matcher>,
    /// What is false because the point is true: its claims turned round, wrong figures.
    contrary: Vec<Matcher>,
    /// How many words its patterns know.
    breadth: usize,
}

/// A sentence that fills less than this share of a pattern is not likely to state it.
const LIKELY: f64 = 0.5;

impl Scorer {
    /// Makes a rubric ready. Patterns that cannot be read are left out.
    pub fn new(rubric: &Rubric, glossary: &Glossary) -> Scorer {
        let concepts = Concepts::shared(glossary).with(rubric);
        let mut scorer = Scorer::made(rubric, glossary, &concepts, false);
        let stems = scorer.stems.get_mut().unwrap_or_else(PoisonError::into_inner);
        scorer.topics = Topics::new(glossary, &rubric.drill, stems);
        scorer
    }

    /// Makes the patterns of a follow-up question ready, with the words and misconceptions of its drill. The marks
    /// are those of its part alone. A few words may answer it, and it may lead to what another drill is about.
    pub fn of_follow_up(follow_up: &FollowUp, drill: &Rubric, glossary: &Glossary) -> Scorer {
        let concepts = Concepts::shared(glossary).with(drill);
        Scorer::with_concepts(follow_up, drill, glossary, &concepts)
    }

    /// The same, with the words of the drill at hand.
    pub(super) fn with_concepts(
        follow_up: &FollowUp,
        drill: &Rubric,
        glossary: &Glossary,
        concepts: &Concepts,
    ) -> Scorer {
        Scorer::made(&follow_up.rubric(drill), glossary, concepts, true)
    }

    fn made(rubric: &Rubric, glossary: &Glossary, concepts: &Concepts, brief: bool) -> Scorer {
        let mut b = Builder::new(rubric, glossary, concepts);
        let points = rubric.points.iter().map(|p| b.point(p)).collect();
        let misconceptions = rubric.misconceptions.iter();
        let misconceptions = misconceptions.map(|m| b.claims(&m.matches, &m.unless)).collect();
        let falsehoods = b.falsehoods(&glossary.falsehoods);
        let vague = b.vague(rubric, glossary);
        let (vocabulary, stems, rivals) = b.done();
        let mut scorer = Scorer {
            rubric: rubric.clone(),
            vocabulary,
            stems: Mutex::new(stems),
            prompt: Prompt::new(&token::lex(&rubric.prompt).tokens, &rubric.parts),
            points,
            misconceptions,
            falsehoods,
            vague,
            rivals,
            start: 0,
            topics: Topics::default(),
            brief,
            is_proven: glossary.is_proven,
        };
        scorer.start = scorer.named_by_prompt();
        scorer
    }

    /// The rival that the prompt names, if it names just one.
    fn named_by_prompt(&self) -> Subjects {
        if self.rivals.len() == 1 {
            return self.rivals[0].1;
        }
        let reading = self.read(&self.rubric.prompt);
        let mut named = self.rivals.iter().filter(|(s, _)| !reading.hits[*s].is_empty()).map(|(_, r)| *r);
        match (named.next(), named.next()) {
            (Some(one), None) => one,
            _ => 0,
        }
    }

    /// Reads a text for the words of the rubric.
    fn read(&self, text: &str) -> Reading {
        let lexed = token::lex(text);
        let layout = statement::layout(&lexed.tokens);
        let polarity = polarity::polarity(&lexed, &layout);
        let guarded = guard::guard(&lexed.tokens, &layout, &self.prompt, self.brief);
        let mut stems = self.stems.lock().unwrap_or_else(PoisonError::into_inner);
        let forms: Vec<_> =
            lexed.tokens.iter().map(|t| self.vocabulary.form(&t.word, stems.stem(&t.word))).collect();
        let nearer_elsewhere = self.topics.nearer_elsewhere(&lexed.tokens, &mut stems);
        stems.forget_if_many();
        drop(stems);
        let hits = self.vocabulary.hits(&lexed.tokens, &forms, &guarded.dead);
        let mut mentions: Vec<Mention> = Vec::new();
        for &(slot, rival) in &self.rivals {
            mentions.extend(hits[slot].iter().map(|&hit| Mention { rival, hit }));
        }
        mentions.sort_by_key(|m| m.hit.start);
        let subjects = statement::subjects(&lexed.tokens, &layout, &mentions, self.start);
        let named = statement::named(&lexed.tokens, &layout, &mentions, self.start);
        Reading {
            tokens: lexed.tokens,
            layout,
            polarity,
            guarded,
            subjects,
            named,
            nearer_elsewhere,
            brief: self.brief,
            hits,
            left: Cell::new(WORDS_TRIED),
        }
    }

    /// Scores an answer.
    pub fn score(&self, answer: &str) -> Score {
        self.marks(answer).0
    }

    /// The marks of an answer, with the numbers that the confidence of each part is read from.
    pub fn signs(&self, answer: &str) -> (Score, Vec<Signs>) {
        self.marks(answer)
    }

    /// The pieces of an answer that state nothing: lists of words, shuffled words, what is said again.
    pub fn unread(&self, answer: &str) -> Vec<Evidence> {
        let reading = self.read(answer);
        let dead = &reading.guarded.dead;
        let mut pieces: Vec<Evidence> = Vec::new();
        let mut at = 0;
        while at < dead.len() {
            let length = dead[at..].iter().take_while(|d| **d).count();
            if length > 0 {
                let (start, end) = (reading.tokens[at].start, reading.tokens[at + length - 1].end);
                pieces.push(Evidence { start, end, text: answer[start..end].to_owned() });
            }
            at += length.max(1);
        }
        pieces
    }

    /// What an answer says vaguely, part by part: why a part is partial of which no point is met.
    pub fn vague(&self, answer: &str) -> Vec<VagueFind> {
        let reading = self.read(answer);
        let mut all = Vec::new();
        for (part, matchers) in &self.vague {
            let Some(find) = search(matchers, &reading, Search::Said).into_iter().next() else { continue };
            let evidence = verdict::evidence(answer, &reading, std::slice::from_ref(&find));
            all.push(VagueFind { part: part.clone(), rule: find.0, evidence });
        }
        all
    }

    /// For each point of a part that is not met: the pattern that a sentence comes nearest to, and what it lacks.
    pub fn near_misses(&self, answer: &str, part: &str) -> Vec<NearMiss> {
        let reading = self.read(answer);
        let mut misses = Vec::new();
        for (point, matchers) in self.rubric.points.iter().zip(&self.points).filter(|(p, _)| p.serves(part)) {
            let near = signs::nearest(&matchers.full, &reading);
            let Some((sentence, at)) = near.sentence.zip(near.pattern).filter(|_| near.share < 1.0) else {
                continue;
            };
            let matcher = &matchers.full[at];
            let wanted = matcher.slot_hits(&reading).zip(matcher.slot_names());
            let here = |h: &vocabulary::Hit| reading.layout.sentence[h.start] == sentence;
            let lacks = wanted.filter(|(hits, _)| !hits.iter().any(here)).map(|(_, name)| name.to_owned());
            misses.push(NearMiss {
                point: point.id.clone(),
                pattern: matcher.text.clone(),
                lacks: lacks.collect(),
                sentence: reading.sentence(sentence, answer),
                share: near.share,
            });
        }
        misses.sort_by(|a, b| b.share.total_cmp(&a.share));
        misses
    }

    /// What to ask the learner about the parts that are not sure: every point of each, in the order of the rubric, with
    /// what the rules make of it.
    pub fn asks(&self, answer: &str, score: &Score) -> Vec<Ask> {
        let reading = self.read(answer);
        let mut asks = Vec::new();
        for part in score.parts.iter().filter(|p| p.is_open()) {
            for (point, matchers) in self.rubric.points.iter().zip(&self.points) {
                let mark = part.points.iter().find(|p| point.serves(&part.part) && p.id == point.id);
                let Some(mark) = mark else { continue };
                let near = signs::nearest(&matchers.full, &reading);
                let sentence = match near.sentence {
                    Some(s) if near.share >= LIKELY => Some(reading.sentence(s, answer)),
                    _ => None,
                };
                asks.push(Ask {
                    part: part.part.clone(),
                    point: point.id.clone(),
                    says: point.says.clone().unwrap_or_else(|| point.feedback.clone()),
                    found: mark.met,
                    partly: mark.partial,
                    sentence: mark.evidence.first().map(|e| reading.sentence_at(e, answer)).or(sentence),
                });
            }
        }
        asks
    }

    /// What a learner's claims make of the parts that they are about, by part; see [`super::with_claims`].
    pub fn claimed(&self, score: &Score, claims: &[Claimed]) -> BTreeMap<String, Verdict> {
        marks::claimed_verdicts(&self.rubric, score, claims)
    }

    /// How far a part has come towards being covered; see [`Rubric::progress`].
    pub fn progress(&self, part: &str, met: impl Fn(&str) -> bool) -> Progress {
        self.rubric.progress(part, met)
    }

    /// The sentences of an answer, in order: what a learner may point at.
    pub fn sentences(&self, answer: &str) -> Vec<Evidence> {
        let reading = self.read(answer);
        (0..reading.layout.sentences.len()).map(|s| reading.sentence(s, answer)).collect()
    }

    fn marks(&self, answer: &str) -> (Score, Vec<Signs>) {
        let reading = self.read(answer);
        let mut findings = Findings::default();
        for point in &self.points {
            let full = search(&point.full, &reading, Search::Said);
            let partial =
                if full.is_empty() { search(&point.partial, &reading, Search::Said) } else { Vec::new() };
            let contrary = if full.is_empty() && partial.is_empty() {
                search(&point.full, &reading, Search::Contrary)
            } else {
                Vec::new()
            };
            findings.turned.push(search(&point.contrary, &reading, Search::Claimed));
            findings.full.push(full);
            findings.partial.push(partial);
            findings.contrary.push(contrary);
        }
        for matchers in &self.misconceptions {
            findings.misconceptions.push(search(matchers, &reading, Search::Claimed));
        }
        for (_, matchers) in &self.falsehoods {
            findings.falsehoods.push(search(matchers, &reading, Search::Claimed));
        }
        for (part, matchers) in &self.vague {
            let found = search(matchers, &reading, Search::Said);
            findings.vague.entry(part.clone()).or_default().extend(found);
        }
        let falsehoods: Vec<&Falsehood> = self.falsehoods.iter().map(|(f, _)| f).collect();
        let unmet = |(p, full): (&PointMatchers, &Finds)| match full.is_empty() {
            true => signs::nearest(&p.full, &reading),
            false => Near::default(),
        };
        let near = self.points.iter().zip(&findings.full).map(unmet).collect();
        let known = Known {
            rubric: &self.rubric,
            falsehoods: &falsehoods,
            breadth: self.points.iter().map(|p| p.breadth).collect(),
            near,
            is_proven: self.is_proven,
        };
        verdict::score(&known, answer, &reading, findings)
    }
}

/// What some patterns find, with the pattern that found it.
fn search(matchers: &[Matcher], reading: &Reading, search: Search) -> Vec<(String, Found)> {
    let found =
        matchers.iter().flat_map(|m| m.find(reading, search).into_iter().map(|f| (m.text.clone(), f)));
    found.collect()
}
