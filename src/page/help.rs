//! All keys that work on a page. Made from the key table.

use super::keys::{self, Scope};
use super::view::{Row, View};
use super::{Act, At, Next, Page};
use crate::doc::{Cell, Role};
use crate::services::Services;

/// The keys of some scopes.
pub struct Help {
    rows: Vec<(Group, String, &'static str)>,
}

/// Keys that belong together, in the order in which they are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Group {
    Own,
    Editing,
    Moving,
    Everywhere,
}

impl Group {
    const ALL: [(Group, &'static str); 4] = [
        (Group::Own, ""),
        (Group::Editing, "In the text"),
        (Group::Moving, "Moving"),
        (Group::Everywhere, "Everywhere"),
    ];

    fn of(scope: Scope) -> Group {
        match scope {
            Scope::Moving => Group::Moving,
            Scope::Everywhere | Scope::Typing => Group::Everywhere,
            _ => Group::Own,
        }
    }
}

impl Help {
    /// The keys that work in these scopes. A key that an earlier scope has taken is left out.
    pub fn new(scopes: &[Scope]) -> Self {
        let mut taken: Vec<&str> = Vec::new();
        let mut rows = Vec::new();
        for binding in keys::rows(scopes) {
            let free: Vec<&str> = binding.keys.iter().copied().filter(|k| !taken.contains(k)).collect();
            if !free.is_empty() {
                rows.push((Group::of(binding.scope), free.join(", "), binding.help));
            }
            taken.extend(free);
        }
        // what the editor of a text takes itself stands in no table: no action is behind it
        if scopes.iter().any(|scope| matches!(scope, Scope::Drill | Scope::Rehearsal | Scope::PostingText)) {
            rows.extend(EDITING.map(|(keys, help)| (Group::Editing, keys.to_owned(), help)));
        }
        Help { rows }
    }
}

/// What the keys of the editor do.
const EDITING: [(&str, &str); 6] = [
    ("ctrl+z, ctrl+y", "undo, redo"),
    ("ctrl+w, alt+d", "delete the word before, the word behind"),
    ("ctrl+u, ctrl+k", "delete to the start of the line, to its end"),
    ("ctrl+a, ctrl+e", "to the start of the line, to its end"),
    ("alt+b, alt+f", "a word back, a word on"),
    ("alt+a", "select all; shift and an arrow selects too"),
];

impl Page for Help {
    fn title(&self, _: &Services) -> Vec<String> {
        vec!["Keys of this screen".into()]
    }

    fn scopes(&self) -> Vec<Scope> {
        Vec::new()
    }

    fn view(&self, _: &At) -> View {
        // one column of keys over all groups
        let widest = self.rows.iter().map(|(_, keys, _)| keys.chars().count()).max().unwrap_or(0);
        let row = |(_, keys, help): &(Group, String, &'static str)| {
            let keys = Cell::text(format!("{keys:<widest$}")).role(Role::Accent);
            Row::plain().cell(keys).cell(Cell::text(help)).tall()
        };
        Group::ALL.iter().fold(View::new(), |view, (group, name)| {
            let rows: Vec<Row> = self.rows.iter().filter(|(of, ..)| of == group).map(row).collect();
            match (rows.is_empty(), name.is_empty()) {
                (true, _) => view,
                (false, true) => view.list(rows),
                (false, false) => view.title(name).list(rows),
            }
        })
    }

    fn act(&mut self, _: Act, _: &mut At) -> Next {
        Next::Stay
    }

    fn is_popup(&self) -> bool {
        true
    }
}
