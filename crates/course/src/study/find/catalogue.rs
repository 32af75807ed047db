//! The things of a pack, made ready to be searched: once, beside the program, when the pack is read.

use super::words::{folded, folded_lines};
use crate::pack::Pack;
use crate::study::thing::{self, Thing};

/// Things with their folded names, all of them in one text.
#[derive(Debug, Default)]
pub struct Catalogue {
    things: Vec<Thing>,
    text: String,
    names: Vec<Name>,
    /// For each thing the number of its first name; one more at the end.
    first: Vec<usize>,
    /// What the things teach, folded; only lessons teach.
    teaches: Vec<String>,
}

/// Where a name stands in the text, and how many letters it has.
#[derive(Debug, Clone, Copy)]
struct Name {
    start: usize,
    end: usize,
    letters: usize,
}

impl Catalogue {
    /// All that a pack holds.
    pub fn of_pack(pack: &Pack) -> Self {
        thing::of_pack(pack).into_iter().collect()
    }

    /// The things.
    pub fn things(&self) -> &[Thing] {
        &self.things
    }

    /// The names of a thing, folded: the title, the id, other names. Each with the count of its letters.
    pub(super) fn names(&self, at: usize) -> impl Iterator<Item = (&str, usize)> {
        let names = &self.names[self.first[at]..self.first[at + 1]];
        names.iter().map(|name| (&self.text[name.start..name.end], name.letters))
    }

    /// What a thing teaches, folded, one name a line.
    pub(super) fn teaches(&self, at: usize) -> &str {
        &self.teaches[at]
    }
}

impl FromIterator<Thing> for Catalogue {
    fn from_iter<I: IntoIterator<Item = Thing>>(things: I) -> Self {
        let mut all = Catalogue { first: vec![0], ..Catalogue::default() };
        for thing in things {
            for name in [&thing.title, &thing.id].into_iter().chain(&thing.names) {
                let start = all.text.len();
                all.text.push_str(&folded(name));
                let letters = all.text[start..].chars().count();
                all.names.push(Name { start, end: all.text.len(), letters });
            }
            all.first.push(all.names.len());
            all.teaches.push(folded_lines(&thing.teaches));
            all.things.push(thing);
        }
        all
    }
}
