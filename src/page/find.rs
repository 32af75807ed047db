//! Anything by a few words: the list to jump anywhere, the glossary, `list` and `search`.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;
use serde_json::{Value, json};

use super::keys::Scope;
use super::lesson::about_lesson;
use super::place::Place;
use super::view::{Row, View};
use super::{Act, At, Next, Page};
use crate::doc::{Cell, Document, Role};
use crate::pack::prose;
use crate::services::Services;
use crate::services::library::Library;
use crate::study::find::{Catalogue, Finder, How, STEP};
use crate::study::schedule::Grade;
use crate::study::thing::{self, Kind, Thing};
use crate::study::words::{self, minutes};

/// How many are listed in lines.
const MOST: usize = 12;
/// How many are listed on a screen, where with many packs a hundred thousand may be found.
const MOST_SHOWN: usize = 200;

/// How many terms are heard without being asked for.
const HEARD: usize = 30;

/// The page of settings.
const SETTINGS: &str = "Settings: colours, motion, and what the program found";

/// What the program itself has to show: the words of its row, and what else it is called.
const PAGES: [(&str, &[&str]); 11] = [
    ("Home", &["start"]),
    ("Glossary: all terms", &["glossary", "terms", "words"]),
    ("Rehearse an interview", &["rehearse", "rehearsal", "mock interview"]),
    ("Review what is due", &["review", "due"]),
    ("Interview: its date, and the plan until then", &["plan", "date"]),
    ("Progress: the map of lessons and parts", &["progress", "map", "trend", "own rating", "activity"]),
    ("Simulators and puzzles", &["simulators", "puzzles"]),
    ("Earlier answers", &["answers", "history", "attempts"]),
    ("Reports of rehearsals", &["reports"]),
    ("A job description, and what it asks for", &["job", "job description", "posting"]),
    (SETTINGS, &["theme", "colours", "colors", "options", "doctor", "dark", "light", "motion"]),
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
    /// How many there are in all.
    all: usize,
    /// Whether it is heard, so that a long list waits until it is asked for; and whether it was.
    is_heard: bool,
    lists: bool,
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

impl About {
    /// How many are listed at most.
    fn most(&self) -> usize {
        if *self == About::Anything { MOST_SHOWN } else { usize::MAX }
    }
}

impl Find {
    /// Everything there is to go to, and of it what these words find.
    pub fn anything(pack: usize, words: &str, services: &Services) -> Self {
        let others = (0..services.library.packs.len()).filter(|index| *index != pack);
        let of_packs = std::iter::once(pack).chain(others);
        let of_packs = of_packs.filter_map(|index| Some((Some(index), services.catalogue(index)?)));
        let sims = thing::sims().map(|t| Thing { names: vec![named(&t)], ..t });
        let pages = PAGES.map(|(title, names)| {
            let names = names.iter().map(|name| (*name).to_owned()).collect();
            Thing { names, ..Thing::own(Kind::Page, title, title) }
        });
        let own = sims.chain(pages).collect();
        let groups = of_packs.chain([(None, Arc::new(own))]);
        let mut find = Find::of(Finder::new(groups), (pack, &services.library), About::Anything);
        find.search(words, &services.library);
        find
    }

    /// The terms of the pack with this index, or those of one of its lessons.
    pub fn terms(pack: usize, lesson: Option<&str>, services: &Services) -> Self {
        let of = services.pack(pack);
        let lesson = lesson.and_then(|id| of?.lesson(id));
        let all = of.map(thing::of_pack).unwrap_or_default();
        let is_meant = |id: &String| lesson.is_none_or(|l| l.section.terms.contains(id));
        let terms: Catalogue = all.into_iter().filter(|t| t.kind == Kind::Term && is_meant(&t.id)).collect();
        let finder = Finder::new([(Some(pack), Arc::new(terms))]);
        let about = About::Terms(lesson.map(|l| l.title.clone()));
        Find::of(finder, (pack, &services.library), about)
    }

    /// The things of these kinds by their ids, and of them what the words find.
    pub fn ids(kinds: &[Kind], words: &str, library: &Library) -> Self {
        let of_packs = library.packs.iter().enumerate();
        let all: Vec<(Option<usize>, Vec<Thing>)> = of_packs
            .map(|(index, pack)| (Some(index), thing::of_pack(pack)))
            .chain([(None, thing::sims().collect())])
            .collect();
        let of = |kind: &Kind, things: &[Thing]| -> Catalogue {
            things.iter().filter(|thing| thing.kind == *kind).cloned().collect()
        };
        let groups = kinds
            .iter()
            .flat_map(|kind| all.iter().map(move |(pack, things)| (*pack, Arc::new(of(kind, things)))));
        let mut find = Find::of(Finder::new(groups), (0, library), About::Ids);
        find.search(words, library);
        find
    }

    fn of(mut finder: Finder, (pack, library): (usize, &Library), about: About) -> Self {
        let packs = library.packs.iter().map(|p| p.id.clone()).collect();
        finder.ask("", about.most());
        let all = finder.count();
        Find { finder, pack, packs, about, typed: String::new(), all, is_heard: false, lists: false }
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
        self.finder.found().is_empty()
    }

    /// What stands beside a row of the glossary: its definition, and where more of it stands.
    pub fn about(&self, row: usize, services: &Services) -> Option<Document> {
        let (pack, thing, _) = self.found().nth(row).filter(|_| self.is_glossary())?;
        let pack = services.pack(pack?)?;
        let term = pack.term(&thing.id)?;
        let others: Vec<&str> =
            term.related.iter().filter_map(|id| pack.term(id)).map(|t| &*t.name).collect();
        let lesson = term.lesson.as_deref().and_then(|id| pack.lesson(id));
        let about = Document::new().title(&term.name).markdown(&pack.named(&prose::definition(term)));
        let others = others.first().map(|_| format!("See also: {}", others.join(", ")));
        let lesson = lesson.map(|lesson| format!("Taught in: {}", lesson.title));
        Some(others.into_iter().chain(lesson).fold(about, |about, line| about.dim(&line)))
    }

    /// What a row leads to, in short: what it is, never what it asks to be found out.
    pub fn preview(&self, row: usize, services: &Services) -> Option<Document> {
        let (index, thing, _) = self.found().nth(row)?;
        let head = || Document::new().title(&thing.title);
        let pack = index.and_then(|index| services.pack(index));
        let lesson = || pack?.lesson(thing.lesson.as_deref()?);
        let of = |what: &str| match lesson() {
            Some(lesson) => format!("{what} of the lesson “{}”.", lesson.title),
            None => format!("{what}."),
        };
        Some(match (thing.kind, pack) {
            (Kind::Sim, _) => crate::sim::kind(&thing.id).map_or_else(head, super::sims::about_kind),
            (Kind::Page, _) => head().dim("A page of the program."),
            (Kind::Lesson, Some(pack)) => match pack.lesson(&thing.id) {
                Some(lesson) => about_lesson(Document::new(), pack, lesson).dim(&minutes(lesson.minutes)),
                None => head(),
            },
            (Kind::Term, Some(pack)) => {
                let about =
                    pack.term(&thing.id).map(|term| pack.named(&prose::definition(term)).into_owned());
                about.iter().fold(head(), |all, text| all.markdown(text))
            }
            (Kind::Puzzle, Some(pack)) => pack.puzzle(&thing.id).map_or_else(head, super::sims::about_puzzle),
            (Kind::Drill, _) => head().dim(&of("A drill")),
            (Kind::Lab, Some(pack)) => {
                let time = pack.lab(&thing.id).map(|(_, lab)| minutes(lab.minutes)).unwrap_or_default();
                head().dim(&of("A lab")).dim(&time).words("Say what it prints, run it, and compare.")
            }
            (Kind::Check, _) => {
                let is_sheet = thing.title != thing.shown() || thing.names.iter().any(|n| n == "worksheet");
                head().dim(&of(if is_sheet { "A worksheet" } else { "A check" }))
            }
            _ => head(),
        })
    }

    /// What to type, for a field that is empty.
    pub fn asks_for(&self) -> &'static str {
        match self.about {
            About::Terms(_) => "type a few letters of a term",
            _ => "type a few letters of a lesson, lab, drill, term or screen",
        }
    }

    /// Looks for the words, to the end.
    fn search(&mut self, words: &str, library: &Library) {
        self.begin(words);
        while self.is_looking() {
            self.look_on(library);
        }
    }

    /// Looks for the words among the names.
    fn begin(&mut self, words: &str) {
        self.typed = words.trim_start().to_owned();
        self.finder.ask(&self.typed, self.about.most());
    }

    /// Whether there is more to look at.
    fn is_looking(&self) -> bool {
        self.finder.is_looking()
    }

    /// Looks at some more of it.
    fn look_on(&mut self, library: &Library) {
        let text = |pack: Option<usize>, thing: &Thing| {
            let pack = pack.and_then(|index| library.packs.get(index));
            thing::text(pack, thing.kind, &thing.id).map(|text| prose::unmarked(&text)).unwrap_or_default()
        };
        self.finder.look_on(STEP, self.about.most(), text);
    }

    /// Whether a word is asked for first: nobody listens to all of a glossary.
    fn waits(&self) -> bool {
        self.is_heard && !self.lists && self.is_glossary() && self.typed.is_empty() && self.all > HEARD
    }

    fn found(&self) -> impl Iterator<Item = (Option<usize>, &Thing, &How)> {
        self.finder.found().iter().map(|f| {
            let (pack, thing) = self.finder.thing(f.thing);
            (pack, thing, &f.how)
        })
    }

    fn row(&self, pack: Option<usize>, thing: &Thing, how: &How) -> Row {
        let row = Row::to(place(pack, thing));
        let kind = Cell::text(format!("{:<7}", thing.kind.word())).role(Role::Dim);
        let said = match thing.kind {
            // their names say what they are
            Kind::Sim => named(thing),
            Kind::Page => thing.title.clone(),
            kind => format!("{}: {}", words::capital(kind.word()), thing.shown()),
        };
        let shown = match thing.kind {
            Kind::Sim => named(thing),
            Kind::Page => thing.title.clone(),
            _ => thing.shown(),
        };
        let row = match self.about {
            // other forms of the word are for who looks one up
            About::Terms(_) => row.cell(Cell::text(thing.shown())).said(&thing.title),
            About::Anything => row.cell(kind).cell(Cell::text(shown)).said(said),
            About::Ids => {
                // its id is said before it already
                let is_said = thing.names.first().is_some_and(|name| *name == thing.id);
                let shown = if is_said { thing.title.clone() } else { thing.shown() };
                row.cell(kind).cell(Cell::text(&thing.id)).cell(Cell::text(shown))
            }
        };
        match how {
            How::Text(line) if self.about == About::Ids => row.line(Cell::text(format!("      {line}"))),
            _ => row,
        }
    }

    /// What is said above what was found: nothing where it has the words in its name.
    fn note(&self) -> Option<String> {
        let typed = self.typed.trim();
        match self.finder.found().first().map(|f| &f.how) {
            None if self.is_looking() => Some("Looking into the texts …".to_owned()),
            None => Some(format!("Nothing here has “{typed}” in its name or its text.")),
            Some(How::Slip) => Some(format!("Nothing has “{typed}”. Nearly the same:")),
            _ => None,
        }
    }

    /// The rows of what was found: for a verb all of them, for a screen as many as one looks through.
    pub fn list(&self) -> View {
        if self.about == About::Ids && self.typed.is_empty() && self.packs.len() > 1 {
            self.by_pack()
        } else {
            self.narrowed(self.about.most())
        }
    }

    /// So many rows, and how many more were found.
    fn narrowed(&self, most: usize) -> View {
        let view = self.listed(most);
        let more = self.finder.count().saturating_sub(most);
        if more > 0 { view.dim(&format!("{more} more; another word narrows it.")) } else { view }
    }

    /// The rows pack by pack. An id that two packs have is written as it must be asked for.
    fn by_pack(&self) -> View {
        let of = |of: Option<usize>| self.found().filter(move |(pack, ..)| *pack == of);
        let is_double = |thing: &Thing| {
            let like = |(_, other, _): &(_, &Thing, _)| other.id == thing.id && other.kind == thing.kind;
            self.found().filter(like).count() > 1
        };
        let packs = self.packs.iter().enumerate().map(|(index, id)| (Some(index), id.as_str()));
        packs.chain([(None, "the program")]).fold(View::new(), |view, (pack, id)| {
            let rows: Vec<Row> = of(pack)
                .map(|(_, thing, how)| match pack.filter(|_| is_double(thing)) {
                    Some(_) => {
                        self.row(pack, &Thing { id: format!("{id}:{}", thing.id), ..thing.clone() }, how)
                    }
                    None => self.row(pack, thing, how),
                })
                .collect();
            if rows.is_empty() { view } else { view.title(id).list(rows) }
        })
    }

    /// The rows of what was found: those named so, then those whose texts have the words.
    fn listed(&self, most: usize) -> View {
        let view = self.note().iter().fold(View::new(), |view, note| view.dim(note));
        let in_text = |how: &How| matches!(how, How::Text(_)) && self.about != About::Ids;
        let of = |text: bool| self.found().take(most).filter(move |(.., how)| in_text(how) == text);
        let rows =
            |text: bool| of(text).map(|(pack, thing, how)| self.row(pack, thing, how)).collect::<Vec<_>>();
        let (named, texts) = (rows(false), rows(true));
        let view = view.list(named);
        match texts.is_empty() {
            true => view,
            false => view.dim(&format!("“{}” in the text of:", self.typed.trim())).list(texts),
        }
    }
}

/// A simulator with what it is.
fn named(sim: &Thing) -> String {
    format!("{} simulator", sim.title)
}

/// Where a thing is.
fn place(pack: Option<usize>, thing: &Thing) -> Place {
    let (pack, id) = (pack.unwrap_or(0), thing.id.clone());
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
        Kind::Page => match PAGES.iter().position(|(title, _)| *title == id) {
            Some(1) => Place::Glossary { pack, lesson: None },
            Some(2) => Place::Rehearse,
            Some(3) => Place::Review { ahead: 0 },
            Some(4) => Place::Plan,
            Some(5) => Place::Progress,
            Some(6) => Place::Sims,
            Some(7) => Place::History { drill: None },
            Some(8) => Place::Reports,
            Some(9) => Place::Posting,
            Some(10) => Place::Settings,
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
            About::Terms(_) if self.waits() => {
                let count = format!("{} terms.", self.all);
                let typed = [("a word", "looks it up"), ("all", "reads all of them")];
                return View::new().words(&count).typed(&typed).line("A word, or all to hear every one", "");
            }
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
        if self.waits() && words == "all" {
            self.lists = true;
            self.begin("");
            return Next::Show;
        }
        match act {
            // a key waits for no text
            Act::Text(_) => {
                self.begin(words);
                self.look_on(&at.services.library);
            }
            _ => self.search(words, &at.services.library),
        }
        let mut exact = self.found().take_while(|(_, thing, _)| {
            let names = std::iter::once(&thing.title).chain(&thing.names);
            names.into_iter().any(|name| name.to_lowercase() == words.trim().to_lowercase())
        });
        match (exact.next().map(|(pack, thing, _)| place(pack, thing)), matches!(act, Act::Line(_))) {
            (Some(place), true) if matches!(self.about, About::Terms(_)) => Next::Go(place),
            (_, true) => Next::Show,
            (_, false) => Next::Stay,
        }
    }

    fn by_ear(&mut self, _: &mut At) {
        self.is_heard = true;
    }

    fn back(&mut self, _: Option<Grade>, at: &mut At) -> Next {
        at.say(match self.waits() {
            true => "Another one? Type it; q goes back.",
            false => "Another one? Type it or its number; l lists them, q goes back.",
        });
        Next::Stay
    }

    fn tick(&mut self, at: &mut At) -> Next {
        if self.is_looking() {
            self.look_on(&at.services.library);
        }
        Next::Stay
    }

    fn wake_at(&self, now: Timestamp) -> Option<Timestamp> {
        self.is_looking().then_some(now)
    }

    fn is_popup(&self) -> bool {
        true
    }

    /// One object a thing. Of a search, `found` says by what: `name`, `teaches`, `text` with its `line`, `like`.
    fn json(&self) -> Option<Value> {
        let of = |(pack, thing, how): (Option<usize>, &Thing, &How)| {
            let pack = pack.and_then(|index| self.packs.get(index));
            let mut all = json!({"pack": pack, "kind": thing.kind.word(), "id": thing.id,
                "lesson": thing.lesson, "title": thing.title});
            if self.typed.is_empty() {
                return all;
            }
            let (found, line) = match how {
                How::Name => ("name", None),
                How::Teaches => ("teaches", None),
                How::Text(line) => ("text", Some(line)),
                How::Slip => ("like", None),
            };
            all["found"] = found.into();
            line.into_iter().for_each(|line| all["line"] = line.as_str().into());
            all
        };
        Some(self.found().map(of).collect())
    }
}
