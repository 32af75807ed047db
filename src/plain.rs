//! The line-mode face: reading, drills, checks, review and rehearsal as numbered lines.
//!
//! [`Plain`] is a state machine: it is given lines and times and gives text. It moves no cursor, draws no
//! boxes and sends no escape sequences; a screen reader can speak it and a script can drive it.
//! [`run`] is the loop around it: standard input on a thread, and the time at which a clock has something to
//! say. The engine (scores, schedule, rehearsal, store) is that of the other face.

use jiff::Timestamp;

use crate::line::driver::Driver;
use crate::page as pages;
use crate::page::place::Place;
use crate::page::stack::Stack;
use crate::services::Services;

mod desk;
pub(crate) mod menu;
pub(crate) mod out;
pub(crate) mod page;
mod run;
mod stream;
mod typing;

pub use stream::run;

use out::Out;
use page::{At, Go, Page};

/// What ends the program from anywhere.
const QUIT: &str = "quit";

/// The line-mode face, as a machine that is fed with lines and times.
pub struct Plain {
    desk: Services,
    width: usize,
    pages: Stack<Box<dyn Page>>,
    /// What is said at the start.
    notes: Vec<String>,
    begun: bool,
    over: bool,
    /// When something happened last.
    last: Timestamp,
}

impl Plain {
    /// A face that shows nothing yet; `notes` are said at the start. Words are wrapped to `width` columns.
    pub fn new(desk: Services, notes: Vec<String>, width: usize) -> Self {
        Plain {
            desk,
            width,
            pages: Stack::default(),
            notes,
            begun: false,
            over: false,
            last: Timestamp::UNIX_EPOCH,
        }
    }

    /// Opens a place on top of Home, and gives the text of it.
    pub fn open(&mut self, place: &Place, now: Timestamp) -> String {
        let mut fault = None;
        let page = match opened(place, &mut self.desk, now) {
            Ok(page) => page,
            Err(text) => {
                fault = Some(text);
                None
            }
        };
        self.notes.extend(fault);
        self.begin(page, now)
    }

    /// Begins a rehearsal at once.
    pub fn rehearse(&mut self, setup: crate::study::rehearsal::Setup, now: Timestamp) -> String {
        let run = run::Run::begin(setup, &mut self.desk, now);
        self.begin(Some(Box::new(run)), now)
    }

    /// Works through what is due until some days ahead.
    pub fn review(&mut self, days: u32, now: Timestamp) -> String {
        self.open(&Place::Review { ahead: days }, now)
    }

    fn begin(&mut self, page: Option<Box<dyn Page>>, now: Timestamp) -> String {
        let alone = page.is_none();
        if let Ok(Some(home)) = opened(&Place::Home, &mut self.desk, now) {
            self.pages = Stack::of(home);
        }
        page.into_iter().for_each(|page| self.pages.open(page, false));
        self.with(|plain, out| {
            for note in std::mem::take(&mut plain.notes) {
                out.say(&format!("{}.", note.trim_end_matches('.')));
                out.gap();
            }
            if alone {
                out.say("InfraLens in plain lines. A question mark says what can be typed.");
                out.gap();
            }
            plain.show(out, now);
        })
    }

    /// Takes a line, without its end, and gives what is to be said.
    pub fn line(&mut self, line: &str, now: Timestamp) -> String {
        self.with(|plain, out| {
            plain.tick_into(out, now);
            let typing = plain.pages.top().is_some_and(|p| p.is_typing());
            let word = line.trim();
            let go = match word {
                _ if typing => plain.on_top(out, now, |page, at| page.line(line, at)),
                QUIT => Go::Quit,
                "?" => plain.help(out),
                "q" => Go::Back(plain.pages.top().and_then(|p| p.result())),
                "home" => Go::Home,
                _ => match word.strip_prefix('/') {
                    Some(words) => {
                        let index = plain.pages.top().map_or(0, |p| p.pack());
                        Go::To(Place::Find { pack: index, words: words.trim().to_owned() })
                    }
                    None => plain.on_top(out, now, |page, at| page.line(word, at)),
                },
            };
            plain.follow(go, out, now);
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
            plain.leave_all(out, now);
            plain.over = true;
            out.say(match plain.desk.rescue.is_to_files() {
                true => {
                    "End of input. The store could not be used; what you typed is in the files named above."
                }
                false => "End of input. Everything typed so far is kept.",
            });
        })
    }

    /// When it wants to be called without a line: never, unless a clock runs or something is unsaved.
    pub fn wake_at(&self) -> Option<Timestamp> {
        let page = self.pages.top().and_then(|p| p.wake_at());
        page.into_iter().chain(self.desk.wake_at(self.last)).min()
    }

    /// Whether the learner ended it.
    pub fn is_over(&self) -> bool {
        self.over
    }

    fn with(&mut self, act: impl FnOnce(&mut Self, &mut Out)) -> String {
        let mut out = Out::new(self.width, self.begun);
        self.begun = true;
        act(self, &mut out);
        out.into_text()
    }

    fn on_top(
        &mut self,
        out: &mut Out,
        now: Timestamp,
        act: impl FnOnce(&mut dyn Page, &mut At) -> Go,
    ) -> Go {
        let mut at = At { desk: &mut self.desk, out, now };
        match self.pages.top_mut() {
            Some(page) => act(page.as_mut(), &mut at),
            None => Go::Stay,
        }
    }

    fn tick_into(&mut self, out: &mut Out, now: Timestamp) {
        self.last = now;
        self.desk.try_again(now);
        let go = self.on_top(out, now, |page, at| page.tick(at));
        self.follow(go, out, now);
    }

    fn show(&mut self, out: &mut Out, now: Timestamp) {
        let go = self.on_top(out, now, |page, at| page.show(at));
        self.follow(go, out, now);
    }

    fn help(&mut self, out: &mut Out) -> Go {
        let Some(page) = self.pages.top() else {
            return Go::Stay;
        };
        out.say("What can be typed here:");
        let own = page.help().iter().map(|(typed, does)| ((*typed).to_owned(), *does));
        let everywhere = page::EVERYWHERE.iter().map(|(typed, does)| ((*typed).to_owned(), *does));
        for (typed, does) in own.chain(page.actions()).chain(everywhere) {
            out.item(&format!("{typed}: "), does);
        }
        Go::Stay
    }

    fn follow(&mut self, go: Go, out: &mut Out, now: Timestamp) {
        match go {
            Go::Stay => {}
            Go::Show => self.show(out, now),
            Go::Open(page) => {
                self.leave(out, now);
                self.pages.open(page, false);
                out.gap();
                self.show(out, now);
            }
            Go::Replace(page) => {
                self.leave(out, now);
                // the first page gives way too: to the first page of another course
                match self.pages.depth() {
                    1 => self.pages = Stack::of(page),
                    _ => {
                        self.pages.drop_top();
                        self.pages.open(page, false);
                    }
                }
                out.gap();
                self.show(out, now);
            }
            Go::To(place) => self.go(&place, Go::Open, out, now),
            Go::ReplaceBy(place) => self.go(&place, Go::Replace, out, now),
            Go::Back(grade) => {
                self.leave(out, now);
                if !self.pages.back() {
                    self.over = true;
                    out.say("Good-bye. Everything is kept.");
                    return;
                }
                out.gap();
                let go = self.on_top(out, now, |page, at| page.back(grade, at));
                self.follow(go, out, now);
            }
            Go::Home => {
                self.leave_all(out, now);
                self.pages.home();
                out.gap();
                let go = self.on_top(out, now, |page, at| page.back(None, at));
                self.follow(go, out, now);
            }
            Go::Quit => {
                self.leave_all(out, now);
                self.over = true;
                out.say("Good-bye. Everything is kept.");
            }
        }
    }

    /// Goes to a place; says why where it cannot be opened.
    fn go(&mut self, place: &Place, how: fn(Box<dyn Page>) -> Go, out: &mut Out, now: Timestamp) {
        if *place == Place::Home {
            return self.follow(Go::Home, out, now);
        }
        match opened(place, &mut self.desk, now) {
            Ok(Some(page)) => self.follow(how(page), out, now),
            Ok(None) => self.follow(Go::Home, out, now),
            Err(text) => out.say(&text),
        }
    }

    fn leave(&mut self, out: &mut Out, now: Timestamp) {
        let _ = self.on_top(out, now, |page, at| {
            page.leave(at);
            Go::Stay
        });
    }

    fn leave_all(&mut self, out: &mut Out, now: Timestamp) {
        for page in self.pages.all_mut().rev() {
            let mut at = At { desk: &mut self.desk, out, now };
            page.leave(&mut at);
        }
    }
}

/// The page of a place: one for every face, or one that is for lines alone yet.
fn opened(place: &Place, desk: &mut Services, now: Timestamp) -> Result<Option<Box<dyn Page>>, String> {
    let mut out = Vec::new();
    let on = pages::rehearse::led_on(place, &pages::At { services: desk, now, out: &mut out })?;
    let place = on.as_ref().unwrap_or(place);
    let page = pages::open(place, &mut pages::At { services: desk, now, out: &mut out });
    match page {
        Some(page) => Ok(Some(Box::new(Driver::new(page?, out)))),
        None => Ok(page::of(place, now)),
    }
}
