//! What a changed program prints differently, number by number: `comm ms 67.7 → 6.77`.

use crate::doc::printed::fields;
use crate::doc::{Cell, Document, Role, Row, Rows};
use crate::study::lines::Line;
use crate::study::words::some;

/// So many lines are told one by one; the others stand in the outputs below.
const MOST: usize = 8;
/// A piece of a line that is longer is a drawing.
const LONGEST: usize = 24;

/// A line of the original with the one that takes its place, and the names of its columns, where a line above has them.
struct Pair<'a> {
    was: &'a str,
    is: &'a str,
    names: Option<Vec<&'a str>>,
}

/// What differs, line by line; nothing where no line takes the place of another.
pub(super) fn document(lines: &[Line]) -> Document {
    let told: Vec<Row> = pairs(lines).iter().filter_map(row).collect();
    if told.is_empty() {
        return Document::new();
    }
    let more = told.len().saturating_sub(MOST);
    let all = Document::new().title("What differs").rows(Rows::of(told.into_iter().take(MOST)));
    if more > 0 { all.dim(&format!("and {}", some(more, "more line"))) } else { all }
}

/// The lines that take each other's place, in their order.
fn pairs<'a>(lines: &[Line<'a>]) -> Vec<Pair<'a>> {
    let mut out = Vec::new();
    let mut head: Option<&str> = None;
    let mut at = 0;
    while at < lines.len() {
        if let Line::Both(text) = lines[at] {
            head = Some(text).filter(|text| !text.trim().is_empty()).or(head);
            at += 1;
            continue;
        }
        let hunk: Vec<Line> =
            lines[at..].iter().take_while(|l| !matches!(l, Line::Both(_))).copied().collect();
        at += hunk.len();
        let gone = hunk.iter().filter_map(|l| if let Line::Gone(_, text) = l { Some(*text) } else { None });
        let new = hunk.iter().filter_map(|l| if let Line::New(_, text) = l { Some(*text) } else { None });
        let names = |was: &str| {
            let head = cells(head?);
            let is_head = head.iter().all(|name| name.contains(char::is_alphabetic));
            (is_head && head.len() == cells(was).len()).then_some(head)
        };
        out.extend(gone.zip(new).map(|(was, is)| Pair { was, is, names: names(was) }));
    }
    out
}

/// A line in its columns: what two blanks or more part, or else each word.
fn cells(line: &str) -> Vec<&str> {
    let wide = fields(line);
    if wide.len() > 1 { wide } else { line.split_whitespace().collect() }
}

/// What is the same in both as the name of the row, and each number that is not, as it was and as it is.
fn row(pair: &Pair) -> Option<Row> {
    let (was, is) = (cells(pair.was), cells(pair.is));
    if was.len() != is.len() || was.iter().chain(&is).any(|cell| cell.chars().count() > LONGEST) {
        return None;
    }
    let same: Vec<&str> = was.iter().zip(&is).take_while(|(a, b)| a == b).map(|(a, _)| *a).collect();
    let changed = (same.len()..was.len()).filter(|at| was[*at] != is[*at]);
    let named = |at: usize| pair.names.as_ref().map(|names| format!("{} ", names[at])).unwrap_or_default();
    let is_number = |at: usize| was[at].contains(|c: char| c.is_ascii_digit());
    if changed.clone().next().is_none() || !changed.clone().all(is_number) {
        return None;
    }
    let mut cell = Cell::text("");
    let mut said = Vec::new();
    for (nth, at) in changed.enumerate() {
        let gap = if nth > 0 { "   " } else { "" };
        cell = cell
            + Cell::text(format!("{gap}{}{} → ", named(at), was[at])).role(Role::Dim)
            + Cell::text(is[at]).role(Role::Strong);
        said.push(format!("{}was {}, is {}", named(at), was[at], is[at]));
    }
    // what stays the same has the names of its columns too
    let label: Vec<String> =
        same.iter().enumerate().map(|(at, text)| format!("{}{text}", named(at))).collect();
    let label = match pair.names.is_some() && !label.is_empty() {
        true => format!("{}: ", label.join(", ")),
        false => label.join("  "),
    };
    let said = format!("{}: {}.", label.trim_end_matches(": "), said.join("; "));
    Some(Row::new([Cell::text(label), cell]).wrapped().said(said))
}
