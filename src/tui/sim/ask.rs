//! Fields of one line: a value, an answer.

use crate::page::key::{Code, Key};
use crate::page::sim::Ask;

/// The longest answer that is taken.
const LONGEST: usize = 40;

/// Takes a key for an answer: text for a number, a digit for an option.
pub fn key(ask: &mut Ask, key: Key) {
    ask.fault = None;
    if let Some(digit) = key.typed().and_then(|c| c.to_digit(10)).filter(|_| !ask.is_typed()) {
        let at = (digit as usize).checked_sub(1);
        ask.chosen = at.filter(|i| *i < ask.options().len()).unwrap_or(ask.chosen);
    } else if ask.is_typed() {
        edit(&mut ask.typed, key);
    }
}

/// Takes a key into a field of one line.
pub fn edit(field: &mut String, key: Key) {
    match (key.typed(), key.code) {
        (Some(c), _) => add(field, c),
        (None, Code::Backspace) => drop(field.pop()),
        _ => {}
    }
}

/// Takes pasted text into a field of one line.
pub fn paste(field: &mut String, text: &str) {
    text.chars().for_each(|c| add(field, c));
}

fn add(field: &mut String, c: char) {
    if !crate::doc::escape::is_harmful(c) && c != '\n' && field.chars().count() < LONGEST {
        field.push(c);
    }
}
