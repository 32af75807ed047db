//! Anything by a few words: the list to jump anywhere, the glossary, `list` and `search`.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::keys::Scope;
use super::place::Place;
use super::view::{Row, View};
use super::{Act, At, Next, Page};
use crate::doc::{Cell, Role};
use crate::pack::prose;
use crate::services::Services;
use crate::services::library::Library;
use crate::study::find::{Finder, Found, How};
use crate::study::schedule::Grade;
use crate::study::thing::{self, Kind, Thing};
use crate::study::words;

/// How many are listed in lines.
const MOST: usize = 12;
/// How many are listed on a screen, where with many packs a hundred thousand may be found.
const MOST_SHOWN: usize = 200;

/// What the program itself has to show, by the words of its row.
const PAGES: [&str; 8] = [
    "Home",
    "Glossary: all terms",
    "Rehearse an interview",
    "Review what is due",
    "Interview: its date, and the plan until then",
    "Progress",
    "Simulators",
    "Earlier answers",
];

/// Things, and those of them that the typed words find.
pub struct Find {
    finder: Finder,
    /// The pack whose things come first where others are found alike.
    pack: usize,
    /// The ids of the packs, by their indices.
    packs: Vec<String>,
    about: About,
    typed: String,
    found: Vec<Found>,
}

/// What is listed.
#[derive(Debug, Clone, PartialEq, Eq)]
enum About {
    /// Places to go to.
    Anything,
    /// Terms; of one lesson, where there is its title.
    Terms(Option<String>),
    /// Things by their ids, for a verb.
    Ids,
}

impl Find {
    /// Everything there is to go to, and of it what these words find.
    pub fn anything(pack: usize, words: &str, services: &Services) -> Self {
        let packs = services.library.packs.iter().enumerate();
        let mut things: Vec<Thing> = packs.flat_map(|(index, pack)| thing::of_pack(index, pack)).collect();
        things.sort_by_key(|t| (t.pack != Some(pack), t.pack));
        things.extend(thing::sims().map(|t| Thing { title: format!("{} simulator", t.title), ..t }));
        things.extend(PAGES.map(|title| Thing::own(Kind::Page, title, title)));
        let mut find = Find::of(things, (pack, &services.library), About::Anything);
        find.search(words, &services.library);
        find
    }

    /// The terms of the pack with this index, or those of one of its lessons.
    pub fn terms(pack: usize, lesson: Option<&str>, services: &Services) -> Self {
        let of = services.pack(pack);
        let lesson = lesson.and_then(|id| of?.lesson(id));
        let all = of.map(|of| thing::of_pack(pack, of)).unwrap_or_default();
        let is_meant = |id: &String| lesson.is_none_or(|l| l.section.terms.contains(id));
        let terms = all.into_iter().filter(|t| t.kind == Kind::Term && is_meant(&t.id)).collect();
        Find::of(terms, (pack, &services.library), About::Terms(lesson.map(|l| l.title.clone())))
    }

    /// The things of these kinds by their ids, and of them what the words find.
    pub fn ids(kinds: &[Kind], words: &str, library: &Library) -> Self {
        let packs = library.packs.iter().enumerate();
        let all: Vec<Thing> =
            packs.flat_map(|(at, pack)| thing::of_pack(at, pack)).chain(thing::sims()).collect();
        let things = kinds.iter().flat_map(|kind| all.iter().filter(move |t| t.kind == *kind));
        let mut find = Find::of(things.cloned().collect(), (0, library), About::Ids);
        find.search(words, library);
        find
    }

    fn of(things: Vec<Thing>, (pack, library): (usize, &Library), about: About) -> Self {
        let mut finder = Finder::new(things);
        let found = finder.find("", |_| String::new());
        let packs = library.packs.iter().map(|p| p.id.clone()).collect();
        Find { finder, pack, packs, about, typed: String::new(), found }
    }

    /// What is typed.
    pub fn typed(&self) -> &str {
        &self.typed
    }

    /// Whether it lists terms alone.
    pub fn is_glossary(&self) -> bool {
        matches!(self.about, About::Terms(_))
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// What to type, for a field that is empty.
    pub fn asks_for(&self) -> &'static str {
        match self.about {
            About::Terms(_) => "type a few letters of a term",
            _ => "type a few letters of a lesson, lab, drill or term",
        }
    }

    fn search(&mut self, words: &str, library: &Library) {
        self.typed = words.trim_start().to_owned();
        let text = |thing: &Thing| {
            let pack = thing.pack.and_then(|index| library.packs.get(index));
            thing::text(pack, thing.kind, &thing.id).map(|text| prose::unmarked(&text)).unwrap_or_default()
        };
        self.found = self.finder.find(&self.typed, text);
    }

    fn found(&self) -> impl Iterator<Item = (&Thing, &How)> {
        self.found.iter().map(|f| (&self.finder.things()[f.thing], &f.how))
    }

    fn row(&self, thing: &Thing, how: &How) -> Row {
        let row = Row::to(place(thing));
        let kind = Cell::text(format!("{:<7}", thing.kind.word())).role(Role::Dim);
        let said = match thing.kind {
            // their names say what they are
            Kind::Sim | Kind::Page => thing.shown(),
            kind => format!("{}: {}", words::capital(kind.word()), thing.shown()),
        };
        let row = match self.about {
            About::Terms(_) => row.cell(Cell::text(thing.shown())),
            About::Anything => row.cell(kind).cell(Cell::text(thing.shown())).said(said),
            About::Ids => row.cell(kind).cell(Cell::text(&thing.id)).cell(Cell::text(thing.shown())),
        };
        match how {
            How::Text(line) if self.about == About::Ids => row.line(Cell::text(format!("      {line}"))),
            _ => row,
        }
    }

    /// What is said above what was found: nothing where it has the words in its name.
    fn note(&self) -> Option<String> {
        let typed = self.typed.trim();
        match self.found.first().map(|f| &f.how) {
            None => Some(format!("Nothing here has “{typed}” in its name or its text.")),
            Some(How::Slip) => Some(format!("Nothing has “{typed}”. Nearly the same:")),
            Some(How::Letters) => Some(format!("Nothing has “{typed}”. With these letters:")),
            _ => None,
        }
    }

    /// The rows of what was found: for a verb all of them, for a screen as many as one looks through.
    pub fn list(&self) -> View {
        match self.about {
            About::Ids if self.typed.is_empty() && self.packs.len() > 1 => self.by_pack(),
            About::Anything => self.narrowed(MOST_SHOWN),
            _ => self.listed(usize::MAX),
        }
    }

    /// So many rows, and how many more were found.
    fn narrowed(&self, most: usize) -> View {
        let view = self.listed(most);
        let more = self.found.len().saturating_sub(most);
        if more > 0 { view.dim(&format!("{more} more; another word narrows it.")) } else { view }
    }

    /// The rows pack by pack. An id that two packs have is written as it must be asked for.
    fn by_pack(&self) -> View {
        let of = |pack: Option<usize>| self.found().filter(move |(thing, _)| thing.pack == pack);
        let is_double = |thing: &Thing| {
            let like = |(other, _): &(&Thing, &How)| other.id == thing.id && other.kind == thing.kind;
            self.found().filter(like).count() > 1
        };
        let packs = self.packs.iter().enumerate().map(|(index, id)| (Some(index), id.as_str()));
        packs.chain([(None, "the program")]).fold(View::new(), |view, (pack, id)| {
            let rows: Vec<Row> = of(pack)
                .map(|(thing, how)| match pack.filter(|_| is_double(thing)) {
                    Some(_) => self.row(&Thing { id: format!("{id}:{}", thing.id), ..thing.clone() }, how),
                    None => self.row(thing, how),
                })
                .collect();
            if rows.is_empty() { view } else { view.title(id).list(rows) }
        })
    }

    /// The rows of what was found: those named so, then those whose texts have the words.
    fn listed(&self, most: usize) -> View {
        let view = self.note().iter().fold(View::new(), |view, note| view.dim(note));
        let in_text = |how: &How| matches!(how, How::Text(_)) && self.about != About::Ids;
        let of = |text: bool| self.found().take(most).filter(move |(_, how)| in_text(how) == text);
        let rows = |text: bool| of(text).map(|(thing, how)| self.row(thing, how)).collect::<Vec<_>>();
        let (named, texts) = (rows(false), rows(true));
        let view = view.list(named);
        match texts.is_empty() {
            true => view,
            false => view.dim(&format!("“{}” in the text of:", self.typed.trim())).list(texts),
        }
    }
}

/// Where a thing is.
fn place(thing: &Thing) -> Place {
    let (pack, id) = (thing.pack.unwrap_or(0), thing.id.clone());
    match thing.kind {
        Kind::Lesson => Place::Lesson { pack, id },
        Kind::Term => Place::Term { pack, id },
        Kind::Lab => Place::Lab { pack, id },
        Kind::Drill => Place::Drill { pack, id, only: None },
        Kind::Puzzle => Place::Puzzle { pack, id },
        Kind::Sim => Place::Sim { kind: id, set: BTreeMap::new(), link: None },
        Kind::Check => {
            Place::Checks { pack, lesson: thing.lesson.clone().unwrap_or_default(), only: Some(id) }
        }
        Kind::Page => match PAGES.iter().position(|title| *title == id) {
            Some(1) => Place::Glossary { pack, lesson: None },
            Some(2) => Place::Rehearse,
            Some(3) => Place::Review { ahead: 0 },
            Some(4) => Place::Plan,
            Some(5) => Place::Progress,
            Some(6) => Place::Sims,
            Some(7) => Place::History { drill: None },
            _ => Place::Home,
        },
    }
}

impl Page for Find {
    fn title(&self, _: &Services) -> Vec<String> {
        let typed = self.typed.trim();
        match &self.about {
            About::Terms(lesson) => lesson.iter().cloned().chain(["Glossary".into()]).collect(),
            _ if typed.is_empty() => vec!["Jump to".into()],
            _ => vec![format!("Search for “{typed}”")],
        }
    }

    fn scopes(&self) -> Vec<Scope> {
        Vec::new()
    }

    fn view(&self, _: &At) -> View {
        let (ask, most) = match self.about {
            About::Terms(_) => ("A word, or its number", usize::MAX),
            About::Ids => return self.listed(usize::MAX),
            About::Anything if self.typed.is_empty() => {
                return View::new().line("What are you looking for", "");
            }
            About::Anything => ("A number, or other words", MOST),
        };
        self.narrowed(most).of_pack(self.pack).line(ask, "")
    }

    fn act(&mut self, act: Act, at: &mut At) -> Next {
        let (Act::Text(words) | Act::Line(words)) = &act else { return Next::Stay };
        self.search(words, &at.services.library);
        let mut exact = self.found().take_while(|(thing, _)| {
            let names = std::iter::once(&thing.title).chain(&thing.names);
            names.into_iter().any(|name| name.to_lowercase() == words.trim().to_lowercase())
        });
        match (exact.next().map(|(thing, _)| place(thing)), matches!(act, Act::Line(_))) {
            (Some(place), true) if matches!(self.about, About::Terms(_)) => Next::Go(place),
            (_, true) => Next::Show,
            (_, false) => Next::Stay,
        }
    }

    fn back(&mut self, _: Option<Grade>, at: &mut At) -> Next {
        at.say("Another one? Type it or its number; l lists them, q goes back.");
        Next::Stay
    }

    fn is_popup(&self) -> bool {
        true
    }

    /// One object a thing. Of a search, `found` says by what: `name`, `teaches`, `text` with its `line`, `like`.
    fn json(&self) -> Option<Value> {
        let of = |(thing, how): (&Thing, &How)| {
            let pack = thing.pack.and_then(|index| self.packs.get(index));
            let mut all = json!({"pack": pack, "kind": thing.kind.word(), "id": thing.id,
                "lesson": thing.lesson, "title": thing.title});
            if self.typed.is_empty() {
                return all;
            }
            let (found, line) = match how {
                How::Name => ("name", None),
                How::Teaches => ("teaches", None),
                How::Text(line) => ("text", Some(line)),
                How::Slip | How::Letters => ("like", None),
            };
            all["found"] = found.into();
            line.into_iter().for_each(|line| all["line"] = line.as_str().into());
            all
        };
        Some(self.found().map(of).collect())
    }
}
