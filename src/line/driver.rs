//! A page in lines: its body, then its side, its rows numbered; what is typed becomes an act.

use jiff::Timestamp;

use crate::doc::Document;
use crate::doc::speech::Form;
use crate::page::action::Action;
use crate::page::keys::{self, Binding};
use crate::page::view::{Input, Lead, View};
use crate::page::{self, Act, Effect, Next};
use crate::plain::menu::{number, short};
use crate::plain::out::Out;
use crate::plain::page::{At, Go, Page};
use crate::study::schedule::Grade;

/// A page, as it was said last.
pub struct Driver {
    page: Box<dyn page::Page>,
    view: View,
    /// What is asked of the face and not done yet.
    effects: Vec<Effect>,
    /// Whether the page did nothing when it was asked last: no word, no other view.
    silent: bool,
}

impl Driver {
    /// A page that was not said yet, with what it asked for while it was opened.
    pub fn new(page: Box<dyn page::Page>, effects: Vec<Effect>) -> Self {
        Driver { page, view: View::new(), effects, silent: false }
    }

    /// Asks the page, does what it asks for, and says where it goes.
    fn ask(&mut self, at: &mut At, ask: impl FnOnce(&mut dyn page::Page, &mut page::At) -> Next) -> Go {
        let mut inner = page::At { services: at.desk, now: at.now, out: &mut self.effects };
        let next = ask(self.page.as_mut(), &mut inner);
        self.silent = self.effects.is_empty();
        let quits = self.speak(at.out);
        match next {
            _ if quits => Go::Quit,
            Next::Stay => {
                let before = std::mem::take(&mut self.view);
                self.look(at);
                self.silent &= before == self.view;
                self.say_side(before.side.as_ref(), at.out);
                Go::Stay
            }
            Next::Show => Go::Show,
            Next::Go(place) => Go::To(place),
            Next::Replace(place) => Go::ReplaceBy(place),
            Next::Back => Go::Back(self.page.result()),
            Next::Home => Go::Home,
            Next::Quit => Go::Quit,
        }
    }

    /// Does what the page asked for; says whether the program is to end.
    fn speak(&mut self, out: &mut Out) -> bool {
        let mut quits = false;
        for effect in std::mem::take(&mut self.effects) {
            match effect {
                Effect::Say(text) => {
                    let end = if text.ends_with(['.', '?', '!']) { "" } else { "." };
                    out.say(&format!("{text}{end}"));
                }
                // an address that a terminal would put on the clipboard
                Effect::Copy(text) => out.say(&text),
                Effect::Quit => quits = true,
                Effect::Bell | Effect::Suspend | Effect::Job(_) => {}
            }
        }
        quits
    }

    /// Looks at the page again, without a word.
    fn look(&mut self, at: &mut At) {
        let inner = page::At { services: at.desk, now: at.now, out: &mut self.effects };
        self.view = self.page.view(&inner);
    }

    fn open(&mut self, row: usize, at: &mut At) -> Go {
        match self.view.lead(row).cloned() {
            Some(Lead::To(place)) => Go::To(place),
            Some(Lead::Do(action)) => self.ask(at, |page, at| page.act(Act::Do(action), at)),
            Some(Lead::Here) | None => match self.ask(at, |page, at| page.act(Act::Open(row), at)) {
                Go::Stay if self.silent => self.preview(row, at),
                other => other,
            },
        }
    }

    /// Says what a terminal shows beside a row.
    fn preview(&self, row: usize, at: &mut At) -> Go {
        let mut out = Vec::new();
        let inner = page::At { services: at.desk, now: at.now, out: &mut out };
        let about = self.page.preview(row, &inner);
        let lines = about.map(|about| about.plain(at.out.width())).unwrap_or_default();
        lines.iter().for_each(|line| at.out.line(line));
        Go::Stay
    }

    /// Says what stands beside the body, where that is another one than before.
    fn say_side(&self, before: Option<&Document>, out: &mut Out) {
        if let Some(side) = self.view.side.as_ref().filter(|side| before != Some(*side)) {
            let form = Form::Numbered(self.view.side_from());
            side.lines(out.width(), form).iter().for_each(|line| out.line(line));
        }
    }

    /// The action that a typed word stands for: a key of one letter, or the word of the footer.
    fn action(&self, word: &str) -> Option<Action> {
        let named = |b: &&Binding| {
            !word.is_empty() && b.hint == word || b.keys.iter().any(|key| *key == word && is_letter(key))
        };
        keys::typed(&self.page.scopes()).find(named).map(|b| b.action)
    }

    fn wrong(&self, typed: &str, out: &mut Out) {
        let range = match self.view.numbers().as_slice() {
            [] => String::new(),
            [one] => format!("type {one}, "),
            [first, .., last] => format!("type a number from {first} to {last}, "),
        };
        out.say(&format!("“{}” is nothing that works here; {range}? for help, q to go back.", short(typed)));
    }
}

/// The words with a capital at their start, as a sentence has it.
fn capital(words: &str) -> String {
    let mut chars = words.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

fn is_letter(key: &str) -> bool {
    key.chars().count() == 1
}

impl Page for Driver {
    fn show(&mut self, at: &mut At) -> Go {
        self.speak(at.out);
        self.look(at);
        if let Some(title) = self.page.title(at.desk).pop() {
            at.out.say(&format!("{}.", capital(title.trim_end_matches('.'))));
        }
        let width = at.out.width();
        let body = self.view.body.lines(width, Form::Numbered(0));
        let from = self.view.side_from();
        let side = self.view.side.as_ref().map(|side| side.lines(width, Form::Numbered(from)));
        body.iter().for_each(|line| at.out.line(line));
        if let Some(side) = side.filter(|side| !side.is_empty()) {
            at.out.gap();
            side.iter().for_each(|line| at.out.line(line));
        }
        let more = keys::typed(&self.page.scopes()).next().is_some();
        let more = if more {
            "? lists what else can be typed, Enter or q goes back."
        } else {
            "Enter or q goes back."
        };
        if let Some(closing) = &self.view.closing {
            at.out.say(closing);
            return Go::Stay;
        }
        match (&self.view.input, self.view.choices()) {
            (Input::Spoken { ask }, _) => at.out.say(&format!("{ask}. {more}")),
            (Input::Line { ask, .. }, _) => at.out.say(&format!("{ask}? {more}")),
            (_, 0) => at.out.say("Enter or q goes back."),
            (_, 1) => at.out.say(&format!("Type 1 to open it; {more}")),
            (..) => at.out.say(&format!("Type a number; {more}")),
        }
        Go::Stay
    }

    fn line(&mut self, line: &str, at: &mut At) -> Go {
        if let Some(nth) = number(line).and_then(|n| self.view.row_of(n)) {
            return self.open(nth, at);
        }
        // an action on a row: `r 3`
        let (word, row) = line.rsplit_once(' ').map_or((line, None), |(word, n)| (word, number(n)));
        let row = row.and_then(|n| self.view.row_of(n));
        if let Some(action) = self.action(if row.is_some() { word } else { line }) {
            let row = row.or((self.view.choices() == 1).then_some(0));
            let act = row.map_or(Act::Do(action), |row| Act::On(action, row));
            return self.ask(at, |page, at| page.act(act, at));
        }
        match &self.view.input {
            _ if line == "l" => Go::Show,
            Input::Line { .. } | Input::Spoken { .. } if !line.is_empty() => {
                self.ask(at, |page, at| page.act(Act::Line(line.to_owned()), at))
            }
            // Enter alone does what the page opens first, else it goes back
            _ if line.is_empty() => match self.ask(at, |page, at| page.act(Act::Do(Action::Open), at)) {
                Go::Stay if self.silent => Go::Back(self.page.result()),
                other => other,
            },
            _ => {
                self.wrong(line, at.out);
                Go::Stay
            }
        }
    }

    fn tick(&mut self, at: &mut At) -> Go {
        self.ask(at, |page, at| page.tick(at))
    }

    fn wake_at(&self) -> Option<Timestamp> {
        self.page.wake_at(Timestamp::UNIX_EPOCH)
    }

    fn leave(&mut self, at: &mut At) {
        let mut inner = page::At { services: at.desk, now: at.now, out: &mut self.effects };
        self.page.leave(&mut inner);
        self.speak(at.out);
    }

    fn back(&mut self, grade: Option<Grade>, at: &mut At) -> Go {
        self.ask(at, |page, at| page.back(grade, at))
    }

    fn result(&self) -> Option<Grade> {
        self.page.result()
    }

    fn help(&self) -> &'static [(&'static str, &'static str)] {
        match self.view.choices() {
            0 => &[("Enter alone", "go back")],
            _ => {
                &[("a number", "take that choice"), ("Enter alone", "go back"), ("l", "hear this page again")]
            }
        }
    }

    fn actions(&self) -> Vec<(String, &'static str)> {
        let words = |b: &'static Binding| {
            let letter = b.keys.iter().find(|key| is_letter(key));
            let words: Vec<&str> = letter.copied().into_iter().chain(Some(b.hint)).collect();
            let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
            (words.join(" or "), b.help)
        };
        keys::typed(&self.page.scopes()).map(words).collect()
    }

    fn pack(&self) -> usize {
        self.view.pack
    }
}
