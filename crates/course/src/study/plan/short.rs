//! What a plan has time for where not everything can be read: breadth before depth.
//!
//! A minute goes where it is worth most. First comes the core of each lesson that interviews ask often, its problem and what to say
//! of it, with a drill; then the whole section of those, and the cores of the others, by what a minute of them is worth.
//! No lab, no second drill and no second rehearsal takes the time of a lesson that has none.

use super::work::{Piece, Room, Work, take, weight};
use super::{CORE, DRILL, Task};
use crate::pack::Pack;
use crate::pack::index::{Drill, Lesson};
use crate::study::home::Home;
use crate::study::posting::Posting;

/// A lesson is asked often where it is asked at least so much of what is asked most.
const OFTEN: f64 = 0.5;
/// What reading all of a section is worth after its core and a drill, against these.
const DEPTH: f64 = 0.5;
/// What the core of a lesson is worth of which a drill was answered already.
const MET: f64 = 0.5;

/// Minutes for the core of a section; none where that is hardly shorter than all of it.
fn core(lesson: &Lesson) -> Option<u32> {
    let minutes = (lesson.minutes * 3).div_ceil(10).max(3);
    (minutes * 2 <= lesson.minutes).then_some(minutes)
}

/// Pieces that find time together, and what they are worth.
struct Step {
    lesson: usize,
    pieces: Vec<Piece>,
    turn: Turn,
    /// What a minute of it is worth.
    worth: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Turn {
    /// The drill of what was read.
    Drill,
    /// The core of what is asked often, with its drill.
    Often,
    /// The core of other lessons, with their drills.
    Core,
    /// All of a section whose core has time, or was read.
    Depth,
}

/// The work that fits into some days. What is kept stands in the order of the pack.
pub(super) fn of(pack: &Pack, home: &Home, days: &[Room]) -> Work {
    let (index, lessons) = (pack.index(), &pack.index().lessons);
    let mut steps: Vec<Step> =
        lessons.iter().enumerate().flat_map(|lesson| steps(pack, home, lesson)).collect();
    // cores of the others and whole sections take turns
    let turn = |step: &Step| step.turn.min(Turn::Core);
    steps.sort_by(|a, b| turn(a).cmp(&turn(b)).then(b.worth.total_cmp(&a.worth)));
    let (mut taken, mut left_out): (Vec<Piece>, Vec<usize>) = (Vec::new(), Vec::new());
    let mut is_often_out = false;
    for step in steps {
        let Step { lesson, pieces, turn, .. } = step;
        let is_out = left_out.contains(&lesson) || (turn == Turn::Depth && is_often_out);
        if !is_out && take(pieces, &mut taken, (days, true)) {
            continue;
        }
        if matches!(turn, Turn::Often | Turn::Core) {
            is_often_out |= turn == Turn::Often;
            left_out.push(lesson);
        }
    }
    // better a core without its drill than nothing
    for lesson in left_out.clone() {
        take(vec![section(&lessons[lesson], lesson)], &mut taken, (days, true));
    }
    left_out.retain(|lesson| taken.iter().all(|piece| piece.place != (*lesson, 0)));
    left_out.sort_unstable();
    let left_out = left_out.into_iter().map(|lesson| index.lessons[lesson].id.to_string()).collect();
    Work::shared(taken, (days, true), left_out)
}

/// The core of a section, or all of one that is short itself.
fn section(lesson: &Lesson, nth: usize) -> Piece {
    let id = lesson.id.to_string();
    let task =
        core(lesson).map_or(Task::Read(id.clone(), lesson.minutes), |minutes| Task::Short(id, minutes));
    Piece { place: (nth, 0), task }
}

/// What may be done of a lesson.
fn steps(pack: &Pack, home: &Home, (nth, lesson): (usize, &Lesson)) -> Vec<Step> {
    let index = pack.index();
    let nothing = Posting::default();
    let asked = weight(index, &home.posting, lesson);
    let is_often = [&nothing, &home.posting].iter().any(|posting| {
        let most = index.lessons.iter().map(|l| weight(index, posting, l)).fold(0.0, f64::max);
        weight(index, posting, lesson) >= OFTEN * most
    });
    let progress = home.lessons.get(&*lesson.id).cloned().unwrap_or_default();
    let has_core = progress.read || progress.seen >= CORE;
    let is_open = |drill: &Drill| !home.is_answered_today(&drill.id);
    let is_well = progress.mean.is_some_and(|mean| mean >= super::ANSWERED_WELL);
    let is_drilled = progress.drills > 0 && (has_core || is_well);
    let has_drill = !is_drilled && index.drills_of(&lesson.id).any(is_open);
    let drill = has_drill.then(|| Piece { place: (nth, 1), task: Task::Drill(lesson.id.to_string()) });
    let step = |pieces: Vec<Piece>, turn: Turn, worth: f64| {
        let minutes: u32 = pieces.iter().map(|piece| piece.task.minutes(DRILL)).sum();
        Step { lesson: nth, pieces, turn, worth: worth / f64::from(minutes.max(1)) }
    };
    let mut out = Vec::new();
    if has_core {
        out.extend(drill.map(|drill| step(vec![drill], Turn::Drill, asked)));
    } else {
        let turn = if is_often && progress.drills == 0 { Turn::Often } else { Turn::Core };
        let share = if progress.drills > 0 { MET } else { 1.0 };
        out.push(step([section(lesson, nth)].into_iter().chain(drill).collect(), turn, share * asked));
    }
    if !progress.read && (has_core || core(lesson).is_some()) {
        let all = Piece { place: (nth, 0), task: Task::Read(lesson.id.to_string(), lesson.minutes) };
        let less = if has_core { 0 } else { core(lesson).unwrap_or(0) };
        let worth = DEPTH * asked / f64::from(lesson.minutes.saturating_sub(less).max(1));
        out.push(Step { lesson: nth, pieces: vec![all], turn: Turn::Depth, worth });
    }
    out
}
