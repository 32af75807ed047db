//! What a job description changes in the first course: the plan, a rehearsal and what is weakest, each made with the job
//! and without it, and compared.

use jiff::civil::Date;

use crate::pack::Pack;
use crate::page::At;
use crate::store::StoreError;
use crate::study::day::Day;
use crate::study::home::Home;
use crate::study::next::{self, Step};
use crate::study::plan::job::{Moved, moved};
use crate::study::plan::{MINUTES, Plan, Task, Today};
use crate::study::posting::Posting as Asked;
use crate::study::rehearsal::{Setup, in_ten};
use crate::study::words::date;

/// Minutes that a day is given at a time.
const STEP: u32 = 15;
/// Lessons or drills that are named in a sentence; the rest is counted.
const NAMED: usize = 3;

/// What it changes.
#[derive(Default)]
pub struct Moves {
    /// The plan, where there is a date.
    plan: Option<Planned>,
    /// Of ten questions of a rehearsal, how many are about lessons that the job asks for: with the job and without it.
    in_ten: (u32, u32),
    /// What comes first of what is weak, with the job and without it: the part and the lesson.
    weakest: (Option<String>, Option<String>),
    /// The ids of the lessons of the first course that the job asks for.
    asked: Vec<String>,
    /// The titles of lessons and labs by the ids that are named.
    titles: Vec<(String, String)>,
}

/// The plan with the job, and what that changed.
struct Planned {
    today: Today,
    rest: Plan,
    read: Vec<String>,
    moved: Moved,
    /// The minutes a day that would bring what the job asks for and has no time; none where nothing would.
    enough: Option<u32>,
}

impl Moves {
    /// Makes the plan, rehearsals and what is weakest with the job and without it.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn read(asked: &Asked, at: &mut At) -> Result<Self, StoreError> {
        let today = at.services.planned(at.now)?;
        let (services, now) = (&at.services, at.now);
        let Some(pack) = services.pack(0) else { return Ok(Moves::default()) };
        let (home, minutes) = (services.home(0, now)?, services.minutes()?);
        let asked = asked.of(&pack.id);
        let home = Home { posting: asked.clone(), ..home };
        let without = Home { posting: Asked::default(), ..home.clone() };
        let plan = today.and_then(|today| {
            let done = today.done(pack, &home, Day::of(today.date, &services.zone).start);
            let moved = moved(pack, &home, (&today, &done), minutes)?;
            let rest = today.rest(pack, &home, minutes);
            let read = home.lessons.iter().filter(|(_, of)| of.read).map(|(id, _)| id.clone()).collect();
            let enough = enough(pack, &home, (&today, &done, &rest), minutes);
            Some(Planned { today, rest, read, moved, enough })
        });
        let drawn = |home: &Home, left_out: &[String]| {
            let keeps = |id: &str| {
                home.lessons.get(id).is_some_and(|of| of.read) || !left_out.iter().any(|l| l == id)
            };
            let kept = pack.index().lessons.iter().map(|l| l.id.to_string()).filter(|id| keeps(id));
            let setup = Setup {
                posting: home.posting.clone(),
                seen: Some(home.answered.keys().cloned().collect()),
                planned: if left_out.is_empty() { Vec::new() } else { kept.collect() },
                ..Setup::screen(&pack.id, 0)
            };
            in_ten(&setup, pack, &home.strengths, &asked)
        };
        let (out, before) = plan.as_ref().map(|plan| &plan.moved).map_or((Vec::new(), Vec::new()), |moved| {
            let is_new = |id: &&String| !moved.instead.contains(id);
            let before = moved.left_out.iter().filter(is_new).chain(&moved.kept).cloned().collect();
            (moved.left_out.clone(), before)
        });
        let titles = pack.index().lessons.iter().map(|l| (l.id.to_string(), l.title.to_string()));
        let labs = pack.index().lessons.iter().flat_map(|l| l.labs.iter());
        let labs = labs.map(|lab| (lab.id.to_string(), lab.title.to_string()));
        Ok(Moves {
            in_ten: (drawn(&home, &out), drawn(&without, &before)),
            weakest: (weakest(pack, &home), weakest(pack, &without)),
            asked: asked.lessons().into_iter().map(|(id, _)| id).collect(),
            titles: titles.chain(labs).collect(),
            plan,
        })
    }

    /// Whether there is a plan.
    pub fn has_plan(&self) -> bool {
        self.plan.is_some()
    }

    /// Where a lesson is in the plan: read, a day, or no time for it.
    pub fn when(&self, lesson: &str) -> String {
        let Some(plan) = &self.plan else { return String::new() };
        let has = |tasks: &[Task]| {
            tasks.iter().any(|task| task.reads() == Some(lesson) || *task == Task::Drill(lesson.to_owned()))
        };
        let reads = |tasks: &[Task]| tasks.iter().any(|task| task.reads() == Some(lesson));
        let day = |is: &dyn Fn(&[Task]) -> bool| -> Option<Date> {
            let later = plan.rest.days.iter().find(|day| is(&day.tasks)).map(|day| day.date);
            if is(&plan.today.tasks) { Some(plan.today.date) } else { later }
        };
        let on = |day: Date| match day == plan.today.date {
            true => "today".to_owned(),
            false => date(day, plan.today.date),
        };
        let is_read = plan.read.iter().any(|id| id == lesson);
        match (is_read, day(&reads), day(&has)) {
            (true, _, Some(drill)) => format!("read; drill {}", on(drill)),
            (true, ..) => "read".into(),
            (_, Some(day), _) => on(day),
            _ if plan.rest.left_out.iter().any(|id| id == lesson) => "no time".into(),
            _ => String::new(),
        }
    }

    /// All of it in sentences.
    pub fn sentences(&self) -> Vec<String> {
        if self.asked.is_empty() {
            return vec![
                "It asks for nothing of the course that the plan is made of: nothing changes there.".into(),
            ];
        }
        let out = self.no_time();
        [self.of_plan()].into_iter().chain(out).chain([self.of_rehearsals(), self.of_weakest()]).collect()
    }

    /// What it asks for although there is no time for it, and why.
    fn no_time(&self) -> Option<String> {
        let plan = self.plan.as_ref()?;
        let out = plan.rest.left_out.iter().filter(|id| self.asked.contains(id));
        let out: Vec<&str> = out.map(String::as_str).collect();
        let named = self.listed(out.iter().copied());
        let it = if out.len() == 1 { "it" } else { "them" };
        let more = match plan.enough {
            Some(minutes) => format!("At {minutes} minutes a day there is time for {it}."),
            None => "More minutes a day do not bring that in.".into(),
        };
        (!out.is_empty()).then(|| format!("There is no time for {named}, which the job asks for too. {more}"))
    }

    /// The minutes a day that would bring what the job asks for and has no time.
    pub fn enough(&self) -> Option<u32> {
        self.plan.as_ref().and_then(|plan| plan.enough)
    }

    fn of_plan(&self) -> String {
        let Some(Planned { moved, .. }) = &self.plan else {
            return "The plan: there is no date yet. Once you set the date of your interview, the lessons \
                    that the job asks for come first where time is short."
                .into();
        };
        let titles = |ids: &[String]| self.listed(ids.iter().map(String::as_str));
        match (moved.kept.is_empty(), moved.instead.is_empty()) {
            (false, true) => format!("The plan keeps {} because of the job.", titles(&moved.kept)),
            (false, false) => format!(
                "The plan keeps {} because of the job, and leaves out {} instead.",
                titles(&moved.kept),
                titles(&moved.instead)
            ),
            (true, false) => format!("The plan leaves out {} because of the job.", titles(&moved.instead)),
            (true, true) if !moved.minutes.is_empty() => {
                "The plan reads the same lessons; because of the job it has other minutes for some.".into()
            }
            (true, true) if moved.is_reordered => {
                "The plan has the same minutes for each lesson; some things come on other days.".into()
            }
            (true, true) if moved.left_out.is_empty() => {
                "The plan: nothing changes; there is time for every lesson.".into()
            }
            (true, true) => {
                "The plan: nothing changes; it keeps and leaves out the same lessons without the job.".into()
            }
        }
    }

    /// The lessons for which the plan has other minutes because of the job: title, minutes without it, and with it.
    pub fn minutes(&self) -> Vec<(&str, u32, u32)> {
        let moved = self.plan.iter().flat_map(|plan| &plan.moved.minutes);
        moved.map(|(id, before, after)| (self.title(id), *before, *after)).collect()
    }

    fn of_rehearsals(&self) -> String {
        let (with, without) = self.in_ten;
        let prefers = "drills that use one of its words come first.";
        match with == without {
            true => format!(
                "A rehearsal: {with} of 10 questions are about these lessons, with the job or without it; {prefers}"
            ),
            false => format!(
                "A rehearsal: about {with} of 10 questions are about these lessons, without the job about \
                 {without}; {prefers}"
            ),
        }
    }

    fn of_weakest(&self) -> String {
        match &self.weakest {
            (None, _) => "Weakest first: nothing is known to be weak yet, so nothing changes.".into(),
            (Some(with), Some(without)) if with != without => {
                format!("Weakest first: {with} comes first, without the job {without}.")
            }
            (Some(with), _) => {
                format!("Weakest first: nothing changes; {with} comes first, with the job or without it.")
            }
        }
    }

    fn title<'a>(&'a self, id: &'a str) -> &'a str {
        self.titles.iter().find(|(known, _)| known == id).map_or(id, |(_, title)| title)
    }

    fn listed<'a>(&'a self, ids: impl Iterator<Item = &'a str>) -> String {
        listed(&ids.map(|id| format!("“{}”", self.title(id))).collect::<Vec<_>>())
    }
}

/// `A, B and C`, `A, B, C and 2 more`.
fn listed(names: &[String]) -> String {
    match (names, names.len().saturating_sub(NAMED)) {
        ([rest @ .., last], 0) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        (names, 0) => names.concat(),
        (names, more) => format!("{} and {} more", names[..NAMED].join(", "), more),
    }
}

/// What comes first of what is weak: `tradeoff on Topology`.
fn weakest(pack: &Pack, home: &Home) -> Option<String> {
    let steps = next::next(pack, home, |id| home.answered.get(id).copied());
    steps.into_iter().find_map(|suggestion| match suggestion.step {
        Step::Drill { drill, part } => {
            let lesson = pack.index().lesson(&pack.index().drill(&drill)?.lesson)?;
            let part = pack.parts.iter().find(|p| p.id == part).map_or(part, |p| p.title.to_lowercase());
            Some(format!("{part} on “{}”", lesson.title))
        }
        _ => None,
    })
}

/// The fewest minutes a day, a quarter of an hour more at a time, at which no lesson is left out that the job asks for and
/// that has no time now.
fn enough(
    pack: &Pack,
    home: &Home,
    (today, done, rest): (&Today, &[bool], &Plan),
    minutes: u32,
) -> Option<u32> {
    let asked = home.posting.lessons();
    let is_asked = |id: &String| asked.iter().any(|(lesson, _)| lesson == id);
    if !rest.left_out.iter().any(is_asked) {
        return None;
    }
    (minutes + STEP..=*MINUTES.end()).step_by(STEP as usize).find(|minutes| {
        let plan = today.anew(pack, home, *minutes, done).map(|day| day.rest(pack, home, *minutes));
        plan.is_some_and(|plan| !plan.left_out.iter().any(is_asked))
    })
}
