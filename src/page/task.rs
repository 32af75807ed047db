//! What the plan until the interview asks for, as places to go to: the same for both faces.

use jiff::Timestamp;
use jiff::civil::Date;

use super::place::Place;
use crate::doc::{Cell, Role};
use crate::pack::Pack;
use crate::services::Services;
use crate::study::home::Home;
use crate::study::next::{self, Step};
use crate::study::plan::Task;
use crate::study::rehearsal::Setup;
use crate::study::round::Round;
use crate::study::schedule::ItemKind;
use crate::study::words;

/// How far away the interview is, in words.
pub fn ahead(date: Date, today: Date) -> String {
    match (date - today).get_days() {
        0 => "interview today".into(),
        1 => "interview tomorrow".into(),
        days if days < 0 => format!("interview was on {}", words::date(date, today)),
        days => format!("interview in {days} days"),
    }
}

/// What became of a day that was missed; what happened stands out, as far as the colon.
pub fn missed(text: &str) -> Cell {
    let end = text.find([':', ';']).unwrap_or(text.len());
    Cell::text(&text[..end]).role(Role::Strong) + Cell::text(&text[end..])
}

/// What to do, in words: of the weakest part its name, where it is known; on a later day it may be another one. A drill
/// of a lesson of which one came before is one more.
pub fn words(
    task: &Task,
    pack: &Pack,
    home: &Home,
    (is_today, is_more): (bool, bool),
) -> (&'static str, String) {
    let (label, text) = task.words(pack);
    match (next::drilled_part(pack, home), task) {
        (Some(part), Task::Weakest) if is_today => {
            (label, format!("{text}, now {}", part.title.to_lowercase()))
        }
        (_, Task::Drill(lesson)) if is_more || is_answered(pack, home, lesson) => {
            (label, format!("{text}, one more"))
        }
        _ => (label, text),
    }
}

/// Whether a drill of a lesson was answered before.
fn is_answered(pack: &Pack, home: &Home, lesson: &str) -> bool {
    pack.index().drills_of(lesson).any(|drill| home.answered.contains_key(&*drill.id))
}

/// Where a task of the plan of a pack is done. `left_out` are the lessons for which there is no time.
pub fn place(
    task: &Task,
    (index, of): (usize, &Pack),
    home: &Home,
    (left_out, today): (&[String], Date),
) -> Option<Place> {
    let lesson = |id: &String| Place::Lesson { pack: index, id: id.clone() };
    let drill = |id: &str, only: Option<String>| Place::Drill { pack: index, id: id.to_owned(), only };
    Some(match task {
        Task::Review => Place::Review { ahead: 0 },
        Task::Read(id, _) => lesson(id),
        Task::Lab(id, _) => Place::Lab { pack: index, id: id.clone() },
        Task::Skim if left_out.is_empty() => return None,
        Task::Skim => Place::Skim { pack: index, lessons: left_out.to_vec() },
        Task::Drill(lesson) => drill(&next::drill(of, home, lesson)?.id, None),
        Task::Weakest => {
            match weakest((index, of), home) {
                Some(place) => place,
                // nothing is known yet, or nothing is weak: a question that was not answered, or longest ago
                None => fresh((index, of), home)?,
            }
        }
        Task::Screen => rehearse(Setup::screen(&of.id, seed(today))),
        Task::Onsite => rehearse(Setup::onsite(&of.id, seed(today))),
    })
}

/// The drill to answer next: one that is due, else what is weakest, else one of the lesson that is read next.
pub fn next_drill(services: &Services, now: Timestamp) -> Option<Place> {
    due(services, now).or_else(|| {
        let packs = services.library.packs.iter().enumerate();
        let homes = packs.filter_map(|(index, pack)| Some((index, pack, services.home(index, now).ok()?)));
        let homes: Vec<_> = homes.collect();
        let weak = homes.iter().filter(|(_, _, home)| home.attempts > 0);
        let mut weak = weak.filter_map(|(index, pack, home)| weakest((*index, pack), home));
        weak.next().or_else(|| homes.iter().find_map(|(index, pack, home)| fresh((*index, pack), home)))
    })
}

/// Where one left off reading, of whichever course last; else the lesson to read next.
pub fn reading(services: &Services, now: Timestamp) -> Option<Place> {
    let packs = services.library.packs.iter().enumerate();
    let homes = packs.filter_map(|(index, pack)| Some((index, pack, services.home(index, now).ok()?)));
    let homes: Vec<_> = homes.collect();
    let left = homes.iter().filter_map(|(index, pack, home)| {
        let position = next::place(pack, home)?;
        let lesson = || Place::Lesson { pack: *index, id: position.lesson.clone() };
        let lab = position.lab.clone().map(|id| Place::Lab { pack: *index, id });
        Some((position.at, lab.unwrap_or_else(lesson)))
    });
    let is_open = |home: &Home, id: &str| !home.lessons.get(id).is_some_and(|lesson| lesson.read);
    let next = || {
        homes.iter().find_map(|(index, pack, home)| {
            let lesson = pack.index().lessons.iter().find(|lesson| is_open(home, &lesson.id))?;
            Some(Place::Lesson { pack: *index, id: lesson.id.to_string() })
        })
    };
    left.max_by_key(|(at, _)| *at).map(|(_, place)| place).or_else(next)
}

/// The drill that is due today and would be asked first.
fn due(services: &Services, now: Timestamp) -> Option<Place> {
    let packs = &services.library.packs;
    let cards = packs.iter().enumerate();
    let cards = cards.filter_map(|(index, pack)| Some((index, services.store.cards(&pack.id).ok()?)));
    let round = Round::due(packs, &cards.collect(), &services.schedule, (now, 0));
    let (pack, item) = round.items().find(|(_, item)| item.kind == ItemKind::Drill)?;
    Some(Place::Drill { pack, id: item.id.clone(), only: None })
}

/// A drill on the part that is weakest.
fn weakest((index, of): (usize, &Pack), home: &Home) -> Option<Place> {
    let steps = next::next(of, home, |id| home.answered.get(id).copied());
    steps.into_iter().find_map(|s| match s.step {
        Step::Drill { drill, part } => Some(Place::Drill { pack: index, id: drill, only: Some(part) }),
        _ => None,
    })
}

/// A drill that was never answered, or else longest ago: of the lesson that is read next, where that has one.
fn fresh((index, of): (usize, &Pack), home: &Home) -> Option<Place> {
    let lesson = next::unread(of, home);
    let drill = lesson.and_then(|lesson| next::drill(of, home, &lesson.id));
    let drill = drill.or_else(|| of.index().drills.iter().min_by_key(|d| home.answered.get(&*d.id)))?;
    Some(Place::Drill { pack: index, id: drill.id.to_string(), only: None })
}

fn rehearse(setup: Setup) -> Place {
    Place::RehearseWith { setup: Box::new(setup), start: false }
}

/// The seed of a day, such as 20260302: other prompts each day.
fn seed(day: Date) -> u64 {
    let [year, month, of_month] =
        [i64::from(day.year()), i64::from(day.month()), i64::from(day.day())].map(i64::unsigned_abs);
    (year * 100 + month) * 100 + of_month
}
