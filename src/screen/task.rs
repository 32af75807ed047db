//! What the plan until the interview asks for, as places to go to.

use jiff::Zoned;
use jiff::civil::Date;

use super::Context;
use crate::page::place::Place;
use crate::page::task;
pub use crate::page::task::{MINUTES, ahead};
use crate::study::day::Day;
use crate::study::plan::{self, Plan, Task};

/// Today, where the learner is.
pub fn today(context: &Context) -> Date {
    Zoned::new(context.now, context.zone.clone()).date()
}

/// The plan until the interview for a pack, by its index. None where nothing is known of the learner
/// yet; empty where the interview is over or far away.
pub fn plan(index: usize, interview: Date, context: &Context) -> Option<Plan> {
    let pack = context.library.packs.get(index)?;
    let home = context.memory.home(index)?;
    Some(plan::plan(pack, home, (today(context), interview), MINUTES))
}

/// What was planned for today, for the first pack: each task, whether it is done, and where.
pub fn of_today(context: &Context) -> Option<Vec<(Task, bool, Option<Place>)>> {
    let planned = context.memory.today().filter(|t| t.date == today(context))?;
    let (pack, home) = (context.library.packs.first()?, context.memory.home(0)?);
    let begun = Day::of(planned.date, context.zone).start;
    let done = planned.done(pack, home, begun);
    // only skimming asks for what is left out, and finding that out takes a plan
    let left_out = match planned.tasks.contains(&Task::Skim) {
        true => rest(context)?.left_out,
        false => Vec::new(),
    };
    let tasks = planned.tasks.iter().zip(done);
    let with_place = |(task, done): (&Task, bool)| (task.clone(), done, place(task, 0, &left_out, context));
    Some(tasks.map(with_place).collect())
}

/// The plan of the days after today, for the first pack.
pub fn rest(context: &Context) -> Option<Plan> {
    let (pack, home) = (context.library.packs.first()?, context.memory.home(0)?);
    Some(context.memory.today()?.rest(pack, home, MINUTES))
}

/// Where a task of the plan of a pack is done; `left_out` are the lessons for which there is no time.
pub fn place(task: &Task, index: usize, left_out: &[String], context: &Context) -> Option<Place> {
    let of = context.library.packs.get(index)?;
    let home = context.memory.home(index)?;
    task::place(task, (index, of), home, (left_out, context.now))
}
