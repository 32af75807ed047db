//! Where the pieces of a simulator are.

use ratatui::layout::Rect;

/// Below this width the knobs stand over the picture, folded into two rows.
const SIDE_BY_SIDE: u16 = 100;
/// From so many rows on a sentence about the chosen knob stands under the folded knobs.
const HELPED: u16 = 18;
/// Rows of the sentence about the chosen knob.
const HELP: u16 = 4;
/// Rows of numbers that stay in view under a picture.
const NUMBERS: usize = 5;

/// A screen of so many rows has a blank one below the goal of a puzzle.
const AIRED: u16 = 28;
/// A pane of so many rows has a blank one below it.
const AIRY: usize = 16;
/// Under a pane lower than this fewer of them stay.
const LOW: usize = 19;

/// The pieces. Empty where a piece is not shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Areas {
    /// The knobs, one a row.
    pub knobs: Rect,
    /// What the chosen knob is, and what became of setting it.
    pub help: Rect,
    /// The chosen knob on its track, while the others are folded away.
    pub knob: Rect,
    /// The folded knobs side by side, as many as there is room for.
    pub strip: Rect,
    /// The goal of a puzzle in one line, above the picture.
    pub aim: Rect,
    /// The conditions of a puzzle, under the knobs.
    pub goal: Rect,
    /// The head of the picture: its name, its step.
    pub head: Rect,
    /// The picture, a formula or a question.
    pub pane: Rect,
    /// The numbers, with a head of one row.
    pub numbers: Rect,
}

impl Areas {
    /// Whether the knobs are folded away at this width, unless the person says otherwise.
    pub fn folds(area: Rect, wish: Option<bool>) -> bool {
        wish.unwrap_or(Self::is_narrow(area))
    }

    /// Whether either the knobs or the picture is shown.
    pub fn is_narrow(area: Rect) -> bool {
        area.width < SIDE_BY_SIDE
    }

    /// The columns of the knobs.
    pub fn column(area: Rect, folded: bool) -> u16 {
        match area.width.saturating_sub(2) {
            width if folded || Self::is_narrow(area) => width,
            0..=108 => 31,
            109..=150 => 35,
            _ => 50,
        }
    }

    /// Splits the screen for so many knobs, and for a puzzle: whether there is a goal, and so many rows of conditions.
    pub fn new(area: Rect, folded: bool, knobs: usize, (has_aim, goal): (bool, usize)) -> Self {
        let alone = Self::is_narrow(area);
        let width = Self::column(area, folded);
        let area = Rect { x: area.x + area.width.min(1), width: area.width.saturating_sub(2), ..area };
        let goal = u16::try_from(goal).unwrap_or(u16::MAX);
        if folded {
            return Self::folded(area, has_aim, goal);
        }
        let goal_rows = goal + u16::from(goal > 0);
        let aim = top(area, u16::from(has_aim));
        let left = Rect { width, ..area };
        let left = if alone { below(left, aim.height) } else { left };
        let rest = Rect { x: area.x + width + 3, width: area.width.saturating_sub(width + 3), ..area };
        let rows = u16::try_from(knobs).unwrap_or(u16::MAX);
        let help = HELP.min(left.height / 3);
        let goal_rows = goal_rows.min(left.height / 3);
        let column = rows.min(left.height - help - goal_rows);
        // a blank row above the sentence, where there is room
        let blank = u16::from(column + help + goal_rows < left.height);
        let mut areas = Self {
            knobs: top(left, column),
            goal: top(below(left, column + blank), goal_rows.saturating_sub(1)),
            help: top(below(left, column + blank + goal_rows), help),
            ..Self::default()
        };
        if alone {
            areas.numbers = below(left, column + blank + goal_rows + help);
        }
        if alone {
            areas.aim = aim;
        } else {
            areas.aim = top(rest, aim.height);
            let gap = u16::from(has_aim && rest.height >= AIRED);
            let rest = below(rest, aim.height + gap);
            areas.head = top(rest, 1);
            areas.pane = below(rest, 1);
        }
        areas
    }

    /// All of the screen for a question that shows the settings itself.
    pub fn asking(area: Rect) -> Self {
        let area = Rect { x: area.x + area.width.min(1), width: area.width.saturating_sub(2), ..area };
        Self { head: top(area, 1), pane: below(area, 1), ..Self::default() }
    }

    fn folded(area: Rect, has_aim: bool, goal: u16) -> Self {
        let knob = top(area, 1);
        let strip = top(below(area, 1), 1);
        let help = top(below(area, 2), u16::from(area.height >= HELPED));
        let aim = top(below(area, 2 + help.height), u16::from(has_aim));
        let above = 2 + help.height + aim.height;
        let goal = top(below(area, above), goal.min((area.height / 3).saturating_sub(aim.height)));
        let rest = below(area, above + goal.height);
        Self { knob, strip, help, aim, goal, head: top(rest, 1), pane: below(rest, 1), ..Self::default() }
    }

    /// The rows that numbers in `rows` rows may take under a picture of `height` rows; none stands for one
    /// that fills what it is given.
    pub fn beside(&self, rows: usize, height: Option<usize>) -> usize {
        let all = usize::from(self.pane.height);
        let room = match height {
            Some(height) => all.saturating_sub(height + 1),
            None => all / 5,
        };
        let low = all < LOW || height.is_none() && all < 2 * LOW;
        let least = if low { NUMBERS - 2 } else { NUMBERS };
        (rows + 1).min(room.max(least + 1)).min(all / 2)
    }

    /// Moves the numbers below a pane up to what it shows, in so many rows.
    pub fn close(&mut self, used: u16) {
        let is_below = !self.numbers.is_empty() && self.numbers.y >= self.pane.bottom();
        let over = self.pane.height.saturating_sub(used);
        if is_below && over > 0 {
            self.pane.height -= over;
            let bottom = self.numbers.bottom();
            let y = self.pane.bottom() + 1;
            self.numbers = Rect { y, height: bottom.saturating_sub(y), ..self.numbers };
        }
    }

    /// Gives the last rows of the pane to the numbers, with a blank one above where there is room.
    pub fn share(&mut self, rows: usize) {
        let rows = u16::try_from(rows).unwrap_or(u16::MAX).min(self.pane.height);
        let pane = self.pane.height - rows;
        self.numbers = below(self.pane, pane);
        self.pane.height = pane.saturating_sub(u16::from(usize::from(pane) >= AIRY));
    }
}

fn top(area: Rect, rows: u16) -> Rect {
    Rect { height: area.height.min(rows), ..area }
}

fn below(area: Rect, rows: u16) -> Rect {
    let rows = area.height.min(rows);
    Rect { y: area.y + rows, height: area.height - rows, ..area }
}
