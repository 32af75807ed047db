//! A line that is typed to a page: a number, an action, an action on a row, an answer.

use super::super::menu::{number, short};
use super::words::{leaves, ranges};
use super::{Desk, Driver, Next};
use crate::page::Act;
use crate::page::action::Action;
use crate::page::keys;
use crate::page::view::Input;
use crate::study::words::capital;

/// A line of more words than this is no command that was mistyped.
const WORDS: usize = 4;

impl Driver {
    /// Takes a line: trimmed, or as it was typed where the page [is typed into](Driver::is_typing).
    pub fn line(&mut self, line: &str, at: &mut Desk) -> Next {
        if let Input::Text { draft, .. } = &self.view.input {
            let draft = draft.clone();
            return self.write(line, &draft, at);
        }
        let before = at.out.len();
        let next = self.take(line, at);
        // nothing is ever silent: what stands beside is said once more, or where one is
        if next == Next::Stay && at.out.len() == before {
            self.say_side(None, at.out);
            if at.out.len() == before {
                self.here(at);
            }
        }
        next
    }

    /// Takes a line that is no text.
    fn take(&mut self, line: &str, at: &mut Desk) -> Next {
        if let Some(action) = self.wanted.take() {
            match number(line).map(|n| self.view.row_of(n)) {
                Some(Some(row)) => return self.act_on(action, Some(row), at),
                Some(None) => {
                    self.wanted = Some(action);
                    at.out.say(&format!("There is no number {} here; {}", short(line), self.which()));
                    return Next::Stay;
                }
                None if line.is_empty() => {
                    at.out.say("Nothing is done.");
                    self.here(at);
                    return Next::Stay;
                }
                // something else is typed instead
                None => {}
            }
        }
        if let Some(nth) = number(line).and_then(|n| self.view.row_of(n)) {
            return self.open(nth, at);
        }
        // where a line is asked for, it is one
        if line == "." && !matches!(self.view.input, Input::Line { .. }) {
            at.out.say("A dot ends an answer, and none is typed here. ? lists what can be typed.");
            return Next::Stay;
        }
        // an action on a row: `r 3`
        let (word, row) = line.rsplit_once(' ').map_or((line, None), |(word, n)| (word, number(n)));
        let row = row.and_then(|n| self.view.row_of(n));
        if let Some(action) = self.action(if row.is_some() { word } else { line }) {
            let row = row.or((self.view.choices() == 1).then_some(0));
            if row.is_none() && self.view.choices() > 1 && self.needs_row(action) {
                self.wanted = Some(action);
                at.out.say(&capital(&self.which()));
                return Next::Stay;
            }
            return self.act_on(action, row, at);
        }
        match &self.view.input {
            _ if matches!(line, "l" | "repeat") => Next::Show,
            Input::Line { .. } | Input::Spoken { .. } if !line.is_empty() => {
                self.ask(at, |page, at| page.act(Act::Line(line.to_owned()), at))
            }
            // Enter alone does what the page opens first, else it goes back; nothing ends by it
            _ if line.is_empty() => match self.ask(at, |page, at| page.act(Act::Do(Action::Open), at)) {
                Next::Stay if self.silent && at.is_first => {
                    at.out.say("Enter alone does nothing here; l lists the choices, q ends.");
                    Next::Stay
                }
                Next::Stay if self.silent => Next::Back,
                other => other,
            },
            _ => {
                self.wrong(line, at);
                Next::Stay
            }
        }
    }

    /// Does something, with a row where it is about one.
    fn act_on(&mut self, action: Action, row: Option<usize>, at: &mut Desk) -> Next {
        let act = row.map_or(Act::Do(action), |row| Act::On(action, row));
        let side = self.view.side.is_some();
        let next = self.ask(at, |page, at| page.act(act, at));
        // what was put away is gone without a word, or nothing could be done
        if next == Next::Stay && !self.spoke && (self.silent || side && self.view.side.is_none()) {
            self.here(at);
        }
        next
    }

    /// Whether an action is nothing without the number of a row.
    fn needs_row(&self, action: Action) -> bool {
        keys::typed(&self.page.scopes()).find(|b| b.action == action).is_some_and(keys::needs_row)
    }

    /// Which number can be typed, for what asks for one.
    fn which(&self) -> String {
        format!("which one? Type {}. Enter alone leaves it.", ranges(&self.view.numbers()))
    }

    fn wrong(&self, typed: &str, at: &mut Desk) {
        if typed.split_whitespace().count() > WORDS {
            let leaves = leaves(at.is_first);
            return at.out.say(&format!(
                "No text is taken here, so “{}” is not kept. l says this page again, ? lists what can be typed, q {leaves}.",
                short(typed)
            ));
        }
        let range = match (self.view.numbers().as_slice(), &self.view.closing) {
            ([], Some(closing)) => {
                return at.out.say(&format!("“{}” does not work here. {closing}", short(typed)));
            }
            ([], None) => String::new(),
            (numbers, _) => format!("type {}, ", ranges(numbers)),
        };
        let leaves = if at.is_first { "to end" } else { "to go back" };
        // without a number to choose, what Enter does is what is looked for
        let enter = match (range.is_empty(), self.view.enter.as_str()) {
            (true, does) if !does.is_empty() => format!(" Enter {does}."),
            _ => String::new(),
        };
        at.out.say(&format!("“{}” does not work here; {range}? for help, q {leaves}.{enter}", short(typed)));
    }
}
