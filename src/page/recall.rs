//! Line notes to recall: see the code, say why it is there, reveal the note, grade oneself.

use std::collections::VecDeque;

use super::action::Action;
use super::keys::Scope;
use super::view::View;
use super::{Act, At, Next, Page};
use crate::doc::Document;
use crate::pack::{Lab, Note};
use crate::services::record::Graded;
use crate::services::{Record, Services};
use crate::study::note;
use crate::study::schedule::{Grade, Item, ItemKind};

/// Lines of code shown before and after the ones that the note belongs to.
const AROUND: usize = 4;

/// Some notes of a pack, one after the other.
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
    /// These notes of the pack with this index; those that it does not have are left out.
    ///
    /// # Errors
    /// Where none is left.
    pub fn open(pack: usize, notes: &[String], services: &Services) -> Result<Self, String> {
        let has = |id: &&String| services.pack(pack).is_some_and(|p| note::find(p, id).is_some());
        let left: VecDeque<String> = notes.iter().filter(has).cloned().collect();
        match left.len() {
            0 => Err("there are no notes to recall here".into()),
            all => Ok(Recall { pack, left, all, revealed: false, grade: None }),
        }
    }

    /// On to the next note, or back after the last.
    fn next(&mut self) -> Next {
        self.left.pop_front();
        self.revealed = false;
        if self.left.is_empty() { Next::Back } else { Next::Show }
    }

    fn give(&mut self, grade: Grade, at: &mut At) -> Next {
        let pack = at.services.pack(self.pack);
        let of = pack.zip(self.left.front()).and_then(|(p, id)| Some((p, note::find(p, id)?.0, id.clone())));
        let Some((pack, lesson, id)) = of else { return self.next() };
        let (pack, lesson) = (pack.id.clone(), lesson.id.clone());
        let graded = Graded { pack, lesson, item: Item { kind: ItemKind::Note, id }, grade };
        let kept = at.services.keep(Record::Grade(graded), at.now);
        kept.said().into_iter().for_each(|text| at.say(text));
        self.grade = Some(grade);
        self.next()
    }
}

/// The code that a note belongs to, with some lines around it.
pub(super) fn code(lab: &Lab, note: &Note) -> Document {
    let from = note.lines.start.saturating_sub(AROUND);
    let lines = lab.starter.text.lines().enumerate().skip(from).take(note.lines.end + AROUND - from);
    let line = |(at, line): (usize, &str)| {
        let mark = if note.lines.contains(&at) { ">" } else { " " };
        format!("{:>4} {mark} {line}", at + 1)
    };
    let text: Vec<String> = lines.map(line).collect();
    Document::new().title(&format!("{} · {}", lab.title, lab.starter.path)).verbatim("", &text.join("\n"))
}

impl Page for Recall {
    fn title(&self, services: &Services) -> Vec<String> {
        let found = self.left.front().and_then(|id| note::find(services.pack(self.pack)?, id));
        let lesson = found.map(|(lesson, ..)| lesson.title.clone());
        let count = match self.all {
            1 => "line note".to_owned(),
            all => format!("line note {} of {all}", all - self.left.len() + 1),
        };
        lesson.into_iter().chain([count]).collect()
    }

    fn scopes(&self) -> Vec<Scope> {
        vec![if self.revealed { Scope::ReviewGrade } else { Scope::ReviewNote }, Scope::ReviewLater]
    }

    fn view(&self, at: &At) -> View {
        let view = View::new().of_pack(self.pack);
        let Some(pack) = at.services.pack(self.pack) else { return view };
        let Some((_, lab, note)) = self.left.front().and_then(|id| note::find(pack, id)) else { return view };
        let view = view.with(|body| body.and(code(lab, note)));
        match self.revealed {
            false => view
                .words("Why is this here? Say it aloud, then enter reveals the note.")
                .enter("reveals the note"),
            true => view.enter("waits for a number from 1 to 4").beside(
                View::new()
                    .markdown(&pack.named(&note.text))
                    .dim("How well did you know it? 1 again, 2 hard, 3 good, 4 easy."),
            ),
        }
    }

    fn act(&mut self, act: Act, at: &mut At) -> Next {
        match act.action() {
            Some(Action::Reveal | Action::Open) => {
                if self.revealed {
                    at.say("1 to 4 says how well you knew it");
                }
                self.revealed = true;
                Next::Stay
            }
            Some(Action::Digit(n)) if self.revealed => {
                Grade::numbered(n).map_or(Next::Stay, |grade| self.give(grade, at))
            }
            Some(Action::Later) => self.next(),
            _ => Next::Stay,
        }
    }

    fn result(&self) -> Option<Grade> {
        self.grade
    }
}
