//! The outside: carries out effects on the store, the clipboard, the editor and python3, and
//! answers with replies. It draws nothing.

use std::io::Write;
use std::path::PathBuf;
use std::sync::mpsc::Sender;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::app::effect::{Dispute, Effect, Graded, Item, Query, Reply};
use crate::app::event::What;
use crate::app::library::Read;
use crate::pack::{Origin, Pack, fingerprint};
use crate::store::{self, Done, Filter, Rescue, Store, StoreError, Typed};
use crate::study::change::{Content, News};
use crate::study::schedule::{Grade, ItemKind, Schedule};

pub mod edit;
mod rehearsal;
pub mod run;

/// A pack, as the outside needs it.
#[derive(Debug, Clone)]
struct Course {
    pack: Pack,
    /// What it holds, to tell what changed; none before it was read.
    content: Option<Content>,
}

/// The outside.
pub struct Shell {
    store: Store,
    zone: TimeZone,
    courses: Vec<Course>,
    /// Where copies of starters go.
    work: PathBuf,
    rescue: Rescue,
    to: Sender<What>,
}

/// What came of an effect.
pub enum Outside {
    /// It is done, and perhaps answered. What takes long is answered later, as an event.
    Done(Option<Reply>),
    /// It needs the terminal for itself.
    NeedsTerminal(Box<dyn FnOnce() -> Reply>),
}

impl Shell {
    /// The outside of a store and some packs. Copies of starters go below `work`.
    pub fn new(store: Store, packs: &[Pack], (zone, work): (TimeZone, PathBuf), to: Sender<What>) -> Self {
        let rescue = Rescue::new(&work);
        let mut shell = Self { store, zone, courses: Vec::new(), rescue, work, to };
        for pack in packs {
            match pack.is_read() {
                true => shell.adopt(Read::of(pack)),
                false => shell.courses.push(Course { pack: pack.clone(), content: None }),
            }
        }
        shell
    }

    /// Takes a pack that was read: one more, or one of which only the table of contents was known.
    fn adopt(&mut self, read: Read) {
        // a fault is said when Home asks what is due
        let _ = self.store.take_up(&read.pack);
        let course = Course { pack: read.pack, content: Some(read.content) };
        match self.courses.iter_mut().find(|c| c.pack.id == course.pack.id) {
            Some(known) => *known = course,
            None => self.courses.push(course),
        }
    }

    /// Writes what is typed to files too: for a store that ends with the process.
    pub fn to_files(self) -> Self {
        Self { rescue: self.rescue.to_files(), ..self }
    }

    /// Carries out one effect.
    pub fn carry_out(&mut self, effect: Effect, now: Timestamp) -> Outside {
        match effect {
            Effect::Edit(pack, lab) => match self.starter(pack, &lab) {
                Some(starter) => edit::job(&starter, &self.work),
                None => Outside::Done(None),
            },
            Effect::Run(pack, lab) => Outside::Done(self.run(pack, &lab)),
            Effect::Adopt(read) => {
                self.adopt(*read);
                Outside::Done(None)
            }
            Effect::Bell => {
                terminal_write("\x07");
                Outside::Done(None)
            }
            Effect::Copy(text) => {
                copy(&text);
                Outside::Done(None)
            }
            effect => Outside::Done(match self.keep(effect, now) {
                Ok(reply) => reply,
                Err(fault) => Some(Reply::Failed(fault.to_string())),
            }),
        }
    }

    fn starter(&self, pack: usize, lab: &str) -> Option<run::Starter> {
        run::starter_of(&self.courses.get(pack)?.pack, lab)
    }

    fn run(&self, pack: usize, lab: &str) -> Option<Reply> {
        let starter = self.starter(pack, lab)?;
        let of = &self.courses.get(pack)?.pack;
        if !self.is_trusted(of) {
            let note = format!(
                "this pack is not trusted, so its code does not run here; this is its stored output. \
                 `infralens pack trust {}` trusts it",
                of.id
            );
            return Some(Reply::Ran(starter.stored(pack, &note)));
        }
        run::start(pack, starter, self.to.clone());
        None
    }

    /// Whether the starters of a pack may run: of the built-in one, or of a trusted one.
    fn is_trusted(&self, pack: &Pack) -> bool {
        match &pack.origin {
            Origin::BuiltIn(_) => true,
            Origin::Folder(path) => {
                let place = path.display().to_string();
                self.store.is_trusted(&pack.id, &place, &fingerprint(pack)).unwrap_or(false)
            }
        }
    }

    fn keep(&mut self, effect: Effect, now: Timestamp) -> Result<Option<Reply>, StoreError> {
        match effect {
            Effect::SavePosition(position) => self.store.save_position(&position)?,
            Effect::SaveDone(item, done) => self.save_done(&item, done, now)?,
            Effect::SaveDraft(draft) => {
                let typed = Typed { id: &draft.id, name: &draft.drill, text: &draft.text };
                let kept = self.store.save_draft(&draft);
                return Ok(self.rescue.after(kept, &typed).map(Reply::Failed));
            }
            Effect::DropDraft(id) => self.store.drop_draft(&id, now)?,
            Effect::Record(attempt) => {
                let typed = Typed { id: &attempt.id, name: &attempt.drill, text: &attempt.answer };
                let schedule = Schedule::new(self.zone.clone());
                let kept = self.store.record_attempt(&attempt, &schedule);
                let failed = self.rescue.after(kept, &typed).map(Reply::Failed);
                return Ok(Some(failed.unwrap_or(Reply::Recorded(attempt.id))));
            }
            Effect::Rate(attempt) => {
                if let Some(rating) = attempt.rating() {
                    self.store.rate_attempt(&attempt.id, &rating, now)?;
                }
            }
            Effect::RecordCheck(mut attempt) => {
                attempt.id = self.store.fresh_id(now)?;
                self.store.record_check(&attempt, &Schedule::new(self.zone.clone()))?;
            }
            Effect::Grade(graded) => self.grade(&graded, now)?,
            Effect::Overrule(g) => {
                let schedule = Schedule::new(self.zone.clone());
                self.store.overrule(&g.pack, &g.item, g.grade, &schedule)?;
            }
            Effect::SaveCell(e) => self.store.save_cell((&e.pack, &e.check), &e.cell, &e.text, now)?,
            Effect::SavePuzzle(s) => {
                self.store.save_puzzle((&s.pack, &s.puzzle), &s.found)?;
                return self.recall(Query::Puzzles(s.pack), now).map(Some);
            }
            Effect::Dispute(dispute) => self.dispute(dispute, now)?,
            effect @ (Effect::SaveRehearsal(_)
            | Effect::FinishRehearsal(..)
            | Effect::DropRehearsal(_)
            | Effect::TakeRehearsal(_)
            | Effect::Export(_)) => return self.rehearse(effect, now),
            Effect::SeeNews(pack) => {
                let course = self.courses.iter().find(|c| c.pack.id == pack);
                if let Some(content) = course.and_then(|c| c.content.as_ref()) {
                    self.store.see(content, now)?;
                }
            }
            Effect::Set(key, value) => self.store.set(key, &value, now)?,
            Effect::FreshId => return Ok(Some(Reply::Id(self.store.fresh_id(now)?))),
            Effect::Recall(query) => return self.recall(query, now).map(Some),
            Effect::Refresh => return self.home(now).map(Some),
            // Navigation and the terminal's own effects never come here.
            _ => {}
        }
        Ok(None)
    }

    fn save_done(&self, item: &Item, done: bool, now: Timestamp) -> Result<(), StoreError> {
        let what = item.lab.as_deref().map_or(Done::Section, Done::Lab);
        if done {
            self.store.mark_done(&item.pack, &item.lesson, what, now)
        } else {
            self.store.unmark_done(&item.pack, &item.lesson, what, now)
        }
    }

    fn grade(&self, g: &Graded, now: Timestamp) -> Result<(), StoreError> {
        if g.item.kind == ItemKind::Note && g.grade > Grade::Again {
            self.store.mark_done(&g.pack, &g.lesson, Done::Note(&g.item.id), now)?;
        }
        let schedule = Schedule::new(self.zone.clone());
        self.store.record_review(&g.pack, &g.item, g.grade, (&schedule, now))?;
        Ok(())
    }

    fn dispute(&self, d: Dispute, now: Timestamp) -> Result<(), StoreError> {
        let Some(attempt) = self.store.attempt(&d.attempt)? else {
            return Ok(());
        };
        self.store.dispute(&store::Dispute {
            id: self.store.fresh_id(now)?,
            attempt: attempt.id,
            pack: attempt.pack,
            drill: attempt.drill,
            target: d.target,
            item: d.about,
            note: d.note,
            at: d.at,
        })
    }

    fn recall(&self, query: Query, now: Timestamp) -> Result<Reply, StoreError> {
        const MOST: u32 = 50;
        let found = match &query {
            Query::Attempt(id) => self.store.attempt(id)?.into_iter().collect(),
            Query::Drill(pack, drill) => self.store.history(
                &Filter { pack: Some(pack.clone()), drill: Some(drill.clone()), ..Filter::default() },
                MOST,
            )?,
            Query::Newest(most) => {
                self.store.history(&Filter::default(), u32::try_from(*most).unwrap_or(MOST))?
            }
            Query::Cells(pack, check) => {
                let cells = self.store.cells(pack, check)?;
                return Ok(Reply::Cells(pack.clone(), check.clone(), cells));
            }
            Query::Puzzles(pack) => return Ok(Reply::Puzzles(pack.clone(), self.store.puzzles(pack)?)),
            Query::Cards(pack) => return Ok(Reply::Cards(pack.clone(), self.store.cards(pack)?)),
            Query::Reviews(pack, item) => {
                let log = self.store.reviews_of(pack, item)?;
                return Ok(Reply::Reviews(pack.clone(), item.clone(), log));
            }
            Query::News => {
                let contents = self.courses.iter().filter_map(|c| c.content.as_ref());
                let news = contents.map(|content| self.store.news(content, now));
                let news: Vec<Option<News>> = news.collect::<Result<_, _>>()?;
                return Ok(Reply::News(news.into_iter().flatten().collect()));
            }
            Query::Setting(key) => return Ok(Reply::Setting(key, self.store.setting(key)?)),
            Query::Report(id) => {
                let report = self.store.report(id)?.map(Box::new);
                return Ok(Reply::Report(id.clone(), report));
            }
            Query::Rehearsals(pack) => {
                let found = self.store.rehearsals(pack, MOST)?;
                return Ok(Reply::Rehearsals(pack.clone(), found));
            }
        };
        Ok(Reply::Attempts(query, found))
    }

    fn home(&self, now: Timestamp) -> Result<Reply, StoreError> {
        let mut homes = Vec::new();
        let mut positions = Vec::new();
        for course in &self.courses {
            homes.push(self.store.home(&course.pack.id, now, &self.zone)?);
            positions.extend(self.store.positions(&course.pack.id)?);
        }
        Ok(Reply::Home(homes, positions))
    }
}

fn copy(text: &str) {
    use crossterm::clipboard::CopyToClipboard;
    let _ = crossterm::execute!(std::io::stdout(), CopyToClipboard::to_clipboard_from(text));
}

fn terminal_write(text: &str) {
    let mut out = std::io::stdout();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
