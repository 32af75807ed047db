//! The line-mode face: every page as numbered lines.
//!
//! [`Plain`] is a state machine: it is given lines and times and gives text. It moves no cursor, draws no
//! boxes and sends no escape sequences; a screen reader can speak it and a script can drive it.
//! [`run`] is the loop around it: standard input on a thread, and the time at which a clock has something to
//! say. `driver` says a page and reads what is typed to it.

use jiff::Timestamp;

use crate::page::place::Place;
use crate::page::stack::Stack;
use crate::page::{self, Next};
use crate::services::Services;
use crate::services::run::Running;
use crate::study::rehearsal::Setup;

mod driver;
mod menu;
mod out;
mod stream;
mod typing;

pub use stream::{run, until_signal};

use driver::{Desk, Driver};
use out::Out;

/// What ends the program from anywhere.
const QUIT: &str = "quit";
/// What works on every page, and what it does.
const EVERYWHERE: &[(&str, &str)] = &[
    ("/ and words", "search the course"),
    ("? or help", "say where you are, and what can be typed"),
    ("q", "go back one step"),
    ("home", "go to the first page"),
    ("quit", "end the program"),
];

/// What of a session lasts.
enum Kept {
    All,
    /// What was typed is in files that were named.
    InFiles,
    /// Something was not kept, and that was said.
    Some,
    /// No store, and no text that would have gone to a file.
    Nothing,
}

/// The line-mode face, as a machine that is fed with lines and times.
pub struct Plain {
    services: Services,
    width: usize,
    pages: Stack<Driver>,
    /// What is said at the start.
    notes: Vec<String>,
    begun: bool,
    over: bool,
    /// Whether something could not be kept.
    is_left: bool,
    /// When something happened last.
    last: Timestamp,
}

impl Plain {
    /// A face that shows nothing yet; `notes` are said at the start. Words are wrapped to `width` columns.
    pub fn new(services: Services, notes: Vec<String>, width: usize) -> Self {
        Plain {
            services,
            width,
            pages: Stack::default(),
            notes,
            begun: false,
            over: false,
            is_left: false,
            last: Timestamp::UNIX_EPOCH,
        }
    }

    /// Opens a place on top of Home, and gives the text of it. A class stands alone: who looks through one does not come
    /// from Home, and does not go there.
    pub fn open(&mut self, place: &Place, now: Timestamp) -> String {
        let alone = matches!(place, Place::Class { .. } | Place::ClassAnswer { .. });
        let first = if alone { place } else { &Place::Home };
        match opened(first, &mut self.services, now) {
            Ok(page) => self.pages = Stack::of(page),
            Err(fault) => self.notes.push(fault),
        }
        if *place != *first {
            match opened(place, &mut self.services, now) {
                Ok(page) => self.pages.open(page, false),
                Err(fault) => self.notes.push(fault),
            }
        }
        let alone = self.pages.depth() < 2;
        self.with(|plain, out| {
            for note in std::mem::take(&mut plain.notes) {
                out.say(&format!("{}.", note.trim_end_matches('.')));
                out.gap();
            }
            if alone {
                out.say("InfraLens in plain lines. A question mark says what can be typed.");
                out.gap();
            }
            plain.follow(Next::Show, out, now);
        })
    }

    /// Begins a rehearsal at once.
    pub fn rehearse(&mut self, setup: Setup, now: Timestamp) -> String {
        self.open(&Place::RehearseWith { setup: Box::new(setup), start: true }, now)
    }

    /// Works through what is due until some days ahead.
    pub fn review(&mut self, days: u32, now: Timestamp) -> String {
        self.open(&Place::Review { ahead: days }, now)
    }

    /// Takes a line, without its end, and gives what is to be said.
    pub fn line(&mut self, line: &str, now: Timestamp) -> String {
        self.with(|plain, out| {
            plain.tick_into(out, now);
            let typing = plain.pages.top().is_some_and(Driver::is_typing);
            let word = line.trim();
            // as it is typed among the lines of a text
            let bare = word.strip_prefix(':').unwrap_or(word).to_lowercase();
            let is_own = plain.pages.top().is_some_and(|page| page.knows(word));
            let next = match bare.as_str() {
                _ if typing => plain.on_top(out, now, |page, at| page.line(line, at)),
                "back" | "exit" if is_own => plain.on_top(out, now, |page, at| page.line(word, at)),
                QUIT | "exit" => Next::Quit,
                "?" | "help" => plain.help(out),
                "q" | "back" => plain.on_top(out, now, Driver::go_back),
                "home" => Next::Home,
                _ => match word.strip_prefix('/') {
                    Some(words) => {
                        let pack = plain.pages.top().map_or(0, Driver::pack);
                        Next::Go(Place::Find { pack, words: words.trim().to_owned() })
                    }
                    None => plain.on_top(out, now, |page, at| page.line(word, at)),
                },
            };
            plain.follow(next, out, now);
        })
    }

    /// Lets time pass, and gives what a clock has to say.
    pub fn tick(&mut self, now: Timestamp) -> String {
        self.with(|plain, out| plain.tick_into(out, now))
    }

    /// Takes the end of the input: everything typed is kept.
    pub fn end(&mut self, now: Timestamp) -> String {
        if self.over {
            return String::new();
        }
        self.with(|plain, out| {
            plain.tick_into(out, now);
            let next = plain.on_top(out, now, Driver::wait);
            plain.follow(next, out, now);
            plain.leave_for_good("End of input.", out, now);
        })
    }

    /// Takes a signal that ends the program, such as ctrl+c: everything typed is kept, and nothing is waited for.
    pub fn stop(&mut self, now: Timestamp) -> String {
        if self.over {
            return String::new();
        }
        self.with(|plain, out| {
            // behind the ^C that a terminal shows
            out.line("");
            plain.leave_for_good("Stopped.", out, now);
        })
    }

    fn leave_for_good(&mut self, why: &str, out: &mut Out, now: Timestamp) {
        self.leave_all(out, now);
        let end = match self.kept() {
            Kept::All => " Everything typed so far is kept.",
            Kept::InFiles => " What you typed is in the files named above.",
            Kept::Some => "",
            Kept::Nothing => " Nothing of this session was kept.",
        };
        out.say(&format!("{why}{end}"));
    }

    /// What runs beside the pages, to be ended from outside.
    pub fn running(&self) -> Running {
        self.services.running.clone()
    }

    /// When it wants to be called without a line: never, unless a clock runs or something is unsaved.
    pub fn wake_at(&self) -> Option<Timestamp> {
        let page = self.pages.top().and_then(Driver::wake_at);
        page.into_iter().chain(self.services.wake_at(self.last)).min()
    }

    /// Whether the learner ended it.
    pub fn is_over(&self) -> bool {
        self.over
    }

    fn with(&mut self, act: impl FnOnce(&mut Self, &mut Out)) -> String {
        let mut out = Out::new(self.width, self.begun);
        self.begun = true;
        act(self, &mut out);
        self.services.take_notice().into_iter().for_each(|notice| out.say(&format!("{notice}.")));
        out.into_text()
    }

    fn on_top(
        &mut self,
        out: &mut Out,
        now: Timestamp,
        act: impl FnOnce(&mut Driver, &mut Desk) -> Next,
    ) -> Next {
        let is_first = self.pages.depth() < 2;
        let mut desk = Desk { services: &mut self.services, out, now, is_first };
        self.pages.top_mut().map_or(Next::Stay, |page| act(page, &mut desk))
    }

    fn tick_into(&mut self, out: &mut Out, now: Timestamp) {
        self.last = now;
        self.services.try_again(now);
        let next = self.on_top(out, now, Driver::tick);
        self.follow(next, out, now);
    }

    fn help(&mut self, out: &mut Out) -> Next {
        let Some(page) = self.pages.top() else { return Next::Stay };
        let place = driver::sentence(&page.place(&self.services));
        out.say(&format!("You are here: {place} What can be typed:"));
        let owned = |typed: &str, does: &str| (typed.to_owned(), does.to_owned());
        let is_first = self.pages.depth() < 2;
        let own = page
            .help(is_first)
            .into_iter()
            .chain(page.actions().into_iter().map(|(typed, does)| (typed, does.to_owned())));
        let everywhere = EVERYWHERE.iter().map(|(typed, does)| match *typed {
            "q" if is_first => owned(typed, "end the program"),
            typed => owned(typed, does),
        });
        for (typed, does) in own.chain(everywhere) {
            out.item(&format!("{typed}: "), &does);
        }
        Next::Stay
    }

    fn follow(&mut self, next: Next, out: &mut Out, now: Timestamp) {
        let next = match next {
            Next::Stay => return,
            Next::Show => self.on_top(out, now, Driver::show),
            Next::Go(Place::Home) | Next::Replace(Place::Home) | Next::Home => {
                self.leave_each(out, now);
                self.pages.home();
                out.gap();
                self.on_top(out, now, |page, at| page.back(None, at))
            }
            Next::Go(place) => match opened(&place, &mut self.services, now) {
                Ok(page) => {
                    self.leave(out, now);
                    self.pages.open(page, false);
                    out.gap();
                    Next::Show
                }
                Err(fault) => return out.say(&fault),
            },
            Next::Replace(place) => match opened(&place, &mut self.services, now) {
                Ok(page) => {
                    self.leave(out, now);
                    self.replace(page);
                    out.gap();
                    Next::Show
                }
                Err(fault) => return out.say(&fault),
            },
            Next::Back => {
                self.leave(out, now);
                let grade = self.pages.top().and_then(Driver::result);
                if !self.pages.back() {
                    self.close(out);
                    return out.say(self.farewell());
                }
                out.gap();
                self.on_top(out, now, |page, at| page.back(grade, at))
            }
            Next::Quit => {
                self.leave_all(out, now);
                return out.say(self.farewell());
            }
        };
        self.follow(next, out, now);
    }

    fn replace(&mut self, page: Driver) {
        // the first page gives way too: to the first page of another course
        match self.pages.depth() {
            1 => self.pages = Stack::of(page),
            _ => {
                self.pages.drop_top();
                self.pages.open(page, false);
            }
        }
    }

    fn leave(&mut self, out: &mut Out, now: Timestamp) {
        let is_first = self.pages.depth() < 2;
        let mut desk = Desk { services: &mut self.services, out, now, is_first };
        self.pages.top_mut().into_iter().for_each(|page| page.leave(&mut desk));
    }

    fn leave_each(&mut self, out: &mut Out, now: Timestamp) {
        let mut desk = Desk { services: &mut self.services, out, now, is_first: false };
        self.pages.all_mut().rev().for_each(|page| page.leave(&mut desk));
    }

    /// Keeps all that is open; it is over.
    fn leave_all(&mut self, out: &mut Out, now: Timestamp) {
        self.leave_each(out, now);
        self.close(out);
    }

    fn close(&mut self, out: &mut Out) {
        self.over = true;
        let left = self.services.close();
        self.is_left = left.is_some();
        // where nothing is kept in the store, each file was named when it was begun
        let left = left.filter(|_| !self.services.rescue.is_to_files());
        left.into_iter().for_each(|left| out.say(&format!("{left}.")));
    }

    /// What is said at the end.
    fn farewell(&self) -> &'static str {
        match self.kept() {
            Kept::All => "Goodbye. Everything is kept.",
            Kept::InFiles | Kept::Some => "Goodbye.",
            Kept::Nothing => "Goodbye. Nothing of this session was kept.",
        }
    }

    /// What of the session lasts; after the end.
    fn kept(&self) -> Kept {
        let rescue = &self.services.rescue;
        let is_in_files = rescue.files().next().is_some();
        match (self.is_left || rescue.is_to_files(), is_in_files) {
            (false, _) => Kept::All,
            (true, true) => Kept::InFiles,
            // what is left was said
            (true, false) if self.is_left => Kept::Some,
            (true, false) => Kept::Nothing,
        }
    }

    /// Whether something could not be kept; after the end.
    pub fn is_left(&self) -> bool {
        self.is_left
    }
}

/// The page of a place.
fn opened(place: &Place, services: &mut Services, now: Timestamp) -> Result<Driver, String> {
    let mut out = Vec::new();
    let mut at = page::At { services, now, out: &mut out };
    let mut page = page::open(place, &mut at)?;
    page.by_ear(&mut at);
    Ok(Driver::new(page, out))
}
