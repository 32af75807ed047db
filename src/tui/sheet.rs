//! The face of a worksheet: a table with a cursor that goes from cell to cell.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::widgets::Widget;

use super::face::{Face, Look};
use crate::page::action::Action;
use crate::page::key::{Code, Key};
use crate::page::keys::Scope;
use crate::page::worksheet::{LONGEST, Worksheet};
use crate::page::{Act, At, Next, Page};
use crate::tui::event::Mouse;
use crate::widget::editor::Outcome;
use crate::widget::field::Field;
use crate::widget::scroll;

mod draw;

/// A worksheet in the terminal.
pub struct Sheet {
    page: Worksheet,
    /// What is typed into the cell under the cursor, and the cell, by its place in reading order.
    field: (usize, Field),
    laid: draw::Laid,
    shows: Shows,
    top: usize,
    /// The first rows, which stand still.
    still: usize,
    area: Rect,
}

/// What is kept in view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shows {
    /// Wherever it was scrolled to.
    Anything,
    /// The cell under the cursor.
    Cell,
    /// What was found.
    Findings,
    /// What was found, as far as the cell under the cursor stays in view.
    Both,
}

impl Sheet {
    /// A worksheet that was not laid out yet.
    pub fn new(page: Worksheet) -> Self {
        let mut sheet = Sheet {
            page,
            field: (usize::MAX, Field::with_text("", LONGEST)),
            laid: draw::Laid::default(),
            shows: Shows::Anything,
            top: 0,
            still: 0,
            area: Rect::ZERO,
        };
        sheet.take_cell();
        sheet
    }

    /// Takes over what stands in the cell under the cursor, where that is not what was typed.
    fn take_cell(&mut self) {
        let at = self.page.cursor();
        let text = self.page.cell().map_or("", |cell| self.page.text(&cell.id));
        if self.field.0 != at || self.field.1.text() != text {
            self.field = (at, Field::with_text(text, LONGEST));
        }
    }

    /// Whether the cell under the cursor is typed, not chosen.
    fn is_typed(&self) -> bool {
        self.page.cell().is_some_and(|cell| cell.options.is_empty())
    }

    /// Writes what is typed now, where that changed.
    fn write(&mut self, outcome: Outcome, at: &At) {
        if outcome == Outcome::Changed {
            self.page.put(self.field.1.text().to_owned(), at.now);
        }
        self.shows = Shows::Cell;
    }

    fn scroll(&mut self, by: isize) -> Next {
        self.shows = Shows::Anything;
        let height = usize::from(self.area.height) - self.still;
        self.top = scroll::moved(self.top, by, height, self.laid.rows.len() - self.still);
        Next::Stay
    }

    /// The nearest cell of the next row as it is drawn, or of the one before.
    fn beyond(&self, down: bool) -> Option<usize> {
        let here = self.laid.spots.iter().find(|s| s.cell == self.page.cursor())?;
        let is_beyond = |s: &&draw::Spot| if down { s.row > here.row } else { s.row < here.row };
        let beyond = self.laid.spots.iter().filter(is_beyond);
        let distance =
            |s: &&draw::Spot| (s.row.abs_diff(here.row), s.columns.start.abs_diff(here.columns.start));
        beyond.min_by_key(distance).map(|s| s.cell)
    }

    /// The cell that was pressed.
    fn hit(&self, cell: Position) -> Option<usize> {
        let row = usize::from(cell.y - self.area.y);
        let row = if row < self.still { row } else { self.top + row };
        let column = usize::from(cell.x - self.area.x);
        self.laid.spots.iter().find(|s| s.row == row && s.columns.contains(&column)).map(|s| s.cell)
    }
}

impl Face for Sheet {
    fn page(&mut self) -> &mut dyn Page {
        &mut self.page
    }

    fn page_ref(&self) -> &dyn Page {
        &self.page
    }

    fn scopes(&self) -> Vec<Scope> {
        let choice = (!self.is_typed()).then_some(Scope::WorksheetChoice);
        choice.into_iter().chain([Scope::Worksheet, Scope::Typing]).collect()
    }

    fn refresh(&mut self, _at: &At) {}

    fn arrange(&mut self, area: Rect, look: &Look) {
        self.area = Rect { x: area.x + 1, width: area.width.saturating_sub(1), ..area };
        self.take_cell();
        self.laid = draw::lay(&self.page, &self.field.1, self.area.width.saturating_sub(2), look);
        let height = usize::from(self.area.height);
        // who mends a cell needs the question
        let is_longer = self.laid.rows.len() > height;
        self.still = if is_longer && self.laid.head <= height / 3 { self.laid.head } else { 0 };
        let (height, total) = (height - self.still, self.laid.rows.len() - self.still);
        let below = self.laid.below.saturating_sub(self.still);
        let keep = |top, rows| scroll::keep_in_view(top, rows, height, total);
        let cell = |top| match self.laid.spots.iter().find(|s| s.cell == self.page.cursor()) {
            // two rows more above, for the label, and those below that belong to it
            Some(spot) => {
                let row = spot.row.saturating_sub(self.still);
                keep(top, row.saturating_sub(2)..(row + 1 + self.laid.under.max(2)).min(total))
            }
            None => top,
        };
        self.top = match self.shows {
            Shows::Anything => self.top,
            Shows::Cell => cell(self.top),
            Shows::Findings => keep(self.top, below..total),
            Shows::Both => cell(keep(self.top, below..total)),
        };
        self.top = scroll::clamp(self.top, height, total);
    }

    fn act(&mut self, action: Action, at: &mut At) -> Next {
        let page = isize::try_from(self.area.height.saturating_sub(2)).unwrap_or(1).max(1);
        match action {
            Action::Back => return Next::Back,
            Action::PageDown => return self.scroll(page),
            Action::PageUp => return self.scroll(-page),
            Action::Down | Action::Up => {
                if let Some(cell) = self.beyond(action == Action::Down) {
                    self.page.go(cell, at);
                }
                self.shows = Shows::Cell;
                return Next::Stay;
            }
            // within what is typed, and only from its ends to the cell beside
            Action::Left | Action::Right
                if self.is_typed() && !self.field.1.is_at_end(action == Action::Right) =>
            {
                let code = if action == Action::Left { Code::Left } else { Code::Right };
                self.field.1.update(Key::plain(code));
                self.shows = Shows::Cell;
                return Next::Stay;
            }
            _ => {}
        }
        let next = self.page.act(Act::Do(action), at);
        self.shows = match action {
            Action::Hint => Shows::Findings,
            Action::Submit if self.page.is_checked() && self.page.is_known() => Shows::Findings,
            Action::Submit if self.page.is_checked() => Shows::Both,
            _ => Shows::Cell,
        };
        next
    }

    fn typed(&mut self, key: Key, at: &mut At) -> Next {
        if self.is_typed() {
            let outcome = self.field.1.update(key);
            self.write(outcome, at);
            return Next::Stay;
        }
        match (key.typed(), key.code) {
            (Some(letter), _) => self.page.letter(letter, at),
            (None, Code::Delete | Code::Backspace) => self.page.put(String::new(), at.now),
            _ => return Next::Stay,
        }
        self.shows = Shows::Cell;
        Next::Stay
    }

    fn pasted(&mut self, text: &str, at: &mut At) -> Next {
        if self.is_typed() {
            let outcome = self.field.1.paste(text);
            self.write(outcome, at);
        }
        Next::Stay
    }

    fn mouse(&mut self, kind: Mouse, cell: Position, at: &mut At) -> Next {
        match kind {
            Mouse::ScrollDown => return self.scroll(2),
            Mouse::ScrollUp => return self.scroll(-2),
            Mouse::Click if !self.area.contains(cell) => return Next::Stay,
            Mouse::Click => {}
        }
        let Some(hit) = self.hit(cell) else { return Next::Stay };
        let is_choice = self.page.cell().is_some_and(|c| !c.options.is_empty());
        if hit == self.page.cursor() && is_choice {
            return self.act(Action::Right, at);
        }
        self.page.go(hit, at);
        self.shows = Shows::Cell;
        Next::Stay
    }

    fn draw(&self, _area: Rect, buffer: &mut Buffer, look: &Look) {
        let (still, moved) = self.laid.rows.split_at(self.still.min(self.laid.rows.len()));
        for (line, row) in still.iter().chain(moved.iter().skip(self.top)).zip(self.area.rows()) {
            line.render(Rect { width: row.width.saturating_sub(1), ..row }, buffer);
        }
        let above = u16::try_from(still.len()).unwrap_or(0).min(self.area.height);
        let area = Rect { y: self.area.y + above, height: self.area.height - above, ..self.area };
        scroll::draw_bar(self.top, moved.len(), area, buffer, look.theme);
    }

    fn cursor(&self) -> Option<Position> {
        let (column, row) = self.laid.caret?;
        let row = if row < self.still {
            row
        } else {
            row.checked_sub(self.top).filter(|row| *row >= self.still)?
        };
        let y = u16::try_from(row).ok()?;
        let at = Position { x: self.area.x + u16::try_from(column).ok()?, y: self.area.y.checked_add(y)? };
        self.area.contains(at).then_some(at)
    }
}
