//! What the plan until the interview asks for, as places to go to.

use jiff::Zoned;
use jiff::civil::Date;

use super::Context;
use crate::app::place::Place;
use crate::study::day::Day;
use crate::study::next::{self, Step};
use crate::study::plan::{self, Plan, Task};
use crate::study::rehearsal::Setup;

/// Minutes a day that the plan reckons with.
pub const MINUTES: u32 = 60;

/// Today, where the learner is.
pub fn today(context: &Context) -> Date {
    Zoned::new(context.now, context.zone.clone()).date()
}

/// How far away the interview is, in words.
pub fn ahead(date: Date, today: Date) -> String {
    match (date - today).get_days() {
        0 => "interview today".into(),
        1 => "interview tomorrow".into(),
        days if days < 0 => format!("interview was on {date}"),
        days => format!("interview in {days} days"),
    }
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
    let lesson = |id: &String| Place::Lesson {
        pack: index,
        id: id.clone(),
    };
    let drill = |id: &str, only: Option<String>| Place::Drill {
        pack: index,
        id: id.to_owned(),
        only,
    };
    Some(match task {
        Task::Review => Place::Review { ahead: 0 },
        Task::Read(id, _) => lesson(id),
        Task::Lab(id, _) => Place::Lab {
            pack: index,
            id: id.clone(),
        },
        Task::Skim => lesson(left_out.first()?),
        Task::Drill(lesson) => {
            let home = context.memory.home(index)?;
            drill(&next::drill(of, home, lesson)?.id, None)
        }
        Task::Weakest => {
            let home = context.memory.home(index)?;
            let steps = next::next(of, home, |id| home.answered.get(id).copied());
            let weakest = steps.into_iter().find_map(|s| match s.step {
                Step::Drill { drill, part } => Some((drill, part)),
                _ => None,
            });
            match weakest {
                Some((id, part)) => drill(&id, Some(part)),
                // nothing is known yet, or nothing is weak: any part is as good as another
                None => {
                    let first = of.drills.first()?;
                    drill(&first.id, Some(first.rubric.parts.first()?.clone()))
                }
            }
        }
        Task::Screen => rehearse(Setup::screen(&of.id, seed(context))),
        Task::Onsite => rehearse(Setup::onsite(&of.id, seed(context))),
    })
}

fn rehearse(setup: Setup) -> Place {
    Place::RehearseWith {
        setup: Box::new(setup),
        start: false,
    }
}

/// A seed of the day: other prompts each day.
fn seed(context: &Context) -> u64 {
    u64::try_from(context.now.as_second() / 86_400).unwrap_or(0)
}
