//! The review: what is due, one thing after the other. Checks and line notes are asked on the
//! spot; a drill or a worksheet opens its own screen and is graded by its marks.

use jiff::Timestamp;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use super::checks::Checks;
use super::{Context, Page, moving};
use crate::app::effect::{Effect, Graded, Query, Reply};
use crate::app::event::Mouse;
use crate::pack::Pack;
use crate::page::action::Action;
use crate::page::key::Key;
use crate::page::keys::Scope;
use crate::page::place::Place;
use crate::study::day::Day;
use crate::study::schedule::{Grade, Item, ItemKind, Schedule};
use crate::widget::scroll;

mod draw;
mod grades;
mod note;
mod run;

use run::{Cards, Run};

/// The grades given to a thing, the oldest first.
type Log = Vec<(Timestamp, Grade)>;

/// What is due, and how far one is with it.
#[derive(Debug)]
pub struct Review {
    /// Days to look ahead.
    ahead: u32,
    /// The cards of each pack; a pack that is absent was not read yet.
    cards: Cards,
    run: Run,
    stage: Stage,
    /// The grades of what is on, once its marks graded it.
    log: Option<Log>,
    areas: draw::Areas,
    rows: Vec<Line<'static>>,
    top: usize,
}

/// What a review waits for.
#[derive(Debug)]
enum Stage {
    /// The cards are being read.
    Reading,
    /// Nothing is due.
    Nothing,
    /// A drill or a worksheet is on; opened at this time, if it was.
    Open(Option<Timestamp>),
    /// A check is on.
    Check(Box<Checks>),
    /// A line note is on; revealed or not.
    Note(bool),
    /// All is done.
    Done,
}

impl Review {
    /// What is due today, and in some days ahead; with what it asks for.
    pub fn new(ahead: u32, context: &Context) -> (Self, Vec<Effect>) {
        let screen = Self {
            ahead,
            cards: Cards::new(),
            run: Run::default(),
            stage: Stage::Reading,
            log: None,
            areas: draw::Areas::default(),
            rows: Vec::new(),
            top: 0,
        };
        let packs = context.library.packs.iter();
        let asked = packs.map(|p| Effect::Recall(Query::Cards(p.id.clone())));
        (screen, asked.collect())
    }

    /// What is on, with its pack.
    fn on<'a>(&self, context: &Context<'a>) -> Option<(usize, &'a Pack, Item)> {
        let (pack, item) = self.run.current()?;
        Some((pack, context.library.packs.get(pack)?, item.clone()))
    }

    /// Begins with what is due, once all cards are read.
    fn begin(&mut self, context: &Context) {
        if self.cards.len() < context.library.packs.len() || !matches!(self.stage, Stage::Reading) {
            return;
        }
        self.run = Run::due(&self.cards, self.ahead, context);
        if self.run.current().is_some() {
            self.next(context);
        } else {
            self.stage = Stage::Nothing;
        }
    }

    /// Begins with what would be forgotten first.
    fn work_ahead(&mut self, context: &Context) {
        let day = context.memory.interview();
        let day = day.map(|date| Day::of(date, context.zone).start);
        self.run = Run::ahead(&self.cards, day, context);
        self.next(context);
    }

    /// Turns to what is on now.
    fn next(&mut self, context: &Context) {
        (self.log, self.top) = (None, 0);
        self.stage = match self.on(context) {
            None => Stage::Done,
            Some((_, _, item)) if item.kind == ItemKind::Note => Stage::Note(false),
            Some((_, pack, item)) => {
                let check = pack.check(&item.id).filter(|_| item.kind == ItemKind::Check);
                match check.and_then(|c| Checks::alone(pack, c, context)) {
                    Some(checks) => Stage::Check(Box::new(checks)),
                    None => Stage::Open(None),
                }
            }
        };
    }

    fn later(&mut self, context: &Context) {
        self.run.skip();
        self.next(context);
    }

    /// Opens the drill or the worksheet that is on.
    fn open(&mut self, context: &Context) -> Vec<Effect> {
        let Some((pack, of, item)) = self.on(context) else {
            return Vec::new();
        };
        self.stage = Stage::Open(Some(context.now));
        let place = match of.check(&item.id).filter(|_| item.kind == ItemKind::Check) {
            Some(check) => Place::Checks { pack, lesson: check.lesson.clone(), only: Some(item.id) },
            None => Place::Drill { pack, id: item.id, only: None },
        };
        vec![Effect::Go(place)]
    }

    /// Asks how what is on was graded.
    fn ask_grade(&self, context: &Context) -> Vec<Effect> {
        let of = self.on(context);
        of.map(|(_, pack, item)| Effect::Recall(Query::Reviews(pack.id.clone(), item))).into_iter().collect()
    }

    /// Takes the learner's own grade, or keeps the one of the marks, and goes on.
    fn grade(&mut self, own: Option<Grade>, context: &Context) -> Vec<Effect> {
        let Some((index, pack, item)) = self.on(context) else {
            return Vec::new();
        };
        let schedule = Schedule::new(context.zone.clone());
        let mut effects = Vec::new();
        let mut keep = |grade: Grade, keep: fn(Graded) -> Effect| {
            effects.push(keep(Graded {
                pack: pack.id.clone(),
                lesson: run::lesson(pack, &item).map_or_else(String::new, |l| l.id.clone()),
                item: item.clone(),
                grade,
            }));
        };
        let (grade, card) = match (self.log.take(), own) {
            (Some(mut log), own) => {
                let Some((_, last)) = log.last_mut() else {
                    return Vec::new();
                };
                if let Some(own) = own.filter(|own| own != last) {
                    *last = own;
                    keep(own, Effect::Overrule);
                }
                (*last, schedule.replay(&item, &log))
            }
            (None, Some(own)) => {
                keep(own, Effect::Grade);
                let card = self.run.card(index, &item);
                let review = schedule.review(&item, card, own, context.now);
                (own, Some(review.card))
            }
            (None, None) => return Vec::new(),
        };
        self.run.grade(grade, card);
        self.next(context);
        effects
    }

    /// Whether 1 to 4 say how well what is on was known.
    fn is_graded(&self) -> bool {
        self.log.is_some() || matches!(self.stage, Stage::Note(true))
    }

    fn enter(&mut self, context: &Context) -> Vec<Effect> {
        match &mut self.stage {
            _ if self.log.is_some() => self.grade(None, context),
            Stage::Open(_) => self.open(context),
            Stage::Check(checks) if checks.is_broken() => {
                self.later(context);
                Vec::new()
            }
            _ => self.in_check(context, |checks, c| checks.act(Action::Open, c)),
        }
    }

    /// Lets the check that is on do something; asks for its grade once it is answered.
    fn in_check(
        &mut self,
        context: &Context,
        act: impl FnOnce(&mut Checks, &Context) -> Vec<Effect>,
    ) -> Vec<Effect> {
        let Stage::Check(checks) = &mut self.stage else {
            return Vec::new();
        };
        let before = checks.is_marked();
        let mut effects = act(checks, context);
        if checks.is_marked() && !before {
            effects.extend(self.ask_grade(context));
        }
        effects
    }

    fn move_by(&mut self, action: Action, context: &Context) -> Vec<Effect> {
        if matches!(self.stage, Stage::Check(_)) {
            return self.in_check(context, |checks, c| checks.act(action, c));
        }
        let height = usize::from(self.areas.body.height);
        let by = moving::by(action, height);
        self.top = scroll::moved(self.top, by, height, self.rows.len());
        Vec::new()
    }
}

impl Page for Review {
    fn title(&self, context: &Context) -> Vec<String> {
        let lesson = self.on(context).and_then(|(_, pack, item)| run::lesson(pack, &item));
        let lesson = lesson.map(|l| l.title.clone());
        ["Review".to_owned()].into_iter().chain(lesson).collect()
    }

    fn scopes(&self) -> Vec<Scope> {
        let mut scopes = match &self.stage {
            _ if self.log.is_some() => vec![Scope::ReviewMarked, Scope::ReviewGrade],
            Stage::Reading => Vec::new(),
            Stage::Nothing if self.cards.values().all(Vec::is_empty) => Vec::new(),
            Stage::Nothing => vec![Scope::ReviewAhead],
            Stage::Open(_) => vec![Scope::ReviewOpen, Scope::ReviewLater],
            Stage::Note(false) => vec![Scope::ReviewNote, Scope::ReviewLater],
            Stage::Note(true) => vec![Scope::ReviewGrade, Scope::ReviewLater],
            Stage::Done => vec![Scope::ReviewDone, Scope::ReviewAhead],
            Stage::Check(checks) => {
                let typing = checks.scopes().contains(&Scope::CheckNumber);
                let order = checks.scopes().contains(&Scope::CheckOrder);
                let mut scopes = vec![Scope::ReviewCheck, Scope::ReviewLater];
                scopes.extend(order.then_some(Scope::CheckOrder));
                if typing {
                    scopes.extend([Scope::CheckNumber, Scope::Typing]);
                    return scopes;
                }
                scopes
            }
        };
        scopes.extend([Scope::Moving, Scope::Everywhere]);
        scopes
    }

    fn arrange(&mut self, area: Rect, context: &Context) {
        self.areas = draw::areas(area, self.is_graded());
        let body = self.areas.body;
        if let Stage::Check(checks) = &mut self.stage {
            // it keeps a column free on its left, as this screen does
            let area = Rect { x: area.x, width: area.width, ..body };
            checks.arrange(area, context);
        }
        self.rows = draw::rows(self, body.width.saturating_sub(2), context);
        self.top = scroll::clamp(self.top, body.height.into(), self.rows.len());
    }

    fn act(&mut self, action: Action, context: &Context) -> Vec<Effect> {
        match action {
            Action::Back => return vec![Effect::Back],
            Action::Open => return self.enter(context),
            Action::Reveal if matches!(self.stage, Stage::Note(_)) => self.stage = Stage::Note(true),
            Action::Digit(n) if self.is_graded() => return self.grade(Grade::numbered(n), context),
            Action::Right => self.later(context),
            Action::Continue => self.work_ahead(context),
            Action::Hint | Action::Reveal => {
                return self.in_check(context, |checks, c| checks.act(action, c));
            }
            _ => return self.move_by(action, context),
        }
        Vec::new()
    }

    fn typed(&mut self, key: Key, context: &Context) -> Vec<Effect> {
        self.in_check(context, |checks, c| checks.typed(key, c))
    }

    fn pasted(&mut self, text: &str, context: &Context) -> Vec<Effect> {
        self.in_check(context, |checks, c| checks.pasted(text, c))
    }

    fn mouse(&mut self, kind: Mouse, at: Position, context: &Context) -> Vec<Effect> {
        match (&self.stage, kind) {
            (Stage::Check(_), _) => self.in_check(context, |checks, c| checks.mouse(kind, at, c)),
            (_, Mouse::ScrollDown) => self.move_by(Action::Down, context),
            (_, Mouse::ScrollUp) => self.move_by(Action::Up, context),
            (_, Mouse::Click) => Vec::new(),
        }
    }

    fn reply(&mut self, reply: &Reply, context: &Context) -> Vec<Effect> {
        match (reply, &self.stage) {
            (Reply::Cards(pack, cards), _) => {
                if let Some(index) = context.library.index(pack) {
                    self.cards.insert(index, cards.clone());
                }
                self.begin(context);
            }
            // back from the drill or the worksheet
            (Reply::Home(..), Stage::Open(Some(_))) => return self.ask_grade(context),
            (Reply::Reviews(_, item, log), stage) => {
                let since = match stage {
                    Stage::Open(opened) => *opened,
                    _ => Some(Timestamp::MIN),
                };
                let on = self.run.current().is_some_and(|(_, on)| on == item);
                let new = log.last().zip(since).is_some_and(|((at, _), since)| *at >= since);
                if on && new {
                    (self.log, self.top) = (Some(log.clone()), 0);
                }
            }
            _ => {}
        }
        Vec::new()
    }

    fn draw(&self, _area: Rect, buffer: &mut Buffer, context: &Context) {
        draw::draw(self, buffer, context);
    }

    fn cursor(&self) -> Option<Position> {
        match &self.stage {
            Stage::Check(checks) => checks.cursor(),
            _ => None,
        }
    }
}
