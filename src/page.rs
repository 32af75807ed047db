//! Pages: what there is to see and to do, written once for every face.
//!
//! A `Page` is state, words and acts. What it shows is data, a `View`; the terminal ([`crate::tui`]), the
//! line-mode face ([`crate::line`]) and the verbs ([`crate::cmd`]) render the same view. A page knows no
//! cell, no cursor and no key: keys become `Act`s by the one table of [`keys`], whose rows also make
//! the footer, the help and the menu of the line-mode face.

use jiff::Timestamp;
use serde_json::Value;

use crate::services::Services;
use crate::services::job::{Done, Job};
use crate::store::StoreError;
use crate::study::day::Day;
use crate::study::schedule::Grade;
use action::Action;
use keys::Scope;
use place::Place;
use view::View;

pub(crate) mod action;
mod answered;
mod asked;
mod checks;
pub(crate) mod class;
mod code;
mod drill;
pub(crate) mod find;
mod help;
pub(crate) mod history;
pub(crate) mod home;
pub mod key;
pub mod keys;
pub(crate) mod lab;
pub(crate) mod lesson;
pub(crate) mod measure;
mod news;
pub mod place;
pub(crate) mod plan;
pub(crate) mod posting;
mod problems;
pub(crate) mod progress;
pub(crate) mod puzzle;
pub(crate) mod rate;
mod ratings;
mod recall;
pub(crate) mod rehearsal;
pub(crate) mod rehearse;
mod report;
mod reports;
mod review;
pub(crate) mod settings;
pub(crate) mod sim;
mod sims;
mod skim;
pub(crate) mod stack;
pub(crate) mod target;
pub(crate) mod task;
mod term;
pub(crate) mod verdict;
pub(crate) mod view;
pub(crate) mod worksheet;

#[doc(hidden)]
pub use answered::phrases;
#[doc(hidden)]
pub use home::SAMPLE;

/// What is to see and to do at a place.
pub(crate) trait Page {
    /// The words of the title line, the most general first.
    fn title(&self, services: &Services) -> Vec<String>;

    /// Which rows of the key table are its own now, the most particular first. A face adds its ways to
    /// move, to type and to leave.
    fn scopes(&self) -> Vec<Scope>;

    /// The same while this row is chosen, where that changes what keys do.
    fn scopes_on(&self, _row: usize) -> Vec<Scope> {
        self.scopes()
    }

    /// What there is to see. Called after each act, never for a mere move.
    fn view(&self, at: &At) -> View;

    /// Does something. Rows that lead to a place are followed by the face itself.
    fn act(&mut self, act: Act, at: &mut At) -> Next;

    /// What stands beside the chosen row, where there is room.
    fn preview(&self, _row: usize, _at: &At) -> Option<crate::doc::Document> {
        None
    }

    /// What a high and wide screen has room for besides: what stands below the body, and what stands beside it instead of
    /// the side.
    fn tall(&self, _at: &At) -> Option<(crate::doc::Document, crate::doc::Document)> {
        None
    }

    /// Takes a character that no key stands for, at a row; none where it means nothing here.
    fn typed(&mut self, _row: usize, _letter: char, _at: &mut At) -> Option<Next> {
        None
    }

    /// What a line means as far as it is typed, to stand below it; none where there is nothing to say.
    fn meaning(&self, _line: &str, _at: &At) -> Option<String> {
        None
    }

    /// What stands below that, where there is room.
    fn under(&self, _line: &str, _at: &At) -> Option<crate::doc::Document> {
        None
    }

    /// What an arrow key makes of a line that is typed; none where it moves in the line.
    fn nudged(&self, _line: &str, _key: key::Key, _at: &At) -> Option<String> {
        None
    }

    /// What a digit does at the row of that number.
    fn by_number(&self) -> ByNumber {
        ByNumber::Opens
    }

    /// Whether a line that was refused is typed anew, not mended.
    fn replaces(&self) -> bool {
        false
    }

    /// Takes up again after a page that was opened from here, with how well was known what it asked.
    fn back(&mut self, _grade: Option<Grade>, _at: &mut At) -> Next {
        Next::Show
    }

    /// It is heard, not seen: a clock waits until its question is said. Told once, after it was opened.
    fn by_ear(&mut self, _at: &mut At) {}

    /// Lets time pass.
    fn tick(&mut self, _at: &mut At) -> Next {
        Next::Stay
    }

    /// When time matters next.
    fn wake_at(&self, _now: Timestamp) -> Option<Timestamp> {
        None
    }

    /// A job ended. Every page of the stack is told, whatever is on top; one that did not ask for it
    /// stays as it is.
    fn done(&mut self, _done: &Done, _at: &mut At) -> Next {
        Next::Stay
    }

    /// Keeps what is not kept yet: the page is left, for another one or for good.
    fn leave(&mut self, _at: &mut At) {}

    /// How well was known what was asked here: what [`Page::back`] of the page below is told.
    fn result(&self) -> Option<Grade> {
        None
    }

    /// Whether a terminal shows it over the page below.
    fn is_popup(&self) -> bool {
        false
    }

    /// What a verb prints with `--json`.
    fn json(&self) -> Option<Value> {
        None
    }
}

/// What a digit does at the row of that number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ByNumber {
    /// It opens the row.
    Opens,
    /// It only chooses the row.
    Chooses,
    /// It asks for an action on the row.
    Asks(Action),
}

/// Something that is asked of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Act {
    /// A row was opened, by its number from 0, that leads to no place of its own.
    Open(usize),
    /// An action on a row.
    On(Action, usize),
    /// An action where there is no row.
    Do(Action),
    /// A line was typed into [`view::Input::Line`].
    Line(String),
    /// The text of [`view::Input::Text`], as it stands now.
    Text(String),
}

impl Act {
    /// The action that was asked for, on a row or not.
    pub fn action(&self) -> Option<Action> {
        match self {
            Act::On(action, _) | Act::Do(action) => Some(*action),
            _ => None,
        }
    }
}

/// Where it goes from here.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Next {
    /// Nowhere. A terminal draws the view again; in lines nothing is said but what was put in
    /// [`At::out`].
    Stay,
    /// Nowhere; the view is another one, and is said again.
    Show,
    /// To a place; back comes here.
    Go(Place),
    /// To a place instead of this one, which is not to be seen again.
    Replace(Place),
    /// Back to where one came from.
    Back,
    /// To the first page.
    Home,
    /// Out of the program.
    Quit,
}

/// What a page has at hand.
pub(crate) struct At<'a> {
    /// The packs, the store, the zone.
    pub services: &'a mut Services,
    /// The time.
    pub now: Timestamp,
    /// What is asked of the face.
    pub out: &'a mut Vec<Effect>,
}

impl At<'_> {
    /// Says something in the footer, or as a line.
    pub fn say(&mut self, text: impl Into<String>) {
        self.out.push(Effect::Say(text.into()));
    }

    /// What the store gave; a fault is said.
    pub fn or_say<T>(&mut self, found: Result<T, StoreError>) -> Option<T> {
        found.map_err(|fault| self.say(fault.to_string())).ok()
    }
}

/// What is asked of the face around the pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Say something: in the footer until the next key, or as a line.
    Say(String),
    /// Ring the bell.
    Bell,
    /// Put text on the clipboard.
    Copy(String),
    /// Do what takes long, or needs the terminal.
    Job(Job),
    /// Turn the colours from dark to light, or back.
    Turn,
    /// Give the terminal to the shell until the program is continued.
    Suspend,
    /// End the program.
    Quit,
}

/// Opens a place.
///
/// # Errors
/// A sentence where it cannot be opened.
pub(crate) fn open(place: &Place, at: &mut At) -> Result<Box<dyn Page>, String> {
    fn boxed<P: Page + 'static>(page: Result<P, String>) -> Result<Box<dyn Page>, String> {
        page.map(|page| Box::new(page) as Box<dyn Page>)
    }
    match place {
        Place::Home => boxed(home::Home::open(at)),
        Place::History { drill } => boxed(history::History::open(drill.as_ref(), history::MOST, at.services)),
        Place::Progress => boxed(progress::Progress::open(at)),
        Place::Ratings => boxed(ratings::Ratings::open(at.services)),
        Place::Plan => boxed(plan::Plan::open(at)),
        Place::Skim { pack, lessons } => boxed(Ok(skim::Skim::of(*pack, lessons.clone(), at))),
        Place::Posting => boxed(posting::Posting::open(at)),
        Place::News => boxed(news::News::open(at)),
        Place::Problems => boxed(Ok(problems::Problems)),
        Place::Term { pack, id } => boxed(term::Term::open(*pack, id, at.services)),
        Place::Lesson { pack, id } => boxed(lesson::Lesson::open(*pack, id, at)),
        Place::Section { pack, id, title } => boxed(lesson::Lesson::open_at(*pack, id, title, at)),
        Place::Find { pack, words } => boxed(Ok(find::Find::anything(*pack, words, at.services))),
        Place::Glossary { pack, lesson } => {
            boxed(Ok(find::Find::terms(*pack, lesson.as_deref(), at.services)))
        }
        Place::Keys { scopes } => boxed(Ok(help::Help::new(scopes))),
        Place::Lab { pack, id } => boxed(lab::Lab::open(*pack, id, at)),
        Place::Code { pack, id } => boxed(code::Code::open(*pack, id, None, at.services)),
        Place::Measure { pack, id } => boxed(measure::Measure::open(*pack, id, at)),
        Place::Program { pack, id, file } => boxed(code::Code::open(*pack, id, Some(*file), at.services)),
        Place::Drill { pack, id, only } => boxed(drill::Drill::open(*pack, id, only.as_deref(), at)),
        Place::PartAgain { pack, id, part } => boxed(drill::Drill::again(*pack, id, part, at)),
        Place::Checks { pack, lesson, only } => {
            let of = at.services.pack(*pack).map(|of| (*pack, of));
            match of.and_then(|of| checks::Checks::open(of, lesson, only.as_deref(), at.now)) {
                Some(page) if only.is_none() => {
                    let today = Day::of(at.services.today(at.now), &at.services.zone).start;
                    boxed(Ok(page.resumed(today, at)))
                }
                Some(page) => boxed(Ok(page)),
                None => boxed(worksheet(place, at).ok_or_else(|| "there are no checks here".to_owned())),
            }
        }
        Place::Recall { pack, notes } => boxed(recall::Recall::open(*pack, notes, at.services)),
        Place::Review { ahead } => boxed(review::Review::open(*ahead, at)),
        Place::Settings => boxed(Ok(settings::Settings::open(at))),
        Place::Sims => boxed(Ok(sims::Sims::default())),
        Place::Sim { kind, set, link } => {
            boxed(sim::Simulator::open(kind, set, link.as_deref(), at.services))
        }
        Place::Puzzle { pack, id } => boxed(puzzle::Puzzle::open(*pack, id, at)),
        Place::Verdict { attempt } => match asked::Asked::before(attempt, at.services) {
            Some(asked) => boxed(Ok(asked)),
            None => boxed(verdict::Verdict::open(attempt, at.services)),
        },
        Place::Asked { attempt, first } => boxed(asked::Asked::again(attempt, first.as_deref(), at.services)),
        Place::Rehearse => boxed(rehearse::Rehearse::open(at)),
        Place::RehearseWith { setup, start } => match rehearse::begun(setup, at) {
            Some(run) if *start && !run.prompts.is_empty() => {
                boxed(rehearsal::Rehearsal::open(&run, false, at))
            }
            _ => boxed(rehearse::Rehearse::with(setup, at)),
        },
        Place::Rehearsal { run, bell } => boxed(rehearsal::Rehearsal::open(run, *bell, at)),
        Place::Report { id } => boxed(report::Report::open(id, at.services)),
        Place::Ended { report } => boxed(Ok(report::Report::ended((**report).clone()))),
        Place::Reports => boxed(reports::Reports::open(at.services)),
        Place::Class { folder, shown } => boxed(Ok(class::Class::open(folder, shown, at))),
        Place::ClassAnswer { folder, id } => boxed(class::answer::ClassAnswer::open(folder, id, at.services)),
    }
}

/// The worksheet at a place, where it is asked for by its id or its lesson has no other checks.
pub(crate) fn worksheet(place: &Place, at: &At) -> Option<worksheet::Worksheet> {
    let Place::Checks { pack, lesson, only } = place else { return None };
    let of = (*pack, at.services.pack(*pack)?);
    let has_others = checks::Checks::open(of, lesson, only.as_deref(), at.now).is_some();
    (!has_others).then(|| worksheet::Worksheet::at(place, at.services, at.now))?
}
