//! What a plan has time for: which sections, drills and labs, and on which days.

use super::{ANSWERED_WELL, ASKED, DRILL, DRILLED, Task};
use crate::pack::Pack;
use crate::pack::index::{Lab, Lesson};
use crate::study::home::{Home, LessonProgress};
use crate::study::posting::Posting;

/// The minutes that a day has for this.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    pub(super) minutes: u32,
    /// Whether they are those that something else leaves.
    pub(super) is_beside: bool,
}

/// How much an interview asks of a lesson with so many drills: as its author says, or as it has drills; more where a job
/// description asks for it.
pub(super) fn weight(posting: &Posting, lesson: &Lesson, drills: usize) -> f64 {
    lesson.asked.map_or(drills as f64, f64::from) * (1.0 + ASKED * posting.share(&lesson.id))
}

/// What is still to be read and tried, in order.
pub(super) struct Work {
    /// What is done on each day, the first one first.
    days: Vec<Vec<Task>>,
    pub(super) left_out: Vec<String>,
}

/// Something of a lesson that may find time.
struct Piece {
    /// The lesson by its place in the pack, and the place within it: the section, its labs, a drill.
    place: (usize, usize),
    task: Task,
    /// How much an interview asks of its lesson.
    weight: f64,
    /// What comes first takes time first: the opening of the course, sections and drills, labs.
    turn: u8,
    /// What a minute of it is worth.
    worth: f64,
}

impl Work {
    /// The work that fits into some days, each with its minutes for it. An interview asks of a lesson as much as its
    /// author says, or as it has drills; those of the lesson that a job description asks for most count three times, those of the others by their
    /// share of that. So a minute goes where it is worth most: to the sections that are asked most, then to a drill of
    /// each, then to labs. No section is read where one that is asked more had no time; the one that opens the course
    /// is. What is kept stands in the order of the pack.
    /// Where days are full, each takes as much as it has room for; otherwise an even share.
    ///
    /// A job description leaves a lesson out only for another one: where it keeps none, the plan is as without it.
    pub(super) fn of(pack: &Pack, home: &Home, days: &[Room], is_full: bool) -> Self {
        let asked = Work::weighed(pack, (home, &home.posting), (days, is_full));
        if home.posting.is_empty() || asked.left_out.is_empty() {
            return asked;
        }
        let even = Work::weighed(pack, (home, &Posting::default()), (days, is_full));
        let keeps = even.left_out.iter().any(|lesson| !asked.left_out.contains(lesson));
        if keeps { asked } else { even }
    }

    /// The same, each lesson weighed by what a job description asks for.
    fn weighed(pack: &Pack, (home, posting): (&Home, &Posting), (days, is_full): (&[Room], bool)) -> Self {
        let lessons = &pack.index().lessons;
        let mut pieces: Vec<Piece> =
            lessons.iter().enumerate().flat_map(|at| pieces(pack, (home, posting), at)).collect();
        pieces.sort_by(|a, b| a.turn.cmp(&b.turn).then(b.worth.total_cmp(&a.worth)));
        let (mut taken, mut left_out): (Vec<Piece>, Vec<usize>) = (Vec::new(), Vec::new());
        let mut refused = 0.0;
        for piece in pieces {
            let (lesson, is_section) = (piece.place.0, matches!(piece.task, Task::Read(..)));
            let is_behind = is_section && piece.turn > 0 && piece.weight < refused;
            let weight = piece.weight;
            if !is_behind && !left_out.contains(&lesson) && take(piece, &mut taken, (days, is_full)) {
                continue;
            }
            if is_section {
                refused = weight.max(refused);
                left_out.push(lesson);
            }
        }
        left_out.sort_unstable();
        let minutes: Vec<u32> = taken.iter().map(|piece| piece.task.minutes(0)).collect();
        let mut tasks = taken.into_iter().map(|piece| piece.task);
        let shares = shares(&minutes, days, is_full);
        Work {
            days: shares.into_iter().map(|count| tasks.by_ref().take(count).collect()).collect(),
            left_out: left_out.into_iter().map(|lesson| lessons[lesson].id.to_string()).collect(),
        }
    }

    /// What comes on a day, by its number.
    pub(super) fn share(&mut self, day: usize) -> Vec<Task> {
        self.days.get_mut(day).map(std::mem::take).unwrap_or_default()
    }
}

/// Takes a piece where all that is taken still fits into the days; says whether it did.
fn take(piece: Piece, taken: &mut Vec<Piece>, (days, is_full): (&[Room], bool)) -> bool {
    let at = taken.partition_point(|other| other.place < piece.place);
    taken.insert(at, piece);
    let all: Vec<u32> = taken.iter().map(|piece| piece.task.minutes(0)).collect();
    // a day takes one task whatever it needs; all days together do not
    let fits = shares(&all, days, is_full).iter().sum::<usize>() == all.len()
        && all.iter().sum::<u32>() <= days.iter().map(|room| room.minutes).sum();
    if !fits {
        taken.remove(at);
    }
    fits
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

/// What of a lesson was not done: reading it, its labs, answering its first drill.
fn pieces(pack: &Pack, (home, posting): (&Home, &Posting), (nth, lesson): (usize, &Lesson)) -> Vec<Piece> {
    let progress = home.lessons.get(&*lesson.id);
    let drills = pack.index().drills_of(&lesson.id).count();
    let asked = weight(&Posting::default(), lesson, drills);
    let weight = weight(posting, lesson, drills);
    let a_minute = |worth: f64, minutes: u32| worth / f64::from(minutes.max(1));
    let (mut out, mut reading) = (Vec::new(), f64::INFINITY);
    if !progress.is_some_and(|p| p.read) {
        reading = a_minute(weight, lesson.minutes);
        let task = Task::Read(lesson.id.to_string(), lesson.minutes);
        // who has begun with another lesson has no need of the one that opens the course
        let opens = nth == 0 && home.lessons.values().all(|l| !l.read);
        out.push(Piece { place: (nth, 0), task, weight, turn: u8::from(!opens), worth: reading });
    }
    for (at, lab) in lesson.labs.iter().enumerate().filter(|(_, lab)| !is_done(home, lesson, lab)) {
        let task = Task::Lab(lab.id.to_string(), lab.minutes);
        let worth = a_minute(weight, lab.minutes);
        out.push(Piece { place: (nth, at + 1), task, weight, turn: 2, worth });
    }
    // an answer that was given before the section was read does not stand for the drill after it, nor does a poor one
    let is_answered =
        |p: &LessonProgress| p.drills > 0 && p.read && p.mean.is_none_or(|mean| mean >= ANSWERED_WELL);
    if !progress.is_some_and(is_answered) && drills > 0 {
        // after the section that it asks for
        // what a job asks for is read before the rest; a drill of it takes no time from the sections of others
        let worth = a_minute(asked * DRILLED, DRILL).min(reading);
        let place = (nth, lesson.labs.len() + 1);
        out.push(Piece { place, task: Task::Drill(lesson.id.to_string()), weight, turn: 1, worth });
    }
    out
}

fn is_done(home: &Home, lesson: &Lesson, lab: &Lab) -> bool {
    home.lessons.get(&*lesson.id).is_some_and(|p| p.labs.iter().any(|done| *done == lab.id))
}
