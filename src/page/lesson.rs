//! A lesson: its section to read, and what belongs to it.

use std::collections::BTreeSet;

use super::action::Action;
use super::keys::Scope;
use super::place::Place;
use super::view::{Row, View};
use super::{Act, At, Next, Page};
use crate::doc::{Cell, Document};
use crate::pack::index::Puzzle;
use crate::pack::{CheckKind, Lab, Lesson as LessonOf, Pack, prose};
use crate::services::record::{Graded, Item};
use crate::services::{Record, Services};
use crate::sim;
use crate::store::{sections_key, seen_key};
use crate::study::duration;
use crate::study::home::{LessonProgress, Position};
use crate::study::next;
use crate::study::schedule::{self, Grade, ItemKind};
use crate::study::words::{minutes, percent, some};
use cards::cards;
pub use cards::pieces;
use sections::Section;

mod aloud;
mod cards;
mod progress;
mod sections;

pub use progress::done;

/// Before the number of the next part, in what is kept as the pane of a reading position.
const PANE: &str = "plain ";

/// A lesson.
pub struct Lesson {
    pack: usize,
    pack_id: String,
    id: String,
    title: String,
    text: String,
    parts: Vec<Part>,
    /// The part that is read next in lines, and the card of it.
    next: (usize, usize),
    /// What was read in lines last.
    read: Option<(usize, usize)>,
    /// What was read at once.
    whole: aloud::Whole,
    /// Where the section was left.
    left: Option<Position>,
    is_done: bool,
    /// How much of it was read, 0 to 100.
    seen: usize,
    sections: Vec<Section>,
    /// The sections that were read.
    gone: BTreeSet<usize>,
    /// The cards that were heard.
    heard: BTreeSet<(usize, usize)>,
    has: Has,
}

/// A lesson in short: its title, its summary, its words.
pub(super) fn about_lesson(head: Document, pack: &Pack, lesson: &LessonOf) -> Document {
    let words = lesson.section.terms.iter().filter_map(|id| pack.term(id)).map(|term| &*term.name);
    let words = words.collect::<Vec<_>>().join(", ");
    let about = head.title(&lesson.title).words(&lesson.summary);
    if words.is_empty() { about } else { about.dim(&format!("Its words: {words}")) }
}

/// A part of the section, in cards that are spoken one at a time. Markdown.
struct Part {
    title: String,
    cards: Vec<String>,
}

/// What a lesson has, so that no key is named that does nothing.
#[derive(Debug, Clone, Copy)]
pub struct Has {
    /// A lab.
    pub labs: bool,
    checks: bool,
    drills: bool,
    sims: bool,
    puzzles: bool,
}

impl Lesson {
    /// The lesson with this id of the pack with this index, where it was left.
    ///
    /// # Errors
    /// Where the pack has no such lesson.
    pub fn open(pack: usize, id: &str, at: &At) -> Result<Self, String> {
        let services = &at.services;
        let found = services.pack(pack).and_then(|of| Some((of, of.lesson(id)?)));
        let (of, lesson) = found.ok_or_else(|| format!("this pack has no lesson `{id}`"))?;
        let text = of.named(&prose::section(of, lesson)).into_owned();
        let left = services.store.position(&of.id, id, None).ok().flatten();
        let home = services.home(pack, at.now).unwrap_or_default();
        let gone = services.setting(&sections_key(&of.id, id)).ok().flatten();
        let mut page = Lesson {
            sections: sections::sections(&text),
            gone: gone.map(|text| sections::kept(&text)).unwrap_or_default(),
            heard: BTreeSet::new(),
            pack,
            pack_id: of.id.clone(),
            id: id.to_owned(),
            title: lesson.title.clone(),
            parts: pieces(&text)
                .into_iter()
                .map(|(title, text)| Part { title, cards: cards(&text) })
                .collect(),
            text,
            next: (0, 0),
            read: None,
            whole: aloud::Whole::No,
            is_done: home.lessons.get(id).is_some_and(|p| p.read),
            seen: home.lessons.get(id).map_or(0, |p| (p.seen * 100.0).round() as usize),
            has: Has {
                labs: !lesson.labs.is_empty(),
                checks: of.checks_of(id).next().is_some(),
                drills: of.drills_of(id).next().is_some(),
                sims: progress::sim_links(lesson).next().is_some(),
                puzzles: of.puzzles_of(id).next().is_some(),
            },
            left,
        };
        let kept = page.left.as_ref().and_then(|p| p.pane.strip_prefix(PANE));
        let kept = kept.and_then(|at| {
            let (part, card) = at.split_once('.').unwrap_or((at, "0"));
            Some((part.parse().ok()?, card.parse().ok()?))
        });
        page.next = kept.filter(|at| page.card(*at).is_some()).unwrap_or_default();
        page.heard = (0..page.next.1).map(|card| (page.next.0, card)).collect();
        Ok(page)
    }

    /// The lesson at one of its headings; where it was left, if it has no such heading.
    ///
    /// # Errors
    /// Where the pack has no such lesson.
    pub fn open_at(pack: usize, id: &str, title: &str, at: &At) -> Result<Self, String> {
        let mut page = Lesson::open(pack, id, at)?;
        let is_it = |text: &str| text.lines().any(|line| line.trim_start_matches('#').trim() == title);
        let places = page.parts.iter().enumerate().flat_map(|(nth, part)| {
            part.cards.iter().enumerate().map(move |(card, text)| ((nth, card), text.as_str()))
        });
        let found = places.into_iter().find(|(_, text)| is_it(text)).map(|(place, _)| place);
        page.next = found.unwrap_or(page.next);
        Ok(page)
    }

    /// The section. Markdown.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The index of its pack.
    pub fn pack(&self) -> usize {
        self.pack
    }

    /// What it has.
    pub fn has(&self) -> Has {
        self.has
    }

    /// Where it was left.
    pub fn left(&self) -> Option<&Position> {
        self.left.as_ref()
    }

    /// Whether it was read to its end.
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// The lab whose code stands beside the section.
    pub fn lab<'a>(&self, services: &'a Services) -> Option<&'a Lab> {
        services.library.lesson(self.pack, &self.id)?.labs.first()
    }

    /// Its minutes as Home has them, where it holds more than what is read.
    fn time(&self, pack: &Pack) -> String {
        let lesson = pack.index().lesson(&self.id);
        let (read, all) = lesson.map_or((0, 0), |l| (l.minutes, duration::lesson(pack.index(), l)));
        match all > read {
            true => format!("{} to read, {} in all", minutes(read), minutes(all)),
            false => minutes(read),
        }
    }

    /// Minutes to read the section.
    pub fn minutes(&self, services: &Services) -> u32 {
        services.library.lesson(self.pack, &self.id).map_or(0, |l| l.minutes)
    }

    /// Keeps where a terminal left it: a block of the text, a line of the code, and which of them has the keys.
    pub fn leave_at(&mut self, block: usize, line: usize, pane: &str, at: &mut At) {
        let small = |n: usize| u32::try_from(n).unwrap_or(0);
        self.keep(small(line), small(block), pane.to_owned(), at);
    }

    fn keep(&mut self, line: u32, scroll: u32, pane: String, at: &mut At) {
        let (pack, lesson) = (self.pack_id.clone(), self.id.clone());
        let position = Position { pack, lesson, lab: None, line, scroll, pane, at: at.now };
        self.left = Some(position.clone());
        let kept = at.services.keep(Record::Position(position), at.now);
        kept.said().into_iter().for_each(|text| at.say(text));
    }

    /// Keeps how well a note of its lab was known.
    pub fn grade(&self, note: String, grade: Grade, at: &mut At) {
        let item = schedule::Item { kind: ItemKind::Note, id: note };
        let graded = Graded { pack: self.pack_id.clone(), lesson: self.id.clone(), item, grade };
        let kept = at.services.keep(Record::Grade(graded), at.now);
        let said =
            kept.said().unwrap_or_else(|| format!("{}; the note comes back in the review", grade.words()));
        at.say(said);
    }

    fn mark(&mut self, done: bool, at: &mut At) {
        self.is_done = done;
        if !done {
            (self.gone, self.heard) = Default::default();
            self.keep_sections(at);
        }
        let item = Item { pack: self.pack_id.clone(), lesson: self.id.clone(), lab: None };
        let kept = at.services.keep(Record::Done(item, done), at.now);
        kept.said().into_iter().for_each(|text| at.say(text));
    }

    fn card(&self, (part, card): (usize, usize)) -> Option<&str> {
        self.parts.get(part)?.cards.get(card).map(String::as_str)
    }

    /// What comes after a card: the next one of its part, else the next part.
    fn after(&self, (part, card): (usize, usize)) -> (usize, usize) {
        match self.card((part, card + 1)) {
            Some(_) => (part, card + 1),
            None => (part + 1, 0),
        }
    }

    fn neighbour(&self, forward: bool, at: &mut At) -> Next {
        let lessons = at.services.pack(self.pack).map_or(&[][..], |pack| &pack.lessons[..]);
        let here = lessons.iter().position(|l| l.id == self.id);
        let next = here.and_then(|here| if forward { here.checked_add(1) } else { here.checked_sub(1) });
        match next.and_then(|next| lessons.get(next)) {
            Some(lesson) => Next::Replace(Place::Lesson { pack: self.pack, id: lesson.id.clone() }),
            None => {
                at.say("there are no more lessons that way");
                Next::Stay
            }
        }
    }

    /// Where an action leads that opens what belongs to the lesson.
    fn leads(&self, action: Action, at: &mut At) -> Option<Place> {
        let of = at.services.pack(self.pack)?;
        let lesson = of.lesson(&self.id)?;
        let pack = self.pack;
        match action {
            Action::Lab => lesson.labs.first().map(|lab| Place::Lab { pack, id: lab.id.clone() }),
            Action::Checks => Some(Place::Checks { pack, lesson: self.id.clone(), only: None }),
            Action::Drill => {
                let home = at.services.home(self.pack, at.now).ok()?;
                let drill = next::drill(of, &home, &self.id)?;
                Some(Place::Drill { pack, id: drill.id.to_string(), only: None })
            }
            Action::Simulate => progress::sim_links(lesson).next().map(|(_, place)| place),
            Action::Puzzle => {
                let best = at.services.puzzles(&self.pack_id);
                let puzzles = || of.index().puzzles_of(&self.id);
                let is_open = |z: &&Puzzle| !best.get(&*z.id).is_some_and(|b| z.is_at_par(b.best));
                let first = puzzles().find(is_open).or_else(|| puzzles().next());
                first.map(|z| Place::Puzzle { pack, id: z.id.to_string() })
            }
            _ => None,
        }
    }

    /// What belongs to the lesson, each a row with its words.
    fn inside(&self, pack: &Pack, lesson: &LessonOf) -> Vec<Row> {
        let index = self.pack;
        let row = |text: String, place: Place| Row::to(place).cell(Cell::text(text));
        let mut rows = Vec::new();
        if !lesson.section.terms.is_empty() {
            let words = format!("Words of this lesson: {}", lesson.section.terms.len());
            rows.push(row(words, Place::Glossary { pack: index, lesson: Some(self.id.clone()) }));
        }
        for lab in &lesson.labs {
            let place = Place::Lab { pack: index, id: lab.id.clone() };
            rows.push(row(format!("Lab: {}. {} minutes", lab.title, lab.minutes), place));
        }
        let checks = |only: Option<String>| Place::Checks { pack: index, lesson: self.id.clone(), only };
        let sheets = pack.checks_of(&self.id).filter_map(|check| match &check.kind {
            CheckKind::Worksheet(sheet) => Some((check, sheet)),
            _ => None,
        });
        let short = pack.checks_of(&self.id).filter(|c| !matches!(c.kind, CheckKind::Worksheet(_))).count();
        if short > 0 {
            rows.push(row(format!("Checks: {}", some(short, "short question")), checks(None)));
        }
        rows.extend(sheets.map(|(check, sheet)| {
            row(format!("Worksheet: {}", sheet.title), checks(Some(check.id.clone())))
        }));
        for drill in pack.drills_of(&self.id) {
            let place = Place::Drill { pack: index, id: drill.id.clone(), only: None };
            rows.push(row(format!("Drill: {} {} minutes", drill.prompt, drill.minutes), place));
        }
        rows.extend(
            progress::sim_links(lesson).map(|(title, place)| row(format!("Simulator: {title}"), place)),
        );
        for puzzle in pack.puzzles_of(&self.id) {
            let place = Place::Puzzle { pack: index, id: puzzle.id.clone() };
            rows.push(row(format!("Puzzle: {}", puzzle.title), place));
        }
        rows
    }
}

impl Page for Lesson {
    fn title(&self, _: &Services) -> Vec<String> {
        vec![self.title.clone()]
    }

    fn scopes(&self) -> Vec<Scope> {
        let also = [
            (self.has.drills, Scope::LessonDrill),
            (self.has.checks, Scope::LessonChecks),
            (true, Scope::Lesson),
            (self.has.sims, Scope::LessonSim),
            (self.has.puzzles, Scope::LessonPuzzle),
        ];
        also.iter().filter(|(has, _)| *has).map(|(_, scope)| *scope).collect()
    }

    fn view(&self, at: &At) -> View {
        let found = at.services.pack(self.pack).and_then(|pack| Some((pack, pack.lesson(&self.id)?)));
        let Some((pack, lesson)) = found else { return View::new() };
        let progress = at.services.home(self.pack, at.now).ok();
        let progress = progress.as_ref().and_then(|home| home.lessons.get(&self.id));
        let read = |(nth, part): (usize, &Part)| {
            Row::here().cell(Cell::text(format!("Read: {}{}", part.title, self.heard(nth))))
        };
        let is_begun = progress.is_none() && self.left.is_some();
        let done = if is_begun { "Begun.".to_owned() } else { done(pack, lesson, progress) };
        let view = View::new()
            .of_pack(self.pack)
            .words(&format!("Lesson, {}. {}", self.time(pack), lesson.summary))
            .words(&done)
            .list(self.parts.iter().enumerate().map(read).chain(self.inside(pack, lesson)))
            .passing()
            .typed(aloud::typed(self.has.labs))
            .spoken("A number, or everything to hear the whole lesson");
        let view = match (self.parts.get(self.next.0), self.next.1) {
            (Some(next), 0) => view.enter(&format!("reads: {}", next.title)),
            (Some(next), card) => {
                let (title, all) = (&next.title, next.cards.len());
                view.enter(&format!("reads on: {title}, {} of {all}", card + 1))
            }
            (None, _) if self.read.is_some() => view.enter("lists what to do with the lesson"),
            (None, _) => view,
        }
        .at(self.whereabouts());
        match self.spoken() {
            Some(read) => view.beside(View::new().with(|body| body.and(read))),
            None => view,
        }
    }

    fn act(&mut self, act: Act, at: &mut At) -> Next {
        match act {
            Act::Open(part) if part < self.parts.len() => return self.read_on((part, 0), at),
            Act::Line(line) => return self.line(&line, at),
            _ => {}
        }
        match act.action() {
            Some(Action::Open) => self.read_on(self.next, at),
            Some(Action::NextPage) => self.neighbour(true, at),
            Some(Action::PrevPage) => self.neighbour(false, at),
            Some(Action::MarkDone) => {
                self.mark(!self.is_done, at);
                at.say(if self.is_done { "marked as read" } else { "marked as not read" });
                Next::Stay
            }
            Some(action) => self.leads(action, at).map_or(Next::Stay, Next::Go),
            None => Next::Stay,
        }
    }

    fn back(&mut self, _: Option<Grade>, _: &mut At) -> Next {
        Next::Stay
    }
}
