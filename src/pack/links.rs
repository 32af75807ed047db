//! Links in the texts of a file: terms, and places in the pack. They are looked for in the file
//! itself, so that a fault points at the very characters.

use super::desk::Desk;
use super::names::Kind;
use crate::sim;

/// Notes every link of a file as a use of what it names.
pub(super) fn note(desk: &mut Desk<'_>) {
    let text = desk.faults.text();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let is_header = line.trim().starts_with("[[") && line.trim().ends_with("]]") && !line.contains(' ');
        if !is_header || !line.starts_with('[') {
            terms(line, start, desk);
            places(line, start, desk);
        }
        start += line.len();
    }
}

/// `[[id]]` and `[[id|shown]]`.
fn terms(line: &str, start: usize, desk: &mut Desk<'_>) {
    let mut from = 0;
    while let Some(open) = line[from..].find("[[") {
        let begin = from + open + 2;
        let Some(length) = line[begin..].find("]]") else {
            return;
        };
        let inside = &line[begin..begin + length];
        let id = inside.split('|').next().unwrap_or(inside);
        if is_id(id) {
            desk.names
                .use_at(Kind::Term, id, start + begin..start + begin + id.len());
        }
        from = begin + length + 2;
    }
}

/// `(lesson:id)`, `(lab:id)`, `(drill:id)`, `(check:id)`, `(term:id)`, `(sim:kind)`.
fn places(line: &str, start: usize, desk: &mut Desk<'_>) {
    let mut from = 0;
    while let Some(open) = line[from..].find("](") {
        let begin = from + open + 2;
        let Some(length) = line[begin..].find(')') else {
            return;
        };
        let target = &line[begin..begin + length];
        if let Some((kind, id)) = target.split_once(':') {
            let at = start + begin + kind.len() + 1;
            place(kind, id, at, desk);
        }
        from = begin + length;
    }
}

fn place(kind: &str, id: &str, at: usize, desk: &mut Desk<'_>) {
    let span = at..at + id.len();
    let named = match kind {
        "lesson" | "checks" => Kind::Lesson,
        "lab" => Kind::Lab,
        "drill" => Kind::Drill,
        "check" => Kind::Check,
        "term" => Kind::Term,
        "sim" => {
            let name = id.split('?').next().unwrap_or(id);
            if sim::KINDS.iter().all(|k| k.name != name) {
                let known: Vec<_> = sim::KINDS.iter().map(|k| k.name).collect();
                desk.faults.error(
                    span,
                    format!("no simulator is called `{name}`"),
                    format!("use one of {}", known.join(", ")),
                );
            }
            return;
        }
        _ => return,
    };
    desk.names.use_at(named, id, span);
}

fn is_id(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}
