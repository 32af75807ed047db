//! A puzzle in the terminal: its simulator, the goal above the picture, the conditions under the knobs, the sheet with
//! the hints.

use jiff::Timestamp;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget};

use super::face::{Face, Look};
use super::reading::Reading;
use super::sim::{Holds, Screen};
use crate::page::action::Action;
use crate::page::key::Key;
use crate::page::keys::Scope;
use crate::page::place::Place;
use crate::page::puzzle::Puzzle;
use crate::page::sim::Simulator;
use crate::page::{At, Next, Page};
use crate::tui::event::Mouse;

mod banner;

impl Holds for Puzzle {
    fn model(&self) -> &Simulator {
        self.simulator()
    }

    fn model_mut(&mut self) -> &mut Simulator {
        self.simulator_mut()
    }
}

/// A puzzle on a screen.
pub struct Board {
    screen: Screen<Puzzle>,
    /// The goal, the hints and the reason, over the simulator.
    sheet: Option<Reading>,
    sheet_area: Rect,
    /// The same, where it stays beside the picture while knobs are turned.
    kept: Option<Reading>,
}

/// Rows of the simulator that are worth showing below the goal, where nothing fits beside it.
const LEAST: u16 = 12;

impl Board {
    /// The puzzle of a place, if it is one, with its goal before it.
    pub fn open(place: &Place, at: &At) -> Option<Result<Self, String>> {
        let Place::Puzzle { pack, id } = place else { return None };
        Some(Puzzle::open(*pack, id, at).map(|page| {
            let sheet = Some(Reading::new(&page.sheet(), 0));
            let screen = Screen::of(page).still(at.services.is_still);
            Board { screen, sheet, sheet_area: Rect::ZERO, kept: None }
        }))
    }

    fn open_sheet(&mut self) {
        self.sheet = Some(Reading::new(&self.screen.held().sheet(), 0));
    }

    /// Judges what was turned; at par the reason is shown, once.
    fn judged(&mut self, next: Next, at: &mut At) -> Next {
        if self.screen.held_mut().judge(at) {
            self.open_sheet();
        }
        next
    }

    fn act_on_sheet(&mut self, action: Action) {
        match (action, &mut self.sheet) {
            (Action::Hint, _) => {
                self.screen.held_mut().hint();
                self.open_sheet();
            }
            (Action::Back, _) => self.sheet = None,
            (other, Some(sheet)) => {
                sheet.act(other);
            }
            _ => {}
        }
    }

    /// Where nothing fits beside it the goal stands above the simulator, as far as that has room: what it has then.
    fn arrange_above(&mut self, area: Rect, look: &Look) -> Option<Rect> {
        let sheet = self.sheet.as_mut().filter(|_| Screen::<Puzzle>::is_narrow(area))?;
        sheet.arrange(text_of(area), look);
        // with a blank row below it
        let rows = u16::try_from(sheet.rows()).unwrap_or(u16::MAX).saturating_add(HEAD + 1);
        if rows.saturating_add(LEAST) > area.height {
            return None;
        }
        self.sheet_area = Rect { height: rows, ..area };
        sheet.arrange(text_of(self.sheet_area), look);
        Some(Rect { y: area.y + rows, height: area.height - rows, ..area })
    }

    fn arrange_sheet(&mut self, area: Rect, look: &Look) {
        // under the knobs that it speaks of, or instead of all: never over the picture
        let area = self.screen.below_knobs().unwrap_or(area);
        let Some(sheet) = &mut self.sheet else { return };
        self.sheet_area = area;
        sheet.arrange(text_of(area), look);
    }

    /// While knobs are turned the goal stays where the column under them has room for all of it.
    fn arrange_kept(&mut self, look: &Look) {
        self.kept = None;
        let Some(area) = self.screen.below_help().filter(|_| self.sheet.is_none()) else { return };
        let mut kept = Reading::new(&self.screen.held().sheet(), 0);
        kept.arrange(area, look);
        self.kept = (kept.rows() <= usize::from(area.height)).then_some(kept);
    }

    /// What the sheet is, and what else there is to ask for.
    fn sheet_head(&self, look: &Look) -> Line<'static> {
        let theme = look.theme;
        let page = self.screen.held();
        if page.judged().is_at_par() {
            let text = format!("{} Par reached", theme.glyphs.good);
            return Line::styled(text, theme.good.patch(theme.strong));
        }
        let left = match page.hints_left() {
            0 => String::new(),
            1 => "one hint left".into(),
            left => format!("{left} hints left"),
        };
        Line::from(vec![
            Span::styled("Goal   ", theme.accent.patch(theme.strong)),
            Span::styled(left, theme.dim),
        ])
    }

    fn draw_sheet(&self, buffer: &mut Buffer, look: &Look) {
        let Some(sheet) = &self.sheet else { return };
        let area = self.sheet_area.intersection(buffer.area);
        Clear.render(area, buffer);
        let head = Rect {
            x: area.x + area.width.min(1),
            width: area.width.saturating_sub(1),
            height: area.height.min(1),
            ..area
        };
        self.sheet_head(look).render(head, buffer);
        sheet.draw(buffer, look);
    }
}

/// Rows of the head of a sheet.
const HEAD: u16 = 2;

/// Where the text of a sheet stands: below its head.
fn text_of(area: Rect) -> Rect {
    let head = area.height.min(HEAD);
    Rect { y: area.y + head, height: area.height - head, ..area }
}

impl Face for Board {
    fn page(&mut self) -> &mut dyn Page {
        self.screen.page()
    }

    fn page_ref(&self) -> &dyn Page {
        self.screen.page_ref()
    }

    fn scopes(&self) -> Vec<Scope> {
        if self.sheet.is_some() {
            let page = self.screen.held();
            // at par there is nothing left to hint at
            let hints = (page.hints_left() > 0 && !page.judged().is_at_par()).then_some(Scope::PuzzleHints);
            let others = [Scope::PuzzleSheet, Scope::Moving, Scope::Everywhere];
            return hints.into_iter().chain(others).collect();
        }
        let mut scopes = self.screen.scopes();
        if self.screen.is_turning() {
            scopes.insert(0, Scope::Puzzle);
        }
        scopes
    }

    fn refresh(&mut self, _: &At) {}

    fn arrange(&mut self, area: Rect, look: &Look) {
        let rest = self.arrange_above(area, look);
        let below = rest.unwrap_or(area);
        let (column, wide) = self.screen.goal_width(below);
        let page = self.screen.held();
        let (rules, judged) = (&page.puzzle().rules, page.judged());
        let (aim, under) = banner::aim(rules, judged, page.best(), (wide.into(), look));
        // the goal above names them
        let conditions = match rest {
            Some(_) => Vec::new(),
            None => banner::conditions(rules, judged, under, (column.into(), look)),
        };
        self.screen.show_goal(aim, conditions);
        self.screen.let_go(self.sheet.is_some());
        self.screen.arrange(below, look);
        if rest.is_none() {
            self.arrange_sheet(area, look);
        }
        self.arrange_kept(look);
    }

    fn act(&mut self, action: Action, at: &mut At) -> Next {
        if self.sheet.is_some() {
            self.act_on_sheet(action);
            return Next::Stay;
        }
        if action == Action::Hint {
            self.open_sheet();
            return Next::Stay;
        }
        let next = self.screen.act(action, at);
        self.judged(next, at)
    }

    fn typed(&mut self, key: Key, at: &mut At) -> Next {
        match self.sheet {
            Some(_) => Next::Stay,
            None => self.screen.typed(key, at),
        }
    }

    fn pasted(&mut self, text: &str, at: &mut At) -> Next {
        match self.sheet {
            Some(_) => Next::Stay,
            None => self.screen.pasted(text, at),
        }
    }

    fn mouse(&mut self, kind: Mouse, cell: Position, at: &mut At) -> Next {
        let Some(sheet) = &mut self.sheet else {
            let next = self.screen.mouse(kind, cell, at);
            return self.judged(next, at);
        };
        match kind {
            Mouse::ScrollDown => sheet.scroll(1),
            Mouse::ScrollUp => sheet.scroll(-1),
            Mouse::Click if !self.sheet_area.contains(cell) => self.sheet = None,
            Mouse::Click => {}
        }
        Next::Stay
    }

    fn wake_at(&self, now: Timestamp) -> Option<Timestamp> {
        self.screen.wake_at(now)
    }

    fn tick(&mut self, at: &mut At) -> Next {
        self.screen.tick(at)
    }

    fn leave(&mut self, at: &mut At) {
        self.screen.leave(at);
        self.screen.held_mut().leave(at);
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, look: &Look) {
        self.screen.draw(area, buffer, look);
        self.kept.iter().for_each(|kept| kept.draw(buffer, look));
        self.draw_sheet(buffer, look);
    }
}
