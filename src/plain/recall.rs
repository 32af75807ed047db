//! Line notes to recall: hear the code, say why it is there, reveal, grade.

use std::collections::VecDeque;

use super::code::say_lines;
use super::desk::heard;
use super::page::{At, Go, Page};
use crate::store::Done;
use crate::study::note;
use crate::study::schedule::{Grade, Item, ItemKind};

/// Some notes, one after the other.
pub struct Recall {
    pack: usize,
    /// Ids of the notes.
    left: VecDeque<String>,
    all: usize,
    revealed: bool,
    /// The last grade given.
    grade: Option<Grade>,
}

impl Recall {
    /// These notes of the pack with this index.
    pub fn new(pack: usize, notes: Vec<String>) -> Self {
        Recall { pack, all: notes.len(), left: notes.into(), revealed: false, grade: None }
    }

    fn reveal(&mut self, at: &mut At) {
        let Some(id) = self.left.front() else { return };
        let found = at.desk.pack(self.pack).and_then(|p| note::find(p, id));
        if let Some((_, _, note)) = found {
            at.out.markdown(&note.text);
        }
        at.out.gap();
        at.out.say("How well did you know it? 1 not, 2 with effort, 3 well, 4 at once.");
        self.revealed = true;
    }

    fn give(&mut self, grade: Grade, at: &mut At) -> Go {
        let Some(id) = self.left.pop_front() else {
            return Go::Back(self.grade);
        };
        self.revealed = false;
        self.grade = Some(grade);
        let Some(pack) = at.desk.pack(self.pack) else {
            return Go::Back(None);
        };
        if let (Some((lesson, ..)), true) = (note::find(pack, &id), grade > Grade::Again) {
            let done = at.desk.store.mark_done(&pack.id, &lesson.id, Done::Note(&id), at.now);
            heard(done, at.out);
        }
        let item = Item { kind: ItemKind::Note, id };
        let kept = at.desk.store.record_review(&pack.id, &item, grade, (&at.desk.schedule, at.now));
        heard(kept, at.out);
        if self.left.is_empty() {
            return Go::Back(self.grade);
        }
        Go::Show
    }
}

/// The grade of a typed number.
pub fn grade(typed: &str) -> Option<Grade> {
    Grade::numbered(typed.trim_end_matches('.').parse().ok()?)
}

impl Page for Recall {
    fn show(&mut self, at: &mut At) -> Go {
        let Some(id) = self.left.front() else {
            return Go::Back(self.grade);
        };
        let Some((_, lab, note)) = at.desk.pack(self.pack).and_then(|p| note::find(p, id)) else {
            self.left.pop_front();
            return Go::Show;
        };
        let count = match self.all {
            1 => String::new(),
            all => format!(" {} of {all}", all - self.left.len() + 1),
        };
        at.out.say(&format!("Line note{count}, from {}.", lab.title));
        say_lines(lab, note, at.out);
        at.out.say("Why is it there? Say it. Enter reveals the note, s leaves it for another time.");
        Go::Stay
    }

    fn line(&mut self, line: &str, at: &mut At) -> Go {
        match (line, grade(line)) {
            ("", _) if !self.revealed => self.reveal(at),
            ("s", _) => {
                self.left.pop_front();
                self.revealed = false;
                return if self.left.is_empty() { Go::Back(self.grade) } else { Go::Show };
            }
            (_, Some(grade)) if self.revealed => return self.give(grade, at),
            _ if self.revealed => at.out.say("Type 1, 2, 3 or 4: how well you knew it. s leaves it."),
            _ => at.out.say("Enter reveals the note, s leaves it for another time, q goes back."),
        }
        Go::Stay
    }

    fn result(&self) -> Option<Grade> {
        self.grade
    }

    fn help(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("Enter alone", "reveal the note"),
            ("1 to 4", "how well you knew it: not, with effort, well, at once"),
            ("s", "leave it for another time"),
        ]
    }

    fn pack(&self) -> usize {
        self.pack
    }
}
