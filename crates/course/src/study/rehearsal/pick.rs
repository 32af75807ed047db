//! Which drills a rehearsal asks, decided by its seed.

use super::{Prompt, Setup, Topics};
use crate::pack::{Drill, Pack};
use crate::study::seed::Seed;
use crate::study::strength::Strengths;

/// The prompts of a run: the same for the same set-up, pack and (for the weakest) strengths.
///
/// Lessons take turns, so that a run does not stay on one of them. By lessons, their order is drawn;
/// for the weakest, the weakest lesson that was tried comes first and lessons never tried last.
/// Drills that want far more than the time of an answer come only when the others are used up.
/// Fewer drills than asked for give fewer prompts.
pub fn pick(setup: &Setup, pack: &Pack, strengths: &Strengths) -> Vec<Prompt> {
    let mut seed = Seed::new(setup.seed);
    let order = lessons(setup, pack, strengths, &mut seed);
    let lessons: Vec<Vec<&Drill>> = order.iter().map(|l| drawn(pack, l, &mut seed)).collect();
    let suits = |drill: &&Drill| drill.minutes * 60 <= setup.answer.saturating_mul(LONGEST);
    let (short, long) = lessons.into_iter().map(|drills| drills.into_iter().partition(suits)).unzip();
    let mut drills = in_turn(short);
    drills.extend(in_turn(long));
    drills.truncate(setup.count);
    drills.into_iter().map(prompt).collect()
}

/// A drill may want so many times the time of an answer: what is written in two minutes is said in ten.
const LONGEST: u32 = 5;

/// One drill of each lesson after the other, until all are used up.
fn in_turn(mut lessons: Vec<Vec<&Drill>>) -> Vec<&Drill> {
    let mut drills = Vec::new();
    while lessons.iter().any(|l| !l.is_empty()) {
        drills.extend(lessons.iter_mut().filter_map(Vec::pop));
    }
    drills
}

fn prompt(drill: &Drill) -> Prompt {
    Prompt { drill: drill.id.clone(), lesson: drill.lesson.clone(), text: drill.prompt.clone() }
}

fn lessons(setup: &Setup, pack: &Pack, strengths: &Strengths, seed: &mut Seed) -> Vec<String> {
    let all: Vec<&str> = pack.lessons.iter().map(|l| &l.id[..]).collect();
    let order = seed.order(all.len());
    let mut drawn: Vec<&str> = order.into_iter().map(|at| all[at]).collect();
    match &setup.topics {
        Topics::Lessons(wanted) => drawn.retain(|l| wanted.is_empty() || wanted.iter().any(|w| w == l)),
        Topics::Weakest => {
            let strength = |lesson: &str| strengths.lesson(lesson).unwrap_or(2.0);
            drawn.sort_by(|a, b| strength(a).total_cmp(&strength(b)));
        }
    }
    drawn.into_iter().map(str::to_owned).collect()
}

fn drawn<'a>(pack: &'a Pack, lesson: &'a str, seed: &mut Seed) -> Vec<&'a Drill> {
    let drills: Vec<&Drill> = pack.drills_of(lesson).collect();
    seed.order(drills.len()).into_iter().map(|at| drills[at]).collect()
}
