//! Finds the lines of a starter that the notes of a lab explain.

use std::ops::Range;

use toml::Spanned;

use super::desk::Desk;
use super::faults::{Faults, NOWHERE};
use super::problem::nearest;
use super::raw;
use super::{Block, Note};

/// The lines of a starter, trimmed, as anchors see them.
struct Lines<'a>(Vec<&'a str>);

impl Lines<'_> {
    fn find(&self, quoted: &str, from: usize) -> Option<usize> {
        let wanted = quoted.trim();
        (from..self.0.len()).find(|line| self.0[*line] == wanted)
    }
}

/// The blocks of a lab with the lines of each note. Notes whose anchor does not match are
/// reported and left out.
pub(super) fn blocks(raw: Vec<raw::Block>, starter: &str, desk: &mut Desk<'_>) -> Vec<Block> {
    let lines = Lines(starter.lines().map(str::trim).collect());
    let mut next = 0;
    let mut blocks = Vec::with_capacity(raw.len());
    for block in raw {
        let mut notes = Vec::with_capacity(block.notes.len());
        for note in block.notes {
            if let Some(range) = place(&note, &lines, next, &mut desk.faults) {
                next = range.end;
                notes.push(Note { lines: range, text: desk.text(note.text) });
            }
        }
        blocks.push(Block { title: block.title.into_inner(), notes });
    }
    blocks
}

fn place(note: &raw::Note, lines: &Lines<'_>, from: usize, faults: &mut Faults<'_>) -> Option<Range<usize>> {
    if faults.are_many() {
        faults.count(); // each search goes through the whole starter
        return None;
    }
    match (&note.at, &note.region) {
        (Some(at), None) => {
            let first = quoted(at, lines, from, faults)?;
            let Some(to) = &note.to else {
                return Some(first..first + 1);
            };
            let last = quoted(to, lines, first + 1, faults)?;
            Some(first..last + 1)
        }
        (None, Some(region)) => {
            if let Some(to) = &note.to {
                faults.error(
                    to.span(),
                    "`to` is given together with `region`",
                    "take `to` away; the region ends at its `endregion`",
                );
            }
            self::region(region, lines, from, faults)
        }
        (Some(at), Some(_)) => {
            faults.error(at.span(), "a note has both `at` and `region`", "keep one of them");
            None
        }
        (None, None) => {
            faults.error(
                note.text.span(),
                "a note has neither `at` nor `region`",
                "quote the line that it explains: at = \"…\"",
            );
            None
        }
    }
}

/// The line that is quoted, at `from` or after it.
fn quoted(quote: &Spanned<String>, lines: &Lines<'_>, from: usize, faults: &mut Faults<'_>) -> Option<usize> {
    let text = quote.get_ref().trim();
    if quote.span() == NOWHERE {
        return None;
    }
    if text.contains('\n') {
        faults.error(
            quote.span(),
            "a note quotes several lines",
            "quote the first line in `at` and the last in `to`",
        );
        return None;
    }
    if let Some(line) = lines.find(text, from) {
        return Some(line);
    }
    let (what, cure) = match lines.find(text, 0) {
        Some(line) => (
            format!("`{text}` comes before the note above it, in line {}", line + 1),
            "put the notes in the order of the file, without overlaps".to_owned(),
        ),
        None if let Some((line, fault)) = other_blank(text, lines) => {
            (fault, format!("copy line {} of the starter exactly, without its indentation", line + 1))
        }
        None => (
            format!("no line of the starter reads `{text}`"),
            match begun(text, lines)
                .or_else(|| nearest(text, lines.0[from.min(lines.0.len())..].iter().copied()))
            {
                Some(near) => format!("quote the line exactly: `{near}`"),
                None => "quote a line of the starter, without its indentation".to_owned(),
            },
        ),
    };
    faults.error(quote.span(), what, cure);
    None
}

/// The one line that begins as quoted.
fn begun<'a>(quote: &str, lines: &Lines<'a>) -> Option<&'a str> {
    let mut begun = lines.0.iter().filter(|line| !quote.is_empty() && line.starts_with(quote));
    begun.next().filter(|_| begun.next().is_none()).copied()
}

/// The line that differs from a quote by a blank alone, such as a no-break space, and how.
fn other_blank(quote: &str, lines: &Lines<'_>) -> Option<(usize, String)> {
    let alike = |a: char, b: char| a == b || (a.is_whitespace() && b.is_whitespace());
    let line = lines.0.iter().position(|line| {
        line.chars().count() == quote.chars().count()
            && line.chars().zip(quote.chars()).all(|(a, b)| alike(a, b))
    })?;
    let mut pairs = lines.0[line].chars().zip(quote.chars()).enumerate();
    let (at, (there, here)) = pairs.find(|(_, (a, b))| a != b)?;
    let what = format!(
        "the quote has U+{:04X} as its character {}, where line {} of the starter has U+{:04X}",
        here as u32,
        at + 1,
        line + 1,
        there as u32
    );
    Some((line, what))
}

/// The lines between `region: NAME` and the next `endregion`.
fn region(
    name: &Spanned<String>,
    lines: &Lines<'_>,
    from: usize,
    faults: &mut Faults<'_>,
) -> Option<Range<usize>> {
    let opens = |line: &str| {
        line.split_once("region:")
            .is_some_and(|(_, rest)| rest.split_whitespace().next() == Some(name.get_ref().trim()))
    };
    let Some(open) = (from..lines.0.len()).find(|l| opens(lines.0[*l])) else {
        let what = match lines.0.iter().position(|l| opens(l)) {
            Some(line) => format!(
                "the region `{}` comes before the note above it, in line {}",
                name.get_ref(),
                line + 1
            ),
            None => format!("the starter has no region `{}`", name.get_ref()),
        };
        faults.error(
            name.span(),
            what,
            "mark it by a comment holding `region: NAME`, in the order of the notes",
        );
        return None;
    };
    let close = (open + 1..lines.0.len()).find(|l| lines.0[*l].contains("endregion"));
    let Some(close) = close.filter(|close| *close > open + 1) else {
        faults.error(
            name.span(),
            format!("the region `{}` holds no lines", name.get_ref()),
            "end it after its last line by a comment holding `endregion`",
        );
        return None;
    };
    Some(open + 1..close)
}
