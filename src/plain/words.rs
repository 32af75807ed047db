//! The glossary: its terms, and one of them.

use super::menu::Menu;
use super::page::{At, Go, Page};
use crate::app::place::Place;
use crate::pack::prose;

/// The terms of a pack, or those that a lesson defines.
pub struct Words {
    pack: usize,
    lesson: Option<String>,
    menu: Menu<String>,
}

impl Words {
    /// All terms of the pack with this index.
    pub fn new(pack: usize) -> Self {
        Words { pack, lesson: None, menu: Menu::default() }
    }

    /// The terms of a lesson.
    pub fn of_lesson(pack: usize, lesson: &str) -> Self {
        Words { lesson: Some(lesson.to_owned()), ..Self::new(pack) }
    }
}

impl Page for Words {
    fn show(&mut self, at: &mut At) -> Go {
        self.menu = Menu::default();
        let Some(pack) = at.desk.pack(self.pack) else {
            return Go::Back(None);
        };
        let lesson = self.lesson.as_deref().and_then(|id| pack.lesson(id));
        let asked = |id: &String| lesson.is_none_or(|l| l.section.terms.contains(id));
        for term in pack.terms.iter().filter(|t| asked(&t.id)) {
            self.menu.add(term.name.clone(), term.id.clone());
        }
        self.menu.say(at.out);
        at.out.say("Type a number, or the word itself. q goes back.");
        Go::Stay
    }

    fn line(&mut self, line: &str, at: &mut At) -> Go {
        let named = || {
            let low = line.to_lowercase();
            let pack = at.desk.library.packs.get(self.pack)?;
            let is = |t: &&crate::pack::Term| {
                t.name.to_lowercase() == low || t.aliases.iter().any(|a| a.to_lowercase() == low)
            };
            pack.terms.iter().find(is).map(|t| t.id.clone())
        };
        match self.menu.pick(line).cloned().or_else(named) {
            Some(id) => Go::open(Term::new(self.pack, &id)),
            None => {
                self.menu.wrong(line, at.out);
                Go::Stay
            }
        }
    }

    fn back(&mut self, _grade: Option<crate::study::schedule::Grade>, at: &mut At) -> Go {
        at.out.say("Another word? Type it or its number; l lists them, q goes back.");
        Go::Stay
    }

    fn help(&self) -> &'static [(&'static str, &'static str)] {
        &[("a number or a word", "hear what it means")]
    }

    fn pack(&self) -> usize {
        self.pack
    }
}

/// A term with its definition.
pub struct Term {
    pack: usize,
    id: String,
    menu: Menu<Place>,
}

impl Term {
    /// A term of the pack with this index.
    pub fn new(pack: usize, id: &str) -> Self {
        Term { pack, id: id.to_owned(), menu: Menu::default() }
    }
}

impl Page for Term {
    fn show(&mut self, at: &mut At) -> Go {
        self.menu = Menu::default();
        let Some((pack, term)) = at.desk.pack(self.pack).and_then(|p| Some((p, p.term(&self.id)?))) else {
            return Go::Back(None);
        };
        at.out.say(&format!("{}.", term.name));
        at.out.markdown(&prose::term(pack, &self.id).unwrap_or_default());
        for other in term.related.iter().filter_map(|id| pack.term(id)) {
            let place = Place::Term { pack: self.pack, id: other.id.clone() };
            self.menu.add(format!("Word: {}", other.name), place);
        }
        if let Some(lesson) = term.lesson.as_deref().and_then(|id| pack.lesson(id)) {
            let place = Place::Lesson { pack: self.pack, id: lesson.id.clone() };
            self.menu.add(format!("Lesson: {}", lesson.title), place);
        }
        at.out.gap();
        self.menu.say(at.out);
        at.out.say("Enter or q goes back.");
        Go::Stay
    }

    fn line(&mut self, line: &str, at: &mut At) -> Go {
        match self.menu.pick(line) {
            _ if line.is_empty() => Go::Back(None),
            Some(place) => Go::To(place.clone()),
            None => {
                self.menu.wrong(line, at.out);
                Go::Stay
            }
        }
    }

    fn help(&self) -> &'static [(&'static str, &'static str)] {
        &[("a number", "go there"), ("Enter alone", "go back")]
    }

    fn pack(&self) -> usize {
        self.pack
    }
}
