//! Which line ends of a text only wrap it. What a text says does not depend on how wide it was typed: a line end is a
//! blank, unless a blank line or an item of a list follows.

use super::token::Plain;

/// A line of a text.
struct Line {
    /// The character after its last.
    end: usize,
    /// Whether anything stands in it.
    has_text: bool,
    /// The sign or number with which it begins an item of a list.
    item: Option<char>,
    /// Whether what follows that sign goes on with a formula.
    is_formula: bool,
}

/// For each character, whether it is a line end that only wraps.
pub(super) fn soft_breaks(chars: &[Plain]) -> Vec<bool> {
    let lines = lines(chars);
    let mut soft = vec![false; chars.len()];
    let mut rows = [0_usize; 128];
    for item in lines.iter().filter_map(|l| l.item) {
        rows[item as usize % 128] += 1;
    }
    for pair in lines.windows(2).filter(|p| p[0].has_text && p[1].has_text) {
        // a dash alone may stand in the middle of a sentence; items come in rows
        let is_item = pair[1].item.is_some_and(|c| rows[c as usize % 128] > 1) && !pair[1].is_formula;
        soft[pair[0].end] = !is_item;
    }
    soft
}

fn lines(chars: &[Plain]) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut start = 0;
    for end in (0..=chars.len()).filter(|&i| i == chars.len() || chars[i].c == '\n') {
        lines.push(line(&chars[start..end], end));
        start = end + 1;
    }
    lines
}

fn line(chars: &[Plain], end: usize) -> Line {
    let is_blank = |p: &&Plain| p.c.is_whitespace();
    let from = chars.iter().take_while(is_blank).count();
    let word: Vec<char> = chars[from..].iter().take_while(|p| !is_blank(p)).take(4).map(|p| p.c).collect();
    let digits = word.iter().take_while(|c| c.is_ascii_digit()).count();
    let numbered = (1..=2).contains(&digits) && matches!(word[digits..], ['.' | ')']);
    let is_bullet =
        |c: &char| matches!(c, '-' | '*' | '\u{2022}' | '\u{2014}' | '\u{25e6}' | '\u{2023}' | '#');
    let bullet = word.first().filter(|c| is_bullet(c) && word.iter().all(|o| o == *c));
    let mut rest = chars[from..].iter().skip(word.len()).skip_while(is_blank);
    let next = [rest.next(), rest.next()].map(|p| p.map_or(' ', |p| p.c));
    Line {
        end,
        has_text: from < chars.len(),
        item: if numbered { Some('1') } else { bullet.copied() },
        is_formula: bullet == Some(&'-') && next[0].is_ascii_digit() && !next[1].is_alphanumeric(),
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
    fn a_line_end_is_a_blank_wherever_it_stands() {
        assert_eq!(shown("the same weights\nbecause it\nsees"), "the same weights~because it~sees");
        assert_eq!(shown("it drifts.\nso there"), "it drifts.~so there");
    }

    #[test]
    fn a_blank_line_and_a_row_of_items_part() {
        assert_eq!(shown("one\n\ntwo"), "one\n\ntwo");
        assert_eq!(shown("- one\n- two\nmore of it"), "- one\n- two~more of it");
        assert_eq!(shown("1. one\n2. two"), "1. one\n2. two");
        assert_eq!(shown("it is p\n- 1 over m\n- 1"), "it is p~- 1 over m~- 1");
    }
}
