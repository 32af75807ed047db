//! What a plan keeps from day to day, and what it tells of what it cannot keep.

use super::*;

use crate::kit::course::course as built_in;
use kit::LESSONS;

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
fn no_rehearsal_goes_because_a_day_has_passed_and_the_last_one_never_goes() {
    let is_rehearsal = |task: &Task| matches!(task, Task::Screen | Task::Onsite);
    for ahead in 2..=15 {
        let mut all_read = Home::default();
        LESSONS.iter().for_each(|id| read(&mut all_read, id));
        let promised = planned(&all_read, ahead, 60).days;
        let promised: Vec<bool> = promised.iter().map(|d| d.tasks.iter().any(is_rehearsal)).collect();
        let came = day_by_day(&all_read, ahead.into());
        let came: Vec<bool> = came.iter().map(|day| day.iter().any(is_rehearsal)).collect();
        assert_eq!(came, promised, "{ahead} days ahead");
        // nothing was read although days have passed: what is read goes before the second rehearsal, not the last
        let came = day_by_day(&Home::default(), ahead.into());
        assert!(came[ahead as usize - 1].iter().any(is_rehearsal), "{ahead} days ahead");
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
fn a_lesson_in_short_is_drilled_that_day_or_the_next_too() {
    let (pack, today) = (built_in(), date(2026, 3, 2));
    for (ahead, minutes) in (2..=6).flat_map(|ahead| [30, 45, 60, 75].map(|minutes| (ahead, minutes))) {
        let plan = plan(pack, &Home::default(), (today, today + i64::from(ahead).days()), minutes);
        for lesson in &pack.lessons {
            let day = |is: &dyn Fn(&Task) -> bool| plan.days.iter().position(|d| d.tasks.iter().any(is));
            let read = day(&|task| task.reads() == Some(&lesson.id));
            let drill = day(&|task| *task == Task::Drill(lesson.id.clone()));
            let is_soon = read.zip(drill).is_none_or(|(read, drill)| drill <= read + 1);
            assert!(is_soon, "{} in {ahead} days of {minutes}: {:?}", lesson.id, tasks(&plan));
            let needed = lesson.needs.iter().filter_map(|id| day(&|task| task.reads() == Some(id)));
            assert!(read.is_none_or(|read| needed.max().is_none_or(|last| last <= read)), "{}", lesson.id);
        }
    }
}

#[test]
fn a_task_that_is_moved_comes_the_next_day_and_what_it_costs_is_named() {
    let (pack, home, today) = (built_in(), Home::default(), date(2026, 3, 2));
    for ahead in [2, 3, 5, 8] {
        let day = Today::of(pack, &home, (today, today + i64::from(ahead).days()), 60).unwrap();
        for at in 0..day.tasks.len() {
            let mut day = day.clone();
            let had: Vec<Task> = all(&day, &home);
            let out = day.put_off(pack, at, &vec![false; day.tasks.len()]);
            let rest = day.rest(pack, &home, 60);
            let tomorrow = &rest.days[0];
            assert!(out.iter().all(|task| tomorrow.tasks.contains(task)), "{out:?}: {:?}", tomorrow.tasks);
            assert!(tomorrow.minutes() <= 60, "{:?}", tomorrow.tasks);
            let has = all(&day, &home);
            let reads = |tasks: &[Task], id: &str| tasks.iter().find(|t| t.reads() == Some(id)).cloned();
            let said = moved::cost(pack, &had.iter().collect::<Vec<_>>(), &has.iter().collect::<Vec<_>>());
            for task in had.iter().filter_map(Task::reads) {
                let title = &pack.lesson(task).unwrap().title;
                let is_worse = matches!(
                    (reads(&had, task), reads(&has, task)),
                    (Some(Task::Read(..)), Some(Task::Short(..))) | (Some(_), None)
                );
                let counted =
                    said.as_ref().is_some_and(|said| said.contains(title.as_str()) || said.contains(" more"));
                assert!(!is_worse || counted, "{title}: {said:?}");
            }
        }
    }
}

/// Every task of a plan, in order.
fn all(day: &Today, home: &Home) -> Vec<Task> {
    let rest = day.rest(built_in(), home, 60);
    day.tasks.iter().cloned().chain(rest.days.into_iter().flat_map(|d| d.tasks)).collect()
}

/// Lessons that a plan reads, all of them or in short.
fn met(plan: &Plan) -> std::collections::BTreeSet<String> {
    let tasks = plan.days.iter().flat_map(|d| &d.tasks);
    tasks.filter_map(Task::reads).map(str::to_owned).collect()
}

fn reading_minutes(plan: &Plan) -> u32 {
    let tasks = plan.days.iter().flat_map(|d| &d.tasks);
    tasks.filter(|task| task.reads().is_some()).map(|task| task.minutes(0)).sum()
}

#[test]
fn breadth_comes_before_depth_labs_second_drills_and_second_rehearsals() {
    let pack = built_in();
    let today = date(2026, 3, 2);
    let often = ["ddp", "zero-fsdp", "tp", "pp", "interview"];
    for ahead in 1..=14_i64 {
        let mut before: Option<Plan> = None;
        for minutes in (20..=180).step_by(15) {
            let case = format!("{ahead} days of {minutes} minutes");
            let plan = plan(pack, &Home::default(), (today, today + ahead.days()), minutes);
            let tasks: Vec<&Task> = plan.days.iter().flat_map(|day| &day.tasks).collect();
            let drills: Vec<&&Task> = tasks.iter().filter(|task| matches!(task, Task::Drill(_))).collect();
            let different: std::collections::BTreeSet<String> =
                drills.iter().map(|task| format!("{task:?}")).collect();
            let rehearsals = tasks.iter().filter(|t| matches!(t, Task::Screen | Task::Onsite)).count();
            let labs = tasks.iter().filter(|task| matches!(task, Task::Lab(..))).count();
            if !plan.left_out.is_empty() {
                assert!(rehearsals <= 1 && labs == 0, "{case}: {tasks:?}");
                // the warm-up on the day itself is no drill of a day
                assert!(drills.len() <= different.len() + 1, "{case}: {tasks:?}");
                assert!(
                    plan.days[..ahead as usize].iter().all(|day| !day.tasks.contains(&Task::Weakest)),
                    "{case}"
                );
                // nothing is read in full where a lesson that is often asked is not read at all
                let is_out = often.iter().any(|id| plan.left_out.iter().any(|out| out == id));
                let is_full = tasks.iter().any(|task| matches!(task, Task::Read(..)));
                assert!(!(is_out && is_full), "{case}: {tasks:?}");
            }
            for day in &plan.days {
                assert!(day.minutes() <= minutes.max(20), "{case}: {day:?}");
            }
            // the first rehearsal takes its time from the reading
            let rehearses = |plan: &Plan| plan.days.iter().any(|day| day.tasks.contains(&Task::Screen));
            if let Some(before) = before.filter(|before| rehearses(before) == rehearses(&plan)) {
                let of = |plan: &Plan| often.iter().filter(|id| met(plan).contains(**id)).count();
                assert!(of(&before) <= of(&plan), "{case}");
                assert!(reading_minutes(&before) <= reading_minutes(&plan) + 5, "{case}: {tasks:?}");
            }
            before = Some(plan);
        }
        // half an hour more a day is seen: more lessons, or the rehearsal
        for minutes in (20..=120).step_by(10) {
            let made = |minutes| plan(pack, &Home::default(), (today, today + ahead.days()), minutes);
            let (less, more) = (made(minutes), made(minutes + 30));
            let is_more =
                met(&less).len() < met(&more).len() || reading_minutes(&less) < reading_minutes(&more);
            assert!(is_more || less.left_out.is_empty(), "{ahead} days of {minutes} minutes");
        }
    }
}

#[test]
fn three_days_have_the_lessons_that_interviews_ask_most_each_with_a_drill_and_one_rehearsal() {
    let pack = built_in();
    let today = date(2026, 3, 2);
    let plan = plan(pack, &Home::default(), (today, today + 3.days()), 60);
    let tasks: Vec<&Task> = plan.days.iter().flat_map(|day| &day.tasks).collect();
    for id in ["ddp", "allreduce", "zero-fsdp", "tp", "pp", "interview"] {
        assert!(met(&plan).contains(id), "{id}: {tasks:?}");
        assert!(tasks.contains(&&Task::Drill(id.into())), "{id}: {tasks:?}");
    }
    assert_eq!(tasks.iter().filter(|task| matches!(task, Task::Screen | Task::Onsite)).count(), 1);
}

#[test]
fn what_was_answered_today_is_on_no_later_day() {
    let (pack, monday) = (course(), date(2026, 3, 2));
    let begun: Timestamp = "2026-03-02T00:00:00Z".parse().unwrap();
    let zero = Task::Drill("zero".into());
    let later = |home: &Home| {
        let day = Today::of(&pack, home, (monday, monday + 6.days()), 60).unwrap();
        tasks(&day.rest(&pack, home, 60)).concat()
    };
    // read ahead of the plan, and answered poorly
    let mut home = Home { begun: Some(begun), ..Home::default() };
    read(&mut home, "zero");
    home.lessons.get_mut("zero").unwrap().mean = Some(0.2);
    home.answered.insert("zero-1".into(), begun + 1.hour());
    let asked = |home: &Home| later(home).iter().filter(|task| **task == zero).count();
    let reads = |tasks: &[Task]| tasks.iter().filter(|t| matches!(t, Task::Read(..))).count();
    assert!(reads(&later(&home)) > 0);
    let first: Vec<Task> = later(&home).into_iter().take(4).collect();
    assert!(!first.contains(&zero), "{first:?}");
    // with the other question answered too, nothing is left to ask
    home.answered.insert("zero-2".into(), begun + 2.hours());
    assert_eq!(asked(&home), 0, "{:?}", later(&home));
    // another day it is drilled again
    home.begun = Some(begun + 24.hours());
    assert!(asked(&home) > 0);
}

#[test]
fn a_day_that_slipped_is_told_in_a_line() {
    let (pack, home) = (long(), Home::default());
    let (monday, interview) = (date(2026, 3, 2), date(2026, 3, 7));
    let first = Today::of(&pack, &home, (monday, interview), 60).unwrap();
    // on the day on which planning began nothing is missed
    let next =
        first.following((&pack, &home), (monday + 1.day(), 60), "2026-03-02T00:00:00Z".parse().unwrap());
    let said = next.unwrap().slip.unwrap().sentence(60);
    assert!(said.contains(" minutes of Monday are left") && !said.contains("missed"), "{said}");
    let old = Today { begun: Some(monday - 1.day()), ..first };
    let on = |day: i64, home: &Home| {
        let begun = "2026-03-02T00:00:00Z".parse().unwrap();
        let next = old.following((&pack, home), (monday + day.days(), 60), begun).unwrap();
        next.slip.map(|slip| slip.sentence(60))
    };
    let said = on(1, &home).unwrap();
    assert!(said.starts_with("Monday was missed: ") && said.contains(" in short"), "{said}");
    assert!(on(2, &home).unwrap().starts_with("Monday and Tuesday were missed: "));
    assert!(on(3, &home).unwrap().starts_with("3 days were missed: "));
    let mut part = home.clone();
    read(&mut part, "ddp");
    part.answered.insert("ddp-1".into(), "2026-03-02T12:00:00Z".parse().unwrap());
    let left = |said: String| said.contains(" minutes of Monday are left");
    assert!(left(on(1, &part).unwrap()) && !on(1, &part).unwrap().contains("missed"), "{:?}", on(1, &part));
    let two = on(2, &part).unwrap();
    assert!(left(two.clone()) && two.contains("Tuesday was missed") && !two.contains("Monday and"), "{two}");
    part.answered.insert("tp-1".into(), "2026-03-03T12:00:00Z".parse().unwrap());
    assert!(!on(2, &part).unwrap().contains("missed"), "something was answered on Tuesday");
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
