//! Which drills a rehearsal asks, decided by its seed.

use super::{Prompt, Setup, Topics};
use crate::pack::{Drill, Pack};
use crate::study::posting::Posting;
use crate::study::seed::Seed;
use crate::study::strength::Strengths;

/// The prompts of a run: the same for the same set-up, pack and (for the weakest) strengths.
///
/// Lessons take turns, so that a run does not stay on one of them. By lessons, their order is drawn;
/// for the weakest, the weakest lesson that was tried comes first and lessons never tried last.
/// Where the set-up holds what a job asks for, its lessons are drawn up to five times as likely, what is weak counts
/// up to twice, and a lesson's drills that name most of it come first.
/// What was not answered before comes before what was.
/// Drills that want far more than the time of an answer come only when the others are used up. Before those, drills
/// of lessons that a plan leaves out and that were not read.
/// Fewer drills than asked for give fewer prompts.
pub fn pick(setup: &Setup, pack: &Pack, strengths: &Strengths) -> Vec<Prompt> {
    let mut seed = Seed::new(setup.seed);
    let order = lessons(setup, pack, strengths, &mut seed);
    let lessons: Vec<Vec<&Drill>> = order.iter().map(|l| drawn(setup, pack, l, &mut seed)).collect();
    let suits = |drill: &&Drill| drill.minutes * 60 <= setup.answer.saturating_mul(LONGEST);
    let is_new = |drill: &&Drill| !setup.seen.iter().flatten().any(|seen| *seen == drill.id);
    let is_in = |drill: &&Drill| setup.planned.is_empty() || setup.planned.contains(&drill.lesson);
    let of = |suit: bool, planned: bool, new: bool| {
        let fits = |drill: &&Drill| (suits(drill), is_in(drill), is_new(drill)) == (suit, planned, new);
        lessons.iter().map(|drills| drills.iter().copied().filter(fits).collect()).collect()
    };
    let order = [true, false];
    let tiers = order.into_iter().flat_map(|suit| order.map(|planned| (suit, planned)));
    let tiers = tiers.flat_map(|(suit, planned)| order.map(|new| (suit, planned, new)));
    let mut drills: Vec<&Drill> =
        tiers.flat_map(|(suit, planned, new)| in_turn(of(suit, planned, new))).collect();
    drills.truncate(setup.count);
    drills.into_iter().map(prompt).collect()
}

/// Of ten questions that runs with this set-up ask, how many are about lessons that a job asks for: runs are drawn, and
/// counted.
pub fn in_ten(setup: &Setup, pack: &Pack, strengths: &Strengths, asked: &Posting) -> u32 {
    let runs = (1..=RUNS).map(|seed| pick(&Setup { seed, ..setup.clone() }, pack, strengths));
    let (mut all, mut found) = (0_u32, 0_u32);
    for prompt in runs.flatten() {
        all += 1;
        found += u32::from(asked.weight(&prompt.lesson) > 0);
    }
    (10 * found + all / 2) / all.max(1)
}

/// Runs that are drawn to see what a set-up asks.
const RUNS: u64 = 60;
/// A drill may want so many times the time of an answer: what is written in two minutes is said in ten.
const LONGEST: u32 = 5;
/// How much sooner the lesson that a job asks for most is drawn.
const SOONER: f64 = 4.0;
/// What a lesson lacks that was never tried and that the job asks for: half.
const UNTRIED: f64 = 0.5;

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
    if !setup.posting.is_empty() {
        weigh(&mut drawn, setup, seed);
    }
    match &setup.topics {
        Topics::Lessons(wanted) => drawn.retain(|l| wanted.is_empty() || wanted.iter().any(|w| w == l)),
        Topics::Weakest => {
            drawn.sort_by(|a, b| gap(b, setup, strengths).total_cmp(&gap(a, setup, strengths)));
        }
    }
    drawn.into_iter().map(str::to_owned).collect()
}

/// Draws lessons so that one the job asks for comes sooner: the time until it is drawn has a rate of its weight.
fn weigh(drawn: &mut [&str], setup: &Setup, seed: &mut Seed) {
    let mut times: Vec<(f64, &str)> = Vec::new();
    for lesson in drawn.iter() {
        let even = (seed.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        times.push((-(1.0 - even).ln() / (1.0 + SOONER * setup.posting.share(lesson)), lesson));
    }
    times.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    for (place, (_, lesson)) in drawn.iter_mut().zip(times) {
        *place = lesson;
    }
}

/// What a lesson lacks, weighed by what the job asks for; below nothing where it was never tried and nobody asks.
fn gap(lesson: &str, setup: &Setup, strengths: &Strengths) -> f64 {
    let share = setup.posting.share(lesson);
    let lacks = match strengths.lesson(lesson) {
        Some(strength) => 1.0 - strength,
        None if share > 0.0 => UNTRIED,
        None => -1.0,
    };
    lacks * (1.0 + share)
}

/// The drills of a lesson from the last to ask to the first.
fn drawn<'a>(setup: &Setup, pack: &'a Pack, lesson: &'a str, seed: &mut Seed) -> Vec<&'a Drill> {
    let drills: Vec<&Drill> = pack.drills_of(lesson).collect();
    let mut drawn: Vec<&Drill> = seed.order(drills.len()).into_iter().map(|at| drills[at]).collect();
    drawn.sort_by_cached_key(|drill| setup.posting.named_in(&drill.prompt));
    drawn
}
