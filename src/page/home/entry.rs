//! What can be chosen on Home, and the lessons of a course.
//!
//! Each thing has its number by what it is, not by where it stands: lines say the same number every day.

use super::known::Known;
use crate::doc::{Cell, Column, Judged, Role};
use crate::pack::Pack;
use crate::pack::index::{Asks, Lesson};
use crate::page::place::Place;
use crate::page::view::{Row, Table, View};
use crate::services::library::Library;
use crate::study::duration;
use crate::study::words::{minutes, some};

/// The number before the first lesson.
pub const LESSONS: usize = 20;
/// Columns that a label takes at least.
const LABEL: usize = 9;
/// Columns of the bar behind a lesson.
const BAR: u16 = 8;

/// What lines end with.
pub const CLOSING: &str = "Type a number. Enter takes what is named first, course lists the \
    lessons, a question mark says what else can be typed, q ends.";

/// The same below the lessons alone.
pub const CLOSING_LIST: &str = "Type the number of a lesson. course tells Home again; a question mark says what else can be typed, q ends.";

/// The same for a newcomer.
pub const CLOSING_NEW: &str = "Type a number. Enter begins the course, course lists its lessons, a question mark says what else can \
    be typed, q ends.";

/// Where an entry stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Of {
    /// Under what today asks for.
    Now,
    /// Under the course with this index.
    Course(usize),
}

/// Something that can be chosen.
pub struct Entry {
    pub of: Of,
    /// What is typed for it in lines; none for what a lesson holds.
    pub number: Option<usize>,
    pub label: &'static str,
    pub text: String,
    pub minutes: Option<u32>,
    pub is_done: bool,
    pub place: Place,
    /// The lesson that it is or belongs to: pack index and id.
    pub lesson: Option<(usize, String)>,
    /// How much of a lesson is done, 0 to 1.
    pub share: Option<f64>,
}

impl Entry {
    /// Something to do now.
    pub fn now(number: usize, label: &'static str, text: impl Into<String>, place: Place) -> Self {
        let lesson = match &place {
            Place::Lesson { pack, id } => Some((*pack, id.clone())),
            _ => None,
        };
        Entry {
            of: Of::Now,
            number: Some(number),
            label,
            text: text.into(),
            minutes: None,
            is_done: false,
            place,
            lesson,
            share: None,
        }
    }

    /// The row, its label so many columns wide.
    pub fn row(&self, pad: usize) -> Row {
        let row = Row::to(self.place.clone());
        let row = match self.number {
            Some(number) => row.number(number),
            None => row,
        };
        let time = match (self.minutes, self.is_done) {
            (_, true) => "done".into(),
            (Some(time), _) => minutes(time),
            (None, _) => String::new(),
        };
        let time = Cell::text(time).role(Role::Dim);
        let row = row.said(self.said());
        match (self.share, self.of) {
            (Some(share), _) => {
                let done = if self.is_done { Cell::mark(Judged::Covered).said("") } else { Cell::text(" ") };
                row.cell(done + Cell::text(" ") + Cell::text(&self.text))
                    .cell(Cell::meter(share, BAR))
                    .cell(time)
            }
            (None, Of::Course(_)) => {
                let label = format!("    {:<7}", self.label);
                row.cell(Cell::text(label).role(Role::Dim) + Cell::text(&self.text))
                    .cell(Cell::text(""))
                    .cell(time)
            }
            (None, Of::Now) => {
                let label = format!("{:<pad$}", self.label);
                let row = row.cell(Cell::text(label).role(Role::Dim) + Cell::text(&self.text));
                // without minutes the words have the whole row
                if self.minutes.is_none() { row } else { row.cell(time) }
            }
        }
    }
}

impl Entry {
    /// The same for the ear, with the title of what it leads to in quotes: a title may hold colons and read as a sentence.
    pub fn heard(self, library: &Library) -> Entry {
        let index = |pack: usize| library.packs.get(pack).map(|pack| pack.index());
        let title = match &self.place {
            Place::Lesson { pack, id } | Place::Checks { pack, lesson: id, .. } => {
                index(*pack).and_then(|i| i.lesson(id)).map(|lesson| lesson.title.to_string())
            }
            Place::Skim { pack, lessons } => match lessons.as_slice() {
                [id] => index(*pack).and_then(|i| i.lesson(id)).map(|lesson| lesson.title.to_string()),
                _ => None,
            },
            Place::Lab { pack, id } => {
                index(*pack).and_then(|i| i.lab(id)).map(|(_, lab)| lab.title.to_string())
            }
            Place::Puzzle { .. } => Some(self.text.clone()),
            Place::Drill { pack, id, .. } | Place::PartAgain { pack, id, .. } => {
                let pack = library.packs.get(*pack);
                let prompt = pack.and_then(|pack| pack.prompt(id)).map(str::to_owned);
                let lesson = pack.and_then(|pack| {
                    let of = pack.index();
                    Some(of.lesson(&of.drill(id)?.lesson)?.title.to_string())
                });
                [prompt, lesson].into_iter().flatten().find(|title| self.text.contains(title))
            }
            Place::News => self.text.split_once(", ").map(|(title, _)| title.to_owned()),
            _ => None,
        };
        let Some((title, (before, after))) =
            title.and_then(|title| Some((title.clone(), self.text.split_once(&title)?)))
        else {
            return self;
        };
        let before = match before.strip_suffix(": ") {
            Some(before) if before.ends_with(" of") => format!("{before} "),
            Some(before) => format!("{before} to "),
            None if self.place == Place::News => "in ".to_owned(),
            // a drill on a lesson, and none of that name
            None if before.is_empty() && self.label == "Drill" => "on ".to_owned(),
            None => before.to_owned(),
        };
        let after = after.strip_prefix(": ").map_or(after.to_owned(), |after| format!(", {after}"));
        // nothing is answered yet: counted as the lesson counts them
        let after = match &self.place {
            Place::Checks { pack, lesson, .. } => index(*pack)
                .and_then(|of| {
                    let all = of.checks_of(lesson).count();
                    let sheets =
                        of.checks_of(lesson).filter(|c| matches!(c.asks, Asks::Worksheet { .. })).count();
                    let is_whole = after == format!(", {} to go", some(all, "check"));
                    let sheets_said =
                        if sheets == 1 { "a worksheet".into() } else { some(sheets, "worksheet") };
                    let short = some(all - sheets, "short question");
                    (is_whole && sheets > 0).then(|| format!(", {short} and {sheets_said} to go"))
                })
                .unwrap_or(after),
            _ => after,
        };
        Entry { text: format!("{before}“{title}”{after}"), ..self }
    }

    /// The row for the ear.
    pub fn said(&self) -> String {
        let label = match self.label {
            "" => String::new(),
            // `Read “ZeRO”`, `Go on with the rehearsal`
            label
                if ["“", "with ", "your ", "in “", "on “"].iter().any(|lead| self.text.starts_with(lead)) =>
            {
                format!("{label} ")
            }
            label => format!("{label}: "),
        };
        let time = match (self.minutes, self.is_done) {
            (_, true) => ", done".into(),
            (Some(left), _) => format!(", {}", some(usize::try_from(left).unwrap_or(0), "minute")),
            (None, _) => String::new(),
        };
        format!("{label}{}{time}", self.text)
    }
}

/// What today asks for, in a table of its own.
pub fn now_view(view: View, head: Vec<Row>, entries: &[Entry]) -> View {
    let now = || entries.iter().filter(|e| e.of == Of::Now);
    let pad = now().map(|entry| entry.label.len()).max().unwrap_or(0).max(LABEL) + 2;
    let rows = head.into_iter().chain(now().map(|entry| entry.row(pad)));
    view.table(vec![Column::words(""), Column::numbers("")], rows)
}

/// Two columns of words, then the minutes.
fn columns() -> Vec<Column> {
    vec![Column::words(""), Column::words(""), Column::numbers("")]
}

/// A course as it stands below what is to be done now. It is made once, and shown in view after view: with many packs
/// there are thousands of lessons.
pub struct Course {
    /// Its lessons, with what those hold that are unfolded.
    pub entries: Vec<Entry>,
    title: String,
    rows: Table,
    /// Whether its lessons are counted instead of listed; their numbers can be typed all the same.
    is_counted: bool,
}

impl Course {
    /// The course with this index, as far as it is known what was done; none where there is none.
    pub fn of(
        (index, library): (usize, &Library),
        known: &Known,
        unfolded: &[(usize, String)],
    ) -> Option<Self> {
        let pack = library.packs.get(index)?;
        let before: usize = library.packs[..index].iter().map(|p| p.index().lessons.len()).sum();
        let mut entries = Vec::new();
        for (nth, lesson) in pack.index().lessons.iter().enumerate() {
            entries.push(of_lesson((index, pack), lesson, known, LESSONS + before + nth + 1));
            if unfolded.iter().any(|(p, l)| *p == index && *l == lesson.id) {
                entries.extend(inside((index, pack), lesson));
            }
        }
        let rows = Table::new(columns(), entries.iter().map(|entry| entry.row(0)));
        Some(Course { title: title((index, pack), known), rows, entries, is_counted: false })
    }

    /// The same, its lessons counted instead of listed.
    pub fn counted(self) -> Self {
        let rows = Table::new(columns(), self.entries.iter().map(|entry| entry.row(0).said("")));
        Course { rows, is_counted: true, ..self }
    }

    /// The course below a view.
    pub fn below(&self, view: View) -> View {
        let numbers: Vec<usize> = self.entries.iter().filter_map(|entry| entry.number).collect();
        let view = match numbers.as_slice() {
            [first, .., last] if self.is_counted => {
                let count = some(numbers.len(), "lesson");
                view.words(&format!("{}: {count}, numbers {first} to {last}.", self.title))
            }
            _ => view.title(&self.title),
        };
        view.put(&self.rows)
    }
}

fn of_lesson((index, pack): (usize, &Pack), lesson: &Lesson, known: &Known, number: usize) -> Entry {
    let id = lesson.id.to_string();
    let all = duration::lesson(pack.index(), lesson).max(1);
    let left = duration::left(pack.index(), lesson, known.lesson(index, &lesson.id));
    Entry {
        of: Of::Course(index),
        minutes: Some(left),
        is_done: left == 0,
        lesson: Some((index, id.clone())),
        share: Some(1.0 - f64::from(left) / f64::from(all)),
        ..Entry::now(number, "", &*lesson.title, Place::Lesson { pack: index, id })
    }
}

/// How much of a course is left.
fn title((index, pack): (usize, &Pack), known: &Known) -> String {
    let all: u32 = pack.index().lessons.iter().map(|l| duration::lesson(pack.index(), l)).sum();
    let left = |l: &Lesson| duration::left(pack.index(), l, known.lesson(index, &l.id));
    let left: u32 = pack.index().lessons.iter().map(left).sum();
    let name = if index == 0 { "Course" } else { &pack.title };
    match left {
        _ if left == all => format!("{name}, {} with labs, checks and drills", minutes(all)),
        0 => format!("{name}, all {} done", minutes(all)),
        left => format!("{name}, {} of {} left, with labs, checks and drills", minutes(left), minutes(all)),
    }
}

/// What a lesson holds, one row each.
pub fn inside((index, pack): (usize, &Pack), lesson: &Lesson) -> Vec<Entry> {
    let row = |label: &'static str, text: &str, place: Place| Entry {
        of: Of::Course(index),
        number: None,
        lesson: Some((index, lesson.id.to_string())),
        ..Entry::now(0, label, text, place)
    };
    let of = pack.index();
    let checks = |only: Option<String>| Place::Checks { pack: index, lesson: lesson.id.to_string(), only };
    let mut out = Vec::new();
    for lab in lesson.labs.iter() {
        let place = Place::Lab { pack: index, id: lab.id.to_string() };
        out.push(Entry { minutes: Some(lab.minutes), ..row("lab", &lab.title, place) });
    }
    let short = of.checks_of(&lesson.id).filter(|c| !matches!(c.asks, Asks::Worksheet { .. })).count();
    if short > 0 {
        out.push(row("checks", &format!("{short} short questions"), checks(None)));
    }
    for check in of.checks_of(&lesson.id) {
        if let Asks::Worksheet { title, .. } = &check.asks {
            out.push(row("sheet", title, checks(Some(check.id.to_string()))));
        }
    }
    for puzzle in of.puzzles_of(&lesson.id) {
        let place = Place::Puzzle { pack: index, id: puzzle.id.to_string() };
        out.push(row("puzzle", &puzzle.title, place));
    }
    for drill in of.drills_of(&lesson.id) {
        let place = Place::Drill { pack: index, id: drill.id.to_string(), only: None };
        let prompt = pack.prompt(&drill.id).unwrap_or_default();
        out.push(Entry { minutes: Some(drill.minutes), ..row("drill", prompt, place) });
    }
    out
}
