//! What every page has at hand: the packs, the store, the learner's zone, a folder for files.
//!
//! Reads are calls: readers of the store wait for nobody. Writes are data: [`Services::keep`] is their one
//! door. It waits `keep::PATIENCE` at most; what is not taken then stays in memory, is read along with
//! what is kept, and is tried again.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

use crate::pack::{Drill, Pack};
use crate::store::{Filter, PuzzleBest, Rescue, Store, StoreError};
use crate::study::attempt::{Attempt, is_part_again};
use crate::study::change::{Content, News};
use crate::study::day::{self, Day};
use crate::study::find::Catalogue;
use crate::study::home::{Draft, Home};
use crate::study::plan::{self, Today};
use crate::study::posting::Posting;
use crate::study::rehearsal::Rehearsal;
use crate::study::schedule::Schedule;
use library::{Library, Read};
use pending::Pending;
use unsaved::Unsaved;

pub mod class;
pub(crate) mod edit;
pub(crate) mod export;
mod graded;
pub mod job;
pub(crate) mod keep;
pub mod library;
mod pending;
pub(crate) mod record;
pub mod run;
pub mod surroundings;
pub(crate) mod trust;
mod unsaved;

pub(crate) use keep::Kept;
pub(crate) use record::Record;

/// The setting that keeps the date of the interview.
pub const INTERVIEW: &str = "interview";
/// The setting that keeps what the job that one applies for asks for.
pub const JOB: &str = "job";
/// The setting that keeps what was planned for today.
pub const TODAY: &str = "today";

/// The setting that keeps how many minutes a day there are for the plan.
pub const MINUTES_A_DAY: &str = "minutes";

/// The packs, the store and what goes with them.
pub struct Services {
    /// The packs.
    pub library: Library,
    /// What the learner did. Written by [`Services::keep`] alone.
    pub store: Store,
    /// Where the learner's days begin and end.
    pub zone: TimeZone,
    /// When things come back.
    pub schedule: Schedule,
    /// The folder for what is written outside of the store.
    pub work: PathBuf,
    /// The starters that run.
    pub running: run::Running,
    /// The class that is open, if one is.
    pub room: Option<Arc<class::Room>>,
    /// Files for what the store does not take.
    pub rescue: Rescue,
    /// Whether nothing is to move by itself on a screen: what plays is stepped, clocks are drawn seldom.
    pub is_still: bool,
    /// The screen, where there is one: its columns and rows, and the name of the palette.
    pub screen: Option<((u16, u16), &'static str)>,
    pending: Pending,
    /// What was typed in this session and is kept, as long as nobody takes the store away.
    typed: Pending,
    /// The file of what waits.
    unsaved: Unsaved,
    /// What is to be said of the store, once.
    notice: Option<String>,
    /// What the packs hold that were read, to tell what changed.
    contents: BTreeMap<String, Content>,
    /// The same, ready to be searched: made beside the program with a pack that is opened there, else when first asked for.
    catalogues: RefCell<BTreeMap<String, Arc<Catalogue>>>,
    /// What was told of each pack, at which state of the store: an edition is long to read, and Home asks often.
    told: RefCell<BTreeMap<String, (u64, Option<News>)>>,
    /// What Home said by number in this run, in the order in which it was first heard.
    pub heard: RefCell<Heard>,
}

/// The numbers of Home: each thing keeps its own as long as the program runs.
#[derive(Debug, Default)]
pub struct Heard {
    /// Whether there was a plan: with another one it is another list.
    is_planned: bool,
    /// The things, the first one with number 1.
    things: Vec<String>,
}

impl Heard {
    /// The numbers of these things, each with its own. What is new has the next one; past `last` the list begins anew.
    pub fn numbers(&mut self, is_planned: bool, things: &[String], last: usize) -> Vec<usize> {
        let is_new = |heard: &Vec<String>| things.iter().filter(|thing| !heard.contains(*thing)).count();
        if self.is_planned != is_planned || self.things.len() + is_new(&self.things) > last {
            *self = Heard { is_planned, things: Vec::new() };
        }
        let number = |thing: &String| match self.things.iter().position(|heard| heard == thing) {
            Some(at) => at + 1,
            None => {
                self.things.push(thing.clone());
                self.things.len()
            }
        };
        things.iter().map(number).collect()
    }
}

impl Services {
    /// Services on these packs and this store; files are written below `work`.
    pub fn new(library: Library, store: Store, zone: TimeZone, work: PathBuf) -> Self {
        let read = || library.packs.iter().filter(|p| p.is_read());
        // a fault is said when Home asks for what changed
        read().for_each(|pack| drop(store.take_up(pack)));
        Services {
            contents: read().map(|pack| (pack.id.clone(), Content::of(pack))).collect(),
            library,
            store,
            schedule: Schedule::new(zone.clone()),
            rescue: Rescue::new(&work),
            zone,
            work,
            running: run::Running::default(),
            is_still: false,
            screen: None,
            room: None,
            pending: Pending::default(),
            typed: Pending::default(),
            unsaved: Unsaved::default(),
            notice: None,
            catalogues: RefCell::default(),
            heard: RefCell::default(),
            told: RefCell::default(),
        }
    }

    /// Takes a pack that was read: one more, or one of which only the table of contents was known. Says whether
    /// it is one more.
    pub fn adopt(&mut self, read: Read) -> bool {
        // a fault is said when Home asks for what changed
        let _ = self.store.take_up(&read.pack);
        self.told.get_mut().remove(&read.pack.id);
        self.contents.insert(read.pack.id.clone(), read.content);
        self.catalogues.get_mut().insert(read.pack.id.clone(), read.catalogue);
        self.library.add(read.pack)
    }

    /// What a pack holds; none as long as it was not read.
    fn content(&self, pack: &str) -> Option<&Content> {
        self.contents.get(pack)
    }

    /// Whether a pack was read, so that it is known what it holds.
    pub fn has_read(&self, pack: &Pack) -> bool {
        self.contents.contains_key(&pack.id)
    }

    /// What the pack with this index holds, ready to be searched.
    pub fn catalogue(&self, index: usize) -> Option<Arc<Catalogue>> {
        let pack = self.pack(index)?;
        let mut ready = self.catalogues.borrow_mut();
        let made = || Arc::new(Catalogue::of_pack(pack));
        Some(Arc::clone(ready.entry(pack.id.clone()).or_insert_with(made)))
    }

    /// Writes what is typed to files too: for a store that ends with the process.
    pub fn to_files(self) -> Self {
        Services { rescue: self.rescue.to_files(), ..self }
    }

    /// The pack with this index.
    pub fn pack(&self, index: usize) -> Option<&Pack> {
        self.library.packs.get(index)
    }

    /// The drill with this id in the pack with that id.
    pub fn drill(&self, pack: &str, id: &str) -> Option<&Drill> {
        self.library.packs.iter().find(|p| p.id == pack)?.drill(id)
    }

    /// An id for something new.
    pub fn fresh_id(&self, now: Timestamp) -> String {
        self.store.fresh_id(now).unwrap_or_else(|_| format!("{:012x}", now.as_millisecond()))
    }

    /// Takes the newest draft of a drill, or of one part of it, so that no other instance goes on with it too.
    pub fn take_draft(
        &self,
        pack: &str,
        (drill, part): (&str, Option<&str>),
        again: bool,
        now: Timestamp,
    ) -> Option<Draft> {
        let is_it =
            |d: &Draft| d.drill == drill && d.part.as_deref() == part && is_part_again(d.mode, part) == again;
        let mut drafts = self.store.drafts(pack).unwrap_or_default();
        self.pending.drafts(pack, &mut drafts);
        let found = drafts.into_iter().find(is_it)?;
        let taken = self.store.patient(keep::PATIENCE, || self.store.take_draft(&found.id, now));
        // one that the store does not know waits in memory; a store that is busy gives it later
        let is_gone = matches!(taken, Ok(None)) && self.pending.is_empty();
        (!is_gone).then_some(found)
    }

    /// What to say of other drafts of the same answer than the one that is gone on with: one that another running
    /// program writes, one that was left beside it.
    pub fn other_drafts(&self, mine: &Draft) -> Vec<String> {
        let part = mine.part.as_deref();
        let again = is_part_again(mine.mode, part);
        let is_other = |d: &&Draft| {
            let is_same = d.drill == mine.drill && d.part == mine.part;
            let is_written = d.id != mine.id && !d.text.trim().is_empty();
            is_same && is_written && is_part_again(d.mode, part) == again
        };
        let held = self.store.held_drafts(&mine.pack).unwrap_or_default();
        let mut left = self.store.drafts(&mine.pack).unwrap_or_default();
        self.pending.drafts(&mine.pack, &mut left);
        let held = held.iter().find(is_other).map(|_| {
            "Another InfraLens is open on this folder with an answer to the same question. What you type here is a \
             draft of its own; both are kept"
                .to_owned()
        });
        let left = left.iter().find(is_other).map(|draft| {
            let said = first_words(&draft.text);
            let said = said.trim_end_matches(['.', '?', '!']);
            format!(
                "There is a second draft of this answer, which begins “{said}”. It is kept, and comes up once this one \
                 is handed in"
            )
        });
        held.into_iter().chain(left).collect()
    }

    /// Takes a rehearsal that was broken off, by its id, so that no other instance goes on with it too. None
    /// where it is gone.
    ///
    /// # Errors
    /// Where the store is busy or cannot be used.
    pub fn take_rehearsal(&self, id: &str, now: Timestamp) -> Result<Option<Rehearsal>, StoreError> {
        self.store.patient(keep::PATIENCE, || self.store.take_rehearsal(id, now))
    }

    /// What Home shows of a pack; empty where there is no such pack.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn home(&self, index: usize, now: Timestamp) -> Result<Home, StoreError> {
        let Some(pack) = self.pack(index) else {
            return Ok(Home::default());
        };
        let mut home = self.store.home(&pack.id, now, &self.zone)?;
        self.pending.drafts(&pack.id, &mut home.drafts);
        home.posting = self.posting()?.of(&pack.id);
        Ok(home)
    }

    /// Attempts, the newest first, with those that the store has not taken yet.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn history(&self, filter: &Filter, most: u32) -> Result<Vec<Attempt>, StoreError> {
        let mut found = self.store.history(filter, most)?;
        self.pending.attempts(filter, &mut found);
        found.truncate(usize::try_from(most).unwrap_or(usize::MAX));
        Ok(found)
    }

    /// One attempt by its id.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn attempt(&self, id: &str) -> Result<Option<Attempt>, StoreError> {
        let mut found = match self.pending.attempt(id) {
            Some(attempt) => Some(attempt.clone()),
            None => self.store.attempt(id)?,
        };
        if let (Some(attempt), Some(claims)) = (&mut found, self.pending.claims(id)) {
            attempt.claims = Some(claims.clone());
        }
        Ok(found)
    }

    /// The value of a setting, if it was ever set.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn setting(&self, key: &str) -> Result<Option<String>, StoreError> {
        match self.pending.setting(key) {
            Some(value) => Ok(Some(value.to_owned())),
            None => self.store.setting(key),
        }
    }

    /// The best solutions of the puzzles of a pack, by puzzle id; none where the store cannot be read.
    pub fn puzzles(&self, pack: &str) -> BTreeMap<String, PuzzleBest> {
        let mut best = self.store.puzzles(pack).unwrap_or_default();
        self.pending.puzzles(pack, &mut best);
        best
    }

    /// What changed in a pack since it was seen last, if anything did.
    ///
    /// # Errors
    /// Where the store fails.
    pub fn news(&self, index: usize, now: Timestamp) -> Result<Option<News>, StoreError> {
        let pack = self.pack(index).filter(|pack| !self.pending.is_seen(&pack.id));
        let Some((pack, content)) = pack.and_then(|pack| Some((pack, self.content(&pack.id)?))) else {
            return Ok(None);
        };
        let state = self.store.state_of_others()?;
        if let Some((at, news)) = self.told.borrow().get(&pack.id)
            && *at == state
        {
            return Ok(news.clone());
        }
        let news = self.store.news(content, now)?;
        if news.is_none() {
            // it only saves the next start some reading
            let _ = self.store.note_as_seen(pack, now);
        }
        self.told.borrow_mut().insert(pack.id.clone(), (state, news.clone()));
        Ok(news)
    }

    /// The date of a time in the learner's zone: what every page and verb calls today.
    pub fn today(&self, at: Timestamp) -> Date {
        day::day(at, &self.zone).date
    }

    /// The day of the interview, if there is one.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn interview(&self) -> Result<Option<Date>, StoreError> {
        Ok(self.setting(INTERVIEW)?.and_then(|date| date.parse().ok()))
    }

    /// Minutes a day that the plan reckons with.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn minutes(&self) -> Result<u32, StoreError> {
        let kept = self.setting(MINUTES_A_DAY)?.and_then(|text| text.parse().ok());
        Ok(kept.filter(|minutes| plan::MINUTES.contains(minutes)).unwrap_or(plan::USUAL_MINUTES))
    }

    /// What the job that one applies for asks for; nothing where no description was given.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn posting(&self) -> Result<Posting, StoreError> {
        let kept = self.setting(JOB)?;
        Ok(kept.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default())
    }

    /// Keeps what a job asks for, or forgets it, and plans today anew by it.
    pub(crate) fn keep_posting(&mut self, asked: Option<&Posting>, now: Timestamp) -> Kept {
        let text = asked.map(|asked| serde_json::to_string(asked).expect("a posting is plain data"));
        match self.keep(Record::setting(JOB, text.unwrap_or_default()), now) {
            // a fault of reading is said by the page that reads next
            Kept::Yes => self.plan_anew(now).unwrap_or(Kept::Yes),
            waiting => waiting,
        }
    }

    /// Plans today anew, where it is planned: with other minutes, or by what a job asks for. What is done today stays.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub(crate) fn plan_anew(&mut self, now: Timestamp) -> Result<Kept, StoreError> {
        let Some(old) = self.planned(now)? else { return Ok(Kept::Yes) };
        let (home, minutes) = (self.home(0, now)?, self.minutes()?);
        let Some(pack) = self.pack(0) else { return Ok(Kept::Yes) };
        let done = old.done(pack, &home, Day::of(old.date, &self.zone).start);
        let Some(new) = old.anew(pack, &home, minutes, &done) else { return Ok(Kept::Yes) };
        let text = serde_json::to_string(&new).expect("a day is plain data");
        Ok(self.keep(Record::setting(TODAY, text), now))
    }

    /// What the first course asks for today until the interview; planned now, and kept, where that was
    /// not done yet today. None without an interview ahead.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn planned(&mut self, now: Timestamp) -> Result<Option<Today>, StoreError> {
        let Some(interview) = self.interview()? else { return Ok(None) };
        let days = (self.today(now), interview);
        let kept = self.setting(TODAY)?;
        let kept: Option<Today> = kept.and_then(|text| serde_json::from_str(&text).ok());
        let kept_before = match kept {
            Some(kept) if (kept.date, kept.interview) == days => return Ok(Some(kept)),
            before => before,
        };
        // a plan for another day has begun anew
        let before = kept_before.filter(|t| t.interview == interview && t.date <= days.0);
        let (home, minutes) = (self.home(0, now)?, self.minutes()?);
        let planned = self.pack(0).and_then(|pack| match before {
            None => Today::of(pack, &home, days, minutes),
            Some(old) => {
                let begun = Day::of(old.date, &self.zone).start;
                old.following((pack, &home), (days.0, minutes), begun)
            }
        });
        if let Some(text) = planned.as_ref().and_then(|p| serde_json::to_string(p).ok()) {
            self.keep(Record::setting(TODAY, text), now);
        }
        Ok(planned)
    }

    /// The lessons of the first course that were read or that the plan until the interview keeps; none without a plan,
    /// and where it keeps all of them.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn planned_lessons(&self, pack: &Pack, now: Timestamp) -> Result<Vec<String>, StoreError> {
        let Some(interview) = self.interview()? else { return Ok(Vec::new()) };
        let (home, minutes, date) = (self.home(0, now)?, self.minutes()?, self.today(now));
        let kept = self.setting(TODAY)?.and_then(|text| serde_json::from_str::<Today>(&text).ok());
        let kept = kept.filter(|kept| (kept.date, kept.interview) == (date, interview));
        let day = kept.or_else(|| Today::of(pack, &home, (date, interview), minutes));
        let left_out = day.map(|day| day.rest(pack, &home, minutes).left_out).unwrap_or_default();
        if left_out.is_empty() {
            return Ok(Vec::new());
        }
        let lessons = pack.index().lessons.iter().map(|lesson| lesson.id.to_string());
        Ok(lessons.filter(|lesson| !left_out.contains(lesson)).collect())
    }

    /// A time in the learner's words: `Sat 21 Nov 18:05`, with its year where that is not this one.
    pub fn when(&self, at: Timestamp, now: Timestamp) -> String {
        let [at, now] = [at, now].map(|time| Zoned::new(time, self.zone.clone()));
        format!("{} {}", crate::study::words::date(at.date(), now.date()), at.strftime("%H:%M"))
    }
}

/// The first words of a text, for who is to know it again.
fn first_words(text: &str) -> String {
    const MOST: usize = 12;
    let mut words = text.split_whitespace();
    let first: Vec<&str> = words.by_ref().take(MOST).collect();
    let more = if words.next().is_some() { " …" } else { "" };
    format!("{}{more}", first.join(" "))
}

#[cfg(test)]
mod tests {
    use super::Heard;

    #[test]
    fn a_thing_of_home_keeps_its_number_and_what_is_new_has_the_next_one() {
        let mut heard = Heard::default();
        let mut of = |planned, things: &[&str]| {
            let things: Vec<String> = things.iter().map(|thing| (*thing).to_owned()).collect();
            heard.numbers(planned, &things, 5)
        };
        assert_eq!(of(false, &["read", "drill", "play"]), [1, 2, 3]);
        assert_eq!(of(false, &["finish", "drill", "play"]), [4, 2, 3]);
        assert_eq!(of(true, &["drill", "read"]), [1, 2], "another plan is another list");
        assert_eq!(of(true, &["a", "b", "c", "read"]), [3, 4, 5, 2]);
        assert_eq!(of(true, &["d", "c"]), [1, 2], "past the last number it begins anew");
    }
}
