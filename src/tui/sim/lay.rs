//! Lays the pane and the numbers out, and finds what stands under a cell.

use ratatui::layout::{Position, Rect, Size};
use ratatui::text::Line;

use super::areas::Areas;
use super::{Holds, Mode, Screen, knobs, numbers, pane};
use crate::page::sim::formula;
use crate::tui::face::Look;
use crate::widget::scroll;
use crate::widget::theme::Palette;

/// A picture as it was drawn last, to be drawn again only where something of it changed.
#[derive(Debug)]
pub struct Drawn {
    of: Of,
    /// Whether it fills the height it is given.
    fills: bool,
    lines: Vec<Line<'static>>,
}

/// What a drawn picture depends on.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Of {
    /// How often the knobs were turned until then.
    turns: u64,
    /// The view and its step.
    view: usize,
    step: usize,
    size: Size,
    palette: Palette,
    ascii: bool,
}

impl<P: Holds> Screen<P> {
    /// Lays out the pane and the numbers for the areas.
    pub(super) fn lay(&mut self, look: &Look) {
        let folded = self.is_folded();
        let knobs = self.page.model().sim().kind().parameters.len();
        self.areas = match matches!(self.mode, Mode::Ask) && self.page.model().is_asked() && folded {
            true => Areas::asking(self.area),
            false => Areas::new(self.area, folded, knobs, (self.aim.is_some(), self.goal.len())),
        };
        self.strip_cells = if self.areas.strip.is_empty() { Vec::new() } else { self.strip(look) };
        let full = self.areas.pane;
        self.pane = self.rows(look);
        if self.areas.numbers.is_empty() && !full.is_empty() && !self.page.model().hides_numbers() {
            let is_asking = matches!(self.mode, Mode::Ask);
            let fills = self.drawn.as_ref().is_some_and(|d| d.fills)
                && matches!(self.mode, Mode::Turn | Mode::Type(_));
            let height = (!fills).then_some(self.pane.len());
            let width = usize::from(scroll::text_width(full));
            let wanted = numbers::grid(self.page.model(), width).rows;
            self.areas.share(self.areas.beside(wanted, height));
            if fills || is_asking {
                self.pane = self.rows(look);
            }
        }
        if matches!(self.mode, Mode::Formula) {
            self.add_formulas(look);
            self.add_picture(look);
        }
        if !matches!(self.mode, Mode::Ask) {
            let others = self.others(look);
            self.pane.extend(others);
        }
        // the numbers stand right below the pictures, not at the end of the screen
        self.areas.close(u16::try_from(self.pane.len()).unwrap_or(u16::MAX));
        self.pane_top = scroll::clamp(self.pane_top, self.areas.pane.height.into(), self.pane.len());
        self.lay_numbers(look);
    }

    /// Whether the knobs stand in two rows.
    fn is_folded(&self) -> bool {
        let looks = !matches!(self.mode, Mode::Turn | Mode::Type(_));
        Areas::folds(self.area, self.folded) || looks && Areas::is_narrow(self.area)
    }

    /// The columns that conditions under the knobs have in an area, and those of a goal above the picture.
    pub fn goal_width(&mut self, area: Rect) -> (u16, u16) {
        self.area = area;
        let column = Areas::column(area, self.is_folded());
        let is_one = self.is_folded() || Self::is_narrow(area);
        (column, if is_one { column } else { area.width.saturating_sub(column + 5) })
    }

    /// Whether the knobs and the picture have no room beside one another.
    pub fn is_narrow(area: Rect) -> bool {
        Areas::is_narrow(area)
    }

    /// What is left of the column under the knobs and all that is said there.
    pub fn below_help(&self) -> Option<Rect> {
        let help = self.areas.help;
        self.below_knobs().map(|column| {
            let y = (help.bottom() + 1).min(column.bottom());
            Rect { y, height: column.bottom() - y, ..column }
        })
    }

    /// The column under the knobs, where they have one of their own.
    pub fn below_knobs(&self) -> Option<Rect> {
        let knobs = self.areas.knobs;
        let beside = !knobs.is_empty() && !Areas::is_narrow(self.area);
        let y = knobs.bottom() + 1;
        beside.then(|| Rect { y, height: self.area.bottom().saturating_sub(y), ..knobs })
    }

    /// Shows this line above the picture, and these rows under the knobs.
    pub fn show_goal(&mut self, aim: Line<'static>, goal: Vec<Line<'static>>) {
        (self.aim, self.goal) = (Some(aim), goal);
    }

    /// The other numbers of the group under a formula, as far as a picture still fits below.
    fn add_formulas(&mut self, look: &Look) {
        let (model, area) = (self.page.model(), self.areas.pane);
        let room = usize::from(area.height).saturating_sub(self.pane.len() + pane::PICTURE);
        let width = scroll::text_width(area);
        let others = pane::formulas(model, self.number, width.into(), look);
        if others.len() <= room {
            self.pane.extend(others);
        }
    }

    /// The picture under a formula, where there is room for it.
    fn add_picture(&mut self, look: &Look) {
        let area = self.areas.pane;
        let left = usize::from(area.height).saturating_sub(self.pane.len() + 1);
        if left < pane::LEAST {
            return;
        }
        let size = Size { width: scroll::text_width(area), height: u16::try_from(left).unwrap_or(u16::MAX) };
        let picture = self.picture(size, look);
        if picture.len() <= left {
            self.pane.push(Line::default());
            self.pane.extend(picture);
        }
    }

    /// The pictures that come next, as many as fit whole under the one shown.
    fn others(&mut self, look: &Look) -> Vec<Line<'static>> {
        let area = self.areas.pane;
        let room = usize::from(area.height).saturating_sub(self.pane.len());
        let width = scroll::text_width(area);
        let views = &self.page.model().run().views;
        let mut of = self.drawn_of(Size { width, height: 0 }, look);
        of.size.height = u16::try_from(room).unwrap_or(u16::MAX);
        // they stand still while the one shown is stepped
        of.step = 0;
        if let Some(drawn) = self.others.as_ref().filter(|d| d.of == of) {
            return drawn.lines.clone();
        }
        let mut lines = Vec::new();
        if let Some(view) = self.page.model().kept_run().and_then(|run| run.views.get(of.view)) {
            let height = u16::try_from(room.saturating_sub(2)).unwrap_or(u16::MAX);
            let beside = views.get(of.view).map(|view| super::Reel::first(view).picture);
            lines = pane::of_kept(view, beside.as_ref(), Size { width, height }, look);
            lines.truncate(if lines.len() <= room { lines.len() } else { 3.min(room) });
        }
        // what else there is stands apart from a comparison
        let count = if lines.is_empty() { views.len() } else { 1 };
        for i in 1..count {
            let Some(left) = room.checked_sub(lines.len() + pane::LEAST) else {
                break;
            };
            let view = &views[(of.view + i) % views.len()];
            let height = u16::try_from(left + pane::LEAST - 2).unwrap_or(u16::MAX);
            let other = pane::other(view, Size { width, height }, look);
            if !other.is_empty() && lines.len() + other.len() <= room {
                lines.extend(other);
            }
        }
        self.others = Some(Drawn { of, fills: true, lines: lines.clone() });
        lines
    }

    /// What a picture drawn now depends on.
    fn drawn_of(&self, size: Size, look: &Look) -> Of {
        let views = &self.page.model().run().views;
        Of {
            turns: self.page.model().turns(),
            view: self.reel.place(views),
            step: self.reel.step(views),
            size,
            palette: look.theme.palette,
            ascii: look.theme.glyphs.is_ascii(),
        }
    }

    /// The rows of the pane: a picture, a formula, or a question that hides the picture until it is answered.
    fn rows(&mut self, look: &Look) -> Vec<Line<'static>> {
        let area = self.areas.pane;
        let size = Size { width: scroll::text_width(area), height: area.height };
        let width = usize::from(size.width);
        match &self.mode {
            Mode::Formula => {
                let output = self.page.model().run().outputs.get(self.number);
                output.map_or_else(Vec::new, |o| {
                    pane::document(&formula(o, self.page.model().sim().kind().parameters), size.width, look)
                })
            }
            Mode::Ask => {
                let Some(ask) = &self.page.model().ask else { return Vec::new() };
                let mut rows = pane::question(ask, &self.answer, width, look);
                if ask.judged.is_some() {
                    let room = usize::from(size.height).saturating_sub(rows.len());
                    let more = self.page.model().open_answers();
                    let height = u16::try_from(room).unwrap_or(u16::MAX);
                    let picture = self.picture(Size { height, ..size }, look);
                    // whole or not at all, and not where it would answer what is asked next
                    if picture.len() <= room && !pane::tells(&picture, &more) {
                        rows.extend(picture);
                    } else {
                        rows.extend(pane::waiting(more.len(), width, look));
                    }
                } else if self.areas.knobs.is_empty() {
                    // an answer needs the settings
                    rows.push(Line::default());
                    rows.extend(self.knob_lines(width.min(40), look));
                }
                rows
            }
            // curves leave half of the pane to those of the kept setting
            _ if self.page.model().kept_run().is_some() => {
                self.picture(Size { height: size.height / 2, ..size }, look)
            }
            _ => self.picture(size, look),
        }
    }

    fn picture(&mut self, size: Size, look: &Look) -> Vec<Line<'static>> {
        let views = &self.page.model().run().views;
        let of = self.drawn_of(size, look);
        // the height matters to a picture alone that fills it
        let same = |d: &Drawn| {
            d.of == of || !d.fills && Of { size: d.of.size, ..of } == d.of && d.of.size.width == size.width
        };
        if let Some(drawn) = self.drawn.as_ref().filter(|d| same(d)) {
            return drawn.lines.clone();
        }
        let frame = self.reel.frame(views);
        let mut lines = pane::kept(self.page.model(), size.width.into(), look);
        let lead = u16::try_from(lines.len()).unwrap_or(0);
        let size = Size { height: size.height.saturating_sub(lead), ..size };
        let kept = self.page.model().kept_run().and_then(|run| run.views.get(of.view));
        let beside = kept.map(|view| super::Reel::first(view).picture);
        lines.extend(pane::picture(self.page.model().told(), (frame.as_ref(), beside.as_ref()), size, look));
        let fills = frame.is_some_and(|f| pane::fills(&f.picture));
        self.drawn = Some(Drawn { of, fills, lines: lines.clone() });
        lines
    }

    fn lay_numbers(&mut self, look: &Look) {
        let area = self.areas.numbers;
        let width = usize::from(scroll::text_width(area));
        let chosen = matches!(self.mode, Mode::Formula).then_some(self.number);
        let grid = numbers::grid(self.page.model(), width);
        self.numbers = numbers::lines(self.page.model(), &grid, (chosen, width), look);
        let rows = self.numbers.len();
        let height = usize::from(area.height.saturating_sub(1));
        self.numbers_top = match chosen.map(|number| grid.row_of(number)) {
            Some(at) => scroll::keep_in_view(self.numbers_top, at..at + 1, height, rows),
            None => scroll::clamp(self.numbers_top, height, rows),
        };
    }

    /// The knob under a cell.
    pub(super) fn knob_at(&self, at: Position) -> Option<usize> {
        if let Some((knob, _)) = self.strip_cells.iter().find(|(_, cells)| cells.contains(at)) {
            return Some(*knob);
        }
        let area = self.areas.knobs;
        let total = self.page.model().sim().kind().parameters.len();
        let top = knobs::top(self.knob, area.height.into(), total);
        let row = top + usize::from(at.y.checked_sub(area.y)?);
        (area.contains(at) && row < total).then_some(row)
    }

    /// The number under a cell.
    pub(super) fn number_at(&self, at: Position) -> Option<usize> {
        let area = self.areas.numbers;
        let row = usize::from(at.y.checked_sub(area.y)?).checked_sub(1)? + self.numbers_top;
        let rows = self.numbers.len();
        let width = usize::from(scroll::text_width(area));
        let column = usize::from(at.x.checked_sub(area.x)?);
        let grid = numbers::grid(self.page.model(), width);
        if !area.contains(at) || row >= rows { None } else { grid.at(row, column, width) }
    }
}
