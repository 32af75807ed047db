//! What was planned for one day: it stays as it is while it is being done.

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::{CORE, DayPlan, Plan, REVIEW, Slip, Span, Task, after, moved, order, plan_from};
use crate::pack::Pack;
use crate::study::duration;
use crate::study::home::Home;

/// What was planned for a day, as it stood when the day was first looked at: it does not grow while
/// it is being done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Today {
    /// The day.
    pub date: Date,
    /// The day of the interview that it was planned for.
    pub interview: Date,
    /// What to do, in order.
    pub tasks: Vec<Task>,
    /// How many answers to one part alone there were before.
    pub alone: u64,
    /// The tasks that the learner ticked by hand, by their places.
    #[serde(default)]
    pub ticked: Vec<usize>,
    /// What the learner left for a later day, so that planning anew does not bring it back.
    #[serde(default)]
    pub later: Vec<Task>,
    /// The day that planning for this interview began; none where that was not kept.
    #[serde(default)]
    pub begun: Option<Date>,
    /// Minutes for what was due when the day was planned; none where that was not kept.
    #[serde(default)]
    pub review: Option<u32>,
    /// What became of the days before, where something on them was not done.
    #[serde(default)]
    pub slip: Option<Slip>,
}

impl Today {
    /// What is to be done today. None where the interview is over or more than a year away.
    pub fn of(pack: &Pack, home: &Home, days: impl Into<Span>, minutes: u32) -> Option<Self> {
        Today::planned(pack, (home, &[]), days.into(), minutes)
    }

    /// The same, where some things were left for it or for a later day.
    fn planned(pack: &Pack, (home, later): (&Home, &[Task]), days: Span, minutes: u32) -> Option<Self> {
        let Span { begun, today, interview } = days;
        let due = duration::due(pack.index(), &home.due);
        let plan = plan_from(pack, (home, later), days, (minutes, due));
        let DayPlan { tasks, review, .. } = plan.days.into_iter().next()?;
        let later = later.iter().filter(|task| !tasks.contains(task)).cloned().collect();
        let (begun, review) = (Some(begun), Some(review));
        let (alone, ticked) = (home.alone, Vec::new());
        Some(Today { date: today, interview, tasks, alone, ticked, later, begun, review, slip: None })
    }

    /// A later day: it tells what was missed. It has what was put off until then; what was left over is planned anew.
    /// `begun` is when this day began. None where the interview is over.
    pub fn following(
        &self,
        (pack, home): (&Pack, &Home),
        (today, minutes): (Date, u32),
        begun: Timestamp,
    ) -> Option<Self> {
        let done = self.done(pack, home, begun);
        let moved = Today { tasks: self.later.clone(), ticked: Vec::new(), ..self.clone() };
        let is_open = |(task, done): (&Task, &bool)| (!done).then(|| task.clone());
        let later: Vec<Task> =
            moved.tasks.iter().zip(&moved.done(pack, home, begun)).filter_map(is_open).collect();
        let days = Span { begun: self.begun(), today, interview: self.interview };
        let at = |minutes: u32| {
            let next = Today::planned(pack, (home, &later), days, minutes)?;
            let rest = next.rest(pack, home, minutes);
            Some((next, rest))
        };
        let slip = moved::missed(pack, (home, minutes), (self, &done, begun), at);
        Some(Today { slip, ..at(minutes)?.0 })
    }

    /// The same day planned anew: with other minutes, or by what a job asks for. What is done of it stays, and so does
    /// what was left for a later day. None where the interview is over.
    pub fn anew(&self, pack: &Pack, home: &Home, minutes: u32, done: &[bool]) -> Option<Self> {
        let days = Span { begun: self.begun(), today: self.date, interview: self.interview };
        let mut new = Today::of(pack, home, days, minutes)?;
        let kept: Vec<Task> =
            self.tasks.iter().zip(done).filter(|(_, done)| **done).map(|(task, _)| task.clone()).collect();
        // a section that is read in full now is the one that was read in short
        let is = |other: &Task, task: &Task| {
            other == task || (task.reads().is_some() && task.reads() == other.reads())
        };
        let had = |task: &Task| kept.iter().chain(&self.later).any(|other| is(other, task));
        new.tasks.retain(|task| !had(task));
        // with a reading that was left for later goes what comes after it
        let is_left = |task: &Task| self.later.iter().any(|reading| task.needs(reading, pack));
        let is_early = |task: &Task| is_left(task) && order::is_early(task, home, pack);
        new.tasks.retain(|task| !is_early(task));
        if kept.contains(&Task::Review) {
            new.review = self.review;
        }
        (new.later, new.slip) = (self.later.clone(), self.slip.clone());
        new.ticked = (0..kept.len()).collect();
        new.tasks.splice(0..0, kept);
        Some(new)
    }

    /// Minutes that a task of the day takes.
    pub fn minutes(&self, task: &Task) -> u32 {
        task.minutes(self.review.unwrap_or(REVIEW))
    }

    /// The day that planning for this interview began.
    pub fn begun(&self) -> Date {
        self.begun.unwrap_or(self.date)
    }

    /// Whether each task is done, `begun` being when the day began.
    pub fn done(&self, pack: &Pack, home: &Home, begun: Timestamp) -> Vec<bool> {
        let mut answers = self.alone;
        let mut done = |task: &Task| match task {
            Task::Review => home.due.total() == 0,
            Task::Read(id, _) => home.lessons.get(id).is_some_and(|l| l.read),
            Task::Short(id, _) => home.lessons.get(id).is_some_and(|l| l.read || l.seen >= CORE),
            Task::Lab(id, _) => home.lessons.values().any(|l| l.labs.contains(id)),
            Task::Drill(lesson) => {
                let answered = |drill: &str| home.answered.get(drill).is_some_and(|at| *at >= begun);
                pack.index().drills_of(lesson).any(|d| answered(&d.id))
            }
            Task::Weakest => {
                answers += 1;
                home.alone >= answers
            }
            Task::Screen | Task::Onsite => home.rehearsed.as_ref().is_some_and(|r| r.at >= begun),
            // nobody can tell; the day's rehearsal comes after it
            Task::Skim => home.rehearsed.as_ref().is_some_and(|r| r.at >= begun),
        };
        let ticked = |at: &usize| self.ticked.contains(at);
        self.tasks.iter().enumerate().map(|(at, task)| done(task) || ticked(&at)).collect()
    }

    /// Takes a task out of the day, and with the reading of a lesson what is open of its labs and drills, which come after
    /// it; the days after it are planned with them. `done` tells of each task whether it is done. What was taken out, the
    /// task itself first.
    pub fn put_off(&mut self, pack: &Pack, at: usize, done: &[bool]) -> Vec<Task> {
        let Some(task) = self.tasks.get(at).cloned() else { return Vec::new() };
        let is_open = |place: usize| !done.get(place).copied().unwrap_or_default();
        let places = (at + 1..self.tasks.len()).rev();
        let mut after: Vec<usize> =
            places.filter(|&place| is_open(place) && self.tasks[place].needs(&task, pack)).collect();
        after.push(at);
        let mut out: Vec<Task> = after.into_iter().map(|place| self.take_out(place)).collect();
        out.reverse();
        self.later.extend_from_slice(&out);
        out
    }

    /// Takes a task of a later day up today, with the reading that comes before it where one is planned; `rest` are the days
    /// after today.
    pub fn take_up(&mut self, pack: &Pack, task: &Task, rest: &Plan) {
        let mut planned = rest.days.iter().flat_map(|day| &day.tasks);
        let reading = planned.find(|reading| task.needs(reading, pack));
        for task in reading.into_iter().chain([task]) {
            self.later.retain(|later| later != task);
            self.tasks.push(task.clone());
        }
    }

    fn take_out(&mut self, at: usize) -> Task {
        self.ticked.retain(|ticked| *ticked != at);
        self.ticked.iter_mut().filter(|ticked| **ticked > at).for_each(|ticked| *ticked -= 1);
        self.tasks.remove(at)
    }

    /// The plan of the days that follow, once this day is done.
    pub fn rest(&self, pack: &Pack, home: &Home, minutes: u32) -> Plan {
        let Ok(tomorrow) = self.date.tomorrow() else {
            return Plan::default();
        };
        let mut then = after(pack, home, &self.tasks);
        // what is answered today comes back
        then.due.drills = then.due.drills.max(1);
        let days = Span { begun: self.begun(), today: tomorrow, interview: self.interview };
        plan_from(pack, (&then, &self.later), days, (minutes, REVIEW))
    }
}
