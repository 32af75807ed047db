//! The rehearsals that ended, the newest first.

use super::action::Action;
use super::keys::Scope;
use super::place::Place;
use super::view::{Row, View};
use super::{Act, At, Next, Page};
use crate::doc::{Cell, Column, Role};
use crate::services::Services;
use crate::study::home::Rehearsed;

/// How many are listed for each pack.
const MOST: u32 = 200;
/// How many marks the trend shows.
const TREND: usize = 40;
/// Fewer marks than this are no trend.
const FEWEST: usize = 4;

/// The list of reports, over all packs.
pub struct Reports {
    all: Vec<Rehearsed>,
}

impl Reports {
    /// The rehearsals that ended.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn open(services: &Services) -> Result<Self, String> {
        let mut all = Vec::new();
        for pack in &services.library.packs {
            all.extend(services.store.rehearsals(&pack.id, MOST).map_err(|fault| fault.to_string())?);
        }
        all.sort_by_key(|r| std::cmp::Reverse(r.at));
        Ok(Reports { all })
    }
}

impl Page for Reports {
    fn title(&self, _: &Services) -> Vec<String> {
        vec!["Rehearsal reports".into()]
    }

    fn scopes(&self) -> Vec<Scope> {
        vec![Scope::Reports]
    }

    fn view(&self, at: &At) -> View {
        if self.all.is_empty() {
            return View::new().words("No rehearsal has ended yet. r sets one up.");
        }
        let mut marks: Vec<f64> = self.all.iter().take(TREND).map(|r| r.total).collect();
        marks.reverse();
        let view = match marks.len() >= FEWEST {
            true => View::new()
                .list([Row::plain().cell(Cell::text("over time ").role(Role::Dim) + Cell::trend(&marks))]),
            false => View::new(),
        };
        let columns = vec![Column::words("when"), Column::numbers("mark"), Column::words("limited by")];
        view.table(columns, self.all.iter().map(|done| row(done, at.services)))
    }

    fn act(&mut self, act: Act, _: &mut At) -> Next {
        match act.action() {
            Some(Action::Rehearse) => Next::Go(Place::Rehearse),
            _ => Next::Stay,
        }
    }

    fn json(&self) -> Option<serde_json::Value> {
        serde_json::to_value(&self.all).ok()
    }
}

fn row(done: &Rehearsed, services: &Services) -> Row {
    let title = |id: &str| {
        let mut parts = services.library.packs.iter().flat_map(|p| &p.parts);
        parts.find(|p| p.id == id).map_or(id, |p| &p.title).to_owned()
    };
    let limiting = done.limiting.as_deref().map_or("nothing".to_owned(), title);
    Row::to(Place::Report { id: done.id.clone() })
        .cell(Cell::text(services.when(done.at)).role(Role::Dim))
        .cell(Cell::percent(done.total).role(Role::Strong))
        .cell(Cell::text(&limiting).said(format!("limited by {limiting}")))
}
