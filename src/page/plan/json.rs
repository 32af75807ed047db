//! The plan for a program.

use serde_json::{Value, json};

use super::Plan;
use crate::study::plan::Task;

/// All of it: the days with their tasks, what there is no time for, what the job asks for.
pub fn of(plan: &Plan) -> Value {
    let mut days = Vec::new();
    if let Some((today, done)) = &plan.today {
        let of = |(t, done): (&Task, &bool)| task(t, today.minutes(t), *done);
        let tasks: Vec<Value> = today.tasks.iter().zip(done).map(of).collect();
        let minutes: u32 = today.tasks.iter().map(|t| today.minutes(t)).sum();
        days.push(json!({"date": today.date.to_string(), "minutes": minutes, "tasks": tasks}));
    }
    for day in &plan.rest.days {
        let tasks: Vec<Value> = day.tasks.iter().map(|t| task(t, t.minutes(day.review), false)).collect();
        days.push(json!({"date": day.date.to_string(), "minutes": day.minutes(), "tasks": tasks}));
    }
    let found = plan.home.posting.found.iter();
    let terms: Vec<Value> =
        found.map(|f| json!({"name": f.name, "times": f.times, "lessons": f.lessons})).collect();
    let lessons = plan.home.posting.lessons();
    let lessons: Vec<Value> =
        lessons.iter().map(|(id, weight)| json!({"lesson": id, "weight": weight})).collect();
    json!({
        "interview": plan.interview.map(|date| date.to_string()),
        "minutes_a_day": plan.minutes,
        "days": days,
        "no_time_for": plan.rest.left_out,
        "job": {"terms": terms, "lessons": lessons},
    })
}

fn task(task: &Task, minutes: u32, done: bool) -> Value {
    let (kind, of) = match task {
        Task::Review => ("review", None),
        Task::Read(lesson, _) => ("read", Some(lesson)),
        Task::Short(lesson, _) => ("read-short", Some(lesson)),
        Task::Lab(lab, _) => ("lab", Some(lab)),
        Task::Skim => ("skim", None),
        Task::Drill(lesson) => ("drill", Some(lesson)),
        Task::Weakest => ("weakest", None),
        Task::Screen => ("screen", None),
        Task::Onsite => ("onsite", None),
    };
    json!({"kind": kind, "of": of, "minutes": minutes, "done": done})
}
