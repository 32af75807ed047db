//! Fields of one line: a value, an answer.

use crate::page::key::Key;
use crate::page::sim::Ask;
use crate::widget::field::Field;

/// The longest value or answer that is taken.
const LONGEST: usize = 40;

/// An empty field.
pub fn field() -> Field {
    Field::with_text("", LONGEST)
}

/// Takes a key for an answer: text for a number, a digit for an option.
pub fn key(ask: &mut Ask, field: &mut Field, key: Key) {
    ask.fault = None;
    if let Some(digit) = key.typed().and_then(|c| c.to_digit(10)).filter(|_| !ask.is_typed()) {
        let at = (digit as usize).checked_sub(1);
        ask.chosen = at.filter(|i| *i < ask.options().len()).unwrap_or(ask.chosen);
    } else if ask.is_typed() {
        field.update(key);
        field.text().clone_into(&mut ask.typed);
    }
}

/// Takes pasted text for an answer.
pub fn paste(ask: &mut Ask, field: &mut Field, text: &str) {
    if ask.is_typed() {
        field.paste(text);
        field.text().clone_into(&mut ask.typed);
    }
}
