//! Rows of cells: lists to choose from, tables with marks and meters, grids of shares.

use std::ops::Add;

use super::escape;
use crate::score::Verdict;
use crate::study::words::percent;

/// What words are for; a face gives each role its look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Role {
    /// To be read.
    #[default]
    Text,
    /// Labels, units, times: may be overlooked.
    Dim,
    /// The one number or title that answers the question of the page.
    Strong,
    /// What acts: a key, what is chosen.
    Accent,
    /// The page of several that is shown.
    Tab,
    /// Right, new, done.
    Good,
    /// Half right, changed.
    Partial,
    /// Wrong, gone.
    Missing,
    /// What needs attention.
    Warning,
}

/// How a part of an answer was judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judged {
    /// The part is there.
    Covered,
    /// Some of it is.
    Partial,
    /// It is not there, or wrong.
    Missing,
    /// It was not asked for.
    Untouched,
}

impl Judged {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Judged::Covered => "covered",
            Judged::Partial => "partial",
            Judged::Missing => "missing",
            Judged::Untouched => "not asked",
        }
    }
}

impl From<Verdict> for Judged {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Covered => Judged::Covered,
            Verdict::Partial => Judged::Partial,
            Verdict::Missing => Judged::Missing,
        }
    }
}

/// A piece of a cell.
#[derive(Debug, Clone, PartialEq)]
pub enum Piece {
    /// Words of one role, on one line.
    Words(String, Role),
    /// The mark of a part: a glyph for the eye, a word for the ear.
    Mark(Judged),
    /// A bar filled to a share, 0 to 1, so many columns wide. Its number is a piece of its own.
    Meter(f64, u16),
    /// A small chart of shares, 0 to 1, one column each.
    Trend(Vec<f64>),
    /// What one thought against what is, both 0 to 1, on a scale so many columns wide.
    Between(f64, f64, u16),
}

/// What stands in a column of a row.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Cell {
    /// Its pieces, side by side.
    pub pieces: Vec<Piece>,
    /// What is spoken instead; nothing where it is empty.
    pub said: Option<String>,
}

impl Cell {
    /// Words, on one line: a line that an author broke goes on.
    pub fn text(words: impl AsRef<str>) -> Cell {
        let words = words.as_ref();
        let words = match words.contains('\n') {
            true => {
                let lines = words.trim_end().lines().map(str::trim_end);
                escape::line(&lines.collect::<Vec<_>>().join(" ")).into_owned()
            }
            false => escape::line(words).into_owned(),
        };
        Cell::of(Piece::Words(words, Role::Text))
    }

    /// A share as its percentage.
    pub fn percent(share: f64) -> Cell {
        Cell::text(percent(share))
    }

    /// The mark of a part.
    pub fn mark(judged: impl Into<Judged>) -> Cell {
        Cell::of(Piece::Mark(judged.into()))
    }

    /// A bar filled to a share, so many columns wide. It is silent: give the number beside it.
    pub fn meter(share: f64, columns: u16) -> Cell {
        Cell::of(Piece::Meter(share, columns))
    }

    /// A small chart of shares. It is silent unless [`Cell::said`] says what it shows.
    pub fn trend(values: &[f64]) -> Cell {
        Cell::of(Piece::Trend(values.to_vec()))
    }

    /// What one thought against what is, on a scale so many columns wide. It is silent: give the numbers beside it.
    pub fn between(thought: f64, is: f64, columns: u16) -> Cell {
        Cell::of(Piece::Between(thought, is, columns))
    }

    /// Several cells as one.
    pub fn join(cells: impl IntoIterator<Item = Cell>) -> Cell {
        cells.into_iter().fold(Cell::default(), Add::add)
    }

    /// The words of this cell in a role.
    pub fn role(mut self, role: Role) -> Cell {
        for piece in &mut self.pieces {
            if let Piece::Words(_, of) = piece {
                *of = role;
            }
        }
        self
    }

    /// What is spoken instead of its pieces; nothing where it is empty.
    pub fn said(self, words: impl AsRef<str>) -> Cell {
        Cell { said: Some(escape::line(words.as_ref()).into_owned()), ..self }
    }

    fn of(piece: Piece) -> Cell {
        Cell { pieces: vec![piece], said: None }
    }

    /// What is spoken.
    pub fn spoken(&self) -> String {
        if let Some(said) = &self.said {
            return said.clone();
        }
        let marks = self.pieces.iter().filter(|p| matches!(p, Piece::Mark(_))).count();
        let mut out = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Words(words, _) => out.push_str(words),
                Piece::Mark(judged) => {
                    if marks > 1 && !out.is_empty() {
                        out.push(' ');
                    }
                    out.push_str(judged.word());
                }
                Piece::Meter(..) | Piece::Trend(_) | Piece::Between(..) => {}
            }
        }
        out.trim().to_owned()
    }
}

impl Add for Cell {
    type Output = Cell;

    fn add(mut self, other: Cell) -> Cell {
        let said = match (&self.said, &other.said) {
            (None, None) => None,
            _ => Some(format!("{}{}", self.spoken(), other.spoken())),
        };
        self.pieces.extend(other.pieces);
        Cell { pieces: self.pieces, said }
    }
}

/// A row: cells side by side, and perhaps lines below them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Row {
    /// Its cells, by column.
    pub cells: Vec<Cell>,
    /// Lines below the cells, which belong to the row.
    pub below: Vec<Cell>,
    /// What is spoken instead of the cells.
    pub said: Option<String>,
    /// Whether it can be chosen. Choices are numbered through a document, from 0.
    pub leads: bool,
    /// The number that is spoken before it, whatever stands above it; those below count on from there.
    pub number: Option<usize>,
    /// Whether its one cell is a text that wraps instead of being cut.
    pub wraps: bool,
    /// Whether each of its cells wraps in its column; where there is no room for columns, one stands below the other.
    pub tall: bool,
    /// Whether the cells of a tall row are cut to a line where there are few columns.
    pub brief: bool,
    /// Whether it names what stands below it, so that the ear hears it as a heading.
    pub heads: bool,
}

impl Row {
    /// A row to read.
    pub fn new(cells: impl IntoIterator<Item = Cell>) -> Row {
        Row { cells: cells.into_iter().collect(), ..Row::default() }
    }

    /// A row for the ear alone: a page shows the same in another place.
    pub fn heard(words: impl AsRef<str>) -> Row {
        Row::default().said(words)
    }

    /// Whether it is for the ear alone.
    pub fn is_heard(&self) -> bool {
        self.cells.is_empty() && self.below.is_empty() && self.said.is_some()
    }

    /// One more cell.
    pub fn cell(mut self, cell: Cell) -> Row {
        self.cells.push(cell);
        self
    }

    /// One more line below the cells.
    pub fn line(mut self, cell: Cell) -> Row {
        self.below.push(cell);
        self
    }

    /// What is spoken instead of the cells.
    pub fn said(self, words: impl AsRef<str>) -> Row {
        Row { said: Some(escape::line(words.as_ref()).into_owned()), ..self }
    }

    /// Its cells wrap in their columns.
    pub fn tall(self) -> Row {
        Row { tall: true, ..self }
    }

    /// Its cells wrap in their columns where there are many; else each is cut to a line.
    pub fn brief(self) -> Row {
        Row { tall: true, brief: true, ..self }
    }

    /// It names what stands below it.
    pub fn heading(self) -> Row {
        Row { heads: true, ..self }
    }

    /// A text that wraps; the row has one cell then.
    pub fn wrapped(self) -> Row {
        Row { wraps: true, ..self }
    }

    /// What is spoken of it.
    pub fn spoken(&self) -> String {
        if let Some(said) = &self.said {
            return said.clone();
        }
        let cells = self.cells.iter().chain(&self.below).map(Cell::spoken);
        let cells: Vec<String> = cells.filter(|text| !text.is_empty()).collect();
        let mut out = String::new();
        for (at, cell) in cells.into_iter().enumerate() {
            match out.chars().last() {
                None => {}
                Some('.' | '?' | '!' | ':' | ',' | ';') => out.push(' '),
                // what a row is about, then what is said of it
                Some(_) if at == 1 => out.push_str(": "),
                Some(_) => out.push_str(", "),
            }
            out.push_str(&cell);
        }
        out
    }
}

/// A column of rows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Column {
    /// What stands above it; nothing where all are empty.
    pub title: String,
    /// Whether its cells are set flush right, as numbers are.
    pub right: bool,
}

impl Column {
    /// A column of words.
    pub fn words(title: &str) -> Column {
        Column { title: escape::line(title).into_owned(), right: false }
    }

    /// A column of numbers.
    pub fn numbers(title: &str) -> Column {
        Column { right: true, ..Column::words(title) }
    }
}

/// Rows of cells in columns.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rows {
    /// The columns. Cells without one are set as words without a title.
    pub columns: Vec<Column>,
    /// The rows.
    pub rows: Vec<Row>,
}

impl Rows {
    /// Rows whose columns have no titles.
    pub fn of(rows: impl IntoIterator<Item = Row>) -> Rows {
        Rows { columns: Vec::new(), rows: rows.into_iter().collect() }
    }
}

/// Shares by row and column: how strong each part of each lesson is.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Heat {
    /// What stands above the columns, and the same in few letters where there is little room.
    pub columns: Vec<(String, String)>,
    /// The rows.
    pub rows: Vec<HeatRow>,
    /// What stands above the notes of the rows, which are drawn where there is room beside the cells.
    pub notes: Vec<String>,
}

/// A row of a grid of shares.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct HeatRow {
    /// What the row is.
    pub title: String,
    /// Its cells, one a column. Every one can be chosen.
    pub cells: Vec<HeatCell>,
    /// What else is told of the row, in short: one for each of the grid's.
    pub notes: Vec<String>,
    /// The same for the ear; nothing where nothing is to be said.
    pub said: String,
}

/// A cell of a grid of shares.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct HeatCell {
    /// The share, 0 to 1; none where nothing was asked.
    pub share: Option<f64>,
    /// Whether it rises (1), falls (-1) or neither (0).
    pub trend: i8,
}
