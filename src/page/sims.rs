//! All simulators, and the puzzles on them.

use std::collections::BTreeMap;

use super::keys::Scope;
use super::place::Place;
use super::sim::sentence;
use super::view::{self, Row};
use super::{Act, At, Next, Page};
use crate::doc::{self, Cell, Document, Judged, Role, Rows};
use crate::pack::Puzzle;
use crate::services::Services;
use crate::sim::picture::{Frame, View};
use crate::sim::{KINDS, Sim, SimKind};
use crate::store::PuzzleBest;

/// The list.
#[derive(Debug, Default)]
pub struct Sims {
    is_heard: bool,
}

/// What can be chosen.
enum Entry<'a> {
    Kind(&'static SimKind),
    /// A puzzle with the index of its pack.
    Puzzle(usize, &'a Puzzle),
}

/// The puzzles of all packs, each with the index of its pack.
fn puzzles(services: &Services) -> impl Iterator<Item = (usize, &Puzzle)> {
    let packs = services.library.packs.iter().enumerate();
    packs.flat_map(|(index, pack)| pack.puzzles.iter().map(move |puzzle| (index, puzzle)))
}

/// Each simulator, and below it the puzzles on it.
fn entries(services: &Services) -> impl Iterator<Item = Entry<'_>> {
    KINDS.iter().flat_map(|kind| {
        let on_it = puzzles(services).filter(|(_, puzzle)| puzzle.rules.start.kind().name == kind.name);
        std::iter::once(Entry::Kind(kind)).chain(on_it.map(|(pack, puzzle)| Entry::Puzzle(pack, puzzle)))
    })
}

impl Page for Sims {
    fn title(&self, services: &Services) -> Vec<String> {
        let alone = puzzles(services).next().is_none();
        vec![if alone { "Simulators" } else { "Simulators and puzzles" }.into()]
    }

    fn scopes(&self) -> Vec<Scope> {
        vec![Scope::Sims]
    }

    fn view(&self, at: &At) -> view::View {
        let best: Vec<BTreeMap<String, PuzzleBest>> =
            at.services.library.packs.iter().map(|p| at.services.puzzles(&p.id)).collect();
        let hides = |best: &[BTreeMap<String, PuzzleBest>]| {
            puzzles(at.services).any(|(pack, p)| p.rules.par_tells() && !best[pack].contains_key(&p.id))
        };
        let row = |entry| match entry {
            Entry::Kind(kind) => kind_row(kind),
            Entry::Puzzle(pack, puzzle) => puzzle_row(pack, puzzle, best[pack].get(&puzzle.id)),
        };
        if !self.is_heard {
            return view::View::new().list(entries(at.services).map(row));
        }
        let view = view::View::new().title("Simulators").list(KINDS.iter().map(kind_row));
        if puzzles(at.services).next().is_none() {
            return view;
        }
        let all = puzzles(at.services).map(|(pack, puzzle)| row(Entry::Puzzle(pack, puzzle)));
        let hidden = match hides(&best) {
            true => " Where it would tell the answer, it is said once the puzzle is solved.",
            false => "",
        };
        view.title("Puzzles")
            .words(&format!("Par is the best value that a puzzle can have.{hidden}"))
            .list(all)
    }

    fn act(&mut self, _: Act, _: &mut At) -> Next {
        Next::Stay
    }

    fn by_ear(&mut self, _: &mut At) {
        self.is_heard = true;
    }

    fn preview(&self, row: usize, at: &At) -> Option<Document> {
        let kinds = KINDS.iter().map(Entry::Kind);
        let mut heard = kinds.chain(puzzles(at.services).map(|(pack, puzzle)| Entry::Puzzle(pack, puzzle)));
        let shown = match self.is_heard {
            true => heard.nth(row),
            false => entries(at.services).nth(row),
        };
        shown.map(|entry| match entry {
            Entry::Kind(kind) => about_kind(kind),
            Entry::Puzzle(_, puzzle) => about_puzzle(puzzle),
        })
    }
}

fn kind_row(kind: &SimKind) -> Row {
    let place = Place::Sim { kind: kind.name.into(), set: BTreeMap::new(), link: None };
    Row::to(place)
        .cell(Cell::text(kind.title).role(Role::Strong))
        .cell(Cell::text(kind.brief).role(Role::Dim))
        // what one sees in it is told when it is opened
        .said(kind.title)
}

/// What stands in place of a par that would tell the answer.
const HIDDEN: &str = "par hidden";

/// A puzzle with par and the best so far.
fn puzzle_row(pack: usize, puzzle: &Puzzle, best: Option<&PuzzleBest>) -> Row {
    let goal = &puzzle.rules.goal;
    let best = best.map(|b| goal.value(b.best));
    let (mark, word) = match best {
        None => (Judged::Untouched, String::new()),
        Some(best) if goal.is_at_par(best) => (Judged::Covered, ", reached".into()),
        Some(best) => (Judged::Partial, format!(", best {}", goal.show(best))),
    };
    let par = match best {
        None if puzzle.rules.par_tells() => HIDDEN.to_owned(),
        _ => format!("par {}", goal.show(goal.par)),
    };
    Row::to(Place::Puzzle { pack, id: puzzle.id.clone() })
        .cell(Cell::join([Cell::text("  "), Cell::mark(mark), Cell::text(" "), Cell::text(&puzzle.title)]))
        .cell(Cell::text(format!("{par}{word}")).role(Role::Dim))
        .said(match (par == HIDDEN, puzzle.title.ends_with(['?', '!', '.'])) {
            // once for all of them, before the list
            (true, _) => puzzle.title.clone(),
            (_, true) => format!("{} {par}{word}", puzzle.title),
            (_, false) => format!("{}, {par}{word}", puzzle.title),
        })
}

/// What one sees in a kind, its first picture, its knobs and what it asks.
pub(super) fn about_kind(kind: &'static SimKind) -> Document {
    let sim = Sim::new(kind);
    let run = sim.run();
    let about = Document::new().title(kind.title).words(kind.about);
    let about = run.views.first().map(View::last).into_iter().fold(about, with_picture);
    let about = run
        .questions
        .first()
        .into_iter()
        .fold(about, |about, first| about.title("It asks").words(&first.ask));
    let knobs = sim.knobs().map(|(knob, value)| {
        doc::Row::new([Cell::text(knob.label).role(Role::Dim), Cell::text(knob.show(value))])
    });
    let presets: Vec<&str> = kind.presets.iter().map(|p| p.name).collect();
    about
        .title("Its knobs")
        .rows(Rows::of(knobs))
        .dim(&format!("Presets: {}", presets.join("; ")))
        .dim(&format!("infralens sim {}", kind.name))
}

fn with_picture(about: Document, frame: Frame) -> Document {
    about.dim(&sentence(&frame.caption)).picture(frame.picture)
}

/// The goal of a puzzle, where it is played, and what it begins with.
pub(super) fn about_puzzle(puzzle: &Puzzle) -> Document {
    let rules = &puzzle.rules;
    let about = Document::new().title(&puzzle.title).markdown(&puzzle.goal).dim(rules.start.kind().title);
    let about = match rules.par_tells() {
        true => about.dim("Par is hidden until it is solved: it would tell the answer."),
        false => about,
    };
    let run = rules.run(&rules.start);
    let about = run.views.first().map(View::last).into_iter().fold(about, with_picture);
    about.dim(&format!("infralens puzzle {}", puzzle.id))
}
