//! The pattern language: one string, read into the slots that a statement must fill.
//!
//! ```text
//! pattern = [ slot ":" ] part { ".." part }
//! part    = piece { ( "+" | ">" | " - " ) piece }
//! piece   = slot | "[" slot { ( "+" | ">" | " - " ) slot } "]"
//! slot    = [ "!" ] way { "|" [ "!" ] way }
//! way     = "@" id | words | '"' exact words '"' | beginning "*" | "#" [ unit ] | "#" figure
//! words   = ( word | "@" id ) { word | "@" id }
//! ```
//!
//! Brackets and `..` belong to format 2; so does that each `!` denies one way alone.

use std::ops::Range;

use super::figure::Figure;

/// The language that a rubric is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Format {
    /// That of the first release: words may be joined across sentences, any point covers.
    #[default]
    One,
    /// Points that are single statements, clauses, claims, groups in `need`.
    Two,
}

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
    /// The brackets it stands in, counted from 0: their slots share one clause.
    pub bracket: Option<usize>,
    /// How many `..` stand before it: what follows one may stand in a neighbouring sentence.
    pub part: usize,
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
    /// Words and concepts, next to each other: `per @micro-batch`.
    Phrase(Vec<PhrasePart>),
    /// These very words.
    Exact(String),
    /// A word that begins so.
    Beginning(String),
    /// A number, with a unit of this kind.
    Number(Unit),
    /// The right figure.
    Figure(Figure),
    /// A figure of the same kind that is none of these.
    WrongFigure(Vec<Figure>),
}

/// A piece of a phrase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PhrasePart {
    /// A word in any of its forms.
    Word(String),
    /// Any word of a concept, by id.
    Concept(String),
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

impl Pattern {
    /// The same with a wrong figure where brackets ask for a right one; none where they ask for none. `known`
    /// are figures that may stand there for another reason.
    pub(super) fn with_wrong_figures(&self, known: &[Figure]) -> Option<Pattern> {
        let mut wrong = self.clone();
        let mut any = false;
        for slot in wrong.slots.iter_mut().filter(|s| s.role == Role::Said && s.bracket.is_some()) {
            let mut figures: Vec<Figure> =
                slot.ways.iter().filter_map(|w| w.what.figure().cloned()).collect();
            let Some(first) = figures.first() else { continue };
            let unit = first.unit.clone();
            any = true;
            figures.extend(known.iter().filter(|f| f.unit == unit).cloned());
            let what = What::WrongFigure(figures);
            slot.ways = vec![Way { what, denied: false, span: slot.span.clone() }];
        }
        any.then_some(wrong)
    }
}

impl What {
    fn figure(&self) -> Option<&Figure> {
        match self {
            What::Figure(figure) => Some(figure),
            _ => None,
        }
    }
}

/// Reads a pattern of format 1.
///
/// # Errors
/// The first fault, with its bytes.
pub fn parse(text: &str) -> Result<Pattern, PatternFault> {
    parse_in(Format::One, text)
}

/// Reads a pattern.
///
/// # Errors
/// The first fault, with its bytes.
pub fn parse_in(format: Format, text: &str) -> Result<Pattern, PatternFault> {
    let pieces = pieces(text, format)?;
    let mut subject = None;
    let mut slots: Vec<Slot> = Vec::new();
    let mut join = Join::Start;
    let (mut part, mut bracket, mut brackets) = (0, None, 0);
    for piece in pieces {
        match piece {
            Piece::Slot(range) => {
                let mut slot = slot(text, range, join, format)?;
                (slot.part, slot.bracket) = (part, bracket);
                slots.push(slot);
            }
            Piece::Join(Join::Subject, at) => {
                if subject.is_some() || slots.len() != 1 || bracket.is_some() {
                    return Err(fault(at, "a second subject", "keep one `subject:` at the front"));
                }
                let first = slots.remove(0);
                if first.role != Role::Said {
                    return Err(fault(first.span, "a denied subject", "drop the `!`"));
                }
                subject = Some(first);
                join = Join::Start;
            }
            Piece::Join(Join::Next, at) => {
                if bracket.is_some() {
                    return Err(fault(at, "`..` inside brackets", "close the bracket before it"));
                }
                part += 1;
                join = Join::Next;
            }
            Piece::Join(next, _) => join = next,
            Piece::Open(at) => {
                if bracket.is_some() {
                    return Err(fault(at, "a bracket inside a bracket", "use one pair"));
                }
                bracket = Some(brackets);
                brackets += 1;
            }
            Piece::Close(at) => {
                if bracket.take().is_none() {
                    return Err(fault(at, "a bracket that was never opened", "add the opening `[`"));
                }
            }
        }
    }
    if bracket.is_some() {
        return Err(fault(0..text.len(), "a bracket that does not end", "add the closing `]`"));
    }
    if slots.iter().all(|s| s.role == Role::Absent) {
        return Err(fault(0..text.len(), "nothing to look for", "name what a statement must say"));
    }
    Ok(Pattern { subject, slots })
}

/// A pattern of format 1 as format 2 writes it: there each `!` denies one way alone.
///
/// # Errors
/// Where the pattern cannot be read.
pub fn upgraded(text: &str) -> Result<String, PatternFault> {
    let pattern = parse(text)?;
    let mut marks: Vec<usize> = Vec::new();
    for slot in pattern.slots.iter().filter(|s| s.role == Role::Denied) {
        let bare = |w: &&Way| !text[..w.span.start].trim_end().ends_with('!');
        marks.extend(slot.ways.iter().filter(bare).map(|w| w.span.start));
    }
    let mut out = text.to_owned();
    for at in marks.into_iter().rev() {
        out.insert(at, '!');
    }
    Ok(out)
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
    Next,
}

/// A pattern cut at its operators.
enum Piece {
    Slot(Range<usize>),
    Join(Join, Range<usize>),
    Open(Range<usize>),
    Close(Range<usize>),
}

fn fault(at: Range<usize>, fault: &str, cure: &str) -> PatternFault {
    PatternFault { at, fault: fault.to_owned(), cure: cure.to_owned() }
}

/// Cuts a pattern at its operators, outside quotes.
fn pieces(text: &str, format: Format) -> Result<Vec<Piece>, PatternFault> {
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
fn slot(text: &str, range: Range<usize>, join: Join, format: Format) -> Result<Slot, PatternFault> {
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
fn way(text: &str, range: Range<usize>) -> Result<Way, PatternFault> {
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
            "`!` begins a slot, `@` and `#` begin an alternative; put other signs in quotes",
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
                let cure = "inside a phrase write words and `@id` alone";
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
    fn format_2_has_clauses_neighbours_and_single_denials() {
        let two = |text: &str| parse_in(Format::Two, text).unwrap();
        let p = two("[a > !b|c] + per @x .. #112 GB - \"p [1]\"");
        let shape: Vec<_> = p.slots.iter().map(|s| (s.bracket, s.part, s.after, s.role)).collect();
        assert_eq!(
            shape,
            [
                (Some(0), 0, false, Role::Said),
                (Some(0), 0, true, Role::Said),
                (None, 0, false, Role::Said),
                (None, 1, false, Role::Said),
                (None, 1, false, Role::Absent),
            ]
        );
        assert!(p.slots[1].ways[0].denied && !p.slots[1].ways[1].denied);
        assert!(matches!(&p.slots[2].ways[0].what, What::Phrase(parts) if parts.len() == 2));
        assert_eq!(two("a + !b|!c").slots[1].role, Role::Denied);
        let at = |t: &str| parse_in(Format::Two, t).unwrap_err().at;
        assert_eq!(at("[a + [b]"), 5..6);
        assert_eq!(at("a + b]"), 5..6);
        assert_eq!(at("[a > b"), 0..6);
        assert_eq!(at("[a > b] c"), 8..9);
        assert_eq!(at("#12 big GB"), 0..10);
    }

    #[test]
    fn format_1_is_written_as_format_2() {
        assert_eq!(upgraded("a + !b|c - d|e").as_deref(), Ok("a + !b|!c - d|e"));
        assert_eq!(upgraded("!b|!c + a|!d").as_deref(), Ok("!b|!c + a|!d"));
        assert!(upgraded("a + + b").is_err());
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
