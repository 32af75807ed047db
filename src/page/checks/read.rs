//! Answers that are typed as a line.

use crate::study::check::{Answer, Form};

/// The answer that a line gives, or what to type instead.
pub(super) fn answer(form: &Form, line: &str) -> Result<Answer, String> {
    let cure = |cure: &str| Err(format!("“{}” is no answer here; {cure}.", short(line)));
    match form {
        Form::Choice(shown) => match place(line, shown.len()) {
            Some(place) => Ok(Answer::Choice(place)),
            None => cure(&format!("type a number from 1 to {}", shown.len())),
        },
        Form::Claim => match line.to_lowercase().trim_end_matches('.') {
            "1" | "true" | "t" => Ok(Answer::Claim(true)),
            "2" | "false" | "f" => Ok(Answer::Claim(false)),
            _ => cure("type 1 for true or 2 for false"),
        },
        Form::Order(shown) => match order(line, shown.len()) {
            Some(order) => Ok(Answer::Order(order)),
            None => cure(&format!("type each number from 1 to {} once, in the right order", shown.len())),
        },
        Form::Number { .. } => Ok(Answer::Number(line.to_owned())),
        Form::Worksheet => cure("fill in the worksheet"),
    }
}

/// A number from 1 to so many, as a place from 0.
fn place(word: &str, count: usize) -> Option<usize> {
    let number: usize = word.trim().trim_end_matches('.').parse().ok()?;
    (1..=count).contains(&number).then(|| number - 1)
}

/// Each number from 1 to so many once, as places from 0.
fn order(line: &str, count: usize) -> Option<Vec<usize>> {
    let words = line.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    let order: Vec<usize> = words.map(|word| place(word, count)).collect::<Option<_>>()?;
    let mut each = order.clone();
    each.sort_unstable();
    each.dedup();
    (order.len() == count && each.len() == count).then_some(order)
}

/// The first words of what was typed.
fn short(line: &str) -> String {
    let mut chars = line.chars();
    let start: String = chars.by_ref().take(40).collect();
    if chars.next().is_some() { start + "…" } else { start }
}
