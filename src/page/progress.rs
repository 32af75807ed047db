//! Progress: the map of lessons and parts, how the parts go, own ratings against the marks, minutes a day.

use serde_json::{Value, json};

use super::action::Action;
use super::keys::Scope;
use super::place::Place;
use super::view::{Lead, Row, View};
use super::{Act, At, Next, Page, history, ratings};
use crate::doc::{self, Document, Heat, HeatCell, HeatRow, Role};
use crate::pack::Pack;
use crate::services::Services;
use crate::services::job::Done;
use crate::store::{Filter, StoreError};
use crate::study::attempt::Attempt;
use crate::study::day::{Day, days_until};
use crate::study::done::{Doings, OfLesson};
use crate::study::home::Home;
use crate::study::rating::{Biases, Rated};
use crate::study::schedule::Grade;
use crate::study::strength::{Cell, Trend, dropped_sentence};
use crate::study::words::{capital, percent, some};

mod cards;
mod heard;
pub(in crate::page) mod lessons;
mod plot;

/// How many answers are looked at.
const MOST: u32 = 200;
/// Answers that a high screen names.
const LATEST: u32 = 20;
/// How many days are looked at.
const DAYS: u32 = 28;
/// Columns that each card needs.
const CARDS: [u16; 3] = [38, 40, 28];

/// What is known of the learner over all courses.
pub struct Progress {
    homes: Vec<Home>,
    /// The newest answers, with the marks that count: as the verdict and the history show them.
    attempts: Vec<Attempt>,
    /// The same with the marks that strengths are made of.
    graded: Vec<Attempt>,
    rated: Vec<Vec<Rated>>,
    /// What was done in the last days over all courses, the oldest first.
    days: Vec<(Day, Doings)>,
    /// What was done of each lesson, by course.
    lessons: Vec<Vec<OfLesson>>,
    /// The rehearsals that ended.
    rehearsals: usize,
    card: Card,
    /// Whether it is heard, so that the map is told in sentences; and whether all of it is read.
    heard: Option<Heard>,
}

/// How the map is heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Heard {
    Summary,
    Map,
}

/// The cards of the page. The first is the map with all others in short.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Card {
    Map,
    Trend,
    Rating,
    Activity,
}

impl Card {
    const ALL: [(Card, &'static str); 4] = [
        (Card::Map, "Map"),
        (Card::Trend, "Trend"),
        (Card::Rating, "Own rating"),
        (Card::Activity, "Activity"),
    ];

    /// So many cards on, round and round.
    fn turned(self, by: usize) -> Card {
        let at = Card::ALL.iter().position(|(card, _)| *card == self).unwrap_or(0);
        Card::ALL[(at + by) % Card::ALL.len()].0
    }
}

/// A cell of the map: a course by its index, a lesson and a part of it by their places.
#[derive(Clone, Copy)]
struct At3 {
    pack: usize,
    lesson: usize,
    part: usize,
}

impl Progress {
    /// Progress in all courses.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn open(at: &At) -> Result<Self, String> {
        Self::read(at).map_err(|fault| fault.to_string())
    }

    fn read(at: &At) -> Result<Self, StoreError> {
        let services = &at.services;
        let packs = || services.library.packs.iter();
        let days = days_until(at.now, &services.zone, DAYS);
        let kept = services.history(&Filter::default(), MOST)?;
        let mut done = vec![Doings::default(); days.len()];
        for pack in packs() {
            for (sum, day) in done.iter_mut().zip(services.store.doings(&pack.id, &days)?) {
                *sum = sum.and(day);
            }
        }
        let homes: Vec<Home> =
            (0..packs().count()).map(|i| services.home(i, at.now)).collect::<Result<_, _>>()?;
        Ok(Progress {
            lessons: packs().zip(&homes).map(|(pack, home)| lessons::of(pack, home, services)).collect(),
            rehearsals: (packs().map(|p| services.store.rehearsals(&p.id, MOST).map(|all| all.len())))
                .sum::<Result<usize, _>>()?,
            card: Card::Map,
            heard: None,
            homes,
            attempts: kept.iter().map(Attempt::as_counted).collect(),
            graded: kept.iter().map(Attempt::as_graded).collect(),
            rated: packs().map(|p| services.store.ratings(&p.id, MOST)).collect::<Result<_, _>>()?,
            days: days.into_iter().zip(done).collect(),
        })
    }

    /// The cell of the map that has this number.
    fn cell(row: usize, services: &Services) -> Option<At3> {
        let mut left = row;
        for (index, pack) in services.library.packs.iter().enumerate() {
            let parts = pack.parts.len().max(1);
            let cells = pack.index().lessons.len() * parts;
            match left.checked_sub(cells) {
                Some(rest) => left = rest,
                None => return Some(At3 { pack: index, lesson: left / parts, part: left % parts }),
            }
        }
        None
    }

    /// The number of the weakest cell of the first course that has marks.
    fn weakest(&self, services: &Services) -> usize {
        let mut before = 0;
        for (pack, home) in services.library.packs.iter().zip(&self.homes) {
            let lessons = &pack.index().lessons;
            if let Some(cell) = home.strengths.weakest()
                && let Some(lesson) = lessons.iter().position(|l| *l.id == *cell.lesson)
                && let Some(part) = pack.parts.iter().position(|p| p.id == cell.part)
            {
                return before + lesson * pack.parts.len() + part;
            }
            before += lessons.len() * pack.parts.len();
        }
        0
    }

    fn known(&self, at: At3, pack: &Pack) -> Option<&Cell> {
        let lesson = pack.index().lessons.get(at.lesson)?;
        self.homes.get(at.pack)?.strengths.cell(&lesson.id, &pack.parts.get(at.part)?.id)
    }

    /// A drill on one part of a lesson: of those that ask for it, the one answered longest ago, or never.
    fn drill(&self, row: usize, at: &mut At) -> Next {
        let found = Self::cell(row, at.services).and_then(|cell| Some((cell, at.services.pack(cell.pack)?)));
        let Some((cell, pack)) = found else { return Next::Stay };
        let (lesson, part) = (&pack.index().lessons[cell.lesson], &pack.parts[cell.part]);
        let last = |id: &str| {
            let of = |a: &&Attempt| a.pack == pack.id && a.drill == id && a.part.as_ref() == Some(&part.id);
            self.attempts.iter().find(of).map(|a| a.at)
        };
        let asks = pack.index().drills_of(&lesson.id).filter(|d| d.parts.iter().any(|p| *p == *part.id));
        match asks.min_by_key(|d| last(&d.id)) {
            Some(drill) => {
                let (id, only) = (drill.id.to_string(), Some(part.id.clone()));
                Next::Go(Place::Drill { pack: cell.pack, id, only })
            }
            None => {
                let text = format!("no drill of this lesson asks for {} yet", part.title);
                at.say(text);
                Next::Stay
            }
        }
    }
}

/// The map of a course.
fn heat(pack: &Pack, home: &Home, done: &[OfLesson]) -> Heat {
    let columns = pack.parts.iter().map(|p| (p.title.clone(), p.title.chars().take(4).collect()));
    let cell = |lesson: &str, part: &str| {
        let known = home.strengths.cell(lesson, part);
        let trend = match known.and_then(Cell::trend) {
            Some(Trend::Up) => 1,
            Some(Trend::Down) => -1,
            _ => 0,
        };
        HeatCell { share: known.map(Cell::strength), trend }
    };
    let rows = pack.index().lessons.iter().zip(done).map(|(lesson, done)| HeatRow {
        title: lesson.title.to_string(),
        cells: pack.parts.iter().map(|part| cell(&lesson.id, &part.id)).collect(),
        notes: lessons::notes(done).into(),
        said: if done.is_begun() { done.words() } else { String::new() },
    });
    Heat { columns: columns.collect(), rows: rows.collect(), notes: lessons::NOTES.map(String::from).into() }
}

/// How a cell stands, in words.
fn standing(cell: Option<&Cell>) -> String {
    let Some(cell) = cell else { return "not asked yet".into() };
    let way = match cell.trend() {
        Some(Trend::Up) => ", getting better",
        Some(Trend::Down) => ", getting worse",
        Some(Trend::Steady) => ", steady",
        None => "",
    };
    let answers = some(usize::try_from(cell.answers).unwrap_or(usize::MAX), "answer");
    let given = match cell.given {
        0 => String::new(),
        n => format!(", {n} by the instructor, {}", cell.given_by),
    };
    let claimed = match cell.claimed {
        0 => String::new(),
        n => format!(
            ", {} by your own word: a Yes does not count here, a No does",
            if n == 1 { "1 mark".into() } else { format!("{n} marks") }
        ),
    };
    format!("{} over {answers}{way}{given}{claimed}", percent(cell.strength()))
}

impl Page for Progress {
    fn title(&self, _: &Services) -> Vec<String> {
        vec!["Progress".into()]
    }

    fn scopes(&self) -> Vec<Scope> {
        match self.card {
            Card::Map if self.attempts.is_empty() => vec![Scope::ProgressLessons, Scope::Progress],
            Card::Map => {
                let heard = self.heard.map(|_| Scope::ProgressHeard);
                heard.into_iter().chain([Scope::ProgressMap, Scope::Progress]).collect()
            }
            Card::Trend | Card::Rating if self.answers().next().is_none() => vec![Scope::Progress],
            Card::Trend | Card::Rating => vec![Scope::ProgressAnswers, Scope::Progress],
            Card::Activity => vec![Scope::Progress],
        }
    }

    fn view(&self, at: &At) -> View {
        let due: u64 = self.homes.iter().map(|h| h.due.total()).sum();
        let answers: u64 = self.homes.iter().map(|h| h.attempts).sum();
        let done = self.lessons.iter().flatten().copied().fold(OfLesson::default(), OfLesson::and);
        let counts = [
            (usize::try_from(answers).unwrap_or(usize::MAX), "answer", ""),
            (self.rehearsals, "rehearsal", ""),
            (done.read.done, "lesson", " read"),
        ];
        let counts = counts.into_iter().filter(|(count, _, _)| *count > 0);
        let counts = counts.map(|(count, noun, more)| format!("{}{more}", some(count, noun)));
        let facts: Vec<String> = counts.chain([format!("{due} due")]).collect();
        let turn = Card::ALL.iter().position(|(card, _)| *card == self.card).unwrap_or(0);
        let view = View::new().list([self.tabs()]);
        let shown = match self.card {
            Card::Map => self.map(view, at),
            Card::Trend => cards::all_trends(self, at).under(view),
            Card::Rating => ratings::of(&self.graded, at).under(view),
            Card::Activity => cards::all_days(&self.days).under(view),
        };
        shown.facts(facts.join(", ")).turn(turn)
    }

    fn act(&mut self, act: Act, at: &mut At) -> Next {
        if let Act::Open(row) = act {
            let is_summary = self.heard == Some(Heard::Summary) && self.card == Card::Map;
            let row = match is_summary && !self.attempts.is_empty() {
                true => heard::listed(self, at.services).get(row).copied(),
                false => Some(row),
            };
            return row.map_or(Next::Stay, |row| self.drill(row, at));
        }
        match act.action() {
            Some(Action::Open)
                if self.heard.is_some() && self.card == Card::Map && !self.attempts.is_empty() =>
            {
                self.drill(self.weakest(at.services), at)
            }
            Some(Action::Toggle) => {
                self.heard = self.heard.map(|heard| match heard {
                    Heard::Summary => Heard::Map,
                    Heard::Map => Heard::Summary,
                });
                Next::Show
            }
            Some(Action::NextPage) => {
                self.card = self.card.turned(1);
                Next::Show
            }
            Some(Action::PrevPage) => {
                self.card = self.card.turned(Card::ALL.len() - 1);
                Next::Show
            }
            Some(Action::Again) if self.card != Card::Map => {
                let Act::On(_, row) = act else { return Next::Stay };
                let drill = self.answers().nth(row).and_then(|a| {
                    let pack = at.services.library.index(&a.pack)?;
                    Some(Place::Drill { pack, id: a.drill.clone(), only: None })
                });
                drill.map_or(Next::Stay, Next::Go)
            }
            Some(Action::Plan) => Next::Go(Place::Plan),
            Some(Action::Rate) => Next::Go(Place::Ratings),
            Some(Action::History) => Next::Go(Place::History { drill: None }),
            Some(Action::Reports) => Next::Go(Place::Reports),
            _ => Next::Stay,
        }
    }

    fn preview(&self, row: usize, at: &At) -> Option<Document> {
        if self.card != Card::Map || self.attempts.is_empty() {
            return None;
        }
        let cell = Self::cell(row, at.services)?;
        let pack = at.services.pack(cell.pack)?;
        let (lesson, part) = (pack.index().lessons.get(cell.lesson)?, pack.parts.get(cell.part)?);
        let known = self.known(cell, pack);
        let title = |id: &str| pack.index().lesson(id).map_or(id.to_owned(), |l| l.title.to_string());
        let name = |id: &str| {
            pack.parts.iter().find(|p| p.id == id).map_or(id.to_owned(), |p| p.title.to_lowercase())
        };
        let strengths = &self.homes.get(cell.pack)?.strengths;
        let dropped = known.filter(|c| c.is_dropped()).or(strengths.most_dropped());
        let done =
            self.lessons.get(cell.pack).and_then(|of| of.get(cell.lesson)).copied().unwrap_or_default();
        let lesson = title(&lesson.id);
        let about = Document::new().words(&format!("{lesson}, {}: {}.", part.title, standing(known)));
        let mut more = String::new();
        if let Some(cell) = dropped {
            let text = dropped_sentence(cell, &name(&cell.part), &title(&cell.lesson));
            more = format!("{}. ", capital(&text));
        }
        if let Some(share) = strengths.part(&part.id) {
            more.push_str(&format!("{}: {} over the lessons answered so far.", part.title, percent(share)));
        }
        let about = about.words(&format!("This lesson: {}.", done.words()));
        Some(about.dim(more.trim_end()))
    }

    fn tall(&self, at: &At) -> Option<(Document, Document)> {
        let is_map = self.card == Card::Map && !self.attempts.is_empty();
        let cards = || View::new().columns(CARDS.into_iter().zip(self.cards(at).map(cards::apart))).body;
        is_map.then(|| (cards(), history::latest(LATEST, at)))
    }

    fn back(&mut self, _: Option<Grade>, at: &mut At) -> Next {
        let read = Self::read(at);
        if let Some(read) = at.or_say(read) {
            *self = Progress { card: self.card, heard: self.heard, ..read };
        }
        Next::Show
    }

    fn by_ear(&mut self, _: &mut At) {
        self.heard = Some(Heard::Summary);
    }

    fn done(&mut self, done: &Done, at: &mut At) -> Next {
        if matches!(done, Done::Opened) {
            self.back(None, at);
        }
        Next::Stay
    }
}

impl Progress {
    /// The names of the cards; the one that is shown stands out.
    fn tabs(&self) -> Row {
        let names = Card::ALL.iter().map(|(card, name)| {
            let role = if *card == self.card { Role::Tab } else { Role::Dim };
            doc::Cell::text(name).role(role) + doc::Cell::text("   ")
        });
        let shown = Card::ALL.iter().find(|(card, _)| *card == self.card).map_or("", |(_, name)| *name);
        let next = self.card.turned(1);
        let next = Card::ALL.iter().find(|(card, _)| *card == next).map_or("", |(_, name)| *name);
        let said = match self.card {
            Card::Map => String::new(),
            _ => format!("{shown}. next card goes on to: {next}"),
        };
        Row::plain().cell(doc::Cell::join(names)).said(said)
    }

    /// The answers that the shown card lists.
    fn answers(&self) -> impl Iterator<Item = &Attempt> {
        let rated = self.card == Card::Rating;
        self.attempts.iter().filter(move |a| !rated || Rated::of(a).is_some())
    }

    /// The map, what is told of its cells, and the other cards in short.
    fn map(&self, mut view: View, at: &At) -> View {
        if self.attempts.is_empty() {
            return lessons::view(self, view, at);
        }
        if self.heard == Some(Heard::Summary) {
            return heard::view(self, view, at);
        }
        let packs = &at.services.library.packs;
        for ((pack, home), done) in packs.iter().zip(&self.homes).zip(&self.lessons) {
            if packs.len() > 1 {
                view = view.title(&pack.title);
            }
            view = view.heat(heat(pack, home, done), |_, _| Lead::Here);
        }
        let asks = if self.heard.is_some() { heard::next(self, at.services) } else { String::new() };
        view.stacked()
            .enter(&asks)
            .beside(View::new().columns(CARDS.into_iter().zip(self.cards(at))))
            .begin_at(self.weakest(at.services))
            .closing(
                "A number asks for just that part of that lesson. map tells the summary again, next card tells the \
                 trend, q goes back.",
            )
    }

    /// The other cards in short.
    fn cards(&self, at: &At) -> [View; 3] {
        [cards::trends(self, at.services), cards::ratings(self, at.services), cards::activity(&self.days)]
    }

    /// Strengths and own ratings by course.
    pub fn to_json(&self, services: &Services) -> Value {
        let packs = services.library.packs.iter().zip(&self.homes).zip(&self.rated);
        let of = |(at, ((pack, home), rated)): (usize, ((&Pack, &Home), &Vec<Rated>))| {
            let done = self.lessons.get(at).map_or(&[][..], Vec::as_slice);
            let cells = home.strengths.cells.iter().map(|c| {
                json!({"lesson": c.lesson, "part": c.part, "answers": c.answers, "strength": c.strength(),
                           "by_instructor": c.given, "instructor": c.given_by})
            });
            let parts: Vec<String> = pack.parts.iter().map(|p| p.id.clone()).collect();
            json!({
                "pack": pack.id, "attempts": home.attempts, "due": home.due.total(),
                "strengths": cells.collect::<Vec<_>>(), "self_rating": Biases::of(rated, &parts),
                "lessons": lessons::to_json(pack, done),
            })
        };
        Value::Array(packs.enumerate().map(of).collect())
    }
}
