//! A lesson as it is heard: a piece at a time, a section, all of it.

use super::{Lesson, PANE};
use crate::doc::Document;
use crate::page::action::Action;
use crate::page::place::Place;
use crate::page::{At, Next};

/// What of a lesson was read at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whole {
    /// A piece alone.
    No,
    /// All pieces of a section.
    Section,
    /// All of it.
    Lesson,
}

/// What can be typed, the last two where there is a lab.
pub(super) fn typed(has_lab: bool) -> &'static [(&'static str, &'static str)] {
    if has_lab { TYPED } else { &TYPED[..TYPED.len() - 2] }
}

const TYPED: &[(&str, &str)] = &[
    ("a number", "takes that choice"),
    ("all", "reads the section to its end at once"),
    ("everything", "reads the whole lesson at once"),
    ("again", "reads the last piece once more"),
    ("back", "reads the piece before it"),
    ("lab", "opens the lab"),
    ("code", "reads the code, note by note"),
];

impl Lesson {
    /// Reads a card aloud.
    pub(super) fn read_on(&mut self, from: (usize, usize), at: &mut At) -> Next {
        if self.card(from).is_none() {
            self.next = (0, 0);
            (self.read, self.whole) = (None, Whole::No);
            return Next::Show;
        }
        self.read = Some(from);
        self.whole = Whole::No;
        self.next = self.after(from);
        // what a terminal left there stays
        let (line, scroll) = self.left.as_ref().map_or((0, 0), |left| (left.line, left.scroll));
        self.keep(line, scroll, format!("{PANE}{}.{}", self.next.0, self.next.1), at);
        self.hear([from], at);
        Next::Stay
    }

    /// Reads the card before the one that was read last.
    pub(super) fn read_back(&mut self, at: &mut At) -> Next {
        let before = self.read.and_then(|(part, card)| match card.checked_sub(1) {
            Some(card) => Some((part, card)),
            None => {
                let part = part.checked_sub(1)?;
                Some((part, self.parts.get(part)?.cards.len().checked_sub(1)?))
            }
        });
        match before {
            Some(before) => self.read_on(before, at),
            None => {
                at.say("there is nothing before it; Enter reads");
                Next::Stay
            }
        }
    }

    /// What was read last, with what comes next.
    pub(super) fn spoken(&self) -> Option<Document> {
        if self.whole == Whole::Lesson {
            let end = "That is the end of the lesson; it counts as read. Enter lists what to do with it, back reads \
                       the piece before its last one.";
            return Some(Document::new().markdown(&self.text).dim(end));
        }
        let (part, card) = self.read?;
        let of = self.parts.get(part)?;
        let place = match of.cards.len() {
            1 => String::new(),
            _ if self.whole == Whole::Section => "That was all of the section. ".to_owned(),
            all => format!("{} of {all}. ", card + 1),
        };
        let next = match self.parts.get(self.next.0) {
            Some(next) if self.next.1 == 0 => format!("Enter reads: {}.", next.title),
            Some(_) => "Enter reads on.".into(),
            None => match self.unread() {
                None => {
                    "That is the end of the lesson; it counts as read. Enter lists what to do with it.".into()
                }
                Some(unread) => format!(
                    "That is the end of the lesson. Not read yet: {unread}. m marks the lesson as read. Enter lists \
                     what to do with it."
                ),
            },
        };
        let read = match self.whole {
            Whole::Section => of.cards.join("\n\n"),
            _ => of.cards.get(card)?.clone(),
        };
        Some(Document::new().markdown(&read).dim(&format!("{place}{next}")))
    }

    /// How far a part was heard, as a word behind its name.
    pub(super) fn heard(&self, part: usize) -> String {
        let cards = self.parts.get(part).map_or(0, |of| of.cards.len());
        match self.heard.range((part, 0)..(part + 1, 0)).count() {
            _ if self.is_done => String::new(),
            _ if self.is_part_read(part) => ", heard".into(),
            0 => String::new(),
            heard => format!(", heard {heard} of {cards}"),
        }
    }

    /// Which section was read last, and how far.
    pub(super) fn whereabouts(&self) -> String {
        let Some((part, card)) = self.read else { return String::new() };
        let Some(of) = self.parts.get(part) else { return String::new() };
        let (all, cards) = (self.parts.len(), of.cards.len());
        format!("section {} of {all}, {}, {} of {cards}", part + 1, of.title, card + 1)
    }

    /// All of the section that is read: one is at its end then, as if each piece had been heard.
    pub(super) fn section(&mut self, part: usize, at: &mut At) -> Next {
        let last = self.parts.get(part).map_or(0, |of| of.cards.len().saturating_sub(1));
        let next = self.read_on((part, last), at);
        self.hear((0..last).map(|card| (part, card)), at);
        self.whole = Whole::Section;
        next
    }

    /// All of it at once: one is at its end then, as if each piece had been heard.
    pub(super) fn all(&mut self, at: &mut At) -> Next {
        if let Some(last) = self.parts.iter().enumerate().rev().find(|(_, part)| !part.cards.is_empty()) {
            let last = (last.0, last.1.cards.len() - 1);
            self.read_on(last, at);
        }
        self.whole = Whole::Lesson;
        // who asks for all of it at once reads it afterwards
        if !self.is_done {
            self.mark(true, at);
        }
        Next::Stay
    }

    /// Takes a line that is typed.
    pub(super) fn line(&mut self, line: &str, at: &mut At) -> Next {
        match line {
            "all" => match self.read {
                Some((part, _)) => self.section(part, at),
                None => self.all(at),
            },
            "everything" => self.all(at),
            "back" => self.read_back(at),
            "again" => self.read_on(self.read.unwrap_or(self.next), at),
            "lab" if self.has.labs => self.leads(Action::Lab, at).map_or(Next::Stay, Next::Go),
            "code" if self.has.labs => {
                let lab = self.lab(at.services).map(|lab| lab.id.clone());
                lab.map_or(Next::Stay, |id| Next::Go(Place::Code { pack: self.pack, id }))
            }
            _ => {
                at.say(format!(
                    "“{line}” does not work here; type a number, Enter to read on, again, back, ? for help"
                ));
                Next::Stay
            }
        }
    }
}
