//! What a plan has time for: which sections, drills and labs, and on which days.

use std::collections::{BTreeMap, BTreeSet};

use super::{ANSWERED_WELL, ASKED, DRILL, DRILLED, Task};
use crate::pack::Pack;
use crate::pack::index::{Index, Lab, Lesson};
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
    pub(super) left_out: Vec<String>,
    /// What was left for later and found no time beside the sections.
    pub(super) homeless: Vec<Task>,
}

/// Something of a lesson that may find time.
#[derive(Clone)]
struct Piece {
    /// The lesson by its place in the pack, and the place within it: the section, its labs, a drill.
    place: (usize, usize),
    task: Task,
}

/// Pieces that find time together or not at all: a section and the drill after it.
struct Unit {
    /// The lesson by its place in the pack.
    lesson: usize,
    pieces: Vec<Piece>,
    /// How much an interview asks of its lesson.
    weight: f64,
    /// What comes first takes time first.
    turn: Turn,
    /// What a minute of it is worth.
    worth: f64,
}

/// In which order things take time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Turn {
    /// Sections that were left for later, the drill of what was read, what opens the course.
    First,
    /// Sections, each with its drill.
    Section,
    /// A drill or a lab alone that was left for later: no section goes for it.
    Moved,
    /// Labs.
    Lab,
}

impl Work {
    /// The work that fits into some days, each with its minutes for it. An interview asks of a lesson as much as its
    /// author says, or as it has drills, and as a job description asks for it. A section comes with its drill and with the sections that it needs, or not at all: where time is
    /// short, the lesson that is asked least goes, not the practice of the others. So a minute goes where it is worth
    /// most: to the sections that are asked most, then to labs. No section is read where one that is asked more had no
    /// time, unless that one needs it; the one that opens the course is. What is kept stands in the order of the pack.
    /// Where days are full, each takes as much as it has room for; otherwise an even share.
    ///
    /// A job description leaves a lesson out only for another one: where it keeps none, the plan is as without it.
    /// `later` is what a learner moved to a later day: a section takes time before anything else, a drill or a lab alone
    /// where it drives out no section, so that what is small does not cost what is large.
    pub(super) fn of(pack: &Pack, (home, later): (&Home, &[Task]), days: &[Room], is_full: bool) -> Self {
        let asked = Work::weighed(pack, (home, later, &home.posting), (days, is_full));
        if home.posting.is_empty() || asked.left_out.is_empty() {
            return asked;
        }
        let even = Work::weighed(pack, (home, later, &Posting::default()), (days, is_full));
        let keeps = even.left_out.iter().any(|lesson| !asked.left_out.contains(lesson));
        if keeps { asked } else { even }
    }

    /// The same, each lesson weighed by what a job description asks for.
    fn weighed(
        pack: &Pack,
        (home, later, posting): (&Home, &[Task], &Posting),
        (days, is_full): (&[Room], bool),
    ) -> Self {
        let lessons = &pack.index().lessons;
        let all = lessons.iter().enumerate();
        let mut units: Vec<Unit> = all.flat_map(|at| units(pack, (home, later, posting), at)).collect();
        units.sort_by(|a, b| (a.turn, a.rank()).cmp(&(b.turn, b.rank())).then(b.worth.total_cmp(&a.worth)));
        let sections: BTreeMap<usize, Vec<Piece>> =
            units.iter().filter(|u| u.reads()).map(|u| (u.lesson, u.pieces.clone())).collect();
        let (mut taken, mut left_out): (Vec<Piece>, Vec<usize>) = (Vec::new(), Vec::new());
        let (mut refused, mut wanted, mut homeless) = (0.0, BTreeSet::new(), Vec::new());
        for unit in units {
            let (lesson, reads, turn) = (unit.lesson, unit.reads(), unit.turn);
            if taken.iter().any(|piece| unit.pieces[0].place == piece.place) {
                continue;
            }
            let is_behind = reads && turn > Turn::First && unit.weight < refused && !wanted.contains(&lesson);
            let mut pieces = unit.pieces;
            let alone = (turn == Turn::Moved).then(|| pieces[0].task.clone());
            if reads {
                for needed in needs(pack, lesson) {
                    let with = sections.get(&needed).into_iter().flatten();
                    pieces.extend(with.filter(|p| taken.iter().all(|t| t.place != p.place)).cloned());
                }
            }
            let is_out = is_behind || left_out.contains(&lesson);
            if !is_out && take(pieces, &mut taken, (days, is_full)) {
                continue;
            }
            if reads {
                refused = unit.weight.max(refused);
                wanted.extend(needs(pack, lesson));
                left_out.push(lesson);
            }
            homeless.extend(alone);
        }
        // better a section that needs none of these, without its drill, than nothing at all
        for lesson in left_out.clone() {
            let is_ready = needs(pack, lesson).iter().all(|needed| !sections.contains_key(needed));
            if taken.is_empty() && is_ready {
                take(sections[&lesson][..1].to_vec(), &mut taken, (days, is_full));
            }
        }
        left_out.retain(|lesson| taken.iter().all(|piece| piece.place != (*lesson, 0)));
        left_out.sort_unstable();
        let minutes: Vec<u32> = taken.iter().map(|piece| piece.task.minutes(0)).collect();
        let mut tasks = taken.into_iter().map(|piece| piece.task);
        let shares = shares(&minutes, days, is_full);
        Work {
            days: shares.into_iter().map(|count| tasks.by_ref().take(count).collect()).collect(),
            left_out: left_out.into_iter().map(|lesson| lessons[lesson].id.to_string()).collect(),
            homeless,
        }
    }

    /// What comes on a day, by its number.
    pub(super) fn share(&mut self, day: usize) -> Vec<Task> {
        self.days.get_mut(day).map(std::mem::take).unwrap_or_default()
    }
}

/// Takes pieces where all that is taken still fits into the days; says whether it did.
fn take(pieces: Vec<Piece>, taken: &mut Vec<Piece>, (days, is_full): (&[Room], bool)) -> bool {
    let before = taken.clone();
    taken.extend(pieces);
    taken.sort_by_key(|piece| piece.place);
    let all: Vec<u32> = taken.iter().map(|piece| piece.task.minutes(0)).collect();
    // a day takes one task whatever it needs; all days together do not
    let fits = shares(&all, days, is_full).iter().sum::<usize>() == all.len()
        && all.iter().sum::<u32>() <= days.iter().map(|room| room.minutes).sum();
    if !fits {
        *taken = before;
    }
    fits
}

/// The lessons that a lesson needs, and those that they need, by their places in the pack.
fn needs(pack: &Pack, lesson: usize) -> BTreeSet<usize> {
    let lessons = &pack.index().lessons;
    let (mut found, mut open) = (BTreeSet::new(), vec![lesson]);
    while let Some(at) = open.pop() {
        let needed = lessons[at].needs.iter().filter_map(|id| lessons.iter().position(|l| l.id == *id));
        open.extend(needed.filter(|at| *at != lesson && found.insert(*at)));
    }
    found
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

impl Unit {
    /// Whether it reads a section.
    fn reads(&self) -> bool {
        matches!(self.pieces[0].task, Task::Read(..))
    }

    /// Of what comes first: drills of what was read, then sections.
    fn rank(&self) -> u8 {
        u8::from(self.turn == Turn::First && self.reads())
    }
}

/// What of a lesson was not done: reading it with its first drill, which comes right after it, and its labs.
fn units(
    pack: &Pack,
    (home, later, posting): (&Home, &[Task], &Posting),
    (nth, lesson): (usize, &Lesson),
) -> Vec<Unit> {
    let progress = home.lessons.get(&*lesson.id);
    let index = pack.index();
    let (asked, weight) = (weight(index, &Posting::default(), lesson), weight(index, posting, lesson));
    let a_minute = |worth: f64, minutes: u32| worth / f64::from(minutes.max(1));
    let unit = |pieces: Vec<Piece>, turn: Turn, worth: f64| {
        let turn = match &pieces[0].task {
            first if !later.contains(first) => turn,
            Task::Read(..) => Turn::First,
            _ => Turn::Moved,
        };
        Unit { lesson: nth, pieces, weight, turn, worth }
    };
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
    let is_asked_again = later.contains(&drill) && !today || !progress.is_some_and(is_answered);
    let drill = (has_drills && is_asked_again).then(|| piece(1, drill));
    let mut out = Vec::new();
    if !is_read {
        let section = piece(0, Task::Read(lesson.id.to_string(), lesson.minutes));
        // who has begun with another lesson has no need of the one that opens the course
        let opens = nth == 0 && home.lessons.values().all(|l| !l.read);
        let turn = if opens { Turn::First } else { Turn::Section };
        out.push(unit([section].into_iter().chain(drill).collect(), turn, a_minute(weight, lesson.minutes)));
    } else if let Some(drill) = drill {
        // what was read is answered before more is read; what was answered poorly, again when there is time
        let turn = if progress.is_some_and(|p| p.drills > 0) { Turn::Section } else { Turn::First };
        out.push(unit(vec![drill], turn, a_minute(asked * DRILLED, DRILL)));
    }
    for (at, lab) in lesson.labs.iter().enumerate().filter(|(_, lab)| !is_done(home, lesson, lab)) {
        let lab = piece(at + 2, Task::Lab(lab.id.to_string(), lab.minutes));
        let worth = a_minute(weight, lab.task.minutes(0));
        out.push(unit(vec![lab], Turn::Lab, worth));
    }
    out
}

fn is_done(home: &Home, lesson: &Lesson, lab: &Lab) -> bool {
    home.lessons.get(&*lesson.id).is_some_and(|p| p.labs.iter().any(|done| *done == lab.id))
}
