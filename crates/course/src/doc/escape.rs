//! Makes any string harmless: what a terminal would obey, or what would reorder or hide
//! other text, is shown as a visible escape such as `\x1b` or `\u{202e}`.

use std::borrow::Cow;
use std::fmt::Write;

/// Columns that a tab is worth in running text.
const TAB: &str = "    ";

/// One line of harmless text: line ends are shown as `\n`, tabs become four spaces.
pub fn line(text: &str) -> Cow<'_, str> {
    replaced(text, |c| c == '\n' || is_harmful(c))
}

/// Harmless text that keeps its line ends. `\r\n` counts as one.
pub fn lines(text: &str) -> Cow<'_, str> {
    if text.contains("\r\n") {
        return Cow::Owned(replaced(&text.replace("\r\n", "\n"), is_harmful).into_owned());
    }
    replaced(text, is_harmful)
}

/// JSON that reads back as it was and steers no terminal: what is harmful can only stand within strings.
pub fn json(text: &str) -> Cow<'_, str> {
    if text.is_ascii() && !text.contains('\u{7f}') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            c if is_harmful(c) => c
                .encode_utf16(&mut [0; 2])
                .iter()
                .for_each(|half| write!(out, "\\u{half:04x}").expect("a String takes all")),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Whether a character must not reach the terminal as it is. Line ends are not harmful.
pub fn is_harmful(c: char) -> bool {
    match c {
        '\n' => false,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => true,
        // orders of direction
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        // line ends in disguise, and marks that no terminal shows
        '\u{2028}' | '\u{2029}' | '\u{ad}' | '\u{180e}' | '\u{200b}' | '\u{feff}' => true,
        '\u{2060}'..='\u{2064}' | '\u{206a}'..='\u{206f}' | '\u{fff9}'..='\u{fffb}' => true,
        // letters for machines
        '\u{e0000}'..='\u{e007f}' => true,
        _ => false,
    }
}

fn replaced(text: &str, harmful: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&harmful) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\t' => out.push_str(TAB),
            c if !harmful(c) => out.push(c),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            c if (c as u32) < 0x100 => write!(out, "\\x{:02x}", c as u32).expect("a String takes all"),
            c => write!(out, "\\u{{{:x}}}", c as u32).expect("a String takes all"),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn json_reads_back_as_it_was_and_holds_nothing_harmful() {
        let text = "8-bit \u{9b}2J, turned \u{202e}, \u{7f}, unseen \u{e0041}, plain é 漢 \u{1f600}\n";
        let written = serde_json::to_string(&text).unwrap();
        let safe = json(&written);
        assert!(!safe.chars().any(is_harmful), "{safe}");
        assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), text);
        assert!(matches!(json("{\"a\": 1}"), Cow::Borrowed(_)));
    }

    #[test]
    fn escapes_are_visible() {
        assert_eq!(line("\x1b[31mred\u{9b}m"), "\\x1b[31mred\\x9bm");
        assert_eq!(line("a\u{202e}b"), "a\\u{202e}b");
        assert_eq!(line("a\u{e0041}b"), "a\\u{e0041}b");
        assert_eq!(line("a\tb\nc"), "a    b\\nc");
        assert_eq!(lines("a\r\nb\rc\n"), "a\nb\\rc\n");
    }

    #[test]
    fn plain_text_is_not_copied() {
        assert!(matches!(lines("für 8 ranks: 👩‍👩‍👧\n全"), Cow::Borrowed(_)));
    }

    proptest! {
        #[test]
        fn nothing_harmful_is_left(text in any::<String>()) {
            prop_assert!(!line(&text).contains(|c: char| c == '\n' || is_harmful(c)));
            prop_assert!(!lines(&text).contains(is_harmful));
        }
    }
}
