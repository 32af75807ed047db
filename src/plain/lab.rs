//! A lab: its text, its code note by note, its starter.

use std::collections::BTreeMap;

use super::code::Code;
use super::desk::heard;
use super::menu::Menu;
use super::page::{At, Go, Page};
use super::start::Start;
use crate::pack::{Lab as LabOf, Lesson, prose};
use crate::page::lesson::pieces;
use crate::page::place::Place;
use crate::store::Done;
use crate::study::note;

/// A lab.
pub struct Lab {
    pack: usize,
    id: String,
    lesson: String,
    /// Headings with their Markdown.
    pieces: Vec<(String, String)>,
    /// What Enter does next, by its place in the menu from 0.
    next: usize,
    menu: Menu<Choice>,
}

#[derive(Debug, Clone)]
enum Choice {
    Piece(usize),
    Code,
    Recall,
    Start,
    Done,
    Sim(String, BTreeMap<String, f64>),
}

impl Lab {
    /// A lab of the pack with this index.
    pub fn new(pack: usize, (lesson, lab): (&Lesson, &LabOf)) -> Self {
        Lab {
            pack,
            id: lab.id.clone(),
            lesson: lesson.id.clone(),
            pieces: pieces(&prose::lab(lab, lesson)),
            next: 0,
            menu: Menu::default(),
        }
    }

    fn list(&mut self, lab: &LabOf) {
        let mut menu = Menu::default();
        // the code comes after the goal and the mental model, as a reader needs it
        let (before, after) = self.pieces.split_at(self.pieces.len().min(2));
        for (i, (title, _)) in before.iter().enumerate() {
            menu.add(format!("Read: {title}"), Choice::Piece(i));
        }
        let notes = note::notes(lab).len();
        menu.add(format!("Read the code with its {notes} notes"), Choice::Code);
        menu.add("Predict, then run the starter", Choice::Start);
        for (i, (title, _)) in after.iter().enumerate() {
            menu.add(format!("Read: {title}"), Choice::Piece(before.len() + i));
        }
        menu.add("Recall the notes", Choice::Recall);
        for link in &lab.sims {
            let title = crate::sim::kind(&link.kind).map_or(&link.kind[..], |k| k.title);
            menu.add(format!("Simulator: {title}"), Choice::Sim(link.kind.clone(), link.set.clone()));
        }
        menu.add("Mark the lab as done", Choice::Done);
        self.menu = menu;
    }

    fn take(&mut self, choice: Choice, at: &mut At) -> Go {
        let Some((lesson, lab)) = at.desk.library.lab(self.pack, &self.id) else {
            return Go::Back(None);
        };
        match choice {
            Choice::Piece(piece) => {
                at.out.markdown(self.pieces.get(piece).map_or("", |(_, text)| text));
                at.out.gap();
                at.out.say("Enter goes on, l lists the choices, q goes back.");
            }
            Choice::Code => {
                let pack = at.desk.pack(self.pack).map_or("", |p| &p.id);
                let left = at.desk.store.position(pack, &lesson.id, Some(&lab.id)).ok().flatten();
                let line = left.map_or(0, |p| p.line as usize);
                return Go::open(Code::new(self.pack, &lesson.id, lab, line));
            }
            Choice::Recall => {
                let notes = note::notes(lab).into_iter().map(|(id, _)| id);
                return Go::To(Place::Recall { pack: self.pack, notes: notes.collect() });
            }
            Choice::Start => return Go::open(Start::new(self.pack, lab)),
            Choice::Sim(kind, set) => return Go::To(Place::Sim { kind, set, link: None }),
            Choice::Done => {
                let pack = at.desk.pack(self.pack).map_or("", |p| &p.id);
                let done = Done::Lab(&self.id);
                if heard(at.desk.store.mark_done(pack, &self.lesson, done, at.now), at.out).is_some() {
                    at.out.say("The lab counts as done. q goes back.");
                }
            }
        }
        Go::Stay
    }
}

impl Page for Lab {
    fn show(&mut self, at: &mut At) -> Go {
        let Some((_, lab)) = at.desk.library.lab(self.pack, &self.id) else {
            return Go::Back(None);
        };
        at.out.say(&format!("Lab: {}. {} minutes.", lab.title, lab.minutes));
        self.list(lab);
        self.menu.say(at.out);
        at.out.say(&format!("Type a number. Enter alone takes {}, q goes back.", self.next + 1));
        Go::Stay
    }

    fn line(&mut self, line: &str, at: &mut At) -> Go {
        let typed = match line {
            "" => (self.next + 1).to_string(),
            "l" => return Go::Show,
            _ => line.to_owned(),
        };
        let Some(choice) = self.menu.pick(&typed).cloned() else {
            self.menu.wrong(&typed, at.out);
            return Go::Stay;
        };
        let taken = super::menu::number(&typed).unwrap_or(1);
        self.next = taken % self.menu.len();
        self.take(choice, at)
    }

    fn help(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("Enter alone", "go on with the next thing"),
            ("a number", "take that choice"),
            ("l", "list the choices again"),
        ]
    }

    fn pack(&self) -> usize {
        self.pack
    }
}
