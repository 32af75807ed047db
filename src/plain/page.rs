//! What a page of the line-mode face is.

use jiff::Timestamp;

use super::out::Out;
use super::run;
use crate::page::place::Place;
use crate::services::Services;
use crate::study::schedule::Grade;

/// What works on every page, and what it does.
pub const EVERYWHERE: &[(&str, &str)] = &[
    ("/ and words", "search the course"),
    ("q", "go back one step"),
    ("home", "go to the first page"),
    ("quit", "end the program"),
];

/// What a page has at hand.
pub struct At<'a> {
    /// The packs and the store.
    pub desk: &'a mut Services,
    /// Where it speaks.
    pub out: &'a mut Out,
    /// The time.
    pub now: Timestamp,
}

/// Where it goes from here.
pub enum Go {
    /// Nowhere.
    Stay,
    /// Nowhere; the page is said again.
    Show,
    /// To a page, and later back.
    Open(Box<dyn Page>),
    /// To a page instead of this one.
    Replace(Box<dyn Page>),
    /// To a place, and later back.
    To(Place),
    /// To a place instead of this one.
    ReplaceBy(Place),
    /// Back; with how well something was known, where something was answered.
    Back(Option<Grade>),
    /// To the first page.
    Home,
    /// Out of the program.
    Quit,
}

/// A page: it says something, and takes lines.
pub trait Page {
    /// Says what the page holds.
    fn show(&mut self, at: &mut At) -> Go;

    /// Takes a line: trimmed, or as it was typed where the page [is typed into](Page::is_typing).
    fn line(&mut self, line: &str, at: &mut At) -> Go;

    /// Whether lines are text, so that the page alone reads them.
    fn is_typing(&self) -> bool {
        false
    }

    /// Lets time pass.
    fn tick(&mut self, _at: &mut At) -> Go {
        Go::Stay
    }

    /// When time matters next.
    fn wake_at(&self) -> Option<Timestamp> {
        None
    }

    /// Keeps what is not kept yet.
    fn leave(&mut self, _at: &mut At) {}

    /// Takes up again after a page that was opened from here.
    fn back(&mut self, _grade: Option<Grade>, _at: &mut At) -> Go {
        Go::Show
    }

    /// How well something was known that was answered here.
    fn result(&self) -> Option<Grade> {
        None
    }

    /// What can be typed, and what it does.
    fn help(&self) -> &'static [(&'static str, &'static str)] {
        &[("a number", "take that choice")]
    }

    /// What more can be typed, and what it does, where that changes.
    fn actions(&self) -> Vec<(String, &'static str)> {
        Vec::new()
    }

    /// The pack it belongs to, by its index.
    fn pack(&self) -> usize {
        0
    }
}

/// The page of a place that is for lines alone yet; none for all others.
pub fn of(place: &Place, now: Timestamp) -> Option<Box<dyn Page>> {
    let Place::Rehearsal { run, .. } = place else { return None };
    Some(Box::new(run::Run::of((**run).clone(), now)))
}
