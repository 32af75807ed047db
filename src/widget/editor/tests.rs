use crossterm::event::KeyModifiers as Mod;
use proptest::prelude::*;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use unicode_segmentation::GraphemeCursor;

use super::super::theme::{Palette, Theme};
use super::*;

const SIZE: Size = Size { width: 11, height: 4 };

fn key(code: KeyCode, modifiers: Mod) -> KeyEvent {
    KeyEvent::new(code, modifiers)
}

/// Types keys: `<ctrl+left>` and the like are keys, everything else is typed.
fn keys(editor: &mut Editor, script: &str) {
    let mut rest = script;
    while let Some(c) = rest.chars().next() {
        let step = match rest.strip_prefix('<').and_then(|named| named.split_once('>')) {
            Some((name, after)) => {
                rest = after;
                named(name)
            }
            None => {
                rest = &rest[c.len_utf8()..];
                key(if c == '\n' { KeyCode::Enter } else { KeyCode::Char(c) }, Mod::NONE)
            }
        };
        editor.update(step, SIZE);
    }
}

fn named(name: &str) -> KeyEvent {
    let mut modifiers = Mod::NONE;
    let mut code = KeyCode::Null;
    for part in name.split('+') {
        match part {
            "ctrl" => modifiers |= Mod::CONTROL,
            "alt" => modifiers |= Mod::ALT,
            "shift" => modifiers |= Mod::SHIFT,
            "left" => code = KeyCode::Left,
            "right" => code = KeyCode::Right,
            "up" => code = KeyCode::Up,
            "down" => code = KeyCode::Down,
            "home" => code = KeyCode::Home,
            "end" => code = KeyCode::End,
            "pgup" => code = KeyCode::PageUp,
            "pgdn" => code = KeyCode::PageDown,
            "bs" => code = KeyCode::Backspace,
            "del" => code = KeyCode::Delete,
            "tab" => code = KeyCode::Tab,
            letter => code = KeyCode::Char(letter.chars().next().unwrap()),
        }
    }
    key(code, modifiers)
}

/// The text with the caret as `|`, after some keys on a text whose `|` is the caret.
fn after(start: &str, script: &str) -> String {
    let caret = start.find('|').unwrap();
    let mut editor = Editor::with_text(&start.replace('|', ""));
    editor.caret = caret;
    keys(&mut editor, script);
    let mut shown = editor.text().to_string();
    shown.insert(editor.caret, '|');
    shown
}

#[test]
fn typing_and_deleting() {
    assert_eq!(after("|", "hello\nthere"), "hello\nthere|");
    assert_eq!(after("ab|c", "<bs>"), "a|c");
    assert_eq!(after("ab|c", "<del>"), "ab|");
    assert_eq!(after("👩‍👩‍👧|e\u{301}", "<del><bs>"), "|");
    assert_eq!(after("a|", "<tab>b"), "a    b|");
    assert_eq!(after("|a", "<bs>"), "|a");
}

#[test]
fn words_are_moved_over_and_deleted() {
    assert_eq!(after("one two, three|", "<ctrl+left>"), "one two, |three");
    assert_eq!(after("one two, |three", "<alt+left>"), "one |two, three");
    assert_eq!(after("|one two", "<ctrl+right>"), "one| two");
    assert_eq!(after("one| two", "<alt+f>"), "one two|");
    assert_eq!(after("one two|", "<ctrl+w>"), "one |");
    assert_eq!(after("one two|", "<alt+bs>"), "one |");
    assert_eq!(after("|one two", "<alt+d>"), "| two");
    assert_eq!(after("one|", "<ctrl+right>"), "one|");
}

#[test]
fn lines_are_killed_in_parts() {
    assert_eq!(after("one\ntwo| words\nx", "<ctrl+k>"), "one\ntwo|\nx");
    assert_eq!(after("one\ntwo|\nx", "<ctrl+k>"), "one\ntwo|x");
    assert_eq!(after("one\ntwo| words", "<ctrl+u>"), "one\n| words");
}

#[test]
fn home_and_end_go_by_row_then_by_line() {
    // rows at 10 columns: "each rank " / "keeps one " / "slice"
    let text = "each rank keeps one slice";
    let at = |byte: usize| format!("{}|{}", &text[..byte], &text[byte..]);
    assert_eq!(after(&at(12), "<home>"), at(10));
    assert_eq!(after(&at(12), "<home><home>"), at(0));
    assert_eq!(after(&at(12), "<end>"), at(19));
    assert_eq!(after(&at(12), "<end><end>"), at(25));
    assert_eq!(after(&at(12), "<ctrl+home>"), at(0));
    assert_eq!(after(&at(12), "<ctrl+a>"), at(0));
    assert_eq!(after(&at(12), "<ctrl+e>"), at(25));
}

#[test]
fn up_and_down_keep_the_column() {
    assert_eq!(after("abcdef|gh\nab\nabcdefgh", "<down>"), "abcdefgh\nab|\nabcdefgh");
    assert_eq!(after("abcdef|gh\nab\nabcdefgh", "<down><down>"), "abcdefgh\nab\nabcdef|gh");
    assert_eq!(after("ab|c\nx", "<up>"), "|abc\nx");
    assert_eq!(after("abc\n|x", "<down>"), "abc\nx|");
    assert_eq!(after("全規|約\nabcdef", "<down>"), "全規約\nabcd|ef");
}

#[test]
fn pages_are_one_row_less_than_the_view() {
    assert_eq!(after("|1\n2\n3\n4\n5\n6", "<pgdn>"), "1\n2\n3\n|4\n5\n6");
    assert_eq!(after("1\n2\n3\n4\n5\n|6", "<pgup>"), "1\n2\n|3\n4\n5\n6");
}

#[test]
fn a_selection_is_replaced() {
    assert_eq!(after("one |two", "<shift+end>2"), "one 2|");
    assert_eq!(after("one two|", "<shift+ctrl+left><bs>"), "one |");
    assert_eq!(after("one| two", "<alt+a>x"), "x|");
    assert_eq!(after("one |two", "<shift+right><shift+right><left>"), "one |two");
    assert_eq!(after("one |two", "<shift+right><shift+right><right>"), "one tw|o");
}

#[test]
fn undo_goes_word_by_word_and_redo_back() {
    let mut editor = Editor::default();
    keys(&mut editor, "hello world");
    keys(&mut editor, "<ctrl+z>");
    assert_eq!(editor.text(), "hello ");
    keys(&mut editor, "<ctrl+z><ctrl+z>");
    assert_eq!(editor.text(), "");
    keys(&mut editor, "<ctrl+y><ctrl+y>");
    assert_eq!((editor.text(), editor.caret), ("hello world", 11));
    keys(&mut editor, "<bs><bs><ctrl+z>");
    assert_eq!(editor.text(), "hello world");
}

#[test]
fn a_paste_is_one_step_and_is_cleaned() {
    let mut editor = Editor::with_text("ab");
    editor.paste("one\r\ntwo\rthree\t\x1b[31m\u{202e}", SIZE);
    assert_eq!(editor.text(), "abone\ntwo\nthree    [31m");
    keys(&mut editor, "<ctrl+z>");
    assert_eq!(editor.text(), "ab");
}

#[test]
fn the_caret_is_visible_behind_a_full_row() {
    let area = Rect::new(2, 1, 11, 4);
    let mut editor = Editor::with_text("0123456789");
    assert_eq!(editor.cursor(area), Some(Position::new(12, 1)));
    keys(&mut editor, "   ");
    assert_eq!(editor.cursor(area), Some(Position::new(12, 1)), "blanks hang");
    keys(&mut editor, "x");
    assert_eq!(editor.cursor(area), Some(Position::new(3, 2)));
}

#[test]
fn the_view_follows_the_caret() {
    let area = Rect::new(0, 0, 11, 2);
    let editor = Editor::with_text("1\n2\n3\n4");
    let mut buffer = Buffer::empty(area);
    editor.draw(area, &mut buffer, &Theme::new(Palette::Mono, false), "");
    assert_eq!(buffer, Buffer::with_lines(["3          ", "4          "]));
}

#[test]
fn a_click_puts_the_caret_there() {
    let mut editor = Editor::with_text("each rank keeps one slice");
    editor.click(3, 1, SIZE);
    assert_eq!(editor.caret, 13);
    editor.click(99, 0, SIZE);
    assert_eq!(editor.caret, 9);
    editor.click(0, 99, SIZE);
    assert_eq!(editor.caret, 20);
}

#[test]
fn keys_of_others_are_left_alone() {
    let mut editor = Editor::default();
    for name in ["ctrl+s", "ctrl+d", "ctrl+c", "alt+x"] {
        assert_eq!(editor.update(named(name), SIZE), Outcome::Ignored, "{name}");
    }
    assert_eq!(editor.update(key(KeyCode::F(1), Mod::NONE), SIZE), Outcome::Ignored);
    assert_eq!(editor.update(key(KeyCode::Esc, Mod::NONE), SIZE), Outcome::Ignored);
    assert_eq!(editor.update(key(KeyCode::Char('@'), Mod::CONTROL | Mod::ALT), SIZE), Outcome::Changed);
}

#[test]
fn an_empty_editor_shows_the_invitation() {
    let area = Rect::new(0, 0, 12, 2);
    let mut buffer = Buffer::empty(area);
    Editor::default().draw(area, &mut buffer, &Theme::new(Palette::Mono, false), "Say it in your own words");
    assert!(format!("{buffer:?}").contains("Say it in"));
}

#[test]
fn any_size_is_drawn() {
    for (width, height) in [(0, 0), (0, 3), (1, 0), (1, 1), (20, 5)] {
        let area = Rect::new(0, 0, width, height);
        let mut editor = Editor::with_text("each rank keeps\n全規約");
        editor.update(named("up"), area.as_size());
        editor.draw(area, &mut Buffer::empty(area), &Theme::new(Palette::Dark, false), "");
        assert_eq!(editor.cursor(area).is_none(), area.is_empty());
    }
}

#[derive(Debug, Clone)]
enum Step {
    Key(KeyEvent),
    Paste(String),
    Click(u16, u16),
}

fn step() -> impl Strategy<Value = Step> {
    let names = [
        "left",
        "right",
        "up",
        "down",
        "home",
        "end",
        "pgup",
        "pgdn",
        "bs",
        "del",
        "tab",
        "ctrl+left",
        "ctrl+right",
        "ctrl+w",
        "ctrl+k",
        "ctrl+u",
        "ctrl+z",
        "ctrl+y",
        "shift+left",
        "shift+right",
        "shift+up",
        "shift+down",
        "shift+home",
        "shift+end",
        "alt+a",
        "alt+d",
        "ctrl+home",
        "ctrl+end",
        "ctrl+bs",
        "ctrl+del",
    ];
    let typed = ['a', ' ', '全', '\u{301}', '\u{200d}', '👩', '🇩', '\u{fe0f}', 'ᄀ', 'ᅡ', '(', '-'];
    prop_oneof![
        4 => prop::sample::select(names.to_vec()).prop_map(|name| Step::Key(named(name))),
        4 => prop::sample::select(typed.to_vec()).prop_map(|c| Step::Key(key(KeyCode::Char(c), Mod::NONE))),
        1 => Just(Step::Key(key(KeyCode::Enter, Mod::NONE))),
        1 => "(\\PC|[\r\n\t]){0,12}".prop_map(Step::Paste),
        1 => (0u16..30, 0u16..8).prop_map(|(column, row)| Step::Click(column, row)),
    ]
}

fn is_boundary(text: &str, byte: usize) -> bool {
    GraphemeCursor::new(byte, text.len(), true).is_boundary(text, 0).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]
    #[test]
    fn the_caret_stays_between_graphemes_and_in_view(
        steps in prop::collection::vec(step(), 0..60), width in 1u16..14, height in 1u16..5,
    ) {
        let size = Size::new(width, height);
        let area = Rect::new(0, 0, width, height);
        let mut editor = Editor::default();
        let theme = Theme::new(Palette::Dark, false);
        for step in steps {
            match step {
                Step::Key(key) => editor.update(key, size),
                Step::Paste(text) => editor.paste(&text, size),
                Step::Click(column, row) => editor.click(column, row, size),
            };
            prop_assert!(is_boundary(editor.text(), editor.caret));
            if let Some(selected) = editor.selection() {
                prop_assert!(is_boundary(editor.text(), selected.start) && is_boundary(editor.text(), selected.end));
            }
            let cursor = editor.cursor(area).unwrap();
            prop_assert!(area.contains(cursor));
            prop_assert!(!editor.text().contains(escape::is_harmful));
            prop_assert_eq!(editor.words(), score::count_words(editor.text()));
            let (mut from, rows) = (0, editor.rows(size));
            for row in rows.iter() {
                prop_assert!(row.start == from && row.start <= row.end && row.end <= row.next);
                from = row.next;
            }
            prop_assert_eq!(from, editor.text().len());
            let mut buffer = Buffer::empty(area);
            editor.draw(area, &mut buffer, &theme, "");
        }
    }

    #[test]
    fn undoing_everything_gives_the_first_text_and_redoing_the_last(
        steps in prop::collection::vec(step(), 0..60),
    ) {
        let mut editor = Editor::with_text("a word\nor two");
        for step in steps {
            match step {
                Step::Key(key) => editor.update(key, SIZE),
                Step::Paste(text) => editor.paste(&text, SIZE),
                Step::Click(column, row) => editor.click(column, row, SIZE),
            };
        }
        while editor.update(named("ctrl+y"), SIZE) == Outcome::Changed {}
        let last = editor.text().to_string();
        while editor.update(named("ctrl+z"), SIZE) == Outcome::Changed {
            prop_assert!(is_boundary(editor.text(), editor.caret));
        }
        prop_assert_eq!(editor.text(), "a word\nor two");
        while editor.update(named("ctrl+y"), SIZE) == Outcome::Changed {}
        prop_assert_eq!(editor.text(), last);
    }
}

proptest! {
    // texts longer than what is wrapped at once
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn a_change_wraps_as_the_whole_would(
        start in "([a-f]{1,9}[ ,.\n]){0,1500}",
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0usize..9, "([a-f]{0,30}[ \n]?){0,4}"), 1..9),
        columns in 1usize..90,
    ) {
        let mut layout = Layout::default();
        let mut text = start;
        layout.lay_out(&text, columns);
        for (at, removed, inserted) in edits {
            let at = at.index(text.len() + 1);
            let removed = removed.min(text.len() - at);
            text.replace_range(at..at + removed, &inserted);
            layout.changed(&text, at, (removed, inserted.len()));
            prop_assert_eq!(layout.rows(columns).unwrap(), &wrap::rows(&text, columns, columns)[..]);
        }
    }
}

#[test]
fn a_letter_with_hundreds_of_thousands_of_accents_keeps_a_few() {
    let accents = "\u{301}".repeat(300_000);
    let editor = Editor::with_text(&format!("a{accents}b{accents}c 👩\u{200d}👩\u{200d}👧"));
    assert!(editor.text().len() < 200, "{}", editor.text().len());
    assert!(editor.text().starts_with("a\u{301}") && editor.text().ends_with("c 👩\u{200d}👩\u{200d}👧"));
}
