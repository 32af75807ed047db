//! The packs that did not load, each with the report that `pack check` prints.

use super::keys::Scope;
use super::view::{Row, View};
use super::{Act, At, Next, Page};
use crate::doc::{Cell, Role};
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
            let lines = broken.report.iter().map(|line| Row::plain().cell(coloured(line)).wrapped());
            view.title(&head).list(lines)
        });
        view.dim("Mend the files and start again. The rest of the program works.")
    }

    fn act(&mut self, _: Act, _: &mut At) -> Next {
        Next::Stay
    }
}

/// A line of a report: its place and its cure stand out, the fault has its mark, what is wrong of the file is underlined.
fn coloured(line: &str) -> Cell {
    let quoted = line.starts_with(' ');
    let is_caret = quoted && line.contains('^') && line.trim_matches([' ', '|', '^']).is_empty();
    match line.split_once(": ").filter(|_| !quoted) {
        _ if is_caret => Cell::text(line).role(Role::Missing),
        Some((place, rest)) => {
            let (fault, cure) = rest.split_once(" — ").unwrap_or((rest, ""));
            let place = Cell::text(place).role(Role::Accent) + Cell::text(": ").role(Role::Dim);
            let fault = Cell::text(fault).role(Role::Strong);
            let cure = match cure.is_empty() {
                true => Cell::text(""),
                false => Cell::text(" — ").role(Role::Dim) + Cell::text(cure).role(Role::Accent),
            };
            place + fault + cure
        }
        None => Cell::text(line).role(if quoted { Role::Dim } else { Role::Text }),
    }
}
