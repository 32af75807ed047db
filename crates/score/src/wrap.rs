//! Which line ends of a text only wrap it. What a text says does not depend on how wide it was typed: a line end is a
//! blank, unless a blank line or an item of a list follows.

use super::lexicon;
use super::token::Plain;

/// A line of a text.
struct Line {
    /// The character after its last.
    end: usize,
    /// Whether anything stands in it.
    has_text: bool,
    /// The sign or number with which it begins an item of a list.
    item: Option<char>,
    /// Whether that sign is a minus.
    is_formula: bool,
    /// How many words stand in it.
    words: usize,
    /// How many of them tie others together.
    function: usize,
    /// Whether a sign ends it.
    is_closed: bool,
}

/// Makes blanks of line ends that only wrap, and a line of every item of a list.
pub(super) fn unwrap_lines(chars: &mut [Plain]) {
    let lines = lines(chars);
    let rows = |sign: char| lines.iter().filter(|l| l.item == Some(sign)).count();
    let listed = lines.iter().find(|l| l.has_text).and_then(|l| l.item);
    // a dash alone may stand in the middle of a sentence; items come in rows, or the text begins with one
    let is_item = |l: &Line| l.item.is_some_and(|c| rows(c) > 1 || listed == Some(c)) && !l.is_formula;
    let dashed = rows('-') > 1 || listed == Some('-');
    let column = columns_of_names(&lines);
    let soft =
        (1..lines.len()).filter(|&i| lines[i - 1].has_text && lines[i].has_text && !is_item(&lines[i]));
    let soft: Vec<usize> =
        soft.filter(|&i| !(column[i - 1] && column[i])).map(|i| lines[i - 1].end).collect();
    soft.into_iter().for_each(|at| chars[at].c = ' ');
    // among items that begin with a dash, one in the middle of a line begins an item too
    for at in 1..chars.len().saturating_sub(1) {
        let parts = chars[at].c == '-' && chars[at - 1].c == ' ' && chars[at + 1].c == ' ';
        // the dash of "1. - so" begins no item of its own
        let line = chars[..at].iter().rev().take_while(|p| p.c != '\n').take(8);
        if dashed && parts && line.into_iter().any(|p| p.c.is_alphabetic()) && !is_minus(chars, at) {
            chars[at - 1].c = '\n';
        }
    }
}

/// So many lines of a name each are a list, and no text that a narrow window wraps.
const COLUMN: usize = 6;

/// The lines that stand in such a list: at most three words each, no sign at their end, and hardly a word that ties
/// others together or little more than one word a line.
fn columns_of_names(lines: &[Line]) -> Vec<bool> {
    let mut column = vec![false; lines.len()];
    let mut from = 0;
    for end in 0..=lines.len() {
        if lines.get(end).is_some_and(|l| (1..=3).contains(&l.words) && !l.is_closed && l.item.is_none()) {
            continue;
        }
        let run = &lines[from..end];
        let sum = |count: fn(&Line) -> usize| run.iter().map(count).sum::<usize>();
        let few_tie = sum(|l| l.function) * 5 <= sum(|l| l.words);
        if run.len() >= COLUMN && (few_tie || sum(|l| l.words) * 10 <= run.len() * 17) {
            column[from..end].fill(true);
        }
        from = end + 1;
    }
    column
}

/// Whether the dash at `at` stands between a letter or number and another.
fn is_minus(chars: &[Plain], at: usize) -> bool {
    let is_atom = |run: &[char]| match run {
        [one] => one.is_alphanumeric(),
        more => !more.is_empty() && more.iter().all(char::is_ascii_digit),
    };
    let outside = |p: &&Plain| p.c.is_whitespace() || matches!(p.c, '(' | ')');
    let inside = |p: &&Plain| p.c.is_alphanumeric();
    let letters = |p: &Plain| p.c;
    let before = chars[..at].iter().rev().skip_while(outside).take_while(inside);
    let after = chars[at + 1..].iter().skip_while(outside).take_while(inside);
    is_atom(&before.map(letters).take(6).collect::<Vec<_>>())
        && is_atom(&after.map(letters).take(6).collect::<Vec<_>>())
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

fn line(all: &[Plain], start: usize, end: usize) -> Line {
    let chars = &all[start..end];
    let is_blank = |p: &&Plain| p.c.is_whitespace();
    let mut from = 0;
    let (mut item, mut has_text) = (None, false);
    // an item may bear two signs: "1. - so"
    loop {
        from += chars[from..].iter().take_while(is_blank).count();
        has_text |= from < chars.len();
        let word: Vec<char> =
            chars[from..].iter().take_while(|p| !is_blank(p)).take(4).map(|p| p.c).collect();
        let Some(sign) = sign_of(&word) else { break };
        item = Some((sign, from));
        from += chars[from..].iter().take_while(|p| !is_blank(p)).count();
    }
    let is_formula = item.is_some_and(|(c, at)| c == '-' && start > 0 && is_minus(all, start + at));
    let text: String = chars.iter().map(|p| p.c).collect();
    let words = || text.split_whitespace();
    Line {
        end,
        has_text,
        item: item.map(|(sign, _)| sign),
        is_formula,
        words: words().count(),
        function: words().filter(|w| lexicon::is_function(&w.to_lowercase())).count(),
        is_closed: text.trim_end().ends_with(['.', ',', ';', ':', '!', '?', '=', '+']),
    }
}

/// The sign or number with which a word begins an item.
fn sign_of(word: &[char]) -> Option<char> {
    let digits = word.iter().take_while(|c| c.is_ascii_digit()).count();
    let numbered = (1..=2).contains(&digits) && matches!(word[digits..], ['.' | ')']);
    let is_bullet =
        |c: &char| matches!(c, '-' | '*' | '\u{2022}' | '\u{2014}' | '\u{25e6}' | '\u{2023}' | '#');
    let bullet = word.first().filter(|c| is_bullet(c) && word.iter().all(|o| o == *c));
    if numbered { Some('1') } else { bullet.copied() }
}

#[cfg(test)]
mod tests {
    use super::super::token::plain_chars;
    use super::*;

    fn shown(text: &str) -> String {
        let mut chars = plain_chars(text);
        unwrap_lines(&mut chars);
        chars.iter().map(|p| p.c).collect()
    }

    #[test]
    fn a_line_end_is_a_blank_wherever_it_stands() {
        assert_eq!(shown("the same weights\nbecause it\nsees"), "the same weights because it sees");
        assert_eq!(shown("it drifts.\nso there"), "it drifts. so there");
    }

    #[test]
    fn a_column_of_names_is_a_list() {
        let names = "370\n450\n900\nonce\none direction\nring\nsend\nwire";
        assert_eq!(shown(names), names);
        let narrow = "so each rank\nsends its\nshare of the\nbuffer on\nto the next\nin a ring";
        assert_eq!(shown(narrow), narrow.replace('\n', " "));
    }

    #[test]
    fn a_blank_line_and_a_row_of_items_part() {
        assert_eq!(shown("one\n\ntwo"), "one\n\ntwo");
        assert_eq!(shown("- one\n- two\nmore of it"), "- one\n- two more of it");
        assert_eq!(shown("1. one\n2. two"), "1. one\n2. two");
        assert_eq!(shown("it is p\n- 1 over m\n- 1"), "it is p - 1 over m - 1");
        assert_eq!(shown("- one\n- reserved\n- allocated"), shown("- one\n- reserved - allocated"));
        assert_eq!(shown("1. - a thing\n2. - this - that"), "1. - a thing\n2. - this\n- that");
        assert_eq!(shown("- one - two"), "- one\n- two");
    }
}
