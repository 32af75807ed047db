//! A worksheet: a table that a learner fills in and has checked. What is typed is kept.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp};

use super::action::Action;
use super::keys::Scope;
use super::place::Place;
use super::view::{Row, View};
use super::{Act, At, Next, Page};
use crate::doc::{Cell, Role};
use crate::pack::{self, Check, CheckKind, WorksheetCell};
use crate::score::Verdict;
use crate::services::record::Entry;
use crate::services::{Record, Services};
use crate::sim::plan::Finding;
use crate::sim::worksheet;
use crate::store::CheckAttempt;
use crate::study::check::{self, Answer, Asked, Marked};
use crate::study::schedule::{Grade, grade_check};

mod found;

/// A cell takes no more characters than this.
pub const LONGEST: usize = 200;
/// What is typed is kept after this time at the latest.
const KEEP_AFTER: SignedDuration = SignedDuration::from_millis(500);

/// A worksheet.
#[derive(Debug)]
pub struct Worksheet {
    pack: usize,
    pack_id: String,
    check: Check,
    sheet: pack::Worksheet,
    asked: Asked,
    /// Each cell in reading order, by its row and its place in the row.
    order: Vec<(usize, usize)>,
    /// The cell under the cursor, by its place in `order`.
    at: usize,
    /// What stands in the cells, by cell id.
    texts: BTreeMap<String, String>,
    /// Cells changed since they were last kept, and when the first of them was.
    unsaved: BTreeSet<String>,
    unsaved_since: Option<Timestamp>,
    hints: usize,
    /// The cells whose answers were asked for, the last one at the end.
    answers: Vec<String>,
    since: Timestamp,
    /// Whether the person was told of empty cells.
    told: bool,
    outcome: Option<Outcome>,
    grade: Option<Grade>,
}

/// What came of having it checked.
#[derive(Debug)]
struct Outcome {
    marked: Marked,
    findings: Vec<Finding>,
    /// What stood in the cells.
    texts: BTreeMap<String, String>,
}

/// The setting that keeps what stood in the cells when they were checked last.
fn checked_key(pack: &str, check: &str) -> String {
    format!("checked {pack} {check}")
}

impl Outcome {
    /// What comes of checking these texts.
    fn of(texts: BTreeMap<String, String>, check: &Check, sheet: &pack::Worksheet) -> Option<Outcome> {
        let findings = worksheet::check(&sheet.checker, &sheet.given, &texts);
        let answer = Answer::Worksheet(worksheet::accepted(&findings));
        let asked = check::ask(check, 0).ok()?;
        Some(Outcome { marked: check::mark(check, &asked, &answer).ok()?, findings, texts })
    }
}

impl Worksheet {
    /// The worksheet at a place: the one named, or the first of the lesson. None where there is none.
    pub fn at(place: &Place, services: &Services, now: Timestamp) -> Option<Self> {
        let Place::Checks { pack, lesson, only } = place else { return None };
        let of = services.pack(*pack)?;
        let checks = of.checks_of(lesson).filter(|c| only.as_ref().is_none_or(|id| c.id == *id));
        let (check, sheet) = checks.into_iter().find_map(|c| match &c.kind {
            CheckKind::Worksheet(sheet) => Some((c, sheet)),
            _ => None,
        })?;
        let kept = services.store.cells(&of.id, &check.id).unwrap_or_default();
        let cells = sheet.rows.iter().flat_map(|r| &r.cells);
        let text = |c: &WorksheetCell| kept.get(&c.id).or(c.start.as_ref()).cloned().unwrap_or_default();
        let places = |r: usize| (0..sheet.rows[r].cells.len()).map(move |c| (r, c));
        let asked = check::ask(check, 0).ok()?;
        let outcome = services.setting(&checked_key(&of.id, &check.id)).ok().flatten();
        let outcome = outcome.and_then(|texts| Outcome::of(serde_json::from_str(&texts).ok()?, check, sheet));
        Some(Worksheet {
            pack: *pack,
            pack_id: of.id.clone(),
            asked,
            order: (0..sheet.rows.len()).flat_map(places).collect(),
            at: 0,
            texts: cells.map(|c| (c.id.clone(), text(c))).collect(),
            check: check.clone(),
            sheet: sheet.clone(),
            unsaved: BTreeSet::new(),
            unsaved_since: None,
            hints: 0,
            answers: Vec::new(),
            since: now,
            told: false,
            outcome,
            grade: None,
        })
    }

    /// What is asked, as Markdown.
    pub fn question(&self) -> &str {
        &self.asked.question
    }

    /// The table.
    pub fn sheet(&self) -> &pack::Worksheet {
        &self.sheet
    }

    /// The place of the cell under the cursor, in reading order.
    pub fn cursor(&self) -> usize {
        self.at
    }

    /// The cell under the cursor.
    pub fn cell(&self) -> Option<&WorksheetCell> {
        self.nth(self.at)
    }

    fn nth(&self, at: usize) -> Option<&WorksheetCell> {
        let (row, column) = *self.order.get(at)?;
        self.sheet.rows.get(row)?.cells.get(column)
    }

    /// What stands in a cell.
    pub fn text(&self, cell: &str) -> &str {
        self.texts.get(cell).map_or("", String::as_str)
    }

    /// Whether it was checked, and the person was not just told of empty cells instead.
    pub fn is_checked(&self) -> bool {
        self.outcome.is_some() && !self.told
    }

    /// The mark of a cell that stands as it was checked.
    pub fn mark(&self, cell: &str) -> Option<Verdict> {
        let outcome = self.outcome.as_ref()?;
        if outcome.texts.get(cell).map(String::as_str) != Some(self.text(cell)) {
            return None;
        }
        let about = || outcome.findings.iter().filter(|f| f.cells.iter().any(|c| c == cell));
        about().map(found::mark).min_by_key(|mark| match mark {
            Verdict::Missing => 0,
            Verdict::Partial => 1,
            Verdict::Covered => 2,
        })
    }

    /// Puts the cursor on a cell, by its place in reading order, and keeps what was typed.
    pub fn go(&mut self, to: usize, at: &mut At) {
        self.at = to.min(self.order.len().saturating_sub(1));
        self.keep(at);
    }

    /// Left and right: among the choices of a cell, or to the cell beside it.
    fn turn(&mut self, forward: bool, at: &mut At) {
        let Some(cell) = self.cell() else { return };
        let count = cell.options.len();
        if count == 0 {
            return self.go(self.at.saturating_add_signed(if forward { 1 } else { -1 }), at);
        }
        let now = cell.options.iter().position(|o| o == self.text(&cell.id));
        let next = match (now, forward) {
            (None, true) => 0,
            (None, false) => count - 1,
            (Some(i), true) => (i + 1) % count,
            (Some(i), false) => (i + count - 1) % count,
        };
        self.put(cell.options[next].clone(), at.now);
    }

    /// Writes into the cell under the cursor, in place of what stands there.
    pub fn put(&mut self, text: String, now: Timestamp) {
        let Some(id) = self.cell().map(|c| c.id.clone()) else { return };
        self.told = false;
        self.unsaved.insert(id.clone());
        self.unsaved_since.get_or_insert(now);
        self.texts.insert(id, text);
    }

    /// Takes a letter: the next choice that begins with it.
    pub fn letter(&mut self, letter: char, at: &mut At) {
        let Some(cell) = self.cell() else { return };
        if letter == ' ' {
            return self.turn(true, at);
        }
        let starts = |o: &&String| o.to_lowercase().starts_with(letter.to_ascii_lowercase());
        let now = cell.options.iter().position(|o| o == self.text(&cell.id));
        let after = now.map_or(0, |i| i + 1);
        let found = cell.options[after..].iter().find(starts).or(cell.options.iter().find(starts));
        if let Some(option) = found.cloned() {
            self.put(option, at.now);
        }
    }

    /// Keeps what changed.
    fn keep(&mut self, at: &mut At) {
        self.unsaved_since = None;
        for cell in std::mem::take(&mut self.unsaved) {
            let (pack, check) = (self.pack_id.clone(), self.check.id.clone());
            let text = self.text(&cell).to_owned();
            let kept = at.services.keep(Record::Cell(Entry { pack, check, cell, text }), at.now);
            kept.said().into_iter().for_each(|said| at.say(said));
        }
    }

    fn submit(&mut self, at: &mut At) -> Next {
        let is_empty = |i: &usize| self.nth(*i).is_some_and(|cell| self.text(&cell.id).trim().is_empty());
        let empties: Vec<usize> = (0..self.order.len()).filter(is_empty).collect();
        if let Some(first) = empties.first().filter(|_| !self.told) {
            self.go(*first, at);
            self.told = true;
            at.say(match empties.len() {
                1 => "one cell is empty; do it again to check anyway".to_owned(),
                n => format!("{n} cells are empty; do it again to check anyway"),
            });
            return Next::Stay;
        }
        let Some(outcome) = Outcome::of(self.texts.clone(), &self.check, &self.sheet) else {
            at.say("this worksheet cannot be checked");
            return Next::Stay;
        };
        self.keep(at);
        let marked = &outcome.marked;
        let attempt = Box::new(self.attempt(marked, at.now));
        self.grade = Some(grade_check(marked.right, attempt.hints));
        at.services.keep(Record::Check(attempt), at.now).said().into_iter().for_each(|said| at.say(said));
        self.since = at.now;
        self.told = false;
        let texts = serde_json::to_string(&self.texts).expect("texts by name are plain data");
        let checked = Record::Setting(checked_key(&self.pack_id, &self.check.id).into(), texts);
        at.services.keep(checked, at.now).said().into_iter().for_each(|said| at.say(said));
        self.outcome = Some(outcome);
        self.at = self.first_wrong().unwrap_or(self.at);
        Next::Stay
    }

    /// The first cell that was filled in and is wrong; where there is none, the first empty one.
    fn first_wrong(&self) -> Option<usize> {
        let is_wrong =
            |at: &usize| self.nth(*at).is_some_and(|cell| self.mark(&cell.id) == Some(Verdict::Missing));
        let is_filled = |at: &usize| self.nth(*at).is_some_and(|cell| !self.text(&cell.id).trim().is_empty());
        let wrong = || (0..self.order.len()).filter(is_wrong);
        wrong().find(is_filled).or_else(|| wrong().next())
    }

    fn attempt(&self, marked: &Marked, now: Timestamp) -> CheckAttempt {
        let seconds = now.duration_since(self.since).as_secs().max(0);
        CheckAttempt {
            id: String::new(), // named by the store
            pack: self.pack_id.clone(),
            check: self.check.id.clone(),
            lesson: self.check.lesson.clone(),
            at: now,
            right: marked.right,
            given: marked.given.clone(),
            hints: u32::try_from(self.hints + self.answers.len()).unwrap_or(u32::MAX),
            seed: self.asked.seed,
            seconds: u32::try_from(seconds).unwrap_or(u32::MAX),
        }
    }

    fn hint(&mut self, at: &mut At) -> Next {
        match self.hints == self.asked.hints.len() {
            true => at.say("there are no more hints"),
            false => self.hints += 1,
        }
        Next::Stay
    }

    /// Tells what belongs in the cell under the cursor; not before the worksheet was checked once.
    fn tell(&mut self, at: &mut At) -> Next {
        let Some(cell) = self.cell().map(|cell| cell.id.clone()) else { return Next::Stay };
        match &self.outcome {
            None => at.say("have it checked first; then this key tells what belongs in a cell"),
            Some(_) if self.mark(&cell) == Some(Verdict::Covered) => at.say("this cell is right as it is"),
            Some(_) => {
                self.answers.retain(|told| *told != cell);
                self.answers.push(cell);
            }
        }
        Next::Show
    }

    /// A line typed: a command, or a cell by its number and what belongs in it.
    fn line(&mut self, line: &str, at: &mut At) -> Next {
        match line {
            "check" | "c" => return self.submit(at),
            "h" => return self.hint(at),
            _ => {}
        }
        if let Some(place) = line.strip_prefix("answer ").and_then(|n| n.trim().parse::<usize>().ok()) {
            self.go(place.saturating_sub(1), at);
            return self.tell(at);
        }
        let (first, rest) = line.split_once([' ', '=']).unwrap_or((line, ""));
        let place = first.trim_end_matches('.').parse::<usize>().ok().and_then(|n| n.checked_sub(1));
        let Some((place, cell)) = place.and_then(|at| Some((at, self.nth(at)?.clone()))) else {
            at.say(format!(
                "“{line}” fills no cell; type its number and what belongs in it, such as 1 = 16; check \
                 checks the worksheet, answer 1 tells what belongs in cell 1"
            ));
            return Next::Stay;
        };
        let typed = rest.trim().trim_start_matches('=').trim();
        let Some(text) = entry(&cell, typed) else {
            at.say(format!("“{typed}” is not one of the choices; type one of: {}", cell.options.join("; ")));
            return Next::Stay;
        };
        self.at = place;
        at.say(format!("{}: {}", self.name(&cell.id), if text.is_empty() { "empty" } else { &text }));
        self.put(text, at.now);
        self.keep(at);
        Next::Stay
    }

    /// What a cell is called: the label of its row and its own.
    fn name(&self, cell: &str) -> String {
        let found =
            self.sheet.rows.iter().find_map(|row| Some((row, row.cells.iter().find(|c| c.id == cell)?)));
        match found.map(|(row, cell)| (row.label.as_str(), cell.label.as_str())) {
            Some((row, "")) => row.to_owned(),
            Some(("", cell)) => cell.to_owned(),
            Some((row, cell)) => format!("{row}, {cell}"),
            None => cell.to_owned(),
        }
    }

    fn row(&self, cell: &WorksheetCell) -> Row {
        let text = match self.text(&cell.id) {
            "" => "empty",
            text => text,
        };
        let options = match cell.options.len() {
            0 => String::new(),
            _ => format!("one of: {}", cell.options.join("; ")),
        };
        let row = Row::here().cell(Cell::text(self.name(&cell.id))).cell(Cell::text(text).role(Role::Strong));
        row.cell(Cell::text(options).role(Role::Dim))
    }
}

/// What is put into a cell: what was typed, or the choice it names; the first letters are enough.
fn entry(cell: &WorksheetCell, typed: &str) -> Option<String> {
    if cell.options.is_empty() || typed.is_empty() {
        return Some(typed.to_owned());
    }
    let low = typed.to_lowercase();
    let same = cell.options.iter().find(|o| o.to_lowercase() == low);
    let begins = || {
        let mut fits = cell.options.iter().filter(|o| o.to_lowercase().starts_with(&low));
        fits.next().filter(|_| fits.next().is_none())
    };
    same.or_else(begins).cloned()
}

impl Worksheet {
    /// Whether it was checked, and all of it is right.
    pub fn is_known(&self) -> bool {
        self.grade.is_some_and(|grade| grade > Grade::Again)
    }
}

impl Page for Worksheet {
    fn title(&self, services: &Services) -> Vec<String> {
        let lesson = services.library.lesson(self.pack, &self.check.lesson).map(|l| l.title.clone());
        lesson.into_iter().chain([self.sheet.title.clone()]).collect()
    }

    fn scopes(&self) -> Vec<Scope> {
        vec![Scope::Worksheet]
    }

    fn view(&self, _at: &At) -> View {
        let cells = self.sheet.rows.iter().flat_map(|r| &r.cells);
        let view = View::new().of_pack(self.pack).markdown(self.question()).list(cells.map(|c| self.row(c)));
        let view = view.beside(View::new().with(|side| side.and(self.found(None))));
        let view = if self.is_known() { view } else { view.enter("says it all again") };
        view.spoken(
            "Fill a cell by its number, such as 1 = 16; check checks the worksheet, h gives a hint, \
         answer 1 tells what belongs in cell 1 once it was checked, l lists the cells",
        )
    }

    fn act(&mut self, act: Act, at: &mut At) -> Next {
        match act {
            Act::Line(line) => return self.line(&line, at),
            Act::Open(row) => at.say(format!("Type {} = and what belongs in the cell", row + 1)),
            Act::On(action, _) | Act::Do(action) => match action {
                Action::Submit => return self.submit(at),
                Action::Hint => return self.hint(at),
                Action::Reveal => return self.tell(at),
                Action::Open if self.is_known() => return Next::Back,
                Action::Open => return Next::Show,
                Action::NextPane => self.go(self.at + 1, at),
                Action::PrevPane => self.go(self.at.saturating_sub(1), at),
                Action::Right => self.turn(true, at),
                Action::Left => self.turn(false, at),
                _ => {}
            },
            Act::Text(_) => {}
        }
        Next::Stay
    }

    fn wake_at(&self, _now: Timestamp) -> Option<Timestamp> {
        self.unsaved_since?.checked_add(KEEP_AFTER).ok()
    }

    fn tick(&mut self, at: &mut At) -> Next {
        if self.wake_at(at.now).is_some_and(|wake| wake <= at.now) {
            self.keep(at);
        }
        Next::Stay
    }

    fn leave(&mut self, at: &mut At) {
        self.keep(at);
    }

    fn result(&self) -> Option<Grade> {
        self.grade
    }
}
