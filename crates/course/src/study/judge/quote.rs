//! Finds a quote in an answer, letter by letter but for layout: white space, case, typographic signs.

use std::ops::Range;

/// The fewest words that are a quote. A single word proves nothing.
const FEWEST_WORDS: usize = 2;

/// Where a quote stands in a text, in bytes. None where it does not, or is less than two words.
pub fn find(quote: &str, text: &str) -> Option<Range<usize>> {
    let quote =
        quote.trim().trim_matches(|c: char| matches!(c, '"' | '“' | '”' | '…' | '.') || c.is_whitespace());
    let wanted: Vec<char> = folded(quote).into_iter().map(|(c, _)| c).collect();
    if quote.split_whitespace().count() < FEWEST_WORDS {
        return None;
    }
    let given = folded(text);
    let at = given.windows(wanted.len()).position(|w| w.iter().map(|(c, _)| c).eq(&wanted))?;
    let start = given[at].1.start;
    let end = given[at + wanted.len() - 1].1.end;
    Some(start..end)
}

/// The characters of a text as they are compared, each with its bytes. A run of white space is one blank.
fn folded(text: &str) -> Vec<(char, Range<usize>)> {
    let mut out: Vec<(char, Range<usize>)> = Vec::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        let bytes = at..at + c.len_utf8();
        match c {
            c if c.is_whitespace() || c == '\u{a0}' => match out.last_mut() {
                Some((' ', last)) => last.end = bytes.end,
                _ => out.push((' ', bytes)),
            },
            '‘' | '’' => out.push(('\'', bytes)),
            '“' | '”' => out.push(('"', bytes)),
            '–' | '—' | '\u{2011}' => out.push(('-', bytes)),
            '\u{200b}' | '\u{ad}' => {}
            c => out.extend(c.to_lowercase().map(|l| (l, bytes.clone()))),
        }
    }
    out
}
