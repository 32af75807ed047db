//! Home: what today asks for, how strong one is, the course. Nothing of a course but its table of contents is read.

use std::cell::RefCell;
use std::sync::Arc;

use super::action::Action;
use super::keys::Scope;
use super::place::Place;
use super::view::View;
use super::{Act, At, Next, Page, history};
use crate::doc::Document;
use crate::services::job::Done;
use crate::services::library::Library;
use crate::services::{Kept, MINUTES_A_DAY, Record, Services};
use crate::study::next;
use crate::study::schedule::Grade;
use crate::study::words::some;
use entry::{Course, Entry};
use known::Known;

pub use first::SAMPLE;

mod about;
mod entry;
mod first;
mod known;
mod now;
mod strengths;

/// Answers that a high screen names.
const LATEST: u32 = 9;

/// The first page.
#[derive(Default)]
pub struct Home {
    known: Known,
    /// The unfolded lessons: pack index and lesson id.
    unfolded: Vec<(usize, String)>,
    /// What stands above the courses since Home was looked at last: each move asks.
    shown: RefCell<Vec<Entry>>,
    /// The courses as they stand, as far as they were looked at; made anew where something was done or unfolded.
    courses: RefCell<Vec<Arc<Course>>>,
    /// Whether it is heard: then the lessons are named only where that is asked for.
    is_heard: bool,
    /// Whether that was asked for.
    lists: bool,
    /// What was left last: where `c` goes.
    left: Option<Place>,
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
        let known = Known::look(at);
        Ok(Home { left: Home::left(&known, at), known, ..Home::default() })
    }

    /// Where one left off last.
    fn left(known: &Known, at: &At) -> Option<Place> {
        now::last(known, at).map(|entry| entry.place)
    }

    /// What can be chosen above the courses.
    fn first(&self, at: &At) -> Vec<Entry> {
        let library = &at.services.library;
        match library.packs.first() {
            None => Vec::new(),
            Some(pack) if self.known.is_new() => first::entries(pack, library),
            Some(_) => {
                let mut all = now::entries(&self.known, at);
                if !self.is_heard && self.known.learns_only() {
                    // r rehearses at any time
                    all.retain(|entry| entry.place != Place::Rehearse || entry.number == Some(now::GO_ON));
                }
                if self.is_heard {
                    // going on with a rehearsal leads where rehearsing does
                    let goes_on = |entry: &Entry| entry.number == Some(now::GO_ON);
                    let thing = |entry: &Entry| format!("{:?} {}", entry.place, goes_on(entry));
                    let things: Vec<String> = all.iter().map(thing).collect();
                    let is_planned = self.known.today.is_some();
                    let numbers = at.services.heard.borrow_mut().numbers(is_planned, &things, entry::LESSONS);
                    all.iter_mut().zip(numbers).for_each(|(entry, number)| entry.number = Some(number));
                    all = all.into_iter().map(|entry| entry.heard(library)).collect();
                }
                all
            }
        }
    }

    /// The courses, one below the other.
    fn courses(&self, at: &At) -> Vec<Arc<Course>> {
        let library = &at.services.library;
        let mut made = self.courses.borrow_mut();
        let more = (made.len()..library.packs.len())
            .filter_map(|index| Course::of((index, library), &self.known, &self.unfolded))
            .map(|course| if self.is_heard && !self.lists { course.counted() } else { course });
        let more: Vec<_> = more.map(Arc::new).collect();
        made.extend(more);
        made.clone()
    }

    /// What stands in a row of the view that was shown last.
    fn in_row<T>(&self, row: usize, at: &At, of: impl FnOnce(&Entry) -> T) -> Option<T> {
        let shown = self.shown.borrow();
        if let Some(entry) = shown.get(row) {
            return Some(of(entry));
        }
        let mut row = row - shown.len();
        for course in self.courses(at) {
            match course.entries.get(row) {
                Some(entry) => return Some(of(entry)),
                None => row -= course.entries.len(),
            }
        }
        None
    }

    /// Shows what a lesson holds, or folds it again.
    fn unfold(&mut self, open: bool, of: Option<(usize, String)>) -> Next {
        let Some(lesson) = of else { return Next::Stay };
        self.unfolded.retain(|at| *at != lesson);
        if open {
            self.unfolded.push(lesson);
        }
        self.courses.get_mut().clear();
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

    /// Plans with as many minutes a day as keep what a missed day cost.
    fn keep_it_all(&mut self, at: &mut At) -> Next {
        let Some(minutes) = self.known.offer() else { return Next::Stay };
        at.services.keep(Record::setting(MINUTES_A_DAY, minutes.to_string()), at.now);
        let replanned = at.services.plan_anew(at.now);
        let said = at.or_say(replanned).and_then(Kept::said);
        said.into_iter().for_each(|text| at.say(text));
        at.say(format!("{minutes} minutes a day; the plan is made anew, and i shows it"));
        self.back(None, at)
    }

    /// The first thing that Home asks for, for a newcomer the course.
    fn go_on(&self, at: &At) -> Option<Place> {
        let mut first = self.first(at).into_iter();
        let found = if self.known.is_new() { first.find(|e| e.lesson.is_some()) } else { first.next() };
        found.map(|e| e.place)
    }
}

impl Page for Home {
    fn title(&self, services: &Services) -> Vec<String> {
        services.library.packs.first().map(|pack| pack.title.clone()).into_iter().collect()
    }

    fn scopes(&self) -> Vec<Scope> {
        let news = (!self.known.news.is_empty()).then_some(Scope::HomeNews);
        let heard = self.is_heard.then_some(Scope::HomeHeard);
        let slip = self.known.offer().map(|_| Scope::HomeSlip);
        let begins = self.known.is_new().then_some(Scope::HomeNew);
        let left = self.left.as_ref().map(|left| match left {
            Place::Lab { .. } => Scope::HomeLab,
            Place::Drill { .. } | Place::PartAgain { .. } => Scope::HomeDrill,
            Place::Rehearse => Scope::HomeRehearsal,
            _ => Scope::HomeLesson,
        });
        news.into_iter().chain(begins.or(left)).chain([Scope::Home]).chain(slip).chain(heard).collect()
    }

    fn view(&self, at: &At) -> View {
        let library = &at.services.library;
        let Some(pack) = library.packs.first() else {
            return View::new().words("No course could be opened. ! says why.");
        };
        let (mut first, courses) = (self.first(at), self.courses(at));
        if self.is_heard && self.lists {
            // what stands above keeps its numbers, and was heard
            let above = first.iter().map(|entry| entry.row(0).said(""));
            let view = courses.iter().fold(View::new().list(above), |view, course| course.below(view));
            let enter =
                if self.known.is_new() { "begins the course" } else { "takes the first thing of Home" };
            self.shown.replace(first);
            return view.enter(enter).closing(entry::CLOSING_LIST);
        }
        if self.known.is_new() {
            let page = first::page(pack, &first, &courses, self.is_heard);
            self.shown.replace(first);
            return page;
        }
        let lead = first.first().filter(|_| self.is_heard).map(|entry| {
            let said = entry.said();
            let said = said.trim_end_matches('.');
            // a question in quotes ends the sentence
            let stop = if said.ends_with("?”") { "" } else { "." };
            match first.iter().map(|e| e.number).min() == Some(entry.number) {
                true => format!("Enter takes the first of {}: {said}{stop}", some(first.len(), "choice")),
                false => format!("Enter takes number {}: {said}{stop}", entry.number.unwrap_or(1)),
            }
        });
        let view = lead.iter().fold(View::new(), |view, lead| view.words(lead));
        if self.is_heard {
            // by ear a list rises, so that no number seems to be left out
            first.sort_by_key(|entry| entry.number);
        }
        let view = entry::now_view(view, now::head(&self.known, at, self.is_heard), &first);
        let missed = if self.is_heard { now::missed(&self.known) } else { Vec::new() };
        let view = missed.into_iter().fold(view, |view, missed| view.list([missed]));
        let view = courses.iter().fold(view, |view, course| course.below(view));
        self.shown.replace(first);
        let strengths = strengths::of(pack, &self.known);
        if self.is_heard {
            let view =
                strengths::sentence(&strengths, &self.known).iter().fold(view, |view, s| view.words(s));
            return view.facts(self.known.facts()).enter("takes what is named first").closing(entry::CLOSING);
        }
        view.beside(strengths::side(strengths.as_slice(), &self.known, at))
            .foot(strengths::foot(strengths.as_slice(), &self.known, at))
            .facts(self.known.facts())
            .airy()
    }

    fn act(&mut self, act: Act, at: &mut At) -> Next {
        let lesson = match act {
            Act::On(_, row) => self.in_row(row, at, |entry| entry.lesson.clone()).flatten(),
            _ => None,
        };
        let place = match act.action() {
            Some(Action::Toggle) => {
                self.lists = !self.lists;
                self.courses.get_mut().clear();
                return Next::Show;
            }
            Some(Action::Step) => return self.keep_it_all(at),
            Some(Action::Open) => self.go_on(at),
            Some(Action::Continue) if self.known.is_new() => self.go_on(at),
            Some(Action::Continue) => self.left.clone(),
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
            Some(Action::Settings) => Some(Place::Settings),
            Some(Action::History) => Some(Place::History { drill: None }),
            Some(Action::Problems) if !at.services.library.broken.is_empty() => Some(Place::Problems),
            Some(Action::Problems) => {
                at.say("every pack was loaded: there are no problems");
                return Next::Stay;
            }
            _ => None,
        };
        place.map_or(Next::Stay, Next::Go)
    }

    fn preview(&self, row: usize, at: &At) -> Option<Document> {
        let is_new = self.known.is_new();
        let about = |entry: &Entry| {
            (!is_new || entry.share.is_some()).then(|| about::entry(entry, &self.known, at)).flatten()
        };
        self.in_row(row, at, about).flatten()
    }

    fn tall(&self, at: &At) -> Option<(Document, Document)> {
        let pack = at.services.library.packs.first().filter(|_| !self.known.is_new())?;
        let strengths = strengths::of(pack, &self.known);
        let below = strengths::lately(&strengths, at).and(history::latest(LATEST, at));
        Some((below, strengths::tall_side(&strengths, &self.known, at)))
    }

    fn back(&mut self, _: Option<Grade>, at: &mut At) -> Next {
        self.known = Known::look(at);
        self.left = Home::left(&self.known, at);
        self.courses.get_mut().clear();
        Next::Show
    }

    fn by_ear(&mut self, _: &mut At) {
        self.is_heard = true;
        self.courses.get_mut().clear();
    }

    fn done(&mut self, done: &Done, at: &mut At) -> Next {
        if matches!(done, Done::Opened) {
            if self.known.look_further(at) {
                self.courses.get_mut().clear();
            }
            self.left = Home::left(&self.known, at);
        }
        Next::Stay
    }
}
