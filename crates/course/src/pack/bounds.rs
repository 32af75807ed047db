//! How much a file may hold: more than any author writes, and so little that it is read and drawn at once,
//! whatever it says. These bounds hold however deep a pack is looked at.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::faults::{Faults, Span};

/// The most bytes of one text.
pub const TEXT: usize = 32 << 10;
/// The most square brackets in one text: links, and what looks like one.
pub(crate) const BRACKETS: usize = 1_000;
/// The most computed numbers in one text.
pub const NUMBERS: usize = 500;
/// The most values of a file: texts, numbers, lists, tables.
pub const VALUES: usize = 40_000;
/// The most puzzles of a pack. Each runs its simulator when the pack is read.
pub(crate) const PUZZLES: usize = 400;

/// Reports what is more than a file may hold, and says whether all is within bounds.
pub(super) fn hold(table: &DeTable<'_>, faults: &mut Faults<'_>) -> bool {
    let mut count = Count { values: 0, within: true, faults };
    count.table(table);
    if count.values > VALUES {
        count.refuse(0..0, format!("the file has more than {VALUES} values"), "split it");
    }
    count.within
}

struct Count<'c, 'f> {
    values: usize,
    within: bool,
    faults: &'c mut Faults<'f>,
}

impl Count<'_, '_> {
    fn refuse(&mut self, span: Span, what: String, cure: &str) {
        self.within = false;
        self.faults.error(span, what, cure);
    }

    fn table(&mut self, table: &DeTable<'_>) {
        for (key, value) in table {
            self.text(key.get_ref(), key.span());
            self.value(value);
        }
    }

    fn value(&mut self, value: &Spanned<DeValue<'_>>) {
        self.values += 1;
        match value.get_ref() {
            DeValue::String(text) => self.text(text, value.span()),
            DeValue::Array(items) => items.iter().for_each(|item| self.value(item)),
            DeValue::Table(table) => self.table(table),
            _ => {}
        }
    }

    fn text(&mut self, text: &str, span: Span) {
        // what is this short holds no more of anything than it may
        if text.len() <= BRACKETS.min(2 * NUMBERS) {
            return;
        }
        let (what, most) = if text.len() > TEXT {
            (format!("the text has {} bytes", text.len()), format!("at most {TEXT}"))
        } else if text.bytes().filter(|b| *b == b'[').nth(BRACKETS).is_some() {
            (format!("the text has more than {BRACKETS} square brackets"), "fewer".to_owned())
        } else if text.matches("{{").nth(NUMBERS).is_some() {
            (format!("the text has more than {NUMBERS} computed numbers"), "fewer".to_owned())
        } else {
            return;
        };
        self.refuse(span, what, &format!("split it, or make it shorter: {most}"));
    }
}
