//! An answer to a drill, apart from the face it is typed in: what is asked, and how it is scored.

use jiff::Timestamp;

use super::attempt::{Attempt, Mode, is_part_again};
use super::rating::Rating;
use crate::pack::{Drill, Pack, Part};
use crate::score::{FollowUp, Score, Scorer};

/// The part whose question is the hardest, by its id in most packs.
const HARDEST: &str = "tradeoff";

/// What is asked: the prompt, or the follow-up question where one part is asked alone.
pub fn question(parts: &[Part], drill: &Drill, part: Option<&str>) -> String {
    let Some(part) = part else {
        return drill.prompt.clone();
    };
    match drill.follow_up(part) {
        Some(follow_up) => follow_up.ask.clone(),
        None => question_again(parts, drill, part),
    }
}

/// What is asked where one part of the prompt is answered again.
pub fn question_again(parts: &[Part], drill: &Drill, part: &str) -> String {
    format!("{} Answer the part “{}” alone.", drill.prompt, part_title(parts, part))
}

/// What was asked of an attempt.
pub fn asked(parts: &[Part], drill: &Drill, attempt: &Attempt) -> String {
    match attempt.part.as_deref().filter(|_| attempt.is_part_again()) {
        Some(part) => question_again(parts, drill, part),
        None => question(parts, drill, attempt.part.as_deref()),
    }
}

/// What an answer is called in a list: the question that it answers, and before that how it is one part alone.
/// Nothing stands before the prompt of a whole answer.
pub fn listed<'a>(drill: &'a Drill, mode: Mode, part: Option<&str>) -> (String, &'a str) {
    let Some(part) = part else { return (String::new(), &drill.prompt) };
    match drill.follow_up(part).filter(|_| !is_part_again(mode, Some(part))) {
        Some(follow_up) => (format!("follow-up on {part}: "), &follow_up.ask),
        None => (format!("{part} again: "), &drill.prompt),
    }
}

/// The follow-up question that an attempt answers, if it answers one.
pub fn followed<'a>(drill: &'a Drill, attempt: &Attempt) -> Option<&'a FollowUp> {
    follow_up(drill, attempt.part.as_deref()).filter(|_| !attempt.is_part_again())
}

/// The follow-up question that was asked for, where one part was asked alone and has one.
pub fn follow_up<'a>(drill: &'a Drill, part: Option<&str>) -> Option<&'a FollowUp> {
    drill.follow_up(part?)
}

/// What scores an answer to what was asked: the drill, or its follow-up question on a part. None where the pack has
/// no such drill.
pub fn scorer(pack: &Pack, attempt: &Attempt) -> Option<Scorer> {
    let follow = attempt.part.as_deref().filter(|_| !attempt.is_part_again());
    Some(pack.drill(&attempt.drill)?.scorer(follow, &pack.vocabulary))
}

/// The model answer, or the stored answer to a follow-up question, with its marks: the words show what earns a
/// point. None where there is no such text.
pub fn model_score(pack: &Pack, attempt: &Attempt) -> Option<(String, Score)> {
    let drill = pack.drill(&attempt.drill)?;
    let model = match followed(drill, attempt) {
        Some(follow_up) => follow_up.answer.as_ref()?,
        None => &drill.model,
    };
    Some((model.clone(), scorer(pack, attempt)?.score(model)))
}

/// The part to follow up after an answer: the weakest; where all was covered, the hardest. None after an
/// empty answer, which gives nothing to go into, and where no question is left.
pub fn part_to_follow<'a>(drill: &'a Drill, attempt: &'a Attempt) -> Option<&'a str> {
    if attempt.answer.trim().is_empty() {
        return None;
    }
    let weakest = attempt.score.limiting_part.as_deref();
    weakest.or_else(|| Some(&hardest(drill, attempt.part.as_deref())?.part))
}

/// The follow-up question for an answer that covers everything: on the tradeoff, or else on the first part that has
/// one, other than `but`.
pub(crate) fn hardest<'a>(drill: &'a Drill, but: Option<&str>) -> Option<&'a FollowUp> {
    let parts = drill.rubric.parts.iter().filter(|p| but != Some(p.as_str()));
    let mut asked: Vec<&FollowUp> = parts.filter_map(|p| drill.follow_up(p)).collect();
    asked.sort_by_key(|f| f.part != HARDEST);
    asked.first().copied()
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
    /// Whether it is that part of the prompt, and not a follow-up question on it.
    pub again: bool,
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
        mode: if answer.again { Mode::Practice } else { mode(answer.part) },
        part: answer.part.map(str::to_owned),
        rehearsal: None,
        seconds: answer.seconds,
        answer: answer.text.to_owned(),
        score: drill.scorer(answer.part.filter(|_| !answer.again), &pack.vocabulary).score(answer.text),
        ..Attempt::default()
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
