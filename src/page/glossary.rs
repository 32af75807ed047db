//! The terms of a course, or those that a lesson defines.

use super::keys::Scope;
use super::place::Place;
use super::view::{Row, View};
use super::{Act, At, Next, Page};
use crate::doc::Cell;
use crate::pack::{Pack, Term};
use crate::services::Services;
use crate::study::schedule::Grade;

/// Terms by name.
pub struct Glossary {
    pack: usize,
    lesson: Option<String>,
}

impl Glossary {
    /// The terms of the pack with this index, or those of one of its lessons.
    pub fn new(pack: usize, lesson: Option<&str>) -> Self {
        Glossary { pack, lesson: lesson.map(str::to_owned) }
    }

    fn terms<'a>(&self, pack: &'a Pack) -> impl Iterator<Item = &'a Term> {
        let lesson = self.lesson.as_deref().and_then(|id| pack.lesson(id));
        pack.terms.iter().filter(move |t| lesson.is_none_or(|l| l.section.terms.contains(&t.id)))
    }
}

impl Page for Glossary {
    fn title(&self, services: &Services) -> Vec<String> {
        let pack = services.pack(self.pack);
        let lesson = self.lesson.as_deref().and_then(|id| pack?.lesson(id));
        lesson.map(|l| l.title.clone()).into_iter().chain(["Words".into()]).collect()
    }

    fn scopes(&self) -> Vec<Scope> {
        Vec::new()
    }

    fn view(&self, at: &At) -> View {
        let Some(pack) = at.services.pack(self.pack) else { return View::new() };
        let row = |term: &Term| {
            Row::to(Place::Term { pack: self.pack, id: term.id.clone() }).cell(Cell::text(&term.name))
        };
        View::new().of_pack(self.pack).list(self.terms(pack).map(row)).line("A word, or its number", "")
    }

    fn act(&mut self, act: Act, at: &mut At) -> Next {
        let Act::Line(line) = act else { return Next::Stay };
        let low = line.to_lowercase();
        let is =
            |t: &&Term| t.name.to_lowercase() == low || t.aliases.iter().any(|a| a.to_lowercase() == low);
        let found = at.services.pack(self.pack).and_then(|pack| pack.terms.iter().find(is));
        match found.map(|term| Place::Term { pack: self.pack, id: term.id.clone() }) {
            Some(place) => Next::Go(place),
            None => {
                at.say(format!("There is no word “{line}” here."));
                Next::Stay
            }
        }
    }

    fn back(&mut self, _: Option<Grade>, at: &mut At) -> Next {
        at.say("Another word? Type it or its number; l lists them, q goes back.");
        Next::Stay
    }
}
