//! Looks at the texts of a file by what they hold.

use unicode_width::UnicodeWidthStr;

use crate::sim::expr::Expr;
use crate::sim::{self, worksheet};

use super::character::{forbidden, is_forbidden};
use super::desk::Desk;
use super::faults::{Faults, Span, inside};
use super::links;
use super::literal::Literal;
use super::manifest::is_slug;
use super::problem::nearest;
use super::shape::Holds;

/// The widest picture, in columns: it must fit a terminal of 80.
const PICTURE: usize = 76;

/// Looks at a text. Computed numbers are looked at where they are put in.
pub(super) fn text(text: &str, span: &Span, holds: Holds, desk: &mut Desk<'_>) {
    characters(text, span, desk);
    let may_be_empty = matches!(holds, Holds::Verbatim | Holds::Cell);
    if text.trim().is_empty() {
        if !may_be_empty {
            desk.faults.error(
                span.clone(),
                "the text is empty",
                "write it, or take the key out where it is optional",
            );
        }
        return;
    }
    match holds {
        Holds::Id => id(text, span, desk),
        Holds::Plain => plain(text, span, desk),
        Holds::Markdown | Holds::Cell | Holds::Template => links::note(text, span, desk),
        Holds::Expression => expression(text, span, desk),
        Holds::Picture => picture(text, span, desk),
        Holds::Url => url(text, span, desk),
        Holds::SimKind => {
            let kinds = sim::KINDS.iter().map(|k| k.name).collect();
            known(text, span, ("simulator", kinds), desk);
        }
        Holds::Checker => {
            let checkers = worksheet::CHECKERS.iter().map(|c| c.name).collect();
            known(text, span, ("checker", checkers), desk);
        }
        Holds::Pattern | Holds::Verbatim | Holds::FilePath => {}
    }
}

/// Reports a character that an escape of the text hides. One that stands in the file as it is
/// was reported when the file was read.
pub(super) fn characters(text: &str, span: &Span, desk: &mut Desk<'_>) {
    let Some((at, c)) = forbidden(text).next() else { return };
    let literal = desk.faults.text().get(span.clone()).unwrap_or_default();
    if !literal.contains(is_forbidden) {
        let span = inside(desk.faults.text(), span, at..at + c.len_utf8());
        refuse(c, span, &mut desk.faults);
    }
}

/// Whether a file could hold a forbidden character, as it is or by an escape. A quick look that may
/// say yes too often.
pub(super) fn may_hide_characters(text: &str) -> bool {
    let bytes = text.as_bytes();
    let suspects = bytes
        .iter()
        .enumerate()
        .filter(|(_, b)| **b >= 0x7f || **b == b'\\' || (**b < b' ' && !matches!(**b, b'\n' | b'\t')));
    suspects.into_iter().any(|(at, byte)| match byte {
        b'\\' => matches!(bytes.get(at + 1), Some(b'u' | b'U' | b'x' | b'e' | b'b' | b'f' | b'r')),
        0x80.. => text.get(at..).and_then(|rest| rest.chars().next()).is_some_and(is_forbidden),
        _ => true,
    })
}

/// Reports every character of a file that no text may hold.
pub(super) fn raw_characters(faults: &mut Faults<'_>) {
    let text = faults.text();
    for (at, c) in forbidden(text) {
        refuse(c, at..at + c.len_utf8(), faults);
    }
}

fn refuse(c: char, span: Span, faults: &mut Faults<'_>) {
    faults.error(
        span,
        format!("the character U+{:04X} can steer a terminal or hide", c as u32),
        "take it out",
    );
}

fn id(text: &str, span: &Span, desk: &mut Desk<'_>) {
    if !is_slug(text) {
        desk.faults.error(
            span.clone(),
            format!("`{text}` is not an id"),
            "use lower case letters, digits and hyphens, at most 64",
        );
    }
}

fn plain(text: &str, span: &Span, desk: &mut Desk<'_>) {
    if let Some(at) = text.trim_end().find('\n') {
        let span = inside(desk.faults.text(), span, at..at + 1);
        desk.faults.error(span, "the text has several lines", "write it on one line");
    }
    if let Some(at) = text.find('{').and_then(|_| text.find("{{")) {
        let span = inside(desk.faults.text(), span, at..at + 2);
        desk.faults.error(
            span,
            "no number is computed in this text",
            "write the number itself, or move it into a Markdown text",
        );
    }
}

fn expression(text: &str, span: &Span, desk: &mut Desk<'_>) {
    if let Err(fault) = Expr::parse(text) {
        let at = fault.at.min(text.len());
        let span = inside(desk.faults.text(), span, at..text.len());
        let what = format!("`{text}` cannot be computed: {}", fault.what);
        desk.faults.error(span, what, fault.cure);
    }
}

fn picture(text: &str, span: &Span, desk: &mut Desk<'_>) {
    let literal = Literal::new(desk.faults.text(), span);
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let drawn = line.trim_end();
        let wide = drawn.width();
        if wide > PICTURE {
            desk.faults.error(
                literal.inside(start..start + drawn.len()),
                format!("the line of a picture is {wide} columns wide"),
                format!("keep it within {PICTURE}, so that it fits a terminal of 80 columns"),
            );
        }
        start += line.len();
    }
}

fn url(text: &str, span: &Span, desk: &mut Desk<'_>) {
    let is_web = text.starts_with("https://") || text.starts_with("http://");
    if !is_web || text.contains(char::is_whitespace) {
        desk.faults.error(
            span.clone(),
            format!("`{text}` is not a web address"),
            "begin it with https:// and write it without blanks",
        );
    }
}

fn known(text: &str, span: &Span, (word, names): (&str, Vec<&str>), desk: &mut Desk<'_>) {
    if names.contains(&text) {
        return;
    }
    let cure = match nearest(text, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("use one of {}", names.join(", ")),
    };
    desk.faults.error(span.clone(), format!("no {word} is called `{text}`"), cure);
}
