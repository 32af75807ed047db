//! Whether the notes of a lab leave a line of its starter without a word.

use std::ops::Range;

use super::Block;
use super::desk::Desk;
use super::faults::Faults;

/// Reports the lines of code that no note explains, at the lines themselves. Blank lines and lines
/// that hold only a comment need none. The starter is given by its path in the pack, its text
/// and its language.
pub(super) fn report(blocks: &[Block], (path, text, language): (&str, &str, &str), desk: &mut Desk<'_>) {
    let mut faults = Faults::new(path, text);
    let cure = format!("write a note for it into {}, or take it out", desk.faults.path());
    for run in runs(blocks, text, language) {
        let what = match run.len() {
            1 => "the line has no note".to_owned(),
            _ => format!("lines {} to {} have no note", run.start + 1, run.end),
        };
        faults.error(bytes(text, run.start), what, cure.clone());
    }
    desk.elsewhere.append(&mut faults.into_problems());
}

/// Runs of lines without a note, counted from 0. A line that needs none does not part a run.
fn runs(blocks: &[Block], text: &str, language: &str) -> Vec<Range<usize>> {
    let mut notes = blocks.iter().flat_map(|b| &b.notes).map(|n| &n.lines).peekable();
    let mut runs: Vec<Range<usize>> = Vec::new();
    let mut is_open = false;
    for (number, line) in text.lines().enumerate() {
        while notes.peek().is_some_and(|lines| lines.end <= number) {
            notes.next();
        }
        if notes.peek().is_some_and(|lines| lines.contains(&number)) {
            is_open = false;
        } else if needs_note(line, language) {
            match runs.last_mut() {
                Some(run) if is_open => run.end = number + 1,
                _ => runs.push(number..number + 1),
            }
            is_open = true;
        }
    }
    runs
}

fn needs_note(line: &str, language: &str) -> bool {
    let line = line.trim();
    let comment = match language {
        "python" | "shell" | "toml" => "#",
        "rust" | "javascript" | "typescript" | "go" | "java" | "c" | "cpp" => "//",
        "sql" => "--",
        "markdown" => "<!--",
        _ => return !line.is_empty(),
    };
    !line.is_empty() && !line.starts_with(comment)
}

/// The bytes of a line without its indentation.
fn bytes(text: &str, number: usize) -> Range<usize> {
    let start: usize = text.split_inclusive('\n').take(number).map(str::len).sum();
    let line = text[start..].lines().next().unwrap_or_default();
    let indent = line.len() - line.trim_start().len();
    start + indent..start + line.trim_end().len().max(indent)
}

#[cfg(test)]
mod tests {
    use super::super::Note;
    use super::*;

    #[test]
    fn only_code_needs_a_note() {
        let text = "#!/usr/bin/env python3\nimport os\n\n# why\nx = 1\n  y = 2\nz = 3\n";
        let note = |lines| Note { lines, text: "n".into() };
        let blocks = [Block { title: "b".into(), notes: vec![note(1..2)] }];
        assert_eq!(runs(&blocks, text, "python"), std::slice::from_ref(&(4..7)));
        assert_eq!(&text[bytes(text, 5)], "y = 2");
        let blocks = [Block { title: "b".into(), notes: vec![note(1..2), note(5..6)] }];
        assert_eq!(runs(&blocks, text, "python"), [4..5, 6..7]);
        assert_eq!(runs(&[], "a\n\nb", "text"), std::slice::from_ref(&(0..3)));
    }
}
