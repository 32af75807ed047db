//! Working through what is due: drills, checks and line notes.

use jiff::{SignedDuration, Timestamp};

use super::checks::Checks;
use super::desk::heard;
use super::drill::Drill;
use super::page::{At, Go, Page};
use super::recall::{self, Recall};
use super::worksheet::Worksheet;
use crate::study::schedule::{Grade, Item, ItemKind};
use crate::study::session::{AHEAD, Session};

/// What is due in a pack.
pub struct Review {
    pack: usize,
    /// Days to look ahead.
    days: u32,
    session: Option<Session>,
    stage: Stage,
}

/// What a review waits for.
#[derive(Debug, Clone, PartialEq)]
enum Stage {
    /// The next thing is to be asked.
    Ask,
    /// Nothing is due.
    Nothing,
    /// What was asked is being done.
    Doing,
    /// It was graded by its marks, or left out.
    Done(Option<Grade>),
}

impl Review {
    /// What is due today in the pack with this index.
    pub fn due(pack: usize) -> Self {
        Self::ahead(pack, 0)
    }

    /// What is due until the end of a day some days ahead.
    pub fn ahead(pack: usize, days: u32) -> Self {
        Review {
            pack,
            days,
            session: None,
            stage: Stage::Ask,
        }
    }

    fn session(&self, cram: bool, at: &mut At) -> Option<Session> {
        let pack = at.desk.library.packs.get(self.pack)?;
        let cards = heard(at.desk.store.cards(&pack.id), at.out)?;
        let later = |by: SignedDuration| at.now.checked_add(by).unwrap_or(Timestamp::MAX);
        if cram {
            let until = (later(AHEAD.0), AHEAD.1);
            return Some(Session::cram(pack, &cards, &at.desk.schedule, until));
        }
        let until = later(SignedDuration::from_hours(24 * i64::from(self.days)));
        Some(Session::due(pack, &cards, &at.desk.schedule, until))
    }

    fn ask(&mut self, at: &mut At) -> Go {
        let Some(session) = &self.session else {
            return Go::Back(None);
        };
        let Some(item) = session.current().cloned() else {
            return self.finish(at);
        };
        let kind = match item.kind {
            ItemKind::Drill => "drill",
            ItemKind::Check => "check",
            ItemKind::Note => "line note",
        };
        at.out.say(&format!("Review, {} left. A {kind}:", session.left()));
        self.stage = Stage::Doing;
        match self.page(&item, at) {
            Some(page) => Go::Open(page),
            None => {
                self.skip();
                Go::Show
            }
        }
    }

    fn page(&self, item: &Item, at: &mut At) -> Option<Box<dyn Page>> {
        let pack = at.desk.library.packs.get(self.pack)?;
        Some(match item.kind {
            ItemKind::Note => Box::new(Recall::new(self.pack, vec![item.id.clone()])),
            ItemKind::Drill => Box::new(Drill::new(self.pack, &item.id, None, (at.desk, at.now))?),
            ItemKind::Check => {
                let check = pack.check(&item.id)?;
                match Worksheet::new(self.pack, check) {
                    Some(sheet) => Box::new(sheet),
                    None => Box::new(Checks::new(self.pack, pack, &check.lesson, Some(&check.id))?),
                }
            }
        })
    }

    fn skip(&mut self) {
        if let Some(session) = &mut self.session {
            session.skip();
        }
        self.stage = Stage::Ask;
    }

    fn next(&mut self, grade: Option<Grade>) -> Go {
        match (grade, &mut self.session) {
            (Some(grade), Some(session)) => session.grade(grade),
            _ => self.skip(),
        }
        self.stage = Stage::Ask;
        Go::Show
    }

    fn finish(&mut self, at: &mut At) -> Go {
        let done = self.session.as_ref().map_or(&[][..], Session::done);
        let again = done.iter().filter(|(_, g)| *g == Grade::Again).count();
        at.out.say(&format!(
            "The review is done: {} looked at, {again} not known.",
            done.len()
        ));
        Go::Back(None)
    }

    fn nothing(&mut self, at: &mut At) {
        let known = at.desk.home(self.pack, at.out, at.now);
        at.out.say("Nothing is due.");
        if let Some(next) = known.due.next {
            at.out.say(&format!("The next comes on {}.", at.desk.when(next)));
        }
        at.out
            .say("c works ahead: what you would forget first. Enter or q goes back.");
        self.stage = Stage::Nothing;
    }

    /// Replaces the grade that the marks gave by the learner's own.
    fn overrule(&mut self, grade: Grade, at: &mut At) {
        let Some(item) = self.session.as_ref().and_then(|s| s.current()) else {
            return;
        };
        let pack = at.desk.pack(self.pack).map_or("", |p| &p.id);
        if heard(
            at.desk.store.overrule(pack, item, grade, &at.desk.schedule),
            at.out,
        )
        .is_some()
        {
            at.out.say(&format!("Taken as {}.", grade.words()));
        }
    }
}

impl Page for Review {
    fn show(&mut self, at: &mut At) -> Go {
        if self.session.is_none() {
            self.session = self.session(false, at);
            if self.session.as_ref().is_some_and(|s| s.left() == 0) {
                self.nothing(at);
                return Go::Stay;
            }
        }
        match self.stage {
            Stage::Ask => self.ask(at),
            _ => Go::Stay,
        }
    }

    fn line(&mut self, line: &str, at: &mut At) -> Go {
        match (&self.stage, line) {
            (Stage::Nothing, "c") => {
                self.session = self.session(true, at);
                if self.session.as_ref().is_none_or(|s| s.left() == 0) {
                    at.out
                        .say("Nothing was ever answered, so there is nothing to see again. q goes back.");
                    return Go::Stay;
                }
                self.stage = Stage::Ask;
                Go::Show
            }
            (Stage::Nothing, _) => Go::Back(None),
            (Stage::Done(grade), "") => self.next(*grade),
            (Stage::Done(Some(_)), _) => match recall::grade(line) {
                Some(own) => {
                    self.overrule(own, at);
                    self.next(Some(own))
                }
                None => {
                    at.out
                        .say("Enter goes on, 1 to 4 says how well you knew it, q ends the review.");
                    Go::Stay
                }
            },
            _ => {
                at.out.say("Enter goes on, q ends the review.");
                Go::Stay
            }
        }
    }

    fn back(&mut self, grade: Option<Grade>, at: &mut At) -> Go {
        let kind = self.session.as_ref().and_then(|s| s.current()).map(|i| i.kind);
        match (grade, kind) {
            // a note was graded by the person who recalled it
            (Some(grade), Some(ItemKind::Note)) => return self.next(Some(grade)),
            (Some(grade), _) => at.out.say(&format!(
                "By its marks: {}. Enter goes on; 1 not known, 2 with effort, 3 well, 4 at once says it better. q ends the review.",
                grade.words()
            )),
            (None, _) => at.out.say("Left for another time. Enter goes on, q ends the review."),
        }
        self.stage = Stage::Done(grade);
        Go::Stay
    }

    fn help(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("Enter alone", "go on with the next thing"),
            ("1 to 4", "how well you knew it: not, with effort, well, at once"),
            ("c", "where nothing is due: work ahead"),
        ]
    }

    fn pack(&self) -> usize {
        self.pack
    }
}
