//! Where things stand on the screen of a rehearsal that runs.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::Running;
use super::draw;
use crate::screen::Context;

/// From this width on, notes and the checklist stand beside the answer.
const WIDE: u16 = 100;
/// Rows are hard to write when they are longer.
const LONGEST_ROW: u16 = 96;
/// Rows that the answer has at least, where the terminal has room for them.
const LEAST: u16 = 5;

/// Where things stand, and the rows that were laid out for it.
#[derive(Debug, Default)]
pub struct Areas {
    /// All of it.
    pub whole: Rect,
    /// The clock.
    pub clock: Rect,
    /// The question.
    pub question: Rect,
    /// The editor, or the marks.
    pub text: Rect,
    /// Notes or the checklist: beside the answer, or under the question.
    pub side: Rect,
    /// The last row.
    pub status: Rect,
    /// The rows of the question.
    pub question_rows: Vec<Line<'static>>,
    /// The rows of notes or checklist.
    pub side_rows: Vec<Line<'static>>,
}

/// Lays the screen out.
pub fn areas(screen: &Running, area: Rect, context: &Context) -> Areas {
    let inner = Rect { x: area.x + area.width.min(1), width: area.width.saturating_sub(2), ..area };
    let row = |y: u16| Rect { y, height: u16::from(y < area.bottom()), ..inner };
    let question_rows = draw::question(screen, inner.width.min(LONGEST_ROW + 12), context);
    // the clock, a blank row, the question, a blank row; below the status with a blank row before it
    let left = inner.height.saturating_sub(5);
    let question = fitting(question_rows.len(), left.saturating_sub(LEAST.min(left)));
    let wide = area.width >= WIDE;
    let side_width = if wide { inner.width / 3 } else { inner.width };
    let side_rows = draw::side(screen, side_width, wide, context);
    let top = inner.y.saturating_add(3).saturating_add(question).min(inner.bottom());
    let body = Rect { y: top, height: inner.bottom().saturating_sub(2).saturating_sub(top), ..inner };
    let (text, side) = split(body, &side_rows, wide.then_some(side_width));
    Areas {
        whole: area,
        clock: row(inner.y),
        question: Rect { y: inner.y.saturating_add(2), height: question, ..inner }.intersection(area),
        text,
        side,
        status: row(inner.bottom().saturating_sub(1)),
        question_rows,
        side_rows,
    }
}

/// The rows that a text gets out of those that there are.
fn fitting(rows: usize, room: u16) -> u16 {
    u16::try_from(rows).unwrap_or(u16::MAX).min(room)
}

fn split(body: Rect, side: &[Line], beside: Option<u16>) -> (Rect, Rect) {
    let narrow = |area: Rect| Rect { width: area.width.min(LONGEST_ROW), ..area };
    if side.is_empty() {
        return (narrow(body), Rect::ZERO);
    }
    if let Some(width) = beside {
        let text = narrow(Rect { width: body.width.saturating_sub(width + 3), ..body });
        let side = Rect { x: text.right() + 3, width, ..body };
        return (text, side);
    }
    let rows = fitting(side.len(), body.height.saturating_sub(LEAST + 1));
    let text = Rect {
        y: body.y + rows + u16::from(rows > 0),
        height: body.height.saturating_sub(rows + u16::from(rows > 0)),
        ..body
    };
    (text, Rect { height: rows, ..body })
}
