//! Words about a page: its name, the numbers that can be typed, what changed on it.

use crate::doc::speech::Form;
use crate::page::view::{Input, View};
use crate::study::words::capital;

/// The numbers that can be typed: `3`, `a number from 1 to 9`, `a number: 4 to 6, 8 or 21 to 32`.
pub(super) fn ranges(numbers: &[usize]) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for number in numbers {
        match runs.last_mut().filter(|(_, last)| last + 1 == *number) {
            Some((_, last)) => *last = *number,
            None => runs.push((*number, *number)),
        }
    }
    let run = |(first, last): &(usize, usize)| match last - first {
        0 => first.to_string(),
        _ => format!("{first} to {last}"),
    };
    match runs.as_slice() {
        [(first, last)] if first == last => first.to_string(),
        [(first, last)] => format!("a number from {first} to {last}"),
        [all @ .., last] if all.len() < RUNS => {
            let all: Vec<String> = all.iter().map(run).collect();
            format!("a number: {} or {}", all.join(", "), run(last))
        }
        _ => "the number of a choice, l for the choices".into(),
    }
}

/// Runs of numbers that one still follows by ear.
const RUNS: usize = 4;
/// What a page is called: the last words of its title, with those before them where they are a date alone.
pub(super) fn named(title: &[String]) -> String {
    match title {
        [.., before, last] if last.starts_with(|c: char| c.is_ascii_digit()) => format!("{before}, {last}"),
        [.., last] => last.clone(),
        [] => String::new(),
    }
}

/// What q does.
pub(super) fn leaves(is_first: bool) -> &'static str {
    if is_first { "ends" } else { "goes back" }
}

/// The words as a sentence of their own.
pub fn sentence(words: &str) -> String {
    let end = if words.ends_with(['.', '?', '!']) { "" } else { "." };
    format!("{}{end}", capital(words))
}

/// Pages with fewer lines are said as a whole.
const LONG: usize = 8;
/// A width at which nothing wraps.
const WHOLE: usize = 1 << 20;
/// More lines than this are no small change.
const FEW: usize = 6;

/// The lines of a view that another one of the same page did not have. None where most of it is another, or where
/// other things can be typed.
pub(super) fn changes(before: &View, after: &View) -> Option<Vec<String>> {
    let is_same_kind = std::mem::discriminant(&before.input) == std::mem::discriminant(&after.input);
    if before.turn != after.turn || !is_same_kind || matches!(after.input, Input::Text { .. }) {
        return None;
    }
    // each paragraph and each row is one line
    let lines = |view: &View| -> Vec<String> {
        let body = view.body.lines(WHOLE, Form::Numbered(0));
        let side = view.side.iter().flat_map(|s| s.lines(WHOLE, Form::Numbered(view.side_from())));
        body.into_iter().chain(side).filter(|line| !line.is_empty()).collect()
    };
    let known: std::collections::HashSet<String> = lines(before).into_iter().collect();
    let all = lines(after);
    let changed: Vec<String> = all.iter().filter(|line| !known.contains(*line)).cloned().collect();
    (all.len() >= LONG && changed.len() <= FEW && changed.len() * 2 <= all.len()).then_some(changed)
}
