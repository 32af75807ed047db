//! A drill with its rubric and samples.

use std::collections::BTreeMap;

use crate::score::{self, Rubric, Verdict};

use super::desk::{Desk, plain};
use super::glossary::concept;
use super::names::Kind;
use super::problem::nearest;
use super::{Drill, Sample, raw};

/// Turns a drill of a quiz file into a drill.
pub(super) fn drill(raw: raw::Drill, lesson: &str, desk: &mut Desk<'_>) -> Drill {
    desk.names.define(Kind::Drill, &raw.id);
    desk.unique("point", raw.points.iter().map(|p| &*p.id));
    desk.unique("misconception", raw.misconceptions.iter().map(|m| &*m.id));
    desk.unique("sample", raw.samples.iter().map(|s| &*s.id));
    let misconceptions: Vec<String> = raw
        .misconceptions
        .iter()
        .map(|m| m.id.get_ref().clone())
        .collect();
    let samples = raw
        .samples
        .into_iter()
        .map(|s| sample(s, &misconceptions, desk))
        .collect();
    let id = raw.id.into_inner();
    let prompt = desk.text(raw.prompt);
    let rubric = Rubric {
        drill: id.clone(),
        prompt: prompt.clone(),
        parts: desk.course.parts.clone(),
        need: need(raw.need, desk),
        concepts: raw.concepts.into_iter().map(concept).collect(),
        points: raw.points.into_iter().map(|p| point(p, desk)).collect(),
        misconceptions: raw
            .misconceptions
            .into_iter()
            .map(|m| misconception(m, desk))
            .collect(),
    };
    Drill {
        id,
        lesson: lesson.to_owned(),
        prompt,
        level: raw.level,
        minutes: raw.minutes,
        model: desk.text(raw.model),
        rubric,
        follow: follow(raw.follow, desk),
        samples,
    }
}

/// How many points each part needs.
fn need(raw: raw::Named<u32>, desk: &mut Desk<'_>) -> BTreeMap<String, u32> {
    let mut need = BTreeMap::new();
    for (part, count) in raw {
        desk.part(&part);
        need.insert(part.into_inner(), count);
    }
    need
}

fn point(raw: raw::Point, desk: &mut Desk<'_>) -> score::Point {
    desk.part(&raw.part);
    score::Point {
        id: raw.id.into_inner(),
        part: raw.part.into_inner(),
        matches: plain(raw.matches),
        partial: plain(raw.partial),
        feedback: desk.text(raw.feedback),
    }
}

fn misconception(raw: raw::Misconception, desk: &mut Desk<'_>) -> score::Misconception {
    desk.part(&raw.part);
    score::Misconception {
        id: raw.id.into_inner(),
        part: raw.part.into_inner(),
        matches: plain(raw.matches),
        correction: desk.text(raw.correction),
    }
}

fn follow(raw: Vec<raw::Follow>, desk: &mut Desk<'_>) -> BTreeMap<String, String> {
    let mut questions = BTreeMap::new();
    for follow in raw {
        desk.part(&follow.part);
        let span = follow.part.span();
        let part = follow.part.into_inner();
        if questions.insert(part.clone(), desk.text(follow.ask)).is_some() {
            desk.faults.error(
                span,
                format!("the part `{part}` has two follow-up questions"),
                "keep one of them",
            );
        }
    }
    questions
}

fn sample(raw: raw::Sample, misconceptions: &[String], desk: &mut Desk<'_>) -> Sample {
    for id in &raw.misconceptions {
        if misconceptions.contains(id.get_ref()) {
            continue;
        }
        let cure = match nearest(id.get_ref(), misconceptions.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "write it into the drill, or take the id away".to_owned(),
        };
        let what = format!("the drill has no misconception `{}`", id.get_ref());
        desk.faults.error(id.span(), what, cure);
    }
    Sample {
        id: raw.id.into_inner(),
        kind: raw.kind,
        answer: raw.answer.into_inner(),
        verdicts: verdicts(raw.verdicts, desk),
        misconceptions: plain(raw.misconceptions),
    }
}

fn verdicts(raw: raw::Named<raw::Verdict>, desk: &mut Desk<'_>) -> BTreeMap<String, Verdict> {
    let mut verdicts = BTreeMap::new();
    for (part, verdict) in raw {
        desk.part(&part);
        let part = part.into_inner();
        match verdict.get_ref().as_str() {
            "covered" => verdicts.insert(part, Verdict::Covered),
            "partial" => verdicts.insert(part, Verdict::Partial),
            "missing" => verdicts.insert(part, Verdict::Missing),
            other => {
                desk.faults.error(
                    verdict.span(),
                    format!("`{other}` is no verdict"),
                    "write covered, partial or missing",
                );
                None
            }
        };
    }
    verdicts
}
