//! What a plan has time for where not everything can be read: breadth before depth.
//!
//! A minute goes where it is worth most. First comes what was begun, for the minutes that are left of it, and the core of what was answered
//! poorly, and then of what the job names; then the whole section of what was answered poorly and of what the job names much; then the core of each
//! other lesson that interviews ask often, its problem and what to say of it, with a drill; then whole sections and the cores of the
//! others, by what a minute of them is worth. So what falls out or comes in short first was neither begun nor answered poorly, and nobody asks for it. No lab, no second drill and no second rehearsal takes the time of a lesson
//! that has none.

use super::work::{Days, Piece, Room, Work, take, weight};
use super::{ANSWERED_WELL, CORE, DRILL, Task};
use crate::pack::Pack;
use crate::pack::index::{Drill, Lesson};
use crate::study::duration;
use crate::study::home::{Home, LessonProgress};
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
    /// Whether the lesson is left out without it.
    is_needed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Turn {
    /// The drill of what was read.
    Drill,
    /// What was begun; the core of what was answered poorly, with its drill.
    Mine,
    /// What the job asks for too, and would push out otherwise.
    Held,
    /// The core of what the job names, with its drill.
    Named,
    /// All of a section that was answered poorly or that the job names much.
    Full,
    /// The core of what is asked often, with its drill.
    Often,
    /// The core of other lessons, with their drills.
    Core,
    /// Another drill of what was answered poorly.
    Again,
    /// All of a section whose core has time, or was read.
    Depth,
}

/// The work that fits into some days. What is kept stands in the order of the pack. No lesson that the job names is left out
/// because of the job: one that has time without it is held against the others that the job names.
pub(super) fn of(pack: &Pack, home: &Home, days: &[Room]) -> Work {
    let work = with(pack, home, days, &[]);
    if home.posting.is_empty() || work.left_out.is_empty() {
        return work;
    }
    let without = with(pack, &Home { posting: Posting::default(), ..home.clone() }, days, &[]).left_out;
    let mut held: Vec<String> = Vec::new();
    let mut work = work;
    loop {
        let lost = |id: &&String| home.posting.share(id) > 0.0 && !without.contains(id) && !held.contains(id);
        let lost: Vec<String> = work.left_out.iter().filter(lost).cloned().collect();
        if lost.is_empty() {
            return work;
        }
        held.extend(lost);
        work = with(pack, home, days, &held);
    }
}

fn with(pack: &Pack, home: &Home, days: &[Room], held: &[String]) -> Work {
    let (index, lessons) = (pack.index(), &pack.index().lessons);
    let days = Days { rooms: days, is_full: true, lessons };
    let mut steps: Vec<Step> =
        lessons.iter().enumerate().flat_map(|lesson| steps(pack, home, lesson, held)).collect();
    // cores of the others and whole sections take turns
    let turn = |step: &Step| step.turn.min(Turn::Core);
    steps.sort_by(|a, b| turn(a).cmp(&turn(b)).then(b.worth.total_cmp(&a.worth)));
    let (mut taken, mut left_out): (Vec<Piece>, Vec<usize>) = (Vec::new(), Vec::new());
    let mut is_often_out = false;
    for step in steps {
        let Step { lesson, pieces, turn, is_needed, .. } = step;
        let is_out = left_out.contains(&lesson) || (turn == Turn::Depth && is_often_out);
        // of what must not go the core alone, before anything else takes its time
        let alone = (is_needed && turn < Turn::Often).then(|| pieces[..1].to_vec());
        let mut takes = |pieces: Vec<Piece>| take(pieces, &mut taken, days);
        if !is_out && (takes(pieces) || alone.is_some_and(takes)) {
            continue;
        }
        if is_needed && !is_out {
            is_often_out |= turn != Turn::Core;
            left_out.push(lesson);
        }
    }
    // better a core without its drill than nothing
    for lesson in left_out.clone() {
        take(vec![section(&lessons[lesson], lesson)], &mut taken, days);
    }
    left_out.retain(|lesson| taken.iter().all(|piece| piece.place != (*lesson, 0)));
    left_out.sort_unstable();
    let left_out = left_out.into_iter().map(|lesson| index.lessons[lesson].id.to_string()).collect();
    Work::shared(taken, days, left_out)
}

/// The core of a section, or all of one that is short itself.
fn section(lesson: &Lesson, nth: usize) -> Piece {
    let id = lesson.id.to_string();
    let task =
        core(lesson).map_or(Task::Read(id.clone(), lesson.minutes), |minutes| Task::Short(id, minutes));
    Piece { place: (nth, 0), task }
}

/// What speaks for reading all of a lesson.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Its drills were answered poorly.
    Weak,
    /// It was begun.
    Begun,
    /// The job names it.
    Named,
    /// Nothing of these.
    Other,
}

/// What speaks for reading all of a lesson: so it comes in short only where nothing else can give way.
pub fn kind(home: &Home, lesson: &str) -> Kind {
    let progress = home.lessons.get(lesson);
    match progress {
        Some(of) if of.mean.is_some_and(|mean| mean < ANSWERED_WELL) => Kind::Weak,
        Some(of) if is_begun(of) => Kind::Begun,
        _ if home.posting.share(lesson) > 0.0 => Kind::Named,
        _ => Kind::Other,
    }
}

/// Why a lesson comes in short, in a sentence.
pub fn why(home: &Home, lesson: &str) -> &'static str {
    let is_there = |is: fn(&LessonProgress) -> bool| home.lessons.values().any(is);
    let weak = is_there(|of| !of.read && of.mean.is_some_and(|mean| mean < ANSWERED_WELL));
    match (kind(home, lesson), weak, home.posting.is_empty()) {
        (Kind::Weak, ..) => "Your answers on it were weak, but there is no time for all of it.",
        (Kind::Begun, ..) => "You began it, but there is no time for all of it.",
        (Kind::Named, true, _) => "The job names it, but what you answered poorly comes first.",
        (Kind::Named, ..) => "The job names it, but there is no time for all of what it names.",
        (Kind::Other, true, false) => {
            "What you answered poorly and what the job names is read in full first."
        }
        (Kind::Other, true, true) => "What you answered poorly is read in full first.",
        (Kind::Other, false, false) => "What the job names is read in full first.",
        (Kind::Other, false, true) => "That leaves time for the other lessons that interviews ask about.",
    }
}

/// Whether somebody began with a lesson by themselves: more of it was seen than the core that a plan asks for, or less.
fn is_begun(progress: &LessonProgress) -> bool {
    !progress.read && progress.seen > 0.0 && (progress.seen - CORE).abs() > f64::EPSILON
}

/// What may be done of a lesson.
fn steps(pack: &Pack, home: &Home, (nth, lesson): (usize, &Lesson), held: &[String]) -> Vec<Step> {
    let index = pack.index();
    let nothing = Posting::default();
    let asked = weight(index, &home.posting, lesson);
    let is_often = [&nothing, &home.posting].iter().any(|posting| {
        let most = index.lessons.iter().map(|l| weight(index, posting, l)).fold(0.0, f64::max);
        weight(index, posting, lesson) >= OFTEN * most
    });
    let is_named = home.posting.share(&lesson.id) > 0.0;
    let progress = home.lessons.get(&*lesson.id).cloned().unwrap_or_default();
    let has_core = progress.read || progress.seen >= CORE;
    let is_open = |drill: &Drill| !home.is_answered_today(&drill.id);
    let is_well = progress.mean.is_some_and(|mean| mean >= ANSWERED_WELL);
    let is_poor = progress.mean.is_some_and(|mean| mean < ANSWERED_WELL);
    let is_drilled = progress.drills > 0 && (has_core || is_well);
    let can_drill = index.drills_of(&lesson.id).any(is_open);
    let drill = || Piece { place: (nth, 1), task: Task::Drill(lesson.id.to_string()) };
    let step = |pieces: Vec<Piece>, turn: Turn, worth: f64| {
        let minutes: u32 = pieces.iter().map(|piece| piece.task.minutes(DRILL)).sum();
        let worth = worth / f64::from(minutes.max(1));
        Step { lesson: nth, pieces, turn, worth, is_needed: false }
    };
    let first = (can_drill && !is_drilled).then(drill);
    let mut out = Vec::new();
    let rest = duration::reading(lesson, Some(&progress));
    let all = || Piece { place: (nth, 0), task: Task::Read(lesson.id.to_string(), rest) };
    if has_core {
        out.extend(first.map(|drill| step(vec![drill], Turn::Drill, asked)));
        // what was begun is read to its end
        out.extend(is_begun(&progress).then(|| step(vec![all()], Turn::Mine, asked)));
        if can_drill && is_drilled && is_poor {
            out.push(step(vec![drill()], Turn::Again, asked * (1.0 - progress.mean.unwrap_or(0.0))));
        }
    } else {
        let turn = match progress.drills {
            _ if is_begun(&progress) || is_poor => Turn::Mine,
            _ if held.iter().any(|id| *id == *lesson.id) => Turn::Held,
            _ if is_named => Turn::Named,
            0 if is_often => Turn::Often,
            _ => Turn::Core,
        };
        let share = if turn == Turn::Core && progress.drills > 0 { MET } else { 1.0 };
        let core = step([section(lesson, nth)].into_iter().chain(first).collect(), turn, share * asked);
        out.push(Step { is_needed: true, ..core });
    }
    let is_to_end = has_core && is_begun(&progress);
    if !progress.read && !is_to_end && (has_core || core(lesson).is_some()) {
        let less = if has_core { 0 } else { core(lesson).unwrap_or(0) };
        let worth = DEPTH * asked / f64::from(rest.saturating_sub(less).max(1));
        let turn = match kind(home, &lesson.id) {
            Kind::Weak | Kind::Begun => Turn::Full,
            Kind::Named if home.posting.share(&lesson.id) >= OFTEN => Turn::Full,
            Kind::Named | Kind::Other => Turn::Depth,
        };
        out.push(Step { lesson: nth, pieces: vec![all()], turn, worth, is_needed: false });
    }
    out
}
