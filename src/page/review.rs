//! The review: what is due, one thing after the other. Checks and line notes are asked on the spot; a drill
//! or a worksheet opens its own page and is graded by its marks.

use jiff::Timestamp;

use super::action::Action;
use super::checks::Checks;
use super::keys::Scope;
use super::place::Place;
use super::view::View;
use super::{Act, At, ByNumber, Next, Page};
use crate::pack::Pack;
use crate::services::record::Graded;
use crate::services::{Record, Services};
use crate::study::day::Day;
use crate::study::schedule::{Grade, Item, ItemKind};
use run::{Cards, How, Run};

mod run;
mod show;

/// The grades given to a thing, the oldest first.
type Log = Vec<(Timestamp, Grade)>;

/// What is due, and how far one is with it.
pub struct Review {
    /// Days to look ahead.
    ahead: u32,
    cards: Cards,
    run: Run,
    stage: Stage,
    /// The grades of what is on, once its marks graded it.
    log: Option<Log>,
    /// Whether it is heard.
    is_heard: bool,
}

/// What is due today, each thing in one line, in the order of the review.
pub(super) fn due(at: &At) -> Vec<String> {
    let packs = at.services.library.packs.iter().enumerate();
    let cards = packs.filter_map(|(index, pack)| Some((index, at.services.store.cards(&pack.id).ok()?)));
    run::titles(&cards.collect(), at)
}

/// What a review waits for.
enum Stage {
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
    /// What is due today, and in some days ahead.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn open(ahead: u32, at: &At) -> Result<Self, String> {
        let mut cards = Cards::new();
        for (index, pack) in at.services.library.packs.iter().enumerate() {
            cards.insert(index, at.services.store.cards(&pack.id).map_err(|fault| fault.to_string())?);
        }
        let run = Run::due(&cards, ahead, at);
        let mut page = Review { ahead, cards, run, stage: Stage::Nothing, log: None, is_heard: false };
        if page.run.current().is_some() {
            page.next(at);
        }
        Ok(page)
    }

    /// What is on, with its pack.
    fn on<'a>(&self, services: &'a Services) -> Option<(usize, &'a Pack, Item)> {
        let (pack, item) = self.run.current()?;
        Some((pack, services.pack(pack)?, item.clone()))
    }

    /// Begins with what would be forgotten first.
    fn work_ahead(&mut self, at: &mut At) -> Next {
        let day = at.services.interview();
        let day = at.or_say(day).flatten().map(|date| Day::of(date, &at.services.zone).start);
        self.run = Run::ahead(&self.cards, day, at);
        if self.run.current().is_none() {
            at.say("you have answered nothing yet, so nothing comes back");
            return Next::Stay;
        }
        self.next(at);
        Next::Show
    }

    /// Turns to what is on now.
    fn next(&mut self, at: &At) {
        self.log = None;
        self.stage = match self.on(at.services) {
            None => Stage::Done,
            Some((_, _, item)) if item.kind == ItemKind::Note => Stage::Note(false),
            Some((index, pack, item)) => {
                let check = pack.check(&item.id).filter(|_| item.kind == ItemKind::Check);
                match check.and_then(|check| Checks::alone((index, pack), check, at.now)) {
                    Some(checks) => Stage::Check(Box::new(checks.heard(self.is_heard))),
                    None => Stage::Open(None),
                }
            }
        };
    }

    fn later(&mut self, at: &At) -> Next {
        self.run.skip();
        self.next(at);
        Next::Show
    }

    /// Opens the drill or the worksheet that is on.
    fn go(&mut self, at: &At) -> Next {
        let Some((pack, of, item)) = self.on(at.services) else { return Next::Stay };
        self.stage = Stage::Open(Some(at.now));
        Next::Go(match of.check(&item.id).filter(|_| item.kind == ItemKind::Check) {
            Some(check) => Place::Checks { pack, lesson: check.lesson.clone(), only: Some(item.id) },
            None => Place::Drill { pack, id: item.id, only: None },
        })
    }

    /// Looks how what is on was graded since a time.
    fn look(&mut self, since: Timestamp, at: &mut At) {
        let Some((_, pack, item)) = self.on(at.services) else { return };
        let log = at.services.store.reviews_of(&pack.id, &item);
        let log = at.or_say(log).unwrap_or_default();
        if log.last().is_some_and(|(at, _)| *at >= since) {
            self.log = Some(log);
        }
    }

    /// Takes the learner's own grade, or keeps the one of the marks, and goes on.
    fn grade(&mut self, own: Option<Grade>, at: &mut At) -> Next {
        let Some((index, pack, item)) = self.on(at.services) else { return Next::Stay };
        let lesson = run::lesson(pack, &item).map_or_else(String::new, |l| l.id.clone());
        let graded = |grade| Graded { pack: pack.id.clone(), lesson, item: item.clone(), grade };
        let seed = match &self.stage {
            Stage::Check(checks) => checks.seed(),
            _ => None,
        };
        let marks = self.log.as_ref().and_then(|log| log.last()).map(|(_, marks)| *marks);
        let (grade, card, record) = match (self.log.take(), own) {
            (Some(mut log), own) => {
                let Some((_, last)) = log.last_mut() else { return Next::Stay };
                let marks = std::mem::replace(last, own.unwrap_or(*last));
                let grade = *last;
                let card = at.services.schedule.replay(&item, &log);
                (grade, card, (grade != marks).then(|| Record::Overrule(graded(grade))))
            }
            (None, Some(own)) => {
                let review = at.services.schedule.review(&item, self.run.card(index, &item), own, at.now);
                (own, Some(review.card), Some(Record::Grade(graded(own))))
            }
            (None, None) => return Next::Stay,
        };
        if let Some(record) = record {
            let overruled = matches!(record, Record::Overrule(_));
            let taken = overruled.then(|| format!("taken as {}", grade.words()));
            let kept = at.services.keep(record, at.now).said();
            kept.or(taken).into_iter().for_each(|text| at.say(text));
        }
        self.run.grade(grade, How { seed, marks }, card);
        self.next(at);
        Next::Show
    }

    /// Whether 1 to 4 say how well what is on was known.
    fn is_graded(&self) -> bool {
        self.log.is_some() || matches!(self.stage, Stage::Note(true))
    }

    fn enter(&mut self, at: &mut At) -> Next {
        match &mut self.stage {
            _ if self.log.is_some() => self.grade(None, at),
            Stage::Open(_) => self.go(at),
            Stage::Note(revealed @ false) => {
                *revealed = true;
                Next::Stay
            }
            Stage::Note(true) => {
                at.say("1 to 4 says how well you knew it");
                Next::Stay
            }
            Stage::Check(checks) if checks.is_broken() => self.later(at),
            Stage::Check(_) => self.in_check(Act::Do(Action::Open), at),
            Stage::Nothing => Next::Stay,
            Stage::Done => Next::Back,
        }
    }

    /// Lets the check that is on do something; looks for its grade once it is answered.
    fn in_check(&mut self, act: Act, at: &mut At) -> Next {
        let Stage::Check(checks) = &mut self.stage else { return Next::Stay };
        let before = checks.is_marked();
        let next = checks.act(act, at);
        if checks.is_marked() && !before {
            self.look(Timestamp::MIN, at);
        }
        next
    }
}

impl Page for Review {
    fn title(&self, services: &Services) -> Vec<String> {
        let lesson = self.on(services).and_then(|(_, pack, item)| run::lesson(pack, &item));
        lesson.map(|l| l.title.clone()).into_iter().chain(["review".to_owned()]).collect()
    }

    fn scopes(&self) -> Vec<Scope> {
        match &self.stage {
            _ if self.log.is_some() => vec![Scope::ReviewMarked, Scope::ReviewGrade],
            Stage::Nothing if self.cards.values().all(Vec::is_empty) => Vec::new(),
            Stage::Nothing => vec![Scope::ReviewAhead],
            Stage::Open(_) => vec![Scope::ReviewOpen, Scope::ReviewLater],
            Stage::Note(false) => vec![Scope::ReviewNote, Scope::ReviewLater],
            Stage::Note(true) => vec![Scope::ReviewGrade, Scope::ReviewLater],
            Stage::Done => vec![Scope::ReviewDone, Scope::ReviewAhead],
            Stage::Check(checks) => checks.scopes().into_iter().chain([Scope::ReviewLater]).collect(),
        }
    }

    fn scopes_on(&self, row: usize) -> Vec<Scope> {
        match &self.stage {
            Stage::Check(checks) if self.log.is_none() => {
                checks.scopes_on(row).into_iter().chain([Scope::ReviewLater]).collect()
            }
            _ => self.scopes(),
        }
    }

    fn view(&self, at: &At) -> View {
        show::view(self, at)
    }

    fn act(&mut self, act: Act, at: &mut At) -> Next {
        match act.action() {
            Some(Action::Digit(n)) if self.is_graded() => self.grade(Grade::numbered(n), at),
            Some(Action::Later) => self.later(at),
            Some(Action::Continue) => self.work_ahead(at),
            Some(Action::Open) => self.enter(at),
            Some(Action::Reveal) if matches!(self.stage, Stage::Note(_)) => {
                self.stage = Stage::Note(true);
                Next::Stay
            }
            _ => self.in_check(act, at),
        }
    }

    fn by_number(&self) -> ByNumber {
        match &self.stage {
            Stage::Check(checks) => checks.by_number(),
            _ => ByNumber::Opens,
        }
    }

    fn replaces(&self) -> bool {
        matches!(&self.stage, Stage::Check(checks) if checks.replaces())
    }

    fn by_ear(&mut self, at: &mut At) {
        self.is_heard = true;
        if let Stage::Check(checks) = &mut self.stage {
            checks.by_ear(at);
        }
    }

    fn back(&mut self, _: Option<Grade>, at: &mut At) -> Next {
        // it was answered if the store knows of a grade since it was opened
        if let Stage::Open(Some(opened)) = self.stage {
            self.look(opened, at);
        }
        Next::Show
    }
}
