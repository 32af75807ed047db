//! What to do next, and until an interview.
#![allow(clippy::unwrap_used)]

use crate::kit::pack as kit;

use infralens_course::pack::{Lab, Pack, Starter};
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
fn what_does_not_fit_is_named_the_last_lessons_first() {
    let plan = planned(&Home::default(), 2, 58);
    assert_eq!(plan.left_out, ["tp"], "one day of reading has room for two lessons, each with its drill");
    assert_eq!(tasks(&plan)[1], [Task::Review, Task::Skim, Task::Screen, Task::Drill("ddp".into())]);
    let all = planned(&Home::default(), 1, 60);
    assert_eq!(all.left_out, ["ddp", "zero", "tp"]);
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
fn a_day_is_planned_once_and_gets_done() {
    let pack = pack();
    let mut home = Home::default();
    let (today, interview) = (date(2026, 3, 2), date(2026, 3, 5));
    let begun: Timestamp = "2026-03-02T04:00:00Z".parse().unwrap();
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
    assert_eq!(read, [&first[..], &last[..]]);
    assert!(!plan.left_out.contains(&last), "{:?}", plan.left_out);
}

/// The tasks of each day as the day itself plans them, none of them done.
fn day_by_day(home: &Home, ahead: i64) -> Vec<Vec<Task>> {
    let (pack, begun) = (course(), date(2026, 3, 2));
    let interview = begun + ahead.days();
    let day = |n: i64| {
        let days = Span { begun, today: begun + n.days(), interview };
        Today::of(&pack, home, days, 60).unwrap()
    };
    (0..=ahead).map(|n| day(n).tasks).collect()
}

#[test]
fn no_rehearsal_goes_because_a_day_has_passed() {
    let is_rehearsal = |task: &Task| matches!(task, Task::Screen | Task::Onsite);
    for ahead in 2..=15 {
        let promised = planned(&Home::default(), ahead, 60).days;
        let promised: Vec<bool> = promised.iter().map(|d| d.tasks.iter().any(is_rehearsal)).collect();
        let came = day_by_day(&Home::default(), ahead.into());
        let came: Vec<bool> = came.iter().map(|day| day.iter().any(is_rehearsal)).collect();
        assert_eq!(came, promised, "{ahead} days ahead");
    }
}

#[test]
fn the_days_after_today_keep_the_rehearsals_too() {
    let (pack, home) = (course(), Home::default());
    let begun = date(2026, 3, 2);
    let interview = begun + 5.days();
    let rehearsals = |day: &Today| {
        let rest = day.rest(&pack, &home, 60);
        let of = |d: &infralens_course::study::plan::DayPlan| {
            d.tasks.iter().any(|t| matches!(t, Task::Screen | Task::Onsite)).then_some(d.date)
        };
        rest.days.iter().filter_map(of).collect::<Vec<_>>()
    };
    let monday = Today::of(&pack, &home, (begun, interview), 60).unwrap();
    let tuesday = Span { begun: monday.begun(), today: begun + 1.days(), interview };
    let tuesday = Today::of(&pack, &home, tuesday, 60).unwrap();
    assert_eq!(rehearsals(&monday), [begun + 3.days(), begun + 4.days()]);
    assert_eq!(rehearsals(&tuesday), rehearsals(&monday));
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
fn days_of_reading_drill_what_limited_the_last_rehearsal_until_it_is_strong() {
    let reading = |home: &Home| tasks(&planned(home, 5, 60))[..3].concat();
    assert!(!reading(&Home::default()).contains(&Task::Weakest));
    let weak = reading(&limited(0.2));
    assert_eq!(weak.iter().filter(|task| **task == Task::Weakest).count(), 3, "{weak:?}");
    assert!(!reading(&limited(0.8)).contains(&Task::Weakest));
}

#[test]
fn the_weakest_part_is_one_everywhere() {
    // one lesson's mechanism is at nothing, and measurement is weaker over all lessons
    let mut home = limited(0.2);
    for (lesson, score) in [("zero", 0.0), ("tp", 1.0)] {
        let mut cell = Cell::new(lesson, "mechanism");
        cell.add(Mark { verdict: Verdict::Partial, score });
        home.strengths.cells.push(cell);
    }
    assert_eq!(weakest_part(&course(), &home).unwrap().id, "measurement");
    let drilled = steps(&home).into_iter().find_map(|step| match step {
        Step::Drill { part, .. } => Some(part),
        _ => None,
    });
    assert_eq!(drilled.as_deref(), Some("measurement"));
}

#[test]
fn a_lesson_answered_poorly_is_drilled_again() {
    let drills = |mean: Option<f64>| {
        let mut home = Home::default();
        read(&mut home, "zero");
        home.lessons.get_mut("zero").unwrap().mean = mean;
        tasks(&planned(&home, 6, 60))[..3].concat().contains(&Task::Drill("zero".into()))
    };
    assert!(drills(Some(0.5)));
    assert!(!drills(Some(0.8)));
}

#[test]
fn a_lab_that_is_done_is_not_gone_on_with() {
    let mut home = Home { place: Some(place("ddp", Some("01"))), ..Home::default() };
    assert!(matches!(steps(&home)[0], Step::GoOn(_)));
    home.lessons.entry("ddp".into()).or_default().labs.push("01".into());
    assert!(!steps(&home).iter().any(|s| matches!(s, Step::GoOn(_))));
}

#[test]
fn what_is_left_of_a_lesson_and_of_a_review_is_reckoned() {
    let pack = course();
    let lesson = &pack.index().lessons[0];
    let left = |seen| duration::reading(lesson, Some(&LessonProgress { seen, ..LessonProgress::default() }));
    assert_eq!([left(0.0), left(0.5), left(1.0)], [20, 10, 1], "until its end was seen a minute is left");
    let due = |drills, notes| duration::due(pack.index(), &Due { drills, notes, ..Due::default() });
    assert!(due(1, 0) < due(3, 0) && due(0, 2) == 1 && due(0, 0) == 0);
}

#[test]
fn no_day_asks_for_the_same_twice() {
    for (home, ahead) in
        [Home::default(), limited(0.2)].into_iter().flat_map(|h| (0..=12).map(move |n| (h.clone(), n)))
    {
        for minutes in [30, 60, 120, 240] {
            for day in planned(&home, ahead, minutes).days {
                let mut seen: Vec<&Task> = Vec::new();
                for task in &day.tasks {
                    assert!(!seen.contains(&task), "{ahead} days, {minutes} minutes: {day:?}");
                    seen.push(task);
                }
            }
        }
    }
}

/// A course of eight lessons, of which the last two are asked most.
fn long() -> Pack {
    let mut pack = course();
    let lesson = pack.lessons[1].clone();
    for n in 0..5_u32 {
        let (id, title) = (format!("more-{n}"), format!("More {n}"));
        let asked = Some(if n >= 3 { 9 } else { 2 });
        pack.lessons.push(infralens_course::pack::Lesson { id, title, asked, ..lesson.clone() });
    }
    pack
}

#[test]
fn what_is_asked_most_is_read_beside_a_rehearsal_before_it_is_left_out() {
    let pack = long();
    let today = date(2026, 3, 2);
    let days = plan(&pack, &limited(0.2), (today, today + 5.days()), 60);
    let read: Vec<(usize, &str)> = days
        .days
        .iter()
        .enumerate()
        .flat_map(|(day, of)| of.tasks.iter().map(move |task| (day, task)))
        .filter_map(|(day, task)| match task {
            Task::Read(id, _) => Some((day, &id[..])),
            _ => None,
        })
        .collect();
    assert!(
        read.iter().any(|(_, id)| *id == "more-3") && read.iter().any(|(_, id)| *id == "more-4"),
        "{read:?}"
    );
    assert!(read.iter().any(|(day, _)| *day >= 3), "the days of rehearsal have room too: {read:?}");
    let weight = |id: &str| pack.index().lesson(id).unwrap().asked.unwrap_or(0);
    let least = read.iter().skip(1).map(|(_, id)| weight(id)).filter(|w| *w > 0).min().unwrap();
    assert!(days.left_out.iter().all(|id| weight(id) <= least), "{read:?}, left out {:?}", days.left_out);
    assert!(!days.days[..3].iter().any(|d| d.tasks.contains(&Task::Weakest)), "reading comes before it");
}

#[test]
fn what_is_due_takes_the_minutes_that_it_takes() {
    let pack = course();
    let home = Home { due: Due { drills: 10, ..Due::default() }, ..Home::default() };
    let (today, interview) = (date(2026, 3, 2), date(2026, 3, 8));
    let day = Today::of(&pack, &home, (today, interview), 60).unwrap();
    let due = duration::due(pack.index(), &home.due);
    assert!(due > 10);
    assert_eq!(day.minutes(&Task::Review), due);
    let all: u32 = day.tasks.iter().map(|task| day.minutes(task)).sum();
    assert!(all <= 65, "{all}: {:?}", day.tasks);
    // what comes back on later days is not known yet
    assert!(day.rest(&pack, &home, 60).days.iter().all(|day| day.minutes() <= 65));
    let none = Today::of(&pack, &Home::default(), (today, interview), 60).unwrap();
    assert!(!none.tasks.contains(&Task::Review));
}

#[test]
fn with_a_reading_goes_what_comes_after_it() {
    let pack = course();
    let mut day = Today::of(&pack, &Home::default(), (date(2026, 3, 2), date(2026, 3, 8)), 60).unwrap();
    let read = |id: &str| Task::Read(id.into(), 20);
    let drill = |id: &str| Task::Drill(id.into());
    day.tasks = vec![
        Task::Review,
        read("ddp"),
        Task::Lab("01".into(), 15),
        drill("ddp"),
        read("zero"),
        drill("zero"),
    ];
    day.ticked = vec![3, 5];
    let out = day.put_off(&pack, 1, &[false, false, false, true, false, true]);
    assert_eq!(out, [read("ddp"), Task::Lab("01".into(), 15)]);
    assert_eq!(day.tasks, [Task::Review, drill("ddp"), read("zero"), drill("zero")], "what is done stays");
    assert_eq!(day.ticked, [1, 3]);
    assert_eq!(day.later, out);
}

#[test]
fn the_weakest_part_is_drilled_in_a_lesson_that_was_met() {
    let mut home = limited(0.4);
    let mut unknown = Cell::new("tp", "measurement");
    unknown.add(Mark { verdict: Verdict::Missing, score: 0.0 });
    home.strengths.cells.push(unknown);
    let lesson = |home: &Home| {
        let pack = course();
        let step = next(&pack, home, |_| None).into_iter().find_map(|s| match s.step {
            Step::Drill { drill, .. } => Some(drill),
            _ => None,
        });
        pack.drill(&step.unwrap()).unwrap().lesson.clone()
    };
    assert_eq!(lesson(&home), "tp", "nothing was read");
    read(&mut home, "ddp");
    assert_eq!(lesson(&home), "ddp");
}

#[test]
fn a_drill_is_progress_in_its_lesson() {
    let pack = course();
    let (index, lesson) = (pack.index(), &pack.index().lessons[1]);
    let all = duration::lesson(index, lesson);
    let left =
        |drills| duration::left(index, lesson, Some(&LessonProgress { drills, ..LessonProgress::default() }));
    assert_eq!(left(0), all);
    assert!(left(1) < left(0));
    let drills: u32 = index.drills_of(&lesson.id).map(|d| d.minutes).sum();
    assert_eq!(left(99), all - drills);
}

/// The lessons that a plan reads, in order.
fn readings(plan: &Plan) -> Vec<String> {
    let tasks = plan.days.iter().flat_map(|d| &d.tasks);
    tasks.filter_map(|t| if let Task::Read(id, _) = t { Some(id.clone()) } else { None }).collect()
}

#[test]
fn every_lesson_that_is_read_is_drilled_that_day_or_the_next() {
    for pack in [course(), long()] {
        for (ahead, minutes) in (2..=12).flat_map(|ahead| [45, 60, 90].map(|minutes| (ahead, minutes))) {
            let today = date(2026, 3, 2);
            let plan = plan(&pack, &Home::default(), (today, today + i64::from(ahead).days()), minutes);
            let with_drills = readings(&plan).into_iter().filter(|id| pack.drills_of(id).next().is_some());
            for id in with_drills {
                let day = |is: &dyn Fn(&Task) -> bool| plan.days.iter().position(|d| d.tasks.iter().any(is));
                let read = day(&|t| matches!(t, Task::Read(read, _) if *read == id)).unwrap();
                let drill = day(&|t| *t == Task::Drill(id.clone()));
                let is_soon = drill.is_some_and(|drill| drill <= read + 1);
                assert!(is_soon, "{id} in {ahead} days of {minutes}: {:?}", tasks(&plan));
            }
        }
    }
}

#[test]
fn a_lesson_that_is_kept_keeps_what_it_needs() {
    let mut pack = long();
    // the one asked most needs one asked least
    pack.lessons.last_mut().unwrap().needs = vec!["more-0".into()];
    let today = date(2026, 3, 2);
    let posting = infralens_course::study::posting::Posting::default();
    let home = Home { posting, ..Home::default() };
    let plan = plan(&pack, &home, (today, today + 5.days()), 60);
    let read = readings(&plan);
    assert!(!plan.left_out.is_empty(), "time is short");
    assert!(read.contains(&"more-4".to_owned()) && read.contains(&"more-0".to_owned()), "{read:?}");
    assert!(read.iter().position(|id| id == "more-0") < read.iter().position(|id| id == "more-4"));
}

#[test]
fn a_task_that_is_moved_comes_later_and_what_it_costs_is_named() {
    let pack = long();
    let (home, today) = (Home::default(), date(2026, 3, 2));
    let mut day = Today::of(&pack, &home, (today, today + 5.days()), 60).unwrap();
    let all = |day: &Today| -> Vec<Task> {
        let rest = day.rest(&pack, &home, 60);
        day.tasks.iter().cloned().chain(rest.days.into_iter().flat_map(|d| d.tasks)).collect()
    };
    let before = all(&day);
    let at = day.tasks.iter().position(|t| matches!(t, Task::Read(..))).unwrap();
    let out = day.put_off(&pack, at, &vec![false; day.tasks.len()]);
    let after = all(&day);
    assert!(out.len() > 1 && out.iter().all(|task| after.contains(task)), "{out:?} {after:?}");
    let gone = moved::gone(&pack, &before.iter().collect::<Vec<_>>(), &after.iter().collect::<Vec<_>>());
    let is_gone = |task: &&Task| matches!(task, Task::Read(..)) && !after.contains(task);
    assert_eq!(gone.len(), before.iter().filter(is_gone).count(), "{gone:?}");
    assert!(!gone.is_empty(), "the days were full");
    assert!(moved::no_time(&gone).unwrap().contains("no time any more"));
    assert_eq!(moved::no_time(&[]), None);

    // a drill alone, of a lesson that was answered before
    let mut home = home;
    read(&mut home, "ddp");
    let mut day = Today::of(&pack, &home, (today, today + 5.days()), 60).unwrap();
    day.tasks = vec![Task::Drill("ddp".into())];
    day.put_off(&pack, 0, &[false]);
    let rest = day.rest(&pack, &home, 60);
    assert_eq!(rest.days[0].tasks[1], Task::Drill("ddp".into()), "{:?}", rest.days);
}

#[test]
fn a_day_that_slipped_is_told_in_a_line() {
    let (pack, home) = (long(), Home::default());
    let (monday, interview) = (date(2026, 3, 2), date(2026, 3, 7));
    let old = Today::of(&pack, &home, (monday, interview), 60).unwrap();
    let on = |day: i64, home: &Home| {
        let days = Span { begun: monday, today: monday + day.days(), interview };
        let done: Vec<bool> = old.done(&pack, home, "2026-03-02T04:00:00Z".parse().unwrap());
        Today::of(&pack, home, days, 60).unwrap().after((&old, &done), &pack, home, 60).missed
    };
    let said = on(1, &home).unwrap();
    assert!(said.starts_with("Monday was missed: “DDP”") && said.contains("read today"), "{said}");
    assert!(said.contains("no time any more"), "{said}");
    assert!(on(2, &home).unwrap().starts_with("Monday and Tuesday were missed: "));
    assert!(on(3, &home).unwrap().starts_with("3 days were missed: "));
    let mut part = home.clone();
    read(&mut part, "ddp");
    part.answered.insert("ddp-1".into(), "2026-03-02T12:00:00Z".parse().unwrap());
    assert!(on(1, &part).unwrap().starts_with("Monday was not finished: "), "{:?}", on(1, &part));
    let mut whole = part.clone();
    for task in &old.tasks {
        match task {
            Task::Read(id, _) => read(&mut whole, id),
            Task::Lab(id, _) => whole.lessons.get_mut("ddp").unwrap().labs.push(id.clone()),
            Task::Drill(id) => {
                let drill = pack.drills_of(id).next().unwrap().id.clone();
                let _ = whole.answered.insert(drill, "2026-03-02T12:00:00Z".parse().unwrap());
            }
            _ => {}
        }
    }
    assert_eq!(on(1, &whole), None, "{:?}", old.tasks);
}
