//! A pattern cut at its operators, and its slots read.

use std::ops::Range;

use super::{Format, PatternFault, PhrasePart, Role, Slot, Unit, Way, What};
use crate::figure::Figure;

/// What stands between two slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Join {
    Start,
    And,
    Then,
    Without,
    Subject,
    Next,
}

/// A pattern cut at its operators.
pub(super) enum Piece {
    Slot(Range<usize>),
    Join(Join, Range<usize>),
    Open(Range<usize>),
    Close(Range<usize>),
}

pub(super) fn fault(at: Range<usize>, fault: &str, cure: &str) -> PatternFault {
    PatternFault { at, fault: fault.to_owned(), cure: cure.to_owned() }
}

/// Cuts a pattern at its operators, outside quotes.
pub(super) fn pieces(text: &str, format: Format) -> Result<Vec<Piece>, PatternFault> {
    let mut pieces = Vec::new();
    let mut quoted = None;
    let mut start = 0;
    // what a closing bracket ends needs no slot after it
    let mut closed = false;
    let mut skip = 0;
    for (i, c) in text.char_indices() {
        if c == '"' {
            quoted = if quoted.is_some() { None } else { Some(i) };
        }
        if quoted.is_some() || i < skip {
            continue;
        }
        let before = text[..i].chars().next_back();
        let after = text[i + c.len_utf8()..].chars().next();
        let space = |c: Option<char>| c.is_none_or(char::is_whitespace);
        let two = format == Format::Two;
        let (join, length) = match c {
            '+' => (Join::And, 1),
            '>' => (Join::Then, 1),
            '-' if space(before) && space(after) => (Join::Without, 1),
            ':' if space(after) => (Join::Subject, 1),
            '.' if two && space(before) && after == Some('.') => (Join::Next, 2),
            '[' if two => {
                let blank = text[start..i].trim().is_empty();
                if !blank || closed {
                    let cure = "put `+` or `>` before the bracket";
                    return Err(fault(i..i + 1, "a bracket in the middle of a slot", cure));
                }
                pieces.push(Piece::Open(i..i + 1));
                start = i + 1;
                continue;
            }
            ']' if two => {
                pieces.push(filled(text, start..i)?);
                pieces.push(Piece::Close(i..i + 1));
                start = i + 1;
                closed = true;
                continue;
            }
            _ => continue,
        };
        end_slot(text, start..i, closed, &mut pieces)?;
        closed = false;
        pieces.push(Piece::Join(join, i..i + length));
        start = i + length;
        skip = start;
    }
    if let Some(at) = quoted {
        return Err(fault(at..text.len(), "a quote that does not end", "add the closing `\"`"));
    }
    end_slot(text, start..text.len(), closed, &mut pieces)?;
    Ok(pieces)
}

/// Takes in the slot before an operator; after a closing bracket there is none.
fn end_slot(
    text: &str,
    range: Range<usize>,
    closed: bool,
    pieces: &mut Vec<Piece>,
) -> Result<(), PatternFault> {
    if !closed {
        pieces.push(filled(text, range)?);
    } else if !text[range.clone()].trim().is_empty() {
        let cure = "put `+` or `>` after the bracket";
        return Err(fault(trim(text, range), "words right after a bracket", cure));
    }
    Ok(())
}

/// The range without the blanks round it; a fault if nothing is left.
fn filled(text: &str, range: Range<usize>) -> Result<Piece, PatternFault> {
    let trimmed = trim(text, range.clone());
    if trimmed.is_empty() {
        let end = (range.end + 1).min(text.len());
        return Err(fault(
            range.start..end,
            "an empty slot",
            "write what must be said, or drop the operator",
        ));
    }
    Ok(Piece::Slot(trimmed))
}

fn trim(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    let start = range.start + (part.len() - part.trim_start().len());
    let end = range.end - (part.len() - part.trim_end().len());
    start..end.max(start)
}

/// Reads one slot.
pub(super) fn slot(
    text: &str,
    range: Range<usize>,
    join: Join,
    format: Format,
) -> Result<Slot, PatternFault> {
    let absent = join == Join::Without;
    if absent && format == Format::One && text[range.clone()].starts_with('!') {
        return Err(fault(range, "absent and denied at once", "drop the `!` or the `-`"));
    }
    let mut ways = Vec::new();
    let mut from = range.start;
    let mut quoted = false;
    let ends = text[range.clone()]
        .char_indices()
        .filter(|&(_, c)| {
            quoted ^= c == '"';
            c == '|' && !quoted
        })
        .map(|(i, _)| range.start + i);
    for end in ends.chain([range.end]) {
        let marked = text[from..end].trim_start().starts_with('!');
        let skipped = if marked { text[from..end].find('!').map_or(0, |i| i + 1) } else { 0 };
        let mut way = way(text, from + skipped..end)?;
        way.denied = marked;
        ways.push(way);
        from = end + 1;
    }
    // In format 1 a `!` in front denies the slot as a whole.
    let denied = match format {
        Format::One => ways[0].denied,
        Format::Two => ways.iter().all(|w| w.denied),
    };
    if denied && !absent || absent && format == Format::One {
        ways.iter_mut().for_each(|w| w.denied = false);
    }
    let role = match (absent, denied) {
        (true, _) => Role::Absent,
        (false, true) => Role::Denied,
        (false, false) => Role::Said,
    };
    Ok(Slot { role, after: join == Join::Then, ways, span: range, bracket: None, part: 0 })
}

/// Whether every bracket that is opened is closed, and none before.
fn is_paired(text: &str) -> bool {
    let mut open = 0_usize;
    for c in text.chars() {
        match c {
            '(' => open += 1,
            ')' => match open.checked_sub(1) {
                Some(rest) => open = rest,
                None => return false,
            },
            _ => {}
        }
    }
    open == 0
}

/// Reads one way to fill a slot.
pub(super) fn way(text: &str, range: Range<usize>) -> Result<Way, PatternFault> {
    let span = trim(text, range.clone());
    let part = &text[span.clone()];
    if part.is_empty() {
        let at = range.start.saturating_sub(1)..range.end;
        return Err(fault(at, "an empty alternative", "write a way to say it, or drop the `|`"));
    }
    let what = if let Some(what) = concept_or_phrase(part, &span)? {
        what
    } else if let Some(unit) = part.strip_prefix('#') {
        number(unit, &span)?
    } else if let Some(inner) = part.strip_prefix('"').and_then(|p| p.strip_suffix('"')) {
        What::Exact(inner.to_owned())
    } else if let Some(beginning) = part.strip_suffix('*') {
        if beginning.contains(char::is_whitespace) {
            return Err(fault(span, "a star after several words", "put the star on a single word"));
        }
        if beginning.chars().count() < 3 {
            return Err(fault(
                span,
                "a beginning that is too short",
                "give three letters or more before the star",
            ));
        }
        What::Beginning(beginning.to_owned())
    } else {
        What::Words(part.to_owned())
    };
    let wordless = match &what {
        What::Words(w) | What::Exact(w) => !w.chars().any(|c| c.is_alphanumeric() || c == '%'),
        _ => false,
    };
    if matches!(what, What::Words(_)) && !is_paired(part) {
        return Err(fault(
            span,
            "a bracket without its other half",
            "brackets group nothing: write the ways one by one, or take the bracket out",
        ));
    }
    if wordless || part.contains(['"', '*', '!', '@', '#']) && matches!(what, What::Words(_)) {
        return Err(fault(
            span,
            "a sign that cannot stand here",
            "`!` begins a slot, `@` and `#` begin an alternative; write `/` as *over* or *per*, and put other signs in quotes",
        ));
    }
    Ok(Way { what, denied: false, span })
}

/// `@id`, or a phrase with one inside; none where no `@` begins a word.
fn concept_or_phrase(part: &str, span: &Range<usize>) -> Result<Option<What>, PatternFault> {
    let words: Vec<&str> = part.split_whitespace().collect();
    if part.starts_with('"') || !words.iter().any(|w| w.starts_with('@')) {
        return Ok(None);
    }
    let mut parts = Vec::new();
    for word in words {
        match word.strip_prefix('@') {
            Some(id) if id.is_empty() || !id.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_') => {
                let cure = "write `@id`, the id of a term or a concept";
                return Err(fault(span.clone(), "a concept without an id", cure));
            }
            Some(id) => parts.push(PhrasePart::Concept(id.to_owned())),
            None if word.contains(['"', '*', '!', '@', '#']) => {
                let cure =
                    "inside a phrase write words and `@id` alone; a number is a slot of its own: `from > #`";
                return Err(fault(span.clone(), "a sign that cannot stand here", cure));
            }
            None => parts.push(PhrasePart::Word(word.to_owned())),
        }
    }
    Ok(Some(match parts.as_slice() {
        [PhrasePart::Concept(id)] => What::Concept(id.clone()),
        _ => What::Phrase(parts),
    }))
}

/// What follows a `#`.
fn number(text: &str, span: &Range<usize>) -> Result<What, PatternFault> {
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        let cure = "write the value and one unit: #112 GB, #1.5x, #4 stages, #40%~10%";
        let figure = Figure::read(text);
        return figure.map(What::Figure).ok_or_else(|| fault(span.clone(), "an unreadable figure", cure));
    }
    let cure = "use #, #B, #B/s, #s, #% or #x, or a figure such as #112 GB";
    Unit::written(text).map(What::Number).ok_or_else(|| fault(span.clone(), "an unknown unit", cure))
}
