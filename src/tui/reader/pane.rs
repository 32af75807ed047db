//! A document in an area: scrolling, and a choice that goes from row to row and from link to link.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Line;

use crate::doc::{Block, Document, LinkKind};
use crate::page::action::Action;
use crate::tui::face::Look;
use crate::widget::markdown::{self, Rendered, Spot};
use crate::widget::theme::Palette;
use crate::widget::{scroll, wrap};

/// Lines longer than this are hard to read.
const MEASURE: u16 = 76;
/// The column before the text and the scroll bar behind it, with a blank between.
const FRAME: u16 = 3;

/// A choice of fewer columns is a cell of a grid.
const CELL: u16 = 15;

/// What is chosen in a pane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chosen {
    /// A row or cell, by its number in the pane.
    Choice(usize),
    /// A link, by its number in the pane.
    Link(usize),
}

/// A document in an area.
#[derive(Debug, Default)]
pub struct Pane {
    document: Document,
    /// How many things can be chosen in it, and whether it has links: a document may be long, and each key asks.
    count: usize,
    is_linked: bool,
    rendered: Rendered,
    made_for: Option<(u16, Palette, bool, u64)>,
    /// The document that was laid out, where another one is shown since.
    before: Option<Document>,
    area: Rect,
    top: usize,
    chosen: Option<Chosen>,
    /// Whether nothing need be chosen.
    rests: bool,
}

impl Pane {
    /// A pane with a document, its first choice chosen.
    pub fn of(document: Document) -> Self {
        let mut pane = Pane::default();
        pane.show(document);
        pane
    }

    /// Shows another document; what was chosen by its number stays chosen.
    pub fn show(&mut self, document: Document) {
        let count = document.choices();
        (self.count, self.is_linked) = (count, !document.links().is_empty());
        self.chosen = match self.chosen {
            Some(Chosen::Choice(at)) if count > 0 => Some(Chosen::Choice(at.min(count - 1))),
            None if self.rests => None,
            _ => (count > 0).then_some(Chosen::Choice(0)),
        };
        let before = std::mem::replace(&mut self.document, document);
        if self.before.is_none() && self.made_for.is_some() {
            self.before = Some(before);
        }
    }

    /// Chooses a choice, where there is one of that number.
    pub fn choose(&mut self, at: usize) {
        if at < self.count {
            self.chosen = Some(Chosen::Choice(at));
        }
    }

    /// Whether nothing need be chosen in it.
    pub fn rests(&mut self, rests: bool) {
        self.rests = rests;
    }

    /// Chooses nothing, until something is gone to.
    pub fn choose_none(&mut self) {
        self.chosen = None;
    }

    /// What it shows.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// Where it stands.
    pub fn area(&self) -> Rect {
        self.area
    }

    /// What is chosen.
    pub fn chosen(&self) -> Option<Chosen> {
        self.chosen
    }

    /// Where a link leads, and what that is.
    pub fn link(&self, at: usize) -> Option<(&str, LinkKind)> {
        self.rendered.links.get(at).map(|link| (link.target.as_str(), link.kind))
    }

    /// Whether there are links.
    pub fn has_links(&self) -> bool {
        self.is_linked
    }

    /// How many things can be chosen.
    pub fn choices(&self) -> usize {
        self.count
    }

    /// Whether there is something to choose.
    pub fn is_list(&self) -> bool {
        self.count > 0
    }

    /// Whether there is something to choose, or more than is seen.
    pub fn takes_keys(&self) -> bool {
        let is_seen = !self.area.is_empty();
        is_seen && (self.count > 0 || self.is_linked || self.rows() > self.height())
    }

    /// Whether it holds more than is seen.
    pub fn is_longer(&self) -> bool {
        !self.area.is_empty() && self.rows() > self.height()
    }

    /// The rows, once laid out.
    pub fn rows(&self) -> usize {
        self.rendered.lines.len()
    }

    /// The columns that its rows need, once laid out, with what stands around them.
    pub fn columns(&self) -> u16 {
        let widest = self.rendered.lines.iter().map(Line::width).max().unwrap_or(0);
        u16::try_from(widest).unwrap_or(u16::MAX).saturating_add(FRAME)
    }

    /// The rows at the width it was laid out for; a guess that decides where panes stand.
    pub fn rows_at(&self, _width: u16) -> usize {
        self.rows()
    }

    /// Whether a cell belongs to it.
    pub fn contains(&self, cell: Position) -> bool {
        self.area.contains(cell)
    }

    /// Lays the document out for a pane so many columns wide.
    pub fn lay_out(&mut self, width: u16, look: &Look) {
        let is_wide = |block: &Block| matches!(block, Block::Columns(_) | Block::Rows(_) | Block::Heat(_));
        let is_prose = self.count == 0 && !self.document.blocks().iter().any(is_wide);
        let room = width.saturating_sub(FRAME);
        let room = if is_prose { room.min(MEASURE) } else { room };
        let ascii = look.theme.glyphs.is_ascii();
        let made_for = Some((room, look.theme.palette, ascii, look.highlighter.finished()));
        let before = self.before.take();
        if self.made_for == made_for && before.is_none() {
            return;
        }
        let laid = std::mem::take(&mut self.rendered);
        // packs arrive one by one, each below the others
        let more = before.filter(|_| self.made_for == made_for).and_then(|before| {
            markdown::render_more((&before, laid), &self.document, room, look.theme, look.highlighter)
        });
        let all = || markdown::render(&self.document, room, look.theme, look.highlighter);
        self.rendered = more.unwrap_or_else(all);
        self.made_for = made_for;
    }

    /// Lays it out for an area.
    pub fn arrange(&mut self, area: Rect, look: &Look) {
        if area.width > 0 {
            self.lay_out(area.width, look);
        }
        self.area = area;
        self.keep_in_view();
    }

    fn height(&self) -> usize {
        self.area.height.into()
    }

    fn keep_in_view(&mut self) {
        self.top = scroll::clamp(self.top, self.height(), self.rows());
        if let Some(spots) = self.spots().filter(|spots| !spots.is_empty()) {
            let first = spots[0].row;
            let last = spots[spots.len() - 1].row;
            let choices = &self.rendered.choices;
            let is_first = self.chosen == Some(Chosen::Choice(0));
            // what is seen already moves nothing; only the first row brings its heading along
            let is_seen = self.top <= first && last < self.top + self.height();
            if is_seen && !is_first {
                return;
            }
            let is_last = self.chosen == choices.len().checked_sub(1).map(Chosen::Choice);
            // the heading above the first row comes along, and the words below the last where they fit
            let start = if is_first && first < self.height() { 0 } else { first };
            let end = if is_last && self.rows() - start <= self.height() { self.rows() } else { last + 1 };
            self.top = scroll::keep_in_view(self.top, start..end, self.height(), self.rows());
        }
    }

    fn spots(&self) -> Option<&Vec<Spot>> {
        match self.chosen? {
            Chosen::Choice(at) => self.rendered.choices.get(at),
            Chosen::Link(at) => self.rendered.links.get(at).map(|link| &link.spots),
        }
    }

    /// Moves; says whether the action was one of moving.
    pub fn act(&mut self, action: Action) -> bool {
        let page = isize::try_from(self.height().saturating_sub(2).max(1)).unwrap_or(1);
        let sideways = self.has_grid();
        match action {
            Action::Down => self.step(1),
            Action::Up => self.step(-1),
            Action::PageDown => self.step(page),
            Action::PageUp => self.step(-page),
            Action::Top => self.step(isize::MIN / 2),
            Action::Bottom => self.step(isize::MAX / 2),
            Action::Right if sideways => self.aside(1),
            Action::Left if sideways => self.aside(-1),
            Action::NextLink => self.next_link(true),
            Action::PrevLink => self.next_link(false),
            _ => return false,
        }
        true
    }

    /// Whether choices stand side by side.
    fn has_grid(&self) -> bool {
        let mut rows: Vec<usize> = self.rendered.choices.iter().map(|spots| spots[0].row).collect();
        rows.sort_unstable();
        rows.windows(2).any(|two| two[0] == two[1])
    }

    /// Goes so many rows; from choice to choice where there are some, and on through the text after the
    /// last one.
    fn step(&mut self, by: isize) {
        let Some(here) = self.spots().and_then(|spots| spots.first()).cloned() else {
            let last = self.rendered.choices.len().checked_sub(1);
            let first = last.map(|last| Chosen::Choice(if by < 0 { last } else { 0 }));
            match first.filter(|_| self.rests && self.chosen.is_none()) {
                None => self.top = scroll::moved(self.top, by, self.height(), self.rows()),
                Some(first) => {
                    self.chosen = Some(first);
                    self.keep_in_view();
                }
            }
            self.chosen = self.chosen.or(first);
            return;
        };
        let rows: Vec<usize> = self.rendered.choices.iter().map(|spots| spots[0].row).collect();
        let mut lines = rows.clone();
        lines.sort_unstable();
        lines.dedup();
        // what stands beside is not below
        let is_under = |at: &usize| {
            let columns = &self.rendered.choices[*at][0].columns;
            columns.start < here.columns.end && here.columns.start < columns.end
        };
        let under = || (0..rows.len()).filter(is_under).map(|at| rows[at]);
        let wanted = match by {
            1 => under()
                .filter(|row| *row > here.row)
                .min()
                .or_else(|| lines.iter().copied().find(|row| *row > here.row)),
            -1 => under()
                .filter(|row| *row < here.row)
                .max()
                .or_else(|| lines.iter().copied().rev().find(|row| *row < here.row)),
            by => {
                let target = here.row.saturating_add_signed(by);
                let near = if by > 0 {
                    lines.iter().copied().rev().find(|row| *row <= target && *row > here.row)
                } else {
                    lines.iter().copied().find(|row| *row >= target && *row < here.row)
                };
                near.or(if by > 0 { lines.last().copied() } else { lines.first().copied() })
            }
        };
        match wanted {
            Some(row) => {
                let on_row = (0..rows.len()).filter(|at| rows[*at] == row);
                let start =
                    |at: &usize| self.rendered.choices[*at][0].columns.start.abs_diff(here.columns.start);
                self.chosen = on_row.min_by_key(start).map(Chosen::Choice);
                self.keep_in_view();
            }
            None => self.top = scroll::moved(self.top, by.clamp(-1, 1), self.height(), self.rows()),
        }
    }

    /// Goes to the choice beside.
    fn aside(&mut self, by: isize) {
        let Some(Chosen::Choice(at)) = self.chosen else { return };
        let (row, here) = (self.rendered.choices[at][0].row, self.rendered.choices[at][0].columns.start);
        let start = |to: usize| self.rendered.choices[to][0].columns.start;
        let on_row = (0..self.rendered.choices.len()).filter(|to| self.rendered.choices[*to][0].row == row);
        let to = match by {
            1.. => on_row.filter(|to| start(*to) > here).min_by_key(|to| start(*to)),
            _ => on_row.filter(|to| start(*to) < here).max_by_key(|to| start(*to)),
        };
        self.chosen = to.map_or(self.chosen, |to| Some(Chosen::Choice(to)));
    }

    /// Chooses the next or previous link; from none, the first one in view.
    fn next_link(&mut self, forward: bool) {
        let links = &self.rendered.links;
        if links.is_empty() {
            return;
        }
        let count = links.len();
        let in_view = |at: usize| {
            let row = links[at].row();
            row >= self.top && row < self.top + self.height()
        };
        let now = match self.chosen {
            Some(Chosen::Link(at)) if at < count && in_view(at) => Some(at),
            _ => None,
        };
        let next = match now {
            Some(at) if forward => (at + 1) % count,
            Some(at) => (at + count - 1) % count,
            None if forward => links.iter().position(|l| l.row() >= self.top).unwrap_or(0),
            None => links.iter().rposition(|l| l.row() < self.top + self.height()).unwrap_or(0),
        };
        self.chosen = Some(Chosen::Link(next));
        self.keep_in_view();
    }

    /// Turns the wheel: from choice to choice, or through the text.
    pub fn wheel(&mut self, down: bool) {
        self.step(if down { 1 } else { -1 });
    }

    /// Chooses what stands under a cell; says whether that is to be opened: a link at once, a row when it
    /// was chosen before.
    pub fn click(&mut self, cell: Position) -> bool {
        let row = self.top + usize::from(cell.y - self.area.y);
        let Some(column) = cell.x.checked_sub(self.area.x + 1) else { return false };
        let hits = |spots: &[Spot]| spots.iter().any(|s| s.row == row && s.columns.contains(&column));
        if let Some(link) = self.rendered.links.iter().position(|link| hits(&link.spots)) {
            self.chosen = Some(Chosen::Link(link));
            return true;
        }
        let Some(choice) = self.rendered.choices.iter().position(|spots| hits(spots)) else {
            return false;
        };
        let again = self.chosen == Some(Chosen::Choice(choice));
        self.chosen = Some(Chosen::Choice(choice));
        again
    }

    /// Draws the pane, its scroll bar at the right edge.
    pub fn draw(&self, focused: bool, buffer: &mut Buffer, look: &Look) {
        let theme = look.theme;
        let inner = Rect {
            x: self.area.x + 1.min(self.area.width),
            width: self.area.width.saturating_sub(FRAME - 1),
            ..self.area
        };
        for (line, row) in self.rendered.lines.iter().skip(self.top).zip(inner.rows()) {
            let line = wrap::cut_line(line, row.width.into(), theme.glyphs.cut);
            buffer.set_line(row.x, row.y, &line, row.width);
        }
        let of_row = matches!(self.chosen, Some(Chosen::Choice(_)));
        for (nth, spot) in self.spots().into_iter().flatten().enumerate() {
            let Some(row) = spot.row.checked_sub(self.top).filter(|row| *row < self.height()) else {
                continue;
            };
            let y = inner.y + u16::try_from(row).unwrap_or(0);
            let cells = Rect {
                x: inner.x.saturating_add(spot.columns.start),
                y,
                width: spot.columns.end - spot.columns.start,
                height: 1,
            };
            let cells = cells.intersection(inner);
            let is_ground = theme.heat.is_some() && cells.width < CELL;
            if of_row && nth == 0 && !cells.is_empty() && !(is_ground && focused) {
                let style = if focused { theme.accent } else { theme.faint };
                buffer.set_stringn(cells.x, y, theme.glyphs.pointer, cells.width.into(), style);
            }
            // a cell of a grid keeps its ground; where there is none, only the other way round is seen
            let is_cell = cells.width < CELL;
            if of_row && focused && is_ground && cells.width > 1 {
                let bare = buffer[(cells.x, y)].bg == Color::Reset;
                let style = if bare { theme.accent } else { Style::new() };
                buffer.set_string(cells.x, y, "[", style);
                buffer.set_string(cells.right() - 1, y, "]", style);
            }
            let style = match of_row {
                true if focused && is_ground => theme.strong,
                true if focused && is_cell => theme.strong.add_modifier(Modifier::REVERSED),
                true if focused => theme.cursor_line,
                true => Style::new(),
                false => theme.selection,
            };
            buffer.set_style(cells, style);
        }
        scroll::draw_bar(self.top, self.rows(), self.area, buffer, theme);
    }
}
