//! The rows of a text that is edited, and its words. A change wraps anew what it touches: the rows before it
//! stay, and those after it are moved from where the new rows meet the old ones.

use std::ops::Range;

use super::super::wrap::{self, Row};
use crate::score;

/// The bytes that are wrapped at once after a change.
const WINDOW: usize = 4096;
/// The rows before a change that are wrapped anew: what is shorter now may go up a row.
const BEFORE: usize = 2;

/// The rows of a text at a width.
#[derive(Debug, Clone, Default)]
pub struct Layout {
    /// The columns that the rows were made for; 0 where there are none yet.
    columns: usize,
    rows: Vec<Row>,
}

impl Layout {
    /// The rows, where they were made for so many columns.
    pub fn rows(&self, columns: usize) -> Option<&[Row]> {
        (self.columns == columns).then_some(&self.rows[..])
    }

    /// Lays a text out where that was not done for so many columns.
    pub fn lay_out(&mut self, text: &str, columns: usize) {
        if self.columns != columns {
            *self = Layout { columns, rows: wrap::rows(text, columns, columns) };
        }
    }

    /// Some bytes at `at` gave way to others; `text` is what it is now.
    pub fn changed(&mut self, text: &str, at: usize, (removed, inserted): (usize, usize)) {
        if self.columns == 0 {
            return;
        }
        let first = wrap::row_of(&self.rows, at).saturating_sub(BEFORE);
        let old = self.rows.split_off(first);
        let mut from = old[0].start;
        let mut window = WINDOW;
        loop {
            let end = wrap::boundary(text, (from + window).min(text.len()));
            let mut fresh = wrap::rows(&text[from..end], self.columns, self.columns);
            if end < text.len() {
                // where the window ends the text does not
                fresh.truncate(fresh.len().saturating_sub(2));
            }
            for row in &fresh {
                let row = moved(row, from, 0);
                let is_after =
                    self.rows.len() > first && self.rows.last().is_some_and(|r| r.start >= at + inserted);
                if is_after
                    && let Ok(met) = old.binary_search_by_key(&(row.start + removed), |r| r.start + inserted)
                {
                    self.rows.extend(old[met..].iter().map(|r| moved(r, inserted, removed)));
                    return;
                }
                self.rows.push(row);
            }
            if end == text.len() {
                return;
            }
            match fresh.last() {
                Some(last) => from += last.next,
                // one grapheme may have any number of bytes
                None => window *= 2,
            }
        }
    }
}

/// The row so many bytes further on, and so many back.
fn moved(row: &Row, on: usize, back: usize) -> Row {
    let byte = |byte: usize| byte + on - back;
    Row { start: byte(row.start), end: byte(row.end), next: byte(row.next), width: row.width }
}

/// The words around some bytes: no word goes on over a blank.
pub fn words_around(text: &str, bytes: Range<usize>) -> usize {
    let start = text[..bytes.start].rfind(char::is_whitespace).unwrap_or(0);
    let end = text[bytes.end..].find(char::is_whitespace).map_or(text.len(), |at| bytes.end + at);
    score::count_words(&text[start..end])
}
