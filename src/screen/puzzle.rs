//! A puzzle: its simulator with most knobs fixed, what holds so far, and how far par is.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use super::sim::Simulator;
use super::{Context, Page, popup};
use crate::app::effect::{Effect, Query, Solved};
use crate::app::event::Mouse;
use crate::pack::{self, Pack};
use crate::page::action::Action;
use crate::page::key::Key;
use crate::page::keys::Scope;
use crate::sim::Sim;
use crate::sim::puzzle::Judged;
use crate::store::PuzzleBest;
use crate::tui::reading::Reading;
use crate::widget::wrap;

mod banner;

/// Columns of the sheet, with its border.
const SHEET: u16 = 76;
/// Rows that the simulator keeps, however much there is to say.
const LEAST: u16 = 12;

/// A puzzle.
#[derive(Debug)]
pub struct Puzzle {
    /// The pack's id.
    pack: String,
    puzzle: pack::Puzzle,
    simulator: Simulator,
    /// The setting that was judged, and what became of it.
    seen: Sim,
    judged: Judged,
    /// How many hints were asked for.
    hints: usize,
    /// Whether the reason was shown.
    is_told: bool,
    /// The goal, the hints and the reason, over the simulator.
    sheet: Option<Reading>,
    sheet_area: Rect,
    banner: Rect,
    lines: Vec<Line<'static>>,
}

impl Puzzle {
    /// A puzzle as it starts, with its goal before it.
    pub fn new(pack: &Pack, puzzle: &pack::Puzzle, _context: &Context) -> (Self, Vec<Effect>) {
        let simulator = Simulator::of(&puzzle.rules);
        let mut screen = Self {
            pack: pack.id.clone(),
            seen: simulator.sim().clone(),
            judged: puzzle.rules.judge_run(simulator.sim(), simulator.run()),
            puzzle: puzzle.clone(),
            simulator,
            hints: 0,
            is_told: false,
            sheet: None,
            sheet_area: Rect::ZERO,
            banner: Rect::ZERO,
            lines: Vec::new(),
        };
        screen.open_sheet();
        let ask = Effect::Recall(Query::Puzzles(pack.id.clone()));
        (screen, vec![ask])
    }

    /// Opens the sheet at its end, where the newest stands.
    fn open_sheet(&mut self) {
        let mut text = format!("{}\n\n", self.puzzle.goal);
        let all = self.puzzle.hints.len();
        for (nth, hint) in self.puzzle.hints.iter().take(self.hints).enumerate() {
            text.push_str(&format!("**Hint {} of {all}.** {hint}\n\n", nth + 1));
        }
        if self.is_told {
            text.push_str(&format!("### Par: why it is par\n\n{}", self.puzzle.explain));
        }
        self.sheet = Some(Reading::new(&text, 0));
    }

    /// Judges the setting where it changed. A solution is kept; at par the reason is shown, once.
    fn judge(&mut self, context: &Context) -> Vec<Effect> {
        let sim = self.simulator.sim();
        if *sim == self.seen {
            return Vec::new();
        }
        let rules = &self.puzzle.rules;
        self.seen = sim.clone();
        self.judged = rules.judge_run(sim, self.simulator.run());
        let Some(value) = self.judged.value.filter(|_| self.judged.is_solved()) else {
            return Vec::new();
        };
        let turned = rules.turned(sim);
        let found = PuzzleBest {
            best: rules.goal.cost(value),
            knobs: turned.map(|(k, v)| (k.parameter.name.to_owned(), v)).collect(),
            at: context.now,
        };
        let kept = context.memory.best(&self.pack, &self.puzzle.id);
        let is_better = kept.is_none_or(|kept| found.best < kept.best);
        if self.judged.is_at_par() && !self.is_told {
            self.is_told = true;
            self.simulator.reveal();
            self.open_sheet();
        }
        let solved = Solved { pack: self.pack.clone(), puzzle: self.puzzle.id.clone(), found };
        is_better.then_some(Effect::SavePuzzle(solved)).into_iter().collect()
    }

    fn act_on_sheet(&mut self, action: Action) {
        match action {
            Action::Hint => {
                self.hints = (self.hints + 1).min(self.puzzle.hints.len());
                self.open_sheet();
            }
            Action::Back => self.sheet = None,
            other => {
                if let Some(sheet) = &mut self.sheet {
                    sheet.act(other);
                }
            }
        }
    }

    fn arrange_sheet(&mut self, area: Rect, context: &Context) {
        let Some(sheet) = &mut self.sheet else { return };
        let most = popup::area(area, SHEET, area.height.saturating_sub(2));
        // the first time as high as it may be, so that its place in the text is kept
        sheet.arrange(text_of(popup::inside(most)), &context.look());
        let rows = u16::try_from(sheet.rows()).unwrap_or(u16::MAX).saturating_add(4);
        self.sheet_area = popup::area(area, SHEET, rows.min(most.height));
        sheet.arrange(text_of(popup::inside(self.sheet_area)), &context.look());
    }

    fn sheet_foot(&self) -> String {
        let left = self.puzzle.hints.len().saturating_sub(self.hints);
        match left {
            0 => "enter: to the knobs".into(),
            1 => "enter: to the knobs   i again: the last hint".into(),
            _ => format!("enter: to the knobs   i again: a hint, {left} left"),
        }
    }

    fn draw_sheet(&self, buffer: &mut Buffer, context: &Context) {
        let Some(sheet) = &self.sheet else { return };
        let area = self.sheet_area.intersection(buffer.area);
        popup::frame(area, &self.puzzle.title, buffer, context.theme);
        sheet.draw(buffer, &context.look());
        let inside = popup::inside(area);
        if inside.height > 1 {
            let foot = Line::styled(self.sheet_foot(), context.theme.dim);
            let foot = wrap::cut_line(&foot, inside.width.into(), context.theme.glyphs.cut);
            let row = inside.y + inside.height - 1;
            buffer.set_line(inside.x + 1, row, &foot, inside.width.saturating_sub(1));
        }
    }
}

/// Where the text of a sheet stands inside its border.
fn text_of(inside: Rect) -> Rect {
    Rect {
        x: inside.x + inside.width.min(1),
        width: inside.width.saturating_sub(1),
        height: inside.height.saturating_sub(2),
        ..inside
    }
}

impl Page for Puzzle {
    fn title(&self, _context: &Context) -> Vec<String> {
        vec!["Puzzle".into(), self.puzzle.title.clone()]
    }

    fn scopes(&self) -> Vec<Scope> {
        if self.sheet.is_some() {
            return vec![Scope::PuzzleSheet, Scope::Moving];
        }
        let mut scopes = self.simulator.scopes();
        if self.simulator.is_turning() {
            scopes.insert(0, Scope::Puzzle);
        }
        scopes
    }

    fn foot(&self, width: u16) -> u16 {
        self.simulator.foot(width)
    }

    fn arrange(&mut self, area: Rect, context: &Context) {
        let best = context.memory.best(&self.pack, &self.puzzle.id).map(|b| b.best);
        let width = usize::from(area.width.saturating_sub(2));
        self.lines = banner::lines(&self.puzzle.rules, &self.judged, best, (width, context));
        let rows = u16::try_from(self.lines.len()).unwrap_or(u16::MAX);
        let height = rows.min(area.height.saturating_sub(LEAST));
        self.banner =
            Rect { x: area.x + area.width.min(1), width: area.width.saturating_sub(2), height, ..area };
        let used = height + u16::from(height > 0 && height < area.height);
        let rest = Rect { y: area.y + used, height: area.height - used, ..area };
        self.simulator.arrange(rest, context);
        self.arrange_sheet(area, context);
    }

    fn act(&mut self, action: Action, context: &Context) -> Vec<Effect> {
        if self.sheet.is_some() {
            self.act_on_sheet(action);
            return Vec::new();
        }
        if action == Action::Hint {
            self.open_sheet();
            return Vec::new();
        }
        let mut effects = self.simulator.act(action, context);
        effects.extend(self.judge(context));
        effects
    }

    fn typed(&mut self, key: Key, context: &Context) -> Vec<Effect> {
        if self.sheet.is_some() {
            return Vec::new();
        }
        self.simulator.typed(key, context)
    }

    fn pasted(&mut self, text: &str, context: &Context) -> Vec<Effect> {
        if self.sheet.is_some() {
            return Vec::new();
        }
        self.simulator.pasted(text, context)
    }

    fn mouse(&mut self, kind: Mouse, at: Position, context: &Context) -> Vec<Effect> {
        if let Some(sheet) = &mut self.sheet {
            match kind {
                Mouse::ScrollDown => sheet.scroll(1),
                Mouse::ScrollUp => sheet.scroll(-1),
                Mouse::Click if !self.sheet_area.contains(at) => self.sheet = None,
                Mouse::Click => {}
            }
            return Vec::new();
        }
        let mut effects = self.simulator.mouse(kind, at, context);
        effects.extend(self.judge(context));
        effects
    }

    fn wake_at(&self, context: &Context) -> Option<jiff::Timestamp> {
        self.simulator.wake_at(context)
    }

    fn tick(&mut self, context: &Context) -> Vec<Effect> {
        self.simulator.tick(context)
    }

    fn leave(&mut self, context: &Context) -> Vec<Effect> {
        self.simulator.leave(context)
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, context: &Context) {
        self.simulator.draw(area, buffer, context);
        let banner = self.banner.intersection(buffer.area);
        for (line, row) in self.lines.iter().zip(banner.rows()) {
            buffer.set_line(row.x, row.y, line, row.width);
        }
        self.draw_sheet(buffer, context);
    }

    fn cursor(&self) -> Option<Position> {
        self.simulator.cursor()
    }
}
