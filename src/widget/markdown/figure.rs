//! Figures: diagrams and formulas, which keep their lines. What is too wide for a pane is cut
//! there, and can be looked at piece by piece.

use crate::doc::Block;
use crate::widget::code::Source;

/// Columns that a quote takes on the left, and a list at most.
const QUOTE: u16 = 2;
const BULLET: u16 = 4;

/// Whether a block of code in this language is a figure. Others wrap.
pub fn is_figure(language: &str) -> bool {
    matches!(language, "" | "text" | "diagram")
}

/// The columns that the widest figure among some blocks needs.
pub fn width(blocks: &[Block]) -> u16 {
    let of = |block: &Block| match block {
        Block::Code { language, text, .. } if is_figure(language) => {
            u16::try_from(Source::new(language, text).width()).unwrap_or(u16::MAX)
        }
        Block::Quote(inside) => under(QUOTE, width(inside)),
        Block::List { items, .. } => items.iter().map(|item| under(BULLET, width(item))).max().unwrap_or(0),
        _ => 0,
    };
    blocks.iter().map(of).max().unwrap_or(0)
}

fn under(margin: u16, width: u16) -> u16 {
    if width == 0 { 0 } else { width.saturating_add(margin) }
}
