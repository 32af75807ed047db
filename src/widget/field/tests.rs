use proptest::prelude::*;

use super::super::theme::{Palette, Theme};
use super::*;
use crate::page::key::Key;

const MOST: usize = 20;

fn press(field: &mut Field, key: &str) {
    field.update(Key::parse(key).unwrap());
}

/// The text with the caret as `|`, after some keys on a text whose `|` is the caret.
fn after(start: &str, keys: &[&str]) -> String {
    let mut field = Field::with_text(&start.replace('|', ""), MOST);
    let behind = start.chars().rev().take_while(|c| *c != '|').count();
    (0..behind).for_each(|_| press(&mut field, "left"));
    for name in keys {
        match Key::parse(name) {
            Some(_) => press(&mut field, name),
            None => {
                field.paste(name);
            }
        }
    }
    let mut shown = field.text().to_owned();
    shown.insert(field.editor.caret(), '|');
    shown
}

#[test]
fn a_field_has_the_keys_of_the_editor() {
    assert_eq!(after("2026-11-2|", &["7"]), "2026-11-27|");
    assert_eq!(after("2026-11-27|", &["left", "left", "backspace"]), "2026-11|27");
    assert_eq!(after("ab|cd", &["delete", "home", "x", "end", "y"]), "xabdy|");
    assert_eq!(after("ab|cd", &["ctrl+a", "x", "ctrl+e", "y"]), "xabcdy|");
    assert_eq!(after("one two| three", &["ctrl+w"]), "one | three");
    assert_eq!(after("one two| three", &["ctrl+u"]), "| three");
    assert_eq!(after("one two| three", &["ctrl+k"]), "one two|");
    assert_eq!(after("one two|", &["ctrl+left", "x"]), "one x|two");
    assert_eq!(after("one|", &["ctrl+u", "ctrl+z"]), "one|");
    assert_eq!(after("日本|語", &["backspace", "delete"]), "日|");
}

#[test]
fn one_line_stays_one_line() {
    assert_eq!(after("|", &["enter", "tab", "up", "a", "down"]), "a|");
    assert_eq!(after("|", &["/tmp/job text.txt\n"]), "/tmp/job text.txt|");
    assert_eq!(after("|", &["two\r\nlines\u{2028}or"]), "two lines or|");
}

#[test]
fn what_is_longer_than_the_field_takes_is_left_out() {
    assert_eq!(after("0123456789012345678|", &["x", "y"]), "0123456789012345678x|");
    assert_eq!(after("01234567890123|", &["abcdefghij"]), "01234567890123abcdef|");
    // what is selected gives way
    assert_eq!(after("0123456789012345678x|", &["shift+left", "shift+left", "abc"]), "012345678901234567ab|");
}

#[test]
fn the_caret_shows_where_the_text_is_wider_than_its_room() {
    let theme = Theme::new(Palette::Mono, false);
    let mut field = Field::with_text("abcdefghijklmnop", MOST);
    let row = |field: &Field| -> (String, u16) {
        let text = field.spans(8, theme.text, &theme).iter().map(|s| s.content.to_string()).collect();
        (text, field.caret(8))
    };
    assert_eq!(row(&field), ("…lmnop".into(), 6));
    press(&mut field, "home");
    assert_eq!(row(&field), ("abcdefg…".into(), 0));
}

proptest! {
    /// Whatever is typed, the caret stands on the row, and the row is no wider than its room.
    #[test]
    fn the_caret_is_within_the_row(text in "[a-z 日]{0,40}", left in 0usize..40, columns in 4usize..30) {
        let theme = Theme::new(Palette::Dark, false);
        let mut field = Field::with_text(&text, 60);
        (0..left).for_each(|_| press(&mut field, "left"));
        let spans = field.spans(columns, theme.text, &theme);
        let width: usize = spans.iter().map(Span::width).sum();
        prop_assert!(width <= columns, "{width} of {columns}");
        prop_assert!(usize::from(field.caret(columns)) < columns);
        // what stands under the caret is the letter that it stands on
        let shown: String = spans.iter().map(|s| s.content.as_ref()).collect();
        let mut column = 0;
        let under = wrap::graphemes(&shown).find(|(_, g)| {
            column += wrap::grapheme_width(g);
            column > usize::from(field.caret(columns))
        });
        let at = field.editor.caret();
        let expected = wrap::graphemes(&text[at..]).next().map(|(_, g)| g.to_owned());
        if let (Some((_, under)), Some(expected)) = (under, expected) {
            prop_assert!(under == expected || under == "…");
        }
        let (rows, (row, column)) = field.rows(columns);
        prop_assert!(row < rows.len() && column < columns);
    }
}
