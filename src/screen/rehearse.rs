//! The set-up of a rehearsal, and the choice to go on with one that was broken off.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::{Context, Page};
use crate::app::effect::{Effect, Query, Reply};
use crate::app::event::Mouse;
use crate::pack::Pack;
use crate::page::action::Action;
use crate::page::key::Key;
use crate::page::keys::Scope;
use crate::page::place::Place;
use crate::study::home::Rehearsed;
use crate::study::rehearsal::{Happened, Rehearsal, Setup, Topics, pick};

mod draw;
mod form;

use form::{Field, Form};

/// The setting that keeps how a rehearsal was set up last.
const LAST: &str = "rehearsal";
/// The longest number that is typed.
const DIGITS: usize = 20;

/// The set-up.
#[derive(Debug)]
pub struct Rehearse {
    pack: usize,
    form: Form,
    /// Whether the values were named, so that those of the last time are not taken.
    named: bool,
    field: Field,
    /// The value that is being typed.
    typed: Option<String>,
    /// The lesson under the cursor, while lessons are chosen.
    choosing: Option<usize>,
    /// The run that was broken off.
    left: Option<Box<Rehearsal>>,
    /// Whether giving it up was asked for once.
    giving_up: bool,
    /// Whether it waits for an id to start with.
    starting: bool,
    earlier: Vec<Rehearsed>,
    top: usize,
    area: Rect,
}

impl Rehearse {
    /// The set-up with the values of the last time, or the run that was broken off.
    pub fn new(context: &Context) -> (Self, Vec<Effect>) {
        let broken = (0..context.library.packs.len())
            .find_map(|i| Some((i, context.memory.home(i)?.unfinished.clone()?)));
        let pack = broken.as_ref().map_or(0, |(pack, _)| *pack);
        let mut screen = Self::at(pack, None, context);
        let mut effects = vec![Effect::Recall(Query::Setting(LAST))];
        effects.extend(screen.ask(context));
        effects.extend(broken.map(|(_, id)| Effect::TakeRehearsal(id)));
        screen.named = false;
        (screen, effects)
    }

    /// The set-up with these values. Where `start` is set it starts at once.
    pub fn with(setup: &Setup, start: bool, context: &Context) -> Option<(Self, Vec<Effect>)> {
        let pack = context.library.index(&setup.pack)?;
        let mut screen = Self::at(pack, Some(setup), context);
        let mut effects = screen.ask(context);
        if start {
            effects.extend(screen.start(context));
        }
        Some((screen, effects))
    }

    fn at(pack: usize, setup: Option<&Setup>, context: &Context) -> Self {
        let id = context.library.packs.get(pack).map_or("", |p| &p.id);
        let mut form =
            Form { setup: setup.cloned().unwrap_or_else(|| Setup::screen(id, seed(context))), bell: false };
        form.clamp();
        Self {
            pack,
            form,
            named: true,
            field: Field::Preset,
            typed: None,
            choosing: None,
            left: None,
            giving_up: false,
            starting: false,
            earlier: Vec::new(),
            top: 0,
            area: Rect::ZERO,
        }
    }

    fn ask(&self, context: &Context) -> Vec<Effect> {
        let pack = context.library.packs.get(self.pack);
        pack.map(|p| Effect::Recall(Query::Rehearsals(p.id.clone()))).into_iter().collect()
    }

    fn fields(&self, context: &Context) -> Vec<Field> {
        let several = context.library.packs.len() > 1;
        let shown = |f: &Field| several || *f != Field::Pack;
        Field::ALL.into_iter().filter(shown).collect()
    }

    fn move_by(&mut self, by: isize, context: &Context) {
        self.take_typed();
        let fields = self.fields(context);
        let at = fields.iter().position(|f| *f == self.field).unwrap_or(0);
        self.field = fields[at.saturating_add_signed(by).min(fields.len() - 1)];
    }

    fn change(&mut self, up: bool, context: &Context) -> Vec<Effect> {
        self.take_typed();
        if self.field == Field::Pack {
            return self.change_pack(up, context);
        }
        self.form.change(self.field, up);
        Vec::new()
    }

    fn change_pack(&mut self, up: bool, context: &Context) -> Vec<Effect> {
        let packs = &context.library.packs;
        self.pack = (self.pack + if up { 1 } else { packs.len() - 1 }) % packs.len();
        self.form.setup.pack.clone_from(&packs[self.pack].id);
        self.form.setup.topics = Topics::Lessons(Vec::new());
        self.earlier.clear();
        self.ask(context)
    }

    fn take_typed(&mut self) {
        if let Some(typed) = self.typed.take() {
            self.form.take(self.field, &typed);
        }
    }

    /// The lessons of the pack that have drills.
    fn lessons<'a>(&self, context: &Context<'a>) -> Vec<&'a crate::pack::Lesson> {
        let Some(pack) = context.library.packs.get(self.pack) else {
            return Vec::new();
        };
        let asked = |id: &str| pack.drills_of(id).next().is_some();
        pack.lessons.iter().filter(|l| asked(&l.id)).collect()
    }

    fn choose(&mut self, at: usize, context: &Context) {
        let Some(lesson) = self.lessons(context).get(at).map(|l| l.id.clone()) else {
            return;
        };
        let mut chosen = match std::mem::replace(&mut self.form.setup.topics, Topics::Weakest) {
            Topics::Lessons(chosen) => chosen,
            Topics::Weakest => Vec::new(),
        };
        match chosen.iter().position(|l| *l == lesson) {
            Some(i) => drop(chosen.remove(i)),
            None => chosen.push(lesson),
        }
        self.form.setup.topics = Topics::Lessons(chosen);
    }

    fn start(&mut self, context: &Context) -> Vec<Effect> {
        self.take_typed();
        let pack = context.library.packs.get(self.pack);
        if pack.is_none_or(|p| self.form.prompts(p) == 0) {
            return vec![Effect::Say(
                "there is no drill to ask; choose other lessons or another course".into(),
            )];
        }
        self.starting = true;
        vec![Effect::FreshId]
    }

    /// Begins the run under this id.
    fn begin(&mut self, id: &str, context: &Context) -> Vec<Effect> {
        self.starting = false;
        let Some(pack) = context.library.packs.get(self.pack) else {
            return Vec::new();
        };
        let none = Default::default();
        let strengths = context.memory.home(self.pack).map_or(&none, |h| &h.strengths);
        let prompts = pick(&self.form.setup, pack, strengths);
        let run = Rehearsal::begin(id, self.form.setup.clone(), prompts, context.now);
        let kept = serde_json::to_string(&self.form).expect("settings are plain data");
        vec![Effect::Set(LAST, kept), self.run(run)]
    }

    fn run(&self, run: Rehearsal) -> Effect {
        Effect::Replace(Place::Rehearsal { run: Box::new(run), bell: self.form.bell })
    }

    /// The pack of the run that was broken off, where it is at hand.
    fn pack_of_left<'a>(&self, context: &Context<'a>) -> Option<&'a Pack> {
        let run = self.left.as_ref()?;
        let at = context.library.index(&run.setup.pack)?;
        context.library.packs.get(at)
    }

    fn resume(&mut self, context: &Context) -> Vec<Effect> {
        let mut run = self.left.take().expect("the choice shows where there is a run");
        run.resume(context.now);
        vec![self.run(*run)]
    }

    /// Ends the run that was broken off, with what was typed.
    fn score(&mut self, context: &Context) -> Vec<Effect> {
        let Some((pack, mut run)) = self.pack_of_left(context).zip(self.left.take()) else {
            return vec![Effect::Say("its course is not loaded; add it with --pack".into())];
        };
        run.resume(context.now);
        let happened = run.stop(context.now, pack);
        let scored = happened.into_iter().filter_map(|h| match h {
            Happened::Scored(attempt) => Some(Effect::Record(attempt)),
            _ => None,
        });
        let mut effects: Vec<Effect> = scored.collect();
        let report = Box::new(run.report(pack));
        effects.push(Effect::FinishRehearsal(run, report.clone()));
        effects.push(Effect::Replace(Place::Ended { report }));
        effects
    }

    fn give_up(&mut self) -> Vec<Effect> {
        if !std::mem::replace(&mut self.giving_up, true) {
            return vec![Effect::Say("d once more gives the rehearsal up".into())];
        }
        let run = self.left.take().expect("the choice shows where there is a run");
        vec![Effect::DropRehearsal(run.id), Effect::Refresh]
    }

    fn act_on_left(&mut self, action: Action, context: &Context) -> Vec<Effect> {
        if action != Action::Discard {
            self.giving_up = false;
        }
        match action {
            Action::Resume => self.resume(context),
            Action::Submit => self.score(context),
            Action::Discard => self.give_up(),
            Action::Back => vec![Effect::Back],
            _ => Vec::new(),
        }
    }

    fn act_on_lessons(&mut self, at: usize, action: Action, context: &Context) {
        let last = self.lessons(context).len().saturating_sub(1);
        self.choosing = match action {
            Action::Back => None,
            Action::Toggle => {
                self.choose(at, context);
                Some(at)
            }
            Action::Discard => {
                self.form.setup.topics = Topics::Lessons(Vec::new());
                Some(at)
            }
            Action::Down => Some((at + 1).min(last)),
            Action::Up => Some(at.saturating_sub(1)),
            Action::Top => Some(0),
            Action::Bottom => Some(last),
            _ => Some(at),
        };
    }
}

/// A seed that nobody chose: short enough to be told to somebody else.
fn seed(context: &Context) -> u64 {
    u64::try_from(context.now.as_millisecond()).unwrap_or(0) % 100_000
}

impl Page for Rehearse {
    fn title(&self, _context: &Context) -> Vec<String> {
        vec!["Rehearsal".into()]
    }

    fn scopes(&self) -> Vec<Scope> {
        match (&self.left, self.choosing) {
            (Some(_), _) => vec![Scope::BrokenOff, Scope::Everywhere],
            (None, Some(_)) => vec![Scope::RehearseLessons, Scope::Moving, Scope::Everywhere],
            (None, None) => vec![Scope::Rehearse, Scope::Everywhere],
        }
    }

    fn arrange(&mut self, area: Rect, context: &Context) {
        self.area = area;
        if let Some(at) = self.choosing {
            let total = self.lessons(context).len();
            let height = draw::lessons_area(area, total).height.into();
            self.top = crate::widget::scroll::keep_in_view(self.top, at..at + 1, height, total);
        }
    }

    fn act(&mut self, action: Action, context: &Context) -> Vec<Effect> {
        if self.left.is_some() {
            return self.act_on_left(action, context);
        }
        if let Some(at) = self.choosing {
            self.act_on_lessons(at, action, context);
            return Vec::new();
        }
        match action {
            Action::Down => self.move_by(1, context),
            Action::Up => self.move_by(-1, context),
            Action::Right => return self.change(true, context),
            Action::Left => return self.change(false, context),
            Action::Toggle if self.field == Field::Topics => {
                self.choosing = (!self.lessons(context).is_empty()).then_some(0);
            }
            Action::Toggle => return self.change(true, context),
            Action::NewSeed => {
                self.take_typed();
                self.form.setup.seed = seed(context);
            }
            Action::Discard => {
                if let Some(typed) = &mut self.typed {
                    typed.pop();
                }
            }
            Action::Start => return self.start(context),
            Action::Reports => return vec![Effect::Go(Place::Reports)],
            Action::Back if self.typed.is_some() => self.typed = None,
            Action::Back => return vec![Effect::Back],
            _ => {}
        }
        Vec::new()
    }

    fn typed(&mut self, key: Key, _context: &Context) -> Vec<Effect> {
        let digit = key.typed().filter(|c| c.is_ascii_digit() || *c == ':');
        if let Some(c) = digit.filter(|_| self.field.is_typed() && self.left.is_none()) {
            let typed = self.typed.get_or_insert_default();
            if typed.len() < DIGITS {
                typed.push(c);
            }
        }
        Vec::new()
    }

    fn mouse(&mut self, kind: Mouse, at: Position, context: &Context) -> Vec<Effect> {
        match kind {
            Mouse::ScrollDown => self.act(Action::Down, context),
            Mouse::ScrollUp => self.act(Action::Up, context),
            Mouse::Click if self.left.is_none() && self.choosing.is_none() => {
                let fields = self.fields(context);
                let Some(field) = draw::field_at(self.area, at, &fields) else {
                    return Vec::new();
                };
                if field == self.field {
                    return self.act(Action::Toggle, context);
                }
                self.take_typed();
                self.field = field;
                Vec::new()
            }
            Mouse::Click => Vec::new(),
        }
    }

    fn reply(&mut self, reply: &Reply, context: &Context) -> Vec<Effect> {
        match reply {
            Reply::Id(id) if self.starting => return self.begin(id, context),
            // the run goes on without a store: what is typed is kept in a file then
            Reply::Failed(_) if self.starting => {
                return self.begin(&format!("{:012x}", context.now.as_millisecond()), context);
            }
            Reply::Setting(LAST, Some(kept)) if !self.named => {
                if let Some(form) = serde_json::from_str::<Form>(kept).ok()
                    && form.setup.pack == self.form.setup.pack
                {
                    let seed = self.form.setup.seed;
                    self.form = form;
                    self.form.setup.seed = seed;
                    self.form.clamp();
                }
            }
            Reply::Taken(run) => self.left.clone_from(run),
            Reply::Rehearsals(pack, found) if *pack == self.form.setup.pack => {
                self.earlier.clone_from(found);
            }
            _ => {}
        }
        Vec::new()
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, context: &Context) {
        draw::draw(self, area, buffer, context);
    }
}
