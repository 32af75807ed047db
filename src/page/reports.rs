//! The rehearsals that ended, the newest first.

use serde::Serialize;

use super::action::Action;
use super::keys::Scope;
use super::place::Place;
use super::view::{Row, View};
use super::{Act, At, Next, Page};
use crate::doc::{Cell, Column, Role};
use crate::services::Services;
use crate::study::home::Rehearsed;
use crate::study::rehearsal::Graded;
use crate::study::words::percent;

/// How many are listed for each pack.
const MOST: u32 = 200;
/// How many marks the trend shows.
const TREND: usize = 40;
/// Fewer marks than this are no trend.
const FEWEST: usize = 4;

/// The list of reports, over all packs.
pub struct Reports {
    all: Vec<Listed>,
}

/// A rehearsal, and what an instructor gave to its answers.
#[derive(Serialize)]
struct Listed {
    #[serde(flatten)]
    run: Rehearsed,
    #[serde(skip_serializing_if = "Option::is_none")]
    instructor: Option<Graded>,
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
        all.sort_by_key(|r: &Rehearsed| std::cmp::Reverse(r.at));
        let given = services.store.given_rehearsals().map_err(|fault| fault.to_string())?;
        let listed = |run: Rehearsed| Listed {
            instructor: given.contains(&run.id).then(|| services.graded_run(&run.id)).flatten(),
            run,
        };
        Ok(Reports { all: all.into_iter().map(listed).collect() })
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
        let mut marks: Vec<f64> = self.all.iter().take(TREND).map(|r| r.run.total).collect();
        marks.reverse();
        let view = match marks.len() >= FEWEST {
            true => View::new()
                .list([Row::plain().cell(Cell::text("over time ").role(Role::Dim) + Cell::trend(&marks))]),
            false => View::new(),
        };
        let mut columns = vec![Column::words("when"), Column::numbers("mark"), Column::words("limited by")];
        if self.all.iter().any(|listed| listed.instructor.is_some()) {
            columns.push(Column::words("by the instructor"));
        }
        view.table(columns, self.all.iter().map(|done| row(done, at)))
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

fn row(listed: &Listed, at: &At) -> Row {
    let services = &at.services;
    let done = &listed.run;
    let title = |id: &str| {
        let mut parts = services.library.packs.iter().flat_map(|p| &p.parts);
        parts.find(|p| p.id == id).map_or(id, |p| &p.title).to_owned()
    };
    let limiting = done.limiting.as_deref().map_or("nothing".to_owned(), title);
    let row = Row::to(Place::Report { id: done.id.clone() })
        .cell(Cell::text(services.when(done.at, at.now)).role(Role::Dim))
        .cell(Cell::percent(done.total).role(Role::Strong))
        .cell(Cell::text(&limiting).said(format!("limited by {limiting}")));
    match &listed.instructor {
        None => row,
        Some(graded) => {
            let total = percent(graded.total);
            let said = format!("{total} by the instructor, {}", graded.by);
            row.cell(Cell::text(format!("{total}, {}", graded.by)).said(said))
        }
    }
}
