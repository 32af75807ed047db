//! What the learner thought of answers before their marks, against the marks: in sentences, and answer by answer.

use super::action::Action;
use super::keys::Scope;
use super::place::Place;
use super::view::{Row, View};
use super::{Act, At, Next, Page, history};
use crate::doc::{Cell, Column, Role};
use crate::pack::Pack;
use crate::services::Services;
use crate::store::Filter;
use crate::study::answer::part_title;
use crate::study::attempt::Attempt;
use crate::study::rating::{Biases, Over, Rated, over, worth};
use crate::study::words::{capital, percent};

/// How many answers are looked at.
const MOST: u32 = 200;
/// From this many ratings on they are drawn.
pub const FEWEST: usize = 5;

/// What stands there before the first rating.
pub const NONE: &str = "No ratings yet. After an answer you can say how well you did, before you see its \
 marks; this page then shows how far off you were.";

/// The same by ear.
pub const NONE_HEARD: &str = "No ratings yet. When you end an answer, a dot and a number, such as . 60, also says how good \
 you think it is, in per cent; this page then tells how far off you were.";

/// Answers that were rated, the newest first.
pub struct Ratings {
    rated: Vec<(Attempt, Rated)>,
}

impl Ratings {
    /// Those of all courses.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn open(services: &Services) -> Result<Self, String> {
        let all = services.history(&Filter::default(), MOST).map_err(|fault| fault.to_string())?;
        Ok(Ratings { rated: all.into_iter().filter_map(|a| Rated::of(&a).map(|rated| (a, rated))).collect() })
    }
}

/// How far ratings of a course are off, in sentences, over all and part by part; none without ratings.
pub fn sentences(rated: &[Rated], pack: &Pack) -> Vec<String> {
    let biases = Biases::of(rated, &parts(pack));
    // parts of which the same is to be said are named together
    let mut told: Vec<(String, Vec<&str>)> = Vec::new();
    for part in &biases.parts {
        let (sentence, title) = (part.sentence(), part_title(&pack.parts, &part.part));
        match told.iter_mut().find(|(known, _)| *known == sentence) {
            Some((_, titles)) => titles.push(title),
            None => told.push((sentence, vec![title])),
        }
    }
    let parts = told.into_iter().map(|(sentence, titles)| match titles.len() {
        1 => format!("{}: {sentence}.", titles[0]),
        n if n == pack.parts.len() => format!("Every part: {sentence}."),
        _ => format!("{}: {sentence}.", titles.join(", ")),
    });
    overall(rated, pack).into_iter().chain(parts).collect()
}

/// The same over all parts.
fn overall(rated: &[Rated], pack: &Pack) -> Vec<String> {
    let all = Biases::of(rated, &parts(pack)).sentences();
    all.into_iter().map(|text| format!("{}.", capital(&text))).collect()
}

fn parts(pack: &Pack) -> Vec<String> {
    pack.parts.iter().map(|p| p.id.clone()).collect()
}

impl Page for Ratings {
    fn title(&self, _: &Services) -> Vec<String> {
        vec!["Progress".into(), "Own rating".into()]
    }

    fn scopes(&self) -> Vec<Scope> {
        if self.rated.is_empty() { Vec::new() } else { vec![Scope::History] }
    }

    fn view(&self, at: &At) -> View {
        list(&self.rated, at)
    }

    fn act(&mut self, act: Act, at: &mut At) -> Next {
        let Act::On(Action::Again, row) = act else { return Next::Stay };
        let drill = self.rated.get(row).and_then(|(a, _)| {
            let pack = at.services.library.index(&a.pack)?;
            Some(Place::Drill { pack, id: a.drill.clone(), only: None })
        });
        drill.map_or(Next::Stay, Next::Go)
    }
}

/// Columns of the scale that an answer, and a part of a course, is drawn on.
const SCALE: (u16, u16) = (11, 11);

/// Own ratings of these answers, the newest first.
pub fn of(attempts: &[Attempt], at: &At) -> View {
    let rated = attempts.iter().filter_map(|a| Rated::of(a).map(|rated| (a.clone(), rated)));
    list(&rated.collect::<Vec<_>>(), at)
}

fn list(all: &[(Attempt, Rated)], at: &At) -> View {
    if all.is_empty() {
        return View::new().list([Row::plain().cell(Cell::text(NONE)).wrapped().said(NONE_HEARD)]);
    }
    let mut view = View::new();
    for pack in &at.services.library.packs {
        let of = all.iter().filter(|(a, _)| a.pack == pack.id);
        let rated: Vec<Rated> = of.map(|(_, rated)| rated.clone()).collect();
        let drawn = if rated.len() >= FEWEST { dots(&rated, pack) } else { Vec::new() };
        // what is drawn part by part need not be said part by part
        let told = match drawn.is_empty() {
            true => sentences(&rated, pack),
            false => overall(&rated, pack),
        };
        let rows = told.into_iter().map(|text| Row::plain().cell(Cell::text(text)).wrapped());
        view = view.list(rows);
        if !drawn.is_empty() {
            view = view.list(std::iter::once(legend("Part by part")).chain(drawn));
        }
    }
    // not the mark of the verdict, where the learner changed that
    let told =
        "The marks are those of the rules, or your instructor's: what you said of them yourself is left out.";
    let told = Row::plain().cell(Cell::text(told).role(Role::Dim)).wrapped();
    view = view.list([legend("Answer by answer"), told]);
    let columns = ["when", "you", "0% to 100%", "marks", "", "answer"].map(|title| match title {
        "you" | "marks" => Column::numbers(title),
        title => Column::words(title),
    });
    view.table(columns.to_vec(), all.iter().map(|(attempt, rated)| row(attempt, rated, at)))
}

/// A title, and what the signs on a scale mean.
pub fn legend(title: &str) -> Row {
    let signs = Cell::text("  ") + Cell::between(0.0, 1.0, 2) + Cell::text(" you, marks").role(Role::Dim);
    let words = Cell::text(title).role(Role::Strong) + signs;
    Row::plain().cell(words.said(format!("{title} against the marks"))).heading()
}

/// What one thought of each part against its marks, on a scale.
pub fn dots(rated: &[Rated], pack: &Pack) -> Vec<Row> {
    let rows = pack.parts.iter().filter_map(|part| {
        let of = rated.iter().flat_map(|r| r.parts.iter().filter(|(id, ..)| *id == part.id));
        let (own, is): (Vec<f64>, Vec<f64>) = of.map(|(_, own, is)| (worth(*own), worth(*is))).unzip();
        let mean = |all: &[f64]| (!all.is_empty()).then(|| all.iter().sum::<f64>() / all.len() as f64);
        let (own, is) = (mean(&own)?, mean(&is)?);
        let (words, role) = off(own - is);
        Some(
            Row::plain()
                .cell(Cell::text(&part.title))
                .cell(Cell::between(own, is, SCALE.1))
                .cell(Cell::text(words).role(role)),
        )
    });
    rows.collect()
}

/// How far off a rating is, in words.
fn off(by: f64) -> (String, Role) {
    match over(by) {
        Over::High(points) => (format!("{points} too high"), Role::Text),
        Over::Low(points) => (format!("{points} too low"), Role::Text),
        Over::Right => ("right".into(), Role::Dim),
    }
}

fn row(attempt: &Attempt, rated: &Rated, at: &At) -> Row {
    let services = &at.services;
    let (words, role) = off(rated.over());
    let (only, question) = history::question(attempt, services);
    let (own, total) = (percent(rated.own), percent(rated.total));
    Row::to(Place::Verdict { attempt: Box::new(attempt.clone()) })
        .cell(Cell::text(services.when(attempt.at, at.now)).role(Role::Dim))
        .cell(Cell::text(&own).role(Role::Strong).said(format!("you thought {own}")))
        .cell(Cell::between(rated.own, rated.total, SCALE.0))
        .cell(Cell::text(&total).role(Role::Strong).said(format!("marked {total}")))
        .cell(Cell::text(words).role(role))
        .cell(Cell::text(format!("{only}{question}")))
}
