//! The plan until the interview: today's tasks by number, then what each day after it holds.

use jiff::ToSpan;
use jiff::civil::Date;

use super::desk::Said as _;
use super::desk::heard;
use super::menu::{Menu, short};
use super::out::Out;
use super::page::{At, Go, Page};
use crate::app::memory::INTERVIEW;
use crate::pack::Pack;
use crate::page::place::Place;
use crate::page::task::{self, MINUTES};
use crate::study::day::Day;
use crate::study::home::Home;
use crate::study::plan::{self, DayPlan, Plan as Days, Task};

/// The plan of a course.
pub struct Plan {
    pack: usize,
    menu: Menu<Choice>,
}

#[derive(Debug, Clone)]
enum Choice {
    Go(Option<Place>),
    Other(usize),
}

impl Plan {
    /// The plan of the pack with this index.
    pub fn new(pack: usize) -> Self {
        Plan { pack, menu: Menu::default() }
    }

    fn days(&mut self, interview: Date, at: &mut At) {
        let today = at.desk.today(at.now);
        let home = at.desk.home_said(self.pack, at.out, at.now);
        let Some((done, plan)) = tasks(self.pack, (today, interview), &home, at) else {
            at.out.say("That day is over, or more than a year away. i and a date sets another.");
            return;
        };
        let Some(pack) = at.desk.pack(self.pack) else {
            return;
        };
        at.out.say(&format!(
            "{}, {}: {interview}. {MINUTES} minutes a day. Today:",
            pack.title,
            task::ahead(interview, today)
        ));
        for (of, done) in &done {
            let place = task::place(of, (self.pack, pack), &home, (&plan.left_out, at.now));
            self.menu.add(row(of, *done, pack), Choice::Go(place));
        }
        self.menu.say(at.out);
        for day in &plan.days {
            day_line(day, interview, pack, at.out);
        }
        if !plan.left_out.is_empty() {
            let title = |id: &String| pack.lesson(id).map_or(id.clone(), |l| l.title.clone());
            let titles: Vec<String> = plan.left_out.iter().map(title).collect();
            at.out.say(&format!("There is no time for: {}.", titles.join("; ")));
        }
    }

    fn others(&mut self, at: &mut At) {
        let first = self.menu.len();
        for (i, other) in at.desk.library.packs.iter().enumerate() {
            if i != self.pack {
                self.menu.add(format!("Plan of {}", other.title), Choice::Other(i));
            }
        }
        self.menu.say_from(first, at.out);
    }
}

/// Today's tasks, each with whether it is done, and the plan of the days after it. What the first course
/// asks for today stands as it was in the morning. None where the interview is over or far away.
fn tasks(
    index: usize,
    (today, interview): (Date, Date),
    home: &Home,
    at: &mut At,
) -> Option<(Vec<(Task, bool)>, Days)> {
    let planned = at.desk.planned_said(at.out, at.now).filter(|_| index == 0);
    let pack = at.desk.pack(index)?;
    if let Some(planned) = planned {
        let begun = Day::of(today, &at.desk.zone).start;
        let done = planned.done(pack, home, begun);
        let rest = planned.rest(pack, home, MINUTES);
        return Some((planned.tasks.into_iter().zip(done).collect(), rest));
    }
    let mut plan = plan::plan(pack, home, (today, interview), MINUTES);
    if plan.days.is_empty() {
        return None;
    }
    let first = plan.days.remove(0).tasks;
    Some((first.into_iter().map(|task| (task, false)).collect(), plan))
}

/// A task of today in one line.
pub fn row(of: &Task, done: bool, pack: &Pack) -> String {
    match done {
        true => format!("done: {}", of.sentence(pack)),
        false => format!("{}, {} minutes", of.sentence(pack), of.minutes()),
    }
}

fn day_line(day: &DayPlan, interview: Date, pack: &Pack, out: &mut Out) {
    let tasks: Vec<String> = day.tasks.iter().map(|t| t.sentence(pack)).collect();
    let last = if day.date == interview { ", the interview" } else { "" };
    out.item(&format!("{}{last}: ", day.date.strftime("%A %Y-%m-%d")), &format!("{}.", tasks.join("; ")));
}

/// Sets the day of the interview from what was typed behind `i`: a date, a number of days, or nothing,
/// which clears it. False, and said, where it is none of them.
pub fn set(words: &str, at: &mut At) -> bool {
    let words = words.trim();
    let today = at.desk.today(at.now);
    let date = match words.parse::<u16>() {
        Ok(days) => today.checked_add(i64::from(days).days()).ok(),
        Err(_) => words.parse::<Date>().ok(),
    };
    if date.is_none() && !words.is_empty() {
        at.out.say(&format!(
            "“{}” is no day; write a date like 2026-05-31 or a number of days. i alone clears it.",
            short(words)
        ));
        return false;
    }
    let kept = date.map(|d| d.to_string()).unwrap_or_default();
    heard(at.desk.store.set(INTERVIEW, &kept, at.now), at.out).is_some()
}

/// What sets the day of the interview: the words behind `i`.
pub fn typed(line: &str) -> Option<&str> {
    line.strip_prefix('i').filter(|rest| rest.is_empty() || rest.starts_with(' '))
}

impl Page for Plan {
    fn show(&mut self, at: &mut At) -> Go {
        self.menu = Menu::default();
        match at.desk.interview_said(at.out) {
            Some(date) => self.days(date, at),
            None => at.out.say(
                "No interview is set. Type i and a date or a number of days, such as i 5, and what to do each day until then stands here.",
            ),
        }
        self.others(at);
        at.out.say("A number goes to a task, i and a date sets the day of the interview, q goes back.");
        Go::Stay
    }

    fn line(&mut self, line: &str, at: &mut At) -> Go {
        if let Some(words) = typed(line) {
            return if set(words, at) { Go::Show } else { Go::Stay };
        }
        match self.menu.pick(line) {
            Some(Choice::Go(Some(place))) => return Go::To(place.clone()),
            Some(Choice::Go(None)) => at.out.say("There is nothing to open for that."),
            Some(Choice::Other(pack)) => return Go::replace(Plan::new(*pack)),
            None => self.menu.wrong(line, at.out),
        }
        Go::Stay
    }

    fn help(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("a number", "go to that task"),
            ("i 2026-05-31 or i 5", "set the day of the interview"),
            ("i", "clear the day of the interview"),
        ]
    }

    fn pack(&self) -> usize {
        self.pack
    }
}
