//! How a worksheet looks: the question, the table, what was found.

use std::ops::Range;

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{Outcome, Worksheet};
use crate::doc::escape;
use crate::pack::WorksheetCell;
use crate::screen::Context;
use crate::sim::plan::{Finding, Weight};
use crate::widget::markdown::{self, Document};
use crate::widget::wrap::{self, Hanging, Styled};

/// Rows are no longer than this.
const MEASURE: u16 = 110;
/// A cell that is typed is at least this wide.
const TYPED: usize = 12;
/// A choice that is wider than this is cut.
const WIDEST: usize = 60;
/// Around the text of a cell: pointer, brackets, mark, blanks.
const FRAME: usize = 6;
/// Between the columns of the table.
const GAP: usize = 1;

/// A worksheet laid out.
#[derive(Debug, Default)]
pub struct Laid {
    /// The rows.
    pub rows: Vec<Line<'static>>,
    /// Where the cells are.
    pub spots: Vec<Spot>,
    /// The first row below the table.
    pub below: usize,
    /// Column and row of the caret.
    pub caret: Option<(usize, usize)>,
}

/// Where a cell is.
#[derive(Debug)]
pub struct Spot {
    /// The row.
    pub row: usize,
    /// The columns.
    pub columns: Range<usize>,
    /// The cell, by its place in reading order.
    pub cell: usize,
}

/// Lays a worksheet out in `width` columns.
pub fn lay(screen: &Worksheet, width: u16, context: &Context) -> Laid {
    let width = width.min(MEASURE);
    let mut laid = Laid::default();
    laid.rows.extend(markdown(&screen.asked.question, width, context));
    laid.rows.push(Line::default());
    match widths(screen, width.into()) {
        Some(widths) => table(screen, &widths, &mut laid, context),
        None => list(screen, width.into(), &mut laid, context),
    }
    laid.rows.extend(choices(screen, width, context));
    laid.below = laid.rows.len();
    for (i, hint) in screen.asked.hints.iter().take(screen.hints).enumerate() {
        laid.rows.push(Line::default());
        laid.rows.extend(markdown(&format!("*Hint {}:* {hint}", i + 1), width, context));
    }
    if let Some(outcome) = &screen.outcome {
        laid.rows.push(Line::default());
        laid.rows.extend(found(screen, outcome, width, context));
    }
    laid
}

/// The columns that a cell's text takes.
fn room(screen: &Worksheet, cell: &WorksheetCell) -> usize {
    let options = cell.options.iter().map(|o| wrap::width(o)).max();
    options.unwrap_or_else(|| TYPED.max(wrap::width(screen.text(&cell.id)) + 1)).min(WIDEST)
}

/// The widths of a table: the labels of the rows, then each column's cells. None where the rows
/// differ in their cells or the table is too wide.
fn widths(screen: &Worksheet, width: usize) -> Option<Vec<usize>> {
    let rows = &screen.sheet.rows;
    let columns = rows.iter().map(|r| r.cells.len()).max()?;
    let mut out = vec![rows.iter().map(|r| wrap::width(&r.label)).max()?];
    for column in 0..columns {
        let cells = || rows.iter().filter_map(|r| r.cells.get(column));
        let label = &cells().next()?.label;
        if cells().any(|c| c.label != *label) {
            return None;
        }
        let widest = cells().map(|c| room(screen, c)).max()?;
        out.push((widest + FRAME).max(wrap::width(label) + 2));
    }
    (out.iter().sum::<usize>() + GAP * columns <= width).then_some(out)
}

fn table(screen: &Worksheet, widths: &[usize], laid: &mut Laid, context: &Context) {
    let theme = context.theme;
    let heads = screen.sheet.rows.iter().max_by_key(|r| r.cells.len());
    let mut head = vec![Span::raw(" ".repeat(widths[0] + GAP))];
    for (cell, width) in heads.iter().flat_map(|r| &r.cells).zip(&widths[1..]) {
        head.push(Span::styled(padded(&format!("  {}", cell.label), width + GAP), theme.dim));
    }
    laid.rows.push(Line::from(head));
    let mut at = 0;
    for row in &screen.sheet.rows {
        let mut spans = vec![Span::styled(padded(&row.label, widths[0] + GAP), theme.strong)];
        let mut column = widths[0] + GAP;
        for (cell, width) in row.cells.iter().zip(&widths[1..]) {
            place(screen, (at, cell), (column, width - FRAME), laid);
            spans.extend(field(screen, (at, cell), width - FRAME, context));
            spans.push(Span::raw(" ".repeat(GAP)));
            column += width + GAP;
            at += 1;
        }
        laid.rows.push(Line::from(spans));
    }
}

fn list(screen: &Worksheet, width: usize, laid: &mut Laid, context: &Context) {
    let theme = context.theme;
    let cells = || screen.sheet.rows.iter().flat_map(|r| &r.cells);
    let label = cells().map(|c| wrap::width(&c.label)).max().unwrap_or(0);
    let label = label.min(width / 3) + 3;
    let mut at = 0;
    for row in &screen.sheet.rows {
        if !row.label.is_empty() {
            laid.rows.push(Line::styled(wrap::cut(&row.label, width, theme.glyphs.cut), theme.strong));
        }
        for cell in &row.cells {
            let room = room(screen, cell).min(width.saturating_sub(label + FRAME)).max(1);
            place(screen, (at, cell), (label, room), laid);
            let name = wrap::cut(&cell.label, label - 3, theme.glyphs.cut);
            let mut spans = vec![Span::styled(padded(&format!("  {name}"), label), theme.dim)];
            spans.extend(field(screen, (at, cell), room, context));
            laid.rows.push(Line::from(spans));
            at += 1;
        }
    }
}

/// Notes where a cell is, and the caret where it is the one that is typed.
fn place(
    screen: &Worksheet,
    (at, cell): (usize, &WorksheetCell),
    (column, room): (usize, usize),
    laid: &mut Laid,
) {
    let row = laid.rows.len();
    laid.spots.push(Spot { row, columns: column..column + room + FRAME, cell: at });
    if at == screen.at && cell.options.is_empty() {
        let typed = wrap::width(&escape::line(screen.text(&cell.id)));
        laid.caret = Some((column + 2 + typed.min(room.saturating_sub(1)), row));
    }
}

/// A cell: pointer, brackets around what stands in it, and its mark once it was checked.
fn field(
    screen: &Worksheet,
    (at, cell): (usize, &WorksheetCell),
    room: usize,
    context: &Context,
) -> Vec<Span<'static>> {
    let theme = context.theme;
    let glyphs = &theme.glyphs;
    let here = at == screen.at;
    let (open, close) = match (cell.options.is_empty(), here) {
        (true, _) => ("[", "]"),
        (false, true) => (glyphs.left, glyphs.right),
        (false, false) => ("<", ">"),
    };
    let shown = shown(screen.text(&cell.id), cell, room, context);
    let style = if here { theme.accent } else { theme.dim };
    let text = match (here, shown.trim().is_empty()) {
        (true, _) => theme.strong,
        (false, true) => theme.dim,
        (false, false) => theme.text,
    };
    let pointer = if here { glyphs.pointer } else { " " };
    let (mark, mark_style) = mark(screen, &cell.id, context);
    vec![
        Span::styled(format!("{pointer}{open}"), style),
        Span::styled(shown, text),
        Span::styled(format!("{close} "), style),
        Span::styled(mark, mark_style),
        Span::raw(" "),
    ]
}

/// What stands in a cell in `room` columns: what is typed keeps its end, a choice its start.
fn shown(text: &str, cell: &WorksheetCell, room: usize, context: &Context) -> String {
    let text = escape::line(text);
    let blank = if cell.options.is_empty() { " " } else { context.theme.glyphs.untouched };
    if text.is_empty() {
        return blank.repeat(room);
    }
    if cell.options.is_empty() && wrap::width(&text) >= room {
        let mut tail = text.as_ref();
        while wrap::width(tail) + 1 >= room && !tail.is_empty() {
            let mut chars = tail.chars();
            chars.next();
            tail = chars.as_str();
        }
        return padded(&format!("{}{tail}", context.theme.glyphs.cut), room);
    }
    padded(&wrap::cut(&text, room, context.theme.glyphs.cut), room)
}

/// The mark of a cell that stands as it was checked: one column.
fn mark(screen: &Worksheet, cell: &str, context: &Context) -> (&'static str, Style) {
    let theme = context.theme;
    let none = (" ", theme.dim);
    let Some(outcome) = &screen.outcome else {
        return none;
    };
    if outcome.texts.get(cell).map(String::as_str) != Some(screen.text(cell)) {
        return none;
    }
    let about = || outcome.findings.iter().filter(|f| f.cells.iter().any(|c| c == cell));
    if about().any(Finding::refuses) {
        (theme.glyphs.missing, theme.missing)
    } else if about().any(|f| !f.ok) {
        (theme.glyphs.warning, theme.partial)
    } else if about().next().is_some() {
        (theme.glyphs.good, theme.good)
    } else {
        none
    }
}

/// The choices of the cell under the cursor, or how to fill it; always two rows.
fn choices(screen: &Worksheet, width: u16, context: &Context) -> Vec<Line<'static>> {
    let theme = context.theme;
    let Some(cell) = screen.cell() else {
        return Vec::new();
    };
    let mut line = Styled::new();
    if cell.options.is_empty() {
        line.push("Type a number, with a unit if you like, or words.", theme.dim);
    }
    for (i, option) in cell.options.iter().enumerate() {
        let here = option == screen.text(&cell.id);
        let lead = if i > 0 { theme.glyphs.separator } else { "" };
        line.push(lead, theme.dim);
        let (text, style) =
            if here { (format!("[{option}]"), theme.accent) } else { (option.clone(), theme.dim) };
        line.push(&escape::line(&text), style);
    }
    let mut rows = vec![Line::default()];
    rows.extend(line.wrap(&Hanging::none(), width.into()));
    rows
}

fn found(screen: &Worksheet, outcome: &Outcome, width: u16, context: &Context) -> Vec<Line<'static>> {
    let theme = context.theme;
    let all = outcome.findings.len();
    let wrong = outcome.findings.iter().filter(|f| f.refuses()).count();
    let head = if outcome.marked.right {
        Line::styled(format!("{} Accepted", theme.glyphs.good), theme.good)
    } else {
        let text = format!("{} Not yet: {wrong} of {all} to mend", theme.glyphs.missing);
        Line::styled(text, theme.missing)
    };
    let mut rows = vec![head, Line::default()];
    let left = empty_cells(screen, outcome);
    if left > 0 {
        let noun = if left == 1 { "cell is" } else { "cells are" };
        rows.push(Line::styled(format!("{} {left} {noun} empty", theme.glyphs.missing), theme.missing));
    }
    let mut findings: Vec<&Finding> = outcome.findings.iter().filter(|f| !is_empty(outcome, f)).collect();
    findings.sort_by_key(|f| (f.ok, f.weight == Weight::Warning, position(screen, f)));
    for finding in findings {
        rows.extend(finding_rows(screen, finding, width, context));
    }
    rows.push(Line::default());
    rows.extend(markdown(&outcome.marked.explain, width, context));
    rows
}

/// How many cells had nothing in them and are refused for it.
fn empty_cells(screen: &Worksheet, outcome: &Outcome) -> usize {
    let cells = screen.sheet.rows.iter().flat_map(|r| &r.cells);
    let empty =
        |c: &&WorksheetCell| outcome.findings.iter().any(|f| is_empty(outcome, f) && f.cells[0] == c.id);
    cells.filter(empty).count()
}

/// Whether a finding only says that its one cell is empty.
fn is_empty(outcome: &Outcome, finding: &Finding) -> bool {
    match finding.cells.as_slice() {
        [cell] => finding.refuses() && outcome.texts.get(cell).is_some_and(|t| t.trim().is_empty()),
        _ => false,
    }
}

/// The place of a finding's first cell in reading order.
fn position(screen: &Worksheet, finding: &Finding) -> Option<usize> {
    let mut cells = screen.sheet.rows.iter().flat_map(|r| &r.cells);
    let first = finding.cells.first()?;
    cells.position(|c| c.id == *first)
}

fn finding_rows(screen: &Worksheet, finding: &Finding, width: u16, context: &Context) -> Vec<Line<'static>> {
    let theme = context.theme;
    let (glyph, style) = match (finding.ok, finding.weight) {
        (true, _) => (theme.glyphs.good, theme.good),
        (false, Weight::Error) => (theme.glyphs.missing, theme.missing),
        (false, Weight::Warning) => (theme.glyphs.warning, theme.partial),
    };
    let mut text = Styled::new();
    let names: Vec<String> = finding.cells.iter().filter_map(|c| name(screen, c)).collect();
    if !names.is_empty() {
        text.push(&escape::line(&format!("{}: ", names.join("; "))), theme.strong);
    }
    text.push(&escape::line(&finding.what), theme.text);
    if !finding.numbers.is_empty() {
        text.push(&escape::line(&format!(" ({})", finding.numbers)), theme.dim);
    }
    if !finding.cure.is_empty() && !finding.ok {
        text.push(&escape::line(&format!("; {}", finding.cure)), theme.text);
    }
    text.wrap(&Hanging::under(Span::styled(format!("{glyph} "), style)), width.into())
}

/// What a cell is called: the label of its row and its own.
fn name(screen: &Worksheet, cell: &str) -> Option<String> {
    screen.sheet.rows.iter().find_map(|row| {
        let found = row.cells.iter().find(|c| c.id == cell)?;
        Some(match (row.label.as_str(), found.label.as_str()) {
            (row, "") => row.to_owned(),
            ("", cell) => cell.to_owned(),
            (row, cell) => format!("{row}, {cell}"),
        })
    })
}

fn padded(text: &str, width: usize) -> String {
    let text = escape::line(text);
    let blanks = width.saturating_sub(wrap::width(&text));
    format!("{text}{}", " ".repeat(blanks))
}

fn markdown(text: &str, width: u16, context: &Context) -> Vec<Line<'static>> {
    markdown::render(&Document::parse(text), width, context.theme, context.highlighter).lines
}
