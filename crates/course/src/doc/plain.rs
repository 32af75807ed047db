//! A document as lines of text alone: what a screen reader speaks and a pipe takes.
//!
//! Headings stand on lines of their own, tables are read row by row with the title of each column,
//! pictures and code are kept as they are written, with ASCII in place of box drawing.

use std::ops::Range;

use super::{Align, Block, Cell, Column, Document, Inline, Row, Rows, TableColumn, escape, wrap};
use crate::doc::speech::Form;
use crate::sim::plain::picture_text;

/// Before each line of code and of a picture.
const CODE: &str = "    ";

impl Document {
    /// The lines of the document as they are spoken, without numbers.
    pub fn plain(&self, width: usize) -> Vec<String> {
        self.lines(width, Form::Spoken)
    }
}

/// A text with ASCII in place of what draws boxes and bars, for a reader that would spell it out.
pub fn without_boxes(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\u{2500}' | '\u{2501}' | '\u{2504}' | '\u{2505}' | '\u{2508}' | '\u{2509}' | '\u{254c}'
            | '\u{254d}' | '\u{2550}' | '\u{2574}' | '\u{2576}' | '\u{2578}' | '\u{257a}' => '-',
            '\u{2502}' | '\u{2503}' | '\u{2506}' | '\u{2507}' | '\u{250a}' | '\u{250b}' | '\u{254e}'
            | '\u{254f}' | '\u{2551}' | '\u{2575}' | '\u{2577}' | '\u{2579}' | '\u{257b}' => '|',
            '\u{2571}' => '/',
            '\u{2572}' => '\\',
            '\u{2500}'..='\u{257f}' => '+',
            '\u{2591}' => '.',
            '\u{2580}'..='\u{259f}' => '#',
            '\u{2801}'..='\u{28ff}' => '*',
            '\u{2800}' => ' ',
            c => c,
        })
        .collect()
}

/// Words in rows of at most `width` columns, further rows with `rest` before them. An address stays whole: one that is
/// longer than a row has a row of its own.
pub fn wrapped(first: &str, rest: &str, text: &str, width: usize) -> Vec<String> {
    let text = without_boxes(&escape::lines(text));
    let room = |lead: &str| width.saturating_sub(wrap::width(lead)).max(1);
    let long = addresses(&text).filter(|address| wrap::width(&text[address.clone()]) > room(rest));
    let mut pieces: Vec<(&str, bool)> = Vec::new();
    let mut left = 0;
    for address in long {
        pieces.extend([(text[left..address.start].trim_end(), false), (&text[address.clone()], true)]);
        left = address.end;
    }
    pieces.push((if left > 0 { text[left..].trim_start() } else { &text }, false));
    let mut rows: Vec<String> = Vec::new();
    for (words, is_whole) in pieces {
        if words.is_empty() && left > 0 {
            continue;
        }
        let room = if is_whole { (usize::MAX, usize::MAX) } else { (room(first), room(rest)) };
        let room = if rows.is_empty() { room } else { (room.1, room.1) };
        for range in kept_whole(words, room) {
            let lead = if rows.is_empty() { first } else { rest };
            rows.push(format!("{lead}{}", &words[range]).trim_end().to_owned());
        }
    }
    rows
}

/// The rows of a text as [`wrap::rows`] has them, but no address is broken, no word at its hyphen or slash, and no number
/// is parted from its unit: a voice stops at the end of a row.
fn kept_whole(words: &str, room: (usize, usize)) -> impl Iterator<Item = Range<usize>> {
    let inside: Vec<Range<usize>> = addresses(words).collect();
    let may = move |at: usize| {
        let is_inside = inside.iter().any(|address| address.start < at && at < address.end);
        !is_inside && is_between_words(&words[..at], &words[at..])
    };
    let breaks = wrap::standard_breaks(words).filter(|(at, _)| may(*at));
    wrap::fill(words, room, breaks).into_iter().map(|row| row.range())
}

/// Whether a voice may stop between these words. Scripts that are written without blanks may break anywhere.
fn is_between_words(before: &str, after: &str) -> bool {
    let bare = before.trim_end();
    if bare.len() == before.len() {
        return bare.chars().next_back().is_none_or(|c| !c.is_ascii());
    }
    let number = bare.rsplit(char::is_whitespace).next().unwrap_or_default();
    let is_number = number.ends_with(|c: char| c.is_ascii_digit())
        && number.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ','));
    !(is_number && after.starts_with(char::is_alphabetic)) || before.ends_with('\n')
}

/// The addresses in a text: words with `://` in them.
fn addresses(text: &str) -> impl Iterator<Item = Range<usize>> {
    let is_end = |c: char| c.is_whitespace();
    text.match_indices("://").map(move |(at, _)| {
        let start = text[..at].rfind(is_end).map_or(0, |end| end + 1);
        let end = text[at..].find(is_end).map_or(text.len(), |end| at + end);
        start..end
    })
}

fn blocks(all: &[Block], (indent, width): (usize, usize), lines: &mut Vec<String>) {
    for block in all {
        one(block, (indent, width), lines);
        if lines.last().is_some_and(|l| !l.is_empty()) {
            lines.push(String::new());
        }
    }
}

pub(super) fn one(block: &Block, (indent, width): (usize, usize), lines: &mut Vec<String>) {
    let lead = " ".repeat(indent);
    match block {
        Block::Heading(_, words) | Block::Paragraph(words) => {
            lines.extend(wrapped(&lead, &lead, &spoken(words), width));
        }
        Block::List { start, items, .. } => list(*start, items, (indent, width), lines),
        Block::Quote(inner) => blocks(inner, (indent + 2, width), lines),
        Block::Code { text, .. } => {
            let row = |l: &str| format!("{lead}{CODE}{}", without_boxes(&escape::line(l)));
            lines.extend(text.lines().map(|l| row(l).trim_end().to_owned()));
        }
        Block::Table { columns, rows } => {
            let titles: Vec<String> = columns.iter().map(|c| spoken(&c.title)).collect();
            for (i, row) in rows.iter().enumerate() {
                let cells = titles.iter().zip(row).map(|(title, cell)| {
                    let cell = spoken(cell);
                    if title.trim().is_empty() { cell } else { format!("{}: {cell}", title.trim()) }
                });
                let text = cells.collect::<Vec<_>>().join("; ");
                let (first, rest) = (format!("{lead}Row {}. ", i + 1), format!("{lead}  "));
                lines.extend(wrapped(&first, &rest, &text, width));
            }
        }
        Block::Answer { text, .. } => {
            let lead = format!("{lead}  ");
            text.trim_end().lines().for_each(|l| lines.extend(wrapped(&lead, &lead, l, width)));
        }
        Block::Picture(picture) => {
            let row = |l: &str| format!("{lead}{}", without_boxes(&escape::line(l))).trim_end().to_owned();
            lines.extend(picture_text(picture).lines().map(row));
        }
        Block::Rule => {}
        // these stand at the top of a document, where speech says them
        Block::Rows(_) | Block::Heat(_) | Block::Columns(_) => {}
    }
}

fn list(start: Option<u64>, items: &[Vec<Block>], (indent, width): (usize, usize), lines: &mut Vec<String>) {
    for (n, item) in items.iter().enumerate() {
        let mark = match start {
            Some(start) => format!("{}. ", start.saturating_add(n as u64)),
            None => "- ".to_owned(),
        };
        let inner = indent + mark.len();
        let mut held = Vec::new();
        blocks(item, (inner, width), &mut held);
        while held.last().is_some_and(String::is_empty) {
            held.pop();
        }
        // the mark stands in the indentation of the first line
        match held.first_mut() {
            Some(first) if first.len() >= inner => {
                first.replace_range(..inner, &format!("{}{mark}", " ".repeat(indent)));
            }
            Some(_) => held.insert(0, format!("{}{}", " ".repeat(indent), mark.trim_end())),
            None => held.push(format!("{}{}", " ".repeat(indent), mark.trim_end())),
        }
        lines.append(&mut held);
    }
}

/// A table of a Markdown text as rows of cells.
pub(super) fn as_rows(columns: &[TableColumn], rows: &[Vec<Inline>]) -> Rows {
    let column = |c: &TableColumn| Column { title: spoken(&c.title), right: c.align == Align::Right };
    let row = |cells: &Vec<Inline>| Row::new(cells.iter().map(|cell| Cell::text(spoken(cell))));
    Rows { columns: columns.iter().map(column).collect(), rows: rows.iter().map(row).collect() }
}

pub(super) fn spoken(words: &Inline) -> String {
    words.iter().map(|run| run.text.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> String {
        Document::parse(text).plain(40).join("\n")
    }

    #[test]
    fn a_table_is_read_row_by_row() {
        let text = "| stage | bytes |\n| --- | --- |\n| 1 | `4P` |\n| 3 | less |\n";
        assert_eq!(plain(text), "Row 1. stage: 1; bytes: 4P\nRow 2. stage: 3; bytes: less");
    }

    #[test]
    fn words_are_wrapped_and_code_is_kept() {
        let text = "# Title\n\nOne *two* [[ring|three]] four five six seven eight.\n\n```text\n┌─┐ a line that is longer than forty columns\n```\n";
        assert_eq!(
            plain(text),
            "Heading: Title\n\nOne two three four five six seven eight.\n\n    +-+ a line that is longer than forty columns"
        );
    }

    #[test]
    fn lists_hang_and_quotes_stand_in() {
        let text = "1. first of all things that are long enough to wrap\n2. second\n   - inner\n\n> quoted\n";
        assert_eq!(
            plain(text),
            "1. first of all things that are long\n   enough to wrap\n2. second\n\n   - inner\n\n  quoted"
        );
    }

    #[test]
    fn no_row_ends_within_a_word_or_between_a_number_and_its_unit() {
        let text = "An all-reduce of micro-batches over a link of 400 Gb/s moves 1,120 GB in docs/judge.md.";
        for width in 20..60 {
            for row in wrapped("", "", text, width) {
                let last = row.rsplit(' ').next().unwrap_or_default();
                assert!(!last.ends_with(['-', '/']) && last != "400" && last != "1,120", "{width}: {row}");
            }
        }
        assert_eq!(wrapped("", "", "It is 7. Then more.", 9), ["It is 7.", "Then", "more."]);
    }

    #[test]
    fn an_address_is_never_broken() {
        let address = "https://docs.example.org/stable/generated/some.module.DistributedDataParallel.html";
        let text = format!("See {address}, and more of it there.");
        let rows = wrapped("1. ", "   ", &text, 40);
        assert_eq!(rows, ["1. See", &format!("   {address},"), "   and more of it there."]);
        let short = wrapped("", "", "The words before are many, see https://e.org/a/b/c/d.", 40);
        assert_eq!(short, ["The words before are many, see", "https://e.org/a/b/c/d."]);
        assert_eq!(wrapped("- ", "  ", address, 20), [format!("- {address}")]);
    }

    #[test]
    fn nothing_steers_a_terminal() {
        assert_eq!(plain("a \u{1b}[31mred\u{9b}"), "a \\x1b[31mred\\x9b");
        assert_eq!(plain("    \u{1b}]0;x\u{7}"), "    \\x1b]0;x\\x07");
    }
}
