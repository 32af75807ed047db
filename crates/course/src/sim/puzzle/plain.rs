//! A puzzle and a setting of it as lines of text, and as JSON.

use serde_json::{Value, json};

use super::{Direction, Goal, Judged, Standing};
use crate::sim::Sim;
use crate::sim::quantity;

/// How a setting stands to par, in a sentence.
pub fn verdict(puzzle: &Goal, judged: &Judged) -> String {
    let goal = &puzzle.goal;
    let par = goal.show(goal.par);
    match (judged.standing, judged.value) {
        (Standing::Unsolved, _) => {
            let missing = judged.conditions.iter().filter(|c| !c.holds).count();
            match missing {
                0 => "Not solved: the goal has no value here.".to_owned(),
                1 => "Not solved: one condition does not hold.".to_owned(),
                more => format!("Not solved: {more} conditions do not hold."),
            }
        }
        (Standing::Short(_), _) => {
            let by = judged.value.map_or_else(String::new, |value| goal.show_off(value));
            format!("All conditions hold, {by} {} par {par}.", off(goal.direction))
        }
        (Standing::Par, Some(value)) if goal.show(value) != par => format!(
            "Solved: {} is par, within {} of {par}.",
            goal.show(value),
            quantity::show(goal.tolerance, quantity::PERCENT)
        ),
        (Standing::Par, _) => format!("Solved at par: {par}."),
        (Standing::Better(_), value) => {
            let by = value.map_or_else(String::new, |value| goal.show_off(value));
            format!("Better than par {par} by {by}.")
        }
    }
}

/// The knobs with their values and what they may be, a line each: `  stage = 2  (0, 1, 2, 3)`.
pub fn knob_lines(puzzle: &Goal, sim: &Sim) -> Vec<String> {
    let line = |(knob, value): (&super::Knob, f64)| {
        let parameter = knob.parameter;
        let now = parameter.written(value);
        format!("{} = {now}  ({}: {})", parameter.name, parameter.label, knob.listed())
    };
    puzzle.turned(sim).map(line).collect()
}

/// What stays as it is, a line each: `layers 40`.
pub fn fixed(puzzle: &Goal) -> Vec<String> {
    let all = puzzle.start.knobs();
    let fixed = all.filter(|(parameter, _)| puzzle.knob(parameter.name).is_none());
    fixed.map(|(p, value)| format!("{} {}", p.label, p.show(value))).collect()
}

/// What the setting comes to, a line each: the verdict, the conditions, the goal.
pub fn judged_lines(puzzle: &Goal, judged: &Judged) -> Vec<String> {
    let mut lines = vec![verdict(puzzle, judged)];
    for (condition, held) in puzzle.conditions.iter().zip(&judged.conditions) {
        let word = if held.holds { "Holds" } else { "Does not hold" };
        let values: Vec<_> = held.values.iter().map(|(name, v)| format!("{name} {v}")).collect();
        lines.push(format!("{word}: {} ({})", condition.text, values.join(", ")));
    }
    lines.push(format!("Objective: {}", goal_line(puzzle, judged)));
    lines
}

/// The goal with its value and par: `least sent by each rank a step: 45.5 GB, par 45.5 GB`.
pub(crate) fn goal_line(puzzle: &Goal, judged: &Judged) -> String {
    let goal = &puzzle.goal;
    let way = way(goal.direction);
    let value = judged.value.map_or_else(|| "no value".to_owned(), |v| goal.show(v));
    format!("{way} {}: {value}, par {}", goal.label, goal.show(goal.par))
}

/// On which side of par a value that is worse lies.
pub fn off(direction: Direction) -> &'static str {
    match direction {
        Direction::Least => "over",
        Direction::Most => "short of",
    }
}

/// The way that is better, in a word.
pub fn way(direction: Direction) -> &'static str {
    match direction {
        Direction::Least => "least",
        Direction::Most => "most",
    }
}

/// A setting and what became of it, for programs; values in base units, knobs in their own.
pub fn json(puzzle: &Goal, sim: &Sim, judged: &Judged) -> Value {
    let knobs = puzzle.turned(sim).map(|(knob, value)| {
        let p = knob.parameter;
        json!({"name": p.name, "label": p.label, "value": value, "unit": p.unit.name,
            "shown": p.show(value), "allowed": knob.values})
    });
    let conditions = puzzle.conditions.iter().zip(&judged.conditions).map(|(c, held)| {
        json!({"text": c.text, "condition": c.source, "holds": held.holds, "values": held.values})
    });
    let goal = &puzzle.goal;
    let run = sim.run();
    let (standing, by) = match judged.standing {
        Standing::Unsolved => ("unsolved", None),
        Standing::Short(by) => ("short", Some(by)),
        Standing::Par => ("par", None),
        Standing::Better(by) => ("better", Some(by)),
    };
    json!({
        "simulator": sim.kind().name,
        "knobs": knobs.collect::<Vec<_>>(),
        "notes": run.notes,
        "adjusted": run.adjusted,
        "conditions": conditions.collect::<Vec<_>>(),
        "goal": {"way": way(goal.direction), "of": goal.source, "label": goal.label, "value": judged.value,
            "par": goal.par, "unit": goal.unit.name},
        "standing": standing,
        "by": by,
        "solved": judged.is_solved(),
        "at_par": judged.is_at_par(),
    })
}
