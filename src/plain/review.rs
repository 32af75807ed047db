//! Working through what is due in all courses: drills, checks and line notes.

use jiff::Timestamp;

use super::checks::Checks;
use super::desk::Said as _;
use super::desk::heard;
use super::drill::Drill;
use super::page::{At, Go, Page};
use super::recall::{self, Recall};
use super::worksheet::Worksheet;
use crate::study::day::Day;
use crate::study::round::{Cards, Round};
use crate::study::schedule::{Grade, Item, ItemKind};

/// What is due, in all packs.
pub struct Review {
    /// Days to look ahead.
    days: u32,
    round: Option<Round>,
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
    /// What is due until the end of a day some days ahead; 0 is today.
    pub fn ahead(days: u32) -> Self {
        Review { days, round: None, stage: Stage::Ask }
    }

    /// What is due, or else what would be forgotten first.
    fn round(&self, cram: bool, at: &mut At) -> Round {
        let mut cards = Cards::new();
        for (i, pack) in at.desk.library.packs.iter().enumerate() {
            let found = heard(at.desk.store.cards(&pack.id), at.out);
            cards.extend(found.map(|found| (i, found)));
        }
        let interview = at.desk.interview_said(at.out).filter(|_| cram);
        let interview = interview.map(|date| Day::of(date, &at.desk.zone).start);
        let (packs, schedule) = (&at.desk.library.packs, &at.desk.schedule);
        match cram {
            true => Round::ahead(packs, &cards, schedule, (at.now, interview)),
            false => Round::due(packs, &cards, schedule, (at.now, self.days)),
        }
    }

    /// What is on: the index of its pack, and what it is.
    fn on(&self) -> Option<(usize, &Item)> {
        self.round.as_ref()?.current()
    }

    fn ask(&mut self, at: &mut At) -> Go {
        let Some(round) = &self.round else {
            return Go::Back(None);
        };
        let Some((pack, item)) = self.on().map(|(pack, item)| (pack, item.clone())) else {
            return self.finish(at);
        };
        let kind = match item.kind {
            ItemKind::Drill => "drill",
            ItemKind::Check => "check",
            ItemKind::Note => "line note",
        };
        let of = match &at.desk.library.packs[..] {
            [_] => String::new(),
            packs => packs.get(pack).map_or(String::new(), |p| format!(" of {}", p.title)),
        };
        at.out.say(&format!("Review, {} left. A {kind}{of}:", round.items().count()));
        self.stage = Stage::Doing;
        match Self::page((pack, &item), at) {
            Some(page) => Go::Open(page),
            None => {
                self.skip();
                Go::Show
            }
        }
    }

    fn page((index, item): (usize, &Item), at: &mut At) -> Option<Box<dyn Page>> {
        let pack = at.desk.library.packs.get(index)?;
        Some(match item.kind {
            ItemKind::Note => Box::new(Recall::new(index, vec![item.id.clone()])),
            ItemKind::Drill => Box::new(Drill::new(index, &item.id, None, (at.desk, at.now))?),
            ItemKind::Check => {
                let check = pack.check(&item.id)?;
                match Worksheet::new(index, check) {
                    Some(sheet) => Box::new(sheet),
                    None => Box::new(Checks::new(index, pack, &check.lesson, Some(&check.id))?),
                }
            }
        })
    }

    fn skip(&mut self) {
        if let Some(round) = &mut self.round {
            round.skip();
        }
        self.stage = Stage::Ask;
    }

    fn next(&mut self, grade: Option<Grade>) -> Go {
        match (grade, &mut self.round) {
            (Some(grade), Some(round)) => round.grade(grade),
            _ => self.skip(),
        }
        self.stage = Stage::Ask;
        Go::Show
    }

    fn finish(&mut self, at: &mut At) -> Go {
        let done = self.round.iter().flat_map(Round::done);
        let (looked, again) = done.fold((0, 0), |(looked, again), (.., grade)| {
            (looked + 1, again + usize::from(grade == Grade::Again))
        });
        at.out.say(&format!("The review is done: {looked} looked at, {again} not known."));
        Go::Back(None)
    }

    fn nothing(&mut self, at: &mut At) {
        at.out.say("Nothing is due.");
        let packs = 0..at.desk.library.packs.len();
        let next = packs.filter_map(|i| at.desk.home_said(i, at.out, at.now).due.next);
        let next: Option<Timestamp> = next.min();
        if let Some(next) = next {
            at.out.say(&format!("The next comes on {}.", at.desk.when(next)));
        }
        at.out.say("c works ahead: what you would forget first. Enter or q goes back.");
        self.stage = Stage::Nothing;
    }

    /// Replaces the grade that the marks gave by the learner's own.
    fn overrule(&mut self, grade: Grade, at: &mut At) {
        let Some((pack, item)) = self.on() else {
            return;
        };
        let pack = at.desk.pack(pack).map_or("", |p| &p.id);
        if heard(at.desk.store.overrule(pack, item, grade, &at.desk.schedule), at.out).is_some() {
            at.out.say(&format!("Taken as {}.", grade.words()));
        }
    }
}

impl Page for Review {
    fn show(&mut self, at: &mut At) -> Go {
        if self.round.is_none() {
            self.round = Some(self.round(false, at));
            if self.on().is_none() {
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
                self.round = Some(self.round(true, at));
                if self.on().is_none() {
                    at.out.say("Nothing was ever answered, so there is nothing to see again. q goes back.");
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
                    at.out.say("Enter goes on, 1 to 4 says how well you knew it, q ends the review.");
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
        let kind = self.on().map(|(_, item)| item.kind);
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
        self.on().map_or(0, |(pack, _)| pack)
    }
}
