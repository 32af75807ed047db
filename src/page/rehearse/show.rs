//! The set-up as it is shown: the form, the lessons to choose from, what was broken off.

use super::Rehearse;
use super::form::Field;
use crate::doc::{Cell, Column, Role};
use crate::pack::Pack;
use crate::page::At;
use crate::page::action::Action;
use crate::page::view::{Row, View};
use crate::score::count_words;
use crate::study::answer::part_title;
use crate::study::posting::Posting;
use crate::study::rehearsal::{Phase, Rehearsal, Setup, Topics};
use crate::study::words::{clock, date, some};

/// Earlier rehearsals that are listed.
const EARLIER: usize = 12;
/// Lessons that a job asks for, as far as they are named.
const LESSONS: usize = 3;
/// What decides the prompts while a plan is under way.
const PLANNED: &str = "The prompts come from the lessons that you read or that your plan keeps, as far as these have \
    enough drills. Choose lessons under Topics to be asked about others.";
/// What lines end with.
const CLOSING: &str = "Enter alone starts. A number changes that setting; so does its name with a value: prompts 6, think 20, \
    answer 90, follow 60, seed 7, lessons ddp tp. reports lists earlier ones, q goes back.";

/// The whole page.
pub fn view(page: &Rehearse, at: &At) -> View {
    let Some(pack) = at.services.pack(page.pack) else {
        return View::new().words("No course could be opened. `infralens pack check` says why.");
    };
    match &page.left {
        Some(run) => broken_off(run, at),
        None if page.choosing => lessons(page, pack),
        None if pack.drills.is_empty() => View::new().title("Nothing to rehearse").words(&format!(
            "“{}” has no drills yet. A rehearsal asks drills; write some under quizzes/drills/, or add a pack that has them with --pack.",
            pack.title
        )),
        None => form(page, pack, at),
    }
}

fn form(page: &Rehearse, pack: &Pack, at: &At) -> View {
    let form = &page.form;
    let planned = super::planned(&form.setup, at);
    // what the plan has no time for is asked last of all
    let of_plan = |drill: &&crate::pack::Drill| planned.is_empty() || planned.contains(&drill.lesson);
    let is_all = matches!(&form.setup.topics, Topics::Lessons(some) if some.is_empty());
    let value = |field: Field| match field {
        Field::Topics if is_all && !planned.is_empty() => "your plan's lessons".to_owned(),
        _ => form.value(field, pack),
    };
    let meaning = |field: Field| match field {
        Field::Prompts if !planned.is_empty() && form.setup.count <= form.prompts(pack) => {
            format!("out of {}", form.drills(pack).filter(of_plan).count().max(form.prompts(pack)))
        }
        Field::Seed
            if is_all
                && form.setup.seen.is_some()
                && at.services.interview().is_ok_and(|day| day.is_some()) =>
        {
            "the same prompts again, of all lessons, whatever your plan has".to_owned()
        }
        _ => form.meaning(field, pack),
    };
    let row = |field: Field| {
        let (value, meaning) = (value(field), meaning(field));
        let role = if form.has_effect(field) { Role::Strong } else { Role::Dim };
        let number = Field::ALL.iter().position(|f| *f == field).unwrap_or(0);
        Row::here()
            .number(number.max(1))
            .cell(Cell::text(field.name()))
            .cell(Cell::text(&value).role(role))
            .cell(Cell::text(&meaning).role(Role::Dim))
            .said(format!(
                "{}: {}; {}",
                field.name(),
                value,
                // there is no such key for somebody who types lines
                meaning.replace("space chooses lessons", "type lessons and their ids to choose some")
            ))
    };
    let rows = Rehearse::fields(at.services).into_iter().map(row);
    let mut view = View::new()
        .title("An interview against the clock")
        .dim("Think, answer, hear a follow-up; the marks come at the end.")
        .list(rows);
    view = match form.prompts(pack) {
        0 => {
            let text = "The chosen lessons have no drills. Space on Topics chooses others.";
            view.list([Row::plain().cell(Cell::text(text).role(Role::Warning)).wrapped()])
        }
        prompts => {
            let first = if form.setup.think == 0 { "answer" } else { "think clock" };
            let length = form.longest(pack).div_ceil(60);
            let text = format!(", at most {length} minutes. Enter starts with the first {first}.");
            let prompts = Cell::text(some(prompts, "prompt")).role(Role::Strong);
            view.list([Row::plain().cell(prompts + Cell::text(text)).wrapped()])
        }
    };
    let asked = match form.setup.posting.is_empty() {
        true => super::asked(pack, at),
        false => form.setup.posting.clone(),
    };
    if !asked.is_empty() {
        view = view.dim(&job(&asked, pack));
    }
    if !planned.is_empty() {
        view = view.dim(PLANNED);
    }
    let is_unknown = at.services.home(page.pack, at.now).is_ok_and(|home| home.strengths.cells.is_empty());
    if form.setup.topics == Topics::Weakest && is_unknown {
        view = view.dim("You have no marks yet, so no lesson is weaker than another: all count.");
    }
    let view = match &page.typed {
        Some((field, typed)) => {
            return view.begin_at(page.row).beside(earlier(page, pack, at)).line(field.name(), typed);
        }
        None => view,
    };
    view.begin_at(page.row)
        .beside(earlier(page, pack, at))
        .spoken("a setting")
        .enter("starts")
        .passing()
        .typed(&[(
            "prompts 6, think 20, answer 90, follow 60, seed 7, lessons ddp tp",
            "change a setting by its name",
        )])
        .closing(CLOSING)
}

/// What the job asks for, as far as it weighs the prompts.
fn job(asked: &Posting, pack: &Pack) -> String {
    let title = |id: &str| pack.index().lesson(id).map(|l| l.title.to_string());
    let lessons: Vec<String> = asked.lessons().iter().filter_map(|(id, _)| title(id)).take(LESSONS).collect();
    format!(
        "The job description weights the prompts; these lessons come up more often: {}.",
        lessons.join("; ")
    )
}

fn earlier(page: &Rehearse, pack: &Pack, at: &At) -> View {
    let view = View::new().title("Earlier rehearsals");
    if page.earlier.is_empty() {
        return view.dim("None yet.");
    }
    let row = |done: &crate::study::home::Rehearsed| {
        let weakest = done.limiting.as_deref().map_or("", |p| part_title(&pack.parts, p));
        let day = date(at.services.today(done.at), at.services.today(at.now));
        Row::plain()
            .cell(Cell::text(day).role(Role::Dim))
            .cell(Cell::percent(done.total).role(Role::Strong))
            .cell(Cell::text(weakest).said(format!("limited by {weakest}")))
    };
    let columns = vec![Column::words("when"), Column::numbers("mark"), Column::words("limited by")];
    let view = view.table(columns, page.earlier.iter().take(EARLIER).map(row));
    match page.earlier.len().saturating_sub(EARLIER) {
        0 => view.dim("y opens their reports."),
        more => view.dim(&format!("y opens their reports, and {more} more.")),
    }
}

fn lessons(page: &Rehearse, pack: &Pack) -> View {
    let chosen = |id: &str| match &page.form.setup.topics {
        Topics::Lessons(some) => some.iter().any(|l| l == id),
        Topics::Weakest => false,
    };
    let rows = Rehearse::lessons(pack).into_iter().map(|lesson| {
        let mark = if chosen(&lesson.id) { "[x]" } else { "[ ]" };
        let drills = some(pack.drills_of(&lesson.id).count(), "drill");
        Row::here()
            .cell(Cell::text(format!("{mark} {}", lesson.title)))
            .cell(Cell::text(drills).role(Role::Dim))
    });
    View::new().title("Lessons to ask about").list(rows).dim("None chosen means all.").turn(1)
}

fn broken_off(run: &Rehearsal, at: &At) -> View {
    let mut view = View::new()
        .title("A rehearsal was broken off")
        .dim(&format!("begun {}", at.services.when(run.started, at.now)))
        .words(&where_it_stands(run));
    if let Some(prompt) = run.prompt() {
        view = view.list([Row::plain().cell(Cell::text(&prompt.text).role(Role::Strong)).wrapped()]);
    }
    let typed = match run.phase {
        Phase::Think => &run.notes,
        _ => &run.text,
    };
    if !typed.trim().is_empty() {
        view = view.dim(&format!("“{}”", typed.split_whitespace().collect::<Vec<_>>().join(" ")));
    }
    let row = |action: Action, key: &str, text: &str| {
        Row::act(action).cell(Cell::text(key).role(Role::Accent)).cell(Cell::text(text)).said(text)
    };
    view.list([
        row(Action::Resume, "enter", "Go on with the time that was left; the report will say so"),
        row(Action::Submit, "s", "Score what is there, and see the report"),
        row(Action::Discard, "d", "Give it up; scored answers are kept"),
    ])
    .enter("goes on with it")
    .closing("Type a number. Enter alone goes on with it, q leaves it for later.")
}

/// Which clock was on, and what was left of it.
fn where_it_stands(run: &Rehearsal) -> String {
    let left = clock(run.left(run.seen()).unwrap_or(0));
    let of = format!("Prompt {} of {}", run.at + 1, run.prompts.len());
    let words = some(count_words(&run.text), "word");
    match &run.phase {
        Phase::Think => format!("{of}: {left} were left to think."),
        Phase::Answer => format!("{of}: {left} were left to answer, {words} typed."),
        Phase::FollowUp { .. } => format!("{of}, follow-up question: {left} were left, {words} typed."),
        Phase::Verdict => format!("{of}: its answer was scored."),
        Phase::Done => "All prompts were answered.".into(),
    }
}

/// A set-up in words.
pub fn sentence(setup: &Setup) -> String {
    let kind = if setup.strict { "strict" } else { "practice" };
    let follow = match setup.follow_ups {
        true => format!("follow-ups of {}", clock(setup.follow)),
        false => "no follow-ups".into(),
    };
    let topics = match &setup.topics {
        Topics::Weakest => "the weakest lessons first".to_owned(),
        Topics::Lessons(ids) if ids.is_empty() => "all lessons".into(),
        Topics::Lessons(ids) => format!("lessons {}", ids.join(", ")),
    };
    let job = if setup.posting.is_empty() { "" } else { ", weighed by the job description" };
    format!(
        "{}, {} to think, {} to answer, {follow}, {kind}, {topics}{job}, seed {}",
        some(setup.count, "prompt"),
        clock(setup.think),
        clock(setup.answer),
        setup.seed
    )
}
