//! The code of a lab note by note, for those who hear it: a terminal has it beside the text.

use super::action::Action;
use super::place::Place;
use super::view::View;
use super::{Act, At, Next, Page};
use crate::doc::Document;
use crate::pack::{Block, Lab};
use crate::page::keys::Scope;
use crate::services::{Record, Services};
use crate::study::home::Position;
use crate::study::note;

/// What is kept as the pane of a reading position.
const PANE: &str = "code";

/// The starter of a lab with its notes.
pub struct Code {
    pack: usize,
    pack_id: String,
    lesson: String,
    lab: Lab,
    /// Whether where it was left is kept: of the starter alone.
    is_kept: bool,
    /// The note that was read last, by its place; all of them at once where that was asked for.
    at: Read,
}

#[derive(Debug, Clone, Copy)]
enum Read {
    One(usize),
    All,
}

impl Code {
    /// The code of a lab where it was left, or a file of its measured program.
    ///
    /// # Errors
    /// Where the pack has no such lab, or the lab no such file.
    pub fn open(pack: usize, id: &str, file: Option<usize>, services: &Services) -> Result<Self, String> {
        let found = services.pack(pack).and_then(|of| Some((of, of.lab(id)?)));
        let (of, (lesson, lab)) = found.ok_or_else(|| format!("there is no lab “{id}” in this course"))?;
        let program = file.map(|file| lab.measured(file).ok_or("this lab has no such program"));
        let program = program.transpose()?;
        let lab = program.as_ref().unwrap_or(lab);
        let left = services.store.position(&of.id, &lesson.id, Some(&lab.id)).ok().flatten();
        let line = left.map_or(0, |p| p.line as usize);
        let notes = note::notes(lab);
        let first = notes.iter().position(|(_, n)| n.lines.end > line).unwrap_or(0);
        let mut lab = lab.clone();
        for note in lab.blocks.iter_mut().flat_map(|b| &mut b.notes) {
            note.text = of.named(&note.text).into_owned();
        }
        let (pack_id, lesson) = (of.id.clone(), lesson.id.clone());
        Ok(Code { pack, pack_id, lesson, lab, is_kept: file.is_none(), at: Read::One(first) })
    }

    /// A note with its lines and, at its start, the title of its block.
    fn note(&self, which: usize, all: Document) -> Document {
        let notes = note::notes(&self.lab);
        let Some((_, note)) = notes.get(which) else { return all };
        let begins = |b: &&Block| b.notes.first().is_some_and(|n| n.lines == note.lines);
        let all = match self.lab.blocks.iter().find(begins) {
            Some(block) => all.words(&format!("Block: {}", block.title)),
            None => all,
        };
        let lines = self.lab.starter.text.lines().enumerate();
        let lines = lines.skip(note.lines.start).take(note.lines.len());
        let lines: Vec<String> = lines.map(|(i, line)| format!("{}: {line}", i + 1)).collect();
        all.verbatim("", &lines.join("\n")).markdown(&note.text)
    }

    fn read(&mut self, which: usize, at: &mut At) -> Next {
        let notes = note::notes(&self.lab);
        let Some((_, note)) = notes.get(which) else {
            at.say("That was the last note; b goes back one, a number goes to that line, q leaves");
            return Next::Stay;
        };
        let line = u32::try_from(note.lines.start).unwrap_or(0);
        self.at = Read::One(which);
        self.keep(line, at);
        Next::Stay
    }

    fn keep(&self, line: u32, at: &mut At) {
        if !self.is_kept {
            return;
        }
        let (pack, lesson, lab) = (self.pack_id.clone(), self.lesson.clone(), Some(self.lab.id.clone()));
        let position = Position { pack, lesson, lab, line, scroll: 0, pane: PANE.into(), at: at.now };
        let said = at.services.keep(Record::Position(position), at.now).said();
        said.into_iter().for_each(|text| at.say(text));
    }
}

impl Page for Code {
    fn title(&self, _services: &Services) -> Vec<String> {
        vec![self.lab.title.clone(), "code".into()]
    }

    fn scopes(&self) -> Vec<Scope> {
        Vec::new()
    }

    fn view(&self, _at: &At) -> View {
        let lines = self.lab.starter.text.lines().count();
        let all = note::notes(&self.lab).len();
        let read = match self.at {
            Read::All => {
                let text = (0..all).fold(Document::new(), |text, which| self.note(which, text));
                text.dim(&format!("That was all of it, to note {all} of {all}. b goes back one, q leaves."))
            }
            Read::One(which) => {
                let rest = if which + 1 < all { "Enter reads on." } else { "That was the last note." };
                self.note(which, Document::new()).dim(&format!("Note {} of {all}. {rest}", which + 1))
            }
        };
        let view =
            View::new().of_pack(self.pack).words(&format!("{}, {lines} lines.", self.lab.starter.path));
        let view = view.beside(View::new().with(|side| side.and(read)));
        view.enter("reads the next note")
            .typed(&[
                ("a number", "goes to that line"),
                ("b", "goes back one note"),
                ("all", "reads everything"),
                ("lab", "opens the lab, which runs it"),
            ])
            .spoken("A number goes to that line, b goes back one note, all reads everything")
    }

    fn act(&mut self, act: Act, at: &mut At) -> Next {
        let here = match self.at {
            Read::One(which) => which,
            // one is at the end of what was read
            Read::All => note::notes(&self.lab).len().saturating_sub(1),
        };
        match act {
            Act::Do(Action::Open) => self.read(here + 1, at),
            Act::Line(line) => match (line.as_str(), line.parse::<usize>()) {
                ("b", _) => self.read(here.saturating_sub(1), at),
                ("lab" | "run", _) if self.is_kept => {
                    Next::Go(Place::Lab { pack: self.pack, id: self.lab.id.clone() })
                }
                ("all", _) => {
                    self.read(note::notes(&self.lab).len().saturating_sub(1), at);
                    self.at = Read::All;
                    Next::Stay
                }
                (_, Ok(line)) => {
                    let notes = note::notes(&self.lab);
                    match notes.iter().position(|(_, n)| n.lines.end >= line) {
                        Some(which) => self.read(which, at),
                        None => {
                            at.say(format!("There is no line {line}"));
                            Next::Stay
                        }
                    }
                }
                _ => {
                    at.say("Enter reads on, a number goes to that line, b goes back one, all reads everything, q leaves");
                    Next::Stay
                }
            },
            _ => Next::Stay,
        }
    }
}
