//! A pane with a text to read: scrolling, and a selection that goes from link to link.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use ratatui::widgets::Widget;

use super::face::Look;
use crate::page::action::Action;
use crate::page::target;
pub use crate::page::target::Opened;
use crate::widget::markdown::{self, Document, Link, Rendered};
use crate::widget::theme::{Palette, Theme};
use crate::widget::{scroll, wrap};

/// Lines longer than this are hard to read; a wider pane is left partly empty.
const MEASURE: u16 = 76;
/// The column before the text and the scroll bar behind it.
const FRAME: u16 = 2;
/// Columns that a cut figure is moved at once.
const PAN: usize = 8;
/// Rows that are still in view after a page, so that the eye finds its place.
const OVERLAP: usize = 2;
/// So many rows above the foot a section may begin that goes to the top of the next page: what is shown twice is short.
const NEAR: usize = 6;

/// A pane with a text to read.
#[derive(Debug, Default)]
pub struct Reading {
    document: Document,
    rendered: Rendered,
    /// What the layout was made for.
    made_for: Option<(u16, Palette, bool, u64)>,
    area: Rect,
    top: usize,
    selected: Option<usize>,
    /// The columns of its widest figure.
    figure: u16,
    /// Columns that cut figures are moved to the left.
    panned: usize,
    /// A row to scroll to once the text is laid out, as it was left: its block.
    pending_block: Option<usize>,
    /// The first row that is new since the page before, where more than usual of that is still in view.
    new_from: Option<usize>,
}

impl Reading {
    /// A pane with this Markdown, scrolled to the given block.
    pub fn new(markdown: &str, block: usize) -> Self {
        let document = Document::parse(markdown);
        Self {
            figure: markdown::figure_width(document.blocks()),
            document,
            pending_block: Some(block),
            ..Self::default()
        }
    }

    /// The columns that the pane needs so that no figure is cut, frame and all.
    pub fn needs(&self) -> u16 {
        self.figure.saturating_add(FRAME)
    }

    /// The columns that prose takes, frame and all, where there is room.
    pub fn wants(&self) -> u16 {
        MEASURE + FRAME
    }

    /// The columns that the pane can use at most.
    pub fn uses(&self) -> u16 {
        self.needs().max(MEASURE + FRAME)
    }

    /// Whether figures are cut here; then they can be moved left and right.
    pub fn cuts_figures(&self) -> bool {
        !self.rendered.cut.is_empty()
    }

    /// Lays the text out where the size changed.
    pub fn arrange(&mut self, area: Rect, look: &Look) {
        self.area = area;
        let width = self.rendered_width();
        let ascii = look.theme.glyphs.is_ascii();
        let made_for = Some((width, look.theme.palette, ascii, look.highlighter.finished()));
        if self.made_for != made_for {
            let block = self.pending_block.take().unwrap_or_else(|| self.block());
            self.rendered = markdown::render(&self.document, width, look.theme, look.highlighter);
            self.made_for = made_for;
            self.panned = 0;
            self.new_from = None;
            let blocks = &self.rendered.blocks;
            // behind the last block stands the end
            let end = if blocks.is_empty() { 0 } else { self.rendered.lines.len() };
            self.top = blocks.get(block).copied().unwrap_or(end);
        }
        self.top = scroll::clamp(self.top, self.height(), self.rendered.lines.len());
    }

    /// The first block in view: a position that survives another width.
    pub fn block(&self) -> usize {
        if let Some(block) = self.pending_block {
            return block;
        }
        let blocks = &self.rendered.blocks;
        let after = blocks.partition_point(|row| *row <= self.top);
        // an empty row above a block belongs to what comes
        let is_blank = self.rendered.lines.get(self.top).is_some_and(|line| line.width() == 0);
        if is_blank && blocks.get(after) == Some(&(self.top + 1)) { after } else { after.saturating_sub(1) }
    }

    /// Where it is left: the first block in view, or one behind the last where its end was read.
    pub fn left_at(&self) -> usize {
        match self.pending_block {
            None if self.top > 0 && self.at_end() => self.rendered.blocks.len(),
            _ => self.block(),
        }
    }

    /// The rows that came out of it.
    pub fn rendered(&self) -> &Rendered {
        &self.rendered
    }

    /// The first row in view.
    pub fn top(&self) -> usize {
        self.top
    }

    /// The link that is selected, while it is in view.
    pub fn selected(&self) -> Option<&Link> {
        let in_view = |row: usize| row >= self.top && row < self.top + self.height();
        self.rendered.links.get(self.selected?).filter(|link| in_view(link.row()))
    }

    /// Puts a row at the top, as far as there are rows below it.
    pub fn go(&mut self, row: usize) {
        self.top = scroll::clamp(row, self.height(), self.rendered.lines.len());
        self.selected = None;
        self.new_from = None;
    }

    /// Goes one page on. Where a section begins at the foot of this page, it begins the next one: nothing is left out,
    /// and little is shown twice. `heads` are the rows in which sections begin, in their order.
    pub fn go_on(&mut self, mut heads: impl Iterator<Item = usize>) {
        let end = self.top + self.height();
        let from = (end + 1).saturating_sub(NEAR).max(self.top + 2);
        // with the blank row above it
        match heads.find(|row| (from..=end + 1).contains(row)) {
            Some(row) => {
                self.go(row - 1);
                self.mark_new(end);
            }
            None => self.page_down(),
        }
    }

    /// The rows of the whole text, once it is laid out.
    pub fn rows(&self) -> usize {
        self.rendered.lines.len()
    }

    /// Whether the end of the text is in view.
    pub fn at_end(&self) -> bool {
        self.top + self.height() >= self.rendered.lines.len()
    }

    /// The row behind the last one in view.
    pub fn end(&self) -> usize {
        self.top + self.height()
    }

    /// Which lines of it are in view: `lines 1 to 33 of 40`; nothing where all of them are.
    pub fn place(&self) -> String {
        let all = self.rendered.lines.len();
        let last = (self.top + self.height()).min(all);
        if self.top == 0 && last == all {
            return String::new();
        }
        format!("lines {} to {last} of {all}", (self.top + 1).min(last))
    }

    fn height(&self) -> usize {
        usize::from(self.area.height)
    }

    /// Moves; says whether the action was one of moving.
    pub fn act(&mut self, action: Action) -> bool {
        match action {
            Action::Down => self.scroll(1),
            Action::Up => self.scroll(-1),
            Action::PageDown => self.page_down(),
            Action::PageUp => self.scroll(-self.page()),
            Action::Top => self.scroll(isize::MIN / 2),
            Action::Bottom => self.scroll(isize::MAX / 2),
            Action::NextLink => self.select(true),
            Action::PrevLink => self.select(false),
            Action::Right if self.cuts_figures() => self.pan(true),
            Action::Left if self.cuts_figures() => self.pan(false),
            _ => return false,
        }
        true
    }

    /// The rows of a page, less those that stay in view.
    fn page(&self) -> isize {
        isize::try_from(self.height().saturating_sub(OVERLAP).max(1)).unwrap_or(1)
    }

    /// Goes one page down. A figure that would be divided stands at the top then, where it fits.
    fn page_down(&mut self) {
        let from = self.top;
        self.scroll(self.page());
        let divided = |rows: &&Range<usize>| {
            let seen = rows.end <= from + self.height();
            rows.start > from && rows.start < self.top && !seen && rows.len() <= self.height()
        };
        if let Some(rows) = self.rendered.together.iter().find(divided) {
            self.top = rows.start;
        }
        if self.top > from {
            self.mark_new(from + self.height());
        }
    }

    /// Marks the row from which all is new, unless it stands near the top, where one looks anyway.
    fn mark_new(&mut self, row: usize) {
        self.new_from = Some(row).filter(|row| *row > self.top + NEAR + OVERLAP && *row < self.rows());
    }

    /// Moves cut figures, as far as there is more of one.
    fn pan(&mut self, right: bool) {
        let room = usize::from(self.rendered_width());
        let widest = self.rendered.cut.iter().map(|(_, line)| line.width()).max();
        let most = widest.unwrap_or(0).saturating_sub(room);
        self.panned = if right { (self.panned + PAN).min(most) } else { self.panned.saturating_sub(PAN) };
    }

    fn rendered_width(&self) -> u16 {
        self.area.width.min(self.uses()).saturating_sub(FRAME)
    }

    /// A row as it stands on screen.
    fn line(&self, row: usize, theme: &Theme) -> Line<'static> {
        let whole = |panned| {
            let at = self.rendered.cut.binary_search_by_key(&row, |(row, _)| *row).ok()?;
            let rest = wrap::without_columns(&self.rendered.cut[at].1, panned, theme.glyphs.cut);
            Some(wrap::cut_line(&rest, self.rendered_width().into(), theme.glyphs.cut))
        };
        let moved = Some(self.panned).filter(|panned| *panned > 0).and_then(whole);
        moved.unwrap_or_else(|| self.rendered.lines[row].clone())
    }

    /// Scrolls by rows, down when positive.
    pub fn scroll(&mut self, rows: isize) {
        self.new_from = None;
        self.top = scroll::moved(self.top, rows, self.height(), self.rendered.lines.len());
    }

    /// Selects the next or previous link; from none, the first one in view.
    fn select(&mut self, forward: bool) {
        let links = &self.rendered.links;
        if links.is_empty() {
            return;
        }
        let in_view = |l: &Link| l.row() >= self.top && l.row() < self.top + self.height();
        let next = match self.selected.filter(|i| in_view(&links[*i])) {
            Some(i) if forward => (i + 1) % links.len(),
            Some(i) => (i + links.len() - 1) % links.len(),
            None if forward => links.iter().position(|l| l.row() >= self.top).unwrap_or(0),
            None => links.iter().rposition(|l| l.row() < self.top + self.height()).unwrap_or(0),
        };
        let row = links[next].row();
        self.top = scroll::keep_in_view(self.top, row..row + 1, self.height(), self.rendered.lines.len());
        self.selected = Some(next);
    }

    /// Where the selected link leads.
    pub fn open(&self, pack: usize) -> Option<Opened> {
        self.rendered.links.get(self.selected?).map(|link| opened(link, pack))
    }

    /// Selects and opens the link under a cell.
    pub fn click(&mut self, at: Position, pack: usize) -> Option<Opened> {
        if !self.area.contains(at) {
            return None;
        }
        let row = self.top + usize::from(at.y - self.area.y);
        let column = at.x.checked_sub(self.area.x + 1)?;
        let hit = self
            .rendered
            .links
            .iter()
            .position(|l| l.spots.iter().any(|s| s.row == row && s.columns.contains(&column)))?;
        self.selected = Some(hit);
        self.open(pack)
    }

    /// Draws the pane, its scroll bar at the right edge.
    pub fn draw(&self, buffer: &mut Buffer, look: &Look) {
        let theme = look.theme;
        let inner = Rect { x: self.area.x + 1, width: self.area.width.saturating_sub(2), ..self.area };
        for (row, y) in (self.top..self.rows()).zip(inner.top()..inner.bottom()) {
            Line::render(self.line(row, theme), Rect { y, height: 1, ..inner }, buffer);
        }
        if let Some(link) = self.selected.and_then(|i| self.rendered.links.get(i)) {
            for spot in &link.spots {
                let Some(row) = spot.row.checked_sub(self.top).filter(|r| *r < self.height()) else {
                    continue;
                };
                let cells = Rect {
                    x: inner.x + spot.columns.start,
                    y: inner.y + u16::try_from(row).unwrap_or(0),
                    width: spot.columns.end - spot.columns.start,
                    height: 1,
                };
                buffer.set_style(cells.intersection(inner), theme.selection);
            }
        }
        let new = self.new_from.and_then(|row| u16::try_from(row.checked_sub(self.top)?).ok());
        if let Some(row) = new.filter(|row| *row < self.area.height) {
            buffer.set_string(self.area.x, self.area.y + row, theme.glyphs.pointer, theme.dim);
        }
        scroll::draw_bar(self.top, self.rendered.lines.len(), self.area, buffer, look.theme);
    }
}

fn opened(link: &Link, pack: usize) -> Opened {
    target::opened(&link.target, link.kind, pack)
}
