//! Lessons, labs, drills, puzzles and terms by a few words of their titles.

use std::cmp::Reverse;

use super::menu::{Menu, short};
use super::page::{At, Go, Page};
use crate::pack::Pack;
use crate::page::place::Place;
use crate::study::rank::rank;

/// How many are listed.
const MOST: usize = 12;

/// What was found.
pub struct Search {
    pack: usize,
    words: String,
    menu: Menu<Place>,
}

impl Search {
    /// What these words find in all packs; of what fits as well, that of the pack with this index comes
    /// first.
    pub fn new(pack: usize, words: &str) -> Self {
        Search { pack, words: words.trim().to_owned(), menu: Menu::default() }
    }
}

fn targets(index: usize, pack: &Pack) -> Vec<(String, Place)> {
    let mut out = Vec::new();
    for lesson in &pack.lessons {
        let id = lesson.id.clone();
        out.push((format!("{} (lesson)", lesson.title), Place::Lesson { pack: index, id }));
        for lab in &lesson.labs {
            let id = lab.id.clone();
            out.push((format!("{} (lab)", lab.title), Place::Lab { pack: index, id }));
        }
    }
    for drill in &pack.drills {
        let (id, only) = (drill.id.clone(), None);
        out.push((format!("{} (drill)", drill.prompt), Place::Drill { pack: index, id, only }));
    }
    for puzzle in &pack.puzzles {
        let id = puzzle.id.clone();
        out.push((format!("{} (puzzle)", puzzle.title), Place::Puzzle { pack: index, id }));
    }
    for term in &pack.terms {
        let names = [term.name.clone()].into_iter().chain(term.aliases.iter().cloned());
        let id = term.id.clone();
        let title = format!("{} (word)", names.collect::<Vec<_>>().join(", "));
        out.push((title, Place::Term { pack: index, id }));
    }
    out
}

impl Page for Search {
    fn show(&mut self, at: &mut At) -> Go {
        self.menu = Menu::default();
        let packs = &at.desk.library.packs;
        let others = (0..packs.len()).filter(|i| *i != self.pack);
        let order = std::iter::once(self.pack).chain(others);
        let all = order.filter_map(|i| Some(targets(i, packs.get(i)?)));
        let mut found: Vec<(u32, String, Place)> = all
            .flatten()
            .filter_map(|(title, place)| Some((rank(&self.words, &title)?, title, place)))
            .filter(|(rank, ..)| *rank >= 50)
            .collect();
        found.sort_by_key(|(rank, ..)| Reverse(*rank));
        if found.is_empty() {
            at.out.say(&format!(
                "No title has “{}”. `infralens search` looks inside the texts too. q goes back.",
                short(&self.words)
            ));
            return Go::Stay;
        }
        for (_, title, place) in found.into_iter().take(MOST) {
            self.menu.add(title, place);
        }
        self.menu.say(at.out);
        at.out.say("Type a number. q goes back.");
        Go::Stay
    }

    fn line(&mut self, line: &str, at: &mut At) -> Go {
        match self.menu.pick(line) {
            Some(place) => Go::To(place.clone()),
            None if line.is_empty() => Go::Back(None),
            None => {
                self.menu.wrong(line, at.out);
                Go::Stay
            }
        }
    }

    fn pack(&self) -> usize {
        self.pack
    }
}
