//! Blocks side by side, or one below the other where there is no room for that.

use ratatui::text::{Line, Span};

use super::super::wrap;
use super::layout::{Layout, Margin, clip};
use super::rows::LEAD;
use super::{Rendered, Spot};
use crate::doc::{Block, Part, Set};

/// Blanks between columns, and between those that belong close together.
const GAPS: (usize, usize) = (3, 2);

fn gap(parts: &[Part]) -> usize {
    if parts.iter().all(|part| part.set == Set::Close) { GAPS.1 } else { GAPS.0 }
}

/// As many side by side as there is room for, the others below them in the same columns.
pub(super) fn draw(layout: &mut Layout, parts: &[Part], margin: &mut Margin) {
    let is_paired = parts.iter().any(|part| part.set == Set::Paired);
    let mut set_in = margin.set_in(if is_paired { LEAD } else { 0 }, layout.width);
    let margin = &mut set_in;
    let room = layout.width.saturating_sub(margin.columns());
    let rows = rows(parts, room);
    // where none stands beside another, each has all the room
    let is_list = rows.iter().all(|row| row.len() == 1);
    // the same columns in all rows, but never more than a row has room for
    let share = rows.iter().map(|row| room.saturating_sub(needs(row)) / row.len().max(1)).min().unwrap_or(0);
    let width = |part: &Part| match is_list {
        true => room,
        false => (usize::from(part.least) + share).min(room),
    };
    for (nth, row) in rows.iter().enumerate() {
        let is_close = is_list && row.iter().all(|part| part.set == Set::Close);
        if nth > 0 && !is_close {
            layout.emit(Vec::new(), margin);
        }
        let drawn: Vec<(Rendered, usize)> =
            row.iter().map(|part| (laid(layout, part, width(part), !is_list), width(part))).collect();
        let rule = if is_paired {
            format!(" {} ", layout.theme.glyphs.border.vertical_left)
        } else {
            " ".repeat(gap(row))
        };
        beside(layout, &drawn, &rule, margin);
        layout.names_pairs &= !is_paired || is_list;
    }
}

/// The columns that some parts need side by side.
fn needs(parts: &[Part]) -> usize {
    let least: usize = parts.iter().map(|part| usize::from(part.least)).sum();
    least + gap(parts) * parts.len().saturating_sub(1)
}

/// The parts in rows, each with as many as fit.
fn rows(parts: &[Part], room: usize) -> Vec<&[Part]> {
    let mut rows = Vec::new();
    let mut rest = parts;
    while !rest.is_empty() {
        let fit = (1..=rest.len()).rev().find(|count| needs(&rest[..*count]) <= room).unwrap_or(1);
        let (row, others) = rest.split_at(fit);
        rows.push(row);
        rest = others;
    }
    rows
}

fn laid(layout: &Layout, part: &Part, width: usize, is_beside: bool) -> Rendered {
    let mut inner = layout.beside(width);
    // whose the texts are is said where the first two stand
    let is_named = part.set == Set::Paired && is_beside && !layout.names_pairs;
    let blocks = match part.blocks.as_slice() {
        [Block::Heading(..), rest @ ..] if is_named => rest,
        all => all,
    };
    inner.top(blocks);
    inner.out
}

/// Adds what was laid out, side by side, with the places of its links and choices.
fn beside(layout: &mut Layout, drawn: &[(Rendered, usize)], gap: &str, margin: &mut Margin) {
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
        left += width + wrap::width(gap);
    }
    let height = drawn.iter().map(|(part, _)| part.lines.len()).max().unwrap_or(0);
    for row in 0..height {
        let mut spans: Vec<Span<'static>> = Vec::new();
        for (at, (part, width)) in drawn.iter().enumerate() {
            let line = part.lines.get(row).cloned().unwrap_or_else(Line::default);
            let used: usize = line.spans.iter().map(|span| wrap::width(&span.content)).sum();
            spans.extend(line.spans);
            if at + 1 < drawn.len() {
                spans.push(Span::raw(" ".repeat(width.saturating_sub(used))));
                spans.push(Span::styled(gap.to_owned(), layout.theme.faint));
            }
        }
        layout.emit(spans, margin);
    }
}
