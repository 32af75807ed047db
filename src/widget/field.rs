//! A field of one line: the editor's caret, words and undo, without its rows. Where the text is wider than its room, the
//! part around the caret shows.

use std::ops::Range;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Size;
use ratatui::style::{Modifier, Style};
use ratatui::text::Span;

use super::editor::{Editor, Outcome};
use super::theme::Theme;
use super::wrap::{self, Styled};

/// Wide enough that nothing wraps.
const SIZE: Size = Size { width: u16::MAX, height: 1 };

/// A text of one line, and a caret in it.
#[derive(Debug, Clone)]
pub struct Field {
    editor: Editor,
    /// The characters that it takes at most.
    most: usize,
}

impl Field {
    /// A field of so many characters at most that holds a text; the caret is behind it.
    pub fn with_text(text: &str, most: usize) -> Field {
        Field { editor: Editor::with_text(&one_line(text)), most }
    }

    /// The text.
    pub fn text(&self) -> &str {
        self.editor.text()
    }

    /// Whether the caret is before the text, or behind it.
    pub fn is_at_end(&self, right: bool) -> bool {
        self.editor.selection().is_none() && self.editor.caret() == if right { self.text().len() } else { 0 }
    }

    /// Selects all of it, so that what is typed next replaces it.
    pub fn select_all(&mut self) {
        self.editor.select_all();
    }

    /// Takes a key.
    pub fn update(&mut self, key: impl Into<KeyEvent>) -> Outcome {
        let key = key.into();
        match key.code {
            KeyCode::Enter | KeyCode::Tab | KeyCode::BackTab => Outcome::Ignored,
            KeyCode::Up | KeyCode::Down | KeyCode::PageUp | KeyCode::PageDown => Outcome::Ignored,
            KeyCode::Char(_) if types(key.modifiers) && self.room() == 0 => Outcome::Ignored,
            _ => self.editor.update(key, SIZE),
        }
    }

    /// Takes a pasted text, its line ends as blanks, as far as there is room for it.
    pub fn paste(&mut self, text: &str) -> Outcome {
        let room = self.room();
        let text: String = one_line(text).chars().take(room).collect();
        self.editor.paste(&text, SIZE)
    }

    /// The characters that may still be typed in place of what is selected.
    fn room(&self) -> usize {
        let selected = self.editor.selection().map_or(0, |range| self.text()[range].chars().count());
        (self.most + selected).saturating_sub(self.text().chars().count())
    }

    /// The row in so many columns.
    pub fn spans(&self, columns: usize, style: Style, theme: &Theme) -> Vec<Span<'static>> {
        let text = self.text();
        let start = self.first_seen(columns);
        let room = columns.saturating_sub(usize::from(start > 0));
        let end = match wrap::width(&text[start..]) > room {
            true => start + fitting(&text[start..], room.saturating_sub(1)),
            false => text.len(),
        };
        let mut styled = Styled::new();
        styled.push(if start > 0 { theme.glyphs.cut } else { "" }, theme.dim);
        for (range, is_selected) in self.runs(start..end) {
            styled.push(&text[range], if is_selected { theme.selection } else { style });
        }
        styled.push(if end < text.len() { theme.glyphs.cut } else { "" }, theme.dim);
        styled.spans(0..styled.text().len(), columns.max(1))
    }

    /// The caret's column on that row.
    pub fn caret(&self, columns: usize) -> u16 {
        let start = self.first_seen(columns);
        let column = usize::from(start > 0) + wrap::width(&self.text()[start..self.editor.caret()]);
        u16::try_from(column.min(columns.saturating_sub(1))).unwrap_or(u16::MAX)
    }

    /// The row with the caret drawn into it, for places that the terminal's own cursor does not reach.
    pub fn with_caret(&self, columns: usize, style: Style, theme: &Theme) -> Vec<Span<'static>> {
        let (spans, caret) = (self.spans(columns, style, theme), usize::from(self.caret(columns)));
        let on = style.add_modifier(Modifier::REVERSED);
        let mut out = Vec::new();
        let (mut column, mut is_drawn) = (0, false);
        for span in spans {
            for (_, grapheme) in wrap::graphemes(&span.content) {
                let here = column == caret;
                is_drawn |= here;
                column += wrap::grapheme_width(grapheme);
                out.push(Span::styled(grapheme.to_owned(), if here { on } else { span.style }));
            }
        }
        if !is_drawn {
            out.push(Span::styled(" ", on));
        }
        out
    }

    /// The text in rows of so many columns, and the row and column of the caret.
    pub fn rows(&self, columns: usize) -> (Vec<String>, (usize, usize)) {
        let text = self.text();
        let columns = columns.saturating_sub(1).max(1);
        let rows = wrap::rows(text, columns, columns);
        let row = wrap::row_of(&rows, self.editor.caret());
        // blanks at the end of a row hang behind it
        let column = wrap::width(&text[rows[row].start..self.editor.caret()]).min(columns);
        (rows.iter().map(|row| text[row.range()].to_owned()).collect(), (row, column))
    }

    /// The first byte that is seen, so that the caret is, with some of what stands behind it.
    fn first_seen(&self, columns: usize) -> usize {
        let text = self.text();
        let caret = self.editor.caret();
        if wrap::width(text) < columns || wrap::width(&text[..caret]) + 2 < columns {
            return 0;
        }
        // a mark before it, the caret, a mark behind it
        let room = columns.saturating_sub(3);
        let mut over = wrap::width(&text[..caret]).saturating_sub(room);
        for (at, grapheme) in wrap::graphemes(&text[..caret]) {
            if over == 0 {
                return at;
            }
            over = over.saturating_sub(wrap::grapheme_width(grapheme));
        }
        caret
    }

    /// Some bytes in stretches that are selected or not.
    fn runs(&self, all: Range<usize>) -> impl Iterator<Item = (Range<usize>, bool)> {
        let selected = self.editor.selection().unwrap_or(0..0);
        let from = selected.start.clamp(all.start, all.end);
        let to = selected.end.clamp(from, all.end);
        [(all.start..from, false), (from..to, true), (to..all.end, false)].into_iter()
    }
}

/// The bytes of a text that fit into some columns.
fn fitting(text: &str, columns: usize) -> usize {
    let mut used = 0;
    for (at, grapheme) in wrap::graphemes(text) {
        used += wrap::grapheme_width(grapheme);
        if used > columns {
            return at;
        }
    }
    text.len()
}

/// Whether a letter with these is typed: both together is how some keyboards type a character of the third level.
fn types(modifiers: KeyModifiers) -> bool {
    modifiers.contains(KeyModifiers::CONTROL) == modifiers.contains(KeyModifiers::ALT)
}

/// A text without line ends; those at its end are left out.
fn one_line(text: &str) -> String {
    const ENDS: [char; 5] = ['\r', '\n', '\u{85}', '\u{2028}', '\u{2029}'];
    text.trim_end_matches(ENDS).replace("\r\n", " ").replace(ENDS, " ")
}

#[cfg(test)]
mod tests;
