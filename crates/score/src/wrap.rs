//! Which line ends of a text only wrap it. What a text says does not depend on how wide it was typed.

use super::lexicon;
use super::token::Plain;

/// Lines narrower than this are notes, and wider than [`WIDE`] are not wrapped by hand or by an editor.
const NARROW: usize = 22;
const WIDE: usize = 200;

/// A line of a text.
struct Line {
    /// The character after its last.
    end: usize,
    /// How wide it is, without blanks at its end.
    wide: usize,
    /// The width of its first word.
    first: usize,
    /// The sign, number or label with which it begins an item of a list.
    item: Option<char>,
    /// Whether it begins with a word that begins no note.
    goes_on: bool,
    /// Whether it ends within a phrase.
    is_open: bool,
    /// Whether it ends a sentence.
    is_closed: bool,
}

/// For each character, whether it is a line end that only wraps.
pub(super) fn soft_breaks(chars: &[Plain]) -> Vec<bool> {
    let lines = lines(chars);
    let mut soft = vec![false; chars.len()];
    let widest = lines.iter().map(|l| l.wide).max().unwrap_or(0);
    if !(NARROW..=WIDE).contains(&widest) {
        return soft;
    }
    let has_text = |l: &Line| l.wide > 0;
    // a dash alone may stand in the middle of a sentence; items come in rows
    let is_item = |l: &Line| l.item.is_some() && lines.iter().filter(|o| o.item == l.item).count() > 1;
    let joined = lines.windows(2).filter(|p| has_text(&p[0]) && has_text(&p[1]) && !is_item(&p[1]));
    let joined: Vec<&[Line]> = joined.collect();
    let is_full = |p: &[Line]| p[0].wide + 1 + p[1].first > widest;
    let open: Vec<&&[Line]> = joined.iter().filter(|p| !p[0].is_closed).collect();
    let full = open.iter().filter(|p| is_full(p)).count();
    let open_is_empty = open.is_empty();
    let is_wrapped = full * 5 >= open.len() * 3;
    for pair in joined.into_iter().filter(|p| is_full(p)) {
        let inside = !pair[0].is_closed && (pair[0].is_open || pair[1].goes_on);
        soft[pair[0].end] = is_wrapped && !open_is_empty || inside;
    }
    soft
}

fn lines(chars: &[Plain]) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut start = 0;
    for end in (0..=chars.len()).filter(|&i| i == chars.len() || chars[i].c == '\n') {
        lines.push(line(chars, start, end));
        start = end + 1;
    }
    lines
}

fn line(chars: &[Plain], start: usize, end: usize) -> Line {
    let text: String = chars[start..end].iter().map(|p| p.c).collect();
    let trimmed = text.trim();
    let mut words = trimmed.split_whitespace();
    let first = words.next().unwrap_or_default();
    let last = words.next_back().unwrap_or(first);
    let bare = |w: &str| w.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let digits = first.trim_end_matches(['.', ')']);
    let numbered =
        !digits.is_empty() && digits.len() < first.len() && digits.bytes().all(|b| b.is_ascii_digit());
    let bullet = first
        .chars()
        .next()
        .filter(|c| matches!(c, '-' | '*' | '\u{2022}' | '\u{2014}' | '\u{25e6}' | '\u{2023}' | '#'));
    let bullet = bullet.filter(|c| first.chars().all(|f| f == *c));
    Line {
        end,
        wide: text.trim_end().chars().count(),
        first: first.chars().count(),
        item: if numbered { Some('1') } else { bullet.or(first.ends_with(':').then_some(':')) },
        goes_on: lexicon::is_function(&bare(first)) && !lexicon::is_pronoun(&bare(first)),
        is_open: trimmed.ends_with(',')
            || lexicon::is_function(&bare(last)) && trimmed.ends_with(char::is_alphabetic),
        is_closed: trimmed.ends_with(['.', '!', '?', ':', ';']),
    }
}

#[cfg(test)]
mod tests {
    use super::super::token::plain_chars;
    use super::*;

    fn shown(text: &str) -> String {
        let chars = plain_chars(text);
        let soft = soft_breaks(&chars);
        chars.iter().zip(soft).map(|(p, s)| if s { '~' } else { p.c }).collect()
    }

    #[test]
    fn wrapped_prose_is_joined_and_notes_are_not() {
        assert_eq!(
            shown("every rank keeps the same weights\nbecause it sees the same mean of\ngradients"),
            "every rank keeps the same weights~because it sees the same mean of~gradients"
        );
        let notes =
            "mean gradient, same step => same weights\nhooks fill buckets\nhash of weights must match";
        assert_eq!(shown(notes), notes);
    }

    #[test]
    fn a_note_that_is_wrapped_is_joined_though_the_others_are_not() {
        let notes = "mean gradient and same step, so the\nsame weights everywhere\nhooks fill buckets\nhash must match\ntrace";
        assert_eq!(
            shown(notes),
            "mean gradient and same step, so the~same weights everywhere\nhooks fill buckets\nhash must match\ntrace"
        );
    }
}
