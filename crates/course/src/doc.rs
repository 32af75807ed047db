//! Text as data: what a page shows, without a terminal.
//!
//! A [`Document`] is a list of [`Block`]s: Markdown, rows of cells, marked answers, pictures, heat
//! grids, columns. A terminal paints it, the line-mode face speaks it ([`speech`]), a verb prints it.
//! Whatever is put in is made harmless ([`escape`]) here, so that no face has to think of it.
//!
//! Words in cells and headings are plain text; only what is named Markdown is read as Markdown.

use crate::sim::picture::Picture;

pub mod aloud;
mod answer;
pub mod escape;
mod parse;
pub mod plain;
pub mod printed;
mod rows;
mod shared;
pub mod speech;
pub mod wrap;

pub use answer::{Mark, MarkKind};
pub use rows::{Cell, Column, Heat, HeatCell, HeatRow, Judged, Piece, Role, Row, Rows};
pub use shared::Shared;

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

/// A piece of a document.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// A heading with its level, 1 to 6.
    Heading(u8, Inline),
    /// Words that wrap.
    Paragraph(Inline),
    /// A list; numbered from `start` where there is one, with blank lines between its items where loose.
    #[allow(missing_docs)]
    List { start: Option<u64>, loose: bool, items: Vec<Vec<Block>> },
    /// Somebody else's words, set in.
    Quote(Vec<Block>),
    /// A text that keeps its lines: code in a language, or a figure (language ""); and what is said instead of it,
    /// where its author wrote that behind the language: `text | what there is to see`.
    #[allow(missing_docs)]
    Code { language: String, text: String, spoken: Option<String> },
    /// A table of a Markdown text.
    #[allow(missing_docs)]
    Table { columns: Vec<TableColumn>, rows: Vec<Vec<Inline>> },
    /// A rule between blocks.
    Rule,
    /// Rows to read and to choose from.
    Rows(Shared),
    /// A learner's own text with marks on its words.
    #[allow(missing_docs)]
    Answer { text: String, marks: Vec<Mark>, active: Option<usize> },
    /// Shares by row and column, each cell to be chosen.
    Heat(Heat),
    /// A picture of a simulator.
    Picture(Box<Picture>),
    /// Blocks side by side where there is room, else one below the other: cards, two columns of text.
    Columns(Vec<Part>),
}

/// One of several columns: some blocks, and the columns of a terminal that they need.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Part {
    /// Fewer columns than this it does not take.
    pub least: u16,
    /// How it stands to the others.
    pub set: Set,
    /// What stands in it.
    pub blocks: Vec<Block>,
}

/// How columns stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Set {
    /// Apart.
    #[default]
    Apart,
    /// With nothing between them where one stands below the other.
    Close,
    /// Two texts with a rule between them, set in under the row before them. Where they stand beside each other, the
    /// headings that they begin with are shown for the first two alone.
    Paired,
}

/// A column of a Markdown table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TableColumn {
    /// What stands above it.
    pub title: Inline,
    /// Where its words stand.
    pub align: Align,
}

/// Where words stand in their column.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[allow(missing_docs)]
pub enum Align {
    #[default]
    Left,
    Centre,
    Right,
}

/// Words of a paragraph.
pub type Inline = Vec<Run>;

/// Words of one look.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Run {
    /// The words.
    pub text: String,
    /// How they look.
    pub look: Look,
    /// The link it belongs to, an index into the document's links.
    pub link: Option<usize>,
}

/// How words look.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[allow(missing_docs)]
pub struct Look {
    pub emphasis: bool,
    pub strong: bool,
    pub struck: bool,
    pub code: bool,
    /// The address of a link, shown behind its words.
    pub address: bool,
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
        let text = text.trim_end_matches('\n').into();
        self.blocks.push(Block::Code { language: language.into(), text, spoken: None });
        self
    }

    /// Adds what a program printed; a voice tells its tables and drawings in sentences.
    pub fn printed(mut self, text: &str) -> Document {
        let (text, spoken) = (text.trim_end().to_owned(), Some(printed::told(text)));
        self.blocks.push(Block::Code { language: String::new(), text, spoken });
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
            .map(|(at, title)| TableColumn {
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

    /// Adds words as they are, wrapped: no Markdown is read in them.
    pub fn words(self, text: &str) -> Document {
        self.paragraph(text, Role::Text)
    }

    /// Adds words that may be overlooked.
    pub fn dim(self, text: &str) -> Document {
        self.paragraph(text, Role::Dim)
    }

    /// Adds a title in plain words.
    pub fn title(mut self, words: &str) -> Document {
        self.blocks.push(Block::Heading(2, vec![Run { text: words.into(), ..Run::default() }]));
        self
    }

    fn paragraph(self, text: &str, role: Role) -> Document {
        self.rows(Rows::of([Row::new([Cell::text(text).role(role)]).wrapped()]))
    }

    /// Adds rows. Those without any are nothing.
    pub fn rows(mut self, rows: impl Into<Shared>) -> Document {
        let rows = rows.into();
        if !rows.rows.is_empty() {
            self.blocks.push(Block::Rows(rows));
        }
        self
    }

    /// Adds a learner's own text with marks on its words; `active` is the mark that is looked at.
    pub fn answer(mut self, text: &str, marks: Vec<Mark>, active: Option<usize>) -> Document {
        self.blocks.push(Block::Answer { text: text.into(), marks, active });
        self
    }

    /// Adds a grid of shares.
    pub fn heat(mut self, heat: Heat) -> Document {
        self.blocks.push(Block::Heat(heat));
        self
    }

    /// Adds a picture.
    pub fn picture(mut self, picture: Picture) -> Document {
        self.blocks.push(Block::Picture(Box::new(picture)));
        self
    }

    /// Adds documents side by side; each takes at least the columns named before it.
    pub fn columns(self, parts: impl IntoIterator<Item = (u16, Document)>) -> Document {
        self.set_columns(Set::Apart, parts)
    }

    /// The same, set in another way.
    pub fn set_columns(mut self, set: Set, parts: impl IntoIterator<Item = (u16, Document)>) -> Document {
        let part = |(least, part)| Part { least, set, blocks: self.take_in(part) };
        let parts: Vec<Part> = parts.into_iter().map(part).collect();
        self.blocks.push(Block::Columns(parts));
        self
    }

    /// The same with an empty row before each row of its lists but the first.
    pub fn apart(mut self) -> Document {
        for block in &mut self.blocks {
            if let Block::Rows(shared) = block {
                let mut rows: Rows = (**shared).clone();
                let apart = rows.rows.into_iter().flat_map(|row| [Row::default(), row]).skip(1);
                rows.rows = apart.collect();
                *shared = rows.into();
            }
        }
        self
    }

    /// Adds all blocks of another document.
    pub fn and(mut self, other: Document) -> Document {
        let blocks = self.take_in(other);
        self.blocks.extend(blocks);
        self
    }

    /// The blocks of another document, their links among those of this one.
    fn take_in(&mut self, other: Document) -> Vec<Block> {
        let by = self.links.len();
        self.links.extend(other.links);
        let mut blocks = other.blocks;
        shift(&mut blocks, by);
        blocks
    }

    /// The blocks, in reading order.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Every link, in the order of the text: where it leads, and what that is.
    pub fn links(&self) -> &[(String, LinkKind)] {
        &self.links
    }

    /// How many things in it can be chosen: rows that lead somewhere, cells of grids.
    pub fn choices(&self) -> usize {
        choices(&self.blocks)
    }

    /// The numbers that are spoken before its choices; those without one of their own count on from `from`.
    pub fn numbers(&self, from: usize) -> Vec<usize> {
        let mut all = Vec::new();
        numbers(&self.blocks, from, &mut all);
        all
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }
}

fn choices(blocks: &[Block]) -> usize {
    let of = |block: &Block| match block {
        Block::Rows(rows) => rows.rows.iter().filter(|r| r.leads).count(),
        Block::Heat(heat) => heat.rows.iter().flat_map(|r| &r.cells).count(),
        Block::Columns(parts) => parts.iter().map(|p| choices(&p.blocks)).sum(),
        _ => 0,
    };
    blocks.iter().map(of).sum()
}

fn numbers(blocks: &[Block], from: usize, all: &mut Vec<usize>) {
    let next = |all: &[usize]| all.last().map_or(from, |last| *last) + 1;
    for block in blocks {
        match block {
            Block::Rows(rows) => {
                for row in rows.rows.iter().filter(|r| r.leads) {
                    all.push(row.number.unwrap_or_else(|| next(all)));
                }
            }
            Block::Heat(heat) => heat.rows.iter().flat_map(|r| &r.cells).for_each(|_| all.push(next(all))),
            Block::Columns(parts) => parts.iter().for_each(|part| numbers(&part.blocks, from, all)),
            _ => {}
        }
    }
}

/// Moves the links of some blocks up by so many.
fn shift(blocks: &mut [Block], by: usize) {
    let words = |words: &mut Inline| words.iter_mut().for_each(|run| run.link = run.link.map(|at| at + by));
    for block in blocks {
        match block {
            Block::Heading(_, inline) | Block::Paragraph(inline) => words(inline),
            Block::List { items, .. } => items.iter_mut().for_each(|item| shift(item, by)),
            Block::Quote(inner) => shift(inner, by),
            Block::Table { columns, rows } => {
                columns.iter_mut().for_each(|c| words(&mut c.title));
                rows.iter_mut().flatten().for_each(words);
            }
            Block::Columns(parts) => parts.iter_mut().for_each(|p| shift(&mut p.blocks, by)),
            Block::Code { .. }
            | Block::Rule
            | Block::Rows(_)
            | Block::Answer { .. }
            | Block::Heat(_)
            | Block::Picture(_) => {}
        }
    }
}

fn numeric(rows: &[Vec<String>], column: usize) -> bool {
    let mut cells = rows.iter().filter_map(|row| row.get(column)).filter(|cell| !cell.is_empty()).peekable();
    cells.peek().is_some() && cells.all(|cell| cell.starts_with(|c: char| c.is_ascii_digit()))
}
