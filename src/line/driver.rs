//! A page in lines: its body, then its side, its rows numbered; what is typed becomes an act.

use jiff::{SignedDuration, Timestamp};

use super::out::Out;
use super::typing;
use crate::doc::Document;
use crate::doc::speech::Form;
use crate::page::action::Action;
use crate::page::keys::{self, Binding};
use crate::page::view::{Input, Lead, View};
use crate::page::{self, Act, Effect, Next};
use crate::services::Services;
use crate::services::job::Done;
use crate::study::schedule::Grade;
use crate::study::words::capital;

mod draft;
mod jobs;
mod take;
mod words;

use jobs::{Beside, begun, beside};
pub use words::sentence;
use words::{changes, leaves, named};

/// What a page in lines has at hand.
pub struct Desk<'a> {
    /// The packs and the store.
    pub services: &'a mut Services,
    /// Where it speaks.
    pub out: &'a mut Out,
    /// The time.
    pub now: Timestamp,
    /// Whether there is no page below, so that going back ends the program.
    pub is_first: bool,
}

/// A page, as it was said last.
pub struct Driver {
    page: Box<dyn page::Page>,
    view: View,
    /// When something happened last.
    now: Timestamp,
    /// Whether another page came instead of it, or its text is scored.
    replaced: bool,
    /// What is asked of the face and not done yet.
    effects: Vec<Effect>,
    /// Whether the page did nothing when it was asked last: no word, no other view.
    silent: bool,
    /// Whether it said something when it was asked last.
    spoke: bool,
    /// Its title when it was said last.
    title: Vec<String>,
    /// Whether one comes back to it, so that where one is has to be said.
    is_returning: bool,
    /// What is to be done with a row, whose number is asked for.
    wanted: Option<Action>,
    /// Jobs that go on while lines are taken.
    beside: Vec<Beside>,
}

/// What is said before the name of a page, so that the ear knows where one begins.
const PAGE: &str = "Page: ";

/// How often a job that goes on beside is looked at.
const LOOK: SignedDuration = SignedDuration::from_millis(100);

impl Driver {
    /// A page that was not said yet, with what it asked for while it was opened.
    pub fn new(page: Box<dyn page::Page>, effects: Vec<Effect>) -> Self {
        Driver {
            page,
            view: View::new(),
            now: Timestamp::UNIX_EPOCH,
            replaced: false,
            effects,
            silent: false,
            spoke: false,
            title: Vec::new(),
            is_returning: false,
            wanted: None,
            beside: Vec::new(),
        }
    }

    /// Asks the page, does what it asks for, and says where it goes.
    fn ask(&mut self, at: &mut Desk, ask: impl FnOnce(&mut dyn page::Page, &mut page::At) -> Next) -> Next {
        self.now = at.now;
        let mut inner = page::At { services: at.services, now: at.now, out: &mut self.effects };
        let next = ask(self.page.as_mut(), &mut inner);
        self.spoke = !self.effects.is_empty();
        self.silent = !self.spoke;
        let next = self.work(at).unwrap_or(next);
        let quits = self.speak(at.out);
        match next {
            _ if quits => Next::Quit,
            Next::Stay => {
                let before = std::mem::take(&mut self.view);
                self.look(at);
                self.silent &= before == self.view;
                self.say_side(before.side.as_ref(), at.out);
                self.say_way_on(&before, at);
                Next::Stay
            }
            Next::Replace(place) => {
                self.replaced = true;
                Next::Replace(place)
            }
            Next::Show if self.say_changes(at) => Next::Stay,
            next => next,
        }
    }

    /// Says what is another than it was, where that is little of a long page; says whether it did so.
    fn say_changes(&mut self, at: &mut Desk) -> bool {
        let before = self.view.clone();
        let is_same = self.title == self.page.title(at.services);
        self.look(at);
        let changes = changes(&before, &self.view).filter(|_| is_same);
        let is_said = !self.silent || self.is_returning;
        let Some(changes) = changes.filter(|changes| !changes.is_empty() || is_said) else {
            self.view = before;
            return false;
        };
        if std::mem::take(&mut self.is_returning) {
            self.here(at);
            if !changes.is_empty() {
                at.out.say("What changed:");
            }
        }
        self.silent &= changes.is_empty();
        changes.iter().for_each(|line| at.out.item("", line));
        if let Some(closing) = self.view.closing.as_ref().filter(|c| before.closing.as_ref() != Some(*c)) {
            at.out.say(closing);
        }
        true
    }

    /// Does the jobs that the page asked for, one after the other, and tells it how they ended.
    fn work(&mut self, at: &mut Desk) -> Option<Next> {
        let mut next = None;
        let (jobs, rest) =
            std::mem::take(&mut self.effects).into_iter().partition(|e| matches!(e, Effect::Job(_)));
        let jobs: Vec<Effect> = jobs;
        self.effects = rest;
        for job in jobs {
            let Effect::Job(job) = job else { continue };
            self.speak(at.out);
            if let Some(beside) = beside(&job, at.services) {
                self.beside.push(beside);
            } else if let Some(done) = begun(&job, at.services) {
                let mut inner = page::At { services: at.services, now: at.now, out: &mut self.effects };
                next = Some(self.page.done(&done, &mut inner));
                if let Done::Said(text) | Done::Failed(text) = done {
                    self.effects.push(Effect::Say(text));
                }
            }
        }
        next
    }

    /// Does what the page asked for; says whether the program is to end.
    fn speak(&mut self, out: &mut Out) -> bool {
        let mut quits = false;
        for effect in std::mem::take(&mut self.effects) {
            match effect {
                Effect::Say(text) => out.say(&sentence(&text)),
                // an address that a terminal would put on the clipboard
                Effect::Copy(text) => out.say(&text),
                Effect::Quit => quits = true,
                Effect::Bell | Effect::Turn | Effect::Suspend | Effect::Job(_) => {}
            }
        }
        quits
    }

    /// Says where one is, in a line.
    fn here(&self, at: &mut Desk) {
        let title = named(&self.page.title(at.services));
        let title = capital(title.trim_end_matches('.'));
        let enter = match self.view.enter.as_str() {
            "" => String::new(),
            does => format!("Enter {does}. "),
        };
        at.out.say(&format!("{PAGE}{title}. {enter}l lists the choices, q {}.", leaves(at.is_first)));
    }

    /// What Enter alone does, and how to leave: `Enter reads on. q goes back.`
    fn ways_out(&self, is_first: bool) -> String {
        match (self.view.enter.as_str(), is_first) {
            ("", false) => "Enter or q goes back.".to_owned(),
            ("", true) => "q ends.".to_owned(),
            (does, _) => format!("Enter {does}. q {}.", leaves(is_first)),
        }
    }

    /// Says what Enter does now, where what was asked for was answered and nothing more is asked.
    fn say_way_on(&self, before: &View, at: &mut Desk) {
        let was_asked = matches!(before.input, Input::Spoken { .. } | Input::Line { .. });
        let is_asked = !matches!(self.view.input, Input::None);
        if was_asked && !is_asked && before.side != self.view.side {
            at.out.say(&self.ways_out(at.is_first));
        }
    }

    /// Looks at the page again, without a word.
    fn look(&mut self, at: &mut Desk) {
        let inner = page::At { services: at.services, now: at.now, out: &mut self.effects };
        self.view = self.page.view(&inner);
    }

    fn open(&mut self, row: usize, at: &mut Desk) -> Next {
        match self.view.lead(row).cloned() {
            Some(Lead::To(place)) => Next::Go(place),
            Some(Lead::Do(action)) => self.ask(at, |page, at| page.act(Act::Do(action), at)),
            Some(Lead::Here) | None => {
                let side = self.view.side.clone();
                match self.ask(at, |page, at| page.act(Act::Open(row), at)) {
                    // where nothing was said of it yet, what stands beside it on a screen is said
                    Next::Stay if !self.spoke && (side == self.view.side || self.view.side.is_none()) => {
                        if !self.preview(row, at) {
                            // asked for once more
                            self.say_side(None, at.out);
                        }
                        Next::Stay
                    }
                    other => other,
                }
            }
        }
    }

    /// Says what a terminal shows beside a row; says whether there was something.
    fn preview(&self, row: usize, at: &mut Desk) -> bool {
        let mut out = Vec::new();
        let inner = page::At { services: at.services, now: at.now, out: &mut out };
        let about = self.page.preview(row, &inner);
        let lines = about.map(|about| about.plain(at.out.width())).unwrap_or_default();
        lines.iter().for_each(|line| at.out.line(line));
        !lines.is_empty()
    }

    /// Says what stands beside the body, where that is another one than before; what was heard and only goes on is not
    /// said again.
    fn say_side(&self, before: Option<&Document>, out: &mut Out) {
        if let Some(side) = self.view.side.as_ref().filter(|side| before != Some(*side)) {
            let lines = |side: &Document| side.lines(out.width(), Form::Numbered(self.view.side_from()));
            let all = lines(side);
            let heard = before.map(lines).unwrap_or_default();
            let new = all.strip_prefix(heard.as_slice()).filter(|new| !new.is_empty()).unwrap_or(&all);
            let new = new.iter().skip_while(|line| line.is_empty());
            new.cloned().collect::<Vec<_>>().iter().for_each(|line| out.line(line));
        }
    }

    /// Where one is, in words: `Home of the course`, `Plan, interview in 5 days`.
    pub fn place(&self, services: &Services) -> String {
        let mut words = self.page.title(services);
        words.extend((!self.view.whereabouts.is_empty()).then(|| self.view.whereabouts.clone()));
        capital(words.join(", ").trim_end_matches('.'))
    }

    /// The action that a typed word stands for: a key of one letter, or the word of the footer.
    fn action(&self, word: &str) -> Option<Action> {
        let named = |b: &&Binding| {
            let is_key = |key: &&str| **key == *word && is_letter(key);
            !word.is_empty() && (keys::word(b) == word || b.keys.iter().any(is_key))
        };
        keys::typed(&self.page.scopes()).find(named).map(|b| b.action)
    }
}

fn is_letter(key: &str) -> bool {
    key.chars().count() == 1
}

impl Driver {
    /// Says what the page holds.
    pub fn show(&mut self, at: &mut Desk) -> Next {
        self.now = at.now;
        // what the page asked for while it was opened
        self.work(at);
        self.speak(at.out);
        let before = std::mem::take(&mut self.view);
        self.look(at);
        let is_heard = self.view.passes && before.side == self.view.side;
        self.title = self.page.title(at.services);
        let title = named(&self.title);
        if !title.is_empty() {
            at.out.say(&format!("{PAGE}{}", sentence(&title)));
        }
        let width = at.out.width();
        if !self.view.facts.is_empty() {
            at.out.say(&format!("{}.", capital(&self.view.facts)));
        }
        let body = self.view.body.lines(width, Form::Numbered(0));
        let from = self.view.side_from();
        let side = self.view.side.as_ref().filter(|_| !is_heard);
        let side = side.map(|side| side.lines(width, Form::Numbered(from)));
        body.iter().for_each(|line| at.out.line(line));
        if let Some(side) = side.filter(|side| !side.is_empty()) {
            at.out.gap();
            side.iter().for_each(|line| at.out.line(line));
        }
        if let Input::Text { draft, .. } = &self.view.input {
            if !draft.trim().is_empty() {
                at.out.say("You began this before. It goes on from here:");
                at.out.own(draft);
            }
            at.out.say(self.view.closing.as_deref().unwrap_or(typing::HOW));
            return Next::Stay;
        }
        let more = keys::typed(&self.page.scopes()).next().is_some();
        let out = self.ways_out(at.is_first);
        let more = if more { format!("? lists what else can be typed. {out}") } else { out.clone() };
        if let Some(closing) = &self.view.closing {
            at.out.say(closing);
            return Next::Stay;
        }
        match (&self.view.input, self.view.choices()) {
            (Input::Spoken { ask }, _) => at.out.say(&format!("{ask}. {more}")),
            (Input::Line { ask, .. }, _) if ask.starts_with("a ") => {
                at.out.say(&format!("Type {ask}. {more}"))
            }
            (Input::Line { ask, .. }, _) => at.out.say(&format!("{ask}? {more}")),
            (_, 0) => at.out.say(&more),
            (_, 1) => at.out.say(&format!("Type 1 to open it; {more}")),
            (..) => at.out.say(&format!("Type a number; {more}")),
        }
        Next::Stay
    }

    /// Goes a step back within the page, or else to the page before, as the key does on a screen.
    pub fn go_back(&mut self, at: &mut Desk) -> Next {
        let before = self.page.title(at.services);
        match self.ask(at, |page, at| page.act(Act::Do(Action::Back), at)) {
            // a page that is called something else now took the step itself
            Next::Stay if self.spoke && before != self.page.title(at.services) => Next::Stay,
            Next::Stay => Next::Back,
            go => go,
        }
    }

    /// Whether lines are text, so that the page alone reads them.
    pub fn is_typing(&self) -> bool {
        matches!(self.view.input, Input::Text { .. })
    }

    /// Lets time pass.
    pub fn tick(&mut self, at: &mut Desk) -> Next {
        self.now = at.now;
        let mut jobs = self.beside.iter().enumerate();
        let ended = jobs.find_map(|(nth, job)| Some((nth, job.ends.try_recv().ok()?)));
        if let Some((nth, done)) = ended {
            self.beside.remove(nth);
            return self.ask(at, |page, at| page.done(&done, at));
        }
        self.ask(at, |page, at| page.tick(at))
    }

    /// Waits for what was asked for and is not there yet, where no more lines come: a script wants to hear it.
    pub fn wait(&mut self, at: &mut Desk) -> Next {
        let Some(nth) = self.beside.iter().position(|job| job.is_awaited) else { return Next::Stay };
        match self.beside.remove(nth).ends.recv() {
            Ok(done) => self.ask(at, |page, at| page.done(&done, at)),
            Err(_) => Next::Stay,
        }
    }

    /// When time matters next.
    pub fn wake_at(&self) -> Option<Timestamp> {
        let look = (!self.beside.is_empty()).then(|| self.now.checked_add(LOOK).ok()).flatten();
        self.page.wake_at(self.now).into_iter().chain(look).min()
    }

    /// Keeps what is not kept yet.
    pub fn leave(&mut self, at: &mut Desk) {
        let mut inner = page::At { services: at.services, now: at.now, out: &mut self.effects };
        self.page.leave(&mut inner);
        let is_said = !self.effects.is_empty() || self.replaced || at.services.rescue.is_to_files();
        self.speak(at.out);
        if let Input::Text { draft, .. } = &self.view.input
            && !is_said
            && !draft.trim().is_empty()
        {
            at.out.say("Your draft is kept.");
        }
    }

    /// Takes up again after a page that was opened from here.
    pub fn back(&mut self, grade: Option<Grade>, at: &mut Desk) -> Next {
        self.is_returning = true;
        let go = self.ask(at, |page, at| page.back(grade, at));
        if !std::mem::take(&mut self.is_returning) {
            return go;
        }
        // what changed on the page meanwhile is nothing that was said of it
        if matches!(go, Next::Stay) && !self.spoke {
            self.here(at);
        }
        go
    }

    /// How well something was known that was answered here.
    pub fn result(&self) -> Option<Grade> {
        self.page.result()
    }

    /// What can be typed, and what it does.
    pub fn help(&self, is_first: bool) -> Vec<(String, String)> {
        let enter = match self.view.enter.as_str() {
            "" if is_first => "does nothing here",
            "" => "goes back",
            does => does,
        };
        let line = |typed: &str, does: &str| (typed.to_owned(), does.to_owned());
        let own = self.view.typed.iter().map(|(typed, does)| line(typed, does));
        let is_own = self.view.typed.iter().any(|(typed, _)| typed.starts_with("a number"));
        let chosen = self.view.choices() > 0;
        let number = (chosen && !is_own).then(|| line("a number", "takes that choice"));
        let again = chosen.then(|| line("l", "says this page again"));
        number.into_iter().chain(own).chain([line("Enter alone", enter)]).chain(again).collect()
    }

    /// Whether the page takes this word itself, such as the back of a lesson.
    pub fn knows(&self, word: &str) -> bool {
        self.view.typed.iter().any(|(typed, _)| *typed == word) || self.action(word).is_some()
    }

    /// What more can be typed now, and what it does.
    pub fn actions(&self) -> Vec<(String, &'static str)> {
        let mut all: Vec<(Action, Vec<String>, &'static str)> = Vec::new();
        let number = self.view.numbers().first().copied();
        for b in keys::typed(&self.page.scopes()) {
            let letter = b.keys.iter().find(|key| is_letter(key)).copied();
            let words = letter.into_iter().chain(Some(keys::word(b)).filter(|word| !word.is_empty()));
            // as it is typed: what takes a row, with a number
            let words = words.map(|word| match number.filter(|_| keys::takes_row(b)) {
                Some(number) => format!("{word} {number}"),
                None => word.to_owned(),
            });
            // two rows of the table may stand for one thing
            match all.iter_mut().find(|(action, ..)| *action == b.action) {
                Some((_, known, _)) => known.extend(words),
                None => all.push((b.action, words.collect(), b.help)),
            }
        }
        let typed = all.into_iter().filter(|(_, words, _)| !words.is_empty());
        typed.map(|(_, words, help)| (words.join(" or "), help)).collect()
    }

    /// The pack it belongs to, by its index.
    pub fn pack(&self) -> usize {
        self.view.pack
    }
}
