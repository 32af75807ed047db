//! The newest answers, for a screen that has rows to spare.

use crate::doc::{Cell, Document, Role, Row, Rows};
use crate::page::{At, history};
use crate::store::Filter;
use crate::study::words::percent;

/// Answers that are named.
const MOST: u32 = 12;

/// The newest answers with their marks; nothing where there are none, or where they cannot be read.
pub fn answers(at: &At) -> Document {
    let found = at.services.history(&Filter::default(), MOST).unwrap_or_default();
    if found.is_empty() {
        return Document::new();
    }
    let rows = found.iter().map(|kept| {
        let attempt = kept.as_counted();
        let (only, question) = history::question(&attempt, at.services);
        let day = at.services.today(attempt.at).strftime("%a %-d %b").to_string();
        let when = Cell::text(format!("{day:<12}")).role(Role::Dim);
        let total = Cell::text(format!("{:>4}", percent(attempt.total()))).role(Role::Strong);
        Row::new([when + total, Cell::text(format!("{only}{question}"))]).wrapped()
    });
    Document::new().title("Latest answers").rows(Rows::of(rows.collect::<Vec<_>>()))
}
