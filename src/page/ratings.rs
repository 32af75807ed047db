//! What the learner thought of answers before their marks, against the marks: in sentences, and answer by answer.

use super::action::Action;
use super::keys::Scope;
use super::place::Place;
use super::view::{Row, View};
use super::{Act, At, Next, Page};
use crate::doc::{Cell, Column, Role};
use crate::pack::Pack;
use crate::services::Services;
use crate::store::Filter;
use crate::study::answer::part_title;
use crate::study::attempt::Attempt;
use crate::study::rating::{Biases, Over, Rated, over};
use crate::study::words::percent;

/// How many answers are looked at.
const MOST: u32 = 200;
/// From this many ratings on their curve is drawn.
const FEWEST: usize = 5;
/// As many ratings make the curves.
const CURVE: usize = 40;

/// What stands there before the first rating.
pub const NONE: &str = "No ratings yet. After an answer you may say how well you did, before its marks are shown; here stands how far off that is.";

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

/// Words with a capital at their start.
pub fn capital(words: &str) -> String {
    let mut chars = words.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// How far ratings of a course are off, in sentences, over all and part by part; none without ratings.
pub fn sentences(rated: &[Rated], pack: &Pack) -> Vec<String> {
    let parts: Vec<String> = pack.parts.iter().map(|p| p.id.clone()).collect();
    let biases = Biases::of(rated, &parts);
    let all = biases.sentences().into_iter().map(|text| format!("{}.", capital(&text)));
    let part =
        biases.parts.iter().map(|p| format!("{}: {}.", part_title(&pack.parts, &p.part), p.sentence()));
    all.chain(part).collect()
}

impl Page for Ratings {
    fn title(&self, _: &Services) -> Vec<String> {
        vec!["Progress".into(), "Own rating".into()]
    }

    fn scopes(&self) -> Vec<Scope> {
        if self.rated.is_empty() { Vec::new() } else { vec![Scope::History] }
    }

    fn view(&self, at: &At) -> View {
        if self.rated.is_empty() {
            return View::new().words(NONE);
        }
        let mut view = View::new();
        for pack in &at.services.library.packs {
            let of = self.rated.iter().filter(|(a, _)| a.pack == pack.id);
            let rated: Vec<Rated> = of.map(|(_, rated)| rated.clone()).collect();
            let rows =
                sentences(&rated, pack).into_iter().map(|text| Row::plain().cell(Cell::text(text)).wrapped());
            view = view.list(rows);
        }
        if self.rated.len() >= FEWEST {
            let curve = |name: &str, value: fn(&Rated) -> f64| {
                let values: Vec<f64> = self.rated.iter().take(CURVE).rev().map(|(_, r)| value(r)).collect();
                Row::plain().cell(Cell::text(name).role(Role::Dim)).cell(Cell::trend(&values)).said("")
            };
            view = view.list([curve("you thought", |r| r.own), curve("marks", |r| r.total)]);
        }
        let columns = ["when", "you", "marks", "", "answer"].map(|title| match title {
            "you" | "marks" => Column::numbers(title),
            title => Column::words(title),
        });
        view.table(
            columns.to_vec(),
            self.rated.iter().map(|(attempt, rated)| row(attempt, rated, at.services)),
        )
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

fn row(attempt: &Attempt, rated: &Rated, services: &Services) -> Row {
    let (words, role) = match over(rated.over()) {
        Over::High(points) => (format!("{points} too high"), Role::Missing),
        Over::Low(points) => (format!("{points} too low"), Role::Partial),
        Over::Right => ("right".into(), Role::Good),
    };
    let prompt = services.drill(&attempt.pack, &attempt.drill).map_or(&attempt.drill, |d| &d.prompt);
    let only = attempt.part.as_deref().map_or(String::new(), |part| format!("{part} alone: "));
    let (own, total) = (percent(rated.own), percent(rated.total));
    Row::to(Place::Verdict { attempt: Box::new(attempt.clone()) })
        .cell(Cell::text(services.when(attempt.at)).role(Role::Dim))
        .cell(Cell::text(&own).role(Role::Strong).said(format!("you thought {own}")))
        .cell(Cell::text(&total).role(Role::Strong).said(format!("marked {total}")))
        .cell(Cell::text(words).role(role))
        .cell(Cell::text(format!("{only}{prompt}")))
}
