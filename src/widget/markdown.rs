//! Markdown for a terminal: a document is parsed once, then laid out for a width.
//!
//! Headings, nested lists, tables, quotes, code blocks, emphasis, links with their addresses,
//! and glossary terms written `[[term]]` or `[[term|shown words]]`.

use std::ops::Range;

use ratatui::text::Line;

use super::highlight::Highlighter;
use super::theme::Theme;

mod figure;
mod layout;
mod parse;
pub mod plain;
mod table;

/// A parsed document, or one put together block by block.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Document {
    blocks: Vec<Block>,
    /// Every link, in the order of the text.
    links: Vec<(String, LinkKind)>,
}

/// What a link leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkKind {
    /// A glossary term, written `[[term]]`.
    Term,
    /// An address outside: `https:`, `http:`, `mailto:`. It is shown behind the words.
    Address,
    /// Anything else: a place in the course.
    Place,
}

#[derive(Debug, Clone, PartialEq)]
enum Block {
    Heading(u8, Inline),
    Paragraph(Inline),
    List { start: Option<u64>, loose: bool, items: Vec<Vec<Block>> },
    Quote(Vec<Block>),
    Code { language: String, text: String },
    Table { columns: Vec<Column>, rows: Vec<Vec<Inline>> },
    Rule,
}

/// A table's column.
#[derive(Debug, Clone, PartialEq, Default)]
struct Column {
    title: Inline,
    align: Align,
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
enum Align {
    #[default]
    Left,
    Centre,
    Right,
}

type Inline = Vec<Run>;

/// Words of one look.
#[derive(Debug, Clone, PartialEq, Default)]
struct Run {
    text: String,
    look: Look,
    /// The link it belongs to, an index into the document's links.
    link: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Look {
    emphasis: bool,
    strong: bool,
    struck: bool,
    code: bool,
    /// The address of a link, shown behind its words.
    address: bool,
}

/// A document laid out for a width.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rendered {
    /// The rows; none is wider than the width asked for.
    pub lines: Vec<Line<'static>>,
    /// The links, in reading order.
    pub links: Vec<Link>,
    /// The headings, in reading order.
    pub headings: Vec<Heading>,
    /// The first row of each top-level block: a position that survives another width.
    pub blocks: Vec<usize>,
    /// The rows of figures that were cut, in order, each as it would be without an end.
    pub cut: Vec<(usize, Line<'static>)>,
    /// The rows that belong together: a figure or a table with the heading above it.
    pub together: Vec<Range<usize>>,
}

/// A link, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The term, address or place.
    pub target: String,
    /// What it leads to.
    pub kind: LinkKind,
    /// Its words, row by row; a wrapped link has several. Never empty.
    pub spots: Vec<Spot>,
}

impl Link {
    /// The row where it begins.
    pub fn row(&self) -> usize {
        self.spots.first().map_or(0, |spot| spot.row)
    }
}

/// A stretch of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    /// The row, from 0.
    pub row: usize,
    /// The columns, from 0.
    pub columns: Range<u16>,
}

/// A heading, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// The row, from 0.
    pub row: usize,
    /// 1 to 6.
    pub level: u8,
    /// Its words.
    pub text: String,
}

impl Document {
    /// Nothing yet. Add to it with [`Document::heading`], [`Document::markdown`] and the others.
    pub fn new() -> Document {
        Document::default()
    }

    /// The document that a Markdown text describes. Every text describes one.
    pub fn parse(markdown: &str) -> Document {
        Document::new().markdown(markdown)
    }

    /// Adds the blocks of a Markdown text.
    pub fn markdown(mut self, text: &str) -> Document {
        let blocks = parse::blocks(text, &mut self.links);
        self.blocks.extend(blocks);
        self
    }

    /// Adds a heading, level 1 to 6; the words may hold inline Markdown.
    pub fn heading(mut self, level: u8, words: &str) -> Document {
        let words = parse::inline(words, &mut self.links);
        self.blocks.push(Block::Heading(level.clamp(1, 6), words));
        self
    }

    /// Adds a text that keeps its lines: code in a language, or a diagram (language "").
    pub fn verbatim(mut self, language: &str, text: &str) -> Document {
        self.blocks.push(Block::Code { language: language.into(), text: text.trim_end_matches('\n').into() });
        self
    }

    /// Adds a list with a bullet for each text.
    pub fn list<S: AsRef<str>>(mut self, items: &[S]) -> Document {
        let items = items.iter().map(|item| parse::blocks(item.as_ref(), &mut self.links)).collect();
        self.blocks.push(Block::List { start: None, loose: false, items });
        self
    }

    /// Adds a table; titles and cells may hold inline Markdown. A column whose cells all begin
    /// with a digit is set flush right.
    pub fn table<S: AsRef<str>>(mut self, columns: &[S], rows: &[Vec<String>]) -> Document {
        let columns = columns
            .iter()
            .enumerate()
            .map(|(at, title)| Column {
                title: parse::inline(title.as_ref(), &mut self.links),
                align: if numeric(rows, at) { Align::Right } else { Align::Left },
            })
            .collect();
        let rows = rows
            .iter()
            .map(|row| row.iter().map(|cell| parse::inline(cell, &mut self.links)).collect())
            .collect();
        self.blocks.push(Block::Table { columns, rows });
        self
    }

    /// The columns at which no figure would be cut: those of its widest diagram or formula.
    pub fn figure_width(&self) -> u16 {
        figure::width(&self.blocks)
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Lays the document out for `width` columns; 0 gives no rows. Code is plain until the
    /// highlighter has its colours: lay out again when it says so.
    pub fn render(&self, width: u16, theme: &Theme, highlighter: &Highlighter) -> Rendered {
        layout::render(self, usize::from(width), theme, highlighter)
    }
}

fn numeric(rows: &[Vec<String>], column: usize) -> bool {
    let mut cells = rows.iter().filter_map(|row| row.get(column)).filter(|cell| !cell.is_empty()).peekable();
    cells.peek().is_some() && cells.all(|cell| cell.starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests;
