//! Wrapping by display width: UAX 14 says where a line may break, grapheme clusters say what
//! must stay together. Rows are known before anything is drawn.

use std::ops::Range;

use unicode_linebreak::{BreakOpportunity, linebreaks};
use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};
use unicode_width::UnicodeWidthStr;

use super::escape;

/// A byte itself, or the next one that is between two graphemes.
pub fn boundary(text: &str, byte: usize) -> usize {
    let byte = (byte..text.len()).find(|byte| text.is_char_boundary(*byte)).unwrap_or(text.len());
    let mut cursor = GraphemeCursor::new(byte, text.len(), true);
    match cursor.is_boundary(text, 0) {
        Ok(true) => byte,
        _ => cursor.next_boundary(text, 0).ok().flatten().unwrap_or(text.len()),
    }
}

/// What must stay together, each with its first byte. Between signs that stand alone nothing is looked up, and nothing is
/// looked at before it is asked for: of a long text each row takes its part.
pub fn graphemes(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = &text[at..];
        let mut signs = rest.chars();
        let (sign, next) = (signs.next()?, signs.next());
        let length = match is_apart(sign) && next.is_none_or(is_apart) {
            true => sign.len_utf8(),
            false => rest.graphemes(true).next().map_or(rest.len(), str::len),
        };
        let from = at;
        at += length;
        Some((from, &rest[..length]))
    })
}

/// Whether there is a border between a sign and any other like it. CR and LF are one.
fn is_apart(c: char) -> bool {
    c.is_ascii() && c != '\r' || stands_alone(c)
}

/// Whether a sign joins no other and takes one column: letters of Latin scripts, quotes and dashes, arrows, what boxes and
/// bars are drawn with. Almost every row of a screen has such signs alone.
fn stands_alone(c: char) -> bool {
    match c {
        ' '..='~' => true,
        '\u{a1}'..='\u{2ff}' => c != '\u{ad}',
        '\u{2010}'..='\u{2027}' | '\u{2190}'..='\u{22ff}' | '\u{2500}'..='\u{25fc}' => true,
        _ => false,
    }
}

/// The columns that a text takes on one row, counted as they are drawn.
pub fn width(text: &str) -> usize {
    let mut count = 0;
    if text.chars().inspect(|_| count += 1).all(stands_alone) {
        return count;
    }
    graphemes(text).map(|(_, grapheme)| grapheme_width(grapheme)).sum()
}

/// The columns of one grapheme cluster; none for control characters, which are never drawn.
pub fn grapheme_width(grapheme: &str) -> usize {
    match grapheme.as_bytes() {
        [b' '..=b'~'] => 1,
        _ if grapheme.contains(char::is_control) => 0,
        // terminals give each half-width sound mark a cell of its own
        _ => grapheme.width() + grapheme.matches(['\u{ff9e}', '\u{ff9f}']).count(),
    }
}

/// One row of a wrapped text, in bytes of that text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// The first byte.
    pub start: usize,
    /// The byte after the last one that is drawn; blanks and line ends after it hang.
    pub end: usize,
    /// The first byte of the next row.
    pub next: usize,
    /// Columns drawn.
    pub width: usize,
}

impl Row {
    /// The bytes drawn.
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// Wraps a text to `first` columns on its first row and `rest` columns on the others. There is
/// always a row; every byte belongs to exactly one `start..next`. A word longer than a row
/// is split between graphemes. A row is wider than its limit only where one grapheme is.
pub fn rows(text: &str, first: usize, rest: usize) -> Vec<Row> {
    fill(text, (first, rest), standard_breaks(text))
}

/// What may happen at a byte of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Break {
    /// The row ends before it.
    Must,
    /// The row may end before it.
    May,
    /// The row may end before it where it would otherwise end before it is half full.
    Weak,
}

/// The breaks of UAX 14, for [`fill`]. A number stays with its unit, `GB/s` stays whole, a path is broken where it must be.
pub fn standard_breaks(text: &str) -> impl Iterator<Item = (usize, Break)> {
    linebreaks(text).map(|(at, kind)| match kind {
        BreakOpportunity::Allowed if text[..at].ends_with('/') => (at, Break::Weak),
        BreakOpportunity::Mandatory => (at, Break::Must),
        BreakOpportunity::Allowed if is_before_unit(text, at) => (at, Break::Weak),
        BreakOpportunity::Allowed => (at, Break::May),
    })
}

/// Units that stand behind a number.
const UNITS: [&str; 23] = [
    "B", "KB", "MB", "GB", "TB", "PB", "KiB", "MiB", "GiB", "TiB", "s", "ms", "us", "µs", "ns", "h", "min",
    "TFLOP", "TFLOPS", "PFLOP", "EFLOP", "Gbit", "tF",
];

/// Whether a unit begins here behind a number: `80 GB`.
fn is_before_unit(text: &str, at: usize) -> bool {
    let (before, rest) = (&text[..at], &text[at..]);
    let ends = |unit: &str| !rest[unit.len()..].starts_with(char::is_alphanumeric);
    let behind_number = before.ends_with(' ') && before.trim_end().ends_with(|c: char| c.is_ascii_digit());
    let begins = || UNITS.iter().any(|unit| rest.starts_with(unit) && ends(unit));
    behind_number && begins()
}

/// Wraps like [`rows`], but breaks only where `breaks` says: bytes in ascending order, each
/// the first of what may go to the next row.
pub fn fill(
    text: &str,
    (first, rest): (usize, usize),
    breaks: impl Iterator<Item = (usize, Break)>,
) -> Vec<Row> {
    let breaks: Vec<(usize, Break)> = breaks.collect();
    let mut rows = vec![next_row(text, 0, first, &breaks)];
    while let Some(last) = rows.last()
        && (last.next < text.len() || text[last.start..].ends_with(is_line_end))
    {
        rows.push(next_row(text, last.next, rest, &breaks));
    }
    rows
}

fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// The row that begins at a byte.
fn next_row(text: &str, start: usize, limit: usize, breaks: &[(usize, Break)]) -> Row {
    let mut ahead = breaks[breaks.partition_point(|(at, _)| *at <= start)..].iter().peekable();
    let (mut strong, mut weak) = (None, None);
    let mut columns = 0;
    let mut row = Row { start, end: start, next: start, width: 0 };
    for (offset, grapheme) in graphemes(&text[start..]) {
        row.next = start + offset;
        while let Some((at, kind)) = ahead.next_if(|(at, _)| *at <= row.next) {
            match kind {
                Break::Must => return row,
                // a break inside a grapheme is none
                _ if *at < row.next => {}
                Break::May => strong = Some(row),
                Break::Weak => weak = Some(row),
            }
        }
        let more = grapheme_width(grapheme);
        let blank = grapheme.chars().all(char::is_whitespace);
        if !blank && offset > 0 && columns + more > limit {
            return best(strong, weak, limit).unwrap_or(row);
        }
        columns += more;
        if !blank {
            row.end = row.next + grapheme.len();
            row.width = columns;
        }
    }
    row.next = text.len();
    row
}

/// Where a row ends when it must: at a weak break only if it would stay half empty otherwise.
fn best(strong: Option<Row>, weak: Option<Row>, limit: usize) -> Option<Row> {
    match (strong, weak) {
        (Some(strong), Some(weak)) if strong.width * 2 < limit && weak.next > strong.next => Some(weak),
        (strong, weak) => strong.or(weak),
    }
}

/// The index of the row that a byte belongs to. A byte on a soft break belongs to the lower row.
pub fn row_of(rows: &[Row], byte: usize) -> usize {
    rows.partition_point(|row| row.start <= byte).saturating_sub(1)
}

/// One line of a text cut to `columns`, with `mark` (one column) at the end if something is lost.
pub fn cut(text: &str, columns: usize, mark: &str) -> String {
    let text = escape::line(text);
    if width(&text) <= columns {
        return text.into_owned();
    }
    let room = columns.saturating_sub(width(mark));
    let mut taken = 0;
    let mut out: String = text
        .graphemes(true)
        .take_while(|grapheme| {
            taken += grapheme_width(grapheme);
            taken <= room
        })
        .collect();
    if columns > 0 {
        out.push_str(mark);
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_unit_is_not_broken_at_its_slash_where_the_row_can_end_before_it() {
        let text = "they are 0.52 GB, 11.6 ms at 45 GB/s.";
        let ends = |width| rows(text, width, width).iter().map(|row| &text[row.range()]).collect::<Vec<_>>();
        assert_eq!(ends(35), ["they are 0.52 GB, 11.6 ms at", "45 GB/s."]);
        assert_eq!(rows("/opt/venv/bin/python", 12, 12).len(), 2, "a path is broken where it must be");
    }

    #[test]
    fn signs_that_stand_alone_join_no_other_and_take_one_column() {
        let all: Vec<char> = (' '..='\u{ffff}').filter(|c| stands_alone(*c)).collect();
        assert!(all.len() > 1300);
        for c in &all {
            assert_eq!(c.to_string().width(), 1, "U+{:04X}", *c as u32);
            // with each kind of neighbour that it may have, itself included
            for text in
                [format!("{c}{c}"), format!("a{c}"), format!("{c}a"), format!("{c}█"), format!("→{c}")]
            {
                assert_eq!(text.graphemes(true).count(), 2, "U+{:04X}", *c as u32);
            }
        }
        let text: String = all.iter().collect();
        assert_eq!((text.graphemes(true).count(), width(&text)), (all.len(), all.len()));
        assert_eq!(width("e\u{301}→\r\n"), 2);
    }

    proptest! {
        #[test]
        fn graphemes_are_those_of_the_standard(text in "[a-zé→█…\u{301}\u{200d}\u{fe0f}🇩👩🏽\u{1100}\u{1161}\r\n\t ]{0,40}") {
            let wanted: Vec<(usize, &str)> = text.grapheme_indices(true).collect();
            prop_assert_eq!(graphemes(&text).collect::<Vec<_>>(), wanted);
        }
    }

    #[test]
    fn a_number_stays_with_its_unit_where_there_is_room() {
        let text = "A node keeps 80 GB each and sends 45 GB/s, in 3 s or 4 steps of 12 ms.";
        for columns in 12..60 {
            let rows: Vec<&str> = rows(text, columns, columns).iter().map(|row| &text[row.range()]).collect();
            for whole in ["80 GB", "45 GB/s", "3 s", "12 ms"] {
                assert!(rows.iter().any(|row| row.contains(whole)), "{columns}: {rows:?}");
            }
        }
        assert_eq!(rows("4 steps", 4, 4)[0].range(), 0..1, "a word is no unit");
    }

    #[test]
    fn a_row_looks_at_its_own_part_of_a_text_alone() {
        // with a look at all that follows for each row this would take minutes
        let text = "each rank holds one ".repeat(50_000);
        assert_eq!(rows(&text, 20, 20).len(), 50_000);
    }
}
