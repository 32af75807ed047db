//! What the plan until the interview asks for, as places to go to: the same for both faces.

use jiff::Timestamp;
use jiff::civil::Date;

use super::place::Place;
use crate::pack::Pack;
use crate::study::home::Home;
use crate::study::next::{self, Step};
use crate::study::plan::Task;
use crate::study::rehearsal::Setup;

/// Minutes a day that the plan reckons with.
pub const MINUTES: u32 = 60;

/// How far away the interview is, in words.
pub fn ahead(date: Date, today: Date) -> String {
    match (date - today).get_days() {
        0 => "interview today".into(),
        1 => "interview tomorrow".into(),
        days if days < 0 => format!("interview was on {date}"),
        days => format!("interview in {days} days"),
    }
}

/// Where a task of the plan of a pack is done. `left_out` are the lessons for which there is no time.
pub fn place(
    task: &Task,
    (index, of): (usize, &Pack),
    home: &Home,
    (left_out, now): (&[String], Timestamp),
) -> Option<Place> {
    let lesson = |id: &String| Place::Lesson { pack: index, id: id.clone() };
    let drill = |id: &str, only: Option<String>| Place::Drill { pack: index, id: id.to_owned(), only };
    Some(match task {
        Task::Review => Place::Review { ahead: 0 },
        Task::Read(id, _) => lesson(id),
        Task::Lab(id, _) => Place::Lab { pack: index, id: id.clone() },
        Task::Skim => lesson(left_out.first()?),
        Task::Drill(lesson) => drill(&next::drill(of, home, lesson)?.id, None),
        Task::Weakest => {
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
        Task::Screen => rehearse(Setup::screen(&of.id, seed(now))),
        Task::Onsite => rehearse(Setup::onsite(&of.id, seed(now))),
    })
}

fn rehearse(setup: Setup) -> Place {
    Place::RehearseWith { setup: Box::new(setup), start: false }
}

/// A seed of the day: other prompts each day.
fn seed(now: Timestamp) -> u64 {
    u64::try_from(now.as_second() / 86_400).unwrap_or(0)
}
