//! An editor for prose: soft wrap, graphemes, words, undo. Pure state; keys and pastes come in
//! with the size that it is drawn at, because up and down move by rows on screen.
//!
//! One column is kept free, so that the caret is visible behind a full row.

use std::borrow::Cow;
use std::ops::Range;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::layout::Size;
use unicode_width::UnicodeWidthChar;

use super::wrap::{self, Row};
use super::{escape, scroll};
use crate::score;
use history::{Edit, History, Kind};
use layout::{Layout, words_around};

mod draw;
mod history;
mod layout;
mod motion;

/// More marks than this on one letter no script has, and a terminal that draws hundreds of thousands in one cell stops.
const MOST_MARKS: usize = 30;

/// What a Tab is worth.
const TAB: &str = "    ";

/// What a key or a paste did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing: the key means nothing here.
    Ignored,
    /// The caret, the selection or the view may have moved.
    Moved,
    /// The text changed.
    Changed,
}

/// A text, a caret, and how it came to be.
#[derive(Debug, Clone, Default)]
pub struct Editor {
    text: String,
    /// A byte between two graphemes.
    caret: usize,
    /// The other end of the selection.
    anchor: Option<usize>,
    /// The column that up and down try to keep.
    column: Option<usize>,
    /// The first row in view.
    top: usize,
    history: History,
    layout: Layout,
    words: usize,
}

impl Editor {
    /// One that holds a text, such as a stored draft; the caret is behind it. Tabs become
    /// blanks, line ends `\n`, and control characters are left out.
    pub fn with_text(text: &str) -> Editor {
        let text = clean(text);
        Editor { caret: text.len(), words: score::count_words(&text), text, ..Editor::default() }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many words it has.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The byte before which the caret stands.
    pub fn caret(&self) -> usize {
        self.caret
    }

    /// The selected bytes.
    pub fn selection(&self) -> Option<Range<usize>> {
        let anchor = self.anchor.filter(|anchor| *anchor != self.caret)?;
        Some(anchor.min(self.caret)..anchor.max(self.caret))
    }

    /// Takes a key. `size` is the size of the area that it is drawn in.
    pub fn update(&mut self, key: KeyEvent, size: Size) -> Outcome {
        if key.kind == KeyEventKind::Release {
            return Outcome::Ignored;
        }
        self.lay_out(size);
        let outcome = match key.code {
            KeyCode::Char(c) => self.character(c, key.modifiers),
            KeyCode::Enter => self.insert("\n"),
            KeyCode::Tab => self.insert(TAB),
            KeyCode::Backspace if word_wise(key.modifiers) => {
                self.delete(motion::word_before(&self.text, self.caret))
            }
            KeyCode::Backspace => self.delete(motion::before(&self.text, self.caret)),
            KeyCode::Delete if word_wise(key.modifiers) => {
                self.delete(motion::word_after(&self.text, self.caret))
            }
            KeyCode::Delete => self.delete(motion::after(&self.text, self.caret)),
            code => self.travel(code, key.modifiers, size),
        };
        self.follow(size);
        outcome
    }

    /// Takes a pasted text, as one step of undo.
    pub fn paste(&mut self, text: &str, size: Size) -> Outcome {
        let text = clean(text);
        if text.is_empty() {
            return Outcome::Ignored;
        }
        self.lay_out(size);
        self.replace(self.target(), &text, Kind::Other);
        self.follow(size);
        Outcome::Changed
    }

    /// Puts the caret where the mouse was pressed: `column` and `row` within the area.
    pub fn click(&mut self, column: u16, row: u16, size: Size) -> Outcome {
        self.lay_out(size);
        let rows = self.rows(size);
        let row = (self.view_top(&rows, size) + usize::from(row)).min(rows.len() - 1);
        let caret = self.byte_at(&rows, row, usize::from(column));
        drop(rows);
        self.anchor = None;
        self.column = None;
        self.history.settle();
        self.caret = caret;
        self.follow(size);
        Outcome::Moved
    }

    /// Moves the caret by rows, as the mouse wheel does.
    pub fn scroll(&mut self, by: isize, size: Size) -> Outcome {
        self.lay_out(size);
        self.anchor = None;
        self.move_rows(by, size);
        self.follow(size);
        Outcome::Moved
    }

    /// Empties the text, as one step of undo.
    pub fn clear(&mut self, size: Size) -> Outcome {
        self.replace(0..self.text.len(), "", Kind::Other);
        self.follow(size);
        Outcome::Changed
    }

    /// Moves the view to where the caret is visible at a new size.
    pub fn resize(&mut self, size: Size) {
        self.follow(size);
    }

    fn character(&mut self, c: char, modifiers: KeyModifiers) -> Outcome {
        let control = modifiers.contains(KeyModifiers::CONTROL);
        let alt = modifiers.contains(KeyModifiers::ALT);
        match (control, alt, c.to_ascii_lowercase()) {
            // both together is how some keyboards type a character of the third level
            (false, false, _) | (true, true, _) => self.insert(c.encode_utf8(&mut [0; 4])),
            // a terminal sends ctrl+_ and ctrl+/ as ctrl+7
            (true, false, 'z' | '_' | '/' | '7') | (false, true, 'u') => self.undo(),
            (true, false, 'y') | (false, true, 'r') => self.redo(),
            (true, false, 'a') => self.go(motion::line_start(&self.text, self.caret), modifiers),
            (true, false, 'e') => self.go(motion::line_end(&self.text, self.caret), modifiers),
            (false, true, 'a') => self.select_all(),
            (false, true, 'b') => self.go(motion::word_before(&self.text, self.caret), modifiers),
            (false, true, 'f') => self.go(motion::word_after(&self.text, self.caret), modifiers),
            (true, false, 'h') => self.delete(motion::before(&self.text, self.caret)),
            (true, false, 'w') => self.delete(motion::word_before(&self.text, self.caret)),
            (false, true, 'd') => self.delete(motion::word_after(&self.text, self.caret)),
            (true, false, 'k') => self.kill_to_end(),
            (true, false, 'u') => self.delete(motion::line_start(&self.text, self.caret)),
            _ => Outcome::Ignored,
        }
    }

    fn travel(&mut self, code: KeyCode, modifiers: KeyModifiers, size: Size) -> Outcome {
        let by_word = word_wise(modifiers);
        let text = &self.text;
        let to = match code {
            KeyCode::Left if by_word => motion::word_before(text, self.caret),
            KeyCode::Right if by_word => motion::word_after(text, self.caret),
            KeyCode::Left => match self.selection() {
                Some(selected) if !modifiers.contains(KeyModifiers::SHIFT) => selected.start,
                _ => motion::before(text, self.caret),
            },
            KeyCode::Right => match self.selection() {
                Some(selected) if !modifiers.contains(KeyModifiers::SHIFT) => selected.end,
                _ => motion::after(text, self.caret),
            },
            KeyCode::Home if by_word => 0,
            KeyCode::End if by_word => text.len(),
            KeyCode::Home => self.row_start(size),
            KeyCode::End => self.row_end(size),
            KeyCode::Up | KeyCode::Down | KeyCode::PageUp | KeyCode::PageDown => {
                let page = isize::try_from(size.height).unwrap_or(1).saturating_sub(1).max(1);
                self.extend(modifiers);
                self.move_rows(
                    match code {
                        KeyCode::Up => -1,
                        KeyCode::Down => 1,
                        KeyCode::PageUp => -page,
                        _ => page,
                    },
                    size,
                );
                return Outcome::Moved;
            }
            _ => return Outcome::Ignored,
        };
        self.go(to, modifiers)
    }

    /// Starts or drops the selection, as Shift says.
    fn extend(&mut self, modifiers: KeyModifiers) {
        match modifiers.contains(KeyModifiers::SHIFT) {
            true => self.anchor = self.anchor.or(Some(self.caret)),
            false => self.anchor = None,
        }
    }

    fn go(&mut self, to: usize, modifiers: KeyModifiers) -> Outcome {
        self.extend(modifiers);
        self.caret = to;
        self.column = None;
        self.history.settle();
        Outcome::Moved
    }

    /// Selects all of the text.
    pub fn select_all(&mut self) -> Outcome {
        self.anchor = Some(0);
        self.caret = self.text.len();
        self.column = None;
        self.history.settle();
        Outcome::Moved
    }

    /// The start of the row on screen; from there, the start of the line.
    fn row_start(&self, size: Size) -> usize {
        let rows = self.rows(size);
        match rows[wrap::row_of(&rows, self.caret)].start {
            start if start == self.caret => motion::line_start(&self.text, self.caret),
            start => start,
        }
    }

    /// The end of the row on screen; from there, the end of the line.
    fn row_end(&self, size: Size) -> usize {
        let rows = self.rows(size);
        match self.last_byte(&rows, wrap::row_of(&rows, self.caret)) {
            end if end <= self.caret => motion::line_end(&self.text, self.caret),
            end => end,
        }
    }

    /// The last caret position on a row: behind its words, but still before the next row.
    fn last_byte(&self, rows: &[Row], row: usize) -> usize {
        let (end, next) = (rows[row].end, rows[row].next);
        if end == next && row + 1 < rows.len() { motion::before(&self.text, end) } else { end }
    }

    fn move_rows(&mut self, by: isize, size: Size) {
        let rows = self.rows(size);
        let row = wrap::row_of(&rows, self.caret);
        let column = self.column.unwrap_or_else(|| self.column_of(&rows[row]));
        let caret = match row.checked_add_signed(by) {
            None => 0,
            Some(to) if to >= rows.len() => self.text.len(),
            Some(to) => self.byte_at(&rows, to, column),
        };
        drop(rows);
        self.history.settle();
        self.caret = caret;
        self.column = Some(column);
    }

    fn column_of(&self, row: &Row) -> usize {
        wrap::width(&self.text[row.start..self.caret])
    }

    /// The caret position on a row that is nearest to a column.
    fn byte_at(&self, rows: &[Row], row: usize, column: usize) -> usize {
        let last = self.last_byte(rows, row);
        let start = rows[row].start;
        let at = motion::at_column(&self.text[start..last.max(start)], column);
        start + at
    }

    /// What typing replaces: the selection, or nothing at the caret.
    fn target(&self) -> Range<usize> {
        self.selection().unwrap_or(self.caret..self.caret)
    }

    fn insert(&mut self, text: &str) -> Outcome {
        if text.chars().any(escape::is_harmful) {
            return Outcome::Ignored;
        }
        let kind = if self.selection().is_some() { Kind::Other } else { Kind::Typing };
        self.replace(self.target(), text, kind);
        Outcome::Changed
    }

    /// Deletes the selection, or else from the caret to `to`.
    fn delete(&mut self, to: usize) -> Outcome {
        let range = self.selection().unwrap_or(to.min(self.caret)..to.max(self.caret));
        if range.is_empty() {
            return Outcome::Moved;
        }
        let single = motion::before(&self.text, range.end) == range.start;
        self.replace(range, "", if single { Kind::Deleting } else { Kind::Other });
        Outcome::Changed
    }

    /// Deletes to the end of the line; at the end, the line end.
    fn kill_to_end(&mut self) -> Outcome {
        let end = motion::line_end(&self.text, self.caret);
        self.delete(if end == self.caret { motion::after(&self.text, end) } else { end })
    }

    fn replace(&mut self, range: Range<usize>, with: &str, kind: Kind) {
        let before = self.caret;
        let removed = self.text[range.clone()].to_string();
        let at = range.start;
        self.put(range, with);
        // neighbours may have grown together into one grapheme
        self.caret = wrap::boundary(&self.text, at + with.len());
        let edit = Edit { at, removed, inserted: with.to_string(), carets: (before, self.caret) };
        self.history.push(edit, kind);
        self.anchor = None;
        self.column = None;
    }

    /// Puts a text in place of some bytes; rows and words follow.
    fn put(&mut self, range: Range<usize>, with: &str) {
        let (at, removed) = (range.start, range.len());
        self.words -= words_around(&self.text, range.clone());
        self.text.replace_range(range, with);
        self.words += words_around(&self.text, at..at + with.len());
        self.layout.changed(&self.text, at, (removed, with.len()));
    }

    fn undo(&mut self) -> Outcome {
        let Some(edit) = self.history.undo() else {
            return Outcome::Moved;
        };
        self.put(edit.at..edit.at + edit.inserted.len(), &edit.removed);
        self.caret = edit.carets.0;
        self.anchor = None;
        self.column = None;
        Outcome::Changed
    }

    fn redo(&mut self) -> Outcome {
        let Some(edit) = self.history.redo() else {
            return Outcome::Moved;
        };
        self.put(edit.at..edit.at + edit.removed.len(), &edit.inserted);
        self.caret = edit.carets.1;
        self.anchor = None;
        self.column = None;
        Outcome::Changed
    }

    /// The columns for text at a size.
    fn columns(size: Size) -> usize {
        usize::from(size.width).saturating_sub(1).max(1)
    }

    fn lay_out(&mut self, size: Size) {
        self.layout.lay_out(&self.text, Self::columns(size));
    }

    fn rows(&self, size: Size) -> Cow<'_, [Row]> {
        let columns = Self::columns(size);
        match self.layout.rows(columns) {
            Some(rows) => Cow::Borrowed(rows),
            None => Cow::Owned(wrap::rows(&self.text, columns, columns)),
        }
    }

    fn follow(&mut self, size: Size) {
        self.lay_out(size);
        self.top = self.view_top(&self.rows(size), size);
    }

    /// The first row in view, moved so that the caret is in it.
    fn view_top(&self, rows: &[Row], size: Size) -> usize {
        let row = wrap::row_of(rows, self.caret);
        scroll::keep_in_view(self.top, row..row + 1, usize::from(size.height).max(1), rows.len())
    }
}

fn word_wise(modifiers: KeyModifiers) -> bool {
    modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT)
}

/// A text as the editor holds it.
fn clean(text: &str) -> String {
    let text =
        text.replace("\r\n", "\n").replace(['\r', '\u{85}', '\u{2028}', '\u{2029}'], "\n").replace('\t', TAB);
    let mut marks = 0;
    let is_kept = |c: &char| {
        marks = if c.width() == Some(0) { marks + 1 } else { 0 };
        !escape::is_harmful(*c) && marks <= MOST_MARKS
    };
    text.chars().filter(is_kept).collect()
}

#[cfg(test)]
mod tests;
