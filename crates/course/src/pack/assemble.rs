//! Puts a pack together from its files.

use std::collections::HashMap;

use crate::score;

use super::claims::Shared;
use super::desk::plain;
use super::quiz::Quiz;
use super::sheets::{Made, Sheet};
use super::{Body, Origin, Part, measured, raw};

/// Rubrics are proven by so many answers that their authors had not read, and by so much agreement on them.
const PROVING_ANSWERS: u32 = 60;
const PROVING_KAPPA: f64 = 0.7;

/// The pack of all that was read.
pub(super) fn pack(raw: raw::Manifest, parts: Vec<Part>, sheets: Vec<Sheet>, origin: &Origin) -> Body {
    let mut pack = Body {
        id: raw.id.into_inner(),
        title: raw.title.into_inner(),
        version: raw.version.into_inner(),
        authors: plain(raw.authors),
        licence: raw.licence.into_inner(),
        about: raw.about.into_inner(),
        origin: origin.clone(),
        parts,
        lessons: Vec::new(),
        drills: Vec::new(),
        checks: Vec::new(),
        puzzles: Vec::new(),
        terms: Vec::new(),
        vocabulary: score::Glossary::default(),
    };
    let order: HashMap<String, usize> =
        raw.lessons.into_iter().enumerate().map(|(at, id)| (id.into_inner(), at)).collect();
    let mut quizzes: Vec<Quiz> = Vec::new();
    let mut measures = Vec::new();
    let mut shared = Shared::default();
    for made in sheets.into_iter().filter_map(|s| s.made) {
        match made {
            Made::Glossary(terms, vocabulary, _) => (pack.terms, pack.vocabulary) = (terms, vocabulary),
            Made::Claims(claims, _) => shared = claims,
            Made::Lesson(lesson) => pack.lessons.push(*lesson),
            Made::Quiz(quiz) => quizzes.push(quiz),
            Made::Measure(lab, measure) => measures.push((lab, measure)),
        }
    }
    measured::attach(measures, &mut pack.lessons);
    quizzes.sort_by_key(|q| order.get(&q.lesson).copied());
    for mut quiz in quizzes {
        pack.drills.append(&mut quiz.drills);
        pack.checks.append(&mut quiz.checks);
        pack.puzzles.append(&mut quiz.puzzles);
    }
    pack.vocabulary.topics = topics(&pack);
    let is_proof = |j: &raw::Judged| j.answers >= PROVING_ANSWERS && j.kappa >= PROVING_KAPPA;
    pack.vocabulary.is_proven = raw.judged.is_some_and(|judged| is_proof(judged.get_ref()));
    pack.vocabulary.claims = shared.claims;
    pack.vocabulary.falsehoods = shared.falsehoods;
    pack.vocabulary.vague = shared.vague;
    pack
}

/// What each drill is about, for the scorer.
fn topics(pack: &Body) -> Vec<score::Topic> {
    let titles: HashMap<&str, &str> =
        pack.lessons.iter().map(|l| (l.id.as_str(), l.title.as_str())).collect();
    pack.drills
        .iter()
        .map(|drill| score::Topic {
            drill: drill.id.clone(),
            texts: [drill.prompt.as_str(), drill.model.as_str()]
                .into_iter()
                .chain(titles.get(drill.lesson.as_str()).copied())
                .map(str::to_owned)
                .collect(),
        })
        .collect()
}
