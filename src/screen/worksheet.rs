//! A worksheet: a table that a learner fills in and has checked.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::widgets::Widget;

use super::reading::draw_scrollbar;
use super::{Context, Page};
use crate::app::effect::{Effect, Entry, Query, Reply};
use crate::app::event::Mouse;
use crate::pack::{self, Check, CheckKind, Pack, WorksheetCell};
use crate::page::action::Action;
use crate::page::key::{Code, Key};
use crate::page::keys::Scope;
use crate::sim::plan::Finding;
use crate::sim::worksheet;
use crate::store::CheckAttempt;
use crate::study::check::{self, Answer, Asked, Marked};
use crate::widget::scroll;

mod draw;

/// A cell takes no more characters than this.
const LONGEST: usize = 200;
/// What is typed is kept after this time at the latest.
const KEEP_AFTER: SignedDuration = SignedDuration::from_millis(500);

/// A worksheet.
#[derive(Debug)]
pub struct Worksheet {
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
    since: Timestamp,
    /// Whether the person was told of empty cells.
    told: bool,
    outcome: Option<Outcome>,
    laid: draw::Laid,
    view: View,
    top: usize,
    area: Rect,
}

/// What came of having it checked.
#[derive(Debug)]
struct Outcome {
    marked: Marked,
    findings: Vec<Finding>,
    /// What stood in the cells.
    texts: BTreeMap<String, String>,
}

/// What the screen keeps in view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum View {
    /// Wherever it was scrolled to.
    Free,
    /// The cell under the cursor.
    Cell,
    /// What was found.
    Findings,
}

impl Worksheet {
    /// A worksheet of a lesson: the one with that id, or the first. With what to ask for at once.
    pub fn open(
        of: &Pack,
        lesson: &str,
        only: Option<&str>,
        context: &Context,
    ) -> Option<(Self, Vec<Effect>)> {
        let (check, sheet) =
            of.checks_of(lesson).filter(|c| only.is_none_or(|id| c.id == id)).find_map(|c| {
                match &c.kind {
                    CheckKind::Worksheet(sheet) => Some((c, sheet)),
                    _ => None,
                }
            })?;
        let asked = check::ask(check, 0).ok()?;
        let cells = || sheet.rows.iter().flat_map(|r| &r.cells);
        let screen = Self {
            pack_id: of.id.clone(),
            check: check.clone(),
            sheet: sheet.clone(),
            asked,
            order: (0..sheet.rows.len())
                .flat_map(|r| (0..sheet.rows[r].cells.len()).map(move |c| (r, c)))
                .collect(),
            at: 0,
            texts: cells().map(|c| (c.id.clone(), c.start.clone().unwrap_or_default())).collect(),
            unsaved: BTreeSet::new(),
            unsaved_since: None,
            hints: 0,
            since: context.now,
            told: false,
            outcome: None,
            laid: draw::Laid::default(),
            view: View::Free,
            top: 0,
            area: Rect::ZERO,
        };
        let recall = Query::Cells(screen.pack_id.clone(), screen.check.id.clone());
        Some((screen, vec![Effect::Recall(recall)]))
    }

    fn cell_at(&self, (row, column): (usize, usize)) -> Option<&WorksheetCell> {
        self.sheet.rows.get(row)?.cells.get(column)
    }

    fn cell(&self) -> Option<&WorksheetCell> {
        self.cell_at(*self.order.get(self.at)?)
    }

    fn text(&self, cell: &str) -> &str {
        self.texts.get(cell).map_or("", String::as_str)
    }

    /// Writes into the cell under the cursor.
    fn write(&mut self, text: String, context: &Context) {
        let Some(id) = self.cell().map(|c| c.id.clone()) else {
            return;
        };
        self.view = View::Cell;
        self.told = false;
        self.unsaved.insert(id.clone());
        self.unsaved_since.get_or_insert(context.now);
        self.texts.insert(id, text);
    }

    /// Asks to keep what changed.
    fn keep(&mut self) -> Vec<Effect> {
        self.unsaved_since = None;
        std::mem::take(&mut self.unsaved)
            .into_iter()
            .map(|cell| {
                let text = self.text(&cell).to_owned();
                Effect::SaveCell(Entry {
                    pack: self.pack_id.clone(),
                    check: self.check.id.clone(),
                    cell,
                    text,
                })
            })
            .collect()
    }

    fn go(&mut self, to: usize) -> Vec<Effect> {
        self.at = to.min(self.order.len().saturating_sub(1));
        self.view = View::Cell;
        self.keep()
    }

    fn go_by(&mut self, by: isize) -> Vec<Effect> {
        self.go(self.at.saturating_add_signed(by))
    }

    /// To the nearest cell of the next row, or of the one before.
    fn go_row(&mut self, down: bool) -> Vec<Effect> {
        let Some(&(row, column)) = self.order.get(self.at) else {
            return Vec::new();
        };
        let distance = |(_, (r, c)): &(usize, &(usize, usize))| (r.abs_diff(row), c.abs_diff(column));
        let to = self
            .order
            .iter()
            .enumerate()
            .filter(|(_, (r, _))| if down { *r > row } else { *r < row })
            .min_by_key(distance)
            .map(|(i, _)| i);
        self.go(to.unwrap_or(self.at))
    }

    /// Left and right: among the choices of a cell, or to the cell beside it.
    fn turn(&mut self, forward: bool, context: &Context) -> Vec<Effect> {
        let Some(cell) = self.cell() else {
            return Vec::new();
        };
        let count = cell.options.len();
        if count == 0 {
            return self.go_by(if forward { 1 } else { -1 });
        }
        let now = cell.options.iter().position(|o| o == self.text(&cell.id));
        let next = match (now, forward) {
            (None, true) => 0,
            (None, false) => count - 1,
            (Some(i), true) => (i + 1) % count,
            (Some(i), false) => (i + count - 1) % count,
        };
        self.write(cell.options[next].clone(), context);
        Vec::new()
    }

    /// A letter in a cell with choices: the next choice that begins with it.
    fn choose(&mut self, letter: char, context: &Context) {
        let Some(cell) = self.cell() else { return };
        let starts = |o: &&String| o.to_lowercase().starts_with(letter.to_ascii_lowercase());
        let now = cell.options.iter().position(|o| o == self.text(&cell.id));
        let after = now.map_or(0, |i| i + 1);
        let found = cell.options[after..].iter().find(starts);
        if let Some(option) = found.or(cell.options.iter().find(starts)).cloned() {
            self.write(option, context);
        }
    }

    fn submit(&mut self, context: &Context) -> Vec<Effect> {
        let empty = |(r, c): (usize, usize)| {
            self.cell_at((r, c)).is_some_and(|cell| self.text(&cell.id).trim().is_empty())
        };
        let empties: Vec<usize> = (0..self.order.len()).filter(|i| empty(self.order[*i])).collect();
        if let Some(first) = empties.first().filter(|_| !self.told) {
            let text = match empties.len() {
                1 => "one cell is empty; once more checks it all the same".to_owned(),
                n => format!("{n} cells are empty; once more checks them all the same"),
            };
            let mut effects = self.go(*first);
            self.told = true;
            effects.push(Effect::Say(text));
            return effects;
        }
        let findings = worksheet::check(&self.sheet.checker, &self.sheet.given, &self.texts);
        let answer = Answer::Worksheet(worksheet::accepted(&findings));
        let Ok(marked) = check::mark(&self.check, &self.asked, &answer) else {
            return Vec::new();
        };
        let mut effects = self.keep();
        effects.push(Effect::RecordCheck(Box::new(self.attempt(&marked, context))));
        self.since = context.now;
        self.told = false;
        self.view = View::Findings;
        self.outcome = Some(Outcome { marked, findings, texts: self.texts.clone() });
        effects
    }

    fn attempt(&self, marked: &Marked, context: &Context) -> CheckAttempt {
        let seconds = context.now.duration_since(self.since).as_secs().max(0);
        CheckAttempt {
            id: String::new(), // named by the store
            pack: self.pack_id.clone(),
            check: self.check.id.clone(),
            lesson: self.check.lesson.clone(),
            at: context.now,
            right: marked.right,
            given: marked.given.clone(),
            hints: u32::try_from(self.hints).unwrap_or(u32::MAX),
            seed: self.asked.seed,
            seconds: u32::try_from(seconds).unwrap_or(u32::MAX),
        }
    }

    fn hint(&mut self) -> Vec<Effect> {
        if self.hints == self.asked.hints.len() {
            return vec![Effect::Say("there is no further hint".into())];
        }
        self.hints += 1;
        self.view = View::Findings;
        Vec::new()
    }

    fn scroll(&mut self, by: isize) {
        self.view = View::Free;
        self.top = scroll::moved(self.top, by, self.area.height.into(), self.laid.rows.len());
    }
}

impl Page for Worksheet {
    fn title(&self, context: &Context) -> Vec<String> {
        let lesson = context.library.find_lesson(&self.check.lesson).map(|(_, l)| l.title.clone());
        lesson.into_iter().chain([self.sheet.title.clone()]).collect()
    }

    fn scopes(&self) -> Vec<Scope> {
        vec![Scope::Worksheet, Scope::Typing]
    }

    fn arrange(&mut self, area: Rect, context: &Context) {
        self.area = Rect { x: area.x + 1, width: area.width.saturating_sub(1), ..area };
        self.laid = draw::lay(self, self.area.width.saturating_sub(2), context);
        let height = usize::from(self.area.height);
        let total = self.laid.rows.len();
        let keep = |top, rows| scroll::keep_in_view(top, rows, height, total);
        self.top = match self.view {
            View::Free => self.top,
            View::Cell => match self.laid.spots.iter().find(|s| s.cell == self.at) {
                // two rows more above, for the label, and below, for the choices
                Some(spot) => keep(self.top, spot.row.saturating_sub(2)..(spot.row + 3).min(total)),
                None => self.top,
            },
            View::Findings => keep(self.top, self.laid.below..total),
        };
        self.top = scroll::clamp(self.top, height, total);
    }

    fn act(&mut self, action: Action, context: &Context) -> Vec<Effect> {
        let page = isize::try_from(self.area.height.saturating_sub(2)).unwrap_or(1);
        match action {
            Action::Back => return vec![Effect::Back],
            Action::Submit => return self.submit(context),
            Action::Hint => return self.hint(),
            Action::NextPane => return self.go_by(1),
            Action::PrevPane => return self.go_by(-1),
            Action::Down => return self.go_row(true),
            Action::Up => return self.go_row(false),
            Action::Right => return self.turn(true, context),
            Action::Left => return self.turn(false, context),
            Action::PageDown => self.scroll(page.max(1)),
            Action::PageUp => self.scroll(-page.max(1)),
            _ => {}
        }
        Vec::new()
    }

    fn typed(&mut self, key: Key, context: &Context) -> Vec<Effect> {
        let Some(cell) = self.cell() else {
            return Vec::new();
        };
        let chosen = !cell.options.is_empty();
        let mut text = self.text(&cell.id).to_owned();
        match (key.typed(), key.code) {
            (Some(' '), _) if chosen => return self.turn(true, context),
            (Some(c), _) if chosen => self.choose(c, context),
            (Some(c), _) if text.chars().count() < LONGEST => {
                text.push(c);
                self.write(text, context);
            }
            (None, Code::Delete) => self.write(String::new(), context),
            (None, Code::Backspace) if chosen => self.write(String::new(), context),
            (None, Code::Backspace) => {
                text.pop();
                self.write(text, context);
            }
            _ => {}
        }
        Vec::new()
    }

    fn pasted(&mut self, pasted: &str, context: &Context) -> Vec<Effect> {
        if let Some(cell) = self.cell()
            && cell.options.is_empty()
        {
            let mut text = self.text(&cell.id).to_owned();
            let room = LONGEST.saturating_sub(text.chars().count());
            text.extend(pasted.chars().filter(|c| !c.is_control()).take(room));
            self.write(text, context);
        }
        Vec::new()
    }

    fn mouse(&mut self, kind: Mouse, at: Position, context: &Context) -> Vec<Effect> {
        match kind {
            Mouse::ScrollDown => self.scroll(2),
            Mouse::ScrollUp => self.scroll(-2),
            Mouse::Click if self.area.contains(at) => {
                let row = self.top + usize::from(at.y - self.area.y);
                let column = usize::from(at.x - self.area.x);
                let hit = |s: &&draw::Spot| s.row == row && s.columns.contains(&column);
                if let Some(cell) = self.laid.spots.iter().find(hit).map(|s| s.cell) {
                    let again = cell == self.at && self.cell().is_some_and(|c| !c.options.is_empty());
                    return if again { self.turn(true, context) } else { self.go(cell) };
                }
            }
            Mouse::Click => {}
        }
        Vec::new()
    }

    fn wake_at(&self, _context: &Context) -> Option<Timestamp> {
        self.unsaved_since?.checked_add(KEEP_AFTER).ok()
    }

    fn tick(&mut self, context: &Context) -> Vec<Effect> {
        if self.wake_at(context).is_some_and(|at| at <= context.now) {
            return self.keep();
        }
        Vec::new()
    }

    fn reply(&mut self, reply: &Reply, _context: &Context) -> Vec<Effect> {
        if let Reply::Cells(pack, check, kept) = reply
            && (pack, check) == (&self.pack_id, &self.check.id)
        {
            for (cell, text) in &mut self.texts {
                if let Some(kept) = kept.get(cell).filter(|_| !self.unsaved.contains(cell)) {
                    text.clone_from(kept);
                }
            }
        }
        Vec::new()
    }

    fn leave(&mut self, _context: &Context) -> Vec<Effect> {
        self.keep()
    }

    fn draw(&self, _area: Rect, buffer: &mut Buffer, context: &Context) {
        let rows = self.laid.rows.iter().skip(self.top);
        for (line, y) in rows.zip(self.area.top()..self.area.bottom()) {
            let cells = Rect { y, height: 1, width: self.area.width.saturating_sub(1), ..self.area };
            line.render(cells, buffer);
        }
        draw_scrollbar(self.area, (self.top, self.laid.rows.len()), buffer, context);
    }

    fn cursor(&self) -> Option<Position> {
        let (column, row) = self.laid.caret?;
        let y = u16::try_from(row.checked_sub(self.top)?).ok()?;
        let at = Position { x: self.area.x + u16::try_from(column).ok()?, y: self.area.y.checked_add(y)? };
        self.area.contains(at).then_some(at)
    }
}
