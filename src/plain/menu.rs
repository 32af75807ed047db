//! Numbered choices.

use super::out::Out;

/// Choices, numbered from 1.
#[derive(Debug)]
pub struct Menu<T> {
    rows: Vec<(String, T)>,
}

impl<T> Default for Menu<T> {
    fn default() -> Self {
        Menu { rows: Vec::new() }
    }
}

impl<T> Menu<T> {
    /// One more choice.
    pub fn add(&mut self, text: impl Into<String>, choice: T) {
        self.rows.push((text.into(), choice));
    }

    /// Says the choices that were not said yet.
    pub fn say_from(&self, first: usize, out: &mut Out) {
        for (i, (text, _)) in self.rows.iter().enumerate().skip(first) {
            out.item(&format!("{}. ", i + 1), text);
        }
    }

    /// Says all choices.
    pub fn say(&self, out: &mut Out) {
        self.say_from(0, out);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The choice of a typed number.
    pub fn pick(&self, typed: &str) -> Option<&T> {
        let number: usize = number(typed)?;
        self.rows.get(number.checked_sub(1)?).map(|(_, choice)| choice)
    }

    /// Says what could have been typed instead.
    pub fn wrong(&self, typed: &str, out: &mut Out) {
        let range = match self.len() {
            0 => String::new(),
            1 => "type 1, ".into(),
            n => format!("type a number from 1 to {n}, "),
        };
        out.say(&format!("“{}” is nothing that works here; {range}? for help, q to go back.", short(typed)));
    }
}

/// A typed number; a full stop may follow.
pub fn number(typed: &str) -> Option<usize> {
    typed.trim().trim_end_matches('.').parse().ok()
}

/// The first words of what was typed.
pub fn short(text: &str) -> String {
    let mut chars = text.chars();
    let start: String = chars.by_ref().take(40).collect();
    if chars.next().is_some() { start + "…" } else { start }
}
