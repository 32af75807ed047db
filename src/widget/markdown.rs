//! Documents as rows of a terminal: laid out for a width, with the places of links and choices.

use std::ops::Range;

use ratatui::text::Line;

use super::highlight::Highlighter;
use super::theme::Theme;
pub use crate::doc::{Document, LinkKind};

mod cards;
mod figure;
mod layout;
mod rows;
mod table;

pub use figure::width as figure_width;

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
    /// Where each thing that can be chosen stands, by its number; never empty, the first row first.
    pub choices: Vec<Vec<Spot>>,
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

/// Lays a document out for `width` columns; 0 gives no rows. Code is plain until the highlighter has
/// its colours: lay out again when it says so.
pub fn render(document: &Document, width: u16, theme: &Theme, highlighter: &Highlighter) -> Rendered {
    layout::render(document, usize::from(width), theme, highlighter)
}

/// The same for a document that begins as another one that is laid out already, for the same columns and look: only what
/// was added is laid out. None where it does not begin so.
pub fn render_more(
    laid: (&Document, Rendered),
    document: &Document,
    width: u16,
    theme: &Theme,
    highlighter: &Highlighter,
) -> Option<Rendered> {
    layout::render_more(laid, document, usize::from(width), (theme, highlighter))
}

#[cfg(test)]
mod tests;
