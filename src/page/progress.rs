//! Progress: the map of lessons and parts, how the parts go, own ratings against the marks, minutes a day.

use serde_json::{Value, json};

use super::action::Action;
use super::job::Done;
use super::keys::Scope;
use super::place::Place;
use super::view::{Lead, View};
use super::{Act, At, Next, Page, ratings};
use crate::doc::{Document, Heat, HeatCell, HeatRow};
use crate::pack::Pack;
use crate::services::Services;
use crate::store::{Filter, StoreError};
use crate::study::attempt::Attempt;
use crate::study::day::days_until;
use crate::study::home::{Activity, Home};
use crate::study::rating::{Biases, Rated};
use crate::study::schedule::Grade;
use crate::study::strength::{Cell, Trend, dropped_sentence};
use crate::study::words::{percent, some};

mod cards;

/// How many answers are looked at.
const MOST: u32 = 200;
/// How many days are looked at.
const DAYS: u32 = 28;
/// Columns that each card needs.
const CARDS: [u16; 3] = [40, 34, 30];

/// What is known of the learner over all courses.
pub struct Progress {
    homes: Vec<Home>,
    attempts: Vec<Attempt>,
    rated: Vec<Vec<Rated>>,
    /// What was done in the last days over all courses, the oldest first.
    days: Vec<Activity>,
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
        let mut done = vec![Activity::default(); days.len()];
        for pack in packs() {
            for (sum, day) in done.iter_mut().zip(services.store.days(&pack.id, &days)?) {
                sum.attempts += day.attempts;
                sum.seconds += day.seconds;
            }
        }
        Ok(Progress {
            homes: (0..packs().count()).map(|i| services.home(i, at.now)).collect::<Result<_, _>>()?,
            attempts: services.history(&Filter::default(), MOST)?.iter().map(Attempt::as_graded).collect(),
            rated: packs().map(|p| services.store.ratings(&p.id, MOST)).collect::<Result<_, _>>()?,
            days: done,
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
fn heat(pack: &Pack, home: &Home) -> Heat {
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
    let rows = pack.index().lessons.iter().map(|lesson| HeatRow {
        title: lesson.title.to_string(),
        cells: pack.parts.iter().map(|part| cell(&lesson.id, &part.id)).collect(),
    });
    Heat { columns: columns.collect(), rows: rows.collect() }
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
    format!("{} over {answers}{way}{given}", percent(cell.strength()))
}

impl Page for Progress {
    fn title(&self, _: &Services) -> Vec<String> {
        vec!["Progress".into()]
    }

    fn scopes(&self) -> Vec<Scope> {
        vec![Scope::ProgressMap, Scope::Progress]
    }

    fn view(&self, at: &At) -> View {
        let due: u64 = self.homes.iter().map(|h| h.due.total()).sum();
        let answers: u64 = self.homes.iter().map(|h| h.attempts).sum();
        let answers = some(usize::try_from(answers).unwrap_or(usize::MAX), "answer");
        let mut view = View::new().dim(&format!("{answers}, {due} due"));
        for (pack, home) in at.services.library.packs.iter().zip(&self.homes) {
            view = view.title(&pack.title).heat(heat(pack, home), |_, _| Lead::Here);
        }
        if self.attempts.is_empty() {
            let text =
                "No answers yet. Choose a part of a lesson on the map, and a drill asks for just that part.";
            return view.words(text);
        }
        let cards = [
            cards::trends(self, at.services),
            cards::ratings(self, at.services),
            cards::activity(&self.days),
        ];
        view.columns(CARDS.into_iter().zip(cards)).begin_at(self.weakest(at.services)).closing(
            "A number asks for just that part of that lesson. i is the plan until the interview, o your own ratings, \
             y earlier answers, t the reports of rehearsals, q goes back.",
        )
    }

    fn act(&mut self, act: Act, at: &mut At) -> Next {
        if let Act::Open(row) = act {
            return self.drill(row, at);
        }
        match act.action() {
            Some(Action::Plan) => Next::Go(Place::Plan),
            Some(Action::Rate) => Next::Go(Place::Ratings),
            Some(Action::History) => Next::Go(Place::History { drill: None }),
            Some(Action::Reports) => Next::Go(Place::Reports),
            _ => Next::Stay,
        }
    }

    fn preview(&self, row: usize, at: &At) -> Option<Document> {
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
        let mut about = Document::new()
            .title(&format!("{}, {}", part.title, lesson.title))
            .words(&format!("{}.", ratings::capital(&standing(known))));
        if let Some(cell) = dropped {
            let text = dropped_sentence(cell, &name(&cell.part), &title(&cell.lesson));
            about = about.words(&format!("{}.", ratings::capital(&text)));
        }
        let over = strengths
            .part(&part.id)
            .map(|s| format!("{}: {} over the lessons answered so far.", part.title, percent(s)));
        about = over.iter().fold(about, |about, text| about.dim(text));
        Some(about.dim(&part.question))
    }

    fn back(&mut self, _: Option<Grade>, at: &mut At) -> Next {
        let read = Self::read(at);
        if let Some(read) = at.or_say(read) {
            *self = read;
        }
        Next::Show
    }

    fn done(&mut self, done: &Done, at: &mut At) -> Next {
        if matches!(done, Done::Opened) {
            self.back(None, at);
        }
        Next::Stay
    }
}

impl Progress {
    /// Strengths and own ratings by course.
    pub fn to_json(&self, services: &Services) -> Value {
        let packs = services.library.packs.iter().zip(&self.homes).zip(&self.rated);
        let of = |((pack, home), rated): ((&Pack, &Home), &Vec<Rated>)| {
            let cells = home.strengths.cells.iter().map(|c| {
                json!({"lesson": c.lesson, "part": c.part, "answers": c.answers, "strength": c.strength(),
                           "by_instructor": c.given, "instructor": c.given_by})
            });
            let parts: Vec<String> = pack.parts.iter().map(|p| p.id.clone()).collect();
            json!({
                "pack": pack.id, "attempts": home.attempts, "due": home.due.total(),
                "strengths": cells.collect::<Vec<_>>(), "self_rating": Biases::of(rated, &parts),
            })
        };
        Value::Array(packs.map(of).collect())
    }
}
