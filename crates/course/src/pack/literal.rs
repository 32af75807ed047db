//! Where the bytes of a text stand in its file, with the escapes of TOML taken into account.

use super::faults::{NOWHERE, Span};

/// A text of a file, for the places of its pieces. Made once for a text with many of them.
pub(super) struct Literal {
    span: Span,
    /// Stretches of the text in order; none where its pieces have no places of their own.
    stretches: Vec<Stretch>,
    length: usize,
}

/// Bytes of the text and the bytes of the file that they stand for: the same ones, or an escape.
struct Stretch {
    value: usize,
    source: usize,
    /// The end of an escape in the source; none for bytes that stand there as they are.
    escape: Option<usize>,
}

impl Literal {
    /// A text by its place with its quotes.
    pub(super) fn new(file: &str, span: &Span) -> Self {
        // a value without quotes is no text, and its parts have no places of their own
        let literal = file.get(span.clone()).filter(|l| l.starts_with(['"', '\'']));
        let (stretches, length) = literal.map_or((Vec::new(), 0), |l| (stretches(l), l.len()));
        Literal { span: span.clone(), stretches, length }
    }

    /// The bytes of the file that hold a piece of the text; `piece` counts bytes of its value.
    pub(super) fn inside(&self, piece: Span) -> Span {
        if self.span == NOWHERE || self.stretches.is_empty() {
            return self.span.clone();
        }
        let start = self.start(piece.start);
        let end = self.end(piece.end).max(start);
        self.span.start + start..self.span.start + end
    }

    /// Where a byte stands; past a line end that is folded away just before it.
    fn start(&self, wanted: usize) -> usize {
        let after = self.stretches.partition_point(|s| s.value <= wanted);
        self.within(after.saturating_sub(1), wanted)
    }

    /// Where a piece ends that ends before this byte.
    fn end(&self, wanted: usize) -> usize {
        let before = self.stretches.partition_point(|s| s.value < wanted);
        match self.stretches.get(before).filter(|s| s.value == wanted) {
            Some(stretch) => stretch.source,
            None => self.within(before.saturating_sub(1), wanted),
        }
    }

    fn within(&self, stretch: usize, wanted: usize) -> usize {
        let Some(stretch) = self.stretches.get(stretch) else { return 0 };
        let past = wanted.saturating_sub(stretch.value);
        let at = match stretch.escape {
            Some(end) if past > 0 => end,
            _ => stretch.source + past,
        };
        at.min(self.length)
    }
}

fn stretches(literal: &str) -> Vec<Stretch> {
    let (mut at, escapes) = opening(literal);
    let mut value = 0;
    let mut found = vec![Stretch { value, source: at, escape: None }];
    while let Some(next) = literal[at..].find('\\').filter(|_| escapes) {
        value += next;
        at += next;
        let (length, decoded) = escape(&literal[at..]);
        found.push(Stretch { value, source: at, escape: Some(at + length) });
        value += decoded;
        at += length;
        found.push(Stretch { value, source: at, escape: None });
    }
    found
}

/// The length of the opening quotes (with the line feed after three), and whether a
/// backslash escapes.
fn opening(literal: &str) -> (usize, bool) {
    for (quotes, escapes) in [("\"\"\"", true), ("'''", false)] {
        if let Some(rest) = literal.strip_prefix(quotes) {
            return (3 + usize::from(rest.starts_with('\n')), escapes);
        }
    }
    (1.min(literal.len()), literal.starts_with('"'))
}

/// The length of an escape in the source and of what it stands for.
fn escape(text: &str) -> (usize, usize) {
    let digits = match text.as_bytes().get(1) {
        Some(b'x') => 2,
        Some(b'u') => 4,
        Some(b'U') => 8,
        Some(b'\n' | b' ' | b'\t') => {
            let rest = text[1..].trim_start_matches([' ', '\t', '\n']);
            return (text.len() - rest.len(), 0);
        }
        Some(_) => return (text.ceil_char_boundary(2), 1),
        None => return (1, 1),
    };
    let decoded = text
        .get(2..2 + digits)
        .and_then(|hex| u32::from_str_radix(hex, 16).ok())
        .and_then(char::from_u32)
        .map_or(1, char::len_utf8);
    (text.ceil_char_boundary(2 + digits).min(text.len()), decoded)
}

#[cfg(test)]
mod tests {
    use toml::Spanned;

    use super::*;

    #[track_caller]
    fn finds(file: &str, piece: &str, expected: &str) {
        #[derive(serde::Deserialize)]
        struct Only {
            text: Spanned<String>,
        }
        let text = toml::from_str::<Only>(file).unwrap().text;
        let at = text.get_ref().find(piece).unwrap();
        let span = Literal::new(file, &text.span()).inside(at..at + piece.len());
        assert_eq!(&file[span], expected);
    }

    #[test]
    fn pieces_of_texts_are_found_in_the_source() {
        finds("text = \"ab [[x]] c\"", "[[x]]", "[[x]]");
        finds("text = 'ab [[x]] c'", "[[x]]", "[[x]]");
        finds("text = \"\"\"\na\\\"π\\u00e9 [[x]]\n\"\"\"", "[[x]]", "[[x]]");
        finds("text = '''\na\\ [[x]]\n'''", "[[x]]", "[[x]]");
        finds("text = \"\"\"one \\\n   two [[x]]\"\"\"", "two", "two");
        finds("text = \"a\\tb\"", "\t", "\\t");
        finds("text = \"\\\"\\\"x\\\"\"", "x\"", "x\\\"");
        finds("text = \"x\"", "x", "x");
    }

    #[test]
    fn a_value_without_quotes_has_one_place() {
        assert_eq!(Literal::new("x = “a + b”", &(4..15)).inside(2..3), 4..15);
    }

    #[test]
    fn no_literal_and_no_piece_leads_out_of_the_file() {
        for file in
            ["\"\\é\"", "\"\\u12é4x\"", "\"\\", "\"\"\"", "'", "\"\\U0000", "\"\\ ", "\"\"\"\n\\\n\"\"\""]
        {
            let literal = Literal::new(file, &(0..file.len()));
            for start in 0..file.len() + 3 {
                for end in 0..file.len() + 3 {
                    let span = literal.inside(start..end);
                    assert!(span.start <= span.end && span.end <= file.len(), "{file}: {span:?}");
                }
            }
        }
    }
}
