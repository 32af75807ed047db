//! The set-up of a rehearsal, and the choice to go on with one that was broken off.

use super::action::Action;
use super::keys::Scope;
use super::place::Place;
use super::view::View;
use super::{Act, At, Next, Page};
use crate::pack::{Lesson, Pack};
use crate::services::{Record, Services};
use crate::store::StoreError;
use crate::study::home::Rehearsed;
use crate::study::posting::Posting;
use crate::study::rehearsal::{Happened, Rehearsal, Setup, Topics, pick};
use form::{Field, Form};

mod form;
mod show;

pub use show::sentence;

/// The setting that keeps how a rehearsal was set up last.
const LAST: &str = "rehearsal";
/// Earlier rehearsals that are looked at.
const MOST: u32 = 50;

/// The set-up.
pub struct Rehearse {
    pack: usize,
    form: Form,
    /// The value that is being typed, and of which setting.
    typed: Option<(Field, String)>,
    /// The setting that lessons were chosen for last, by its row.
    row: usize,
    /// Whether lessons are chosen.
    choosing: bool,
    /// The run that was broken off.
    left: Option<Box<Rehearsal>>,
    /// Whether giving it up was asked for once.
    giving_up: bool,
    earlier: Vec<Rehearsed>,
}

impl Rehearse {
    /// The set-up with the values of the last time, or the run that was broken off.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn open(at: &At) -> Result<Self, String> {
        Self::read(at).map_err(|fault| fault.to_string())
    }

    /// The set-up with these values.
    ///
    /// # Errors
    /// Where its course is not at hand, or the store cannot be read.
    pub fn with(setup: &Setup, at: &At) -> Result<Self, String> {
        let pack = at.services.library.index(&setup.pack).ok_or_else(|| not_loaded(setup))?;
        Self::of(pack, setup.clone(), at).map_err(|fault| fault.to_string())
    }

    fn read(at: &At) -> Result<Self, StoreError> {
        let services = &at.services;
        let mut broken = None;
        for index in 0..services.library.packs.len() {
            broken = broken.or(services.home(index, at.now)?.unfinished.map(|id| (index, id)));
        }
        let pack = broken.as_ref().map_or(0, |(pack, _)| *pack);
        let id = services.pack(pack).map_or("", |p| &p.id);
        let mut page = Self::of(pack, Setup::screen(id, seed(at)), at)?;
        if let Some((_, id)) = broken {
            page.left = services.take_rehearsal(&id, at.now)?.map(Box::new);
        }
        let kept = services.setting(LAST)?.and_then(|kept| serde_json::from_str::<Form>(&kept).ok());
        if let Some(kept) = kept.filter(|kept| kept.setup.pack == page.form.setup.pack) {
            let seed = page.form.setup.seed;
            page.form = kept;
            (page.form.setup.seed, page.form.setup.seen) = (seed, None);
            page.form.clamp();
        }
        Ok(page)
    }

    fn of(pack: usize, setup: Setup, at: &At) -> Result<Self, StoreError> {
        let earlier = match at.services.pack(pack) {
            Some(of) => at.services.store.rehearsals(&of.id, MOST)?,
            None => Vec::new(),
        };
        let mut form = Form { setup, bell: false };
        form.clamp();
        Ok(Rehearse {
            pack,
            form,
            typed: None,
            row: 0,
            choosing: false,
            left: None,
            giving_up: false,
            earlier,
        })
    }

    /// The settings that are shown: that of the course only where there are several.
    fn fields(services: &Services) -> Vec<Field> {
        let several = services.library.packs.len() > 1;
        Field::ALL.into_iter().filter(|f| several || *f != Field::Pack).collect()
    }

    /// The lessons of the course that have drills.
    fn lessons(pack: &Pack) -> Vec<&Lesson> {
        let asked = |id: &str| pack.drills_of(id).next().is_some();
        pack.lessons.iter().filter(|l| asked(&l.id)).collect()
    }

    fn change(&mut self, row: usize, up: bool, at: &mut At) -> Next {
        let Some(field) = Self::fields(at.services).get(row).copied() else { return Next::Stay };
        self.typed = None;
        if let Some(pack) = at.services.pack(self.pack).filter(|_| field == Field::Prompts) {
            // from what is shown: the chosen lessons may have fewer
            self.form.setup.count = self.form.prompts(pack);
        }
        if field != Field::Pack {
            self.form.change(field, up);
            return Next::Show;
        }
        let packs = at.services.library.packs.len().max(1);
        let pack = (self.pack + if up { 1 } else { packs - 1 }) % packs;
        let Some(id) = at.services.pack(pack).map(|p| p.id.clone()) else { return Next::Stay };
        let setup = Setup { pack: id, topics: Topics::Lessons(Vec::new()), ..self.form.setup.clone() };
        let bell = self.form.bell;
        let read = Self::of(pack, setup, at);
        if let Some(page) = at.or_say(read) {
            *self = page;
            self.form.bell = bell;
        }
        Next::Show
    }

    /// Begins to type the value of a setting anew: what is typed takes the place of the one it has.
    fn type_value(&mut self, row: usize, services: &Services) -> Next {
        let field = Self::fields(services).get(row).copied().filter(|field| field.is_typed());
        if let Some(field) = field {
            self.row = row;
            self.typed = Some((field, String::new()));
        }
        Next::Stay
    }

    /// Takes the value that was typed for a setting, or leaves the setting as it was.
    fn take_typed(&mut self, field: Field, act: &Act, at: &mut At) -> Next {
        let fault = |value: &str| self.form.out_of_range(field, value, at.services.pack(self.pack)?);
        match act {
            // nothing typed leaves the value that it has
            Act::Line(value) if value.trim().is_empty() => self.typed = None,
            Act::Line(value) if fault(value.trim()).is_some() => {
                let fault = fault(value.trim());
                fault.into_iter().for_each(|fault| at.say(fault));
                return Next::Stay;
            }
            Act::Line(value) if !self.form.take(field, value.trim()) => {
                at.say(format!("“{}” does not work here; {}", value.trim(), field.asks()));
                return Next::Stay;
            }
            Act::Line(_) => self.typed = None,
            act if act.action() == Some(Action::Back) => self.typed = None,
            _ => {}
        }
        Next::Show
    }

    /// Chooses a lesson, or leaves it out.
    fn choose(&mut self, row: usize, at: &At) -> Next {
        let pack = at.services.pack(self.pack);
        let Some(lesson) = pack.and_then(|p| Some(Self::lessons(p).get(row)?.id.clone())) else {
            return Next::Stay;
        };
        let mut chosen = match std::mem::replace(&mut self.form.setup.topics, Topics::Weakest) {
            Topics::Lessons(chosen) => chosen,
            Topics::Weakest => Vec::new(),
        };
        match chosen.iter().position(|l| *l == lesson) {
            Some(found) => drop(chosen.remove(found)),
            None => chosen.push(lesson),
        }
        self.form.setup.topics = Topics::Lessons(chosen);
        Next::Show
    }

    /// Takes a setting typed by its name: `prompts 6`.
    fn set(&mut self, line: &str, at: &mut At) -> Next {
        let (name, value) = line.split_once([' ', '=']).unwrap_or((line, ""));
        let value = value.trim().trim_start_matches('=').trim();
        if name == "lessons" {
            let pack = at.services.pack(self.pack);
            let ids: Vec<String> = value.split_whitespace().map(str::to_owned).collect();
            if let Some(id) = ids.iter().find(|id| pack.is_none_or(|p| p.lesson(id).is_none())) {
                let all = pack.map(Self::lessons).unwrap_or_default();
                let all: Vec<&str> = all.iter().map(|lesson| &*lesson.id).collect();
                at.say(format!("There is no lesson “{id}”; type some of {}", all.join(", ")));
                return Next::Stay;
            }
            self.form.setup.topics = Topics::Lessons(ids);
            return Next::Show;
        }
        let field = match name {
            "prompts" => Some(Field::Prompts),
            "think" => Some(Field::Think),
            "answer" => Some(Field::Answer),
            "follow" => Some(Field::FollowTime),
            "seed" => Some(Field::Seed),
            _ => None,
        };
        let pack = at.services.pack(self.pack);
        let fault = field.zip(pack).and_then(|(field, pack)| self.form.out_of_range(field, value, pack));
        if let Some(fault) = fault {
            at.say(fault);
            return Next::Stay;
        }
        if field.is_some_and(|field| self.form.take(field, value)) {
            return Next::Show;
        }
        at.say(format!(
            "“{line}” does not work here. A setting has a name and a value, such as prompts 6, think 20, \
             answer 90, follow 60, seed 7, lessons ddp tp"
        ));
        Next::Stay
    }

    /// Begins the run.
    fn start(&mut self, at: &mut At) -> Next {
        let prompts = at.services.pack(self.pack).map_or(0, |pack| self.form.prompts(pack));
        if prompts == 0 {
            at.say("there is no drill to ask; choose other lessons or another course");
            return Next::Stay;
        }
        let Some(run) = begun(&self.form.setup, at) else { return Next::Stay };
        let mut kept = self.form.clone();
        kept.setup.posting = Posting::default();
        let kept = serde_json::to_string(&kept).expect("settings are plain data");
        let said = at.services.keep(Record::setting(LAST, kept), at.now).said();
        said.into_iter().for_each(|text| at.say(text));
        self.run(run)
    }

    fn run(&self, run: Rehearsal) -> Next {
        Next::Replace(Place::Rehearsal { run: Box::new(run), bell: self.form.bell })
    }

    /// Ends the run that was broken off, with what was typed.
    fn score(&mut self, at: &mut At) -> Next {
        let pack = self.left.as_ref().and_then(|run| at.services.library.index(&run.setup.pack));
        let (Some(pack), Some(mut run)) = (pack, self.left.take()) else {
            at.say("its course is not loaded; add it with --pack");
            return Next::Stay;
        };
        run.resume(at.now);
        let Some(of) = at.services.pack(pack) else { return Next::Stay };
        let happened = run.stop(at.now, of);
        let report = Box::new(run.report(of));
        let scored = happened.into_iter().filter_map(|h| match h {
            Happened::Scored(attempt) => Some(Record::Attempt(attempt)),
            _ => None,
        });
        for record in scored.chain([Record::Finish(run, report.clone())]) {
            let said = at.services.keep(record, at.now).said();
            said.into_iter().for_each(|text| at.say(text));
        }
        Next::Replace(Place::Ended { report })
    }

    fn give_up(&mut self, at: &mut At) -> Next {
        if !std::mem::replace(&mut self.giving_up, true) {
            at.say("d again gives the rehearsal up");
            return Next::Stay;
        }
        let Some(run) = self.left.take() else { return Next::Stay };
        let said = at.services.keep(Record::DropRehearsal(run.id), at.now).said();
        at.say(said.unwrap_or_else(|| "given up; scored answers are kept".into()));
        Next::Show
    }

    fn act_on_left(&mut self, action: Option<Action>, at: &mut At) -> Next {
        if action != Some(Action::Discard) {
            self.giving_up = false;
        }
        match action {
            Some(Action::Resume | Action::Open) => match self.left.take() {
                Some(mut run) => {
                    run.resume(at.now);
                    self.run(*run)
                }
                None => Next::Stay,
            },
            Some(Action::Submit) => self.score(at),
            Some(Action::Discard) => self.give_up(at),
            _ => Next::Stay,
        }
    }

    fn act_on_lessons(&mut self, act: &Act, at: &At) -> Next {
        match act {
            Act::Open(row) | Act::On(Action::Toggle, row) => return self.choose(*row, at),
            act => match act.action() {
                Some(Action::Back) => self.choosing = false,
                Some(Action::Discard) => self.form.setup.topics = Topics::Lessons(Vec::new()),
                _ => return Next::Stay,
            },
        }
        Next::Show
    }
}

/// A run with these settings that begins now; none where its course is not at hand.
pub fn begun(setup: &Setup, at: &At) -> Option<Rehearsal> {
    let pack = at.services.library.packs.iter().find(|p| p.id == setup.pack)?;
    let strengths = at.services.store.strengths(&pack.id).unwrap_or_default();
    // a run that is repeated asks what it asked, whatever job is applied for now
    let setup = match setup.posting.is_empty() {
        true => Setup { posting: asked(pack, at), ..setup.clone() },
        false => setup.clone(),
    };
    let planned = planned(&setup, at);
    let seen = setup.seen.clone().unwrap_or_else(|| answered(&setup, at));
    let setup = Setup { seen: Some(seen), planned, ..setup };
    let prompts = pick(&setup, pack, &strengths);
    // there may be fewer than were asked for
    let setup = Setup { count: prompts.len(), ..setup };
    Some(Rehearsal::begin(&at.services.fresh_id(at.now), setup, prompts, at.now))
}

/// The lessons that a run draws from while a plan is under way: those that were read and those that the plan keeps.
/// None of them where there is no plan, and where lessons or a seed were chosen; a run that is repeated keeps its own.
fn planned(setup: &Setup, at: &At) -> Vec<String> {
    let is_chosen =
        setup.seen.is_some() || matches!(&setup.topics, Topics::Lessons(some) if !some.is_empty());
    let pack = at.services.pack(0).filter(|pack| pack.id == setup.pack);
    let (Some(pack), false) = (pack, is_chosen) else { return setup.planned.clone() };
    at.services.planned_lessons(pack, at.now).unwrap_or_default()
}

/// The drills that were answered before.
fn answered(setup: &Setup, at: &At) -> Vec<String> {
    let home = at.services.library.index(&setup.pack).map(|index| at.services.home(index, at.now));
    home.and_then(Result::ok).map_or_else(Vec::new, |home| home.answered.into_keys().collect())
}

/// What the job that one applies for asks of a pack.
fn asked(pack: &Pack, at: &At) -> Posting {
    at.services.posting().unwrap_or_default().of(&pack.id)
}

pub(super) fn not_loaded(setup: &Setup) -> String {
    format!("the course “{}” is not loaded; add it with --pack", setup.pack)
}

/// A seed that nobody chose: short enough to be told to somebody else.
fn seed(at: &At) -> u64 {
    u64::try_from(at.now.as_millisecond()).unwrap_or(0) % 100_000
}

impl Page for Rehearse {
    fn title(&self, _: &Services) -> Vec<String> {
        vec!["Rehearsal".into()]
    }

    fn scopes(&self) -> Vec<Scope> {
        match (&self.left, self.choosing) {
            (Some(_), _) => vec![Scope::BrokenOff],
            (None, true) => vec![Scope::RehearseLessons],
            (None, false) if self.typed.is_some() => Vec::new(),
            (None, false) => vec![Scope::Rehearse],
        }
    }

    fn view(&self, at: &At) -> View {
        show::view(self, at)
    }

    fn act(&mut self, act: Act, at: &mut At) -> Next {
        if self.left.is_some() {
            return self.act_on_left(act.action(), at);
        }
        if self.choosing {
            return self.act_on_lessons(&act, at);
        }
        if let Some((field, _)) = self.typed {
            return self.take_typed(field, &act, at);
        }
        match act {
            Act::On(Action::Discard, row) => self.type_value(row, at.services),
            Act::On(Action::Toggle, row) if Self::fields(at.services).get(row) == Some(&Field::Topics) => {
                self.row = row;
                self.choosing = at.services.pack(self.pack).is_some_and(|p| !Self::lessons(p).is_empty());
                Next::Show
            }
            Act::Open(row) | Act::On(Action::Right | Action::Toggle, row) => self.change(row, true, at),
            Act::On(Action::Left, row) => self.change(row, false, at),
            Act::Line(line) => self.set(&line, at),
            act => match act.action() {
                Some(Action::Start | Action::Open) => self.start(at),
                Some(Action::NewSeed) => {
                    (self.form.setup.seed, self.form.setup.seen) = (seed(at), None);
                    Next::Show
                }
                Some(Action::Reports) => Next::Go(Place::Reports),
                // in lines, where no setting is chosen
                Some(Action::Toggle) => {
                    self.choosing = at.services.pack(self.pack).is_some_and(|p| !Self::lessons(p).is_empty());
                    Next::Show
                }
                _ => Next::Stay,
            },
        }
    }

    fn typed(&mut self, row: usize, letter: char, at: &mut At) -> Option<Next> {
        let field = Self::fields(at.services).get(row).copied()?;
        let is_form = self.left.is_none() && !self.choosing;
        if !is_form || !field.is_typed() || !(letter.is_ascii_digit() || letter == ':') {
            return is_form.then_some(Next::Stay);
        }
        self.row = row;
        self.typed = Some((field, letter.to_string()));
        Some(Next::Stay)
    }
}
