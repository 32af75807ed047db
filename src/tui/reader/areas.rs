//! Where the panes of a page stand: beside one another as far as there is room, else one below the other.

use ratatui::layout::Rect;

use super::{Pane, Reader};
use crate::doc::Document;
use crate::page::view::View;
use crate::tui::face::Look;

/// From this width on the side stands beside the body.
pub(super) const TWO: u16 = 100;
/// From this width on there are three panes.
pub(super) const THREE: u16 = 160;
/// From so many rows on a wide page has room for more than what is asked for.
pub(super) const TALL: u16 = 44;
/// Lines longer than this are hard to read; a wider pane is left partly empty.
const MEASURE: u16 = 76;
/// Columns of what stands beside a list where what is chosen stands in a third pane.
const MIDDLE: u16 = 48;

/// The columns of a page in the middle of a wide screen.
const COLUMN: u16 = 100;
/// The columns of a page whose panes stand one below the other.
const STACK: u16 = 120;
/// Rows that what is told of the chosen row has at most, and that the side needs to be shown.
const TOLD: (u16, u16) = (8, 6);
/// Columns kept for what stands beside a list.
const SIDE: u16 = 34;
/// Rows kept for what stands below.
const BELOW: u16 = 8;

impl Reader {
    /// The area of each pane. What does not fit beside stands below; a preview is left out then, unless
    /// the body leaves room for it.
    pub(super) fn areas(&mut self, area: Rect, look: &Look) -> Vec<Rect> {
        let count = self.panes.len();
        if self.view.stacks {
            return self.stacked_areas(area, look);
        }
        if self.view.pairs && count > 1 {
            let first = if area.width >= THREE { area.width * 3 / 5 } else { area.width };
            let mut areas = vec![Rect { width: first, ..area }];
            areas.push(Rect { x: area.x + first, width: area.width - first, ..area });
            areas.resize(count, Rect::ZERO);
            return areas;
        }
        let across = match area.width {
            THREE.. => 3.min(count),
            TWO.. if self.view.broad => 1,
            TWO.. => 2.min(count),
            _ => 1,
        };
        if self.view.centred && area.width >= THREE {
            let x = area.x + (area.width - COLUMN) / 2;
            let above = if self.tall { area.height / 8 } else { 0 };
            let area = Rect { x, y: area.y + above, width: COLUMN, height: area.height - above };
            self.panes.iter_mut().for_each(|pane| pane.lay_out(area.width, look));
            return stacked(area, &self.panes, self.fixed());
        }
        if self.view.one_column && area.width >= THREE && count > 1 {
            // what comes with an answer has a place of its own beside it, so nothing moves either
            let first = area.width / 2;
            let mut areas = vec![Rect { width: first, ..area }];
            areas.push(Rect { x: area.x + first, width: area.width - first, ..area });
            areas.resize(count, Rect::ZERO);
            return areas;
        }
        if self.view.one_column {
            let area = Rect { width: area.width.min(STACK), ..area };
            self.panes.iter_mut().for_each(|pane| pane.lay_out(area.width, look));
            return stacked(area, &self.panes, self.fixed());
        }
        if across == 1 {
            self.panes.iter_mut().for_each(|pane| pane.lay_out(area.width, look));
            return stacked(area, &self.panes, self.fixed());
        }
        if (across, count) == (2, 3) {
            // what stands beside is short; below it is room for what is chosen
            let right =
                Rect { x: area.x + area.width * 3 / 5, width: area.width - area.width * 3 / 5, ..area };
            self.panes[1].lay_out(right.width, look);
            self.panes[2].lay_out(area.width, look);
            let mut areas = vec![Rect { width: area.width * 3 / 5, ..area }];
            areas.extend(stacked(right, &self.panes[1..], 1));
            return areas;
        }
        if self.view.halves && across == 3 {
            // what is told of the row stands between it and the rest
            let third = area.width / 3;
            let column = |nth: u16| Rect { x: area.x + nth * third, width: third, ..area };
            let last = Rect { width: area.width - 2 * third, ..column(2) };
            return vec![column(0), last, column(1)];
        }
        // a list keeps what its rows need; prose is no wider than is good to read
        let first = match (across, self.panes[0].is_list()) {
            (2, _) if self.view.halves => area.width * 12 / 25,
            (2, true) if area.width >= THREE => {
                let most = area.width - SIDE.max(area.width * 3 / 10);
                self.panes[0].lay_out(most, look);
                (self.panes[0].columns() + 2).clamp(area.width / 2, most)
            }
            (2, true) => area.width - SIDE.max(area.width * 3 / 10),
            (2, false) => (area.width * 3 / 5).min(MEASURE + 2).max(area.width / 2),
            (_, true) => return self.three_areas(area, look),
            _ => area.width * 2 / 5,
        };
        let rest = (area.width - first) / u16::try_from(across - 1).unwrap_or(1);
        let mut areas = vec![Rect { width: first, ..area }];
        for nth in 1..across {
            let x = area.x + first + rest * u16::try_from(nth - 1).unwrap_or(0);
            areas.push(Rect { x, width: rest, ..area });
        }
        areas.resize(count, Rect::ZERO);
        areas
    }

    /// Puts the panes in their places; one row lower where all of them have room then, on a low screen.
    pub(super) fn arrange_panes(&mut self, body: Rect, look: &Look) {
        let place = |reader: &mut Self, body: Rect| {
            let areas = reader.areas(body, look);
            for (pane, area) in reader.panes.iter_mut().zip(areas) {
                pane.arrange(area, look);
            }
        };
        place(self, body);
        if self.view.airy && body.y == 1 && self.leaves_a_row(body) {
            place(self, Rect { y: body.y + 1, height: body.height - 1, ..body });
        }
    }

    /// Whether all of it would stand one row lower as well, so that the title need not touch it.
    fn leaves_a_row(&self, body: Rect) -> bool {
        let used = |pane: &Pane| match pane.area().is_empty() {
            true => body.y,
            false => pane.area().y.saturating_add(u16::try_from(pane.rows()).unwrap_or(u16::MAX)),
        };
        body.width < TWO && !self.is_typing() && self.panes.iter().all(|pane| used(pane) < body.bottom())
    }

    /// What stands below the body has the rows that the body leaves, where all of it fits there.
    pub(super) fn arrange_below(&mut self, bottom: u16, look: &Look) {
        let body = self.panes[0].area();
        // below what is told of the row too, where that stands below the body
        let end = |pane: &Pane| {
            let rows = u16::try_from(pane.rows()).unwrap_or(u16::MAX);
            pane.area().y.saturating_add(rows.min(pane.area().height))
        };
        let under = self.panes.iter().filter(|pane| pane.area().x == body.x && !pane.area().is_empty());
        let y = under.map(end).max().unwrap_or(body.y).saturating_add(1).min(bottom);
        let Some(pane) = &mut self.below else { return };
        let rest = Rect { y, height: bottom - y, ..body };
        pane.lay_out(rest.width, look);
        let fits = pane.rows() <= usize::from(rest.height);
        pane.arrange(if fits { rest } else { Rect::ZERO }, look);
    }

    /// A list as wide as its rows, what stands beside it, and what is chosen with all the rest.
    fn three_areas(&mut self, area: Rect, look: &Look) -> Vec<Rect> {
        let most = area.width * 9 / 25;
        self.panes[0].lay_out(most, look);
        let first = self.panes[0].columns().clamp(most / 2, most);
        let (second, x) = (MIDDLE, area.x + first);
        vec![
            Rect { width: first, ..area },
            Rect { x, width: second, ..area },
            Rect { x: x + second, width: area.width - first - second, ..area },
        ]
    }

    /// The body, below it what is told of the chosen row, and then the side, beside both where there is room.
    fn stacked_areas(&mut self, area: Rect, look: &Look) -> Vec<Rect> {
        let column = Rect { width: area.width.min(STACK), ..area };
        let fixed = self.fixed();
        // the side is laid out where it stands, once
        let above = self.panes.iter_mut().enumerate().filter(|(nth, _)| *nth == 0 || *nth >= fixed);
        above.for_each(|(_, pane)| pane.lay_out(column.width, look));
        let rows = |pane: Option<&Pane>| {
            pane.map_or(0, |p| u16::try_from(p.rows_at(column.width)).unwrap_or(u16::MAX))
        };
        let told = self.panes.get(self.fixed()).map(|pane| rows(Some(pane)).min(TOLD.0));
        let below = told.map_or(0, |told| told + 1);
        let body = rows(self.panes.first()).min(column.height.saturating_sub(below).max(column.height / 2));
        let mut areas = vec![Rect { height: body, ..column }];
        let mut rest = Rect { y: column.y + body, height: column.height - body, ..column };
        let told = told.map(|told| {
            let gap = 1.min(rest.height);
            let height = told.min(rest.height - gap);
            let area = Rect { y: rest.y + gap, height, ..rest };
            rest = Rect { y: area.bottom(), height: rest.height - gap - height, ..rest };
            area
        });
        if self.fixed() > 1 {
            areas.push(match (area.width >= THREE, rest.height >= TOLD.1) {
                (true, _) => Rect { x: area.x + STACK + 2, width: area.width - STACK - 2, ..area },
                (false, true) => Rect { y: rest.y + 1, height: rest.height - 1, ..rest },
                (false, false) => Rect::ZERO,
            });
        }
        areas.extend(told);
        areas
    }
}

/// The panes one below the other: the first as high as it needs, the next what is left. A preview has
/// what a side leaves.
fn stacked(area: Rect, panes: &[Pane], fixed: usize) -> Vec<Rect> {
    let mut areas = Vec::new();
    let mut rest = area;
    for (nth, pane) in panes.iter().enumerate() {
        let last = nth + 1 == panes.len();
        let keeps = nth == 0 || nth + 1 < fixed;
        let needs = u16::try_from(pane.rows_at(area.width)).unwrap_or(u16::MAX);
        // what comes below keeps some rows
        let rows = |pane: &Pane| u16::try_from(pane.rows_at(area.width)).unwrap_or(u16::MAX);
        let below = match panes.get(nth + 1..fixed) {
            None | Some([]) => BELOW,
            Some(below) => {
                below.iter().fold(0, |sum: u16, pane| sum.saturating_add(rows(pane).saturating_add(1)))
            }
        };
        let most = match last || !keeps {
            true => rest.height,
            false => rest.height.saturating_sub(below.min(BELOW).min(rest.height / 3)),
        };
        let height = if last { rest.height } else { needs.min(most) };
        areas.push(Rect { height, ..rest });
        let used = (height + 1).min(rest.height);
        rest = Rect { y: rest.y + used, height: rest.height - used, ..rest };
    }
    areas
}

/// What stands in the body, as far as there is room.
pub(super) fn body_of(view: &View, (is_narrow, is_tall): (bool, bool)) -> &Document {
    let loose = view.loose.as_ref().filter(|_| is_tall);
    loose.or(view.narrow.as_ref().filter(|_| is_narrow)).unwrap_or(&view.body)
}
