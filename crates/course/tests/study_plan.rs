//! What to do next, and until an interview.
#![allow(clippy::unwrap_used)]

use crate::kit::pack as kit;

use infralens_course::pack::{Lab, Level, Pack, Starter};
use infralens_course::score::Verdict;
use infralens_course::study::attempt::Mode;
use infralens_course::study::duration;
use infralens_course::study::home::{Draft, Due, Home, LessonProgress, Position, Rehearsed};
use infralens_course::study::next::{Step, drill, next, unread, weakest_part};
use infralens_course::study::plan::{Plan, Span, Task, Today, moved, plan};
use infralens_course::study::strength::{Cell, Mark};
use jiff::civil::date;
use jiff::{Timestamp, ToSpan};
use kit::pack;

mod days;
mod kept;

const NOW: Timestamp = Timestamp::UNIX_EPOCH;

fn course() -> Pack {
    let mut pack = pack();
    pack.lessons[0].labs = vec![lab("01", 15)];
    pack.lessons[2].needs = vec!["zero".into()];
    pack
}

fn lab(id: &str, minutes: u32) -> Lab {
    let empty = String::new;
    Lab {
        id: id.into(),
        title: format!("Lab {id}"),
        minutes,
        goal: empty(),
        mental_model: empty(),
        starter: Starter { path: empty(), language: "python".into(), text: empty(), expected: None },
        predictions: vec![],
        blocks: vec![],
        notice: vec![],
        prevents: vec![],
        say: empty(),
        intuition: empty(),
        extend: vec![],
        further: vec![],
        sims: vec![],
        measure: None,
    }
}

fn read(home: &mut Home, lesson: &str) {
    home.lessons.insert(lesson.into(), LessonProgress { read: true, drills: 1, ..LessonProgress::default() });
}

fn place(lesson: &str, lab: Option<&str>) -> Position {
    Position {
        pack: "course".into(),
        lesson: lesson.into(),
        lab: lab.map(Into::into),
        line: 3,
        scroll: 0,
        pane: "code".into(),
        at: NOW,
    }
}

fn steps(home: &Home) -> Vec<Step> {
    next(&course(), home, |_| None).into_iter().map(|s| s.step).collect()
}

/// A learner whose last rehearsal was limited by measurement.
fn limited(strength: f64) -> Home {
    let mut home = Home { attempts: 1, ..Home::default() };
    let part = |name: &str, score| {
        let mut cell = Cell::new("ddp", name);
        cell.add(Mark { verdict: Verdict::Partial, score });
        cell
    };
    home.strengths.cells = vec![part("problem", 0.9), part("measurement", strength)];
    home.rehearsed =
        Some(Rehearsed { id: "r".into(), at: NOW, total: 0.5, limiting: Some("measurement".into()) });
    home
}

#[test]
fn a_new_learner_reads_the_first_lesson() {
    assert_eq!(steps(&Home::default()), [Step::Read("ddp".into())]);
}

#[test]
fn what_was_broken_off_comes_first_then_due_then_weakest() {
    let mut weak = Cell::new("zero", "measurement");
    for _ in 0..4 {
        weak.add(Mark { verdict: Verdict::Missing, score: 0.0 });
    }
    let draft = Draft {
        id: "d".into(),
        pack: "course".into(),
        drill: "ddp-1".into(),
        mode: Mode::Practice,
        part: None,
        text: "each rank".into(),
        seconds: 4,
        at: NOW,
    };
    let mut home = Home {
        unfinished: Some("r".into()),
        drafts: vec![draft.clone()],
        place: Some(place("ddp", Some("01"))),
        due: Due { checks: 2, notes: 1, ..Due::default() },
        attempts: 4,
        ..Home::default()
    };
    home.strengths.cells.push(weak);
    read(&mut home, "ddp");
    let made = next(&course(), &home, |_| None);
    let expected = [
        (Step::Resume("r".into()), "you have an unfinished rehearsal"),
        (Step::Finish(draft), "you have an unfinished answer"),
        (Step::GoOn(place("ddp", Some("01"))), "you stopped reading here"),
        (Step::Review(home.due), "3 things are due today"),
        (
            Step::Drill { drill: "zero-1".into(), part: "measurement".into() },
            "you drop measurement in 4 of 4 answers on ZERO",
        ),
        (Step::Read("zero".into()), "next lesson: ZERO"),
        (Step::Rehearse, "you have not rehearsed yet"),
    ];
    assert_eq!(made.len(), expected.len(), "{made:?}");
    for (made, (step, why)) in made.iter().zip(expected) {
        assert_eq!((&made.step, &made.why[..]), (&step, why));
    }
}

#[test]
fn the_drill_answered_longest_ago_is_taken() {
    let mut home = Home { attempts: 1, ..Home::default() };
    let mut weak = Cell::new("tp", "problem");
    weak.add(Mark { verdict: Verdict::Partial, score: 0.5 });
    home.strengths.cells.push(weak);
    let minute = |n: i64| Timestamp::from_second(n * 60).unwrap();
    let last = |drill: &str| Some(if drill == "tp-1" { minute(9) } else { minute(2) });
    let taken = next(&course(), &home, last);
    assert_eq!(taken[0].step, Step::Drill { drill: "tp-2".into(), part: "problem".into() });
    assert_eq!(taken[0].why, "your weakest part: problem on TP");
}

#[test]
fn a_place_that_is_done_or_gone_is_not_gone_on_with() {
    let mut home = Home { place: Some(place("zero", None)), ..Home::default() };
    assert!(matches!(steps(&home)[0], Step::GoOn(_)));
    read(&mut home, "zero");
    assert!(!steps(&home).iter().any(|s| matches!(s, Step::GoOn(_))));
    home.place = Some(place("ddp", Some("09")));
    assert!(!steps(&home).iter().any(|s| matches!(s, Step::GoOn(_))), "a lab that is gone");
}

#[test]
fn lessons_come_when_what_they_need_is_read() {
    let mut pack = course();
    pack.lessons.swap(1, 2); // tp now stands before zero, which it needs
    let mut home = Home::default();
    read(&mut home, "ddp");
    assert_eq!(unread(&pack, &home).unwrap().id, "zero");
    pack.lessons[2].needs = vec!["tp".into()]; // each needs the other
    assert_eq!(unread(&pack, &home).unwrap().id, "tp", "the first, rather than none");
    read(&mut home, "zero");
    read(&mut home, "tp");
    assert!(unread(&pack, &home).is_none());
}

fn planned(home: &Home, ahead: i8, minutes: u32) -> Plan {
    let today = date(2026, 11, 1);
    plan(
        &course(),
        home,
        (today, date(2026, 11, 2).checked_add(((ahead - 1) as i64).days()).unwrap()),
        minutes,
    )
}

fn tasks(plan: &Plan) -> Vec<Vec<Task>> {
    plan.days.iter().map(|d| d.tasks.clone()).collect()
}

#[test]
fn five_days_are_read_then_rehearsed() {
    let read = |id: &str| Task::Read(id.into(), 20);
    let drill = |id: &str| Task::Drill(id.into());
    let plan = planned(&Home::default(), 5, 60);
    assert_eq!(
        tasks(&plan),
        [
            vec![read("ddp"), drill("ddp"), Task::Lab("01".into(), 15)],
            vec![Task::Review, read("zero"), drill("zero")],
            vec![Task::Review, read("tp"), drill("tp")],
            vec![Task::Review, Task::Screen, Task::Weakest, drill("ddp"), drill("zero")],
            vec![Task::Review, Task::Onsite],
            vec![Task::Review, Task::Weakest],
        ]
    );
    assert!(plan.left_out.is_empty());
    let dates: Vec<_> = plan.days.iter().map(|d| d.date.day()).collect();
    assert_eq!(dates, [1, 2, 3, 4, 5, 6]);
}

#[test]
fn no_day_takes_longer_than_there_is_time() {
    for ahead in 0..=25 {
        for minutes in [30, 45, 60, 120] {
            let plan = planned(&Home::default(), ahead, minutes);
            for day in &plan.days {
                assert!(day.minutes() <= minutes + 5, "{ahead} days, {minutes} minutes: {day:?}");
            }
        }
    }
}

#[test]
fn where_not_all_fits_lessons_are_read_in_short_and_what_finds_no_time_is_named() {
    let plan = planned(&Home::default(), 2, 58);
    assert!(plan.left_out.is_empty(), "{:?}", tasks(&plan));
    let short = |task: &Task| matches!(task, Task::Short(..));
    let one = planned(&Home::default(), 1, 60);
    assert!(one.left_out.is_empty() && one.days[0].tasks.iter().any(short), "{:?}", tasks(&one));
    let least = planned(&Home::default(), 1, 20);
    assert_eq!(least.left_out, ["tp"], "{:?}", tasks(&least));
}

#[test]
fn every_lesson_is_read_once_where_there_is_time() {
    for ahead in 5..=25 {
        let plan = planned(&Home::default(), ahead, 60);
        let read: Vec<_> = plan
            .days
            .iter()
            .flat_map(|d| &d.tasks)
            .filter_map(|t| match t {
                Task::Read(id, _) => Some(&id[..]),
                _ => None,
            })
            .collect();
        assert_eq!(read, ["ddp", "zero", "tp"], "{ahead}");
        assert!(plan.days.iter().all(|d| !d.tasks.is_empty()));
    }
}

#[test]
fn what_was_done_is_not_planned_again() {
    let mut home = Home::default();
    for lesson in ["ddp", "zero", "tp"] {
        read(&mut home, lesson);
    }
    home.lessons.get_mut("ddp").unwrap().labs.push("01".into());
    let all = tasks(&planned(&home, 6, 60)).concat();
    assert!(!all.iter().any(|t| matches!(t, Task::Read(..) | Task::Lab(..))), "{all:?}");
}

#[test]
fn an_interview_today_needs_a_warm_up_and_one_that_is_over_nothing() {
    let warm_up = |home: &Home| tasks(&planned(home, 0, 60));
    assert_eq!(warm_up(&Home::default()), [vec![Task::Drill("ddp".into())]], "nothing is known to be weak");
    assert_eq!(warm_up(&limited(0.2)), [vec![Task::Weakest]]);
    assert_eq!(planned(&Home::default(), -1, 60).days.len(), 0);
}

#[test]
fn the_drill_of_a_lesson_is_a_new_one_or_the_one_answered_longest_ago() {
    let pack = pack();
    let mut home = Home::default();
    let take = |home: &Home| drill(&pack, home, "zero").map(|d| d.id.clone());
    assert_eq!(take(&home).as_deref(), Some("zero-1"));
    let at = |second| Timestamp::from_second(second).unwrap();
    home.answered.insert("zero-1".into(), at(10));
    assert_eq!(take(&home).as_deref(), Some("zero-2"));
    home.answered.insert("zero-2".into(), at(20));
    assert_eq!(take(&home).as_deref(), Some("zero-1"));
    home.answered.insert("zero-1".into(), at(30));
    assert_eq!(take(&home).as_deref(), Some("zero-2"));
    assert_eq!(drill(&pack, &home, "none").map(|d| &d.id), None);
}

#[test]
fn the_first_drill_of_a_lesson_is_the_easiest_until_one_was_answered() {
    let mut pack = pack();
    let level = |id: &str| if id == "zero-1" { Level::Senior } else { Level::Junior };
    pack.drills.iter_mut().for_each(|drill| drill.level = level(&drill.id));
    let mut home = Home::default();
    let take = |home: &Home| drill(&pack, home, "zero").map(|d| d.id.to_string());
    assert_eq!(take(&home).as_deref(), Some("zero-2"));
    home.answered.insert("zero-2".into(), NOW);
    assert_eq!(take(&home).as_deref(), Some("zero-1"), "then one that was not answered");
}

#[test]
fn a_day_is_planned_once_and_gets_done() {
    let pack = pack();
    let mut home = Home::default();
    let (today, interview) = (date(2026, 3, 2), date(2026, 3, 5));
    let begun: Timestamp = "2026-03-02T00:00:00Z".parse().unwrap();
    let mut day = Today::of(&pack, &home, (today, interview), 60).unwrap();
    assert_eq!(day.done(&pack, &home, begun), vec![false; day.tasks.len()]);
    day.tasks = vec![
        Task::Read("ddp".into(), 20),
        Task::Drill("ddp".into()),
        Task::Weakest,
        Task::Weakest,
        Task::Screen,
        Task::Review,
    ];
    home.due.drills = 1;
    home.lessons.entry("ddp".into()).or_default().read = true;
    home.answered.insert("ddp-2".into(), begun - 1.hour());
    home.alone = 1;
    let done = day.done(&pack, &home, begun);
    assert_eq!(done, [true, false, true, false, false, false], "yesterday's answer is not today's");
    home.answered.insert("ddp-2".into(), begun + 1.hour());
    (home.alone, home.due.drills) = (2, 0);
    let rehearsed = |at| Rehearsed { id: "r".into(), at, total: 0.5, limiting: None };
    home.rehearsed = Some(rehearsed(begun - 1.hour()));
    assert_eq!(day.done(&pack, &home, begun), [true, true, true, true, false, true]);
    home.rehearsed = Some(rehearsed(begun + 1.hour()));
    assert_eq!(day.done(&pack, &home, begun), [true; 6]);
}

#[test]
fn the_days_after_today_take_it_as_done() {
    let pack = pack();
    let home = Home::default();
    let (today, interview) = (date(2026, 3, 2), date(2026, 3, 8));
    let day = Today::of(&pack, &home, (today, interview), 60).unwrap();
    let rest = day.rest(&pack, &home, 60);
    assert_eq!(rest.days.first().map(|d| d.date), Some(date(2026, 3, 3)));
    assert_eq!(rest.days.last().map(|d| d.date), Some(interview));
    let later: Vec<&Task> = rest.days.iter().flat_map(|d| &d.tasks).collect();
    let reads = |t: &&Task| matches!(t, Task::Read(..));
    assert!(day.tasks.iter().filter(reads).all(|t| !later.contains(&t)));
    let all = day.tasks.iter().chain(later).filter(reads).count();
    assert_eq!(all, 3, "every lesson is read once");
}

#[test]
fn the_lessons_an_interview_asks_most_of_are_kept_where_time_is_short() {
    let mut pack = course();
    pack.lessons[2].needs.clear();
    let (first, last) = (pack.lessons[0].id.clone(), pack.lessons.last().unwrap().id.clone());
    let drill = pack.drills[0].clone();
    for n in 0..9 {
        let (id, lesson) = (format!("more-{n}"), last.clone());
        pack.drills.push(infralens_course::pack::Drill { id, lesson, ..drill.clone() });
    }
    let today = date(2026, 3, 2);
    let room: u32 = pack.lessons[0].minutes + pack.lessons.last().unwrap().minutes + 2 * 8;
    let plan = plan(&pack, &Home::default(), (today, today + 2.days()), room);
    let read: Vec<&str> = plan
        .days
        .iter()
        .flat_map(|d| &d.tasks)
        .filter_map(|t| match t {
            Task::Read(lesson, _) => Some(&lesson[..]),
            _ => None,
        })
        .collect();
    assert!(read.contains(&&last[..]) && !read.contains(&"zero"), "{read:?}, not {first}");
    assert!(!plan.left_out.contains(&last), "{:?}", plan.left_out);
}
