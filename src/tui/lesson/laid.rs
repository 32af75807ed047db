//! Where the text, its margin and the code of a lesson stand.

use super::*;

/// So many free columns and more are shared between both sides of a text.
const SPARE: u16 = 20;

/// Where things stand.
#[derive(Debug, Default, Clone, Copy)]
pub(in crate::tui) struct Laid {
    pub(in crate::tui) bar: Rect,
    pub(in crate::tui) text: Rect,
    pub(in crate::tui) margin: Rect,
    pub(in crate::tui) code: Rect,
    pub(in crate::tui) below: Rect,
    /// Whether code and text would have room beside each other.
    pub(in crate::tui) room: bool,
}

impl Laid {
    /// A text that wants so many columns, and the code of its lab, if there is one: beside each other where both
    /// have room, else the one that has the keys. What is left beside the text is its margin.
    pub(in crate::tui) fn new(
        body: Rect,
        wants: u16,
        (has_code, in_code, whole): (bool, bool, bool),
    ) -> Self {
        // one more, so that no text touches the rule
        let text = (wants + 1).min(body.width);
        let left = body.width - text;
        let room = has_code && left > CODE;
        let mut laid = Laid { room, ..Laid::default() };
        // a rule and a blank on its left, a blank on its right
        let margin_in = |left: u16| if left >= MARGIN.0 + 3 { (left - 3).min(MARGIN.1) } else { 0 };
        match (room && !whole, in_code) {
            (true, _) => {
                let margin = margin_in(left - CODE);
                laid.text = Rect { width: text, ..body };
                laid.margin = Rect { x: body.x + text + 1, width: margin, ..body };
                let used = text + if margin > 0 { margin + 2 } else { 0 } + 1;
                laid.code = Rect { x: body.x + used, width: body.width - used, ..body };
            }
            (false, true) => laid.code = Rect { width: body.width.min(starter::BESIDE + MARGIN.1), ..body },
            (false, false) => {
                let margin = if body.width >= TWO { margin_in(left) } else { 0 };
                laid.text = Rect { width: if margin > 0 { text } else { body.width }, ..body };
                laid.margin = Rect { x: body.x + text + 1, width: margin, ..body };
                // alone on a wide screen both stand in its middle
                let spare = left.saturating_sub(margin + 1);
                if margin > 0 && !room && spare >= SPARE {
                    laid.text.x += spare / 2;
                    laid.margin.x += spare / 2;
                }
            }
        }
        laid
    }
}

/// The rule between a margin and the code.
pub(in crate::tui) fn draw_rule(code: Rect, buffer: &mut Buffer, look: &Look) {
    let rule = look.theme.glyphs.border.vertical_left;
    code.rows().for_each(|row| buffer.set_string(row.x.saturating_sub(1), row.y, rule, look.theme.faint));
}
