//! A rubric made ready, and answers scored against it.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};

use super::concept::Concepts;
use super::guard::{self, Prompt};
use super::matching::{Found, Matcher, Reading, Search};
use super::pattern::{self, Slot};
use super::polarity;
use super::statement::{self, Mention, Subjects};
use super::stem::Stems;
use super::token;
use super::topic::Topics;
use super::verdict::{self, Findings};
use super::vocabulary::{SlotId, Vocabulary};
use super::{FollowUp, Glossary, Rubric, Score, base};

/// A rubric made ready to score many answers.
pub struct Scorer {
    rubric: Rubric,
    vocabulary: Vocabulary,
    stems: Mutex<Stems>,
    prompt: Prompt,
    points: Vec<PointMatchers>,
    misconceptions: Vec<Vec<Matcher>>,
    vague: Vec<(String, Vec<Matcher>)>,
    rivals: Vec<(SlotId, Subjects)>,
    start: Subjects,
    topics: Topics,
    /// Whether a few words, or things named one after the other, are an answer.
    brief: bool,
}

/// The patterns of a point.
struct PointMatchers {
    full: Vec<Matcher>,
    partial: Vec<Matcher>,
}

/// Reads patterns into matchers over one vocabulary.
struct Builder<'a> {
    concepts: &'a Concepts,
    vocabulary: Vocabulary,
    stems: Stems,
    rivals: HashMap<SlotId, Subjects>,
}

impl Builder<'_> {
    fn slot(&mut self, slot: &Slot) -> SlotId {
        self.vocabulary.add(slot, self.concepts, &mut self.stems)
    }

    /// The bit of a subject; after thirty all others share one.
    fn rival(&mut self, slot: SlotId) -> Subjects {
        let next = 1 << self.rivals.len().min(30);
        *self.rivals.entry(slot).or_insert(next)
    }

    /// Matchers of the patterns that can be read; `pack check` reports the others.
    fn matchers(&mut self, patterns: &[String]) -> Vec<Matcher> {
        patterns.iter().filter_map(|text| self.matcher(text)).collect()
    }

    fn matcher(&mut self, text: &str) -> Option<Matcher> {
        let pattern = pattern::parse(text).ok()?;
        let subject = pattern.subject.as_ref().map(|s| self.slot(s)).map(|s| self.rival(s));
        let slots: Vec<SlotId> = pattern.slots.iter().map(|s| self.slot(s)).collect();
        Some(Matcher::new(text, &pattern, &slots, subject))
    }
}

impl Scorer {
    /// Makes a rubric ready. Patterns that cannot be read are left out.
    pub fn new(rubric: &Rubric, glossary: &Glossary) -> Scorer {
        let concepts = Concepts::shared(glossary).with(rubric);
        let mut scorer = Scorer::made(rubric, &concepts, false);
        let stems = scorer.stems.get_mut().unwrap_or_else(PoisonError::into_inner);
        scorer.topics = Topics::new(glossary, &rubric.drill, stems);
        scorer
    }

    /// Makes the patterns of a follow-up question ready, with the words and misconceptions of its drill. The marks
    /// are those of its part alone. A few words may answer it, and it may lead to what another drill is about.
    pub fn of_follow_up(follow_up: &FollowUp, drill: &Rubric, glossary: &Glossary) -> Scorer {
        let concepts = Concepts::shared(glossary).with(drill);
        Scorer::with_concepts(follow_up, drill, &concepts)
    }

    /// The same, with the words of the drill at hand.
    pub(super) fn with_concepts(follow_up: &FollowUp, drill: &Rubric, concepts: &Concepts) -> Scorer {
        Scorer::made(&follow_up.rubric(drill), concepts, true)
    }

    fn made(rubric: &Rubric, concepts: &Concepts, brief: bool) -> Scorer {
        let mut b =
            Builder { concepts, vocabulary: Vocabulary::new(), stems: Stems::new(), rivals: HashMap::new() };
        let points = rubric.points.iter();
        let points = points
            .map(|p| PointMatchers { full: b.matchers(&p.matches), partial: b.matchers(&p.partial) })
            .collect();
        let misconceptions = rubric.misconceptions.iter().map(|m| b.matchers(&m.matches)).collect();
        let vague = base::vague().iter().filter(|v| rubric.parts.contains(&v.part));
        let vague = vague.map(|v| (v.part.clone(), b.matchers(&v.matches))).collect();
        let mut rivals: Vec<(SlotId, Subjects)> = b.rivals.iter().map(|(s, r)| (*s, *r)).collect();
        rivals.sort_unstable();
        let mut scorer = Scorer {
            rubric: rubric.clone(),
            vocabulary: b.vocabulary,
            stems: Mutex::new(b.stems),
            prompt: Prompt::new(&token::lex(&rubric.prompt).tokens, &rubric.parts),
            points,
            misconceptions,
            vague,
            rivals,
            start: 0,
            topics: Topics::default(),
            brief,
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
        let hits = self.vocabulary.hits(&lexed.tokens, &forms);
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
        }
    }

    /// Scores an answer.
    pub fn score(&self, answer: &str) -> Score {
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
            findings.full.push(full);
            findings.partial.push(partial);
            findings.contrary.push(contrary);
        }
        for matchers in &self.misconceptions {
            findings.misconceptions.push(search(matchers, &reading, Search::Claimed));
        }
        let vague = self.vague.iter().map(|(part, m)| (part.clone(), search(m, &reading, Search::Said)));
        findings.vague = vague.collect::<BTreeMap<_, _>>();
        verdict::score(&self.rubric, answer, &reading, findings)
    }
}

/// What some patterns find, with the pattern that found it.
fn search(matchers: &[Matcher], reading: &Reading, search: Search) -> Vec<(String, Found)> {
    let found =
        matchers.iter().flat_map(|m| m.find(reading, search).into_iter().map(|f| (m.text.clone(), f)));
    found.collect()
}
