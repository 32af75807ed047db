//! The numbers that a simulator found, in columns.

use ratatui::text::{Line, Span};

use crate::page::sim::Simulator;
use crate::sim::Output;
use crate::tui::face::Look;
use crate::widget::wrap;

/// Columns that a number with its name needs, so that several stand side by side.
const COLUMN: usize = 46;

/// Columns for values where the names need the room; a longer value stands out.
const SHORT: usize = 10;

/// How many columns of numbers stand side by side.
pub fn columns(width: usize) -> usize {
    (width / COLUMN).max(1)
}

/// The columns that the widest of the numbers needs.
pub fn natural(outputs: &[Output]) -> usize {
    let width = |o: &Output| wrap::width(&o.show()).max(SHORT) + wrap::width(o.label) + 4;
    outputs.iter().map(width).max().unwrap_or(0)
}

/// The rows that so many numbers take.
pub fn rows(count: usize, width: usize) -> usize {
    count.div_ceil(columns(width))
}

/// The numbers in rows, down the first column and on in the next; the chosen one has a pointer.
pub fn lines(page: &Simulator, chosen: Option<usize>, width: usize, look: &Look) -> Vec<Line<'static>> {
    let theme = look.theme;
    let outputs = &page.run().outputs;
    let columns = columns(width);
    let rows = rows(outputs.len(), width);
    let room = width / columns;
    let values = outputs.iter().map(|o| wrap::width(&o.show()));
    // a long value may stand out where the names need the room
    let value = values.max().unwrap_or(0).min(if room < 60 { SHORT } else { 18 });
    let cell = |at: usize| -> Vec<Span<'static>> {
        let Some(output) = outputs.get(at) else {
            return Vec::new();
        };
        let here = chosen == Some(at);
        let pointer = if here { theme.glyphs.pointer } else { " " };
        let label = if here { theme.accent } else { theme.text };
        let mut line = Line::from(vec![
            Span::styled(pointer, theme.accent),
            Span::styled(format!("{:>value$}", output.show()), theme.strong),
            Span::styled(format!("  {}", output.label), label),
        ]);
        if let Some(was) = page.was(output) {
            let was = format!("  was {was}");
            if line.width() + wrap::width(&was) < room {
                line.push_span(Span::styled(was, theme.dim));
            }
        }
        let mut line = wrap::cut_line(&line, room.saturating_sub(1), theme.glyphs.cut);
        let blank = room.saturating_sub(line.width());
        line.push_span(Span::raw(" ".repeat(blank)));
        line.spans
    };
    (0..rows)
        .map(|row| {
            let spans: Vec<_> = (0..columns).flat_map(|c| cell(c * rows + row)).collect();
            Line::from(spans)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_fill_the_rows_of_all_columns() {
        assert_eq!((columns(45), rows(13, 45)), (1, 13));
        assert_eq!((columns(100), rows(13, 100)), (2, 7));
        assert_eq!(rows(0, 100), 0);
    }
}
