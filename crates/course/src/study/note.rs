//! Line notes as things to recall: hide, say it, reveal, grade.

use std::collections::HashMap;

use crate::pack::{Lab, Lesson, Note, Pack};

/// The notes of a lab in file order, each with its id: the lab's id and the first line that the
/// note explains, so that a reworded note or a file that grew keeps its progress. A line that
/// occurs again is numbered from 2.
pub fn notes(lab: &Lab) -> Vec<(String, &Note)> {
    let lines: Vec<&str> = lab.starter.text.lines().collect();
    let mut seen: HashMap<&str, u32> = HashMap::new();
    let mut named = Vec::new();
    for note in lab.blocks.iter().flat_map(|b| &b.notes) {
        let line = lines.get(note.lines.start).map_or("", |l| l.trim());
        let times = seen.entry(line).or_default();
        *times += 1;
        let id = match *times {
            1 => format!("{}/{line}", lab.id),
            n => format!("{}/{line}#{n}", lab.id),
        };
        named.push((id, note));
    }
    named
}

/// The note with this id, with its lesson and its lab.
pub fn find<'a>(pack: &'a Pack, note: &str) -> Option<(&'a Lesson, &'a Lab, &'a Note)> {
    let (lesson, lab) = pack.lab(note.split('/').next()?)?;
    let (_, found) = notes(lab).into_iter().find(|(id, _)| id == note)?;
    Some((lesson, lab, found))
}
