//! The sentences of a text that somebody typed, cut by one rule for whoever shows or reads them.

use std::ops::Range;

/// The sentences in bytes: each ends after its stop, or at an empty line. Together they are the whole text.
pub fn ranges(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut ends: Vec<usize> = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, n)| *n);
        let stops = matches!(c, '.' | '!' | '?' | ';') && next.is_none_or(char::is_whitespace);
        if stops || (c == '\n' && next == Some('\n')) {
            ends.push(at + c.len_utf8());
        }
    }
    ends.push(text.len());
    let mut from = 0;
    ends.into_iter().filter_map(move |end| {
        let range = from..end;
        from = end;
        (!range.is_empty()).then_some(range)
    })
}

/// The sentences of a text in which some of its words stand, in one piece without the blanks around it; the words
/// themselves where the text does not have them as one piece.
pub fn around<'a>(text: &'a str, words: &'a str) -> &'a str {
    let Some(at) = text.find(words).filter(|_| !words.is_empty()) else { return words };
    let last = at + words.len();
    let touches = |range: &Range<usize>| range.start < last && at < range.end;
    let mut touched = ranges(text).filter(touches);
    let first = touched.next().unwrap_or(at..last);
    let end = touched.last().map_or(first.end, |range| range.end);
    text[first.start..end].trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<&str> {
        ranges(text).map(|range| text[range].trim()).collect()
    }

    #[test]
    fn a_sentence_ends_after_its_stop_or_at_an_empty_line() {
        assert_eq!(
            all("One. Two? 1.5 ms, see main.rs; four"),
            ["One.", "Two?", "1.5 ms, see main.rs;", "four"]
        );
        assert_eq!(all("a line\nbroken\n\nanother"), ["a line\nbroken", "another"]);
        assert!(all("").is_empty());
    }

    #[test]
    fn words_are_shown_with_all_of_the_sentences_they_stand_in() {
        let text = "DDP keeps replicas. It shards the weights. It is fast";
        assert_eq!(around(text, "shards"), "It shards the weights.");
        assert_eq!(around(text, "weights. It"), "It shards the weights. It is fast");
        assert_eq!(around(text, "nowhere"), "nowhere");
        assert_eq!(around(text, ""), "");
    }
}
