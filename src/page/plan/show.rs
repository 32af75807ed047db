//! The plan as it is shown: what there is no time for, the days in one line, each day with its tasks.

use super::day::example;
use super::{Plan, name};
use crate::doc::{self, Cell, Column, Document, Judged, Role, Rows};
use crate::pack::Pack;
use crate::page::At;
use crate::page::place::Place;
use crate::page::task;
use crate::page::view::{Row, View};
use crate::study::duration;
use crate::study::home::Home;
use crate::study::plan::{Task, Today, short};
use crate::study::words::{date, minutes, some};

/// Days that are shown with their tasks; the interview is always.
const DAYS: usize = 14;
/// Lessons that the job asks for, or for which there is no time, as far as they are named.
const ASKED: usize = 3;
/// So many for which there is no time are all named.
const LEFT_OUT: usize = 6;
/// Numbers that lines keep for each day.
const NUMBERS: usize = 20;
/// Columns of a day with its tasks, where several stand side by side.
const COLUMN: u16 = 64;
/// Columns of the word before a task.
const LABEL: usize = 10;

/// A task, and where it stands.
pub struct Shown {
    /// The day, 0 for today, and the task's place in it.
    pub at: (usize, usize),
    task: Task,
    minutes: u32,
    is_done: bool,
    is_ticked: bool,
    /// Whether the plan has it on an earlier day too: a drill of the same lesson.
    is_more: bool,
    place: Option<Place>,
}

impl Shown {
    /// Whether it can be chosen: what was done need not be done again.
    pub fn leads(&self) -> bool {
        self.place.is_some() && (!self.is_done || self.is_ticked)
    }

    /// Its row.
    fn row(&self, (pack, home): (&Pack, &Home)) -> Row {
        let (day, nth) = self.at;
        // what is done stands as it was planned
        let (label, text) = match self.is_done {
            true => self.task.words(pack),
            false => task::words(&self.task, pack, home, (day == 0, self.is_more)),
        };
        let time = some(usize::try_from(self.minutes).unwrap_or(0), "minute");
        let said = match self.is_done {
            true => format!("{label}: {text}, done"),
            false => format!("{label}: {text}, {time}"),
        };
        let role = if self.is_done { Role::Dim } else { Role::Text };
        let mark = Cell::mark(if self.is_done { Judged::Covered } else { Judged::Untouched });
        let words = Cell::text(format!(" {label:<LABEL$}")).role(Role::Dim) + Cell::text(text).role(role);
        Row::to_some(self.place.clone().filter(|_| self.leads()))
            .cell(mark + words)
            .cell(Cell::text(minutes(self.minutes)).role(Role::Dim))
            .said(said)
            .number(NUMBERS * day + nth + 1)
    }
}

/// The tasks that are shown, day by day.
pub fn tasks(plan: &Plan, at: &At) -> Vec<Shown> {
    let (Some(pack), Some((today, done))) = (at.services.pack(plan.pack), &plan.today) else {
        return Vec::new();
    };
    let shown = |task: &Task, minutes: u32, at_day: (usize, usize), (is_done, is_ticked): (bool, bool)| {
        let left_out = (plan.rest.left_out.as_slice(), today.date);
        let place = task::place(task, (plan.pack, pack), &plan.home, left_out);
        Shown { at: at_day, task: task.clone(), minutes, is_done, is_ticked, is_more: false, place }
    };
    let of_today = today.tasks.iter().zip(done).enumerate();
    let of_today = of_today
        .map(|(nth, (t, done))| shown(t, today.minutes(t), (0, nth), (*done, today.ticked.contains(&nth))));
    let mut all: Vec<Shown> = of_today.collect();
    for (day, of) in days(plan) {
        all.extend(
            of.tasks
                .iter()
                .enumerate()
                .map(|(nth, t)| shown(t, t.minutes(of.review), (day, nth), (false, false))),
        );
    }
    let mut drilled: Vec<Task> = Vec::new();
    for shown in all.iter_mut().filter(|shown| matches!(shown.task, Task::Drill(_))) {
        shown.is_more = drilled.contains(&shown.task);
        drilled.push(shown.task.clone());
    }
    all
}

/// The days after today that are shown, each with its number.
fn days(plan: &Plan) -> impl Iterator<Item = (usize, &crate::study::plan::DayPlan)> {
    let last = plan.rest.days.len();
    let numbered = plan.rest.days.iter().enumerate().map(|(at, day)| (at + 1, day));
    numbered.filter(move |(day, _)| *day < DAYS || *day == last)
}

/// The course whose plan a row leads to.
pub fn course(plan: &Plan, row: usize, at: &At) -> Option<usize> {
    let before = tasks(plan, at).iter().filter(|shown| shown.leads()).count();
    others(plan, at).nth(row.checked_sub(before)?)
}

fn others<'a>(plan: &'a Plan, at: &'a At) -> impl Iterator<Item = usize> + 'a {
    (0..at.services.library.packs.len()).filter(|index| *index != plan.pack)
}

/// The whole page.
pub fn view(plan: &Plan, at: &At) -> View {
    if plan.asking {
        return ask(plan, at);
    }
    let Some(pack) = at.services.pack(plan.pack) else { return View::new() };
    let view = match (&plan.today, plan.interview) {
        (Some((today, _)), Some(interview)) => planned(plan, (today.date, interview), pack, at),
        (None, Some(date)) if date < at.services.today(at.now) => {
            View::new().words("That day is over. i sets another date, or clears it.")
        }
        (None, Some(_)) => {
            View::new().words("That is more than a year away; the plan begins one year before.")
        }
        (_, None) => View::new().words(
            "No date yet. Once you set the date of your interview, there is a plan for each day: i, \
             or `infralens plan --interview DAY`, sets it.",
        ),
    };
    let row = |index: usize| {
        let title = at.services.pack(index).map_or("", |p| &p.title);
        Row::here().cell(Cell::text(format!("Plan of {title}")))
    };
    let (first, turn) = plan.chosen;
    view.begin_at(first)
        .turn(turn)
        .list(others(plan, at).map(row).collect::<Vec<_>>())
        .closing("A number goes to a task. i sets the day of the interview, tick and a number marks a task of today as done, later and a number leaves it for the next day, more and less change the minutes a day, job reads a job description, q goes back.")
}

fn ask(plan: &Plan, at: &At) -> View {
    let example = example(at.services.today(at.now));
    let clear = if plan.interview.is_some() { "; none clears it" } else { "" };
    let view = View::new()
        .words("What to do each day until your interview: reading first, then drills, then rehearsals.")
        .dim(&format!("Type a date like {example}, or a number of days from today{clear}. tomorrow and friday will do too."));
    let view = plan.unread.iter().fold(view, |view, text| {
        view.list([Row::plain().cell(Cell::text(text).role(Role::Warning)).wrapped()])
    });
    view.line("Interview on", &plan.interview.map(|d| d.to_string()).unwrap_or_default())
}

fn planned(plan: &Plan, when: (jiff::civil::Date, jiff::civil::Date), pack: &Pack, at: &At) -> View {
    let shown = tasks(plan, at);
    let mut day_before = None;
    let days = shown.chunk_by(|a, b| a.at.0 == b.at.0).map(|tasks| {
        let day = tasks[0].at.0;
        // a day without tasks may stand before: today, once all of it is left for another day
        let skipped = day.saturating_sub(day_before.map_or(1, |before: usize| before + 1));
        day_before = Some(day);
        let more = (skipped > 0).then(|| {
            let text = format!("… {} more", some(skipped, "day"));
            Row::plain().cell(Cell::text(text).role(Role::Dim))
        });
        let rows = tasks.iter().map(|shown| shown.row((pack, &plan.home)));
        let rows = more.into_iter().chain([heading(plan, day, when)]).chain(rows);
        let columns = vec![Column::words(""), Column::numbers("")];
        (COLUMN, View::new().table(columns, rows.collect::<Vec<_>>()))
    });
    let days: Vec<(u16, View)> = days.collect();
    let rest: u32 = plan.rest.days.iter().map(crate::study::plan::DayPlan::minutes).sum();
    let open: u32 = plan.today.iter().map(|(today, done)| open_minutes(today, done)).sum();
    head(plan, when, pack).facts(format!("{} to go", minutes(open + rest))).close_columns(days)
}

/// A day: its name, and what is left of it.
fn heading(plan: &Plan, day: usize, when: (jiff::civil::Date, jiff::civil::Date)) -> Row {
    let (date, time) = match day.checked_sub(1).and_then(|at| plan.rest.days.get(at)) {
        Some(day) => (day.date, minutes(day.minutes())),
        None => (when.0, left(plan)),
    };
    let cell =
        Cell::text(name(date, when)).role(Role::Strong) + Cell::text(format!("   {time}")).role(Role::Dim);
    Row::plain().cell(cell.said(format!("{}: {time}", name(date, when)))).heading()
}

/// What is left of today.
fn left(plan: &Plan) -> String {
    let Some((today, done)) = &plan.today else { return String::new() };
    if today.tasks.is_empty() {
        return "nothing left".into();
    }
    match (open_minutes(today, done), today.tasks.iter().map(|task| today.minutes(task)).sum()) {
        (0, _) => "done".into(),
        (left, all) if left == all => minutes(all),
        (left, all) => format!("{} of {} left", minutes(left), minutes(all)),
    }
}

/// Minutes of what is not done of a day.
fn open_minutes(today: &Today, done: &[bool]) -> u32 {
    let open = today.tasks.iter().zip(done).filter(|(_, done)| !**done);
    open.map(|(task, _)| today.minutes(task)).sum()
}

/// What there is no time for, the days in one line, the days before.
fn head(plan: &Plan, (today, _): (jiff::civil::Date, jiff::civil::Date), pack: &Pack) -> View {
    let mut rows = Vec::new();
    let wrapped = |cell: Cell| Row::plain().cell(cell).wrapped();
    let titles = |ids: &[String]| {
        // `Topology` of `Topology: which link carries what`
        let title = |id: &String| {
            let title = pack.index().lesson(id).map_or(id.clone(), |l| l.title.to_string());
            let name = title.split_once(": ").map_or(title.clone(), |(name, _)| name.to_owned());
            format!("“{name}”")
        };
        ids.iter().map(title).collect::<Vec<_>>().join(", ")
    };
    let slip = plan.today.iter().filter_map(|(today, _)| today.slip.as_ref());
    rows.extend(slip.map(|slip| {
        let cure = slip.cure(plan.minutes).map_or(String::new(), |cure| format!(" Press + : {cure}"));
        wrapped(task::missed(&format!("{}{cure}", slip.line(plan.minutes))).said(slip.sentence(plan.minutes)))
    }));
    let week = plan.rest.days.iter().take(6);
    let week = week.map(|d| format!("{} {}", d.date.strftime("%a"), d.minutes()));
    let open: u32 = plan.today.iter().map(|(today, done)| open_minutes(today, done)).sum();
    let days: Vec<String> = [format!("Today {open}")].into_iter().chain(week).collect();
    rows.push(strip("Minutes", days.join("   ")).said(""));
    let a_day = plan.minutes;
    let of_today = plan.today.iter().flat_map(|(today, _)| &today.tasks);
    let all = of_today.chain(plan.rest.days.iter().flat_map(|day| &day.tasks));
    let short = match all.filter(|task| matches!(task, Task::Short(..))).count() {
        0 => String::new(),
        1 => " 1 lesson comes in short.".to_owned(),
        short => format!(" {} come in short.", some(short, "lesson")),
    };
    if !plan.rest.left_out.is_empty() {
        let (count, with_more) = (plan.rest.left_out.len(), plan.left_with_more.len());
        let more = match with_more {
            0 => format!(" At {} there is time for all.", a_day + 30),
            left if left < count => format!(" At {} for all but {left}.", a_day + 30),
            _ => String::new(),
        };
        let what = format!("No time at {a_day} minutes a day: ");
        let (named, rest) = match plan.rest.left_out.as_slice() {
            all if all.len() <= LEFT_OUT => (all, String::new()),
            all => (&all[..ASKED], format!(" and {} more", all.len() - ASKED)),
        };
        let titles = Cell::text(format!("{}{rest}.{more}{short}", titles(named)));
        rows.push(wrapped(Cell::text(what).role(Role::Strong) + titles));
    } else {
        let enough = format!("{a_day} minutes a day.{short}");
        rows.push(wrapped(Cell::text(enough.trim_end_matches('.')).role(Role::Dim)));
    }
    if !plan.home.posting.is_empty() {
        let asked: Vec<String> = plan.home.posting.lessons().into_iter().map(|(lesson, _)| lesson).collect();
        let named = asked.iter().take(ASKED).map(|lesson| {
            let is_out = plan.rest.left_out.contains(lesson);
            format!("{}{}", titles(std::slice::from_ref(lesson)), if is_out { " (no time)" } else { "" })
        });
        let named = named.collect::<Vec<_>>().join(", ");
        let text = format!("The job asks most for {named}. J shows its words, and what they change.");
        let said = text.replace(" J shows its words", " Type job to hear its words");
        rows.push(wrapped(Cell::text(text).role(Role::Dim).said(said)));
    }
    let past = plan.past.iter().filter(|(date, done)| *date < today && done.attempts > 0);
    let past: Vec<String> =
        past.map(|(date, done)| format!("{} {}", date.strftime("%a"), done.minutes())).collect();
    if !past.is_empty() {
        let said = format!("Minutes of answering before: {}", past.join("; "));
        let past = format!("{} min", past.join("   "));
        rows.push(strip("Answered", past).said(said));
    }
    View::new().list(rows)
}

/// Days with their minutes in a line.
fn strip(label: &str, days: String) -> Row {
    Row::plain().cell(Cell::text(format!("{label:<LABEL$}")) + Cell::text(days).role(Role::Dim))
}

/// What there is to say of a task: what it is about, and why a lesson comes in short.
pub fn about(plan: &Plan, row: usize, at: &At) -> Option<Document> {
    let pack = at.services.pack(plan.pack).filter(|_| !plan.asking)?;
    let shown = tasks(plan, at).into_iter().filter(Shown::leads).nth(row)?;
    let (label, text) = task::words(&shown.task, pack, &plan.home, (shown.at.0 == 0, shown.is_more));
    let said = Document::new().title(&format!("{label}: {text}"));
    let lesson =
        |id: &str| pack.index().lesson(id).map(|lesson| lesson.summary.to_string()).unwrap_or_default();
    Some(match &shown.task {
        Task::Short(id, _) => {
            let what = "In short: its problem, and what to say in an interview.";
            said.dim(&format!("{what} {}", short::why(&plan.home, id))).words(&lesson(id))
        }
        Task::Read(id, _) | Task::Drill(id) => said.words(&lesson(id)),
        Task::Lab(id, _) => {
            let of = pack.index().lab(id).map(|(of, _)| of.title.to_string()).unwrap_or_default();
            said.dim(&format!("A lab of “{of}”: say what it prints, run it, and compare."))
        }
        Task::Review => said.dim("Drills, checks and notes come back before you would forget them."),
        Task::Weakest => said.dim("Just one part of the answer."),
        Task::Screen | Task::Onsite => said.dim("Against the clock, with a report at the end."),
        Task::Skim => said,
    })
}

/// Columns of the bar behind a lesson.
const BAR: u16 = 8;

/// What becomes of each lesson: read, on which day it is, or no time for it.
pub fn lessons(plan: &Plan, pack: &Pack) -> Document {
    let today = plan.today.iter().map(|(today, _)| (today.date, &today.tasks));
    let days = today.chain(plan.rest.days.iter().map(|day| (day.date, &day.tasks)));
    let days: Vec<_> = days.collect();
    let (first, index) = (days.first().map(|(date, _)| *date), pack.index());
    let row = |lesson: &crate::pack::index::Lesson| {
        let progress = plan.home.lessons.get(&*lesson.id);
        let is_it = |task: &Task| task.reads() == Some(&lesson.id);
        let on = days.iter().find(|(_, tasks)| tasks.iter().any(is_it)).map(|(date, _)| *date);
        let when = match (on, first) {
            (Some(on), Some(first)) if on == first => "today".to_owned(),
            (Some(on), Some(first)) => date(on, first),
            _ if progress.is_some_and(|p| p.read) => "read".into(),
            _ if plan.rest.left_out.iter().any(|id| *id == *lesson.id) => "no time".into(),
            _ => String::new(),
        };
        let (all, left) = (duration::lesson(index, lesson).max(1), duration::left(index, lesson, progress));
        doc::Row::new([
            Cell::text(&lesson.title),
            Cell::meter(1.0 - f64::from(left) / f64::from(all), BAR),
            Cell::text(if left == 0 { "done".into() } else { minutes(left) }).role(Role::Dim),
            Cell::text(when).role(Role::Dim),
        ])
    };
    let columns = vec![Column::words(""), Column::words(""), Column::numbers(""), Column::words("")];
    let rows = pack.index().lessons.iter().map(row).collect();
    Document::new().title("The lessons").rows(Rows { columns, rows })
}
