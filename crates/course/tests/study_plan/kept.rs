//! What a plan keeps whatever happens to it: what was begun, what is weak, what the job names, and the order of things.

use jiff::tz::TimeZone;
use proptest::prelude::*;

use super::*;

use crate::kit::course::course as built_in;
use infralens_course::study::plan::{CORE, DayPlan, order};
use infralens_course::study::posting::{Found, Posting};

const MONDAY: jiff::civil::Date = date(2026, 3, 2);

/// Somebody who answered some lessons poorly and began with others.
fn learner(weak: &[&str], begun: &[(&str, f64)]) -> Home {
    let mut home = Home::default();
    for id in weak {
        let of = home.lessons.entry((*id).into()).or_default();
        (of.drills, of.mean) = (1, Some(0.2));
    }
    for (id, seen) in begun {
        home.lessons.entry((*id).into()).or_default().seen = *seen;
    }
    home
}

fn asks(ids: &[&str]) -> Posting {
    let found = |id: &&str| Found {
        pack: "distributed-training".into(),
        name: (*id).into(),
        lessons: vec![(*id).into()],
        times: 1,
        written: String::new(),
    };
    Posting { words: 100, found: ids.iter().map(found).collect(), ..Posting::default() }
}

#[test]
fn what_was_begun_or_is_weak_is_not_what_falls_out() {
    let pack = built_in();
    let mine = ["ddp", "sp-cp", "ep", "topology", "next"];
    for (ahead, minutes) in (2..=5_i64).flat_map(|ahead| [30, 45, 60].map(|minutes| (ahead, minutes))) {
        let days = (MONDAY, MONDAY + ahead.days());
        let before = plan(pack, &Home::default(), days, minutes).left_out;
        for seen in [0.1, 0.5, 0.9] {
            let home = learner(&mine[..2], &mine.map(|id| (id, seen))[2..]);
            let made = plan(pack, &home, days, minutes);
            let reads = made.days.iter().flat_map(|day| &day.tasks).filter_map(Task::reads);
            let others: Vec<&str> = reads.filter(|id| !mine.contains(id)).collect();
            let lost: Vec<&String> = made.left_out.iter().filter(|id| mine.contains(&&***id)).collect();
            let case = format!("{ahead} days of {minutes}, {seen} seen");
            assert!(lost.is_empty() || others.is_empty(), "{case}: {lost:?} for {others:?}");
            assert!(minutes < 45 || lost.is_empty(), "{case}: {lost:?}, before {before:?}");
        }
    }
}

#[test]
fn a_lesson_that_was_begun_takes_the_minutes_that_are_left_of_it() {
    let pack = built_in();
    let days = (MONDAY, MONDAY + 12.days());
    let home = learner(&[], &[("ddp", 0.8)]);
    let made = plan(pack, &home, days, 60);
    let reading = made.days.iter().flat_map(|day| &day.tasks).find(|task| task.reads() == Some("ddp"));
    let index = pack.index();
    let left = duration::reading(index.lesson("ddp").unwrap(), home.lessons.get("ddp"));
    assert_eq!(reading, Some(&Task::Read("ddp".into(), left)));
    assert!(left < pack.lesson("ddp").unwrap().minutes / 2);
}

#[test]
fn a_missed_day_is_told_in_a_line_with_the_minutes_that_keep_it_all() {
    let (pack, home) = (built_in(), Home::default());
    let begun = "2026-03-02T00:00:00Z".parse().unwrap();
    let old = Today::of(pack, &home, (MONDAY, MONDAY + 5.days()), 60).unwrap();
    let slip = old.following((pack, &home), (MONDAY + 2.days(), 60), begun).unwrap().slip.unwrap();
    let keeps = slip.offer(60).unwrap();
    // nobody misses the day on which planning began
    assert!(slip.line(60).starts_with("Monday left "), "{}", slip.line(60));
    assert!(slip.line(60).contains(" min, Tuesday missed: "), "{}", slip.line(60));
    for line in [slip.line(60), format!("Press + : {}", slip.cure(60).unwrap())] {
        assert!(line.chars().count() <= 72, "{line}");
    }
    let many = slip.lost.len() > 1 || (slip.lost.is_empty() && slip.short > 1);
    assert_eq!(slip.cure(60).unwrap().ends_with(" would keep them."), many, "{slip:?}");
    assert!(slip.sentence(60).contains(&format!("{keeps} minutes a day would keep it all")), "{slip:?}");
    // with those minutes nothing is offered, and nothing was lost
    assert_eq!(slip.offer(keeps), None);
    assert!(slip.line(keeps).ends_with(" minutes a day make up for it."), "{}", slip.line(keeps));
    let more = old.following((pack, &home), (MONDAY + 2.days(), keeps), begun).unwrap();
    let rest = more.rest(pack, &home, keeps);
    assert!(rest.left_out.is_empty(), "{:?}", rest.left_out);
}

#[test]
fn a_lesson_that_the_job_names_is_not_what_the_job_takes_time_from() {
    let pack = built_in();
    let ids: Vec<&str> = pack.lessons.iter().map(|lesson| &*lesson.id).collect();
    for (ahead, minutes) in (1..=5_i64).flat_map(|ahead| [30, 45, 60, 75].map(|minutes| (ahead, minutes))) {
        let days = (MONDAY, MONDAY + ahead.days());
        let without = plan(pack, &Home::default(), days, minutes).left_out;
        for seed in 0..24_usize {
            let named: Vec<&str> =
                ids.iter().enumerate().filter(|(at, _)| (at * 7 + seed) % 5 < 3).map(|(_, id)| *id).collect();
            let home = Home { posting: asks(&named), ..Home::default() };
            let left = plan(pack, &home, days, minutes).left_out;
            let lost: Vec<_> =
                left.iter().filter(|id| named.contains(&&***id) && !without.contains(id)).collect();
            assert!(lost.is_empty(), "{ahead} days of {minutes}, {named:?}: {lost:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]
    #[test]
    fn what_is_weak_or_named_is_read_in_full_before_anything_else_is(
        ahead in 2..6_i64,
        minutes in 2..8_u32,
        weak in prop::collection::btree_set(0..12_usize, 0..4),
        named in prop::collection::btree_set(0..12_usize, 0..4),
    ) {
        let pack = built_in();
        let ids = |of: &std::collections::BTreeSet<usize>| -> Vec<&str> {
            of.iter().map(|nth| &*pack.lessons[*nth].id).collect()
        };
        let (weak, named, minutes) = (ids(&weak), ids(&named), minutes * 15);
        let home = Home { posting: asks(&named), ..learner(&weak, &[]) };
        let days = (MONDAY, MONDAY + ahead.days());
        let made = plan(pack, &home, days, minutes);
        let tasks: Vec<&Task> = made.days.iter().flat_map(|day| &day.tasks).collect();
        let is_mine = |id: &str| weak.contains(&id) || named.contains(&id);
        let is_short = |id: &str| tasks.iter().any(|task| matches!(task, Task::Short(short, _) if short == id));
        let out = |id: &str| made.left_out.iter().any(|left| left == id);
        let mine: Vec<&str> = weak.iter().chain(&named).copied().collect();
        let gives = mine.iter().find(|id| is_short(id) || out(id));
        let case = format!("{ahead} days of {minutes}, weak {weak:?}, named {named:?}: {tasks:?}");
        if let Some(id) = gives {
            let full = tasks.iter().find(|task| matches!(task, Task::Read(read, _) if !is_mine(read)));
            prop_assert!(full.is_none(), "{id} gives way to {full:?}: {case}");
            // nor would the minutes of what else is read be enough for it on one day
            let more = pack.lesson(id).unwrap().minutes;
            let others = |task: &&&Task| task.reads().is_some_and(|read| !is_mine(read));
            for day in &made.days {
                let read: Vec<&Task> = day.tasks.iter().collect();
                let others: u32 = read.iter().filter(others).map(|task| task.minutes(0)).sum();
                prop_assert!(others < more, "{id} gives way on {}: {case}", day.date);
            }
        }
    }
}

/// What a key does to a day.
#[derive(Debug, Clone, Copy)]
enum Key {
    Later(usize),
    /// Takes up a task of a later day: the day and the task, counted round.
    Today(usize, usize),
    Minutes(u32),
    /// Takes the last move back.
    Back,
    Tick(usize),
    /// Days pass on which nothing is done.
    Pass(i64),
}

fn key() -> impl Strategy<Value = Key> {
    prop_oneof![
        (0..6_usize).prop_map(Key::Later),
        (0..8_usize, 0..8_usize).prop_map(|(day, task)| Key::Today(day, task)),
        (1..=9_u32).prop_map(|steps| Key::Minutes(steps * 15)),
        Just(Key::Back),
        (0..6_usize).prop_map(Key::Tick),
        (1..=2_i64).prop_map(Key::Pass),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
    #[test]
    fn no_drill_and_no_lab_comes_before_its_reading(ahead in 2..9_i64, keys in prop::collection::vec(key(), 1..7)) {
        let pack = built_in();
        let mut home = Home::default();
        let (mut minutes, mut before) = (60, None);
        let mut day = Today::of(pack, &home, (MONDAY, MONDAY + ahead.days()), minutes).unwrap();
        for key in &keys {
            let begun = day.date.at(0, 0, 0, 0).to_zoned(TimeZone::UTC).unwrap().timestamp();
            let done = day.done(pack, &home, begun);
            match *key {
                Key::Later(at) if done.get(at) == Some(&false) => {
                    before = Some(day.clone());
                    day.put_off(pack, at, &done);
                }
                Key::Today(of, nth) => {
                    let rest = day.rest(pack, &home, minutes);
                    let of = &rest.days[of % rest.days.len()];
                    let task = of.tasks.get(nth).filter(|task| !day.tasks.contains(task)).cloned();
                    if let Some(task) = task.filter(|task| *task != Task::Review) {
                        before = Some(day.clone());
                        day.take_up(pack, &task, &rest);
                    }
                }
                Key::Minutes(now) => {
                    minutes = now;
                    day = day.anew(pack, &home, minutes, &done).unwrap();
                }
                Key::Back => day = before.take().unwrap_or(day),
                Key::Tick(at) if at < day.tasks.len() && !day.ticked.contains(&at) => {
                    day.ticked.push(at);
                    match &day.tasks[at] {
                        Task::Read(id, _) => home.lessons.entry(id.clone()).or_default().read = true,
                        Task::Short(id, _) => home.lessons.entry(id.clone()).or_default().seen = CORE,
                        _ => {}
                    }
                }
                Key::Pass(days) if day.date + days.days() < day.interview => {
                    before = None;
                    day = day.following((pack, &home), (day.date + days.days(), minutes), begun).unwrap();
                }
                _ => {}
            }
            let begun = day.date.at(0, 0, 0, 0).to_zoned(TimeZone::UTC).unwrap().timestamp();
            let done = day.done(pack, &home, begun);
            let open = day.tasks.iter().zip(done).filter(|(_, done)| !done).map(|(task, _)| task.clone());
            let rest: Vec<DayPlan> = day.rest(pack, &home, minutes).days;
            let all: Vec<Task> = open.chain(rest.into_iter().flat_map(|day| day.tasks)).collect();
            let early = order::too_early(pack, &home, &all);
            prop_assert!(early.is_none(), "{:?} after {keys:?}: {all:?}", early.map(|at| &all[at]));
        }
    }
}
