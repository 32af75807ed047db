//! An answer to a drill, apart from the face it is typed in: what is asked, and how it is scored.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::attempt::{Attempt, Mode};
use super::rating::Rating;
use crate::pack::{Drill, Pack, Part};

/// What is asked: the prompt, or the follow-up question where one part is asked alone.
pub fn question(parts: &[Part], drill: &Drill, part: Option<&str>) -> String {
    let Some(part) = part else {
        return drill.prompt.clone();
    };
    match drill.follow_up(part) {
        Some(follow_up) => follow_up.ask.clone(),
        None => {
            let title = part_title(parts, part);
            format!("{} Answer the part “{title}” alone.", drill.prompt)
        }
    }
}

/// Minutes for it: those of the drill, a third of them for one part.
pub fn minutes(drill: &Drill, part: Option<&str>) -> u32 {
    match part {
        Some(_) => 1.max(drill.minutes / 3),
        None => drill.minutes,
    }
}

/// The name of a part as its pack has it, or its id.
pub fn part_title<'a>(parts: &'a [Part], part: &'a str) -> &'a str {
    parts.iter().find(|p| p.id == part).map_or(part, |p| &p.title)
}

/// An answer that is finished.
#[derive(Debug, Clone)]
pub struct Finished<'a> {
    /// The id of its draft, which becomes the attempt's.
    pub id: String,
    /// The part, where one was asked alone.
    pub part: Option<&'a str>,
    /// What was typed.
    pub text: &'a str,
    /// Seconds spent on it.
    pub seconds: u32,
    /// What the learner thinks of it, where that is known already.
    pub rating: Option<Rating>,
}

/// Scores an answer that was given in practice.
pub fn scored(pack: &Pack, drill: &Drill, answer: Finished, now: Timestamp) -> Attempt {
    let mut attempt = Attempt {
        id: answer.id,
        pack: pack.id.clone(),
        drill: drill.id.clone(),
        lesson: drill.lesson.clone(),
        at: now,
        mode: mode(answer.part),
        part: answer.part.map(str::to_owned),
        rehearsal: None,
        seconds: answer.seconds,
        answer: answer.text.to_owned(),
        score: drill.scorer(answer.part, &pack.vocabulary).score(answer.text),
        rated: None,
        rated_parts: BTreeMap::new(),
    };
    if let Some(rating) = answer.rating {
        attempt.rate(rating);
    }
    attempt
}

/// The circumstances of an answer in practice.
pub fn mode(part: Option<&str>) -> Mode {
    match part {
        Some(_) => Mode::Part,
        None => Mode::Practice,
    }
}
