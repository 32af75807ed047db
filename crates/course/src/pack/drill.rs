//! A drill with its rubric and samples.

use std::collections::{BTreeMap, BTreeSet};

use toml::Spanned;

use crate::score::{self, FollowUp, Format, Group, Need, Rubric, Verdict};

use super::desk::{Desk, plain};
use super::glossary::concept;
use super::names::Kind;
use super::problem::nearest;
use super::{Drill, Sample, raw};

/// Turns a drill of a quiz file into a drill.
pub(super) fn drill(raw: raw::Drill, format: Format, lesson: &str, desk: &mut Desk<'_>) -> Drill {
    desk.names.define(Kind::Drill, &raw.id);
    desk.unique("point", raw.points.iter().map(|p| &*p.id));
    desk.unique("misconception", raw.misconceptions.iter().map(|m| &*m.id));
    desk.unique("sample", raw.samples.iter().map(|s| &*s.id));
    let misconceptions = raw.misconceptions.iter().map(|m| m.id.get_ref().clone());
    let known: Vec<String> =
        misconceptions.chain(raw.points.iter().map(|p| p.id.get_ref().clone())).collect();
    let samples = raw.samples.into_iter().map(|s| sample(s, &known, desk)).collect();
    if desk.is_full() {
        out_of_reach(&raw.id, &raw.points, &raw.need, desk);
        unsaid(&raw.points, format, desk);
    }
    let essential = essential(raw.essential, &raw.points, desk);
    let id = raw.id.into_inner();
    let prompt = desk.text(raw.prompt);
    let rubric = Rubric {
        format,
        drill: id.clone(),
        prompt: prompt.clone(),
        parts: desk.course.parts.clone(),
        need: need(raw.need, essential, desk),
        concepts: raw.concepts.into_iter().map(concept).collect(),
        points: raw.points.into_iter().map(|p| point(p, desk)).collect(),
        misconceptions: raw.misconceptions.into_iter().map(|m| misconception(m, desk)).collect(),
    };
    Drill {
        id,
        lesson: lesson.to_owned(),
        prompt,
        level: raw.level,
        minutes: raw.minutes,
        model: desk.text(raw.model),
        rubric,
        follow_ups: follow_ups(raw.follow, desk),
        samples,
    }
}

/// Reports parts that no answer can cover: they have no point, or need more than they have.
fn out_of_reach(id: &Spanned<String>, points: &[raw::Point], need: &raw::Named<u32>, desk: &mut Desk<'_>) {
    let of = |part: &str| points.iter().filter(|p| serves(p, part)).count();
    let parts = &desk.course.parts;
    let all_known = points.iter().all(|p| parts.contains(p.part.get_ref()));
    let pointless: Vec<String> =
        parts.iter().filter(|p| all_known && of(p) == 0).map(|p| format!("`{p}`")).collect();
    if !pointless.is_empty() {
        let what = format!("the drill `{}` has no point for {}", id.get_ref(), pointless.join(", "));
        desk.faults.warning(
            id.span(),
            what,
            "write a [[drill.point]] for each part; without it no answer covers the part",
        );
    }
    for (part, count) in need {
        let has = of(part.get_ref());
        if *count as usize > has && desk.course.parts.contains(part.get_ref()) {
            let part_id = part.get_ref();
            let what = format!("`need` asks for more points of `{part_id}` than there are: {count} of {has}");
            desk.faults.error(part.span(), what, "ask for fewer, or write more points");
        }
    }
}

/// Whether a point counts in a part.
fn serves(point: &raw::Point, part: &str) -> bool {
    point.part.get_ref() == part || point.also.iter().any(|p| p.get_ref() == part)
}

/// Reports points that say nothing to a learner.
fn unsaid(points: &[raw::Point], format: Format, desk: &mut Desk<'_>) {
    for point in points {
        let cure = "write says = \"…\": one statement in plain words, as a learner would put it";
        match (&point.says, &point.feedback) {
            (None, None) => {
                desk.faults.error(point.id.span(), "the point has neither `says` nor `feedback`", cure)
            }
            (None, _) if format == Format::Two => {
                desk.faults.error(point.id.span(), "a point of format 2 needs `says`", cure);
            }
            _ => {}
        }
    }
}

/// The groups of points that parts cannot do without.
fn essential(
    raw: raw::Named<Vec<raw::Plain>>,
    points: &[raw::Point],
    desk: &mut Desk<'_>,
) -> BTreeMap<String, Vec<Group>> {
    let mut essential = BTreeMap::new();
    for (part, groups) in raw {
        desk.part(&part);
        let ids = || points.iter().filter(|p| serves(p, part.get_ref())).map(|p| p.id.get_ref());
        let mut read = Vec::new();
        for text in groups {
            let group = match Group::read(text.get_ref()) {
                Ok(group) => group,
                Err((what, cure)) => {
                    desk.faults.error(text.span(), what, cure);
                    continue;
                }
            };
            if let Some(unknown) = group.points.iter().find(|p| ids().all(|id| id != *p)) {
                let what = format!("`{}` has no point `{unknown}`", part.get_ref());
                let cure = match nearest(unknown, ids().map(String::as_str)) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "name points of this part".to_owned(),
                };
                desk.faults.error(text.span(), what, cure);
            }
            read.push(group);
        }
        essential.insert(part.into_inner(), read);
    }
    essential
}

/// What each part needs. Where only essential points are named, they are enough.
fn need(
    raw: raw::Named<u32>,
    essential: BTreeMap<String, Vec<Group>>,
    desk: &mut Desk<'_>,
) -> BTreeMap<String, Need> {
    let mut need: BTreeMap<String, Need> = BTreeMap::new();
    for (part, groups) in essential {
        need.insert(part, Need { count: 0, groups });
    }
    for (part, count) in raw {
        desk.part(&part);
        need.entry(part.into_inner()).or_default().count = count;
    }
    need
}

fn point(raw: raw::Point, desk: &mut Desk<'_>) -> score::Point {
    desk.part(&raw.part);
    raw.also.iter().for_each(|part| desk.part(part));
    let says = desk.optional(raw.says);
    score::Point {
        id: raw.id.into_inner(),
        part: raw.part.into_inner(),
        also: plain(raw.also),
        matches: plain(raw.matches),
        partial: plain(raw.partial),
        asked: raw.asked,
        feedback: desk.optional(raw.feedback).or_else(|| says.clone()).unwrap_or_default(),
        says,
    }
}

fn misconception(raw: raw::Misconception, desk: &mut Desk<'_>) -> score::Misconception {
    desk.part(&raw.part);
    score::Misconception {
        id: raw.id.into_inner(),
        part: raw.part.into_inner(),
        matches: plain(raw.matches),
        unless: plain(raw.unless),
        correction: desk.text(raw.correction),
    }
}

fn follow_ups(raw: Vec<raw::Follow>, desk: &mut Desk<'_>) -> Vec<FollowUp> {
    let mut seen = BTreeSet::new();
    for follow in &raw {
        desk.part(&follow.part);
        let part = follow.part.get_ref();
        if !seen.insert(part) {
            let what = format!("the part `{part}` has two follow-up questions");
            desk.faults.error(follow.part.span(), what, "keep one of them");
        }
        patterns_alone(follow, desk);
    }
    raw.into_iter().map(|f| follow_up(f, desk)).collect()
}

/// Reports patterns of a follow-up question that stand without what they need.
fn patterns_alone(follow: &raw::Follow, desk: &mut Desk<'_>) {
    let at = follow.ask.span();
    if follow.matches.is_empty() && !follow.partial.is_empty() {
        let what = "the follow-up question has `partial` and no `match`";
        desk.faults.error(at, what, "write match = [\"…\"], or take `partial` away");
    } else if !follow.matches.is_empty() && follow.answer.is_none() {
        let what = "the follow-up question has `match` and no `answer`";
        let cure = "write answer = \"…\": it is shown beside the learner's own";
        desk.faults.warning(at, what, cure);
    }
}

fn follow_up(raw: raw::Follow, desk: &mut Desk<'_>) -> FollowUp {
    FollowUp {
        part: raw.part.into_inner(),
        ask: desk.text(raw.ask),
        answer: desk.optional(raw.answer),
        matches: plain(raw.matches),
        partial: plain(raw.partial),
    }
}

/// A sample may name misconceptions of its drill, points that it turns round, and what is false in every drill.
fn sample(raw: raw::Sample, known: &[String], desk: &mut Desk<'_>) -> Sample {
    for id in raw.misconceptions.iter().filter(|id| !known.contains(id.get_ref())) {
        let near = nearest(id.get_ref(), known.iter().map(String::as_str));
        desk.names.use_or(Kind::Falsehood, id, near.map(|near| format!("did you mean `{near}`?")));
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
                    format!("`{other}` is not a verdict"),
                    "write covered, partial or missing",
                );
                None
            }
        };
    }
    verdicts
}
