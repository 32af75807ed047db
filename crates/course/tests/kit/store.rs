//! Attempts and times for the tests of the store.
#![allow(dead_code, missing_docs, clippy::unwrap_used)]

use infralens_course::score::{PartScore, Score, Verdict};
use infralens_course::study::attempt::{Attempt, Mode};
use infralens_course::study::schedule::Schedule;
use jiff::Timestamp;
use jiff::tz::TimeZone;

pub const PACK: &str = "distributed-training";

/// Some minutes after a fixed moment.
pub fn minute(n: i64) -> Timestamp {
    Timestamp::from_second(1_790_000_000 + n * 60).unwrap()
}

/// An attempt on `drill` of `lesson` whose parts got these marks.
pub fn attempt(id: &str, (lesson, drill): (&str, &str), at: Timestamp, marks: &[(&str, f64)]) -> Attempt {
    let parts: Vec<PartScore> = marks.iter().map(|(part, score)| part_score(part, *score)).collect();
    let total = parts.iter().map(|p| p.score).sum::<f64>() / parts.len().max(1) as f64;
    let limiting = parts.iter().min_by(|a, b| a.score.total_cmp(&b.score)).map(|p| p.part.clone());
    Attempt {
        id: id.into(),
        pack: PACK.into(),
        drill: drill.into(),
        lesson: lesson.into(),
        at,
        mode: Mode::Practice,
        part: None,
        rehearsal: None,
        seconds: 90,
        answer: format!("answer {id}"),
        score: Score {
            drill: drill.into(),
            score: total,
            range: None,
            limiting_part: limiting,
            parts,
            misconceptions: Vec::new(),
            flags: Vec::new(),
            words: 2,
        },
        ..Attempt::default()
    }
}

pub fn part_score(part: &str, score: f64) -> PartScore {
    let verdict = match score {
        s if s >= 0.75 => Verdict::Covered,
        s if s > 0.25 => Verdict::Partial,
        _ => Verdict::Missing,
    };
    PartScore {
        part: part.into(),
        verdict,
        confidence: 1.0,
        sure: true,
        source: Default::default(),
        by_rules: None,
        score,
        points: Vec::new(),
        feedback: String::new(),
    }
}

pub fn schedule() -> Schedule {
    Schedule::new(TimeZone::UTC)
}
