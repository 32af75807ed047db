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

mod pieces;

use std::ops::Range;

use super::figure::Figure;

use pieces::{Join, Piece, fault, pieces, slot, way};

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
