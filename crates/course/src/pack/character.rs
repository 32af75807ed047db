//! Characters that no text of a pack may hold, and how to show them all the same.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Whether a character could steer a terminal, turn the direction of the text around it, or
/// stand there unseen. A line feed and a tab are allowed.
pub(crate) fn is_forbidden(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        '\u{061c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' => true,
        '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => true,
        '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}' => true,
        _ => c.is_control(),
    }
}

/// Every forbidden character of a text, with its place in bytes. Most text holds none: it is looked at in stretches of
/// bytes first.
pub(super) fn forbidden(text: &str) -> impl Iterator<Item = (usize, char)> {
    const STRETCH: usize = 64;
    // nothing in ASCII but control characters, and nothing that goes on a character
    let begins = |byte: u8| byte >= 0xc0 || byte == 0x7f || byte < b' ' && byte != b'\n' && byte != b'\t';
    let stretches = text.as_bytes().chunks(STRETCH).enumerate();
    let suspect =
        stretches.filter(move |(_, bytes)| bytes.iter().fold(false, |any, byte| any | begins(*byte)));
    suspect.flat_map(move |(nth, bytes)| {
        let places = (nth * STRETCH..).zip(bytes).filter(move |(_, byte)| begins(**byte));
        places.filter_map(|(at, _)| Some((at, text[at..].chars().next().filter(|c| is_forbidden(*c))?)))
    })
}

/// The text with every forbidden character, line feed and tab written as `\u{1b}`, so that
/// it is harmless on one line of a terminal.
pub fn escaped(text: &str) -> Cow<'_, str> {
    let harmful = |c: char| is_forbidden(c) || c == '\n' || c == '\t';
    if !text.contains(harmful) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if harmful(c) {
            let _ = write!(out, "{}", c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forbidden_characters_are_found_wherever_they_stand() {
        for c in ['\u{1b}', '\u{7f}', '\u{85}', '\u{200b}', '\u{feff}', '\u{e0041}', 'é', '…', '\n', '😀']
        {
            for before in 0..140 {
                let text = format!("{}{c}é{c}", "a".repeat(before));
                let counted: Vec<_> = text.char_indices().filter(|(_, c)| is_forbidden(*c)).collect();
                assert_eq!(forbidden(&text).collect::<Vec<_>>(), counted, "{c:?} after {before}");
            }
        }
    }

    #[test]
    fn escape_sequences_and_bidi_marks_become_harmless() {
        assert_eq!(escaped("a\u{1b}[2Jb"), "a\\u{1b}[2Jb");
        assert_eq!(escaped("x\u{202e}y\nz"), "x\\u{202e}y\\u{a}z");
        assert_eq!(escaped("ZeRO-3 × π → 日本 👩‍👩‍👧"), "ZeRO-3 × π → 日本 👩‍👩‍👧");
    }

    #[test]
    fn what_escaped_gives_holds_nothing_forbidden() {
        for c in (0..0x11_0000).filter_map(char::from_u32) {
            let text = escaped(c.encode_utf8(&mut [0; 4])).into_owned();
            assert!(!text.contains(is_forbidden), "{c:?}");
        }
    }
}
