//! What Home knows of the learner, as it was read last.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;

use crate::page::At;
use crate::page::task;
use crate::store::{PuzzleBest, StoreError};
use crate::study::change::News;
use crate::study::day::days_until;
use crate::study::home::{Home, LessonProgress};
use crate::study::plan::{DayPlan, Today};
use crate::study::words;

/// Days whose minutes Home shows.
const DAYS: u32 = 14;
/// Days after today that Home tells of at most.
pub const NEXT: usize = 6;

/// What the store tells, by pack in the order of the library.
#[derive(Default)]
pub struct Known {
    pub homes: Vec<Home>,
    pub puzzles: Vec<BTreeMap<String, PuzzleBest>>,
    pub news: Vec<News>,
    /// The packs whose news were asked for, by their indices: once, when they are read.
    told: BTreeSet<usize>,
    pub interview: Option<Date>,
    /// What the first course asks for today until the interview.
    pub today: Option<Today>,
    /// Minutes a day that the plan is made with.
    pub minutes_a_day: u32,
    /// What is planned for the days after it; so many at most.
    pub next: Vec<DayPlan>,
    /// How many lessons there is no time for.
    pub left_out: usize,
    /// Minutes of answering in the last two weeks, day by day, over all courses.
    pub minutes: Vec<u64>,
    /// The same in seconds.
    seconds: Vec<u64>,
    /// The date when it was read.
    date: Option<Date>,
}

impl Known {
    /// Reads all of it; a fault is said once, and what cannot be read is as if it were not.
    pub fn look(at: &mut At) -> Self {
        let read = Self::read(at);
        at.or_say(read).unwrap_or_default()
    }

    fn read(at: &mut At) -> Result<Self, StoreError> {
        let today = at.services.planned(at.now)?;
        let mut known = Known { today, ..Known::default() };
        known.read_packs(at)?;
        let (services, now) = (&*at.services, at.now);
        known.interview = services.interview()?;
        known.minutes_a_day = services.minutes()?;
        known.date = Some(services.today(now));
        if let (Some(today), Some(pack), Some(home)) =
            (&known.today, services.library.packs.first(), known.homes.first())
        {
            let rest = today.rest(pack, home, services.minutes()?);
            (known.next, known.left_out) = (rest.days, rest.left_out.len());
            known.next.truncate(NEXT);
        }
        Ok(known)
    }

    /// Whether somebody reads and tries out alone: no date of an interview, no answer to a drill, no rehearsal.
    pub fn learns_only(&self) -> bool {
        let answers = |home: &Home| home.attempts > 0 || home.rehearsed.is_some();
        self.interview.is_none() && !self.homes.iter().any(answers)
    }

    /// Reads what is known of the packs that were opened since. Of the others that is known, unless a day began: then all
    /// is read, and that is said.
    pub fn look_further(&mut self, at: &mut At) -> bool {
        let begins = self.date != Some(at.services.today(at.now));
        if begins {
            *self = Self::look(at);
        } else {
            let read = self.read_packs(at);
            at.or_say(read);
        }
        begins
    }

    fn read_packs(&mut self, at: &At) -> Result<(), StoreError> {
        let (services, now) = (&*at.services, at.now);
        let packs = &services.library.packs;
        let days = days_until(now, &services.zone, DAYS);
        self.seconds.resize(days.len(), 0);
        for (index, pack) in packs.iter().enumerate().skip(self.homes.len()) {
            let home = services.home(index, now)?;
            let done = services.store.days(&pack.id, &days)?;
            for (sum, day) in self.seconds.iter_mut().zip(done) {
                *sum += day.seconds;
            }
            let has_puzzles = !pack.index().puzzles.is_empty();
            self.puzzles.push(if has_puzzles { services.puzzles(&pack.id) } else { BTreeMap::new() });
            self.homes.push(home);
        }
        self.minutes = self.seconds.iter().map(|seconds| seconds.div_ceil(60)).collect();
        for (index, pack) in packs.iter().enumerate() {
            if services.has_read(pack) && self.told.insert(index) {
                self.news.extend(services.news(index, now)?);
            }
        }
        Ok(())
    }

    /// `interview Fri 27 Nov, in 5 days`; nothing without a date, or when it is over.
    pub fn facts(&self) -> String {
        let (Some(date), Some(ahead)) = (self.interview, self.ahead()) else { return String::new() };
        match self.is_over() {
            true => String::new(),
            false => format!(
                "interview {}, {}",
                words::date(date, self.date.unwrap_or(date)),
                ahead.replace("interview ", "")
            ),
        }
    }

    /// Whether nothing was done yet.
    pub fn is_new(&self) -> bool {
        let untouched = |home: &Home| {
            let nothing = home.attempts == 0 && home.lessons.is_empty() && home.due.total() == 0;
            nothing
                && home.place.is_none()
                && home.unfinished.is_none()
                && home.rehearsed.is_none()
                && home.drafts.iter().all(|d| d.text.trim().is_empty())
        };
        self.interview.is_none() && self.news.is_empty() && self.homes.iter().all(untouched)
    }

    /// How far away the interview is, in words.
    pub fn ahead(&self) -> Option<String> {
        Some(task::ahead(self.interview?, self.date?))
    }

    /// The minutes a day that would keep what a missed day cost, where there are fewer.
    pub fn offer(&self) -> Option<u32> {
        self.today.as_ref()?.slip.as_ref()?.offer(self.minutes_a_day)
    }

    /// Whether the interview is over.
    pub fn is_over(&self) -> bool {
        self.interview.zip(self.date).is_some_and(|(interview, today)| interview < today)
    }

    /// The progress in a lesson, if it was ever touched.
    pub fn lesson(&self, pack: usize, lesson: &str) -> Option<&LessonProgress> {
        self.homes.get(pack)?.lessons.get(lesson)
    }
}
