//! The packs that did not load, each with the report that `pack check` prints.

use super::keys::Scope;
use super::view::{Row, View};
use super::{Act, At, Next, Page};
use crate::doc::Cell;
use crate::services::Services;
use crate::study::words::some;

/// The reports of the packs that did not load.
pub struct Problems;

impl Page for Problems {
    fn title(&self, _: &Services) -> Vec<String> {
        vec!["Packs that did not load".into()]
    }

    fn scopes(&self) -> Vec<Scope> {
        vec![Scope::Problems]
    }

    fn view(&self, at: &At) -> View {
        let broken = &at.services.library.broken;
        let view = broken.iter().fold(View::new(), |view, broken| {
            let head = format!("{}: {}", broken.path, some(broken.problems, "problem"));
            let lines = broken.report.iter().map(|line| Row::plain().cell(Cell::text(line)).wrapped());
            view.title(&head).list(lines)
        });
        view.dim("Mend the files and start again. The rest of the program works.")
    }

    fn act(&mut self, _: Act, _: &mut At) -> Next {
        Next::Stay
    }
}
