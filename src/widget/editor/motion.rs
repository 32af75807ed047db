//! Where a caret goes in a text. Positions are bytes between two graphemes.

use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

use super::super::wrap;

/// One grapheme back.
pub fn before(text: &str, caret: usize) -> usize {
    GraphemeCursor::new(caret, text.len(), true).prev_boundary(text, 0).ok().flatten().unwrap_or(0)
}

/// One grapheme on.
pub fn after(text: &str, caret: usize) -> usize {
    GraphemeCursor::new(caret, text.len(), true).next_boundary(text, 0).ok().flatten().unwrap_or(text.len())
}

/// The start of the word at or before the caret.
pub fn word_before(text: &str, caret: usize) -> usize {
    let start = text[..caret].unicode_word_indices().next_back().map_or(0, |(at, _)| at);
    wrap::boundary(text, start)
}

/// The end of the word at or after the caret.
pub fn word_after(text: &str, caret: usize) -> usize {
    let end =
        text[caret..].unicode_word_indices().next().map_or(text.len(), |(at, word)| caret + at + word.len());
    wrap::boundary(text, end)
}

/// The start of the line.
pub fn line_start(text: &str, caret: usize) -> usize {
    text[..caret].rfind('\n').map_or(0, |at| at + 1)
}

/// The end of the line, before its line end.
pub fn line_end(text: &str, caret: usize) -> usize {
    text[caret..].find('\n').map_or(text.len(), |at| caret + at)
}

/// The position in one row of text that is nearest to a column.
pub fn at_column(row: &str, column: usize) -> usize {
    let mut used = 0;
    for (at, grapheme) in row.grapheme_indices(true) {
        let columns = wrap::grapheme_width(grapheme);
        if used + columns > column {
            return if (column - used) * 2 >= columns.max(1) && columns > 1 {
                at + grapheme.len()
            } else {
                at
            };
        }
        used += columns;
    }
    row.len()
}
