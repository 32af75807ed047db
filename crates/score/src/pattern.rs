//! The pattern language: one string, read into the slots that a statement must fill.
//!
//! ```text
//! pattern = [ slot ":" ] slot { ( "+" | ">" | " - " ) slot }
//! slot    = [ "!" ] way { "|" [ "!" ] way }
//! way     = "@" id | words | '"' exact words '"' | beginning "*" | "#" [ unit ]
//! ```

use std::ops::Range;

/// A pattern, parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// What the statement must be about, where the pattern begins with `subject:`.
    pub subject: Option<Slot>,
    /// What the statement must (or must not) say.
    pub slots: Vec<Slot>,
}

/// One thing that a statement must say, in any of several ways.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    /// How it must be said.
    pub role: Role,
    /// Whether it must come after the slot before it.
    pub after: bool,
    /// The ways to say it.
    pub ways: Vec<Way>,
    /// Its bytes in the pattern.
    pub span: Range<usize>,
}

/// How a slot must be filled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Said, and not denied.
    Said,
    /// Said, and denied: `!overlap` is filled by "cannot overlap".
    Denied,
    /// Not said at all.
    Absent,
}

/// One way to fill a slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    /// What is looked for.
    pub what: What,
    /// Whether it fills the slot where it is denied: `exposed|!overlap`.
    pub denied: bool,
    /// Its bytes in the pattern.
    pub span: Range<usize>,
}

/// What a way looks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// A term or concept, by id.
    Concept(String),
    /// Words in any of their forms, next to each other.
    Words(String),
    /// These very words.
    Exact(String),
    /// A word that begins so.
    Beginning(String),
    /// A number, with a unit of this kind.
    Number(Unit),
}

/// What a number must be a number of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Unit {
    /// Anything.
    Any,
    /// Bytes: `80 GB`, `64 MiB`.
    Bytes,
    /// Bytes or bits a second: `50 GB/s`, `400 Gb/s`.
    Rate,
    /// A time: `5 ms`, `10 minutes`.
    Time,
    /// A share: `40%`.
    Percent,
    /// A factor: `1.5x`, `9 times`.
    Factor,
}

/// What is wrong with a pattern, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatternFault {
    /// The bytes of the pattern.
    pub at: Range<usize>,
    /// What is wrong: lower case, no full stop.
    pub fault: String,
    /// What to do about it.
    pub cure: String,
}

impl Unit {
    /// The unit that is written so after `#`.
    fn written(name: &str) -> Option<Unit> {
        Some(match name {
            "" => Unit::Any,
            "B" => Unit::Bytes,
            "B/s" => Unit::Rate,
            "s" => Unit::Time,
            "%" => Unit::Percent,
            "x" => Unit::Factor,
            _ => return None,
        })
    }
}

/// Reads a pattern.
///
/// # Errors
/// The first fault, with its bytes.
pub fn parse(text: &str) -> Result<Pattern, PatternFault> {
    let pieces = pieces(text)?;
    let mut subject = None;
    let mut slots: Vec<Slot> = Vec::new();
    let mut join = Join::Start;
    for piece in pieces {
        match piece {
            Piece::Slot(range) => slots.push(slot(text, range, join)?),
            Piece::Join(Join::Subject, at) => {
                if subject.is_some() || slots.len() != 1 {
                    return Err(fault(at, "a second subject", "keep one `subject:` at the front"));
                }
                let first = slots.remove(0);
                if first.role != Role::Said {
                    return Err(fault(first.span, "a denied subject", "drop the `!`"));
                }
                subject = Some(first);
                join = Join::Start;
            }
            Piece::Join(next, _) => join = next,
        }
    }
    if slots.iter().all(|s| s.role == Role::Absent) {
        return Err(fault(0..text.len(), "nothing to look for", "name what a statement must say"));
    }
    Ok(Pattern { subject, slots })
}

/// Reads an entry of a concept's word list; None where it is no way to fill a slot.
pub(super) fn parse_way(text: &str) -> Option<What> {
    way(text, 0..text.len()).ok().map(|w| w.what)
}

/// What stands between two slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Join {
    Start,
    And,
    Then,
    Without,
    Subject,
}

/// A pattern cut at its operators.
enum Piece {
    Slot(Range<usize>),
    Join(Join, Range<usize>),
}

fn fault(at: Range<usize>, fault: &str, cure: &str) -> PatternFault {
    PatternFault { at, fault: fault.to_owned(), cure: cure.to_owned() }
}

/// Cuts a pattern at `+`, `>`, ` - ` and the colon of the subject, outside quotes.
fn pieces(text: &str) -> Result<Vec<Piece>, PatternFault> {
    let mut pieces = Vec::new();
    let mut quoted = None;
    let mut start = 0;
    for (i, c) in text.char_indices() {
        if c == '"' {
            quoted = if quoted.is_some() { None } else { Some(i) };
        }
        if quoted.is_some() {
            continue;
        }
        let before = text[..i].chars().next_back();
        let after = text[i + c.len_utf8()..].chars().next();
        let space = |c: Option<char>| c.is_none_or(char::is_whitespace);
        let join = match c {
            '+' => Join::And,
            '>' => Join::Then,
            '-' if space(before) && space(after) => Join::Without,
            ':' if space(after) => Join::Subject,
            _ => continue,
        };
        pieces.push(filled(text, start..i)?);
        pieces.push(Piece::Join(join, i..i + 1));
        start = i + c.len_utf8();
    }
    if let Some(at) = quoted {
        return Err(fault(at..text.len(), "a quote that does not end", "add the closing `\"`"));
    }
    pieces.push(filled(text, start..text.len())?);
    Ok(pieces)
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
fn slot(text: &str, range: Range<usize>, join: Join) -> Result<Slot, PatternFault> {
    let mut start = range.start;
    let mut role = if join == Join::Without { Role::Absent } else { Role::Said };
    if text[range.clone()].starts_with('!') {
        if role == Role::Absent {
            return Err(fault(range, "absent and denied at once", "drop the `!` or the `-`"));
        }
        role = Role::Denied;
        start += 1;
    }
    let mut ways = Vec::new();
    let mut from = start;
    let mut quoted = false;
    let ends = text[start..range.end]
        .char_indices()
        .filter(|&(_, c)| {
            quoted ^= c == '"';
            c == '|' && !quoted
        })
        .map(|(i, _)| start + i);
    for end in ends.chain([range.end]) {
        let marked = text[from..end].trim_start().starts_with('!');
        let skipped = if marked { text[from..end].find('!').map_or(0, |i| i + 1) } else { 0 };
        let mut way = way(text, from + skipped..end)?;
        way.denied = marked && role == Role::Said;
        ways.push(way);
        from = end + 1;
    }
    Ok(Slot { role, after: join == Join::Then, ways, span: range })
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
fn way(text: &str, range: Range<usize>) -> Result<Way, PatternFault> {
    let span = trim(text, range.clone());
    let part = &text[span.clone()];
    if part.is_empty() {
        let at = range.start.saturating_sub(1)..range.end;
        return Err(fault(at, "an empty alternative", "write a way to say it, or drop the `|`"));
    }
    let what = if let Some(id) = part.strip_prefix('@') {
        if id.is_empty() || id.contains(char::is_whitespace) {
            return Err(fault(span, "a concept without an id", "write `@id`, with `+` before what follows"));
        }
        What::Concept(id.to_owned())
    } else if let Some(unit) = part.strip_prefix('#') {
        let Some(unit) = Unit::written(unit) else {
            return Err(fault(span, "an unknown unit", "use #, #B, #B/s, #s, #% or #x"));
        };
        What::Number(unit)
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
            "`!` begins a slot, `@` and `#` begin an alternative; put other signs in quotes",
        ));
    }
    Ok(Way { what, denied: false, span })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str) -> String {
        let p = parse(text).unwrap();
        let slot = |s: &Slot| {
            let ways: Vec<_> = s.ways.iter().map(|w| &text[w.span.clone()]).collect();
            let mark = match s.role {
                Role::Said => "",
                Role::Denied => "!",
                Role::Absent => "-",
            };
            format!("{}{mark}{}", if s.after { ">" } else { "" }, ways.join("/"))
        };
        let slots: Vec<_> = p.slots.iter().map(slot).collect();
        format!("{}{}", p.subject.map(|s| slot(&s) + ": ").unwrap_or_default(), slots.join(" "))
    }

    #[test]
    fn reads_slots_and_their_joints() {
        assert_eq!(
            shape("@gradient + average | sum > same weights - never|\"(p-1)/m\""),
            "@gradient average/sum >same weights -never/\"(p-1)/m\""
        );
        assert_eq!(shape("@gpipe: !keep + #% + all-reduce"), "@gpipe: !keep #% all-reduce");
    }

    #[test]
    fn faults_point_at_their_bytes() {
        let at = |t: &str| parse(t).unwrap_err().at;
        assert_eq!(at("a + + b"), 3..5);
        assert_eq!(at("a + \"b"), 4..6);
        assert_eq!(at("@commit > (lost"), 10..15);
        assert_eq!(at("a + (p|b)"), 4..6);
        assert_eq!(at("a | "), 2..3);
        assert_eq!(at("#furlong"), 0..8);
        assert_eq!(at("x: y: z"), 4..5);
        assert_eq!(at("ab*"), 0..3);
        assert_eq!(at(""), 0..0);
    }
}
