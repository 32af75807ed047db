//! The plan until the interview: what to do each day, and what there is no time for.

use jiff::civil::Date;

use super::action::Action;
use super::keys::Scope;
use super::place::Place;
use super::task;
use super::view::View;
use super::{Act, At, Next, Page};
use crate::doc::Document;
use crate::services::job::Done;
use crate::services::record::Item;
use crate::services::{INTERVIEW, MINUTES_A_DAY, Record, Services, TODAY};
use crate::store::{StoreError, seen_key};
use crate::study::day::{Day, days_until};
use crate::study::home::{Activity, Home};
use crate::study::plan::{CORE, MINUTES, Plan as Days, Task, Today, moved};
use crate::study::schedule::Grade;
use crate::study::words;

pub mod day;
mod json;
mod month;
mod show;

/// Minutes that a key adds or takes.
const STEP: u32 = 15;
/// Days before today that are told of.
const PAST: u32 = 7;

/// The plan of a course.
#[derive(Default)]
pub struct Plan {
    /// The course, by its index.
    pack: usize,
    home: Home,
    interview: Option<Date>,
    minutes: u32,
    /// What was planned for today, and whether each task is done.
    today: Option<(Today, Vec<bool>)>,
    /// The days after it.
    rest: Days,
    /// What there would be no time for with half an hour more.
    left_with_more: Vec<String>,
    past: Vec<(Date, Activity)>,
    /// Today as it was before a task was moved last, and the row of that task.
    before: Option<(Today, usize)>,
    /// The row that is chosen after a move, and how many moves there were.
    chosen: (usize, usize),
    /// Whether the date is asked for.
    asking: bool,
    /// What is wrong with the date that was typed.
    unread: Option<String>,
}

impl Plan {
    /// The plan of the first course; the date is asked for where there is none.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn open(at: &mut At) -> Result<Self, String> {
        let mut plan = Plan::read(0, at).map_err(|fault| fault.to_string())?;
        plan.asking = plan.interview.is_none();
        Ok(plan)
    }

    /// The plan of the first course, for somebody who cannot be asked.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn told(at: &mut At) -> Result<Self, String> {
        Plan::open(at).map(|plan| Plan { asking: false, ..plan })
    }

    fn read(pack: usize, at: &mut At) -> Result<Self, StoreError> {
        let planned = at.services.planned(at.now)?.filter(|_| pack == 0);
        let services = &at.services;
        let (now, today) = (at.now, services.today(at.now));
        let mut plan = Plan {
            pack,
            home: services.home(pack, now)?,
            interview: services.interview()?,
            minutes: services.minutes()?,
            ..Plan::default()
        };
        let (Some(of), Some(interview)) = (services.pack(pack), plan.interview) else { return Ok(plan) };
        let day = planned.or_else(|| Today::of(of, &plan.home, (today, interview), plan.minutes));
        if let Some(day) = day {
            plan.rest = day.rest(of, &plan.home, plan.minutes);
            plan.left_with_more = day.rest(of, &plan.home, plan.minutes + 2 * STEP).left_out;
            let done = day.done(of, &plan.home, Day::of(today, &services.zone).start);
            plan.today = Some((day, done));
        }
        let days = days_until(now, &services.zone, PAST + 1);
        let done = services.store.days(&of.id, &days)?;
        plan.past = days.iter().map(|d| d.date).zip(done).filter(|(date, _)| *date < today).collect();
        Ok(plan)
    }

    /// Reads it again; a fault is said.
    fn look(&mut self, at: &mut At) {
        let read = Plan::read(self.pack, at);
        if let Some(read) = at.or_say(read) {
            let (unread, before) = (self.unread.take(), self.before.take());
            *self = Plan { asking: self.asking, chosen: self.chosen, unread, before, ..read };
        }
    }

    fn keep(&mut self, record: Record, at: &mut At) -> Next {
        let said = at.services.keep(record, at.now).said();
        said.into_iter().for_each(|text| at.say(text));
        self.look(at);
        Next::Show
    }

    /// Keeps what is asked for today as it was changed.
    fn keep_today(&mut self, today: &Today, at: &mut At) -> Next {
        match serde_json::to_string(today) {
            Ok(text) if self.pack == 0 => self.keep(Record::setting(TODAY, text), at),
            _ => {
                at.say("only the plan of the first course can be changed");
                Next::Stay
            }
        }
    }

    /// The task of a row: its day, 0 for today, and its place in it.
    fn task(&self, row: usize, at: &At) -> Option<(usize, usize)> {
        show::tasks(self, at).into_iter().filter(|shown| shown.leads()).map(|shown| shown.at).nth(row)
    }

    /// Ticks a task of today by hand, or takes the tick back.
    fn tick_off(&mut self, row: usize, at: &mut At) -> Next {
        let (Some((0, nth)), Some((today, _))) = (self.task(row, at), &self.today) else {
            at.say("only what is planned for today can be ticked");
            return Next::Stay;
        };
        let mut today = today.clone();
        let was_ticked = today.ticked.iter().position(|ticked| *ticked == nth);
        match was_ticked {
            Some(found) => drop(today.ticked.remove(found)),
            None => today.ticked.push(nth),
        }
        self.keep_done(&today.tasks[nth], was_ticked.is_none(), at);
        self.keep_today(&today, at)
    }

    /// What is ticked by hand was read, or tried: no later day asks for it again.
    fn keep_done(&self, task: &Task, is_done: bool, at: &mut At) {
        let Some(pack) = at.services.pack(self.pack) else { return };
        if let Task::Short(lesson, _) = task {
            let seen = self.home.lessons.get(lesson).map_or(0.0, |of| of.seen);
            // a tick that is taken back is no reading
            let seen = if is_done {
                seen.max(CORE)
            } else if seen > CORE {
                seen
            } else {
                0.0
            };
            let key = seen_key(&pack.id, lesson);
            let kept = at.services.keep(Record::Setting(key.into(), format!("{:.0}", seen * 100.0)), at.now);
            kept.said().into_iter().for_each(|text| at.say(text));
            return;
        }
        let item = match task {
            Task::Read(lesson, _) => Item { pack: pack.id.clone(), lesson: lesson.clone(), lab: None },
            Task::Lab(lab, _) => {
                let Some((lesson, _)) = pack.index().lab(lab) else { return };
                Item { pack: pack.id.clone(), lesson: lesson.id.to_string(), lab: Some(lab.clone()) }
            }
            _ => return,
        };
        let kept = at.services.keep(Record::Done(item, is_done), at.now);
        kept.said().into_iter().for_each(|text| at.say(text));
    }

    /// Leaves a task of today for the next day, or takes one of a later day up today.
    fn put(&mut self, row: usize, is_today: bool, at: &mut At) -> Next {
        let (Some((day, nth)), Some((today, done))) = (self.task(row, at), &self.today) else {
            return Next::Stay;
        };
        let Some(of) = at.services.pack(self.pack) else { return Next::Stay };
        let (before, mut put_off) = (today.clone(), Vec::new());
        let mut today = today.clone();
        match (day, is_today) {
            (0, false) if done.get(nth) == Some(&true) => {
                at.say(match today.ticked.contains(&nth) {
                    true => "that is ticked as done; space takes the tick back",
                    false => "that is done",
                });
                return Next::Stay;
            }
            (0, false) => put_off = today.put_off(of, nth, done),
            (0, true) => {
                at.say("that is already planned for today");
                return Next::Stay;
            }
            (_, false) => {
                at.say("only what is planned for today can be left for the next day");
                return Next::Stay;
            }
            (day, true) => {
                let task = self.rest.days.get(day - 1).and_then(|d| d.tasks.get(nth));
                let Some(task) = task else { return Next::Stay };
                if today.tasks.contains(task) {
                    at.say("today has that already");
                    return Next::Stay;
                }
                if *task == Task::Review && self.home.due.total() == 0 {
                    at.say("nothing is due today, so there is nothing to review yet");
                    return Next::Stay;
                }
                today.take_up(of, task, &self.rest);
                let begun = Day::of(today.date, &at.services.zone).start;
                if today.done(of, &self.home, begun).last() == Some(&true) {
                    at.say("that was done today already, so it stays where it is");
                    return Next::Stay;
                }
            }
        }
        let task = match (day, is_today) {
            (0, _) => put_off.first().cloned(),
            _ => today.tasks.last().cloned(),
        };
        let had: Vec<Task> = self.all().cloned().collect();
        self.before = Some((before, row));
        let next = self.keep_today(&today, at);
        if !is_today {
            self.choose(row, at);
        }
        if let Some(task) = task.filter(|_| matches!(next, Next::Show)) {
            self.tell_of(&task, &had, at);
        }
        next
    }

    /// Puts the cursor on a row of today, or on the last of today where that is gone.
    fn choose(&mut self, row: usize, at: &At) {
        let of_today = show::tasks(self, at).iter().filter(|shown| shown.leads() && shown.at.0 == 0).count();
        let last = if row < of_today { row } else { of_today.saturating_sub(1) };
        self.chosen = (last, self.chosen.1 + 1);
    }

    /// All that the plan asks for, day by day.
    fn all(&self) -> impl Iterator<Item = &Task> {
        let today = self.today.iter().flat_map(|(today, _)| &today.tasks);
        today.chain(self.rest.days.iter().flat_map(|day| &day.tasks))
    }

    /// Says where a task went that was moved, and what has no time any more because of it: `had` was planned before.
    fn tell_of(&self, task: &Task, had: &[Task], at: &mut At) {
        let Some(pack) = at.services.pack(self.pack) else { return };
        let is_today = self.today.as_ref().is_some_and(|(today, _)| today.tasks.contains(task));
        let day = self.rest.days.iter().find(|day| day.tasks.contains(task)).map(|day| day.date);
        let (had, has): (Vec<&Task>, Vec<&Task>) = (had.iter().collect(), self.all().collect());
        let lost = moved::cost(pack, &had, &has);
        let where_to = match day {
            _ if is_today => "It comes today now".to_owned(),
            Some(day) => format!("It comes on {} now", day.strftime("%A")),
            None => "No later day has it".to_owned(),
        };
        let said: Vec<String> = [where_to].into_iter().chain(lost).collect();
        at.say(format!("{}; u takes it back", said.join("; ")));
    }

    /// Takes the last move to another day back.
    fn take_back(&mut self, at: &mut At) -> Next {
        match self.before.take() {
            Some((before, row)) => {
                let next = self.keep_today(&before, at);
                self.choose(row, at);
                next
            }
            None => {
                at.say("there is no move to take back");
                Next::Stay
            }
        }
    }

    /// Plans with more or fewer minutes a day; what is done today stays.
    fn reckon_with(&mut self, minutes: u32, at: &mut At) -> Next {
        let (fewest, most) = (*MINUTES.start(), *MINUTES.end());
        let minutes = minutes.clamp(fewest, most);
        if minutes == self.minutes {
            at.say(format!("the plan takes {fewest} to {most} minutes a day"));
            return Next::Stay;
        }
        at.services.keep(Record::setting(MINUTES_A_DAY, minutes.to_string()), at.now);
        let replanned = at.services.plan_anew(at.now);
        let said = at.or_say(replanned).and_then(crate::services::Kept::said);
        said.into_iter().for_each(|text| at.say(text));
        self.look(at);
        at.say(self.reckoned());
        Next::Stay
    }

    /// What the minutes a day come to, in a sentence.
    fn reckoned(&self) -> String {
        let minutes = self.minutes;
        match self.rest.left_out.len() {
            _ if self.today.is_none() => format!("{minutes} minutes a day"),
            0 => format!("{minutes} minutes a day: there is time for everything"),
            left => format!("{minutes} minutes a day: no time for {}", words::some(left, "lesson")),
        }
    }

    /// Keeps the date that was typed: `none`, or nothing on a screen, clears it, a number counts days from today.
    fn set_date(&mut self, text: &str, at: &mut At) -> Next {
        let text = text.trim();
        let date = match text {
            "" | "none" => String::new(),
            text => match day::read(text, at.services.today(at.now)) {
                Ok(date) => date.to_string(),
                Err(fault) => {
                    self.unread = Some(format!("{fault}."));
                    return Next::Show;
                }
            },
        };
        (self.asking, self.unread) = (false, None);
        self.keep(Record::setting(INTERVIEW, date), at)
    }
}

impl Page for Plan {
    fn title(&self, services: &Services) -> Vec<String> {
        let title =
            services.pack(self.pack).filter(|_| services.library.packs.len() > 1).map(|p| p.title.clone());
        let today = self.today.as_ref().map(|(today, _)| today.date);
        let ahead = self.interview.zip(today).map(|(date, today)| task::ahead(date, today));
        let words = ahead.map_or("Plan".to_owned(), |ahead| format!("Plan, {ahead}"));
        title.into_iter().chain([words]).collect()
    }

    fn scopes(&self) -> Vec<Scope> {
        match (self.asking, &self.today) {
            (true, _) => Vec::new(),
            (false, Some(_)) => vec![Scope::PlanTasks, Scope::Plan],
            (false, None) => vec![Scope::Plan],
        }
    }

    fn view(&self, at: &At) -> View {
        show::view(self, at)
    }

    fn act(&mut self, act: Act, at: &mut At) -> Next {
        match act {
            // in lines the date is asked for at once, and a command is not taken for one
            Act::Line(text) if text.trim() == "job" => Next::Go(Place::Posting),
            Act::Line(text) => self.set_date(&text, at),
            Act::On(Action::Toggle, row) => self.tick_off(row, at),
            Act::On(Action::NextPage, row) => self.put(row, false, at),
            Act::On(Action::PrevPage, row) => self.put(row, true, at),
            // a row that leads to no place: the plan of another course
            Act::Open(row) => match show::course(self, row, at) {
                Some(pack) => {
                    self.pack = pack;
                    self.look(at);
                    Next::Show
                }
                None => Next::Stay,
            },
            act => match act.action() {
                Some(Action::Edit) => {
                    self.asking = true;
                    Next::Show
                }
                Some(Action::Back) if self.asking && self.interview.is_some() => {
                    self.asking = false;
                    self.unread = None;
                    Next::Show
                }
                Some(Action::Cancel) => self.take_back(at),
                Some(Action::Posting) => Next::Go(Place::Posting),
                Some(Action::Step) => self.reckon_with(self.minutes + STEP, at),
                Some(Action::StepBack) => self.reckon_with(self.minutes.saturating_sub(STEP), at),
                _ => Next::Stay,
            },
        }
    }

    fn json(&self) -> Option<serde_json::Value> {
        Some(json::of(self))
    }

    fn back(&mut self, _: Option<Grade>, at: &mut At) -> Next {
        self.look(at);
        Next::Show
    }

    fn preview(&self, row: usize, at: &At) -> Option<Document> {
        show::about(self, row, at)
    }

    fn meaning(&self, line: &str, at: &At) -> Option<String> {
        day::meaning(line, at.services.today(at.now), self.minutes)
    }

    fn under(&self, line: &str, at: &At) -> Option<Document> {
        month::weeks(line, at.services.today(at.now)).filter(|_| self.asking)
    }

    fn nudged(&self, line: &str, key: super::key::Key, at: &At) -> Option<String> {
        month::moved(line, key, at.services.today(at.now)).map(|date| date.to_string())
    }

    fn tall(&self, at: &At) -> Option<(Document, Document)> {
        let pack = at.services.pack(self.pack).filter(|_| self.today.is_some() && !self.asking)?;
        Some((show::lessons(self, pack), Document::new()))
    }

    fn done(&mut self, done: &Done, at: &mut At) -> Next {
        if matches!(done, Done::Opened) {
            self.look(at);
        }
        Next::Stay
    }
}

/// What a day is called.
fn name(date: Date, (today, interview): (Date, Date)) -> String {
    let name = match (date - today).get_days() {
        0 => "Today, ",
        1 => "Tomorrow, ",
        _ => "",
    };
    let last = if date == interview { ", the interview" } else { "" };
    format!("{name}{}{last}", words::date(date, today))
}
