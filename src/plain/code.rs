//! The code of a lab, note by note.

use super::desk::heard;
use super::menu::number;
use super::out::Out;
use super::page::{At, Go, Page};
use crate::pack::{Block, Lab, Note};
use crate::study::home::Position;
use crate::study::note;

/// What is kept as the pane of a reading position.
const PANE: &str = "code";

/// The starter of a lab with its notes.
pub struct Code {
    pack: usize,
    lab: String,
    lesson: String,
    /// The note that is read next, by its place.
    next: usize,
}

impl Code {
    /// The code of a lab, from a line on (from 0).
    pub fn new(pack: usize, lesson: &str, lab: &Lab, line: usize) -> Self {
        let notes = note::notes(lab);
        let next = notes.iter().position(|(_, n)| n.lines.end > line).unwrap_or(0);
        Code { pack, lab: lab.id.clone(), lesson: lesson.to_owned(), next }
    }

    /// Says a note, and gives the line where it begins and the number of all notes.
    fn say(which: usize, lab: &Lab, out: &mut Out) -> Option<(usize, usize)> {
        let notes = note::notes(lab);
        let (_, note) = notes.get(which)?;
        let begins = |b: &&Block| b.notes.first().is_some_and(|n| n.lines == note.lines);
        if let Some(block) = lab.blocks.iter().find(begins) {
            out.say(&format!("Block: {}", block.title));
        }
        say_lines(lab, note, out);
        out.markdown(&note.text);
        out.gap();
        Some((note.lines.start, notes.len()))
    }

    fn read(&mut self, which: usize, at: &mut At) {
        let lab = at.desk.library.lab(self.pack, &self.lab);
        match lab.and_then(|(_, lab)| Self::say(which, lab, at.out)) {
            None => {
                at.out.say("That was the last note. b goes back one, a number goes to that line, q leaves.")
            }
            Some((line, all)) => {
                self.next = which + 1;
                if self.next == all {
                    at.out.say("That was the last note. b goes back one, q leaves.");
                } else {
                    at.out.say(&format!("Note {} of {all}. Enter reads on.", which + 1));
                }
                self.keep(line, at);
            }
        }
    }

    fn read_all(&mut self, at: &mut At) {
        let Some((_, lab)) = at.desk.library.lab(self.pack, &self.lab) else {
            return;
        };
        let mut which = 0;
        let mut last = 0;
        while let Some((line, _)) = Self::say(which, lab, at.out) {
            (which, last) = (which + 1, line);
        }
        at.out.say("That was the last note. q leaves.");
        self.next = which;
        self.keep(last, at);
    }

    fn keep(&self, line: usize, at: &mut At) {
        let Some(pack) = at.desk.pack(self.pack) else {
            return;
        };
        let position = Position {
            pack: pack.id.clone(),
            lesson: self.lesson.clone(),
            lab: Some(self.lab.clone()),
            line: u32::try_from(line).unwrap_or(0),
            scroll: 0,
            pane: PANE.into(),
            at: at.now,
        };
        heard(at.desk.store.save_position(&position), at.out);
    }

    /// The note of a line (from 1), or the next one after it.
    fn note_of(&self, line: usize, at: &At) -> Option<usize> {
        let (_, lab) = at.desk.library.lab(self.pack, &self.lab)?;
        note::notes(lab).iter().position(|(_, n)| n.lines.end >= line)
    }
}

/// Says the lines of a note with their numbers.
pub fn say_lines(lab: &Lab, note: &Note, out: &mut Out) {
    let lines = lab.starter.text.lines().enumerate();
    for (i, line) in lines.skip(note.lines.start).take(note.lines.len()) {
        out.verbatim(&format!("{}: {line}", i + 1));
    }
}

impl Page for Code {
    fn show(&mut self, at: &mut At) -> Go {
        let Some((_, lab)) = at.desk.library.lab(self.pack, &self.lab) else {
            return Go::Back(None);
        };
        let lines = lab.starter.text.lines().count();
        at.out.say(&format!("Code: {}, {lines} lines.", lab.starter.path));
        at.out.say("Enter reads the next note, a number goes to that line, b goes back one, all reads everything, q leaves.");
        at.out.gap();
        self.read(self.next, at);
        Go::Stay
    }

    fn line(&mut self, line: &str, at: &mut At) -> Go {
        match (line, number(line)) {
            ("", _) => self.read(self.next, at),
            ("b", _) => self.read(self.next.saturating_sub(2), at),
            ("all", _) => self.read_all(at),
            (_, Some(line)) => match self.note_of(line, at) {
                Some(note) => self.read(note, at),
                None => at.out.say(&format!("There is no line {line}.")),
            },
            _ => at
                .out
                .say("Enter reads on, a number goes to that line, b goes back one, all reads everything, q leaves."),
        }
        Go::Stay
    }

    fn help(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("Enter alone", "read the next note"),
            ("a number", "go to that line"),
            ("b", "go back one note"),
            ("all", "read every note"),
        ]
    }

    fn pack(&self) -> usize {
        self.pack
    }
}
