//! A document as it is spoken, its choices numbered; and as a verb prints it, in columns.

use super::aloud::{self, aloud};
use super::plain::{self, without_boxes, wrapped};
use super::wrap;
use super::{Block, Cell, Document, Heat, Inline, Judged, Piece, Rows};
use crate::sim::picture::Picture;
use crate::sim::spoken;
use crate::study::words::percent;

/// What is said before a heading: in lines nothing else tells it from a sentence.
const HEADING: &str = "Heading: ";
/// A width at which nothing wraps.
const WHOLE: usize = 1 << 20;
/// From this level on a heading is the name of the figure, table or formula below it, and no section.
const CAPTION: u8 = 4;

/// How rows are put into lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// As sentences for the ear; choices are numbered from this number on.
    Numbered(usize),
    /// As sentences for the ear, without numbers.
    Spoken,
    /// The same, each row on one line whatever its length: what a verb prints for the ear and for a pipe.
    Printed,
    /// Side by side in columns, with glyphs for marks: what a verb prints.
    Columns,
    /// The same with a tab between cells instead of blanks: for a pipe.
    Tabs,
}

impl Form {
    /// Whether it is for the eye, or for a program, and not for the ear.
    fn is_seen(self) -> bool {
        matches!(self, Form::Columns | Form::Tabs)
    }
}

impl Document {
    /// The lines of the document; words are wrapped to `width` columns, code and pictures are not.
    pub fn lines(&self, width: usize, form: Form) -> Vec<String> {
        let mut speech = Speech { width, form, lines: Vec::new() };
        speech.blocks(&self.blocks);
        while speech.lines.last().is_some_and(String::is_empty) {
            speech.lines.pop();
        }
        speech.lines
    }
}

struct Speech {
    width: usize,
    form: Form,
    lines: Vec<String>,
}

impl Speech {
    fn blocks(&mut self, blocks: &[Block]) {
        for (at, block) in blocks.iter().enumerate() {
            match block {
                Block::Heading(level, words) if !self.form.is_seen() => {
                    self.heading(*level, words, blocks.get(at + 1));
                }
                Block::Rows(rows) if self.form.is_seen() => self.columns(rows),
                Block::Rows(rows) => self.rows(rows),
                Block::Table { columns, rows } if self.form.is_seen() => {
                    self.columns(&plain::as_rows(columns, rows));
                }
                Block::Heat(heat) => self.heat(heat),
                Block::Picture(picture) if !self.form.is_seen() => {
                    // a verb has no way to read on, so it prints every row
                    let is_whole = matches!((self.form, &**picture), (Form::Printed, Picture::Table(_)));
                    let rows = if is_whole { spoken::rows(picture) } else { Vec::new() };
                    let is_said = |said: &String| {
                        rows.iter().any(|row| said.to_lowercase().ends_with(&row.to_lowercase()))
                    };
                    for sentence in spoken::gist(picture).into_iter().filter(|said| !is_said(said)) {
                        self.lines.extend(wrapped("", "   ", &aloud(&sentence), self.width));
                    }
                    if is_whole {
                        for row in rows {
                            self.lines.extend(wrapped("", "   ", &aloud(&row), WHOLE));
                        }
                    }
                }
                Block::Code { spoken: Some(words), .. } if !self.form.is_seen() => {
                    for words in words.lines() {
                        self.lines.extend(wrapped("", "", &aloud(words), self.width));
                    }
                }
                Block::Columns(parts) => parts.iter().for_each(|part| self.blocks(&part.blocks)),
                other if self.form.is_seen() => plain::one(other, (0, self.width), &mut self.lines),
                other => plain::one(&aloud::block(other), (0, self.width), &mut self.lines),
            }
            if self.lines.last().is_some_and(|l| !l.is_empty()) {
                self.lines.push(String::new());
            }
        }
    }

    /// A heading, named as what it is.
    fn heading(&mut self, level: u8, words: &Inline, below: Option<&Block>) {
        let lead = match below {
            _ if level < CAPTION => HEADING,
            Some(Block::Table { .. }) => "Table: ",
            Some(Block::Code { .. } | Block::Picture(_)) => "Figure: ",
            // a label within a section
            _ => "",
        };
        self.lines.extend(wrapped(lead, "   ", &aloud(&plain::spoken(words)), self.width));
    }

    /// The lead of the next choice: its number.
    fn number(&mut self, own: Option<usize>) -> String {
        match &mut self.form {
            Form::Numbered(last) => {
                *last = own.unwrap_or(*last + 1);
                format!("{last}. ")
            }
            _ => String::new(),
        }
    }

    fn rows(&mut self, rows: &Rows) {
        for row in &rows.rows {
            let lead = match (row.leads, row.heads && !self.form.is_seen()) {
                (true, _) => self.number(row.number),
                (false, true) => HEADING.into(),
                (false, false) => String::new(),
            };
            let rest = if lead.is_empty() { "" } else { "   " };
            let mut text = aloud(&row.spoken()).into_owned();
            if text.is_empty() {
                continue;
            }
            if !row.leads && rows.rows.len() > 1 && !text.ends_with(['.', '?', '!', ':']) {
                text.push('.');
            }
            // a row of a list is one line for a pipe; a text that stands alone is wrapped as others are
            let is_text = row.wraps && !row.leads && rows.rows.len() == 1;
            let width = if self.form == Form::Printed && !is_text { WHOLE } else { self.width };
            self.lines.extend(wrapped(&lead, rest, &text, width));
        }
    }

    /// The rows of which something is known; the others are counted, and keep their numbers.
    fn heat(&mut self, heat: &Heat) {
        let mut untouched = 0;
        for row in &heat.rows {
            if row.cells.iter().all(|cell| cell.share.is_none()) {
                row.cells.iter().for_each(|_| drop(self.number(None)));
                untouched += 1;
                if !row.said.is_empty() {
                    let text = format!("{}: {}.", row.title, row.said);
                    self.lines.extend(wrapped("", "   ", &text, self.width));
                }
                continue;
            }
            let mut cells = Vec::new();
            for (cell, (column, _)) in row.cells.iter().zip(&heat.columns) {
                let share = cell.share.map_or_else(|| Judged::Untouched.word().to_owned(), percent);
                cells.push(format!("{}{column} {share}", self.number(None)));
            }
            cells.extend(Some(row.said.clone()).filter(|said| !said.is_empty()));
            let text = format!("{}: {}.", row.title, cells.join("; "));
            self.lines.extend(wrapped("", "   ", &text, self.width));
        }
        match untouched {
            0 => {}
            all if all == heat.rows.len() => self.lines.push("Nothing is asked yet.".into()),
            more => self.lines.push(format!("Not asked yet: {more} more.")),
        }
    }

    /// Rows in columns as wide as their content; the last one has no end.
    fn columns(&mut self, rows: &Rows) {
        let count = rows.rows.iter().map(|r| r.cells.len()).max().unwrap_or(0);
        let title = |at: usize| rows.columns.get(at).map_or("", |c| c.title.as_str());
        let cells: Vec<Vec<String>> = rows.rows.iter().map(|r| r.cells.iter().map(shown).collect()).collect();
        let lone = |row: &Vec<String>| row.len() < 2;
        let of = |at: usize| cells.iter().filter(|r| !lone(r)).filter_map(move |r| r.get(at));
        let widths: Vec<usize> = (0..count)
            .map(|at| of(at).map(|c| wrap::width(c)).max().unwrap_or(0).max(wrap::width(title(at))))
            .collect();
        let right = |at: usize| rows.columns.get(at).is_some_and(|c| c.right);
        let is_tabbed = self.form == Form::Tabs;
        let set = |row: &[String]| {
            if is_tabbed {
                return row.iter().map(|cell| cell.trim()).collect::<Vec<_>>().join("\t");
            }
            let cells = row.iter().enumerate().map(|(at, cell)| {
                let blanks = " ".repeat(widths[at].saturating_sub(wrap::width(cell)));
                if right(at) { format!("{blanks}{cell}") } else { format!("{cell}{blanks}") }
            });
            cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        };
        if rows.columns.iter().any(|c| !c.title.is_empty()) {
            let titles: Vec<String> = (0..count).map(|at| title(at).to_owned()).collect();
            self.lines.push(set(&titles));
        }
        for (row, cells) in rows.rows.iter().zip(&cells) {
            match cells.as_slice() {
                [alone] => self.lines.extend(wrapped("", "", alone, self.width)),
                _ => self.lines.push(without_boxes(&set(cells))),
            }
            self.lines.extend(row.below.iter().map(|cell| format!("  {}", shown(cell))));
        }
    }
}

/// What a cell shows, in one line of text.
fn shown(cell: &Cell) -> String {
    let piece = |piece: &Piece| match piece {
        Piece::Words(words, _) => words.clone(),
        Piece::Mark(Judged::Covered) => "+".into(),
        Piece::Mark(Judged::Partial) => "~".into(),
        Piece::Mark(Judged::Missing) => "x".into(),
        Piece::Mark(Judged::Untouched) => ".".into(),
        Piece::Meter(..) | Piece::Trend(_) | Piece::Between(..) => String::new(),
    };
    cell.pieces.iter().map(piece).collect()
}
