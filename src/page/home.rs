//! Home: what today asks for, how strong one is, the course. Nothing of a course but its table of contents is read.

use std::cell::RefCell;

use super::action::Action;
use super::keys::Scope;
use super::place::Place;
use super::view::View;
use super::{Act, At, Next, Page};
use crate::doc::Document;
use crate::services::Services;
use crate::services::job::Done;
use crate::services::library::Library;
use crate::study::next;
use crate::study::schedule::Grade;
use entry::Entry;
use known::Known;

pub use first::SAMPLE;

mod about;
mod entry;
mod first;
mod known;
mod latest;
mod now;
mod strengths;

/// The first page.
#[derive(Default)]
pub struct Home {
    known: Known,
    /// The unfolded lessons: pack index and lesson id.
    unfolded: Vec<(usize, String)>,
    /// What stands in the rows since Home was looked at last: with many packs there are thousands, and each move asks.
    shown: RefCell<Vec<Entry>>,
}

/// What Home shows before the store is open: the whole of it for somebody of whom nothing is kept.
pub fn before(library: &Library) -> View {
    match library.packs.first() {
        Some(pack) => first::view(pack, library),
        None => View::new().dim("opening the course …"),
    }
}

impl Home {
    /// Home with what is known now.
    ///
    /// # Errors
    /// None; what cannot be read is said.
    pub fn open(at: &mut At) -> Result<Self, String> {
        Ok(Home { known: Known::look(at), ..Home::default() })
    }

    /// All that can be chosen, in the order of the view.
    fn entries(&self, at: &At) -> Vec<Entry> {
        let library = &at.services.library;
        let Some(pack) = library.packs.first() else { return Vec::new() };
        let mut all = match self.known.is_new() {
            true => first::entries(pack, library),
            false => now::entries(&self.known, at),
        };
        for index in 0..library.packs.len() {
            all.extend(entry::course((index, library), &self.known, &self.unfolded));
        }
        all
    }

    /// Shows what a lesson holds, or folds it again.
    fn unfold(&mut self, open: bool, of: Option<(usize, String)>) -> Next {
        let Some(lesson) = of else { return Next::Stay };
        self.unfolded.retain(|at| *at != lesson);
        if open {
            self.unfolded.push(lesson);
        }
        Next::Show
    }

    /// A drill of a lesson, or else of the first that has one: never answered, or answered longest ago.
    fn drill(&self, lesson: Option<(usize, String)>, at: &At) -> Option<Place> {
        let (pack, lesson) = lesson.unwrap_or_default();
        let (of, home) = (at.services.pack(pack)?, self.known.homes.get(pack)?);
        let all = || of.index().drills.iter().min_by_key(|d| home.answered.get(&*d.id));
        let drill = next::drill(of, home, &lesson).or_else(all)?;
        Some(Place::Drill { pack, id: drill.id.to_string(), only: None })
    }

    /// Goes on where one left off, or else with the first thing that Home asks for.
    fn resume(&self, at: &At) -> Option<Place> {
        now::last(&self.known, at).map(|entry| entry.place).or_else(|| self.go_on(at))
    }

    /// The first thing that Home asks for, for a newcomer the course.
    fn go_on(&self, at: &At) -> Option<Place> {
        let mut entries = self.entries(at).into_iter();
        let found = match self.known.is_new() {
            true => entries.find(|e| e.lesson.is_some()),
            false => entries.next(),
        };
        found.map(|e| e.place)
    }
}

impl Page for Home {
    fn title(&self, services: &Services) -> Vec<String> {
        services.library.packs.first().map(|pack| pack.title.clone()).into_iter().collect()
    }

    fn scopes(&self) -> Vec<Scope> {
        let news = (!self.known.news.is_empty()).then_some(Scope::HomeNews);
        news.into_iter().chain([Scope::Home]).collect()
    }

    fn view(&self, at: &At) -> View {
        let library = &at.services.library;
        let Some(pack) = library.packs.first() else {
            return View::new().words("No course could be opened. ! says why.");
        };
        if self.known.is_new() {
            let entries = self.entries(at);
            let page = first::page(pack, library, &entries);
            self.shown.replace(entries);
            return page;
        }
        let entries = self.entries(at);
        let mut view = entry::now_view(View::new(), Some(now::head(&self.known, at)), &entries);
        for index in 0..library.packs.len() {
            view = entry::course_view(view, (index, library), &self.known, &entries);
        }
        self.shown.replace(entries);
        let strengths = strengths::of(pack, &self.known);
        view.beside(strengths::side(strengths.as_slice(), &self.known, at))
            .foot(strengths::foot(strengths.as_slice()))
            .facts(self.known.facts())
            .enter("takes the first one")
            .closing(entry::CLOSING)
    }

    fn act(&mut self, act: Act, at: &mut At) -> Next {
        let row = match act {
            Act::On(_, row) => self.entries(at).into_iter().nth(row),
            _ => None,
        };
        let lesson = row.and_then(|entry| entry.lesson);
        let place = match act.action() {
            Some(Action::Open) => self.go_on(at),
            Some(Action::Continue) => self.resume(at),
            Some(Action::Right) => return self.unfold(true, lesson),
            Some(Action::Left) => return self.unfold(false, lesson),
            Some(Action::Drill) => self.drill(lesson, at),
            Some(Action::Rehearse) => Some(Place::Rehearse),
            Some(Action::Review) => Some(Place::Review { ahead: 0 }),
            Some(Action::News) => Some(Place::News),
            Some(Action::Plan) => Some(Place::Plan),
            Some(Action::Progress) => Some(Place::Progress),
            Some(Action::Glossary) => Some(Place::Glossary { pack: 0, lesson: None }),
            Some(Action::Sims) => Some(Place::Sims),
            Some(Action::History) => Some(Place::History { drill: None }),
            Some(Action::Problems) if !at.services.library.broken.is_empty() => Some(Place::Problems),
            _ => None,
        };
        place.map_or(Next::Stay, Next::Go)
    }

    fn preview(&self, row: usize, at: &At) -> Option<Document> {
        let entries = self.shown.borrow();
        let entry = entries.get(row).filter(|e| !self.known.is_new() || e.share.is_some())?;
        about::entry(entry, &self.known, at)
    }

    fn tall(&self, at: &At) -> Option<(Document, Document)> {
        let pack = at.services.library.packs.first().filter(|_| !self.known.is_new())?;
        let strengths = strengths::of(pack, &self.known);
        Some((latest::answers(at), strengths::tall_side(&strengths, &self.known, at)))
    }

    fn back(&mut self, _: Option<Grade>, at: &mut At) -> Next {
        self.known = Known::look(at);
        Next::Show
    }

    fn done(&mut self, done: &Done, at: &mut At) -> Next {
        if matches!(done, Done::Opened) {
            self.known.look_further(at);
        }
        Next::Stay
    }
}
