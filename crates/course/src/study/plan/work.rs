//! What a plan has time for: which sections, drills and labs, and on which days.

use super::{ANSWERED_WELL, ASKED, Task};
use crate::pack::Pack;
use crate::pack::index::{Index, Lab, Lesson};
use crate::study::duration;
use crate::study::home::{Home, LessonProgress};
use crate::study::posting::Posting;

/// The minutes that a day has for this.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    pub(super) minutes: u32,
    /// Whether they are those that something else leaves.
    pub(super) is_beside: bool,
}

/// How much an interview asks of a lesson: as its author says, or as it has drills. What a job description asks for
/// counts more than what it does not name, however much interviews ask that otherwise: its first lesson twice as much again
/// as any. What interviews ask most of all, by the author's word, any job asks as much as anything.
pub(super) fn weight(index: &Index, posting: &Posting, lesson: &Lesson) -> f64 {
    let asked =
        |lesson: &Lesson| lesson.asked.map_or_else(|| index.drills_of(&lesson.id).count() as f64, f64::from);
    if posting.is_empty() {
        return asked(lesson);
    }
    let most = index.lessons.iter().map(asked).fold(0.0, f64::max);
    let core = index.lessons.iter().filter_map(|l| l.asked).max();
    let is_core = lesson.asked.is_some() && lesson.asked == core;
    let share = if is_core { 1.0 } else { posting.share(&lesson.id) };
    asked(lesson) + ASKED * most * share
}

/// What is still to be read and tried, in order.
pub(super) struct Work {
    /// What is done on each day, the first one first.
    days: Vec<Vec<Task>>,
    /// Ids of lessons that found no time.
    pub(super) left_out: Vec<String>,
}

/// The days that things find time on.
#[derive(Clone, Copy)]
pub(super) struct Days<'a> {
    pub(super) rooms: &'a [Room],
    /// Whether each takes as much as it has room for; otherwise an even share.
    pub(super) is_full: bool,
    /// The lessons of the pack: what one needs comes before it.
    pub(super) lessons: &'a [Lesson],
}

/// Something of a lesson that may find time.
#[derive(Clone)]
pub(super) struct Piece {
    /// The lesson by its place in the pack, and the place within it: the section, a drill, its labs.
    pub(super) place: (usize, usize),
    pub(super) task: Task,
}

impl Work {
    /// All that is to be read and drilled, and of what else may be done what finds time beside it: what was answered poorly
    /// once more, then labs, what an interview asks most first. None where not all of the first finds time. A drill comes right after its section,
    /// and everything stands in the order of the pack. Where days are full, each takes as much as it has
    /// room for; otherwise an even share.
    pub(super) fn of(pack: &Pack, home: &Home, rooms: &[Room], is_full: bool) -> Option<Self> {
        let days = Days { rooms, is_full, lessons: &pack.index().lessons };
        let all = pack.index().lessons.iter().enumerate();
        let (must, mut may): (Vec<Unit>, Vec<Unit>) =
            all.flat_map(|at| units(pack, home, at)).partition(|unit| unit.turn == Turn::Must);
        let mut taken = Vec::new();
        let must = must.into_iter().flat_map(|unit| unit.pieces).collect();
        if !take(must, &mut taken, days) {
            return None;
        }
        may.sort_by(|a, b| a.turn.cmp(&b.turn).then(b.worth.total_cmp(&a.worth)));
        for unit in may {
            take(unit.pieces, &mut taken, days);
        }
        Some(Work::shared(taken, days, Vec::new()))
    }

    /// The days with what was taken for them.
    pub(super) fn shared(taken: Vec<Piece>, days: Days<'_>, left_out: Vec<String>) -> Self {
        let places = placed(&taken, days).unwrap_or_default();
        let mut shared = vec![Vec::new(); days.rooms.len()];
        for (piece, day) in taken.into_iter().zip(places) {
            shared[day].push(piece.task);
        }
        Work { days: shared, left_out }
    }

    /// What comes on a day, by its number.
    pub(super) fn share(&mut self, day: usize) -> Vec<Task> {
        self.days.get_mut(day).map(std::mem::take).unwrap_or_default()
    }
}

/// Pieces that find time together or not at all: a section and the drill after it.
struct Unit {
    pieces: Vec<Piece>,
    turn: Turn,
    /// What a minute of it is worth.
    worth: f64,
}

/// In which order things take time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Turn {
    /// Sections, each with its drill; the drill of what was read.
    Must,
    /// Another drill of what was answered poorly.
    Again,
    /// Labs.
    Lab,
}

/// Takes pieces where all that is taken still fits into the days; says whether it did.
pub(super) fn take(pieces: Vec<Piece>, taken: &mut Vec<Piece>, days: Days<'_>) -> bool {
    let before = taken.clone();
    // a piece in the place of another one stands for it
    taken.retain(|old| pieces.iter().all(|new| new.place != old.place));
    taken.extend(pieces);
    taken.sort_by_key(|piece| piece.place);
    let fits = placed(taken, days).is_some();
    if !fits {
        *taken = before;
    }
    fits
}

/// The day of each piece, where all of them fit: one after the other, or else each into the first day that has room for it, so that
/// no minutes lie idle that a lesson could use. What belongs to a lesson never comes before its
/// section, and no section before what it needs.
fn placed(taken: &[Piece], days: Days<'_>) -> Option<Vec<usize>> {
    let Days { rooms: days, is_full, lessons } = days;
    let all: Vec<u32> = taken.iter().map(|piece| piece.task.minutes(0)).collect();
    // a day takes one task whatever it needs; all days together do not
    if all.iter().sum::<u32>() > days.iter().map(|room| room.minutes).sum() {
        return None;
    }
    let shares = shares(&all, days, is_full);
    if shares.iter().sum::<usize>() == all.len() {
        let days = shares.iter().enumerate().flat_map(|(day, count)| std::iter::repeat_n(day, *count));
        return Some(days.collect());
    }
    if !days.iter().all(|room| room.is_beside) {
        return None;
    }
    let mut free: Vec<u32> = days.iter().map(|room| room.minutes).collect();
    let mut out: Vec<usize> = Vec::new();
    for (at, piece) in taken.iter().enumerate() {
        let (nth, needs) = (piece.place.0, &lessons[piece.place.0].needs);
        let comes_first = |other: &Piece| other.place.0 == nth || needs.contains(&lessons[other.place.0].id);
        let before = taken[..at].iter().zip(&out).filter(|(other, _)| comes_first(other));
        let first = before.map(|(_, day)| *day).max().unwrap_or(0);
        // the drill of a section comes that day or the next
        let drill = taken.get(at + 1).filter(|next| (piece.place.1, next.place) == (0, (nth, 1)));
        let drill = drill.map_or(0, |_| all[at + 1]);
        let is_soon =
            |day: usize| free[day] >= all[at] + drill || free.get(day + 1).is_some_and(|next| *next >= drill);
        let day = (first..free.len()).find(|day| free[*day] >= all[at] && is_soon(*day))?;
        free[day] -= all[at];
        out.push(day);
    }
    Some(out)
}

/// How many of some tasks, in this order, come on each of some days.
fn shares(tasks: &[u32], days: &[Room], is_full: bool) -> Vec<usize> {
    let mut left = tasks;
    let mut share_of = |(day, room): (usize, &Room)| {
        let days = if is_full { 1 } else { days.len() - day };
        let count = share(left, days, *room);
        left = &left[count..];
        count
    };
    days.iter().enumerate().map(&mut share_of).collect()
}

/// How many of the tasks that are left over some days come on the first of them: an even share, and not more than it has
/// minutes. A day of reading that has any takes at least one.
fn share(left: &[u32], days: usize, room: Room) -> usize {
    let even = left.iter().sum::<u32>().div_ceil(days.max(1) as u32);
    let mut used = 0;
    let is_over = |task: &u32| {
        let has_some = used > 0 || room.is_beside;
        let is_over =
            room.minutes == 0 || has_some && (used + task > room.minutes) || used > 0 && used >= even;
        used += task;
        is_over
    };
    left.iter().position(is_over).unwrap_or(left.len())
}

/// What of a lesson was not done: reading it with its first drill, which comes right after it, and its labs.
fn units(pack: &Pack, home: &Home, (nth, lesson): (usize, &Lesson)) -> Vec<Unit> {
    let progress = home.lessons.get(&*lesson.id);
    let index = pack.index();
    let (asked, weight) = (weight(index, &Posting::default(), lesson), weight(index, &home.posting, lesson));
    let piece = |at: usize, task: Task| Piece { place: (nth, at), task };
    let is_read = progress.is_some_and(|p| p.read);
    // an answer that was given before the section was read does not stand for the drill after it, as long as there is
    // another question; nor does a poor one, but not on the day on which it was given
    let is_poor = |p: &LessonProgress| p.mean.is_some_and(|mean| mean < ANSWERED_WELL);
    let today = index.drills_of(&lesson.id).any(|d| home.is_answered_today(&d.id));
    let is_used_up = index.drills_of(&lesson.id).all(|d| home.is_answered_today(&d.id));
    let is_answered =
        |p: &LessonProgress| p.drills > 0 && if p.read { today || !is_poor(p) } else { is_used_up };
    let has_drills = index.drills_of(&lesson.id).next().is_some();
    let drill = Task::Drill(lesson.id.to_string());
    let drill = (has_drills && !progress.is_some_and(is_answered)).then(|| piece(1, drill));
    let mut out = Vec::new();
    if !is_read {
        let section = piece(0, Task::Read(lesson.id.to_string(), duration::reading(lesson, progress)));
        let pieces = [section].into_iter().chain(drill).collect();
        out.push(Unit { pieces, turn: Turn::Must, worth: 0.0 });
    } else if let Some(drill) = drill {
        let turn = if progress.is_some_and(|p| p.drills > 0) { Turn::Again } else { Turn::Must };
        out.push(Unit { pieces: vec![drill], turn, worth: asked });
    }
    for (at, lab) in lesson.labs.iter().enumerate().filter(|(_, lab)| !is_done(home, lesson, lab)) {
        let worth = weight / f64::from(lab.minutes.max(1));
        let lab = piece(at + 2, Task::Lab(lab.id.to_string(), lab.minutes));
        out.push(Unit { pieces: vec![lab], turn: Turn::Lab, worth });
    }
    out
}

fn is_done(home: &Home, lesson: &Lesson, lab: &Lab) -> bool {
    home.lessons.get(&*lesson.id).is_some_and(|p| p.labs.iter().any(|done| *done == lab.id))
}
