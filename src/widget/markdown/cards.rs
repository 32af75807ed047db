//! Blocks side by side, or one below the other where there is no room for that.

use ratatui::text::{Line, Span};

use super::super::wrap;
use super::layout::{Layout, Margin, clip};
use super::{Rendered, Spot};
use crate::doc::Part;

/// Blanks between columns.
const GAP: usize = 3;

pub(super) fn draw(layout: &mut Layout, parts: &[Part], margin: &mut Margin) {
    let room = layout.width.saturating_sub(margin.columns());
    let Some(widths) = widths(parts, room) else {
        for (at, part) in parts.iter().enumerate() {
            if at > 0 {
                layout.emit(Vec::new(), margin);
            }
            let drawn = laid(layout, part, room);
            beside(layout, &[(drawn, room)], margin);
        }
        return;
    };
    let drawn: Vec<(Rendered, usize)> =
        parts.iter().zip(widths).map(|(part, width)| (laid(layout, part, width), width)).collect();
    beside(layout, &drawn, margin);
}

/// The columns of each part, or none where not all of them fit.
fn widths(parts: &[Part], room: usize) -> Option<Vec<usize>> {
    let gaps = GAP * parts.len().saturating_sub(1);
    let least: usize = parts.iter().map(|part| usize::from(part.least)).sum();
    let spare = room.checked_sub(gaps + least)?;
    let share = spare / parts.len().max(1);
    Some(parts.iter().map(|part| usize::from(part.least) + share).collect())
}

fn laid(layout: &Layout, part: &Part, width: usize) -> Rendered {
    let mut inner = layout.beside(width);
    inner.top(&part.blocks);
    inner.out
}

/// Adds what was laid out, side by side, with the places of its links and choices.
fn beside(layout: &mut Layout, drawn: &[(Rendered, usize)], margin: &mut Margin) {
    let (top, mut left) = (layout.out.lines.len(), margin.columns());
    for (part, width) in drawn {
        let by = clip(left);
        let moved = |spot: &Spot| Spot {
            row: spot.row + top,
            columns: spot.columns.start + by..spot.columns.end + by,
        };
        for (link, of) in layout.out.links.iter_mut().zip(&part.links) {
            link.spots.extend(of.spots.iter().map(moved));
        }
        layout.out.choices.extend(part.choices.iter().map(|spots| spots.iter().map(moved).collect()));
        left += width + GAP;
    }
    let height = drawn.iter().map(|(part, _)| part.lines.len()).max().unwrap_or(0);
    for row in 0..height {
        let mut spans: Vec<Span<'static>> = Vec::new();
        for (at, (part, width)) in drawn.iter().enumerate() {
            let line = part.lines.get(row).cloned().unwrap_or_else(Line::default);
            let used: usize = line.spans.iter().map(|span| wrap::width(&span.content)).sum();
            spans.extend(line.spans);
            if at + 1 < drawn.len() {
                spans.push(Span::raw(" ".repeat(width.saturating_sub(used) + GAP)));
            }
        }
        layout.emit(spans, margin);
    }
}
